// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_selftest.h"
#include "measure/child.h"

/*
 * Shader cores that lose power: requested samples show which cores have power, and the samples in
 * between which ones firmware writes before a core goes off.
 */

#define WORD_EN			2
#define WRITTEN			2u

#define REQUESTS		24
#define WAIT_US			2000
#define ENTRIES			SELFTEST_ENTRIES
#define LONGEST_NS		30000000000ull
#define IDLE_NS			500000000ull

/* What came before shader cores went off. */
struct offs {
	/* A sample of all cores; of those alone that go off; of some others; without the core. */
	unsigned int all, alone, some, without;

	/* No sample. */
	unsigned int none;

	/* Cores that had power in a requested sample, and had none in the next one. */
	unsigned int total;
};

/* Which shader cores does an entry have the blocks of? By their number among those present. */
static uint64_t cores_in(const struct selftest *st, const struct raw_dump *dump,
			 unsigned int entry)
{
	uint64_t cores = 0;
	unsigned int b;

	for (b = 0; b < st->raw.block_count; b++) {
		const uint32_t *words = dump->entries[entry] + st->raw.blocks[b].offset;

		if (st->raw.blocks[b].type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER &&
		    st->raw.blocks[b].idx < 64 && words[WORD_EN] & WRITTEN)
			cores |= 1ull << st->raw.blocks[b].idx;
	}
	return cores;
}

/* One core that went off between the requested samples @from and @to. */
static void judge_core(const struct selftest *st, const struct raw_dump *dump, unsigned int from,
		       unsigned int to, uint64_t core, struct offs *offs)
{
	const uint64_t stay = cores_in(st, dump, from) & cores_in(st, dump, to);
	uint64_t last = 0, earlier = 0, seen = 0;
	unsigned int e;

	for (e = from + 1; e < to; e++) {
		if (cores_in(st, dump, e) & core) {
			last = cores_in(st, dump, e);
			earlier = seen;
		}
		seen |= cores_in(st, dump, e);
	}
	/* A core that the last sample lacks may have lost power before, and got it again since. */
	if (last && stay & ~last & earlier)
		return;
	offs->total++;
	if (from + 1 == to)
		offs->none++;
	else if (!last)
		offs->without++;
	else if (!(stay & ~last))
		offs->all++;
	else if (!(last & stay))
		offs->alone++;
	else
		offs->some++;
}

static void look_at_dump(const struct selftest *st, const struct raw_dump *dump, struct offs *offs)
{
	unsigned int from = dump->entry_count, e, core;

	for (e = 0; e < dump->entry_count; e++) {
		uint64_t gone;

		if (!selftest_request_of(dump, e))
			continue;
		if (from < e) {
			gone = cores_in(st, dump, from) & ~cores_in(st, dump, e);
			for (core = 0; core < 64; core++)
				if (gone >> core & 1)
					judge_core(st, dump, from, e, 1ull << core, offs);
		}
		from = e;
	}
}

static int watch(struct selftest *st, struct offs *offs)
{
	char *argv[4] = { "sh", "-c", (char *)st->with_load, NULL };
	const uint64_t start = now_ns();
	uint64_t end = start + LONGEST_NS;
	bool runs = true;
	struct child child;
	int ret = child_init(&child);

	if (ret)
		return ret;
	ret = child_spawn(&child, argv);
	while (!ret && now_ns() < end) {
		struct raw_dump dump;

		/* What it kept busy may go off only behind its end. */
		if (runs && child_pause(&child, now_ns(), -1) == WAKE_END) {
			runs = false;
			end = now_ns() + IDLE_NS;
		}
		ret = rawdump_run(st, &dump, "requests=%u wait-us=%u entries=%u fw=0 csg=0 cshw=0 "
				  "tiler=0 memsys=0 neural=0", REQUESTS, WAIT_US, ENTRIES);
		if (ret)
			break;
		look_at_dump(st, &dump, offs);
		rawdump_free(&dump);
	}
	child_fini(&child);
	return ret;
}

/**
 * check_cores() - What becomes of the counts of a shader core that loses power
 * @st: The self-test, with experiments.
 *
 * Watches the cores while the user's command loads the GPU, and for a moment after it.
 */
void check_cores(struct selftest *st)
{
	struct offs offs = { 0 };
	int ret;

	if (!st->with_load) {
		selftest_leave(st, "core-off-sample", "not tried: --with-load does");
		return;
	}
	ret = watch(st, &offs);
	if (ret) {
		selftest_leave(st, "core-off-sample", "the experiment failed: %s",
			       ret == -EBUSY ? "another client counts all the time" :
			       strerror(-ret));
		return;
	}
	if (!offs.total) {
		selftest_leave(st, "core-off-sample", "no shader core lost power while '%s' ran",
			       st->with_load);
		return;
	}
	selftest_decide(st, "core-off-sample", offs.all == offs.total,
			"of %u cores that lost power, %u had a sample of all cores before, %u one "
			"without the cores that stay on, %u one of some cores, %u one without the "
			"core, %u none", offs.total, offs.all, offs.alone, offs.some, offs.without,
			offs.none);
}
