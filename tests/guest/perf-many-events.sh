# SPDX-License-Identifier: GPL-2.0 or MIT
# Many sessions at random, while the system sleeps, the firmware does not answer and the GPU is
# reset, in turn. The samples in /out/many-events are compared with the truth outside, which also
# says where ERROR belongs.
#
# Of the environment (run-guest --append "PERF_ROUNDS=10 PERF_SEED=7"): PERF_ROUNDS, how often each
# of these happens; PERF_SEED, the seed.
. /tests/lib.sh

wait_for 10 render_node
rounds=${PERF_ROUNDS:-1}
fresh=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
# more RECORD THAN: the truth log has more of these records by now.
more() {
	[ "$(host truth-count "^$1")" -gt "$2" ]
}
# An answer that does not come has the counters switched off and on, two in a row the GPU reset.
fault() {
	_enables=$(host truth-count '^enable')
	_resets=$(host truth-count '^reset')
	host qom-set gpu0 delay-samples "$1"
	wait_for 20 more enable "$_enables" || return
	[ "$1" = 1 ] || wait_for 20 more reset "$_resets"
}

expect 'panthor.*firmware counters failed'
echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
PERF_FAULTS=1 PERF_PAUSE=15 perf-stress 4 4 50000 "${PERF_SEED:-$fresh}" /out/many-events &
pid=$!
sleep 0.5
round=1
while [ $round -le "$rounds" ]; do
	check "round $round: sleep" sh -c 'echo mem >/sys/power/state'
	sleep 0.5
	check "round $round: an answer that does not come" fault 1
	sleep 0.5
	check "round $round: reset" fault 2
	sleep 0.5
	round=$((round + 1))
done
kill -TERM $pid
wait $pid
check_eq "4 processes with 4 sessions" $? 0
off() {
	[ "$(host truth-count '^disable')" = "$(host truth-count '^enable')" ]
}
check "counters are off" wait_for 5 off
check "suspended in the end" wait_for 10 status_is suspended
check "a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
