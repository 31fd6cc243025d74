// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "descriptors.h"
#include "mock.h"
#include "reflect.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define HANDLE_BASE	UINT64_C(0x500000000)
#define MAX_SUBMITTED	4096
#define RENDER_MAJOR	226
#define RENDER_MINOR	128

/** enum cmd_state - what may be done with a command buffer */
enum cmd_state {
	CMD_INITIAL,
	CMD_RECORDING,
	CMD_EXECUTABLE,
	CMD_FREED,
};

struct instance {
	void *key;
	struct physical *physical;
};

struct physical {
	void *key;
};

struct device {
	void *key;
	struct queue *queue;
};

struct queue {
	void *key;
};

struct cmd {
	/* What the loader keeps there. */
	void *key;
	struct device *device;
	struct cmd *next;
	uint64_t pool;
	enum cmd_state state;
	bool released;
	struct arena arena;
	struct entry *entries;
	unsigned int count;
	unsigned int allocated;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object **objects;
static unsigned int object_count;
static struct cmd *cmds;
static VkCommandBuffer submitted[MAX_SUBMITTED];
static unsigned int submitted_count;
static char error_text[1024];

/** mock_error() - Something is not allowed. The first one since mock_take_error() is kept. */
void mock_error(const char *format, ...)
{
	va_list args;

	if (*error_text)
		return;
	va_start(args, format);
	vsnprintf(error_text, sizeof(error_text), format, args);
	va_end(args);
}

/** mock_take_error() - The first error, if there was one. */
const char *mock_take_error(void)
{
	static char taken[sizeof(error_text)];

	strcpy(taken, error_text);
	*error_text = '\0';
	return *taken ? taken : NULL;
}

/* ---- Objects ---- */

static uint64_t add_object(enum object_kind kind, void *data)
{
	struct object *object = calloc(1, sizeof(*object));
	uint64_t handle;

	object->kind = kind;
	object->data = data;
	pthread_mutex_lock(&lock);
	objects = realloc(objects, (object_count + 1) * sizeof(*objects));
	objects[object_count] = object;
	handle = HANDLE_BASE + object_count++;
	pthread_mutex_unlock(&lock);
	return handle;
}

/**
 * mock_object() - The object of a handle; %NULL: the driver has none, such as of handles that the
 * test makes up.
 */
const struct object *mock_object(uint64_t handle)
{
	struct object *object = NULL;

	pthread_mutex_lock(&lock);
	if (handle >= HANDLE_BASE && handle < HANDLE_BASE + object_count)
		object = objects[handle - HANDLE_BASE];
	pthread_mutex_unlock(&lock);
	return object;
}

/** mock_destroy_object() - An object is gone. */
void mock_destroy_object(uint64_t handle)
{
	struct object *object = (struct object *)mock_object(handle);

	if (!object)
		return;
	if (object->destroyed)
		mock_error("an object is destroyed twice");
	object->destroyed = true;
}

/** mock_create_object() - Have a new object, the handle of which is written to @handle. */
VkResult mock_create_object(void *handle, enum object_kind kind, void *data)
{
	const uint64_t value = add_object(kind, data);

	memcpy(handle, &value, sizeof(value));
	return VK_SUCCESS;
}

/* ---- Commands ---- */

static struct cmd *cmd_of(VkCommandBuffer handle)
{
	return (struct cmd *)handle;
}

static void check_handle(uint64_t handle, void *arg)
{
	const struct command *command = arg;
	const struct object *object = mock_object(handle);

	if (object && object->destroyed)
		mock_error("%s has an object that the application has destroyed", command->name);
}

static void reset_cmd(struct cmd *cmd, bool release)
{
	arena_clear(&cmd->arena, false);
	cmd->count = 0;
	cmd->state = CMD_INITIAL;
	cmd->released = release;
}

/**
 * mock_command() - Save a command
 * @handle: The command buffer.
 * @command: The command.
 * @args: Its arguments.
 */
void mock_command(VkCommandBuffer handle, const struct command *command, const void *args)
{
	struct cmd *cmd = cmd_of(handle);
	struct entry *entry;

	if (cmd->key != cmd->device->key)
		mock_error("%s has a command buffer that the loader does not know", command->name);
	if (cmd->state != CMD_RECORDING) {
		mock_error("%s has a command buffer that is not recorded", command->name);
		return;
	}
	if (cmd->count == cmd->allocated) {
		cmd->allocated = cmd->allocated ? 2 * cmd->allocated : 64;
		cmd->entries = realloc(cmd->entries, cmd->allocated * sizeof(*cmd->entries));
	}
	entry = &cmd->entries[cmd->count++];
	*entry = (struct entry){ .command = command };
	entry->args = reflect_copy(&cmd->arena, command->args, args);
	reflect_handles(command->args, entry->args, check_handle, (void *)command);
	descriptors_read_template(&cmd->arena, entry);
	if (!strcmp(command->original, "vkCmdPreprocessGeneratedCommandsEXT")) {
		uint64_t state = reflect_value(command->args, args, "stateCommandBuffer");
		struct cmd *other = (struct cmd *)(uintptr_t)state;

		if (other && other->state != CMD_RECORDING)
			mock_error("%s has a state command buffer that is not recorded",
				   command->name);
		if (other && other->count) {
			entry->other = arena_alloc(&cmd->arena, other->count * sizeof(*entry));
			entry->other_count = other->count;
			memcpy(entry->other, other->entries, other->count * sizeof(*entry));
		}
	}
}

/* ---- Command buffers ---- */

static VKAPI_ATTR VkResult VKAPI_CALL mock_AllocateCommandBuffers(
	VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *handles)
{
	for (uint32_t i = 0; i < info->commandBufferCount; i++) {
		struct cmd *cmd = calloc(1, sizeof(*cmd));

		cmd->key = (void *)(uintptr_t)0x01cdc0de;
		cmd->device = (struct device *)device;
		memcpy(&cmd->pool, &info->commandPool, sizeof(cmd->pool));
		pthread_mutex_lock(&lock);
		cmd->next = cmds;
		cmds = cmd;
		pthread_mutex_unlock(&lock);
		handles[i] = (VkCommandBuffer)cmd;
	}
	return VK_SUCCESS;
}

/* Handles are not used again, so that a late use of one is found. */
static void free_cmd(struct cmd *cmd)
{
	reset_cmd(cmd, true);
	arena_clear(&cmd->arena, false);
	free(cmd->arena.blocks);
	free(cmd->entries);
	cmd->arena.blocks = NULL;
	cmd->entries = NULL;
	cmd->allocated = 0;
	cmd->state = CMD_FREED;
	pthread_mutex_lock(&lock);
	for (struct cmd **link = &cmds; *link; link = &(*link)->next) {
		if (*link == cmd) {
			*link = cmd->next;
			break;
		}
	}
	pthread_mutex_unlock(&lock);
}

static VKAPI_ATTR void VKAPI_CALL mock_FreeCommandBuffers(VkDevice device, VkCommandPool pool,
							  uint32_t count,
							  const VkCommandBuffer *handles)
{
	for (uint32_t i = 0; i < count; i++) {
		if (handles[i] && cmd_of(handles[i])->state == CMD_FREED)
			mock_error("a command buffer is freed twice");
		else if (handles[i])
			free_cmd(cmd_of(handles[i]));
	}
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_BeginCommandBuffer(VkCommandBuffer handle,
							      const VkCommandBufferBeginInfo *info)
{
	struct cmd *cmd = cmd_of(handle);

	if (cmd->key != cmd->device->key)
		mock_error("vkBeginCommandBuffer of one that the loader does not know");
	if (cmd->state == CMD_RECORDING || cmd->state == CMD_FREED)
		mock_error("vkBeginCommandBuffer of one that is recorded or freed");
	reset_cmd(cmd, false);
	cmd->state = CMD_RECORDING;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_EndCommandBuffer(VkCommandBuffer handle)
{
	struct cmd *cmd = cmd_of(handle);

	if (cmd->state != CMD_RECORDING)
		mock_error("vkEndCommandBuffer of one that is not recorded");
	cmd->state = CMD_EXECUTABLE;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_ResetCommandBuffer(VkCommandBuffer handle,
							      VkCommandBufferResetFlags flags)
{
	if (cmd_of(handle)->state == CMD_FREED)
		mock_error("vkResetCommandBuffer of one that is freed");
	reset_cmd(cmd_of(handle), flags & VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT);
	return VK_SUCCESS;
}

/** mock_is_released() - Has a command buffer no memory: was it reset so, or freed? */
bool mock_is_released(VkCommandBuffer handle)
{
	return cmd_of(handle)->released || cmd_of(handle)->state == CMD_FREED;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_CreateCommandPool(VkDevice device,
							     const VkCommandPoolCreateInfo *info,
							     const VkAllocationCallbacks *allocator,
							     VkCommandPool *pool)
{
	return mock_create_object(pool, OBJECT_POOL, NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_ResetCommandPool(VkDevice device, VkCommandPool pool,
							    VkCommandPoolResetFlags flags)
{
	uint64_t value;

	memcpy(&value, &pool, sizeof(value));
	for (struct cmd *cmd = cmds; cmd; cmd = cmd->next) {
		if (cmd->pool == value && cmd->state != CMD_FREED)
			reset_cmd(cmd, flags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT);
	}
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL mock_DestroyCommandPool(VkDevice device, VkCommandPool pool,
							  const VkAllocationCallbacks *allocator)
{
	uint64_t value;

	memcpy(&value, &pool, sizeof(value));
	for (struct cmd *cmd = cmds, *next; cmd; cmd = next) {
		next = cmd->next;
		if (cmd->pool == value)
			free_cmd(cmd);
	}
	mock_destroy_object(value);
}

/* ---- Submissions ---- */

static void submit_cmd(VkCommandBuffer handle)
{
	if (cmd_of(handle)->state != CMD_EXECUTABLE)
		mock_error("a command buffer is submitted that cannot be executed");
	if (cmd_of(handle)->key != cmd_of(handle)->device->key)
		mock_error("a command buffer is submitted that the loader does not know");
	pthread_mutex_lock(&lock);
	if (submitted_count < MAX_SUBMITTED)
		submitted[submitted_count++] = handle;
	pthread_mutex_unlock(&lock);
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_QueueSubmit(VkQueue queue, uint32_t count,
						       const VkSubmitInfo *infos, VkFence fence)
{
	for (uint32_t i = 0; i < count; i++) {
		const VkTimelineSemaphoreSubmitInfo *points = infos[i].pNext;

		while (points && points->sType != VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)
			points = points->pNext;
		for (uint32_t n = 0; n < infos[i].commandBufferCount; n++)
			submit_cmd(infos[i].pCommandBuffers[n]);
		for (uint32_t n = 0; points && n < points->signalSemaphoreValueCount; n++)
			mock_signal(infos[i].pSignalSemaphores[n],
				    points->pSignalSemaphoreValues[n]);
	}
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_QueueSubmit2(VkQueue queue, uint32_t count,
							const VkSubmitInfo2 *infos, VkFence fence)
{
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t n = 0; n < infos[i].commandBufferInfoCount; n++)
			submit_cmd(infos[i].pCommandBufferInfos[n].commandBuffer);
		for (uint32_t n = 0; n < infos[i].signalSemaphoreInfoCount; n++)
			mock_signal(infos[i].pSignalSemaphoreInfos[n].semaphore,
				    infos[i].pSignalSemaphoreInfos[n].value);
	}
	return VK_SUCCESS;
}

/**
 * mock_take_submitted() - What was submitted since the last call, in order
 * @parts: Where the command buffers go.
 * @max: Size of @parts.
 *
 * Return: Their number.
 */
unsigned int mock_take_submitted(struct recorded *parts, unsigned int max)
{
	unsigned int count;

	pthread_mutex_lock(&lock);
	for (count = 0; count < submitted_count && count < max; count++) {
		const struct cmd *cmd = cmd_of(submitted[count]);

		parts[count] = (struct recorded){ submitted[count], cmd->entries, cmd->count };
	}
	submitted_count = 0;
	pthread_mutex_unlock(&lock);
	return count;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_QueueWaitIdle(VkQueue queue)
{
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_DeviceWaitIdle(VkDevice device)
{
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_QueueBindSparse(VkQueue queue, uint32_t count,
							   const VkBindSparseInfo *infos,
							   VkFence fence)
{
	return VK_SUCCESS;
}

/* ---- Layouts, templates, pipelines ---- */

static VKAPI_ATTR VkResult VKAPI_CALL mock_CreateDescriptorSetLayout(
	VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
	const VkAllocationCallbacks *allocator, VkDescriptorSetLayout *layout)
{
	return mock_create_object(layout, OBJECT_SET_LAYOUT, descriptors_set_layout(info));
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
			  const VkAllocationCallbacks *allocator, VkPipelineLayout *layout)
{
	return mock_create_object(layout, OBJECT_PIPELINE_LAYOUT,
				  descriptors_pipeline_layout(info));
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_CreateDescriptorUpdateTemplate(VkDevice device,
				    const VkDescriptorUpdateTemplateCreateInfo *info,
				    const VkAllocationCallbacks *allocator,
				    VkDescriptorUpdateTemplate *handle)
{
	struct template *template = calloc(1, sizeof(*template));

	template->point = info->pipelineBindPoint;
	template->entry_count = info->descriptorUpdateEntryCount;
	for (uint32_t i = 0; i < template->entry_count && i < MAX_ENTRIES; i++)
		template->entries[i] = info->pDescriptorUpdateEntries[i];
	return mock_create_object(handle, OBJECT_TEMPLATE, template);
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
			     const VkGraphicsPipelineCreateInfo *infos,
			     const VkAllocationCallbacks *allocator, VkPipeline *handles)
{
	for (uint32_t i = 0; i < count; i++) {
		const VkPipelineDynamicStateCreateInfo *dynamic = infos[i].pDynamicState;
		struct graphics_pipeline *pipeline = calloc(1, sizeof(*pipeline));

		pipeline->state_count = dynamic ? dynamic->dynamicStateCount : 0;
		for (uint32_t n = 0; n < pipeline->state_count && n < MAX_STATES; n++)
			pipeline->states[n] = dynamic->pDynamicStates[n];
		mock_create_object(&handles[i], OBJECT_GRAPHICS_PIPELINE, pipeline);
	}
	return VK_SUCCESS;
}

/* All functions that destroy an object have the same parameters. */
static VKAPI_ATTR void VKAPI_CALL mock_destroy(VkDevice device, uint64_t handle,
					       const VkAllocationCallbacks *allocator)
{
	mock_destroy_object(handle);
}

/* ---- Devices ---- */

static VKAPI_ATTR void VKAPI_CALL mock_GetDeviceQueue(VkDevice device, uint32_t family,
						      uint32_t index, VkQueue *queue)
{
	*queue = (VkQueue)((struct device *)device)->queue;
}

static VKAPI_ATTR void VKAPI_CALL mock_GetDeviceQueue2(VkDevice device,
						       const VkDeviceQueueInfo2 *info,
						       VkQueue *queue)
{
	*queue = (VkQueue)((struct device *)device)->queue;
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_CreateDevice(VkPhysicalDevice physical,
							const VkDeviceCreateInfo *info,
							const VkAllocationCallbacks *allocator,
							VkDevice *handle)
{
	struct device *device = calloc(1, sizeof(*device));

	device->queue = calloc(1, sizeof(*device->queue));
	device->key = device;
	device->queue->key = device;
	*handle = (VkDevice)device;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL mock_DestroyDevice(VkDevice handle,
						     const VkAllocationCallbacks *allocator)
{
}

/** mock_set_key() - The loader knows an object of a device. */
void mock_set_key(VkDevice device, void *object)
{
	*(void **)object = ((struct device *)device)->key;
}

/** mock_set_loader_data() - PFN_vkSetDeviceLoaderData of the loader. */
VkResult mock_set_loader_data(VkDevice device, void *object)
{
	mock_set_key(device, object);
	return VK_SUCCESS;
}

/* ---- Instances ---- */

static VKAPI_ATTR VkResult VKAPI_CALL mock_CreateInstance(const VkInstanceCreateInfo *info,
							  const VkAllocationCallbacks *allocator,
							  VkInstance *handle)
{
	struct instance *instance = calloc(1, sizeof(*instance));

	instance->key = instance;
	instance->physical = calloc(1, sizeof(*instance->physical));
	instance->physical->key = instance;
	*handle = (VkInstance)instance;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL mock_DestroyInstance(VkInstance handle,
						       const VkAllocationCallbacks *allocator)
{
}

static VKAPI_ATTR VkResult VKAPI_CALL mock_EnumeratePhysicalDevices(VkInstance handle,
								    uint32_t *count,
								    VkPhysicalDevice *devices)
{
	if (devices)
		*devices = (VkPhysicalDevice)((struct instance *)handle)->physical;
	*count = 1;
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
mock_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
					uint32_t *count, VkExtensionProperties *all)
{
	for (uint32_t i = 0; all && i < *count && i < extension_count; i++) {
		all[i].specVersion = 1;
		snprintf(all[i].extensionName, sizeof(all[i].extensionName), "%s",
			 extension_names[i]);
	}
	if (!all)
		*count = extension_count;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
mock_GetPhysicalDeviceProperties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *properties)
{
	memset(properties, 0, sizeof(*properties));
	properties->apiVersion = VK_HEADER_VERSION_COMPLETE;
	strcpy(properties->deviceName, "driver of the test");
}

static VKAPI_ATTR void VKAPI_CALL mock_GetPhysicalDeviceProperties2(
	VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *properties)
{
	mock_GetPhysicalDeviceProperties(physical, &properties->properties);
	for (VkBaseOutStructure *at = properties->pNext; at; at = at->pNext) {
		VkPhysicalDeviceDrmPropertiesEXT *drm = (void *)at;

		if (at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRM_PROPERTIES_EXT)
			continue;
		drm->hasRender = VK_TRUE;
		drm->renderMajor = RENDER_MAJOR;
		drm->renderMinor = RENDER_MINOR;
	}
}

static VKAPI_ATTR void VKAPI_CALL
mock_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
	for (VkBaseOutStructure *at = features->pNext; at; at = at->pNext) {
		if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES)
			((VkPhysicalDeviceTimelineSemaphoreFeatures *)at)->timelineSemaphore =
				VK_TRUE;
	}
}

static VKAPI_ATTR void VKAPI_CALL
mock_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physical, uint32_t *count,
					    VkQueueFamilyProperties *families)
{
	if (families && *count)
		*families = (VkQueueFamilyProperties){
			.queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT |
				      VK_QUEUE_TRANSFER_BIT,
			.queueCount = 1,
		};
	*count = 1;
}

static VKAPI_ATTR void VKAPI_CALL
mock_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physical, uint32_t *count,
					     VkQueueFamilyProperties2 *families)
{
	mock_GetPhysicalDeviceQueueFamilyProperties(physical, count,
						    families ? &families->queueFamilyProperties :
							       NULL);
}

/* ---- Functions by name ---- */

#define DESTROY(name)		{ "vkDestroy" #name, (PFN_vkVoidFunction)mock_destroy }

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL mock_GetDeviceProcAddr(VkDevice handle,
								       const char *name)
{
	return mock_device_proc(handle, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL mock_GetInstanceProcAddr(VkInstance handle,
									 const char *name)
{
	return mock_instance_proc(handle, name);
}

static const struct function of_instance[] = {
	ENTRY(CreateDevice),
	ENTRY(CreateInstance),
	ENTRY(DestroyInstance),
	ENTRY(EnumerateDeviceExtensionProperties),
	ENTRY(EnumeratePhysicalDevices),
	ENTRY(GetDeviceProcAddr),
	ENTRY(GetInstanceProcAddr),
	ENTRY(GetPhysicalDeviceFeatures2),
	ENTRY_AS(GetPhysicalDeviceFeatures2KHR, GetPhysicalDeviceFeatures2),
	ENTRY(GetPhysicalDeviceProperties),
	ENTRY(GetPhysicalDeviceProperties2),
	ENTRY_AS(GetPhysicalDeviceProperties2KHR, GetPhysicalDeviceProperties2),
	ENTRY(GetPhysicalDeviceQueueFamilyProperties),
	ENTRY(GetPhysicalDeviceQueueFamilyProperties2),
	ENTRY_AS(GetPhysicalDeviceQueueFamilyProperties2KHR,
		 GetPhysicalDeviceQueueFamilyProperties2),
};

static const struct function of_device[] = {
	ENTRY(AllocateCommandBuffers),
	ENTRY(BeginCommandBuffer),
	ENTRY(CreateCommandPool),
	ENTRY(CreateDescriptorSetLayout),
	ENTRY(CreateDescriptorUpdateTemplate),
	ENTRY_AS(CreateDescriptorUpdateTemplateKHR, CreateDescriptorUpdateTemplate),
	ENTRY(CreateGraphicsPipelines),
	ENTRY(CreatePipelineLayout),
	ENTRY(DestroyCommandPool),
	ENTRY(DestroyDevice),
	ENTRY(DeviceWaitIdle),
	ENTRY(EndCommandBuffer),
	ENTRY(FreeCommandBuffers),
	ENTRY(GetDeviceProcAddr),
	ENTRY(GetDeviceQueue),
	ENTRY(GetDeviceQueue2),
	ENTRY(QueueBindSparse),
	ENTRY(QueueSubmit),
	ENTRY(QueueSubmit2),
	ENTRY_AS(QueueSubmit2KHR, QueueSubmit2),
	ENTRY(QueueWaitIdle),
	ENTRY(ResetCommandBuffer),
	ENTRY(ResetCommandPool),
	DESTROY(DescriptorSetLayout),
	DESTROY(DescriptorUpdateTemplate),
	DESTROY(DescriptorUpdateTemplateKHR),
	DESTROY(Fence),
	DESTROY(Pipeline),
	DESTROY(PipelineLayout),
	DESTROY(QueryPool),
};

/** mock_find() - Find a function in a table. */
PFN_vkVoidFunction mock_find(const struct function *functions, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(functions[i].name, name))
			return functions[i].address;
	}
	return NULL;
}

/** command_named() - The command of a name; %NULL: the registry has none. */
const struct command *command_named(const char *name)
{
	for (unsigned int i = 0; i < command_count; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	}
	return NULL;
}

char *known_providers;

static bool is_word(const char *text, const char *word, size_t length)
{
	for (const char *at = text; (at = strstr(at, word)); at += length) {
		if ((at == text || at[-1] == '\n') && (!at[length] || at[length] == '\n'))
			return true;
	}
	return false;
}

/** provider_is_known() - Whether the application may use a version or an extension. */
bool provider_is_known(const char *name)
{
	return !known_providers || is_word(known_providers, name, strlen(name));
}

/** command_is_known() - Whether one that has a command may be used. */
bool command_is_known(const struct command *command)
{
	const char *at = command->providers;
	char name[VK_MAX_EXTENSION_NAME_SIZE];

	while (*at) {
		const size_t length = strcspn(at, " ");

		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		if (provider_is_known(name))
			return true;
		at += length + strspn(at + length, " ");
	}
	return false;
}

/** mock_device_proc() - A function of the driver's devices. */
PFN_vkVoidFunction mock_device_proc(VkDevice handle, const char *name)
{
	const struct command *command = command_named(name);
	PFN_vkVoidFunction found;

	if (command)
		return command_is_known(command) ? command->mock : NULL;
	found = mock_find(of_device, COUNT(of_device), name);
	return found ? found : sync_function(name);
}

/** mock_instance_proc() - A function of the driver. */
PFN_vkVoidFunction mock_instance_proc(VkInstance handle, const char *name)
{
	PFN_vkVoidFunction found = mock_find(of_instance, COUNT(of_instance), name);

	return found ? found : mock_device_proc(NULL, name);
}
