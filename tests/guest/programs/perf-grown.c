// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* A client of a version that may come: all its structures are 16 bytes longer. */
#define GROWN	16

#include "growth.h"
