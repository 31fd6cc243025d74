// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <errno.h>
#include <json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd.h"
#include "print/lines.h"
#include "print/pager.h"
#include "print/text.h"

#define BOLD	"\033[1m"
#define PLAIN	"\033[0m"

static const char doc[] =
	"List the counters of a GPU by name: of the GPU of this machine, or with --gpu of any GPU "
	"that has a table.\vPATTERN is the start of a word of a name or title (tex: MaliTexMsg, but not "
	"Vertex), or any part of them if no word starts so, or a pattern of names with *, ? or [], "
	"in any case. With several, the program lists the counters that match at least one of "
	"them.\n\n"
	"The program lists each counter with its position BLOCK:INDEX, its unit and its title. "
	"Derived counters are computed from other counters. `panthor-perf stat' and `panthor-perf "
	"top' show those marked with * by default. A value is the sum over all blocks of a type: "
	"of all shader cores, of all L2 slices.\n\n"
	"--sets lists the counter sets with the number of their names. With --json the output is "
	"one JSON object, including formulas.\n\n"
	"On a terminal, a pager shows the list: $PAGER, less or more.\n\n"
	HELP_EXIT;

enum {
	OPTION_GPU = 0x100,
	OPTION_GPUS,
	OPTION_SETS,
	OPTION_SET,
	OPTION_NAMES,
	OPTION_DESCRIBE,
};

static const struct argp_option options[] = {
	{ "gpu", OPTION_GPU, "GPU", 0, "List those of this GPU, by its name, such as G610, or its "
	  "GPU_ID, such as 0xa8670005; no GPU is opened", 0 },
	{ "gpus", OPTION_GPUS, NULL, 0, "List the GPUs that there are tables for", 0 },
	{ "block", 'B', "BLOCK", 0, "Counters of this block type alone: fw, cshw, tiler, "
	  "memsys, shader, neural, csg", 0 },
	{ "derived", 'D', NULL, 0, "Derived counters alone", 0 },
	{ "formulas", 'F', NULL, 0, "Show the formulas of derived counters", 0 },
	{ "sets", OPTION_SETS, NULL, 0, "List the counter sets", 0 },
	/* Else it would be an abbreviation of --sets, with a pattern behind it. */
	{ "set", OPTION_SET, "SET", OPTION_HIDDEN | OPTION_ARG_OPTIONAL, NULL, 0 },
	{ "names", OPTION_NAMES, NULL, 0, "Print names alone, one a line", 0 },
	{ "describe", OPTION_DESCRIBE, "NAME", 0, "Print all that is known about a counter: where "
	  "it is, its unit, its formula, and what needs it", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

#define MAX_PATTERNS	64

struct arguments {
	struct common_options common;
	const char *gpu, *describe;
	const char *patterns[MAX_PATTERNS];
	unsigned int pattern_count;
	unsigned int block;
	bool gpus, derived, formulas, sets, names, json;
};

static unsigned int parse_block(struct argp_state *state, const char *arg)
{
	unsigned int type;

	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		if (!strcasecmp(arg, panthor_perf_block_name(type)))
			return type;
	argp_error(state, "there is no block type '%s': use fw, cshw, tiler, memsys, shader, "
		   "neural or csg", arg);
	return 0;
}

static error_t parse_list(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->common;
		return 0;
	case OPTION_GPU:
		args->gpu = arg;
		return 0;
	case OPTION_GPUS:
		args->gpus = true;
		return 0;
	case 'B':
		args->block = parse_block(state, arg);
		return 0;
	case 'D':
		args->derived = true;
		return 0;
	case 'F':
		args->formulas = true;
		return 0;
	case OPTION_SETS:
		args->sets = true;
		return 0;
	case OPTION_SET:
		argp_error(state, "there is no option --set here: --sets lists the counter sets");
		return EINVAL;
	case OPTION_NAMES:
		args->names = true;
		return 0;
	case OPTION_DESCRIBE:
		args->describe = arg;
		return 0;
	case 'j':
		args->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (args->pattern_count == MAX_PATTERNS)
			argp_error(state, "more than %d patterns", MAX_PATTERNS);
		args->patterns[args->pattern_count++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (args->block && args->derived)
			argp_error(state, "derived counters are of no block: leave --block or "
				   "--derived away");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_list,
	.args_doc = "[PATTERN...]",
	.doc = doc,
	.children = common_children,
};

/**
 * struct listing - what is listed
 */
struct listing {
	/** @args: What the user wants. */
	struct arguments args;

	/** @table: The counters. */
	struct panthor_perf_table *table;

	/** @gpu: Name of the GPU. */
	char gpu[64];

	/** @device: The open GPU, %NULL: there is none. */
	struct panthor_perf_device *device;

	/** @object: What the library knows of it, %NULL: it has no counters. */
	const struct panthor_perf_gpu *object;

	/** @anywhere: By pattern: no word begins with it, and it may be any part of one. */
	bool anywhere[MAX_PATTERNS];

	/** @color: With colours. */
	bool color;
};

/* Names are in camel case: MMUFlush has the words MMU and Flush. */
static bool is_word_start(const char *text, const char *at)
{
	if (at == text || !isalnum((unsigned char)at[-1]))
		return true;
	return isupper((unsigned char)at[0]) &&
	       (!isupper((unsigned char)at[-1]) || islower((unsigned char)at[1]));
}

static bool has_word(const char *text, const char *start)
{
	const char *at = text;

	while ((at = strcasestr(at, start))) {
		if (is_word_start(text, at))
			return true;
		at++;
	}
	return false;
}

static bool matches(const struct panthor_perf_counter *counter, const char *pattern, bool anywhere)
{
	if (pattern_matches(pattern, counter->name) || pattern_matches(pattern, counter->source))
		return true;
	if (is_pattern(pattern))
		return false;
	if (anywhere)
		return strcasestr(counter->name, pattern) || strcasestr(counter->title, pattern);
	return has_word(counter->name, pattern) || has_word(counter->title, pattern);
}

static bool is_listed(const struct listing *list, const struct panthor_perf_counter *counter)
{
	const struct arguments *args = &list->args;
	unsigned int i;

	if (args->block && counter->type != args->block)
		return false;
	if (args->derived && counter->kind != PANTHOR_PERF_COUNTER_DERIVED)
		return false;
	for (i = 0; i < args->pattern_count; i++)
		if (matches(counter, args->patterns[i], list->anywhere[i]))
			return true;
	return !args->pattern_count;
}

static const struct panthor_perf_counter *counter_of(const struct listing *list, unsigned int kind,
						     uint32_t number)
{
	return panthor_perf_table_counter_by_number(list->table, kind, number);
}

static bool any_matches(const struct listing *list, unsigned int kind, const char *pattern,
			bool anywhere)
{
	const struct panthor_perf_counter *counter;
	uint32_t i;

	for (i = 0; (counter = counter_of(list, kind, i)); i++)
		if (matches(counter, pattern, anywhere))
			return true;
	return false;
}

static void look_for_words(struct listing *list)
{
	unsigned int i;

	for (i = 0; i < list->args.pattern_count; i++) {
		const char *pattern = list->args.patterns[i];

		list->anywhere[i] =
			!any_matches(list, PANTHOR_PERF_COUNTER_HARDWARE, pattern, false) &&
			!any_matches(list, PANTHOR_PERF_COUNTER_DERIVED, pattern, false);
	}
}

/* How many of a kind are listed, and the columns of the longest name. */
static uint32_t measure(const struct listing *list, unsigned int kind, int *width)
{
	const struct panthor_perf_counter *counter;
	uint32_t listed = 0, i;

	for (i = 0; (counter = counter_of(list, kind, i)); i++) {
		if (!is_listed(list, counter))
			continue;
		listed++;
		if ((int)strlen(counter->name) > *width)
			*width = strlen(counter->name);
	}
	return listed;
}

static void print_heading(const struct listing *list, const char *text, const char *more)
{
	printf("\n%s%s%s%s\n", list->color ? BOLD : "", text, list->color ? PLAIN : "", more);
}

/* On a terminal, a title is continued below. */
static void print_counter(char mark, int width, const struct panthor_perf_counter *counter,
			  const char *place)
{
	printf("%c %-*s  %-10s  %-13s ", mark, width, counter->name, place, counter->unit);
	print_wrapped(stdout, counter->title, width + 30, width + 30, line_limit(stdout));
}

static void print_hardware(const struct listing *list, int width)
{
	const struct panthor_perf_counter *counter;
	unsigned int type = 0, set = 0;
	uint32_t i;

	for (i = 0; (counter = counter_of(list, PANTHOR_PERF_COUNTER_HARDWARE, i)); i++) {
		char place[24], more[64] = "";

		if (!is_listed(list, counter))
			continue;
		if (counter->type != type || counter->set != set) {
			type = counter->type;
			set = counter->set;
			if (list->object)
				snprintf(more, sizeof(more), " (%u on this GPU)",
					 panthor_perf_gpu_block_count(list->object, type));
			if (set)
				snprintf(more + strlen(more), sizeof(more) - strlen(more),
					 ", %s set", panthor_perf_set_name(set));
			print_heading(list, block_title(type), more);
		}
		snprintf(place, sizeof(place), "%s:%u", panthor_perf_block_name(type),
			 counter->index);
		print_counter(' ', width, counter, place);
	}
}

static void print_derived(const struct listing *list, int width)
{
	const struct panthor_perf_counter *counter;
	const char *group = NULL;
	bool marked = false;
	char text[128];
	uint32_t i;

	for (i = 0; (counter = counter_of(list, PANTHOR_PERF_COUNTER_DERIVED, i)); i++) {
		const char *heading = counter->group ? counter->group : "";

		if (!is_listed(list, counter))
			continue;
		if (!group || strcmp(heading, group)) {
			group = heading;
			snprintf(text, sizeof(text), "Derived counters%s%s", *heading ? ": " : "",
				 heading);
			print_heading(list, text, "");
		}
		print_counter(counter->is_default ? '*' : ' ', width, counter, "");
		if (list->args.formulas)
			printf("    = %s\n", counter->formula);
		marked |= counter->is_default;
	}
	if (marked)
		puts("* shown by default");
}

static struct json_object *new_string(const char *text)
{
	return text ? text_json(text) : NULL;
}

/* Of which limit it is a counter, and its threshold. */
static void add_limit(struct json_object *object, const struct panthor_perf_counter *counter)
{
	const char *name = panthor_perf_limit_name(counter->limit);

	json_object_object_add(object, "limit", new_string(name));
	json_object_object_add(object, "limit_text", new_string(counter->limit_text));
	json_object_object_add(object, "high",
			       counter->high ? json_object_new_int(counter->high) : NULL);
}

static struct json_object *new_counter(const struct panthor_perf_counter *counter)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "name", new_string(counter->name));
	json_object_object_add(object, "title", new_string(counter->title));
	json_object_object_add(object, "unit", new_string(counter->unit));
	if (counter->kind == PANTHOR_PERF_COUNTER_DERIVED) {
		json_object_object_add(object, "group", new_string(counter->group));
		json_object_object_add(object, "default",
				       json_object_new_boolean(counter->is_default));
		json_object_object_add(object, "formula", new_string(counter->formula));
		json_object_object_add(object, "source", new_string(counter->source));
		add_limit(object, counter);
		json_object_object_add(object, "of", new_string(counter->of));
		return object;
	}
	json_object_object_add(object, "block", new_string(panthor_perf_block_name(counter->type)));
	json_object_object_add(object, "index", json_object_new_int(counter->index));
	json_object_object_add(object, "set", new_string(panthor_perf_set_name(counter->set)));
	json_object_object_add(object, "shift", json_object_new_int(counter->shift));
	json_object_object_add(object, "source", new_string(counter->source));
	add_limit(object, counter);
	return object;
}

static struct json_object *new_counters(const struct listing *list, unsigned int kind)
{
	struct json_object *array = json_object_new_array();
	const struct panthor_perf_counter *counter;
	uint32_t i;

	for (i = 0; (counter = counter_of(list, kind, i)); i++)
		if (is_listed(list, counter))
			json_object_array_add(array, new_counter(counter));
	return array;
}

static struct json_object *new_root(void)
{
	struct json_object *root = json_object_new_object();

	json_object_object_add(root, "schema", json_object_new_int(JSON_SCHEMA));
	return root;
}

static int print_object(struct json_object *root)
{
	if (!text_put_json(root, JSON_C_TO_STRING_PRETTY, stdout))
		return fail(-ENOMEM, "making JSON");
	putchar('\n');
	return EXIT_OK;
}

/* Name of the counter that comes next to what the user wrote, %NULL: none does. */
static const char *nearest_name(const struct listing *list, const char *text)
{
	const struct panthor_perf_counter *nearest;

	nearest = is_pattern(text) ? NULL : panthor_perf_table_nearest(list->table, text);
	return nearest ? nearest->name : NULL;
}

/* Prints which patterns no counter has: a note if counters are listed nevertheless. */
static unsigned int report_patterns(const struct listing *list, bool listed)
{
	const char *kind = listed ? "note: " : "";
	unsigned int reported = 0, i;

	for (i = 0; i < list->args.pattern_count; i++) {
		const char *pattern = list->args.patterns[i], *nearest;

		if (any_matches(list, PANTHOR_PERF_COUNTER_HARDWARE, pattern, list->anywhere[i]) ||
		    any_matches(list, PANTHOR_PERF_COUNTER_DERIVED, pattern, list->anywhere[i]))
			continue;
		nearest = nearest_name(list, pattern);
		fail(0, "%sno counter of %s matches '%s'%s%s%s", kind, list->gpu, pattern,
		     nearest ? "; is it " : "", nearest ? nearest : "", nearest ? "?" : "");
		reported++;
	}
	return reported;
}

/* Prints that there is nothing to list, if report_patterns() has not given all reasons. */
static int nothing_matches(const struct listing *list, unsigned int reported)
{
	if (list->args.pattern_count && reported == list->args.pattern_count)
		return EXIT_ERROR;
	if (list->args.pattern_count)
		return fail(0, "no counter of %s matches", list->gpu);
	return fail(0, "the table of %s has no names for block %s: its counters are %s:INDEX",
		    list->gpu, panthor_perf_block_name(list->args.block),
		    panthor_perf_block_name(list->args.block));
}

/* A table may have no names at all. Then none is listed because there are none. */
static bool is_filtered(const struct listing *list)
{
	return list->args.pattern_count || list->args.block;
}

static int print_list_json(const struct listing *list)
{
	struct json_object *root = new_root();
	int width = 0, status;
	unsigned int reported;
	bool listed;

	json_object_object_add(root, "gpu", new_string(list->gpu));
	json_object_object_add(root, "table", new_string(panthor_perf_table_name(list->table)));
	json_object_object_add(root, "counters",
			       new_counters(list, PANTHOR_PERF_COUNTER_HARDWARE));
	json_object_object_add(root, "derived", new_counters(list, PANTHOR_PERF_COUNTER_DERIVED));
	status = print_object(root);
	listed = measure(list, PANTHOR_PERF_COUNTER_HARDWARE, &width) ||
		 measure(list, PANTHOR_PERF_COUNTER_DERIVED, &width);
	reported = report_patterns(list, listed);
	if (!status && is_filtered(list) && !listed)
		status = nothing_matches(list, reported);
	return status;
}

static void print_names(const struct listing *list, unsigned int kind)
{
	const struct panthor_perf_counter *counter;
	uint32_t i;

	for (i = 0; (counter = counter_of(list, kind, i)); i++)
		if (is_listed(list, counter))
			puts(counter->name);
}

/* How many counters of a set have names. */
static uint32_t named_in_set(const struct listing *list, unsigned int set)
{
	const struct panthor_perf_counter *counter;
	uint32_t named = 0, i;

	for (i = 0; (counter = counter_of(list, PANTHOR_PERF_COUNTER_HARDWARE, i)); i++)
		named += counter->set == set;
	return named;
}

static int print_sets(const struct listing *list)
{
	struct json_object *array = json_object_new_array(), *root = new_root(), *object;
	unsigned int set;

	json_object_object_add(root, "sets", array);
	for (set = 0; panthor_perf_set_name(set); set++) {
		bool offered = list->object &&
			       panthor_perf_gpu_property(list->object, PANTHOR_PERF_GPU_SETS) >>
			       set & 1;
		uint32_t named = named_in_set(list, set);

		if (!list->args.json) {
			printf("%-10s %3u counters with names%s%s\n", panthor_perf_set_name(set),
			       named, !list->object ? "" : offered ? ", offered by the driver" :
			       ", not offered by the driver", set ? ", needs CAP_PERFMON" : "");
			continue;
		}
		object = json_object_new_object();
		json_object_object_add(object, "set", new_string(panthor_perf_set_name(set)));
		json_object_object_add(object, "named", json_object_new_int(named));
		if (list->object)
			json_object_object_add(object, "offered",
					       json_object_new_boolean(offered));
		json_object_array_add(array, object);
	}
	if (list->args.json)
		return print_object(root);
	json_object_put(root);
	return EXIT_OK;
}

static int print_list(const struct listing *list)
{
	uint32_t hardware, derived;
	int width = 16, status;

	hardware = measure(list, PANTHOR_PERF_COUNTER_HARDWARE, &width);
	derived = measure(list, PANTHOR_PERF_COUNTER_DERIVED, &width);
	if (is_filtered(list) && !hardware && !derived)
		return nothing_matches(list, report_patterns(list, false));
	pager_start();
	if (list->args.names) {
		print_names(list, PANTHOR_PERF_COUNTER_HARDWARE);
		print_names(list, PANTHOR_PERF_COUNTER_DERIVED);
	} else {
		printf("%s (table %s): %u counter%s, %u derived\n", list->gpu,
		       panthor_perf_table_name(list->table), hardware, hardware == 1 ? "" : "s",
		       derived);
		print_hardware(list, width);
		print_derived(list, width);
	}
	/* The terminal has the notes below the list. */
	status = pager_end() ? EXIT_OK : EXIT_ERROR;
	report_patterns(list, true);
	return status;
}

static void print_field(const char *name, const char *text)
{
	if (text && *text)
		printf("  %-9s %s\n", name, text);
}

/* The hardware counters that a derived counter is computed from. */
static void print_inputs(const struct listing *list, const struct panthor_perf_counter *counter)
{
	const uint32_t *inputs;
	uint32_t count, i;

	inputs = panthor_perf_expr_inputs(counter->expr, &count);
	for (i = 0; i < count; i++) {
		const struct panthor_perf_counter *input =
			counter_of(list, PANTHOR_PERF_COUNTER_HARDWARE, inputs[i]);

		printf("  %-9s %s (%s:%u): %s\n", i ? "" : "inputs", input->name,
		       panthor_perf_block_name(input->type), input->index, input->title);
	}
}

/* The derived counters that are computed from a hardware counter. */
static void print_users(const struct listing *list, const struct panthor_perf_counter *counter)
{
	const struct panthor_perf_counter *derived;
	const char *name = "used by";
	uint32_t i, k;

	for (i = 0; (derived = counter_of(list, PANTHOR_PERF_COUNTER_DERIVED, i)); i++) {
		uint32_t count;
		const uint32_t *inputs = panthor_perf_expr_inputs(derived->expr, &count);

		for (k = 0; k < count && inputs[k] != counter->number; k++)
			;
		if (k == count)
			continue;
		printf("  %-9s %s: %s\n", name, derived->name, derived->title);
		name = "";
	}
}

static int describe_counter(const struct listing *list)
{
	const char *name = list->args.describe, *nearest;
	const struct panthor_perf_counter *counter;
	char text[96];

	counter = panthor_perf_table_counter(list->table, name);
	if (!counter) {
		nearest = nearest_name(list, name);
		fail(0, "%s has no counter '%s'%s%s%s", list->gpu, name,
		     nearest ? "; is it " : "", nearest ? nearest : "", nearest ? "?" : "");
		return EXIT_USAGE;
	}
	if (list->args.json) {
		struct json_object *root = new_root();

		json_object_object_add(root, "gpu", new_string(list->gpu));
		json_object_object_add(root, "counter", new_counter(counter));
		return print_object(root);
	}
	printf("%s%s%s\n", list->color ? BOLD : "", counter->name, list->color ? PLAIN : "");
	print_field("title", counter->title);
	print_field("unit", counter->unit);
	if (counter->kind == PANTHOR_PERF_COUNTER_DERIVED) {
		print_field("group", counter->group);
		print_field("source", counter->source);
		print_field("default", counter->is_default ? "yes" : "no");
		print_field("formula", counter->formula);
		print_inputs(list, counter);
		return EXIT_OK;
	}
	snprintf(text, sizeof(text), "%s:%u, %s", panthor_perf_block_name(counter->type),
		 counter->index, block_title(counter->type));
	print_field("position", text);
	if (list->object) {
		snprintf(text, sizeof(text), "%u",
			 panthor_perf_gpu_block_count(list->object, counter->type));
		print_field("blocks", text);
	}
	print_field("set", panthor_perf_set_name(counter->set));
	print_field("source", counter->source);
	if (counter->shift) {
		snprintf(text, sizeof(text), "units of %u", 1u << counter->shift);
		print_field("counts", text);
	}
	print_users(list, counter);
	return EXIT_OK;
}

/* The GPUs of all tables that are built in. */
static int print_gpus(bool json)
{
	struct json_object *array = json_object_new_array(), *root = new_root();
	unsigned int i, k;
	const char *name;

	json_object_object_add(root, "gpus", array);
	for (i = 0; (name = panthor_perf_table_builtin(i)); i++) {
		struct panthor_perf_table *table;
		uint32_t counters, derived;
		const char *product;
		int ret = panthor_perf_table_create_by_name(name, &table, NULL);

		if (ret) {
			json_object_put(root);
			return fail(ret, "reading the table %s", name);
		}
		counters = panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_HARDWARE);
		derived = panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_DERIVED);
		for (k = 0; (product = panthor_perf_table_products(table, k)); k++) {
			const char *next = panthor_perf_table_products(table, k + 1);
			struct json_object *object;

			/* Several products have the same name. */
			if (next && !strcmp(product, next))
				continue;
			if (!json) {
				printf("%-27s  table %-4s  %u counters, %u derived\n", product,
				       name, counters, derived);
				continue;
			}
			object = json_object_new_object();
			json_object_object_add(object, "gpu", new_string(product));
			json_object_object_add(object, "table", new_string(name));
			json_object_array_add(array, object);
		}
		panthor_perf_table_destroy(table);
	}
	if (json)
		return print_object(root);
	json_object_put(root);
	return EXIT_OK;
}

/* Returns the GPU_ID that a text is, or 0. */
static uint64_t parse_gpu_id(const char *text)
{
	uint64_t id;
	char *end;

	errno = 0;
	id = strtoull(text, &end, 0);
	return errno || end == text || *end ? 0 : id;
}

/* Converts a name into the GPU_ID that has it, so that it is found in the user's own tables. */
static int find_gpu_id(const char *gpu, uint64_t *id)
{
	struct panthor_perf_table *table;
	int ret;

	*id = parse_gpu_id(gpu);
	if (*id)
		return 0;
	ret = panthor_perf_table_create_by_name(gpu, &table, NULL);
	if (ret)
		return ret;
	ret = panthor_perf_table_gpu_id(table, gpu, id);
	panthor_perf_table_destroy(table);
	return ret;
}

/* By name or GPU_ID, without a GPU. */
static int find_list_table(struct listing *list)
{
	const char *gpu = list->args.gpu, *product;
	int ret, status;
	uint64_t id;

	ret = find_gpu_id(gpu, &id);
	if (ret && ret != -ENOENT)
		return fail(ret, "reading the counter tables");
	if (!ret) {
		status = load_table(list->args.common.counters, id, &list->table);
		if (status)
			return status;
	}
	if (!list->table) {
		fail(0, "no table is for the GPU '%s': --gpus lists those that there are", gpu);
		return EXIT_USAGE;
	}
	product = parse_gpu_id(gpu) ? panthor_perf_table_product(list->table, id, 0) : NULL;
	snprintf(list->gpu, sizeof(list->gpu), "%s", product ? product : gpu);
	return EXIT_OK;
}

/* Of the GPU of this machine; without counters, it has names for them nevertheless. */
static int open_table(struct listing *list)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct gpu_view view = { 0 };
	char name[32];
	int status;

	status = open_device(list->args.common.device, &list->device);
	if (status) {
		if (status == EXIT_NO_DEVICE && !list->args.common.device)
			fputs("panthor-perf: --gpu lists the counters of a GPU that is not here\n",
			      stderr);
		return status;
	}
	if (panthor_perf_device_gpu_info(list->device, &view.gpu, sizeof(view.gpu), &error))
		return fail(0, "asking %s what GPU it is: %s",
			    panthor_perf_device_path(list->device), error.text);
	view.gpu_id = panthor_perf_gpu_info_id(&view.gpu, sizeof(view.gpu));
	status = load_table(list->args.common.counters, view.gpu_id, &list->table);
	if (status)
		return status;
	if (!list->table)
		return fail(0, "no table has names for %s; --counters reads a table",
			    gpu_name(&view, name, sizeof(name)));
	view.table = list->table;
	panthor_perf_device_gpu(list->device, &list->object, NULL);
	snprintf(list->gpu, sizeof(list->gpu), "%s", gpu_name(&view, name, sizeof(name)));
	return EXIT_OK;
}

/**
 * cmd_list() - The sub-command list
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_list(int argc, char **argv)
{
	struct listing list = { 0 };
	int status;

	if (parse_arguments(&argp, argc, argv, 0, &list.args))
		return EXIT_USAGE;
	if (list.args.gpus)
		return print_gpus(list.args.json);
	status = list.args.gpu ? find_list_table(&list) : open_table(&list);
	list.color = use_color(&list.args.common, stdout);
	if (!status)
		look_for_words(&list);
	if (!status && list.args.describe)
		status = describe_counter(&list);
	else if (!status && list.args.sets)
		status = print_sets(&list);
	else if (!status)
		status = list.args.json ? print_list_json(&list) : print_list(&list);
	panthor_perf_table_destroy(list.table);
	panthor_perf_device_close(list.device);
	return status;
}
