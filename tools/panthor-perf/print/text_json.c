// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

struct json_object *text_json(const char *text)
{
	struct json_object *object = NULL;
	char *copy = strdup(text);

	if (copy) {
		text_utf8(copy);
		object = json_object_new_string(copy);
	}
	free(copy);
	return object;
}
