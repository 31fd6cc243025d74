// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <search.h>
#include <stdlib.h>

#include "commands.h"
#include "labels.h"
#include "layer.h"
#include "push.h"
#include "split.h"
#include "state.h"

__thread struct cmd_cache commands_cache[CMD_CACHE];
/* Goes up with each command buffer that is removed. */
atomic_ulong commands_removals;

static int compare(const void *a, const void *b)
{
	const struct cmd *first = a, *second = b;

	return (first->handle > second->handle) - (first->handle < second->handle);
}

static int compare_pools(const void *a, const void *b)
{
	const struct cmd_pool *first = a, *second = b;

	return (first->handle > second->handle) - (first->handle < second->handle);
}

static struct cmd *find_locked(struct device *device, VkCommandBuffer handle)
{
	const struct cmd key = { .handle = handle };
	struct cmd **found = tfind(&key, &device->cmds, compare);

	return found ? *found : NULL;
}

static struct cmd_pool *find_pool_locked(struct device *device, VkCommandPool handle)
{
	const struct cmd_pool key = { .handle = handle };
	struct cmd_pool **found = tfind(&key, &device->cmd_pools, compare_pools);

	return found ? *found : NULL;
}

/** commands_search() - commands_find() of one that the thread has not found before. */
struct cmd *commands_search(struct device *device, VkCommandBuffer handle)
{
	struct cmd_cache *cache = commands_cached(handle);
	const unsigned long removals = commands_removals;
	struct cmd *cmd;

	pthread_mutex_lock(&device->lock);
	cmd = find_locked(device, handle);
	pthread_mutex_unlock(&device->lock);
	if (cmd)
		*cache = (struct cmd_cache) { handle, cmd, removals };
	return cmd;
}

/* Its parts are the driver's to free. */
static void free_cmd(struct cmd *cmd)
{
	state_put(cmd->device, cmd->state);
	query_events_clear(&cmd->events);
	free(cmd->parts);
	free(cmd->name);
	free(cmd);
}

/* Removes it from the sets. */
static void take_locked(struct device *device, struct cmd *cmd)
{
	*cmd->pool_link = cmd->pool_next;
	if (cmd->pool_next)
		cmd->pool_next->pool_link = cmd->pool_link;
	tdelete(cmd, &device->cmds, compare);
	commands_removals++;
}

static struct cmd *create(struct device *device, const VkCommandBufferAllocateInfo *info,
			  VkCommandBuffer handle)
{
	struct cmd *cmd = calloc(1, sizeof(*cmd));

	if (!cmd)
		return NULL;
	cmd->parts = calloc(1, sizeof(*cmd->parts));
	if (!cmd->parts) {
		free(cmd);
		return NULL;
	}
	cmd->handle = handle;
	cmd->device = device;
	cmd->recorded = handle;
	cmd->primary = info->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY;
	cmd->parts[0].handle = handle;
	cmd->part_count = 1;
	cmd->parts_allocated = 1;
	return cmd;
}

/* A command buffer that is not known is not split. */
static void add(struct device *device, const VkCommandBufferAllocateInfo *info,
		VkCommandBuffer handle)
{
	struct cmd *cmd = create(device, info, handle);

	if (!cmd)
		return;
	pthread_mutex_lock(&device->lock);
	cmd->pool = find_pool_locked(device, info->commandPool);
	if (!cmd->pool || !tsearch(cmd, &device->cmds, compare)) {
		pthread_mutex_unlock(&device->lock);
		free_cmd(cmd);
		return;
	}
	cmd->pool_next = cmd->pool->cmds;
	cmd->pool_link = &cmd->pool->cmds;
	if (cmd->pool_next)
		cmd->pool_next->pool_link = &cmd->pool_next;
	cmd->pool->cmds = cmd;
	pthread_mutex_unlock(&device->lock);
}

static void free_parts(struct cmd *cmd)
{
	struct device *device = cmd->device;

	for (unsigned int i = 1; i < cmd->parts_allocated; i++)
		device->vk.FreeCommandBuffers(device->handle, cmd->pool->handle, 1,
					      &cmd->parts[i].handle);
	cmd->parts_allocated = 1;
}

static void free_pool(void *arg)
{
	struct cmd_pool *pool = arg;

	while (pool->cmds) {
		struct cmd *cmd = pool->cmds;

		pool->cmds = cmd->pool_next;
		free_cmd(cmd);
	}
	free(pool);
}

static void ignore(void *arg)
{
}

/** commands_fini() - Free what is known of the command buffers of a device. */
void commands_fini(struct device *device)
{
	commands_removals++;
	tdestroy(device->cmds, ignore);
	device->cmds = NULL;
	tdestroy(device->cmd_pools, free_pool);
	device->cmd_pools = NULL;
	push_fini(device);
	state_fini(device);
}

/* ---- Calls of the application ---- */

static VKAPI_ATTR VkResult VKAPI_CALL
layer_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
			const VkAllocationCallbacks *allocator, VkCommandPool *pool_handle)
{
	struct device *device = device_of(handle);
	VkResult result = device->vk.CreateCommandPool(handle, info, allocator, pool_handle);
	struct cmd_pool *pool;

	if (result != VK_SUCCESS)
		return result;
	pool = calloc(1, sizeof(*pool));
	if (!pool)
		return result;
	pool->handle = *pool_handle;
	pthread_mutex_lock(&device->lock);
	if (!tsearch(pool, &device->cmd_pools, compare_pools))
		free(pool);
	pthread_mutex_unlock(&device->lock);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_DestroyCommandPool(VkDevice handle,
							   VkCommandPool pool_handle,
							   const VkAllocationCallbacks *allocator)
{
	struct device *device = device_of(handle);
	struct cmd_pool *pool;

	pthread_mutex_lock(&device->lock);
	pool = find_pool_locked(device, pool_handle);
	if (pool) {
		for (struct cmd *cmd = pool->cmds; cmd; cmd = cmd->pool_next)
			tdelete(cmd, &device->cmds, compare);
		tdelete(pool, &device->cmd_pools, compare_pools);
		commands_removals++;
	}
	pthread_mutex_unlock(&device->lock);
	if (pool)
		free_pool(pool);
	/* With all command buffers, those of parts, too. */
	device->vk.DestroyCommandPool(handle, pool_handle, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_ResetCommandPool(VkDevice handle,
							     VkCommandPool pool_handle,
							     VkCommandPoolResetFlags flags)
{
	struct device *device = device_of(handle);
	struct cmd_pool *pool;

	pthread_mutex_lock(&device->lock);
	pool = find_pool_locked(device, pool_handle);
	pthread_mutex_unlock(&device->lock);
	/* The application uses neither the pool nor its command buffers meanwhile. */
	for (struct cmd *cmd = pool ? pool->cmds : NULL; cmd; cmd = cmd->pool_next) {
		split_reset(cmd);
		if (flags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT)
			free_parts(cmd);
	}
	return device->vk.ResetCommandPool(handle, pool_handle, flags);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_AllocateCommandBuffers(VkDevice handle, const VkCommandBufferAllocateInfo *info,
			     VkCommandBuffer *cmds)
{
	struct device *device = device_of(handle);
	VkResult result = device->vk.AllocateCommandBuffers(handle, info, cmds);

	for (uint32_t i = 0; i < info->commandBufferCount && result == VK_SUCCESS; i++)
		add(device, info, cmds[i]);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL layer_FreeCommandBuffers(VkDevice handle, VkCommandPool pool,
							   uint32_t count,
							   const VkCommandBuffer *cmds)
{
	struct device *device = device_of(handle);

	for (uint32_t i = 0; i < count; i++) {
		struct cmd *cmd = cmds[i] ? commands_find(device, cmds[i]) : NULL;

		if (!cmd)
			continue;
		pthread_mutex_lock(&device->lock);
		take_locked(device, cmd);
		pthread_mutex_unlock(&device->lock);
		free_parts(cmd);
		free_cmd(cmd);
	}
	device->vk.FreeCommandBuffers(handle, pool, count, cmds);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_ResetCommandBuffer(VkCommandBuffer handle,
							       VkCommandBufferResetFlags flags)
{
	struct device *device = device_of(handle);
	struct cmd *cmd = commands_find(device, handle);

	if (cmd) {
		const unsigned int used = cmd->part_count;

		split_reset(cmd);
		if (flags & VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT)
			free_parts(cmd);
		for (unsigned int i = 1; i < used && i < cmd->parts_allocated; i++)
			device->vk.ResetCommandBuffer(cmd->parts[i].handle, flags);
	}
	return device->vk.ResetCommandBuffer(handle, flags);
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info)
{
	struct device *device = device_of(handle);
	struct cmd *cmd = commands_find(device, handle);

	if (cmd) {
		cmd->open.depth = 0;
		*cmd->open.text = '\0';
		cmd->closed = 0;
		cmd->leaf = false;
		split_begin(device, cmd, info);
	}
	return device->vk.BeginCommandBuffer(handle, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL layer_EndCommandBuffer(VkCommandBuffer handle)
{
	struct device *device = device_of(handle);
	struct cmd *cmd = commands_find(device, handle);

	if (cmd)
		labels_add_open(cmd);
	return cmd ? split_end(device, cmd) : device->vk.EndCommandBuffer(handle);
}

static const struct function functions[] = {
	FUNCTION(AllocateCommandBuffers),
	FUNCTION(BeginCommandBuffer),
	FUNCTION(CreateCommandPool),
	FUNCTION(DestroyCommandPool),
	FUNCTION(EndCommandBuffer),
	FUNCTION(FreeCommandBuffers),
	FUNCTION(ResetCommandBuffer),
	FUNCTION(ResetCommandPool),
};

/** commands_function() - The layer's function of a name; %NULL: not here. */
PFN_vkVoidFunction commands_function(const char *name)
{
	return find_function(functions, COUNT(functions), name);
}
