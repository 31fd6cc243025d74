// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: Formulas
 *
 * A formula is compiled once to operations on a stack, into which those of the derived counters
 * that it names are copied. A compiled formula neither calls itself nor grows: its value takes as
 * many steps as it has operations, of which there is a limit, as there is of the parentheses that
 * may be open. A name stands for something that is there already, so that no
 * formula leads back to itself.
 */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "expr.h"
#include "internal.h"
#include "table.h"

/* More digits than these are not exact. */
#define MAX_DIGITS	15

#define NS_PER_S	1e9

static const struct {
	const char *name;
	unsigned int bit;
} constant_names[] = {
	{ "NCORE", PANTHOR_PERF_CONSTANT_CORE_COUNT },
	{ "NL2", PANTHOR_PERF_CONSTANT_L2_SLICES },
	{ "BUSBYTES", PANTHOR_PERF_CONSTANT_BUS_BYTES },
	{ "TSPAN", PANTHOR_PERF_CONSTANT_TIME_SPAN },
	{ "TOPCY", PANTHOR_PERF_CONSTANT_TOPLEVEL_CYCLES },
	{ "GROUPCY", PANTHOR_PERF_CONSTANT_COREGROUP_CYCLES },
	{ "SHADERCY", PANTHOR_PERF_CONSTANT_SHADER_CYCLES },
	{ "NNX", PANTHOR_PERF_CONSTANT_NEURAL_COUNT },
	/* As Arm's counter database and its guides write them. */
	{ "MALI_CONFIG_SHADER_CORE_COUNT", PANTHOR_PERF_CONSTANT_CORE_COUNT },
	{ "MALI_CONFIG_L2_CACHE_COUNT", PANTHOR_PERF_CONSTANT_L2_SLICES },
	{ "MALI_CONFIG_EXT_BUS_BYTE_SIZE", PANTHOR_PERF_CONSTANT_BUS_BYTES },
	{ "MALI_CONFIG_TIME_SPAN", PANTHOR_PERF_CONSTANT_TIME_SPAN },
};

static const struct {
	const char *name;
	enum expr_code code;
} function_names[] = {
	{ "min", EXPR_MIN },
	{ "max", EXPR_MAX },
};

/* What is being compiled. */
struct compiler {
	const struct panthor_perf_table *table;
	const char *text;
	size_t size;
	size_t pos;
	struct panthor_perf_expr *expr;
	uint32_t room;
	uint32_t stack;
	unsigned int depth;

	/* The first counter, whose set is that of all. */
	const struct panthor_perf_counter *first;

	struct expr_fault *fault;
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(const char *name, const char *text, size_t size)
{
	return strlen(name) == size && !strncasecmp(name, text, size);
}

__attribute__((format(printf, 4, 5)))
static int fault(struct compiler *c, size_t offset, int err, const char *format, ...)
{
	va_list args;

	c->fault->offset = offset;
	va_start(args, format);
	vsnprintf(c->fault->message, sizeof(c->fault->message), format, args);
	va_end(args);
	return err;
}

static void skip_blanks(struct compiler *c)
{
	while (c->pos < c->size) {
		char next = c->text[c->pos];

		if (next == '#')
			while (c->pos < c->size && c->text[c->pos] != '\n')
				c->pos++;
		else if (next == ' ' || next == '\t' || next == '\n' || next == '\r')
			c->pos++;
		else
			break;
	}
}

/* The character that follows behind blanks; 0 at the end. */
static char peek(struct compiler *c)
{
	skip_blanks(c);
	return c->pos < c->size ? c->text[c->pos] : 0;
}

static int not_expected(struct compiler *c, const char *expected)
{
	unsigned char next;

	skip_blanks(c);
	if (c->pos == c->size)
		return fault(c, c->pos, -EINVAL, "the formula ends where %s is expected", expected);
	next = c->text[c->pos];
	if (next < ' ' || next > '~')
		return fault(c, c->pos, -EINVAL, "unexpected byte 0x%02x: %s is expected", next,
			     expected);
	return fault(c, c->pos, -EINVAL, "unexpected '%c': %s is expected", next, expected);
}

/* Appends an operation; @pushes is what it leaves on the stack more than it takes. */
static int emit(struct compiler *c, size_t offset, struct expr_op op, int pushes)
{
	struct panthor_perf_expr *expr = c->expr;

	if (expr->op_count == EXPR_MAX_OPS)
		return fault(c, offset, -E2BIG,
			     "the formula is too long: more than %d operations with what it names",
			     EXPR_MAX_OPS);
	if (expr->op_count == c->room) {
		uint32_t room = c->room ? 2 * c->room : 16;
		struct expr_op *ops = realloc(expr->ops, room * sizeof(*ops));

		if (!ops)
			return fault(c, offset, -ENOMEM, "out of memory");
		expr->ops = ops;
		c->room = room;
	}
	expr->ops[expr->op_count++] = op;
	c->stack += pushes;
	if (c->stack > expr->stack)
		expr->stack = c->stack;
	if (c->stack > EXPR_MAX_STACK)
		return fault(c, offset, -E2BIG, "the formula is nested too deeply");
	return 0;
}

static int emit_value(struct compiler *c, size_t offset, enum expr_code code, uint32_t index)
{
	return emit(c, offset, (struct expr_op){ .code = code, .index = index }, 1);
}

static int emit_binary(struct compiler *c, size_t offset, enum expr_code code)
{
	return emit(c, offset, (struct expr_op){ .code = code }, -1);
}

static int emit_counter(struct compiler *c, size_t offset,
			const struct panthor_perf_counter *counter)
{
	if (!c->first)
		c->first = counter;
	if (counter->set != c->first->set)
		return fault(c, offset, -EINVAL,
			     "%s is in the %s set, %s in the %s one: a sample has one set",
			     counter->name, panthor_perf_set_name(counter->set), c->first->name,
			     panthor_perf_set_name(c->first->set));
	return emit_value(c, offset, EXPR_COUNTER, counter->number);
}

/* Copies what another formula does. */
static int emit_formula(struct compiler *c, size_t offset, const struct panthor_perf_expr *expr)
{
	const struct panthor_perf_counter *counters =
		c->table->lists[PANTHOR_PERF_COUNTER_HARDWARE].counters;
	uint32_t i;

	for (i = 0; i < expr->op_count; i++) {
		const struct expr_op *op = &expr->ops[i];
		int pushes = op->code <= EXPR_CONSTANT ? 1 : op->code == EXPR_NEGATE ? 0 : -1;
		int ret;

		if (op->code == EXPR_COUNTER)
			ret = emit_counter(c, offset, &counters[op->index]);
		else
			ret = emit(c, offset, *op, pushes);
		if (ret)
			return ret;
	}
	return 0;
}

static int parse_number(struct compiler *c)
{
	size_t start = c->pos;
	unsigned int digits = 0;
	double number = 0, scale = 1;
	bool fraction = false;

	for (; c->pos < c->size; c->pos++) {
		char next = c->text[c->pos];

		if (next == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (!is_digit(next))
			break;
		if (++digits > MAX_DIGITS)
			return fault(c, start, -EINVAL, "a number has at most %d digits",
				     MAX_DIGITS);
		number = 10 * number + (next - '0');
		if (fraction)
			scale *= 10;
	}
	if (c->text[c->pos - 1] == '.')
		return not_expected(c, "a digit");
	if (c->pos < c->size && (is_letter(c->text[c->pos]) || c->text[c->pos] == '.'))
		return not_expected(c, "an operator");
	return emit(c, start, (struct expr_op){ .code = EXPR_NUMBER, .number = number / scale }, 1);
}

static int parse_sum(struct compiler *c);

/* What stands behind the parenthesis that is open: one sum, or several with commas in between. */
static int parse_arguments(struct compiler *c, size_t open, bool several, enum expr_code code)
{
	unsigned int count = 0;
	int ret;

	if (++c->depth > EXPR_MAX_DEPTH)
		return fault(c, open, -E2BIG, "more than %d parentheses are open",
			     EXPR_MAX_DEPTH);
	for (;;) {
		size_t start;

		peek(c);
		start = c->pos;
		ret = parse_sum(c);
		if (ret)
			return ret;
		if (count++) {
			ret = emit_binary(c, start, code);
			if (ret)
				return ret;
		}
		if (!several || peek(c) != ',')
			break;
		c->pos++;
	}
	if (peek(c) != ')')
		return not_expected(c, several ? "',' or ')'" : "an operator or ')'");
	c->pos++;
	c->depth--;
	return 0;
}

static int parse_name(struct compiler *c)
{
	const struct panthor_perf_counter *counter;
	const char *name = c->text + c->pos;
	size_t start = c->pos, size, i;

	while (c->pos < c->size && (is_letter(c->text[c->pos]) || is_digit(c->text[c->pos])))
		c->pos++;
	size = c->pos - start;

	for (i = 0; i < ARRAY_SIZE(function_names); i++)
		if (is_name(function_names[i].name, name, size)) {
			if (peek(c) != '(')
				return not_expected(c, "'('");
			return parse_arguments(c, c->pos++, true, function_names[i].code);
		}
	for (i = 0; i < ARRAY_SIZE(constant_names); i++)
		if (is_name(constant_names[i].name, name, size))
			return emit_value(c, start, EXPR_CONSTANT, constant_names[i].bit);

	counter = table_find(c->table, name, size, true);
	if (counter && counter->kind == PANTHOR_PERF_COUNTER_HARDWARE)
		return emit_counter(c, start, counter);
	if (counter)
		return emit_formula(c, start, counter->expr);

	counter = table_nearest(c->table, name, size, true);
	if (size > TABLE_MAX_NAME)
		size = TABLE_MAX_NAME;
	if (counter)
		return fault(c, start, -EINVAL, "unknown name '%.*s': is '%s' meant?", (int)size,
			     name, counter->name);
	return fault(c, start, -EINVAL, "unknown name '%.*s': a counter, a constant, or a formula "
		     "that stands above is expected", (int)size, name);
}

static int parse_operand(struct compiler *c)
{
	bool negative = false;
	size_t start;
	char next;
	int ret;

	for (next = peek(c), start = c->pos; next == '-'; next = peek(c)) {
		negative = !negative;
		c->pos++;
	}
	if (is_digit(next) || next == '.')
		ret = parse_number(c);
	else if (is_letter(next))
		ret = parse_name(c);
	else if (next == '(')
		ret = parse_arguments(c, c->pos++, false, EXPR_ADD);
	else
		ret = not_expected(c, "a number, a name or '('");
	if (!ret && negative)
		ret = emit(c, start, (struct expr_op){ .code = EXPR_NEGATE }, 0);
	return ret;
}

static int parse_product(struct compiler *c)
{
	int ret = parse_operand(c);

	while (!ret) {
		char next = peek(c);
		size_t start = c->pos;

		if (next != '*' && next != '/')
			break;
		c->pos++;
		ret = parse_operand(c);
		if (!ret)
			ret = emit_binary(c, start, next == '*' ? EXPR_MULTIPLY : EXPR_DIVIDE);
	}
	return ret;
}

static int parse_sum(struct compiler *c)
{
	int ret = parse_product(c);

	while (!ret) {
		char next = peek(c);
		size_t start = c->pos;

		if (next != '+' && next != '-')
			break;
		c->pos++;
		ret = parse_product(c);
		if (!ret)
			ret = emit_binary(c, start, next == '+' ? EXPR_ADD : EXPR_SUBTRACT);
	}
	return ret;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/* Notes which counters and constants are needed. */
static int collect_inputs(struct compiler *c)
{
	struct panthor_perf_expr *expr = c->expr;
	uint32_t i, count = 0;

	expr->inputs = malloc(expr->op_count * sizeof(*expr->inputs));
	if (!expr->inputs)
		return fault(c, 0, -ENOMEM, "out of memory");
	for (i = 0; i < expr->op_count; i++) {
		if (expr->ops[i].code == EXPR_COUNTER)
			expr->inputs[count++] = expr->ops[i].index;
		if (expr->ops[i].code == EXPR_CONSTANT)
			expr->constants |= expr->ops[i].index;
	}
	qsort(expr->inputs, count, sizeof(*expr->inputs), compare_numbers);
	for (i = 0; i < count; i++)
		if (!i || expr->inputs[i] != expr->inputs[i - 1])
			expr->inputs[expr->input_count++] = expr->inputs[i];
	return 0;
}

int expr_compile(const struct panthor_perf_table *table, const char *text, size_t size,
		 struct panthor_perf_expr **expr, struct expr_fault *fault_info)
{
	struct compiler c = { .table = table, .text = text, .size = size, .fault = fault_info };
	int ret;

	c.expr = calloc(1, sizeof(*c.expr));
	if (!c.expr)
		return fault(&c, 0, -ENOMEM, "out of memory");
	ret = parse_sum(&c);
	if (!ret && (peek(&c) || c.pos < size))
		ret = not_expected(&c, "an operator");
	if (!ret)
		ret = collect_inputs(&c);
	if (ret) {
		panthor_perf_expr_destroy(c.expr);
		return ret;
	}
	*expr = c.expr;
	return 0;
}

bool expr_is_reserved(const char *name, size_t size)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(function_names); i++)
		if (is_name(function_names[i].name, name, size))
			return true;
	for (i = 0; i < ARRAY_SIZE(constant_names); i++)
		if (is_name(constant_names[i].name, name, size))
			return true;
	return false;
}

int panthor_perf_expr_create(const struct panthor_perf_table *table, const char *text,
			     struct panthor_perf_expr **expr, struct panthor_perf_error *error)
{
	unsigned int line = 1, column = 1;
	struct expr_fault info;
	size_t i;
	int ret;

	*expr = NULL;
	if (!table || !text)
		return panthor_perf_fail(error, -EINVAL, "there is no %s",
					 table ? "text" : "table");
	ret = expr_compile(table, text, strlen(text), expr, &info);
	if (!ret) {
		(*expr)->table = table;
		panthor_perf_use(&table->users);
		return 0;
	}
	for (i = 0; i < info.offset; i++) {
		column++;
		if (text[i] == '\n') {
			line++;
			column = 1;
		}
	}
	return panthor_perf_fail_at(error, ret, NULL, line, column, "%s", info.message);
}

void panthor_perf_expr_destroy(struct panthor_perf_expr *expr)
{
	if (!expr)
		return;
	if (expr->table)
		panthor_perf_unuse(&expr->table->users);
	free(expr->ops);
	free(expr->inputs);
	free(expr);
}

const uint32_t *panthor_perf_expr_inputs(const struct panthor_perf_expr *expr, uint32_t *count)
{
	*count = expr->input_count;
	return expr->input_count ? expr->inputs : NULL;
}

unsigned int panthor_perf_expr_constants(const struct panthor_perf_expr *expr)
{
	return expr->constants;
}

/* Returns whether the constant is known. */
static bool constant_value(const struct panthor_perf_constants *constants, uint32_t bit,
			   double *value)
{
	switch (bit) {
	case PANTHOR_PERF_CONSTANT_CORE_COUNT:
		*value = constants->core_count;
		break;
	case PANTHOR_PERF_CONSTANT_L2_SLICES:
		*value = constants->l2_slices;
		break;
	case PANTHOR_PERF_CONSTANT_BUS_BYTES:
		*value = constants->bus_bytes;
		break;
	case PANTHOR_PERF_CONSTANT_NEURAL_COUNT:
		/* A structure of the first version ends before. */
		*value = constants->size < offsetof(struct panthor_perf_constants, reserved) ?
			 0 : constants->neural_count;
		break;
	case PANTHOR_PERF_CONSTANT_TOPLEVEL_CYCLES:
		*value = constants->toplevel_cycles;
		return constants->clocks >> DRM_PANTHOR_PERF_CLOCK_TOPLEVEL & 1;
	case PANTHOR_PERF_CONSTANT_COREGROUP_CYCLES:
		*value = constants->coregroup_cycles;
		return constants->clocks >> DRM_PANTHOR_PERF_CLOCK_COREGROUP & 1;
	case PANTHOR_PERF_CONSTANT_SHADER_CYCLES:
		*value = constants->shader_cycles;
		return constants->clocks >> DRM_PANTHOR_PERF_CLOCK_SHADER & 1;
	default:
		*value = constants->time_span_ns / NS_PER_S;
		break;
	}
	return *value != 0;
}

/* 0 / 0 is 0: the share of what did not happen. */
static double divide(double a, double b)
{
	if (b == 0)
		return a == 0 ? 0 : NAN;
	return a / b;
}

static double binary(enum expr_code code, double a, double b)
{
	switch (code) {
	case EXPR_ADD:
		return a + b;
	case EXPR_SUBTRACT:
		return a - b;
	case EXPR_MULTIPLY:
		return a * b;
	case EXPR_DIVIDE:
		return divide(a, b);
	case EXPR_MIN:
		return a < b ? a : b;
	default:
		return a > b ? a : b;
	}
}

bool panthor_perf_expr_value(const struct panthor_perf_expr *expr, const uint64_t *values,
			     const bool *known, const struct panthor_perf_constants *constants,
			     double *value)
{
	double stack[EXPR_MAX_STACK];
	unsigned int top = 0;
	uint32_t i;

	for (i = 0; i < expr->op_count; i++) {
		const struct expr_op *op = &expr->ops[i];

		switch (op->code) {
		case EXPR_NUMBER:
			stack[top++] = op->number;
			break;
		case EXPR_COUNTER:
			if (!known || !known[op->index])
				return false;
			stack[top++] = values[op->index];
			break;
		case EXPR_CONSTANT:
			if (!constant_value(constants, op->index, &stack[top++]))
				return false;
			break;
		case EXPR_NEGATE:
			stack[top - 1] = -stack[top - 1];
			break;
		default:
			top--;
			stack[top - 1] = binary(op->code, stack[top - 1], stack[top]);
			if (!isfinite(stack[top - 1]))
				return false;
			break;
		}
	}
	/* The addition of 0 turns -0 into 0, which is easier to read. */
	*value = stack[0] + 0.0;
	return true;
}
