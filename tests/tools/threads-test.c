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
#include "panthor_perf_select.h"

#define ROUNDS	20
#define SAMPLES	50

static char node[64] = "/tmp/threads-test-XXXXXX.panthor";
static struct panthor_perf_device *device;
static const struct panthor_perf_gpu *gpu;

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
	const struct panthor_perf_block *block = NULL;
	uint32_t i, count;

	worker->samples++;
	worker->wrong += panthor_perf_sample_user_data(sample) != id;
	while ((block = panthor_perf_sample_next_block(sample, block))) {
		const uint64_t *counters = panthor_perf_block_counters(block, NULL, &count);

		for (i = 0; i < count; i++)
			if (panthor_perf_block_type(block) != worker->type || i != 6)
				worker->wrong += counters[i] != 0;
	}
}

/* Of a session that is finished: the user data is that of its round, which is odd. */
static int take_final(const struct panthor_perf_sample *sample, void *arg)
{
	struct worker *worker = arg;
	const uint64_t round = panthor_perf_sample_user_data(sample);

	worker->wrong += round >= ROUNDS || round % 2 == 0;
	check_sample(worker, sample, round);
	return 0;
}

static void run_session(struct worker *worker, unsigned int round)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_selection *selection = NULL;
	const struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_session *session;
	unsigned int i;
	int ret;

	ret = panthor_perf_selection_create(gpu, NULL, DRM_PANTHOR_PERF_SET_PRIMARY, &selection,
					    NULL);
	if (!ret)
		ret = panthor_perf_selection_add_counter(selection, worker->type, 6, NULL);
	config.selection = selection;
	if (!ret)
		ret = panthor_perf_session_create(device, &config, &session, NULL);
	panthor_perf_selection_destroy(selection);
	if (ret) {
		worker->wrong++;
		return;
	}
	worker->wrong += !!panthor_perf_session_start(session, 0, NULL);
	for (i = 0; i < SAMPLES; i++) {
		const uint64_t id = (uint64_t)worker->type << 32 | round << 16 | i;

		if (i % 2) {
			worker->wrong += !!panthor_perf_session_mark(session, id, 10000, &sample,
								     NULL);
			check_sample(worker, sample, id);
		} else {
			worker->wrong +=
				!!panthor_perf_session_sample(session, id, NULL) ||
				panthor_perf_session_wait(session, 10000, NULL) != 1 ||
				panthor_perf_session_peek(session, 0, &sample, NULL) != 1;
			check_sample(worker, sample, id);
			worker->wrong += !!panthor_perf_session_release(session, 1, NULL);
		}
	}
	if (round % 2) {
		worker->wrong += !!panthor_perf_session_finish(session, round, 10000, take_final,
							       worker, NULL);
		return;
	}
	worker->wrong += !!panthor_perf_session_stop(session, round, NULL);
	worker->wrong += panthor_perf_session_wait(session, 10000, NULL) != 1 ||
			 panthor_perf_session_read(session, &sample, NULL) != 1;
	check_sample(worker, sample, round);
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
	const struct panthor_perf_gpu *same;
	struct panthor_perf_device *again;
	struct drm_panthor_gpu_info info;
	struct drm_panthor_perf_info perf;
	unsigned int i;

	for (i = 0; i < ROUNDS * SAMPLES; i++) {
		worker->wrong += panthor_perf_device_gpu(device, &same, NULL) || same != gpu ||
				 panthor_perf_gpu_block_count(gpu, 5) != 3 ||
				 panthor_perf_gpu_perf_info(gpu, &perf, sizeof(perf)) !=
				 sizeof(perf) || perf.shader_blocks != 3;
		worker->wrong += panthor_perf_device_gpu_info(device, &info, sizeof(info), NULL) ||
				 info.gpu_id != 0xa8670005;
	}
	worker->wrong += !!panthor_perf_device_open_fd(panthor_perf_device_fd(device), &again,
							NULL);
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
	if (panthor_perf_device_open(node, &device, NULL) ||
	    panthor_perf_device_gpu(device, &gpu, NULL))
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
