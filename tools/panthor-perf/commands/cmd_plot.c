// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "print/output.h"
#include "reader_args.h"
#include "report/gnuplot.h"
#include "report/plot.h"

#define DEFAULT_PLOT	"panthor-perf.svg"
#define DEFAULT_WIDTH	1200
#define MIN_SIZE	200
#define MAX_SIZE	20000

static const char doc[] =
	"Draw a recording, with gnuplot.\vEach -e makes a panel for each unit of its counters. The "
	"panels are one below another, over the same time. Without -e they show how busy the GPU "
	"is, its clock, the utilisation of its queues and of the shader cores, and the bandwidth "
	"of the external bus, as far as the recording has their values. The program draws amounts, such as cycles and bytes, per second, and shares, ratios and rates "
	"as their values. Each value is drawn over the time of its sample. There is a gap where "
	"the counters did not run. A ratio to 0, such as bytes per pixel without pixels, is drawn "
	"as 0. Where samples have the flag ERROR, OVERFLOW or STRETCHED, the background is "
	"coloured. If there are more samples than the picture has room for, the program combines "
	"several into a point.\n\n"
	"The suffix of OUT selects the format: .svg, .png, or .gp for a script that gnuplot runs "
	"later.\n\n"
	"Exit status: 0 done; 1 the recording cannot be read, or there is no gnuplot, or it fails; "
	"2 wrong command line, or the recording does not have what was selected.";

enum {
	OPTION_SIZE = 0x200,
};

static const struct argp_option options[] = {
	{ "output", 'o', "OUT", 0, "File to write (default: " DEFAULT_PLOT ")", 0 },
	{ "event", 'e', "EVENTS", 0, "Draw these counters, in a panel for each unit: "
	  "NAME,... or BLOCK:INDEX,...", 0 },
	{ "per-instance", 'i', NULL, 0, "Draw a line for each block, instead of their sum", 0 },
	{ "size", OPTION_SIZE, "WxH", 0, "Size of the picture in pixels (default: 1200 wide, and "
	  "as high as the panels need)", 0 },
	{ 0 },
};

struct arguments {
	struct reader_args reader;
	struct plot plot;
	/* Whether the user chose the name of the file. */
	bool named;
};

static void parse_size(struct argp_state *state, struct plot *plot, const char *arg)
{
	unsigned int width, height;
	int used = 0;

	if (sscanf(arg, "%5ux%5u%n", &width, &height, &used) != 2 || arg[used] ||
	    width < MIN_SIZE || width > MAX_SIZE || height < MIN_SIZE || height > MAX_SIZE)
		argp_error(state, "size '%s' is not WxH, from %ux%u to %ux%u", arg, MIN_SIZE,
			   MIN_SIZE, MAX_SIZE, MAX_SIZE);
	plot->width = width;
	plot->height = height;
}

static error_t parse_plot(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case 'e':
		if (args->reader.events.count == PLOT_MAX_LISTS)
			argp_error(state, "more than %d options -e", PLOT_MAX_LISTS);
		return reader_parse(key, arg, state, &args->reader);
	case 'o':
		args->plot.path = arg;
		args->named = true;
		if (!plot_terminal(arg))
			argp_error(state, "the name of '%s' does not end in .svg, .png or .gp",
				   arg);
		return 0;
	case OPTION_SIZE:
		parse_size(state, &args->plot, arg);
		return 0;
	default:
		return reader_parse(key, arg, state, &args->reader);
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_plot,
	.args_doc = "[FILE]",
	.doc = doc,
	.children = reader_children,
};

/* Panels of derived counters that most tables have, by their ids. */
static const struct {
	const char *title;
	const char *names[8];
} defaults[] = {
	{ "GPU busy", { "gpu_busy" } },
	{ "Queues busy", { "frag_queue_util", "geom_queue_util", "comp_queue_util" } },
	{ "Tiler and shader cores busy", { "tiler_util", "core_util", "alu_util", "tex_util",
					   "ls_util", "var_util" } },
	{ "External bus", { "ext_rd_bw", "ext_wr_bw" } },
	{ "External bus stalls", { "ext_rd_stall", "ext_wr_stall" } },
	{ "GPU clock", { "gpu_clock" } },
};

/* Of several instances, the sum is left out. */
static void drop_sums(struct column_list *list)
{
	size_t i, kept = 0;

	for (i = 0; i < list->count; i++) {
		bool has_instances = i + 1 < list->count &&
				     list->columns[i + 1].instance != VALUE_SUM;

		if (list->columns[i].instance != VALUE_SUM || !has_instances)
			list->columns[kept++] = list->columns[i];
	}
	list->count = kept;
}

/* Columns of the same unit follow on one another, in the order in which the units appear first. */
static int sort_units(struct column_list *list)
{
	struct column *sorted = calloc(list->count, sizeof(*sorted));
	bool *taken = calloc(list->count, sizeof(*taken));
	char unit[64], other[64];
	size_t count = 0, i, j;

	for (i = 0; i < list->count && sorted && taken; i++) {
		const char *text = column_shown_unit(&list->columns[i], unit, sizeof(unit));

		for (j = i; j < list->count; j++) {
			if (taken[j] || strcmp(text, column_shown_unit(&list->columns[j], other,
								       sizeof(other))))
				continue;
			taken[j] = true;
			sorted[count++] = list->columns[j];
		}
	}
	if (count == list->count)
		memcpy(list->columns, sorted, count * sizeof(*sorted));
	free(sorted);
	free(taken);
	return count == list->count ? EXIT_OK : fail(-ENOMEM, "plot");
}

static int add_panel(struct plot *plot, struct column_list *list, size_t first, const char *title)
{
	char unit[64], other[64];
	struct panel *panel, *before;
	const char *text;

	if (plot->panel_count == PLOT_MAX_PANELS) {
		fail(0, "more than %d panels: a panel shows counters of one unit", PLOT_MAX_PANELS);
		return EXIT_USAGE;
	}
	panel = &plot->panels[plot->panel_count++];
	*panel = (struct panel) { .list = list, .columns = &list->columns[first], .title = title };
	before = panel > plot->panels ? panel - 1 : NULL;
	panel->first = before ? before->first + before->count : 0;
	text = column_shown_unit(panel->columns, unit, sizeof(unit));
	while (first + panel->count < list->count &&
	       !strcmp(text, column_shown_unit(&panel->columns[panel->count], other,
					       sizeof(other))))
		panel->count++;
	if (panel->count <= PLOT_MAX_LINES)
		return EXIT_OK;
	fail(0, "%zu lines in a panel cannot be distinguished: name at most %d counters of a unit",
	     panel->count, PLOT_MAX_LINES);
	return EXIT_USAGE;
}

/* The panels of a selection: one for each unit. */
static int add_panels(struct arguments *args, const char *title, const char *text)
{
	struct plot *plot = &args->plot;
	struct column_list *list = &plot->lists[plot->list_count];
	size_t first = 0;
	int status;

	status = columns_init(list, plot->view, &text, 1, false, args->reader.instances);
	if (status) {
		columns_fini(list);
		return status;
	}
	plot->list_count++;
	if (args->reader.instances)
		drop_sums(list);
	status = sort_units(list);
	while (first < list->count && !status) {
		status = add_panel(plot, list, first, title);
		first += plot->panels[plot->panel_count - 1].count;
	}
	return status;
}

/*
 * Those of the default panels that the recording has counters for; the rest is left out without a
 * word. Whether their samples have a value is not known yet.
 */
static int add_defaults(struct arguments *args)
{
	const struct recording_view *view = args->plot.view;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(defaults) && view->gpu.table; i++) {
		char text[256] = "";

		for (j = 0; j < ARRAY_SIZE(defaults[i].names) && defaults[i].names[j]; j++) {
			const char *name = defaults[i].names[j];
			struct event event = {
				.counter = panthor_perf_table_counter(view->gpu.table, name),
			};

			if (!event.counter || !event_is_derived(&event) ||
			    !recording_view_has(view, &event))
				continue;
			if (*text)
				strcat(text, ",");
			strcat(text, name);
		}
		if (*text && add_panels(args, defaults[i].title, text))
			return EXIT_ERROR;
	}
	if (args->plot.panel_count)
		return EXIT_OK;
	fail(0, "%s has none of the counters that are drawn without -e: name some", view->path);
	return EXIT_ERROR;
}

/*
 * Of gnuplot alone the picture is wanted: the script is written first, so that both never wait for
 * each other.
 */
static int make_picture(struct plot *plot, struct picture *picture)
{
	FILE *script = tmpfile();
	int ret, status;

	if (!script)
		return fail(-errno, "a temporary file");
	status = plot_write(plot, script);
	ret = output_error(script);
	if (!status && ret)
		status = fail(ret, "a temporary file");
	if (status) {
		fclose(script);
		return status;
	}
	rewind(script);
	ret = gnuplot_run(fileno(script), picture);
	fclose(script);
	if (ret == -ENOENT)
		return fail(0, "there is no gnuplot here, which draws the plot: install it "
			    "(package gnuplot-nox or gnuplot), or write a script with -o NAME.gp and run that "
			    "elsewhere");
	if (ret == -EPROTO)
		return fail(0, "gnuplot failed: %s is not written", plot->path);
	return ret ? fail(ret, "running gnuplot") : EXIT_OK;
}

static int write_picture(struct plot *plot)
{
	struct picture picture = { 0 };
	int status = output_check(plot->path), ret;
	struct output output;

	if (!status)
		status = make_picture(plot, &picture);
	if (!status)
		status = output_create(&output, plot->path);
	if (!status) {
		fwrite(picture.data, 1, picture.size, output.out);
		ret = output_commit(&output, 0);
		if (ret)
			status = fail(ret, "writing %s", plot->path);
	}
	free(picture.data);
	return status;
}

static int write_script(struct plot *plot)
{
	struct output output;
	int status = output_create(&output, plot->path), ret;

	if (status)
		return status;
	status = plot_write(plot, output.out);
	ret = output_commit(&output, status);
	if (ret && !status)
		status = fail(ret, "writing %s", plot->path);
	return status;
}

int plot_run(struct plot *plot)
{
	return *plot_terminal(plot->path) ? write_picture(plot) : write_script(plot);
}

static int draw(struct arguments *args)
{
	struct plot *plot = &args->plot;
	unsigned int i;
	int status;

	status = recording_view_range(plot->view, &args->reader.range, &plot->range);
	for (i = 0; i < args->reader.events.count && !status; i++)
		status = add_panels(args, NULL, args->reader.events.texts[i]);
	if (!status && !args->reader.events.count)
		status = add_defaults(args);
	if (!status)
		status = plot_run(plot);
	for (i = 0; i < plot->list_count; i++)
		columns_fini(&plot->lists[i]);
	return status;
}

/**
 * cmd_plot() - The sub-command plot
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_plot(int argc, char **argv)
{
	struct arguments *args = calloc(1, sizeof(*args));
	struct recording_view view;
	int status;

	if (!args)
		return fail(-ENOMEM, "plot");
	args->reader.file_limit = 1;
	args->plot.path = DEFAULT_PLOT;
	args->plot.width = DEFAULT_WIDTH;
	args->plot.view = &view;
	status = parse_arguments(&argp, argc, argv, 0, args) ? EXIT_USAGE : EXIT_OK;
	if (!status)
		status = recording_view_open(&view, args->reader.files[0],
					     args->reader.common.counters);
	if (!status) {
		status = draw(args);
		recording_view_close(&view);
	}
	if (!status && !args->named)
		note_default_file(args->plot.path);
	free(args);
	return status;
}
