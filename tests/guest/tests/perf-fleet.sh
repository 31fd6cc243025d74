# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: counters=work,auto-samples=0,mcu-cost=off
# panthor-perf prometheus writes a file while the GPU works, is suspended and sleeps, and is started again once. The
# runner gets the file twice a second. There, Debian's node exporter and Prometheus read it: see tests/fleet/fleet.py.
# Nothing but the program counts, and the GPU works only while it does.
. /tests/lib.sh

wait_for 10 render_node
file=/tmp/panthor.prom
while sleep 0.5; do
	[ ! -e /tmp/pause ] || continue
	if cp $file /tmp/copy 2>/dev/null; then
		ask put panthor.prom "$(base64 -w 0 /tmp/copy)"
	else
		ask put panthor.prom
	fi
done &
courier=$!

begin() {
	panthor-perf prometheus -I 1 -o $file 2>>/out/prometheus.txt &
	pid=$!
	check "run $1: the file comes" wait_for 20 [ -e $file ]
	# A scrape of totals that are 0, before the first work: increase() sees all of it.
	sleep 3
}
# Of a suspended GPU there is no sample: with power, one comes that has all counts, and a scrape reads it.
end() {
	echo on >"$(gpu)/power/control"
	sleep 6
	kill -TERM $pid
	echo auto >"$(gpu)/power/control"
	wait $pid
	check_eq "run $1: exit status" $? 0
	check_not "run $1: the file is removed" [ -e $file ]
}
work() {
	check "jobs" sh -c 'cs-submit jobs >/dev/null'
	sleep 2
}

begin 1
for _ in 1 2 3; do
	work
done
check "suspended" wait_for 20 status_is suspended
work
end 1
# Prometheus notices that the series have ended.
sleep 3
begin 2
work
[ ! -e /sys/module/suspend/parameters/pm_test_delay ] || echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
# A port loses the reply for which the loop waits.
touch /tmp/pause
sleep 2
check "the system sleeps" sh -c 'echo mem >/sys/power/state'
rm /tmp/pause
echo none >/sys/power/pm_test
for _ in 1 2 3; do
	work
done
end 2
sleep 2
kill $courier
wait $courier
check_eq "what the program said" "$(cat /out/prometheus.txt)" ""
