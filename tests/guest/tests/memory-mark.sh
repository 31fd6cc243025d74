# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=U
# Takes down how much memory the kernel has in use, for the test "memory-back" behind others. That
# a single session that is left would be found is seen here.
. /tests/lib.sh

state_is() {
	[ "$(cat /tmp/holds 2>/dev/null)" = "$1" ]
}
hold() {
	rm -f /tmp/holds
	PERF_NODE=$(render_node) PERF_STATE=/tmp/holds perf-session hold >/tmp/holds.log &
	pid=$!
	check "a session is started" wait_for 10 state_is started
}
let_go() {
	kill -USR2 $pid
	wait $pid
	check "suspended behind it" wait_for 10 status_is suspended
}

wait_for 10 render_node
# Some things are allocated once, by the first who comes.
hold
let_go
memory >/tmp/memory.last
settled() {
	memory >/out/memory-mark.txt
	_more=$(memory_grew /out/memory-mark.txt /tmp/memory.last)
	cp /out/memory-mark.txt /tmp/memory.last
	[ -z "$_more" ]
}
check "memory is as it will be" wait_for 1 settled

hold
memory >/out/memory-held.txt
let_go
memory_grew /out/memory-mark.txt /out/memory-held.txt >/out/memory-held-grew.txt
sed 's/^/  /' /out/memory-held-grew.txt
for kind in calls vmalloc gem; do
	check "of a session there is more: $kind" grep -q "^$kind " /out/memory-held-grew.txt
done
