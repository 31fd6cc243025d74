// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The command line of panthor-perf stat. */

#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "stat_args.h"

#define DEFAULT_INTERVAL_NS	100000000ull

static const char doc[] =
	"Count events of the whole GPU, whatever program causes them.\n\n"
	"Without COMMAND, SAMPLES samples are taken. With COMMAND, it is run, and the last sample is "
	"taken when it ends.\v"
	"Without -e, the derived counters that tell most are shown: how busy the parts of the GPU "
	"are, bandwidths, and what each primitive and pixel costs. All counters of all blocks are "
	"read even so, and -a shows them as well. What a GPU counts that no table knows is shown by "
	"block type; `panthor-perf list' shows all names.\n\n"
	"EVENTS is a list with commas between: the name of a counter or a derived counter in any "
	"case; a pattern of names with *, ? or []; or BLOCK:INDEX where BLOCK is fw, cshw (GPU front "
	"end), tiler, memsys, shader or csg, and INDEX is the index of a counter, a range A-B, or * "
	"for all. Counters 0 to 3 never count. Names are those of the primary set; the sets beyond "
	"it always need CAP_PERFMON and do not have all blocks; all sessions of the GPU use the same set.\n\n"
	"A value is the sum over all blocks of a type; derived counters are computed of such sums, "
	"and `-' means that there is no value, as where it would be divided by 0. With "
	"--per-instance each block has its own as well. Counters that a pattern or a range brought "
	"in are left out of tables where they are 0.\n\n"
	"With -I the kernel takes a sample at each multiple of the period, without help of this "
	"program: one that comes late, or finds no room, is merged into the next, which says so by "
	"the flag STRETCHED, the number of merged periods and the events. Nothing is "
	"lost. Without -I this program asks for each sample, every 100 ms without COMMAND; it also "
	"does so with -I and --manual, with a single sample, and where the driver has no periods.\n\n"
	"The last sample is the one that ends the session: -n 8 asks for 7 samples and stops, which "
	"gives the eighth; with -I shortly before its period ends. Each sample holds what was counted "
	"since the one before; the first, since the start. SIGINT ends the measurement early, with "
	"its last sample; while COMMAND runs the signal is left to it. If measuring fails, COMMAND is "
	"sent SIGTERM.\n\n"
	"With -r the measurement is done RUNS times, each with a session's start and stop; the mean "
	"and the standard deviation in percent of it are printed. Without COMMAND a run takes 100 ms, "
	"or what -I says.\n\n"
	"With --brief, each sample is one line: the time of its end, its length, the merged "
	"periods, the sum of each block type or, with -e, of each event, flags and events. "
	"A sample without the flags OVERFLOW and ERROR is exact. "
	"panthor-perf-stat(1) describes the formats of --csv and --json, README.md of the tools that "
	"of --raw.\n\n"
	HELP_EXIT_COMMAND;

enum {
	OPTION_RAW = 0x100,
	OPTION_MANUAL,
	OPTION_CSV,
	OPTION_INSTANCES,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "What is counted:", 1 },
	{ "event", 'e', "EVENTS", 0, "Counters to read and show, by name or by block; may be given "
	  "several times", 0 },
	{ "all", 'a', NULL, 0, "Show all counters, behind the derived ones", 0 },
	{ "set", SESSION_SET, "SET", 0, "Counter set: primary, secondary or tertiary (default: "
	  "primary)", 0 },
	{ NULL, 0, NULL, 0, "When:", 2 },
	{ "samples", 'n', "SAMPLES", 0, "Number of samples (default: 1; with an interval from -I, "
	  "as many as come until the end of COMMAND or SIGINT)", 0 },
	{ "interval", 'I', "MS", 0, "Period of the samples in ms, for example 0.5; 0: ask for one "
	  "after the other", 0 },
	{ "repeat", 'r', "RUNS", 0, "Measure so many times and show means and deviations", 0 },
	{ "manual", OPTION_MANUAL, NULL, 0, "Ask for the samples of -I instead of having the "
	  "kernel take them", 0 },
	{ "slots", SESSION_SLOTS, "N", 0, "Slots of the ring, a power of two (default: 32, within "
	  "the limits of the GPU); with -I and -n not more than SAMPLES are used", 0 },
	{ NULL, 0, NULL, 0, "How it is shown:", 3 },
	{ "per-instance", OPTION_INSTANCES, NULL, 0, "Show the value of each block too: of each "
	  "shader core, each L2 slice", 0 },
	{ "brief", 'b', NULL, 0, "Print a line per sample", 0 },
	{ "csv", OPTION_CSV, NULL, 0, "Print a line per value, with commas between the fields", 0 },
	{ "separator", 'x', "SEP", 0, "As --csv, with SEP between the fields", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "clocks", 'c', NULL, 0, "Print the cycles of the GPU's clocks and their mean frequency",
	  0 },
	{ "states", 's', NULL, 0, "Print the states that the blocks were in: on or off (without "
	  "power, or not counting), normal or protected mode, unavailable", 0 },
	{ "output", 'o', "FILE", 0, "Print to FILE instead of the standard output", 0 },
	{ "raw", OPTION_RAW, "FILE", 0, "Write the samples to FILE as well", 0 },
	{ NULL, 0, NULL, 0, "Common options:", 6 },
	{ 0 },
};

static void set_format(struct argp_state *state, struct stat_args *args, enum print_format format)
{
	if (args->print.format != PRINT_TABLE && args->print.format != format)
		argp_error(state, "one of --brief, --csv and --json is enough");
	args->print.format = format;
}

static void check(struct argp_state *state, const struct stat_args *args)
{
	if (args->session.flags & DRM_PANTHOR_PERF_SETUP_WAKEUP &&
	    (!args->session.interval_ns || !args->session.has_interval || args->manual ||
	     args->runs))
		argp_error(state, "--wakeup is for samples with a period: give -I MS");
	if (args->session.command && args->session.samples > 1 && !args->session.interval_ns)
		argp_error(state, "several samples of a command need an interval: give -I MS");
	if (args->session.command && args->session.has_interval && !args->session.interval_ns)
		argp_error(state, "the interval of a command's samples is more than 0 ms");
	if (!args->runs)
		return;
	if (args->session.samples)
		argp_error(state, "each run of -r is one sample: leave -n away");
	if (args->session.command && args->session.has_interval)
		argp_error(state, "each run of -r is one sample: leave -I away");
	if (args->print.instances || args->print.format == PRINT_BRIEF)
		argp_error(state, "-r has means of sums: leave --per-instance and --brief away");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct stat_args *args = state->input;

	switch (key) {
	case 'a':
		args->all = true;
		return 0;
	case 'r':
		args->runs = parse_number(state, "number of runs", arg, 1, 1u << 30);
		args->print.repeats = true;
		return 0;
	case OPTION_MANUAL:
		args->manual = true;
		return 0;
	case OPTION_INSTANCES:
		args->print.instances = true;
		return 0;
	case 'b':
		set_format(state, args, PRINT_BRIEF);
		return 0;
	case OPTION_CSV:
		set_format(state, args, PRINT_CSV);
		if (!args->print.separator)
			args->print.separator = ",";
		return 0;
	case 'x':
		if (!*arg)
			argp_error(state, "the separator of -x is empty");
		set_format(state, args, PRINT_CSV);
		args->print.separator = arg;
		return 0;
	case 'j':
		set_format(state, args, PRINT_JSON);
		return 0;
	case 'c':
		args->print.clocks = true;
		return 0;
	case 's':
		args->print.states = true;
		return 0;
	case 'o':
		args->output = arg;
		return 0;
	case OPTION_RAW:
		args->raw = arg;
		return 0;
	case ARGP_KEY_END:
		check(state, args);
		return 0;
	default:
		return session_parse(key, arg, state, &args->session);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[-- COMMAND [ARGUMENT...]]",
	.doc = doc,
	.children = session_children,
};

int stat_parse(int argc, char **argv, struct stat_args *args)
{
	*args = (struct stat_args) { 0 };
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, args))
		return EXIT_USAGE;
	if (!args->session.has_interval && !args->session.command)
		args->session.interval_ns = DEFAULT_INTERVAL_NS;
	if (!args->session.samples && !(args->session.has_interval && args->session.interval_ns))
		args->session.samples = 1;
	return EXIT_OK;
}
