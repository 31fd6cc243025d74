// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <errno.h>
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
#include "sources.h"

static struct settings settings;
/* The signal has come, and the frame that it has selected. */
static atomic_bool signalled;
static _Atomic uint64_t signalled_frame = UINT64_MAX;

/* Of the settings that are read. */
static struct given given[SET_COUNT];
static const void *first_chain;

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
	errno = 0;
	*number = strtoull(*text, &end, 10);
	*text = end;
	return !errno;
}

static bool add_range(uint64_t first, uint64_t last, uint64_t step)
{
	struct frame_range *ranges;

	/* There is room for a power of two. */
	if (!(settings.frame_ranges & (settings.frame_ranges - 1))) {
		const size_t room = settings.frame_ranges ? 2 * settings.frame_ranges : 1;

		ranges = realloc(settings.frames, room * sizeof(*ranges));
		if (!ranges)
			return sources_no_memory();
		settings.frames = ranges;
	}
	settings.frames[settings.frame_ranges++] = (struct frame_range) { first, last, step };
	return true;
}

/* N, A-B or A-, each with /STEP, separated by commas. */
static bool parse_frames(const char *name, const char *text)
{
	static const char wanted[] = "a list such as 10,20-29,100-/60";
	const char *at = text;

	for (;;) {
		struct frame_range range = { 0, 0, 1 };

		if (!number_at(&at, &range.first))
			return refuse(name, text, wanted);
		range.last = range.first;
		if (*at == '-') {
			at++;
			if (!number_at(&at, &range.last))
				range.last = UINT64_MAX;
		}
		if (*at == '/') {
			at++;
			if (!number_at(&at, &range.step))
				return refuse(name, text, wanted);
		}
		if (range.last < range.first || !range.step)
			return refuse(name, text, wanted);
		if (!add_range(range.first, range.last, range.step))
			return false;
		if (!*at)
			return true;
		if (*at++ != ',')
			return refuse(name, text, wanted);
	}
}

/* A frame whose number is a multiple of the period, from the first one on. */
static bool add_period(const char *name)
{
	const struct given *period = &given[SET_PERIODIC_FRAME];
	const struct given *begin = &given[SET_PERIODIC_MIN_FRAME];
	const char *period_at = period->text, *begin_at = begin->text;
	uint64_t step = 0, first = 1;

	if (!period->text)
		return refuse(name, "periodic", "periodic_frame beside it");
	if (!number_at(&period_at, &step) || *period_at || !step)
		return refuse(period->where, period->text, "a number of frames from 1 on");
	if (begin->text && (!number_at(&begin_at, &first) || *begin_at))
		return refuse(begin->where, begin->text, "the number of a frame");
	if (__builtin_add_overflow(first, (step - first % step) % step, &first))
		return refuse(begin->where, begin->text, "the number of a frame");
	return add_range(first, UINT64_MAX, step);
}

/* Numbers of frames, separated by commas. */
static bool add_list(const char *name)
{
	const struct given *list = &given[SET_FRAME_LIST];
	const char *at = list->text;
	uint64_t frame;

	if (!at || !*at)
		return refuse(name, "list", "frame_list with numbers of frames beside it");
	for (;;) {
		if (!number_at(&at, &frame))
			return refuse(list->where, list->text, "a list of frames");
		if (!add_range(frame, frame, 1))
			return false;
		if (!*at)
			return true;
		if (*at++ != ',')
			return refuse(list->where, list->text, "a list of frames");
	}
}

static bool parse_frame_mode(const char *name, const char *text)
{
	if (!strcmp(text, "periodic"))
		return add_period(name);
	if (!strcmp(text, "list"))
		return add_list(name);
	if (strcmp(text, "disabled"))
		return refuse(name, text, "disabled, periodic or list");
	say("%s is 'disabled': nothing is profiled", name);
	return false;
}

static bool parse_sample_mode(const char *name, const char *text)
{
	if (!strcmp(text, "workload")) {
		settings.unit = UNIT_WORKLOAD;
	} else if (!strcmp(text, "frame")) {
		settings.unit = UNIT_FRAME;
	} else if (!strcmp(text, "disabled")) {
		say("%s is 'disabled': nothing is profiled", name);
		return false;
	} else {
		return refuse(name, text, "disabled, workload or frame");
	}
	return true;
}

static bool parse_serialization(const char *name, const char *text)
{
	if (strcmp(text, "true") && strcmp(text, "false"))
		return refuse(name, text, "true or false");
	if (!strcmp(text, "true") && settings.unit == UNIT_FRAME)
		say("%s: frames are not serialized; if two frames overlap on the GPU, each row has "
		    "a part of the other frame's counts", name);
	return true;
}

static bool parse_columns(const char *name, const char *text)
{
	settings.arm = !strcmp(text, "arm");
	return settings.arm || !strcmp(text, "own") || refuse(name, text, "own or arm");
}

static bool parse_instances(const char *name, const char *text)
{
	settings.instances = !strcmp(text, "true");
	if (settings.instances && settings.arm && settings.format == FORMAT_CSV) {
		say("%s='true': the columns of Arm have no values of single blocks; "
		    "nothing is profiled", name);
		return false;
	}
	return settings.instances || !strcmp(text, "false") ||
	       refuse(name, text, "true or false");
}

static bool parse_counters(const char *name, const char *text)
{
	char *copy = NULL;

	if (sources_append(&copy, text))
		settings.counters = copy;
	return copy;
}

static bool parse_unit(const char *name, const char *text)
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
	return refuse(name, text, "submission, command-buffer, workload or frame");
}

static bool parse_output(const char *name, const char *text)
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
		return sources_append(&settings.output, text);
	}
	return refuse(name, text,
		      "a file name that ends in .csv, .json or .perfetto-trace");
}

static void note_signal(int number)
{
	signalled = true;
}

static bool parse_signal(const char *name, const char *text)
{
	const struct sigaction action = { .sa_handler = note_signal, .sa_flags = SA_RESTART };

	if (!strcmp(text, "USR1"))
		settings.signal = SIGUSR1;
	else if (!strcmp(text, "USR2"))
		settings.signal = SIGUSR2;
	else
		return refuse(name, text, "USR1 or USR2");
	return !sigaction(settings.signal, &action, NULL);
}

static bool parse_clocks(const char *name, const char *text)
{
	settings.clock_mode = panthor_perf_clock_mode_find(text);
	return settings.clock_mode >= 0 ||
	       refuse(name, text, "default, profiling, lowest or highest");
}

static bool parse(enum setting setting, bool (*parser)(const char *name, const char *text))
{
	return !given[setting].text || parser(given[setting].where, given[setting].text);
}

/* Settings that are of no use without another one. */
static bool parse_rest(void)
{
	static const enum setting of_frame_mode[] = {
		SET_PERIODIC_FRAME, SET_PERIODIC_MIN_FRAME, SET_FRAME_LIST,
	};

	for (size_t i = 0; i < COUNT(of_frame_mode) && !given[SET_FRAME_MODE].text; i++) {
		const struct given *own = &given[of_frame_mode[i]];

		if (own->text)
			return refuse(own->where, own->text, "frame_mode beside it");
	}
	return true;
}

static void read_settings(void)
{
	const char *file = getenv(SETTING_FILE), *mode;

	if (!sources_add_chain(given, first_chain) ||
	    (file && *file && !sources_add_file(given, file)) || !sources_add_environment(given))
		return;
	mode = given[SET_MODE].text;
	if (!mode || !strcmp(mode, "off"))
		return;
	if (!strcmp(mode, "queries")) {
		/* All that the table has. */
		settings.counters = "*";
		settings.mode = MODE_QUERIES;
		return;
	}
	if (strcmp(mode, "profile")) {
		refuse(given[SET_MODE].where, mode, "profile, queries or off");
		return;
	}
	settings.counters = "@default";
	if (parse(SET_COUNTERS, parse_counters) && parse(SET_UNIT, parse_unit) &&
	    parse(SET_SAMPLE_MODE, parse_sample_mode) && parse(SET_OUTPUT, parse_output) &&
	    parse(SET_FRAMES, parse_frames) && parse(SET_FRAME_MODE, parse_frame_mode) &&
	    parse(SET_FRAME_SERIALIZATION, parse_serialization) && parse_rest() &&
	    parse(SET_COLUMNS, parse_columns) && parse(SET_INSTANCES, parse_instances) &&
	    parse(SET_CLOCKS, parse_clocks) &&
	    parse(SET_SIGNAL, parse_signal))
		settings.mode = MODE_PROFILE;
}

static void read_once(void)
{
	read_settings();
	sources_free(given);
}

/**
 * settings_begin() - The application creates an instance
 * @chain: Chain of vkCreateInstance().
 *
 * The settings of the process are those of the first one, and are read now.
 */
void settings_begin(const void *chain)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&lock);
	first_chain = chain;
	settings_get();
	first_chain = NULL;
	pthread_mutex_unlock(&lock);
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

	pthread_once(&once, read_once);
	return &settings;
}

/**
 * settings_are_ordered() - Are work and samples in one order?
 *
 * Return: Whether submissions take turns. For the unit of frames they do not.
 */
bool settings_are_ordered(void)
{
	return settings_get()->unit != UNIT_FRAME;
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
	if (wanted->signal && atomic_exchange(&signalled, false))
		signalled_frame = frame + 1;
	for (unsigned int i = 0; i < wanted->frame_ranges; i++) {
		const struct frame_range *range = &wanted->frames[i];

		if (frame >= range->first && frame <= range->last &&
		    !((frame - range->first) % range->step))
			return true;
	}
	if (!wanted->signal)
		return !wanted->frame_ranges;
	return frame == signalled_frame;
}
