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
		{ "FINAL before STOP", 2, 20, 4, FLAG_FINAL, "sample 2: FINAL is set" },
		{ "STOP without FINAL", 3, 20, 4, 0, "sample 3: FINAL is not set" },
		{ "RING_FULL without merged", 1, 76, 4, 1, "RING_FULL without merged periods" },
		{ "user data", 1, 24, 8, STOP_DATA,
		  "user data 0x2a instead of 0x29, that of START" },
		{ "user data of STOP", 3, 24, 8, START_DATA,
		  "instead of 0x2a, that of STOP" },
		{ "an end before its point", 1, 8, 8, 6780, "ends before point 107 of the grid" },
		{ "an end half a period late", 1, 8, 8, 7640, "half a period behind its point" },
		{ "an end behind the next point", 1, 8, 8, 8020,
		  "ends behind point 108 of the grid" },
		{ "a point that is missing at the end", 3, 8, 8, 9020,
		  "ends behind point 109 of the grid" },
		{ "a start before START", 0, 0, 8, 4980, "START lasted from 4990 to 5010" },
		{ "a final sample that is late", 3, 76, 4, EVENT_LATE, "sample 3: LATE, but STOP" },
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
	build(&scene, &other);
	poke(&scene.raw, sample_at(&scene, 1) + 8, 7420, 8);
	poke(&scene.raw, sample_at(&scene, 2), 7420, 8);
	expect("periods: as late as the clocks are unsure", &scene, NULL, 0, "0 differ\n");
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &other);
		poke(&scene.raw, sample_at(&scene, cases[i].sample) + cases[i].offset,
		     cases[i].number, cases[i].size);
		snprintf(name, sizeof(name), "periods: %s", cases[i].name);
		expect(name, &scene, NULL, 1, cases[i].text);
	}
	/* Without the final sample: with the record that TEARDOWN came before, and without. */
	for (i = 0; i < 2; i++) {
		build(&scene, &other);
		scene.raw.size -= SAMPLE_RECORD + sample_size(&scene);
		if (i) {
			put(&scene.raw, 6, 4);
			put(&scene.raw, 8, 4);
		}
		expect(i ? "periods: TEARDOWN before the final sample" :
		       "periods: no final sample", &scene, NULL, !i,
		       i ? "0 differ\n" : "instead of 0x2a, that of STOP");
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
}

/* Adds to a number of the header of a sample, and of the one behind it if there is an offset. */
static void shift(struct scene *scene, size_t sample, unsigned int offset, int64_t add,
		  unsigned int next_offset, int64_t next_add)
{
	size_t at = sample_at(scene, sample) + offset;

	poke(&scene->raw, at, peek(&scene->raw, at) + add, 8);
	if (sample + 1 == SAMPLES)
		return;
	at = sample_at(scene, sample + 1) + next_offset;
	poke(&scene->raw, at, peek(&scene->raw, at) + next_add, 8);
}

static const struct scene *clocked(void)
{
	static struct scene scene;

	scene = g610;
	scene.clocked = true;
	scene.period = CLOCKED_PERIOD;
	scene.clocks = 7;
	return &scene;
}

static const char *const strict[] = { "--reading-limit=10000", NULL };
static const char *const precise[] = { "--reading-error=1000", "--reading-limit=1000", NULL };
static const char *const starved[] = { "--reading-error=50000", "--reading-limit=50000", NULL };

static void test_times(void)
{
	const uint64_t start = FILE_HEADER + INFO_SIZE + 4 * SECTION_SIZE + 8;
	struct scene scene, other;
	unsigned int i;

	build(&scene, clocked());
	expect("times", &scene, NULL, 0,
	       "times within 0 ns of the GPU's, which are known to 22 ns");
	build(&scene, clocked());
	shift(&scene, 1, 8, 9000, 0, 9000);
	expect("times: an end that is nearly exact", &scene, NULL, 0, "times within 8989 ns");
	build(&scene, clocked());
	shift(&scene, 0, 8, 10500, 0, 10500);
	shift(&scene, 1, 8, 10500, 0, 10500);
	expect("times: two that a busy host disturbed", &scene, NULL, 0, "times within 10489 ns");
	build(&scene, clocked());
	for (i = 0; i < 3; i++)
		shift(&scene, i, 8, 10500, 0, 10500);
	expect("times: three of them", &scene, NULL, 1,
	       "3 times of 4 samples are more than 10000 ns from the GPU's");
	build(&scene, clocked());
	shift(&scene, 1, 8, 100500, 0, 100500);
	expect("times: one that is beyond the limit", &scene, NULL, 1,
	       "ns after the GPU took its sample");
	build(&scene, clocked());
	shift(&scene, 1, 8, 10500, 0, 10500);
	expect("times: an end behind the GPU's sample", &scene, strict, 1,
	       "ns after the GPU took its sample");
	build(&scene, clocked());
	shift(&scene, 1, 8, 10500, 0, 10500);
	expect("times: of a guest that has to wait", &scene, starved, 0, "times within 10489 ns");
	build(&scene, clocked());
	shift(&scene, 1, 8, 50500, 0, 50500);
	expect("times: too late for that, too", &scene, starved, 1,
	       "ns after the GPU took its sample");
	build(&scene, clocked());
	shift(&scene, 1, 8, -10500, 0, -10500);
	expect("times: an end before the GPU's sample", &scene, strict, 1,
	       "ns before the GPU took its sample");
	build(&scene, clocked());
	shift(&scene, 1, 8, 20000, 0, 20000);
	shift(&scene, 1, 32, 10000, 32, -10000);
	shift(&scene, 1, 40, 5000, 40, -5000);
	shift(&scene, 1, 48, 2500, 48, -2500);
	poke(&scene.raw, sample_at(&scene, 1) + 76, EVENT_LATE | EVENT_HOST_TIME, 4);
	expect("times: the host's, with HOST_TIME", &scene, NULL, 0, "0 differ\n");
	build(&scene, clocked());
	shift(&scene, 1, 8, -20000, 0, -20000);
	poke(&scene.raw, sample_at(&scene, 1) + 76, EVENT_HOST_TIME, 4);
	expect("times: HOST_TIME, but too early", &scene, strict, 1,
	       "ns before the GPU took its sample");
	build(&scene, clocked());
	poke(&scene.raw, sample_at(&scene, 2) - 8, raw_time(ends[2]) - 1, 8);
	expect("times: an end in the future", &scene, strict, 1, "but was read at");
	build(&scene, clocked());
	poke(&scene.raw, sample_at(&scene, 3) + 56, 0, 8);
	expect("times: time without a sample of the GPU", &scene, strict, 1,
	       "without a sample of the GPU, and has no HOST_TIME");
	build(&scene, clocked());
	shift(&scene, 0, 0, -10, 0, 0);
	poke(&scene.raw, start + 16, raw_time(0), 8);
	expect("times: a zero that is not quite the GPU's", &scene, NULL, 0, "0 differ\n");

	/* What pins the zero is the GPU's clock, or that of the CPUs, if it has the same rate. */
	build(&scene, &g610);
	scene.sure = true;
	expect("times: a zero that nothing tells", &scene, NULL, 1,
	       "1 starts of sessions that no time tells");
	other = *clocked();
	other.timer_hz = 62500000;
	build(&scene, &other);
	expect("times: the CPUs' timer", &scene, NULL, 0, "times within 0 ns of the GPU's");
	other.timer_hz = 19200000;
	build(&scene, &other);
	expect("times: a timer of another rate", &scene, NULL, 1,
	       "1 starts of sessions that no time tells");
	build(&scene, clocked());
	poke(&scene.raw, start + 8, raw_time(clocked()->zero) + 100300, 8);
	poke(&scene.raw, start + 16, raw_time(clocked()->zero) + 100, 8);
	poke(&scene.raw, start + 32, raw_time(clocked()->zero) + 100400, 8);
	poke(&scene.raw, start + 40, raw_time(clocked()->zero) + 200, 8);
	expect("times: a zero from before START", &scene, NULL, 1, "START lasted from");
	build(&scene, clocked());
	shift(&scene, 0, 0, 11000, 0, 0);
	poke(&scene.raw, start + 32, raw_time(clocked()->zero) + 112200, 8);
	poke(&scene.raw, start + 40, raw_time(clocked()->zero) + 12000, 8);
	expect("times: the last sample of the GPU before the host's time", &scene, strict, 0,
	       "0 differ\n");

	/* A driver without clocks has the host's time, without HOST_TIME. */
	other = *clocked();
	other.clocks = 0;
	for (i = 0; i < 3; i++) {
		static const struct {
			const char *name;
			int64_t start, end;
			int status;
			const char *text;
		} hosts[] = {
			{ "times: the host's, of a driver without clocks", 11000, 20000, 0,
			  "0 differ\n" },
			{ "times: too early, of a driver without clocks", 11000, -20000, 1,
			  "ns before the GPU took its sample" },
			{ "times: a zero behind the host's time", -5000, 20000, 1,
			  "1 starts of sessions that no time tells" },
		};

		build(&scene, &other);
		shift(&scene, 0, 0, hosts[i].start, 0, 0);
		shift(&scene, 1, 8, hosts[i].end, 0, hosts[i].end);
		poke(&scene.raw, sample_at(&scene, 1) + 76, EVENT_LATE, 4);
		/* START returned behind the next sample of the GPU. */
		poke(&scene.raw, start + 16, raw_time(0), 8);
		poke(&scene.raw, start + 32, raw_time(clocked()->zero + 1) + 100200, 8);
		poke(&scene.raw, start + 40, raw_time(clocked()->zero + 1), 8);
		expect(hosts[i].name, &scene, strict, hosts[i].status, hosts[i].text);
	}

	/* START returned before the GPU took the sample at which the first one starts. */
	build(&scene, clocked());
	poke(&scene.raw, start + 8, raw_time(0) + 100000, 8);
	poke(&scene.raw, start + 16, raw_time(0), 8);
	poke(&scene.raw, start + 32, raw_time(1) + 100000, 8);
	poke(&scene.raw, start + 40, raw_time(1), 8);
	expect("times: a zero behind START's return", &scene, strict, 1, "START lasted from");
	build(&scene, clocked());
	replace(&scene.truth, "reason=manual timestamp=1003051", "reason=halt timestamp=1003051");
	expect("times: a zero that nobody asked for", &scene, strict, 1,
	       "cannot be compared: where they start");
	build(&scene, clocked());
	set_error(&scene, 0, EVENT_FW_ERROR);
	expect("times: START without a reason for ERROR", &scene, NULL, 1,
	       "though the GPU discarded no counts");
	build(&scene, clocked());
	lose(&scene, "skipped", 3);
	lose(&scene, "reset", 4);
	set_error(&scene, 0, EVENT_FW_ERROR);
	expect("times: START whose sample was skipped, and a reset", &scene, NULL, 1,
	       "without the event that tells why");
	for (i = 0; i < 4; i++) {
		build(&scene, clocked());
		lose(&scene, i == 1 ? "reset" : "skipped", 3);
		set_error(&scene, i == 3 ? 1 : 0, i == 2 ? EVENT_RESET : EVENT_FW_ERROR);
		if (i)
			expect("times: START by another name, or not of its sample", &scene, NULL,
			       1, "though the GPU discarded no counts");
		else
			expect("times: START whose sample was skipped", &scene, NULL, 0,
			       "0 differ\n");
	}
	for (i = 0; i < 3; i++) {
		static const struct {
			const char *name;
			int64_t off;
			int status;
			const char *text;
		} zeroes[] = {
			{ "times: a zero right behind what START asked for", 0, 0, "0 differ\n" },
			{ "times: one that is not quite the GPU's", -2000, 0, "0 differ\n" },
			{ "times: one of another sample", -12000, 1, "differs: sample 0" },
		};

		build(&scene, clocked());
		poke(&scene.raw, start + 16, raw_time(1), 8);
		replace(&scene.truth, "reason=manual timestamp=1003051",
			"reason=halt timestamp=1003051");
		shift(&scene, 0, 0, zeroes[i].off, 0, 0);
		expect(zeroes[i].name, &scene, strict, zeroes[i].status, zeroes[i].text);
	}
	build(&scene, clocked());
	poke(&scene.raw, sample_at(&scene, 3) - SAMPLE_RECORD - 40, raw_time(12), 8);
	poke(&scene.raw, sample_at(&scene, 3) - SAMPLE_RECORD - 16, raw_time(12) + 20, 8);
	expect("times: a final sample from before STOP", &scene, strict, 1,
	       "1 samples that the GPU took before the call");
	build(&scene, clocked());
	poke(&scene.raw, start + CALL_RECORD, UINT64_MAX, 8);
	expect("times: a reading that cannot be", &scene, NULL, 2,
	       "a GPU timestamp that cannot be");
	build(&scene, clocked());
	poke(&scene.raw, start + CALL_RECORD - 4, 40, 4);
	expect("times: a reading of another size", &scene, NULL, 2,
	       "record of kind 5 has 40 bytes");
}

static void test_cycles(void)
{
	/* Offset in the header of sample 2, what is added, what is said. */
	static const struct {
		const char *name;
		unsigned int offset;
		int add;
		const char *text;
	} cases[] = {
		{ "too many", 32, 11000, "27272 cycles of the top level clock instead of" },
		{ "too few", 32, -11000, "5272 cycles of the top level clock instead of" },
		{ "none", 32, -16272, ": 0 cycles of the top level clock instead of" },
		{ "too many of the core group", 40, 5600, "cycles of the core group clock" },
		{ "too few of the core group", 40, -5600, "cycles of the core group clock" },
		{ "too many of the shaders", 48, 2800, "cycles of the shader clock" },
	};
	struct scene scene, other = *clocked();
	char name[96];
	size_t i;

	build(&scene, &other);
	shift(&scene, 2, 32, 11000, 32, 0);
	expect("cycles: of a guest that has to wait", &scene, starved, 0, "0 differ\n");
	build(&scene, &other);
	shift(&scene, 2, 32, 51000, 32, 0);
	expect("cycles: too many for that, too", &scene, starved, 1, "cycles of the top level");
	build(&scene, &other);
	shift(&scene, 1, 32, 11000, 32, -11000);
	expect("cycles: two samples that a busy host disturbed", &scene, NULL, 0, "0 differ\n");
	build(&scene, &other);
	shift(&scene, 1, 32, 11000, 32, -11000);
	shift(&scene, 3, 32, 11000, 32, 0);
	expect("cycles: three of them", &scene, NULL, 1, "3 of 4 samples have other clock cycles "
	       "than within 10000 ns of the GPU's");
	build(&scene, &other);
	shift(&scene, 2, 32, 101000, 32, 0);
	expect("cycles: one that is beyond the limit", &scene, NULL, 1,
	       "117272 cycles of the top level clock instead of");
	build(&scene, &other);
	expect("cycles", &scene, NULL, 0,
	       "12 numbers of clock cycles compared with the GPU's, 12 of them within 0");
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &other);
		shift(&scene, 2, cases[i].offset, cases[i].add, cases[i].offset, 0);
		snprintf(name, sizeof(name), "cycles: %s", cases[i].name);
		expect(name, &scene, strict, 1, cases[i].text);
	}
	build(&scene, &other);
	replace(&scene.truth, "sample nr=9 ",
		"clock name=coregroup hz=1000000 timestamp=1008000 cycles=0\nsample nr=9 ");
	expect("cycles: a rate that changes late", &scene, NULL, 0, "0 differ\n");
	build(&scene, &other);
	replace(&scene.truth, "boot timestamp",
		"clock name=coregroup hz=1000000 timestamp=1 cycles=0\nboot timestamp");
	replace(&scene.truth, "timestamp_hz=62500000", "timestamp_hz=62500000 ");
	expect("cycles: a change just before", &scene, NULL, 0, "0 differ\n");
	build(&scene, &other);
	replace(&scene.truth, "clock name=coregroup hz=250000000",
		"clock name=coregroup hz=125000000");
	expect("cycles: another rate", &scene, strict, 1, "cycles of the core group clock instead");
	build(&scene, &other);
	replace(&scene.truth, "clock name=core hz", "clock name=cork hz");
	expect("cycles: an unknown clock", &scene, NULL, 2, "'name=cork' is not known");
	build(&scene, &other);
	replace(&scene.truth, " cycles=8024408", " cycles=many");
	expect("cycles: a number that is none", &scene, NULL, 2, "cycles='many' is not a number");

	/* Sample 1 has what came before and behind a suspend, in which no cycles are counted. */
	other.break_at = 7;
	other.break_text = "disable nr=1 timestamp=0 unread=0\nhalt timestamp=0\n";
	build(&scene, &other);
	expect("cycles: counted while counters were off", &scene, precise, 1,
	       "sample 1: 16272 cycles of the top level clock instead of");
	build(&scene, &other);
	for (i = 0; i < 3; i++)
		shift(&scene, 1, 32 + 8 * i, -((16272 - 2000) >> i), 32 + 8 * i, 0);
	expect("cycles: none while counters were off", &scene, NULL, 0, "0 differ\n");

	/* The host may read the last answer late, with what the firmware took 8136 cycles on. */
	build(&scene, &other);
	for (i = 0; i < 3; i++)
		shift(&scene, 1, 32 + 8 * i, -((16272 - 8136 - 2000) >> i), 32 + 8 * i, 0);
	expect("cycles: up to a sample behind the last answer", &scene, precise, 0, "0 differ\n");
	build(&scene, &other);
	for (i = 0; i < 3; i++)
		shift(&scene, 1, 32 + 8 * i, -((16272 - 8136 - 5100) >> i), 32 + 8 * i, 0);
	expect("cycles: beyond a sample behind the last answer", &scene, precise, 1,
	       "sample 1: 13236 cycles of the top level clock instead of");
	other.break_text = "disable nr=1 timestamp=1006402 unread=1\nhalt timestamp=0\n";
	build(&scene, &other);
	for (i = 0; i < 3; i++)
		shift(&scene, 1, 32 + 8 * i, -((16272 - 8136 - 2000) >> i), 32 + 8 * i, 0);
	expect("cycles: up to a sample that was not read", &scene, precise, 1,
	       "sample 1: 10136 cycles of the top level clock instead of");

	/* The host's time may be the end of a sample that was not read before the disable. */
	other.gpu_text = " lost=1";
	other.break_text = "disable nr=1 timestamp=1006402 unread=2\nhalt timestamp=0\n";
	build(&scene, &other);
	expect("cycles: counted up to the disable", &scene, strict, 0, "0 differ\n");
	other.break_text = "disable nr=1 timestamp=1005285 unread=2\nhalt timestamp=0\n";
	build(&scene, &other);
	expect("cycles: counted behind the disable", &scene, strict, 1,
	       "sample 1: 16272 cycles of the top level clock instead of");
	other.break_text = "disable nr=1 timestamp=1006402 unread=0\nhalt timestamp=0\n";
	build(&scene, &other);
	expect("cycles: counted behind a sample that was read", &scene, precise, 1,
	       "sample 1: 16272 cycles of the top level clock instead of");
}

static void test_states(void)
{
	struct scene scene;

	build(&scene, clocked());
	poke(&scene.raw, block_at(&scene, 1, SHADER, 1) + 4, 0x14, 4);
	expect("states: a core that was neither on nor off", &scene, NULL, 1,
	       "SHADER[1] has states 0x14 instead of 0x15");
	build(&scene, clocked());
	poke(&scene.raw, block_at(&scene, 1, FW, 0) + 4, 0x17, 4);
	expect("states: a block that was off", &scene, NULL, 1,
	       "FW[0] has states 0x17 instead of 0x15");
	build(&scene, clocked());
	poke(&scene.raw, block_at(&scene, 1, TILER, 0) + 4, 0x19, 4);
	expect("states: a block that is withheld", &scene, NULL, 1,
	       "TILER[0] has states 0x19 instead of 0x15");
}

static void test_firmware_samples(void)
{
	/* From the zero to the last end, the host asked for 6. */
	static const struct {
		const char *range;
		int status;
		const char *text;
	} cases[] = {
		{ "--firmware-samples=6..6", 0, "0 differ\n" },
		{ "--firmware-samples=0..1000", 0, "0 differ\n" },
		{ "--firmware-samples=7..9", 1,
		  "failed: the host asked for 6 samples of the GPU, not for 7 to 9" },
		{ "--firmware-samples=1..5", 1, "failed: the host asked for 6 samples" },
		{ "--firmware-samples=6", 2, "'6' is not MIN..MAX" },
		{ "--firmware-samples=..6", 2, "'..6' is not MIN..MAX" },
		{ "--firmware-samples=6..x", 2, "'6..x' is not MIN..MAX" },
		{ "--firmware-samples=9..6", 2, "'9..6' is not MIN..MAX" },
	};
	struct scene scene;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *const args[] = { cases[i].range, NULL };

		build(&scene, clocked());
		expect(cases[i].range, &scene, args, cases[i].status, cases[i].text);
	}
}

void test_time(void)
{
	test_periods();
	test_times();
	test_cycles();
	test_states();
	test_firmware_samples();
}
