/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counters of the Mali GPU within command buffers, for Vulkan applications that have the layer
 * VK_LAYER_PANTHOR_perf_query.
 *
 * VK_KHR_performance_query has the same counters. These functions go beyond it: each sample has
 * counters of its own, or times; its results are read by its number and size; results that a
 * command buffer overwrites when it is submitted again can be copied; and the clock of the GPU can
 * be held.
 *
 * The functions are those of a device that was created with VK_KHR_performance_query, by
 * vkGetDeviceProcAddr(), which returns NULL without the layer. Counters are numbered as
 * vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR() does. No profiling lock is
 * needed: the GPU counts, and is not suspended, while a session exists.
 *
 * The first member of structures that the caller provides is their size, so that a later version of
 * this header can add members. With a smaller size than that of this version, or with a session
 * that the device does not have, a function returns VK_ERROR_INITIALIZATION_FAILED.
 */
#ifndef PANTHOR_PERF_VULKAN_H
#define PANTHOR_PERF_VULKAN_H

#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Samples and their results. Commands with it are recorded by one thread at a time. */
struct VkPerfSessionPANTHOR;

/** enum VkPerfSampleTypePANTHOR - what a sample is */
enum VkPerfSampleTypePANTHOR {
	/** @VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR: Counts of counters between begin and end. */
	VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR = 0,

	/** @VK_PERF_SAMPLE_TYPE_TIMING_PANTHOR: The times of begin and end. */
	VK_PERF_SAMPLE_TYPE_TIMING_PANTHOR = 1,
};

/** enum VkPerfClockModePANTHOR - rate of the GPU's core clock */
enum VkPerfClockModePANTHOR {
	/** @VK_PERF_CLOCK_MODE_DEFAULT_PANTHOR: The kernel decides. */
	VK_PERF_CLOCK_MODE_DEFAULT_PANTHOR = 0,

	/** @VK_PERF_CLOCK_MODE_PROFILING_PANTHOR: One that the GPU can hold for long. */
	VK_PERF_CLOCK_MODE_PROFILING_PANTHOR = 1,

	/** @VK_PERF_CLOCK_MODE_LOWEST_PANTHOR: The lowest one. */
	VK_PERF_CLOCK_MODE_LOWEST_PANTHOR = 2,

	/** @VK_PERF_CLOCK_MODE_HIGHEST_PANTHOR: The highest one. */
	VK_PERF_CLOCK_MODE_HIGHEST_PANTHOR = 3,
};

/**
 * struct VkPerfSessionCreateInfoPANTHOR - a session to create
 */
struct VkPerfSessionCreateInfoPANTHOR {
	/** @structSize: Size of the structure. */
	size_t structSize;

	/** @maxSamples: Number of samples that fit, from 1 to 65536. */
	uint32_t maxSamples;

	/**
	 * @copySource: NULL; or the session whose results
	 * vkCmdCopyPerfSessionResultsPANTHOR() copies to this one, which has no samples of its own
	 * then. It must outlive this session.
	 */
	struct VkPerfSessionPANTHOR *copySource;
};

/**
 * struct VkPerfSampleBeginInfoPANTHOR - a sample to take
 */
struct VkPerfSampleBeginInfoPANTHOR {
	/** @structSize: Size of the structure. */
	size_t structSize;

	/** @sampleType: What it is. */
	enum VkPerfSampleTypePANTHOR sampleType;

	/** @counterIndexCount: Number of counters; 0 for a sample of times. */
	uint32_t counterIndexCount;

	/** @pCounterIndices: The counters. */
	const uint32_t *pCounterIndices;
};

/**
 * struct VkPerfTimingPANTHOR - the result of a sample of times
 *
 * Both are times of the GPU's time stamp counter on CLOCK_MONOTONIC_RAW.
 */
struct VkPerfTimingPANTHOR {
	/** @beginNs: Time before the first command, in ns. */
	uint64_t beginNs;

	/** @endNs: Time behind the last one, in ns. */
	uint64_t endNs;
};

/**
 * struct VkPerfBlockPropertiesPANTHOR - the blocks of a type, each of which has the same counters
 */
struct VkPerfBlockPropertiesPANTHOR {
	/** @blockType: One of enum drm_panthor_perf_block_type of the kernel. */
	uint32_t blockType;

	/**
	 * @instanceCount: Number of blocks. A result is the sum over all, or that of each. Neural
	 * accelerators have the numbers of their shader cores, and some of these may have none.
	 */
	uint32_t instanceCount;

	/** @counterCount: Counters of the type that have a number. */
	uint32_t counterCount;

	/** @name: "fw", "cshw", "tiler", "memsys", "shader" ... */
	char name[20];
};

/**
 * struct VkPerfPropertiesPANTHOR - what there is
 */
struct VkPerfPropertiesPANTHOR {
	/** @structSize: Size of the structure. Set by the caller. */
	size_t structSize;

	/** @clockModes: There is a clock mode beside DEFAULT. */
	VkBool32 clockModes;

	/** @maxSamples: The most samples of a session. */
	uint32_t maxSamples;

	/**
	 * @blockCount: Set by the caller to the elements of @pBlocks; then to the number of block
	 * types that the GPU has if @pBlocks is NULL, and to those that were written otherwise.
	 */
	uint32_t blockCount;

	/** @pBlocks: Where the block types are written. May be NULL. Set by the caller. */
	struct VkPerfBlockPropertiesPANTHOR *pBlocks;

	/**
	 * @gpuId: The GPU's GPU_ID register: product, and revision of the hardware. An older
	 * version of this header ends before it.
	 */
	uint64_t gpuId;
};

/**
 * struct VkPerfClocksPANTHOR - rates of the GPU's core clock, in Hz; 0: not known
 */
struct VkPerfClocksPANTHOR {
	/** @structSize: Size of the structure. Set by the caller. */
	size_t structSize;

	/** @currentHz: Now. */
	uint64_t currentHz;

	/** @profilingHz: Of %VK_PERF_CLOCK_MODE_PROFILING_PANTHOR. */
	uint64_t profilingHz;

	/** @lowestHz: Of %VK_PERF_CLOCK_MODE_LOWEST_PANTHOR. */
	uint64_t lowestHz;

	/** @highestHz: Of %VK_PERF_CLOCK_MODE_HIGHEST_PANTHOR. */
	uint64_t highestHz;
};

/**
 * typedef PFN_vkGetPerfPropertiesPANTHOR - Get what there is
 * @device: The device.
 * @pProperties: The properties.
 *
 * Return: VK_SUCCESS; VK_INCOMPLETE: there are more block types.
 */
typedef VkResult (*PFN_vkGetPerfPropertiesPANTHOR)
	(VkDevice device, struct VkPerfPropertiesPANTHOR *pProperties);

/**
 * typedef PFN_vkGetPerfClocksPANTHOR - Get the rates of the core clock
 * @device: The device.
 * @pClocks: The rates.
 *
 * Return: VK_SUCCESS; VK_ERROR_FEATURE_NOT_PRESENT: the kernel does not report them;
 * VK_ERROR_DEVICE_LOST: the GPU is gone.
 */
typedef VkResult (*PFN_vkGetPerfClocksPANTHOR)
	(VkDevice device, struct VkPerfClocksPANTHOR *pClocks);

/**
 * typedef PFN_vkSetPerfClockModePANTHOR - Hold the core clock of the GPU
 * @device: The device.
 * @mode: The rate. It ends with %VK_PERF_CLOCK_MODE_DEFAULT_PANTHOR, or with the device.
 *
 * The process needs CAP_PERFMON. While a rate is held, the GPU is not suspended.
 *
 * Return: VK_SUCCESS; VK_ERROR_NOT_PERMITTED_EXT: the process may not;
 * VK_ERROR_FEATURE_NOT_PRESENT: the GPU has no clock modes; VK_NOT_READY: another process holds
 * another rate; VK_ERROR_INITIALIZATION_FAILED: other errors. The layer prints a message for each
 * but the first.
 */
typedef VkResult (*PFN_vkSetPerfClockModePANTHOR)
	(VkDevice device, enum VkPerfClockModePANTHOR mode);

/**
 * typedef PFN_vkCreatePerfSessionPANTHOR - Create a session
 * @device: The device.
 * @pCreateInfo: The session.
 * @pSession: Where it is returned.
 *
 * Return: VK_SUCCESS; VK_ERROR_OUT_OF_HOST_MEMORY; VK_ERROR_INITIALIZATION_FAILED: the GPU does not
 * count, for which there is a message, or maxSamples is not in its range.
 */
typedef VkResult (*PFN_vkCreatePerfSessionPANTHOR)
	(VkDevice device, const struct VkPerfSessionCreateInfoPANTHOR *pCreateInfo,
	 struct VkPerfSessionPANTHOR **pSession);

/**
 * typedef PFN_vkDestroyPerfSessionPANTHOR - Destroy a session
 * @device: The device.
 * @session: The session. May be NULL. The GPU must have executed all command buffers with
 *	samples of it that were submitted.
 */
typedef void (*PFN_vkDestroyPerfSessionPANTHOR)
	(VkDevice device, struct VkPerfSessionPANTHOR *session);

/**
 * typedef PFN_vkResetPerfSessionPANTHOR - Discard all samples of a session
 * @device: The device.
 * @session: The session. No command buffer with samples of it may be pending, or be submitted any
 *	more.
 *
 * Return: VK_SUCCESS.
 */
typedef VkResult (*PFN_vkResetPerfSessionPANTHOR)
	(VkDevice device, struct VkPerfSessionPANTHOR *session);

/**
 * typedef PFN_vkCmdBeginPerfSamplePANTHOR - Begin a sample
 * @commandBuffer: A primary command buffer, outside of a render pass instance and of a query, and
 *	of another sample.
 * @session: A session without copySource.
 * @pBeginInfo: What to sample.
 * @pSampleId: Where the number of the sample is returned, from 0.
 *
 * The layer splits the command buffer here and at the end of the sample. When the command buffer is
 * submitted again, the result is that of the newest execution.
 *
 * Return: VK_SUCCESS; VK_ERROR_FEATURE_NOT_PRESENT: the command buffer cannot be split here;
 * VK_ERROR_TOO_MANY_OBJECTS: the session has maxSamples samples; VK_ERROR_OUT_OF_HOST_MEMORY;
 * VK_ERROR_INITIALIZATION_FAILED: there is no such counter or sample type.
 */
typedef VkResult (*PFN_vkCmdBeginPerfSamplePANTHOR)
	(VkCommandBuffer commandBuffer, struct VkPerfSessionPANTHOR *session,
	 const struct VkPerfSampleBeginInfoPANTHOR *pBeginInfo, uint32_t *pSampleId);

/**
 * typedef PFN_vkCmdEndPerfSamplePANTHOR - End a sample
 * @commandBuffer: The same command buffer, outside of a render pass instance.
 * @session: The session.
 * @sampleId: The sample.
 *
 * The sample has no result if the command buffer cannot be split here, as within a query of the
 * driver that began in the sample. The layer prints a message then.
 */
typedef void (*PFN_vkCmdEndPerfSamplePANTHOR)
	(VkCommandBuffer commandBuffer, struct VkPerfSessionPANTHOR *session, uint32_t sampleId);

/**
 * typedef PFN_vkCmdCopyPerfSessionResultsPANTHOR - Copy results while the GPU executes
 * @commandBuffer: A primary command buffer, outside of a render pass instance, a query and a
 *	sample.
 * @session: A session with copySource. It gets all results that the GPU has when it comes here: of
 *	samples that command buffers of this device have before this command. Numbers of samples
 *	stay the same; those beyond maxSamples are left out.
 *
 * Return: VK_SUCCESS; VK_ERROR_FEATURE_NOT_PRESENT: the command buffer cannot be split here;
 * VK_ERROR_INITIALIZATION_FAILED: the session has no copySource.
 */
typedef VkResult (*PFN_vkCmdCopyPerfSessionResultsPANTHOR)
	(VkCommandBuffer commandBuffer, struct VkPerfSessionPANTHOR *session);

/**
 * typedef PFN_vkGetPerfSessionStatusPANTHOR - Does a session have all results?
 * @device: The device.
 * @session: The session.
 *
 * The layer does not wait. Results come a little later than the fence of their submission.
 *
 * Return: VK_SUCCESS; VK_NOT_READY: a sample was not submitted, or its result is still to come;
 * VK_ERROR_DEVICE_LOST: a sample will have no result.
 */
typedef VkResult (*PFN_vkGetPerfSessionStatusPANTHOR)
	(VkDevice device, struct VkPerfSessionPANTHOR *session);

/**
 * typedef PFN_vkGetPerfSessionResultsPANTHOR - Get the result of a sample
 * @device: The device.
 * @session: The session.
 * @sampleId: The sample.
 * @pSizeInBytes: Set by the caller to the size of @pData; then to the size of the result if @pData
 *	is NULL, and to what was written otherwise.
 * @pData: Where a VkPerformanceCounterResultKHR for each counter is written, or a struct
 *	VkPerfTimingPANTHOR. May be NULL.
 *
 * A derived counter without a value, such as a share of zero cycles, is 0. The layer prints a
 * message for a result that is not exact.
 *
 * Return: VK_SUCCESS; VK_INCOMPLETE: @pData is too small; VK_NOT_READY; VK_ERROR_DEVICE_LOST: there
 * will be no result; VK_ERROR_INITIALIZATION_FAILED: the session has no such sample.
 */
typedef VkResult (*PFN_vkGetPerfSessionResultsPANTHOR)
	(VkDevice device, struct VkPerfSessionPANTHOR *session, uint32_t sampleId,
	 size_t *pSizeInBytes, void *pData);

/**
 * typedef PFN_vkGetPerfSessionInstanceResultsPANTHOR - Get what single blocks have counted
 * @device: The device.
 * @session: The session.
 * @sampleId: A sample of counters.
 * @position: Which of the counters of the sample, from 0.
 * @pSizeInBytes: As for vkGetPerfSessionResultsPANTHOR().
 * @pData: Where a VkPerformanceCounterResultKHR for each block of the counter's type is written, in
 *	the order of their numbers, such as for each shader core; 0 for a core that has no neural
 *	accelerator, for counters of these. May be NULL. A derived counter has
 *	them for the type of blocks that its formula is about; one of several types has one value,
 *	for the whole GPU.
 *
 * Return: As vkGetPerfSessionResultsPANTHOR().
 */
typedef VkResult (*PFN_vkGetPerfSessionInstanceResultsPANTHOR)
	(VkDevice device, struct VkPerfSessionPANTHOR *session, uint32_t sampleId,
	 uint32_t position, size_t *pSizeInBytes, void *pData);

#if defined(__cplusplus)
}
#endif

#endif /* PANTHOR_PERF_VULKAN_H */
