// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Render passes with two subpasses, passes that are suspended in one command buffer and resumed in others, and secondary command
 * buffers in and outside of passes, also nested, with state that is set again behind them.
 */

#include <stdio.h>

#include "outside.h"

#define RED	0xff0000ffu
#define GREEN	0xff00ff00u
#define BLUE	0xffff0000u
#define YELLOW	0xff00ffffu
#define FORMAT	VK_FORMAT_R8G8B8A8_UNORM
#define ALL	VK_SHADER_STAGE_ALL
#define SECONDARIES	VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT
#define GENERAL		VK_IMAGE_LAYOUT_GENERAL

static const uint32_t vertex_code[] = {
#include "cover.vert.h"
};

static const uint32_t color_code[] = {
#include "color.frag.h"
};

static const uint32_t input_code[] = {
#include "outside-input.frag.h"
};

struct passes {
	struct app app;
	struct buffer result;
	struct buffer words;
	struct target first;
	struct target second;
	VkPipeline draw;
	VkPipeline mixer;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkDescriptorSetLayout input_set;
	VkPipelineLayout input_layout;
	VkDescriptorPool pool;
	VkDescriptorSet set;
	VkPipeline in_first;
	VkPipeline in_second;
};

static void check_row(struct passes *passes, uint32_t word, uint32_t left, uint32_t right,
		      const char *text)
{
	check_words(passes->result.words + word, SIZE / 2, left, text);
	check_words(passes->result.words + word + SIZE / 2, SIZE / 2, right, text);
}

static struct target new_target(struct app *app)
{
	const VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = FORMAT,
		.extent = { SIZE, SIZE, 1 },
		.mipLevels = 1,
		.arrayLayers = 1,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
			 VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
	};
	VkImageViewCreateInfo view = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = FORMAT,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
	struct target target = { 0 };
	VkMemoryRequirements needs;

	need(vkCreateImage(app->device, &info, NULL, &target.image), "vkCreateImage");
	vkGetImageMemoryRequirements(app->device, target.image, &needs);
	target.memory = new_memory(app, needs.size, needs.memoryTypeBits, NULL);
	need(vkBindImageMemory(app->device, target.image, target.memory, 0), "vkBindImageMemory");
	view.image = target.image;
	need(vkCreateImageView(app->device, &view, NULL, &target.view), "vkCreateImageView");
	return target;
}

/* The second subpass reads what the first one has drawn. */
static void create_pass(struct passes *passes)
{
	const VkAttachmentDescription attachments[] = {
		{ 0, FORMAT, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR,
		  VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
		  VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL },
		{ 0, FORMAT, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR,
		  VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
		  VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED, GENERAL },
	};
	const VkAttachmentReference references[] = { { 0, GENERAL }, { 1, GENERAL } };
	const VkSubpassDescription subpasses[] = {
		{ .colorAttachmentCount = 1, .pColorAttachments = &references[0] },
		{ .colorAttachmentCount = 1, .pColorAttachments = &references[1],
		  .inputAttachmentCount = 1, .pInputAttachments = &references[0] },
	};
	const VkSubpassDependency dependency = {
		0, 1, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
		VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
		VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, VK_DEPENDENCY_BY_REGION_BIT,
	};
	const VkRenderPassCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = 2,
		.pAttachments = attachments,
		.subpassCount = 2,
		.pSubpasses = subpasses,
		.dependencyCount = 1,
		.pDependencies = &dependency,
	};
	VkFramebufferCreateInfo framebuffer = {
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.attachmentCount = 2,
		.pAttachments = (VkImageView[2]) { passes->first.view, passes->second.view },
		.width = SIZE,
		.height = SIZE,
		.layers = 1,
	};
	struct app *app = &passes->app;

	need(vkCreateRenderPass(app->device, &info, NULL, &passes->pass), "vkCreateRenderPass");
	framebuffer.renderPass = passes->pass;
	need(vkCreateFramebuffer(app->device, &framebuffer, NULL, &passes->framebuffer),
	     "vkCreateFramebuffer");
}

static void create_set(struct passes *passes)
{
	const VkDescriptorSetLayoutBinding binding = {
		0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL,
	};
	const VkDescriptorSetLayoutCreateInfo set_layout = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1,
		.pBindings = &binding,
	};
	const VkPipelineLayoutCreateInfo layout = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pSetLayouts = &passes->input_set,
	};
	const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1 };
	const VkDescriptorPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 1,
		.pPoolSizes = &size,
	};
	VkDescriptorSetAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorSetCount = 1,
		.pSetLayouts = &passes->input_set,
	};
	const VkDescriptorImageInfo image = { VK_NULL_HANDLE, passes->first.view, GENERAL };
	VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
		.pImageInfo = &image,
	};
	VkDevice device = passes->app.device;

	need(vkCreateDescriptorSetLayout(device, &set_layout, NULL, &passes->input_set), "set");
	need(vkCreatePipelineLayout(device, &layout, NULL, &passes->input_layout), "layout");
	need(vkCreateDescriptorPool(device, &pool, NULL, &passes->pool), "vkCreateDescriptorPool");
	info.descriptorPool = passes->pool;
	need(vkAllocateDescriptorSets(device, &info, &passes->set), "vkAllocateDescriptorSets");
	write.dstSet = passes->set;
	vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
}

static void scissor(VkCommandBuffer cmd, uint32_t x, uint32_t width)
{
	vkCmdSetViewport(cmd, 0, 1, &(VkViewport) { 0, 0, SIZE, SIZE, 0, 1 });
	vkCmdSetScissor(cmd, 0, 1, &(VkRect2D) { { (int32_t)x, 0 }, { width, SIZE } });
}

static void draw(struct passes *passes, VkCommandBuffer cmd, VkPipeline pipeline, float r, float g,
		 float b)
{
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdPushConstants(cmd, passes->app.layout, ALL, 0, 16, (float[4]) { r, g, b, 1 });
	vkCmdDraw(cmd, 3, 1, 0, 0);
}

/* A secondary command buffer; in the subpass of a render pass, in dynamic rendering, or outside of both. */
static VkCommandBuffer begin_secondary(struct passes *passes, VkRenderPass pass, bool rendering)
{
	struct app *app = &passes->app;
	const VkFormat format = FORMAT;
	const VkCommandBufferInheritanceRenderingInfo dynamic = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
		.flags = SECONDARIES,
		.colorAttachmentCount = 1,
		.pColorAttachmentFormats = &format,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
	};
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
		.pNext = rendering ? &dynamic : NULL,
		.renderPass = pass,
	};
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT |
			 (pass || rendering ? VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT : 0),
		.pInheritanceInfo = &inheritance,
	};
	VkCommandBuffer cmd = new_command_buffer(app, app->pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);

	need(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
	return cmd;
}

static void subpasses(struct passes *passes, bool secondary)
{
	const VkClearValue clear[2] = { 0 };
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = passes->pass,
		.framebuffer = passes->framebuffer,
		.renderArea = { { 0, 0 }, { SIZE, SIZE } },
		.clearValueCount = 2,
		.pClearValues = clear,
	};
	const VkSubpassBeginInfo inlined = {
		VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, NULL, VK_SUBPASS_CONTENTS_INLINE,
	};
	const VkSubpassEndInfo end = { .sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO };
	VkCommandBuffer cmds[2] = { 0 }, cmd;
	struct app *app = &passes->app;

	for (uint32_t i = 0; secondary && i < 2; i++) {
		cmds[i] = begin_secondary(passes, passes->pass, false);
		scissor(cmds[i], i * SIZE / 2, SIZE / 2);
		draw(passes, cmds[i], passes->in_first, i, !i, 0);
		app_end(cmds[i]);
	}
	cmd = app_begin(app);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, passes->input_layout, 0, 1,
				&passes->set, 0, NULL);
	scissor(cmd, 0, SIZE / 2);
	app_write(app, cmd, passes->mixer, &passes->words, 0, 1);
	if (secondary) {
		vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
		vkCmdExecuteCommands(cmd, 2, cmds);
	} else {
		vkCmdBeginRenderPass2(cmd, &info, &inlined);
		draw(passes, cmd, passes->in_first, 0, 1, 0);
		scissor(cmd, SIZE / 2, SIZE / 2);
		draw(passes, cmd, passes->in_first, 1, 0, 0);
	}
	if (secondary)
		vkCmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
	else
		vkCmdNextSubpass2(cmd, &inlined, &end);
	/* Nothing is defined behind secondary command buffers, and this layout is another one. */
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, passes->input_layout, 0, 1,
				&passes->set, 0, NULL);
	scissor(cmd, 0, SIZE);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, passes->in_second);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	if (secondary)
		vkCmdEndRenderPass(cmd);
	else
		vkCmdEndRenderPass2(cmd, &end);
	app_barrier(cmd);
	app_write(app, cmd, passes->mixer, &passes->words, 0, 2);
	copy_row(cmd, &passes->first, &passes->result, 0);
	copy_row(cmd, &passes->second, &passes->result, SIZE);
	to_host(cmd);
	app_run(app, cmd);
	check_row(passes, 0, GREEN, RED, "the first subpass");
	check_row(passes, SIZE, RED, BLUE, "the second subpass");
	check_words(passes->words.words, PART, MIX(MIX(0u, 1), 2), "dispatches around the pass");
	memset(passes->words.words, 0, PART * 4);
	if (secondary)
		vkFreeCommandBuffers(app->device, app->pool, 2, cmds);
}

/* One pass in several command buffers of one submission, with other work before and behind it. */
static void suspended(struct passes *passes, struct target *target, uint32_t count)
{
	const VkRenderingFlags first = VK_RENDERING_SUSPENDING_BIT;
	const VkRenderingFlags last = VK_RENDERING_RESUMING_BIT;
	VkCommandBufferSubmitInfo buffers[4] = { 0 };
	const VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.commandBufferInfoCount = count,
		.pCommandBufferInfos = buffers,
	};
	struct app *app = &passes->app;
	VkCommandBuffer cmd;

	for (uint32_t i = 0; i < count; i++) {
		cmd = app_begin(app);
		buffers[i].sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO;
		buffers[i].commandBuffer = cmd;
		if (!i) {
			app_write(app, cmd, passes->mixer, &passes->words, 0, 3);
			app_barrier(cmd);
		}
		app_begin_rendering(app, cmd, target, !i ? first : i < count - 1 ? first | last :
						      last);
		scissor(cmd, i * SIZE / count, SIZE / count);
		draw(passes, cmd, passes->draw, i % 2, !(i % 2), 0);
		vkCmdEndRendering(cmd);
		if (i == count - 1) {
			app_barrier(cmd);
			app_write(app, cmd, passes->mixer, &passes->words, 0, 4);
			copy_row(cmd, target, &passes->result, 0);
			to_host(cmd);
		}
		app_end(cmd);
	}
	for (uint32_t j = 0; j < 2; j++) {
		need(vkQueueSubmit2(app->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
		need(vkQueueWaitIdle(app->queue), "vkQueueWaitIdle");
		for (uint32_t i = 0; i < count; i++)
			check_words(passes->result.words + i * SIZE / count, SIZE / count,
				    i % 2 ? RED : GREEN, "a part of a suspended pass");
		check_words(passes->words.words, PART, MIX(MIX(0u, 3), 4), "work around it");
		memset(passes->words.words, 0, PART * 4);
		memset(passes->result.words, 0, SIZE * 4);
	}
	for (uint32_t i = 0; i < count; i++)
		vkFreeCommandBuffers(app->device, app->pool, 1, &buffers[i].commandBuffer);
}

/* Dispatches, a pass of its own, and draws of another pass in secondary command buffers; the last two are nested. */
static void secondaries(struct passes *passes, struct target *target)
{
	struct app *app = &passes->app;
	VkCommandBuffer mix = begin_secondary(passes, VK_NULL_HANDLE, false);
	VkCommandBuffer own = begin_secondary(passes, VK_NULL_HANDLE, false);
	VkCommandBuffer half = begin_secondary(passes, VK_NULL_HANDLE, true);
	VkCommandBuffer nested = begin_secondary(passes, VK_NULL_HANDLE, true);
	VkCommandBuffer cmd = app_begin(app);
	const VkClearAttachment clear = { VK_IMAGE_ASPECT_COLOR_BIT, 0, { .color.float32[2] = 1 } };

	app_barrier(mix);
	app_write(app, mix, passes->mixer, &passes->words, 0, 5);
	app_barrier(mix);
	app_end(mix);
	app_begin_rendering(app, own, target, 0);
	scissor(own, 0, SIZE);
	draw(passes, own, passes->draw, 1, 1, 0);
	vkCmdEndRendering(own);
	copy_row(own, target, &passes->result, 0);
	app_end(own);
	scissor(half, 0, SIZE / 2);
	draw(passes, half, passes->draw, 1, 0, 0);
	app_end(half);
	vkCmdExecuteCommands(nested, 1, &half);
	scissor(nested, SIZE / 2, SIZE / 2);
	draw(passes, nested, passes->draw, 0, 1, 0);
	app_end(nested);

	vkCmdExecuteCommands(cmd, 3, (VkCommandBuffer[3]) { mix, own, mix });
	app_write(app, cmd, passes->mixer, &passes->words, 0, 6);
	begin_loaded(cmd, target, SECONDARIES);
	vkCmdExecuteCommands(cmd, 2, (VkCommandBuffer[2]) { nested, half });
	vkCmdEndRendering(cmd);
	copy_row(cmd, target, &passes->result, SIZE);
	/* All state again. */
	app_write(app, cmd, passes->mixer, &passes->words, 0, 7);
	vkCmdExecuteCommands(cmd, 1, &mix);
	scissor(cmd, SIZE / 4, SIZE / 4);
	begin_loaded(cmd, target, 0);
	vkCmdClearAttachments(cmd, 1, &clear, 1, &(VkClearRect) {
			      { { SIZE / 2, 0 }, { SIZE / 2, SIZE } }, 0, 1 });
	draw(passes, cmd, passes->draw, 0, 1, 0);
	vkCmdEndRendering(cmd);
	copy_row(cmd, target, &passes->result, 2 * SIZE);
	to_host(cmd);
	app_end(cmd);
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t *words = passes->result.words + 2 * SIZE;

		app_submit(app, cmd);
		app_wait(app);
		check_words(passes->words.words, PART,
			    MIX(MIX(MIX(MIX(MIX(0u, 5), 5), 6), 7), 5), "secondary dispatches");
		check_row(passes, 0, YELLOW, YELLOW, "a pass in a secondary");
		check_row(passes, SIZE, RED, GREEN, "nested secondaries");
		check_words(words, SIZE / 4, RED, "not drawn behind them");
		check_words(words + SIZE / 4, SIZE / 4, GREEN, "drawn behind them");
		check_words(words + SIZE / 2, SIZE / 2, 0x00ff0000, "cleared behind them");
		memset(passes->words.words, 0, PART * 4);
		memset(passes->result.words, 0, WORDS * 4);
	}
	vkFreeCommandBuffers(app->device, app->pool, 5, (VkCommandBuffer[5]) {
			     mix, own, half, nested, cmd });
}

int main(void)
{
	VkPhysicalDeviceNestedCommandBufferFeaturesEXT nested = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT,
		.nestedCommandBuffer = VK_TRUE,
		.nestedCommandBufferRendering = VK_TRUE,
		.nestedCommandBufferSimultaneousUse = VK_TRUE,
	};
	VkPhysicalDeviceMaintenance5Features maintenance5 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
		.pNext = &nested,
		.maintenance5 = VK_TRUE,
	};
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.pNext = &maintenance5,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE,
	};
	const VkPhysicalDeviceTimelineSemaphoreFeatures features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
		.pNext = &features13,
		.timelineSemaphore = VK_TRUE,
	};
	struct passes passes = {
		.app.features = &features,
		.app.names = { VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME },
	};
	const struct code vertex = { vertex_code, sizeof(vertex_code) };
	const struct code color = { color_code, sizeof(color_code) };
	const struct code input = { input_code, sizeof(input_code) };
	struct app *app = &passes.app;
	struct target target;

	app_start(app);
	passes.result = app_buffer(app);
	passes.words = app_buffer(app);
	passes.first = new_target(app);
	passes.second = new_target(app);
	target = app_target(app);
	passes.draw = app_draw(app, NULL, 0);
	passes.mixer = new_mixer(app);
	create_pass(&passes);
	create_set(&passes);
	passes.in_first = new_graphics(app, &vertex, &color, app->layout, passes.pass, 0);
	passes.in_second = new_graphics(app, &vertex, &input, passes.input_layout, passes.pass, 1);
	subpasses(&passes, false);
	subpasses(&passes, true);
	suspended(&passes, &target, 2);
	/* That of Debian trixie takes what resumes and suspends for what only resumes. */
	if (!validated(app))
		suspended(&passes, &target, 4);
	secondaries(&passes, &target);
	vkDestroyPipeline(app->device, passes.draw, NULL);
	vkDestroyPipeline(app->device, passes.mixer, NULL);
	vkDestroyPipeline(app->device, passes.in_first, NULL);
	vkDestroyPipeline(app->device, passes.in_second, NULL);
	vkDestroyFramebuffer(app->device, passes.framebuffer, NULL);
	vkDestroyRenderPass(app->device, passes.pass, NULL);
	vkDestroyDescriptorPool(app->device, passes.pool, NULL);
	vkDestroyPipelineLayout(app->device, passes.input_layout, NULL);
	vkDestroyDescriptorSetLayout(app->device, passes.input_set, NULL);
	app_free_target(app, &target);
	app_free_target(app, &passes.first);
	app_free_target(app, &passes.second);
	app_free_buffer(app, &passes.result);
	app_free_buffer(app, &passes.words);
	app_finish(app);
	return 0;
}
