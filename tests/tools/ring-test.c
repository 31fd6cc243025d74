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
#include "recording/raw.h"
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

static struct panthor_perf_gpu *make_gpu(uint32_t sample_header, uint32_t block_header)
{
	const struct drm_panthor_perf_info info = {
		.counters_per_block = 6,
		.sample_header_size = sample_header,
		.block_header_size = block_header,
		.sample_size = sample_header,
		.abi = DRM_PANTHOR_PERF_ABI,
	};
	struct panthor_perf_gpu *gpu = NULL;

	if (panthor_perf_gpu_create(NULL, 0, &info, sizeof(info), &gpu, NULL)) {
		printf("Bail out! there is no GPU\n");
		exit(1);
	}
	return gpu;
}

/* A sample of some later kernel: larger headers, and a block type that nobody knows yet. */
static void test_iteration(void)
{
	struct panthor_perf_gpu *gpu = make_gpu(96, 16);
	const struct panthor_perf_block *first, *second;
	struct panthor_perf_sample *sample = NULL;
	static const uint8_t types[] = { 2, 99, 5 };
	uint64_t words[12 + 3 * 8] = { 0 }, value;
	const uint16_t *indices = (const uint16_t *)words;
	const uint64_t *counters;
	unsigned int i, j;
	uint32_t count;
	size_t size;

	words[0] = 111;
	words[8] = 7;
	words[11] = 0xdeadbeef;
	for (i = 0; i < 3; i++) {
		words[12 + 8 * i] = types[i] | (uint64_t)i << 8 | 0x33ull << 32;
		for (j = 0; j < 6; j++)
			words[12 + 8 * i + 2 + j] = 100 * i + j;
	}

	CHECK(!panthor_perf_sample_create(gpu, NULL, &sample, NULL) &&
	      !panthor_perf_sample_data(sample, &size) && !size &&
	      !panthor_perf_sample_next_block(sample, NULL), "a sample without content");
	CHECK(!panthor_perf_sample_parse(sample, words, sizeof(words), NULL) &&
	      panthor_perf_sample_start_ns(sample) == 111 &&
	      panthor_perf_sample_number(sample) == 7 &&
	      panthor_perf_sample_data(sample, &size) == words && size == sizeof(words),
	      "a sample header that is larger than known");
	first = panthor_perf_sample_next_block(sample, NULL);
	counters = first ? panthor_perf_block_counters(first, &indices, &count) : NULL;
	CHECK(counters && panthor_perf_block_type(first) == 2 &&
	      panthor_perf_block_states(first) == 0x33 && count == 6 && !indices &&
	      counters == words + 12 + 2 && counters[5] == 5 &&
	      panthor_perf_block_counter(first, 5, &value) && value == 5 &&
	      !panthor_perf_block_counter(first, 6, &value) && !value,
	      "a block header that is larger than known");
	second = panthor_perf_sample_next_block(sample, first);
	CHECK(second && panthor_perf_block_type(second) == 5 &&
	      panthor_perf_block_number(second) == 2 &&
	      panthor_perf_block_counters(second, NULL, &count)[4] == 204,
	      "an unknown block is skipped");
	CHECK(!panthor_perf_sample_next_block(sample, second), "the end");
	CHECK(!panthor_perf_sample_next_block(sample, second) &&
	      panthor_perf_sample_next_block(sample, NULL) == first &&
	      panthor_perf_sample_next_block(sample, first) == second, "the end stays the end");

	CHECK(panthor_perf_sample_parse(sample, words, 88, NULL) == -EINVAL &&
	      !panthor_perf_sample_next_block(sample, NULL) &&
	      !panthor_perf_sample_data(sample, NULL), "half a header");
	CHECK(panthor_perf_sample_parse(sample, words, 96 + 8, NULL) == -EINVAL, "half a block");
	CHECK(panthor_perf_sample_parse(sample, (char *)words + 4, 96, NULL) == -EINVAL,
	      "a sample that is not aligned");
	CHECK(panthor_perf_sample_parse(sample, words, 0, NULL) == -EINVAL, "no bytes");
	CHECK(!panthor_perf_sample_parse(sample, words, 96, NULL) &&
	      !panthor_perf_sample_next_block(sample, NULL), "a sample without blocks");
	panthor_perf_sample_destroy(sample);
	panthor_perf_gpu_destroy(gpu);

	gpu = make_gpu(40, 8);
	CHECK(!panthor_perf_sample_create(gpu, NULL, &sample, NULL) &&
	      !panthor_perf_sample_parse(sample, words, 40, NULL) &&
	      panthor_perf_sample_start_ns(sample) == 111 &&
	      panthor_perf_sample_number(sample) == 0,
	      "a sample header that is smaller than known");
	panthor_perf_sample_destroy(sample);
	panthor_perf_gpu_destroy(gpu);
}

/* A sample may have more blocks than anybody thought of. */
static void test_many_blocks(void)
{
	enum { BLOCKS = 250 };
	struct panthor_perf_gpu *gpu = make_gpu(80, 8);
	const struct panthor_perf_block *block = NULL;
	struct panthor_perf_sample *sample = NULL;
	static uint64_t words[10 + BLOCKS * 7];
	unsigned int i, wrong = 0, round;
	uint64_t value;

	for (i = 0; i < BLOCKS; i++) {
		words[10 + 7 * i] = 5 | i << 8;
		words[10 + 7 * i + 1 + 4] = 1000 + i;
	}
	panthor_perf_sample_create(gpu, NULL, &sample, NULL);
	for (round = 0; round < 2; round++) {
		wrong += !!panthor_perf_sample_parse(sample, words, sizeof(words), NULL);
		for (i = 0; (block = panthor_perf_sample_next_block(sample, block)); i++)
			wrong += panthor_perf_block_number(block) != i ||
				 !panthor_perf_block_counter(block, 4, &value) ||
				 value != 1000 + i;
		wrong += i != BLOCKS;
	}
	CHECK(!wrong, "%d blocks, parsed twice", BLOCKS);
	panthor_perf_sample_destroy(sample);
	panthor_perf_gpu_destroy(gpu);
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
	ok = !raw_create(&writer, path, 0, &header, &info, sections);
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
	start = 64 + 96 + 2 * 16;
	CHECK(size == start + 10 * record + 2 * (64 + 40) + 32, "size of the file");
	if (size != start + 10 * record + 2 * (64 + 40) + 32) {
		free(bytes);
		return;
	}
	CHECK(!memcmp(bytes, "PTPRFRAW", 8) && number_at(bytes, 8) == 2 &&
	      number_at(bytes, 12) == start && number_at(bytes, 16) == 96 &&
	      number_at(bytes, 20) == 16 && number_at(bytes, 24) == 2 &&
	      number_at(bytes, 28) == SLOT_SIZE && number_at(bytes, 32) == 2 &&
	      number_at(bytes, 36) == 0xa8670005 && number_at(bytes, 40) == 3 &&
	      number_at(bytes, 44) == 5 && number_at(bytes, 48) == 0x50005,
	      "header of the file");
	CHECK(number_at(bytes, 64) == 64 && number_at(bytes, 64 + 64) == 3,
	      "PERF_INFO in the file");
	CHECK(bytes[160] == 5 && number_at(bytes, 168) == 0x10 && bytes[176] == 3 &&
	      number_at(bytes, 176) >> 16 == 64 && number_at(bytes, 188) == 0x80000000,
	      "sections in the file");
	ok = true;
	for (uint64_t n = 0; n < 10; n++) {
		size_t at = start + 64 + 40 + n * record;

		memcpy(sample, bytes + at + 16, SLOT_SIZE);
		ok = ok && number_at(bytes, at) == 1 && number_at(bytes, at + 4) == record &&
		     is_sample(sample, n);
	}
	CHECK(ok, "samples in the file");
	CHECK(number_at(bytes, start) == 2 && number_at(bytes, start + 4) == 64 &&
	      number_at(bytes, start + 8) == 0x55667788 &&
	      !memcmp(bytes + start + 16, &call.before, 24) &&
	      !memcmp(bytes + start + 40, &call.after, 24), "the call of START in the file");
	CHECK(number_at(bytes, size - 136) == 3 && number_at(bytes, size - 132) == 64 &&
	      number_at(bytes, size - 72) == 15 && number_at(bytes, size - 68) == 40 &&
	      number_at(bytes, size - 32) == 4 && number_at(bytes, size - 28) == 32 &&
	      !number_at(bytes, size - 4), "the call of STOP and clocks in the file");
	free(bytes);

	CHECK(raw_create(&writer, "/nonexistent/file", 0, &header, &info, sections) == -ENOENT,
	      "a folder that does not exist");
	ok = !raw_create(&writer, "/dev/full", 0, &header, &info, sections);
	CHECK(!ok, "a device that is full");
}

int main(void)
{
	test_ring();
	test_threads();
	test_iteration();
	test_many_blocks();
	test_raw();
	return check_failures ? 1 : 0;
}
