// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Any bytes are a recording that can be used, or an error that says why not. */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <recording/recording.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

/* What a compressed input may grow to. */
#define MOST_CONTENT	4194304

/* The input as a compressed file: it is decompressed, or refused with a message. */
static void decompress(const uint8_t *data, size_t size)
{
	int fd = memfd_create("recording-fuzz", 0);
	char error[256] = "";
	size_t content_size;
	void *content;
	int ret;

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size && !lseek(fd, 0, SEEK_SET));
	if (zst_is_frame(fd)) {
		ret = zst_read(fd, MOST_CONTENT, RAW_MAGIC, &content, &content_size, error,
			       sizeof(error));
		require(ret ? *error && !content : content_size && content_size <= MOST_CONTENT);
		if (!ret)
			munmap(content, content_size);
	}
	close(fd);
}

/* What was found lies in the file, and everything in it may be read. */
static uint64_t use_sample(const unsigned char *file, size_t size,
			   const struct recording_sample *sample)
{
	const struct panthor_perf_block *block = NULL;
	size_t bytes;
	const unsigned char *data = panthor_perf_sample_data(sample->sample, &bytes);
	const uint64_t *counters;
	uint64_t sum = 0;
	uint32_t i, count;

	require(data >= file && bytes <= size && (size_t)(data - file) <= size - bytes);
	while ((block = panthor_perf_sample_next_block(sample->sample, block))) {
		counters = panthor_perf_block_counters(block, NULL, &count);
		for (i = 0; i < count; i++)
			sum += counters[i];
	}
	return sum;
}

static uint64_t use(const struct recording *rec, const unsigned char *file, size_t size)
{
	uint64_t count = recording_sample_count(rec), number, found, sum = 0;
	struct drm_panthor_gpu_info gpu;
	struct recording_sample sample;
	struct recording_mark mark;
	struct raw_clocks clocks;
	struct raw_call call;
	size_t length, i;
	int ret;

	require(count <= size / 16 && recording_cut(rec) <= size);
	for (number = 0, ret = recording_sample(rec, 0, &sample); ret == 1; number++) {
		require(sample.number == number);
		sum += use_sample(file, size, &sample);
		ret = recording_next(rec, &sample);
	}
	require(ret < 0 || number == count);
	for (number = 0; number < count; number += count / 7 + 1) {
		ret = recording_sample(rec, number, &sample);
		require(ret < 0 || (ret == 1 && sample.number == number));
		require(recording_find(rec, sample.header.timestamp_end_ns, &found) ||
			found <= count);
	}
	require(!recording_sample(rec, count, &sample));
	for (number = 0; recording_mark(rec, number, &mark); number++)
		sum += strlen(mark.name);
	require(number == recording_mark_count(rec));
	for (number = 0; recording_clocks(rec, number, &clocks); number++)
		sum += clocks.raw_ns;
	for (number = 0; recording_call(rec, RAW_START, number, &call); number++)
		sum += call.user_data;
	for (i = 0; recording_metadata(rec, &length) && i < length; i++)
		sum += recording_metadata(rec, &length)[i];
	for (i = 0; recording_table(rec, &length) && i < length; i++)
		sum += recording_table(rec, &length)[i];
	for (i = 0; i < 128; i++)
		sum += recording_has_counter(rec, i % 9, i);
	return sum + recording_gpu(rec, &gpu) + !!recording_end(rec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	volatile uint64_t result = 0;
	/* Of exactly this size, and aligned as a mapping is. */
	unsigned char *file = malloc(size ? size : 1);
	struct recording *rec = NULL;
	char error[256] = "";

	decompress(data, size);
	memcpy(file, data, size);
	if (recording_open_memory(file, size, &rec, error, sizeof(error))) {
		require(*error && !rec);
	} else {
		result = result + use(rec, file, size);
		recording_close(rec);
	}
	free(file);
	return 0;
}
