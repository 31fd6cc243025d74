// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd.h"
#include "measure/session_args.h"

static const char doc[] =
	"Run a command as a user, with the permission to count.\vAs root, the program opens the GPU, "
	"becomes USER or the user that called sudo, and executes COMMAND with CAP_PERFMON as its only "
	"capability. COMMAND and its children can set up sessions of all counter sets, and can use "
	"perf on the whole system. PANTHOR_PERF_FD in the environment of COMMAND is the number of the "
	"file descriptor of the GPU. Programs that use libpanthor-perf need no change.\n\n"
	"Other users cannot use this command, also if the file of the program has CAP_PERFMON.\n\n"
	HELP_EXIT " 126: COMMAND cannot be run; 127: it does not exist. Otherwise the status is "
		  "that of COMMAND.";

static const struct argp_option options[] = {
	{ "device", 'd', "DEVICE", 0, "Node of the GPU (default: the first render node of the "
	  "panthor driver)", 0 },
	{ "user", 'u', "USER", 0, "Run COMMAND as USER, a name or a number (default: the user who "
	  "called sudo)", 0 },
	{ 0 },
};

struct arguments {
	const char *device;
	const char *user;
	char **command;
};

static error_t parse_run(int key, char *arg, struct argp_state *state)
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
	.parser = parse_run,
	.args_doc = "[--] COMMAND [ARGUMENT...]",
	.doc = doc,
	.children = help_children,
};

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

/* Reads the number of a user or a group. */
static bool parse_id(const char *text, unsigned int *id)
{
	unsigned long value;

	if (!text || !*text || strspn(text, "0123456789") != strlen(text))
		return false;
	errno = 0;
	value = strtoul(text, NULL, 10);
	/* -1 is no user: setresuid() would change nothing. */
	if (errno || value >= UINT32_MAX)
		return false;
	*id = value;
	return true;
}

/* The user that -u names, with a message if there is no such user. */
static int named_user(const char *name, struct identity *identity)
{
	bool number = parse_id(name, &identity->uid);

	identity->user = user_by_name(name);
	if (!identity->user && number)
		identity->user = user_by_uid(identity->uid);
	if (identity->user) {
		identity->uid = identity->user->pw_uid;
		identity->gid = identity->user->pw_gid;
	} else if (number) {
		identity->gid = identity->uid;
	} else {
		fail(0, "there is no user '%s'", name);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

/* The user that called sudo; root without sudo. */
static void sudo_user(struct identity *identity)
{
	if (!parse_id(getenv("SUDO_UID"), &identity->uid))
		return;
	if (!parse_id(getenv("SUDO_GID"), &identity->gid) || !identity->gid)
		identity->gid = identity->uid;
	identity->user = user_by_uid(identity->uid);
}

static int find_user(const char *name, struct identity *identity)
{
	int status = EXIT_OK;

	if (name)
		status = named_user(name, identity);
	else
		sudo_user(identity);
	if (status || identity->uid)
		return status;
	fail(0, "COMMAND does not run as root: name its user by -u USER, or use sudo");
	return EXIT_USAGE;
}

/* ---- Capabilities ---- */

#define PERFMON_WORD	CAP_TO_INDEX(CAP_PERFMON)
#define PERFMON_BIT	CAP_TO_MASK(CAP_PERFMON)

/* The sets of capabilities of this process. */
struct capabilities {
	struct __user_cap_data_struct word[_LINUX_CAPABILITY_U32S_3];
};

static int get_capabilities(struct capabilities *caps)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return syscall(SYS_capget, &header, caps->word) ? -errno : 0;
}

static int set_capabilities(const struct capabilities *caps)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return syscall(SYS_capset, &header, caps->word) ? -errno : 0;
}

static bool may_use_perfmon(void)
{
	struct capabilities caps;

	return !get_capabilities(&caps) && caps.word[PERFMON_WORD].permitted & PERFMON_BIT;
}

/*
 * Makes CAP_PERFMON the only capability of this process, and of the program that it executes.
 *
 * The program gets it by the ambient set. A program that gets a capability by its file, or by a
 * change of its user, runs with AT_SECURE: the dynamic linker, the Vulkan loader and
 * libpanthor-perf then ignore variables of the environment.
 *
 * The bounding set stays as it is. It limits only setuid programs and programs with a capability
 * in their file. COMMAND can execute those as its user can.
 */
static int keep_only_perfmon(void)
{
	struct capabilities now, only = { 0 };
	int ret;

	only.word[PERFMON_WORD].effective = PERFMON_BIT;
	only.word[PERFMON_WORD].permitted = PERFMON_BIT;
	only.word[PERFMON_WORD].inheritable = PERFMON_BIT;
	ret = set_capabilities(&only);
	if (ret)
		return ret;
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) ||
	    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_PERFMON, 0, 0))
		return -errno;

	ret = get_capabilities(&now);
	if (ret)
		return ret;
	if (memcmp(&now, &only, sizeof(now)) ||
	    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, CAP_PERFMON, 0, 0) != 1)
		return -EPERM;
	return 0;
}

static int become(const struct identity *identity)
{
	const uid_t uid = identity->uid;
	const gid_t gid = identity->gid;
	int ret;

	/* Without this flag, the kernel removes all capabilities when the user changes. */
	if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
		return -errno;
	if (set_groups(identity) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid))
		return -errno;
	/* The session keyring of root stays behind. Where the call does not exist, or is not
	 * permitted as in containers, COMMAND cannot use keys either.
	 */
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0 && errno != ENOSYS &&
	    errno != EPERM)
		return -errno;
	ret = keep_only_perfmon();
	if (ret)
		return ret;
	/* There must be no way back. */
	return setuid(0) ? 0 : -EPERM;
}

/* ---- COMMAND ---- */

static int prepare_environment(const struct identity *identity, int fd)
{
	const struct passwd *user = identity->user;
	char number[16];

	snprintf(number, sizeof(number), "%d", fd);
	if (setenv(PANTHOR_PERF_FD_VARIABLE, number, 1) ||
	    setenv("HOME", user ? user->pw_dir : "/", 1))
		return -errno;
	if (!user)
		return unsetenv("USER") || unsetenv("LOGNAME") ? -errno : 0;
	return setenv("USER", user->pw_name, 1) || setenv("LOGNAME", user->pw_name, 1) ? -errno : 0;
}

/*
 * Creates a session without counters. It fails if the kernel does not accept the capability, for
 * example because it is that of another user namespace than the initial one.
 */
static int try_session(struct panthor_perf_device *device)
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

/* Drops the privileges. On success, @fd is the open file of the GPU for COMMAND. */
static int prepare(const char *name, const struct identity *identity, int *fd)
{
	struct panthor_perf_device *device;
	int ret, status;

	status = open_device(name, &device);
	if (status)
		return status;
	/* Above the standard streams, and inherited. */
	*fd = fcntl(panthor_perf_device_fd(device), F_DUPFD, STDERR_FILENO + 1);
	if (*fd < 0) {
		status = fail(-errno, "passing on the GPU");
	} else {
		ret = become(identity);
		status = ret ? fail(ret, "dropping privileges") : try_session(device);
	}
	panthor_perf_device_close(device);
	return status;
}

static int execute(char **command)
{
	int ret;

	execvp(command[0], command);
	ret = -errno;
	fail(ret, "running %s", command[0]);
	return ret == -ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

/*
 * Prints why the caller cannot use this command. With a capability in the program's file, each user
 * who may execute it could otherwise give CAP_PERFMON to every program.
 */
static int refuse_user(void)
{
	if (getauxval(AT_SECURE) && may_use_perfmon())
		return fail(0, "only root can use 'run': COMMAND does not get the capability of "
			    "this program's file; 'sysctl dev.panthor.perf_paranoid=0' opens the "
			    "primary counter set to all programs");
	return fail(0, "only root can use 'run': sudo panthor-perf run -- COMMAND");
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
	struct identity identity = { 0 };
	struct arguments args = { 0 };
	int ret, status, fd = -1;

	if (parse_arguments(&argp, argc, argv, ARGP_IN_ORDER, &args))
		return EXIT_USAGE;
	if (getuid() || geteuid())
		return refuse_user();
	status = find_user(args.user, &identity);
	if (status)
		return status;
	if (!may_use_perfmon())
		return fail(0, "root has no CAP_PERFMON here (a container?): see PERMISSIONS.md");
	status = prepare(args.device, &identity, &fd);
	if (!status) {
		ret = prepare_environment(&identity, fd);
		status = ret ? fail(ret, "preparing the environment") : execute(args.command);
	}
	if (fd >= 0)
		close(fd);
	return status;
}
