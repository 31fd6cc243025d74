/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PRINT_H
#define PANTHOR_PERF_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "counters/limit.h"

/**
 * enum print_format - how samples are printed
 */
enum print_format {
	/** @PRINT_TABLE: A table for each sample, for people. */
	PRINT_TABLE,

	/** @PRINT_BRIEF: A line for each sample. */
	PRINT_BRIEF,

	/** @PRINT_CSV: A line for each value. */
	PRINT_CSV,

	/** @PRINT_JSON: One JSON object, a line of it for each sample. */
	PRINT_JSON,
};

/**
 * struct print_options - what is shown of a sample, and how
 */
struct print_options {
	/** @format: How. */
	enum print_format format;

	/** @separator: Of %PRINT_CSV. */
	const char *separator;

	/** @types: A line or column for each block type, not for each event. */
	bool types;

	/** @headings: Derived counters stand under the headings of their groups. */
	bool headings;

	/** @instances: A value for each block as well. */
	bool instances;

	/** @clocks: The cycles of the clocks. */
	bool clocks;

	/** @states: The states of the blocks. */
	bool states;

	/** @times: When the sample ended. */
	bool times;

	/** @periods: The samples have a period. */
	bool periods;

	/** @single: There is one sample. */
	bool single;

	/** @repeats: Means over runs are printed instead of samples. */
	bool repeats;

	/** @color: With colours. */
	bool color;

	/** @line: Columns of a line of a table; 0 until that is known. */
	int line;
};

/**
 * struct run_value - an event over several runs
 */
struct run_value {
	/** @count: Runs in which it had a value. */
	uint64_t count;

	/** @mean: Their mean. */
	double mean;

	/** @squares: Sum of the squares of the differences from it. */
	double squares;

	/** @min: Smallest value. */
	double min;

	/** @max: Largest value. */
	double max;
};

/**
 * struct printer - where and how samples are printed
 */
struct printer {
	/** @options: What is shown, and how. */
	struct print_options options;

	/** @out: Where to. */
	FILE *out;

	/** @columns: Columns of the terminal that @out is, or %INT_MAX. */
	int columns;

	/** @view: The GPU. */
	const struct gpu_view *view;

	/** @events: What is shown. */
	const struct event_list *events;

	/** @values: The values of the newest sample. */
	struct values values;

	/** @total: The values of all samples, if limits are printed. */
	struct values total;

	/** @limits: What limits the load, if that is printed. */
	struct limits limits;

	/** @zero_ns: Start of the first sample. */
	uint64_t zero_ns;

	/** @printed: Samples that were printed. */
	uint64_t printed;

	/** @skewed: A value of a table was marked: value_is_skewed(). */
	bool skewed;

	/** @runs: By event; the time that a run took behind them. %NULL: there are none. */
	struct run_value *runs;
};

/**
 * printer_init() - Begin to print
 * @printer: The printer, with @options, @out, @view and @events set.
 *
 * Return: 0; -ENOMEM.
 */
int printer_init(struct printer *printer);

/**
 * print_sample() - Print a sample
 * @printer: The printer.
 * @sample: The sample.
 */
void print_sample(struct printer *printer, const struct panthor_perf_sample *sample);

/**
 * print_add_run() - Remember a sample that is a run
 * @printer: The printer.
 * @sample: The sample.
 *
 * Return: 0; -ENOMEM.
 */
int print_add_run(struct printer *printer, const struct panthor_perf_sample *sample);

/**
 * print_runs() - Print the means and deviations of all runs
 * @printer: The printer.
 */
void print_runs(struct printer *printer);

/**
 * printer_end() - Print what follows the samples
 * @printer: The printer.
 * @quality: Statistics of the samples; %NULL if the measurement failed.
 */
void printer_end(struct printer *printer, const struct panthor_perf_quality *quality);

/**
 * printer_fini() - Free what was allocated
 * @printer: The printer.
 */
void printer_fini(struct printer *printer);

/**
 * run_deviation() - Standard deviation over runs
 * @run: The runs.
 *
 * Return: That of a sample, 0 for fewer than two runs.
 */
double run_deviation(const struct run_value *run);

/**
 * print_has_states() - Does the driver report the states of blocks?
 * @printer: The printer.
 *
 * Return: Whether it does.
 */
bool print_has_states(const struct printer *printer);

/* The parts of the formats; print.c calls them. */
void table_sample(struct printer *printer);
void table_runs(struct printer *printer);
void table_types(const struct printer *printer);
void table_states(const struct printer *printer);
void brief_sample(const struct printer *printer);
void csv_begin(const struct printer *printer);
void csv_sample(const struct printer *printer);
void csv_runs(const struct printer *printer);
void json_begin(const struct printer *printer);
void json_sample(const struct printer *printer);
void json_runs(const struct printer *printer);
void json_end(const struct printer *printer, const struct panthor_perf_quality *quality);
void print_bits(FILE *out, const char *title, uint32_t mask,
		const char *(*name)(unsigned int bit));

#endif /* PANTHOR_PERF_PRINT_H */
