#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/stress.sh [--short] [--debug] [--seed N] [--calls N] [--vmali PROPS] [NAME...]
#
# Runs the driver under many sessions and hostile programs, and compares every sample of the programs
# with the GPU's own totals. Prints "ok TEXT" and "not ok TEXT - WHY", and at the end their numbers. Without
# NAME it runs all of these parts:
#
#	everything	100000 calls in one guest: 4 processes with 5 sessions of all kinds beside hostile programs, while
#			the GPU and the system are suspended, the firmware fails in each way, the GPU is reset and its clocks
#			change, and the driver is unbound and bound again. Calls are those of the counter interface that
#			these programs make, also those that have to fail; periodic samples do not count
#	fd		sessions and open files: dup, fork, passing, limits, calls in flight
#	many		2 processes with 4 sessions, 8 with 8, at random: 10000 and 20000 calls
#	events		4 processes with 4 sessions, while the GPU is suspended, fails and is reset: 8 rounds
#	periods		8 processes with 8 sessions, most with periods, while the GPU is suspended, reset and its clocks
#			change: 50000 samples; and sessions that share samples of the GPU
#	hostile		50000 random calls of hostile programs, beside a correct program, and as many of the older interface
#	fail		each allocation and copy of a call fails once; on the debug kernel only
#	skew		one value of the GPU's log is false; the comparison has to find it
#
# --short runs two guests, with a few hundred to a few thousand calls each and without skew.
# --calls sets the number of calls of "everything".
# --debug uses the kernel of scripts/build/build-debug-kernel.sh; a report of its checkers fails the run. A seed
# repeats the random numbers of a run. Without --seed, "everything", "many", "periods" and "hostile" run with seed 1 and
# with a new seed, which the script prints. Results are in build/run/stress-NAME and build/run/stress-debug-NAME. The
# script removes the log of the GPU of "everything" and "periods" after a success, because it has gigabytes.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

short=
debug=
seed=
vmali=
calls=100000
options short debug seed= calls= vmali= ... -- "$@"
for name in $ARGUMENTS; do
	case $name in
	everything | fd | many | events | periods | hostile | fail | skew) ;;
	*) die "unknown argument '$name'; --help shows the usage" ;;
	esac
done
seeds=$seed
names=${ARGUMENTS:-everything fd many events periods hostile ${debug:+fail} skew}
case ${seed:-0} in
*[!0-9]*) die "--seed '$seed': not a number" ;;
esac
case $calls in
'' | *[!0-9]*) die "--calls '$calls': not a number" ;;
esac

"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
[ -n "$debug" ] || "$TOP/scripts/build/build-module.sh" || die "the module does not build"
stress=stress
timeout=1200
if [ -n "$debug" ]; then
	stress=stress-debug
	timeout=3600
fi
passed=0
failures=0
failed=
modules=$("$TOP/scripts/build/build-guest-modules.sh" ${debug:+--debug}) || die "the guest's modules do not build"
eval "$modules"

# report: the results on standard input are counted, and shown
report() {
	while IFS= read -r _result; do
		case $_result in
		"ok "*) passed=$((passed + 1)) ;;
		"not ok "*)
			failures=$((failures + 1))
			failed=1
			;;
		esac
		echo "$_result"
	done
}

# guest NAME KARGS TEST...: run them; no memory may be lost. But perf-fail, perf-periodic and perf-everything unbind
# the driver, and then panthor itself forgets its cooling device: they come last. The latter looks by itself.
# With "clock-provider" in front, the GPU's clocks are those of a module, and change.
guest() {
	_run=$stress-$1
	_kargs=$2
	shift 2
	_vmali=$vmali
	_first=
	if [ "$1" = clock-provider ]; then
		_vmali=${vmali:+$vmali,}clocks=3,clock-provider=on
		_first="--file $GUEST_MODULES/vmali-clk.ko:/modules/vmali-clk.ko clock-provider"
		shift
	fi
	_mark=memory-mark
	_back=memory-back
	if [ "$1" = perf-everything ]; then
		_mark=
		_back=
		[ -n "$debug" ] || _kargs="$_kargs slab_debug=U"
	fi
	set -- $_mark "$@" end
	while [ "$1" != end ]; do
		case $1 in
		perf-fail | perf-periodic | perf-everything)
			set -- "$@" $_back "$1"
			_back=
			;;
		*) set -- "$@" "$1" ;;
		esac
		shift
	done
	shift
	set -- "$@" $_back
	note "$_run: $_kargs"
	rm -f "$BUILD/run/$_run/summary"
	watched "$BUILD/run/$_run.log" \
		"$TOP/scripts/run-guest.py" ${debug:+--debug} --name "$_run" --timeout $timeout \
		${_vmali:+--vmali "$_vmali"} --append "$_kargs" $_first "$@" || :
	summary "$_run"
}

# summary RUN: the results of a guest
summary() {
	if [ -s "$BUILD/run/$1/summary" ]; then
		report <"$BUILD/run/$1/summary"
	else
		result "not ok $1 - no results, see $BUILD/run/$1.log"
	fi
}

result() {
	report <<-END
	$*
	END
}

# The samples of a run, by the folder that a test left them in. Those that are asked for have the time of the
# call in their user data. How many samples of the GPU they may have cost, the test leaves in a file.
compare() {
	_run=$stress-$1
	_log=$BUILD/run/$_run/compare.log
	for _folder in "$BUILD/run/$_run/out"/*/; do
		_what="$_run: $(basename "$_folder")"
		# Many programs on two CPUs: a reader of two clocks may have to wait in between. On the debug
		# kernel the driver's own limit applies.
		_times=--reading-error=${debug:+100000}
		[ -n "$debug" ] || _times=--reading-error=50000
		case $_folder in
		*/many-2x4/ | */many-8x8/ | */many-events/ | */many-periods/ | */hostile/ | */everything/)
			_times="$_times --call-times"
			;;
		esac
		[ ! -s "$_folder/firmware-samples" ] ||
			_times="$_times --firmware-samples=$(cat "$_folder/firmware-samples")"
		if ! ls "$_folder"*.raw >/dev/null 2>&1; then
			result "not ok $_what - has no samples"
		elif "$BUILD/host-bin/panthor-perf-compare" --runs $_times --title="$_what" \
			"$BUILD/run/$_run/truth.log" "$_folder"*.raw >"$_log" 2>&1; then
			grep '^[0-9]* times started\|^[0-9]* times within\|clock cycles agree' "$_log" |
				sed "s/^/$_what: /"
			result "ok $(tail -n 1 "$_log")"
		else
			tail -n 12 "$_log"
			result "not ok $_what - differs from the truth, see $_log"
		fi
	done
}

fresh() {
	od -An -N4 -tu4 /dev/urandom | tr -d ' '
}

# One session, which begins with a sample: in it is the false value. Nobody may sample before.
run_skew() {
	_skewed=$BUILD/run/$stress-skew
	"$TOP/scripts/run-guest.py" ${debug:+--debug} --quiet --name "$stress-skew" \
		--timeout $timeout \
		--vmali "${vmali:+$vmali,}x-skew=SHADER:0:20" \
		--append "PERF_ALL=1 PERF_ONE=1 PERF_CALLS=200" perf-many \
		>"$_skewed.log" 2>&1 || :
	summary "$stress-skew"
	"$BUILD/host-bin/panthor-perf-compare" --runs --call-times "$_skewed/truth.log" \
		"$_skewed/out"/*/*.raw >"$_skewed/compare.log" 2>&1 || :
	if grep -q 'differs: sample [0-9]*, SHADER\[0\], counter 20: ' "$_skewed/compare.log"; then
		result "ok $stress-skew: a false value is found"
	else
		result "not ok $stress-skew: a false value is found - see $_skewed/compare.log"
	fi
}

# A log of gigabytes goes when nothing is wrong with it.
forget_truth() {
	[ -n "$failed" ] || rm -f "$BUILD/run/$stress-$1/truth.log" "$BUILD/run/$stress-$1/out.tar"
}

mkdir -p "$BUILD/run"
if [ -n "$short" ]; then
	guest short "${seeds:+PERF_SEED=$seeds}" perf-fd perf-many perf-many-events perf-hostile \
		${debug:+perf-fail}
	compare short
	guest short-periods "PERF_SAMPLES=2000 PERF_CALLS=3000 ${seeds:+PERF_SEED=$seeds}" \
		clock-provider perf-many-periods perf-periodic perf-everything
	compare short-periods
else
	for name in $names; do
		case $name in
		everything)
			timeout=7200
			for seed in ${seeds:-1 $(fresh)}; do
				guest "everything-$seed" "PERF_CALLS=$calls PERF_SEED=$seed" \
					clock-provider perf-everything
				compare "everything-$seed"
				forget_truth "everything-$seed"
			done
			;;
		fd) guest fd "" perf-fd ;;
		fail) guest fail "" perf-fail ;;
		skew) run_skew ;;
		events)
			guest events "PERF_ROUNDS=8 PERF_SEED=${seeds:-$(fresh)}" perf-many-events
			compare events
			;;
		many)
			for seed in ${seeds:-1 $(fresh)}; do
				guest "many-$seed" "PERF_CALLS=20000 PERF_SEED=$seed" perf-many
				compare "many-$seed"
			done
			;;
		periods)
			timeout=5400
			for seed in ${seeds:-1 $(fresh)}; do
				guest "periods-$seed" "PERF_SAMPLES=50000 PERF_SEED=$seed" \
					clock-provider perf-many-periods perf-periodic
				compare "periods-$seed"
				forget_truth "periods-$seed"
			done
			;;
		hostile)
			for seed in ${seeds:-1 $(fresh)}; do
				guest "hostile-$seed" "PERF_CALLS=50000 PERF_SEED=$seed" perf-hostile
				compare "hostile-$seed"
				guest "older-$seed" "PERF_OLDER=1 PERF_CALLS=50000 PERF_SEED=$seed" perf-hostile
				compare "older-$seed"
			done
			;;
		esac
	done
fi
echo "$passed passed, $failures failed, 0 skipped"
[ -z "$failed" ]
