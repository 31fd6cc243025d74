// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "xml.h"

int xml_load(const char *path, uint64_t gpu_id, struct panthor_perf_table **table, char **note,
	     struct panthor_perf_error *error)
{
	(void)gpu_id;
	(void)table;
	*note = NULL;
	memset(error, 0, sizeof(*error));
	snprintf(error->file, sizeof(error->file), "%s", path);
	snprintf(error->message, sizeof(error->message),
		 "this is XML, which this program was built without");
	return -EOPNOTSUPP;
}
