// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "table_scan.h"

int scan_fail(struct scan *s, size_t pos, int err, const char *format, ...)
{
	va_list args;

	s->error->line = s->line;
	s->error->column = pos - s->line_start + 1;
	va_start(args, format);
	vsnprintf(s->error->text, sizeof(s->error->text), format, args);
	va_end(args);
	return err;
}

const char *scan_cut(struct scan *s, const struct scan_token *token)
{
	snprintf(s->quoted, sizeof(s->quoted), "%.*s", (int)token->size, s->text + token->start);
	return s->quoted;
}

bool scan_at_end(const struct scan *s)
{
	return s->pos == s->size;
}

bool scan_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

bool scan_line_end(struct scan *s)
{
	while (!scan_at_end(s) && scan_is_blank(s->text[s->pos]))
		s->pos++;
	if (!scan_at_end(s) && s->text[s->pos] == '#')
		while (!scan_at_end(s) && s->text[s->pos] != '\n')
			s->pos++;
	return scan_at_end(s) || s->text[s->pos] == '\n';
}

void scan_next_line(struct scan *s)
{
	s->pos++;
	s->line++;
	s->line_start = s->pos;
}

int scan_word(struct scan *s, struct scan_token *token, const char *what)
{
	if (scan_line_end(s))
		return scan_fail(s, s->pos, -EINVAL, "%s is expected", what);
	token->start = s->pos;
	if (s->text[s->pos] == '"')
		return scan_fail(s, s->pos, -EINVAL, "%s is expected, without quotes", what);
	while (!scan_at_end(s) && !scan_is_blank(s->text[s->pos]) && s->text[s->pos] != '\n') {
		unsigned char c = s->text[s->pos];

		if (c < ' ' || c > '~')
			return scan_fail(s, s->pos, -EINVAL,
					 "unexpected byte 0x%02x: %s is expected", c, what);
		s->pos++;
	}
	token->size = s->pos - token->start;
	return 0;
}

bool scan_is(const struct scan *s, const struct scan_token *token, const char *word)
{
	return strlen(word) == token->size && !memcmp(s->text + token->start, word, token->size);
}

const char *scan_keep(struct scan *s, const struct scan_token *token)
{
	s->strings[token->start + token->size] = 0;
	return s->strings + token->start;
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

int scan_quoted(struct scan *s, const char **text, const char *what)
{
	struct scan_token token;

	if (scan_line_end(s) || s->text[s->pos] != '"')
		return scan_fail(s, s->pos, -EINVAL, "%s in quotes is expected", what);
	token.start = ++s->pos;
	while (!scan_at_end(s) && s->text[s->pos] != '"' && s->text[s->pos] != '\n') {
		size_t length = utf8_size((const unsigned char *)s->text + s->pos,
					  s->size - s->pos);

		if (!length)
			return scan_fail(s, s->pos, -EINVAL, "byte 0x%02x is no UTF-8 text",
					 (unsigned char)s->text[s->pos]);
		s->pos += length;
	}
	token.size = s->pos - token.start;
	if (scan_at_end(s) || s->text[s->pos] == '\n')
		return scan_fail(s, token.start - 1, -EINVAL, "the quotes are not closed");
	if (!token.size)
		return scan_fail(s, s->pos, -EINVAL, "%s is empty", what);
	s->pos++;
	if (!scan_at_end(s) && !scan_is_blank(s->text[s->pos]) && s->text[s->pos] != '\n')
		return scan_fail(s, s->pos, -EINVAL, "a blank is expected behind the quotes");
	*text = scan_keep(s, &token);
	return 0;
}

int scan_digits(struct scan *s, size_t start, size_t end, unsigned int min, unsigned int max,
		const char *what, unsigned int *number)
{
	uint64_t value = 0;
	size_t i;

	for (i = start; i < end; i++) {
		if (s->text[i] < '0' || s->text[i] > '9')
			return scan_fail(s, i, -EINVAL, "unexpected '%c': %s is a number",
					 s->text[i], what);
		if (value <= max)
			value = 10 * value + (s->text[i] - '0');
	}
	if (start == end)
		return scan_fail(s, start, -EINVAL, "%s is expected", what);
	if (value < min || value > max)
		return scan_fail(s, start, -EINVAL, "%s is out of its range, %u to %u", what, min,
				 max);
	*number = value;
	return 0;
}

int scan_number(struct scan *s, unsigned int min, unsigned int max, const char *what,
		unsigned int *number)
{
	struct scan_token token;
	int ret = scan_word(s, &token, what);

	return ret ?: scan_digits(s, token.start, token.start + token.size, min, max, what, number);
}
