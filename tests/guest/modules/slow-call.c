// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: A slow call
 *
 * A race that lasts some nanoseconds is not seen by any number of tries. While this module is loaded,
 * a function of the kernel begins with a delay, which makes such a race last as long as a test needs.
 */

#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>

#define MAX_DELAY_US	10000

static char *function;
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "Name of the function");

static unsigned int delay_us;
module_param(delay_us, uint, 0444);
MODULE_PARM_DESC(delay_us, "Delay in us, at most 10000");

static unsigned long calls;
module_param(calls, ulong, 0444);
MODULE_PARM_DESC(calls, "Calls since the module was loaded, some of which may not be counted");

static int delay(struct kprobe *probe, struct pt_regs *regs)
{
	WRITE_ONCE(calls, READ_ONCE(calls) + 1);
	for (unsigned int us = 0; us < delay_us; us += 100)
		udelay(100);

	return 0;
}

static struct kprobe probe = { .pre_handler = delay };

static int __init slow_call_init(void)
{
	if (!function || !delay_us || delay_us > MAX_DELAY_US)
		return -EINVAL;

	probe.symbol_name = function;
	return register_kprobe(&probe);
}
module_init(slow_call_init);

static void __exit slow_call_exit(void)
{
	unregister_kprobe(&probe);
}
module_exit(slow_call_exit);

MODULE_DESCRIPTION("Delays the calls of a function, for tests");
MODULE_LICENSE("Dual MIT/GPL");
