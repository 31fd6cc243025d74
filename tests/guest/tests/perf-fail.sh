# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# Allocations and copies fail under each call of the interface. For kernels with fault injection.
. /tests/lib.sh

wait_for 10 render_node
# Only the test's own calls fail, and without a word. The GPU is awake, so that it is not the
# driver's resume that fails; it is bound anew, so that START has to make the firmware's ring.
for attribute in failslab fail_page_alloc fail_usercopy; do
	[ ! -d /sys/kernel/debug/$attribute ] || echo 0 >/sys/kernel/debug/$attribute/verbose
done
echo 0 >/sys/kernel/debug/failslab/ignore-gfp-wait
device=$(basename "$(gpu)")
echo "$device" >"$DRIVER/unbind"
echo "$device" >"$DRIVER/bind"
wait_for 10 render_node
echo on >"$(gpu)/power/control"
perf-fail
check_eq "perf-fail" $? 0
check "a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
echo auto >"$(gpu)/power/control"
check "suspended in the end" wait_for 10 status_is suspended
