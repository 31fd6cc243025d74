# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: counters=work,auto-samples=0,mcu-cost=off,l2-slices=2
# kernel: slab_debug=FZP
# Debian's own perf, in /perf, with the PMU of the GPU. Files out/NAME.totals have what it counted. Needs a GPU that
# counts work: counters=work,auto-samples=0,mcu-cost=off.
. /tests/lib.sh

wait_for 10 render_node
LIBRARIES=/perf/usr/lib/aarch64-linux-gnu
perf() {
	"$LIBRARIES/ld-linux-aarch64.so.1" --library-path "$LIBRARIES" /perf/usr/bin/perf "$@"
}
device=$(basename "$(gpu)")
pmu=panthor_${device%%.*}
folder=/sys/bus/event_source/devices/$pmu
check "the PMU" [ -d "$folder" ]
# Jobs, and then two refresh intervals or more without any.
cat >/tmp/load <<'END'
cs-submit jobs >/dev/null
usleep 50000
END
# await FILE: until it is there
cat >/tmp/await <<'END'
while [ ! -e "$1" ]; do usleep 20000; done
END
# events COUNTERS: counters of all types of blocks that the GPU has
events() {
	for _block in 1 2 3 4 5; do
		for _counter in $1; do
			echo "$pmu/block=$_block,counter=$_counter/"
		done
	done
}
# totals NAME [interval|sum]: what perf wrote with -x';', as lines for tests/compare/check-totals.py. Intervals begin
# with their time. Those without any count are left out: they fit everywhere.
totals() {
	awk -F ';' '
	function write_group() {
		if (text != "" && counted)
			print text
		text = ""
		counted = 0
	}
	BEGIN { split("fw cshw tiler memsys shader", types, " ") }
	match($0, /block=[0-9]+,counter=[0-9]+/) {
		split(substr($0, RSTART, RLENGTH), of, /[=,]/)
		value = how == "" ? $1 : $2
		if (how == "interval" && $1 != time)
			write_group()
		time = $1
		name = types[of[2]] " * " of[4]
		if (how == "sum")
			sums[name] += value
		else
			text = text name " " value "\n"
		counted = counted || value > 0 || how == ""
	}
	END {
		write_group()
		for (name in sums)
			print name, sums[name]
	}
	' how="${2:-}" "/tmp/$1.txt" >"/out/$1${2:+-$2}.totals"
}
# counted NAME NUMBER: so many counters have a value, and it is not 0 for all
counted() {
	check_eq "$1: events" "$(grep -c ' \* [0-9]* [0-9][0-9]*$' "/out/$1.totals")" "$2"
	check_ge "$1: events that counted" "$(grep -vc ' 0$' "/out/$1.totals")" 3
}

# Of the only PMU with such a name, perf leaves out the number.
perf list pmu >/out/list.txt 2>&1
check_eq "events that perf lists" "$(grep -c '^ *panthor/[a-z0-9-]*/ ' /out/list.txt)" 16
check "the name without the number" perf stat -a -e panthor/gpu-active/ -- true

group=$(events "4 13 25 40" | tr '\n' ',')
check "a group" perf stat -a -x ';' -o /tmp/group.txt -e "{${group%,}}" -- sh /tmp/load
totals group
counted group 20

many=$(events "4 5 6 7 8 9 10 11 12 25 26 33 63" | head -n 64 | tr '\n' ',')
check "64 events" perf stat -a -x ';' -o /tmp/many.txt -e "${many%,}" -- sh /tmp/load
totals many
counted many 64

check "intervals" perf stat -a -x ';' -I 100 -o /tmp/intervals.txt -e "{${group%,}}" -- \
	sh -c 'sh /tmp/load; sh /tmp/load; sleep 0.3'
totals intervals interval
totals intervals sum
check_ge "intervals" "$(cut -d ';' -f 1 /tmp/intervals.txt | sort -u | grep -c '[0-9]')" 4
check_ge "intervals: lines of those with counts" "$(grep -c . /out/intervals-interval.totals)" 40

check "JSON" perf stat -a -j -o /tmp/json.txt -e "$pmu/gpu-active/,$pmu/external-read/" -- sh /tmp/load
check_eq "JSON: events" "$(grep -c '^{.*"counter-value" : "[0-9.]*".*"event" : "panthor_' /tmp/json.txt)" 2

# The events with names are those of their places, in their units.
names="gpu-active compute-queue core-active external-read gpu-cycles"
list=
for name in $names; do
	list="$list,$pmu/$name/,$pmu/$(cat "$folder/events/$name")/"
done
check "names" perf stat -a -x ';' -o /tmp/names.txt -e "{${list#,}}" -- sh /tmp/load
scale=$(cat "$folder/events/external-read.scale")
awk -F ';' -v scale="$scale" '
/^#/ || NF < 3 { next }
++n % 2 { name = $3; value = $1; unit = $2; next }
{
	factor = name ~ /external-read/ ? scale : 1
	print (value == $1 * factor ? "ok" : "not ok"), name, unit, value, $1
}' /tmp/names.txt >/out/names.txt
check_eq "named events have the values of their places" "$(grep -c '^ok' /out/names.txt)" 5
check "named events count" grep -q 'gpu-active/ cycles [1-9]' /out/names.txt
check "a unit" grep -q 'external-read/ bytes' /out/names.txt

# Four cores, and two slices with a bus of 16 bytes: multiples of the cycles of the same sample.
check "capacities" perf stat -a -x ';' -o /tmp/capacity.txt \
	-e "{$pmu/gpu-cycles/,$pmu/core-capacity/,$pmu/l2-capacity/,$pmu/bus-capacity/}" -- sh /tmp/load
check_eq "they are multiples of the cycles" "$(awk -F ';' '
	/gpu-cycles/ { cycles = $1 } /core-capacity/ { cores = $1 } /l2-capacity/ { slices = $1 } /bus-capacity/ { bus = $1 }
	END { print (cycles > 0), cores / cycles, slices / cycles, bus / cycles }' /tmp/capacity.txt)" "1 4 2 32"

# The GPU is not sampled, and has no events of a process: perf ends at once, and says so.
for wrong in "record -o /tmp/wrong -a -e $pmu/gpu-active/" "record -o /tmp/wrong -e $pmu/gpu-active/" \
	"stat -p 1 -e $pmu/gpu-active/" "stat -a -e $pmu/gpu-active/u"; do
	timeout 60 "$LIBRARIES/ld-linux-aarch64.so.1" --library-path "$LIBRARIES" /perf/usr/bin/perf $wrong -- true \
		>/out/wrong.txt 2>&1
	status=$?
	# perf stat says so in its table, and ends with 0; that of later kernels ends as perf record does.
	case $wrong in
	record*) check_not "perf $wrong: refused, status $status" [ $status -eq 0 -o $status -eq 124 ] ;;
	*) check "perf $wrong: refused, status $status" grep -qE '<not supported>|No supported events found' /out/wrong.txt ;;
	esac
done
# Instead, each sample of the CPU's clock has the events of its group.
check "perf record of a group" perf record -q -C 0 -F 200 -o /tmp/group.data -e "{cpu-clock,$pmu/gpu-active/}:S" -- \
	sh /tmp/load
check "the samples have the GPU's events" sh -c "
	$LIBRARIES/ld-linux-aarch64.so.1 --library-path $LIBRARIES /perf/usr/bin/perf script -i /tmp/group.data \
		-F event,period >/out/group-samples.txt 2>/dev/null
	grep -qE '[1-9][0-9]* *$pmu/gpu-active/' /out/group-samples.txt"

# Beside sessions and another perf. Each gets what it would have got alone.
for i in 1 2 3; do
	panthor-perf record -I 10 -o "/tmp/record$i.raw" -- sh /tmp/await /tmp/beside 2>/dev/null &
done
perf stat -a -x ';' -o /tmp/other.txt -e "{${group%,}}" -- sh -c 'touch /tmp/other; sh /tmp/await /tmp/beside' &
other=$!
wait_for 10 [ -e /tmp/other ]
for i in 1 2 3; do
	check "session $i has begun" wait_for 10 [ -s "/tmp/record$i.raw" ]
done
check "beside sessions" perf stat -a -x ';' -o /tmp/beside.txt -e "{${group%,}}" -- sh /tmp/load
touch /tmp/beside
wait $other
check_eq "the other perf" $? 0
wait
totals beside
counted beside 20

# The system sleeps, and the GPU is reset, while events are open.
[ ! -e /sys/module/suspend/parameters/pm_test_delay ] ||
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
halts=$(host truth-count '^halt')
check "across a system sleep" perf stat -a -x ';' -o /tmp/sleep.txt -e "{${group%,}}" -- \
	sh -c 'cs-submit jobs >/dev/null; echo mem >/sys/power/state; sh /tmp/load'
check_ge "the GPU was halted" "$(host truth-count '^halt')" $((halts + 1))
totals sleep
counted sleep 20

cat >/tmp/reset <<'END'
sh /tmp/load
touch /tmp/resets
sh /tmp/await /tmp/reset-done
sh /tmp/load
END
perf stat -a -x ';' -o /tmp/reset.txt -e "{${group%,}}" -- sh /tmp/reset &
pid=$!
wait_for 10 [ -e /tmp/resets ]
expect 1 1 'panthor .*\[drm\] \*ERROR\* FW ping timeout, scheduling a reset'
resets=$(host truth-count '^reset')
echo on >"$(gpu)/power/control"
host qom-set gpu0 x-drop-pings 1
check "a reset" wait_for 30 more reset "$resets"
check "counters run again" wait_for 10 counting
echo auto >"$(gpu)/power/control"
touch /tmp/reset-done
wait $pid
check_eq "perf of a GPU that was reset" $? 0
totals reset
counted reset 20

# The CPU that reads goes, and perf has its counts all the same.
cpu=$(cat "$folder/cpumask")
check "a CPU in the mask" [ "$cpu" -ge 0 ]
if [ "$cpu" = 0 ] && [ ! -e /sys/devices/system/cpu/cpu0/online ]; then
	ok "CPU 0 cannot go"
else
	perf stat -a -x ';' -o /tmp/hotplug.txt -e "{${group%,}}" -- sh -c 'touch /tmp/open; sh /tmp/await /tmp/gone; sh /tmp/load' &
	pid=$!
	wait_for 10 [ -e /tmp/open ]
	check "the CPU is off" sh -c "echo 0 >/sys/devices/system/cpu/cpu$cpu/online"
	touch /tmp/gone
	wait $pid
	check_eq "perf without its CPU" $? 0
	check_not "the mask has another CPU" [ "$(cat "$folder/cpumask")" = "$cpu" ]
	check "the CPU is on" sh -c "echo 1 >/sys/devices/system/cpu/cpu$cpu/online"
	totals hotplug
	counted hotplug 20
fi

# Open events let the GPU sleep.
perf stat -a -x ';' -o /tmp/suspended.txt -e "{${group%,}}" -- \
	sh -c 'touch /tmp/suspended; sh /tmp/await /tmp/was-suspended; sh /tmp/load' &
pid=$!
wait_for 10 [ -e /tmp/suspended ]
check "suspended with open events" wait_for 10 status_is suspended
touch /tmp/was-suspended
wait $pid
check_eq "perf of a GPU that was suspended" $? 0
totals suspended
counted suspended 20

check "suspended in the end" wait_for 10 status_is suspended

# The GPU goes under an open event, and comes back.
perf stat -a -x ';' -o /tmp/unbound.txt -e "$pmu/gpu-active/" -- \
	sh -c 'touch /tmp/unbound; sh /tmp/await /tmp/was-unbound' &
pid=$!
wait_for 10 [ -e /tmp/unbound ]
echo "$device" >"$DRIVER/unbind"
check_not "unbound" bound
touch /tmp/was-unbound
wait $pid
check_eq "perf of a GPU that is gone" $? 0
# From Linux 6.15 on, its PMU is gone with it. The status depends on the version of perf, too.
perf stat -a -e "$pmu/gpu-active/" -- true 2>/dev/null
status=$?
check "no event of a GPU that is gone: $status" [ $status -eq 1 -o $status -eq 129 -o $status -eq 255 ]
echo "$device" >"$DRIVER/bind"
wait_for 10 render_node
check "the GPU is back" perf stat -a -x ';' -o /tmp/back.txt -e "{${group%,}}" -- sh /tmp/load
totals back
counted back 20

# Events of CPUs, with the driver and without.
# cpu_events: statuses of perf stat and perf record, and whether they have counted
cpu_events() {
	perf stat -x ';' -e cycles -o /tmp/cpu.txt -- true
	echo "stat $? $(grep -c '^[1-9][0-9]*;.*cycles' /tmp/cpu.txt)"
	perf record -q -e cycles -o /tmp/cpu.data -- true
	echo "record $? $(perf script -i /tmp/cpu.data -F event 2>/dev/null | grep -c cycles)" | sed 's/[1-9][0-9]*$/samples/'
}
with=$(cpu_events)
check "the driver is unloaded" rmmod panthor
check_eq "CPU events with the driver are those without it" "$with" "$(cpu_events)"
check_eq "perf stat has counted cycles" "$(echo "$with" | sed -n 's/^stat //p')" "0 1"
