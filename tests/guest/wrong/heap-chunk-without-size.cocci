// A new chunk of the tiler heap comes without its size.
// shows: heap: a pass that needs more than there is
// SPDX-License-Identifier: GPL-2.0 or MIT
@@
expression va, mask, heap, chunk;
@@
- *chunk = (va & mask) | (heap->chunk_size >> 12);
+ *chunk = va & mask;
