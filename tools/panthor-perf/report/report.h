/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_REPORT_H
#define PANTHOR_PERF_REPORT_H

#include "counters/limit.h"
#include "recording/recording_view.h"

/**
 * struct column - an event, or one of its instances, over a range of samples
 */
struct column {
	/** @event: The event. */
	const struct event *event;

	/** @instance: Number of the block of event_block_type(), or %VALUE_SUM. */
	int instance;

	/** @amount: Its value grows with the time that is counted: event_is_amount(). */
	bool amount;

	/** @total: Sum over all samples; of a derived counter, the value of the sums. */
	struct value total;

	/** @min: Smallest value of a sample. */
	struct value min;

	/** @max: Largest value of a sample. */
	struct value max;

	/** @count: Samples that have a value. */
	uint64_t count;

	/** @mean: Mean of these values. */
	double mean;

	/** @squares: Sum of the squares of their distances from it. */
	double squares;
};

/**
 * struct column_list - columns over a range of samples
 */
struct column_list {
	/** @view: The recording. */
	const struct recording_view *view;

	/** @events: The events. */
	struct event_list events;

	/** @columns: The columns, each event's sum in front of its instances. */
	struct column *columns;

	/** @count: Their number. */
	size_t count;

	/** @range: The samples. */
	struct range range;

	/** @total: What they counted together. */
	struct total total;

	/** @values: For samples of the recording. */
	struct values values;

	/** @limits: What limits the load. */
	struct limits limits;
};

/**
 * columns_init() - Columns for events
 * @list: Where they are returned. To be freed, in case of an error too.
 * @view: The recording.
 * @texts: As for recording_view_select().
 * @text_count: Number of @texts.
 * @summary: As for recording_view_select().
 * @instances: With a column for each instance.
 *
 * Return: %EXIT_OK or the exit status of the program, with a message.
 */
int columns_init(struct column_list *list, const struct recording_view *view,
		 const char *const *texts, unsigned int text_count, bool summary, bool instances);

/**
 * columns_add_up() - Go through a range of samples
 * @list: The columns. Their previous contents are replaced.
 * @range: The range.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int columns_add_up(struct column_list *list, const struct range *range);

/**
 * columns_fini() - Free columns
 * @list: The columns.
 */
void columns_fini(struct column_list *list);

/**
 * column_name() - Name of a column
 * @list: The columns.
 * @column: One of them.
 * @text: Where NAME or, for an instance, NAME[N] is written.
 * @size: Bytes at @text.
 *
 * Return: @text.
 */
const char *column_name(const struct column_list *list, const struct column *column, char *text,
			size_t size);

/**
 * column_block() - Block type of a column
 * @list: The columns.
 * @column: One of them.
 *
 * Return: Its name, "" for a derived counter that is none of one type.
 */
const char *column_block(const struct column_list *list, const struct column *column);

/**
 * column_is_zero() - Are all values of samples 0, if there are any?
 * @column: The column.
 *
 * Return: Whether it is so.
 */
bool column_is_zero(const struct column *column);

/**
 * column_rate() - Mean per second of a counter
 * @list: The columns, added up.
 * @column: One of them.
 *
 * Return: The mean; no value for a share, a ratio or a rate, or without time.
 */
struct value column_rate(const struct column_list *list, const struct column *column);

/**
 * column_shown() - A value of a column as pictures and comparisons show it
 * @column: The column.
 * @value: Its value.
 * @time_ns: Time in which it was counted.
 *
 * Return: The amount per second, or @value if it is none.
 */
struct value column_shown(const struct column *column, struct value value, uint64_t time_ns);

/**
 * column_shown_unit() - Unit of the values of column_shown()
 * @column: The column.
 * @text: Room for it.
 * @size: Bytes at @text.
 *
 * Return: The unit.
 */
const char *column_shown_unit(const struct column *column, char *text, size_t size);

/**
 * column_deviation() - Standard deviation of the values of samples
 * @column: The column.
 *
 * Return: The deviation; no value for fewer than two samples.
 */
struct value column_deviation(const struct column *column);

/**
 * struct report_options - what a report shows
 */
struct report_options {
	/** @samples: A row for each sample. */
	bool samples;

	/** @marks: A row for each sample that has a mark. */
	bool marks;

	/** @zeros: Rows of counters that counted nothing, too. */
	bool zeros;

	/** @color: Coloured. */
	bool color;

	/** @line: Columns of a line of a table; 0 until that is known. */
	int line;

	/** @terminal: It is shown on a terminal. */
	bool terminal;

	/** @separator: Between the fields of CSV. */
	const char *separator;
};

/**
 * report_table() - Print a report for people
 * @list: The columns, added up.
 * @options: What is shown.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int report_table(struct column_list *list, const struct report_options *options);

/**
 * report_csv() - Print a report as CSV
 * @list: The columns, added up.
 * @options: What is shown.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int report_csv(struct column_list *list, const struct report_options *options);

/**
 * report_json() - Print a report as JSON
 * @list: The columns, added up.
 * @options: What is shown.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int report_json(struct column_list *list, const struct report_options *options);

/**
 * struct row - a sample of a report
 */
struct row {
	/** @sample: The sample. */
	struct recording_sample sample;

	/** @mark: Its mark. */
	struct recording_mark mark;

	/** @has_mark: It has one. */
	bool has_mark;

	/** @next_mark: Number of the mark that is searched for next. For report_next() alone. */
	uint64_t next_mark;

	/** @begun: There was one. For report_next() alone. */
	bool begun;
};

/**
 * report_next() - Step through the samples of a report
 * @list: The columns. Their values are those of the sample then.
 * @options: What is shown.
 * @row: All zeroes before the first call; the next sample afterwards.
 * @status: Where the exit status of the program is returned.
 *
 * Return: Whether there is one more.
 */
bool report_next(struct column_list *list, const struct report_options *options, struct row *row,
		 int *status);

#endif /* PANTHOR_PERF_REPORT_H */
