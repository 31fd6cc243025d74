// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: The text of a table
 *
 * One parser reads the tables that are compiled in and those of the user. It walks over the text
 * once and does not change it. The table keeps its words in a second copy, where a zero terminates
 * each word. tools/counters/README.md describes the text.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "expr.h"
#include "internal.h"
#include "table.h"
#include "table_scan.h"

#define FORMAT_VERSION	1

struct parser {
	struct scan scan;
	struct panthor_perf_table *table;

	/* The block that counters belong to; 0: none yet. */
	unsigned int type;
	const char *group;
	bool has_format;
	bool has_words;
	bool has_formulas;
};

static int check_name(struct parser *p, const struct scan_token *token)
{
	struct scan *s = &p->scan;
	size_t i;

	for (i = 0; i < token->size; i++) {
		char c = s->text[token->start + i];

		if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' &&
		    (!i || c < '0' || c > '9'))
			return scan_fail(s, token->start + i, -EINVAL,
					 "unexpected '%c': a name has letters, digits and '_'%s", c,
					 i ? "" : ", and no digit in front");
	}
	if (token->size > TABLE_MAX_NAME)
		return scan_fail(s, token->start, -EINVAL, "a name has at most %d letters",
				 TABLE_MAX_NAME);
	if (expr_is_reserved(s->text + token->start, token->size))
		return scan_fail(s, token->start, -EINVAL,
				 "'%s' is a function or a constant of formulas",
				 scan_cut(s, token));
	return 0;
}

static int need_name(struct parser *p, struct scan_token *token, const char *what)
{
	struct scan *s = &p->scan;
	int ret = scan_word(s, token, what);

	return ret ?: check_name(p, token);
}

/* Appends a counter to its list. */
static struct panthor_perf_counter *add_counter(struct parser *p,
						const struct panthor_perf_counter *counter)
{
	struct scan *s = &p->scan;
	struct table_list *list = &p->table->lists[counter->kind];

	if (list->count == list->room) {
		uint32_t room = list->room ? 2 * list->room : 64;
		struct panthor_perf_counter *counters;

		counters = reallocarray(list->counters, room, sizeof(*counters));
		if (!counters) {
			scan_fail(s, s->pos, -ENOMEM, "out of memory");
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
		      const struct scan_token *token, bool is_source)
{
	struct scan *s = &p->scan;
	int ret = table_index(p->table, counter, is_source);

	if (ret == -EEXIST)
		return scan_fail(s, token->start, -EINVAL, "the %s '%s' is there twice",
				 is_source ? "source" : "name", scan_cut(s, token));
	if (ret)
		return scan_fail(s, token->start, ret, "out of memory");
	return 0;
}

/* Attributes of a counter: bits of those that were there. */
enum {
	SOURCE = 1 << 0,
	ID = 1 << 1,
	SHIFT = 1 << 2,
	SET = 1 << 3,
	DEFAULT = 1 << 4,
	LIMIT = 1 << 5,
	HIGH = 1 << 6,
	OF = 1 << 7,
};

static int parse_set(struct parser *p, struct panthor_perf_counter *counter)
{
	struct scan *s = &p->scan;
	struct scan_token value;
	int ret, set;

	ret = scan_word(s, &value, "the counter set");
	if (ret)
		return ret;
	set = panthor_perf_set_find(scan_cut(s, &value));
	if (set < 0)
		return scan_fail(s, value.start, -EINVAL,
				 "unknown counter set '%s': "
				 "primary, secondary or tertiary is expected",
				 scan_cut(s, &value));
	counter->set = set;
	return 0;
}

/* The kind of the counters that a limit is about. */
static unsigned int kind_of_limit(unsigned int limit)
{
	return limit == PANTHOR_PERF_LIMIT_IMBALANCE ? PANTHOR_PERF_COUNTER_HARDWARE
						     : PANTHOR_PERF_COUNTER_DERIVED;
}

/* KIND "TEXT" */
static int parse_limit(struct parser *p, struct panthor_perf_counter *counter)
{
	bool hardware = counter->kind == PANTHOR_PERF_COUNTER_HARDWARE;
	struct scan *s = &p->scan;
	struct scan_token token;
	unsigned int i;
	int ret;

	ret = scan_word(s, &token, "the kind of the limit");
	if (ret)
		return ret;
	for (i = 1; i < PANTHOR_PERF_LIMITS; i++)
		if (kind_of_limit(i) == counter->kind &&
		    scan_is(s, &token, panthor_perf_limit_name(i)))
			break;
	if (i == PANTHOR_PERF_LIMITS)
		return scan_fail(s, token.start, -EINVAL, "unknown limit '%s': %s is expected",
				 scan_cut(s, &token),
				 hardware ? "imbalance" :
					    "unit, stall, bandwidth, busy or queue");
	counter->limit = i;
	return scan_quoted(s, &counter->limit_text, "the text of the limit");
}

/* NAME of a derived counter above */
static int parse_of(struct parser *p, struct panthor_perf_counter *counter)
{
	struct scan *s = &p->scan;
	const struct panthor_perf_counter *of;
	struct scan_token token;
	int ret;

	ret = scan_word(s, &token, "the name of a derived counter");
	if (ret)
		return ret;
	of = table_find(p->table, s->text + token.start, token.size, false);
	if (!of || of->kind != PANTHOR_PERF_COUNTER_DERIVED || strcmp(of->unit, "percent"))
		return scan_fail(s, token.start, -EINVAL,
				 "'%s' is no derived counter in percent above this one",
				 scan_cut(s, &token));
	counter->of = of->name;
	return 0;
}

static const char *expected_attributes(const struct panthor_perf_counter *counter)
{
	return counter->kind == PANTHOR_PERF_COUNTER_HARDWARE ?
	       "source, id, shift, set, limit or high" :
	       "source, default, limit, of, high or '='";
}

/* Reads the value of an attribute. Returns its bit, or a negative errno with a message. */
static int parse_attribute(struct parser *p, struct panthor_perf_counter *counter,
			   const struct scan_token *word, struct scan_token *source)
{
	bool hardware = counter->kind == PANTHOR_PERF_COUNTER_HARDWARE;
	struct scan *s = &p->scan;
	unsigned int number;
	int ret;

	if (scan_is(s, word, "source")) {
		ret = need_name(p, source, "the source of the counter");
		if (!ret)
			counter->source = scan_keep(s, source);
		return ret ?: SOURCE;
	}
	if (scan_is(s, word, "limit"))
		return parse_limit(p, counter) ?: LIMIT;
	if (scan_is(s, word, "high")) {
		/* The largest of many values may be several times their mean. */
		ret = scan_number(s, 1, hardware ? 1000 : 100, "the threshold", &counter->high);
		return ret ?: HIGH;
	}
	if (hardware && scan_is(s, word, "id")) {
		ret = scan_number(s, 0, INT32_MAX, "the id", &number);
		counter->stable_id = number;
		return ret ?: ID;
	}
	if (hardware && scan_is(s, word, "shift")) {
		ret = scan_number(s, 1, 31, "the shift", &number);
		counter->shift = number;
		return ret ?: SHIFT;
	}
	if (hardware && scan_is(s, word, "set"))
		return parse_set(p, counter) ?: SET;
	if (!hardware && scan_is(s, word, "of"))
		return parse_of(p, counter) ?: OF;
	if (!hardware && scan_is(s, word, "default")) {
		counter->is_default = true;
		return DEFAULT;
	}
	return scan_fail(s, word->start, -EINVAL, "unexpected '%s': %s is expected",
			 scan_cut(s, word), expected_attributes(counter));
}

/* What may stand behind the title of a counter: words, most of them with a value. */
static int parse_attributes(struct parser *p, struct panthor_perf_counter *counter,
			    struct scan_token *source)
{
	bool hardware = counter->kind == PANTHOR_PERF_COUNTER_HARDWARE;
	/* What a limit is a share or a difference of. */
	const char *unit = hardware ? "cycles" : "percent";
	bool fits = !strcmp(counter->unit, unit);
	struct scan *s = &p->scan;
	struct scan_token token, high = { 0 };
	unsigned int seen = 0;
	int bit;

	while (!scan_line_end(s)) {
		if (s->text[s->pos] == '=' && !hardware)
			break;
		bit = scan_word(s, &token, expected_attributes(counter));
		if (bit)
			return bit;
		bit = parse_attribute(p, counter, &token, source);
		if (bit < 0)
			return bit;
		if (seen & bit)
			return scan_fail(s, token.start, -EINVAL, "'%s' is there twice",
					 scan_cut(s, &token));
		if (!fits && bit & (LIMIT | HIGH | OF))
			return scan_fail(s, token.start, -EINVAL, "'%s' needs the unit %s",
					 scan_cut(s, &token), unit);
		if (bit == HIGH)
			high = token;
		seen |= bit;
	}
	if (hardware && (seen & (LIMIT | HIGH)) == HIGH)
		return scan_fail(s, high.start, -EINVAL, "'high' needs a limit");
	return 0;
}

/* UNIT "TITLE" and what follows. */
static int parse_description(struct parser *p, struct panthor_perf_counter *counter,
			     struct scan_token *source)
{
	struct scan *s = &p->scan;
	struct scan_token token;
	int ret;

	ret = scan_word(s, &token, "the unit");
	if (ret)
		return ret;
	counter->unit = table_unit(s->text + token.start, token.size);
	if (!counter->unit)
		return scan_fail(s, token.start, -EINVAL, "unknown unit '%s'", scan_cut(s, &token));
	ret = scan_quoted(s, &counter->title, "the title");
	return ret ?: parse_attributes(p, counter, source);
}

/* INDEX NAME UNIT "TITLE" ... */
static int parse_counter(struct parser *p, const struct scan_token *first)
{
	struct scan *s = &p->scan;
	struct panthor_perf_counter counter = {
		.kind = PANTHOR_PERF_COUNTER_HARDWARE,
		.type = p->type,
		.stable_id = -1,
	};
	struct panthor_perf_table *table = p->table;
	const struct panthor_perf_counter *added, *other;
	struct scan_token name, source;
	unsigned int index;
	uint32_t *place;
	int ret;

	if (p->has_formulas)
		return scan_fail(s, first->start, -EINVAL,
				 "counters are expected above all formulas");
	if (!p->type)
		return scan_fail(s, first->start, -EINVAL,
				 "a line 'block NAME' is expected before the first counter");
	ret = scan_digits(s, first->start, first->start + first->size, TABLE_FIRST_INDEX,
			  table->words - 1, "the index", &index);
	if (ret)
		return ret;
	counter.index = index;
	ret = need_name(p, &name, "the name of the counter");
	if (ret)
		return ret;
	counter.name = scan_keep(s, &name);
	ret = parse_description(p, &counter, &source);
	if (ret)
		return ret;

	place = &table->places[table_place(table, counter.set, counter.type, index)];
	if (*place) {
		other = &table->lists[PANTHOR_PERF_COUNTER_HARDWARE].counters[*place - 1];
		return scan_fail(s, first->start, -EINVAL, "index %u of %s is that of '%s' already",
				 index, panthor_perf_block_name(p->type), other->name);
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
	struct scan *s = &p->scan;
	char *out = p->table->strings + start, *to = out;
	bool blank = false;
	size_t i;

	for (i = start; i < end; i++) {
		char c = s->text[i];

		if (c == '#')
			while (i + 1 < end && s->text[i + 1] != '\n')
				i++;
		if (c == '#' || scan_is_blank(c) || c == '\n') {
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
	const char *text = p->scan.text;
	size_t size = p->scan.size;

	if (pos >= size || (text[pos] != ' ' && text[pos] != '\t'))
		return false;
	while (pos < size && scan_is_blank(text[pos]))
		pos++;
	return pos < size && text[pos] != '\n';
}

/* = FORMULA, over all lines that are indented. */
static int parse_formula(struct parser *p, struct panthor_perf_counter *counter)
{
	struct scan *s = &p->scan;
	struct panthor_perf_expr *expr;
	struct expr_fault info;
	size_t start, end, i;
	int ret;

	if (scan_line_end(s) && continues(p, s->pos + 1)) {
		scan_next_line(s);
		scan_line_end(s);
	}
	if (scan_at_end(s) || s->text[s->pos] != '=')
		return scan_fail(s, s->pos, -EINVAL, "'=' and a formula are expected");
	start = ++s->pos;
	for (end = start;; end++) {
		while (end < s->size && s->text[end] != '\n')
			end++;
		if (!continues(p, end + 1))
			break;
	}

	ret = expr_compile(p->table, s->text + start, end - start, &expr, &info);
	if (ret)
		end = start + info.offset;
	for (i = start; i < end; i++) {
		s->pos = i;
		if (s->text[i] == '\n')
			scan_next_line(s);
	}
	s->pos = end;
	if (ret)
		return scan_fail(s, end, ret == -E2BIG ? -EINVAL : ret, "%s", info.message);
	counter->expr = expr;
	p->table->op_count += expr->op_count;
	counter->formula = keep_formula(p, start, end);
	return 0;
}

/* derived NAME UNIT "TITLE" ..., define NAME */
static int parse_derived(struct parser *p, unsigned int kind)
{
	struct scan *s = &p->scan;
	struct panthor_perf_counter counter = {
		.kind = kind,
		.title = "",
		.unit = "",
		.stable_id = -1,
	};
	const struct panthor_perf_counter *added;
	struct scan_token name, source;
	unsigned int line;
	size_t line_start;
	int ret;

	ret = need_name(p, &name, "a name");
	if (ret)
		return ret;
	counter.name = scan_keep(s, &name);
	if (kind == PANTHOR_PERF_COUNTER_DERIVED) {
		counter.group = p->group;
		ret = parse_description(p, &counter, &source);
		if (ret)
			return ret;
	}
	if (p->table->lists[kind].count == TABLE_MAX_FORMULAS || p->table->op_count > TABLE_MAX_OPS)
		return scan_fail(s, name.start, -EINVAL,
				 "there are more than %d formulas, or %u operations in them",
				 TABLE_MAX_FORMULAS, TABLE_MAX_OPS);
	if (!p->has_formulas)
		sort_counters(p->table);
	p->has_formulas = true;

	line = s->line;
	line_start = s->line_start;
	ret = parse_formula(p, &counter);
	if (ret)
		return ret;
	added = add_counter(p, &counter);
	if (!added) {
		panthor_perf_expr_destroy((void *)counter.expr);
		return -ENOMEM;
	}
	ret = index_name(p, added, &name, false);
	if (!ret && added->source)
		ret = index_name(p, added, &source, true);
	if (ret) {
		/* The name is not where the formula ends. */
		s->error->column += s->line_start - line_start;
		s->error->line = line;
	}
	return ret;
}

static int parse_block(struct parser *p)
{
	struct scan *s = &p->scan;
	struct scan_token token;
	unsigned int type;
	int ret;

	if (!p->has_words)
		return scan_fail(s, s->pos, -EINVAL,
				 "a line 'words NUMBER' is expected before the first block");
	if (p->has_formulas)
		return scan_fail(s, s->pos, -EINVAL, "blocks are expected above all formulas");
	ret = scan_word(s, &token, "a block type");
	if (ret)
		return ret;
	for (type = 1; type < TABLE_TYPES; type++)
		if (scan_is(s, &token, panthor_perf_block_name(type)))
			break;
	if (type == TABLE_TYPES)
		return scan_fail(s, token.start, -EINVAL,
				 "unknown block type '%s': fw, cshw, "
				 "tiler, memsys, shader, neural or csg is expected",
				 scan_cut(s, &token));
	p->type = type;
	return 0;
}

static int parse_words(struct parser *p)
{
	struct scan *s = &p->scan;
	struct panthor_perf_table *table = p->table;
	size_t start = s->pos;
	unsigned int words;
	int ret;

	if (p->has_words)
		return scan_fail(s, start, -EINVAL, "'words' is there twice");
	ret = scan_number(s, 8, TABLE_MAX_WORDS, "the number of counters of a block", &words);
	if (ret)
		return ret;
	if (words % 4)
		return scan_fail(s, start, -EINVAL, "%u is no multiple of 4", words);
	table->places = calloc((size_t)TABLE_TYPES * TABLE_SETS * words, sizeof(*table->places));
	if (!table->places)
		return scan_fail(s, start, -ENOMEM, "out of memory");
	table->words = words;
	p->has_words = true;
	return 0;
}

static int parse_table(struct parser *p)
{
	struct scan *s = &p->scan;
	struct scan_token token;
	int ret;

	if (p->table->name)
		return scan_fail(s, s->pos, -EINVAL, "'table' is there twice");
	ret = need_name(p, &token, "the name of the table");
	if (!ret)
		p->table->name = scan_keep(s, &token);
	return ret;
}

/* product MAJOR.PRODUCT "NAME" [below CORES] */
static int parse_product(struct parser *p)
{
	struct scan *s = &p->scan;
	struct table_product product = { .line = s->line };
	struct panthor_perf_table *table = p->table;
	struct scan_token token;
	unsigned int i;
	const char *dot;
	size_t end;
	int ret;

	ret = scan_word(s, &token, "the number of the product, such as 10.7,");
	if (ret)
		return ret;
	dot = memchr(s->text + token.start, '.', token.size);
	if (!dot)
		return scan_fail(s, token.start, -EINVAL,
				 "'%s' is no number of a product, such as 10.7",
				 scan_cut(s, &token));
	end = token.start + token.size;
	ret = scan_digits(s, token.start, dot - s->text, 1, 255, "the architecture",
			  &product.arch_major);
	if (!ret)
		ret = scan_digits(s, dot - s->text + 1, end, 0, 255, "the product",
				  &product.product_major);
	if (!ret)
		ret = scan_quoted(s, &product.name, "the name of the product");
	if (ret)
		return ret;
	if (!scan_line_end(s)) {
		struct scan_token below;

		ret = scan_word(s, &below, "below");
		if (!ret && !scan_is(s, &below, "below"))
			ret = scan_fail(s, below.start, -EINVAL,
					"unexpected '%s': below, or the line's end, is expected",
					scan_cut(s, &below));
		if (!ret)
			ret = scan_number(s, 1, 64, "the number of cores", &product.below);
		if (ret)
			return ret;
	}
	for (i = 0; i < table->product_count; i++)
		if (table->products[i].arch_major == product.arch_major &&
		    table->products[i].product_major == product.product_major &&
		    table->products[i].below == product.below)
			return scan_fail(s, token.start, -EINVAL,
					 "the product %u.%u is there twice", product.arch_major,
					 product.product_major);
	if (table->product_count == TABLE_MAX_PRODUCTS)
		return scan_fail(s, token.start, -EINVAL, "there are more than %d products",
				 TABLE_MAX_PRODUCTS);
	table->products[table->product_count++] = product;
	return 0;
}

static int parse_statement(struct parser *p)
{
	struct scan *s = &p->scan;
	static const char expected[] =
		"table, words, product, block, group, derived, define or the index of a counter";
	struct scan_token token;
	int ret;

	ret = scan_word(s, &token, expected);
	if (ret)
		return ret;
	if (!p->has_format) {
		unsigned int version;

		if (!scan_is(s, &token, "panthor-perf-counters"))
			return scan_fail(s, token.start, -EINVAL,
					 "'panthor-perf-counters %d' is expected on the first line",
					 FORMAT_VERSION);
		p->has_format = true;
		return scan_number(s, FORMAT_VERSION, FORMAT_VERSION, "the version of the format",
				   &version);
	}
	if (s->text[token.start] >= '0' && s->text[token.start] <= '9')
		return parse_counter(p, &token);
	if (scan_is(s, &token, "table"))
		return parse_table(p);
	if (scan_is(s, &token, "words"))
		return parse_words(p);
	if (scan_is(s, &token, "product"))
		return parse_product(p);
	if (scan_is(s, &token, "block"))
		return parse_block(p);
	if (scan_is(s, &token, "group"))
		return scan_quoted(s, &p->group, "the name of the group");
	if (scan_is(s, &token, "derived"))
		return parse_derived(p, PANTHOR_PERF_COUNTER_DERIVED);
	if (scan_is(s, &token, "define"))
		return parse_derived(p, PANTHOR_PERF_COUNTER_DEFINE);
	return scan_fail(s, token.start, -EINVAL, "unexpected '%s': %s is expected",
			 scan_cut(s, &token), expected);
}

/* What a table must have. */
static int check_table(struct parser *p)
{
	struct scan *s = &p->scan;
	const struct panthor_perf_table *table = p->table;
	unsigned int i, j;

	if (!p->has_format)
		return scan_fail(s, s->pos, -EINVAL, "'panthor-perf-counters %d' is expected",
				 FORMAT_VERSION);
	if (!table->name)
		return scan_fail(s, s->pos, -EINVAL, "a line 'table NAME' is expected");
	if (!p->has_words)
		return scan_fail(s, s->pos, -EINVAL, "a line 'words NUMBER' is expected");
	if (!table->product_count)
		return scan_fail(s, s->pos, -EINVAL,
				 "a line 'product NUMBER \"NAME\"' is expected");
	for (i = 0; i < table->product_count; i++) {
		const struct table_product *product = &table->products[i];

		for (j = 0; j < table->product_count; j++)
			if (table->products[j].arch_major == product->arch_major &&
			    table->products[j].product_major == product->product_major &&
			    !table->products[j].below)
				break;
		if (j < table->product_count)
			continue;
		s->line = product->line;
		scan_fail(s, s->line_start, -EINVAL, "the product %u.%u has no name for more cores",
			  product->arch_major, product->product_major);
		return -EINVAL;
	}
	return 0;
}

static int parse(struct parser *p)
{
	struct scan *s = &p->scan;
	int ret;

	for (;;) {
		if (!scan_line_end(s)) {
			ret = parse_statement(p);
			if (ret)
				return ret;
			if (!scan_line_end(s))
				return scan_fail(s, s->pos, -EINVAL,
						 "the end of the line is expected");
		}
		if (scan_at_end(s))
			break;
		scan_next_line(s);
	}
	if (!p->has_formulas)
		sort_counters(p->table);
	return check_table(p);
}

int panthor_perf_table_create_from_text(const char *text, size_t size, const char *file,
					struct panthor_perf_table **table,
					struct panthor_perf_error *error)
{
	static const unsigned char byte_order_mark[] = { 0xef, 0xbb, 0xbf };
	struct panthor_perf_error found = PANTHOR_PERF_ERROR_INIT;
	struct parser p = {
		.scan = { .size = size, .line = 1, .error = &found },
	};
	int ret;

	*table = NULL;
	if (size > PANTHOR_PERF_TABLE_MAX_SIZE)
		return panthor_perf_fail_at(error, -EFBIG, file, 0, 0,
					    "the text of a table has at most %u MiB",
					    PANTHOR_PERF_TABLE_MAX_SIZE >> 20);

	p.table = calloc(1, sizeof(*p.table));
	if (p.table) {
		p.table->text = malloc(size + 1);
		p.table->strings = malloc(size + 1);
		p.table->file = strdup(file ?: "");
	}
	if (!p.table || !p.table->text || !p.table->strings || !p.table->file) {
		panthor_perf_table_destroy(p.table);
		return panthor_perf_fail_memory(error);
	}
	memcpy(p.table->text, text, size);
	p.table->text[size] = 0;
	memcpy(p.table->strings, p.table->text, size + 1);
	p.table->size = size;
	p.scan.text = p.table->text;
	p.scan.strings = p.table->strings;

	/* Some editors put a mark of the byte order in front. */
	if (size >= sizeof(byte_order_mark) &&
	    !memcmp(text, byte_order_mark, sizeof(byte_order_mark))) {
		p.scan.pos = sizeof(byte_order_mark);
		p.scan.line_start = p.scan.pos;
	}
	ret = parse(&p);
	if (ret) {
		panthor_perf_table_destroy(p.table);
		if (ret == -ENOMEM)
			return panthor_perf_fail_memory(error);
		return panthor_perf_fail_at(error, ret, file, found.line, found.column, "%s",
					    found.text);
	}
	*table = p.table;
	return 0;
}
