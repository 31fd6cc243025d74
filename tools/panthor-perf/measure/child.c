// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

#define NS_PER_S	1000000000ull

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* One that is ignored would be queued while it is blocked. */
static void add_unless_ignored(sigset_t *mask, int number)
{
	struct sigaction action;

	if (!sigaction(number, NULL, &action) && action.sa_handler != SIG_IGN)
		sigaddset(mask, number);
}

int child_init(struct child *child)
{
	sigset_t mask;

	memset(child, 0, sizeof(*child));
	sigemptyset(&mask);
	/* A shell ignores SIGINT and SIGQUIT for what it runs in the background. */
	add_unless_ignored(&mask, SIGHUP);
	sigaddset(&mask, SIGINT);
	add_unless_ignored(&mask, SIGPIPE);
	sigaddset(&mask, SIGQUIT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &mask, &child->old_mask))
		return -errno;
	child->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (child->signal_fd < 0) {
		int ret = -errno;

		sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
		return ret;
	}
	return 0;
}

/* The pipe closes by itself when the command runs; otherwise it carries the reason. */
int child_spawn(struct child *child, char **argv)
{
	const pid_t own = getpid();
	int pipe_fds[2];
	int err = 0;
	pid_t pid;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid < 0) {
		err = errno;
		close(pipe_fds[0]);
		close(pipe_fds[1]);
		return -err;
	}
	if (!pid) {
		/* However this program ends, the command does not stay behind. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != own)
			_exit(127);
		sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
		execvp(argv[0], argv);
		err = errno;
		if (write(pipe_fds[1], &err, sizeof(err)) != sizeof(err))
			_exit(125);
		_exit(127);
	}

	close(pipe_fds[1]);
	while (read(pipe_fds[0], &err, sizeof(err)) < 0 && errno == EINTR)
		;
	close(pipe_fds[0]);
	if (err) {
		waitpid(pid, NULL, 0);
		return -err;
	}
	child->pid = pid;
	return 0;
}

/* A terminal sends these to the command as well, which may go on. */
static bool is_of_terminal(const struct signalfd_siginfo *info)
{
	return (info->ssi_signo == SIGINT || info->ssi_signo == SIGQUIT) &&
	       info->ssi_code == SI_KERNEL;
}

/* Who asks twice means it. */
static void ask_to_end(struct child *child)
{
	kill(child->pid, child->asked ? SIGKILL : SIGTERM);
	child->asked = true;
}

/* Returns whether the end has come. */
static bool take_signals(struct child *child)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (read(child->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		if (!child->pid)
			end = true;
		else if (!is_of_terminal(&info))
			ask_to_end(child);
	}
	if (child->pid && waitpid(child->pid, &child->status, WNOHANG) == child->pid) {
		child->pid = 0;
		end = true;
	}
	return end;
}

int child_pause(struct child *child, uint64_t until_ns, int fd)
{
	struct pollfd pollfds[] = {
		{ .fd = child->signal_fd, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};
	uint64_t wake_ns = until_ns;

	if (child->end_ns && (!wake_ns || child->end_ns < wake_ns))
		wake_ns = child->end_ns;
	for (;;) {
		struct timespec timeout;
		uint64_t now;

		if (take_signals(child))
			return WAKE_END;
		now = now_ns();
		if (child->end_ns && now >= child->end_ns) {
			child->timed_out = child->pid;
			return WAKE_END;
		}
		if (pollfds[1].revents)
			return WAKE_READY;
		if (until_ns && now >= until_ns)
			return WAKE_TIME;
		if (wake_ns) {
			timeout.tv_sec = (wake_ns - now) / NS_PER_S;
			timeout.tv_nsec = (wake_ns - now) % NS_PER_S;
		}
		if (ppoll(pollfds, 2, wake_ns ? &timeout : NULL, NULL) < 0 && errno != EINTR)
			return -errno;
	}
}

void child_fini(struct child *child)
{
	struct pollfd pollfd = { .fd = child->signal_fd, .events = POLLIN };
	struct signalfd_siginfo info;

	if (child->pid && !child->asked)
		ask_to_end(child);
	while (child->pid && !take_signals(child))
		poll(&pollfd, 1, -1);
	/* A pending signal would be delivered to a handler of the caller. */
	while (read(child->signal_fd, &info, sizeof(info)) == sizeof(info))
		;
	close(child->signal_fd);
	sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
}
