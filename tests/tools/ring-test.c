// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of the consumer's side of the ring, of samples, and of raw sample files. */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "raw.h"
#include "ring.h"

#define SLOTS		4
#define SLOT_WORDS	27
#define SLOT_SIZE	(8 * SLOT_WORDS)

static uint64_t slots[SLOTS][SLOT_WORDS];
static struct drm_panthor_perf_ring_control control;

/* The producer, as the header describes it: each word of sample n says what it is. */
static void produce(uint64_t n)
{
	unsigned int i;

	for (i = 0; i < SLOT_WORDS; i++)
		__atomic_store_n(&slots[n % SLOTS][i], n * 1000 + i, __ATOMIC_RELAXED);
	__atomic_store_n(&control.insert_idx, n + 1, __ATOMIC_RELEASE);
}

static bool is_sample(const uint64_t *sample, uint64_t n)
{
	unsigned int i;

	for (i = 0; i < SLOT_WORDS; i++)
		if (sample[i] != n * 1000 + i)
			return false;
	return true;
}

static void test_ring(void)
{
	uint64_t first = UINT64_MAX - 5, n, insert;
	uint64_t sample[SLOT_WORDS];
	struct panthor_perf_ring ring;
	bool ok = true;

	memset(&control, 0, sizeof(control));
	panthor_perf_ring_init(&ring, slots, &control, SLOTS, SLOT_SIZE);
	CHECK(panthor_perf_ring_fill(&ring, &insert) == 0 && insert == 0, "an empty ring");
	produce(0);
	produce(1);
	CHECK(panthor_perf_ring_fill(&ring, &insert) == 2 && insert == 2, "two samples");
	panthor_perf_ring_take(&ring, sample);
	CHECK(is_sample(sample, 0) && control.extract_idx == 1, "the first sample");
	produce(2);
	produce(3);
	produce(4);
	CHECK(panthor_perf_ring_fill(&ring, NULL) == SLOTS, "a full ring");
	control.insert_idx = 6;
	CHECK(panthor_perf_ring_fill(&ring, NULL) == -EPROTO, "more samples than slots");
	control.insert_idx = 0;
	CHECK(panthor_perf_ring_fill(&ring, NULL) == -EPROTO, "an insert index that went back");
	control.insert_idx = 5;
	control.extract_idx = 77;
	panthor_perf_ring_take(&ring, sample);
	CHECK(is_sample(sample, 1) && control.extract_idx == 2,
	      "the extract index in memory is never read back");

	control.insert_idx = first;
	control.extract_idx = first;
	panthor_perf_ring_init(&ring, slots, &control, SLOTS, SLOT_SIZE);
	for (n = first; n != 10; n++) {
		produce(n);
		ok = ok && panthor_perf_ring_fill(&ring, NULL) == 1;
		panthor_perf_ring_take(&ring, sample);
		ok = ok && is_sample(sample, n) && control.extract_idx == n + 1;
	}
	CHECK(ok, "indices that pass 2^64");
}

#define THREAD_SAMPLES	200000

static void *producer(void *arg)
{
	uint64_t n;

	(void)arg;
	for (n = 0; n < THREAD_SAMPLES; n++) {
		while (n - __atomic_load_n(&control.extract_idx, __ATOMIC_ACQUIRE) >= SLOTS)
			sched_yield();
		produce(n);
	}
	return NULL;
}

static void test_threads(void)
{
	uint64_t sample[SLOT_WORDS];
	struct panthor_perf_ring ring;
	uint64_t n = 0;
	bool ok = true;
	pthread_t thread;

	memset(&control, 0, sizeof(control));
	panthor_perf_ring_init(&ring, slots, &control, SLOTS, SLOT_SIZE);
	if (pthread_create(&thread, NULL, producer, NULL)) {
		CHECK(false, "a thread");
		return;
	}
	while (n < THREAD_SAMPLES) {
		int fill = panthor_perf_ring_fill(&ring, NULL);

		if (fill < 0 || fill > SLOTS)
			ok = false;
		if (fill <= 0) {
			sched_yield();
			continue;
		}
		panthor_perf_ring_take(&ring, sample);
		ok = ok && is_sample(sample, n++);
	}
	pthread_join(thread, NULL);
	CHECK(ok, "%d samples from another thread", THREAD_SAMPLES);
}

/* A sample of some later kernel: larger headers, and a block type that nobody knows yet. */
static void test_iteration(void)
{
	struct drm_panthor_perf_info info = {
		.counters_per_block = 6,
		.sample_header_size = 96,
		.block_header_size = 16,
	};
	uint64_t words[12 + 3 * 8] = { 0 };
	struct panthor_perf_sample sample;
	struct panthor_perf_block block = { 0 };
	static const uint8_t types[] = { 2, 99, 5 };
	unsigned int i, j;

	words[0] = 111;
	words[8] = 7;
	words[11] = 0xdeadbeef;
	for (i = 0; i < 3; i++) {
		words[12 + 8 * i] = types[i] | (uint64_t)i << 8 | 0x33ull << 32;
		for (j = 0; j < 6; j++)
			words[12 + 8 * i + 2 + j] = 100 * i + j;
	}

	CHECK(!panthor_perf_sample_init(&info, words, sizeof(words), &sample) &&
	      sample.header.timestamp_start_ns == 111 && sample.header.sample_nr == 7,
	      "a sample header that is larger than known");
	CHECK(panthor_perf_sample_next_block(&sample, &block) == 1 && block.header.type == 2 &&
	      block.header.states == 0x33 && block.counter_count == 6 && block.counters[5] == 5,
	      "a block header that is larger than known");
	CHECK(panthor_perf_sample_next_block(&sample, &block) == 1 && block.header.type == 5 &&
	      block.header.idx == 2 && block.counters[4] == 204, "an unknown block is skipped");
	CHECK(panthor_perf_sample_next_block(&sample, &block) == 0, "the end");
	CHECK(panthor_perf_sample_next_block(&sample, &block) == 0, "the end stays the end");

	CHECK(panthor_perf_sample_init(&info, words, 88, &sample) == -EINVAL, "half a header");
	CHECK(panthor_perf_sample_init(&info, words, 96 + 8, &sample) == -EINVAL, "half a block");
	CHECK(panthor_perf_sample_init(&info, (char *)words + 4, 96, &sample) == -EINVAL,
	      "a sample that is not aligned");
	memset(&block, 0, sizeof(block));
	CHECK(!panthor_perf_sample_init(&info, words, 96, &sample) &&
	      panthor_perf_sample_next_block(&sample, &block) == 0, "a sample without blocks");
	info.sample_header_size = 40;
	info.block_header_size = 8;
	CHECK(!panthor_perf_sample_init(&info, words, 40, &sample) &&
	      sample.header.timestamp_start_ns == 111 && sample.header.sample_nr == 0,
	      "a sample header that is smaller than known");
}

static uint32_t number_at(const unsigned char *bytes, size_t offset)
{
	return bytes[offset] | bytes[offset + 1] << 8 | bytes[offset + 2] << 16 |
	       (uint32_t)bytes[offset + 3] << 24;
}

/* What went through the ring comes out of the file, where its description says. */
static void test_raw(void)
{
	struct drm_panthor_perf_info info = { .counters_per_block = 64, .max_sessions = 3 };
	struct drm_panthor_perf_section sections[2] = {
		{ .block_type = 5, .mask = 0x10 },
		{ .block_type = 3, .first_counter = 64, .mask = 1ull << 63 },
	};
	struct raw_header header = {
		.section_count = 2,
		.sample_size = SLOT_SIZE,
		.gpu_id = 0xa8670005,
		.shader_present = 0x50005,
		.counter_set = 2,
		.sample_period_ns = 0x500000003,
	};
	struct raw_call call = { .user_data = 0x1122334455667788 };
	const size_t record = 16 + SLOT_SIZE;
	char path[] = "/tmp/raw-test-XXXXXX";
	unsigned char *bytes;
	uint64_t sample[SLOT_WORDS];
	struct panthor_perf_ring ring;
	struct raw_writer writer;
	size_t start, size;
	int fd = mkstemp(path);
	bool ok;
	FILE *file;

	CHECK(fd >= 0 && !close(fd), "a temporary file");
	ok = !raw_create(&writer, path, &header, &info, sections);
	raw_clocks_read(&call.before);
	raw_clocks_read(&call.after);
	ok = ok && !raw_write_call(&writer, RAW_START, &call);
	memset(&control, 0, sizeof(control));
	panthor_perf_ring_init(&ring, slots, &control, SLOTS, SLOT_SIZE);
	for (uint64_t n = 0; n < 10; n++) {
		produce(n);
		panthor_perf_ring_take(&ring, sample);
		ok = ok && !raw_write_sample(&writer, sample);
	}
	ok = ok && !raw_write_call(&writer, RAW_STOP, &call) && !raw_write_clocks(&writer);
	CHECK(ok && !raw_close(&writer), "writing");
	CHECK(call.before.uncertainty_ns < 1000000000 &&
	      call.before.raw_ns <= call.after.raw_ns &&
	      call.before.monotonic_ns + call.before.uncertainty_ns <= call.after.monotonic_ns,
	      "clocks");

	bytes = malloc(65536);
	file = fopen(path, "rb");
	size = file && bytes ? fread(bytes, 1, 65536, file) : 0;
	if (file)
		fclose(file);
	unlink(path);
	start = 64 + 88 + 2 * 16;
	CHECK(size == start + 10 * record + 2 * 64 + 32, "size of the file");
	if (size != start + 10 * record + 2 * 64 + 32) {
		free(bytes);
		return;
	}
	CHECK(!memcmp(bytes, "PTPRFRAW", 8) && number_at(bytes, 8) == 2 &&
	      number_at(bytes, 12) == start && number_at(bytes, 16) == 88 &&
	      number_at(bytes, 20) == 16 && number_at(bytes, 24) == 2 &&
	      number_at(bytes, 28) == SLOT_SIZE && number_at(bytes, 32) == 2 &&
	      number_at(bytes, 36) == 0xa8670005 && number_at(bytes, 40) == 3 &&
	      number_at(bytes, 44) == 5 && number_at(bytes, 48) == 0x50005,
	      "header of the file");
	CHECK(number_at(bytes, 64) == 64 && number_at(bytes, 64 + 64) == 3,
	      "PERF_INFO in the file");
	CHECK(bytes[152] == 5 && number_at(bytes, 160) == 0x10 && bytes[168] == 3 &&
	      number_at(bytes, 168) >> 16 == 64 && number_at(bytes, 180) == 0x80000000,
	      "sections in the file");
	ok = true;
	for (uint64_t n = 0; n < 10; n++) {
		size_t at = start + 64 + n * record;

		memcpy(sample, bytes + at + 16, SLOT_SIZE);
		ok = ok && number_at(bytes, at) == 1 && number_at(bytes, at + 4) == record &&
		     is_sample(sample, n);
	}
	CHECK(ok, "samples in the file");
	CHECK(number_at(bytes, start) == 2 && number_at(bytes, start + 4) == 64 &&
	      number_at(bytes, start + 8) == 0x55667788 &&
	      !memcmp(bytes + start + 16, &call.before, 24) &&
	      !memcmp(bytes + start + 40, &call.after, 24), "the call of START in the file");
	CHECK(number_at(bytes, size - 96) == 3 && number_at(bytes, size - 92) == 64 &&
	      number_at(bytes, size - 32) == 4 && number_at(bytes, size - 28) == 32 &&
	      !number_at(bytes, size - 4), "the call of STOP and clocks in the file");
	free(bytes);

	CHECK(raw_create(&writer, "/nonexistent/file", &header, &info, sections) == -ENOENT,
	      "a folder that does not exist");
	ok = !raw_create(&writer, "/dev/full", &header, &info, sections);
	CHECK(!ok, "a device that is full");
}

int main(void)
{
	test_ring();
	test_threads();
	test_iteration();
	test_raw();
	return check_failures ? 1 : 0;
}
