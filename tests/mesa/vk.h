/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the steps need of Vulkan: a device, memory, pipelines, and a target of 256 x 256 pixels.
 * A call that fails ends the program.
 */
#ifndef MESA_TEST_VK_H
#define MESA_TEST_VK_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#define WORDS_SIZE	65536
#define TIMEOUT_NS	30000000000ull

/**
 * struct vk - a device and what the steps use
 */
struct vk {
	/** @instance: Instance. */
	VkInstance instance;

	/** @gpu: The Mali GPU. */
	VkPhysicalDevice gpu;

	/** @properties: Its properties. */
	VkPhysicalDeviceProperties properties;

	/** @timestamp_bits: Bits of a time stamp of the queue; 0: it has none. */
	uint32_t timestamp_bits;

	/** @queue_count: Queues of the family. */
	uint32_t queue_count;

	/** @device: Device. */
	VkDevice device;

	/** @queues: The first queues. */
	VkQueue queues[2];

	/** @pool: Of command buffers. */
	VkCommandPool pool;

	/** @words: Buffers of %WORDS_SIZE bytes. */
	VkBuffer words[2];

	/** @memory: The memory of each of these. */
	VkDeviceMemory memory[2];

	/** @image: The target. */
	VkImage image;

	/** @image_memory: Its memory. */
	VkDeviceMemory image_memory;

	/** @view: The view of it. */
	VkImageView view;

	/** @render_pass: Clears the target. */
	VkRenderPass render_pass;

	/** @framebuffer: The target of it. */
	VkFramebuffer framebuffer;

	/** @set_layout: One storage buffer. */
	VkDescriptorSetLayout set_layout;

	/** @layout: Of both pipelines. */
	VkPipelineLayout layout;

	/** @descriptors: Pool of the set. */
	VkDescriptorPool descriptors;

	/** @set: The first buffer. */
	VkDescriptorSet set;

	/** @compute: Work groups of 64 invocations. */
	VkPipeline compute;

	/** @draw: One triangle that covers the target. */
	VkPipeline draw;

	/** @surface: Surfaces that no display shows are enabled. */
	bool surface;

	/** @extension: One more extension of the device to enable; or NULL. */
	const char *extension;

	/** @features: The chain of features to enable; or NULL. */
	const void *features;

	/** @event: An event, created by the first step that needs one. */
	VkEvent event;

	/** @label: Label of the command buffers that are begun; or NULL. */
	const char *label;

	/** @begin_label: Begins a label. */
	PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;

	/** @end_label: Ends a label. */
	PFN_vkCmdEndDebugUtilsLabelEXT end_label;

	/** @queries: Time stamps. */
	VkQueryPool timestamps;

	/** @occlusion: An occlusion query. */
	VkQueryPool occlusion;
};

void vk_check(VkResult result, const char *what);
void vk_create_instance(struct vk *vk);
void vk_create_device(struct vk *vk);
void vk_destroy_device(struct vk *vk);
void vk_destroy_instance(struct vk *vk);

VkCommandBuffer vk_begin(struct vk *vk, VkCommandBufferLevel level);
void vk_end(struct vk *vk, VkCommandBuffer cmd);
void vk_submit(struct vk *vk, VkQueue queue, const VkCommandBuffer *cmds, uint32_t count,
	       const void *next, uint32_t waits, const VkSemaphore *wait, uint32_t signals,
	       const VkSemaphore *signal);
void vk_wait(struct vk *vk);
void *vk_map(struct vk *vk, uint32_t buffer);

#endif
