/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * For building tests against a libigt.so.0 that comes without its headers, as distributions package
 * it: the names that the tests of this folder use, on top of the library's entry points. In IGT's
 * own tree this file is not wanted, its igt.h is.
 *
 * The entry points have no versions. IGT_TRIED is the library that they were tried with; who
 * links tests to another one has to run them to know.
 */
#ifndef PANTHOR_PERF_COMPAT_IGT_H
#define PANTHOR_PERF_COMPAT_IGT_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define IGT_TRIED	"2.5"

#define DRIVER_VGEM	(1 << 2)
#define DRIVER_PANTHOR	(1 << 11)

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

#ifdef IGT_LOG_DOMAIN
#define IGT_COMPAT_DOMAIN	IGT_LOG_DOMAIN
#else
#define IGT_COMPAT_DOMAIN	NULL
#endif

enum igt_log_level {
	IGT_LOG_DEBUG,
	IGT_LOG_INFO,
	IGT_LOG_WARN,
};

/* Bodies of subtests and of fixtures come back here when they skip or fail. */
extern sigjmp_buf igt_subtest_jmpbuf;
extern __thread int (*igt_ioctl)(int fd, unsigned long request, void *arg);

int igt_subtest_init_parse_opts(int *argc, char **argv, const char *extra_short_opts,
				const void *extra_long_opts, const char *help_str,
				int (*extra_opt_handler)(int opt, int opt_index, void *data),
				void *handler_data);
void igt_exit(void) __attribute__((noreturn));
bool __igt_run_subtest(const char *name, const char *file, int line);
const char *igt_subtest_name(void);
void igt_success(void);
bool __igt_fixture(void);
void __igt_fixture_complete(void);
void __igt_fixture_end(void) __attribute__((noreturn));
void igt_describe_f(const char *format, ...) __attribute__((format(printf, 1, 2)));
void __igt_fail_assert(const char *domain, const char *file, int line, const char *function,
		       const char *assertion, const char *format, ...)
	__attribute__((noreturn, format(printf, 6, 7)));
void __igt_skip_check(const char *file, int line, const char *function, const char *check,
		      const char *format, ...)
	__attribute__((noreturn, format(printf, 5, 6)));
void igt_log(const char *domain, enum igt_log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int drm_open_driver(int chipset);
int drm_close_driver(int fd);
bool __igt_fork(void);
void igt_waitchildren(void);
void igt_drop_root(void);
void igt_emit_ignore_dmesg_regex(const char *regex);
void igt_install_exit_handler(void (*handler)(int sig));

#define IGT_TEST_DESCRIPTION(text)	const char *__igt_test_description = text

#define igt_main() \
	main(int argc, char **argv); \
	static void igt_compat_main(void); \
	int main(int argc, char **argv) \
	{ \
		igt_subtest_init_parse_opts(&argc, argv, NULL, NULL, NULL, NULL, NULL); \
		igt_compat_main(); \
		igt_exit(); \
	} \
	static void igt_compat_main(void)

#define igt_describe(text)	igt_describe_f("%s", text)

#define igt_subtest(name) \
	for (; __igt_run_subtest(name, __FILE__, __LINE__) && \
	       sigsetjmp(igt_subtest_jmpbuf, 1) == 0; igt_success())

#define igt_subtest_f(...) \
	for (char igt_compat_name[128]; \
	     snprintf(igt_compat_name, sizeof(igt_compat_name), __VA_ARGS__), \
	     __igt_run_subtest(igt_compat_name, __FILE__, __LINE__) && \
	     sigsetjmp(igt_subtest_jmpbuf, 1) == 0; igt_success())

#define igt_fixture() \
	for (volatile int igt_compat_once = 0; \
	     igt_compat_once < 1 && __igt_fixture() && \
	     sigsetjmp(igt_subtest_jmpbuf, 1) == 0; \
	     igt_compat_once++, __igt_fixture_complete())

#define igt_fork(child, count) \
	for (int child = 0; child < (count); child++) \
		for (; __igt_fork(); exit(0))

#define igt_info(...)	igt_log(IGT_COMPAT_DOMAIN, IGT_LOG_INFO, __VA_ARGS__)
#define igt_debug(...)	igt_log(IGT_COMPAT_DOMAIN, IGT_LOG_DEBUG, __VA_ARGS__)

#define igt_assert_f(condition, ...) \
	do { \
		if (!(condition)) \
			__igt_fail_assert(IGT_COMPAT_DOMAIN, __FILE__, __LINE__, __func__, \
					  #condition, __VA_ARGS__); \
	} while (0)

#define igt_assert(condition) \
	do { \
		if (!(condition)) \
			__igt_fail_assert(IGT_COMPAT_DOMAIN, __FILE__, __LINE__, __func__, \
					  #condition, NULL); \
	} while (0)

#define igt_compat_cmp(type, format, a, op, b) \
	do { \
		type igt_compat_a = (a), igt_compat_b = (b); \
		igt_assert_f(igt_compat_a op igt_compat_b, \
			     "%s " #op " %s: " format " against " format "\n", #a, #b, \
			     igt_compat_a, igt_compat_b); \
	} while (0)

#define igt_assert_eq(a, b)		igt_compat_cmp(int, "%d", a, ==, b)
#define igt_assert_neq(a, b)		igt_compat_cmp(int, "%d", a, !=, b)
#define igt_assert_lt(a, b)		igt_compat_cmp(int, "%d", a, <, b)
#define igt_assert_lte(a, b)		igt_compat_cmp(int, "%d", a, <=, b)
#define igt_assert_eq_u32(a, b)		igt_compat_cmp(uint32_t, "%#x", a, ==, b)
#define igt_assert_neq_u32(a, b)	igt_compat_cmp(uint32_t, "%#x", a, !=, b)
#define igt_assert_lt_u32(a, b)		igt_compat_cmp(uint32_t, "%#x", a, <, b)
#define igt_assert_lte_u32(a, b)	igt_compat_cmp(uint32_t, "%#x", a, <=, b)
#define igt_assert_eq_u64(a, b)		igt_compat_cmp(uint64_t, "%#" PRIx64, a, ==, b)
#define igt_assert_neq_u64(a, b)	igt_compat_cmp(uint64_t, "%#" PRIx64, a, !=, b)
#define igt_assert_lt_u64(a, b)		igt_compat_cmp(uint64_t, "%#" PRIx64, a, <, b)
#define igt_assert_lte_u64(a, b)	igt_compat_cmp(uint64_t, "%#" PRIx64, a, <=, b)
#define igt_assert_fd(fd)		igt_assert_f((fd) >= 0, "file descriptor " #fd "\n")

#define igt_require(condition) \
	do { \
		if (!(condition)) \
			__igt_skip_check(__FILE__, __LINE__, __func__, #condition, NULL); \
	} while (0)

#define igt_require_f(condition, ...) \
	do { \
		if (!(condition)) \
			__igt_skip_check(__FILE__, __LINE__, __func__, #condition, __VA_ARGS__); \
	} while (0)

#define do_ioctl(fd, request, arg) \
	do { \
		igt_assert_eq(igt_ioctl((fd), (request), (arg)), 0); \
		errno = 0; \
	} while (0)

#define do_ioctl_err(fd, request, arg, error) \
	do { \
		igt_assert_eq(igt_ioctl((fd), (request), (arg)), -1); \
		igt_assert_eq(errno, (error)); \
		errno = 0; \
	} while (0)

#endif
