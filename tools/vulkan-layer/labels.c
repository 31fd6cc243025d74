// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Labels and names of VK_EXT_debug_utils and VK_EXT_debug_marker.
 *
 * The loader has one function for all devices: these may be called for one that is not profiled,
 * too.
 *
 * A label may begin in a command buffer and end in another one that is submitted later to the same
 * queue.
 *
 * A label that encloses others is a part of their names: "main/opaque + main/sky". A command buffer
 * without labels has its own name.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "labels.h"
#include "layer.h"
#include "settings.h"
#include "split.h"

/* ---- Labels of a text ---- */

static void open_label(struct label_stack *stack, const char *label)
{
	const size_t length = strlen(stack->text);

	if (stack->depth < MAX_DEPTH) {
		stack->lengths[stack->depth] = length;
		snprintf(stack->text + length, sizeof(stack->text) - length, "%s%s",
			 length ? "/" : "", label ? label : "");
	}
	stack->depth++;
}

static void close_label(struct label_stack *stack)
{
	if (!stack->depth)
		return;
	stack->depth--;
	if (stack->depth < MAX_DEPTH)
		stack->text[stack->lengths[stack->depth]] = '\0';
}

/**
 * labels_add() - Add a label to those of a unit
 * @labels: They.
 * @label: The label. One that follows itself is there once.
 */
void labels_add(struct labels *labels, const char *label)
{
	static const char separator[] = " + ";
	const size_t length = strlen(labels->text), own = strlen(label);
	const char *last = labels->text;

	for (const char *at = last; (at = strstr(at, separator)); last = at)
		at += strlen(separator);
	if (length && !strcmp(last, label))
		return;
	if (length + own + strlen(separator) < MAX_LABELS)
		sprintf(labels->text + length, "%s%s", length ? separator : "", label);
	else if (length < strlen(MORE_LABELS) ||
		 strcmp(labels->text + length - strlen(MORE_LABELS), MORE_LABELS))
		snprintf(labels->text + length, sizeof(labels->text) - length, MORE_LABELS);
}

static void begin_label(const struct target *target, const char *label)
{
	if (!target->cmd)
		return;
	open_label(&target->cmd->open, label);
	target->cmd->leaf = true;
}

/**
 * labels_add_open() - Add the open labels of a command buffer to its own
 * @cmd: The command buffer.
 *
 * Those of workloads are those that are open when there is work.
 */
void labels_add_open(struct cmd *cmd)
{
	if (cmd->leaf && settings_get()->unit != UNIT_WORKLOAD) {
		labels_add(&cmd->parts[0].labels, cmd->open.text);
		cmd->parts[0].named = true;
	}
	cmd->leaf = false;
}

static void end_label(const struct target *target)
{
	struct cmd *cmd = target->cmd;

	if (!cmd)
		return;
	/* It may be of a command buffer that is submitted before. */
	if (!cmd->open.depth)
		cmd->closed++;
	labels_add_open(cmd);
	close_label(&cmd->open);
}

static void insert_label(const struct target *target, const char *label)
{
	begin_label(target, label);
	end_label(target);
}

/**
 * labels_of_cmd() - What a row with a command buffer is called
 * @cmd: The command buffer.
 *
 * Return: Its labels or its name; %NULL if it has neither.
 */
const char *labels_of_cmd(const struct cmd *cmd)
{
	const char *labels = cmd->parts[0].labels.text;

	return *labels ? labels : cmd->name;
}

/**
 * labels_of_queue() - What rows of a queue begin with
 * @queue: The queue.
 *
 * Return: Its open labels, to be freed; %NULL if there are none.
 */
char *labels_of_queue(struct queue *queue)
{
	char *copy;

	pthread_mutex_lock(&queue->device->lock);
	copy = queue->labels && *queue->labels->text ? strdup(queue->labels->text) : NULL;
	pthread_mutex_unlock(&queue->device->lock);
	return copy;
}

static void close_labels(struct label_stack *stack, unsigned int count)
{
	for (unsigned int i = 0; i < count && stack->depth; i++)
		close_label(stack);
}

/**
 * labels_of_part() - What a part of a command buffer is called that is submitted
 * @queue: The queue.
 * @cmd: The command buffer.
 * @part: The part.
 *
 * Return: The labels that are open since earlier command buffers, and its own; without labels its
 * command or the name of the command buffer. To be freed; %NULL if there is none.
 */
char *labels_of_part(const struct queue *queue, const struct cmd *cmd, const struct part *part)
{
	const char *own = *part->labels.text ? part->labels.text : cmd->name;
	struct label_stack open;
	char *label;

	if (!queue->carried || !queue->carried->depth)
		return own ? strdup(own) : NULL;
	open = *queue->carried;
	close_labels(&open, part->closed);
	if (!*open.text)
		return own ? strdup(own) : NULL;
	if (!part->named)
		return strdup(open.text);
	return asprintf(&label, "%s/%s", open.text, part->labels.text) < 0 ? NULL : label;
}

/** labels_carry() - A command buffer is submitted: its open labels are those of the next ones. */
void labels_carry(struct queue *queue, const struct cmd *cmd)
{
	const unsigned int depth = cmd->open.depth < MAX_DEPTH ? cmd->open.depth : MAX_DEPTH;

	if (!queue->carried && depth)
		queue->carried = calloc(1, sizeof(*queue->carried));
	if (!queue->carried)
		return;
	close_labels(queue->carried, cmd->closed);
	for (unsigned int i = 0; i < depth; i++) {
		char label[MAX_LABELS];
		const size_t begin = cmd->open.lengths[i] + (cmd->open.lengths[i] > 0);
		const size_t end = i + 1 < depth ? cmd->open.lengths[i + 1] :
						   strlen(cmd->open.text);

		snprintf(label, sizeof(label), "%.*s", begin < end ? (int)(end - begin) : 0,
			 cmd->open.text + begin);
		open_label(queue->carried, label);
	}
}

/* ---- Command buffers ---- */

static VKAPI_ATTR void VKAPI_CALL
layer_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer handle, const VkDebugUtilsLabelEXT *label)
{
	const struct target target = split_target(handle);

	begin_label(&target, label->pLabelName);
	target.device->vk.CmdBeginDebugUtilsLabelEXT(target.handle, label);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdEndDebugUtilsLabelEXT(VkCommandBuffer handle)
{
	const struct target target = split_target(handle);

	end_label(&target);
	target.device->vk.CmdEndDebugUtilsLabelEXT(target.handle);
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer handle, const VkDebugUtilsLabelEXT *label)
{
	const struct target target = split_target(handle);

	insert_label(&target, label->pLabelName);
	target.device->vk.CmdInsertDebugUtilsLabelEXT(target.handle, label);
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdDebugMarkerBeginEXT(VkCommandBuffer handle, const VkDebugMarkerMarkerInfoEXT *marker)
{
	const struct target target = split_target(handle);

	begin_label(&target, marker->pMarkerName);
	target.device->vk.CmdDebugMarkerBeginEXT(target.handle, marker);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDebugMarkerEndEXT(VkCommandBuffer handle)
{
	const struct target target = split_target(handle);

	end_label(&target);
	target.device->vk.CmdDebugMarkerEndEXT(target.handle);
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdDebugMarkerInsertEXT(VkCommandBuffer handle, const VkDebugMarkerMarkerInfoEXT *marker)
{
	const struct target target = split_target(handle);

	insert_label(&target, marker->pMarkerName);
	target.device->vk.CmdDebugMarkerInsertEXT(target.handle, marker);
}

/* ---- Queues ---- */

static void begin_queue_label(struct queue *queue, const char *label)
{
	pthread_mutex_lock(&queue->device->lock);
	if (!queue->labels)
		queue->labels = calloc(1, sizeof(*queue->labels));
	if (queue->labels)
		open_label(queue->labels, label);
	pthread_mutex_unlock(&queue->device->lock);
}

static void end_queue_label(struct queue *queue)
{
	pthread_mutex_lock(&queue->device->lock);
	if (queue->labels)
		close_label(queue->labels);
	pthread_mutex_unlock(&queue->device->lock);
}

static VKAPI_ATTR void VKAPI_CALL
layer_QueueBeginDebugUtilsLabelEXT(VkQueue handle, const VkDebugUtilsLabelEXT *label)
{
	struct device *device = device_of(handle);
	struct queue *queue = queue_of(device, handle);

	if (queue)
		begin_queue_label(queue, label->pLabelName);
	queue_begin_call(queue);
	device->vk.QueueBeginDebugUtilsLabelEXT(handle, label);
	queue_end_call(queue);
}

static VKAPI_ATTR void VKAPI_CALL layer_QueueEndDebugUtilsLabelEXT(VkQueue handle)
{
	struct device *device = device_of(handle);
	struct queue *queue = queue_of(device, handle);

	if (queue)
		end_queue_label(queue);
	queue_begin_call(queue);
	device->vk.QueueEndDebugUtilsLabelEXT(handle);
	queue_end_call(queue);
}

static VKAPI_ATTR void VKAPI_CALL
layer_QueueInsertDebugUtilsLabelEXT(VkQueue handle, const VkDebugUtilsLabelEXT *label)
{
	struct device *device = device_of(handle);
	struct queue *queue = queue_of(device, handle);

	queue_begin_call(queue);
	device->vk.QueueInsertDebugUtilsLabelEXT(handle, label);
	queue_end_call(queue);
}

/* ---- Names ---- */

static void set_name(struct device *device, uint64_t object, const char *name)
{
	struct cmd *cmd = commands_find(device, (VkCommandBuffer)(uintptr_t)object);

	if (!cmd)
		return;
	free(cmd->name);
	cmd->name = name && *name ? strdup(name) : NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_SetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *info)
{
	struct device *device = device_of(handle);

	if (info->objectType == VK_OBJECT_TYPE_COMMAND_BUFFER)
		set_name(device, info->objectHandle, info->pObjectName);
	return device->vk.SetDebugUtilsObjectNameEXT(handle, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_DebugMarkerSetObjectNameEXT(VkDevice handle, const VkDebugMarkerObjectNameInfoEXT *info)
{
	struct device *device = device_of(handle);

	if (info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_BUFFER_EXT)
		set_name(device, info->object, info->pObjectName);
	return device->vk.DebugMarkerSetObjectNameEXT(handle, info);
}

static const struct function functions[] = {
	FUNCTION(CmdBeginDebugUtilsLabelEXT),
	FUNCTION(CmdDebugMarkerBeginEXT),
	FUNCTION(CmdDebugMarkerEndEXT),
	FUNCTION(CmdDebugMarkerInsertEXT),
	FUNCTION(CmdEndDebugUtilsLabelEXT),
	FUNCTION(CmdInsertDebugUtilsLabelEXT),
	FUNCTION(DebugMarkerSetObjectNameEXT),
	FUNCTION(QueueBeginDebugUtilsLabelEXT),
	FUNCTION(QueueEndDebugUtilsLabelEXT),
	FUNCTION(QueueInsertDebugUtilsLabelEXT),
	FUNCTION(SetDebugUtilsObjectNameEXT),
};

/** labels_function() - The layer's function of a name; %NULL: not here. */
PFN_vkVoidFunction labels_function(const char *name)
{
	return find_function(functions, COUNT(functions), name);
}
