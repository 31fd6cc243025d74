/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Labels and names that the application gives to command buffers and queues. */
#ifndef VULKAN_LAYER_LABELS_H
#define VULKAN_LAYER_LABELS_H

struct cmd;
struct labels;
struct part;
struct queue;

void labels_add(struct labels *labels, const char *label);
char *labels_of_queue(struct queue *queue);
const char *labels_of_cmd(const struct cmd *cmd);
char *labels_of_part(const struct queue *queue, const struct cmd *cmd, const struct part *part);
void labels_add_open(struct cmd *cmd);
void labels_carry(struct queue *queue, const struct cmd *cmd);

#endif
