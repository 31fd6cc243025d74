// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Many sessions in many processes, at random.
 *
 *	perf-stress PROCESSES SESSIONS CALLS SEED FOLDER
 *
 * Each process opens the GPU by itself and has its own sessions, each with counters of its own.
 * All of them together make that number of calls: SETUP, START, SAMPLE, STOP, TEARDOWN,
 * mostly where they make sense and now and then where they do not. Each process knows the state
 * that its sessions are in, and so the outcome of each call and what each sample's header must say.
 *
 * SIGTERM ends it early. From SIGUSR1 to SIGUSR2 only those sessions are started which let the GPU
 * sleep. In the environment:
 *
 *	PERF_ALL	every session asks for all counters, and each process begins with a sample
 *	PERF_FAULTS	the firmware may fail, and then START and SAMPLE
 *	PERF_GPU	the GPU may go away, and comes back: the folder of its device. Samples of
 *			the sessions behind it are in files of their own
 *	PERF_UNBINDS	with it, a file that gets a byte more when the driver has let go of the GPU
 *	PERF_KEEP	sessions are set up only once, which no limit can prevent then
 *	PERF_KINDS	so many of a hundred sessions are compact, as many wake their reader up for
 *			several samples, and let the GPU sleep
 *	PERF_NICE	its niceness
 *	PERF_ORDERED	so many of a hundred sessions have samples that signal fences
 *	PERF_PAUSE	each process pauses so many ms on average between two calls
 *	PERF_PERIODS	so many of a hundred sessions have a period, from the shortest to a second
 *	PERF_SAMPLES	the end comes when so many samples were read
 *	PERF_SHARED	others take sessions as well: SETUP may find none left
 *	PERF_SHORTEST	the shortest period in ns, of a GPU that has shorter ones
 *	PERF_TOTAL	a file with the sum of the calls of several programs: it decides on the end
 *
 * The samples go to FOLDER, a raw sample file for each session that was set up, to be compared
 * with the GPU's own totals outside. The user data of the samples tell when the calls were made, as
 * the comparer's --call-times wants it.
 */

#include <sys/wait.h>

#include "stress-calls.h"

#define MAX_PROCESSES	64
#define MAX_SESSIONS	16
/* Between two calls of a session that lets the GPU sleep, when no other is started. */
#define QUIET_MS	300

static unsigned int pause_ms;
static uint64_t calls_wanted, samples_wanted;
static off_t unbinds_before;
static volatile sig_atomic_t terminated;

static void on_term(int signal)
{
	(void)signal;
	terminated = 1;
}

static void on_quiet(int signal)
{
	tally->quiet = signal == SIGUSR1;
}

static bool is_over(void)
{
	return terminated || __atomic_load_n(calls_made, __ATOMIC_RELAXED) >= calls_wanted ||
	       ADD(complaints, 0) >= MAX_COMPLAINTS ||
	       (samples_wanted && ADD(samples, 0) >= samples_wanted);
}

/* A call that makes sense in the session's state, or any. */
static void step(struct client *c, int fd)
{
	unsigned int dice = random_below(100);

	if (random_below(12) == 0) {
		switch (random_below(keep ? 3 : 4)) {
		case 0:
			do_start(c);
			return;
		case 1:
			do_sample(c);
			return;
		case 2:
			do_stop(c);
			return;
		default:
			do_teardown(c);
			return;
		}
	}
	switch (c->state) {
	case NONE:
		do_setup(c, fd);
		return;
	case STOPPED:
		drain(c, random_below(2) ? UINT64_MAX : 1);
		if (dice < 95 || keep)
			do_start(c);
		else
			do_teardown(c);
		return;
	case STARTED:
		if (dice < 60)
			settle(c);
		if (dice % 3)
			drain(c, dice % 2 ? UINT64_MAX : random_below(3));
		if (dice < (is_periodic(c) ? 10 : 85))
			do_sample(c);
		else if (dice >= (is_periodic(c) ? 92 : 85))
			do_stop(c);
		return;
	case STOPPING:
		if (dice < 70)
			settle(c);
		drain(c, dice % 2 ? UINT64_MAX : 1);
		do_start(c);
		return;
	}
}

/* Nobody keeps the GPU awake, until it may be. */
static void keep_quiet(struct client *clients, unsigned int sessions)
{
	for (unsigned int i = 0; i < sessions && !gone; i++) {
		struct client *c = &clients[i];

		if (lets_sleep(c))
			continue;
		if (c->state == STARTED) {
			drain(c, UINT64_MAX);
			do_stop(c);
		}
		if (c->state == STOPPING)
			settle(c);
	}
	while (tally->quiet && !gone && !is_over()) {
		struct client *c = &clients[random_below(sessions)];

		usleep(random_below(2000 * QUIET_MS));
		if (lets_sleep(c) && c->state != NONE)
			step(c, c->session.fd);
	}
}

/* Until the end, or that of the GPU. */
static void live(struct client *clients, unsigned int sessions, int fd)
{
	for (unsigned int i = 0; i < sessions && !gone; i++)
		do_setup(&clients[i], fd);
	/* What the GPU counts first, for anybody, is then in a sample. */
	if (all && clients[0].state == STOPPED) {
		do_start(&clients[0]);
		do_sample(&clients[0]);
		settle(&clients[0]);
	}
	while (!gone && !is_over()) {
		if (tally->quiet)
			keep_quiet(clients, sessions);
		else
			step(&clients[random_below(sessions)], fd);
		if (pause_ms)
			usleep(random_below(2000 * pause_ms));
	}
	for (unsigned int i = 0; i < sessions && !gone; i++) {
		struct client *c = &clients[i];

		if (c->state == NONE)
			continue;
		drain(c, UINT64_MAX);
		if (c->state == STARTED)
			do_stop(c);
		if (c->state == STOPPING)
			settle(c);
		drain(c, UINT64_MAX);
		if (!gone)
			do_teardown(c);
	}
}

/* How often the driver has let go of the GPU. */
static off_t unbinds(void)
{
	struct stat file;

	return !unplugs || stat(getenv("PERF_UNBINDS"), &file) ? 0 : file.st_size;
}

static void end_of_gpu(struct client *clients, unsigned int sessions)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + SETTLE_NS;

	/* Calls fail from the beginning of that on. */
	while (unbinds() == unbinds_before && clock_ns(CLOCK_MONOTONIC) < end)
		usleep(1000 * POLL_MS);
	if (unbinds() == unbinds_before)
		complain(&clients[0], "ENODEV, and the driver does not let go of the GPU");
	for (unsigned int i = 0; i < sessions; i++)
		bury(&clients[i]);
	usleep(1000 * POLL_MS);
	for (unsigned int i = 0; i < sessions; i++)
		lay_down(&clients[i]);
}

/* The GPU may go away again before anything was asked. Returns the file. */
static int begin_life(void)
{
	struct drm_panthor_perf_info now = { 0 };
	int fd, error;

	do {
		unbinds_before = unbinds();
		fd = open_gpu();
		error = try_query(fd, DRM_PANTHOR_DEV_QUERY_PERF_INFO, &now, sizeof(now));
		if (!error)
			error = try_query(fd, DRM_PANTHOR_DEV_QUERY_GPU_INFO, &gpu, sizeof(gpu));
		if (!error && unbinds_before != unbinds())
			error = ENODEV;
		if (error)
			close(fd);
	} while (is_lost(error));
	errno = error;
	if (error)
		die("PERF_INFO");
	gone = false;
	if (info.sample_size && memcmp(&info, &now, sizeof(info))) {
		ADD(complaints, 1);
		check(false, "process %u: PERF_INFO is another behind an unbind", process);
	}
	info = now;
	ADD(lives, 1);
	return fd;
}

static int run_process(unsigned int sessions)
{
	static struct client clients[MAX_SESSIONS];

	random_seed(seed * 1000003 + process);
	do {
		int fd = begin_life();

		for (unsigned int i = 0; i < sessions; i++) {
			clients[i].number = i;
			clients[i].session.fd = fd;
			clients[i].session.setup.handle = NO_HANDLE;
		}
		live(clients, sessions, fd);
		if (gone)
			end_of_gpu(clients, sessions);
		/* Half of the processes leave the rest to the kernel. */
		if (!gone && !(process % 2))
			return 0;
		for (unsigned int i = 0; i < sessions; i++)
			free_objects(&clients[i]);
		close(fd);
	} while (!is_over());
	return 0;
}

static uint64_t number_of(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : 0;
}

static void read_environment(void)
{
	faults = getenv("PERF_FAULTS");
	unplugs = getenv("PERF_GPU") && getenv("PERF_UNBINDS");
	keep = getenv("PERF_KEEP");
	shared = getenv("PERF_SHARED");
	all = getenv("PERF_ALL");
	kinds = number_of("PERF_KINDS");
	ordered = number_of("PERF_ORDERED");
	pause_ms = number_of("PERF_PAUSE");
	periods = number_of("PERF_PERIODS");
	samples_wanted = number_of("PERF_SAMPLES");
}

/* What came of it. */
static void report(unsigned int failed)
{
	check_eq("processes that failed", failed, 0);
	check_eq("what was not as it must be", tally->complaints, 0);
	check(terminated || samples_wanted || *calls_made >= calls_wanted, "%" PRIu64 " calls, %"
	      PRIu64 " of them refused", tally->calls, tally->refused);
	if (terminated || !samples_wanted)
		samples_wanted = tally->calls / 8;
	check(tally->samples >= samples_wanted, "%" PRIu64 " samples of %" PRIu64 " runs of %"
	      PRIu64 " sessions", tally->samples, tally->starts, tally->setups);
	if (periods)
		check(tally->on_point && tally->merged, "%" PRIu64 " samples of periodic ones: %"
		      PRIu64 " at their point, %" PRIu64 " stretched by %" PRIu64 " points, %"
		      PRIu64 " LATE, %" PRIu64 " RING_FULL", tally->periodic, tally->on_point,
		      tally->stretched, tally->merged, tally->late, tally->ring_full);
	if (kinds) {
		check(tally->compact, "%" PRIu64 " compact samples", tally->compact);
		check(tally->wakeups && tally->wakeups < tally->batched, "%" PRIu64
		      " wake-ups for %" PRIu64 " samples", tally->wakeups, tally->batched);
		printf("perf-stress: %" PRIu64 " samples have SUSPEND of sessions that allow it\n",
		       tally->slept);
	}
	if (ordered)
		check(tally->fences, "%" PRIu64 " samples with a fence", tally->fences);
	if (unplugs)
		check(tally->lives, "the GPU was opened %" PRIu64 " times, and went away under %"
		      PRIu64 " sessions", tally->lives, tally->buried);
	if (shared)
		printf("perf-stress: %" PRIu64 " SETUPs found no session left\n", tally->crowded);
	if (faults)
		check(tally->errors && tally->failed <= tally->calls / MOST_FAILED, "%" PRIu64
		      " calls failed with the firmware, %" PRIu64 " samples have ERROR",
		      tally->failed, tally->errors);
	else
		check_eq("samples with ERROR", tally->errors, 0);
}

int main(int argc, char **argv)
{
	struct sigaction quiet = { .sa_flags = SA_RESTART };
	unsigned int processes, sessions, failed = 0;
	pid_t pids[MAX_PROCESSES];

	if (argc != 6) {
		fprintf(stderr, "usage: %s PROCESSES SESSIONS CALLS SEED FOLDER\n", argv[0]);
		return 2;
	}
	processes = atoi(argv[1]);
	sessions = atoi(argv[2]);
	calls_wanted = strtoull(argv[3], NULL, 0);
	seed = strtoull(argv[4], NULL, 0);
	folder = argv[5];
	read_environment();
	if (!processes || processes > MAX_PROCESSES || !sessions || sessions > MAX_SESSIONS) {
		fprintf(stderr, "%s: 1 to %u processes with 1 to %u sessions\n", argv[0],
			MAX_PROCESSES, MAX_SESSIONS);
		return 2;
	}
	printf("perf-stress: %u processes with %u sessions, %" PRIu64 " calls, seed %llu\n",
	       processes, sessions, calls_wanted, seed);
	fflush(stdout);
	if (mkdir(folder, 0755) && errno != EEXIST)
		die(folder);
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (tally == MAP_FAILED)
		die("shared memory");
	be_nice();
	calls_made = common_total();
	if (!calls_made)
		calls_made = &tally->calls;

	sigaction(SIGTERM, &(struct sigaction){ .sa_handler = on_term }, NULL);
	quiet.sa_handler = on_quiet;
	sigaction(SIGUSR1, &quiet, NULL);
	sigaction(SIGUSR2, &quiet, NULL);
	for (process = 0; process < processes; process++) {
		pids[process] = fork();

		if (pids[process] < 0)
			die("fork");
		if (!pids[process]) {
			int status = run_process(sessions);

			fflush(stdout);
			_exit(status);
		}
	}
	for (process = 0; process < processes; process++) {
		int status = 0;

		/* Who is told to end tells the others. */
		while (waitpid(pids[process], &status, 0) < 0 && errno == EINTR)
			for (unsigned int i = process; i < processes; i++)
				kill(pids[i], SIGTERM);
		failed += status != 0;
	}
	report(failed);
	return failed || tally->complaints;
}
