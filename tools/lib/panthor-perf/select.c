// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "internal.h"
#include "panthor_perf_select.h"
#include "table.h"

#define TYPES		DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT
#define WORDS		(PANTHOR_PERF_MAX_COUNTERS / 64)
#define MAX_NAME	128
#define ALNUM		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/**
 * struct chosen - an item of a selection
 */
struct chosen {
	/** @item: What the caller sees. Its name is set when all items are there. */
	struct panthor_perf_item item;

	/** @place: Its name if the table does not know it. */
	char place[24];
};

/**
 * struct choice - what a text selects
 */
struct choice {
	/** @mask: By block type: bit n % 64 of word n / 64 is counter n. */
	uint64_t mask[TYPES][WORDS];

	/** @number: By block type and index: number of its item + 1, 0: none. */
	uint16_t number[TYPES][PANTHOR_PERF_MAX_COUNTERS];

	/** @items: What was selected. */
	struct chosen *items;

	/** @count: Number of @items. */
	size_t count;

	/** @room: Number of elements of @items. */
	size_t room;
};

/**
 * struct panthor_perf_selection - the counters that are wanted
 */
struct panthor_perf_selection {
	/** @gpu: The GPU. */
	const struct panthor_perf_gpu *gpu;

	/** @table: Table of the GPU, %NULL if there is none. */
	const struct panthor_perf_table *table;

	/** @counter_set: Counter set. */
	unsigned int counter_set;

	/** @choice: What is selected. */
	struct choice choice;
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

static unsigned int column_of(const struct parser *parser)
{
	return parser->pos - parser->text + 1;
}

/* Fails with a message about the place where parsing is: expects a variable of that name. */
#define wrong(...) \
	panthor_perf_fail_at(parser->error, -EINVAL, NULL, 0, column_of(parser), __VA_ARGS__)

static unsigned int counter_limit(const struct panthor_perf_selection *selection)
{
	uint32_t count = selection->gpu->info.counters_per_block;

	return count < PANTHOR_PERF_MAX_COUNTERS ? count : PANTHOR_PERF_MAX_COUNTERS;
}

static void set_bit(struct choice *choice, unsigned int type, unsigned int index)
{
	choice->mask[type][index / 64] |= 1ull << (index % 64);
}

static bool exists(const struct panthor_perf_selection *selection, unsigned int type,
		   unsigned int index)
{
	return type < TYPES && panthor_perf_gpu_block_count(selection->gpu, type) &&
	       index >= PANTHOR_PERF_FIRST_COUNTER && index < counter_limit(selection);
}

/* Makes room for another item. */
static struct chosen *add_item(struct choice *choice)
{
	if (choice->count == choice->room) {
		size_t room = choice->room ? 2 * choice->room : 16;
		struct chosen *items = reallocarray(choice->items, room, sizeof(*items));

		if (!items)
			return NULL;
		choice->items = items;
		choice->room = room;
	}
	memset(&choice->items[choice->count], 0, sizeof(*choice->items));
	return &choice->items[choice->count++];
}

/* Selects a counter that exists by its place. */
static int choose_place(const struct panthor_perf_selection *selection, struct choice *choice,
			unsigned int type, unsigned int index, bool by_pattern)
{
	uint16_t *number = &choice->number[type][index];
	struct chosen *chosen;

	if (*number) {
		choice->items[*number - 1].item.by_pattern &= by_pattern;
		return 0;
	}
	chosen = add_item(choice);
	if (!chosen)
		return -ENOMEM;
	*number = choice->count;
	set_bit(choice, type, index);
	chosen->item.type = type;
	chosen->item.index = index;
	chosen->item.by_pattern = by_pattern;
	if (selection->table)
		chosen->item.counter = panthor_perf_table_counter_at(selection->table,
								     selection->counter_set, type,
								     index);
	snprintf(chosen->place, sizeof(chosen->place), "%s:%u", panthor_perf_block_name(type),
		 index);
	return 0;
}

static int choose_derived(struct choice *choice, const struct panthor_perf_counter *counter,
			  bool by_pattern)
{
	struct chosen *chosen;
	size_t i;

	for (i = 0; i < choice->count; i++) {
		if (choice->items[i].item.counter == counter) {
			choice->items[i].item.by_pattern &= by_pattern;
			return 0;
		}
	}
	chosen = add_item(choice);
	if (!chosen)
		return -ENOMEM;
	chosen->item.counter = counter;
	chosen->item.by_pattern = by_pattern;
	return 0;
}

/* Names of places are within items, which do not move any more. */
static void set_names(struct choice *choice)
{
	size_t i;

	for (i = 0; i < choice->count; i++) {
		struct chosen *chosen = &choice->items[i];

		chosen->item.name = chosen->item.counter ? chosen->item.counter->name :
							   chosen->place;
	}
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
		return wrong("there is no block type '%.*s': use fw, cshw, tiler, memsys, "
			     "shader, neural or csg", (int)length, parser->pos);
	if (!panthor_perf_gpu_block_count(parser->selection->gpu, i))
		return wrong("this GPU has no blocks of type %s",
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
		return wrong("a counter index, a range or '*' is missing");
	errno = 0;
	value = strtoul(parser->pos, NULL, 10);
	if (errno || value >= limit)
		return wrong("counter %.*s does not exist: the last is %u", (int)digits,
			     parser->pos, limit - 1);
	if (value < PANTHOR_PERF_FIRST_COUNTER)
		return wrong("counters 0 to %u never count",
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
	bool by_pattern = true;

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
		by_pattern = *parser->pos == '-';
		if (by_pattern) {
			parser->pos++;
			ret = parse_number(parser, &last);
			if (ret)
				return ret;
			if (last < first)
				return wrong("the range %u-%u runs backwards", first, last);
		}
	}
	if (*parser->pos && *parser->pos != ',')
		return wrong("unexpected '%c'", *parser->pos);

	for (i = first; i <= last && !ret; i++)
		ret = choose_place(parser->selection, &parser->choice, type, i, by_pattern);
	return ret;
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

/* Takes a counter of the table, if the GPU has it. If not, there is a message but for patterns. */
static int take(struct parser *parser, const struct panthor_perf_counter *counter, bool by_pattern)
{
	const struct panthor_perf_selection *selection = parser->selection;
	struct choice *choice = &parser->choice;
	const uint32_t *numbers;
	uint32_t count, i;

	count = inputs_of(counter, &numbers);
	for (i = 0; i < count; i++) {
		const struct panthor_perf_counter *input =
			panthor_perf_table_counter_by_number(selection->table,
							     PANTHOR_PERF_COUNTER_HARDWARE,
							     numbers[i]);
		const char *set = panthor_perf_set_name(input->set);
		const char *block = panthor_perf_block_name(input->type);

		if (input->set != selection->counter_set)
			return by_pattern ? -ENOENT :
			       wrong("%s is of the counter set %s", counter->name,
				     set ? set : "of another number");
		if (!exists(selection, input->type, input->index))
			return by_pattern ? -ENOENT :
			       wrong("%s: this GPU has no counter %s:%u", counter->name,
				     block ? block : "?", input->index);
		if (counter->kind == PANTHOR_PERF_COUNTER_HARDWARE)
			return choose_place(selection, choice, input->type, input->index,
					    by_pattern);
	}
	for (i = 0; i < count; i++) {
		const struct panthor_perf_counter *input =
			panthor_perf_table_counter_by_number(selection->table,
							     PANTHOR_PERF_COUNTER_HARDWARE,
							     numbers[i]);

		set_bit(choice, input->type, input->index);
	}
	return choose_derived(choice, counter, by_pattern);
}

static int parse_pattern(struct parser *parser, const char *pattern)
{
	const struct panthor_perf_table *table = parser->selection->table;
	bool found = false, matched = false;
	unsigned int kind;
	uint32_t i;

	for (kind = PANTHOR_PERF_COUNTER_HARDWARE; kind <= PANTHOR_PERF_COUNTER_DERIVED; kind++) {
		for (i = 0; i < panthor_perf_table_counter_count(table, kind); i++) {
			const struct panthor_perf_counter *counter =
				panthor_perf_table_counter_by_number(table, kind, i);
			int ret;

			if (fnmatch(pattern, counter->name, FNM_CASEFOLD))
				continue;
			matched = true;
			ret = take(parser, counter, true);
			if (ret == -ENOMEM)
				return ret;
			found |= !ret;
		}
	}
	if (!matched)
		return wrong("no counter matches '%s'", pattern);
	if (!found)
		return wrong("this GPU or counter set has none of the counters that match "
			     "'%s'", pattern);
	return 0;
}

/* Does the name of a group begin with a text? Only letters and digits count, in any case. */
static bool group_begins(const char *group, const char *text)
{
	while (*text) {
		if (!isalnum((unsigned char)*text)) {
			text++;
			continue;
		}
		while (*group && !isalnum((unsigned char)*group))
			group++;
		if (tolower((unsigned char)*group++) != tolower((unsigned char)*text++))
			return false;
	}
	return true;
}

/* Writes what a text may have behind @ for each group of derived counters. */
static void list_groups(const struct panthor_perf_table *table, char *list, size_t size)
{
	const struct panthor_perf_counter *counter;
	const char *group = NULL;
	size_t used;
	uint32_t i;

	used = snprintf(list, size, "default");
	for (i = 0; (counter = panthor_perf_table_counter_by_number(table,
								    PANTHOR_PERF_COUNTER_DERIVED,
								    i)); i++) {
		const char *c;

		if (!counter->group || (group && !strcmp(group, counter->group)))
			continue;
		group = counter->group;
		if (used + strlen(group) + 3 > size)
			return;
		used += snprintf(list + used, size - used, ", ");
		for (c = group; *c; c++) {
			if (isalnum((unsigned char)*c))
				list[used++] = tolower((unsigned char)*c);
			else if (list[used - 1] != '-')
				list[used++] = '-';
		}
		list[used] = 0;
	}
}

/* @GROUP: the derived counters of a group, @default: those that are shown by default. */
static int parse_group(struct parser *parser, size_t length)
{
	const struct panthor_perf_table *table = parser->selection->table;
	const struct panthor_perf_counter *counter;
	bool found = false, matched = false;
	char name[MAX_NAME], groups[256];
	uint32_t i;
	int ret;

	if (!table)
		return wrong("there is no counter table with groups for this GPU");
	if (length >= sizeof(name))
		return wrong("a name of more than %zu characters", sizeof(name) - 1);
	memcpy(name, parser->pos + 1, length - 1);
	name[length - 1] = 0;
	for (i = 0; (counter = panthor_perf_table_counter_by_number(table,
								    PANTHOR_PERF_COUNTER_DERIVED,
								    i)); i++) {
		bool defaults = !strcasecmp(name, "default") && counter->is_default;

		if (!defaults && (!strpbrk(name, ALNUM) || !counter->group ||
				  !group_begins(counter->group, name)))
			continue;
		matched = true;
		ret = take(parser, counter, true);
		if (ret == -ENOMEM)
			return ret;
		found |= !ret;
	}
	list_groups(table, groups, sizeof(groups));
	if (!matched)
		return wrong("there is no group '@%s': use @ and one of %s", name, groups);
	if (!found)
		return wrong("this GPU or counter set has none of the counters of '@%s'", name);
	parser->pos += length;
	return 0;
}

static int parse_name(struct parser *parser, size_t length)
{
	const struct panthor_perf_table *table = parser->selection->table;
	const struct panthor_perf_counter *counter;
	char name[MAX_NAME];
	int ret;

	if (!table)
		return wrong("'%.*s' is not BLOCK:INDEX, and there is no counter table "
			     "with names for this GPU", (int)length, parser->pos);
	if (length >= sizeof(name))
		return wrong("a name of more than %zu characters", sizeof(name) - 1);
	memcpy(name, parser->pos, length);
	name[length] = 0;
	if (strpbrk(name, "*?[")) {
		ret = parse_pattern(parser, name);
	} else {
		counter = panthor_perf_table_counter(table, name);
		if (!counter) {
			const struct panthor_perf_counter *nearest =
				panthor_perf_table_nearest(table, name);

			return nearest ? wrong("there is no counter '%s'; is it %s?", name,
					       nearest->name) :
					 wrong("there is no counter '%s'", name);
		}
		ret = take(parser, counter, false);
	}
	parser->pos += length;
	return ret;
}

static int parse_item(struct parser *parser)
{
	size_t length = strcspn(parser->pos, ":,");

	if (!length)
		return wrong("a counter is missing");
	if (*parser->pos == '@' && parser->pos[length] != ':')
		return parse_group(parser, length);
	if (parser->pos[length] == ':')
		return parse_place(parser, length);
	return parse_name(parser, length);
}

/* Copies a choice, with an array of its own. */
static int copy_choice(struct choice *to, const struct choice *from)
{
	*to = *from;
	to->items = NULL;
	to->room = from->count;
	if (!from->count)
		return 0;
	to->items = malloc(from->count * sizeof(*to->items));
	if (!to->items)
		return -ENOMEM;
	memcpy(to->items, from->items, from->count * sizeof(*to->items));
	return 0;
}

int panthor_perf_selection_create(const struct panthor_perf_gpu *gpu,
				  const struct panthor_perf_table *table, unsigned int counter_set,
				  struct panthor_perf_selection **selection,
				  struct panthor_perf_error *error)
{
	struct panthor_perf_selection *sel;

	if (!gpu)
		return panthor_perf_fail(error, -EINVAL, "there is no GPU");
	sel = calloc(1, sizeof(*sel));
	if (!sel)
		return panthor_perf_fail_memory(error);
	sel->gpu = gpu;
	sel->table = table;
	panthor_perf_use(&gpu->users);
	if (table)
		panthor_perf_use(&table->users);
	sel->counter_set = counter_set;
	*selection = sel;
	return 0;
}

void panthor_perf_selection_destroy(struct panthor_perf_selection *selection)
{
	if (!selection)
		return;
	panthor_perf_unuse(&selection->gpu->users);
	if (selection->table)
		panthor_perf_unuse(&selection->table->users);
	free(selection->choice.items);
	free(selection);
}

static struct parser *parser_create(const struct panthor_perf_selection *selection,
				    const char *text, struct panthor_perf_error *error)
{
	struct parser *parser = calloc(1, sizeof(*parser));

	if (!parser)
		return NULL;
	if (copy_choice(&parser->choice, &selection->choice)) {
		free(parser);
		return NULL;
	}
	parser->selection = selection;
	parser->text = text;
	parser->pos = text;
	parser->error = error;
	return parser;
}

/* Puts what was parsed in place of what was there, unless parsing failed. */
static int parser_finish(struct parser *parser, struct panthor_perf_selection *selection, int ret)
{
	if (ret == -ENOMEM)
		panthor_perf_fail_memory(parser->error);
	if (ret) {
		free(parser->choice.items);
	} else {
		free(selection->choice.items);
		selection->choice = parser->choice;
		set_names(&selection->choice);
	}
	free(parser);
	return ret;
}

int panthor_perf_selection_add(struct panthor_perf_selection *selection, const char *text,
			       struct panthor_perf_error *error)
{
	struct parser *parser = parser_create(selection, text, error);
	int ret;

	if (!parser)
		return panthor_perf_fail_memory(error);
	for (;;) {
		ret = parse_item(parser);
		if (ret || !*parser->pos)
			return parser_finish(parser, selection, ret);
		parser->pos++;
	}
}

int panthor_perf_selection_add_counter(struct panthor_perf_selection *selection, unsigned int type,
				       unsigned int index, struct panthor_perf_error *error)
{
	const char *block = panthor_perf_block_name(type);

	if (!exists(selection, type, index))
		return panthor_perf_fail(error, -EINVAL, "this GPU has no counter %s:%u",
					 block ? block : "?", index);
	if (choose_place(selection, &selection->choice, type, index, false))
		return panthor_perf_fail_memory(error);
	set_names(&selection->choice);
	return 0;
}

int panthor_perf_selection_add_all(struct panthor_perf_selection *selection,
				   struct panthor_perf_error *error)
{
	struct parser *parser = parser_create(selection, "", error);
	unsigned int type, i;
	int ret = 0;

	if (!parser)
		return panthor_perf_fail_memory(error);
	for (type = 1; type < TYPES; type++)
		for (i = PANTHOR_PERF_FIRST_COUNTER; i < counter_limit(selection) && !ret; i++)
			if (exists(selection, type, i))
				ret = choose_place(selection, &parser->choice, type, i, true);
	return parser_finish(parser, selection, ret);
}

int panthor_perf_selection_add_sections(struct panthor_perf_selection *selection,
					const void *sections, size_t section_size, size_t count,
					struct panthor_perf_error *error)
{
	struct parser *parser;
	unsigned int bit;
	size_t n;
	int ret = 0;

	if (section_size < sizeof(struct drm_panthor_perf_section))
		return panthor_perf_fail(error, -EINVAL, "a section has at least %zu bytes, not "
					 "%zu", sizeof(struct drm_panthor_perf_section),
					 section_size);
	parser = parser_create(selection, "", error);
	if (!parser)
		return panthor_perf_fail_memory(error);
	for (n = 0; n < count && !ret; n++) {
		struct drm_panthor_perf_section section;

		memcpy(&section, (const char *)sections + n * section_size, sizeof(section));
		for (bit = 0; bit < 64 && !ret; bit++) {
			unsigned int index = section.first_counter + bit;

			if (section.mask >> bit & 1 && exists(selection, section.block_type, index))
				ret = choose_place(selection, &parser->choice, section.block_type,
						   index, false);
		}
	}
	return parser_finish(parser, selection, ret);
}

bool panthor_perf_selection_has(const struct panthor_perf_selection *selection, unsigned int type,
				unsigned int index)
{
	return type < TYPES && index < PANTHOR_PERF_MAX_COUNTERS &&
	       selection->choice.mask[type][index / 64] >> (index % 64) & 1;
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

unsigned int panthor_perf_selection_counter_set(const struct panthor_perf_selection *selection)
{
	return selection->counter_set;
}

const struct panthor_perf_gpu *
panthor_perf_selection_gpu(const struct panthor_perf_selection *selection)
{
	return selection->gpu;
}

const struct panthor_perf_table *
panthor_perf_selection_table(const struct panthor_perf_selection *selection)
{
	return selection->table;
}

size_t panthor_perf_selection_sections(const struct panthor_perf_selection *selection,
				       void *sections, size_t section_size, size_t count)
{
	unsigned int type, word;
	size_t n = 0;

	for (type = 1; type < TYPES; type++) {
		for (word = 0; word < WORDS; word++) {
			struct drm_panthor_perf_section section = {
				.block_type = type,
				.first_counter = word * 64,
				.mask = selection->choice.mask[type][word],
			};

			if (!section.mask)
				continue;
			if (n < count)
				panthor_perf_copy_known((char *)sections + n * section_size,
							section_size, &section, sizeof(section));
			n++;
		}
	}
	return n;
}

size_t panthor_perf_selection_sample_size(const struct panthor_perf_selection *selection)
{
	const struct drm_panthor_perf_info *info = &selection->gpu->info;
	uint64_t size = info->sample_header_size;
	unsigned int type;

	for (type = 1; type < TYPES; type++) {
		uint64_t counters = panthor_perf_selection_count(selection, type);

		if (counters)
			size += panthor_perf_gpu_block_count(selection->gpu, type) *
				(info->block_header_size + 8 * counters);
	}
	return size > INT_MAX ? 0 : size;
}

size_t panthor_perf_selection_item_count(const struct panthor_perf_selection *selection)
{
	return selection->choice.count;
}

const struct panthor_perf_item *
panthor_perf_selection_item(const struct panthor_perf_selection *selection, size_t number)
{
	return number < selection->choice.count ? &selection->choice.items[number].item : NULL;
}
