/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * perf-stress: the calls that a process makes, and what they must return.
 */
#ifndef PERF_TEST_STRESS_CALLS_H
#define PERF_TEST_STRESS_CALLS_H

#include <sys/stat.h>

#include "stress-client.h"

#define POISON		0xa5
#define UNKNOWN_LENGTH	(~0ull << 40)
#define LONGEST_NS	NS_PER_S

static const char *folder;
static struct drm_panthor_gpu_info gpu;
/* What the environment says, see perf-stress.c. */
static bool faults, keep, all, shared;
static unsigned int periods, kinds, ordered;

/* Another program's calls may count as well. */
static uint64_t *calls_made;

static void count_call(void)
{
	ADD(calls, 1);
	if (calls_made != &tally->calls)
		__atomic_add_fetch(calls_made, 1, __ATOMIC_RELAXED);
}

/* What the call had to return, if the GPU is still there. */
static void outcome(struct client *c, const char *name, int got, int want)
{
	count_call();
	ADD(refused, got != 0);
	if (is_lost(got))
		return;
	c->alive = c->signals;
	if (faults && !want && (got == EIO || got == ETIMEDOUT)) {
		ADD(failed, 1);
		return;
	}
	if (got != want)
		complain(c, "%s: %s, not %s (state %d, %u to come, %u free)", name, errno_name(got),
			 errno_name(want), c->state, c->call_count, free_slots(c, c->seen));
}

/* ---- SETUP and TEARDOWN ---- */

static bool one_of(unsigned int percent)
{
	return percent && random_below(100) < percent;
}

static uint64_t random_mask(uint32_t first)
{
	uint64_t mask = 0;

	switch (all ? 1 : random_below(4)) {
	case 0:
		break;
	case 1:
		mask = ~0ull;
		break;
	case 2:
		mask = 1ull << random_below(64);
		break;
	default:
		mask = random_u64();
		break;
	}
	return first ? mask : mask & ~0xfull;
}

/* Returns whether it has them, which it has unless the GPU is gone. */
static bool make_objects(struct client *c, int fd)
{
	uint32_t slots = 2u << random_below(4);
	int error = c->has_objects ? 0 : session_try_prepare(&c->session, fd, slots, &info);

	if (is_lost(error)) {
		c->session.fd = fd;
		c->session.setup.handle = NO_HANDLE;
		return false;
	}
	errno = error;
	if (error)
		die("the objects of a session");
	c->has_objects = true;
	c->has_handles = true;
	if (!c->timeline && one_of(ordered)) {
		error = syncobj_create(fd, &c->timeline);
		errno = error;
		/* The calls that follow find out as well. */
		if (error && !is_lost(error))
			die("a syncobj");
	}
	return true;
}

static void free_objects(struct client *c)
{
	if (c->timeline)
		syncobj_destroy(c->session.fd, c->timeline);
	c->timeline = 0;
	c->point = 0;
	if (c->has_objects && c->has_handles) {
		session_release(&c->session);
	} else if (c->has_objects) {
		munmap(c->session.ring.map, c->session.ring.size);
		munmap(c->session.control.map, c->session.control.size);
		close(c->session.eventfd);
	}
	c->has_objects = false;
}

static void close_handles(struct client *c)
{
	struct drm_gem_close ring = { .handle = c->session.ring.handle };
	struct drm_gem_close control = { .handle = c->session.control.handle };

	if ((ioctl(c->session.fd, DRM_IOCTL_GEM_CLOSE, &ring) ||
	     ioctl(c->session.fd, DRM_IOCTL_GEM_CLOSE, &control)) && !is_lost(errno))
		complain(c, "closing the handles of a session's objects fails");
	c->has_handles = false;
}

static void poison(struct client *c)
{
	memset(c->session.ring.map, POISON, c->session.ring.size);
	memset(c->session.control.map, POISON, c->session.control.size);
}

/* Behind TEARDOWN nobody writes to the objects, nor does a SETUP that fails. */
static void check_poison(struct client *c)
{
	const struct object *objects[] = { &c->session.ring, &c->session.control };

	for (size_t i = 0; i < 2; i++) {
		const unsigned char *bytes = objects[i]->map;

		for (size_t at = 0; at < objects[i]->size; at++) {
			if (bytes[at] == POISON)
				continue;
			complain(c, "byte %zu of the %s was written behind TEARDOWN", at,
				 i ? "indices" : "ring");
			return;
		}
	}
}

/* Some periods are many sessions' own, the others of any length: as many short as long ones. */
static uint64_t random_period(void)
{
	uint64_t shortest = shortest_period(&info), period = shortest;

	if (random_below(100) >= periods)
		return 0;
	switch (random_below(8)) {
	case 0:
		return shortest;
	case 1:
		return LONGEST_NS;
	case 2:
		return LONGEST_NS / 100;
	default:
		break;
	}
	while (period < LONGEST_NS && random_below(8))
		period *= 2;
	period += random_u64() % period;
	return period < LONGEST_NS ? period : LONGEST_NS;
}

/* What SETUP can be asked for beside counters and a period. */
static void choose_kind(struct client *c)
{
	struct drm_panthor_perf_setup *setup = &c->session.setup;

	setup->flags = 0;
	setup->wakeup_samples = 0;
	if (one_of(kinds))
		setup->flags |= DRM_PANTHOR_PERF_SETUP_COMPACT;
	if (one_of(kinds))
		setup->flags |= DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	if (one_of(kinds)) {
		setup->flags |= DRM_PANTHOR_PERF_SETUP_WAKEUP;
		setup->wakeup_samples = 1 + random_below(setup->sample_slots - 1);
	}
}

/* A sample that signals a fence may be of a suspended GPU, as all samples of ALLOW_SUSPEND. */
static void open_raw(struct client *c)
{
	uint32_t flags = c->session.setup.flags |
			 (c->timeline ? DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND : 0);
	char path[256];

	if (c->raw.file)
		return;
	snprintf(path, sizeof(path), "%s/%u.%u.%u.raw", folder, process, c->number, c->setups);
	raw_create(&c->raw, path, &c->session, &info, &gpu, flags);
}

/* What was asked for, its client begins to count anew. */
static void forget(struct client *c)
{
	c->extract = 0;
	c->seen = 0;
	c->signals = 0;
	c->alive = 0;
	c->call_count = 0;
	c->looked = 0;
	c->batch = 0;
	c->counted = 0;
	c->final = false;
	c->owed_final = false;
	memset(&c->moved, 0, sizeof(c->moved));
	c->ledger = (struct ledger){ .period_ns = c->session.setup.sample_period_ns };
}

static void do_setup(struct client *c, int fd)
{
	int got;

	if (c->has_objects && c->setups)
		check_poison(c);
	if (random_below(4) == 0 || !c->has_handles)
		free_objects(c);
	if (!make_objects(c, fd))
		return;
	for (uint32_t i = 0; i < c->session.setup.sections.count; i++)
		c->session.sections[i].mask = random_mask(c->session.sections[i].first_counter);
	c->session.setup.control_offset = 8 * random_below(511);
	c->session.setup.sample_period_ns = random_period();
	c->session.setup.handle = 0;
	choose_kind(c);

	got = session_setup(&c->session);
	if (shared && got == ENOSPC) {
		count_call();
		ADD(refused, 1);
		ADD(crowded, 1);
	} else {
		outcome(c, "SETUP", got, 0);
	}
	c->setups++;
	if (got) {
		if (got != ENOSPC && !gone)
			exit(1);
		c->session.setup.handle = NO_HANDLE;
		poison(c);
		return;
	}
	ADD(setups, 1);
	if (c->session.setup.sample_size != session_sample_size(&c->session, &info))
		complain(c, "a sample of %u bytes, not %u", c->session.setup.sample_size,
			 session_sample_size(&c->session, &info));
	c->state = STOPPED;
	forget(c);
	if (random_below(4) == 0)
		close_handles(c);
}

static void do_teardown(struct client *c)
{
	uint32_t handle = c->session.setup.handle;

	if (c->state == NONE) {
		c->session.setup.handle = NO_HANDLE;
		outcome(c, "TEARDOWN", session_teardown(&c->session), ENOENT);
		return;
	}
	outcome(c, "TEARDOWN", session_teardown(&c->session), 0);
	if (gone)
		return;
	/* Fences of samples that never come signal, too. */
	check_fences(c);
	for (unsigned int i = 0; i < c->call_count; i++)
		c->calls[i].point = 0;
	count_signals(c);
	if (owes_count(c))
		complain(c, "TEARDOWN: %" PRIu64 " counts of the eventfd, %" PRIu64 " samples",
			 c->signals, c->seen);
	c->session.setup.handle = handle;
	outcome(c, "TEARDOWN again", session_teardown(&c->session), ENOENT);
	drain(c, UINT64_MAX);
	if (c->state == STOPPING && c->raw.file)
		raw_teardown(&c->raw);
	raw_close(&c->raw);
	poison(c);
	c->session.setup.handle = NO_HANDLE;
	c->state = NONE;
}

/* ---- START, SAMPLE and STOP ---- */

static struct call new_call(struct client *c)
{
	struct call call = {
		.ticks = ticks(),
		.ns = raw_ns(),
		.run = &c->runs[c->run],
	};

	call.user_data = call.ticks | UNKNOWN_LENGTH;
	return call;
}

/* Of a manual session, the first sample tells when START was called. */
static struct call new_call_for_sample(struct client *c)
{
	struct call call = new_call(c);

	if (c->fresh && !is_periodic(c))
		call.user_data = c->window;
	return call;
}

static void add_call(struct client *c, const struct call *call)
{
	c->calls[c->call_count++] = *call;
	c->fresh = false;
}

/* START has succeeded, and the final sample of the run before was seen. */
static void begin_run(struct client *c, const struct raw_call *raw, const struct call *call,
		      uint64_t length)
{
	open_raw(c);
	raw_call(&c->raw, RAW_START, raw);
	c->run = (c->run + 1) % RUNS;
	c->runs[c->run] = (struct run){ raw->user_data, raw->before, raw->after };
	c->begun = *call;
	c->begun.run = &c->runs[c->run];
	c->window = call->ticks | (length < 0xffffff ? length << 40 : UNKNOWN_LENGTH);
	c->fresh = true;
	c->state = STARTED;
	ADD(starts, 1);
	/* The count for the final sample before it has come by now. */
	if (is_batched(c))
		count_signals(c);
	c->final = false;
	c->owed_final = false;
}

static void do_start(struct client *c)
{
	struct raw_call raw = { .before = clocks_now() };
	enum state before;
	struct call call;
	uint64_t length;
	int got;

	if (c->state != NONE)
		look(c);
	before = c->state;
	call = new_call(c);
	raw.user_data = call.user_data;
	got = session_start(&c->session, call.user_data);
	length = (ticks() - call.ticks) / 16;
	raw.after = clocks_now();
	if (before == STOPPING) {
		/* The final sample may just have come, before START or behind it. */
		look(c);
		if (c->state == STOPPING || !free_slots(c, c->seen) || got == EBUSY)
			outcome(c, "START before the final sample", got, EBUSY);
		else
			outcome(c, "START behind the final sample", got, 0);
	} else {
		outcome(c, "START", got, before == NONE ? ENOENT : before == STARTED ? EINVAL :
			free_slots(c, c->seen) ? 0 : EBUSY);
	}
	if (!got)
		begin_run(c, &raw, &call, length);
}

static void do_sample(struct client *c)
{
	struct call call = new_call_for_sample(c);
	int got;

	if (c->state != NONE)
		look(c);
	call.point = c->timeline && random_below(2) ? c->point + 1 : 0;
	if (call.point)
		got = session_sample_with(&c->session, call.user_data,
					  &(struct sync){ c->timeline, 0, call.point });
	else
		got = session_sample(&c->session, call.user_data);
	if (c->state != STARTED || is_periodic(c)) {
		outcome(c, "SAMPLE", got, c->state == NONE ? ENOENT : EINVAL);
		return;
	}
	/* Published by now or not, each has a slot. */
	outcome(c, "SAMPLE", got, free_slots(c, c->seen + c->call_count) < 2 ? EBUSY : 0);
	if (got)
		return;
	add_call(c, &call);
	if (call.point) {
		c->point = call.point;
		ADD(fences, 1);
	}
}

static void do_stop(struct client *c)
{
	struct raw_call raw = { .before = clocks_now() };
	struct call call = new_call_for_sample(c);
	int got;

	if (c->state != NONE)
		look(c);
	call.stop = true;
	raw.user_data = call.user_data;
	got = session_stop(&c->session, call.user_data);
	raw.after = clocks_now();
	outcome(c, "STOP", got, c->state == NONE ? ENOENT : c->state == STARTED ? 0 : EINVAL);
	if (got || c->state != STARTED)
		return;
	raw_call(&c->raw, RAW_STOP, &raw);
	add_call(c, &call);
	c->stop_signals = c->signals;
	c->state = STOPPING;
}

/* ---- The end of the GPU ---- */

/* Of a session whose GPU is gone: one more count, samples that can still be read, and no call. */
static void bury(struct client *c)
{
	struct drm_panthor_perf_setup setup = c->session.setup;

	if (c->state != NONE) {
		uint64_t insert = session_insert(&c->session);

		c->signals += session_signals(&c->session);
		if (is_batched(c) ? c->signals <= c->alive || c->signals > insert + 1 :
				    c->signals != insert + 1)
			complain(c, "%" PRIu64 " counts of the eventfd and %" PRIu64
				 " samples when the GPU is gone, %" PRIu64 " counts before",
				 c->signals, insert, c->alive);
		drain(c, UINT64_MAX);
		if ((c->state == STARTED || c->state == STOPPING) && c->raw.file)
			raw_teardown(&c->raw);
		raw_close(&c->raw);
		ADD(buried, 1);
	}
	outcome(c, "SETUP when the GPU is gone",
		perf_call(c->session.fd, DRM_IOCTL_PANTHOR_PERF_SETUP, &setup), ENODEV);
	outcome(c, "START when the GPU is gone", session_start(&c->session, 1), ENODEV);
	outcome(c, "SAMPLE when the GPU is gone", session_sample(&c->session, 1), ENODEV);
	outcome(c, "STOP when the GPU is gone", session_stop(&c->session, 1), ENODEV);
	outcome(c, "TEARDOWN when the GPU is gone", session_teardown(&c->session), ENODEV);
}

/* Nothing came behind that, and nothing is kept. */
static void lay_down(struct client *c)
{
	uint64_t more;

	if (c->state != NONE) {
		more = session_signals(&c->session);
		if (more || session_insert(&c->session) != c->seen)
			complain(c, "%" PRIu64 " counts and %" PRIu64 " samples behind the end",
				 more, session_insert(&c->session) - c->seen);
	}
	free_objects(c);
	c->session.setup.handle = NO_HANDLE;
	c->state = NONE;
}

#endif
