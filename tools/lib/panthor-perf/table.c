// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "expr.h"
#include "internal.h"
#include "table.h"

static const char *const unit_names[] = {
	"beats", "blocks", "boxes", "bytes", "bytes/s", "cycles", "hertz", "instructions",
	"interrupts", "issues", "jobs", "nodes", "percent", "pixels", "pixels/s",
	"primitives", "primitives/s", "quads", "rays", "requests", "requests/s", "seconds",
	"tasks", "tests", "threads", "tiles", "transactions", "units", "warps",
};

static const struct panthor_perf_counter *slot_counter(const struct panthor_perf_table *table,
						       const struct table_slot *slot)
{
	return &table->lists[slot->kind].counters[slot->number];
}

static unsigned char lower(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* FNV-1a of the name in lower case. */
static uint32_t hash(const char *name, size_t size)
{
	uint32_t value = 2166136261u;
	size_t i;

	for (i = 0; i < size; i++)
		value = (value ^ lower(name[i])) * 16777619u;
	return value;
}

static bool same(const char *a, const char *b, size_t size)
{
	return strlen(a) == size && !strncasecmp(a, b, size);
}

static void put_slot(struct table_slot *slots, uint32_t count, const struct table_slot *slot)
{
	uint32_t i = hash(slot->name, strlen(slot->name));

	while (slots[i & (count - 1)].name)
		i++;
	slots[i & (count - 1)] = *slot;
}

static int grow_index(struct panthor_perf_table *table)
{
	uint32_t i, count = table->slot_count ? 2 * table->slot_count : 1024;
	struct table_slot *slots = calloc(count, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (i = 0; i < table->slot_count; i++)
		if (table->slots[i].name)
			put_slot(slots, count, &table->slots[i]);
	free(table->slots);
	table->slots = slots;
	table->slot_count = count;
	return 0;
}

int table_index(struct panthor_perf_table *table, const struct panthor_perf_counter *counter,
		bool is_source)
{
	struct table_slot slot = {
		.name = is_source ? counter->source : counter->name,
		.kind = counter->kind,
		.is_source = is_source,
		.number = counter->number,
	};
	size_t size = strlen(slot.name);
	uint32_t i;
	int ret;

	if (2 * table->slots_used >= table->slot_count) {
		ret = grow_index(table);
		if (ret)
			return ret;
	}
	for (i = hash(slot.name, size);; i++) {
		const struct table_slot *other = &table->slots[i & (table->slot_count - 1)];

		if (!other->name)
			break;
		if (other->is_source == is_source && same(other->name, slot.name, size))
			return -EEXIST;
	}
	table->slots[i & (table->slot_count - 1)] = slot;
	table->slots_used++;
	return 0;
}

void table_reindex(struct panthor_perf_table *table)
{
	const struct table_list *hardware = &table->lists[PANTHOR_PERF_COUNTER_HARDWARE];
	uint32_t i;

	if (!table->slot_count)
		return;
	memset(table->slots, 0, table->slot_count * sizeof(*table->slots));
	for (i = 0; i < hardware->count; i++) {
		const struct panthor_perf_counter *counter = &hardware->counters[i];
		struct table_slot slot = { counter->name, counter->kind, false, counter->number };

		put_slot(table->slots, table->slot_count, &slot);
		slot.name = counter->source;
		slot.is_source = true;
		if (slot.name)
			put_slot(table->slots, table->slot_count, &slot);
	}
}

const struct panthor_perf_counter *table_find(const struct panthor_perf_table *table,
					      const char *name, size_t size, bool defines)
{
	const struct panthor_perf_counter *found = NULL;
	unsigned int rank, best = ~0u;
	uint32_t i;

	if (!table->slot_count)
		return NULL;
	for (i = hash(name, size); table->slots[i & (table->slot_count - 1)].name; i++) {
		const struct table_slot *slot = &table->slots[i & (table->slot_count - 1)];

		if (!same(slot->name, name, size) ||
		    (slot->kind == PANTHOR_PERF_COUNTER_DEFINE && !defines))
			continue;
		rank = (memcmp(slot->name, name, size) ? 2 : 0) + slot->is_source;
		if (rank < best) {
			best = rank;
			found = slot_counter(table, slot);
		}
	}
	return found;
}

/* Edit distance of two names in any case; more than @limit is returned as @limit + 1. */
static unsigned int distance(const char *a, size_t a_size, const char *b, size_t b_size,
			     unsigned int limit)
{
	unsigned int row[TABLE_MAX_NAME + 1];
	size_t i, j;

	if (a_size > TABLE_MAX_NAME || b_size > TABLE_MAX_NAME ||
	    (a_size > b_size ? a_size - b_size : b_size - a_size) > limit)
		return limit + 1;
	for (j = 0; j <= b_size; j++)
		row[j] = j;
	for (i = 1; i <= a_size; i++) {
		unsigned int diagonal = row[0], least = row[0] = i;

		for (j = 1; j <= b_size; j++) {
			unsigned int replace = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
			unsigned int insert = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

			diagonal = row[j];
			row[j] = replace < insert ? replace : insert;
			if (row[j] < least)
				least = row[j];
		}
		if (least > limit)
			return limit + 1;
	}
	return row[b_size] > limit ? limit + 1 : row[b_size];
}

const struct panthor_perf_counter *table_nearest(const struct panthor_perf_table *table,
						 const char *name, size_t size, bool defines)
{
	const struct panthor_perf_counter *nearest = NULL;
	/* A third of the letters may be wrong, and no more than four. */
	unsigned int kind, limit = size < 11 ? (size + 1) / 3 : 4;
	uint32_t i;

	for (kind = 0; kind < PANTHOR_PERF_COUNTER_KINDS; kind++) {
		const struct table_list *list = &table->lists[kind];

		if (kind == PANTHOR_PERF_COUNTER_DEFINE && !defines)
			continue;
		for (i = 0; i < list->count && limit; i++) {
			const struct panthor_perf_counter *counter = &list->counters[i];
			unsigned int off = distance(name, size, counter->name,
						    strlen(counter->name), limit);

			if (counter->source) {
				unsigned int off_source = distance(name, size, counter->source,
								   strlen(counter->source), limit);

				if (off_source < off)
					off = off_source;
			}
			if (off > limit)
				continue;
			nearest = counter;
			/* The next one has to be better. */
			limit = off - 1;
			if (!off)
				return nearest;
		}
	}
	return nearest;
}

const char *table_unit(const char *name, size_t size)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(unit_names); i++)
		if (strlen(unit_names[i]) == size && !memcmp(unit_names[i], name, size))
			return unit_names[i];
	return NULL;
}

const char *panthor_perf_unit_name(unsigned int i)
{
	return i < ARRAY_SIZE(unit_names) ? unit_names[i] : NULL;
}

const char *panthor_perf_limit_name(unsigned int limit)
{
	switch (limit) {
	case PANTHOR_PERF_LIMIT_UNIT:
		return "unit";
	case PANTHOR_PERF_LIMIT_STALL:
		return "stall";
	case PANTHOR_PERF_LIMIT_IMBALANCE:
		return "imbalance";
	case PANTHOR_PERF_LIMIT_BANDWIDTH:
		return "bandwidth";
	case PANTHOR_PERF_LIMIT_BUSY:
		return "busy";
	case PANTHOR_PERF_LIMIT_QUEUE:
		return "queue";
	default:
		return NULL;
	}
}

void panthor_perf_table_destroy(struct panthor_perf_table *table)
{
	unsigned int kind;
	uint32_t i;

	if (!table)
		return;
	panthor_perf_unused(&table->users, "table");
	for (kind = 0; kind < PANTHOR_PERF_COUNTER_KINDS; kind++) {
		for (i = 0; i < table->lists[kind].count; i++)
			panthor_perf_expr_destroy((void *)table->lists[kind].counters[i].expr);
		free(table->lists[kind].counters);
	}
	free(table->places);
	free(table->slots);
	free(table->strings);
	free(table->text);
	free(table->file);
	free(table);
}

const char *panthor_perf_table_name(const struct panthor_perf_table *table)
{
	return table->name;
}

const char *panthor_perf_table_file(const struct panthor_perf_table *table)
{
	return table->file;
}

const char *panthor_perf_table_text(const struct panthor_perf_table *table, size_t *size)
{
	if (size)
		*size = table->size;
	return table->text;
}

void panthor_perf_gpu_arch(uint64_t gpu_id, unsigned int *arch_major, unsigned int *product_major)
{
	/* Ids that begin with 0xf have 64 bits. */
	bool wide = (gpu_id >> 28 & 0xf) == 0xf;

	if (arch_major)
		*arch_major = wide ? gpu_id >> 56 & 0xff : gpu_id >> 28 & 0xf;
	if (product_major)
		*product_major = wide ? gpu_id >> 32 & 0xff : gpu_id >> 16 & 0xf;
}

const char *panthor_perf_table_product(const struct panthor_perf_table *table, uint64_t gpu_id,
				       uint32_t core_count)
{
	const struct table_product *found = NULL;
	unsigned int arch_major, product_major, i;

	panthor_perf_gpu_arch(gpu_id, &arch_major, &product_major);
	for (i = 0; i < table->product_count; i++) {
		const struct table_product *product = &table->products[i];

		if (product->arch_major != arch_major || product->product_major != product_major)
			continue;
		if (product->below && (!core_count || core_count >= product->below))
			continue;
		/* Of two names the one for fewer cores. */
		if (!found || (product->below && (!found->below || product->below < found->below)))
			found = product;
	}
	return found ? found->name : NULL;
}

const char *panthor_perf_table_products(const struct panthor_perf_table *table, unsigned int i)
{
	return i < table->product_count ? table->products[i].name : NULL;
}

unsigned int panthor_perf_table_words(const struct panthor_perf_table *table)
{
	return table->words;
}

uint32_t panthor_perf_table_counter_count(const struct panthor_perf_table *table,
					  unsigned int kind)
{
	return kind < PANTHOR_PERF_COUNTER_KINDS ? table->lists[kind].count : 0;
}

const struct panthor_perf_counter *
panthor_perf_table_counter_by_number(const struct panthor_perf_table *table, unsigned int kind,
				     uint32_t number)
{
	return number < panthor_perf_table_counter_count(table, kind) ?
	       &table->lists[kind].counters[number] : NULL;
}

/* BLOCK:INDEX */
static const struct panthor_perf_counter *find_place(const struct panthor_perf_table *table,
						     const char *name, const char *colon)
{
	unsigned int type, index = 0;
	const char *digit;

	for (digit = colon + 1; *digit >= '0' && *digit <= '9' && index < TABLE_MAX_WORDS; digit++)
		index = 10 * index + (*digit - '0');
	if (*digit || digit == colon + 1)
		return NULL;
	for (type = 0; type < TABLE_TYPES; type++) {
		const char *block = panthor_perf_block_name(type);

		if (block && same(block, name, colon - name))
			return panthor_perf_table_counter_at(table,
							     DRM_PANTHOR_PERF_SET_PRIMARY,
							     type, index);
	}
	return NULL;
}

const struct panthor_perf_counter *
panthor_perf_table_counter(const struct panthor_perf_table *table, const char *name)
{
	const char *colon = strchr(name, ':');

	if (colon)
		return find_place(table, name, colon);
	return table_find(table, name, strlen(name), false);
}

const struct panthor_perf_counter *
panthor_perf_table_counter_at(const struct panthor_perf_table *table, unsigned int set,
			      unsigned int type, unsigned int index)
{
	uint32_t number;

	if (set >= TABLE_SETS || type >= TABLE_TYPES || index >= table->words)
		return NULL;
	number = table->places[table_place(table, set, type, index)];
	return number ? &table->lists[PANTHOR_PERF_COUNTER_HARDWARE].counters[number - 1] : NULL;
}

const struct panthor_perf_counter *
panthor_perf_table_nearest(const struct panthor_perf_table *table, const char *name)
{
	return table_nearest(table, name, strlen(name), false);
}

uint64_t panthor_perf_counter_value(const struct panthor_perf_counter *counter, uint64_t raw)
{
	return raw << counter->shift;
}

unsigned int panthor_perf_counter_block_type(const struct panthor_perf_table *table,
					     const struct panthor_perf_counter *counter)
{
	const struct table_list *hardware = &table->lists[PANTHOR_PERF_COUNTER_HARDWARE];
	unsigned int found = 0;
	const uint32_t *inputs;
	uint32_t count, i;

	if (counter->kind == PANTHOR_PERF_COUNTER_HARDWARE)
		return counter->type;
	inputs = panthor_perf_expr_inputs(counter->expr, &count);
	for (i = 0; i < count; i++) {
		unsigned int type = hardware->counters[inputs[i]].type;

		if (type != DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER &&
		    type != DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS &&
		    type != DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
			continue;
		if (found && found != type)
			return 0;
		found = type;
	}
	return found;
}

void panthor_perf_constants_set(struct panthor_perf_constants *constants,
				const struct panthor_perf_gpu *gpu, uint64_t time_span_ns)
{
	struct panthor_perf_constants known = PANTHOR_PERF_CONSTANTS_INIT;

	/* One that was zeroed only is of the first version. */
	known.size = constants->size ? constants->size : CONSTANTS_FIRST_SIZE;
	if (known.size < CONSTANTS_FIRST_SIZE)
		return;
	known.time_span_ns = time_span_ns;
	if (gpu) {
		known.core_count = panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_CORE_COUNT);
		known.l2_slices = panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_L2_SLICES);
		known.bus_bytes = panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_BUS_BYTES);
		known.neural_count =
			panthor_perf_gpu_block_count(gpu, DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL);
	}
	memcpy(constants, &known, known.size < sizeof(known) ? known.size : sizeof(known));
}
