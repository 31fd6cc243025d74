#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/examples-test.sh BIN
#
# Runs the examples on the driver in their own process. What it counts is scripted: in its sample n, from
# 1, counter 4 of the front end counts 1000 + 10 n, and that of the tiler 7. START takes the samples 1
# and 2; a request with odd user data takes two samples, else one. Prints "ok NAME" or "not ok NAME - why".
set -eu
export LC_ALL=C.UTF-8

bin=${1:?"usage: ${0##*/} BIN"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/gpu.panthor"
printf 'cshw:4 1000 10\ncshw:6 1000 10\ntiler:4 7\n' >"$work/load"
export FAKE_NODES="$work/gpu.panthor" FAKE_LOAD="$work/load"
failed=0

# expect NAME LINES: what the example prints
expect() {
	out=$("$bin/example-$1" 2>&1) && status=0 || status=$?
	out=$(echo "$out" | sed "$3")
	if [ $status -eq 0 ] && [ "$out" = "$2" ]; then
		echo "ok example $1"
	else
		echo "not ok example $1 - status $status"
		echo "$out" >&2
		failed=1
	fi
}

# One sample, 3, and 1234567 ns of the fake's time. Names and units are those of the G610's table.
expect minimal "1.235 ms
MaliGPUAnyQueueActiveCy: 1030 cycles (Any queue active cycles)
MaliTilerActiveCy: 7 cycles (Tiler active cycles)" ''
# Begin and end of the workloads: samples 3, 4; 5+6, 7+8; 9, 10; 11+12, 13+14.
expect marks "workload 0: id 0x200000000, 1040 cycles
workload 1: id 0x200000001, 2150 cycles
workload 2: id 0x200000002, 1100 cycles
workload 3: id 0x200000003, 2270 cycles" ''
# The first ten, whatever their times and merged periods; and that nothing is missing.
expect periodic "sample 0: 1030 cycles
sample 1: 1040 cycles
sample 2: 1050 cycles
sample 3: 1060 cycles
sample 4: 1070 cycles
sample 5: 1080 cycles
sample 6: 1090 cycles
sample 7: 1100 cycles
sample 8: 1110 cycles
sample 9: 1120 cycles
0 not exact, 0 missing" '
	s/^\(sample [0-9]:\) [0-9.]* ms, [0-9]* merged,/\1/
	/^sample [1-9][0-9]/d
	s/^[0-9]* samples, [0-9]* merged periods, [0-9]* late, //'
# Five queries with id 0, each of which is one sample, 3 to 7, and the final sample 8: 6 * 1000 + 10 * (3 + ... + 8),
# 6 * 7; and 100 * 42 / 6330.
expect backend "cshw 0 4 6330
tiler 0 4 42
gpu_active 6330 cycles
tiler_util 0.663507109 percent" '/^[a-z]* 0 4 /b; /^gpu_active /b; /^tiler_util /b; d'
FAKE_NODES="" "$bin/example-minimal" >"$work/out" 2>&1 && status=0 || status=$?
if [ $status -eq 1 ] && grep -qx 'minimal: opening the GPU: there is no GPU of the driver panthor' "$work/out"; then
	echo "ok example minimal without a GPU"
else
	echo "not ok example minimal without a GPU - $(cat "$work/out")"
	failed=1
fi
exit $failed
