/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_PMU_H__
#define __PANTHOR_PERF_PMU_H__

struct panthor_device;
struct panthor_perf;

#if IS_ENABLED(CONFIG_PERF_EVENTS)

void panthor_perf_pmu_register(struct panthor_device *ptdev);
void panthor_perf_pmu_unplug(struct panthor_perf *perf);
void panthor_perf_pmu_suspend(struct panthor_perf *perf);

#else

static inline void panthor_perf_pmu_register(struct panthor_device *ptdev) {}
static inline void panthor_perf_pmu_unplug(struct panthor_perf *perf) {}
static inline void panthor_perf_pmu_suspend(struct panthor_perf *perf) {}

#endif

#if IS_ENABLED(CONFIG_PERF_EVENTS) && defined(PANTHOR_PERF_PMU_STAYS)
void panthor_perf_pmu_exit(void);
#endif

#endif
