// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Sessions and open files: a session belongs to the open file, whoever holds it and however it was
 * passed on, and lives until the last holder is gone or somebody tears it down, calls in flight or
 * not. Limits count what there is.
 */

#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "perf.h"
#include "random.h"

#define SLOTS		8
#define FILE_LIMIT	16
#define GPU_LIMIT	64
#define RACES		150
#define POISON		0x5a

static int gpu;
static struct drm_panthor_perf_info info;

static void pause_ms(unsigned int ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void set_up(struct session *s, int fd)
{
	session_prepare(s, fd, SLOTS);
	check_errno("SETUP", session_setup(s), 0);
}

/* The same session as another file, or another handle, would name it. */
static struct session alias(const struct session *s, int fd)
{
	struct session other = *s;

	other.fd = fd;
	return other;
}

static void tear_down(struct session *s)
{
	check_errno("TEARDOWN", session_teardown(s), 0);
	session_release(s);
}

/* A session is started if and only if SAMPLE works; reads the sample as well. */
static void check_counts(struct session *s, const char *who)
{
	uint64_t insert = session_insert(s);
	char what[80];

	snprintf(what, sizeof(what), "SAMPLE, %s", who);
	check_errno(what, session_sample(s, 1), 0);
	snprintf(what, sizeof(what), "its sample, %s", who);
	check(session_wait(s, insert + 1, WAIT_MS), "%s", what);
	session_consume(s, insert + 1);
}

/* The exit status of a child, or 128 + the signal that ended it. */
static int end_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waiting for a child");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- Who holds a file ---- */

static void test_dup(void)
{
	int fd = open_gpu(), copy = dup(fd);
	struct session s;
	uint64_t signals;

	set_up(&s, fd);
	s.fd = copy;
	check_errno("START through a duplicate", session_start(&s, 0), 0);
	check_counts(&s, "through a duplicate");
	close(fd);
	check_counts(&s, "the first descriptor closed");
	check_errno("STOP through a duplicate", session_stop(&s, 0), 0);
	check(session_wait(&s, 3, WAIT_MS), "the final sample");
	check_errno("START again", session_start(&s, 0), 0);
	signals = session_signals(&s);
	check_eq("counts of the eventfd", signals, 3);
	close(copy);
	pause_ms(50);
	check_eq("closing the last descriptor publishes nothing", session_insert(&s), 3);
	check_eq("nor does it signal", session_signals(&s), 0);
	munmap(s.ring.map, s.ring.size);
	munmap(s.control.map, s.control.size);
	close(s.eventfd);
}

static void test_fork(void)
{
	int fd = open_gpu();
	struct session s;
	pid_t pid;

	set_up(&s, fd);
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(session_start(&s, 0) || session_sample(&s, 1));
	check_eq("a child starts and samples", end_of(pid), 0);
	check(session_wait(&s, 1, WAIT_MS), "the parent gets the child's sample");
	check_counts(&s, "behind the child's end");

	pid = fork();
	if (!pid)
		raise(SIGKILL);
	check_eq("another child is killed", end_of(pid), 128 + SIGKILL);
	check_counts(&s, "behind the child's death");

	pid = fork();
	if (!pid)
		_exit(session_stop(&s, 2) || !session_wait(&s, 4, WAIT_MS) ||
		      session_teardown(&s));
	check_eq("a child stops and tears down", end_of(pid), 0);
	check_eq("the final sample's user data", session_slot(&s, 3)->user_data, 2);
	check_errno("the parent's SAMPLE behind that", session_sample(&s, 0), ENOENT);
	session_release(&s);
	close(fd);
}

static void send_fd(int socket, int fd)
{
	char byte = 0, space[CMSG_SPACE(sizeof(fd))] = { 0 };
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	if (sendmsg(socket, &msg, 0) != 1)
		die("sending a descriptor");
}

static int receive_fd(int socket)
{
	int fd;
	char byte, space[CMSG_SPACE(sizeof(fd))];
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};

	if (recvmsg(socket, &msg, 0) != 1 || !CMSG_FIRSTHDR(&msg))
		return -1;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(fd));
	return fd;
}

static void test_passing(void)
{
	int sockets[2], fd;
	struct session s;
	uint32_t handle;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		die("sockets");
	fflush(stdout);
	/* The child is there before the file is opened, so that it inherits nothing of it. */
	pid = fork();
	if (!pid) {
		struct session mine = { .fd = receive_fd(sockets[1]) };

		if (read(sockets[1], &handle, sizeof(handle)) != sizeof(handle))
			_exit(1);
		mine.setup.handle = handle;
		if (session_start(&mine, 0) || session_sample(&mine, 7))
			_exit(2);
		if (write(sockets[1], "x", 1) != 1)
			_exit(3);
		pause();
	}
	fd = open_gpu();
	set_up(&s, fd);
	send_fd(sockets[0], fd);
	if (write(sockets[0], &s.setup.handle, sizeof(handle)) != sizeof(handle))
		die("sending a handle");
	close(fd);
	check(session_wait(&s, 1, WAIT_MS), "who got the file by a socket starts and samples");
	check_eq("with its user data", session_slot(&s, 0)->user_data, 7);
	if (read(sockets[0], &handle, 1) != 1)
		die("the child");
	kill(pid, SIGKILL);
	check_eq("the only holder is killed", end_of(pid), 128 + SIGKILL);
	pause_ms(50);
	check_eq("that publishes nothing", session_insert(&s), 1);
	check_eq("one count of the eventfd in all", session_signals(&s), 1);
	munmap(s.ring.map, s.ring.size);
	munmap(s.control.map, s.control.size);
	close(s.eventfd);

	/* On its way, a file is held by nobody but the socket. */
	fd = open_gpu();
	set_up(&s, fd);
	check_errno("START", session_start(&s, 0), 0);
	send_fd(sockets[0], fd);
	close(fd);
	s.fd = receive_fd(sockets[1]);
	check_counts(&s, "the file was on its way");
	send_fd(sockets[0], s.fd);
	close(s.fd);
	close(sockets[0]);
	close(sockets[1]);
	munmap(s.ring.map, s.ring.size);
	munmap(s.control.map, s.control.size);
	close(s.eventfd);
}

static void test_foreign_handles(void)
{
	int first = open_gpu(), second = open_gpu();
	struct session mine, others[2], s;

	set_up(&mine, first);
	set_up(&others[0], second);
	set_up(&others[1], second);
	check_errno("START", session_start(&mine, 0), 0);
	check_errno("TEARDOWN of the other file's first", session_teardown(&others[0]), 0);

	s = alias(&mine, second);
	check_eq("the handle that both files had", others[0].setup.handle, mine.setup.handle);
	check_errno("START by the other file", session_start(&s, 0), ENOENT);
	check_errno("SAMPLE by the other file", session_sample(&s, 0), ENOENT);
	check_errno("STOP by the other file", session_stop(&s, 0), ENOENT);
	check_errno("TEARDOWN by the other file", session_teardown(&s), ENOENT);
	s = alias(&others[1], first);
	check_errno("START of the other file's", session_start(&s, 0), ENOENT);
	check_counts(&mine, "behind all that");

	/* A buffer object of another file is none either. */
	s = alias(&mine, second);
	s.setup.handle = 0;
	s.setup.ring_handle = 1000;
	check_errno("SETUP with a ring of no file", session_setup(&s), ENOENT);
	session_release(&others[0]);
	tear_down(&others[1]);
	tear_down(&mine);
	close(first);
	close(second);
}

/* ---- Limits ---- */

static void failing_setups(struct session *s, const char *when)
{
	const struct session good = *s;
	uint32_t no_mmap = object_create(s->fd, s->ring.size, DRM_PANTHOR_BO_NO_MMAP);
	struct drm_gem_close gem = { .handle = no_mmap };
	unsigned int wrong = 0;

	/* One for each step that SETUP takes, in their order. */
	for (unsigned int round = 0; round < 3; round++) {
		s->setup.pad = 1;
		wrong += session_setup(s) != EINVAL;
		s->setup = good.setup;
		s->setup.sections.array = 8;
		wrong += session_setup(s) != EFAULT;
		s->setup = good.setup;
		s->sections[0].block_type = 99;
		wrong += session_setup(s) != EINVAL;
		*s = good;
		s->setup.eventfd = 12345;
		wrong += session_setup(s) != EBADF;
		s->setup.eventfd = s->fd;
		wrong += session_setup(s) != EINVAL;
		s->setup.eventfd = good.setup.eventfd;
		s->setup.ring_handle = 12345;
		wrong += session_setup(s) != ENOENT;
		s->setup.ring_handle = no_mmap;
		wrong += session_setup(s) != EINVAL;
		s->setup.ring_handle = good.setup.ring_handle;
		s->setup.control_handle = 12345;
		wrong += session_setup(s) != ENOENT;
		s->setup.control_handle = no_mmap;
		s->setup.control_offset = s->ring.size - 8;
		wrong += session_setup(s) != EINVAL;
		s->setup.control_handle = s->ring.handle;
		s->setup.control_offset = 0;
		wrong += session_setup(s) != EINVAL;
		s->setup = good.setup;
	}
	ioctl(s->fd, DRM_IOCTL_GEM_CLOSE, &gem);
	check_eq(when, wrong, 0);
}

/* The number of sessions that can be set up until one fails, and with what. */
static unsigned int fill(struct session *all, unsigned int most, int fd, int *error)
{
	unsigned int count;

	for (count = 0; count < most; count++) {
		session_prepare(&all[count], fd, info.min_sample_slots);
		*error = session_setup(&all[count]);
		if (*error) {
			session_release(&all[count]);
			break;
		}
	}
	return count;
}

static void empty(struct session *all, unsigned int count)
{
	unsigned int wrong = 0;

	while (count--) {
		wrong += session_teardown(&all[count]) != 0;
		session_release(&all[count]);
	}
	check_eq("failed TEARDOWN", wrong, 0);
}

static void test_limits(void)
{
	struct session *all = calloc(GPU_LIMIT + 1, sizeof(*all));
	unsigned int files = GPU_LIMIT / FILE_LIMIT, i;
	int fds[16], error = 0;
	struct session spare;
	pid_t pid;
	char byte;
	int ready[2];

	if (!all || files >= 16 || pipe(ready))
		die("preparing");
	for (i = 0; i <= files; i++)
		fds[i] = open_gpu();
	session_prepare(&spare, fds[0], SLOTS);

	check_eq("sessions of a file but one", fill(all, FILE_LIMIT - 1, fds[0], &error),
		 FILE_LIMIT - 1);
	failing_setups(&spare, "SETUP that fails below the limit, with the wrong error");
	check_errno("the last SETUP of the file", session_setup(&spare), 0);
	all[FILE_LIMIT - 1] = alias(&spare, fds[0]);
	session_prepare(&spare, fds[0], SLOTS);
	check_errno("one more", session_setup(&spare), ENOSPC);
	check_errno("TEARDOWN of one", session_teardown(&all[3]), 0);
	check_errno("SETUP behind it", session_setup(&all[3]), 0);
	check_errno("one more", session_setup(&spare), ENOSPC);

	for (i = 1; i < files; i++)
		check_eq("sessions of another file",
			 fill(all + i * FILE_LIMIT, FILE_LIMIT, fds[i], &error), FILE_LIMIT);
	session_release(&spare);
	session_prepare(&spare, fds[files], SLOTS);
	check_errno("SETUP by a file without any, at the limit of the GPU", session_setup(&spare),
		    ENOSPC);
	/* Started ones count neither more nor less. */
	for (i = 0; i < GPU_LIMIT && !error; i++)
		error = session_start(&all[i], i);
	check_errno("START of them all", error, 0);
	for (i = 0; i < GPU_LIMIT && !error; i++)
		error = session_stop(&all[i], i);
	check_errno("STOP of them all", error, 0);
	for (i = 0; i < GPU_LIMIT; i++)
		if (!session_wait(&all[i], 1, WAIT_MS) || session_slot(&all[i], 0)->user_data != i)
			break;
	check_eq("final samples", i, GPU_LIMIT);

	/* Closing a file gives back what it had, all at once. */
	for (i = (files - 1) * FILE_LIMIT; i < files * FILE_LIMIT; i++)
		session_release(&all[i]);
	close(fds[files - 1]);
	check_errno("SETUP behind the close of a full file", session_setup(&spare), 0);
	i = fill(all + (files - 1) * FILE_LIMIT, FILE_LIMIT, fds[files], &error);
	check_eq("and all the rest that it had", i, FILE_LIMIT - 1);
	check_errno("but no more", error, ENOSPC);
	empty(all + (files - 1) * FILE_LIMIT, FILE_LIMIT - 1);
	tear_down(&spare);

	/* So does the death of its holder, with sessions started. */
	fflush(stdout);
	pid = fork();
	if (!pid) {
		struct session *own = calloc(FILE_LIMIT, sizeof(*own));
		int fd = open_gpu();

		if (!own || fill(own, FILE_LIMIT, fd, &error) != FILE_LIMIT)
			_exit(1);
		for (i = 0; i < FILE_LIMIT; i++)
			session_start(&own[i], 0);
		if (write(ready[1], "x", 1) != 1)
			_exit(2);
		pause();
	}
	if (read(ready[0], &byte, 1) != 1)
		die("the child");
	session_prepare(&spare, fds[files], SLOTS);
	check_errno("SETUP while another process has the rest", session_setup(&spare), ENOSPC);
	kill(pid, SIGKILL);
	end_of(pid);
	for (i = 0; i < 100 && (error = session_setup(&spare)); i++)
		pause_ms(20);
	check_errno("SETUP behind its death", error, 0);
	tear_down(&spare);

	for (i = 0; i < files - 1; i++) {
		empty(all + i * FILE_LIMIT, FILE_LIMIT);
		close(fds[i]);
	}
	close(fds[files]);
	close(ready[0]);
	close(ready[1]);
	free(all);
}

/* ---- Calls in flight ---- */

struct flight {
	struct session *s;
	int outcome;
	pthread_t thread;
};

static void *start_thread(void *data)
{
	struct flight *flight = data;

	flight->outcome = session_start(flight->s, 0);
	return NULL;
}

/* A START that waits: the firmware keeps its answer back. */
static void take_off(struct flight *flight, struct session *s)
{
	host("qom-set gpu0 x-delay-samples 1");
	flight->s = s;
	flight->outcome = -1;
	if (pthread_create(&flight->thread, NULL, start_thread, flight))
		die("a thread");
	pause_ms(100);
	check_eq("START waits", flight->outcome, -1);
}

static void test_start_in_flight(void)
{
	struct flight flight;
	struct session s;
	int fd;
	pid_t pid;

	set_up(&s, gpu);
	take_off(&flight, &s);
	check_errno("START of the same session", session_start(&s, 0), EINVAL);
	check_errno("SAMPLE", session_sample(&s, 0), EINVAL);
	check_errno("STOP", session_stop(&s, 0), EINVAL);
	check_errno("TEARDOWN meanwhile", session_teardown(&s), 0);
	pthread_join(flight.thread, NULL);
	check_errno("START that waited", flight.outcome, ENOENT);
	host("qom-set gpu0 x-ack-now 1");
	session_release(&s);

	/* The call keeps the file as long as it lasts. */
	fd = open_gpu();
	set_up(&s, fd);
	take_off(&flight, &s);
	close(fd);
	pause_ms(50);
	check_eq("START waits still behind close", flight.outcome, -1);
	host("qom-set gpu0 x-ack-now 1");
	pthread_join(flight.thread, NULL);
	check_errno("START that waited", flight.outcome, 0);
	munmap(s.ring.map, s.ring.size);
	munmap(s.control.map, s.control.size);
	close(s.eventfd);

	/* Who waits can be killed, and leaves a session that is not started. */
	set_up(&s, gpu);
	host("qom-set gpu0 x-delay-samples 1");
	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(session_start(&s, 0));
	pause_ms(150);
	check_errno("START while another process waits", session_start(&s, 0), EINVAL);
	kill(pid, SIGKILL);
	check_eq("it is killed at once", end_of(pid), 128 + SIGKILL);
	check_errno("SAMPLE: not started", session_sample(&s, 0), EINVAL);
	host("qom-set gpu0 x-ack-now 1");
	check_errno("START now", session_start(&s, 0), 0);
	check_counts(&s, "as if nothing had been");
	tear_down(&s);
}

static struct session shared;
static volatile bool racing;
static uint64_t outcomes[256];

static void *race_thread(void *data)
{
	random_seed((uintptr_t)data);
	while (racing) {
		int error;

		switch (random_below(3)) {
		case 0:
			error = session_start(&shared, 0);
			break;
		case 1:
			error = session_sample(&shared, 0);
			break;
		default:
			error = session_stop(&shared, 0);
			break;
		}
		__atomic_add_fetch(&outcomes[error & 255], 1, __ATOMIC_RELAXED);
		session_consume(&shared, session_insert(&shared));
	}
	return NULL;
}

/* TEARDOWN while threads make calls: behind it, nobody writes to the objects. */
static void test_teardown_races(void)
{
	unsigned int written = 0, failed = 0;
	pthread_t threads[3];
	uint64_t others = 0;

	set_up(&shared, gpu);
	racing = true;
	for (uintptr_t i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, race_thread, (void *)(i + 1)))
			die("a thread");
	random_seed(99);
	for (unsigned int i = 0; i < RACES; i++) {
		unsigned char *ring = shared.ring.map;
		size_t at;

		pause_ms(random_below(12));
		failed += session_teardown(&shared) != 0;
		memset(ring, POISON, shared.ring.size);
		pause_ms(random_below(4));
		for (at = 0; at < shared.ring.size && ring[at] == POISON; at++)
			;
		written += at != shared.ring.size;
		failed += session_setup(&shared) != 0;
	}
	racing = false;
	for (unsigned int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	check_eq("TEARDOWN or SETUP that failed", failed, 0);
	check_eq("rings that were written behind TEARDOWN", written, 0);
	check(outcomes[0] && outcomes[ENOENT] && outcomes[EINVAL],
	      "%llu calls in between succeeded, %llu found no session, %llu were out of turn",
	      (unsigned long long)outcomes[0], (unsigned long long)outcomes[ENOENT],
	      (unsigned long long)outcomes[EINVAL]);
	for (unsigned int i = 0; i < 256; i++)
		if (i && i != ENOENT && i != EINVAL && i != EBUSY)
			others += outcomes[i];
	check_eq("calls that failed in another way", others, 0);
	tear_down(&shared);
}

int main(void)
{
	gpu = open_gpu();
	info = perf_info(gpu);
	test_dup();
	test_fork();
	test_passing();
	test_foreign_handles();
	test_limits();
	test_start_in_flight();
	test_teardown_races();
	close(gpu);
	return 0;
}
