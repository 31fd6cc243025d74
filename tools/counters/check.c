// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: counters-check FILE...
 *
 * Reads counter tables before they are compiled in. What is wrong is told as a compiler would, and
 * then the exit status is 1. Together they must be for different GPUs, and each be named as
 * its file is.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define MAX_TABLES	64

static struct panthor_perf_table *tables[MAX_TABLES];
static unsigned int table_count;

static char *read_file(const char *path, size_t *size)
{
	char *text = malloc(PANTHOR_PERF_TABLE_MAX_SIZE + 1);
	FILE *file = fopen(path, "r");

	if (!text || !file) {
		perror(path);
		exit(1);
	}
	*size = fread(text, 1, PANTHOR_PERF_TABLE_MAX_SIZE + 1, file);
	if (ferror(file)) {
		perror(path);
		exit(1);
	}
	fclose(file);
	return text;
}

static int check_products(const struct panthor_perf_table *table,
			  const struct panthor_perf_table *other)
{
	unsigned int i, j;

	for (i = 0; i < table->product_count; i++) {
		const struct table_product *product = &table->products[i];

		for (j = 0; j < other->product_count; j++) {
			if (other->products[j].arch_major != product->arch_major ||
			    other->products[j].product_major != product->product_major)
				continue;
			fprintf(stderr, "%s:%u:1: %s has the product %u.%u as well\n", table->file,
				product->line, other->file, product->arch_major,
				product->product_major);
			return -1;
		}
	}
	return 0;
}

static int check(const char *path)
{
	const struct table_list *derived;
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char expected[300], line[600];
	const char *name;
	size_t size;
	uint32_t i;
	char *text;
	int ret;

	text = read_file(path, &size);
	ret = panthor_perf_table_create_from_text(text, size, path, &table, &error);
	free(text);
	if (ret) {
		fprintf(stderr, "%s\n", panthor_perf_error_format(&error, line, sizeof(line)));
		return -1;
	}
	name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	snprintf(expected, sizeof(expected), "%s.counters", table->name);
	if (strcmp(name, expected)) {
		fprintf(stderr, "%s: the file of the table '%s' is to be %s\n", path, table->name,
			expected);
		ret = -1;
	}
	derived = &table->lists[PANTHOR_PERF_COUNTER_DERIVED];
	for (i = 0; i < derived->count; i++)
		if (!derived->counters[i].group) {
			fprintf(stderr, "%s: '%s' has no group\n", path, derived->counters[i].name);
			ret = -1;
		}
	for (i = 0; i < table_count; i++)
		ret |= check_products(table, tables[i]);
	if (table_count < MAX_TABLES)
		tables[table_count++] = table;
	else
		panthor_perf_table_destroy(table);
	return ret;
}

int main(int argc, char **argv)
{
	int i, failed = 0;

	if (argc < 2) {
		fputs("usage: counters-check FILE...\n", stderr);
		return 2;
	}
	for (i = 1; i < argc; i++)
		failed |= check(argv[i]);
	while (table_count)
		panthor_perf_table_destroy(tables[--table_count]);
	return failed ? 1 : 0;
}
