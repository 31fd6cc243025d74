// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: random [SEED]
 *
 * Two devices and the host, which wait for each other in many ways that are correct. Each device has a timeline semaphore that
 * both have, and its submissions signal one point after the other. Those with an unknown structure do not: the fake syncobj would
 * have a fence at once that waits for the host, which the kernel never has. A submission may wait for a point of the other device,
 * also for one that is submitted later, and for a point that the host signals. The host waits for a submission as soon as all
 * that it depends on is submitted or signalled; so it must end. At the end all work must have been executed.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "limit.h"
#include "query.h"

#define SEEDS		4
#define SUBMISSIONS	40
#define PART		64

/* What a submission has. */
enum what { WORK, WORK2, NOTHING, SPARSE, UNKNOWN, UNKNOWN_NOTHING, WHATS };

struct job {
	enum what what;
	/* Points to wait for: of the other device, and of the host; 0: none. */
	uint32_t wait_other;
	uint32_t wait_host;
	/* What it depends on: that many submissions of the other device, and points of the host. */
	uint32_t needs_other;
	uint32_t needs_host;
	VkCommandBuffer cmd;
	VkFence fence;
};

struct side {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
	struct query query;
	/* The timelines of both sides, and of the host, as semaphores of this device. */
	VkSemaphore timelines[2];
	VkSemaphore host;
	struct job jobs[SUBMISSIONS];
	uint32_t submitted;
};

static uint32_t state;

static uint32_t number(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

static uint32_t max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static bool is_unknown(const struct job *job)
{
	return job->what == UNKNOWN || job->what == UNKNOWN_NOTHING;
}

/* The newest point of a side among those of its first submissions; 0: there is none. */
static uint32_t point_of(const struct side *side, uint32_t submissions)
{
	while (submissions && is_unknown(&side->jobs[submissions - 1]))
		submissions--;
	return submissions;
}

static VkSemaphore create_timeline(struct app *app, bool exported)
{
	return app_semaphore(app, VK_SEMAPHORE_TYPE_TIMELINE, 0, exported);
}

static VkSemaphore share(struct app *from, VkSemaphore semaphore, struct app *to)
{
	VkSemaphore other = create_timeline(to, false);

	app_share_semaphore(from, semaphore, to, other);
	return other;
}

/*
 * Plans all submissions in an order in which they could be executed one after the other. Returns the number of points that the
 * host signals.
 */
static uint32_t plan(struct side sides[2])
{
	uint32_t planned[2] = { 0 }, points = 0;

	while (planned[0] + planned[1] < 2 * SUBMISSIONS) {
		const uint32_t me = planned[0] == SUBMISSIONS || planned[1] == SUBMISSIONS ?
			planned[0] == SUBMISSIONS : number(2);
		struct job *job = &sides[me].jobs[planned[me]];
		const struct side *other = &sides[!me];

		*job = (struct job) { .what = number(is_validated() ? UNKNOWN : WHATS) };
		if (planned[me]) {
			job->needs_other = job[-1].needs_other;
			job->needs_host = job[-1].needs_host;
		}
		if (!number(3) && planned[!me])
			job->wait_other = point_of(other, 1 + number(planned[!me]));
		if (!number(4)) {
			points += !points || number(2);
			job->wait_host = points;
		}
		if (job->wait_other) {
			const struct job *before = &other->jobs[job->wait_other - 1];

			job->needs_other = max(job->needs_other, job->wait_other);
			job->needs_host = max(job->needs_host, before->needs_host);
		}
		job->needs_host = max(job->needs_host, job->wait_host);
		planned[me]++;
	}
	return points;
}

static VkCommandBuffer record(struct side *side, uint32_t part)
{
	const bool has_query = side->query.offered && !(part % 3);
	VkCommandBuffer cmd = app_begin(&side->app);

	/* Its result is not read. */
	if (has_query)
		vkCmdBeginQuery(cmd, side->query.pool, 0, 0);
	app_write(&side->app, cmd, side->writer, &side->buffer, part * PART, 46);
	if (has_query)
		vkCmdEndQuery(cmd, side->query.pool, 0);
	app_write(&side->app, cmd, side->writer, &side->buffer, part * PART, 46);
	app_end(cmd);
	return cmd;
}

static void submit(struct side *side, uint32_t me)
{
	const uint32_t n = side->submitted++;
	struct job *job = &side->jobs[n];
	const bool works = job->what == WORK || job->what == WORK2 || job->what == UNKNOWN;
	const VkPipelineStageFlags stages[] = {
		VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
	};
	const uint64_t signal = n + 1;
	VkSemaphore waits[2];
	uint64_t values[2];
	uint32_t count = 0;

	if (job->wait_other) {
		waits[count] = side->timelines[!me];
		values[count++] = job->wait_other;
	}
	if (job->wait_host) {
		waits[count] = side->host;
		values[count++] = job->wait_host;
	}
	job->cmd = works ? record(side, n) : VK_NULL_HANDLE;
	need(vkCreateFence(side->app.device, &(VkFenceCreateInfo) {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
	}, NULL, &job->fence), "vkCreateFence");
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = count,
		.pWaitSemaphoreValues = values,
		.signalSemaphoreValueCount = !is_unknown(job),
		.pSignalSemaphoreValues = &signal,
	};
	const struct unknown unknown = { UNKNOWN_TYPE, &points };
	const void *chain = is_unknown(job) ? (void *)&unknown : &points;
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = chain,
		.waitSemaphoreCount = count,
		.pWaitSemaphores = waits,
		.pWaitDstStageMask = stages,
		.commandBufferCount = works,
		.pCommandBuffers = &job->cmd,
		.signalSemaphoreCount = !is_unknown(job),
		.pSignalSemaphores = &side->timelines[me],
	};
	const VkBindSparseInfo bind = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.pNext = chain,
		.waitSemaphoreCount = count,
		.pWaitSemaphores = waits,
		.signalSemaphoreCount = !is_unknown(job),
		.pSignalSemaphores = &side->timelines[me],
	};
	const VkCommandBufferSubmitInfo cmd = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
		.commandBuffer = job->cmd,
	};
	VkSemaphoreSubmitInfo ops[3];
	const VkSubmitInfo2 info2 = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.waitSemaphoreInfoCount = count,
		.pWaitSemaphoreInfos = ops,
		.commandBufferInfoCount = 1,
		.pCommandBufferInfos = &cmd,
		.signalSemaphoreInfoCount = 1,
		.pSignalSemaphoreInfos = &ops[count],
	};

	for (uint32_t i = 0; i <= count; i++)
		ops[i] = (VkSemaphoreSubmitInfo) {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
			.semaphore = i < count ? waits[i] : side->timelines[me],
			.value = i < count ? values[i] : signal,
			.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
		};
	if (job->what == SPARSE)
		need(vkQueueBindSparse(side->app.queue, 1, &bind, job->fence),
		     "vkQueueBindSparse");
	else if (job->what == WORK2)
		need(vkQueueSubmit2(side->app.queue, 1, &info2, job->fence), "vkQueueSubmit2");
	else
		need(vkQueueSubmit(side->app.queue, 1, &info, job->fence), "vkQueueSubmit");
}

static void signal_host(struct side sides[2], uint32_t point)
{
	for (int i = 0; i < 2; i++) {
		const VkSemaphoreSignalInfo info = {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
			.semaphore = sides[i].host,
			.value = point,
		};

		need(vkSignalSemaphore(sides[i].app.device, &info), "vkSignalSemaphore");
	}
}

/* The newest submission of a side that has to end with what was submitted and signalled. */
static struct job *newest_done(struct side sides[2], uint32_t me, uint32_t signalled)
{
	uint32_t n = sides[me].submitted;

	while (n) {
		struct job *job = &sides[me].jobs[n - 1];

		if (job->needs_other <= sides[!me].submitted && job->needs_host <= signalled)
			return job;
		n--;
	}
	return NULL;
}

static bool run(struct side sides[2])
{
	const uint32_t points = plan(sides);
	uint32_t signalled = 0;
	bool right = true;

	sides[0].submitted = sides[1].submitted = 0;
	while (sides[0].submitted + sides[1].submitted < 2 * SUBMISSIONS || signalled < points) {
		const uint32_t me = number(2);
		struct job *job;

		switch (number(4)) {
		case 0:
			if (signalled < points)
				signal_host(sides, ++signalled);
			break;
		case 1:
			job = newest_done(sides, me, signalled);
			if (job)
				need(vkWaitForFences(sides[me].app.device, 1, &job->fence, VK_TRUE,
						     TIMEOUT_NS), "a wait that must end");
			break;
		default:
			for (uint32_t i = number(6); i && sides[me].submitted < SUBMISSIONS; i--)
				submit(&sides[me], me);
		}
	}
	for (int i = 0; i < 2; i++) {
		struct side *side = &sides[i];
		uint64_t value;

		for (uint32_t n = 0; n < SUBMISSIONS; n++) {
			struct job *job = &side->jobs[n];

			need(vkWaitForFences(side->app.device, 1, &job->fence, VK_TRUE,
					     TIMEOUT_NS), "vkWaitForFences");
			vkDestroyFence(side->app.device, job->fence, NULL);
			for (uint32_t word = 0; word < PART; word++)
				right &= side->buffer.words[n * PART + word] == (job->cmd ? 46 : 0);
			if (job->cmd)
				vkFreeCommandBuffers(side->app.device, side->app.pool, 1,
						     &job->cmd);
		}
		need(vkDeviceWaitIdle(side->app.device), "vkDeviceWaitIdle");
		need(vkGetSemaphoreCounterValue(side->app.device, side->timelines[i], &value),
		     "vkGetSemaphoreCounterValue");
		right &= value == point_of(side, SUBMISSIONS);
		memset(side->buffer.words, 0, WORDS * sizeof(uint32_t));
	}
	return right;
}

static void create_semaphores(struct side sides[2])
{
	for (int i = 0; i < 2; i++) {
		sides[i].host = create_timeline(&sides[i].app, false);
		sides[i].timelines[i] = create_timeline(&sides[i].app, true);
	}
	for (int i = 0; i < 2; i++)
		sides[i].timelines[!i] = share(&sides[!i].app, sides[!i].timelines[!i],
					       &sides[i].app);
}

static void destroy_semaphores(struct side *side)
{
	vkDestroySemaphore(side->app.device, side->host, NULL);
	vkDestroySemaphore(side->app.device, side->timelines[0], NULL);
	vkDestroySemaphore(side->app.device, side->timelines[1], NULL);
}

int main(int argc, char **argv)
{
	static struct side sides[2];
	uint32_t first = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	bool offered;
	struct app app = { .names = { VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME } };

	/* Khronos' validation compares the points of earlier submissions with the value at the end. */
	printf("allow VUID-VkSubmitInfo2-semaphore-03882\n");
	printf("allow VUID-VkSubmitInfo-pSignalSemaphores-03242\n");
	app_instance(&app);
	offered = query_enable(&app);
	for (int i = 0; i < 2; i++) {
		sides[i].app = app;
		app_device(&sides[i].app);
		sides[i].buffer = app_buffer(&sides[i].app);
		sides[i].writer = app_writer(&sides[i].app);
		sides[i].query = query_start(&sides[i].app, offered);
	}
	for (uint32_t seed = first; seed < first + SEEDS; seed++) {
		char text[32];

		snprintf(text, sizeof(text), "seed %u", seed);
		limit(LIMIT_S, text);
		state = seed;
		create_semaphores(sides);
		check(run(sides), text);
		destroy_semaphores(&sides[0]);
		destroy_semaphores(&sides[1]);
	}
	for (int i = 0; i < 2; i++) {
		query_finish(&sides[i].app, &sides[i].query);
		vkDestroyPipeline(sides[i].app.device, sides[i].writer, NULL);
		app_free_buffer(&sides[i].app, &sides[i].buffer);
		app_destroy_device(&sides[i].app);
	}
	vkDestroyInstance(app.instance, NULL);
	return 0;
}
