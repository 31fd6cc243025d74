// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "print/output.h"
#include "print/text.h"
#include "recording/recording_meta.h"
#include "report_json.h"

/* The page of tools/html/compose.py; empty if the program was built without uPlot. */
#define BUILTIN_PAGE \
	asm(".pushsection .rodata\n" \
	    ".type html_page_text, %object\n" \
	    "html_page_text:\n" \
	    ".incbin \"page.html\"\n" \
	    ".size html_page_text, . - html_page_text\n" \
	    ".byte 0\n" \
	    ".popsection\n")

BUILTIN_PAGE;

#define PLACE	"@DATA@"

/* Counters that a page shows at first, by their ids; others can be selected in it. */
static const char *const first_shown[] = {
	"gpu_busy", "gpu_clock", "frag_queue_util", "geom_queue_util", "comp_queue_util",
	"tiler_util", "core_util", "ext_rd_bw", "ext_wr_bw",
};

/* Relative change of a clock that is none. */
#define STEADY	0.02

/**
 * enum sample_field - what a page has of each sample
 */
enum sample_field {
	/** @FIELD_GAP: ns from the end of the sample before */
	FIELD_GAP,

	/** @FIELD_LENGTH: ns that it spans */
	FIELD_LENGTH,

	/** @FIELD_FLAGS: its flags */
	FIELD_FLAGS,

	/** @FIELD_EVENTS: its events */
	FIELD_EVENTS,

	/** @FIELD_MERGED: periods that are merged into it */
	FIELD_MERGED,

	/** @FIELDS: Number of these. */
	FIELDS,
};

/* Their names in the page. */
static const char *const field_names[FIELDS] = { "gap", "length", "flags", "events", "merged" };

/**
 * struct html_page - a page that is being written
 */
struct html_page {
	/** @list: The columns. */
	struct column_list *list;

	/** @out: The file. */
	FILE *out;

	/** @arrays: By column: its values. */
	struct html_array *arrays;

	/** @fields: By sample: its fields. */
	uint64_t (*fields)[FIELDS];
};

/* JSON between tags: the characters that HTML knows stand in strings alone. */
static void write_json(FILE *out, struct json_object *object)
{
	const char *text;

	text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
						      JSON_C_TO_STRING_NOSLASHESCAPE);
	for (; text && *text; text++) {
		if (strchr("<>&", *text))
			fprintf(out, "\\u%04x", *text);
		else
			putc(*text, out);
	}
	json_object_put(object);
}

static void add_text(struct json_object *object, const char *key, const char *value)
{
	json_object_object_add(object, key, text_json(value));
}

static void add_bool(struct json_object *object, const char *key, bool value)
{
	json_object_object_add(object, key, json_object_new_boolean(value));
}

static struct json_object *bit_names(const char *(*name)(unsigned int bit))
{
	struct json_object *array = json_object_new_array();
	unsigned int bit;

	for (bit = 0; name(bit); bit++)
		json_object_array_add(array, text_json(name(bit)));
	return array;
}

/* Of the metadata, strings alone: the rest may be anything. */
static struct json_object *recording_object_of(const struct column_list *list)
{
	static const char *const keys[] = { "date", "command", "tool", "kernel" };
	const struct recording *recording = list->view->recording;
	struct json_object *object = json_recording(list);
	const char *slash = strrchr(list->view->path, '/');
	char text[512];
	size_t i;

	json_object_object_del(object, "metadata");
	add_text(object, "file", slash ? slash + 1 : list->view->path);
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (recording_meta(recording, keys[i], text, sizeof(text)))
			add_text(object, keys[i], text);
	return object;
}

/* The board's clock is worth a chart if it changes. */
static bool is_steady_clock(const struct column *column)
{
	return !strcmp(event_unit(column->event), "hertz") &&
	       column->max.number - column->min.number < STEADY * column->max.number;
}

static bool is_shown_first(const struct column_list *list, const struct column *column)
{
	size_t i;

	if (column->event->named || limits_tell(&list->limits, column->event->counter))
		return true;
	if (is_steady_clock(column))
		return false;
	for (i = 0; i < ARRAY_SIZE(first_shown) && event_is_derived(column->event); i++)
		if (!strcmp(first_shown[i], column->event->name))
			return true;
	return false;
}

/* Values that are all the same need no array. */
static unsigned int type_of(const struct column_list *list, const struct column *column)
{
	bool all = column->count == list->range.count;

	if (!column->count || (all && column->min.number == column->max.number))
		return HTML_CONSTANT;
	if (event_is_derived(column->event))
		return HTML_F32;
	return all ? html_type_for(column->max.count) : HTML_F64;
}

static int alloc_page(struct html_page *page)
{
	struct column_list *list = page->list;
	uint64_t bytes = 0;
	char size[32];
	int ret = 0;
	size_t i;

	for (i = 0; i < list->count; i++)
		bytes += html_array_bytes(type_of(list, &list->columns[i]), list->range.count);
	if (bytes > HTML_MAX_BYTES) {
		format_bytes(size, sizeof(size), bytes);
		return fail(0, "the page would have %s, which browsers do not open: select "
			    "counters with -e, or a part with --from and --to", size);
	}
	page->arrays = calloc(list->count, sizeof(*page->arrays));
	page->fields = calloc(list->range.count, sizeof(*page->fields));
	if (!page->arrays || !page->fields)
		ret = -ENOMEM;
	for (i = 0; i < list->count && !ret; i++)
		ret = html_array_init(&page->arrays[i], type_of(list, &list->columns[i]),
				      list->range.count);
	return ret ? fail(ret, "%s", list->view->path) : EXIT_OK;
}

static void free_page(struct html_page *page)
{
	size_t i;

	for (i = 0; i < page->list->count && page->arrays; i++)
		html_array_fini(&page->arrays[i]);
	free(page->arrays);
	free(page->fields);
}

static void add_sample(struct html_page *page, const struct recording_sample *sample, uint64_t i,
		       uint64_t *end_ns)
{
	const struct drm_panthor_perf_sample_header *header = &sample->header;
	struct column_list *list = page->list;
	uint64_t *fields = page->fields[i];
	size_t j;

	if (i && header->timestamp_start_ns > *end_ns)
		fields[FIELD_GAP] = header->timestamp_start_ns - *end_ns;
	*end_ns = header->timestamp_end_ns;
	if (*end_ns > header->timestamp_start_ns)
		fields[FIELD_LENGTH] = *end_ns - header->timestamp_start_ns;
	fields[FIELD_FLAGS] = header->flags;
	fields[FIELD_EVENTS] = header->events;
	fields[FIELD_MERGED] = header->merged;
	values_set(&list->values, sample->sample);
	for (j = 0; j < list->count; j++) {
		struct value value = values_get(&list->values, list->columns[j].event,
						list->columns[j].instance);

		html_array_add(&page->arrays[j], value.valid ? value.number : NAN);
	}
}

static int collect_values(struct html_page *page)
{
	const struct range *range = &page->list->range;
	struct progress progress = { .what = "exporting", .total = range->count };
	struct recording_sample sample;
	uint64_t end_ns = 0, i;
	int status;

	for (i = 0; i < range->count; i++) {
		status = recording_view_sample(page->list->view, range->first + i, range->first,
					       &sample);
		if (status)
			return status;
		add_sample(page, &sample, i, &end_ns);
		progress_show(&progress, i);
	}
	progress_remove();
	return EXIT_OK;
}

static int write_field(struct html_page *page, unsigned int field)
{
	uint64_t count = page->list->range.count, min = UINT64_MAX, max = 0, i;
	struct html_array array;
	char constant[24];
	int ret;

	for (i = 0; i < count; i++) {
		if (page->fields[i][field] < min)
			min = page->fields[i][field];
		if (page->fields[i][field] > max)
			max = page->fields[i][field];
	}
	ret = html_array_init(&array, min == max ? HTML_CONSTANT : html_type_for(max), count);
	if (ret)
		return ret;
	for (i = 0; i < count; i++)
		html_array_add(&array, page->fields[i][field]);
	snprintf(constant, sizeof(constant), "%" PRIu64, min);
	fprintf(page->out, ",\"%s\":", field_names[field]);
	html_array_write(&array, constant, page->out);
	html_array_fini(&array);
	return 0;
}

static int write_page_samples(struct html_page *page)
{
	unsigned int field;
	int ret = 0;

	fprintf(page->out, ",\n\"samples\":{\"count\":%" PRIu64, page->list->range.count);
	for (field = 0; field < FIELDS && !ret; field++)
		ret = write_field(page, field);
	putc('}', page->out);
	return ret;
}

static void write_marks(struct html_page *page)
{
	const struct range *range = &page->list->range;
	struct recording_mark mark;
	const char *separator = "";
	uint64_t i;

	fputs(",\n\"marks\":[", page->out);
	for (i = 0; recording_mark(page->list->view->recording, i, &mark); i++) {
		struct json_object *object;
		char id[24];

		if (mark.sample < range->first || mark.sample >= range->first + range->count)
			continue;
		object = json_object_new_object();
		json_object_object_add(object, "sample",
				       json_object_new_uint64(mark.sample - range->first));
		/* Numbers of JavaScript have 53 bits. */
		snprintf(id, sizeof(id), "%" PRIu64, mark.id);
		add_text(object, "id", id);
		add_text(object, "name", mark.name);
		fputs(separator, page->out);
		write_json(page->out, object);
		separator = ",\n";
	}
	putc(']', page->out);
}

static void write_array(struct html_page *page, size_t i)
{
	const struct column *column = &page->list->columns[i];
	struct value value = column->min;
	char text[40];

	if (!column->count)
		snprintf(text, sizeof(text), "null");
	else
		value_plain(&value, text, sizeof(text));
	html_array_write(&page->arrays[i], text, page->out);
}

static void write_counter(struct html_page *page, size_t *i)
{
	const struct column_list *list = page->list;
	const struct column *column = &list->columns[*i];
	const struct event *event = column->event;
	struct json_object *object = json_object_new_object();
	bool derived = event_is_derived(event);
	const char *group, *separator = "";

	group = derived && event->counter->group ? event->counter->group :
		derived ? "Derived" : block_title(event->type);
	add_text(object, "name", event->name);
	add_text(object, "title", event_title(event));
	add_text(object, "unit", event_unit(event));
	add_text(object, "group", group);
	add_bool(object, "derived", derived);
	add_bool(object, "amount", column->amount);
	add_bool(object, "shown", is_shown_first(list, column));
	if (event_block_type(event, &list->view->gpu))
		add_text(object, "block", column_block(list, column));
	if (!derived)
		json_object_object_add(object, "index", json_object_new_int(event->index));
	/* The arrays are written one by one behind the rest, without a copy of them. */
	fputs("{\"about\":", page->out);
	write_json(page->out, object);
	fputs(",\"values\":", page->out);
	write_array(page, *i);
	fputs(",\"instances\":[", page->out);
	for (++*i; *i < list->count && list->columns[*i].instance != VALUE_SUM; ++*i) {
		fputs(separator, page->out);
		write_array(page, *i);
		separator = ",";
	}
	fputs("]}", page->out);
}

static int write_data(struct html_page *page)
{
	const struct column_list *list = page->list;
	const char *separator = "\n";
	char verdict[VERDICT_SIZE];
	int ret;
	size_t i;

	fputs("{\"recording\":", page->out);
	write_json(page->out, recording_object_of(list));
	fputs(",\n\"quality\":", page->out);
	write_json(page->out, json_quality(&list->total.quality));
	fputs(",\n\"verdict\":", page->out);
	write_json(page->out, text_json(limits_verdict(&list->limits, verdict, sizeof(verdict))));
	fputs(",\n\"limits\":", page->out);
	write_json(page->out, limits_sentences(&list->limits));
	fputs(",\n\"flags\":", page->out);
	write_json(page->out, bit_names(panthor_perf_flag_name));
	fputs(",\"events\":", page->out);
	write_json(page->out, bit_names(panthor_perf_event_name));
	fprintf(page->out, ",\n\"begin_ns\":%" PRIu64,
		list->total.quality.start_ns - list->view->zero_ns);
	ret = write_page_samples(page);
	if (ret)
		return ret;
	write_marks(page);
	fputs(",\n\"counters\":[", page->out);
	for (i = 0; i < list->count; separator = ",\n") {
		fputs(separator, page->out);
		write_counter(page, &i);
	}
	fputs("]}", page->out);
	return 0;
}

static int write_page(struct html_page *page, const char *path)
{
	const char *place = strstr(html_page_text, PLACE);
	struct output output;
	int ret, status;

	status = output_create(&output, path);
	if (status)
		return status;
	page->out = output.out;
	fwrite(html_page_text, 1, place - html_page_text, page->out);
	ret = write_data(page);
	fputs(place + strlen(PLACE), page->out);
	ret = output_commit(&output, ret);
	return ret ? fail(ret, "writing %s", path) : EXIT_OK;
}

int html_export(struct column_list *list, const char *path)
{
	struct html_page page = { .list = list };
	int status;

	/* The same reasons, with and without uPlot. */
	status = output_check(path);
	if (status)
		return status;
	if (!strstr(html_page_text, PLACE))
		return fail(0, "%s is not written: this program was built without uPlot", path);
	status = alloc_page(&page);
	if (!status)
		status = collect_values(&page);
	if (!status)
		status = write_page(&page, path);
	free_page(&page);
	return status;
}
