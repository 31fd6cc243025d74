/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The state of a command buffer as the specification has it, at the finest granularity: a value for
 * each viewport, word of push constants of a stage, descriptor, and so on.
 */
#ifndef STATE_STATE_H
#define STATE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "mock.h"
#include "reflect.h"

#define MAX_KEYS	4096
#define MAX_PUSHED	128

/** enum point - bind points that have state of their own */
enum point {
	POINT_GRAPHICS,
	POINT_COMPUTE,
	POINT_RAYS,
	POINT_OTHER,
	POINT_COUNT,
};

/** enum bound_kind - how the descriptors of a set were bound */
enum bound_kind {
	BOUND_NONE,
	BOUND_SET,
	BOUND_PUSH,
	BOUND_OFFSET,
	BOUND_SAMPLERS,

	/** @BOUND_DISTURBED: They are undefined. */
	BOUND_DISTURBED,
};

/** struct bound - the descriptors of a set of a bind point */
struct bound {
	/** @kind: How they were bound. */
	enum bound_kind kind;

	/** @layout: The layout with which they were bound. */
	const struct pipeline_layout *layout;

	/** @unsure: The specification does not say clearly whether they are valid. */
	bool unsure;

	/** @value: What is bound. */
	const char *value;

	/** @index: Of an offset: number of the descriptor buffer. */
	uint32_t index;

	/** @pushed: Descriptors that were pushed. */
	struct pushed pushed[MAX_PUSHED];

	/** @pushed_count: Their number. */
	unsigned int pushed_count;
};

/** struct value - the value of a key */
struct value {
	/** @text: The value. %NULL: undefined. */
	const char *text;

	/** @unsure: The specification does not say clearly whether it is valid. */
	bool unsure;
};

/** struct snapshot - the state that a workload sees */
struct snapshot {
	/** @workload: The workload. */
	const struct command *workload;

	/** @values: The value of each key. */
	struct value *values;

	/** @count: Number of @values. */
	unsigned int count;
};

/** struct state - the state of a command buffer */
struct state {
	/** @arena: Where texts are. */
	struct arena *arena;

	/** @values: The value of each key. */
	struct value values[MAX_KEYS];

	/** @bound: Descriptors. */
	struct bound bound[POINT_COUNT][MAX_SETS];

	/** @buffer_count: Number of descriptor buffers that are bound. */
	uint32_t buffer_count;

	/** @pipeline: The graphics pipeline. %NULL: none is bound. */
	const struct graphics_pipeline *pipeline;

	/** @input_strides: Vertex bindings whose stride is that of the vertex input. */
	uint32_t input_strides;

	/** @passes: Render pass instances that are open. */
	unsigned int passes;

	/** @codings: Video coding that is open. */
	unsigned int codings;

	/** @scopes: Queries and the like that are open. */
	unsigned int scopes;

	/** @error: What is not legal. %NULL: all is. */
	const char *error;
};

void state_init(struct state *state, struct arena *arena);
void state_apply(struct state *state, const struct entry *entry);
void state_end(struct state *state);
void state_snapshot(struct state *state, const struct command *workload, struct snapshot *snapshot);
const char *key_name(unsigned int key);

unsigned int key_number(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
void state_set(struct state *state, unsigned int key, const char *text);
void state_unsure(struct state *state, const char *prefix);
void state_remove(struct state *state, const char *prefix);
void state_error(struct state *state, const char *format, ...)
	__attribute__((__format__(printf, 2, 3)));

#endif
