/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_ERRNO_TEST_H__
#define __PANTHOR_PERF_ERRNO_TEST_H__

/*
 * Shared by the tables of errors: the sessions of the scene, the fields of a row, and the check of
 * all sessions before and after a call that fails. Only these suites include it: names are short.
 */

#include <linux/workqueue.h>

#include "panthor_perf_ioctl_test.h"

struct scene {
	struct kunit *test;
	struct panthor_perf_fixture *f;
	struct panthor_device *ptdev;

	/* Who makes the calls, and who must not notice. */
	struct client caller, neighbour;
	struct owner subject, started, stopped;

	/* What happens during a call, if it is scheduled. */
	struct delayed_work later;
	void (*happen)(struct scene *s);

	/* An object that has no memory to be mapped. */
	struct drm_gem_object_funcs poor;

	/* Sessions of the caller that are not the subject's. */
	u32 others;
};

/* How things are for others when the call is over. */
enum after {
	/* As before. */
	WORKS,

	/* The firmware is dead. */
	NEEDS_RESET,

	/* The GPU is suspended. */
	SLEEPS,

	/* The GPU is gone. */
	GONE,
};

struct row {
	const char *name;

	/* Everything up to the call. */
	void (*prepare)(struct scene *s);

	/* The call, and what it returns. */
	int (*call)(struct scene *s);
	int error;

	enum after after;

	/* Fault of the firmware during the call, which the started session has to report. */
	u32 flags, events;
	u32 edges;

	/* All sessions are killed, and their eventfds are signalled. */
	bool kills;

	/* The ring of the firmware does not exist yet: no session has been started. */
	bool untouched;

	/* The counters die: they are disabled, and the GPU may be suspended. */
	bool dies;
};

/* The part of an unbind that belongs to panthor, without the calls to the DRM core. */
static inline void leave(struct scene *s) { panthor_perf_unplug(s->ptdev); }

/*
 * What must not change
 */

#define TEXT_SIZE	4096

/* All that a session can show of itself, and all that it keeps for itself. */
struct portrait {
	u8 ring[RING_SIZE];
	u8 control[CONTROL_SIZE];
	u64 snapshot[BLOCKS * COUNTERS];
	bool exists;
	enum panthor_perf_session_state state;
	u64 insert, extract, merged, erroneous;
	u64 sample_nr, start_ns, stamps, states_nr, point_ns, unpublished;
	u32 flags, events;
	bool powered, attached, waits;
};

struct world {
	struct portrait started, stopped, subject;
	char neighbours[TEXT_SIZE], callers[TEXT_SIZE];
	u32 enable_edges, disable_edges;
	int power, sessions;
};

struct text {
	char *to;
	size_t length;
};

static inline void print_text(struct drm_printer *p, struct va_format *vaf)
{
	struct text *text = p->arg;

	text->length += scnprintf(text->to + text->length, TEXT_SIZE - text->length, "%pV", vaf);
}

static inline void show(struct client *client, char *to)
{
	struct text text = { .to = to };
	struct drm_printer p = { .printfn = print_text, .arg = &text };
	struct panthor_file *pfile = client->file->driver_priv;
	struct panthor_perf *perf = client->ptdev->perf;
	struct panthor_perf_session *session;

	if (!perf)
		return;

	guard(panthor_perf_sampler)(&perf->sampler);
	list_for_each_entry(session, &perf->sessions, node) {
		if (session->owner == pfile)
			panthor_perf_session_print_locked(session, &p);
	}
}

static inline void draw(const struct owner *u, struct portrait *portrait)
{
	const struct panthor_perf_session *session = u->p.session;

	memcpy(portrait->ring, u->ring.map.vaddr, RING_SIZE);
	memcpy(portrait->control, u->control.map.vaddr, CONTROL_SIZE);
	portrait->exists = session;
	if (!session)
		return;

	memcpy(portrait->snapshot, session->snapshot.totals, sizeof(portrait->snapshot));
	portrait->state = session->state;
	portrait->insert = session->ring.insert;
	portrait->extract = session->ring.extract;
	portrait->merged = session->merged;
	portrait->erroneous = session->erroneous;
	portrait->sample_nr = session->sample_nr;
	portrait->start_ns = session->start_ns;
	portrait->stamps = session->stamps;
	portrait->states_nr = session->snapshot.states_nr;
	portrait->point_ns = session->point_ns;
	portrait->unpublished = session->unpublished;
	portrait->flags = session->client.flags;
	portrait->events = session->client.events;
	portrait->powered = session->start_wait;
	portrait->attached = !list_empty(&session->client.node);
	portrait->waits = !list_empty(&session->start.node) ||
			 !list_empty(&session->pending) || !list_empty(&session->stop.node);
}

static inline struct world *look(struct scene *s)
{
	struct world *world = kunit_kzalloc(s->test, sizeof(*world), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(s->test, world);
	mutex_lock(&s->f->sampler.lock);
	draw(&s->started, &world->started);
	draw(&s->stopped, &world->stopped);
	draw(&s->subject, &world->subject);
	world->sessions = list_count_nodes(&s->f->perf.sessions);
	mutex_unlock(&s->f->sampler.lock);

	show(&s->neighbour, world->neighbours);
	show(&s->caller, world->callers);
	world->enable_edges = s->f->fake.enable_edges;
	world->disable_edges = s->f->fake.disable_edges;
	world->power = s->f->fake.power;
	return world;
}

static inline void expect_same(struct kunit *test, const struct portrait *was,
			       const struct portrait *is, const char *who)
{
	KUNIT_EXPECT_EQ_MSG(test, memcmp(was->ring, is->ring, RING_SIZE), 0, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(was->control, is->control, CONTROL_SIZE), 0, "%s", who);
	if (!is->exists)
		return;

	KUNIT_EXPECT_EQ_MSG(test, memcmp(was->snapshot, is->snapshot, sizeof(is->snapshot)), 0,
			    "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->state, was->state, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->insert, was->insert, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->extract, was->extract, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->merged, was->merged, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->erroneous, was->erroneous, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->sample_nr, was->sample_nr, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->start_ns, was->start_ns, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->stamps, was->stamps, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->states_nr, was->states_nr, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->point_ns, was->point_ns, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->unpublished, was->unpublished, "%s", who);
	if (is->attached) {
		KUNIT_EXPECT_EQ_MSG(test, is->flags, was->flags, "%s", who);
		KUNIT_EXPECT_EQ_MSG(test, is->events, was->events, "%s", who);
	}
	KUNIT_EXPECT_EQ_MSG(test, is->powered, was->powered, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->attached, was->attached, "%s", who);
	KUNIT_EXPECT_EQ_MSG(test, is->waits, was->waits, "%s", who);
}

static inline void expect_unchanged(struct scene *s, const struct row *row, struct world *was)
{
	struct world *is = look(s);
	struct kunit *test = s->test;

	/* A fault of the firmware is reported to all started sessions. */
	was->started.flags |= row->flags;
	was->started.events |= row->events;
	was->enable_edges += row->edges;
	was->disable_edges += row->edges + row->dies;

	expect_same(test, &was->started, &is->started, "started");
	expect_same(test, &was->stopped, &is->stopped, "stopped");
	expect_same(test, &was->subject, &is->subject, "subject");
	KUNIT_EXPECT_STREQ(test, is->neighbours, was->neighbours);
	if (is->subject.exists == was->subject.exists)
		KUNIT_EXPECT_STREQ(test, is->callers, was->callers);
	KUNIT_EXPECT_EQ(test, is->sessions,
			was->sessions - was->subject.exists + is->subject.exists);
	KUNIT_EXPECT_EQ(test, is->enable_edges, was->enable_edges);
	KUNIT_EXPECT_EQ(test, is->disable_edges, was->disable_edges);
	KUNIT_EXPECT_EQ(test, is->power, row->dies ? 0 : was->power);
	KUNIT_EXPECT_EQ(test, signals(&s->started.p), 0);
	KUNIT_EXPECT_EQ(test, signals(&s->stopped.p), 0);
}

/* The end of the GPU is signalled once, without a sample. */
static inline void expect_dead(struct scene *s, struct owner *u)
{
	struct kunit *test = s->test;

	KUNIT_EXPECT_EQ(test, u->p.session->state, PANTHOR_PERF_SESSION_DEAD);
	KUNIT_EXPECT_EQ(test, u->signalled + signals(&u->p), 1);
	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, 0);
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(u->p.ring, 0xff, RING_SIZE), NULL);
	KUNIT_EXPECT_EQ(test, do_start(u, 0), -ENODEV);
	KUNIT_EXPECT_EQ(test, do_sample(u, 0), -ENODEV);
	KUNIT_EXPECT_EQ(test, do_stop(u, 0), -ENODEV);
	KUNIT_EXPECT_EQ(test, signals(&u->p), 0);
}

static inline void expect_sample(struct scene *s, struct owner *u, u64 index, u64 nr, u32 flags,
				 u32 events)
{
	const struct drm_panthor_perf_sample_header *header = header_at(&u->p, index);
	struct kunit *test = s->test;

	KUNIT_EXPECT_EQ(test, u->p.control->insert_idx, index + 1);
	KUNIT_EXPECT_EQ(test, signals(&u->p), 1);
	KUNIT_EXPECT_EQ(test, header->sample_nr, nr);
	KUNIT_EXPECT_EQ(test, header->user_data, 100 + index);
	KUNIT_EXPECT_EQ(test, header->flags, flags);
	KUNIT_EXPECT_EQ(test, header->events, events);
}

/* The started session goes on, the stopped one can be started, and both count exactly. */
static inline void expect_neighbours_work(struct scene *s, bool untouched, u32 flags, u32 events)
{
	struct panthor_perf_fixture *f = s->f;
	struct kunit *test = s->test;

	if (untouched)
		owner_start(&s->started);

	panthor_perf_fake_fw_count_all(&f->fake, 1);
	KUNIT_EXPECT_EQ(test, do_sample(&s->started, 100), 0);
	panthor_perf_fixture_run(f);
	expect_sample(s, &s->started, 0, 0, flags, events);

	owner_start(&s->stopped);
	panthor_perf_fake_fw_count_all(&f->fake, 2);
	KUNIT_EXPECT_EQ(test, do_sample(&s->stopped, 100), 0);
	panthor_perf_fixture_run(f);
	expect_sample(s, &s->stopped, 0, 0, 0, 0);
	panthor_perf_fake_fw_count_all(&f->fake, 3);
	KUNIT_EXPECT_EQ(test, do_stop(&s->stopped, 101), 0);
	panthor_perf_fixture_run(f);
	expect_sample(s, &s->stopped, 1, 1, FINAL, 0);
	KUNIT_EXPECT_EQ(test, do_stop(&s->started, 101), 0);
	panthor_perf_fixture_run(f);
	expect_sample(s, &s->started, 1, 1, FINAL, 0);

	KUNIT_EXPECT_EQ(test, drain(f, &s->started.p), 2);
	KUNIT_EXPECT_EQ(test, drain(f, &s->stopped.p), 2);
	expect_conserved(test, &s->started.p);
	expect_conserved(test, &s->stopped.p);
	expect_power(test, 0);
}

/* The failed call has used nothing up: the same call without the error succeeds. */
static inline void expect_setup_works(struct scene *s)
{
	struct kunit *test = s->test;

	owner_release(&s->subject);
	client_close(&s->caller);
	KUNIT_EXPECT_EQ(test, list_count_nodes(&s->f->perf.sessions), 2);

	memset(&s->subject, 0, sizeof(s->subject));
	client_open(test, s->ptdev, &s->caller);
	owner_prepare(&s->caller, &s->subject);
	KUNIT_EXPECT_EQ(test, do_setup(&s->subject), 0);
	KUNIT_EXPECT_EQ(test, s->subject.setup.handle, 1);
	KUNIT_EXPECT_EQ(test, s->subject.setup.sample_size, SAMPLE_SIZE);
	KUNIT_EXPECT_EQ(test, s->subject.p.control->insert_idx, 0);
	KUNIT_EXPECT_EQ(test, s->subject.p.control->extract_idx, 0);
	KUNIT_EXPECT_EQ(test, do_teardown(&s->subject), 0);
	KUNIT_EXPECT_EQ(test, list_count_nodes(&s->f->perf.sessions), 2);
}

/* What was in the way goes. */
static inline void mend(struct scene *s)
{
	struct panthor_perf_fixture *f = s->f;

	set_paranoid(true);
	s->ptdev->perf = &f->perf;
	f->perf.info.supported_sets = 7;
	f->perf.max_sessions = PANTHOR_PERF_GPU_SESSIONS;
	f->perf.info.min_period_ns = 100000;
	f->fake.power_error = 0;
	f->fake.alloc_error = 0;
	f->fake.hold = 0;
}

static inline void error_changes_nothing(struct kunit *test)
{
	const struct row *row = test->param_value;
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = f->priv;
	u32 flags = 0, events = 0;
	struct world *was;
	u32 handle;

	if (!row->untouched)
		owner_start(&s->started);
	if (row->prepare)
		row->prepare(s);
	s->started.signalled = signals(&s->started.p);
	s->stopped.signalled = signals(&s->stopped.p);

	was = look(s);
	handle = s->subject.setup.handle;
	KUNIT_EXPECT_EQ(test, row->call(s), row->error);
	KUNIT_EXPECT_EQ(test, s->subject.setup.handle, handle);
	if (!row->kills)
		expect_unchanged(s, row, was);

	mend(s);
	switch (row->after) {
	case WORKS:
		panthor_perf_fake_fw_let_go(&f->fake);
		panthor_perf_fixture_run(f);
		KUNIT_EXPECT_EQ(test, f->fake.enable_edges, !row->untouched);
		break;
	case NEEDS_RESET:
		flags = ERROR;
		/* After a failed reset, the GPU is off. */
		events = f->fake.on ? RESET | FW_TIMEOUT : RESET;
		panthor_perf_fixture_pre_reset(f);
		panthor_perf_fixture_post_reset(f, false);
		break;
	case SLEEPS:
		panthor_perf_fixture_resume(f, true);
		events = SUSPEND;
		break;
	case GONE:
		leave(s);
		expect_dead(s, &s->started);
		expect_dead(s, &s->stopped);
		expect_power(test, 0);
		return;
	}

	expect_setup_works(s);
	expect_neighbours_work(s, row->untouched, flags, events);
}

/* What happens to who waits. */
static inline void happens(struct work_struct *work)
{
	struct scene *s = container_of(work, struct scene, later.work);

	s->happen(s);
}

static inline int scene_init(struct kunit *test)
{
	struct panthor_device *ptdev = gpu_create(test);
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s = kunit_kzalloc(test, sizeof(*s), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, s);
	s->test = test;
	s->f = f;
	s->ptdev = ptdev;
	INIT_DELAYED_WORK(&s->later, happens);
	f->priv = s;

	client_open(test, ptdev, &s->caller);
	client_open(test, ptdev, &s->neighbour);
	owner_prepare(&s->caller, &s->subject);
	owner_prepare(&s->neighbour, &s->started);
	owner_prepare(&s->neighbour, &s->stopped);
	owner_setup(&s->started);
	owner_setup(&s->stopped);
	return 0;
}

static inline void scene_exit(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;
	struct scene *s;

	if (!f)
		return;

	s = f->priv;
	if (s) {
		cancel_delayed_work_sync(&s->later);
		mend(s);
		client_close(&s->caller);
		client_close(&s->neighbour);
		owner_release(&s->subject);
		owner_release(&s->started);
		owner_release(&s->stopped);
	}
	panthor_perf_fixture_destroy(f);
}

#endif
