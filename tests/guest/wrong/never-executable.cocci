// No mapping is executable.
// shows: program: in executable memory
// SPDX-License-Identifier: GPL-2.0 or MIT
@@
identifier flags, prot;
@@
- if (flags & DRM_PANTHOR_VM_BIND_OP_MAP_NOEXEC)
  	prot |= IOMMU_NOEXEC;
