// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <panthor_perf.h>

#include "layer.h"
#include "settings.h"

static struct settings settings;
/* The signal has come, and the frame that it has selected. */
static atomic_bool signalled;
static _Atomic uint64_t signalled_frame = UINT64_MAX;

static const char *value_of(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/*
 * A setting that cannot be understood ends profiling: nothing else than what was wanted is counted.
 */
static bool refuse(const char *name, const char *value, const char *wanted)
{
	say("%s='%s': %s is expected; nothing is profiled", name, value, wanted);
	return false;
}

static bool number_at(const char **text, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*number = strtoull(*text, &end, 10);
	*text = end;
	return true;
}

/* N, A-B or A-, each with /STEP, separated by commas. */
static bool parse_frames(const char *text)
{
	static const char wanted[] = "a list such as 10,20-29,100-/60, of at most 16 items,";
	const char *at = text;

	for (;;) {
		struct frame_range range = { 0, 0, 1 };

		if (settings.frame_ranges == MAX_FRAME_RANGES || !number_at(&at, &range.first))
			return refuse(SETTING_FRAMES, text, wanted);
		range.last = range.first;
		if (*at == '-') {
			at++;
			if (!number_at(&at, &range.last))
				range.last = UINT64_MAX;
		}
		if (*at == '/') {
			at++;
			if (!number_at(&at, &range.step))
				return refuse(SETTING_FRAMES, text, wanted);
		}
		if (range.last < range.first || !range.step)
			return refuse(SETTING_FRAMES, text, wanted);
		settings.frames[settings.frame_ranges++] = range;
		if (!*at)
			return true;
		if (*at++ != ',')
			return refuse(SETTING_FRAMES, text, wanted);
	}
}

static bool parse_unit(const char *text)
{
	static const char *const names[] = {
		[UNIT_SUBMISSION] = "submission",
		[UNIT_COMMAND_BUFFER] = "command-buffer",
		[UNIT_WORKLOAD] = "workload",
		[UNIT_FRAME] = "frame",
	};

	for (size_t i = 0; i < COUNT(names); i++) {
		if (!strcmp(text, names[i])) {
			settings.unit = i;
			return true;
		}
	}
	return refuse(SETTING_UNIT, text, "submission, command-buffer, workload or frame");
}

static bool parse_output(const char *text)
{
	static const char *const suffixes[] = {
		[FORMAT_CSV] = ".csv",
		[FORMAT_JSON] = ".json",
		[FORMAT_PERFETTO] = ".perfetto-trace",
	};
	const char *suffix = strrchr(text, '.');

	for (size_t i = 0; suffix && i < COUNT(suffixes); i++) {
		if (strcmp(suffix, suffixes[i]))
			continue;
		settings.format = i;
		settings.output = strdup(text);
		return settings.output;
	}
	return refuse(SETTING_OUTPUT, text,
		      "a file name that ends in .csv, .json or .perfetto-trace");
}

static void note_signal(int number)
{
	signalled = true;
}

static bool parse_signal(const char *text)
{
	const struct sigaction action = { .sa_handler = note_signal, .sa_flags = SA_RESTART };

	if (!strcmp(text, "USR1"))
		settings.signal = SIGUSR1;
	else if (!strcmp(text, "USR2"))
		settings.signal = SIGUSR2;
	else
		return refuse(SETTING_SIGNAL, text, "USR1 or USR2");
	return !sigaction(settings.signal, &action, NULL);
}

static bool parse_clocks(const char *text)
{
	settings.clock_mode = panthor_perf_clock_mode_find(text);
	return settings.clock_mode >= 0 ||
	       refuse(SETTING_CLOCKS, text, "default, profiling, lowest or highest");
}

static bool parse(const char *name, bool (*parser)(const char *text))
{
	const char *value = value_of(name);

	return !value || parser(value);
}

static void read_settings(void)
{
	const char *mode = value_of(SETTING_MODE), *counters = value_of(SETTING_COUNTERS);

	if (!mode || !strcmp(mode, "off"))
		return;
	if (!strcmp(mode, "queries")) {
		/* All that the table has. */
		settings.counters = "*";
		settings.mode = MODE_QUERIES;
		return;
	}
	if (strcmp(mode, "profile")) {
		refuse(SETTING_MODE, mode, "profile, queries or off");
		return;
	}
	settings.counters = strdup(counters ? counters : "@default");
	if (settings.counters && parse(SETTING_UNIT, parse_unit) &&
	    parse(SETTING_OUTPUT, parse_output) && parse(SETTING_FRAMES, parse_frames) &&
	    parse(SETTING_CLOCKS, parse_clocks) && parse(SETTING_SIGNAL, parse_signal))
		settings.mode = MODE_PROFILE;
}

/**
 * settings_get() - The settings of the process
 *
 * They are read once. A setting that is wrong is reported, and nothing is profiled then.
 *
 * Return: The settings.
 */
const struct settings *settings_get(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_settings);
	return &settings;
}

/** settings_output() - Name of the file for the rows, in which %p is the process. To be freed. */
char *settings_output(void)
{
	const char *text = settings_get()->output, *at = strstr(text, "%p");
	char *path;

	if (!at)
		return strdup(text);
	/* Also that of a child, which has the settings of its parent. */
	if (asprintf(&path, "%.*s%d%s", (int)(at - text), text, getpid(), at + 2) < 0)
		return NULL;
	return path;
}

/**
 * settings_frame() - Is a frame to be profiled?
 * @wanted: The settings.
 * @frame: Its number, from 0.
 *
 * Return: Whether it is.
 */
bool settings_frame(const struct settings *wanted, uint64_t frame)
{
	for (unsigned int i = 0; i < wanted->frame_ranges; i++) {
		const struct frame_range *range = &wanted->frames[i];

		if (frame >= range->first && frame <= range->last &&
		    !((frame - range->first) % range->step))
			return true;
	}
	if (!wanted->signal)
		return !wanted->frame_ranges;
	if (atomic_exchange(&signalled, false))
		signalled_frame = frame + 1;
	return frame == signalled_frame;
}
