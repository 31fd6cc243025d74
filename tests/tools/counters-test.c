// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of the counter tables that are compiled in, against what is known of them otherwise. */

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#include "check.h"

#define CSHW	DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW
#define TILER	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define MEMSYS	DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define NEURAL	DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL
#define PRIMARY	DRM_PANTHOR_PERF_SET_PRIMARY

#define HARDWARE	PANTHOR_PERF_COUNTER_HARDWARE
#define DERIVED		PANTHOR_PERF_COUNTER_DERIVED

static struct panthor_perf_table *builtin(const char *name)
{
	struct panthor_perf_table *table;

	if (panthor_perf_table_create_by_name(name, &table, NULL)) {
		printf("Bail out! there is no table '%s'\n", name);
		exit(1);
	}
	return table;
}

/* Rows by block, with the last index of each, and derived counters; as published. */
static void test_rows(void)
{
	static const struct {
		const char *name;
		unsigned int words;
		unsigned int rows[5];
		unsigned int last[5];
		unsigned int total;
		unsigned int derived;
		unsigned int core;
	} cases[] = {
		{ "G710", 64, { 35, 23, 45, 57 }, { 63, 38, 53, 63 }, 160, 121, 34 },
		{ "G715", 128, { 35, 23, 45, 76 }, { 63, 38, 53, 86 }, 179, 125, 35 },
		{ "G720", 128, { 35, 26, 45, 84 }, { 63, 71, 53, 96 }, 190, 126, 35 },
		{ "G725", 128, { 40, 25, 45, 102 }, { 114, 71, 53, 119 }, 212, 134, 33 },
		{ "G1", 128, { 45, 25, 42, 111, 58 }, { 114, 71, 51, 127, 80 }, 281, 156, 33 },
		{ "G2", 128, { 45, 25, 42, 117, 67 }, { 114, 71, 51, 127, 91 }, 296, 159, 33 },
	};
	static const unsigned int types[] = { CSHW, TILER, MEMSYS, SHADER, NEURAL };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_table *table = builtin(cases[i].name);
		uint32_t j, count = panthor_perf_table_counter_count(table, HARDWARE);
		uint32_t derived = panthor_perf_table_counter_count(table, DERIVED);
		unsigned int rows[5] = { 0 }, last[5] = { 0 }, core = 0, order = 0;
		const struct panthor_perf_counter *counter;
		size_t block;

		for (j = 0; j < count; j++) {
			counter = panthor_perf_table_counter_by_number(table, HARDWARE, j);
			for (block = 0; block < ARRAY_SIZE(types); block++)
				if (counter->type == types[block]) {
					rows[block]++;
					order += rows[block] > 1 &&
						 counter->index <= last[block];
					last[block] = counter->index;
				}
		}
		CHECK(!strcmp(panthor_perf_table_name(table), cases[i].name) &&
		      panthor_perf_table_words(table) == cases[i].words &&
		      count == cases[i].total, "%s has %u counters", cases[i].name, count);
		for (block = 0; block < ARRAY_SIZE(types); block++)
			CHECK(rows[block] == cases[i].rows[block] &&
			      last[block] == cases[i].last[block], "%s has %u of %s, up to %u",
			      cases[i].name, rows[block], panthor_perf_block_name(types[block]),
			      last[block]);
		CHECK(!order, "%s is sorted", cases[i].name);

		for (j = 0; j < derived; j++) {
			counter = panthor_perf_table_counter_by_number(table, DERIVED, j);
			core += counter->is_default;
		}
		CHECK(derived == cases[i].derived && core == cases[i].core,
		      "%s has %u derived counters, of which %u are shown by default",
		      cases[i].name, derived, core);
		panthor_perf_table_destroy(table);
	}
	CHECK(panthor_perf_table_builtin(5) && !panthor_perf_table_builtin(6),
	      "there are six tables");
}

/* What is said about single counters, and what changes from one table to the next. */
static void test_places(void)
{
	static const struct {
		const char *table;
		unsigned int type;
		unsigned int index;
		const char *name;
		unsigned int shift;
	} cases[] = {
		{ "G710", CSHW, 4, "MaliGPUActiveCy", 0 },
		{ "G710", CSHW, 34, "MaliFragQueueTask", 0 },
		{ "G710", TILER, 11, "MaliGeomVisiblePrim", 0 },
		{ "G710", MEMSYS, 32, "MaliExtBusRdBt", 0 },
		{ "G710", MEMSYS, 47, "MaliExtBusWrBt", 0 },
		{ "G710", SHADER, 53, "MaliAnyActiveCy", 0 },
		{ "G710", SHADER, 26, "MaliCoreActiveCy", 0 },
		{ "G710", SHADER, 9, "MaliFragWarp", 0 },
		{ "G710", TILER, 27, "MaliTilerPosCacheMiss", 0 },
		{ "G715", CSHW, 4, "MaliGPUActiveRawCy", 0 },
		{ "G715", CSHW, 6, "MaliGPUAnyQueueActiveCy", 0 },
		{ "G715", TILER, 27, NULL, 0 },
		{ "G715", TILER, 26, "MaliTilerPosCacheHit", 0 },
		{ "G710", SHADER, 68, NULL, 0 },
		{ "G710", SHADER, 69, NULL, 0 },
		{ "G715", SHADER, 69, "MaliFragThread", 2 },
		{ "G720", CSHW, 4, "MaliGPUActiveCy", 0 },
		{ "G720", SHADER, 69, "MaliFragThread", 2 },
		{ "G720", SHADER, 40, NULL, 0 },
		{ "G720", SHADER, 41, NULL, 0 },
		{ "G720", CSHW, 40, "MaliCSFCEUActiveCy", 0 },
		{ "G720", TILER, 34, "MaliTilerVarCacheHit", 0 },
		{ "G720", TILER, 35, "MaliTilerVarCacheMiss", 0 },
		{ "G725", CSHW, 16, "MaliCSFCEUActiveCy", 0 },
		{ "G725", CSHW, 21, "MaliCSFLSUActiveCy", 0 },
		{ "G725", TILER, 26, "MaliTilerPosCacheHit", 4 },
		{ "G725", TILER, 34, "MaliTilerVarCacheHit", 4 },
		{ "G725", TILER, 35, NULL, 0 },
		{ "G725", SHADER, 69, "MaliFragThread", 2 },
		{ "G1", SHADER, 69, "MaliFragThread", 2 },
		{ "G1", TILER, 26, "MaliTilerPosCacheHit", 4 },
		{ "G1", TILER, 34, "MaliTilerVarCacheHit", 4 },
		{ "G1", MEMSYS, 28, NULL, 0 },
		{ "G1", MEMSYS, 52, NULL, 0 },
		{ "G1", MEMSYS, 53, NULL, 0 },
		{ "G1", SHADER, 119, "MaliEngSlotAnyIssueCy", 0 },
		{ "G1", NEURAL, 6, "MaliNXCEWorkload", 10 },
		{ "G1", NEURAL, 19, NULL, 0 },
		{ "G2", SHADER, 17, NULL, 0 },
		{ "G2", SHADER, 71, "MaliEngSlotAnyIssueCy", 0 },
		{ "G2", SHADER, 119, "MaliRTUBoxResumeIssue", 0 },
		{ "G2", NEURAL, 6, "MaliNXCEWorkload", 10 },
		{ "G2", NEURAL, 19, "MaliNXMEActiveCy", 0 },
		{ "G2", NEURAL, 84, "MaliNXBwMEWorkload", 4 },
	};
	static const struct {
		const char *name;
		unsigned int shifted;
	} shifts[] = { { "G710", 0 }, { "G715", 1 }, { "G720", 1 }, { "G725", 3 }, { "G1", 25 },
		      { "G2", 32 } };
	struct panthor_perf_table *table;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct panthor_perf_counter *counter;

		table = builtin(cases[i].table);
		counter = panthor_perf_table_counter_at(table, PRIMARY, cases[i].type,
							cases[i].index);
		if (cases[i].name)
			CHECK(counter && !strcmp(counter->name, cases[i].name) &&
			      counter->shift == cases[i].shift &&
			      panthor_perf_table_counter(table, cases[i].name) == counter,
			      "%s: %s:%u is %s", cases[i].table,
			      panthor_perf_block_name(cases[i].type), cases[i].index,
			      cases[i].name);
		else
			CHECK(!counter, "%s: %s:%u has no name", cases[i].table,
			      panthor_perf_block_name(cases[i].type), cases[i].index);
		panthor_perf_table_destroy(table);
	}
	for (i = 0; i < ARRAY_SIZE(shifts); i++) {
		unsigned int shifted = 0;
		const struct panthor_perf_counter *counter;
		uint32_t j;

		table = builtin(shifts[i].name);
		for (j = 0; (counter = panthor_perf_table_counter_by_number(table, HARDWARE, j));
		     j++)
			shifted += counter->shift != 0;
		CHECK(shifted == shifts[i].shifted, "%s has %u counters with a shift",
		      shifts[i].name, shifted);
		panthor_perf_table_destroy(table);
	}
}

static void test_products(void)
{
	static const struct {
		uint64_t gpu_id;
		unsigned int cores;
		const char *table;
		const char *product;
	} cases[] = {
		{ 0xa8670005, 4, "G710", "Mali-G610" },
		{ 0xa0020000, 10, "G710", "Mali-G710" },
		{ 0xa0030000, 0, "G710", "Mali-G510" },
		{ 0xa0040000, 1, "G710", "Mali-G310" },
		{ 0xb0020000, 0, "G715", "Mali-G715 / Immortalis-G715" },
		{ 0xb0020000, 7, "G715", "Mali-G715 / Immortalis-G715" },
		{ 0xb0020000, 6, "G715", "Mali-G615" },
		{ 0xb0030000, 9, "G715", "Mali-G615" },
		{ 0xc0000000, 6, "G720", "Mali-G720 / Immortalis-G720" },
		{ 0xc0000000, 5, "G720", "Mali-G620" },
		{ 0xc0010000, 0, "G720", "Mali-G620" },
		{ 0xd8901234, 6, "G725", "Mali-G725 / Immortalis-G925" },
		{ 0xd0000000, 5, "G725", "Mali-G625" },
		{ 0xd0010000, 0, "G725", "Mali-G625" },
		{ 0xe0000000, 0, "G1", "Mali-G1-Ultra" },
		{ 0xe0010000, 0, "G1", "Mali-G1-Premium" },
		{ 0xe0030000, 0, "G1", "Mali-G1-Pro" },
		{ 0xa0000000, 0, NULL, NULL },
		{ 0xe0020000, 0, NULL, NULL },
		{ 0x70930000, 0, NULL, NULL },
		{ 0, 0, NULL, NULL },
		{ 0xf0000000, 0, NULL, NULL },
		/* 64 bits: architecture 14, product 1. Upper bits do not matter without the 0xf. */
		{ 0x0e000001f0000000, 0, "G1", "Mali-G1-Premium" },
		{ 0x0f000001f0000000, 0, "G2", "Mali-G2-Premium" },
		{ 0x0f000003f0000000, 0, "G2", "Mali-G2-Pro" },
		{ 0x0f000000f0000000, 0, "G2", "Mali-G2-Ultra" },
		{ 0x0f000005f0000000, 0, "G2", "Mali-G2-Ultra" },
		{ 0x0f000002f0000000, 0, NULL, NULL },
		{ 0x10000001f0000000, 0, NULL, NULL },
		{ 0x0e000001a8670000, 0, "G710", "Mali-G610" },
	};
	static const struct {
		const char *name;
		const char *table;
	} names[] = {
		{ "G710", "G710" }, { "g610", "G710" }, { "mali-G610", "G710" },
		{ "G615", "G715" }, { "G620", "G720" }, { "Mali-G625", "G725" },
		{ "G1", "G1" }, { "G1-Pro", "G1" }, { "MALI-G1-ULTRA", "G1" },
		{ "G2-Ultra", "G2" }, { "Mali G2-Pro", "G2" },
		{ "Immortalis-G925", "G725" }, { "Immortalis-G715", "G715" }, { "G925", "G725" },
		{ "G720", "G720" }, { "G61", NULL }, { "Mali", NULL }, { "", NULL },
		{ "Mali-G610 ", NULL }, { "Pro", NULL }, { "Mali-", NULL },
	};
	struct panthor_perf_table *table;
	unsigned int major, product;
	uint64_t id;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		const char *name = NULL;
		int ret;

		table = NULL;
		ret = panthor_perf_table_create_for_gpu(cases[i].gpu_id, &table, &error);
		if (!ret)
			name = panthor_perf_table_product(table, cases[i].gpu_id, cases[i].cores);
		if (cases[i].table)
			CHECK(!ret && !strcmp(panthor_perf_table_name(table), cases[i].table) &&
			      name && !strcmp(name, cases[i].product),
			      "GPU 0x%llx with %u cores is %s",
			      (unsigned long long)cases[i].gpu_id, cases[i].cores, name);
		else
			CHECK(ret == -ENOENT && error.code == ret && *error.text && !table,
			      "GPU 0x%llx is not known: %s",
			      (unsigned long long)cases[i].gpu_id, error.text);
		if (!ret)
			panthor_perf_table_destroy(table);
	}
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		int ret = panthor_perf_table_create_by_name(names[i].name, &table, &error);

		if (names[i].table)
			CHECK(!ret && !strcmp(panthor_perf_table_name(table), names[i].table),
			      "'%s' is in %s", names[i].name, names[i].table);
		else
			CHECK(ret == -ENOENT && error.code == ret && *error.text && !table,
			      "there is no '%s'", names[i].name);
		if (!ret)
			panthor_perf_table_destroy(table);
	}
	table = builtin("G710");
	CHECK(!panthor_perf_table_gpu_id(table, "g610", &id) && id == 0xa0070000 &&
	      !panthor_perf_table_gpu_id(table, "Mali-G310", &id) && id == 0xa0040000 &&
	      panthor_perf_table_gpu_id(table, "G615", &id) == -ENOENT, "ids of products");
	panthor_perf_table_destroy(table);
	table = builtin("G1");
	CHECK(!panthor_perf_table_gpu_id(table, "G1", &id) && id == 0xe0000000 &&
	      !panthor_perf_table_gpu_id(table, "g1-pro", &id) && id == 0xe0030000,
	      "the id of a table's first product, and of another one");
	panthor_perf_table_destroy(table);
	panthor_perf_gpu_arch(0xa8670005, &major, &product);
	CHECK(major == 10 && product == 7, "architecture of a GPU");
	panthor_perf_gpu_arch(0x12000034f0000000, &major, &product);
	CHECK(major == 0x12 && product == 0x34, "architecture of a GPU with 64 bits");
}

static void test_lookup(void)
{
	struct panthor_perf_table *table = builtin("G710");
	const struct panthor_perf_counter *counter =
		panthor_perf_table_counter_at(table, PRIMARY, SHADER, 26);
	const struct panthor_perf_counter *near;
	static const char *const names[] = {
		"MaliCoreActiveCy", "malicoreactivecy", "MALICOREACTIVECY", "shader:26",
		"SHADER:26", "shader:026", "EXEC_CORE_ACTIVE", "exec_core_active",
	};
	static const char *const none[] = {
		"", "MaliCoreActive", "MaliCoreActiveCyX", "shader:", "shader:x", "shader:26x",
		":26",
		"shader:3", "shader:64", "shader:4294967322", "core:26", "shader:-1", "shader: 26",
		"warps", "NCORE", "max", "fw:26",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		CHECK(panthor_perf_table_counter(table, names[i]) == counter, "find '%s'",
		      names[i]);
	for (i = 0; i < ARRAY_SIZE(none); i++)
		CHECK(!panthor_perf_table_counter(table, none[i]), "do not find '%s'", none[i]);

	counter = panthor_perf_table_counter(table, "prim_visible");
	CHECK(counter && counter->kind == DERIVED && !strcmp(counter->unit, "percent") &&
	      !strcmp(counter->group, "Tiler and primitives"),
	      "the case decides: a derived counter");
	counter = panthor_perf_table_counter(table, "PRIM_VISIBLE");
	CHECK(counter && counter->kind == HARDWARE && counter->index == 11,
	      "the case decides: a hardware counter");
	counter = panthor_perf_table_counter(table, "Prim_Visible");
	CHECK(counter && counter->kind == DERIVED, "names go before sources");
	counter = panthor_perf_table_counter(table, "MaliCoreUtil");
	CHECK(counter && !strcmp(counter->name, "core_util"), "a derived counter by its source");

	CHECK(!panthor_perf_table_counter_at(table, DRM_PANTHOR_PERF_SET_SECONDARY, SHADER, 26) &&
	      !panthor_perf_table_counter_at(table, DRM_PANTHOR_PERF_SET_TERTIARY, CSHW, 4) &&
	      !panthor_perf_table_counter_at(table, 3, SHADER, 26) &&
	      !panthor_perf_table_counter_at(table, ~0u, SHADER, 26),
	      "other sets have no names");
	CHECK(!panthor_perf_table_counter_at(table, PRIMARY, 0, 4) &&
	      !panthor_perf_table_counter_at(table, PRIMARY, 8, 4) &&
	      !panthor_perf_table_counter_at(table, PRIMARY, ~0u, 4) &&
	      !panthor_perf_table_counter_at(table, PRIMARY, SHADER, 0) &&
	      !panthor_perf_table_counter_at(table, PRIMARY, SHADER, 64) &&
	      !panthor_perf_table_counter_at(table, PRIMARY, SHADER, ~0u),
	      "blocks and counters that are not there");

	near = panthor_perf_table_nearest(table, "MaliCoreActivCy");
	CHECK(near && !strcmp(near->name, "MaliCoreActiveCy"), "a letter is missing");
	near = panthor_perf_table_nearest(table, "core_utli");
	CHECK(near && !strcmp(near->name, "core_util"), "two letters changed places");
	near = panthor_perf_table_nearest(table, "EXEC_CORE_ACTVE");
	CHECK(near && near->index == 26 && near->type == SHADER, "a letter of a source is missing");
	CHECK(!panthor_perf_table_nearest(table, "temperature") &&
	      !panthor_perf_table_nearest(table, "") && !panthor_perf_table_nearest(table, "x"),
	      "nothing is similar");
	panthor_perf_table_destroy(table);
}

/* The unit is known, the title there, and nobody takes another's name. */
static bool is_whole(const struct panthor_perf_table *table,
		     const struct panthor_perf_counter *counter, unsigned int kind, uint32_t number)
{
	bool hardware = kind == HARDWARE;
	const char *unit;
	unsigned int i = 0;

	while ((unit = panthor_perf_unit_name(i)) && strcmp(unit, counter->unit))
		i++;
	if (!unit || !*counter->title || counter->number != number || counter->kind != kind)
		return false;
	if (panthor_perf_table_counter(table, counter->name) != counter)
		return false;
	if (counter->source && panthor_perf_table_counter(table, counter->source) != counter)
		return false;
	if (hardware)
		return !counter->expr && !counter->formula && counter->stable_id >= 0;
	return counter->expr && counter->formula && counter->stable_id == -1;
}

static void test_every_counter(void)
{
	unsigned int i, kind, bad = 0;

	for (i = 0; panthor_perf_table_builtin(i); i++) {
		struct panthor_perf_table *table = builtin(panthor_perf_table_builtin(i));
		struct panthor_perf_table *again;
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		const char *text;
		uint32_t j;
		size_t size;

		for (kind = HARDWARE; kind <= DERIVED; kind++) {
			for (j = 0; j < panthor_perf_table_counter_count(table, kind); j++) {
				const struct panthor_perf_counter *counter =
					panthor_perf_table_counter_by_number(table, kind, j);

				if (!is_whole(table, counter, kind, j)) {
					printf("# %s: %s\n", panthor_perf_table_name(table),
					       counter->name);
					bad++;
				}
			}
			CHECK(!panthor_perf_table_counter_by_number(table, kind, j),
			      "%s: there are %u of kind %u", panthor_perf_table_name(table), j,
			      kind);
		}
		CHECK(!panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_KINDS) &&
		      !panthor_perf_table_counter_by_number(table, PANTHOR_PERF_COUNTER_KINDS, 0),
		      "%s: there are no more kinds", panthor_perf_table_name(table));

		text = panthor_perf_table_text(table, &size);
		CHECK(text == panthor_perf_table_text(table, NULL) && !text[size] &&
		      !panthor_perf_table_create_from_text(text, size, "x", &again, &error) &&
		      !error.code, "%s: the text gives a table", panthor_perf_table_name(table));
		CHECK(panthor_perf_table_counter_count(table, DERIVED) ==
		      panthor_perf_table_counter_count(again, DERIVED) &&
		      !strcmp(panthor_perf_table_file(again), "x") &&
		      !*panthor_perf_table_file(table), "%s: the same one",
		      panthor_perf_table_name(table));
		panthor_perf_table_destroy(again);
		panthor_perf_table_destroy(table);
	}
	CHECK(!bad, "all counters of all tables are whole");
}

/* A GPU of the kernel's structures, with blocks for what is to be added up. */
static struct panthor_perf_gpu *make_gpu(const struct drm_panthor_gpu_info *gpu_info,
					 unsigned int words)
{
	const struct drm_panthor_perf_info perf_info = {
		.counters_per_block = words,
		.sample_header_size = 80,
		.block_header_size = 8,
		.sample_size = 80 + 10 * (8 + 8 * words),
		.abi = 1,
		.fw_blocks = 1,
		.cshw_blocks = 1,
		.tiler_blocks = 1,
		.memsys_blocks = 1,
		.shader_blocks = 4,
		.supported_sets = 7,
	};
	struct panthor_perf_gpu *gpu = NULL;

	if (panthor_perf_gpu_create(gpu_info, gpu_info ? sizeof(*gpu_info) : 0, &perf_info,
				    sizeof(perf_info), &gpu, NULL)) {
		printf("Bail out! there is no GPU\n");
		exit(1);
	}
	return gpu;
}

static void set_constants(struct panthor_perf_constants *constants,
			  const struct drm_panthor_gpu_info *info, uint64_t time_span_ns)
{
	struct panthor_perf_gpu *gpu = make_gpu(info, 64);

	panthor_perf_constants_set(constants, gpu, time_span_ns);
	panthor_perf_gpu_destroy(gpu);
}

static void test_constants(void)
{
	struct drm_panthor_gpu_info gpu = {
		/* Slices - 1 in bits 11 to 8, logarithm of the bits of a beat in 31 to 24. */
		.mem_features = 0x00000301,
		.l2_features = 0x07120206,
		.shader_present = 0x50005,
	};
	struct panthor_perf_constants constants = PANTHOR_PERF_CONSTANTS_INIT;

	set_constants(&constants, &gpu, 123456789);
	CHECK(constants.core_count == 4 && constants.l2_slices == 4 && constants.bus_bytes == 16 &&
	      constants.time_span_ns == 123456789, "constants of a GPU");
	gpu.l2_features = 0xff000000;
	set_constants(&constants, &gpu, 0);
	CHECK(!constants.bus_bytes && !constants.time_span_ns, "a bus that cannot be");
	gpu.l2_features = 0;
	set_constants(&constants, &gpu, 0);
	CHECK(!constants.bus_bytes, "a bus that is not told");
	set_constants(&constants, NULL, 6);
	CHECK(!constants.core_count && !constants.l2_slices && !constants.bus_bytes &&
	      constants.time_span_ns == 6, "constants of a GPU without GPU_INFO");
	panthor_perf_constants_set(&constants, NULL, 5);
	CHECK(!constants.core_count && !constants.l2_slices && !constants.bus_bytes &&
	      constants.time_span_ns == 5 && constants.size == sizeof(constants),
	      "constants of no GPU");
}

/* The caller's structure may be that of another version: no byte behind it is the library's. */
static void test_constants_size(void)
{
	struct {
		struct panthor_perf_constants constants;
		unsigned char behind[32];
	} large;
	unsigned char before[sizeof(large)];

	memset(&large, 0xa5, sizeof(large));
	memcpy(before, &large, sizeof(large));
	large.constants.size = sizeof(large);
	panthor_perf_constants_set(&large.constants, NULL, 77);
	CHECK(large.constants.time_span_ns == 77 && !large.constants.core_count &&
	      large.constants.size == sizeof(large) &&
	      !memcmp(large.behind, before + sizeof(large.constants), sizeof(large.behind)),
	      "constants of a larger structure: what is behind them stays");
	memset(&large, 0xa5, sizeof(large));
	large.constants.size = 0;
	panthor_perf_constants_set(&large.constants, NULL, 77);
	CHECK(large.constants.time_span_ns == 77 &&
	      large.constants.size == offsetof(struct panthor_perf_constants, neural_count),
	      "constants without their size");
	large.constants.size = offsetof(struct panthor_perf_constants, time_span_ns);
	memcpy(before, &large, sizeof(large));
	panthor_perf_constants_set(&large.constants, NULL, 77);
	CHECK(!memcmp((char *)&large + large.constants.size, before + large.constants.size,
		      sizeof(large) - large.constants.size),
	      "constants of a smaller structure: nothing is written behind it");
}

/* Puts a block behind what is there. */
static size_t put_block(uint64_t *data, size_t used, unsigned int type, unsigned int number,
			const uint64_t *raw, unsigned int words)
{
	data[used] = type | number << 8;
	memcpy(data + used + 1, raw, 8 * words);
	return used + 1 + words;
}

/* A sample of so many words, of which the header has 10: END_NS and the set are in it. */
static void add_sample(struct panthor_perf_values *values, const struct panthor_perf_gpu *gpu,
		       uint64_t *data, size_t words)
{
	struct panthor_perf_sample *sample = NULL;

	if (panthor_perf_sample_create(gpu, NULL, &sample, NULL) ||
	    panthor_perf_sample_parse(sample, data, 8 * words, NULL)) {
		printf("Bail out! there is no sample\n");
		exit(1);
	}
	panthor_perf_values_add(values, sample);
	panthor_perf_sample_destroy(sample);
}

static struct panthor_perf_values *make_values(const struct panthor_perf_gpu *gpu,
					       const struct panthor_perf_table *table,
					       unsigned int set)
{
	struct panthor_perf_selection *selection = NULL;
	struct panthor_perf_values *values = NULL;

	if (panthor_perf_selection_create(gpu, table, set, &selection, NULL) ||
	    panthor_perf_selection_add_all(selection, NULL) ||
	    panthor_perf_values_create(selection, &values, NULL)) {
		printf("Bail out! there are no values\n");
		exit(1);
	}
	panthor_perf_selection_destroy(selection);
	return values;
}

/* 120 x 68 tasks of 32 x 32 pixels; four cores; a counter with a shift. */
static void test_sums(void)
{
	const struct drm_panthor_gpu_info info = {
		.gpu_id = 0xa8670005,
		.mem_features = 0x00000001,
		.l2_features = 0x07120206,
		.shader_present = 0x50005,
	};
	struct panthor_perf_table *table = builtin("G710");
	struct panthor_perf_gpu *gpu = make_gpu(&info, 64);
	struct panthor_perf_values *values = make_values(gpu, table, PRIMARY);
	uint64_t raw[128] = { 0 }, data[10 + 10 * 129] = { [1] = 1000000000 }, count;
	const struct panthor_perf_counter *counter;
	uint32_t i, none = 0, percents = 0;
	size_t used = 10;
	double value;

	add_sample(values, gpu, data, used);
	for (i = 0; (counter = panthor_perf_table_counter_by_number(table, DERIVED, i)); i++)
		if (!strcmp(counter->unit, "percent")) {
			percents++;
			none += !panthor_perf_values_number(values, counter,
							    PANTHOR_PERF_ALL_BLOCKS, &value);
		}
	CHECK(percents > 30 && none == percents, "a percentage of no block has no value");
	for (i = 0; i < 4; i++)
		used = put_block(data, used, SHADER, i, raw, 64);
	used = put_block(data, used, CSHW, 0, raw, 64);
	used = put_block(data, used, TILER, 0, raw, 64);
	used = put_block(data, used, MEMSYS, 0, raw, 64);
	add_sample(values, gpu, data, used);
	none = 0;
	for (i = 0; (counter = panthor_perf_table_counter_by_number(table, DERIVED, i)); i++)
		if (!strcmp(counter->unit, "percent"))
			none += !panthor_perf_values_number(values, counter,
							    PANTHOR_PERF_ALL_BLOCKS, &value);
	CHECK(none == 2, "a percentage of nothing is 0, except for those of an unknown clock");

	panthor_perf_values_clear(values);
	raw[34] = 8160;
	add_sample(values, gpu, data, put_block(data, 10, CSHW, 0, raw, 64));
	counter = panthor_perf_table_counter(table, "pixels");
	CHECK(counter && panthor_perf_values_number(values, counter, PANTHOR_PERF_ALL_BLOCKS,
						    &value) && value == 8355840,
	      "8160 tasks of a G610 are 8355840 pixels");

	memset(raw, 0, sizeof(raw));
	used = 10;
	for (i = 1; i <= 4; i++) {
		raw[53] = 1000 * i;
		raw[26] = 500 * i;
		used = put_block(data, used, SHADER, i - 1, raw, 64);
	}
	add_sample(values, gpu, data, used);
	counter = panthor_perf_table_counter(table, "MaliAnyActiveCy");
	CHECK(counter && panthor_perf_values_count(values, counter, PANTHOR_PERF_ALL_BLOCKS,
						   &count) && count == 10000,
	      "the sum over four cores");
	counter = panthor_perf_table_counter(table, "core_util");
	CHECK(counter && panthor_perf_values_number(values, counter, PANTHOR_PERF_ALL_BLOCKS,
						    &value) && value == 50,
	      "a share over four cores");
	data[0] = 2000000000;
	count = panthor_perf_values_time_ns(values);
	add_sample(values, gpu, data, 10);
	CHECK(count == 2000000000 && panthor_perf_values_time_ns(values) == count &&
	      panthor_perf_values_samples(values) == 3,
	      "a damaged sample that ends before it begins takes no time");
	data[0] = 0;
	panthor_perf_values_destroy(values);

	values = make_values(gpu, table, DRM_PANTHOR_PERF_SET_SECONDARY);
	add_sample(values, gpu, data, used);
	counter = panthor_perf_table_counter(table, "MaliAnyActiveCy");
	CHECK(!panthor_perf_values_count(values, counter, PANTHOR_PERF_ALL_BLOCKS, &count) &&
	      panthor_perf_values_raw(values, SHADER, PANTHOR_PERF_ALL_BLOCKS, 53, &count) &&
	      count == 10000, "counters of another set are others");
	panthor_perf_values_destroy(values);

	values = make_values(gpu, table, PRIMARY);
	used = put_block(data, 10, 0, 0, raw, 64);
	used = put_block(data, used, 200, 0, raw, 64);
	used = put_block(data, used, SHADER, 4, raw, 64);
	add_sample(values, gpu, data, used);
	none = 0;
	for (i = 0; (counter = panthor_perf_table_counter_by_number(table, HARDWARE, i)); i++)
		none += !panthor_perf_values_count(values, counter, PANTHOR_PERF_ALL_BLOCKS,
						   &count);
	CHECK(i == 160 && none == 160, "unknown blocks, and cores that are not there, add nothing");
	panthor_perf_values_destroy(values);
	panthor_perf_gpu_destroy(gpu);

	/* Counters 26 and 53 are behind the end of these blocks. */
	gpu = make_gpu(&info, 24);
	values = make_values(gpu, table, PRIMARY);
	add_sample(values, gpu, data, put_block(data, 10, SHADER, 0, raw, 24));
	CHECK(!panthor_perf_values_count(values, panthor_perf_table_counter(table, "core_util"),
					 PANTHOR_PERF_ALL_BLOCKS, &count) &&
	      !panthor_perf_values_count(values, panthor_perf_table_counter(table, "shader:26"),
					 PANTHOR_PERF_ALL_BLOCKS, &count) &&
	      panthor_perf_values_count(values, panthor_perf_table_counter(table, "shader:9"),
					PANTHOR_PERF_ALL_BLOCKS, &count) && !count,
	      "short blocks have no value of what is behind their end");
	panthor_perf_values_destroy(values);
	panthor_perf_gpu_destroy(gpu);
	panthor_perf_table_destroy(table);

	table = builtin("G715");
	gpu = make_gpu(&info, 128);
	values = make_values(gpu, table, PRIMARY);
	counter = panthor_perf_table_counter(table, "MaliFragThread");
	memset(raw, 0, sizeof(raw));
	raw[69] = 0x100000001;
	add_sample(values, gpu, data, put_block(data, 10, SHADER, 0, raw, 128));
	CHECK(panthor_perf_values_count(values, counter, PANTHOR_PERF_ALL_BLOCKS, &count) &&
	      count == 0x400000004 && panthor_perf_counter_value(counter, 3) == 12,
	      "a shift, in 64 bits");
	CHECK(panthor_perf_values_raw(values, SHADER, 0, 69, &count) && count == 0x100000001,
	      "and as the hardware counts");
	panthor_perf_values_destroy(values);
	panthor_perf_gpu_destroy(gpu);
	panthor_perf_table_destroy(table);
}

/* By which blocks a counter can be shown follows from what its formula is over. */
static void test_block_types(void)
{
	static const char text[] =
		"panthor-perf-counters 1\n"
		"table T\n"
		"words 64\n"
		"product 10.7 \"P\"\n"
		"block cshw\n"
		"4 F cycles \"f\"\n"
		"block tiler\n"
		"4 T cycles \"t\"\n"
		"block memsys\n"
		"4 M cycles \"m\"\n"
		"block shader\n"
		"4 S cycles \"s\"\n"
		"derived shader percent \"a\" = S / F\n"
		"derived shader_tiler percent \"b\" = S + T\n"
		"derived memsys percent \"c\" = M / F / T\n"
		"derived both percent \"d\" = S / M\n"
		"derived front percent \"e\" = F + T\n"
		"derived nothing percent \"f\" = 2 * NCORE\n";
	static const struct {
		const char *name;
		unsigned int type;
	} cases[] = {
		{ "F", CSHW }, { "T", TILER }, { "M", MEMSYS }, { "S", SHADER },
		{ "shader", SHADER }, { "shader_tiler", SHADER }, { "memsys", MEMSYS },
		{ "both", 0 }, { "front", 0 }, { "nothing", 0 },
	};
	struct panthor_perf_table *table;
	size_t i;

	if (panthor_perf_table_create_from_text(text, strlen(text), NULL, &table, NULL)) {
		CHECK(false, "a table for block types");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK(panthor_perf_counter_block_type(table,
						      panthor_perf_table_counter(table,
										 cases[i].name)) ==
		      cases[i].type, "%s is of blocks of type %u", cases[i].name, cases[i].type);
	panthor_perf_table_destroy(table);
}

static struct panthor_perf_table *shared;

static void *use_table(void *arg)
{
	struct panthor_perf_table *table = builtin(arg);
	const struct panthor_perf_constants constants = {
		.size = sizeof(constants),
		.core_count = 4,
		.l2_slices = 1,
		.bus_bytes = 16,
		.time_span_ns = 1,
	};
	const struct panthor_perf_counter *counter;
	uint64_t values[512] = { 1 };
	bool known[512];
	double value;
	uint32_t i, j;

	memset(known, true, sizeof(known));
	for (j = 0; j < 100; j++)
		for (i = 0; (counter = panthor_perf_table_counter_by_number(shared, DERIVED, i));
		     i++)
			if (panthor_perf_table_counter(shared, counter->name) != counter ||
			    (panthor_perf_expr_value(counter->expr, values, known, &constants,
						     &value) && value != value))
				return NULL;
	panthor_perf_table_destroy(table);
	return arg;
}

static void test_threads(void)
{
	static char *const names[] = { "G710", "G715", "G1", "G710" };
	pthread_t threads[ARRAY_SIZE(names)];
	unsigned int good = 0;
	size_t i;

	shared = builtin("G725");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (pthread_create(&threads[i], NULL, use_table, names[i]))
			return;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		void *result;

		pthread_join(threads[i], &result);
		good += result == names[i];
	}
	CHECK(good == ARRAY_SIZE(names), "four threads use one table, and make their own");
	panthor_perf_table_destroy(shared);
}

int main(void)
{
	test_rows();
	test_places();
	test_products();
	test_lookup();
	test_every_counter();
	test_constants();
	test_constants_size();
	test_sums();
	test_block_types();
	test_threads();
	return check_failures ? 1 : 0;
}
