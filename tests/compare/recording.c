// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "recording.h"

#define HEADER_SIZE	64
#define MAX_COUNTERS	16384
#define MAX_BLOCKS	1024
#define MAX_SECTIONS	65536
#define KNOWN_FLAGS	(DRM_PANTHOR_PERF_SETUP_COMPACT | \
			 DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND | DRM_PANTHOR_PERF_SETUP_WAKEUP)

/* Offsets of the file's header, whose numbers are little endian. */
enum {
	OFFSET_MAGIC = 0,
	OFFSET_VERSION = 8,
	OFFSET_HEADER_SIZE = 12,
	OFFSET_INFO_SIZE = 16,
	OFFSET_SECTION_SIZE = 20,
	OFFSET_SECTION_COUNT = 24,
	OFFSET_SAMPLE_SIZE = 28,
	OFFSET_COUNTER_SET = 32,
	OFFSET_GPU_ID = 36,
	OFFSET_PERIOD = 40,
	OFFSET_FLAGS = 56,
	OFFSET_PAD = 60,
};

/* Kinds of records, and the sizes of what they have in common. */
enum {
	RECORD_SAMPLE = 1,
	RECORD_START = 2,
	RECORD_STOP = 3,
	RECORD_CLOCKS = 4,
	RECORD_GPU_TIME = 5,
	RECORD_TEARDOWN = 6,
	RECORD_CPU_TIMER = 14,
	RECORD_HEADER = 8,
	CLOCKS_SIZE = 24,
};

/* Clocks that were read further apart than this are of no use. */
#define MAX_UNCERTAINTY_NS	10000000000ull

#define NS_PER_S	1000000000ull

static uint64_t number_at(const unsigned char *bytes, unsigned int size)
{
	uint64_t number = 0;

	while (size--)
		number = number << 8 | bytes[size];
	return number;
}

__attribute__((format(printf, 2, 3)))
static bool bad(const char *path, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	error("%s: %s", path, text);
	return false;
}

static void copy_known(void *dst, size_t dst_size, const void *src, size_t src_size)
{
	memset(dst, 0, dst_size);
	memcpy(dst, src, src_size < dst_size ? src_size : dst_size);
}

static uint64_t block_stride(const struct drm_panthor_perf_info *info)
{
	return info->block_header_size + 8ull * info->counters_per_block;
}

static bool check_info(struct recording *recording, const char *path)
{
	const struct drm_panthor_perf_info *info = &recording->info;
	const uint32_t blocks[TYPE_COUNT] = {
		[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = info->fw_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = info->cshw_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = info->tiler_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = info->memsys_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = info->shader_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = info->neural_blocks,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = info->csg_blocks,
	};
	uint64_t size = info->sample_header_size;
	unsigned int type;

	if (info->counters_per_block < 5 || info->counters_per_block > MAX_COUNTERS)
		return bad(path, "PERF_INFO: %u counters per block", info->counters_per_block);
	if (info->sample_header_size < sizeof(struct drm_panthor_perf_sample_header) ||
	    info->sample_header_size % 8 || info->sample_header_size > 65536)
		return bad(path, "PERF_INFO: a sample header of %u bytes",
			   info->sample_header_size);
	if (info->block_header_size < sizeof(struct drm_panthor_perf_block_header) ||
	    info->block_header_size % 8 || info->block_header_size > 65536)
		return bad(path, "PERF_INFO: a block header of %u bytes", info->block_header_size);
	for (type = 1; type < TYPE_COUNT; type++) {
		if (blocks[type] > MAX_BLOCKS)
			return bad(path, "PERF_INFO: %u blocks of type %u", blocks[type], type);
		recording->info_blocks[type] = blocks[type];
		size += blocks[type] * block_stride(info);
	}
	if (info->sample_size != size)
		return bad(path, "PERF_INFO: a sample of %u bytes, header and blocks are %llu",
			   info->sample_size, (unsigned long long)size);
	return true;
}

static bool read_section(struct recording *recording, const char *path, const unsigned char *bytes)
{
	uint64_t first = number_at(bytes + 2, 2);
	uint64_t mask = number_at(bytes + 8, 8);
	unsigned int type = bytes[0];
	unsigned int bit;

	if (!type || type >= TYPE_COUNT || !recording->info_blocks[type])
		return bad(path, "a section for block type %u, which the GPU does not have", type);
	if (number_at(bytes + 1, 1) || number_at(bytes + 4, 4))
		return bad(path, "a section with a pad that is not 0");
	if (first % 64)
		return bad(path, "a section that begins at counter %llu",
			   (unsigned long long)first);
	for (bit = 0; bit < 64; bit++) {
		if (!(mask >> bit & 1))
			continue;
		if (first + bit < 4 || first + bit >= recording->info.counters_per_block)
			return bad(path, "a section asks for counter %llu",
				   (unsigned long long)first + bit);
		recording->enabled[type][first + bit] = 1;
	}
	return true;
}

/* Which blocks a sample has, and where. */
static bool lay_out(struct recording *recording, const char *path)
{
	const struct drm_panthor_perf_info *info = &recording->info;
	uint64_t size = info->sample_header_size;
	unsigned int type;

	for (type = 1; type < TYPE_COUNT; type++) {
		uint32_t counter, asked = 0;

		for (counter = 0; counter < info->counters_per_block; counter++)
			asked += recording->enabled[type][counter];
		if (recording->compact && !asked)
			continue;
		recording->blocks[type] = recording->info_blocks[type];
		recording->block_count += recording->blocks[type];
		recording->layout[type].first = size;
		recording->layout[type].size = recording->compact ?
			info->block_header_size + 8ull * asked : block_stride(info);
		size += recording->blocks[type] * recording->layout[type].size;
	}
	if (recording->sample_size != size)
		return bad(path, "samples of %zu bytes, %s says %llu", recording->sample_size,
			   recording->compact ? "what was asked for" : "PERF_INFO",
			   (unsigned long long)size);
	return true;
}

static bool read_header(struct recording *recording, const char *path, size_t size, size_t *body)
{
	const unsigned char *file = recording->file;
	uint64_t version, header_size, info_size, section_size, section_count, i;

	if (size < HEADER_SIZE)
		return bad(path, "%zu bytes are less than the header of a raw sample file", size);
	if (memcmp(file + OFFSET_MAGIC, "PTPRFRAW", 8))
		return bad(path, "this is no raw sample file: it does not begin with PTPRFRAW");
	version = number_at(file + OFFSET_VERSION, 4);
	if (version < 1 || version > 2)
		return bad(path, "version %llu of the format is not known",
			   (unsigned long long)version);
	recording->told = version == 2;
	header_size = number_at(file + OFFSET_HEADER_SIZE, 4);
	info_size = number_at(file + OFFSET_INFO_SIZE, 4);
	section_size = number_at(file + OFFSET_SECTION_SIZE, 4);
	section_count = number_at(file + OFFSET_SECTION_COUNT, 4);
	recording->sample_size = number_at(file + OFFSET_SAMPLE_SIZE, 4);
	recording->counter_set = number_at(file + OFFSET_COUNTER_SET, 4);
	recording->gpu_id = number_at(file + OFFSET_GPU_ID, 4);
	recording->period_ns = number_at(file + OFFSET_PERIOD, 8);

	if (number_at(file + OFFSET_PAD, 4))
		return bad(path, "the pad of the header is not 0");
	if (number_at(file + OFFSET_FLAGS, 4) & ~KNOWN_FLAGS)
		return bad(path, "flags 0x%llx of the session are not known",
			   (unsigned long long)number_at(file + OFFSET_FLAGS, 4));
	recording->compact = number_at(file + OFFSET_FLAGS, 4) & DRM_PANTHOR_PERF_SETUP_COMPACT;
	recording->sleeps = number_at(file + OFFSET_FLAGS, 4) &
			    DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	if (section_size < sizeof(struct drm_panthor_perf_section) || section_size % 8 ||
	    section_count > MAX_SECTIONS)
		return bad(path, "%llu sections of %llu bytes", (unsigned long long)section_count,
			   (unsigned long long)section_size);
	if (info_size < offsetof(struct drm_panthor_perf_info, neural_blocks) || info_size % 8 ||
	    HEADER_SIZE + info_size + section_size * section_count != header_size)
		return bad(path, "the parts of the header do not add up to its %llu bytes",
			   (unsigned long long)header_size);
	if (header_size > size)
		return bad(path, "cut off in the header: %zu bytes of %llu", size,
			   (unsigned long long)header_size);

	copy_known(&recording->info, sizeof(recording->info), file + HEADER_SIZE, info_size);
	if (!check_info(recording, path))
		return false;

	for (i = 0; i < TYPE_COUNT; i++) {
		recording->enabled[i] = calloc(recording->info.counters_per_block, 1);
		if (!recording->enabled[i])
			return bad(path, "out of memory");
	}
	for (i = 0; i < section_count; i++)
		if (!read_section(recording, path,
				  file + HEADER_SIZE + info_size + i * section_size))
			return false;

	*body = header_size;
	return lay_out(recording, path);
}

static void add_sample(struct recording *recording, const unsigned char *sample, uint64_t read_ns)
{
	size_t count = recording->sample_count++;

	recording->samples = grow(recording->samples, count, sizeof(*recording->samples));
	recording->read_ns = grow(recording->read_ns, count, sizeof(*recording->read_ns));
	recording->samples[count] = sample;
	recording->read_ns[count] = read_ns;
}

static bool read_bare_samples(struct recording *recording, const char *path, size_t at, size_t size)
{
	for (; at < size; at += recording->sample_size) {
		if (size - at < recording->sample_size)
			return bad(path, "cut off in sample %zu: %zu bytes of %zu",
				   recording->sample_count, size - at, recording->sample_size);
		add_sample(recording, recording->file + at, 0);
	}
	return true;
}

/* Two clocks that were read together tell how far they were apart. */
static bool read_clocks(const char *path, const unsigned char *bytes, struct offset *offset,
			uint64_t *raw_ns)
{
	uint64_t monotonic = number_at(bytes, 8);
	uint64_t uncertainty = number_at(bytes + 16, 8);

	*raw_ns = number_at(bytes + 8, 8);
	if (monotonic > INT64_MAX || *raw_ns > INT64_MAX || uncertainty > MAX_UNCERTAINTY_NS)
		return bad(path, "clocks that cannot be: %llu and %llu ns, %llu ns apart",
			   (unsigned long long)monotonic, (unsigned long long)*raw_ns,
			   (unsigned long long)uncertainty);
	offset->low = monotonic - *raw_ns;
	offset->high = offset->low + uncertainty;
	return true;
}

static void widen(struct offset *offset, const struct offset *other)
{
	if (other->low < offset->low)
		offset->low = other->low;
	if (other->high > offset->high)
		offset->high = other->high;
}

/**
 * struct marks - calls and clocks in the order of the file
 */
struct marks {
	/** @starts: Calls of START so far. */
	size_t starts;

	/** @stops: Calls of STOP so far. */
	size_t stops;
};

static bool read_call(struct recording *recording, const char *path, const unsigned char *bytes,
		      bool start, struct marks *marks)
{
	struct offset before, after;
	struct call *call;
	struct run *run;

	if (start) {
		recording->runs = grow(recording->runs, marks->starts, sizeof(*recording->runs));
		recording->runs[marks->starts++] = (struct run) { 0 };
	} else if (marks->stops == marks->starts) {
		return bad(path, "STOP number %zu without a START", marks->stops);
	}
	run = &recording->runs[start ? marks->starts - 1 : marks->stops++];
	call = start ? &run->start : &run->stop;
	call->user_data = number_at(bytes, 8);
	call->known = true;
	if (!read_clocks(path, bytes + 8, &before, &call->before_ns) ||
	    !read_clocks(path, bytes + 32, &after, &call->after_ns))
		return false;
	if (call->after_ns < call->before_ns)
		return bad(path, "a call that returned before it was made");
	if (start)
		run->offset = before;
	widen(&run->offset, &before);
	widen(&run->offset, &after);
	return true;
}

static bool read_gpu_time(struct recording *recording, const char *path, const unsigned char *bytes)
{
	size_t count = recording->gpu_time_count;
	struct gpu_time time = {
		.raw_ns = number_at(bytes, 8),
		.uncertainty_ns = number_at(bytes + 8, 8),
		.timestamp = number_at(bytes + 16, 8),
	};

	if (time.raw_ns > INT64_MAX / 2 || time.uncertainty_ns > MAX_UNCERTAINTY_NS ||
	    time.timestamp > INT64_MAX / 2)
		return bad(path, "a GPU timestamp that cannot be: %llu at %llu ns, %llu ns apart",
			   (unsigned long long)time.timestamp, (unsigned long long)time.raw_ns,
			   (unsigned long long)time.uncertainty_ns);
	if (count && (time.raw_ns < recording->gpu_times[count - 1].raw_ns ||
		      time.timestamp < recording->gpu_times[count - 1].timestamp))
		return bad(path, "GPU timestamp %llu at %llu ns goes back",
			   (unsigned long long)time.timestamp, (unsigned long long)time.raw_ns);
	recording->gpu_times = grow(recording->gpu_times, count, sizeof(time));
	recording->gpu_times[count] = time;
	recording->gpu_time_count++;
	return true;
}

static bool read_record(struct recording *recording, const char *path, const unsigned char *bytes,
			uint64_t size, struct marks *marks)
{
	uint64_t kind = number_at(bytes, 4);
	struct offset offset;
	uint64_t raw_ns;

	switch (kind) {
	case RECORD_SAMPLE:
		if (size != RECORD_HEADER + 8 + recording->sample_size)
			break;
		add_sample(recording, bytes + RECORD_HEADER + 8,
			   number_at(bytes + RECORD_HEADER, 8));
		return true;
	case RECORD_START:
	case RECORD_STOP:
		if (size != RECORD_HEADER + 8 + 2 * CLOCKS_SIZE)
			break;
		return read_call(recording, path, bytes + RECORD_HEADER, kind == RECORD_START,
				 marks);
	case RECORD_CLOCKS:
		if (size != RECORD_HEADER + CLOCKS_SIZE)
			break;
		if (!read_clocks(path, bytes + RECORD_HEADER, &offset, &raw_ns))
			return false;
		if (marks->starts)
			widen(&recording->runs[marks->starts - 1].offset, &offset);
		return true;
	case RECORD_GPU_TIME:
		if (size != RECORD_HEADER + CLOCKS_SIZE)
			break;
		return read_gpu_time(recording, path, bytes + RECORD_HEADER);
	case RECORD_CPU_TIMER:
		if (size != RECORD_HEADER + CLOCKS_SIZE + 8)
			break;
		recording->timer_hz = number_at(bytes + RECORD_HEADER + CLOCKS_SIZE, 8);
		return read_gpu_time(recording, path, bytes + RECORD_HEADER);
	case RECORD_TEARDOWN:
		if (size != RECORD_HEADER)
			break;
		recording->torn_down = true;
		return true;
	default:
		return true;
	}
	return bad(path, "a record of kind %llu has %llu bytes", (unsigned long long)kind,
		   (unsigned long long)size);
}

static bool read_records(struct recording *recording, const char *path, size_t at, size_t size)
{
	struct marks marks = { 0 };

	while (at < size) {
		uint64_t record = 0;

		if (size - at >= RECORD_HEADER)
			record = number_at(recording->file + at + 4, 4);
		if (size - at < RECORD_HEADER || record > size - at)
			return bad(path, "cut off in the record at %zu behind sample %zu", at,
				   recording->sample_count);
		if (record < RECORD_HEADER || record % 8)
			return bad(path, "a record of %llu bytes at %zu",
				   (unsigned long long)record, at);
		if (!read_record(recording, path, recording->file + at, record, &marks))
			return false;
		at += record;
	}
	recording->run_count = marks.starts;
	/* Then STOP is as good as not called: it has no sample. */
	if (recording->torn_down && marks.starts)
		recording->runs[marks.starts - 1].stop.known = false;
	return true;
}

/* The n-th run of samples from number 0 on is that of the n-th START. */
static bool find_runs(struct recording *recording, const char *path)
{
	struct drm_panthor_perf_sample_header header;
	size_t run = SIZE_MAX, sample;

	for (sample = 0; sample < recording->sample_count; sample++) {
		recording_header(recording, sample, &header);
		if (!sample || !header.sample_nr) {
			run++;
			if (recording->told && run == recording->run_count)
				return bad(path, "sample %zu begins run %zu, but START was called "
					   "%zu times", sample, run, recording->run_count);
			if (!recording->told) {
				recording->runs = grow(recording->runs, run,
						       sizeof(*recording->runs));
				recording->runs[run] = (struct run) { 0 };
			}
			recording->runs[run].first = sample;
		}
		recording->runs[run].count++;
	}
	recording->run_count = run + 1;
	return true;
}

static bool read_body(struct recording *recording, const char *path, size_t at, size_t size)
{
	if (!recording->told)
		return read_bare_samples(recording, path, at, size);
	return read_records(recording, path, at, size);
}

bool recording_load(struct recording *recording, const char *path)
{
	size_t size, body = 0;

	memset(recording, 0, sizeof(*recording));
	recording->file = read_file(path, &size);
	if (!recording->file || !read_header(recording, path, size, &body))
		return false;
	return read_body(recording, path, body, size) && find_runs(recording, path);
}

const struct run *recording_run(const struct recording *recording, size_t sample)
{
	size_t low = 0, high = recording->run_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (recording->runs[middle].first <= sample)
			low = middle;
		else
			high = middle;
	}
	return &recording->runs[low];
}

bool recording_is_final(const struct recording *recording, size_t sample)
{
	const struct run *run = recording_run(recording, sample);

	return run->stop.known && sample == run->first + run->count - 1;
}

void recording_free(struct recording *recording)
{
	unsigned int type;

	for (type = 0; type < TYPE_COUNT; type++)
		free(recording->enabled[type]);
	free(recording->samples);
	free(recording->read_ns);
	free(recording->runs);
	free(recording->gpu_times);
	free(recording->file);
}

void recording_header(const struct recording *recording, size_t sample,
		      struct drm_panthor_perf_sample_header *header)
{
	copy_known(header, sizeof(*header), recording->samples[sample],
		   recording->info.sample_header_size);
}

/* The type of a block by its place, which is what its header has to say. */
static const unsigned char *block_at(const struct recording *recording, size_t sample,
				     uint32_t position, unsigned int *type)
{
	for (*type = 1; *type < TYPE_COUNT - 1 && position >= recording->blocks[*type]; ++*type)
		position -= recording->blocks[*type];
	return recording->samples[sample] + recording->layout[*type].first +
	       position * recording->layout[*type].size;
}

void recording_block(const struct recording *recording, size_t sample, uint32_t position,
		     struct drm_panthor_perf_block_header *header)
{
	unsigned int type;

	copy_known(header, sizeof(*header), block_at(recording, sample, position, &type),
		   recording->info.block_header_size);
}

/* From a distance on one clock to that on another, which run at those rates. */
static int64_t scale(int64_t distance, uint64_t to, uint64_t from)
{
	return (__int128)distance * to / (__int128)from;
}

/* The reading nearest to a time, by either clock. */
static const struct gpu_time *nearest(const struct recording *recording, uint64_t time, bool raw)
{
	const struct gpu_time *times = recording->gpu_times;
	size_t low = 0, high = recording->gpu_time_count;
	uint64_t before, behind;

	if (!high)
		return NULL;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if ((raw ? times[middle].raw_ns : times[middle].timestamp) <= time)
			low = middle;
		else
			high = middle;
	}
	if (high == recording->gpu_time_count)
		return &times[low];
	before = raw ? times[low].raw_ns : times[low].timestamp;
	behind = raw ? times[high].raw_ns : times[high].timestamp;
	return time - before < behind - time || time < before ? &times[low] : &times[high];
}

bool recording_raw_of(const struct recording *recording, uint64_t hz, uint64_t timestamp,
		      struct span *raw)
{
	const struct gpu_time *time = nearest(recording, timestamp, false);

	if (!time || !hz || timestamp > INT64_MAX / 2)
		return false;
	raw->low = time->raw_ns + scale(timestamp - time->timestamp, NS_PER_S, hz) - 1;
	raw->high = raw->low + time->uncertainty_ns + 2;
	return true;
}

bool recording_ticks_of(const struct recording *recording, uint64_t hz, uint64_t raw_ns,
			struct span *ticks)
{
	const struct gpu_time *time = nearest(recording, raw_ns, true);
	int64_t distance;

	if (!time || !hz || raw_ns > INT64_MAX / 2)
		return false;
	distance = raw_ns - time->raw_ns;
	ticks->low = time->timestamp +
		     scale(distance - (int64_t)time->uncertainty_ns, hz, NS_PER_S) - 1;
	ticks->high = time->timestamp + scale(distance, hz, NS_PER_S) + 1;
	return true;
}

uint64_t recording_counter(const struct recording *recording, size_t sample, uint32_t position,
			   uint32_t counter)
{
	unsigned int type;
	const unsigned char *block = block_at(recording, sample, position, &type);
	uint32_t place = counter, before;

	if (!recording_has(recording, type, counter))
		return 0;
	for (before = 0; recording->compact && before < counter; before++)
		place -= !recording->enabled[type][before];
	return number_at(block + recording->info.block_header_size + 8ull * place, 8);
}

bool recording_has(const struct recording *recording, unsigned int type, uint32_t counter)
{
	return !recording->compact || recording->enabled[type][counter];
}
