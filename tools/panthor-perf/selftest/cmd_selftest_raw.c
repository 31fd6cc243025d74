// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cmd_selftest.h"

/* DRM numbers a GPU's render node 128 higher than its primary one. */
#define RENDER_MINORS	128

/* Number of tries while the session of another client ends. */
#define TRIES		20
#define TRY_MS		50

static int read_dump(int fd, char **text)
{
	size_t size = 0, room = 1 << 16;
	char *buffer = malloc(room);
	ssize_t got;

	if (!buffer)
		return -ENOMEM;
	while ((got = read(fd, buffer + size, room - size - 1)) > 0) {
		size += got;
		if (room - size < 4096) {
			char *larger = realloc(buffer, 2 * room);

			if (!larger) {
				free(buffer);
				return -ENOMEM;
			}
			buffer = larger;
			room *= 2;
		}
	}
	if (got < 0) {
		int err = -errno;

		free(buffer);
		return err;
	}
	buffer[size] = '\0';
	*text = buffer;
	return 0;
}

static const char *line_of(const char *text, const char *key)
{
	size_t length = strlen(key);
	const char *line = text;

	while (line && *line) {
		if (!strncmp(line, key, length) && line[length] == ' ')
			return line + length + 1;
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return NULL;
}

static uint64_t value_of(const char *text, const char *key)
{
	const char *value = line_of(text, key);

	return value ? strtoull(value, NULL, 0) : 0;
}

static void parse_identity(struct raw_identity *raw)
{
	const char *text = raw->text, *line = text;

	raw->version = value_of(text, "version");
	raw->features = value_of(text, "features");
	raw->group_num = value_of(text, "group-num");
	raw->group_stride = value_of(text, "group-stride");
	raw->perfcnt_size = value_of(text, "perfcnt-size");
	raw->instr_features = value_of(text, "instr-features");
	raw->perfcnt_features = value_of(text, "perfcnt-features");
	raw->csg_features = value_of(text, "csg-features");
	raw->suspend_size = value_of(text, "suspend-size");
	raw->protected_suspend_size = value_of(text, "protected-suspend-size");
	raw->stream_num = value_of(text, "stream-num");
	raw->stream_stride = value_of(text, "stream-stride");
	raw->cs_features = value_of(text, "cs-features");
	raw->gpu_prfcnt_features = value_of(text, "gpu-prfcnt-features");
	raw->shader_present = value_of(text, "shader-present");
	raw->neural_present = value_of(text, "neural-present");
	raw->entry_size = value_of(text, "entry-size");
	raw->block_words = value_of(text, "block-words");
	raw->metadata_size = value_of(text, "metadata-size");
	raw->ring_slots = value_of(text, "ring-slots");
	while ((line = line_of(line, "block")) && raw->block_count < SELFTEST_BLOCKS) {
		if (sscanf(line, "%u %u %u", &raw->blocks[raw->block_count].type,
			   &raw->blocks[raw->block_count].idx,
			   &raw->blocks[raw->block_count].offset) == 3)
			raw->block_count++;
	}
	raw->there = value_of(text, "rawdump") == 4 && raw->block_words && raw->entry_size &&
		     raw->block_count;
}

/**
 * rawdump_open() - Search for the file for experiments
 * @st: The self-test. Where there is none, its raw.why_not says why.
 */
void rawdump_open(struct selftest *st)
{
	struct stat node;
	unsigned int nr;
	int fd;

	st->raw.why_not = "the driver was built without experiments, which RAWDUMP=1 in "
			  "/etc/default/panthor-perf-dkms builds in";
	if (fstat(panthor_perf_device_fd(st->device), &node)) {
		st->raw.why_not = "the node cannot be looked up";
		return;
	}
	snprintf(st->power_path, sizeof(st->power_path), "/sys/dev/char/%u:%u/device/power",
		 major(node.st_rdev), minor(node.st_rdev));
	nr = minor(node.st_rdev);
	snprintf(st->raw_path, sizeof(st->raw_path),
		 "/sys/kernel/debug/dri/%u/panthor_perf/rawdump", nr);
	fd = open(st->raw_path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && nr >= RENDER_MINORS) {
		snprintf(st->raw_path, sizeof(st->raw_path),
			 "/sys/kernel/debug/dri/%u/panthor_perf/rawdump", nr - RENDER_MINORS);
		fd = open(st->raw_path, O_RDWR | O_CLOEXEC);
	}
	if (fd < 0) {
		if (errno == EACCES || errno == EPERM)
			st->raw.why_not = "experiments are for root";
		else if (errno == ENOENT && access("/sys/kernel/debug/dri", F_OK))
			st->raw.why_not = "debugfs is not mounted on /sys/kernel/debug";
		else if (errno != ENOENT)
			st->raw.why_not = "the file for experiments cannot be opened";
		return;
	}
	if (read_dump(fd, &st->raw.text))
		st->raw.text = NULL;
	else
		parse_identity(&st->raw);
	close(fd);
	if (!st->raw.there)
		st->raw.why_not = "the driver's experiments are of another version";
}

/**
 * rawdump_close() - Free what rawdump_open() made
 * @st: The self-test.
 */
void rawdump_close(struct selftest *st)
{
	free(st->raw.text);
	st->raw.text = NULL;
}

static void parse_requests(const char *text, struct raw_dump *dump)
{
	const char *line = text;

	while ((line = line_of(line, "request")) && dump->request_count < SELFTEST_REQUESTS) {
		struct raw_request *request = &dump->requests[dump->request_count];

		if (sscanf(line, "%d ns %" SCNu64 " insert %" SCNu32 " %" SCNu32 " status %" SCNi32
			   " events %" SCNi32 " drained %d timestamp %" SCNu64 " %" SCNu64
			   " cycles %" SCNu64, &request->ret, &request->ns, &request->insert[0],
			   &request->insert[1], (int32_t *)&request->status,
			   (int32_t *)&request->events, &request->drained, &request->timestamp[0],
			   &request->timestamp[1], &request->cycles) == 10)
			dump->request_count++;
	}
}

static int parse_words(const struct raw_identity *raw, const char *text, struct raw_dump *dump)
{
	const size_t entry_words = dump->metadata_words + raw->entry_size / 4;
	const char *line = text;

	while ((line = line_of(line, "words"))) {
		unsigned long entry, slot, i;
		char *end;

		entry = strtoul(line, &end, 10);
		slot = strtoul(end, &end, 10);
		if (entry >= SELFTEST_ENTRIES || slot + raw->block_words > entry_words)
			return -EPROTO;
		if (entry >= dump->entry_count) {
			dump->entries[entry] = calloc(entry_words, sizeof(uint32_t));
			if (!dump->entries[entry])
				return -ENOMEM;
			dump->entry_count = entry + 1;
		}
		for (i = 0; i < raw->block_words; i++)
			dump->entries[entry][slot + i] = strtoul(end, &end, 16);
	}
	return 0;
}

static int parse_dump(const struct raw_identity *raw, const char *text, struct raw_dump *dump)
{
	const char *off = line_of(text, "off"), *enable = line_of(text, "enable");
	const char *disable = line_of(text, "disable"), *seen = line_of(text, "seen");
	unsigned int counter, aborted;

	if (!off || !enable || !disable || !seen ||
	    sscanf(off, "counter %u cycles %" SCNu64 " %" SCNu64 " timestamp %" SCNu64 " %" SCNu64
		   " insert %" SCNu32, &counter, &dump->cycles[0], &dump->cycles[1],
		   &dump->timestamp[0], &dump->timestamp[1], &dump->insert_off) != 6 ||
	    sscanf(enable, "%d ns %" SCNu64 " insert %" SCNu32, &dump->enable, &dump->enable_ns,
		   &dump->insert_on) != 3 ||
	    sscanf(disable, "%d ns %" SCNu64, &dump->disable, &dump->disable_ns) != 2 ||
	    sscanf(seen, "%u aborted %u", &dump->seen, &aborted) != 2)
		return -EPROTO;
	dump->metadata_words = value_of(text, "metadata") ? raw->metadata_size / 4 : 0;
	dump->counter = counter;
	dump->aborted = aborted;
	parse_requests(text, dump);
	return parse_words(raw, text, dump);
}

/**
 * rawdump_run() - Do an experiment
 * @st: The self-test, with experiments.
 * @dump: Where what it saw is returned, to be freed with rawdump_free().
 * @format: What it does, as the driver reads it.
 *
 * Return: 0; -EBUSY if others count all the time; another negative errno.
 */
int rawdump_run(struct selftest *st, struct raw_dump *dump, const char *format, ...)
{
	unsigned int tries = TRIES;
	char *line, *text;
	va_list args;
	int fd, ret;

	memset(dump, 0, sizeof(*dump));
	va_start(args, format);
	ret = vasprintf(&line, format, args);
	va_end(args);
	if (ret < 0)
		return -ENOMEM;

	fd = open(st->raw_path, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		ret = -errno;
		goto out_free;
	}
	do {
		ret = write(fd, line, strlen(line)) < 0 ? -errno : 0;
		if (ret == -EBUSY)
			selftest_sleep_ms(TRY_MS);
	} while (ret == -EBUSY && --tries);
	if (!ret)
		ret = read_dump(fd, &text);
	if (!ret) {
		ret = parse_dump(&st->raw, text, dump);
		free(text);
	}
	close(fd);
	if (!ret && dump->aborted)
		ret = -EAGAIN;
	if (ret)
		rawdump_free(dump);
out_free:
	free(line);
	return ret;
}

/**
 * rawdump_free() - Free what rawdump_run() returned
 * @dump: What.
 */
void rawdump_free(struct raw_dump *dump)
{
	unsigned int i;

	for (i = 0; i < SELFTEST_ENTRIES; i++)
		free(dump->entries[i]);
	memset(dump, 0, sizeof(*dump));
}
