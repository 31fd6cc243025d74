// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 *	perf-select PERIOD compact|full FILE
 *
 * A session of PERIOD ns, 0 for a manual one, that asks for some counters of some types. FILE gets
 * its samples, which are compared with the GPU's own totals outside.
 */
#include "raw.h"

#define SLOTS		16
#define ROUNDS		24
#define START_DATA	0x53454c45ull
#define STOP_DATA	0x4354ull

static void ask(struct session *s)
{
	for (uint32_t i = 0; i < s->setup.sections.count; i++) {
		s->sections[i].mask &= 0xf0f3c5a987654320ull >> i;
		/* Nothing of the tiler at all. */
		if (s->sections[i].block_type == DRM_PANTHOR_PERF_BLOCK_TYPE_TILER)
			s->sections[i].mask = 0;
	}
}

/* Read a sample more, and all if there are more. */
static void read_samples(struct session *s, struct raw_file *raw, uint64_t *extract)
{
	if (!session_wait(s, *extract + 1, WAIT_MS * 2))
		check(false, "a sample more");
	while (*extract < session_insert(s)) {
		raw_sample(raw, session_slot(s, *extract));
		session_consume(s, ++*extract);
	}
}

static int run(uint64_t period, bool compact, const char *path)
{
	struct raw_call call = { .user_data = START_DATA };
	int fd = open_gpu();
	struct drm_panthor_perf_info info = perf_info(fd);
	uint64_t extract = 0;
	struct raw_file raw;
	struct session s;

	check(info.flags & DRM_PANTHOR_PERF_COMPACT_SUPPORT, "PERF_INFO offers COMPACT");
	session_prepare(&s, fd, SLOTS);
	ask(&s);
	s.setup.sample_period_ns = period;
	s.setup.flags = compact ? DRM_PANTHOR_PERF_SETUP_COMPACT : 0;
	check_errno("SETUP", session_setup(&s), 0);
	check_eq("sample size", s.setup.sample_size, session_sample_size(&s, &info));
	call.before = clocks_now();
	check_errno("START", session_start(&s, START_DATA), 0);
	call.after = clocks_now();
	raw_open(&raw, path, &s);
	raw_call(&raw, RAW_START, &call);
	for (unsigned int round = 0; round < ROUNDS; round++) {
		if (!period)
			check_errno("SAMPLE", session_sample(&s, round), 0);
		read_samples(&s, &raw, &extract);
	}
	call.user_data = STOP_DATA;
	call.before = clocks_now();
	check_errno("STOP", session_stop(&s, STOP_DATA), 0);
	call.after = clocks_now();
	raw_call(&raw, RAW_STOP, &call);
	while (((const struct drm_panthor_perf_sample_header *)
		session_slot(&s, extract - 1))->user_data != STOP_DATA)
		read_samples(&s, &raw, &extract);
	check(true, "%llu samples of %u bytes", (unsigned long long)extract, s.setup.sample_size);
	raw_close(&raw);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4)
		return run(strtoull(argv[1], NULL, 0), !strcmp(argv[2], "compact"), argv[3]);
	fprintf(stderr, "usage: perf-select PERIOD compact|full FILE\n");
	return 2;
}
