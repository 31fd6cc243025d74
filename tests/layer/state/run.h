/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Runs cases: records a script without the layer and with it, and compares what the driver got. */
#ifndef STATE_RUN_H
#define STATE_RUN_H

#include <stdbool.h>

#include "script.h"

#define MAX_TEXT	2048

/** struct progress - what a process that may crash shares with the one that watches it */
struct progress {
	/** @next: Number of the next case. */
	unsigned int next;

	/** @cases: Cases that have ended. */
	unsigned int cases;

	/** @failed: Those of them that have failed. */
	unsigned int failed;

	/** @crashed: Number of crashes. */
	unsigned int crashed;

	/** @kept: Cases that the layer has left whole, as it may. */
	unsigned int kept;

	/** @groups: Number of groups that have ended. */
	unsigned int groups;

	/** @group_cases: Cases of the group. */
	unsigned int group_cases;

	/** @group_failed: Those of them that have failed. */
	unsigned int group_failed;

	/** @group: Name of the group. */
	char group[MAX_NAME];

	/** @name: Name of the case that runs. */
	char name[MAX_NAME];

	/** @done: All cases have ended. */
	bool done;
};

/** enum plant - a fault of a layer */
enum plant {
	/** @PLANT_NONE: None. */
	PLANT_NONE,

	/** @PLANT_DROP: A command is not recorded again. */
	PLANT_DROP,

	/** @PLANT_LAST: Only the last call of a command is. */
	PLANT_LAST,

	/** @PLANT_LATE: A command is recorded again behind all others. */
	PLANT_LATE,
};

/**
 * struct simulation - a layer in place of the one that is tested
 *
 * It splits what the driver got, and records all again that set state. So the judge itself is
 * tested.
 */
struct simulation {
	/** @enabled: It is used. */
	bool enabled;

	/** @plant: Its fault. */
	enum plant plant;

	/** @command: The command that has the fault. */
	const struct command *command;
};

extern struct progress *progress;
extern struct simulation simulation;

/* Failures of a group beyond this are counted, but not printed. */
extern unsigned int max_printed;
/* The layer may leave all in one part. */
extern bool all_stay_whole;
extern bool all_may_stay_whole;

/* Only groups with this in their name. May be %NULL. */
extern const char *only;
/* Only groups of this command. May be %NULL. */
extern const struct command *only_command;

bool run_group(const char *format, ...) __attribute__((__format__(printf, 1, 2)));
void run_group_end(void);
void run_case(struct script *script);
bool run_is_next(const char *name);
void run_done(const char *name, const char *reason);
unsigned int run_parts(VkCommandBuffer *handles, unsigned int max);
void run_crashed(const char *how);

#endif
