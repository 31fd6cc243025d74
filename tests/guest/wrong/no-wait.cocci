// The end of a job does not wait for what the job has issued.
// shows: wait: words that were not there at the end of their job
// SPDX-License-Identifier: GPL-2.0 or MIT
@@
expression mask;
identifier params;
@@
- params->waitall_mask = mask;
+ params->waitall_mask = 0;
