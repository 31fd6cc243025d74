// The invalidation is that of the range behind the one that changes.
// shows: remap: the second page
// SPDX-License-Identifier: GPL-2.0 or MIT
@@
expression vm, iova, size;
@@
- ret = mmu_hw_do_operation(vm, iova, size, AS_COMMAND_FLUSH_PT);
+ ret = mmu_hw_do_operation(vm, iova + (1ull << 40), size, AS_COMMAND_FLUSH_PT);
