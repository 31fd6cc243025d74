// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Tests of the reader of counter tables: what it reads, and what it refuses and where. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <panthor_perf_counters.h>

#include "check.h"
#include "folder.h"

#define SHADER		DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define PRIMARY		DRM_PANTHOR_PERF_SET_PRIMARY
#define HARDWARE	PANTHOR_PERF_COUNTER_HARDWARE
#define DERIVED		PANTHOR_PERF_COUNTER_DERIVED

#if __has_include("valgrind/valgrind.h")
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND	0
#endif

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED	1
#else
#define SANITIZED	0
#endif

static const char small[] =
	"\n"
	"# A table\n"
	"panthor-perf-counters 1	# version\n"
	"table T\r\n"
	"words 64\n"
	"product 10.7 \"Mali-G610 of mine\"\n"
	"product 200.100 \"Wide\" below 9\n"
	"product 200.100 \"Wider\"\n"
	"block shader\n"
	"  5 Later cycles \"\xc3\xa4 # title\" shift 31 source FIVE id 0\n"
	"4 Early jobs \"e\"\n"
	"4 Other jobs \"e\" set tertiary\n"
	"block fw\n"
	"63 Firmware bytes/s \"f\"\n"
	"group \"One\"\n"
	"define half = Later / 2\n"
	"derived d percent \"D\" default source DD\n"
	"	= half * # a comment\n"
	"	# another one\n"
	"	  ( Early + 1 )\n"
	"group \"Two\"\n"
	"derived e percent \"E\" = d + half";

static void test_small(void)
{
	const struct panthor_perf_counter *counters[4], *counter;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_table *table;
	uint64_t id;
	size_t i;

	if (panthor_perf_table_create_from_text(small, strlen(small), "small", &table,
						&error)) {
		CHECK(false, "a small table: %u:%u: %s", error.line, error.column, error.text);
		return;
	}
	CHECK(panthor_perf_table_counter_count(table, HARDWARE) == 4 &&
	      panthor_perf_table_counter_count(table, DERIVED) == 2 &&
	      panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_DEFINE) == 1 &&
	      !panthor_perf_table_counter_count(table, PANTHOR_PERF_COUNTER_KINDS),
	      "numbers of counters");
	for (i = 0; i < 4; i++)
		counters[i] = panthor_perf_table_counter_by_number(table, HARDWARE, i);
	CHECK(!panthor_perf_table_counter_by_number(table, HARDWARE, 4) &&
	      !strcmp(counters[0]->name, "Firmware") && !strcmp(counters[1]->name, "Early") &&
	      !strcmp(counters[2]->name, "Later") && !strcmp(counters[3]->name, "Other"),
	      "counters are sorted by block, set and index");
	counter = counters[2];
	CHECK(counter->shift == 31 && counter->stable_id == 0 && !strcmp(counter->source, "FIVE") &&
	      !strcmp(counter->title, "\xc3\xa4 # title") && counter->set == PRIMARY,
	      "what is said about a counter");
	CHECK(counters[1]->stable_id == -1 && !counters[1]->source && !counters[1]->shift &&
	      counters[3]->set == DRM_PANTHOR_PERF_SET_TERTIARY &&
	      panthor_perf_table_counter_at(table, DRM_PANTHOR_PERF_SET_TERTIARY, SHADER, 4) ==
	      counters[3], "what is not said, and another set");
	for (i = 0; i < 2; i++)
		counters[i] = panthor_perf_table_counter_by_number(table, DERIVED, i);
	CHECK(!strcmp(counters[0]->formula, "half * ( Early + 1 )") &&
	      counters[0]->is_default && !counters[1]->is_default &&
	      !strcmp(counters[0]->group, "One") && !strcmp(counters[1]->group, "Two") &&
	      !strcmp(counters[0]->source, "DD") && !strcmp(counters[1]->formula, "d + half"),
	      "formulas over several lines");
	counter = panthor_perf_table_counter_by_number(table, PANTHOR_PERF_COUNTER_DEFINE, 0);
	CHECK(counter && !strcmp(counter->name, "half") && !*counter->title &&
	      !panthor_perf_table_counter_by_number(table, PANTHOR_PERF_COUNTER_DEFINE, 1) &&
	      !panthor_perf_table_counter_by_number(table, PANTHOR_PERF_COUNTER_KINDS, 0),
	      "a definition");
	CHECK(!strcmp(panthor_perf_table_product(table, 0xc8000064f0000000, 0), "Wider") &&
	      !strcmp(panthor_perf_table_product(table, 0xc8000064f0000000, 8), "Wide") &&
	      !strcmp(panthor_perf_table_products(table, 2), "Wider") &&
	      !panthor_perf_table_products(table, 3), "products");
	CHECK(!panthor_perf_table_gpu_id(table, "wider", &id) && id == 0xc8000064f0000000 &&
	      !strcmp(panthor_perf_table_product(table, id, 0), "Wider"), "an id of 64 bits");
	panthor_perf_table_destroy(table);
}

static const char limits[] =
	"panthor-perf-counters 1\n"
	"table T\nwords 64\nproduct 10.7 \"P\"\n"
	"block shader\n"
	"4 A cycles \"a\" high 1000 limit imbalance \"a core\" id 3\n"
	"5 B cycles \"b\" limit imbalance \"b\"\n"
	"derived c percent \"c\" = A\n"
	"derived d percent \"d\" of C high 100 limit unit \"\xc3\xa4 d\" default = A\n"
	"derived e percent \"e\" limit stall \"e\" of d\n\t= A\n"
	"derived f percent \"f\" limit bandwidth \"f\" high 1 = B\n";

static bool is_limit(const struct panthor_perf_table *table, const char *name, unsigned int limit,
		     unsigned int high, const char *text, const char *of)
{
	const struct panthor_perf_counter *counter = panthor_perf_table_counter(table, name);

	return counter && counter->limit == limit && counter->high == high &&
	       !counter->limit_text == !text && (!text || !strcmp(counter->limit_text, text)) &&
	       !counter->of == !of && (!of || !strcmp(counter->of, of));
}

static void test_limits(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_table *table;

	if (panthor_perf_table_create_from_text(limits, strlen(limits), "limits", &table,
						&error)) {
		CHECK(false, "limits: %u:%u: %s", error.line, error.column, error.text);
		return;
	}
	CHECK(is_limit(table, "A", PANTHOR_PERF_LIMIT_IMBALANCE, 1000, "a core", NULL) &&
	      is_limit(table, "B", PANTHOR_PERF_LIMIT_IMBALANCE, 0, "b", NULL),
	      "limits: an imbalance, with and without a threshold");
	CHECK(is_limit(table, "c", PANTHOR_PERF_LIMIT_NONE, 0, NULL, NULL), "limits: none");
	CHECK(is_limit(table, "d", PANTHOR_PERF_LIMIT_UNIT, 100, "\xc3\xa4 d", "c") &&
	      panthor_perf_table_counter(table, "d")->is_default,
	      "limits: a unit, a share of another one, whose name is in any case");
	CHECK(is_limit(table, "e", PANTHOR_PERF_LIMIT_STALL, 0, "e", "d"), "limits: a stall");
	CHECK(is_limit(table, "f", PANTHOR_PERF_LIMIT_BANDWIDTH, 1, "f", NULL),
	      "limits: a bandwidth");
	panthor_perf_table_destroy(table);
	CHECK(!strcmp(panthor_perf_limit_name(PANTHOR_PERF_LIMIT_STALL), "stall") &&
	      !panthor_perf_limit_name(PANTHOR_PERF_LIMIT_NONE) &&
	      !panthor_perf_limit_name(PANTHOR_PERF_LIMITS), "limits: names");
}

#define FORMAT	"panthor-perf-counters 1\n"
#define START	FORMAT "table T\nwords 64\nproduct 10.7 \"P\"\n"
#define CSHW	START "block cshw\n"
#define COUNTER	CSHW "4 A cycles \"a\"\n"

static const struct {
	const char *text;
	unsigned int line;
	unsigned int column;
	const char *message;
} errors[] = {
	{ "", 1, 1, "'panthor-perf-counters 1' is expected" },
	{ "\n\n", 3, 1, "'panthor-perf-counters 1' is expected" },
	{ "table T\n", 1, 1, "'panthor-perf-counters 1' is expected on the first line" },
	{ "panthor-perf-counters\n", 1, 22, "the version of the format is expected" },
	{ "panthor-perf-counters 2\n", 1, 23, "the version of the format is out of its range" },
	{ "panthor-perf-counters x\n", 1, 23, "unexpected 'x': the version" },
	{ "panthor-perf-counters 1 2\n", 1, 25, "the end of the line is expected" },
	{ "\x7f!", 1, 1, "unexpected byte 0x7f" },
	{ START "x", 5, 1, "unexpected 'x': table, words, product, block, group, derived, define" },
	{ START "\"x\"", 5, 1, "table, words, product" },
	{ START "Table Q", 5, 1, "unexpected 'Table'" },
	{ FORMAT "words 64\nproduct 10.7 \"P\"", 3, 17, "a line 'table NAME'" },
	{ FORMAT "table T\nproduct 10.7 \"P\"\n", 4, 1, "a line 'words NUMBER'" },
	{ FORMAT "table T\nwords 64\n", 4, 1, "a line 'product NUMBER" },
	{ START "table Q", 5, 6, "'table' is there twice" },
	{ START "words 64", 5, 6, "'words' is there twice" },
	{ FORMAT "table", 2, 6, "the name of the table is expected" },
	{ FORMAT "table \"T\"", 2, 7, "the name of the table is expected, without quotes" },
	{ FORMAT "table 4T", 2, 7, "unexpected '4': a name has letters" },
	{ FORMAT "words 66", 2, 6, "66 is no multiple of 4" },
	{ FORMAT "words 4", 2, 7, "the number of counters of a block is out of its range" },
	{ FORMAT "words 1028", 2, 7, "the number of counters of a block is out of its range" },
	{ FORMAT "words 18446744073709551680", 2, 7, "the number of counters of a block is out" },
	{ FORMAT "words -64", 2, 7, "unexpected '-'" },
	{ START "product 10.7 \"Q\"", 5, 9, "the product 10.7 is there twice" },
	{ START "product 10", 5, 9, "'10' is no number of a product, such as 10.7" },
	{ START "product 10.", 5, 12, "the product is expected" },
	{ START "product .7 \"Q\"", 5, 9, "the architecture is expected" },
	{ START "product 0.7 \"Q\"", 5, 9, "the architecture is out of its range, 1 to 255" },
	{ START "product 10.256 \"Q\"", 5, 12, "the product is out of its range, 0 to 255" },
	{ START "product 10.x \"Q\"", 5, 12, "unexpected 'x': the product is a number" },
	{ START "product 10.8 Q", 5, 14, "the name of the product in quotes is expected" },
	{ START "product 10.8 \"\"", 5, 15, "the name of the product is empty" },
	{ START "product 10.8 \"Q\" above 5", 5, 18, "unexpected 'above': below" },
	{ START "product 10.8 \"Q\" below", 5, 23, "the number of cores is expected" },
	{ START "product 10.8 \"Q\" below 0", 5, 24, "the number of cores is out of its range" },
	{ START "product 10.8 \"Q\" below 5\n\n", 5, 1, "the product 10.8 has no name for more" },
	{ FORMAT "block cshw", 2, 6, "a line 'words NUMBER' is expected before" },
	{ START "block", 5, 6, "a block type is expected" },
	{ START "block core", 5, 7, "unknown block type 'core': fw, cshw, tiler" },
	{ START "4 A cycles \"a\"", 5, 1, "a line 'block NAME' is expected before" },
	{ CSHW "3 B cycles \"b\"", 6, 1, "the index is out of its range, 4 to 63" },
	{ CSHW "64 B cycles \"b\"", 6, 1, "the index is out of its range, 4 to 63" },
	{ CSHW " 4x B cycles \"b\"", 6, 3, "unexpected 'x': the index is a number" },
	{ CSHW "5", 6, 2, "the name of the counter is expected" },
	{ CSHW "5 # B", 6, 6, "the name of the counter is expected" },
	{ CSHW "5 B-C cycles \"b\"", 6, 4, "unexpected '-': a name has letters" },
	{ CSHW "5 max cycles \"b\"", 6, 3, "'max' is a function or a constant" },
	{ CSHW "5 nCore cycles \"b\"", 6, 3, "'nCore' is a function or a constant" },
	{ CSHW "5 x234567890123456789012345678901234567890123456789012345678901234",
	  6, 3, "a name has at most 63 letters" },
	{ CSHW "5 x23456789012345678901234567890123456789012345678901234567890123 y",
	  6, 67, "unknown unit 'y'" },
	{ CSHW "5 B", 6, 4, "the unit is expected" },
	{ CSHW "5 B apples \"b\"", 6, 5, "unknown unit 'apples'" },
	{ CSHW "5 B Cycles \"b\"", 6, 5, "unknown unit 'Cycles'" },
	{ CSHW "5 B cycles", 6, 11, "the title in quotes is expected" },
	{ CSHW "5 B cycles b", 6, 12, "the title in quotes is expected" },
	{ CSHW "5 B cycles \"b", 6, 12, "the quotes are not closed" },
	{ CSHW "5 B cycles \"b\nx\"", 6, 12, "the quotes are not closed" },
	{ CSHW "5 B cycles \"b\"id 4", 6, 15, "a blank is expected behind the quotes" },
	{ CSHW "5 B cycles \"\x1b[1m\"", 6, 13, "byte 0x1b is no UTF-8 text" },
	{ CSHW "5 B cycles \"a\xff\"", 6, 14, "byte 0xff is no UTF-8 text" },
	{ CSHW "5 B cycles \"\xc0\x80\"", 6, 13, "byte 0xc0 is no UTF-8 text" },
	{ CSHW "5 B cycles \"\xc2\x9b\"", 6, 13, "byte 0xc2 is no UTF-8 text" },
	{ CSHW "5 B cycles \"\xed\xa0\x80\"", 6, 13, "byte 0xed is no UTF-8 text" },
	{ CSHW "5 B cycles \"\xe2\x82\"", 6, 13, "byte 0xe2 is no UTF-8 text" },
	{ CSHW "5 B cycles \"\xe0\x80\xaf\"", 6, 13, "byte 0xe0 is no UTF-8 text" },
	{ CSHW "5 B cycles \"\xf4\x90\x80\x80\"", 6, 13, "byte 0xf4 is no UTF-8 text" },
	{ CSHW "5 B cycles \"b\" default", 6, 16,
	  "unexpected 'default': source, id, shift, set, limit or high is expected" },
	{ CSHW "5 B cycles \"b\" limit", 6, 21, "the kind of the limit is expected" },
	{ CSHW "5 B cycles \"b\" limit unit \"b\"", 6, 22,
	  "unknown limit 'unit': imbalance is expected" },
	{ CSHW "5 B cycles \"b\" limit imbalance", 6, 31,
	  "the text of the limit in quotes is expected" },
	{ CSHW "5 B cycles \"b\" limit imbalance \"\"", 6, 33, "the text of the limit is empty" },
	{ CSHW "5 B cycles \"b\" high", 6, 20, "the threshold is expected" },
	{ CSHW "5 B cycles \"b\" high 20", 6, 16, "'high' needs a limit" },
	{ CSHW "5 B cycles \"b\" high 20 id 4", 6, 16, "'high' needs a limit" },
	{ CSHW "5 B cycles \"b\" limit imbalance \"b\" high 0", 6, 41,
	  "the threshold is out of its range, 1 to 1000" },
	{ CSHW "5 B cycles \"b\" limit imbalance \"b\" high 1001", 6, 41,
	  "the threshold is out of its range, 1 to 1000" },
	{ CSHW "5 B cycles \"b\" limit imbalance \"b\" high 20 high 20", 6, 44,
	  "'high' is there twice" },
	{ CSHW "5 B cycles \"b\" limit imbalance \"b\" limit imbalance \"b\"", 6, 36,
	  "'limit' is there twice" },
	{ CSHW "5 B percent \"b\" limit imbalance \"b\"", 6, 17,
	  "'limit' needs the unit cycles" },
	{ CSHW "5 B percent \"b\" of B", 6, 17,
	  "unexpected 'of': source, id, shift, set, limit or high is expected" },
	{ CSHW "5 B cycles \"b\" shift", 6, 21, "the shift is expected" },
	{ CSHW "5 B cycles \"b\" shift 0", 6, 22, "the shift is out of its range, 1 to 31" },
	{ CSHW "5 B cycles \"b\" shift 32", 6, 22, "the shift is out of its range, 1 to 31" },
	{ CSHW "5 B cycles \"b\" id 1 id 1", 6, 21, "'id' is there twice" },
	{ CSHW "5 B cycles \"b\" id 2147483648", 6, 19, "the id is out of its range" },
	{ CSHW "5 B cycles \"b\" set x", 6, 20, "unknown counter set 'x': primary, secondary" },
	{ CSHW "5 B cycles \"b\" source", 6, 22, "the source of the counter is expected" },
	{ CSHW "5 B cycles \"b\" = 4", 6, 16, "unexpected '=': source, id, shift" },
	{ COUNTER "4 B cycles \"b\"", 7, 1, "index 4 of cshw is that of 'A' already" },
	{ COUNTER "5 A cycles \"b\"", 7, 3, "the name 'A' is there twice" },
	{ COUNTER "5 a cycles \"b\"", 7, 3, "the name 'a' is there twice" },
	{ COUNTER "block tiler\n4 a cycles \"b\"", 8, 3, "the name 'a' is there twice" },
	{ COUNTER "5 B cycles \"b\" source X\n6 C cycles \"c\" source x", 8, 23,
	  "the source 'x' is there twice" },
	{ COUNTER "group Two", 7, 7, "the name of the group in quotes is expected" },
	{ COUNTER "derived", 7, 8, "a name is expected" },
	{ COUNTER "derived d", 7, 10, "the unit is expected" },
	{ COUNTER "derived d percent \"d\"", 7, 22, "'=' and a formula are expected" },
	{ COUNTER "derived d percent \"d\"\n= A", 7, 22, "'=' and a formula are expected" },
	{ COUNTER "derived d percent \"d\"\n\n\t= A", 7, 22, "'=' and a formula are expected" },
	{ COUNTER "derived d percent \"d\"\n\tA", 8, 2, "'=' and a formula are expected" },
	{ COUNTER "derived d percent \"d\" shift 4 = A", 7, 23,
	  "unexpected 'shift': source, default, limit, of, high or '=' is expected" },
	{ COUNTER "derived d percent \"d\" limit = A", 7, 29,
	  "unknown limit '=': unit, stall, bandwidth, busy or queue is expected" },
	{ COUNTER "derived d percent \"d\" limit imbalance \"d\" = A", 7, 29,
	  "unknown limit 'imbalance': unit, stall, bandwidth, busy or queue is expected" },
	{ COUNTER "derived d percent \"d\" limit unit = A", 7, 34,
	  "the text of the limit in quotes is expected" },
	{ COUNTER "derived d cycles \"d\" limit unit \"d\" = A", 7, 22,
	  "'limit' needs the unit percent" },
	{ COUNTER "derived d cycles \"d\" high 80 = A", 7, 22, "'high' needs the unit percent" },
	{ COUNTER "derived d percent \"d\" high 0 = A", 7, 28,
	  "the threshold is out of its range, 1 to 100" },
	{ COUNTER "derived d percent \"d\" high 101 = A", 7, 28,
	  "the threshold is out of its range, 1 to 100" },
	{ COUNTER "derived d percent \"d\" high 8.5 = A", 7, 29,
	  "unexpected '.': the threshold is a number" },
	{ COUNTER "derived d percent \"d\" of", 7, 25,
	  "the name of a derived counter is expected" },
	{ COUNTER "derived d percent \"d\" of d = A", 7, 26,
	  "'d' is no derived counter in percent above this one" },
	{ COUNTER "derived d percent \"d\" of A = A", 7, 26,
	  "'A' is no derived counter in percent above this one" },
	{ COUNTER "derived c cycles \"c\" = A\nderived d percent \"d\" of c = A", 8, 26,
	  "'c' is no derived counter in percent above this one" },
	{ COUNTER "derived c percent \"c\" = A\nderived d cycles \"d\" of c = A", 8, 22,
	  "'of' needs the unit percent" },
	{ COUNTER "derived c percent \"c\" = A\nderived d percent \"d\" of c of c = A", 8, 28,
	  "'of' is there twice" },
	{ COUNTER "derived d percent \"d\" default  default = A", 7, 32,
	  "'default' is there twice" },
	{ COUNTER "derived d percent \"d\" =", 7, 24, "the formula ends where a number" },
	{ COUNTER "derived d percent \"d\" = A +\n", 7, 28, "the formula ends where a number" },
	{ COUNTER "derived d percent \"d\" = A +\n\t\t(A\n\t\t+ B)", 9, 5, "unknown name 'B'" },
	{ COUNTER "derived d percent \"d\" = d", 7, 25, "unknown name 'd'" },
	{ COUNTER "derived d percent \"d\" = e\nderived e percent \"e\" = d", 7, 25,
	  "unknown name 'e'" },
	{ COUNTER "derived d percent \"d\" = A\nderived D percent \"e\" = d", 8, 9,
	  "the name 'D' is there twice" },
	{ COUNTER "derived a percent \"d\"\n\t=\n\t\tA", 7, 9, "the name 'a' is there twice" },
	{ COUNTER "derived d percent \"d\" source q = A\nderived e percent \"e\" source Q = A",
	  8, 30, "the source 'Q' is there twice" },
	{ COUNTER "define d", 7, 9, "'=' and a formula are expected" },
	{ COUNTER "define d=A", 7, 9, "unexpected '=': a name has letters" },
	{ COUNTER "define d = 1 / TSPAM", 7, 16, "unknown name 'TSPAM'" },
	{ COUNTER "define d = 1\nblock tiler", 8, 6, "blocks are expected above all formulas" },
	{ COUNTER "define d = 1\n5 B cycles \"b\"", 8, 1, "counters are expected above all" },
};

static void test_errors(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		struct panthor_perf_table *table = NULL;
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		int ret = panthor_perf_table_create_from_text(errors[i].text,
							      strlen(errors[i].text),
							      "t.counters", &table, &error);

		CHECK(ret == -EINVAL && !table && error.code == ret &&
		      error.size == sizeof(error) && !strcmp(error.file, "t.counters") &&
		      error.line == errors[i].line && error.column == errors[i].column &&
		      !strncmp(error.text, errors[i].message, strlen(errors[i].message)),
		      "error %zu: %u:%u: %s", i, error.line, error.column, error.text);
		panthor_perf_table_destroy(table);
	}
}

static void test_format(void)
{
	struct panthor_perf_error error = {
		.size = sizeof(error),
		.file = "f",
		.line = 3,
		.column = 4,
		.text = "m",
	};
	char text[32], tiny[4];

	CHECK(!strcmp(panthor_perf_error_format(&error, text, sizeof(text)), "f:3:4: m"),
	      "an error with line and column");
	error.column = 0;
	CHECK(!strcmp(panthor_perf_error_format(&error, text, sizeof(text)), "f:3: m"),
	      "an error with a line");
	error.line = 0;
	CHECK(!strcmp(panthor_perf_error_format(&error, text, sizeof(text)), "f: m"),
	      "an error of a file");
	error.file[0] = 0;
	CHECK(!strcmp(panthor_perf_error_format(&error, text, sizeof(text)), "m"), "an error");
	error.line = 3;
	error.column = 4;
	CHECK(!strcmp(panthor_perf_error_format(&error, text, sizeof(text)), "3:4: m") &&
	      !strcmp(panthor_perf_error_format(&error, tiny, sizeof(tiny)), "3:4"),
	      "an error of no file, and one that does not fit");
}

/* A text that ends anywhere gives an error with a place, or a table of what is there. */
static void test_truncation(struct panthor_perf_table *whole, size_t step)
{
	unsigned int good = 0, bad = 0, wrong = 0;
	uint32_t count, all = panthor_perf_table_counter_count(whole, HARDWARE), previous = 0;
	struct panthor_perf_table *table;
	const char *text;
	size_t size, i;

	text = panthor_perf_table_text(whole, &size);
	for (i = 0; i < size; i += step) {
		/* A copy of just these bytes, so that one too many is noticed. */
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		char *copy = malloc(i ?: 1);

		memcpy(copy, text, i);
		if (panthor_perf_table_create_from_text(copy, i, NULL, &table, &error)) {
			bad++;
			wrong += !error.line || !error.column || !*error.text || !error.code;
		} else {
			good++;
			count = panthor_perf_table_counter_count(table, HARDWARE);
			wrong += count < previous || count > all;
			previous = count;
			panthor_perf_table_destroy(table);
		}
		free(copy);
	}
	CHECK(!wrong && good && bad && previous == all,
	      "%s cut in steps of %zu of its %zu bytes: %u tables, %u errors",
	      panthor_perf_table_name(whole), step, size, good, bad);
}

static void test_truncations(void)
{
	struct panthor_perf_table *table;

	if (!panthor_perf_table_create_from_text(small, strlen(small), NULL, &table, NULL))
		test_truncation(table, 1);
	panthor_perf_table_destroy(table);
	if (!panthor_perf_table_create_by_name("G710", &table, NULL))
		/* Each byte, where that does not take minutes. */
		test_truncation(table, RUNNING_ON_VALGRIND ? 97 : SANITIZED ? 17 : 1);
	panthor_perf_table_destroy(table);
}

static void test_load(void)
{
	char folder[] = "/tmp/counters-test-XXXXXX", path[300];
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	folder_make(folder);
	snprintf(path, sizeof(path), "%s/mine.counters", folder);
	CHECK(panthor_perf_table_create_from_file(path, 0xa8670000, &table, &error) == -ENOENT &&
	      !table && error.code == -ENOENT && !strcmp(error.file, path) &&
	      strstr(error.text, "No such file") && !error.line,
	      "a file that is not there: %s", error.text);
	CHECK(panthor_perf_table_create_from_file(folder, 0xa8670000, &table, &error) == -ENXIO &&
	      !table && error.code == -ENXIO && strstr(error.text, "no file *.counters"),
	      "an empty folder: %s", error.text);

	folder_write(folder, "mine.counters", small);
	folder_write(folder, "notes.txt", "no table");
	folder_write(folder, ".hidden.counters", "no table");
	CHECK(!panthor_perf_table_create_from_file(path, 0xa8670000, &table, &error) &&
	      !strcmp(panthor_perf_table_product(table, 0xa8670000, 4), "Mali-G610 of mine") &&
	      !strcmp(panthor_perf_table_file(table), path), "a file");
	panthor_perf_table_destroy(table);
	CHECK(!panthor_perf_table_create_from_file(path, 0, &table, NULL), "a file for any GPU");
	panthor_perf_table_destroy(table);
	CHECK(panthor_perf_table_create_from_file(path, 0xb0020000, &table, &error) == -ENXIO &&
	      !table && strstr(error.text, "'product 11.2'"),
	      "a file for another GPU: %s", error.text);

	folder_write(folder, "other.counters", FORMAT "table O\nwords 8\nproduct 11.2 \"O\"\n");
	CHECK(!panthor_perf_table_create_from_file(folder, 0xa8670000, &table, &error) &&
	      !strcmp(panthor_perf_table_name(table), "T"), "the right one of a folder");
	panthor_perf_table_destroy(table);
	CHECK(panthor_perf_table_create_from_file(folder, 0xc0000000, &table, &error) == -ENXIO &&
	      !table && strstr(error.text, "for this GPU"), "a folder with nothing for a GPU: %s",
	      error.text);

	folder_write(folder, "third.counters", FORMAT "table X\nwords 8\nproduct 11.2 \"X\"\n");
	CHECK(panthor_perf_table_create_from_file(folder, 0xb0020000, &table, &error) == -EINVAL &&
	      !table && strstr(error.file, "third.counters") &&
	      strstr(error.text, "other.counters"),
	      "two tables for one GPU: %s: %s", error.file, error.text);
	folder_write(folder, "third.counters", FORMAT "table X\nwords 7\n");
	CHECK(panthor_perf_table_create_from_file(folder, 0xa8670000, &table, &error) == -EINVAL &&
	      !table && strstr(error.file, "third.counters") && error.line == 3 &&
	      error.column == 7,
	      "a bad table in a folder: %s:%u:%u", error.file, error.line, error.column);

	CHECK(!truncate(path, 5 << 20) &&
	      panthor_perf_table_create_from_file(path, 0, &table, &error) == -EFBIG &&
	      strstr(error.text, "4 MiB"), "a file that is too large: %s", error.text);
	CHECK(panthor_perf_table_create_from_file("/proc/self/mem", 0, &table, &error) < 0 &&
	      *error.text, "a file that cannot be read: %s", error.text);
	folder_remove(folder);
}

/* 4096 formulas of which each names the one above twice would be 2^4096 operations. */
static void test_bombs(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_table *table;
	char *text, *end;
	unsigned int i;
	int ret;

	text = malloc(1 << 20);
	end = text + sprintf(text, "%sdefine d0 = A\n", COUNTER);
	for (i = 1; i < 5000; i++)
		end += sprintf(end, "define d%u = d%u + d%u\n", i, i - 1, i - 1);
	ret = panthor_perf_table_create_from_text(text, end - text, NULL, &table, &error);
	/* d11 is 2048 times A and 2047 additions; d12 would be 8191 operations. */
	CHECK(ret == -EINVAL && error.line == 7 + 12 && strstr(error.text, "too long"),
	      "formulas that double: %u:%u: %s", error.line, error.column, error.text);

	end = text + sprintf(text, "%s", COUNTER);
	for (i = 0; i < 5000; i++)
		end += sprintf(end, "define d%u = A\n", i);
	ret = panthor_perf_table_create_from_text(text, end - text, NULL, &table, &error);
	CHECK(ret == -EINVAL && error.line == 7 + 4096 && strstr(error.text, "4096 formulas"),
	      "more formulas than there may be: %u: %s", error.line, error.text);

	/* Each is 4095 operations: 65 are more than 262144, which is noticed at the next one. */
	end = text + sprintf(text, "%s", COUNTER);
	for (i = 0; i < 11; i++)
		end += i ? sprintf(end, "define d%u = d%u + d%u\n", i, i - 1, i - 1) :
			   sprintf(end, "define d0 = A + A\n");
	for (i = 0; i < 4000; i++)
		end += sprintf(end, "define e%u = d10\n", i);
	ret = panthor_perf_table_create_from_text(text, end - text, NULL, &table, &error);
	CHECK(ret == -EINVAL && error.line < 7 + 11 + 66 && strstr(error.text, "262144"),
	      "more operations than there may be: %u: %s", error.line, error.text);

	end = text + sprintf(text, "%s", FORMAT);
	for (i = 0; i < 300; i++)
		end += sprintf(end, "product %u.%u \"P\"\n", 1 + i / 200, i % 200);
	ret = panthor_perf_table_create_from_text(text, end - text, NULL, &table, &error);
	CHECK(ret == -EINVAL && error.line == 2 + 256, "more products than there may be: %u: %s",
	      error.line, error.text);
	free(text);

	text = malloc(PANTHOR_PERF_TABLE_MAX_SIZE + 1);
	memset(text, '\n', PANTHOR_PERF_TABLE_MAX_SIZE + 1);
	ret = panthor_perf_table_create_from_text(text, PANTHOR_PERF_TABLE_MAX_SIZE + 1, NULL,
						  &table, &error);
	CHECK(ret == -EFBIG, "a text that is too long: %s", error.text);
	ret = panthor_perf_table_create_from_text(text, PANTHOR_PERF_TABLE_MAX_SIZE, NULL, &table,
						  &error);
	CHECK(ret == -EINVAL && error.line == PANTHOR_PERF_TABLE_MAX_SIZE + 1,
	      "the longest text: line %u", error.line);
	free(text);
}

int main(void)
{
	test_small();
	test_limits();
	test_errors();
	test_format();
	test_truncations();
	test_load();
	test_bombs();
	return check_failures ? 1 : 0;
}
