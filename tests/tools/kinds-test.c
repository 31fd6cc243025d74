// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Which counters of the five tables are amounts, and which category they have in a Perfetto trace.
 * The lists are written by hand, from what the formulas and the names say.
 */

#include <stdio.h>
#include <string.h>

#include <report/amounts.h>
#include <perfetto/perfetto_groups.h>

#include "check.h"

/* Derived counters of all tables that grow with time. All others are shares, ratios or rates. */
static const char *const amounts[] = {
	"ext_rd_bytes", "ext_rd_lat384", "ext_wr_bytes", "gpu_active", "pixels", "prim_total",
	"sc_ls_wr",
};

/*
 * Counters by table, as its lines have them: hardware, derived, those of the ray tracing unit, and
 * of memory: all of the L2 slices, MaliLS* and MaliSCBus* of the cores, MaliL2CacheFlush*,
 * MaliTilerRdBt.
 */
static const struct {
	const char *name;
	unsigned int hardware;
	unsigned int derived;
	unsigned int ray_tracing;
	unsigned int memory;
} tables[] = {
	{ "G710", 156, 64, 0, 45 + 15 + 3 },
	{ "G715", 174, 67, 17, 45 + 15 + 3 },
	{ "G720", 185, 67, 17, 45 + 15 + 3 },
	{ "G725", 209, 69, 17, 45 + 15 + 3 },
	{ "G1", 214, 71, 20, 42 + 17 + 3 },
};

/* Categories of counters, in the tables that have them. */
static const struct {
	const char *name;
	enum perfetto_group group;
} groups[] = {
	{ "MaliGPUActiveCy", GROUP_SYSTEM },
	{ "MaliGPUIRQActiveCy", GROUP_SYSTEM },
	{ "MaliCSFMCUActiveCy", GROUP_SYSTEM },
	{ "MaliCSDoorbellIRQCy", GROUP_SYSTEM },
	{ "gpu_busy", GROUP_SYSTEM },
	{ "ext_bus_util", GROUP_MEMORY },
	{ "ext_bus_active", GROUP_MEMORY },
	{ "gpu_clock", GROUP_SYSTEM },
	{ "gpu_active", GROUP_SYSTEM },
	{ "gpu_freq", GROUP_SYSTEM },
	{ "mcu_util", GROUP_SYSTEM },
	{ "MaliVertQueueTask", GROUP_VERTICES },
	{ "MaliBinningQueuedCy", GROUP_VERTICES },
	{ "MaliGeomPosShadTask", GROUP_VERTICES },
	{ "MaliTilerVarCacheHit", GROUP_VERTICES },
	{ "geom_queue_util", GROUP_VERTICES },
	{ "attr_util", GROUP_VERTICES },
	{ "MaliFragQueuedCy", GROUP_FRAGMENTS },
	{ "MaliMainQueueTask", GROUP_FRAGMENTS },
	{ "MaliFragWarp", GROUP_FRAGMENTS },
	{ "MaliMainActiveCy", GROUP_FRAGMENTS },
	{ "frag_queue_util", GROUP_FRAGMENTS },
	{ "frag_util", GROUP_FRAGMENTS },
	{ "pixels", GROUP_FRAGMENTS },
	{ "cy_pixel", GROUP_FRAGMENTS },
	{ "overdraw", GROUP_FRAGMENTS },
	{ "var_util", GROUP_FRAGMENTS },
	{ "MaliGeomVisiblePrim", GROUP_PRIMITIVES },
	{ "MaliTilerActiveCy", GROUP_PRIMITIVES },
	{ "tiler_util", GROUP_PRIMITIVES },
	{ "prim_total", GROUP_PRIMITIVES },
	{ "prim_rate", GROUP_PRIMITIVES },
	{ "cull_face", GROUP_PRIMITIVES },
	{ "MaliExtBusRdBt", GROUP_MEMORY },
	{ "MaliMMUL3Hit", GROUP_MEMORY },
	{ "MaliLSFullRd", GROUP_MEMORY },
	{ "ls_util", GROUP_MEMORY },
	{ "ext_rd_bw", GROUP_MEMORY },
	{ "ext_rd_bytes", GROUP_MEMORY },
	{ "bytes_per_pixel", GROUP_MEMORY },
	{ "mmu_l3_hit", GROUP_MEMORY },
	{ "l2_rd_miss", GROUP_MEMORY },
	{ "MaliCompQueuedCy", GROUP_COMPUTE },
	{ "MaliCoreActiveCy", GROUP_COMPUTE },
	{ "MaliEngFMAInstr", GROUP_COMPUTE },
	{ "MaliNonFragWarp", GROUP_COMPUTE },
	{ "MaliCompOrBinningActiveCy", GROUP_COMPUTE },
	{ "MaliTexFiltIssueCy", GROUP_COMPUTE },
	{ "comp_queue_util", GROUP_COMPUTE },
	{ "shader_active", GROUP_COMPUTE },
	{ "core_util", GROUP_COMPUTE },
	{ "alu_util", GROUP_COMPUTE },
	{ "full_warp", GROUP_COMPUTE },
	{ "nonfrag_util", GROUP_COMPUTE },
	{ "cy_nonfrag", GROUP_COMPUTE },
	{ "MaliRTURay", GROUP_RAY_TRACING },
	{ "rtu_util", GROUP_RAY_TRACING },
};

static struct event event_of(const struct panthor_perf_counter *counter)
{
	return (struct event) {
		.counter = counter,
		.type = counter->type,
		.index = counter->index,
	};
}

static bool is_listed(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(amounts); i++)
		if (!strcmp(amounts[i], name))
			return true;
	return false;
}

static void test_amounts(const struct panthor_perf_table *table, const char *name)
{
	const struct panthor_perf_counter *counter;
	unsigned int found = 0, wrong = 0;
	struct event event;
	uint32_t i;

	for (i = 0; (counter = table_derived(table, i)); i++) {
		event = event_of(counter);
		found += event_is_amount(&event);
		if (event_is_amount(&event) == is_listed(counter->name))
			continue;
		printf("# %s: %s\n", name, counter->name);
		wrong++;
	}
	CHECK(!wrong && found == ARRAY_SIZE(amounts), "%s: derived counters that are amounts",
	      name);
	for (i = 0, wrong = 0; (counter = table_hardware(table, i)); i++) {
		event = event_of(counter);
		wrong += !event_is_amount(&event);
	}
	CHECK(!wrong, "%s: all hardware counters are amounts", name);
}

static void test_formula(struct panthor_perf_table *table, const char *formula, bool amount)
{
	struct panthor_perf_counter counter = { .kind = PANTHOR_PERF_COUNTER_DERIVED };
	struct event event = { .counter = &counter };
	struct panthor_perf_expr *expr;

	if (panthor_perf_expr_create(table, formula, &expr, NULL)) {
		CHECK(false, "'%s' is a formula", formula);
		return;
	}
	counter.expr = expr;
	CHECK(event_is_amount(&event) == amount, "'%s' is %s amount", formula,
	      amount ? "an" : "no");
	panthor_perf_expr_destroy(expr);
}

static void test_formulas(struct panthor_perf_table *table)
{
	static const struct {
		const char *formula;
		bool amount;
	} cases[] = {
		{ "MaliGPUActiveCy", true },
		{ "-MaliGPUActiveCy", true },
		{ "max(MaliGPUActiveCy, 4 * MaliFragWarp) - MaliFragTile", true },
		{ "MaliGPUActiveCy * MaliFragWarp / MaliFragTile", true },
		{ "MaliGPUActiveCy / NCORE", true },
		{ "TSPAN", true },
		{ "TOPCY - MaliGPUActiveCy", true },
		{ "MaliGPUActiveCy / TOPCY", false },
		{ "MaliGPUActiveCy / TSPAN", false },
		{ "MaliGPUActiveCy * MaliFragWarp", false },
		{ "MaliGPUActiveCy + 1", false },
		{ "NCORE", false },
		{ "100", false },
		{ "MaliGPUActiveCy - MaliGPUActiveCy", false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		test_formula(table, cases[i].formula, cases[i].amount);
}

static unsigned int count_kind(const struct panthor_perf_table *table, const char *name,
			       bool derived, unsigned int counts[GROUP_RAY_TRACING + 1])
{
	const struct panthor_perf_counter *counter;
	enum perfetto_group group;
	struct event event;
	uint32_t i;

	for (i = 0; (counter = derived ? table_derived(table, i) : table_hardware(table, i)); i++) {
		event = event_of(counter);
		group = perfetto_group(&event, table);
		counts[group]++;
		if (group == GROUP_UNCLASSIFIED)
			printf("# %s: %s\n", name, counter->name);
	}
	return i;
}

static void test_groups(const struct panthor_perf_table *table, size_t number)
{
	unsigned int hardware[GROUP_RAY_TRACING + 1] = { 0 };
	unsigned int derived[GROUP_RAY_TRACING + 1] = { 0 };
	const char *name = tables[number].name;
	unsigned int wrong = 0;
	struct event event;
	size_t i;

	CHECK(count_kind(table, name, false, hardware) == tables[number].hardware &&
	      count_kind(table, name, true, derived) == tables[number].derived,
	      "%s: number of counters", name);
	CHECK(!hardware[GROUP_UNCLASSIFIED] && !derived[GROUP_UNCLASSIFIED],
	      "%s: all have a category", name);
	CHECK(hardware[GROUP_RAY_TRACING] == tables[number].ray_tracing,
	      "%s: counters of ray tracing", name);
	CHECK(hardware[GROUP_MEMORY] == tables[number].memory, "%s: counters of memory", name);
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		const struct panthor_perf_counter *counter;

		counter = panthor_perf_table_counter(table, groups[i].name);
		if (!counter)
			continue;
		event = event_of(counter);
		if (perfetto_group(&event, table) == groups[i].group)
			continue;
		printf("# %s: %s: %d\n", name, counter->name, perfetto_group(&event, table));
		wrong++;
	}
	CHECK(!wrong, "%s: categories", name);
}

/* Without a table, the type of the block decides. */
static void test_unknown(void)
{
	static const enum perfetto_group want[] = {
		[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = GROUP_SYSTEM,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = GROUP_SYSTEM,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = GROUP_PRIMITIVES,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = GROUP_MEMORY,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = GROUP_COMPUTE,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = GROUP_COMPUTE,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = GROUP_SYSTEM,
	};
	struct event event = { .type = 200 };
	unsigned int type;

	CHECK(perfetto_group(&event, NULL) == GROUP_UNCLASSIFIED, "an unknown block type");
	for (type = 1; type < ARRAY_SIZE(want); type++) {
		event.type = type;
		CHECK(perfetto_group(&event, NULL) == want[type], "block type %u without names",
		      type);
	}
}

int main(void)
{
	struct panthor_perf_table *table;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		if (panthor_perf_table_create_by_name(tables[i].name, &table, NULL)) {
			CHECK(false, "there is a table %s", tables[i].name);
			continue;
		}
		test_amounts(table, tables[i].name);
		test_groups(table, i);
		if (!i)
			test_formulas(table);
		panthor_perf_table_destroy(table);
	}
	test_unknown();
	return check_failures ? 1 : 0;
}
