// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-workloads
 *        vk-workloads --costs
 *
 * One command buffer with ten dispatches, three render passes and two copies, each with a label of its own
 * within that of the frame. All that is bound and set is so before the first of them, but for push constants of
 * each dispatch; push descriptors are among it. It is submitted twice. --costs prints the cost of each label, as `vk-steps --costs' does.
 */

#include <stdio.h>
#include <stdlib.h>

#include "steps.h"
#include "vk.h"

#define FRAME		"frame"
#define SUBMISSIONS	2

enum kind {
	DISPATCH,
	PASS,
	COPY,
};

/* What there is, in order, and how much of it: work groups; triangles. */
static const struct {
	enum kind kind;
	unsigned int amount;
} workloads[] = {
	{ DISPATCH, 1 }, { DISPATCH, 2 }, { DISPATCH, 3 }, { DISPATCH, 4 },
	{ PASS, 1 },
	{ COPY, 0 },
	{ DISPATCH, 5 }, { DISPATCH, 6 }, { DISPATCH, 7 },
	{ PASS, 3 },
	{ DISPATCH, 8 }, { DISPATCH, 9 },
	{ COPY, 0 },
	{ DISPATCH, 10 },
	{ PASS, 0 },
};

static VkPipelineLayout push_layout;
static VkDescriptorSetLayout push_set_layout;

static void label_of(unsigned int number, char *text, size_t size)
{
	static const char *const names[] = { "dispatch", "pass", "copy" };

	snprintf(text, size, "%s/%u", names[workloads[number].kind], number);
}

static void print_costs(void)
{
	char label[32];

	for (size_t i = 0; i < COUNT(counters); i++)
		printf("\t%s", counters[i].name);
	printf("\n");
	for (unsigned int i = 0; i < COUNT(workloads); i++) {
		const unsigned int amount = workloads[i].amount;

		label_of(i, label, sizeof(label));
		printf(FRAME "/%s", label);
		if (workloads[i].kind == DISPATCH)
			printf("\t%u\t%u\t0\t0\t0\t0\n", SUBMISSIONS, SUBMISSIONS * WARPS(amount));
		else if (workloads[i].kind == PASS)
			printf("\t0\t0\t%u\t%u\t%u\t%u\n", SUBMISSIONS * (amount > 0),
			       SUBMISSIONS * amount, SUBMISSIONS, SUBMISSIONS * TILES);
		else
			printf("\t-\t-\t0\t0\t0\t0\n");
	}
}

static void begin_label(struct vk *vk, VkCommandBuffer cmd, const char *name)
{
	const VkDebugUtilsLabelEXT label = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
		.pLabelName = name,
	};

	vk->begin_label(cmd, &label);
}

/* All kinds of state. The pipeline of the draws has its own, so that it is bound behind. */
static void set_state(struct vk *vk, VkCommandBuffer cmd)
{
	static const VkViewport viewports[] = {
		{ 1, 2, 30, 40, 0, 1 }, { 5, 6, 70, 80, 0.25f, 0.75f }, { 9, 10, 11, 12, 0, 0.5f },
	};
	static const VkRect2D scissor = { { 3, 4 }, { 50, 60 } };
	static const float blend[4] = { 0.1f, 0.2f, 0.3f, 0.4f };
	static const VkDeviceSize offsets[] = { 256, 512 };

	vkCmdSetViewport(cmd, 0, 1, &viewports[2]);
	vkCmdSetViewport(cmd, 0, 1, &viewports[0]);
	vkCmdSetScissor(cmd, 0, 1, &scissor);
	vkCmdSetLineWidth(cmd, 1);
	vkCmdSetBlendConstants(cmd, blend);
	vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
	vkCmdSetStencilReference(cmd, VK_STENCIL_FACE_BACK_BIT, 2);
	vkCmdBindVertexBuffers(cmd, 1, 2, vk->words, offsets);
	vkCmdBindVertexBuffers(cmd, 2, 1, &vk->words[0], &offsets[0]);
	vkCmdBindIndexBuffer(cmd, vk->words[1], 128, VK_INDEX_TYPE_UINT16);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, vk->draw);
}

#define PUSHED	2

/* Two buffers, then the other one for the second of them: in a set that no pipeline uses. */
static void push_descriptors(struct vk *vk, VkCommandBuffer cmd)
{
	const VkDescriptorSetLayoutBinding bindings[PUSHED] = {
		{ 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT },
		{ 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT },
	};
	const VkDescriptorSetLayoutCreateInfo set_layout = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
		.bindingCount = PUSHED,
		.pBindings = bindings,
	};
	VkDescriptorSetLayout sets[2] = { vk->set_layout };
	const VkPushConstantRange constants = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 16 };
	const VkPipelineLayoutCreateInfo layout_info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = COUNT(sets),
		.pSetLayouts = sets,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &constants,
	};
	VkDescriptorBufferInfo buffers[PUSHED] = {
		{ vk->words[1], 0, VK_WHOLE_SIZE }, { vk->words[1], 0, VK_WHOLE_SIZE },
	};
	VkWriteDescriptorSet writes[PUSHED];
	PFN_vkCmdPushDescriptorSetKHR push =
		(PFN_vkCmdPushDescriptorSetKHR)vkGetDeviceProcAddr(vk->device, "vkCmdPushDescriptorSetKHR");

	vk_check(vkCreateDescriptorSetLayout(vk->device, &set_layout, NULL, &push_set_layout),
		 "vkCreateDescriptorSetLayout");
	sets[1] = push_set_layout;
	vk_check(vkCreatePipelineLayout(vk->device, &layout_info, NULL, &push_layout), "vkCreatePipelineLayout");
	for (uint32_t i = 0; i < PUSHED; i++)
		writes[i] = (VkWriteDescriptorSet) {
			.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
			.dstBinding = i,
			.descriptorCount = 1,
			.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
			.pBufferInfo = &buffers[i],
		};
	push(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, push_layout, 1, PUSHED, writes);
	buffers[1].buffer = vk->words[0];
	push(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, push_layout, 1, 1, &writes[1]);
	/* What the layer has copied does not depend on these. */
	memset(buffers, 0xff, sizeof(buffers));
	memset(writes, 0xff, sizeof(writes));
}

static void begin_pass(struct vk *vk, VkCommandBuffer cmd)
{
	const VkClearValue clear = { .color.float32 = { 0, 0.5f, 1, 1 } };
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = vk->render_pass,
		.framebuffer = vk->framebuffer,
		.renderArea = { { 0, 0 }, { TARGET_SIZE, TARGET_SIZE } },
		.clearValueCount = 1,
		.pClearValues = &clear,
	};

	vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void record_workload(struct vk *vk, VkCommandBuffer cmd, unsigned int number)
{
	static const VkBufferCopy region = { 0, 0, WORDS_SIZE };
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
	};
	char label[32];

	label_of(number, label, sizeof(label));
	begin_label(vk, cmd, label);
	switch (workloads[number].kind) {
	case DISPATCH:
		/* One word; the others stay. */
		vkCmdPushConstants(cmd, vk->layout, VK_SHADER_STAGE_COMPUTE_BIT, 4 * (number % 4), 4,
				   &number);
		vkCmdDispatch(cmd, workloads[number].amount, 1, 1);
		break;
	case PASS:
		begin_pass(vk, cmd);
		if (workloads[number].amount)
			vkCmdDraw(cmd, 3 * workloads[number].amount, 1, 0, 0);
		vkCmdEndRenderPass(cmd);
		break;
	case COPY:
		vkCmdCopyBuffer(cmd, vk->words[0], vk->words[1], 1, &region);
		break;
	}
	vk->end_label(cmd);
	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
			     1, &barrier, 0, NULL, 0, NULL);
}

int main(int argc, char **argv)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	static const uint32_t push[4] = { 0x1000, 0x2000, 0x3000, 0x4000 };
	VkCommandBufferAllocateInfo allocate = info;
	struct vk vk = { .extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME };
	VkCommandBuffer cmd;

	if (argc == 2 && !strcmp(argv[1], "--costs")) {
		print_costs();
		return 0;
	}
	if (argc != 1) {
		fprintf(stderr, "usage: vk-workloads [--costs]\n");
		return 2;
	}
	vk_create_instance(&vk);
	vk_create_device(&vk);
	allocate.commandPool = vk.pool;
	vk_check(vkAllocateCommandBuffers(vk.device, &allocate, &cmd), "vkAllocateCommandBuffers");
	vk_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
	begin_label(&vk, cmd, FRAME);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk.compute);
	set_state(&vk, cmd);
	vkCmdPushConstants(cmd, vk.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk.layout, 0, 1, &vk.set, 0, NULL);
	push_descriptors(&vk, cmd);
	for (unsigned int i = 0; i < COUNT(workloads); i++)
		record_workload(&vk, cmd, i);
	vk.end_label(cmd);
	vk_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
	for (int i = 0; i < SUBMISSIONS; i++) {
		vk_submit(&vk, vk.queues[0], &cmd, 1, NULL, 0, NULL, 0, NULL);
		vk_wait(&vk);
	}
	vkDestroyPipelineLayout(vk.device, push_layout, NULL);
	vkDestroyDescriptorSetLayout(vk.device, push_set_layout, NULL);
	vk_destroy_device(&vk);
	vk_destroy_instance(&vk);
	return 0;
}
