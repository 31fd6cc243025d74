#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/igt-arm64.sh [--debug] [--test TEST] [--subtest SUBTEST] [--vmali PROPS] [--name NAME] [--timeout S]
#
# Runs the tests of tests/igt on an arm64 guest, with the small harness of tests/igt/harness in place of libigt, because
# no distribution packages libigt for arm64. The tests of known work run in a second guest, on a GPU that counts the
# work of jobs. If the properties contain counters=..., there is one guest. --debug uses the kernel of
# scripts/build/build-debug-kernel.sh. TEST and SUBTEST may contain the wildcards * and ?. The script prints "ok TEXT",
# "not ok TEXT - WHY" and the skipped tests. The last line is
# "igt-arm64: P pass, S skip, F fail (small harness, not libigt)". Results are in build/run/NAME and
# build/run/NAME-work. NAME is igt, with --debug igt-debug.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

WORK=counters=work,auto-samples=0,mcu-cost=off
WORKLOAD=panthor_perf_workload

debug=
test=
subtest=
# All types of blocks that there are.
vmali=csg-counters=on
name=
timeout=
options debug test= subtest= vmali= name= timeout= -- "$@"
name=${name:-igt${debug:+-debug}}
[ -n "$timeout" ] || timeout=$([ -n "$debug" ] && echo 5400 || echo 1200)
case $test$subtest in
*[[:space:]\"]*) die "TEST and SUBTEST have no spaces" ;;
esac

[ -n "$debug" ] || "$TOP/scripts/build/build-module.sh" || die "the module does not build"
programs=$("$TOP/scripts/build/build-igt-harness.sh") || die "the tests do not build"
modules=$("$TOP/scripts/build/build-guest-modules.sh" ${debug:+--debug}) || die "the guest's modules do not build"
eval "$modules"
mkdir -p "$BUILD/run"
failed=
pass=0
skip=0
fail=0

# guest NAME PROPS PROGRAM...
guest() {
	_run=$1
	_vmali=$2
	shift 2
	for _program; do
		set -- "$@" --file "$_program:/programs/${_program##*/}"
		shift
	done
	set -- "$@" --file "$GUEST_MODULES/vgem.order:/modules/vgem.order"
	for _module in $(cat "$GUEST_MODULES/vgem.order"); do
		set -- "$@" --file "$GUEST_MODULES/$_module.ko:/modules/$_module.ko"
	done
	"$TOP/scripts/run-guest.py" ${debug:+--debug} --name "$_run" --timeout "$timeout" \
		${_vmali:+--vmali "$_vmali"} \
		${subtest:+--append "IGT_SUBTEST=$subtest"} "$@" igt || failed=1
	_summary=$BUILD/run/$_run/summary
	[ -s "$_summary" ] || die "$_run has no results"
	_skipped=$BUILD/run/$_run/out/igt-skipped
	[ ! -s "$_skipped" ] || sed 's/^/skip /' "$_skipped"
	pass=$((pass + $(grep -c "^ok $_run: igt: panthor_perf_.*@" "$_summary" || :)))
	fail=$((fail + $(grep -c '^not ok ' "$_summary" || :)))
	[ ! -f "$_skipped" ] || skip=$((skip + $(wc -l <"$_skipped")))
}

others=
work=
for program in $programs; do
	# shellcheck disable=SC2254 # a pattern
	case ${program##*/} in
	${test:-*}) ;;
	*) continue ;;
	esac
	case ${program##*/},$vmali in
	*,counters=*) others="$others $program" ;;
	$WORKLOAD,*) work=$program ;;
	*) others="$others $program" ;;
	esac
done
[ -n "$others$work" ] || die "there is no test '$test': $(echo $programs | sed 's|[^ ]*/||g')"
[ -z "$others" ] || guest "$name" "$vmali" $others
[ -z "$work" ] || guest "$name-work" "${vmali:+$vmali,}$WORK" $work
[ $((pass + skip + fail)) -gt 0 ] || die "there is no subtest '$subtest'"
echo "igt-arm64: $pass pass, $skip skip, $fail fail (small harness, not libigt)"
[ -z "$failed" ]
