# SPDX-License-Identifier: GPL-2.0 or MIT
# Programs that do anything to the counter interface, and beside them one that behaves: its samples
# in /out/hostile are compared with the truth outside. Afterwards all is as before.
#
# Of the environment (run-guest --append "PERF_CALLS=50000 PERF_SEED=7"): PERF_CALLS, the number of
# hostile calls; PERF_SEED, the seed; PERF_OLDER, the calls are of the older interface.
. /tests/lib.sh

wait_for 10 render_node
fresh=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
seed=${PERF_SEED:-$fresh}
refs=$(cat /sys/module/panthor/refcnt)
PERF_KEEP=1 PERF_PAUSE=3 perf-stress 1 4 1000000000 "$seed" /out/hostile &
pid=$!
check "a program that behaves counts" wait_for 20 counting
# Hostile programs have no privileges.
echo 0 >/proc/sys/dev/panthor/perf_paranoid
perf-hostile "${PERF_CALLS:-5000}" "$seed"
check_eq "hostile programs" $? 0
echo 1 >/proc/sys/dev/panthor/perf_paranoid
kill -TERM $pid
wait $pid
check_eq "a program that behaves" $? 0
check "suspended" wait_for 10 status_is suspended
off() {
	[ "$(host truth-count '^disable')" = "$(host truth-count '^enable')" ]
}
check "counters are off" off
refs_are() {
	[ "$(cat /sys/module/panthor/refcnt)" = "$1" ]
}
check "references to the module as before" wait_for 5 refs_are "$refs"
check "PERF_INFO" sh -c 'panthor-perf info >/dev/null'
check "a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
check_eq "the kernel has said nothing" "$(messages | grep -v '\] @\|hrtimer: interrupt took' | head -n 3)" ""
