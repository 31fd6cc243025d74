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

static void put(const char *text, FILE *out)
{
	const char *at;

	for (; (at = strpbrk(text, "\x7f\xc2")); text = at + 1) {
		fwrite(text, 1, at - text, out);
		if (*at == 0x7f)
			fputs("\\u007f", out);
		else if ((unsigned char)at[1] >= 0x80 && (unsigned char)at[1] < 0xa0)
			fprintf(out, "\\u00%02x", (unsigned char)*++at);
		else
			fputc(*at, out);
	}
	fputs(text, out);
}

bool text_put_json(struct json_object *object, int flags, FILE *out)
{
	const char *text = json_object_to_json_string_ext(object, flags |
							  JSON_C_TO_STRING_NOSLASHESCAPE);
	const bool there = text;

	if (there)
		put(text, out);
	json_object_put(object);
	return there;
}
