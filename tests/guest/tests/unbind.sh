# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# The driver lets go of the GPU and takes it again, idle or active, also under an open file.
. /tests/lib.sh

device=$(basename "$(gpu)")
no_render_node() {
	! render_node
}

for cycle in 1 2 3; do
	echo "$device" >"$DRIVER/unbind"
	check_not "cycle $cycle: unbound" bound
	check "cycle $cycle: render node gone" wait_for 5 no_render_node
	echo "$device" >"$DRIVER/bind"
	check "cycle $cycle: bound" wait_for 10 bound
	check "cycle $cycle: render node back" wait_for 5 render_node
done

echo on >"$(gpu)/power/control"
echo "$device" >"$DRIVER/unbind"
check_not "active: unbound" bound
echo auto >"$(gpu)/power/control"
echo "$device" >"$DRIVER/bind"
check "active: bound" wait_for 10 bound

for cycle in 1 2; do
	wait_for 5 render_node
	exec 7<"$(render_node)"
	echo "$device" >"$DRIVER/unbind"
	check_not "open file $cycle: unbound" bound
	exec 7<&-
	echo "$device" >"$DRIVER/bind"
	check "open file $cycle: bound" wait_for 10 bound
	check "open file $cycle: render node" wait_for 5 render_node
done

exec 7<"$(render_node)"
echo "$device" >"$DRIVER/unbind"
echo "$device" >"$DRIVER/bind"
check "bound beside a file of the old device" wait_for 10 bound
check "suspended when idle" wait_for 10 status_is suspended
exec 7<&-
check "bound still after that file's end" bound

rmmod panthor
check_not "module removed" [ -d "$DRIVER" ]
insmod /modules/gpu/panthor.ko
check "module loaded again" wait_for 10 bound
