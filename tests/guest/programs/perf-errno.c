// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Every error of the interface's table that a program can cause, and that the failed call changed
 * nothing. Run without arguments where there are counters, with "none" where the GPU has none, with
 * "without" where the driver has none; "silent" is the part that makes the driver complain about
 * the firmware.
 */
#include <linux/udmabuf.h>
#include <sys/wait.h>

#include "perf.h"

/* Of version 1 of PERF_INFO */
#define INFO_SIZE_1	88

#define SLOTS	8

/* Bytes of an array that the driver does not know, and that are not 0: mainline has another error. */
#ifdef V1_MAINLINE
#define UNKNOWN_BYTES	E2BIG
#else
#define UNKNOWN_BYTES	EINVAL
#endif

static int gpu;
static struct drm_panthor_perf_info info;

/* Does the driver have what series NUMBER for mainline adds? Without PERF_PATCHES it has all of them. */
static bool has_series(int number)
{
	const char *patches = getenv("PERF_PATCHES");

	return !patches || atoi(patches) >= number;
}

static void set_three(struct session *s) { s->setup.counter_set = 3; }
static void unknown_set(struct session *s) { s->setup.counter_set = 0x80000000; }
static void unknown_flag(struct session *s) { s->setup.flags = 1u << 31; }
static void compact(struct session *s) { s->setup.flags = DRM_PANTHOR_PERF_SETUP_COMPACT; }
static void allow_suspend(struct session *s)
{
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
}

static void wakeup(struct session *s)
{
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_WAKEUP;
	s->setup.wakeup_samples = 1;
}

static void wakeup_samples(struct session *s) { s->setup.wakeup_samples = 1; }
static void pad(struct session *s) { s->setup.pad = 1; }
static void second_pad(struct session *s) { s->setup.pad2 = 1; }

static void clock_mode(struct session *s)
{
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
	s->setup.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST;
}

static void unknown_clock_mode(struct session *s)
{
	clock_mode(s);
	s->setup.clock_mode++;
}

static void clock_mode_alone(struct session *s)
{
	s->setup.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST;
}

static void no_slots(struct session *s) { s->setup.sample_slots = 0; }
static void odd_slots(struct session *s) { s->setup.sample_slots = SLOTS - 1; }
static void few_slots(struct session *s) { s->setup.sample_slots = info.min_sample_slots / 2; }
static void many_slots(struct session *s) { s->setup.sample_slots = info.max_sample_slots * 2; }
static void huge_slots(struct session *s) { s->setup.sample_slots = 1u << 31; }
static void no_ring(struct session *s) { s->setup.ring_handle = 0; }
static void wrong_ring(struct session *s) { s->setup.ring_handle = 0xfffffff0; }
static void wrong_control(struct session *s) { s->setup.control_handle = 0xfffffff0; }
static void odd_offset(struct session *s) { s->setup.control_offset = 4; }
static void offset_at_end(struct session *s) { s->setup.control_offset = s->control.size; }
static void offset_too_far(struct session *s) { s->setup.control_offset = s->control.size - 8; }
static void offset_wraps(struct session *s) { s->setup.control_offset = ~7ull; }
static void closed_eventfd(struct session *s) { s->setup.eventfd = 999; }
static void minus_two(struct session *s) { s->setup.eventfd = -2; }
static void no_eventfd(struct session *s) { s->setup.eventfd = gpu; }

static void small_ring(struct session *s)
{
	/* One object of a page cannot hold the slots. */
	s->setup.ring_handle = s->control.handle;
}

/* Objects that have 1 MiB more than what they are for, and a page. */
static void large_ring(struct session *s)
{
	s->setup.ring_handle = object_create(gpu, s->ring.size + (1 << 20) + 4096, 0);
}

static void large_control(struct session *s)
{
	s->setup.control_handle = object_create(gpu, (1 << 20) + 4096, 0);
}

static void large_both(struct session *s)
{
	large_ring(s);
	s->setup.control_handle = s->setup.ring_handle;
	s->setup.control_offset = s->ring.size;
}

static void shared_overlap(struct session *s)
{
	s->setup.control_handle = s->ring.handle;
	s->setup.control_offset = 0;
}

static void no_mmap(struct session *s)
{
	s->setup.ring_handle = object_create(gpu, s->ring.size, DRM_PANTHOR_BO_NO_MMAP);
}

static void no_mmap_control(struct session *s)
{
	s->setup.control_handle = object_create(gpu, 4096, DRM_PANTHOR_BO_NO_MMAP);
}

/* A buffer object of another driver, brought in as a dma-buf. */
static void imported(struct session *s)
{
	int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	int memory = memfd_create("ring", MFD_ALLOW_SEALING | MFD_CLOEXEC);
	struct udmabuf_create create = { .memfd = memory, .size = s->ring.size };
	struct drm_prime_handle prime = { 0 };

	if (device < 0 || memory < 0 || ftruncate(memory, s->ring.size) ||
	    fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK))
		die("memory for a dma-buf");
	prime.fd = ioctl(device, UDMABUF_CREATE, &create);
	if (prime.fd < 0 || ioctl(gpu, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime))
		die("importing a dma-buf");
	s->setup.ring_handle = prime.handle;
	close(prime.fd);
	close(memory);
	close(device);
}

static void unknown_type(struct session *s) { s->sections[0].block_type = 200; }
static void type_zero(struct session *s) { s->sections[0].block_type = 0; }
static void absent_type(struct session *s)
{
	s->sections[0].block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL;
}

static void header_counter(struct session *s) { s->sections[0].mask = 1; }
static void last_header_counter(struct session *s) { s->sections[0].mask = 8; }
static void odd_first(struct session *s) { s->sections[0].first_counter = 4; }
static void far_first(struct session *s)
{
	s->sections[0].first_counter = info.counters_per_block;
	s->sections[0].mask = 1;
}

static void section_pad(struct session *s) { s->sections[0].pad = 1; }
static void section_pad2(struct session *s) { s->sections[0].pad2 = 1; }
static void bad_last_section(struct session *s)
{
	s->sections[s->setup.sections.count - 1].pad2 = 0x80000000;
}

static void many_sections(struct session *s) { s->setup.sections.count = 257; }
static void absurd_sections(struct session *s) { s->setup.sections.count = 0xffffffff; }
static void narrow_sections(struct session *s) { s->setup.sections.stride = 8; }

/* What follows the first one is taken for what a newer program says with larger sections. */
static void long_sections(struct session *s)
{
	s->setup.sections.stride = 2 * sizeof(s->sections[0]);
	s->setup.sections.count = 1;
}

static void no_array(struct session *s) { s->setup.sections.array = 0; }
static void wild_array(struct session *s) { s->setup.sections.array = 0xdead000000000000; }
static void short_period(struct session *s) { s->setup.sample_period_ns = 1; }

struct setup_case {
	const char *name;
	void (*spoil)(struct session *s);
	int error;
};

static const struct setup_case setup_cases[] = {
	{ "set 3", set_three, EINVAL },
	{ "set 2^31", unknown_set, EINVAL },
	{ "an unknown flag", unknown_flag, EINVAL },
	{ "COMPACT, unknown", compact, EINVAL },
	{ "ALLOW_SUSPEND, unknown", allow_suspend, EINVAL },
	{ "WAKEUP, unknown", wakeup, EINVAL },
	{ "wakeup_samples without WAKEUP", wakeup_samples, EINVAL },
	{ "CLOCK_MODE, not offered", clock_mode, EOPNOTSUPP },
	{ "CLOCK_MODE, an unknown mode", unknown_clock_mode, EINVAL },
	{ "clock_mode without CLOCK_MODE", clock_mode_alone, EINVAL },
	{ "pad", pad, EINVAL },
	{ "pad2", second_pad, EINVAL },
	{ "no slots", no_slots, EINVAL },
	{ "slots not a power of two", odd_slots, EINVAL },
	{ "too few slots", few_slots, EINVAL },
	{ "too many slots", many_slots, EINVAL },
	{ "2^31 slots", huge_slots, EINVAL },
	{ "ring handle 0", no_ring, ENOENT },
	{ "an unknown ring handle", wrong_ring, ENOENT },
	{ "an unknown control handle", wrong_control, ENOENT },
	{ "an odd control offset", odd_offset, EINVAL },
	{ "a control offset at the end", offset_at_end, EINVAL },
	{ "indices beyond the end", offset_too_far, EINVAL },
	{ "a control offset that wraps", offset_wraps, EINVAL },
	{ "a ring too small", small_ring, EINVAL },
	{ "a ring too large", large_ring, EINVAL },
	{ "a control object too large", large_control, EINVAL },
	{ "one object too large", large_both, EINVAL },
	{ "indices inside of the slots", shared_overlap, EINVAL },
	{ "a NO_MMAP ring", no_mmap, EINVAL },
	{ "a NO_MMAP control object", no_mmap_control, EINVAL },
	{ "an imported ring", imported, EINVAL },
	{ "a closed eventfd", closed_eventfd, EBADF },
	{ "eventfd -2", minus_two, EINVAL },
	{ "an eventfd that is none", no_eventfd, EINVAL },
	{ "block type 200", unknown_type, EINVAL },
	{ "block type 0", type_zero, EINVAL },
	{ "an absent block type", absent_type, EINVAL },
	{ "counter 0", header_counter, EINVAL },
	{ "counter 3", last_header_counter, EINVAL },
	{ "an odd first counter", odd_first, EINVAL },
	{ "a first counter behind the last", far_first, EINVAL },
	{ "pad in a section", section_pad, EINVAL },
	{ "pad2 in a section", section_pad2, EINVAL },
	{ "pad2 in the last section", bad_last_section, EINVAL },
	{ "257 sections", many_sections, EINVAL },
	{ "2^32 - 1 sections", absurd_sections, EINVAL },
	{ "sections too narrow", narrow_sections, EINVAL },
	{ "sections that say more", long_sections, UNKNOWN_BYTES },
	{ "a period of 1 ns", short_period, EINVAL },
	{ "sections at NULL", no_array, EFAULT },
	{ "sections at a wild address", wild_array, EFAULT },
};

/* A flag of SETUP that this driver offers. What it does is another test's. */
static bool is_offered(const struct session *s)
{
	static const struct {
		uint32_t flag, support;
	} features[] = {
		{ DRM_PANTHOR_PERF_SETUP_COMPACT, DRM_PANTHOR_PERF_COMPACT_SUPPORT },
		{ DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT },
		{ DRM_PANTHOR_PERF_SETUP_WAKEUP, DRM_PANTHOR_PERF_WAKEUP_SUPPORT },
		{ DRM_PANTHOR_PERF_SETUP_CLOCK_MODE, DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT },
	};

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (s->setup.flags == features[i].flag && info.flags & features[i].support &&
		    s->setup.clock_mode <= DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST)
			return true;
	return false;
}

static void test_setup(void)
{
	struct session s;

	for (size_t i = 0; i < sizeof(setup_cases) / sizeof(setup_cases[0]); i++) {
		int error = setup_cases[i].error;
		char name[80];

		session_prepare(&s, gpu, SLOTS);
		setup_cases[i].spoil(&s);
		/* The one flag that a driver may know without offering it. */
		if (error == EOPNOTSUPP && !has_series(9))
			error = EINVAL;
		snprintf(name, sizeof(name), "SETUP, %s", setup_cases[i].name);
		if (!is_offered(&s))
			check_errno(name, session_setup(&s), error);
		session_release(&s);
	}

	/* None of the failures has cost anything, and the valid one is valid. */
	session_prepare(&s, gpu, SLOTS);
	check_errno("SETUP, valid", session_setup(&s), 0);
	check(s.setup.handle, "a handle is not 0");
	check_eq("the sample size is that of PERF_INFO", s.setup.sample_size, info.sample_size);
	check_errno("TEARDOWN", session_teardown(&s), 0);

	s.setup.sections.count = 0;
	check_errno("SETUP, no sections", session_setup(&s), 0);
	check_errno("TEARDOWN of it", session_teardown(&s), 0);
	s.setup.eventfd = -1;
	check_errno("SETUP, no eventfd", session_setup(&s), 0);
	check_errno("TEARDOWN of it", session_teardown(&s), 0);
	session_release(&s);
}

static void test_handles(void)
{
	struct session s;
	struct drm_panthor_perf_start start = { 0 };
	struct drm_panthor_perf_sample sample = { 0 };
	struct drm_panthor_perf_teardown teardown = { 0 };
	int other;

	session_prepare(&s, gpu, SLOTS);
	for (uint32_t handle = 0; handle < 2; handle++) {
		s.setup.handle = handle ? 12345 : 0;
		check_errno("START of no session", session_start(&s, 0), ENOENT);
		check_errno("SAMPLE of no session", session_sample(&s, 0), ENOENT);
		check_errno("STOP of no session", session_stop(&s, 0), ENOENT);
		check_errno("TEARDOWN of no session", session_teardown(&s), ENOENT);
	}
	s.setup.handle = 0;
	check_errno("SETUP", session_setup(&s), 0);

	start.handle = s.setup.handle;
	start.flags = 1;
	check_errno("START with flags", perf_call(gpu, DRM_IOCTL_PANTHOR_PERF_START, &start),
		    EINVAL);
	sample.handle = s.setup.handle;
	sample.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS << 1;
	check_errno("SAMPLE with unknown flags",
		    perf_call(gpu, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &sample), EINVAL);
	sample.flags = 0;
	sample.syncs.stride = sizeof(struct drm_panthor_sync_op);
	check_errno("SAMPLE with syncs and without their flag",
		    perf_call(gpu, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &sample), EINVAL);
	check_errno("STOP with flags", perf_call(gpu, DRM_IOCTL_PANTHOR_PERF_STOP, &start), EINVAL);
	teardown.handle = s.setup.handle;
	teardown.flags = 1;
	check_errno("TEARDOWN with flags",
		    perf_call(gpu, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, &teardown), EINVAL);

	other = open_gpu();
	s.fd = other;
	check_errno("START through another file", session_start(&s, 0), ENOENT);
	check_errno("TEARDOWN through another file", session_teardown(&s), ENOENT);
	close(other);
	s.fd = gpu;
	check_errno("TEARDOWN", session_teardown(&s), 0);
	check_errno("TEARDOWN again", session_teardown(&s), ENOENT);
	session_release(&s);
}

static void test_states(void)
{
	struct session s;

	session_prepare(&s, gpu, SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("SAMPLE before START", session_sample(&s, 0), EINVAL);
	check_errno("STOP before START", session_stop(&s, 0), EINVAL);
	check_errno("START", session_start(&s, 0), 0);
	check_errno("START again", session_start(&s, 0), EINVAL);
	check_errno("STOP", session_stop(&s, 0), 0);
	check(session_wait(&s, 1, WAIT_MS), "the final sample is published");
	check_errno("STOP again", session_stop(&s, 0), EINVAL);
	check_errno("SAMPLE after STOP", session_sample(&s, 0), EINVAL);
	check_eq("one sample in all", session_insert(&s), 1);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
}

/* Slots: SAMPLE leaves the one for the final sample alone, START needs one. */
static void test_full_ring(void)
{
	struct session s;
	uint64_t n;

	session_prepare(&s, gpu, SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	for (n = 0; n < SLOTS - 1; n++) {
		if (session_sample(&s, n) || !session_wait(&s, n + 1, WAIT_MS))
			break;
	}
	check_eq("samples until one slot is free", n, SLOTS - 1);
	check_errno("SAMPLE into the last slot", session_sample(&s, 99), EBUSY);
	check_errno("STOP with one slot free", session_stop(&s, 100), 0);
	check(session_wait(&s, SLOTS, WAIT_MS), "the final sample has its slot");
	check_eq("its user_data", session_slot(&s, SLOTS - 1)->user_data, 100);
	check_errno("START with a full ring", session_start(&s, 0), EBUSY);
	session_consume(&s, 1);
	check_errno("START with one free slot", session_start(&s, 0), 0);
	check_errno("SAMPLE with one free slot", session_sample(&s, 0), EBUSY);
	session_consume(&s, SLOTS);
	check_errno("SAMPLE with an empty ring", session_sample(&s, 0), 0);
	check(session_wait(&s, SLOTS + 1, WAIT_MS), "its sample is published");
	check_errno("TEARDOWN of a started session", session_teardown(&s), 0);
	session_release(&s);
}

/* The firmware keeps an acknowledge back: what is pending is visible. */
static void test_pending(void)
{
	struct session s;

	session_prepare(&s, gpu, SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	host("qom-set gpu0 x-delay-samples 1");
	for (unsigned int i = 0; i < SLOTS - 1; i++)
		check_errno("SAMPLE", session_sample(&s, i), 0);
	check_errno("SAMPLE while all slots are pending", session_sample(&s, 99), EBUSY);
	check_eq("nothing published yet", session_insert(&s), 0);
	check_errno("STOP while samples are pending", session_stop(&s, SLOTS - 1), 0);
	check_errno("STOP again", session_stop(&s, 99), EINVAL);
	check_errno("START before the final sample", session_start(&s, 0), EBUSY);
	host("qom-set gpu0 x-ack-now 1");
	check(session_wait(&s, SLOTS, WAIT_MS), "all are published");
	for (unsigned int i = 0; i < SLOTS; i++)
		check_eq("in the order of the calls", session_slot(&s, i)->user_data, i);
	session_consume(&s, SLOTS);
	check_errno("START after it", session_start(&s, 0), 0);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
}

static void test_limits(void)
{
	struct session *all = calloc(info.max_sessions + 1, sizeof(*all));
	uint32_t count;
	int error = 0;

	for (count = 0; count <= info.max_sessions; count++) {
		session_prepare(&all[count], gpu, info.min_sample_slots);
		error = session_setup(&all[count]);
		if (error) {
			session_release(&all[count]);
			break;
		}
	}
	check_errno("SETUP beyond the limit", error, ENOSPC);
	check_eq("sessions in one file", count, info.max_sessions);
	for (uint32_t i = 0; i < count; i++) {
		error = session_teardown(&all[i]);
		if (error)
			break;
		session_release(&all[i]);
	}
	check_errno("TEARDOWN of all", error, 0);
	session_prepare(&all[0], gpu, info.min_sample_slots);
	check_errno("SETUP after that", session_setup(&all[0]), 0);
	check_errno("TEARDOWN", session_teardown(&all[0]), 0);
	session_release(&all[0]);
	free(all);
}

static int query_type(uint32_t type, uint32_t size, void *pointer,
		      struct drm_panthor_dev_query *result)
{
	struct drm_panthor_dev_query dev_query = {
		.type = type,
		.size = size,
		.pointer = (uintptr_t)pointer,
	};
	int error = perf_call(gpu, DRM_IOCTL_PANTHOR_DEV_QUERY, &dev_query);

	if (result)
		*result = dev_query;
	return error;
}

static int query(uint32_t size, void *pointer, struct drm_panthor_dev_query *result)
{
	return query_type(DRM_PANTHOR_DEV_QUERY_PERF_INFO, size, pointer, result);
}

/* The reply changes with the rates, but not the rates of the modes. */
static void test_clocks(void)
{
	const uint32_t type = DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS;
	struct drm_panthor_dev_query result = { 0 };
	struct drm_panthor_perf_clocks clocks;
	uint8_t longer[sizeof(clocks) + 8];

	if (!has_series(9)) {
		check_errno("PERF_CLOCKS, unknown", query_type(type, 0, NULL, &result), EINVAL);
		return;
	}
	check_errno("PERF_CLOCKS, its size", query_type(type, 0, NULL, &result), 0);
	check_eq("the size of PERF_CLOCKS", result.size, sizeof(clocks));
	check_errno("PERF_CLOCKS at a wild address",
		    query_type(type, sizeof(clocks), (void *)0xdead0000, NULL), EFAULT);
	memset(&clocks, 0xa5, sizeof(clocks));
	check_errno("PERF_CLOCKS, shorter", query_type(type, sizeof(clocks) - 1, &clocks, NULL),
		    EINVAL);
	check(clocks.toplevel.rate_hz == 0xa5a5a5a5a5a5a5a5, "PERF_CLOCKS, shorter: left alone");
	check_errno("PERF_CLOCKS", query_type(type, sizeof(clocks), &clocks, NULL), 0);
	check(clocks.toplevel.rate_hz, "the core clock has a rate");
	check(clocks.toplevel.lowest_hz <= clocks.toplevel.profiling_hz &&
	      clocks.toplevel.profiling_hz <= clocks.toplevel.highest_hz, "rates of the modes");
	check_eq("clock modes with more than one rate",
		 clocks.toplevel.lowest_hz < clocks.toplevel.highest_hz,
		 !!(info.flags & DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT));
	memset(longer, 0xa5, sizeof(longer));
	check_errno("PERF_CLOCKS, longer", query_type(type, sizeof(longer), longer, NULL), 0);
	check(!longer[sizeof(clocks)] && !longer[sizeof(longer) - 1],
	      "PERF_CLOCKS, longer: zeroes");
	check_errno("the query behind PERF_CLOCKS", query_type(type + 1, sizeof(longer), longer,
							       NULL), EINVAL);
}

/* Room for a longer structure than this driver knows, which ends behind the caller's memory. */
static void test_info_end(void)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *end = pages + page - sizeof(info);

	if (pages == MAP_FAILED || munmap(pages + page, page))
		die("no memory with an end");
	check_errno("PERF_INFO at the end of the memory", query(sizeof(info), end, NULL), 0);
	check_errno("PERF_INFO beyond the memory", query(sizeof(info) + page, end, NULL), EFAULT);
	munmap(pages, page);
}

static void test_info(void)
{
	struct drm_panthor_dev_query result = { 0 };
	uint8_t buffer[sizeof(info) + 64];
	uint32_t size = 0;

	check_errno("PERF_INFO, its size", query(0, NULL, &result), 0);
	check_eq("the size told", result.size, sizeof(info));
	check_errno("PERF_INFO at a wild address", query(sizeof(info), (void *)0xdead0000, NULL),
		    EFAULT);
	/*
	 * One that is shorter than that of version 1 is refused and left alone. Others get what
	 * they have room for, and zeroes behind the end.
	 */
	for (size = 1; size < sizeof(info); size++) {
		memset(buffer, 0xa5, sizeof(buffer));
		if (query(size, buffer, NULL) != EINVAL || buffer[0] != 0xa5 ||
		    memcmp(buffer, buffer + 1, sizeof(buffer) - 1))
			break;
	}
	check_eq("PERF_INFO into shorter buffers: EINVAL", size, INFO_SIZE_1);
	for (; size < sizeof(buffer); size++) {
		uint8_t expected[sizeof(buffer)] = { 0 };

		memcpy(expected, &info, size < sizeof(info) ? size : sizeof(info));
		memset(buffer, 0xa5, sizeof(buffer));
		if (query(size, buffer, NULL) || memcmp(buffer, expected, size) ||
		    buffer[size] != 0xa5)
			break;
	}
	check_eq("PERF_INFO into longer buffers", size, sizeof(buffer));
	test_info_end();
	test_clocks();
}

/* By default, SETUP needs the right, also in a file with a session of root. Other calls do not need it. */
static void test_privilege(void)
{
	struct session s, roots;
	pid_t child;
	int status;

	session_prepare(&s, gpu, SLOTS);
	session_prepare(&roots, gpu, SLOTS);
	check_errno("SETUP as root", session_setup(&roots), 0);
	fflush(stdout);
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		if (setgid(65534) || setuid(65534))
			die("becoming nobody");
		s.setup.counter_set = DRM_PANTHOR_PERF_SET_SECONDARY;
		check_errno("SETUP, secondary set, as nobody", session_setup(&s), EACCES);
		s.setup.counter_set = DRM_PANTHOR_PERF_SET_PRIMARY;
		check_errno("SETUP, primary set, as nobody", session_setup(&s), EACCES);
		check_errno("START as nobody, of root's session", session_start(&roots, 0), 0);
		check_errno("TEARDOWN as nobody, of root's session", session_teardown(&roots), 0);
		_exit(0);
	}
	waitpid(child, &status, 0);
	check_eq("the child's status", status, 0);
	session_release(&s);
	session_release(&roots);
}

/* A firmware that is silent: START gives up, and works again when it speaks. */
static void test_silent_firmware(void)
{
	struct session s;
	int error = 0;

	session_prepare(&s, gpu, SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	host("qom-set gpu0 x-delay-samples 1000");
	check_errno("START with a silent firmware", session_start(&s, 0), ETIMEDOUT);
	check_errno("STOP after it", session_stop(&s, 0), EINVAL);
	host("qom-set gpu0 x-delay-samples 0");
	host("qom-set gpu0 x-ack-now 1");
	/* The counters are dead until the GPU, which nothing else uses, is suspended. */
	for (int i = 0; i < WAIT_MS / 10; i++) {
		error = session_start(&s, 0);
		if (error != EIO)
			break;
		usleep(10000);
	}
	check_errno("START when it answers again", error, 0);
	check_errno("STOP", session_stop(&s, 7), 0);
	check(session_wait(&s, 1, WAIT_MS), "the final sample");
	check_eq("its user_data", session_slot(&s, 0)->user_data, 7);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
}

/*
 * No counters: a GPU that has none says so with EOPNOTSUPP in each call that leads to a session, a driver
 * that does not know of any with EINVAL.
 */
static void test_none(int error)
{
	struct drm_panthor_perf_setup setup = { .eventfd = -1, .sample_slots = SLOTS };
	uint8_t buffer[256];

	check_errno("PERF_INFO, its size", query(0, NULL, NULL), error);
	check_errno("PERF_INFO", query(sizeof(buffer), buffer, NULL), error);
	check_errno("SETUP", perf_call(gpu, DRM_IOCTL_PANTHOR_PERF_SETUP, &setup), error);
}

int main(int argc, char **argv)
{
	gpu = open_gpu();
	if (argc == 2 && !strcmp(argv[1], "none")) {
		test_none(EOPNOTSUPP);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "without")) {
		test_none(EINVAL);
		return 0;
	}
	info = perf_info(gpu);
	if (argc == 2 && !strcmp(argv[1], "silent")) {
		test_silent_firmware();
		return 0;
	}
	test_info();
	test_setup();
	test_handles();
	test_states();
	test_full_ring();
	test_pending();
	test_limits();
	test_privilege();
	return 0;
}
