/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Units: the parts of a submission that are counted. */
#ifndef VULKAN_LAYER_UNITS_H
#define VULKAN_LAYER_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct submission;

uint32_t unit_end(const struct submission *submission, uint32_t first, bool *counted);
uint32_t unit_types(const struct submission *submission, uint32_t first, uint32_t count);
void unit_label(const struct submission *submission, uint32_t first, uint32_t count, char *text,
		size_t size);

#endif
