# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZPU
# The driver is unbound from the GPU and bound again, five times, with sessions of other processes,
# started and not; nothing of that is left. It cannot be unloaded while a file is open.
#
# Of the environment (run-guest --append PERF_CYCLES=20): PERF_CYCLES, how often.
. /tests/lib.sh

wait_for 10 render_node
state_is() {
	[ "$(cat "$1" 2>/dev/null)" = "$2" ]
}
usage() {
	cat "$(gpu)/power/runtime_usage"
}
clocks() {
	for _clock in /sys/kernel/debug/clk/*/clk_enable_count; do
		echo "$_clock $(cat "$_clock")"
	done
}
new_session() {
	panthor-perf stat -n 2 -I 20 --raw "/out/rebind-$1.2.0.raw" >/dev/null
}
# Of memory, what the counters and buffer objects have: panthor itself forgets its cooling device at
# each unbinding.
own_memory() {
	memory | grep '/panthor_perf\|/panthor_ioctl_perf\|/gpu_ring\|^vmalloc\|^gem'
}
memory_is_back() {
	own_memory | grep "$1" >/out/rebind-memory.txt
	memory_grew /tmp/memory.before /out/rebind-memory.txt >/tmp/memory.grew
	[ ! -s /tmp/memory.grew ]
}
device=$(basename "$(gpu)")

check "a session before" new_session before
check "suspended before" wait_for 10 status_is suspended
idle_usage=$(usage)
idle_clocks=$(clocks)
own_memory >/tmp/memory.before
check_ge "who allocated is known" "$(grep -c '/panthor_perf' /tmp/memory.before)" 3
check_ge "clocks" "$(echo "$idle_clocks" | wc -l)" 1

cycle=1
while [ $cycle -le ${PERF_CYCLES:-5} ]; do
	rm -f /tmp/ends /tmp/holds
	# One that looks at what happens to its two sessions, and one that keeps its file open meanwhile.
	node=$(render_node)
	PERF_NODE=$node PERF_STATE=/tmp/ends perf-session unplug >/tmp/ends.log &
	ends=$!
	PERF_NODE=$node PERF_STATE=/tmp/holds perf-session hold >/tmp/holds.log &
	holds=$!
	wait_for 10 state_is /tmp/ends started && wait_for 10 state_is /tmp/holds started ||
		not_ok "cycle $cycle: sessions are started" "they are not"
	echo "$device" >"$DRIVER/unbind"
	check_not "cycle $cycle: unbound" bound
	wait $ends
	check_eq "cycle $cycle: the session's process ended" $? 0
	check "cycle $cycle: it got one more count" grep -q '^ok by one count$' /tmp/ends.log
	check "cycle $cycle: then every call fails with ENODEV" \
		[ "$(grep -c '^ok .*: ENODEV$' /tmp/ends.log)" = 5 ]
	check_eq "cycle $cycle: nothing else is wrong" "$(grep -v '^ok ' /tmp/ends.log)" ""
	echo "$device" >"$DRIVER/bind"
	check "cycle $cycle: bound" wait_for 10 bound
	wait_for 5 render_node >/dev/null
	check "cycle $cycle: a new session beside the old file" new_session $cycle
	kill -USR2 $holds
	wait $holds
	check_eq "cycle $cycle: the old file is closed" $? 0
	cycle=$((cycle + 1))
done
check "suspended behind it" wait_for 10 status_is suspended
check_eq "usage count is back" "$(usage)" "$idle_usage"
check_eq "clocks are back" "$(clocks)" "$idle_clocks"
wait_for 1 memory_is_back .
check_eq "memory of the counters is back" "$(tr '\n' ';' </tmp/memory.grew)" ""

rm -f /tmp/holds
PERF_NODE=$(render_node) PERF_STATE=/tmp/holds perf-session hold >/tmp/holds.log &
holds=$!
check "a session is started" wait_for 10 state_is /tmp/holds started
check_not "the module is in use" sh -c 'rmmod panthor 2>/dev/null'
check "its GPU is bound" bound
kill -USR2 $holds
wait $holds
check "the module goes without the file" rmmod panthor
check_not "and the driver with it" [ -e "$DRIVER" ]
check "loaded again" insmod /modules/gpu/panthor.ko
check "bound" wait_for 10 bound
wait_for 5 render_node >/dev/null
check "a session" new_session reloaded
check "suspended in the end" wait_for 10 status_is suspended
check_eq "usage count" "$(usage)" "$idle_usage"
check_eq "clocks" "$(clocks)" "$idle_clocks"
# Whose addresses the module has now, nobody knows: the functions that allocated cannot be told any more.
wait_for 1 memory_is_back ^gem
check_eq "buffer objects are back" "$(tr '\n' ';' </tmp/memory.grew)" ""
