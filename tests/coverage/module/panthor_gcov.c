// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Part of a panthor.ko that is measured: calls the constructors with which its files register their
 * counters, in a kernel that calls none. The linker sorts them by the names of their sections, so
 * that these two are the first and the last; they are in what is freed when the module has started.
 */

#include <linux/export.h>

typedef void (*constructor)(void);

void panthor_gcov_construct(void);

static void nothing(void)
{
}

static const constructor first __used __section(".init_array.00001") = nothing;
static const constructor last __used __section(".init_array.65535") = nothing;

/**
 * panthor_gcov_construct() - Register the counters of the files of this module
 *
 * To be called once, before the module's initial memory is freed.
 */
void panthor_gcov_construct(void)
{
	const constructor *call = &first;

	OPTIMIZER_HIDE_VAR(call);
	while (call != &last)
		(*call++)();
}
EXPORT_SYMBOL_GPL(panthor_gcov_construct);
