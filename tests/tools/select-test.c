// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of the parser of panthor-perf stat -e. */

#include <string.h>

#include "check.h"
#include "select.h"

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
	char error[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct selection selection = { 0 };
		int ret = selection_add(&selection, &gpu, cases[i].text, error, sizeof(error));
		unsigned int type = cases[i].type;

		CHECK(!ret && selection_count(&selection, type) == cases[i].count &&
		      selection_has(&selection, type, cases[i].first) &&
		      selection_has(&selection, type, cases[i].last) &&
		      !selection_has(&selection, type, cases[i].first - 1) &&
		      !selection_has(&selection, type, cases[i].last + 1) &&
		      selection_is_named(&selection, type, cases[i].first) == cases[i].named,
		      "select '%s'", cases[i].text);
	}
}

static void test_bad(void)
{
	static const struct {
		const char *text;
		const char *error;
	} cases[] = {
		{ "", "a block is missing (column 1 of '')" },
		{ ",", "a block is missing (column 1" },
		{ "shader:4,", "a block is missing (column 10" },
		{ ":4", "a block is missing (column 1" },
		{ "shader", "'shader' is not BLOCK:INDEX (column 1" },
		{ "shader,tiler:4", "'shader' is not BLOCK:INDEX (column 1" },
		{ "shade:4", "there is no block type 'shade'" },
		{ "shaders:4", "there is no block type 'shaders'" },
		{ " shader:4", "there is no block type ' shader'" },
		{ "csg:4", "this GPU has no blocks of type csg (column 1" },
		{ "neural:4", "this GPU has no blocks of type neural" },
		{ "shader:", "a counter index, a range or '*' is missing (column 8" },
		{ "shader:x", "a counter index, a range or '*' is missing (column 8" },
		{ "shader:-4", "a counter index, a range or '*' is missing (column 8" },
		{ "shader:+4", "a counter index, a range or '*' is missing" },
		{ "shader:0", "counters 0 to 3 never count (column 8" },
		{ "shader:3-9", "counters 0 to 3 never count" },
		{ "shader:128", "counter 128 does not exist: the last is 127 (column 8" },
		{ "shader:4-128", "counter 128 does not exist: the last is 127 (column 10" },
		{ "shader:99999999999999999999", "counter 99999999999999999999 does not exist" },
		{ "shader:18446744073709551620", "counter 18446744073709551620 does not exist" },
		{ "shader:9-8", "the range 9-8 runs backwards" },
		{ "shader:9-", "a counter index, a range or '*' is missing (column 10" },
		{ "shader:9-10-11", "unexpected '-' (column 12" },
		{ "shader:**", "unexpected '*' (column 9" },
		{ "shader:4x", "unexpected 'x' (column 9" },
		{ "shader:4;tiler:4", "unexpected ';' (column 9" },
		{ "shader:4:5", "unexpected ':' (column 9" },
	};
	struct selection selection = { 0 };
	char error[256], tiny[8];
	size_t i;

	selection_add(&selection, &gpu, "fw:10", error, sizeof(error));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct selection before = selection;
		int ret;

		error[0] = 0;
		ret = selection_add(&selection, &gpu, cases[i].text, error, sizeof(error));
		CHECK(ret && !strncmp(error, cases[i].error, strlen(cases[i].error)) &&
		      !memcmp(&before, &selection, sizeof(before)),
		      "refuse '%s': %s", cases[i].text, error);
	}
	CHECK(selection_add(&selection, &gpu, "shader:x", tiny, sizeof(tiny)) &&
	      strlen(tiny) == sizeof(tiny) - 1, "a message that does not fit is cut");
}

static void test_sections(void)
{
	struct drm_panthor_perf_section sections[MAX_SECTIONS];
	struct drm_panthor_perf_info large = gpu;
	struct selection selection = { 0 };
	char error[128];
	size_t count;

	CHECK(!selection_sections(&selection, sections), "nothing selected gives no section");

	selection_add(&selection, &gpu, "shader:4,shader:63,shader:64,fw:70", error, sizeof(error));
	count = selection_sections(&selection, sections);
	CHECK(count == 3, "sections are by 64 counters and block type");
	CHECK(sections[0].block_type == FW && sections[0].first_counter == 64 &&
	      sections[0].mask == 1ull << 6 && !sections[0].pad && !sections[0].pad2,
	      "section of a second 64");
	CHECK(sections[1].block_type == SHADER && sections[1].first_counter == 0 &&
	      sections[1].mask == (1ull << 4 | 1ull << 63), "section of a first 64");
	CHECK(sections[2].block_type == SHADER && sections[2].first_counter == 64 &&
	      sections[2].mask == 1, "section of the counter behind it");

	memset(&selection, 0, sizeof(selection));
	selection_add_all(&selection, &gpu);
	count = selection_sections(&selection, sections);
	CHECK(count == 10 && sections[0].mask == ~0xfull && sections[1].mask == ~0ull &&
	      selection_count(&selection, SHADER) == 124 &&
	      !selection_count(&selection, DRM_PANTHOR_PERF_BLOCK_TYPE_CSG),
	      "all counters of the blocks that are there");

	large.counters_per_block = 16320;
	large.csg_blocks = 31;
	large.neural_blocks = 1;
	memset(&selection, 0, sizeof(selection));
	selection_add_all(&selection, &large);
	CHECK(selection_sections(&selection, sections) <= MAX_SECTIONS &&
	      selection_count(&selection, SHADER) == MAX_COUNTERS - 4,
	      "more counters than anybody has");
	CHECK(!selection_has(&selection, 200, 4) && !selection_has(&selection, SHADER, 70000) &&
	      !selection_count(&selection, 200), "types and counters that cannot be");
}

int main(void)
{
	test_good();
	test_bad();
	test_sections();
	return check_failures ? 1 : 0;
}
