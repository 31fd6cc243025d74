// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Rows are written when their sample is there. Those with the same label add up for the summary,
 * where a derived counter is that of all samples together.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <panthor_perf_values.h>

#include "frames.h"
#include "instances.h"
#include "layer.h"
#include "report.h"
#include "settings.h"
#include "trace.h"
#include "types.h"

/* Counters of a line of the summary. All of them are in the file. */
#define SUMMARY_COUNTERS	5
#define LABEL_WIDTH		32

/**
 * struct label - the units with the same label
 */
struct label {
	/** @next: The label that came next. */
	struct label *next;

	/** @values: What was counted. */
	struct panthor_perf_values *values;

	/** @text: The label. */
	char text[];
};

/**
 * struct open_frame - a frame of a device that is profiled, and has not ended
 */
struct open_frame {
	/** @next: That of another device. */
	struct open_frame *next;

	/** @device: Number of the device. */
	unsigned int device;

	/** @values: What was counted so far. */
	struct panthor_perf_values *values;

	/** @start_ns: Its begin. */
	uint64_t start_ns;

	/** @overlaps: It has started before the sample at its begin. */
	bool overlaps;
};

/**
 * struct report - rows and summary
 */
struct report {
	/** @selection: The counters. */
	const struct panthor_perf_selection *selection;

	/** @gpu: Name of the GPU. */
	char *gpu;

	/** @path: Name of the file for the rows. May be %NULL. */
	char *path;

	/** @file: Where rows are written. May be %NULL. */
	FILE *file;

	/** @begun: The file has its head. Before, it has the rows of an earlier process. */
	bool begun;

	/** @whole: Size of the file with the last row that was written. */
	off_t whole;

	/** @trace: The rows are a trace. May be %NULL. */
	struct trace *trace;

	/** @values: For one row. */
	struct panthor_perf_values *values;

	/** @labels: In the order in which they came. */
	struct label *labels;

	/** @last: Where the next one is linked. */
	struct label **last;

	/** @open: Frames that have not ended. */
	struct open_frame *open;

	/** @units: Number of rows. */
	uint64_t units;

	/** @inexact: Those whose quality is not "exact". */
	uint64_t inexact;

	/** @unit_ns: Their time. */
	uint64_t unit_ns;

	/** @between_ns: Time between them. */
	uint64_t between_ns;
};

static void print_text(FILE *file, const char *text, bool json)
{
	putc('"', file);
	for (const unsigned char *at = (const void *)text; *at; at++) {
		if (json && *at < ' ')
			fprintf(file, "\\u%04x", *at);
		else if (json && (*at == '"' || *at == '\\'))
			fprintf(file, "\\%c", *at);
		else if (*at == '"')
			fputs("\"\"", file);
		else
			putc(*at, file);
	}
	putc('"', file);
}

static void print_value(FILE *file, const struct panthor_perf_values *values,
			const struct panthor_perf_item *item, int block, const char *none)
{
	const struct number number = instances_value(values, item, block);

	if (!number.there)
		fputs(none, file);
	else if (number.is_count)
		fprintf(file, "%" PRIu64, number.count);
	else
		fprintf(file, "%.10g", number.value);
}

/* As Arm's scripts print numbers. */
static void print_arm_value(FILE *file, const struct panthor_perf_values *values,
			    const struct panthor_perf_item *item)
{
	const struct number number = instances_value(values, item, PANTHOR_PERF_ALL_BLOCKS);

	if (number.there)
		fprintf(file, "%.2f", number.is_count ? (double)number.count : number.value);
}

/* Labels within each other are separated by "|". */
static void print_arm_label(FILE *file, const char *label)
{
	char *text = strdup(label);

	for (char *at = text; at && (at = strchr(at, '/')); at++)
		*at = '|';
	print_text(file, text ? text : label, false);
	free(text);
}

static const char *quality_of(const struct row *row, const struct panthor_perf_values *values)
{
	static const char *const names[] = {
		[FRAME_WHOLE] = "exact",
		[FRAME_OVERLAPPED] = "overlapped",
		[FRAME_SHIFTED] = "shifted",
		[FRAME_UNFINISHED] = "unfinished",
	};
	const uint32_t flags = panthor_perf_values_flags(values);

	if (flags & DRM_PANTHOR_PERF_SAMPLE_ERROR)
		return "error";
	return flags & DRM_PANTHOR_PERF_SAMPLE_OVERFLOW ? "overflow" : names[row->frame_state];
}

/* ---- The file ---- */

/* Without @why, it is at its end. Rows that are written in part are removed. */
static void close_file(struct report *report, const char *why)
{
	FILE *file = report->file;

	report->file = NULL;
	trace_destroy(report->trace);
	report->trace = NULL;
	if (why) {
		__fpurge(file);
		/* Not possible if it is no file of a disk. */
		if (ftruncate(fileno(file), report->whole))
			errno = 0;
	}
	errno = 0;
	if (fclose(file) && !why)
		why = strerror(errno);
	if (why)
		say("%s: %s; there are no rows behind unit %" PRIu64, report->path, why,
		    report->units);
}

/* An application that is killed has what was counted before. */
static void flush_file(struct report *report)
{
	errno = 0;
	if (fflush(report->file) || ferror(report->file))
		close_file(report, strerror(errno ? errno : EIO));
	else
		report->whole = ftello(report->file);
}

/* As in files of Arm's libGPULayers. */
static void write_arm_head(struct report *report)
{
	const bool frames = settings_get()->unit == UNIT_FRAME;
	const struct panthor_perf_item *item;

	fputs(frames ? "Frame ID" : "Index,Workload type", report->file);
	for (size_t i = 0; (item = panthor_perf_selection_item(report->selection, i)); i++) {
		putc(',', report->file);
		print_text(report->file, item->counter ? item->counter->title : item->name, false);
	}
	fputs(frames ? "\n" : ",Label\n", report->file);
}

static void write_arm_row(struct report *report, const struct row *row,
			  const struct panthor_perf_values *values)
{
	const bool frames = settings_get()->unit == UNIT_FRAME;
	const struct panthor_perf_item *item;
	FILE *file = report->file;
	char types[TYPES_SIZE];

	types_text(row->types, types);
	if (frames)
		fprintf(file, "%" PRIu64, row->frame);
	else
		fprintf(file, "%" PRIu64 ",%s", row->number, types);
	for (size_t i = 0; (item = panthor_perf_selection_item(report->selection, i)); i++) {
		putc(',', file);
		print_arm_value(file, values, item);
	}
	if (!frames) {
		putc(',', file);
		print_arm_label(file, row->label);
	}
	putc('\n', file);
}

static void write_head(struct report *report)
{
	const struct panthor_perf_item *item;

	if (settings_get()->format != FORMAT_CSV)
		return;
	if (settings_get()->arm) {
		write_arm_head(report);
		return;
	}
	fputs("unit,frame,device,queue,type,label,start_ns,end_ns,quality", report->file);
	for (size_t i = 0; (item = panthor_perf_selection_item(report->selection, i)); i++) {
		fprintf(report->file, ",%s", item->name);
		for (int block = 0; block < instances_in_rows(report->selection, item); block++)
			fprintf(report->file, ",%s/%d", item->name, block);
	}
	putc('\n', report->file);
}

/* What an earlier process has written is replaced. */
static void begin_file(struct report *report)
{
	report->begun = true;
	if (ftruncate(fileno(report->file), 0))
		errno = 0;
	write_head(report);
	if (settings_get()->format == FORMAT_PERFETTO) {
		report->trace = trace_create(report->file, report->selection, report->gpu);
		if (!report->trace) {
			close_file(report, strerror(ENOMEM));
			return;
		}
	}
	flush_file(report);
}

/* Fails if the file cannot be written. One that has something is replaced by the first row only. */
static bool open_file(struct report *report)
{
	struct stat status;
	int fd;

	fd = open(report->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd >= 0)
		report->file = fdopen(fd, "a");
	if (!report->file) {
		say("%s: %s", report->path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		say("%s: another process or GPU writes it (%%p in the name: the process)",
		    report->path);
		fclose(report->file);
		report->file = NULL;
		return true;
	}
	if (fstat(fd, &status) || !status.st_size)
		begin_file(report);
	return true;
}

/**
 * report_create() - Begin to report
 * @selection: The counters. Must outlive the report.
 * @gpu: Name of the GPU.
 *
 * Return: The report. %NULL: without memory, or the file cannot be written, which is reported.
 */
struct report *report_create(const struct panthor_perf_selection *selection, const char *gpu)
{
	struct report *report = calloc(1, sizeof(*report));

	if (!report)
		return NULL;
	report->selection = selection;
	report->gpu = strdup(gpu);
	report->last = &report->labels;
	if (!report->gpu || panthor_perf_values_create(selection, &report->values, NULL)) {
		report_destroy(report);
		return NULL;
	}
	if (!settings_get()->output)
		return report;
	report->path = settings_output();
	if (!report->path || !open_file(report)) {
		report_destroy(report);
		return NULL;
	}
	return report;
}

/* Lists of the values of blocks, by the names of their counters. */
static void write_instances(struct report *report, const struct panthor_perf_values *values)
{
	const struct panthor_perf_item *item;
	const char *separator = "";

	fputs("}, \"instances\": {", report->file);
	for (size_t i = 0; (item = panthor_perf_selection_item(report->selection, i)); i++) {
		const int count = instances_in_rows(report->selection, item);

		if (!count)
			continue;
		fprintf(report->file, "%s\"%s\": [", separator, item->name);
		for (int block = 0; block < count; block++) {
			fputs(block ? ", " : "", report->file);
			print_value(report->file, values, item, block, "null");
		}
		putc(']', report->file);
		separator = ", ";
	}
}

static void write_row(struct report *report, const struct row *row,
		      const struct panthor_perf_values *values)
{
	const bool json = settings_get()->format == FORMAT_JSON;
	const struct panthor_perf_item *item;
	FILE *file = report->file;
	char types[TYPES_SIZE];

	if (settings_get()->arm && !json) {
		write_arm_row(report, row, values);
		return;
	}
	types_text(row->types, types);
	fprintf(file, json ? "{\"unit\": %" PRIu64 ", \"frame\": %" PRIu64 ", \"device\": %u, "
			     "\"queue\": %u, \"type\": \"%s\", \"label\": " :
			     "%" PRIu64 ",%" PRIu64 ",%u,%u,%s,",
		row->number, row->frame, row->device, row->queue, types);
	print_text(file, row->label, json);
	fprintf(file, json ? ", \"start_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64
			     ", \"quality\": \"%s\", \"counters\": {" :
			     ",%" PRIu64 ",%" PRIu64 ",%s",
		row->start_ns, row->end_ns, quality_of(row, values));
	for (size_t i = 0; (item = panthor_perf_selection_item(report->selection, i)); i++) {
		const int instances = instances_in_rows(report->selection, item);

		if (json)
			fprintf(file, "%s\"%s\": ", i ? ", " : "", item->name);
		else
			putc(',', file);
		print_value(file, values, item, PANTHOR_PERF_ALL_BLOCKS, json ? "null" : "");
		for (int block = 0; block < instances && !json; block++) {
			putc(',', file);
			print_value(file, values, item, block, "");
		}
	}
	if (json && settings_get()->instances)
		write_instances(report, values);
	fputs(json ? "}}\n" : "\n", file);
}

static struct label *find_label(struct report *report, const char *text)
{
	struct label *label;

	for (label = report->labels; label; label = label->next) {
		if (!strcmp(label->text, text))
			return label;
	}
	label = malloc(sizeof(*label) + strlen(text) + 1);
	if (!label)
		return NULL;
	if (panthor_perf_values_create(report->selection, &label->values, NULL)) {
		free(label);
		return NULL;
	}
	label->next = NULL;
	memcpy(label->text, text, strlen(text) + 1);
	*report->last = label;
	report->last = &label->next;
	return label;
}

static void add_row(struct report *report, const struct row *row,
		    const struct panthor_perf_values *values)
{
	if (report->file && !report->begun)
		begin_file(report);
	report->unit_ns += panthor_perf_values_time_ns(values);
	if (strcmp(quality_of(row, values), "exact"))
		report->inexact++;
	if (report->trace)
		trace_row(report->trace, row, quality_of(row, values), values);
	else if (report->file)
		write_row(report, row, values);
	if (report->file)
		flush_file(report);
	report->units++;
}

/* ---- Frames ---- */

static struct open_frame **find_open(struct report *report, unsigned int device)
{
	struct open_frame **link = &report->open;

	while (*link && (*link)->device != device)
		link = &(*link)->next;
	return link;
}

static void close_frame(struct open_frame **link)
{
	struct open_frame *frame = *link;

	*link = frame->next;
	panthor_perf_values_destroy(frame->values);
	free(frame);
}

/* A sample is a part of each frame that is open: those of other devices end at other samples. */
static void add_to_frames(struct report *report, const struct panthor_perf_sample *sample,
			  const char *text)
{
	struct label *label = report->open ? find_label(report, text) : NULL;

	for (struct open_frame *frame = report->open; frame; frame = frame->next)
		panthor_perf_values_add(frame->values, sample);
	if (label)
		panthor_perf_values_add(label->values, sample);
}

/* A frame begins with a sample. */
static void open_frame(struct report *report, unsigned int device, uint64_t start_ns, bool overlaps)
{
	struct open_frame **link = find_open(report, device);

	if (!*link) {
		struct open_frame *frame = calloc(1, sizeof(*frame));

		if (!frame || panthor_perf_values_create(report->selection, &frame->values, NULL)) {
			say("there is no memory for the counts of a frame: it has no row");
			free(frame);
			return;
		}
		frame->device = device;
		*link = frame;
	}
	panthor_perf_values_clear((*link)->values);
	(*link)->start_ns = start_ns;
	(*link)->overlaps = overlaps;
}

static void report_frame(struct report *report, struct row *row,
			 const struct panthor_perf_sample *sample)
{
	const bool overlaps = row->start && frame_start_end(row->start);
	struct open_frame **link = find_open(report, row->device);

	row->end_ns = panthor_perf_sample_end_ns(sample);
	add_to_frames(report, sample, row->label);
	if (*link && row->closes) {
		if (row->frame_state == FRAME_WHOLE && (overlaps || (*link)->overlaps))
			row->frame_state = FRAME_OVERLAPPED;
		row->start_ns = (*link)->start_ns;
		row->number = report->units + 1;
		add_row(report, row, (*link)->values);
	}
	if (row->opens)
		open_frame(report, row->device, row->end_ns, overlaps);
	else if (*link)
		close_frame(link);
}

/**
 * report_row() - Report a unit
 * @report: The report.
 * @row: The unit.
 * @sample: The sample behind it.
 */
void report_row(struct report *report, struct row *row, const struct panthor_perf_sample *sample)
{
	struct label *label;

	if (settings_get()->unit == UNIT_FRAME) {
		report_frame(report, row, sample);
		return;
	}
	row->start_ns = panthor_perf_sample_start_ns(sample);
	row->end_ns = panthor_perf_sample_end_ns(sample);
	panthor_perf_values_clear(report->values);
	panthor_perf_values_add(report->values, sample);
	label = find_label(report, row->label);
	if (label)
		panthor_perf_values_add(label->values, sample);
	add_row(report, row, report->values);
}

/**
 * report_between() - Account a sample that lies between units
 * @report: The report.
 * @sample: The sample.
 */
void report_between(struct report *report, const struct panthor_perf_sample *sample)
{
	/* The time before the first unit is not that of the order. */
	if (report->units)
		report->between_ns += panthor_perf_sample_end_ns(sample) -
				      panthor_perf_sample_start_ns(sample);
}

static void print_summary(const struct report *report)
{
	const struct panthor_perf_item *item;

	say("%s: %" PRIu64 " units, %.3f ms counted, %.3f ms between them; %" PRIu64 " not exact",
	    report->gpu, report->units, report->unit_ns / 1e6, report->between_ns / 1e6,
	    report->inexact);
	fprintf(stderr, "%-*s %8s %12s", LABEL_WIDTH, "label", "units", "ms");
	for (size_t i = 0; i < SUMMARY_COUNTERS; i++) {
		item = panthor_perf_selection_item(report->selection, i);
		if (item)
			fprintf(stderr, "  %s", item->name);
	}
	fputc('\n', stderr);
	for (const struct label *label = report->labels; label; label = label->next) {
		fprintf(stderr, "%-*s %8" PRIu64 " %12.3f", LABEL_WIDTH, label->text,
			panthor_perf_values_samples(label->values),
			panthor_perf_values_time_ns(label->values) / 1e6);
		for (size_t i = 0; i < SUMMARY_COUNTERS; i++) {
			item = panthor_perf_selection_item(report->selection, i);
			if (!item)
				break;
			fputs("  ", stderr);
			print_value(stderr, label->values, item, PANTHOR_PERF_ALL_BLOCKS, "-");
		}
		fputc('\n', stderr);
	}
}

/**
 * report_destroy() - Print the summary, and end the report
 * @report: The report. May be %NULL.
 */
void report_destroy(struct report *report)
{
	if (!report)
		return;
	if (report->units)
		print_summary(report);
	while (report->labels) {
		struct label *label = report->labels;

		report->labels = label->next;
		panthor_perf_values_destroy(label->values);
		free(label);
	}
	while (report->open)
		close_frame(&report->open);
	if (report->file)
		close_file(report, NULL);
	panthor_perf_values_destroy(report->values);
	free(report->path);
	free(report->gpu);
	free(report);
}
