// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff_side.h"
#include "print/lines.h"
#include "print/pager.h"
#include "print/text.h"
#include "report/amounts.h"
#include "report/report_json.h"

#define MIN_NAME	20
#define SHORT_NAME	12
#define MIN_NUMBER	12
#define NUMBER_COLUMNS	15
/* With the spaces before them. */
#define RATIO_COLUMNS	10
#define CHANGE_COLUMNS	15
#define UNIT_COLUMNS	15

/* Half of the last digit of a change that is printed, as a part of 1. */
#define CHANGE_ROUNDING	0.00005

static const char doc[] =
	"Compare recordings, counter by counter.\vThe program compares amounts (cycles, bytes, "
	"primitives) per second, or with --totals as totals, and shares, ratios and rates by their "
	"values. Then follow the ratio B / A, the difference in percent of A, and its "
	"significance.\n\n"
	"A and B may have a range of their own: FILE@FROM-TO, with the points of --from and --to, "
	"for example run.ptprf@0.1-0.2, run.ptprf@20ms- or run.ptprf@-#99. With several recordings of "
	"each side, and `--' between the sides, the program compares the means of the "
	"recordings.\n\n"
	"Significance: the program divides each recording into up to 32 parts of consecutive "
	"samples. The mean per second of a part, or its value, is an observation. With several "
	"recordings of each side, each recording is an observation. Welch's t-test "
	"computes the probability p that the means of the observations differ by this amount if "
	"nothing has changed. Because many counters are compared at once, the program multiplies p "
	"by their number (Bonferroni). *** stands for a p below 0.001, ** for 0.01, * for 0.05. "
	"There is no mark if the difference may be chance, or is too small for the digits of the "
	"table. With one recording of a side, the "
	"significance applies to the recorded time: only several recordings of the same work show "
	"how much its runs differ.\n\n"
	"On a terminal, a pager shows the table: $PAGER, less or more.\n\n"
	"Exit status: 0 done, with or without differences; 1 a recording cannot be read; 2 wrong "
	"command line.";

enum {
	OPTION_TOTALS = 0x200,
	OPTION_SIGNIFICANT,
};

static const struct argp_option options[] = {
	{ "event", 'e', "EVENTS", 0, "Counters to compare (default: all that both have)", 0 },
	{ "per-instance", 'i', NULL, 0, "Compare the blocks one by one, too", 0 },
	{ "totals", OPTION_TOTALS, NULL, 0,
	  "Compare totals of amounts instead of means per second", 0 },
	{ "significant", OPTION_SIGNIFICANT, NULL, 0, "Show significant differences alone", 0 },
	{ "csv", READER_CSV, NULL, 0, "Print comma-separated values", 1 },
	{ "separator", 'x', "SEP", 0, "As --csv, with SEP between the fields", 1 },
	{ "json", 'j', NULL, 0, "Print JSON", 1 },
	{ "output", 'o', "FILE", 0, "Print to FILE instead of the standard output", 1 },
	{ 0 },
};

struct arguments {
	struct reader_args reader;
	struct side sides[2];
	bool totals;
	bool significant;
};

/* The recordings in front of "--" are side A, those behind it side B. */
static int add_side_run(struct argp_state *state, struct arguments *args, const char *name)
{
	return side_add(&args->sides[!!state->quoted], name);
}

/* Without a side in front of or behind "--", there are two recordings. */
static void divide_sides(struct argp_state *state, struct arguments *args)
{
	struct side *a = &args->sides[0], *b = &args->sides[1];
	struct side both;

	if (a->count && b->count)
		return;
	both = a->count ? *a : *b;
	if (both.count != 2)
		argp_error(state, "give two recordings, or several of each side: A... -- B...");
	*a = *b = (struct side) { 0 };
	if (side_add(a, both.runs[0].name) || side_add(b, both.runs[1].name))
		argp_failure(state, EXIT_ERROR, ENOMEM, "diff");
	free(both.runs);
}

static error_t parse_diff(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case OPTION_SIGNIFICANT:
		args->significant = true;
		return 0;
	case OPTION_TOTALS:
		args->totals = true;
		return 0;
	case ARGP_KEY_ARG:
		return -add_side_run(state, args, arg);
	case ARGP_KEY_END:
		divide_sides(state, args);
		return reader_parse(key, arg, state, &args->reader);
	default:
		return reader_parse(key, arg, state, &args->reader);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_diff,
	.args_doc = "A B\nA... -- B...",
	.doc = doc,
	.children = reader_children,
};

/**
 * struct pair - a column of both recordings
 */
struct pair {
	/** @a: That of A. */
	const struct column *a;

	/** @name: Its name. */
	char name[96];

	/** @value: Values of A and B that are shown. */
	struct value value[2];

	/** @ratio: B / A; NAN for none. */
	double ratio;

	/** @p: Probability, corrected; NAN for none. */
	double p;
};

/**
 * struct comparison - what is compared
 */
struct comparison {
	/** @args: What the user wants. */
	struct arguments args;

	/** @pairs: The pairs. */
	struct pair *pairs;

	/** @count: Their number. */
	size_t count;

	/** @alone: Columns that only one of the recordings has. */
	size_t alone;
};

/* Columns of the first run of a side; those of its other runs are found by name. */
static const struct column_list *side_list(const struct comparison *diff, unsigned int side)
{
	return &diff->args.sides[side].runs[0].list;
}

static void add_pair(struct comparison *diff, size_t a, size_t b)
{
	const struct side *sides = diff->args.sides;
	struct pair *pair = &diff->pairs[diff->count++];

	pair->a = &side_list(diff, 0)->columns[a];
	column_name(side_list(diff, 0), pair->a, pair->name, sizeof(pair->name));
	pair->value[0] = sides[0].values[a];
	pair->value[1] = sides[1].values[b];
	pair->ratio = NAN;
	if (pair->value[0].valid && pair->value[1].valid && pair->value[0].number != 0)
		pair->ratio = pair->value[1].number / pair->value[0].number;
	if (!observations_p(&sides[0].observations[a], &sides[1].observations[b], &pair->p))
		pair->p = NAN;
}

static bool is_nothing(const struct pair *pair)
{
	return (!pair->value[0].valid || pair->value[0].number == 0) &&
	       (!pair->value[1].valid || pair->value[1].number == 0);
}

static int make_pairs(struct comparison *diff)
{
	const struct column_list *a = side_list(diff, 0), *b = side_list(diff, 1);
	size_t tests = 0, i;

	diff->pairs = calloc(a->count, sizeof(*diff->pairs));
	if (!diff->pairs)
		return fail(-ENOMEM, "comparing");
	for (i = 0; i < a->count; i++) {
		char name[96];
		const struct column *other;

		other = run_column(&diff->args.sides[1].runs[0],
				   column_name(a, &a->columns[i], name, sizeof(name)));
		if (!other) {
			diff->alone++;
			continue;
		}
		add_pair(diff, i, other - b->columns);
		/* Counters that are 0 in both are omitted. */
		if (is_nothing(&diff->pairs[diff->count - 1]))
			diff->count -= !a->columns[i].event->named;
	}
	diff->alone += b->count > a->count - diff->alone ? b->count - (a->count - diff->alone) : 0;
	for (i = 0; i < diff->count; i++)
		tests += !isnan(diff->pairs[i].p);
	for (i = 0; i < diff->count; i++)
		diff->pairs[i].p = isnan(diff->pairs[i].p) ? NAN :
						fmin(1, diff->pairs[i].p * tests);
	return EXIT_OK;
}

static bool is_rate(const struct comparison *diff, const struct pair *pair)
{
	return pair->a->amount && !diff->args.totals;
}

static const char *unit_of(const struct comparison *diff, const struct pair *pair, char *text,
			   size_t size)
{
	return is_rate(diff, pair) ? amount_rate_unit(pair->a->event, text, size) :
				     event_unit(pair->a->event);
}

/* Is the difference too small for the digits of a table? */
static bool looks_equal(const struct comparison *diff, const struct pair *pair)
{
	char text[64], values[2][40];
	const char *unit = unit_of(diff, pair, text, sizeof(text));
	unsigned int i;

	for (i = 0; i < 2; i++)
		value_fit(&pair->value[i], unit, NUMBER_COLUMNS, values[i], sizeof(values[i]));
	return !strcmp(values[0], values[1]) &&
	       (isnan(pair->ratio) || fabs(pair->ratio - 1) < CHANGE_ROUNDING);
}

static const char *stars(const struct comparison *diff, const struct pair *pair)
{
	double p = pair->p;

	if (isnan(p) || p >= 0.05 || looks_equal(diff, pair))
		return "";
	return p < 0.001 ? "***" : p < 0.01 ? "**" : "*";
}

static bool pair_is_shown(const struct comparison *diff, const struct pair *pair)
{
	return !diff->args.significant || *stars(diff, pair);
}

/* Returns whether the value is skewed. */
static bool print_pair_value(const struct value *value, const char *unit, int columns)
{
	char text[40];

	value_fit(value, unit, columns, text, sizeof(text));
	printf(" %*s", columns, text);
	return value_is_skewed(value, unit);
}

/* In percent, not -0.00. */
static double change_of(const struct pair *pair)
{
	double change = pair->ratio - 1;

	return fabs(change) < CHANGE_ROUNDING ? 0 : 100 * change;
}

static void print_unit(const char *unit)
{
	if (!strcmp(unit, "percent"))
		printf(" %%");
	else if (!unit_has_prefix(unit))
		printf(" %s", unit);
}

static void print_side(const struct comparison *diff, unsigned int i)
{
	const struct side *side = &diff->args.sides[i];
	char name[64], quality[QUALITY_SIZE];
	unsigned int j;
	int used;

	for (j = 0; j < side->count; j++) {
		const struct run *run = &side->runs[j];
		char *text = text_copy(run->name);

		used = printf("%c  %s: %s, %.6f s, ", 'A' + i, text ? text : "",
			      gpu_name(&run->view.gpu, name, sizeof(name)),
			      run->list.total.time_ns / 1e9);
		free(text);
		quality_text(&run->list.total.quality,
			     recording_header(run->view.recording)->sample_period_ns, quality,
			     sizeof(quality));
		print_wrapped(stdout, quality, used, 3, line_columns(stdout));
	}
}

static void print_table(const struct comparison *diff)
{
	int width = MIN_NAME, number, left;
	size_t hidden = 0, i;
	bool skewed = false;
	bool ratios;

	pager_start();
	print_side(diff, 0);
	print_side(diff, 1);
	for (i = 0; i < diff->count; i++)
		if ((int)strlen(diff->pairs[i].name) > width)
			width = strlen(diff->pairs[i].name);
	/* A terminal that is too narrow has no ratios and shorter numbers, and names if need be. */
	left = line_limit(stdout) - 2 * (1 + NUMBER_COLUMNS) - CHANGE_COLUMNS - UNIT_COLUMNS;
	ratios = width <= left - RATIO_COLUMNS;
	number = ratios ? NUMBER_COLUMNS : MIN_NUMBER;
	left += 2 * (NUMBER_COLUMNS - number);
	if (width > left)
		width = left > SHORT_NAME ? left : SHORT_NAME;
	printf("\n%-*s %*s %*s", width, "counter", number, "A", number, "B");
	if (ratios)
		printf(" %9s", "B / A");
	printf(" %9s %-4s unit\n", "change %", "");
	for (i = 0; i < diff->count; i++) {
		const struct pair *pair = &diff->pairs[i];
		char text[64];
		const char *unit = unit_of(diff, pair, text, sizeof(text));

		if (!pair_is_shown(diff, pair)) {
			hidden++;
			continue;
		}
		print_name(stdout, pair->name, width);
		skewed |= print_pair_value(&pair->value[0], unit, number);
		skewed |= print_pair_value(&pair->value[1], unit, number);
		if (ratios && isnan(pair->ratio))
			printf(" %9s", "-");
		else if (ratios)
			printf(" %9.3f", pair->ratio);
		if (isnan(pair->ratio))
			printf(" %9s", "-");
		else
			printf(" %+9.2f", change_of(pair));
		printf(" %-4s", stars(diff, pair));
		print_unit(unit);
		putchar('\n');
	}
	if (hidden)
		printf("%zu more whose difference may be chance, or is not visible\n", hidden);
	if (diff->alone)
		printf("%zu more that only one of the recordings has\n", diff->alone);
	print_wrapped(stdout, "* p < 0.05, ** p < 0.01, *** p < 0.001; without a mark, the "
		      "difference may be chance", 0, 2, line_limit(stdout));
	if (skewed)
		puts(SKEW_NOTE);
}

static void print_csv(const struct comparison *diff)
{
	const char *s = diff->args.reader.separator;
	char text[40];
	size_t i;

	printf("name%sunit%sper_second%sa%sb%sratio%sp\n", s, s, s, s, s, s);
	for (i = 0; i < diff->count; i++) {
		const struct pair *pair = &diff->pairs[i];

		if (!pair_is_shown(diff, pair))
			continue;
		printf("%s%s%s", pair->name, s, unit_of(diff, pair, text, sizeof(text)));
		printf("%s%d", s, is_rate(diff, pair));
		printf("%s%s", s, value_plain(&pair->value[0], text, sizeof(text)));
		printf("%s%s%s", s, value_plain(&pair->value[1], text, sizeof(text)), s);
		if (isfinite(pair->ratio))
			fputs(number_plain(pair->ratio, text, sizeof(text)), stdout);
		fputs(s, stdout);
		if (isfinite(pair->p))
			fputs(number_plain(pair->p, text, sizeof(text)), stdout);
		putchar('\n');
	}
}

static struct json_object *json_ratio(double number)
{
	char text[40];

	if (!isfinite(number))
		return NULL;
	return json_object_new_double_s(number, number_plain(number, text, sizeof(text)));
}

static struct json_object *json_pair(const struct comparison *diff, const struct pair *pair)
{
	struct json_object *object = json_object_new_object();
	char text[64];

	json_object_object_add(object, "name", text_json(pair->name));
	json_object_object_add(object, "unit",
			       text_json(unit_of(diff, pair, text, sizeof(text))));
	json_object_object_add(object, "per_second",
			       json_object_new_boolean(is_rate(diff, pair)));
	json_object_object_add(object, "a", json_value(&pair->value[0]));
	json_object_object_add(object, "b", json_value(&pair->value[1]));
	json_object_object_add(object, "ratio", json_ratio(pair->ratio));
	json_object_object_add(object, "p", json_ratio(pair->p));
	return object;
}

static struct json_object *json_run(const struct run *run)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "recording", json_recording(&run->list));
	json_object_object_add(object, "quality", json_quality(&run->list.total.quality));
	return object;
}

/* A single run is the side itself. */
static struct json_object *json_side(const struct side *side)
{
	struct json_object *object, *runs;
	unsigned int i;

	if (side->count == 1)
		return json_run(&side->runs[0]);
	object = json_object_new_object();
	runs = json_object_new_array();
	for (i = 0; i < side->count; i++)
		json_object_array_add(runs, json_run(&side->runs[i]));
	json_object_object_add(object, "runs", runs);
	return object;
}

static void print_diff_json(const struct comparison *diff)
{
	struct json_object *counters = json_object_new_array();
	unsigned int side;
	size_t i;

	for (side = 0; side < 2; side++) {
		if (side)
			printf(",\n\"b\":");
		else
			printf("{\"schema\":%d,\"a\":", JSON_SCHEMA);
		json_print(json_side(&diff->args.sides[side]));
	}
	for (i = 0; i < diff->count; i++)
		if (pair_is_shown(diff, &diff->pairs[i]))
			json_object_array_add(counters, json_pair(diff, &diff->pairs[i]));
	printf(",\n\"counters\":");
	json_print(counters);
	printf(",\n\"alone\":%zu}\n", diff->alone);
}

/**
 * cmd_diff() - The sub-command diff
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_diff(int argc, char **argv)
{
	struct comparison diff = { 0 };
	struct arguments *args = &diff.args;
	unsigned int i;
	int status;

	/* In the order of the command line: "--" divides the recordings. */
	status = parse_arguments(&argp, argc, argv, ARGP_IN_ORDER, args) ? EXIT_USAGE : EXIT_OK;
	for (i = 0; i < 2 && !status; i++) {
		status = side_open(&args->sides[i], &args->reader);
		if (!status)
			status = side_observe(&args->sides[i], args->totals);
	}
	if (!status)
		status = make_pairs(&diff);
	if (!status)
		status = reader_open_output(&args->reader);
	if (!status && args->reader.separator)
		print_csv(&diff);
	else if (!status && args->reader.json)
		print_diff_json(&diff);
	else if (!status)
		print_table(&diff);
	free(diff.pairs);
	side_fini(&args->sides[0]);
	side_fini(&args->sides[1]);
	return status;
}
