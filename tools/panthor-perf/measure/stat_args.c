// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The command line of panthor-perf stat. */

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "cmd.h"
#include "stat_args.h"

#define DEFAULT_INTERVAL_NS	100000000ull

static const char doc[] =
	"Count the events of the whole GPU, from all programs.\n\n"
	"Without COMMAND, the program takes SAMPLES samples, by default one of 100 ms. With "
	"COMMAND, it runs COMMAND, and takes the last sample when COMMAND ends.\v"
	"Without -e, the program shows the most "
	"important derived counters: the load of the GPU's units, bandwidths, and the cost of each "
	"primitive and pixel. It reads all counters of all blocks in this case, and -a shows them "
	"as well. For a GPU without a table, it shows sums by block type. `panthor-perf list' "
	"shows all names.\n\n"
	"EVENTS is a list, separated by commas, of names of counters or derived counters in any "
	"case, of patterns of names with *, ? or [], and of BLOCK:INDEX, where BLOCK is fw, cshw "
	"(front end), tiler, memsys, shader or csg, and INDEX is the index of a counter, a "
	"range A-B, or * for all. Counters 0 to 3 never count. Names are those of the primary set. "
	"The other sets always need CAP_PERFMON and do not have all blocks. All started sessions of the "
	"GPU use the same set.\n\n"
	"A value is the sum over all blocks of a type. Derived counters are computed from such "
	"sums. `-' means that there is no value, for example because of a division by 0. With "
	"--per-instance the program also shows the value of each block. If a hardware counter was "
	"selected by a pattern, a range or -a and its value is 0, tables omit it.\n\n"
	"With -I the kernel takes a sample at each multiple of the period. If the ring is full at "
	"the end of a period, or the sample of the previous period is not complete by then, the "
	"kernel merges the period into the next sample. That sample has the flag STRETCHED and the "
	"number of merged periods, and the event ring-full if the ring was full. No count is lost. "
	"The event late means that the sample ends half a period or more after its period. "
	"Without -I the program requests each sample, every 100 ms without COMMAND. It also "
	"requests samples with -I and --manual, for a single sample, and if the driver has no "
	"periods.\n\n"
	"The last sample is the final sample of the session: with -n 8 the program takes 7 samples "
	"and stops, and the stop publishes the eighth; with -I it stops shortly before the period "
	"ends, and the first sample begins within a period. Each sample holds the counts since the previous sample, the first sample those "
	"since the start. SIGINT ends the measurement early, with its final sample. While COMMAND "
	"runs, Ctrl-C is for COMMAND, whose end ends the measurement; a SIGINT or SIGTERM that is "
	"sent to this program sends COMMAND SIGTERM, the second one SIGKILL. So does a measurement "
	"that fails.\n\n"
	"With -r the program repeats the measurement RUNS times, each with start and stop of a "
	"session, and prints the mean and the standard deviation in percent of the mean. Without "
	"COMMAND a run takes 100 ms, or the time of -I.\n\n"
	"With --brief, each sample is one line: the time of its end, its length, the merged "
	"periods, the sum of each block type or, with -e, of each event, flags and events. A "
	"sample without the flags OVERFLOW and ERROR is exact. panthor-perf-stat(1) describes the "
	"formats of --csv and --json. README.md of the tools describes that of --raw.\n\n"
	HELP_EXIT_COMMAND;

enum {
	OPTION_RAW = 0x100,
	OPTION_MANUAL,
	OPTION_CSV,
	OPTION_STATES,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Counters:", 1 },
	{ "event", 'e', "EVENTS", 0, "Counters to read and show, by name or by block; may be given "
	  "several times", 0 },
	{ "all", 'a', NULL, 0, "Show all counters, after the derived counters", 0 },
	{ "set", SESSION_SET, "SET", 0, "Counter set: primary, secondary or tertiary (default: "
	  "primary)", 0 },
	{ NULL, 0, NULL, 0, "Time:", 2 },
	{ "samples", 'n', "SAMPLES", 0, "Number of samples (default: 1; with an interval from -I, "
	  "until the end of COMMAND or SIGINT)", 0 },
	{ "interval", 'I', "MS", 0, "Period of the samples in ms, for example 0.5; 0: request one "
	  "after the other", 0 },
	{ "repeat", 'r', "RUNS", 0, "Repeat the measurement RUNS times and show means and "
	  "deviations", 0 },
	{ "manual", OPTION_MANUAL, NULL, 0, "Request each sample of -I; without this option, the "
	  "kernel takes them", 0 },
	{ "slots", SESSION_SLOTS, "N", 0, "Slots of the ring, a power of two (default: 32, within "
	  "the limits of the GPU); with -I and -n not more than SAMPLES are used", 0 },
	{ NULL, 0, NULL, 0, "Output:", 3 },
	{ "per-instance", 'i', NULL, 0, "Also show the value of each block: of each "
	  "shader core, of each L2 slice", 0 },
	{ "brief", 'b', NULL, 0, "Print a line per sample", 0 },
	{ "csv", OPTION_CSV, NULL, 0, "Print a line per value, with commas between the fields", 0 },
	{ "separator", 'x', "SEP", 0, "As --csv, with SEP between the fields", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ NULL, 'c', NULL, 0, "Print the cycles of the GPU's clocks and their mean frequency", 0 },
	{ "clocks", SESSION_CLOCKS, "MODE", OPTION_ARG_OPTIONAL, "Without MODE, as -c; with MODE, "
	  "hold the rate of the GPU's clock for all programs: profiling (a rate that the GPU can "
	  "hold under load), lowest or highest. Needs CAP_PERFMON", 0 },
	{ "states", OPTION_STATES, NULL, 0, "Print the states of the blocks: on or off (without "
	  "power, or not counting), normal or protected mode, unavailable", 0 },
	{ "output", 'o', "FILE", 0, "Print to FILE instead of the standard output", 0 },
	{ "wide", 'w', NULL, 0, "Do not shorten what is behind the value; without this option, "
	  "lines are as long as the terminal is wide, or 100 columns", 0 },
	{ NULL, 0, NULL, 0, "For developers:", 4 },
	{ "raw", OPTION_RAW, "FILE", 0, "Also write the samples to FILE", 0 },
	{ NULL, 0, NULL, 0, "Common options:", 6 },
	{ 0 },
};

static void set_format(struct argp_state *state, struct stat_args *args, enum print_format format)
{
	if (args->print.format != PRINT_TABLE && args->print.format != format)
		argp_error(state, "give only one of --brief, --csv and --json");
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
	if (args->session.command && args->session.duration_ns)
		argp_error(state, "each run of -r lasts as long as COMMAND: omit --duration");
	if (args->session.delay_ns)
		argp_error(state, "the runs of -r begin at once: omit --delay");
	if (args->session.samples)
		argp_error(state, "each run of -r is one sample: omit -n");
	if (args->session.command && args->session.has_interval)
		argp_error(state, "each run of -r is one sample: omit -I");
	if (args->print.instances || args->print.format == PRINT_BRIEF)
		argp_error(state, "-r has means of sums: omit --per-instance and --brief");
	if (args->print.clocks || args->print.states)
		argp_error(state, "-r has means of counters: omit --clocks and --states");
}

static error_t parse_stat(int key, char *arg, struct argp_state *state)
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
	case 'i':
		args->print.instances = true;
		return 0;
	case 'w':
		args->print.line = INT_MAX;
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
		set_format(state, args, PRINT_CSV);
		args->print.separator = parse_separator(state, arg);
		return 0;
	case 'j':
		set_format(state, args, PRINT_JSON);
		return 0;
	case 'c':
		args->print.clocks = true;
		return 0;
	case SESSION_CLOCKS:
		if (arg)
			return session_parse(key, arg, state, &args->session);
		args->print.clocks = true;
		return 0;
	case OPTION_STATES:
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
	.parser = parse_stat,
	.args_doc = "[-- COMMAND [ARGUMENT...]]",
	.doc = doc,
	.children = session_children,
};

int stat_parse(int argc, char **argv, struct stat_args *args)
{
	*args = (struct stat_args) { 0 };
	if (parse_arguments(&argp, argc, argv, ARGP_IN_ORDER, args))
		return EXIT_USAGE;
	if (!args->session.has_interval && !args->session.command)
		args->session.interval_ns = args->session.duration_ns ?: DEFAULT_INTERVAL_NS;
	if (!args->session.samples && !(args->session.has_interval && args->session.interval_ns))
		args->session.samples = 1;
	return EXIT_OK;
}
