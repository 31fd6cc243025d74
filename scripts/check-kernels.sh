#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/check-kernels.sh [SERIES...]
#
# Tries the driver with the kernels of scripts/kernels.list, or with those that are named. For each it prints the lines
#
#	kernel VERSION: module ok|failed	panthor.ko for arm64, with W=1 and sparse
#	kernel VERSION: kunit ok|failed (...)	the KUnit suites, in a kernel of these sources
#	kernel VERSION: guest ok|failed (...)	the stage "guest" of make check, on the distribution's kernel
#
# or "kernel SERIES: not in the archive". Three numbers in parentheses are passed, failed and skipped results. The
# last line is "N passed, N failed, N skipped", of the lines above; the exit status is 0 only if nothing failed. The
# logs are in build/check-kernels.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

options ... -- "$@"
known=$(awk '!/^#/ && NF { print $1 }' "$TOP/scripts/kernels.list" | sort -uV)
for series in $ARGUMENTS; do
	echo "$known" | grep -qxF "$series" || die "kernel $series: none of" $known "of scripts/kernels.list"
done

LOGS=$TOP/build/check-kernels
NOT_IN_ARCHIVE=3
mkdir -p "$LOGS"
passed=0
failed=0
skipped=0

# try WHAT COMMAND...: a line for WHAT of the series
try() {
	what=$1
	shift
	log=$LOGS/$series-$what.log
	note "kernel $version: $what ... (the log is ${log#"$TOP/"})"
	if PANTHOR_PERF_KERNEL=$series "$@" >"$log" 2>&1; then
		result=ok
		passed=$((passed + 1))
	else
		result=failed
		failed=$((failed + 1))
	fi
	counts=$(sed -n -E 's/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped$/ (\1, \2, \3)/p' "$log" | tail -n 1)
	echo "kernel $version: $what $result$counts"
	[ $result = ok ] || grep -E '^(not ok|.*: not ok) |error:' "$log" | sort -u | head -n 10 | sed 's/^/    /'
}

for series in ${ARGUMENTS:-$known}; do
	status=0
	kernel=$(PANTHOR_PERF_KERNEL=$series "$TOP/scripts/build/fetch-kernel.sh") || status=$?
	if [ $status -eq $NOT_IN_ARCHIVE ]; then
		echo "kernel $series: not in the archive"
		skipped=$((skipped + 1))
		continue
	fi
	[ $status -eq 0 ] || die "kernel $series: scripts/build/fetch-kernel.sh failed, see above"
	version=$(echo "$kernel" | sed -n "s/^KVER='\(.*\)'$/\1/p")
	try module "$TOP/scripts/build/build-module.sh" --sparse
	try kunit "$TOP/scripts/check.py" kunit
	try guest "$TOP/scripts/check.py" guest
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
