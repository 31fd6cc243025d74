# SPDX-License-Identifier: GPL-2.0 or MIT
# Figures of the machine for scripts/bench.py: each line of /out/bench.txt is "NAME VALUE..." of one run. The runs
# of a figure and of its control take turns, so that both see the same host.
#
# Needs the module null-loop of scripts/build/build-guest-modules.sh in /modules; /etc/bench has the settings.
. /tests/lib.sh

RUNS=5
POINTS=2000
[ ! -e /etc/bench ] || . /etc/bench
figure() {
	_name=$1
	shift
	_value=$("$@") || not_ok "$_name" "'$*' failed"
	echo "$_name $_value" >>/out/bench.txt
}
wait_for 10 render_node
check "the null loop" insmod /modules/null-loop.ko
for run in $(seq $RUNS); do
	for sessions in 1 8 64; do
		figure "run-null-$sessions" bench-loop run null $sessions 10000000 $((POINTS / 10))
		figure "run-perf-$sessions" bench-loop run perf $sessions 10000000 $((POINTS / 10))
	done
	# All counters of the GPU, each millisecond, to a file in memory.
	figure record-null bench-loop run null 1 1000000 $POINTS
	figure record bench-loop cpu panthor-perf record -I 1 -n $POINTS -o /tmp/bench.ptprf 2>/tmp/record
	figure record-merged sed -n 's/.*[^0-9]\([0-9]*\) periods merged.*/\1/p' /tmp/record
	rm -f /tmp/bench.ptprf
	# The reader of each sample, and of sixteen at once.
	for wakeup in 1 16; do
		figure "wakeup-$wakeup" bench-loop run perf 1 2000000 $((POINTS / 2)) $wakeup
	done
	figure memory bench-loop memory 64
	figure query bench-loop query $POINTS
	figure sample bench-loop sample $POINTS
	say "figures of run $run of $RUNS are there"
done
for sessions in 1 8 64; do
	for run in $(seq $RUNS); do
		figure "rate-null-$sessions" bench-loop rate null $sessions
		figure "rate-perf-$sessions" bench-loop rate perf $sessions
	done
	say "rates of $sessions sessions are there"
done
check_ge "figures" "$(wc -l </out/bench.txt)" $((RUNS * 20))
check "the null loop goes" rmmod null_loop
