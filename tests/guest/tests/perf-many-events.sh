# SPDX-License-Identifier: GPL-2.0 or MIT
# Many sessions at random, while the system sleeps and the firmware does not answer, tells nonsense,
# writes more than its ring holds, hangs, in turn. The samples in /out/many-events are compared with the truth outside, which also
# says where ERROR belongs.
#
# Of the environment (run-guest --append "PERF_ROUNDS=10 PERF_SEED=7"): PERF_ROUNDS, how often each
# of these happens; PERF_SEED, the seed.
. /tests/lib.sh

wait_for 10 render_node
rounds=${PERF_ROUNDS:-1}
fresh=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
# until_next RECORD PROPERTY VALUE: set it, which brings about such a record.
until_next() {
	_count=$(host truth-count "^$1")
	host qom-set gpu0 "$2" "$3"
	wait_for 20 more "$1" "$_count"
}
# until_seen RECORD PROPERTY VALUE: likewise, and again if the next sample came before the driver has seen it.
until_seen() {
	_count=$(host truth-count "^$1")
	for _try in 1 2 3 4 5 6 7 8 9 10; do
		host qom-set gpu0 "$2" "$3"
		wait_for 1 more "$1" "$_count" && return
	done
	return 1
}

# A GPU that hangs while nobody counts is found by the driver's ping.
tolerate 'Timed out waiting for MCU to halt'
expect 2 20 'panthor.*(firmware counters failed|\[drm\] (\*ERROR\* FW ping timeout, scheduling a reset|Failed to cleanly suspend MCU))'
echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
PERF_FAULTS=1 PERF_ORDERED=50 PERF_PAUSE=15 perf-stress 4 4 50000 "${PERF_SEED:-$fresh}" /out/many-events &
pid=$!
sleep 0.5
round=1
while [ $round -le "$rounds" ]; do
	check "round $round: sleep" sh -c 'echo mem >/sys/power/state'
	sleep 0.5
	check "round $round: an answer that does not come" until_next enable x-delay-samples 1
	sleep 0.5
	check "round $round: two of them, and the GPU is suspended" until_next halt x-delay-samples 2
	sleep 0.5
	check "round $round: an impossible index" until_seen enable x-bad-insert 4000000000
	sleep 0.5
	check "round $round: a full ring" until_next overflow x-auto-burst 200
	sleep 0.5
	check "round $round: a firmware that hangs" until_next 'lost reason=hang' x-hang 1
	sleep 0.5
	round=$((round + 1))
done
kill -TERM $pid
wait $pid
check_eq "4 processes with 4 sessions" $? 0
host qom-set gpu0 x-hang 0
off() {
	[ "$(host truth-count '^disable')" = "$(host truth-count '^enable')" ]
}
check "counters are off" wait_for 5 off
check "suspended in the end" wait_for 10 status_is suspended
check "a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
