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
	"alu_cy", "arith_instr", "comp_queue_cy", "ext_rd_bytes", "ext_rd_lat384", "ext_rd_otq4",
	"ext_wr_bytes", "ext_wr_otq4", "ff_ext_bytes", "ff_l2_bytes", "fpk_quads",
	"frag_queue_cy", "frag_threads", "geom_queue_cy", "gpu_active", "input_prim", "ls_cy",
	"ls_ext_bytes", "ls_l2_bytes", "ls_rd_cy", "ls_wr_beats", "ls_wr_cy", "main_threads",
	"neural_queue_cy", "nonfrag_threads", "other_l2_bytes", "other_wr_bytes", "pixels",
	"pos_threads", "prepass_threads", "prim_culled", "prim_total", "rtu_cy", "rtu_ext_bytes",
	"rtu_l2_bytes", "sc_ls_wr", "shaded_quads", "slot0_cy", "tex_cy", "tex_ext_bytes",
	"tex_l2_bytes", "tex_quads", "tex_samples", "tile_wr_bytes", "tiler_rd_bytes",
	"tiler_wr_beats", "tiler_wr_bytes", "transp_quads", "var16_cy", "var32_cy", "var_cy",
	"var_threads",
	"nx_rd_bytes", "slot1_cy", "regs128", "occ_q4_cy",
};

/* Formulas that Arm's database does not have, at most, in a table. */
#define OWN	12

/* Counters by table, as its lines have them. */
static const struct {
	const char *name;
	unsigned int hardware;
	unsigned int derived;
} tables[] = {
	{ "G710", 160, 121 },
	{ "G715", 179, 125 },
	{ "G720", 190, 126 },
	{ "G725", 212, 134 },
	{ "G1", 281, 156 },
	{ "G2", 296, 159 },
};

#define IN(group)	(1u << GROUP_##group)

/* Groups of some counters, as Arm's database has them, and of our own formulas. */
static const struct {
	const char *name;
	unsigned int groups;
} groups[] = {
	{ "MaliGPUActiveCy", IN(SYSTEM) },
	{ "MaliGPUIRQActiveCy", IN(SYSTEM) },
	{ "MaliCSFMCUActiveCy", IN(UNCLASSIFIED) },
	{ "MaliVertQueueTask", IN(VERTICES) },
	{ "MaliBinningQueuedCy", IN(VERTICES) },
	{ "MaliGeomPosShadTask", IN(VERTICES) },
	{ "MaliTilerVarCacheHit", IN(UNCLASSIFIED) },
	{ "MaliFragQueuedCy", IN(FRAGMENTS) },
	{ "MaliMainActiveCy", IN(FRAGMENTS) },
	{ "MaliGeomVisiblePrim", IN(PRIMITIVES) },
	{ "MaliTilerActiveCy", IN(VERTICES) },
	{ "MaliExtBusRdBt", IN(MEMORY) },
	{ "MaliMMUL3Hit", IN(MEMORY) },
	{ "MaliLSFullRd", IN(SYSTEM) },
	{ "MaliCompQueuedCy", IN(COMPUTE) | IN(RAY_TRACING) },
	{ "MaliNonFragWarp", IN(VERTICES) | IN(COMPUTE) },
	{ "MaliCompOrBinningActiveCy", IN(VERTICES) | IN(COMPUTE) },
	{ "MaliRTURay", IN(SYSTEM) | IN(RAY_TRACING) },
	{ "frag_queue_util", IN(FRAGMENTS) },
	{ "alu_util", IN(SYSTEM) },
	{ "ext_rd_bw", IN(MEMORY) },
	{ "rtu_util", IN(SYSTEM) | IN(RAY_TRACING) },
	{ "prim_total", IN(PRIMITIVES) },
	{ "mcu_util", IN(UNCLASSIFIED) },
	{ "gpu_busy", IN(SYSTEM) },
	{ "gpu_clock", IN(SYSTEM) },
	{ "ext_bus_util", IN(MEMORY) },
	{ "prim_rate", IN(PRIMITIVES) },
	{ "bytes_per_pixel", IN(MEMORY) },
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
	unsigned int found = 0, wrong = 0, there = 0;
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
	for (i = 0; i < ARRAY_SIZE(amounts); i++)
		there += !!panthor_perf_table_counter(table, amounts[i]);
	CHECK(!wrong && found == there && found > 40, "%s: derived counters that are amounts",
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

/* Counters of a kind, and how many of them are in the list of groups by their name. */
static unsigned int count_kind(const struct panthor_perf_table *table, bool derived,
			       unsigned int *listed)
{
	const struct panthor_perf_counter *counter;
	uint32_t i;

	for (i = 0; (counter = derived ? table_derived(table, i) : table_hardware(table, i)); i++) {
		const char *name = derived ? counter->source : counter->name;
		unsigned int k;

		for (k = 0; name && k < perfetto_groups_count; k++)
			*listed += !strcmp(perfetto_groups_table[k].name, name);
	}
	return i;
}

static void test_groups(const struct panthor_perf_table *table, size_t number)
{
	const char *name = tables[number].name;
	unsigned int wrong = 0, hardware = 0, derived = 0;
	size_t i;

	CHECK(count_kind(table, false, &hardware) == tables[number].hardware &&
	      count_kind(table, true, &derived) == tables[number].derived,
	      "%s: number of counters", name);
	CHECK(hardware == tables[number].hardware && derived + OWN >= tables[number].derived,
	      "%s: %u counters and %u formulas have Arm's groups", name, hardware, derived);
	for (i = 0; i < ARRAY_SIZE(groups); i++) {
		const struct panthor_perf_counter *counter;
		struct event event;

		counter = panthor_perf_table_counter(table, groups[i].name);
		if (!counter)
			continue;
		event = event_of(counter);
		if (perfetto_groups(&event) == groups[i].groups)
			continue;
		printf("# %s: %s: %#x\n", name, counter->name, perfetto_groups(&event));
		wrong++;
	}
	CHECK(!wrong, "%s: groups", name);
}

static void test_sorted(void)
{
	unsigned int i, wrong = 0;

	for (i = 1; i < perfetto_groups_count; i++)
		wrong += strcmp(perfetto_groups_table[i - 1].name,
				perfetto_groups_table[i].name) >= 0;
	CHECK(perfetto_groups_count > 500 && !wrong, "%u names in order", perfetto_groups_count);
}

/* Without a name, the type of the block decides. */
static void test_unknown(void)
{
	static const unsigned int want[] = {
		[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = IN(SYSTEM),
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = IN(SYSTEM),
		[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = IN(PRIMITIVES),
		[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = IN(MEMORY),
		[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = IN(COMPUTE),
		[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = IN(UNCLASSIFIED),
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = IN(SYSTEM),
	};
	struct event event = { .type = 200 };
	unsigned int type;

	CHECK(perfetto_groups(&event) == IN(UNCLASSIFIED), "an unknown block type");
	for (type = 1; type < ARRAY_SIZE(want); type++) {
		event.type = type;
		CHECK(perfetto_groups(&event) == want[type], "block type %u without names", type);
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
	test_sorted();
	test_unknown();
	return check_failures ? 1 : 0;
}
