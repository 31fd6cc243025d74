// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdarg.h>
#include <stdio.h>

#include "defects.h"

#define MAX_SHOWN	20

static size_t defects;
static const char *place;

void defects_begin(const char *where)
{
	defects = 0;
	place = where;
}

void check(bool good, const char *format, ...)
{
	va_list args;

	if (good)
		return;
	if (++defects > MAX_SHOWN)
		return;
	printf("%sdefect: ", place);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

size_t defects_end(void)
{
	if (defects > MAX_SHOWN)
		printf("%sdefect: %zu more\n", place, defects - MAX_SHOWN);
	return defects;
}
