/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the programs have in common. Each prints "ok TEXT" and "not ok TEXT - WHY"; for each row
 * that it must have in a profile "row UNIT LABEL", or "type UNIT TYPE", "frame UNIT N", "quality
 * UNIT QUALITY"; "allow VUID" for a message of Khronos' validation that is no error of the program;
 * and "only MODE..." if it needs one of these modes of the layer. A call that fails ends the
 * program.
 */
#ifndef TESTS_LAYER_APP_H
#define TESTS_LAYER_APP_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
/* Of waits that end. A machine with other things to do needs many times as long as an idle one. */
#define TIMEOUT_NS	UINT64_C(40000000000)
#define MAX_NAMES	16
/* Words of a buffer, and width and height of a target. */
#define WORDS		4096
#define SIZE		64

/**
 * struct app - a device, and what most programs need
 *
 * What stands first is set by the program before app_start().
 */
struct app {
	/** @version: Version of Vulkan; 0: that of the device. */
	uint32_t version;

	/** @instance_names: Extensions of the instance, beside VK_EXT_debug_utils. */
	const char *instance_names[MAX_NAMES];

	/** @names: Extensions of the device. */
	const char *names[MAX_NAMES];

	/** @features: Chain of features of the device; %NULL: those of most programs. */
	const void *features;

	/** @all_queues: The device has all queues: @second and @compute as well. */
	bool all_queues;

	/** @no_queue: The program gets the queue itself. */
	bool no_queue;

	/** @instance: Instance. */
	VkInstance instance;

	/** @gpu: The first physical device. */
	VkPhysicalDevice gpu;

	/** @device: Device. */
	VkDevice device;

	/** @queue: The first queue of the first family. */
	VkQueue queue;

	/** @second: The second queue of the first family. */
	VkQueue second;

	/** @compute: The queue of the second family, which has no graphics. */
	VkQueue compute;

	/** @pool: Of command buffers of the first family, which can be reset. */
	VkCommandPool pool;

	/** @compute_pool: Likewise, of the second family. */
	VkCommandPool compute_pool;

	/** @set_layout: A storage buffer as binding 0, of all stages. */
	VkDescriptorSetLayout set_layout;

	/** @layout: One such set, and 128 bytes of push constants of all stages. */
	VkPipelineLayout layout;

	/** @sets: Pool of 64 sets. */
	VkDescriptorPool sets;
};

/**
 * struct buffer - a buffer of words that the host sees
 */
struct buffer {
	/** @buffer: Buffer. */
	VkBuffer buffer;

	/** @memory: Its memory. */
	VkDeviceMemory memory;

	/** @set: A descriptor set with it. */
	VkDescriptorSet set;

	/** @words: Its %WORDS words. */
	uint32_t *words;
};

/**
 * struct target - an image of %SIZE x %SIZE pixels, R8G8B8A8_UNORM
 */
struct target {
	/** @image: Image, in the layout GENERAL. */
	VkImage image;

	/** @memory: Its memory. */
	VkDeviceMemory memory;

	/** @view: View. */
	VkImageView view;
};

/**
 * struct push - push constants of write.comp
 */
struct push {
	/** @first: The first word. */
	uint32_t first;

	/** @value: What is written. */
	uint32_t value;
};

bool check(bool right, const char *text);
bool check_words(const uint32_t *words, uint32_t count, uint32_t value, const char *text);
void need(VkResult result, const char *what);

void app_start(struct app *app);
void app_finish(struct app *app);
void app_instance(struct app *app);
void app_device(struct app *app);
void app_destroy_device(struct app *app);
void app_add_layer(const char *name);
bool app_has_extension(struct app *app, const char *name);
PFN_vkVoidFunction app_function(struct app *app, const char *name);

struct buffer app_buffer(struct app *app);
void app_free_buffer(struct app *app, struct buffer *buffer);
struct target app_target(struct app *app);
void app_free_target(struct app *app, struct target *target);
VkPipeline app_compute(struct app *app, const uint32_t *code, size_t size);
VkPipeline app_writer(struct app *app);
VkPipeline app_draw(struct app *app, const VkDynamicState *dynamic, uint32_t count);

VkSemaphore app_semaphore(struct app *app, VkSemaphoreType kind, uint64_t value, bool exported);
int app_export_semaphore(struct app *app, VkSemaphore semaphore);
void app_share_semaphore(struct app *from, VkSemaphore semaphore, struct app *to,
			 VkSemaphore other);

VkCommandBuffer app_begin(struct app *app);
VkCommandBuffer app_begin_of(struct app *app, VkCommandPool pool);
VkCommandBuffer app_begin_secondary(struct app *app, VkCommandBufferUsageFlags flags);
void app_end(VkCommandBuffer cmd);
void app_barrier(VkCommandBuffer cmd);
void app_submit(struct app *app, VkCommandBuffer cmd);
void app_submit_points(struct app *app, const void *next, VkCommandBuffer cmd, VkSemaphore timeline,
		       uint64_t wait, uint64_t signal, VkFence fence);
void app_wait(struct app *app);
void app_run(struct app *app, VkCommandBuffer cmd);
void app_begin_label(struct app *app, VkCommandBuffer cmd, const char *label);
void app_end_label(struct app *app, VkCommandBuffer cmd);
void app_write(struct app *app, VkCommandBuffer cmd, VkPipeline writer,
	       const struct buffer *buffer, uint32_t first, uint32_t value);
void app_begin_rendering(struct app *app, VkCommandBuffer cmd, const struct target *target,
			 VkRenderingFlags flags);

#endif
