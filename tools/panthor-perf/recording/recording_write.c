// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

#define NS_PER_S	1000000000ull
#define ALIGN_8(size)	(((size) + 7) & ~(size_t)7)

static int write_index(struct recording_writer *writer)
{
	struct raw_index index = {
		.previous = writer->end.index,
		.entry_size = sizeof(writer->entries[0]),
		.entry_count = writer->entry_count,
	};
	uint64_t offset = writer->raw.offset;
	int ret;

	ret = raw_write_record(&writer->raw, RAW_INDEX, &index, sizeof(index), writer->entries,
			       writer->entry_count * sizeof(writer->entries[0]));
	if (ret)
		return ret;
	writer->end.index = offset;
	writer->entry_count = 0;
	return 0;
}

/* Appends a record, and its entry if it is to have one. */
static int append_record(struct recording_writer *writer, enum raw_kind kind, uint64_t time_ns,
			 const void *content, size_t size, const void *more, size_t more_size)
{
	struct raw_index_entry entry = {
		.kind = kind,
		.number = writer->numbers[kind]++,
		.time_ns = time_ns,
		.offset = writer->raw.offset,
	};
	int ret;

	ret = raw_write_record(&writer->raw, kind, content, size, more, more_size);
	if (ret)
		return ret;
	if (kind == RAW_SAMPLE && entry.number % RECORDING_INDEX_STRIDE)
		return 0;
	writer->entries[writer->entry_count++] = entry;
	return writer->entry_count == RECORDING_INDEX_ENTRIES ? write_index(writer) : 0;
}

static int write_text(struct recording_writer *writer, enum raw_kind kind, const char *text,
		      const char *padding)
{
	size_t size = strlen(text);

	return raw_write_record(&writer->raw, kind, text, size, padding, ALIGN_8(size) - size);
}

int recording_create(struct recording_writer *writer, const char *path,
		     const struct recording_setup *setup)
{
	struct raw_header header = setup->header;
	int ret;

	memset(writer, 0, sizeof(*writer));
	memcpy(writer->end.magic, RAW_END_MAGIC, sizeof(writer->end.magic));
	ret = raw_create(&writer->raw, path, setup->level, &header, setup->info, setup->sections);
	if (ret)
		return ret;
	raw_buffer(&writer->raw, RECORDING_BUFFER_SIZE);
	ret = write_text(writer, RAW_METADATA, setup->metadata, "       ");
	if (!ret)
		ret = raw_write_record(&writer->raw, RAW_GPU_INFO, setup->gpu,
				       sizeof(*setup->gpu), NULL, 0);
	if (!ret && setup->table)
		ret = write_text(writer, RAW_TABLE, setup->table, "\0\0\0\0\0\0");
	/* What is wrong with the place of the file is found before anything is counted. */
	if (!ret)
		ret = raw_flush(&writer->raw);
	if (ret)
		raw_close(&writer->raw);
	return ret;
}

int recording_write_sample(struct recording_writer *writer,
			   const struct panthor_perf_sample *sample)
{
	struct drm_panthor_perf_sample_header header;
	uint64_t now = raw_now_ns();
	const void *data;
	size_t size;
	int ret;

	/* The clocks drift against each other: one pair a second lets a reader follow. */
	if (now - writer->raw.clocks_ns > NS_PER_S) {
		struct raw_clocks clocks;

		raw_clocks_read(&clocks);
		writer->raw.clocks_ns = clocks.raw_ns;
		ret = append_record(writer, RAW_CLOCKS, clocks.raw_ns, &clocks, sizeof(clocks),
				    NULL, 0);
		if (!ret)
			ret = raw_write_more_clocks(&writer->raw, false);
		if (ret)
			return ret;
	}
	data = panthor_perf_sample_data(sample, &size);
	raw_sample_header(sample, &header);
	ret = append_record(writer, RAW_SAMPLE, header.timestamp_end_ns, &now, sizeof(now), data,
			    size);
	if (!ret)
		raw_end_add(&writer->end, &header);
	return ret;
}

int recording_write_call(struct recording_writer *writer, enum raw_kind kind,
			 const struct raw_call *call)
{
	int ret;

	writer->raw.clocks_ns = call->after.raw_ns;
	ret = append_record(writer, kind, call->after.raw_ns, call, sizeof(*call), NULL, 0);
	return ret ? ret : raw_write_more_clocks(&writer->raw, true);
}

int recording_write_mark(struct recording_writer *writer, uint64_t id, const char *name,
			 uint64_t raw_ns)
{
	size_t size = strnlen(name, RECORDING_MAX_NAME);
	struct raw_mark mark = {
		.id = id,
		.sample = writer->numbers[RAW_SAMPLE],
		.raw_ns = raw_ns,
		.name_size = size,
	};
	char padded[ALIGN_8(RECORDING_MAX_NAME)] = { 0 };
	int ret;

	memcpy(padded, name, size);
	ret = append_record(writer, RAW_MARK, raw_ns, &mark, sizeof(mark), padded, ALIGN_8(size));
	if (!ret)
		writer->end.marks++;
	return ret;
}

int recording_flush(struct recording_writer *writer)
{
	return raw_flush(&writer->raw);
}

int recording_finish(struct recording_writer *writer, const struct panthor_perf_quality *quality)
{
	int ret, closed;

	writer->end.lost = quality->lost;
	ret = writer->raw.failed;
	if (!ret && writer->entry_count)
		ret = write_index(writer);
	if (!ret)
		ret = raw_write_record(&writer->raw, RAW_END, &writer->end, sizeof(writer->end),
				       NULL, 0);
	closed = raw_close(&writer->raw);
	return ret ? ret : closed;
}
