// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest.h"

static void test_good(void)
{
	static const char *const four[] = { "--expect-samples", "4", NULL };
	static const char *const five[] = { "--expect-samples", "5", NULL };
	static const char *const plain[] = { "--no-negative-control", NULL };
	struct scene scene, other;

	build(&scene, &g610);
	expect("exact samples", &scene, four, 0,
	       "demo: 4 samples, 1680 counters compared with the GPU's own totals, 0 differ\n");
	build(&scene, &g610);
	expect("counters that were not asked for", &scene, NULL, 0,
	       "1136 counters that were not asked for compared with 0\n");
	build(&scene, &g610);
	expect("negative control", &scene, NULL, 0, "found there and nowhere else\n");
	build(&scene, &g610);
	expect("no negative control", &scene, plain, 0, "demo: 4 samples");
	build(&scene, &g610);
	expect("another number of samples", &scene, five, 1, "4 samples instead of 5");

	other = g610;
	other.zero = 1;
	build(&scene, &other);
	expect("a zero further back", &scene, NULL, 0, "session zero: the GPU's sample 2 at");

	other = g610;
	other.zero = 2;
	build(&scene, &other);
	expect("a zero that nobody asked for", &scene, NULL, 1, "the best one; none fits");

	other = g610;
	other.counters = 128;
	other.shader_present = 0xee0077;
	other.fw = 0;
	other.csg = 8;
	other.sections[0] = (struct section){ SHADER, 64, 1 };
	other.sections[1] = (struct section){ CSG, 0, 0x8000000000000010 };
	other.sections[2] = (struct section){ CSG, 0, 0x20 };
	other.sections[3] = (struct section){ MEMSYS, 64, ~0ull };
	other.section_count = 4;
	build(&scene, &other);
	expect("128 counters, CSG blocks, a sparse mask, sections", &scene, NULL, 0,
	       "demo: 4 samples, 1168 counters compared");

	other = g610;
	other.shader_present = 1ull << 63 | 1;
	build(&scene, &other);
	expect("the highest shader core", &scene, NULL, 0, "0 differ");

	other = g610;
	other.sample_header = 96;
	other.block_header = 24;
	build(&scene, &other);
	expect("larger headers", &scene, NULL, 0, "0 differ");

	other = g610;
	other.sections[0] = (struct section){ TILER, 0, 0 };
	other.section_count = 1;
	build(&scene, &other);
	expect("nothing asked for cannot be controlled", &scene, NULL, 1, "there is no counter");
}

static void test_values(void)
{
	struct scene scene;
	unsigned int i;

	build(&scene, &g610);
	poke_counter(&scene, 2, SHADER, 3, 17, 1);
	expect("a counter 1 too high", &scene, NULL, 1,
	       "differs: sample 2, SHADER[3], counter 17: expected ");
	build(&scene, &g610);
	poke_counter(&scene, 0, CSHW, 0, 63, -1);
	expect("a counter 1 too low in the first sample", &scene, NULL, 1, "1 differ\n");
	build(&scene, &g610);
	poke_counter(&scene, 1, FW, 0, 40, -(1ll << 32));
	expect("a counter that lost its upper half", &scene, NULL, 1, "FW[0], counter 40");
	build(&scene, &g610);
	poke_counter(&scene, 1, TILER, 0, 3, 1);
	expect("a counter of the hardware's header", &scene, NULL, 1, "expected 0, got 1\n");
	build(&scene, &g610);
	poke_counter(&scene, 3, MEMSYS, 1, 9, 12345);
	expect("a counter that was not asked for", &scene, NULL, 1,
	       "differs: sample 3, MEMSYS[1], counter 9: expected 0, got 12345\n");
	build(&scene, &g610);
	poke_counter(&scene, 1, SHADER, 0, 30, 7);
	poke_counter(&scene, 2, SHADER, 0, 30, -7);
	expect("counts that went to the next sample", &scene, NULL, 1, "2 differ\n");
	build(&scene, &g610);
	poke_counter(&scene, 2, SHADER, 3, 33, 5);
	expect("the negative control where something differs already", &scene, NULL, 1,
	       "found there and nowhere else\n");

	build(&scene, &g610);
	for (i = 0; i < 25; i++)
		poke_counter(&scene, 1, CSHW, 0, 10 + i, 1);
	expect("more differences than are shown", &scene, NULL, 1, "differs: 5 more\n");

	build(&scene, &g610);
	replace(&scene.truth, "reason=manual timestamp=1003051", "reason=manual timestamp=1003052");
	expect("a zero that moved by a tick", &scene, NULL, 0, "timestamp 1003052\n");
}

static void test_headers(void)
{
	/* Offset in the sample header, size, value, what is said. */
	static const struct {
		const char *name;
		unsigned int offset, size;
		uint64_t number;
		const char *text;
	} cases[] = {
		{ "sample_nr", 64, 8, 5, "sample_nr is 5" },
		{ "an end before the start", 8, 8, 6999, "ends 1 ns before its start" },
		{ "a start that is not the end before", 0, 8, 7001, "the sample before ends at" },
		{ "another set", 16, 1, 1, "set 1 instead of 0" },
		{ "a pad", 18, 1, 1, "pad is not 0" },
		{ "an unknown flag", 20, 4, 16, "unknown flags 0x10" },
		{ "FINAL in the middle of a run", 20, 4, FLAG_FINAL, "FINAL is set" },
		{ "an unknown event", 76, 4, 0x80000000, "unknown events 0x80000000" },
		{ "protected mode", 76, 4, EVENT_PROTECTED, "unknown events 0x80" },
		{ "merged without periods", 72, 4, 2, "2 periods merged" },
		{ "LATE without periods", 76, 4, EVENT_LATE, "LATE, but there are no periods" },
		{ "cycles of the top level", 32, 8, 2, "top level cycles" },
		{ "cycles of the core group", 40, 8, 2, "core group cycles" },
		{ "cycles of the shaders", 48, 8, 2, "shader cycles" },
		{ "a timestamp that the GPU never had", 56, 8, 1009154, "wrote no sample at" },
		{ "a timestamp that goes back", 56, 8, 1005085, "is not later than" },
	};
	/* Offset in the header of SHADER[1], size, value, what is said. */
	static const struct {
		const char *name;
		unsigned int offset, size;
		uint64_t number;
		const char *text;
	} blocks[] = {
		{ "block type", 0, 1, 4, "is MEMSYS[1] (type 4), SHADER[1] belongs there" },
		{ "unknown block type", 0, 1, 200, "is UNKNOWN[1] (type 200)" },
		{ "block type 0", 0, 1, 0, "is UNKNOWN[1] (type 0)" },
		{ "a hole in the indices", 1, 1, 2, "is SHADER[2]" },
		{ "the hardware's number instead of the rank", 1, 1, 16, "is SHADER[16]" },
		{ "clock", 2, 1, 3, "has clock 3" },
		{ "pad of a block", 3, 1, 1, "the pad of block 8 is not 0" },
		{ "states", 4, 4, 1, "states are not supported" },
		{ "unknown states", 4, 4, 0x40, "unknown states 0x40" },
		{ "protected mode", 4, 4, 0x35, "unknown states 0x20" },
	};
	struct scene scene;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &g610);
		poke(&scene.raw, sample_at(&scene, 2) + cases[i].offset, cases[i].number,
		     cases[i].size);
		snprintf(name, sizeof(name), "sample header: %s", cases[i].name);
		expect(name, &scene, NULL, 1, cases[i].text);
	}
	for (i = 0; i < ARRAY_SIZE(blocks); i++) {
		build(&scene, &g610);
		poke(&scene.raw, block_at(&scene, 2, SHADER, 1) + blocks[i].offset,
		     blocks[i].number, blocks[i].size);
		snprintf(name, sizeof(name), "block header: %s", blocks[i].name);
		expect(name, &scene, NULL, 1, blocks[i].text);
	}
}

#define UNFOUNDED	"1 samples with ERROR though the GPU discarded no counts"
#define UNTOLD		"1 samples without ERROR though the GPU discarded counts"
#define MISNAMED	"1 samples with ERROR without the event that tells why"

#define SUSPEND		"disable nr=1 timestamp=0 unread=0\nhalt timestamp=0\n" \
			"reset kind=soft timestamp=0\nboot timestamp=0\n"

/* Of a core without power the event tells, of a full ring ERROR whatever it kept. */
static void test_unsure_losses(void)
{
	static const struct {
		const char *name;
		bool core_off, full;
		size_t sample;
		uint32_t flags, events;
		int status;
		const char *text;
	} cases[] = {
		{ "core-off without ERROR", true, false, 1, 0, EVENT_CORE_OFF, 0, "1680 counters" },
		{ "core-off, untold", true, false, 1, 0, 0, 1, UNTOLD },
		{ "core-off, told elsewhere", true, false, 2, 0, EVENT_CORE_OFF, 1, UNTOLD },
		{ "a full ring", false, true, 1, FLAG_ERROR, EVENT_FW_OVERFLOW, 0,
		  "1260 counters" },
		{ "a full ring, untold", false, true, 1, 0, 0, 1, UNTOLD },
		{ "a full ring without ERROR", false, true, 1, 0, EVENT_FW_OVERFLOW, 1, UNTOLD },
		{ "a full ring by another name", false, true, 1, FLAG_ERROR, EVENT_RESET, 1,
		  UNFOUNDED },
		{ "no full ring", false, false, 1, FLAG_ERROR, EVENT_FW_OVERFLOW, 1, UNFOUNDED },
		{ "asleep without an answer", false, false, 1, FLAG_ERROR,
		  EVENT_SUSPEND | EVENT_FW_TIMEOUT, 0, "1260 counters" },
		{ "asleep with ERROR", false, false, 1, FLAG_ERROR, EVENT_SUSPEND, 1, UNFOUNDED },
		{ "a full ring far away", false, true, 3, FLAG_ERROR, EVENT_FW_OVERFLOW, 1,
		  UNFOUNDED },
	};
	struct scene scene;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &g610);
		if (cases[i].core_off)
			lose(&scene, "core-off", 7);
		if (cases[i].full)
			fill_ring(&scene, 7);
		poke(&scene.raw, sample_at(&scene, cases[i].sample) + 20, cases[i].flags, 4);
		poke(&scene.raw, sample_at(&scene, cases[i].sample) + 76, cases[i].events, 4);
		snprintf(name, sizeof(name), "loss: %s", cases[i].name);
		expect(name, &scene, NULL, cases[i].status, cases[i].text);
	}
	for (i = 0; i < 2; i++) {
		build(&scene, &g610);
		lose(&scene, "core-off", 7);
		replace(&scene.truth, " enable=1 after=7",
			i ? " enable=1 after=7 cores=0x1 visible=1" :
			    " enable=1 after=7 cores=0x1 visible=0");
		expect(i ? "loss: core-off, visible" : "loss: core-off, not visible", &scene, NULL,
		       i, i ? UNTOLD : "0 differ\n");
	}

	/* The sample before tells it too, which may have seen it. */
	build(&scene, &g610);
	fill_ring(&scene, 7);
	set_error(&scene, 0, EVENT_FW_OVERFLOW);
	set_error(&scene, 1, EVENT_FW_OVERFLOW);
	set_error(&scene, 2, EVENT_FW_OVERFLOW);
	expect("loss: a full ring told around", &scene, NULL, 0, "420 counters");

	/* What was given up may end behind the full ring. */
	for (i = 0; i < 2; i++) {
		build(&scene, &g610);
		fill_ring(&scene, 6);
		set_error(&scene, 0,
			  EVENT_FW_OVERFLOW | EVENT_FW_TIMEOUT | (i ? 0 : EVENT_HOST_TIME));
		expect(i ? "loss: a full ring, told with a time of the GPU" :
			   "loss: a full ring, told by what was given up",
		       &scene, NULL, i, i ? UNTOLD : "1260 counters");
	}
	/* Another loss follows on the end. */
	for (i = 0; i < 2; i++) {
		build(&scene, &g610);
		if (!i)
			fill_ring(&scene, 7);
		lose(&scene, "core-off", 8);
		set_error(&scene, 1, EVENT_FW_OVERFLOW);
		set_error(&scene, 2, EVENT_CORE_OFF);
		expect(i ? "loss: no full ring, a loss behind it" :
			   "loss: a full ring, a loss behind it",
		       &scene, NULL, i, i ? MISNAMED : "840 counters");
	}
	/* Of an uncertain range, others may belong to the samples before. */
	for (i = 0; i < 2; i++) {
		build(&scene, &g610);
		lose(&scene, "disable", 3);
		if (!i)
			fill_ring(&scene, 5);
		poke(&scene.raw, sample_at(&scene, 0) + 56, 0, 8);
		set_error(&scene, 0, EVENT_FW_OVERFLOW);
		set_error(&scene, 1, EVENT_FW_OVERFLOW | EVENT_FW_TIMEOUT);
		expect(i ? "loss: uncertain, no full ring" : "loss: uncertain, a full ring",
		       &scene, NULL, i, i ? MISNAMED : "840 counters");
	}
}

/*
 * Samples of a GPU that has slept since a START or a sample that nobody answered, or that STOP has
 * cancelled before the GPU had taken one.
 */
static void test_slept_through(void)
{
	static const struct {
		const char *name;
		uint32_t before, events;
		bool counts;
		int status;
		const char *text;
	} cases[] = {
		{ "no counts", EVENT_SUSPEND | EVENT_HOST_TIME | EVENT_FW_TIMEOUT,
		  EVENT_SUSPEND | EVENT_HOST_TIME, false, 0, "840 counters compared" },
		{ "counts", EVENT_SUSPEND | EVENT_HOST_TIME | EVENT_FW_TIMEOUT,
		  EVENT_SUSPEND | EVENT_HOST_TIME, true, 1, "differs: sample 1" },
		{ "not before", EVENT_HOST_TIME | EVENT_FW_TIMEOUT,
		  EVENT_SUSPEND | EVENT_HOST_TIME, false, 1, "1 samples cannot be compared" },
		{ "no longer", EVENT_SUSPEND | EVENT_HOST_TIME | EVENT_FW_TIMEOUT,
		  EVENT_HOST_TIME, false, 1, "1 samples cannot be compared" },
		{ "cancelled", EVENT_HOST_TIME | EVENT_FW_TIMEOUT,
		  EVENT_CANCELLED | EVENT_HOST_TIME, false, 0, "840 counters compared" },
		{ "cancelled, with counts", EVENT_HOST_TIME | EVENT_FW_TIMEOUT,
		  EVENT_CANCELLED | EVENT_HOST_TIME, true, 1, "differs: sample 1" },
	};
	struct scene scene;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &g610);
		poke(&scene.raw, sample_at(&scene, 0) + 56, 0, 8);
		poke(&scene.raw, sample_at(&scene, 1) + 56, 0, 8);
		set_error(&scene, 0, cases[i].before);
		poke(&scene.raw, sample_at(&scene, 1) + 76, cases[i].events, 4);
		if (!cases[i].counts)
			clear_counters(&scene, 1);
		set_error(&scene, 2, EVENT_FW_TIMEOUT | EVENT_HOST_TIME);
		snprintf(name, sizeof(name), "slept through: %s", cases[i].name);
		expect(name, &scene, NULL, cases[i].status, cases[i].text);
	}
}

static void test_losses(void)
{
	/*
	 * Sample 0 has what the GPU wrote with its samples 5 and 6, sample 1 has 7 and 8, sample 2
	 * has 9 and 10. Why counts were lost, behind which of these, the sample that has ERROR and
	 * its events, exit status, what is said.
	 */
	static const struct {
		const char *name, *reason;
		size_t after, sample;
		uint32_t events;
		int status;
		const char *text;
	} cases[] = {
		{ "the first place in a sample", "reset", 6, 1, EVENT_RESET, 0, "1260 counters" },
		{ "the last place in a sample", "reset", 7, 1, EVENT_RESET, 0, "1260 counters" },
		{ "before the sample", "reset", 5, 1, EVENT_RESET, 1, UNFOUNDED },
		{ "before the sample, untold", "reset", 5, 1, EVENT_RESET, 1, UNTOLD },
		{ "behind the sample", "reset", 8, 1, EVENT_RESET, 1, UNTOLD },
		{ "far behind the sample", "reset", 9, 1, EVENT_RESET, 1, UNFOUNDED },
		{ "behind the last sample", "reset", 12, 3, EVENT_RESET, 0, "1260 counters" },
		{ "behind the last sample, by a time-out", "reset", 12, 3, EVENT_FW_TIMEOUT, 0,
		  "1260 counters" },
		{ "behind the last sample, another event", "reset", 12, 3, EVENT_CORE_OFF, 1,
		  MISNAMED },
		{ "another event", "reset", 7, 1, EVENT_FW_TIMEOUT, 1, MISNAMED },
		{ "no event", "reset", 7, 1, 0, 1, MISNAMED },
		{ "one event more", "reset", 7, 1, EVENT_RESET | EVENT_FW_TIMEOUT, 0, "0 differ" },
		{ "disable", "disable", 7, 1, EVENT_FW_TIMEOUT, 0, "0 differ" },
		{ "disable by another name", "disable", 7, 1, EVENT_RESET, 1, MISNAMED },
		{ "overflow", "overflow", 7, 1, EVENT_FW_OVERFLOW, 0, "0 differ" },
		{ "hang", "hang", 7, 1, EVENT_RESET, 0, "0 differ" },
		{ "core-off", "core-off", 7, 1, EVENT_CORE_OFF, 0, "0 differ" },
		{ "core-off by another name", "core-off", 7, 1, EVENT_RESET, 1, MISNAMED },
		{ "skipped", "skipped", 7, 1, EVENT_FW_ERROR, 0, "0 differ" },
		{ "skipped before another sample", "skipped", 5, 1, EVENT_FW_ERROR, 1, UNFOUNDED },
		{ "an unknown reason", "mistake", 7, 1, EVENT_RESET, 2, "reason 'reason=mistake'" },
	};
	/* Without such lines: what the log has before counters are enabled anew. */
	static const struct {
		const char *name, *text;
		size_t at;
		bool error;
		uint32_t events;
		int status;
		const char *said;
	} breaks[] = {
		{ "a reset", "disable nr=1 timestamp=0 unread=0\nreset kind=soft timestamp=0\n",
		  7, true, EVENT_RESET, 0, "0 differ" },
		{ "a reset while enabled", "reset kind=soft timestamp=0\n", 7, true, EVENT_RESET, 0,
		  "0 differ" },
		{ "a reset, untold", "reset kind=soft timestamp=0\n", 7, false, 0, 1, UNTOLD },
		{ "a boot",
		  "disable nr=1 timestamp=0 unread=0\nping timestamp=0\nboot timestamp=0\n",
		  7, true, EVENT_RESET, 0, "0 differ" },
		{ "disabled and enabled", "disable nr=1 timestamp=0 unread=0\n", 7, true,
		  EVENT_FW_TIMEOUT, 0, "0 differ" },
		{ "disabled and enabled, untold", "disable nr=1 timestamp=0 unread=0\n", 7, false,
		  0, 1, UNTOLD },
		{ "a suspend", SUSPEND, 7, false, 0, 0, "1680 counters" },
		{ "a suspend before the first sample", SUSPEND, 4, false, 0, 0, "1680 counters" },
		{ "a suspend with ERROR", SUSPEND, 7, true, EVENT_RESET, 1, UNFOUNDED },
		{ "a suspend with unread samples", "disable nr=1 timestamp=0 unread=1\nhalt "
		  "timestamp=0\n", 7, false, 0, 1, UNTOLD },
		{ "another enable is disabled", "disable nr=3 timestamp=0 unread=1\n", 7, false, 0,
		  2,   "enable 3 is not in force" },
	};
	struct scene scene, other;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &g610);
		lose(&scene, cases[i].reason, cases[i].after);
		set_error(&scene, cases[i].sample, cases[i].events);
		poke_counter(&scene, cases[i].sample, SHADER, 0, 30, -3);
		snprintf(name, sizeof(name), "loss: %s", cases[i].name);
		expect(name, &scene, NULL, cases[i].status, cases[i].text);
	}
	build(&scene, &g610);
	lose(&scene, "reset", 6);
	expect("loss: untold", &scene, NULL, 1, UNTOLD);
	build(&scene, &g610);
	lose(&scene, "reset", 12);
	expect("loss: behind the end", &scene, NULL, 0, "1680 counters");
	build(&scene, &g610);
	lose(&scene, "reset", 4);
	set_error(&scene, 0, EVENT_RESET);
	poke_counter(&scene, 0, SHADER, 0, 30, -3);
	expect("loss: in the first sample", &scene, NULL, 0, "1260 counters");
	for (i = 0; i < 2; i++) {
		build(&scene, &g610);
		lose(&scene, "disable", 5);
		lose(&scene, "reset", 6);
		poke(&scene.raw, sample_at(&scene, 0) + 56, 0, 8);
		set_error(&scene, 0, EVENT_FW_TIMEOUT);
		set_error(&scene, 1, i ? EVENT_CORE_OFF : EVENT_RESET);
		if (i)
			expect("loss: uncertain, no event of them", &scene, NULL, 1, MISNAMED);
		else
			expect("loss: each of two samples tells one", &scene, NULL, 0,
			       "840 counters");
	}
	/* Where the second one starts is uncertain. One loss may lie before, one lies behind. */
	for (i = 0; i < 4; i++) {
		static const char *const texts[] = {
			"loss: behind an uncertain range", "loss: behind it, of another kind",
			"loss: uncertain, the event of a later one",
			"loss: behind an uncertain range that had an answer",
		};

		build(&scene, &g610);
		lose(&scene, i == 3 ? "reset" : "core-off", 5);
		lose(&scene, i == 1 ? "reset" : "hang", i == 2 ? 9 : 8);
		poke(&scene.raw, sample_at(&scene, 0) + 56, 0, 8);
		set_error(&scene, 0, i == 3 ? EVENT_RESET : EVENT_FW_TIMEOUT | EVENT_RESET);
		set_error(&scene, 1, EVENT_FW_TIMEOUT | (i == 3 ? 0 : EVENT_HOST_TIME));
		set_error(&scene, 2, EVENT_FW_TIMEOUT | EVENT_RESET);
		expect(texts[i], &scene, NULL, i > 1, i > 1 ? MISNAMED : "0 differ\n");
	}
	/* The first of two losses behind one sample was told by a sample that ended later. */
	for (i = 0; i < 3; i++) {
		build(&scene, &g610);
		lose(&scene, "reset", 6);
		lose(&scene, "disable", 6);
		set_error(&scene, 0, EVENT_FW_TIMEOUT | (i == 1 ? 0 : EVENT_HOST_TIME));
		if (i < 2)
			set_error(&scene, 1, EVENT_RESET);
		if (i == 2)
			expect("loss: of two that lie together, all told before", &scene, NULL, 0,
			       "0 differ\n");
		else if (i)
			expect("loss: of two that lie together, one not told", &scene, NULL, 1,
			       MISNAMED);
		else
			expect("loss: of two that lie together, one told before", &scene, NULL, 0,
			       "0 differ\n");
	}
	/* Between the sample that tells and the one behind the loss is one of a GPU that slept. */
	for (i = 0; i < 2; i++) {
		build(&scene, &g610);
		lose(&scene, "reset", 6);
		poke(&scene.raw, sample_at(&scene, 1) + 56, 0, 8);
		set_error(&scene, 0, EVENT_FW_TIMEOUT | (i ? 0 : EVENT_HOST_TIME));
		set_error(&scene, 1, EVENT_CORE_OFF);
		set_error(&scene, 2, EVENT_CORE_OFF);
		if (i)
			expect("loss: not told before a sleep", &scene, NULL, 1,
			       "2 samples with ERROR without the event that tells why");
		else
			expect("loss: told before a sleep", &scene, NULL, 0, "0 differ\n");
	}
	build(&scene, &g610);
	lose(&scene, "reset", 7);
	replace(&scene.truth, " lost=1", "");
	expect("loss: in a log that does not tell them", &scene, NULL, 2, "no lost=1");
	build(&scene, &g610);
	for (i = 0; i < SAMPLES; i++)
		set_error(&scene, i, EVENT_RESET | EVENT_FW_TIMEOUT);
	expect("a driver that always sets ERROR", &scene, NULL, 1, "4 samples with ERROR though");

	for (i = 0; i < ARRAY_SIZE(breaks); i++) {
		other = g610;
		other.break_at = breaks[i].at;
		other.break_text = breaks[i].text;
		build(&scene, &other);
		if (breaks[i].error) {
			set_error(&scene, 1, breaks[i].events);
			poke_counter(&scene, 1, SHADER, 0, 30, -3);
		}
		snprintf(name, sizeof(name), "loss by other lines: %s", breaks[i].name);
		expect(name, &scene, NULL, breaks[i].status, breaks[i].said);
	}
}

/* Samples that were in the ring when counters that are dead were disabled. */
static void test_unread(void)
{
	static const struct {
		const char *name;
		unsigned int unread;
		uint32_t events;
		int status;
		const char *text;
	} cases[] = {
		{ "lost, told before", 1, EVENT_FW_TIMEOUT | EVENT_FW_ERROR | EVENT_HOST_TIME, 0,
		  "1260 counters compared" },
		{ "read, not told", 0, EVENT_FW_TIMEOUT | EVENT_FW_ERROR | EVENT_HOST_TIME, 1,
		  "differs: sample 1" },
		{ "lost, the sample before has a time of the GPU", 1,
		  EVENT_FW_TIMEOUT | EVENT_FW_ERROR, 1, "differs: sample 1" },
	};
	struct scene scene, other;
	char name[96], text[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		other = g610;
		other.gpu_text = " lost=1";
		other.break_at = 7;
		other.break_text = text;
		other.unread_at = 6;
		snprintf(text, sizeof(text), "disable nr=1 timestamp=0 unread=%u\n"
			 "halt timestamp=0\n", cases[i].unread);
		build(&scene, &other);
		set_error(&scene, 0, cases[i].events);
		snprintf(name, sizeof(name), "unread samples: %s", cases[i].name);
		expect(name, &scene, NULL, cases[i].status, cases[i].text);
	}
}

static void test_runs(void)
{
	static const char *const runs[] = { "--runs", NULL };
	static const char *const timed[] = { "--runs", "--call-times", NULL };
	static const char *const three[] = { "samples.raw", "samples.raw", "--title=many",
					     "--expect-samples=12", NULL };
	struct scene scene, other = g610;
	unsigned char *sample;

	other.run_at = 2;
	other.run_zero = 8;
	build(&scene, &other);
	expect("two runs", &scene, runs, 0, "2 times started, 0 samples with ERROR");
	build(&scene, &other);
	expect("two runs where one is expected", &scene, NULL, 1, "sample 2: sample_nr is 0");
	build(&scene, &other);
	poke_counter(&scene, 3, SHADER, 3, 17, 1);
	expect("two runs, a difference in the second", &scene, runs, 1, "1 differ\n");
	build(&scene, &other);
	poke(&scene.raw, sample_at(&scene, 2), 6999, 8);
	expect("two runs that overlap", &scene, runs, 1, "the last run ended at");

	other.timed = true;
	build(&scene, &other);
	expect("call times", &scene, timed, 0, "0 differ\n");
	build(&scene, &other);
	poke(&scene.raw, sample_at(&scene, 3) + 24, timestamp(ends[3]) + 1, 5);
	expect("a sample older than the call", &scene, timed, 1,
	       "1 samples that the GPU took before the call");
	build(&scene, &other);
	poke(&scene.raw, sample_at(&scene, 0) + 24, timestamp(3) + 1, 5);
	expect("a zero older than START", &scene, timed, 1, "none fits");
	build(&scene, &other);
	poke(&scene.raw, sample_at(&scene, 0) + 24, timestamp(3) - 100 - 11 * 16 + 99, 5);
	expect("a zero behind START's return", &scene, timed, 1, "none fits");

	build(&scene, &g610);
	expect("three files", &scene, three, 0,
	       "many: 12 samples, 5040 counters compared with the GPU's own totals, 0 differ\n");
	build(&scene, &g610);
	poke_counter(&scene, 3, SHADER, 3, 17, 1);
	expect("three files, a difference in each", &scene, three, 1,
	       "samples.raw: differs: sample 3");

	build(&scene, &g610);
	sample = scene.raw.bytes + sample_at(&scene, 1);
	memmove(sample, sample + sample_size(&scene), 2 * sample_size(&scene));
	scene.raw.size -= sample_size(&scene);
	expect("a sample that is lost", &scene, NULL, 1, "sample 1: sample_nr is 2");
}

static void test_errors(void)
{
	static const char *const one[] = { "--expect-errors", "1", NULL };
	static const char *const two[] = { "--expect-errors", "2", NULL };
	struct scene scene;
	unsigned int i;

	build(&scene, &g610);
	lose(&scene, "reset", 7);
	set_error(&scene, 1, EVENT_RESET);
	poke_counter(&scene, 1, SHADER, 0, 30, -3);
	expect("a sample with ERROR need not be exact", &scene, one, 0,
	       "demo: 4 samples, 1260 counters compared with the GPU's own totals, 0 differ\n");
	build(&scene, &g610);
	lose(&scene, "reset", 7);
	set_error(&scene, 1, EVENT_RESET);
	expect("another number of ERROR", &scene, two, 1,
	       "failed: 1 samples with ERROR instead of 2\n");
	build(&scene, &g610);
	set_error(&scene, 1, EVENT_RESET);
	expect("ERROR that nobody expects", &scene, NULL, 1, UNFOUNDED);
	build(&scene, &g610);
	lose(&scene, "reset", 7);
	set_error(&scene, 1, 0);
	expect("ERROR without an event", &scene, one, 1, "ERROR without an event");
	build(&scene, &g610);
	lose(&scene, "reset", 7);
	set_error(&scene, 1, EVENT_RESET);
	poke_counter(&scene, 2, SHADER, 0, 30, -3);
	expect("the sample behind one with ERROR is exact", &scene, one, 1, "1 differ\n");

	build(&scene, &g610);
	poke(&scene.raw, sample_at(&scene, 3) + 56, 0, 8);
	expect("counts without a sample of the GPU", &scene, NULL, 1, "sample 3, FW[0], counter 4");
	build(&scene, &g610);
	poke(&scene.raw, sample_at(&scene, 3) + 56, 0, 8);
	for (i = sample_at(&scene, 3) + 80; i < scene.raw.size; i += 8) {
		unsigned int in_block = (i - sample_at(&scene, 3) - 80) % (8 + 8 * 64);

		if (in_block)
			poke(&scene.raw, i, 0, 8);
	}
	expect("no counts without a sample of the GPU", &scene, NULL, 0, "0 differ\n");
}

int main(int argc, char **argv)
{
	const char *base = getenv("TMPDIR");

	if (argc != 2) {
		fprintf(stderr, "usage: %s PATH-OF-panthor-perf-compare\n", argv[0]);
		return 2;
	}
	compare = realpath(argv[1], NULL);
	if (!compare)
		die("%s: %s", argv[1], strerror(errno));
	snprintf(folder, sizeof(folder), "%s/compare-XXXXXX", base && strlen(base) < 40 ? base :
		 "/tmp");
	if (!mkdtemp(folder))
		die("%s: %s", folder, strerror(errno));

	test_good();
	test_values();
	test_headers();
	test_errors();
	test_losses();
	test_unread();
	test_unsure_losses();
	test_slept_through();
	test_runs();
	test_time();
	test_selections();
	test_files();
	remove_folder();
	return failures ? 1 : 0;
}
