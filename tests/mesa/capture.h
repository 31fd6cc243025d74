/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef MESA_TEST_CAPTURE_H
#define MESA_TEST_CAPTURE_H

/* Frame that a program built with CAPTURE has captured. */
#define CAPTURED_FRAME	1

void capture_begin(void);
void capture_end(void);

#endif
