// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * perf-clocks CLOCK FILE HZ: write the rate to the file, and print "CLOCK HZ BEFORE AFTER": the times in
 * ns of CLOCK_MONOTONIC_RAW between which it was changed.
 */
#include "clocks.h"
#include "perf.h"

int main(int argc, char **argv)
{
	uint64_t before, after;
	ssize_t written;
	int fd;

	if (argc != 4) {
		fprintf(stderr, "usage: perf-clocks CLOCK FILE HZ\n");
		return 2;
	}
	fd = open(argv[2], O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		die(argv[2]);
	before = raw_ns();
	written = write(fd, argv[3], strlen(argv[3]));
	after = raw_ns();
	if (written != (ssize_t)strlen(argv[3]))
		die(argv[2]);
	printf("%s %s %llu %llu\n", argv[1], argv[3], (unsigned long long)before,
	       (unsigned long long)after);
	return 0;
}
