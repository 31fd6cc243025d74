# SPDX-License-Identifier: GPL-2.0 or MIT
# Sessions with periods from the shortest to a second, and manual ones between, in many processes at random,
# until a number of samples was read. Meanwhile the system sleeps, the firmware hangs, and, behind the test
# clock-provider, its clocks change. The samples in /out/many-periods are compared with the truth outside.
#
# Of the environment (run-guest --append "PERF_SAMPLES=50000 PERF_SEED=7"): PERF_SAMPLES, the number of
# samples; PERF_SEED, the seed.
. /tests/lib.sh

wait_for 10 render_node
fresh=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
# Without a session, the GPU is suspended before its firmware is found to hang.
stopped_or_end() {
	more 'lost reason=hang' "$losses" || ! running
}
running() {
	kill -0 $pid 2>/dev/null
}
devfreq=$(echo "$(gpu)"/devfreq/*)
fast=$(tr ' ' '\n' <"$devfreq/available_frequencies" | sort -n | tail -n 1)
provider=$(echo /sys/bus/platform/drivers/vmali-clk/*clock-controller*)
changes() {
	host truth-count "^clock name=$1 hz="
}
# rates HZ: the first clock by its limits, which an idle GPU follows, the others by the provider.
rates() {
	echo $((fast / 2)) >"$devfreq/min_freq"
	echo "$1" >"$devfreq/max_freq"
	echo "$1" >"$devfreq/min_freq"
	for _name in coregroup stacks; do
		[ ! -e "$provider/$_name" ] || echo "$1" >"$provider/$_name"
	done
}

# A GPU that hangs while nobody counts is found by the driver's ping.
tolerate 'Timed out waiting for MCU to halt'
# Panthor's scheduler warns, with a call trace, if a tick comes when the system's sleep no longer lets it resume the
# GPU. Seen on 7.3: events of the firmware queue ticks, and a suspend takes a second if the firmware hangs.
tolerate 'WARNING: .* tick_work|drm_WARN_ON\(ret\)|Workqueue: .* tick_work|(pc|lr) : tick_work|Modules linked in: '
tolerate 'Call trace:$|^tick_work\+'
messages='panthor.*(firmware counters failed|\[drm\] (\*ERROR\* FW ping timeout, scheduling a reset|Failed to cleanly suspend MCU))'
expect 1 1000 "$messages"
heard() {
	dmesg | grep -cE "$messages" || :
}
heard=$(heard)
[ ! -e /sys/module/suspend/parameters/pm_test_delay ] ||
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
samples=$(host truth-count '^sample ')
PERF_FAULTS=1 PERF_PERIODS=75 PERF_PAUSE=3 PERF_SAMPLES=${PERF_SAMPLES:-2000} \
	perf-stress 8 8 1000000000 "${PERF_SEED:-$fresh}" /out/many-periods &
pid=$!
# The hang comes first, when sessions count: on a fast machine they end after a few seconds.
wait_for 20 more 'sample ' "$samples"
round=1
while [ $round -eq 1 ] || running; do
	losses=$(host truth-count '^lost reason=hang')
	host qom-set gpu0 x-hang 1
	check "round $round: a firmware that hangs is stopped" wait_for 60 stopped_or_end
	check "round $round: sleep" sh -c 'echo mem >/sys/power/state'
	running || break
	if [ -e "$provider/core" ]; then
		before=$(changes core)
		rates $((fast / 2))
		sleep 0.5
		rates "$fast"
		sleep 0.5
		# It may have had the lower rate, as it has while nobody wants more.
		check_ge "round $round: changes of the core clock" $(($(changes core) - before)) 1
	fi
	sleep "$round"
	round=$((round + 1))
done
wait $pid
check_eq "8 processes with 8 sessions" $? 0
# If the sessions had ended before it took effect, it would be the next test's.
host qom-set gpu0 x-hang 0
# Of each hang: the counters fail twice, and the GPU's suspend and a ping may.
check_ge "at most four messages for each hang" $((4 * round)) $(($(heard) - heard))
off() {
	[ "$(host truth-count '^disable')" = "$(host truth-count '^enable')" ]
}
# Counters of firmware that hung in the end are off when it boots again.
echo on >"$(gpu)/power/control"
check "counters are off" wait_for 5 off
echo auto >"$(gpu)/power/control"
check "suspended in the end" wait_for 10 status_is suspended
