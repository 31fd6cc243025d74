// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Sessions with a period:
 *
 *	ledger		the tests' own reckoning, on headers that are made up
 *	limits		periods that are too short, and periods that never end
 *	full		a ring that nobody reads
 *	group SAMPLES FOLDER PERIOD...
 *			sessions of these periods in ns, until the first one has so many samples;
 *			writes "POINTS SAMPLES SESSIONS" to the file PERF_STATE: the number of
 *			different period points that passed, of samples of sessions with different
 *			periods (0 if a ring was full for a while), and of sessions
 *	run PERIOD FILE	one session until SIGTERM or the end of the GPU; writes "started" to the
 *			file PERF_STATE
 *
 * The samples of group and run are compared with the GPU's own totals outside.
 */
#include <signal.h>

#include "ledger.h"
#include "raw.h"

#define SLOTS		64
#define MOST		8
#define POINTS		4096
#define START_DATA	0x5354415254ull
#define STOP_DATA	0x53544f50ull

/**
 * struct reader - a session and what was read of it
 */
struct reader {
	/** @session: The session. */
	struct session session;

	/** @raw: Where its samples go. */
	struct raw_file raw;

	/** @ledger: What they said. */
	struct ledger ledger;

	/** @run: From START on. */
	struct run run;

	/** @extract: Samples that were read. */
	uint64_t extract;

	/** @stopping: STOP was called. */
	bool stopping;

	/** @stopped: Its sample was read. */
	bool stopped;

	/** @wrong: Samples that were not as they must be. */
	unsigned int wrong;

	/** @last: The header of the sample that was read last. */
	struct drm_panthor_perf_sample_header last;

	/** @first_point: Point of the first entry of @at. */
	uint64_t first_point;

	/** @at: GPU timestamps of the samples that end at a point, 0 for none, by point. */
	uint64_t at[POINTS];
};

static volatile sig_atomic_t terminated;

static void on_term(int signal)
{
	(void)signal;
	terminated = 1;
}

static int reader_setup(struct reader *r, int fd, uint64_t period, uint32_t slots)
{
	memset(r, 0, sizeof(*r));
	session_prepare(&r->session, fd, slots);
	r->session.setup.sample_period_ns = period;
	r->ledger.period_ns = period;
	return session_setup(&r->session);
}

static void reader_start(struct reader *r, const char *path)
{
	struct raw_call call = { .user_data = START_DATA, .before = clocks_now() };

	check_errno("START", session_start(&r->session, START_DATA), 0);
	call.after = clocks_now();
	r->run = (struct run){ START_DATA, call.before, call.after };
	if (!path)
		return;
	raw_open(&r->raw, path, &r->session);
	raw_call(&r->raw, RAW_START, &call);
}

static void note_point(struct reader *r, uint64_t before)
{
	if (!r->first_point)
		r->first_point = r->ledger.point;
	if (r->ledger.on_point > before && r->ledger.point - r->first_point < POINTS)
		r->at[r->ledger.point - r->first_point] = r->last.gpu_timestamp;
}

/* One sample, if there is one. */
static bool reader_next(struct reader *r)
{
	const struct drm_panthor_perf_sample_header *header = session_slot(&r->session, r->extract);
	uint64_t before = r->ledger.on_point;
	const char *wrong;
	bool final;

	if (session_insert(&r->session) == r->extract)
		return false;
	r->last = *header;
	final = r->stopping && r->last.user_data == STOP_DATA;
	if (r->raw.file)
		raw_sample(&r->raw, header);
	wrong = ledger_check(&r->ledger, &r->last, &r->run, final ? STOP_DATA : START_DATA, final);
	if (wrong && r->wrong++ < 5)
		check(false, "period %" PRIu64 ": %s", r->ledger.period_ns, wrong);
	note_point(r, before);
	r->stopped |= final;
	session_consume(&r->session, ++r->extract);
	return true;
}

static void reader_drain(struct reader *r)
{
	while (reader_next(r))
		;
}

static void reader_request_stop(struct reader *r)
{
	struct raw_call call = { .user_data = STOP_DATA, .before = clocks_now() };

	check_errno("STOP", session_stop(&r->session, STOP_DATA), 0);
	call.after = clocks_now();
	r->stopping = true;
	if (r->raw.file)
		raw_call(&r->raw, RAW_STOP, &call);
}

/* Read up to the final sample; then all counts are in. */
static void reader_finish(struct reader *r)
{
	struct ledger *ledger = &r->ledger;
	uint64_t signals = 0;

	for (int i = 0; i < WAIT_MS && !r->stopped; i++) {
		reader_drain(r);
		usleep(1000);
	}
	check(r->stopped, "period %" PRIu64 ": the final sample", ledger->period_ns);
	for (int i = 0; i < 100 && signals < r->extract; i++) {
		signals += session_signals(&r->session);
		usleep(5000);
	}
	check_eq("one signal per sample", signals, r->extract);
	check_eq("nothing behind the final sample", session_insert(&r->session), r->extract);
	check_eq("samples that are not as they must be", r->wrong, 0);
	check(true, "period %" PRIu64 ": %" PRIu64 " samples, %" PRIu64 " at their point, %" PRIu64
	      " points merged, %" PRIu64 " LATE", ledger->period_ns, ledger->published,
	      ledger->on_point, ledger->merged, ledger->late);
	raw_close(&r->raw);
	check_errno("TEARDOWN", session_teardown(&r->session), 0);
	session_release(&r->session);
}

/* ---- The reckoning itself ---- */

/**
 * struct made_up - a header that is made up, and what it is worth
 */
struct made_up {
	/** @end: Its end, in tenths of the period from a point on, behind point number 10. */
	int end;

	/** @merged: Points merged. */
	unsigned int merged;

	/** @late: It has LATE. */
	bool late;

	/** @final: It is STOP's. */
	bool final;

	/** @good: It is right. */
	bool good;
};

static int ledger_test(void)
{
	/* The zero is half a period behind point 10, so that point 11 is due first. */
	static const struct made_up runs[][3] = {
		{ { 10, 0, 0, 0, 1 }, { 20, 0, 0, 0, 1 }, { 23, 0, 0, 1, 1 } },
		{ { 14, 0, 0, 0, 1 }, { 24, 0, 0, 0, 1 }, { 29, 0, 0, 1, 1 } },
		{ { 9, 0, 0, 0, 0 } },
		{ { 15, 0, 0, 0, 0 } },
		{ { 15, 0, 1, 0, 1 }, { 20, 0, 0, 0, 1 }, { 21, 0, 0, 1, 1 } },
		{ { 20, 0, 0, 0, 0 } },
		{ { 20, 1, 0, 0, 1 }, { 39, 1, 0, 0, 0 } },
		{ { 39, 2, 0, 0, 1 }, { 40, 0, 0, 0, 1 }, { 45, 1, 0, 1, 0 } },
		{ { 31, 1, 0, 0, 0 } },
		{ { 19, 1, 0, 0, 0 } },
		{ { 7, 0, 0, 1, 1 } },
		{ { 11, 0, 0, 1, 0 } },
		{ { 11, 1, 0, 1, 1 } },
		{ { 10, 0, 0, 0, 1 }, { 20, 0, 0, 0, 1 }, { 31, 0, 0, 1, 0 } },
		{ { 10, 0, 0, 0, 1 }, { 20, 0, 0, 0, 1 }, { 31, 1, 0, 1, 1 } },
	};
	struct clocks now = clocks_now();
	uint64_t period = now.monotonic_ns / 100;
	uint64_t zero = period * 21 / 2 - now.monotonic_ns + now.raw_ns;
	unsigned int wrong = 0, headers = 0;

	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		struct ledger ledger = { .period_ns = period };
		struct run run = { START_DATA, now, now };
		uint64_t start = zero;

		run.before.monotonic_ns -= now.raw_ns - zero;
		run.before.raw_ns = zero;
		for (size_t n = 0; n < 3 && runs[i][n].end; n++) {
			const struct made_up *m = &runs[i][n];
			struct drm_panthor_perf_sample_header header = {
				.timestamp_start_ns = start,
				/* A little behind, for the clocks' uncertainty. */
				.timestamp_end_ns = zero + period * m->end / 10 - period / 2 +
						    period / 50,
				.flags = (m->merged ? DRM_PANTHOR_PERF_SAMPLE_STRETCHED : 0) |
					 (m->final ? DRM_PANTHOR_PERF_SAMPLE_FINAL : 0),
				.user_data = START_DATA,
				.sample_nr = n,
				.merged = m->merged,
				.events = m->late ? DRM_PANTHOR_PERF_EVENT_LATE : 0,
			};
			const char *text = ledger_check(&ledger, &header, &run, START_DATA,
							m->final);

			headers++;
			if (!text == m->good) {
				start = header.timestamp_end_ns;
				continue;
			}
			wrong++;
			check(false, "run %zu, header %zu: %s", i, n, text ? text : "is good");
		}
	}
	check(headers > 20, "%u headers", headers);
	check_eq("headers that were judged wrongly", wrong, 0);
	return wrong != 0;
}

/* ---- Limits ---- */

static int limits(void)
{
	static const uint64_t endless[] = { ~0ull, 1ull << 63, ~0ull >> 1, ~0ull >> 2 };
	int fd = open_gpu();
	uint64_t shortest = perf_info(fd).min_period_ns;
	const uint64_t short_ones[] = { 1, shortest / 2, shortest - 1 };
	struct reader r;

	check(shortest, "there is a shortest period, %" PRIu64 " ns", shortest);
	for (size_t i = 0; i < sizeof(short_ones) / sizeof(short_ones[0]); i++) {
		check_errno("SETUP with a period that is too short",
			    reader_setup(&r, fd, short_ones[i], SLOTS), EINVAL);
		session_release(&r.session);
	}
	check_errno("SETUP with the shortest one", reader_setup(&r, fd, shortest, SLOTS), 0);
	check_errno("SAMPLE before START", session_sample(&r.session, 1), EINVAL);
	reader_start(&r, NULL);
	check_errno("SAMPLE", session_sample(&r.session, 1), EINVAL);
	check_errno("START again", session_start(&r.session, 1), EINVAL);
	while (r.extract < 10 && session_wait(&r.session, r.extract + 1, WAIT_MS))
		reader_next(&r);
	check_eq("samples", r.extract, 10);
	reader_request_stop(&r);
	reader_finish(&r);

	for (size_t i = 0; i < sizeof(endless) / sizeof(endless[0]); i++) {
		check_errno("SETUP with a period without an end",
			    reader_setup(&r, fd, endless[i], SLOTS), 0);
		reader_start(&r, NULL);
		usleep(50000);
		check_eq("no sample", session_insert(&r.session), 0);
		reader_request_stop(&r);
		reader_finish(&r);
		check_eq("but the final one", r.extract, 1);
	}
	close(fd);
	return 0;
}

/* ---- A full ring ---- */

/*
 * Some points pass while the ring is full. On a host that is busy with something else the worker
 * may come to them only after the ring was read: then nothing was full. It may be in time for the
 * newest one: then nothing was late.
 */
static void check_merged(const struct reader *r, unsigned int *fulls)
{
	check(r->last.merged >= 10, "%u points are merged", r->last.merged);
	*fulls += !!(r->last.events & DRM_PANTHOR_PERF_EVENT_RING_FULL);
}

static int full(void)
{
	int fd = open_gpu();
	struct drm_panthor_perf_info info = perf_info(fd);
	uint32_t slots = info.min_sample_slots < 4 ? 4 : info.min_sample_slots;
	uint64_t period = 20 * info.min_period_ns;
	unsigned int fulls = 0;
	struct reader r;

	check_errno("SETUP", reader_setup(&r, fd, period, slots), 0);
	reader_start(&r, NULL);
	for (int round = 0; round < 3; round++) {
		uint64_t most = r.extract + slots - 1;

		check(session_wait(&r.session, most, WAIT_MS), "the ring fills up");
		usleep(period / 1000 * 50);
		check_eq("but one slot stays free", session_insert(&r.session), most);
		while (r.extract < most)
			reader_next(&r);
		check(session_wait(&r.session, most + 1, WAIT_MS), "read, it goes on");
		reader_next(&r);
		check_merged(&r, &fulls);
	}
	check(session_wait(&r.session, r.extract + slots - 1, WAIT_MS), "the ring fills up");
	usleep(period / 1000 * 50);
	reader_request_stop(&r);
	check(session_wait(&r.session, r.extract + slots, WAIT_MS), "STOP has the last slot");
	reader_finish(&r);
	check_eq("its user data", r.last.user_data, STOP_DATA);
	check_merged(&r, &fulls);
	check(fulls, "RING_FULL is told");
	close(fd);
	return 0;
}

/* ---- Several sessions ---- */

/* Period points between two times, each counted once. */
static uint64_t points_between(const struct reader *readers, unsigned int count, uint64_t from,
			       uint64_t to)
{
	uint64_t points = 0;

	for (;;) {
		uint64_t next = UINT64_MAX;

		for (unsigned int i = 0; i < count; i++) {
			uint64_t period = readers[i].ledger.period_ns;
			uint64_t own = (from / period + 1) * period;

			next = own < next ? own : next;
		}
		if (next > to)
			return points;
		points++;
		from = next;
	}
}

/* Samples, each once, where sessions of equal periods share them. */
static uint64_t samples_of(const struct reader *readers, unsigned int count)
{
	uint64_t samples = 0;

	for (unsigned int i = 0; i < count; i++) {
		uint64_t most = readers[i].extract;
		bool first = true;

		if (readers[i].ledger.ring_full)
			return 0;
		for (unsigned int j = 0; j < count; j++) {
			if (readers[j].ledger.period_ns != readers[i].ledger.period_ns)
				continue;
			first &= j >= i;
			most = readers[j].extract > most ? readers[j].extract : most;
		}
		samples += first ? most : 0;
	}
	return samples;
}

static void compare_points(const struct reader *a, const struct reader *b)
{
	unsigned int shared = 0, differ = 0;

	for (uint64_t i = 0; i < POINTS; i++) {
		uint64_t other = i + a->first_point - b->first_point;

		if (other >= POINTS || !a->at[i] || !b->at[other])
			continue;
		shared++;
		differ += a->at[i] != b->at[other];
	}
	check(shared, "%u points that two sessions share", shared);
	check_eq("points of equal periods with another sample of the GPU", differ, 0);
}

static int group(uint64_t samples, const char *folder, char **periods, unsigned int count)
{
	static struct reader readers[MOST];
	const char *state = getenv("PERF_STATE");
	int fd = open_gpu();
	uint64_t from = clock_ns(CLOCK_MONOTONIC);
	FILE *file;

	for (unsigned int i = 0; i < count; i++)
		check_errno("SETUP", reader_setup(&readers[i], fd, strtoull(periods[i], NULL, 0),
						  SLOTS), 0);
	for (unsigned int i = 0; i < count; i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s/%u.raw", folder, i);
		reader_start(&readers[i], path);
	}
	while (readers[0].extract < samples && !terminated) {
		struct pollfd wait = { .fd = readers[0].session.eventfd, .events = POLLIN };

		if (poll(&wait, 1, WAIT_MS) == 0) {
			check(false, "samples go on");
			return 1;
		}
		for (unsigned int i = 0; i < count; i++)
			reader_drain(&readers[i]);
		usleep(1000);
	}
	for (unsigned int i = 0; i < count; i++)
		reader_request_stop(&readers[i]);
	for (unsigned int i = 0; i < count; i++)
		reader_finish(&readers[i]);
	for (unsigned int i = 1; i < count; i++)
		if (readers[i].ledger.period_ns == readers[0].ledger.period_ns)
			compare_points(&readers[0], &readers[i]);
	file = state ? fopen(state, "w") : NULL;
	if (!file)
		die("PERF_STATE");
	fprintf(file, "%" PRIu64 " %" PRIu64 " %u\n",
		points_between(readers, count, from, clock_ns(CLOCK_MONOTONIC)),
		samples_of(readers, count), count);
	fclose(file);
	return 0;
}

/* ---- One session, while things happen ---- */

static int run(uint64_t period, const char *path)
{
	static struct reader r;
	uint64_t signals = 0;
	int fd = open_gpu();

	sigaction(SIGTERM, &(struct sigaction){ .sa_handler = on_term }, NULL);
	check_errno("SETUP", reader_setup(&r, fd, period, SLOTS), 0);
	reader_start(&r, path);
	tell("started");
	while (!terminated) {
		struct pollfd wait = { .fd = r.session.eventfd, .events = POLLIN };

		if (poll(&wait, 1, 100) == 1) {
			signals += session_signals(&r.session);
			reader_drain(&r);
		}
		if (signals <= r.extract)
			continue;
		check_eq("the end of the GPU is signalled by one count", signals, r.extract + 1);
		check_errno("STOP", session_stop(&r.session, STOP_DATA), ENODEV);
		usleep(20 * period / 1000);
		check_eq("nothing more is published", session_insert(&r.session), r.extract);
		check_eq("samples that are not as they must be", r.wrong, 0);
		raw_close(&r.raw);
		return 0;
	}
	reader_request_stop(&r);
	while (!r.stopped && session_wait(&r.session, r.extract + 1, WAIT_MS))
		reader_next(&r);
	check(r.stopped, "the final sample");
	check_eq("samples that are not as they must be", r.wrong, 0);
	check(r.ledger.on_point, "%" PRIu64 " samples, %" PRIu64 " at their point, %" PRIu64
	      " points merged", r.ledger.published, r.ledger.on_point, r.ledger.merged);
	raw_close(&r.raw);
	check_errno("TEARDOWN", session_teardown(&r.session), 0);
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "ledger"))
		return ledger_test();
	if (argc == 2 && !strcmp(argv[1], "limits"))
		return limits();
	if (argc == 2 && !strcmp(argv[1], "full"))
		return full();
	if (argc >= 5 && argc <= 4 + MOST && !strcmp(argv[1], "group"))
		return group(strtoull(argv[2], NULL, 0), argv[3], argv + 4, argc - 4);
	if (argc == 4 && !strcmp(argv[1], "run"))
		return run(strtoull(argv[2], NULL, 0), argv[3]);
	fprintf(stderr, "usage: perf-periodic ledger | limits | full | run PERIOD FILE |"
		" group SAMPLES FOLDER PERIOD...\n");
	return 2;
}
