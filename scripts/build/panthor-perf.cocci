// SPDX-License-Identifier: GPL-2.0 or MIT
//
// Where the counter component hooks into panthor. One rule per hook, anchored on a call and
// restricted by function. The rule of a hook is hook_NAME, with a digit if there are several. What each
// must match is counted by scripts/build/panthor-perf.hooks afterwards, since spatch is content when a rule
// matches nothing.

// Of the files that the table names, only panthor_drv.c includes this header.
@is_drv@
@@
 #include "panthor_heap.h"

@hook_include_ioctl depends on is_drv@
@@
 #include "panthor_mmu.h"
+#include "panthor_perf_control.h"
+#include "panthor_perf_debugfs.h"
+#include "panthor_perf_ioctl.h"

@hook_include@
@@
 #include "panthor_mmu.h"
+#include "panthor_perf.h"

@hook_field_device@
@@
 struct panthor_device {
 	...
 	struct panthor_fw *fw;
+
+	/** @perf: Performance counters. NULL if there are none. */
+	struct panthor_perf *perf;
 	...
 };

@hook_field_file@
@@
 struct panthor_file {
 	...
 	struct panthor_group_pool *groups;
+
+	/** @perf_sessions: Performance counter sessions by handle. */
+	struct xarray perf_sessions;
 	...
 };

@hook_field_control@
@@
 struct panthor_fw_global_control_iface {
 	...
 	u32 instr_features;
+	u32 perfcnt_features;
 	...
 };

@hook_init@
expression p, ret;
identifier err;
@@
 panthor_device_init(...)
 {
 	<+...
+	ret = panthor_perf_init(p);
+	if (ret)
+		goto err;
+
 	ret = drm_dev_register(&p->base, 0);
 	if (ret)
 		goto err;
 	...+>
 }

@hook_unplug@
identifier fn = {panthor_device_unplug, panthor_device_init};
expression p;
@@
 fn(...)
 {
 	<+...
+	panthor_perf_unplug(p);
 	panthor_sched_unplug(p);
 	...+>
 }

@hook_free_ring@
expression p;
@@
 panthor_fw_unplug(...)
 {
 	<+...
+	panthor_perf_free_ring(p);
 	panthor_vm_put(p->fw->vm);
 	...+>
 }

@hook_suspend@
expression p;
@@
 panthor_device_suspend(...)
 {
 	<+...
 	panthor_sched_suspend(p);
+	panthor_perf_suspend(p);
 	...+>
 }

@hook_resume@
identifier fn = {panthor_device_suspend, panthor_device_resume};
expression p;
@@
 fn(...)
 {
 	<+...
+	panthor_perf_resume(p);
 	panthor_sched_resume(p);
 	...+>
 }

@hook_resume_failed@
expression p;
@@
 panthor_device_resume(...)
 {
 	<+...
 	atomic_set(&p->pm.state, PANTHOR_DEVICE_PM_STATE_SUSPENDED);
+	panthor_perf_resume_failed(p);
 	...+>
 }

@hook_pre_reset@
expression p;
@@
 panthor_device_reset_work(...)
 {
 	<+...
 	panthor_sched_pre_reset(p);
+	panthor_perf_pre_reset(p);
 	...+>
 }

@hook_post_reset@
expression p, r;
@@
 panthor_device_reset_work(...)
 {
 	<+...
+	panthor_perf_post_reset(p, r != 0);
 	panthor_sched_post_reset(p, r != 0);
 	...+>
 }

@hook_irq@
expression p, s;
@@
 panthor_job_irq_handler(...)
 {
 	<+...
 	panthor_sched_report_fw_events(p, s);
+	panthor_perf_report_irq(p, s);
 	...+>
 }

@hook_open@
expression f, e;
@@
 panthor_open(...)
 {
 	<+...
+	panthor_perf_file_open(e);
 	f->driver_priv = e;
 	...+>
 }

@hook_close@
expression f;
@@
 panthor_postclose(...)
 {
 	<+...
+	panthor_perf_file_close(f);
 	panthor_group_pool_destroy(f);
 	...+>
 }

@hook_debugfs@
expression m;
@@
 panthor_debugfs_init(...)
 {
 	<+...
 	panthor_mmu_debugfs_init(m);
+	panthor_perf_debugfs_init(m);
 	...+>
 }

@hook_module_init@
expression d, ret;
identifier err;
@@
 panthor_init(...)
 {
 	<+...
+	panthor_perf_module_init();
+
 	ret = platform_driver_register(d);
-	if (ret)
+	if (ret) {
+		panthor_perf_module_exit();
 		goto err;
+	}
 	...+>
 }

@hook_module_exit@
expression d;
@@
 panthor_exit(...)
 {
 	<+...
 	platform_driver_unregister(d);
+	panthor_perf_module_exit();
 	...+>
 }

@hook_ioctls@
@@
 struct drm_ioctl_desc panthor_drm_driver_ioctls[] = {
 	...,
+	PANTHOR_IOCTL(PERF_SETUP, perf_setup, DRM_RENDER_ALLOW),
+	PANTHOR_IOCTL(PERF_TEARDOWN, perf_teardown, DRM_RENDER_ALLOW),
+	PANTHOR_IOCTL(PERF_START, perf_start, DRM_RENDER_ALLOW),
+	PANTHOR_IOCTL(PERF_STOP, perf_stop, DRM_RENDER_ALLOW),
+	PANTHOR_IOCTL(PERF_SAMPLE, perf_sample, DRM_RENDER_ALLOW),
+	PANTHOR_IOCTL(PERF_CONTROL, perf_control, DRM_RENDER_ALLOW),
 };

// The older interface.
@hook_control_query@
statement S;
@@
 panthor_ioctl_dev_query(...)
 {
 	<+...
+	if (args->type == DRM_PANTHOR_DEV_QUERY_PERF_CONTROL)
+		return panthor_perf_control_query(ptdev, args);
+
 	if (!args->pointer) S
 	...+>
 }
