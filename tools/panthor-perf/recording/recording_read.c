// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/text.h"
#include "recording_file.h"

#define READ_NS_SIZE	8

static void copy_known(void *dst, size_t dst_size, const void *src, size_t src_size)
{
	memset(dst, 0, dst_size);
	memcpy(dst, src, src_size < dst_size ? src_size : dst_size);
}

/* The header of a whole record, whose size is sound; false if there is none. */
static bool record_at(const struct recording *rec, uint64_t offset, struct raw_record *record)
{
	if (offset % 8 || offset < rec->header.header_size || offset > rec->size ||
	    rec->size - offset < sizeof(*record))
		return false;
	memcpy(record, rec->data + offset, sizeof(*record));
	return record->size >= sizeof(*record) && !(record->size % 8) &&
	       record->size <= rec->size - offset;
}

static const unsigned char *content_of(const struct recording *rec, uint64_t offset)
{
	return rec->data + offset + sizeof(struct raw_record);
}

/* Does a record have the size that its kind has? Later versions of some kinds may be longer. */
static bool size_fits(const struct recording *rec, uint64_t offset,
		      const struct raw_record *record)
{
	uint64_t size = record->size - sizeof(*record);
	struct raw_index index;
	struct raw_mark mark;

	switch (record->kind) {
	case RAW_SAMPLE:
		return size == READ_NS_SIZE + (uint64_t)rec->header.sample_size;
	case RAW_START:
	case RAW_STOP:
		return size == sizeof(struct raw_call);
	case RAW_CLOCKS:
		return size == sizeof(struct raw_clocks);
	case RAW_MARK:
		if (size < sizeof(mark))
			return false;
		memcpy(&mark, content_of(rec, offset), sizeof(mark));
		return mark.name_size <= size - sizeof(mark);
	case RAW_INDEX:
		if (size < sizeof(index))
			return false;
		memcpy(&index, content_of(rec, offset), sizeof(index));
		return index.entry_size >= sizeof(struct raw_index_entry) &&
		       !(index.entry_size % 8) &&
		       (uint64_t)index.entry_size * index.entry_count == size - sizeof(index);
	case RAW_END:
		return size >= sizeof(struct raw_end);
	default:
		return true;
	}
}

static bool has_places(uint32_t kind)
{
	return kind == RAW_SAMPLE || kind == RAW_START || kind == RAW_STOP ||
	       kind == RAW_CLOCKS || kind == RAW_MARK;
}

static uint64_t time_of(const struct recording *rec, uint64_t offset, uint32_t kind)
{
	const unsigned char *content = content_of(rec, offset);
	size_t field;
	uint64_t time;

	switch (kind) {
	case RAW_SAMPLE:
		field = READ_NS_SIZE +
			offsetof(struct drm_panthor_perf_sample_header, timestamp_end_ns);
		break;
	case RAW_CLOCKS:
		field = offsetof(struct raw_clocks, raw_ns);
		break;
	case RAW_MARK:
		field = offsetof(struct raw_mark, raw_ns);
		break;
	default:
		field = offsetof(struct raw_call, after.raw_ns);
		break;
	}
	memcpy(&time, content + field, sizeof(time));
	return time;
}

static int add_place(struct recording *rec, uint32_t kind, const struct place *place)
{
	struct places *places = &rec->places[kind];

	if (places->count == places->room) {
		size_t room = places->room ? 2 * places->room : 64;
		struct place *list = reallocarray(places->list, room, sizeof(*list));

		if (!list) {
			recording_bad(rec, "out of memory");
			return -ENOMEM;
		}
		places->list = list;
		places->room = room;
	}
	places->list[places->count++] = *place;
	return 0;
}

/* Remembers a record that lies where it should. */
static int take_record(struct recording *rec, uint64_t offset, const struct raw_record *record,
		       uint64_t numbers[])
{
	struct place place = { .offset = offset };

	if (record->kind == RAW_METADATA && !rec->metadata)
		rec->metadata = offset;
	if (record->kind == RAW_GPU_INFO && !rec->gpu)
		rec->gpu = offset;
	if (record->kind == RAW_TABLE && !rec->table)
		rec->table = offset;
	if (!has_places(record->kind))
		return 0;
	place.number = numbers[record->kind]++;
	if (record->kind == RAW_SAMPLE && place.number % RECORDING_INDEX_STRIDE)
		return 0;
	place.time_ns = time_of(rec, offset, record->kind);
	return add_place(rec, record->kind, &place);
}

/* Reads the end, whose size is sound; false if it is none. */
static bool take_end(struct recording *rec, uint64_t offset)
{
	memcpy(&rec->end, content_of(rec, offset), sizeof(rec->end));
	return !memcmp(rec->end.magic, RAW_END_MAGIC, sizeof(rec->end.magic));
}

static int damaged_at(struct recording *rec, uint64_t offset, const struct raw_record *record)
{
	return recording_bad(rec, "it is damaged: a record of kind %u has %u bytes at offset "
			     "%" PRIu64 "; `%shead -c %" PRIu64 "' copies what is before it",
			     record->kind, record->size, offset,
			     rec->path ? "" : "zstd -dc | ", offset);
}

/* Goes through all records. Only the last record can be the end. */
static int read_all(struct recording *rec)
{
	uint64_t offset = rec->header.header_size;
	uint64_t numbers[RAW_KINDS] = { 0 };
	struct raw_record record;
	int ret;

	while (rec->size - offset >= sizeof(record)) {
		memcpy(&record, rec->data + offset, sizeof(record));
		if (record.size < sizeof(record) || record.size % 8)
			return damaged_at(rec, offset, &record);
		if (record.size > rec->size - offset)
			break;
		if (!size_fits(rec, offset, &record))
			return damaged_at(rec, offset, &record);
		ret = take_record(rec, offset, &record, numbers);
		if (ret)
			return ret;
		rec->has_end = record.kind == RAW_END && take_end(rec, offset);
		offset += record.size;
	}
	rec->has_end = rec->has_end && offset == rec->size;
	rec->sample_count = numbers[RAW_SAMPLE];
	rec->whole = offset;
	return 0;
}

static void forget(struct recording *rec)
{
	unsigned int kind;

	for (kind = 0; kind < RAW_KINDS; kind++) {
		free(rec->places[kind].list);
		rec->places[kind] = (struct places) { 0 };
	}
	rec->metadata = 0;
	rec->gpu = 0;
	rec->table = 0;
	rec->has_end = false;
	rec->sample_count = 0;
}

/* Takes an entry that agrees with the record it points to and with the entries before it. */
static bool take_entry(struct recording *rec, const struct raw_index_entry *entry,
		       uint64_t *newest)
{
	struct place place = { entry->number, entry->time_ns, entry->offset };
	struct raw_record record;
	struct places *places;
	uint64_t last;

	if (!has_places(entry->kind) || entry->offset <= *newest ||
	    !record_at(rec, entry->offset, &record) || record.kind != entry->kind ||
	    !size_fits(rec, entry->offset, &record) ||
	    time_of(rec, entry->offset, entry->kind) != entry->time_ns)
		return false;
	places = &rec->places[entry->kind];
	last = places->count ? places->list[places->count - 1].number : 0;
	if (entry->kind != RAW_SAMPLE || !places->count) {
		if (entry->number != places->count)
			return false;
	} else if (entry->number <= last || entry->number - last > RECORDING_INDEX_STRIDE) {
		return false;
	}
	*newest = entry->offset;
	return !add_place(rec, entry->kind, &place);
}

/* Collects the offsets of all indexes, the newest first. */
static uint64_t *list_indexes(struct recording *rec, size_t *count)
{
	uint64_t offset = rec->end.index, before = rec->size;
	uint64_t *list = NULL, *grown;
	size_t room = 0;

	for (*count = 0; offset; (*count)++) {
		struct raw_record record;
		struct raw_index index;

		if (offset >= before || !record_at(rec, offset, &record) ||
		    record.kind != RAW_INDEX || !size_fits(rec, offset, &record)) {
			free(list);
			return NULL;
		}
		if (*count == room) {
			room = room ? 2 * room : 64;
			grown = reallocarray(list, room, sizeof(*list));
			if (!grown) {
				free(list);
				return NULL;
			}
			list = grown;
		}
		list[*count] = offset;
		before = offset;
		memcpy(&index, content_of(rec, offset), sizeof(index));
		offset = index.previous;
	}
	return list;
}

static bool take_indexes(struct recording *rec)
{
	uint64_t newest = 0;
	size_t count;
	uint64_t *list = list_indexes(rec, &count);
	bool ok = list;

	while (ok && count) {
		const unsigned char *at = content_of(rec, list[--count]);
		struct raw_index_entry entry;
		struct raw_index index;
		uint32_t i;

		memcpy(&index, at, sizeof(index));
		for (i = 0; i < index.entry_count && ok; i++) {
			memcpy(&entry, at + sizeof(index) + (uint64_t)i * index.entry_size,
			       sizeof(entry));
			ok = take_entry(rec, &entry, &newest);
		}
	}
	free(list);
	return ok;
}

/* Do the samples behind the last one that has an entry add up to the number that the end has? */
static bool tail_fits(struct recording *rec, uint64_t end)
{
	const struct places *samples = &rec->places[RAW_SAMPLE];
	uint64_t offset = rec->header.header_size, count = 0;
	struct raw_record record;

	if (samples->count) {
		offset = samples->list[samples->count - 1].offset;
		count = samples->list[samples->count - 1].number;
	}
	for (; offset < end; offset += record.size) {
		if (!record_at(rec, offset, &record) || !size_fits(rec, offset, &record))
			return false;
		count += record.kind == RAW_SAMPLE;
	}
	return offset == end && count == rec->end.samples && (samples->count || !count);
}

/* What stands before the first record that has a place: metadata, GPU_INFO, table. */
static void read_beginning(struct recording *rec, uint64_t end)
{
	uint64_t offset = rec->header.header_size;
	uint64_t numbers[RAW_KINDS] = { 0 };
	struct raw_record record;

	for (; offset < end && record_at(rec, offset, &record) && !has_places(record.kind);
	     offset += record.size)
		take_record(rec, offset, &record, numbers);
}

/* Uses end and indexes; false if there are none, or they contradict the file. */
static bool read_end(struct recording *rec)
{
	struct raw_record record;
	uint64_t offset;

	if (rec->size < rec->header.header_size + sizeof(record) + sizeof(rec->end))
		return false;
	offset = rec->size - sizeof(record) - sizeof(rec->end);
	if (!record_at(rec, offset, &record) || record.kind != RAW_END ||
	    !size_fits(rec, offset, &record) || offset + record.size != rec->size)
		return false;
	if (!take_end(rec, offset) || !take_indexes(rec) || !tail_fits(rec, offset) ||
	    rec->end.marks != rec->places[RAW_MARK].count)
		return false;
	read_beginning(rec, offset);
	rec->has_end = true;
	rec->sample_count = rec->end.samples;
	rec->whole = rec->size;
	return true;
}

/* Those that are mapped. The signal comes to the thread that reads one. */
static struct recording *mapped;

static void write_text(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(1);
}

/* A file that was cut has no pages any longer. */
static void on_sigbus(int number, siginfo_t *info, void *context)
{
	const unsigned char *at = info->si_addr;
	const struct recording *rec = mapped;

	(void)context;
	while (rec && (at < rec->data || at >= rec->data + rec->size))
		rec = rec->next_mapped;
	if (!rec || info->si_code <= 0) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	write_text("panthor-perf: ");
	write_text(rec->path);
	write_text(": the file was cut, or cannot be read any longer, while it was read\n");
	_exit(1);
}

static int watch_mapping(struct recording *rec, const char *path)
{
	struct sigaction action = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

	rec->path = text_copy(path);
	if (!rec->path)
		return -ENOMEM;
	rec->next_mapped = mapped;
	mapped = rec;
	return sigaction(SIGBUS, &action, NULL) ? -errno : 0;
}

static void forget_mapping(struct recording *rec)
{
	struct recording **at = &mapped;

	while (*at && *at != rec)
		at = &(*at)->next_mapped;
	if (*at)
		*at = rec->next_mapped;
	munmap((void *)rec->data, rec->size);
	free(rec->path);
}

static int read_content(struct recording *rec)
{
	int ret = recording_read_header(rec);

	if (!ret && !read_end(rec)) {
		forget(rec);
		ret = read_all(rec);
	}
	return ret ? ret : recording_make_object(rec);
}

static int open_content(struct recording *rec, char *error, size_t error_size)
{
	int ret;

	rec->error = error;
	rec->error_size = error_size;
	ret = read_content(rec);
	rec->error = NULL;
	rec->error_size = 0;
	if (ret)
		recording_close(rec);
	return ret;
}

int recording_open_memory(const void *data, size_t size, struct recording **recording, char *error,
			  size_t error_size)
{
	struct recording *rec = calloc(1, sizeof(*rec));
	int ret;

	if (!rec) {
		snprintf(error, error_size, "out of memory");
		return -ENOMEM;
	}
	rec->data = data;
	rec->size = size;
	ret = open_content(rec, error, error_size);
	if (!ret)
		*recording = rec;
	return ret;
}

static int map_file(int fd, size_t size, const char *path, struct recording *rec)
{
	void *map;

	rec->size = size;
	if (!size)
		return 0;
	map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		return -errno;
	rec->data = map;
	rec->mapped = true;
	return watch_mapping(rec, path);
}

static int decompress_file(int fd, struct recording *rec, char *error, size_t error_size)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	void *data;
	size_t size;
	int ret = zst_read(fd, memory / 2, RAW_MAGIC, &data, &size, error, error_size);

	if (ret)
		return ret;
	rec->data = data;
	rec->size = size;
	rec->mapped = data;
	return 0;
}

/* Makes a recording of a file that is regular. */
static int open_file(int fd, size_t size, const char *path, struct recording **recording,
		     char *error, size_t error_size)
{
	struct recording *rec = calloc(1, sizeof(*rec));
	int ret = -ENOMEM;

	if (rec && zst_is_frame(fd)) {
		ret = decompress_file(fd, rec, error, error_size);
	} else {
		if (rec)
			ret = map_file(fd, size, path, rec);
		if (ret)
			snprintf(error, error_size, "%s", strerror(-ret));
	}
	if (ret) {
		recording_close(rec);
		return ret;
	}
	ret = open_content(rec, error, error_size);
	if (!ret)
		*recording = rec;
	return ret;
}

int recording_open(const char *path, struct recording **recording, char *error, size_t error_size)
{
	struct stat stat;
	int fd, ret;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &stat)) {
		ret = -errno;
		snprintf(error, error_size, "%s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return ret;
	}
	if (!S_ISREG(stat.st_mode) || (uint64_t)stat.st_size > SIZE_MAX) {
		close(fd);
		snprintf(error, error_size, "this is no recording: it is not a regular file, or "
			 "larger than the memory that this machine can address");
		return -EINVAL;
	}
	ret = open_file(fd, stat.st_size, path, recording, error, error_size);
	close(fd);
	return ret;
}

void recording_close(struct recording *recording)
{
	if (!recording)
		return;
	forget(recording);
	panthor_perf_sample_destroy(recording->sample);
	panthor_perf_gpu_destroy(recording->object);
	if (recording->mapped)
		forget_mapping(recording);
	free(recording);
}

const struct raw_header *recording_header(const struct recording *recording)
{
	return &recording->header;
}

const struct drm_panthor_perf_info *recording_info(const struct recording *recording)
{
	return &recording->info;
}

const struct panthor_perf_gpu *recording_object(const struct recording *recording)
{
	return recording->object;
}

bool recording_gpu(const struct recording *recording, struct drm_panthor_gpu_info *gpu)
{
	uint32_t slices = recording->info.memsys_blocks;
	struct raw_record record;

	memset(gpu, 0, sizeof(*gpu));
	gpu->gpu_id = recording->header.gpu_id;
	gpu->shader_present = recording->header.shader_present;
	/* Each slice has a block. The field holds the number of slices minus one. */
	if (slices && slices <= 16)
		gpu->mem_features = (slices - 1) << 8;
	if (!recording->gpu || !record_at(recording, recording->gpu, &record))
		return false;
	copy_known(gpu, sizeof(*gpu), content_of(recording, recording->gpu),
		   record.size - sizeof(record));
	return true;
}

uint64_t recording_gpu_id(const struct recording *recording)
{
	return (uint64_t)recording->header.gpu_id_high << 32 | recording->header.gpu_id;
}

bool recording_has_counter(const struct recording *recording, unsigned int type,
			   unsigned int index)
{
	return type < RECORDING_TYPES && index < RECORDING_MAX_COUNTERS &&
	       recording->enabled[type][index / 64] >> (index % 64) & 1;
}

const char *recording_metadata(const struct recording *recording, size_t *size)
{
	struct raw_record record;

	*size = 0;
	if (!recording->metadata || !record_at(recording, recording->metadata, &record))
		return NULL;
	*size = record.size - sizeof(record);
	return (const char *)content_of(recording, recording->metadata);
}

const char *recording_table(const struct recording *recording, size_t *size)
{
	const char *text;
	struct raw_record record;

	*size = 0;
	if (!recording->table || !record_at(recording, recording->table, &record))
		return NULL;
	text = (const char *)content_of(recording, recording->table);
	*size = strnlen(text, record.size - sizeof(record));
	return text;
}

const struct raw_end *recording_end(const struct recording *recording)
{
	return recording->has_end ? &recording->end : NULL;
}

uint64_t recording_cut(const struct recording *recording)
{
	return recording->size - recording->whole;
}

uint64_t recording_sample_count(const struct recording *recording)
{
	return recording->sample_count;
}

static int sample_at(const struct recording *rec, uint64_t offset, uint64_t number,
		     struct recording_sample *sample)
{
	const unsigned char *content = content_of(rec, offset);

	sample->number = number;
	sample->offset = offset;
	memcpy(&sample->read_ns, content, sizeof(sample->read_ns));
	content += READ_NS_SIZE;
	if (panthor_perf_sample_parse(rec->sample, content, rec->header.sample_size, NULL))
		return -EINVAL;
	sample->sample = rec->sample;
	raw_sample_header(rec->sample, &sample->header);
	return 1;
}

int recording_next(const struct recording *recording, struct recording_sample *sample)
{
	uint64_t offset = sample->offset;
	struct raw_record record;

	if (sample->number + 1 >= recording->sample_count)
		return 0;
	do {
		if (!record_at(recording, offset, &record))
			return -EINVAL;
		offset += record.size;
		if (!record_at(recording, offset, &record) ||
		    !size_fits(recording, offset, &record))
			return -EINVAL;
	} while (record.kind != RAW_SAMPLE);
	return sample_at(recording, offset, sample->number + 1, sample);
}

/* The last sample with an entry that is not behind a number or, by time, not behind a time. */
static const struct place *before(const struct places *places, uint64_t value, bool by_time)
{
	size_t low = 0, high = places->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		const struct place *place = &places->list[middle];

		if ((by_time ? place->time_ns : place->number) <= value)
			low = middle;
		else
			high = middle;
	}
	return &places->list[low];
}

int recording_sample(const struct recording *recording, uint64_t number,
		     struct recording_sample *sample)
{
	const struct place *place;
	int ret;

	if (number >= recording->sample_count)
		return 0;
	place = before(&recording->places[RAW_SAMPLE], number, false);
	ret = sample_at(recording, place->offset, place->number, sample);
	while (ret == 1 && sample->number < number)
		ret = recording_next(recording, sample);
	return ret;
}

int recording_find(const struct recording *recording, uint64_t time_ns, uint64_t *number)
{
	struct recording_sample sample;
	const struct place *place;
	int ret;

	*number = recording->sample_count;
	if (!recording->sample_count)
		return 0;
	place = before(&recording->places[RAW_SAMPLE], time_ns, true);
	ret = sample_at(recording, place->offset, place->number, &sample);
	while (ret == 1 && sample.header.timestamp_end_ns <= time_ns)
		ret = recording_next(recording, &sample);
	if (ret == 1)
		*number = sample.number;
	return ret < 0 ? ret : 0;
}

uint64_t recording_mark_count(const struct recording *recording)
{
	return recording->places[RAW_MARK].count;
}

bool recording_mark(const struct recording *recording, uint64_t number,
		    struct recording_mark *mark)
{
	const struct places *places = &recording->places[RAW_MARK];
	const unsigned char *content;
	struct raw_mark raw;
	size_t size;

	if (number >= places->count)
		return false;
	content = content_of(recording, places->list[number].offset);
	memcpy(&raw, content, sizeof(raw));
	size = raw.name_size < RECORDING_MAX_NAME ? raw.name_size : RECORDING_MAX_NAME;
	memset(mark, 0, sizeof(*mark));
	mark->id = raw.id;
	mark->sample = raw.sample;
	mark->raw_ns = raw.raw_ns;
	memcpy(mark->name, content + sizeof(raw), size);
	text_utf8(mark->name);
	return true;
}

uint64_t recording_call_count(const struct recording *recording, enum raw_kind kind)
{
	return kind == RAW_START || kind == RAW_STOP ? recording->places[kind].count : 0;
}

bool recording_call(const struct recording *recording, enum raw_kind kind, uint64_t number,
		    struct raw_call *call)
{
	if (number >= recording_call_count(recording, kind))
		return false;
	memcpy(call, content_of(recording, recording->places[kind].list[number].offset),
	       sizeof(*call));
	return true;
}

bool recording_other_clocks(const struct recording *recording, enum raw_kind kind, uint64_t number,
			    struct raw_other_clocks *clocks)
{
	const struct places *places = &recording->places[kind];
	struct raw_record record;
	uint64_t offset;

	if (number >= places->count || !record_at(recording, places->list[number].offset, &record))
		return false;
	offset = places->list[number].offset + record.size;
	while (record_at(recording, offset, &record) && record.kind == RAW_CPU_TIMER)
		offset += record.size;
	if (!record_at(recording, offset, &record) || record.kind != RAW_OTHER_CLOCKS ||
	    record.size < sizeof(record) + sizeof(*clocks))
		return false;
	memcpy(clocks, content_of(recording, offset), sizeof(*clocks));
	return true;
}

uint64_t recording_clocks_count(const struct recording *recording)
{
	return recording->places[RAW_CLOCKS].count;
}

bool recording_clocks(const struct recording *recording, uint64_t number,
		      struct raw_clocks *clocks)
{
	const struct places *places = &recording->places[RAW_CLOCKS];

	if (number >= places->count)
		return false;
	memcpy(clocks, content_of(recording, places->list[number].offset), sizeof(*clocks));
	return true;
}
