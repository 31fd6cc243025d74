// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "state.h"

#define CHUNK_SIZE	4096
/* States that a device keeps for the next command buffers. */
#define MAX_KEPT	16

/**
 * struct chunk - memory of several records
 */
struct chunk {
	/** @next: Next of the state. */
	struct chunk *next;

	/** @used: Bytes of @memory that were given away. */
	size_t used;

	/** @memory: The records. */
	uint64_t memory[CHUNK_SIZE / sizeof(uint64_t)];
};

/**
 * state_get() - A state in which nothing is set
 * @device: The device.
 *
 * Return: The state, for state_put(). %NULL: there is no memory.
 */
struct state *state_get(struct device *device)
{
	struct state *state;

	pthread_mutex_lock(&device->lock);
	state = device->states;
	if (state) {
		device->states = state->pool_next;
		device->state_count--;
	}
	pthread_mutex_unlock(&device->lock);
	return state ? state : calloc(1, sizeof(*state));
}

static void destroy(struct state *state)
{
	state_clear(state);
	while (state->chunks) {
		struct chunk *chunk = state->chunks;

		state->chunks = chunk->next;
		free(chunk);
	}
	free(state->sorted);
	free(state->pushed);
	free(state);
}

/** state_put() - The opposite of state_get(). @state may be %NULL. */
void state_put(struct device *device, struct state *state)
{
	bool kept;

	if (!state)
		return;
	state_clear(state);
	pthread_mutex_lock(&device->lock);
	kept = device->state_count < MAX_KEPT;
	if (kept) {
		state->pool_next = device->states;
		device->states = state;
		device->state_count++;
	}
	pthread_mutex_unlock(&device->lock);
	if (!kept)
		destroy(state);
}

/** state_fini() - Free what a device keeps. */
void state_fini(struct device *device)
{
	while (device->states) {
		struct state *state = device->states;

		device->states = state->pool_next;
		destroy(state);
	}
	device->state_count = 0;
}

/** state_clear() - Nothing is set. */
void state_clear(struct state *state)
{
	while (state->records)
		state_forget(state, state->records);
	state->pushed_count = 0;
	state->pushed_next = 0;
	memset(state->slots, 0, sizeof(state->slots));
}

static int compare(const void *a, const void *b)
{
	const struct record *const *first = a, *const *second = b;

	return ((*first)->sequence > (*second)->sequence) -
	       ((*first)->sequence < (*second)->sequence);
}

/**
 * state_reserve() - Have the memory that state_replay() needs
 * @state: The state.
 *
 * Return: Whether there is.
 */
bool state_reserve(struct state *state)
{
	const unsigned int size = 2 * state->record_count;
	struct record **more;

	if (state->record_count <= state->sorted_size)
		return true;
	more = realloc(state->sorted, size * sizeof(struct record *));
	if (!more)
		return false;
	state->sorted = more;
	state->sorted_size = size;
	return true;
}

/**
 * state_replay() - Set all again, in another command buffer
 * @state: The state, behind state_reserve().
 * @device: The device.
 * @handle: The command buffer.
 */
void state_replay(struct state *state, struct device *device, VkCommandBuffer handle)
{
	unsigned int count = 0;

	for (struct record *at = state->records; at; at = at->next)
		state->sorted[count++] = at;
	if (count)
		qsort(state->sorted, count, sizeof(struct record *), compare);
	for (unsigned int i = 0; i < count; i++)
		state->sorted[i]->replay(device, handle, state->sorted[i]->args);
}

/** state_record_slow() - A record for arguments of @size bytes; %NULL: there is no memory. */
struct record *state_record_slow(struct state *state, size_t size)
{
	const size_t kind = RECORD_KIND(size);
	const size_t bytes = (kind + 1) * RECORD_UNIT;
	struct chunk *chunk = state->chunks;
	struct record *record;

	if (kind >= RECORD_KINDS) {
		record = malloc(sizeof(*record) + size);
		if (record)
			record->kind = LARGE_RECORD;
		return record;
	}
	if (!chunk || chunk->used + bytes > sizeof(chunk->memory)) {
		chunk = malloc(sizeof(*chunk));
		if (!chunk)
			return NULL;
		chunk->next = state->chunks;
		chunk->used = 0;
		state->chunks = chunk;
	}
	record = (struct record *)((char *)chunk->memory + chunk->used);
	chunk->used += bytes;
	record->kind = kind;
	return record;
}

/** state_forget() - A command has set nothing that is still set. */
void state_forget(struct state *state, struct record *record)
{
	*record->link = record->next;
	if (record->next)
		record->next->link = record->link;
	state->record_count--;
	if (record->kind == LARGE_RECORD) {
		free(record);
		return;
	}
	record->next = state->unused[record->kind];
	state->unused[record->kind] = record;
}

static bool is_same(const struct pushed *pushed, uint32_t set, uint32_t binding, uint32_t element)
{
	return pushed->set == set && pushed->binding == binding && pushed->element == element;
}

/* Most applications push the same descriptors in the same order. */
static struct pushed *find_pushed(struct state *state, uint32_t set, uint32_t binding,
				  uint32_t element)
{
	for (unsigned int i = 0; i < state->pushed_count; i++) {
		unsigned int at = state->pushed_next + i;

		if (at >= state->pushed_count)
			at -= state->pushed_count;
		if (is_same(&state->pushed[at], set, binding, element)) {
			state->pushed_next = at + 1 < state->pushed_count ? at + 1 : 0;
			return &state->pushed[at];
		}
	}
	return NULL;
}

/**
 * state_own_pushed() - A command has pushed a descriptor
 * @state: The state.
 * @record: The command.
 * @set: Set and bind point.
 * @binding: Binding.
 * @element: Array element.
 *
 * Return: Whether there was room for it.
 */
bool state_own_pushed(struct state *state, struct record *record, uint32_t set, uint32_t binding,
		      uint32_t element)
{
	struct pushed *found = find_pushed(state, set, binding, element);

	if (found) {
		struct record *before = found->record;

		found->record = record;
		record->slots++;
		state_lose(state, before);
		return true;
	}
	if (state->pushed_count == state->pushed_size) {
		const unsigned int size = state->pushed_size ? 2 * state->pushed_size : 32;
		struct pushed *more = size <= MAX_PUSHED ?
				      realloc(state->pushed, size * sizeof(*more)) : NULL;

		if (!more)
			return false;
		state->pushed = more;
		state->pushed_size = size;
	}
	state->pushed[state->pushed_count++] = (struct pushed) { set, binding, element, record };
	record->slots++;
	return true;
}
