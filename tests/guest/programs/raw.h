/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Raw sample files: what the comparer reads outside of the guest. tools/README.md describes them.
 * They have records of the samples, of the calls on both clocks, and of the GPU's clock.
 */
#ifndef PERF_TEST_RAW_H
#define PERF_TEST_RAW_H

#include "clocks.h"
#include "perf.h"

#define RAW_SAMPLE	1
#define RAW_START	2
#define RAW_STOP	3
#define RAW_CLOCKS	4
#define RAW_GPU_TIME	5
#define RAW_TEARDOWN	6
#define RAW_CLOCKS_NS	NS_PER_S

/**
 * struct raw_file - a raw sample file that is being written
 */
struct raw_file {
	/** @file: The file, or %NULL. */
	FILE *file;

	/** @sample_size: Bytes of a sample. */
	uint32_t sample_size;

	/** @clocks_ns: CLOCK_MONOTONIC_RAW of the newest clocks in the file. */
	uint64_t clocks_ns;

	/** @samples: Samples in it. */
	uint64_t samples;

	/** @path: Its path. */
	char path[256];
};

/**
 * struct raw_call - START or STOP
 */
struct raw_call {
	/** @user_data: What was given to it. */
	uint64_t user_data;

	/** @before: The clocks before it. */
	struct clocks before;

	/** @after: The clocks when it had returned. */
	struct clocks after;
};

static inline void raw_put(struct raw_file *raw, const void *bytes, size_t size)
{
	if (size && fwrite(bytes, size, 1, raw->file) != 1)
		die("writing a raw sample file");
}

static inline void raw_record(struct raw_file *raw, uint32_t kind, uint32_t size)
{
	/* kind, and the bytes of the record with these two. */
	const uint32_t record[2] = { kind, 8 + size };

	raw_put(raw, record, sizeof(record));
}

static inline void raw_create(struct raw_file *raw, const char *path, const struct session *s,
			      const struct drm_panthor_perf_info *info,
			      const struct drm_panthor_gpu_info *gpu, uint32_t flags)
{
	uint32_t sections = s->setup.sections.count;
	struct {
		char magic[8];
		uint32_t version, header_size, info_size, section_size, section_count, sample_size;
		uint32_t counter_set, gpu_id;
		uint64_t period_ns, shader_present;
		uint32_t flags, pad;
	} header = {
		.magic = "PTPRFRAW",
		.version = 2,
		.header_size = 64 + sizeof(*info) + sections * sizeof(s->sections[0]),
		.info_size = sizeof(*info),
		.section_size = sizeof(s->sections[0]),
		.section_count = sections,
		.sample_size = s->setup.sample_size,
		.counter_set = s->setup.counter_set,
		.gpu_id = gpu->gpu_id,
		.period_ns = s->setup.sample_period_ns,
		.shader_present = gpu->shader_present,
		.flags = flags,
	};

	_Static_assert(sizeof(header) == 64, "the header of a raw sample file");
	*raw = (struct raw_file){
		.file = fopen(path, "wb"),
		.sample_size = header.sample_size,
	};
	snprintf(raw->path, sizeof(raw->path), "%s", path);
	if (!raw->file)
		die(path);
	raw_put(raw, &header, sizeof(header));
	raw_put(raw, info, sizeof(*info));
	raw_put(raw, s->sections, sections * sizeof(s->sections[0]));
}

static inline void raw_open(struct raw_file *raw, const char *path, const struct session *s)
{
	struct drm_panthor_perf_info info = perf_info(s->fd);
	struct drm_panthor_gpu_info gpu = gpu_info(s->fd);

	raw_create(raw, path, s, &info, &gpu, s->setup.flags);
}

static inline void raw_gpu_time(struct raw_file *raw)
{
	struct gpu_time now = gpu_time_now();

	raw_record(raw, RAW_GPU_TIME, sizeof(now));
	raw_put(raw, &now, sizeof(now));
}

/* A sample, and now and then the clocks. */
static inline void raw_sample(struct raw_file *raw, const void *sample)
{
	uint64_t now = raw_ns();

	if (now - raw->clocks_ns >= RAW_CLOCKS_NS) {
		struct clocks clocks = clocks_now();

		raw_record(raw, RAW_CLOCKS, sizeof(clocks));
		raw_put(raw, &clocks, sizeof(clocks));
		raw->clocks_ns = clocks.raw_ns;
		raw_gpu_time(raw);
	}
	raw_record(raw, RAW_SAMPLE, sizeof(now) + raw->sample_size);
	raw_put(raw, &now, sizeof(now));
	raw_put(raw, sample, raw->sample_size);
	raw->samples++;
}

/* START or STOP, which has succeeded. */
static inline void raw_call(struct raw_file *raw, uint32_t kind, const struct raw_call *call)
{
	raw_record(raw, kind, sizeof(*call));
	raw_put(raw, call, sizeof(*call));
	raw_gpu_time(raw);
}

/* The session has ended before the final sample of its last run. */
static inline void raw_teardown(struct raw_file *raw)
{
	raw_record(raw, RAW_TEARDOWN, 0);
}

/* A file without samples is none. */
static inline void raw_close(struct raw_file *raw)
{
	if (raw->file && fclose(raw->file))
		die("closing a raw sample file");
	if (raw->file && !raw->samples && unlink(raw->path))
		die(raw->path);
	raw->file = NULL;
}

#endif
