/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef TESTS_TOOLS_FAKESETTINGS_H
#define TESTS_TOOLS_FAKESETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * fake_read_settings() - Set fields of &struct fake_settings
 * @text: NAME=NUMBER,...; %NULL for none. Is written to.
 */
void fake_read_settings(char *text);

/**
 * fake_read_load() - Read a script of what the GPU counts
 * @path: A file with lines BLOCK[/NUMBER]:INDEX VALUE [STEP]; %NULL or "" for none.
 *
 * In its sample n, from 1, counter INDEX of the blocks of a type, or of the one that the hardware
 * numbers so, counts VALUE + n * STEP. Counters of which the script says nothing stay 0; of two
 * lines for a counter the later one holds.
 */
void fake_read_load(const char *path);

/**
 * fake_has_load() - Is there a script?
 *
 * Return: Whether there is.
 */
bool fake_has_load(void);

/**
 * fake_load() - What a counter counts by the script
 * @nr: Number of the GPU's sample, from 1.
 * @type: Block type.
 * @number: Hardware number of the block.
 * @counter: Index of the counter.
 *
 * Return: The value.
 */
uint32_t fake_load(uint64_t nr, unsigned int type, unsigned int number, unsigned int counter);

#endif /* TESTS_TOOLS_FAKESETTINGS_H */
