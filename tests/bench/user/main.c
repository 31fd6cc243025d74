// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: bench-user g610|wide FIGURE ROUNDS
 *
 * Runs the code of a figure ROUNDS times and prints the number of counters of a sample. scripts/bench.py counts the
 * instructions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_user.h"

static const struct {
	const char *name;
	void (*run)(unsigned int rounds);
} figures[] = {
	{ "accumulate", bench_user_accumulate },
	{ "accumulate-loop", bench_user_accumulate_loop },
	{ "publish", bench_user_publish },
	{ "publish-few", bench_user_publish_few },
	{ "publish-loop", bench_user_publish_loop },
	{ "publish-compact", bench_user_publish_compact },
	{ "publish-compact-loop", bench_user_publish_compact_loop },
};

int main(int argc, char **argv)
{
	unsigned int counters, i;

	if (argc != 4) {
		fprintf(stderr, "usage: bench-user g610|wide FIGURE ROUNDS\n");
		return 2;
	}
	counters = bench_user_prepare(!strcmp(argv[1], "wide"));
	if (!counters) {
		fprintf(stderr, "bench-user: out of memory\n");
		return 1;
	}
	for (i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		if (strcmp(figures[i].name, argv[2]))
			continue;
		figures[i].run(strtoul(argv[3], NULL, 0));
		printf("%u\n", counters);
		return 0;
	}
	fprintf(stderr, "bench-user: there is no figure '%s'\n", argv[2]);
	return 2;
}
