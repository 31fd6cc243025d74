# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# Sessions that let the GPU be suspended.
. /tests/lib.sh

wait_for 10 render_node
export PERF_STATE=/tmp/state PERF_STATUS="$(gpu)/power/runtime_status"
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}

# Firmware that leaves blocks out of the sample before a core goes off may make the driver report CORE_OFF_LOST.
case $(host qom-get gpu0 core-off-sample) in
all) export PERF_CORE_OFF= ;;
*) export PERF_CORE_OFF=1 ;;
esac
mkdir -p /out/sleep
perf-sleep manual /out/sleep/manual.raw
check_eq "perf-sleep manual" $? 0
perf-sleep periods "$(patient 20)" /out/sleep/periods.raw
check_eq "perf-sleep periods" $? 0
check "suspended" wait_for 10 status_is suspended

device=$(basename "$(gpu)")
rm -f $PERF_STATE
PERF_NODE=$(render_node) perf-sleep end &
pid=$!
check "a session sleeps" wait_for 20 state_is asleep
echo "$device" >"$DRIVER/unbind"
check_not "unbound" bound
wait $pid
check_eq "perf-sleep end" $? 0
echo "$device" >"$DRIVER/bind"
check "bound again" wait_for 10 bound
check "render node" wait_for 5 render_node
check "suspended in the end" wait_for 10 status_is suspended
