// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Dynamic state of a pipeline and of shader objects: what is set once at the begin of a command buffer holds in all passes, and
 * only what is set between two passes changes.
 */

#include <stdio.h>

#include "outside.h"

#define RED	0xff0000ffu
#define GREEN	0xff00ff00u
#define BLUE	0xffff0000u
#define YELLOW	0xff00ffffu
#define WHITE	0xffffffffu
#define ALL	VK_SHADER_STAGE_ALL
#define RGBA	(VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | \
		 VK_COLOR_COMPONENT_A_BIT)
#define PASSES	16

static const uint32_t vertex_code[] = {
#include "outside-quad.vert.h"
};

static const uint32_t fragment_code[] = {
#include "outside-paint.frag.h"
};

static const uint32_t compute_code[] = {
#include "write.comp.h"
};

#define FUNCTIONS(one)			\
	one(vkCmdBindShadersEXT)	\
	one(vkCmdDrawMultiIndexedEXT)	\
	one(vkCmdSetAlphaToCoverageEnableEXT)	\
	one(vkCmdSetColorBlendEnableEXT)	\
	one(vkCmdSetColorBlendEquationEXT)	\
	one(vkCmdSetColorWriteMaskEXT)	\
	one(vkCmdSetLogicOpEXT)		\
	one(vkCmdSetLogicOpEnableEXT)	\
	one(vkCmdSetPolygonModeEXT)	\
	one(vkCmdSetRasterizationSamplesEXT)	\
	one(vkCmdSetSampleMaskEXT)	\
	one(vkCmdSetVertexInputEXT)	\
	one(vkCreateShadersEXT)		\
	one(vkDestroyShaderEXT)

#define MEMBER(name)	PFN_##name name;

struct dynamic {
	struct app app;
	FUNCTIONS(MEMBER)
	struct target target;
	struct buffer result;
	struct buffer other;
	struct buffer vertices;
	VkPipeline pipeline;
	VkPipeline writer;
	uint32_t count;
	uint32_t left[PASSES];
	uint32_t right[PASSES];
};

static void set_all(struct dynamic *dynamic, VkCommandBuffer cmd)
{
	const VkColorBlendEquationEXT equation = {
		VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
		VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
	};

	vkCmdSetCullMode(cmd, VK_CULL_MODE_NONE);
	vkCmdSetFrontFace(cmd, VK_FRONT_FACE_CLOCKWISE);
	vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
	vkCmdSetDepthTestEnable(cmd, VK_FALSE);
	vkCmdSetDepthWriteEnable(cmd, VK_FALSE);
	vkCmdSetDepthCompareOp(cmd, VK_COMPARE_OP_NEVER);
	vkCmdSetDepthBoundsTestEnable(cmd, VK_FALSE);
	vkCmdSetStencilTestEnable(cmd, VK_FALSE);
	vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
	vkCmdSetDepthBiasEnable(cmd, VK_FALSE);
	vkCmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
	vkCmdSetBlendConstants(cmd, (float[4]) { 0, 0, 1, 1 });
	dynamic->vkCmdSetLogicOpEnableEXT(cmd, VK_FALSE);
	dynamic->vkCmdSetLogicOpEXT(cmd, VK_LOGIC_OP_XOR);
	dynamic->vkCmdSetPolygonModeEXT(cmd, VK_POLYGON_MODE_FILL);
	dynamic->vkCmdSetRasterizationSamplesEXT(cmd, VK_SAMPLE_COUNT_1_BIT);
	dynamic->vkCmdSetSampleMaskEXT(cmd, VK_SAMPLE_COUNT_1_BIT, (VkSampleMask[1]) { 1 });
	dynamic->vkCmdSetAlphaToCoverageEnableEXT(cmd, VK_FALSE);
	dynamic->vkCmdSetColorBlendEnableEXT(cmd, 0, 1, (VkBool32[1]) { VK_FALSE });
	dynamic->vkCmdSetColorBlendEquationEXT(cmd, 0, 1, &equation);
	dynamic->vkCmdSetColorWriteMaskEXT(cmd, 0, 1, (VkColorComponentFlags[1]) { RGBA });
}

static const VkDynamicState states[] = {
	VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE,
	VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
	VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
	VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
	VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
	VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, VK_DYNAMIC_STATE_BLEND_CONSTANTS,
	VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_LOGIC_OP_EXT,
	VK_DYNAMIC_STATE_POLYGON_MODE_EXT, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
	VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
	VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
	VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
};

static void expect(struct dynamic *dynamic, VkCommandBuffer cmd, uint32_t left, uint32_t right)
{
	copy_row(cmd, &dynamic->target, &dynamic->result, dynamic->count * SIZE);
	dynamic->left[dynamic->count] = left;
	dynamic->right[dynamic->count++] = right;
}

/* A pass with one draw that covers the target; what is expected is what the halves have behind it. */
static void pass(struct dynamic *dynamic, VkCommandBuffer cmd, uint32_t left, uint32_t right)
{
	if (dynamic->count)
		begin_loaded(cmd, &dynamic->target, 0);
	else
		app_begin_rendering(&dynamic->app, cmd, &dynamic->target, 0);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndRendering(cmd);
	expect(dynamic, cmd, left, right);
}

static void color(struct dynamic *dynamic, VkCommandBuffer cmd, float r, float g, float b)
{
	vkCmdPushConstants(cmd, dynamic->app.layout, ALL, 0, 16, (float[4]) { r, g, b, 1 });
}

static void scissor(VkCommandBuffer cmd, uint32_t width)
{
	vkCmdSetScissor(cmd, 0, 1, &(VkRect2D) { { 0, 0 }, { width, SIZE } });
}

static VkCommandBuffer record_pipeline(struct dynamic *dynamic)
{
	const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
	VkCommandBuffer cmd = app_begin(&dynamic->app);

	dynamic->count = 0;
	set_all(dynamic, cmd);
	vkCmdSetViewport(cmd, 0, 1, &viewport);
	scissor(cmd, SIZE / 2);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, dynamic->pipeline);
	app_write(&dynamic->app, cmd, dynamic->writer, &dynamic->other, 0, 1);
	color(dynamic, cmd, 1, 0, 0);
	pass(dynamic, cmd, RED, 0);
	dynamic->vkCmdSetColorWriteMaskEXT(cmd, 0, 1, (VkColorComponentFlags[1]) {
					   VK_COLOR_COMPONENT_G_BIT });
	color(dynamic, cmd, 1, 1, 1);
	vkCmdFillBuffer(cmd, dynamic->other.buffer, 0, 256, 2);
	pass(dynamic, cmd, YELLOW, 0);
	/* Adds blue, but no alpha. */
	scissor(cmd, SIZE);
	dynamic->vkCmdSetColorWriteMaskEXT(cmd, 0, 1, (VkColorComponentFlags[1]) { RGBA });
	dynamic->vkCmdSetColorBlendEnableEXT(cmd, 0, 1, (VkBool32[1]) { VK_TRUE });
	pass(dynamic, cmd, WHITE, 0x00ff0000);
	/* Three that draw nothing. */
	vkCmdSetCullMode(cmd, VK_CULL_MODE_FRONT_AND_BACK);
	dynamic->vkCmdSetColorBlendEnableEXT(cmd, 0, 1, (VkBool32[1]) { VK_FALSE });
	pass(dynamic, cmd, WHITE, 0x00ff0000);
	vkCmdSetCullMode(cmd, VK_CULL_MODE_NONE);
	vkCmdSetRasterizerDiscardEnable(cmd, VK_TRUE);
	app_write(&dynamic->app, cmd, dynamic->writer, &dynamic->other, 0, 1);
	pass(dynamic, cmd, WHITE, 0x00ff0000);
	vkCmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
	dynamic->vkCmdSetSampleMaskEXT(cmd, VK_SAMPLE_COUNT_1_BIT, (VkSampleMask[1]) { 0 });
	pass(dynamic, cmd, WHITE, 0x00ff0000);
	/* The operation was set before the first pass. */
	dynamic->vkCmdSetSampleMaskEXT(cmd, VK_SAMPLE_COUNT_1_BIT, (VkSampleMask[1]) { 1 });
	dynamic->vkCmdSetLogicOpEnableEXT(cmd, VK_TRUE);
	color(dynamic, cmd, 1, 1, 1);
	pass(dynamic, cmd, 0, YELLOW);
	dynamic->vkCmdSetLogicOpEnableEXT(cmd, VK_FALSE);
	/* The triangle is clockwise. */
	color(dynamic, cmd, 0, 1, 0);
	vkCmdSetCullMode(cmd, VK_CULL_MODE_FRONT_BIT);
	pass(dynamic, cmd, 0, YELLOW);
	vkCmdSetFrontFace(cmd, VK_FRONT_FACE_COUNTER_CLOCKWISE);
	pass(dynamic, cmd, GREEN, GREEN);
	vkCmdSetViewport(cmd, 0, 1, &(VkViewport) { 0, 0, SIZE / 2, SIZE, 0, 1 });
	vkCmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
	color(dynamic, cmd, 0, 0, 1);
	pass(dynamic, cmd, BLUE, GREEN);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

static void vertex_input(struct dynamic *dynamic, VkCommandBuffer cmd, uint32_t offset)
{
	const VkVertexInputBindingDescription2EXT bindings[] = {
		{ VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, NULL, 0, 8,
		  VK_VERTEX_INPUT_RATE_VERTEX, 1 },
		{ VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, NULL, 1, 4,
		  VK_VERTEX_INPUT_RATE_INSTANCE, 1 },
	};
	const VkVertexInputAttributeDescription2EXT attributes[] = {
		{ VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, NULL, 0, 0,
		  VK_FORMAT_R32G32_SFLOAT, 0 },
		{ VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, NULL, 1, 1,
		  VK_FORMAT_R8G8B8A8_UNORM, offset },
	};

	dynamic->vkCmdSetVertexInputEXT(cmd, 2, bindings, 2, attributes);
}

static void create_shaders(struct dynamic *dynamic, VkShaderEXT *shaders)
{
	const VkPushConstantRange range = { ALL, 0, 128 };
	VkShaderCreateInfoEXT infos[] = {
		{
			.flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT,
			.stage = VK_SHADER_STAGE_VERTEX_BIT,
			.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT,
			.codeSize = sizeof(vertex_code),
			.pCode = vertex_code,
		}, {
			.flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT,
			.stage = VK_SHADER_STAGE_FRAGMENT_BIT,
			.codeSize = sizeof(fragment_code),
			.pCode = fragment_code,
		}, {
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.codeSize = sizeof(compute_code),
			.pCode = compute_code,
		},
	};

	for (uint32_t i = 0; i < COUNT(infos); i++) {
		infos[i].sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT;
		infos[i].codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
		infos[i].pName = "main";
		infos[i].setLayoutCount = 1;
		infos[i].pSetLayouts = &dynamic->app.set_layout;
		infos[i].pushConstantRangeCount = 1;
		infos[i].pPushConstantRanges = &range;
	}
	need(dynamic->vkCreateShadersEXT(dynamic->app.device, 2, infos, NULL, shaders), "shaders");
	need(dynamic->vkCreateShadersEXT(dynamic->app.device, 1, infos + 2, NULL, shaders + 2),
	     "a compute shader");
}

/* Words: positions of two quads, from 64: colors, from 128: indices, from 192: an indirect draw. */
static void fill_vertices(struct dynamic *dynamic)
{
	const float positions[] = {
		-1, -1, 0, -1, -1, 1, 0, 1, 0, -1, 1, -1, 0, 1, 1, 1,
	};
	const uint32_t colors[] = { RED, GREEN, BLUE, YELLOW, WHITE };
	const uint32_t indices[] = { 9, 0, 1, 2, 2, 1, 3 };
	const VkDrawIndexedIndirectCommand draw = { 6, 1, 0, 4, 1 };
	uint32_t *words = dynamic->vertices.words;

	memcpy(words, positions, sizeof(positions));
	memcpy(words + 64, colors, sizeof(colors));
	memcpy(words + 128, indices, sizeof(indices));
	memcpy(words + 192, &draw, sizeof(draw));
	words[255] = 1;
}

static VkCommandBuffer record_shaders(struct dynamic *dynamic, const VkShaderEXT *shaders)
{
	const VkShaderStageFlagBits stages[] = { VK_SHADER_STAGE_VERTEX_BIT,
						 VK_SHADER_STAGE_FRAGMENT_BIT,
						 VK_SHADER_STAGE_COMPUTE_BIT };
	const VkBuffer buffers[] = { dynamic->vertices.buffer, dynamic->vertices.buffer };
	const VkMultiDrawIndexedInfoEXT draws[] = { { 0, 6, 0 }, { 0, 3, 4 }, { 3, 3, 4 } };
	struct app *app = &dynamic->app;
	VkCommandBuffer cmd = app_begin(app);

	dynamic->count = 0;
	set_all(dynamic, cmd);
	vkCmdSetViewportWithCount(cmd, 1, &(VkViewport) { 0, 0, SIZE, SIZE, 0, 1 });
	vkCmdSetScissorWithCount(cmd, 1, &(VkRect2D) { { 0, 0 }, { SIZE, SIZE } });
	vertex_input(dynamic, cmd, 0);
	dynamic->vkCmdBindShadersEXT(cmd, 3, stages, shaders);
	vkCmdBindVertexBuffers2(cmd, 0, 2, buffers, (VkDeviceSize[2]) { 0, 256 },
				(VkDeviceSize[2]) { 64, VK_WHOLE_SIZE }, NULL);
	vkCmdBindIndexBuffer2(cmd, dynamic->vertices.buffer, 516, 24, VK_INDEX_TYPE_UINT32);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, app->layout, 0, 1,
				&dynamic->other.set, 0, NULL);
	vkCmdPushConstants(cmd, app->layout, ALL, 0, 8, (uint32_t[2]) { 0, 77 });
	vkCmdDispatch(cmd, PART, 1, 1);
	app_begin_rendering(app, cmd, &dynamic->target, 0);
	vkCmdDrawIndexed(cmd, 6, 1, 0, 0, 0);
	vkCmdDrawIndexed(cmd, 6, 1, 0, 4, 1);
	vkCmdEndRendering(cmd);
	expect(dynamic, cmd, RED, GREEN);
	vkCmdPushConstants(cmd, app->layout, ALL, 0, 4, (uint32_t[1]) { PART });
	vkCmdDispatch(cmd, PART, 1, 1);
	begin_loaded(cmd, &dynamic->target, 0);
	dynamic->vkCmdDrawMultiIndexedEXT(cmd, 2, draws + 1, 1, 2, sizeof(draws[0]), NULL);
	vkCmdEndRendering(cmd);
	expect(dynamic, cmd, RED, BLUE);
	/* The attribute of the second binding is elsewhere, then the binding itself. */
	vertex_input(dynamic, cmd, 4);
	begin_loaded(cmd, &dynamic->target, 0);
	vkCmdDrawIndexed(cmd, 6, 1, 0, 0, 0);
	vkCmdEndRendering(cmd);
	expect(dynamic, cmd, GREEN, BLUE);
	vkCmdBindVertexBuffers(cmd, 1, 1, buffers, (VkDeviceSize[1]) { 264 });
	begin_loaded(cmd, &dynamic->target, 0);
	vkCmdDrawIndexed(cmd, 6, 1, 0, 0, 0);
	vkCmdEndRendering(cmd);
	expect(dynamic, cmd, YELLOW, BLUE);
	begin_loaded(cmd, &dynamic->target, 0);
	vkCmdDrawIndexedIndirectCount(cmd, dynamic->vertices.buffer, 768,
				      dynamic->vertices.buffer, 1020, 1, 20);
	vkCmdEndRendering(cmd);
	expect(dynamic, cmd, YELLOW, WHITE);
	/* A pipeline for dispatches takes the place of the compute shader only. */
	app_write(app, cmd, dynamic->writer, &dynamic->other, 2 * PART, 78);
	dynamic->vkCmdSetColorWriteMaskEXT(cmd, 0, 1, (VkColorComponentFlags[1]) {
					   VK_COLOR_COMPONENT_R_BIT });
	vkCmdSetScissorWithCount(cmd, 1, &(VkRect2D) { { 0, 0 }, { SIZE / 2, SIZE } });
	vertex_input(dynamic, cmd, 0);
	vkCmdBindVertexBuffers(cmd, 1, 1, buffers, (VkDeviceSize[1]) { 256 + 4 });
	begin_loaded(cmd, &dynamic->target, 0);
	vkCmdDrawIndexed(cmd, 6, 1, 0, 0, 0);
	vkCmdDrawIndexed(cmd, 6, 1, 0, 4, 0);
	vkCmdEndRendering(cmd);
	expect(dynamic, cmd, GREEN, WHITE);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

static void run(struct dynamic *dynamic, VkCommandBuffer cmd, const char *what)
{
	char text[64];

	for (uint32_t i = 0; i < 2; i++) {
		app_submit(&dynamic->app, cmd);
		app_wait(&dynamic->app);
		for (uint32_t j = 0; j < dynamic->count; j++) {
			const uint32_t *row = dynamic->result.words + j * SIZE;

			snprintf(text, sizeof(text), "%s: pass %u, left", what, j);
			check_words(row, SIZE / 2, dynamic->left[j], text);
			snprintf(text, sizeof(text), "%s: pass %u, right", what, j);
			check_words(row + SIZE / 2, SIZE / 2, dynamic->right[j], text);
		}
		memset(dynamic->result.words, 0, WORDS * sizeof(uint32_t));
	}
}

int main(void)
{
	VkPhysicalDeviceMultiDrawFeaturesEXT draws = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,
		.multiDraw = VK_TRUE,
	};
	VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
		.pNext = &draws,
		.shaderObject = VK_TRUE,
	};
	VkPhysicalDeviceExtendedDynamicState3FeaturesEXT state3 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
		.pNext = &objects,
		.extendedDynamicState3PolygonMode = VK_TRUE,
		.extendedDynamicState3RasterizationSamples = VK_TRUE,
		.extendedDynamicState3SampleMask = VK_TRUE,
		.extendedDynamicState3AlphaToCoverageEnable = VK_TRUE,
		.extendedDynamicState3LogicOpEnable = VK_TRUE,
		.extendedDynamicState3ColorBlendEnable = VK_TRUE,
		.extendedDynamicState3ColorBlendEquation = VK_TRUE,
		.extendedDynamicState3ColorWriteMask = VK_TRUE,
	};
	VkPhysicalDeviceExtendedDynamicState2FeaturesEXT state2 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
		.pNext = &state3,
		.extendedDynamicState2 = VK_TRUE,
		.extendedDynamicState2LogicOp = VK_TRUE,
	};
	VkPhysicalDeviceVulkan14Features features14 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES,
		.pNext = &state2,
		.maintenance5 = VK_TRUE,
	};
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.pNext = &features14,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE,
	};
	VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = &features13,
		.timelineSemaphore = VK_TRUE,
		.drawIndirectCount = VK_TRUE,
	};
	const VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &features12,
		.features = { .logicOp = VK_TRUE, .drawIndirectFirstInstance = VK_TRUE },
	};
	struct dynamic dynamic = {
		.app.features = &features,
		.app.names = {
			VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME,
			VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
			VK_EXT_SHADER_OBJECT_EXTENSION_NAME, VK_EXT_MULTI_DRAW_EXTENSION_NAME,
		},
	};
	struct app *app = &dynamic.app;
	VkShaderEXT shaders[3];

	app_start(app);
#define GET(name)	dynamic.name = FUNCTION(app, name);
	FUNCTIONS(GET)
	dynamic.target = app_target(app);
	dynamic.result = app_buffer(app);
	dynamic.other = app_buffer(app);
	dynamic.vertices = app_buffer(app);
	dynamic.writer = app_writer(app);
	dynamic.pipeline = app_draw(app, states, COUNT(states));
	run(&dynamic, record_pipeline(&dynamic), "pipeline");
	fill_vertices(&dynamic);
	create_shaders(&dynamic, shaders);
	run(&dynamic, record_shaders(&dynamic, shaders), "shader objects");
	check_words(dynamic.other.words, 2 * PART, 77, "a compute shader");
	check_words(dynamic.other.words + 2 * PART, PART, 78, "a pipeline behind it");
	for (uint32_t i = 0; i < COUNT(shaders); i++)
		dynamic.vkDestroyShaderEXT(app->device, shaders[i], NULL);
	vkDestroyPipeline(app->device, dynamic.pipeline, NULL);
	vkDestroyPipeline(app->device, dynamic.writer, NULL);
	app_free_target(app, &dynamic.target);
	app_free_buffer(app, &dynamic.result);
	app_free_buffer(app, &dynamic.other);
	app_free_buffer(app, &dynamic.vertices);
	app_finish(app);
	return 0;
}
