// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "match.h"
#include "structure.h"

#define MAX_SHOWN	20

enum {
	STATUS_SAME = 0,
	STATUS_DIFFERENT = 1,
	STATUS_UNREADABLE = 2,
};

static const char doc[] =
	"Compare samples of a session with what the virtual GPU says that it wrote.\v"
	"TRUTH is the log of the virtual GPU, SAMPLES a file of `panthor-perf stat --raw'. For each "
	"sample, what the GPU wrote since the sample before (for the first, since the session's "
	"zero) is added up and compared, counter by counter. Counters that were not asked for must "
	"be 0. Headers are checked as well. Samples with the flag ERROR are not compared.\n\n"
	"The negative control then adds 1 to one value of the log in memory, and that must make "
	"exactly one counter differ.\n\n"
	"Exit status: 0 nothing differs, no defect, no violation of the firmware protocol, nothing "
	"unimplemented, and as many samples as expected; 1 otherwise; 2 a file cannot be read or "
	"makes no sense, or the command line is wrong.";

enum {
	OPTION_SAMPLES = 0x100,
	OPTION_ERRORS,
	OPTION_NO_CONTROL,
};

static const struct argp_option options[] = {
	{ "expect-samples", OPTION_SAMPLES, "N", 0, "Fail unless there are N samples", 0 },
	{ "expect-errors", OPTION_ERRORS, "N", 0, "Fail unless N samples have the flag ERROR "
	  "(default: 0)", 0 },
	{ "no-negative-control", OPTION_NO_CONTROL, NULL, 0, "Leave the negative control out", 0 },
	{ 0 },
};

struct arguments {
	const char *truth;
	const char *samples;
	uint64_t expect_errors;
	uint64_t expect_samples;
	bool has_expect_samples;
	bool no_control;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;
	char *end;

	switch (key) {
	case OPTION_SAMPLES:
	case OPTION_ERRORS:
		errno = 0;
		if (key == OPTION_SAMPLES)
			args->expect_samples = strtoull(arg, &end, 10);
		else
			args->expect_errors = strtoull(arg, &end, 10);
		if (errno || *end || strspn(arg, "0123456789") != strlen(arg) || !*arg)
			argp_error(state, "'%s' is not a number", arg);
		args->has_expect_samples |= key == OPTION_SAMPLES;
		return 0;
	case OPTION_NO_CONTROL:
		args->no_control = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!args->truth)
			args->truth = arg;
		else if (!args->samples)
			args->samples = arg;
		else
			argp_error(state, "unexpected argument '%s'", arg);
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
	.args_doc = "TRUTH SAMPLES",
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

static void print_difference(const struct difference *difference, void *data)
{
	uint64_t *shown = data;

	if (++*shown > MAX_SHOWN)
		return;
	printf("differs: sample %zu, %s[%u], counter %u: expected %" PRIu64 ", got %" PRIu64 "\n",
	       difference->cell.sample, type_name(difference->cell.type), difference->cell.idx,
	       difference->cell.counter, difference->expected, difference->got);
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
static bool negative_control(struct match *match)
{
	struct control plain, skewed;
	struct skew skew;
	struct cell cell;
	bool found;

	if (!match_pick(match, &skew, &cell)) {
		puts("negative control: there is no counter to try it on");
		return false;
	}
	if (!run_noting(match, &plain, &cell))
		return false;
	match->skew = skew;
	if (!run_noting(match, &skewed, &cell))
		return false;
	match->skew.block = NO_SAMPLE;

	found = plain.others == skewed.others;
	if (plain.differs && skewed.differs)
		found = found && skewed.expected == plain.expected + 1;
	else
		found = found && (plain.differs || skewed.differs);
	printf("negative control: sample %zu, %s[%u], counter %u with a value of the log 1 higher: "
	       "%s\n", cell.sample, type_name(cell.type), cell.idx, cell.counter,
	       found ? "found there and nowhere else" : "NOT FOUND");
	return found;
}

static void print_zero(const struct match *match)
{
	const struct truth_sample *zero;

	if (match->zero == NO_SAMPLE) {
		puts("session zero: the GPU wrote no sample on request before the first one");
		return;
	}
	zero = &match->truth->samples[match->zero];
	printf("session zero: the GPU's sample %" PRIu64 " at timestamp %" PRIu64 "%s\n", zero->nr,
	       zero->timestamp, match->zero_fits ? "" : ", the nearest one; none fits");
}

static bool print_failures(const struct arguments *args, const struct match *match, size_t defects)
{
	const struct truth *truth = match->truth;
	size_t count = match->recording->sample_count;
	bool ok = true;

	if (args->has_expect_samples && count != args->expect_samples) {
		printf("failed: %zu samples instead of %" PRIu64 "\n", count, args->expect_samples);
		ok = false;
	}
	if (match->errors != args->expect_errors) {
		printf("failed: %zu samples with ERROR instead of %" PRIu64 "\n", match->errors,
		       args->expect_errors);
		ok = false;
	}
	if (match->lost) {
		printf("failed: %zu samples cannot be compared: where they start or end is unknown\n",
		       match->lost);
		ok = false;
	}
	if (defects) {
		printf("failed: %zu defects of samples\n", defects);
		ok = false;
	}
	if (truth->violations || truth->unimplemented) {
		printf("failed: %zu violations of the protocol, %zu unimplemented accesses\n",
		       truth->violations, truth->unimplemented);
		ok = false;
	}
	if (truth->unknown)
		printf("note: %zu lines of the log are of kinds that are not known\n",
		       truth->unknown);
	return ok;
}

static int compare(const struct arguments *args, const struct truth *truth,
		   const struct recording *recording)
{
	struct match match = { .truth = truth, .recording = recording };
	uint64_t shown = 0, compared, differ;
	size_t defects;
	bool ok = true;

	if (recording->info.counters_per_block != truth->counters) {
		error("%s has blocks of %u counters, %s of %u: they are not of the same run",
		      args->samples, recording->info.counters_per_block, args->truth,
		      truth->counters);
		return STATUS_UNREADABLE;
	}
	defects = check_structure(recording, truth);
	if (!match_init(&match))
		goto err_memory;
	if (recording->sample_count)
		print_zero(&match);
	match.report = print_difference;
	match.data = &shown;
	if (!match_run(&match))
		goto err_memory;
	if (shown > MAX_SHOWN)
		printf("differs: %" PRIu64 " more\n", shown - MAX_SHOWN);
	compared = match.compared;
	differ = match.differ;
	printf("%" PRIu64 " counters that were not asked for compared with 0\n", match.zeroes);
	ok = print_failures(args, &match, defects) && !differ;
	if (!args->no_control && !negative_control(&match))
		ok = false;
	printf("demo: %zu samples, %" PRIu64 " counters compared with the GPU's own totals, %"
	       PRIu64 " differ\n", recording->sample_count, compared, differ);
	match_free(&match);
	return ok ? STATUS_SAME : STATUS_DIFFERENT;

err_memory:
	match_free(&match);
	error("out of memory");
	return STATUS_UNREADABLE;
}

int main(int argc, char **argv)
{
	struct arguments args = { 0 };
	struct recording recording = { 0 };
	struct truth truth = { 0 };
	int status = STATUS_UNREADABLE;

	argp_err_exit_status = STATUS_UNREADABLE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &args))
		return STATUS_UNREADABLE;
	if (truth_load(&truth, args.truth) && recording_load(&recording, args.samples))
		status = compare(&args, &truth, &recording);
	recording_free(&recording);
	truth_free(&truth);
	return status;
}
