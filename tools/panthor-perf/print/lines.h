/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_LINES_H
#define PANTHOR_PERF_LINES_H

#include <stdio.h>

/** define LINE_COLUMNS - columns of a line that is not printed to a terminal */
#define LINE_COLUMNS	100

/**
 * line_columns() - How long lines of a table may be
 * @out: Where they are printed.
 *
 * Return: Columns: of the terminal, or %LINE_COLUMNS if @out is none.
 */
int line_columns(FILE *out);

/**
 * line_count() - How many lines are seen at once
 * @out: Where they are printed.
 *
 * Return: Lines of the terminal, or %INT_MAX if @out is none.
 */
int line_count(FILE *out);

/**
 * line_limit() - How long lines may be that are not shortened in a file
 * @out: Where they are printed.
 *
 * Return: Columns of the terminal, or %INT_MAX if @out is none.
 */
int line_limit(FILE *out);

/**
 * line_columns_of_stdout() - Say how wide the terminal is that a pager shows the output on
 * @columns: Its columns; 0: there is no pager.
 */
void line_columns_of_stdout(int columns);

/**
 * print_cut() - Print what fits into the rest of a line, with dots at the end if it is not all
 * @out: Where to.
 * @text: The text, in UTF-8.
 * @columns: Columns that are left. Nothing is printed if that is too few to make sense.
 */
void print_cut(FILE *out, const char *text, int columns);

/**
 * print_name() - Print a name as a column: with spaces behind it, or as print_cut()
 * @out: Where to.
 * @name: The name, in UTF-8.
 * @width: Columns.
 */
void print_name(FILE *out, const char *name, int width);

/**
 * print_wrapped() - Print words in lines, none of which is too long, unless a word is
 * @out: Where to.
 * @text: The words, in UTF-8. A newline follows the last one. A percent sign stays with its number.
 * @used: Columns that the first line has already.
 * @indent: Spaces at the begin of the other lines.
 * @columns: Columns of a line.
 */
void print_wrapped(FILE *out, const char *text, int used, int indent, int columns);

#endif /* PANTHOR_PERF_LINES_H */
