// The event for jobs without progress is not handled.
// shows: hung: ended before the driver's time is over
// SPDX-License-Identifier: GPL-2.0 or MIT
@@
expression events, device, slot;
@@
- if (events & CSG_PROGRESS_TIMER_EVENT)
- 	csg_slot_process_progress_timer_event_locked(device, slot);
