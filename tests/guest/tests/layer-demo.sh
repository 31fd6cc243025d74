# SPDX-License-Identifier: GPL-2.0 or MIT
# The guest's part of make layer-demo: frames of a Vulkan program, and one of them by workload.
#
# Needs counters=work,auto-samples=0 and what scripts/layer-demo.sh puts into the guest.
. /tests/lib.sh

FRAMES=8
FRAME=1
# A frame ends, and its sample is taken, before the next one begins, unless the machine is busy.
PAUSE_MS=200
wait_for 10 render_node
. /tests/mesa-lib.sh
# count NAME UNIT [FRAMES]: rows go to /out/NAME.csv, what the layer says to /out/NAME.txt
count() (
	export PANTHOR_PERF_LAYER=profile PANTHOR_PERF_LAYER_UNIT="$2" PANTHOR_PERF_LAYER_OUTPUT="/out/$1.csv" \
		PANTHOR_PERF_LAYER_FRAMES="${3:-0-}" \
		PANTHOR_PERF_LAYER_COUNTERS=cshw:4,shader:24,shader:18,tiler:6,cshw:25,cshw:17,cshw:33
	mesa /mesa-tests/vk-frame $FRAMES $PAUSE_MS >/out/vk-frame.txt 2>"/out/$1.txt"
)
# sums NAME [TIMES]: of the counters of all rows but the first one, which are cycles
sums() {
	tail -n +2 "/out/$1.csv" | awk -F , -v times="${2:-1}" '{ for (i = 11; i <= NF; i++) sum[i] += times * $i }
		END { for (i = 11; i <= NF; i++) printf "%d ", sum[i] }'
}
mesa /mesa-tests/vk-frame --costs 1 >/out/frame.costs
again count frames frame
check_eq "a program of $FRAMES frames with the layer, by frame" $? 0
# Whether a frame begins before the sample of the one before depends on the times of the machine.
check_eq "rows of frames" "$(tail -n +2 /out/frames.csv | awk -F , '{ sub("overlapped", "exact", $9); printf "%s:%s ", $2, $9 }')" \
	"0:exact 1:exact 2:exact 3:exact 4:exact 5:exact 6:exact 7:exact "
again count frame workload $FRAME
check_eq "a program of $FRAMES frames with the layer, by workload" $? 0
check_not "a frame that was not chosen" sh -c "tail -n +2 /out/frame.csv | cut -d , -f 2 | grep -vx $FRAME"
# Each frame does the same work.
check_eq "what $FRAMES frames cost, and $FRAMES times the workloads of one" "$(sums frames)" "$(sums frame $FRAMES)"
