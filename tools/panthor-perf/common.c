// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "xml.h"

#define MAX_INTERVAL_MS		86400000ull
#define NS_PER_MS		1000000ull
#define MS_DECIMALS		6

int fail(int err, const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("panthor-perf: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	if (err)
		fprintf(stderr, ": %s", strerror(-err));
	fputc('\n', stderr);
	return EXIT_ERROR;
}

enum {
	OPTION_COUNTERS = 0x1000,
	OPTION_COLOR,
	OPTION_NO_COLOR,
};

static const struct argp_option color_options[] = {
	{ "color", OPTION_COLOR, "WHEN", 0, "Colour the output: auto (on a terminal, unless "
	  "NO_COLOR is set in the environment), always or never (default: auto)", 6 },
	{ "no-color", OPTION_NO_COLOR, NULL, 0, "As --color=never", 6 },
	{ 0 },
};

static error_t parse_color(int key, char *arg, struct argp_state *state)
{
	struct common_options *options = state->input;

	switch (key) {
	case OPTION_COLOR:
		if (!strcmp(arg, "auto"))
			options->color = COLOR_AUTO;
		else if (!strcmp(arg, "always"))
			options->color = COLOR_ALWAYS;
		else if (!strcmp(arg, "never"))
			options->color = COLOR_NEVER;
		else
			argp_error(state, "--color is auto, always or never, not '%s'", arg);
		return 0;
	case OPTION_NO_COLOR:
		options->color = COLOR_NEVER;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp color_argp = { .options = color_options, .parser = parse_color };

static const struct argp_option common_options[] = {
	{ "device", 'd', "DEVICE", 0, "Node of the GPU (default: the first render node of the "
	  "panthor driver)", 6 },
	{ "counters", OPTION_COUNTERS, "PATH", 0, "Take the names of counters from the file or "
	  "the folder PATH instead of the tables that are built in", 6 },
	{ 0 },
};

static const struct argp_option reader_options[] = {
	{ "counters", OPTION_COUNTERS, "PATH", 0, "Take the names of counters from the file or the "
	  "folder PATH instead of the table in the recording", 7 },
	{ 0 },
};

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	struct common_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = options;
		return 0;
	case 'd':
		options->device = arg;
		return 0;
	case OPTION_COUNTERS:
		options->counters = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child common_children[] = {
	{ .argp = &color_argp },
	{ 0 },
};

const struct argp common_argp = {
	.options = common_options,
	.parser = parse_common,
	.children = common_children,
};

const struct argp reader_argp = {
	.options = reader_options,
	.parser = parse_common,
	.children = common_children,
};

bool use_color(const struct common_options *options, FILE *out)
{
	const char *no_color = getenv("NO_COLOR");

	if (options->color != COLOR_AUTO)
		return options->color == COLOR_ALWAYS;
	return !(no_color && *no_color) && isatty(fileno(out));
}

int open_device(const char *path, struct panthor_perf_device **device)
{
	int ret = panthor_perf_device_open(path, device);

	if (!ret)
		return EXIT_OK;
	if (!path && ret == -ENODEV) {
		fail(0, "there is no GPU of the panthor driver: no render node has it");
		return EXIT_NO_DEVICE;
	}
	if (!path) {
		fail(ret, "searching for a GPU of the panthor driver");
		return EXIT_ERROR;
	}
	switch (ret) {
	case -ENOTTY:
		fail(0, "%s is not a DRM node", path);
		return EXIT_NO_DEVICE;
	case -EOPNOTSUPP:
		fail(0, "%s belongs to another driver than panthor", path);
		return EXIT_NO_DEVICE;
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		fail(ret, "opening %s", path);
		return EXIT_NO_DEVICE;
	default:
		return fail(ret, "opening %s", path);
	}
}

int info_error(int err, const struct drm_panthor_perf_info *info, const char **reason)
{
	static char text[128];

	switch (err) {
	case -EOPNOTSUPP:
		*reason = "the GPU or its firmware has no usable performance counters";
		return EXIT_NO_COUNTERS;
	case -EINVAL:
		*reason = "the kernel's panthor driver has no support for performance counters";
		return EXIT_NO_DRIVER;
	case -EPROTONOSUPPORT:
		snprintf(text, sizeof(text), "the driver has version %u of the counter interface, "
			 "this program knows version %u alone", info->abi, DRM_PANTHOR_PERF_ABI);
		*reason = text;
		return EXIT_NO_DRIVER;
	case -EPROTO:
		*reason = "the driver reports an impossible counter configuration";
		return EXIT_ERROR;
	default:
		*reason = strerror(-err);
		return EXIT_ERROR;
	}
}

int load_table(const char *path, uint64_t gpu_id, struct panthor_perf_table **table)
{
	struct panthor_perf_error error;
	char text[600];
	int ret;

	*table = NULL;
	ret = counters_open(path, gpu_id, table, &error);
	if (!ret)
		return EXIT_OK;
	*table = NULL;
	if (ret == -ENXIO && !path)
		return EXIT_OK;
	return fail(0, "%s", panthor_perf_error_format(&error, text, sizeof(text)));
}

int open_view(const struct common_options *options, const struct panthor_perf_device *device,
	      struct gpu_view *view)
{
	const char *path = panthor_perf_device_path(device);
	struct panthor_perf_table *table;
	const char *reason;
	int ret, status;

	*view = (struct gpu_view) { 0 };
	ret = panthor_perf_device_info(device, &view->info, NULL);
	if (ret) {
		status = info_error(ret, &view->info, &reason);
		fail(0, "%s: %s", path, reason);
		return status;
	}
	ret = panthor_perf_device_gpu_info(device, &view->gpu);
	if (ret)
		return fail(ret, "asking %s what GPU it is", path);
	status = load_table(options->counters, view->gpu.gpu_id, &table);
	view->table = table;
	return status;
}

void close_view(struct gpu_view *view)
{
	panthor_perf_table_free((struct panthor_perf_table *)view->table);
	view->table = NULL;
}

const char *product_name(uint32_t gpu_id)
{
	static char name[64];
	struct panthor_perf_table *table;
	const char *product;

	if (panthor_perf_table_for_gpu(gpu_id, &table))
		return NULL;
	product = panthor_perf_table_product(table, gpu_id, 0);
	snprintf(name, sizeof(name), "%s", product ? product : "");
	panthor_perf_table_free(table);
	return product ? name : NULL;
}

const char *gpu_name(const struct gpu_view *view, char *text, size_t size)
{
	const char *name = NULL;

	if (view->table)
		name = panthor_perf_table_product(view->table, view->gpu.gpu_id,
						  __builtin_popcountll(view->gpu.shader_present));
	if (name)
		return name;
	snprintf(text, size, "GPU 0x%08x", view->gpu.gpu_id);
	return text;
}

uint64_t parse_number(struct argp_state *state, const char *what, const char *arg, uint64_t min,
		      uint64_t max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(arg, &end, 10);
	if (errno || end == arg || *end || strspn(arg, "0123456789") != strlen(arg) ||
	    value < min || value > max)
		argp_error(state, "%s '%s' is not a number from %" PRIu64 " to %" PRIu64, what, arg,
			   min, max);
	return value;
}

uint64_t parse_interval(struct argp_state *state, const char *arg)
{
	size_t digits = strspn(arg, "0123456789");
	const char *decimals = arg[digits] == '.' ? arg + digits + 1 : arg + digits;
	size_t count = strspn(decimals, "0123456789");
	unsigned long long ms, ns = 0;
	size_t i;

	errno = 0;
	ms = strtoull(arg, NULL, 10);
	for (i = 0; i < MS_DECIMALS; i++)
		ns = 10 * ns + (i < count ? decimals[i] - '0' : 0);
	if (errno || !digits || decimals[count] || ms > MAX_INTERVAL_MS ||
	    (arg[digits] && !count))
		argp_error(state, "interval '%s' is not a number of ms from 0 to %llu", arg,
			   MAX_INTERVAL_MS);
	if (count > MS_DECIMALS)
		argp_error(state, "interval '%s' has more than %d decimals: it is less than 1 ns "
			   "off", arg, MS_DECIMALS);
	return ms * NS_PER_MS + ns;
}

void parse_event(struct argp_state *state, struct event_options *options, const char *arg)
{
	if (options->count == MAX_EVENT_OPTIONS)
		argp_error(state, "more than %d options -e", MAX_EVENT_OPTIONS);
	options->texts[options->count++] = arg;
}

int add_events(struct event_list *list, const struct event_options *options)
{
	struct panthor_perf_error error;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < options->count && !ret; i++) {
		ret = events_add(list, options->texts[i], &error);
		if (ret == -EINVAL) {
			fail(0, "%s (column %u of -e '%s')", error.message, error.column,
			     options->texts[i]);
			return EXIT_USAGE;
		}
	}
	return ret ? fail(ret, "choosing counters") : EXIT_OK;
}

const char *block_title(unsigned int type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_FW:
		return "firmware";
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW:
		return "GPU front end";
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return "tiler";
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
		return "memory system, per L2 cache slice";
	case DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER:
		return "shader core";
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
		return "neural accelerator";
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSG:
		return "command stream group slot";
	default:
		return "unknown";
	}
}
