# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: metadata=on
# The GPU is reset under a started session: the sample across the reset says so, those before and
# behind it are exact.
. /tests/lib.sh

wait_for 10 render_node
# Samples until the reset is over, however long the machine takes for it.
panthor-perf stat -I 500 --raw /out/reset.raw >/out/reset.txt &
pid=$!
check "the counters are on" wait_for 20 counting
resets=$(host truth-count '^reset')
enables=$(host truth-count '^enable')
expect 1 1 'panthor .*\[drm\] \*ERROR\* FW ping timeout, scheduling a reset'
host qom-set gpu0 x-drop-pings 1
reset_done() {
	more reset "$resets" && more enable "$enables"
}
check "reset after a ping without an answer" wait_for 30 reset_done
# Behind the sample that has the reset, another one.
more_samples() {
	sed '1,/^sample .*events.*reset/d' /out/reset.txt | grep -q '^sample '
}
check "a sample behind the reset" wait_for 20 more_samples
kill -INT $pid
wait $pid
check_eq "panthor-perf stat" $? 0
check_ge "reset once" "$(host truth-count '^reset')" $((resets + 1))
check_ge "enabled again behind the reset" "$(host truth-count '^enable')" $((enables + 1))
check_eq "one sample tells of the reset" "$(grep -c '^sample .*events.*reset' /out/reset.txt)" 1
check_eq "one sample has ERROR" "$(grep -c '^sample .*ERROR' /out/reset.txt)" 1
mv /out/reset.raw "/out/reset.$(grep -c '^sample ' /out/reset.txt).1.raw"
check "suspended in the end" wait_for 10 status_is suspended
