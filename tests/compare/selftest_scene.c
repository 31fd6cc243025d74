// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftest.h"

const struct scene g610 = {
	.counters = 64,
	.shader_present = 0x50005,
	.l2_slices = 4,
	.fw = 1,
	.sample_header = 80,
	.block_header = BLOCK_HEADER,
	.zero = 3,
};

/* The GPU's samples: m on request, a by itself. Those of the session end where ends[] says. */
const char *const gpu_samples = "amamamammamma";
const size_t ends[SAMPLES] = { 5, 7, 9, 11 };

const char *compare;
char folder[64];
unsigned int failures;

void die(const char *format, ...)
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

void print(struct buffer *buffer, const char *format, ...)
{
	char text[256];
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	append(buffer, text, size);
}

void put(struct buffer *buffer, uint64_t value, unsigned int size)
{
	unsigned char bytes[8];
	unsigned int i;

	for (i = 0; i < size; i++)
		bytes[i] = value >> (8 * i);
	append(buffer, bytes, size);
}

void poke(struct buffer *buffer, size_t offset, uint64_t value, unsigned int size)
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
	return (type == SHADER && (nr + number) % 5 == 0) ||
	       (type == NEURAL && (nr + number) % 3 == 0);
}

uint64_t timestamp(size_t nr)
{
	return 1000000 + 1017 * (uint64_t)nr;
}

/* Two samples of the GPU make a period, which ends 5 us before the second one. */
uint64_t raw_time(size_t nr)
{
	return 149080 + 16 * 1017 * (uint64_t)nr;
}

/* Points of the grid up to a time: CLOCK_MONOTONIC is 100200 ns ahead. */
static uint64_t points_at(uint64_t raw_ns)
{
	return (raw_ns + 100200) / CLOCKED_PERIOD;
}

static const char *reason_of(size_t nr)
{
	return gpu_samples[nr] == 'm' ? "manual" : "power-off";
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
	case NEURAL:
		return __builtin_popcountll(scene->neural_present);
	case CSG:
		return scene->csg;
	default:
		return 0;
	}
}

/* The number that the hardware has for the block of a rank. */
static unsigned int hardware_number(const struct scene *scene, unsigned int type, unsigned int idx)
{
	uint64_t present = type == NEURAL ? scene->neural_present : scene->shader_present;
	unsigned int bit;

	if (type != SHADER && type != NEURAL)
		return idx;
	for (bit = 0; bit < 64; bit++)
		if (present >> bit & 1 && !idx--)
			return bit;
	die("no core of this rank");
}

/* The index that a sample has for the block of a rank: that of an accelerator is its core's. */
static unsigned int index_of(const struct scene *scene, unsigned int type, unsigned int idx)
{
	unsigned int number = hardware_number(scene, type, idx);

	return type == NEURAL ?
	       (unsigned int)__builtin_popcountll(scene->shader_present & ((1ull << number) - 1)) :
	       idx;
}

static const char *const names[TYPES] = {
	[FW] = "FW", [CSHW] = "CSHW", [TILER] = "TILER", [MEMSYS] = "MEMSYS", [SHADER] = "SHADER",
	[NEURAL] = "NEURAL", [CSG] = "CSG",
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
	if (scene->neural_present) {
		log->size--;
		print(log, " neural_present=0x%llx\n", (unsigned long long)scene->neural_present);
	}
	if (scene->clocked)
		print(log, "clock name=core hz=500000000 timestamp=0 cycles=0\n"
		      "clock name=coregroup hz=250000000 timestamp=0 cycles=0\n"
		      "clock name=stacks hz=125000000 timestamp=0 cycles=0\n");
	print(log, "boot timestamp=17\nping timestamp=18\n");
	print(log, "enable nr=1 set=0 entries=128 timestamp=999999\n");
	for (nr = 0; gpu_samples[nr]; nr++) {
		if (nr && nr == scene->break_at) {
			print(log, "%s", scene->break_text);
			print(log, "enable nr=%u set=0 entries=128 timestamp=%llu\n", ++enable,
			      (unsigned long long)timestamp(nr) - 500);
		}
		print(log, "sample nr=%zu enable=%u insert=%zu reason=%s timestamp=%llu", nr + 1,
		      enable, nr, reason_of(nr), (unsigned long long)timestamp(nr));
		if (scene->clocked)
			print(log, " cycles=%llu", 8 * (unsigned long long)timestamp(nr));
		print(log, "\n");
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

/* Does a sample have a place for a counter? */
static bool has_place(const struct scene *scene, unsigned int type, unsigned int counter)
{
	return !scene->compact || is_enabled(scene, type, counter);
}

/* Bytes of a block in a sample, 0 if there is none. */
static size_t block_size(const struct scene *scene, unsigned int type)
{
	unsigned int counter, places = 0;

	for (counter = 0; counter < scene->counters; counter++)
		places += has_place(scene, type, counter);
	return places ? scene->block_header + 8 * places : 0;
}

size_t sample_size(const struct scene *scene)
{
	size_t size = scene->sample_header;
	unsigned int type;

	for (type = 1; type < TYPES; type++)
		size += count_of(scene, type) * block_size(scene, type);
	return size;
}

/* What PERF_INFO says. */
static size_t full_size(const struct scene *scene)
{
	struct scene full = *scene;

	full.compact = false;
	return sample_size(&full);
}

static void write_times(struct scene *scene, size_t sample, size_t first, bool restart)
{
	struct buffer *raw = &scene->raw;

	if (scene->clocked) {
		put(raw, raw_time(first), 8);
		put(raw, raw_time(ends[sample]), 8);
		return;
	}
	put(raw, 5000 + 1000 * sample + (restart ? 10 : 0), 8);
	/* STOP cuts the last period short. */
	put(raw, 5000 + 1000 * (sample + 1) -
	    (scene->period && sample == SAMPLES - 1 ? 100 : 0), 8);
}

static uint64_t merged_of(const struct scene *scene, size_t sample, size_t first)
{
	if (!scene->clocked)
		return 0;
	return points_at(raw_time(ends[sample])) - points_at(raw_time(first)) -
	       (sample < SAMPLES - 1);
}

/* What the clocks counted: 8, 4 and 2 cycles per tick. */
static void write_cycles(struct scene *scene, size_t sample, size_t first)
{
	uint64_t ticks = timestamp(ends[sample]) - timestamp(first);
	unsigned int clock;

	for (clock = 0; clock < 3; clock++)
		put(&scene->raw, scene->clocks >> clock & 1 ? 8 * ticks >> clock : 0, 8);
}

static unsigned int states_of(const struct scene *scene, size_t sample, size_t first,
			      unsigned int type, unsigned int number)
{
	unsigned int states = 0x14;
	size_t nr;

	for (nr = first + 1; nr <= ends[sample]; nr++) {
		states |= is_off(nr, type, number) ? 2 : 1;
		/* Before and behind a suspend, counters were off. */
		if (nr == scene->break_at)
			states |= 2;
	}
	return scene->clocked ? states : 0;
}

static bool is_last_of_run(const struct scene *scene, size_t sample)
{
	return sample == SAMPLES - 1 || (scene->run_at && sample + 1 == scene->run_at);
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

	write_times(scene, sample, first, restart);
	put(raw, 0, 4);
	put(raw, (merged_of(scene, sample, first) ? FLAG_STRETCHED : 0) |
	    (is_last_of_run(scene, sample) ? FLAG_FINAL : 0), 4);
	put(raw, user_data, 8);
	write_cycles(scene, sample, first);
	put(raw, timestamp(ends[sample]), 8);
	put(raw, scene->run_at && sample >= scene->run_at ? sample - scene->run_at : sample, 8);
	put(raw, merged_of(scene, sample, first), 4);
	put(raw, 0, 4);
	zeroes(raw, scene->sample_header - 80);
	for (type = 1; type < TYPES; type++) {
		for (idx = 0; block_size(scene, type) && idx < count_of(scene, type); idx++) {
			unsigned int number = hardware_number(scene, type, idx);

			put(raw, type, 1);
			put(raw, index_of(scene, type, idx), 1);
			put(raw, type == NEURAL ? 3 : 0, 1);
			put(raw, 0, 1);
			put(raw, states_of(scene, sample, first, type, number), 4);
			zeroes(raw, scene->block_header - BLOCK_HEADER);
			for (counter = 0; counter < scene->counters; counter++) {
				uint64_t sum = 0;

				if (!has_place(scene, type, counter))
					continue;
				for (nr = first + 1; nr <= ends[sample]; nr++)
					if (is_enabled(scene, type, counter) &&
					    (!nr || nr != scene->unread_at) &&
					    !is_off(nr, type, number))
						sum += value(nr, type, number, counter);
				put(raw, sum, 8);
			}
		}
	}
}

/* CLOCK_MONOTONIC is 100200 to 100210 ns ahead: no time is nearly one of the grid. */
static void write_call(struct buffer *raw, unsigned int kind, uint64_t user_data, uint64_t ns)
{
	unsigned int i;

	put(raw, kind, 4);
	put(raw, CALL_RECORD, 4);
	put(raw, user_data, 8);
	for (i = 0; i < 2; i++) {
		put(raw, ns + 100200 + 20 * i, 8);
		put(raw, ns + 20 * i, 8);
		put(raw, 10, 8);
	}
}

/* Bytes of the record that tells the GPU's time. */
static size_t time_record(const struct scene *scene)
{
	if (!scene->clocked)
		return 0;
	return GPU_TIME_RECORD + (scene->timer_hz ? 8 : 0);
}

static void write_records(struct scene *scene)
{
	unsigned int i;

	write_call(&scene->raw, 2, START_DATA, scene->clocked ? raw_time(scene->zero) - 10 : 4990);
	if (scene->clocked) {
		put(&scene->raw, scene->timer_hz ? 14 : 5, 4);
		put(&scene->raw, time_record(scene), 4);
		put(&scene->raw, raw_time(3) - 10, 8);
		put(&scene->raw, 20, 8);
		put(&scene->raw, timestamp(3), 8);
		if (scene->timer_hz)
			put(&scene->raw, scene->timer_hz, 8);
	}
	for (i = 0; i < SAMPLES; i++) {
		if (i == SAMPLES - 1)
			write_call(&scene->raw, 3, STOP_DATA, scene->clocked ?
				   raw_time(ends[i]) - 1000 : 8800);
		put(&scene->raw, 1, 4);
		put(&scene->raw, SAMPLE_RECORD + sample_size(scene), 4);
		put(&scene->raw, scene->clocked ? raw_time(ends[i]) + 50000 : 10000, 8);
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
	put(raw, scene->compact, 8);

	put(raw, scene->counters, 4);
	put(raw, scene->sample_header, 4);
	put(raw, scene->block_header, 4);
	put(raw, full_size(scene), 4);
	put(raw, scene->clocked, 4);
	put(raw, scene->clocks, 4);
	for (i = FW; i <= CSG; i++)
		put(raw, count_of(scene, i), 4);
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
void build(struct scene *scene, const struct scene *from)
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

void discard(struct scene *scene)
{
	free(scene->truth.bytes);
	free(scene->raw.bytes);
}

size_t samples_at(const struct scene *scene)
{
	return FILE_HEADER + INFO_SIZE + SECTION_SIZE * scene->section_count;
}

size_t sample_at(const struct scene *scene, size_t sample)
{
	size_t records = 0;

	if (scene->period)
		records = CALL_RECORD * (1 + (sample == SAMPLES - 1)) +
			  SAMPLE_RECORD * (sample + 1) + time_record(scene);
	return samples_at(scene) + records + sample * sample_size(scene);
}

size_t block_at(const struct scene *scene, size_t sample, unsigned int type,
		unsigned int idx)
{
	size_t before = idx * block_size(scene, type);
	unsigned int i;

	for (i = 1; i < type; i++)
		before += count_of(scene, i) * block_size(scene, i);
	return sample_at(scene, sample) + scene->sample_header + before;
}

size_t counter_at(const struct scene *scene, size_t sample, unsigned int type,
		  unsigned int idx, unsigned int counter)
{
	unsigned int place = 0, i;

	for (i = 0; i < counter; i++)
		place += has_place(scene, type, i);
	return block_at(scene, sample, type, idx) + scene->block_header + 8 * place;
}

uint64_t peek(const struct buffer *buffer, size_t offset)
{
	uint64_t number = 0;
	int i;

	for (i = 7; i >= 0; i--)
		number = number << 8 | buffer->bytes[offset + i];
	return number;
}

/* Replaces the first occurrence of a text in the log. */
void replace(struct buffer *log, const char *old, const char *new)
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

void write_file(const char *name, const struct buffer *buffer)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "wb");
	if (!file || fwrite(buffer->bytes, 1, buffer->size, file) != buffer->size || fclose(file))
		die("%s: %s", path, strerror(errno));
}

char *read_output(void)
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

static int run_with(const char *const *args, bool guess)
{
	const char *argv[12] = { compare, "truth.log", "samples.raw" };
	unsigned int count = 3, i;
	int status;
	pid_t pid;

	if (guess)
		argv[count++] = "--may-guess";
	for (i = 0; args && args[i]; i++)
		argv[count++] = args[i];
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

int run(const char *const *args)
{
	return run_with(args, true);
}

void result(bool ok, const char *name, const char *why)
{
	if (ok) {
		printf("ok %s\n", name);
	} else {
		printf("not ok %s - %s\n", name, why);
		failures++;
	}
}

/* One run: its exit status, and a text that it has to print. */
void expect(const char *name, struct scene *scene, const char *const *args, int status,
	    const char *text)
{
	char *output;
	char why[128];
	int got;

	write_file("truth.log", &scene->truth);
	write_file("samples.raw", &scene->raw);
	got = run_with(args, !scene->clocked && !scene->sure);
	output = read_output();
	snprintf(why, sizeof(why), "exit status %d instead of %d", got, status);
	if (got == status)
		snprintf(why, sizeof(why), "'%.90s' is not printed", text);
	result(got == status && strstr(output, text), name, why);
	if (got != status || !strstr(output, text))
		fputs(output, stderr);
	discard(scene);
}

void poke_counter(struct scene *scene, size_t sample, unsigned int type, unsigned int idx,
		  unsigned int counter, int64_t add)
{
	size_t at = counter_at(scene, sample, type, idx, counter);

	poke(&scene->raw, at, peek(&scene->raw, at) + add, 8);
}

void clear_counters(struct scene *scene, size_t sample)
{
	unsigned int type, idx, counter;

	for (type = 1; type < TYPES; type++)
		for (idx = 0; idx < count_of(scene, type); idx++)
			for (counter = 0; counter < scene->counters; counter++)
				poke(&scene->raw, counter_at(scene, sample, type, idx, counter), 0,
				     8);
}

void set_error(struct scene *scene, size_t sample, uint32_t events)
{
	poke(&scene->raw, sample_at(scene, sample) + 20, FLAG_ERROR, 4);
	poke(&scene->raw, sample_at(scene, sample) + 76, events, 4);
}

/* A log that tells losses itself: one behind the sample of this number. */
void lose(struct scene *scene, const char *reason, size_t nr)
{
	char old[32], line[128];

	snprintf(old, sizeof(old), "sample nr=%zu ", nr + 1);
	snprintf(line, sizeof(line), "lost reason=%s enable=1 after=%zu\n%s", reason, nr, old);
	replace(&scene->truth, old, line);
	replace(&scene->truth, "timestamp_hz=62500000", "timestamp_hz=62500000 lost=1");
}

/* A log in which the ring was full, behind the sample of this number. */
void fill_ring(struct scene *scene, size_t nr)
{
	char old[32], line[128];

	snprintf(old, sizeof(old), "sample nr=%zu ", nr + 1);
	snprintf(line, sizeof(line), "overflow nr=%zu timestamp=0\n%s", nr + 1, old);
	replace(&scene->truth, old, line);
}

void remove_folder(void)
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
