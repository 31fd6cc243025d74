// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "select.h"

/**
 * struct parser - where parsing is, and where an error goes
 */
struct parser {
	/** @info: Counter configuration of the GPU. */
	const struct drm_panthor_perf_info *info;

	/** @text: The whole text. */
	const char *text;

	/** @pos: What is not parsed yet. */
	const char *pos;

	/** @error: Where a message is written. */
	char *error;

	/** @error_size: Bytes at @error. */
	size_t error_size;
};

__attribute__((format(printf, 2, 3)))
static int wrong(const struct parser *parser, const char *format, ...)
{
	va_list args;
	int used;

	va_start(args, format);
	used = vsnprintf(parser->error, parser->error_size, format, args);
	va_end(args);
	if (used >= 0 && (size_t)used < parser->error_size)
		snprintf(parser->error + used, parser->error_size - used, " (column %td of '%s')",
			 parser->pos - parser->text + 1, parser->text);
	return -EINVAL;
}

static unsigned int counter_limit(const struct drm_panthor_perf_info *info)
{
	return info->counters_per_block < MAX_COUNTERS ? info->counters_per_block : MAX_COUNTERS;
}

static int parse_block(struct parser *parser, unsigned int *type)
{
	size_t length = strcspn(parser->pos, ":,");
	unsigned int i;

	if (!length)
		return wrong(parser, "a block is missing");
	if (parser->pos[length] != ':')
		return wrong(parser, "'%.*s' is not BLOCK:INDEX", (int)length, parser->pos);
	for (i = 1; i < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; i++) {
		const char *name = panthor_perf_block_name(i);

		if (name && strlen(name) == length && !strncasecmp(name, parser->pos, length))
			break;
	}
	if (i == DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT)
		return wrong(parser, "there is no block type '%.*s': use fw, cshw, tiler, memsys, "
			     "shader or csg", (int)length, parser->pos);
	if (!panthor_perf_block_count(parser->info, i))
		return wrong(parser, "this GPU has no blocks of type %s",
			     panthor_perf_block_name(i));
	*type = i;
	parser->pos += length + 1;
	return 0;
}

static int parse_number(struct parser *parser, unsigned int *number)
{
	unsigned int limit = counter_limit(parser->info);
	size_t digits = strspn(parser->pos, "0123456789");
	unsigned long value;

	if (!digits)
		return wrong(parser, "a counter index, a range or '*' is missing");
	errno = 0;
	value = strtoul(parser->pos, NULL, 10);
	if (errno || value >= limit)
		return wrong(parser, "counter %.*s does not exist: the last is %u", (int)digits,
			     parser->pos, limit - 1);
	if (value < FIRST_COUNTER)
		return wrong(parser, "counters 0 to %u never count", FIRST_COUNTER - 1);
	*number = value;
	parser->pos += digits;
	return 0;
}

static int parse_item(struct parser *parser, struct selection *selection)
{
	unsigned int type = 0, first, last, i;
	int ret = parse_block(parser, &type);

	if (ret)
		return ret;
	if (*parser->pos == '*') {
		parser->pos++;
		first = FIRST_COUNTER;
		last = counter_limit(parser->info) - 1;
	} else {
		ret = parse_number(parser, &first);
		if (ret)
			return ret;
		last = first;
		if (*parser->pos == '-') {
			parser->pos++;
			ret = parse_number(parser, &last);
			if (ret)
				return ret;
			if (last < first)
				return wrong(parser, "the range %u-%u runs backwards", first, last);
		} else {
			selection->named[type][first / 64] |= 1ull << (first % 64);
		}
	}
	if (*parser->pos && *parser->pos != ',')
		return wrong(parser, "unexpected '%c'", *parser->pos);

	for (i = first; i <= last; i++)
		selection->mask[type][i / 64] |= 1ull << (i % 64);
	return 0;
}

int selection_add(struct selection *selection, const struct drm_panthor_perf_info *info,
		  const char *text, char *error, size_t error_size)
{
	struct parser parser = {
		.info = info,
		.text = text,
		.pos = text,
		.error = error,
		.error_size = error_size,
	};
	struct selection sum = *selection;

	for (;;) {
		int ret = parse_item(&parser, &sum);

		if (ret)
			return ret;
		if (!*parser.pos)
			break;
		parser.pos++;
	}
	*selection = sum;
	return 0;
}

void selection_add_all(struct selection *selection, const struct drm_panthor_perf_info *info)
{
	unsigned int type, i;

	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		if (!panthor_perf_block_count(info, type))
			continue;
		for (i = FIRST_COUNTER; i < counter_limit(info); i++)
			selection->mask[type][i / 64] |= 1ull << (i % 64);
	}
}

static bool has_bit(const uint64_t masks[][MAX_COUNTERS / 64], unsigned int type,
		    unsigned int index)
{
	return type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT && index < MAX_COUNTERS &&
	       masks[type][index / 64] >> (index % 64) & 1;
}

bool selection_has(const struct selection *selection, unsigned int type, unsigned int index)
{
	return has_bit(selection->mask, type, index);
}

bool selection_is_named(const struct selection *selection, unsigned int type, unsigned int index)
{
	return has_bit(selection->named, type, index);
}

unsigned int selection_count(const struct selection *selection, unsigned int type)
{
	unsigned int count = 0, word;

	if (type >= DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT)
		return 0;
	for (word = 0; word < MAX_COUNTERS / 64; word++)
		count += __builtin_popcountll(selection->mask[type][word]);
	return count;
}

size_t selection_sections(const struct selection *selection,
			  struct drm_panthor_perf_section *sections)
{
	unsigned int type, word;
	size_t count = 0;

	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		for (word = 0; word < MAX_COUNTERS / 64; word++) {
			if (!selection->mask[type][word])
				continue;
			sections[count++] = (struct drm_panthor_perf_section) {
				.block_type = type,
				.first_counter = word * 64,
				.mask = selection->mask[type][word],
			};
		}
	}
	return count;
}
