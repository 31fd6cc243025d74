// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdio.h>
#include <string.h>

#include "types.h"

static const char *const names[TYPE_COUNT] = {
	[TYPE_RENDER_PASS] = "render_pass",
	[TYPE_COMPUTE] = "compute",
	[TYPE_DATA_GRAPH] = "data_graph",
	[TYPE_TRACE_RAYS] = "trace_rays",
	[TYPE_IMAGE_TRANSFER] = "image_transfer",
	[TYPE_BUFFER_TRANSFER] = "buffer_transfer",
	[TYPE_AS_BUILD] = "as_build",
	[TYPE_AS_TRANSFER] = "as_transfer",
	[TYPE_VIDEO] = "video",
	[TYPE_OTHER] = "other",
};

/**
 * types_text() - The types of a unit
 * @types: A bit for each, see TYPE_BIT().
 * @text: Where their names go, separated by "+"; "" without any.
 */
void types_text(uint32_t types, char text[TYPES_SIZE])
{
	size_t length = 0;

	*text = '\0';
	for (int i = 0; i < TYPE_COUNT; i++) {
		if (types & TYPE_BIT(i))
			length += snprintf(text + length, TYPES_SIZE - length, "%s%s",
					   length ? "+" : "", names[i]);
	}
}
