# SPDX-License-Identifier: GPL-2.0 or MIT
# A driver that was built for experiments with the firmware: what they take and refuse, that they leave the
# counters to sessions, and what panthor-perf selftest finds out about the virtual GPU.
. /tests/lib.sh

wait_for 10 render_node
export PERF_STATE=/tmp/state
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}
file=$(ls /sys/kernel/debug/dri/*/panthor_perf/rawdump 2>/dev/null | head -n 1)
check "the file for experiments" test -e "$file"
experiment() {
	echo "$*" 2>/dev/null >"$file"
}
enables=$(host truth-count '^enable')
check "says who it is" grep -q . "$file"
for line in nonsense requests requests= requests=-1 requests=1x requests=4294967296 set=3 keep=2 unknown=1 \
	'requests=1 unknown=1' fill=1 overflow=1; do
	check_not "refused: $line" experiment "$line"
done
check_not "refused: a long line" experiment "$(head -c 5000 /dev/zero | tr '\0' ' ')"
check_eq "nothing was enabled for these" "$(host truth-count '^enable')" "$enables"
samples=$(host truth-count '^sample .*reason=manual')
check "two requests" experiment requests=2 entries=2
check_eq "were two samples" "$(host truth-count '^sample .*reason=manual')" $((samples + 2))
check_eq "in one go" "$(host truth-count '^enable')" $((enables + 1))

perf-session hold &
pid=$!
check "a session is started" wait_for 10 state_is started
check_not "refused while it is" experiment requests=1
kill -USR2 $pid
wait $pid
check "suspended behind it" wait_for 10 status_is suspended
check "no more refused" experiment requests=1

# What tests/vmali/README.md says of the GPU: cores 0, 2, 16 and 18, 4 counters in each bit of an enable
# mask, THRESHOLD when half of the ring's 64 entries are there. An automatic sample may add one at the same time.
panthor-perf selftest --overflow -o /out/selftest.txt >/out/selftest.log 2>&1
check_eq "panthor-perf selftest" $? 0
for fact in 'sparse-slots: confirmed - 19 slots for 4 cores, the highest of number 18' \
	'enable-granularity: confirmed - 4 counters a bit' \
	'threshold-half: confirmed - with 3[23] entries of 64, not with 3[01]' \
	'overflow-unanswered: confirmed' 'overflow-recovers: confirmed' 'off-block-untouched: confirmed'; do
	check "fact $fact" grep -q "^fact $fact" /out/selftest.log
done
check "a session behind it" panthor-perf stat -n 2 -I 20
check "suspended in the end" wait_for 10 status_is suspended
