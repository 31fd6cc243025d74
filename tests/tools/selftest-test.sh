#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/selftest-test.sh FOLDER
#
# Runs panthor-perf selftest on the driver in its own process (FOLDER/panthor-perf-fake), which has no
# experiments and no jobs, and compares its facts with the documentation. Prints "ok NAME" or "not ok NAME -
# why".
set -u

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	sed -n '4,8s/^# \{0,1\}//p' "$0"
	exit 2
fi
bin=$(cd "$1" && pwd) || exit 2
top=$(cd "$(dirname "$0")/../.." && pwd)
page=$top/Documentation/gpu/panthor-perf-selftest.rst
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

: >gpu.panthor
export FAKE_NODES="$work/gpu.panthor" FAKE_TRUTH="$work/truth.log" FAKE_SETTINGS=
export ASAN_OPTIONS=detect_leaks=1:use_sigaltstack=0

# is NAME GOT WANT
is() {
	if [ "$2" = "$3" ]; then
		echo "ok selftest: $1"
	else
		echo "not ok selftest: $1 - '$2' instead of '$3'"
		failed=1
	fi
}
# run NAME STATUS ARGUMENT...
run() {
	_name=$1
	_want=$2
	shift 2
	"$bin/panthor-perf-fake" selftest "$@" >out 2>err </dev/null
	is "$_name" $? "$_want"
}

run "facts are listed" 0 --list
awk '{ print $1 }' out | sort >ids
is "no fact is listed twice" "$(uniq -d ids)" ""
is "sixty at least" "$([ "$(wc -l <ids)" -ge 60 ] && echo yes)" yes
sed -n 's/^``\([a-z0-9.-]*\)`` (.)$/\1/p' "$page" | sort >documented
is "the documentation has them all, and no others" "$(comm -3 ids documented | tr -s '\t\n' ' ')" ""

run "without experiments" 0 -o report.txt
of_report() {
	sed -n "s/^fact \([^:]*\): $1 - ..*/\1/p" report.txt | sort
}
is "the report has a line for each fact" "$(of_report '.*' | comm -3 - ids | tr -s '\t\n' ' ')" ""
is "what needs experiments is not determined" \
	"$(of_report 'not determined' | grep -c -x 'enable-granularity\|threshold-half\|size-words')" 3
is "what needs jobs is not determined" \
	"$(grep -c '^fact command-loop: not determined - the load does not run' report.txt)" 1
sed -n 's/^fact \([^:]*\): .*/\1/p' out | sort >determined
is "the output has those that are determined" \
	"$(of_report '\(confirmed\|refuted\)' | comm -3 - determined)$(of_report 'not determined' | comm -12 - determined)" ""
# Lines that are continued begin with blanks.
sed -n '/^not determined, /,/^[0-9]/p' out | grep -v '^[0-9]' | tr '\n' '@' | sed 's/@  */ /g' | tr '@' '\n' >reasons
is "and the others by reason" "$(sed 's/.*: //; s/,//g' reasons | tr ' ' '\n' | sort - determined | comm -3 - ids)" ""
is "a reason is printed once" "$(sed 's/: [^:]*$//' reasons | sort | uniq -d)" ""
is "no line is longer than 100 columns" "$(grep '^not determined\|^    ' out | grep -c '.\{101\}')" 0
# The fake GPU's time stamp is 1000 times the number of the sample, which fits no clock.
is "the rate of the time stamp" "$(grep -c '^fact timestamp-rate: refuted' out)" 1
is "nothing failed" "$(grep -c FAILED out)" 0
is "the report has as many facts" "$(grep -c '^fact ' report.txt)" "$(wc -l <ids)"
is "it is named last" "$(tail -n 1 out)" "The report is report.txt."

run "a fact that is none" 2 --only=csif-error,csf-id
is "which one" "$(cat err)" "panthor-perf: there is no fact 'csif-error': --list shows them all"
run "JSON of two facts" 0 --json --only=csf-id,scoreboards -o -
is "JSON" "$(python3 -c '
import json
root = json.load(open("out"))
print(*sorted(fact["id"] for fact in root["facts"]), root["failures"], root["report"])')" "csf-id scoreboards 0 None"
run "an argument too many" 2 nonsense
run "a report that cannot be written" 1 --only=csf-id -o "$work/none/report.txt"
run "another device" 5 -d /dev/null
export FAKE_SETTINGS=info_errno=95
run "a GPU without counters" 3 -o -
export FAKE_SETTINGS=silent=1
run "a firmware that does not answer" 1 -o - --only=csf-id,timestamp-rate
is "that is told" "$(grep -c '^figure FAILED: ' out | sed 's/[1-9].*/yes/')" yes
exit $failed
