// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of finding GPUs: all of them, by place, by the name of a node. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "fakedrm.h"
#include "panthor_perf.h"

#define NOBODY	65534

static char first[64] = "/tmp/nodes-test-XXXXXX.panthor";
static char second[64] = "/tmp/nodes-test-XXXXXX.panthor";
static char other[64] = "/tmp/nodes-test-XXXXXX.other";

/**
 * struct found - what an enumeration gave
 */
struct found {
	/** @text: A word for each GPU: path, place and error. */
	char text[1024];

	/** @stop_at: The call that ends the walk, from 1. 0: none does. */
	unsigned int stop_at;

	/** @calls: Calls. */
	unsigned int calls;
};

static int note(const struct panthor_perf_node *gpu, void *arg)
{
	struct found *found = arg;
	size_t used = strlen(found->text);

	snprintf(found->text + used, sizeof(found->text) - used, "%s,%s,%s,%d ", gpu->render,
		 gpu->primary ? gpu->primary : "-", gpu->bus, gpu->err);
	found->calls++;
	return found->calls == found->stop_at ? 42 : 0;
}

static void set_nodes(void)
{
	char nodes[256];

	snprintf(nodes, sizeof(nodes), "%s:%s:%s", first, other, second);
	setenv("FAKE_NODES", nodes, 1);
	setenv("FAKE_BUSES", "platform=/soc/gpu@fb000000 platform=/soc/npu pci=1:2:3.4", 1);
}

static void test_enumerate(void)
{
	struct found found = { "" };
	char expected[512];

	unsetenv("FAKE_NODES");
	CHECK(panthor_perf_device_enumerate(note, &found, NULL) == 0 && !found.calls,
	      "no GPU at all");
	set_nodes();
	snprintf(expected, sizeof(expected), "%s,/fake/card0,platform:/soc/gpu@fb000000,0 "
		 "%s,/fake/card2,pci:0001:02:03.4,0 ", first, second);
	CHECK(panthor_perf_device_enumerate(note, &found, NULL) == 0 &&
	      !strcmp(found.text, expected),
	      "all GPUs of the driver: %s", found.text);
	found = (struct found) { .stop_at = 1 };
	CHECK(panthor_perf_device_enumerate(note, &found, NULL) == 42 && found.calls == 1,
	      "the function ends the walk");
}

static void test_names(void)
{
	struct {
		const char *name;
		const char *node;
		int err;
	} cases[] = {
		{ NULL, first, 0 },
		{ first, first, 0 },
		{ second, second, 0 },
		{ strrchr(second, '/') + 1, second, 0 },
		{ "card0", first, 0 },
		{ "card2", second, 0 },
		{ "/fake/card2", second, 0 },
		{ "platform:/soc/gpu@fb000000", first, 0 },
		{ "/soc/gpu@fb000000", first, 0 },
		{ "gpu@fb000000", first, 0 },
		{ "pci:0001:02:03.4", second, 0 },
		{ "0001:02:03.4", second, 0 },
		{ other, NULL, -EOPNOTSUPP },
		{ "card1", NULL, -EOPNOTSUPP },
		{ "npu", NULL, -EOPNOTSUPP },
		{ "", NULL, -ENOENT },
		{ "card3", NULL, -ENOENT },
		{ "gpu@fb", NULL, -ENOENT },
		{ "0001:02:03", NULL, -ENOENT },
		{ "pci:gpu@fb000000", NULL, -ENOENT },
		{ "03.4", NULL, -ENOENT },
		{ "/dev/null", NULL, -ENOTTY },
	};
	size_t i;

	set_nodes();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_device *device = NULL;
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		int ret = panthor_perf_device_open(cases[i].name, &device, &error);
		bool said = error.code == ret && !*error.text == !ret;

		if (!ret && strcmp(panthor_perf_device_path(device), cases[i].node))
			ret = 1;
		if (cases[i].name)
			CHECK(ret == cases[i].err && said, "open '%s'", cases[i].name);
		else
			CHECK(ret == cases[i].err && said, "open the first one");
		panthor_perf_device_close(device);
	}
}

/* The privileges of root would open anything. */
static void test_denied(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_device *device = NULL;
	struct found found = { "" };
	char expected[256];

	set_nodes();
	chmod(first, 0);
	if (!geteuid() && seteuid(NOBODY))
		return;
	CHECK(panthor_perf_device_open("card0", &device, &error) == -EACCES &&
	      error.code == -EACCES && strstr(error.text, first), "a GPU of others: it is named");
	setenv("FAKE_NODES", first, 1);
	CHECK(panthor_perf_device_open(NULL, &device, NULL) == -EACCES,
	      "it is told instead of no GPU");
	snprintf(expected, sizeof(expected), "%s,/fake/card0,platform:/soc/gpu@fb000000,%d ", first,
		 -EACCES);
	CHECK(panthor_perf_device_enumerate(note, &found, NULL) == 0 &&
	      !strcmp(found.text, expected),
	      "it is listed as one that cannot be opened");
	if (!getuid() && seteuid(0))
		CHECK(false, "being root again");
	chmod(first, 0600);
}

int main(void)
{
	char *const files[] = { first, second, other };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		int fd = mkstemps(files[i], i == 2 ? 6 : 8);

		if (fd < 0 || close(fd))
			return 2;
	}
	test_enumerate();
	test_names();
	test_denied();
	for (i = 0; i < ARRAY_SIZE(files); i++)
		unlink(files[i]);
	return check_failures ? 1 : 0;
}
