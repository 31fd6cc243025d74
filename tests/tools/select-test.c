// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of selections: counters by place and by name, and the sections that come of them. */

#include <errno.h>
#include <string.h>

#include <panthor_perf_select.h>

#include "check.h"

#define FW	DRM_PANTHOR_PERF_BLOCK_TYPE_FW
#define CSHW	DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW
#define TILER	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define MEMSYS	DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER

static const struct drm_panthor_perf_info gpu = {
	.counters_per_block = 128,
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
	"group \"G\"\n"
	"derived wait_share percent \"W\" = 100 * MaliWait / MaliActive\n"
	"derived warps_per_read percent \"R\" = MaliWarps / MaliReads * wait_share\n"
	"derived groups percent \"GG\" = MaliGroups / 2\n";

static struct panthor_perf_table *table;

static struct panthor_perf_selection *begin(const struct drm_panthor_perf_info *info, bool names)
{
	struct panthor_perf_selection *selection = NULL;

	panthor_perf_selection_create(info, names ? table : NULL, DRM_PANTHOR_PERF_SET_PRIMARY,
				      &selection);
	return selection;
}

/* All masks of a selection, to see that nothing was changed. */
static uint64_t sum_of(struct panthor_perf_selection *selection)
{
	size_t count, i;
	const struct drm_panthor_perf_section *sections =
		panthor_perf_selection_sections(selection, &count);
	uint64_t sum = count;

	for (i = 0; i < count; i++)
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
		struct panthor_perf_selection *selection = begin(&gpu, i % 2);
		int ret = panthor_perf_selection_add(selection, cases[i].text, NULL);
		unsigned int type = cases[i].type;

		CHECK(!ret && panthor_perf_selection_count(selection, type) == cases[i].count &&
		      panthor_perf_selection_has(selection, type, cases[i].first) &&
		      panthor_perf_selection_has(selection, type, cases[i].last) &&
		      !panthor_perf_selection_has(selection, type, cases[i].first - 1) &&
		      !panthor_perf_selection_has(selection, type, cases[i].last + 1) &&
		      panthor_perf_selection_is_named(selection, type, cases[i].first) ==
		      cases[i].named, "select '%s'", cases[i].text);
		panthor_perf_selection_free(selection);
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
	};
	struct panthor_perf_error error;
	char longest[300];
	size_t i, count;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct panthor_perf_selection *selection = begin(&gpu, cases[i].names);
		uint64_t before;
		int ret;

		panthor_perf_selection_add(selection, "fw:10", NULL);
		before = sum_of(selection);
		memset(&error, 0xff, sizeof(error));
		ret = panthor_perf_selection_add(selection, cases[i].text, &error);
		CHECK(ret == -EINVAL && error.column == cases[i].column && !error.line &&
		      !strncmp(error.message, cases[i].error, strlen(cases[i].error)) &&
		      before == sum_of(selection), "refuse '%s': %u: %s", cases[i].text,
		      error.column, error.message);
		CHECK(panthor_perf_selection_add(selection, cases[i].text, NULL) == -EINVAL &&
		      !panthor_perf_selection_counters(selection, &count) && !count,
		      "refuse '%s' without a word", cases[i].text);
		panthor_perf_selection_free(selection);
	}

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = 0;
	{
		struct panthor_perf_selection *selection = begin(&gpu, true);

		CHECK(panthor_perf_selection_add(selection, longest, &error) == -EINVAL &&
		      strstr(error.message, "a name of more than"), "refuse a very long name");
		panthor_perf_selection_free(selection);
	}
}

static void test_names(void)
{
	struct panthor_perf_selection *selection = begin(&gpu, true);
	const struct panthor_perf_counter *const *counters;
	size_t count;

	CHECK(!panthor_perf_selection_add(selection, "wait_share,malireads,ACTIVE,shader:4",
					  NULL), "derived, in any case, by source, and by place");
	counters = panthor_perf_selection_counters(selection, &count);
	CHECK(count == 3 && !strcmp(counters[0]->name, "wait_share") &&
	      !strcmp(counters[1]->name, "MaliReads") && !strcmp(counters[2]->name, "MaliActive"),
	      "what was named, in this order");
	CHECK(panthor_perf_selection_count(selection, CSHW) == 2 &&
	      panthor_perf_selection_has(selection, CSHW, 4) &&
	      panthor_perf_selection_has(selection, CSHW, 5) &&
	      panthor_perf_selection_has(selection, MEMSYS, 127) &&
	      panthor_perf_selection_has(selection, SHADER, 4) &&
	      !panthor_perf_selection_count(selection, TILER),
	      "what a derived counter needs is enabled");
	CHECK(!panthor_perf_selection_add(selection, "MaliReads,Mali*", NULL), "a pattern");
	counters = panthor_perf_selection_counters(selection, &count);
	CHECK(count == 5 && !strcmp(counters[3]->name, "MaliWait") &&
	      !strcmp(counters[4]->name, "MaliWarps"),
	      "each counter once, and none that the GPU does not have");
	panthor_perf_selection_free(selection);

	selection = begin(&gpu, true);
	CHECK(!panthor_perf_selection_add(selection, "warps_per_*", NULL) &&
	      panthor_perf_selection_has(selection, SHADER, 9) &&
	      panthor_perf_selection_has(selection, MEMSYS, 127) &&
	      panthor_perf_selection_count(selection, CSHW) == 2,
	      "a derived counter by a pattern, with what the derived ones in it need");
	CHECK(panthor_perf_selection_add_counter(selection, TILER, 3) == -EINVAL &&
	      panthor_perf_selection_add_counter(selection, TILER, 128) == -EINVAL &&
	      panthor_perf_selection_add_counter(selection, 7, 4) == -EINVAL &&
	      panthor_perf_selection_add_counter(selection, 200, 4) == -EINVAL &&
	      !panthor_perf_selection_count(selection, TILER) &&
	      !panthor_perf_selection_add_counter(selection, TILER, 127) &&
	      panthor_perf_selection_has(selection, TILER, 127), "a counter by its numbers");
	panthor_perf_selection_free(selection);
	panthor_perf_selection_free(NULL);
}

static void test_sections(void)
{
	const struct drm_panthor_perf_section *sections;
	struct drm_panthor_perf_info large = gpu;
	struct panthor_perf_selection *selection = begin(&gpu, false);
	size_t count;

	panthor_perf_selection_sections(selection, &count);
	CHECK(!count, "nothing selected gives no section");

	panthor_perf_selection_add(selection, "shader:4,shader:63,shader:64,fw:70", NULL);
	sections = panthor_perf_selection_sections(selection, &count);
	CHECK(count == 3, "sections are by 64 counters and block type");
	CHECK(sections[0].block_type == FW && sections[0].first_counter == 64 &&
	      sections[0].mask == 1ull << 6 && !sections[0].pad && !sections[0].pad2,
	      "section of a second 64");
	CHECK(sections[1].block_type == SHADER && sections[1].first_counter == 0 &&
	      sections[1].mask == (1ull << 4 | 1ull << 63), "section of a first 64");
	CHECK(sections[2].block_type == SHADER && sections[2].first_counter == 64 &&
	      sections[2].mask == 1, "section of the counter behind it");
	panthor_perf_selection_free(selection);

	selection = begin(&gpu, false);
	panthor_perf_selection_add_all(selection);
	sections = panthor_perf_selection_sections(selection, &count);
	CHECK(count == 10 && sections[0].mask == ~0xfull && sections[1].mask == ~0ull &&
	      panthor_perf_selection_count(selection, SHADER) == 124 &&
	      !panthor_perf_selection_count(selection, DRM_PANTHOR_PERF_BLOCK_TYPE_CSG),
	      "all counters of the blocks that are there");
	panthor_perf_selection_free(selection);

	large.counters_per_block = 16320;
	large.csg_blocks = 31;
	large.neural_blocks = 1;
	selection = begin(&large, false);
	panthor_perf_selection_add_all(selection);
	panthor_perf_selection_sections(selection, &count);
	CHECK(count <= 256 && panthor_perf_selection_count(selection, SHADER) ==
	      PANTHOR_PERF_MAX_COUNTERS - 4, "more counters than anybody has");
	CHECK(!panthor_perf_selection_has(selection, 200, 4) &&
	      !panthor_perf_selection_has(selection, SHADER, 70000) &&
	      !panthor_perf_selection_count(selection, 200), "types and counters that cannot be");
	panthor_perf_selection_free(selection);
}

int main(void)
{
	struct panthor_perf_error error;

	if (panthor_perf_table_parse(table_text, strlen(table_text), "own", &table, &error)) {
		printf("not ok the table of this test - %u: %s\n", error.line, error.message);
		return 1;
	}
	test_good();
	test_bad();
	test_names();
	test_sections();
	panthor_perf_table_free(table);
	return check_failures ? 1 : 0;
}
