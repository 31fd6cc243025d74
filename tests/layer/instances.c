// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Values of single shader cores: in rows, and in results of sessions. The fake driver counts 1, 20
 * and 300 tasks in its three cores in each sample, and one job in the front end, of which there is
 * one.
 */

#include <stddef.h>

#include "session.h"

#define CORES		3

static const char load[] = "cshw:25 1\nshader/0:23 1\nshader/4:23 20\nshader/20:23 300\n";

static void check_session(struct app *app)
{
	const uint32_t counters[] = { session_find_counter(app, "MaliCompQueueJob"),
				      session_find_counter(app, "MaliNonFragTask") };
	struct VkPerfPropertiesPANTHOR properties = { .structSize = sizeof(properties) };
	VkPerformanceCounterResultKHR sums[2] = { 0 }, cores[CORES + 1] = { 0 };
	PFN_vkGetPerfSessionInstanceResultsPANTHOR get = GET(app, GetPerfSessionInstanceResults);
	struct VkPerfSessionPANTHOR *session;
	size_t size = 0, few = sizeof(cores[0]);
	uint32_t id;

	session = session_sample(app, counters, 2, &id);
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
}

static void run_queries(void)
{
	struct app app = { 0 };

	session_start_app(&app);
	check_session(&app);
	app_finish(&app);
}

static void run_profile(void)
{
	unsigned long long sum, cores[CORES];
	char head[1024], row[1024];
	struct app app = { 0 };
	const char *at;

	setenv("PANTHOR_PERF_LAYER_INSTANCES", "true", 1);
	app_start(&app);
	app_run(&app, app_begin(&app));
	session_read_row(getenv("PANTHOR_PERF_LAYER_OUTPUT"), head, row);
	check(strstr(head, ",MaliCompQueueJob,MaliNonFragTask,MaliNonFragTask/0,MaliNonFragTask/1,MaliNonFragTask/2\n"),
	      "a column for each core");
	at = strstr(row, "exact,");
	check(at && sscanf(at, "exact,%*u,%*u,%llu,%llu,%llu,%llu", &sum, &cores[0], &cores[1], &cores[2]) == 4 &&
	      cores[0] && cores[1] == 20 * cores[0] && cores[2] == 300 * cores[0] && sum == 321 * cores[0],
	      "each core has its own in a row");
	app_finish(&app);
}

int main(void)
{
	const char *mode = getenv("PANTHOR_PERF_LAYER");

	printf("only queries submission\n");
	if (!mode || (strcmp(mode, "queries") && strcmp(getenv("PANTHOR_PERF_LAYER_UNIT"), "submission")))
		return 0;
	session_set_load("instances", load);
	if (strcmp(mode, "queries"))
		run_profile();
	else
		run_queries();
	return 0;
}
