// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "child.h"
#include "cmd.h"
#include "print.h"
#include "raw.h"
#include "select.h"

#define DEFAULT_INTERVAL_MS	100
#define MAX_INTERVAL_MS		86400000
#define SAMPLE_TIMEOUT_MS	10000
#define NS_PER_MS		1000000ull

static const char doc[] =
	"Count events of the whole GPU, whatever program causes them.\n\n"
	"Without COMMAND, SAMPLES samples are taken, one every MS ms. With COMMAND, it is run, a "
	"sample is taken every MS ms if -I is given, and the last one when it ends.\v"
	"EVENTS is BLOCK:INDEX,... where BLOCK is fw, cshw (GPU front end), tiler, memsys, shader "
	"or csg, and INDEX is the index of a counter, a range A-B, or * for all. Counters 0 to 3 "
	"never count. -e may be given several times; without it, all counters of all blocks are "
	"taken. What a counter means depends on the GPU.\n\n"
	"The last sample is the one that ends the session: -n 8 asks for 7 samples and stops, which "
	"gives the eighth. Each sample holds what was counted since the one before; the "
	"first, since the start. SIGINT ends the measurement early, with its last sample; while "
	"COMMAND runs the signal is left to it. If measuring fails, COMMAND is sent SIGTERM.\n\n"
	"Without -e, a table has a line per block type: how many blocks and counters there are, "
	"how many of these are not zero, and their sum. With -e it has a line per counter: the sum "
	"and the value of each block; counters from a range or a * only where they are not zero. "
	"A sample without the flags OVERFLOW and ERROR is exact.\n\n"
	"--raw writes the samples as the kernel gave them, behind a header: see README.md of the "
	"tools for the format.\n\n"
	HELP_EXIT " With COMMAND and nothing of that: the exit status of COMMAND, 128 + N if "
	"signal N ended it, 126 if it cannot be run and 127 if it does not exist.";

enum {
	OPTION_RAW = 0x100,
	OPTION_SLOTS,
};

static const struct argp_option options[] = {
	{ "device", 'd', "DEVICE", 0, "Node of the GPU (default: the first render node of the "
	  "panthor driver)", 0 },
	{ "event", 'e', "EVENTS", 0, "Counters to read (default: all)", 0 },
	{ "samples", 'n', "SAMPLES", 0, "Number of samples (default: 1; with an interval from -I, "
	  "as many as come until the end of COMMAND or SIGINT)", 0 },
	{ "interval", 'I', "MS", 0, "Time between samples in ms; 0: none (default without COMMAND: "
	  "100)", 0 },
	{ "raw", OPTION_RAW, "FILE", 0, "Write the samples to FILE as well", 0 },
	{ "slots", OPTION_SLOTS, "N", 0, "Slots of the ring, a power of two (default: 32, within "
	  "the limits of the GPU)", 0 },
	{ 0 },
};

#define MAX_EVENT_OPTIONS	64

struct arguments {
	const char *device;
	const char *events[MAX_EVENT_OPTIONS];
	unsigned int event_count;
	uint64_t samples;
	bool has_interval;
	uint64_t interval_ms;
	const char *raw;
	uint32_t slots;
	char **command;
};

static uint64_t parse_number(struct argp_state *state, const char *what, const char *arg,
			     uint64_t min, uint64_t max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(arg, &end, 10);
	if (errno || end == arg || *end || strspn(arg, "0123456789") != strlen(arg) ||
	    value < min || value > max)
		argp_error(state, "%s '%s' is not a number from %" PRIu64 " to %" PRIu64, what, arg,
			   min, max);
	return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case 'd':
		args->device = arg;
		return 0;
	case 'e':
		if (args->event_count == MAX_EVENT_OPTIONS)
			argp_error(state, "more than %d options -e", MAX_EVENT_OPTIONS);
		args->events[args->event_count++] = arg;
		return 0;
	case 'n':
		args->samples = parse_number(state, "number of samples", arg, 1, INT64_MAX);
		return 0;
	case 'I':
		args->interval_ms = parse_number(state, "interval", arg, 0, MAX_INTERVAL_MS);
		args->has_interval = true;
		return 0;
	case OPTION_RAW:
		args->raw = arg;
		return 0;
	case OPTION_SLOTS:
		args->slots = parse_number(state, "number of slots", arg, 1, 1u << 30);
		if (args->slots & (args->slots - 1))
			argp_error(state, "number of slots %u is not a power of two", args->slots);
		return 0;
	case ARGP_KEY_ARG:
		args->command = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (args->command && args->samples > 1 && !args->interval_ms)
			argp_error(state,
				   "several samples of a command need an interval: give -I MS");
		if (args->command && args->has_interval && !args->interval_ms)
			argp_error(state, "the interval of a command's samples is at least 1 ms");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[-- COMMAND [ARGUMENT...]]",
	.doc = doc,
};

/**
 * struct measurement - a measurement
 */
struct measurement {
	/** @args: What the user wants. */
	struct arguments args;

	/** @device: The GPU. */
	struct panthor_perf_device *device;

	/** @info: Its counter configuration. */
	struct drm_panthor_perf_info info;

	/** @selection: The counters that are read. */
	struct selection selection;

	/** @session: The session. */
	struct panthor_perf_session *session;

	/** @raw: The raw sample file, if there is one. */
	struct raw_writer raw;

	/** @child: Signals and the command. */
	struct child child;

	/** @taken: Samples that were read. */
	uint64_t taken;

	/** @errors: Samples with ERROR among them. */
	uint64_t errors;

	/** @overflows: Samples with OVERFLOW among them. */
	uint64_t overflows;
};

static int select_counters(struct measurement *stat)
{
	char error[256];
	unsigned int i;

	if (!stat->args.event_count)
		selection_add_all(&stat->selection, &stat->info);
	for (i = 0; i < stat->args.event_count; i++) {
		if (selection_add(&stat->selection, &stat->info, stat->args.events[i], error,
				  sizeof(error))) {
			fail(0, "%s", error);
			return EXIT_USAGE;
		}
	}
	return EXIT_OK;
}

static int check_slots(const struct measurement *stat)
{
	uint32_t slots = stat->args.slots;

	if (slots && (slots < stat->info.min_sample_slots || slots > stat->info.max_sample_slots)) {
		fail(0, "%u slots are out of the GPU's limits: %u to %u", slots,
		     stat->info.min_sample_slots, stat->info.max_sample_slots);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

static int create_raw(struct measurement *stat, const struct drm_panthor_perf_section *sections,
		      size_t count)
{
	struct drm_panthor_gpu_info gpu;
	struct raw_header header = {
		.section_count = count,
		.sample_size = panthor_perf_session_sample_size(stat->session),
		.block_set = DRM_PANTHOR_PERF_SET_PRIMARY,
	};
	int ret;

	ret = panthor_perf_device_gpu_info(stat->device, &gpu);
	if (ret)
		return fail(ret, "asking the GPU what it is");
	header.gpu_id = gpu.gpu_id;
	header.shader_present = gpu.shader_present;
	ret = raw_create(&stat->raw, stat->args.raw, &header, &stat->info, sections);
	return ret ? fail(ret, "writing %s", stat->args.raw) : EXIT_OK;
}

/* Waits for one sample, which was asked for as number nr, and shows it. */
static int take_sample(struct measurement *stat, uint64_t nr)
{
	struct panthor_perf_sample sample;
	int ret;

	ret = panthor_perf_session_wait(stat->session, SAMPLE_TIMEOUT_MS);
	if (!ret)
		return fail(0, "sample %" PRIu64 " did not come within %d ms", nr,
			    SAMPLE_TIMEOUT_MS);
	if (ret > 0)
		ret = panthor_perf_session_read(stat->session, &sample);
	if (ret < 0)
		return fail(ret, "waiting for sample %" PRIu64, nr);
	if (sample.header.user_data != nr)
		return fail(0, "sample %" PRIu64 " came as an answer to request %" PRIu64, nr,
			    (uint64_t)sample.header.user_data);

	if (stat->args.raw) {
		ret = raw_write(&stat->raw, sample.data);
		if (ret)
			return fail(ret, "writing %s", stat->args.raw);
	}
	stat->taken++;
	stat->errors += !!(sample.header.flags & DRM_PANTHOR_PERF_SAMPLE_ERROR);
	stat->overflows += !!(sample.header.flags & DRM_PANTHOR_PERF_SAMPLE_OVERFLOW);
	print_sample(stdout, &stat->info, &sample, &stat->selection, stat->args.event_count);
	fflush(stdout);
	return EXIT_OK;
}

/* Samples at each interval, and one more at the end, whatever comes first. */
static int take_samples(struct measurement *stat)
{
	const struct arguments *args = &stat->args;
	uint64_t interval_ns = args->interval_ms * NS_PER_MS;
	uint64_t next_ns = now_ns();
	uint64_t nr;

	for (nr = 0; ; nr++) {
		bool last = args->samples && nr + 1 == args->samples;
		int reason, ret, status;

		next_ns += interval_ns;
		if (args->command && (last || !interval_ns))
			reason = child_pause(&stat->child, 0);
		else
			reason = child_pause(&stat->child, next_ns);
		if (reason < 0)
			return fail(reason, "waiting");
		last = last || reason == WAKE_END;

		if (last) {
			ret = panthor_perf_session_stop(stat->session, nr);
			if (ret)
				return fail(ret, "stopping the session");
		} else {
			ret = panthor_perf_session_sample(stat->session, nr);
			if (ret)
				return fail(ret, "asking for sample %" PRIu64, nr);
		}
		status = take_sample(stat, nr);
		if (status || last)
			return status;
	}
}

static int spawn(struct measurement *stat)
{
	int ret = child_spawn(&stat->child, stat->args.command);

	if (!ret)
		return EXIT_OK;
	fail(ret, "running %s", stat->args.command[0]);
	return ret == -ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

static int command_status(const struct measurement *stat)
{
	if (!stat->args.command)
		return EXIT_OK;
	if (WIFSIGNALED(stat->child.status))
		return EXIT_SIGNAL + WTERMSIG(stat->child.status);
	return WEXITSTATUS(stat->child.status);
}

static int run_session(struct measurement *stat)
{
	int ret, status;

	ret = child_init(&stat->child);
	if (ret)
		return fail(ret, "catching signals");
	ret = panthor_perf_session_start(stat->session, 0);
	if (ret) {
		status = fail(ret, "starting the session");
		goto out_fini;
	}
	status = stat->args.command ? spawn(stat) : EXIT_OK;
	if (!status)
		status = take_samples(stat);
	if (!status) {
		printf("%" PRIu64 " sample%s, %" PRIu64 " with ERROR, %" PRIu64 " with OVERFLOW\n",
		       stat->taken, stat->taken == 1 ? "" : "s", stat->errors, stat->overflows);
		status = command_status(stat);
	}

out_fini:
	child_fini(&stat->child);
	return status;
}

static int with_session(struct measurement *stat)
{
	struct drm_panthor_perf_section sections[MAX_SECTIONS];
	struct panthor_perf_session_config config = {
		.block_set = DRM_PANTHOR_PERF_SET_PRIMARY,
		.sample_slots = stat->args.slots,
		.sections = sections,
		.section_count = selection_sections(&stat->selection, sections),
	};
	int ret, status;

	ret = panthor_perf_session_create(stat->device, &config, &stat->session);
	if (ret)
		return fail(ret, "creating a session on %s",
			    panthor_perf_device_path(stat->device));

	status = stat->args.raw ? create_raw(stat, sections, config.section_count) : EXIT_OK;
	if (!status) {
		status = run_session(stat);
		if (stat->args.raw) {
			ret = raw_close(&stat->raw);
			if (ret)
				status = fail(ret, "writing %s", stat->args.raw);
		}
	}
	panthor_perf_session_destroy(stat->session);
	return status;
}

static int with_device(struct measurement *stat)
{
	const char *reason;
	int ret, status;

	ret = panthor_perf_device_info(stat->device, &stat->info, NULL);
	if (ret) {
		status = info_error(ret, &reason);
		fail(0, "%s: %s", panthor_perf_device_path(stat->device), reason);
		return status;
	}
	status = select_counters(stat);
	if (!status)
		status = check_slots(stat);
	return status ? status : with_session(stat);
}

/**
 * cmd_stat() - The sub-command stat
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_stat(int argc, char **argv)
{
	struct measurement stat = { 0 };
	int status;

	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &stat.args))
		return EXIT_USAGE;
	if (!stat.args.has_interval && !stat.args.command)
		stat.args.interval_ms = DEFAULT_INTERVAL_MS;
	if (!stat.args.samples && !(stat.args.has_interval && stat.args.interval_ms))
		stat.args.samples = 1;

	status = open_device(stat.args.device, &stat.device);
	if (status)
		return status;
	status = with_device(&stat);
	panthor_perf_device_close(stat.device);
	return status;
}
