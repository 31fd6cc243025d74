// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/eventfd.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/prandom.h>
#include <linux/sched/signal.h>
#include <linux/syscalls.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_fixture.h"
#include "panthor_perf_session.h"

#define FW		DRM_PANTHOR_PERF_BLOCK_TYPE_FW
#define CSHW		DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW
#define TILER		DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define MEMSYS		DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define SHADER		DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define NEURAL		DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL
#define CSG		DRM_PANTHOR_PERF_BLOCK_TYPE_CSG
#define TYPES		DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT

#define ERROR		DRM_PANTHOR_PERF_SAMPLE_ERROR

#define BAD_EXTRACT	DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT
#define FW_OVERFLOW	DRM_PANTHOR_PERF_EVENT_FW_OVERFLOW
#define FW_TIMEOUT	DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT
#define RESET		DRM_PANTHOR_PERF_EVENT_RESET
#define SUSPEND		DRM_PANTHOR_PERF_EVENT_SUSPEND

/* What the uAPI says of a sample of the RK3588: 11 blocks of 64 counters. */
#define HEADER_SIZE	80
#define SAMPLE_BLOCK_SIZE	520
#define SAMPLE_SIZE	5800
#define BLOCKS		11
#define COUNTERS	64

#define ALL_COUNTERS	0xfffffffffffffff0ull

/* Who has a session, with memory of its own. */
struct profiler {
	struct panthor_perf_session *session;
	struct panthor_perf_start_wait wait;
	struct drm_panthor_perf_ring_control *control;
	void *ring;
	u32 slots;
	u64 next;
	u64 *sums;
	u64 *zero;
	u64 masks[TYPES];
	struct file *eventfd;
	u32 released;
};

static void count_release(struct panthor_perf_session *session)
{
	struct profiler *p = session->release_data;

	p->released++;
}

#if IS_BUILTIN(CONFIG_DRM_PANTHOR) && !defined(CONFIG_ARCH_HAS_SYSCALL_WRAPPER)
/* The kernel makes eventfds for system calls only; where these are plain functions, one will do. */
static struct file *eventfd_create(struct kunit *test)
{
	int fd = sys_eventfd2(0, EFD_NONBLOCK);
	struct file *file;

	KUNIT_ASSERT_GE(test, fd, 0);
	file = fget(fd);
	close_fd(fd);
	KUNIT_ASSERT_NOT_NULL(test, file);
	return file;
}
#else
static struct file *eventfd_create(struct kunit *test)
{
	kunit_skip(test, "no way to create an eventfd in this kernel");
	return NULL;
}
#endif

/* What was signalled since the last call. */
static u64 signals(struct profiler *p)
{
	loff_t pos = 0;
	u64 count;

	if (kernel_read(p->eventfd, &count, sizeof(count), &pos) != sizeof(count))
		return 0;

	return count;
}

static struct profiler *profiler_create(struct kunit *test, const u64 *masks, u32 slots,
					bool eventfd, u32 set)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_session_config config = { .set = set };
	struct profiler *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);
	const size_t values = BLOCKS * COUNTERS;

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->slots = slots;
	/* As large as it must be and no larger: KASAN sees what goes beyond. */
	p->ring = kunit_kmalloc(test, slots * SAMPLE_SIZE, GFP_KERNEL);
	p->control = kunit_kmalloc(test, sizeof(*p->control), GFP_KERNEL);
	p->sums = kunit_kcalloc(test, values, sizeof(u64), GFP_KERNEL);
	p->zero = kunit_kcalloc(test, values, sizeof(u64), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, p->ring);
	KUNIT_ASSERT_NOT_NULL(test, p->control);
	KUNIT_ASSERT_NOT_NULL(test, p->sums);
	KUNIT_ASSERT_NOT_NULL(test, p->zero);
	memset(p->ring, 0xff, slots * SAMPLE_SIZE);

	for (u32 type = 0; type < TYPES; type++) {
		p->masks[type] = masks ? masks[type] : 0;
		config.masks[type][0] = p->masks[type];
	}
	if (eventfd) {
		p->eventfd = eventfd_create(test);
		config.eventfd = eventfd_ctx_fileget(p->eventfd);
		KUNIT_ASSERT_NOT_ERR_OR_NULL(test, config.eventfd);
	}

	p->session = panthor_perf_session_create(&f->sampler, &config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, p->session);
	p->session->release = count_release;
	p->session->release_data = p;
	panthor_perf_ring_init(&p->session->ring, p->ring, p->control, slots,
			       SAMPLE_SIZE);
	return p;
}

static const u64 all_masks[TYPES] = {
	[FW] = ALL_COUNTERS,
	[CSHW] = ALL_COUNTERS,
	[TILER] = ALL_COUNTERS,
	[MEMSYS] = ALL_COUNTERS,
	[SHADER] = ALL_COUNTERS,
};

static struct profiler *profiler_of_all(struct kunit *test)
{
	return profiler_create(test, all_masks, 8, false, 0);
}

static void kill_profiler(struct kunit *test, struct profiler *p, bool notify)
{
	struct panthor_perf_fixture *f = test->priv;

	mutex_lock(&f->sampler.lock);
	panthor_perf_session_kill_locked(p->session, notify);
	mutex_unlock(&f->sampler.lock);
}

/* TEARDOWN, and what must be true of it. */
static void profiler_destroy(struct kunit *test, struct profiler *p)
{
	kill_profiler(test, p, false);
	KUNIT_EXPECT_EQ(test, p->released, 0);
	panthor_perf_session_put(p->session);
	KUNIT_EXPECT_EQ(test, p->released, 1);
	if (p->eventfd)
		fput(p->eventfd);
}

/* The first part of START. */
static int begin(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fw *fw = &f->sampler.fw;
	int ret;

	KUNIT_ASSERT_EQ(test, fw->ops->power_get(fw), 0);
	ret = panthor_perf_fw_alloc_ring(fw);
	if (!ret)
		ret = panthor_perf_session_start(p->session, &p->wait);
	if (ret)
		fw->ops->power_put(fw);

	return ret;
}

static void remember_zero(struct panthor_perf_fixture *f, struct profiler *p)
{
	memset(p->sums, 0, BLOCKS * COUNTERS * sizeof(u64));
	for (u32 i = 0; i < f->fake.block_count; i++) {
		const struct panthor_perf_fake_block *block = &f->fake.blocks[i];
		u32 at = panthor_perf_fixture_position(f, block->type, block->rank) * COUNTERS;

		memcpy(p->zero + at, block->reported, COUNTERS * sizeof(u64));
	}
}

/* START with a firmware that answers. */
static void start(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	KUNIT_ASSERT_EQ(test, begin(test, p), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start_wait(p->session, &p->wait), 0);
	remember_zero(f, p);
}

static void sample(struct kunit *test, struct profiler *p, u64 user_data)
{
	KUNIT_ASSERT_EQ(test, panthor_perf_session_sample(p->session, user_data), 0);
	panthor_perf_fixture_run(test->priv);
}

static void stop(struct kunit *test, struct profiler *p, u64 user_data)
{
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(p->session, user_data), 0);
	panthor_perf_fixture_run(test->priv);
}

static const struct drm_panthor_perf_sample_header *header_at(struct profiler *p, u64 index)
{
	return p->ring + (index % p->slots) * SAMPLE_SIZE;
}

static u64 value_at(struct panthor_perf_fixture *f, struct profiler *p, u64 index, u8 type,
		    u32 rank, u32 counter)
{
	u32 position = panthor_perf_fixture_position(f, type, rank);
	const void *sample = p->ring + (index % p->slots) * SAMPLE_SIZE;
	const u64 *values = sample + HEADER_SIZE + position * SAMPLE_BLOCK_SIZE + 8;

	return values[counter];
}

/* Consume all that was published, add it up, and return how many samples that was. */
static u32 drain(struct panthor_perf_fixture *f, struct profiler *p)
{
	u32 samples = 0;

	for (; p->next != p->control->insert_idx; p->next++, samples++) {
		const void *sample = p->ring + (p->next % p->slots) * SAMPLE_SIZE;

		for (u32 i = 0; i < BLOCKS; i++) {
			const u64 *values = sample + HEADER_SIZE + i * SAMPLE_BLOCK_SIZE + 8;

			for (u32 k = 0; k < COUNTERS; k++)
				p->sums[i * COUNTERS + k] += values[k];
		}
	}

	p->control->extract_idx = p->next;
	return samples;
}

/* What the samples since START add up to is what the firmware told since START. */
static void expect_conserved(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;
	u32 wrong = 0;

	for (u32 i = 0; i < f->fake.block_count; i++) {
		const struct panthor_perf_fake_block *block = &f->fake.blocks[i];
		u32 at = panthor_perf_fixture_position(f, block->type, block->rank) * COUNTERS;

		for (u32 k = 0; k < COUNTERS; k++) {
			bool wanted = k >= 4 && p->masks[block->type] >> k & 1;
			u64 expected = wanted ? block->reported[k] - p->zero[at + k] : 0;

			if (p->sums[at + k] == expected)
				continue;
			if (!wrong++)
				KUNIT_EXPECT_EQ_MSG(test, p->sums[at + k], expected,
						    "type %u rank %u counter %u", block->type,
						    block->rank, k);
		}
	}

	KUNIT_EXPECT_EQ_MSG(test, wrong, 0, "counters that differ");
}

static void expect_power_at(struct kunit *test, int references, int line)
{
	struct panthor_perf_fixture *f = test->priv;

	KUNIT_EXPECT_EQ_MSG(test, f->fake.power, references, "in line %d", line);
}

#define expect_power(test, references) expect_power_at(test, references, __LINE__)

/*
 * Samples
 */

static void knows_the_sample_size(struct kunit *test)
{
	static const struct panthor_perf_fake_shape large = {
		.arch = 12, .block_words = 128, .fw_block = true, .csg_blocks = true,
		.groups = 31, .l2_slices = 16, .shader_present = U64_MAX,
	};
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_fixture *g = panthor_perf_fixture_create(test, &large);

	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample_size(f->layout), SAMPLE_SIZE);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample_size(g->layout), 117728);
	panthor_perf_fixture_destroy(g);
}

static void start_takes_the_zero(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *other = profiler_of_all(test);

	start(test, other);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	panthor_perf_fake_fw_auto_sample(&f->fake);
	panthor_perf_fake_fw_count_all(&f->fake, 2);

	/* What was counted before, read or not, is none of its. */
	start(test, u);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	KUNIT_EXPECT_EQ(test, u->control->extract_idx, 0);
	panthor_perf_fake_fw_count(&f->fake, SHADER, 1, 20, 17);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 0, SHADER, 1, 20), 17);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 0, SHADER, 1, 21), 0);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 0, CSHW, 0, 4), 0);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

static void samples_tell_their_story(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	u64 end = 0;

	start(test, u);
	for (u64 i = 0; i < 20; i++) {
		const struct drm_panthor_perf_sample_header *header = header_at(u, i);
		const u64 before = ktime_get_raw_ns();

		panthor_perf_fake_fw_count(&f->fake, FW, 0, 4, i + 1);
		msleep(20);
		if (i < 19)
			sample(test, u, 1000 + i);
		else
			stop(test, u, 0xfeedfacecafebeef);

		KUNIT_EXPECT_EQ(test, u->control->insert_idx, i + 1);
		KUNIT_EXPECT_EQ(test, header->sample_nr, i);
		KUNIT_EXPECT_EQ(test, header->user_data,
				i < 19 ? 1000 + i : 0xfeedfacecafebeef);
		KUNIT_EXPECT_EQ(test, header->flags, 0);
		KUNIT_EXPECT_EQ(test, header->events, 0);
		KUNIT_EXPECT_EQ(test, header->merged, 0);
		KUNIT_EXPECT_EQ(test, header->block_set, 0);
		KUNIT_EXPECT_EQ(test, header->pad[0] | header->pad[1] | header->pad[2], 0);
		KUNIT_EXPECT_EQ(test, header->toplevel_clock_cycles, 0);
		KUNIT_EXPECT_EQ(test, header->coregroup_clock_cycles, 0);
		KUNIT_EXPECT_EQ(test, header->shader_clock_cycles, 0);
		KUNIT_EXPECT_EQ(test, header->gpu_timestamp, f->fake.timestamp);
		KUNIT_EXPECT_GE(test, header->timestamp_end_ns, before);
		KUNIT_EXPECT_LE(test, header->timestamp_end_ns, ktime_get_raw_ns());
		KUNIT_EXPECT_GT(test, header->timestamp_start_ns, 0);
		KUNIT_EXPECT_LE(test, header->timestamp_start_ns, before);
		if (i)
			KUNIT_EXPECT_EQ(test, header->timestamp_start_ns, end);
		end = header->timestamp_end_ns;

		KUNIT_EXPECT_EQ(test, value_at(f, u, i, FW, 0, 4), i + 1);
		u->control->extract_idx = i + 1;
	}

	profiler_destroy(test, u);
}

static void blocks_tell_what_they_are(struct kunit *test)
{
	static const struct {
		u8 type, idx;
	} expected[BLOCKS] = {
		{ FW, 0 }, { CSHW, 0 }, { TILER, 0 }, { MEMSYS, 0 }, { MEMSYS, 1 }, { MEMSYS, 2 },
		{ MEMSYS, 3 }, { SHADER, 0 }, { SHADER, 1 }, { SHADER, 2 }, { SHADER, 3 },
	};
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	stop(test, u, 0);
	for (u32 i = 0; i < BLOCKS; i++) {
		const struct drm_panthor_perf_block_header *block =
			u->ring + HEADER_SIZE + i * SAMPLE_BLOCK_SIZE;

		KUNIT_EXPECT_EQ(test, block->type, expected[i].type);
		KUNIT_EXPECT_EQ(test, block->idx, expected[i].idx);
		KUNIT_EXPECT_EQ(test, block->generation, 0);
		KUNIT_EXPECT_EQ(test, block->states, 0);
		if (block->type == CSHW)
			KUNIT_EXPECT_EQ(test, block->clock, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL);
		if (block->type == MEMSYS)
			KUNIT_EXPECT_EQ(test, block->clock, DRM_PANTHOR_PERF_CLOCK_COREGROUP);
		if (block->type == SHADER)
			KUNIT_EXPECT_EQ(test, block->clock, DRM_PANTHOR_PERF_CLOCK_SHADER);
	}

	profiler_destroy(test, u);
}

struct mask_case {
	const char *name;
	u64 masks[TYPES];
};

static const struct mask_case mask_cases[] = {
	{ "nothing", { 0 } },
	{ "one counter", { [SHADER] = BIT_ULL(4) } },
	{ "the last counter", { [CSHW] = BIT_ULL(63) } },
	{ "both halves of a mask", { [MEMSYS] = BIT_ULL(31) | BIT_ULL(32) } },
	{ "some of each", {
		[FW] = 0xf0, [CSHW] = 0xff00, [TILER] = 0xf0f0f0, [SHADER] = BIT_ULL(50),
	} },
	{ "every other", { [FW] = 0x5555555555555550, [SHADER] = 0xaaaaaaaaaaaaaaa0 } },
	{ "everything", {
		[FW] = ALL_COUNTERS, [CSHW] = ALL_COUNTERS, [TILER] = ALL_COUNTERS,
		[MEMSYS] = ALL_COUNTERS, [SHADER] = ALL_COUNTERS,
	} },
};

KUNIT_ARRAY_PARAM_DESC(mask, mask_cases, name);

static void masks_are_a_filter(struct kunit *test)
{
	const struct mask_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, c->masks, 4, false, 0);

	panthor_perf_fake_fw_count_all(&f->fake, 1);
	start(test, u);
	for (u32 i = 0; i < 10; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i + 2);
		if (i % 3 == 1)
			panthor_perf_fake_fw_auto_sample(&f->fake);
		if (i < 9)
			sample(test, u, 0);
		else
			stop(test, u, 0);
		KUNIT_EXPECT_EQ(test, drain(f, u), 1);
	}

	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* Counters beyond 63 are in the mask's second word. */
static void masks_have_two_words(struct kunit *test)
{
	static const struct panthor_perf_fake_shape shape = {
		.arch = 11, .block_words = 128, .l2_slices = 1, .groups = 8, .shader_present = 0x1,
	};
	struct panthor_perf_session_config config = {
		.masks[SHADER] = { BIT_ULL(5), BIT_ULL(63) },
	};
	struct panthor_perf_fixture *outer = test->priv;
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, &shape);
	struct panthor_perf_start_wait wait;
	struct panthor_perf_session *session;
	struct drm_panthor_perf_ring_control control;
	/* Four blocks of 128 counters: the last is the shader core's. */
	const u32 size = 80 + 4 * (8 + 1024);
	u64 *ring = kunit_kmalloc(test, 2 * size, GFP_KERNEL);
	const u64 *values = (void *)ring + 80 + 3 * (8 + 1024) + 8;

	KUNIT_ASSERT_NOT_NULL(test, ring);
	session = panthor_perf_session_create(&f->sampler, &config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, session);
	panthor_perf_ring_init(&session->ring, ring, &control, 2, size);
	KUNIT_ASSERT_EQ(test, f->sampler.fw.ops->power_get(&f->sampler.fw), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_fw_alloc_ring(&f->sampler.fw), 0);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start(session, &wait), 0);
	panthor_perf_fixture_run(f);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_start_wait(session, &wait), 0);

	for (u32 k = 4; k < 128; k++)
		panthor_perf_fake_fw_count(&f->fake, SHADER, 0, k, 100 + k);
	KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(session, 0), 0);
	panthor_perf_fixture_run(f);
	for (u32 k = 0; k < 128; k++)
		KUNIT_EXPECT_EQ_MSG(test, values[k], k == 5 ? 105 : k == 127 ? 227 : 0,
				    "counter %u", k);

	mutex_lock(&f->sampler.lock);
	panthor_perf_session_kill_locked(session, false);
	mutex_unlock(&f->sampler.lock);
	panthor_perf_session_put(session);
	panthor_perf_fixture_destroy(f);
	KUNIT_EXPECT_EQ(test, outer->fake.doorbells, 0);
}

struct section_case {
	const char *name;
	struct drm_panthor_perf_section section;
	int ret;
	u64 words[2];
};

static const struct section_case section_cases[] = {
	{ "all", { .block_type = SHADER, .mask = ALL_COUNTERS }, 0, { ALL_COUNTERS, 0 } },
	{ "none", { .block_type = SHADER }, 0, { 0, 0 } },
	{ "second half", { .block_type = SHADER, .first_counter = 64, .mask = 1 }, 0, { 0, 1 } },
	{
		"second half, all", {
			.block_type = SHADER, .first_counter = 64, .mask = U64_MAX,
		}, 0, { 0, U64_MAX },
	},
	{ "type 0", { .block_type = 0, .mask = 0x10 }, -EINVAL },
	{ "type that is not there", { .block_type = NEURAL, .mask = 0x10 }, -EINVAL },
	{ "another that is not there", { .block_type = CSG, .mask = 0x10 }, -EINVAL },
	{ "type after the last", { .block_type = TYPES, .mask = 0x10 }, -EINVAL },
	{ "type 255", { .block_type = 255, .mask = 0x10 }, -EINVAL },
	{ "counter 0", { .block_type = SHADER, .mask = 0x11 }, -EINVAL },
	{ "counter 3", { .block_type = SHADER, .mask = 0x18 }, -EINVAL },
	{ "odd first counter", { .block_type = SHADER, .first_counter = 63 }, -EINVAL },
	{ "first counter 32", { .block_type = SHADER, .first_counter = 32 }, -EINVAL },
	{ "first counter 128", { .block_type = SHADER, .first_counter = 128 }, -EINVAL },
	{ "first counter 65472", { .block_type = SHADER, .first_counter = 65472 }, -EINVAL },
	{ "pad", { .block_type = SHADER, .pad = 1 }, -EINVAL },
	{ "second pad", { .block_type = SHADER, .pad2 = 1 }, -EINVAL },
};

KUNIT_ARRAY_PARAM_DESC(section, section_cases, name);

static void checks_sections(struct kunit *test)
{
	static const struct panthor_perf_layout_params params = {
		.gpu_id = 11u << 28, .gpu_prfcnt_features = 2, .prfcnt_size = 8,
		.shader_present = 1,
	};
	const struct section_case *c = test->param_value;
	struct panthor_perf_session_config *config =
		kunit_kzalloc(test, sizeof(*config), GFP_KERNEL);
	struct panthor_perf_layout *layout = panthor_perf_layout_create(&params);

	KUNIT_ASSERT_NOT_NULL(test, config);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, layout);
	/* What is there already stays. */
	config->masks[TILER][0] = 0x30;
	config->masks[SHADER][1] = 0x100;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_config_add(config, layout, &c->section), c->ret);
	KUNIT_EXPECT_EQ(test, config->masks[TILER][0], 0x30);
	KUNIT_EXPECT_EQ(test, config->masks[SHADER][0], c->words[0]);
	KUNIT_EXPECT_EQ(test, config->masks[SHADER][1], c->words[1] | 0x100);
	KUNIT_EXPECT_EQ(test, config->masks[CSG][0] | config->masks[NEURAL][0], 0);
	kfree(layout);
}

/* 64 counters have no second half. */
static void checks_sections_of_64_counters(struct kunit *test)
{
	struct drm_panthor_perf_section section = { .block_type = SHADER, .first_counter = 64 };
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_session_config config = {};

	KUNIT_EXPECT_EQ(test, panthor_perf_session_config_add(&config, f->layout, &section),
			-EINVAL);
	section.first_counter = 0;
	section.mask = 0x30;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_config_add(&config, f->layout, &section), 0);
	section.mask = 0xc0;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_config_add(&config, f->layout, &section), 0);
	KUNIT_EXPECT_EQ(test, config.masks[SHADER][0], 0xf0);
}

/*
 * What may be called when
 */

static int do_start(struct kunit *test, struct profiler *p)
{
	int ret = begin(test, p);

	if (ret)
		return ret;

	panthor_perf_fixture_run(test->priv);
	return panthor_perf_session_start_wait(p->session, &p->wait);
}

static void expect_calls_at(struct kunit *test, struct profiler *p, int start_ret,
			    int sample_ret, int stop_ret, int line)
{
	KUNIT_EXPECT_EQ_MSG(test, panthor_perf_session_sample(p->session, 1), sample_ret,
			    "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, panthor_perf_session_stop(p->session, 2), stop_ret,
			    "in line %d", line);
	KUNIT_EXPECT_EQ_MSG(test, begin(test, p), start_ret, "in line %d", line);
}

#define expect_calls(test, p, start_ret, sample_ret, stop_ret) \
	expect_calls_at(test, p, start_ret, sample_ret, stop_ret, __LINE__)

static void stopped_session(struct kunit *test)
{
	struct profiler *u = profiler_of_all(test);

	for (u32 i = 0; i < 3; i++) {
		KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 0), -EINVAL);
		KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 0), -EINVAL);
		KUNIT_EXPECT_EQ(test, do_start(test, u), 0);
		stop(test, u, 0);
		KUNIT_EXPECT_EQ(test, u->control->insert_idx, i + 1);
		expect_power(test, 0);
	}

	profiler_destroy(test, u);
}

static void starting_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct panthor_perf_start_wait other;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_PERFCNT_EN;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start(u->session, &other), -EINVAL);

	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), 0);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	profiler_destroy(test, u);
}

static void started_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	KUNIT_EXPECT_EQ(test, begin(test, u), -EINVAL);
	expect_power(test, 2);

	/* One sample is pending at a time. */
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 10), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 11), -EBUSY);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 12), -EBUSY);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 10);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 13), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->user_data, 13);
	profiler_destroy(test, u);
}

static void stopping_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 77), 0);
	expect_calls(test, u, -EBUSY, -EINVAL, -EINVAL);
	panthor_perf_fixture_run(f);
	expect_calls(test, u, -EBUSY, -EINVAL, -EINVAL);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);

	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 77);
	KUNIT_EXPECT_EQ(test, do_start(test, u), 0);
	profiler_destroy(test, u);
}

static void torn_down_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	kill_profiler(test, u, false);
	expect_calls(test, u, -ENOENT, -ENOENT, -ENOENT);
	panthor_perf_fixture_run(f);
	expect_power(test, 0);
	profiler_destroy(test, u);
}

static void unplugged_session(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	panthor_perf_fixture_unplug(f);
	kill_profiler(test, u, true);
	expect_power(test, 0);
	expect_calls(test, u, -ENODEV, -ENODEV, -ENODEV);
	profiler_destroy(test, u);
}

/* Between the end of the sampler and that of its sessions. */
static void session_being_unplugged(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_of_all(test);

	start(test, u);
	panthor_perf_fixture_unplug(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 1), -ENODEV);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 1), -ENODEV);
	KUNIT_EXPECT_EQ(test, begin(test, v), -ENODEV);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	kill_profiler(test, u, true);
	kill_profiler(test, v, true);
	expect_power(test, 0);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

static void make_firmware_dead(struct kunit *test, struct profiler *p)
{
	struct panthor_perf_fixture *f = test->priv;

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, panthor_perf_session_sample(p->session, 5), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, p->control->insert_idx, 0);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 1);
	f->fake.hold = 0;
}

static void session_on_dead_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_of_all(test);

	start(test, u);
	make_firmware_dead(test, u);

	/* The sample that was promised is there, and says what it is worth. */
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 5);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, FW_TIMEOUT);

	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 6), -EIO);
	KUNIT_EXPECT_EQ(test, begin(test, v), -EIO);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);

	/* The final sample needs no firmware. */
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 7), 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->user_data, 7);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->sample_nr, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, ERROR);
	panthor_perf_fixture_run(f);
	expect_power(test, 0);

	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	drain(f, u);
	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->events, 0);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

static void sessions_use_one_set(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_create(test, all_masks, 2, false, 1);

	start(test, u);
	KUNIT_EXPECT_EQ(test, begin(test, v), -EBUSY);
	expect_power(test, 2);
	stop(test, u, 0);
	start(test, v);
	stop(test, v, 0);
	KUNIT_EXPECT_EQ(test, header_at(v, 0)->block_set, 1);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 2);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

/* START needs one free slot, SAMPLE two: the last one is the final sample's. */
static void keeps_a_slot_for_the_final_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 4, false, 0);

	start(test, u);
	for (u32 i = 0; i < 3; i++)
		sample(test, u, i);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 9), -EBUSY);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 3);
	stop(test, u, 3);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 4);
	for (u32 i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, header_at(u, i)->user_data, i);

	KUNIT_EXPECT_EQ(test, begin(test, u), -EBUSY);
	expect_power(test, 0);
	u->control->extract_idx = 1;
	start(test, u);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 9), -EBUSY);
	u->control->extract_idx = 2;
	sample(test, u, 10);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 9), -EBUSY);
	stop(test, u, 11);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 6);
	KUNIT_EXPECT_EQ(test, header_at(u, 4)->user_data, 10);
	KUNIT_EXPECT_EQ(test, header_at(u, 4)->sample_nr, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 5)->user_data, 11);
	KUNIT_EXPECT_EQ(test, header_at(u, 5)->sample_nr, 1);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 0);
	profiler_destroy(test, u);
}

static void stop_with_a_sample_pending(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 2, false, 0);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 100), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 200), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 100);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->sample_nr, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->user_data, 200);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->sample_nr, 1);
	drain(f, u);
	expect_conserved(test, u);
	expect_power(test, 0);
	profiler_destroy(test, u);
}

/* The same with both asked for before the worker has looked: still two samples, in order. */
static void stop_right_after_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 2, false, 0);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 100), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 200), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->user_data, 100);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->user_data, 200);
	drain(f, u);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/* sample_nr starts anew, indices never do, and nothing of an earlier run shows up. */
static void starts_again(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 4, false, 0);

	for (u32 i = 0; i < 5; i++) {
		start(test, u);
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, u, 1);
		KUNIT_EXPECT_EQ(test, header_at(u, 3 * i)->sample_nr, 0);
		sample(test, u, 2);
		KUNIT_EXPECT_EQ(test, header_at(u, 3 * i + 1)->sample_nr, 1);
		stop(test, u, 3);
		KUNIT_EXPECT_EQ(test, header_at(u, 3 * i + 2)->sample_nr, 2);
		KUNIT_EXPECT_EQ(test, u->control->insert_idx, 3 * i + 3);
		KUNIT_EXPECT_EQ(test, drain(f, u), 3);
		expect_conserved(test, u);
	}

	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 5);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 5);
	profiler_destroy(test, u);
}

/*
 * START and a firmware in trouble
 */

static void start_on_a_silent_firmware(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_PERFCNT_EN;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 1);
	panthor_perf_fixture_run(f);
	expect_power(test, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);

	KUNIT_EXPECT_EQ(test, begin(test, u), -EIO);
	expect_power(test, 0);
	f->fake.hold = 0;
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, false);
	start(test, u);
	profiler_destroy(test, u);
}

static void start_without_answer_to_the_sample(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -ETIMEDOUT);
	KUNIT_EXPECT_EQ(test, f->fake.resets, 1);
	panthor_perf_fixture_run(f);
	expect_power(test, 0);
	f->fake.enabled = false;
	profiler_destroy(test, u);
}

/* Nobody answers at all, since the GPU is suspended: START gives up on its own. */
static void start_gives_up(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	unsigned long before;

	panthor_perf_fixture_suspend(f);
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	before = jiffies;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -ETIMEDOUT);
	KUNIT_EXPECT_LE(test, jiffies_to_msecs(jiffies - before), 10000);
	expect_power(test, 0);

	panthor_perf_fixture_resume(f, true);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 0), -EINVAL);
	start(test, u);
	profiler_destroy(test, u);
}

static void start_is_killed(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	panthor_perf_fixture_run(f);
	allow_signal(SIGKILL);
	send_sig(SIGKILL, current, 1);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), -EINTR);
	flush_signals(current);
	disallow_signal(SIGKILL);

	panthor_perf_fixture_let_go(f);
	expect_power(test, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_stop(u->session, 0), -EINVAL);
	start(test, u);
	profiler_destroy(test, u);
}

/* The answer came before the signal was looked at: that is what counts. */
static void start_is_killed_too_late(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	KUNIT_ASSERT_EQ(test, begin(test, u), 0);
	panthor_perf_fixture_run(f);
	/* As if the wait had been broken off: it does not see that the start is complete. */
	try_wait_for_completion(&u->wait.done);
	allow_signal(SIGKILL);
	send_sig(SIGKILL, current, 1);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait), 0);
	flush_signals(current);
	disallow_signal(SIGKILL);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	profiler_destroy(test, u);
}

static void start_without_power(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	f->fake.alloc_error = -ENOMEM;
	KUNIT_EXPECT_EQ(test, begin(test, u), -ENOMEM);
	expect_power(test, 0);
	KUNIT_EXPECT_PTR_EQ(test, f->sampler.fw.ring, NULL);
	f->fake.alloc_error = 0;
	start(test, u);
	profiler_destroy(test, u);
}

/*
 * Kill
 */

enum kill_state {
	KILL_STOPPED,
	KILL_QUEUED,
	KILL_STARTING,
	KILL_STARTED,
	KILL_SAMPLING,
	KILL_STOPPING,
	KILL_BOTH,
};

struct kill_case {
	const char *name;
	enum kill_state state;
	bool unplug;
};

static const struct kill_case kill_cases[] = {
	{ "stopped", KILL_STOPPED, false },
	{ "start queued", KILL_QUEUED, false },
	{ "starting", KILL_STARTING, false },
	{ "started", KILL_STARTED, false },
	{ "sample pending", KILL_SAMPLING, false },
	{ "stopping", KILL_STOPPING, false },
	{ "stopping, sample pending", KILL_BOTH, false },
	{ "stopped, unplug", KILL_STOPPED, true },
	{ "start queued, unplug", KILL_QUEUED, true },
	{ "starting, unplug", KILL_STARTING, true },
	{ "started, unplug", KILL_STARTED, true },
	{ "sample pending, unplug", KILL_SAMPLING, true },
	{ "stopping, unplug", KILL_STOPPING, true },
	{ "stopping, sample pending, unplug", KILL_BOTH, true },
};

KUNIT_ARRAY_PARAM_DESC(kill, kill_cases, name);

static void kill_in_each_state(struct kunit *test)
{
	const struct kill_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, true, 0);
	struct profiler *other = profiler_of_all(test);
	bool starting = c->state == KILL_QUEUED || c->state == KILL_STARTING;

	/* Another session, which must not notice unless the GPU goes away. */
	start(test, other);
	panthor_perf_fake_fw_count_all(&f->fake, 1);

	if (starting) {
		f->fake.hold = GLB_PERFCNT_SAMPLE;
		KUNIT_ASSERT_EQ(test, begin(test, u), 0);
		if (c->state == KILL_STARTING)
			panthor_perf_fixture_run(f);
	} else if (c->state != KILL_STOPPED) {
		start(test, u);
	}

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	if (c->state == KILL_SAMPLING || c->state == KILL_BOTH)
		KUNIT_ASSERT_EQ(test, panthor_perf_session_sample(u->session, 1), 0);
	if (c->state == KILL_STOPPING || c->state == KILL_BOTH)
		KUNIT_ASSERT_EQ(test, panthor_perf_session_stop(u->session, 2), 0);
	if (c->state != KILL_QUEUED)
		panthor_perf_fixture_run(f);

	memset(u->ring, 0x3c, u->slots * SAMPLE_SIZE);
	f->fake.hold = 0;
	if (c->unplug)
		panthor_perf_fixture_unplug(f);
	kill_profiler(test, u, c->unplug);
	KUNIT_EXPECT_EQ(test, signals(u), c->unplug ? 1 : 0);
	if (starting)
		KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(u->session, &u->wait),
				c->unplug ? -ENODEV : -ENOENT);

	/* Again, as close does after unplug: nothing is given back or told twice. */
	kill_profiler(test, u, c->unplug);
	panthor_perf_fixture_let_go(f);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(u->ring, 0x3c, u->slots * SAMPLE_SIZE), NULL);

	if (c->unplug) {
		kill_profiler(test, other, true);
		expect_power(test, 0);
	} else {
		expect_power(test, 2);
		stop(test, other, 0);
		KUNIT_EXPECT_EQ(test, header_at(other, 0)->flags, 0);
		drain(f, other);
		expect_conserved(test, other);
		KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	}

	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

/*
 * Hostile users
 */

static void bad_extract_is_told_once(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, false, 0);

	start(test, u);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, 0);

	u->control->extract_idx = 2;
	panthor_perf_fake_fw_count(&f->fake, FW, 0, 9, 90);
	sample(test, u, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, BAD_EXTRACT);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, value_at(f, u, 1, FW, 0, 9), 90);

	u->control->extract_idx = 2;
	sample(test, u, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 2)->events, 0);
	profiler_destroy(test, u);
}

static void hostile_indices_change_nothing(struct kunit *test)
{
	static const u64 hostile[] = {
		1, 7, 8, 9, 100, 0xffffffff, 0x100000000, BIT_ULL(63), U64_MAX - 7, U64_MAX,
	};
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 4, false, 0);
	struct profiler *other = profiler_of_all(test);

	start(test, other);
	start(test, u);
	for (u32 i = 0; i < 3; i++) {
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, u, i);
	}
	memset(u->ring, 0x77, 4 * SAMPLE_SIZE);

	/* Whatever is in the indices: there is one slot left, and it is the final sample's. */
	for (u32 i = 0; i < ARRAY_SIZE(hostile); i++) {
		u->control->insert_idx = hostile[i];
		u->control->extract_idx = hostile[i] > 3 ? hostile[i] : U64_MAX / 2;
		KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 9), -EBUSY);
	}
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(u->ring, 0x77, 4 * SAMPLE_SIZE), NULL);

	stop(test, u, 4);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 4);
	KUNIT_EXPECT_EQ(test, header_at(u, 3)->sample_nr, 3);
	KUNIT_EXPECT_EQ(test, header_at(u, 3)->events, BAD_EXTRACT);
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(u->ring, 0x77, 3 * SAMPLE_SIZE), NULL);

	stop(test, other, 0);
	KUNIT_EXPECT_EQ(test, header_at(other, 0)->events, 0);
	drain(f, other);
	expect_conserved(test, other);
	profiler_destroy(test, u);
	profiler_destroy(test, other);
}

/* What a user writes into its samples never comes back. */
static void memory_is_not_read_back(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 2, false, 0);

	start(test, u);
	for (u32 i = 0; i < 6; i++) {
		memset(u->ring, 0xff, 2 * SAMPLE_SIZE);
		panthor_perf_fake_fw_count_all(&f->fake, i);
		sample(test, u, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->sample_nr, i);
		KUNIT_EXPECT_EQ(test, header_at(u, i)->flags, 0);
		KUNIT_EXPECT_EQ(test, value_at(f, u, i, CSHW, 0, 0), 0);
		KUNIT_EXPECT_EQ(test, drain(f, u), 1);
	}

	expect_conserved(test, u);
	profiler_destroy(test, u);
}

/*
 * Signals
 */

static void eventfd_counts_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, true, 0);

	start(test, u);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	for (u32 i = 0; i < 3; i++)
		sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, signals(u), 3);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_watchdog(f);
	KUNIT_EXPECT_EQ(test, signals(u), 0);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 0), 0);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, signals(u), 2);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 6);
	profiler_destroy(test, u);
}

/*
 * Several sessions, and what befalls them
 */

static void sessions_overlap(struct kunit *test)
{
	static const u64 shader_only[TYPES] = { [SHADER] = 0xff0 };
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_create(test, shader_only, 8, false, 0);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	sample(test, u, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	start(test, v);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	sample(test, v, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 4);
	sample(test, u, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 5);
	stop(test, v, 0);
	KUNIT_EXPECT_EQ(test, drain(f, v), 2);
	expect_conserved(test, v);
	panthor_perf_fake_fw_count_all(&f->fake, 6);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, drain(f, u), 3);
	expect_conserved(test, u);

	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	KUNIT_EXPECT_EQ(test, f->fake.disable_edges, 1);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

static void suspend_is_told(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);

	start(test, u);
	panthor_perf_fake_fw_count_all(&f->fake, 1);
	panthor_perf_fixture_suspend(f);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 0);
	panthor_perf_fixture_resume(f, true);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, SUSPEND);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	stop(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	KUNIT_EXPECT_EQ(test, drain(f, u), 2);
	expect_conserved(test, u);
	profiler_destroy(test, u);
}

static void reset_is_told(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *idle = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 1), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_pre_reset(f);
	f->fake.hold = 0;
	panthor_perf_fixture_post_reset(f, false);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, RESET);

	/* What comes after is exact again, also for who was not there. */
	sample(test, u, 2);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	start(test, idle);
	stop(test, idle, 0);
	KUNIT_EXPECT_EQ(test, header_at(idle, 0)->flags, 0);
	KUNIT_EXPECT_EQ(test, header_at(idle, 0)->events, 0);
	profiler_destroy(test, u);
	profiler_destroy(test, idle);
}

/* The GPU does not come back: who waits gets an answer, and unplug finds nothing left. */
static void reset_that_fails(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_create(test, all_masks, 8, true, 0);
	struct profiler *v = profiler_of_all(test);

	start(test, u);
	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_EXPECT_EQ(test, panthor_perf_session_sample(u->session, 1), 0);
	KUNIT_EXPECT_EQ(test, begin(test, v), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_pre_reset(f);
	panthor_perf_fixture_post_reset(f, true);
	KUNIT_EXPECT_EQ(test, panthor_perf_session_start_wait(v->session, &v->wait), -EIO);
	KUNIT_EXPECT_EQ(test, u->control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, ERROR);
	KUNIT_EXPECT_EQ(test, signals(u), 1);

	panthor_perf_fixture_unplug(f);
	kill_profiler(test, u, true);
	KUNIT_EXPECT_EQ(test, signals(u), 1);
	expect_power(test, 0);
	f->fake.enabled = false;
	profiler_destroy(test, u);
	profiler_destroy(test, v);
}

/* An incident is told to each session once, and to none that was not started. */
static void incidents_are_told_to_each(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *u = profiler_of_all(test);
	struct profiler *v = profiler_of_all(test);
	struct profiler *w = profiler_of_all(test);

	start(test, u);
	start(test, v);
	f->fake.burst = 64;
	sample(test, u, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->events, FW_OVERFLOW);
	KUNIT_EXPECT_EQ(test, header_at(u, 0)->flags, 0);
	start(test, w);
	sample(test, u, 0);
	sample(test, v, 0);
	sample(test, w, 0);
	KUNIT_EXPECT_EQ(test, header_at(u, 1)->events, 0);
	KUNIT_EXPECT_EQ(test, header_at(v, 0)->events, FW_OVERFLOW);
	KUNIT_EXPECT_EQ(test, header_at(w, 0)->events, 0);
	drain(f, u);
	drain(f, v);
	drain(f, w);
	expect_conserved(test, u);
	expect_conserved(test, v);
	expect_conserved(test, w);
	profiler_destroy(test, u);
	profiler_destroy(test, v);
	profiler_destroy(test, w);
}

#define CROWD		6
#define CROWD_STEPS	600

struct crowd_case {
	const char *name;
	u32 seed;
};

static const struct crowd_case crowd_cases[] = {
	{ "seed 1", 1 }, { "seed 2", 2 }, { "seed 3", 3 }, { "seed 4", 4 },
};

KUNIT_ARRAY_PARAM_DESC(crowd, crowd_cases, name);

/* Sessions and cores come and go, samples are taken upon request and unasked, all by chance. */
static void everybody_gets_theirs(struct kunit *test)
{
	const struct crowd_case *c = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct profiler *users[CROWD];
	bool started[CROWD] = {};
	struct rnd_state rnd;
	u32 samples = 0;

	prandom_seed_state(&rnd, c->seed);
	for (u32 i = 0; i < CROWD; i++) {
		u64 masks[TYPES];

		for (u32 type = FW; type <= SHADER; type++)
			masks[type] = ((u64)prandom_u32_state(&rnd) << 32 |
				       prandom_u32_state(&rnd)) & ALL_COUNTERS;
		masks[0] = 0;
		masks[NEURAL] = 0;
		masks[CSG] = 0;
		users[i] = profiler_create(test, masks, 4, false, 0);
	}
	/* One stays, so that counters are enabled once. */
	start(test, users[0]);
	started[0] = true;

	for (u32 step = 0; step < CROWD_STEPS; step++) {
		u32 who = prandom_u32_state(&rnd) % CROWD;
		struct profiler *u = users[who];

		panthor_perf_fake_fw_count_all(&f->fake, step);
		switch (prandom_u32_state(&rnd) % 8) {
		case 0:
		case 1:
			panthor_perf_fake_fw_auto_sample(&f->fake);
			break;
		case 2:
			panthor_perf_fake_fw_power_off(&f->fake, SHADER, who % 4);
			break;
		case 3:
			panthor_perf_fake_fw_power_on(&f->fake, SHADER, who % 4);
			break;
		case 4:
			panthor_perf_fixture_run(f);
			break;
		case 5:
			if (!started[who]) {
				start(test, u);
				started[who] = true;
				break;
			}
			fallthrough;
		case 6:
			if (!started[who])
				break;
			sample(test, u, step);
			KUNIT_EXPECT_EQ(test, drain(f, u), 1);
			samples++;
			break;
		case 7:
			if (!started[who] || !who)
				break;
			stop(test, u, step);
			KUNIT_EXPECT_EQ(test, drain(f, u), 1);
			expect_conserved(test, u);
			started[who] = false;
			samples++;
			break;
		}
	}

	KUNIT_EXPECT_GT(test, samples, CROWD_STEPS / 8);
	KUNIT_EXPECT_EQ(test, f->fake.enable_edges, 1);
	for (u32 i = 0; i < CROWD; i++) {
		if (started[i]) {
			stop(test, users[i], 0);
			drain(f, users[i]);
			expect_conserved(test, users[i]);
		}
		profiler_destroy(test, users[i]);
	}
	expect_power(test, 0);
}

static struct kunit_case session_cases[] = {
	KUNIT_CASE(knows_the_sample_size),
	KUNIT_CASE(start_takes_the_zero),
	KUNIT_CASE(samples_tell_their_story),
	KUNIT_CASE(blocks_tell_what_they_are),
	KUNIT_CASE_PARAM(masks_are_a_filter, mask_gen_params),
	KUNIT_CASE(masks_have_two_words),
	KUNIT_CASE_PARAM(checks_sections, section_gen_params),
	KUNIT_CASE(checks_sections_of_64_counters),
	KUNIT_CASE(stopped_session),
	KUNIT_CASE(starting_session),
	KUNIT_CASE(started_session),
	KUNIT_CASE(stopping_session),
	KUNIT_CASE(torn_down_session),
	KUNIT_CASE(unplugged_session),
	KUNIT_CASE(session_being_unplugged),
	KUNIT_CASE(session_on_dead_firmware),
	KUNIT_CASE(sessions_use_one_set),
	KUNIT_CASE(keeps_a_slot_for_the_final_sample),
	KUNIT_CASE(stop_with_a_sample_pending),
	KUNIT_CASE(stop_right_after_sample),
	KUNIT_CASE(starts_again),
	KUNIT_CASE(start_on_a_silent_firmware),
	KUNIT_CASE(start_without_answer_to_the_sample),
	KUNIT_CASE(start_gives_up),
	KUNIT_CASE(start_is_killed),
	KUNIT_CASE(start_is_killed_too_late),
	KUNIT_CASE(start_without_power),
	KUNIT_CASE_PARAM(kill_in_each_state, kill_gen_params),
	KUNIT_CASE(bad_extract_is_told_once),
	KUNIT_CASE(hostile_indices_change_nothing),
	KUNIT_CASE(memory_is_not_read_back),
	KUNIT_CASE(eventfd_counts_samples),
	KUNIT_CASE(sessions_overlap),
	KUNIT_CASE(suspend_is_told),
	KUNIT_CASE(reset_is_told),
	KUNIT_CASE(reset_that_fails),
	KUNIT_CASE(incidents_are_told_to_each),
	KUNIT_CASE_PARAM(everybody_gets_theirs, crowd_gen_params),
	{}
};

static int session_init(struct kunit *test)
{
	test->priv = panthor_perf_fixture_create(test, &panthor_perf_rk3588);
	return 0;
}

static void session_exit(struct kunit *test)
{
	if (test->priv)
		panthor_perf_fixture_destroy(test->priv);
}

static struct kunit_suite session_suite = {
	.name = "panthor_perf_session",
	.init = session_init,
	.exit = session_exit,
	.test_cases = session_cases,
};

kunit_test_suite(session_suite);
