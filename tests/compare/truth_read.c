// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "panthor_perf_drm.h"

#include "file.h"
#include "truth.h"

#define MAX_COUNTERS		16384
#define MAX_SHOWN_VIOLATIONS	20

/**
 * struct reader - where reading is
 */
struct reader {
	/** @truth: What was read so far. */
	struct truth *truth;

	/** @path: Path of the log. */
	const char *path;

	/** @line: Number of the line. */
	size_t line;

	/** @enable: Number of the enable in force, 0 for none. */
	uint64_t enable;

	/** @set: Its counter set. */
	uint64_t set;

	/** @enabled: Counters are enabled. */
	bool enabled;

	/** @disabled: They were disabled, and what for is not known yet. */
	bool disabled;

	/** @unread: Samples that the host had not read by then. */
	uint64_t unread;

	/** @disabled_at: Line of that. */
	size_t disabled_at;

	/** @open_sample: Block lines may follow. */
	bool open_sample;

	/** @has_version: The first line was read. */
	bool has_version;

	/** @has_gpu: The line of the GPU was read. */
	bool has_gpu;

	/** @has_end: The last line was read. */
	bool has_end;
};

__attribute__((format(printf, 2, 3)))
static bool bad(const struct reader *reader, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	error("%s:%zu: %s", reader->path, reader->line, text);
	return false;
}

/* Splits off the next word; NULL when there is none. */
static char *next_word(char **rest)
{
	char *word;

	do
		word = strsep(rest, " ");
	while (word && !*word);
	return word;
}

static bool to_number(const char *text, uint64_t max, uint64_t *number)
{
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, strncmp(text, "0x", 2) ? 10 : 16);
	if (errno || *end || value > max)
		return false;
	*number = value;
	return true;
}

/**
 * struct field - a KEY=NUMBER of a line
 */
struct field {
	/** @key: The key. */
	const char *key;

	/** @max: Largest number allowed. */
	uint64_t max;

	/** @value: Where the number is returned. */
	uint64_t *value;

	/** @seen: It was found. */
	bool seen;
};

/* Reads the fields of a line; words that are not among them are skipped. */
static bool read_fields(const struct reader *reader, char *rest, struct field *fields, size_t count)
{
	char *word;
	size_t i;

	while ((word = next_word(&rest))) {
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = 0;
		for (i = 0; i < count; i++) {
			if (strcmp(word, fields[i].key))
				continue;
			if (!to_number(value, fields[i].max, fields[i].value))
				return bad(reader, "%s='%s' is not a number up to %llu", word,
					   value, (unsigned long long)fields[i].max);
			fields[i].seen = true;
		}
	}
	for (i = 0; i < count; i++)
		if (!fields[i].seen)
			return bad(reader, "%s= is missing", fields[i].key);
	return true;
}

#define FIELDS(...)	((struct field []){ __VA_ARGS__ })
#define READ_FIELDS(reader, rest, ...) \
	read_fields(reader, rest, FIELDS(__VA_ARGS__), \
		    sizeof(FIELDS(__VA_ARGS__)) / sizeof(struct field))

static bool read_version(struct reader *reader, char *rest)
{
	char *word = next_word(&rest);

	if (!word || strcmp(word, "1"))
		return bad(reader, "version '%s' of the log is not known", word ? word : "");
	reader->has_version = true;
	return true;
}

/* The number behind a key that not all logs have. */
static bool read_option(const struct reader *reader, const char *rest, const char *key,
			uint64_t max, uint64_t *value)
{
	const char *text = rest ? strstr(rest, key) : NULL;
	char number[24];

	if (!text)
		return true;
	text += strlen(key);
	snprintf(number, sizeof(number), "%.*s", (int)strcspn(text, " "), text);
	return to_number(number, max, value) ||
	       bad(reader, "%s'%s' is not a number", key + 1, number);
}

static bool read_gpu(struct reader *reader, char *rest)
{
	uint64_t neural = 0, id = 0, present = 0, l2 = 0, counters = 0, fw = 0, csg = 0, hz = 0;
	bool losses = rest && strstr(rest, "lost=1");
	struct truth *truth = reader->truth;

	if (reader->has_gpu)
		return bad(reader, "a second gpu line");
	if (!read_option(reader, rest, " neural_present=", UINT64_MAX, &neural) ||
	    !READ_FIELDS(reader, rest, { "id", UINT32_MAX, &id },
			 { "shader_present", UINT64_MAX, &present }, { "l2_slices", 64, &l2 },
			 { "counters", MAX_COUNTERS, &counters }, { "fw", 1, &fw },
			 { "csg", 32, &csg }, { "timestamp_hz", UINT64_MAX, &hz }))
		return false;
	if (counters <= HEADER_COUNTERS)
		return bad(reader, "a block has only %llu counters", (unsigned long long)counters);
	truth->gpu_id = id;
	if (neural & ~present)
		return bad(reader, "a neural accelerator without a core");
	truth->shader_present = present;
	truth->neural_present = neural;
	truth->l2_slices = l2;
	truth->counters = counters;
	truth->fw = fw;
	truth->csg = csg;
	truth->timestamp_hz = hz;
	truth->tells_losses = losses;
	reader->has_gpu = true;
	return true;
}

static void add_loss(struct reader *reader, enum loss_reason reason, size_t position, size_t line)
{
	struct truth *truth = reader->truth;
	size_t at = truth->loss_count;

	truth->losses = grow(truth->losses, truth->loss_count, sizeof(*truth->losses));
	for (; at && truth->losses[at - 1].position > position; at--)
		truth->losses[at] = truth->losses[at - 1];
	truth->losses[at] = (struct truth_loss){ reason, position, line };
	truth->loss_count++;
}

/*
 * A log that does not tell losses: counters that are disabled lose what they counted, unless the
 * host had them read and does so to halt the firmware. What comes next tells which it was.
 */
static void settle_disable(struct reader *reader, const char *next)
{
	size_t position = reader->truth->sample_count;

	if (!reader->disabled)
		return;
	if (!strcmp(next, "enable") || (!strcmp(next, "halt") && reader->unread))
		add_loss(reader, LOSS_DISABLE, position, reader->disabled_at);
	else if (!strcmp(next, "reset") || !strcmp(next, "boot"))
		add_loss(reader, LOSS_RESET, position, reader->disabled_at);
	else if (strcmp(next, "halt"))
		return;
	reader->disabled = false;
}

static bool read_disable(struct reader *reader, char *rest)
{
	struct truth *truth = reader->truth;
	uint64_t nr = 0, unread = 0, timestamp = 0;
	size_t i;

	if (!READ_FIELDS(reader, rest, { "nr", UINT64_MAX, &nr },
			 { "timestamp", UINT64_MAX, &timestamp },
			 { "unread", UINT32_MAX, &unread }))
		return false;
	if (!reader->enabled || nr != reader->enable)
		return bad(reader, "enable %llu is not in force", (unsigned long long)nr);
	for (i = 0; i < unread && i < truth->sample_count &&
	     truth->samples[truth->sample_count - 1 - i].enable == nr; i++)
		truth->samples[truth->sample_count - 1 - i].unread = true;
	truth->enables[truth->enable_count - 1].disabled = timestamp;
	reader->enabled = false;
	reader->disabled = !truth->tells_losses;
	reader->unread = unread;
	reader->disabled_at = reader->line;
	return true;
}

/* A log that tells losses also tells whether counters were enabled after it. */
static void read_reset(struct reader *reader)
{
	if (reader->truth->tells_losses)
		return;
	if (reader->enabled)
		add_loss(reader, LOSS_RESET, reader->truth->sample_count, reader->line);
	reader->enabled = false;
}

/* The number of samples up to the one of this number. */
static size_t count_up_to(const struct truth *truth, uint64_t nr)
{
	size_t low = 0, high = truth->sample_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (truth->samples[middle].nr <= nr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool read_lost(struct reader *reader, char *rest)
{
	struct truth *truth = reader->truth;
	/* No host can tell that the core was on behind its last sample. */
	bool visible = !strstr(rest, " visible=0");
	uint64_t enable = 0, after = 0;
	char *reason = next_word(&rest);
	unsigned int i;

	for (i = 0; i < LOSS_COUNT; i++)
		if (reason && !strncmp(reason, "reason=", 7) && !strcmp(reason + 7, loss_name(i)))
			break;
	if (i == LOSS_COUNT)
		return bad(reader, "reason '%s' is not known", reason ? reason : "");
	if (!READ_FIELDS(reader, rest, { "enable", UINT64_MAX, &enable },
			 { "after", UINT64_MAX, &after }))
		return false;
	if (!truth->tells_losses)
		return bad(reader, "a loss, but the gpu line has no lost=1");
	if (!reader->enable || enable != reader->enable)
		return bad(reader, "the loss belongs to enable %llu, in force is %llu",
			   (unsigned long long)enable, (unsigned long long)reader->enable);
	if (visible)
		add_loss(reader, i, count_up_to(truth, after), reader->line);
	return true;
}

static bool read_enable(struct reader *reader, char *rest)
{
	struct truth *truth = reader->truth;
	uint64_t nr = 0, set = 0, timestamp = 0;

	if (!READ_FIELDS(reader, rest, { "nr", UINT64_MAX, &nr }, { "set", 3, &set },
			 { "timestamp", UINT64_MAX, &timestamp }))
		return false;
	if (reader->enable >= nr)
		return bad(reader, "enable %llu follows enable %llu", (unsigned long long)nr,
			   (unsigned long long)reader->enable);
	truth->enables = grow(truth->enables, truth->enable_count, sizeof(*truth->enables));
	truth->enables[truth->enable_count++] = (struct truth_enable) {
		.nr = nr,
		.timestamp = timestamp,
		.first = truth->sample_count,
	};
	reader->enable = nr;
	reader->enabled = true;
	reader->set = set;
	return true;
}

/* The logs of older models have no cycles. */
static bool read_cycles(const struct reader *reader, const char *rest, uint64_t *cycles)
{
	*cycles = NO_CYCLES;
	return read_option(reader, rest, " cycles=", NO_CYCLES - 1, cycles);
}

static bool read_sample(struct reader *reader, char *rest)
{
	struct truth *truth = reader->truth;
	uint64_t nr = 0, enable = 0, timestamp = 0, cycles;
	struct truth_sample *sample;
	const char *text = strstr(rest, "reason=");
	char reason[16];

	if (!text)
		return bad(reader, "reason= is missing");
	text += strlen("reason=");
	snprintf(reason, sizeof(reason), "%.*s", (int)strcspn(text, " "), text);
	if (!read_cycles(reader, rest, &cycles))
		return false;
	if (!READ_FIELDS(reader, rest, { "nr", UINT64_MAX, &nr }, { "enable", UINT64_MAX, &enable },
			 { "timestamp", UINT64_MAX, &timestamp }))
		return false;
	if (!reader->enable || enable != reader->enable)
		return bad(reader, "the sample belongs to enable %llu, in force is %llu",
			   (unsigned long long)enable, (unsigned long long)reader->enable);
	if (truth->sample_count) {
		sample = &truth->samples[truth->sample_count - 1];
		if (nr <= sample->nr)
			return bad(reader, "sample %llu follows sample %llu",
				   (unsigned long long)nr, (unsigned long long)sample->nr);
		if (timestamp <= sample->timestamp)
			return bad(reader, "timestamp %llu is not later than %llu before it",
				   (unsigned long long)timestamp,
				   (unsigned long long)sample->timestamp);
	}
	truth->samples = grow(truth->samples, truth->sample_count, sizeof(*truth->samples));
	truth->samples[truth->sample_count++] = (struct truth_sample) {
		.nr = nr,
		.enable = enable,
		.set = reader->set,
		.timestamp = timestamp,
		.cycles = cycles,
		.manual = !strcmp(reason, "manual"),
		.first_block = truth->block_count,
	};
	return true;
}

/* From the number that the hardware gives a block to its rank among those that are present. */
static bool rank_block(const struct reader *reader, unsigned int type, uint64_t index,
		       unsigned int *idx)
{
	const struct truth *truth = reader->truth;
	uint64_t count = 1;

	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_FW:
		count = truth->fw;
		break;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_CSG:
		count = truth->csg;
		break;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
		count = truth->l2_slices;
		break;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER:
		if (index >= 64 || !(truth->shader_present >> index & 1))
			return bad(reader, "there is no shader core %llu",
				   (unsigned long long)index);
		*idx = __builtin_popcountll(truth->shader_present & ((1ull << index) - 1));
		return true;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
		if (index >= 64 || !(truth->neural_present >> index & 1))
			return bad(reader, "core %llu has no neural accelerator",
				   (unsigned long long)index);
		*idx = __builtin_popcountll(truth->shader_present & ((1ull << index) - 1));
		return true;
	default:
		break;
	}
	if (index >= count)
		return bad(reader, "there is no %s block %llu", type_name(type),
			   (unsigned long long)index);
	*idx = index;
	return true;
}

static bool read_values(struct reader *reader, char *rest, uint32_t *values)
{
	unsigned int count = reader->truth->counters - HEADER_COUNTERS;
	unsigned int i;

	for (i = 0; i < count; i++) {
		char *word = next_word(&rest);
		uint64_t value;

		if (!word)
			return bad(reader, "%u values instead of %u", i, count);
		if (!to_number(word, UINT32_MAX, &value))
			return bad(reader, "'%s' is not a value of 32 bits", word);
		values[i] = value;
	}
	if (next_word(&rest))
		return bad(reader, "more than %u values", count);
	return true;
}

static bool read_block(struct reader *reader, char *rest)
{
	struct truth *truth = reader->truth;
	char *type = next_word(&rest);
	char *number = next_word(&rest);
	char *enable = next_word(&rest);
	struct truth_sample *sample;
	struct truth_block block;
	uint64_t index, mask;
	size_t i;

	if (!reader->open_sample)
		return bad(reader, "a block without a sample before it");
	sample = &truth->samples[truth->sample_count - 1];
	if (!enable || strncmp(enable, "en=", 3) || !to_number(enable + 3, UINT32_MAX, &mask))
		return bad(reader, "no 'TYPE INDEX en=MASK'");
	if (!(mask & 2))
		return bad(reader, "the block has no counters by its mask %s", enable);
	if (!strcmp(type, "METADATA"))
		return true;
	for (block.type = 1; block.type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; block.type++)
		if (!strcmp(type, type_name(block.type)))
			break;
	if (block.type == DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT)
		return bad(reader, "block type '%s' is not known", type);
	if (!to_number(number, UINT32_MAX, &index))
		return bad(reader, "'%s' is not the number of a block", number);
	if (!rank_block(reader, block.type, index, &block.idx))
		return false;
	for (i = 0; i < sample->block_count; i++) {
		const struct truth_block *other = &truth->blocks[sample->first_block + i];

		if (other->type == block.type && other->idx == block.idx)
			return bad(reader, "block %s %s comes twice in a sample", type, number);
	}

	block.values = malloc((truth->counters - HEADER_COUNTERS) * sizeof(*block.values));
	if (!block.values)
		return bad(reader, "out of memory");
	if (!read_values(reader, rest, block.values)) {
		free(block.values);
		return false;
	}
	truth->blocks = grow(truth->blocks, truth->block_count, sizeof(*truth->blocks));
	truth->blocks[truth->block_count++] = block;
	sample->block_count++;
	return true;
}

static bool read_end(struct reader *reader, char *rest)
{
	uint64_t violations = 0, unimplemented = 0;
	struct truth *truth = reader->truth;

	if (!READ_FIELDS(reader, rest, { "violations", UINT64_MAX, &violations },
			 { "unimplemented", UINT64_MAX, &unimplemented }))
		return false;
	if (violations < truth->violations || unimplemented < truth->unimplemented)
		return bad(reader, "%llu violations and %llu unimplemented accesses told, %zu and "
			   "%zu logged", (unsigned long long)violations,
			   (unsigned long long)unimplemented, truth->violations,
			   truth->unimplemented);
	truth->violations = violations;
	truth->unimplemented = unimplemented;
	reader->has_end = true;
	return true;
}

static bool read_clock(struct reader *reader, char *rest)
{
	static const char *const names[CLOCK_COUNT] = {
		[DRM_PANTHOR_PERF_CLOCK_TOPLEVEL] = "name=core",
		[DRM_PANTHOR_PERF_CLOCK_COREGROUP] = "name=coregroup",
		[DRM_PANTHOR_PERF_CLOCK_SHADER] = "name=stacks",
	};
	struct truth *truth = reader->truth;
	char *name = next_word(&rest);
	uint64_t hz = 0, timestamp = 0;
	unsigned int i;
	size_t at;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (name && !strcmp(name, names[i]))
			break;
	if (i == ARRAY_SIZE(names))
		return bad(reader, "clock '%s' is not known", name ? name : "");
	if (!READ_FIELDS(reader, rest, { "hz", UINT32_MAX, &hz },
			 { "timestamp", UINT64_MAX, &timestamp }))
		return false;
	truth->rates[i] = grow(truth->rates[i], truth->rate_counts[i], sizeof(*truth->rates[i]));
	for (at = truth->rate_counts[i]++;
	     at && truth->rates[i][at - 1].timestamp > timestamp; at--)
		truth->rates[i][at] = truth->rates[i][at - 1];
	truth->rates[i][at] = (struct truth_rate) { hz, timestamp };
	return true;
}

static void show(const struct reader *reader, const char *word, const char *rest, size_t count)
{
	if (count <= MAX_SHOWN_VIOLATIONS)
		printf("%s:%zu: %s %s\n", reader->path, reader->line, word, rest ? rest : "");
}

/* Lines that say nothing about what the samples must be. */
static bool is_ignored(const char *word)
{
	static const char *const words[] = {
		"boot", "boot-failed", "halt", "ping", "cycle-count", "timestamp", "sleep", "wake",
		"cores",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static bool read_line(struct reader *reader, char *line)
{
	struct truth *truth = reader->truth;
	char *rest = line;
	char *word = next_word(&rest);
	bool in_sample = false, ok = true;

	if (!word)
		return true;
	if (!rest)
		rest = word + strlen(word);
	if (!reader->has_version && strcmp(word, "vmali-truth"))
		return bad(reader, "this is no log of the virtual GPU: it does not begin with "
			   "'vmali-truth'");
	if (reader->has_end)
		return bad(reader, "'%s' behind the end line", word);

	settle_disable(reader, word);
	if (!strcmp(word, "vmali-truth")) {
		ok = read_version(reader, rest);
	} else if (!strcmp(word, "gpu")) {
		ok = read_gpu(reader, rest);
	} else if (!strcmp(word, "violation")) {
		show(reader, word, rest, ++truth->violations);
		in_sample = reader->open_sample;
	} else if (!strcmp(word, "unimplemented")) {
		show(reader, word, rest, ++truth->unimplemented);
		in_sample = reader->open_sample;
	} else if (!strcmp(word, "end")) {
		ok = read_end(reader, rest);
	} else if (!strcmp(word, "enable") || !strcmp(word, "sample") || !strcmp(word, "block")) {
		if (!reader->has_gpu)
			return bad(reader, "'%s' before the gpu line", word);
		in_sample = strcmp(word, "enable");
		if (!strcmp(word, "enable"))
			ok = read_enable(reader, rest);
		else if (!strcmp(word, "sample"))
			ok = read_sample(reader, rest);
		else
			ok = read_block(reader, rest);
	} else if (!strcmp(word, "overflow")) {
		truth->full = grow(truth->full, truth->overflows, sizeof(*truth->full));
		truth->full[truth->overflows++] = truth->sample_count;
	} else if (!strcmp(word, "disable")) {
		ok = read_disable(reader, rest);
	} else if (!strcmp(word, "reset")) {
		read_reset(reader);
	} else if (!strcmp(word, "lost")) {
		ok = read_lost(reader, rest);
	} else if (!strcmp(word, "clock")) {
		ok = read_clock(reader, rest);
	} else if (!is_ignored(word)) {
		truth->unknown++;
	}
	reader->open_sample = in_sample;
	return ok;
}

/* What the samples next to each sample are that the host requested. */
static void find_manual(struct truth *truth)
{
	size_t manual = SIZE_MAX, i;

	for (i = 0; i < truth->sample_count; i++) {
		truth->samples[i].manual_before = manual;
		if (truth->samples[i].manual)
			manual = i;
	}
	manual = SIZE_MAX;
	for (i = truth->sample_count; i--; ) {
		truth->samples[i].manual_behind = manual;
		if (truth->samples[i].manual)
			manual = i;
	}
}

bool truth_load(struct truth *truth, const char *path)
{
	struct reader reader = { .truth = truth, .path = path };
	FILE *file = fopen(path, "r");
	size_t room = 0;
	char *line = NULL;
	ssize_t length;
	bool ok = true;

	memset(truth, 0, sizeof(*truth));
	if (!file) {
		error("%s: %s", path, strerror(errno));
		return false;
	}
	/* A log may be larger than what is wanted of it. */
	while (ok && (length = getline(&line, &room, file)) > 0) {
		reader.line++;
		if (line[length - 1] != '\n') {
			ok = bad(&reader, "the last line is cut off");
			break;
		}
		line[--length] = 0;
		if (strlen(line) != (size_t)length)
			ok = bad(&reader, "the line has a byte 0 in it");
		else
			ok = read_line(&reader, line);
	}
	if (ok && ferror(file)) {
		error("%s: %s", path, strerror(errno));
		ok = false;
	}
	fclose(file);
	free(line);
	if (ok && !reader.has_gpu)
		ok = bad(&reader, "the log has no gpu line");
	if (ok && !reader.has_end)
		ok = bad(&reader, "the log has no end line: it is not complete");
	find_manual(truth);
	return ok;
}
