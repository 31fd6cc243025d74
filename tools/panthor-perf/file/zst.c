// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "zst.h"

/* What a frame begins with, little endian. */
#define FRAME_MAGIC	0xfd2fb528u

bool zst_is_frame(int fd)
{
	uint32_t magic;

	return pread(fd, &magic, sizeof(magic), 0) == sizeof(magic) && magic == FRAME_MAGIC;
}

bool zst_is_there(void)
{
#ifdef HAVE_ZSTD
	return true;
#else
	return false;
#endif
}

#ifdef HAVE_ZSTD
#define FIRST_ROOM	1048576

/**
 * struct zst - compression
 */
struct zst {
	/** @context: libzstd's. */
	ZSTD_CCtx *context;

	/** @frame: The newest frame. */
	void *frame;

	/** @room: Bytes for it. */
	size_t room;
};

int zst_create(int level, struct zst **zst)
{
	struct zst *new = calloc(1, sizeof(*new));

	if (!new)
		return -ENOMEM;
	new->context = ZSTD_createCCtx();
	if (!new->context ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(new->context, ZSTD_c_compressionLevel, level)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(new->context, ZSTD_c_checksumFlag, 1))) {
		zst_destroy(new);
		return -ENOMEM;
	}
	*zst = new;
	return 0;
}

int zst_compress(struct zst *zst, const void *data, size_t size, const void **frame,
		 size_t *frame_size)
{
	size_t room = ZSTD_compressBound(size), done;

	if (room > zst->room) {
		void *grown = realloc(zst->frame, room);

		if (!grown)
			return -ENOMEM;
		zst->frame = grown;
		zst->room = room;
	}
	done = ZSTD_compress2(zst->context, zst->frame, zst->room, data, size);
	if (ZSTD_isError(done))
		return -ENOMEM;
	*frame = zst->frame;
	*frame_size = done;
	return 0;
}

void zst_destroy(struct zst *zst)
{
	if (!zst)
		return;
	ZSTD_freeCCtx(zst->context);
	free(zst->frame);
	free(zst);
}

/**
 * struct content - content of a file that is being decompressed
 */
struct content {
	/** @out: Memory for it; size is a multiple of that of pages. */
	ZSTD_outBuffer out;

	/** @whole: Bytes of whole frames, whose checksums are right. */
	size_t whole;

	/** @has_frame: There is a whole frame. */
	bool has_frame;

	/** @limit: Bytes that it may take, a multiple of the size of pages. */
	uint64_t limit;

	/** @magic: What it begins with. */
	const char *magic;
};

static int grow_content(struct content *content, char *error, size_t error_size)
{
	const size_t old = content->out.size;
	uint64_t size = old ? 2ull * old : FIRST_ROOM;
	void *map;

	if (size > content->limit)
		size = content->limit;
	if (size <= old) {
		snprintf(error, error_size, "its content is too large for the memory of this "
			 "machine: decompress it with `zstd -dc'");
		return -EFBIG;
	}
	map = old ? mremap(content->out.dst, old, size, MREMAP_MAYMOVE) :
	      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED) {
		snprintf(error, error_size, "%s", strerror(errno));
		return -errno;
	}
	content->out.dst = map;
	content->out.size = size;
	return 0;
}

static bool is_other(const struct content *content)
{
	return content->out.pos >= ZST_MAGIC_SIZE &&
	       memcmp(content->out.dst, content->magic, ZST_MAGIC_SIZE);
}

/* Decompresses a piece of the file, and what libzstd still has of the pieces before. */
static int take(ZSTD_DCtx *context, ZSTD_inBuffer in, struct content *content, char *error,
		size_t error_size)
{
	bool full = false;
	size_t left;
	int ret;

	while ((in.pos < in.size || full) && !is_other(content)) {
		if (content->out.pos == content->out.size) {
			ret = grow_content(content, error, error_size);
			if (ret)
				return ret;
		}
		left = ZSTD_decompressStream(context, &content->out, &in);
		if (ZSTD_isError(left)) {
			snprintf(error, error_size, "it cannot be decompressed: %s",
				 ZSTD_getErrorName(left));
			return -EINVAL;
		}
		if (!left) {
			content->whole = content->out.pos;
			content->has_frame = true;
		}
		full = content->out.pos == content->out.size;
	}
	return 0;
}

static int take_all(int fd, ZSTD_DCtx *context, struct content *content, char *error,
		    size_t error_size)
{
	const size_t room = ZSTD_DStreamInSize();
	void *piece = malloc(room);
	ssize_t done = -1;
	int ret = 0;

	while (piece && !ret && !is_other(content) && (done = read(fd, piece, room)) > 0)
		ret = take(context, (ZSTD_inBuffer) { piece, done, 0 }, content, error,
			   error_size);
	if (!ret && done < 0) {
		ret = piece ? -errno : -ENOMEM;
		snprintf(error, error_size, "%s", strerror(-ret));
	}
	free(piece);
	return ret;
}

int zst_read(int fd, uint64_t limit, const char *magic, void **data, size_t *size, char *error,
	     size_t error_size)
{
	const uint64_t page = sysconf(_SC_PAGESIZE);
	struct content content = { .magic = magic };
	ZSTD_DCtx *context = ZSTD_createDCtx();
	int ret;

	if (!context) {
		snprintf(error, error_size, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	content.limit = (limit < SIZE_MAX / 2 ? limit : SIZE_MAX / 2) / page * page;
	/* Of all windows that there are: the content is what has a limit. */
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax,
			       ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
	ret = take_all(fd, context, &content, error, error_size);
	ZSTD_freeDCtx(context);
	*data = content.out.dst;
	*size = is_other(&content) ? content.out.pos : content.whole;
	if (!ret && !*size && !content.has_frame) {
		snprintf(error, error_size, "it is compressed, and was cut off in its first frame");
		ret = -EINVAL;
	}
	if (*data && (ret || !*size)) {
		munmap(*data, content.out.size);
		*data = NULL;
	} else if (*data) {
		/* The rest is unmapped: the content stays where it is. */
		mremap(*data, content.out.size, *size, 0);
	}
	return ret;
}
#else /* HAVE_ZSTD */
int zst_create(int level, struct zst **zst)
{
	(void)level;
	*zst = NULL;
	return -EOPNOTSUPP;
}

int zst_compress(struct zst *zst, const void *data, size_t size, const void **frame,
		 size_t *frame_size)
{
	(void)zst;
	*frame = data;
	*frame_size = size;
	return -EOPNOTSUPP;
}

void zst_destroy(struct zst *zst)
{
	(void)zst;
}

int zst_read(int fd, uint64_t limit, const char *magic, void **data, size_t *size, char *error,
	     size_t error_size)
{
	(void)fd;
	(void)limit;
	(void)magic;
	*data = NULL;
	*size = 0;
	snprintf(error, error_size, "it is compressed, and this program was built without libzstd: "
		 "`zstd -dc' makes a file that it can read");
	return -EOPNOTSUPP;
}
#endif /* HAVE_ZSTD */
