/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#undef TRACE_SYSTEM
#define TRACE_SYSTEM panthor_perf

#if !defined(__PANTHOR_PERF_TRACE_H__) || defined(TRACE_HEADER_MULTI_READ)
#define __PANTHOR_PERF_TRACE_H__

#include <linux/tracepoint.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_fw.h"

/**
 * DOC: Tracepoints
 *
 * The events of the system panthor_perf follow a sample through the driver.
 * The field dev is the name of the GPU. The field session is the number of a
 * session, the same in all its events.
 *
 * - panthor_perf_request: the driver requests firmware sample number nr since the device's probe.
 * - panthor_perf_sample: the driver has added a firmware sample to the totals. gpu_timestamp is the
 *   firmware's time stamp, in ticks.
 * - panthor_perf_acknowledge: firmware has acknowledged the newest request, after latency ns. The
 *   totals are valid at the time end, in ns of CLOCK_MONOTONIC_RAW. host is 1 if end is the host's
 *   time and not the firmware's.
 * - panthor_perf_publish: a session has published sample nr since its START. The other fields are
 *   those of the sample's header.
 * - panthor_perf_merge: a period has ended without a sample. The next sample will contain merged
 *   periods.
 * - panthor_perf_event: the driver has set flags and events for the next sample of all sessions.
 */

TRACE_EVENT(panthor_perf_request,
	TP_PROTO(struct panthor_perf_fw *fw, u64 nr),
	TP_ARGS(fw, nr),
	TP_STRUCT__entry(
		__string(dev, panthor_perf_trace_name(fw))
		__field(u64, nr)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->nr = nr;
	),
	TP_printk("dev=%s nr=%llu", __get_str(dev), __entry->nr)
);

TRACE_EVENT(panthor_perf_sample,
	TP_PROTO(struct panthor_perf_fw *fw, u64 gpu_timestamp),
	TP_ARGS(fw, gpu_timestamp),
	TP_STRUCT__entry(
		__string(dev, panthor_perf_trace_name(fw))
		__field(u64, gpu_timestamp)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->gpu_timestamp = gpu_timestamp;
	),
	TP_printk("dev=%s gpu_timestamp=%llu", __get_str(dev), __entry->gpu_timestamp)
);

TRACE_EVENT(panthor_perf_acknowledge,
	TP_PROTO(struct panthor_perf_fw *fw, u64 latency, u64 end, bool host),
	TP_ARGS(fw, latency, end, host),
	TP_STRUCT__entry(
		__string(dev, panthor_perf_trace_name(fw))
		__field(u64, latency)
		__field(u64, end)
		__field(bool, host)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->latency = latency;
		__entry->end = end;
		__entry->host = host;
	),
	TP_printk("dev=%s latency=%llu end=%llu host=%d", __get_str(dev), __entry->latency,
		  __entry->end, __entry->host)
);

TRACE_EVENT(panthor_perf_publish,
	TP_PROTO(struct panthor_perf_fw *fw, u32 session,
		 const struct drm_panthor_perf_sample_header *header),
	TP_ARGS(fw, session, header),
	TP_STRUCT__entry(
		__string(dev, panthor_perf_trace_name(fw))
		__field(u32, session)
		__field(u64, nr)
		__field(u64, start)
		__field(u64, end)
		__field(u32, merged)
		__field(u32, flags)
		__field(u32, events)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->session = session;
		__entry->nr = header->sample_nr;
		__entry->start = header->timestamp_start_ns;
		__entry->end = header->timestamp_end_ns;
		__entry->merged = header->merged;
		__entry->flags = header->flags;
		__entry->events = header->events;
	),
	TP_printk("dev=%s session=%u nr=%llu start=%llu end=%llu merged=%u flags=%#x events=%#x",
		  __get_str(dev), __entry->session, __entry->nr, __entry->start, __entry->end,
		  __entry->merged, __entry->flags, __entry->events)
);

TRACE_EVENT(panthor_perf_merge,
	TP_PROTO(struct panthor_perf_fw *fw, u32 session, u64 merged, int status),
	TP_ARGS(fw, session, merged, status),
	TP_STRUCT__entry(
		__string(dev, panthor_perf_trace_name(fw))
		__field(u32, session)
		__field(u64, merged)
		__field(int, status)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->session = session;
		__entry->merged = merged;
		__entry->status = status;
	),
	TP_printk("dev=%s session=%u merged=%llu status=%d", __get_str(dev), __entry->session,
		  __entry->merged, __entry->status)
);

TRACE_EVENT(panthor_perf_event,
	TP_PROTO(struct panthor_perf_fw *fw, u32 flags, u32 events),
	TP_ARGS(fw, flags, events),
	TP_STRUCT__entry(
		__string(dev, panthor_perf_trace_name(fw))
		__field(u32, flags)
		__field(u32, events)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->flags = flags;
		__entry->events = events;
	),
	TP_printk("dev=%s flags=%#x events=%#x", __get_str(dev), __entry->flags, __entry->events)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE panthor_perf_trace
#include <trace/define_trace.h>
