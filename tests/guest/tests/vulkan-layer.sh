# SPDX-License-Identifier: GPL-2.0 or MIT
# The Vulkan layer (tools/vulkan-layer) on Debian's own Mesa. The rows that it writes for a program whose steps have known
# costs are judged outside.
#
# Needs counters=work,auto-samples=0, what scripts/vulkan-layer.sh puts into the guest, and its LAYER_SUBMISSIONS.
. /tests/lib.sh

check "the clocks" insmod /modules/vmali-clk.ko
wait_for 10 render_node
. /tests/mesa-lib.sh
ALL="fw:*,cshw:*,tiler:*,memsys:*,shader:*"
# The sanitizers, if the layer is built with them. What the driver keeps until the end is no leak of the layer.
preload() {
	[ -e /mesa/preload ] || return 0
	export LD_PRELOAD=/preload/libasan.so:/preload/libubsan.so ASAN_OPTIONS=detect_leaks=0
}
# layer NAME VARIABLE=VALUE... -- COMMAND...: with the layer; what it says goes to /out/NAME.err, rows to /out/NAME.csv
layer() (
	name=$1
	shift
	export PANTHOR_PERF_LAYER=profile PANTHOR_PERF_LAYER_OUTPUT="/out/$name.csv"
	while [ "$1" != -- ]; do
		export "$1"
		shift
	done
	shift
	preload
	mesa "$@" >"/out/$name.txt" 2>"/out/$name.err"
)
COMPUTE="cshw:25,shader:24,cshw:17,tiler:6,cshw:33,shader:18"
SUBMISSIONS=$LAYER_SUBMISSIONS
# rows NAME: how many there are
rows() {
	tail -n +2 "/out/$1.csv" | wc -l
}

mesa /mesa-tests/vk-steps --costs >/out/steps.costs
check_eq "costs of steps" $? 0
for unit in submission command-buffer; do
	again layer $unit PANTHOR_PERF_LAYER_COUNTERS="$ALL" PANTHOR_PERF_LAYER_UNIT=$unit -- /mesa-tests/vk-steps
	check_eq "vk-steps with the layer, by $unit" $? 0
	check "$unit: a summary" grep -q '^50 dispatches ' /out/$unit.err
done

# One command buffer, in 15 parts; and without the layer, for what the whole of it needs.
mesa /mesa-tests/vk-workloads --costs >/out/workloads.costs
check_eq "costs of workloads" $? 0
for unit in workload submission; do
	again layer workloads-$unit PANTHOR_PERF_LAYER_COUNTERS="$ALL" PANTHOR_PERF_LAYER_UNIT=$unit -- /mesa-tests/vk-workloads
	check_eq "vk-workloads with the layer, by $unit" $? 0
done
# What is bound and set at each workload that reaches the driver, without the layer and with it.
state() {
	(
		export VK_LAYER_PATH=/mesa-tests VK_INSTANCE_LAYERS=VK_LAYER_TEST_state STATE_LAYER_OUTPUT="/out/state-$1.txt"
		preload
		[ "$1" = without ] || export PANTHOR_PERF_LAYER=profile PANTHOR_PERF_LAYER_UNIT=$1
		again mesa /mesa-tests/vk-workloads >"/out/state-$1.log" 2>&1
	)
}
state without
check_eq "the state without the layer" $? 0
state workload
check_eq "the state with the layer" $? 0
check_eq "workloads and ends of passes in these" "$(wc -l </out/state-without.txt)" 17
check "all workloads have the same state" cmp /out/state-without.txt /out/state-workload.txt
check_eq "states of push constants, one for each dispatch" "$(sed -n 's/.* push\(.*\) view 1 2 .*/\1/p' /out/state-workload.txt | sort -u | wc -l)" 10

check_eq "rows of the workloads of two submissions" "$(rows workloads-workload)" 30
check_eq "rows of the submissions" "$(rows workloads-submission)" 2
again layer steps-workload PANTHOR_PERF_LAYER_COUNTERS="$ALL" PANTHOR_PERF_LAYER_UNIT=workload -- /mesa-tests/vk-steps
check_eq "vk-steps with the layer, by workload" $? 0

# Frames end where they are presented. Those that are not chosen have no rows.
mesa /mesa-tests/vk-frame --costs 3 >/out/presented.costs
again layer presented PANTHOR_PERF_LAYER_COUNTERS="$ALL" PANTHOR_PERF_LAYER_UNIT=workload PANTHOR_PERF_LAYER_FRAMES=1,3-/2 -- \
	/mesa-tests/vk-frame 6
check_eq "vk-frame with the layer" $? 0
check_eq "rows of each frame" "$(tail -n +2 /out/presented.csv | cut -d , -f 2 | uniq -c | awk '{ printf "%s:%s ", $2, $1 }')" "1:10 3:10 5:10 "

# Frames as units: their rows have all that the workloads of these frames have.
sums() {
	tail -n +2 "/out/$1.csv" | awk -F , '{ for (i = 10; i <= NF; i++) sum[i] += $i }
		END { for (i = 10; i <= NF; i++) printf "%d ", sum[i] }'
}
for unit in workload frame; do
	again layer frames-$unit PANTHOR_PERF_LAYER_COUNTERS="$COMPUTE" PANTHOR_PERF_LAYER_UNIT=$unit -- /mesa-tests/vk-frame 6
	check_eq "vk-frame with the layer, by $unit" $? 0
done
# Whether a frame begins before the sample of the one before depends on the times of the machine.
check_eq "rows of frames" "$(tail -n +2 /out/frames-frame.csv | awk -F , '{ sub("overlapped", "exact", $9); printf "%s:%s ", $2, $9 }')" \
	"0:exact 1:exact 2:exact 3:exact 4:exact 5:exact "
check_eq "the counts of frames are those of their workloads" "$(sums frames-frame)" "$(sums frames-workload)"

# Workloads as a trace, of frames that signals choose while the program runs.
mesa /mesa-tests/vk-frame --costs 2 >/out/signalled.costs
has_grown() {
	[ "$(wc -c </out/signalled.perfetto-trace)" -gt "$1" ]
}
signalled() {
	layer signalled PANTHOR_PERF_LAYER_COUNTERS="$ALL" PANTHOR_PERF_LAYER_UNIT=workload PANTHOR_PERF_LAYER_SIGNAL=USR2 \
		PANTHOR_PERF_LAYER_OUTPUT=/out/signalled.perfetto-trace -- /mesa-tests/vk-frame 300 &
	_program=$!
	for _chosen in 1 2; do
		wait_for 10 [ -s /out/signalled.perfetto-trace ]
		_size=$(wc -c </out/signalled.perfetto-trace)
		killall -USR2 vk-frame
		# The next signal may come once there is a row of the frame.
		wait_for 20 has_grown "$_size"
	done
	wait $_program
}
again signalled
check_eq "vk-frame with signals" $? 0

# Two devices take turns.
mesa /mesa-tests/vk-threads --costs $SUBMISSIONS >/out/threads.costs
check_eq "costs of threads" $? 0
again layer threads PANTHOR_PERF_LAYER_COUNTERS="$COMPUTE" -- /mesa-tests/vk-threads $SUBMISSIONS
check_eq "vk-threads with the layer" $? 0
check_eq "rows of threads" "$(rows threads)" $SUBMISSIONS

# VK_KHR_performance_query. The program checks its results itself.
queries() (
	export PANTHOR_PERF_LAYER=queries
	preload
	mesa /mesa-tests/vk-queries --early >/out/queries.txt 2>/out/queries.err
)
again queries
check_eq "vk-queries" $? 0
cat /out/queries.txt
check "it came to its end" grep -q '^ok a command buffer: compute queue busy' /out/queries.txt
check "suspended behind the profiling lock" wait_for 10 status_is suspended
# panthor_perf_vulkan.h, likewise.
sessions() (
	export PANTHOR_PERF_LAYER=queries
	preload
	mesa /mesa-tests/vk-sessions >/out/sessions.txt 2>/out/sessions.err
)
again sessions
check_eq "vk-sessions" $? 0
cat /out/sessions.txt
check "it came to its end, too" grep -qx 'ok the end' /out/sessions.txt
check "suspended behind the last session" wait_for 10 status_is suspended

# A program that has samples in the GPU's order itself: a semaphore that others signal.
again layer ordered -- /mesa-tests/ordered 40
check_eq "ordered with the layer" $? 0
check_eq "its samples have the warps that they have, and nothing is missing" \
	"$(awk '/^submission .* cycles$/ && $2 == (n + 0) ":" && $6 == 4 * $3 { n++ } END { print n + 0 }' /out/ordered.txt)" 40
check_eq "rows of ordered" "$(rows ordered)" 40

again vkmark clear vertex >/out/vkmark.txt 2>&1
check_eq "vkmark without the layer" $? 0
(
	export PANTHOR_PERF_LAYER=profile PANTHOR_PERF_LAYER_OUTPUT=/out/vkmark.json
	preload
	again vkmark clear vertex >/out/vkmark-layer.txt 2>/out/vkmark.err
)
check_eq "vkmark with the layer" $? 0
check_ge "rows of vkmark, one of each scene at least" "$(wc -l </out/vkmark.json)" 2
check_eq "rows that are not exact" "$(grep -cv '"quality": "exact"' /out/vkmark.json)" 0
# There are no frames without a presentation.
again layer frames PANTHOR_PERF_LAYER_FRAMES=1- -- /mesa-tests/vk-steps
check_eq "vk-steps of which no frame is profiled" $? 0
check_eq "rows of these" "$(rows frames)" 0

# What cannot be understood is reported, and ends no application.
# refused NAME VALUE TEXT
refused() {
	again layer refused "PANTHOR_PERF_LAYER_$1=$2" -- /mesa-tests/vk-steps
	check_eq "vk-steps with $1=$2" $? 0
	check "the layer says why nothing is profiled: $3" grep -q "^panthor-perf-layer: .*$3" /out/refused.err
	check_not "there is no summary" grep -q '^label' /out/refused.err
}
refused UNIT picture "submission, command-buffer, workload or frame"
refused FRAMES 5-3 "a list such as"
refused OUTPUT /out/rows.txt "ends in .csv, .json or .perfetto-trace"
refused CLOCKS fast "default, profiling"
refused COUNTERS NoSuchCounter "NoSuchCounter"
refused OUTPUT /nowhere/rows.csv "/nowhere/rows.csv: No such file"
check_eq "messages of sanitizers" "$(cat /out/*.err | grep -c 'Sanitizer\|runtime error')" 0
check "suspended behind them" wait_for 10 status_is suspended
