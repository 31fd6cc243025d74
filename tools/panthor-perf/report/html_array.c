// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Numbers of an HTML page. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"

static const struct {
	const char *name;
	unsigned int size;
} types[] = {
	[HTML_CONSTANT] = { "constant", 0 },
	[HTML_U8] = { "u8", 1 },
	[HTML_U16] = { "u16", 2 },
	[HTML_U32] = { "u32", 4 },
	[HTML_F32] = { "f32", 4 },
	[HTML_F64] = { "f64", 8 },
};

unsigned int html_type_for(uint64_t max)
{
	if (max <= UINT8_MAX)
		return HTML_U8;
	if (max <= UINT16_MAX)
		return HTML_U16;
	return max <= UINT32_MAX ? HTML_U32 : HTML_F64;
}

uint64_t html_array_bytes(unsigned int type, uint64_t count)
{
	return (count * types[type].size + 2) / 3 * 4;
}

int html_array_init(struct html_array *array, unsigned int type, uint64_t count)
{
	*array = (struct html_array) { .type = type };
	if (type == HTML_CONSTANT || !count)
		return 0;
	array->data = calloc(count, types[type].size);
	return array->data ? 0 : -ENOMEM;
}

void html_array_add(struct html_array *array, double value)
{
	unsigned int size = types[array->type].size, i;
	float narrow = value;
	uint64_t bits = 0;
	uint32_t word;

	if (array->type == HTML_F64) {
		memcpy(&bits, &value, sizeof(bits));
	} else if (array->type == HTML_F32) {
		memcpy(&word, &narrow, sizeof(word));
		bits = word;
	} else if (array->type != HTML_CONSTANT) {
		bits = value;
	}
	for (i = 0; i < size; i++)
		array->data[array->used++] = bits >> 8 * i;
}

void html_array_fini(struct html_array *array)
{
	free(array->data);
	*array = (struct html_array) { 0 };
}

static char base64_digit(unsigned int bits)
{
	if (bits < 26)
		return 'A' + bits;
	if (bits < 52)
		return 'a' + bits - 26;
	if (bits < 62)
		return '0' + bits - 52;
	return bits == 62 ? '+' : '/';
}

static void write_base64(const uint8_t *data, size_t size, FILE *out)
{
	size_t i;

	for (i = 0; i < size; i += 3) {
		size_t left = size - i;
		uint32_t bits = data[i] << 16 | (left > 1 ? data[i + 1] << 8 : 0) |
				(left > 2 ? data[i + 2] : 0);

		putc(base64_digit(bits >> 18), out);
		putc(base64_digit(bits >> 12 & 63), out);
		putc(left > 1 ? base64_digit(bits >> 6 & 63) : '=', out);
		putc(left > 2 ? base64_digit(bits & 63) : '=', out);
	}
}

void html_array_write(const struct html_array *array, const char *constant, FILE *out)
{
	if (array->type == HTML_CONSTANT) {
		fprintf(out, "{\"value\":%s}", constant);
		return;
	}
	fprintf(out, "{\"type\":\"%s\",\"data\":\"", types[array->type].name);
	write_base64(array->data, array->used, out);
	fputs("\"}", out);
}
