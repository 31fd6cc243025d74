// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of the library's devices and sessions, on a driver in this process. */

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "fakedrm.h"
#include "panthor_perf.h"
#include "panthor_perf_select.h"

static char node[64] = "/tmp/session-test-XXXXXX.panthor";
static char other[64] = "/tmp/session-test-XXXXXX.other";

#define PATTERN		0xa5
#define DEFAULT_TEXT	"shader:5,shader:63,tiler:7"

/* Descriptors of this process: what was there before must be all that is left. */
static unsigned int open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

/* Mappings of the node. */
static unsigned int mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	unsigned int count = 0;
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		count += !!strstr(line, node);
	if (file)
		fclose(file);
	return count;
}

/* Opens the node with the settings that the driver has now. */
static struct panthor_perf_device *open_node(void)
{
	struct panthor_perf_device *device = NULL;

	panthor_perf_device_open(node, &device, NULL);
	return device;
}

static struct panthor_perf_device *open_fresh(void)
{
	fake_reset();
	return open_node();
}

static struct panthor_perf_selection *choose(const struct panthor_perf_device *device,
					     unsigned int set, const char *text)
{
	struct panthor_perf_selection *selection = NULL;
	const struct panthor_perf_gpu *gpu;

	if (panthor_perf_device_gpu(device, &gpu, NULL) ||
	    panthor_perf_selection_create(gpu, NULL, set, &selection, NULL) ||
	    (text && panthor_perf_selection_add(selection, text, NULL))) {
		printf("Bail out! cannot select '%s'\n", text);
		exit(1);
	}
	return selection;
}

/* Creates a session with three counters, and what CONFIG says besides; %NULL: nothing. */
static int create(struct panthor_perf_device *device,
		  const struct panthor_perf_session_config *config,
		  struct panthor_perf_session **session, struct panthor_perf_error *error)
{
	struct panthor_perf_session_config full = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_selection *selection =
		choose(device, DRM_PANTHOR_PERF_SET_PRIMARY, DEFAULT_TEXT);
	int ret;

	if (config)
		full = *config;
	full.selection = selection;
	ret = panthor_perf_session_create(device, &full, session, error);
	panthor_perf_selection_destroy(selection);
	return ret;
}

/* A session that is started, on a fresh driver. */
static struct panthor_perf_session *begin(struct panthor_perf_device **device)
{
	struct panthor_perf_session *session = NULL;

	*device = open_fresh();
	if (create(*device, NULL, &session, NULL) ||
	    panthor_perf_session_start(session, 0, NULL)) {
		printf("Bail out! there is no session\n");
		exit(1);
	}
	return session;
}

static bool is_filled(const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	size_t i;

	for (i = 0; i < size; i++)
		if (byte[i] != PATTERN)
			return false;
	return true;
}

static void test_open(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_device *device = NULL;
	unsigned int library_major = 77, library_minor = 77;
	int fd, major, minor, patch;
	char nodes[256];

	panthor_perf_library_version(&library_major, &library_minor);
	panthor_perf_library_version(NULL, NULL);
	CHECK(library_major == PANTHOR_PERF_LIBRARY_MAJOR && library_major == 1 &&
	      library_minor == PANTHOR_PERF_LIBRARY_MINOR, "version of the library");
	CHECK(panthor_perf_device_open("/nonexistent", &device, &error) == -ENOENT &&
	      error.code == -ENOENT && strstr(error.text, "/nonexistent"),
	      "a node that is missing: %s", error.text);
	CHECK(panthor_perf_device_open("/dev/null", &device, &error) == -ENOTTY &&
	      error.code == -ENOTTY && strstr(error.text, "no DRM node"), "no DRM node");
	CHECK(panthor_perf_device_open(other, &device, &error) == -EOPNOTSUPP &&
	      error.code == -EOPNOTSUPP && strstr(error.text, "is other, not panthor"),
	      "a node of another driver: %s", error.text);
	unsetenv("FAKE_NODES");
	CHECK(panthor_perf_device_open(NULL, &device, &error) == -ENODEV &&
	      error.code == -ENODEV && *error.text, "no node at all: %s", error.text);
	setenv("FAKE_NODES", other, 1);
	CHECK(panthor_perf_device_open(NULL, &device, NULL) == -ENODEV,
	      "nodes of other drivers alone");
	snprintf(nodes, sizeof(nodes), "/nonexistent:%s:%s", other, node);
	setenv("FAKE_NODES", nodes, 1);
	CHECK(!panthor_perf_device_open(NULL, &device, NULL) &&
	      !strcmp(panthor_perf_device_path(device), node), "the first node of the driver");
	panthor_perf_device_driver(device, &major, &minor, &patch);
	panthor_perf_device_driver(device, NULL, NULL, NULL);
	CHECK(major == 1 && minor == 3 && !patch, "version of the driver");

	fd = dup(panthor_perf_device_fd(device));
	panthor_perf_device_close(device);
	CHECK(!panthor_perf_device_open_fd(fd, &device, NULL) &&
	      panthor_perf_device_fd(device) != fd &&
	      !strcmp(panthor_perf_device_path(device), node), "a node that is open");
	panthor_perf_device_close(device);
	CHECK(fcntl(fd, F_GETFD) >= 0, "the caller's descriptor stays open");
	close(fd);
	CHECK(panthor_perf_device_open_fd(fd, &device, &error) == -EBADF && error.code == -EBADF,
	      "a descriptor that is closed");
	fd = open(other, O_RDWR);
	CHECK(panthor_perf_device_open_fd(fd, &device, NULL) == -EOPNOTSUPP,
	      "a descriptor of another driver");
	close(fd);
	panthor_perf_device_close(NULL);
	panthor_perf_session_destroy(NULL);
	panthor_perf_gpu_destroy(NULL);
}

/* What a GPU of the driver's settings is refused with; 0: it is not. */
static int refused(struct panthor_perf_error *error)
{
	struct panthor_perf_device *device = open_node();
	const struct panthor_perf_gpu *gpu = (const void *)&device;
	int ret = panthor_perf_device_gpu(device, &gpu, error);

	if (!device || (ret && (gpu || error->code != ret || !*error->text)))
		ret = 1;
	panthor_perf_device_close(device);
	return ret;
}

static void test_gpu(void)
{
	static const struct {
		const char *title;
		unsigned int property;
		uint64_t value;
	} properties[] = {
		{ "GPU_ID", PANTHOR_PERF_GPU_ID, 0xa8670005 },
		{ "shader cores", PANTHOR_PERF_GPU_CORE_COUNT, 3 },
		{ "L2 slices", PANTHOR_PERF_GPU_L2_SLICES, 2 },
		{ "bytes of a beat", PANTHOR_PERF_GPU_BUS_BYTES, 16 },
		{ "counters of a block", PANTHOR_PERF_GPU_COUNTERS_PER_BLOCK, 64 },
		{ "counter sets", PANTHOR_PERF_GPU_SETS, 5 },
		{ "clocks", PANTHOR_PERF_GPU_CLOCKS, 3 },
		{ "features", PANTHOR_PERF_GPU_FEATURES, 0xb },
		{ "the shortest period", PANTHOR_PERF_GPU_MIN_PERIOD_NS, 100000 },
		{ "the fewest slots", PANTHOR_PERF_GPU_MIN_SLOTS, 2 },
		{ "the most slots", PANTHOR_PERF_GPU_MAX_SLOTS, 16 },
		{ "sessions", PANTHOR_PERF_GPU_MAX_SESSIONS, 4 },
		{ "bytes of a sample", PANTHOR_PERF_GPU_SAMPLE_SIZE, 80 + 8 * 520 },
		{ "the timestamp's rate", PANTHOR_PERF_GPU_TIMESTAMP_HZ, 62500000 },
		{ "what is not known", 1000, 0 },
	};
	static const unsigned int blocks[] = { 0, 1, 1, 1, 2, 3, 0, 0, 0 };
	const struct panthor_perf_gpu *gpu = NULL;
	struct panthor_perf_device *device;
	unsigned int type, wrong = 0;
	size_t i;

	fake_reset();
	fake.settings.sets = 5;
	fake.settings.clocks = 3;
	fake.settings.states = 1;
	fake.settings.features = 0xa;
	device = open_node();
	CHECK(!panthor_perf_device_gpu(device, &gpu, NULL) && gpu, "a GPU with counters");
	for (i = 0; i < ARRAY_SIZE(properties); i++)
		CHECK(panthor_perf_gpu_property(gpu, properties[i].property) ==
		      properties[i].value, "property: %s", properties[i].title);
	for (type = 0; type < ARRAY_SIZE(blocks); type++)
		wrong += panthor_perf_gpu_block_count(gpu, type) != blocks[type];
	CHECK(!wrong && !panthor_perf_gpu_block_count(gpu, ~0u), "blocks of each type");
	/* It was read when the device was opened. */
	fake.settings.gpu_id = 0x12345678;
	fake.settings.min_period_ns = 0;
	fake.settings.info_errno = EOPNOTSUPP;
	CHECK(!panthor_perf_device_gpu(device, &gpu, NULL) &&
	      panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_ID) == 0xa8670005 &&
	      panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_MIN_PERIOD_NS) == 100000,
	      "the configuration is that of the opening");
	panthor_perf_device_close(device);
}

static void test_info(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_device *device = open_fresh();
	const struct panthor_perf_gpu *gpu = NULL;
	struct drm_panthor_perf_info info, zero = { 0 };
	struct drm_panthor_gpu_info gpu_info;

	CHECK(!panthor_perf_device_gpu_info(device, &gpu_info, sizeof(gpu_info), NULL) &&
	      gpu_info.gpu_id == 0xa8670005, "GPU");
	CHECK(!panthor_perf_device_gpu(device, &gpu, NULL) &&
	      panthor_perf_gpu_perf_info(gpu, &info, sizeof(info)) == 96 &&
	      info.shader_blocks == 3 && info.gpu_timestamp_frequency == 62500000, "PERF_INFO");
	CHECK(panthor_perf_gpu_info(gpu, &gpu_info, sizeof(gpu_info)) == sizeof(gpu_info) &&
	      gpu_info.gpu_id == 0xa8670005 && gpu_info.shader_present == 0x100011, "GPU_INFO");
	CHECK(panthor_perf_gpu_perf_info(gpu, NULL, 0) == 96 &&
	      panthor_perf_gpu_info(gpu, NULL, 0) == sizeof(gpu_info), "their sizes alone");
	panthor_perf_device_close(device);

	fake.settings.info_size = 72;
	device = open_node();
	memset(&info, 0xff, sizeof(info));
	CHECK(!panthor_perf_device_gpu(device, &gpu, NULL) &&
	      panthor_perf_gpu_perf_info(gpu, &info, sizeof(info)) == 72 &&
	      info.shader_blocks == 3 &&
	      !memcmp((char *)&info + 72, (char *)&zero + 72, sizeof(info) - 72) &&
	      !panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_MIN_PERIOD_NS),
	      "a smaller PERF_INFO: the rest is 0");
	panthor_perf_device_close(device);

	fake.settings.info_size = 48;
	CHECK(refused(&error) == -EPROTONOSUPPORT && strstr(error.text, "version 0 of"),
	      "a PERF_INFO without a version: %s", error.text);
	fake.settings.info_size = 88;
	for (fake.settings.abi = 0; fake.settings.abi < 3; fake.settings.abi++)
		CHECK(refused(&error) == (fake.settings.abi == 1 ? 0 : -EPROTONOSUPPORT),
		      "version %u of the interface", fake.settings.abi);
	CHECK(!strcmp(error.text, "the driver has version 2 of the interface, the library knows "
		      "version 1 alone"), "why: %s", error.text);
	fake.settings.abi = 1;
	fake.settings.info_size = 40;
	CHECK(refused(&error) == -EPROTO && strstr(error.text, "cut off at 40 bytes"),
	      "half a PERF_INFO: %s", error.text);
	fake.settings.info_size = 0;
	CHECK(refused(&error) == -EPROTO && strstr(error.text, "cut off at 0 bytes"),
	      "an empty PERF_INFO: %s", error.text);

	fake.settings.info_size = 88;
	fake.settings.info_errno = EOPNOTSUPP;
	CHECK(refused(&error) == -EOPNOTSUPP && strstr(error.text, "firmware"),
	      "no counters: %s", error.text);
	fake.settings.info_errno = EINVAL;
	CHECK(refused(&error) == -ENOSYS && strstr(error.text, "no performance counters"),
	      "an older driver: %s", error.text);
	device = open_node();
	CHECK(!panthor_perf_device_interface(device) &&
	      !panthor_perf_device_gpu_info(device, &gpu_info, sizeof(gpu_info), NULL) &&
	      gpu_info.gpu_id == 0xa8670005, "GPU_INFO of a GPU without counters");
	panthor_perf_device_close(device);
	fake.settings.info_errno = 0;
	fake.settings.sample_header = 81;
	CHECK(refused(&error) == -EPROTO && strstr(error.text, "size of a sample header"),
	      "an odd sample header: %s", error.text);
	fake.settings.sample_header = 80;
	fake.settings.block_header = 12;
	CHECK(refused(&error) == -EPROTO && strstr(error.text, "size of a block header"),
	      "an odd block header: %s", error.text);
	fake.settings.block_header = 8;
	fake.settings.counters = 0;
	CHECK(refused(&error) == -EPROTO && strstr(error.text, "size of a block"),
	      "blocks without counters: %s", error.text);
	fake_reset();
	device = open_node();
	fake_unplug();
	CHECK(panthor_perf_device_gpu_info(device, &gpu_info, sizeof(gpu_info), &error) ==
	      -ENODEV && error.code == -ENODEV, "GPU_INFO of a GPU that is gone: %s", error.text);
	panthor_perf_device_close(device);
	CHECK(refused(&error) == -ENODEV, "a GPU that was gone: %s", error.text);
	fake_reset();
}

/* Buffers of each size between none and more than the kernel has. */
static bool hands_out(size_t (*get)(const struct panthor_perf_gpu *gpu, void *info, size_t size),
		      const struct panthor_perf_gpu *gpu, const unsigned char *expected,
		      size_t known)
{
	unsigned char buffer[512], zero[512] = { 0 };
	size_t size;

	for (size = 0; size + 16 < sizeof(buffer) && size < known + 100; size++) {
		size_t both = size < known ? size : known;

		memset(buffer, PATTERN, sizeof(buffer));
		if (get(gpu, buffer, size) != known || memcmp(buffer, expected, both) ||
		    memcmp(buffer + both, zero, size - both) ||
		    !is_filled(buffer + size, sizeof(buffer) - size))
			return false;
	}
	return size > known;
}

/* Structures of an older and of a later kernel than the library's headers. */
static void test_info_sizes(void)
{
	const struct drm_panthor_perf_info known = {
		.counters_per_block = 64,
		.sample_header_size = 80,
		.block_header_size = 8,
		.sample_size = 80 + 520,
		.shader_blocks = 1,
		.abi = 1,
		.min_period_ns = 5,
		.gpu_timestamp_frequency = 7,
	};
	const struct drm_panthor_gpu_info gpu_known = { .gpu_id = 99, .mem_features = 0x300,
							.shader_present = 0xf0 };
	unsigned char info[sizeof(known) + 40], gpu_info[sizeof(gpu_known) + 40];
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const struct panthor_perf_gpu *of_device = NULL;
	unsigned char buffer[512], expected[160];
	struct panthor_perf_gpu *gpu = NULL;
	struct panthor_perf_device *device;
	size_t i;

	for (i = 0; i < sizeof(info); i++)
		info[i] = 100 + i;
	memcpy(info, &known, sizeof(known));
	for (i = 0; i < sizeof(gpu_info); i++)
		gpu_info[i] = 50 + i;
	memcpy(gpu_info, &gpu_known, sizeof(gpu_known));

	CHECK(!panthor_perf_gpu_create(gpu_info, sizeof(gpu_info), info, sizeof(info), &gpu,
				       NULL) &&
	      hands_out(panthor_perf_gpu_info, gpu, gpu_info, sizeof(gpu_info)) &&
	      hands_out(panthor_perf_gpu_perf_info, gpu, info, sizeof(info)),
	      "structures of a later kernel are handed through, whole or in part");
	CHECK(panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_ID) == 99 &&
	      panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_CORE_COUNT) == 4 &&
	      panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_L2_SLICES) == 4 &&
	      panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_TIMESTAMP_HZ) == 7,
	      "what is known of them");
	panthor_perf_gpu_destroy(gpu);
	CHECK(!panthor_perf_gpu_create(gpu_info, 4, info, 72, &gpu, NULL) &&
	      hands_out(panthor_perf_gpu_info, gpu, gpu_info, 4) &&
	      hands_out(panthor_perf_gpu_perf_info, gpu, info, 72) &&
	      panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_ID) == 99 &&
	      !panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_CORE_COUNT) &&
	      !panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_TIMESTAMP_HZ),
	      "structures of an older kernel");
	panthor_perf_gpu_destroy(gpu);
	CHECK(!panthor_perf_gpu_create(NULL, 0, info, sizeof(known), &gpu, NULL) &&
	      hands_out(panthor_perf_gpu_info, gpu, gpu_info, 0) &&
	      !panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_ID) &&
	      !panthor_perf_gpu_property(gpu, PANTHOR_PERF_GPU_L2_SLICES) &&
	      panthor_perf_gpu_block_count(gpu, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER) == 1,
	      "a GPU without GPU_INFO");
	panthor_perf_gpu_destroy(gpu);
	gpu = NULL;
	CHECK(panthor_perf_gpu_create(NULL, 0, info, 40, &gpu, &error) == -EPROTO && !gpu &&
	      error.code == -EPROTO && *error.text, "half a PERF_INFO makes no GPU");

	/* What the fake driver has behind the known members is 0xee. */
	fake_reset();
	fake.settings.info_size = 96 + 64;
	device = open_node();
	CHECK(!panthor_perf_device_gpu(device, &of_device, NULL), "a larger PERF_INFO");
	panthor_perf_gpu_perf_info(of_device, expected, 96);
	memset(expected + 96, 0xee, 64);
	CHECK(((struct drm_panthor_perf_info *)expected)->gpu_timestamp_frequency == 62500000 &&
	      hands_out(panthor_perf_gpu_perf_info, of_device, expected, 160),
	      "is handed through from the driver");
	memset(buffer, PATTERN, sizeof(buffer));
	CHECK(!panthor_perf_device_gpu_info(device, buffer, 4, NULL) &&
	      *(uint32_t *)buffer == 0xa8670005 && is_filled(buffer + 4, sizeof(buffer) - 4),
	      "a smaller GPU_INFO of a device");
	memset(buffer, PATTERN, sizeof(buffer));
	CHECK(!panthor_perf_device_gpu_info(device, buffer, sizeof(gpu_known) + 24, NULL) &&
	      !buffer[sizeof(gpu_known)] && !buffer[sizeof(gpu_known) + 23] &&
	      is_filled(buffer + sizeof(gpu_known) + 24, 100), "a larger GPU_INFO of a device");
	panthor_perf_device_close(device);
}

static void test_session(void)
{
	struct panthor_perf_device *device = open_fresh();
	const struct panthor_perf_block *block = NULL;
	struct pollfd pollfd = { .events = POLLIN };
	const struct panthor_perf_sample *sample;
	struct panthor_perf_session *session;
	unsigned int blocks = 0, i;
	uint64_t wrong = 0;
	bool ok = true;
	size_t size;

	CHECK(!create(device, NULL, &session, NULL), "create");
	CHECK(!fake.objects, "the handles are closed, the mappings stay");
	CHECK(panthor_perf_session_slots(session) == 16, "the default of slots obeys the limit");
	CHECK(panthor_perf_session_sample_size(session) == 80 + 8 * 520, "size of a sample");
	CHECK(panthor_perf_session_sample(session, 0, NULL) == -EINVAL, "sample before start");
	CHECK(panthor_perf_session_stop(session, 0, NULL) == -EINVAL, "stop before start");
	CHECK(!panthor_perf_session_start(session, 0, NULL), "start");
	CHECK(panthor_perf_session_start(session, 0, NULL) == -EINVAL, "start twice");
	CHECK(panthor_perf_session_wait(session, 0, NULL) == 0, "nothing without a request");
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 0, "nothing to read");

	CHECK(!panthor_perf_session_sample(session, 41, NULL), "sample");
	pollfd.fd = panthor_perf_session_fd(session);
	CHECK(poll(&pollfd, 1, 0) == 1, "the descriptor is readable");
	CHECK(panthor_perf_session_wait(session, 1000, NULL) == 1, "wait");
	CHECK(poll(&pollfd, 1, 0) == 0, "and then it is not");
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 41 &&
	      panthor_perf_sample_number(sample) == 0 &&
	      panthor_perf_sample_data(sample, &size) && size == 80 + 8 * 520 &&
	      panthor_perf_sample_data(sample, NULL) == panthor_perf_sample_data(sample, &size),
	      "read");
	/* The fake driver's first sample begins at 10^9 ns and takes 1234567 ns. */
	CHECK(panthor_perf_sample_start_ns(sample) == 1000000000 &&
	      panthor_perf_sample_end_ns(sample) == 1001234567 &&
	      panthor_perf_sample_gpu_timestamp(sample) == 4000 &&
	      !panthor_perf_sample_merged(sample) && !panthor_perf_sample_flags(sample) &&
	      !panthor_perf_sample_events(sample) && !panthor_perf_sample_counter_set(sample),
	      "the header of a sample");
	while ((block = panthor_perf_sample_next_block(sample, block))) {
		unsigned int type = panthor_perf_block_type(block);
		const uint16_t *indices;
		const uint64_t *counters;
		uint32_t count;

		blocks++;
		counters = panthor_perf_block_counters(block, &indices, &count);
		wrong += !!indices || count != 64;
		for (i = 0; i < count; i++) {
			bool wanted = type == 5 ? i == 5 || i == 63 : type == 3 && i == 7;

			wrong += !wanted && counters[i];
		}
	}
	CHECK(blocks == 8 && !wrong, "blocks, and nothing that was not asked for");
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 0, "empty again");

	for (i = 0; i < 15; i++)
		ok = ok && !panthor_perf_session_sample(session, 100 + i, NULL);
	CHECK(ok && panthor_perf_session_sample(session, 0, NULL) == -EBUSY,
	      "until one slot is left");
	CHECK(panthor_perf_session_wait(session, 1000, NULL) == 15, "fifteen samples");
	CHECK(!panthor_perf_session_stop(session, 999, NULL), "stop");
	for (i = 0; i < 15; i++)
		ok = ok && panthor_perf_session_read(session, &sample, NULL) == 1 &&
		     panthor_perf_sample_user_data(sample) == 100 + i &&
		     panthor_perf_sample_number(sample) == 1 + i;
	CHECK(ok, "in the order of the requests");
	CHECK(panthor_perf_session_wait(session, 1000, NULL) == 1 &&
	      panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 999 &&
	      panthor_perf_sample_flags(sample) == DRM_PANTHOR_PERF_SAMPLE_FINAL,
	      "the final sample");
	CHECK(!panthor_perf_session_start(session, 0, NULL) &&
	      !panthor_perf_session_stop(session, 5, NULL) &&
	      panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_number(sample) == 0, "once more");
	panthor_perf_session_destroy(session);
	CHECK(!fake.sessions && !fake.objects, "destroy");
	panthor_perf_device_close(device);
}

/* Calls that the driver or the library refuses say what is wrong. */
static void test_call_errors(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	unsigned int i;

	device = open_fresh();
	if (create(device, NULL, &session, NULL))
		return;
	CHECK(panthor_perf_session_sample(session, 0, &error) == -EINVAL &&
	      error.code == -EINVAL && strstr(error.text, "not started"), "sample: %s", error.text);
	CHECK(panthor_perf_session_stop(session, 0, &error) == -EINVAL &&
	      strstr(error.text, "not started"), "stop: %s", error.text);
	error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
	CHECK(!panthor_perf_session_start(session, 0, &error) && !error.code && !*error.text,
	      "a call that succeeds leaves the error alone");
	CHECK(panthor_perf_session_start(session, 0, &error) == -EINVAL &&
	      error.code == -EINVAL && strstr(error.text, "started already"), "start: %s",
	      error.text);
	CHECK(panthor_perf_session_wait_count(session, 16, 0, &error) == -EINVAL &&
	      !strcmp(error.text, "16 samples are not within 1 to 15"), "wait: %s", error.text);
	CHECK(panthor_perf_session_wait_count(session, 0, 0, &error) == -EINVAL,
	      "wait for nothing");
	CHECK(panthor_perf_session_release(session, 3, &error) == -EINVAL &&
	      !strcmp(error.text, "the ring has 0 samples, not 3"), "release: %s", error.text);
	CHECK(panthor_perf_session_limit(session, 15, &error) == -EINVAL &&
	      error.code == -EINVAL && strstr(error.text, "15 samples is below the 16 slots"),
	      "limit: %s", error.text);
	for (i = 0; i < 15; i++)
		panthor_perf_session_sample(session, i, NULL);
	CHECK(panthor_perf_session_sample(session, 0, &error) == -EBUSY &&
	      error.code == -EBUSY && strstr(error.text, "no free slot"), "a full ring: %s",
	      error.text);
	CHECK(panthor_perf_session_limit(session, 16, &error) == -EBUSY &&
	      error.code == -EBUSY && strstr(error.text, "to be read"), "a late limit: %s",
	      error.text);
	fake.settings.fail_errno = ETIMEDOUT;
	fake.settings.fail_at = fake.ioctls + 1;
	CHECK(panthor_perf_session_start(session, 0, &error) == -ETIMEDOUT &&
	      strstr(error.text, "firmware does not answer"), "no firmware: %s", error.text);
	fake.settings.fail_errno = EIO;
	fake.settings.fail_at = fake.ioctls + 1;
	CHECK(panthor_perf_session_sample(session, 0, &error) == -EIO &&
	      strstr(error.text, "resumed or reset"), "no counting: %s", error.text);
	fake.settings.fail_errno = EPIPE;
	fake.settings.fail_at = fake.ioctls + 1;
	CHECK(panthor_perf_session_stop(session, 0, &error) == -EPIPE &&
	      strstr(error.text, strerror(EPIPE)), "an error that nobody knows: %s", error.text);
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
}

static void test_config(void)
{
	struct panthor_perf_session_config bad = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_device *device = open_fresh();
	struct panthor_perf_selection *selection;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_session *session;
	const struct panthor_perf_block *block = NULL;
	unsigned int blocks = 0;
	uint64_t sum = 0;

	bad.sample_slots = 3;
	CHECK(create(device, &bad, &session, NULL) == -EINVAL, "three slots");
	bad.sample_slots = 1;
	CHECK(create(device, &bad, &session, NULL) == -EINVAL, "one slot");
	bad.sample_slots = 32;
	CHECK(create(device, &bad, &session, NULL) == -EINVAL, "too many slots");
	bad.sample_slots = 0;
	selection = choose(device, DRM_PANTHOR_PERF_SET_SECONDARY, DEFAULT_TEXT);
	bad.selection = selection;
	CHECK(panthor_perf_session_create(device, &bad, &session, NULL) == -EOPNOTSUPP,
	      "another set");
	panthor_perf_selection_destroy(selection);
	bad.selection = NULL;
	CHECK(!panthor_perf_session_create(device, &bad, &session, NULL), "no selection");
	panthor_perf_session_destroy(session);
	selection = choose(device, DRM_PANTHOR_PERF_SET_PRIMARY, NULL);
	bad.selection = selection;
	CHECK(!panthor_perf_session_create(device, &bad, &session, NULL), "an empty selection");
	panthor_perf_selection_destroy(selection);
	panthor_perf_session_destroy(session);
	CHECK(!panthor_perf_session_create(device, NULL, &session, NULL) &&
	      !panthor_perf_session_start(session, 0, NULL) &&
	      !panthor_perf_session_mark(session, 2, 1000, &sample, NULL), "no configuration");
	while ((block = panthor_perf_sample_next_block(sample, block))) {
		uint32_t count, i;
		const uint64_t *counters = panthor_perf_block_counters(block, NULL, &count);

		blocks++;
		for (i = 0; i < count; i++)
			sum += counters[i];
	}
	CHECK(blocks == 8 && !sum, "has headers and zeroes");
	panthor_perf_session_destroy(session);
	CHECK(!fake.objects && !fake.sessions, "nothing is left of what failed");
	panthor_perf_device_close(device);
}

/* Creates a session on a driver that is set already. Returns whether it is refused like that. */
static bool is_refused(struct panthor_perf_session_config config, unsigned int set, int err,
		       const char *text, struct panthor_perf_error *error)
{
	struct panthor_perf_device *device = open_node();
	struct panthor_perf_selection *selection = choose(device, set, "tiler:7");
	struct panthor_perf_session *session = NULL;
	int ret;

	*error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
	config.selection = selection;
	ret = panthor_perf_session_create(device, &config, &session, error);
	/* Without an object for the error it is the same error. */
	if (ret && panthor_perf_session_create(device, &config, &session, NULL) != ret)
		ret = 1;
	panthor_perf_session_destroy(session);
	panthor_perf_selection_destroy(selection);
	panthor_perf_device_close(device);
	return ret == err && error->code == err && !error->line && !error->column &&
	       !*error->file && !strcmp(error->text, text) && !session && !fake.sessions &&
	       !fake.objects;
}

/* Why a session is refused; flags that the driver does not offer are in features-test.c. */
static void test_reasons(void)
{
	const struct panthor_perf_session_config plain = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_session *sessions[5] = { NULL };
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_session_config config = plain;
	struct panthor_perf_device *device;
	unsigned int i;

	fake_reset();
	CHECK(is_refused(plain, 1, -EOPNOTSUPP,
			 "the GPU does not offer the counter set secondary", &error),
	      "reason: %s", error.text);
	CHECK(is_refused(plain, 5, -EOPNOTSUPP,
			 "the GPU does not offer the counter set number 5", &error),
	      "reason: %s", error.text);
	CHECK(is_refused(plain, 40, -EINVAL,
			 "the GPU does not offer the counter set number 40", &error),
	      "reason: %s", error.text);
	fake.settings.sets = 0x23;
	fake.settings.no_perfmon = 1;
	CHECK(is_refused(plain, 1, -EACCES, "the counter set secondary needs CAP_PERFMON", &error),
	      "reason: %s", error.text);
	CHECK(is_refused(plain, 5, -EACCES,
			 "the counter set of another number needs CAP_PERFMON", &error),
	      "reason: %s", error.text);
	fake.settings.paranoid = 1;
	CHECK(is_refused(plain, 0, -EACCES, "performance counters need CAP_PERFMON while the "
			 "sysctl dev.panthor.perf_paranoid is 1", &error), "reason: %s",
	      error.text);
	fake.settings.paranoid = 0;
	config.sample_period_ns = 999999;
	CHECK(is_refused(config, 0, -EACCES, "a period below 1 ms needs CAP_PERFMON", &error),
	      "reason: %s", error.text);
	fake_reset();

	config.sample_period_ns = 99999;
	CHECK(is_refused(config, 0, -EINVAL,
			 "a period of 99999 ns is below the shortest, 100000 ns", &error),
	      "reason: %s", error.text);
	fake.settings.min_period_ns = 0;
	CHECK(is_refused(config, 0, -EOPNOTSUPP, "the driver has no periodic sessions", &error),
	      "reason: %s", error.text);
	fake_reset();
	config = plain;
	config.sample_slots = 3;
	CHECK(is_refused(config, 0, -EINVAL, "a ring has a power of two of slots, not 3", &error),
	      "reason: %s", error.text);
	config.sample_slots = 32;
	CHECK(is_refused(config, 0, -EINVAL, "a ring of 32 slots is not within 2 to 16", &error),
	      "reason: %s", error.text);
	config.sample_slots = 1;
	CHECK(is_refused(config, 0, -EINVAL, "a ring of 1 slots is not within 2 to 16", &error),
	      "reason: %s", error.text);
	fake.settings.features = DRM_PANTHOR_PERF_WAKEUP_SUPPORT;
	config.sample_slots = 8;
	config.flags = DRM_PANTHOR_PERF_SETUP_WAKEUP;
	CHECK(is_refused(config, 0, -EINVAL, "a wake-up for 0 samples is not within 1 to 7",
			 &error), "reason: %s", error.text);
	config.wakeup_samples = 8;
	CHECK(is_refused(config, 0, -EINVAL, "a wake-up for 8 samples is not within 1 to 7",
			 &error), "reason: %s", error.text);
	config = plain;
	config.flags = 0x80;
	CHECK(is_refused(config, 0, -EINVAL, "the driver refuses the session: Invalid argument",
			 &error), "reason: %s", error.text);

	/* Four sessions are what an open file has. */
	device = open_fresh();
	for (i = 0; i < 4; i++)
		create(device, NULL, &sessions[i], NULL);
	CHECK(sessions[3] && create(device, NULL, &sessions[4], &error) == -ENOSPC &&
	      error.code == -ENOSPC && !sessions[4] &&
	      !strcmp(error.text, "no session is free: an open file has 4, and all "
		      "files of the GPU share a limit"), "reason: %s", error.text);
	for (i = 0; i < 4; i++)
		panthor_perf_session_destroy(sessions[i]);
	fake_unplug();
	CHECK(create(device, NULL, &sessions[4], &error) == -ENODEV && error.code == -ENODEV &&
	      *error.text && !sessions[4], "reason: %s", error.text);
	panthor_perf_device_close(device);

	/* The reasons of a GPU without counters are those of panthor_perf_device_gpu(). */
	fake_reset();
	fake.settings.info_errno = EINVAL;
	device = open_node();
	CHECK(panthor_perf_session_create(device, NULL, &sessions[4], &error) == -ENOSYS &&
	      error.code == -ENOSYS &&
	      !strcmp(error.text, "the driver of this kernel has no performance counters") &&
	      !sessions[4], "reason: %s", error.text);
	panthor_perf_device_close(device);
	fake_reset();
	fake.settings.abi = 2;
	device = open_node();
	CHECK(panthor_perf_session_create(device, NULL, &sessions[4], &error) ==
	      -EPROTONOSUPPORT && error.code == -EPROTONOSUPPORT &&
	      strstr(error.text, "version 2 of the interface") && !sessions[4], "reason: %s",
	      error.text);
	panthor_perf_device_close(device);

	/* The driver changes its mind about a sample's header. */
	fake_reset();
	fake.settings.features = DRM_PANTHOR_PERF_COMPACT_SUPPORT;
	device = open_node();
	fake.settings.sample_header = 72;
	config = plain;
	config.flags = DRM_PANTHOR_PERF_SETUP_COMPACT;
	CHECK(create(device, &config, &sessions[4], &error) == -EPROTO && error.code == -EPROTO &&
	      strstr(error.text, "impossible size") && !sessions[4] && !fake.sessions &&
	      !fake.objects, "reason: %s", error.text);
	panthor_perf_device_close(device);
}

/* Structures of programs that were built with another version of the library. */
static void test_sizes(void)
{
	struct {
		struct panthor_perf_session_config config;
		unsigned char behind[64];
	} config;
	struct {
		struct panthor_perf_quality quality;
		unsigned char behind[64];
	} quality;
	struct {
		struct panthor_perf_error error;
		unsigned char behind[64];
	} error;
	const size_t small = offsetof(struct panthor_perf_quality, overflows);
	struct panthor_perf_session_config none = { .size = 0 };
	struct panthor_perf_error why = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_device *device = open_fresh();
	struct panthor_perf_session *session = NULL;
	const struct panthor_perf_sample *sample;

	CHECK(panthor_perf_session_create(NULL, NULL, &session, &why) == -EINVAL && !session &&
	      !strcmp(why.text, "there is no device"), "a session of no device: %s", why.text);
	CHECK(panthor_perf_session_create(device, &none, &session, &why) == -EINVAL &&
	      why.code == -EINVAL && !session &&
	      strstr(why.text, "PANTHOR_PERF_SESSION_CONFIG_INIT"),
	      "a configuration that was not initialised: %s", why.text);
	none.size = sizeof(none) - 8;
	CHECK(panthor_perf_session_create(device, &none, &session, NULL) == -EINVAL && !session,
	      "a configuration that is smaller than the first one");
	memset(&config, PATTERN, sizeof(config));
	config.config = (struct panthor_perf_session_config)PANTHOR_PERF_SESSION_CONFIG_INIT;
	config.config.size = sizeof(config);
	config.config.sample_slots = 4;
	CHECK(panthor_perf_session_create(device, &config.config, &session, &why) == -EINVAL &&
	      !session && strstr(why.text, "does not know"),
	      "a larger configuration with an unknown member: %s", why.text);
	memset(config.behind, 0, sizeof(config.behind));
	CHECK(!panthor_perf_session_create(device, &config.config, &session, NULL) &&
	      panthor_perf_session_slots(session) == 4 && config.config.size == sizeof(config) &&
	      !config.behind[0], "a larger configuration");
	panthor_perf_session_start(session, 0, NULL);
	panthor_perf_session_mark(session, 2, 1000, &sample, NULL);
	panthor_perf_session_mark(session, 4, 1000, &sample, NULL);

	memset(&quality, PATTERN, sizeof(quality));
	quality.quality.size = small;
	panthor_perf_session_quality(session, &quality.quality);
	CHECK(quality.quality.samples == 2 && !quality.quality.merged &&
	      !quality.quality.stretched && quality.quality.size == small &&
	      is_filled((char *)&quality + small, sizeof(quality) - small), "a smaller quality");
	memset(&quality, PATTERN, sizeof(quality));
	quality.quality.size = sizeof(quality.quality) + 16;
	panthor_perf_session_quality(session, &quality.quality);
	CHECK(quality.quality.samples == 2 && !quality.quality.overflows &&
	      !quality.quality.events && quality.quality.size == sizeof(quality.quality) + 16 &&
	      !quality.behind[0] && !quality.behind[15] &&
	      is_filled(quality.behind + 16, sizeof(quality.behind) - 16),
	      "a larger quality: what the library does not know is 0");
	memset(&quality, PATTERN, sizeof(quality));
	quality.quality.size = 0;
	panthor_perf_session_quality(session, &quality.quality);
	CHECK(quality.quality.size == sizeof(quality.quality) && quality.quality.samples == 2 &&
	      is_filled(quality.behind, sizeof(quality.behind)), "a quality without its size");

	memset(&error, PATTERN, sizeof(error));
	error.error.size = sizeof(error);
	CHECK(panthor_perf_session_start(session, 0, &error.error) == -EINVAL &&
	      error.error.code == -EINVAL && error.error.size == sizeof(error) &&
	      !error.error.line && !error.error.column && !*error.error.file &&
	      strstr(error.error.text, "started already") &&
	      is_filled(error.behind, sizeof(error.behind)), "a larger error");
	memset(&error, PATTERN, sizeof(error));
	error.error.size = 0;
	CHECK(panthor_perf_session_start(session, 0, &error.error) == -EINVAL &&
	      error.error.code == -EINVAL && strstr(error.error.text, "started already") &&
	      is_filled(error.behind, sizeof(error.behind)), "an error without its size");
	error.error.size = 8;
	error.error.code = 77;
	CHECK(panthor_perf_session_start(session, 0, &error.error) == -EINVAL &&
	      error.error.code == 77, "an error that is smaller than the first one is left alone");
	memset(&error, PATTERN, sizeof(error));
	error.error.size = sizeof(error.error) - 8;
	CHECK(panthor_perf_session_start(session, 0, &error.error) == -EINVAL &&
	      is_filled((char *)&error + error.error.size, sizeof(error) - error.error.size),
	      "nothing is written behind a smaller error");
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
}

/* Each ioctl of opening a device, and of a session's creation, fails once. */
static void test_failures(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	unsigned int files = open_files(), maps = mappings(), n;
	bool ok = true;

	for (n = 1; ; n++) {
		int ret;

		fake_reset();
		fake.settings.fail_at = n;
		fake.settings.fail_errno = ENOMEM;
		ret = refused(&error);
		ok = ok && open_files() == files;
		if (!ret)
			break;
		ok = ok && ret == -ENOMEM;
	}
	CHECK(ok && n == 6, "the GPU fails at each of %u calls of opening, and nothing leaks",
	      n - 1);
	ok = true;
	for (n = 1; ; n++) {
		struct panthor_perf_device *device = open_fresh();
		struct panthor_perf_session *session = NULL;
		int ret;

		error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
		fake.settings.fail_at = fake.ioctls + n;
		fake.settings.fail_errno = ENOMEM;
		ret = create(device, NULL, &session, &error);
		if (!ret) {
			panthor_perf_session_destroy(session);
			panthor_perf_device_close(device);
			break;
		}
		ok = ok && ret == -ENOMEM && error.code == ret && *error.text && !session &&
		     !fake.objects && !fake.sessions;
		panthor_perf_device_close(device);
		/* The fake driver does not unmap what a SETUP has mapped, which comes last. */
		ok = ok && open_files() == files && mappings() == maps;
	}
	CHECK(ok && n == 6, "creation fails at each of %u calls, and nothing leaks", n - 1);
}

static void on_alarm(int number)
{
	(void)number;
}

static void test_wait(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct itimerval timer = { .it_value.tv_usec = 30000 };
	struct sigaction action = { .sa_handler = on_alarm };
	const struct panthor_perf_sample *sample;
	struct panthor_perf_device *device;
	struct panthor_perf_session *session = begin(&device);

	CHECK(panthor_perf_session_wait(session, 20, &error) == 0 && !error.code,
	      "the time passes");
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	CHECK(panthor_perf_session_wait(session, -1, &error) == -EINTR && error.code == -EINTR,
	      "a signal ends the wait");

	fake_publish();
	fake_publish();
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_session_read(session, &sample, NULL) == 1, "reading without waiting");
	CHECK(panthor_perf_session_wait(session, 0, NULL) == 0, "their counts are no samples");
	fake_publish();
	fake_unplug();
	CHECK(panthor_perf_session_wait(session, 1000, NULL) == 1 &&
	      panthor_perf_session_read(session, &sample, NULL) == 1,
	      "the last sample of a lost GPU");
	CHECK(panthor_perf_session_wait(session, 1000, &error) == -ENODEV &&
	      error.code == -ENODEV && strstr(error.text, "gone"), "the GPU is gone");
	CHECK(panthor_perf_session_wait(session, -1, NULL) == -ENODEV, "and stays so");
	CHECK(panthor_perf_session_stop(session, 0, &error) == -ENODEV &&
	      error.code == -ENODEV && strstr(error.text, "gone"), "stop says so too");
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
	fake_reset();
}

static void test_larger(void)
{
	struct panthor_perf_session *session = NULL;
	const struct panthor_perf_block *block = NULL;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_device *device;
	unsigned int blocks = 0;

	fake_reset();
	fake.settings.sample_header = 112;
	fake.settings.block_header = 16;
	fake.settings.counters = 128;
	fake.settings.unknown_blocks = 2;
	fake.settings.info_size = 120;
	device = open_node();
	CHECK(!create(device, NULL, &session, NULL) &&
	      !panthor_perf_session_start(session, 0, NULL) &&
	      !panthor_perf_session_stop(session, 3, NULL) &&
	      panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 3, "a session of a later kernel");
	while ((block = panthor_perf_sample_next_block(sample, block))) {
		uint32_t count;

		panthor_perf_block_counters(block, NULL, &count);
		blocks += panthor_perf_block_type(block) <= 5 && count == 128;
	}
	CHECK(blocks == 8, "its blocks but the unknown ones");
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
}

/* Clocks and states are there where the driver has them. */
static void test_clocks(void)
{
	const struct panthor_perf_block *block;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	uint64_t cycles = 77;

	session = begin(&device);
	panthor_perf_session_mark(session, 2, 1000, &sample, NULL);
	block = panthor_perf_sample_next_block(sample, NULL);
	CHECK(!panthor_perf_sample_cycles(sample, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, &cycles) &&
	      cycles == 77 && !panthor_perf_block_states(block), "no cycles and no states");
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);

	fake_reset();
	fake.settings.clocks = 1;
	fake.settings.states = 1;
	device = open_node();
	create(device, NULL, &session, NULL);
	panthor_perf_session_start(session, 0, NULL);
	panthor_perf_session_mark(session, 2, 1000, &sample, NULL);
	block = panthor_perf_sample_next_block(sample, NULL);
	CHECK(panthor_perf_sample_cycles(sample, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, &cycles) &&
	      cycles == 8000 &&
	      !panthor_perf_sample_cycles(sample, DRM_PANTHOR_PERF_CLOCK_SHADER, &cycles) &&
	      !panthor_perf_sample_cycles(sample, 3, &cycles) &&
	      !panthor_perf_sample_cycles(sample, 32, &cycles) && cycles == 8000,
	      "cycles of the clock that there is");
	CHECK(panthor_perf_block_states(block) ==
	      (DRM_PANTHOR_PERF_BLOCK_STATE_ON | DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE |
	       DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL) && panthor_perf_block_type(block) == 1 &&
	      !panthor_perf_block_number(block) && !panthor_perf_block_clock(block),
	      "states of a block");
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
}

/**
 * struct seen - what a function of panthor_perf_session_finish() saw
 */
struct seen {
	/** @calls: Its calls. */
	unsigned int calls;

	/** @user_data: The samples' user data. */
	uint64_t user_data[64];

	/** @flags: The newest one's flags. */
	uint32_t flags;

	/** @wrong: Samples whose number was not that of the one before, plus 1. */
	unsigned int wrong;

	/** @next: Number of the next sample. */
	uint64_t next;

	/** @periods: Periods in the samples. */
	uint64_t periods;

	/** @stop_at: Call that ends the reading, from 1; 0: none. */
	unsigned int stop_at;

	/** @value: What it returns then. */
	int value;
};

static int look(const struct panthor_perf_sample *sample, void *arg)
{
	struct seen *seen = arg;

	if (seen->calls < ARRAY_SIZE(seen->user_data))
		seen->user_data[seen->calls] = panthor_perf_sample_user_data(sample);
	seen->flags = panthor_perf_sample_flags(sample);
	seen->wrong += panthor_perf_sample_number(sample) != seen->next;
	seen->next = panthor_perf_sample_number(sample) + 1;
	seen->periods += 1 + panthor_perf_sample_merged(sample);
	return ++seen->calls == seen->stop_at ? seen->value : 0;
}

/* What a session was is gone, whatever became of it. */
static bool all_gone(struct panthor_perf_device *device)
{
	bool gone = !fake.sessions && !fake.objects;

	panthor_perf_device_close(device);
	return gone;
}

static void test_finish(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_session *session = NULL;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_device *device;
	struct seen seen = { 0 };
	int ret;

	device = open_fresh();
	create(device, NULL, &session, NULL);
	ret = panthor_perf_session_finish(session, 1, 1000, look, &seen, &error);
	CHECK(!ret && !seen.calls && !error.code && all_gone(device),
	      "finish a session that was not started");

	session = begin(&device);
	panthor_perf_session_sample(session, 20, NULL);
	panthor_perf_session_sample(session, 22, NULL);
	ret = panthor_perf_session_finish(session, 24, 1000, look, &seen, &error);
	CHECK(!ret && seen.calls == 3 && seen.user_data[0] == 20 && seen.user_data[1] == 22 &&
	      seen.user_data[2] == 24 && !seen.wrong &&
	      seen.flags & DRM_PANTHOR_PERF_SAMPLE_FINAL && !error.code && all_gone(device),
	      "finish: what is left, then the final sample");

	session = begin(&device);
	panthor_perf_session_sample(session, 20, NULL);
	ret = panthor_perf_session_finish(session, 24, 1000, NULL, NULL, NULL);
	CHECK(!ret && all_gone(device), "finish without a function");

	session = begin(&device);
	panthor_perf_session_stop(session, 30, NULL);
	seen = (struct seen) { 0 };
	ret = panthor_perf_session_finish(session, 32, 1000, look, &seen, &error);
	CHECK(!ret && seen.calls == 1 && seen.user_data[0] == 30 && !error.code &&
	      all_gone(device),
	      "finish a session that was stopped: its final sample, no other");

	session = begin(&device);
	panthor_perf_session_stop(session, 30, NULL);
	panthor_perf_session_read(session, &sample, NULL);
	seen = (struct seen) { 0 };
	ret = panthor_perf_session_finish(session, 32, 1000, look, &seen, &error);
	CHECK(!ret && !seen.calls && !error.code && all_gone(device),
	      "finish a session that was stopped and read");

	session = begin(&device);
	panthor_perf_session_stop(session, 30, NULL);
	panthor_perf_session_peek(session, 0, &sample, NULL);
	panthor_perf_session_release(session, 1, NULL);
	panthor_perf_session_start(session, 0, NULL);
	seen = (struct seen) { 0 };
	ret = panthor_perf_session_finish(session, 34, 1000, look, &seen, &error);
	CHECK(!ret && seen.calls == 1 && seen.user_data[0] == 34 && all_gone(device),
	      "finish a session that was started again");

	session = begin(&device);
	panthor_perf_session_stop(session, 30, NULL);
	panthor_perf_session_start(session, 0, NULL);
	panthor_perf_session_sample(session, 32, NULL);
	seen = (struct seen) { 0 };
	ret = panthor_perf_session_finish(session, 34, 1000, look, &seen, &error);
	CHECK(!ret && seen.calls == 3 && seen.user_data[0] == 30 && seen.user_data[1] == 32 &&
	      seen.user_data[2] == 34 && all_gone(device),
	      "finish a session that was started again before its final sample was read");

	session = begin(&device);
	panthor_perf_session_sample(session, 20, NULL);
	panthor_perf_session_sample(session, 22, NULL);
	seen = (struct seen) { .stop_at = 2, .value = 42 };
	ret = panthor_perf_session_finish(session, 24, 1000, look, &seen, &error);
	CHECK(ret == 42 && seen.calls == 2 && !error.code && all_gone(device),
	      "a function that ends the reading");
	session = begin(&device);
	seen = (struct seen) { .stop_at = 1, .value = -12345 };
	ret = panthor_perf_session_finish(session, 24, 1000, look, &seen, NULL);
	CHECK(ret == -12345 && seen.calls == 1 && all_gone(device), "... with a negative number");
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ll + ts.tv_nsec / 1000000;
}

static void test_finish_fails(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval timer = { .it_value.tv_usec = 20000 };
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_session *session;
	struct panthor_perf_device *device;
	struct seen seen = { 0 };
	int64_t begin_ms;
	int ret;

	session = begin(&device);
	panthor_perf_session_sample(session, 20, NULL);
	fake.settings.silent = 1;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	begin_ms = now_ms();
	ret = panthor_perf_session_finish(session, 22, 100, look, &seen, &error);
	CHECK(ret == -ETIMEDOUT && error.code == ret && seen.calls == 1 &&
	      seen.user_data[0] == 20 &&
	      !strcmp(error.text, "the final sample did not come within 100 ms") &&
	      all_gone(device), "finish without a final sample: %s", error.text);
	CHECK(now_ms() - begin_ms >= 99, "a signal does not end the wait");

	session = begin(&device);
	fake.settings.silent = 1;
	ret = panthor_perf_session_finish(session, 22, 0, NULL, NULL, NULL);
	CHECK(ret == -ETIMEDOUT && all_gone(device), "finish that does not wait");

	session = begin(&device);
	panthor_perf_session_sample(session, 20, NULL);
	panthor_perf_session_sample(session, 22, NULL);
	fake_unplug();
	seen = (struct seen) { 0 };
	ret = panthor_perf_session_finish(session, 24, 1000, look, &seen, &error);
	CHECK(ret == -ENODEV && error.code == ret && strstr(error.text, "gone") &&
	      seen.calls == 2 && seen.user_data[0] == 20 && seen.user_data[1] == 22,
	      "finish without a GPU: what is left, then: %s", error.text);
	panthor_perf_device_close(device);

	session = begin(&device);
	fake.settings.silent = 1;
	panthor_perf_session_stop(session, 20, NULL);
	fake_unplug();
	ret = panthor_perf_session_finish(session, 22, -1, look, &seen, &error);
	CHECK(ret == -ENODEV && error.code == ret, "finish of a GPU that went away after stop");
	panthor_perf_device_close(device);

	session = begin(&device);
	panthor_perf_session_sample(session, 20, NULL);
	fake.settings.fail_at = fake.ioctls + 1;
	fake.settings.fail_errno = EIO;
	seen = (struct seen) { 0 };
	ret = panthor_perf_session_finish(session, 22, 1000, look, &seen, &error);
	CHECK(ret == -EIO && error.code == ret && *error.text && seen.calls == 1 &&
	      all_gone(device), "finish when stop fails: %s", error.text);
	fake_reset();
}

/* The kernel may end periods until it stops: all of them are read. */
static void test_finish_periods(void)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_session *session = NULL;
	struct panthor_perf_device *device = open_fresh();
	struct seen seen = { 0 };
	int ret;

	config.sample_period_ns = 2000000;
	config.sample_slots = 4;
	create(device, &config, &session, NULL);
	panthor_perf_session_start(session, 6, NULL);
	CHECK(panthor_perf_session_wait(session, 10000, NULL) > 0, "a period has ended");
	usleep(30000);
	ret = panthor_perf_session_finish(session, 7, 10000, look, &seen, NULL);
	CHECK(!ret && seen.calls >= 2 && !seen.wrong && seen.user_data[0] == 6 &&
	      (seen.calls > ARRAY_SIZE(seen.user_data) || seen.user_data[seen.calls - 1] == 7) &&
	      seen.periods >= 14 && seen.flags & DRM_PANTHOR_PERF_SAMPLE_FINAL,
	      "finish a session with a period: %u samples, %u periods", seen.calls,
	      (unsigned int)seen.periods);
	CHECK(all_gone(device), "and nothing of it is left");
}

/* Runs a function in a child. Returns what it returned: 0 if nothing is wrong. */
static int in_child(int (*fn)(struct panthor_perf_session *session),
		    struct panthor_perf_session *session)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(fn(session));
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int refuse_all(struct panthor_perf_session *session)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const struct panthor_perf_sample *sample = NULL;
	const int refusals[] = {
		panthor_perf_session_start(session, 0, &error),
		panthor_perf_session_sample(session, 0, NULL),
		panthor_perf_session_stop(session, 0, NULL),
		panthor_perf_session_wait(session, 0, NULL),
		panthor_perf_session_wait(session, -1, NULL),
		panthor_perf_session_wait_count(session, 2, 0, NULL),
		panthor_perf_session_limit(session, 0, NULL),
		panthor_perf_session_read(session, &sample, NULL),
		panthor_perf_session_peek(session, 0, &sample, NULL),
		panthor_perf_session_release(session, 1, NULL),
		panthor_perf_session_mark(session, 0, 0, &sample, NULL),
	};
	char parent[32];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refusals); i++)
		if (refusals[i] != -EPERM)
			return 1 + i;
	snprintf(parent, sizeof(parent), "process %d,", (int)getppid());
	if (sample || error.code != -EPERM || !strstr(error.text, parent))
		return 50;
	return 0;
}

static int all_refused(struct panthor_perf_session *session)
{
	unsigned int ioctls = fake.ioctls;
	int ret = refuse_all(session);

	return ret ? ret : fake.ioctls != ioctls;
}

static int destroys(struct panthor_perf_session *session)
{
	unsigned int ioctls = fake.ioctls, files = open_files(), maps = mappings();

	panthor_perf_session_destroy(session);
	/* The fake driver has two mappings and an eventfd of its own. */
	if (fake.ioctls != ioctls || fake.sessions != 1)
		return 1;
	if (open_files() != files - 1)
		return 2;
	return mappings() != maps - 2 ? 3 : 0;
}

static int finishes(struct panthor_perf_session *session)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	unsigned int ioctls = fake.ioctls, files = open_files(), maps = mappings();
	struct seen seen = { 0 };
	int ret = panthor_perf_session_finish(session, 5, 1000, look, &seen, &error);

	if (ret != -EPERM || error.code != ret || seen.calls)
		return 1;
	if (fake.ioctls != ioctls || fake.sessions != 1)
		return 2;
	return open_files() != files - 1 || mappings() != maps - 2 ? 3 : 0;
}

/* The device is for both: a child may have sessions of its own. */
static struct panthor_perf_device *shared_device;

static int has_own(struct panthor_perf_session *session)
{
	struct panthor_perf_session *own = NULL;
	const struct panthor_perf_sample *sample;
	unsigned int sessions = fake.sessions;

	(void)session;
	if (create(shared_device, NULL, &own, NULL) ||
	    panthor_perf_session_start(own, 0, NULL) ||
	    panthor_perf_session_mark(own, 8, 1000, &sample, NULL) ||
	    panthor_perf_sample_user_data(sample) != 8)
		return 1;
	if (panthor_perf_session_finish(own, 0, 1000, NULL, NULL, NULL))
		return 2;
	return fake.sessions != sessions;
}

static void test_fork(void)
{
	const struct panthor_perf_sample *sample;
	struct panthor_perf_session *session = begin(&shared_device);
	struct seen seen = { 0 };

	panthor_perf_session_sample(session, 2, NULL);
	panthor_perf_session_sample(session, 4, NULL);
	CHECK(in_child(all_refused, session) == 0, "a child is refused each call");
	CHECK(in_child(destroys, session) == 0,
	      "a child frees what it has, and the driver hears nothing of it");
	CHECK(in_child(finishes, session) == 0, "and so it does when it finishes");
	CHECK(in_child(has_own, session) == 0, "a child has a session of its own");
	CHECK(panthor_perf_session_wait(session, 0, NULL) == 2 &&
	      panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 2 &&
	      panthor_perf_session_peek(session, 0, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 4 &&
	      !panthor_perf_session_release(session, 1, NULL) &&
	      !panthor_perf_session_mark(session, 6, 1000, &sample, NULL) &&
	      panthor_perf_sample_user_data(sample) == 6, "the parent's session works afterwards");
	CHECK(!panthor_perf_session_finish(session, 8, 1000, look, &seen, NULL) &&
	      seen.calls == 1 && seen.user_data[0] == 8 && all_gone(shared_device),
	      "and is finished");
}

int main(void)
{
	unsigned int files;
	int fd = mkstemps(node, 8);

	if (fd < 0 || close(fd))
		return 2;
	fd = mkstemps(other, 6);
	if (fd < 0 || close(fd))
		return 2;
	files = open_files();
	test_open();
	test_gpu();
	test_info();
	test_info_sizes();
	test_session();
	test_call_errors();
	test_config();
	test_reasons();
	test_sizes();
	test_failures();
	test_wait();
	test_larger();
	test_clocks();
	test_finish();
	test_finish_fails();
	test_finish_periods();
	test_fork();
	CHECK(open_files() == files, "no descriptor is left");
	unlink(node);
	unlink(other);
	return check_failures ? 1 : 0;
}
