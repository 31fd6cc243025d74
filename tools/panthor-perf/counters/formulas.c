// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "formulas.h"
#include "values.h"

#define MAX_FORMULAS	64

/**
 * struct formula - a formula of the user
 */
struct formula {
	/** @name: Its name. */
	char name[64];

	/** @text: The formula. */
	const char *text;

	/** @judged: It has been judged. */
	bool judged;
};

static struct formula formulas[MAX_FORMULAS];
static unsigned int formula_count;

static size_t name_size(const char *text)
{
	size_t size = 0;

	if (isalpha((unsigned char)*text) || *text == '_')
		while (isalnum((unsigned char)text[size]) || text[size] == '_')
			size++;
	return size;
}

/* No pattern of counters has these, and none begins with a number; BLOCK:INDEX has a colon. */
static bool is_formula(const char *text)
{
	return !strchr(text, ':') &&
	       (strpbrk(text, "/+()") || isdigit((unsigned char)*text));
}

static const struct formula *find_formula(const char *name)
{
	unsigned int i;

	for (i = 0; i < formula_count; i++)
		if (!strcmp(formulas[i].name, name))
			return &formulas[i];
	return NULL;
}

static void make_name(struct formula *formula)
{
	unsigned int number = formula_count + 1;

	do
		snprintf(formula->name, sizeof(formula->name), "formula_%u", number++);
	while (find_formula(formula->name));
}

const char *formulas_define(const char *text)
{
	struct formula *formula = &formulas[formula_count];
	const size_t size = name_size(text);
	const char *at = text + size + strspn(text + size, " \t");
	const struct formula *other;

	if (formula_count == MAX_FORMULAS)
		return NULL;
	if (size && size < sizeof(formula->name) && *at == '=') {
		snprintf(formula->name, sizeof(formula->name), "%.*s", (int)size, text);
		formula->text = at + 1 + strspn(at + 1, " \t");
	} else if (is_formula(text)) {
		make_name(formula);
		formula->text = text;
	} else {
		return NULL;
	}
	/* Said twice, it is one. */
	other = find_formula(formula->name);
	if (other && !strcmp(other->text, formula->text))
		return other->name;
	formula_count++;
	return formula->name;
}

/* A share that is multiplied by 100 is a percentage. */
static const char *unit_of_formula(const char *text)
{
	return !strncmp(text, "100", 3) && text[3 + strspn(text + 3, " \t")] == '*' ? "percent" :
										      "units";
}

static void put_formula(FILE *out, const struct formula *formula)
{
	const char *at;

	fprintf(out, "\ngroup \"Formulas of the command line\"\nderived %s %s \"", formula->name,
		unit_of_formula(formula->text));
	for (at = formula->text; *at; at++)
		if (*at != '"')
			fputc(*at, out);
	fprintf(out, "\"\n\t= %s\n", formula->text);
}

static int refuse(const struct formula *formula, struct panthor_perf_error *error, const char *why)
{
	snprintf(error->file, sizeof(error->file), "-e %.63s", formula->name);
	snprintf(error->text, sizeof(error->text), "%s", why);
	return -EINVAL;
}

/* It is one line of a table, without a comment. */
static int check_text(const struct formula *formula, struct panthor_perf_error *error)
{
	const char *at = formula->text;

	while (*at >= ' ' && *at <= '~' && *at != '#')
		at++;
	if (*formula->text && !*at)
		return 0;
	return refuse(formula, error, *at ? "no formula has this character" :
					    "there is no formula behind '='");
}

static int add(struct panthor_perf_table **table, const struct formula *formula,
	       struct panthor_perf_error *error)
{
	const struct panthor_perf_counter *other;
	struct panthor_perf_table *larger;
	const char *text;
	char *grown = NULL;
	size_t size;
	FILE *out;
	int ret = check_text(formula, error);

	if (ret)
		return ret;
	other = panthor_perf_table_counter(*table, formula->name);
	/* A recording keeps formulas. */
	if (other && other->formula && !strcmp(other->formula, formula->text))
		return 0;
	if (other)
		return refuse(formula, error, "another counter of the table, or formula of the "
			      "recording, has this name");
	out = open_memstream(&grown, &size);
	if (!out)
		return -ENOMEM;
	text = panthor_perf_table_text(*table, &size);
	fwrite(text, 1, size, out);
	put_formula(out, formula);
	if (fclose(out)) {
		free(grown);
		return -ENOMEM;
	}
	ret = panthor_perf_table_create_from_text(grown, size, panthor_perf_table_file(*table),
						  &larger, error);
	free(grown);
	if (ret) {
		snprintf(error->file, sizeof(error->file), "-e %.63s", formula->name);
		/* It is that of the table's text. */
		error->line = 0;
		return ret;
	}
	panthor_perf_table_destroy(*table);
	*table = larger;
	return 0;
}

#define CLOCKS	(PANTHOR_PERF_CONSTANT_TOPLEVEL_CYCLES | \
		 PANTHOR_PERF_CONSTANT_COREGROUP_CYCLES | PANTHOR_PERF_CONSTANT_SHADER_CYCLES)

/* Blocks of which there are several, and what says that a formula has their number in mind. */
static const struct {
	unsigned int type;
	unsigned int constants;
	const char *blocks;
	const char *constant;
} several[] = {
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, PANTHOR_PERF_CONSTANT_CORE_COUNT, "shader cores",
	  "NCORE" },
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL, PANTHOR_PERF_CONSTANT_NEURAL_COUNT,
	  "neural accelerators", "NNX" },
	/* Bytes are no cycles of slices. */
	{ DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,
	  PANTHOR_PERF_CONSTANT_L2_SLICES | PANTHOR_PERF_CONSTANT_BUS_BYTES, "L2 slices", "NL2" },
};

static void judge_clocks(const char *name, unsigned int types, unsigned int constants)
{
	const unsigned int shader = 1u << DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER;
	const bool has_top = constants & PANTHOR_PERF_CONSTANT_TOPLEVEL_CYCLES;
	const bool has_shader = constants & PANTHOR_PERF_CONSTANT_SHADER_CYCLES;

	if (types & shader && !has_shader)
		note_that("-e %s: shader cores have a clock of their own: %s missing?", name,
			  has_top ? "is SHADERCY" : "are SHADERCY and TOPCY");
	if (types && !(types & shader) && has_shader && !has_top)
		note_that("-e %s: SHADERCY is of the clock of shader cores: is TOPCY meant?", name);
}

static bool has_cycles(const struct panthor_perf_table *table, const struct panthor_perf_expr *expr)
{
	const uint32_t *inputs;
	uint32_t count;

	for (inputs = panthor_perf_expr_inputs(expr, &count); count; count--, inputs++) {
		const struct panthor_perf_counter *input =
			panthor_perf_table_counter_by_number(table, PANTHOR_PERF_COUNTER_HARDWARE,
							     *inputs);

		if (!strcmp(input->unit, "cycles"))
			return true;
	}
	return false;
}

/*
 * A share compares sums over different numbers of blocks, or cycles of different clocks, only with
 * their numbers.
 */
static void judge(const struct panthor_perf_table *table, struct formula *formula)
{
	const struct panthor_perf_counter *counter;
	unsigned int constants, types;
	size_t i;

	counter = panthor_perf_table_counter(table, formula->name);
	if (!counter || formula->judged || strcmp(counter->unit, "percent"))
		return;
	constants = panthor_perf_expr_constants(counter->expr);
	types = formula_types(table, counter->expr);
	formula->judged = true;
	if (!(types & (types - 1)) && !(constants & CLOCKS))
		return;
	/* Shares of bytes, or of events, are those of sums. */
	if (!(constants & CLOCKS) && !has_cycles(table, counter->expr))
		return;
	for (i = 0; i < ARRAY_SIZE(several); i++)
		if (types >> several[i].type & 1 && !(constants & several[i].constants))
			note_that("-e %s: the counters of all %s are compared with those of other "
				  "blocks, or with the cycles of a clock: is %s missing?",
				  formula->name, several[i].blocks, several[i].constant);
	judge_clocks(formula->name, types, constants);
}

int formulas_apply(struct panthor_perf_table **table, struct panthor_perf_error *error)
{
	unsigned int i;
	int ret = 0;

	if (formula_count && !*table)
		return refuse(&formulas[0], error, "there is no table with the names of this GPU's "
			      "counters: a formula needs one");
	for (i = 0; i < formula_count && !ret; i++)
		ret = add(table, &formulas[i], error);
	for (i = 0; i < formula_count && !ret; i++)
		judge(*table, &formulas[i]);
	return ret;
}
