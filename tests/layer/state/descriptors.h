/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Layouts, and what they have an effect on: descriptors and push constants. */
#ifndef STATE_DESCRIPTORS_H
#define STATE_DESCRIPTORS_H

#include "state.h"

struct set_layout *descriptors_set_layout(const VkDescriptorSetLayoutCreateInfo *info);
struct pipeline_layout *descriptors_pipeline_layout(const VkPipelineLayoutCreateInfo *info);
void descriptors_read_template(struct arena *arena, struct entry *entry);
bool descriptors_apply(struct state *state, const struct entry *entry);
void descriptors_snapshot(struct state *state);

#endif
