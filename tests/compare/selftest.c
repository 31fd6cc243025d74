// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Tests of panthor-perf-compare: makes a log and a raw sample file that belong together, damages
 * one of them, and looks at what the program says. Knows both formats by their documentation
 * alone: offsets and constants are literals here.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define FILE_HEADER	64
#define INFO_SIZE	88
#define SECTION_SIZE	16
#define BLOCK_HEADER	8

#define FLAG_ERROR	2
#define EVENT_FW_OVERFLOW	0x08
#define EVENT_FW_TIMEOUT	0x10
#define EVENT_RESET		0x20
#define EVENT_CORE_OFF		0x100

#define FW		1
#define CSHW		2
#define TILER		3
#define MEMSYS		4
#define SHADER		5
#define CSG		7
#define TYPES		8

#define NO_ZERO		SIZE_MAX

#define CALL_RECORD	64
#define SAMPLE_RECORD	16
#define START_DATA	41
#define STOP_DATA	42

/**
 * struct buffer - bytes of a file
 */
struct buffer {
	/** @bytes: The bytes. */
	unsigned char *bytes;

	/** @size: Their number. */
	size_t size;
};

/**
 * struct section - counters that the session asked for
 */
struct section {
	/** @type: Block type. */
	unsigned int type;

	/** @first: Counter of bit 0 of @mask. */
	unsigned int first;

	/** @mask: The counters. */
	uint64_t mask;
};

/**
 * struct scene - a run of the virtual GPU with a session
 */
struct scene {
	/** @counters: Words of a block. */
	unsigned int counters;

	/** @shader_present: Shader cores. */
	uint64_t shader_present;

	/** @l2_slices: L2 slices. */
	unsigned int l2_slices;

	/** @fw: There is a firmware block. */
	unsigned int fw;

	/** @csg: Slots with a block. */
	unsigned int csg;

	/** @sample_header: Bytes of a sample header. */
	unsigned int sample_header;

	/** @block_header: Bytes of a block header. */
	unsigned int block_header;

	/** @zero: Sample of the GPU that is the session's zero. */
	size_t zero;

	/** @break_at: Sample of the GPU before which counters are enabled anew, 0 for none. */
	size_t break_at;

	/** @break_text: Lines of the log in front of that. */
	const char *break_text;

	/** @gpu_text: What the gpu line has at its end. */
	const char *gpu_text;

	/** @run_at: Sample with which a second run begins, 0 for none. */
	size_t run_at;

	/** @run_zero: Sample of the GPU that is its zero. */
	size_t run_zero;

	/** @timed: User data tells when calls were made: just before the GPU's sample. */
	bool timed;

	/** @period: Period in ns, 0 for none; with one, the file is of version 2. */
	unsigned int period;

	/** @sections: What the session asks for; all counters if there are none. */
	struct section sections[4];

	/** @section_count: Number of sections. */
	unsigned int section_count;

	/** @truth: The log. */
	struct buffer truth;

	/** @raw: The raw sample file. */
	struct buffer raw;
};

static const struct scene g610 = {
	.counters = 64,
	.shader_present = 0x50005,
	.l2_slices = 4,
	.fw = 1,
	.sample_header = 80,
	.block_header = BLOCK_HEADER,
	.zero = 3,
};

/* The GPU's samples: m on request, a by itself. Those of the session end where ends[] says. */
static const char gpu_samples[] = "amamamammamma";
static const size_t ends[] = { 5, 7, 9, 11 };

#define SAMPLES		ARRAY_SIZE(ends)

static const char *compare;
static char folder[64];
static unsigned int failures;

static void __attribute__((format(printf, 1, 2), noreturn)) die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static void append(struct buffer *buffer, const void *bytes, size_t size)
{
	buffer->bytes = realloc(buffer->bytes, buffer->size + size + 1);
	if (!buffer->bytes)
		die("out of memory");
	memcpy(buffer->bytes + buffer->size, bytes, size);
	buffer->size += size;
	buffer->bytes[buffer->size] = 0;
}

static void __attribute__((format(printf, 2, 3)))
print(struct buffer *buffer, const char *format, ...)
{
	char text[256];
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	append(buffer, text, size);
}

static void put(struct buffer *buffer, uint64_t value, unsigned int size)
{
	unsigned char bytes[8];
	unsigned int i;

	for (i = 0; i < size; i++)
		bytes[i] = value >> (8 * i);
	append(buffer, bytes, size);
}

static void poke(struct buffer *buffer, size_t offset, uint64_t value, unsigned int size)
{
	if (offset + size > buffer->size)
		die("no byte %zu among %zu", offset, buffer->size);
	while (size--) {
		buffer->bytes[offset++] = value;
		value >>= 8;
	}
}

static void zeroes(struct buffer *buffer, size_t size)
{
	while (size--)
		put(buffer, 0, 1);
}

/* What the GPU counts: large enough that sums need more than 32 bits, and 0 now and then. */
static uint32_t value(size_t nr, unsigned int type, unsigned int number, unsigned int counter)
{
	uint32_t hash = nr * 2654435761u ^ type * 40503u ^ number * 9176u ^ counter * 2246822519u;

	hash ^= hash >> 15;
	hash *= 2246822519u;
	hash ^= hash >> 13;
	return hash % 16 ? hash : 0;
}

static bool is_off(size_t nr, unsigned int type, unsigned int number)
{
	return type == SHADER && (nr + number) % 5 == 0;
}

static uint64_t timestamp(size_t nr)
{
	return 1000000 + 1017 * (uint64_t)nr;
}

static unsigned int count_of(const struct scene *scene, unsigned int type)
{
	switch (type) {
	case FW:
		return scene->fw;
	case CSHW:
	case TILER:
		return 1;
	case MEMSYS:
		return scene->l2_slices;
	case SHADER:
		return __builtin_popcountll(scene->shader_present);
	case CSG:
		return scene->csg;
	default:
		return 0;
	}
}

/* The number that the hardware has for the block of a rank. */
static unsigned int hardware_number(const struct scene *scene, unsigned int type, unsigned int idx)
{
	unsigned int bit;

	if (type != SHADER)
		return idx;
	for (bit = 0; bit < 64; bit++)
		if (scene->shader_present >> bit & 1 && !idx--)
			return bit;
	die("no shader core of this rank");
}

static const char *const names[TYPES] = {
	[FW] = "FW", [CSHW] = "CSHW", [TILER] = "TILER", [MEMSYS] = "MEMSYS", [SHADER] = "SHADER",
	[CSG] = "CSG",
};

static void write_truth(struct scene *scene)
{
	struct buffer *log = &scene->truth;
	unsigned int type, idx, counter;
	unsigned int enable = 1;
	size_t nr;

	print(log, "vmali-truth 1\n");
	print(log, "gpu id=0xa8670005 shader_present=0x%llx l2_slices=%u counters=%u fw=%u csg=%u "
	      "metadata=0 timestamp_hz=62500000%s\n", (unsigned long long)scene->shader_present,
	      scene->l2_slices, scene->counters, scene->fw, scene->csg,
	      scene->gpu_text ? scene->gpu_text : "");
	print(log, "boot timestamp=17\nping timestamp=18\n");
	print(log, "enable nr=1 set=0 entries=128 timestamp=999999\n");
	for (nr = 0; gpu_samples[nr]; nr++) {
		if (nr && nr == scene->break_at) {
			print(log, "%s", scene->break_text);
			print(log, "enable nr=%u set=0 entries=128 timestamp=0\n", ++enable);
		}
		print(log, "sample nr=%zu enable=%u insert=%zu reason=%s timestamp=%llu\n", nr + 1,
		      enable, nr, gpu_samples[nr] == 'm' ? "manual" : "power-off",
		      (unsigned long long)timestamp(nr));
		for (type = 1; type < TYPES; type++) {
			for (idx = 0; idx < count_of(scene, type); idx++) {
				unsigned int number = hardware_number(scene, type, idx);

				if (is_off(nr, type, number))
					continue;
				print(log, "block %s %u en=0xffffffff", names[type], number);
				for (counter = 4; counter < scene->counters; counter++)
					print(log, " %u", value(nr, type, number, counter));
				print(log, "\n");
			}
		}
	}
	print(log, "disable nr=%u timestamp=2000000 unread=0\n", enable);
	print(log, "end violations=0 unimplemented=0\n");
}

static bool is_enabled(const struct scene *scene, unsigned int type, unsigned int counter)
{
	unsigned int i;

	if (counter < 4)
		return false;
	for (i = 0; i < scene->section_count; i++)
		if (scene->sections[i].type == type && scene->sections[i].first <= counter &&
		    counter < scene->sections[i].first + 64 &&
		    scene->sections[i].mask >> (counter - scene->sections[i].first) & 1)
			return true;
	return false;
}

static size_t sample_size(const struct scene *scene)
{
	size_t size = scene->sample_header;
	unsigned int type;

	for (type = 1; type < TYPES; type++)
		size += count_of(scene, type) * (scene->block_header + 8 * scene->counters);
	return size;
}

static void write_sample(struct scene *scene, size_t sample)
{
	bool restart = sample && sample == scene->run_at;
	size_t first = restart ? scene->run_zero : sample ? ends[sample - 1] : scene->zero;
	struct buffer *raw = &scene->raw;
	unsigned int type, idx, counter;
	uint64_t user_data = 77 + sample;
	size_t nr;

	if (scene->period)
		user_data = sample == SAMPLES - 1 ? STOP_DATA : START_DATA;
	else if (scene->timed && (restart || !sample))
		user_data = (timestamp(first) - 100) | 10ull << 40;
	else if (scene->timed)
		user_data = (timestamp(ends[sample]) - 1) | 0xffffffull << 40;

	put(raw, 5000 + 1000 * sample + (restart ? 10 : 0), 8);
	/* STOP cuts the last period short. */
	put(raw, 5000 + 1000 * (sample + 1) -
	    (scene->period && sample == SAMPLES - 1 ? 100 : 0), 8);
	put(raw, 0, 4);
	put(raw, 0, 4);
	put(raw, user_data, 8);
	zeroes(raw, 24);
	put(raw, timestamp(ends[sample]), 8);
	put(raw, scene->run_at && sample >= scene->run_at ? sample - scene->run_at : sample, 8);
	put(raw, 0, 8);
	zeroes(raw, scene->sample_header - 80);
	for (type = 1; type < TYPES; type++) {
		for (idx = 0; idx < count_of(scene, type); idx++) {
			unsigned int number = hardware_number(scene, type, idx);

			put(raw, type, 1);
			put(raw, idx, 1);
			put(raw, 0, 6);
			zeroes(raw, scene->block_header - BLOCK_HEADER);
			for (counter = 0; counter < scene->counters; counter++) {
				uint64_t sum = 0;

				for (nr = first + 1; nr <= ends[sample]; nr++)
					if (is_enabled(scene, type, counter) &&
					    !is_off(nr, type, number))
						sum += value(nr, type, number, counter);
				put(raw, sum, 8);
			}
		}
	}
}

/* CLOCK_MONOTONIC is 100000 to 100010 ns ahead. */
static void write_call(struct buffer *raw, unsigned int kind, uint64_t user_data, uint64_t ns)
{
	unsigned int i;

	put(raw, kind, 4);
	put(raw, CALL_RECORD, 4);
	put(raw, user_data, 8);
	for (i = 0; i < 2; i++) {
		put(raw, ns + 100000 + 20 * i, 8);
		put(raw, ns + 20 * i, 8);
		put(raw, 10, 8);
	}
}

static void write_records(struct scene *scene)
{
	unsigned int i;

	write_call(&scene->raw, 2, START_DATA, 4990);
	for (i = 0; i < SAMPLES; i++) {
		if (i == SAMPLES - 1)
			write_call(&scene->raw, 3, STOP_DATA, 8800);
		put(&scene->raw, 1, 4);
		put(&scene->raw, SAMPLE_RECORD + sample_size(scene), 4);
		put(&scene->raw, 10000, 8);
		write_sample(scene, i);
	}
}

static void write_raw(struct scene *scene)
{
	struct buffer *raw = &scene->raw;
	unsigned int i;

	append(raw, "PTPRFRAW", 8);
	put(raw, scene->period ? 2 : 1, 4);
	put(raw, FILE_HEADER + INFO_SIZE + SECTION_SIZE * scene->section_count, 4);
	put(raw, INFO_SIZE, 4);
	put(raw, SECTION_SIZE, 4);
	put(raw, scene->section_count, 4);
	put(raw, sample_size(scene), 4);
	put(raw, 0, 4);
	put(raw, 0xa8670005, 4);
	put(raw, scene->period, 8);
	put(raw, scene->shader_present, 8);
	put(raw, 0, 8);

	put(raw, scene->counters, 4);
	put(raw, scene->sample_header, 4);
	put(raw, scene->block_header, 4);
	put(raw, sample_size(scene), 4);
	put(raw, 0, 8);
	for (i = FW; i <= SHADER; i++)
		put(raw, count_of(scene, i), 4);
	put(raw, 0, 4);
	put(raw, scene->csg, 4);
	put(raw, 1, 4);
	put(raw, 2, 4);
	put(raw, 128, 4);
	put(raw, 16, 4);
	put(raw, 0, 4);
	put(raw, scene->period, 8);
	put(raw, 62500000, 8);
	for (i = 0; i < scene->section_count; i++) {
		put(raw, scene->sections[i].type, 2);
		put(raw, scene->sections[i].first, 2);
		put(raw, 0, 4);
		put(raw, scene->sections[i].mask, 8);
	}
	if (scene->period)
		write_records(scene);
	for (i = 0; i < SAMPLES && !scene->period; i++)
		write_sample(scene, i);
}

/* Asks for all counters unless the scene has sections of its own; then writes both files. */
static void build(struct scene *scene, const struct scene *from)
{
	*scene = *from;
	if (!scene->section_count && scene->counters == 64) {
		static const unsigned int types[] = { FW, CSHW, TILER, SHADER };
		unsigned int i;

		/* The memory system's counters stay out, to have some that must be 0. */
		for (i = 0; i < 4; i++)
			scene->sections[i] = (struct section){ types[i], 0, ~0xfull };
		scene->section_count = 4;
	}
	write_truth(scene);
	write_raw(scene);
}

static void discard(struct scene *scene)
{
	free(scene->truth.bytes);
	free(scene->raw.bytes);
}

static size_t samples_at(const struct scene *scene)
{
	return FILE_HEADER + INFO_SIZE + SECTION_SIZE * scene->section_count;
}

static size_t sample_at(const struct scene *scene, size_t sample)
{
	size_t records = 0;

	if (scene->period)
		records = CALL_RECORD * (1 + (sample == SAMPLES - 1)) +
			  SAMPLE_RECORD * (sample + 1);
	return samples_at(scene) + records + sample * sample_size(scene);
}

static size_t block_at(const struct scene *scene, size_t sample, unsigned int type,
		       unsigned int idx)
{
	unsigned int before = idx, i;

	for (i = 1; i < type; i++)
		before += count_of(scene, i);
	return sample_at(scene, sample) + scene->sample_header +
	       before * (scene->block_header + 8 * scene->counters);
}

static size_t counter_at(const struct scene *scene, size_t sample, unsigned int type,
			 unsigned int idx, unsigned int counter)
{
	return block_at(scene, sample, type, idx) + scene->block_header + 8 * counter;
}

static uint64_t peek(const struct buffer *buffer, size_t offset)
{
	uint64_t number = 0;
	int i;

	for (i = 7; i >= 0; i--)
		number = number << 8 | buffer->bytes[offset + i];
	return number;
}

/* Replaces the first occurrence of a text in the log. */
static void replace(struct buffer *log, const char *old, const char *new)
{
	struct buffer result = { 0 };
	const char *text = (const char *)log->bytes;
	const char *at = strstr(text, old);

	if (!at)
		die("the log has no '%s'", old);
	append(&result, text, at - text);
	append(&result, new, strlen(new));
	append(&result, at + strlen(old), strlen(at + strlen(old)));
	free(log->bytes);
	*log = result;
}

static void write_file(const char *name, const struct buffer *buffer)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	if (!file || fwrite(buffer->bytes, 1, buffer->size, file) != buffer->size || fclose(file))
		die("%s: %s", path, strerror(errno));
}

static char *read_output(void)
{
	static char text[65536];
	char path[128];
	size_t size;
	FILE *file;

	snprintf(path, sizeof(path), "%s/output", folder);
	file = fopen(path, "rb");
	if (!file)
		die("%s: %s", path, strerror(errno));
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = 0;
	fclose(file);
	return text;
}

/* Runs the comparer in the folder; returns its exit status, or 256 + the signal that ended it. */
static int run(const char *const *args)
{
	const char *argv[12] = { compare, "truth.log", "samples.raw" };
	unsigned int i;
	int status;
	pid_t pid;

	for (i = 0; args && args[i]; i++)
		argv[3 + i] = args[i];
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid) {
		int out;

		if (chdir(folder))
			_exit(99);
		out = open("output", O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
			_exit(99);
		execv(compare, (char **)argv);
		_exit(99);
	}
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid: %s", strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static void result(bool ok, const char *name, const char *why)
{
	if (ok) {
		printf("ok %s\n", name);
	} else {
		printf("not ok %s - %s\n", name, why);
		failures++;
	}
}

/* One run: its exit status, and a text that it has to print. */
static void expect(const char *name, struct scene *scene, const char *const *args, int status,
		   const char *text)
{
	char *output;
	char why[128];
	int got;

	write_file("truth.log", &scene->truth);
	write_file("samples.raw", &scene->raw);
	got = run(args);
	output = read_output();
	snprintf(why, sizeof(why), "exit status %d instead of %d", got, status);
	if (got == status)
		snprintf(why, sizeof(why), "'%.90s' is not printed", text);
	result(got == status && strstr(output, text), name, why);
	if (got != status || !strstr(output, text))
		fputs(output, stderr);
	discard(scene);
}

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

static void poke_counter(struct scene *scene, size_t sample, unsigned int type, unsigned int idx,
			 unsigned int counter, int64_t add)
{
	size_t at = counter_at(scene, sample, type, idx, counter);

	poke(&scene->raw, at, peek(&scene->raw, at) + add, 8);
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
		{ "an unknown flag", 20, 4, 8, "unknown flags 0x8" },
		{ "an unknown event", 76, 4, 0x80000000, "unknown events 0x80000000" },
		{ "merged without periods", 72, 4, 2, "2 periods merged" },
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
		{ "generation", 3, 1, 1, "has generation 1" },
		{ "states", 4, 4, 1, "states are not supported" },
		{ "unknown states", 4, 4, 0x40, "unknown states 0x40" },
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

static void set_error(struct scene *scene, size_t sample, uint32_t events)
{
	poke(&scene->raw, sample_at(scene, sample) + 20, FLAG_ERROR, 4);
	poke(&scene->raw, sample_at(scene, sample) + 76, events, 4);
}

/* A log that tells losses itself: one behind the sample of this number. */
static void lose(struct scene *scene, const char *reason, size_t nr)
{
	char old[32], line[128];

	snprintf(old, sizeof(old), "sample nr=%zu ", nr + 1);
	snprintf(line, sizeof(line), "lost reason=%s enable=1 after=%zu\n%s", reason, nr, old);
	replace(&scene->truth, old, line);
	replace(&scene->truth, "timestamp_hz=62500000", "timestamp_hz=62500000 lost=1");
}

#define UNFOUNDED	"1 samples with ERROR though the GPU discarded no counts"
#define UNTOLD		"1 samples without ERROR though the GPU discarded counts"
#define MISNAMED	"1 samples with ERROR without the event that tells why"

#define SUSPEND		"disable nr=1 timestamp=0 unread=0\nhalt timestamp=0\n" \
			"reset kind=soft timestamp=0\nboot timestamp=0\n"

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
		{ "pad", 56, 8, 1, 2, "the pad of the header" },
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

static void remove_folder(void)
{
	static const char *const files[] = { "truth.log", "samples.raw", "output" };
	char path[128];
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		unlink(path);
	}
	rmdir(folder);
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
	test_runs();
	test_periods();
	test_truth();
	test_raw();
	test_truncation();
	test_garbage();
	test_usage();
	remove_folder();
	return failures ? 1 : 0;
}
