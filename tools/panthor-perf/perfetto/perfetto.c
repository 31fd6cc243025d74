// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include "perfetto.h"
#include "print/output.h"

#ifdef HAVE_PROTOBUF_C

#include <errno.h>
#include <stdlib.h>

#include "perfetto_clocks.h"
#include "perfetto_describe.h"
#include "perfetto_out.h"
#include "perfetto_tracks.h"

#define GpuCounterEvent	Perfetto__Protos__GpuCounterEvent
#define GpuCounter	Perfetto__Protos__GpuCounterEvent__GpuCounter
#define VALUE(name)	PERFETTO__PROTOS__GPU_COUNTER_EVENT__GPU_COUNTER__VALUE_##name

/* Readers have values as floating-point numbers of 53 bits: larger ones are no integers there. */
#define MAX_INTEGER	9007199254740992ll
#define KHZ_PER_GHZ	1000000

/**
 * struct trace - a trace that is being written
 */
struct trace {
	/** @out: Where its packets go. */
	struct trace_out out;

	/** @list: The columns. */
	struct column_list *list;

	/** @counters: Values of a sample, room for one per column. */
	GpuCounter *counters;

	/** @pointers: Those of @counters that have a value. */
	GpuCounter **pointers;

	/** @next_mark: Mark that is searched for next. */
	uint64_t next_mark;

	/** @boot: CLOCK_BOOTTIME. */
	struct boot_clock boot;
};

static int write_gpu(struct trace *trace)
{
	const struct gpu_view *gpu = &trace->list->view->gpu;
	Perfetto__Protos__GpuInfo__Gpu one = PERFETTO__PROTOS__GPU_INFO__GPU__INIT;
	Perfetto__Protos__GpuInfo info = PERFETTO__PROTOS__GPU_INFO__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	Perfetto__Protos__GpuInfo__Gpu *all[] = { &one };
	unsigned int arch_major, product_major;
	char name[64], architecture[32];

	panthor_perf_gpu_arch(gpu->gpu_id, &arch_major, &product_major);
	snprintf(architecture, sizeof(architecture), "%u", arch_major);
	one.name = (char *)gpu_name(gpu, name, sizeof(name));
	one.vendor = "Arm";
	one.architecture = architecture;
	info.n_gpus = 1;
	info.gpus = all;
	packet.data_case = PACKET(GPU_INFO);
	packet.gpu_info = &info;
	return trace_packet(&trace->out, &packet);
}

/*
 * What a column has in the current sample. The counters ran in each sample: where a formula divides
 * by 0, the value is 0, because a viewer would extend another one.
 */
static struct value trace_value_of(const struct trace *trace, const struct column *column,
				   bool zero)
{
	struct value value = { .exact = true };

	if (zero)
		return value;
	value = values_get(&trace->list->values, column->event, column->instance);
	if (!value.valid)
		return (struct value) { .exact = true };
	if (!value.exact && value.number >= 0 && value.number < MAX_INTEGER) {
		value.count = value.number;
		value.exact = value.count == value.number;
	}
	value.exact = value.exact && value.count < MAX_INTEGER;
	return value;
}

/* Values of the tracks of blocks, from a time on. */
static int write_instances(struct trace *trace, uint64_t raw_ns, bool zero)
{
	const struct column_list *list = trace->list;
	int ret = 0;
	size_t i;

	for (i = 0; i < list->count && !ret; i++) {
		const struct column *column = &list->columns[i];

		if (column->count && column->instance != VALUE_SUM)
			ret = trace_instance(&trace->out, list, i, raw_ns,
					     trace_value_of(trace, column, zero));
	}
	return ret;
}

/* Values of sums, up to a time from that of the values before. */
static int write_sums(struct trace *trace, uint64_t raw_ns, bool zero,
		      Perfetto__Protos__GpuCounterDescriptor *descriptor)
{
	const struct column_list *list = trace->list;
	GpuCounterEvent event = PERFETTO__PROTOS__GPU_COUNTER_EVENT__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	size_t i;

	for (i = 0; i < list->count; i++) {
		const struct column *column = &list->columns[i];
		GpuCounter *counter = &trace->counters[i];
		struct value value;

		if (!column->count || column->instance != VALUE_SUM)
			continue;
		value = trace_value_of(trace, column, zero);
		perfetto__protos__gpu_counter_event__gpu_counter__init(counter);
		counter->has_counter_id = true;
		counter->counter_id = i;
		counter->value_case = value.exact ? VALUE(INT_VALUE) : VALUE(DOUBLE_VALUE);
		if (value.exact)
			counter->int_value = value.count;
		else
			counter->double_value = value.number;
		trace->pointers[event.n_counters++] = counter;
	}
	event.counters = trace->pointers;
	event.has_gpu_id = true;
	event.counter_descriptor = descriptor;
	trace_time(&packet, raw_ns);
	packet.data_case = PACKET(GPU_COUNTER_EVENT);
	packet.gpu_counter_event = &event;
	return trace_packet(&trace->out, &packet);
}

/* The mean frequency of a sample, from its begin on. */
static int write_frequency(struct trace *trace, uint64_t raw_ns, uint32_t khz)
{
	Perfetto__Protos__GpuFrequencyFtraceEvent frequency =
		PERFETTO__PROTOS__GPU_FREQUENCY_FTRACE_EVENT__INIT;
	Perfetto__Protos__FtraceEvent event = PERFETTO__PROTOS__FTRACE_EVENT__INIT;
	Perfetto__Protos__FtraceEventBundle bundle = PERFETTO__PROTOS__FTRACE_EVENT_BUNDLE__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	Perfetto__Protos__FtraceEvent *all[] = { &event };

	if (!boot_clock_at(&trace->boot, raw_ns, &event.timestamp))
		return 0;
	frequency.has_gpu_id = true;
	frequency.has_state = true;
	frequency.state = khz;
	event.has_timestamp = true;
	event.has_pid = true;
	event.event_case = PERFETTO__PROTOS__FTRACE_EVENT__EVENT_GPU_FREQUENCY;
	event.gpu_frequency = &frequency;
	bundle.has_cpu = true;
	bundle.n_event = 1;
	bundle.event = all;
	packet.data_case = PACKET(FTRACE_EVENTS);
	packet.ftrace_events = &bundle;
	return trace_packet(&trace->out, &packet);
}

static uint32_t khz_of(uint64_t cycles, uint64_t start_ns, uint64_t end_ns)
{
	const double khz = (double)cycles * KHZ_PER_GHZ / (end_ns - start_ns);

	return khz < UINT32_MAX ? khz : UINT32_MAX;
}

/* A track has one value at a time: a sample that begins before another one ends is cut. */
static int write_sample(struct trace *trace, const struct recording_sample *sample,
			uint64_t start_ns)
{
	const uint64_t end_ns = sample->header.timestamp_end_ns;
	uint64_t cycles;
	int ret = 0;

	values_set(&trace->list->values, sample->sample);
	if (end_ns > start_ns &&
	    panthor_perf_sample_cycles(sample->sample, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, &cycles))
		ret = write_frequency(trace, start_ns,
				      khz_of(cycles, sample->header.timestamp_start_ns, end_ns));
	if (!ret)
		ret = write_instances(trace, start_ns, false);
	if (!ret)
		ret = trace_slices(&trace->out, trace->list->view->recording, &trace->next_mark,
				   sample, start_ns);
	return ret ? ret : write_sums(trace, end_ns, false, NULL);
}

/* Nothing is counted until the next run: values end, and the interval before the next one. */
static int write_gap(struct trace *trace, uint64_t start_ns, uint64_t end_ns)
{
	int ret = write_instances(trace, start_ns, true);

	if (!ret)
		ret = trace_gap(&trace->out, start_ns, end_ns);
	return ret ? ret : write_sums(trace, end_ns, true, NULL);
}

static int write_samples(struct trace *trace, const struct range *range,
			 struct description *description, bool *told)
{
	const struct recording_view *view = trace->list->view;
	struct progress progress = { .what = "exporting", .total = range->count };
	struct recording_sample sample = { 0 };
	uint64_t i, start_ns, end_ns = 0;
	int ret = 0, status;

	for (i = 0; i < range->count && !ret; i++) {
		status = recording_view_sample(view, range->first + i, range->first, &sample);
		if (status) {
			*told = true;
			return -EINVAL;
		}
		start_ns = sample.header.timestamp_start_ns;
		if (start_ns < end_ns)
			start_ns = end_ns;
		if (sample.header.timestamp_end_ns < start_ns)
			sample.header.timestamp_end_ns = start_ns;
		if (!i)
			ret = write_sums(trace, start_ns, true, &description->descriptor);
		else if (start_ns > end_ns)
			ret = write_gap(trace, end_ns, start_ns);
		if (!ret)
			ret = write_sample(trace, &sample, start_ns);
		end_ns = sample.header.timestamp_end_ns;
		progress_show(&progress, i);
	}
	progress_remove();
	return ret ? ret : write_instances(trace, end_ns, true);
}

static int write_trace(struct trace *trace, const struct range *range, bool *told)
{
	struct description description;
	int ret;

	ret = description_init(&description, trace->list);
	if (!ret)
		ret = write_gpu(trace);
	if (!ret)
		ret = trace_clocks(&trace->out, trace->list->view->recording);
	if (!ret)
		ret = trace_tracks(&trace->out, trace->list);
	if (!ret)
		ret = write_samples(trace, range, &description, told);
	description_fini(&description);
	return ret;
}

int perfetto_export(struct column_list *list, const struct range *range, const char *path)
{
	struct trace trace = { .list = list };
	bool told = false;
	int ret = -ENOMEM, finished, status;
	struct output output;

	status = output_create(&output, path);
	if (status)
		return status;
	trace.out.file = output.out;
	boot_clock_init(&trace.boot, list->view->recording);
	trace.counters = calloc(list->count, sizeof(*trace.counters));
	trace.pointers = calloc(list->count, sizeof(*trace.pointers));
	if (trace.counters && trace.pointers)
		ret = write_trace(&trace, range, &told);
	finished = trace_finish(&trace.out);
	if (!ret)
		ret = finished;
	ret = output_commit(&output, ret);
	free(trace.counters);
	free(trace.pointers);
	if (ret && !told)
		fail(ret, "writing %s", path);
	return ret ? EXIT_ERROR : EXIT_OK;
}

#else

int perfetto_export(struct column_list *list, const struct range *range, const char *path)
{
	(void)list;
	(void)range;
	return fail(0, "%s is not written: this program was built without protobuf-c or zlib",
		    path);
}

#endif /* HAVE_PROTOBUF_C */
