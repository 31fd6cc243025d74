// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* A client of version 1 of the interface. */
#define GROWN	0

#include "growth.h"
