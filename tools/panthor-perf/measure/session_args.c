// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The part of the command line that commands which take samples have in common. */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session_args.h"

#define NS_PER_S	1e9

/* A day. */
#define MAX_SECONDS	86400

/* Shorter periods need CAP_PERFMON, whatever the sysctl says. */
#define PERFMON_PERIOD_NS	1000000

enum {
	OPTION_WAKEUP = 0x400,
	OPTION_COMPACT,
	OPTION_SUSPEND,
	OPTION_DURATION,
	OPTION_DELAY,
};

static const struct argp_option options[] = {
	{ "duration", OPTION_DURATION, "SECONDS", 0, "End the measurement after this time; a "
	  "COMMAND that still runs is terminated", 2 },
	{ "delay", OPTION_DELAY, "SECONDS", 0, "Begin the measurement after this time, in which "
	  "COMMAND already runs", 2 },
	{ "wakeup", OPTION_WAKEUP, "SAMPLES[,MS]", 0, "With a period, read samples when SAMPLES of "
	  "them are unread, or MS ms have passed; with SAMPLES 0, only the time counts", 2 },
	{ "compact", OPTION_COMPACT, NULL, 0, "The kernel writes only the counters of -e", 2 },
	{ "allow-suspend", OPTION_SUSPEND, NULL, 0, "Allow runtime suspend of the GPU while no "
	  "program uses it; the samples then have the event suspend", 2 },
	{ 0 },
};

static uint64_t parse_seconds(struct argp_state *state, const char *name, const char *arg)
{
	bool is_number = *arg && strspn(arg, "0123456789.") == strlen(arg);
	double seconds;
	char *end;

	seconds = is_number ? strtod(arg, &end) : 0;
	if (!is_number || *end || !(seconds * NS_PER_S >= 1) || seconds > MAX_SECONDS)
		argp_error(state, "%s '%s' is not a number of seconds from 1 ns to %d s", name, arg,
			   MAX_SECONDS);
	return seconds * NS_PER_S + 0.5;
}

/* SAMPLES[,MS] */
static void parse_wakeup(struct argp_state *state, const char *arg, struct session_options *session)
{
	char *samples = strdup(arg), *comma;

	if (!samples)
		argp_failure(state, EXIT_ERROR, ENOMEM, "--wakeup");
	session->wakeup_ns = 0;
	comma = strchr(samples, ',');
	if (comma) {
		*comma = 0;
		session->wakeup_ns = parse_interval(state, comma + 1);
	}
	session->wakeup_samples = parse_number(state, "number of samples", samples, 0, 1u << 30);
	if (!session->wakeup_samples && !session->wakeup_ns)
		argp_error(state, "--wakeup 0 needs a time: 0,MS");
	session->flags |= DRM_PANTHOR_PERF_SETUP_WAKEUP;
	free(samples);
}

static error_t parse_session(int key, char *arg, struct argp_state *state)
{
	struct session_options *session = state->input;

	switch (key) {
	case OPTION_DURATION:
		session->duration_ns = parse_seconds(state, "duration", arg);
		return 0;
	case OPTION_DELAY:
		session->delay_ns = parse_seconds(state, "delay", arg);
		return 0;
	case OPTION_WAKEUP:
		parse_wakeup(state, arg, session);
		return 0;
	case OPTION_COMPACT:
		session->flags |= DRM_PANTHOR_PERF_SETUP_COMPACT;
		return 0;
	case OPTION_SUSPEND:
		session->flags |= DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = { .options = options, .parser = parse_session };

const struct argp_child session_children[] = {
	{ .argp = &argp },
	{ .argp = &common_argp },
	{ 0 },
};

static uint32_t parse_set(struct argp_state *state, const char *arg)
{
	int set = panthor_perf_set_find(arg);

	if (set < 0)
		argp_error(state, "there is no counter set '%s': primary, secondary, tertiary",
			   arg);
	return set;
}

static uint32_t parse_clock_mode(struct argp_state *state, const char *arg)
{
	int mode = panthor_perf_clock_mode_find(arg);

	if (mode < 0)
		argp_error(state, "there is no clock mode '%s': profiling, lowest, highest", arg);
	return mode;
}

static uint32_t parse_slots(struct argp_state *state, const char *arg)
{
	uint32_t slots = parse_number(state, "number of slots", arg, 1, 1u << 30);

	if (slots & (slots - 1))
		argp_error(state, "number of slots %u is not a power of two", slots);
	return slots;
}

error_t session_parse(int key, char *arg, struct argp_state *state,
		      struct session_options *session)
{
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = session;
		state->child_inputs[1] = &session->common;
		return 0;
	case 'e':
		parse_event(state, &session->events, arg);
		return 0;
	case 'n':
		session->samples = parse_number(state, "number of samples", arg, 1, INT64_MAX);
		return 0;
	case 'I':
		session->interval_ns = parse_interval(state, arg);
		session->has_interval = true;
		return 0;
	case SESSION_SET:
		session->set = parse_set(state, arg);
		return 0;
	case SESSION_SLOTS:
		session->slots = parse_slots(state, arg);
		return 0;
	case SESSION_CLOCKS:
		session->clock_mode = parse_clock_mode(state, arg);
		return 0;
	case ARGP_KEY_ARG:
		session->command = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void configure(const struct session_options *session,
		      struct panthor_perf_session_config *config)
{
	uint32_t slots = config->sample_slots;

	config->flags = session->flags;
	config->clock_mode = session->clock_mode;
	if (!config->sample_period_ns)
		config->flags &= ~DRM_PANTHOR_PERF_SETUP_WAKEUP;
	if (!(config->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP))
		return;
	config->wakeup_samples = session->wakeup_samples;
	if (!session->wakeup_samples ||
	    (session->samples && session->samples / 2 < slots && config->wakeup_samples >= slots))
		config->wakeup_samples = slots - 1;
	/* The time of a sample is over before the next one comes. */
	if (session->wakeup_ns && session->wakeup_ns < config->sample_period_ns)
		config->wakeup_samples = 1;
}

/* What allows it, a line each: for whom, and how. */
static void print_permissions(bool sysctl)
{
	char program[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[size < 0 ? 0 : size] = 0;
	fputs("  One of these allows it:\n", stderr);
	if (sysctl)
		fputs("    sudo sysctl dev.panthor.perf_paranoid=0\n"
		      "        the primary counter set, for all users of the GPU\n", stderr);
	fprintf(stderr,
		"    sudo setcap cap_perfmon+ep %s\n"
		"        this program, for all users who may run it\n"
		"    sudo panthor-perf run -- COMMAND\n"
		"        COMMAND, which runs as the user who calls sudo\n"
		"    sudo panthor-perf ...\n"
		"        as root\n"
		"  See PERMISSIONS.md, and \"Permissions\" in panthor-perf(1).\n",
		*program ? program : "panthor-perf");
}

int session_error(const char *path, bool sysctl, const struct panthor_perf_error *error)
{
	if (error->code == -EINVAL || error->code == -EOPNOTSUPP) {
		fail(0, "%s", error->text);
		return EXIT_USAGE;
	}
	fail(0, "creating a session on %s: %s", path, error->text);
	if (error->code == -EACCES)
		print_permissions(sysctl);
	return EXIT_ERROR;
}

/* With such a period, the sysctl does not decide. */
static bool is_short_period(const struct panthor_perf_session_config *config)
{
	return config->sample_period_ns && config->sample_period_ns < PERFMON_PERIOD_NS;
}

int session_open(const struct session_options *session, struct panthor_perf_device *device,
		 struct panthor_perf_session_config *config, struct panthor_perf_session **result)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	configure(session, config);
	if (panthor_perf_session_create(device, config, result, &error))
		return session_error(panthor_perf_device_path(device),
				     session->set == DRM_PANTHOR_PERF_SET_PRIMARY &&
				     !session->clock_mode && !is_short_period(config), &error);
	if (config->sample_period_ns && session->samples)
		panthor_perf_session_limit(*result, session->samples, NULL);
	return EXIT_OK;
}

int session_before_start(const struct session_options *session, struct child *child)
{
	int status, reason;

	if (!session->delay_ns)
		return EXIT_OK;
	status = session->command ? session_spawn(session, child) : EXIT_OK;
	if (status)
		return status;
	reason = child_pause(child, now_ns() + session->delay_ns, -1);
	if (reason < 0)
		return fail(reason, "waiting");
	if (reason == WAKE_END)
		return fail(0, "%s within the time of --delay: nothing was counted",
			    session->command ? "the command ended" : "interrupted");
	return EXIT_OK;
}

int session_after_start(const struct session_options *session, struct child *child)
{
	child->end_ns = session->duration_ns ? now_ns() + session->duration_ns : 0;
	return session->command && !session->delay_ns ? session_spawn(session, child) : EXIT_OK;
}

int session_spawn(const struct session_options *session, struct child *child)
{
	int ret = child_spawn(child, session->command);

	if (!ret)
		return EXIT_OK;
	fail(ret, "running %s", session->command[0]);
	return ret == -ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

int session_command_status(const struct session_options *session, const struct child *child)
{
	if (!session->command || child->timed_out)
		return EXIT_OK;
	if (WIFSIGNALED(child->status))
		return EXIT_SIGNAL + WTERMSIG(child->status);
	return WEXITSTATUS(child->status);
}

uint32_t session_room(const struct session_options *session, uint32_t slots)
{
	if (session->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP)
		while (slots < 2 * session->wakeup_samples)
			slots *= 2;
	return slots;
}

uint64_t session_wakeup_time(const struct session_options *session, uint64_t period_ns,
			     uint64_t left)
{
	uint64_t most = (session->wakeup_samples + 1ull) * period_ns;

	if (!(session->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP))
		return 0;
	if (session->wakeup_ns && (!session->wakeup_samples || session->wakeup_ns < most))
		most = session->wakeup_ns;
	if (most < period_ns)
		most = period_ns;
	if (left && left < most / period_ns)
		most = left * period_ns;
	return now_ns() + most;
}
