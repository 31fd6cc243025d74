// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * How the layer is loaded, and what becomes of its file. The program starts itself with other variables, in a process for each
 * case; the first argument is what that process does.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app.h"

#define EXTENSION	VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME
#define PERF		"VK_LAYER_PANTHOR_perf"
#define QUERY		"VK_LAYER_PANTHOR_perf_query"
#define NODE		"VK_LAYER_TEST_node"
#define SPY		"VK_LAYER_TEST_spy"
#define DRIVERS		20
#define MAX_PATH	512
/* What stderr needs less than, and rows more. */
#define FILE_SIZE	4096
#define SMALL_FILE	100

/* ---- What the processes do. The exit status says how it was. ---- */

static void submit(struct app *app, int count)
{
	for (int i = 0; i < count; i++) {
		VkCommandBuffer cmd = app_begin(app);

		app_run(app, cmd);
	}
}

/* A device, with a query if the layer lets it have queries, and some submissions. */
static int use_device(int submissions)
{
	static const VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.performanceCounterQueryPools = VK_TRUE,
	};
	const char *mode = getenv("PANTHOR_PERF_LAYER"), *layers = getenv("VK_INSTANCE_LAYERS");
	const uint32_t counter = 0;
	const VkQueryPoolPerformanceCreateInfoKHR counters = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
		.counterIndexCount = 1,
		.pCounterIndices = &counter,
	};
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.pNext = &counters,
		.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
		.queryCount = 1,
	};
	VkPerformanceCounterResultKHR value;
	struct app app = { 0 };
	VkCommandBuffer cmd;
	VkQueryPool pool;
	bool queries;

	app_instance(&app);
	queries = app_has_extension(&app, EXTENSION);
	if (queries != (mode && !strcmp(mode, "queries")))
		return 2;
	if (queries) {
		app.names[0] = EXTENSION;
		app.features = &features;
	}
	app_device(&app);
	/* No layer between those of the library is left out. */
	if (strstr(layers, SPY) && !vkGetDeviceProcAddr(app.device, "vkTestBrokenPasses"))
		return 3;
	if (submissions == SMALL_FILE) {
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &(struct rlimit) { FILE_SIZE, FILE_SIZE });
	}
	submit(&app, submissions);
	if (queries) {
		need(vkCreateQueryPool(app.device, &info, NULL, &pool), "vkCreateQueryPool");
		cmd = app_begin(&app);
		vkCmdBeginQuery(cmd, pool, 0, 0);
		vkCmdEndQuery(cmd, pool, 0);
		app_run(&app, cmd);
		if (vkGetQueryPoolResults(app.device, pool, 0, 1, sizeof(value), &value, sizeof(value),
					  VK_QUERY_RESULT_WAIT_BIT))
			return 4;
		vkDestroyQueryPool(app.device, pool, NULL);
	}
	app_finish(&app);
	return 0;
}

static void probe(void)
{
	struct app app = { 0 };

	app_instance(&app);
	app_has_extension(&app, EXTENSION);
	vkDestroyInstance(app.instance, NULL);
}

/* Three instances with submissions, two of them at the same time, and instances without. */
static int use_instances(void)
{
	struct app first = { 0 }, second = { 0 };

	probe();
	if (use_device(2))
		return 2;
	probe();
	app_start(&first);
	app_start(&second);
	submit(&second, 1);
	submit(&first, 1);
	app_finish(&first);
	submit(&second, 1);
	app_finish(&second);
	probe();
	return 0;
}

/* The signal selects a frame, also when there is no instance. */
static int use_signal(void)
{
	probe();
	raise(SIGUSR1);
	return use_device(1);
}

/* A child has a file of its own by its number. */
static int use_fork(void)
{
	pid_t child;
	int status;

	probe();
	child = fork();
	if (!child)
		exit(use_device(3));
	fprintf(stderr, "child %d\n", child);
	return child < 0 || waitpid(child, &status, 0) != child || status ? 2 : 0;
}

/* Each physical device, twice. */
static int use_many_devices(void)
{
	VkPhysicalDevice gpus[2 * DRIVERS];
	uint32_t count = COUNT(gpus);
	struct app app = { 0 };

	app_instance(&app);
	need(vkEnumeratePhysicalDevices(app.instance, &count, gpus), "vkEnumeratePhysicalDevices");
	for (uint32_t i = 0; i < 2 * count; i++) {
		app.gpu = gpus[i % count];
		if (app_has_extension(&app, EXTENSION))
			return 2;
	}
	vkDestroyInstance(app.instance, NULL);
	return count == DRIVERS ? 0 : 3;
}

static int act(const char *what)
{
	if (!strcmp(what, "device"))
		return use_device(3);
	if (!strcmp(what, "small-file"))
		return use_device(SMALL_FILE);
	if (!strcmp(what, "pause"))
		return use_device(3) || pause();
	if (!strcmp(what, "nothing"))
		return use_device(0);
	if (!strcmp(what, "instances"))
		return use_instances();
	if (!strcmp(what, "signal"))
		return use_signal();
	if (!strcmp(what, "fork"))
		return use_fork();
	return use_many_devices();
}

/* ---- Files ---- */

/* Of the rows of most processes, and of the stderr of each. */
static char rows_path[MAX_PATH];
static char errors_path[MAX_PATH];

static void make_path(char path[MAX_PATH], const char *name)
{
	snprintf(path, MAX_PATH, "%s/loading.%s", getenv("HOME"), name);
}

static char *read_file(const char *path)
{
	char *text = calloc(1, 65536);
	FILE *file = fopen(path, "r");

	if (!text)
		abort();
	if (file) {
		fread(text, 1, 65535, file);
		fclose(file);
	}
	return text;
}

static unsigned int count(const char *path, const char *what)
{
	char *text = read_file(path);
	unsigned int found = 0;

	for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
		found++;
	free(text);
	return found;
}

static bool ends_with_a_line(const char *path)
{
	char *text = read_file(path);
	const bool does = *text && text[strlen(text) - 1] == '\n';

	free(text);
	return does;
}

/* ---- The processes ---- */

/* Starts one, with variables up to %NULL; its stderr goes to a file. */
static pid_t start(const char *what, const char *errors, const char *const *variables)
{
	pid_t child = fork();

	if (child)
		return child;
	for (; *variables; variables++)
		putenv((char *)*variables);
	if (!freopen(errors, "w", stderr))
		_exit(99);
	execl("/proc/self/exe", "loading", what, NULL);
	_exit(98);
}

static int wait_for(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}

#define VARIABLES(...)		((const char *const[]) { __VA_ARGS__, NULL })
#define PROFILE			"PANTHOR_PERF_LAYER=profile"
/* Returns whether all went well. */
#define run(what, ...)		(!wait_for(start(what, errors_path, VARIABLES(__VA_ARGS__))))

static const char *variable(const char *name, const char *value)
{
	static char texts[8][MAX_PATH];
	static unsigned int next;
	char *text = texts[next++ % COUNT(texts)];

	snprintf(text, MAX_PATH, "%s=%s", name, value);
	return text;
}

static const char *output(const char *path)
{
	return variable("PANTHOR_PERF_LAYER_OUTPUT", path);
}

/* Rows of a file with a head. */
static unsigned int rows(const char *path)
{
	return count(path, ",exact,");
}

/* Also prints what the last process has written to stderr. */
static void check_last(bool right, const char *text)
{
	char *errors;

	if (check(right, text))
		return;
	errors = read_file(errors_path);
	fprintf(stderr, "%s: %u rows\n%s\n", text, rows(rows_path), errors);
	free(errors);
}

/* ---- Cases ---- */

static void check_both(void)
{
	static const struct {
		const char *mode;
		const char *layers;
	} cases[] = {
		{ "off", PERF ":" QUERY ":" NODE },
		{ "profile", QUERY ":" PERF ":" NODE },
		{ "queries", PERF ":" QUERY ":" NODE },
		{ "off", QUERY ":" SPY ":" PERF ":" NODE },
		{ "profile", PERF ":" SPY ":" QUERY ":" NODE },
		{ "queries", PERF ":" SPY ":" QUERY ":" NODE },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		const unsigned int expected = strcmp(cases[i].mode, "profile") ? 0 : 3;
		char text[256];

		unlink(rows_path);
		snprintf(text, sizeof(text), "%s with %s", cases[i].mode, cases[i].layers);
		check_last(run("device", variable("PANTHOR_PERF_LAYER", cases[i].mode),
			  variable("VK_INSTANCE_LAYERS", cases[i].layers), output(rows_path)) &&
		      rows(rows_path) == expected, text);
	}
}

static void check_files(void)
{
	char full[MAX_PATH];

	unlink(rows_path);
	check_last(run("instances", PROFILE, output(rows_path)) && rows(rows_path) == 5 &&
	      count(rows_path, "unit,frame") == 1, "rows of several instances, with others before and behind");
	check_last(count(errors_path, "not exact") == 1, "there is one summary");
	check_last(run("nothing", PROFILE, output(rows_path)) && rows(rows_path) == 5,
	      "a process without a row leaves the file as it is");
	check_last(run("device", PROFILE, output(rows_path)) && rows(rows_path) == 3 &&
	      count(rows_path, "unit,frame") == 1, "one with rows replaces it");
	make_path(full, "full.csv");
	unlink(full);
	if (symlink("/dev/full", full))
		abort();
	check_last(run("device", PROFILE, output(full)), "a full disk ends no application");
	check_last(count(errors_path, "No space left on device") == 1, "there is one message");
	unlink(full);
	unlink(rows_path);
	check_last(run("small-file", PROFILE, output(rows_path)), "a disk that becomes full ends none either");
	check_last(count(errors_path, "File too large") == 1 && rows(rows_path) >= 1 && ends_with_a_line(rows_path),
	      "there is one message, and whole rows before it");
}

/* Two processes at the same time, with the same file. */
static void check_two_processes(void)
{
	pid_t first;

	unlink(rows_path);
	first = start("pause", "/dev/null", VARIABLES(PROFILE, output(rows_path)));
	for (int i = 0; i < 4000 && rows(rows_path) < 3; i++)
		usleep(10000);
	check_last(run("instances", PROFILE, output(rows_path)) && rows(rows_path) == 3,
	      "rows of another process are not overwritten");
	check_last(count(errors_path, "another process") == 1, "there is a message");
	kill(first, SIGKILL);
	wait_for(first);
	check_last(run("device", PROFILE, output(rows_path)) && rows(rows_path) == 3, "they are when it has ended");
	unlink(rows_path);
}

/* A child that has what its parent has read of the variables. */
static void check_fork(void)
{
	char path[MAX_PATH], name[32], *errors;
	int child = 0;

	make_path(path, "%p.csv");
	check_last(run("fork", PROFILE, output(path)), "a child of a process with an instance");
	errors = read_file(errors_path);
	sscanf(errors, "child %d", &child);
	free(errors);
	snprintf(name, sizeof(name), "%d.csv", child);
	make_path(path, name);
	check_last(rows(path) == 3, "the file with its number has its rows");
	unlink(path);
}

/* None of them is counted: they have no node. */
static void check_many_devices(void)
{
	char drivers[DRIVERS * MAX_PATH] = "", name[32], path[MAX_PATH];

	for (int i = 0; i < DRIVERS; i++) {
		snprintf(name, sizeof(name), "%d.json", i);
		make_path(path, name);
		unlink(path);
		if (symlink(getenv("VK_DRIVER_FILES"), path))
			abort();
		strcat(strcat(drivers, i ? ":" : ""), path);
	}
	setenv("VK_DRIVER_FILES", drivers, true);
	check_last(run("many-devices", "PANTHOR_PERF_LAYER=queries", "VK_INSTANCE_LAYERS="),
	      "no device that is not counted has the extension");
	check_last(count(errors_path, " is not profiled: ") == DRIVERS, "there is one message for each of them");
	for (int i = 0; i < DRIVERS; i++) {
		snprintf(name, sizeof(name), "%d.json", i);
		make_path(path, name);
		unlink(path);
	}
}

int main(int argc, char **argv)
{
	const char *mode = getenv("PANTHOR_PERF_LAYER");
	bool queries;

	if (argc > 1)
		return act(argv[1]);
	/* A part in each, so that it does not take long. */
	printf("only queries submission\n");
	if (!mode || (strcmp(mode, "queries") && strcmp(getenv("PANTHOR_PERF_LAYER_UNIT"), "submission")))
		return 0;
	setenv("VK_INSTANCE_LAYERS", NODE, true);
	queries = !strcmp(mode, "queries");
	make_path(rows_path, queries ? "queries-rows.csv" : "rows.csv");
	make_path(errors_path, queries ? "queries-errors" : "errors");
	if (queries) {
		check_both();
		check_many_devices();
		return 0;
	}
	check_files();
	check_two_processes();
	check_last(run("signal", PROFILE, "PANTHOR_PERF_LAYER_SIGNAL=USR1"), "a signal without an instance");
	check_fork();
	return 0;
}
