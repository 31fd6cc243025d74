/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Frames of a device: where they end, each once. */
#ifndef VULKAN_LAYER_FRAMES_H
#define VULKAN_LAYER_FRAMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct device;
struct submission;

/* Frames of which only one of both ends was seen. */
#define FRAMES_HALF	8

/**
 * struct frame_ids - frames by their number in VkFrameBoundaryEXT
 */
struct frame_ids {
	/** @ids: The numbers, the newest last. */
	uint64_t ids[FRAMES_HALF];

	/** @count: How many there are. */
	unsigned int count;
};

/**
 * struct frame_start - the start of a frame behind a sample, for the rows before and behind that
 */
struct frame_start {
	/** @refs: References: of the device, of the mark and of the row. */
	atomic_uint refs;

	/** @point: The point of the timeline that the sample will signal; 0: not known yet. */
	_Atomic uint64_t point;

	/** @started: The driver was about to get work of the frame, or the sample was read. */
	bool started;

	/** @overlaps: The sample was not taken when the driver was about to get work. */
	bool overlaps;
};

/**
 * struct frames - the frames of a device
 */
struct frames {
	/** @number: Number of the frame that is now. */
	uint64_t number;

	/** @types: Types of its workloads so far: bits of &enum workload_type. */
	uint32_t types;

	/** @submitted: Frames that a submission has ended, and no presentation has named. */
	struct frame_ids submitted;

	/** @presented: The opposite. */
	struct frame_ids presented;

	/** @idle: The last submission that came ends a frame. */
	bool idle;

	/** @start: The start of the frame that is now, if there is a sample before it. */
	struct frame_start *start;
};

uint64_t frames_number(struct device *device);
void frames_end(struct device *device, uint64_t *number, uint32_t *types);
bool frames_will_end(struct device *device, const void *chain);
void frames_accept_submission(struct device *device, bool ends);
bool frames_count_submission(const struct submission *submission, uint64_t *frame, uint32_t *types);
bool frames_end_presentation(struct device *device, const VkPresentInfoKHR *info, uint64_t *frame,
			     uint32_t *types);

struct frame_start *frame_start_create(void);
struct frame_start *frame_start_get(struct frame_start *start);
void frame_start_put(struct frame_start *start);
bool frame_start_end(struct frame_start *start);
void frames_set_start(struct device *device, struct frame_start *start);
void frames_record_start(struct device *device);

#endif
