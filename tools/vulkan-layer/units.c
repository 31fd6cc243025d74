// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Which command buffers of a submission are counted together, and what they are called. */

#include <stdio.h>
#include <string.h>

#include "settings.h"
#include "submissions.h"
#include "units.h"

static void append(char *text, size_t size, const char *separator, const char *label)
{
	const size_t length = strlen(text);

	snprintf(text + length, size - length, "%s%s", length ? separator : "", label);
}

/**
 * unit_label() - The label of a unit
 * @submission: The submission.
 * @first: The first command buffer of the unit.
 * @count: Number of its command buffers.
 * @text: Where the label goes: those of the queue, and then those of the command buffers.
 * @size: Size of @text.
 */
void unit_label(const struct submission *submission, uint32_t first, uint32_t count, char *text,
		size_t size)
{
	const char *separator = "/", *before = NULL;

	snprintf(text, size, "%s", submission->label ? submission->label : "");
	for (uint32_t i = first; i < first + count; i++) {
		const char *label = submission->works[i].label;

		if (!label || (before && !strcmp(label, before)))
			continue;
		append(text, size, separator, label);
		separator = " + ";
		before = label;
	}
	if (!*text)
		snprintf(text, size, "(no label)");
}

/**
 * unit_types() - The types of the workloads of a unit
 * @submission: The submission.
 * @first: The first command buffer of the unit.
 * @count: Number of its command buffers.
 *
 * Return: A bit for each, see TYPE_BIT().
 */
uint32_t unit_types(const struct submission *submission, uint32_t first, uint32_t count)
{
	uint32_t types = 0;

	for (uint32_t i = first; i < first + count; i++)
		types |= submission->works[i].types;
	return types;
}

/**
 * unit_end() - The end of a unit
 * @submission: The submission.
 * @first: The first command buffer of the unit.
 * @counted: Set to whether it is counted.
 *
 * A render pass that is suspended is in one unit with what resumes it.
 *
 * Return: The first command buffer behind it.
 */
uint32_t unit_end(const struct submission *submission, uint32_t first, bool *counted)
{
	const bool queries = settings_get()->mode == MODE_QUERIES;
	const enum unit_kind unit = settings_get()->unit;
	uint32_t end = first;

	*counted = unit != UNIT_WORKLOAD;
	do {
		*counted |= submission->works[end].works;
		end++;
	} while (end < submission->work_count && (submission->works[end - 1].joined ||
						  (unit == UNIT_SUBMISSION && !queries)));
	/* A query has the result of its own part. */
	if (queries)
		*counted = submission->works[first].query.pool && end == first + 1;
	return end;
}
