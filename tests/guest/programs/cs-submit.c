// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Jobs for the GPU, through the driver's own interface: streams that store words, that wait for
 * each other in more groups than there are slots, and that are wrong in each of the ways that the
 * driver tells apart. Needs no counters, so that the distribution's driver can run it.
 *
 *	cs-submit jobs		a queue gets job after job
 *	cs-submit example	one job, of which everything is known
 *	cs-submit groups	groups wait for a word that the last one writes
 *	cs-submit page-fault	a store to nowhere
 *	cs-submit invalid	an instruction that does not exist
 *	cs-submit endless	a job without end
 */

#include "cs.h"

#define JOBS		40
#define GROUPS		11
/* Of groups: one of them goes well even where the host is slow. */
#define ROUNDS		8

static void run_store(const char *what, uint32_t value)
{
	uint32_t group = make_group_with_slot(), syncobj = make_syncobj();
	uint64_t words[STREAM_WORDS];
	unsigned int count = store(words, data_va(900), value);

	check_errno(what, submit(group, 0, 100, words, count, syncobj), 0);
	check_outcome(what, syncobj, 1);
	check_eq(what, *data(900), value);
	destroy_group(group);
}

/* ---- What can be asked for ---- */

static void jobs(void)
{
	uint32_t group = make_group_with_slot(), syncobj[JOBS];
	uint64_t words[STREAM_WORDS];
	unsigned int i, refused = 0, failed = 0, wrong = 0;

	for (i = 0; i < JOBS; i++) {
		unsigned int count = store(words, data_va(i), 0xdead0000 + i);

		syncobj[i] = make_syncobj();
		refused += submit(group, i % QUEUES, i, words, count, syncobj[i]) != 0;
	}
	for (i = 0; i < JOBS; i++) {
		failed += outcome(syncobj[i]) != 1;
		wrong += *data(i) != 0xdead0000 + i;
	}
	check_eq("jobs that were refused", refused, 0);
	check_eq("jobs that failed", failed, 0);
	check_eq("words that are wrong", wrong, 0);
	check_eq("state of the group", group_state(group), 0);
	destroy_group(group);
}

/* One of the GPU's numbers of work, outside of the guest. */
static uint64_t total(const char *name)
{
	char question[64], reply[64];

	snprintf(question, sizeof(question), "qom-get gpu0 %s", name);
	if (!ask_host(question, reply, sizeof(reply)))
		die(name);
	return strtoull(reply + strlen("ok"), NULL, 0);
}

/*
 * Seven instructions in the sixteen that the kernel puts around them, a flush in either. The page
 * with the number of flushes is the GPU's own while that is awake.
 */
static void example(void)
{
	uint32_t group = make_group_with_slot(), syncobj = make_syncobj();
	uint64_t words[STREAM_WORDS], instructions, cycles, flushed;
	unsigned int count = store(words, data_va(0), 0xdeadbeef);
	volatile uint32_t *flushes;
	uint32_t flushes_before;

	flushes = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, gpu,
		       DRM_PANTHOR_USER_FLUSH_ID_MMIO_OFFSET);
	if (flushes == MAP_FAILED)
		die("mapping the number of flushes");
	instructions = total("instructions");
	cycles = total("lsu-cycles");
	flushed = total("cache-flushes");
	flushes_before = *flushes;
	check_errno("submitting the job", submit(group, 0, 0, words, count, syncobj), 0);
	check_outcome("the job", syncobj, 1);
	check_eq("what it stored", *data(0), 0xdeadbeef);
	check_eq("instructions", total("instructions") - instructions, 23);
	check_eq("cycles of the load and store unit", total("lsu-cycles") - cycles, 3);
	check_eq("flushes of caches", total("cache-flushes") - flushed, 2);
	check_eq("flushes of caches, as the driver sees them", *flushes - flushes_before, 2);
	destroy_group(group);
}

static bool any_false_timeout(const uint32_t *syncobj, unsigned int count, int64_t since)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < count; i++)
		any |= is_false_timeout(outcome_within(syncobj[i], 0), since);
	return any;
}

static bool all_stored(unsigned int first, unsigned int count)
{
	unsigned int i, tries;

	for (tries = 0; tries < 100; tries++) {
		for (i = 0; i < count && *data(first + i); i++)
			;
		if (i == count)
			return true;
		usleep(10000);
	}
	return false;
}

/*
 * One round of groups(): whether the driver did all of it by itself. A group whose wait ends while
 * it has no slot becomes runnable in sync_upd_work(), which asks for a tick of the scheduler for
 * groups of realtime priority alone (panthor of Linux 6.12). The others run because the groups with
 * slots become idle, which asks for one; when that tick is over before sync_upd_work() runs, none
 * follows, and they time out unless somebody submits a job. So does this test, a second later.
 */
static bool run_groups(void)
{
	const uint64_t add[] = {
		MOVE48(68, data_va(0)), MOVE48(70, 1), SYNC_ADD64(68, 70), WAIT(0xff),
	};
	unsigned int i, refused = 0, early = 0, failed = 0, wrong = 0;
	uint32_t group[GROUPS + 1], syncobj[GROUPS + 1];
	bool alone, valid;
	int64_t begin;

	memset((void *)data(0), 0, 4 * (16 + GROUPS));
	for (i = 0; i <= GROUPS; i++) {
		group[i] = make_group();
		syncobj[i] = make_syncobj();
	}
	begin = now_ns();
	/* Each waits until the word is greater than 0, and has something of its own to store. */
	for (i = 0; i < GROUPS; i++) {
		const uint64_t wait[] = {
			MOVE32(40, 1000 + i), MOVE48(68, data_va(0)), MOVE48(70, 0),
			SYNC_WAIT64_GT(68, 70), MOVE48(68, data_va(16 + i)), STORE(40, 68),
			WAIT(0xff),
		};

		refused += submit(group[i], 0, i, wait, sizeof(wait) / 8, syncobj[i]) != 0;
	}
	/* Some periods of the driver's scheduler: all of them have had a slot. */
	usleep(200000);
	for (i = 0; i < GROUPS; i++)
		early += *data(16 + i) != 0;
	refused += submit(group[GROUPS], 1, GROUPS, add, sizeof(add) / 8,
			  syncobj[GROUPS]) != 0;
	alone = all_stored(16, GROUPS);
	/* What is missing behind one is missing because of it. */
	valid = !any_false_timeout(syncobj, GROUPS + 1, begin);
	if (valid && !alone) {
		uint32_t another = make_group_with_slot();

		destroy_group(another);
	}
	for (i = 0; valid && i <= GROUPS; i++) {
		int end = outcome(syncobj[i]);

		failed += end != 1;
		valid &= !is_false_timeout(end, begin);
	}
	for (i = 0; i < GROUPS; i++)
		wrong += *data(16 + i) != 1000 + i;
	for (i = 0; i <= GROUPS; i++)
		destroy_group(group[i]);
	if (!valid)
		return false;
	check_eq("jobs that were refused", refused, 0);
	check_eq("jobs that did not wait", early, 0);
	check_eq("jobs that failed", failed, 0);
	check_eq("words that are wrong", wrong, 0);
	return alone;
}

/*
 * More groups than there are slots, so that the driver has to suspend and resume them. It gives a
 * job five seconds, blocked or not: nothing slow lies between the first and the last of these jobs.
 */
static void groups(void)
{
	unsigned int rounds = 0;
	bool done = false;

	while (!done && rounds++ < ROUNDS)
		done = run_groups();
	check(done, "one of %u rounds without help", ROUNDS);
}

/* A job that ends badly takes its group with it, and nobody else. */
static void bad(const char *what, const uint64_t *words, unsigned int count, int error,
		uint32_t state)
{
	uint32_t group = make_group_with_slot(), syncobj = make_syncobj();

	check_errno(what, submit(group, 0, 0, words, count, syncobj), 0);
	check_outcome(what, syncobj, error);
	check_eq("state of its group", group_state(group), state);
	check_errno("another job for that group", submit(group, 1, 1, words, count, syncobj),
		    EINVAL);
	destroy_group(group);
	run_store("a job of another group", 4711);
}

int main(int argc, char **argv)
{
	const uint64_t page_fault[] = { MOVE48(68, NOWHERE_VA), STORE(70, 68), WAIT(0xff) };
	const uint64_t invalid[] = { MOVE32(70, 1), NO_INSTRUCTION, MOVE32(70, 2) };
	const uint64_t endless[] = { MOVE32(0, 1), BRANCH_ALWAYS(-1) };
	const char *what = argc == 2 ? argv[1] : "";

	gpu = open_gpu();
	make_vm();
	if (!strcmp(what, "jobs"))
		jobs();
	else if (!strcmp(what, "example"))
		example();
	else if (!strcmp(what, "groups"))
		groups();
	else if (!strcmp(what, "page-fault"))
		bad("a store to nowhere", page_fault, 3, -EINVAL,
		    DRM_PANTHOR_GROUP_STATE_FATAL_FAULT);
	else if (!strcmp(what, "invalid"))
		bad("no instruction", invalid, 3, -EINVAL, DRM_PANTHOR_GROUP_STATE_FATAL_FAULT);
	else if (!strcmp(what, "endless"))
		bad("a job without end", endless, 2, -ETIMEDOUT, DRM_PANTHOR_GROUP_STATE_TIMEDOUT);
	else
		die("jobs, example, groups, page-fault, invalid or endless");
	return 0;
}
