# SPDX-License-Identifier: GPL-2.0 or MIT
# The longest time with interrupts disabled, as the kernel's irqsoff tracer measures it, with one event of the
# GPU open and with 4,096. For the debug kernel. The times are printed, not judged: the machine is emulated.
. /tests/lib.sh

tracing=/sys/kernel/tracing
[ -e $tracing/trace ] || mount -t tracefs trace $tracing
check "the kernel has the tracer" grep -qw irqsoff $tracing/available_tracers
wait_for 10 render_node
echo irqsoff >$tracing/current_tracer

# longest EVENTS
longest() {
	echo 0 >$tracing/tracing_max_latency
	perf-open "$1" 20
	check_eq "perf-open $1" $? 0
	_us=$(cat $tracing/tracing_max_latency)
	cp $tracing/trace "/out/irqsoff-$1.txt"
	check_ge "$1 events: the tracer measures" "$_us" 1
	_between=$(sed -n 's/^# *=> \(started\|ended\) at: */\1 at /p' "/out/irqsoff-$1.txt" | paste -s -d , | sed 's/,/, /')
	echo "# interrupts off: at most $_us us with $1 events, $_between"
}
for _ in 1 2 3; do
	longest 1
	longest 4096
done
echo nop >$tracing/current_tracer
