# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP page_poison=1
# The GPU goes away under a started session while its firmware does not answer that counters are off. The
# driver stops the firmware, which must not write into memory that is freed next.
. /tests/lib.sh

wait_for 10 render_node
export PERF_STATE=/tmp/state
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}
device=$(basename "$(gpu)")

PERF_NODE=$(render_node) perf-session unplug &
pid=$!
check "a session is started" wait_for 10 state_is started
boots=$(host truth-count '^boot')
host qom-set gpu0 x-delay-enables 1
echo "$device" >"$DRIVER/unbind"
check_not "unbound" bound
check_eq "the firmware did not answer" "$(host qom-get gpu0 x-delay-enables)" 0
wait $pid
check_eq "the session's process ended" $? 0
echo "$device" >"$DRIVER/bind"
check "bound" wait_for 10 bound
check_ge "the firmware was started again" "$(host truth-count '^boot')" $((boots + 1))
check "render node" wait_for 5 render_node
check "a new session" panthor-perf stat -n 2 -I 20
check "suspended in the end" wait_for 10 status_is suspended
