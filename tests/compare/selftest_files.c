// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "selftest.h"

static void test_truth(void)
{
	/* What is replaced in the log by what, exit status, what is said. */
	static const struct {
		const char *name, *old, *new;
		int status;
		const char *text;
	} cases[] = {
		{ "a violation", "disable nr=1", "violation EXTRACT is 3, not 0\ndisable nr=1", 2,
		  "violation EXTRACT is 3" },
		{ "a violation that is counted", "end violations=0",
		  "violation EXTRACT is 3\nend violations=1", 1, "failed: 1 violations" },
		{ "a violation between sample and block", "block CSHW",
		  "violation doorbell missing\nblock CSHW", 2, "violation doorbell missing" },
		{ "an access to an unknown register", "end violations=0 unimplemented=0",
		  "unimplemented read 0x1234\nend violations=0 unimplemented=1", 1,
		  "1 unimplemented accesses" },
		{ "more accesses than lines", "unimplemented=0", "unimplemented=7", 1,
		  "7 unimplemented accesses" },
		{ "no end", "end violations=0 unimplemented=0\n", "", 2, "no end line" },
		{ "lines behind the end", "unimplemented=0\n", "unimplemented=0\nboot\n", 2,
		  "behind the end line" },
		{ "an unknown kind of line", "boot timestamp", "zoot timestamp", 0,
		  "note: 1 lines of the log" },
		{ "another kind of file", "vmali-truth 1", "truth 1", 2, "this is no log" },
		{ "another version", "vmali-truth 1", "vmali-truth 2", 2, "version '2'" },
		{ "no gpu line", "gpu id=", "gnu id=", 2, "before the gpu line" },
		{ "a field is missing", " l2_slices=4", "", 2,
		  "truth.log:2: l2_slices= is missing" },
		{ "a field that is no number", "l2_slices=4", "l2_slices=four", 2, "'four'" },
		{ "a field that is too large", "counters=64", "counters=99999999999", 2,
		  "is not a number up to" },
		{ "another number of counters", "counters=64", "counters=65", 2,
		  "values instead of" },
		{ "another GPU_ID", "0xa8670005", "0xa8670006", 1, "GPU_ID 0xa8670005" },
		{ "another shader mask", "0x50005", "0x5000d", 1, "the GPU has 5" },
		{ "a shader core that is not there", "block SHADER 16", "block SHADER 17", 2,
		  "there is no shader core 17" },
		{ "a shader core beyond all", "block SHADER 16", "block SHADER 64", 2,
		  "there is no shader core 64" },
		{ "a slice that is not there", "block MEMSYS 3", "block MEMSYS 4", 2,
		  "there is no MEMSYS block 4" },
		{ "a block twice", "block MEMSYS 3", "block MEMSYS 2", 2, "comes twice" },
		{ "an unknown block", "block TILER", "block TILES", 2, "'TILES' is not known" },
		{ "a metadata block", "block TILER", "block METADATA 0 en=0x3 1 2\nblock TILER", 0,
		  "0 differ" },
		{ "a block without counters", "en=0xffffffff", "en=0x1", 2, "has no counters" },
		{ "a block without a mask", " en=0xffffffff", "", 2, "no 'TYPE INDEX en=MASK'" },
		{ "a block without anything", "block TILER 0 en=", "block\nx ", 2,
		  "no 'TYPE INDEX en=MASK'" },
		{ "too many values", "block TILER 0 en=0xffffffff",
		  "block TILER 0 en=0xffffffff 1", 2, "more than 60 values" },
		{ "a value beyond 32 bits", "block TILER 0 en=0xffffffff",
		  "block TILER 0 en=0xffffffff 4294967296", 2, "is not a value of 32 bits" },
		{ "a negative value", "block TILER 0 en=0xffffffff",
		  "block TILER 0 en=0xffffffff -1", 2, "'-1' is not a value" },
		{ "a block without a sample", "boot timestamp",
		  "block FW 0 en=0x2\nboot timestamp", 2, "a block without a sample" },
		{ "a sample without an enable", "enable nr=1", "ping nr=1", 2, "in force is 0" },
		{ "a sample of another enable", "nr=4 enable=1", "nr=4 enable=2", 2,
		  "belongs to enable 2" },
		{ "time that stands still", "timestamp=1002034", "timestamp=1001017", 2,
		  "is not later than" },
		{ "samples out of order", "sample nr=4", "sample nr=3", 2,
		  "sample 3 follows sample 3" },
		{ "a sample without a reason", "reason=manual", "raison=manual", 2,
		  "reason= is missing" },
		{ "a sample that is missing", "timestamp=1009153", "timestamp=1009154", 1,
		  "wrote no sample at its timestamp 1009153" },
		{ "a set that the session did not want", "set=0", "set=1", 1,
		  "the GPU counted set 1" },
		{ "another clock", "62500000", "62500001", 1, "the GPU's is 62500001 Hz" },
		{ "no zero", "reason=manual timestamp=1001017", "reason=halt timestamp=1001017", 0,
		  "0 differ" },
	};
	struct scene scene;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &g610);
		replace(&scene.truth, cases[i].old, cases[i].new);
		snprintf(name, sizeof(name), "log: %s", cases[i].name);
		expect(name, &scene, NULL, cases[i].status, cases[i].text);
	}

	build(&scene, &g610);
	replace(&scene.truth, "reason=manual timestamp=1001017", "reason=halt timestamp=1001017");
	replace(&scene.truth, "reason=manual timestamp=1003051", "reason=halt timestamp=1003051");
	expect("log: no sample on request before the first", &scene, NULL, 1,
	       "cannot be compared: where they start");
}

static void test_raw(void)
{
	/* Offset in the file, size, value, what is said. */
	static const struct {
		const char *name;
		unsigned int offset, size;
		uint64_t number;
		int status;
		const char *text;
	} cases[] = {
		{ "another kind of file", 0, 1, 'X', 2, "this is no raw sample file" },
		{ "another version", 8, 4, 3, 2, "version 3" },
		{ "header size", 12, 4, 0, 2, "do not add up" },
		{ "a huge header size", 12, 4, UINT32_MAX, 2, "do not add up" },
		{ "PERF_INFO size", 16, 4, 80, 2, "do not add up" },
		{ "a huge PERF_INFO size", 16, 4, UINT32_MAX, 2, "do not add up" },
		{ "section size", 20, 4, 8, 2, "sections of 8 bytes" },
		{ "a huge section size", 20, 4, 0xfffffff8, 2, "do not add up" },
		{ "section count", 24, 4, 3, 2, "do not add up" },
		{ "a huge section count", 24, 4, UINT32_MAX, 2, "sections of 16 bytes" },
		{ "sample size", 28, 4, 80, 2, "PERF_INFO says" },
		{ "sample size 0", 28, 4, 0, 2, "PERF_INFO says" },
		{ "set", 32, 4, 1, 1, "set 1 is not offered" },
		{ "GPU_ID", 36, 4, 1, 1, "GPU_ID 0x00000001" },
		{ "pad", 60, 4, 1, 2, "the pad of the header" },
		{ "unknown flags", 56, 4, 0x18, 2, "flags 0x18 of the session" },
		{ "counters 0", 64, 4, 0, 2, "0 counters per block" },
		{ "huge counters", 64, 4, UINT32_MAX, 2, "4294967295 counters per block" },
		{ "sample header 0", 68, 4, 0, 2, "a sample header of 0 bytes" },
		{ "a huge sample header", 68, 4, 0xfffffff8, 2, "a sample header of" },
		{ "an odd block header", 72, 4, 9, 2, "a block header of 9 bytes" },
		{ "PERF_INFO sample size", 76, 4, 8, 2, "header and blocks are" },
		{ "blocks", 64 + 40, 4, 5, 2, "header and blocks are" },
		{ "huge blocks", 64 + 40, 4, UINT32_MAX, 2, "4294967295 blocks of type 5" },
		{ "neural blocks", 64 + 44, 4, 1, 2, "header and blocks are" },
		{ "timestamp frequency", 64 + 80, 8, 5, 1, "frequency 5 Hz" },
		{ "no timestamp frequency", 64 + 80, 8, 0, 0, "0 differ" },
		{ "section type", 64 + 88, 1, 6, 2, "block type 6" },
		{ "section type beyond all", 64 + 88, 1, 255, 2, "block type 255" },
		{ "section pad", 64 + 89, 1, 1, 2, "a pad that is not 0" },
		{ "section start", 64 + 90, 2, 1, 2, "begins at counter 1" },
		{ "section start beyond all", 64 + 90, 2, 64, 2, "asks for counter 68" },
		{ "section of header words", 64 + 96, 8, 1, 2, "asks for counter 0" },
	};
	struct scene scene;
	char name[96];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		build(&scene, &g610);
		poke(&scene.raw, cases[i].offset, cases[i].number, cases[i].size);
		snprintf(name, sizeof(name), "raw file: %s", cases[i].name);
		expect(name, &scene, NULL, cases[i].status, cases[i].text);
	}

	build(&scene, &g610);
	scene.raw.size = samples_at(&scene);
	expect("raw file: no samples", &scene, NULL, 1, "demo: 0 samples, 0 counters");
	build(&scene, &g610);
	scene.raw.size -= 1;
	expect("raw file: a sample cut off", &scene, NULL, 2, "cut off in sample 3");
}

/* Whatever is cut off, it must be noticed, and without a crash. */
static void test_truncation(void)
{
	struct scene scene;
	bool ok = true;
	size_t full, header, size;

	build(&scene, &g610);
	write_file("truth.log", &scene.truth);
	full = scene.raw.size;
	header = samples_at(&scene);
	for (size = 0; ok && size < full; size += size < header + 100 ? 1 : 997) {
		bool whole = size >= header && (size - header) % sample_size(&scene) == 0;

		scene.raw.size = size;
		write_file("samples.raw", &scene.raw);
		ok = run(NULL) == (whole ? size == header : 2);
	}
	result(ok, "raw file: cut off anywhere", "not noticed, or a crash");

	scene.raw.size = full;
	write_file("samples.raw", &scene.raw);
	full = scene.truth.size;
	ok = true;
	for (size = 0; ok && size < full; size += size < 400 ? 1 : 211) {
		scene.truth.size = size;
		write_file("truth.log", &scene.truth);
		ok = run(NULL) == 2;
	}
	result(ok, "log: cut off anywhere", "not noticed, or a crash");
	discard(&scene);
}

/* Garbage must give an error message or differences, never a crash. */
static void test_garbage(void)
{
	uint32_t state = 12345;
	struct scene scene;
	bool ok = true;
	int i, j;

	for (i = 0; ok && i < 200; i++) {
		struct buffer *target;
		int status;

		build(&scene, &g610);
		target = i % 2 ? &scene.raw : &scene.truth;
		for (j = 0; j < 1 + i % 7; j++) {
			size_t limit = i % 4 < 2 ? target->size : 400;

			state = state * 1664525 + 1013904223;
			target->bytes[(state >> 8) % limit] = state >> 16;
		}
		write_file("truth.log", &scene.truth);
		write_file("samples.raw", &scene.raw);
		status = run(NULL);
		ok = status >= 0 && status <= 2;
		discard(&scene);
	}
	result(ok, "garbage in either file", "a crash");
}

static void test_usage(void)
{
	static const char *const extra[] = { "third", NULL };
	static const char *const word[] = { "--expect-samples", "x", NULL };
	struct scene scene;

	build(&scene, &g610);
	expect("a second file that is missing", &scene, extra, 2, "third: No such file");
	build(&scene, &g610);
	expect("a number that is none", &scene, word, 2, "'x' is not a number");

	build(&scene, &g610);
	write_file("truth.log", &scene.truth);
	{
		char path[128];

		snprintf(path, sizeof(path), "%s/samples.raw", folder);
		unlink(path);
		result(run(NULL) == 2 && strstr(read_output(), "samples.raw: No such file"),
		       "a file that is missing", "not told");
		mkdir(path, 0700);
		result(run(NULL) == 2 && strstr(read_output(), "samples.raw: Is a directory"),
		       "a folder instead of a file", "not told");
		rmdir(path);
	}
	discard(&scene);
}

void test_files(void)
{
	test_truth();
	test_raw();
	test_truncation();
	test_garbage();
	test_usage();
}
