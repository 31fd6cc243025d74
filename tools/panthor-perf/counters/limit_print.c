// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The words about limits. */

#include <inttypes.h>
#include <json.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "limit.h"
#include "print/lines.h"
#include "print/text.h"

#define INDENT		2
#define NS_PER_S	1e9

/* This share of its threshold is near it. */
#define NEAR		0.9

/* A GPU that does less than this does nothing. */
#define IDLE		1.0

/* Shares of the time, in percent: nearly all of it, and what is too short for words. */
#define THROUGHOUT	90.0
#define SHORT		5.0

/* Merged periods that have so large a share of the time, in percent, are worth a hint. */
#define MERGED		25.0

#define IMPOSSIBLE	"the counter table does not fit this GPU, or its counts are a pattern"

#define BOLD		"\033[1m"
#define YELLOW		"\033[33m"
#define PLAIN		"\033[0m"

static bool is_near(const struct limit *limit)
{
	return limit->valid && limit->counter->high &&
	       limit->value >= NEAR * limit->counter->high;
}

static bool is_skewed(const struct limit *limit)
{
	struct value value = { .valid = limit->valid, .number = limit->value };

	return limit->counter->limit != PANTHOR_PERF_LIMIT_IMBALANCE &&
	       value_is_skewed(&value, "percent");
}

__attribute__((format(printf, 3, 4)))
static void add_words(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

/* "12.34", or "100.00~" of a skewed share */
static const char *percent_of(double number, char *text, size_t size)
{
	struct value value = { .valid = true, .number = number };

	value_format(&value, "percent", text, size);
	return text;
}

/* "between 0.200 and 0.400 s, 0.700 and 0.900 s, and in 2 more parts" */
static void add_times(const struct limits *limits, const struct limit_times *times, char *text,
		      size_t size)
{
	uint64_t i;

	for (i = 0; i < times->count && i < LIMIT_TIMES; i++)
		add_words(text, size, "%s%.3f and %.3f s", i ? ", " : "between ",
			  (double)(int64_t)(times->start_ns[i] - limits->zero_ns) / NS_PER_S,
			  (double)(int64_t)(times->end_ns[i] - limits->zero_ns) / NS_PER_S);
	if (times->count > LIMIT_TIMES)
		add_words(text, size, ", and in %" PRIu64 " more parts",
			  times->count - LIMIT_TIMES);
}

static void add_subject(const struct limit *limit, char *text, size_t size)
{
	const char *subject = limit->counter->limit_text;
	char percent[40];

	percent_of(limit->value, percent, sizeof(percent));
	switch (limit->counter->limit) {
	case PANTHOR_PERF_LIMIT_UNIT:
		add_words(text, size, "Unit: %s works in %s %% of the cycles in which the GPU is "
			  "active", subject, percent);
		break;
	case PANTHOR_PERF_LIMIT_STALL:
		add_words(text, size, "Memory: %s stall in %s %% of the cycles in which the GPU "
			  "is active", subject, percent);
		break;
	case PANTHOR_PERF_LIMIT_IMBALANCE:
		add_words(text, size, "Imbalance: %s %u is active for %.2f %% more cycles than the "
			  "mean of all %u", subject, limit->block, limit->value,
			  limit->block_count);
		break;
	default:
		add_words(text, size, "Bandwidth: the external bus carries %s %% of what it can in "
			  "%s", percent, subject);
		break;
	}
}

static void add_parts(const struct limit *limit, char *text, size_t size)
{
	unsigned int i;

	for (i = 0; i < limit->part_count; i++)
		add_words(text, size, "%s%s", i ? " x " : " (", limit->parts[i]->name);
	add_words(text, size, ")");
}

/* Does the verdict say that the GPU is not the limit? */
static bool is_idle_at_times(const struct limits *limits)
{
	return limits->busy && limits->busy->valid && limit_is_possible(limits->busy) &&
	       !limit_is_likely(limits, limits->busy);
}

bool limit_sentence(const struct limits *limits, const struct limit *limit, char *text,
		    size_t size)
{
	bool likely = limit_is_likely(limits, limit);
	double share = limits->busy_ns > 0 ? 100 * limit->times.ns / limits->busy_ns : 0;

	*text = 0;
	add_words(text, size, "%s", !limit_is_possible(limit) ? "Impossible. " : "");
	add_subject(limit, text, size);
	add_parts(limit, text, size);
	if (!limit_is_possible(limit)) {
		add_words(text, size, ": " IMPOSSIBLE ".");
		return true;
	}
	if (limits->samples > 1 && limit->times.count) {
		add_words(text, size, "; %u %% or more in ", limit->counter->high);
		if (share > 99.5)
			add_words(text, size, "all of the busy time");
		else
			add_words(text, size, "%.0f %% of the busy time, ", share);
		if (share <= 99.5)
			add_times(limits, &limit->times, text, size);
	}
	if (likely)
		add_words(text, size, ". This is a likely limit%s.",
			  is_idle_at_times(limits) ? " while the GPU is busy" : "");
	else
		add_words(text, size, ", near the threshold of %u %%.", limit->counter->high);
	return likely;
}

/* Is a sentence of the limit worth reading? */
static bool is_told(const struct limits *limits, const struct limit *limit)
{
	unsigned int kind = limit->counter->limit;

	if (kind == PANTHOR_PERF_LIMIT_BUSY || kind == PANTHOR_PERF_LIMIT_QUEUE)
		return false;
	if (!limit_is_likely(limits, limit) && !is_near(limit) && !!limit_is_possible(limit))
		return false;
	return kind == PANTHOR_PERF_LIMIT_UNIT || kind == PANTHOR_PERF_LIMIT_STALL ||
	       limit == limits_largest(limits, kind);
}

const struct limit *limits_next(const struct limits *limits, const struct limit *limit)
{
	const struct limit *end = limits->limits + limits->count;

	for (limit = limit ? limit + 1 : limits->limits; limit < end; limit++)
		if (is_told(limits, limit))
			return limit;
	return NULL;
}

/* What a queue does, in the part of the time that the verdict is about. */
static double work_of(const struct limits *limits, const struct limit *limit)
{
	const struct limit *busy = limits->busy;

	return limit_is_likely(limits, busy) && busy->times.ns > 0 ? limit->bound / busy->times.ns :
								     limit->value;
}

static void add_queues(const struct limits *limits, char *text, size_t size)
{
	const char *separator = "";
	unsigned int i;

	for (i = 0; i < limits->count; i++) {
		const struct limit *limit = &limits->limits[i];

		if (limit->counter->limit != PANTHOR_PERF_LIMIT_QUEUE || !limit->valid)
			continue;
		add_words(text, size, "%s%s %.1f %%", separator, limit->counter->limit_text,
			  work_of(limits, limit));
		separator = ", ";
	}
}

/* Of the time in which the GPU is the limit, the share in percent that is a queue's. */
static double bound_by(const struct limits *limits, const struct limit *limit)
{
	const struct limit *busy = limits->busy;

	if (limit->counter->limit != PANTHOR_PERF_LIMIT_QUEUE || !limit->valid ||
	    !limit_is_likely(limits, busy) || busy->times.ns <= 0)
		return 0;
	return 100 * limit->times.ns / busy->times.ns;
}

/* " by fragments", " by fragments and vertices": what lasts nearly all of that time */
static unsigned int add_busy_queues(const struct limits *limits, char *text, size_t size)
{
	unsigned int count = 0, i;

	for (i = 0; i < limits->count; i++)
		if (bound_by(limits, &limits->limits[i]) >= THROUGHOUT)
			add_words(text, size, "%s%s", count++ ? " and " : " by ",
				  limits->limits[i].counter->limit_text);
	return count;
}

static void add_waiting(const struct limits *limits, double share, char *text, size_t size)
{
	unsigned int high = 0, i;

	for (i = 0; i < limits->count; i++)
		if (limits->limits[i].counter->limit == PANTHOR_PERF_LIMIT_QUEUE)
			high = limits->limits[i].counter->high;
	if (share < SHORT)
		return;
	if (share >= THROUGHOUT)
		add_words(text, size, " No queue");
	else
		add_words(text, size, " In %.0f %% of the GPU bound time, no queue", share);
	add_words(text, size, " is busy for %u %% of a sample: they take turns within it, or wait "
		  "for each other.", high);
}

/* " Of the GPU bound time, by fragments in 78 %, by compute in 20 %.": what takes turns */
static void add_turns(const struct limits *limits, char *text, size_t size)
{
	const struct limit_times *bound = &limits->busy->times;
	double waiting = bound->ns > 0 ? 100 * limits->waiting_ns / bound->ns : 100;
	double unknown = bound->ns > 0 ? 100 * limits->unknown_ns / bound->ns : 0;
	const char *begin = " Of the GPU bound time,";
	unsigned int count = 0, i;

	for (i = 0; i < limits->count; i++) {
		double share = bound_by(limits, &limits->limits[i]);

		if (share < SHORT)
			continue;
		add_words(text, size, "%s by %s in %.0f %%", count++ ? "," : begin,
			  limits->limits[i].counter->limit_text, share);
	}
	if (unknown >= SHORT)
		add_words(text, size, "%s in %.0f %% it is not known, because periods are merged",
			  count++ ? ";" : begin, unknown);
	add_words(text, size, "%s", count ? "." : "");
	add_waiting(limits, waiting, text, size);
}

static bool has_queues(const struct limits *limits)
{
	unsigned int i;

	for (i = 0; i < limits->count; i++)
		if (limits->limits[i].counter->limit == PANTHOR_PERF_LIMIT_QUEUE &&
		    limits->limits[i].valid)
			return true;
	return false;
}

/* "GPU bound by fragments ...": the GPU is at its limit in the whole time or in a part of it. */
static void add_bound(const struct limits *limits, char *text, size_t size)
{
	const struct limit_times *bound = &limits->busy->times;
	bool whole = limits->busy->value >= limits->busy->counter->high;
	unsigned int count;

	add_words(text, size, "GPU bound");
	count = add_busy_queues(limits, text, size);
	if (whole) {
		add_words(text, size, ": busy for %.1f %% of the time", limits->busy->value);
	} else {
		add_words(text, size, " in %.0f %% of the time, ", 100 * bound->ns /
			  limits->time_ns);
		add_times(limits, bound, text, size);
	}
	if (has_queues(limits)) {
		add_words(text, size, "; queues busy%s: ", whole ? "" : " there");
		add_queues(limits, text, size);
	}
	add_words(text, size, ".");
	if (has_queues(limits) && !count)
		add_turns(limits, text, size);
	if (!whole)
		add_words(text, size, " Idle for %.1f %% of all the time.",
			  100 - limits->busy->value);
}

static void add_idle(const struct limits *limits, char *text, size_t size)
{
	if (limits->busy->value < IDLE) {
		add_words(text, size, "Idle: the GPU is busy for %.2f %% of the time. Check the "
			  "processor, vsync, and whether the load runs on this GPU.",
			  limits->busy->value);
		return;
	}
	add_words(text, size, "Not GPU bound: idle for %.1f %% of the time. Check the processor "
		  "and vsync.", 100 - limits->busy->value);
	if (has_queues(limits)) {
		add_words(text, size, " Queues busy meanwhile: ");
		add_queues(limits, text, size);
		add_words(text, size, ".");
	}
}

const char *limits_verdict(const struct limits *limits, char *text, size_t size)
{
	double merged;

	*text = 0;
	if (!limits->busy || !limits->busy->valid)
		return text;
	if (!limit_is_possible(limits->busy)) {
		add_words(text, size, "Impossible: the GPU is busy for %.2f %% of the time: "
			  IMPOSSIBLE ".", limits->busy->value);
		return text;
	}
	if (limit_is_likely(limits, limits->busy))
		add_bound(limits, text, size);
	else
		add_idle(limits, text, size);
	if (limits->suspended)
		add_words(text, size, " The time is that with power; the GPU was suspended at "
			  "times.");
	merged = limits->samples > 1 ? 100 * limits->merged_ns / limits->time_ns : 0;
	if (merged >= MERGED)
		add_words(text, size, " Samples with merged periods are %.0f %% of the time: to "
			  "avoid them, use a longer period, or fewer counters with "
			  "--compact.", merged);
	return text;
}

static void print_sentence(const struct limits *limits, const struct limit *limit, FILE *out,
			   int columns, bool color)
{
	char text[SENTENCE_SIZE];
	bool warn = limit_sentence(limits, limit, text, sizeof(text)) && color;

	fputs(warn ? YELLOW : "", out);
	fprintf(out, "%*s", INDENT, "");
	print_wrapped(out, text, INDENT, 2 * INDENT, columns);
	fputs(warn ? PLAIN : "", out);
}

/* Without a limit, what comes next to one. */
static void print_busiest(const struct limits *limits, FILE *out, int columns)
{
	const struct limit *limit = limits_largest(limits, PANTHOR_PERF_LIMIT_UNIT);
	char text[SENTENCE_SIZE] = "", percent[40];

	if (!limit)
		return;
	add_words(text, sizeof(text), "No limit is near its threshold; the busiest unit is %s, "
		  "with %s %% of the cycles in which the GPU is active",
		  limit->counter->limit_text, percent_of(limit->value, percent, sizeof(percent)));
	add_parts(limit, text, sizeof(text));
	add_words(text, sizeof(text), ".");
	fprintf(out, "%*s", INDENT, "");
	print_wrapped(out, text, INDENT, 2 * INDENT, columns);
}

bool limits_tell(const struct limits *limits, const struct panthor_perf_counter *counter)
{
	unsigned int i, k;

	for (i = 0; i < limits->count && counter; i++)
		for (k = 0; k < limits->limits[i].part_count; k++)
			if (limits->limits[i].parts[k] == counter &&
			    is_told(limits, &limits->limits[i]))
				return true;
	return false;
}

bool limits_are_a_mean(const struct limits *limits)
{
	return limits->samples == 1 && is_idle_at_times(limits) && limits->busy->value >= IDLE;
}

bool limits_are_known(const struct limits *limits)
{
	char text[VERDICT_SIZE];

	return *limits_verdict(limits, text, sizeof(text)) ||
	       limits_largest(limits, PANTHOR_PERF_LIMIT_UNIT) || limits_next(limits, NULL);
}

bool limits_print(const struct limits *limits, FILE *out, int columns, bool color)
{
	const struct limit *limit = limits_next(limits, NULL);
	char text[VERDICT_SIZE];
	bool skewed = false;

	limits_verdict(limits, text, sizeof(text));
	if (*text && limits_are_a_mean(limits))
		add_words(text, sizeof(text), " One sample is a mean of its time: shorter ones "
			  "(-I MS, or record) distinguish its parts.");
	if (*text) {
		fputs(color ? BOLD : "", out);
		print_wrapped(out, text, 0, INDENT, columns);
		fputs(color ? PLAIN : "", out);
	}
	if (limit)
		fprintf(out, "%sLimits%s\n", color ? BOLD : "", color ? PLAIN : "");
	else
		print_busiest(limits, out, columns);
	for (; limit; limit = limits_next(limits, limit)) {
		print_sentence(limits, limit, out, columns, color);
		skewed |= is_skewed(limit);
	}
	return skewed;
}

struct json_object *limits_sentences(const struct limits *limits)
{
	struct json_object *array = json_object_new_array();
	const struct limit *limit = NULL;
	char text[SENTENCE_SIZE];

	while ((limit = limits_next(limits, limit))) {
		limit_sentence(limits, limit, text, sizeof(text));
		json_object_array_add(array, text_json(text));
	}
	return array;
}

static struct json_object *json_percent(double number)
{
	struct value value = { .valid = true, .number = number };
	char text[40];

	value_plain(&value, text, sizeof(text));
	return json_object_new_double_s(number, text);
}

/* Parts of the time, in seconds; null if a value of less than two samples says all. */
static struct json_object *times_json(const struct limits *limits, const struct limit_times *times)
{
	struct json_object *array, *part;
	uint64_t i;

	if (limits->samples < 2)
		return NULL;
	array = json_object_new_array();
	for (i = 0; i < times->count && i < LIMIT_TIMES; i++) {
		part = json_object_new_array();
		json_object_array_add(part, json_object_new_int64(times->start_ns[i] -
								  limits->zero_ns));
		json_object_array_add(part, json_object_new_int64(times->end_ns[i] -
								  limits->zero_ns));
		json_object_array_add(array, part);
	}
	return array;
}

static struct json_object *limit_json(const struct limits *limits, const struct limit *limit)
{
	const struct panthor_perf_counter *counter = limit->counter;
	const char *kind = panthor_perf_limit_name(counter->limit);
	struct json_object *object = json_object_new_object();
	struct json_object *names = json_object_new_array();
	unsigned int i;

	for (i = 0; i < limit->part_count; i++)
		json_object_array_add(names, text_json(limit->parts[i]->name));
	json_object_object_add(object, "limit", text_json(kind));
	json_object_object_add(object, "text", text_json(counter->limit_text));
	json_object_object_add(object, "counters", names);
	json_object_object_add(object, "value", json_percent(limit->value));
	json_object_object_add(object, "unit", text_json("percent"));
	if (counter->limit == PANTHOR_PERF_LIMIT_IMBALANCE) {
		json_object_object_add(object, "instance", json_object_new_int(limit->block));
		json_object_object_add(object, "instances",
				       json_object_new_int(limit->block_count));
	}
	json_object_object_add(object, "high",
			       counter->high ? json_object_new_int(counter->high) : NULL);
	json_object_object_add(object, "likely",
			       json_object_new_boolean(limit_is_likely(limits, limit)));
	json_object_object_add(object, "impossible",
			       json_object_new_boolean(!limit_is_possible(limit)));
	json_object_object_add(object, "busy_share",
			       limits->samples > 1 && limits->busy_ns > 0 ?
			       json_percent(100 * limit->times.ns / limits->busy_ns) : NULL);
	json_object_object_add(object, "times_ns", times_json(limits, &limit->times));
	json_object_object_add(object, "times",
			       json_object_new_int64(limits->samples > 1 ? limit->times.count :
									   0));
	return object;
}

struct json_object *limits_json(const struct limits *limits)
{
	struct json_object *array = json_object_new_array();
	unsigned int i;

	for (i = 0; i < limits->count; i++) {
		const struct limit *limit = &limits->limits[i];
		unsigned int kind = limit->counter->limit;

		if (kind == PANTHOR_PERF_LIMIT_BUSY || kind == PANTHOR_PERF_LIMIT_QUEUE)
			continue;
		if (limit == limits_largest(limits, kind) || is_told(limits, limit))
			json_object_array_add(array, limit_json(limits, limit));
	}
	return array;
}

struct json_object *verdict_json(const struct limits *limits)
{
	struct json_object *object, *queues, *shares;
	char text[VERDICT_SIZE];
	bool possible, bound;
	unsigned int i;

	if (!*limits_verdict(limits, text, sizeof(text)))
		return NULL;
	possible = limit_is_possible(limits->busy);
	object = json_object_new_object();
	json_object_object_add(object, "text", text_json(text));
	bound = limit_is_likely(limits, limits->busy);
	json_object_object_add(object, "gpu_bound",
			       possible ? json_object_new_boolean(bound) : NULL);
	json_object_object_add(object, "busy", json_percent(limits->busy->value));
	json_object_object_add(object, "times_ns", times_json(limits, &limits->busy->times));
	queues = json_object_new_object();
	shares = json_object_new_object();
	for (i = 0; i < limits->count; i++) {
		const struct limit *limit = &limits->limits[i];

		if (limit->counter->limit != PANTHOR_PERF_LIMIT_QUEUE || !limit->valid)
			continue;
		json_object_object_add(queues, limit->counter->limit_text,
				       json_percent(work_of(limits, limit)));
		json_object_object_add(shares, limit->counter->limit_text,
				       json_percent(bound_by(limits, limit)));
	}
	json_object_object_add(object, "queues", queues);
	json_object_object_add(object, "bound_by", shares);
	return object;
}
