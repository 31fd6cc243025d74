// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Labels and names of VK_EXT_debug_utils and VK_EXT_debug_marker.
 *
 * The loader has one function for all devices: these may be called for one that is not profiled,
 * too.
 *
 * A label that encloses others is a part of their names: "main/opaque + main/sky". A command buffer
 * without labels has its own name.
 */

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "labels.h"
#include "layer.h"

/* Labels of a command buffer beyond this are "...". */
#define MAX_LABELS	512
/* Labels within each other beyond this are left out. */
#define MAX_DEPTH	32
#define MORE		" + ..."

/**
 * struct label_stack - labels that are open
 */
struct label_stack {
	/** @text: They, separated by "/". */
	char text[MAX_LABELS];

	/** @lengths: Length of @text without the label of each depth, and those in it. */
	uint16_t lengths[MAX_DEPTH];

	/** @depth: Number of open labels. Those beyond the deepest one are not in @text. */
	unsigned int depth;
};

/**
 * struct cmd - a command buffer
 */
struct cmd {
	/** @handle: Handle. */
	VkCommandBuffer handle;

	/** @pool: Its pool. */
	VkCommandPool pool;

	/** @name: The application's name for it. May be %NULL. */
	char *name;

	/** @open: Labels that are open. */
	struct label_stack open;

	/** @labels: Labels so far, separated by " + ". */
	char labels[MAX_LABELS + sizeof(MORE)];

	/** @leaf: The innermost open label has no other within. */
	bool leaf;
};

static int compare_cmds(const void *a, const void *b)
{
	const struct cmd *first = a, *second = b;

	return (first->handle > second->handle) - (first->handle < second->handle);
}

static struct cmd *find_cmd(struct device *device, VkCommandBuffer handle)
{
	const struct cmd key = { .handle = handle };
	struct cmd **found = tfind(&key, &device->cmds, compare_cmds);

	return found ? *found : NULL;
}

static void free_cmd(void *arg)
{
	struct cmd *cmd = arg;

	free(cmd->name);
	free(cmd);
}

static void remove_cmd(struct device *device, VkCommandBuffer handle)
{
	struct cmd *cmd = find_cmd(device, handle);

	if (!cmd)
		return;
	tdelete(cmd, &device->cmds, compare_cmds);
	free_cmd(cmd);
}

/** labels_fini_device() - Free what is known of the command buffers of a device. */
void labels_fini_device(struct device *device)
{
	tdestroy(device->cmds, free_cmd);
	device->cmds = NULL;
}

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

/* A label that follows itself is there once. */
static void add_label(struct cmd *cmd, const char *label)
{
	static const char separator[] = " + ";
	const size_t length = strlen(cmd->labels), own = strlen(label);
	const char *last = cmd->labels;

	for (const char *at = last; (at = strstr(at, separator)); last = at)
		at += strlen(separator);
	if (length && !strcmp(last, label))
		return;
	if (length + own + 3 >= MAX_LABELS) {
		if (length < sizeof(MORE) || strcmp(cmd->labels + length - strlen(MORE), MORE))
			snprintf(cmd->labels + length, sizeof(cmd->labels) - length, MORE);
		return;
	}
	sprintf(cmd->labels + length, "%s%s", length ? separator : "", label);
}

static void begin_label(struct device *device, VkCommandBuffer handle, const char *label)
{
	struct cmd *cmd;

	pthread_mutex_lock(&device->lock);
	cmd = find_cmd(device, handle);
	if (cmd) {
		open_label(&cmd->open, label);
		cmd->leaf = true;
	}
	pthread_mutex_unlock(&device->lock);
}

static void end_label(struct device *device, VkCommandBuffer handle)
{
	struct cmd *cmd;

	pthread_mutex_lock(&device->lock);
	cmd = find_cmd(device, handle);
	if (cmd) {
		if (cmd->leaf)
			add_label(cmd, cmd->open.text);
		cmd->leaf = false;
		close_label(&cmd->open);
	}
	pthread_mutex_unlock(&device->lock);
}

static void insert_label(struct device *device, VkCommandBuffer handle, const char *label)
{
	begin_label(device, handle, label);
	end_label(device, handle);
}

/**
 * labels_of_cmd() - What a row with a command buffer is called
 * @device: The device.
 * @handle: The command buffer.
 *
 * Return: Its labels or its name, to be freed; %NULL if it has neither.
 */
char *labels_of_cmd(struct device *device, VkCommandBuffer handle)
{
	const char *text = NULL;
	const struct cmd *cmd;
	char *copy;

	pthread_mutex_lock(&device->lock);
	cmd = find_cmd(device, handle);
	if (cmd)
		text = *cmd->labels ? cmd->labels : cmd->name;
	copy = text ? strdup(text) : NULL;
	pthread_mutex_unlock(&device->lock);
	return copy;
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

/* ---- Command buffers ---- */

static VKAPI_ATTR VkResult VKAPI_CALL
layer_AllocateCommandBuffers(VkDevice handle, const VkCommandBufferAllocateInfo *info,
			     VkCommandBuffer *cmds)
{
	struct device *device = device_of(handle);
	VkResult result = device->vk.AllocateCommandBuffers(handle, info, cmds);

	if (result != VK_SUCCESS)
		return result;
	pthread_mutex_lock(&device->lock);
	for (uint32_t i = 0; i < info->commandBufferCount; i++) {
		struct cmd *cmd = calloc(1, sizeof(*cmd));

		/* Without memory it has no labels. */
		if (!cmd)
			break;
		cmd->handle = cmds[i];
		cmd->pool = info->commandPool;
		remove_cmd(device, cmds[i]);
		tsearch(cmd, &device->cmds, compare_cmds);
	}
	pthread_mutex_unlock(&device->lock);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_FreeCommandBuffers(VkDevice handle, VkCommandPool pool,
							   uint32_t count,
							   const VkCommandBuffer *cmds)
{
	struct device *device = device_of(handle);

	pthread_mutex_lock(&device->lock);
	for (uint32_t i = 0; i < count; i++)
		remove_cmd(device, cmds[i]);
	pthread_mutex_unlock(&device->lock);
	device->vk.FreeCommandBuffers(handle, pool, count, cmds);
}

/* Of a walk over the tree, guarded by the lock of the device. */
static __thread struct {
	VkCommandPool pool;
	VkCommandBuffer found;
} of_pool;

static void find_in_pool(const void *node, VISIT visit, int depth)
{
	const struct cmd *cmd = *(struct cmd *const *)node;

	(void)depth;
	if ((visit == postorder || visit == leaf) && cmd->pool == of_pool.pool)
		of_pool.found = cmd->handle;
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroyCommandPool(VkDevice handle, VkCommandPool pool,
							   const VkAllocationCallbacks *allocator)
{
	struct device *device = device_of(handle);

	pthread_mutex_lock(&device->lock);
	of_pool.pool = pool;
	do {
		of_pool.found = NULL;
		twalk(device->cmds, find_in_pool);
		if (of_pool.found)
			remove_cmd(device, of_pool.found);
	} while (of_pool.found);
	pthread_mutex_unlock(&device->lock);
	device->vk.DestroyCommandPool(handle, pool, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
	struct device *device = device_of(handle);
	struct cmd *cmd;

	pthread_mutex_lock(&device->lock);
	cmd = find_cmd(device, handle);
	if (cmd) {
		cmd->open.depth = 0;
		*cmd->open.text = '\0';
		*cmd->labels = '\0';
	}
	pthread_mutex_unlock(&device->lock);
	return device->vk.BeginCommandBuffer(handle, info);
}

/* Labels of secondary command buffers are those of the primary one. */
static VKAPI_ATTR void VKAPI_CALL layer_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
							   const VkCommandBuffer *cmds)
{
	struct device *device = device_of(handle);

	for (uint32_t i = 0; i < count; i++) {
		char *label = labels_of_cmd(device, cmds[i]);

		if (label)
			insert_label(device, handle, label);
		free(label);
	}
	device->vk.CmdExecuteCommands(handle, count, cmds);
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer handle, const VkDebugUtilsLabelEXT *label)
{
	struct device *device = device_of(handle);

	begin_label(device, handle, label->pLabelName);
	device->vk.CmdBeginDebugUtilsLabelEXT(handle, label);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdEndDebugUtilsLabelEXT(VkCommandBuffer handle)
{
	struct device *device = device_of(handle);

	end_label(device, handle);
	device->vk.CmdEndDebugUtilsLabelEXT(handle);
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer handle, const VkDebugUtilsLabelEXT *label)
{
	struct device *device = device_of(handle);

	insert_label(device, handle, label->pLabelName);
	device->vk.CmdInsertDebugUtilsLabelEXT(handle, label);
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdDebugMarkerBeginEXT(VkCommandBuffer handle, const VkDebugMarkerMarkerInfoEXT *marker)
{
	struct device *device = device_of(handle);

	begin_label(device, handle, marker->pMarkerName);
	device->vk.CmdDebugMarkerBeginEXT(handle, marker);
}

static VKAPI_ATTR void VKAPI_CALL layer_CmdDebugMarkerEndEXT(VkCommandBuffer handle)
{
	struct device *device = device_of(handle);

	end_label(device, handle);
	device->vk.CmdDebugMarkerEndEXT(handle);
}

static VKAPI_ATTR void VKAPI_CALL
layer_CmdDebugMarkerInsertEXT(VkCommandBuffer handle, const VkDebugMarkerMarkerInfoEXT *marker)
{
	struct device *device = device_of(handle);

	insert_label(device, handle, marker->pMarkerName);
	device->vk.CmdDebugMarkerInsertEXT(handle, marker);
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
	struct cmd *cmd;

	pthread_mutex_lock(&device->lock);
	cmd = find_cmd(device, (VkCommandBuffer)(uintptr_t)object);
	if (cmd) {
		free(cmd->name);
		cmd->name = name && *name ? strdup(name) : NULL;
	}
	pthread_mutex_unlock(&device->lock);
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
	FUNCTION(AllocateCommandBuffers),
	FUNCTION(BeginCommandBuffer),
	FUNCTION(CmdBeginDebugUtilsLabelEXT),
	FUNCTION(CmdDebugMarkerBeginEXT),
	FUNCTION(CmdDebugMarkerEndEXT),
	FUNCTION(CmdDebugMarkerInsertEXT),
	FUNCTION(CmdEndDebugUtilsLabelEXT),
	FUNCTION(CmdExecuteCommands),
	FUNCTION(CmdInsertDebugUtilsLabelEXT),
	FUNCTION(DebugMarkerSetObjectNameEXT),
	FUNCTION(DestroyCommandPool),
	FUNCTION(FreeCommandBuffers),
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
