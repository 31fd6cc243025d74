// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The kernel's gcov as a module, for kernels that were built without it: scripts/build/build-module.sh puts
 * the files of kernel/gcov beside this one. What is missing besides is who calls the constructors
 * of a module that is measured; panthor_gcov.c has them called.
 */

#include <linux/module.h>
#include <linux/notifier.h>

/* A module has one of them, below. */
#undef device_initcall
#define device_initcall(fn)	static int __maybe_unused (*fn##_call)(void) = fn

#include "base.c"
#include "fs.c"
#include "gcc_4_7.c"
#include "gcc_base.c"

/* Before this, symbols of the module are not to be had; later, its constructors are no more. */
static int call_constructors(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;
	void (*call)(void);

	if (event != MODULE_STATE_LIVE || strcmp(mod->name, "panthor"))
		return NOTIFY_OK;

	call = __symbol_get("panthor_gcov_construct");
	if (!call) {
		pr_err("panthor was not built for this\n");
		return NOTIFY_OK;
	}
	call();
	__symbol_put("panthor_gcov_construct");
	return NOTIFY_OK;
}

static struct notifier_block constructors_nb = {
	.notifier_call = call_constructors,
};

static int __init runtime_init(void)
{
	int ret = gcov_init();

	if (!ret)
		ret = gcov_fs_init();
	return ret ?: register_module_notifier(&constructors_nb);
}
module_init(runtime_init);

MODULE_DESCRIPTION("The kernel's gcov for modules of kernels without it");
MODULE_LICENSE("GPL");
