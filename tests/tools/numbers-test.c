// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Tests of the search for the interface's numbers, with the library built for a panthor_drm.h that
 * has the interface under numbers of its own, as mainline's will one day, and on drivers that know
 * either numbers, both or none.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "fakedrm.h"
#include "numbers.h"
#include "panthor_perf.h"
#include "panthor_perf_select.h"

#ifdef DRM_PANTHOR_PERF_OUT_OF_TREE
#error "this is to be built with a panthor_drm.h that has the interface"
#endif

/* The table as built with a panthor_drm.h whose structures are others. */
const struct panthor_perf_numbers *other_numbers_get(unsigned int n);

static char node[64] = "/tmp/numbers-test-XXXXXX.panthor";

static struct panthor_perf_device *open_with(unsigned int numbers)
{
	struct panthor_perf_device *device = NULL;

	fake_reset();
	fake.settings.numbers = numbers;
	panthor_perf_device_open(node, &device, NULL);
	return device;
}

static bool works(struct panthor_perf_device *device)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_selection *selection = NULL;
	const struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_session *session;
	const struct panthor_perf_gpu *gpu;
	bool ok;

	if (panthor_perf_device_gpu(device, &gpu, NULL) ||
	    panthor_perf_selection_create(gpu, NULL, DRM_PANTHOR_PERF_SET_PRIMARY, &selection,
					  NULL))
		return false;
	ok = !panthor_perf_selection_add(selection, "tiler:5", NULL);
	config.selection = selection;
	ok = ok && !panthor_perf_session_create(device, &config, &session, NULL);
	panthor_perf_selection_destroy(selection);
	if (!ok)
		return false;
	ok = !panthor_perf_session_start(session, 0, NULL) &&
	     !panthor_perf_session_mark(session, 11, 1000, &sample, NULL) &&
	     panthor_perf_sample_user_data(sample) == 11 &&
	     !panthor_perf_session_stop(session, 12, NULL) &&
	     panthor_perf_session_wait(session, 1000, NULL) == 1 &&
	     panthor_perf_session_read(session, &sample, NULL) == 1 &&
	     panthor_perf_sample_user_data(sample) == 12;
	panthor_perf_session_destroy(session);
	return ok && !fake.sessions;
}

static void test_table(void)
{
	const struct panthor_perf_numbers *mainline = panthor_perf_numbers_get(0);
	const struct panthor_perf_numbers *private = panthor_perf_numbers_get(1);

	CHECK(!strcmp(mainline->name, "mainline") && mainline->info == 0x20 &&
	      (mainline->setup & 0xff) == 0x40 + 0x30, "mainline's numbers are the header's");
	CHECK(!strcmp(private->name, "private") && private->info == 0x3ffffff0 &&
	      (private->setup & 0xff) == 0x40 + 0x50 && (private->sample & 0xff) == 0x40 + 0x54,
	      "the private numbers are there without names");
	CHECK(!panthor_perf_numbers_get(2), "there are no others");
	CHECK(!strcmp(other_numbers_get(0)->name, "mainline") && !other_numbers_get(1),
	      "no private numbers with other structures");
}

static void test_search(void)
{
	/* Opening takes PERF_INFO and GPU_INFO, each with its size first: four queries more. */
	static const struct {
		const char *title;
		unsigned int numbers;
		const char *name;
		unsigned int calls;
	} cases[] = {
		{ "a driver that knows the private numbers", FAKE_PRIVATE, "private", 2 + 4 },
		{ "a driver that knows mainline's numbers", FAKE_MAINLINE, "mainline", 1 + 4 },
		{ "a driver that knows both", FAKE_PRIVATE | FAKE_MAINLINE, "mainline", 1 + 4 },
	};
	struct panthor_perf_device *device;
	const struct panthor_perf_gpu *gpu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name;

		device = open_with(cases[i].numbers);
		name = panthor_perf_device_interface(device);
		CHECK(name && !strcmp(name, cases[i].name), "%s: %s", cases[i].title,
		      cases[i].name);
		CHECK(fake.ioctls == cases[i].calls, "%s: %u queries", cases[i].title,
		      cases[i].calls);
		CHECK(works(device), "%s: a session", cases[i].title);
		panthor_perf_device_close(device);
	}

	device = open_with(0);
	CHECK(!panthor_perf_device_interface(device), "a driver that knows none");
	CHECK(panthor_perf_device_gpu(device, &gpu, NULL) == -ENOSYS && !gpu && !works(device),
	      "a driver that knows none: no counters");
	panthor_perf_device_close(device);

	fake_reset();
	fake.settings.numbers = FAKE_PRIVATE;
	fake.settings.info_errno = EOPNOTSUPP;
	panthor_perf_device_open(node, &device, NULL);
	CHECK(panthor_perf_device_interface(device) &&
	      !strcmp(panthor_perf_device_interface(device), "private") &&
	      panthor_perf_device_gpu(device, &gpu, NULL) == -EOPNOTSUPP,
	      "a GPU without counters answers by the numbers of its driver");
	panthor_perf_device_close(device);
}

int main(void)
{
	int fd = mkstemps(node, 8);

	if (fd < 0 || close(fd))
		return 2;
	test_table();
	test_search();
	unlink(node);
	return check_failures ? 1 : 0;
}
