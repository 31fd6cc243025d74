/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef COMPARE_STRUCTURE_H
#define COMPARE_STRUCTURE_H

#include "recording.h"
#include "truth.h"

/**
 * check_structure() - Find what is wrong with samples, their counters aside
 * @recording: The samples.
 * @truth: The log of the GPU.
 * @several: The session may have been started several times.
 * @where: Text in front of each defect, "" for none.
 *
 * Looks at the counter configuration, the headers of samples and blocks, and
 * whether each sample ends with one that the GPU wrote. Prints the first
 * defects.
 *
 * Return: The number of defects.
 */
size_t check_structure(const struct recording *recording, const struct truth *truth, bool several,
		       const char *where);

#endif /* COMPARE_STRUCTURE_H */
