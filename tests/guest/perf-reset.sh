# SPDX-License-Identifier: GPL-2.0 or MIT
# The GPU is reset under a started session: the sample across the reset says so, those before and
# behind it are exact.
. /tests/lib.sh

wait_for 10 render_node
panthor-perf stat -n 20 -I 1000 --raw /out/reset.20.1.raw >/out/reset.txt &
pid=$!
counting() {
	[ "$(host truth-count '^enable')" -gt "$(host truth-count '^disable')" ]
}
check "the counters are on" wait_for 5 counting
resets=$(host truth-count '^reset')
enables=$(host truth-count '^enable')
expect 'panthor .*\[drm\] \*ERROR\* FW ping timeout, scheduling a reset'
host qom-set gpu0 drop-pings 1
wait $pid
check_eq "panthor-perf stat" $? 0
check_ge "reset once" "$(host truth-count '^reset')" $((resets + 1))
check_ge "enabled again behind the reset" "$(host truth-count '^enable')" $((enables + 1))
check_eq "one sample tells of the reset" "$(grep -c '^sample .*events.*reset' /out/reset.txt)" 1
check_eq "one sample has ERROR" "$(grep -c '^sample .*ERROR' /out/reset.txt)" 1
check "suspended in the end" wait_for 10 status_is suspended
