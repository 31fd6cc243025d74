// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include "output.h"
#include "perfetto.h"

#ifdef HAVE_PROTOBUF_C

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "perfetto.pb-c.h"
#include "perfetto_groups.h"

#define CLOCK_RAW	PERFETTO__PROTOS__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC_RAW
#define CLOCK_MONO	PERFETTO__PROTOS__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC
#define UNIT(name)	PERFETTO__PROTOS__GPU_COUNTER_DESCRIPTOR__MEASURE_UNIT__##name
#define DOUBLE_VALUE	PERFETTO__PROTOS__GPU_COUNTER_EVENT__GPU_COUNTER__VALUE_DOUBLE_VALUE
#define COUNTER_DOUBLE	PERFETTO__PROTOS__TRACK_EVENT__COUNTER_VALUE_FIELD_DOUBLE_COUNTER_VALUE
#define EVENT_TYPE(name)	PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_##name

#define TracePacket	Perfetto__Protos__TracePacket
#define GpuCounterEvent	Perfetto__Protos__GpuCounterEvent
#define GpuCounter	Perfetto__Protos__GpuCounterEvent__GpuCounter
#define CounterDescriptor	Perfetto__Protos__GpuCounterDescriptor
#define CounterSpec	Perfetto__Protos__GpuCounterDescriptor__GpuCounterSpec
#define CounterBlock	Perfetto__Protos__GpuCounterDescriptor__GpuCounterBlock
#define MeasureUnit	Perfetto__Protos__GpuCounterDescriptor__MeasureUnit
#define CounterGroup	Perfetto__Protos__GpuCounterDescriptor__GpuCounterGroup

#define INIT_BLOCK(block) \
	perfetto__protos__gpu_counter_descriptor__gpu_counter_block__init(block)

/* Bytes of the description of a counter. */
#define TITLE_SIZE	256

/* Type of the block that derived counters are in. */
#define DERIVED_BLOCK	0

/**
 * struct trace - a trace that is being written
 */
struct trace {
	/** @out: The file. */
	FILE *out;

	/** @buffer: A packet. */
	uint8_t *buffer;

	/** @room: Bytes at @buffer. */
	size_t room;

	/** @begun: There is a packet in the file. */
	bool begun;

	/** @list: The columns. */
	struct column_list *list;

	/** @counters: Values of a sample, room for one per column. */
	GpuCounter *counters;

	/** @pointers: Those of @counters that have a value. */
	GpuCounter **pointers;

	/** @next_mark: Mark that is searched for next. */
	uint64_t next_mark;
};

uint64_t perfetto_block_track(unsigned int type, int instance)
{
	return PERFETTO_GPU_TRACK | (uint64_t)type << 40 | (uint64_t)instance << 24;
}

static uint64_t counter_track(const struct trace *trace, size_t column)
{
	const struct column *col = &trace->list->columns[column];
	unsigned int type = event_block_type(col->event, &trace->list->view->gpu);

	return perfetto_block_track(type, col->instance) + 1 + column;
}

/* A packet is field 1 of Trace: its tag, its size, its bytes. */
static int write_packet(struct trace *trace, TracePacket *packet)
{
	size_t size, i = 0;
	uint8_t head[12];
	uint64_t left;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = PERFETTO_SEQUENCE;
	packet->has_sequence_flags = !trace->begun;
	packet->sequence_flags = 1;
	trace->begun = true;
	size = perfetto__protos__trace_packet__get_packed_size(packet);
	if (size > trace->room) {
		uint8_t *buffer = realloc(trace->buffer, 2 * size);

		if (!buffer)
			return -ENOMEM;
		trace->buffer = buffer;
		trace->room = 2 * size;
	}
	perfetto__protos__trace_packet__pack(packet, trace->buffer);
	head[i++] = 1 << 3 | 2;
	for (left = size; left > 0x7f; left >>= 7)
		head[i++] = 0x80 | (left & 0x7f);
	head[i++] = left;
	if (fwrite(head, i, 1, trace->out) != 1 || fwrite(trace->buffer, size, 1, trace->out) != 1)
		return errno ? -errno : -EIO;
	return 0;
}

static void set_time(TracePacket *packet, uint64_t raw_ns)
{
	packet->has_timestamp = true;
	packet->timestamp = raw_ns;
	packet->has_timestamp_clock_id = true;
	packet->timestamp_clock_id = CLOCK_RAW;
}

static int write_clocks(struct trace *trace, const struct raw_clocks *clocks)
{
	Perfetto__Protos__ClockSnapshot snapshot = PERFETTO__PROTOS__CLOCK_SNAPSHOT__INIT;
	Perfetto__Protos__ClockSnapshot__Clock parts[] = {
		PERFETTO__PROTOS__CLOCK_SNAPSHOT__CLOCK__INIT,
		PERFETTO__PROTOS__CLOCK_SNAPSHOT__CLOCK__INIT,
	};
	struct Perfetto__Protos__ClockSnapshot__Clock *pointers[] = { &parts[0], &parts[1] };
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

	parts[0].has_clock_id = true;
	parts[0].clock_id = CLOCK_RAW;
	parts[0].has_timestamp = true;
	parts[0].timestamp = clocks->raw_ns;
	parts[1].has_clock_id = true;
	parts[1].clock_id = CLOCK_MONO;
	parts[1].has_timestamp = true;
	/* Read a little earlier, by up to the uncertainty: the middle is the best guess. */
	parts[1].timestamp = clocks->monotonic_ns + clocks->uncertainty_ns / 2;
	snapshot.n_clocks = 2;
	snapshot.clocks = pointers;
	snapshot.has_primary_trace_clock = true;
	snapshot.primary_trace_clock = CLOCK_RAW;
	set_time(&packet, clocks->raw_ns);
	packet.data_case = PERFETTO__PROTOS__TRACE_PACKET__DATA_CLOCK_SNAPSHOT;
	packet.clock_snapshot = &snapshot;
	return write_packet(trace, &packet);
}

/* All pairs of clocks, in the order of time: before the first sample, and about once a second. */
static int write_all_clocks(struct trace *trace)
{
	const struct recording *recording = trace->list->view->recording;
	struct raw_clocks clocks;
	struct raw_call call;
	uint64_t i;
	int ret = 0;

	for (i = 0; !ret && recording_call(recording, RAW_START, i, &call); i++)
		ret = write_clocks(trace, &call.before);
	for (i = 0; !ret && recording_clocks(recording, i, &clocks); i++)
		ret = write_clocks(trace, &clocks);
	for (i = 0; !ret && recording_call(recording, RAW_STOP, i, &call); i++)
		ret = write_clocks(trace, &call.after);
	return ret;
}

static int write_track(struct trace *trace, uint64_t uuid, uint64_t parent, const char *name,
		       const char *unit)
{
	Perfetto__Protos__CounterDescriptor counter = PERFETTO__PROTOS__COUNTER_DESCRIPTOR__INIT;
	Perfetto__Protos__TrackDescriptor track = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

	track.has_uuid = true;
	track.uuid = uuid;
	track.has_parent_uuid = !!parent;
	track.parent_uuid = parent;
	track.name = (char *)name;
	if (unit) {
		counter.unit_name = (char *)unit;
		track.counter = &counter;
	}
	packet.data_case = PERFETTO__PROTOS__TRACE_PACKET__DATA_TRACK_DESCRIPTOR;
	packet.track_descriptor = &track;
	return write_packet(trace, &packet);
}

/* The GPU, its blocks that have columns, and in these a track per counter. */
static int write_tracks(struct trace *trace)
{
	struct column_list *list = trace->list;
	const struct gpu_view *gpu = &list->view->gpu;
	bool has[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][256] = { 0 };
	char name[64], unit[64];
	size_t i;
	int ret;

	ret = write_track(trace, PERFETTO_GPU_TRACK, 0, gpu_name(gpu, name, sizeof(name)), NULL);
	if (!ret)
		ret = write_track(trace, PERFETTO_SAMPLE_TRACK, PERFETTO_GPU_TRACK,
				  "samples with flags or events", NULL);
	if (!ret && recording_mark_count(list->view->recording))
		ret = write_track(trace, PERFETTO_MARK_TRACK, PERFETTO_GPU_TRACK, "marks", NULL);
	for (i = 0; i < list->count && !ret; i++) {
		const struct column *column = &list->columns[i];
		unsigned int type = event_block_type(column->event, gpu);
		uint64_t parent;

		if (column->instance == VALUE_SUM)
			continue;
		parent = perfetto_block_track(type, column->instance);
		if (!has[type][column->instance & 255]) {
			has[type][column->instance & 255] = true;
			snprintf(name, sizeof(name), "%s %d", panthor_perf_block_name(type),
				 column->instance);
			ret = write_track(trace, parent, PERFETTO_GPU_TRACK, name, NULL);
		}
		if (!ret)
			ret = write_track(trace, counter_track(trace, i), parent,
					  column->event->name,
					  column_shown_unit(column, unit, sizeof(unit)));
	}
	return ret;
}

static const struct {
	const char *name;
	MeasureUnit numerator;
	MeasureUnit denominator;
} units[] = {
	{ "bytes", UNIT(BYTE), UNIT(NONE) },
	{ "bytes/s", UNIT(BYTE), UNIT(SECOND) },
	{ "cycles/s", UNIT(HERTZ), UNIT(NONE) },
	{ "hertz", UNIT(HERTZ), UNIT(NONE) },
	{ "instructions", UNIT(INSTRUCTION), UNIT(NONE) },
	{ "instructions/s", UNIT(INSTRUCTION), UNIT(SECOND) },
	{ "percent", UNIT(PERCENT), UNIT(NONE) },
	{ "pixels", UNIT(PIXEL), UNIT(NONE) },
	{ "pixels/s", UNIT(PIXEL), UNIT(SECOND) },
	{ "primitives", UNIT(PRIMITIVE), UNIT(NONE) },
	{ "primitives/s", UNIT(PRIMITIVE), UNIT(SECOND) },
	{ "seconds", UNIT(SECOND), UNIT(NONE) },
};

/* Perfetto has no units for most of what is counted. Per second is known in any case. */
static void find_units(const char *name, MeasureUnit *numerator, MeasureUnit *denominator)
{
	size_t length = strlen(name), i;

	*numerator = UNIT(NONE);
	*denominator = length > 2 && !strcmp(name + length - 2, "/s") ? UNIT(SECOND) : UNIT(NONE);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(units[i].name, name))
			continue;
		*numerator = units[i].numerator;
		*denominator = units[i].denominator;
	}
}

/**
 * struct description - the descriptor of all counters, with what it points to
 */
struct description {
	/** @descriptor: The descriptor. */
	CounterDescriptor descriptor;

	/** @specs: A counter per column. */
	CounterSpec *specs;

	/** @spec_pointers: All of them that are sums. */
	CounterSpec **spec_pointers;

	/** @groups: Their groups. */
	CounterGroup *groups;

	/** @titles: Their descriptions. */
	char (*titles)[TITLE_SIZE];

	/** @units: Their units, two for each. */
	MeasureUnit *units;

	/** @blocks: Blocks by type. */
	CounterBlock blocks[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];

	/** @block_pointers: Those that have counters. */
	struct CounterBlock *block_pointers[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];

	/** @ids: Counters of the blocks, room for all in each. */
	uint32_t *ids[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];
};

static void describe_column(struct description *desc, const struct column *column, size_t i,
			    const struct panthor_perf_table *table)
{
	const struct event *event = column->event;
	CounterBlock *block = &desc->blocks[event->type];
	CounterSpec *spec = &desc->specs[i];
	char text[64];
	const char *unit = column_shown_unit(column, text, sizeof(text));

	perfetto__protos__gpu_counter_descriptor__gpu_counter_spec__init(spec);
	spec->has_counter_id = true;
	spec->counter_id = i;
	spec->name = (char *)event->name;
	snprintf(desc->titles[i], TITLE_SIZE, "%s", event_title(event));
	if (column->amount)
		snprintf(desc->titles[i], TITLE_SIZE, "%s (%s)", event_title(event), unit);
	spec->description = desc->titles[i];
	desc->groups[i] = (CounterGroup)perfetto_group(event, table);
	spec->n_groups = 1;
	spec->groups = &desc->groups[i];
	find_units(unit, &desc->units[2 * i], &desc->units[2 * i + 1]);
	spec->n_numerator_units = desc->units[2 * i] != UNIT(NONE);
	spec->numerator_units = &desc->units[2 * i];
	spec->n_denominator_units = desc->units[2 * i + 1] != UNIT(NONE);
	spec->denominator_units = &desc->units[2 * i + 1];
	desc->spec_pointers[desc->descriptor.n_specs++] = spec;
	desc->ids[event->type][block->n_counter_ids++] = i;
}

static void describe_blocks(struct description *desc)
{
	unsigned int type;

	for (type = 0; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		CounterBlock *block = &desc->blocks[type];

		if (!block->n_counter_ids)
			continue;
		block->has_block_id = true;
		block->block_id = type;
		block->has_block_capacity = true;
		block->block_capacity = block->n_counter_ids;
		block->name = (char *)(type == DERIVED_BLOCK ? "derived" :
							       panthor_perf_block_name(type));
		block->description = (char *)(type == DERIVED_BLOCK ? "formulas over counters" :
								      block_title(type));
		block->counter_ids = desc->ids[type];
		desc->block_pointers[desc->descriptor.n_blocks++] = block;
	}
}

static int write_description(struct trace *trace, uint64_t raw_ns)
{
	struct column_list *list = trace->list;
	GpuCounterEvent event = PERFETTO__PROTOS__GPU_COUNTER_EVENT__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	struct description desc = { 0 };
	bool memory;
	unsigned int type;
	int ret = -ENOMEM;
	size_t i;

	perfetto__protos__gpu_counter_descriptor__init(&desc.descriptor);
	desc.specs = calloc(list->count, sizeof(*desc.specs));
	desc.spec_pointers = calloc(list->count, sizeof(*desc.spec_pointers));
	desc.groups = calloc(list->count, sizeof(*desc.groups));
	desc.titles = calloc(list->count, sizeof(*desc.titles));
	desc.units = calloc(2 * list->count, sizeof(*desc.units));
	memory = desc.specs && desc.spec_pointers && desc.groups && desc.titles &&
		 desc.units;
	for (type = 0; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		INIT_BLOCK(&desc.blocks[type]);
		desc.ids[type] = calloc(list->count, sizeof(*desc.ids[type]));
		memory = memory && desc.ids[type];
	}
	if (memory) {
		for (i = 0; i < list->count; i++)
			if (list->columns[i].instance == VALUE_SUM)
				describe_column(&desc, &list->columns[i], i,
						list->view->gpu.table);
		describe_blocks(&desc);
		desc.descriptor.specs = desc.spec_pointers;
		desc.descriptor.blocks = desc.block_pointers;
		desc.descriptor.has_min_sampling_period_ns = true;
		desc.descriptor.min_sampling_period_ns = list->view->gpu.info.min_period_ns;
		event.counter_descriptor = &desc.descriptor;
		event.has_gpu_id = true;
		set_time(&packet, raw_ns);
		packet.data_case = PERFETTO__PROTOS__TRACE_PACKET__DATA_GPU_COUNTER_EVENT;
		packet.gpu_counter_event = &event;
		ret = write_packet(trace, &packet);
	}
	for (type = 0; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		free(desc.ids[type]);
	free(desc.specs);
	free(desc.spec_pointers);
	free(desc.groups);
	free(desc.titles);
	free(desc.units);
	return ret;
}

/* A value on the track of an instance. */
static int write_instance(struct trace *trace, size_t column, uint64_t raw_ns,
			  double number)
{
	Perfetto__Protos__TrackEvent event = PERFETTO__PROTOS__TRACK_EVENT__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

	event.has_type = true;
	event.type = EVENT_TYPE(COUNTER);
	event.has_track_uuid = true;
	event.track_uuid = counter_track(trace, column);
	event.counter_value_field_case = COUNTER_DOUBLE;
	event.double_counter_value = number;
	set_time(&packet, raw_ns);
	packet.data_case = PERFETTO__PROTOS__TRACE_PACKET__DATA_TRACK_EVENT;
	packet.track_event = &event;
	return write_packet(trace, &packet);
}

/*
 * All values at a time: those of the current sample of the columns, or 0 after the last. The
 * counters ran in each sample: where a formula divides by 0, the point is 0, because a viewer would
 * extend the value before it. A column that never has a value has no points.
 */
static int write_values(struct trace *trace, uint64_t raw_ns, bool zero)
{
	struct column_list *list = trace->list;
	uint64_t time_ns = panthor_perf_values_time_ns(list->values.sums);
	GpuCounterEvent event = PERFETTO__PROTOS__GPU_COUNTER_EVENT__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	size_t i;
	int ret = 0;

	for (i = 0; i < list->count && !ret; i++) {
		const struct column *column = &list->columns[i];
		GpuCounter *counter = &trace->counters[i];
		struct value value = { 0 };

		if (!column->count)
			continue;
		if (!zero)
			value = values_get(&list->values, column->event, column->instance);
		value = column_shown(column, value, time_ns);
		if (column->instance != VALUE_SUM) {
			ret = write_instance(trace, i, raw_ns,
					     value.valid ? value.number : 0);
			continue;
		}
		perfetto__protos__gpu_counter_event__gpu_counter__init(counter);
		counter->has_counter_id = true;
		counter->counter_id = i;
		counter->value_case = DOUBLE_VALUE;
		counter->double_value = value.valid ? value.number : 0;
		trace->pointers[event.n_counters++] = counter;
	}
	if (ret)
		return ret;
	event.counters = trace->pointers;
	event.has_gpu_id = true;
	set_time(&packet, raw_ns);
	packet.data_case = PERFETTO__PROTOS__TRACE_PACKET__DATA_GPU_COUNTER_EVENT;
	packet.gpu_counter_event = &event;
	return write_packet(trace, &packet);
}

/* A slice: its begin with a name and a number, then its end. */
static int write_slice(struct trace *trace, uint64_t track, const char *name,
		       const char *number_name, uint64_t number, uint64_t start_ns, uint64_t end_ns)
{
	Perfetto__Protos__DebugAnnotation note = PERFETTO__PROTOS__DEBUG_ANNOTATION__INIT;
	Perfetto__Protos__TrackEvent event = PERFETTO__PROTOS__TRACK_EVENT__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;
	Perfetto__Protos__DebugAnnotation *notes[] = { &note };
	int ret;

	note.name = (char *)number_name;
	note.value_case = PERFETTO__PROTOS__DEBUG_ANNOTATION__VALUE_UINT_VALUE;
	note.uint_value = number;
	event.n_debug_annotations = 1;
	event.debug_annotations = notes;
	event.has_type = true;
	event.type = EVENT_TYPE(SLICE_BEGIN);
	event.has_track_uuid = true;
	event.track_uuid = track;
	event.name = (char *)name;
	packet.data_case = PERFETTO__PROTOS__TRACE_PACKET__DATA_TRACK_EVENT;
	packet.track_event = &event;
	set_time(&packet, start_ns);
	ret = write_packet(trace, &packet);
	if (ret)
		return ret;
	event.n_debug_annotations = 0;
	event.name = NULL;
	event.type = EVENT_TYPE(SLICE_END);
	set_time(&packet, end_ns);
	return write_packet(trace, &packet);
}

/* What a sample says about itself, and its mark. */
static int write_slices(struct trace *trace, const struct recording_sample *sample)
{
	const struct drm_panthor_perf_sample_header *header = &sample->header;
	char flags[160], events[240], name[480];
	struct recording_mark mark;
	int ret = 0;

	/* FINAL alone says nothing that the end of the trace does not. */
	if (header->flags & ~DRM_PANTHOR_PERF_SAMPLE_FINAL || header->events) {
		bits_text(header->flags, panthor_perf_flag_name, flags, sizeof(flags));
		bits_text(header->events, panthor_perf_event_name, events, sizeof(events));
		snprintf(name, sizeof(name), "%s%s%s", flags, *flags && *events ? ": " : "",
			 events);
		ret = write_slice(trace, PERFETTO_SAMPLE_TRACK, name, "merged", header->merged,
				  header->timestamp_start_ns, header->timestamp_end_ns);
	}
	while (!ret && recording_mark(trace->list->view->recording, trace->next_mark, &mark) &&
	       mark.sample <= sample->number) {
		trace->next_mark++;
		if (mark.sample < sample->number)
			continue;
		snprintf(name, sizeof(name), "%s", mark.name);
		if (!*name)
			snprintf(name, sizeof(name), "%" PRIu64, mark.id);
		ret = write_slice(trace, PERFETTO_MARK_TRACK, name, "id", mark.id,
				  header->timestamp_start_ns, header->timestamp_end_ns);
	}
	return ret;
}

static int write_sample(struct trace *trace, const struct recording_sample *sample)
{
	int ret;

	values_set(&trace->list->values, sample->sample);
	ret = write_values(trace, sample->header.timestamp_start_ns, false);
	return ret ? ret : write_slices(trace, sample);
}

/* A run ends where the next sample does not begin: what comes behind it is not known. */
static int write_samples(struct trace *trace, const struct range *range, bool *told)
{
	const struct recording_view *view = trace->list->view;
	struct progress progress = { .what = "exporting", .total = range->count };
	struct recording_sample sample = { 0 };
	uint64_t i, end_ns = 0;
	int ret = 0, status;

	for (i = 0; i < range->count && !ret; i++) {
		status = recording_view_sample(view, range->first + i, range->first, &sample);
		if (status) {
			*told = true;
			return -EINVAL;
		}
		if (i && sample.header.timestamp_start_ns > end_ns)
			ret = write_values(trace, end_ns, true);
		if (!i)
			ret = write_description(trace, sample.header.timestamp_start_ns);
		if (!ret)
			ret = write_sample(trace, &sample);
		end_ns = sample.header.timestamp_end_ns;
		progress_show(&progress, i);
	}
	progress_end(&progress);
	return ret ? ret : write_values(trace, end_ns, true);
}

int perfetto_export(struct column_list *list, const struct range *range, const char *path)
{
	struct trace trace = { .list = list };
	bool told = false;
	int ret = 0, status;

	status = output_open(path, &trace.out);
	if (status)
		return status;
	trace.counters = calloc(list->count, sizeof(*trace.counters));
	trace.pointers = calloc(list->count, sizeof(*trace.pointers));
	if (!trace.counters || !trace.pointers)
		ret = -ENOMEM;
	if (!ret)
		ret = write_all_clocks(&trace);
	if (!ret)
		ret = write_tracks(&trace);
	if (!ret)
		ret = write_samples(&trace, range, &told);
	if (fclose(trace.out) && !ret)
		ret = errno ? -errno : -EIO;
	free(trace.buffer);
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
	return fail(0, "%s is not written: this program was built without protobuf-c", path);
}

#endif /* HAVE_PROTOBUF_C */
