// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Lines that are not too long. */

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lines.h"

#define DOTS		"..."

/* Bytes of a character are 10xxxxxx from the second on. */
static bool is_continuation(char byte)
{
	return (byte & 0xc0) == 0x80;
}

static int columns_of(const char *text, size_t size)
{
	int columns = 0;

	while (size--)
		columns += !is_continuation(*text++);
	return columns;
}

/* Those of the terminal if a pager shows the standard output there, or 0. */
static int columns_of_stdout;

void line_columns_of_stdout(int columns)
{
	columns_of_stdout = columns;
}

int line_columns(FILE *out)
{
	struct winsize size;

	if (out == stdout && columns_of_stdout)
		return columns_of_stdout;
	if (ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_col)
		return LINE_COLUMNS;
	return size.ws_col;
}

int line_count(FILE *out)
{
	struct winsize size;

	return !ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_row ? size.ws_row : INT_MAX;
}

int line_limit(FILE *out)
{
	return isatty(fileno(out)) || (out == stdout && columns_of_stdout) ? line_columns(out) :
									     INT_MAX;
}

void print_cut(FILE *out, const char *text, int columns)
{
	size_t size = 0;

	if (columns <= (int)strlen(DOTS))
		return;
	if (columns_of(text, strlen(text)) <= columns) {
		fputs(text, out);
		return;
	}
	for (columns -= strlen(DOTS); columns; columns--) {
		do
			size++;
		while (is_continuation(text[size]));
	}
	fprintf(out, "%.*s" DOTS, (int)size, text);
}

void print_name(FILE *out, const char *name, int width)
{
	int columns = columns_of(name, strlen(name));

	print_cut(out, name, width);
	fprintf(out, "%*s", columns < width ? width - columns : 0, "");
}

void print_wrapped(FILE *out, const char *text, int used, int indent, int columns)
{
	const char *separator = "";

	while (*text) {
		size_t size = strcspn(text, " ");
		int width;

		/* A percent sign stays with its number. */
		if (!strncmp(text + size, " %", 2))
			size += 1 + strcspn(text + size + 1, " ");
		width = columns_of(text, size);
		if (*separator && used + 1 + width > columns) {
			used = fprintf(out, "\n%*s", indent, "") - 1;
			separator = "";
		}
		used += fprintf(out, "%s", separator) + width;
		fprintf(out, "%.*s", (int)size, text);
		separator = " ";
		text += size;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}
