// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

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
	  "NO_COLOR is set in the environment), always or never (default: auto)", 8 },
	{ "no-color", OPTION_NO_COLOR, NULL, 0, "As --color=never", 8 },
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
	  "panthor driver)", 0 },
	{ "counters", OPTION_COUNTERS, "PATH", 0, "Take the names of counters from the file or "
	  "the folder PATH instead of the tables that are built in", 7 },
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
		fail(ret, "looking for a GPU of the panthor driver");
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

int info_error(int err, const char **reason)
{
	switch (err) {
	case -EOPNOTSUPP:
		*reason = "the GPU or its firmware has no usable performance counters";
		return EXIT_NO_COUNTERS;
	case -EINVAL:
		*reason = "the kernel's panthor driver knows nothing about performance counters";
		return EXIT_NO_DRIVER;
	case -EPROTO:
		*reason = "the driver reports an impossible counter configuration";
		return EXIT_ERROR;
	default:
		*reason = strerror(-err);
		return EXIT_ERROR;
	}
}

static const struct {
	uint8_t arch_major;
	uint8_t product_major;
	const char *name;
} products[] = {
	{ 10, 2, "Mali-G710" },
	{ 10, 3, "Mali-G510" },
	{ 10, 4, "Mali-G310" },
	{ 10, 7, "Mali-G610" },
	{ 11, 2, "Mali-G715" },
	{ 11, 3, "Mali-G615" },
	{ 12, 0, "Mali-G720" },
	{ 12, 1, "Mali-G620" },
	{ 13, 0, "Mali-G725" },
	{ 13, 1, "Mali-G625" },
	{ 14, 0, "Mali-G1-Ultra" },
	{ 14, 1, "Mali-G1-Premium" },
	{ 14, 3, "Mali-G1-Pro" },
};

const char *product_name(uint32_t gpu_id)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(products); i++)
		if (products[i].arch_major == DRM_PANTHOR_ARCH_MAJOR(gpu_id) &&
		    products[i].product_major == DRM_PANTHOR_PRODUCT_MAJOR(gpu_id))
			return products[i].name;
	return NULL;
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
