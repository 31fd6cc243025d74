# SPDX-License-Identifier: GPL-2.0 or MIT
#
# For stages with guests: our panthor.ko on the distribution's kernel and the virtual GPU, or with DEBUG_GUEST set,
# the debug kernel with the driver in tree. To be sourced behind stage.sh.
# shellcheck shell=sh

NOT_IN_ARCHIVE=3

# available WHAT: whether the archive has the kernel, and _kernel with its variables; otherwise WHAT is skipped
available() {
	_status=0
	_kernel=$("$TOP/scripts/build/fetch-kernel.sh") || _status=$?
	case $_status in
	0) return 0 ;;
	"$NOT_IN_ARCHIVE") result "skip $1: the archive has no packages of Linux $SERIES" ;;
	*) result "not ok $1 - the packages of Linux $SERIES cannot be fetched" ;;
	esac
	return 1
}

# Arguments that put the modules of tests/guest/modules into a guest.
modules() {
	_modules=$("$TOP/scripts/build/build-guest-modules.sh" ${DEBUG_GUEST:+--debug}) || return 1
	eval "$_modules"
	for _module in "$GUEST_MODULES"/*.ko; do
		echo --file "$_module:/modules/${_module##*/}"
	done
	echo --file "$GUEST_MODULES/vgem.order:/modules/vgem.order"
}

# On the debug kernel, a guest with many tests takes longer than scripts/run-guest.py allows by itself.
patience=${DEBUG_GUEST:+--timeout 3600}

# Readings of the GPU's clocks take longer on the debug kernel: the driver's own limit applies there. The cycle counter
# has none: a host that has other work interrupts all three of its readings now and then.
reading_error="${DEBUG_GUEST:+--reading-error=100000 --reading-limit=500000}"

# compare_file GUEST FILE [TRUTH]: a file NAME.SAMPLES.ERRORS.raw has to agree with the GPU's own totals, outside of the
# guest.
compare_file() {
	_base=$(basename "$2" .raw)
	_errors=${_base##*.}
	_rest=${_base%.*}
	case $2 in
	*/out/*/*) _of="$(basename "$(dirname "$2")"): " ;;
	*) _of= ;;
	esac
	one "$1: $_of${_rest%.*}: ${_rest##*.} samples agree with the truth" \
		"$BUILD/host-bin/panthor-perf-compare" $reading_error --expect-samples="${_rest##*.}" \
		--expect-errors="$_errors" "$BUILD/run/$1/${3:-truth.log}" "$2"
}

# compare_folder GUEST FOLDER: so have the files of a folder, with several runs in one file; how many samples of the GPU
# they may have cost, the test leaves beside them.
compare_folder() {
	_most=$(cat "$2firmware-samples" 2>/dev/null || :)
	one "$1: the samples of $(basename "$2") agree with the truth" \
		"$BUILD/host-bin/panthor-perf-compare" $reading_error --runs ${_most:+--firmware-samples="$_most"} \
		"$BUILD/run/$1/truth.log" "$2"*.raw
}

# compare NAME [FOLDER TRUTH]: so have those that a guest left, in a folder of it
compare() {
	_name=${DEBUG_GUEST:+debug-}$1
	_compared=
	for _raw in "$BUILD/run/$_name/out${2:+/$2}"/*.raw; do
		case ${_raw##*/} in
		*.*.*.raw)
			_compared=1
			compare_file "$_name" "$_raw" "${3:-}"
			;;
		esac
	done
	[ -n "$_compared" ] || result "not ok $_name: has left no samples"
}

# compare_gpus NAME COUNT: those in the folder gpuN agree with the log of that GPU, and with that of no other.
compare_gpus() {
	_count=$2
	_run=${DEBUG_GUEST:+debug-}$1
	for _gpu in $(seq 0 $((_count - 1))); do
		compare "$1" "gpu$_gpu" "$(truth_of "$_gpu")"
		for _other in $(seq 0 $((_count - 1))); do
			[ "$_gpu" = "$_other" ] ||
				one "$_run: gpu$_gpu: its samples are not those of gpu$_other" differ "$_run" "$_gpu" "$_other"
		done
	done
}

# truth_of NUMBER: the name of the log of that GPU
truth_of() {
	if [ "$1" = 0 ]; then echo truth.log; else echo "truth-$1.log"; fi
}

differ() {
	! "$BUILD/host-bin/panthor-perf-compare" "$BUILD/run/$1/$(truth_of "$3")" "$BUILD/run/$1/out/gpu$2"/*.raw
}

compare_runs() {
	_name=${DEBUG_GUEST:+debug-}$1
	for _folder in "$BUILD/run/$_name/out"/*/; do
		compare_folder "$_name" "$_folder"
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

# totals NAME FILE [OPTION]: the totals that a program printed to out/FILE.totals are sums over samples of the log.
# Those of the examples have all counters.
totals() {
	_name=${DEBUG_GUEST:+debug-}$1
	_partial=--partial
	[ "$2" != backend ] || _partial=
	many "$2" "$TOP/tests/compare/check-totals.py" --title="$_name" $_partial ${3:-} \
		"$BUILD/run/$_name/truth.log" "$BUILD/run/$_name/out/$2.totals"
}

# names NAME [CLOCKS]: the named events of the PMU are the counters that the table of the GPU has, and those of so many
# clocks.
names() {
	_name=${DEBUG_GUEST:+debug-}$1
	many names "$TOP/tests/compare/check-events.py" --title="$_name" --clocks="${2:-1}" \
		"$BUILD/run/$_name/truth.log" "$BUILD/run/$_name/out/events.txt"
}

# run_and_check NAME CHECKS ARGUMENTS...: CHECKS are some of samples (compare), samples:TRUTH, with the log of another
# GPU, gpus:COUNT (compare_gpus), runs (compare_runs), names,
# names:CLOCKS, totals:FILE, refresh=US:FILE, for totals that are US old or newer, and cycles:FILE, which stands for out/FILE.*.raw.
run_and_check() {
	_guest=$1
	_checks=$2
	shift 2
	run "$_guest" "$@"
	_files=
	for _check in $_checks; do
		case $_check in
		samples) compare "$_guest" ;;
		samples:*) compare "$_guest" "" "${_check#samples:}" ;;
		gpus:*) compare_gpus "$_guest" "${_check#gpus:}" ;;
		runs) compare_runs "$_guest" ;;
		names) names "$_guest" ;;
		names:*) names "$_guest" "${_check#names:}" ;;
		totals:*) totals "$_guest" "${_check#totals:}" ;;
		refresh=*:*)
			_check=${_check#refresh=}
			totals "$_guest" "${_check#*:}" --refresh="${_check%%:*}"
			;;
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

# belief NUMBER: the job of a combination of scripts/check/beliefs.py
belief() {
	_vmali=$("$TOP/scripts/check/beliefs.py" | sed -n "s/^$1 //p")
	guest "belief-$1" "" "runs cycles:burst" $patience --vmali "$_vmali" \
		perf-select perf-sleep perf-wakeup perf-burst
}

# The module with experiments, for the self-test of boards.
rawdump() {
	"$TOP/scripts/build/build-module.sh" --rawdump || die "the module with experiments does not build"
	result "ok the module with experiments builds"
}

# selftest NAME HOW ARGUMENTS...: what a board owner would find out of a GPU
selftest() {
	_selftest=$1
	_how=$2
	shift 2
	guest "selftest-$_selftest" "$_how" "" $patience "$@" perf-selftest
}
