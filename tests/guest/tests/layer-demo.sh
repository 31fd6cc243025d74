# SPDX-License-Identifier: GPL-2.0 or MIT
# The guest's part of make layer-demo: a frame of a Vulkan program, by label.
#
# Needs counters=work,auto-samples=0 and what scripts/layer-demo.sh puts into the guest.
. /tests/lib.sh

FRAMES=3
FRAME=1
wait_for 10 render_node
. /tests/mesa-lib.sh
frame() (
	export PANTHOR_PERF_LAYER=profile PANTHOR_PERF_LAYER_UNIT=workload PANTHOR_PERF_LAYER_OUTPUT=/out/frame.csv \
		PANTHOR_PERF_LAYER_FRAMES=$FRAME \
		PANTHOR_PERF_LAYER_COUNTERS=cshw:4,shader:24,shader:18,tiler:6,cshw:25,cshw:17,cshw:33
	mesa /mesa-tests/vk-frame $FRAMES >/out/frame.txt 2>/out/summary.txt
)
mesa /mesa-tests/vk-frame --costs 1 >/out/frame.costs
again frame
check_eq "a program of $FRAMES frames with the layer" $? 0
check_not "a frame that was not chosen" sh -c "tail -n +2 /out/frame.csv | cut -d , -f 2 | grep -vx $FRAME"
