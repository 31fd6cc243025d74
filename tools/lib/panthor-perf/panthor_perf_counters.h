/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_COUNTERS_H
#define PANTHOR_PERF_COUNTERS_H

#include <panthor_perf.h>

#if defined(__cplusplus)
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * DOC: Counter tables
 *
 * A counter table says what the counters of a GPU mean: the name, title, unit and shift of each
 * hardware counter, and derived counters, which are formulas over them. The library has tables of
 * the GPUs that it knows; tables of the user's own are read from files. tools/counters/README.md
 * describes the text that both are written in::
 *
 *	panthor_perf_table_create_for_gpu()	or panthor_perf_table_create_from_file()
 *	panthor_perf_table_counter()		by name
 *	panthor_perf_expr_inputs()		what a derived counter needs to be enabled
 *	panthor_perf_table_destroy()
 *
 * panthor_perf_select.h enables counters of a table, and panthor_perf_values.h has their values.
 *
 * The value of a hardware counter is the raw one shifted left by &panthor_perf_counter.shift, in 64
 * bits. The GPU's value is the sum over all blocks of the type. Formulas are over such
 * sums.
 *
 * A table never changes once it is there, and the library has no global state: any number of
 * threads may use a table at once. All strings and counters of a table live as long as it does.
 */

/** struct panthor_perf_table - what the counters of a GPU mean; opaque */
struct panthor_perf_table;

/** struct panthor_perf_expr - a formula over the counters of a table; opaque */
struct panthor_perf_expr;

/**
 * enum panthor_perf_counter_kind - what a counter of a table is
 */
enum panthor_perf_counter_kind {
	/** @PANTHOR_PERF_COUNTER_HARDWARE: A counter of the GPU. */
	PANTHOR_PERF_COUNTER_HARDWARE,

	/** @PANTHOR_PERF_COUNTER_DERIVED: A formula over counters. */
	PANTHOR_PERF_COUNTER_DERIVED,

	/**
	 * @PANTHOR_PERF_COUNTER_DEFINE: A part that formulas have in common. It is no counter: it
	 * is found by panthor_perf_table_counter_by_number() alone, for those who explain formulas.
	 */
	PANTHOR_PERF_COUNTER_DEFINE,

	/** @PANTHOR_PERF_COUNTER_KINDS: Number of kinds. Stays last. */
	PANTHOR_PERF_COUNTER_KINDS,
};

/**
 * enum panthor_perf_limit - what a counter says about the limit of a program's speed
 */
enum panthor_perf_limit {
	/** @PANTHOR_PERF_LIMIT_NONE: Nothing. */
	PANTHOR_PERF_LIMIT_NONE,

	/** @PANTHOR_PERF_LIMIT_UNIT: Derived: the share of cycles in which a unit is busy. */
	PANTHOR_PERF_LIMIT_UNIT,

	/** @PANTHOR_PERF_LIMIT_STALL: Derived: the share of cycles that wait for memory. */
	PANTHOR_PERF_LIMIT_STALL,

	/**
	 * @PANTHOR_PERF_LIMIT_IMBALANCE: Hardware: the values of its blocks should be equal. How
	 * much the largest is above their mean, in percent, is the imbalance.
	 */
	PANTHOR_PERF_LIMIT_IMBALANCE,

	/** @PANTHOR_PERF_LIMIT_BANDWIDTH: Derived: the share of a bandwidth that is used. */
	PANTHOR_PERF_LIMIT_BANDWIDTH,

	/** @PANTHOR_PERF_LIMIT_BUSY: Derived: the share of the time in which the GPU is busy. */
	PANTHOR_PERF_LIMIT_BUSY,

	/** @PANTHOR_PERF_LIMIT_QUEUE: Derived: the share of that in which a queue is busy. */
	PANTHOR_PERF_LIMIT_QUEUE,

	/** @PANTHOR_PERF_LIMITS: Number of limits. Stays last. */
	PANTHOR_PERF_LIMITS,
};

/**
 * struct panthor_perf_counter - a counter of a table
 *
 * The library provides it. Later versions may add members at the end.
 */
struct panthor_perf_counter {
	/** @kind: One of &enum panthor_perf_counter_kind. */
	unsigned int kind;

	/** @number: Position among the counters of this kind of the table, from 0. */
	uint32_t number;

	/**
	 * @name: Its name: an ASCII letter or '_', then letters, digits and '_'. No two of a table
	 * differ by case alone.
	 */
	const char *name;

	/** @source: Another name that it is found by, such as that in hardware; %NULL: none. */
	const char *source;

	/** @title: A few words for people, UTF-8. "" for PANTHOR_PERF_COUNTER_DEFINE. */
	const char *title;

	/** @unit: One of the names of panthor_perf_unit_name(). "" for a define. */
	const char *unit;

	/** @group: Heading of a derived counter, such as "Memory"; %NULL: none. */
	const char *group;

	/** @is_default: Derived: one of the few that are shown if the user selects nothing. */
	bool is_default;

	/** @stable_id: Number of the counter in Arm's database; -1 if it has none. */
	int32_t stable_id;

	/** @set: Hardware: one of &enum drm_panthor_perf_counter_set. */
	uint8_t set;

	/** @type: Hardware: one of &enum drm_panthor_perf_block_type. Others: 0. */
	uint8_t type;

	/** @shift: Hardware: bits to shift its raw value to the left, 0 to 31. */
	uint8_t shift;

	/** @index: Hardware: index in the block, 4 or more. */
	uint16_t index;

	/** @formula: Derived, define: the formula as written, on one line. Hardware: %NULL. */
	const char *formula;

	/** @expr: Derived, define: the formula. Hardware: %NULL. */
	const struct panthor_perf_expr *expr;

	/**
	 * @limit: One of &enum panthor_perf_limit. A value of a unit or a stall is a share of @of,
	 * so that those of several counters compare only as shares of the last one.
	 */
	unsigned int limit;

	/**
	 * @high: The smallest percentage that is a likely limit: of the value, or of the imbalance;
	 * 0: none.
	 */
	unsigned int high;

	/** @limit_text: With @limit: what is busy, waits, differs or is carried, UTF-8. */
	const char *limit_text;

	/**
	 * @of: Derived, in percent: name of the derived counter, in percent, whose cycles it is a
	 * share of: the arithmetic unit is busy in a share of the cycles in which the execution
	 * core is. %NULL: a share of the cycles in which the GPU is active, or not known.
	 */
	const char *of;
};

/**
 * struct panthor_perf_constants - what formulas need to know besides counters
 *
 * Initialise it with %PANTHOR_PERF_CONSTANTS_INIT. A value of 0 is not known, except for cycles:
 * @clocks says which of these are known. A formula that needs an unknown value has no value. Later
 * versions may add members at the end.
 */
struct panthor_perf_constants {
	/** @size: Bytes of the caller's structure. */
	size_t size;

	/** @core_count: NCORE: shader cores that are present. */
	uint32_t core_count;

	/** @l2_slices: NL2: L2 slices. */
	uint32_t l2_slices;

	/** @bus_bytes: BUSBYTES: bytes of an external beat. */
	uint32_t bus_bytes;

	/**
	 * @clocks: A bit for each of &enum drm_panthor_perf_clock whose cycles are known: they may
	 * be 0.
	 */
	uint32_t clocks;

	/** @time_span_ns: TSPAN, which formulas see in seconds: time that was counted, in ns. */
	uint64_t time_span_ns;

	/** @toplevel_cycles: TOPCY: cycles of the top-level clock in this time. */
	uint64_t toplevel_cycles;

	/** @coregroup_cycles: GROUPCY: cycles of the core group's clock. */
	uint64_t coregroup_cycles;

	/** @shader_cycles: SHADERCY: cycles of the shader cores' clock. */
	uint64_t shader_cycles;

	/** @neural_count: NNX: neural accelerators. */
	uint32_t neural_count;

	/** @reserved: 0. */
	uint32_t reserved;
};

/** define PANTHOR_PERF_CONSTANTS_INIT - initialiser of &struct panthor_perf_constants */
#define PANTHOR_PERF_CONSTANTS_INIT \
	{ sizeof(struct panthor_perf_constants), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * enum panthor_perf_constant - bits of panthor_perf_expr_constants()
 */
enum panthor_perf_constant {
	/** @PANTHOR_PERF_CONSTANT_CORE_COUNT: NCORE. */
	PANTHOR_PERF_CONSTANT_CORE_COUNT = 1 << 0,

	/** @PANTHOR_PERF_CONSTANT_L2_SLICES: NL2. */
	PANTHOR_PERF_CONSTANT_L2_SLICES = 1 << 1,

	/** @PANTHOR_PERF_CONSTANT_BUS_BYTES: BUSBYTES. */
	PANTHOR_PERF_CONSTANT_BUS_BYTES = 1 << 2,

	/** @PANTHOR_PERF_CONSTANT_TIME_SPAN: TSPAN. */
	PANTHOR_PERF_CONSTANT_TIME_SPAN = 1 << 3,

	/** @PANTHOR_PERF_CONSTANT_TOPLEVEL_CYCLES: TOPCY. */
	PANTHOR_PERF_CONSTANT_TOPLEVEL_CYCLES = 1 << 4,

	/** @PANTHOR_PERF_CONSTANT_COREGROUP_CYCLES: GROUPCY. */
	PANTHOR_PERF_CONSTANT_COREGROUP_CYCLES = 1 << 5,

	/** @PANTHOR_PERF_CONSTANT_SHADER_CYCLES: SHADERCY. */
	PANTHOR_PERF_CONSTANT_SHADER_CYCLES = 1 << 6,

	/** @PANTHOR_PERF_CONSTANT_NEURAL_COUNT: NNX. */
	PANTHOR_PERF_CONSTANT_NEURAL_COUNT = 1 << 7,
};

/**
 * panthor_perf_gpu_arch() - Architecture of a GPU
 * @gpu_id: Its GPU_ID, such as &drm_panthor_gpu_info.gpu_id; 64 bits where the GPU has as many.
 * @arch_major: Where the major number of its architecture is returned. May be %NULL.
 * @product_major: Where the number of its product is returned. May be %NULL.
 *
 * Tables know products by these two: 10 and 7 are a Mali-G610.
 */
void panthor_perf_gpu_arch(uint64_t gpu_id, unsigned int *arch_major, unsigned int *product_major);

/**
 * panthor_perf_table_create_for_gpu() - The library's table of a GPU
 * @gpu_id: Its GPU_ID.
 * @table: Where the table is returned, to be destroyed; %NULL on an error.
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0; -ENOENT if the library does not know this GPU; -ENOMEM.
 */
int panthor_perf_table_create_for_gpu(uint64_t gpu_id, struct panthor_perf_table **table,
				      struct panthor_perf_error *error);

/**
 * panthor_perf_table_create_by_name() - One of the library's tables by name
 * @name: Name of a table or of a product, in any case, with or without "Mali-": "G710" or
 *	"mali-g610".
 * @table: Where the table is returned, to be destroyed; %NULL on an error.
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0; -ENOENT if there is none of this name; -ENOMEM.
 */
int panthor_perf_table_create_by_name(const char *name, struct panthor_perf_table **table,
				      struct panthor_perf_error *error);

/**
 * panthor_perf_table_builtin() - Names of the library's tables
 * @i: Number, from 0.
 *
 * Return: The name of table @i, for panthor_perf_table_create_by_name(); %NULL if there are not so
 * many.
 */
const char *panthor_perf_table_builtin(unsigned int i);

/**
 * panthor_perf_table_create_from_file() - Read a table from a file, or a folder of them
 * @path: The file, or a folder whose files *.counters are read.
 * @gpu_id: GPU_ID that the table must be for; 0: any, for a file alone.
 * @table: Where the table is returned, to be destroyed; %NULL on an error.
 * @error: What is wrong. May be %NULL.
 *
 * All files of a folder must be good, whatever GPU they are for.
 *
 * Return: 0; -EINVAL if a file is wrong, or two of a folder are for this GPU; -ENOENT if @path is
 * not there; -ENXIO if no table is for this GPU, which is no error for a folder: use
 * panthor_perf_table_create_for_gpu() then; -EFBIG for more than %PANTHOR_PERF_TABLE_MAX_SIZE;
 * -ENOMEM; otherwise the error of opening or reading.
 */
int panthor_perf_table_create_from_file(const char *path, uint64_t gpu_id,
					struct panthor_perf_table **table,
					struct panthor_perf_error *error);

/**
 * panthor_perf_table_create_from_text() - Read a table from memory
 * @text: The text of the table. Not used when the call has returned.
 * @size: Bytes at @text.
 * @file: Name for @error. May be %NULL.
 * @table: Where the table is returned, to be destroyed; %NULL on an error.
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0; -EINVAL if the text is wrong; -EFBIG for more than %PANTHOR_PERF_TABLE_MAX_SIZE;
 * -ENOMEM.
 */
int panthor_perf_table_create_from_text(const char *text, size_t size, const char *file,
					struct panthor_perf_table **table,
					struct panthor_perf_error *error);

/** define PANTHOR_PERF_TABLE_MAX_SIZE - bytes of the longest text of a table */
#define PANTHOR_PERF_TABLE_MAX_SIZE	(4u << 20)

/**
 * panthor_perf_table_destroy() - Free a table with all of its counters
 * @table: The table. May be %NULL.
 */
void panthor_perf_table_destroy(struct panthor_perf_table *table);

/**
 * panthor_perf_table_name() - Name of a table
 * @table: The table.
 *
 * Return: The name, such as "G710".
 */
const char *panthor_perf_table_name(const struct panthor_perf_table *table);

/**
 * panthor_perf_table_file() - Where a table is from
 * @table: The table.
 *
 * Return: The file that it was read from; "" for one of the library's own, or without a name.
 */
const char *panthor_perf_table_file(const struct panthor_perf_table *table);

/**
 * panthor_perf_table_text() - The text of a table
 * @table: The table.
 * @size: Where the number of bytes is returned. May be %NULL.
 *
 * panthor_perf_table_create_from_text() makes the same table of it: put it into what is to be read
 * without this library or this version of it.
 *
 * Return: The text, with a 0 behind it.
 */
const char *panthor_perf_table_text(const struct panthor_perf_table *table, size_t *size);

/**
 * panthor_perf_table_product() - Name of a GPU
 * @table: A table.
 * @gpu_id: GPU_ID of the GPU.
 * @core_count: Its shader cores, 0 if not known: some GPUs have another name with few cores.
 *
 * Return: The name, such as "Mali-G610"; %NULL if the table is not for this GPU.
 */
const char *panthor_perf_table_product(const struct panthor_perf_table *table, uint64_t gpu_id,
				       uint32_t core_count);

/**
 * panthor_perf_table_products() - Names of the GPUs that a table is for
 * @table: The table.
 * @i: Number, from 0.
 *
 * Return: The i-th name, in the order of the text; %NULL if there are not so many.
 */
const char *panthor_perf_table_products(const struct panthor_perf_table *table, unsigned int i);

/**
 * panthor_perf_table_gpu_id() - GPU_ID of a product
 * @table: The table.
 * @name: Name of one of its products, as for panthor_perf_table_create_by_name(); the name of the
 *	table is that of its first product.
 * @gpu_id: Where an id is returned by which tables know this product. Its revision and version
 *	are 0.
 *
 * Return: 0; -ENOENT if there is no such product.
 */
int panthor_perf_table_gpu_id(const struct panthor_perf_table *table, const char *name,
			      uint64_t *gpu_id);

/**
 * panthor_perf_table_words() - Size of the GPU's blocks
 * @table: The table.
 *
 * Return: Counters of a block, the four header words included: indices are below it.
 */
unsigned int panthor_perf_table_words(const struct panthor_perf_table *table);

/**
 * panthor_perf_table_counter_count() - Number of counters of a kind
 * @table: The table.
 * @kind: One of &enum panthor_perf_counter_kind.
 *
 * Return: The number.
 */
uint32_t panthor_perf_table_counter_count(const struct panthor_perf_table *table,
					  unsigned int kind);

/**
 * panthor_perf_table_counter_by_number() - A counter by its number
 * @table: The table.
 * @kind: One of &enum panthor_perf_counter_kind.
 * @number: &panthor_perf_counter.number: from 0.
 *
 * Hardware counters are sorted by block type, set and index, the others are in the order of the
 * text.
 *
 * Return: The counter; %NULL if there are not so many.
 */
const struct panthor_perf_counter *
panthor_perf_table_counter_by_number(const struct panthor_perf_table *table, unsigned int kind,
				     uint32_t number);

/**
 * panthor_perf_table_counter() - Find a counter by name
 * @table: The table.
 * @name: Name or source name of a hardware or derived counter, or BLOCK:INDEX for one of the
 *	primary set, such as "shader:4"; in any case.
 *
 * Return: The counter; %NULL if there is none.
 */
const struct panthor_perf_counter *
panthor_perf_table_counter(const struct panthor_perf_table *table, const char *name);

/**
 * panthor_perf_table_counter_at() - Find a hardware counter by its place
 * @table: The table.
 * @set: Counter set, one of &enum drm_panthor_perf_counter_set: each has its own counters.
 * @type: Block type, one of &enum drm_panthor_perf_block_type.
 * @index: Index in the block.
 *
 * Return: The counter; %NULL if nothing is known about it.
 */
const struct panthor_perf_counter *
panthor_perf_table_counter_at(const struct panthor_perf_table *table, unsigned int set,
			      unsigned int type, unsigned int index);

/**
 * panthor_perf_table_nearest() - The counter that was probably meant
 * @table: The table.
 * @name: A name that panthor_perf_table_counter() does not find.
 *
 * Return: The counter whose name differs least; %NULL if none is similar.
 */
const struct panthor_perf_counter *
panthor_perf_table_nearest(const struct panthor_perf_table *table, const char *name);

/**
 * panthor_perf_counter_value() - The value of a raw one
 * @counter: A hardware counter.
 * @raw: What a sample has.
 *
 * Return: @raw shifted.
 */
uint64_t panthor_perf_counter_value(const struct panthor_perf_counter *counter, uint64_t raw);

/**
 * panthor_perf_counter_block_type() - By the blocks of which type a counter can be shown
 * @table: The table of @counter.
 * @counter: The counter.
 *
 * A derived counter of one type of blocks, with counters of the front end and the tiler beside it,
 * has a value for each block of that type.
 *
 * Return: One of &enum drm_panthor_perf_block_type; 0 if there is none.
 */
unsigned int panthor_perf_counter_block_type(const struct panthor_perf_table *table,
					     const struct panthor_perf_counter *counter);

/**
 * panthor_perf_unit_name() - Units of counters
 * @i: Number, from 0.
 *
 * Units are "percent" (0 to 100), "seconds", "hertz", and what is counted, such as "cycles" or
 * "bytes", of which some have a rate, such as "bytes/s". panthor-perf-list(1) has all of them.
 *
 * Return: The i-th unit; %NULL if there are not so many.
 */
const char *panthor_perf_unit_name(unsigned int i);

/**
 * panthor_perf_limit_name() - Name of a limit
 * @limit: One of &enum panthor_perf_limit.
 *
 * Return: Its name in tables, such as "unit"; %NULL for %PANTHOR_PERF_LIMIT_NONE, and for what is
 * no limit.
 */
const char *panthor_perf_limit_name(unsigned int limit);

/**
 * panthor_perf_constants_set() - Constants of a GPU
 * @constants: Where they are returned, initialised with %PANTHOR_PERF_CONSTANTS_INIT.
 * @gpu: The GPU; %NULL: not known.
 * @time_span_ns: Time that was counted, in ns; 0: not known.
 */
void panthor_perf_constants_set(struct panthor_perf_constants *constants,
				const struct panthor_perf_gpu *gpu, uint64_t time_span_ns);

/**
 * panthor_perf_expr_create() - Read a formula of the caller's own
 * @table: The table whose counters it uses. Must outlive the formula.
 * @text: The formula: numbers, names of counters and constants, + - * /, parentheses, min(), max().
 * @expr: Where the formula is returned, to be destroyed; %NULL on an error.
 * @error: What is wrong, with the column in @text. May be %NULL.
 *
 * Return: 0; -EINVAL if the text is wrong; -E2BIG if it is too long or too deep; -ENOMEM.
 */
int panthor_perf_expr_create(const struct panthor_perf_table *table, const char *text,
			     struct panthor_perf_expr **expr, struct panthor_perf_error *error);

/**
 * panthor_perf_expr_destroy() - Free a formula of the caller's own
 * @expr: The formula, of panthor_perf_expr_create(). May be %NULL.
 */
void panthor_perf_expr_destroy(struct panthor_perf_expr *expr);

/**
 * panthor_perf_expr_inputs() - The hardware counters that a formula needs
 * @expr: The formula.
 * @count: Where their number is returned.
 *
 * Those of other derived counters that it uses are among them. All are of one counter set.
 *
 * Return: Numbers of the counters, rising, each once; %NULL if there are none.
 */
const uint32_t *panthor_perf_expr_inputs(const struct panthor_perf_expr *expr, uint32_t *count);

/**
 * panthor_perf_expr_constants() - The constants that a formula needs
 * @expr: The formula.
 *
 * Return: A combination of &enum panthor_perf_constant.
 */
unsigned int panthor_perf_expr_constants(const struct panthor_perf_expr *expr);

/**
 * panthor_perf_expr_value() - The value of a formula
 * @expr: The formula.
 * @values: Values of the hardware counters by &panthor_perf_counter.number: sums over the blocks,
 *	shifted. Those alone that panthor_perf_expr_inputs() names are read.
 * @known: By the same numbers, whether a counter was counted. %NULL: none was, so that only a
 *	formula without counters has a value.
 * @constants: The constants.
 * @value: Where the value is returned, always a finite number.
 *
 * There is no value if an input was not counted, a constant that is needed is not known, a number
 * other than 0 is divided by 0, or a number becomes too large. 0 / 0 is 0: what did not happen has
 * no share. Counters of 2^53 and more are rounded to a double.
 *
 * Return: Whether there is a value; @value is unchanged if not.
 */
bool panthor_perf_expr_value(const struct panthor_perf_expr *expr, const uint64_t *values,
			     const bool *known, const struct panthor_perf_constants *constants,
			     double *value);

#pragma GCC visibility pop

#if defined(__cplusplus)
}
#endif

#endif /* PANTHOR_PERF_COUNTERS_H */
