// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The cases, which are made from the rows of commands.txt. */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "mock.h"
#include "run.h"
#include "script.h"

/* Choices of a pair of commands that are tried. */
#define PAIR_CHOICES	7
#define MAX_PARTS	64

static struct script script;

/** struct use - a command with its choices */
struct use {
	const struct command *command;
	unsigned int picks[MAX_DIMENSIONS];
	int chain;
};

static uint64_t random_state;

static unsigned int random_below(unsigned int limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (random_state >> 33) % limit;
}

static bool is_state(const struct command *command)
{
	return command->class == CLASS_STATE && strcmp(command->rule, "pass-value") &&
	       command_is_known(command);
}

static bool is_alias(const struct command *command)
{
	return strcmp(command->name, command->original);
}

static void pick_random(struct use *use)
{
	struct dimension dimensions[MAX_DIMENSIONS];
	const unsigned int count = script_dimensions(use->command, dimensions);

	for (unsigned int i = 0; i < count; i++)
		use->picks[i] = random_below(dimensions[i].count);
}

static void add_use(const struct use *use, uint64_t seed)
{
	script_add_command(&script, use->command, use->picks, seed, use->chain);
}

static void add_works(void)
{
	script_add(&script, STEP_DISPATCH);
	script_add(&script, STEP_PASS);
	script_add(&script, STEP_TRANSFER);
	script_add(&script, STEP_DISPATCH);
}

/* ---- Sequences of a few commands, in each place ---- */

enum pattern {
	/* All before the first workload. */
	PATTERN_BEFORE,
	/* A workload behind each. */
	PATTERN_BETWEEN,
	/* In a render pass instance. */
	PATTERN_INSIDE,
	PATTERN_COUNT,
};

static const char *const pattern_names[] = { "before", "between", "in a pass" };

static void run_sequence(const struct use *uses, unsigned int count, enum pattern pattern,
			 bool may_stay_whole, const char *what)
{
	bool inside = pattern == PATTERN_INSIDE;

	for (unsigned int i = 0; i < count && inside; i++) {
		if (uses[i].command->pass == PLACE_OUTSIDE)
			return;
	}
	script_init(&script, "%s, %s", what, pattern_names[pattern]);
	script.may_stay_whole = may_stay_whole;
	if (inside) {
		script_add(&script, STEP_DISPATCH);
		script_add(&script, STEP_BEGIN_PASS);
	}
	for (unsigned int i = 0; i < count; i++) {
		add_use(&uses[i], 100 + i);
		if (pattern == PATTERN_BETWEEN)
			script_add(&script, i & 1 ? STEP_PASS : STEP_DISPATCH);
		if (inside)
			script_add(&script, STEP_DRAW);
	}
	if (inside)
		script_add(&script, STEP_END_PASS);
	add_works();
	run_case(&script);
}

static void run_patterns(const struct use *uses, unsigned int count, const char *what)
{
	for (enum pattern pattern = 0; pattern < PATTERN_COUNT; pattern++)
		run_sequence(uses, count, pattern, false, what);
}

/* One command: equal selectors, and one that differs at a time. */
static void run_command(const struct command *command)
{
	const struct use base = { command, { 0 }, CHAIN_NONE };
	struct dimension dimensions[MAX_DIMENSIONS];
	const unsigned int count = script_dimensions(command, dimensions);
	struct use uses[3] = { base, base, base };
	char what[MAX_NAME];

	snprintf(what, sizeof(what), "%s once", command->name);
	run_patterns(uses, 1, what);
	snprintf(what, sizeof(what), "%s twice", command->name);
	run_patterns(uses, 2, what);
	for (unsigned int i = 0; i < count; i++) {
		for (unsigned int pick = 1; pick < dimensions[i].count; pick++) {
			struct use other = base;

			other.picks[i] = pick;
			uses[0] = uses[2] = base;
			uses[1] = other;
			snprintf(what, sizeof(what), "%s, then %s %u", command->name,
				 dimensions[i].name, pick);
			run_patterns(uses, 2, what);
			snprintf(what, sizeof(what), "%s, %s %u, and again", command->name,
				 dimensions[i].name, pick);
			run_patterns(uses, 3, what);
			uses[0] = uses[2] = other;
			uses[1] = base;
			snprintf(what, sizeof(what), "%s of %s %u first", command->name,
				 dimensions[i].name, pick);
			run_patterns(uses, 2, what);
			/* Two that are not the first choice. */
			uses[1].picks[i] = pick % (dimensions[i].count - 1) + 1;
			snprintf(what, sizeof(what), "%s of %s %u, then %u", command->name,
				 dimensions[i].name, pick, uses[1].picks[i]);
			run_patterns(uses, 2, what);
		}
	}
}

/* Structures behind those of the command: those that the registry has, and one that it has not. */
static void run_chains(const struct command *command)
{
	const struct type *chained = script_chained_struct(command);
	const struct use base = { command, { 0 }, CHAIN_NONE };
	struct use uses[3] = { base, base, base };
	char what[MAX_NAME];

	if (!chained)
		return;
	for (int chain = CHAIN_UNKNOWN; chain < (int)chain_type_count; chain++) {
		if (chain == CHAIN_NONE ||
		    (chain >= 0 && (strcmp(chain_types[chain].base, chained->name) ||
				    !strcmp(chained->name, "VkWriteDescriptorSet"))))
			continue;
		uses[1].chain = chain;
		snprintf(what, sizeof(what), "%s with %s", command->name,
			 chain == CHAIN_UNKNOWN ? "an unknown structure" :
						  chain_types[chain].type->name);
		for (enum pattern pattern = 0; pattern < PATTERN_COUNT; pattern++) {
			run_sequence(uses, 2, pattern, true, what);
			run_sequence(uses, 3, pattern, true, what);
		}
	}
}

/* Secondary command buffers and resets end all state. */
static void run_ends(const struct command *command)
{
	static const struct {
		enum step_kind kind;
		const char *name;
	} ends[] = {
		{ STEP_EXECUTE, "vkCmdExecuteCommands" },
		{ STEP_RESET, "vkResetCommandBuffer while it is recorded" },
		{ STEP_RESET_RELEASE, "vkResetCommandBuffer with RELEASE_RESOURCES" },
		{ STEP_RESET_POOL, "vkResetCommandPool" },
		{ STEP_END_RESET, "vkResetCommandBuffer" },
		{ STEP_BEGIN, "vkBeginCommandBuffer" },
	};
	struct use first = { command, { 0 }, CHAIN_NONE }, second = first;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		for (int again = 0; again < 2; again++) {
			pick_random(&second);
			script_init(&script, "%s, %s%s", command->name, ends[i].name,
				    again ? ", and again" : "");
			add_use(&first, 1);
			add_works();
			script_add(&script, ends[i].kind);
			script_add(&script, STEP_DISPATCH);
			if (again)
				add_use(&second, 2);
			add_works();
			run_case(&script);
		}
	}
}

/* ---- Pairs ---- */

static bool are_related(const struct command *a, const struct command *b)
{
	return !strcmp(a->original, b->original) ||
	       (a->group && b->group && !strcmp(a->group, b->group) && !is_alias(a) &&
		!is_alias(b));
}

static void run_pairs(const struct command *command)
{
	for (unsigned int i = 0; i < command_count; i++) {
		const struct command *other = &commands[i];
		char what[MAX_NAME];

		if (other == command || !is_state(other) || !are_related(command, other))
			continue;
		for (unsigned int choice = 0; choice < PAIR_CHOICES; choice++) {
			struct use uses[3] = {
				{ command, { 0 }, CHAIN_NONE }, { other, { 0 }, CHAIN_NONE },
				{ command, { 0 }, CHAIN_NONE },
			};

			for (int n = 0; n < 3 && choice; n++)
				pick_random(&uses[n]);
			snprintf(what, sizeof(what), "%s, %s (%u)", command->name, other->name,
				 choice);
			run_patterns(uses, 2, what);
			run_patterns(uses, 3, what);
		}
	}
}

/* What a pipeline sets, and what it leaves to commands. */
static void run_pipelines(const struct command *command)
{
	const struct command *bind = command_named("vkCmdBindPipeline");
	const struct command *shaders = command_named("vkCmdBindShadersEXT");
	const struct use set = { command, { 0 }, CHAIN_NONE };
	char what[MAX_NAME];

	for (unsigned int i = 0; i < GRAPHICS_PIPELINES; i++) {
		const struct use pipeline = { bind, { i }, CHAIN_NONE };
		const struct use all = { bind, { PIPELINE_DYNAMIC }, CHAIN_NONE };
		const struct use objects = { shaders, { 2 }, CHAIN_NONE };

		snprintf(what, sizeof(what), "%s, pipeline %u", command->name, i);
		run_patterns((struct use []){ set, pipeline }, 2, what);
		snprintf(what, sizeof(what), "pipeline %u, %s", i, command->name);
		run_patterns((struct use []){ pipeline, set }, 2, what);
		snprintf(what, sizeof(what), "%s, pipeline %u, again", command->name, i);
		run_patterns((struct use []){ set, pipeline, set }, 3, what);
		snprintf(what, sizeof(what), "%s, pipeline %u, another", command->name, i);
		run_patterns((struct use []){ set, pipeline, all }, 3, what);
		if (!shaders || !command_is_known(shaders))
			continue;
		snprintf(what, sizeof(what), "%s, pipeline %u, shaders", command->name, i);
		run_patterns((struct use []){ set, pipeline, objects }, 3, what);
		snprintf(what, sizeof(what), "shaders, %s, pipeline %u", command->name, i);
		run_patterns((struct use []){ objects, set, pipeline }, 3, what);
	}
}

/* ---- Commands that set no state: each comes once to the driver, as it is ---- */

static const struct command *end_of(const struct command *command)
{
	char name[MAX_NAME];
	const char *found;
	const struct command *end;

	snprintf(name, sizeof(name), "vkCmdEnd%s", command->name + strlen("vkCmdBegin"));
	end = command_named(name);
	found = strchr(name, '2');
	if (!end && found) {
		memmove(name + (found - name), found + 1, strlen(found));
		end = command_named(name);
	}
	return end && command_is_known(end) ? end : NULL;
}

static void add_plain(const struct command *command, uint64_t seed)
{
	script_add_command(&script, command, NULL, seed, CHAIN_NONE);
}

static void run_plain(const struct command *command, const struct command *end)
{
	const struct command *coding = command_named("vkCmdBeginVideoCodingKHR");
	const bool in_pass = command->pass == PLACE_INSIDE && command->class != CLASS_END_PASS;
	const bool in_coding = command->coding == PLACE_INSIDE && coding;
	const struct command *constants = command_named("vkCmdPushConstants");

	script_init(&script, "%s%s%s", command->name, end ? " to " : "", end ? end->name : "");
	add_plain(constants, 1);
	script_add(&script, STEP_DISPATCH);
	add_plain(command_named("vkCmdSetLineWidth"), 2);
	if (in_pass)
		script_add(&script, STEP_BEGIN_PASS);
	if (in_coding)
		add_plain(coding, 3);
	add_plain(command, 4);
	if (end)
		add_plain(end, 5);
	if (in_coding)
		add_plain(command_named("vkCmdEndVideoCodingKHR"), 6);
	if (in_pass)
		script_add(&script, STEP_END_PASS);
	add_works();
	run_case(&script);
}

static void run_passed_on(const struct command *command)
{
	static const char *const kinds[] = { "RenderPass", "Rendering" };

	switch (command->class) {
	case CLASS_BEGIN_PASS:
		for (int kind = 0; kind < 2; kind++) {
			for (unsigned int i = 0; i < command_count; i++) {
				if (commands[i].class == CLASS_END_PASS &&
				    command_is_known(&commands[i]) &&
				    strstr(command->name, kinds[kind]) &&
				    strstr(commands[i].name, kinds[kind]))
					run_plain(command, &commands[i]);
			}
		}
		break;
	case CLASS_BEGIN_SCOPE:
	case CLASS_BEGIN_CODING:
		run_plain(command, end_of(command));
		break;
	case CLASS_END_PASS:
	case CLASS_END_SCOPE:
	case CLASS_END_CODING:
	case CLASS_EXECUTE:
		/* Together with the begin; by run_ends(). */
		break;
	default:
		run_plain(command, NULL);
		break;
	}
}

/* State of a render pass instance ends with it. */
static void run_pass_value(const struct command *command)
{
	script_init(&script, "%s", command->name);
	script_add(&script, STEP_DISPATCH);
	for (int i = 0; i < 2; i++) {
		script_add(&script, STEP_BEGIN_PASS);
		script_add(&script, STEP_DRAW);
		add_plain(command, 2 * i);
		script_add(&script, STEP_DRAW);
		add_plain(command, 2 * i + 1);
		script_add(&script, STEP_DRAW);
		script_add(&script, STEP_END_PASS);
		script_add(&script, STEP_DISPATCH);
		script_add(&script, STEP_PASS);
	}
	run_case(&script);
}

/* ---- Memory of the parts ---- */

enum release {
	RELEASE_RESET,
	RELEASE_POOL,
	RELEASE_FREE,
	RELEASE_DESTROY,
	RELEASE_COUNT,
};

/* A reset that releases memory releases that of all parts. */
static void run_release(enum release release)
{
	static const char *const names[] = {
		"vkResetCommandBuffer with RELEASE_RESOURCES",
		"vkResetCommandPool with RELEASE_RESOURCES",
		"vkFreeCommandBuffers",
		"vkDestroyCommandPool",
	};
	VkCommandBuffer parts[MAX_PARTS];
	struct side *side = &world.sides[1];
	const char *reason = NULL;
	unsigned int count;

	if (!run_is_next(names[release]))
		return;
	count = run_parts(parts, MAX_PARTS);
	switch (release) {
	case RELEASE_RESET:
		side->vk.ResetCommandBuffer(side->cmd,
					    VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT);
		break;
	case RELEASE_POOL:
		side->vk.ResetCommandPool(side->device, side->pool,
					  VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT);
		break;
	case RELEASE_FREE:
		side->vk.FreeCommandBuffers(side->device, side->pool, 1, &side->cmd);
		break;
	default:
		side->vk.DestroyCommandPool(side->device, side->pool, NULL);
		side->pool = VK_NULL_HANDLE;
		break;
	}
	for (unsigned int i = 0; i < count; i++) {
		if (!mock_is_released(parts[i]))
			reason = "a part keeps its memory";
	}
	if (release >= RELEASE_FREE)
		world_new_pool(side);
	run_done(names[release], reason);
}

static void run_releases(void)
{
	for (enum release release = 0; release < RELEASE_COUNT; release++) {
		script_init(&script, "a case before a release");
		add_works();
		run_case(&script);
		run_release(release);
	}
}

/* ---- Random sequences ---- */

static const struct command *random_state_command(bool inside)
{
	for (;;) {
		const struct command *command = &commands[random_below(command_count)];

		if (command->class == CLASS_STATE && command_is_known(command) &&
		    (inside ? command->pass != PLACE_OUTSIDE : command->pass != PLACE_INSIDE))
			return command;
	}
}

static void add_random_step(unsigned int i)
{
	const unsigned int dice = random_below(100);
	struct use use = { .chain = CHAIN_NONE };

	if (dice < 8)
		script_add(&script, script.in_pass ? STEP_DRAW : STEP_DISPATCH);
	else if (dice < 13)
		script_add(&script, script.in_pass ? STEP_DRAW : STEP_PASS);
	else if (dice < 16)
		script_add(&script, script.in_pass ? STEP_END_PASS : STEP_TRANSFER);
	else if (dice < 19)
		script_add(&script, script.in_pass ? STEP_END_PASS : STEP_BEGIN_PASS);
	else if (dice < 20 && !script.in_pass)
		script_add(&script, STEP_EXECUTE);
	else if (dice < 21 && !script.in_pass && !world.with_queries)
		script_add(&script, random_below(2) ? STEP_RESET : STEP_BEGIN);
	use.command = random_state_command(script.in_pass);
	pick_random(&use);
	add_use(&use, 1000 + i);
}

static void run_random(uint64_t seed)
{
	unsigned int count;

	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	random_below(2);
	count = 5 + random_below(30);
	script_init(&script, "random sequence, seed %llu", (unsigned long long)seed);
	script.shrinks = true;
	for (unsigned int i = 0; i < count; i++)
		add_random_step(i);
	if (script.in_pass)
		script_add(&script, STEP_END_PASS);
	add_works();
	run_case(&script);
}

/* ---- All ---- */

static void for_states(const char *what, bool aliases, bool dynamic,
		       void (*run)(const struct command *command))
{
	for (unsigned int i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];

		if (!is_state(command) || (!aliases && is_alias(command)) ||
		    (dynamic && !command->dynamic) || !run_group("%s%s", command->name, what))
			continue;
		random_state = i;
		run(command);
		run_group_end();
	}
}

/**
 * cases_run() - Run all cases
 * @seed: Of random sequences: the first one's.
 * @sequences: Number of random sequences.
 */
void cases_run(uint64_t seed, unsigned int sequences)
{
	for (unsigned int i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];

		if (command->class == CLASS_STATE || !command_is_known(command) ||
		    !run_group("%s passed on", command->name))
			continue;
		run_passed_on(command);
		run_group_end();
	}
	for (unsigned int i = 0; i < command_count; i++) {
		const struct command *command = &commands[i];

		if (command->class != CLASS_STATE || strcmp(command->rule, "pass-value") ||
		    !command_is_known(command) || !run_group("%s", command->name))
			continue;
		run_pass_value(command);
		run_group_end();
	}
	for_states("", true, false, run_command);
	for_states(" with chains", true, false, run_chains);
	for_states(" and resets", false, false, run_ends);
	for_states(" and siblings", true, false, run_pairs);
	for_states(" and pipelines", false, true, run_pipelines);
	/* The test's own layer has no command buffers. */
	if (!simulation.enabled && run_group("releases")) {
		run_releases();
		run_group_end();
	}
	if (run_group("random sequences")) {
		for (unsigned int i = 0; i < sequences; i++)
			run_random(seed + i);
		run_group_end();
	}
}

/* ---- The judge itself ---- */

/* Whether a fault makes a difference for a command. */
static bool matters(const struct command *command, enum plant plant)
{
	struct dimension dimensions[MAX_DIMENSIONS];
	const bool order = !strcmp(command->rule, "pipeline") ||
			   !strcmp(command->rule, "shaders") || !strcmp(command->rule, "buffers") ||
			   command->core[0] != NO_DYNAMIC_STATE;
	/* All of these arguments are one value. */
	const bool whole =
		!strcmp(command->rule, "value") || !strcmp(command->rule, "whole-array") ||
		!strcmp(command->rule, "with-count") || !strcmp(command->rule, "buffers") ||
		!strcmp(command->rule, "vertex-input");

	switch (plant) {
	case PLANT_LAST:
		return script_dimensions(command, dimensions) && !whole &&
		       strcmp(command->original, "vkCmdBindPipelineShaderGroupNV");
	case PLANT_LATE:
		return order;
	default:
		return true;
	}
}

/**
 * cases_plant() - Whether the judge finds faults of a layer: one for each command that sets state.
 */
void cases_plant(void)
{
	static const char *const names[] = { "", "not recorded again", "only the last call",
					     "recorded behind the others" };
	unsigned int failed = 0, cases = progress->cases;

	simulation.enabled = true;
	for (enum plant plant = PLANT_DROP; plant <= PLANT_LATE; plant++) {
		for (unsigned int i = 0; i < command_count; i++) {
			if (!is_state(&commands[i]) || is_alias(&commands[i]) ||
			    !matters(&commands[i], plant))
				continue;
			simulation.plant = plant;
			simulation.command = &commands[i];
			only_command = &commands[i];
			progress->failed = 0;
			cases_run(1, 0);
			printf("%s %s, %s: %u of %u cases\n", progress->failed ? "ok" : "not ok",
			       commands[i].name, names[plant], progress->failed,
			       progress->cases - cases);
			failed += !progress->failed;
			cases = progress->cases;
		}
	}
	progress->failed = failed;
	simulation.plant = PLANT_NONE;
	simulation.command = NULL;
	only_command = NULL;
}
