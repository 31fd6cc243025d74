/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_ZST_H
#define PANTHOR_PERF_ZST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** define ZST_MAGIC_SIZE - bytes by which content is known */
#define ZST_MAGIC_SIZE	8

/** define ZST_MAX_LEVEL - the highest level of compression */
#define ZST_MAX_LEVEL	22

/**
 * zst_is_there() - Can this program compress and decompress?
 *
 * Return: Whether it was built with libzstd.
 */
bool zst_is_there(void);

/** struct zst - compression of what is written block by block; opaque */
struct zst;

/**
 * zst_create() - Prepare for compression
 * @level: Level of compression, from 1 (fast) to %ZST_MAX_LEVEL.
 * @zst: Where it is returned.
 *
 * Return: 0; -ENOMEM; -EOPNOTSUPP without libzstd.
 */
int zst_create(int level, struct zst **zst);

/**
 * zst_compress() - Compress a block to a frame of its own
 * @zst: The compression.
 * @data: The block.
 * @size: Its bytes.
 * @frame: Where the frame is returned, which lives until the next call.
 * @frame_size: Where its bytes are returned.
 *
 * Return: 0; -ENOMEM.
 */
int zst_compress(struct zst *zst, const void *data, size_t size, const void **frame,
		 size_t *frame_size);

/**
 * zst_destroy() - Free a compression
 * @zst: The compression. May be %NULL.
 */
void zst_destroy(struct zst *zst);

/**
 * zst_is_frame() - Does a file begin with a frame?
 * @fd: The file. Its offset stays what it is.
 *
 * Return: Whether it does.
 */
bool zst_is_frame(int fd);

/**
 * zst_read() - Decompress a file
 * @fd: The file, at its begin.
 * @limit: Bytes that the content may take.
 * @magic: What the content begins with, %ZST_MAGIC_SIZE bytes. Another one is returned only so far
 *	as that is known.
 * @data: Where its content is returned, to be unmapped by munmap(); %NULL if there is none.
 * @size: Where the bytes of the content are returned.
 * @error: Where a message is written.
 * @error_size: Bytes at @error.
 *
 * A frame that was cut off is no part of the content: its checksum is not known.
 *
 * Return: 0; -EINVAL if the file cannot be decompressed, or has no whole frame; -EFBIG if the
 * content takes more than @limit; -EOPNOTSUPP without libzstd; the error of reading; -ENOMEM.
 */
int zst_read(int fd, uint64_t limit, const char *magic, void **data, size_t *size, char *error,
	     size_t error_size);

#endif /* PANTHOR_PERF_ZST_H */
