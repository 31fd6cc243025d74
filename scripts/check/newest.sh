#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "newest" of scripts/check.py: the driver with the newest kernel of scripts/kernels.list. That is its module,
# the driver's own KUnit suites over their own fake firmware, and short guest tests, also with GPUs that only newer
# kernels know. make check-kernels tries all kernels, with all suites and guest tests.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
PANTHOR_PERF_KERNEL=$(awk '!/^#/ && NF { print $1 }' "$TOP/scripts/kernels.list" | sort -V | tail -n 1)
export PANTHOR_PERF_KERNEL
DEBUG_GUEST=
. "$TOP/scripts/lib/stage.sh"
. "$TOP/scripts/lib/guest-jobs.sh"
. "$TOP/scripts/lib/demo-jobs.sh"
. "$TOP/scripts/lib/chroot.sh"

module() {
	available "module" || return 0
	if (eval "$_kernel" && module_chroot) && { [ "$(id -u)" != 0 ] || ! unshare --mount true 2>/dev/null; }; then
		result "skip module: its compiler is in a chroot, which needs root and mount namespaces"
		return
	fi
	one "the module of Linux $SERIES builds with W=1" "$TOP/scripts/build/build-module.sh"
	one "the module of Linux $SERIES builds with DRM_PANTHOR_PERF=n" "$TOP/scripts/build/build-module.sh" --without
	one "panthor_perf_hw.c compiles with a map of registers in struct panthor_hw" register_map
}

# Headers of the form that is proposed for architecture 15: struct panthor_hw has the places of blocks of registers, and
# there are no constants.
register_map() (
	eval "$_kernel"
	module_system
	CROSS_COMPILE=${CROSS_COMPILE-$([ "$(uname -m)" = aarch64 ] || echo aarch64-linux-gnu-)}
	_folder=$BUILD/register-map
	rm -rf "$_folder"
	mkdir -p "$_folder/src"
	(cd "$BUILD/module/src" && find . -name '*.[ch]' ! -name '*.mod.c' -o -name 'Makefile*') |
		while read -r _file; do
			mkdir -p "$_folder/src/${_file%/*}"
			cp "$BUILD/module/src/$_file" "$_folder/src/$_file" || exit
		done
	cd "$_folder/src"
	sed -i 's/^struct panthor_hw {$/&\n\tstruct { u32 gpu_control_base; u32 pwr_control_base; } map;/' panthor_hw.h
	sed -i '/^#define \(GPU\|PWR\)_CONTROL_BASE/d' panthor_*.h
	module_make "$_folder" M="$_folder/src" CONFIG_DRM_PANTHOR=m panthor_perf_hw.o
)

kunit() {
	available "kunit" || return 0
	many "kunit of Linux $SERIES" "$TOP/scripts/kunit.py" --upstream
}

# has_module: whether there is one; otherwise the guest is skipped
has_module() {
	[ ! -e "$BUILD/module/panthor.ko" ] || return 0
	result "skip guest: there is no module of Linux $SERIES"
	return 1
}

# newest_guest NAME CHECKS ARGUMENTS...: as run_and_check
newest_guest() {
	has_module || return 0
	"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
	run_and_check "$@"
}

# perf exports the check of its right from this kernel on.
access() {
	_files=
	[ ! -e "$BUILD/module/panthor.ko" ] || _files=$(modules) || die "the guest's modules do not build"
	newest_guest newest-access "" $patience --vmali clocks=3,clock-provider=on $_files perf-access perf-refused
}

# With the modules of tests/guest/modules.
life() {
	_modules=
	[ ! -e "$BUILD/module/panthor.ko" ] || _modules=$(modules) || die "the guest's modules do not build"
	newest_guest newest-life samples --timeout 600 $_modules perf-module perf-one-fence perf-timens perf-extract
}

# perf of this kernel with our tables, on a GPU whose counters all count, each at another rate. A derived counter has a
# metric, but for one that is another name of a counter.
# metrics TABLE GPU_ID WORDS [PROPERTIES]
metrics() {
	has_module || return 0
	_name=$(echo "$1" | tr A-Z a-z)
	_count=$(awk '/^derived/ { name = $2 }
		name && /^[ \t]+=/ {
			formula = $0
			sub(/^[ \t]+= */, "", formula)
			count += formula !~ /^[A-Za-z0-9_]+$/
			name = ""
		}
		END { print count }' "$TOP/tools/counters/$1.counters")
	_perf=$("$TOP/scripts/build/build-perf.sh") || die "perf cannot be built"
	eval "$_perf"
	mkdir -p "$BUILD/load"
	awk -v words="$3" 'BEGIN {
		print "phase 1000 all counters"
		split("cshw tiler memsys shader neural", types, " ")
		for (t = 1; t <= 5; t++)
			for (word = 4; word < words; word++)
				printf "    %s:%d %d\n", types[t], word, 1000 + (word * 7919 + t * 104729) % 9000
	}' >"$BUILD/load/$_name.load"
	newest_guest "metrics-$_name" "" --timeout 600 --folder "$(dirname "$PERF"):/perf-tables" \
		--append "PERF_METRICS=$_count" \
		--vmali "counters=load,load=$(echo "$BUILD/load/$_name.load" | sed 's/,/,,/g'),gpu-id=$2${4:+,$4}" perf-metrics
}

# Blocks: firmware, front end, tiler, L2 slices, shader cores, accelerators. Core 4 is the third one, with the second
# accelerator.
neural_demo() {
	has_module || return 0
	_gpu=counters=pattern,$NEURAL
	demo neural $(((1 + 1 + 1 + 4 + 10 + 5) * 124)) "$_gpu"
	falsified skew-neural "$_gpu,x-skew=NEURAL:4:17" "NEURAL[2]" 17
}

# What IGT's tests know of blocks and their counts.
neural_igt() {
	has_module || return 0
	many "igt" "$TOP/scripts/igt-arm64.sh" --name newest-igt-neural --test 'panthor_perf_[dq]*' \
		--vmali "$NEURAL,csg-counters=on"
}

# What a board owner would find out.
neural_selftest() {
	has_module || return 0
	rawdump
	newest_guest newest-selftest-neural "" $patience --module "$BUILD/module-rawdump/panthor.ko" \
		--vmali "$NEURAL,csg-counters=on" perf-selftest
}

# perf's own tests of its tables, ours among them. Tests of a single processor's tables fail on other processors.
perf_tables() {
	_perf=$("$TOP/scripts/build/build-perf.sh" --host) || die "perf cannot be built for this machine"
	eval "$_perf"
	_tests=$BUILD/perf-host/test.txt
	"$PERF" test -v 'PMU JSON event tests' >"$_tests" 2>&1 || :
	for _test in "PMU event table sanity" "PMU event map aliases" "Parsing of static metrics with fake PMU" \
		"Parsing of metric thresholds with fake PMU"; do
		one "perf's own tests: $_test" grep -q "^ *[0-9.]*: $_test *: Ok" "$_tests"
	done
	one "perf's own tests: the tables have metrics of a Mali" grep -qa panthor_ "$PERF"
}

job module long -- module
job kunit long low -- kunit
job short after=module,tools/build,qemu/build -- \
	newest_guest newest samples --timeout 600 probe suspend perf-info perf-stat perf-errno perf-pm unbind
job access after=module,tools/build,qemu/build -- access
job life after=module,tools/build,qemu/build -- life
# Power control by registers of architecture 14. Samples have slots for absent shader cores before 14.8.4.
CORES=shader-present=0x550555
G1=gpu-id=0xe8800000,$CORES,packed-slots=on
# Accelerators at every second core.
NEURAL=$G1,neural-present=0x110111
job arch14 after=module,tools/build,qemu/build -- \
	newest_guest newest-arch14 "samples cycles:burst names" --timeout 600 --vmali $G1 \
	probe suspend perf-info perf-stat perf-pm perf-burst perf-reset perf-names unbind
# Neural accelerators, with blocks of groups, and with programs that know of no such type; at all cores, in slots by
# number; and at all cores, with power after their cores.
job neural after=module,tools/build,qemu/build -- \
	newest_guest newest-neural "samples names totals:manual totals:periodic" --timeout 900 \
	--vmali "$NEURAL,csg-counters=on" \
	probe suspend perf-info perf-stat perf-pm perf-reset perf-names perf-growth perf-control \
	unbind
job neural-sparse nightly after=module,tools/build,qemu/build -- \
	newest_guest newest-neural-sparse samples --timeout 600 --vmali "gpu-id=0xe8300000,$CORES,neural-present=0x550555" \
	probe perf-info perf-stat perf-pm
job neural-after nightly after=module,tools/build,qemu/build -- \
	newest_guest newest-neural-after samples --timeout 600 \
	--vmali "$G1,neural-present=0x550555,neural-off=after-core" \
	probe perf-info perf-stat perf-pm
job neural-demo nightly after=module,tools/build,qemu/build -- neural_demo
job neural-igt nightly after=module,tools/build,qemu/build -- neural_igt
job neural-selftest nightly after=module,tools/build,qemu/build -- neural_selftest
job arch13 after=module,tools/build,qemu/build -- \
	newest_guest newest-arch13 names --vmali gpu-id=0xd8300015,shader-present=0xee0077 perf-names
job perf-tables nightly -- perf_tables
job metrics-g710 nightly after=module,tools/build,qemu/build -- metrics G710 0xa8670005 64
job metrics-g715 nightly after=module,tools/build,qemu/build -- metrics G715 0xb8520000 128 shader-present=0x7ff
job metrics-g720 nightly after=module,tools/build,qemu/build -- metrics G720 0xc8700008 128 shader-present=0x550555
job metrics-g725 nightly after=module,tools/build,qemu/build -- metrics G725 0xd8300015 128 shader-present=0xee0077
job metrics-g1 nightly after=module,tools/build,qemu/build -- \
	metrics G1 0xe8800000 128 "$CORES,packed-slots=on,neural-present=0x110111"
job arch14-holes nightly after=module,tools/build,qemu/build -- \
	newest_guest newest-arch14-holes "samples runs" --timeout 900 --append PERF_CYCLES=20 \
	--vmali "gpu-id=0xe8000000,$CORES,csg-counters=on,coherent=on" \
	probe suspend perf-info perf-stat perf-select perf-suspend perf-reset perf-rebind unbind
finish
