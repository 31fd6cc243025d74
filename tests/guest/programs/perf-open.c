// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-open EVENTS SECONDS [LONGEST]
 *
 * Opens as many events of the GPU, a counter each in turn, enables them and reads one after another
 * for as many seconds. Prints the number of reads. No value may fall. LONGEST is the file with the
 * longest time that a tracer has seen: perf-open prints that until the first read, and that of the reads.
 */

#include <sys/resource.h>
#include <time.h>

#include "access.h"

#define MAX_EVENTS	4096

static const uint8_t counters[] = { 4, 6, 16, 24, 32 };

static uint64_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* perf enables an event by scheduling all of its CPU again: that is not the time of a read. */
static void print_longest(const char *file, const char *what)
{
	char text[32] = "";
	int fd = open(file, O_RDWR);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 1 || pwrite(fd, "0", 1, 0) != 1)
		die("LONGEST");
	close(fd);
	text[strcspn(text, "\n")] = 0;
	printf("# %s: at most %s us\n", what, text);
}

int main(int argc, char **argv)
{
	const struct rlimit files = { 2 * MAX_EVENTS, 2 * MAX_EVENTS };
	const int events = argc == 3 || argc == 4 ? atoi(argv[1]) : 0;
	static uint64_t values[MAX_EVENTS];
	static int fds[MAX_EVENTS];
	unsigned long reads = 0, fallen = 0;
	uint64_t end;

	if (events < 1 || events > MAX_EVENTS)
		die("usage: perf-open EVENTS SECONDS [LONGEST]");
	if (setrlimit(RLIMIT_NOFILE, &files))
		die("RLIMIT_NOFILE");

	for (int i = 0; i < events; i++) {
		struct perf_event_attr attr = event_attr(PRIMARY);

		attr.config = DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW |
			      counters[i % ARRAY_SIZE(counters)] << 8;
		/* Events that are enabled would be scheduled again with each new one. */
		attr.disabled = 1;
		fds[i] = open_event(&attr, -1, 0, -1, 0);
		if (fds[i] < 0)
			die("perf_event_open");
	}
	for (int i = 0; i < events; i++) {
		if (ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0))
			die("PERF_EVENT_IOC_ENABLE");
	}

	if (argc == 4)
		print_longest(argv[3], "opening and enabling");
	end = seconds_now() + atoi(argv[2]);
	for (int i = 0; seconds_now() < end; i = (i + 1) % events, reads++) {
		uint64_t value;

		if (read(fds[i], &value, sizeof(value)) != sizeof(value))
			die("read");
		fallen += value < values[i];
		values[i] = value;
	}
	if (argc == 4)
		print_longest(argv[3], "reading");
	printf("# %d events are open, %lu reads\n", events, reads);
	check_eq("values that fell", fallen, 0);
	check(reads >= (unsigned long)events, "each of %d events is read", events);
	return 0;
}
