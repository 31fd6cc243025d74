# SPDX-License-Identifier: GPL-2.0 or MIT
# Frames per second of a Vulkan program for scripts/bench.py: without the Vulkan layer, with the layer and no frame
# chosen, and with each unit of a profile. Lines of /out/bench.txt: "frames-WAY RATE".
. /tests/lib.sh

. /etc/bench
wait_for 10 render_node
. /tests/mesa-lib.sh
# frames WAY
frames() (
	case $1 in
	none) ;;
	off) export PANTHOR_PERF_LAYER=profile PANTHOR_PERF_LAYER_FRAMES=1000000 ;;
	*) export PANTHOR_PERF_LAYER=profile PANTHOR_PERF_LAYER_UNIT=$1 PANTHOR_PERF_LAYER_OUTPUT=/out/rows.csv ;;
	esac
	mesa /mesa-tests/vk-frame "$FRAMES" 2>/out/bench.err
)
for run in $(seq "$RUNS"); do
	for way in $WAYS; do
		again frames "$way" >/tmp/frames
		check_eq "$way, run $run of $RUNS" $? 0
		awk -v way="$way" '/ frames in / { printf "frames-%s %.3f\n", way, $1 / $4 }' /tmp/frames >>/out/bench.txt
	done
done
check_eq "figures" "$(wc -l </out/bench.txt)" $((RUNS * $(echo "$WAYS" | wc -w)))
