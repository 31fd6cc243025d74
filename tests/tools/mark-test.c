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

static char node[64] = "/tmp/mark-test-XXXXXX.panthor";

static const struct drm_panthor_perf_section section = {
	.block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,
	.mask = 1 << 9,
};

static const struct panthor_perf_session_config config = {
	.sections = &section,
	.section_count = 1,
	.sample_slots = 4,
};

static struct panthor_perf_device *device;

static struct panthor_perf_session *begin(void)
{
	struct panthor_perf_session *session = NULL;

	fake_reset();
	panthor_perf_device_open(node, &device);
	panthor_perf_session_create(device, &config, &session);
	panthor_perf_session_start(session, 0);
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
	struct panthor_perf_block block = { 0 };
	uint64_t sum = 0;
	unsigned int i;

	while (panthor_perf_sample_next_block(sample, &block))
		for (i = 0; i < block.counter_count; i++)
			sum += block.counters[i];
	return sum;
}

static void test_peek(void)
{
	struct panthor_perf_session *session = begin();
	struct panthor_perf_sample sample, again;
	struct panthor_perf_ledger ledger;
	const void *data[2];

	CHECK(panthor_perf_session_peek(session, 0, &sample) == 0, "nothing to look at");
	CHECK(panthor_perf_session_release(session, 1) == -EINVAL &&
	      !panthor_perf_session_release(session, 0), "nothing to release");
	/* Even user data: the GPU takes one sample for each. START took the samples 1 and 2. */
	panthor_perf_session_sample(session, 20);
	panthor_perf_session_sample(session, 22);
	CHECK(panthor_perf_session_peek(session, 0, &sample) == 1 &&
	      sample.header.user_data == 20 && sum_of(&sample) == counted(3),
	      "the oldest sample in the ring");
	data[0] = sample.data;
	CHECK(panthor_perf_session_peek(session, 1, &sample) == 1 &&
	      sample.header.user_data == 22 && sum_of(&sample) == counted(4),
	      "and the one behind it");
	data[1] = sample.data;
	CHECK((const char *)data[1] - (const char *)data[0] ==
	      panthor_perf_session_sample_size(session), "in neighbouring slots");
	CHECK(panthor_perf_session_peek(session, 2, &sample) == 0, "no third one");
	panthor_perf_session_ledger(session, &ledger);
	CHECK(ledger.samples == 0, "looking is not reading");
	CHECK(panthor_perf_session_read(session, &again) == 1 && again.data != data[0] &&
	      again.header.user_data == 20 && sum_of(&again) == counted(3),
	      "a sample that was looked at is copied");
	CHECK(panthor_perf_session_peek(session, 0, &sample) == 1 && sample.data == data[1],
	      "then the next one is the oldest");
	CHECK(panthor_perf_session_release(session, 2) == -EINVAL, "two of one");
	CHECK(!panthor_perf_session_release(session, 1) &&
	      panthor_perf_session_peek(session, 0, &sample) == 0, "release");
	panthor_perf_session_ledger(session, &ledger);
	CHECK(ledger.samples == 2 && !ledger.lost, "what was released is in the ledger");

	/* Three of four slots, the last one for STOP: more fit when some were released. */
	CHECK(!panthor_perf_session_sample(session, 1) &&
	      !panthor_perf_session_sample(session, 2) &&
	      !panthor_perf_session_sample(session, 3) &&
	      panthor_perf_session_sample(session, 4) == -EBUSY &&
	      panthor_perf_session_peek(session, 2, &sample) == 1 &&
	      sample.header.user_data == 3 && sample.data == data[0],
	      "looking keeps the slots, and goes round the end of the ring");
	CHECK(!panthor_perf_session_release(session, 2) && !panthor_perf_session_sample(session, 4),
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
	struct panthor_perf_sample sample;
	struct panthor_perf_ledger ledger;
	const uint64_t id = 0xfedcba9876543210;
	pthread_t thread;

	CHECK(!panthor_perf_session_mark(session, 4, 1000, &sample) &&
	      sample.header.user_data == 4 && sum_of(&sample) == counted(3), "the first mark");
	CHECK(!panthor_perf_session_mark(session, id, -1, &sample) &&
	      sample.header.user_data == id && sample.header.sample_nr == 1 &&
	      sum_of(&sample) == counted(4), "a workload between two marks, with 64 bits");
	panthor_perf_session_ledger(session, &ledger);
	CHECK(ledger.samples == 2, "marks are in the ledger");

	panthor_perf_session_sample(session, 8);
	CHECK(panthor_perf_session_mark(session, 10, 1000, &sample) == -EBUSY, "an unread sample");
	CHECK(panthor_perf_session_read(session, &sample) == 1 && sample.header.user_data == 8 &&
	      panthor_perf_session_read(session, &sample) == 0, "which stays, alone");

	fake.settings.silent = 1;
	CHECK(panthor_perf_session_mark(session, 12, 30, &sample) == -ETIMEDOUT, "no answer");
	fake_publish();
	CHECK(panthor_perf_session_mark(session, 14, 30, &sample) == -EBUSY, "it came too late");
	CHECK(panthor_perf_session_read(session, &sample) == 1, "and can be read");
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	pthread_create(&thread, NULL, publish_later, NULL);
	CHECK(!panthor_perf_session_mark(session, 0, 10000, &sample), "a signal is no reason");
	pthread_join(thread, NULL);
	fake.settings.silent = 0;
	fake.settings.mix_up = 1;
	CHECK(panthor_perf_session_mark(session, 16, 1000, &sample) == -EPROTO,
	      "the sample of another request");
	fake.settings.mix_up = 0;
	panthor_perf_session_stop(session, 0);
	panthor_perf_session_read(session, &sample);
	CHECK(panthor_perf_session_mark(session, 18, 1000, &sample) == -EINVAL, "stopped");
	panthor_perf_session_start(session, 0);
	fake.settings.silent = 1;
	fake_unplug();
	CHECK(panthor_perf_session_mark(session, 20, 1000, &sample) == -ENODEV, "the GPU is gone");
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
