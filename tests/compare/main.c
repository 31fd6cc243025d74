// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cycles.h"
#include "file.h"
#include "match.h"
#include "periods.h"
#include "states.h"
#include "structure.h"
#include "times.h"

#define MAX_SHOWN	20

enum {
	STATUS_SAME = 0,
	STATUS_DIFFERENT = 1,
	STATUS_UNREADABLE = 2,
};

static const char doc[] =
	"Compare samples of sessions with what the virtual GPU says that it wrote.\v"
	"TRUTH is the log of the virtual GPU, each SAMPLES a file of `panthor-perf stat --raw'. For "
	"each sample, what the GPU wrote since the sample before (for the first, since the session's "
	"zero) is added up and compared, counter by counter. Counters that were not asked for must "
	"be 0. Headers are checked as well.\n\n"
	"A sample with the flag ERROR is not compared. Instead, the log must say that the GPU "
	"discarded counts between the sample's start and its end, and the sample's events must tell "
	"why. A sample without the flag must not have such a place in it.\n\n"
	"A log whose gpu line has lost=1 tells these places by lines `lost "
	"reason=reset|disable|overflow|hang|core-off enable=E after=NR': what counted since sample "
	"NR, of enable E, is gone. In any other log, counters lose what they counted when they are "
	"disabled, unless all samples were read and the firmware is halted next, or when the GPU is "
	"reset while they are enabled.\n\n"
	"The negative control then adds 1 to one value of the log in memory, for each file, and that "
	"must make exactly one counter differ.\n\n"
	"Exit status: 0 nothing differs, no defect, no violation of the firmware protocol, nothing "
	"unimplemented, and as many samples as expected; 1 otherwise; 2 a file cannot be read or "
	"makes no sense, or the command line is wrong.";

enum {
	OPTION_SAMPLES = 0x100,
	OPTION_ERRORS,
	OPTION_FIRMWARE,
	OPTION_NO_CONTROL,
	OPTION_READING,
	OPTION_LIMIT,
	OPTION_GUESS,
	OPTION_RUNS,
	OPTION_TIMED,
	OPTION_TITLE,
};

static const struct argp_option options[] = {
	{ "expect-samples", OPTION_SAMPLES, "N", 0, "Fail unless there are N samples", 0 },
	{ "expect-errors", OPTION_ERRORS, "N", 0, "Fail unless N samples have the flag ERROR "
	  "(default: those for which the log has a reason)", 0 },
	{ "firmware-samples", OPTION_FIRMWARE, "MIN..MAX", 0, "Fail unless the GPU took so many "
	  "samples on request, from the first zero to the last end of all files", 0 },
	{ "no-negative-control", OPTION_NO_CONTROL, NULL, 0, "Leave the negative control out", 0 },
	{ "reading-error", OPTION_READING, "NS", 0, "How far most of the driver's readings of the "
	  "GPU's clocks may be off (default: 10000). It may be more in 2 samples of a recording "
	  "and in 1 of 50", 0 },
	{ "reading-limit", OPTION_LIMIT, "NS", 0, "How far any of them may be off (default: "
	  "100000, beyond which the driver itself gives up a reading)", 0 },
	{ "may-guess", OPTION_GUESS, NULL, 0, "Take the zero of a session that fits best if its "
	  "file does not tell it. Without this option that is a failure", 0 },
	{ "runs", OPTION_RUNS, NULL, 0, "The sessions were started several times: sample number 0 "
	  "begins a new run with a new zero", 0 },
	{ "call-times", OPTION_TIMED, NULL, 0, "The user data tell when calls were made: the GPU "
	  "timestamp in the low 40 bits, the time until the return in units of 16 ticks in the high "
	  "24, all ones if that is not told; of START in the first sample of a run, of SAMPLE or "
	  "STOP in the others", 0 },
	{ "title", OPTION_TITLE, "TEXT", 0, "What the last line begins with (default: demo)", 0 },
	{ 0 },
};

struct arguments {
	const char *truth;
	char **samples;
	size_t sample_files;
	const char *title;
	uint64_t expect_errors;
	uint64_t expect_samples;
	struct range {
		uint64_t min;
		uint64_t max;
	} firmware;
	bool has_expect_errors;
	bool has_firmware;
	uint64_t reading_ns;
	uint64_t limit_ns;
	bool has_expect_samples;
	bool no_control;
	bool may_guess;
	bool runs;
	bool timed;
};

/**
 * struct outcome - what came of all files
 */
struct outcome {
	/** @samples: Samples. */
	uint64_t samples;

	/** @runs: Times that sessions were started. */
	uint64_t runs;

	/** @compared: Counters that were asked for and compared. */
	uint64_t compared;

	/** @zeroes: Counters that were not asked for and were compared with 0. */
	uint64_t zeroes;

	/** @differ: Counters that differ. */
	uint64_t differ;

	/** @errors: Samples with the flag ERROR. */
	uint64_t errors;

	/** @shown: Differences that were printed, or would have been. */
	uint64_t shown;

	/** @controlled: Files with a negative control that found its counter. */
	uint64_t controlled;

	/** @first: The GPU's sample that is the first zero, %NO_SAMPLE for none. */
	size_t first;

	/** @last: The GPU's sample at the last end. */
	size_t last;

	/** @times: Times that were held against the GPU's. */
	struct times times;

	/** @cycles: Clock cycles that were held against the GPU's. */
	struct cycles cycles;

	/** @ok: Nothing is wrong so far. */
	bool ok;
};

static bool to_range(const char *text, struct range *range)
{
	unsigned long long min, max;
	int length = 0;

	if (sscanf(text, "%llu..%llu%n", &min, &max, &length) != 2 || text[length] ||
	    strspn(text, "0123456789.") != strlen(text) || min > max)
		return false;
	range->min = min;
	range->max = max;
	return true;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;
	char *end;

	switch (key) {
	case OPTION_SAMPLES:
	case OPTION_ERRORS:
	case OPTION_READING:
	case OPTION_LIMIT:
		errno = 0;
		if (key == OPTION_READING)
			args->reading_ns = strtoull(arg, &end, 10);
		else if (key == OPTION_LIMIT)
			args->limit_ns = strtoull(arg, &end, 10);
		else if (key == OPTION_SAMPLES)
			args->expect_samples = strtoull(arg, &end, 10);
		else
			args->expect_errors = strtoull(arg, &end, 10);
		if (errno || *end || strspn(arg, "0123456789") != strlen(arg) || !*arg)
			argp_error(state, "'%s' is not a number", arg);
		args->has_expect_samples |= key == OPTION_SAMPLES;
		args->has_expect_errors |= key == OPTION_ERRORS;
		return 0;
	case OPTION_FIRMWARE:
		if (!to_range(arg, &args->firmware))
			argp_error(state, "'%s' is not MIN..MAX", arg);
		args->has_firmware = true;
		return 0;
	case OPTION_NO_CONTROL:
		args->no_control = true;
		return 0;
	case OPTION_GUESS:
		args->may_guess = true;
		return 0;
	case OPTION_RUNS:
		args->runs = true;
		return 0;
	case OPTION_TIMED:
		args->timed = true;
		return 0;
	case OPTION_TITLE:
		args->title = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (args->truth)
			return ARGP_ERR_UNKNOWN;
		args->truth = arg;
		return 0;
	case ARGP_KEY_ARGS:
		args->samples = state->argv + state->next;
		args->sample_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (!args->samples)
			argp_error(state, "TRUTH and SAMPLES are needed");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "TRUTH SAMPLES...",
	.doc = doc,
};

void error(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("panthor-perf-compare: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

void *grow(void *array, size_t count, size_t size)
{
	void *grown;

	if (count & (count - 1))
		return array;
	grown = reallocarray(array, count ? 2 * count : 1, size);
	if (!grown) {
		error("out of memory");
		exit(STATUS_UNREADABLE);
	}
	return grown;
}

void *read_file(const char *path, size_t *size)
{
	size_t room = 65536, used = 0;
	char *content = NULL;
	FILE *file = fopen(path, "rb");

	if (!file) {
		error("%s: %s", path, strerror(errno));
		return NULL;
	}
	for (;;) {
		char *larger = realloc(content, room + 1);

		if (!larger) {
			error("%s: out of memory", path);
			goto err_close;
		}
		content = larger;
		used += fread(content + used, 1, room - used, file);
		if (used < room)
			break;
		room *= 2;
	}
	if (ferror(file)) {
		error("%s: %s", path, strerror(errno));
		goto err_close;
	}
	fclose(file);
	content[used] = 0;
	*size = used;
	return content;

err_close:
	free(content);
	fclose(file);
	return NULL;
}

/**
 * struct reporter - prints differences
 */
struct reporter {
	/** @where: Text in front of each. */
	const char *where;

	/** @shown: Number of differences of all files. */
	uint64_t *shown;
};

static void print_difference(const struct difference *difference, void *data)
{
	const struct reporter *reporter = data;

	if (++*reporter->shown > MAX_SHOWN)
		return;
	printf("%sdiffers: sample %zu, %s[%u], counter %u: expected %" PRIu64 ", got %" PRIu64 "\n",
	       reporter->where, difference->cell.sample, type_name(difference->cell.type),
	       difference->cell.idx, difference->cell.counter, difference->expected,
	       difference->got);
}

/**
 * struct control - what the negative control sees
 */
struct control {
	/** @cell: The counter that must change. */
	struct cell cell;

	/** @expected: What was expected of it, if it differs. */
	uint64_t expected;

	/** @differs: It differs. */
	bool differs;

	/** @others: Checksum of all other differences. */
	uint64_t others;
};

static void mix(uint64_t *sum, uint64_t value)
{
	*sum = (*sum ^ value) * 0x100000001b3ull;
	*sum ^= *sum >> 29;
}

static void note_difference(const struct difference *difference, void *data)
{
	struct control *control = data;

	if (difference->cell.sample == control->cell.sample &&
	    difference->cell.type == control->cell.type &&
	    difference->cell.idx == control->cell.idx &&
	    difference->cell.counter == control->cell.counter) {
		control->expected = difference->expected;
		control->differs = true;
		return;
	}
	mix(&control->others, difference->cell.sample);
	mix(&control->others, difference->cell.type);
	mix(&control->others, difference->cell.idx);
	mix(&control->others, difference->cell.counter);
	mix(&control->others, difference->expected);
	mix(&control->others, difference->got);
}

static bool run_noting(struct match *match, struct control *control, const struct cell *cell)
{
	memset(control, 0, sizeof(*control));
	control->cell = *cell;
	match->report = note_difference;
	match->data = control;
	return match_run(match);
}

/* With one value of the log changed, exactly the counter that it belongs to has to change sides. */
static bool negative_control(struct match *match, const char *where, bool quiet, bool *found)
{
	struct control plain, skewed;
	struct skew skew;
	struct cell cell;

	*found = false;
	if (!match_pick(match, &skew, &cell))
		return true;
	if (!run_noting(match, &plain, &cell))
		return false;
	match->skew = skew;
	if (!run_noting(match, &skewed, &cell))
		return false;
	match->skew.block = NO_SAMPLE;

	*found = plain.others == skewed.others;
	if (plain.differs && skewed.differs)
		*found = *found && skewed.expected == plain.expected + 1;
	else
		*found = *found && (plain.differs || skewed.differs);
	if (!quiet || !*found)
		printf("%snegative control: sample %zu, %s[%u], counter %u with a value of the log "
		       "1 higher: %s\n", where, cell.sample, type_name(cell.type), cell.idx,
		       cell.counter, *found ? "found there and nowhere else" : "NOT FOUND");
	return *found;
}

static void print_zero(const struct match *match, const char *where)
{
	const struct truth_sample *zero;

	if (match->zero == NO_SAMPLE) {
		printf("%ssession zero: the GPU wrote no sample on request before the first one\n",
		       where);
		return;
	}
	zero = &match->truth->samples[match->zero];
	printf("%ssession zero: the GPU's sample %" PRIu64 " at timestamp %" PRIu64 "%s\n", where,
	       zero->nr, zero->timestamp, match->zero_fits ? "" : ", the best one; none fits");
}

static bool none(size_t count, const char *where, const char *what)
{
	if (count)
		printf("%sfailed: %zu %s\n", where, count, what);
	return !count;
}

static bool check_match(const struct match *match, const char *where, size_t defects)
{
	bool ok = true;

	ok &= none(match->lost, where,
		   "samples cannot be compared: where they start or end is unknown");
	ok &= none(match->unfounded, where,
		   "samples with ERROR though the GPU discarded no counts of theirs");
	ok &= none(match->untold, where,
		   "samples without ERROR though the GPU discarded counts of theirs");
	ok &= none(match->misnamed, where,
		   "samples with ERROR without the event that tells why counts are missing");
	ok &= none(match->stale, where,
		   "samples that the GPU took before the call that they are for");
	ok &= none(defects, where, "defects of samples");
	return ok;
}

static void note_extent(const struct match *match, struct outcome *all)
{
	size_t sample;

	for (sample = 0; sample < match->recording->sample_count; sample++) {
		size_t start = match->starts[sample], end = match->ends[sample];

		if (start < all->first)
			all->first = start;
		if (end != NO_SAMPLE && end > all->last)
			all->last = end;
	}
}

static bool check_firmware(const struct range *range, const struct truth *truth,
			   const struct outcome *all)
{
	uint64_t count = 0;
	size_t i;

	for (i = all->first; i < truth->sample_count && i <= all->last; i++)
		count += truth->samples[i].manual;
	if (count >= range->min && count <= range->max) {
		printf("the host asked for %" PRIu64 " samples of the GPU, %" PRIu64 " to %" PRIu64
		       " are right\n", count, range->min, range->max);
		return true;
	}
	printf("failed: the host asked for %" PRIu64 " samples of the GPU, not for %" PRIu64 " to %"
	       PRIu64 "\n", count, range->min, range->max);
	return false;
}

static bool check_all(const struct arguments *args, const struct truth *truth,
		      const struct outcome *all)
{
	bool ok = true;

	if (args->has_expect_samples && all->samples != args->expect_samples) {
		printf("failed: %" PRIu64 " samples instead of %" PRIu64 "\n", all->samples,
		       args->expect_samples);
		ok = false;
	}
	if (args->has_expect_errors && all->errors != args->expect_errors) {
		printf("failed: %" PRIu64 " samples with ERROR instead of %" PRIu64 "\n",
		       all->errors, args->expect_errors);
		ok = false;
	}
	if (args->has_firmware)
		ok &= check_firmware(&args->firmware, truth, all);
	if (truth->violations || truth->unimplemented) {
		printf("failed: %zu violations of the protocol, %zu unimplemented accesses\n",
		       truth->violations, truth->unimplemented);
		ok = false;
	}
	if (truth->unknown)
		printf("note: %zu lines of the log are of kinds that are not known\n",
		       truth->unknown);
	if (!args->no_control && !all->controlled) {
		puts("negative control: there is no counter to try it on");
		ok = false;
	}
	if (!args->no_control && args->sample_files > 1)
		printf("negative control: found in %" PRIu64 " of %zu files\n", all->controlled,
		       args->sample_files);
	return ok;
}

/* Returns false without memory. */
static bool compare_file(const struct arguments *args, const struct truth *truth,
			 const struct recording *recording, const char *where, struct outcome *all)
{
	struct match match = { .truth = truth, .recording = recording, .timed = args->timed,
			       .reading_ns = args->reading_ns,
			       .limit_ns = args->limit_ns };
	struct reporter reporter = { .where = where, .shown = &all->shown };
	bool many = args->sample_files > 1;
	size_t defects;
	bool found;

	defects = check_structure(recording, truth, args->runs, where);
	defects += check_periods(recording, where);
	if (!match_init(&match))
		goto err_free;
	defects += check_states(&match, where);
	defects += check_times(&match, where, &all->times);
	defects += check_cycles(&match, where, &all->cycles);
	if (recording->sample_count && (!many || !match.zero_fits))
		print_zero(&match, where);
	match.report = print_difference;
	match.data = &reporter;
	if (!match_run(&match))
		goto err_free;
	note_extent(&match, all);
	all->samples += recording->sample_count;
	all->runs += match.runs;
	all->compared += match.compared;
	all->zeroes += match.zeroes;
	all->differ += match.differ;
	all->errors += match.errors;
	all->ok &= check_match(&match, where, defects) && !match.differ;
	if (!args->may_guess)
		all->ok &= none(match.guesses, where,
				"starts of sessions that no time tells");
	if (!args->no_control) {
		all->ok &= negative_control(&match, where, many, &found);
		all->controlled += found;
	}
	match_free(&match);
	return true;

err_free:
	match_free(&match);
	error("out of memory");
	return false;
}

static bool compare_path(const struct arguments *args, const struct truth *truth, const char *path,
			 struct outcome *all)
{
	struct recording recording = { 0 };
	char where[256] = "";
	bool ok = false;

	if (args->sample_files > 1)
		snprintf(where, sizeof(where), "%s: ", path);
	if (!recording_load(&recording, path))
		goto out;
	if (recording.info.counters_per_block != truth->counters) {
		error("%s has blocks of %u counters, %s of %u: they are not of the same run", path,
		      recording.info.counters_per_block, args->truth, truth->counters);
		goto out;
	}
	/* The CPUs' timer is the GPU's timestamp, unless that has another rate. */
	if (recording.timer_hz && recording.timer_hz != truth->timestamp_hz)
		recording.gpu_time_count = 0;
	ok = compare_file(args, truth, &recording, where, all);
out:
	recording_free(&recording);
	return ok;
}

static int compare(const struct arguments *args, const struct truth *truth)
{
	struct outcome all = { .first = NO_SAMPLE, .ok = true };
	size_t i;

	for (i = 0; i < args->sample_files; i++)
		if (!compare_path(args, truth, args->samples[i], &all))
			return STATUS_UNREADABLE;
	if (all.shown > MAX_SHOWN)
		printf("differs: %" PRIu64 " more\n", all.shown - MAX_SHOWN);
	if (args->runs)
		printf("%" PRIu64 " times started, %" PRIu64 " samples with ERROR, %zu places "
		       "where the GPU discarded counts\n", all.runs, all.errors, truth->loss_count);
	printf("%" PRIu64 " counters that were not asked for compared with 0\n", all.zeroes);
	if (all.times.checked)
		printf("%" PRIu64 " times within %" PRIu64 " ns of the GPU's, which are known to %"
		       PRIu64 " ns\n", all.times.checked, all.times.worst_ns, all.times.unsure_ns);
	if (all.cycles.checked)
		printf("%" PRIu64 " numbers of clock cycles compared with the GPU's, %" PRIu64
		       " of them within %" PRIu64 "\n", all.cycles.checked, all.cycles.exact,
		       all.cycles.most);
	all.ok &= check_all(args, truth, &all);
	printf("%s: %" PRIu64 " samples, %" PRIu64 " counters compared with the GPU's own totals, %"
	       PRIu64 " differ\n", args->title, all.samples, all.compared, all.differ);
	return all.ok ? STATUS_SAME : STATUS_DIFFERENT;
}

int main(int argc, char **argv)
{
	struct arguments args = { .title = "demo", .reading_ns = READING_ERROR_NS,
				  .limit_ns = READING_LIMIT_NS };
	int status = STATUS_UNREADABLE;
	struct truth truth = { 0 };

	argp_err_exit_status = STATUS_UNREADABLE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &args))
		return STATUS_UNREADABLE;
	if (truth_load(&truth, args.truth))
		status = compare(&args, &truth);
	truth_free(&truth);
	return status;
}
