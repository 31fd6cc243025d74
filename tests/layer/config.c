// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Settings of a JSON file in the words of Arm's libGPULayers, of VK_EXT_layer_settings and of the environment: which frames have
 * rows, and what a row is. What is wrong has one message, and no row. The program starts itself for each case.
 *
 * Arm's rule of periodic frames: a frame n when n is not below the first one, and a multiple of the period.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app.h"
#include "fakealloc.h"

#define LAYER		"VK_LAYER_PANTHOR_perf"
#define PREFIX		"panthor-perf-layer: "
#define FRAMES		"8"
/* Two periods of Arm's template. */
#define TEMPLATE_FRAMES	"1201"
#define MAX_PATH	512
#define MAX_TEXT	65536
/* More than there are when settings are read. */
#define MOST_ALLOCATIONS	100

/* ---- The process: frames of two submissions each ---- */

/* By VK_EXT_layer_settings: "NAME=TEXT", or "NAME#NUMBER,NUMBER". */
static VkLayerSettingEXT setting_of(char *text)
{
	static const char *value;
	static uint32_t numbers[16];
	VkLayerSettingEXT setting = { .pLayerName = LAYER, .pSettingName = text };
	char *at = strpbrk(text, "=#");

	setting.type = *at == '=' ? VK_LAYER_SETTING_TYPE_STRING_EXT : VK_LAYER_SETTING_TYPE_UINT32_EXT;
	*at++ = '\0';
	value = at;
	setting.valueCount = 1;
	setting.pValues = &value;
	if (setting.type == VK_LAYER_SETTING_TYPE_STRING_EXT)
		return setting;
	setting.pValues = numbers;
	for (setting.valueCount = 0; *at; setting.valueCount++) {
		numbers[setting.valueCount] = strtoul(at, &at, 10);
		at += *at == ',';
	}
	return setting;
}

static void start_instance(struct app *app, char *text)
{
	const VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3,
	};
	VkLayerSettingEXT setting;
	VkLayerSettingsCreateInfoEXT settings = {
		.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
		.settingCount = 1,
		.pSettings = &setting,
	};
	const char *const names[] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_LAYER_SETTINGS_EXTENSION_NAME };
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pNext = text ? &settings : NULL,
		.pApplicationInfo = &application,
		.enabledExtensionCount = text ? 2 : 1,
		.ppEnabledExtensionNames = names,
	};
	uint32_t one = 1;

	if (text)
		setting = setting_of(text);
	need(vkCreateInstance(&info, NULL, &app->instance), "vkCreateInstance");
	if (vkEnumeratePhysicalDevices(app->instance, &one, &app->gpu) < 0 || !one)
		need(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");
}

static int run_frames(char *text, uint32_t frames)
{
	const VkFrameBoundaryEXT end = {
		.sType = VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT, .flags = VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT,
	};
	struct app app = { 0 };
	struct buffer buffer;
	bool marks;

	start_instance(&app, text);
	marks = app_has_extension(&app, VK_EXT_FRAME_BOUNDARY_EXTENSION_NAME);
	if (marks)
		app.names[0] = VK_EXT_FRAME_BOUNDARY_EXTENSION_NAME;
	app_device(&app);
	buffer = app_buffer(&app);
	for (uint32_t i = 0; i < frames; i++) {
		for (int last = 0; last < 2; last++) {
			VkCommandBuffer cmd = app_begin(&app);
			const VkSubmitInfo info = {
				.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
				.pNext = last && marks ? &end : NULL,
				.commandBufferCount = 1,
				.pCommandBuffers = &cmd,
			};

			app_begin_label(&app, cmd, "outer");
			app_begin_label(&app, cmd, "inner");
			vkCmdFillBuffer(cmd, buffer.buffer, 0, 256, i);
			app_end_label(&app, cmd);
			app_end_label(&app, cmd);
			app_end(cmd);
			need(vkQueueSubmit(app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
			app_wait(&app);
			vkFreeCommandBuffers(app.device, app.pool, 1, &cmd);
		}
	}
	app_free_buffer(&app, &buffer);
	app_finish(&app);
	return 0;
}

/* ---- Cases ---- */

static const struct {
	const char *text;
	/* The file, NULL: none. */
	const char *file;
	/* By VK_EXT_layer_settings, NULL: nothing. */
	const char *setting;
	/* Of the environment, NULL: nothing. */
	const char *variable;
	/* Frames of the rows, separated by blanks. */
	const char *frames;
	/* What stands in the only message of the layer; NULL: there is none but the summary. */
	const char *message;
} cases[] = {
	/* Arm's words */
	{ "periodic frames",
	  "{\"layer\": \"VK_LAYER_LGL_gpu_profile\", \"frame_mode\": \"periodic\", \"periodic_frame\": 3, "
	  "\"periodic_min_frame\": 1, \"frame_list\": [], \"sample_mode\": \"frame\", \"frame_serialization\": false}",
	  NULL, NULL, "3 6", NULL },
	{ "periodic frames from 0 on",
	  "{\"frame_mode\": \"periodic\", \"periodic_frame\": 4, \"periodic_min_frame\": 0, \"sample_mode\": \"frame\"}",
	  NULL, NULL, "0 4", NULL },
	{ "a list of frames",
	  "{\"frame_mode\": \"list\", \"frame_list\": [1, 2, 5], \"sample_mode\": \"frame\"}", NULL, NULL, "1 2 5", NULL },
	{ "a list of more frames than there ever were",
	  "{\"frame_mode\": \"list\", \"frame_list\": [100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,"
	  "117,118,119,120,121,122,6], \"sample_mode\": \"frame\"}", NULL, NULL, "6", NULL },
	{ "workloads", "{\"frame_mode\": \"list\", \"frame_list\": [2], \"sample_mode\": \"workload\"}", NULL, NULL,
	  "2 2", NULL },
	{ "serialized frames",
	  "{\"frame_mode\": \"list\", \"frame_list\": [2], \"sample_mode\": \"frame\", \"frame_serialization\": true}",
	  NULL, NULL, "2", "frames are not serialized" },
	{ "frame_mode is off", "{\"frame_mode\": \"disabled\", \"sample_mode\": \"frame\"}", NULL, NULL, "",
	  "frame_mode is 'disabled'" },
	{ "sample_mode is off", "{\"sample_mode\": \"disabled\"}", NULL, NULL, "", "sample_mode is 'disabled'" },
	/* Own words */
	{ "own words in a file", "{\"unit\": \"frame\", \"frames\": \"1,3-4\"}", NULL, NULL, "1 3 4", NULL },
	{ "all frames: behind the last one there is nothing", "{\"unit\": \"frame\"}", NULL, NULL, "0 1 2 3 4 5 6 7", NULL },
	/* The other sources */
	{ "a setting of the application", NULL, "frames=7", NULL, "7 7", NULL },
	{ "a number of the application", "{\"sample_mode\": \"frame\"}", "frames#1,5", NULL, "1 5", NULL },
	{ "the file is before the application", "{\"frames\": \"2\"}", "frames=7", NULL, "2 2", NULL },
	{ "the file is before it in Arm's words, too", "{\"frame_mode\": \"list\", \"frame_list\": [3]}", "frames=7", NULL,
	  "3 3", NULL },
	{ "the environment is before the file", "{\"frame_mode\": \"list\", \"frame_list\": [3], \"sample_mode\": \"frame\"}",
	  NULL, "PANTHOR_PERF_LAYER_FRAMES=4", "4", NULL },
	/* Errors */
	{ "an unknown key", "{\"frame_mod\": \"list\"}", NULL, NULL, "", "there is no setting 'frame_mod'" },
	{ "an unknown setting", NULL, "colour=red", NULL, "", "there is no setting 'colour'" },
	{ "another mode", "{\"frame_mode\": \"sometimes\"}", NULL, NULL, "", "disabled, periodic or list is expected" },
	{ "another type", "{\"frame_list\": \"1\"}", NULL, NULL, "", "frame_list: a list of numbers is expected" },
	{ "a negative frame", "{\"frame_mode\": \"list\", \"frame_list\": [-1]}", NULL, NULL, "", "a list of numbers" },
	{ "a period of 0", "{\"frame_mode\": \"periodic\", \"periodic_frame\": 0}", NULL, NULL, "", "from 1 on" },
	{ "no period", "{\"frame_mode\": \"periodic\"}", NULL, NULL, "", "periodic_frame" },
	{ "no list", "{\"frame_mode\": \"list\", \"frame_list\": []}", NULL, NULL, "", "frame_list" },
	{ "a list without its mode", "{\"frame_list\": [1]}", NULL, NULL, "", "frame_mode" },
	{ "the same in other words", "{\"frames\": \"1\", \"frame_mode\": \"list\", \"frame_list\": [1]}", NULL, NULL, "",
	  "in other words" },
	{ "an error of the file in its line", "{\n\"unit\": \"frame\",\n\"frames\" 1}", NULL, NULL, "", "config.json:3: " },
	{ "a file that ends", "{\"unit\": \"frame\"", NULL, NULL, "", "the end is missing" },
	{ "more behind the object", "{\"unit\": \"frame\"} {\"frames\": \"1\"}", NULL, NULL, "",
	  "config.json:1: there is more behind the JSON object" },
	{ "blank lines behind the object", "{\"unit\": \"frame\", \"frames\": \"2\"}\n\n", NULL, NULL, "2", NULL },
	{ "a number of 65 bits", NULL, "frames=36893488147419103232", NULL, "", "a list such as" },
	{ "no object", "[1]", NULL, NULL, "", "a JSON object is expected" },
	{ "an unknown variable", NULL, NULL, "PANTHOR_PERF_LAYER_FRAME=1", "", "no variable PANTHOR_PERF_LAYER_FRAME;" },
	{ "columns of Arm for single blocks", "{\"columns\": \"arm\", \"instances\": true}", NULL, NULL, "",
	  "instances='true': the columns of Arm have no values of single blocks" },
	{ "no file", NULL, NULL, "PANTHOR_PERF_LAYER_CONFIG=/nowhere/config.json", "", "/nowhere/config.json: " },
};

static char rows_path[MAX_PATH], errors_path[MAX_PATH], file_path[MAX_PATH];

static void make_path(char path[MAX_PATH], const char *name)
{
	snprintf(path, MAX_PATH, "%s/%s", getenv("HOME"), name);
}

static char *read_file(const char *path)
{
	static char text[MAX_TEXT];
	FILE *file = fopen(path, "r");

	memset(text, 0, sizeof(text));
	if (file) {
		fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	return text;
}

static int run(const char *file, const char *setting, const char *variable, const char *frames)
{
	pid_t child;
	FILE *out;
	int status = -1;

	unlink(rows_path);
	unsetenv("PANTHOR_PERF_LAYER_CONFIG");
	if (file) {
		out = fopen(file_path, "w");
		if (!out)
			abort();
		fputs(file, out);
		fclose(out);
		setenv("PANTHOR_PERF_LAYER_CONFIG", file_path, 1);
	}
	fflush(stdout);
	child = fork();
	if (!child) {
		unsetenv("FAKE_TRUTH");
		unsetenv("PANTHOR_PERF_LAYER_UNIT");
		setenv("PANTHOR_PERF_LAYER_OUTPUT", rows_path, 1);
		if (variable)
			putenv(strdup(variable));
		if (!freopen(errors_path, "w", stderr))
			_exit(99);
		execl("/proc/self/exe", "config", setting ? setting : "", frames, NULL);
		_exit(98);
	}
	waitpid(child, &status, 0);
	return status;
}

/* The second column of each row: the frame. */
static void read_frames(char frames[256])
{
	char *text = read_file(rows_path), *line;

	*frames = '\0';
	strtok(text, "\n");
	while ((line = strtok(NULL, "\n"))) {
		const char *at = strchr(line, ',');

		if (at && strlen(frames) < 240)
			sprintf(frames + strlen(frames), "%s%lu", *frames ? " " : "", strtoul(at + 1, NULL, 10));
	}
}

/* Messages of the layer, but for the summary. */
static unsigned int count_messages(const char *text)
{
	unsigned int found = 0;

	for (const char *at = text; (at = strstr(at, PREFIX)); at += strlen(PREFIX)) {
		const char *end = strchr(at, '\n'), *summary = strstr(at, " not exact");

		found += !summary || !end || summary > end;
	}
	return found;
}

static void check_case(size_t i)
{
	/* Without rows, one frame will do. */
	const int status = run(cases[i].file, cases[i].setting, cases[i].variable, *cases[i].frames ? FRAMES : "1");
	const char *errors;
	char frames[256];
	bool right;

	read_frames(frames);
	errors = read_file(errors_path);
	right = !status && !strcmp(frames, cases[i].frames) &&
		count_messages(errors) == !!cases[i].message &&
		(!cases[i].message || strstr(errors, cases[i].message));
	if (!check(right, cases[i].text))
		fprintf(stderr, "%s: status %d, frames '%s'\n%s\n", cases[i].text, status, frames, errors);
}

/* As files of Arm's scripts. The counters are those of run.py: titles are those of the database. */
static void check_columns(void)
{
	char *text;

	check(!run("{\"columns\": \"arm\", \"sample_mode\": \"workload\", \"frame_mode\": \"list\", \"frame_list\": [1]}",
		   NULL, NULL, FRAMES), "Arm's columns");
	text = read_file(rows_path);
	check(!strncmp(text, "Index,Workload type,", 20) && strstr(text, ",Label\n"), "the head of workloads");
	check(strstr(text, "\n1,buffer_transfer,") && strstr(text, ".00,") && strstr(text, ",\"outer|inner\"\n"),
	      "a row of a workload");
	check(!run("{\"columns\": \"arm\", \"sample_mode\": \"frame\", \"frame_mode\": \"list\", \"frame_list\": [5]}",
		   NULL, NULL, FRAMES), "Arm's columns of frames");
	text = read_file(rows_path);
	check(!strncmp(text, "Frame ID,", 9) && strstr(text, "\n5,"), "the rows of frames");
}

/* Each key that the template of Arm's layer has, with its values: frames that are multiples of 600. */
static void check_template(void)
{
	const char *errors;
	char frames[256];

	check(!run("{\n"
		   "    \"layer\": \"VK_LAYER_LGL_gpu_profile\",\n"
		   "    \"frame_mode\": \"periodic\",\n"
		   "    \"periodic_min_frame\": 1,\n"
		   "    \"periodic_frame\": 600,\n"
		   "    \"frame_list\": [],\n"
		   "    \"sample_mode\": \"frame\",\n"
		   "    \"frame_serialization\": true\n"
		   "}\n", NULL, NULL, TEMPLATE_FRAMES), "the template of Arm's layer");
	read_frames(frames);
	check(!strcmp(frames, "600 1200"), "the template: a row for each 600th frame");
	errors = read_file(errors_path);
	check(count_messages(errors) == 1 && strstr(errors, "frames are not serialized"),
	      "the template: a message about frame_serialization alone");
}

/* A process that reads the settings, of which one allocation fails. */
static int read_settings(int number)
{
	char setting[] = "counters=MaliCompQueueJob", text[16];
	int status = -1, errors;
	struct app app;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		snprintf(text, sizeof(text), "%d", number);
		setenv("FAKE_FAIL", text, 1);
		setenv("PANTHOR_PERF_LAYER_CONFIG", file_path, 1);
		setenv("PANTHOR_PERF_LAYER_OUTPUT", rows_path, 1);
		unsetenv("FAKE_TRUTH");
		errors = open(errors_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		if (dup2(errors, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
			_exit(99);
		start_instance(&app, setting);
		vkDestroyInstance(app.instance, NULL);
		exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

/*
 * Settings are not others when there is no memory for them: a message says so, or there is no
 * instance.
 */
static void check_memory(void)
{
	bool right = true, fails = true;
	int number;

	for (number = 1; number < MOST_ALLOCATIONS && fails; number++) {
		const int status = read_settings(number);
		const char *errors = read_file(errors_path);

		fails = strstr(errors, FAKE_FAILED);
		if (!strstr(errors, "Sanitizer") &&
		    (fails ? status || count_messages(errors) == 1 : !status && !count_messages(errors)))
			continue;
		fprintf(stderr, "allocation %d: status %d\n%s\n", number, status, errors);
		right = false;
	}
	check(right && !fails && number > 4, "no memory for settings");
}

int main(int argc, char **argv)
{
	const char *unit = getenv("PANTHOR_PERF_LAYER_UNIT");

	if (argc > 2)
		return run_frames(*argv[1] ? strdup(argv[1]) : NULL, atoi(argv[2]));
	printf("only frame\n");
	if (!unit || strcmp(unit, "frame"))
		return 0;
	make_path(rows_path, "config-rows.csv");
	make_path(errors_path, "config-errors");
	make_path(file_path, "config.json");
	for (size_t i = 0; i < COUNT(cases); i++)
		check_case(i);
	check_template();
	check_columns();
	check_memory();
	return 0;
}
