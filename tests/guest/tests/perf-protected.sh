# SPDX-License-Identifier: GPL-2.0 or MIT
# The GPU enters protected mode, in which nothing counts and requests wait, or are answered without a sample
# if the virtual GPU has protected-acks=on. The samples in /out/NAME.SAMPLES.ERRORS.raw are compared with
# the truth outside.
. /tests/lib.sh

wait_for 10 render_node
counting() {
	[ "$(host truth-count '^enable')" -gt "$(host truth-count '^disable')" ]
}
if [ "$(host qom-get gpu0 protected-acks)" = on ]; then
	perf-states acked /out
	check_eq "perf-states acked" $? 0
else
	perf-states protected /out
	check_eq "perf-states protected" $? 0
	# Counters that are switched on again before the GPU slept have lost what nobody asked for.
	check "suspended between" wait_for 10 status_is suspended
	losses=$(host truth-count '^lost ')
	perf-states long /out
	check_eq "perf-states long" $? 0
	check_eq "the GPU has lost nothing" "$(host truth-count '^lost ')" "$losses"
fi

# Under periods: those that pass meanwhile are merged, or are empty.
panthor-perf stat -I "$(patient 20)" --raw /out/protected-period.raw >/out/protected-period.txt &
pid=$!
check "periods: the counters are on" wait_for 20 counting
pause=$(awk "BEGIN { print $(patient 300) / 1000 }")
for round in 1 2 3; do
	sleep "$pause"
	host qom-set gpu0 protected 1
	sleep "$pause"
	host qom-set gpu0 protected 0
done
sleep "$pause"
kill -INT $pid
wait $pid
check_eq "periods: panthor-perf stat" $? 0
count() {
	grep -c "$1" /out/protected-period.txt
}
check_eq "periods: samples with ERROR" "$(count '^sample .*ERROR')" 0
check_ge "periods: samples that tell of protected mode" "$(count '^sample .*events.*protected')" 3
if [ "$(host qom-get gpu0 protected-acks)" != on ]; then
	check_ge "periods: samples that tell of merged periods" "$(count '^sample .*protected; .*merged')" 3
fi
mv /out/protected-period.raw "/out/protected-period.$(count '^sample ').0.raw"
check "suspended in the end" wait_for 10 status_is suspended
