// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: The text of a table
 *
 * One parser reads the tables that are compiled in and those of the user. It walks over the text
 * once and leaves it as it is; what the table keeps of it, it keeps in a second copy, where each
 * word gets a zero behind it. tools/counters/README.md describes the text.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "expr.h"
#include "table.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define FORMAT_VERSION	1

struct parser {
	struct panthor_perf_table *table;
	const char *text;
	size_t size;
	size_t pos;
	size_t line_start;
	unsigned int line;

	/* The block that counters belong to; 0: none yet. */
	unsigned int type;
	const char *group;
	bool has_format;
	bool has_words;
	bool has_formulas;

	/* A word of a message, cut if it is long. */
	char quoted[41];

	struct panthor_perf_error *error;
};

/* A word, or what stands between quotes. */
struct token {
	size_t start;
	size_t size;
};

__attribute__((format(printf, 4, 5)))
static int fail_at(struct parser *p, size_t pos, int err, const char *format, ...)
{
	va_list args;

	p->error->line = p->line;
	p->error->column = pos - p->line_start + 1;
	va_start(args, format);
	vsnprintf(p->error->message, sizeof(p->error->message), format, args);
	va_end(args);
	return err;
}

/* What is found, for a message. */
static const char *quote(struct parser *p, const struct token *token)
{
	snprintf(p->quoted, sizeof(p->quoted), "%.*s", (int)token->size, p->text + token->start);
	return p->quoted;
}

static bool at_end(const struct parser *p)
{
	return p->pos == p->size;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* At the end of the line, but for blanks and a comment? Goes there. */
static bool at_line_end(struct parser *p)
{
	while (!at_end(p) && is_blank(p->text[p->pos]))
		p->pos++;
	if (!at_end(p) && p->text[p->pos] == '#')
		while (!at_end(p) && p->text[p->pos] != '\n')
			p->pos++;
	return at_end(p) || p->text[p->pos] == '\n';
}

static void next_line(struct parser *p)
{
	p->pos++;
	p->line++;
	p->line_start = p->pos;
}

static int need_word(struct parser *p, struct token *token, const char *what)
{
	if (at_line_end(p))
		return fail_at(p, p->pos, -EINVAL, "%s is expected", what);
	token->start = p->pos;
	if (p->text[p->pos] == '"')
		return fail_at(p, p->pos, -EINVAL, "%s is expected, without quotes", what);
	while (!at_end(p) && !is_blank(p->text[p->pos]) && p->text[p->pos] != '\n') {
		unsigned char c = p->text[p->pos];

		if (c < ' ' || c > '~')
			return fail_at(p, p->pos, -EINVAL, "unexpected byte 0x%02x: %s is expected",
				       c, what);
		p->pos++;
	}
	token->size = p->pos - token->start;
	return 0;
}

static bool is_word(const struct parser *p, const struct token *token, const char *word)
{
	return strlen(word) == token->size && !memcmp(p->text + token->start, word, token->size);
}

/* What the table keeps of the text. */
static const char *keep(struct parser *p, const struct token *token)
{
	p->table->strings[token->start + token->size] = 0;
	return p->table->strings + token->start;
}

/* Bytes of the UTF-8 character at @text; 0 if there is none. */
static size_t utf8_size(const unsigned char *text, size_t size)
{
	uint32_t code;
	size_t i, length;

	if (text[0] < 0x80)
		return text[0] >= ' ' && text[0] != 0x7f;
	length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	if (text[0] < 0xc2 || text[0] > 0xf4 || length > size)
		return 0;
	code = text[0] & (0x7f >> length);
	for (i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	/* Control characters, what would fit into fewer bytes, surrogates, beyond the last one. */
	if (code < 0xa0 || (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) ||
	    (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	return length;
}

static int need_quoted(struct parser *p, const char **text, const char *what)
{
	struct token token;

	if (at_line_end(p) || p->text[p->pos] != '"')
		return fail_at(p, p->pos, -EINVAL, "%s in quotes is expected", what);
	token.start = ++p->pos;
	while (!at_end(p) && p->text[p->pos] != '"' && p->text[p->pos] != '\n') {
		size_t length = utf8_size((const unsigned char *)p->text + p->pos,
					  p->size - p->pos);

		if (!length)
			return fail_at(p, p->pos, -EINVAL, "byte 0x%02x is no UTF-8 text",
				       (unsigned char)p->text[p->pos]);
		p->pos += length;
	}
	token.size = p->pos - token.start;
	if (at_end(p) || p->text[p->pos] == '\n')
		return fail_at(p, token.start - 1, -EINVAL, "the quotes are not closed");
	if (!token.size)
		return fail_at(p, p->pos, -EINVAL, "%s is empty", what);
	p->pos++;
	if (!at_end(p) && !is_blank(p->text[p->pos]) && p->text[p->pos] != '\n')
		return fail_at(p, p->pos, -EINVAL, "a blank is expected behind the quotes");
	*text = keep(p, &token);
	return 0;
}

/* Reads digits from @start to @end. */
static int read_number(struct parser *p, size_t start, size_t end, unsigned int min,
		       unsigned int max, const char *what, unsigned int *number)
{
	uint64_t value = 0;
	size_t i;

	for (i = start; i < end; i++) {
		if (p->text[i] < '0' || p->text[i] > '9')
			return fail_at(p, i, -EINVAL, "unexpected '%c': %s is a number",
				       p->text[i], what);
		if (value <= max)
			value = 10 * value + (p->text[i] - '0');
	}
	if (start == end)
		return fail_at(p, start, -EINVAL, "%s is expected", what);
	if (value < min || value > max)
		return fail_at(p, start, -EINVAL, "%s is out of its range, %u to %u", what, min,
			       max);
	*number = value;
	return 0;
}

static int need_number(struct parser *p, unsigned int min, unsigned int max, const char *what,
		       unsigned int *number)
{
	struct token token;
	int ret = need_word(p, &token, what);

	return ret ?: read_number(p, token.start, token.start + token.size, min, max, what, number);
}

static int check_name(struct parser *p, const struct token *token)
{
	size_t i;

	for (i = 0; i < token->size; i++) {
		char c = p->text[token->start + i];

		if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' &&
		    (!i || c < '0' || c > '9'))
			return fail_at(p, token->start + i, -EINVAL,
				       "unexpected '%c': a name has letters, digits and '_'%s", c,
				       i ? "" : ", and no digit in front");
	}
	if (token->size > TABLE_MAX_NAME)
		return fail_at(p, token->start, -EINVAL, "a name has at most %d letters",
			       TABLE_MAX_NAME);
	if (expr_is_reserved(p->text + token->start, token->size))
		return fail_at(p, token->start, -EINVAL,
			       "'%s' is a function or a constant of formulas", quote(p, token));
	return 0;
}

static int need_name(struct parser *p, struct token *token, const char *what)
{
	int ret = need_word(p, token, what);

	return ret ?: check_name(p, token);
}

/* Appends a counter to its list. */
static struct panthor_perf_counter *add_counter(struct parser *p,
						const struct panthor_perf_counter *counter)
{
	struct table_list *list = &p->table->lists[counter->kind];

	if (list->count == list->room) {
		uint32_t room = list->room ? 2 * list->room : 64;
		struct panthor_perf_counter *counters;

		counters = reallocarray(list->counters, room, sizeof(*counters));
		if (!counters) {
			fail_at(p, p->pos, -ENOMEM, "out of memory");
			return NULL;
		}
		list->counters = counters;
		list->room = room;
	}
	list->counters[list->count] = *counter;
	list->counters[list->count].number = list->count;
	return &list->counters[list->count++];
}

static int index_name(struct parser *p, const struct panthor_perf_counter *counter,
		      const struct token *token, bool is_source)
{
	int ret = table_index(p->table, counter, is_source);

	if (ret == -EEXIST)
		return fail_at(p, token->start, -EINVAL, "the %s '%s' is there twice",
			       is_source ? "source" : "name", quote(p, token));
	if (ret)
		return fail_at(p, token->start, ret, "out of memory");
	return 0;
}

/* What may stand behind the title of a counter: words with a value each. */
static int parse_attributes(struct parser *p, struct panthor_perf_counter *counter,
			    struct token *source)
{
	bool hardware = counter->kind == PANTHOR_PERF_COUNTER_HARDWARE;
	enum { SOURCE = 1, ID = 2, SHIFT = 4, SET = 8, CORE = 16 };
	unsigned int number, seen = 0, bit;
	struct token token;
	int ret, set;

	while (!at_line_end(p)) {
		if (p->text[p->pos] == '=' && !hardware)
			return 0;
		ret = need_word(p, &token, hardware ? "source, id, shift or set" :
						      "source, core or '='");
		if (ret)
			return ret;
		if (is_word(p, &token, "source")) {
			bit = SOURCE;
			ret = need_name(p, source, "the source of the counter");
			if (!ret)
				counter->source = keep(p, source);
		} else if (hardware && is_word(p, &token, "id")) {
			bit = ID;
			ret = need_number(p, 0, INT32_MAX, "the id", &number);
			counter->stable_id = number;
		} else if (hardware && is_word(p, &token, "shift")) {
			bit = SHIFT;
			ret = need_number(p, 1, 31, "the shift", &number);
			counter->shift = number;
		} else if (hardware && is_word(p, &token, "set")) {
			struct token value;

			bit = SET;
			ret = need_word(p, &value, "the counter set");
			if (ret)
				return ret;
			set = panthor_perf_set_find(quote(p, &value));
			if (set < 0)
				return fail_at(p, value.start, -EINVAL, "unknown counter set '%s': "
					       "primary, secondary or tertiary is expected",
					       quote(p, &value));
			counter->set = set;
		} else if (!hardware && is_word(p, &token, "core")) {
			bit = CORE;
			counter->core = true;
		} else {
			return fail_at(p, token.start, -EINVAL, "unexpected '%s': %s is expected",
				       quote(p, &token), hardware ?
				       "source, id, shift or set" : "source, core or '='");
		}
		if (ret)
			return ret;
		if (seen & bit)
			return fail_at(p, token.start, -EINVAL, "'%s' is there twice",
				       quote(p, &token));
		seen |= bit;
	}
	return 0;
}

/* UNIT "TITLE" and what follows. */
static int parse_description(struct parser *p, struct panthor_perf_counter *counter,
			     struct token *source)
{
	struct token token;
	int ret;

	ret = need_word(p, &token, "the unit");
	if (ret)
		return ret;
	counter->unit = table_unit(p->text + token.start, token.size);
	if (!counter->unit)
		return fail_at(p, token.start, -EINVAL, "unknown unit '%s'", quote(p, &token));
	ret = need_quoted(p, &counter->title, "the title");
	return ret ?: parse_attributes(p, counter, source);
}

/* INDEX NAME UNIT "TITLE" ... */
static int parse_counter(struct parser *p, const struct token *first)
{
	struct panthor_perf_counter counter = {
		.kind = PANTHOR_PERF_COUNTER_HARDWARE,
		.type = p->type,
		.stable_id = -1,
	};
	struct panthor_perf_table *table = p->table;
	const struct panthor_perf_counter *added, *other;
	struct token name, source;
	unsigned int index;
	uint32_t *place;
	int ret;

	if (!p->type)
		return fail_at(p, first->start, -EINVAL,
			       "a line 'block NAME' is expected before the first counter");
	ret = read_number(p, first->start, first->start + first->size, TABLE_FIRST_INDEX,
			  table->words - 1, "the index", &index);
	if (ret)
		return ret;
	counter.index = index;
	ret = need_name(p, &name, "the name of the counter");
	if (ret)
		return ret;
	counter.name = keep(p, &name);
	ret = parse_description(p, &counter, &source);
	if (ret)
		return ret;

	place = &table->places[table_place(table, counter.set, counter.type, index)];
	if (*place) {
		other = &table->lists[PANTHOR_PERF_COUNTER_HARDWARE].counters[*place - 1];
		return fail_at(p, first->start, -EINVAL,
			       "index %u of %s is that of '%s' already", index,
			       panthor_perf_block_name(p->type), other->name);
	}
	added = add_counter(p, &counter);
	if (!added)
		return -ENOMEM;
	*place = added->number + 1;
	ret = index_name(p, added, &name, false);
	if (!ret && added->source)
		ret = index_name(p, added, &source, true);
	return ret;
}

static int compare_places(const void *a, const void *b)
{
	const struct panthor_perf_counter *left = a, *right = b;

	if (left->type != right->type)
		return left->type - right->type;
	if (left->set != right->set)
		return left->set - right->set;
	return left->index - right->index;
}

/* Numbers the hardware counters for good. */
static void sort_counters(struct panthor_perf_table *table)
{
	struct table_list *list = &table->lists[PANTHOR_PERF_COUNTER_HARDWARE];
	uint32_t i;

	if (!list->count)
		return;
	qsort(list->counters, list->count, sizeof(*list->counters), compare_places);
	for (i = 0; i < list->count; i++) {
		struct panthor_perf_counter *counter = &list->counters[i];

		counter->number = i;
		table->places[table_place(table, counter->set, counter->type, counter->index)] =
			i + 1;
	}
	table_reindex(table);
}

/* The formula on one line, without comments, in the copy of the text. */
static const char *keep_formula(struct parser *p, size_t start, size_t end)
{
	char *out = p->table->strings + start, *to = out;
	bool blank = false;
	size_t i;

	for (i = start; i < end; i++) {
		char c = p->text[i];

		if (c == '#')
			while (i + 1 < end && p->text[i + 1] != '\n')
				i++;
		if (c == '#' || is_blank(c) || c == '\n') {
			blank = true;
			continue;
		}
		if (blank && to != out)
			*to++ = ' ';
		blank = false;
		*to++ = c;
	}
	*to = 0;
	return out;
}

/* A line that goes on with the formula: indented, and not empty. */
static bool continues(const struct parser *p, size_t pos)
{
	if (pos >= p->size || (p->text[pos] != ' ' && p->text[pos] != '\t'))
		return false;
	while (pos < p->size && is_blank(p->text[pos]))
		pos++;
	return pos < p->size && p->text[pos] != '\n';
}

/* = FORMULA, over all lines that are indented. */
static int parse_formula(struct parser *p, struct panthor_perf_counter *counter)
{
	struct panthor_perf_expr *expr;
	struct expr_fault info;
	size_t start, end, i;
	int ret;

	if (at_line_end(p) && continues(p, p->pos + 1)) {
		next_line(p);
		at_line_end(p);
	}
	if (at_end(p) || p->text[p->pos] != '=')
		return fail_at(p, p->pos, -EINVAL, "'=' and a formula are expected");
	start = ++p->pos;
	for (end = start;; end++) {
		while (end < p->size && p->text[end] != '\n')
			end++;
		if (!continues(p, end + 1))
			break;
	}

	ret = expr_compile(p->table, p->text + start, end - start, &expr, &info);
	if (ret)
		end = start + info.offset;
	for (i = start; i < end; i++) {
		p->pos = i;
		if (p->text[i] == '\n')
			next_line(p);
	}
	p->pos = end;
	if (ret)
		return fail_at(p, end, ret == -E2BIG ? -EINVAL : ret, "%s", info.message);
	counter->expr = expr;
	p->table->op_count += expr->op_count;
	counter->formula = keep_formula(p, start, end);
	return 0;
}

/* derived NAME UNIT "TITLE" ..., define NAME */
static int parse_derived(struct parser *p, unsigned int kind)
{
	struct panthor_perf_counter counter = {
		.kind = kind,
		.title = "",
		.unit = "",
		.stable_id = -1,
	};
	const struct panthor_perf_counter *added;
	struct token name, source;
	unsigned int line;
	size_t line_start;
	int ret;

	ret = need_name(p, &name, "a name");
	if (ret)
		return ret;
	counter.name = keep(p, &name);
	if (kind == PANTHOR_PERF_COUNTER_DERIVED) {
		counter.group = p->group;
		ret = parse_description(p, &counter, &source);
		if (ret)
			return ret;
	}
	if (p->table->lists[kind].count == TABLE_MAX_FORMULAS || p->table->op_count > TABLE_MAX_OPS)
		return fail_at(p, name.start, -EINVAL,
			       "there are more than %d formulas, or %u operations in them",
			       TABLE_MAX_FORMULAS, TABLE_MAX_OPS);
	if (!p->has_formulas)
		sort_counters(p->table);
	p->has_formulas = true;

	line = p->line;
	line_start = p->line_start;
	ret = parse_formula(p, &counter);
	if (ret)
		return ret;
	added = add_counter(p, &counter);
	if (!added) {
		panthor_perf_expr_free((void *)counter.expr);
		return -ENOMEM;
	}
	ret = index_name(p, added, &name, false);
	if (!ret && added->source)
		ret = index_name(p, added, &source, true);
	if (ret) {
		/* The name is not where the formula ends. */
		p->error->column += p->line_start - line_start;
		p->error->line = line;
	}
	return ret;
}

static int parse_block(struct parser *p)
{
	struct token token;
	unsigned int type;
	int ret;

	if (!p->has_words)
		return fail_at(p, p->pos, -EINVAL,
			       "a line 'words NUMBER' is expected before the first block");
	if (p->has_formulas)
		return fail_at(p, p->pos, -EINVAL, "blocks are expected above all formulas");
	ret = need_word(p, &token, "a block type");
	if (ret)
		return ret;
	for (type = 1; type < TABLE_TYPES; type++)
		if (is_word(p, &token, panthor_perf_block_name(type)))
			break;
	if (type == TABLE_TYPES)
		return fail_at(p, token.start, -EINVAL, "unknown block type '%s': fw, cshw, "
			       "tiler, memsys, shader, neural or csg is expected",
			       quote(p, &token));
	p->type = type;
	return 0;
}

static int parse_words(struct parser *p)
{
	struct panthor_perf_table *table = p->table;
	size_t start = p->pos;
	unsigned int words;
	int ret;

	if (p->has_words)
		return fail_at(p, start, -EINVAL, "'words' is there twice");
	ret = need_number(p, 8, TABLE_MAX_WORDS, "the number of counters of a block", &words);
	if (ret)
		return ret;
	if (words % 4)
		return fail_at(p, start, -EINVAL, "%u is no multiple of 4", words);
	table->places = calloc((size_t)TABLE_TYPES * TABLE_SETS * words, sizeof(*table->places));
	if (!table->places)
		return fail_at(p, start, -ENOMEM, "out of memory");
	table->words = words;
	p->has_words = true;
	return 0;
}

static int parse_table(struct parser *p)
{
	struct token token;
	int ret;

	if (p->table->name)
		return fail_at(p, p->pos, -EINVAL, "'table' is there twice");
	ret = need_name(p, &token, "the name of the table");
	if (!ret)
		p->table->name = keep(p, &token);
	return ret;
}

/* product MAJOR.PRODUCT "NAME" [below CORES] */
static int parse_product(struct parser *p)
{
	struct table_product product = { .line = p->line };
	struct panthor_perf_table *table = p->table;
	struct token token;
	unsigned int i;
	const char *dot;
	size_t end;
	int ret;

	ret = need_word(p, &token, "the number of the product, such as 10.7,");
	if (ret)
		return ret;
	dot = memchr(p->text + token.start, '.', token.size);
	if (!dot)
		return fail_at(p, token.start, -EINVAL,
			       "'%s' is no number of a product, such as 10.7", quote(p, &token));
	end = token.start + token.size;
	ret = read_number(p, token.start, dot - p->text, 1, 255, "the architecture",
			  &product.arch_major);
	if (!ret)
		ret = read_number(p, dot - p->text + 1, end, 0, 255, "the product",
				  &product.product_major);
	if (!ret)
		ret = need_quoted(p, &product.name, "the name of the product");
	if (ret)
		return ret;
	if (!at_line_end(p)) {
		struct token below;

		ret = need_word(p, &below, "below");
		if (!ret && !is_word(p, &below, "below"))
			ret = fail_at(p, below.start, -EINVAL,
				      "unexpected '%s': below, or the end of the line, is expected",
				      quote(p, &below));
		if (!ret)
			ret = need_number(p, 1, 64, "the number of cores", &product.below);
		if (ret)
			return ret;
	}
	for (i = 0; i < table->product_count; i++)
		if (table->products[i].arch_major == product.arch_major &&
		    table->products[i].product_major == product.product_major &&
		    table->products[i].below == product.below)
			return fail_at(p, token.start, -EINVAL, "the product %u.%u is there twice",
				       product.arch_major, product.product_major);
	if (table->product_count == TABLE_MAX_PRODUCTS)
		return fail_at(p, token.start, -EINVAL, "there are more than %d products",
			       TABLE_MAX_PRODUCTS);
	table->products[table->product_count++] = product;
	return 0;
}

static int parse_statement(struct parser *p)
{
	static const char expected[] =
		"table, words, product, block, group, derived, define or the index of a counter";
	struct token token;
	int ret;

	ret = need_word(p, &token, expected);
	if (ret)
		return ret;
	if (!p->has_format) {
		unsigned int version;

		if (!is_word(p, &token, "panthor-perf-counters"))
			return fail_at(p, token.start, -EINVAL,
				       "'panthor-perf-counters %d' is expected on the first line",
				       FORMAT_VERSION);
		p->has_format = true;
		return need_number(p, FORMAT_VERSION, FORMAT_VERSION, "the version of the format",
				   &version);
	}
	if (p->text[token.start] >= '0' && p->text[token.start] <= '9')
		return parse_counter(p, &token);
	if (is_word(p, &token, "table"))
		return parse_table(p);
	if (is_word(p, &token, "words"))
		return parse_words(p);
	if (is_word(p, &token, "product"))
		return parse_product(p);
	if (is_word(p, &token, "block"))
		return parse_block(p);
	if (is_word(p, &token, "group"))
		return need_quoted(p, &p->group, "the name of the group");
	if (is_word(p, &token, "derived"))
		return parse_derived(p, PANTHOR_PERF_COUNTER_DERIVED);
	if (is_word(p, &token, "define"))
		return parse_derived(p, PANTHOR_PERF_COUNTER_DEFINE);
	return fail_at(p, token.start, -EINVAL, "unexpected '%s': %s is expected",
		       quote(p, &token), expected);
}

/* What a table must have. */
static int check_table(struct parser *p)
{
	const struct panthor_perf_table *table = p->table;
	unsigned int i, j;

	if (!p->has_format)
		return fail_at(p, p->pos, -EINVAL, "'panthor-perf-counters %d' is expected",
			       FORMAT_VERSION);
	if (!table->name)
		return fail_at(p, p->pos, -EINVAL, "a line 'table NAME' is expected");
	if (!p->has_words)
		return fail_at(p, p->pos, -EINVAL, "a line 'words NUMBER' is expected");
	if (!table->product_count)
		return fail_at(p, p->pos, -EINVAL, "a line 'product NUMBER \"NAME\"' is expected");
	for (i = 0; i < table->product_count; i++) {
		const struct table_product *product = &table->products[i];

		for (j = 0; j < table->product_count; j++)
			if (table->products[j].arch_major == product->arch_major &&
			    table->products[j].product_major == product->product_major &&
			    !table->products[j].below)
				break;
		if (j < table->product_count)
			continue;
		p->line = product->line;
		p->error->column = 0;
		fail_at(p, p->line_start, -EINVAL,
			"the product %u.%u has no name for more cores", product->arch_major,
			product->product_major);
		p->error->column = 1;
		return -EINVAL;
	}
	return 0;
}

static int parse(struct parser *p)
{
	int ret;

	for (;;) {
		if (!at_line_end(p)) {
			ret = parse_statement(p);
			if (ret)
				return ret;
			if (!at_line_end(p))
				return fail_at(p, p->pos, -EINVAL,
					       "the end of the line is expected");
		}
		if (at_end(p))
			break;
		next_line(p);
	}
	if (!p->has_formulas)
		sort_counters(p->table);
	return check_table(p);
}

int panthor_perf_table_parse(const char *text, size_t size, const char *file,
			     struct panthor_perf_table **table, struct panthor_perf_error *error)
{
	struct panthor_perf_error unused;
	struct parser p = { .size = size, .line = 1, .error = error ?: &unused };
	int ret;

	memset(p.error, 0, sizeof(*p.error));
	snprintf(p.error->file, sizeof(p.error->file), "%s", file ?: "");
	if (size > PANTHOR_PERF_TABLE_MAX_SIZE) {
		snprintf(p.error->message, sizeof(p.error->message),
			 "the text of a table has at most %u MiB",
			 PANTHOR_PERF_TABLE_MAX_SIZE >> 20);
		return -EFBIG;
	}

	p.table = calloc(1, sizeof(*p.table));
	if (p.table) {
		p.table->text = malloc(size + 1);
		p.table->strings = malloc(size + 1);
		p.table->file = strdup(file ?: "");
	}
	if (!p.table || !p.table->text || !p.table->strings || !p.table->file) {
		panthor_perf_table_free(p.table);
		return fail_at(&p, 0, -ENOMEM, "out of memory");
	}
	memcpy(p.table->text, text, size);
	p.table->text[size] = 0;
	memcpy(p.table->strings, p.table->text, size + 1);
	p.table->size = size;
	p.text = p.table->text;

	ret = parse(&p);
	if (ret) {
		panthor_perf_table_free(p.table);
		return ret;
	}
	*table = p.table;
	return 0;
}
