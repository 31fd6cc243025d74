// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of selections: counters by place and by name, and the sections that come of them. */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>
#include <panthor_perf_values.h>

#include "check.h"

#define FW	DRM_PANTHOR_PERF_BLOCK_TYPE_FW
#define CSHW	DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW
#define TILER	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define MEMSYS	DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define NEURAL	DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL

#define PRIMARY	DRM_PANTHOR_PERF_SET_PRIMARY
#define SECTION	sizeof(struct drm_panthor_perf_section)

static const struct drm_panthor_perf_info info = {
	.counters_per_block = 128,
	.sample_header_size = 80,
	.block_header_size = 8,
	.sample_size = 80 + 11 * (8 + 8 * 128),
	.abi = DRM_PANTHOR_PERF_ABI,
	.fw_blocks = 1,
	.cshw_blocks = 1,
	.tiler_blocks = 1,
	.memsys_blocks = 4,
	.shader_blocks = 4,
};

static const char table_text[] =
	"panthor-perf-counters 1\n"
	"table T\n"
	"words 128\n"
	"product 10.7 \"Mali-G610\"\n"
	"block cshw\n"
	"4 MaliActive cycles \"a\" source ACTIVE\n"
	"5 MaliWait cycles \"w\"\n"
	"block memsys\n"
	"127 MaliReads beats \"r\"\n"
	"block shader\n"
	"9 MaliWarps warps \"s\"\n"
	"4 OtherWarps warps \"o\" set secondary\n"
	"block csg\n"
	"6 MaliGroups jobs \"g\"\n"
	"group \"Front end\"\n"
	"derived wait_share percent \"W\" = 100 * MaliWait / MaliActive\n"
	"group \"Front, and memory\"\n"
	"derived warps_per_read percent \"R\" default\n = MaliWarps / MaliReads * wait_share\n"
	"group \"Groups\"\n"
	"derived groups percent \"GG\" = MaliGroups / 2\n";

static struct panthor_perf_table *table;

static struct panthor_perf_gpu *gpu;

static struct panthor_perf_gpu *make_gpu(const struct drm_panthor_perf_info *from)
{
	struct panthor_perf_gpu *made = NULL;

	if (panthor_perf_gpu_create(NULL, 0, from, sizeof(*from), &made, NULL)) {
		printf("Bail out! there is no GPU\n");
		exit(1);
	}
	return made;
}

static struct panthor_perf_selection *begin_with(const struct panthor_perf_gpu *of, bool names,
						 unsigned int set)
{
	struct panthor_perf_selection *selection = NULL;

	panthor_perf_selection_create(of, names ? table : NULL, set, &selection, NULL);
	return selection;
}

static struct panthor_perf_selection *begin(bool names)
{
	return begin_with(gpu, names, PRIMARY);
}

/* The item of a place; NULL if it is none. */
static const struct panthor_perf_item *item_at(const struct panthor_perf_selection *selection,
					       unsigned int type, unsigned int index)
{
	const struct panthor_perf_item *item;
	size_t i;

	for (i = 0; (item = panthor_perf_selection_item(selection, i)); i++)
		if (item->type == type && item->index == index)
			return item;
	return NULL;
}

/* The names of all items; those of patterns have a '*' behind them. */
static const char *names_of(const struct panthor_perf_selection *selection)
{
	static char names[1024];
	const struct panthor_perf_item *item;
	size_t i, used = 0;

	*names = 0;
	for (i = 0; (item = panthor_perf_selection_item(selection, i)); i++)
		used += snprintf(names + used, used < sizeof(names) ? sizeof(names) - used : 0,
				 "%s%s%s", i ? " " : "", item->name, item->by_pattern ? "*" : "");
	return i == panthor_perf_selection_item_count(selection) ? names : "wrong number";
}

/* All masks of a selection, to see that nothing was changed. */
static uint64_t sum_of(const struct panthor_perf_selection *selection)
{
	struct drm_panthor_perf_section sections[32];
	size_t count = panthor_perf_selection_sections(selection, sections, SECTION,
						       ARRAY_SIZE(sections)), i;
	uint64_t sum = count;

	for (i = 0; i < count && i < ARRAY_SIZE(sections); i++)
		sum = sum * 31 + sections[i].block_type * 7 + sections[i].first_counter * 3 +
		      sections[i].mask;
	return sum;
}

static void test_good(void)
{
	static const struct {
		const char *text;
		unsigned int type;
		unsigned int count;
		unsigned int first;
		unsigned int last;
		bool named;
	} cases[] = {
		{ "shader:4", SHADER, 1, 4, 4, true },
		{ "SHADER:127", SHADER, 1, 127, 127, true },
		{ "Tiler:4-4", TILER, 1, 4, 4, false },
		{ "tiler:60-70", TILER, 11, 60, 70, false },
		{ "cshw:*", CSHW, 124, 4, 127, false },
		{ "fw:4-127", FW, 124, 4, 127, false },
		{ "memsys:5,memsys:6,memsys:5", MEMSYS, 2, 5, 6, true },
		{ "fw:9,memsys:64-127", MEMSYS, 64, 64, 127, false },
		{ "memsys:007", MEMSYS, 1, 7, 7, true },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_selection *selection = begin(i % 2);
		int ret = panthor_perf_selection_add(selection, cases[i].text, NULL);
		const struct panthor_perf_item *item;
		unsigned int type = cases[i].type;
		unsigned int another = type == TILER ? CSHW : TILER;

		item = item_at(selection, type, cases[i].first);
		CHECK(!ret && panthor_perf_selection_count(selection, type) == cases[i].count &&
		      panthor_perf_selection_has(selection, type, cases[i].first) &&
		      panthor_perf_selection_has(selection, type, cases[i].last) &&
		      !panthor_perf_selection_has(selection, type, cases[i].first - 1) &&
		      !panthor_perf_selection_has(selection, type, cases[i].last + 1) &&
		      !panthor_perf_selection_has(selection, another, 4) && item &&
		      item->by_pattern == !cases[i].named, "select '%s'", cases[i].text);
		panthor_perf_selection_destroy(selection);
	}
}

static void test_bad(void)
{
	static const struct {
		const char *text;
		unsigned int column;
		const char *error;
		bool names;
	} cases[] = {
		{ "", 1, "a counter is missing", false },
		{ ",", 1, "a counter is missing", false },
		{ "shader:4,", 10, "a counter is missing", false },
		{ ":4", 1, "a counter is missing", false },
		{ "shader", 1, "'shader' is not BLOCK:INDEX", false },
		{ "shader,tiler:4", 1, "'shader' is not BLOCK:INDEX", false },
		{ "shade:4", 1, "there is no block type 'shade'", false },
		{ "shaders:4", 1, "there is no block type 'shaders'", false },
		{ " shader:4", 1, "there is no block type ' shader'", false },
		{ "csg:4", 1, "this GPU has no blocks of type csg", false },
		{ "neural:4", 1, "this GPU has no blocks of type neural", false },
		{ "shader:", 8, "a counter index, a range or '*' is missing", false },
		{ "shader:x", 8, "a counter index, a range or '*' is missing", false },
		{ "shader:-4", 8, "a counter index, a range or '*' is missing", false },
		{ "shader:+4", 8, "a counter index, a range or '*' is missing", false },
		{ "shader:0", 8, "counters 0 to 3 never count", false },
		{ "shader:3-9", 8, "counters 0 to 3 never count", false },
		{ "shader:128", 8, "counter 128 does not exist: the last is 127", false },
		{ "shader:4-128", 10, "counter 128 does not exist: the last is 127", false },
		{ "shader:99999999999999999999", 8,
		  "counter 99999999999999999999 does not exist", false },
		{ "shader:18446744073709551620", 8,
		  "counter 18446744073709551620 does not exist", false },
		{ "shader:9-8", 11, "the range 9-8 runs backwards", false },
		{ "shader:9-", 10, "a counter index, a range or '*' is missing", false },
		{ "shader:9-10-11", 12, "unexpected '-'", false },
		{ "shader:**", 9, "unexpected '*'", false },
		{ "shader:4x", 9, "unexpected 'x'", false },
		{ "shader:4;tiler:4", 9, "unexpected ';'", false },
		{ "shader:4:5", 9, "unexpected ':'", false },
		{ "MaliNothing", 1, "there is no counter 'MaliNothing'", true },
		{ "MaliActiv", 1, "there is no counter 'MaliActiv'; is it MaliActive?", true },
		{ "shader:4,MaliWarp", 10,
		  "there is no counter 'MaliWarp'; is it MaliWarps?", true },
		{ "MaliActive:4", 1, "there is no block type 'MaliActive'", true },
		{ "Zzz*", 1, "no counter matches 'Zzz*'", true },
		{ "OtherWarps", 1, "OtherWarps is of the counter set secondary", true },
		{ "Other*", 1,
		  "this GPU or counter set has none of the counters that match 'Other*'", true },
		{ "MaliGroups", 1, "MaliGroups: this GPU has no counter csg:6", true },
		{ "groups", 1, "groups: this GPU has no counter csg:6", true },
		{ "MaliActive,,MaliWait", 12, "a counter is missing", true },
		{ "MaliActive ", 1, "there is no counter 'MaliActive '", true },
		{ "@front", 1, "there is no counter table with groups for this GPU", false },
		{ "@front:4", 1, "there is no block type '@front'", true },
		{ "@memory", 1, "there is no group '@memory': use @ and one of default, front-end, "
		  "front-and-memory, groups", true },
		{ "MaliActive,@", 12, "there is no group '@': use @ and one of", true },
		{ "@--", 1, "there is no group '@--': use @ and one of", true },
		{ "@groups-", 1, "this GPU or counter set has none of the counters of '@groups-'",
		  true },
	};
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char longest[300];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_selection *selection = begin(cases[i].names);
		uint64_t before;
		int ret;

		panthor_perf_selection_add(selection, "fw:10", NULL);
		before = sum_of(selection);
		memset(&error, 0xff, sizeof(error));
		error.size = sizeof(error);
		ret = panthor_perf_selection_add(selection, cases[i].text, &error);
		CHECK(ret == -EINVAL && error.code == ret && error.size == sizeof(error) &&
		      error.column == cases[i].column && !error.line && !*error.file &&
		      !strncmp(error.text, cases[i].error, strlen(cases[i].error)) &&
		      before == sum_of(selection), "refuse '%s': %u: %s", cases[i].text,
		      error.column, error.text);
		CHECK(panthor_perf_selection_add(selection, cases[i].text, NULL) == -EINVAL &&
		      !strcmp(names_of(selection), "fw:10"),
		      "refuse '%s' without a word", cases[i].text);
		panthor_perf_selection_destroy(selection);
	}

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = 0;
	{
		struct panthor_perf_selection *selection = begin(true);

		CHECK(panthor_perf_selection_add(selection, longest, &error) == -EINVAL &&
		      strstr(error.text, "a name of more than"), "refuse a very long name");
		panthor_perf_selection_destroy(selection);
	}
}

static void test_names(void)
{
	struct panthor_perf_selection *selection = begin(true);
	unsigned int wrong = 0, i;
	char name[24];

	CHECK(!panthor_perf_selection_add(selection, "wait_share,malireads,ACTIVE,shader:4",
					  NULL), "derived, in any case, by source, and by place");
	CHECK(!strcmp(names_of(selection), "wait_share MaliReads MaliActive shader:4"),
	      "what was named, in this order: %s", names_of(selection));
	CHECK(panthor_perf_selection_count(selection, CSHW) == 2 &&
	      panthor_perf_selection_has(selection, CSHW, 4) &&
	      panthor_perf_selection_has(selection, CSHW, 5) &&
	      panthor_perf_selection_has(selection, MEMSYS, 127) &&
	      panthor_perf_selection_has(selection, SHADER, 4) &&
	      !panthor_perf_selection_count(selection, TILER),
	      "what a derived counter needs is enabled");
	CHECK(!panthor_perf_selection_add(selection, "MaliReads,Mali*", NULL), "a pattern");
	CHECK(!strcmp(names_of(selection),
		      "wait_share MaliReads MaliActive shader:4 MaliWait* MaliWarps*"),
	      "each counter once, and none that the GPU does not have: %s", names_of(selection));
	panthor_perf_selection_destroy(selection);

	selection = begin(true);
	CHECK(!panthor_perf_selection_add(selection, "warps_per_*", NULL) &&
	      panthor_perf_selection_has(selection, SHADER, 9) &&
	      panthor_perf_selection_has(selection, MEMSYS, 127) &&
	      panthor_perf_selection_count(selection, CSHW) == 2 &&
	      !strcmp(names_of(selection), "warps_per_read*"),
	      "a derived counter by a pattern, with what the derived ones in it need");
	CHECK(panthor_perf_selection_add_counter(selection, TILER, 3, NULL) == -EINVAL &&
	      panthor_perf_selection_add_counter(selection, TILER, 128, NULL) == -EINVAL &&
	      panthor_perf_selection_add_counter(selection, 7, 4, NULL) == -EINVAL &&
	      panthor_perf_selection_add_counter(selection, 200, 4, NULL) == -EINVAL &&
	      !panthor_perf_selection_count(selection, TILER) &&
	      !panthor_perf_selection_add_counter(selection, TILER, 127, NULL) &&
	      panthor_perf_selection_has(selection, TILER, 127), "a counter by its numbers");
	panthor_perf_selection_destroy(selection);
	panthor_perf_selection_destroy(NULL);

	/* More than there is room for at first. */
	selection = begin(true);
	for (i = 4; i < 60; i++)
		wrong += !!panthor_perf_selection_add_counter(selection, SHADER, i, NULL);
	for (i = 4; i < 60; i++) {
		const struct panthor_perf_item *item =
			panthor_perf_selection_item(selection, i - 4);

		snprintf(name, sizeof(name), i == 9 ? "MaliWarps" : "shader:%u", i);
		wrong += !item || !item->name || strcmp(item->name, name) || item->by_pattern;
	}
	CHECK(!wrong && panthor_perf_selection_item_count(selection) == 56,
	      "counters by their numbers, one after the other");
	panthor_perf_selection_destroy(selection);
}

/* Items: in the order in which they were selected first, each once, with or without a name. */
static void test_items(void)
{
	static const struct {
		const char *text[3];
		const char *items;
		bool no_table;
	} cases[] = {
		{ { "MaliWarps,MaliActive,MaliWarps" }, "MaliWarps MaliActive", false },
		{ { "malIwarps,shader:9" }, "MaliWarps", false },
		{ { "shader:9" }, "MaliWarps", false },
		{ { "shader:9" }, "shader:9", true },
		{ { "shader:10,fw:4,shader:8" }, "shader:10 fw:4 shader:8", false },
		{ { "shader:8-10" }, "shader:8* MaliWarps* shader:10*", false },
		{ { "shader:8-10", "shader:10,MaliWarps" }, "shader:8* MaliWarps shader:10",
		  false },
		{ { "shader:10", "shader:8-10" }, "shader:10 shader:8* MaliWarps*", false },
		{ { "shader:010" }, "shader:10", false },
		{ { "wait_share", "MaliWait" }, "wait_share MaliWait", false },
		{ { "MaliWait", "wait_share" }, "MaliWait wait_share", false },
		{ { "wait_*", "WAIT_SHARE", "wait_*" }, "wait_share", false },
		{ { "wait_*,*_share" }, "wait_share*", false },
		{ { "*" }, "MaliActive* MaliWait* MaliReads* MaliWarps* wait_share* "
		  "warps_per_read*", false },
		{ { "warps_per_read", "*" }, "warps_per_read MaliActive* MaliWait* MaliReads* "
		  "MaliWarps* wait_share*", false },
		{ { "MaliActive,Nothing", "MaliWait" }, "MaliWait", false },
		{ { "@front-end" }, "wait_share*", false },
		{ { "@FRONT_AND" }, "warps_per_read*", false },
		{ { "@f", "wait_share" }, "wait_share warps_per_read*", false },
		{ { "MaliWarps,@default" }, "MaliWarps warps_per_read*", false },
		{ { "@Default,@front-end" }, "warps_per_read* wait_share*", false },
	};
	const struct panthor_perf_item *item;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_selection *selection = begin(!cases[i].no_table);

		for (j = 0; j < 3 && cases[i].text[j]; j++)
			panthor_perf_selection_add(selection, cases[i].text[j], NULL);
		CHECK(!strcmp(names_of(selection), cases[i].items), "items of '%s': %s",
		      cases[i].text[0], names_of(selection));
		panthor_perf_selection_destroy(selection);
	}
	{
		struct panthor_perf_selection *selection = begin(true);

		CHECK(!panthor_perf_selection_item_count(selection) &&
		      !panthor_perf_selection_item(selection, 0), "no items at first");
		panthor_perf_selection_add(selection, "wait_share,shader:10,MaliReads", NULL);
		item = panthor_perf_selection_item(selection, 0);
		CHECK(item->counter == panthor_perf_table_counter(table, "wait_share") &&
		      !item->type && !item->index && item->name == item->counter->name,
		      "the item of a derived counter");
		item = panthor_perf_selection_item(selection, 1);
		CHECK(!item->counter && item->type == SHADER && item->index == 10 &&
		      !strcmp(item->name, "shader:10"), "the item of a place without a name");
		item = panthor_perf_selection_item(selection, 2);
		CHECK(item->counter == panthor_perf_table_counter(table, "MaliReads") &&
		      item->type == MEMSYS && item->index == 127, "the item of a counter");
		CHECK(!panthor_perf_selection_item(selection, 3) &&
		      !panthor_perf_selection_item(selection, SIZE_MAX) &&
		      panthor_perf_selection_item_count(selection) == 3, "there are no others");
		CHECK(panthor_perf_selection_gpu(selection) == gpu &&
		      panthor_perf_selection_table(selection) == table &&
		      panthor_perf_selection_counter_set(selection) == PRIMARY,
		      "what a selection is made of");
		panthor_perf_selection_destroy(selection);
	}
}

/* The same place is another counter in another set. */
static void test_sets(void)
{
	struct panthor_perf_selection *selection =
		begin_with(gpu, true, DRM_PANTHOR_PERF_SET_SECONDARY);
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	CHECK(!panthor_perf_selection_add(selection, "shader:4,shader:9,otherwarps", NULL) &&
	      !strcmp(names_of(selection), "OtherWarps shader:9"), "names of the set: %s",
	      names_of(selection));
	CHECK(panthor_perf_selection_add(selection, "shader:5,MaliActive", &error) == -EINVAL &&
	      !strcmp(error.text, "MaliActive is of the counter set primary") &&
	      error.column == 10 && !panthor_perf_selection_has(selection, SHADER, 5),
	      "a name of another set: %s", error.text);
	CHECK(panthor_perf_selection_counter_set(selection) == DRM_PANTHOR_PERF_SET_SECONDARY,
	      "the set of a selection");
	panthor_perf_selection_destroy(selection);
	selection = begin_with(gpu, false, DRM_PANTHOR_PERF_SET_TERTIARY);
	CHECK(!panthor_perf_selection_add(selection, "shader:9", NULL) &&
	      !panthor_perf_selection_table(selection) &&
	      !strcmp(names_of(selection), "shader:9"), "a set without a table");
	panthor_perf_selection_destroy(selection);
}

static void test_sections(void)
{
	struct drm_panthor_perf_info large_info = info;
	struct panthor_perf_selection *selection = begin(false);
	struct drm_panthor_perf_section sections[32];
	struct panthor_perf_gpu *large;
	size_t count;

	CHECK(!panthor_perf_selection_sections(selection, NULL, 0, 0),
	      "nothing selected gives no section");

	panthor_perf_selection_add(selection, "shader:4,shader:63,shader:64,fw:70", NULL);
	memset(sections, 0xa5, sizeof(sections));
	count = panthor_perf_selection_sections(selection, sections, SECTION,
						ARRAY_SIZE(sections));
	CHECK(count == 3, "sections are by 64 counters and block type");
	CHECK(sections[0].block_type == FW && sections[0].first_counter == 64 &&
	      sections[0].mask == 1ull << 6 && !sections[0].pad && !sections[0].pad2,
	      "section of a second 64");
	CHECK(sections[1].block_type == SHADER && sections[1].first_counter == 0 &&
	      sections[1].mask == (1ull << 4 | 1ull << 63), "section of a first 64");
	CHECK(sections[2].block_type == SHADER && sections[2].first_counter == 64 &&
	      sections[2].mask == 1, "section of the counter behind it");
	CHECK(sections[3].mask == 0xa5a5a5a5a5a5a5a5, "what is behind the sections stays");
	CHECK(panthor_perf_selection_sections(selection, NULL, 0, 0) == 3, "their number alone");
	memset(sections, 0xa5, sizeof(sections));
	CHECK(panthor_perf_selection_sections(selection, sections, SECTION, 2) == 3 &&
	      sections[1].mask == (1ull << 4 | 1ull << 63) &&
	      sections[2].mask == 0xa5a5a5a5a5a5a5a5, "room for fewer than there are");
	panthor_perf_selection_destroy(selection);

	selection = begin(false);
	panthor_perf_selection_add_all(selection, NULL);
	count = panthor_perf_selection_sections(selection, sections, SECTION,
						ARRAY_SIZE(sections));
	CHECK(count == 10 && sections[0].mask == ~0xfull && sections[1].mask == ~0ull &&
	      panthor_perf_selection_count(selection, SHADER) == 124 &&
	      !panthor_perf_selection_count(selection, DRM_PANTHOR_PERF_BLOCK_TYPE_CSG),
	      "all counters of the blocks that are there");
	CHECK(panthor_perf_selection_item_count(selection) == 5 * 124 &&
	      item_at(selection, MEMSYS, 127)->by_pattern, "are items, as of a pattern");
	panthor_perf_selection_destroy(selection);

	large_info.counters_per_block = 16320;
	large_info.csg_blocks = 31;
	large_info.neural_blocks = 1;
	large_info.sample_size = 80;
	large = make_gpu(&large_info);
	selection = begin_with(large, false, PRIMARY);
	panthor_perf_selection_add_all(selection, NULL);
	count = panthor_perf_selection_sections(selection, NULL, 0, 0);
	CHECK(count <= 256 && panthor_perf_selection_count(selection, SHADER) ==
	      PANTHOR_PERF_MAX_COUNTERS - 4, "more counters than anybody has");
	CHECK(!panthor_perf_selection_has(selection, 200, 4) &&
	      !panthor_perf_selection_has(selection, SHADER, 70000) &&
	      !panthor_perf_selection_count(selection, 200), "types and counters that cannot be");
	panthor_perf_selection_destroy(selection);
	panthor_perf_gpu_destroy(large);
}

/**
 * struct later_section - a section of a later kernel
 */
struct later_section {
	/** @known: What there is today. */
	struct drm_panthor_perf_section known;

	/** @later: What may come. */
	uint64_t later[3];
};

/* Sections as they are saved: there and back, whatever their size. */
static void test_round_trip(void)
{
	static const char text[] = "shader:4,shader:9,fw:127,memsys:64-70,MaliWait";
	static const struct drm_panthor_perf_section strange[] = {
		{ .block_type = 0, .mask = ~0ull },
		{ .block_type = 99, .mask = ~0ull },
		{ .block_type = DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, .mask = ~0ull },
		{ .block_type = TILER, .first_counter = 128, .mask = ~0ull },
		{ .block_type = TILER, .first_counter = 65472, .mask = ~0ull },
		{ .block_type = TILER, .first_counter = 64, .mask = 1ull << 63 },
		{ .block_type = TILER, .mask = 0x1f },
		{ .block_type = TILER, .mask = 0 },
	};
	struct panthor_perf_selection *from = begin(true), *to = begin(true);
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct drm_panthor_perf_section sections[8];
	struct later_section later[8];
	unsigned int wrong = 0;
	size_t count, i;

	panthor_perf_selection_add(from, text, NULL);
	count = panthor_perf_selection_sections(from, sections, SECTION, ARRAY_SIZE(sections));
	memset(later, 0xa5, sizeof(later));
	CHECK(count == 4 &&
	      panthor_perf_selection_sections(from, later, sizeof(*later), ARRAY_SIZE(later)) == 4,
	      "sections of two sizes");
	for (i = 0; i < count; i++)
		wrong += memcmp(&later[i].known, &sections[i], SECTION) || later[i].later[0] ||
			 later[i].later[1] || later[i].later[2];
	CHECK(!wrong && later[4].known.mask == 0xa5a5a5a5a5a5a5a5,
	      "what is behind the known part is 0, what is behind the last one stays");
	CHECK(!panthor_perf_selection_add_sections(to, sections, SECTION, count, NULL) &&
	      sum_of(to) == sum_of(from), "there and back");
	CHECK(!strcmp(names_of(to), "fw:127 MaliWait memsys:64 memsys:65 memsys:66 memsys:67 "
		      "memsys:68 memsys:69 memsys:70 shader:4 MaliWarps"),
	      "their counters are items: %s", names_of(to));
	panthor_perf_selection_destroy(to);
	to = begin(true);
	for (i = 0; i < count; i++)
		memset(later[i].later, 0xff, sizeof(later[i].later));
	CHECK(!panthor_perf_selection_add_sections(to, later, sizeof(*later), count, NULL) &&
	      sum_of(to) == sum_of(from), "there and back, with a larger element");
	CHECK(panthor_perf_selection_add_sections(to, sections, SECTION - 1, count, &error) ==
	      -EINVAL && error.code == -EINVAL && sum_of(to) == sum_of(from),
	      "a smaller element: %s", error.text);
	CHECK(!panthor_perf_selection_add_sections(to, NULL, SECTION, 0, NULL) &&
	      sum_of(to) == sum_of(from), "no section");
	panthor_perf_selection_destroy(to);
	panthor_perf_selection_destroy(from);

	to = begin(true);
	CHECK(!panthor_perf_selection_add_sections(to, strange, SECTION, ARRAY_SIZE(strange),
						   NULL) &&
	      !strcmp(names_of(to), "tiler:127 tiler:4"),
	      "sections of counters that are not there: %s", names_of(to));
	panthor_perf_selection_destroy(to);
}

static void test_sample_size(void)
{
	struct drm_panthor_perf_info huge_info = info;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_selection *selection = begin(false);
	struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_gpu *huge;

	CHECK(panthor_perf_selection_sample_size(selection) == 80, "a sample without counters");
	panthor_perf_selection_add(selection, "shader:4,shader:70,memsys:5,shader:127", NULL);
	CHECK(panthor_perf_selection_sample_size(selection) ==
	      80 + 4 * (8 + 3 * 8) + 4 * (8 + 8), "a sample of the blocks of two types");
	panthor_perf_selection_destroy(selection);
	huge_info.shader_blocks = 1u << 31;
	huge = make_gpu(&huge_info);
	selection = begin_with(huge, false, PRIMARY);
	panthor_perf_selection_add(selection, "shader:4", NULL);
	CHECK(!panthor_perf_selection_sample_size(selection), "more than this machine can hold");
	CHECK(panthor_perf_sample_create(huge, selection, &sample, &error) == -EINVAL && !sample &&
	      error.code == -EINVAL && *error.text, "no sample of it: %s", error.text);
	panthor_perf_selection_destroy(selection);
	panthor_perf_gpu_destroy(huge);
}

/* What is missing, or of another GPU, is refused. An error that was zeroed only is filled in. */
static void test_misuse(void)
{
	static const uint64_t data[(80 + 11 * (8 + 8 * 128)) / 8];
	struct drm_panthor_perf_info other_info = info;
	struct panthor_perf_selection *selection = begin(true);
	struct panthor_perf_constants constants = { 0 };
	struct panthor_perf_error error = { 0 };
	struct panthor_perf_sample *sample = NULL, *strange = NULL;
	struct panthor_perf_values *values = NULL;
	struct panthor_perf_expr *expr = NULL;
	struct panthor_perf_selection *none = NULL;
	struct panthor_perf_gpu *other;

	CHECK(panthor_perf_selection_create(NULL, table, PRIMARY, &none, &error) == -EINVAL &&
	      error.code == -EINVAL && !strcmp(error.text, "there is no GPU"),
	      "no GPU, an error that is zero: %s", error.text);
	CHECK(panthor_perf_sample_create(NULL, NULL, &sample, NULL) == -EINVAL && !sample,
	      "a sample of no GPU");
	CHECK(panthor_perf_values_create(NULL, &values, NULL) == -EINVAL && !values,
	      "values of no selection");
	CHECK(panthor_perf_expr_create(table, NULL, &expr, NULL) == -EINVAL && !expr,
	      "a formula without text");

	other_info.memsys_blocks = 2;
	other = make_gpu(&other_info);
	panthor_perf_selection_add(selection, "memsys:127", NULL);
	panthor_perf_values_create(selection, &values, NULL);
	panthor_perf_sample_create(gpu, NULL, &sample, NULL);
	panthor_perf_sample_create(other, NULL, &strange, NULL);
	panthor_perf_sample_parse(sample, data, sizeof(data), NULL);
	CHECK(panthor_perf_values_add(values, NULL) == -EINVAL &&
	      panthor_perf_values_add(values, strange) == -EINVAL &&
	      !panthor_perf_values_samples(values), "no sample, and one of another GPU");
	CHECK(!panthor_perf_values_add(values, sample) && panthor_perf_values_samples(values) == 1,
	      "a sample of the same GPU");
	panthor_perf_constants_set(&constants, gpu, 5);
	CHECK(constants.size == offsetof(struct panthor_perf_constants, neural_count) &&
	      constants.time_span_ns == 5,
	      "constants that are zero");
	panthor_perf_values_destroy(values);
	panthor_perf_sample_destroy(sample);
	panthor_perf_sample_destroy(strange);
	panthor_perf_gpu_destroy(other);
	panthor_perf_selection_destroy(selection);
}

#ifdef PANTHOR_PERF_DEBUG
/* Destroys a GPU, or a table, that a selection needs. */
static bool ends_by_abort(bool of_table)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		begin(true);
		if (of_table)
			panthor_perf_table_destroy(table);
		else
			panthor_perf_gpu_destroy(gpu);
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	       WTERMSIG(status) == SIGABRT;
}

static void test_lifetimes(void)
{
	CHECK(ends_by_abort(false), "a GPU that a selection needs");
	CHECK(ends_by_abort(true), "a table that a selection needs");
}
#else
static void test_lifetimes(void)
{
}
#endif

/*
 * A GPU with neural accelerators at the first and the last of three cores: their counters, and
 * shares of both and each.
 */
static void test_neural(void)
{
	static const struct drm_panthor_perf_block_header headers[] = {
		{ .type = CSHW }, { .type = SHADER }, { .type = SHADER, .idx = 1 },
		{ .type = SHADER, .idx = 2 }, { .type = NEURAL }, { .type = NEURAL, .idx = 2 },
	};
	static const struct drm_panthor_perf_info neural_info = {
		.counters_per_block = 128,
		.sample_header_size = 80,
		.block_header_size = 8,
		.sample_size = 80 + 6 * (8 + 8 * 128),
		.abi = DRM_PANTHOR_PERF_ABI,
		.cshw_blocks = 1,
		.shader_blocks = 3,
		.neural_blocks = 2,
	};
	/* Active cycles of the GPU; active cycles and 8-bit MACs / 1024 of each accelerator. */
	static const struct {
		unsigned int block;
		unsigned int index;
		uint64_t value;
	} counts[] = {
		{ 0, 4, 1000 }, { 4, 4, 200 }, { 5, 4, 600 }, { 4, 6, 1 }, { 5, 6, 7 },
	};
	static const struct {
		const char *name;
		int block;
		double value;
	} wanted[] = {
		{ "nx_clock_ratio", -1, 40 }, { "nx_clock_ratio", 0, 20 },
		{ "nx_clock_ratio", 2, 60 },
		{ "MaliNXCEWorkload", -1, 8192 }, { "MaliNXCEWorkload", 2, 7168 },
		{ "nx_mac_cy", -1, 10.24 }, { "nx_mac_cy", 0, 5.12 },
	};
	static uint64_t data[(80 + 6 * (8 + 8 * 128)) / 8];
	struct panthor_perf_table *g1 = NULL;
	struct panthor_perf_gpu *neural = make_gpu(&neural_info);
	struct panthor_perf_selection *selection = NULL;
	struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_values *values = NULL;
	size_t i;

	panthor_perf_table_create_by_name("G1", &g1, NULL);
	panthor_perf_selection_create(neural, g1, PRIMARY, &selection, NULL);
	CHECK(!panthor_perf_selection_add(selection, "neural:*,cshw:4", NULL) &&
	      panthor_perf_selection_count(selection, NEURAL) == 124, "counters of accelerators");
	CHECK(panthor_perf_gpu_block_count(neural, NEURAL) == 2 &&
	      panthor_perf_gpu_instance_count(neural, NEURAL) == 3 &&
	      panthor_perf_gpu_instance_count(neural, SHADER) == 3 &&
	      !panthor_perf_gpu_instance_count(neural, TILER), "numbers of instances");
	for (i = 0; i < ARRAY_SIZE(headers); i++)
		memcpy(&data[10 + i * 129], &headers[i], sizeof(headers[i]));
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		data[10 + counts[i].block * 129 + 1 + counts[i].index] = counts[i].value;
	panthor_perf_sample_create(neural, NULL, &sample, NULL);
	panthor_perf_values_create(selection, &values, NULL);
	CHECK(!panthor_perf_sample_parse(sample, data, sizeof(data), NULL) &&
	      !panthor_perf_values_add(values, sample), "a sample with blocks of accelerators");
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		const struct panthor_perf_counter *counter =
			panthor_perf_table_counter(g1, wanted[i].name);
		double value = -1;

		CHECK(counter && panthor_perf_counter_block_type(g1, counter) == NEURAL &&
		      panthor_perf_values_number(values, counter, wanted[i].block, &value) &&
		      value == wanted[i].value, "%s of block %d: %g", wanted[i].name,
		      wanted[i].block, value);
	}
	panthor_perf_values_destroy(values);
	panthor_perf_sample_destroy(sample);
	panthor_perf_selection_destroy(selection);
	panthor_perf_gpu_destroy(neural);
	panthor_perf_table_destroy(g1);
}

int main(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	if (panthor_perf_table_create_from_text(table_text, strlen(table_text), "own", &table,
						&error)) {
		printf("not ok the table of this test - %u: %s\n", error.line, error.text);
		return 1;
	}
	gpu = make_gpu(&info);
	test_good();
	test_bad();
	test_names();
	test_items();
	test_sets();
	test_sections();
	test_round_trip();
	test_sample_size();
	test_neural();
	test_misuse();
	test_lifetimes();
	panthor_perf_gpu_destroy(gpu);
	panthor_perf_table_destroy(table);
	return check_failures ? 1 : 0;
}
