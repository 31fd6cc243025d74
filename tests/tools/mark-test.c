// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of reading samples in the ring, of marks, and of the copy out of the ring. */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"
#include "fakedrm.h"
#include "panthor_perf.h"
#include "panthor_perf_select.h"

static char node[64] = "/tmp/mark-test-XXXXXX.panthor";

static struct panthor_perf_device *device;

static struct panthor_perf_session *begin(void)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_selection *selection = NULL;
	struct panthor_perf_session *session = NULL;
	const struct panthor_perf_gpu *gpu = NULL;

	fake_reset();
	panthor_perf_device_open(node, &device, NULL);
	panthor_perf_device_gpu(device, &gpu, NULL);
	panthor_perf_selection_create(gpu, NULL, DRM_PANTHOR_PERF_SET_PRIMARY, &selection, NULL);
	panthor_perf_selection_add(selection, "memsys:9", NULL);
	config.selection = selection;
	config.sample_slots = 4;
	panthor_perf_session_create(device, &config, &session, NULL);
	panthor_perf_selection_destroy(selection);
	panthor_perf_session_start(session, 0, NULL);
	return session;
}

static void end(struct panthor_perf_session *session)
{
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
}

/* What the fake GPU counts in its sample NR: both memsys blocks, counter 9. Its own rule, again. */
static uint64_t counted(uint64_t nr)
{
	uint64_t sum = 0;
	unsigned int number;

	for (number = 0; number < 2; number++)
		if ((nr + 9) % 3)
			sum += 0xf0000000u + nr * 100003 + 4 * 7919 + number * 613 + 9;
	return sum;
}

static uint64_t sum_of(const struct panthor_perf_sample *sample)
{
	const struct panthor_perf_block *block = NULL;
	uint64_t sum = 0;
	uint32_t i, count;

	while ((block = panthor_perf_sample_next_block(sample, block))) {
		const uint64_t *counters = panthor_perf_block_counters(block, NULL, &count);

		for (i = 0; i < count; i++)
			sum += counters[i];
	}
	return sum;
}

static void test_peek(void)
{
	struct panthor_perf_session *session = begin();
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	const struct panthor_perf_sample *sample, *again, *first;
	const void *data[2];

	CHECK(panthor_perf_session_peek(session, 0, &sample, NULL) == 0, "nothing to look at");
	CHECK(panthor_perf_session_release(session, 1, NULL) == -EINVAL &&
	      !panthor_perf_session_release(session, 0, NULL), "nothing to release");
	/* Even user data: the GPU takes one sample for each. START took the samples 1 and 2. */
	panthor_perf_session_sample(session, 20, NULL);
	panthor_perf_session_sample(session, 22, NULL);
	CHECK(panthor_perf_session_peek(session, 0, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 20 && sum_of(sample) == counted(3),
	      "the oldest sample in the ring");
	data[0] = panthor_perf_sample_data(sample, NULL);
	first = sample;
	CHECK(panthor_perf_session_peek(session, 1, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 22 && sum_of(sample) == counted(4),
	      "and the one behind it");
	data[1] = panthor_perf_sample_data(sample, NULL);
	CHECK((const char *)data[1] - (const char *)data[0] ==
	      panthor_perf_session_sample_size(session), "in neighbouring slots");
	CHECK(panthor_perf_sample_user_data(first) == 20 && sum_of(first) == counted(3) &&
	      panthor_perf_sample_data(first, NULL) == data[0],
	      "the one before stays what it is");
	CHECK(panthor_perf_session_peek(session, 2, &sample, NULL) == 0, "no third one");
	panthor_perf_session_quality(session, &quality);
	CHECK(quality.samples == 0, "looking is not reading");
	CHECK(panthor_perf_session_read(session, &again, NULL) == 1 &&
	      panthor_perf_sample_data(again, NULL) != data[0] &&
	      panthor_perf_sample_user_data(again) == 20 && sum_of(again) == counted(3),
	      "a sample that was looked at is copied");
	CHECK(panthor_perf_session_peek(session, 0, &sample, NULL) == 1 &&
	      panthor_perf_sample_data(sample, NULL) == data[1] &&
	      panthor_perf_sample_user_data(again) == 20,
	      "then the next one is the oldest");
	CHECK(panthor_perf_session_release(session, 2, NULL) == -EINVAL, "two of one");
	CHECK(!panthor_perf_session_release(session, 1, NULL) &&
	      panthor_perf_session_peek(session, 0, &sample, NULL) == 0, "release");
	panthor_perf_session_quality(session, &quality);
	CHECK(quality.samples == 2 && !quality.lost, "what was released is in the data quality");

	/* Three of four slots, the last one for STOP: more fit when some were released. */
	CHECK(!panthor_perf_session_sample(session, 1, NULL) &&
	      !panthor_perf_session_sample(session, 2, NULL) &&
	      !panthor_perf_session_sample(session, 3, NULL) &&
	      panthor_perf_session_sample(session, 4, NULL) == -EBUSY &&
	      panthor_perf_session_peek(session, 2, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 3 &&
	      panthor_perf_sample_data(sample, NULL) == data[0],
	      "looking keeps the slots, and goes round the end of the ring");
	CHECK(!panthor_perf_session_release(session, 2, NULL) &&
	      !panthor_perf_session_sample(session, 4, NULL),
	      "releasing frees them");
	end(session);
	CHECK(!fake.sessions && !fake.objects, "nothing is left");
}

static void on_alarm(int number)
{
	(void)number;
}

/* Publishes what the silent driver owes, after a while. */
static void *publish_later(void *arg)
{
	(void)arg;
	usleep(60000);
	fake_publish();
	return NULL;
}

static void test_mark(void)
{
	struct itimerval timer = { .it_value.tv_usec = 20000 };
	struct sigaction action = { .sa_handler = on_alarm };
	struct panthor_perf_session *session = begin();
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const struct panthor_perf_sample *sample;
	const uint64_t id = 0xfedcba9876543210;
	pthread_t thread;

	CHECK(!panthor_perf_session_mark(session, 4, 1000, &sample, NULL) &&
	      panthor_perf_sample_user_data(sample) == 4 && sum_of(sample) == counted(3),
	      "the first mark");
	CHECK(!panthor_perf_session_mark(session, id, -1, &sample, NULL) &&
	      panthor_perf_sample_user_data(sample) == id &&
	      panthor_perf_sample_number(sample) == 1 &&
	      sum_of(sample) == counted(4), "a workload between two marks, with 64 bits");
	panthor_perf_session_quality(session, &quality);
	CHECK(quality.samples == 2, "marks are in the data quality");

	panthor_perf_session_sample(session, 8, NULL);
	CHECK(panthor_perf_session_mark(session, 10, 1000, &sample, &error) == -EBUSY &&
	      error.code == -EBUSY && strstr(error.text, "to be read"), "an unread sample: %s",
	      error.text);
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 8 &&
	      panthor_perf_session_read(session, &sample, NULL) == 0, "which stays, alone");

	fake.settings.silent = 1;
	CHECK(panthor_perf_session_mark(session, 12, 30, &sample, &error) == -ETIMEDOUT &&
	      error.code == -ETIMEDOUT && strstr(error.text, "within 30 ms"), "no answer: %s",
	      error.text);
	fake_publish();
	CHECK(panthor_perf_session_mark(session, 14, 30, &sample, NULL) == -EBUSY,
	      "it came too late");
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 1, "and can be read");
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	pthread_create(&thread, NULL, publish_later, NULL);
	CHECK(!panthor_perf_session_mark(session, 0, 10000, &sample, NULL),
	      "a signal is no reason");
	pthread_join(thread, NULL);
	fake.settings.silent = 0;
	fake.settings.mix_up = 1;
	CHECK(panthor_perf_session_mark(session, 16, 1000, &sample, &error) == -EPROTO &&
	      error.code == -EPROTO && strstr(error.text, "another sample"),
	      "the sample of another request");
	fake.settings.mix_up = 0;
	panthor_perf_session_stop(session, 0, NULL);
	panthor_perf_session_read(session, &sample, NULL);
	CHECK(panthor_perf_session_mark(session, 18, 1000, &sample, NULL) == -EINVAL, "stopped");
	panthor_perf_session_start(session, 0, NULL);
	fake.settings.silent = 1;
	fake_unplug();
	CHECK(panthor_perf_session_mark(session, 20, 1000, &sample, &error) == -ENODEV &&
	      error.code == -ENODEV && strstr(error.text, "gone"), "the GPU is gone");
	end(session);
	fake_reset();
}

/* A copy reads and writes what it is to and nothing else, however its ends are aligned. */
static void test_copy(void)
{
	enum { WORDS = 64, GUARD = 4 };
	uint64_t src[WORDS + 2 * GUARD] __attribute__((aligned(16)));
	uint64_t dst[WORDS + 2 * GUARD] __attribute__((aligned(16)));
	unsigned int from, to, words, i, wrong = 0;

	for (i = 0; i < ARRAY_SIZE(src); i++)
		src[i] = 0x0101010101010101ull * (i + 1);
	for (from = 0; from < 2; from++)
		for (to = 0; to < 2; to++)
			for (words = 0; words <= WORDS; words++) {
				memset(dst, 0xee, sizeof(dst));
				panthor_perf_copy(dst + GUARD + to, src + from, 8 * words);
				wrong += !!memcmp(dst + GUARD + to, src + from, 8 * words);
				for (i = 0; i < ARRAY_SIZE(dst); i++)
					wrong += (i < GUARD + to || i >= GUARD + to + words) &&
						 dst[i] != 0xeeeeeeeeeeeeeeeeull;
			}
	CHECK(!wrong, "copies of 0 to %d words, on all alignments", WORDS);
}

int main(void)
{
	int fd = mkstemps(node, 8);

	if (fd < 0 || close(fd))
		return 2;
	test_peek();
	test_mark();
	test_copy();
	unlink(node);
	return check_failures ? 1 : 0;
}
