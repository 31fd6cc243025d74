// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of what not every driver offers: compact samples, wake-ups, suspending. */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "fakedrm.h"
#include "panthor_perf.h"
#include "panthor_perf_counters.h"

#define TILER	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define FULL	(8 + 8 * 64)

static char node[64] = "/tmp/features-test-XXXXXX.panthor";
static struct panthor_perf_device *device;

/* Three blocks of shader cores with counters 5, 40 and 63, and one of the tiler with counter 7. */
static const struct drm_panthor_perf_section sections[] = {
	{ .block_type = SHADER, .mask = 1ull << 63 | 1ull << 5 },
	{ .block_type = TILER, .mask = 1ull << 7 },
	{ .block_type = SHADER, .mask = 1ull << 40 | 1ull << 5 },
};

static struct panthor_perf_session_config config_with(uint32_t flags)
{
	return (struct panthor_perf_session_config) {
		.sections = sections,
		.section_count = ARRAY_SIZE(sections),
		.sample_slots = 8,
		.flags = flags,
		.wakeup_samples = flags & DRM_PANTHOR_PERF_SETUP_WAKEUP ? 3 : 0,
	};
}

static struct panthor_perf_session *begin(unsigned int features, uint32_t flags)
{
	const struct panthor_perf_session_config config = config_with(flags);
	struct panthor_perf_session *session = NULL;

	fake_reset();
	fake.settings.features = features;
	panthor_perf_device_open(node, &device);
	panthor_perf_session_create(device, &config, &session);
	return session;
}

static void end(struct panthor_perf_session *session)
{
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
}

/* What the fake GPU counts in its sample NR, by its own rule; shader cores are 0, 4 and 20. */
static uint64_t counted(uint64_t nr, unsigned int type, unsigned int idx, unsigned int counter)
{
	static const unsigned int cores[] = { 0, 4, 20 };
	unsigned int number = type == SHADER ? cores[idx] : idx;

	return (nr + counter) % 3 ? 0xf0000000u + nr * 100003 + type * 7919 + number * 613 + counter
				  : 0;
}

/* The GPU's values of a sample, by the G610's table. */
static void add_up(const struct panthor_perf_table *table, const struct panthor_perf_sample *sample,
		   uint64_t *values)
{
	struct panthor_perf_block block = { 0 };

	while (panthor_perf_sample_next_block(sample, &block))
		panthor_perf_table_add_block(table, DRM_PANTHOR_PERF_SET_PRIMARY, &block, values);
}

static void test_values(void)
{
	struct panthor_perf_session *session =
		begin(DRM_PANTHOR_PERF_COMPACT_SUPPORT, DRM_PANTHOR_PERF_SETUP_COMPACT);
	const struct panthor_perf_counter *counter;
	uint64_t in_ring[512] = { 0 }, copied[512] = { 0 };
	struct panthor_perf_table *table = NULL;
	struct panthor_perf_sample sample;
	uint32_t count = 0;

	panthor_perf_table_by_name("G610", &table);
	panthor_perf_table_counters(table, PANTHOR_PERF_COUNTER_HARDWARE, &count);
	panthor_perf_session_start(session, 0);
	panthor_perf_session_sample(session, 2);
	panthor_perf_session_peek(session, 0, &sample);
	add_up(table, &sample, in_ring);
	panthor_perf_session_read(session, &sample);
	add_up(table, &sample, copied);
	counter = panthor_perf_table_counter(table, "shader:5");
	CHECK(count && count < ARRAY_SIZE(copied) && counter &&
	      in_ring[counter->number] == (counted(3, SHADER, 0, 5) + counted(3, SHADER, 1, 5) +
					   counted(3, SHADER, 2, 5)) << counter->shift &&
	      in_ring[counter->number], "sums of a compact sample");
	CHECK(!memcmp(in_ring, copied, sizeof(copied)), "in the ring and copied");
	panthor_perf_table_free(table);
	end(session);
}

static void test_compact(void)
{
	struct panthor_perf_session *session =
		begin(DRM_PANTHOR_PERF_COMPACT_SUPPORT, DRM_PANTHOR_PERF_SETUP_COMPACT);
	static const uint16_t indices[] = { 5, 40, 63 };
	struct panthor_perf_block block = { 0 };
	struct panthor_perf_sample sample;
	unsigned int blocks = 0, wrong = 0, i;
	uint64_t value;

	CHECK(session && !panthor_perf_session_start(session, 0) &&
	      !panthor_perf_session_sample(session, 2), "a compact session");
	CHECK(panthor_perf_session_peek(session, 0, &sample) == 1 &&
	      sample.size == 80 + 1 * (8 + 8) + 3 * (8 + 3 * 8), "bytes of a compact sample");
	while (panthor_perf_sample_next_block(&sample, &block)) {
		unsigned int type = block.header.type;

		wrong += type != (blocks ? SHADER : TILER) ||
			 block.header.idx != (blocks ? blocks - 1 : 0) ||
			 block.counter_count != (blocks ? 3 : 1) || !block.indices;
		for (i = 0; i < block.counter_count; i++) {
			unsigned int index = blocks ? indices[i] : 7;

			wrong += block.indices[i] != index ||
				 block.counters[i] != counted(3, type, block.header.idx, index) ||
				 !panthor_perf_block_counter(&block, index, &value) ||
				 value != block.counters[i];
		}
		wrong += panthor_perf_block_counter(&block, 6, &value) || value ||
			 panthor_perf_block_counter(&block, 4, &value) ||
			 panthor_perf_block_counter(&block, 64, &value);
		blocks++;
	}
	CHECK(blocks == 4 && !wrong, "its blocks and counters, in the ring");

	blocks = 0;
	wrong = 0;
	memset(&block, 0, sizeof(block));
	CHECK(panthor_perf_session_read(session, &sample) == 1 &&
	      sample.size == 80 + 4 * FULL && sample.header.user_data == 2 &&
	      panthor_perf_session_sample_size(session) == 80 + 4 * FULL, "read with all counters");
	while (panthor_perf_sample_next_block(&sample, &block)) {
		unsigned int type = block.header.type;

		blocks++;
		wrong += block.indices || block.counter_count != 64;
		for (i = 0; i < 64; i++) {
			bool wanted = type == TILER ? i == 7 : i == 5 || i == 40 || i == 63;

			wrong += block.counters[i] !=
				 (wanted ? counted(3, type, block.header.idx, i) : 0) ||
				 !panthor_perf_block_counter(&block, i, &value) ||
				 value != block.counters[i];
		}
	}
	CHECK(blocks == 4 && !wrong, "its blocks and counters, copied");
	for (i = 0; i < 20; i++)
		wrong += panthor_perf_session_mark(session, 100 + 2 * i, 1000, &sample) ||
			 sample.header.user_data != 100 + 2 * i ||
			 sample.header.sample_nr != 1 + i;
	CHECK(!wrong, "round the ring");
	end(session);
	CHECK(!fake.sessions && !fake.objects, "nothing is left");

	session = begin(DRM_PANTHOR_PERF_COMPACT_SUPPORT, 0);
	CHECK(panthor_perf_session_sample_size(session) == 80 + 8 * FULL, "a session that is not");
	end(session);
}

/* Samples that were saved, by a layout of the caller's own. */
static void test_saved(void)
{
	const size_t size = 80 + 1 * (8 + 8) + 3 * (8 + 3 * 8);
	struct panthor_perf_session *session =
		begin(DRM_PANTHOR_PERF_COMPACT_SUPPORT, DRM_PANTHOR_PERF_SETUP_COMPACT);
	const struct drm_panthor_perf_section foreign[] = {
		sections[0], sections[1], sections[2],
		{ .block_type = 99, .mask = 1 << 4 },
	};
	struct panthor_perf_sample sample, saved, expanded;
	struct panthor_perf_layout *layout = NULL;
	struct panthor_perf_block block = { 0 };
	struct drm_panthor_perf_info info;
	struct panthor_perf_ledger ledger;
	unsigned int blocks = 0, wrong = 0;
	uint64_t copy[32], value;

	panthor_perf_device_info(device, &info, NULL);
	panthor_perf_session_start(session, 0);
	CHECK(panthor_perf_session_read_compact(session, &sample) == 0, "nothing to be read");
	panthor_perf_session_sample(session, 2);
	panthor_perf_session_sample(session, 4);
	CHECK(panthor_perf_session_slot_size(session) == size &&
	      panthor_perf_session_read_compact(session, &sample) == 1 && sample.size == size &&
	      sample.header.user_data == 2, "read as it is");
	memcpy(copy, sample.data, size);
	CHECK(panthor_perf_session_read(session, &expanded) == 1 &&
	      expanded.header.user_data == 4 && expanded.size == 80 + 4 * FULL,
	      "the next one with all counters");
	panthor_perf_session_ledger(session, &ledger);
	CHECK(ledger.samples == 2 && !ledger.lost, "both are in the ledger");

	CHECK(!panthor_perf_layout_create(&info, foreign, ARRAY_SIZE(foreign), &layout) &&
	      panthor_perf_layout_size(layout) == size, "a layout of sections");
	CHECK(panthor_perf_sample_init_compact(&info, layout, copy, size - 8, &saved) == -EINVAL &&
	      panthor_perf_sample_init_compact(&info, layout, copy, size + 8, &saved) == -EINVAL &&
	      panthor_perf_sample_init_compact(&info, layout, (char *)copy + 4, size, &saved) ==
	      -EINVAL, "saved bytes of another size, and not aligned");
	CHECK(!panthor_perf_sample_init_compact(&info, layout, copy, size, &saved) &&
	      saved.header.user_data == 2, "saved bytes");
	for (; panthor_perf_sample_next_block(&saved, &block); blocks++) {
		unsigned int type = block.header.type, i;

		for (i = 4; i < 64; i++) {
			bool there = type == TILER ? i == 7 : i == 5 || i == 40 || i == 63;

			wrong += panthor_perf_block_counter(&block, i, &value) != there ||
				 value != (there ? counted(3, type, block.header.idx, i) : 0);
		}
	}
	CHECK(blocks == 4 && !wrong, "their blocks and counters");
	panthor_perf_layout_free(layout);
	CHECK(!panthor_perf_layout_create(&info, NULL, 0, &layout) &&
	      panthor_perf_layout_size(layout) == 80, "a layout without counters");
	panthor_perf_layout_free(layout);
	panthor_perf_layout_free(NULL);
	end(session);
}

static void test_refused(void)
{
	static const struct {
		uint32_t flag;
		const char *reason;
	} cases[] = {
		{ DRM_PANTHOR_PERF_SETUP_COMPACT, "the driver has no compact samples" },
		{ DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND,
		  "the driver keeps the GPU powered while a session is started" },
		{ DRM_PANTHOR_PERF_SETUP_WAKEUP, "the driver wakes up for each sample" },
	};
	struct drm_panthor_perf_info info;
	struct panthor_perf_session *session;
	char text[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct panthor_perf_session_config config = config_with(cases[i].flag);
		int ret;

		fake_reset();
		panthor_perf_device_open(node, &device);
		panthor_perf_device_info(device, &info, NULL);
		ret = panthor_perf_session_create(device, &config, &session);
		panthor_perf_session_reason(&info, &config, ret, text, sizeof(text));
		CHECK(ret == -EOPNOTSUPP && !strcmp(text, cases[i].reason), "refused: %s", text);
		panthor_perf_device_close(device);
	}
	session = begin(0x1e, DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND);
	CHECK(session, "a session that lets the GPU suspend");
	end(session);
}

static bool is_readable(const struct panthor_perf_session *session)
{
	struct pollfd pollfd = { .fd = panthor_perf_session_fd(session), .events = POLLIN };

	return poll(&pollfd, 1, 0) == 1;
}

static void test_wakeup(void)
{
	struct panthor_perf_session *session =
		begin(DRM_PANTHOR_PERF_WAKEUP_SUPPORT, DRM_PANTHOR_PERF_SETUP_WAKEUP);
	struct panthor_perf_sample sample;
	unsigned int i;

	CHECK(session && !panthor_perf_session_start(session, 0), "a session with wake-ups");
	panthor_perf_session_sample(session, 0);
	panthor_perf_session_sample(session, 2);
	CHECK(!is_readable(session), "two samples do not wake");
	CHECK(panthor_perf_session_wait(session, 0) == 2, "but can be read");
	CHECK(panthor_perf_session_wait_count(session, 3, 20) == 2, "a time-out ends the wait");
	panthor_perf_session_sample(session, 4);
	CHECK(is_readable(session), "the third does");
	CHECK(panthor_perf_session_wait_count(session, 3, 1000) == 3 && !is_readable(session),
	      "a wait for all of them");
	for (i = 0; i < 3; i++)
		panthor_perf_session_read(session, &sample);
	CHECK(panthor_perf_session_wait(session, 0) == 0, "one count for three is no lost GPU");
	panthor_perf_session_sample(session, 6);
	panthor_perf_session_sample(session, 8);
	panthor_perf_session_sample(session, 10);
	for (i = 0; i < 3; i++)
		panthor_perf_session_read(session, &sample);
	CHECK(is_readable(session) && panthor_perf_session_wait(session, 0) == 0,
	      "nor is a count whose samples were read already");
	panthor_perf_session_stop(session, 12);
	CHECK(is_readable(session) && panthor_perf_session_wait(session, 1000) == 1 &&
	      panthor_perf_session_read(session, &sample) == 1 && sample.header.user_data == 12,
	      "the final sample wakes");
	panthor_perf_session_start(session, 0);
	panthor_perf_session_sample(session, 14);
	fake_unplug();
	CHECK(panthor_perf_session_wait_count(session, 3, 5000) == 1, "a lost GPU ends the wait");
	CHECK(panthor_perf_session_read(session, &sample) == 1 && sample.header.user_data == 14 &&
	      panthor_perf_session_wait(session, 5000) == -ENODEV &&
	      panthor_perf_session_wait(session, -1) == -ENODEV, "then it is gone");
	end(session);
}

/* The library refuses a period by itself: a driver that compares only would not. */
static void test_no_periods(void)
{
	struct panthor_perf_session_config config = config_with(0);
	struct panthor_perf_session *session = NULL;
	struct drm_panthor_perf_info info;
	char text[160];
	int ret;

	fake_reset();
	fake.settings.min_period_ns = 0;
	panthor_perf_device_open(node, &device);
	panthor_perf_device_info(device, &info, NULL);
	config.sample_period_ns = 1000000000;
	ret = panthor_perf_session_create(device, &config, &session);
	panthor_perf_session_reason(&info, &config, ret, text, sizeof(text));
	CHECK(ret == -EOPNOTSUPP && !session && !fake.sessions && !fake.objects,
	      "a period where there are none");
	CHECK(!strcmp(text, "the driver has no periodic sessions"), "why: %s", text);
	config.sample_period_ns = 0;
	ret = panthor_perf_session_create(device, &config, &session);
	CHECK(!ret, "a manual session is created");
	end(session);
}

int main(void)
{
	int fd = mkstemps(node, 8);

	if (fd < 0 || close(fd))
		return 2;
	test_compact();
	test_values();
	test_saved();
	test_refused();
	test_no_periods();
	test_wakeup();
	unlink(node);
	return check_failures ? 1 : 0;
}
