/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * For programs that compare values with what the fake driver counts: a session of one sample, and
 * the first row.
 */
#ifndef TESTS_LAYER_SESSION_H
#define TESTS_LAYER_SESSION_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app.h"
#include "panthor_perf_vulkan.h"

#define SESSION_COUNTERS	2048
/* Of a ms each. */
#define SESSION_POLLS		40000

#define GET(app, name)	((PFN_vk##name##PANTHOR)app_function(app, "vk" #name "PANTHOR"))

/** session_set_load() - What the fake driver counts. Before the first instance of the process. */
static inline void session_set_load(const char *program, const char *load)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.%s.load", getenv("HOME"), program,
		 getenv("PANTHOR_PERF_LAYER"));
	file = fopen(path, "w");
	if (!file || fputs(load, file) < 0 || fclose(file))
		abort();
	setenv("FAKE_LOAD", path, 1);
}

/** session_append() - More of a list in a variable of the environment. */
static inline void session_append(const char *name, const char *more)
{
	char text[512];

	snprintf(text, sizeof(text), "%s%s", getenv(name), more);
	setenv(name, text, 1);
}

/** session_start_app() - A device with performance queries. */
static inline void session_start_app(struct app *app)
{
	static const VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.performanceCounterQueryPools = VK_TRUE,
	};

	app->names[0] = VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME;
	app->features = &features;
	app_start(app);
}

/** session_find_counter() - Index of a counter. */
static inline uint32_t session_find_counter(struct app *app, const char *name)
{
	static VkPerformanceCounterKHR counters[SESSION_COUNTERS];
	static VkPerformanceCounterDescriptionKHR texts[SESSION_COUNTERS];
	uint32_t count = SESSION_COUNTERS, found = 0;
	PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate =
		(PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR)
		vkGetInstanceProcAddr(app->instance,
			"vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");

	for (uint32_t i = 0; i < SESSION_COUNTERS; i++) {
		counters[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
		texts[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR;
	}
	need(enumerate(app->gpu, 0, &count, counters, texts), "the counters");
	while (found < count && strcmp(texts[found].name, name))
		found++;
	check(found < count, name);
	return found;
}

/**
 * session_sample() - A session with a sample of a command buffer
 * @id: The sample.
 *
 * Return: The session. The sample is complete.
 */
static inline struct VkPerfSessionPANTHOR *session_sample(struct app *app, const uint32_t *counters,
							  uint32_t count, uint32_t *id)
{
	const struct VkPerfSessionCreateInfoPANTHOR info = {
		.structSize = sizeof(info), .maxSamples = 1,
	};
	const struct VkPerfSampleBeginInfoPANTHOR begin = {
		.structSize = sizeof(begin),
		.sampleType = VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR,
		.counterIndexCount = count,
		.pCounterIndices = counters,
	};
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct VkPerfSessionPANTHOR *session;
	PFN_vkGetPerfSessionStatusPANTHOR status = GET(app, GetPerfSessionStatus);
	VkCommandBuffer cmd;

	need(GET(app, CreatePerfSession)(app->device, &info, &session), "a session");
	cmd = app_begin(app);
	need(GET(app, CmdBeginPerfSample)(cmd, session, &begin, id), "a sample");
	GET(app, CmdEndPerfSample)(cmd, session, *id);
	app_run(app, cmd);
	for (int i = 0; i < SESSION_POLLS && status(app->device, session) == VK_NOT_READY; i++)
		nanosleep(&pause, NULL);
	return session;
}

/**
 * session_read_row() - The first row, and the head above it
 *
 * A row is there when it is read: each is written as soon as its sample is.
 */
static inline void session_read_row(const char *path, char head[1024], char row[1024])
{
	FILE *file = NULL;

	*head = *row = '\0';
	for (int i = 0; i < SESSION_POLLS && !strchr(row, '\n'); i++) {
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
		file = fopen(path, "r");
		if (file && fgets(head, 1024, file) && !fgets(row, 1024, file))
			*row = '\0';
		if (file)
			fclose(file);
	}
}

#endif
