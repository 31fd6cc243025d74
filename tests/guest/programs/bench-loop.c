// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What signals, samples and calls cost, for scripts/bench.py, which makes ratios of it. The kernel's module
 * null-loop is the control: the same timer, worker and eventfds with nothing to sample.
 *
 *	run null|perf SESSIONS PERIOD_NS POINTS [WAKEUP]
 *			so many sessions until so many periods have passed, whose eventfds count once in
 *			WAKEUP samples: prints "SIGNALLED MERGED CPU_NS ELAPSED_NS WOKEN", CPU_NS being
 *			the time that all tasks of the machine ran, WOKEN how often the reader woke up
 *	rate null|perf SESSIONS
 *			the shortest period that has no merge: prints "PERIOD_NS"
 *	sample COUNT	prints "NS" from a SAMPLE to its eventfd, in the mean
 *	query COUNT	prints "NS" of a DEV_QUERY for sizes, in the mean
 *	cpu COMMAND...	prints "CPU_NS ELAPSED_NS" of a command, whose output is dropped
 *	memory SESSIONS	prints "BYTES" of the kernel's memory that a session costs when so many are set
 *			up, beside its client's ring, indices, eventfd and file
 */
#include <dirent.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../modules/null-loop.h"
#include "perf.h"

#define PER_FILE	16
#define MOST		64
#define SLOTS		32

/*
 * A period stands the test if one of so many runs has no merge. The host keeps the machine waiting for
 * milliseconds once in a while: what is looked for is what the loop can do in between, so that runs of all
 * periods last as long, but for some points at least.
 */
#define RATE_TRIES	10
#define RATE_NS		40000000
#define RATE_POINTS	20
#define RATE_LONGEST_NS	10000000
#define RATE_STEP	80	/* % */

/**
 * struct client - a session or its counterpart in the null loop
 */
struct client {
	/** @session: The session; of the null loop the file and the eventfd alone. */
	struct session session;

	/** @extract: Samples that were read. */
	uint64_t extract;

	/** @signalled: Samples or counts of the null loop, up to now. */
	uint64_t signalled;

	/** @merged: Periods beyond the first of each. */
	uint64_t merged;
};

static struct client clients[MOST];

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* The time that the tasks of a process ran. */
static uint64_t tasks_ns(const char *process)
{
	unsigned long long sum = 0, ran;
	struct dirent *task;
	char path[600];
	FILE *file;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%s/task", process);
	tasks = opendir(path);
	while (tasks && (task = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/%s/task/%s/schedstat", process, task->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fscanf(file, "%llu", &ran) == 1)
			sum += ran;
		fclose(file);
	}
	if (tasks)
		closedir(tasks);
	return sum;
}

/* The time that all tasks but those of this process and of those that have ended ran. */
static uint64_t others_ns(void)
{
	DIR *processes = opendir("/proc");
	struct dirent *process;
	uint64_t sum = 0;

	if (!processes)
		die("/proc");
	while ((process = readdir(processes)))
		if (process->d_name[0] >= '0' && process->d_name[0] <= '9' &&
		    atoi(process->d_name) != getpid())
			sum += tasks_ns(process->d_name);
	closedir(processes);
	if (!sum)
		die("/proc/PID/task/TID/schedstat");
	return sum;
}

static uint64_t own_ns(void)
{
	struct timespec ran;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ran);
	return ran.tv_sec * 1000000000ull + ran.tv_nsec;
}

/**
 * struct cpu - the time that the tasks of the machine ran
 */
struct cpu {
	/** @others: All but this process, in ns. */
	uint64_t others;

	/** @own: This process, without its readings of @others, in ns. */
	uint64_t own;
};

static struct cpu cpu_begin(void)
{
	struct cpu begin = { .others = others_ns() };

	begin.own = own_ns();
	return begin;
}

static uint64_t cpu_end(struct cpu begin)
{
	uint64_t own = own_ns() - begin.own;

	return own + others_ns() - begin.others;
}

/* The same of a command, which is waited for: its own time is known when it has ended. */
static int cpu_of_command(char **argv)
{
	struct cpu begin = cpu_begin();
	uint64_t started = now_ns(), elapsed, cpu;
	struct rusage usage;
	int status;
	pid_t pid;

	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		int out = open("/dev/null", O_WRONLY);

		dup2(out, 1);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) != pid)
		die("wait4");
	elapsed = now_ns() - started;
	cpu = cpu_end(begin);
	cpu += (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000ull;
	cpu += (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000ull;
	printf("%llu %llu\n", (unsigned long long)cpu, (unsigned long long)elapsed);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void set_up(struct client *client)
{
	errno = session_setup(&client->session);
	if (errno)
		die("SETUP");
}

/* All that sessions need, and of the null loop all that there is. */
static void prepare(bool perf, unsigned int count, uint64_t period_ns, uint32_t wakeup)
{
	int fd = -1;

	for (unsigned int i = 0; i < count; i++) {
		struct client *client = &clients[i];

		memset(client, 0, sizeof(*client));
		if (!perf) {
			client->session.fd = open("/dev/null-loop", O_RDWR | O_CLOEXEC);
			client->session.eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
			if (client->session.fd < 0 || client->session.eventfd < 0)
				die("/dev/null-loop");
			continue;
		}
		if (i % PER_FILE == 0)
			fd = open_gpu();
		session_prepare(&client->session, fd, SLOTS);
		client->session.setup.sample_period_ns = period_ns;
		client->session.setup.flags = wakeup ? DRM_PANTHOR_PERF_SETUP_WAKEUP : 0;
		client->session.setup.wakeup_samples = wakeup;
	}
}

static void release(bool perf, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct session *session = &clients[i].session;

		close(session->eventfd);
		if (perf) {
			munmap(session->ring.map, session->ring.size);
			munmap(session->control.map, session->control.size);
		}
		if (!perf || i % PER_FILE == 0)
			close(session->fd);
	}
}

static void start(bool perf, struct client *client, uint64_t period_ns)
{
	struct null_loop_start start = {
		.period_ns = period_ns,
		.eventfd = client->session.eventfd,
	};

	errno = perf ? session_start(&client->session, 0) :
		       perf_call(client->session.fd, NULL_LOOP_START, &start);
	if (errno)
		die("START");
}

/* Look at the samples that came, no more than a program must. */
static void consume(bool perf, struct client *client)
{
	uint64_t insert;

	(void)session_signals(&client->session);
	if (!perf)
		return;

	insert = session_insert(&client->session);
	for (; client->extract != insert; client->extract++) {
		client->signalled++;
		client->merged += session_slot(&client->session, client->extract)->merged;
	}
	session_consume(&client->session, insert);
}

/* Of those whose rings would be full otherwise before it is their turn. */
static void consume_from(bool perf, unsigned int first, unsigned int count)
{
	for (unsigned int i = first; perf && i < count; i++)
		consume(perf, &clients[i]);
}

static void stop(bool perf, struct client *client)
{
	struct null_loop_told told;

	if (!perf) {
		errno = perf_call(client->session.fd, NULL_LOOP_STOP, &told);
		if (errno)
			die("STOP");
		return;
	}

	consume(perf, client);
	errno = session_stop(&client->session, 0);
	if (errno)
		die("STOP");
	if (!session_wait(&client->session, client->extract + 1, WAIT_MS))
		die("the final sample");
	consume(perf, client);
}

/**
 * struct sums - what was signalled up to some time
 */
struct sums {
	/** @signalled: Samples, or counts of the null loop. */
	uint64_t signalled;

	/** @merged: Periods beyond the first of each. */
	uint64_t merged;
};

static struct sums look_at_all(bool perf, unsigned int count)
{
	struct sums sums = { 0 };

	for (unsigned int i = 0; i < count; i++) {
		struct client *client = &clients[i];
		struct null_loop_told told;

		consume(perf, client);
		if (!perf) {
			errno = perf_call(client->session.fd, NULL_LOOP_TELL, &told);
			if (errno)
				die("TELL");
			client->signalled = told.signalled;
			client->merged = told.merged;
		}
		sums.signalled += client->signalled;
		sums.merged += client->merged;
	}
	return sums;
}

/**
 * struct cost - what samples cost
 */
struct cost {
	/** @signalled: Samples, or counts of the null loop. */
	uint64_t signalled;

	/** @cpu_ns: Time that the tasks of the machine ran, in ns. */
	uint64_t cpu_ns;

	/** @elapsed_ns: Time that passed, in ns. */
	uint64_t elapsed_ns;

	/** @woken: Times that the reader had something to look at. */
	uint64_t woken;
};

/* Wake up as a reader does until @end. Returns how often. */
static uint64_t read_until(bool perf, int epoll, uint64_t end)
{
	uint64_t woken = 0;

	while (now_ns() < end) {
		struct epoll_event events[MOST];
		int ready = epoll_wait(epoll, events, MOST, 100);

		woken += ready > 0;
		for (int i = 0; i < ready; i++)
			consume(perf, &clients[events[i].data.u32]);
	}
	return woken;
}

/* Start all. Rings do not fill up while it takes its time. */
static int start_all(bool perf, unsigned int count, uint64_t period_ns, uint32_t wakeup)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	prepare(perf, count, period_ns, wakeup);
	for (unsigned int i = 0; i < count; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };

		if (perf)
			set_up(&clients[i]);
		if (epoll_ctl(epoll, EPOLL_CTL_ADD, clients[i].session.eventfd, &event))
			die("epoll");
	}
	for (unsigned int i = 0; i < count; i++) {
		start(perf, &clients[i], period_ns);
		consume_from(perf, 0, i);
	}
	read_until(perf, epoll, now_ns() + SLOTS * period_ns);
	return epoll;
}

static void stop_all(bool perf, unsigned int count, int epoll)
{
	for (unsigned int i = 0; i < count; i++) {
		stop(perf, &clients[i]);
		consume_from(perf, i + 1, count);
	}
	release(perf, count);
	close(epoll);
}

/*
 * Run for so many periods; returns the merged ones of all. How sessions start and end does not count. @cost
 * may be NULL: to look at all tasks takes longer than a ring lasts with a short period.
 */
static uint64_t run(bool perf, unsigned int count, uint64_t period_ns, uint64_t points,
		    uint32_t wakeup, struct cost *cost)
{
	int epoll = start_all(perf, count, period_ns, wakeup);
	struct sums before = look_at_all(perf, count), after;
	uint64_t begin, woken;
	struct cpu cpu;

	if (cost)
		cpu = cpu_begin();
	begin = now_ns();
	woken = read_until(perf, epoll, begin + points * period_ns);
	after = look_at_all(perf, count);
	if (cost) {
		cost->elapsed_ns = now_ns() - begin;
		cost->cpu_ns = cpu_end(cpu);
		cost->signalled = after.signalled - before.signalled;
		cost->woken = woken;
	}
	stop_all(perf, count, epoll);
	return after.merged - before.merged;
}

static bool stands(bool perf, unsigned int count, uint64_t period_ns)
{
	uint64_t points = RATE_NS / period_ns;

	if (points < RATE_POINTS)
		points = RATE_POINTS;
	for (int try = 0; try < RATE_TRIES; try++)
		if (!run(perf, count, period_ns, points, 0, NULL))
			return true;
	return false;
}

static uint64_t rate(bool perf, unsigned int count)
{
	uint64_t shortest = 10000, period = RATE_LONGEST_NS, stood = 0;

	if (perf) {
		int fd = open_gpu();

		shortest = perf_info(fd).min_period_ns;
		close(fd);
	}
	while (period >= shortest && stands(perf, count, period)) {
		stood = period;
		period = period * RATE_STEP / 100;
	}
	return stood;
}

static uint64_t sample_ns(unsigned int count)
{
	struct client *client = &clients[0];
	uint64_t begin, value;
	int flags;

	prepare(true, 1, 0, 0);
	set_up(client);
	flags = fcntl(client->session.eventfd, F_GETFL);
	if (fcntl(client->session.eventfd, F_SETFL, flags & ~O_NONBLOCK))
		die("fcntl");
	start(true, client, 0);
	begin = now_ns();
	for (unsigned int i = 0; i < count; i++) {
		errno = session_sample(&client->session, i);
		if (errno)
			die("SAMPLE");
		if (read(client->session.eventfd, &value, sizeof(value)) != sizeof(value))
			die("eventfd");
		session_consume(&client->session, i + 1);
	}
	return (now_ns() - begin) / count;
}

static uint64_t query_ns(unsigned int count)
{
	struct drm_panthor_dev_query query = { .type = DRM_PANTHOR_DEV_QUERY_PERF_INFO };
	int fd = open_gpu();
	uint64_t begin = now_ns();

	for (unsigned int i = 0; i < count; i++) {
		errno = perf_call(fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query);
		if (errno)
			die("DEV_QUERY");
	}
	return (now_ns() - begin) / count;
}

/* Memory of the kernel for itself. */
static uint64_t kernel_bytes(void)
{
	static const char *const fields[] = { "Slab:", "VmallocUsed:" };
	char line[128], *end;
	uint64_t bytes = 0;
	FILE *file = fopen("/proc/meminfo", "r");

	if (!file)
		die("/proc/meminfo");
	while (fgets(line, sizeof(line), file))
		for (size_t i = 0; i < 2; i++)
			if (!strncmp(line, fields[i], strlen(fields[i])))
				bytes += 1024 * strtoull(line + strlen(fields[i]), &end, 0);
	fclose(file);
	return bytes;
}

/* What the first sessions get may have been free already. */
static uint64_t memory_bytes(unsigned int count)
{
	const unsigned int first = count / 4;
	uint64_t before = 0;

	prepare(true, count, 0, 0);
	for (unsigned int i = 0; i < count; i++) {
		if (i == first)
			before = kernel_bytes();
		set_up(&clients[i]);
	}
	return (kernel_bytes() - before) / (count - first);
}

static bool is_perf(const char *mode)
{
	if (strcmp(mode, "perf") && strcmp(mode, "null")) {
		fprintf(stderr, "bench-loop: '%s' is neither null nor perf\n", mode);
		exit(2);
	}
	return !strcmp(mode, "perf");
}

static unsigned int sessions(const char *text)
{
	unsigned long count = strtoul(text, NULL, 0);

	if (!count || count > MOST) {
		fprintf(stderr, "bench-loop: '%s' is no number of sessions from 1 to %d\n", text, MOST);
		exit(2);
	}
	return count;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	struct cost cost;
	uint64_t merged;

	/* A late wake-up of the reader is no fault of the loop. */
	prctl(PR_SET_TIMERSLACK, 1);
	if (!strcmp(verb, "run") && (argc == 6 || argc == 7)) {
		merged = run(is_perf(argv[2]), sessions(argv[3]), strtoull(argv[4], NULL, 0),
			     strtoull(argv[5], NULL, 0), argc == 7 ? strtoul(argv[6], NULL, 0) : 0,
			     &cost);
		printf("%llu %llu %llu %llu %llu\n", (unsigned long long)cost.signalled,
		       (unsigned long long)merged, (unsigned long long)cost.cpu_ns,
		       (unsigned long long)cost.elapsed_ns, (unsigned long long)cost.woken);
	} else if (!strcmp(verb, "rate") && argc == 4) {
		printf("%llu\n", (unsigned long long)rate(is_perf(argv[2]), sessions(argv[3])));
	} else if (!strcmp(verb, "sample") && argc == 3) {
		printf("%llu\n", (unsigned long long)sample_ns(strtoul(argv[2], NULL, 0)));
	} else if (!strcmp(verb, "query") && argc == 3) {
		printf("%llu\n", (unsigned long long)query_ns(strtoul(argv[2], NULL, 0)));
	} else if (!strcmp(verb, "cpu") && argc > 2) {
		return cpu_of_command(argv + 2);
	} else if (!strcmp(verb, "memory") && argc == 3) {
		printf("%llu\n", (unsigned long long)memory_bytes(sessions(argv[2])));
	} else {
		fprintf(stderr, "bench-loop: see the head of bench-loop.c for its arguments\n");
		return 2;
	}
	return 0;
}
