// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fakedrm.h"
#include "fakesettings.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct load_line - counters that a script sets
 */
struct load_line {
	/** @type: Block type. */
	unsigned int type;

	/** @number: Hardware number of the block, -1 for all of the type. */
	int number;

	/** @counter: Index of the counter. */
	unsigned int counter;

	/** @value: What it counts in each sample of the GPU ... */
	uint32_t value;

	/** @step: ... and so much more for each sample of the GPU, from 1. */
	uint32_t step;
};

static struct load_line *lines;
static size_t line_count;
static bool has_load;

static const struct {
	const char *name;
	size_t offset;
} setting_names[] = {
	{ "info_errno", offsetof(struct fake_settings, info_errno) },
	{ "info_size", offsetof(struct fake_settings, info_size) },
	{ "counters", offsetof(struct fake_settings, counters) },
	{ "sample_header", offsetof(struct fake_settings, sample_header) },
	{ "block_header", offsetof(struct fake_settings, block_header) },
	{ "unknown_blocks", offsetof(struct fake_settings, unknown_blocks) },
	{ "fail_at", offsetof(struct fake_settings, fail_at) },
	{ "fail_errno", offsetof(struct fake_settings, fail_errno) },
	{ "silent", offsetof(struct fake_settings, silent) },
	{ "error_at", offsetof(struct fake_settings, error_at) },
	{ "mix_up", offsetof(struct fake_settings, mix_up) },
	{ "neural", offsetof(struct fake_settings, neural) },
	{ "gpu_id", offsetof(struct fake_settings, gpu_id) },
	{ "gpu_id_high", offsetof(struct fake_settings, gpu_id_high) },
	{ "abi", offsetof(struct fake_settings, abi) },
	{ "min_period_ns", offsetof(struct fake_settings, min_period_ns) },
	{ "sets", offsetof(struct fake_settings, sets) },
	{ "no_perfmon", offsetof(struct fake_settings, no_perfmon) },
	{ "paranoid", offsetof(struct fake_settings, paranoid) },
	{ "clocks", offsetof(struct fake_settings, clocks) },
	{ "cycles", offsetof(struct fake_settings, cycles) },
	{ "suspend_ms", offsetof(struct fake_settings, suspend_ms) },
	{ "shader_cycles", offsetof(struct fake_settings, shader_cycles) },
	{ "states", offsetof(struct fake_settings, states) },
	{ "deaf_at", offsetof(struct fake_settings, deaf_at) },
	{ "deaf", offsetof(struct fake_settings, deaf) },
	{ "features", offsetof(struct fake_settings, features) },
	{ "numbers", offsetof(struct fake_settings, numbers) },
	{ "unplug_at", offsetof(struct fake_settings, unplug_at) },
	{ "length_ns", offsetof(struct fake_settings, length_ns) },
	{ "l2_features", offsetof(struct fake_settings, l2_features) },
	{ "mem_features", offsetof(struct fake_settings, mem_features) },
	{ "max_slots", offsetof(struct fake_settings, max_slots) },
};

static unsigned int *setting(size_t offset)
{
	return (unsigned int *)((char *)&fake.settings + offset);
}

void fake_read_settings(char *text)
{
	char *word;
	size_t i;

	while (text && (word = strsep(&text, ","))) {
		char *value = strchr(word, '=');

		for (i = 0; value && i < ARRAY_SIZE(setting_names); i++)
			if (!strncmp(word, setting_names[i].name, value - word))
				*setting(setting_names[i].offset) = strtoul(value + 1, NULL, 0);
	}
}

static unsigned int type_of(const char *name)
{
	static const char *const names[] = {
		"fw", "cshw", "tiler", "memsys", "shader", "neural", "csg"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return i + 1;
	return 0;
}

/* BLOCK[/NUMBER]:INDEX VALUE [STEP] */
static bool read_line(const char *text, struct load_line *line)
{
	char block[16];
	int used = 0;

	line->number = -1;
	line->step = 0;
	if (sscanf(text, " %15[a-z]%n", block, &used) != 1)
		return false;
	line->type = type_of(block);
	text += used;
	if (*text == '/') {
		if (sscanf(text, "/%d%n", &line->number, &used) != 1)
			return false;
		text += used;
	}
	return line->type &&
	       sscanf(text, ":%u %u %u", &line->counter, &line->value, &line->step) >= 2;
}

void fake_read_load(const char *path)
{
	char text[128];
	FILE *file;

	if (!path || !*path)
		return;
	file = fopen(path, "r");
	if (!file) {
		fprintf(stderr, "fakedrm: %s: %s\n", path, strerror(errno));
		exit(1);
	}
	while (fgets(text, sizeof(text), file)) {
		if (*text == '#' || *text == '\n')
			continue;
		lines = realloc(lines, (line_count + 1) * sizeof(*lines));
		if (!lines || !read_line(text, &lines[line_count])) {
			fprintf(stderr, "fakedrm: %s: %s", path, text);
			exit(1);
		}
		line_count++;
	}
	fclose(file);
	has_load = true;
}

/* A library that has this may be unloaded, and loaded again. */
static void __attribute__((destructor)) end(void)
{
	free(lines);
}

bool fake_has_load(void)
{
	return has_load;
}

uint32_t fake_load(uint64_t nr, unsigned int type, unsigned int number, unsigned int counter)
{
	size_t i;

	/* The last one that fits counts. */
	for (i = line_count; i-- > 0; )
		if (lines[i].type == type && lines[i].counter == counter &&
		    (lines[i].number < 0 || (unsigned int)lines[i].number == number))
			return lines[i].value + nr * lines[i].step;
	return 0;
}
