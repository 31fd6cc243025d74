// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-pmu TOTALS READS [OPENS|age]
 *
 * The perf PMU of the GPU, by perf_event_open(2) alone: its files in sysfs, events that it must refuse, and a group
 * of counters of all types of blocks that is read READS times. TOTALS gets what each read adds, for
 * tests/compare/check-totals.py. Then an event is opened and closed OPENS times, as the only one and beside another.
 * With "age", TOTALS gets the times of the reads, too.
 */

#include <linux/perf_event.h>
#include <sys/syscall.h>

#include "clocks.h"
#include "perf.h"

#define PMUS		"/sys/bus/event_source/devices/panthor_*"
#define PAUSE_US	5000
#define FIRST		4
#define PER_TYPE	4
#define TYPES		5
#define COUNTERS	(TYPES * PER_TYPE)

static char folder[256];
static uint32_t type_of_pmu;
static int cpu_of_pmu;

static bool read_file(const char *name, char *text, size_t size)
{
	char path[512];
	FILE *file;
	bool done;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	if (!file)
		return false;
	done = fgets(text, size, file);
	fclose(file);
	text[strcspn(text, "\n")] = 0;
	return done;
}

static void find_pmu(void)
{
	char text[64];
	glob_t found;

	if (glob(PMUS, 0, NULL, &found) || found.gl_pathc != 1)
		die("one PMU");
	snprintf(folder, sizeof(folder), "%s", found.gl_pathv[0]);
	if (!read_file("type", text, sizeof(text)))
		die("its type");
	type_of_pmu = strtoul(text, NULL, 0);
	if (!read_file("cpumask", text, sizeof(text)))
		die("its cpumask");
	cpu_of_pmu = strtoul(text, NULL, 0);
	check(true, "PMU %s", strrchr(folder, '/') + 1);
}

static const struct perf_event_attr valid = {
	.size = sizeof(valid),
	.read_format = PERF_FORMAT_GROUP,
};

static struct perf_event_attr event(uint32_t block, uint32_t counter, uint64_t instances)
{
	struct perf_event_attr attr = valid;

	attr.type = type_of_pmu;
	attr.config = block | counter << 8;
	attr.config1 = instances;
	return attr;
}

static int open_event(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
}

static void refused(const char *what, struct perf_event_attr attr, pid_t pid, int cpu, int want)
{
	int fd = open_event(&attr, pid, cpu, -1);

	check(fd < 0 && errno == want, "%s: %s", what, fd < 0 ? errno_name(errno) : "accepted");
	if (fd >= 0)
		close(fd);
}

static void check_refusals(void)
{
	struct perf_event_attr attr = event(2, FIRST, 0);
	int fd, other;

	refused("a process", attr, 0, -1, EINVAL);
	refused("a process on a CPU", attr, 0, cpu_of_pmu, EINVAL);
	attr.sample_period = 1000;
	refused("sampling", attr, -1, cpu_of_pmu, EINVAL);
	attr = event(2, FIRST, 0);
	attr.exclude_user = 1;
	refused("without user space", attr, -1, cpu_of_pmu, EINVAL);
	refused("no clock", event(0, 3, 0), -1, cpu_of_pmu, EINVAL);
	refused("before the first capacity", event(0, 15, 0), -1, cpu_of_pmu, EINVAL);
	refused("the capacity of absent blocks", event(0, 19, 0), -1, cpu_of_pmu, EINVAL);
	refused("behind the last capacity", event(0, 20, 0), -1, cpu_of_pmu, EINVAL);
	refused("instances of a capacity", event(0, 16, 1), -1, cpu_of_pmu, EINVAL);
	refused("an absent block type", event(6, FIRST, 0), -1, cpu_of_pmu, EINVAL);
	refused("block type 255", event(255, FIRST, 0), -1, cpu_of_pmu, EINVAL);
	refused("a word of the header", event(2, FIRST - 1, 0), -1, cpu_of_pmu, EINVAL);
	refused("a counter behind the last", event(2, 64, 0), -1, cpu_of_pmu, EINVAL);
	refused("an absent instance", event(2, FIRST, 2), -1, cpu_of_pmu, EINVAL);
	attr = event(2, FIRST, 0);
	attr.config |= 3 << 16;
	refused("set 3", attr, -1, cpu_of_pmu, EINVAL);
	attr = event(3, FIRST, 0);
	attr.config |= 1 << 16;
	refused("the tiler in the secondary set", attr, -1, cpu_of_pmu, EINVAL);
	attr = event(4, FIRST, 0);
	attr.config |= 2 << 16;
	refused("the L2 cache in the tertiary set", attr, -1, cpu_of_pmu, EINVAL);
	attr = event(2, FIRST, 0);
	attr.config |= 1ull << 18;
	refused("an unknown bit", attr, -1, cpu_of_pmu, EINVAL);
	attr = event(2, FIRST, 0);
	attr.config2 = 1;
	refused("config2", attr, -1, cpu_of_pmu, EINVAL);

	attr = event(2, FIRST, 0);
	fd = open_event(&attr, -1, cpu_of_pmu, -1);
	attr.config |= 1 << 16;
	other = open_event(&attr, -1, cpu_of_pmu, -1);
	check(fd >= 0 && other < 0 && errno == EBUSY, "another set: %s", errno_name(errno));
	close(fd);
}

/* Now, in us. The time stamps of the virtual GPU are those of the system's counter. */
static double gpu_time_us(void)
{
	uint64_t frequency;

	asm("mrs %0, cntfrq_el0" : "=r" (frequency));
	return ticks() * 1e6 / frequency;
}

static void read_group(const char *path, int reads, bool age)
{
	static const char *const names[] = { "", "fw", "cshw", "tiler", "memsys", "shader" };
	struct {
		uint64_t count;
		uint64_t values[COUNTERS];
	} before = { .count = COUNTERS }, now;
	int changes = 0;
	int fds[COUNTERS];
	FILE *file = fopen(path, "we");

	if (!file)
		die(path);
	for (int i = 0; i < COUNTERS; i++) {
		struct perf_event_attr attr = event(1 + i / PER_TYPE,
						    FIRST + 3 * (i % PER_TYPE), 0);

		/* All of them begin with the first one. */
		attr.disabled = !i;
		fds[i] = open_event(&attr, -1, cpu_of_pmu, i ? fds[0] : -1);
		if (fds[i] < 0)
			die("opening an event");
	}
	if (ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0))
		die("enabling the group");
	for (int n = 0; n < reads; n++) {
		usleep(PAUSE_US);
		if (read(fds[0], &now, sizeof(now)) != sizeof(now) || now.count != COUNTERS)
			die("reading the group");
		if (memcmp(&now, &before, sizeof(now))) {
			fprintf(file, "\n");
			for (int i = 0; i < COUNTERS; i++)
				fprintf(file, "%s * %d %llu\n", names[1 + i / PER_TYPE],
					FIRST + 3 * (i % PER_TYPE),
					(unsigned long long)(now.values[i] - before.values[i]));
			before = now;
			changes++;
		}
		if (age && changes)
			fprintf(file, "read %.0f\n", gpu_time_us());
	}
	for (int i = COUNTERS - 1; i >= 0; i--)
		close(fds[i]);
	fclose(file);
	printf("# the front end has counted %llu\n", (unsigned long long)now.values[PER_TYPE]);
}

/* The counters begin and end to run with each event that is the only one. */
static void open_and_close(int opens)
{
	struct perf_event_attr attr = event(2, FIRST, 0);
	int other = -1, failed = 0;

	for (int i = 0; i < opens; i++) {
		int fd;

		if (i == opens / 10)
			other = open_event(&attr, -1, cpu_of_pmu, -1);
		fd = open_event(&attr, -1, cpu_of_pmu, -1);
		failed += fd < 0;
		if (fd >= 0)
			close(fd);
	}
	check(!failed && other >= 0, "an event is opened %d times: %d failures", opens, failed);
	close(other);
}

int main(int argc, char **argv)
{
	const bool age = argc == 4 && !strcmp(argv[3], "age");

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: perf-pmu TOTALS READS [OPENS|age]\n");
		return 2;
	}
	find_pmu();
	check_refusals();
	read_group(argv[1], atoi(argv[2]), age);
	if (argc == 4 && !age)
		open_and_close(atoi(argv[3]));
	return 0;
}
