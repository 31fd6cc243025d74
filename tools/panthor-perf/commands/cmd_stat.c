// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "measure/child.h"
#include "measure/stat_args.h"
#include "print/lines.h"
#include "print/output.h"
#include "print/print.h"
#include "recording/raw.h"

#define SAMPLE_TIMEOUT_MS	10000

/* User data of a session's periods, and of the sample behind them. */
#define PERIOD_DATA		1
#define FINAL_DATA		2

/**
 * struct measurement - a measurement
 */
struct measurement {
	/** @args: What the user wants. */
	struct stat_args args;

	/** @device: The GPU. */
	struct panthor_perf_device *device;

	/** @view: Its counter configuration, and what counters mean. */
	struct gpu_view view;

	/** @events: What is shown. */
	struct event_list events;

	/** @read: The counters that are read. */
	struct panthor_perf_selection *read;

	/** @printer: Where and how it is shown. */
	struct printer printer;

	/** @session: The session. */
	struct panthor_perf_session *session;

	/** @raw: The raw sample file, if there is one. */
	struct raw_writer raw;

	/** @child: Signals and the command. */
	struct child child;

	/** @period_ns: The session's period in ns, 0 for none. */
	uint64_t period_ns;

	/** @taken: Samples that were read. */
	uint64_t taken;
};

static int choose_events(struct measurement *stat)
{
	const struct stat_args *args = &stat->args;
	int status = add_events(&stat->events, &args->session.events);
	int ret = 0;

	if (status)
		return status;
	if (!args->session.events.count)
		ret = events_add_summary(&stat->events);
	if (!ret && args->all)
		ret = events_add_counters(&stat->events);
	return ret ? fail(ret, "choosing counters") : EXIT_OK;
}

/* Without -e, or with -a, all counters are read. */
static int select_counters(struct measurement *stat)
{
	struct print_options *print = &stat->args.print;
	bool names = events_has_names(&stat->view);
	int ret = events_init(&stat->events, &stat->view);
	int status;

	if (ret)
		return fail(ret, "choosing counters");
	status = choose_events(stat);
	if (status)
		return status;
	stat->read = stat->events.selection;
	if (!stat->args.session.events.count)
		ret = panthor_perf_selection_add_all(stat->read, NULL);
	if (ret)
		return fail(ret, "choosing counters");
	print->headings = !stat->args.session.events.count;
	print->types = !stat->args.session.events.count && !stat->args.all &&
		       (!names || print->format == PRINT_BRIEF);
	if (!names && !stat->events.count && print->format != PRINT_TABLE &&
	    print->format != PRINT_BRIEF) {
		ret = events_add_counters(&stat->events);
		if (ret)
			return fail(ret, "choosing counters");
	}
	return EXIT_OK;
}

/* Prints why there are no names, if the user selected no counter. */
static void note_names(const struct measurement *stat)
{
	char name[32];

	if (stat->args.session.events.count || events_has_names(&stat->view))
		return;
	if (stat->view.table)
		note_that("the tables have no names for the %s set: its counters are shown by "
			  "block and index", panthor_perf_set_name(stat->view.set));
	else
		note_that("no table has names for %s: its counters are shown by block and index; "
			  "--counters reads a table", gpu_name(&stat->view, name, sizeof(name)));
}

/* A ring that is full when all samples but the final one have come has no more slots than these. */
static uint32_t choose_slots(const struct measurement *stat)
{
	const struct session_options *session = &stat->args.session;
	bool wakeup = session->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP;
	uint32_t slots = session->slots;

	if (!stat->period_ns || (!session->samples && !wakeup))
		return slots;
	if (!slots)
		slots = session_room(session, PANTHOR_PERF_DEFAULT_SLOTS);
	if (slots > stat->view.info.max_sample_slots)
		slots = stat->view.info.max_sample_slots;
	while (session->samples && slots > session->samples &&
	       slots > stat->view.info.min_sample_slots)
		slots /= 2;
	return slots;
}

static int raw_failed(const struct measurement *stat, int err)
{
	return output_failed(&stat->raw.file, stat->args.raw, err, stat->raw.samples,
			     stat->taken - stat->raw.samples);
}

static int create_raw(struct measurement *stat, uint32_t flags)
{
	struct drm_panthor_perf_section *sections;
	size_t count;
	struct raw_header header = {
		.sample_size = panthor_perf_session_sample_size(stat->session),
		.counter_set = stat->args.session.set,
		.sample_period_ns = stat->period_ns,
		.gpu_id = stat->view.gpu_id,
		.gpu_id_high = stat->view.gpu_id >> 32,
		.shader_present = stat->view.gpu.shader_present,
		.flags = flags,
	};
	int ret = -ENOMEM;

	sections = sections_of(stat->read, &count);
	header.section_count = count;
	if (sections)
		ret = raw_create(&stat->raw, stat->args.raw, 0, &header, &stat->view.info,
				 sections);
	free(sections);
	return ret ? raw_failed(stat, ret) : EXIT_OK;
}

/* START and STOP go to the raw file, with the clocks around them. */
static int start_session(struct measurement *stat)
{
	struct raw_call call = { .user_data = PERIOD_DATA };
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret;

	raw_clocks_read(&call.before);
	ret = panthor_perf_session_start(stat->session, call.user_data, &error);
	raw_clocks_read(&call.after);
	if (ret)
		return fail(0, "starting the session: %s", error.text);
	if (stat->args.raw) {
		ret = raw_write_call(&stat->raw, RAW_START, &call);
		if (ret)
			return raw_failed(stat, ret);
	}
	return EXIT_OK;
}

static int stop_session(struct measurement *stat, uint64_t user_data)
{
	struct raw_call call = { .user_data = user_data };
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret;

	raw_clocks_read(&call.before);
	ret = panthor_perf_session_stop(stat->session, call.user_data, &error);
	raw_clocks_read(&call.after);
	if (ret)
		return fail(0, "stopping the session: %s", error.text);
	if (stat->args.raw) {
		ret = raw_write_call(&stat->raw, RAW_STOP, &call);
		if (ret)
			return raw_failed(stat, ret);
	}
	return EXIT_OK;
}

/* Reads a sample that is there, and shows it. */
static int read_sample(struct measurement *stat, const struct panthor_perf_sample **sample)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret = panthor_perf_session_read(stat->session, sample, &error);

	if (ret < 0)
		return fail(0, "reading sample %" PRIu64 ": %s", stat->taken, error.text);
	stat->taken++;
	if (stat->args.raw) {
		ret = raw_write_sample(&stat->raw, panthor_perf_sample_data(*sample, NULL));
		if (ret)
			return raw_failed(stat, ret);
	}
	if (!stat->args.runs) {
		print_sample(&stat->printer, *sample);
		return EXIT_OK;
	}
	ret = print_add_run(&stat->printer, *sample);
	return ret ? fail(ret, "showing sample %" PRIu64, stat->taken - 1) : EXIT_OK;
}

/* Waits for a sample and shows it. */
static int take_sample(struct measurement *stat, const struct panthor_perf_sample **sample)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int ret = panthor_perf_session_wait(stat->session, SAMPLE_TIMEOUT_MS, &error);

	if (!ret)
		return fail(0, "sample %" PRIu64 " did not come within %d ms", stat->taken,
			    SAMPLE_TIMEOUT_MS);
	if (ret < 0)
		return fail(0, "waiting for sample %" PRIu64 ": %s", stat->taken, error.text);
	return read_sample(stat, sample);
}

/* Samples on request: one at each interval, and one more at the end, whatever comes first. */
static int take_requests(struct measurement *stat)
{
	const struct session_options *session = &stat->args.session;
	uint64_t next_ns = now_ns();
	uint64_t nr;

	for (nr = 0; ; nr++) {
		bool last = session->samples && nr + 1 == session->samples;
		const struct panthor_perf_sample *sample;
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		int reason, status;

		next_ns += session->interval_ns;
		if (session->command && (last || !session->interval_ns))
			reason = child_pause(&stat->child, 0, -1);
		else
			reason = child_pause(&stat->child, next_ns, -1);
		if (reason < 0)
			return fail(reason, "waiting");
		last = last || reason == WAKE_END;

		if (last) {
			status = stop_session(stat, nr);
			if (status)
				return status;
		} else {
			if (panthor_perf_session_sample(stat->session, nr, &error))
				return fail(0, "requesting sample %" PRIu64 ": %s", nr,
					    error.text);
		}
		status = take_sample(stat, &sample);
		if (!status && panthor_perf_sample_user_data(sample) != nr)
			return fail(0, "sample %" PRIu64 " came as an answer to request %" PRIu64,
				    nr, panthor_perf_sample_user_data(sample));
		if (status || last)
			return status;
	}
}

/* Takes the samples that periods have published, except for the one that is left for the end. */
static int drain_periods(struct measurement *stat, bool *full)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const struct panthor_perf_sample *sample;

	for (;;) {
		int ret, status;

		*full = stat->args.session.samples && stat->taken + 1 == stat->args.session.samples;
		if (*full)
			return EXIT_OK;
		ret = panthor_perf_session_wait(stat->session, 0, &error);
		if (ret < 0)
			return fail(0, "waiting for sample %" PRIu64 ": %s", stat->taken,
				    error.text);
		if (!ret)
			return EXIT_OK;
		status = read_sample(stat, &sample);
		if (status)
			return status;
		if (panthor_perf_sample_user_data(sample) != PERIOD_DATA)
			return fail(0, "sample %" PRIu64 " came as an answer to request %" PRIu64
				    ", not to the start", stat->taken - 1,
				    panthor_perf_sample_user_data(sample));
	}
}

/* When to stop so that the final sample has most of a period, and not the next one's beginning. */
static uint64_t last_time(const struct measurement *stat)
{
	uint64_t period = stat->period_ns;

	return (now_ns() / period + 1) * period - period / 8;
}

static uint64_t wakeup_time(const struct measurement *stat)
{
	const struct session_options *session = &stat->args.session;
	uint64_t left = session->samples ? session->samples - 1 - stat->taken : 0;

	return session_wakeup_time(session, stat->period_ns, left);
}

/* Samples by period until the end, and the final one. */
static int take_periods(struct measurement *stat)
{
	int fd = panthor_perf_session_fd(stat->session);
	const struct panthor_perf_sample *sample = NULL;
	bool full = false;
	int reason, status;

	do {
		reason = child_pause(&stat->child, wakeup_time(stat), fd);
		if (reason < 0)
			return fail(reason, "waiting");
		status = drain_periods(stat, &full);
		if (status)
			return status;
	} while (reason != WAKE_END && !full);
	if (reason != WAKE_END) {
		reason = child_pause(&stat->child,
				     stat->args.session.command ? 0 : last_time(stat), -1);
		if (reason < 0)
			return fail(reason, "waiting");
	}

	status = stop_session(stat, FINAL_DATA);
	while (!status && (!sample || panthor_perf_sample_user_data(sample) != FINAL_DATA))
		status = take_sample(stat, &sample);
	return status;
}

/* Session after session, each with one sample. A run that COMMAND fails is the last one. */
static int take_runs(struct measurement *stat)
{
	const struct stat_args *args = &stat->args;
	bool command = args->session.command;
	uint64_t run;

	for (run = 0; run < args->runs; run++) {
		const struct panthor_perf_sample *sample;
		int reason, status;

		if (run) {
			status = start_session(stat);
			if (status)
				return status;
		}
		status = command ? session_spawn(&args->session, &stat->child) : EXIT_OK;
		if (status)
			return status;
		reason = child_pause(&stat->child,
				     command ? 0 : now_ns() + args->session.interval_ns, -1);
		if (reason < 0)
			return fail(reason, "waiting");
		status = stop_session(stat, run);
		if (!status)
			status = take_sample(stat, &sample);
		if (status)
			return status;
		if (command ? stat->child.status : reason == WAKE_END)
			break;
	}
	print_runs(&stat->printer);
	return EXIT_OK;
}

static int run_session(struct measurement *stat)
{
	const struct session_options *session = &stat->args.session;
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	int ret, status;

	ret = child_init(&stat->child);
	if (ret)
		return fail(ret, "catching signals");
	status = session_before_start(session, &stat->child);
	if (!status)
		status = start_session(stat);
	if (!status && stat->args.runs)
		status = take_runs(stat);
	if (!status && !stat->args.runs)
		status = session_after_start(session, &stat->child);
	if (!status && !stat->args.runs)
		status = stat->period_ns ? take_periods(stat) : take_requests(stat);
	panthor_perf_session_quality(stat->session, &quality);
	printer_end(&stat->printer, status ? NULL : &quality);
	if (!status)
		status = session_command_status(session, &stat->child);
	child_fini(&stat->child);
	return status;
}

/* The raw file replaces a file of its name: that must not be the other output. */
static int open_output(struct measurement *stat)
{
	const char *path = stat->args.output, *raw = stat->args.raw;
	bool same = raw && output_is(path, raw);
	int status = same ? EXIT_OK : output_open(path, &stat->printer.out);
	char *made;

	if (status)
		return status;
	/* Two names of a file that was not there are the same only now. */
	if (!same && raw && output_is(path, raw)) {
		made = realpath(path, NULL);
		fclose(stat->printer.out);
		if (made)
			unlink(made);
		free(made);
		same = true;
	}
	if (!same)
		return EXIT_OK;
	fail(0, "-o and --raw are the same file: %s", raw);
	return EXIT_USAGE;
}

/* The printer lives as long as the session does. */
static int print_session(struct measurement *stat)
{
	struct printer *printer = &stat->printer;
	int ret, status;

	printer->view = &stat->view;
	printer->events = &stat->events;
	printer->options = stat->args.print;
	printer->out = stdout;
	status = stat->args.output ? open_output(stat) : EXIT_OK;
	if (status)
		return status;
	printer->options.color = use_color(&stat->args.session.common, printer->out);
	if (!printer->options.line)
		printer->options.line = line_columns(printer->out);
	ret = printer_init(printer);
	status = ret ? fail(ret, "showing samples") : run_session(stat);
	printer_fini(printer);
	if (!stat->args.output)
		return status;
	ret = output_close(printer->out);
	return ret && !status ? fail(ret, "writing %s", stat->args.output) : status;
}

static int with_session(struct measurement *stat)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	int ret, status;
	bool failed;

	config.selection = stat->read;
	config.sample_slots = choose_slots(stat);
	config.sample_period_ns = stat->period_ns;
	status = stat->args.raw ? output_check(stat->args.raw) : EXIT_OK;
	if (!status)
		status = session_open(&stat->args.session, stat->device, &config, &stat->session);
	if (status)
		return status;

	note_names(stat);
	if (stat->args.raw)
		status = create_raw(stat, config.flags);
	if (!status) {
		status = print_session(stat);
		if (stat->args.raw) {
			failed = stat->raw.failed;
			ret = raw_close(&stat->raw);
			if (ret && !failed)
				status = fail(ret, "writing %s", stat->args.raw);
		}
	}
	panthor_perf_session_destroy(stat->session);
	return status;
}

static int with_device(struct measurement *stat)
{
	const struct session_options *session = &stat->args.session;
	int status = open_view(&session->common, stat->device, &stat->view);

	if (status)
		return status;
	stat->view.set = session->set;
	if (session->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP && !stat->view.info.min_period_ns) {
		fail(0, "--wakeup: the driver has no periodic sessions");
		close_view(&stat->view);
		return EXIT_USAGE;
	}
	if (stat->view.info.min_period_ns && !stat->args.manual && session->has_interval &&
	    session->samples != 1 && !stat->args.runs)
		stat->period_ns = session->interval_ns;
	stat->args.print.times = stat->period_ns;
	stat->args.print.periods = stat->period_ns;
	stat->args.print.single = session->samples == 1;
	status = select_counters(stat);
	if (!status)
		status = with_session(stat);
	events_fini(&stat->events);
	close_view(&stat->view);
	return status;
}

/**
 * cmd_stat() - The sub-command stat
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_stat(int argc, char **argv)
{
	struct measurement stat = { 0 };
	int status;

	status = stat_parse(argc, argv, &stat.args);
	if (status)
		return status;
	status = open_device(stat.args.session.common.device, &stat.device);
	if (status)
		return status;
	status = with_device(&stat);
	panthor_perf_device_close(stat.device);
	return status;
}
