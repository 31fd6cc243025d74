// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_selftest.h"

/*
 * Experiments with the firmware's counters. Each is a run of the driver's own protocol with other
 * masks, or with a ring that is left to fill.
 */

#define WORD_EN			2
#define WORD_RESERVED		3
#define HEADER_WORDS		4
#define FORCED			3u
#define BITS			32

#define ENABLE_REQUESTS		3
#define ENTRY_REQUESTS		8
#define RING_REQUESTS		12
#define WAIT_US			1000

static void not_run(struct selftest *st, const char *check, int ret)
{
	size_t i;

	for (i = 0; i < selftest_fact_count; i++)
		if (selftest_facts[i].check && !strcmp(selftest_facts[i].check, check))
			selftest_leave(st, selftest_facts[i].id, "the experiment failed: %s",
				       ret == -EBUSY ? "another client counts all the time" :
				       strerror(-ret));
}

static const uint32_t *block_words(const struct selftest *st, const struct raw_dump *dump,
				   unsigned int entry, unsigned int block)
{
	return dump->entries[entry] + dump->metadata_words + st->raw.blocks[block].offset;
}

/* No write reached it: all words but the enable word are the same, and not 0. */
static bool is_untouched(const uint32_t *words, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		if (i != WORD_EN && words[i] != words[0])
			return false;
	return words[0] != 0;
}

/* ---- Enable masks ---- */

/* What words say about enable masks. */
struct votes {
	/* Words that count where a bit stands for 4. */
	unsigned int four;

	/* Words that count where a bit stands for 2. */
	unsigned int two;

	/* Words that count elsewhere. */
	unsigned int other;

	/* Enable words that differ from the requested mask. */
	unsigned int words;

	/* The newest of these. */
	uint32_t last;

	/* Blocks that were written. */
	unsigned int blocks;

	/* Words beyond both masks: 0, as they were before, or anything else. */
	unsigned int zero, kept, other_value;
};

/* Words of a type of block that counted with only the forced bits, one bit each. */
struct baseline {
	uint8_t counted[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT][1024 / 8];
};

/*
 * What most words of a block read: those that the mask excludes, 0 or what was there before. Masks
 * have three bits at most.
 */
static uint32_t filler_of(const uint32_t *words, uint32_t count)
{
	uint32_t filler = 0, left = 0, i;

	for (i = HEADER_WORDS; i < count; i++) {
		if (!left)
			filler = words[i];
		left = words[i] == filler ? left + 1 : left - 1;
	}
	return filler;
}

static void vote(struct votes *votes, unsigned int bit, uint32_t word)
{
	if (word / 4 == bit)
		votes->four++;
	else if (word / 2 == bit)
		votes->two++;
	else
		votes->other++;
}

static void look_at_block(const uint32_t *words, uint32_t count, unsigned int bit, uint32_t mask,
			  uint8_t *counted, struct votes *votes)
{
	const uint32_t filler = filler_of(words, count);
	uint32_t i;

	if (!(words[WORD_EN] & FORCED & ~1u))
		return;
	votes->blocks++;
	if (words[WORD_EN] != mask) {
		votes->words++;
		votes->last = words[WORD_EN];
	}
	for (i = HEADER_WORDS; i < count; i++) {
		bool here = words[i] && words[i] != filler;

		if (bit < 2) {
			if (here) {
				counted[i / 8] |= 1u << i % 8;
				vote(votes, 1, i);
			}
			if (i >= 8) {
				votes->zero += !words[i];
				votes->kept += filler && words[i] == filler;
				votes->other_value += here;
			}
		} else if (here && !(counted[i / 8] & 1u << i % 8)) {
			vote(votes, bit, i);
		}
	}
}

static int look_at_mask(struct selftest *st, unsigned int bit, struct baseline *baseline,
			struct votes *votes)
{
	const uint32_t mask = FORCED | 1u << bit;
	struct raw_dump dump;
	unsigned int e, b;
	int ret = rawdump_run(st, &dump, "requests=%u wait-us=%u entries=%u fw=%u csg=%u cshw=%u "
			  "tiler=%u memsys=%u shader=%u neural=%u", ENABLE_REQUESTS, WAIT_US,
			  2 * ENABLE_REQUESTS, mask, mask, mask, mask, mask, mask, mask);

	if (ret)
		return ret;
	for (e = 0; e < dump.entry_count; e++)
		for (b = 0; b < st->raw.block_count; b++)
			look_at_block(block_words(st, &dump, e, b), st->raw.block_words, bit, mask,
				      baseline->counted[st->raw.blocks[b].type], votes);
	rawdump_free(&dump);
	return 0;
}

static void decide_enables(struct selftest *st, const struct votes *votes)
{
	if (votes->four && !votes->two && !votes->other)
		selftest_decide(st, "enable-granularity", true,
				"4 counters a bit: %u words counted there and none elsewhere",
				votes->four);
	else if (votes->two && !votes->four && !votes->other)
		selftest_decide(st, "enable-granularity", false,
				"2 counters a bit: %u words counted there and none elsewhere",
				votes->two);
	else
		selftest_leave(st, "enable-granularity",
			       "words that counted: %u as for 4 counters a bit, %u as for 2, %u "
			       "as for neither", votes->four, votes->two, votes->other);

	if (votes->zero + votes->kept + votes->other_value)
		selftest_decide(st, "excluded-words", !votes->kept && !votes->other_value,
				"%u words read 0, %u as before, %u something else", votes->zero,
				votes->kept, votes->other_value);
}

/* Which bits does the firmware know? */
static void check_width(struct selftest *st)
{
	const uint32_t groups = st->raw.block_words / 4;
	const uint32_t all = groups < BITS ? (1u << groups) - 1 : ~0u;
	unsigned int e, b, blocks = 0, equal = 0;
	struct raw_dump dump;
	uint32_t seen = 0;
	int ret = rawdump_run(st, &dump, "requests=%u wait-us=%u entries=%u", ENABLE_REQUESTS,
			      WAIT_US, 2 * ENABLE_REQUESTS);

	if (ret) {
		selftest_leave(st, "enable-width", "the experiment failed: %s", strerror(-ret));
		return;
	}
	for (e = 0; e < dump.entry_count; e++) {
		for (b = 0; b < st->raw.block_count; b++) {
			uint32_t en = block_words(st, &dump, e, b)[WORD_EN];

			if (!(en & FORCED & ~1u))
				continue;
			blocks++;
			equal += en == all;
			seen |= en;
		}
	}
	rawdump_free(&dump);
	if (blocks)
		selftest_decide(st, "enable-width", equal == blocks && seen == all,
				"all 32 bits requested, 0x%08" PRIx32 " in PRFCNT_EN of blocks of "
				"%u words", seen, st->raw.block_words);
	else
		selftest_leave(st, "enable-width", "no block was written");
}

/* A mask of its own for each type of block: the enable words show which type lies where. */
static void check_order(struct selftest *st)
{
	static const uint32_t masks[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT] = {
		[DRM_PANTHOR_PERF_BLOCK_TYPE_FW] = FORCED | 1u << 4,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG] = FORCED | 1u << 5,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW] = FORCED | 1u << 6,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER] = FORCED | 1u << 7,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS] = FORCED | 1u << 8,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER] = FORCED | 1u << 9,
		[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL] = FORCED | 1u << 10,
	};
	unsigned int e, b, blocks = 0, wrong = 0, type = 0, neural = 0, neural_right = 0;
	struct raw_dump dump;
	uint32_t seen = 0;
	int ret = rawdump_run(st, &dump, "requests=%u wait-us=%u entries=%u fw=%u csg=%u cshw=%u "
			  "tiler=%u memsys=%u shader=%u neural=%u", ENABLE_REQUESTS, WAIT_US,
			  2 * ENABLE_REQUESTS, masks[DRM_PANTHOR_PERF_BLOCK_TYPE_FW],
			  masks[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG],
			  masks[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW],
			  masks[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER],
			  masks[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS],
			  masks[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER],
			  masks[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL]);

	if (ret) {
		selftest_leave(st, "block-order", "the experiment failed: %s", strerror(-ret));
		selftest_leave(st, "neural-blocks", "the experiment failed: %s", strerror(-ret));
		return;
	}
	for (e = 0; e < dump.entry_count; e++) {
		for (b = 0; b < st->raw.block_count; b++) {
			uint32_t en = block_words(st, &dump, e, b)[WORD_EN];

			if (!(en & FORCED & ~1u))
				continue;
			blocks++;
			neural += st->raw.blocks[b].type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL;
			neural_right += en == masks[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL];
			if (en == masks[st->raw.blocks[b].type])
				continue;
			wrong++;
			type = st->raw.blocks[b].type;
			seen = en;
		}
	}
	rawdump_free(&dump);
	if (wrong)
		selftest_decide(st, "block-order", false,
				"%u of %u blocks have the mask of another type: 0x%" PRIx32
				" instead of 0x%" PRIx32 " of %s", wrong, blocks, seen, masks[type],
				panthor_perf_block_name(type));
	else if (blocks)
		selftest_decide(st, "block-order", true,
				"each of %u blocks has the mask of its type", blocks);
	else
		selftest_leave(st, "block-order", "no block was written");
	if (neural)
		selftest_decide(st, "neural-blocks", neural_right == neural,
				"%u blocks behind the shader cores, %u blocks with their mask",
				neural, neural_right);
	else
		selftest_leave(st, "neural-blocks", st->raw.neural_present ?
			       "no accelerator's block was written" :
			       "the GPU has no neural accelerators");
}

/**
 * check_enables() - What a bit of an enable mask stands for
 * @st: The self-test, with experiments.
 *
 * Enables the forced bits and one more, one after the other, and checks which words count.
 */
void check_enables(struct selftest *st)
{
	struct baseline *baseline = calloc(1, sizeof(*baseline));
	struct votes forced = { 0 }, votes = { 0 };
	unsigned int bit;
	int ret;

	if (!baseline)
		return;
	ret = look_at_mask(st, 1, baseline, &forced);
	for (bit = 2; !ret && bit < BITS && 2 * bit < st->raw.block_words; bit++)
		ret = look_at_mask(st, bit, baseline, &votes);
	free(baseline);
	if (ret) {
		not_run(st, "enables", ret);
		return;
	}

	/* The forced bits speak for themselves: with 2 counters a bit they are the header. */
	votes.four += forced.four;
	votes.other += forced.two + forced.other;
	votes.zero = forced.zero;
	votes.kept = forced.kept;
	votes.other_value = forced.other_value;
	decide_enables(st, &votes);
	if (forced.words)
		selftest_decide(st, "enable-word", false,
				"requested 0x%x, but 0x%x in a block", FORCED, forced.last);
	else if (forced.blocks)
		selftest_decide(st, "enable-word", true,
				"requested 0x%x, and this is in %u blocks", FORCED, forced.blocks);
	else
		selftest_leave(st, "enable-word", "no block was written");
	check_width(st);
	check_order(st);
}

/* ---- Entries ---- */

/* What the words of entries say. */
struct sums {
	/* Blocks that were written, and whose time is between request and answer, or not. */
	unsigned int written, in_time, out_of_time;

	/* Blocks whose word 3 is not 0. */
	unsigned int reserved;

	/* Entries in which the blocks' times differ. */
	unsigned int differ;

	/* Entries whose time is not behind that of the one before. */
	unsigned int backwards;

	/* Blocks of shader cores without power, and those of them that were not written. */
	unsigned int off, off_untouched;

	/* Slots without a core, and those of them that were not written. */
	unsigned int holes, holes_untouched;

	/* Entries whose front end was written. */
	unsigned int front_end;
};

static uint64_t dump_time_of(const uint32_t *words)
{
	return words[0] | (uint64_t)words[1] << 32;
}

const struct raw_request *selftest_request_of(const struct raw_dump *dump, uint32_t entry)
{
	unsigned int i;

	for (i = 0; i < dump->request_count; i++)
		if (!dump->requests[i].ret && dump->requests[i].insert[1] == entry + 1)
			return &dump->requests[i];
	return NULL;
}

static void look_at_holes(const struct selftest *st, const uint32_t *entry, struct sums *sums)
{
	const struct raw_identity *raw = &st->raw;
	uint32_t slot;
	unsigned int b;

	for (slot = 0; slot < raw->entry_size / 4; slot += raw->block_words) {
		for (b = 0; b < raw->block_count; b++)
			if (raw->blocks[b].offset == slot)
				break;
		if (b < raw->block_count)
			continue;
		sums->holes++;
		sums->holes_untouched += is_untouched(entry + slot, raw->block_words);
	}
}

static uint64_t look_at_entry(const struct selftest *st, const struct raw_dump *dump,
			      unsigned int entry, uint64_t before, struct sums *sums)
{
	const struct raw_request *request = selftest_request_of(dump, entry);
	uint64_t first = 0;
	bool differ = false;
	unsigned int b;

	for (b = 0; b < st->raw.block_count; b++) {
		const uint32_t *words = block_words(st, dump, entry, b);
		const unsigned int type = st->raw.blocks[b].type;

		if (!words[WORD_EN]) {
			if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER) {
				sums->off++;
				sums->off_untouched += is_untouched(words, st->raw.block_words);
			}
			continue;
		}
		sums->written++;
		sums->front_end += type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW;
		sums->reserved += words[WORD_RESERVED] != 0;
		if (!first)
			first = dump_time_of(words);
		differ |= dump_time_of(words) != first;
		if (!request)
			continue;
		if (dump_time_of(words) >= request->timestamp[0] &&
		    dump_time_of(words) <= request->timestamp[1])
			sums->in_time++;
		else
			sums->out_of_time++;
	}
	sums->differ += differ;
	sums->backwards += first <= before;
	look_at_holes(st, dump->entries[entry], sums);
	return first;
}

static void decide_metadata(struct selftest *st, const struct raw_dump *dump)
{
	uint32_t asked = 0, automatic = 0;
	unsigned int e, wrong = 0, requested = 0;
	struct sums sums = { 0 };

	for (e = 0; e < dump->entry_count; e++)
		look_at_entry(st, dump, e, 0, &sums);
	selftest_decide(st, "metadata-first", sums.front_end && sums.front_end == dump->entry_count,
			"%u of %u samples have a front end behind it", sums.front_end,
			dump->entry_count);
	for (e = 0; e < dump->entry_count; e++) {
		uint32_t reason = dump->entries[e][WORD_RESERVED];

		if (!selftest_request_of(dump, e)) {
			automatic |= reason < BITS ? 1u << reason : 0;
			continue;
		}
		requested++;
		wrong += reason != 0;
		asked |= reason < BITS ? 1u << reason : 0;
	}
	selftest_decide(st, "sample-reason", requested && !wrong,
			"values (a bit each) 0x%x in %u requested samples, 0x%x in %u others",
			asked, requested, automatic, dump->entry_count - requested);
}

/* The driver never enables the metadata block: only this experiment does. */
static void check_metadata(struct selftest *st)
{
	struct raw_dump dump;
	int ret;

	if (!st->raw.metadata_size) {
		selftest_leave(st, "metadata-first", "there is no metadata block");
		selftest_leave(st, "sample-reason", "there is no metadata block");
		return;
	}
	ret = rawdump_run(st, &dump, "requests=%u wait-us=%u entries=%u metadata=1",
			  ENTRY_REQUESTS, WAIT_US, SELFTEST_ENTRIES);
	if (ret) {
		selftest_leave(st, "metadata-first", "the experiment failed: %s", strerror(-ret));
		selftest_leave(st, "sample-reason", "the experiment failed: %s", strerror(-ret));
		return;
	}
	decide_metadata(st, &dump);
	rawdump_free(&dump);
}

static void decide_cycles(struct selftest *st, const struct raw_dump *dump)
{
	if (dump->counter)
		selftest_leave(st, "cycles-frozen", "another client has enabled the cycle counter");
	else
		selftest_decide(st, "cycles-frozen", dump->cycles[0] == dump->cycles[1],
				"%" PRIu64 ", and %" PRIu64 " ticks of TIMESTAMP later %" PRIu64,
				dump->cycles[0], dump->timestamp[1] - dump->timestamp[0],
				dump->cycles[1]);
}

static void decide_entries(struct selftest *st, const struct raw_dump *dump,
			   const struct sums *sums)
{
	const bool requests = sums->in_time + sums->out_of_time;

	selftest_decide(st, "fields-of-6.12", !dump->enable && sums->front_end,
			"enable %s, %u requests, %u entries, %u of them with a front end",
			dump->enable ? "not acknowledged" : "acknowledged", dump->request_count,
			dump->seen, sums->front_end);
	if (sums->front_end)
		selftest_leave(st, "address-space",
			       "samples arrive by number 0; no other was tried");
	if (requests)
		selftest_decide(st, "header-time", !sums->out_of_time && !sums->differ,
				"%u blocks between request and acknowledgment, %u not; %u entries "
				"with different "
				"times", sums->in_time, sums->out_of_time, sums->differ);
	if (sums->written) {
		selftest_decide(st, "header-reserved", !sums->reserved, "%u of %u blocks are not",
				sums->reserved, sums->written);
		selftest_decide(st, "time-order", !sums->backwards, "%u of %u samples go back",
				sums->backwards, dump->entry_count);
	}
	if (sums->off)
		selftest_decide(st, "off-block-untouched", sums->off_untouched == sums->off,
				"%u of %u blocks of cores without power", sums->off_untouched,
				sums->off);
	else
		selftest_leave(st, "off-block-untouched", "all cores had power in %u samples",
			       dump->entry_count);
	if (sums->holes)
		selftest_decide(st, "holes-untouched", sums->holes_untouched == sums->holes,
				"%u of %u slots", sums->holes_untouched, sums->holes);
	else
		selftest_leave(st, "holes-untouched", "each slot has a core or an accelerator");
}

/**
 * check_entries() - What is in a sample
 * @st: The self-test, with experiments.
 */
void check_entries(struct selftest *st)
{
	struct raw_dump dump;
	struct sums sums = { 0 };
	uint64_t ns[ENTRY_REQUESTS], time = 0;
	unsigned int i, answered = 0;
	int ret = rawdump_run(st, &dump, "requests=%u wait-us=%u entries=%u", ENTRY_REQUESTS,
			      WAIT_US, SELFTEST_ENTRIES);

	if (ret) {
		not_run(st, "entries", ret);
		return;
	}
	for (i = 0; i < dump.entry_count; i++)
		time = look_at_entry(st, &dump, i, time, &sums);
	decide_entries(st, &dump, &sums);
	decide_cycles(st, &dump);
	for (i = 0; i < dump.request_count; i++)
		if (!dump.requests[i].ret && answered < ENTRY_REQUESTS)
			ns[answered++] = dump.requests[i].ns;
	selftest_times(st, "acknowledge of SAMPLE", ns, answered);
	if (!dump.enable)
		selftest_times(st, "acknowledge of enable", &dump.enable_ns, 1);
	if (!dump.disable)
		selftest_times(st, "acknowledge of disable", &dump.disable_ns, 1);
	rawdump_free(&dump);
	check_metadata(st);
}

/* ---- The ring ---- */

static void decide_clearing(struct selftest *st, const struct raw_dump *dump)
{
	unsigned int e, b, fell = 0, rose = 0;
	uint32_t i;

	for (e = 1; e < dump->entry_count; e++) {
		for (b = 0; b < st->raw.block_count; b++) {
			const uint32_t *before = block_words(st, dump, e - 1, b);
			const uint32_t *after = block_words(st, dump, e, b);

			if (!(before[WORD_EN] & FORCED & ~1u) || !(after[WORD_EN] & FORCED & ~1u))
				continue;
			for (i = HEADER_WORDS; i < st->raw.block_words; i++) {
				fell += after[i] < before[i];
				rose += after[i] > before[i];
			}
		}
	}
	if (!fell && !rose)
		selftest_leave(st, "clear-on-sample", "nothing counted");
	else
		selftest_decide(st, "clear-on-sample", fell,
				"from sample to sample, %u values fell and %u rose", fell, rose);
}

static void decide_answers(struct selftest *st, const struct raw_dump *dump)
{
	unsigned int i, answered = 0, late = 0;

	for (i = 0; i < dump->request_count; i++) {
		const struct raw_request *request = &dump->requests[i];

		if (request->ret)
			continue;
		answered++;
		late += request->insert[1] == request->insert[0];
	}
	if (!answered)
		return;
	selftest_decide(st, "acknowledge-last", !late,
			"INSERT had moved at the first poll after %u of %u acknowledges",
			answered - late, answered);
	if (dump->seen > answered)
		selftest_decide(st, "automatic-samples", true, "%u besides %u requested ones",
				dump->seen - answered, answered);
	else
		selftest_leave(st, "automatic-samples", "none besides %u requested ones", answered);
}

static void check_threshold(struct selftest *st)
{
	const unsigned int half = st->raw.ring_slots / 2;
	const struct raw_request *at = NULL;
	unsigned int i, behind = 0, answered = 0;
	struct raw_dump dump;
	/* What the firmware adds on its own has room. */
	int ret = rawdump_run(st, &dump, "requests=%u keep=1 fill=%u", st->raw.ring_slots,
			      half + half * 5 / 8);

	if (ret) {
		selftest_leave(st, "threshold-half", "the experiment failed: %s", strerror(-ret));
		selftest_leave(st, "sample-behind-threshold", "the experiment failed: %s",
			       strerror(-ret));
		return;
	}
	for (i = 0; i < dump.request_count; i++) {
		const struct raw_request *request = &dump.requests[i];

		if (at) {
			behind++;
			answered += !request->ret;
		} else if (request->events & RAW_THRESHOLD) {
			at = request;
		}
	}
	if (at)
		selftest_decide(st, "threshold-half", at->insert[0] < half && at->insert[1] >= half,
				"with %u entries of %u, not with %u", at->insert[1],
				st->raw.ring_slots, at->insert[0]);
	else if (dump.seen >= half)
		selftest_decide(st, "threshold-half", false, "not raised with %u entries of %u",
				dump.seen, st->raw.ring_slots);
	if (behind)
		selftest_decide(st, "sample-behind-threshold", answered == behind,
				"%u of %u were acknowledged", answered, behind);
	rawdump_free(&dump);
}

static void check_overflow(struct selftest *st)
{
	const struct raw_request *last;
	struct raw_dump dump;
	uint32_t fill;
	int ret;

	if (!st->overflow) {
		selftest_leave(st, "overflow-unanswered", "not tried: --overflow does");
		selftest_leave(st, "overflow-recovers", "not tried: --overflow does");
		return;
	}
	ret = rawdump_run(st, &dump, "requests=%u keep=1 overflow=1", SELFTEST_REQUESTS);
	if (ret) {
		selftest_leave(st, "overflow-unanswered", "the experiment failed: %s",
			       strerror(-ret));
		selftest_leave(st, "overflow-recovers", "the experiment failed: %s",
			       strerror(-ret));
		return;
	}
	last = dump.request_count ? &dump.requests[dump.request_count - 1] : NULL;
	fill = last ? last->insert[1] : 0;
	if (!last || fill < st->raw.ring_slots) {
		selftest_leave(st, "overflow-unanswered", "the ring was not full: %u entries",
			       fill);
	} else {
		selftest_decide(st, "overflow-unanswered",
				last->ret && last->events & RAW_OVERFLOW,
				"with %u entries, %s and OVERFLOW %sraised", fill,
				last->ret ? "no acknowledgment" : "an acknowledgment",
				last->events & RAW_OVERFLOW ? "" : "not ");
		if (last->ret)
			selftest_decide(st, "overflow-recovers", !last->drained, "%s",
					last->drained ? "not acknowledged" : "acknowledged");
	}
	rawdump_free(&dump);
}

/**
 * check_ring() - How the firmware answers
 * @st: The self-test, with experiments.
 */
void check_ring(struct selftest *st)
{
	struct raw_dump dump;
	int ret = rawdump_run(st, &dump, "requests=%u wait-us=%u entries=%u", RING_REQUESTS,
			      WAIT_US, SELFTEST_ENTRIES);

	if (ret) {
		not_run(st, "ring", ret);
		return;
	}
	decide_answers(st, &dump);
	decide_clearing(st, &dump);
	rawdump_free(&dump);

	/* INSERT is what that left. */
	if (!rawdump_run(st, &dump, "requests=1")) {
		if (dump.insert_off)
			selftest_decide(st, "insert-zeroed", !dump.insert_on, "%u before, %u after",
					dump.insert_off, dump.insert_on);
		rawdump_free(&dump);
	}
	selftest_figure(st, "firmware's ring", "%u entries of %u bytes", st->raw.ring_slots,
			st->raw.entry_size);
	check_threshold(st);
	check_overflow(st);
}
