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
	panthor_perf_device_open(node, &device);
	return device;
}

static bool works(struct panthor_perf_device *device)
{
	static const struct drm_panthor_perf_section section = {
		.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_TILER,
		.mask = 1 << 5,
	};
	const struct panthor_perf_session_config config = {
		.sections = &section,
		.section_count = 1,
	};
	struct panthor_perf_session *session;
	struct panthor_perf_sample sample;
	bool ok;

	if (panthor_perf_session_create(device, &config, &session))
		return false;
	ok = !panthor_perf_session_start(session, 0) &&
	     !panthor_perf_session_mark(session, 11, 1000, &sample) &&
	     sample.header.user_data == 11 && !panthor_perf_session_stop(session, 12) &&
	     panthor_perf_session_wait(session, 1000) == 1 &&
	     panthor_perf_session_read(session, &sample) == 1 && sample.header.user_data == 12;
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
	static const struct {
		const char *title;
		unsigned int numbers;
		const char *name;
		unsigned int calls;
	} cases[] = {
		{ "a driver that knows the private numbers", FAKE_PRIVATE, "private", 2 },
		{ "a driver that knows mainline's numbers", FAKE_MAINLINE, "mainline", 1 },
		{ "a driver that knows both", FAKE_PRIVATE | FAKE_MAINLINE, "mainline", 1 },
	};
	struct panthor_perf_device *device;
	struct drm_panthor_perf_info info;
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
	CHECK(panthor_perf_device_info(device, &info, NULL) == -EINVAL && !works(device),
	      "a driver that knows none: no counters");
	panthor_perf_device_close(device);

	fake_reset();
	fake.settings.numbers = FAKE_PRIVATE;
	fake.settings.info_errno = EOPNOTSUPP;
	panthor_perf_device_open(node, &device);
	CHECK(panthor_perf_device_interface(device) &&
	      !strcmp(panthor_perf_device_interface(device), "private") &&
	      panthor_perf_device_info(device, &info, NULL) == -EOPNOTSUPP,
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
