// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The command line of panthor-perf record. */

#include <string.h>

#include "record_args.h"
#include "recording/recording_view.h"

#define DEFAULT_PERIOD_NS	1000000ull

static const char doc[] =
	"Record the samples of performance counters of the whole GPU, for `panthor-perf report', "
	"`export', `plot' and `diff'.\n\n"
	"Without COMMAND, the program records until SIGINT, or until SAMPLES samples are recorded. "
	"With COMMAND, it records while COMMAND runs.\vThe kernel takes a sample at each multiple "
	"of the period. The program writes many samples at once. If the ring is full at the end of "
	"a period, or the sample of the previous period is not complete by then, the kernel merges "
	"the period into the next sample. No count is lost. The last sample is the final "
	"sample of the session: -n 8 records seven periods and the final sample. "
	"The first and the last one are parts of a period: the kernel's periods began before.\n\n"
	"EVENTS is NAME,... or BLOCK:INDEX,...: names of `panthor-perf list', including derived "
	"counters, or a block type (fw, cshw, tiler, memsys, shader, csg) with an index, a range "
	"A-B, or * for all. -e may be given several times. Without it, the program records all "
	"counters of all blocks.\n\n"
	"With --mark, the samples are marks: panthor-perf takes a sample for each line that "
	"another program writes to FIFO. If FIFO does not exist, panthor-perf creates it. A line "
	"has an id, decimal or with 0x in front, and an optional name. The sample has the id as "
	"its user data and holds the counts since the previous sample: a mark names the work that "
	"ends with it. Then panthor-perf writes a "
	"line `ID END' to the FIFO of --mark-ack, END in ns of CLOCK_MONOTONIC_RAW. To measure one "
	"piece of work, a program waits until the GPU has finished all earlier work, writes a "
	"mark, waits for this line, submits the work, waits until the GPU has finished it, and "
	"writes another mark. The counts are those of this work if no other program uses the GPU. "
	"COMMAND finds the paths in PANTHOR_PERF_MARK and PANTHOR_PERF_MARK_ACK.\n\n"
	"If the disk is full, the recording ends. FILE can be read up to its last complete "
	"sample.\n\n"
	HELP_EXIT_COMMAND;

enum {
	OPTION_MARK = 0x200,
	OPTION_MARK_ACK,
};

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "File to write, - for the standard output (default: "
	  DEFAULT_RECORDING "). One that exists is replaced with the first sample", 0 },
	{ "event", 'e', "EVENTS", 0, "Counters to record (default: all)", 0 },
	{ "set", SESSION_SET, "SET", 0, "Counter set: primary, secondary or tertiary (default: "
	  "primary)", 0 },
	{ "samples", 'n', "SAMPLES", 0, "Number of samples (default: until the end of COMMAND or "
	  "SIGINT)", 0 },
	{ "interval", 'I', "MS", 0, "Period of the samples in ms, for example 0.5 (default: 1)",
	  0 },
	{ "mark", OPTION_MARK, "FIFO", 0, "Take a sample for each line of FIFO", 0 },
	{ "mark-ack", OPTION_MARK_ACK, "FIFO", 0, "Write a line to FIFO when the sample is there",
	  0 },
	{ "clocks", SESSION_CLOCKS, "MODE", 0, "Hold the rate of the GPU's clock for all programs: "
	  "profiling (a rate that the GPU can hold under load), lowest or highest. Needs "
	  "CAP_PERFMON", 0 },
	{ "slots", SESSION_SLOTS, "N", 0, "Slots of the ring, a power of two (default: those of "
	  "half a second, within the limits of the GPU)", 0 },
	{ "compression-level", 'z', "LEVEL", OPTION_ARG_OPTIONAL, "Compress FILE by zstd, "
	  "LEVEL from 1 (default) to 22. `zstd -dc' decompresses it", 0 },
	{ "quiet", 'q', NULL, 0, "Print neither progress nor result", 0 },
	{ 0 },
};

static void check_arguments(struct argp_state *state, const struct record_args *args)
{
	if (args->session.has_interval && !args->session.interval_ns)
		argp_error(state, "the interval is more than 0 ms");
	if (args->mark && args->session.has_interval)
		argp_error(state, "--mark takes samples at marks, -I at periods: give only one of "
				  "them");
	if (args->mark && args->session.flags & DRM_PANTHOR_PERF_SETUP_WAKEUP)
		argp_error(state, "--wakeup is for samples with a period: omit --mark");
	if (args->mark && (!strcmp(args->mark, args->output) ||
			   (args->mark_ack && !strcmp(args->mark_ack, args->output))))
		argp_error(state, "-o is a FIFO of the marks");
	if (args->mark_ack && !args->mark)
		argp_error(state, "--mark-ack needs --mark");
}

static error_t parse_record(int key, char *arg, struct argp_state *state)
{
	struct record_args *args = state->input;

	switch (key) {
	case 'o':
		args->output = arg;
		return 0;
	case 'q':
		args->quiet = true;
		return 0;
	case 'z':
		if (!zst_is_there())
			argp_error(state, "-z: this program was built without libzstd");
		args->level = arg ? parse_number(state, "level of compression", arg, 1,
						 ZST_MAX_LEVEL) : 1;
		return 0;
	case OPTION_MARK:
		args->mark = arg;
		return 0;
	case OPTION_MARK_ACK:
		args->mark_ack = arg;
		return 0;
	case ARGP_KEY_END:
		check_arguments(state, args);
		return 0;
	default:
		return session_parse(key, arg, state, &args->session);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_record,
	.args_doc = "[-- COMMAND [ARGUMENT...]]",
	.doc = doc,
	.children = session_children,
};

int record_parse(int argc, char **argv, struct record_args *args)
{
	*args = (struct record_args) {
		.output = DEFAULT_RECORDING,
		.session.interval_ns = DEFAULT_PERIOD_NS,
	};
	return parse_arguments(&argp, argc, argv, ARGP_IN_ORDER, args) ? EXIT_USAGE : EXIT_OK;
}
