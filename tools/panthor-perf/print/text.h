/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_TEXT_H
#define PANTHOR_PERF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct json_object;

/**
 * DOC: Text of users
 *
 * Names of files, arguments, marks and nodes are any bytes. What other programs read is UTF-8,
 * and what a terminal shows does not control it: a byte that cannot be there becomes "?".
 */

/**
 * text_character() - Bytes of a character of UTF-8
 * @text: A text that is not empty.
 *
 * Return: 1 to 4; 0 if no character of UTF-8 begins there.
 */
size_t text_character(const char *text);

/**
 * text_utf8() - Make a text valid UTF-8
 * @text: The text.
 */
void text_utf8(char *text);

/**
 * text_printable() - Make a text valid UTF-8 without control characters
 * @text: The text.
 */
void text_printable(char *text);

/**
 * text_copy() - A printable copy
 * @text: Any bytes.
 *
 * Return: The copy, to be freed; %NULL without memory.
 */
char *text_copy(const char *text);

/**
 * text_json() - A string of JSON
 * @text: Any bytes.
 *
 * Return: The string; %NULL, which is JSON's null, without memory.
 */
struct json_object *text_json(const char *text);

/**
 * text_put_json() - Write JSON, and free it
 * @object: The object.
 * @flags: As for json_object_to_json_string_ext(); %JSON_C_TO_STRING_NOSLASHESCAPE is added.
 * @out: Where it is written.
 *
 * json-c leaves DEL and the control characters of C1 as they are. They are written as \\u.
 *
 * Return: Whether there was memory for it.
 */
bool text_put_json(struct json_object *object, int flags, FILE *out);

#endif /* PANTHOR_PERF_TEXT_H */
