// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The blocks' states in samples, one step after the other: power of shader cores, sleep, and requests that
 * the firmware acknowledges without a sample.
 *
 *	perf-states FOLDER
 *
 * writes its samples to FOLDER/steps.SAMPLES.ERRORS.raw, to be compared with the truth outside. It needs a GPU
 * without automatic samples and without cores that go off by themselves.
 */
#include "raw.h"

#define SLOTS	8

#define ON		DRM_PANTHOR_PERF_BLOCK_STATE_ON
#define OFF		DRM_PANTHOR_PERF_BLOCK_STATE_OFF
#define AVAILABLE	DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE
#define NORMAL		DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL
#define ERROR		DRM_PANTHOR_PERF_SAMPLE_ERROR
#define EVENT(name)	DRM_PANTHOR_PERF_EVENT_##name

/**
 * struct recorder - a manual session whose samples are written to a file
 */
struct recorder {
	/** @session: The session. */
	struct session session;

	/** @info: The GPU. */
	struct drm_panthor_perf_info info;

	/** @raw: The file. */
	struct raw_file raw;

	/** @count: Samples so far. */
	uint64_t count;

	/** @errors: Those with ERROR. */
	uint64_t errors;
};

static void recorder_start(struct recorder *r)
{
	struct raw_call call = { 0 };

	memset(r, 0, sizeof(*r));
	session_prepare(&r->session, open_gpu(), SLOTS);
	r->info = perf_info(r->session.fd);
	check_errno("SETUP", session_setup(&r->session), 0);
	raw_open(&r->raw, "/tmp/recorder.raw", &r->session);
	call.before = clocks_now();
	check_errno("START", session_start(&r->session, 0), 0);
	call.after = clocks_now();
	raw_call(&r->raw, RAW_START, &call);
}

/* The next sample; NULL if it does not come in time. */
static const struct drm_panthor_perf_sample_header *recorder_next(struct recorder *r, int timeout_ms)
{
	const struct drm_panthor_perf_sample_header *header;

	if (!session_wait(&r->session, r->count + 1, timeout_ms))
		return NULL;
	header = session_slot(&r->session, r->count);
	raw_sample(&r->raw, header);
	r->errors += !!(header->flags & ERROR);
	/* It stays where it is until the ring has come round. */
	session_consume(&r->session, ++r->count);
	return header;
}

static void recorder_stop(struct recorder *r, uint64_t user_data)
{
	struct raw_call call = { .user_data = user_data, .before = clocks_now() };

	check_errno("STOP", session_stop(&r->session, user_data), 0);
	call.after = clocks_now();
	raw_call(&r->raw, RAW_STOP, &call);
}

static void recorder_finish(struct recorder *r, const char *folder, const char *name)
{
	char path[256];

	check_errno("TEARDOWN", session_teardown(&r->session), 0);
	raw_close(&r->raw);
	snprintf(path, sizeof(path), "%s/%s.%llu.%llu.raw", folder, name,
		 (unsigned long long)r->count, (unsigned long long)r->errors);
	if (rename("/tmp/recorder.raw", path))
		die(path);
	session_release(&r->session);
	close(r->session.fd);
}

/**
 * struct states - the states of a sample's blocks
 */
struct states {
	/** @all: In all of them. */
	uint32_t all;

	/** @any: In any of them. */
	uint32_t any;

	/** @others: In any block that is no shader core. */
	uint32_t others;

	/** @others_all: In all blocks that are none. */
	uint32_t others_all;

	/** @shaders: Of the shader cores but the last. */
	uint32_t shaders;

	/** @last: Of the last shader core. */
	uint32_t last;

	/** @counters: Sum of all counters. */
	uint64_t counters;
};

static struct states states_of(const struct recorder *r,
			       const struct drm_panthor_perf_sample_header *header)
{
	const struct drm_panthor_perf_info *info = &r->info;
	struct states s = { .all = ~0u, .others_all = ~0u };
	const char *pos = (const char *)header + info->sample_header_size;
	const char *end = (const char *)header + r->session.setup.sample_size;

	for (; pos < end; pos += info->block_header_size + info->counters_per_block * sizeof(uint64_t)) {
		const struct drm_panthor_perf_block_header *block = (const void *)pos;
		const uint64_t *counters = (const void *)(pos + info->block_header_size);

		for (uint32_t i = 0; i < info->counters_per_block; i++)
			s.counters += counters[i];
		s.all &= block->states;
		s.any |= block->states;
		if (block->type != DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER) {
			s.others |= block->states;
			s.others_all &= block->states;
		} else if (block->idx == info->shader_blocks - 1u) {
			s.last = block->states;
		} else {
			s.shaders |= block->states;
		}
	}
	return s;
}

/* ---- Steps ---- */

/**
 * struct step - something happens, and a sample tells
 */
struct step {
	/** @text: What it is. */
	const char *text;

	/** @request: What the GPU is told before, or %NULL. */
	const char *request;

	/** @flags: The sample's flags. */
	uint32_t flags;

	/** @events: Its events. */
	uint32_t events;

	/** @shaders: States of the shader cores but the last, beside AVAILABLE and NORMAL. */
	uint32_t shaders;

	/** @last: Of the last one. */
	uint32_t last;
};

#define POWER	"qom-set gpu0 x-core-power "

static const struct step steps[] = {
	{ "at first", NULL, 0, 0, ON, ON },
	{ "the last core off", POWER "0x10005", 0, 0, ON, ON | OFF },
	{ "it is off", NULL, 0, 0, ON, OFF },
	{ "it is on again", POWER "0x50005", 0, 0, ON, ON },
	{ "it is on", NULL, 0, 0, ON, ON },
	{ "all cores off", POWER "0", 0, 0, ON | OFF, ON | OFF },
	{ "they are off", NULL, 0, 0, OFF, OFF },
	{ "the last one on", POWER "0x40000", 0, 0, OFF, ON },
	{ "all on", POWER "0x50005", 0, 0, ON, ON },
	{ "the last core loses counts", "qom-set gpu0 x-lose-cores 1", 0, EVENT(CORE_OFF_LOST), ON, OFF },
	{ "it comes back", NULL, 0, 0, ON, ON },
	{ "it loses counts again", "qom-set gpu0 x-lose-cores 1", 0, EVENT(CORE_OFF_LOST), ON, OFF },
	{ "and is there again", NULL, 0, 0, ON, ON },
	{ "the firmware sleeps", "qom-set gpu0 x-sleep 1", 0, 0, ON, ON },
	{ "it is awake", NULL, 0, 0, ON, ON },
	{ "an acknowledge without a sample", "qom-set gpu0 x-skip-samples 1", ERROR,
	  EVENT(FW_ERROR) | EVENT(HOST_TIME), 0, 0 },
	{ "the next one has its sample", NULL, 0, 0, ON, ON },
	{ "off, and asleep", POWER "0x10005", 0, 0, ON, ON | OFF },
	{ "asleep with a core off", "qom-set gpu0 x-sleep 1", 0, 0, ON, OFF },
	{ "on", POWER "0x50005", 0, 0, ON, ON },
};

static void check_states(const struct recorder *r, const struct step *step,
			 const struct drm_panthor_perf_sample_header *header)
{
	const uint32_t base = step->shaders ? AVAILABLE | NORMAL : AVAILABLE;
	const uint32_t others = step->shaders ? ON | base : base;
	struct states s = states_of(r, header);

	check(header->flags == step->flags && header->events == step->events,
	      "%s: flags %#x, events %#x, got %#x, %#x", step->text, step->flags, step->events,
	      header->flags, header->events);
	check(s.shaders == (step->shaders | base) && s.last == (step->last | base),
	      "%s: shader cores %#x and %#x, got %#x and %#x", step->text, step->shaders | base,
	      step->last | base, s.shaders, s.last);
	check(s.others == others && s.others_all == others, "%s: other blocks %#x, got %#x", step->text,
	      others, s.others);
}

static int run_steps(const char *folder)
{
	struct recorder r;

	recorder_start(&r);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct drm_panthor_perf_sample_header *header;

		if (steps[i].request && !host(steps[i].request))
			return 1;
		if (session_sample(&r.session, i)) {
			check(false, "%s: SAMPLE", steps[i].text);
			return 1;
		}
		header = recorder_next(&r, WAIT_MS);
		if (!header) {
			check(false, "%s: a sample", steps[i].text);
			return 1;
		}
		check_states(&r, &steps[i], header);
	}
	recorder_stop(&r, 0);
	check(recorder_next(&r, WAIT_MS), "the final sample");
	recorder_finish(&r, folder, "steps");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return run_steps(argv[1]);
	fprintf(stderr, "usage: perf-states FOLDER\n");
	return 2;
}
