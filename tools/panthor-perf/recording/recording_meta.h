/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_RECORDING_META_H
#define PANTHOR_PERF_RECORDING_META_H

#include "counters/events.h"
#include "recording.h"

/**
 * struct recording_description - what the metadata of a recording is made of
 */
struct recording_description {
	/** @view: The GPU, and its counter table. */
	const struct gpu_view *view;

	/** @device: Path of its node. */
	const char *device;

	/** @argv: The program's arguments. */
	char **argv;

	/** @argc: Their number. */
	int argc;

	/** @events: The selection of -e. */
	const char *const *events;

	/** @event_count: Number of @events; 0: all counters. */
	unsigned int event_count;
};

/**
 * recording_describe() - Make the metadata of a recording
 * @description: What it is made of. Kernel, version of the program and date are found here.
 *
 * Return: JSON text on one line, to be freed; %NULL without memory.
 */
char *recording_describe(const struct recording_description *description);

/**
 * recording_meta() - A string of the metadata
 * @recording: The recording.
 * @key: Name of a member.
 * @text: Where the string is written, control characters replaced by '?'; the elements of an
 *	array with spaces between them. The text is cut off at @size.
 * @size: Bytes at @text.
 *
 * Return: Whether there is such a member.
 */
bool recording_meta(const struct recording *recording, const char *key, char *text, size_t size);

#endif /* PANTHOR_PERF_RECORDING_META_H */
