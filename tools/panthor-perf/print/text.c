// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Of a character's first byte; 0: it is none. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

size_t text_character(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;
	const size_t length = length_of(bytes[0]);
	size_t i;

	/* A text ends within no character: 0 is no continuation. */
	for (i = 1; i < length; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	/* Characters that are too long, surrogates, beyond U+10FFFF. */
	if ((bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xed && bytes[1] > 0x9f) ||
	    (bytes[0] == 0xf0 && bytes[1] < 0x90) || (bytes[0] == 0xf4 && bytes[1] > 0x8f))
		return 0;
	return length;
}

/* C0, DEL and C1. */
static bool is_control(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;

	return bytes[0] < ' ' || bytes[0] == 0x7f || (bytes[0] == 0xc2 && bytes[1] < 0xa0);
}

static void replace(char *text, bool controls)
{
	while (*text) {
		const size_t length = text_character(text);

		if (!length) {
			*text++ = '?';
			continue;
		}
		if (controls && is_control(text))
			memset(text, '?', length);
		text += length;
	}
}

void text_utf8(char *text)
{
	replace(text, false);
}

void text_printable(char *text)
{
	replace(text, true);
}

char *text_copy(const char *text)
{
	char *copy = strdup(text);

	if (copy)
		text_printable(copy);
	return copy;
}
