// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the firmware's samples tell of the blocks' states, one step after the other:
 *
 *	steps FOLDER		power of shader cores, sleep, samples that fail
 *	protected FOLDER	in and out of protected mode, where requests wait
 *	long FOLDER		in it for longer than they do
 *	acked FOLDER		the same where they are answered without a sample
 *
 * Each writes its samples to FOLDER/NAME.SAMPLES.ERRORS.raw, to be compared with the truth outside. "steps"
 * needs a GPU without automatic samples and without cores that go off by themselves.
 */
#include "raw.h"

#define SLOTS	8

#define ON		DRM_PANTHOR_PERF_BLOCK_STATE_ON
#define OFF		DRM_PANTHOR_PERF_BLOCK_STATE_OFF
#define AVAILABLE	DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE
#define NORMAL		DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL
#define PROTECTED	DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED
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

#define POWER	"qom-set gpu0 core-power "

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
	{ "the last core loses counts", "qom-set gpu0 lose-cores 1", 0, EVENT(CORE_OFF_LOST), ON, OFF },
	{ "it comes back", NULL, 0, 0, ON, ON },
	{ "it loses counts again", "qom-set gpu0 lose-cores 1", 0, EVENT(CORE_OFF_LOST), ON, OFF },
	{ "and is there again", NULL, 0, 0, ON, ON },
	{ "the firmware sleeps", "qom-set gpu0 sleep 1", 0, 0, ON, ON },
	{ "it is awake", NULL, 0, 0, ON, ON },
	{ "a sample fails", "qom-set gpu0 fail-samples 1", ERROR, EVENT(FW_ERROR), ON, ON },
	{ "the next one does not", NULL, 0, 0, ON, ON },
	{ "off, and asleep", POWER "0x10005", 0, 0, ON, ON | OFF },
	{ "asleep with a core off", "qom-set gpu0 sleep 1", 0, 0, ON, OFF },
	{ "on", POWER "0x50005", 0, 0, ON, ON },
};

static void check_states(const struct recorder *r, const struct step *step,
			 const struct drm_panthor_perf_sample_header *header)
{
	struct states s = states_of(r, header);

	check(header->flags == step->flags && header->events == step->events,
	      "%s: flags %#x, events %#x, got %#x, %#x", step->text, step->flags, step->events,
	      header->flags, header->events);
	check(s.shaders == (step->shaders | AVAILABLE | NORMAL) &&
	      s.last == (step->last | AVAILABLE | NORMAL),
	      "%s: shader cores %#x and %#x, got %#x and %#x", step->text,
	      step->shaders | AVAILABLE | NORMAL, step->last | AVAILABLE | NORMAL, s.shaders, s.last);
	check(s.others == (ON | AVAILABLE | NORMAL) && s.others_all == s.others,
	      "%s: other blocks %#x, got %#x", step->text, ON | AVAILABLE | NORMAL, s.others);
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

/* ---- Protected mode ---- */

static bool enter(void)
{
	return host("qom-set gpu0 protected 1");
}

static bool leave(void)
{
	return host("qom-set gpu0 protected 0");
}

static const struct drm_panthor_perf_sample_header *sample(struct recorder *r, const char *text)
{
	const struct drm_panthor_perf_sample_header *header = NULL;
	int error = session_sample(&r->session, r->count);

	if (!error)
		header = recorder_next(r, WAIT_MS);
	check(header, "%s: a sample", text);
	if (!header)
		exit(1);
	return header;
}

/* A sample that has seen protected mode, and counts of normal mode. */
static void check_protected(struct recorder *r, const char *text, uint32_t events,
			    const struct drm_panthor_perf_sample_header *header)
{
	const uint32_t want = ON | NORMAL | PROTECTED | AVAILABLE;
	struct states s = states_of(r, header);

	check(!(header->flags & ERROR), "%s: no ERROR", text);
	check_eq("  events", header->events, EVENT(PROTECTED) | events);
	check((s.all & (NORMAL | PROTECTED | AVAILABLE)) == (NORMAL | PROTECTED | AVAILABLE) &&
	      s.others == want && s.others_all == want, "  blocks were in both modes: %#x", s.others);
}

static void check_normal(struct recorder *r, const char *text,
			 const struct drm_panthor_perf_sample_header *header)
{
	struct states s = states_of(r, header);

	check(!header->flags && !header->events, "%s: no flag, no event", text);
	check(!(s.any & PROTECTED) && s.all & NORMAL, "  all blocks in normal mode");
}

static int run_protected(const char *folder)
{
	const struct drm_panthor_perf_sample_header *header;
	struct recorder r;

	recorder_start(&r);
	check_normal(&r, "before", sample(&r, "before"));

	check(enter(), "protected mode");
	check_errno("SAMPLE in protected mode", session_sample(&r.session, 1), 0);
	check(!session_wait(&r.session, r.count + 1, 1500), "waits");
	check(leave(), "normal mode");
	header = recorder_next(&r, WAIT_MS);
	check(header, "has come then");
	if (!header)
		return 1;
	check_protected(&r, "a sample that had to wait", 0, header);
	check_normal(&r, "behind", sample(&r, "behind"));

	check(enter() && leave(), "in and out");
	check_protected(&r, "a sample that spans it", 0, sample(&r, "in and out"));
	check(enter() && leave() && enter() && leave(), "in and out twice");
	check_protected(&r, "a sample that spans both", 0, sample(&r, "in and out twice"));
	check_normal(&r, "behind them", sample(&r, "behind them"));

	check(enter(), "protected mode");
	recorder_stop(&r, 3);
	check(!session_wait(&r.session, r.count + 1, 300), "its sample waits");
	check(leave(), "normal mode");
	header = recorder_next(&r, WAIT_MS);
	check(header, "and comes");
	if (header)
		check_protected(&r, "the final sample", 0, header);
	recorder_finish(&r, folder, "protected");
	return 0;
}

/* For longer than a request waits: it is answered without a sample, and the counts come later. */
static int run_long(const char *folder)
{
	const struct drm_panthor_perf_sample_header *header;
	uint64_t before;
	struct recorder r;

	recorder_start(&r);
	check_normal(&r, "before", sample(&r, "before"));
	check(enter(), "protected mode without an end");
	before = raw_ns();
	check_errno("SAMPLE", session_sample(&r.session, 2), 0);
	header = recorder_next(&r, 20000);
	check(header, "is answered nevertheless");
	if (!header)
		return 1;
	check(raw_ns() - before > 5 * NS_PER_S, "not before 5 s");
	check_eq("flags", header->flags, ERROR);
	check_eq("events", header->events & ~(uint32_t)EVENT(HOST_TIME), EVENT(PROTECTED) | EVENT(FW_TIMEOUT));
	check(states_of(&r, header).all & PROTECTED, "all blocks are in protected mode");
	check(leave(), "normal mode");
	check_protected(&r, "the sample behind", 0, sample(&r, "the sample behind"));
	check_normal(&r, "at last", sample(&r, "at last"));
	recorder_stop(&r, 3);
	check(recorder_next(&r, WAIT_MS), "the final sample");
	recorder_finish(&r, folder, "long");
	return 0;
}

static int run_acked(const char *folder)
{
	const struct drm_panthor_perf_sample_header *header;
	struct recorder r;
	struct states s;

	recorder_start(&r);
	check_normal(&r, "before", sample(&r, "before"));

	check(enter(), "protected mode");
	/* The time of the sample that began it is older than the request: the host's stands in. */
	check_protected(&r, "the first one", EVENT(HOST_TIME), sample(&r, "the first one"));
	for (int i = 0; i < 2; i++) {
		header = sample(&r, "one without a sample of the firmware");
		s = states_of(&r, header);
		check_eq("  GPU timestamp", header->gpu_timestamp, 0);
		check_eq("  counts", s.counters, 0);
		check_eq("  events", header->events, EVENT(PROTECTED) | EVENT(HOST_TIME));
		check(!header->flags && s.any == (PROTECTED | AVAILABLE) && s.all == s.any,
		      "  all blocks are in protected mode, got %#x", s.any);
	}
	check(leave(), "normal mode");
	header = sample(&r, "the first one behind");
	s = states_of(&r, header);
	check(!header->flags && header->events == EVENT(PROTECTED), "  is told of it");
	check((s.others & (ON | NORMAL | PROTECTED)) == (ON | NORMAL | PROTECTED),
	      "  blocks were in both modes");
	check_normal(&r, "behind", sample(&r, "behind"));
	recorder_stop(&r, 0);
	check(recorder_next(&r, WAIT_MS), "the final sample");
	recorder_finish(&r, folder, "acked");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "steps"))
		return run_steps(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "protected"))
		return run_protected(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "long"))
		return run_long(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "acked"))
		return run_acked(argv[2]);
	fprintf(stderr, "usage: perf-states steps | protected | long | acked FOLDER\n");
	return 2;
}
