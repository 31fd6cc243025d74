// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-one-fence [between]
 *
 * Sessions with as many pending samples as may be, all of which wait for one fence of another
 * device. The fence signals; or STOP cancels them; or TEARDOWN does. Meanwhile a call that concerns
 * another session is made again and again, and the longest one is printed. With "between", some of
 * these calls have to return while samples are completed. Needs vgem.ko. PERF_SESSIONS is the
 * number of sessions, if it is not 16.
 */
#include <sched.h>
#include <sys/wait.h>

#include "vgem.h"

#define MOST_SESSIONS	16

/* For the calls, of the ten seconds that vgem gives. */
#define QUEUE_NS	6000000000ull
#define PUBLISHED_NS	60000000000ull

/* At least one of the other calls returns while so many samples are completed. */
#define SAMPLES_PER_CALL	256

enum end { SIGNAL, STOP, TEARDOWN, ENDS };

static const char *const names[ENDS] = { "a fence signals", "STOP", "TEARDOWN" };

/**
 * struct watch - what the other process sees and does
 */
struct watch {
	/** @running: Samples are being completed. */
	uint32_t running;

	/** @over: That is done. */
	uint32_t over;

	/** @total: Samples that will be published. */
	uint64_t total;

	/** @calls: Calls that returned when some samples were published, and not all. */
	uint64_t calls;

	/** @most: The most samples that were published during one call. */
	uint64_t most;

	/** @longest_ns: The longest call while samples were completed. */
	uint64_t longest_ns;

	/** @quiet_ns: The longest call before that. */
	uint64_t quiet_ns;
};

static struct session sessions[MOST_SESSIONS];
static uint64_t counts[MOST_SESSIONS];
static int session_count = MOST_SESSIONS;
static struct watch *watch;
static bool check_between;

static uint64_t published(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < session_count; i++)
		sum += session_insert(&sessions[i]);
	return sum;
}

/* STOP of a session that is not started fails, after it has taken the lock of all sessions. */
static void watch_calls(struct session *idle)
{
	while (!__atomic_load_n(&watch->over, __ATOMIC_ACQUIRE)) {
		const bool running = __atomic_load_n(&watch->running, __ATOMIC_ACQUIRE);
		uint64_t before = published(), start = raw_ns(), took, sum;

		if (session_stop(idle, 0) != EINVAL)
			_exit(1);
		took = raw_ns() - start;
		if (!running) {
			watch->quiet_ns = took > watch->quiet_ns ? took : watch->quiet_ns;
			usleep(1000);
			continue;
		}
		watch->longest_ns = took > watch->longest_ns ? took : watch->longest_ns;
		sum = published();
		watch->calls += sum && sum < watch->total;
		watch->most = sum - before > watch->most ? sum - before : watch->most;
	}
	_exit(0);
}

/* SAMPLE that waits for a binary syncobj. */
static int sample_behind(struct session *s, uint64_t user_data, uint32_t syncobj)
{
	const struct drm_panthor_sync_op op = {
		.flags = DRM_PANTHOR_SYNC_OP_WAIT | DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ,
		.handle = syncobj,
	};
	struct drm_panthor_perf_sample args = {
		.handle = s->setup.handle,
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.user_data = user_data,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(1, &op),
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args);
}

/* Queue samples, in turn in each session, as many as there is time for. Returns their number. */
static uint64_t queue(const struct other_fence *other, uint32_t most)
{
	uint64_t total = 0;

	memset(counts, 0, sizeof(counts));
	for (uint32_t n = 0; n < most; n++) {
		if (clock_ns(CLOCK_MONOTONIC) - other->made_ns > QUEUE_NS)
			break;
		for (int i = 0; i < session_count; i++) {
			errno = sample_behind(&sessions[i], counts[i], other->syncobj);
			if (errno)
				die("SAMPLE");
			counts[i]++;
			total++;
		}
	}
	return total;
}

/* Samples of a session that are not as they must be. */
static unsigned int wrong_samples(struct session *s, uint64_t count, enum end end, bool expired)
{
	const uint32_t cancelled = DRM_PANTHOR_PERF_EVENT_CANCELLED;
	const uint32_t events = end == STOP ? cancelled : 0;
	unsigned int wrong = 0;

	for (uint64_t i = 0; i < count; i++) {
		const struct drm_panthor_perf_sample_header *sample = session_slot(s, i);

		wrong += sample->user_data != i || sample->sample_nr != i ||
			 (!expired && (sample->events & cancelled) != events) ||
			 (i && sample->timestamp_start_ns <
			       session_slot(s, i - 1)->timestamp_end_ns);
	}
	return wrong;
}

static void complete(enum end end, struct other_fence *other)
{
	unsigned int failed = 0;

	__atomic_store_n(&watch->running, 1, __ATOMIC_RELEASE);
	if (end == SIGNAL)
		failed += other_fence_signal(other) != 0;
	for (int i = 0; i < session_count; i++) {
		if (end == STOP)
			failed += session_stop(&sessions[i], counts[i]) != 0;
		if (end == TEARDOWN)
			failed += session_teardown(&sessions[i]) != 0;
	}
	check_eq("calls that failed", failed, 0);
}

static void run(enum end end, int fd, struct session *idle)
{
	const struct drm_panthor_perf_info info = perf_info(fd);
	uint32_t slots = 2;
	struct other_fence other;
	unsigned int wrong = 0;
	uint64_t total, start;
	bool expired;
	pid_t pid;
	int status;

	while (slots <= info.max_pending_samples)
		slots *= 2;
	for (int i = 0; i < session_count; i++) {
		session_prepare(&sessions[i], fd, slots);
		check_errno("SETUP", session_setup(&sessions[i]), 0);
		check_errno("START", session_start(&sessions[i], 0), 0);
	}
	memset(watch, 0, sizeof(*watch));
	other = other_fence_create(fd);
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		watch_calls(idle);
	total = queue(&other, info.max_pending_samples);
	watch->total = end == STOP ? total + session_count : end == SIGNAL ? total : 0;
	check_eq("samples before that", published(), 0);
	start = raw_ns();
	complete(end, &other);
	while (published() < watch->total && raw_ns() - start < PUBLISHED_NS)
		sched_yield();
	start = raw_ns() - start;
	/* On a slow machine vgem signals the fence itself: STOP may have nothing to cancel. */
	expired = end == STOP && clock_ns(CLOCK_MONOTONIC) - other.made_ns > OTHER_NS;
	__atomic_store_n(&watch->over, 1, __ATOMIC_RELEASE);
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	check(WIFEXITED(status) && !WEXITSTATUS(status), "the other calls fail with EINVAL");

	check_eq("samples", published(), watch->total);
	for (int i = 0; i < session_count && end != TEARDOWN; i++)
		wrong += wrong_samples(&sessions[i], counts[i], end, expired);
	check_eq("samples that are not as they must be", wrong, 0);
	printf("%s: %llu samples of %d sessions in %llu us; ", names[end],
	       (unsigned long long)total, session_count, (unsigned long long)start / 1000);
	printf("the longest of the other calls took %llu us, before that %llu us; ",
	       (unsigned long long)watch->longest_ns / 1000,
	       (unsigned long long)watch->quiet_ns / 1000);
	printf("at most %llu samples were published during one\n",
	       (unsigned long long)watch->most);
	/* TEARDOWN leaves nothing behind that tells how far it is. */
	if (check_between && end != TEARDOWN) {
		uint64_t least = total / SAMPLES_PER_CALL;

		check(watch->calls >= (least ? least : 1),
		      "%s: %llu other calls returned in between, at least %llu", names[end],
		      (unsigned long long)watch->calls, (unsigned long long)least);
	}
	if (end != SIGNAL)
		other_fence_signal(&other);
	syncobj_destroy(fd, other.syncobj);
	for (int i = 0; i < session_count; i++) {
		if (end != TEARDOWN)
			check_errno("TEARDOWN", session_teardown(&sessions[i]), 0);
		session_release(&sessions[i]);
	}
}

int main(int argc, char **argv)
{
	const char *wanted = getenv("PERF_SESSIONS");
	struct session idle;
	int fd = open_gpu();

	check_between = argc == 2 && !strcmp(argv[1], "between");
	if (wanted && atoi(wanted) > 0 && atoi(wanted) < MOST_SESSIONS)
		session_count = atoi(wanted);
	watch = mmap(NULL, sizeof(*watch), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (watch == MAP_FAILED)
		die("memory of two processes");
	session_prepare(&idle, open_gpu(), 2);
	check_errno("SETUP", session_setup(&idle), 0);
	for (enum end end = 0; end < ENDS; end++)
		run(end, fd, &idle);
	return 0;
}
