# SPDX-License-Identifier: GPL-2.0 or MIT
# Many sessions at random, while the firmware does not answer, the GPU is reset and the system
# sleeps, in turn. The samples in /out/many-events are compared with the truth outside, which also
# says where ERROR belongs.
#
# PERF_CALLS and PERF_SEED as in perf-many.
. /tests/lib.sh

wait_for 10 render_node
fresh=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
# more RECORD THAN: the truth log has more of these records by now.
more() {
	[ "$(host truth-count "^$1")" -gt "$2" ]
}
running() {
	kill -0 $pid 2>/dev/null
}
# An answer that does not come has the counters switched off and on, two in a row the GPU reset.
fault() {
	_enables=$(host truth-count '^enable')
	_resets=$(host truth-count '^reset')
	host qom-set gpu0 delay-samples "$1"
	while running && ! more enable "$_enables"; do sleep 0.3; done
	[ "$1" = 1 ] && return
	while running && ! more reset "$_resets"; do sleep 0.3; done
}

expect 'panthor.*firmware counters failed'
echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
resets=$(host truth-count '^reset')
PERF_FAULTS=1 perf-stress 4 4 "${PERF_CALLS:-3000}" "${PERF_SEED:-$fresh}" /out/many-events &
pid=$!
sleeps=0
sleep 0.5
while running; do
	fault 1
	sleep 0.5
	running && echo mem >/sys/power/state && sleeps=$((sleeps + 1))
	sleep 0.5
	fault 2
	sleep 0.5
done
wait $pid
check_eq "4 processes with 4 sessions" $? 0
check_ge "sleeps" $sleeps 1
check_ge "resets" "$(host truth-count '^reset')" $((resets + 1))
host qom-set gpu0 delay-samples 0
host qom-set gpu0 ack-now 1
off() {
	[ "$(host truth-count '^disable')" = "$(host truth-count '^enable')" ]
}
check "counters are off" wait_for 5 off
check "suspended in the end" wait_for 10 status_is suspended
check "a session" panthor-perf stat -n 2 -I 20
