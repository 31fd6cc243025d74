// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/dma-fence-chain.h>
#include <linux/uaccess.h>

#include <drm/drm_syncobj.h>

#include "panthor_perf_ioctl_test.h"
#include "panthor_perf_job_test.h"

/* SAMPLE with operations, by the ioctl itself and with syncobjs of an open file. */

#define BINARY		DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ
#define TIMELINE	DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ
#define SIGNAL		((u32)DRM_PANTHOR_SYNC_OP_SIGNAL)
#define MAX_OPS		64

/* Where the operations lie in the owner's page, and how many bytes there are up to its end. */
#define OPS_AT		1024
#define OPS_ROOM	(PAGE_SIZE - OPS_AT)

/* An operation with a word that this version does not know. */
struct long_op {
	struct drm_panthor_sync_op op;
	u64 later;
};

enum { DONE, EMPTY, LINE, OUT, SYNCOBJS };

struct scene {
	struct client client, other;
	struct owner u;

	/* @DONE has @job, @EMPTY no fence, @LINE @job as its point 5, and @OUT none. */
	struct drm_syncobj *syncobjs[SYNCOBJS];
	u32 handles[SYNCOBJS], foreign;
	struct dma_fence *job;

	/* Others, in no syncobj. */
	struct dma_fence *second, *third;
};

static struct scene *scene_of(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	return f->priv;
}

static u32 syncobj_create(struct kunit *test, struct client *client, struct drm_syncobj **syncobj)
{
	u32 handle;

	KUNIT_ASSERT_EQ(test, drm_syncobj_create(syncobj, 0, NULL), 0);
	KUNIT_ASSERT_EQ(test, drm_syncobj_get_handle(client->file, *syncobj, &handle), 0);
	return handle;
}

static void add_point(struct kunit *test, struct drm_syncobj *syncobj, struct dma_fence *fence,
		      u64 point)
{
	struct dma_fence_chain *chain = dma_fence_chain_alloc();

	KUNIT_ASSERT_NOT_NULL(test, chain);
	drm_syncobj_add_point(syncobj, chain, fence, point);
}

/* SAMPLE with these arguments as they are. */
static int call(struct scene *s, struct drm_panthor_perf_sample *args)
{
	args->handle = s->u.setup.handle;
	return panthor_ioctl_perf_sample(&s->client.ptdev->base, args, s->client.file);
}

static int sample_with_array(struct scene *s, u64 user_data, const void *ops, u32 count, u32 stride)
{
	void __user *page = s->u.page + OPS_AT;
	struct drm_panthor_perf_sample args = {
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.user_data = user_data,
		.syncs = { .stride = stride, .count = count, .array = (uintptr_t)page },
	};

	KUNIT_ASSERT_LE(s->client.test, (size_t)count * stride, OPS_ROOM);
	KUNIT_ASSERT_EQ(s->client.test, copy_to_user(page, ops, (size_t)count * stride), 0);
	return call(s, &args);
}

static int sample_with(struct scene *s, u64 user_data, const struct drm_panthor_sync_op *ops,
		       u32 count)
{
	return sample_with_array(s, user_data, ops, count, sizeof(*ops));
}

static struct drm_panthor_sync_op op(u32 flags, u32 handle, u64 value)
{
	return (struct drm_panthor_sync_op) {
		.flags = flags, .handle = handle, .timeline_value = value,
	};
}

static void start_owner(struct scene *s)
{
	owner_setup(&s->u);
	owner_start(&s->u);
}

/*
 * Bad operations
 */

struct bad_case {
	const char *name;
	u32 flags;

	/* One of the syncobjs, or below 0: an unknown handle, and one of another file. */
	int object;
	u64 value;
	int error;
};

#define NO_OBJECT	(-1)
#define FOREIGN		(-2)

static const struct bad_case bad_cases[] = {
	{ "unknown flag", BINARY | BIT(8), DONE, 0, -EINVAL },
	{ "unknown flag of a SIGNAL", SIGNAL | BINARY | BIT(30), OUT, 0, -EINVAL },
	{ "unknown type", 2, DONE, 0, -EINVAL },
	{ "unknown type of a SIGNAL", SIGNAL | 255, OUT, 0, -EINVAL },
	{ "value of a binary WAIT", BINARY, DONE, 1, -EINVAL },
	{ "value of a binary SIGNAL", SIGNAL | BINARY, OUT, 1, -EINVAL },
	{ "no value of a timeline SIGNAL", SIGNAL | TIMELINE, OUT, 0, -EINVAL },
	{ "WAIT without a fence", BINARY, EMPTY, 0, -EINVAL },
	{ "WAIT for a timeline without points", TIMELINE, EMPTY, 1, -EINVAL },
	{ "WAIT for a later point", TIMELINE, LINE, 6, -EINVAL },
	{ "WAIT, unknown handle", BINARY, NO_OBJECT, 0, -ENOENT },
	{ "SIGNAL, unknown handle", SIGNAL | BINARY, NO_OBJECT, 0, -ENOENT },
	{ "timeline SIGNAL, unknown handle", SIGNAL | TIMELINE, NO_OBJECT, 1, -ENOENT },
	{ "WAIT, handle of another file", BINARY, FOREIGN, 0, -ENOENT },
	{ "SIGNAL, handle of another file", SIGNAL | BINARY, FOREIGN, 0, -ENOENT },
};

KUNIT_ARRAY_PARAM_DESC(bad, bad_cases, name);

/* Nothing is pending, and no syncobj has another fence than before. */
static void expect_unchanged_at(struct kunit *test, struct scene *s, int line)
{
	struct dma_fence *fence;

	KUNIT_EXPECT_TRUE_MSG(test, list_empty(&s->u.p.session->pending), "in line %d", line);
	for (u32 i = 0; i < SYNCOBJS; i++) {
		fence = drm_syncobj_fence_get(s->syncobjs[i]);
		KUNIT_EXPECT_EQ_MSG(test, !fence, i == EMPTY || i == OUT,
				    "syncobj %u, in line %d", i, line);
		if (i == DONE)
			KUNIT_EXPECT_PTR_EQ_MSG(test, fence, s->job, "in line %d", line);
		dma_fence_put(fence);
	}
}

#define expect_unchanged(test, s) expect_unchanged_at(test, s, __LINE__)

/* Alone, and as the last of the largest number of operations. */
static void bad_operation(struct kunit *test)
{
	const struct bad_case *c = test->param_value;
	struct drm_panthor_sync_op *ops;
	struct scene *s = scene_of(test);
	u32 handle = c->object == NO_OBJECT ? 12345 :
		     c->object == FOREIGN ? s->foreign : s->handles[c->object];

	start_owner(s);
	ops = kunit_kcalloc(test, MAX_OPS, sizeof(*ops), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ops);
	ops[0] = op(c->flags, handle, c->value);
	KUNIT_EXPECT_EQ(test, sample_with(s, 0, ops, 1), c->error);
	expect_unchanged(test, s);

	for (u32 i = 0; i < MAX_OPS - 1; i++) {
		switch (i % 4) {
		case 0:
			ops[i] = op(BINARY, s->handles[DONE], 0);
			break;
		case 1:
			ops[i] = op(SIGNAL | BINARY, s->handles[OUT], 0);
			break;
		case 2:
			ops[i] = op(TIMELINE, s->handles[LINE], 5);
			break;
		case 3:
			ops[i] = op(SIGNAL | TIMELINE, s->handles[OUT], i);
			break;
		}
	}
	ops[MAX_OPS - 1] = op(c->flags, handle, c->value);
	KUNIT_EXPECT_EQ(test, sample_with(s, 0, ops, MAX_OPS), c->error);
	expect_unchanged(test, s);

	KUNIT_EXPECT_EQ(test, sample_with(s, 7, NULL, 0), 0);
	panthor_perf_fixture_run(test->priv);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 1);
	KUNIT_EXPECT_EQ(test, header_at(&s->u.p, 0)->user_data, 7);
}

static void bad_array(struct kunit *test)
{
	static const u32 strides[] = { 0, 8, 15, PAGE_SIZE + 8, U32_MAX };
	struct scene *s = scene_of(test);
	const struct drm_panthor_sync_op good = op(BINARY, s->handles[DONE], 0);
	struct long_op later = { .op = good, .later = 1 };
	struct drm_panthor_perf_sample args = { .flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS };
	void __user *end = s->u.page + PAGE_SIZE;

	start_owner(s);
	args.syncs.array = (uintptr_t)s->u.page;
	args.syncs.count = 1;
	for (u32 i = 0; i < ARRAY_SIZE(strides); i++) {
		args.syncs.stride = strides[i];
		KUNIT_EXPECT_EQ_MSG(test, call(s, &args), -EINVAL, "stride %u", strides[i]);
	}

	args.syncs.stride = sizeof(good);
	args.syncs.count = MAX_OPS + 1;
	KUNIT_EXPECT_EQ(test, call(s, &args), -EINVAL);
	args.syncs.count = U32_MAX;
	KUNIT_EXPECT_EQ(test, call(s, &args), -EINVAL);
	KUNIT_EXPECT_EQ(test, sample_with_array(s, 0, &later, 1, sizeof(later)), -EINVAL);

	/* Not to be read, as a whole and from the second one on. */
	args.syncs.count = 1;
	args.syncs.array = (uintptr_t)end;
	KUNIT_EXPECT_EQ(test, call(s, &args), -EFAULT);
	args.syncs.count = 2;
	args.syncs.array -= sizeof(good);
	KUNIT_ASSERT_EQ(test, copy_to_user(end - sizeof(good), &good, sizeof(good)), 0);
	KUNIT_EXPECT_EQ(test, call(s, &args), -EFAULT);

	/* Each field without the flag, and an unknown flag. */
	args = (struct drm_panthor_perf_sample) { .syncs.stride = sizeof(good) };
	KUNIT_EXPECT_EQ(test, call(s, &args), -EINVAL);
	args = (struct drm_panthor_perf_sample) { .syncs.count = 1 };
	KUNIT_EXPECT_EQ(test, call(s, &args), -EINVAL);
	args = (struct drm_panthor_perf_sample) { .syncs.array = (uintptr_t)s->u.page };
	KUNIT_EXPECT_EQ(test, call(s, &args), -EINVAL);
	args = (struct drm_panthor_perf_sample) { .flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS << 1 };
	KUNIT_EXPECT_EQ(test, call(s, &args), -EINVAL);
	expect_unchanged(test, s);
}

/* What the session does not allow is refused with operations as without, and installs nothing. */
static void bad_state(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = scene_of(test);
	const struct drm_panthor_sync_op ops[] = {
		op(BINARY, s->handles[DONE], 0), op(SIGNAL | BINARY, s->handles[OUT], 0),
	};

	owner_setup(&s->u);
	KUNIT_EXPECT_EQ(test, sample_with(s, 0, ops, 2), -EINVAL);
	expect_unchanged(test, s);

	owner_start(&s->u);
	s->u.p.session->config.period_ns = NSEC_PER_SEC;
	KUNIT_EXPECT_EQ(test, sample_with(s, 0, ops, 2), -EINVAL);
	s->u.p.session->config.period_ns = 0;
	expect_unchanged(test, s);

	for (u32 i = 0; i < SLOTS - 1; i++)
		KUNIT_ASSERT_EQ(test, sample_with(s, i, NULL, 0), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, sample_with(s, 0, ops, 2), -EBUSY);
	expect_unchanged(test, s);
	s->u.p.control->extract_idx = SLOTS - 1;

	f->fake.hold = GLB_PERFCNT_SAMPLE;
	KUNIT_ASSERT_EQ(test, sample_with(s, 0, NULL, 0), 0);
	panthor_perf_fixture_run(f);
	panthor_perf_fixture_overdue(f);
	panthor_perf_fixture_overdue(f);
	KUNIT_EXPECT_EQ(test, sample_with(s, 0, ops, 2), -EIO);
	expect_unchanged(test, s);
	f->fake.hold = 0;
}

/*
 * Good operations
 */

static struct dma_fence *fence_of(struct kunit *test, struct drm_syncobj *syncobj)
{
	struct dma_fence *fence = drm_syncobj_fence_get(syncobj);

	KUNIT_ASSERT_NOT_NULL(test, fence);
	return fence;
}

static void expect_syncobj_at(struct kunit *test, struct drm_syncobj *syncobj, bool signalled,
			      int line)
{
	struct dma_fence *fence = fence_of(test, syncobj);

	KUNIT_EXPECT_EQ_MSG(test, dma_fence_is_signaled(fence), signalled, "in line %d", line);
	dma_fence_put(fence);
}

#define expect_syncobj(test, syncobj, signalled) \
	expect_syncobj_at(test, syncobj, signalled, __LINE__)

/* Fences of arrays signal by an interrupt work. */
static void job_ends(struct panthor_perf_fixture *f, struct dma_fence *job)
{
	dma_fence_signal(job);
	msleep(20);
	panthor_perf_fixture_run(f);
	msleep(20);
	panthor_perf_fixture_run(f);
}

static void waits_for_all(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = scene_of(test);
	struct dma_fence *fence;
	struct long_op ops[] = {
		{ op(SIGNAL | BINARY, s->handles[OUT], 0) },
		{ op(BINARY, s->handles[EMPTY], 0) },
		{ op(TIMELINE, s->handles[LINE], 5) },
		{ op(SIGNAL | TIMELINE, s->handles[LINE], 9) },
	};

	drm_syncobj_replace_fence(s->syncobjs[EMPTY], s->second);
	start_owner(s);
	/* A longer stride is fine, if what is not known is 0. */
	KUNIT_ASSERT_EQ(test, sample_with_array(s, 3, ops, ARRAY_SIZE(ops), sizeof(ops[0])), 0);
	expect_syncobj(test, s->syncobjs[OUT], false);
	job_ends(f, s->second);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 0);
	expect_syncobj(test, s->syncobjs[OUT], false);
	job_ends(f, s->job);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 1);
	expect_syncobj(test, s->syncobjs[OUT], true);
	expect_syncobj(test, s->syncobjs[LINE], true);

	/* The timeline has the new point, and the old one. */
	KUNIT_EXPECT_EQ(test, drm_syncobj_find_fence(s->client.file, s->handles[LINE], 9, 0,
						     &fence), 0);
	dma_fence_put(fence);
	KUNIT_EXPECT_EQ(test, drm_syncobj_find_fence(s->client.file, s->handles[LINE], 10, 0,
						     &fence), -EINVAL);
}

/* WAIT and SIGNAL of one syncobj in one call: WAIT means the fence from before. */
static void same_syncobj(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = scene_of(test);
	const struct drm_panthor_sync_op ops[] = {
		op(SIGNAL | BINARY, s->handles[DONE], 0), op(BINARY, s->handles[DONE], 0),
	};

	start_owner(s);
	KUNIT_ASSERT_EQ(test, sample_with(s, 3, ops, 2), 0);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 0);
	expect_syncobj(test, s->syncobjs[DONE], false);
	job_ends(f, s->job);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 1);
	expect_syncobj(test, s->syncobjs[DONE], true);
}

/* Each sample waits for what the one before it signals: the first job starts them all. */
static void chain_of_samples(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = scene_of(test);
	struct drm_panthor_sync_op ops[2];

	start_owner(s);
	for (u32 i = 0; i < SLOTS - 1; i++) {
		ops[0] = op(TIMELINE, s->handles[LINE], 5 + i);
		ops[1] = op(SIGNAL | TIMELINE, s->handles[LINE], 6 + i);
		KUNIT_ASSERT_EQ(test, sample_with(s, i, ops, 2), 0);
	}
	ops[0] = op(TIMELINE, s->handles[LINE], 5 + SLOTS - 1);
	KUNIT_EXPECT_EQ(test, sample_with(s, 0, ops, 1), -EBUSY);
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 0);
	dma_fence_signal(s->job);
	for (u32 i = 0; i < 100 && s->u.p.control->insert_idx < SLOTS - 1; i++) {
		msleep(20);
		panthor_perf_fixture_run(f);
	}
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, SLOTS - 1);
	for (u32 i = 0; i < SLOTS - 1; i++)
		KUNIT_EXPECT_EQ(test, header_at(&s->u.p, i)->user_data, i);
	expect_syncobj(test, s->syncobjs[LINE], true);
}

/*
 * Mixtures
 */

#define MIX_OPS		6

struct mix_op {
	u32 flags;
	int object;
	u64 value;
};

static const struct mix_case {
	const char *name;
	u32 count;
	struct mix_op ops[MIX_OPS];
} mix_cases[] = {
	{ "timelines first", 4, {
		{ SIGNAL | TIMELINE, OUT, 3 }, { TIMELINE, LINE, 5 },
		{ SIGNAL | BINARY, EMPTY, 0 }, { BINARY, DONE, 0 } } },
	{ "points that differ", 4, {
		{ BINARY, DONE, 0 }, { SIGNAL | TIMELINE, OUT, 3 },
		{ SIGNAL | TIMELINE, LINE, 6 }, { SIGNAL | TIMELINE, EMPTY, 1000 } } },
	{ "a timeline twice", 4, {
		{ TIMELINE, LINE, 5 }, { SIGNAL | TIMELINE, LINE, 6 }, { BINARY, DONE, 0 },
		{ SIGNAL | TIMELINE, LINE, 9 } } },
	{ "a binary one twice", 3, {
		{ SIGNAL | BINARY, OUT, 0 }, { BINARY, DONE, 0 }, { SIGNAL | BINARY, OUT, 0 } } },
	{ "a WAIT between", 5, {
		{ SIGNAL | TIMELINE, OUT, 1 }, { BINARY, DONE, 0 }, { SIGNAL | TIMELINE, OUT, 2 },
		{ TIMELINE, LINE, 0 }, { SIGNAL | TIMELINE, OUT, 4 } } },
	{ "all kinds", 6, {
		{ SIGNAL | TIMELINE, LINE, 7 }, { TIMELINE, LINE, 5 },
		{ SIGNAL | BINARY, EMPTY, 0 }, { BINARY, DONE, 0 },
		{ SIGNAL | TIMELINE, OUT, 2 }, { SIGNAL | TIMELINE, OUT, 8 } } },
};

KUNIT_ARRAY_PARAM_DESC(mix, mix_cases, name);

/* Each SIGNAL operation has installed its fence, and the last point is the last one. */
static void expect_mix(struct kunit *test, struct scene *s, const struct mix_case *c,
		       bool signalled)
{
	u64 last[SYNCOBJS] = {};

	for (u32 i = 0; i < c->count; i++) {
		const struct mix_op *mix = &c->ops[i];
		struct dma_fence *fence;

		if (!(mix->flags & SIGNAL))
			continue;

		KUNIT_ASSERT_EQ_MSG(test, drm_syncobj_find_fence(s->client.file,
								 s->handles[mix->object],
								 mix->value, 0, &fence), 0,
				    "operation %u", i);
		KUNIT_EXPECT_EQ_MSG(test, dma_fence_is_signaled(fence), signalled, "operation %u",
				    i);
		dma_fence_put(fence);
		last[mix->object] = max(last[mix->object], mix->value);
	}

	for (u32 i = 0; i < SYNCOBJS; i++) {
		struct dma_fence *fence;

		if (last[i])
			KUNIT_EXPECT_EQ_MSG(test, drm_syncobj_find_fence(s->client.file,
									 s->handles[i],
									 last[i] + 1, 0, &fence),
					    -EINVAL, "syncobj %u", i);
	}
}

static void mixture(struct kunit *test)
{
	const struct mix_case *c = test->param_value;
	struct drm_panthor_sync_op ops[MIX_OPS];
	struct scene *s = scene_of(test);

	start_owner(s);
	for (u32 i = 0; i < c->count; i++)
		ops[i] = op(c->ops[i].flags, s->handles[c->ops[i].object], c->ops[i].value);
	KUNIT_ASSERT_EQ(test, sample_with(s, 1, ops, c->count), 0);
	panthor_perf_fixture_run(test->priv);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 0);
	expect_mix(test, s, c, false);
	job_ends(test->priv, s->job);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 1);
	expect_mix(test, s, c, true);
}

#define JOBS	3

/* Several WAIT operations, of which some have signalled when the session ends. */
static void end_between_waits(struct kunit *test, u32 signalled, bool by_stop)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = scene_of(test);
	struct dma_fence *jobs[JOBS] = { s->job, s->second, s->third };
	const struct drm_panthor_sync_op ops[] = {
		op(BINARY, s->handles[DONE], 0), op(BINARY, s->handles[EMPTY], 0),
		op(TIMELINE, s->handles[LINE], 6), op(SIGNAL | BINARY, s->handles[OUT], 0),
	};
	/* Without SIGNAL operations, the sample has no fence. */
	const bool signals = signalled & 1;
	struct panthor_perf_sample *sample;
	struct dma_fence *own = NULL;

	drm_syncobj_replace_fence(s->syncobjs[EMPTY], s->second);
	add_point(test, s->syncobjs[LINE], s->third, 6);
	start_owner(s);
	KUNIT_ASSERT_EQ(test, sample_with(s, 0, ops, ARRAY_SIZE(ops) - !signals), 0);
	sample = list_first_entry(&s->u.p.session->pending, typeof(*sample), node);
	KUNIT_ASSERT_EQ(test, !!sample->fence, signals);
	if (signals)
		own = dma_fence_get(&sample->fence->base);
	for (u32 i = 0; i < JOBS; i++) {
		if (signalled & BIT(i))
			job_ends(f, jobs[i]);
	}
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, 0);

	KUNIT_EXPECT_EQ(test, by_stop ? do_stop(&s->u, 1) : do_teardown(&s->u), 0);
	if (own)
		KUNIT_EXPECT_EQ(test, dma_fence_get_status(own), -ECANCELED);
	dma_fence_put(own);
	rcu_barrier();
	panthor_perf_fixture_run(f);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, by_stop ? 2 : 0);
	if (by_stop) {
		KUNIT_EXPECT_EQ(test, header_at(&s->u.p, 0)->events, CANCELLED);
		KUNIT_EXPECT_EQ(test, header_at(&s->u.p, 1)->flags, FINAL);
	}

	/* The order of the jobs stays. */
	for (u32 i = 0; i < JOBS; i++) {
		if (signals)
			expect_syncobj(test, s->syncobjs[OUT], false);
		if (signalled & BIT(i))
			continue;
		job_ends(f, jobs[i]);
		signalled |= BIT(i);
		if (signalled == BIT(JOBS) - 1)
			break;
	}
	if (signals)
		expect_syncobj(test, s->syncobjs[OUT], true);
	KUNIT_EXPECT_EQ(test, s->u.p.control->insert_idx, by_stop ? 2 : 0);
}

static const u32 some_waits[] = { 1, 2, 3, 4, 5, 6 };

static void some_desc(const u32 *jobs, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "jobs %#x", *jobs);
}

KUNIT_ARRAY_PARAM(some, some_waits, some_desc);

static void stop_between_waits(struct kunit *test)
{
	end_between_waits(test, *(const u32 *)test->param_value, true);
}

static void teardown_between_waits(struct kunit *test)
{
	end_between_waits(test, *(const u32 *)test->param_value, false);
}

/* The largest number of operations, all SIGNAL: each syncobj gets the same fence. */
static void most_operations(struct kunit *test)
{
	struct drm_panthor_sync_op *ops;
	struct scene *s = scene_of(test);
	struct dma_fence *one, *two;

	ops = kunit_kcalloc(test, MAX_OPS, sizeof(*ops), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ops);
	start_owner(s);
	for (u32 i = 0; i < MAX_OPS; i++)
		ops[i] = op(SIGNAL | BINARY, s->handles[i % 2 ? OUT : EMPTY], 0);
	KUNIT_ASSERT_EQ(test, sample_with(s, 0, ops, MAX_OPS), 0);
	one = fence_of(test, s->syncobjs[OUT]);
	two = fence_of(test, s->syncobjs[EMPTY]);
	KUNIT_EXPECT_PTR_EQ(test, one, two);
	KUNIT_EXPECT_FALSE(test, dma_fence_is_signaled(one));
	panthor_perf_fixture_run(test->priv);
	KUNIT_EXPECT_TRUE(test, dma_fence_is_signaled(one));
	dma_fence_put(one);
	dma_fence_put(two);
}

/* The end of a session ends its samples, but not the order of the jobs around them. */
static void ends_early(struct kunit *test, bool close)
{
	struct scene *s = scene_of(test);
	const struct drm_panthor_sync_op ops[] = {
		op(BINARY, s->handles[DONE], 0), op(SIGNAL | BINARY, s->handles[OUT], 0),
	};
	struct panthor_perf_sample *sample;
	struct dma_fence *own;

	start_owner(s);
	KUNIT_ASSERT_EQ(test, sample_with(s, 0, ops, 2), 0);
	sample = list_first_entry(&s->u.p.session->pending, typeof(*sample), node);
	own = dma_fence_get(&sample->fence->base);
	if (close)
		client_close(&s->client);
	else
		KUNIT_ASSERT_EQ(test, do_teardown(&s->u), 0);
	KUNIT_EXPECT_EQ(test, dma_fence_get_status(own), -ECANCELED);
	expect_syncobj(test, s->syncobjs[OUT], false);
	dma_fence_signal(s->job);
	msleep(20);
	expect_syncobj(test, s->syncobjs[OUT], true);
	dma_fence_put(own);
}

static void teardown_ends_early(struct kunit *test)
{
	ends_early(test, false);
}

static void close_ends_early(struct kunit *test)
{
	ends_early(test, true);
}

static struct kunit_case syncs_cases[] = {
	KUNIT_CASE_PARAM(bad_operation, bad_gen_params),
	KUNIT_CASE(bad_array),
	KUNIT_CASE(bad_state),
	KUNIT_CASE(waits_for_all),
	KUNIT_CASE(same_syncobj),
	KUNIT_CASE(chain_of_samples),
	KUNIT_CASE_PARAM(mixture, mix_gen_params),
	KUNIT_CASE_PARAM(stop_between_waits, some_gen_params),
	KUNIT_CASE_PARAM(teardown_between_waits, some_gen_params),
	KUNIT_CASE(most_operations),
	KUNIT_CASE(teardown_ends_early),
	KUNIT_CASE(close_ends_early),
	{}
};

static int syncs_init(struct kunit *test)
{
	struct panthor_device *ptdev = gpu_create(test);
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);
	struct drm_syncobj *foreign;

	KUNIT_ASSERT_NOT_NULL(test, s);
	f->priv = s;
	client_open(test, ptdev, &s->client);
	client_open(test, ptdev, &s->other);
	owner_prepare(&s->client, &s->u);
	s->job = job_create(test);
	s->second = job_create(test);
	s->third = job_create(test);
	for (u32 i = 0; i < SYNCOBJS; i++)
		s->handles[i] = syncobj_create(test, &s->client, &s->syncobjs[i]);
	drm_syncobj_replace_fence(s->syncobjs[DONE], s->job);
	add_point(test, s->syncobjs[LINE], s->job, 5);

	/* A handle that the file of the session does not have. */
	for (u32 i = 0; i <= SYNCOBJS; i++) {
		s->foreign = syncobj_create(test, &s->other, &foreign);
		drm_syncobj_put(foreign);
	}
	return 0;
}

static void syncs_exit(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s;

	if (!f)
		return;

	s = f->priv;
	if (s) {
		client_close(&s->client);
		client_close(&s->other);
		owner_release(&s->u);
		for (u32 i = 0; i < SYNCOBJS; i++) {
			if (s->syncobjs[i])
				drm_syncobj_put(s->syncobjs[i]);
		}
		/* Arrays and chains are freed behind a grace period. */
		rcu_barrier();
		msleep(20);
		job_destroy(test, s->job);
		job_destroy(test, s->second);
		job_destroy(test, s->third);
	}
	panthor_perf_fixture_destroy(f);
}

static struct kunit_suite syncs_suite = {
	.name = "panthor_perf_syncs",
	.init = syncs_init,
	.exit = syncs_exit,
	.test_cases = syncs_cases,
};

kunit_test_suite(syncs_suite);
