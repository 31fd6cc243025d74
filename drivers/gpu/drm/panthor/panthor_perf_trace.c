// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#define CREATE_TRACE_POINTS
#include "panthor_perf_trace.h"
