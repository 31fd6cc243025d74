// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Any XML is a table of the GPU, or an error that says why not. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd.h"
#include "database/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What it says to a user is not looked at here. */
void note_that(const char *format, ...)
{
	(void)format;
}

static void require(bool condition)
{
	if (!condition)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char path[32], *note;
	int ret, fd;

	fd = memfd_create("xml-fuzz", 0);
	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = xml_load(path, 0xa8670000, &table, &note, &error);
	if (ret)
		require(!table && !note && *error.text);
	else
		require(panthor_perf_table_product(table, 0xa8670000, 0));
	free(note);
	panthor_perf_table_destroy(table);
	close(fd);
	return 0;
}
