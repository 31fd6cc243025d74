// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "state.h"
#include "mock.h"
#include "run.h"

#define MAX_PARTS	256
#define MAX_SNAPSHOTS	256
#define MAX_STREAM	1024
/* A case that takes longer hangs. */
#define CASE_S		20
#define NOT_SPLIT	"it was not split"

struct progress *progress;
unsigned int max_printed = 3;
bool all_stay_whole;
bool all_may_stay_whole;
const char *only;
const struct command *only_command;
struct simulation simulation;

/* What the driver got of a case. */
struct result {
	struct recorded parts[MAX_PARTS];
	unsigned int part_count;
	struct snapshot snapshots[MAX_SNAPSHOTS];
	/* The part of each. */
	unsigned int snapshot_parts[MAX_SNAPSHOTS];
	unsigned int snapshot_count;
	/* All commands that do not set state. */
	const char *stream[MAX_STREAM];
	unsigned int stream_count;
	const char *error;
};

static struct arena arena;
static struct arena scratch;
static struct result results[2];
static struct state state;
static unsigned int case_number;
static unsigned int group_number;
/* Of the case: the first failure. */
static char why[MAX_TEXT];

static void fail(const char *format, ...)
{
	va_list args;

	if (*why)
		return;
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
}

/* ---- Recording ---- */

static void call(const struct side *side, const struct step *step)
{
	const size_t number = step->command - commands;
	VkDescriptorUpdateTemplate template = VK_NULL_HANDLE;
	void *args;

	if (!side->commands[number]) {
		fail("%s is not there", step->command->name);
		return;
	}
	args = script_build(step, side, &scratch, &template);
	if (!strcmp(step->command->original, "vkCmdPreprocessGeneratedCommandsEXT"))
		memcpy((char *)args + reflect_member(step->command->args,
						     "stateCommandBuffer")->offset,
		       &side->cmd, sizeof(side->cmd));
	step->command->call(side->commands[number], side->cmd, args);
	/* The command has taken all that it needs. */
	if (template)
		side->vk.DestroyDescriptorUpdateTemplate(side->device, template, NULL);
	arena_clear(&scratch, true);
}

static void call_named(const struct side *side, const char *name, uint64_t seed)
{
	struct step step = { STEP_COMMAND, command_named(name), { 0 }, seed, CHAIN_NONE };

	if (step.command)
		call(side, &step);
}

static void begin(const struct side *side)
{
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};

	if (side->vk.BeginCommandBuffer(side->cmd, &info))
		fail("vkBeginCommandBuffer failed");
}

static void end(const struct side *side)
{
	if (side->vk.EndCommandBuffer(side->cmd))
		fail("vkEndCommandBuffer failed");
}

static void execute(const struct side *side, uint64_t seed)
{
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
	};
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.pInheritanceInfo = &inheritance,
	};
	struct side of_secondary = *side;
	PFN_vkCmdExecuteCommands function =
		(PFN_vkCmdExecuteCommands)side->proc(side->device, "vkCmdExecuteCommands");

	of_secondary.cmd = side->secondary;
	side->vk.ResetCommandBuffer(side->secondary, 0);
	side->vk.BeginCommandBuffer(side->secondary, &info);
	call_named(&of_secondary, "vkCmdSetLineWidth", seed);
	call_named(&of_secondary, "vkCmdDispatch", seed);
	side->vk.EndCommandBuffer(side->secondary);
	function(side->cmd, 1, &side->secondary);
}

static void record(const struct side *side, const struct step *step)
{
	PFN_vkCmdBeginQuery begin_query;
	PFN_vkCmdEndQuery end_query;

	switch (step->kind) {
	case STEP_COMMAND:
		call(side, step);
		break;
	case STEP_DISPATCH:
		call_named(side, "vkCmdDispatch", step->seed);
		break;
	case STEP_TRANSFER:
		call_named(side, "vkCmdFillBuffer", step->seed);
		break;
	case STEP_PASS:
		call_named(side, "vkCmdBeginRenderPass", step->seed);
		call_named(side, "vkCmdDraw", step->seed);
		call_named(side, "vkCmdEndRenderPass", step->seed);
		break;
	case STEP_BEGIN_PASS:
		call_named(side, "vkCmdBeginRendering", step->seed);
		break;
	case STEP_DRAW:
		call_named(side, "vkCmdDraw", step->seed);
		break;
	case STEP_END_PASS:
		call_named(side, "vkCmdEndRendering", step->seed);
		break;
	case STEP_EXECUTE:
		execute(side, step->seed);
		break;
	case STEP_END_RESET:
	case STEP_BEGIN:
		end(side);
		if (step->kind == STEP_END_RESET)
			side->vk.ResetCommandBuffer(side->cmd, 0);
		begin(side);
		break;
	case STEP_RESET:
	case STEP_RESET_RELEASE:
		side->vk.ResetCommandBuffer(side->cmd, step->kind == STEP_RESET ? 0 :
					    VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT);
		begin(side);
		break;
	case STEP_RESET_POOL:
		side->vk.ResetCommandPool(side->device, side->pool, 0);
		begin(side);
		break;
	case STEP_BEGIN_QUERY:
		begin_query = (PFN_vkCmdBeginQuery)side->proc(side->device, "vkCmdBeginQuery");
		if (side->layer && world.with_queries)
			begin_query(side->cmd, side->queries, step->seed % MAX_STEPS, 0);
		break;
	case STEP_END_QUERY:
		end_query = (PFN_vkCmdEndQuery)side->proc(side->device, "vkCmdEndQuery");
		if (side->layer && world.with_queries)
			end_query(side->cmd, side->queries, (step - 2)->seed % MAX_STEPS);
		break;
	}
}

/* ---- What the driver got ---- */

static bool is_workload(const struct command *command)
{
	return command->class == CLASS_WORK || command->class == CLASS_DRAW;
}

/* A query of the layer may be one of the driver as well. */
static bool is_of_queries(const struct command *command)
{
	return world.with_queries && (!strcmp(command->name, "vkCmdBeginQuery") ||
				      !strcmp(command->name, "vkCmdEndQuery"));
}

static void add_snapshot(struct result *result, struct state *of, const struct command *workload,
			 unsigned int part)
{
	if (result->snapshot_count == MAX_SNAPSHOTS)
		abort();
	result->snapshot_parts[result->snapshot_count] = part;
	state_snapshot(of, workload, &result->snapshots[result->snapshot_count++]);
}

/* What a command that has another command buffer sees there. */
static void add_other(struct result *result, const struct entry *entry, unsigned int part)
{
	static struct state other;

	state_init(&other, &arena);
	for (unsigned int i = 0; i < entry->other_count; i++)
		state_apply(&other, &entry->other[i]);
	add_snapshot(result, &other, entry->command, part);
}

static void apply_part(struct result *result, unsigned int part)
{
	const struct recorded *recorded = &result->parts[part];

	state_init(&state, &arena);
	for (unsigned int i = 0; i < recorded->count; i++) {
		const struct entry *entry = &recorded->entries[i];
		const struct command *command = entry->command;
		struct text text = { .arena = &arena };

		if (is_of_queries(command))
			continue;
		if (is_workload(command))
			add_snapshot(result, &state, command, part);
		if (entry->other)
			add_other(result, entry, part);
		state_apply(&state, entry);
		if (command->class == CLASS_STATE)
			continue;
		text_add(&text, "%s", command->name);
		reflect_print(&text, command->args, entry->args);
		if (result->stream_count == MAX_STREAM)
			abort();
		result->stream[result->stream_count++] = text.data;
	}
	state_end(&state);
	if (state.error && !result->error)
		result->error = state.error;
}

/* ---- A layer in place of the one that is tested ---- */

/* Does the replay of a part have an entry of the command buffer? */
static bool is_replayed(const struct recorded *whole, unsigned int at, unsigned int end)
{
	const struct command *command = whole->entries[at].command;

	if (command->class != CLASS_STATE || command->pass == PLACE_INSIDE)
		return false;
	if (!simulation.command || strcmp(command->original, simulation.command->original))
		return true;
	if (simulation.plant == PLANT_DROP)
		return false;
	for (unsigned int i = at + 1; i < end && simulation.plant == PLANT_LAST; i++) {
		if (!strcmp(whole->entries[i].command->original, command->original))
			return false;
	}
	return true;
}

static bool is_late(const struct entry *entry)
{
	return simulation.plant == PLANT_LATE &&
	       !strcmp(entry->command->original, simulation.command->original);
}

/* Begins a part with all that has set state since @from, before @end. */
static void replay(struct recorded *part, const struct recorded *whole, unsigned int from,
		   unsigned int end)
{
	part->entries = arena_alloc(&arena, 2 * whole->count * sizeof(*part->entries));
	part->count = 0;
	for (int late = 0; late < 2; late++) {
		for (unsigned int i = from; i < end; i++) {
			if (is_replayed(whole, i, end) && is_late(&whole->entries[i]) == late)
				part->entries[part->count++] = whole->entries[i];
		}
	}
}

/* Makes parts of the only command buffer of a result. */
static void split(struct result *result)
{
	const struct recorded whole = result->parts[0];
	struct recorded *part = result->parts;
	unsigned int from = 0, open = 0;
	bool works = false;

	replay(part, &whole, 0, 0);
	for (unsigned int i = 0; i < whole.count; i++) {
		const enum command_class class = whole.entries[i].command->class;
		const bool begins = class == CLASS_BEGIN_PASS || class == CLASS_BEGIN_SCOPE ||
				    class == CLASS_BEGIN_CODING;

		if (!open && (begins || class == CLASS_WORK || class == CLASS_EXECUTE)) {
			if (works)
				replay(++part, &whole, from, i);
			works = true;
		}
		open += begins;
		open -= class == CLASS_END_PASS || class == CLASS_END_SCOPE ||
			class == CLASS_END_CODING;
		if (class == CLASS_EXECUTE)
			from = i;
		part->entries[part->count++] = whole.entries[i];
	}
	result->part_count = part - result->parts + 1;
}

static void run_side(struct side *side, const struct script *script, struct result *result)
{
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &side->cmd,
	};
	const char *error;

	memset(result, 0, sizeof(*result));
	mock_take_error();
	begin(side);
	for (unsigned int i = 0; i < script->count; i++)
		record(side, &script->steps[i]);
	end(side);
	if (side->vk.QueueSubmit(side->queue, 1, &submit, VK_NULL_HANDLE))
		fail("vkQueueSubmit failed");
	if (side->vk.QueueWaitIdle(side->queue))
		fail("vkQueueWaitIdle failed");
	result->part_count = mock_take_submitted(result->parts, MAX_PARTS);
	if (side->layer && simulation.enabled)
		split(result);
	for (unsigned int i = 0; i < result->part_count; i++)
		apply_part(result, i);
	error = mock_take_error();
	if (error)
		result->error = arena_print(&arena, "%s", error);
}

/* ---- Comparison ---- */

/* The name of a pipeline's own state, which has no value of a command. */
static bool is_equal(const char *expected, const char *found)
{
	if (!strcmp(expected, "as in the pipeline"))
		return !found || !strcmp(found, expected);
	return found && !strcmp(expected, found);
}

static void compare_snapshots(const struct snapshot *expected, const struct snapshot *found,
			      unsigned int part)
{
	for (unsigned int i = 0; i < expected->count; i++) {
		const char *text = i < found->count ? found->values[i].text : NULL;

		if (!expected->values[i].text || expected->values[i].unsure ||
		    is_equal(expected->values[i].text, text))
			continue;
		fail("at %s in part %u, %s is %.300s, not %.300s", expected->workload->name, part,
		     key_name(i), text ? text : "undefined", expected->values[i].text);
		return;
	}
}

/* A part for each workload, or each query. */
static unsigned int min_parts(const struct script *script)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < script->count; i++) {
		switch (script->steps[i].kind) {
		case STEP_DISPATCH:
		case STEP_TRANSFER:
		case STEP_PASS:
		case STEP_BEGIN_PASS:
		case STEP_EXECUTE:
			count += !world.with_queries;
			break;
		case STEP_BEGIN_QUERY:
			count++;
			break;
		case STEP_RESET:
		case STEP_RESET_RELEASE:
		case STEP_RESET_POOL:
		case STEP_END_RESET:
		case STEP_BEGIN:
			count = 0;
			break;
		default:
			break;
		}
	}
	return count;
}

static void compare(const struct script *script)
{
	const struct result *expected = &results[0], *found = &results[1];
	unsigned int i = 0;

	if (expected->error)
		fail("the case itself is not legal: %s", expected->error);
	if (found->error)
		fail("with the layer: %s", found->error);
	while (i < expected->stream_count && i < found->stream_count &&
	       !strcmp(expected->stream[i], found->stream[i]))
		i++;
	if (i < expected->stream_count || i < found->stream_count)
		fail("command %u is %.200s, not %.200s", i,
		     i < found->stream_count ? found->stream[i] : "missing",
		     i < expected->stream_count ? expected->stream[i] : "one that was not called");
	for (i = 0; i < expected->snapshot_count && i < found->snapshot_count; i++)
		compare_snapshots(&expected->snapshots[i], &found->snapshots[i],
				  found->snapshot_parts[i]);
	if (found->part_count > 1 && all_stay_whole)
		fail("it was split: %u parts", found->part_count);
	if (found->part_count < 2 && script->may_stay_whole)
		progress->kept++;
	else if (found->part_count < min_parts(script) && !script->may_stay_whole)
		fail(NOT_SPLIT ": %u parts, not %u", found->part_count, min_parts(script));
}

/* ---- Cases ---- */

static bool is_skipped(void)
{
	return group_number < progress->groups;
}

/**
 * run_group() - A group of cases begins
 * @format: Its name.
 *
 * Return: Whether it was selected.
 */
bool run_group(const char *format, ...)
{
	va_list args;
	char name[MAX_NAME];

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	if (only && !strstr(name, only))
		return false;
	if (only_command &&
	    (strncmp(name, only_command->name, strlen(only_command->name)) ||
	     (name[strlen(only_command->name)] && name[strlen(only_command->name)] != ' ')))
		return false;
	/* Otherwise it has begun before a crash. */
	if (!is_skipped() && strcmp(name, progress->group)) {
		strcpy(progress->group, name);
		progress->group_cases = 0;
		progress->group_failed = 0;
	}
	return true;
}

static void print_failure(const char *name, const char *reason)
{
	progress->failed++;
	if (progress->group_failed++ < max_printed && !simulation.plant)
		printf("not ok %s - %s\n", name, reason);
	fflush(stdout);
}

/** run_group_end() - A group of cases ends. */
void run_group_end(void)
{
	if (group_number++ < progress->groups)
		return;
	progress->groups++;
	if (simulation.plant)
		progress->group_failed = 0;
	else if (progress->group_cases && !progress->group_failed)
		printf("ok %s: %u cases\n", progress->group, progress->group_cases);
	else if (progress->group_failed > max_printed)
		printf("# %s: %u of %u cases failed\n", progress->group, progress->group_failed,
		       progress->group_cases);
	fflush(stdout);
	*progress->group = '\0';
	progress->group_cases = 0;
	progress->group_failed = 0;
}

/** run_crashed() - The process has ended in a case. */
void run_crashed(const char *how)
{
	progress->crashed++;
	progress->cases++;
	progress->group_cases++;
	print_failure(progress->name, how);
	progress->next++;
}

/**
 * run_is_next() - Whether a case is to be run
 * @name: Its name.
 *
 * Return: Whether it has not run before a crash.
 */
bool run_is_next(const char *name)
{
	const struct itimerval limit = { .it_value = { CASE_S, 0 } };

	if (case_number++ < progress->next)
		return false;
	strcpy(progress->name, name);
	setitimer(ITIMER_REAL, &limit, NULL);
	*why = '\0';
	return true;
}

/**
 * run_done() - A case has ended
 * @name: Its name.
 * @reason: Why it has failed, or %NULL.
 */
void run_done(const char *name, const char *reason)
{
	progress->cases++;
	progress->group_cases++;
	if (reason) {
		print_failure(name, reason);
		/* What was left behind must not be that of the next case. */
		for (int i = 0; i < 2; i++)
			world_new_pool(&world.sides[i]);
	}
	arena_clear(&arena, false);
	progress->next++;
}

static bool try(const struct script *script)
{
	*why = '\0';
	for (int i = 0; i < 2; i++)
		run_side(&world.sides[i], script, &results[i]);
	compare(script);
	return !*why;
}

/* The driver's command buffers of the last case with the layer. */
unsigned int run_parts(VkCommandBuffer *handles, unsigned int max)
{
	unsigned int i;

	for (i = 0; i < results[1].part_count && i < max; i++)
		handles[i] = results[1].parts[i].handle;
	return i;
}

/* Leave out each step without which the case fails as well. */
static void shrink(struct script *script)
{
	static struct script less;
	static char reason[MAX_TEXT];

	strcpy(reason, why);
	for (unsigned int i = 0; i < script->count;) {
		const enum step_kind kind = script->steps[i].kind;

		less = *script;
		memmove(&less.steps[i], &less.steps[i + 1],
			(less.count - i - 1) * sizeof(less.steps[0]));
		less.count--;
		for (int n = 0; n < 2; n++)
			world_new_pool(&world.sides[n]);
		if (kind == STEP_BEGIN_PASS || kind == STEP_END_PASS || kind == STEP_BEGIN_QUERY ||
		    kind == STEP_END_QUERY || try(&less) || results[0].error ||
		    !strncmp(why, NOT_SPLIT, strlen(NOT_SPLIT))) {
			i++;
		} else {
			*script = less;
			strcpy(reason, why);
		}
		arena_clear(&arena, false);
	}
	strcpy(why, reason);
}

static void describe(struct text *text, const struct script *script)
{
	static const char *const kinds[] = {
		"",	      "dispatch",  "transfer", "pass",	      "begin-pass",
		"draw",	      "end-pass",  "execute",  "reset",	      "reset-release",
		"reset-pool", "end-reset", "begin",    "begin-query", "end-query",
	};

	for (unsigned int i = 0; i < script->count; i++) {
		const struct step *step = &script->steps[i];
		struct dimension dimensions[MAX_DIMENSIONS];
		unsigned int count;

		if (step->kind != STEP_COMMAND) {
			text_add(text, " %s", kinds[step->kind]);
			continue;
		}
		text_add(text, " %s(", step->command->name + strlen("vkCmd"));
		count = script_dimensions(step->command, dimensions);
		for (unsigned int n = 0; n < count; n++)
			text_add(text, "%s%u", n ? "," : "", step->picks[n]);
		text_add(text, ")");
	}
}

/** run_case() - Run a case. */
void run_case(struct script *script)
{
	struct text text = { .arena = &arena };
	static char name[MAX_NAME];
	static char reason[MAX_TEXT];

	if (!run_is_next(script->name))
		return;
	script->may_stay_whole |= all_may_stay_whole;
	strcpy(name, script->name);
	if (try(script)) {
		run_done(name, NULL);
		return;
	}
	if (script->shrinks && strncmp(why, NOT_SPLIT, strlen(NOT_SPLIT)) &&
	    progress->group_failed < max_printed)
		shrink(script);
	describe(&text, script);
	snprintf(reason, sizeof(reason), "%.1200s; steps:%.700s", why, text.data ? text.data : "");
	run_done(name, reason);
}
