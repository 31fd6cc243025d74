// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A command buffer is split while the application records it. When a second dispatch, transfer or
 * render pass begins, the part that was recorded ends, and another command buffer begins, into
 * which all that is bound and set is recorded again. A barrier and the like between two workloads
 * belongs to the first one.
 *
 * The layer does not split secondary command buffers, a render pass instance, a suspended one and
 * the one that resumes it, nor a query, conditional rendering or transform feedback. A command with
 * arguments that the layer cannot copy ends splitting for the rest of its command buffer.
 */

#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#include "commands.h"
#include "labels.h"
#include "layer.h"
#include "settings.h"
#include "split.h"
#include "state.h"
#include "types.h"

static struct part *part_of(const struct cmd *cmd)
{
	return &cmd->parts[cmd->part_count - 1];
}

/** split_other() - split_target() of one that the thread has not found before. */
struct target split_other(VkCommandBuffer handle)
{
	struct device *device = device_of(handle);
	struct cmd *cmd = commands_find(device, handle);

	return cmd ? (struct target) { device, cmd, cmd->recorded, cmd->state } :
		     (struct target) { device, NULL, handle, NULL };
}

/* ---- What is set ---- */

static void forget_state(struct cmd *cmd)
{
	state_put(cmd->device, cmd->state);
	cmd->state = NULL;
}

/** split_whole() - Do not split the rest of a command buffer: its state is not known any longer. */
void split_whole(const struct target *target)
{
	if (!target->cmd || !target->cmd->state)
		return;
	forget_state(target->cmd);
	say_once("command buffers are not split behind a command that the layer cannot repeat");
}

/** split_unknown() - Where a command goes of which the layer does not know what it does. */
struct target split_unknown(VkCommandBuffer handle, const char *command)
{
	struct target target = split_target(handle);

	if (!target.state)
		return target;
	say_once("command buffers are not split behind %s: the layer does not know it", command);
	forget_state(target.cmd);
	target.state = NULL;
	return target;
}

/** split_has_chain() - Is another structure behind one of these? */
bool split_has_chain(const void *first, uint32_t count, size_t size)
{
	for (uint32_t i = 0; first && i < count; i++) {
		if (((const VkBaseInStructure *)((const char *)first + i * size))->pNext)
			return true;
	}
	return false;
}

/* ---- Parts ---- */

static VkResult allocate_part(struct device *device, struct cmd *cmd)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = cmd->pool->handle,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};
	struct part *parts = realloc(cmd->parts, (cmd->parts_allocated + 1) * sizeof(*parts));
	VkResult result;

	if (!parts)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	cmd->parts = parts;
	result = device->vk.AllocateCommandBuffers(device->handle, &info,
						   &parts[cmd->parts_allocated].handle);
	if (result != VK_SUCCESS)
		return result;
	/* The loader has to know what a layer has allocated. */
	device->set_loader_data(device->handle, parts[cmd->parts_allocated].handle);
	cmd->parts_allocated++;
	return VK_SUCCESS;
}

static void clear_part(struct part *part)
{
	*part->labels.text = '\0';
	part->named = false;
	part->closed = 0;
	part->works = false;
	part->types = 0;
	part->joined = false;
	part->query.pool = 0;
}

/* Begins the next part. If that fails, the part that is recorded goes on. */
static bool begin_part(struct device *device, struct cmd *cmd)
{
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = cmd->usage,
	};
	VkResult result;
	struct part *next;

	if (!state_reserve(cmd->state))
		return false;
	if (cmd->part_count == cmd->parts_allocated &&
	    allocate_part(device, cmd) != VK_SUCCESS)
		return false;
	next = &cmd->parts[cmd->part_count];
	if (device->vk.BeginCommandBuffer(next->handle, &info) != VK_SUCCESS)
		return false;
	state_replay(cmd->state, device, next->handle);
	result = device->vk.EndCommandBuffer(cmd->recorded);
	/* vkEndCommandBuffer() of the application returns it. */
	if (result != VK_SUCCESS && cmd->result == VK_SUCCESS)
		cmd->result = result;
	clear_part(next);
	cmd->recorded = next->handle;
	cmd->part_count++;
	return true;
}

static bool is_open(const struct cmd *cmd)
{
	return cmd->scopes || cmd->in_pass || cmd->suspending;
}

static bool split_here(struct target *target)
{
	const bool split = begin_part(target->device, target->cmd);

	target->handle = target->cmd->recorded;
	return split;
}

/* A workload begins: in a part of its own, if one is before it in this part. */
static void split(struct target *target)
{
	if (target->state && settings_get()->mode == MODE_PROFILE && !is_open(target->cmd) &&
	    part_of(target->cmd)->works)
		split_here(target);
}

/**
 * split_begin_query() - A query of performance counters begins
 * @target: Where commands go.
 * @query: The query.
 *
 * Return: Whether it does: the command buffer cannot be split everywhere.
 */
bool split_begin_query(struct target *target, const struct query *query)
{
	struct cmd *cmd = target->cmd;

	if (!target->state || is_open(cmd) || part_of(cmd)->query.pool || !split_here(target))
		return false;
	part_of(cmd)->query = *query;
	return true;
}

/**
 * split_query_event() - Something else happens to queries
 * @target: Where commands go.
 * @kind: What it is.
 * @first: The first query.
 * @count: Number of queries.
 */
void split_query_event(const struct target *target, enum query_event_kind kind,
		       const struct query *first, uint32_t count)
{
	struct cmd *cmd = target->cmd;

	if (cmd)
		query_events_add(&cmd->events, kind, cmd->part_count - 1, first, count);
}

/* The query of the last part has no result: its end is not that of the part. */
static void refuse_query(const struct target *target)
{
	struct query *query = &part_of(target->cmd)->query;

	split_query_event(target, QUERY_EVENT_REFUSE, query, 1);
	query->pool = 0;
}

/**
 * split_end_query() - A query of performance counters ends
 * @target: Where commands go.
 * @query: The query.
 *
 * Return: Whether it has a result. It has none if the command buffer cannot be split here.
 */
bool split_end_query(struct target *target, const struct query *query)
{
	struct cmd *cmd = target->cmd;
	const struct query *begun = cmd ? &part_of(cmd)->query : NULL;

	/* It was refused where it begins. */
	if (!begun || begun->pool != query->pool || begun->index != query->index)
		return true;
	if (target->state && !is_open(cmd) && split_here(target))
		return true;
	refuse_query(target);
	return false;
}

/* What is within a render pass instance is of its type. */
static void add_work(struct cmd *cmd, const char *what, uint32_t types)
{
	struct part *part = part_of(cmd);

	if (!part->works)
		part->closed = cmd->closed;
	part->named |= *cmd->open.text;
	if (settings_get()->unit == UNIT_WORKLOAD)
		labels_add(&part->labels, *cmd->open.text ? cmd->open.text :
			   cmd->name ? cmd->name : what);
	part->works = true;
	if (!cmd->in_pass)
		part->types |= types;
}

/**
 * split_work() - Where a command goes that has the GPU work
 * @handle: The application's command buffer.
 * @what: Its label, if it has none.
 * @types: Its types.
 *
 * Return: The part, which is a new one if there is work in the one before.
 */
struct target split_work(VkCommandBuffer handle, const char *what, uint32_t types)
{
	struct target target = split_target(handle);

	split(&target);
	if (target.cmd)
		add_work(target.cmd, what, types);
	return target;
}

/** split_draw() - Where a command of a render pass or of a scope goes. */
struct target split_draw(VkCommandBuffer handle, const char *what, uint32_t types)
{
	struct target target = split_target(handle);

	if (target.cmd)
		add_work(target.cmd, what, types);
	return target;
}

/** split_begin_scope() - Nothing is split until split_end_scope(). */
struct target split_begin_scope(VkCommandBuffer handle)
{
	struct target target = split_target(handle);

	split(&target);
	if (target.cmd)
		target.cmd->scopes++;
	return target;
}

/** split_end_scope() - The end of split_begin_scope(). */
struct target split_end_scope(VkCommandBuffer handle)
{
	struct target target = split_target(handle);

	if (target.cmd && target.cmd->scopes)
		target.cmd->scopes--;
	return target;
}

/*
 * A render pass instance is resumed that an earlier command buffer has suspended. No work can be
 * before it in its command buffer: the parts stay in one submission with the earlier one.
 */
static void join_parts(const struct target *target)
{
	struct cmd *cmd = target->cmd;

	cmd->resuming = true;
	for (unsigned int i = 0; i + 1 < cmd->part_count; i++)
		cmd->parts[i].joined = true;
	if (!part_of(cmd)->query.pool)
		return;
	say_once("a query has no result: a render pass instance is resumed in it");
	refuse_query(target);
}

/**
 * split_begin_pass() - A render pass instance begins
 * @handle: The application's command buffer.
 * @flags: Flags of dynamic rendering.
 *
 * Return: Where it goes.
 */
struct target split_begin_pass(VkCommandBuffer handle, VkRenderingFlags flags)
{
	struct target target = split_target(handle);

	/* One that is resumed belongs to the one before, which may be in another command buffer. */
	if (!(flags & VK_RENDERING_RESUMING_BIT))
		split(&target);
	if (!target.cmd)
		return target;
	if (flags & VK_RENDERING_RESUMING_BIT && !target.cmd->suspending)
		join_parts(&target);
	target.cmd->in_pass = true;
	target.cmd->suspending = flags & VK_RENDERING_SUSPENDING_BIT;
	part_of(target.cmd)->works = true;
	part_of(target.cmd)->types |= TYPE_BIT(TYPE_RENDER_PASS);
	return target;
}

/** split_end_pass() - A render pass instance ends. */
struct target split_end_pass(VkCommandBuffer handle)
{
	struct target target = split_target(handle);

	if (!target.cmd)
		return target;
	/* One that only clears or stores. */
	if (!*part_of(target.cmd)->labels.text)
		add_work(target.cmd, "render pass", 0);
	target.cmd->in_pass = false;
	return target;
}

/* ---- Recording ---- */

/** split_begin() - The application has begun a command buffer. */
void split_begin(struct device *device, struct cmd *cmd, const VkCommandBufferBeginInfo *info)
{
	const bool whole = (settings_get()->mode == MODE_PROFILE &&
			    settings_get()->unit != UNIT_WORKLOAD) || device->whole;

	split_reset(cmd);
	cmd->usage = info->flags;
	/* What is in the chain would have to be copied. */
	if (cmd->primary && !whole && !info->pNext)
		cmd->state = state_get(device);
}

/** split_reset() - A command buffer is as if it had never been recorded. */
void split_reset(struct cmd *cmd)
{
	forget_state(cmd);
	cmd->part_count = 1;
	cmd->recorded = cmd->handle;
	clear_part(&cmd->parts[0]);
	cmd->scopes = 0;
	cmd->in_pass = false;
	cmd->suspending = false;
	cmd->resuming = false;
	cmd->result = VK_SUCCESS;
	query_events_clear(&cmd->events);
}

/**
 * split_end() - The application ends a command buffer
 * @device: Its device.
 * @cmd: The command buffer.
 *
 * Return: What has failed, or the result of the driver.
 */
VkResult split_end(struct device *device, struct cmd *cmd)
{
	VkResult result = device->vk.EndCommandBuffer(cmd->recorded);

	part_of(cmd)->joined = cmd->suspending;
	if (part_of(cmd)->query.pool) {
		say_once("a query has no result: it does not end in its command buffer");
		refuse_query(&(struct target) { .device = device, .cmd = cmd });
	}
	forget_state(cmd);
	return cmd->result != VK_SUCCESS ? cmd->result : result;
}

#include "split_commands.h"

/* A secondary command buffer is executed. NULL: one that is not known, for lack of memory. */
static void add_secondary(const struct target *target, const struct cmd *secondary)
{
	struct cmd *cmd = target->cmd;
	const bool works = !secondary || secondary->parts[0].works;
	const char *label = secondary ? labels_of_cmd(secondary) : NULL;

	if (works)
		add_work(cmd, label ? label : "secondary command buffer",
			 secondary ? secondary->parts[0].types : 0);
	if (!secondary)
		return;
	if (works && label && settings_get()->unit == UNIT_WORKLOAD)
		labels_add(&part_of(cmd)->labels, label);
	query_events_append(&cmd->events, &secondary->events, cmd->part_count - 1);
	if (secondary->resuming && !cmd->suspending)
		join_parts(target);
	/* One without a render pass may stand between two instances. */
	if (secondary->resuming || !cmd->suspending)
		cmd->suspending = secondary->suspending;
}

static VKAPI_ATTR void VKAPI_CALL split_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
							   const VkCommandBuffer *cmds)
{
	struct target target = split_target(handle);

	if (target.cmd && !target.cmd->in_pass)
		split(&target);
	for (uint32_t i = 0; i < count && target.cmd; i++)
		add_secondary(&target, commands_find(target.device, cmds[i]));
	target.device->vk.CmdExecuteCommands(target.handle, count, cmds);
	/* Nothing is bound or set behind it. */
	if (target.state)
		state_clear(target.state);
}

static const struct function own[] = {
	{ "vkCmdExecuteCommands", (PFN_vkVoidFunction)split_CmdExecuteCommands },
};

static PFN_vkVoidFunction find(const char *name)
{
	PFN_vkVoidFunction found = find_function(own, COUNT(own), name);

	if (!found)
		found = push_function(name);
	return found ? found : find_function(functions, COUNT(functions), name);
}

static bool is_typed(const char *name)
{
	for (size_t i = 0; i < COUNT(typed); i++) {
		if (!strcmp(typed[i], name))
			return true;
	}
	return false;
}

/**
 * split_function() - The layer's function of a name
 * @device: The device, which has the function.
 * @name: The name.
 *
 * Return: The function; %NULL: not here, or not needed.
 */
PFN_vkVoidFunction split_function(struct device *device, const char *name)
{
	PFN_vkVoidFunction found;

	/* Of a whole command buffer: its types, and whether a render pass is suspended in it. */
	if (settings_get()->mode == MODE_PROFILE && settings_get()->unit != UNIT_WORKLOAD)
		return is_typed(name) ? find(name) : NULL;
	found = find(name);
	/* It would go to the wrong part. */
	if (!found && !strncmp(name, "vkCmd", 5) && !device->whole) {
		say("command buffers are not split: the layer does not know %s", name);
		device->whole = true;
	}
	return found;
}
