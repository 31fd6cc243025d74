# SPDX-License-Identifier: GPL-2.0 or MIT
# The firmware writes samples of its own at once: below its threshold, beyond it, until its ring is
# full, and more. Then it keeps the counts for a later sample, which the driver cannot know.
. /tests/lib.sh

wait_for 10 render_node
burst() {
	_before=$(host truth-count '^sample ')
	_skipped=$(host truth-count '^overflow ')
	host qom-set gpu0 x-auto-burst "$1"
	_written=$(($(host truth-count '^sample ') - _before))
	_skipped=$(($(host truth-count '^overflow ') - _skipped))
}

check "suspended before" wait_for 10 status_is suspended
# Samples until all the bursts are over, however long the machine takes for them.
start() {
	panthor-perf stat -I "$(patient 500)" --raw /out/burst.raw >/out/burst.txt &
	pid=$!
	check "the counters are on" wait_for 20 counting
	check "a first sample" wait_for 20 more_samples 0
}
samples() {
	grep -c '^sample ' /out/burst.txt
}
more_samples() {
	[ "$(samples)" -gt "$1" ]
}
start
entries=$(host truth-last '^enable ' | sed -n 's/.* entries=\([0-9]*\) .*/\1/p')
check_ge "entries of the firmware's ring" "$entries" 8
# Right behind a sample that the driver has read, so that the ring is empty until the next one.
for count in 3 $((entries / 2 - 1)) $((entries / 2)) $((entries / 2 + 1)) $((entries - 4)); do
	check "$count samples at once: behind a sample" wait_for 10 more_samples "$(samples)"
	burst $count
	check_eq "$count samples at once: none skipped" "$_skipped" 0
	check_ge "$count samples at once: written" "$_written" "$count"
done
burst $((entries * 3))
check_ge "$((entries * 3)) samples at once fill the ring" "$_skipped" $((entries * 2))
kill -INT $pid
wait $pid
check_eq "panthor-perf stat" $? 0
check "the samples tell of the full ring" grep -q 'events.*fw-overflow' /out/burst.txt
errors=$(grep -c '^sample .*flags.*ERROR' /out/burst.txt)
check_eq "no other sample has ERROR" "$(grep -c "^sample .*ERROR.*fw-overflow" /out/burst.txt)" "$errors"
check_ge "samples with ERROR" 2 "$errors"
mv /out/burst.raw "/out/burst.$(grep -c '^sample ' /out/burst.txt).$errors.raw"
