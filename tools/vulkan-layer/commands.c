// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <search.h>
#include <stdlib.h>

#include "commands.h"
#include "layer.h"
#include "split.h"

static int compare(const void *a, const void *b)
{
	const struct cmd *first = a, *second = b;

	return (first->handle > second->handle) - (first->handle < second->handle);
}

static struct cmd *find_locked(struct device *device, VkCommandBuffer handle)
{
	const struct cmd key = { .handle = handle };
	struct cmd **found = tfind(&key, &device->cmds, compare);

	return found ? *found : NULL;
}

/**
 * commands_find() - The command buffer of a handle
 * @device: Its device.
 * @handle: The handle.
 *
 * Return: The command buffer. %NULL: it is not known, for lack of memory or because its device is
 * not profiled.
 */
struct cmd *commands_find(struct device *device, VkCommandBuffer handle)
{
	struct cmd *cmd;

	pthread_mutex_lock(&device->lock);
	cmd = find_locked(device, handle);
	pthread_mutex_unlock(&device->lock);
	return cmd;
}

static void free_cmd(void *arg)
{
	struct cmd *cmd = arg;

	split_clear_state(cmd);
	free(cmd->parts);
	free(cmd->name);
	free(cmd);
}

static void remove_locked(struct device *device, VkCommandBuffer handle)
{
	struct cmd *cmd = find_locked(device, handle);

	if (!cmd)
		return;
	tdelete(cmd, &device->cmds, compare);
	free_cmd(cmd);
}

/** commands_add() - The application has allocated a command buffer. */
void commands_add(struct device *device, const VkCommandBufferAllocateInfo *info,
		  VkCommandBuffer handle)
{
	struct cmd *cmd = calloc(1, sizeof(*cmd));

	if (!cmd)
		return;
	cmd->parts = calloc(1, sizeof(*cmd->parts));
	if (!cmd->parts) {
		free(cmd);
		return;
	}
	cmd->handle = handle;
	cmd->pool = info->commandPool;
	cmd->primary = info->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY;
	cmd->parts[0].handle = handle;
	cmd->part_count = 1;
	cmd->parts_allocated = 1;
	cmd->last_state = &cmd->state;
	pthread_mutex_lock(&device->lock);
	remove_locked(device, handle);
	tsearch(cmd, &device->cmds, compare);
	pthread_mutex_unlock(&device->lock);
}

/** commands_remove() - The application frees a command buffer. */
void commands_remove(struct device *device, VkCommandBuffer handle)
{
	struct cmd *cmd = commands_find(device, handle);

	if (!cmd)
		return;
	for (unsigned int i = 1; i < cmd->parts_allocated; i++)
		device->vk.FreeCommandBuffers(device->handle, cmd->pool, 1, &cmd->parts[i].handle);
	pthread_mutex_lock(&device->lock);
	remove_locked(device, handle);
	pthread_mutex_unlock(&device->lock);
}

/* Of a walk over the set. */
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

/** commands_remove_pool() - The application destroys a pool, with all of its command buffers. */
void commands_remove_pool(struct device *device, VkCommandPool pool)
{
	pthread_mutex_lock(&device->lock);
	of_pool.pool = pool;
	do {
		of_pool.found = NULL;
		twalk(device->cmds, find_in_pool);
		if (of_pool.found)
			remove_locked(device, of_pool.found);
	} while (of_pool.found);
	pthread_mutex_unlock(&device->lock);
}

/** commands_fini() - Free what is known of the command buffers of a device. */
void commands_fini(struct device *device)
{
	tdestroy(device->cmds, free_cmd);
	device->cmds = NULL;
}

/* ---- Calls of the application ---- */

static VKAPI_ATTR VkResult VKAPI_CALL
layer_AllocateCommandBuffers(VkDevice handle, const VkCommandBufferAllocateInfo *info,
			     VkCommandBuffer *cmds)
{
	struct device *device = device_of(handle);
	VkResult result = device->vk.AllocateCommandBuffers(handle, info, cmds);

	for (uint32_t i = 0; i < info->commandBufferCount && result == VK_SUCCESS; i++)
		commands_add(device, info, cmds[i]);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_FreeCommandBuffers(VkDevice handle, VkCommandPool pool,
							   uint32_t count,
							   const VkCommandBuffer *cmds)
{
	struct device *device = device_of(handle);

	for (uint32_t i = 0; i < count; i++)
		commands_remove(device, cmds[i]);
	device->vk.FreeCommandBuffers(handle, pool, count, cmds);
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroyCommandPool(VkDevice handle, VkCommandPool pool,
							   const VkAllocationCallbacks *allocator)
{
	struct device *device = device_of(handle);

	commands_remove_pool(device, pool);
	device->vk.DestroyCommandPool(handle, pool, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
	struct device *device = device_of(handle);
	struct cmd *cmd = commands_find(device, handle);

	if (cmd) {
		cmd->open.depth = 0;
		*cmd->open.text = '\0';
		split_begin(device, cmd, info);
	}
	return device->vk.BeginCommandBuffer(handle, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_EndCommandBuffer(VkCommandBuffer handle)
{
	struct device *device = device_of(handle);
	struct cmd *cmd = commands_find(device, handle);

	return cmd ? split_end(device, cmd) : device->vk.EndCommandBuffer(handle);
}

static const struct function functions[] = {
	FUNCTION(AllocateCommandBuffers),
	FUNCTION(BeginCommandBuffer),
	FUNCTION(DestroyCommandPool),
	FUNCTION(EndCommandBuffer),
	FUNCTION(FreeCommandBuffers),
};

/** commands_function() - The layer's function of a name; %NULL: not here. */
PFN_vkVoidFunction commands_function(const char *name)
{
	return find_function(functions, COUNT(functions), name);
}
