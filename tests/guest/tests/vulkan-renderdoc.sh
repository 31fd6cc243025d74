# SPDX-License-Identifier: GPL-2.0 or MIT
# RenderDoc captures a frame of a program with the Vulkan layer (tools/vulkan-layer) as it does without it.
#
# Needs counters=work,auto-samples=0 and what scripts/vulkan-layer.sh --renderdoc puts into the guest.
. /tests/lib.sh

check "the clocks" insmod /modules/vmali-clk.ko
wait_for 10 render_node
. /tests/mesa-lib.sh
# capture NAME MODE: a frame, as RenderDoc tells it in /out/NAME.xml
capture() {
	_name=$1
	_mode=$2
	(
		export ENABLE_VULKAN_RENDERDOC_CAPTURE=1 CAPTURE_PATH="/out/$_name"
		[ -z "$_mode" ] || export PANTHOR_PERF_LAYER="$_mode" PANTHOR_PERF_LAYER_UNIT=workload \
			PANTHOR_PERF_LAYER_OUTPUT="/out/$_name.csv"
		again mesa /mesa-tests/vk-frame 3 >"/out/$_name.txt" 2>&1
	)
	check_eq "$_name: the program" $? 0
	_file=$(find /out -name "$_name*.rdc" | head -n 1)
	check "$_name: a capture" [ -s "$_file" ]
	check "$_name: it is readable" mesa /usr/bin/renderdoccmd convert -f "$_file" -o "/out/$_name.xml" -c xml
}
# commands NAME: what was recorded and submitted in the frame
commands() {
	grep -o 'name="vk\(Cmd[A-Za-z]*\|QueueSubmit\|BeginCommandBuffer\)"' "/out/$1.xml" | sort | uniq -c
}
capture without ""
check_eq "dispatches in it" "$(grep -c 'name="vkCmdDispatch"' /out/without.xml)" 5
for mode in profile queries; do
	capture $mode $mode
	check_eq "$mode: the same commands" "$(commands $mode)" "$(commands without)"
done
# RenderDoc has work of its own, without labels.
check_eq "profile: rows of the program" "$(tail -n +2 /out/profile.csv | grep -vc '"vkCmd[A-Za-z]*"')" 30
