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
#include "counters/formulas.h"
#include "database/xml.h"
#include "print/output.h"
#include "print/text.h"

#define MAX_INTERVAL_MS		86400000ull
#define NS_PER_MS		1000000ull
#define MS_DECIMALS		6

/* The cursor stands behind a line that shows progress. */
static bool in_progress;

void progress_line(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputc('\r', stderr);
	vfprintf(stderr, format, args);
	fputs("\033[K", stderr);
	va_end(args);
	fflush(stderr);
	in_progress = true;
}

void progress_remove(void)
{
	if (in_progress)
		fputs("\r\033[K", stderr);
	in_progress = false;
}

/* Names of files and the like are in messages, too. */
static void print_message(const char *kind, int err, const char *format, va_list args)
{
	char *text;

	fflush(stdout);
	if (vasprintf(&text, format, args) < 0)
		return;
	text_printable(text);
	progress_remove();
	fprintf(stderr, "panthor-perf: %s%s%s%s\n", kind, text, err ? ": " : "",
		err ? strerror(-err) : "");
	free(text);
}

int fail(int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("", err, format, args);
	va_end(args);
	return EXIT_ERROR;
}

void note_that(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("note: ", 0, format, args);
	va_end(args);
}

void note_default_file(const char *path)
{
	note_that("written to %s", path);
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

/* argp itself has --help and -? only. */
static const struct argp_option help_options[] = {
	{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 },
	{ 0 },
};

static error_t parse_help(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != 'h')
		return ARGP_ERR_UNKNOWN;
	argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
	return 0;
}

static const struct argp help_argp = { .options = help_options, .parser = parse_help };

const struct argp_child help_children[] = {
	{ .argp = &help_argp },
	{ 0 },
};

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

static const struct argp_child common_parts[] = {
	{ .argp = &color_argp },
	{ .argp = &help_argp },
	{ 0 },
};

const struct argp common_argp = {
	.options = common_options,
	.parser = parse_common,
	.children = common_parts,
};

const struct argp_child common_children[] = {
	{ .argp = &common_argp },
	{ 0 },
};

const struct argp reader_argp = {
	.options = reader_options,
	.parser = parse_common,
	.children = common_parts,
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
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	switch (panthor_perf_device_open(path, device, &error)) {
	case 0:
		return EXIT_OK;
	case -ENOTTY:
	case -EOPNOTSUPP:
	case -ENOENT:
	case -ENXIO:
	case -ENODEV:
		fail(0, "%s", error.text);
		return EXIT_NO_DEVICE;
	default:
		fail(0, "opening the GPU: %s", error.text);
		if (error.code == -EACCES)
			fputs("  Its group may open the node, which is \"render\" in most "
			      "distributions:\n"
			      "    sudo adduser USER render\n"
			      "        and log in again\n", stderr);
		return EXIT_ERROR;
	}
}

int gpu_error(const struct panthor_perf_error *error)
{
	switch (error->code) {
	case -EOPNOTSUPP:
		return EXIT_NO_COUNTERS;
	case -ENOSYS:
	case -EPROTONOSUPPORT:
		return EXIT_NO_DRIVER;
	default:
		return EXIT_ERROR;
	}
}

int add_formulas(struct panthor_perf_table **table)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char text[600];

	if (!formulas_apply(table, &error))
		return EXIT_OK;
	panthor_perf_table_destroy(*table);
	*table = NULL;
	fail(0, "%s", panthor_perf_error_format(&error, text, sizeof(text)));
	return EXIT_USAGE;
}

int load_table(const char *path, uint64_t gpu_id, struct panthor_perf_table **table)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char text[600];
	int ret;

	*table = NULL;
	if (path)
		output_protect(path);
	ret = counters_open(path, gpu_id, table, &error);
	if (!ret)
		return add_formulas(table);
	*table = NULL;
	if (ret == -ENXIO && !path)
		return add_formulas(table);
	return fail(0, "%s", panthor_perf_error_format(&error, text, sizeof(text)));
}

int open_view(const struct common_options *options, const struct panthor_perf_device *device,
	      struct gpu_view *view)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_table *table;
	int status;

	*view = (struct gpu_view) { 0 };
	if (panthor_perf_device_gpu(device, &view->object, &error)) {
		fail(0, "%s: %s", panthor_perf_device_path(device), error.text);
		return gpu_error(&error);
	}
	panthor_perf_gpu_perf_info(view->object, &view->info, sizeof(view->info));
	panthor_perf_gpu_info(view->object, &view->gpu, sizeof(view->gpu));
	view->gpu_id = panthor_perf_gpu_property(view->object, PANTHOR_PERF_GPU_ID);
	status = load_table(options->counters, view->gpu_id, &table);
	view->table = table;
	return status;
}

void close_view(struct gpu_view *view)
{
	panthor_perf_table_destroy((struct panthor_perf_table *)view->table);
	view->table = NULL;
}

const char *product_name(uint64_t gpu_id)
{
	static char name[64];
	struct panthor_perf_table *table;
	const char *product;

	if (panthor_perf_table_create_for_gpu(gpu_id, &table, NULL))
		return NULL;
	product = panthor_perf_table_product(table, gpu_id, 0);
	snprintf(name, sizeof(name), "%s", product ? product : "");
	panthor_perf_table_destroy(table);
	return product ? name : NULL;
}

int gpu_id_digits(uint64_t gpu_id)
{
	return gpu_id >> 32 ? 16 : 8;
}

const char *gpu_name(const struct gpu_view *view, char *text, size_t size)
{
	const char *name = NULL;

	if (view->table)
		name = panthor_perf_table_product(view->table, view->gpu_id,
						  __builtin_popcountll(view->gpu.shader_present));
	if (name)
		return name;
	if (view->gpu_id)
		snprintf(text, size, "GPU 0x%0*" PRIx64, gpu_id_digits(view->gpu_id), view->gpu_id);
	else
		snprintf(text, size, "GPU of unknown id");
	return text;
}

static ssize_t write_message(void *cookie, const char *text, size_t size)
{
	char *copy = malloc(size + 1), *at = copy, *end;
	ssize_t done = 0;

	(void)cookie;
	if (!copy)
		return -1;
	memcpy(copy, text, size);
	copy[size] = 0;
	for (; (end = strpbrk(at, "\n\t")); at = end + 1) {
		const char kept = *end;

		*end = 0;
		text_printable(at);
		*end = kept;
	}
	text_printable(at);
	for (at = copy; at < copy + size && done >= 0; at += done)
		done = write(STDERR_FILENO, at, copy + size - at);
	free(copy);
	return done < 0 ? 0 : size;
}

error_t parse_arguments(const struct argp *argp, int argc, char **argv, unsigned int flags,
			void *input)
{
	const cookie_io_functions_t functions = { .write = write_message };
	/* Of whole characters, and longer than an argument can be. */
	static char message[1 << 18];
	FILE *terminal = stderr, *clean = fopencookie(NULL, "w", functions);
	error_t ret;

	if (!clean)
		return ENOMEM;
	setvbuf(clean, message, _IOFBF, sizeof(message));
	/* It writes when this program ends, too: argp ends it. */
	stderr = clean;
	ret = argp_parse(argp, argc, argv, flags, NULL, input);
	stderr = terminal;
	fclose(clean);
	return ret;
}

bool has_suffix(const char *path, const char *suffix)
{
	size_t size = strlen(path), length = strlen(suffix);

	return size > length && !strcmp(path + size - length, suffix);
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

const char *parse_separator(struct argp_state *state, const char *arg)
{
	if (!*arg)
		argp_error(state, "the separator of -x is empty");
	/* They have a meaning of their own in CSV. */
	if (strpbrk(arg, "\"\r\n"))
		argp_error(state, "the separator of -x has a quotation mark or the end of a line");
	return arg;
}

void parse_event(struct argp_state *state, struct event_options *options, const char *arg)
{
	const char *name = formulas_define(arg);

	if (options->count == MAX_EVENT_OPTIONS)
		argp_error(state, "more than %d options -e", MAX_EVENT_OPTIONS);
	options->texts[options->count++] = name ? name : arg;
}

int add_events(struct event_list *list, const struct event_options *options)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < options->count && !ret; i++) {
		ret = events_add(list, options->texts[i], &error);
		if (ret == -EINVAL) {
			fail(0, "%s (column %u of -e '%s')", error.text, error.column,
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
		return "front end";
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

struct drm_panthor_perf_section *sections_of(const struct panthor_perf_selection *selection,
					     size_t *count)
{
	struct drm_panthor_perf_section *sections;

	*count = panthor_perf_selection_sections(selection, NULL, 0, 0);
	sections = calloc(*count + 1, sizeof(*sections));
	if (sections)
		panthor_perf_selection_sections(selection, sections, sizeof(*sections), *count);
	return sections;
}
