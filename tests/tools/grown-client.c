// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A program that was built with other kernel headers than the library: GROWN says which. Its own
 * structures lie in memory of exactly their size, so that a sanitizer sees a library that writes by
 * the size which it knows itself.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "panthor_perf.h"
#include "panthor_perf_counters.h"
#include "panthor_perf_select.h"
#include "panthor_perf_values.h"

#define PATTERN		0x5a

static char node[64] = "/tmp/grown-client-XXXXXX.panthor";

/* Memory of exactly this size, without zeroes. */
static void *get(size_t size)
{
	void *bytes = malloc(size);

	memset(bytes, PATTERN, size);
	return bytes;
}

static bool is_zero(const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	size_t i;

	for (i = 0; i < size; i++)
		if (byte[i])
			return false;
	return true;
}

/* What is behind the fields that every header has. */
static bool tail_is_zero(const void *bytes, size_t known, size_t size)
{
	return size <= known || is_zero((const char *)bytes + known, size - known);
}

static void test_infos(const struct panthor_perf_device *device, const struct panthor_perf_gpu *gpu)
{
	struct drm_panthor_gpu_info *info = get(sizeof(*info)), *again = get(sizeof(*again));
	struct drm_panthor_perf_info *perf = get(sizeof(*perf));
	size_t size, perf_size;

	CHECK(!panthor_perf_device_gpu_info(device, info, sizeof(*info), NULL) &&
	      info->gpu_id == 0xa8670005, GROWN ": GPU_INFO of the device");
	size = panthor_perf_gpu_info(gpu, again, sizeof(*again));
	CHECK(!memcmp(info, again, sizeof(*info)) && tail_is_zero(info, size, sizeof(*info)),
	      GROWN ": GPU_INFO of the GPU, %zu of %zu bytes", size, sizeof(*info));
	perf_size = panthor_perf_gpu_perf_info(gpu, perf, sizeof(*perf));
	CHECK(perf->counters_per_block == 64 && tail_is_zero(perf, perf_size, sizeof(*perf)),
	      GROWN ": PERF_INFO, %zu of %zu bytes", perf_size, sizeof(*perf));
	free(info);
	free(again);
	free(perf);
}

static int add_sample(const struct panthor_perf_sample *sample, void *values)
{
	panthor_perf_values_add(values, sample);
	return 0;
}

static void test_session(struct panthor_perf_device *device, const struct panthor_perf_gpu *gpu)
{
	struct panthor_perf_session_config *config = get(sizeof(*config));
	struct panthor_perf_quality *quality = get(sizeof(*quality));
	struct panthor_perf_error *error = get(sizeof(*error));
	const struct drm_panthor_perf_section sections[] = {
		{ .block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, .mask = 0x30 },
	};
	struct drm_panthor_perf_section *same = get(sizeof(*same));
	const struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_selection *selection;
	struct panthor_perf_session *session;
	struct panthor_perf_values *values;
	uint64_t sum = 0;

	*config = (struct panthor_perf_session_config)PANTHOR_PERF_SESSION_CONFIG_INIT;
	*quality = (struct panthor_perf_quality)PANTHOR_PERF_QUALITY_INIT;
	*error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
	panthor_perf_selection_create(gpu, NULL, DRM_PANTHOR_PERF_SET_PRIMARY, &selection, NULL);
	CHECK(!panthor_perf_selection_add_sections(selection, sections, sizeof(sections[0]), 1,
						   error) &&
	      panthor_perf_selection_sections(selection, same, sizeof(*same), 1) == 1 &&
	      !memcmp(sections, same, sizeof(*same)), GROWN ": sections");
	panthor_perf_values_create(selection, &values, NULL);
	config->selection = selection;
	CHECK(!panthor_perf_session_create(device, config, &session, error) &&
	      !panthor_perf_session_start(session, 1, error) &&
	      !panthor_perf_session_mark(session, 2, 1000, &sample, error) &&
	      panthor_perf_sample_user_data(sample) == 2, GROWN ": a session");
	panthor_perf_values_add(values, sample);
	panthor_perf_session_quality(session, quality);
	CHECK(quality->samples == 1 && quality->size == sizeof(*quality), GROWN ": quality");
	CHECK(panthor_perf_session_start(session, 3, error) == -EINVAL && error->code == -EINVAL &&
	      *error->text, GROWN ": an error");
	CHECK(!panthor_perf_session_finish(session, 4, 1000, add_sample, values, error) &&
	      panthor_perf_values_samples(values) == 2 &&
	      panthor_perf_values_raw(values, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER,
				      PANTHOR_PERF_ALL_BLOCKS, 4, &sum) && sum,
	      GROWN ": the final sample");
	panthor_perf_values_destroy(values);
	panthor_perf_selection_destroy(selection);
	free(same);
	free(config);
	free(quality);
	free(error);
}

int main(void)
{
	struct panthor_perf_device *device;
	const struct panthor_perf_gpu *gpu;
	int fd = mkstemps(node, 8);

	if (fd < 0 || panthor_perf_device_open(node, &device, NULL) ||
	    panthor_perf_device_gpu(device, &gpu, NULL)) {
		puts("Bail out! there is no GPU");
		return 1;
	}
	close(fd);
	test_infos(device, gpu);
	test_session(device, gpu);
	panthor_perf_device_close(device);
	unlink(node);
	return check_failures ? 1 : 0;
}
