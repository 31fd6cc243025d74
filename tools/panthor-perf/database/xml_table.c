// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A table from what was found in Arm's counter database: it is written as text and read by the
 * reader of all tables. Derived counters that it does not take are left out one by one.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xml_database.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define FIRST_INDEX	4
#define MAX_WORDS	1024
#define MAX_NAME	63
#define MAX_CANDIDATES	8

static const struct {
	const char *name;
	const char *ours;
} constants[] = {
	{ "MALI_CONFIG_SHADER_CORE_COUNT", "NCORE" },
	{ "MALI_CONFIG_L2_CACHE_COUNT", "NL2" },
	{ "MALI_CONFIG_EXT_BUS_BYTE_SIZE", "BUSBYTES" },
	{ "MALI_CONFIG_TIME_SPAN", "TSPAN" },
};

static const struct {
	const char *name;
	const char *ours;
} units[] = {
	{ "%", "percent" }, { "percentage", "percent" }, { "hz", "hertz" }, { "b", "bytes" },
	{ "bytes per second", "bytes/s" }, { "bytes/second", "bytes/s" }, { "b/s", "bytes/s" },
	{ "s", "seconds" },
};

/* What becomes of the counters of one GPU. */
struct maker {
	const struct xml_database *database;

	/* What the GPU may be called, as names and as search keys; the one that is found. */
	char products[MAX_CANDIDATES][64];
	char candidates[MAX_CANDIDATES][32];
	unsigned int candidate_count;

	/* The database says under which name it has the GPU. */
	bool has_key;
	const char *candidate;
	const char *product;
	unsigned int arch_major;
	unsigned int product_major;

	/* By row: it is written, with this description. */
	bool *is_row;
	const struct xml_info **row_infos;

	/* By description: it is a counter of this GPU, and the line that it is written to. */
	bool *is_derived;
	unsigned int *lines;

	/* Names that are taken, the number of the next line, and what is left out. */
	const char **names;
	size_t name_count;
	unsigned int line;
	unsigned int left_rows;
	unsigned int left_derived;
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_alnum(char c)
{
	return (is_letter(c) && c != '_') || is_digit(c);
}

bool xml_is_product(const char *text)
{
	const char *at;

	for (at = text; *at; at++)
		if ((*at == 'g' || *at == 'G') && is_digit(at[1]) &&
		    (at == text || !is_alnum(at[-1])))
			return true;
	return false;
}

/* Does a text name the product? Letters and digits of both are compared, "g61" is not in "g610". */
static bool names_product(const char *text, const char *candidate)
{
	const char *start, *at, *want;

	for (start = text; *start; start++) {
		want = candidate;
		for (at = start; *at && *want; at++) {
			if (is_alnum(*at)) {
				if (strncasecmp(at, want, 1))
					break;
				want++;
			} else if (at == start || *at == '\n') {
				break;
			}
		}
		if (!*want && !is_digit(*at))
			return true;
	}
	return false;
}

/* The search key of "Mali-G1-Pro" is "g1pro". */
static void add_candidate(struct maker *m, const char *name, size_t size)
{
	const char *from = memchr(name, '-', size), *end = name + size;
	char *candidate = m->candidates[m->candidate_count];
	char *product = m->products[m->candidate_count];
	size_t length = 0;
	unsigned int i;

	for (from = from ?: name; from < end; from++)
		if (is_alnum(*from) && length < sizeof(m->candidates[0]) - 1)
			candidate[length++] = *from >= 'A' && *from <= 'Z' ? *from + 32 : *from;
	candidate[length] = 0;
	for (i = 0; i < m->candidate_count; i++)
		if (!strcmp(m->candidates[i], candidate))
			return;
	snprintf(product, sizeof(m->products[0]), "%.*s", (int)size, name);
	if (length && m->candidate_count < MAX_CANDIDATES - 1)
		m->candidate_count++;
}

static void add_candidates(struct maker *m, const char *name)
{
	const char *end;

	while (name && (end = strstr(name, " / "))) {
		add_candidate(m, name, end - name);
		name = end + 3;
	}
	if (name)
		add_candidate(m, name, strlen(name));
}

/* What this GPU may be called: as the database says, and as the library does. */
static void find_candidates(struct maker *m, uint64_t gpu_id)
{
	struct panthor_perf_table *table;
	size_t i;

	for (i = 0; i < m->database->product_count; i++) {
		const struct xml_product *product = &m->database->products[i];

		if (product->arch_major != m->arch_major ||
		    product->product_major != m->product_major)
			continue;
		/* The layout of a product is that of its key alone: G610 has that of G710. */
		add_candidates(m, product->key ? product->key : product->name);
		m->has_key |= !!product->key;
	}
	if (m->has_key || panthor_perf_table_create_for_gpu(gpu_id, &table, NULL))
		return;
	add_candidates(m, panthor_perf_table_product(table, gpu_id, 0));
	/* With a single core. */
	add_candidates(m, panthor_perf_table_product(table, gpu_id, 1));
	panthor_perf_table_destroy(table);
}

static bool is_ours(const struct maker *m, const struct xml_row *row)
{
	return names_product(row->products, m->candidate);
}

/* Is the word one of the lines? */
static bool in_list(const char *list, const char *word)
{
	size_t size = strlen(word);

	while (list) {
		if (!strncasecmp(list, word, size) && (!list[size] || list[size] == '\n'))
			return true;
		list = strchr(list, '\n');
		list = list ? list + 1 : NULL;
	}
	return false;
}

static const struct xml_info *find_info(const struct maker *m, const struct xml_row *row)
{
	size_t i;

	for (i = 0; i < m->database->info_count; i++) {
		const struct xml_info *info = &m->database->infos[i];

		if (in_list(info->sources, row->source) &&
		    (!info->products || names_product(info->products, m->candidate)))
			return info;
	}
	return NULL;
}

/* Chooses rows and descriptions: of two rows with one index, or one source, the first. */
static void choose(struct maker *m)
{
	const struct xml_database *database = m->database;
	size_t i, j;

	for (i = 0; i < database->row_count; i++) {
		const struct xml_row *row = &database->rows[i];

		if (!is_ours(m, row))
			continue;
		for (j = 0; j < i; j++)
			if (m->is_row[j] && (!strcasecmp(database->rows[j].source, row->source) ||
					     (database->rows[j].index == row->index &&
					      database->rows[j].type == row->type)))
				break;
		m->is_row[i] = row->type && j == i;
		m->left_rows += !m->is_row[i];
		m->row_infos[i] = m->is_row[i] ? find_info(m, row) : NULL;
	}
	for (i = 0; i < database->info_count; i++) {
		const struct xml_info *info = &database->infos[i];

		m->is_derived[i] = info->equation && *info->equation &&
				   !strchr(info->equation, '#') &&
				   (!info->products || names_product(info->products, m->candidate));
	}
}

static bool is_name(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++)
		if (!is_letter(name[i]) && !(i && is_digit(name[i])))
			return false;
	return i && i <= MAX_NAME;
}

static bool is_taken(const struct maker *m, const char *name)
{
	size_t i;

	for (i = 0; i < m->name_count; i++)
		if (!strcasecmp(m->names[i], name))
			return true;
	return false;
}

static const char *xml_unit_of(const char *text)
{
	const char *unit;
	unsigned int i;

	for (i = 0; text && (unit = panthor_perf_unit_name(i)); i++) {
		size_t size = strlen(unit);

		/* The name, or the name without its s. */
		if (!strcasecmp(text, unit) ||
		    (size > 1 && unit[size - 1] == 's' && !strncasecmp(text, unit, size - 1) &&
		     !text[size - 1]))
			return unit;
	}
	for (i = 0; text && i < ARRAY_SIZE(units); i++)
		if (!strcasecmp(text, units[i].name))
			return units[i].ours;
	return "units";
}

/* A text in quotes, without what the reader would not take; another one if it is empty then. */
static void put_title(FILE *out, const char *title, const char *other)
{
	const char *at;
	bool empty = true;

	fputc('"', out);
	for (at = title; *at; at++)
		if (*at == '"' || (*at >= ' ' && *at <= '~')) {
			fputc(*at == '"' ? '\'' : *at, out);
			empty = false;
		}
	fprintf(out, "%s\"", empty ? other : "");
}

static void put_table_line(struct maker *m, FILE *out)
{
	fputc('\n', out);
	m->line++;
}

static bool put_row(struct maker *m, FILE *out, size_t i)
{
	const struct xml_row *row = &m->database->rows[i];
	const struct xml_info *info = m->row_infos[i];
	const char *name = info ? info->machine : row->source;

	if (row->index < FIRST_INDEX || row->index >= MAX_WORDS || !is_name(name) ||
	    is_taken(m, name))
		return false;
	m->names[m->name_count++] = name;
	fprintf(out, "%u %s %s ", row->index, name, xml_unit_of(info ? info->unit : NULL));
	put_title(out, info && info->title ? info->title : "", name);
	if (info && is_name(row->source))
		fprintf(out, " source %s", row->source);
	if (row->shift)
		fprintf(out, " shift %u", row->shift);
	put_table_line(m, out);
	return true;
}

/* Rows, by block. */
static void put_rows(struct maker *m, FILE *out)
{
	const struct xml_database *database = m->database;
	unsigned int type;
	size_t i;

	for (type = 1; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		fprintf(out, "block %s", panthor_perf_block_name(type));
		put_table_line(m, out);
		for (i = 0; i < database->row_count; i++)
			if (m->is_row[i] && database->rows[i].type == type && !put_row(m, out, i)) {
				m->is_row[i] = false;
				m->left_rows++;
			}
	}
}

/* The word at @text, without the '$' in front; its size. */
static size_t word_at(const char *text, const char **word)
{
	size_t size = 0;

	*word = text + (*text == '$');
	if (!is_letter(**word))
		return 0;
	while (is_letter((*word)[size]) || is_digit((*word)[size]))
		size++;
	return size;
}

static const char *constant_of(const char *word, size_t size)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(constants); i++)
		if (strlen(constants[i].name) == size && !strncmp(constants[i].name, word, size))
			return constants[i].ours;
	return NULL;
}

/* Are all names of an equation there already? */
static bool is_ready(const struct maker *m, const char *equation)
{
	const char *at, *word;
	char name[MAX_NAME + 1];
	size_t size;

	for (at = equation; *at; at += size ? (size_t)(word - at) + size : 1) {
		size = is_digit(*at) ? 0 : word_at(at, &word);
		if (!size)
			continue;
		if (size > MAX_NAME)
			return false;
		snprintf(name, sizeof(name), "%.*s", (int)size, word);
		if (strcasecmp(name, "min") && strcasecmp(name, "max") &&
		    !constant_of(word, size) && !is_taken(m, name))
			return false;
	}
	return true;
}

static void put_equation(FILE *out, const char *equation)
{
	const char *at, *word, *constant;
	size_t size;

	for (at = equation; *at; at += size ? (size_t)(word - at) + size : 1) {
		size = is_digit(*at) ? 0 : word_at(at, &word);
		if (!size) {
			fputc(*at, out);
			continue;
		}
		constant = constant_of(word, size);
		if (constant)
			fputs(constant, out);
		else
			fprintf(out, "%.*s", (int)size, word);
	}
}

static void put_derived(struct maker *m, FILE *out, size_t i)
{
	const struct xml_info *info = &m->database->infos[i];

	fputs("group ", out);
	put_title(out, info->group ?: "", "Derived");
	put_table_line(m, out);
	m->lines[i] = m->line;
	m->names[m->name_count++] = info->machine;
	fprintf(out, "derived %s %s ", info->machine, xml_unit_of(info->unit));
	put_title(out, info->title ?: "", info->machine);
	fputs(" = ", out);
	put_equation(out, info->equation);
	put_table_line(m, out);
}

/* Each below all that it names, as far as that can be. */
static void put_equations(struct maker *m, FILE *out)
{
	const struct xml_database *database = m->database;
	bool progress = true;
	size_t i;

	while (progress) {
		progress = false;
		for (i = 0; i < database->info_count; i++) {
			const struct xml_info *info = &database->infos[i];

			if (!m->is_derived[i] || m->lines[i] || !is_name(info->machine) ||
			    is_taken(m, info->machine) ||
			    !is_ready(m, info->equation))
				continue;
			put_derived(m, out, i);
			progress = true;
		}
	}
}

static unsigned int words_of(const struct maker *m)
{
	unsigned int words = 64;
	size_t i;

	for (i = 0; i < m->database->row_count; i++) {
		const struct xml_row *row = &m->database->rows[i];

		while (row->index < MAX_WORDS && row->index >= words && m->is_row[i])
			words *= 2;
	}
	return words;
}

/* The text of the table. To be freed. */
static char *make_text(struct maker *m, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		return NULL;
	memset(m->lines, 0, m->database->info_count * sizeof(*m->lines));
	m->name_count = 0;
	m->line = 5;
	fprintf(out, "panthor-perf-counters 1\ntable %s\nwords %u\nproduct %u.%u ", m->candidate,
		words_of(m), m->arch_major, m->product_major);
	put_title(out, m->product, m->candidate);
	fputc('\n', out);
	put_rows(m, out);
	put_equations(m, out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* The derived counter of a line is one that the reader does not take. */
static bool leave_out(struct maker *m, unsigned int line)
{
	size_t i;

	for (i = 0; i < m->database->info_count; i++)
		if (line && m->lines[i] == line) {
			m->is_derived[i] = false;
			m->left_derived++;
			return true;
		}
	return false;
}

static int fail_with(struct panthor_perf_error *error, const char *path, int err,
		     const char *message)
{
	*error = (struct panthor_perf_error)PANTHOR_PERF_ERROR_INIT;
	snprintf(error->file, sizeof(error->file), "%s", path);
	snprintf(error->text, sizeof(error->text), "%s", message);
	return err;
}

static int read_text(struct maker *m, const char *path, struct panthor_perf_table **table,
		     struct panthor_perf_error *error)
{
	for (;;) {
		char message[sizeof(error->text)];
		size_t size;
		char *text = make_text(m, &size);
		int ret;

		if (!text)
			return fail_with(error, path, -ENOMEM, "out of memory");
		ret = panthor_perf_table_create_from_text(text, size, path, table, error);
		free(text);
		if (ret != -EINVAL || leave_out(m, error->line)) {
			if (ret != -EINVAL)
				return ret;
			continue;
		}
		snprintf(message, sizeof(message), "this gives no table: %.200s", error->text);
		return fail_with(error, path, -EINVAL, message);
	}
}

static char *make_note(const struct maker *m)
{
	char *note = NULL;
	unsigned int left = m->left_derived;
	size_t i;

	for (i = 0; i < m->database->info_count; i++)
		left += m->is_derived[i] && !m->lines[i];
	if ((m->left_rows || left) &&
	    asprintf(&note, "%u counters and %u derived ones of %s are left out: they are there "
		     "twice, lack a block, or use what is not known", m->left_rows, left,
		     m->product) < 0)
		note = NULL;
	return note;
}

static bool find_layout(struct maker *m)
{
	unsigned int i;
	size_t row;

	for (i = 0; i < m->candidate_count; i++) {
		m->candidate = m->candidates[i];
		m->product = m->products[i];
		for (row = 0; row < m->database->row_count; row++)
			if (is_ours(m, &m->database->rows[row]))
				return true;
	}
	return false;
}

int xml_make_table(const struct xml_database *database, const char *path, uint64_t gpu_id,
		   struct panthor_perf_table **table, char **note,
		   struct panthor_perf_error *error)
{
	struct maker m = { .database = database };
	int ret;

	if (!database->row_count)
		return fail_with(error, path, -ENXIO, "there is no hardware layout in it: elements "
				 "with an index and a source name");
	panthor_perf_gpu_arch(gpu_id, &m.arch_major, &m.product_major);
	find_candidates(&m, gpu_id);
	if (!m.arch_major || !find_layout(&m))
		return fail_with(error, path, -ENXIO, "no hardware layout in it is for this GPU");

	m.is_row = calloc(database->row_count, sizeof(*m.is_row));
	m.row_infos = calloc(database->row_count, sizeof(*m.row_infos));
	m.is_derived = calloc(database->info_count + 1, sizeof(*m.is_derived));
	m.lines = calloc(database->info_count + 1, sizeof(*m.lines));
	m.names = calloc(database->info_count + database->row_count, sizeof(*m.names));
	if (m.is_row && m.row_infos && m.is_derived && m.lines && m.names) {
		choose(&m);
		ret = read_text(&m, path, table, error);
		if (!ret)
			*note = make_note(&m);
	} else {
		ret = fail_with(error, path, -ENOMEM, "out of memory");
	}
	free(m.is_row);
	free(m.row_infos);
	free(m.is_derived);
	free(m.lines);
	free(m.names);
	return ret;
}
