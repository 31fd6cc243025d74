// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/child.h"
#include "print/output.h"
#include "recording_view.h"

#define PROGRESS_NS	500000000ull

/* The table of the recording, if the user has no other, and the library's if it is wrong. */
static int find_table(struct recording_view *view, const char *counters)
{
	struct panthor_perf_table *table = NULL;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char message[600];
	const char *text;
	size_t size;
	int ret, status;

	text = recording_table(view->recording, &size);
	if (text && !counters) {
		ret = panthor_perf_table_create_from_text(text, size, view->path, &table,
							  &error);
		if (!ret) {
			status = add_formulas(&table);
			view->gpu.table = table;
			return status;
		}
		if (ret == -ENOMEM)
			return fail(ret, "reading the counter table in %s", view->path);
		fail(0, "the counter table in the recording is not used: %s",
		     panthor_perf_error_format(&error, message, sizeof(message)));
	}
	status = load_table(counters, view->gpu.gpu_id, &table);
	view->gpu.table = table;
	return status;
}

static int find_counters(struct recording_view *view)
{
	int ret = panthor_perf_selection_create(view->gpu.object, view->gpu.table, view->gpu.set,
						&view->counted, NULL);

	if (!ret)
		ret = recording_add_counters(view->recording, view->counted);
	return ret ? fail(ret, "%s", view->path) : EXIT_OK;
}

static void tell_cut(const struct recording_view *view)
{
	uint64_t cut = recording_cut(view->recording);

	if (recording_end(view->recording))
		return;
	if (cut)
		fail(0, "%s: the recording was not finished: %" PRIu64 " samples, and %" PRIu64
		     " bytes of a record that is not whole", view->path,
		     recording_sample_count(view->recording), cut);
	else if (recording_metadata(view->recording, &(size_t){ 0 }))
		fail(0, "%s: the recording was not finished: %" PRIu64 " samples", view->path,
		     recording_sample_count(view->recording));
}

int recording_view_open(struct recording_view *view, const char *path, const char *counters)
{
	struct recording_sample sample;
	char error[256];
	int status;

	*view = (struct recording_view) { .path = path ? path : DEFAULT_RECORDING };
	if (recording_open(view->path, &view->recording, error, sizeof(error)))
		return fail(0, "%s: %s", view->path, error);
	output_protect(view->path);
	view->gpu.info = *recording_info(view->recording);
	view->gpu.set = recording_header(view->recording)->counter_set;
	view->gpu.object = recording_object(view->recording);
	recording_gpu(view->recording, &view->gpu.gpu);
	view->gpu.gpu_id = recording_gpu_id(view->recording);
	tell_cut(view);
	status = find_table(view, counters);
	if (!status)
		status = find_counters(view);
	if (!status && recording_sample_count(view->recording)) {
		status = recording_view_sample(view, 0, 0, &sample);
		view->zero_ns = sample.header.timestamp_start_ns;
	}
	if (status)
		recording_view_close(view);
	return status;
}

void recording_view_close(struct recording_view *view)
{
	panthor_perf_selection_destroy(view->counted);
	view->counted = NULL;
	close_view(&view->gpu);
	recording_close(view->recording);
	view->recording = NULL;
}

int recording_view_sample(const struct recording_view *view, uint64_t number, uint64_t first,
			  struct recording_sample *sample)
{
	int ret;

	ret = number == first ? recording_sample(view->recording, number, sample) :
				recording_next(view->recording, sample);
	if (ret == 1)
		return EXIT_OK;
	if (number == first)
		return fail(0, "%s: it is damaged at sample %" PRIu64, view->path, number);
	return fail(0, "%s: it is damaged at sample %" PRIu64 "; --to '#%" PRIu64
		    "' reads the samples before it", view->path, number, number - 1);
}

/* A time since the start of the recording; false if it is none. */
static bool parse_time(const char *text, uint64_t *time_ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 },
	};
	double value;
	char *end;
	size_t i;

	if (*text != '.' && (*text < '0' || *text > '9'))
		return false;
	value = strtod(text, &end);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].name))
			continue;
		*time_ns = value * units[i].ns < 1e18 ? llround(value * units[i].ns) : INT64_MAX;
		return isfinite(value);
	}
	return false;
}

/* Number of the sample that ends at a mark. */
static int find_mark(const struct recording_view *view, const char *name, uint64_t *number)
{
	uint64_t count = recording_mark_count(view->recording), i, id;
	struct recording_mark mark;
	bool is_number;
	char *end;

	errno = 0;
	id = strtoull(name, &end, 0);
	is_number = *name >= '0' && *name <= '9' && !*end && !errno;
	for (i = 0; i < count; i++) {
		if (!recording_mark(view->recording, i, &mark) ||
		    !((is_number && mark.id == id) || (*mark.name && !strcmp(mark.name, name))))
			continue;
		*number = mark.sample;
		return EXIT_OK;
	}
	fail(0, "%s has no mark '%s'", view->path, name);
	return EXIT_USAGE;
}

/* Number of the first sample behind a point. */
static int find_point(const struct recording_view *view, const char *text, bool to,
		      uint64_t *number)
{
	uint64_t time_ns, value;
	char *end;
	int status;

	if (*text == '@') {
		status = find_mark(view, text + 1, number);
		if (!status)
			++*number;
		return status;
	}
	errno = 0;
	if (*text == '#' && text[1] >= '0' && text[1] <= '9') {
		value = strtoull(text + 1, &end, 10);
		if (!*end && !errno) {
			*number = to && value < UINT64_MAX ? value + 1 : value;
			return EXIT_OK;
		}
	} else if (parse_time(text, &time_ns)) {
		if (!recording_find(view->recording, view->zero_ns + time_ns, number))
			return EXIT_OK;
		return fail(0, "%s: its index is damaged", view->path);
	}
	fail(0, "'%s' is no point of a recording: a time such as 1.5s or 20ms, #SAMPLE or @MARK",
	     text);
	return EXIT_USAGE;
}

/* Prints why a range that begins behind the last sample has none. */
static int fail_behind_end(const struct recording_view *view, uint64_t last)
{
	struct recording_sample sample;
	int status = recording_view_sample(view, last, last, &sample);

	if (status)
		return status;
	fail(0, "%s: there is no sample in this range: the recording ends at %.3f s, with sample "
	     "#%" PRIu64, view->path,
	     (double)(int64_t)(sample.header.timestamp_end_ns - view->zero_ns) / 1e9, last);
	return EXIT_USAGE;
}

int recording_view_range(const struct recording_view *view, const struct range_options *options,
			 struct range *range)
{
	uint64_t count = recording_sample_count(view->recording);
	uint64_t first = 0, end = count;
	int status = EXIT_OK;

	if (options->from)
		status = find_point(view, options->from, false, &first);
	if (!status && options->to)
		status = find_point(view, options->to, true, &end);
	if (status)
		return status;
	if (end > count)
		end = count;
	range->first = first;
	range->count = end > first ? end - first : 0;
	if (!count)
		return fail(0, "%s: there are no samples", view->path);
	if (first >= count)
		return fail_behind_end(view, count - 1);
	if (!range->count) {
		fail(0, "%s: there is no sample in this range: its end is not behind its begin",
		     view->path);
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

bool recording_view_has(const struct recording_view *view, const struct event *event)
{
	const uint32_t *inputs;
	uint32_t count, i;

	if (!event_is_derived(event))
		return panthor_perf_selection_has(view->counted, event->type, event->index);
	inputs = panthor_perf_expr_inputs(event->counter->expr, &count);
	for (i = 0; i < count; i++) {
		const struct panthor_perf_counter *input = table_hardware(view->gpu.table,
									  inputs[i]);

		if (!panthor_perf_selection_has(view->counted, input->type, input->index))
			return false;
	}
	return true;
}

/* Drops counters that were not recorded; for a counter selected by name this is an error. */
static int drop_missing(const struct recording_view *view, struct event_list *list)
{
	size_t i, kept = 0;

	for (i = 0; i < list->count; i++) {
		if (recording_view_has(view, &list->events[i])) {
			list->events[kept++] = list->events[i];
		} else if (list->events[i].named) {
			fail(0, "%s: %s was not recorded%s", view->path, list->events[i].name,
			     event_is_derived(&list->events[i]) ? ", or not all that it needs" :
								  "");
			return EXIT_USAGE;
		}
	}
	list->count = kept;
	return EXIT_OK;
}

int recording_view_select(const struct recording_view *view, const char *const *texts,
			  unsigned int count, bool summary, struct event_list *list)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char message[600];
	unsigned int i;
	int ret, status = EXIT_OK;

	ret = events_init(list, &view->gpu);
	if (!ret && !count && summary) {
		ret = events_add_summary(list);
		drop_missing(view, list);
		summary = list->count;
	}
	if (!ret && !count && !summary)
		ret = events_add_derived(list);
	if (!ret && !count && !summary)
		ret = events_add_counters(list);
	for (i = 0; i < count && !ret; i++) {
		ret = events_add(list, texts[i], &error);
		if (ret == -EINVAL) {
			fail(0, "%s", panthor_perf_error_format(&error, message, sizeof(message)));
			status = EXIT_USAGE;
		}
	}
	if (ret && !status)
		status = fail(ret, "selecting counters");
	if (!status)
		status = drop_missing(view, list);
	if (!status && !list->count)
		status = fail(0, "%s: nothing of this was recorded", view->path);
	if (status)
		events_fini(list);
	return status;
}

int total_init(struct total *total, const struct recording_view *view)
{
	*total = (struct total) { 0 };
	return values_init(&total->values, &view->gpu, view->counted);
}

void total_clear(struct total *total)
{
	struct values values = total->values;

	*total = (struct total) { .values = values };
	values_clear(&total->values);
}

void total_add(struct total *total, const struct panthor_perf_sample *sample)
{
	const struct drm_panthor_perf_sample_header *header = &total->values.header;

	values_add(&total->values, sample);
	raw_end_add(&total->quality, header);
	if (total->quality.samples > 1 && header->sample_nr > total->next_nr)
		total->quality.lost += header->sample_nr - total->next_nr;
	total->next_nr = header->sample_nr + 1;
	total->time_ns = panthor_perf_values_time_ns(total->values.sums);
}

void total_fini(struct total *total)
{
	values_fini(&total->values);
}

void progress_show(struct progress *progress, uint64_t done)
{
	uint64_t now;

	/* Reading the time is too expensive for each step. */
	if (done % 64)
		return;
	now = now_ns();
	if (!progress->next_ns)
		progress->next_ns = now + PROGRESS_NS;
	if (now < progress->next_ns || !isatty(STDERR_FILENO))
		return;
	progress_line("%s: %" PRIu64 " of %" PRIu64 " samples", progress->what, done,
		      progress->total);
	progress->next_ns = now + PROGRESS_NS;
}

const char *bits_text(uint32_t bits, const char *(*name)(unsigned int bit), char *text, size_t size)
{
	size_t used = 0;
	unsigned int bit;

	*text = 0;
	for (bit = 0; bit < 32; bit++) {
		if (!(bits >> bit & 1) || used >= size)
			continue;
		if (name(bit))
			used += snprintf(text + used, size - used, "%s%s", used ? " " : "",
					 name(bit));
		else
			used += snprintf(text + used, size - used, "%sbit-%u", used ? " " : "",
					 bit);
	}
	return text;
}

const char *quality_text(const struct raw_end *end, bool periods, char *text, size_t size)
{
	char merged[80] = "", lost[40] = "none lost", events[256] = "";

	if (periods)
		snprintf(merged, sizeof(merged), ", %" PRIu64 " period%s merged, %" PRIu64 " late",
			 end->merged, end->merged == 1 ? "" : "s", end->late);
	if (end->lost)
		snprintf(lost, sizeof(lost), "%" PRIu64 " LOST", end->lost);
	bits_text(end->events, panthor_perf_event_name, events, sizeof(events));
	snprintf(text, size, "%" PRIu64 " sample%s, %" PRIu64 " with ERROR, %" PRIu64
		 " with OVERFLOW%s, %s%s%s", end->samples, end->samples == 1 ? "" : "s",
		 end->errors, end->overflows, merged, lost, *events ? "; events " : "", events);
	return text;
}

void format_bytes(char *text, size_t size, uint64_t bytes)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB" };
	double value = bytes / 1000.0;
	unsigned int unit = 0;

	if (bytes < 1000) {
		snprintf(text, size, "%" PRIu64 " bytes", bytes);
		return;
	}
	for (; value >= 1000 && unit < 3; unit++)
		value /= 1000;
	snprintf(text, size, "%.1f %s", value, units[unit]);
}
