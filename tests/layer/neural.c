// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Values of single neural accelerators: in rows, and in results of sessions. The GPU is a Mali-G1
 * whose second core has no accelerator. In each sample, the fake driver counts a compute job, so
 * that their number is that of the samples.
 */

#include "session.h"

#define CORES		3
#define SETTINGS	",gpu_id=0xe8800000,neural=5"
/* In each sample. The counter of MACs is shifted: each count is 1024 of them. */
#define GPU_CYCLES	10
#define TASKS_0		1
#define TASKS_1		20
#define TASKS_2		300
#define CYCLES_0	4
#define CYCLES_2	50
#define MACS_0		7
#define MACS_2		9
#define MACS_SHIFT	10
/* Per cent of the cycles of the GPU: the average of the two accelerators, and that of each. */
#define RATIO_ALL	(100.0 * (CYCLES_0 + CYCLES_2) / (2 * GPU_CYCLES))
#define RATIO_0		(100.0 * CYCLES_0 / GPU_CYCLES)
#define RATIO_2		(100.0 * CYCLES_2 / GPU_CYCLES)

#define TEXT(number)	TEXT_OF(number)
#define TEXT_OF(number)	#number

static const char load[] =
	"cshw:33 1\ncshw:4 " TEXT(GPU_CYCLES) "\n"
	"shader/0:23 " TEXT(TASKS_0) "\nshader/4:23 " TEXT(TASKS_1) "\n"
	"shader/20:23 " TEXT(TASKS_2) "\n"
	"neural/0:4 " TEXT(CYCLES_0) "\nneural/20:4 " TEXT(CYCLES_2) "\n"
	"neural/0:6 " TEXT(MACS_0) "\nneural/20:6 " TEXT(MACS_2) "\n";

enum { JOBS, TASKS, CYCLES, MACS, RATIO, COUNTERS };

static const char *const names[COUNTERS] = {
	"MaliCompQueueJob", "MaliNonFragTask", "MaliNXActiveCy", "MaliNXCEWorkload",
	"nx_clock_ratio",
};

/* What the cores have counted in each sample. */
static const uint64_t expected[COUNTERS][CORES] = {
	[TASKS] = { TASKS_0, TASKS_1, TASKS_2 },
	[CYCLES] = { CYCLES_0, 0, CYCLES_2 },
	[MACS] = { MACS_0 << MACS_SHIFT, 0, MACS_2 << MACS_SHIFT },
};

static bool is_about(double value, double other)
{
	return value > other - 0.001 && value < other + 0.001;
}

static bool is_of_cores(struct app *app, struct VkPerfSessionPANTHOR *session, uint32_t id,
			uint32_t position, uint64_t samples)
{
	PFN_vkGetPerfSessionInstanceResultsPANTHOR get = GET(app, GetPerfSessionInstanceResults);
	VkPerformanceCounterResultKHR cores[CORES + 1] = { 0 };
	size_t size = sizeof(cores);
	bool right;

	need(get(app->device, session, id, position, &size, cores), names[position]);
	right = size == CORES * sizeof(*cores);
	for (int i = 0; i < CORES; i++)
		right &= cores[i].uint64 == samples * expected[position][i];
	return right;
}

static void run_queries(void)
{
	struct VkPerfBlockPropertiesPANTHOR blocks[16] = { 0 };
	struct VkPerfPropertiesPANTHOR properties = {
		.structSize = sizeof(properties), .blockCount = COUNT(blocks), .pBlocks = blocks,
	};
	VkPerformanceCounterResultKHR sums[COUNTERS] = { 0 }, shares[CORES] = { 0 };
	PFN_vkGetPerfSessionInstanceResultsPANTHOR get;
	struct VkPerfSessionPANTHOR *session;
	uint32_t counters[COUNTERS], id;
	size_t size = sizeof(sums);
	struct app app = { 0 };
	uint64_t samples;
	bool found = false;

	session_start_app(&app);
	for (int i = 0; i < COUNTERS; i++)
		counters[i] = session_find_counter(&app, names[i]);
	need(GET(&app, GetPerfProperties)(app.device, &properties), "properties");
	for (uint32_t i = 0; i < properties.blockCount; i++)
		found |= !strcmp(blocks[i].name, "neural") && blocks[i].instanceCount == CORES;
	check(found, "as many places for accelerators as cores");
	session = session_sample(&app, counters, COUNTERS, &id);
	need(GET(&app, GetPerfSessionResults)(app.device, session, id, &size, sums), "results");
	samples = sums[JOBS].uint64;
	check(samples && sums[CYCLES].uint64 == samples * (CYCLES_0 + CYCLES_2) &&
	      sums[MACS].uint64 == samples * ((uint64_t)(MACS_0 + MACS_2) << MACS_SHIFT),
	      "the sums of all accelerators in a session");
	size = sizeof(shares);
	get = GET(&app, GetPerfSessionInstanceResults);
	need(get(app.device, session, id, RATIO, &size, shares), names[RATIO]);
	check(is_about(sums[RATIO].float64, RATIO_ALL) && size == sizeof(shares) &&
	      is_about(shares[0].float64, RATIO_0) && !shares[1].float64 &&
	      is_about(shares[2].float64, RATIO_2),
	      "shares by the number of accelerators, not of cores, in a session");
	check(is_of_cores(&app, session, id, TASKS, samples),
	      "each core has its own tasks in a session");
	check(is_of_cores(&app, session, id, CYCLES, samples) &&
	      is_of_cores(&app, session, id, MACS, samples),
	      "each accelerator has its own in a session, and the second core 0");
	GET(&app, DestroyPerfSession)(app.device, session);
	app_finish(&app);
}

/*
 * run.py knows the counters of a Mali-G710 alone: the rows are in a file that it does not judge.
 */
static void run_profile(void)
{
	unsigned long long jobs, tasks[CORES + 1], cycles[CORES], macs[CORES];
	char path[512], head[1024], row[1024];
	struct app app = { 0 };
	double ratio[CORES];
	const char *at;

	setenv("PANTHOR_PERF_LAYER_INSTANCES", "true", 1);
	*head = '\0';
	for (int i = 0; i < COUNTERS; i++)
		sprintf(head + strlen(head), "%s%s", i ? "," : "", names[i]);
	setenv("PANTHOR_PERF_LAYER_COUNTERS", head, 1);
	snprintf(path, sizeof(path), "%s/neural-rows.csv", getenv("HOME"));
	setenv("PANTHOR_PERF_LAYER_OUTPUT", path, 1);
	remove(path);
	app_start(&app);
	app_run(&app, app_begin(&app));
	session_read_row(path, head, row);
	check(strstr(head, ",quality,MaliCompQueueJob,"
			   "MaliNonFragTask,MaliNonFragTask/0,MaliNonFragTask/1,MaliNonFragTask/2,"
			   "MaliNXActiveCy,MaliNXActiveCy/0,MaliNXActiveCy/1,MaliNXActiveCy/2,"
			   "MaliNXCEWorkload,MaliNXCEWorkload/0,MaliNXCEWorkload/1,MaliNXCEWorkload/2,"
			   "nx_clock_ratio,nx_clock_ratio/0,nx_clock_ratio/1,nx_clock_ratio/2\n"),
	      "a column for each accelerator");
	at = strstr(row, ",exact,");
	check(at && sscanf(at, ",exact,%llu,%llu,%llu,%llu,%llu,%llu,%llu,,%llu,%llu,%llu,,%llu,"
			       "%lf,%lf,,%lf\n", &jobs, &tasks[0], &tasks[1], &tasks[2], &tasks[3],
			   &cycles[0], &cycles[1], &cycles[2], &macs[0], &macs[1], &macs[2],
			   &ratio[0], &ratio[1], &ratio[2]) == 14,
	      "the second core has nothing where accelerators are");
	check(jobs && tasks[0] == jobs * (TASKS_0 + TASKS_1 + TASKS_2) &&
	      tasks[1] == jobs * TASKS_0 && tasks[2] == jobs * TASKS_1 &&
	      tasks[3] == jobs * TASKS_2, "each core has its own tasks in a row");
	check(cycles[0] == jobs * (CYCLES_0 + CYCLES_2) && cycles[1] == jobs * CYCLES_0 &&
	      cycles[2] == jobs * CYCLES_2, "each accelerator has its own cycles in a row");
	check(macs[0] == (jobs * (MACS_0 + MACS_2)) << MACS_SHIFT &&
	      macs[1] == (jobs * MACS_0) << MACS_SHIFT &&
	      macs[2] == (jobs * MACS_2) << MACS_SHIFT,
	      "each accelerator has its own MACs in a row");
	check(is_about(ratio[0], RATIO_ALL) && is_about(ratio[1], RATIO_0) &&
	      is_about(ratio[2], RATIO_2),
	      "shares by the number of accelerators, not of cores, in a row");
	app_finish(&app);
}

int main(void)
{
	const char *mode = getenv("PANTHOR_PERF_LAYER");

	printf("only queries submission\n");
	if (!mode || (strcmp(mode, "queries") &&
		      strcmp(getenv("PANTHOR_PERF_LAYER_UNIT"), "submission")))
		return 0;
	/* The fake driver reads them when it is loaded, with the first instance. */
	session_append("FAKE_SETTINGS", SETTINGS);
	session_set_load("neural", load);
	if (strcmp(mode, "queries"))
		run_profile();
	else
		run_queries();
	return 0;
}
