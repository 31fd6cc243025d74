# SPDX-License-Identifier: GPL-2.0 or MIT
# The validation layer of Khronos has no message with the Vulkan layer (tools/vulkan-layer) above or below it.
#
# Needs counters=work,auto-samples=0 and what scripts/vulkan-layer.sh --validation puts into the guest.
. /tests/lib.sh

check "the clocks" insmod /modules/vmali-clk.ko
wait_for 10 render_node
. /tests/mesa-lib.sh
VALIDATION=VK_LAYER_KHRONOS_validation
# The layer as an explicit one, whose place the variable says.
OWN=VK_LAYER_PANTHOR_perf
# validate NAME LAYERS UNIT COMMAND...
validate() {
	_name=$1
	_layers=$2
	_unit=$3
	shift 3
	(
		export VK_INSTANCE_LAYERS="$_layers"
		# The implicit one would be there twice.
		case $_unit in
		"") ;;
		queries) export PANTHOR_PERF_LAYER=queries PANTHOR_PERF_LAYER_DISABLE=1 ;;
		*) export PANTHOR_PERF_LAYER=profile PANTHOR_PERF_LAYER_UNIT="$_unit" PANTHOR_PERF_LAYER_DISABLE=1 \
			PANTHOR_PERF_LAYER_OUTPUT="/out/$_name.csv" ;;
		esac
		again mesa "$@" >"/out/$_name.txt" 2>&1
	)
	check_eq "$_name: ${1##*/}" $? 0
	check_eq "$_name: messages" "$(grep -c 'VUID\|UNASSIGNED\|Validation' "/out/$_name.txt")" 0
	[ ! -e "/out/$_name.csv" ] || check_ge "$_name: rows" "$(tail -n +2 "/out/$_name.csv" | wc -l)" 2
}
# programs NAME LAYERS UNIT
programs() {
	validate "$1-steps" "$2" "$3" /mesa-tests/vk-steps
	validate "$1-workloads" "$2" "$3" /mesa-tests/vk-workloads
	validate "$1-threads" "$2" "$3" /mesa-tests/vk-threads 24
	validate "$1-frame" "$2" "$3" /mesa-tests/vk-frame 2
}
programs without $VALIDATION ""
for unit in submission command-buffer workload; do
	programs "below-$unit" $OWN:$VALIDATION $unit
done
programs above-workload $VALIDATION:$OWN workload
for program in queries sessions; do
	validate "below-$program" ${OWN}_query:$VALIDATION queries /mesa-tests/vk-$program
	validate "above-$program" $VALIDATION:${OWN}_query queries /mesa-tests/vk-$program
done
