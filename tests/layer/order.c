// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counters of VK_KHR_performance_query are the same in each version of the layer: their number and their UUID. RenderDoc saves
 * selections by the number, VulkanProfiler and others by the UUID. tools/vulkan-layer/counters.order has the names of each
 * table in the order of the numbers; what is not as there is an error. The UUID of a counter are two FNV-1a sums, of 64 bits each,
 * the low byte first, of "TABLE/NAME", with the offset basis and the number behind it.
 *
 * The program starts itself for a GPU of each table.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

#define EXTENSION	VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME
#define MAX_COUNTERS	2048
#define MAX_ALL		16384
#define MAX_NAME	128
#define FNV_BASIS	UINT64_C(14695981039346656037)
#define FNV_PRIME	UINT64_C(1099511628211)

/* A GPU of each table of the library, but for those whose id is longer than the 32 bits that the fake driver reports. */
static const struct {
	const char *table;
	const char *settings;
} gpus[] = {
	{ "G710", "gpu_id=0xa8670005" },
	{ "G715", "gpu_id=0xb8230000" },
	{ "G720", "gpu_id=0xc8000000" },
	{ "G725", "gpu_id=0xd8000000" },
	{ "G1", "gpu_id=0xe8000000" },
};

struct counter {
	char name[MAX_NAME];
	uint8_t uuid[VK_UUID_SIZE];
};

static struct counter all[MAX_ALL];
static size_t all_count;

/* ---- A process for each GPU ---- */

/* Prints what the device has. */
static int print_counters(void)
{
	static VkPerformanceCounterKHR counters[MAX_COUNTERS];
	static VkPerformanceCounterDescriptionKHR texts[MAX_COUNTERS];
	PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate;
	uint32_t count = MAX_COUNTERS;
	struct app app = { 0 };

	app_instance(&app);
	if (!app_has_extension(&app, EXTENSION))
		return 1;
	enumerate = (PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR)
		vkGetInstanceProcAddr(app.instance,
			"vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");
	for (uint32_t i = 0; i < MAX_COUNTERS; i++) {
		counters[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
		texts[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR;
	}
	need(enumerate(app.gpu, 0, &count, counters, texts), "the counters");
	for (uint32_t i = 0; i < count; i++) {
		for (size_t n = 0; n < VK_UUID_SIZE; n++)
			printf("%02x", counters[i].uuid[n]);
		printf(" %s\n", texts[i].name);
	}
	vkDestroyInstance(app.instance, NULL);
	return 0;
}

/* ---- The judge ---- */

static uint64_t sum_of(uint64_t sum, const char *text)
{
	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * FNV_PRIME;
	return sum;
}

static void make_uuid(uint8_t uuid[VK_UUID_SIZE], const char *table, const char *name)
{
	for (int half = 0; half < 2; half++) {
		const uint64_t sum = sum_of(sum_of(sum_of(FNV_BASIS + half, table), "/"), name);

		for (int i = 0; i < 8; i++)
			uuid[8 * half + i] = sum >> 8 * i;
	}
}

static bool read_counter(FILE *file, struct counter *counter)
{
	char line[512], *name;
	unsigned int byte;

	if (!fgets(line, sizeof(line), file))
		return false;
	line[strcspn(line, "\n")] = '\0';
	name = line + 2 * VK_UUID_SIZE;
	if (strlen(line) <= 2 * VK_UUID_SIZE || *name != ' ')
		return false;
	for (size_t i = 0; i < VK_UUID_SIZE; i++) {
		if (sscanf(line + 2 * i, "%2x", &byte) != 1)
			return false;
		counter->uuid[i] = byte;
	}
	snprintf(counter->name, sizeof(counter->name), "%.*s", MAX_NAME - 1, name + 1);
	return true;
}

/* The next name of a table in the reviewed file; "": there is none. */
static void read_expected(FILE *file, char name[MAX_NAME])
{
	char line[512];

	*name = '\0';
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!*line || *line == '#')
			continue;
		if (strncmp(line, "table ", 6))
			snprintf(name, MAX_NAME, "%.*s", MAX_NAME - 1, line);
		return;
	}
}

/* The reviewed file at the first counter of a table. */
static FILE *open_expected(const char *table)
{
	char path[4096], wanted[64], line[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/../../tools/vulkan-layer/counters.order", getenv("APP_SOURCES"));
	snprintf(wanted, sizeof(wanted), "table %s\n", table);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		if (!strcmp(line, wanted))
			return file;
	}
	if (file)
		fclose(file);
	return NULL;
}

static void judge(const char *table, FILE *found)
{
	FILE *expected = open_expected(table);
	char name[MAX_NAME], text[512], why[512] = "";
	uint8_t uuid[VK_UUID_SIZE];
	struct counter counter;
	uint32_t count = 0;

	while (!*why && read_counter(found, &counter)) {
		count++;
		read_expected(expected, name);
		make_uuid(uuid, table, counter.name);
		if (strcmp(name, counter.name))
			snprintf(why, sizeof(why), "number %u is %s instead of %s", count - 1,
				 counter.name, *name ? name : "none");
		else if (memcmp(uuid, counter.uuid, VK_UUID_SIZE))
			snprintf(why, sizeof(why), "%s has another UUID", counter.name);
		for (size_t i = 0; i < all_count && !*why; i++) {
			if (!memcmp(all[i].uuid, counter.uuid, VK_UUID_SIZE))
				snprintf(why, sizeof(why), "%s has the UUID of another one",
					 counter.name);
		}
		if (all_count < MAX_ALL)
			all[all_count++] = counter;
	}
	read_expected(expected, name);
	if (!*why && !count)
		snprintf(why, sizeof(why), "the device has no counters");
	if (!*why && *name)
		snprintf(why, sizeof(why), "there is no %s", name);
	if (*why)
		printf("not ok counters of %s - %s\n", table, why);
	snprintf(text, sizeof(text), "%s: counters have their number and UUID", table);
	check(!*why, text);
	if (expected)
		fclose(expected);
}

/* A UUID that was computed with another program, so that the sums here are not a matter of belief. */
static void check_sum(void)
{
	static const uint8_t known[VK_UUID_SIZE] = {
		0xca, 0x3f, 0x1a, 0xf9, 0xef, 0x74, 0x3a, 0x0d,
		0x35, 0xfc, 0xa4, 0xb7, 0x76, 0x02, 0xe9, 0x6a,
	};
	uint8_t uuid[VK_UUID_SIZE];

	make_uuid(uuid, "G710", "MaliGPUActiveCy");
	check(!memcmp(uuid, known, sizeof(known)), "the UUID of a counter");
}

int main(int argc, char **argv)
{
	const char *mode = getenv("PANTHOR_PERF_LAYER"), *others = getenv("FAKE_SETTINGS");
	char settings[512], command[4096];

	if (argc > 1)
		return print_counters();
	printf("only queries\n");
	if (!mode || strcmp(mode, "queries"))
		return 0;
	check_sum();
	unsetenv("FAKE_TRUTH");
	for (size_t i = 0; i < COUNT(gpus); i++) {
		FILE *pipe;

		snprintf(settings, sizeof(settings), "%s,counters=128,%s", others, gpus[i].settings);
		setenv("FAKE_SETTINGS", settings, 1);
		snprintf(command, sizeof(command), "'%s' print", argv[0]);
		pipe = popen(command, "r");
		if (!pipe)
			need(VK_ERROR_OUT_OF_HOST_MEMORY, "popen");
		judge(gpus[i].table, pipe);
		check(!pclose(pipe), "the process ends well");
	}
	return 0;
}
