// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/**
 * TEST: Creation of sessions
 * Category: Core
 * Mega feature: Performance counters
 * Sub-category: Panthor
 * Functionality: setup
 */
#include <linux/udmabuf.h>

#include "panthor_perf.h"

IGT_TEST_DESCRIPTION("Every field of DRM_IOCTL_PANTHOR_PERF_SETUP: valid, at its limits, invalid");

#define UNKNOWN_HANDLE	0x7fffffff

/* A session's number in this file is never 0, and what SETUP did not accept is not there. */
static void expect_error(struct perf_session *s, int error)
{
	unsigned int before = perf_sessions(s->fd);

	igt_assert_eq(perf_setup(s), error);
	igt_assert_eq(perf_sessions(s->fd), before);
}

static void expect_works(struct perf_session *s)
{
	igt_assert_eq(perf_setup(s), 0);
	igt_assert_neq_u32(s->setup.handle, 0);
	igt_assert_lte_u32(s->info.sample_header_size, s->setup.sample_size);
	igt_assert_eq_u64(perf_insert(s), 0);
	igt_assert_eq_u64(perf_extract(s), 0);
	igt_assert_eq(perf_start(s, 1), 0);
	igt_assert_eq(perf_stop(s, 2), 0);
	perf_wait(s, 1);
	igt_assert_eq_u64(perf_slot(s, 0)->user_data, 2);
}

static void no_mmap(struct perf_session *s, uint32_t *handle)
{
	*handle = perf_bo_create(s->fd, s->ring.size, DRM_PANTHOR_BO_NO_MMAP).handle;
}

/* A buffer object of memory that another driver made: udmabuf, which is everywhere. */
static void imported(struct perf_session *s, uint32_t *handle)
{
	struct udmabuf_create create = { .size = s->ring.size };
	struct drm_prime_handle prime = { 0 };
	int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	int memory;

	igt_require_f(device >= 0, "no udmabuf for a foreign buffer\n");
	memory = memfd_create("panthor_perf", MFD_ALLOW_SEALING);
	igt_assert_fd(memory);
	igt_assert_eq(ftruncate(memory, create.size), 0);
	igt_assert_eq(fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	create.memfd = memory;
	prime.fd = ioctl(device, UDMABUF_CREATE, &create);
	igt_assert_fd(prime.fd);
	igt_assert_eq(perf_call(s->fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime), 0);
	*handle = prime.handle;
	close(prime.fd);
	close(memory);
	close(device);
}

static void set_unknown(struct perf_session *s)
{
	s->setup.counter_set = 3;
}

static void set_huge(struct perf_session *s)
{
	s->setup.counter_set = UINT32_MAX;
}

static void flag_next(struct perf_session *s)
{
	igt_require_f(!(s->info.flags & ~PERF_KNOWN_FLAGS), "the driver is newer than this test\n");
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_WAKEUP << 1;
}

static void flag_last(struct perf_session *s)
{
	s->setup.flags = 1u << 31;
}

static void flag_behind(struct perf_session *s)
{
	flag_next(s);
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_CLOCK_MODE << 1;
}

static void clock_mode(struct perf_session *s)
{
	s->setup.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST;
}

static void clock_mode_unknown(struct perf_session *s)
{
	s->setup.flags = DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
	s->setup.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST + 1;
}

static void pad2(struct perf_session *s)
{
	s->setup.pad2 = 1;
}

static void wakeup_samples(struct perf_session *s)
{
	s->setup.wakeup_samples = 1;
}

static void pad(struct perf_session *s)
{
	s->setup.pad = 1;
}

static void eventfd_closed(struct perf_session *s)
{
	close(s->setup.eventfd);
}

static void eventfd_other(struct perf_session *s)
{
	s->setup.eventfd = s->fd;
}

static void slots_none(struct perf_session *s)
{
	s->setup.sample_slots = 0;
}

static void slots_odd(struct perf_session *s)
{
	s->setup.sample_slots = PERF_SLOTS - 1;
}

static void slots_few(struct perf_session *s)
{
	s->setup.sample_slots = s->info.min_sample_slots / 2;
}

static void slots_many(struct perf_session *s)
{
	s->setup.sample_slots = s->info.max_sample_slots * 2;
}

static void slots_last_bit(struct perf_session *s)
{
	s->setup.sample_slots = 1u << 31;
}

static void ring_none(struct perf_session *s)
{
	s->setup.ring_handle = 0;
}

static void ring_unknown(struct perf_session *s)
{
	s->setup.ring_handle = UNKNOWN_HANDLE;
}

static void ring_small(struct perf_session *s)
{
	uint64_t page = perf_page_size();
	uint64_t size = ((uint64_t)PERF_SLOTS * s->info.sample_size - 1) / page * page;

	/* Objects are of whole pages: the largest one that is too small. */
	igt_require_f(size, "a page holds the whole ring\n");
	s->setup.ring_handle = perf_bo_create(s->fd, size, 0).handle;
}

/* The smallest objects that have more than 1 MiB beyond what they are for. */
#define SPARE_SIZE	0x100000

static uint64_t too_large(const struct perf_session *s)
{
	uint64_t page = perf_page_size();

	return ((uint64_t)PERF_SLOTS * s->info.sample_size + SPARE_SIZE) / page * page + page;
}

static void ring_large(struct perf_session *s)
{
	s->setup.ring_handle = perf_bo_create(s->fd, too_large(s), 0).handle;
}

static void control_large(struct perf_session *s)
{
	s->setup.control_handle = perf_bo_create(s->fd, SPARE_SIZE + perf_page_size(), 0).handle;
}

static void both_large(struct perf_session *s)
{
	ring_large(s);
	s->setup.control_handle = s->setup.ring_handle;
	s->setup.control_offset = (uint64_t)PERF_SLOTS * s->info.sample_size;
}

static void ring_no_mmap(struct perf_session *s)
{
	no_mmap(s, &s->setup.ring_handle);
}

static void ring_imported(struct perf_session *s)
{
	imported(s, &s->setup.ring_handle);
}

static void control_none(struct perf_session *s)
{
	s->setup.control_handle = 0;
}

static void control_unknown(struct perf_session *s)
{
	s->setup.control_handle = UNKNOWN_HANDLE;
}

static void control_no_mmap(struct perf_session *s)
{
	no_mmap(s, &s->setup.control_handle);
}

static void control_imported(struct perf_session *s)
{
	imported(s, &s->setup.control_handle);
}

static void offset_odd(struct perf_session *s)
{
	s->setup.control_offset = 4;
}

static void offset_last_word(struct perf_session *s)
{
	s->setup.control_offset = s->control.size - 8;
}

static void offset_behind(struct perf_session *s)
{
	s->setup.control_offset = s->control.size;
}

static void offset_wraps(struct perf_session *s)
{
	s->setup.control_offset = UINT64_MAX - 7;
}

static void offset_in_slots(struct perf_session *s)
{
	s->setup.control_handle = s->setup.ring_handle;
	s->setup.control_offset = ((uint64_t)PERF_SLOTS * s->info.sample_size - 1) & ~7ull;
}

static void period_short(struct perf_session *s)
{
	igt_require_f(s->info.min_period_ns, "no periodic sessions\n");
	s->setup.sample_period_ns = s->info.min_period_ns - 1;
}

static void period_one(struct perf_session *s)
{
	s->setup.sample_period_ns = 1;
}

static void sections_many(struct perf_session *s)
{
	static struct drm_panthor_perf_section many[257];

	for (unsigned int i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = s->sections[0];
	s->setup.sections = (struct drm_panthor_obj_array)
		DRM_PANTHOR_OBJ_ARRAY(ARRAY_SIZE(many), many);
}

static void sections_huge(struct perf_session *s)
{
	s->setup.sections.count = UINT32_MAX;
}

static void sections_unreadable(struct perf_session *s)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	igt_assert(page != MAP_FAILED);
	s->setup.sections.array = (uintptr_t)page;
}

static void sections_stride(struct perf_session *s)
{
	s->setup.sections.stride = sizeof(s->sections[0]) - 1;
}

static void sections_wide(struct perf_session *s)
{
	s->setup.sections.stride = perf_page_size() + 8;
}

static void type_zero(struct perf_session *s)
{
	s->sections[0].block_type = 0;
}

static void type_absent(struct perf_session *s)
{
	igt_require(!s->info.neural_blocks);
	s->sections[0].block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL;
}

static void type_count(struct perf_session *s)
{
	s->sections[0].block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT;
}

static void type_last(struct perf_session *s)
{
	s->sections[0].block_type = UINT8_MAX;
}

static void section_pad(struct perf_session *s)
{
	s->sections[0].pad = 1;
}

static void section_pad2(struct perf_session *s)
{
	s->sections[0].pad2 = 1;
}

static void first_counter_odd(struct perf_session *s)
{
	s->sections[0].first_counter = 32;
}

static void first_counter_behind(struct perf_session *s)
{
	s->sections[0].first_counter = (s->info.counters_per_block + 63) / 64 * 64;
}

static void mask_header_first(struct perf_session *s)
{
	s->sections[0].mask = 1 << 0;
}

static void mask_header_last(struct perf_session *s)
{
	s->sections[0].mask = 1 << 3;
}

static const struct {
	const char *name;
	void (*spoil)(struct perf_session *s);
	int error;
	const char *text;
} invalid[] = {
	{ "set-unknown", set_unknown, -EINVAL, "The first set that does not exist." },
	{ "set-huge", set_huge, -EINVAL, "The last number that a set could have." },
	{ "flag-next", flag_next, -EINVAL, "The first flag that does not exist." },
	{ "flag-behind", flag_behind, -EINVAL, "The flag behind those of this version." },
	{ "flag-last", flag_last, -EINVAL, "The last flag that could exist." },
	{ "wakeup-samples", wakeup_samples, -EINVAL, "A number of samples without WAKEUP." },
	{ "clock-mode", clock_mode, -EINVAL, "A clock mode without CLOCK_MODE." },
	{ "clock-mode-unknown", clock_mode_unknown, -EINVAL, "A clock mode that does not exist." },
	{ "pad", pad, -EINVAL, "A pad that is not 0." },
	{ "pad2", pad2, -EINVAL, "The second pad, not 0." },
	{ "eventfd-closed", eventfd_closed, -EBADF, "An eventfd that is closed." },
	{ "eventfd-other", eventfd_other, -EINVAL, "An open file that is no eventfd." },
	{ "slots-none", slots_none, -EINVAL, "A ring of no slots." },
	{ "slots-odd", slots_odd, -EINVAL, "Slots that are no power of two." },
	{ "slots-few", slots_few, -EINVAL, "Fewer slots than the least." },
	{ "slots-many", slots_many, -EINVAL, "More slots than the most." },
	{ "slots-last-bit", slots_last_bit, -EINVAL, "A ring whose size needs 64 bits." },
	{ "ring-none", ring_none, -ENOENT, "Handle 0 for the ring." },
	{ "ring-unknown", ring_unknown, -ENOENT, "A ring that does not exist." },
	{ "ring-small", ring_small, -EINVAL, "A ring that is too small." },
	{ "ring-large", ring_large, -EINVAL, "A ring that is far too large." },
	{ "control-large", control_large, -EINVAL, "Indices in far too large an object." },
	{ "both-large", both_large, -EINVAL, "One object for both that is far too large." },
	{ "ring-no-mmap", ring_no_mmap, -EINVAL, "A ring that cannot be mapped." },
	{ "ring-imported", ring_imported, -EINVAL, "A ring in foreign memory." },
	{ "control-none", control_none, -ENOENT, "Handle 0 for the indices." },
	{ "control-unknown", control_unknown, -ENOENT, "Indices in an object that is not there." },
	{ "control-no-mmap", control_no_mmap, -EINVAL, "Indices that cannot be mapped." },
	{ "control-imported", control_imported, -EINVAL, "Indices in foreign memory." },
	{ "offset-odd", offset_odd, -EINVAL, "Indices that are not aligned." },
	{ "offset-last-word", offset_last_word, -EINVAL, "Indices that end behind the object." },
	{ "offset-behind", offset_behind, -EINVAL, "Indices behind the object." },
	{ "offset-wraps", offset_wraps, -EINVAL, "Indices whose end wraps to 0." },
	{ "offset-in-slots", offset_in_slots, -EINVAL, "Indices that overlap the last slot." },
	{ "period-short", period_short, -EINVAL, "A period below the shortest." },
	{ "period-one", period_one, -EINVAL, "A period of one nanosecond." },
	{ "sections-many", sections_many, -EINVAL, "One section more than the most." },
	{ "sections-huge", sections_huge, -EINVAL, "A count beyond all memory." },
	{ "sections-unreadable", sections_unreadable, -EFAULT, "Sections that cannot be read." },
	{ "sections-stride", sections_stride, -EINVAL, "Sections that are cut off." },
	{ "sections-wide", sections_wide, -EINVAL, "Sections that are larger than a page." },
	{ "type-zero", type_zero, -EINVAL, "A section of type 0." },
	{ "type-absent", type_absent, -EINVAL, "A section of a type that the GPU has not." },
	{ "type-count", type_count, -EINVAL, "A section of the first unknown type." },
	{ "type-last", type_last, -EINVAL, "A section of the last type that could be." },
	{ "section-pad", section_pad, -EINVAL, "A section's first pad." },
	{ "section-pad2", section_pad2, -EINVAL, "A section's second pad." },
	{ "first-counter-odd", first_counter_odd, -EINVAL, "No multiple of 64." },
	{ "first-counter-behind", first_counter_behind, -EINVAL, "Behind the block's end." },
	{ "mask-header-first", mask_header_first, -EINVAL, "The hardware's header: counter 0." },
	{ "mask-header-last", mask_header_last, -EINVAL, "The hardware's header: counter 3." },
};

/* -1 means none. */
static void test_negative_eventfd(int fd)
{
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	s.setup.eventfd = -2;
	igt_assert_eq(perf_setup(&s), -EINVAL);
	igt_assert_eq(perf_sessions(fd), 0);
}

static void test_invalid(int fd, void (*spoil)(struct perf_session *s), int error)
{
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	spoil(&s);
	expect_error(&s, error);
}

/* Flags are known, whether PERF_INFO offers them or not. */
static void test_not_offered(int fd)
{
	static const uint32_t flags[][2] = {
		{ DRM_PANTHOR_PERF_SETUP_COMPACT, DRM_PANTHOR_PERF_COMPACT_SUPPORT },
		{ DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT },
		{ DRM_PANTHOR_PERF_SETUP_WAKEUP, DRM_PANTHOR_PERF_WAKEUP_SUPPORT },
		{ DRM_PANTHOR_PERF_SETUP_CLOCK_MODE, DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT },
	};
	bool all = true;

	for (unsigned int i = 0; i < ARRAY_SIZE(flags); i++) {
		struct perf_session s;

		if (perf_info(fd).flags & flags[i][1])
			continue;
		all = false;
		perf_prepare(&s, fd, PERF_SLOTS, 0);
		s.setup.flags = flags[i][0];
		s.setup.wakeup_samples = s.setup.flags & DRM_PANTHOR_PERF_SETUP_WAKEUP ? 1 : 0;
		expect_error(&s, -EOPNOTSUPP);
	}
	igt_require_f(!all, "the driver offers all features\n");
}

static void test_slots(int fd, bool most)
{
	struct drm_panthor_perf_info info = perf_info(fd);
	struct perf_session s;

	perf_prepare(&s, fd, most ? info.max_sample_slots : info.min_sample_slots, 0);
	expect_works(&s);
	perf_close(&s);
}

static void test_last_offset(int fd)
{
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	s.setup.control_offset = s.control.size - sizeof(struct drm_panthor_perf_ring_control);
	expect_works(&s);
	perf_close(&s);
}

/* The indices directly behind the slots. */
static void test_one_object(int fd)
{
	struct perf_session s;
	uint64_t slots;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	slots = (uint64_t)PERF_SLOTS * s.info.sample_size;
	perf_bo_free(fd, &s.control);
	perf_bo_free(fd, &s.ring);
	s.ring = perf_bo_create_mapped(fd, slots + sizeof(struct drm_panthor_perf_ring_control));
	s.control = s.ring;
	s.setup.ring_handle = s.ring.handle;
	s.setup.control_handle = s.ring.handle;
	s.setup.control_offset = slots;
	expect_works(&s);
	igt_assert_eq(perf_teardown(&s), 0);
	perf_bo_free(fd, &s.ring);
}

/* 1 MiB more than the slots need, by itself and with the indices at its end. */
static void test_largest(int fd)
{
	const uint64_t page = perf_page_size();
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	perf_bo_free(fd, &s.control);
	perf_bo_free(fd, &s.ring);
	s.ring = perf_bo_create_mapped(fd, ((uint64_t)PERF_SLOTS * s.info.sample_size +
					    SPARE_SIZE) / page * page);
	s.control = perf_bo_create_mapped(fd, SPARE_SIZE);
	s.setup.ring_handle = s.ring.handle;
	s.setup.control_handle = s.control.handle;
	s.setup.control_offset = s.control.size - sizeof(struct drm_panthor_perf_ring_control);
	expect_works(&s);
	igt_assert_eq(perf_teardown(&s), 0);
	perf_bo_free(fd, &s.control);
	s.control = s.ring;
	s.setup.control_handle = s.ring.handle;
	s.setup.control_offset = s.ring.size - sizeof(struct drm_panthor_perf_ring_control);
	expect_works(&s);
	igt_assert_eq(perf_teardown(&s), 0);
	perf_bo_free(fd, &s.ring);
}

static void test_no_eventfd(int fd)
{
	struct perf_session s;
	int eventfd;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	eventfd = s.setup.eventfd;
	s.setup.eventfd = -1;
	expect_works(&s);
	s.setup.eventfd = eventfd;
	igt_assert_eq_u64(perf_signals(&s), 0);
	perf_close(&s);
}

static void test_period(int fd, bool longest)
{
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	igt_require_f(s.info.min_period_ns, "no periodic sessions\n");
	s.setup.sample_period_ns = longest ? UINT64_MAX : s.info.min_period_ns;
	igt_assert_eq(perf_setup(&s), 0);
	perf_close(&s);
}

static void test_no_sections(int fd)
{
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	s.setup.sections.count = 0;
	expect_works(&s);
	igt_assert(!perf_counts(&s, perf_slot(&s, 0)));
	perf_close(&s);
}

/* As many as may be, all of them for one block type. */
static void test_most_sections(int fd)
{
	static struct drm_panthor_perf_section most[256];
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(most); i++) {
		most[i] = s.sections[0];
		most[i].mask = 1ull << (4 + i % 60);
	}
	s.setup.sections = (struct drm_panthor_obj_array)
		DRM_PANTHOR_OBJ_ARRAY(ARRAY_SIZE(most), most);
	expect_works(&s);
	perf_close(&s);
}

/* A newer client's sections are longer, and the end of them is 0 for what it does not use. */
static void test_long_sections(int fd)
{
	struct {
		struct drm_panthor_perf_section section;
		uint64_t later;
	} longer[PERF_MAX_SECTIONS] = { 0 };
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	for (uint32_t i = 0; i < s.setup.sections.count; i++)
		longer[i].section = s.sections[i];
	s.setup.sections.stride = sizeof(longer[0]);
	s.setup.sections.array = (uintptr_t)longer;
	expect_works(&s);
	perf_close(&s);
}

static void test_out_fields(int fd)
{
	struct perf_session a, b;

	perf_prepare(&a, fd, PERF_SLOTS, 0);
	memset(a.control.map, 0xff, sizeof(struct drm_panthor_perf_ring_control));
	igt_assert_eq(perf_setup(&a), 0);
	perf_open(&b, fd, PERF_SLOTS, 0);
	igt_assert_neq_u32(a.setup.handle, 0);
	igt_assert_neq_u32(b.setup.handle, 0);
	igt_assert_neq_u32(a.setup.handle, b.setup.handle);
	igt_assert_eq_u32(a.setup.sample_size, a.info.sample_size);
	igt_assert_eq_u64(perf_insert(&a), 0);
	igt_assert_eq_u64(perf_extract(&a), 0);
	igt_assert_eq(perf_sessions(fd), 2);
	perf_close(&a);
	perf_close(&b);
	igt_assert_eq(perf_sessions(fd), 0);
}

static void test_handles_closed(int fd)
{
	struct perf_session s;

	perf_prepare(&s, fd, PERF_SLOTS, 0);
	igt_assert_eq(perf_setup(&s), 0);
	perf_gem_close(fd, s.ring.handle);
	perf_gem_close(fd, s.control.handle);
	igt_assert_eq(perf_start(&s, 1), 0);
	igt_assert_eq_u64(perf_take(&s, 2)->user_data, 2);
	igt_assert_eq_u64(perf_finish(&s, 3)->user_data, 3);
	igt_assert_eq(perf_teardown(&s), 0);
	munmap(s.ring.map, s.ring.size);
	munmap(s.control.map, s.control.size);
}

/* One that is closed makes room for another. */
static void test_session_limit(int fd)
{
	struct perf_session *sessions;
	uint32_t count, max = perf_info(fd).max_sessions;
	int ret = 0;

	sessions = calloc(max + 1, sizeof(*sessions));
	igt_assert(sessions);
	for (count = 0; count <= max; count++) {
		perf_prepare(&sessions[count], fd, perf_info(fd).min_sample_slots, 0);
		ret = perf_setup(&sessions[count]);
		if (ret)
			break;
	}
	igt_assert_eq(ret, -ENOSPC);
	igt_assert_eq_u32(count, max);
	igt_assert_eq(perf_sessions(fd), count);
	igt_assert_eq(perf_teardown(&sessions[0]), 0);
	igt_assert_eq(perf_setup(&sessions[count]), 0);
	igt_assert_eq(perf_setup(&sessions[0]), -ENOSPC);
	for (uint32_t i = 1; i <= count; i++)
		igt_assert_eq(perf_teardown(&sessions[i]), 0);
	igt_assert_eq(perf_sessions(fd), 0);
	free(sessions);
}

static void test_bad_pointer(int fd)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	igt_assert(page != MAP_FAILED);
	igt_assert_eq(perf_call(fd, DRM_IOCTL_PANTHOR_PERF_SETUP, page), -EFAULT);
	igt_assert_eq(perf_sessions(fd), 0);
	munmap(page, 4096);
}

int igt_main()
{
	int fd = -1;

	igt_fixture()
		fd = perf_open_gpu();

	for (unsigned int i = 0; i < ARRAY_SIZE(invalid); i++) {
		igt_describe_f("Refused, without a session left: %s", invalid[i].text);
		igt_subtest_f("invalid-%s", invalid[i].name)
			test_invalid(fd, invalid[i].spoil, invalid[i].error);
	}

	igt_describe("An eventfd below -1 is refused.");
	igt_subtest("eventfd-negative")
		test_negative_eventfd(fd);

	igt_describe("Features that PERF_INFO does not offer are -EOPNOTSUPP.");
	igt_subtest("flags-not-offered")
		test_not_offered(fd);

	igt_describe("The smallest ring works.");
	igt_subtest("slots-least")
		test_slots(fd, false);

	igt_describe("The largest ring works.");
	igt_subtest("slots-most")
		test_slots(fd, true);

	igt_describe("The indices may be the last 16 bytes of their object.");
	igt_subtest("offset-last")
		test_last_offset(fd);

	igt_describe("Ring and indices may share an object.");
	igt_subtest("one-object")
		test_one_object(fd);

	igt_describe("Objects of up to 1 MiB more than what they are for are accepted.");
	igt_subtest("largest-objects")
		test_largest(fd);

	igt_describe("A session without an eventfd signals none.");
	igt_subtest("no-eventfd")
		test_no_eventfd(fd);

	igt_describe("The shortest period is accepted.");
	igt_subtest("period-shortest")
		test_period(fd, false);

	igt_describe("There is no longest period.");
	igt_subtest("period-longest")
		test_period(fd, true);

	igt_describe("Without sections, samples hold headers and zeroes.");
	igt_subtest("sections-none")
		test_no_sections(fd);

	igt_describe("256 sections, repeated and overlapping, are accepted.");
	igt_subtest("sections-most")
		test_most_sections(fd);

	igt_describe("Sections that are longer than the driver's are accepted.");
	igt_subtest("sections-long")
		test_long_sections(fd);

	igt_describe("Handles differ and are not 0, indices are set to 0, the size is returned.");
	igt_subtest("out-fields")
		test_out_fields(fd);

	igt_describe("The session keeps its objects when their handles are closed.");
	igt_subtest("handles-closed")
		test_handles_closed(fd);

	igt_describe("A file has a limit of sessions, within that of the GPU.");
	igt_subtest("session-limit")
		test_session_limit(fd);

	igt_describe("An argument that cannot be read is -EFAULT.");
	igt_subtest("bad-pointer")
		test_bad_pointer(fd);

	igt_fixture()
		drm_close_driver(fd);
}
