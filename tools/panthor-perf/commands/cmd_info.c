// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "print/text.h"
#include "ways.h"

static const char doc[] =
	"Show the GPU and the configuration of its performance counters.\vWith --json the same as "
	"one JSON object: \"device\", \"driver\", \"gpu\", and \"counters\", which is null if "
	"there are none, with the reason as \"error\". Masks and GPU_ID are hexadecimal strings, "
	"min_period_ns and gpu_timestamp_frequency are decimal strings.\n\n"
	HELP_EXIT;

static const struct argp_option options[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

struct arguments {
	struct common_options common;
	bool json;
};

static error_t parse_info(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->common;
		return 0;
	case 'j':
		args->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_info,
	.doc = doc,
	.children = common_children,
};

/**
 * struct device_facts - all that is shown
 */
struct device_facts {
	/** @path: Path of the node. */
	const char *path;

	/** @driver: Version of the driver. */
	int driver[3];

	/** @view: The GPU, and if @reason is %NULL, its counter configuration. */
	struct gpu_view view;

	/** @core_count: Shader cores. */
	uint32_t core_count;

	/** @l2_slices: L2 slices. */
	uint32_t l2_slices;

	/** @bus_bytes: Bytes of a beat on the external bus, 0: not known. */
	uint32_t bus_bytes;

	/** @clocks: Rates of the clocks, 0 where they are not known. */
	struct drm_panthor_perf_clocks clocks;

	/** @ways: Ways to the counters beside the ioctls. */
	struct ways ways;

	/** @reason: Why there is no counter configuration, %NULL if there is one. */
	const char *reason;
};

static unsigned int bits(uint64_t mask)
{
	return __builtin_popcountll(mask);
}

static void print_mask(const char *title, uint32_t mask, const char *(*name_of)(unsigned int bit))
{
	const char *separator = "";
	unsigned int bit;

	printf("%-22s ", title);
	for (bit = 0; bit < 32; bit++) {
		const char *name = name_of(bit);

		if (!(mask & (1u << bit)))
			continue;
		if (name)
			printf("%s%s", separator, name);
		else
			printf("%sbit %u", separator, bit);
		separator = ", ";
	}
	puts(mask ? "" : "none");
}

static const char *product(const struct device_facts *facts)
{
	if (!facts->view.table)
		return NULL;
	return panthor_perf_table_product(facts->view.table, facts->view.gpu_id,
					  facts->core_count);
}

/* What the GPU is, as far as formulas need it, and what is known of its counters. */
static void print_gpu(const struct device_facts *facts)
{
	const struct panthor_perf_table *table = facts->view.table;

	printf("%-22s %u (mask 0x%llx)\n", "shader cores", bits(facts->view.gpu.shader_present),
	       (unsigned long long)facts->view.gpu.shader_present);
	printf("%-22s %u\n", "L2 slices", facts->l2_slices);
	if (facts->bus_bytes)
		printf("%-22s %u bits\n", "external bus", 8 * facts->bus_bytes);
	else
		printf("%-22s width not known\n", "external bus");
	if (!table) {
		printf("%-22s none for this GPU: counters go by block and index\n",
		       "names of counters");
		return;
	}
	printf("%-22s %u counters, %u derived ones (table %s)\n", "names of counters",
	       panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_HARDWARE),
	       panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_DERIVED),
	       panthor_perf_table_name(table));
}

static void print_clock_rate(const char *title, const struct drm_panthor_perf_clock_rates *rates)
{
	if (!rates->rate_hz)
		return;
	printf("%-22s %g MHz", title, rates->rate_hz / 1e6);
	if (rates->lowest_hz)
		printf(" (lowest %g, highest %g, profiling %g)", rates->lowest_hz / 1e6,
		       rates->highest_hz / 1e6, rates->profiling_hz / 1e6);
	putchar('\n');
}

static void print_id(uint64_t id)
{
	const bool wide = id >> 32;
	unsigned int arch_major;

	panthor_perf_gpu_arch(id, &arch_major, NULL);
	printf("id 0x%0*" PRIx64 ", architecture %u.%u.%u\n", gpu_id_digits(id), id, arch_major,
	       (unsigned int)(wide ? id >> 48 & 0xff : DRM_PANTHOR_ARCH_MINOR(id)),
	       (unsigned int)(wide ? id >> 40 & 0xff : DRM_PANTHOR_ARCH_REV(id)));
}

static void print_words(const struct device_facts *facts)
{
	const struct drm_panthor_perf_info *info = &facts->view.info;
	const char *name = product(facts);
	uint64_t id = facts->view.gpu_id;
	char *path = text_copy(facts->path);
	unsigned int type;

	printf("%-22s %s\n", "device", path ? path : "");
	free(path);
	printf("%-22s panthor %d.%d.%d\n", "driver", facts->driver[0], facts->driver[1],
	       facts->driver[2]);
	printf("%-22s %s, ", "GPU", name ? name : "unknown product");
	if (id)
		print_id(id);
	else
		puts("and the driver reports no id that this program knows");
	print_gpu(facts);
	if (facts->reason) {
		printf("%-22s none: %s\n", "performance counters", facts->reason);
		return;
	}

	printf("%-22s %u, the first 4 of them always 0\n", "counters per block",
	       info->counters_per_block);
	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		uint32_t count = panthor_perf_gpu_block_count(facts->view.object, type);

		if (count)
			printf("  %-20s %u (%s)\n", panthor_perf_block_name(type), count,
			       block_title(type));
	}
	printf("%-22s %u bytes (header %u, each block header %u)\n", "sample", info->sample_size,
	       info->sample_header_size, info->block_header_size);
	printf("%-22s %u to %u slots\n", "ring", info->min_sample_slots, info->max_sample_slots);
	printf("%-22s %u\n", "sessions per open file", info->max_sessions);
	print_mask("counter sets", info->supported_sets, panthor_perf_set_name);
	print_mask("reported clocks", info->supported_clocks, panthor_perf_clock_name);
	print_clock_rate("core clock", &facts->clocks.toplevel);
	print_clock_rate("core group clock", &facts->clocks.coregroup);
	print_clock_rate("shader clock", &facts->clocks.shader);
	printf("%-22s %s\n", "reported block states",
	       info->flags & DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT ? "yes" : "no");
	print_mask("features", info->flags, panthor_perf_feature_name);
	if (info->min_period_ns)
		printf("%-22s %" PRIu64 ".%06" PRIu64 " ms\n", "shortest period",
		       (uint64_t)info->min_period_ns / 1000000,
		       (uint64_t)info->min_period_ns % 1000000);
	else
		printf("%-22s none: samples are taken on request only\n", "shortest period");
	if (info->gpu_timestamp_frequency)
		printf("%-22s %" PRIu64 " Hz\n", "GPU timestamp",
		       (uint64_t)info->gpu_timestamp_frequency);
	else
		printf("%-22s frequency not known\n", "GPU timestamp");
	printf("%-22s %u\n", "interface version", info->abi);
	printf("%-22s %s\n", "perf PMU", facts->ways.pmu[0] ? facts->ways.pmu : "none");
	printf("%-22s %s\n", "PERF_CONTROL", facts->ways.control ? "yes" : "no");
}

static struct json_object *json_mask(uint32_t mask, const char *(*name_of)(unsigned int bit))
{
	struct json_object *array = json_object_new_array();
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		const char *name = name_of(bit);
		char number[16];

		if (!(mask & (1u << bit)))
			continue;
		snprintf(number, sizeof(number), "bit-%u", bit);
		json_object_array_add(array, text_json(name ? name : number));
	}
	return array;
}

static void json_number(struct json_object *object, const char *key, uint32_t value)
{
	json_object_object_add(object, key, json_object_new_int64(value));
}

static void json_hex(struct json_object *object, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	json_object_object_add(object, key, text_json(text));
}

static void json_decimal(struct json_object *object, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	json_object_object_add(object, key, text_json(text));
}

static void json_rates(struct json_object *object, const char *key,
		       const struct drm_panthor_perf_clock_rates *rates)
{
	struct json_object *clock;

	if (!rates->rate_hz)
		return;
	clock = json_object_new_object();
	json_decimal(clock, "rate_hz", rates->rate_hz);
	if (rates->lowest_hz) {
		json_decimal(clock, "lowest_hz", rates->lowest_hz);
		json_decimal(clock, "highest_hz", rates->highest_hz);
		json_decimal(clock, "profiling_hz", rates->profiling_hz);
	}
	json_object_object_add(object, key, clock);
}

static struct json_object *json_clocks(const struct drm_panthor_perf_clocks *clocks)
{
	struct json_object *object = json_object_new_object();

	json_rates(object, "toplevel", &clocks->toplevel);
	json_rates(object, "coregroup", &clocks->coregroup);
	json_rates(object, "shader", &clocks->shader);
	return object;
}

static struct json_object *json_counters(const struct device_facts *facts)
{
	const struct gpu_view *view = &facts->view;
	const struct drm_panthor_perf_info *info = &view->info;
	struct json_object *counters = json_object_new_object();
	struct json_object *blocks = json_object_new_object();
	unsigned int type;

	json_number(counters, "abi", info->abi);
	json_number(counters, "counters_per_block", info->counters_per_block);
	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		json_number(blocks, panthor_perf_block_name(type),
			    panthor_perf_gpu_block_count(view->object, type));
	json_object_object_add(counters, "blocks", blocks);
	json_number(counters, "sample_header_size", info->sample_header_size);
	json_number(counters, "block_header_size", info->block_header_size);
	json_number(counters, "sample_size", info->sample_size);
	json_number(counters, "min_sample_slots", info->min_sample_slots);
	json_number(counters, "max_sample_slots", info->max_sample_slots);
	json_number(counters, "max_sessions", info->max_sessions);
	json_object_object_add(counters, "sets",
			       json_mask(info->supported_sets, panthor_perf_set_name));
	json_object_object_add(counters, "clocks",
			       json_mask(info->supported_clocks, panthor_perf_clock_name));
	json_object_object_add(counters, "clock_rates", json_clocks(&facts->clocks));
	json_object_object_add(counters, "features",
			       json_mask(info->flags, panthor_perf_feature_name));
	json_decimal(counters, "min_period_ns", info->min_period_ns);
	json_decimal(counters, "gpu_timestamp_frequency", info->gpu_timestamp_frequency);
	json_object_object_add(counters, "perf_pmu", facts->ways.pmu[0] ?
			       text_json(facts->ways.pmu) : NULL);
	json_object_object_add(counters, "perf_control",
			       json_object_new_boolean(facts->ways.control));
	return counters;
}

static int print_info_json(const struct device_facts *facts)
{
	struct json_object *root = json_object_new_object();
	struct json_object *gpu = json_object_new_object();
	const char *name = product(facts);
	const char *text;
	char version[48];

	snprintf(version, sizeof(version), "%d.%d.%d", facts->driver[0], facts->driver[1],
		 facts->driver[2]);
	json_number(root, "schema", JSON_SCHEMA);
	json_object_object_add(root, "device", text_json(facts->path));
	json_object_object_add(root, "driver", text_json(version));
	json_object_object_add(gpu, "product", name ? text_json(name) : NULL);
	json_hex(gpu, "id", facts->view.gpu_id);
	json_hex(gpu, "shader_present", facts->view.gpu.shader_present);
	json_number(gpu, "shader_cores", facts->core_count);
	json_number(gpu, "l2_slices", facts->l2_slices);
	json_number(gpu, "bus_bytes", facts->bus_bytes);
	text = facts->view.table ? panthor_perf_table_name(facts->view.table) : NULL;
	json_object_object_add(gpu, "table", text ? text_json(text) : NULL);
	json_object_object_add(root, "gpu", gpu);
	json_object_object_add(root, "counters",
			       facts->reason ? NULL : json_counters(facts));
	if (facts->reason)
		json_object_object_add(root, "error", text_json(facts->reason));

	if (!text_put_json(root, JSON_C_TO_STRING_PRETTY, stdout))
		return fail(-ENOMEM, "making JSON");
	putchar('\n');
	return EXIT_OK;
}

/* Of a GPU with or without counters. */
static void set_features(struct device_facts *facts)
{
	const struct drm_panthor_gpu_info *gpu = &facts->view.gpu;
	unsigned int bus_bits = gpu->l2_features >> 24;

	facts->core_count = bits(gpu->shader_present);
	facts->l2_slices = (gpu->mem_features >> 8 & 0xf) + 1;
	facts->bus_bytes = bus_bits >= 3 && bus_bits < 32 ? (1u << bus_bits) / 8 : 0;
}

/**
 * cmd_info() - The sub-command info
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_info(int argc, char **argv)
{
	struct panthor_perf_table *table = NULL;
	struct panthor_perf_device *device;
	struct arguments args = { 0 };
	struct device_facts facts = { 0 };
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int status;

	if (parse_arguments(&argp, argc, argv, 0, &args))
		return EXIT_USAGE;
	status = open_device(args.common.device, &device);
	if (status)
		return status;

	facts.path = panthor_perf_device_path(device);
	panthor_perf_device_driver(device, &facts.driver[0], &facts.driver[1], &facts.driver[2]);
	if (panthor_perf_device_gpu_info(device, &facts.view.gpu, sizeof(facts.view.gpu),
					 &error)) {
		status = fail(0, "asking %s what GPU it is: %s", facts.path, error.text);
		goto out_close;
	}
	facts.view.gpu_id = panthor_perf_gpu_info_id(&facts.view.gpu, sizeof(facts.view.gpu));
	status = load_table(args.common.counters, facts.view.gpu_id, &table);
	if (status)
		goto out_close;
	facts.view.table = table;
	if (panthor_perf_device_gpu(device, &facts.view.object, &error)) {
		status = gpu_error(&error);
		facts.reason = error.text;
	} else {
		panthor_perf_gpu_perf_info(facts.view.object, &facts.view.info,
					   sizeof(facts.view.info));
		/* Older drivers do not report them. */
		panthor_perf_device_clocks(device, &facts.clocks, sizeof(facts.clocks), NULL);
		find_ways(device, &facts.ways);
	}
	set_features(&facts);

	if (!args.json)
		print_words(&facts);
	else if (print_info_json(&facts))
		status = EXIT_ERROR;
	if (facts.reason)
		fail(0, "%s: %s", facts.path, facts.reason);
	panthor_perf_table_destroy(table);

out_close:
	panthor_perf_device_close(device);
	return status;
}
