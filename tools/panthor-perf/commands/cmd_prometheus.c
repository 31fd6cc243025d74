// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Totals for Prometheus, in its text format 0.0.4. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <panthor_perf.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#include "cmd.h"
#include "file/new_file.h"
#include "measure/child.h"
#include "measure/session_args.h"
#include "print/output.h"

#define NS_PER_S		1000000000ull
#define DEFAULT_INTERVAL_NS	(15 * NS_PER_S)
#define MAX_INTERVAL_S		86400
#define SUFFIX			".prom"
#define RENDER_MINORS		128
#define SERIES			3
#define FINAL_TIMEOUT_MS	10000

static const char doc[] =
	"Write what a GPU has counted, for Prometheus.\v"
	"With -o, the program writes FILE again at each interval, for the textfile collector of "
	"Prometheus' node exporter, and removes it at the end. The exporter reads FILE as a whole, "
	"old or new. Without -o, it counts for one interval, writes to standard output and ends.\n\n"
	"All counts are totals since the start: Prometheus computes rates of them. They go on when "
	"the GPU is suspended, which the program allows. If FILE cannot be written, for example on "
	"a full disk, it stays as it was, with a message, and the next interval tries again: no "
	"count is lost, and panthor_last_sample_timestamp_seconds shows the age.\n\n"
	"While the program runs, other programs can count the primary set, but no other set.\n\n"
	HELP_EXIT;

static const struct argp_option options[] = {
	{ "interval", 'I', "SECONDS", 0, "Time between two samples, at least 1 (default: 15)", 0 },
	{ "output", 'o', "FILE", 0, "Write FILE, whose name ends in .prom", 0 },
	{ 0 },
};

struct arguments {
	struct common_options common;
	const char *output;
	uint64_t interval_ns;
};

/* Cycles and bytes, of derived counters that are amounts: what adds up. */
static const struct family {
	const char *name, *help;
	const struct {
		const char *label, *counter;
	} series[SERIES];
} families[] = {
	{ "panthor_gpu_active_cycles_total", "Cycles in which the GPU was active.",
	  { { "", "gpu_active" } } },
	{ "panthor_queue_active_cycles_total", "Cycles in which a queue had work.",
	  { { "queue=\"fragment\"", "frag_queue_cy" }, { "queue=\"vertex\"", "geom_queue_cy" },
	    { "queue=\"compute\"", "comp_queue_cy" } } },
	{ "panthor_tiler_active_cycles_total", "Cycles in which the tiler was active.",
	  { { "", "MaliTilerActiveCy" } } },
	{ "panthor_execution_core_active_cycles_total",
	  "Cycles in which the execution cores were active, of all shader cores together.",
	  { { "", "MaliCoreActiveCy" } } },
	{ "panthor_external_bytes_total", "Bytes that the GPU moved over its external bus.",
	  { { "direction=\"read\"", "ext_rd_bytes" }, { "direction=\"write\"", "ext_wr_bytes" } } },
};

/**
 * struct totals - what has been counted
 */
struct totals {
	/** @args: What the user wants. */
	struct arguments args;

	/** @device: The GPU. */
	struct panthor_perf_device *device;

	/** @view: Its counter configuration, and what counters mean. */
	struct gpu_view view;

	/** @values: The sum of all samples. */
	struct panthor_perf_values *values;

	/** @session: The session. */
	struct panthor_perf_session *session;

	/** @gpu: Value of the label gpu. */
	char gpu[32];

	/** @inexact: Samples with ERROR or OVERFLOW. */
	uint64_t inexact;

	/** @last: CLOCK_REALTIME of the last sample. */
	struct timespec last;

	/** @written: The last value of each series of a family. */
	double written[ARRAY_SIZE(families)][SERIES];

	/** @failed: The file could not be written the last time. */
	bool failed;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->common;
		return 0;
	case 'I':
		args->interval_ns = NS_PER_S * parse_number(state, "interval in s", arg, 1,
							    MAX_INTERVAL_S);
		return 0;
	case 'o':
		if (!has_suffix(arg, SUFFIX))
			argp_error(state, "the node exporter reads no file like '%s': its name "
				   "ends in " SUFFIX, arg);
		args->output = arg;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = doc,
	.children = common_children,
};

static const struct panthor_perf_counter *counter_of(const struct totals *totals, const char *name)
{
	return totals->view.table ? panthor_perf_table_counter(totals->view.table, name) : NULL;
}

/* Without a sample there are no values: all totals are 0. */
static bool nothing_yet(const struct totals *totals)
{
	return !panthor_perf_values_samples(totals->values);
}

static void put_family(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* A double has all digits of a count up to 2^53, and 17 digits beyond. */
static void put_number(FILE *out, const struct totals *totals, const char *name, const char *label,
		       double number)
{
	fprintf(out, "%s{gpu=\"%s\"%s%s} ", name, totals->gpu, *label ? "," : "", label);
	if (number == floor(number) && fabs(number) < 0x1p53)
		fprintf(out, "%.0f\n", number);
	else
		fprintf(out, "%.17g\n", number);
}

static void put_one(FILE *out, const struct totals *totals, const char *name, const char *type,
		    const char *help, double number)
{
	put_family(out, name, type, help);
	put_number(out, totals, name, "", number);
}

/* In label values, backslashes, quotes and ends of lines are escaped. */
static void put_label(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",%s=\"", name);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", out);
		else
			fprintf(out, "%s%c", *value == '\\' || *value == '"' ? "\\" : "", *value);
	}
	fputc('"', out);
}

static void put_info(FILE *out, const struct totals *totals)
{
	const char *name = product_name(totals->view.gpu_id);
	char text[64];

	put_family(out, "panthor_gpu_info", "gauge", "The GPU, always 1.");
	fprintf(out, "panthor_gpu_info{gpu=\"%s\"", totals->gpu);
	put_label(out, "device", panthor_perf_device_path(totals->device));
	put_label(out, "name", name ? name : "unknown");
	snprintf(text, sizeof(text), "0x%0*" PRIx64, gpu_id_digits(totals->view.gpu_id),
		 totals->view.gpu_id);
	put_label(out, "gpu_id", text);
	snprintf(text, sizeof(text), "%u", totals->view.info.shader_blocks);
	put_label(out, "shader_cores", text);
	snprintf(text, sizeof(text), "%u", totals->view.info.memsys_blocks);
	put_label(out, "l2_slices", text);
	fputs("} 1\n", out);
}

static void put_domains(FILE *out, const struct totals *totals)
{
	static const char name[] = "panthor_clock_cycles_total";
	const uint32_t supported = totals->view.info.supported_clocks;
	struct drm_panthor_perf_clocks clocks = { 0 };
	bool begun = false;
	unsigned int clock;
	uint64_t cycles;
	char label[64];

	for (clock = 0; panthor_perf_clock_name(clock); clock++) {
		if (!panthor_perf_values_cycles(totals->values, clock, &cycles)) {
			if (!nothing_yet(totals) || !(supported & 1u << clock))
				continue;
			cycles = 0;
		}
		if (!begun)
			put_family(out, name, "counter", "Cycles of the GPU's clocks.");
		begun = true;
		snprintf(label, sizeof(label), "domain=\"%s\"", panthor_perf_clock_name(clock));
		put_number(out, totals, name, label, cycles);
	}
	if (!panthor_perf_device_clocks(totals->device, &clocks, sizeof(clocks), NULL) &&
	    clocks.toplevel.rate_hz)
		put_one(out, totals, "panthor_clock_hertz", "gauge", "Rate of the core clock.",
			clocks.toplevel.rate_hz);
}

/* Of a difference, the GPU may count the parts at different moments. A total never falls. */
static double risen(double *written, double number)
{
	if (number > *written)
		*written = number;
	return *written;
}

static void put_families(FILE *out, struct totals *totals)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		const struct family *family = &families[i];
		bool begun = false;

		for (k = 0; k < SERIES && family->series[k].counter; k++) {
			const struct panthor_perf_counter *counter =
				counter_of(totals, family->series[k].counter);
			double number;

			if (!counter)
				continue;
			if (!panthor_perf_values_number(totals->values, counter,
							PANTHOR_PERF_ALL_BLOCKS, &number)) {
				if (!nothing_yet(totals))
					continue;
				number = 0;
			}
			if (!begun)
				put_family(out, family->name, "counter", family->help);
			begun = true;
			put_number(out, totals, family->name, family->series[k].label,
				   risen(&totals->written[i][k], number));
		}
	}
}

static void put_all(FILE *out, void *arg)
{
	struct totals *totals = arg;
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;

	panthor_perf_session_quality(totals->session, &quality);
	put_info(out, totals);
	put_families(out, totals);
	put_domains(out, totals);
	put_one(out, totals, "panthor_observed_seconds_total", "counter",
		"Time that the samples cover, suspended or not.",
		panthor_perf_values_time_ns(totals->values) / 1e9);
	put_one(out, totals, "panthor_samples_total", "counter", "Samples.",
		panthor_perf_values_samples(totals->values));
	put_one(out, totals, "panthor_inexact_samples_total", "counter",
		"Samples in which counts may be missing (ERROR or OVERFLOW).", totals->inexact);
	put_one(out, totals, "panthor_merged_periods_total", "counter",
		"Periods without a sample of their own. Nothing is lost.", quality.merged);
	put_one(out, totals, "panthor_lost_samples_total", "counter",
		"Samples that were not read.", quality.lost);
	put_family(out, "panthor_last_sample_timestamp_seconds", "gauge",
		   "When the last sample was read, or counting began.");
	fprintf(out, "panthor_last_sample_timestamp_seconds{gpu=\"%s\"} %lld.%03ld\n", totals->gpu,
		(long long)totals->last.tv_sec, totals->last.tv_nsec / 1000000);
}

/* The first time, the command ends; later, it says so once and tries again. */
static int write_totals(struct totals *totals, bool first)
{
	const char *path = totals->args.output;
	int ret = new_file_replace(path, put_all, totals);

	if (ret && (first || !totals->failed))
		fail(ret, "writing %s", path);
	if (!ret && totals->failed)
		fail(0, "%s is written again", path);
	totals->failed = ret;
	return ret && first ? EXIT_ERROR : EXIT_OK;
}

static int read_samples(struct totals *totals, bool *read)
{
	const uint32_t bad = DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	const struct panthor_perf_sample *sample;
	int ret;

	*read = false;
	while ((ret = panthor_perf_session_wait(totals->session, 0, &error)) > 0) {
		ret = panthor_perf_session_read(totals->session, &sample, &error);
		if (ret < 0)
			break;
		panthor_perf_values_add(totals->values, sample);
		totals->inexact += !!(panthor_perf_sample_flags(sample) & bad);
		clock_gettime(CLOCK_REALTIME, &totals->last);
		*read = true;
	}
	return ret < 0 ? fail(0, "reading samples: %s", error.text) : EXIT_OK;
}

static int write_periodically(struct totals *totals, struct child *child)
{
	int fd = panthor_perf_session_fd(totals->session);
	int status, reason = WAKE_TIME;
	bool read = false;

	/* Prometheus sees a rise from a scraped value. A suspended GPU has no samples. */
	clock_gettime(CLOCK_REALTIME, &totals->last);
	status = write_totals(totals, true);
	while (!status && reason != WAKE_END) {
		reason = child_pause(child, 0, fd);
		status = reason < 0 ? fail(reason, "waiting") : read_samples(totals, &read);
		if (!status && read)
			status = write_totals(totals, false);
	}
	unlink(totals->args.output);
	return status;
}

/* One interval, whose end is the final sample. */
static int print_once(struct totals *totals, struct child *child)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int status, ret;
	bool read;

	ret = child_pause(child, now_ns() + totals->args.interval_ns, -1);
	if (ret < 0)
		return fail(ret, "waiting");
	if (panthor_perf_session_stop(totals->session, 0, &error))
		return fail(0, "stopping: %s", error.text);
	ret = panthor_perf_session_wait(totals->session, FINAL_TIMEOUT_MS, &error);
	if (ret <= 0)
		return fail(0, "waiting for the sample: %s", ret ? error.text : "it did not come");
	status = read_samples(totals, &read);
	if (!status)
		put_all(stdout, totals);
	return status;
}

static int run_session(struct totals *totals)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct child child = { 0 };
	int ret, status;

	ret = child_init(&child);
	if (ret)
		return fail(ret, "catching signals");
	if (panthor_perf_session_start(totals->session, 0, &error))
		status = fail(0, "starting: %s", error.text);
	else if (totals->args.output)
		status = write_periodically(totals, &child);
	else
		status = print_once(totals, &child);
	child_fini(&child);
	return status;
}

static int select_totals(const struct totals *totals, struct panthor_perf_selection *selection)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		for (k = 0; k < SERIES; k++) {
			const char *name = families[i].series[k].counter;

			if (name && counter_of(totals, name) &&
			    panthor_perf_selection_add(selection, name, &error))
				return fail(0, "selecting %s: %s", name, error.text);
		}
	}
	return EXIT_OK;
}

static int with_selection(struct totals *totals, struct panthor_perf_selection *selection)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int status = select_totals(totals, selection);

	if (status)
		return status;
	if (panthor_perf_values_create(selection, &totals->values, &error))
		return fail(0, "selecting counters: %s", error.text);
	config.selection = selection;
	config.sample_period_ns = totals->args.output ? totals->args.interval_ns : 0;
	if (totals->view.info.flags & DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT)
		config.flags = DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	if (panthor_perf_session_create(totals->device, &config, &totals->session, &error)) {
		status = session_error(panthor_perf_device_path(totals->device), true, &error);
	} else {
		status = run_session(totals);
		panthor_perf_session_destroy(totals->session);
	}
	panthor_perf_values_destroy(totals->values);
	return status;
}

/* Other exporters number GPUs from 0. */
static void name_gpu(struct totals *totals)
{
	const char *path = panthor_perf_device_path(totals->device);
	const char *slash = strrchr(path, '/');
	unsigned int minor;

	if (sscanf(slash ? slash + 1 : path, "renderD%u", &minor) == 1 && minor >= RENDER_MINORS)
		snprintf(totals->gpu, sizeof(totals->gpu), "%u", minor - RENDER_MINORS);
	else
		snprintf(totals->gpu, sizeof(totals->gpu), "0");
}

static int with_device(struct totals *totals)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_selection *selection;
	int status = open_view(&totals->args.common, totals->device, &totals->view);

	if (status)
		return status;
	name_gpu(totals);
	if (panthor_perf_selection_create(totals->view.object, totals->view.table,
					  DRM_PANTHOR_PERF_SET_PRIMARY, &selection, &error)) {
		status = fail(0, "selecting counters: %s", error.text);
	} else {
		status = with_selection(totals, selection);
		panthor_perf_selection_destroy(selection);
	}
	close_view(&totals->view);
	return status;
}

/**
 * cmd_prometheus() - The sub-command prometheus
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_prometheus(int argc, char **argv)
{
	struct totals totals = { .args.interval_ns = DEFAULT_INTERVAL_NS };
	int status;

	if (parse_arguments(&argp, argc, argv, 0, &totals.args))
		return EXIT_USAGE;
	status = totals.args.output ? output_check(totals.args.output) : EXIT_OK;
	if (!status)
		status = open_device(totals.args.common.device, &totals.device);
	if (status)
		return status;
	status = with_device(&totals);
	panthor_perf_device_close(totals.device);
	return status;
}
