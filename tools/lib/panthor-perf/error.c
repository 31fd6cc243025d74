// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

void panthor_perf_library_version(unsigned int *major, unsigned int *minor)
{
	if (major)
		*major = PANTHOR_PERF_LIBRARY_MAJOR;
	if (minor)
		*minor = PANTHOR_PERF_LIBRARY_MINOR;
}

/* One that was zeroed only is of the first version. A smaller one is not initialised. */
static bool is_usable(const struct panthor_perf_error *error)
{
	return error && (!error->size || error->size >= ERROR_FIRST_SIZE);
}

void panthor_perf_unused(const unsigned int *users, const char *what)
{
#ifdef PANTHOR_PERF_DEBUG
	const unsigned int count = __atomic_load_n(users, __ATOMIC_RELAXED);

	if (!count)
		return;
	fprintf(stderr, "libpanthor-perf: a %s is destroyed that %u objects need\n", what, count);
	abort();
#else
	(void)users;
	(void)what;
#endif
}

int panthor_perf_fail_at(struct panthor_perf_error *error, int code, const char *file,
			 unsigned int line, unsigned int column, const char *format, ...)
{
	va_list args;

	if (!is_usable(error))
		return code;
	error->code = code;
	error->line = line;
	error->column = column;
	snprintf(error->file, sizeof(error->file), "%s", file ? file : "");
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return code;
}

int panthor_perf_fail_errno(struct panthor_perf_error *error, int code, const char *what)
{
	return panthor_perf_fail(error, code, "%s: %s", what, strerror(-code));
}

int panthor_perf_fail_memory(struct panthor_perf_error *error)
{
	return panthor_perf_fail(error, -ENOMEM, "out of memory");
}

const char *panthor_perf_error_format(const struct panthor_perf_error *error, char *text,
				      size_t size)
{
	char place[32] = "";

	if (error->line && error->column)
		snprintf(place, sizeof(place), "%u:%u", error->line, error->column);
	else if (error->line)
		snprintf(place, sizeof(place), "%u", error->line);
	snprintf(text, size, "%s%s%s%s%s", error->file, *error->file && *place ? ":" : "", place,
		 *error->file || *place ? ": " : "", error->text);
	return text;
}
