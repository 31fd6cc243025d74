# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# Readers that are woken up for several samples at once.
. /tests/lib.sh

wait_for 10 render_node
export PERF_STATE=/tmp/state
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}
unit=$(patient 50)

perf-wakeup errors
check_eq "perf-wakeup errors" $? 0
perf-wakeup number
check_eq "perf-wakeup number" $? 0
perf-wakeup timeout "$unit"
check_eq "perf-wakeup timeout" $? 0
mkdir -p /out/wakeup
perf-wakeup periods "$unit" /out/wakeup/periods.raw
check_eq "perf-wakeup periods" $? 0
check "suspended" wait_for 10 status_is suspended

device=$(basename "$(gpu)")
rm -f $PERF_STATE
PERF_NODE=$(render_node) perf-wakeup end "$unit" &
pid=$!
check "a session is started" wait_for 10 state_is started
echo "$device" >"$DRIVER/unbind"
check_not "unbound" bound
wait $pid
check_eq "perf-wakeup end" $? 0
echo "$device" >"$DRIVER/bind"
check "bound again" wait_for 10 bound
check "render node" wait_for 5 render_node
check "suspended in the end" wait_for 10 status_is suspended
