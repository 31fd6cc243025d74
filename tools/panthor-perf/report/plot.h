/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_PLOT_H
#define PANTHOR_PERF_PLOT_H

#include "report.h"

/** define PLOT_MAX_LISTS - selections of counters, at most */
#define PLOT_MAX_LISTS	16

/** define PLOT_MAX_PANELS - panels of a plot, at most */
#define PLOT_MAX_PANELS	32

/** define PLOT_MAX_LINES - lines of a panel, at most */
#define PLOT_MAX_LINES	12

/** define PLOT_POINTS - points of a line, at most: more samples are put together */
#define PLOT_POINTS	1500

/**
 * struct panel - a panel of a plot: counters of one selection that have the same unit
 */
struct panel {
	/** @list: The selection; one of &struct plot. */
	struct column_list *list;

	/** @columns: Its lines, a part of the columns of @list. */
	const struct column *columns;

	/** @count: Number of @columns. */
	size_t count;

	/** @first: Number of columns of the panels before it. */
	size_t first;

	/** @title: Its title, %NULL for none. A panel with a title was not selected by -e. */
	const char *title;
};

/**
 * struct plot - a plot: panels one below another, over the same time
 */
struct plot {
	/** @view: The recording. */
	const struct recording_view *view;

	/** @range: The samples. */
	struct range range;

	/** @lists: Selections of counters, sorted by unit. */
	struct column_list lists[PLOT_MAX_LISTS];

	/** @list_count: Their number. */
	unsigned int list_count;

	/** @panels: The panels, in the order of the columns of @lists. */
	struct panel panels[PLOT_MAX_PANELS];

	/** @panel_count: Their number. */
	unsigned int panel_count;

	/** @width: Width of the picture in pixels. */
	unsigned int width;

	/** @height: Its height; 0: by the number of panels. */
	unsigned int height;

	/** @path: Path of the file to write. */
	const char *path;
};

/**
 * plot_terminal() - What gnuplot writes a file with
 * @path: Path of the file.
 *
 * Return: A terminal of gnuplot by the name's ending, .svg or .png; "" for .gp, a script to be run
 * later; %NULL for another.
 */
const char *plot_terminal(const char *path);

/**
 * plot_write() - Write the script of a plot
 * @plot: The plot.
 * @out: Where to.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int plot_write(struct plot *plot, FILE *out);

/**
 * plot_run() - Make the file of a plot
 * @plot: The plot.
 *
 * Runs gnuplot unless the file is a script.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int plot_run(struct plot *plot);

#endif /* PANTHOR_PERF_PLOT_H */
