# SPDX-License-Identifier: GPL-2.0 or MIT
# A started session keeps the GPU active, one that is only set up does not. The driver samples at
# least once a second meanwhile.
. /tests/lib.sh

wait_for 10 render_node
export PERF_STATE=/tmp/state
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}

check "suspended before" wait_for 10 status_is suspended
suspends=$(host truth-count '^halt')
perf-session hold &
pid=$!
check "a session is started" wait_for 10 state_is started
suspends=$(host truth-count '^halt')
manual=$(host truth-count '^sample .*reason=manual')
sleep 4
check_eq "active for 4 s" "$(runtime_status)" active
check_eq "never halted" "$(host truth-count '^halt')" "$suspends"
check_ge "sampled at least once a second" "$(host truth-count '^sample .*reason=manual')" \
	$((manual + 3))
kill -USR1 $pid
check "stopped" wait_for 10 state_is stopped
check "suspended after STOP, with the session there" wait_for 10 status_is suspended
kill -USR2 $pid
wait $pid
check_eq "the session's process ended well" $? 0
