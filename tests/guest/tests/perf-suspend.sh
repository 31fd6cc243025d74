# SPDX-License-Identifier: GPL-2.0 or MIT
# The system sleeps with a started session, which goes on: no count is lost, and one sample tells.
. /tests/lib.sh

wait_for 10 render_node
samples() {
	grep -c '^sample ' "/out/$1.txt"
}
more_samples() {
	[ "$(samples "$1")" -gt "$2" ]
}
told() {
	grep -q '^sample .*events.*suspend' "/out/$1.txt"
}
# during NAME ERRORS COMMAND...: a session in which COMMAND is run.
during() {
	_name=$1
	_errors=$2
	shift 2
	panthor-perf stat --manual -I "$(patient 300)" --raw "/out/$_name.raw" >"/out/$_name.txt" &
	_pid=$!
	check "$_name: the counters are on" wait_for 20 counting
	check "$_name: a sample before" wait_for 20 more_samples "$_name" 0
	_halts=$(host truth-count '^halt')
	check "$_name" "$@"
	check "$_name: the GPU was halted" more halt "$_halts"
	check "$_name: a sample tells" wait_for 20 told "$_name"
	check "$_name: a sample behind" wait_for 20 more_samples "$_name" "$(samples "$_name")"
	kill -INT $_pid
	wait $_pid
	check_eq "$_name: panthor-perf stat" $? 0
	check_eq "$_name: samples with SUSPEND" "$(grep -c '^sample .*events.*suspend' "/out/$_name.txt")" 1
	check_eq "$_name: samples with ERROR" "$(grep -c '^sample .*ERROR' "/out/$_name.txt")" "$_errors"
	mv "/out/$_name.raw" "/out/$_name.$(samples "$_name").$_errors.raw"
}

# All devices, without the sleep itself.
[ ! -e /sys/module/suspend/parameters/pm_test_delay ] ||
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
devices() {
	echo mem >/sys/power/state
}
during devices 0 devices

# The last sample before it is not answered, and on a slow host not the first one behind it either.
expect 2 3 'panthor.*firmware counters failed'
late() {
	host qom-set gpu0 x-delay-samples 2
	echo mem >/sys/power/state
	host qom-set gpu0 x-delay-samples 0
}
during late 1 late

# Firmware ignores the disable, and its counters survive the boot.
ignored() {
	_disables=$(host truth-count '^disable')
	host qom-set gpu0 x-ignore-disables 1
	echo mem >/sys/power/state
	check_eq "ignored: disables left to ignore" "$(host qom-get gpu0 x-ignore-disables)" 0
	check "ignored: the counters were disabled behind the boot" more disable "$_disables"
	check "ignored: the counters survived the boot" [ "$(host truth-count 'reason=boot ')" -eq 1 ]
}
during ignored 1 ignored
echo none >/sys/power/pm_test

# Asleep until the clock rings.
sleep_until_alarm() {
	echo +$(($(patient 5000) / 1000)) >/sys/class/rtc/rtc0/wakealarm && echo freeze >/sys/power/state
}
during freeze 0 sleep_until_alarm

check "a session behind it" sh -c 'panthor-perf stat -n 2 -I 20 --raw /out/behind.2.0.raw >/dev/null'
check "suspended in the end" wait_for 10 status_is suspended
