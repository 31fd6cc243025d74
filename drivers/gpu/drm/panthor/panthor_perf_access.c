// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/sysctl.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf.h"
#include "panthor_perf_access.h"
#include "panthor_perf_kcompat.h"

/**
 * DOC: Access
 *
 * The sysctl dev.panthor.perf_paranoid and the module parameter perf_paranoid
 * are one variable. The parameter sets its value when the module is loaded, and
 * the sysctl changes it at run time. The sysctl belongs to the module: it
 * exists without a GPU, and a GPU that is bound or unbound does not change it.
 *
 * A SETUP by a process with the right gives the right to the file. It is stored
 * in &struct panthor_perf_file.
 */

static int perf_paranoid = 1;

static int perf_paranoid_set(const char *text, const struct kernel_param *param)
{
	int value, ret = kstrtoint(text, 0, &value);

	if (ret)
		return ret;

	if (value < 0 || value > 1)
		return -EINVAL;

	WRITE_ONCE(perf_paranoid, value);
	return 0;
}

static const struct kernel_param_ops perf_paranoid_ops = {
	.set = perf_paranoid_set,
	.get = param_get_int,
};

module_param_cb(perf_paranoid, &perf_paranoid_ops, &perf_paranoid, 0444);
__MODULE_PARM_TYPE(perf_paranoid, "int");
MODULE_PARM_DESC(perf_paranoid,
		 "Initial value of the sysctl dev.panthor.perf_paranoid. 1: every counter set needs CAP_PERFMON, 0: the primary set does not (default: 1)");

static struct ctl_table perf_sysctls[] = {
	{
		.procname = "perf_paranoid",
		.data = &perf_paranoid,
		.maxlen = sizeof(perf_paranoid),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = SYSCTL_ONE,
	},
};

/* NULL if the kernel has no sysctls or no memory. The module parameter applies all the same. */
static struct ctl_table_header *perf_sysctl_header;

/**
 * panthor_perf_module_init() - Register the sysctl
 *
 * Called when the module is loaded.
 */
void panthor_perf_module_init(void)
{
	perf_sysctl_header = register_sysctl("dev/panthor", perf_sysctls);
}

/**
 * panthor_perf_module_exit() - Unregister the sysctl
 *
 * Called when the module is unloaded.
 */
void panthor_perf_module_exit(void)
{
	unregister_sysctl_table(perf_sysctl_header);
	perf_sysctl_header = NULL;
}

/**
 * panthor_perf_access_needs_right() - Check whether a counter set is restricted
 * @set: One of &enum drm_panthor_perf_counter_set.
 *
 * Return: true if a session of this set needs the right to observe the whole system.
 */
bool panthor_perf_access_needs_right(u32 set)
{
	return set != DRM_PANTHOR_PERF_SET_PRIMARY || READ_ONCE(perf_paranoid);
}

/**
 * panthor_perf_access_has_right() - Check whether the caller may observe the whole system
 * @needed: The call fails without the right: security modules may log the failure.
 *
 * Return: true if the caller has the right.
 */
bool panthor_perf_access_has_right(bool needed)
{
	return needed ? panthor_perf_may_observe() : panthor_perf_may_observe_noaudit();
}

/**
 * panthor_perf_access_session_limit() - Get the limit of a GPU's sessions for a process
 * @gpu_sessions: Largest number of sessions of the GPU.
 * @right: The process has the right to observe the whole system.
 *
 * Return: Number of existing sessions of the GPU at which SETUP fails for the process.
 */
u32 panthor_perf_access_session_limit(u32 gpu_sessions, bool right)
{
	if (right)
		return gpu_sessions;

	return gpu_sessions - min_t(u32, gpu_sessions, PANTHOR_PERF_RESERVED_SESSIONS);
}
