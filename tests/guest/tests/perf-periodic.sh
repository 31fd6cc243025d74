# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# Sessions with a period: limits, a full ring, firmware samples that sessions share, and sleep, a reset and
# the end of the GPU in between. The samples in /out/FOLDER are compared with the truth outside.
. /tests/lib.sh

wait_for 10 render_node
export PERF_STATE=/tmp/state
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}
requested() {
	host truth-count '^sample .*reason=manual'
}
# shared NAME SAMPLES PERIOD_MS...: sessions of these periods. The GPU takes one sample for each START and
# STOP, and at each point, whatever the number of sessions that the point belongs to; and no more than sessions of
# different periods have got. The first one reads so many samples. The comparer gets both limits, too.
shared() {
	_name=$1
	_samples=$2
	shift 2
	mkdir -p "/out/$_name"
	_periods=
	for _ms; do _periods="$_periods ${_ms}000000"; done
	_before=$(requested)
	perf-periodic group "$_samples" "/out/$_name" $_periods
	check_eq "$_name: perf-periodic" $? 0
	read -r _points _published _sessions <$PERF_STATE
	_taken=$(($(requested) - _before))
	_most=$_points
	[ "$_published" -eq 0 ] || [ "$_published" -ge "$_most" ] || _most=$_published
	_most=$((_most + 2 * _sessions))
	echo "$_samples..$_most" >"/out/$_name/firmware-samples"
	if [ $_taken -le $_most ]; then
		ok "$_name: $_taken samples of the GPU for $_points points and $_published samples of $_sessions sessions"
	else
		not_ok "$_name: a sample of the GPU for each point" \
			"$_taken for $_points points and $_published samples of $_sessions sessions"
	fi
}
# begin FOLDER ... end FOLDER: a session of 10 ms in between.
begin() {
	rm -f $PERF_STATE
	PERF_NODE=$(render_node) perf-periodic run 10000000 "/out/$1/run.raw" &
	pid=$!
	check "$1: a session is started" wait_for 10 state_is started
	sleep 0.5
}
end() {
	sleep 0.5
	kill -TERM $pid
	wait $pid
	check_eq "$1: perf-periodic" $? 0
}

perf-periodic ledger
check_eq "perf-periodic ledger" $? 0
perf-periodic limits
check_eq "perf-periodic limits" $? 0
perf-periodic full
check_eq "perf-periodic full" $? 0
check "suspended" wait_for 10 status_is suspended

period=$(patient 20)
shared equal 60 "$period" "$period" "$period" "$period"
# A second is no multiple of this period.
period=$(patient 13)
shared beside 300 "$period" 1000
shared fast 2000 "$(patient 1)" 1000
shared mixed 60 $((2 * period)) $((3 * period)) "$period" 500 500

mkdir -p /out/suspend /out/reset /out/unplug
[ ! -e /sys/module/suspend/parameters/pm_test_delay ] ||
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
begin suspend
halts=$(host truth-count '^halt')
check "suspend: sleep" sh -c 'echo mem >/sys/power/state'
check "suspend: the GPU was halted" more halt "$halts"
end suspend
echo none >/sys/power/pm_test

begin reset
resets=$(host truth-count '^reset')
enables=$(host truth-count '^enable')
expect 1 1 'panthor .*\[drm\] \*ERROR\* FW ping timeout, scheduling a reset'
host qom-set gpu0 x-drop-pings 1
check "reset: the GPU was reset" wait_for 60 more reset "$resets"
check "reset: counters are on again" wait_for 30 more enable "$enables"
end reset

begin unplug
device=$(basename "$(gpu)")
echo "$device" >"$DRIVER/unbind"
check_not "unplug: unbound" bound
wait $pid
check_eq "unplug: perf-periodic" $? 0
echo "$device" >"$DRIVER/bind"
check "unplug: bound again" wait_for 10 bound
check "unplug: render node" wait_for 5 render_node
check "suspended in the end" wait_for 10 status_is suspended
