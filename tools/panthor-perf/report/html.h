/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_HTML_H
#define PANTHOR_PERF_HTML_H

#include "report.h"

/**
 * DOC: HTML pages
 *
 * tools/html/compose.py makes one page of page.html, page.css, page.js and uPlot at build time. It
 * is compiled in. The program writes it with the data of a recording in place of @DATA@: JSON in a
 * data block, which no browser runs. Each '<', '>' and '&' of its strings is escaped, so that
 * no text of a recording can end the block. The page's Content-Security-Policy allows the
 * scripts of the page by their SHA-256, no others, and no network.
 *
 * ::
 *
 *	recording	as report --json has it
 *	quality		as report --json has it
 *	flags, events	names of bits
 *	begin_ns	start of the first sample of the page since the start of the recording
 *	samples		count, and an array each: gap (ns from the end of the sample before),
 *			length (ns), flags, events, merged
 *	marks		sample (number in the page), id, name
 *	counters	about, an object: name, title, unit, group, derived, amount (values are
 *			shown per second), shown (at first), block, index; then arrays: values,
 *			instances
 *
 * An array is { "value": V } if all values are V, or else { "type": T, "data": D }. D is base64 of
 * little-endian numbers of type T: u8, u16, u32, f32 or f64, the smallest that holds all of them.
 * Values of hardware counters are exact up to 2^53, those of derived counters have 24 bits.
 * NaN is no value.
 */

/* The page, in html.c; "" if the program was built without uPlot. */
extern const char html_page_text[];

/** define HTML_MAX_BYTES - data of a page, at most: browsers do not read longer strings */
#define HTML_MAX_BYTES	(256ull << 20)

/**
 * struct html_array - numbers on their way into a page
 */
struct html_array {
	/** @type: One of &enum html_type. */
	unsigned int type;

	/** @used: Bytes that are filled. */
	size_t used;

	/** @data: Little-endian numbers; %NULL with @type %HTML_CONSTANT. */
	uint8_t *data;
};

/**
 * enum html_type - types of numbers
 */
enum html_type {
	/** @HTML_CONSTANT: All values are the same; they are not stored. */
	HTML_CONSTANT,

	/** @HTML_U8: 8 bits */
	HTML_U8,

	/** @HTML_U16: 16 bits */
	HTML_U16,

	/** @HTML_U32: 32 bits */
	HTML_U32,

	/** @HTML_F32: floating-point, 32 bits */
	HTML_F32,

	/** @HTML_F64: floating-point, 64 bits */
	HTML_F64,
};

/**
 * html_type_for() - The smallest type for integers
 * @max: Largest of them.
 *
 * Return: One of &enum html_type.
 */
unsigned int html_type_for(uint64_t max);

/**
 * html_array_bytes() - Size of an array in the page
 * @type: One of &enum html_type.
 * @count: Number of values.
 *
 * Return: Bytes of base64.
 */
uint64_t html_array_bytes(unsigned int type, uint64_t count);

/**
 * html_array_init() - Begin with nothing
 * @array: The array. To be freed by html_array_fini().
 * @type: One of &enum html_type.
 * @count: Number of values.
 *
 * Return: 0; -ENOMEM.
 */
int html_array_init(struct html_array *array, unsigned int type, uint64_t count);

/**
 * html_array_add() - Add a value
 * @array: The array, with room for it.
 * @value: The value; NaN: none.
 */
void html_array_add(struct html_array *array, double value);

/**
 * html_array_fini() - Free an array
 * @array: The array.
 */
void html_array_fini(struct html_array *array);

/**
 * html_array_write() - Write an array as JSON
 * @array: The array.
 * @constant: With type %HTML_CONSTANT: the value as text of JSON.
 * @out: Where to.
 */
void html_array_write(const struct html_array *array, const char *constant, FILE *out);

/**
 * html_export() - Write a page
 * @list: The columns, added up.
 * @path: Path of the file; one that exists is overwritten.
 *
 * Return: %EXIT_OK or %EXIT_ERROR, with a message.
 */
int html_export(struct column_list *list, const char *path);

#endif /* PANTHOR_PERF_HTML_H */
