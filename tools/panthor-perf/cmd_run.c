// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd.h"
#include "session_args.h"

static const char doc[] =
	"Run a command with the permission to count, without privileges.\vThe program opens the "
	"GPU, sets up one session in the open file, drops its privileges, and executes COMMAND "
	"with the open file. The driver lets every holder of this file count. PANTHOR_PERF_FD in "
	"the environment of COMMAND is the number of the file descriptor. Programs that use "
	"libpanthor-perf need no change.\n\n"
	"As root, COMMAND runs as USER or as the user that called sudo. Otherwise COMMAND runs as "
	"the same user, without CAP_PERFMON.\n\n"
	HELP_EXIT " 126: COMMAND cannot be run; 127: it does not exist. Otherwise the status is "
		  "that of COMMAND.";

static const struct argp_option options[] = {
	{ "device", 'd', "DEVICE", 0, "Node of the GPU (default: the first render node of the "
	  "panthor driver)", 0 },
	{ "user", 'u', "USER", 0, "As root: run COMMAND as USER, a name or a number (default: the "
	  "user who called sudo)", 0 },
	{ 0 },
};

struct arguments {
	const char *device;
	const char *user;
	char **command;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case 'd':
		args->device = arg;
		return 0;
	case 'u':
		args->user = arg;
		return 0;
	case ARGP_KEY_ARGS:
		args->command = state->argv + state->next;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no command given");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[--] COMMAND [ARGUMENT...]",
	.doc = doc,
	.children = help_children,
};

/* A session without counters: from then on, the driver lets every holder of the file count. */
static int use_right(struct panthor_perf_device *device)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const char *path = panthor_perf_device_path(device);
	struct panthor_perf_session *session;
	const struct panthor_perf_gpu *gpu;

	if (panthor_perf_device_gpu(device, &gpu, &error)) {
		fail(0, "%s: %s", path, error.text);
		return gpu_error(&error);
	}
	if (panthor_perf_session_create(device, NULL, &session, &error))
		return session_error(path, true, &error);
	panthor_perf_session_destroy(session);
	return EXIT_OK;
}

/**
 * struct identity - the user that COMMAND runs as
 */
struct identity {
	/** @uid: Number of the user. */
	uid_t uid;

	/** @gid: Number of the user's group. */
	gid_t gid;

	/** @user: What the system knows of the user; %NULL: nothing. */
	const struct passwd *user;
};

/* A static program cannot load the modules that know users. */
static const struct passwd *user_by_uid(uid_t uid)
{
#ifdef STATIC_PROGRAM
	(void)uid;
	return NULL;
#else
	return getpwuid(uid);
#endif
}

static const struct passwd *user_by_name(const char *name)
{
#ifdef STATIC_PROGRAM
	(void)name;
	return NULL;
#else
	return getpwnam(name);
#endif
}

static int set_groups(const struct identity *identity)
{
#ifndef STATIC_PROGRAM
	if (identity->user)
		return initgroups(identity->user->pw_name, identity->gid);
#endif
	return setgroups(1, &identity->gid);
}

/* The number of a user or a group that is not root; 0: the text is none. */
static unsigned int parse_id(const char *text)
{
	unsigned long id;

	if (!text || !*text || strspn(text, "0123456789") != strlen(text))
		return 0;
	errno = 0;
	id = strtoul(text, NULL, 10);
	return errno || id >= UINT32_MAX ? 0 : id;
}

/* Whom -u names, with a message if there is no such user. */
static int named_user(const char *name, struct identity *identity)
{
	identity->user = user_by_name(name);
	identity->uid = parse_id(name);
	if (!identity->user && identity->uid)
		identity->user = user_by_uid(identity->uid);
	if (identity->user) {
		identity->uid = identity->user->pw_uid;
		identity->gid = identity->user->pw_gid;
	} else {
		identity->gid = identity->uid;
	}
	if (identity->uid || identity->user)
		return EXIT_OK;
	fail(0, "there is no user '%s'", name);
	return EXIT_USAGE;
}

/* Who called sudo. */
static void sudo_user(struct identity *identity)
{
	identity->uid = parse_id(getenv("SUDO_UID"));
	identity->gid = parse_id(getenv("SUDO_GID"));
	if (!identity->gid)
		identity->gid = identity->uid;
	if (identity->uid)
		identity->user = user_by_uid(identity->uid);
}

static int become(const struct identity *identity)
{
	const struct passwd *user = identity->user;
	const uid_t uid = identity->uid;
	const gid_t gid = identity->gid;

	if (set_groups(identity) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid))
		return -errno;
	if (user && (setenv("HOME", user->pw_dir, 1) || setenv("USER", user->pw_name, 1) ||
		     setenv("LOGNAME", user->pw_name, 1)))
		return -errno;
	/* There must be no way back. */
	return uid && !setuid(0) ? -EPERM : 0;
}

/* Takes CAP_PERFMON out of all sets of which an executed program gets its capabilities. */
static int drop_capability(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	const unsigned int word = CAP_PERFMON / 32, bit = 1u << CAP_PERFMON % 32;

	/* What root gets back by execve(). Fails without CAP_SETPCAP, which root has. */
	prctl(PR_CAPBSET_DROP, CAP_PERFMON, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_LOWER, CAP_PERFMON, 0, 0);
	if (syscall(SYS_capget, &header, data))
		return -errno;
	data[word].effective &= ~bit;
	data[word].permitted &= ~bit;
	data[word].inheritable &= ~bit;
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

static int drop_privileges(const struct identity *identity)
{
	const uid_t uid = getuid();
	const gid_t gid = getgid();
	int ret = 0;

	if (identity->uid)
		ret = become(identity);
	else if (uid != geteuid() || gid != getegid())
		ret = setresgid(gid, gid, gid) || setresuid(uid, uid, uid) ? -errno : 0;
	return ret ? ret : drop_capability();
}

static int run_with(int fd, const struct identity *identity, char **command)
{
	char number[16];
	int ret;

	snprintf(number, sizeof(number), "%d", fd);
	if (setenv(PANTHOR_PERF_FD_VARIABLE, number, 1))
		return fail(-errno, "preparing the environment");
	ret = drop_privileges(identity);
	if (ret)
		return fail(ret, "dropping privileges");
	execvp(command[0], command);
	ret = -errno;
	fail(ret, "running %s", command[0]);
	return ret == -ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

/**
 * cmd_run() - The sub-command run
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status; none if the command runs.
 */
int cmd_run(int argc, char **argv)
{
	struct panthor_perf_device *device;
	struct identity identity = { 0 };
	struct arguments args = { 0 };
	int fd = -1, status = EXIT_OK;

	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &args))
		return EXIT_USAGE;
	if (args.user)
		status = named_user(args.user, &identity);
	/* Of another user, the environment is not to be trusted. */
	else if (!getuid())
		sudo_user(&identity);
	if (status)
		return status;
	status = open_device(args.device, &device);
	if (status)
		return status;
	status = use_right(device);
	if (!status) {
		/* Above the standard streams, and inherited. */
		fd = fcntl(panthor_perf_device_fd(device), F_DUPFD, STDERR_FILENO + 1);
		if (fd < 0)
			status = fail(-errno, "passing on the GPU");
	}
	panthor_perf_device_close(device);
	if (!status)
		status = run_with(fd, &identity, args.command);
	if (fd >= 0)
		close(fd);
	return status;
}
