# SPDX-License-Identifier: GPL-2.0 or MIT
# The perf PMU beside a session, which keeps the GPU powered; then without one; then how old its values are.
. /tests/lib.sh

wait_for 10 render_node
folder=$(echo /sys/bus/event_source/devices/panthor_*)
# Counters up to architecture 12, and a bus of 128 bits.
while read -r file value; do
	check_eq "$file" "$(cat "$folder/$file")" "$value"
done <<'END'
events/gpu-active block=0x2,counter=0x4
events/vertex-queue block=0x2,counter=0x10
events/compute-queue block=0x2,counter=0x18
events/fragment-queue block=0x2,counter=0x20
events/tiler-active block=0x3,counter=0x4
events/triangles block=0x3,counter=0x6
events/core-active block=0x5,counter=0x1a
events/external-read block=0x4,counter=0x20
events/external-write block=0x4,counter=0x2f
events/external-read-requests block=0x4,counter=0x1d
events/external-write-requests block=0x4,counter=0x2a
events/l2-lookups block=0x4,counter=0x19
events/gpu-cycles block=0x0,counter=0x0
events/gpu-cycles.unit cycles
events/core-capacity block=0x0,counter=0x10
events/core-capacity.unit cycles
events/l2-capacity block=0x0,counter=0x11
events/l2-capacity.unit cycles
events/bus-capacity block=0x0,counter=0x12
events/bus-capacity.unit bytes
events/gpu-active.unit cycles
events/vertex-queue.unit cycles
events/compute-queue.unit cycles
events/fragment-queue.unit cycles
events/tiler-active.unit cycles
events/core-active.unit cycles
events/external-read.unit bytes
events/external-write.unit bytes
events/external-read.scale 16
events/external-write.scale 16
caps/architecture 10
caps/bus_bytes 16
caps/cores 4
caps/l2_slices 4
caps/neural 0
format/block config:0-7
format/counter config:8-15
format/set config:16-17
format/instances config1:0-63
cpumask 0
identifier mali_a867
refresh_us 1000
END
check_eq "files of events" "$(ls "$folder/events" | wc -l)" 30

panthor-perf record -I 1 -o /out/record.raw -- sleep 600 2>/out/record.txt &
recorder=$!
check "the counters are on" wait_for 20 counting
perf-pmu /out/pmu.totals 20
kill $recorder
wait $recorder
check "suspended" wait_for 10 status_is suspended
perf-pmu /out/suspended.totals 2 10000
check "still suspended" status_is suspended

# Nothing but the PMU has samples taken.
echo on >"$(gpu)/power/control"
refresh=$folder/refresh_us
perf-pmu /out/often.totals 40 age
echo 60000 >"$refresh"
perf-pmu /out/seldom.totals 40 age
echo auto >"$(gpu)/power/control"
for wrong in 99 1000001 x; do
	check_not "refresh_us of $wrong" sh -c "echo $wrong >$refresh 2>/dev/null"
done
check_eq "refresh_us" "$(cat "$refresh")" 60000
check "suspended in the end" wait_for 10 status_is suspended
