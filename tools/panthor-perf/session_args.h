/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_SESSION_ARGS_H
#define PANTHOR_PERF_SESSION_ARGS_H

#include "cmd.h"

/**
 * struct session_options - how the kernel is to deliver samples
 */
struct session_options {
	/** @flags: Of &enum drm_panthor_perf_setup_flags. */
	uint32_t flags;

	/** @wakeup_samples: Samples that wake this program (--wakeup); 0: any number. */
	uint32_t wakeup_samples;

	/** @wakeup_ns: Longest time that a sample waits, in ns; 0: any. */
	uint64_t wakeup_ns;
};

/* Parser of --wakeup, --compact and --allow-suspend, whose input is a struct session_options. */
extern const struct argp session_argp;

/**
 * session_configure() - Ask for a session with these options
 * @session: What the user wants.
 * @samples: Number of samples that are wanted, 0 for no limit.
 * @config: The session's configuration with its period and slots; flags and wake-ups are set.
 *
 * Without a period there are no wake-ups for several samples, and a ring that is small because few
 * are wanted wakes this program when it is full.
 */
void session_configure(const struct session_options *session, uint64_t samples,
		       struct panthor_perf_session_config *config);

/**
 * session_check() - Is a session within what the driver offers? With a message if not
 * @info: Counter configuration.
 * @config: The session's configuration.
 * @slots: Slots of the ring that the user asks for, 0 for none.
 *
 * Return: %EXIT_OK or %EXIT_USAGE.
 */
int session_check(const struct drm_panthor_perf_info *info,
		  const struct panthor_perf_session_config *config, uint32_t slots);

/**
 * session_room() - Slots with room for what comes while this program wakes up
 * @session: What the user wants.
 * @slots: Slots that there would be otherwise, not 0.
 *
 * Return: @slots or a higher power of two.
 */
uint32_t session_room(const struct session_options *session, uint32_t slots);

/**
 * session_wakeup_time() - When to look for samples even if nothing wakes this program
 * @session: What the user wants.
 * @period_ns: Period in ns.
 * @left: Samples by period that are still wanted, 0 for no limit: the last ones may be too few for
 *	--wakeup.
 *
 * Return: CLOCK_MONOTONIC in ns; 0: never.
 */
uint64_t session_wakeup_time(const struct session_options *session, uint64_t period_ns,
			     uint64_t left);

#endif /* PANTHOR_PERF_SESSION_ARGS_H */
