#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/nightly.sh [--list] [--jobs "JOB..."] [--table FILE]
#
# Runs the jobs that take too long for make check, one after the other, and continues after a failure. Without --jobs
# it runs all of these:
#
#	check		all stages of make check, with the jobs that only the night runs
#	check-kernels	module, KUnit suites and guest tests with each kernel of scripts/kernels.list
#	beliefs		the guest tests of samples with every pair of answers to open questions about firmware
#	debug-guest	the guest tests on the debug kernel
#	debug-newest	the same with the newest kernel
#	debug-mainline	the same with the patches for mainline
#	stress		many sessions and hostile programs at length, on the debug kernel
#	igt		IGT GPU Tools on an x86_64 debug kernel
#	igt-arm64	its tests on the arm64 debug kernel, with the small harness
#	mutants		bugs that are put into the driver, which tests have to detect
#	coverage	the lines of the driver that tests reach
#	tools-long	the tools' tests under valgrind and helgrind, and the Debian packages
#	fuzz		the parsers under random input
#	bench		figures
#	series		the patches for mainline, each tested on top of those before it
#	series-boot	guests with the kernel of each series, and the KUnit suites of the first one
#	dkms-bookworm	the life of the package with the driver in an arm64 Debian 12
#	dkms-trixie	the same in Debian 13
#	fresh-bookworm	make demo and make check in a fresh Debian 12
#	fresh-trixie	the same in a fresh Debian 13
#
# --list prints the jobs with their commands.
# --table reads the jobs from a file instead. Each line has a name and a command. At the end of each job, the script
# adds a line to build/nightly/report.txt: name, result, exit status, seconds, and the last line of the job.
# build/nightly/JOB.log has the output of the job. The last line is "N passed, N failed, N skipped". The exit status
# is 0 only if nothing failed.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

OUT=$BUILD/nightly
REPORT=$OUT/report.txt

list=
jobs=
table=
options list jobs= table= -- "$@"

table_of_jobs() {
	cat <<-END
	check scripts/check.py --nightly
	check-kernels scripts/check-kernels.sh
	beliefs scripts/check.py beliefs
	debug-guest scripts/check.py debug-guest
	debug-newest env PANTHOR_PERF_KERNEL=7.3 scripts/check.py debug-guest
	debug-mainline env PANTHOR_PERF_KERNEL=7.3 PANTHOR_PERF_MAINLINE=1 scripts/check.py debug-guest
	stress scripts/stress.sh --debug
	igt scripts/igt.py
	igt-arm64 scripts/igt-arm64.sh --debug
	mutants scripts/mutants.py
	coverage scripts/coverage.py
	tools-long scripts/check/tools-long.sh
	fuzz scripts/check/fuzz.sh
	bench scripts/bench.py
	series env PANTHOR_PERF_KERNEL=7.3 scripts/series.py --bisect
	series-boot scripts/check.py series
	dkms-bookworm scripts/dkms.sh --suite bookworm
	dkms-trixie scripts/dkms.sh --suite trixie
	fresh-bookworm scripts/fresh.sh --check --suite bookworm
	fresh-trixie scripts/fresh.sh --check --suite trixie
	END
}

if [ -n "$table" ]; then
	[ -r "$table" ] || die "--table $table: cannot be read"
	all=$(cat "$table")
else
	all=$(table_of_jobs)
fi

command_of() {
	echo "$all" | sed -n "s/^$1[[:space:]][[:space:]]*//p"
}

names=$(echo "$all" | sed -n 's/[[:space:]].*//p')
for name in $jobs; do
	echo "$names" | grep -qxF "$name" || die "there is no job '$name': $(echo $names)"
done
if [ -n "$list" ]; then
	for name in $names; do
		printf '%s\t%s\n' "$name" "$(command_of "$name")"
	done
	exit 0
fi

mkdir -p "$OUT"
cd "$TOP"
{
	echo "panthor-perf, $(git rev-parse --short HEAD 2>/dev/null || echo 'no commit')$(
		[ -z "$(git status --porcelain 2>/dev/null)" ] || echo ' and changes'), $(date -u '+%Y-%m-%d %H:%M UTC')"
} >"$REPORT"
passed=0
failed=0

# report LINE: to both
report() {
	echo "$*" | tee -a "$REPORT"
}

for name in ${jobs:-$names}; do
	command=$(command_of "$name")
	note "$name: $command"
	start=$(date +%s)
	status=0
	watched "$OUT/$name.log" sh -c "$command" || status=$?
	seconds=$(($(date +%s) - start))
	last=$(grep -v '^make\|: the logs are in ' "$OUT/$name.log" | tail -n 1 | tr -d '\r' | cut -c 1-120)
	if [ $status -eq 0 ]; then
		passed=$((passed + 1))
		report "$name: passed, status 0, $seconds s: $last"
	else
		failed=$((failed + 1))
		report "$name: FAILED, status $status, $seconds s: $last"
	fi
done
report "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
