// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Counters of jobs that are known in advance. A job of seven instructions in the sixteen that the
 * kernel puts around them is 23 cycles of the command execution unit, 3 of the load and store unit
 * and 2 flushes of caches; samples before, between and behind jobs have what lies between them.
 */

#include "cs.h"

#define SLOTS		8
#define SAMPLES		5
#define CSHW_WORDS	49

/* Words of the front end's block on all parts but the newest */
static const struct {
	const char *name;
	unsigned int word;
	unsigned int per_job;
} counters[] = {
	{ "GPU_ACTIVE", 4, 23 + 3 + 200 }, { "CACHE_FLUSH_CYCLES", 12, 200 },
	{ "CACHE_FLUSH", 13, 2 }, { "ITER_COMP_ACTIVE", 24, 0 }, { "ITER_FRAG_ACTIVE", 32, 0 },
	{ "CEU_ACTIVE", 40, 23 }, { "LSU_ACTIVE", 45, 3 }, { "CSHWIF0_ENABLED", 48, 23 },
};

/* The 64-bit counters of the front end in a sample */
static const uint64_t *front_end(const struct drm_panthor_perf_sample_header *sample,
				 const struct drm_panthor_perf_info *info)
{
	const char *at = (const char *)sample + info->sample_header_size;
	size_t size = info->block_header_size + 8 * info->counters_per_block;

	for (; at + size <= (const char *)sample + info->sample_size; at += size) {
		const struct drm_panthor_perf_block_header *block = (const void *)at;

		if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			return (const void *)(at + info->block_header_size);
	}
	printf("not ok a block of the front end - there is none\n");
	exit(1);
}

static void check_sample(struct session *s, const struct drm_panthor_perf_info *info,
			 uint64_t index, unsigned int job_count, uint32_t flags)
{
	const struct drm_panthor_perf_sample_header *sample = session_slot(s, index);
	const uint64_t *words = front_end(sample, info);
	char what[80];
	unsigned int i;

	for (i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		snprintf(what, sizeof(what), "%s of %u jobs", counters[i].name, job_count);
		check_eq(what, words[counters[i].word], (uint64_t)job_count * counters[i].per_job);
	}
	check_eq("user data of the sample", sample->user_data, job_count);
	check_eq("flags of the sample", sample->flags, flags);
}

int main(void)
{
	struct drm_panthor_perf_info info;
	uint64_t stream[STREAM_WORDS];
	unsigned int i, n, count;
	uint32_t group, syncobj;
	struct session s;

	gpu = open_gpu();
	info = perf_info(gpu);
	if (info.counters_per_block < CSHW_WORDS)
		die("so few counters");
	make_vm();
	count = store(stream, data_va(0), 0xdeadbeef);
	session_prepare(&s, gpu, SLOTS);
	check_errno("SETUP", session_setup(&s), 0);

	/* Jobs before the start are nobody's. */
	group = make_group_with_slot();
	syncobj = make_syncobj();
	check_errno("a job before the start", submit(group, 0, 0, stream, count, syncobj), 0);
	check_outcome("that job", syncobj, 1);
	check_errno("START", session_start(&s, 0), 0);
	for (i = 0; i < SAMPLES; i++) {
		unsigned int failed = 0;

		for (n = 0; n < i; n++) {
			syncobj = make_syncobj();
			failed += submit(group, 0, 0, stream, count, syncobj) != 0;
			failed += outcome(syncobj) != 1;
		}
		check_eq("jobs that failed", failed, 0);
		check_errno("SAMPLE", session_sample(&s, i), 0);
		check(session_wait(&s, i + 1, WAIT_MS), "the sample came");
		check_sample(&s, &info, i, i, 0);
		session_consume(&s, i + 1);
	}
	syncobj = make_syncobj();
	check_errno("the last job", submit(group, 0, 0, stream, count, syncobj), 0);
	check_outcome("that job", syncobj, 1);
	check_errno("STOP", session_stop(&s, 1), 0);
	check(session_wait(&s, SAMPLES + 1, WAIT_MS), "the last sample came");
	check_sample(&s, &info, SAMPLES, 1, DRM_PANTHOR_PERF_SAMPLE_FINAL);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	session_release(&s);
	destroy_group(group);
	return 0;
}
