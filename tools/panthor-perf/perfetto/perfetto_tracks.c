// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#ifdef HAVE_PROTOBUF_C

#include <inttypes.h>
#include <string.h>

#include "perfetto.h"
#include "perfetto_tracks.h"

#define EVENT_TYPE(name)	PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_##name
#define COUNTER_VALUE(name)	PERFETTO__PROTOS__TRACK_EVENT__COUNTER_VALUE_FIELD_##name

uint64_t perfetto_block_track(unsigned int type, int instance)
{
	return PERFETTO_GPU_TRACK | (uint64_t)type << 40 | (uint64_t)instance << 24;
}

static uint64_t counter_track(const struct column_list *list, size_t column)
{
	const struct column *col = &list->columns[column];
	unsigned int type = event_block_type(col->event, &list->view->gpu);

	return perfetto_block_track(type, col->instance) + 1 + column;
}

static int write_track(struct trace_out *out, uint64_t uuid, uint64_t parent, const char *name,
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
	packet.data_case = PACKET(TRACK_DESCRIPTOR);
	packet.track_descriptor = &track;
	return trace_packet(out, &packet);
}

/* The GPU, its blocks that have columns, and in these a track per counter. */
int trace_tracks(struct trace_out *out, const struct column_list *list)
{
	const struct gpu_view *gpu = &list->view->gpu;
	bool has[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][256] = { 0 };
	char name[64];
	size_t i;
	int ret;

	ret = write_track(out, PERFETTO_GPU_TRACK, 0, gpu_name(gpu, name, sizeof(name)), NULL);
	if (!ret)
		ret = write_track(out, PERFETTO_SAMPLE_TRACK, PERFETTO_GPU_TRACK,
				  "samples with flags or events, gaps", NULL);
	if (!ret && recording_mark_count(list->view->recording))
		ret = write_track(out, PERFETTO_MARK_TRACK, PERFETTO_GPU_TRACK, "marks", NULL);
	for (i = 0; i < list->count && !ret; i++) {
		const struct column *column = &list->columns[i];
		unsigned int type = event_block_type(column->event, gpu);
		uint64_t parent;

		if (column->instance == VALUE_SUM || !column->count)
			continue;
		parent = perfetto_block_track(type, column->instance);
		if (!has[type][column->instance & 255]) {
			has[type][column->instance & 255] = true;
			snprintf(name, sizeof(name), "%s %d", panthor_perf_block_name(type),
				 column->instance);
			ret = write_track(out, parent, PERFETTO_GPU_TRACK, name, NULL);
		}
		if (!ret)
			ret = write_track(out, counter_track(list, i), parent,
					  column->event->name,
					  event_unit(column->event));
	}
	return ret;
}

int trace_instance(struct trace_out *out, const struct column_list *list, size_t column,
		   uint64_t raw_ns, struct value value)
{
	Perfetto__Protos__TrackEvent event = PERFETTO__PROTOS__TRACK_EVENT__INIT;
	TracePacket packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

	event.has_type = true;
	event.type = EVENT_TYPE(COUNTER);
	event.has_track_uuid = true;
	event.track_uuid = counter_track(list, column);
	if (value.exact) {
		event.counter_value_field_case = COUNTER_VALUE(COUNTER_VALUE);
		event.counter_value = value.count;
	} else {
		event.counter_value_field_case = COUNTER_VALUE(DOUBLE_COUNTER_VALUE);
		event.double_counter_value = value.number;
	}
	trace_time(&packet, raw_ns);
	packet.data_case = PACKET(TRACK_EVENT);
	packet.track_event = &event;
	return trace_packet(out, &packet);
}

/* A slice: its begin with a name and a number, then its end. */
static int write_slice(struct trace_out *out, uint64_t track, const char *name,
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
	packet.data_case = PACKET(TRACK_EVENT);
	packet.track_event = &event;
	trace_time(&packet, start_ns);
	ret = trace_packet(out, &packet);
	if (ret)
		return ret;
	event.n_debug_annotations = 0;
	event.name = NULL;
	event.type = EVENT_TYPE(SLICE_END);
	trace_time(&packet, end_ns);
	return trace_packet(out, &packet);
}

/* What a sample says about itself, and its mark. */
int trace_slices(struct trace_out *out, const struct recording *recording, uint64_t *next_mark,
		 const struct recording_sample *sample, uint64_t start_ns)
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
		ret = write_slice(out, PERFETTO_SAMPLE_TRACK, name, "merged", header->merged,
				  start_ns, header->timestamp_end_ns);
	}
	while (!ret && recording_mark(recording, *next_mark, &mark) &&
	       mark.sample <= sample->number) {
		(*next_mark)++;
		if (mark.sample < sample->number)
			continue;
		snprintf(name, sizeof(name), "%s", mark.name);
		if (!*name)
			snprintf(name, sizeof(name), "%" PRIu64, mark.id);
		ret = write_slice(out, PERFETTO_MARK_TRACK, name, "id", mark.id, start_ns,
				  header->timestamp_end_ns);
	}
	return ret;
}

int trace_gap(struct trace_out *out, uint64_t start_ns, uint64_t end_ns)
{
	return write_slice(out, PERFETTO_SAMPLE_TRACK, "not counted", "ns", end_ns - start_ns,
			   start_ns, end_ns);
}

#endif /* HAVE_PROTOBUF_C */
