/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_GNUPLOT_H
#define PANTHOR_PERF_GNUPLOT_H

#include <stddef.h>

/**
 * struct picture - a picture
 */
struct picture {
	/** @data: Content of its file, to be freed. */
	char *data;

	/** @size: Bytes at @data. */
	size_t size;
};

/**
 * gnuplot_run() - Have gnuplot draw a picture
 * @script: File descriptor of the script, which sets a terminal and no output.
 * @picture: Where it is returned.
 *
 * Return: 0; -ENOENT: there is no gnuplot; -EPROTO: it has not drawn a whole picture, SVG or PNG;
 * another negative errno.
 */
int gnuplot_run(int script, struct picture *picture);

#endif /* PANTHOR_PERF_GNUPLOT_H */
