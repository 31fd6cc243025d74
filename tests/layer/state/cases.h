/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef STATE_CASES_H
#define STATE_CASES_H

#include <stdint.h>

void cases_run(uint64_t seed, unsigned int sequences);
void cases_plant(void);

#endif
