# SPDX-License-Identifier: GPL-2.0 or MIT
# A file is closed, or its process killed, while a session is started: the counters are switched off,
# the GPU goes to sleep, and the next session works.
. /tests/lib.sh

wait_for 10 render_node
export PERF_STATE=/tmp/state
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}
all_off() {
	[ "$(host truth-count '^disable')" = "$(host truth-count '^enable')" ]
}

perf-session close || exit
check "counters off" wait_for 5 all_off
check "suspended" wait_for 10 status_is suspended

for signal in KILL TERM; do
	rm -f $PERF_STATE
	perf-session hold &
	pid=$!
	check "SIG$signal: a session is started" wait_for 10 state_is started
	check_not "SIG$signal: counters on" all_off
	kill -$signal $pid
	wait $pid
	check "SIG$signal: counters off" wait_for 5 all_off
	check "SIG$signal: suspended" wait_for 10 status_is suspended
done
check "the next session" panthor-perf stat -n 2 -I 20
