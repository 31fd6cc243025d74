// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "measure/child.h"
#include "measure/record_args.h"
#include "measure/record_mark.h"
#include "print/output.h"
#include "print/text.h"
#include "recording/recording.h"
#include "recording/recording_meta.h"
#include "recording/recording_view.h"

#define NS_PER_S		1000000000ull
#define SAMPLE_TIMEOUT_MS	10000

/* The ring holds the samples of so long a time, within the limits of the GPU and of memory. */
#define RING_NS			(NS_PER_S / 2)
#define RING_BYTES		(16u << 20)

/* Samples are taken out of the ring so often, and written to the disk so often. */
#define MAX_DRAIN_NS		(NS_PER_S / 10)
#define FLUSH_NS		NS_PER_S
#define PROGRESS_NS		(NS_PER_S / 2)

/* User data of a session's periods, and of the sample behind them. */
#define PERIOD_DATA		1
#define FINAL_DATA		2

/**
 * struct record - a recording that is made
 */
struct record {
	/** @args: What the user wants. */
	struct record_args args;

	/** @argc: Number of the program's arguments. */
	int argc;

	/** @argv: The program's arguments. */
	char **argv;

	/** @device: The GPU. */
	struct panthor_perf_device *device;

	/** @view: What it is, and what its counters mean. */
	struct gpu_view view;

	/** @list: The counters that are recorded. */
	struct event_list list;

	/** @session: The session. */
	struct panthor_perf_session *session;

	/** @marks: Where marks come from. */
	struct record_mark marks;

	/** @writer: The file. */
	struct recording_writer writer;

	/** @child: Signals and the command. */
	struct child child;

	/** @period_ns: The session's period in ns, 0 for none. */
	uint64_t period_ns;

	/** @taken: Samples that were read. */
	uint64_t taken;

	/** @reported: There was a message: the file could not be written. */
	bool reported;

	/** @flush_ns: CLOCK_MONOTONIC when the file is written next. */
	uint64_t flush_ns;

	/** @start_ns: CLOCK_MONOTONIC at the start. */
	uint64_t start_ns;

	/** @progress_ns: CLOCK_MONOTONIC when progress is shown next, 0: never. */
	uint64_t progress_ns;
};

static int write_failed(struct record *record, int err)
{
	const struct raw_writer *raw = &record->writer.raw;

	record->reported = true;
	return output_failed(&raw->file, record->args.output, err, raw->samples,
			     record->taken - raw->samples);
}

static void show_progress(struct record *record, uint64_t now)
{
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	char size[32];

	if (!record->progress_ns || now < record->progress_ns)
		return;
	panthor_perf_session_quality(record->session, &quality);
	format_bytes(size, sizeof(size), record->writer.raw.size);
	progress_line("%8.1f s  %" PRIu64 " samples  %s  %" PRIu64 " merged  %" PRIu64
		      " with ERROR", (now - record->start_ns) / 1e9, quality.samples, size,
		      quality.merged, quality.errors);
	record->progress_ns = now + PROGRESS_NS;
}

/* START and STOP go to the file, with the clocks around them. */
static int start_session(struct record *record)
{
	struct raw_call call = { .user_data = record->period_ns ? PERIOD_DATA : 0 };
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret;

	raw_clocks_read(&call.before);
	ret = panthor_perf_session_start(record->session, call.user_data, &error);
	raw_clocks_read(&call.after);
	if (ret)
		return fail(0, "starting the session: %s", error.text);
	ret = recording_write_call(&record->writer, RAW_START, &call);
	return ret ? write_failed(record, ret) : EXIT_OK;
}

static int stop_session(struct record *record)
{
	struct raw_call call = { .user_data = record->period_ns ? FINAL_DATA : 0 };
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret;

	raw_clocks_read(&call.before);
	ret = panthor_perf_session_stop(record->session, call.user_data, &error);
	raw_clocks_read(&call.after);
	if (ret)
		return fail(0, "stopping the session: %s", error.text);
	ret = recording_write_call(&record->writer, RAW_STOP, &call);
	return ret ? write_failed(record, ret) : EXIT_OK;
}

/* Writes a sample that is there. */
static int take_sample(struct record *record, const struct panthor_perf_sample **sample)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret = panthor_perf_session_read(record->session, sample, &error);

	if (ret < 0)
		return fail(0, "reading sample %" PRIu64 ": %s", record->taken, error.text);
	record->taken++;
	ret = recording_write_sample(&record->writer, *sample);
	return ret ? write_failed(record, ret) : EXIT_OK;
}

/* Waits for a sample and writes it. */
static int wait_sample(struct record *record, const struct panthor_perf_sample **sample)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret = panthor_perf_session_wait(record->session, SAMPLE_TIMEOUT_MS, &error);

	if (!ret)
		return fail(0, "sample %" PRIu64 " did not come within %d ms", record->taken,
			    SAMPLE_TIMEOUT_MS);
	if (ret < 0)
		return fail(0, "waiting for sample %" PRIu64 ": %s", record->taken, error.text);
	return take_sample(record, sample);
}

/* What is not so urgent as to be done for each sample. */
static int keep_house(struct record *record)
{
	uint64_t now = now_ns();
	int ret;

	show_progress(record, now);
	if (now < record->flush_ns)
		return EXIT_OK;
	record->flush_ns = now + FLUSH_NS;
	ret = recording_flush(&record->writer);
	return ret ? write_failed(record, ret) : EXIT_OK;
}

static bool is_full(const struct record *record)
{
	return record->args.session.samples && record->taken + 1 == record->args.session.samples;
}

/* Takes the samples that periods have published, except for the one that is left for the end. */
static int drain(struct record *record)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int status = EXIT_OK, ret;

	ret = panthor_perf_session_wait(record->session, 0, &error);
	if (ret < 0)
		return fail(0, "waiting for sample %" PRIu64 ": %s", record->taken, error.text);
	for (; ret && !is_full(record) && !status; ret--) {
		const struct panthor_perf_sample *sample;

		status = take_sample(record, &sample);
		if (!status && panthor_perf_sample_user_data(sample) != PERIOD_DATA)
			return fail(0, "sample %" PRIu64 " came as an answer to request %" PRIu64
				    ", not to the start", record->taken - 1,
				    panthor_perf_sample_user_data(sample));
	}
	return status ? status : keep_house(record);
}

/*
 * How many samples are waited for: those of a quarter of the ring, or the rest of SAMPLES. One is
 * waited for by its signal, several by their time, which wakes this program once.
 */
static uint64_t batch(const struct record *record)
{
	uint64_t count = panthor_perf_session_slots(record->session) / 4;
	uint64_t limit = MAX_DRAIN_NS / record->period_ns;
	uint64_t samples = record->args.session.samples;

	if (count > limit)
		count = limit;
	if (samples && count > samples - 1 - record->taken)
		count = samples - 1 - record->taken;
	return count < 2 ? 1 : count;
}

/* Waits until there are samples to be read, or until the end. */
static int pause_for_samples(struct record *record)
{
	uint64_t samples = record->args.session.samples;
	uint64_t left = samples ? samples - 1 - record->taken : 0;
	int fd = panthor_perf_session_fd(record->session);
	uint64_t count, until;

	until = session_wakeup_time(&record->args.session, record->period_ns, left);
	if (until)
		return child_pause(&record->child, until, fd);
	count = batch(record);
	if (count == 1)
		return child_pause(&record->child, now_ns() + PROGRESS_NS, fd);
	return child_pause(&record->child, now_ns() + count * record->period_ns, -1);
}

/* When to stop so that the final sample has most of a period, and not the next one's beginning. */
static uint64_t last_time(const struct record *record)
{
	uint64_t period = record->period_ns;

	return (now_ns() / period + 1) * period - period / 8;
}

/* Samples by period until the end, and the final one. */
static int take_periods(struct record *record)
{
	const struct panthor_perf_sample *sample = NULL;
	int reason = WAKE_TIME, status;

	while (reason != WAKE_END && !is_full(record)) {
		reason = pause_for_samples(record);
		if (reason < 0)
			return fail(reason, "waiting");
		status = drain(record);
		if (status)
			return status;
	}
	if (reason != WAKE_END) {
		reason = child_pause(&record->child,
				     record->args.session.command ? 0 : last_time(record), -1);
		if (reason < 0)
			return fail(reason, "waiting");
	}
	status = stop_session(record);
	while (!status && (!sample || panthor_perf_sample_user_data(sample) != FINAL_DATA))
		status = wait_sample(record, &sample);
	return status;
}

/* The sample that is both the first and the last. */
static int take_one(struct record *record)
{
	const struct session_options *session = &record->args.session;
	uint64_t until = session->command || session->duration_ns ? 0 :
			 now_ns() + session->interval_ns;
	const struct panthor_perf_sample *sample;
	int reason = child_pause(&record->child, until, -1);
	int status;

	if (reason < 0)
		return fail(reason, "waiting");
	status = stop_session(record);
	return status ? status : wait_sample(record, &sample);
}

/* The sample of a mark: what was counted up to now, with the id in it. */
static int take_mark(struct record *record, const struct mark_request *request)
{
	const struct panthor_perf_sample *sample;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret, status;

	if (panthor_perf_session_sample(record->session, request->id, &error))
		return fail(0, "requesting the sample of mark %" PRIu64 ": %s", request->id,
			    error.text);
	ret = recording_write_mark(&record->writer, request->id, request->name, request->raw_ns);
	if (ret)
		return write_failed(record, ret);
	status = wait_sample(record, &sample);
	if (status)
		return status;
	if (panthor_perf_sample_user_data(sample) != request->id)
		return fail(0, "the sample of mark %" PRIu64 " has the id %" PRIu64, request->id,
			    panthor_perf_sample_user_data(sample));
	record_mark_acknowledge(&record->marks, request->id, panthor_perf_sample_end_ns(sample));
	return keep_house(record);
}

/* Samples by marks until the end, and the final one. */
static int take_marks(struct record *record)
{
	const struct panthor_perf_sample *sample;
	struct mark_request request;
	int reason = WAKE_TIME, status;

	while (reason != WAKE_END && !is_full(record)) {
		/* What came before COMMAND ended is in the FIFO, and is taken first. */
		reason = child_pause(&record->child, now_ns() + PROGRESS_NS, record->marks.fd);
		if (reason < 0)
			return fail(reason, "waiting");
		while (!is_full(record) && record_mark_next(&record->marks, &request)) {
			status = take_mark(record, &request);
			if (status)
				return status;
		}
		status = keep_house(record);
		if (status)
			return status;
	}
	if (reason != WAKE_END && record->args.session.command) {
		reason = child_pause(&record->child, 0, -1);
		if (reason < 0)
			return fail(reason, "waiting");
	}
	status = stop_session(record);
	return status ? status : wait_sample(record, &sample);
}

static void tell_result(struct record *record)
{
	const struct raw_end *end = &record->writer.end;
	char size[32], text[QUALITY_SIZE], *path;

	if (record->args.quiet)
		return;
	format_bytes(size, sizeof(size), record->writer.raw.size);
	path = text_copy(record->args.output);
	fprintf(stderr, "%s: %s, %.3f s, %" PRIu64 " mark%s\n", path ? path : "", size,
		(end->end_ns - end->start_ns) / 1e9, end->marks, end->marks == 1 ? "" : "s");
	free(path);
	fprintf(stderr, "%s\n", quality_text(end, record->period_ns, text, sizeof(text)));
}

static int run_session(struct record *record)
{
	int ret, status;

	ret = child_init(&record->child);
	if (ret)
		return fail(ret, "catching signals");
	if (record->args.mark)
		setenv("PANTHOR_PERF_MARK", record->args.mark, 1);
	if (record->args.mark_ack)
		setenv("PANTHOR_PERF_MARK_ACK", record->args.mark_ack, 1);
	status = session_before_start(&record->args.session, &record->child);
	record->start_ns = now_ns();
	record->flush_ns = record->start_ns + FLUSH_NS;
	if (!record->args.quiet && isatty(STDERR_FILENO))
		record->progress_ns = record->start_ns + PROGRESS_NS;
	if (!status)
		status = start_session(record);
	if (!status)
		status = session_after_start(&record->args.session, &record->child);
	if (!status)
		status = record->period_ns ? take_periods(record) :
			 record->args.mark ? take_marks(record) : take_one(record);
	record->progress_ns = 0;
	progress_remove();
	/* A command may take its time to end. */
	ret = recording_flush(&record->writer);
	if (ret && !record->reported)
		status = write_failed(record, ret);
	if (!status)
		status = session_command_status(&record->args.session, &record->child);
	child_fini(&record->child);
	return status;
}

/* The recording alone goes to the standard output, not what COMMAND prints. */
static int keep_output_clean(const struct record *record)
{
	if (strcmp(record->args.output, "-"))
		return EXIT_OK;
	return dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? fail(-errno, "standard output") : EXIT_OK;
}

static int check_output(const struct record *record)
{
	if (!strcmp(record->args.output, "-") && isatty(STDOUT_FILENO)) {
		fail(0, "-o -: the standard output is a terminal; a recording is not text");
		return EXIT_USAGE;
	}
	return output_check(record->args.output);
}

static int create_file(struct record *record, const struct panthor_perf_session_config *config)
{
	struct recording_description description = {
		.view = &record->view,
		.device = panthor_perf_device_path(record->device),
		.argv = record->argv,
		.argc = record->argc,
		.events = record->args.session.events.texts,
		.event_count = record->args.session.events.count,
	};
	char *metadata = recording_describe(&description);
	struct drm_panthor_perf_section *sections;
	size_t section_count;
	struct recording_setup setup = {
		.level = record->args.level,
		.header = {
			.sample_size = panthor_perf_session_sample_size(record->session),
			.counter_set = record->args.session.set,
			.sample_period_ns = record->period_ns,
			.gpu_id = record->view.gpu_id,
			.gpu_id_high = record->view.gpu_id >> 32,
			.shader_present = record->view.gpu.shader_present,
			.flags = config->flags,
		},
		.info = &record->view.info,
		.gpu = &record->view.gpu,
		.metadata = metadata ? metadata : "{}",
	};
	int ret;

	if (record->view.table)
		setup.table = panthor_perf_table_text(record->view.table, NULL);
	sections = sections_of(record->list.selection, &section_count);
	setup.header.section_count = section_count;
	setup.sections = sections;
	ret = sections ? recording_create(&record->writer, record->args.output, &setup) : -ENOMEM;
	free(sections);
	free(metadata);
	return ret ? write_failed(record, ret) : keep_output_clean(record);
}

static int with_file(struct record *record)
{
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	int ret, status;

	status = run_session(record);
	panthor_perf_session_quality(record->session, &quality);
	ret = recording_finish(&record->writer, &quality);
	if (ret && !record->reported)
		status = write_failed(record, ret);
	/* What was appended last is not in the file of a failure. */
	if (!ret && record->writer.raw.samples)
		tell_result(record);
	return status;
}

static uint32_t choose_slots(const struct record *record)
{
	uint64_t wanted = record->period_ns ? RING_NS / record->period_ns : 1;
	const struct session_options *session = &record->args.session;
	uint32_t slots = PANTHOR_PERF_DEFAULT_SLOTS;

	if (session->slots)
		slots = session->slots;
	else
		while (slots < wanted && slots < record->view.info.max_sample_slots &&
		       2ull * slots * record->view.info.sample_size <= RING_BYTES)
			slots *= 2;
	if (record->period_ns && !session->slots)
		slots = session_room(session, slots);
	/* A ring that is full when all but the final sample have come has no more than SAMPLES. */
	if (record->period_ns && session->samples)
		while (slots > session->samples && slots > record->view.info.min_sample_slots)
			slots /= 2;
	if (!session->slots && slots > record->view.info.max_sample_slots)
		slots = record->view.info.max_sample_slots;
	if (!session->slots && slots < record->view.info.min_sample_slots)
		slots = record->view.info.min_sample_slots;
	return slots;
}

static int record_with_session(struct record *record)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	int status;

	config.selection = record->list.selection;
	config.sample_slots = choose_slots(record);
	config.sample_period_ns = record->period_ns;
	status = check_output(record);
	if (!status)
		status = session_open(&record->args.session, record->device, &config,
				      &record->session);
	if (status)
		return status;
	status = create_file(record, &config);
	if (!status)
		status = with_file(record);
	panthor_perf_session_destroy(record->session);
	return status;
}

static int with_marks(struct record *record)
{
	int ret, status;

	if (!record->args.mark)
		return record_with_session(record);
	ret = record_mark_open(&record->marks, record->args.mark, record->args.mark_ack);
	if (ret)
		return fail(ret, "opening the FIFO %s", record->marks.failed_path);
	status = record_with_session(record);
	record_mark_close(&record->marks);
	return status;
}

static int select_counters(struct record *record)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char text[600];
	unsigned int i;
	int ret;

	if (!record->args.session.events.count)
		panthor_perf_selection_add_all(record->list.selection, NULL);
	for (i = 0; i < record->args.session.events.count; i++) {
		ret = events_add(&record->list, record->args.session.events.texts[i], &error);
		if (ret == -EINVAL) {
			fail(0, "%s", panthor_perf_error_format(&error, text, sizeof(text)));
			return EXIT_USAGE;
		}
		if (ret)
			return fail(ret, "selecting counters");
	}
	return EXIT_OK;
}

static int with_view(struct record *record)
{
	int ret, status;

	record->view.set = record->args.session.set;
	ret = events_init(&record->list, &record->view);
	if (ret)
		return fail(ret, "selecting counters");
	status = select_counters(record);
	if (!status)
		status = with_marks(record);
	events_fini(&record->list);
	return status;
}

/**
 * cmd_record() - The sub-command record
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_record(int argc, char **argv)
{
	struct record *record = calloc(1, sizeof(*record));
	int status;

	if (!record)
		return fail(-ENOMEM, "record");
	record->argc = argc;
	record->argv = argv;
	if (record_parse(argc, argv, &record->args)) {
		free(record);
		return EXIT_USAGE;
	}
	if (!record->args.mark && record->args.session.samples != 1)
		record->period_ns = record->args.session.interval_ns;
	status = open_device(record->args.session.common.device, &record->device);
	if (!status) {
		status = open_view(&record->args.session.common, record->device, &record->view);
		if (!status) {
			status = with_view(record);
			close_view(&record->view);
		}
		panthor_perf_device_close(record->device);
	}
	free(record);
	return status;
}
