// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/jiffies.h>
#include <linux/seq_file.h>

#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_perf_debugfs.h"
#include "panthor_perf_device.h"
#include "panthor_perf_rawdump.h"
#include "panthor_perf_session.h"

/**
 * DOC: Files for debugging
 *
 * The folder panthor_perf beside the device's other files in debugfs has these files:
 *
 * - state: data for a report of a fault: the firmware's version and its size words, the state of
 *   the sampler, the requests, the fill level of the firmware's ring, if it is in use, and a line
 *   for each session with its number, as in the tracepoints, and its statistics. Reading the file
 *   changes nothing.
 * - rawdump: experiments with the firmware, if the driver was built with them, see below.
 */

#ifdef CONFIG_DEBUG_FS

static int state_show(struct seq_file *m, void *unused)
{
	struct panthor_perf *perf = m->private;
	struct panthor_perf_sampler *sampler = &perf->sampler;
	const struct panthor_perf_counts *counts = &sampler->counts;
	const struct panthor_fw_global_iface *iface = sampler->fw.iface;
	struct drm_printer p = drm_seq_file_printer(m);
	struct panthor_perf_session *session;
	u32 in_ring;

	/* Nothing but memory is read: the GPU may be suspended. */
	guard(panthor_perf_sampler)(sampler);
	seq_printf(m, "version: %#x\n", READ_ONCE(iface->control->version));
	seq_printf(m, "size: %#x\n", READ_ONCE(iface->control->perfcnt_size));
	seq_printf(m, "features: %#x\n", READ_ONCE(iface->control->perfcnt_features));
	seq_printf(m, "entry: %u bytes, %u blocks of %u words\n", perf->layout->entry_size,
		   perf->layout->block_count, perf->layout->counters);
	seq_printf(m, "state: %d set %u failures %u%s%s\n", sampler->state, sampler->counts.set,
		   sampler->failures, sampler->blocked ? " blocked" : "",
		   sampler->gone ? " gone" : "");
	seq_printf(m, "requests: %llu completed %llu missing %u%s\n", sampler->issued,
		   sampler->done, sampler->missing,
		   sampler->fw_request != PANTHOR_PERF_FW_REQUEST_COMPLETE ? " pending" : "");
	if (sampler->state != PANTHOR_PERF_SAMPLER_ON)
		seq_puts(m, "ring: off\n");
	else if (panthor_perf_fw_pending(&sampler->fw, &in_ring))
		seq_puts(m, "ring: impossible index\n");
	else
		seq_printf(m, "ring: %u of %u\n", in_ring, PANTHOR_PERF_FW_RING_SLOTS);
	seq_printf(m, "status: %#x\n", READ_ONCE(iface->output->perfcnt_status));
	seq_printf(m, "watchdog: %u ms, saturation %u ms\n",
		   jiffies_to_msecs(sampler->watchdog_interval),
		   jiffies_to_msecs(counts->saturation));
	seq_printf(m, "time: %llu Hz, anchor within %llu ns\n", counts->timestamp_frequency,
		   counts->anchor.error_ns);
	list_for_each_entry(session, &perf->sessions, node) {
		seq_printf(m, "session %u: set=%u slots=%u ", session->id, session->config.set,
			   session->ring.slots);
		panthor_perf_session_print_locked(session, &p);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(state);

/**
 * panthor_perf_debugfs_init() - Create the files for debugging
 * @minor: DRM minor of the device, which removes them.
 */
void panthor_perf_debugfs_init(struct drm_minor *minor)
{
	struct panthor_device *ptdev = container_of(minor->dev, struct panthor_device, base);
	struct panthor_perf *perf = ptdev->perf;
	struct dentry *dir;

	if (!perf)
		return;

	dir = debugfs_create_dir("panthor_perf", minor->debugfs_root);
	debugfs_create_file("state", 0400, dir, perf, &state_fops);
	panthor_perf_rawdump_debugfs_init(dir, ptdev);
}

#endif
