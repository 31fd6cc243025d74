// Each new chunk of the tiler heap is the oldest one.
// shows: heap: a pass that needs more than there is
// SPDX-License-Identifier: GPL-2.0 or MIT
@@
expression list, chunk;
@@
 panthor_heap_grow(...)
 {
 <...
- chunk = list_first_entry(list, struct panthor_heap_chunk, node);
+ chunk = list_last_entry(list, struct panthor_heap_chunk, node);
 ...>
 }
