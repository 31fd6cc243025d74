/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Submissions of the application, copied so that they can be handed to the driver after the call
 * has returned, and in several pieces.
 */
#ifndef VULKAN_LAYER_SUBMISSIONS_H
#define VULKAN_LAYER_SUBMISSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "pools.h"
#include "semaphores.h"

struct queue;

/** enum submission_kind - by which call a submission came */
enum submission_kind {
	/** @SUBMIT: vkQueueSubmit(). */
	SUBMIT,

	/** @SUBMIT2: vkQueueSubmit2(). */
	SUBMIT2,

	/** @BIND_SPARSE: vkQueueBindSparse(). */
	BIND_SPARSE,
};

/**
 * struct semaphore_op - a semaphore that a submission waits for or signals
 */
struct semaphore_op {
	/** @semaphore: The semaphore. */
	VkSemaphore semaphore;

	/** @value: The point, if it is a timeline semaphore. */
	uint64_t value;

	/** @stages: Stages that wait, or are waited for. */
	uint64_t stages;

	/** @next: Chain of its structure. May be %NULL. */
	const void *next;

	/** @object: What is known of the semaphore. %NULL: it is the layer's own. */
	struct semaphore *object;

	/** @device_index: Device of the group. */
	uint32_t device_index;

	/** @replaced: It waits for a payload that came by an import or from a swapchain. */
	bool replaced;
};

/**
 * struct work - a command buffer of a submission, or a part of one
 */
struct work {
	/** @cmd: The command buffer. */
	VkCommandBuffer cmd;

	/** @next: Chain of its structure. May be %NULL. */
	const void *next;

	/** @label: Its labels and name. May be %NULL. */
	char *label;

	/** @query: The query that it is, as it is submitted. */
	struct query query;

	/** @device_mask: Devices of the group that execute it. */
	uint32_t device_mask;

	/** @works: It has a workload. */
	bool works;

	/** @types: Types of its workloads: bits of &enum workload_type. */
	uint32_t types;

	/** @joined: The next one belongs to the same render pass. */
	bool joined;
};

/**
 * struct submission - a submission: an element of a call, or a fence alone
 *
 * One allocation, but for the labels and @query_events.
 */
struct submission {
	/** @next: The next one that came. */
	struct submission *next;

	/** @number: Number in the order in which they came. */
	uint64_t number;

	/** @queue: Its queue. */
	struct queue *queue;

	/** @kind: By which call it came. */
	enum submission_kind kind;

	/** @profiled: It is counted. */
	bool profiled;

	/** @known: All of it is copied. */
	bool known;

	/** @rebuilt: The driver must not get the application's own structures. */
	bool rebuilt;

	/** @carries: Labels that its command buffers begin are those of the next ones. */
	bool carries;

	/** @marks_end: It says that a frame ends behind it. */
	bool marks_end;

	/** @ends_frame: When it came, that was a frame which had not ended before. */
	bool ends_frame;

	/** @frame_id: The application's number of the frame that ends. */
	uint64_t frame_id;

	/** @handed: The driver has it. */
	bool handed;

	/** @calling: The call of the application is about to hand it to the driver. */
	bool calling;

	/** @wait_end_ns: Until when it waits for the fence of a binary semaphore; 0: not set. */
	int64_t wait_end_ns;

	/** @frame: The frame in which it came. */
	uint64_t frame;

	/** @label: Open labels of the queue. May be %NULL. */
	char *label;

	/** @fence: Signalled when it is done. May be %NULL. */
	VkFence fence;

	/** @flags: Flags of vkQueueSubmit2(). */
	VkSubmitFlags flags;

	/** @chain: Structures for all of its pieces. */
	const void *chain;

	/** @last_chain: Structures for the last piece: more of them, and then @chain. */
	const void *last_chain;

	/** @bind: Of vkQueueBindSparse(). %NULL: a fence alone. */
	const VkBindSparseInfo *bind;

	/** @group: It has device indices and masks of vkQueueSubmit(). */
	bool group;

	/** @own_group: These are in the part of the chain that could not be copied. */
	bool own_group;

	/** @own_points: Likewise the points of its timeline semaphores. */
	bool own_points;

	/** @waits: What it waits for. There is room for one more. */
	struct semaphore_op *waits;

	/** @works: Its command buffers. */
	struct work *works;

	/** @query_events: What it does to queries. */
	struct query_events query_events;

	/** @signals: What it signals. There is room for one more in front. */
	struct semaphore_op *signals;

	/** @wait_count: Number of @waits. */
	uint32_t wait_count;

	/** @work_count: Number of @works. */
	uint32_t work_count;

	/** @signal_count: Number of @signals. */
	uint32_t signal_count;

	/** @scratch: Memory for what the driver gets. */
	void *scratch;
};

size_t submission_size(struct queue *queue, enum submission_kind kind, const void *info);
struct submission *submission_fill(void *memory, struct queue *queue, enum submission_kind kind,
				   const void *info, uint64_t frames, bool carries);
struct submission *submission_create(struct queue *queue, enum submission_kind kind,
				     const void *info, uint64_t frames);
bool submission_has_work(const struct submission *submission);
void submission_accept(struct submission *submission);
void submission_fail_queries(const struct submission *submission);
void submission_promise(const struct submission *submission);
void submission_release(struct submission *submission);
void submission_free(struct submission *submission);

#endif
