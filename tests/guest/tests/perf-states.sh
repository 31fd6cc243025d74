# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: core-off=off,auto-samples=0
# Cores lose power and get it back, or go without a sample, the firmware sleeps, and acknowledges requests
# without a sample: the states, flags and events of samples. The samples in /out/NAME.SAMPLES.ERRORS.raw are compared with
# the truth outside.
#
# Needs the virtual GPU's core-off=off,auto-samples=0.
. /tests/lib.sh

wait_for 10 render_node
expect 1 4 'panthor.*firmware counters failed'
perf-states /out
check_eq "perf-states" $? 0
check_eq "the GPU has lost counts" "$(host truth-count '^lost reason=core-off')" 2
check_eq "no request is left to be skipped" "$(host qom-get gpu0 x-skip-samples)" 0
check_eq "the firmware has slept" "$(host truth-count '^sleep ')" 2
check_eq "and was woken" "$(host truth-count '^wake ')" 2

# The same under periods, where nobody waits for a sample: what happens must be told all the same.
# Of what is shown of a sample, only the lines that are counted: many samples may come until a request is made.
mkfifo /tmp/period
awk '/^sample |^  states: / { print; fflush() }' /tmp/period >/out/period.txt &
filter=$!
panthor-perf stat -I "$(patient 20)" --states --raw /out/period.raw >/tmp/period &
pid=$!
check "periods: the counters are on" wait_for 20 counting
count() {
	grep -c "$1" /out/period.txt
}
grown() {
	[ "$(count '^sample ')" -ge $((seen + 3)) ]
}
for round in 1 2 3; do
	for request in "x-core-power 0x10005" "x-sleep 1" "x-core-power 0x50005" "x-skip-samples 1" "x-lose-cores 1"; do
		host qom-set gpu0 $request
		seen=$(count '^sample ')
		wait_for 20 grown || not_ok "periods: samples behind '$request'" "none came"
	done
done
kill -INT $pid
wait $pid
check_eq "periods: panthor-perf stat" $? 0
wait $filter
check_eq "periods: samples that tell of a failure" "$(count '^sample .*ERROR.*fw-error')" 3
check_eq "periods: samples that tell of lost counts" "$(count '^sample .*core-off-lost')" 3
check_eq "periods: samples with ERROR" "$(count '^sample .*ERROR')" 3
# The sample before a core goes off may be in the period of its power, or in the one before that.
went_off() {
	awk '/^sample / { lost = /core-off-lost/ }
		/^  states: / {
			off = match($0, /shader\[(0-)?3\] [a-z+]+/) && substr($0, RSTART, RLENGTH) ~ /off/
			count += off && !was && !lost
			was = off
		}
		END { print count + 0 }' /out/period.txt
}
check_eq "periods: the core went off in order" "$(went_off)" 3
check_ge "periods: and was off" "$(count 'shader\[3\] off+normal')" 3
mv /out/period.raw "/out/period.$(count '^sample ').3.raw"
check "suspended in the end" wait_for 10 status_is suspended
