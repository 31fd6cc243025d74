/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What a program may have the fake driver do with its ordered samples, by functions of a device:
 * "vkDelayTEST", "vkHoldTEST", "vkFailOrderTEST"; and "vkTakenTEST".
 */
#ifndef TESTS_LAYER_FAKEORDER_H
#define TESTS_LAYER_FAKEORDER_H

#include <stdint.h>

void fake_order_delay(uint32_t ms);
void fake_order_hold(uint32_t ms);
void fake_order_fail(uint32_t now);
uint32_t fake_order_taken(void);

/** PFN_fake_order_delay - fake_order_delay(), fake_order_hold(), fake_order_fail() */
typedef void (*PFN_fake_order_delay)(uint32_t ms);

/** PFN_fake_order_taken - fake_order_taken() */
typedef uint32_t (*PFN_fake_order_taken)(void);

#endif
