# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: clocks=3,clock-provider=on
# Refused calls do not disturb root's sessions of another set, however often they are made. Behind perf-access.
. /tests/lib.sh

event_paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
check "suspended" wait_for 10 status_is suspended
perf-refused unchanged
check_eq "perf-refused unchanged" $? 0
perf-refused late
check_eq "perf-refused late" $? 0
perf-refused loops 12
check_eq "perf-refused loops" $? 0

# Programs of a user against one of root.
for value in 2 1; do
	echo $value >/proc/sys/kernel/perf_event_paranoid
	perf-refused endless &
	pid=$!
	failures=0
	for _ in 1 2 3 4 5 6 7 8; do
		panthor-perf stat --set secondary -n 1 -I 20 >/dev/null 2>/tmp/stat.txt || failures=$((failures + 1))
	done
	kill $pid
	wait $pid
	check_eq "perf_event_paranoid $value: failures of 8 times panthor-perf stat" $failures 0
done
echo "$event_paranoid" >/proc/sys/kernel/perf_event_paranoid

paranoid=/proc/sys/dev/panthor/perf_paranoid
refresh=$(echo /sys/bus/event_source/devices/panthor_*/refresh_us)
perf-refused files
check_eq "perf-refused files" $? 0
check_eq "perf_paranoid" "$(cat $paranoid)" 1
check_eq "refresh_us" "$(cat "$refresh")" 1000
check_eq "the mode of perf_paranoid" "$(stat -c %a $paranoid)" 644
check_not "perf_paranoid is no module parameter" [ -e /sys/module/panthor/parameters/perf_paranoid ]

perf-refused limit
check_eq "perf-refused limit" $? 0
check_eq "counters are disabled as often as enabled" "$(host truth-count '^disable')" "$(host truth-count '^enable')"
check "suspended in the end" wait_for 10 status_is suspended
