// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Two processes with one open file, between which a call of the driver takes long (slow-call.ko):
 *
 *	order ROUNDS	a reader looks at a sample as soon as its index is there
 *	handles ROUNDS	SAMPLE and STOP use a handle whose TEARDOWN is under way
 */
#include "perf.h"

#include <sched.h>
#include <sys/wait.h>

#define SLOTS		4
#define NOTHING		0xa5a5a5a5a5a5a5a5ull

/* What both processes see. */
struct common {
	/* The handle, and how many rounds have begun. */
	uint32_t handle;
	uint32_t round;

	/* No round follows. */
	uint32_t over;

	/* Calls that found a session, that found none, and that failed in another way. */
	uint64_t found, missed, failed;
};

static struct common *share(void)
{
	struct common *common = mmap(NULL, sizeof(*common), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (common == MAP_FAILED)
		die("memory of two processes");
	return common;
}

static uint32_t load(const uint32_t *value)
{
	return __atomic_load_n(value, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *value, uint32_t to)
{
	__atomic_store_n(value, to, __ATOMIC_RELEASE);
}

static pid_t split(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	return pid;
}

static void join(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	check(WIFEXITED(status) && !WEXITSTATUS(status), "the other process ended well");
}

/* One SAMPLE in each round. */
static void ask_in_each_round(struct session *s, struct common *common)
{
	uint32_t done = 0;

	while (!load(&common->over)) {
		if (load(&common->round) == done) {
			sched_yield();
			continue;
		}
		done++;
		if (session_sample(s, done))
			_exit(1);
	}
	_exit(0);
}

/* Words of a sample that are not written yet. */
static unsigned int unwritten(const void *slot, uint32_t size)
{
	const volatile uint64_t *words = slot;
	unsigned int count = 0;

	/* What is written last is looked at first. */
	for (uint32_t i = size / 8; i--; )
		count += words[i] == NOTHING;
	return count;
}

static int order(unsigned int rounds)
{
	struct common *common = share();
	int fd = open_gpu();
	const struct drm_panthor_perf_info info = perf_info(fd);
	unsigned int early = 0, round;
	struct session s;
	pid_t pid;

	session_prepare(&s, fd, SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	pid = split();
	if (!pid)
		ask_in_each_round(&s, common);
	for (round = 0; round < rounds; round++) {
		const void *slot = session_slot(&s, round);
		uint64_t tries = 0;

		for (uint32_t i = 0; i < info.sample_size / 8; i++)
			((uint64_t *)slot)[i] = NOTHING;
		store(&common->round, round + 1);
		while (session_insert(&s) == round && tries++ < 1000000000ull)
			;
		if (session_insert(&s) == round)
			break;
		early += unwritten(slot, info.sample_size) != 0;
		session_consume(&s, round + 1);
	}
	store(&common->over, 1);
	join(pid);
	check_eq("samples", round, rounds);
	check_eq("samples that were not complete when their index was there", early, 0);
	check_errno("STOP", session_stop(&s, 0), 0);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
	close(fd);
	return 0;
}

/* Calls by the handle, which find a session that is not started, or none. */
static void use_handle(struct session *s, struct common *common)
{
	while (!load(&common->over)) {
		int error;

		s->setup.handle = load(&common->handle);
		error = common->found & 1 ? session_sample(s, 0) : session_stop(s, 0);
		if (error == EINVAL)
			common->found++;
		else if (error == ENOENT)
			common->missed++;
		else
			common->failed++;
	}
	_exit(0);
}

static int handles(unsigned int rounds)
{
	const struct timespec pause = { .tv_nsec = 6000000 };
	struct common *common = share();
	int fd = open_gpu();
	struct session s;
	pid_t pid;

	session_prepare(&s, fd, SLOTS);
	pid = split();
	if (!pid)
		use_handle(&s, common);
	for (unsigned int round = 0; round < rounds; round++) {
		/* At another point of the delay in each round. */
		const struct timespec part = { .tv_nsec = 500000 + round % 16 * 150000 };

		check_errno("SETUP", session_setup(&s), 0);
		store(&common->handle, s.setup.handle);
		nanosleep(&part, NULL);
		check_errno("TEARDOWN", session_teardown(&s), 0);
		/* Whoever has found it still uses it. */
		nanosleep(&pause, NULL);
	}
	store(&common->over, 1);
	join(pid);
	check(common->found > rounds / 4, "%llu calls found the session",
	      (unsigned long long)common->found);
	check(common->missed > rounds / 4, "%llu found none", (unsigned long long)common->missed);
	check_eq("calls that failed in another way", common->failed, 0);
	session_release(&s);
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "order"))
		return order(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "handles"))
		return handles(atoi(argv[2]));
	fprintf(stderr, "usage: perf-race order ROUNDS | handles ROUNDS\n");
	return 2;
}
