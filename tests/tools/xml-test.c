// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Tests of counters_open() and of the reader of Arm's counter database. The files under xml/ are
 * made up: they show each form that is accepted, not the database.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "database/xml.h"

#define HARDWARE	PANTHOR_PERF_COUNTER_HARDWARE
#define DERIVED		PANTHOR_PERF_COUNTER_DERIVED

#define G610		0xa8670000
#define G615		0xb0030000
#define G715		0xb0020000
/* Architecture 21, product 3. */
#define G777		0x15000003f0000000

/* What does not depend on libxml2. */
static void test_open(void)
{
	char folder[] = "/tmp/xml-test-XXXXXX", path[300];
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	folder_make(folder);
	snprintf(path, sizeof(path), "%s/mine.counters", folder);
	CHECK(!counters_open(NULL, G610, &table, &error) &&
	      !strcmp(panthor_perf_table_name(table), "G710"), "a table of the library");
	panthor_perf_table_destroy(table);
	CHECK(counters_open(NULL, G777, &table, &error) == -ENXIO && !table &&
	      strstr(error.text, "product 21.3"), "a GPU that nobody knows: %s", error.text);
	CHECK(counters_open(path, G610, &table, &error) == -ENOENT && !table &&
	      !strcmp(error.file, path), "a file that is not there");
	CHECK(!counters_open(folder, G610, &table, &error) &&
	      !strcmp(panthor_perf_table_name(table), "G710"),
	      "a folder with nothing in it leaves a GPU to the library");
	panthor_perf_table_destroy(table);
	CHECK(counters_open(folder, G777, &table, &error) == -ENXIO && !table &&
	      strstr(error.text, "no file *.counters"), "nor does it know others: %s",
	      error.text);

	folder_write(folder, "mine.counters",
		     "panthor-perf-counters 1\ntable MINE\nwords 64\nproduct 10.7 \"Mine\"\n");
	CHECK(!counters_open(path, G610, &table, &error) &&
	      !strcmp(panthor_perf_table_name(table), "MINE"), "a file goes before the library");
	panthor_perf_table_destroy(table);
	CHECK(!counters_open(folder, G610, &table, &error) &&
	      !strcmp(panthor_perf_table_name(table), "MINE"), "so does a folder");
	panthor_perf_table_destroy(table);
	CHECK(counters_open(path, G715, &table, &error) == -ENXIO && !table,
	      "a file for another GPU is a mistake: %s", error.text);
	CHECK(!counters_open(folder, G715, &table, &error) &&
	      !strcmp(panthor_perf_table_name(table), "G715"), "a folder for others is not");
	panthor_perf_table_destroy(table);
	folder_write(folder, "bad.counters", "panthor-perf-counters 7\n");
	CHECK(counters_open(folder, G715, &table, &error) == -EINVAL && !table && error.line == 1 &&
	      error.column == 23, "a bad file in a folder is one for every GPU");
	folder_write(folder, "a.xml", "<x/>");
	CHECK(!xml_is_xml(folder), "a folder of tables may have XML in it");
	folder_remove(folder);

	CHECK(xml_is_xml("xml") && xml_is_xml("xml/elements") &&
	      xml_is_xml("xml/elements/all.xml") &&
	      !xml_is_xml("xml-test.c") && !xml_is_xml("nowhere") &&
	      !xml_is_xml("../../tools/counters"), "what is XML");
}

#ifdef HAVE_LIBXML2

static bool is_counter(const struct panthor_perf_table *table, const char *name,
		       const char *place, const char *title, const char *unit, unsigned int shift)
{
	const struct panthor_perf_counter *counter = panthor_perf_table_counter(table, name);

	return counter && counter->kind == HARDWARE &&
	       panthor_perf_table_counter(table, place) == counter &&
	       !strcmp(counter->title, title) && !strcmp(counter->unit, unit) &&
	       counter->shift == shift;
}

static void test_attributes(void)
{
	const struct panthor_perf_constants constants = {
		.size = sizeof(constants),
		.core_count = 4,
		.l2_slices = 1,
		.bus_bytes = 16,
		.time_span_ns = 2000000000,
	};
	const struct panthor_perf_counter *counter;
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	uint64_t values[16] = { 0 };
	bool known[16] = { false };
	uint32_t hardware, derived;
	double value = 0;
	char *note;
	int ret;

	ret = xml_load("xml/attributes", G610, &table, &note, &error);
	CHECK(!ret, "attributes: %s", ret ? error.text : "a table");
	if (ret)
		return;
	hardware = panthor_perf_table_counter_count(table, HARDWARE);
	derived = panthor_perf_table_counter_count(table, DERIVED);
	CHECK(hardware == 5 && derived == 2 && panthor_perf_table_words(table) == 64 &&
	      !strcmp(panthor_perf_table_product(table, G610, 4), "Mali-G610"),
	      "attributes: %u counters, %u derived", hardware, derived);
	CHECK(is_counter(table, "MaliAlphaCy", "cshw:4", "The 'alpha' cycles", "cycles", 0) &&
	      is_counter(table, "ALPHA", "cshw:4", "The 'alpha' cycles", "cycles", 0),
	      "a description for this product, of two with one source");
	CHECK(is_counter(table, "MaliBeta", "cshw:5", "Beta", "transactions", 2) &&
	      is_counter(table, "BETA", "cshw:5", "Beta", "transactions", 2),
	      "a description by the other name of its source, a shift, and a unit without its s");
	CHECK(is_counter(table, "MaliGamma", "shader:63", "Gamma", "units", 0),
	      "a unit that is not known");
	CHECK(is_counter(table, "MaliDelta", "memsys:16", "Delta", "bytes/s", 0),
	      "an index in hexadecimal, and a unit in words");
	CHECK(is_counter(table, "NO_INFO", "shader:4", "NO_INFO", "units", 0),
	      "a counter without a description");
	CHECK(!panthor_perf_table_counter(table, "TWICE") &&
	      !panthor_perf_table_counter(table, "HEADER") &&
	      !panthor_perf_table_counter(table, "LOST"), "what cannot be is left out");

	/* (10 + 30) / 2 s = 20; that twice, for 4 cores, is 10. */
	values[panthor_perf_table_counter(table, "MaliAlphaCy")->number] = 10;
	values[panthor_perf_table_counter(table, "MaliBeta")->number] = 30;
	known[panthor_perf_table_counter(table, "MaliAlphaCy")->number] = true;
	known[panthor_perf_table_counter(table, "MaliBeta")->number] = true;
	counter = panthor_perf_table_counter(table, "MaliFirst");
	CHECK(counter &&
	      panthor_perf_expr_value(counter->expr, values, known, &constants, &value) &&
	      value == 20 && !strcmp(counter->unit, "percent"), "an equation with a time span");
	counter = panthor_perf_table_counter(table, "MaliLast");
	CHECK(counter &&
	      panthor_perf_expr_value(counter->expr, values, known, &constants, &value) &&
	      value == 10 && !strcmp(counter->unit, "percent"),
	      "an equation with one that stands below, and cores");
	CHECK(!panthor_perf_table_counter(table, "MaliForeign") &&
	      !panthor_perf_table_counter(table, "MaliStrange") &&
	      !panthor_perf_table_counter(table, "MaliUnknown") &&
	      !panthor_perf_table_counter(table, "MaliLoop"),
	      "equations that cannot be read are left out");
	CHECK(note && strstr(note, "3 counters and 4 derived ones of Mali-G610"), "the note: %s",
	      note);
	free(note);
	panthor_perf_table_destroy(table);

	ret = xml_load("xml/attributes", G615, &table, &note, &error);
	CHECK(!ret &&
	      is_counter(table, "MaliAlphaOther", "tiler:100", "Another alpha", "jobs", 0) &&
	      panthor_perf_table_words(table) == 128, "another product has another description");
	free(note);
	panthor_perf_table_destroy(table);
	ret = xml_load("xml/attributes", G715, &table, &note, &error);
	CHECK(!ret && !strcmp(panthor_perf_table_product(table, G715, 0), "Mali-G615"),
	      "with few cores a G715 is a G615, which is there");
	free(note);
	panthor_perf_table_destroy(table);
	CHECK(xml_load("xml/attributes", G777, &table, &note, &error) == -ENXIO && !table && !note,
	      "a product that is not there: %s", error.text);
	CHECK(!counters_open("xml/attributes", 0xc0000000, &table, &error) &&
	      !strcmp(panthor_perf_table_name(table), "G720"),
	      "what the database does not have the library may");
	panthor_perf_table_destroy(table);
}

static void test_elements(void)
{
	const struct panthor_perf_counter *counter;
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	char *note;
	int ret;

	ret = xml_load("xml/elements/all.xml", G777, &table, &note, &error);
	CHECK(!ret, "elements: %s", ret ? error.text : "a table");
	if (ret)
		return;
	CHECK(!strcmp(panthor_perf_table_product(table, G777, 0), "Mali-G777") &&
	      panthor_perf_table_words(table) == 128 && !note,
	      "a product that the library does not know, by the list of products");
	CHECK(is_counter(table, "MaliAlpha", "shader:100", "Alpha of all", "beats", 4) &&
	      is_counter(table, "BETA", "tiler:4", "BETA", "units", 0) &&
	      !panthor_perf_table_counter(table, "MaliGamma"), "elements in elements");
	counter = panthor_perf_table_counter(table, "MaliRatio");
	CHECK(counter && !strcmp(counter->group, "Memory") &&
	      !strcmp(counter->formula, "100 * MaliAlpha / BETA"), "an equation over two lines");
	panthor_perf_table_destroy(table);

	ret = xml_load("xml/elements", G610, &table, &note, &error);
	CHECK(!ret && is_counter(table, "MaliGamma", "memsys:32", "Gamma", "hertz", 0) &&
	      !panthor_perf_table_counter(table, "MaliAlpha"), "the other layout of the file");
	free(note);
	panthor_perf_table_destroy(table);
	CHECK(xml_load("xml", G610, &table, &note, &error) == 0, "both together");
	free(note);
	panthor_perf_table_destroy(table);
}

/* A file cut anywhere is refused with a place. */
static void test_bad(void)
{
	char folder[] = "/tmp/xml-test-XXXXXX", path[300], text[4096];
	FILE *file = fopen("xml/elements/all.xml", "r");
	unsigned int wrong = 0, cuts = 0;
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	size_t size, i;
	char *note;
	int ret;

	if (!file) {
		CHECK(false, "xml/elements/all.xml is there");
		return;
	}
	folder_make(folder);
	size = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[size] = 0;
	snprintf(path, sizeof(path), "%s/cut.xml", folder);
	/* The last '>' is the end of the document. */
	for (i = (size_t)(strrchr(text, '>') - text); i > 0; i -= i > 7 ? 7 : i) {
		char kept = text[i];

		text[i] = 0;
		folder_write(folder, "cut.xml", text);
		text[i] = kept;
		ret = xml_load(path, G777, &table, &note, &error);
		cuts++;
		if (ret != -EINVAL || table || note || !error.line || strcmp(error.file, path))
			wrong++;
	}
	CHECK(!wrong && cuts > 100, "%u files that are cut are refused with their line", cuts);

	folder_write(folder, "cut.xml", "<a><b></a>");
	ret = counters_open(path, G610, &table, &error);
	CHECK(ret == -EINVAL && error.line == 1 && error.column && *error.text,
	      "a tag that is not closed: %u:%u: %s", error.line, error.column, error.text);
	folder_write(folder, "cut.xml", "<a/>");
	ret = counters_open(path, G610, &table, &error);
	CHECK(ret == -ENXIO && strstr(error.text, "no hardware layout"),
	      "XML of something else: %s", error.text);
	/* Entities that grow, and files that are named, stay what they are. */
	folder_write(folder, "cut.xml",
		     "<!DOCTYPE a [<!ENTITY b \"ALPHA\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;\">"
		     "<!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;\">"
		     "<!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
		     "<Layout gpu=\"Mali-G610\"><Tiler><Counter index=\"4\" source=\"OK\"/>"
		     "<Counter index=\"5\"><source>&f;</source></Counter></Tiler></Layout>");
	ret = xml_load(path, G610, &table, &note, &error);
	CHECK(!ret && is_counter(table, "OK", "tiler:4", "OK", "units", 0) &&
	      !panthor_perf_table_counter(table, "tiler:5"), "entities are not followed: %s",
	      ret ? error.text : note);
	free(note);
	panthor_perf_table_destroy(table);
	folder_remove(folder);
}

#else

static void test_without(void)
{
	struct panthor_perf_table *table;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	CHECK(counters_open("xml/attributes", G610, &table, &error) == -EOPNOTSUPP && !table &&
	      strstr(error.text, "built without"), "XML without libxml2: %s", error.text);
}

#endif

int main(void)
{
	test_open();
#ifdef HAVE_LIBXML2
	test_attributes();
	test_elements();
	test_bad();
#else
	test_without();
#endif
	return check_failures ? 1 : 0;
}
