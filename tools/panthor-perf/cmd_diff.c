// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff_stats.h"
#include "reader_args.h"
#include "report_json.h"

#define MIN_NAME	20
#define NUMBER_COLUMNS	19

static const char doc[] =
	"Compare two recordings, counter by counter.\vFor each counter the program prints the "
	"means per second of both recordings, or with --totals their totals, and for each derived "
	"counter its values. Then follow the ratio B / A, the difference in percent of A, and its "
	"significance.\n\n"
	"Significance: the program divides each recording into up to 32 parts of consecutive "
	"samples. The mean per second of a part, or its value, is an observation. Welch's t-test "
	"computes the probability p that the means of the observations differ by this amount if "
	"nothing has changed. Because many counters are compared at once, the program multiplies p "
	"by their number (Bonferroni). *** stands for a p below 0.001, ** for 0.01, * for 0.05. "
	"There is no mark if the difference may be chance. The significance applies to the "
	"recorded time. Only several recordings of the same work show how much its runs differ.\n\n"
	"Exit status: 0 done, with or without differences; 1 a recording cannot be read; 2 wrong "
	"command line.";

enum {
	OPTION_TOTALS = 0x200,
};

static const struct argp_option options[] = {
	{ "event", 'e', "EVENTS", 0, "Counters to compare (default: all that both have)", 0 },
	{ "per-instance", 'i', NULL, 0, "Compare the blocks one by one, too", 0 },
	{ "totals", OPTION_TOTALS, NULL, 0, "Compare totals instead of means per second", 0 },
	{ "significant", 's', NULL, 0, "Show significant differences alone", 0 },
	{ "csv", READER_CSV, NULL, 0, "Print comma-separated values", 1 },
	{ "json", READER_JSON, NULL, 0, "Print JSON", 1 },
	{ 0 },
};

struct arguments {
	struct reader_args reader;
	bool totals;
	bool significant;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case 's':
		args->significant = true;
		return 0;
	case OPTION_TOTALS:
		args->totals = true;
		return 0;
	case ARGP_KEY_END:
		if (!args->reader.files[1])
			argp_error(state, "give two recordings");
		return reader_parse(key, arg, state, &args->reader);
	default:
		return reader_parse(key, arg, state, &args->reader);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "A B",
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

	/** @sides: A and B. */
	struct side sides[2];

	/** @pairs: The pairs. */
	struct pair *pairs;

	/** @count: Their number. */
	size_t count;

	/** @alone: Columns that only one of the recordings has. */
	size_t alone;
};

static int open_side(struct comparison *diff, unsigned int i)
{
	const struct reader_args *args = &diff->args.reader;
	struct side *side = &diff->sides[i];
	int status;

	status = recording_view_open(&side->view, args->files[i], args->common.counters);
	if (status)
		return status;
	status = reader_columns(args, &side->view, false, &side->list);
	return status ? status : side_observe(side);
}

static void close_side(struct side *side)
{
	free(side->observations);
	columns_fini(&side->list);
	recording_view_close(&side->view);
}

static size_t find_column(const struct column_list *list, const char *name)
{
	char text[96];
	size_t i;

	for (i = 0; i < list->count; i++)
		if (!strcmp(column_name(list, &list->columns[i], text, sizeof(text)), name))
			return i;
	return SIZE_MAX;
}

static struct value shown_value(const struct comparison *diff, unsigned int side, size_t column)
{
	const struct column_list *list = &diff->sides[side].list;
	const struct column *col = &list->columns[column];

	if (diff->args.totals || event_is_derived(col->event))
		return col->total;
	return column_rate(list, col);
}

static void add_pair(struct comparison *diff, size_t a, size_t b)
{
	struct pair *pair = &diff->pairs[diff->count++];

	pair->a = &diff->sides[0].list.columns[a];
	column_name(&diff->sides[0].list, pair->a, pair->name, sizeof(pair->name));
	pair->value[0] = shown_value(diff, 0, a);
	pair->value[1] = shown_value(diff, 1, b);
	pair->ratio = NAN;
	if (pair->value[0].valid && pair->value[1].valid && pair->value[0].number != 0)
		pair->ratio = pair->value[1].number / pair->value[0].number;
	if (!observations_p(&diff->sides[0].observations[a], &diff->sides[1].observations[b],
			    &pair->p))
		pair->p = NAN;
}

static bool is_nothing(const struct pair *pair)
{
	return (!pair->value[0].valid || pair->value[0].number == 0) &&
	       (!pair->value[1].valid || pair->value[1].number == 0);
}

static int make_pairs(struct comparison *diff)
{
	const struct column_list *a = &diff->sides[0].list, *b = &diff->sides[1].list;
	size_t tests = 0, i;

	diff->pairs = calloc(a->count, sizeof(*diff->pairs));
	if (!diff->pairs)
		return fail(-ENOMEM, "comparing");
	for (i = 0; i < a->count; i++) {
		char name[96];
		size_t other = find_column(b, column_name(a, &a->columns[i], name, sizeof(name)));

		if (other == SIZE_MAX) {
			diff->alone++;
			continue;
		}
		add_pair(diff, i, other);
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

static const char *stars(double p)
{
	if (isnan(p) || p >= 0.05)
		return "";
	return p < 0.001 ? "***" : p < 0.01 ? "**" : "*";
}

static bool is_shown(const struct comparison *diff, const struct pair *pair)
{
	return !diff->args.significant || *stars(pair->p);
}

static void print_value(const struct comparison *diff, const struct pair *pair, unsigned int side)
{
	const char *unit = event_unit(pair->a->event);
	char text[40];
	bool is_rate = !diff->args.totals && !event_is_derived(pair->a->event);

	/* Per second there are no whole events, and a prefix would differ between the two. */
	if (is_rate || !strcmp(unit, "bytes/s") || !strcmp(unit, "hertz"))
		unit = "";
	value_format(&pair->value[side], unit, text, sizeof(text));
	printf(" %*s", NUMBER_COLUMNS, text);
}

static void print_unit(const struct comparison *diff, const struct event *event)
{
	const char *unit = event_unit(event);

	if (!strcmp(unit, "percent"))
		printf(" %%");
	else if (event_is_derived(event) || diff->args.totals)
		printf(" %s", unit);
	else
		printf(" %s/s", *unit ? unit : "events");
}

static void print_side(const struct comparison *diff, unsigned int i)
{
	const struct side *side = &diff->sides[i];
	char name[64];

	printf("%c  %s: %s, %.6f s, ", 'A' + i, side->view.path,
	       gpu_name(&side->view.gpu, name, sizeof(name)), side->list.total.time_ns / 1e9);
	print_totals(stdout, &side->list.total.quality,
		     recording_header(side->view.recording)->sample_period_ns);
}

static void print_table(const struct comparison *diff)
{
	size_t hidden = 0, i;
	int width = MIN_NAME;

	print_side(diff, 0);
	print_side(diff, 1);
	for (i = 0; i < diff->count; i++)
		if ((int)strlen(diff->pairs[i].name) > width)
			width = strlen(diff->pairs[i].name);
	printf("\n%-*s %*s %*s %9s %9s %-4s unit\n", width, "counter", NUMBER_COLUMNS, "A",
	       NUMBER_COLUMNS, "B", "B / A", "change %", "");
	for (i = 0; i < diff->count; i++) {
		const struct pair *pair = &diff->pairs[i];

		if (!is_shown(diff, pair)) {
			hidden++;
			continue;
		}
		printf("%-*s", width, pair->name);
		print_value(diff, pair, 0);
		print_value(diff, pair, 1);
		if (isnan(pair->ratio))
			printf(" %9s %9s", "-", "-");
		else
			printf(" %9.3f %+9.2f", pair->ratio, 100 * (pair->ratio - 1));
		printf(" %-4s", stars(pair->p));
		print_unit(diff, pair->a->event);
		putchar('\n');
	}
	if (hidden)
		printf("%zu more whose difference may be chance\n", hidden);
	if (diff->alone)
		printf("%zu more that only one of the recordings has\n", diff->alone);
}

static void print_csv(const struct comparison *diff)
{
	char text[40];
	size_t i;

	puts("counter,unit,a,b,ratio,p");
	for (i = 0; i < diff->count; i++) {
		const struct pair *pair = &diff->pairs[i];

		if (!is_shown(diff, pair))
			continue;
		printf("%s,%s", pair->name, event_unit(pair->a->event));
		printf(",%s", value_plain(&pair->value[0], text, sizeof(text)));
		printf(",%s,", value_plain(&pair->value[1], text, sizeof(text)));
		if (!isnan(pair->ratio))
			printf("%.6g", pair->ratio);
		putchar(',');
		if (!isnan(pair->p))
			printf("%.6g", pair->p);
		putchar('\n');
	}
}

static struct json_object *json_number(double number)
{
	char text[40];

	if (isnan(number))
		return NULL;
	snprintf(text, sizeof(text), "%.6g", number);
	return json_object_new_double_s(number, text);
}

static struct json_object *json_pair(const struct comparison *diff, const struct pair *pair)
{
	struct json_object *object = json_object_new_object();
	bool is_rate = !diff->args.totals && !event_is_derived(pair->a->event);

	json_object_object_add(object, "name", json_object_new_string(pair->name));
	json_object_object_add(object, "unit",
			       json_object_new_string(event_unit(pair->a->event)));
	json_object_object_add(object, "per_second", json_object_new_boolean(is_rate));
	json_object_object_add(object, "a", json_value(&pair->value[0]));
	json_object_object_add(object, "b", json_value(&pair->value[1]));
	json_object_object_add(object, "ratio", json_number(pair->ratio));
	json_object_object_add(object, "p", json_number(pair->p));
	return object;
}

static void print_json(const struct comparison *diff)
{
	struct json_object *counters = json_object_new_array();
	unsigned int side;
	size_t i;

	for (side = 0; side < 2; side++) {
		const struct column_list *list = &diff->sides[side].list;

		printf("%s\"%c\":{\"recording\":", side ? ",\n" : "{", 'a' + side);
		json_print(json_recording(list));
		printf(",\n\"quality\":");
		json_print(json_quality(&list->total.quality));
		putchar('}');
	}
	for (i = 0; i < diff->count; i++)
		if (is_shown(diff, &diff->pairs[i]))
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
	struct comparison diff = { .args.reader.file_limit = 2 };
	int status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &diff.args))
		return EXIT_USAGE;
	status = open_side(&diff, 0);
	if (!status)
		status = open_side(&diff, 1);
	if (!status)
		status = make_pairs(&diff);
	if (!status && diff.args.reader.csv)
		print_csv(&diff);
	else if (!status && diff.args.reader.json)
		print_json(&diff);
	else if (!status)
		print_table(&diff);
	free(diff.pairs);
	close_side(&diff.sides[0]);
	close_side(&diff.sides[1]);
	return status;
}
