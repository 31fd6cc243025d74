// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_selftest.h"

/* What takes the GPU's work, or its power. */

#define JOB_NS			10000000ull
#define JOBS			32
#define FIRST_ITERATIONS	512u
#define MAX_ITERATIONS		4194304u
#define WARM_MS			30
#define SPAN_MS			100
#define SUSPEND_TRIES		100
#define SUSPEND_TRY_MS		100
#define SUSPENDED_MS		500

/* Of the experiment with a full ring: a pause that is long beside an answer that does not come. */
#define FULL_WAIT_US		40000
#define FULL_JOBS		64
#define FULL_FIRST		8
#define FULL_LONGER		2
#define FULL_LEAST_US		5000
#define FULL_SPREAD		0.1
#define FULL_SHARE		0.5

/* A try says nothing if an automatic sample fills the ring: one of two, on the virtual GPU. */
#define FULL_TRIES		12

#define GPU_ACTIVE		4
#define MMU_FIRST		4
#define MMU_LAST		8
#define MAX_SLICES		16

/* Counters of the front end's interfaces to streams. */
struct interfaces {
	unsigned int first, stride, count;
};

static struct interfaces interfaces_of(const struct selftest *st)
{
	unsigned int arch_major;

	panthor_perf_gpu_arch(st->gpu_id, &arch_major, NULL);
	if (arch_major >= 13)
		return (struct interfaces) { 80, 6, 6 };
	return (struct interfaces) { 48, 4, 4 };
}

/* What was counted while the GPU worked. */
struct work {
	/* Of the span that lies wholly in the work. */
	uint64_t cycles[3], active, span_ns;

	/* There was work until its end. */
	bool busy;

	/* Of all of it: streams' interfaces, and the MMU's counters of each L2 slice. */
	uint64_t interfaces[6], mmu[MAX_SLICES];

	/* L2 slices. */
	unsigned int slices;
};

static int make_session(struct selftest *st, struct panthor_perf_session **session)
{
	struct panthor_perf_selection *selection;
	int ret;

	ret = panthor_perf_selection_create(st->object, NULL, DRM_PANTHOR_PERF_SET_PRIMARY,
					    &selection, NULL);
	if (ret)
		return ret;
	ret = panthor_perf_selection_add(selection, "cshw:*,memsys:*", NULL);
	if (!ret)
		ret = selftest_create(st, selection, 0, 0, session);
	panthor_perf_selection_destroy(selection);
	return ret;
}

static void add_work(const struct selftest *st, const struct panthor_perf_sample *sample,
		     struct work *work)
{
	const struct interfaces in = interfaces_of(st);
	const struct panthor_perf_block *block = NULL;
	unsigned int clock, i;

	while ((block = panthor_perf_sample_next_block(sample, block))) {
		unsigned int number = panthor_perf_block_number(block);
		unsigned int type = panthor_perf_block_type(block);

		if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW) {
			work->active = selftest_counter(block, GPU_ACTIVE);
			for (i = 0; i < in.count; i++)
				work->interfaces[i] +=
					selftest_counter(block, in.first + i * in.stride);
		} else if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS && number < MAX_SLICES) {
			if (number >= work->slices)
				work->slices = number + 1;
			for (i = MMU_FIRST; i <= MMU_LAST; i++)
				work->mmu[number] += selftest_counter(block, i);
		}
	}
	for (clock = 0; clock < ARRAY_SIZE(work->cycles); clock++) {
		work->cycles[clock] = 0;
		panthor_perf_sample_cycles(sample, clock, &work->cycles[clock]);
	}
	work->span_ns = panthor_perf_sample_end_ns(sample) - panthor_perf_sample_start_ns(sample);
}

static int count_work(struct selftest *st, struct load *load, uint32_t iterations,
		      struct work *work)
{
	struct panthor_perf_session *session;
	const struct panthor_perf_sample *sample;
	struct work span;
	int ret = make_session(st, &session);

	if (ret)
		return ret;
	ret = panthor_perf_session_start(session, 0, NULL);
	if (!ret)
		ret = load_queue(load, iterations, JOBS);
	selftest_sleep_ms(WARM_MS);
	if (!ret)
		ret = selftest_ask(session, &sample);
	if (!ret) {
		add_work(st, sample, work);
		selftest_sleep_ms(SPAN_MS);
		ret = selftest_ask(session, &sample);
	}
	if (!ret) {
		add_work(st, sample, work);
		work->busy = load_busy(load);
	}
	span = *work;
	if (load_wait(load) && !ret)
		ret = -ETIME;
	if (!ret)
		ret = selftest_ask(session, &sample);
	if (!ret)
		add_work(st, sample, work);
	memcpy(work->cycles, span.cycles, sizeof(span.cycles));
	work->active = span.active;
	work->span_ns = span.span_ns;
	panthor_perf_session_destroy(session);
	return ret;
}

static void decide_domains(struct selftest *st, const struct work *work)
{
	const uint32_t told = st->info.supported_clocks;
	const double top = work->cycles[0];
	double least = 1, most = 1;
	unsigned int clock;

	if (!(told & ~1u) || !top) {
		selftest_leave(st, "clock-domains", "the board reports one clock");
		return;
	}
	for (clock = 1; clock < 3; clock++) {
		double ratio = work->cycles[clock] / top;

		if (!(told & (1u << clock)))
			continue;
		least = ratio < least ? ratio : least;
		most = ratio > most ? ratio : most;
	}
	selftest_decide(st, "clock-domains", least > 0.98 && most < 1.02,
			"cycles in %.1f ms: top level %" PRIu64 ", core group %" PRIu64
			", shader cores %" PRIu64, work->span_ns / 1e6, work->cycles[0],
			work->cycles[1], work->cycles[2]);
}

static void decide_interfaces(struct selftest *st, const struct work *work)
{
	const struct interfaces in = interfaces_of(st);
	uint64_t others = 0;
	unsigned int i;

	for (i = 1; i < in.count; i++)
		others += work->interfaces[i];
	if (!work->interfaces[0] && !others)
		selftest_leave(st, "stream-interface", "none counted");
	else
		selftest_decide(st, "stream-interface", work->interfaces[0] && !others,
				"interface 0 counted %" PRIu64 ", the others %" PRIu64,
				work->interfaces[0], others);
}

static void decide_slices(struct selftest *st, const struct work *work)
{
	uint64_t others = 0;
	unsigned int i;

	for (i = 1; i < work->slices; i++)
		others += work->mmu[i];
	if (work->slices < 2)
		selftest_leave(st, "mmu-slice", "there is one L2 slice");
	else if (!work->mmu[0] && !others)
		selftest_leave(st, "mmu-slice", "none counted");
	else
		selftest_decide(st, "mmu-slice", work->mmu[0] && !others,
				"slice 0 counted %" PRIu64 ", the others %" PRIu64, work->mmu[0],
				others);
}

static void decide_work(struct selftest *st, const struct work *work)
{
	const double ratio = work->cycles[0] ? (double)work->active / work->cycles[0] : 0;

	/* No verdict: an erratum of G715 and G615 is known. */
	selftest_figure(st, "under load", "%" PRIu64 " cycles, %" PRIu64 " of them active, in "
			"%.1f ms: ratio %.4f, %.1f MHz%s", work->cycles[0], work->active,
			work->span_ns / 1e6, ratio,
			work->span_ns ? 1e3 * work->cycles[0] / work->span_ns : 0,
			work->busy ? "" : "; the load ended too early");
	decide_domains(st, work);
	decide_interfaces(st, work);
	decide_slices(st, work);
}

static void leave_load(struct selftest *st, const char *why)
{
	size_t i;

	for (i = 0; i < selftest_fact_count; i++)
		if (selftest_facts[i].check && !strcmp(selftest_facts[i].check, "load") &&
		    !selftest_decided(st, selftest_facts[i].id))
			selftest_leave(st, selftest_facts[i].id, "%s", why);
}

/* How many turns of the loop make a job of the wanted length? */
static int find_iterations(struct load *load, uint32_t *iterations, uint64_t *ns)
{
	int ret;

	*iterations = FIRST_ITERATIONS;
	ret = load_run(load, *iterations, ns);
	while (!ret && *ns < JOB_NS && *iterations < MAX_ITERATIONS) {
		*iterations *= 2;
		ret = load_run(load, *iterations, ns);
	}
	return ret;
}

static int calibrate(struct selftest *st, struct load *load, uint32_t *iterations)
{
	uint64_t ns;
	int ret;

	ret = find_iterations(load, iterations, &ns);
	if (ret == -EIO) {
		selftest_decide(st, "command-loop", false, "a job of %u turns stored %u",
				*iterations, load_stored(load));
	} else if (!ret) {
		selftest_decide(st, "command-loop", true, "%u turns in %.2f ms", *iterations,
				ns / 1e6);
		selftest_figure(st, "command loop", "%.1f ns a turn of two instructions",
				(double)ns / *iterations);
	}
	return ret;
}

/**
 * check_load() - A GPU that is kept busy
 * @st: The self-test.
 */
void check_load(struct selftest *st)
{
	struct work work = { 0 };
	struct load *load;
	unsigned int tries;
	uint32_t iterations;
	int ret;

	if (st->no_load) {
		leave_load(st, "not tried: --no-load");
		return;
	}
	ret = load_create(st, &load);
	if (!ret) {
		ret = calibrate(st, load, &iterations);
		/* A job may appear long because the machine is slow. */
		for (tries = 0; !ret && !work.busy && tries < 3; tries++, iterations *= 4) {
			memset(&work, 0, sizeof(work));
			ret = count_work(st, load, iterations, &work);
		}
		if (load_lost(load))
			selftest_figure(st, "false time-outs", "%u jobs, which were run again",
					load_lost(load));
		load_destroy(load);
	}
	if (ret) {
		selftest_figure(st, "load", "failed: %s", strerror(-ret));
		leave_load(st, "the load does not run");
		return;
	}
	decide_work(st, &work);
}

/* ---- A full ring ---- */

/* The front end's time and active cycles in an entry: false if it was not written. */
static bool read_active(const struct selftest *st, const struct raw_dump *dump, unsigned int entry,
			uint64_t *time, uint32_t *active)
{
	unsigned int b;

	for (b = 0; b < st->raw.block_count; b++) {
		const uint32_t *words = dump->entries[entry] + st->raw.blocks[b].offset;

		if (st->raw.blocks[b].type != DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW || !words[2])
			continue;
		*time = words[0] | (uint64_t)words[1] << 32;
		*active = words[GPU_ACTIVE];
		return true;
	}
	return false;
}

/*
 * Active cycles of the sample behind a full ring, against what the load costs in its time. They
 * lack those up to the request that found the ring full, if that lost them.
 */
static void decide_full(struct selftest *st, const struct raw_dump *dump)
{
	const unsigned int last = dump->entry_count - 1;
	const double rate = st->info.gpu_timestamp_frequency;
	const uint64_t full = dump->requests[dump->request_count - 1].timestamp[0];
	double least = 0, most = 0, ticks = 0, sum = 0, lost, missing;
	uint64_t before = 0, time = 0;
	uint32_t active = 0;
	unsigned int e;

	if (dump->entry_count <= st->raw.ring_slots || dump->seen != dump->entry_count) {
		selftest_leave(st, "overflow-keeps", "no sample behind %u in a ring of %u entries",
			       dump->entry_count, st->raw.ring_slots);
		return;
	}
	for (e = 0; e <= last; e++, before = time) {
		double cost;

		if (!read_active(st, dump, e, &time, &active)) {
			selftest_leave(st, "overflow-keeps", "an entry has no front end");
			return;
		}
		if (!e || e == last)
			continue;
		ticks += time - before;
		sum += active;
		/* Samples that follow each other at once say little. */
		if ((time - before) / rate * 1e6 < FULL_LEAST_US)
			continue;
		cost = (double)active / (time - before);
		least = !most || cost < least ? cost : least;
		most = cost > most ? cost : most;
	}
	if (!sum || most - least > FULL_SPREAD * most) {
		selftest_leave(st, "overflow-keeps", "active cycles do not follow the time: %.3f "
			       "to %.3f a tick", least, most);
		return;
	}
	read_active(st, dump, last - 1, &before, &active);
	read_active(st, dump, last, &time, &active);
	lost = ((double)full - before) / rate * 1e3;
	missing = (time - before - active / (sum / ticks)) / rate * 1e3;
	/* An automatic sample was the last one that had room: hardly anything could be lost. */
	if (lost * 1e3 < FULL_LEAST_US) {
		selftest_leave(st, "overflow-keeps", "the ring was filled %.1f ms before the "
			       "request that found it full", lost);
		return;
	}
	selftest_decide(st, "overflow-keeps", missing < FULL_SHARE * lost,
			"the sample behind %u entries lacks the active cycles of %.1f of its "
			"%.1f ms, %.1f of which were before the request that found the ring full",
			last, missing, (time - before) / rate * 1e3, lost);
}

static int fill_ring(struct selftest *st, struct load *load, uint32_t iterations, bool *busy)
{
	struct raw_dump dump;
	int ret = load_queue(load, iterations, FULL_JOBS);

	if (ret)
		return ret;
	ret = rawdump_run(st, &dump, "requests=%u wait-us=%u keep=1 overflow=1 entries=%u",
			  SELFTEST_REQUESTS, FULL_WAIT_US, SELFTEST_ENTRIES);
	*busy = load_busy(load);
	if (!ret) {
		if (*busy)
			decide_full(st, &dump);
		else
			selftest_leave(st, "overflow-keeps", "the load ended too early");
		rawdump_free(&dump);
	}
	return load_wait(load) ?: ret;
}

/**
 * check_overflow_counts() - What becomes of counts while the firmware's ring is full
 * @st: The self-test, with experiments.
 */
void check_overflow_counts(struct selftest *st)
{
	struct load *load;
	unsigned int tries;
	uint32_t iterations;
	bool busy = false;
	uint64_t ns;
	int ret;

	if (!st->overflow || st->no_load) {
		selftest_leave(st, "overflow-keeps", st->no_load ? "not tried: --no-load" :
			       "not tried: --overflow does");
		return;
	}
	ret = load_create(st, &load);
	if (!ret) {
		ret = find_iterations(load, &iterations, &ns);
		iterations *= FULL_FIRST;
		/* A job may appear long because the machine is slow. */
		for (tries = 0; !ret && tries < FULL_TRIES &&
		     !selftest_decided(st, "overflow-keeps"); tries++) {
			ret = fill_ring(st, load, iterations, &busy);
			if (!busy && iterations < MAX_ITERATIONS)
				iterations *= FULL_LONGER;
		}
		load_destroy(load);
	}
	if (ret)
		selftest_leave(st, "overflow-keeps", "the experiment failed: %s", strerror(-ret));
}

/* ---- Power ---- */

static int read_line(const struct selftest *st, const char *name, char *line, size_t size)
{
	char path[160];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", st->power_path, name);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	if (!fgets(line, size, file))
		*line = '\0';
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

static int write_line(const struct selftest *st, const char *name, const char *line)
{
	char path[160];
	int fd, ret = 0;

	snprintf(path, sizeof(path), "%s/%s", st->power_path, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, line, strlen(line)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static bool wait_suspended(const struct selftest *st)
{
	char status[32];
	unsigned int i;

	for (i = 0; i < SUSPEND_TRIES; i++) {
		if (read_line(st, "runtime_status", status, sizeof(status)))
			return false;
		if (!strcmp(status, "suspended"))
			return true;
		selftest_sleep_ms(SUSPEND_TRY_MS);
	}
	return false;
}

/* Count for a moment, and read both clocks. */
static int count_once(struct selftest *st, uint64_t *gpu, uint64_t *host, uint32_t *flags)
{
	struct panthor_perf_session *session;
	const struct panthor_perf_sample *sample;
	int ret = make_session(st, &session);

	if (ret)
		return ret;
	ret = panthor_perf_session_start(session, 0, NULL);
	if (!ret)
		ret = selftest_ask(session, &sample);
	*host = selftest_now(CLOCK_MONOTONIC_RAW);
	if (!ret) {
		*gpu = panthor_perf_sample_gpu_timestamp(sample);
		*flags = panthor_perf_sample_flags(sample);
	}
	panthor_perf_session_destroy(session);
	return ret;
}

static void leave_power(struct selftest *st, const char *why)
{
	selftest_leave(st, "suspend-counts", "%s", why);
	selftest_leave(st, "suspend-time", "%s", why);
}

static void suspend_and_count(struct selftest *st)
{
	const double rate = st->timestamp_rate ?: st->info.gpu_timestamp_frequency;
	uint64_t gpu[2] = { 0 }, host[2];
	uint32_t flags = 0;
	double ran, want;
	int ret = count_once(st, &gpu[0], &host[0], &flags);

	if (ret) {
		leave_power(st, "counters do not work before");
		return;
	}
	if (!wait_suspended(st)) {
		leave_power(st, "the GPU is not suspended: another client uses it");
		return;
	}
	selftest_sleep_ms(SUSPENDED_MS);
	ret = count_once(st, &gpu[1], &host[1], &flags);
	selftest_decide(st, "suspend-counts",
			!ret && gpu[1] && !(flags & DRM_PANTHOR_PERF_SAMPLE_ERROR), "%s",
			ret ? strerror(-ret) : flags & DRM_PANTHOR_PERF_SAMPLE_ERROR ?
			"the sample has the flag ERROR" :
			"a sample without errors behind a suspend");
	if (ret || !rate) {
		selftest_leave(st, "suspend-time", "no time stamps to compare");
		return;
	}
	ran = (double)(int64_t)(gpu[1] - gpu[0]) / rate;
	want = (host[1] - host[0]) / 1e9;
	selftest_decide(st, "suspend-time", ran > want - 0.1 && ran < want + 0.1,
			"%.3f s by TIMESTAMP, %.3f s by CLOCK_MONOTONIC_RAW", ran, want);
}

/**
 * check_power() - Counters behind a suspend of the idle GPU
 * @st: The self-test.
 *
 * Lets the kernel suspend the GPU, and restores the previous setting.
 */
void check_power(struct selftest *st)
{
	char control[32];
	bool changed = false;

	if (read_line(st, "control", control, sizeof(control))) {
		leave_power(st, "the GPU's power management is not in sysfs");
		return;
	}
	if (strcmp(control, "auto")) {
		if (write_line(st, "control", "auto")) {
			leave_power(st, "its power/control is 'on', and cannot be changed");
			return;
		}
		changed = true;
	}
	suspend_and_count(st);
	if (changed && write_line(st, "control", control))
		selftest_failed(st, "%s/control cannot be restored to '%s'", st->power_path,
				control);
}
