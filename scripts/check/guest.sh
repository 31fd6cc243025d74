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

# Arguments that put the modules of tests/guest/modules into a guest.
modules() {
	_modules=$("$TOP/scripts/build/build-guest-modules.sh" ${DEBUG_GUEST:+--debug}) || return 1
	eval "$_modules"
	for _module in "$GUEST_MODULES"/*.ko; do
		echo --file "$_module:/modules/${_module##*/}"
	done
}

# How long a guest with many tests may take. The debug kernel needs about ten times as long.
patience="--timeout 900"
[ -z "$DEBUG_GUEST" ] || patience="--timeout 3600"

# Readings of the GPU's clocks take longer on the debug kernel: the driver's own limit applies there.
reading_error=${DEBUG_GUEST:+--reading-error=100000}

# A file out/NAME.SAMPLES.ERRORS.raw has to agree with the GPU's own totals, outside of the guest.
compare() {
	_name=${DEBUG_GUEST:+debug-}$1
	_compared=
	for _raw in "$BUILD/run/$_name/out"/*.raw; do
		_base=$(basename "$_raw" .raw)
		_errors=${_base##*.}
		_rest=${_base%.*}
		case $_base in
		*.*.*)
			_compared=1
			one "$_name: ${_rest%.*}: ${_rest##*.} samples agree with the truth" \
				"$BUILD/host-bin/panthor-perf-compare" $reading_error --expect-samples="${_rest##*.}" \
				--expect-errors="$_errors" "$BUILD/run/$_name/truth.log" "$_raw"
			;;
		esac
	done
	[ -n "$_compared" ] || result "not ok $_name: has left no samples"
}

# So have the files in folders of out, with several runs in one file; how many samples of the GPU they may have
# cost, the test leaves beside them.
compare_runs() {
	_name=${DEBUG_GUEST:+debug-}$1
	for _folder in "$BUILD/run/$_name/out"/*/; do
		_most=$(cat "$_folder/firmware-samples" 2>/dev/null || :)
		one "$_name: the samples of $(basename "$_folder") agree with the truth" \
			"$BUILD/host-bin/panthor-perf-compare" $reading_error --runs ${_most:+--firmware-samples="$_most"} \
			"$BUILD/run/$_name/truth.log" "$_folder"*.raw
	done
}

# cycles NAME FILE...: the clock cycles in recordings out/FILE.*.raw agree with the GPU's clocks.
cycles() {
	_name=${DEBUG_GUEST:+debug-}$1
	_out=$BUILD/run/$_name/out
	shift
	set -- $(printf "$_out/%s.*.raw " "$@")
	_changes=$_out/changes.txt
	[ -e "$_changes" ] || _changes=
	many "cycles" "$TOP/tests/compare/check-cycles.py" --title="$_name" ${_changes:+--changes="$_changes"} \
		"$BUILD/run/$_name/truth.log" "$@"
}

run() {
	_name=${DEBUG_GUEST:+debug-}$1
	shift
	"$TOP/scripts/run-guest.py" --quiet ${DEBUG_GUEST:+--debug} --name "$_name" "$@" || :
	adopt "$BUILD/run/$_name/summary"
}

# totals NAME FILE: the totals that a program printed to out/FILE.totals are sums over samples of the log.
# Those of marks are of one counter.
totals() {
	_name=${DEBUG_GUEST:+debug-}$1
	_partial=
	[ "$2" != marks ] || _partial=--partial
	many "$2" "$TOP/tests/compare/check-totals.py" --title="$_name" $_partial "$BUILD/run/$_name/truth.log" \
		"$BUILD/run/$_name/out/$2.totals"
}

# run_and_check NAME CHECKS ARGUMENTS...: CHECKS are some of samples (compare), runs (compare_runs), totals:FILE and
# cycles:FILE, which stands for out/FILE.*.raw.
run_and_check() {
	_guest=$1
	_checks=$2
	shift 2
	run "$_guest" "$@"
	_files=
	for _check in $_checks; do
		case $_check in
		samples) compare "$_guest" ;;
		runs) compare_runs "$_guest" ;;
		totals:*) totals "$_guest" "${_check#totals:}" ;;
		cycles:*) _files="$_files ${_check#cycles:}" ;;
		esac
	done
	[ -z "$_files" ] || cycles "$_guest" $_files
}

# guest NAME HOW CHECKS ARGUMENTS...: a guest as a job of its own; the slow kernel has the machine for itself.
guest() {
	_guest=$1
	_how=$2
	shift 2
	job "$_guest" $_how ${DEBUG_GUEST:+alone} -- run_and_check "$_guest" "$@"
}

build() {
	[ -n "$DEBUG_GUEST" ] || "$TOP/scripts/build/build-module.sh" || die "the module does not build"
	"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
	"$TOP/scripts/build/build-guest-modules.sh" ${DEBUG_GUEST:+--debug} >/dev/null || die "the guest's modules do not build"
	"$TOP/scripts/build/build-qemu.sh" >/dev/null || die "the virtual GPU does not build"
	result "ok driver, tools and the guest's modules build"
}
job build first after=qemu/build,tools/build -- build

# Of jobs, the slow kernel would see its own time-outs.
jobs="cs-submit cs-faults"
[ -z "$DEBUG_GUEST" ] || jobs=
guest guest long "" $patience boot probe suspend properties ping $jobs unbind
guest perf long "samples runs cycles:burst" $patience perf-info perf-stat perf-errno perf-cycles perf-close \
	perf-pm perf-burst perf-extract perf-observe perf-unplug perf-silent
guest perf-record "" "samples runs totals:backend totals:marks" $patience perf-record perf-examples
guest perf-features "" runs $patience perf-select perf-sleep perf-wakeup
# With masks of two words.
[ -n "$DEBUG_GUEST" ] ||
	guest perf-features-128 "" runs --vmali gpu-id=0xb8520000,shader-present=0x7ff,csg-counters=on perf-select
# Programs whose structures are shorter or longer than the driver's, which are as they are, or longer.
guest perf-growth "" samples perf-growth
padded() {
	"$TOP/scripts/build/build-module.sh" --padded || die "the module with longer structures does not build"
	run_and_check perf-padded samples --module "$BUILD/module-padded/panthor.ko" perf-growth
}
[ -n "$DEBUG_GUEST" ] || job perf-padded -- padded
guest perf-reset "" samples --vmali protected-acks=on,metadata=on perf-reset perf-protected
guest perf-life long samples $patience perf-suspend perf-faults perf-rebind perf-unplug-silent
# The DMA checker searches a mapping from its start, 3.6 ms for each word that is synchronised in a large ring.
quick=${DEBUG_GUEST:+--append dma_debug=off --expect DMA-API:.debugging.disabled.on.kernel.command.line}
guest perf-wide "" "samples runs cycles:burst" $quick \
	--vmali gpu-id=0xc8700008,shader-present=0x550555,l2-slices=6,csg-counters=on,coherent=on,clocks=2 \
	perf-info perf-stat perf-errno perf-burst
guest perf-sparse "" "samples runs cycles:burst" \
	--vmali shader-present=0x8000000000000001,l2-slices=1,fw-counters=off,metadata=on,seed=99,clocks=3 \
	perf-info perf-stat perf-cycles perf-burst
# Jobs that are known in advance, counted; the slow kernel has no jobs.
# A comma in a value of QEMU's is doubled.
[ -n "$DEBUG_GUEST" ] || guest perf-busy "" "" \
	--vmali "counters=load,core-hz=400000000,load=$(echo "$TOP/tests/guest/busy.load" | sed 's/,/,,/g')" perf-busy
[ -n "$DEBUG_GUEST" ] || guest perf-work "" "" --vmali counters=work,auto-samples=0,mcu-cost=off perf-work
# 128 counters and periods. The slow kernel has one of the two.
for coherent in on off; do
	[ -z "$DEBUG_GUEST" ] || [ $coherent = on ] || continue
	guest "perf-128-$coherent" "" runs $patience \
		--vmali gpu-id=0xb8520000,shader-present=0x7ff,coherent=$coherent perf-info perf-periodic
done
guest perf-states "" samples $patience --vmali core-off=off,auto-samples=0 perf-states perf-sets
clocks() {
	run_and_check perf-clocks "samples cycles:period cycles:manual cycles:behind" \
		$patience --vmali clocks=3,clock-provider=on $(modules) perf-clocks perf-protected
}
job perf-clocks ${DEBUG_GUEST:+alone} -- clocks
# What a board owner would find out, of GPUs that differ in it; once with the driver as it is.
rawdump() {
	"$TOP/scripts/build/build-module.sh" --rawdump || die "the module with experiments does not build"
	result "ok the module with experiments builds"
}
# selftest NAME HOW ARGUMENTS...
selftest() {
	_selftest=$1
	_how=$2
	shift 2
	guest "selftest-$_selftest" "$_how" "" $patience "$@" perf-selftest
}
if [ -z "$DEBUG_GUEST" ]; then
	job rawdump -- rawdump
	module="--module $BUILD/module-rawdump/panthor.ko"
	selftest g610 after=rawdump $module
	selftest g720 after=rawdump $module --vmali "gpu-id=0xc8700008,shader-present=0x550555,counters=work,mcu-cost=off,clocks=3,metadata=on,csg-counters=on,coherent=on,auto-samples=0,timestamp-hz=31250000,groups=5"
	selftest other after=rawdump $module --vmali "counters-per-enable=2,keep-excluded=on,threshold-quarters=3,fw-counters=off,shader-present=0xf,l2-slices=1,iface-version=0x03000000,core-off=off"
	selftest without "" --vmali gpu-id=0xb8520000,shader-present=0x7ff,counters=work
fi
job stress long ${DEBUG_GUEST:+alone} -- many "stress" "$TOP/scripts/stress.sh" --short ${DEBUG_GUEST:+--debug}
# Sizes of one block too few, of an odd number of bytes, and of nothing.
NO_COUNTERS='panthor .*\[drm\] no performance counters: '
guest perf-odd "" "" --vmali prfcnt-size=0x20034 --expect "$NO_COUNTERS" probe perf-none
guest perf-zero "" "" --vmali prfcnt-size=0 --expect "$NO_COUNTERS" probe perf-none
finish
