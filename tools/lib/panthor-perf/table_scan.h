/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_TABLE_SCAN_H
#define PANTHOR_PERF_TABLE_SCAN_H

#include "panthor_perf_counters.h"

/**
 * DOC: Words of a table's text
 *
 * A scanner walks over the text and does not change it. The table keeps its words in a second copy,
 * where a zero terminates each word.
 */

/** struct scan - where a scanner is */
struct scan {
	/** @text: The text. */
	const char *text;

	/** @strings: The copy of it that the table keeps. */
	char *strings;

	/** @size: Bytes at @text. */
	size_t size;

	/** @pos: The next byte. */
	size_t pos;

	/** @line_start: The first byte of the line. */
	size_t line_start;

	/** @line: Number of the line, from 1. */
	unsigned int line;

	/** @quoted: A word of a message, cut if it is long. */
	char quoted[41];

	/** @error: Where messages go. */
	struct panthor_perf_error *error;
};

/** struct scan_token - a word, or what stands between quotes */
struct scan_token {
	/** @start: Its first byte. */
	size_t start;

	/** @size: Its bytes. */
	size_t size;
};

/**
 * scan_fail() - Report an error
 * @s: The scanner.
 * @pos: Byte of the current line that the message is about.
 * @err: What is to be returned.
 * @format: The message.
 *
 * Return: @err.
 */
int scan_fail(struct scan *s, size_t pos, int err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/**
 * scan_cut() - A word for a message
 * @s: The scanner.
 * @token: The word.
 *
 * Return: The word, cut if it is long; until the next call.
 */
const char *scan_cut(struct scan *s, const struct scan_token *token);

/**
 * scan_at_end() - Is there nothing left?
 * @s: The scanner.
 *
 * Return: Whether it is at the end.
 */
bool scan_at_end(const struct scan *s);

/**
 * scan_is_blank() - Does a character stand between words?
 * @c: The character.
 *
 * Return: Whether it does; a newline does not.
 */
bool scan_is_blank(char c);

/**
 * scan_line_end() - Is nothing left of the line but blanks and a comment?
 * @s: The scanner, which goes to the next word, or to the end of the line.
 *
 * Return: Whether it is.
 */
bool scan_line_end(struct scan *s);

/**
 * scan_next_line() - Go on with the next line
 * @s: The scanner, at a newline.
 */
void scan_next_line(struct scan *s);

/**
 * scan_word() - Read a word
 * @s: The scanner.
 * @token: Where it is returned.
 * @what: What it is, for messages.
 *
 * Return: 0; -EINVAL with a message.
 */
int scan_word(struct scan *s, struct scan_token *token, const char *what);

/**
 * scan_is() - Is a word this one?
 * @s: The scanner.
 * @token: The word.
 * @word: This one.
 *
 * Return: Whether it is.
 */
bool scan_is(const struct scan *s, const struct scan_token *token, const char *word);

/**
 * scan_keep() - Keep a word for the table
 * @s: The scanner.
 * @token: The word.
 *
 * Return: The word, as long as the table lives.
 */
const char *scan_keep(struct scan *s, const struct scan_token *token);

/**
 * scan_quoted() - Read what is in quotes, and keep it
 * @s: The scanner.
 * @text: Where it is returned.
 * @what: What it is, for messages.
 *
 * Return: 0; -EINVAL with a message.
 */
int scan_quoted(struct scan *s, const char **text, const char *what);

/**
 * scan_digits() - Read a number from a part of a word
 * @s: The scanner.
 * @start: Its first byte.
 * @end: What is behind it.
 * @min: Smallest value.
 * @max: Largest value.
 * @what: What it is, for messages.
 * @number: Where it is returned.
 *
 * Return: 0; -EINVAL with a message.
 */
int scan_digits(struct scan *s, size_t start, size_t end, unsigned int min, unsigned int max,
		const char *what, unsigned int *number);

/**
 * scan_number() - Read a number
 * @s: The scanner.
 * @min: Smallest value.
 * @max: Largest value.
 * @what: What it is, for messages.
 * @number: Where it is returned.
 *
 * Return: 0; -EINVAL with a message.
 */
int scan_number(struct scan *s, unsigned int min, unsigned int max, const char *what,
		unsigned int *number);

#endif /* PANTHOR_PERF_TABLE_SCAN_H */
