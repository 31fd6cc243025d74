// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of the library's devices and sessions, on a driver in this process. */

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"
#include "fakedrm.h"
#include "panthor_perf.h"

static char node[64] = "/tmp/session-test-XXXXXX.panthor";
static char other[64] = "/tmp/session-test-XXXXXX.other";

static const struct drm_panthor_perf_section sections[] = {
	{ .block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, .mask = 1ull << 5 | 1ull << 63 },
	{ .block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, .mask = 1ull << 7 },
};

static const struct panthor_perf_session_config config = {
	.sections = sections,
	.section_count = 2,
};

/* Descriptors and mappings of this process: what was there before must be all that is left. */
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

static struct panthor_perf_device *open_fresh(void)
{
	struct panthor_perf_device *device = NULL;

	fake_reset();
	panthor_perf_device_open(node, &device);
	return device;
}

static void test_open(void)
{
	struct panthor_perf_device *device = NULL;
	struct panthor_perf_driver driver;
	char nodes[256];
	int fd;

	CHECK(panthor_perf_device_open("/nonexistent", &device) == -ENOENT,
	      "a node that is missing");
	CHECK(panthor_perf_device_open("/dev/null", &device) == -ENOTTY, "no DRM node");
	CHECK(panthor_perf_device_open(other, &device) == -EOPNOTSUPP, "a node of another driver");
	unsetenv("FAKE_NODES");
	CHECK(panthor_perf_device_open(NULL, &device) == -ENODEV, "no node at all");
	setenv("FAKE_NODES", other, 1);
	CHECK(panthor_perf_device_open(NULL, &device) == -ENODEV, "nodes of other drivers alone");
	snprintf(nodes, sizeof(nodes), "/nonexistent:%s:%s", other, node);
	setenv("FAKE_NODES", nodes, 1);
	CHECK(!panthor_perf_device_open(NULL, &device) &&
	      !strcmp(panthor_perf_device_path(device), node), "the first node of the driver");
	panthor_perf_device_driver(device, &driver);
	CHECK(driver.major == 1 && driver.minor == 3 && !driver.patch, "version of the driver");

	fd = dup(panthor_perf_device_fd(device));
	panthor_perf_device_close(device);
	CHECK(!panthor_perf_device_open_fd(fd, &device) &&
	      panthor_perf_device_fd(device) != fd &&
	      !strcmp(panthor_perf_device_path(device), node), "a node that is open");
	panthor_perf_device_close(device);
	CHECK(fcntl(fd, F_GETFD) >= 0, "the caller's descriptor stays open");
	close(fd);
	CHECK(panthor_perf_device_open_fd(fd, &device) == -EBADF, "a descriptor that is closed");
	fd = open(other, O_RDWR);
	CHECK(panthor_perf_device_open_fd(fd, &device) == -EOPNOTSUPP,
	      "a descriptor of another driver");
	close(fd);
	panthor_perf_device_close(NULL);
	panthor_perf_session_destroy(NULL);
}

static void test_info(void)
{
	struct panthor_perf_device *device = open_fresh();
	struct drm_panthor_perf_info info, zero = { 0 };
	struct drm_panthor_gpu_info gpu;
	uint32_t size;

	CHECK(!panthor_perf_device_gpu_info(device, &gpu) && gpu.gpu_id == 0xa8670005, "GPU");
	CHECK(!panthor_perf_device_info(device, &info, &size) && size == 88 &&
	      info.shader_blocks == 3 && info.gpu_timestamp_frequency == 62500000, "PERF_INFO");
	CHECK(!panthor_perf_device_info(device, &info, NULL), "PERF_INFO without its size");

	fake.settings.info_size = 88 + 64;
	CHECK(!panthor_perf_device_info(device, &info, &size) && size == 152 &&
	      info.gpu_timestamp_frequency == 62500000, "a larger PERF_INFO");
	fake.settings.info_size = 72;
	memset(&info, 0xff, sizeof(info));
	CHECK(!panthor_perf_device_info(device, &info, &size) && size == 72 &&
	      info.shader_blocks == 3 &&
	      !memcmp((char *)&info + 72, (char *)&zero + 72, sizeof(info) - 72),
	      "a smaller PERF_INFO: the rest is 0");
	fake.settings.info_size = 48;
	CHECK(panthor_perf_device_info(device, &info, &size) == -EPROTONOSUPPORT && !info.abi,
	      "a PERF_INFO without a version");
	for (fake.settings.abi = 0; fake.settings.abi < 3; fake.settings.abi++) {
		bool known = fake.settings.abi == 1;

		fake.settings.info_size = 88;
		CHECK(panthor_perf_device_info(device, &info, &size) ==
		      (known ? 0 : -EPROTONOSUPPORT) && info.abi == fake.settings.abi,
		      "version %u of the interface", fake.settings.abi);
	}
	fake.settings.abi = 1;
	fake.settings.info_size = 40;
	CHECK(panthor_perf_device_info(device, &info, NULL) == -EPROTO, "half a PERF_INFO");
	fake.settings.info_size = 0;
	CHECK(panthor_perf_device_info(device, &info, NULL) == -EPROTO, "an empty PERF_INFO");

	fake.settings.info_size = 88;
	fake.settings.info_errno = EOPNOTSUPP;
	CHECK(panthor_perf_device_info(device, &info, NULL) == -EOPNOTSUPP, "no counters");
	fake.settings.info_errno = EINVAL;
	CHECK(panthor_perf_device_info(device, &info, NULL) == -EINVAL, "an older driver");
	fake.settings.info_errno = 0;
	fake.settings.sample_header = 81;
	CHECK(panthor_perf_device_info(device, &info, NULL) == -EPROTO, "an odd sample header");
	fake.settings.sample_header = 80;
	fake.settings.counters = 0;
	CHECK(panthor_perf_device_info(device, &info, NULL) == -EPROTO, "blocks without counters");
	panthor_perf_device_close(device);
}

static void test_session(void)
{
	struct panthor_perf_device *device = open_fresh();
	struct panthor_perf_session *session;
	struct panthor_perf_sample sample;
	struct panthor_perf_block block = { 0 };
	struct pollfd pollfd = { .events = POLLIN };
	unsigned int blocks = 0, i;
	uint64_t wrong = 0;
	bool ok = true;

	CHECK(!panthor_perf_session_create(device, &config, &session), "create");
	CHECK(!fake.objects, "the handles are closed, the mappings stay");
	CHECK(panthor_perf_session_slots(session) == 16, "the default of slots obeys the limit");
	CHECK(panthor_perf_session_sample_size(session) == 80 + 8 * 520, "size of a sample");
	CHECK(panthor_perf_session_sample(session, 0) == -EINVAL, "sample before start");
	CHECK(panthor_perf_session_stop(session, 0) == -EINVAL, "stop before start");
	CHECK(!panthor_perf_session_start(session, 0), "start");
	CHECK(panthor_perf_session_start(session, 0) == -EINVAL, "start twice");
	CHECK(panthor_perf_session_wait(session, 0) == 0, "nothing without a request");
	CHECK(panthor_perf_session_read(session, &sample) == 0, "nothing to read");

	CHECK(!panthor_perf_session_sample(session, 41), "sample");
	pollfd.fd = panthor_perf_session_fd(session);
	CHECK(poll(&pollfd, 1, 0) == 1, "the descriptor is readable");
	CHECK(panthor_perf_session_wait(session, 1000) == 1, "wait");
	CHECK(poll(&pollfd, 1, 0) == 0, "and then it is not");
	CHECK(panthor_perf_session_read(session, &sample) == 1 && sample.header.user_data == 41 &&
	      sample.header.sample_nr == 0 && sample.size == 80 + 8 * 520, "read");
	while (panthor_perf_sample_next_block(&sample, &block)) {
		blocks++;
		for (i = 0; i < block.counter_count; i++) {
			bool wanted = block.header.type == 5 ? i == 5 || i == 63 :
				      block.header.type == 3 && i == 7;

			wrong += !wanted && block.counters[i];
		}
	}
	CHECK(blocks == 8 && !wrong, "blocks, and nothing that was not asked for");
	CHECK(panthor_perf_session_read(session, &sample) == 0, "empty again");

	for (i = 0; i < 15; i++)
		ok = ok && !panthor_perf_session_sample(session, 100 + i);
	CHECK(ok && panthor_perf_session_sample(session, 0) == -EBUSY, "until one slot is left");
	CHECK(panthor_perf_session_wait(session, 1000) == 15, "fifteen samples");
	CHECK(!panthor_perf_session_stop(session, 999), "stop");
	for (i = 0; i < 15; i++)
		ok = ok && panthor_perf_session_read(session, &sample) == 1 &&
		     sample.header.user_data == 100 + i && sample.header.sample_nr == 1 + i;
	CHECK(ok, "in the order of the requests");
	CHECK(panthor_perf_session_wait(session, 1000) == 1 &&
	      panthor_perf_session_read(session, &sample) == 1 && sample.header.user_data == 999,
	      "the final sample");
	CHECK(!panthor_perf_session_start(session, 0) && !panthor_perf_session_stop(session, 5) &&
	      panthor_perf_session_read(session, &sample) == 1 && sample.header.sample_nr == 0,
	      "once more");
	panthor_perf_session_destroy(session);
	CHECK(!fake.sessions && !fake.objects, "destroy");
	panthor_perf_device_close(device);
}

static void test_config(void)
{
	struct panthor_perf_session_config bad = config;
	struct panthor_perf_device *device = open_fresh();
	struct panthor_perf_session *session;

	bad.sample_slots = 3;
	CHECK(panthor_perf_session_create(device, &bad, &session) == -EINVAL, "three slots");
	bad.sample_slots = 1;
	CHECK(panthor_perf_session_create(device, &bad, &session) == -EINVAL, "one slot");
	bad.sample_slots = 32;
	CHECK(panthor_perf_session_create(device, &bad, &session) == -EINVAL, "too many slots");
	bad.sample_slots = 0;
	bad.counter_set = 1;
	CHECK(panthor_perf_session_create(device, &bad, &session) == -EOPNOTSUPP, "another set");
	bad.counter_set = 0;
	bad.section_count = 1000;
	CHECK(panthor_perf_session_create(device, &bad, &session) == -EINVAL, "too many sections");
	bad.section_count = 0;
	bad.sections = NULL;
	CHECK(!panthor_perf_session_create(device, &bad, &session), "no sections");
	panthor_perf_session_destroy(session);
	CHECK(!fake.objects && !fake.sessions, "nothing is left of what failed");
	panthor_perf_device_close(device);
}

/* Each ioctl of a session's creation fails once. */
static void test_failures(void)
{
	unsigned int files = open_files();
	bool ok = true;
	unsigned int n;

	for (n = 1; ; n++) {
		struct panthor_perf_device *device = open_fresh();
		struct panthor_perf_session *session = NULL;
		int ret;

		fake.settings.fail_at = fake.ioctls + n;
		fake.settings.fail_errno = ENOMEM;
		ret = panthor_perf_session_create(device, &config, &session);
		if (!ret) {
			panthor_perf_session_destroy(session);
			panthor_perf_device_close(device);
			break;
		}
		ok = ok && ret == -ENOMEM && !session && !fake.objects && !fake.sessions;
		panthor_perf_device_close(device);
		ok = ok && open_files() == files;
	}
	CHECK(ok && n == 8, "creation fails at each of %u calls, and nothing leaks", n - 1);
}

static void on_alarm(int number)
{
	(void)number;
}

static void test_wait(void)
{
	struct panthor_perf_device *device = open_fresh();
	struct itimerval timer = { .it_value.tv_usec = 30000 };
	struct sigaction action = { .sa_handler = on_alarm };
	struct panthor_perf_session *session = NULL;
	struct panthor_perf_sample sample;

	panthor_perf_session_create(device, &config, &session);
	panthor_perf_session_start(session, 0);
	CHECK(panthor_perf_session_wait(session, 20) == 0, "the time passes");
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	CHECK(panthor_perf_session_wait(session, -1) == -EINTR, "a signal ends the wait");

	fake_publish();
	fake_publish();
	CHECK(panthor_perf_session_read(session, &sample) == 1 &&
	      panthor_perf_session_read(session, &sample) == 1, "reading without waiting");
	CHECK(panthor_perf_session_wait(session, 0) == 0, "their counts are no samples");
	fake_publish();
	fake_unplug();
	CHECK(panthor_perf_session_wait(session, 1000) == 1 &&
	      panthor_perf_session_read(session, &sample) == 1, "the last sample of a lost GPU");
	CHECK(panthor_perf_session_wait(session, 1000) == -ENODEV, "the GPU is gone");
	CHECK(panthor_perf_session_wait(session, -1) == -ENODEV, "and stays so");
	CHECK(panthor_perf_session_stop(session, 0) == -ENODEV, "stop says so too");
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
	fake_reset();
}

static void test_larger(void)
{
	struct panthor_perf_device *device = open_fresh();
	struct panthor_perf_session *session = NULL;
	struct panthor_perf_sample sample;
	struct panthor_perf_block block = { 0 };
	unsigned int blocks = 0;

	fake.settings.sample_header = 112;
	fake.settings.block_header = 16;
	fake.settings.counters = 128;
	fake.settings.unknown_blocks = 2;
	fake.settings.info_size = 120;
	CHECK(!panthor_perf_session_create(device, &config, &session) &&
	      !panthor_perf_session_start(session, 0) && !panthor_perf_session_stop(session, 3) &&
	      panthor_perf_session_read(session, &sample) == 1 && sample.header.user_data == 3,
	      "a session of a later kernel");
	while (panthor_perf_sample_next_block(&sample, &block))
		blocks += block.header.type <= 5 && block.counter_count == 128;
	CHECK(blocks == 8, "its blocks but the unknown ones");
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
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
	test_info();
	test_session();
	test_config();
	test_failures();
	test_wait();
	test_larger();
	CHECK(open_files() == files, "no descriptor is left");
	unlink(node);
	unlink(other);
	return check_failures ? 1 : 0;
}
