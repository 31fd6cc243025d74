// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Values of single shader cores: in rows, and in results of sessions. The fake driver counts 1, 20
 * and 300 tasks in its three cores in each sample, and one job in the front end, of which there is
 * one. Its second core has no neural accelerator: the column of that one is empty in rows.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app.h"
#include "panthor_perf_vulkan.h"

#define EXTENSION	VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME
#define MAX_COUNTERS	2048
#define CORES		3

static const char load[] = "cshw:25 1\nshader/0:23 1\nshader/4:23 20\nshader/20:23 300\n"
			   "neural/0:4 4\nneural/20:4 50\n";
static char rows_path[512];

static void write_load(void)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/instances.%s.load", getenv("HOME"), getenv("PANTHOR_PERF_LAYER"));
	file = fopen(path, "w");
	if (!file || fputs(load, file) < 0 || fclose(file))
		abort();
	setenv("FAKE_LOAD", path, 1);
}

static uint32_t find_counter(struct app *app, const char *name)
{
	static VkPerformanceCounterKHR counters[MAX_COUNTERS];
	static VkPerformanceCounterDescriptionKHR texts[MAX_COUNTERS];
	uint32_t count = MAX_COUNTERS, found = 0;
	PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate =
		(PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR)
		vkGetInstanceProcAddr(app->instance,
			"vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");

	for (uint32_t i = 0; i < MAX_COUNTERS; i++) {
		counters[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
		texts[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR;
	}
	need(enumerate(app->gpu, 0, &count, counters, texts), "the counters");
	while (found < count && strcmp(texts[found].name, name))
		found++;
	check(found < count, name);
	return found;
}

#define GET(app, name)	((PFN_vk##name##PANTHOR)app_function(app, "vk" #name "PANTHOR"))

static void check_session(struct app *app)
{
	const uint32_t counters[] = { find_counter(app, "MaliCompQueueJob"), find_counter(app, "MaliNonFragTask") };
	const struct VkPerfSessionCreateInfoPANTHOR info = { .structSize = sizeof(info), .maxSamples = 2 };
	const struct VkPerfSampleBeginInfoPANTHOR begin = {
		.structSize = sizeof(begin),
		.sampleType = VK_PERF_SAMPLE_TYPE_CUMULATIVE_PANTHOR,
		.counterIndexCount = 2,
		.pCounterIndices = counters,
	};
	struct VkPerfPropertiesPANTHOR properties = { .structSize = sizeof(properties) };
	VkPerformanceCounterResultKHR sums[2] = { 0 }, cores[CORES + 1] = { 0 };
	PFN_vkGetPerfSessionInstanceResultsPANTHOR get = GET(app, GetPerfSessionInstanceResults);
	struct VkPerfSessionPANTHOR *session;
	size_t size = 0, few = sizeof(cores[0]);
	VkCommandBuffer cmd;
	uint32_t id;

	need(GET(app, CreatePerfSession)(app->device, &info, &session), "a session");
	cmd = app_begin(app);
	need(GET(app, CmdBeginPerfSample)(cmd, session, &begin, &id), "a sample");
	GET(app, CmdEndPerfSample)(cmd, session, id);
	app_run(app, cmd);
	for (int i = 0; i < 10000 && GET(app, GetPerfSessionStatus)(app->device, session) == VK_NOT_READY; i++)
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
	size = sizeof(sums);
	need(GET(app, GetPerfSessionResults)(app->device, session, id, &size, sums), "results");
	check(sums[1].uint64 && sums[1].uint64 % 321 == 0, "the sum of all cores");
	need(get(app->device, session, id, 1, &size, NULL), "the size of instances");
	check(size == CORES * sizeof(*cores), "as many values as cores");
	size = sizeof(cores);
	need(get(app->device, session, id, 1, &size, cores), "instances");
	check(size == CORES * sizeof(*cores) && cores[1].uint64 == 20 * cores[0].uint64 &&
	      cores[2].uint64 == 300 * cores[0].uint64 && 321 * cores[0].uint64 == sums[1].uint64,
	      "each core has its own");
	check(get(app->device, session, id, 1, &few, cores) == VK_INCOMPLETE && few == sizeof(cores[0]),
	      "room for one of them");
	size = sizeof(cores);
	check(get(app->device, session, id, 0, &size, cores) == VK_SUCCESS && size == sizeof(cores[0]) &&
	      cores[0].uint64 == sums[0].uint64, "a block alone has the sum");
	check(get(app->device, session, id, 2, &size, cores) == VK_ERROR_INITIALIZATION_FAILED, "no third counter");
	need(GET(app, GetPerfProperties)(app->device, &properties), "properties");
	check(properties.gpuId == 0xa8670005, "the GPU's id with its revision");
	/* Of the version of the header before. */
	properties = (struct VkPerfPropertiesPANTHOR) { .structSize = offsetof(struct VkPerfPropertiesPANTHOR, gpuId) };
	check(GET(app, GetPerfProperties)(app->device, &properties) == VK_SUCCESS && !properties.gpuId,
	      "an older caller");
	GET(app, DestroyPerfSession)(app->device, session);
	vkFreeCommandBuffers(app->device, app->pool, 1, &cmd);
}

static void run_queries(void)
{
	static const VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.performanceCounterQueryPools = VK_TRUE,
	};
	struct app app = { .names = { EXTENSION }, .features = &features };

	app_start(&app);
	check_session(&app);
	app_finish(&app);
}

/* The rows are there when they are read: each is written as soon as its sample is. */
static void check_rows(void)
{
	char head[512] = "", row[512] = "";
	unsigned long long sum, cores[CORES], both, first, third;
	const char *at;
	FILE *file = NULL;

	for (int i = 0; i < 10000 && !*row; i++) {
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
		file = fopen(rows_path, "r");
		if (file && fgets(head, sizeof(head), file) && !fgets(row, sizeof(row), file))
			*row = '\0';
		if (file)
			fclose(file);
	}
	check(strstr(head, ",MaliCompQueueJob,MaliNonFragTask,MaliNonFragTask/0,MaliNonFragTask/1,MaliNonFragTask/2,"
			   "neural:4,neural:4/0,neural:4/1,neural:4/2\n"), "a column for each core");
	at = strstr(row, "exact,");
	check(at && sscanf(at, "exact,%*u,%*u,%llu,%llu,%llu,%llu,%llu,%llu,,%llu", &sum, &cores[0], &cores[1],
			   &cores[2], &both, &first, &third) == 7 &&
	      cores[0] && cores[1] == 20 * cores[0] && cores[2] == 300 * cores[0] && sum == 321 * cores[0],
	      "each core has its own in a row");
	check(first == 4 * cores[0] && third == 50 * cores[0] && both == 54 * cores[0],
	      "each accelerator has its own in a row");
}

static void append(const char *name, const char *more)
{
	char text[512];

	snprintf(text, sizeof(text), "%s%s", getenv(name), more);
	setenv(name, text, 1);
}

static void run_profile(void)
{
	struct app app = { 0 };
	VkCommandBuffer cmd;

	setenv("PANTHOR_PERF_LAYER_INSTANCES", "true", 1);
	append("PANTHOR_PERF_LAYER_COUNTERS", ",neural:4");
	append("FAKE_SETTINGS", ",neural=5");
	snprintf(rows_path, sizeof(rows_path), "%s", getenv("PANTHOR_PERF_LAYER_OUTPUT"));
	app_start(&app);
	cmd = app_begin(&app);
	app_run(&app, cmd);
	check_rows();
	app_finish(&app);
}

int main(void)
{
	const char *mode = getenv("PANTHOR_PERF_LAYER");

	printf("only queries submission\n");
	if (!mode || (strcmp(mode, "queries") && strcmp(getenv("PANTHOR_PERF_LAYER_UNIT"), "submission")))
		return 0;
	write_load();
	if (strcmp(mode, "queries"))
		run_profile();
	else
		run_queries();
	return 0;
}
