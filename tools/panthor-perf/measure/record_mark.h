/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RECORD_MARK_H
#define PANTHOR_PERF_RECORD_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recording/recording.h"

/** define MARK_LINE - bytes of a line, at most, without its end */
#define MARK_LINE	511

/**
 * struct record_mark - the FIFO that marks come from, and the one for their acknowledgment
 */
struct record_mark {
	/** @fd: Where lines come from; never at its end. */
	int fd;

	/** @ack_fd: Where acknowledgments go, -1 for none. */
	int ack_fd;

	/** @path: Path of the FIFO that was made here and is removed at the end; %NULL: none. */
	const char *path;

	/** @ack_path: Likewise. */
	const char *ack_path;

	/** @failed_path: Path that record_mark_open() failed for. */
	const char *failed_path;

	/** @text: What was read, and is not a whole line yet. */
	char text[MARK_LINE + 1];

	/** @used: Bytes of @text. */
	size_t used;

	/** @skip: The rest of the line is too much. */
	bool skip;

	/** @line: Number of the newest line. */
	uint64_t line;
};

/**
 * struct mark_request - a mark that a program requested
 */
struct mark_request {
	/** @id: The id. */
	uint64_t id;

	/** @raw_ns: CLOCK_MONOTONIC_RAW when the line was taken out of the FIFO, in ns. */
	uint64_t raw_ns;

	/** @name: The name, "" for none. */
	char name[RECORDING_MAX_NAME + 1];
};

/**
 * record_mark_parse() - Read a line
 * @line: "ID" or "ID NAME", ID decimal, octal with 0 or hexadecimal with 0x in front.
 * @request: Where id and name are returned. A name that is too long is cut off.
 *
 * Return: Whether the line is right.
 */
bool record_mark_parse(const char *line, struct mark_request *request);

/**
 * record_mark_open() - Open the FIFOs
 * @mark: Where they are returned.
 * @path: Path of the FIFO of marks. It is made if it is not there.
 * @ack_path: Path of the FIFO of acknowledgments, likewise; %NULL for none.
 *
 * Return: 0; -EEXIST if a path is no FIFO; another negative errno.
 */
int record_mark_open(struct record_mark *mark, const char *path, const char *ack_path);

/**
 * record_mark_next() - The next mark
 * @mark: The FIFOs.
 * @request: Where it is returned.
 *
 * Does not wait. An invalid line is reported, and acknowledged by "error".
 *
 * Return: Whether there is one.
 */
bool record_mark_next(struct record_mark *mark, struct mark_request *request);

/**
 * record_mark_acknowledge() - Report that the sample of a mark is there
 * @mark: The FIFOs.
 * @id: Id of the mark.
 * @end_ns: End of its sample, CLOCK_MONOTONIC_RAW in ns.
 *
 * Writes "ID END". Does not wait: if the FIFO is full and has no reader, prints a message.
 */
void record_mark_acknowledge(struct record_mark *mark, uint64_t id, uint64_t end_ns);

/**
 * record_mark_close() - Close the FIFOs, and remove those that were made
 * @mark: The FIFOs.
 */
void record_mark_close(struct record_mark *mark);

#endif /* PANTHOR_PERF_RECORD_MARK_H */
