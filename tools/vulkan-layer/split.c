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

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#include "commands.h"
#include "labels.h"
#include "layer.h"
#include "settings.h"
#include "split.h"

/**
 * struct record - a command that has set state
 */
struct record {
	/** @next: The one that came next. */
	struct record *next;

	/** @replay: Records it again. */
	split_replay_fn replay;

	/** @key: Which state it sets, beside the command itself. */
	uint64_t key[MAX_KEYS];

	/** @data: Its arguments. */
	uint64_t data[];
};

static struct part *part_of(const struct cmd *cmd)
{
	return &cmd->parts[cmd->part_count - 1];
}

/**
 * split_target() - Where a command goes
 * @handle: The application's command buffer.
 *
 * Return: The part that is recorded.
 */
struct target split_target(VkCommandBuffer handle)
{
	struct device *device = device_of(handle);
	struct cmd *cmd = commands_find(device, handle);
	struct target target = { device, cmd, handle, false };

	if (cmd) {
		target.handle = part_of(cmd)->handle;
		target.records = cmd->primary && !cmd->whole;
	}
	return target;
}

/* ---- What is set ---- */

/** split_clear_state() - Nothing is set. */
void split_clear_state(struct cmd *cmd)
{
	while (cmd->state) {
		struct record *record = cmd->state;

		cmd->state = record->next;
		free(record);
	}
	cmd->last_state = &cmd->state;
}

/** split_whole() - Do not split the rest of a command buffer: its state is not known any longer. */
void split_whole(const struct target *target)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;

	if (!target->records)
		return;
	target->cmd->whole = true;
	split_clear_state(target->cmd);
	if (!atomic_flag_test_and_set(&said))
		say("command buffers are not split behind a push template or a chain");
}

/**
 * split_record() - Save a command that sets state
 * @target: Where it went.
 * @replay: Records it again.
 * @key: Which state it sets. It takes the place of a command with the same @replay and @key.
 * @size: Bytes of its arguments.
 *
 * Return: Where the arguments go, aligned to 8 bytes. %NULL: it is not split any longer.
 */
void *split_record(const struct target *target, split_replay_fn replay,
		   const uint64_t key[MAX_KEYS], size_t size)
{
	struct record *record = malloc(sizeof(*record) + size);
	struct cmd *cmd = target->cmd;
	struct record **link = &cmd->state;

	if (!record) {
		split_whole(target);
		return NULL;
	}
	while (*link) {
		struct record *old = *link;

		if (old->replay == replay && !memcmp(old->key, key, sizeof(old->key))) {
			*link = old->next;
			free(old);
			break;
		}
		link = &old->next;
	}
	/* What is set last is set last again. */
	while (*link)
		link = &(*link)->next;
	record->next = NULL;
	record->replay = replay;
	memcpy(record->key, key, sizeof(record->key));
	*link = record;
	cmd->last_state = &record->next;
	return record->data;
}

/** split_copy() - Copy an array behind the arguments. */
void *split_copy(char **at, const void *from, size_t size)
{
	void *to = *at;

	if (!from)
		return NULL;
	memcpy(to, from, size);
	*at += ALIGNED(size);
	return to;
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
		.commandPool = cmd->pool,
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
	part->works = false;
	part->joined = false;
	part->query.pool = NULL;
}

static VkResult begin_part(struct device *device, struct cmd *cmd)
{
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = cmd->usage,
	};
	VkResult result = VK_SUCCESS;
	struct part *next;

	if (cmd->part_count == cmd->parts_allocated)
		result = allocate_part(device, cmd);
	if (result != VK_SUCCESS)
		return result;
	next = &cmd->parts[cmd->part_count];
	result = device->vk.BeginCommandBuffer(next->handle, &info);
	if (result != VK_SUCCESS)
		return result;
	for (const struct record *at = cmd->state; at; at = at->next)
		at->replay(device, next->handle, at->data);
	result = device->vk.EndCommandBuffer(part_of(cmd)->handle);
	clear_part(next);
	cmd->part_count++;
	return result;
}

static bool is_open(const struct cmd *cmd)
{
	return cmd->scopes || cmd->in_pass || cmd->suspending;
}

static void split_here(struct target *target)
{
	struct cmd *cmd = target->cmd;
	VkResult result;

	result = begin_part(target->device, cmd);
	/* vkEndCommandBuffer returns it. */
	if (result != VK_SUCCESS && cmd->result == VK_SUCCESS)
		cmd->result = result;
	target->handle = part_of(cmd)->handle;
}

/* A workload begins: in a part of its own, if one is before it in this part. */
static void split(struct target *target)
{
	if (target->records && settings_get()->mode == MODE_PROFILE && !is_open(target->cmd) &&
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

	if (!target->records || is_open(cmd) || part_of(cmd)->query.pool)
		return false;
	split_here(target);
	part_of(cmd)->query = *query;
	return true;
}

/**
 * split_end_query() - A query of performance counters ends
 * @target: Where commands go.
 */
void split_end_query(struct target *target)
{
	if (target->records && !is_open(target->cmd))
		split_here(target);
}

static void add_work(struct cmd *cmd, const char *what)
{
	struct part *part = part_of(cmd);

	if (settings_get()->unit == UNIT_WORKLOAD)
		labels_add(&part->labels, *cmd->open.text ? cmd->open.text :
			   cmd->name ? cmd->name : what);
	part->works = true;
}

/**
 * split_work() - Where a command goes that has the GPU work
 * @handle: The application's command buffer.
 * @what: Its label, if it has none.
 *
 * Return: The part, which is a new one if there is work in the one before.
 */
struct target split_work(VkCommandBuffer handle, const char *what)
{
	struct target target = split_target(handle);

	split(&target);
	if (target.cmd)
		add_work(target.cmd, what);
	return target;
}

/** split_draw() - Where a command of a render pass goes. */
struct target split_draw(VkCommandBuffer handle, const char *what)
{
	struct target target = split_target(handle);

	if (target.cmd)
		add_work(target.cmd, what);
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
	target.cmd->in_pass = true;
	target.cmd->suspending = flags & VK_RENDERING_SUSPENDING_BIT;
	part_of(target.cmd)->works = true;
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
		add_work(target.cmd, "render pass");
	target.cmd->in_pass = false;
	return target;
}

/* ---- Recording ---- */

/** split_begin() - The application has begun a command buffer. */
void split_begin(struct device *device, struct cmd *cmd, const VkCommandBufferBeginInfo *info)
{
	cmd->part_count = 1;
	clear_part(&cmd->parts[0]);
	cmd->usage = info->flags;
	/* What is in the chain would have to be copied. */
	cmd->whole = (settings_get()->mode == MODE_PROFILE &&
		      settings_get()->unit != UNIT_WORKLOAD) || device->whole || info->pNext;
	cmd->scopes = 0;
	cmd->in_pass = false;
	cmd->suspending = false;
	cmd->result = VK_SUCCESS;
	split_clear_state(cmd);
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
	VkResult result = device->vk.EndCommandBuffer(part_of(cmd)->handle);

	part_of(cmd)->joined = cmd->suspending;
	split_clear_state(cmd);
	return cmd->result != VK_SUCCESS ? cmd->result : result;
}

#include "split_commands.h"

static VKAPI_ATTR void VKAPI_CALL split_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
							   const VkCommandBuffer *cmds)
{
	struct target target = split_target(handle);

	if (target.cmd && !target.cmd->in_pass)
		split(&target);
	for (uint32_t i = 0; i < count && target.cmd; i++) {
		const struct cmd *secondary = commands_find(target.device, cmds[i]);
		const char *label = secondary ? labels_of_cmd(secondary) : NULL;

		add_work(target.cmd, "secondary command buffer");
		if (label)
			labels_add(&part_of(target.cmd)->labels, label);
	}
	target.device->vk.CmdExecuteCommands(target.handle, count, cmds);
	/* Nothing is bound or set behind it. */
	if (target.records)
		split_clear_state(target.cmd);
}

/* One write of push descriptors, which is followed by what it refers to. */
struct push_write {
	VkPipelineBindPoint point;
	VkPipelineLayout layout;
	uint32_t set;
	VkWriteDescriptorSet write;
};

static void push_descriptors(struct device *device, VkCommandBuffer handle,
			     VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t set,
			     uint32_t count, const VkWriteDescriptorSet *writes)
{
#ifdef VK_VERSION_1_4
	if (!device->commands.CmdPushDescriptorSetKHR) {
		device->commands.CmdPushDescriptorSet(handle, point, layout, set, count, writes);
		return;
	}
#endif
	device->commands.CmdPushDescriptorSetKHR(handle, point, layout, set, count, writes);
}

static void replay_push(struct device *device, VkCommandBuffer handle, const void *data)
{
	const struct push_write *push = data;

	push_descriptors(device, handle, push->point, push->layout, push->set, 1, &push->write);
}

/* What a write refers to. Returns its size; 0: it cannot be copied. */
static size_t descriptors_of(const VkWriteDescriptorSet *write, const void **descriptors)
{
	switch (write->descriptorType) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		*descriptors = write->pImageInfo;
		return write->descriptorCount * sizeof(*write->pImageInfo);
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		*descriptors = write->pTexelBufferView;
		return write->descriptorCount * sizeof(*write->pTexelBufferView);
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		*descriptors = write->pBufferInfo;
		return write->descriptorCount * sizeof(*write->pBufferInfo);
	default:
		return 0;
	}
}

static bool record_push(const struct target *target, const struct push_write *from)
{
	const VkWriteDescriptorSet *write = &from->write;
	const uint64_t key[MAX_KEYS] = {
		from->point, from->set, write->dstBinding, write->dstArrayElement,
	};
	const void *descriptors = NULL;
	const size_t size = write->pNext ? 0 : descriptors_of(write, &descriptors);
	struct push_write *push;
	void *copy;
	char *at;

	if (!size || !descriptors)
		return false;
	push = split_record(target, replay_push, key, ALIGNED(sizeof(*push)) + size);
	if (!push)
		return false;
	*push = *from;
	at = (char *)push + ALIGNED(sizeof(*push));
	copy = split_copy(&at, descriptors, size);
	/* The others are not read for its type. */
	push->write.pImageInfo = copy;
	push->write.pBufferInfo = copy;
	push->write.pTexelBufferView = copy;
	return true;
}

static VKAPI_ATTR void VKAPI_CALL split_CmdPushDescriptorSetKHR(VkCommandBuffer handle,
								VkPipelineBindPoint point,
								VkPipelineLayout layout,
								uint32_t set, uint32_t count,
								const VkWriteDescriptorSet *writes)
{
	struct target target = split_target(handle);

	push_descriptors(target.device, target.handle, point, layout, set, count, writes);
	for (uint32_t i = 0; i < count && target.records; i++) {
		if (!record_push(&target, &(struct push_write) { point, layout, set, writes[i] })) {
			split_whole(&target);
			return;
		}
	}
}

static const struct function own[] = {
	{ "vkCmdExecuteCommands", (PFN_vkVoidFunction)split_CmdExecuteCommands },
	{ "vkCmdPushDescriptorSet", (PFN_vkVoidFunction)split_CmdPushDescriptorSetKHR },
	{ "vkCmdPushDescriptorSetKHR", (PFN_vkVoidFunction)split_CmdPushDescriptorSetKHR },
};

/** split_function() - The layer's function of a name; %NULL: not here, or not needed. */
PFN_vkVoidFunction split_function(const char *name)
{
	PFN_vkVoidFunction found = find_function(own, COUNT(own), name);

	if (settings_get()->mode == MODE_QUERIES)
		return found ? found : find_function(functions, COUNT(functions), name);
	if (settings_get()->unit == UNIT_SUBMISSION)
		return NULL;
	/*
	 * Of a command buffer as a whole it only has to be known where a render pass is suspended.
	 */
	if (settings_get()->unit == UNIT_COMMAND_BUFFER && !strstr(name, "Rendering"))
		return NULL;
	return found ? found : find_function(functions, COUNT(functions), name);
}
