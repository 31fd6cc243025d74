/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_EXPR_H
#define PANTHOR_PERF_EXPR_H

#include "panthor_perf_counters.h"

/** define EXPR_MAX_OPS - operations of the longest formula, those of what it names included */
#define EXPR_MAX_OPS	4096

/** define EXPR_MAX_STACK - numbers that a formula keeps at once while it is reckoned, at most */
#define EXPR_MAX_STACK	256

/** define EXPR_MAX_DEPTH - parentheses and functions that may be open at once */
#define EXPR_MAX_DEPTH	64

/** enum expr_code - operations; each takes its operands from a stack and leaves its result there */
enum expr_code {
	/** @EXPR_NUMBER: Puts a number. */
	EXPR_NUMBER,

	/** @EXPR_COUNTER: Puts the value of a hardware counter. */
	EXPR_COUNTER,

	/** @EXPR_CONSTANT: Puts the value of a constant. */
	EXPR_CONSTANT,

	/** @EXPR_NEGATE: Negates the top. */
	EXPR_NEGATE,

	/** @EXPR_ADD: Adds. This one and those that follow make one of two. */
	EXPR_ADD,

	/** @EXPR_SUBTRACT: Subtracts. */
	EXPR_SUBTRACT,

	/** @EXPR_MULTIPLY: Multiplies. */
	EXPR_MULTIPLY,

	/** @EXPR_DIVIDE: Divides. */
	EXPR_DIVIDE,

	/** @EXPR_MIN: The smaller one. */
	EXPR_MIN,

	/** @EXPR_MAX: The larger one. */
	EXPR_MAX,
};

/** struct expr_op - an operation */
struct expr_op {
	/** @code: One of &enum expr_code. */
	enum expr_code code;

	/** @index: Number of the counter, or one of &enum panthor_perf_constant. */
	uint32_t index;

	/** @number: The number. */
	double number;
};

/** struct panthor_perf_expr - operations in the order in which they are done */
struct panthor_perf_expr {
	/** @table: The table that it must not outlive; %NULL: it belongs to one. */
	const struct panthor_perf_table *table;

	/** @ops: The operations. */
	struct expr_op *ops;

	/** @op_count: Number of elements of @ops. */
	uint32_t op_count;

	/** @stack: Numbers that lie on the stack at once. */
	uint32_t stack;

	/** @inputs: Numbers of hardware counters, rising, each once. */
	uint32_t *inputs;

	/** @input_count: Number of elements of @inputs. */
	uint32_t input_count;

	/** @constants: Of &enum panthor_perf_constant. */
	unsigned int constants;
};

/** struct expr_fault - what is wrong with a formula */
struct expr_fault {
	/** @offset: Where in the text. */
	size_t offset;

	/** @message: What, and what was expected. */
	char message[256];
};

/**
 * expr_compile() - Read a formula
 * @table: The table whose counters, derived counters and definitions it may name.
 * @text: The text, spaces, newlines and comments included.
 * @size: Bytes at @text.
 * @expr: Where the formula is returned. To be freed with panthor_perf_expr_destroy().
 * @fault: What is wrong.
 *
 * Return: 0; -EINVAL, -E2BIG or -ENOMEM with @fault.
 */
int expr_compile(const struct panthor_perf_table *table, const char *text, size_t size,
		 struct panthor_perf_expr **expr, struct expr_fault *fault);

/**
 * expr_is_reserved() - Does a name mean something to formulas already?
 * @name: The name.
 * @size: Bytes of it.
 *
 * Return: Whether it is a function or a constant, in any case.
 */
bool expr_is_reserved(const char *name, size_t size);

#endif /* PANTHOR_PERF_EXPR_H */
