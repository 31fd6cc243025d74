/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The counter session of a GPU, and the timeline that puts its samples and the GPU's work in order.
 */
#ifndef VULKAN_LAYER_SAMPLER_H
#define VULKAN_LAYER_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

struct row;
struct sampler;

/**
 * struct sample_point - a point of another timeline that a sample waits for
 */
struct sample_point {
	/** @syncobj: The timeline. */
	uint32_t syncobj;

	/** @point: Its point. */
	uint64_t point;
};

/* Of a sample that is not the one behind a unit. */
#define NO_UNIT		0

struct sampler *sampler_create(int64_t minor, const char *name);
void sampler_finish(struct sampler *sampler);
void sampler_destroy(struct sampler *sampler);

struct panthor_perf_device *sampler_device(const struct sampler *sampler);
int sampler_node(const struct sampler *sampler);
int sampler_fd(const struct sampler *sampler);
uint32_t sampler_syncobj(const struct sampler *sampler);

uint64_t sampler_point(const struct sampler *sampler);
void sampler_advance(struct sampler *sampler);
bool sampler_is_reached(const struct sampler *sampler);
bool sampler_has_reached(const struct sampler *sampler, uint64_t point);
bool sampler_wait(const struct sampler *sampler, uint64_t point, int64_t timeout_ns);

const struct panthor_perf_selection *sampler_selection(const struct sampler *sampler);
bool sampler_start(struct sampler *sampler);
void sampler_stop(struct sampler *sampler);
bool sampler_is_started(const struct sampler *sampler);
bool sampler_is_broken(const struct sampler *sampler);
void sampler_sample(struct sampler *sampler, uint64_t unit);
void sampler_sample_behind(struct sampler *sampler, uint64_t unit,
			   const struct sample_point *points, unsigned int count);
uint64_t sampler_add_unit(struct sampler *sampler, const struct row *unit);
void sampler_read(struct sampler *sampler, int timeout_ms);

#endif
