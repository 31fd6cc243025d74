// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Two threads with a session each on one device, and a third one that asks the device meanwhile:
 * what the library says is allowed. For helgrind and the thread sanitizer, which watch it.
 */

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "fakedrm.h"
#include "panthor_perf.h"

#define ROUNDS	20
#define SAMPLES	50

static char node[64] = "/tmp/threads-test-XXXXXX.panthor";
static struct panthor_perf_device *device;

/**
 * struct worker - a thread with sessions of its own
 */
struct worker {
	/** @thread: The thread. */
	pthread_t thread;

	/** @type: The block type that it counts. */
	unsigned int type;

	/** @wrong: What was not as it should be. */
	unsigned int wrong;

	/** @samples: Samples that it read. */
	unsigned int samples;
};

static void check_sample(struct worker *worker, const struct panthor_perf_sample *sample,
			 uint64_t id)
{
	struct panthor_perf_block block = { 0 };
	unsigned int i;

	worker->samples++;
	worker->wrong += sample->header.user_data != id;
	while (panthor_perf_sample_next_block(sample, &block))
		for (i = 0; i < block.counter_count; i++)
			if (block.header.type != worker->type || i != 6)
				worker->wrong += block.counters[i] != 0;
}

static void run_session(struct worker *worker, unsigned int round)
{
	const struct drm_panthor_perf_section section = {
		.block_type = worker->type,
		.mask = 1 << 6,
	};
	const struct panthor_perf_session_config config = {
		.sections = &section,
		.section_count = 1,
	};
	struct panthor_perf_session *session;
	struct panthor_perf_sample sample;
	unsigned int i;

	if (panthor_perf_session_create(device, &config, &session)) {
		worker->wrong++;
		return;
	}
	worker->wrong += !!panthor_perf_session_start(session, 0);
	for (i = 0; i < SAMPLES; i++) {
		const uint64_t id = (uint64_t)worker->type << 32 | round << 16 | i;

		if (i % 2) {
			worker->wrong += !!panthor_perf_session_mark(session, id, 10000, &sample);
			check_sample(worker, &sample, id);
		} else {
			worker->wrong += !!panthor_perf_session_sample(session, id) ||
					 panthor_perf_session_wait(session, 10000) != 1 ||
					 panthor_perf_session_peek(session, 0, &sample) != 1;
			check_sample(worker, &sample, id);
			worker->wrong += !!panthor_perf_session_release(session, 1);
		}
	}
	worker->wrong += !!panthor_perf_session_stop(session, round);
	worker->wrong += panthor_perf_session_wait(session, 10000) != 1 ||
			 panthor_perf_session_read(session, &sample) != 1;
	check_sample(worker, &sample, round);
	panthor_perf_session_destroy(session);
}

static void *run(void *arg)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++)
		run_session(arg, round);
	return NULL;
}

static void *ask(void *arg)
{
	struct worker *worker = arg;
	struct drm_panthor_perf_info info;
	struct panthor_perf_device *again;
	struct drm_panthor_gpu_info gpu;
	unsigned int i;

	for (i = 0; i < ROUNDS * SAMPLES; i++) {
		worker->wrong += panthor_perf_device_info(device, &info, NULL) ||
				 info.shader_blocks != 3;
		worker->wrong += panthor_perf_device_gpu_info(device, &gpu) ||
				 gpu.gpu_id != 0xa8670005;
	}
	worker->wrong += !!panthor_perf_device_open_fd(panthor_perf_device_fd(device), &again);
	panthor_perf_device_close(again);
	return NULL;
}

int main(void)
{
	struct worker workers[] = {
		{ .type = DRM_PANTHOR_PERF_BLOCK_TYPE_TILER },
		{ .type = DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER },
		{ 0 },
	};
	int fd = mkstemps(node, 8);
	size_t i;

	if (fd < 0 || close(fd))
		return 2;
	fake_reset();
	if (panthor_perf_device_open(node, &device))
		return 2;
	for (i = 0; i < ARRAY_SIZE(workers); i++)
		if (pthread_create(&workers[i].thread, NULL, workers[i].type ? run : ask,
				   &workers[i]))
			return 2;
	for (i = 0; i < ARRAY_SIZE(workers); i++) {
		pthread_join(workers[i].thread, NULL);
		CHECK(!workers[i].wrong && (!workers[i].type ||
					    workers[i].samples == ROUNDS * (SAMPLES + 1)),
		      "thread %zu on the device of the others", i + 1);
	}
	panthor_perf_device_close(device);
	CHECK(!fake.sessions && !fake.objects, "nothing is left");
	unlink(node);
	return check_failures ? 1 : 0;
}
