/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A client with structures of its own: those of version 1 of the interface (abi
 * 1), as they are frozen here, with GROWN bytes more at the end of each. Nothing
 * of the project's header is in here, and nothing here changes any more. Only the
 * numbers of mainline, which are not final, are those of panthor_drm.h with the
 * series (V1_MAINLINE). The client has to work with every driver of that version,
 * whose structures are shorter, equal, or longer.
 */
#ifndef PERF_TEST_GROWTH_H
#define PERF_TEST_GROWTH_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clocks.h"
#ifdef V1_MAINLINE
#include "panthor_drm.h"
#endif

struct v1_query { uint32_t type, size; uint64_t pointer; };
struct v1_bo_create { uint64_t size; uint32_t flags, exclusive_vm_id, handle, pad; };
struct v1_bo_mmap_offset { uint32_t handle, pad; uint64_t offset; };
struct v1_array { uint32_t stride, count; uint64_t array; };

struct v1_info {
	uint32_t counters_per_block, sample_header_size, block_header_size, sample_size;
	uint32_t flags, supported_clocks, blocks[7], supported_sets;
	uint32_t min_sample_slots, max_sample_slots, max_sessions, abi;
	uint64_t min_period_ns, gpu_timestamp_frequency;
	uint8_t later[GROWN];
};

struct v1_section {
	uint8_t block_type, pad;
	uint16_t first_counter;
	uint32_t pad2;
	uint64_t mask;
	uint8_t later[GROWN];
};

struct v1_setup {
	uint32_t counter_set, flags;
	int32_t eventfd;
	uint32_t ring_handle, control_handle, sample_slots;
	uint64_t control_offset, sample_period_ns;
	uint32_t wakeup_samples, pad;
	struct v1_array sections;
	uint32_t handle, sample_size;
	uint8_t later[GROWN];
};

struct v1_call {
	uint32_t handle, flags;
	uint64_t user_data;
	uint8_t later[GROWN];
};

struct v1_teardown {
	uint32_t handle, flags;
	uint8_t later[GROWN];
};

struct v1_sample_header {
	uint64_t start_ns, end_ns;
	uint8_t counter_set, pad[3];
	uint32_t flags;
	uint64_t user_data, cycles[3], gpu_timestamp, sample_nr;
	uint32_t merged, events;
};

struct v1_block_header {
	uint8_t type, idx, clock, pad;
	uint32_t states;
};

_Static_assert(sizeof(struct v1_info) == 88 + GROWN, "PERF_INFO");
_Static_assert(sizeof(struct v1_section) == 16 + GROWN, "section");
_Static_assert(sizeof(struct v1_setup) == 72 + GROWN, "SETUP");
_Static_assert(sizeof(struct v1_call) == 16 + GROWN, "START, STOP, SAMPLE");
_Static_assert(sizeof(struct v1_teardown) == 8 + GROWN, "TEARDOWN");
_Static_assert(sizeof(struct v1_sample_header) == 80, "sample header");
_Static_assert(sizeof(struct v1_block_header) == 8, "block header");

#define V1_DEV_QUERY		_IOWR('d', 0x40, struct v1_query)
#define V1_BO_CREATE		_IOWR('d', 0x45, struct v1_bo_create)
#define V1_BO_MMAP_OFFSET	_IOWR('d', 0x46, struct v1_bo_mmap_offset)
#ifdef V1_MAINLINE
#define V1_FIRST		(0x40 + DRM_PANTHOR_PERF_SETUP)
#define V1_PERF_INFO		DRM_PANTHOR_DEV_QUERY_PERF_INFO
#else
#define V1_FIRST		0x90
#define V1_PERF_INFO		0x3ffffff0
#endif
#define V1_SETUP		_IOWR('d', V1_FIRST, struct v1_setup)
#define V1_TEARDOWN		_IOWR('d', V1_FIRST + 1, struct v1_teardown)
#define V1_START		_IOWR('d', V1_FIRST + 2, struct v1_call)
#define V1_STOP			_IOWR('d', V1_FIRST + 3, struct v1_call)
#define V1_SAMPLE		_IOWR('d', V1_FIRST + 4, struct v1_call)
#define V1_GPU_INFO		0
#define V1_FINAL		8
#define V1_ABI			1

#define SLOTS		16
#define SAMPLES		6

static int gpu;

static void expect(bool good, const char *what)
{
	printf("%s %s\n", good ? "ok" : "not ok", what);
	fflush(stdout);
}

/* Everything behind fails without it. */
static void need(bool good, const char *what)
{
	if (!good) {
		printf("not ok %s - %s\n", what, strerror(errno));
		exit(1);
	}
	expect(true, what);
}

static uint32_t object(uint64_t size, void **map)
{
	struct v1_bo_create create = { .size = (size + 4095) & ~4095ull };
	struct v1_bo_mmap_offset offset;

	need(!ioctl(gpu, V1_BO_CREATE, &create), "an object");
	offset = (struct v1_bo_mmap_offset){ .handle = create.handle };
	need(!ioctl(gpu, V1_BO_MMAP_OFFSET, &offset), "its offset");
	*map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu, offset.offset);
	need(*map != MAP_FAILED, "its mapping");
	return create.handle;
}

static int call(unsigned long request, uint32_t handle, uint64_t user_data)
{
	struct v1_call args = { .handle = handle, .user_data = user_data };

	return ioctl(gpu, request, &args) ? errno : 0;
}

static void record(FILE *file, uint32_t kind, const void *bytes, size_t size, const void *more,
		   size_t more_size)
{
	const uint32_t head[2] = { kind, sizeof(head) + size + more_size };

	fwrite(head, sizeof(head), 1, file);
	fwrite(bytes, size, 1, file);
	if (more_size)
		fwrite(more, more_size, 1, file);
}

/* A file as the comparer reads it, with the structures of the first version. */
static FILE *raw_file(const char *path, const struct v1_info *info, uint32_t sample_size,
		      const struct v1_section *sections, uint32_t count)
{
	/* Only the first and the third of these matter here, and more fit in. */
	struct { uint32_t gpu_id, gpu_rev; uint8_t more[512]; } gpu_info = { 0 };
	struct v1_query query = { V1_GPU_INFO, sizeof(gpu_info), (uintptr_t)&gpu_info };
	struct {
		char magic[8];
		uint32_t version, header_size, info_size, section_size, section_count;
		uint32_t sample_size, counter_set, gpu_id;
		uint64_t period_ns, shader_present, pad;
	} header = {
		.magic = "PTPRFRAW", .version = 2, .header_size = 64 + 88 + 16 * count,
		.info_size = 88, .section_size = 16, .section_count = count,
		.sample_size = sample_size,
	};
	FILE *file = fopen(path, "wb");

	need(file && !ioctl(gpu, V1_DEV_QUERY, &query), "GPU_INFO");
	header.gpu_id = gpu_info.gpu_id;
	fwrite(&header, sizeof(header), 1, file);
	fwrite(info, 88, 1, file);
	for (uint32_t i = 0; i < count; i++)
		fwrite(&sections[i], 16, 1, file);
	return file;
}

/* Types that version 1 counts: from FW to SHADER, and CSG. */
static bool is_known(uint8_t type)
{
	return (type >= 1 && type <= 5) || type == 7;
}

/* How the blocks of a sample are found: by the sizes that the driver reports. */
static uint32_t blocks_in(const char *sample, const struct v1_info *info)
{
	const char *at = sample + info->sample_header_size;
	uint32_t blocks = 0;

	for (; at < sample + info->sample_size;
	     at += info->block_header_size + 8 * info->counters_per_block) {
		const struct v1_block_header *block = (const void *)at;
		const uint64_t *counters = (const void *)(at + info->block_header_size);

		/* Later types are skipped. */
		if (is_known(block->type))
			blocks += block->clock < 3 && !counters[0] && !counters[3];
	}
	return blocks;
}

static int growth(const char *path)
{
	struct v1_section sections[8] = { 0 };
	struct v1_info info;
	struct v1_query query = { V1_PERF_INFO, sizeof(info), (uintptr_t)&info };
	struct v1_setup setup = {
		.sample_slots = SLOTS,
		.sections = { sizeof(sections[0]), 0, (uintptr_t)sections },
	};
	struct v1_teardown teardown = { 0 };
	struct { uint64_t user_data; struct clocks before, after; } made = { .user_data = 1 };
	struct gpu_time gpu_time;
	uint32_t blocks = 0, kernel, headers;
	const char *ring;
	uint64_t *control, extract = 0, signals = 0;
	FILE *file;

	gpu = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	need(gpu >= 0, "the render node");
	memset(&info, 0xff, sizeof(info));
	need(!ioctl(gpu, V1_DEV_QUERY, &query), "PERF_INFO");
	query.pointer = 0;
	need(!ioctl(gpu, V1_DEV_QUERY, &query), "the size of PERF_INFO");
	kernel = query.size - 88;
	printf("structures of the driver are %u bytes longer, those of the client %u\n",
	       kernel, GROWN);
	need(info.abi == V1_ABI, "the version of the interface");
	/* PERF_INFO may have grown by more than the headers of samples. */
	headers = info.sample_header_size - 80;
	expect(headers == 0 || headers == 16, "sample header");
	expect(info.block_header_size == 8 + headers, "block header");
	expect(kernel >= headers, "as they can be");
	for (size_t i = query.size; i < sizeof(info); i++)
		need(!((const char *)&info)[i], "what is not known is 0");

	for (unsigned int i = 0; i < 7; i++) {
		if (!is_known(i + 1))
			continue;
		blocks += info.blocks[i];
		if (info.blocks[i])
			sections[setup.sections.count++] = (struct v1_section){
				.block_type = i + 1, .mask = ~0xfull,
			};
	}
	setup.eventfd = eventfd(0, EFD_CLOEXEC);
	setup.ring_handle = object((uint64_t)SLOTS * info.sample_size, (void **)&ring);
	setup.control_handle = object(4096, (void **)&control);
	/* The indices take the last 16 bytes of their object: they do not grow. */
	setup.control_offset = 4096 - 16;
	need(!ioctl(gpu, V1_SETUP, &setup), "SETUP");
	control += 4096 / 8 - 2;
	expect(setup.handle && setup.sample_size == info.sample_size, "what it returns");
	file = raw_file(path, &info, setup.sample_size, sections, setup.sections.count);
	made.before = clocks_now();
	need(!call(V1_START, setup.handle, made.user_data), "START");
	made.after = clocks_now();
	gpu_time = gpu_time_now();
	record(file, 2, &made, sizeof(made), NULL, 0);
	record(file, 5, &gpu_time, sizeof(gpu_time), NULL, 0);
	for (uint64_t i = 0; i <= SAMPLES; i++) {
		const struct v1_sample_header *header = (const void *)(ring + i * info.sample_size);
		struct pollfd wait = { .fd = setup.eventfd, .events = POLLIN };
		uint64_t count, now;

		made.user_data = 100 + i;
		made.before = clocks_now();
		need(!call(i < SAMPLES ? V1_SAMPLE : V1_STOP, setup.handle, made.user_data),
		     "a sample");
		made.after = clocks_now();
		if (i == SAMPLES)
			record(file, 3, &made, sizeof(made), NULL, 0);
		need(poll(&wait, 1, 5000) == 1 &&
		     read(setup.eventfd, &count, sizeof(count)) == sizeof(count), "its signal");
		signals += count;
		expect(__atomic_load_n(&control[1], __ATOMIC_ACQUIRE) == i + 1, "its index");
		expect(header->user_data == 100 + i && header->sample_nr == i &&
		       header->flags == (i < SAMPLES ? 0 : V1_FINAL), "its header");
		expect(blocks_in((const char *)header, &info) == blocks, "its blocks");
		now = raw_ns();
		record(file, 1, &now, sizeof(now), header, info.sample_size);
		__atomic_store_n(&control[0], ++extract, __ATOMIC_RELEASE);
	}
	expect(signals == SAMPLES + 1, "signals");
	fclose(file);

	/* A section too short is refused by any version, a pad that is not 0 too. */
	setup.sections.stride = 8;
	expect(ioctl(gpu, V1_SETUP, &setup) && errno == EINVAL, "short sections");
	setup.sections.stride = sizeof(sections[0]);
	setup.pad = 1;
	expect(ioctl(gpu, V1_SETUP, &setup) && errno == EINVAL, "a pad");
	teardown.handle = setup.handle;
	need(!ioctl(gpu, V1_TEARDOWN, &teardown), "TEARDOWN");
	expect(call(V1_START, setup.handle, 1) == ENOENT, "START behind it");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s FILE\n", argv[0]);
		return 2;
	}
	return growth(argv[1]);
}

#endif
