# SPDX-License-Identifier: GPL-2.0 or MIT
# The longest time with interrupts disabled, as the kernel's irqsoff tracer measures it, with one event of the
# GPU open and with 4,096. For the debug kernel. The times are printed, not judged: the machine is emulated.
. /tests/lib.sh

tracing=/sys/kernel/tracing
[ -e $tracing/trace ] || mount -t tracefs trace $tracing
check "the kernel has the tracer" grep -qw irqsoff $tracing/available_tracers
wait_for 10 render_node
echo irqsoff >$tracing/current_tracer

for events in 1 4096; do
	echo 0 >$tracing/tracing_max_latency
	perf-open $events 20 $tracing/tracing_max_latency >/out/irqsoff-$events.txt
	check_eq "perf-open $events" $? 0
	sed "s/^# /# interrupts off, $events events: /" /out/irqsoff-$events.txt
	check_eq "$events events: two times" "$(grep -c 'at most [1-9][0-9]* us' /out/irqsoff-$events.txt)" 2
done
echo nop >$tracing/current_tracer
