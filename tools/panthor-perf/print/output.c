// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "database/xml.h"
#include "output.h"
#include "pager.h"

/* Runs of a comparison, and tables. */
static const char **protected;
static size_t protected_count;
static bool is_incomplete;

static const char *stdout_name = "the standard output";

void output_protect(const char *path)
{
	const char **more = realloc(protected, (protected_count + 1) * sizeof(*more));

	is_incomplete |= !more;
	if (!more)
		return;
	protected = more;
	protected[protected_count++] = path;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Of a folder, tables and databases are read. */
static bool is_read(const FTSENT *entry)
{
	return !entry->fts_level || !fnmatch("*.counters", entry->fts_name, FNM_CASEFOLD) ||
	       !fnmatch("*.xml", entry->fts_name, FNM_CASEFOLD);
}

static bool is_within(const char *path, const struct stat *output)
{
	char *const paths[] = { (char *)path, NULL };
	FTS *tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	unsigned int entries = 0;
	bool found = false;
	FTSENT *entry;

	while (tree && !found && (entry = xml_next_file(tree, &entries)))
		found = is_read(entry) && is_same(entry->fts_statp, output);
	if (tree)
		fts_close(tree);
	return found;
}

static bool is_stdout(const char *path)
{
	return !strcmp(path, "-");
}

int output_check(const char *path)
{
	struct stat output;
	size_t i;

	if (!*path) {
		fail(0, "the name of the output is empty");
		return EXIT_USAGE;
	}
	if (is_incomplete)
		return fail(-ENOMEM, "%s is not written", path);
	if (is_stdout(path))
		return EXIT_OK;
	if (stat(path, &output) || !S_ISREG(output.st_mode))
		return EXIT_OK;
	if (new_file_is_written(path))
		return fail(0, "%s is not written: another process records into it", path);
	for (i = 0; i < protected_count; i++) {
		if (!is_within(protected[i], &output))
			continue;
		fail(0, "%s is not written: this command reads it%s%s", path,
		     strcmp(path, protected[i]) ? " as " : "",
		     strcmp(path, protected[i]) ? protected[i] : "");
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

bool output_is(const char *path, const char *other)
{
	struct stat a, b;

	if (is_stdout(path) || is_stdout(other))
		return is_stdout(path) && is_stdout(other);
	return !stat(path, &a) && !stat(other, &b) && S_ISREG(a.st_mode) && is_same(&a, &b);
}

int output_open(const char *path, FILE **file)
{
	int status = output_check(path);

	if (status)
		return status;
	/* A command that is run does not get it. */
	*file = is_stdout(path) ? fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "w") :
				  fopen(path, "we");
	return *file ? EXIT_OK : fail(-errno, "writing %s", path);
}

/* The file that is not whole yet. */
static const char *unfinished;

static void on_end(int number)
{
	if (unfinished)
		unlink(unfinished);
	signal(number, SIG_DFL);
	raise(number);
}

static void watch_end(const char *path)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };
	size_t i;

	unfinished = path;
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (signal(numbers[i], on_end) == SIG_IGN)
			signal(numbers[i], SIG_IGN);
}

int output_create(struct output *output, const char *path)
{
	int status = output_check(path), ret;

	if (status)
		return status;
	ret = new_file_create(&output->file, path);
	if (ret)
		return fail(ret, "writing %s", path);
	/* The file may get another descriptor with its name. */
	output->out = fdopen(fcntl(output->file.fd, F_DUPFD_CLOEXEC, 3), "w");
	if (output->out) {
		watch_end(output->file.temporary);
		return EXIT_OK;
	}
	ret = -errno;
	new_file_close(&output->file);
	return fail(ret, "writing %s", path);
}

int output_commit(struct output *output, int err)
{
	int ret = output_close(output->out);

	unfinished = NULL;
	if (!err)
		err = ret;
	if (!err)
		err = new_file_publish(&output->file);
	/* Unlike a recording, it can be made again. */
	output->file.kept = false;
	ret = new_file_close(&output->file);
	return err ? err : ret;
}

int output_redirect(const char *path)
{
	int status = output_check(path);

	if (status || is_stdout(path))
		return status;
	if (!freopen(path, "we", stdout))
		return fail(-errno, "writing %s", path);
	stdout_name = path;
	return EXIT_OK;
}

/* A stream does not keep the reason of what failed before: one more byte fails for the same one. */
int output_error(FILE *file)
{
	bool failed_before = ferror(file);

	if (failed_before)
		fputc('\n', file);
	if (fflush(file))
		return -errno;
	return failed_before ? -EIO : 0;
}

int output_close(FILE *file)
{
	int ret = output_error(file);

	return fclose(file) && !ret ? -errno : ret;
}

int output_end(int status)
{
	int ret;

	if (pager_is_used())
		return pager_end() || status ? status : EXIT_ERROR;
	ret = output_error(stdout);
	return ret && status == EXIT_OK ? fail(ret, "writing %s", stdout_name) : status;
}

int output_failed(const struct new_file *file, const char *name, int err, uint64_t samples,
		  uint64_t lost)
{
	const bool is_full = err == -ENOSPC || err == -EDQUOT || err == -EFBIG;

	if (file->kept)
		return fail(err, "writing %s; the recording is in %s", name, file->temporary);
	if (err == -EALREADY)
		return fail(0, "%s is not written: another process records into it", name);
	if (is_full && file->own && !file->path)
		return fail(err, "writing %s: recording ends; the file has %" PRIu64 " sample%s, "
			    "at least %" PRIu64 " more %s lost", name, samples,
			    samples == 1 ? "" : "s", lost, lost == 1 ? "is" : "are");
	return fail(err, "writing %s", name);
}
