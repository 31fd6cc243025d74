// The time for jobs without progress is in cycles, not in units of 1024 of them.
// shows: hung: ended before the driver's time is over
// SPDX-License-Identifier: GPL-2.0 or MIT
@@
expression input;
@@
- input->progress_timer = PROGRESS_TIMEOUT_CYCLES >> PROGRESS_TIMEOUT_SCALE_SHIFT;
+ input->progress_timer = PROGRESS_TIMEOUT_CYCLES;
