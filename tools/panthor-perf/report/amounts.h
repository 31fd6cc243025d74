/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_AMOUNTS_H
#define PANTHOR_PERF_AMOUNTS_H

#include "counters/values.h"

/**
 * DOC: Amounts
 *
 * An amount grows with the time over which the GPU counts: cycles, bytes, primitives. Shares,
 * ratios and rates do not: percent, bytes per pixel, bytes/s. Amounts of samples or recordings of
 * different length are comparable per second only.
 *
 * Each hardware counter is an amount. A derived counter is an amount if its formula is homogeneous
 * of degree 1: if all counters, the time and the clock cycles double, its value doubles. The value
 * of a ratio stays. The unit does not decide this: bytes_per_pixel has the unit bytes.
 */

/**
 * event_is_amount() - Does the value of an event grow with the time that is counted?
 * @event: The event.
 *
 * Evaluates the formula of a derived counter with several sets of inputs and with their doubles.
 * Doubles of binary floating-point numbers are exact, so that the comparison is exact as well.
 * The caller keeps the result: it is the same for all samples.
 *
 * Return: Whether it does.
 */
bool event_is_amount(const struct event *event);

/**
 * amount_rate() - An amount per second
 * @value: The amount.
 * @time_ns: The time in which it was counted.
 *
 * Return: The rate; no value without time.
 */
struct value amount_rate(struct value value, uint64_t time_ns);

/**
 * amount_rate_unit() - Unit of an amount per second
 * @event: The event.
 * @text: Where it is written, such as "cycles/s", "events/s" if the unit is not known.
 * @size: Bytes at @text.
 *
 * Return: @text.
 */
const char *amount_rate_unit(const struct event *event, char *text, size_t size);

#endif /* PANTHOR_PERF_AMOUNTS_H */
