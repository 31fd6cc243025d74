// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "measure/child.h"
#include "measure/session_args.h"
#include "top.h"

#define DEFAULT_INTERVAL_NS	1000000000ull
#define SAMPLE_TIMEOUT_NS	10000000000ull
#define NS_PER_MS		1000000
static const char doc[] =
	"Show the counters of the GPU, live, on a terminal.\vWithout -e the program shows the most "
	"important derived counters; v shows all of them, and all counters. EVENTS is as for "
	"`panthor-perf stat'. A value is the count since the previous sample: the sum over all "
	"blocks of a type, or with i that of each block. The bar of a percentage is full at 100, "
	"that of any other value at the largest value so far.\n\n"
	"h explains the keys; q and SIGINT quit.\n\n"
	HELP_EXIT;

enum {
	OPTION_MANUAL = 0x100,
	OPTION_SORT,
	OPTION_SUSPEND,
};

static const struct argp_option options[] = {
	{ "event", 'e', "EVENTS", 0, "Counters to show, by name or by block; may be given several "
	  "times", 0 },
	{ "interval", 'I', "MS", 0, "Time between two samples in ms (default: 1000)", 0 },
	{ "samples", 'n', "SAMPLES", 0, "End after this number of samples", 0 },
	{ "set", SESSION_SET, "SET", 0, "Counter set: primary, secondary or tertiary (default: "
	  "primary)", 0 },
	{ "manual", OPTION_MANUAL, NULL, 0, "Request each sample, instead of samples that the "
	  "kernel takes at a period", 0 },
	{ "allow-suspend", OPTION_SUSPEND, NULL, 0, "Allow runtime suspend of the GPU while no "
	  "program uses it; the program requests samples, as with --manual, and those of a "
	  "suspended GPU have the event suspend", 0 },
	{ "per-instance", 'i', NULL, 0, "Begin with a line for each block", 0 },
	{ "sort", OPTION_SORT, "ORDER", 0, "Begin with this order: table, value or name", 0 },
	{ 0 },
};

struct arguments {
	struct session_options session;
	unsigned int sort;
	bool manual, instances, suspend;
};

static error_t parse_top(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->session.common;
		return 0;
	case 'I':
		args->session.interval_ns = parse_interval(state, arg);
		if (!args->session.interval_ns)
			argp_error(state, "the interval is more than 0 ms");
		return 0;
	case OPTION_MANUAL:
		args->manual = true;
		return 0;
	case 'i':
		args->instances = true;
		return 0;
	case OPTION_SUSPEND:
		args->suspend = true;
		return 0;
	case OPTION_SORT:
		for (args->sort = 0; args->sort < TOP_SORTS; args->sort++)
			if (!strcmp(arg, top_sort_name(args->sort)))
				return 0;
		argp_error(state, "--sort is table, value or name, not '%s'", arg);
		return EINVAL;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	default:
		return session_parse(key, arg, state, &args->session);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_top,
	.doc = doc,
	.children = common_children,
};

/**
 * struct live - a running panthor-perf top
 */
struct live {
	/** @args: What the user wants. */
	struct arguments args;

	/** @device: The GPU. */
	struct panthor_perf_device *device;

	/** @view: Its counter configuration, and what counters mean. */
	struct gpu_view view;

	/** @session: The session. */
	struct panthor_perf_session *session;

	/** @periodic: The kernel takes the samples. */
	bool periodic;

	/** @next_ns: When the next sample is requested. */
	uint64_t next_ns;

	/** @asked_ns: When a sample was requested that has not come, or 0. */
	uint64_t asked_ns;

	/** @taken: Samples that came. */
	uint64_t taken;

	/** @signals: SIGINT and SIGTERM. */
	struct child signals;

	/** @top: What is shown. */
	struct top top;

	/** @screen: Where. */
	struct screen screen;
};

/* Prints the error after the terminal is restored. */
#define fail_top(live, ...)	(screen_close(&(live)->screen), fail(__VA_ARGS__))

/* All samples that are there, of which the newest is shown. */
static int take_samples(struct live *live)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const struct panthor_perf_sample *sample = NULL;
	int ret;

	while ((ret = panthor_perf_session_wait(live->session, 0, &error)) > 0) {
		ret = panthor_perf_session_read(live->session, &sample, &error);
		if (ret < 0)
			break;
		live->taken++;
		live->asked_ns = 0;
	}
	if (ret < 0)
		return fail_top(live, 0, "reading a sample: %s", error.text);
	if (!sample || live->top.paused)
		return EXIT_OK;
	top_set(&live->top, sample);
	ret = top_update(&live->top);
	if (ret)
		return fail_top(live, ret, "showing a sample");
	screen_draw(&live->screen, &live->top);
	return EXIT_OK;
}

static int ask(struct live *live)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	uint64_t now = now_ns();

	if (live->asked_ns && now - live->asked_ns > SAMPLE_TIMEOUT_NS)
		return fail_top(live, 0, "a sample did not come within 10 s");
	if (live->periodic || live->asked_ns || now < live->next_ns)
		return EXIT_OK;
	if (panthor_perf_session_sample(live->session, live->taken, &error))
		return fail_top(live, 0, "requesting a sample: %s", error.text);
	live->asked_ns = now;
	live->next_ns += live->args.session.interval_ns;
	if (live->next_ns < now)
		live->next_ns = now;
	return EXIT_OK;
}

/* Time until there is something to do without a key or a sample, in ms. */
static int timeout_ms(const struct live *live)
{
	uint64_t now = now_ns();

	if (live->periodic)
		return -1;
	if (live->asked_ns)
		return 1000;
	return now >= live->next_ns ? 0 : (live->next_ns - now + NS_PER_MS - 1) / NS_PER_MS;
}

static int run(struct live *live)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = panthor_perf_session_fd(live->session), .events = POLLIN },
		{ .fd = live->signals.signal_fd, .events = POLLIN },
	};
	int ret, status;

	live->next_ns = now_ns() + live->args.session.interval_ns;
	screen_draw(&live->screen, &live->top);
	for (;;) {
		status = ask(live);
		if (status)
			return status;
		ret = poll(fds, ARRAY_SIZE(fds), timeout_ms(live));
		if (ret < 0 && errno != EINTR)
			return fail_top(live, -errno, "waiting");
		/* A new size of the terminal is a key too, and comes as a signal. */
		if (ret < 0 || fds[0].revents & POLLIN) {
			ret = screen_keys(&live->screen, &live->top);
			if (ret < 0)
				return fail_top(live, ret, "showing a sample");
			if (ret)
				return EXIT_OK;
			screen_draw(&live->screen, &live->top);
		}
		if (fds[0].revents & (POLLHUP | POLLERR))
			return EXIT_OK;
		if (fds[2].revents && child_pause(&live->signals, now_ns(), -1) == WAKE_END)
			return EXIT_OK;
		status = take_samples(live);
		if (status)
			return status;
		if (live->args.session.samples && live->taken >= live->args.session.samples)
			return EXIT_OK;
	}
}

static int with_screen(struct live *live)
{
	int ret, status;

	live->screen.color = use_color(&live->args.session.common, stdout);
	ret = screen_open(&live->screen);
	if (ret == -EOPNOTSUPP)
		status = fail(0, "this program was built without ncurses, which top needs; "
			      "`panthor-perf stat -I 1000' needs none");
	else if (ret)
		status = fail(0, "top needs a terminal; `panthor-perf stat -I 1000' needs none");
	else
		status = run(live);
	screen_close(&live->screen);
	return status;
}

static int with_signals(struct live *live)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret, status;

	ret = child_init(&live->signals);
	if (ret)
		return fail(ret, "catching signals");
	ret = panthor_perf_session_start(live->session, 0, &error);
	status = ret ? fail(0, "starting the session: %s", error.text) : with_screen(live);
	child_fini(&live->signals);
	return status;
}

static int top_with_session(struct live *live)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int status;

	/* All counters, so that another list is one key away. */
	config.selection = live->top.lists[TOP_COUNTERS].selection;
	config.sample_period_ns = live->periodic ? live->args.session.interval_ns : 0;
	config.flags = live->args.suspend ? DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND : 0;
	if (panthor_perf_session_create(live->device, &config, &live->session, &error))
		return session_error(live->top.device,
				     live->view.set == DRM_PANTHOR_PERF_SET_PRIMARY, &error);
	status = with_signals(live);
	panthor_perf_session_destroy(live->session);
	return status;
}

/* The counters of -e. */
static int choose_top_events(struct live *live, struct event_list *events)
{
	int ret = events_init(events, &live->view);

	if (ret)
		return fail(ret, "choosing counters");
	return add_events(events, &live->args.session.events);
}

static int top_with_device(struct live *live)
{
	struct event_list events = { 0 };
	int ret, status;
	char name[32];

	status = open_view(&live->args.session.common, live->device, &live->view);
	if (status)
		return status;
	live->view.set = live->args.session.set;
	/* While the GPU is suspended no period ends. A requested sample comes nevertheless. */
	live->periodic = live->view.info.min_period_ns && !live->args.manual &&
			 !live->args.suspend;
	live->top.view = &live->view;
	live->top.gpu = gpu_name(&live->view, name, sizeof(name));
	live->top.device = panthor_perf_device_path(live->device);
	live->top.sort = live->args.sort;
	live->top.instances = live->args.instances;
	live->top.list = live->args.session.events.count ? TOP_EVENTS : TOP_SUMMARY;
	status = choose_top_events(live, &events);
	if (!status) {
		ret = top_init(&live->top, &events);
		status = ret ? fail(ret, "choosing counters") : top_with_session(live);
	}
	top_fini(&live->top);
	events_fini(&events);
	close_view(&live->view);
	return status;
}

/**
 * cmd_top() - The sub-command top
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_top(int argc, char **argv)
{
	struct live live = { .args.session.interval_ns = DEFAULT_INTERVAL_NS };
	int status;

	if (parse_arguments(&argp, argc, argv, 0, &live.args))
		return EXIT_USAGE;
	status = open_device(live.args.session.common.device, &live.device);
	if (status)
		return status;
	status = top_with_device(&live);
	panthor_perf_device_close(live.device);
	return status;
}
