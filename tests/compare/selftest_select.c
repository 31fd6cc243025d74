// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdio.h>

#include "selftest.h"

/* 13 counters of the front end, 3 of each of four slices, none of the tiler. */
static void ask_for_some(struct scene *scene)
{
	scene->sections[0] = (struct section){ CSHW, 0, 0xf0 };
	scene->sections[1] = (struct section){ CSHW, 0, 0x800000000000ff00 };
	scene->sections[2] = (struct section){ MEMSYS, 0, 0x0100000000000810 };
	scene->section_count = 3;
}

static void test_compact(void)
{
	static const char *const plain[] = { "--no-negative-control", NULL };
	struct scene scene, other = g610;

	other.compact = true;
	ask_for_some(&other);
	build(&scene, &other);
	expect("compact", &scene, NULL, 0,
	       "4 samples, 100 counters compared with the GPU's own totals, 0 differ\n");
	build(&scene, &other);
	poke_counter(&scene, 2, MEMSYS, 3, 56, 1);
	expect("compact: the last counter", &scene, NULL, 1,
	       "differs: sample 2, MEMSYS[3], counter 56: expected");
	build(&scene, &other);
	poke_counter(&scene, 1, CSHW, 0, 4, 1);
	expect("compact: the first counter", &scene, NULL, 1,
	       "differs: sample 1, CSHW[0], counter 4: expected");
	build(&scene, &other);
	poke(&scene.raw, block_at(&scene, 1, MEMSYS, 0), TILER, 1);
	expect("compact: a block that nobody asked for", &scene, NULL, 1,
	       "is TILER[0] (type 3), MEMSYS[0] belongs there");
	build(&scene, &other);
	poke(&scene.raw, 28, sample_size(&scene) + 8, 4);
	expect("compact: sample size", &scene, NULL, 2, "what was asked for says 320");
	build(&scene, &other);
	poke(&scene.raw, 56, 0, 4);
	expect("compact: not told", &scene, NULL, 2, "PERF_INFO says 5800");

	other.section_count = 1;
	other.sections[0] = (struct section){ SHADER, 0, 0x10 };
	build(&scene, &other);
	expect("compact: one counter", &scene, NULL, 0, "16 counters compared with");
	other.period = 1000;
	build(&scene, &other);
	expect("compact: with periods", &scene, NULL, 0, "16 counters compared with");
	other.sections[0].mask = 0;
	build(&scene, &other);
	expect("compact: samples without a block", &scene, plain, 0,
	       "4 samples, 0 counters compared with");
}

/* Of four cores, the second and the last one have an accelerator. */
static void test_neural(void)
{
	struct scene scene, other = g610;

	other.neural_present = 0x40004;
	build(&scene, &other);
	expect("neural", &scene, NULL, 0, "differ\n");
	build(&scene, &other);
	poke_counter(&scene, 2, NEURAL, 1, 56, 1);
	expect("neural: a counter", &scene, NULL, 1,
	       "differs: sample 2, NEURAL[3], counter 56: expected");
	build(&scene, &other);
	poke(&scene.raw, block_at(&scene, 1, NEURAL, 0) + 1, 0, 1);
	expect("neural: an index without gaps", &scene, NULL, 1,
	       "is NEURAL[0] (type 6), NEURAL[0] belongs there");
	build(&scene, &other);
	poke(&scene.raw, block_at(&scene, 1, NEURAL, 1) + 2, 2, 1);
	expect("neural: the clock of the cores", &scene, NULL, 1, "has clock 2");
	build(&scene, &other);
	poke(&scene.raw, block_at(&scene, 1, SHADER, 1) + 2, 3, 1);
	expect("neural: its clock for a core", &scene, NULL, 1, "has clock 3");
	build(&scene, &other);
	replace(&scene.truth, "block NEURAL 18", "block NEURAL 16");
	expect("neural: a core without an accelerator", &scene, NULL, 2,
	       "core 16 has no neural accelerator");
	build(&scene, &other);
	replace(&scene.truth, "neural_present=0x40004", "neural_present=0x40005");
	expect("neural: another mask", &scene, NULL, 1, "2 NEURAL blocks, the GPU has 3");
	build(&scene, &other);
	replace(&scene.truth, "neural_present=0x40004", "neural_present=0x40008");
	expect("neural: an accelerator without a core", &scene, NULL, 2, "without a core");
	build(&scene, &other);
	replace(&scene.truth, "neural_present=0x40004", "neural_present=many");
	expect("neural: no mask", &scene, NULL, 2, "neural_present='many' is not a number");

	other.compact = true;
	other.sections[0] = (struct section){ NEURAL, 0, 0x30 };
	other.section_count = 1;
	build(&scene, &other);
	expect("neural: compact", &scene, NULL, 0, "16 counters compared with");
}

static void test_clocked(void)
{
	static const char *const text = "4 samples, 100 counters compared with";
	struct scene scene, other = g610;

	other.period = CLOCKED_PERIOD;
	other.clocked = true;
	other.clocks = 7;
	ask_for_some(&other);
	build(&scene, &other);
	expect("clocked: some counters", &scene, NULL, 0, text);
	build(&scene, &other);
	poke_counter(&scene, 2, CSHW, 0, 16, 1);
	expect("clocked: a counter that nobody asked for", &scene, NULL, 1,
	       "differs: sample 2, CSHW[0], counter 16: expected 0, got 1");
	other.compact = true;
	build(&scene, &other);
	expect("clocked: some counters, compact", &scene, NULL, 0, text);
}

/* The scene with STOP called behind the GPU's last sample before a sleep, whose sample is right. */
static void build_asleep(struct scene *scene)
{
	uint64_t ns = raw_time(ends[SAMPLES - 1]) + 5000;
	struct scene other = g610;
	unsigned int i;
	size_t at;

	other.period = CLOCKED_PERIOD;
	other.clocked = true;
	other.clocks = 7;
	other.break_at = ends[SAMPLES - 1] + 1;
	other.break_text = "disable nr=1 timestamp=0 unread=0\nhalt timestamp=0\n"
			   "reset kind=soft timestamp=0\nboot timestamp=0\n";
	build(scene, &other);
	at = sample_at(scene, SAMPLES - 1);
	for (i = 0; i < 2; i++) {
		poke(&scene->raw, at - SAMPLE_RECORD - CALL_RECORD + 16 + 24 * i,
		     ns + 100200 + 20 * i, 8);
		poke(&scene->raw, at - SAMPLE_RECORD - CALL_RECORD + 24 + 24 * i, ns + 20 * i, 8);
	}
	/* It lets the GPU sleep; SUSPEND and HOST_TIME; the end is the host's time. */
	poke(&scene->raw, 56, 2, 4);
	poke(&scene->raw, at + 76, EVENT_SUSPEND | EVENT_HOST_TIME, 4);
	poke(&scene->raw, at + 8, ns + 10, 8);
}

static void test_asleep(void)
{
	static const char stale[] = "1 samples that the GPU took before the call";
	struct scene scene;

	build_asleep(&scene);
	expect("asleep", &scene, NULL, 0, "4 samples, ");
	build_asleep(&scene);
	poke(&scene.raw, 56, 0, 4);
	expect("asleep: without the flag", &scene, NULL, 1, stale);
	build_asleep(&scene);
	poke(&scene.raw, sample_at(&scene, SAMPLES - 1) + 76, EVENT_HOST_TIME, 4);
	expect("asleep: without SUSPEND", &scene, NULL, 1, stale);
	build_asleep(&scene);
	poke(&scene.raw, sample_at(&scene, SAMPLES - 1) + 76, EVENT_SUSPEND, 4);
	expect("asleep: without HOST_TIME", &scene, NULL, 1, stale);
}

void test_selections(void)
{
	test_compact();
	test_neural();
	test_clocked();
	test_asleep();
}
