/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* What programs need that try calls which may not return, or that are not valid. */
#ifndef TESTS_LAYER_LIMIT_H
#define TESTS_LAYER_LIMIT_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

/*
 * Of each step of a program, for calls that never return. A machine with other things to do needs
 * many times as long as an idle one. Waits end before: %TIMEOUT_NS.
 */
#define LIMIT_S		60

/* Of structures that are newer than any driver and layer. */
#define UNKNOWN_TYPE	((VkStructureType)1999999000)

/**
 * struct unknown - a structure of no version of Vulkan
 */
struct unknown {
	/** @type: Type. */
	VkStructureType type;

	/** @next: What follows in the chain. */
	const void *next;

	/** @data: Something. */
	uint64_t data[4];
};

static const char *limited;

static inline void end_at_limit(int number)
{
	const char *const parts[] = { "not ok ", limited, " - it does not end\n" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (write(STDOUT_FILENO, parts[i], strlen(parts[i])) < 0)
			break;
	}
	_Exit(1);
}

/** limit() - End the program if the next call of this function does not come in time. */
static inline void limit(unsigned int seconds, const char *what)
{
	fflush(stdout);
	limited = what;
	signal(SIGALRM, end_at_limit);
	alarm(seconds);
}

/** is_validated() - Does the validation layer see what the program does? */
static inline bool is_validated(void)
{
	const char *layers = getenv("VK_INSTANCE_LAYERS");

	return layers && strstr(layers, "VK_LAYER_KHRONOS_validation");
}

#endif
