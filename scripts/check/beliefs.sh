#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "beliefs" of scripts/check.py: the guest tests of samples on virtual GPUs whose firmware differs in what
# nobody knows. scripts/check/beliefs.py has the combinations.
set -eu
DEBUG_GUEST=
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"
. "$TOP/scripts/lib/guest-jobs.sh"

job build first -- build
rows=$("$TOP/scripts/check/beliefs.py") || die "there is no table of combinations"
load_of() {
	# A comma in a value of QEMU's is doubled.
	echo "counters=load,load=$(echo "$TOP/tests/guest/$1" | sed 's/,/,,/g')"
}
for number in $(echo "$rows" | cut -d ' ' -f 1); do
	belief "$number"
done
# Cores and tiler that lose power without work; counters of a load, and of jobs with known counts.
for answer in all one busy none after; do
	guest "idle-$answer" "" runs $patience \
		--vmali "$(load_of phases.load),idle-off=tiler,core-off-sample=$answer" \
		perf-select perf-sleep perf-wakeup
done
for answer in all one busy; do
	guest "idle-work-$answer" "" "" \
		--vmali "counters=work,auto-samples=0,mcu-cost=off,idle-off=tiler,core-off-sample=$answer" perf-work
done
# What the self-test of boards makes of these answers.
job rawdump -- rawdump
for answer in one busy none after; do
	selftest "core-off-$answer" after=rawdump --module "$BUILD/module-rawdump/panthor.ko" \
		--vmali "core-off-sample=$answer,cycles-always=on"
done
# The experiment has to read a ring of 64 entries in time, for which the emulated cache is too slow.
for answer in wait lose; do
	selftest "full-ring-$answer" after=rawdump --module "$BUILD/module-rawdump/panthor.ko" \
		--vmali "$(load_of busy.load),full-ring=$answer,ring-cache=off"
done
finish
