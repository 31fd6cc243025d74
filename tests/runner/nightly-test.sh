#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# scripts/nightly.sh with jobs whose results are known. Prints ok and not ok lines.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=

# Its report goes below a copy, and not over one that somebody wants.
mkdir -p "$folder/scripts/lib"
cp "$TOP/scripts/nightly.sh" "$folder/scripts/"
cp "$TOP/scripts/lib/lib.sh" "$folder/scripts/lib/"
report=$folder/build/nightly/report.txt
cat >"$folder/table" <<'END'
good echo first; echo "3 passed, 0 failed"
bad echo "2 passed, 1 failed"; exit 7
killed kill -KILL $$
absent scripts/not-there --at-all
after echo "end of it"
END

eq() {
	if [ "$2" = "$3" ]; then
		echo "ok $1"
	else
		echo "not ok $1 - got '$2', want '$3'"
		failed=1
	fi
}

nightly() {
	status=0
	"$folder/scripts/nightly.sh" --table "$folder/table" "$@" >"$folder/out" 2>"$folder/err" || status=$?
}

line() {
	sed -n "s/, [0-9]* s:/, T s:/; s/^$1: //p" "$report"
}

nightly
eq "status of a night with failures" "$status" 1
eq "a job that passes" "$(line good)" "passed, status 0, T s: 3 passed, 0 failed"
eq "a job that fails" "$(line bad)" "FAILED, status 7, T s: 2 passed, 1 failed"
eq "a job that is killed" "$(line killed | sed 's/ s:.*/ s:/')" "FAILED, status 137, T s:"
eq "a job that is not there" "$(line absent | sed 's/ s:.*/ s:/')" "FAILED, status 127, T s:"
eq "a job behind those that fail" "$(line after)" "passed, status 0, T s: end of it"
eq "the last line" "$(tail -n 1 "$folder/out")" "2 passed, 3 failed, 0 skipped"
eq "the report's last line" "$(tail -n 1 "$report")" "2 passed, 3 failed, 0 skipped"
eq "a job's log" "$(cat "$folder/build/nightly/good.log")" "first
3 passed, 0 failed"
nightly --jobs "after good"
eq "status of a night without failures" "$status" 0
eq "jobs by name, in that order" "$(sed -n 's/: passed.*//p' "$report" | tr '\n' ' ')" "after good "
nightly --jobs "good unknown"
eq "an unknown job" "$status $(cat "$folder/err")" \
	"1 nightly: there is no job 'unknown': good bad killed absent after"
nightly --list
eq "the list" "$(sed -n 's/\t.*//p' "$folder/out" | tr '\n' ' ')" "good bad killed absent after "
[ -z "$failed" ]
