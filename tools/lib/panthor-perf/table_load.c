// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "table.h"

/* The files of tools/counters/, as they are, with a 0 behind each. */
#define BUILTIN(name) \
	asm(".pushsection .rodata\n" \
	    ".type table_text_" #name ", %object\n" \
	    "table_text_" #name ":\n" \
	    ".incbin \"" #name ".counters\"\n" \
	    ".size table_text_" #name ", . - table_text_" #name "\n" \
	    "table_end_" #name ":\n" \
	    ".byte 0\n" \
	    ".popsection\n")

BUILTIN(G710);
BUILTIN(G715);
BUILTIN(G720);
BUILTIN(G725);
BUILTIN(G1);
BUILTIN(G2);

static const struct {
	const char *name;
	const char *text;
	const char *end;
} builtins[] = {
	{ "G710", table_text_G710, table_end_G710 },
	{ "G715", table_text_G715, table_end_G715 },
	{ "G720", table_text_G720, table_end_G720 },
	{ "G725", table_text_G725, table_end_G725 },
	{ "G1", table_text_G1, table_end_G1 },
	{ "G2", table_text_G2, table_end_G2 },
};

#define BUILTINS	ARRAY_SIZE(builtins)

static int parse_builtin(unsigned int i, struct panthor_perf_table **table,
			 struct panthor_perf_error *error)
{
	return panthor_perf_table_create_from_text(builtins[i].text,
						   builtins[i].end - builtins[i].text, NULL, table,
						   error);
}

const char *panthor_perf_table_builtin(unsigned int i)
{
	return i < BUILTINS ? builtins[i].name : NULL;
}

int panthor_perf_table_create_for_gpu(uint64_t gpu_id, struct panthor_perf_table **table,
				      struct panthor_perf_error *error)
{
	struct panthor_perf_table *next;
	unsigned int i;
	int ret;

	*table = NULL;
	for (i = 0; i < BUILTINS; i++) {
		ret = parse_builtin(i, &next, error);
		if (ret)
			return ret;
		if (panthor_perf_table_product(next, gpu_id, 0)) {
			*table = next;
			return 0;
		}
		panthor_perf_table_destroy(next);
	}
	return panthor_perf_fail(error, -ENOENT, "there is no table of the GPU with the id 0x%"
				 PRIx64, gpu_id);
}

static char plain(char c)
{
	return c == ' ' ? '-' : tolower((unsigned char)c);
}

/* "Mali G1-Ultra" is "Mali-G1-Ultra". */
static bool same(const char *a, size_t size, const char *b)
{
	size_t i;

	for (i = 0; i < size && b[i]; i++)
		if (plain(a[i]) != plain(b[i]))
			return false;
	return i == size && !b[i];
}

/*
 * A product with two names is "ONE / OTHER". The part after the dash finds it as well:
 * "G610" for "Mali-G610".
 */
static bool is_called(const char *product, const char *name)
{
	static const char between[] = " / ";

	for (;;) {
		const char *end = strstr(product, between);
		size_t size = end ? (size_t)(end - product) : strlen(product);
		const char *dash = memchr(product, '-', size);

		if (same(product, size, name) ||
		    (dash && same(dash + 1, product + size - dash - 1, name)))
			return true;
		if (!end)
			return false;
		product = end + strlen(between);
	}
}

int panthor_perf_table_create_by_name(const char *name, struct panthor_perf_table **table,
				      struct panthor_perf_error *error)
{
	struct panthor_perf_table *next;
	unsigned int i, j;
	bool found;
	int ret;

	*table = NULL;
	for (i = 0; i < BUILTINS; i++) {
		ret = parse_builtin(i, &next, error);
		if (ret)
			return ret;
		found = !strcasecmp(next->name, name);
		for (j = 0; j < next->product_count && !found; j++)
			found = is_called(next->products[j].name, name);
		if (found) {
			*table = next;
			return 0;
		}
		panthor_perf_table_destroy(next);
	}
	return panthor_perf_fail(error, -ENOENT, "there is no table of the name '%s'", name);
}

int panthor_perf_table_gpu_id(const struct panthor_perf_table *table, const char *name,
			      uint64_t *gpu_id)
{
	const struct table_product *product = NULL;
	unsigned int i;

	for (i = 0; i < table->product_count && !product; i++)
		if (is_called(table->products[i].name, name))
			product = &table->products[i];
	if (!product && !strcasecmp(table->name, name))
		product = &table->products[0];
	if (!product)
		return -ENOENT;
	if (product->arch_major < 0xf && product->product_major <= 0xf)
		*gpu_id = (uint64_t)product->arch_major << 28 | product->product_major << 16;
	else
		*gpu_id = (uint64_t)product->arch_major << 56 |
			  (uint64_t)product->product_major << 32 | 0xf0000000;
	return 0;
}

#define fail_with(error, file, err, ...) \
	panthor_perf_fail_at(error, err, file, 0, 0, __VA_ARGS__)

/* Reads a whole file, which may be a pipe. */
static int read_file(int fd, const char *path, char **text, size_t *size,
		     struct panthor_perf_error *error)
{
	size_t room = 0, count = 0;
	char *bytes = NULL;

	for (;;) {
		ssize_t got;

		if (count == room) {
			char *more;

			if (count > PANTHOR_PERF_TABLE_MAX_SIZE) {
				free(bytes);
				return fail_with(error, path, -EFBIG,
						 "the text of a table has at most %u MiB",
						 PANTHOR_PERF_TABLE_MAX_SIZE >> 20);
			}
			room = room ? 2 * room : 65536;
			more = realloc(bytes, room);
			if (!more) {
				free(bytes);
				return fail_with(error, path, -ENOMEM, "out of memory");
			}
			bytes = more;
		}
		got = read(fd, bytes + count, room - count);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int err = -errno;

			free(bytes);
			return fail_with(error, path, err, "%s", strerror(-err));
		}
		if (!got)
			break;
		count += got;
	}
	*text = bytes;
	*size = count;
	return 0;
}

static int load_file(const char *path, struct panthor_perf_table **table,
		     struct panthor_perf_error *error)
{
	int ret, fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	size_t size = 0;

	if (fd < 0) {
		ret = -errno;
		return fail_with(error, path, ret, "%s", strerror(-ret));
	}
	ret = read_file(fd, path, &text, &size, error);
	close(fd);
	if (ret)
		return ret;
	ret = panthor_perf_table_create_from_text(text, size, path, table, error);
	free(text);
	return ret;
}

static int is_table(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && !strcmp(dot, ".counters");
}

static int load_folder(const char *path, uint64_t gpu_id, struct panthor_perf_table **table,
		       struct panthor_perf_error *error)
{
	struct panthor_perf_table *found = NULL;
	struct dirent **entries;
	int i, count, ret = 0;

	count = scandir(path, &entries, is_table, alphasort);
	if (count < 0) {
		ret = -errno;
		return fail_with(error, path, ret, "%s", strerror(-ret));
	}
	for (i = 0; i < count && !ret; i++) {
		struct panthor_perf_table *next;
		struct stat info;
		char *file;

		if (asprintf(&file, "%s/%s", path, entries[i]->d_name) < 0) {
			ret = fail_with(error, path, -ENOMEM, "out of memory");
			break;
		}
		/* A pipe may have no end. */
		if (!stat(file, &info) && !S_ISREG(info.st_mode)) {
			free(file);
			continue;
		}
		ret = load_file(file, &next, error);
		if (!ret && !panthor_perf_table_product(next, gpu_id, 0)) {
			panthor_perf_table_destroy(next);
		} else if (!ret && found) {
			ret = fail_with(error, file, -EINVAL, "this is for the same GPU as %s",
					found->file);
			panthor_perf_table_destroy(next);
		} else if (!ret) {
			found = next;
		}
		free(file);
	}
	for (i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	if (!ret && !found)
		ret = fail_with(error, path, -ENXIO, "%s", count ?
				"no file *.counters in it is for this GPU" :
				"there is no file *.counters in it");
	if (ret)
		panthor_perf_table_destroy(found);
	else
		*table = found;
	return ret;
}

int panthor_perf_table_create_from_file(const char *path, uint64_t gpu_id,
					struct panthor_perf_table **table,
					struct panthor_perf_error *error)
{
	struct panthor_perf_table *loaded;
	struct stat stat_info;
	int ret;

	*table = NULL;
	if (stat(path, &stat_info)) {
		ret = -errno;
		return fail_with(error, path, ret, "%s", strerror(-ret));
	}
	if (S_ISDIR(stat_info.st_mode))
		return load_folder(path, gpu_id, table, error);
	ret = load_file(path, &loaded, error);
	if (ret)
		return ret;
	if (gpu_id && !panthor_perf_table_product(loaded, gpu_id, 0)) {
		unsigned int arch_major, product_major;

		panthor_perf_gpu_arch(gpu_id, &arch_major, &product_major);
		ret = fail_with(error, path, -ENXIO,
				"the table '%s' has no line 'product %u.%u', which this GPU is",
				loaded->name, arch_major, product_major);
		panthor_perf_table_destroy(loaded);
		return ret;
	}
	*table = loaded;
	return 0;
}
