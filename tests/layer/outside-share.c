// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Two instances with a device each at the same time, which share memory and semaphores by file descriptors; fork() without
 * exec; and all of it destroyed and made again.
 */

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

#define OPAQUE_MEMORY	VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
#define OPAQUE		VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
#define SYNC		VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT
#define NONE		((struct point) { 0 })

/* A device that uses the same memory and semaphores as another one. */
struct side {
	struct app app;
	VkPipeline mixer;
	struct buffer buffer;
	VkSemaphore timeline;
	VkSemaphore binary;
};

static void shared_buffer(struct side *side, int fd)
{
	const VkExternalMemoryBufferCreateInfo external = {
		.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
		.handleTypes = OPAQUE_MEMORY,
	};
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.pNext = &external,
		.size = WORDS * sizeof(uint32_t),
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
	};
	const VkExportMemoryAllocateInfo exported = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
		.handleTypes = OPAQUE_MEMORY,
	};
	const VkImportMemoryFdInfoKHR imported = {
		.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
		.handleType = OPAQUE_MEMORY,
		.fd = fd,
	};
	struct app *app = &side->app;
	const VkDescriptorSetAllocateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = app->sets,
		.descriptorSetCount = 1,
		.pSetLayouts = &app->set_layout,
	};
	VkDescriptorBufferInfo whole = { .range = VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.pBufferInfo = &whole,
	};
	struct buffer *buffer = &side->buffer;
	VkMemoryRequirements needs;
	void *map;

	need(vkCreateBuffer(app->device, &info, NULL, &buffer->buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(app->device, buffer->buffer, &needs);
	buffer->memory = new_memory(app, needs.size, needs.memoryTypeBits,
				    fd < 0 ? (void *)&exported : (void *)&imported);
	need(vkBindBufferMemory(app->device, buffer->buffer, buffer->memory, 0),
	     "vkBindBufferMemory");
	need(vkMapMemory(app->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
	buffer->words = map;
	need(vkAllocateDescriptorSets(app->device, &set, &buffer->set), "vkAllocateDescriptorSets");
	whole.buffer = buffer->buffer;
	write.dstSet = buffer->set;
	vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
}

static int memory_fd(struct side *side)
{
	const VkMemoryGetFdInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
		.memory = side->buffer.memory,
		.handleType = OPAQUE_MEMORY,
	};
	int fd = -1;

	need(FUNCTION(&side->app, vkGetMemoryFdKHR)(side->app.device, &info, &fd),
	     "vkGetMemoryFdKHR");
	return fd;
}

static bool can_export(struct side *side, VkSemaphoreType kind,
		       VkExternalSemaphoreHandleTypeFlagBits handle)
{
	const VkSemaphoreTypeCreateInfo type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = kind,
	};
	const VkPhysicalDeviceExternalSemaphoreInfo info = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
		.pNext = &type,
		.handleType = handle,
	};
	const VkExternalSemaphoreFeatureFlags both =
		VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT |
		VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
	VkExternalSemaphoreProperties properties = {
		.sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES,
	};

	vkGetPhysicalDeviceExternalSemaphoreProperties(side->app.gpu, &info, &properties);
	return (properties.externalSemaphoreFeatures & both) == both;
}

static VkSemaphore exported(struct side *side, VkSemaphoreType kind,
			    VkExternalSemaphoreHandleTypeFlags handles)
{
	const VkExportSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
		.handleTypes = handles,
	};

	return new_semaphore(&side->app, kind, &info);
}

static void import(struct side *from, VkSemaphore source, struct side *to, VkSemaphore semaphore,
		   VkExternalSemaphoreHandleTypeFlagBits handle, VkSemaphoreImportFlags flags)
{
	const VkSemaphoreGetFdInfoKHR get = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
		.semaphore = source,
		.handleType = handle,
	};
	VkImportSemaphoreFdInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
		.semaphore = semaphore,
		.flags = flags,
		.handleType = handle,
	};

	need(FUNCTION(&from->app, vkGetSemaphoreFdKHR)(from->app.device, &get, &info.fd),
	     "vkGetSemaphoreFdKHR");
	need(FUNCTION(&to->app, vkImportSemaphoreFdKHR)(to->app.device, &info),
	     "vkImportSemaphoreFdKHR");
}

static VkCommandBuffer record(struct side *side, uint32_t value)
{
	VkCommandBuffer cmd = app_begin(&side->app);

	app_barrier(cmd);
	app_write(&side->app, cmd, side->mixer, &side->buffer, 0, value);
	app_barrier(cmd);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

static void start(struct side *side)
{
	app_start(&side->app);
	side->mixer = new_mixer(&side->app);
}

static void finish(struct side *side)
{
	struct app *app = &side->app;

	vkDestroySemaphore(app->device, side->timeline, NULL);
	vkDestroySemaphore(app->device, side->binary, NULL);
	vkDestroyPipeline(app->device, side->mixer, NULL);
	app_free_buffer(app, &side->buffer);
	app_finish(app);
}

/* The second device waits for what the first one has not submitted yet. */
static uint32_t before_signal(struct side *sides, uint32_t expected)
{
	VkCommandBuffer cmds[] = { record(&sides[0], 1), record(&sides[1], 2) };
	struct app *first = &sides[0].app, *second = &sides[1].app;

	submit_between(second, cmds[1], (struct point) { sides[1].timeline, 1 },
		       (struct point) { sides[1].timeline, 2 }, VK_NULL_HANDLE);
	check(wait_for(first, sides[0].timeline, 1, 1000000) == VK_TIMEOUT, "not signalled yet");
	submit_between(first, cmds[0], NONE, (struct point) { sides[0].timeline, 1 },
		       VK_NULL_HANDLE);
	check(!wait_for(second, sides[1].timeline, 2, TIMEOUT_NS), "the value of another device");
	expected = MIX(MIX(expected, 1), 2);
	check_words(sides[0].buffer.words, PART, expected, "a wait before the signal");
	for (uint32_t i = 0; i < 2; i++) {
		app_wait(&sides[i].app);
		vkFreeCommandBuffers(sides[i].app.device, sides[i].app.pool, 1, &cmds[i]);
	}
	return expected;
}

/* The devices take turns. What waits for the last value is submitted first. */
static uint32_t take_turns(struct side *sides, uint32_t expected)
{
	struct app *first = &sides[0].app, *second = &sides[1].app;
	VkCommandBuffer cmds[4], other = app_begin(second);
	struct buffer buffer = app_buffer(second);

	for (uint32_t i = 0; i < COUNT(cmds); i++) {
		/* 1 and 3 of the second device, then 0 and 2 of the first one. */
		uint32_t at = i < 2 ? 1 + 2 * i : 2 * (i - 2);

		cmds[at] = record(&sides[at % 2], 10 + at);
		submit_between(&sides[at % 2].app, cmds[at],
			       (struct point) { sides[at % 2].timeline, 10 + at },
			       (struct point) { sides[at % 2].timeline, 11 + at }, VK_NULL_HANDLE);
		expected = MIX(expected, 10 + i);
	}
	check(wait_for(first, sides[0].timeline, 14, 1000000) == VK_TIMEOUT, "no turn yet");
	host_signal(second, sides[1].timeline, 10);
	check(!wait_for(second, sides[1].timeline, 14, TIMEOUT_NS), "the last turn");
	check(counter(second, sides[1].timeline) == 14, "its value");
	check_words(sides[1].buffer.words, PART, expected, "four turns");
	for (uint32_t i = 0; i < COUNT(cmds); i++) {
		app_wait(&sides[i % 2].app);
		vkFreeCommandBuffers(sides[i % 2].app.device, sides[i % 2].app.pool, 1, &cmds[i]);
	}
	/* What waits for the host on one device is no hindrance for another one. */
	cmds[0] = record(&sides[0], 3);
	submit_between(first, cmds[0], (struct point) { sides[0].timeline, 20 },
		       (struct point) { sides[0].timeline, 21 }, VK_NULL_HANDLE);
	app_write(second, other, sides[1].mixer, &buffer, 0, 99);
	to_host(other);
	app_run(second, other);
	check_words(buffer.words, PART, 99, "a device beside one that waits");
	host_signal(first, sides[0].timeline, 20);
	need(vkDeviceWaitIdle(first->device), "vkDeviceWaitIdle");
	check_words(sides[1].buffer.words, PART, MIX(expected, 3), "the one that has waited");
	vkFreeCommandBuffers(first->device, first->pool, 1, &cmds[0]);
	app_free_buffer(second, &buffer);
	return MIX(expected, 3);
}

static uint32_t binaries(struct side *sides, uint32_t expected)
{
	VkCommandBuffer cmds[] = { record(&sides[0], 4), record(&sides[1], 5) };
	struct app *first = &sides[0].app, *second = &sides[1].app;
	VkSemaphore semaphore;

	for (uint32_t i = 0; i < 3; i++) {
		submit_between(first, cmds[0], NONE, (struct point) { sides[0].binary },
			       VK_NULL_HANDLE);
		submit_between(second, cmds[1], (struct point) { sides[1].binary }, NONE,
			       VK_NULL_HANDLE);
		app_wait(second);
		app_wait(first);
		expected = MIX(MIX(expected, 4), 5);
		check_words(sides[0].buffer.words, PART, expected, "a binary semaphore");
	}
	if (!can_export(&sides[0], VK_SEMAPHORE_TYPE_BINARY, SYNC)) {
		for (uint32_t i = 0; i < 2; i++)
			vkFreeCommandBuffers(sides[i].app.device, sides[i].app.pool, 1, &cmds[i]);
		return expected;
	}
	/* Exported once it is to be signalled; imported for one wait. */
	semaphore = exported(&sides[0], VK_SEMAPHORE_TYPE_BINARY, SYNC);
	for (uint32_t i = 0; i < 2; i++) {
		submit_between(first, cmds[0], NONE, (struct point) { semaphore }, VK_NULL_HANDLE);
		import(&sides[0], semaphore, &sides[1], sides[1].binary, SYNC,
		       VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
		submit_between(second, cmds[1], (struct point) { sides[1].binary }, NONE,
			       VK_NULL_HANDLE);
		app_wait(second);
		app_wait(first);
		expected = MIX(MIX(expected, 4), 5);
		check_words(sides[0].buffer.words, PART, expected, "a sync file");
	}
	vkDestroySemaphore(first->device, semaphore, NULL);
	for (uint32_t i = 0; i < 2; i++)
		vkFreeCommandBuffers(sides[i].app.device, sides[i].app.pool, 1, &cmds[i]);
	return expected;
}

/* A child that does nothing, while a submission is pending. */
static uint32_t fork_child(struct side *side, uint32_t value, uint32_t expected)
{
	VkCommandBuffer cmd = record(side, 6);
	int status = -1;
	pid_t child;

	submit_between(&side->app, cmd, (struct point) { side->timeline, value },
		       (struct point) { side->timeline, value + 1 }, VK_NULL_HANDLE);
	child = fork();
	if (!child)
		_exit(7);
	check(child > 0 && waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7,
	      "the child ends");
	host_signal(&side->app, side->timeline, value);
	check(!wait_for(&side->app, side->timeline, value + 1, TIMEOUT_NS),
	      "a submission around fork()");
	expected = MIX(expected, 6);
	check_words(side->buffer.words, PART, expected, "work around fork()");
	app_wait(&side->app);
	vkFreeCommandBuffers(side->app.device, side->app.pool, 1, &cmd);
	return expected;
}

static void once(void)
{
	static const struct app kind = {
		.names = { VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
			   VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME },
	};
	struct side sides[2] = { { .app = kind }, { .app = kind } }, third = { .app = kind };
	uint32_t expected = 0;
	VkCommandBuffer cmd;

	start(&sides[0]);
	shared_buffer(&sides[0], -1);
	sides[0].timeline = exported(&sides[0], VK_SEMAPHORE_TYPE_TIMELINE, OPAQUE);
	sides[0].binary = exported(&sides[0], VK_SEMAPHORE_TYPE_BINARY, OPAQUE);
	start(&sides[1]);
	shared_buffer(&sides[1], memory_fd(&sides[0]));
	sides[1].timeline = new_timeline(&sides[1].app);
	sides[1].binary = new_semaphore(&sides[1].app, VK_SEMAPHORE_TYPE_BINARY, NULL);
	check(can_export(&sides[0], VK_SEMAPHORE_TYPE_TIMELINE, OPAQUE), "timelines can be shared");
	check(can_export(&sides[0], VK_SEMAPHORE_TYPE_BINARY, OPAQUE), "semaphores can be shared");
	import(&sides[0], sides[0].timeline, &sides[1], sides[1].timeline, OPAQUE, 0);
	import(&sides[0], sides[0].binary, &sides[1], sides[1].binary, OPAQUE, 0);
	expected = before_signal(sides, expected);
	expected = take_turns(sides, expected);
	expected = binaries(sides, expected);
	/* A third one comes and goes. */
	start(&third);
	third.buffer = app_buffer(&third.app);
	cmd = record(&third, 8);
	expected = fork_child(&sides[0], 30, expected);
	app_submit(&third.app, cmd);
	app_wait(&third.app);
	check_words(third.buffer.words, PART, 8, "a third device");
	finish(&third);
	expected = fork_child(&sides[1], 40, expected);
	/* The first device ends before the one that has imported from it. */
	finish(&sides[0]);
	cmd = record(&sides[1], 9);
	submit_between(&sides[1].app, cmd, (struct point) { sides[1].timeline, 41 },
		       (struct point) { sides[1].timeline, 42 }, VK_NULL_HANDLE);
	check(!wait_for(&sides[1].app, sides[1].timeline, 42, TIMEOUT_NS), "the last device");
	check_words(sides[1].buffer.words, PART, MIX(expected, 9), "its work");
	need(vkDeviceWaitIdle(sides[1].app.device), "vkDeviceWaitIdle");
	finish(&sides[1]);
}

int main(void)
{
	struct app app = { 0 };

	/*
	 * Khronos' validation knows a file descriptor by its number, and not that it is one of the
	 * layer's timeline after that of a binary semaphore was closed.
	 */
	printf("allow VUID-VkImportSemaphoreFdInfoKHR-handleType-03264\n");
	/* With this one, no layer is unloaded. */
	app_start(&app);
	for (uint32_t i = 0; i < 2; i++)
		once();
	app_finish(&app);
	return 0;
}
