// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Recordings: what is written is read again, whatever part of the file is missing or wrong. What is
 * expected is reckoned from the sizes that tools/README.md has, not from what the writer did.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <panthor_perf_select.h>
#include <recording/recording.h>

#include "check.h"

#if __has_include("valgrind/valgrind.h")
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND	0
#endif

#define COUNTERS	8
#define BLOCKS		3
#define SAMPLE_SIZE	(80 + BLOCKS * (8 + 8 * COUNTERS))
#define FIRST_NS	5000000000ull
#define STEP_NS		1000000ull

/* Sizes of the format's parts. */
#define HEADER_SIZE	(64 + (int)sizeof(struct drm_panthor_perf_info) + 16)
#define SAMPLE_RECORD	(16 + sample_size())
#define CALL_RECORD	(16 + 2 * 24)
#define OTHER_CLOCKS_RECORD	(8 + 32)
#define MARK_RECORD(name)	(8 + 32 + ((int)strlen(name) + 7) / 8 * 8)
#define END_RECORD	(8 + 104)
#define TEXT_RECORD(text)	(8 + ((int)strlen(text) + 7) / 8 * 8)
#define GPU_OFFSET	(HEADER_SIZE + TEXT_RECORD(metadata))
#define SAMPLES_OFFSET	(GPU_OFFSET + 8 + sizeof(gpu) + TEXT_RECORD(table) + CALL_RECORD + \
			 OTHER_CLOCKS_RECORD)

static const char metadata[] = "{\"product\":\"Mali-G610\",\"tool\":\"a test\"}";
static const char table[] = "a table\nof two lines\n";

static const struct drm_panthor_perf_info info = {
	.counters_per_block = COUNTERS,
	.sample_header_size = 80,
	.block_header_size = 8,
	.sample_size = SAMPLE_SIZE,
	.abi = DRM_PANTHOR_PERF_ABI,
	.cshw_blocks = 1,
	.shader_blocks = 2,
	.max_sample_slots = 16,
};

static const struct drm_panthor_perf_section section = {
	.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER,
	.mask = 0xb0,
};

/* Samples have the counters of the section alone: 4, 5 and 7 of each shader core. */
static bool compact;

/* Level of compression of the file. */
static int level;

#define SHAPE	(level ? "compressed: " : compact ? "compact: " : "")

static size_t sample_size(void)
{
	return compact ? 80 + 2 * (8 + 3 * 8) : SAMPLE_SIZE;
}

static const struct drm_panthor_gpu_info gpu = {
	.gpu_id = 0xa8670005,
	.shader_present = 0x11,
	.l2_features = 0x07120306,
	.mem_features = 0x101,
};

/**
 * struct file - the content of a file, in memory of exactly its size
 */
struct file {
	/** @data: The content. */
	unsigned char *data;

	/** @size: Its bytes. */
	size_t size;
};

static const char name_template[] = "/tmp/recording-test.XXXXXX";
static char path[sizeof(name_template)];

static struct file load(void)
{
	struct file file = { 0 };
	struct stat stat;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &stat))
		abort();
	file.size = stat.st_size;
	file.data = malloc(file.size);
	if (read(fd, file.data, file.size) != (ssize_t)file.size)
		abort();
	close(fd);
	return file;
}

static uint64_t counter_of(unsigned int number, unsigned int block, unsigned int counter)
{
	return 1000000ull * number + 1000 * block + counter;
}

/* What the library parses samples with; freed by put_sample(). */
static struct panthor_perf_gpu *object;

static struct panthor_perf_sample *get_sample(void)
{
	struct panthor_perf_selection *selection;
	struct panthor_perf_sample *sample;

	if (panthor_perf_gpu_create(&gpu, sizeof(gpu), &info, sizeof(info), &object, NULL) ||
	    panthor_perf_selection_create(object, NULL, 0, &selection, NULL) ||
	    panthor_perf_selection_add_sections(selection, &section, sizeof(section), 1, NULL) ||
	    panthor_perf_sample_create(object, compact ? selection : NULL, &sample, NULL))
		abort();
	panthor_perf_selection_destroy(selection);
	return sample;
}

static void put_sample(struct panthor_perf_sample *sample)
{
	panthor_perf_sample_destroy(sample);
	panthor_perf_gpu_destroy(object);
}

static void make_sample(uint64_t *data, unsigned int number, struct panthor_perf_sample *sample)
{
	struct drm_panthor_perf_sample_header header = {
		.timestamp_start_ns = FIRST_NS + number * STEP_NS,
		.timestamp_end_ns = FIRST_NS + (number + 1) * STEP_NS,
		.user_data = 77 + number,
		.sample_nr = number,
		.merged = number % 5 == 4 ? 2 : 0,
		.flags = number % 5 == 4 ? DRM_PANTHOR_PERF_SAMPLE_STRETCHED : 0,
		.events = number % 5 == 4 ? DRM_PANTHOR_PERF_EVENT_RING_FULL : 0,
	};
	unsigned char *at = (unsigned char *)data + 80;
	unsigned int block, i;

	if (number == 3)
		header.flags |= DRM_PANTHOR_PERF_SAMPLE_ERROR;
	memset(data, 0, SAMPLE_SIZE);
	memcpy(data, &header, sizeof(header));
	for (block = compact; block < BLOCKS; block++) {
		at[0] = block ? DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER :
				DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW;
		at[1] = block ? block - 1 : 0;
		at += 8;
		for (i = 0; i < COUNTERS; i++) {
			if (compact && !(section.mask >> i & 1))
				continue;
			*(uint64_t *)at = i < 4 ? 0 : counter_of(number, block, i);
			at += 8;
		}
	}
	if (panthor_perf_sample_parse(sample, data, sample_size(), NULL))
		abort();
}

static int create(struct recording_writer *writer)
{
	const struct recording_setup setup = {
		.level = level,
		.header = {
			.section_count = 1,
			.sample_size = sample_size(),
			.gpu_id = gpu.gpu_id,
			.shader_present = gpu.shader_present,
			.sample_period_ns = STEP_NS,
			.flags = compact ? DRM_PANTHOR_PERF_SETUP_COMPACT : 0,
		},
		.info = &info,
		.sections = &section,
		.gpu = &gpu,
		.metadata = metadata,
		.table = table,
	};

	return recording_create(writer, path, &setup);
}

static const char *name_of(unsigned int number)
{
	static const char *const names[] = { "", "frame", "12345678", "a longer name" };

	return names[number % 4];
}

/* Samples, with a mark in front of every fourth of the first so many. */
static int write_file(unsigned int samples, unsigned int marked)
{
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	const struct raw_call call = {
		.user_data = 9,
		.before = { 10, FIRST_NS - 20, 1 },
		.after = { 30, FIRST_NS - 10, 2 },
	};
	uint64_t data[SAMPLE_SIZE / 8];
	struct panthor_perf_sample *sample;
	struct recording_writer writer;
	unsigned int number;
	int ret = create(&writer), finished;

	if (ret)
		return ret;
	quality.lost = 1;
	sample = get_sample();
	ret = recording_write_call(&writer, RAW_START, &call);
	for (number = 0; number < samples && !ret; number++) {
		if (number % 4 == 0 && number < marked)
			ret = recording_write_mark(&writer, 77 + number, name_of(number / 4),
						   FIRST_NS + number);
		make_sample(data, number, sample);
		/* Clocks are written by the time, which a test does not know: none are. */
		writer.raw.clocks_ns = raw_now_ns();
		if (!ret)
			ret = recording_write_sample(&writer, sample);
	}
	if (!ret)
		ret = recording_write_call(&writer, RAW_STOP, &call);
	finished = recording_finish(&writer, &quality);
	put_sample(sample);
	return ret ? ret : finished;
}

/* Is a sample what was written? */
static bool is_sample(const struct recording_sample *sample, unsigned int number)
{
	const struct panthor_perf_block *block = NULL;
	unsigned int count = compact, i;

	if (sample->number != number || sample->header.user_data != 77 + number ||
	    panthor_perf_sample_user_data(sample->sample) != 77 + number ||
	    sample->header.timestamp_end_ns != FIRST_NS + (number + 1) * STEP_NS)
		return false;
	for (; (block = panthor_perf_sample_next_block(sample->sample, block)); count++) {
		for (i = 4; i < COUNTERS; i++) {
			bool there = !compact || section.mask >> i & 1;
			uint64_t value;

			if (panthor_perf_block_counter(block, i, &value) != there ||
			    value != (there ? counter_of(number, count, i) : 0))
				return false;
		}
	}
	return count == BLOCKS;
}

static bool all_samples(const struct recording *rec, unsigned int samples)
{
	struct recording_sample sample;
	unsigned int number;

	if (recording_sample_count(rec) != samples)
		return false;
	if (!samples)
		return !recording_sample(rec, 0, &sample);
	if (recording_sample(rec, 0, &sample) != 1)
		return false;
	for (number = 0; number < samples; number++) {
		if (!is_sample(&sample, number))
			return false;
		if (recording_next(rec, &sample) != (number + 1 < samples))
			return false;
	}
	return true;
}

static bool seeks(const struct recording *rec, unsigned int samples)
{
	struct recording_sample sample;
	uint64_t found;
	unsigned int i;

	for (i = 0; i < samples; i++) {
		/* In an order that is no order. */
		unsigned int number = i * 7919ull % samples;

		if (recording_sample(rec, number, &sample) != 1 || !is_sample(&sample, number))
			return false;
		if (recording_find(rec, FIRST_NS + number * STEP_NS, &found) || found != number)
			return false;
		if (recording_find(rec, FIRST_NS + number * STEP_NS + 1, &found) ||
		    found != number)
			return false;
	}
	return !recording_sample(rec, samples, &sample) && !recording_find(rec, 0, &found) &&
	       found == 0 && !recording_find(rec, UINT64_MAX, &found) && found == samples;
}

static bool all_marks(const struct recording *rec, unsigned int marked)
{
	struct recording_mark mark;
	unsigned int number, i = 0;

	for (number = 0; number < marked; number += 4, i++)
		if (!recording_mark(rec, i, &mark) || mark.id != 77 + number ||
		    mark.sample != number || mark.raw_ns != FIRST_NS + number ||
		    strcmp(mark.name, name_of(i)))
			return false;
	return recording_mark_count(rec) == i && !recording_mark(rec, i, &mark);
}

static bool same_beginning(const struct recording *rec)
{
	struct drm_panthor_gpu_info found;
	size_t size;
	const char *text = recording_metadata(rec, &size);

	if (!text || size != (sizeof(metadata) - 1 + 7) / 8 * 8 ||
	    memcmp(text, metadata, sizeof(metadata) - 1) || text[size - 1] != ' ')
		return false;
	text = recording_table(rec, &size);
	if (!text || size != sizeof(table) - 1 || memcmp(text, table, size))
		return false;
	return recording_gpu(rec, &found) && !memcmp(&found, &gpu, sizeof(gpu)) &&
	       !memcmp(recording_info(rec), &info, sizeof(info));
}

/* A recording that has no sample is none. */
static void test_no_samples(void)
{
	unlink(path);
	CHECK(!write_file(0, 0) && access(path, F_OK), "without samples there is no file");
}

static void test_round_trip(unsigned int samples, unsigned int marked)
{
	char error[256] = "";
	struct recording *rec;
	struct raw_call call;
	const struct raw_end *end;

	if (write_file(samples, marked) || recording_open(path, &rec, error, sizeof(error))) {
		CHECK(false, "%s%u samples: the file is written and opened %s", SHAPE, samples,
		      error);
		return;
	}
	CHECK(same_beginning(rec), "%s%u samples: info, features, metadata, table", SHAPE,
	      samples);
	CHECK(recording_has_counter(rec, 5, 4) && recording_has_counter(rec, 5, 7) &&
	      !recording_has_counter(rec, 5, 6) && !recording_has_counter(rec, 2, 4) &&
	      !recording_has_counter(rec, 99, 4) && !recording_has_counter(rec, 5, 99999),
	      "%s%u samples: counters that were asked for", SHAPE, samples);
	CHECK(all_samples(rec, samples), "%s%u samples: each of them", SHAPE, samples);
	CHECK(seeks(rec, samples), "%s%u samples: seeking", SHAPE, samples);
	CHECK(all_marks(rec, marked), "%s%u samples: marks", SHAPE, samples);
	CHECK(recording_call_count(rec, RAW_START) == 1 &&
	      recording_call(rec, RAW_STOP, 0, &call) && call.user_data == 9 &&
	      call.after.raw_ns == FIRST_NS - 10 && !recording_call(rec, RAW_STOP, 1, &call),
	      "%s%u samples: calls", SHAPE, samples);
	end = recording_end(rec);
	CHECK(end && end->samples == samples && end->marks == (marked + 3) / 4 &&
	      end->merged == samples / 5 * 2 && end->stretched == samples / 5 &&
	      end->errors == (samples > 3) && end->lost == 1 && !end->overflows &&
	      end->start_ns == (samples ? FIRST_NS : 0) &&
	      end->end_ns == (samples ? FIRST_NS + samples * STEP_NS : 0) &&
	      end->events == (samples > 4 ? DRM_PANTHOR_PERF_EVENT_RING_FULL : 0),
	      "%s%u samples: totals", SHAPE, samples);
	CHECK(!recording_cut(rec), "%s%u samples: nothing is cut off", SHAPE, samples);
	recording_close(rec);
}

/* Without its end a file is gone through, and says the same. */
static void test_without_end(void)
{
	struct recording *rec;
	struct file file;
	char error[256];

	write_file(1000, 1000);
	file = load();
	CHECK(!recording_open_memory(file.data, file.size - END_RECORD, &rec, error,
				     sizeof(error)) &&
	      !recording_end(rec) && all_samples(rec, 1000) && seeks(rec, 1000) &&
	      all_marks(rec, 1000) && same_beginning(rec) && !recording_cut(rec),
	      "%sa file without its end is read as a whole", SHAPE);
	recording_close(rec);
	free(file.data);
}

/* Samples and marks of write_file(SAMPLES, MARKED) that lie in the first SIZE bytes. */
static void expect_in(size_t size, unsigned int samples, unsigned int marked,
		      unsigned int *whole_samples, unsigned int *whole_marks)
{
	size_t at = SAMPLES_OFFSET;
	unsigned int number;

	*whole_samples = 0;
	*whole_marks = 0;
	for (number = 0; number < samples; number++) {
		if (number % 4 == 0 && number < marked) {
			at += MARK_RECORD(name_of(number / 4));
			*whole_marks += at <= size;
		}
		at += SAMPLE_RECORD;
		*whole_samples += at <= size;
	}
}

static void test_truncated(void)
{
	const unsigned int samples = 9, marked = 9;
	size_t size, bad = 0, wrong = 0;
	struct file file;

	write_file(samples, marked);
	file = load();
	for (size = 0; size < file.size; size += RUNNING_ON_VALGRIND ? 41 : 1) {
		unsigned int whole_samples, whole_marks;
		unsigned char *part = malloc(size ? size : 1);
		struct recording *rec;
		char error[256] = "";
		int ret;

		memcpy(part, file.data, size);
		ret = recording_open_memory(part, size, &rec, error, sizeof(error));
		if (size < HEADER_SIZE) {
			bad += ret != -EINVAL || !*error;
		} else {
			expect_in(size, samples, marked, &whole_samples, &whole_marks);
			wrong += ret || recording_end(rec) ||
				 !all_samples(rec, whole_samples) ||
				 recording_mark_count(rec) != whole_marks;
		}
		if (!ret)
			recording_close(rec);
		free(part);
	}
	CHECK(file.size > 9 * SAMPLE_RECORD && !bad,
	      "%sa file that was cut off in its header is refused, at each of %d bytes", SHAPE,
	      HEADER_SIZE);
	CHECK(!wrong, "%sa file that was cut off is read up to its last whole record, at each of "
	      "%zu bytes", SHAPE, file.size - HEADER_SIZE);
	free(file.data);
}

/* Everything can be asked for and nothing outside of the file is touched: the sanitizers look. */
static uint64_t touch(const struct recording *rec, const struct file *file, bool *inside)
{
	uint64_t i, number, sum = 0;
	struct recording_sample sample;
	struct recording_mark mark;
	struct raw_clocks clocks;
	struct raw_call call;
	size_t size;

	for (i = 0; i < recording_sample_count(rec); i++) {
		const struct panthor_perf_block *block = NULL;
		const unsigned char *data;
		const uint64_t *counters;
		uint32_t count;

		if (recording_sample(rec, i, &sample) != 1)
			continue;
		data = panthor_perf_sample_data(sample.sample, &size);
		*inside = *inside && data >= file->data && size <= file->size &&
			  (size_t)(data - file->data) <= file->size - size;
		while ((block = panthor_perf_sample_next_block(sample.sample, block))) {
			counters = panthor_perf_block_counters(block, NULL, &count);
			for (number = 0; number < count; number++)
				sum += counters[number];
		}
		recording_find(rec, sample.header.timestamp_end_ns, &number);
	}
	for (i = 0; recording_mark(rec, i, &mark); i++)
		sum += strlen(mark.name);
	for (i = 0; recording_clocks(rec, i, &clocks); i++)
		sum += clocks.raw_ns;
	for (i = 0; recording_call(rec, RAW_START, i, &call); i++)
		sum += call.user_data;
	for (i = 0; i < 1024; i++)
		sum += recording_has_counter(rec, i % 9, i);
	if (recording_metadata(rec, &size))
		sum += recording_metadata(rec, &size)[size - 1];
	if (recording_table(rec, &size) && size)
		sum += recording_table(rec, &size)[size - 1];
	return sum;
}

static void test_flipped(void)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff };
	unsigned int opened = 0, refused = 0, silent = 0, too_many = 0;
	volatile uint64_t sum = 0;
	bool inside = true;
	struct file file;
	size_t at, i;

	write_file(70, 12);
	file = load();
	for (at = 0; at < file.size; at++) {
		for (i = 0; i < ARRAY_SIZE(flips); i++) {
			struct recording *rec;
			char error[256] = "";

			/* What is in a sample alone changes nothing that is looked at. */
			if (at > file.size / 4 && at < file.size - 2000 && at % 11)
				continue;
			/* Not each byte where that takes minutes. */
			if (RUNNING_ON_VALGRIND && at % 17)
				continue;
			file.data[at] ^= flips[i];
			if (recording_open_memory(file.data, file.size, &rec, error,
						  sizeof(error))) {
				refused++;
				silent += !*error;
			} else {
				opened++;
				sum += touch(rec, &file, &inside);
				too_many += recording_sample_count(rec) > 70;
				recording_close(rec);
			}
			file.data[at] ^= flips[i];
		}
	}
	CHECK(inside, "%ssamples of a file with a wrong byte lie in the file", SHAPE);
	CHECK(opened > 100 && refused > 10 && !silent,
	      "%sa file with a wrong byte is read (%u) or refused with a message (%u)", SHAPE,
	      opened, refused);
	CHECK(!too_many, "%sa wrong byte makes no samples", SHAPE);
	free(file.data);
}

static void put(struct file *file, size_t at, uint64_t value, size_t size)
{
	memcpy(file->data + at, &value, size);
}

static uint64_t get(const struct file *file, size_t at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, file->data + at, size);
	return value;
}

/* Offset of a field of the end, and of the index that it names. */
#define END_FIELD(field)	(file.size - 104 + offsetof(struct raw_end, field))

static bool reads_all(const struct file *file, bool with_end)
{
	struct recording *rec;
	char error[256];
	bool good;

	if (recording_open_memory(file->data, file->size, &rec, error, sizeof(error)))
		return false;
	good = all_samples(rec, 700) && all_marks(rec, 700) && seeks(rec, 700) &&
	       !recording_end(rec) == !with_end;
	recording_close(rec);
	return good;
}

/* What stands where it should not is no end. */
static void test_stray_end(void)
{
	const size_t last = SAMPLES_OFFSET + 4 * SAMPLE_RECORD, size = last + SAMPLE_RECORD;
	struct recording *rec;
	struct file file;
	char error[256];

	write_file(5, 0);
	file = load();
	/* GPU_INFO is as long as an end. */
	put(&file, GPU_OFFSET, RAW_END, 4);
	CHECK(!recording_open_memory(file.data, file.size, &rec, error, sizeof(error)) &&
	      all_samples(rec, 5) && recording_end(rec) && recording_end(rec)->samples == 5,
	      "an end in front of the samples is not used");
	recording_close(rec);
	/* Without the end, all records are looked at. The last sample is longer than an end. */
	put(&file, last, RAW_END, 4);
	CHECK(!recording_open_memory(file.data, size, &rec, error, sizeof(error)) &&
	      all_samples(rec, 4) && !recording_end(rec), "an end without its magic is none");
	recording_close(rec);
	memcpy(file.data + last + 8 + 96, RAW_END_MAGIC, 8);
	CHECK(!recording_open_memory(file.data, size, &rec, error, sizeof(error)) &&
	      all_samples(rec, 4) && recording_end(rec), "the last record is an end");
	recording_close(rec);
	CHECK(!recording_open_memory(file.data, size + CALL_RECORD, &rec, error, sizeof(error)) &&
	      all_samples(rec, 4) && !recording_end(rec), "an end in front of STOP is none");
	recording_close(rec);
	free(file.data);
}

/* An index that lies is not believed. */
static void test_wrong_index(void)
{
	struct file file;
	uint64_t index, entry;

	/* 175 marks in front of 700 samples, two calls, and 11 samples with entries: 188. */
	write_file(700, 700);
	file = load();
	index = get(&file, END_FIELD(index), 8);
	entry = index + 8 + 16;
	CHECK(get(&file, index, 4) == RAW_INDEX && get(&file, index + 8 + 12, 4) == 188,
	      "the end names the newest index, which has an entry for all but samples");
	CHECK(reads_all(&file, true), "the file of these tests is good");

	put(&file, END_FIELD(index), index + 8, 8);
	CHECK(reads_all(&file, true), "an end that names no index");
	put(&file, END_FIELD(index), UINT64_MAX - 7, 8);
	CHECK(reads_all(&file, true), "an end that names an index outside of the file");
	put(&file, END_FIELD(index), 0, 8);
	CHECK(reads_all(&file, true), "an end without an index");
	put(&file, END_FIELD(index), index, 8);

	put(&file, index + 8, index, 8);
	CHECK(reads_all(&file, true), "an index that follows itself");
	put(&file, index + 8, 8, 8);
	CHECK(reads_all(&file, true), "an index that follows the header");
	put(&file, index + 8, 0, 8);

	put(&file, entry + 24, get(&file, entry + 24, 8) + 8, 8);
	CHECK(reads_all(&file, true), "an entry that points between records");
	put(&file, entry + 24, UINT64_MAX - 7, 8);
	CHECK(reads_all(&file, true), "an entry that points outside of the file");
	put(&file, entry + 24, get(&file, entry + 32 + 24, 8), 8);
	CHECK(reads_all(&file, true), "an entry that points to another kind of record");
	free(file.data);

	write_file(700, 700);
	file = load();
	put(&file, END_FIELD(samples), 701, 8);
	CHECK(reads_all(&file, true), "an end with another number of samples");
	put(&file, END_FIELD(samples), 700, 8);
	put(&file, END_FIELD(marks), 3, 8);
	CHECK(reads_all(&file, true), "an end with another number of marks");
	put(&file, END_FIELD(marks), 175, 8);
	CHECK(reads_all(&file, true), "the file is as it was");
	free(file.data);
}

static int open_error(const struct file *file, char *error, size_t size)
{
	struct recording *rec;
	int ret = recording_open_memory(file->data, file->size, &rec, error, size);

	if (!ret)
		recording_close(rec);
	return ret;
}

/* Other versions, and parts that later versions may make longer. */
static void test_foreign(void)
{
	static const unsigned int versions[] = { 0, 1, 3, 0x02000000, UINT32_MAX };
	struct recording *rec;
	char error[256];
	struct file file, grown;
	size_t i, begin;

	write_file(5, 0);
	file = load();
	for (i = 0; i < ARRAY_SIZE(versions); i++) {
		put(&file, 8, versions[i], 4);
		CHECK(open_error(&file, error, sizeof(error)) == -EINVAL &&
		      strstr(error, "version"), "version %u is refused by its number", versions[i]);
	}
	put(&file, 8, 2, 4);
	file.data[0] = 'p';
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL && strstr(error, "PTPRFRAW"),
	      "another file is refused");
	file.data[0] = 'P';
	put(&file, 28, 8, 4);
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL,
	      "samples that are smaller than their header are refused");
	put(&file, 28, SAMPLE_SIZE + 8, 4);
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL,
	      "samples that have no whole number of blocks are refused");
	put(&file, 28, SAMPLE_SIZE, 4);
	put(&file, 56, DRM_PANTHOR_PERF_SETUP_COMPACT, 4);
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL && strstr(error, "compact"),
	      "compact samples of another size than what was asked for are refused");
	put(&file, 56, 0, 4);

	put(&file, HEADER_SIZE - 16 + 2, 0xffc0, 2);
	put(&file, HEADER_SIZE - 16 + 8, 0, 8);
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL,
	      "a section far behind the last counter is refused, even without a counter");
	put(&file, HEADER_SIZE - 16 + 2, 32, 2);
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL,
	      "a section that begins in the middle of 64 counters is refused");
	put(&file, HEADER_SIZE - 16 + 2, 0, 2);
	put(&file, HEADER_SIZE - 16 + 8, 1 << COUNTERS, 8);
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL,
	      "a section with a counter that there is not is refused");
	put(&file, HEADER_SIZE - 16 + 8, section.mask, 8);

	/* PERF_INFO of a later kernel, 16 bytes longer, and a record of an unknown kind. */
	begin = HEADER_SIZE - 16;
	grown.size = file.size + 16 + 24;
	grown.data = calloc(1, grown.size);
	memcpy(grown.data, file.data, begin);
	memset(grown.data + begin, 0xee, 16);
	memcpy(grown.data + begin + 16, file.data + begin, 16);
	put(&grown, 12, HEADER_SIZE + 16, 4);
	put(&grown, 16, sizeof(info) + 16, 4);
	put(&grown, HEADER_SIZE + 16, 12345, 4);
	put(&grown, HEADER_SIZE + 16 + 4, 24, 4);
	memcpy(grown.data + HEADER_SIZE + 16 + 24, file.data + HEADER_SIZE,
	       file.size - HEADER_SIZE);
	CHECK(!recording_open_memory(grown.data, grown.size, &rec, error, sizeof(error)) &&
	      all_samples(rec, 5) && same_beginning(rec),
	      "a longer PERF_INFO and an unknown record are skipped");
	recording_close(rec);
	free(grown.data);
	free(file.data);
	CHECK(recording_open("/nonexistent", &rec, error, sizeof(error)) == -ENOENT && *error,
	      "a file that is missing");
	CHECK(recording_open("/dev/null", &rec, error, sizeof(error)) == -EINVAL && *error,
	      "what is no regular file");
	CHECK(!truncate(path, 0) && recording_open(path, &rec, error, sizeof(error)) == -EINVAL,
	      "an empty file");
}

/* Compact samples: where their counters are follows from the sections. */
static void test_compact(void)
{
	char error[256];
	struct file file;

	compact = true;
	test_round_trip(65, 65);
	test_without_end();
	test_truncated();
	test_flipped();
	write_file(5, 0);
	file = load();
	put(&file, HEADER_SIZE - 16 + 8, section.mask | 1 << 6, 8);
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL &&
	      strstr(error, "144 bytes do not match the sections"),
	      "compact samples without a counter that was asked for are refused");
	put(&file, 56, 0, 4);
	CHECK(open_error(&file, error, sizeof(error)) == -EINVAL && strstr(error, "whole blocks"),
	      "compact samples that do not say so are refused");
	free(file.data);
	compact = false;
}

/* A limit for the size of files is what a full disk looks like. */
static void test_full(unsigned int samples)
{
	unsigned int wrong = 0, runs = 0, most = 0;
	struct rlimit old, limit;
	struct file file;
	size_t size, step;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	write_file(samples, 20);
	file = load();
	step = file.size / 61 | 1;
	for (size = 1; size < file.size; size += step, runs++) {
		unsigned int whole_samples = 0, whole_marks;
		struct recording *rec;
		char error[256];
		int ret;

		unlink(path);
		limit = old;
		limit.rlim_cur = size;
		setrlimit(RLIMIT_FSIZE, &limit);
		ret = write_file(samples, 20);
		setrlimit(RLIMIT_FSIZE, &old);
		wrong += ret != -EFBIG;
		expect_in(size, samples, 20, &whole_samples, &whole_marks);
		if (recording_open(path, &rec, error, sizeof(error))) {
			wrong += whole_samples != 0;
			continue;
		}
		wrong += recording_cut(rec) || recording_end(rec) ||
			 recording_mark_count(rec) != whole_marks ||
			 !all_samples(rec, whole_samples);
		if (whole_samples > most)
			most = whole_samples;
		recording_close(rec);
	}
	CHECK(!wrong && runs > 50 && most > samples * 9 / 10,
	      "a full disk leaves the whole records of %u samples, %u times", samples, runs);
	free(file.data);
}

/* Opens a file that has these bytes. */
static int open_bytes(const void *data, size_t size, struct recording **rec, char *error)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
	*error = 0;
	return recording_open(path, rec, error, 256);
}

/* A file that ends anywhere has the first samples of the whole one. */
static void test_compressed_cut(const struct file *file, unsigned int samples)
{
	const size_t step = file->size / (RUNNING_ON_VALGRIND ? 7 : 97) | 1;
	unsigned int wrong = 0, refused = 0, most = 0;
	size_t size;

	for (size = 4; size < file->size; size += step) {
		struct recording *rec;
		char error[256];

		if (open_bytes(file->data, size, &rec, error)) {
			wrong += !strstr(error, "compressed, and was cut off in its first frame");
			refused++;
			continue;
		}
		wrong += recording_end(rec) || recording_sample_count(rec) >= samples ||
			 !all_samples(rec, recording_sample_count(rec));
		if (recording_sample_count(rec) > most)
			most = recording_sample_count(rec);
		recording_close(rec);
	}
	CHECK(!wrong && refused && refused < 5 && most > samples / 2,
	      "compressed: a file that was cut has the first of %u samples, up to %u", samples,
	      most);
}

/* A wrong byte makes no wrong count. */
static void test_compressed_flipped(const struct file *file, unsigned int samples)
{
	unsigned int wrong = 0, refused = 0;
	size_t at;

	/* Behind the word by which a compressed file is known. */
	for (at = 4; at < file->size; at += RUNNING_ON_VALGRIND ? 41 : 1) {
		struct recording *rec;
		char error[256];

		file->data[at] ^= 0x41;
		if (open_bytes(file->data, file->size, &rec, error)) {
			wrong += !*error;
			refused++;
		} else {
			/* That of a frame's size may look as if the frame was cut off. */
			wrong += recording_sample_count(rec) != samples && recording_end(rec);
			wrong += !all_samples(rec, recording_sample_count(rec));
			recording_close(rec);
		}
		file->data[at] ^= 0x41;
	}
	CHECK(!wrong && refused > (RUNNING_ON_VALGRIND ? 10 : file->size / 2),
	      "compressed: a file with a wrong byte is refused (%u) or has the first samples",
	      refused);
}

/* The bytes that are read within a limit, or a negative errno. */
static ssize_t read_within(uint64_t limit, const char *magic, char *error)
{
	int fd = open(path, O_RDONLY);
	size_t size;
	void *data;
	int ret;

	*error = 0;
	ret = zst_read(fd, limit, magic, &data, &size, error, 256);
	close(fd);
	if (ret)
		return ret;
	munmap(data, size);
	return size;
}

static void test_compressed_limit(void)
{
	char error[256];
	const ssize_t all = read_within(1ull << 40, RAW_MAGIC, error), page = sysconf(_SC_PAGESIZE);

	CHECK(all > 1 << 20, "compressed: a content of %zd bytes", all);
	CHECK(read_within(all + page, RAW_MAGIC, error) == all, "compressed: one within the limit");
	CHECK(read_within(all - page, RAW_MAGIC, error) == -EFBIG &&
	      strstr(error, "too large for the memory"), "compressed: one over it: %s", error);
	CHECK(read_within(0, RAW_MAGIC, error) == -EFBIG, "compressed: no memory at all");
	CHECK(read_within(1ull << 40, "PTPRFRAX", error) <= 1 << 20,
	      "compressed: another content is not read to its end");
}

static void test_compressed_full(unsigned int samples)
{
	struct rlimit old, limit;
	unsigned int wrong = 0, runs = 0, most = 0;
	struct file file;
	size_t size;

	getrlimit(RLIMIT_FSIZE, &old);
	write_file(samples, 0);
	file = load();
	/* Times in it are others each time, so its size is not always the same. */
	for (size = 1; size < file.size / 10 * 9; size += file.size / 41 | 1, runs++) {
		struct recording *rec;
		char error[256];
		int ret;

		unlink(path);
		limit = old;
		limit.rlim_cur = size;
		setrlimit(RLIMIT_FSIZE, &limit);
		ret = write_file(samples, 0);
		setrlimit(RLIMIT_FSIZE, &old);
		wrong += ret != -EFBIG;
		if (recording_open(path, &rec, error, sizeof(error)))
			continue;
		wrong += recording_end(rec) || recording_cut(rec) ||
			 !all_samples(rec, recording_sample_count(rec));
		if (recording_sample_count(rec) > most)
			most = recording_sample_count(rec);
		recording_close(rec);
	}
	CHECK(!wrong && runs > 30 && most > samples / 2,
	      "compressed: a full disk leaves whole frames, up to %u of %u samples", most, samples);
	free(file.data);
}

static void test_compressed(void)
{
	const unsigned int many = RUNNING_ON_VALGRIND ? 1200 : 12000;
	struct file file;

	level = 1;
	test_no_samples();
	test_round_trip(1, 0);
	test_round_trip(65, 65);
	test_round_trip(many, 65);
	test_compressed_limit();
	file = load();
	test_compressed_cut(&file, many);
	free(file.data);
	level = 19;
	test_round_trip(65, 65);
	level = 1;
	write_file(40, 9);
	file = load();
	test_compressed_flipped(&file, 40);
	free(file.data);
	if (!RUNNING_ON_VALGRIND)
		test_compressed_full(many);
	level = 0;
}

int main(void)
{
	int fd;

	memcpy(path, name_template, sizeof(path));
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	test_no_samples();
	test_round_trip(1, 0);
	test_round_trip(65, 65);
	/* More entries than an index has. */
	test_round_trip(RUNNING_ON_VALGRIND ? 1200 : 3000, RUNNING_ON_VALGRIND ? 1200 : 2000);
	test_without_end();
	test_truncated();
	test_flipped();
	test_stray_end();
	test_wrong_index();
	test_foreign();
	test_compact();
	test_full(60);
	/* More than the writer collects. */
	if (!RUNNING_ON_VALGRIND)
		test_full(8000);
	if (zst_is_there())
		test_compressed();
	unlink(path);
	return check_failures ? 1 : 0;
}
