/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RECORDING_VIEW_H
#define PANTHOR_PERF_RECORDING_VIEW_H

#include <stdio.h>

#include "cmd.h"
#include "counters/values.h"
#include "recording.h"

/** define DEFAULT_RECORDING - file of `record' and its readers when the user names none */
#define DEFAULT_RECORDING	"panthor-perf.data"

/**
 * struct range - a part of a recording
 */
struct range {
	/** @first: Number of its first sample. */
	uint64_t first;

	/** @count: Number of its samples. */
	uint64_t count;
};

/**
 * struct range_options - the part of a recording that a user wants
 */
struct range_options {
	/** @from: Where it begins, as --from has it; %NULL: at the first sample. */
	const char *from;

	/** @to: Where it ends, as --to has it; %NULL: at the last sample. */
	const char *to;
};

/**
 * struct recording_view - a recording, and what its counters mean
 */
struct recording_view {
	/** @path: Path of the file. */
	const char *path;

	/** @recording: The recording. */
	struct recording *recording;

	/** @gpu: The GPU and its counter table. */
	struct gpu_view gpu;

	/** @counted: The counters that were recorded. */
	struct panthor_perf_selection *counted;

	/** @zero_ns: Start of the first sample, CLOCK_MONOTONIC_RAW in ns; 0 without samples. */
	uint64_t zero_ns;
};

/**
 * struct total - what several samples counted, as if they were one
 */
struct total {
	/** @values: Their counters. */
	struct values values;

	/** @quality: Statistics of the samples. */
	struct raw_end quality;

	/** @next_nr: Number that the next sample has if none is missing. */
	uint64_t next_nr;

	/** @time_ns: Time that they span together, gaps between runs left out. */
	uint64_t time_ns;
};

/**
 * recording_view_open() - Open a recording, with a message if it cannot be
 * @view: Where it is returned. To be closed.
 * @path: Path of the file; %NULL: %DEFAULT_RECORDING.
 * @counters: File or folder of counter tables; %NULL: that in the recording, or of the library.
 *
 * Prints the missing part if the file was cut off.
 *
 * Return: %EXIT_OK or the exit status of the program.
 */
int recording_view_open(struct recording_view *view, const char *path, const char *counters);

/**
 * recording_view_close() - Close a recording
 * @view: The recording.
 */
void recording_view_close(struct recording_view *view);

/**
 * recording_view_range() - The part of a recording that a user wants
 * @view: The recording.
 * @options: What the user wants.
 * @range: Where it is returned.
 *
 * Return: %EXIT_OK, or %EXIT_USAGE with a message.
 */
int recording_view_range(const struct recording_view *view, const struct range_options *options,
			 struct range *range);

/**
 * recording_view_sample() - A sample, with a message if the file is damaged there
 * @view: The recording.
 * @number: Number of the sample.
 * @first: Number of the first sample of a row of calls: the others follow on @sample.
 * @sample: Where it is returned.
 *
 * Return: %EXIT_OK or %EXIT_ERROR.
 */
int recording_view_sample(const struct recording_view *view, uint64_t number, uint64_t first,
			  struct recording_sample *sample);

/**
 * recording_view_select() - The counters that a user selects
 * @view: The recording.
 * @texts: The selection of the user.
 * @count: Number of @texts; 0: derived counters that have what they need, then all counters that
 *	were recorded.
 * @summary: With a @count of 0: the most important derived counters, if there are any.
 * @list: Where they are returned. To be freed by events_fini().
 *
 * A counter that was not recorded is an error if it was selected by its name.
 *
 * Return: %EXIT_OK or the exit status of the program, with a message.
 */
int recording_view_select(const struct recording_view *view, const char *const *texts,
			  unsigned int count, bool summary, struct event_list *list);

/**
 * recording_view_has() - Was recorded what an event needs?
 * @view: The recording.
 * @event: The event.
 *
 * Return: Whether it was.
 */
bool recording_view_has(const struct recording_view *view, const struct event *event);

/**
 * total_init() - Begin with nothing
 * @total: The total.
 * @view: The recording.
 *
 * Return: 0; -ENOMEM.
 */
int total_init(struct total *total, const struct recording_view *view);

/**
 * total_clear() - Begin with nothing again
 * @total: The total.
 */
void total_clear(struct total *total);

/**
 * total_add() - Add a sample
 * @total: The total.
 * @sample: The sample.
 */
void total_add(struct total *total, const struct panthor_perf_sample *sample);

/**
 * total_fini() - Free a total
 * @total: The total.
 */
void total_fini(struct total *total);

/**
 * struct progress - a line on the terminal that shows progress
 */
struct progress {
	/** @what: What is done. */
	const char *what;

	/** @total: Steps altogether. */
	uint64_t total;

	/** @next_ns: CLOCK_MONOTONIC when it is shown next; 0: not yet begun. */
	uint64_t next_ns;
};

/**
 * progress_show() - Show progress, once in a while, on a terminal alone
 * @progress: The line, which progress_remove() removes.
 * @done: Steps that are done.
 */
void progress_show(struct progress *progress, uint64_t done);

/** define QUALITY_SIZE - bytes of the longest text of quality_text() */
#define QUALITY_SIZE	512

/**
 * quality_text() - Statistics of samples in words
 * @end: The statistics.
 * @periods: There are periods.
 * @text: Where the words are written.
 * @size: Bytes at @text, %QUALITY_SIZE for all of them.
 *
 * Return: @text.
 */
const char *quality_text(const struct raw_end *end, bool periods, char *text, size_t size);

/**
 * bits_text() - Names of bits, with spaces between them
 * @bits: The bits.
 * @name: Name of a bit; %NULL for one that is not known, which is printed as its number.
 * @text: Where they are written.
 * @size: Bytes at @text.
 *
 * Return: @text.
 */
const char *bits_text(uint32_t bits, const char *(*name)(unsigned int bit), char *text,
		      size_t size);

/**
 * format_bytes() - A number of bytes for people
 * @text: Where it is written, with its unit.
 * @size: Bytes at @text.
 * @bytes: The number.
 */
void format_bytes(char *text, size_t size, uint64_t bytes);

#endif /* PANTHOR_PERF_RECORDING_VIEW_H */
