// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "panthor_perf_select.h"

#define TYPES		DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT
#define WORDS		(PANTHOR_PERF_MAX_COUNTERS / 64)
#define MAX_NAME	128

/**
 * struct choice - what a text selects
 */
struct choice {
	/** @mask: By block type: bit n % 64 of word n / 64 is counter n. */
	uint64_t mask[TYPES][WORDS];

	/** @named: Those of @mask that were selected by their number alone. */
	uint64_t named[TYPES][WORDS];

	/** @counters: Counters that were selected by name. */
	const struct panthor_perf_counter **counters;

	/** @count: Their number. */
	size_t count;
};

/**
 * struct panthor_perf_selection - the counters that are wanted
 */
struct panthor_perf_selection {
	/** @info: Counter configuration of the GPU. */
	struct drm_panthor_perf_info info;

	/** @table: Table of the GPU, %NULL if there is none. */
	const struct panthor_perf_table *table;

	/** @counter_set: Counter set. */
	unsigned int counter_set;

	/** @choice: What is selected. */
	struct choice choice;

	/** @sections: The same as sections. */
	struct drm_panthor_perf_section sections[TYPES * WORDS];
};

/**
 * struct parser - where parsing is, and where it puts things
 */
struct parser {
	/** @selection: The selection, as it is. */
	const struct panthor_perf_selection *selection;

	/** @choice: What it becomes. */
	struct choice choice;

	/** @text: The whole text. */
	const char *text;

	/** @pos: What is not parsed yet. */
	const char *pos;

	/** @error: Where a message is written, %NULL: nowhere. */
	struct panthor_perf_error *error;
};

__attribute__((format(printf, 2, 3)))
static int wrong(const struct parser *parser, const char *format, ...)
{
	struct panthor_perf_error *error = parser->error;
	va_list args;

	if (!error)
		return -EINVAL;
	memset(error, 0, sizeof(*error));
	error->column = parser->pos - parser->text + 1;
	va_start(args, format);
	vsnprintf(error->message, sizeof(error->message), format, args);
	va_end(args);
	return -EINVAL;
}

static unsigned int counter_limit(const struct panthor_perf_selection *selection)
{
	uint32_t count = selection->info.counters_per_block;

	return count < PANTHOR_PERF_MAX_COUNTERS ? count : PANTHOR_PERF_MAX_COUNTERS;
}

static void set_bit(uint64_t masks[][WORDS], unsigned int type, unsigned int index)
{
	masks[type][index / 64] |= 1ull << (index % 64);
}

static bool has_bit(const uint64_t masks[][WORDS], unsigned int type, unsigned int index)
{
	return type < TYPES && index < PANTHOR_PERF_MAX_COUNTERS &&
	       masks[type][index / 64] >> (index % 64) & 1;
}

static bool exists(const struct panthor_perf_selection *selection, unsigned int type,
		   unsigned int index)
{
	return type < TYPES && panthor_perf_block_count(&selection->info, type) &&
	       index >= PANTHOR_PERF_FIRST_COUNTER && index < counter_limit(selection);
}

static int parse_block(struct parser *parser, size_t length, unsigned int *type)
{
	unsigned int i;

	for (i = 1; i < TYPES; i++) {
		const char *name = panthor_perf_block_name(i);

		if (name && strlen(name) == length && !strncasecmp(name, parser->pos, length))
			break;
	}
	if (i == TYPES)
		return wrong(parser, "there is no block type '%.*s': use fw, cshw, tiler, memsys, "
			     "shader or csg", (int)length, parser->pos);
	if (!panthor_perf_block_count(&parser->selection->info, i))
		return wrong(parser, "this GPU has no blocks of type %s",
			     panthor_perf_block_name(i));
	*type = i;
	parser->pos += length + 1;
	return 0;
}

static int parse_number(struct parser *parser, unsigned int *number)
{
	unsigned int limit = counter_limit(parser->selection);
	size_t digits = strspn(parser->pos, "0123456789");
	unsigned long value;

	if (!digits)
		return wrong(parser, "a counter index, a range or '*' is missing");
	errno = 0;
	value = strtoul(parser->pos, NULL, 10);
	if (errno || value >= limit)
		return wrong(parser, "counter %.*s does not exist: the last is %u", (int)digits,
			     parser->pos, limit - 1);
	if (value < PANTHOR_PERF_FIRST_COUNTER)
		return wrong(parser, "counters 0 to %u never count",
			     PANTHOR_PERF_FIRST_COUNTER - 1);
	*number = value;
	parser->pos += digits;
	return 0;
}

/* BLOCK:INDEX, BLOCK:A-B or BLOCK:*; BLOCK is of the given length. */
static int parse_place(struct parser *parser, size_t length)
{
	unsigned int type = 0, first, last, i;
	int ret = parse_block(parser, length, &type);

	if (ret)
		return ret;
	if (*parser->pos == '*') {
		parser->pos++;
		first = PANTHOR_PERF_FIRST_COUNTER;
		last = counter_limit(parser->selection) - 1;
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
			set_bit(parser->choice.named, type, first);
		}
	}
	if (*parser->pos && *parser->pos != ',')
		return wrong(parser, "unexpected '%c'", *parser->pos);

	for (i = first; i <= last; i++)
		set_bit(parser->choice.mask, type, i);
	return 0;
}

/* The hardware counters behind a counter: itself, or what its formula needs. */
static uint32_t inputs_of(const struct panthor_perf_counter *counter, const uint32_t **numbers)
{
	uint32_t count;

	if (counter->kind == PANTHOR_PERF_COUNTER_HARDWARE) {
		*numbers = &counter->number;
		return 1;
	}
	*numbers = panthor_perf_expr_inputs(counter->expr, &count);
	return *numbers ? count : 0;
}

/* Takes a counter of the table, unless it cannot be had: then it says why if it is asked to. */
static int take(struct parser *parser, const struct panthor_perf_counter *counter, bool tell)
{
	const struct panthor_perf_selection *selection = parser->selection;
	const struct panthor_perf_counter **counters;
	const struct panthor_perf_counter *hardware;
	struct choice *choice = &parser->choice;
	const uint32_t *numbers;
	uint32_t all, count, i;

	hardware = panthor_perf_table_counters(selection->table, PANTHOR_PERF_COUNTER_HARDWARE,
					       &all);
	count = inputs_of(counter, &numbers);
	for (i = 0; i < count; i++) {
		const struct panthor_perf_counter *input = &hardware[numbers[i]];
		const char *set = panthor_perf_set_name(input->set);
		const char *block = panthor_perf_block_name(input->type);

		if (input->set != selection->counter_set)
			return tell ? wrong(parser, "%s is of the counter set %s", counter->name,
					    set ? set : "of another number") : -ENOENT;
		if (!exists(selection, input->type, input->index))
			return tell ? wrong(parser, "%s: this GPU has no counter %s:%u",
					    counter->name, block ? block : "?", input->index) :
				      -ENOENT;
	}
	for (i = 0; i < count; i++)
		set_bit(choice->mask, hardware[numbers[i]].type, hardware[numbers[i]].index);

	for (i = 0; i < choice->count; i++)
		if (choice->counters[i] == counter)
			return 0;
	counters = realloc(choice->counters, (choice->count + 1) * sizeof(*counters));
	if (!counters)
		return -ENOMEM;
	choice->counters = counters;
	choice->counters[choice->count++] = counter;
	return 0;
}

static int parse_pattern(struct parser *parser, const char *pattern)
{
	bool found = false, matched = false;
	unsigned int kind;
	uint32_t count, i;

	for (kind = PANTHOR_PERF_COUNTER_HARDWARE; kind <= PANTHOR_PERF_COUNTER_DERIVED; kind++) {
		const struct panthor_perf_counter *counters =
			panthor_perf_table_counters(parser->selection->table, kind, &count);

		for (i = 0; counters && i < count; i++) {
			int ret;

			if (fnmatch(pattern, counters[i].name, FNM_CASEFOLD))
				continue;
			matched = true;
			ret = take(parser, &counters[i], false);
			if (ret == -ENOMEM)
				return ret;
			found |= !ret;
		}
	}
	if (!matched)
		return wrong(parser, "no counter matches '%s'", pattern);
	if (!found)
		return wrong(parser, "this GPU or counter set has none of the counters that match "
			     "'%s'", pattern);
	return 0;
}

static int parse_name(struct parser *parser, size_t length)
{
	const struct panthor_perf_table *table = parser->selection->table;
	const struct panthor_perf_counter *counter;
	char name[MAX_NAME];
	int ret;

	if (!table)
		return wrong(parser, "'%.*s' is not BLOCK:INDEX, and there is no counter table "
			     "with names for this GPU", (int)length, parser->pos);
	if (length >= sizeof(name))
		return wrong(parser, "a name of more than %zu characters", sizeof(name) - 1);
	memcpy(name, parser->pos, length);
	name[length] = 0;
	if (strpbrk(name, "*?[")) {
		ret = parse_pattern(parser, name);
	} else {
		counter = panthor_perf_table_counter(table, name);
		if (!counter) {
			const struct panthor_perf_counter *nearest =
				panthor_perf_table_nearest(table, name);

			return nearest ? wrong(parser, "there is no counter '%s'; is it %s?", name,
					       nearest->name) :
					 wrong(parser, "there is no counter '%s'", name);
		}
		ret = take(parser, counter, true);
	}
	parser->pos += length;
	return ret;
}

static int parse_item(struct parser *parser)
{
	size_t length = strcspn(parser->pos, ":,");

	if (!length)
		return wrong(parser, "a counter is missing");
	if (parser->pos[length] == ':')
		return parse_place(parser, length);
	return parse_name(parser, length);
}

/* Copies a choice, with an array of its own. */
static int copy_choice(struct choice *to, const struct choice *from)
{
	*to = *from;
	if (!from->count)
		return 0;
	to->counters = malloc(from->count * sizeof(*to->counters));
	if (!to->counters)
		return -ENOMEM;
	memcpy(to->counters, from->counters, from->count * sizeof(*to->counters));
	return 0;
}

int panthor_perf_selection_create(const struct drm_panthor_perf_info *info,
				  const struct panthor_perf_table *table, unsigned int counter_set,
				  struct panthor_perf_selection **selection)
{
	struct panthor_perf_selection *sel = calloc(1, sizeof(*sel));

	if (!sel)
		return -ENOMEM;
	sel->info = *info;
	sel->table = table;
	sel->counter_set = counter_set;
	*selection = sel;
	return 0;
}

void panthor_perf_selection_free(struct panthor_perf_selection *selection)
{
	if (!selection)
		return;
	free(selection->choice.counters);
	free(selection);
}

int panthor_perf_selection_add(struct panthor_perf_selection *selection, const char *text,
			       struct panthor_perf_error *error)
{
	struct parser parser = {
		.selection = selection,
		.text = text,
		.pos = text,
		.error = error,
	};
	int ret = copy_choice(&parser.choice, &selection->choice);

	if (ret)
		return ret;
	for (;;) {
		ret = parse_item(&parser);
		if (ret) {
			free(parser.choice.counters);
			return ret;
		}
		if (!*parser.pos)
			break;
		parser.pos++;
	}
	free(selection->choice.counters);
	selection->choice = parser.choice;
	return 0;
}

int panthor_perf_selection_add_counter(struct panthor_perf_selection *selection, unsigned int type,
				       unsigned int index)
{
	if (!exists(selection, type, index))
		return -EINVAL;
	set_bit(selection->choice.mask, type, index);
	return 0;
}

void panthor_perf_selection_add_all(struct panthor_perf_selection *selection)
{
	unsigned int type, i;

	for (type = 1; type < TYPES; type++)
		for (i = PANTHOR_PERF_FIRST_COUNTER; i < counter_limit(selection); i++)
			panthor_perf_selection_add_counter(selection, type, i);
}

bool panthor_perf_selection_has(const struct panthor_perf_selection *selection, unsigned int type,
				unsigned int index)
{
	return has_bit(selection->choice.mask, type, index);
}

bool panthor_perf_selection_is_named(const struct panthor_perf_selection *selection,
				     unsigned int type, unsigned int index)
{
	return has_bit(selection->choice.named, type, index);
}

unsigned int panthor_perf_selection_count(const struct panthor_perf_selection *selection,
					  unsigned int type)
{
	unsigned int count = 0, word;

	if (type >= TYPES)
		return 0;
	for (word = 0; word < WORDS; word++)
		count += __builtin_popcountll(selection->choice.mask[type][word]);
	return count;
}

const struct drm_panthor_perf_section *
panthor_perf_selection_sections(struct panthor_perf_selection *selection, size_t *count)
{
	unsigned int type, word;

	*count = 0;
	for (type = 1; type < TYPES; type++) {
		for (word = 0; word < WORDS; word++) {
			if (!selection->choice.mask[type][word])
				continue;
			selection->sections[(*count)++] = (struct drm_panthor_perf_section) {
				.block_type = type,
				.first_counter = word * 64,
				.mask = selection->choice.mask[type][word],
			};
		}
	}
	return selection->sections;
}

const struct panthor_perf_counter *const *
panthor_perf_selection_counters(const struct panthor_perf_selection *selection, size_t *count)
{
	*count = selection->choice.count;
	return selection->choice.counters;
}
