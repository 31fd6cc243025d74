// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Compact samples, and masks that change while a session is started:
 *
 *	errors			what UPDATE refuses
 *	run PERIOD compact|full FILE
 *				a session of PERIOD ns, 0 for a manual one, with UPDATEs; FILE gets
 *				its samples, which are compared with the GPU's own totals outside
 */
#include "raw.h"

#define SLOTS		16
#define ROUNDS		12
#define START_DATA	0x53454c45ull
#define STOP_DATA	0x4354ull

/* What samples tell of the counters that SETUP asked for. */
static const uint64_t patterns[] = {
	~0ull, 0x00000000ffffffffull, 0, 0xffffffff00000000ull, 0x5555555555555555ull, ~0ull,
};

static void ask(struct session *s)
{
	for (uint32_t i = 0; i < s->setup.sections.count; i++) {
		s->sections[i].mask &= 0xf0f3c5a987654320ull >> i;
		/* Nothing of the tiler at all. */
		if (s->sections[i].block_type == DRM_PANTHOR_PERF_BLOCK_TYPE_TILER)
			s->sections[i].mask = 0;
	}
}

static int update_errors(void)
{
	struct drm_panthor_perf_section section = {
		.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,
	};
	struct drm_panthor_perf_update update = { 0 }, other;
	int fd = open_gpu();
	struct drm_panthor_perf_info info = perf_info(fd);
	uint64_t asked = 0;
	struct session s;

	check(info.flags & DRM_PANTHOR_PERF_UPDATE_SUPPORT, "PERF_INFO offers UPDATE");
	check(info.flags & DRM_PANTHOR_PERF_COMPACT_SUPPORT, "PERF_INFO offers COMPACT");
	session_prepare(&s, fd, SLOTS);
	ask(&s);
	s.setup.flags = DRM_PANTHOR_PERF_SETUP_COMPACT;
	check_errno("SETUP", session_setup(&s), 0);
	check_eq("the size of a compact sample", s.setup.sample_size,
		 session_sample_size(&s, &info));
	update.handle = s.setup.handle;
	update.sections = s.setup.sections;
	check_errno("UPDATE with all of SETUP", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE,
							  &update), 0);
	check_eq("its generation", update.generation, 1);
	update.sections = (struct drm_panthor_obj_array)DRM_PANTHOR_OBJ_ARRAY(1, &section);
	for (uint32_t i = 0; i < s.setup.sections.count; i++)
		if (s.sections[i].block_type == section.block_type && !s.sections[i].first_counter)
			asked = s.sections[i].mask;
	section.mask = asked & -asked;
	check_errno("UPDATE", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &update), 0);
	check_eq("its generation", update.generation, 2);
	section.mask = ~asked & ~0xfull;
	check_errno("UPDATE beyond SETUP", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &update),
		    EINVAL);
	section.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_TILER;
	check_errno("UPDATE with a type that SETUP has not",
		    perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &update), EINVAL);
	section.block_type = 200;
	check_errno("UPDATE with an unknown type", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE,
							     &update), EINVAL);
	other = update;
	other.sections.count = 0;
	other.pad = 1;
	check_errno("UPDATE, pad", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &other), EINVAL);
	other.pad = 0;
	other.pad2 = 1;
	check_errno("UPDATE, pad2", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &other), EINVAL);
	other.pad2 = 0;
	other.handle = 12345;
	check_errno("UPDATE of no session", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &other),
		    ENOENT);
	update.sections.array = 0;
	check_errno("UPDATE from NULL", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &update),
		    EFAULT);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	other.handle = s.setup.handle;
	check_errno("UPDATE behind it", perf_call(fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &other),
		    ENOENT);
	session_release(&s);
	close(fd);
	return 0;
}

static void update(struct session *s, struct raw_file *raw, unsigned int round)
{
	struct drm_panthor_perf_section sections[16];
	struct drm_panthor_perf_update update = {
		.handle = s->setup.handle,
		.sections = DRM_PANTHOR_OBJ_ARRAY(s->setup.sections.count, sections),
	};
	struct clocks before = clocks_now(), after;
	int error;

	memcpy(sections, s->sections, sizeof(sections));
	for (uint32_t i = 0; i < s->setup.sections.count; i++)
		sections[i].mask &= patterns[round % (sizeof(patterns) / sizeof(patterns[0]))];
	error = perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_UPDATE, &update);
	after = clocks_now();
	check_errno("UPDATE", error, 0);
	raw_update(raw, &update, &before, &after);
}

/* Read so many samples more, and all if there are more. */
static void read_samples(struct session *s, struct raw_file *raw, uint64_t *extract, uint64_t most)
{
	if (!session_wait(s, *extract + most, WAIT_MS * 2))
		check(false, "%llu samples more", (unsigned long long)most);
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

	session_prepare(&s, fd, SLOTS);
	ask(&s);
	s.setup.sample_period_ns = period;
	s.setup.flags = compact ? DRM_PANTHOR_PERF_SETUP_COMPACT : 0;
	check_errno("SETUP", session_setup(&s), 0);
	check_eq("sample size", s.setup.sample_size, session_sample_size(&s, &info));
	call.before = clocks_now();
	check_errno("START", session_start(&s, START_DATA), 0);
	call.after = clocks_now();
	raw_open_as(&raw, path, &s, true);
	raw_call(&raw, RAW_START, &call);
	for (unsigned int round = 1; round <= ROUNDS; round++) {
		if (!period) {
			check_errno("SAMPLE", session_sample(&s, round), 0);
			read_samples(&s, &raw, &extract, 1);
			check_errno("SAMPLE", session_sample(&s, 100 + round), 0);
		}
		/* The second one may be published already, or be on its way. */
		update(&s, &raw, round);
		read_samples(&s, &raw, &extract, period ? 3 : 1);
	}
	call.user_data = STOP_DATA;
	call.before = clocks_now();
	check_errno("STOP", session_stop(&s, STOP_DATA), 0);
	call.after = clocks_now();
	raw_call(&raw, RAW_STOP, &call);
	while (((const struct drm_panthor_perf_sample_header *)
		session_slot(&s, extract - 1))->user_data != STOP_DATA)
		read_samples(&s, &raw, &extract, 1);
	check(true, "%llu samples of %u bytes", (unsigned long long)extract, s.setup.sample_size);
	raw_close(&raw);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "errors"))
		return update_errors();
	if (argc == 5 && !strcmp(argv[1], "run"))
		return run(strtoull(argv[2], NULL, 0), !strcmp(argv[3], "compact"), argv[4]);
	fprintf(stderr, "usage: perf-select errors | run PERIOD compact|full FILE\n");
	return 2;
}
