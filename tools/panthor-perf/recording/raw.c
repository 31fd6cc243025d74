// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "raw.h"

#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "raw sample files are little endian: this machine would need to swap them"
#endif

_Static_assert(sizeof(struct raw_header) == 64, "raw_header has holes");
_Static_assert(sizeof(struct raw_other_clocks) == 32, "raw_other_clocks has holes");
_Static_assert(sizeof(struct raw_cpu_timer) == 32, "raw_cpu_timer has holes");
_Static_assert(sizeof(struct raw_mark) == 32, "raw_mark has holes");
_Static_assert(sizeof(struct raw_index_entry) == 32, "raw_index_entry has holes");
_Static_assert(sizeof(struct raw_index) == 16, "raw_index has holes");
_Static_assert(sizeof(struct raw_end) == 104, "raw_end has holes");

#define NS_PER_S	1000000000ull
#define CLOCK_TRIES	5
/* More than what two readings of clocks differ by. */
#define JUMP_NS		1000000

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

uint64_t raw_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC_RAW);
}

/* The best of some tries: the program may be preempted in between. */
void raw_clocks_read(struct raw_clocks *clocks)
{
	unsigned int i;

	clocks->uncertainty_ns = UINT64_MAX;
	for (i = 0; i < CLOCK_TRIES; i++) {
		uint64_t before = clock_ns(CLOCK_MONOTONIC);
		uint64_t raw = clock_ns(CLOCK_MONOTONIC_RAW);
		uint64_t took = clock_ns(CLOCK_MONOTONIC) - before;

		if (took >= clocks->uncertainty_ns)
			continue;
		clocks->monotonic_ns = before;
		clocks->raw_ns = raw;
		clocks->uncertainty_ns = took;
	}
}

static void read_other_clocks(struct raw_other_clocks *clocks)
{
	unsigned int i;

	clocks->uncertainty_ns = UINT64_MAX;
	for (i = 0; i < CLOCK_TRIES; i++) {
		uint64_t before = clock_ns(CLOCK_MONOTONIC);
		uint64_t boottime = clock_ns(CLOCK_BOOTTIME);
		uint64_t realtime = clock_ns(CLOCK_REALTIME);
		uint64_t took = clock_ns(CLOCK_MONOTONIC) - before;

		if (took >= clocks->uncertainty_ns)
			continue;
		clocks->monotonic_ns = before + took / 2;
		clocks->boottime_ns = boottime;
		clocks->realtime_ns = realtime;
		clocks->uncertainty_ns = took;
	}
}

#ifdef __aarch64__
static bool read_cpu_timer(struct raw_cpu_timer *timer)
{
	unsigned int i;

	timer->uncertainty_ns = UINT64_MAX;
	asm volatile("mrs %0, cntfrq_el0" : "=r" (timer->frequency));
	for (i = 0; i < CLOCK_TRIES; i++) {
		uint64_t before = clock_ns(CLOCK_MONOTONIC_RAW), count, took;

		asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (count) : : "memory");
		took = clock_ns(CLOCK_MONOTONIC_RAW) - before;
		if (took >= timer->uncertainty_ns)
			continue;
		timer->raw_ns = before;
		timer->uncertainty_ns = took;
		timer->count = count;
	}
	return true;
}
#else
static bool read_cpu_timer(struct raw_cpu_timer *timer)
{
	(void)timer;
	return false;
}
#endif

static int write_all(int fd, const void *data, size_t size, size_t *written)
{
	const char *pos = data;

	*written = 0;
	while (*written < size) {
		ssize_t done = write(fd, pos + *written, size - *written);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		*written += done;
	}
	return 0;
}

/* Appends to what is going to be written. */
static int collect(struct raw_writer *writer, const void *data, size_t size)
{
	const size_t needed = writer->buffered + size;

	if (needed > writer->room) {
		size_t room = needed > writer->limit ? needed : writer->limit;
		char *grown = realloc(writer->buffer, room);

		if (!grown)
			return -ENOMEM;
		writer->buffer = grown;
		writer->room = room;
	}
	if (size)
		memcpy(writer->buffer + writer->buffered, data, size);
	writer->buffered = needed;
	return 0;
}

/*
 * Writes what was collected. A part of it may be in the file when that fails; of a frame, a part
 * is nothing.
 */
static int write_collected(struct raw_writer *writer, size_t *done)
{
	const void *data = writer->buffer;
	size_t size = writer->buffered;
	int ret = 0;

	*done = 0;
	if (writer->zst)
		ret = zst_compress(writer->zst, writer->buffer, writer->buffered, &data, &size);
	if (!ret)
		ret = write_all(writer->file.fd, data, size, done);
	writer->size += *done;
	if (writer->zst)
		*done = ret ? 0 : writer->buffered;
	writer->buffered = 0;
	return ret;
}

int raw_create(struct raw_writer *writer, const char *path, int level, struct raw_header *header,
	       const struct drm_panthor_perf_info *info,
	       const struct drm_panthor_perf_section *sections)
{
	size_t sections_size = (size_t)header->section_count * sizeof(sections[0]), done;
	int ret;

	memcpy(header->magic, RAW_MAGIC, sizeof(header->magic));
	header->version = RAW_VERSION;
	header->info_size = sizeof(*info);
	header->section_size = sizeof(sections[0]);
	header->header_size = sizeof(*header) + sizeof(*info) + sections_size;

	*writer = (struct raw_writer) {
		.sample_size = header->sample_size,
		.offset = header->header_size,
	};
	ret = level ? zst_create(level, &writer->zst) : 0;
	if (ret)
		return ret;
	ret = new_file_create(&writer->file, path);
	if (ret) {
		zst_destroy(writer->zst);
		return ret;
	}
	ret = collect(writer, header, sizeof(*header));
	if (!ret)
		ret = collect(writer, info, sizeof(*info));
	if (!ret)
		ret = collect(writer, sections, sections_size);
	if (!ret)
		ret = write_collected(writer, &done);
	if (ret) {
		writer->failed = ret;
		raw_close(writer);
	}
	return ret;
}

void raw_buffer(struct raw_writer *writer, size_t size)
{
	writer->limit = size;
}

/*
 * Bytes of the whole records at the beginning of a buffer of which so much was written. The samples
 * among them are added up.
 */
static size_t whole_records(const char *buffer, size_t written, uint64_t *samples)
{
	struct raw_record record;
	size_t at = 0;

	while (written - at >= sizeof(record)) {
		memcpy(&record, buffer + at, sizeof(record));
		if (record.size > written - at)
			break;
		*samples += record.kind == RAW_SAMPLE;
		at += record.size;
	}
	return at;
}

/* A device or a pipe cannot be cut, and then has what it has. */
static void cut_file(struct raw_writer *writer, uint64_t size)
{
	/* What another program has written is in front of it, perhaps. */
	if (writer->file.own && !ftruncate(writer->file.fd, size))
		writer->size = size;
}

int raw_flush(struct raw_writer *writer)
{
	const uint64_t begin = writer->size;
	size_t done, whole;
	int ret;

	if (writer->failed || !writer->buffered)
		return writer->failed;
	writer->failed = write_collected(writer, &done);
	whole = whole_records(writer->buffer, done, &writer->samples);
	if (writer->failed)
		cut_file(writer, begin + whole);
	/* A file with a sample gets its name. */
	ret = writer->samples ? new_file_publish(&writer->file) : 0;
	if (ret)
		writer->failed = ret;
	return writer->failed;
}

int raw_write_record(struct raw_writer *writer, enum raw_kind kind, const void *content,
		     size_t size, const void *more, size_t more_size)
{
	struct raw_record record = { kind, sizeof(record) + size + more_size };
	int ret = writer->failed;

	if (!ret && writer->buffered + record.size > writer->limit)
		ret = raw_flush(writer);
	if (ret)
		return ret;
	ret = collect(writer, &record, sizeof(record));
	if (!ret)
		ret = collect(writer, content, size);
	if (!ret)
		ret = collect(writer, more, more_size);
	if (ret) {
		/* A part of a record is none. */
		writer->buffered = 0;
		writer->failed = ret;
		return ret;
	}
	writer->offset += record.size;
	return writer->buffered >= writer->limit ? raw_flush(writer) : 0;
}

int raw_write_sample(struct raw_writer *writer, const void *sample)
{
	uint64_t now = raw_now_ns();

	/* The clocks drift against each other: one pair a second lets a reader follow. */
	if (now - writer->clocks_ns > NS_PER_S) {
		int ret = raw_write_clocks(writer);

		if (ret)
			return ret;
	}
	return raw_write_record(writer, RAW_SAMPLE, &now, sizeof(now), sample, writer->sample_size);
}

/* Has a clock another distance to CLOCK_MONOTONIC than before? */
static bool has_jumped(uint64_t ns, uint64_t before_ns, uint64_t passed_ns)
{
	const int64_t jump = ns - before_ns - passed_ns;

	return jump > JUMP_NS || jump < -JUMP_NS;
}

static int write_other_clocks(struct raw_writer *writer, bool call)
{
	const struct raw_other_clocks *before = &writer->other_clocks;
	struct raw_other_clocks clocks;
	uint64_t passed;

	read_other_clocks(&clocks);
	passed = clocks.monotonic_ns - before->monotonic_ns;
	if (!call && !has_jumped(clocks.boottime_ns, before->boottime_ns, passed) &&
	    !has_jumped(clocks.realtime_ns, before->realtime_ns, passed))
		return 0;
	writer->other_clocks = clocks;
	return raw_write_record(writer, RAW_OTHER_CLOCKS, &clocks, sizeof(clocks), NULL, 0);
}

int raw_write_more_clocks(struct raw_writer *writer, bool call)
{
	struct raw_cpu_timer timer;
	int ret = 0;

	if (read_cpu_timer(&timer))
		ret = raw_write_record(writer, RAW_CPU_TIMER, &timer, sizeof(timer), NULL, 0);
	return ret ? ret : write_other_clocks(writer, call);
}

int raw_write_call(struct raw_writer *writer, enum raw_kind kind, const struct raw_call *call)
{
	int ret;

	writer->clocks_ns = call->after.raw_ns;
	ret = raw_write_record(writer, kind, call, sizeof(*call), NULL, 0);
	return ret ? ret : raw_write_more_clocks(writer, true);
}

int raw_write_clocks(struct raw_writer *writer)
{
	struct raw_clocks clocks;
	int ret;

	raw_clocks_read(&clocks);
	writer->clocks_ns = clocks.raw_ns;
	ret = raw_write_record(writer, RAW_CLOCKS, &clocks, sizeof(clocks), NULL, 0);
	return ret ? ret : raw_write_more_clocks(writer, false);
}

static uint64_t cycles_of(const struct panthor_perf_sample *sample, unsigned int clock)
{
	uint64_t cycles;

	return panthor_perf_sample_cycles(sample, clock, &cycles) ? cycles : 0;
}

void raw_sample_header(const struct panthor_perf_sample *sample,
		       struct drm_panthor_perf_sample_header *header)
{
	*header = (struct drm_panthor_perf_sample_header) {
		.timestamp_start_ns = panthor_perf_sample_start_ns(sample),
		.timestamp_end_ns = panthor_perf_sample_end_ns(sample),
		.counter_set = panthor_perf_sample_counter_set(sample),
		.flags = panthor_perf_sample_flags(sample),
		.user_data = panthor_perf_sample_user_data(sample),
		.toplevel_clock_cycles = cycles_of(sample, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL),
		.coregroup_clock_cycles = cycles_of(sample, DRM_PANTHOR_PERF_CLOCK_COREGROUP),
		.shader_clock_cycles = cycles_of(sample, DRM_PANTHOR_PERF_CLOCK_SHADER),
		.gpu_timestamp = panthor_perf_sample_gpu_timestamp(sample),
		.sample_nr = panthor_perf_sample_number(sample),
		.merged = panthor_perf_sample_merged(sample),
		.events = panthor_perf_sample_events(sample),
	};
}

void raw_end_add(struct raw_end *end, const struct drm_panthor_perf_sample_header *header)
{
	if (!end->samples++)
		end->start_ns = header->timestamp_start_ns;
	end->end_ns = header->timestamp_end_ns;
	end->merged += header->merged;
	end->stretched += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_STRETCHED);
	end->overflows += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_OVERFLOW);
	end->errors += !!(header->flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	end->late += !!(header->events & DRM_PANTHOR_PERF_EVENT_LATE);
	end->events |= header->events;
}

int raw_close(struct raw_writer *writer)
{
	int ret = raw_flush(writer), closed;

	free(writer->buffer);
	writer->buffer = NULL;
	zst_destroy(writer->zst);
	writer->zst = NULL;
	closed = new_file_close(&writer->file);
	return ret ? ret : closed;
}
