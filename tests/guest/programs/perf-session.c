// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Sessions that the command line tool would not make:
 *
 *	cycles N	START, SAMPLE, STOP, N times in one session: order, numbers, signals
 *	close		the file is closed with a started session, and with a set up one
 *	hold		start a session, print "started" to the file PERF_STATE, and wait: SIGUSR1 stops
 *			it ("stopped"), SIGUSR2 ends the program, anything else kills it
 *	unplug		start one, print "started", and wait for the end of the GPU
 *	extract		an extract index that makes no sense harms nobody
 *	offsets		the indices of several sessions in one control object
 */
#include <signal.h>

#include "perf.h"

#define SLOTS	8

static void start_new(struct session *s, int fd)
{
	session_prepare(s, fd, SLOTS);
	check_errno("SETUP", session_setup(s), 0);
	check_errno("START", session_start(s, 0), 0);
}

static int cycles(unsigned int count)
{
	const unsigned int per_cycle = 4;
	const uint64_t exact = DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_STRETCHED;
	unsigned int wrong_number = 0, wrong_data = 0, wrong_time = 0, wrong_flags = 0, gpu_back = 0;
	unsigned int wrong_final = 0;
	uint64_t index = 0, signals = 0, last_gpu = 0;
	struct session s;
	int error = 0;

	session_prepare(&s, open_gpu(), SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	for (unsigned int cycle = 0; cycle < count && !error; cycle++) {
		uint64_t end = 0;

		error = session_start(&s, 0);
		for (unsigned int n = 0; n < per_cycle && !error; n++) {
			const struct drm_panthor_perf_sample_header *header;
			uint64_t data = (uint64_t)cycle << 32 | n;

			error = n == per_cycle - 1 ? session_stop(&s, data) :
						     session_sample(&s, data);
			if (error)
				break;
			if (!session_wait(&s, index + 1, WAIT_MS)) {
				error = ETIME;
				break;
			}
			header = session_slot(&s, index);
			wrong_number += header->sample_nr != n;
			wrong_data += header->user_data != data;
			wrong_flags += header->flags & exact || header->merged || header->events;
			wrong_final += !(header->flags & DRM_PANTHOR_PERF_SAMPLE_FINAL) !=
				       (n < per_cycle - 1);
			wrong_time += header->timestamp_end_ns < header->timestamp_start_ns ||
				      (n && header->timestamp_start_ns != end);
			gpu_back += header->gpu_timestamp <= last_gpu;
			end = header->timestamp_end_ns;
			last_gpu = header->gpu_timestamp;
			session_consume(&s, ++index);
		}
	}
	check_errno("all calls", error, 0);
	check_eq("samples", session_insert(&s), (uint64_t)count * per_cycle);
	check_eq("numbers restart with each START, without gaps", wrong_number, 0);
	check_eq("each sample has the user_data of its call", wrong_data, 0);
	check_eq("each sample starts where the one before ended", wrong_time, 0);
	check_eq("GPU timestamps rise", gpu_back, 0);
	check_eq("no sample has ERROR, STRETCHED or an event", wrong_flags, 0);
	check_eq("the sample of STOP has FINAL, and no other", wrong_final, 0);
	/* The last signal may follow its sample by a moment. */
	for (int i = 0; i < 100 && signals < index; i++) {
		signals += session_signals(&s);
		usleep(5000);
	}
	check_eq("one signal per sample", signals, index);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
	return 0;
}

static int close_started(void)
{
	struct session s;
	int first = open_gpu();
	int second;

	start_new(&s, first);
	check_errno("SAMPLE", session_sample(&s, 0), 0);
	/* A mapping would keep the file. */
	session_release(&s);
	close(first);
	check(true, "closed with a session that is started");

	second = open_gpu();
	session_prepare(&s, second, SLOTS);
	check_errno("SETUP in a new file", session_setup(&s), 0);
	session_release(&s);
	close(second);
	check(true, "closed with a session that is set up");

	/* All sessions use one set: the first one is not started any more. */
	second = open_gpu();
	session_prepare(&s, second, SLOTS);
	s.setup.counter_set = DRM_PANTHOR_PERF_SET_SECONDARY;
	check_errno("SETUP of another set", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	check_errno("STOP", session_stop(&s, 1), 0);
	check(session_wait(&s, 1, WAIT_MS), "a new session works");
	close(second);
	return 0;
}

static int hold(void)
{
	struct session s;
	sigset_t set;
	int caught;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	start_new(&s, open_gpu());
	tell("started");
	for (;;) {
		if (sigwait(&set, &caught))
			continue;
		if (caught == SIGUSR2)
			return 0;
		check_errno("STOP", session_stop(&s, 3), 0);
		check(session_wait(&s, 1, WAIT_MS), "the final sample");
		check_eq("its user_data", session_slot(&s, 0)->user_data, 3);
		tell("stopped");
	}
}

static int unplug(void)
{
	struct session s, idle;
	struct pollfd poll_fd = { .events = POLLIN };

	start_new(&s, open_gpu());
	session_prepare(&idle, s.fd, SLOTS);
	check_errno("SETUP of another", session_setup(&idle), 0);
	check_errno("SAMPLE", session_sample(&s, 1), 0);
	check(session_wait(&s, 1, WAIT_MS), "a sample");
	usleep(100000);
	check_eq("a signal for the sample", session_signals(&s), 1);
	tell("started");

	poll_fd.fd = s.eventfd;
	check_eq("the end of the GPU is signalled", poll(&poll_fd, 1, 20000), 1);
	usleep(200000);
	check_eq("by one count", session_signals(&s), 1);
	check_errno("SAMPLE", session_sample(&s, 0), ENODEV);
	check_errno("STOP", session_stop(&s, 0), ENODEV);
	check_errno("START", session_start(&idle, 0), ENODEV);
	check_errno("TEARDOWN", session_teardown(&s), ENODEV);
	check_errno("SETUP", session_setup(&s), ENODEV);
	check_eq("nothing more was published", session_insert(&s), 1);
	close(s.fd);
	check(true, "closed");
	return 0;
}

static int extract(void)
{
	static const uint64_t bad[] = { 100, ~0ull, 1ull << 63, 0 };
	struct session s, other;
	uint64_t index = 1;
	int fd = open_gpu();

	start_new(&s, fd);
	start_new(&other, fd);
	check_errno("SAMPLE", session_sample(&s, 0), 0);
	check(session_wait(&s, 1, WAIT_MS), "its sample");
	session_consume(&s, 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct drm_panthor_perf_sample_header *header;

		/* The valid index first, so that the ring never fills up. */
		session_consume(&s, index);
		check_errno("SAMPLE", session_sample(&s, 10), 0);
		check(session_wait(&s, ++index, WAIT_MS), "its sample");
		session_consume(&s, bad[i]);
		check_errno("SAMPLE with a bad extract index", session_sample(&s, 11), 0);
		check(session_wait(&s, ++index, WAIT_MS), "its sample");
		header = session_slot(&s, index - 1);
		check(header->events & DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT,
		      "extract index %llx is told", (unsigned long long)bad[i]);
		check_eq("its user_data", header->user_data, 11);
	}
	session_consume(&s, index);
	check_errno("SAMPLE with a good one again", session_sample(&s, 12), 0);
	check(session_wait(&s, ++index, WAIT_MS), "its sample");
	check_eq("no event", session_slot(&s, index - 1)->events, 0);
	check_errno("STOP of the other", session_stop(&other, 2), 0);
	check(session_wait(&other, 1, WAIT_MS), "its final sample");
	check_eq("without an event", session_slot(&other, 0)->events, 0);
	check_eq("user_data", session_slot(&other, 0)->user_data, 2);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	check_errno("TEARDOWN of the other", session_teardown(&other), 0);
	return 0;
}

#define SHARING	3
#define PATTERN	0xa5

/* Bytes of a control object that belong to no session and have changed. */
static unsigned int changed_bytes(const struct object *control, const uint64_t *offsets)
{
	const size_t size = sizeof(struct drm_panthor_perf_ring_control);
	const unsigned char *bytes = control->map;
	unsigned int changed = 0;

	for (uint64_t i = 0; i < control->size; i++) {
		bool used = false;

		for (int n = 0; n < SHARING; n++)
			used |= i >= offsets[n] && i < offsets[n] + size;
		changed += !used && bytes[i] != PATTERN;
	}
	return changed;
}

static uint32_t sample_events(struct session *s, uint64_t index)
{
	check_errno("SAMPLE", session_sample(s, index), 0);
	check(session_wait(s, index + 1, WAIT_MS), "its sample");
	check_eq("its user_data", session_slot(s, index)->user_data, index);
	return session_slot(s, index)->events;
}

static int offsets(void)
{
	const size_t size = sizeof(struct drm_panthor_perf_ring_control);
	uint64_t at[SHARING], samples[SHARING] = { 0 };
	struct session s[SHARING], wrong;
	int fd = open_gpu();
	struct object control = object_map(fd, 4096);
	const struct {
		const char *what;
		uint64_t offset;
	} refused[] = {
		{ "an unaligned offset", 4 },
		{ "an offset whose indices overlap the end", control.size - size + 8 },
		{ "an offset behind the end", control.size },
		{ "an offset that wraps", ~7ull },
	};

	/* The first two are neighbours, and the last one is at the end. */
	at[0] = 64;
	at[1] = 64 + size;
	at[2] = control.size - size;
	memset(control.map, PATTERN, control.size);
	session_prepare(&wrong, fd, SLOTS);
	wrong.setup.control_handle = control.handle;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		wrong.setup.control_offset = refused[i].offset;
		check_errno(refused[i].what, session_setup(&wrong), EINVAL);
	}
	session_release(&wrong);
	check_eq("they changed nothing",
		 changed_bytes(&control, (uint64_t[SHARING]){ ~0ull, ~0ull, ~0ull }), 0);

	for (int i = 0; i < SHARING; i++) {
		session_prepare(&s[i], fd, SLOTS);
		/* The object that it has as others do is not in use. */
		s[i].control.map = control.map;
		s[i].setup.control_handle = control.handle;
		s[i].setup.control_offset = at[i];
		check_errno("SETUP", session_setup(&s[i]), 0);
		check_errno("START", session_start(&s[i], 0), 0);
	}
	for (int i = 0; i < SHARING; i++) {
		check_eq("the extract index is 0", session_indices(&s[i])->extract_idx, 0);
		check_eq("the insert index is 0", session_insert(&s[i]), 0);
	}

	/* Three samples of the first session, two of the second and one of the third. */
	for (int i = 0; i < SHARING; i++)
		while (samples[i] < (uint64_t)(SHARING - i))
			check_eq("no event", sample_events(&s[i], samples[i]++), 0);
	for (int i = 0; i < SHARING; i++) {
		check_eq("each has its insert index", session_insert(&s[i]), samples[i]);
		check_eq("nobody stores an extract index", session_indices(&s[i])->extract_idx, 0);
		session_consume(&s[i], samples[i]);
	}

	/* What is a valid index for the first session is none for the second. */
	session_consume(&s[1], samples[0]);
	check(sample_events(&s[1], samples[1]++) & DRM_PANTHOR_PERF_EVENT_BAD_EXTRACT,
	      "a bad extract index is reported to its session");
	check_eq("not to the one before", sample_events(&s[0], samples[0]++), 0);
	check_eq("not to the one behind", sample_events(&s[2], samples[2]++), 0);
	session_consume(&s[1], samples[1]);
	check_eq("with a valid one again", sample_events(&s[1], samples[1]++), 0);

	/* The others go on without it. */
	check_errno("TEARDOWN", session_teardown(&s[1]), 0);
	check_eq("the one before goes on", sample_events(&s[0], samples[0]++), 0);
	check_errno("STOP", session_stop(&s[2], samples[2]), 0);
	check(session_wait(&s[2], ++samples[2], WAIT_MS), "the one behind goes on");
	check_eq("an index of no session stays", session_insert(&s[1]), samples[1]);
	check_eq("bytes of nobody that have changed", changed_bytes(&control, at), 0);
	check_errno("TEARDOWN", session_teardown(&s[0]), 0);
	check_errno("TEARDOWN", session_teardown(&s[2]), 0);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "cycles"))
		return cycles(atoi(argv[2]));
	if (argc == 2 && !strcmp(argv[1], "close"))
		return close_started();
	if (argc == 2 && !strcmp(argv[1], "hold"))
		return hold();
	if (argc == 2 && !strcmp(argv[1], "unplug"))
		return unplug();
	if (argc == 2 && !strcmp(argv[1], "extract"))
		return extract();
	if (argc == 2 && !strcmp(argv[1], "offsets"))
		return offsets();
	fprintf(stderr,
		"usage: perf-session cycles N | close | hold | unplug | extract | offsets\n");
	return 2;
}
