// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the driver tells about its sessions, against what the program did:
 *
 *	ledger		the sessions in the file "state" of debugfs (of the folder PERF_DEBUGFS), step by step
 *	extract		reading it changes nothing of what the next sample reports of the extract index
 *	activity N PERIOD FILE
 *			a manual session with N samples, one of which fails, and one with a period in ns whose
 *			ring nobody reads; writes a line per sample to the file, in the words of the tracepoint
 *			panthor_perf_publish, and behind them the GPU timestamp
 */
#include <inttypes.h>

#include "perf.h"

#define HOUR_NS		3600000000000ull
#define SLOTS		8
#define FEW_SLOTS	4

/* ---- What is told ---- */

static void read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t got;

	if (fd < 0)
		die(path);
	while ((got = read(fd, text + used, size - 1 - used)) > 0)
		used += got;
	text[used] = 0;
	close(fd);
}

static void read_state(char *text, size_t size)
{
	const char *folder = getenv("PERF_DEBUGFS");
	char path[256];

	snprintf(path, sizeof(path), "%s/state", folder ? folder : "");
	read_file(path, text, size);
}

/* How many lines of sessions end like this. */
static unsigned int session_lines(const char *end)
{
	unsigned int count = 0;
	char text[16384];
	char *line, *rest;

	read_state(text, sizeof(text));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t length = strlen(line), tail = strlen(end);

		count += !strncmp(line, "session ", strlen("session ")) && length >= tail &&
			 !strcmp(line + length - tail, end);
	}
	return count;
}

/**
 * struct account - what is known about a session
 */
struct account {
	/** @session: The session. */
	struct session session;

	/** @state: Its state. */
	const char *state;

	/** @published: Samples. */
	uint64_t published;

	/** @merged: Periods merged. */
	uint64_t merged;

	/** @erroneous: Samples with ERROR or OVERFLOW. */
	uint64_t erroneous;

	/** @unread: Samples in the ring. */
	uint64_t unread;
};

static void check_account(const struct account *a, const char *text)
{
	char want[320];

	snprintf(want, sizeof(want), " set=%u slots=%u %s period=%" PRIu64 " published=%" PRIu64 " merged=%" PRIu64
		 " erroneous=%" PRIu64 " unread=%" PRIu64 " pending=0", a->session.setup.counter_set,
		 a->session.setup.sample_slots, a->state, (uint64_t)a->session.setup.sample_period_ns, a->published, a->merged, a->erroneous,
		 a->unread);
	check(session_lines(want) == 1, "%s: a line '%s'", text, want);
}

static void account_setup(struct account *a, int fd, uint32_t set, uint32_t slots, uint64_t period)
{
	*a = (struct account){ .state = "stopped" };
	session_prepare(&a->session, fd, slots);
	a->session.setup.counter_set = set;
	a->session.setup.sample_period_ns = period;
	check_errno("SETUP", session_setup(&a->session), 0);
}

static void account_sample(struct account *a)
{
	check_errno("SAMPLE", session_sample(&a->session, 0), 0);
	check(session_wait(&a->session, ++a->published, WAIT_MS), "its sample");
	a->unread++;
}

static void account_stop(struct account *a)
{
	check_errno("STOP", session_stop(&a->session, 0), 0);
	check(session_wait(&a->session, ++a->published, WAIT_MS), "its sample");
	a->unread++;
	a->state = "stopped";
}

static int ledger(void)
{
	struct account manual, period, full, other;
	int fd = open_gpu(), second = open_gpu();

	account_setup(&manual, fd, 0, SLOTS, 0);
	account_setup(&period, fd, 0, FEW_SLOTS, HOUR_NS);
	account_setup(&other, second, 1, 2, 0);
	check_account(&manual, "manual");
	check_account(&period, "with a period");
	check_account(&other, "of another file and set");

	check_errno("START", session_start(&manual.session, 0), 0);
	manual.state = "started";
	check_account(&manual, "started");
	for (int i = 0; i < 3; i++)
		account_sample(&manual);
	check_account(&manual, "three samples");
	session_consume(&manual.session, 2);
	manual.unread -= 2;
	check_account(&manual, "two of them read");
	if (!host("qom-set gpu0 x-skip-samples 1"))
		return 1;
	account_sample(&manual);
	manual.erroneous++;
	check_account(&manual, "one that failed");

	check_errno("START", session_start(&period.session, 0), 0);
	period.state = "started";
	check_account(&period, "a period that does not end");
	account_stop(&period);
	check_account(&period, "STOP");
	account_stop(&manual);
	check_account(&manual, "STOP");
	check_errno("START", session_start(&manual.session, 0), 0);
	manual.state = "started";
	check_account(&manual, "started again");
	account_sample(&manual);
	check_account(&manual, "its sample");

	/* All but the last slot fill up; what the final sample has merged is in its header. */
	account_setup(&full, fd, 0, FEW_SLOTS, 20000000);
	check_errno("START", session_start(&full.session, 0), 0);
	full.published = full.unread = FEW_SLOTS - 1;
	check(session_wait(&full.session, full.published, WAIT_MS), "a ring that fills up");
	usleep(200000);
	account_stop(&full);
	for (uint32_t i = 0; i < FEW_SLOTS; i++)
		full.merged += session_slot(&full.session, i)->merged;
	check(full.merged >= 2, "%" PRIu64 " periods were merged", full.merged);
	check_account(&full, "full");
	session_consume(&full.session, FEW_SLOTS);
	full.unread = 0;
	check_account(&full, "and read");

	check_errno("TEARDOWN", session_teardown(&manual.session), 0);
	check_account(&full, "the others are");
	check_eq("sessions in debugfs", session_lines(""), 3);
	check_errno("TEARDOWN", session_teardown(&other.session), 0);
	check_eq("sessions in debugfs", session_lines(""), 2);
	return 0;
}

/* ---- Reading changes nothing ---- */

#define OBSERVATIONS	20

/* Read the state many times; the number of unread samples that the last reading has. */
static int observe(void)
{
	const char *unread;
	char text[16384];

	for (int i = 0; i < OBSERVATIONS; i++)
		read_state(text, sizeof(text));
	unread = strstr(text, "unread=");
	return unread ? atoi(unread + strlen("unread=")) : -1;
}

/* Take a sample. Whether it reports a bad extract index. */
static bool next_is_bad(struct session *s)
{
	uint64_t index = session_insert(s);

	check_errno("SAMPLE", session_sample(s, index), 0);
	check(session_wait(s, index + 1, WAIT_MS), "its sample");
	return session_slot(s, index)->events & DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT;
}

static int extract(void)
{
	static const uint64_t bad[] = { 100, ~0ull, 1ull << 63, 0 };
	struct session s;

	session_prepare(&s, open_gpu(), 2 * SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	for (int i = 0; i < 3; i++)
		check(!next_is_bad(&s), "a sample");
	session_consume(&s, 1);
	check(!next_is_bad(&s), "a sample, one is read");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		session_consume(&s, bad[i]);
		check_eq("unread samples behind the last valid index", observe(),
			 session_insert(&s) - 1);
		session_consume(&s, 1);
		check(!next_is_bad(&s), "a wrong index %llx that only observers have read",
		      (unsigned long long)bad[i]);
	}

	/* An index that only observers have read may go back. */
	session_consume(&s, 3);
	check_eq("unread samples of an index that advances", observe(), session_insert(&s) - 3);
	session_consume(&s, 2);
	check(!next_is_bad(&s), "an index that goes back behind an observation");

	/* One that the driver has read itself may not, and is reported once. */
	session_consume(&s, 1);
	observe();
	check(next_is_bad(&s), "a wrong index is reported, also behind observations");
	session_consume(&s, 2);
	observe();
	check(!next_is_bad(&s), "once");
	check_errno("STOP", session_stop(&s, 0), 0);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	return 0;
}

/* ---- Activity ---- */

static void print_headers(FILE *file, struct session *s)
{
	for (uint64_t i = 0; i < session_insert(s); i++) {
		const struct drm_panthor_perf_sample_header *header = session_slot(s, i);

		fprintf(file, "nr=%llu start=%llu end=%llu merged=%u flags=0x%x events=0x%x gpu=%llu\n",
			header->sample_nr, header->timestamp_start_ns, header->timestamp_end_ns,
			header->merged, header->flags, header->events, header->gpu_timestamp);
	}
}

static int activity(uint32_t samples, uint64_t period, const char *path)
{
	struct session manual, full;
	FILE *file = fopen(path, "w");
	uint32_t slots = SLOTS;
	int fd = open_gpu();

	if (!file)
		die(path);
	while (slots < samples + 1)
		slots *= 2;
	session_prepare(&manual, fd, slots);
	check_errno("SETUP", session_setup(&manual), 0);
	session_prepare(&full, fd, FEW_SLOTS);
	full.setup.sample_period_ns = period;
	check_errno("SETUP", session_setup(&full), 0);
	check_errno("START", session_start(&manual, 0), 0);
	for (uint32_t i = 0; i < samples; i++) {
		if (i == samples / 2 && !host("qom-set gpu0 x-skip-samples 1"))
			return 1;
		if (session_sample(&manual, i) || !session_wait(&manual, i + 1, WAIT_MS)) {
			check(false, "sample %u", i);
			return 1;
		}
	}
	check_errno("START", session_start(&full, 0), 0);
	usleep(period / 1000 * 12);
	check_errno("STOP", session_stop(&full, 0), 0);
	check(session_wait(&full, FEW_SLOTS, WAIT_MS), "a ring that is full");
	check_errno("STOP", session_stop(&manual, 0), 0);
	check(session_wait(&manual, samples + 1, WAIT_MS), "the final sample");
	print_headers(file, &manual);
	print_headers(file, &full);
	fclose(file);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "ledger"))
		return ledger();
	if (argc == 2 && !strcmp(argv[1], "extract"))
		return extract();
	if (argc == 5 && !strcmp(argv[1], "activity"))
		return activity(atoi(argv[2]), strtoull(argv[3], NULL, 10), argv[4]);
	fprintf(stderr, "usage: perf-observe ledger | extract | activity N PERIOD FILE\n");
	return 2;
}
