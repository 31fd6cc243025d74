// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The panthor-perf developers

/*
 * The entry points of libigt that the tests of this folder use, for machines without a libigt: the
 * same command line and the same exit codes. Every run says that this is not the real one.
 *
 *	--list-subtests, --describe[=NAME], --run-subtest NAME[,NAME...] with * and ?
 *
 * Exit codes: 0 all passed, 77 all skipped, 98 one failed, 79 no such subtest.
 */
#include <dirent.h>
#include <fnmatch.h>
#include <grp.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <drm.h>

#include "igt.h"
#include "igt_syncobj.h"

#define EXIT_SKIP	77
#define EXIT_UNKNOWN	79
#define EXIT_FAIL	98
#define MAX_CHILDREN	256
#define MAX_HANDLERS	8

static int call_ioctl(int fd, unsigned long request, void *arg);

sigjmp_buf igt_subtest_jmpbuf;
__thread int (*igt_ioctl)(int fd, unsigned long request, void *arg) = call_ioctl;
extern const char *__igt_test_description __attribute__((weak));

static struct {
	bool list, describe;
	const char *wanted;
	char description[512];
	const char *subtest;
	bool in_fixture, fixture_failed, fixture_skipped, in_child;
	struct timespec start;
	unsigned int passed, skipped, failed, matched;
	pid_t children[MAX_CHILDREN];
	unsigned int child_count;
	void (*handlers[MAX_HANDLERS])(int sig);
	unsigned int handler_count;
} state;

static int call_ioctl(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret == -1 && (errno == EINTR || errno == EAGAIN));
	return ret;
}

static void call_handlers(void)
{
	if (!state.in_child)
		while (state.handler_count)
			state.handlers[--state.handler_count](0);
}

int igt_subtest_init_parse_opts(int *argc, char **argv, const char *extra_short_opts,
				const void *extra_long_opts, const char *help_str,
				int (*extra_opt_handler)(int opt, int opt_index, void *data),
				void *handler_data)
{
	for (int i = 1; i < *argc; i++) {
		if (!strcmp(argv[i], "--list-subtests")) {
			state.list = true;
		} else if (!strncmp(argv[i], "--describe", 10)) {
			state.describe = true;
			state.wanted = argv[i][10] == '=' ? argv[i] + 11 : NULL;
		} else if (!strcmp(argv[i], "--run-subtest") && i + 1 < *argc) {
			state.wanted = argv[++i];
		} else {
			fprintf(stderr, "usage: %s [--list-subtests | --describe[=NAME] | "
				"--run-subtest NAME]\n", argv[0]);
			exit(2);
		}
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (state.describe && !state.wanted && &__igt_test_description)
		printf("%s\n\n", __igt_test_description);
	if (!state.list && !state.describe)
		printf("Small harness of panthor-perf, not libigt\n");
	atexit(call_handlers);
	return 0;
}

void igt_exit(void)
{
	if (state.list || state.describe)
		exit(state.wanted && !state.matched ? EXIT_UNKNOWN : 0);
	if (!state.matched && state.wanted)
		exit(EXIT_UNKNOWN);
	if (state.failed)
		exit(EXIT_FAIL);
	exit(state.passed || !state.skipped ? 0 : EXIT_SKIP);
}

static bool wanted(const char *name)
{
	char list[512], *rest = list, *pattern;

	if (!state.wanted)
		return true;
	snprintf(list, sizeof(list), "%s", state.wanted);
	while ((pattern = strsep(&rest, ",")))
		if (!fnmatch(pattern, name, 0))
			return true;
	return false;
}

static void end_subtest(const char *result)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("Subtest %s: %s (%.3fs)\n", state.subtest, result,
	       now.tv_sec - state.start.tv_sec + (now.tv_nsec - state.start.tv_nsec) / 1e9);
	fflush(stdout);
	state.subtest = NULL;
}

static void kill_children(void)
{
	for (unsigned int i = 0; i < state.child_count; i++)
		kill(state.children[i], SIGKILL);
	while (state.child_count)
		waitpid(state.children[--state.child_count], NULL, 0);
}

/* Whoever reads the kernel's log has to know. */
static void say_kernel(const char *format, ...)
{
	FILE *file = fopen("/dev/kmsg", "we");
	va_list args;

	if (!file)
		return;
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	fclose(file);
}

bool __igt_run_subtest(const char *name, const char *file, int line)
{
	char description[sizeof(state.description)];

	memcpy(description, state.description, sizeof(description));
	state.description[0] = 0;
	if (!wanted(name))
		return false;
	state.matched++;
	if (state.list) {
		printf("%s\n", name);
		return false;
	}
	if (state.describe) {
		printf("SUB %s %s:%d:\n  %s\n\n", name, file, line, description);
		return false;
	}
	state.subtest = name;
	clock_gettime(CLOCK_MONOTONIC, &state.start);
	say_kernel("<6>[IGT] %s: starting subtest %s", program_invocation_short_name, name);
	printf("Starting subtest: %s\n", name);
	fflush(stdout);
	if (state.fixture_failed || state.fixture_skipped) {
		*(state.fixture_failed ? &state.failed : &state.skipped) += 1;
		end_subtest(state.fixture_failed ? "FAIL" : "SKIP");
		return false;
	}
	return true;
}

const char *igt_subtest_name(void)
{
	return state.subtest ?: "";
}

void igt_success(void)
{
	state.passed++;
	end_subtest("SUCCESS");
	siglongjmp(igt_subtest_jmpbuf, 1);
}

bool __igt_fixture(void)
{
	if (state.list || state.describe || state.fixture_failed || state.fixture_skipped)
		return false;
	state.in_fixture = true;
	return true;
}

void __igt_fixture_complete(void)
{
	state.in_fixture = false;
}

void igt_describe_f(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(state.description, sizeof(state.description), format, args);
	va_end(args);
}

/* Out of the body of the subtest or fixture. */
static void __attribute__((noreturn)) leave(bool failed)
{
	fflush(stdout);
	if (state.in_child)
		_exit(failed ? EXIT_FAIL : EXIT_SKIP);
	kill_children();
	if (state.in_fixture) {
		state.in_fixture = false;
		*(failed ? &state.fixture_failed : &state.fixture_skipped) = true;
	} else {
		*(failed ? &state.failed : &state.skipped) += 1;
		end_subtest(failed ? "FAIL" : "SKIP");
	}
	siglongjmp(igt_subtest_jmpbuf, 1);
}

void __igt_fail_assert(const char *domain, const char *file, int line, const char *function,
		       const char *assertion, const char *format, ...)
{
	va_list args;

	printf("Test assertion failure function %s, file %s:%d:\nFailed assertion: %s\n", function,
	       file, line, assertion);
	if (errno)
		printf("Last errno: %d, %s\n", errno, strerror(errno));
	if (format) {
		va_start(args, format);
		vprintf(format, args);
		va_end(args);
	}
	leave(true);
}

void __igt_skip_check(const char *file, int line, const char *function, const char *check,
		      const char *format, ...)
{
	va_list args;

	printf("Test requirement not met in function %s, file %s:%d:\nTest requirement: %s\n",
	       function, file, line, check);
	if (format) {
		va_start(args, format);
		vprintf(format, args);
		va_end(args);
	}
	leave(false);
}

void igt_log(const char *domain, enum igt_log_level level, const char *format, ...)
{
	va_list args;

	if (level == IGT_LOG_DEBUG)
		return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
}

/* The first device of this driver; of render nodes, which every test here is content with. */
int drm_open_driver(int chipset)
{
	const char *driver = chipset == DRIVER_VGEM ? "vgem" : "panthor";
	/* Dumb buffers are not for render nodes. */
	const char *node = chipset == DRIVER_VGEM ? "card" : "renderD";
	struct drm_version version = { 0 };
	char path[64], name[32];
	int fd;

	for (int minor = 0; minor < 192; minor++) {
		snprintf(path, sizeof(path), "/dev/dri/%s%d", node, minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		memset(name, 0, sizeof(name));
		version.name = name;
		version.name_len = sizeof(name) - 1;
		if (!ioctl(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, driver))
			return fd;
		close(fd);
	}
	__igt_skip_check(__FILE__, __LINE__, __func__, "fd >= 0", "no device of %s\n", driver);
}

int drm_close_driver(int fd)
{
	return close(fd);
}

bool __igt_fork(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid < 0 || state.child_count == MAX_CHILDREN)
		__igt_fail_assert(NULL, __FILE__, __LINE__, __func__, "fork()", NULL);
	if (!pid) {
		state.in_child = true;
		state.child_count = 0;
		return true;
	}
	state.children[state.child_count++] = pid;
	return false;
}

void igt_waitchildren(void)
{
	int bad = 0;

	while (state.child_count) {
		int status = 0;

		waitpid(state.children[--state.child_count], &status, 0);
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			bad++;
	}
	if (bad)
		__igt_fail_assert(NULL, __FILE__, __LINE__, __func__, "all children succeeded",
				  "%d did not\n", bad);
}

void igt_drop_root(void)
{
	if (setgroups(0, NULL) || setgid(2) || setuid(2))
		__igt_fail_assert(NULL, __FILE__, __LINE__, __func__, "root is dropped", NULL);
}

void igt_emit_ignore_dmesg_regex(const char *regex)
{
	say_kernel("<5>[IGT] add ignored dmesg regex: %s", regex);
}

void igt_install_exit_handler(void (*handler)(int sig))
{
	for (unsigned int i = 0; i < state.handler_count; i++)
		if (state.handlers[i] == handler)
			return;
	if (state.handler_count < MAX_HANDLERS)
		state.handlers[state.handler_count++] = handler;
}

uint32_t syncobj_create(int fd, uint32_t flags)
{
	struct drm_syncobj_create create = { .flags = flags };

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create);
	return create.handle;
}

void syncobj_destroy(int fd, uint32_t handle)
{
	struct drm_syncobj_destroy destroy = { .handle = handle };

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

int syncobj_handle_to_fd(int fd, uint32_t handle, uint32_t flags)
{
	struct drm_syncobj_handle args = { .handle = handle, .flags = flags, .fd = -1 };

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &args);
	return args.fd;
}

uint32_t syncobj_fd_to_handle(int fd, int syncobj_fd, uint32_t flags)
{
	struct drm_syncobj_handle args = { .fd = syncobj_fd, .flags = flags };

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &args);
	return args.handle;
}

void syncobj_import_sync_file(int fd, uint32_t handle, int sync_file)
{
	struct drm_syncobj_handle args = {
		.handle = handle,
		.fd = sync_file,
		.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
	};

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &args);
}

void syncobj_reset(int fd, uint32_t *handles, uint32_t count)
{
	struct drm_syncobj_array array = {
		.handles = (uintptr_t)handles,
		.count_handles = count,
	};

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_RESET, &array);
}

void syncobj_signal(int fd, uint32_t *handles, uint32_t count)
{
	struct drm_syncobj_array array = {
		.handles = (uintptr_t)handles,
		.count_handles = count,
	};

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &array);
}

void syncobj_timeline_signal(int fd, uint32_t *handles, uint64_t *points, uint32_t count)
{
	struct drm_syncobj_timeline_array array = {
		.handles = (uintptr_t)handles,
		.points = (uintptr_t)points,
		.count_handles = count,
	};

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &array);
}

void syncobj_binary_to_timeline(int fd, uint32_t timeline_handle, uint64_t point,
				uint32_t binary_handle)
{
	struct drm_syncobj_transfer transfer = {
		.src_handle = binary_handle,
		.dst_handle = timeline_handle,
		.dst_point = point,
	};

	do_ioctl(fd, DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer);
}
