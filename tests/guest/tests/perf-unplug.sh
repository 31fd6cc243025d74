# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# The GPU goes away under a started session, which learns of it, and comes back for others.
. /tests/lib.sh

wait_for 10 render_node
export PERF_STATE=/tmp/state
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}
device=$(basename "$(gpu)")

for cycle in 1 2; do
	rm -f $PERF_STATE
	PERF_NODE=$(render_node) perf-session unplug &
	pid=$!
	check "cycle $cycle: a session is started" wait_for 10 state_is started
	echo "$device" >"$DRIVER/unbind"
	check_not "cycle $cycle: unbound" bound
	wait $pid
	check_eq "cycle $cycle: the session's process ended" $? 0
	echo "$device" >"$DRIVER/bind"
	check "cycle $cycle: bound" wait_for 10 bound
	check "cycle $cycle: render node" wait_for 5 render_node
	check "cycle $cycle: a new session" panthor-perf stat -n 2 -I 20
done
check "suspended in the end" wait_for 10 status_is suspended
