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

#define DEFAULT_INTERVAL_NS	100000000ull
#define MAX_INTERVAL_MS		86400000ull
#define SAMPLE_TIMEOUT_MS	10000
#define NS_PER_MS		1000000ull
#define MS_DECIMALS		6

/* User data of a session's periods, and of the sample behind them. */
#define PERIOD_DATA		1
#define FINAL_DATA		2

static const char doc[] =
	"Count events of the whole GPU, whatever program causes them.\n\n"
	"Without COMMAND, SAMPLES samples are taken. With COMMAND, it is run, and the last sample is "
	"taken when it ends.\v"
	"With -I the kernel takes a sample at each multiple of the period, without help of this "
	"program: one that comes late, or finds no room, is merged into the next, which says so by "
	"the flag STRETCHED, the number of merged periods and the events. Nothing is "
	"lost. Without -I this program asks for each sample, every 100 ms without COMMAND; it also "
	"does so with -I and --manual, with a single sample, and where the driver has no periods.\n\n"
	"EVENTS is BLOCK:INDEX,... where BLOCK is fw, cshw (GPU front end), tiler, memsys, shader "
	"or csg, and INDEX is the index of a counter, a range A-B, or * for all. Counters 0 to 3 "
	"never count. -e may be given several times; without it, all counters of all blocks are "
	"taken. What a counter means depends on the GPU and on SET: primary, secondary or tertiary. "
	"The sets beyond the primary one need CAP_PERFMON and do not have all blocks; all "
	"sessions of the GPU use the same set.\n\n"
	"The last sample is the one that ends the session: -n 8 asks for 7 samples and stops, which "
	"gives the eighth; with -I shortly before its period ends. Each sample holds what was counted since the one before; the "
	"first, since the start. SIGINT ends the measurement early, with its last sample; while "
	"COMMAND runs the signal is left to it. If measuring fails, COMMAND is sent SIGTERM.\n\n"
	"Without -e, a table has a line per block type: how many blocks and counters there are, "
	"how many of these are not zero, and their sum. With -e it has a line per counter: the sum "
	"and the value of each block; counters from a range or a * only where they are not zero. "
	"With --brief, each sample is one line: the time of its end, its length, the merged "
	"periods, the sum of each block type or, with -e, of each counter, flags and events. "
	"A sample without the flags OVERFLOW and ERROR is exact.\n\n"
	"--raw writes the samples as the kernel gave them, behind a header: see README.md of the "
	"tools for the format.\n\n"
	HELP_EXIT " With COMMAND and nothing of that: the exit status of COMMAND, 128 + N if "
	"signal N ended it, 126 if it cannot be run and 127 if it does not exist.";

enum {
	OPTION_RAW = 0x100,
	OPTION_SLOTS,
	OPTION_SET,
	OPTION_MANUAL,
};

static const struct argp_option options[] = {
	{ "device", 'd', "DEVICE", 0, "Node of the GPU (default: the first render node of the "
	  "panthor driver)", 0 },
	{ "event", 'e', "EVENTS", 0, "Counters to read (default: all)", 0 },
	{ "set", OPTION_SET, "SET", 0, "Counter set (default: primary)", 0 },
	{ "samples", 'n', "SAMPLES", 0, "Number of samples (default: 1; with an interval from -I, "
	  "as many as come until the end of COMMAND or SIGINT)", 0 },
	{ "interval", 'I', "MS", 0, "Period of the samples in ms, for example 0.5; 0: ask for one "
	  "after the other", 0 },
	{ "manual", OPTION_MANUAL, NULL, 0, "Ask for the samples of -I instead of having the "
	  "kernel take them", 0 },
	{ "brief", 'b', NULL, 0, "Print a line per sample", 0 },
	{ "clocks", 'c', NULL, 0, "Print the cycles of the GPU's clocks and their mean frequency",
	  0 },
	{ "states", 's', NULL, 0, "Print the states that the blocks were in: on or off (without "
	  "power, or not counting), normal or protected mode, unavailable", 0 },
	{ "raw", OPTION_RAW, "FILE", 0, "Write the samples to FILE as well", 0 },
	{ "slots", OPTION_SLOTS, "N", 0, "Slots of the ring, a power of two (default: 32, within "
	  "the limits of the GPU); with -I and -n not more than SAMPLES are used", 0 },
	{ 0 },
};

#define MAX_EVENT_OPTIONS	64

struct arguments {
	const char *device;
	const char *events[MAX_EVENT_OPTIONS];
	unsigned int event_count;
	uint64_t samples;
	bool has_interval;
	uint64_t interval_ns;
	bool manual;
	uint32_t set;
	struct print_options print;
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

/* Milliseconds with decimals, exactly. */
static uint64_t parse_interval(struct argp_state *state, const char *arg)
{
	size_t digits = strspn(arg, "0123456789");
	const char *decimals = arg[digits] == '.' ? arg + digits + 1 : arg + digits;
	size_t count = strspn(decimals, "0123456789");
	unsigned long long ms, ns = 0;
	size_t i;

	errno = 0;
	ms = strtoull(arg, NULL, 10);
	for (i = 0; i < MS_DECIMALS; i++)
		ns = 10 * ns + (i < count ? decimals[i] - '0' : 0);
	if (errno || !digits || decimals[count] || ms > MAX_INTERVAL_MS ||
	    (arg[digits] && !count))
		argp_error(state, "interval '%s' is not a number of ms from 0 to %llu", arg,
			   MAX_INTERVAL_MS);
	if (count > MS_DECIMALS)
		argp_error(state, "interval '%s' has more than %d decimals: it is less than 1 ns "
			   "off", arg, MS_DECIMALS);
	return ms * NS_PER_MS + ns;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;
	int set;

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
		args->interval_ns = parse_interval(state, arg);
		args->has_interval = true;
		return 0;
	case OPTION_MANUAL:
		args->manual = true;
		return 0;
	case OPTION_SET:
		set = panthor_perf_set_find(arg);
		if (set < 0)
			argp_error(state, "there is no counter set '%s': primary, secondary, "
				   "tertiary", arg);
		args->set = set;
		return 0;
	case 'b':
		args->print.brief = true;
		return 0;
	case 'c':
		args->print.clocks = true;
		return 0;
	case 's':
		args->print.states = true;
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
		if (args->command && args->samples > 1 && !args->interval_ns)
			argp_error(state,
				   "several samples of a command need an interval: give -I MS");
		if (args->command && args->has_interval && !args->interval_ns)
			argp_error(state, "the interval of a command's samples is more than 0 ms");
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

	/** @period_ns: The session's period in ns, 0 for none. */
	uint64_t period_ns;

	/** @zero_ns: Start of the first sample. */
	uint64_t zero_ns;

	/** @taken: Samples that were read. */
	uint64_t taken;
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

/* Is what is wanted within the GPU's limits? */
static int check_limits(const struct measurement *stat,
			const struct panthor_perf_session_config *config)
{
	const struct drm_panthor_perf_info *info = &stat->info;
	uint32_t slots = stat->args.slots;
	char reason[128];

	if (slots && (slots < info->min_sample_slots || slots > info->max_sample_slots)) {
		fail(0, "%u slots are out of the GPU's limits: %u to %u", slots,
		     info->min_sample_slots, info->max_sample_slots);
		return EXIT_USAGE;
	}
	if ((config->sample_period_ns && config->sample_period_ns < info->min_period_ns) ||
	    !(info->supported_sets >> config->block_set & 1)) {
		panthor_perf_session_reason(info, config, -EINVAL, reason, sizeof(reason));
		fail(0, "%s", reason);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

/* A ring that is full when all samples but the final one have come has no more slots than these. */
static uint32_t choose_slots(const struct measurement *stat)
{
	uint32_t slots = stat->args.slots;

	if (!stat->period_ns || !stat->args.samples)
		return slots;
	if (!slots)
		slots = PANTHOR_PERF_DEFAULT_SLOTS;
	if (slots > stat->info.max_sample_slots)
		slots = stat->info.max_sample_slots;
	while (slots > stat->args.samples && slots > stat->info.min_sample_slots)
		slots /= 2;
	return slots;
}

static int create_raw(struct measurement *stat, const struct drm_panthor_perf_section *sections,
		      size_t count)
{
	struct drm_panthor_gpu_info gpu;
	struct raw_header header = {
		.section_count = count,
		.sample_size = panthor_perf_session_sample_size(stat->session),
		.block_set = stat->args.set,
		.sample_period_ns = stat->period_ns,
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

/* START and STOP go to the raw file, with the clocks around them. */
static int start_session(struct measurement *stat)
{
	struct raw_call call = { .user_data = PERIOD_DATA };
	int ret;

	raw_clocks_read(&call.before);
	ret = panthor_perf_session_start(stat->session, call.user_data);
	raw_clocks_read(&call.after);
	if (ret)
		return fail(ret, "starting the session");
	if (stat->args.raw) {
		ret = raw_write_call(&stat->raw, RAW_START, &call);
		if (ret)
			return fail(ret, "writing %s", stat->args.raw);
	}
	return EXIT_OK;
}

static int stop_session(struct measurement *stat, uint64_t user_data)
{
	struct raw_call call = { .user_data = user_data };
	int ret;

	raw_clocks_read(&call.before);
	ret = panthor_perf_session_stop(stat->session, call.user_data);
	raw_clocks_read(&call.after);
	if (ret)
		return fail(ret, "stopping the session");
	if (stat->args.raw) {
		ret = raw_write_call(&stat->raw, RAW_STOP, &call);
		if (ret)
			return fail(ret, "writing %s", stat->args.raw);
	}
	return EXIT_OK;
}

/* Reads a sample that is there, and shows it. */
static int read_sample(struct measurement *stat, struct panthor_perf_sample *sample)
{
	int ret = panthor_perf_session_read(stat->session, sample);

	if (ret < 0)
		return fail(ret, "reading sample %" PRIu64, stat->taken);
	if (stat->args.raw) {
		ret = raw_write_sample(&stat->raw, sample->data);
		if (ret)
			return fail(ret, "writing %s", stat->args.raw);
	}
	if (!stat->taken++)
		stat->zero_ns = sample->header.timestamp_start_ns;
	print_sample(stdout, &stat->info, sample, &stat->selection, &stat->args.print,
		     stat->zero_ns);
	fflush(stdout);
	return EXIT_OK;
}

/* Waits for a sample and shows it. */
static int take_sample(struct measurement *stat, struct panthor_perf_sample *sample)
{
	int ret = panthor_perf_session_wait(stat->session, SAMPLE_TIMEOUT_MS);

	if (!ret)
		return fail(0, "sample %" PRIu64 " did not come within %d ms", stat->taken,
			    SAMPLE_TIMEOUT_MS);
	if (ret < 0)
		return fail(ret, "waiting for sample %" PRIu64, stat->taken);
	return read_sample(stat, sample);
}

/* Samples on request: one at each interval, and one more at the end, whatever comes first. */
static int take_requests(struct measurement *stat)
{
	const struct arguments *args = &stat->args;
	uint64_t next_ns = now_ns();
	uint64_t nr;

	for (nr = 0; ; nr++) {
		bool last = args->samples && nr + 1 == args->samples;
		struct panthor_perf_sample sample;
		int reason, ret, status;

		next_ns += args->interval_ns;
		if (args->command && (last || !args->interval_ns))
			reason = child_pause(&stat->child, 0, -1);
		else
			reason = child_pause(&stat->child, next_ns, -1);
		if (reason < 0)
			return fail(reason, "waiting");
		last = last || reason == WAKE_END;

		if (last) {
			status = stop_session(stat, nr);
			if (status)
				return status;
		} else {
			ret = panthor_perf_session_sample(stat->session, nr);
			if (ret)
				return fail(ret, "asking for sample %" PRIu64, nr);
		}
		status = take_sample(stat, &sample);
		if (!status && sample.header.user_data != nr)
			return fail(0, "sample %" PRIu64 " came as an answer to request %" PRIu64,
				    nr, (uint64_t)sample.header.user_data);
		if (status || last)
			return status;
	}
}

/* Takes the samples that periods have published, except for the one that is left for the end. */
static int drain_periods(struct measurement *stat, bool *full)
{
	struct panthor_perf_sample sample;

	for (;;) {
		int ret, status;

		*full = stat->args.samples && stat->taken + 1 == stat->args.samples;
		if (*full)
			return EXIT_OK;
		ret = panthor_perf_session_wait(stat->session, 0);
		if (ret < 0)
			return fail(ret, "waiting for sample %" PRIu64, stat->taken);
		if (!ret)
			return EXIT_OK;
		status = read_sample(stat, &sample);
		if (status)
			return status;
		if (sample.header.user_data != PERIOD_DATA)
			return fail(0, "sample %" PRIu64 " came as an answer to request %" PRIu64
				    ", not to the start", stat->taken - 1,
				    (uint64_t)sample.header.user_data);
	}
}

/* When to stop so that the final sample has most of a period, and not the next one's beginning. */
static uint64_t last_time(const struct measurement *stat)
{
	uint64_t period = stat->period_ns;

	return (now_ns() / period + 1) * period - period / 8;
}

/* Samples by period until the end, and the final one. */
static int take_periods(struct measurement *stat)
{
	int fd = panthor_perf_session_fd(stat->session);
	struct panthor_perf_sample sample = { 0 };
	bool full = false;
	int reason, status;

	do {
		reason = child_pause(&stat->child, 0, fd);
		if (reason < 0)
			return fail(reason, "waiting");
		status = drain_periods(stat, &full);
		if (status)
			return status;
	} while (reason != WAKE_END && !full);
	if (reason != WAKE_END) {
		reason = child_pause(&stat->child, stat->args.command ? 0 : last_time(stat), -1);
		if (reason < 0)
			return fail(reason, "waiting");
	}

	status = stop_session(stat, FINAL_DATA);
	while (!status && sample.header.user_data != FINAL_DATA)
		status = take_sample(stat, &sample);
	return status;
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

static void print_ledger(const struct measurement *stat)
{
	struct panthor_perf_ledger ledger;
	unsigned int bit;

	panthor_perf_session_ledger(stat->session, &ledger);
	printf("%" PRIu64 " sample%s, %" PRIu64 " with ERROR, %" PRIu64 " with OVERFLOW",
	       ledger.samples, ledger.samples == 1 ? "" : "s", ledger.errors, ledger.overflows);
	if (stat->period_ns)
		printf(", %" PRIu64 " period%s merged, %" PRIu64 " late", ledger.merged,
		       ledger.merged == 1 ? "" : "s", ledger.late);
	if (ledger.lost)
		printf(", %" PRIu64 " LOST", ledger.lost);
	else
		printf(", none lost");
	if (ledger.events)
		printf("; events");
	for (bit = 0; bit < 32; bit++) {
		if (!(ledger.events >> bit & 1))
			continue;
		if (panthor_perf_event_name(bit))
			printf(" %s", panthor_perf_event_name(bit));
		else
			printf(" bit-%u", bit);
	}
	putchar('\n');
}

static int run_session(struct measurement *stat)
{
	int ret, status;

	ret = child_init(&stat->child);
	if (ret)
		return fail(ret, "catching signals");
	status = start_session(stat);
	if (!status && stat->args.command)
		status = spawn(stat);
	if (!status)
		status = stat->period_ns ? take_periods(stat) : take_requests(stat);
	if (!status) {
		print_ledger(stat);
		status = command_status(stat);
	}
	child_fini(&stat->child);
	return status;
}

static int with_session(struct measurement *stat)
{
	struct drm_panthor_perf_section sections[MAX_SECTIONS];
	struct panthor_perf_session_config config = {
		.block_set = stat->args.set,
		.sample_slots = choose_slots(stat),
		.sample_period_ns = stat->period_ns,
		.sections = sections,
		.section_count = selection_sections(&stat->selection, sections),
	};
	char reason[128];
	int ret, status;

	status = check_limits(stat, &config);
	if (status)
		return status;
	ret = panthor_perf_session_create(stat->device, &config, &stat->session);
	if (ret) {
		panthor_perf_session_reason(&stat->info, &config, ret, reason, sizeof(reason));
		return fail(0, "creating a session on %s: %s",
			    panthor_perf_device_path(stat->device), reason);
	}
	if (stat->period_ns && stat->args.samples)
		panthor_perf_session_limit(stat->session, stat->args.samples);

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
	if (stat->info.min_period_ns && !stat->args.manual && stat->args.has_interval &&
	    stat->args.samples != 1)
		stat->period_ns = stat->args.interval_ns;
	stat->args.print.times = stat->period_ns;
	stat->args.print.each = stat->args.event_count;
	status = select_counters(stat);
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
		stat.args.interval_ns = DEFAULT_INTERVAL_NS;
	if (!stat.args.samples && !(stat.args.has_interval && stat.args.interval_ns))
		stat.args.samples = 1;

	status = open_device(stat.args.device, &stat.device);
	if (status)
		return status;
	status = with_device(&stat);
	panthor_perf_device_close(stat.device);
	return status;
}
