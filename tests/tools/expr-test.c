// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of formulas: what they are worth, what is refused and where. */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf_counters.h>

#include "check.h"

/* Counters are numbered by block type, then set, then index: see the enum below. */
static const char text[] =
	"panthor-perf-counters 1\n"
	"table TEST\n"
	"words 64\n"
	"product 10.7 \"Mali-Test\"\n"
	"block cshw\n"
	"4 A cycles \"a\" source ALPHA\n"
	"5 B cycles \"b\"\n"
	"7 S cycles \"s\" set secondary\n"
	"block shader\n"
	"4 C cycles \"c\"\n"
	"63 D cycles \"d\"\n"
	"define twice_a = 2 * A\n"
	"derived ratio percent \"r\" = 100 * twice_a / B\n"
	"derived rate hertz \"r\" = A / TSPAN\n"
	"derived second cycles \"s\" = S + 1\n";

enum { A, B, S, C, D, COUNTERS };

static struct panthor_perf_table *table;

static const struct panthor_perf_constants constants = {
	.size = sizeof(constants),
	.core_count = 7,
	.l2_slices = 2,
	.bus_bytes = 16,
	.time_span_ns = 250000000,
	.clocks = 1 << DRM_PANTHOR_PERF_CLOCK_TOPLEVEL | 1 << DRM_PANTHOR_PERF_CLOCK_COREGROUP |
		  1 << DRM_PANTHOR_PERF_CLOCK_SHADER,
	.toplevel_cycles = 40,
	.coregroup_cycles = 50,
	.shader_cycles = 0,
	.neural_count = 3,
};

static const uint64_t values[COUNTERS] = { [A] = 10, [B] = 4, [S] = 1000, [C] = 3, [D] = 0 };
static const bool all[COUNTERS] = { true, true, true, true, true };

static struct panthor_perf_expr *compile(const char *formula)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_expr *expr;

	if (panthor_perf_expr_create(table, formula, &expr, &error)) {
		printf("# %s: %u:%u: %s\n", formula, error.line, error.column, error.text);
		return NULL;
	}
	return expr;
}

static void test_values(void)
{
	static const struct {
		const char *formula;
		double value;
	} cases[] = {
		{ "1", 1 },
		{ "007", 7 },
		{ ".5", 0.5 },
		{ "0.125", 0.125 },
		{ "0.1", 0.1 },
		{ "123456789012345", 123456789012345.0 },
		{ "1.00000000000005", 1.00000000000005 },
		{ "A", 10 },
		{ "a", 10 },
		{ "ALPHA", 10 },
		{ "alpha + alpha", 20 },
		{ "D", 0 },
		{ "A + B + C", 17 },
		{ "A - B - C", 3 },
		{ "A - (B - C)", 9 },
		{ "A / B / C", 10.0 / 4 / 3 },
		{ "A / (B / C)", 10 / (4.0 / 3) },
		{ "A + B * C", 22 },
		{ "(A + B) * C", 42 },
		{ "A*B-C*2", 34 },
		{ "-A", -10 },
		{ "--A", 10 },
		{ "---A", -10 },
		{ "- -A", 10 },
		{ "2 - -3", 5 },
		{ "-A * -B", 40 },
		{ "-(A + B)", -14 },
		{ "2 * -C", -6 },
		{ "min(A, B)", 4 },
		{ "max(A, B)", 10 },
		{ "MAX(A,B)", 10 },
		{ "min(A, B, C)", 3 },
		{ "max(B, C, A)", 10 },
		{ "max(B, A, C)", 10 },
		{ "max (A, B)", 10 },
		{ "min(A)", 10 },
		{ "max(-A, -B)", -4 },
		{ "max(min(A, B), min(B, C) * 2)", 6 },
		{ "NCORE", 7 },
		{ "ncore + NL2 + BUSBYTES", 25 },
		{ "TSPAN", 0.25 },
		{ "A / TSPAN", 40 },
		{ "100 * A / topcy", 25 },
		{ "GROUPCY / TSPAN", 200 },
		{ "SHADERCY", 0 },
		{ "NNX", 3 },
		{ "0 / 0", 0 },
		{ "D / D", 0 },
		{ "D / -D", 0 },
		{ "min(A, D / D)", 0 },
		{ "1 + (A - 10) / D", 1 },
		{ "D / SHADERCY", 0 },
		{ "twice_a", 20 },
		{ "ratio", 500 },
		{ "ratio - ratio", 0 },
		{ "rate", 40 },
		{ " A\t+\n B # + C\n + 1", 15 },
		{ "A # the end", 10 },
		{ "0 / A", 0 },
		{ "D * -1", 0 },
		{ "S", 1000 },
		{ "second * 2", 2002 },
		{ "((((((((((A))))))))))", 10 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_expr *expr = compile(cases[i].formula);
		double value = NAN;
		bool known = expr && panthor_perf_expr_value(expr, values, all, &constants,
							     &value);

		CHECK(known && value == cases[i].value && !(value == 0 && signbit(value)),
		      "value of '%.*s'", (int)strcspn(cases[i].formula, "\n"), cases[i].formula);
		panthor_perf_expr_destroy(expr);
	}
}

static void test_no_value(void)
{
	/* 10^14 in 23 factors: 10^322 is larger than any double. */
	static const char large[] =
		"100000000000000*100000000000000*100000000000000*100000000000000*100000000000000*"
		"100000000000000*100000000000000*100000000000000*100000000000000*100000000000000*"
		"100000000000000*100000000000000*100000000000000*100000000000000*100000000000000*"
		"100000000000000*100000000000000*100000000000000*100000000000000*100000000000000*"
		"100000000000000*100000000000000*100000000000000";
	static const char *const cases[] = {
		"1 / 0", "A / D", "-A / D", "A / -D", "A / (B - 4)", "A / SHADERCY",
		"1 / (A / D)", "max(A, 1 / D)", "max(1 / D, A)", "0 * (A / D)", "1 / (D / D)",
		"A / D - A / D", large,
	};
	static const struct panthor_perf_constants none = PANTHOR_PERF_CONSTANTS_INIT;
	static const char *const need[] = {
		"NCORE", "NL2", "BUSBYTES", "TSPAN", "rate", "0 * NL2", "TOPCY", "GROUPCY",
		"SHADERCY", "NNX",
	};
	struct panthor_perf_constants first = constants;
	struct panthor_perf_expr *expr;
	double value = 12345;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		expr = compile(cases[i]);
		CHECK(expr && !panthor_perf_expr_value(expr, values, all, &constants, &value) &&
		      value == 12345, "no value of '%.30s'", cases[i]);
		panthor_perf_expr_destroy(expr);
	}
	for (i = 0; i < ARRAY_SIZE(need); i++) {
		expr = compile(need[i]);
		CHECK(expr && !panthor_perf_expr_value(expr, values, all, &none, &value) &&
		      value == 12345, "no value of '%s' without constants", need[i]);
		panthor_perf_expr_destroy(expr);
	}
	/* What is behind it is not the caller's. */
	first.size = offsetof(struct panthor_perf_constants, neural_count);
	expr = compile("NNX");
	CHECK(expr && !panthor_perf_expr_value(expr, values, all, &first, &value) &&
	      value == 12345, "no value of 'NNX' with constants of the first version");
	panthor_perf_expr_destroy(expr);
}

static void test_known(void)
{
	struct panthor_perf_expr *expr = compile("ratio");
	bool known[COUNTERS] = { [A] = true, [B] = true };
	double value = 0;

	CHECK(expr && panthor_perf_expr_value(expr, values, known, &constants, &value) &&
	      value == 500, "a value of counters that were counted");
	known[A] = false;
	CHECK(expr && !panthor_perf_expr_value(expr, values, known, &constants, &value),
	      "no value if a counter of a definition was not counted");
	panthor_perf_expr_destroy(expr);
}

/* Nothing was counted: a formula has a value only if it needs no counter. */
static void test_nothing_known(void)
{
	static const struct {
		const char *formula;
		bool has_value;
		double value;
	} cases[] = {
		{ "A", false, 12345 }, { "ratio", false, 12345 }, { "0 * D", false, 12345 },
		{ "max(1, A)", false, 12345 }, { "NCORE - S", false, 12345 },
		{ "2 * 3", true, 6 }, { "BUSBYTES / TSPAN", true, 64 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_expr *expr = compile(cases[i].formula);
		double value = 12345;

		CHECK(expr && panthor_perf_expr_value(expr, NULL, NULL, &constants, &value) ==
		      cases[i].has_value && value == cases[i].value,
		      "'%s' without counters: %g", cases[i].formula, value);
		panthor_perf_expr_destroy(expr);
	}
}

static void test_large(void)
{
	uint64_t large[COUNTERS] = { [A] = UINT64_MAX, [B] = 1ull << 53, [C] = (1ull << 53) + 1 };
	struct panthor_perf_expr *expr = compile("A");
	double value = 0;

	CHECK(expr && panthor_perf_expr_value(expr, large, all, &constants, &value) &&
	      value == 18446744073709551616.0, "the largest counter");
	panthor_perf_expr_destroy(expr);
	expr = compile("C - B");
	CHECK(expr && panthor_perf_expr_value(expr, large, all, &constants, &value) && !value,
	      "beyond 2^53 counters are rounded");
	panthor_perf_expr_destroy(expr);
}

static void test_inputs(void)
{
	struct panthor_perf_expr *expr = compile("D + ratio * NL2 + D / rate + max(A, C)");
	const uint32_t *inputs;
	uint32_t count = 0;

	inputs = expr ? panthor_perf_expr_inputs(expr, &count) : NULL;
	CHECK(count == 4 && inputs[0] == A && inputs[1] == B && inputs[2] == C && inputs[3] == D,
	      "counters that a formula needs");
	CHECK(expr && panthor_perf_expr_constants(expr) ==
	      (PANTHOR_PERF_CONSTANT_L2_SLICES | PANTHOR_PERF_CONSTANT_TIME_SPAN),
	      "constants that a formula needs");
	panthor_perf_expr_destroy(expr);
	expr = compile("1 + 2");
	CHECK(expr && !panthor_perf_expr_inputs(expr, &count) && !count &&
	      !panthor_perf_expr_constants(expr), "a formula that needs nothing");
	panthor_perf_expr_destroy(expr);
}

static void test_errors(void)
{
	static const struct {
		const char *formula;
		unsigned int line;
		unsigned int column;
		const char *message;
	} cases[] = {
		{ "", 1, 1, "the formula ends where a number, a name or '(' is expected" },
		{ "  ", 1, 3, "the formula ends where" },
		{ "# A", 1, 4, "the formula ends where" },
		{ "A +", 1, 4, "the formula ends where a number" },
		{ "A + # B", 1, 8, "the formula ends where" },
		{ "+ A", 1, 1, "unexpected '+': a number, a name or '(' is expected" },
		{ "A + + B", 1, 5, "unexpected '+'" },
		{ "A * / B", 1, 5, "unexpected '/'" },
		{ "A B", 1, 3, "unexpected 'B': an operator is expected" },
		{ "A 2", 1, 3, "unexpected '2': an operator" },
		{ "2A", 1, 2, "unexpected 'A': an operator" },
		{ "2 (A)", 1, 3, "unexpected '(': an operator" },
		{ "1.2.3", 1, 4, "unexpected '.': an operator" },
		{ "1.", 1, 3, "the formula ends where a digit is expected" },
		{ "1. + A", 1, 4, "unexpected '+': a digit" },
		{ ".", 1, 2, "the formula ends where a digit" },
		{ "1e6", 1, 2, "unexpected 'e': an operator" },
		{ "0x10", 1, 2, "unexpected 'x': an operator" },
		{ "1234567890123456", 1, 1, "a number has at most 15 digits" },
		{ "A + 0.123456789012345", 1, 5, "a number has at most 15 digits" },
		{ "(A", 1, 3, "the formula ends where an operator or ')' is expected" },
		{ "(A + B", 1, 7, "the formula ends where an operator or ')'" },
		{ "A)", 1, 2, "unexpected ')': an operator is expected" },
		{ "()", 1, 2, "unexpected ')': a number, a name or '('" },
		{ "(A,B)", 1, 3, "unexpected ',': an operator or ')'" },
		{ "A, B", 1, 2, "unexpected ',': an operator is expected" },
		{ "max", 1, 4, "the formula ends where '(' is expected" },
		{ "max + 1", 1, 5, "unexpected '+': '(' is expected" },
		{ "max()", 1, 5, "unexpected ')': a number" },
		{ "max(A,)", 1, 7, "unexpected ')': a number" },
		{ "max(A B)", 1, 7, "unexpected 'B': ',' or ')' is expected" },
		{ "max(A, B", 1, 9, "the formula ends where ',' or ')' is expected" },
		{ "min(,A)", 1, 5, "unexpected ',': a number" },
		{ "A - Z", 1, 5, "unknown name 'Z': a counter" },
		{ "A - ratoi", 1, 5, "unknown name 'ratoi': is 'ratio' meant?" },
		{ "twice_b", 1, 1, "unknown name 'twice_b': is 'twice_a' meant?" },
		{ "A(1)", 1, 2, "unexpected '(': an operator" },
		{ "NCORE(1)", 1, 6, "unexpected '(': an operator" },
		{ "A % B", 1, 3, "unexpected '%': an operator" },
		{ "A ^ 2", 1, 3, "unexpected '^': an operator" },
		{ "$A", 1, 1, "unexpected '$': a number" },
		{ "shader:4", 1, 1, "unknown name 'shader'" },
		{ "A\n+ B\n- Q", 3, 3, "unknown name 'Q'" },
		{ "A +\n", 2, 1, "the formula ends where" },
		{ "A \xc3\xb7 B", 1, 3, "unexpected byte 0xc3: an operator" },
		{ "A + S", 1, 5, "S is in the secondary set, A in the primary one" },
		{ "A + second", 1, 5, "S is in the secondary set, A in the primary one" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_expr *expr = NULL;
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		int ret = panthor_perf_expr_create(table, cases[i].formula, &expr, &error);
		bool good = ret == -EINVAL && error.code == ret && !expr &&
			    error.size == sizeof(error) && error.line == cases[i].line &&
			    error.column == cases[i].column && !*error.file &&
			    !strncmp(error.text, cases[i].message, strlen(cases[i].message));

		CHECK(good, "refuse '%.*s': %u:%u: %s", (int)strcspn(cases[i].formula, "\n"),
		      cases[i].formula, error.line, error.column, error.text);
	}
	CHECK(panthor_perf_expr_create(table, "A +", &(struct panthor_perf_expr *){ NULL },
				       NULL) == -EINVAL, "an error that nobody asks for");
}

/* @count times @text, then @end. */
static char *repeat(const char *piece, size_t count, const char *end)
{
	size_t size = strlen(piece), i;
	char *out = malloc(size * count + strlen(end) + 1);

	for (i = 0; i < count; i++)
		memcpy(out + i * size, piece, size);
	memcpy(out + size * count, end, strlen(end) + 1);
	return out;
}

/* With 64 parentheses more. */
static char *close_64(char *formula)
{
	size_t size = strlen(formula);

	formula = realloc(formula, size + 65);
	memset(formula + size, ')', 64);
	formula[size + 64] = 0;
	return formula;
}

static int try_formula(char *formula, struct panthor_perf_error *error, double *value)
{
	struct panthor_perf_expr *expr;
	int ret = panthor_perf_expr_create(table, formula, &expr, error);

	if (!ret) {
		if (!panthor_perf_expr_value(expr, values, all, &constants, value))
			ret = -EDOM;
		panthor_perf_expr_destroy(expr);
	}
	free(formula);
	return ret;
}

static void test_limits(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	double value = 0;
	int ret;

	CHECK(!try_formula(close_64(repeat("(", 64, "A")), &error, &value) && value == 10,
	      "64 parentheses");

	ret = try_formula(repeat("(", 65, "A"), &error, &value);
	CHECK(ret == -E2BIG && error.column == 65, "refuse 65 parentheses: %s", error.text);
	ret = try_formula(repeat("max(1,", 65, "A"), &error, &value);
	CHECK(ret == -E2BIG && error.column == 6 * 64 + 4, "refuse 65 functions: %s",
	      error.text);
	ret = try_formula(repeat("(", 1000000, ""), &error, &value);
	CHECK(ret == -E2BIG && error.column == 65, "refuse a million parentheses");
	ret = try_formula(repeat("1+2*max(3,", 64, "A"), &error, &value);
	CHECK(ret == -EINVAL && error.column == 642, "64 functions that are not closed: %s",
	      error.text);
	/* On the stack at once: 1, 2 and 3 of each of the 64, and A. */
	ret = try_formula(close_64(repeat("1+2*max(3,", 64, "A")), &error, &value);
	CHECK(!ret && value > 1e19, "64 functions in one another");
	CHECK(!try_formula(repeat("-", 100000, "A"), &error, &value) && value == 10,
	      "100000 minuses");

	/* 2048 numbers and 2047 additions are 4095 operations. */
	ret = try_formula(repeat("A+", 2047, "A"), &error, &value);
	CHECK(!ret && value == 20480, "a formula of 4095 operations");
	ret = try_formula(repeat("A+", 2048, "A"), &error, &value);
	CHECK(ret == -E2BIG && error.column == 2 * 2048, "refuse 4097 operations at %u: %s",
	      error.column, error.text);
	/* ratio has 7 operations. */
	ret = try_formula(repeat("ratio+", 512, "1"), &error, &value);
	CHECK(ret == -E2BIG, "operations of what is named count: %s", error.text);
}

/* Anything of the characters that mean something gives a finite value, none, or an error. */
static void test_random(void)
{
	static const char *const pieces[] = {
		"A", "B", "D", "ratio", "NCORE", "TSPAN", "max", "min", "(", ")", ",", "+", "-",
		"*", "/", "0", "1", "0.5", "99999999999999", " ", "#", "\n", "zz", ".",
	};
	unsigned int round, good = 0, bad = 0, none = 0, wrong = 0;
	uint32_t state = 1;

	for (round = 0; round < 200000; round++) {
		char formula[256] = "";
		unsigned int i, count;
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		struct panthor_perf_expr *expr;
		double value;

		state = state * 1664525 + 1013904223;
		count = state >> 28;
		for (i = 0; i < count; i++) {
			state = state * 1664525 + 1013904223;
			strcat(formula, pieces[(state >> 16) % ARRAY_SIZE(pieces)]);
		}
		if (panthor_perf_expr_create(table, formula, &expr, &error)) {
			bad++;
			if (!*error.text || !error.column)
				wrong++;
			continue;
		}
		if (!panthor_perf_expr_value(expr, values, all, &constants, &value))
			none++;
		else if (isfinite(value))
			good++;
		else
			wrong++;
		panthor_perf_expr_destroy(expr);
	}
	CHECK(!wrong && good > 1000 && none > 10 && bad > 1000,
	      "200000 random formulas: values %u, none %u, errors %u", good, none, bad);
}

int main(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	if (panthor_perf_table_create_from_text(text, strlen(text), NULL, &table, &error)) {
		printf("not ok the table of the test - %u:%u: %s\n", error.line, error.column,
		       error.text);
		return 1;
	}
	test_values();
	test_no_value();
	test_known();
	test_nothing_known();
	test_large();
	test_inputs();
	test_errors();
	test_limits();
	test_random();
	panthor_perf_table_destroy(table);
	return check_failures ? 1 : 0;
}
