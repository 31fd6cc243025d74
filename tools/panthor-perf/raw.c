// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "raw.h"

#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "raw sample files are little endian: this machine would need to swap them"
#endif

_Static_assert(sizeof(struct raw_header) == 64, "raw_header has holes");

static int write_all(int fd, const void *data, size_t size)
{
	const char *pos = data;

	while (size) {
		ssize_t done = write(fd, pos, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		pos += done;
		size -= done;
	}
	return 0;
}

int raw_create(struct raw_writer *writer, const char *path, struct raw_header *header,
	       const struct drm_panthor_perf_info *info,
	       const struct drm_panthor_perf_section *sections)
{
	size_t sections_size = (size_t)header->section_count * sizeof(sections[0]);
	int ret;

	memcpy(header->magic, RAW_MAGIC, sizeof(header->magic));
	header->version = RAW_VERSION;
	header->info_size = sizeof(*info);
	header->section_size = sizeof(sections[0]);
	header->header_size = sizeof(*header) + sizeof(*info) + sections_size;
	header->pad = 0;

	writer->sample_size = header->sample_size;
	writer->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (writer->fd < 0)
		return -errno;
	ret = write_all(writer->fd, header, sizeof(*header));
	if (!ret)
		ret = write_all(writer->fd, info, sizeof(*info));
	if (!ret)
		ret = write_all(writer->fd, sections, sections_size);
	if (ret)
		close(writer->fd);
	return ret;
}

int raw_write(struct raw_writer *writer, const void *sample)
{
	return write_all(writer->fd, sample, writer->sample_size);
}

int raw_close(struct raw_writer *writer)
{
	return close(writer->fd) ? -errno : 0;
}
