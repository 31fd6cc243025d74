// Firmware that needs memory of the tiler heap gets no answer.
// shows: heap: a pass that needs more than there is
// SPDX-License-Identifier: GPL-2.0 or MIT
@@
expression iface, member, value;
@@
- panthor_fw_update_reqs(iface, member, value, CS_TILER_OOM);
