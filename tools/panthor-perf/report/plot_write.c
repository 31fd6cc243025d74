// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Scripts for gnuplot. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot.h"
#include "print/text.h"
#include "recording/recording_meta.h"

#define PANEL_HEIGHT	270
#define HEAD_HEIGHT	60
/* Shades of more stretches than these would be more than one can see. */
#define MAX_SHADES	2000

/* Colours that colour-blind people can distinguish. */
static const char *const colors[] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933",
};

static const char *const dashes[] = { "1", "2", "4" };

enum shade {
	SHADE_NONE,
	SHADE_STRETCHED,
	SHADE_ERROR,
};

static const struct {
	const char *color;
	const char *title;
} shades[] = {
	[SHADE_STRETCHED] = { "#fff3c4", "samples with merged periods" },
	[SHADE_ERROR] = { "#f8c9c4", "counts missing (ERROR, OVERFLOW)" },
};

/**
 * struct points - values over time
 */
struct points {
	/** @start: When each begins, in s since the start of the recording. */
	double *start;

	/** @end: When it ends. */
	double *end;

	/** @shade: What its samples say about themselves. */
	enum shade *shade;

	/** @values: Values of all columns of all lists, a row per point; NAN: none. */
	double *values;

	/** @columns: Columns of all lists. */
	size_t columns;

	/** @count: Number of points. */
	size_t count;

	/** @samples: Samples of a point. */
	uint64_t samples;
};

static const char *ending(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strchr(dot, '/') ? dot : "";
}

const char *plot_terminal(const char *path)
{
	if (!strcmp(ending(path), ".svg"))
		return "svg noenhanced dynamic background '#ffffff' font 'sans-serif,13'";
	if (!strcmp(ending(path), ".png"))
		return "pngcairo noenhanced background '#ffffff' font 'sans,10'";
	return strcmp(ending(path), ".gp") ? NULL : "";
}

/* A text in quotes of gnuplot. */
static void quote(FILE *out, const char *text)
{
	char *copy = text_copy(text);
	const char *at = copy;

	fputc('\'', out);
	for (; at && *at; at++) {
		if (*at == '\'')
			fputc('\'', out);
		/* This ends CDATA in XML, where gnuplot leaves it as it is. */
		fputc(*at == '>' && at - copy >= 2 && at[-1] == ']' && at[-2] == ']' ? '?' : *at,
		      out);
	}
	fputc('\'', out);
	free(copy);
}

static void free_points(struct points *points)
{
	free(points->start);
	free(points->end);
	free(points->shade);
	free(points->values);
}

static int make_points(struct plot *plot, struct points *points)
{
	unsigned int i;
	size_t room;

	points->samples = (plot->range.count + PLOT_POINTS - 1) / PLOT_POINTS;
	room = (plot->range.count + points->samples - 1) / points->samples;
	for (i = 0; i < plot->list_count; i++)
		points->columns += plot->lists[i].count;
	points->start = calloc(room, sizeof(*points->start));
	points->end = calloc(room, sizeof(*points->end));
	points->shade = calloc(room, sizeof(*points->shade));
	points->values = calloc(room * points->columns, sizeof(*points->values));
	return points->start && points->end && points->shade && points->values ? 0 : -ENOMEM;
}

/* Amounts per second: samples differ in length. */
static void add_point(struct plot *plot, struct points *points, const struct total *total)
{
	const struct raw_end *quality = &total->quality;
	double *value = points->values + points->count * points->columns;
	unsigned int i;
	size_t j;

	points->start[points->count] = (quality->start_ns - plot->view->zero_ns) / 1e9;
	points->end[points->count] = (quality->end_ns - plot->view->zero_ns) / 1e9;
	if (quality->errors || quality->overflows)
		points->shade[points->count] = SHADE_ERROR;
	else if (quality->stretched)
		points->shade[points->count] = SHADE_STRETCHED;
	for (i = 0; i < plot->list_count; i++) {
		struct column_list *list = &plot->lists[i];

		for (j = 0; j < list->count; j++, value++) {
			struct column *column = &list->columns[j];
			struct value found = values_get(&total->values, column->event,
							column->instance);

			found = column_shown(column, found, total->time_ns);
			*value = found.valid ? found.number : NAN;
		}
	}
	points->count++;
}

static bool has_value(const struct points *points, size_t column)
{
	size_t i;

	for (i = 0; i < points->count; i++)
		if (!isnan(points->values[i * points->columns + column]))
			return true;
	return false;
}

/*
 * The counters ran in each point: a gap would say that they did not. A column that has a value
 * somewhere has 0 where its formula divides by 0; one that never has a value has no line.
 */
static void fill_gaps(struct points *points)
{
	size_t i, j;

	for (j = 0; j < points->columns; j++) {
		if (!has_value(points, j))
			continue;
		for (i = 0; i < points->count; i++)
			if (isnan(points->values[i * points->columns + j]))
				points->values[i * points->columns + j] = 0;
	}
}

/* Names the counters that have no line. */
static void note_no_values(const struct plot *plot, const struct points *points)
{
	const char *separator = "panthor-perf: note: no line, because no sample has a value: ";
	unsigned int i;
	char text[96];
	size_t j;

	for (i = 0; i < plot->panel_count; i++) {
		const struct panel *panel = &plot->panels[i];

		for (j = 0; j < panel->count; j++) {
			if (has_value(points, panel->first + j))
				continue;
			fprintf(stderr, "%s%s", separator,
				column_name(panel->list, &panel->columns[j], text, sizeof(text)));
			separator = ", ";
		}
	}
	if (*separator == ',')
		fputc('\n', stderr);
}

/* Leaves out panels without a line, such as that of a clock without readings. Those of -e stay. */
static void drop_empty_panels(struct plot *plot, const struct points *points)
{
	unsigned int i, kept = 0;
	size_t j;

	for (i = 0; i < plot->panel_count; i++) {
		const struct panel *panel = &plot->panels[i];
		bool has_line = !panel->title;

		for (j = 0; j < panel->count; j++)
			has_line |= has_value(points, panel->first + j);
		if (has_line)
			plot->panels[kept++] = *panel;
	}
	plot->panel_count = kept;
}

static int collect_points(struct plot *plot, struct points *points)
{
	struct progress progress = { .what = "reading", .total = plot->range.count };
	struct recording_sample sample;
	struct total total;
	int ret, status = EXIT_OK;
	uint64_t i;

	ret = total_init(&total, plot->view);
	if (ret)
		return fail(ret, "%s", plot->view->path);
	for (i = 0; i < plot->range.count && !status; i++) {
		if (i % points->samples == 0)
			total_clear(&total);
		status = recording_view_sample(plot->view, plot->range.first + i,
					       plot->range.first, &sample);
		if (!status)
			total_add(&total, sample.sample);
		if (!status && (i % points->samples == points->samples - 1 ||
				i == plot->range.count - 1))
			add_point(plot, points, &total);
		progress_show(&progress, i);
	}
	progress_remove();
	total_fini(&total);
	fill_gaps(points);
	return status;
}

/* The stretches of equal shade; a legend has a line for each kind that there is. */
static void write_shades(FILE *out, const struct points *points, bool *has)
{
	unsigned int object = 0;
	size_t i, first;

	for (i = 0; i < points->count; i++) {
		enum shade shade = points->shade[i];

		first = i;
		while (i + 1 < points->count && points->shade[i + 1] == shade)
			i++;
		if (shade == SHADE_NONE || object == MAX_SHADES)
			continue;
		has[shade] = true;
		fprintf(out, "set object %u rectangle from first %.9f, graph 0 to first %.9f, "
			"graph 1 behind fillcolor rgb '%s' fillstyle solid 1.0 noborder\n",
			++object, points->start[first], points->end[i], shades[shade].color);
	}
}

/* A prefix for the largest value of a panel. */
static double scale_of(const struct points *points, size_t first, size_t count, const char **prefix)
{
	static const struct {
		double scale;
		const char *prefix;
	} prefixes[] = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, };
	double most = 0;
	size_t i, j;

	for (i = 0; i < points->count; i++)
		for (j = 0; j < count; j++)
			if (fabs(points->values[i * points->columns + first + j]) > most)
				most = fabs(points->values[i * points->columns + first + j]);
	*prefix = "";
	for (i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (most < prefixes[i].scale)
			continue;
		*prefix = prefixes[i].prefix;
		return prefixes[i].scale;
	}
	return 1;
}

static const char *panel_unit_of(const struct column *column, char *text, size_t size)
{
	const char *unit = column_shown_unit(column, text, size);

	if (!strcmp(unit, "percent"))
		return "%";
	if (!strcmp(unit, "hertz"))
		return "Hz";
	if (!strcmp(unit, "bytes/s"))
		return "B/s";
	return unit;
}

static void write_row(FILE *out, double time, const double *values, size_t count, double scale)
{
	size_t i;

	fprintf(out, "%.9f", time);
	for (i = 0; i < count; i++) {
		if (isnan(values[i]))
			fputs(" NaN", out);
		else
			fprintf(out, " %.9g", values[i] / scale);
	}
	fputc('\n', out);
}

/* A value lasts from the start of its samples to their end; an empty line ends the line there. */
static void write_data(FILE *out, const struct points *points, unsigned int panel, size_t first,
		       size_t count, double scale)
{
	size_t i;

	fprintf(out, "$panel%u << EOD\n", panel);
	for (i = 0; i < points->count; i++) {
		const double *values = points->values + i * points->columns + first;

		write_row(out, points->start[i], values, count, scale);
		write_row(out, points->end[i], values, count, scale);
		if (i + 1 < points->count && points->start[i + 1] > points->end[i])
			fputc('\n', out);
	}
	fputs("EOD\n", out);
}

static void write_axes(FILE *out, const struct panel *panel, const char *unit, const char *prefix,
		       bool last, double most)
{
	char label[96];

	if (panel->title) {
		fputs("set title ", out);
		quote(out, panel->title);
		fputs(" offset 0,-0.6\n", out);
	} else {
		fputs("unset title\n", out);
	}
	snprintf(label, sizeof(label), "%s%s", prefix, unit);
	fputs("set ylabel ", out);
	quote(out, label);
	fputc('\n', out);
	if (!strcmp(unit, "%"))
		fprintf(out, "set yrange [0:%s]\n", most > 101 ? "*" : most > 100 ? "102" : "100");
	else
		fputs("set yrange [0:*]\n", out);
	fputs(last ? "set xlabel 'time in s since the start of the recording'\n" :
		     "unset xlabel\n", out);
}

static void write_lines(FILE *out, const struct panel *panel, unsigned int number,
			const bool *has)
{
	char name[96];
	size_t i;

	for (i = 0; i < panel->count; i++) {
		const struct column *column = &panel->columns[i];

		fprintf(out, "%s$panel%u using 1:%zu with lines linewidth 2 dashtype %s linecolor "
			"rgb '%s' title ", i ? ", \\\n  " : "plot ", number, i + 2,
			dashes[i / ARRAY_SIZE(colors) % ARRAY_SIZE(dashes)],
			colors[i % ARRAY_SIZE(colors)]);
		quote(out, column_name(panel->list, column, name, sizeof(name)));
	}
	/* Of the shades there is a legend in the first panel alone. */
	for (i = SHADE_STRETCHED; i <= SHADE_ERROR && !number; i++)
		if (has[i])
			fprintf(out, ", \\\n  NaN with boxes fillstyle solid 1.0 noborder "
				"linecolor rgb '%s' title '%s'", shades[i].color, shades[i].title);
	fputc('\n', out);
}

static void write_panel(FILE *out, const struct plot *plot, const struct points *points,
			unsigned int number, const bool *has)
{
	const struct panel *panel = &plot->panels[number];
	size_t first = panel->first, count = panel->count, i, j;
	const char *unit, *prefix = "";
	char text[64];
	double scale = 1, most = 0;

	unit = panel_unit_of(&panel->columns[0], text, sizeof(text));
	if (strcmp(unit, "%"))
		scale = scale_of(points, first, count, &prefix);
	for (i = 0; i < points->count; i++)
		for (j = 0; j < count; j++)
			if (points->values[i * points->columns + first + j] > most)
				most = points->values[i * points->columns + first + j];
	write_data(out, points, number, first, count, scale);
	write_axes(out, panel, unit, prefix, number == plot->panel_count - 1, most);
	write_lines(out, panel, number, has);
}

static void write_head(FILE *out, const struct plot *plot, const struct points *points)
{
	const char *terminal = plot_terminal(plot->path);
	const char *slash = strrchr(plot->view->path, '/');
	char name[64], date[64], title[512];
	size_t used;

	used = snprintf(title, sizeof(title), "%s: %s",
			gpu_name(&plot->view->gpu, name, sizeof(name)),
			slash ? slash + 1 : plot->view->path);
	if (recording_meta(plot->view->recording, "date", date, sizeof(date)) &&
	    used < sizeof(title))
		used += snprintf(title + used, sizeof(title) - used, ", %s", date);
	if (points->samples > 1 && used < sizeof(title))
		snprintf(title + used, sizeof(title) - used, ", each point %" PRIu64 " samples",
			 points->samples);
	if (*terminal) {
		fprintf(out, "set terminal %s size %u,%u\n", terminal, plot->width,
			plot->height ? plot->height :
				       HEAD_HEIGHT + PANEL_HEIGHT * plot->panel_count);
	} else {
		fputs("# Set a terminal and an output, then load this file.\n", out);
	}
	fprintf(out, "set multiplot layout %u,1 title ", plot->panel_count);
	quote(out, title);
	fprintf(out, " noenhanced font ',14'\n"
		"set lmargin 12\nset rmargin 42\nset tmargin 2.5\nset bmargin 3.5\n"
		"set key at graph 1.02, graph 1 left top vertical Left reverse noenhanced samplen 2\n"
		"set grid xtics ytics back linetype 1 linewidth 1 linecolor rgb '#d4d4d4'\n"
		"set border 3\nset tics nomirror\n"
		"set xrange [%.9f:%.9f]\nset format y '%%.6g'\n", points->start[0],
		points->end[points->count - 1]);
}

int plot_write(struct plot *plot, FILE *out)
{
	struct points points = { 0 };
	bool has[SHADE_ERROR + 1] = { 0 };
	unsigned int i;
	int ret, status;

	ret = make_points(plot, &points);
	status = ret ? fail(ret, "%s", plot->view->path) : collect_points(plot, &points);
	if (!status) {
		drop_empty_panels(plot, &points);
		if (!plot->panel_count)
			status = fail(0, "%s: no sample has a value of what is drawn without -e",
				      plot->view->path);
	}
	if (!status) {
		note_no_values(plot, &points);
		write_head(out, plot, &points);
		write_shades(out, &points, has);
		for (i = 0; i < plot->panel_count; i++)
			write_panel(out, plot, &points, i, has);
		fputs("unset multiplot\n", out);
	}
	free_points(&points);
	return status;
}
