// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdio.h>

#include "selftest.h"

static void test_periods(void)
{
	/* Sample, offset in its header, size, value, what is said. */
	static const struct {
		const char *name;
		size_t sample;
		unsigned int offset, size;
		uint64_t number;
		const char *text;
	} cases[] = {
		{ "merged without STRETCHED", 1, 72, 4, 1, "1 periods merged, STRETCHED is not" },
		{ "STRETCHED without merged", 1, 20, 4, 4, "0 periods merged, STRETCHED is set" },
		{ "RING_FULL without merged", 1, 76, 4, 1, "RING_FULL without merged periods" },
		{ "user data", 1, 24, 8, STOP_DATA,
		  "user data 0x2a instead of 0x29, that of START" },
		{ "user data of STOP", 3, 24, 8, START_DATA,
		  "instead of 0x2a, that of STOP" },
		{ "an end before its point", 1, 8, 8, 6980, "ends before point 107 of the grid" },
		{ "an end half a period late", 1, 8, 8, 7520, "half a period behind its point" },
		{ "an end behind the next point", 1, 8, 8, 8020,
		  "ends behind point 108 of the grid" },
		{ "a point that is missing at the end", 3, 8, 8, 9020,
		  "ends behind point 109 of the grid" },
		{ "a start before START", 0, 0, 8, 4980, "START lasted from 4990 to 5010" },
	};
	struct scene scene, other = g610;
	char name[96];
	size_t i;

	other.period = 1000;
	build(&scene, &other);
	expect("periods", &scene, NULL, 0,
	       "demo: 4 samples, 1680 counters compared with the GPU's own totals, 0 differ\n");
	build(&scene, &other);
	poke(&scene.raw, sample_at(&scene, 1) + 76, 4, 4);
	poke(&scene.raw, sample_at(&scene, 1) + 8, 7600, 8);
	poke(&scene.raw, sample_at(&scene, 2), 7600, 8);
	expect("periods: a late one", &scene, NULL, 0, "0 differ\n");
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &other);
		poke(&scene.raw, sample_at(&scene, cases[i].sample) + cases[i].offset,
		     cases[i].number, cases[i].size);
		snprintf(name, sizeof(name), "periods: %s", cases[i].name);
		expect(name, &scene, NULL, 1, cases[i].text);
	}
	build(&scene, &other);
	poke(&scene.raw, samples_at(&scene), 9, 4);
	expect("periods: samples without START", &scene, NULL, 2, "STOP number 0 without a START");
	build(&scene, &other);
	poke(&scene.raw, samples_at(&scene) + 4, 56, 4);
	expect("periods: a record of another size", &scene, NULL, 2,
	       "record of kind 2 has 56 bytes");
	build(&scene, &other);
	scene.raw.size -= 8;
	expect("periods: a record cut off", &scene, NULL, 2, "cut off in the record at");

	build(&scene, &g610);
	poke(&scene.raw, FILE_HEADER + 16, 1, 4);
	expect("states: all unknown", &scene, NULL, 1, "FW[0] has states 0x0 instead of 0x15");
	build(&scene, &g610);
	replace(&scene.truth, "boot timestamp", "protected state=on timestamp=1\nboot timestamp");
	poke(&scene.raw, FILE_HEADER + 16, 1, 4);
	expect("states: with protected mode", &scene, NULL, 0, "0 differ\n");
}

void test_time(void)
{
	test_periods();
}
