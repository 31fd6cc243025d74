/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What a case records: a list of commands, each with a choice for what selects the state that it
 * sets.
 */
#ifndef STATE_SCRIPT_H
#define STATE_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "commands.h"
#include "reflect.h"
#include "world.h"

#define MAX_DIMENSIONS	5
#define MAX_STEPS	160
#define MAX_NAME	400

#define CHAIN_NONE	(-1)
#define CHAIN_UNKNOWN	(-2)

/** enum step_kind - what a step is */
enum step_kind {
	STEP_COMMAND,
	STEP_DISPATCH,
	STEP_TRANSFER,
	/** @STEP_PASS: A render pass instance with a draw. */
	STEP_PASS,
	STEP_BEGIN_PASS,
	STEP_DRAW,
	STEP_END_PASS,
	STEP_EXECUTE,
	/** @STEP_RESET: vkResetCommandBuffer and vkBeginCommandBuffer. */
	STEP_RESET,
	STEP_RESET_RELEASE,
	/** @STEP_RESET_POOL: vkResetCommandPool and vkBeginCommandBuffer. */
	STEP_RESET_POOL,
	/** @STEP_END_RESET: vkEndCommandBuffer before STEP_RESET. */
	STEP_END_RESET,
	/** @STEP_BEGIN: vkEndCommandBuffer and vkBeginCommandBuffer, which resets. */
	STEP_BEGIN,
	STEP_BEGIN_QUERY,
	STEP_END_QUERY,
};

/** struct dimension - something that selects what a command sets */
struct dimension {
	/** @name: Its name. */
	const char *name;

	/** @count: Number of choices. The first one is that of most cases. */
	unsigned int count;
};

/** struct step - a step of a case */
struct step {
	/** @kind: What it is. */
	enum step_kind kind;

	/** @command: The command. */
	const struct command *command;

	/** @picks: The choice for each dimension of the command. */
	unsigned int picks[MAX_DIMENSIONS];

	/** @seed: Of the other arguments. */
	uint64_t seed;

	/** @chain: Which of chain_types is in its chain, or a CHAIN_* value. */
	int chain;
};

/** struct script - what a case records */
struct script {
	/** @name: Its name. */
	char name[MAX_NAME];

	/** @steps: Its steps. */
	struct step steps[MAX_STEPS];

	/** @count: Their number. */
	unsigned int count;

	/** @may_stay_whole: The layer may leave it in one part. */
	bool may_stay_whole;

	/** @shrinks: If it fails, leave out what does not matter. */
	bool shrinks;

	/** @buffers: Number of descriptor buffers that are bound. */
	unsigned int buffers;

	/** @pipeline: The graphics pipeline that is bound, if it is one with static state. */
	struct step pipeline;

	/** @dirty: State was set since. */
	bool dirty;

	/** @in_pass: A render pass instance is open. */
	bool in_pass;
};

unsigned int script_dimensions(const struct command *command, struct dimension *dimensions);
void script_init(struct script *script, const char *format, ...)
	__attribute__((__format__(printf, 2, 3)));
void script_add(struct script *script, enum step_kind kind);
void script_add_command(struct script *script, const struct command *command,
			const unsigned int *picks, uint64_t seed, int chain);
void *script_build(const struct step *step, const struct side *side, struct arena *arena,
		   VkDescriptorUpdateTemplate *template);
const struct type *script_chained_struct(const struct command *command);

#endif
