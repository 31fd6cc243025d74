#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "guest" of scripts/check.py: our panthor.ko on the distribution's kernel and the virtual GPU. What
# the unmodified driver passes, ours has to pass too; then come the counters. With DEBUG_GUEST set, all of
# it on the debug kernel and the driver in tree, as scripts/check/debug-guest.sh wants.
set -eu
DEBUG_GUEST=${DEBUG_GUEST:-}
# scripts/check/debug-guest.sh has done so already.
TOP=$(cd "$(dirname "$0")/../.." && pwd)
[ -n "$DEBUG_GUEST" ] || . "$TOP/scripts/lib/stage.sh"

. "$TOP/scripts/lib/guest-jobs.sh"

job build first after=qemu/build,tools/build -- build

# Of make bench, which is not part of these checks.
bench_module() {
	if [ -n "${PANTHOR_PERF_KERNEL:-}" ]; then
		result "skip the bench module: it is for the default kernel alone"
		return
	fi
	"$TOP/scripts/build/build-bench.sh" || die "the bench module does not build"
	result "ok the bench module builds"
}
[ -n "$DEBUG_GUEST" ] || job bench-module low after=guest/build -- bench_module

guest guest long "" $patience boot probe suspend properties ping cs-submit cs-faults cs-truths unbind
guest cs-groups "" "" --vmali groups=16,streams=32 cs-submit
# Drivers with an error each, that the virtual GPU has to show: their second lines name the result that fails.
wrong_drivers() {
	if [ -n "${PANTHOR_PERF_KERNEL:-}" ]; then
		result "skip wrong drivers: their errors are those of the default kernel's panthor"
		return
	fi
	for _error in "$TOP"/tests/guest/wrong/*.cocci; do
		_driver=$(basename "$_error" .cocci)
		_shows=$(sed -n 's|^// shows: ||p' "$_error")
		"$TOP/scripts/build/build-module.sh" --wrong "$_driver" || die "the wrong driver $_driver does not build"
		"$TOP/scripts/run-guest.py" --quiet --name "wrong-$_driver" --module "$BUILD/module-wrong/panthor.ko" \
			$patience cs-truths >/dev/null 2>&1 || :
		if grep -q "^not ok wrong-$_driver: cs-truths: $_shows" "$BUILD/run/wrong-$_driver/summary"; then
			result "ok a driver with $_driver is found: $_shows"
		else
			result "not ok a driver with $_driver is found - see $BUILD/run/wrong-$_driver/summary"
		fi
	done
}
[ -n "$DEBUG_GUEST" ] || job wrong-drivers nightly after=guest/build -- wrong_drivers
guest perf long "samples runs cycles:burst" $patience perf-info perf-stat perf-errno perf-cycles perf-close \
	perf-pm perf-burst perf-extract perf-observe perf-unplug perf-silent
guest perf-record "" "samples runs totals:backend totals:marks" $patience perf-record perf-examples
guest perf-features "" runs $patience perf-select perf-sleep perf-wakeup
# With masks of two words.
[ -n "$DEBUG_GUEST" ] ||
	guest perf-features-128 "" "runs names" --vmali gpu-id=0xb8520000,shader-present=0x7ff,csg-counters=on \
		perf-select perf-names
# Programs whose structures are shorter or longer than the driver's, which are as they are, or longer.
guest perf-growth "" samples perf-growth
padded() {
	"$TOP/scripts/build/build-module.sh" --padded || die "the module with longer structures does not build"
	run_and_check perf-padded samples --module "$BUILD/module-padded/panthor.ko" perf-growth
}
[ -n "$DEBUG_GUEST" ] || job perf-padded nightly -- padded
guest perf-reset "" samples --vmali metadata=on perf-reset
# What outlives the GPU or the module, and what fences of another device complete.
outlives() {
	run_and_check perf-module "" $patience $(modules) perf-module perf-one-fence
}
job perf-module ${DEBUG_GUEST:+alone} -- outlives
guest perf-timens "" samples $patience perf-timens
guest perf-life long samples $patience perf-suspend perf-faults perf-rebind perf-unplug-silent
# The DMA checker searches a mapping from its start, 3.6 ms for each word that is synchronised in a large ring.
quick=${DEBUG_GUEST:+--append dma_debug=off --expect DMA-API:.debugging.disabled.on.kernel.command.line}
guest perf-wide "" "samples runs cycles:burst names:2" $quick \
	--vmali gpu-id=0xc8700008,shader-present=0x550555,l2-slices=6,csg-counters=on,coherent=on,clocks=2 \
	perf-info perf-stat perf-errno perf-burst perf-names
guest perf-sparse "" "samples runs cycles:burst" \
	--vmali shader-present=0x8000000000000001,l2-slices=1,fw-counters=off,metadata=on,seed=99,clocks=3 \
	perf-info perf-stat perf-cycles perf-burst
# Several GPUs, each with its own samples; the same tests with the second one of two.
guest perf-gpus "" gpus:4 $patience --vmali "seed=1;seed=2,gpu-id=0xb8520000,shader-present=0x7ff;seed=3,coherent=on;\
seed=4,clocks=2,csg-counters=on" perf-gpus
guest perf-gpu-1 "" samples:truth-1.log $patience --vmali "seed=1;seed=2,csg-counters=on" --append GPU_NR=1 \
	perf-info perf-stat perf-burst cs-submit
# Jobs that are known in advance, counted. The slow kernel has those of perf-ordered alone.
# A comma in a value of QEMU's is doubled.
[ -n "$DEBUG_GUEST" ] || guest perf-busy "" "" \
	--vmali "counters=load,core-hz=400000000,load=$(echo "$TOP/tests/guest/busy.load" | sed 's/,/,,/g')" perf-busy
[ -n "$DEBUG_GUEST" ] || guest perf-work "" "" --vmali counters=work,auto-samples=0,mcu-cost=off perf-work
unresumed() {
	run_and_check perf-unresumed "" --timeout 600 $(modules) perf-unresumed
}
job perf-unresumed ${DEBUG_GUEST:+alone} -- unresumed
# events [SUITE]: Debian's own perf, that of its newest suite in nightly, and a program of the tests
events() {
	_perf=$("$TOP/scripts/build/fetch-perf.sh" ${1:+--suite "$1"}) || die "Debian's perf cannot be fetched"
	eval "$_perf"
	run_and_check "perf-pmu${1:+-$1}" "totals:group totals:many totals:intervals-interval totals:intervals-sum totals:beside
		totals:sleep totals:reset totals:hotplug totals:suspended totals:back" \
		--timeout ${DEBUG_GUEST:+2}400 --folder "$PERF_ROOT:/perf" \
		--vmali counters=work,auto-samples=0,mcu-cost=off,l2-slices=2 perf-events
	[ -z "${1:-}" ] || return 0
	# A sample of the slow kernel takes longer than the interval.
	_ages="refresh=1000:often refresh=60000:seldom"
	[ -z "$DEBUG_GUEST" ] || _ages="totals:often totals:seldom"
	run_and_check perf-pmu-time "totals:pmu $_ages names" --timeout ${DEBUG_GUEST:+1}500 perf-pmu perf-names
}
job perf-pmu ${DEBUG_GUEST:+alone} -- events
job perf-pmu-sid "$([ -n "$DEBUG_GUEST" ] && echo alone || echo nightly)" -- events sid
# Only the debug kernel has the tracer.
[ -z "$DEBUG_GUEST" ] || guest perf-irqsoff alone "" --timeout 1200 perf-irqsoff
# Debian's node exporter and Prometheus on this machine, which read what the guest writes.
fleet() {
	_found=0
	_prometheus=$("$TOP/scripts/build/fetch-prometheus.sh") || _found=$?
	if [ "$_found" = 3 ]; then
		result "skip fleet: Prometheus of Debian is not in the archive"
		return
	fi
	[ "$_found" = 0 ] || die "Prometheus of Debian cannot be fetched"
	eval "$_prometheus"
	_out=$BUILD/run/fleet.results
	rm -rf "$_out" "$BUILD/run/fleet"
	"$TOP/tests/fleet/fleet.py" --bin="$PROMETHEUS_BIN" --folder="$BUILD/run/fleet/live" \
		--truth="$BUILD/run/fleet/truth.log" --out="$_out" &
	_server=$!
	run fleet perf-fleet
	# It may have ended: its results say why.
	kill -TERM "$_server" 2>/dev/null || :
	wait "$_server" || :
	many fleet cat "$_out"
}
[ -n "$DEBUG_GUEST" ] || job fleet nightly -- fleet
# Programs of the older interface, which the series does not have.
if [ -n "${PANTHOR_PERF_MAINLINE:-}" ]; then
	guest perf-no-control "" "" perf-no-control
else
	guest perf-control "" "totals:manual totals:periodic" perf-control
	# 128 counters of the older interface: at night.
	guest perf-control-128 "$([ -n "$DEBUG_GUEST" ] || echo nightly)" "totals:manual totals:periodic" \
		--vmali gpu-id=0xb8520000,shader-present=0x7ff,csg-counters=on perf-control
	guest perf-control-hostile "" "" $patience --append "PERF_OLDER=1 PERF_CALLS=3000" perf-hostile
fi
without_control() {
	_folder=$BUILD/module-standard
	"$TOP/scripts/build/build-module.sh" --standard || die "the module without the older interface does not build"
	_symbols=$("${CROSS_COMPILE:-aarch64-linux-gnu-}nm" "$_folder/src/panthor.ko" | grep -c panthor_perf_control || :)
	if [ "$_symbols" -eq 0 ]; then
		result "ok the module without the older interface has nothing of it"
	else
		result "not ok the module without the older interface has nothing of it - it has $_symbols symbols"
	fi
	run_and_check perf-no-control "" --module "$_folder/panthor.ko" perf-no-control
}
[ -n "$DEBUG_GUEST" ] || job perf-no-control nightly -- without_control
guest perf-ordered "" samples --timeout 600 --vmali counters=work,auto-samples=0,mcu-cost=off perf-ordered
[ -n "$DEBUG_GUEST" ] || guest perf-ordered-1000 nightly samples --append STREAMS=1000 --timeout 900 \
	--vmali counters=work,auto-samples=0,mcu-cost=off perf-ordered
# 128 counters and periods. The slow kernel has one of the two.
how=nightly
[ -z "$DEBUG_GUEST" ] || how=
for coherent in on off; do
	[ -z "$DEBUG_GUEST" ] || [ $coherent = on ] || continue
	guest "perf-128-$coherent" "$how" runs $patience \
		--vmali gpu-id=0xb8520000,shader-present=0x7ff,coherent=$coherent perf-info perf-periodic
done
race() {
	run_and_check perf-race "" $patience $(modules) perf-race
}
job perf-race -- race
udev() {
	_udev=$("$TOP/scripts/build/fetch-udev.sh") || die "Debian's udev cannot be fetched"
	eval "$_udev"
	run_and_check perf-udev "" --folder "$UDEV_ROOT:/udev" --file "$TOP/PERMISSIONS.md:/PERMISSIONS.md" perf-udev
}
job perf-udev ${DEBUG_GUEST:+alone} -- udev
guest perf-states "" samples $patience --vmali core-off=off,auto-samples=0 perf-states perf-sets
# Each way to the counters, for those who may use them and those who may not. Clock modes need a provider of clocks.
access() {
	run_and_check perf-access "" $patience --vmali clocks=3,clock-provider=on $(modules) perf-access perf-refused
}
job perf-access ${DEBUG_GUEST:+alone} -- access
clocks() {
	run_and_check perf-clocks "samples cycles:period cycles:manual cycles:behind" \
		$patience --vmali clocks=3,clock-provider=on $(modules) perf-clocks perf-clock-modes
}
job perf-clocks ${DEBUG_GUEST:+alone} -- clocks
# What a board owner would find out, of GPUs that differ in it; once with the driver as it is.
if [ -z "$DEBUG_GUEST" ]; then
	job rawdump long -- rawdump
	module="--module $BUILD/module-rawdump/panthor.ko"
	selftest g610 "after=rawdump long" $module
	selftest g720 "after=rawdump nightly" $module --vmali "gpu-id=0xc8700008,shader-present=0x550555,counters=work,mcu-cost=off,clocks=3,metadata=on,csg-counters=on,coherent=on,auto-samples=0,timestamp-hz=31250000,groups=5"
	selftest other "after=rawdump nightly" $module --vmali "counters-per-enable=2,keep-excluded=on,threshold-quarters=3,fw-counters=off,shader-present=0xf,l2-slices=1,iface-version=0x03000000,core-off=off"
	selftest without nightly --vmali gpu-id=0xb8520000,shader-present=0x7ff,counters=work
fi
[ -n "$DEBUG_GUEST" ] || {
	job shell long -- many "make shell" "$TOP/tests/runner/shell-test.py"
	# It is the same folder.
	job shell-own nightly after=shell -- many "make shell of your own" "$TOP/tests/runner/shell-test.py" own
}
how=nightly
[ -z "$DEBUG_GUEST" ] || how=alone
job stress long $how -- many "stress" "$TOP/scripts/stress.sh" --short ${DEBUG_GUEST:+--debug}
# Sizes of one block too few, of an odd number of bytes, and of nothing.
NO_COUNTERS='panthor .*\[drm\] no performance counters: '
guest perf-odd "" "" --vmali x-prfcnt-size=0x20034 --expect "$NO_COUNTERS" probe perf-none
guest perf-zero "" "" --vmali x-prfcnt-size=0 --expect "$NO_COUNTERS" probe perf-none
finish
