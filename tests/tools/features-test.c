// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Tests of what not every driver offers: compact samples, wake-ups, suspending; and of values,
 * which are the same for compact samples and for others.
 */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "fakedrm.h"
#include "panthor_perf.h"
#include "panthor_perf_counters.h"
#include "panthor_perf_select.h"
#include "panthor_perf_values.h"

#define MEMSYS	DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS
#define TILER	DRM_PANTHOR_PERF_BLOCK_TYPE_TILER
#define SHADER	DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER
#define FULL	(8 + 8 * 64)

static char node[64] = "/tmp/features-test-XXXXXX.panthor";
static struct panthor_perf_device *device;

/* Three blocks of shader cores with counters 5, 40 and 63, and one of the tiler with counter 7. */
#define COUNTERS	"shader:63,tiler:7,shader:5,shader:40"

static const char table_text[] =
	"panthor-perf-counters 1\n"
	"table T\n"
	"words 64\n"
	"product 10.7 \"Mali-Test\"\n"
	"block tiler\n"
	"7 Tiles jobs \"t\"\n"
	"block memsys\n"
	"6 Reads beats \"r\"\n"
	"block shader\n"
	"5 Warps threads \"w\" shift 2\n"
	"9 Other warps \"o\"\n"
	"40 Quads pixels \"q\"\n"
	"63 Last warps \"l\"\n"
	"5 Second warps \"s\" set secondary\n"
	"derived per_tile percent \"pt\" = Warps / Tiles\n"
	"derived per_core quads \"pc\" = Quads / NCORE\n"
	"derived rate hertz \"r\" = Quads / TSPAN\n"
	"derived missing percent \"m\" = Warps + Other\n"
	"derived bus bytes \"b\" = Reads * BUSBYTES\n"
	"derived per_slice beats \"ps\" = Reads / NL2\n"
	"derived number percent \"n\" = 3 * NCORE\n";

static struct panthor_perf_table *table;

static struct panthor_perf_session_config config_with(uint32_t flags)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;

	config.sample_slots = 8;
	config.flags = flags;
	config.wakeup_samples = flags & DRM_PANTHOR_PERF_SETUP_WAKEUP ? 3 : 0;
	return config;
}

static const struct panthor_perf_gpu *gpu_of(const struct panthor_perf_device *of)
{
	const struct panthor_perf_gpu *gpu = NULL;

	if (panthor_perf_device_gpu(of, &gpu, NULL)) {
		printf("Bail out! there is no GPU\n");
		exit(1);
	}
	return gpu;
}

static struct panthor_perf_selection *choose(const char *text)
{
	struct panthor_perf_selection *selection = NULL;

	if (panthor_perf_selection_create(gpu_of(device), table, DRM_PANTHOR_PERF_SET_PRIMARY,
					  &selection, NULL) ||
	    (text && panthor_perf_selection_add(selection, text, NULL))) {
		printf("Bail out! cannot select '%s'\n", text);
		exit(1);
	}
	return selection;
}

static int create(const struct panthor_perf_session_config *config,
		  struct panthor_perf_session **session, struct panthor_perf_error *error)
{
	struct panthor_perf_session_config full = *config;
	struct panthor_perf_selection *selection = choose(COUNTERS);
	int ret;

	full.selection = selection;
	ret = panthor_perf_session_create(device, &full, session, error);
	panthor_perf_selection_destroy(selection);
	return ret;
}

static struct panthor_perf_session *begin(unsigned int features, uint32_t flags)
{
	const struct panthor_perf_session_config config = config_with(flags);
	struct panthor_perf_session *session = NULL;

	fake_reset();
	fake.settings.features = features;
	fake.settings.clocks = 1;
	panthor_perf_device_open(node, &device, NULL);
	create(&config, &session, NULL);
	return session;
}

static void end(struct panthor_perf_session *session)
{
	panthor_perf_session_destroy(session);
	panthor_perf_device_close(device);
}

/* What the fake GPU counts in its sample NR, by its own rule; shader cores are 0, 4 and 20. */
static uint64_t counted(uint64_t nr, unsigned int type, unsigned int idx, unsigned int counter)
{
	static const unsigned int cores[] = { 0, 4, 20 };
	unsigned int number = type == SHADER ? cores[idx] : idx;

	return (nr + counter) % 3 ? 0xf0000000u + nr * 100003 + type * 7919 + number * 613 + counter
				  : 0;
}

static size_t size_of(const struct panthor_perf_sample *sample)
{
	size_t size = 0;

	return panthor_perf_sample_data(sample, &size) ? size : 0;
}

static void test_compact(void)
{
	struct panthor_perf_session *session =
		begin(DRM_PANTHOR_PERF_COMPACT_SUPPORT, DRM_PANTHOR_PERF_SETUP_COMPACT);
	const size_t compact_size = 80 + 1 * (8 + 8) + 3 * (8 + 3 * 8);
	static const uint16_t expected[] = { 5, 40, 63 };
	const struct panthor_perf_sample *sample = NULL;
	const struct panthor_perf_block *block;
	unsigned int blocks, wrong = 0, i, pass;
	const void *in_ring = NULL;
	uint64_t value;

	CHECK(session && !panthor_perf_session_start(session, 0, NULL) &&
	      !panthor_perf_session_sample(session, 2, NULL), "a compact session");
	CHECK(panthor_perf_session_sample_size(session) == compact_size,
	      "its samples are as large as what is in them");
	for (pass = 0; pass < 2; pass++) {
		const char *where = pass ? "copied" : "in the ring";
		int ret = pass ? panthor_perf_session_read(session, &sample, NULL) :
			  panthor_perf_session_peek(session, 0, &sample, NULL);

		CHECK(ret == 1 && size_of(sample) == compact_size &&
		      panthor_perf_sample_user_data(sample) == 2 &&
		      panthor_perf_sample_data(sample, NULL) != in_ring,
		      "bytes of a compact sample, %s", where);
		in_ring = panthor_perf_sample_data(sample, NULL);
		blocks = 0;
		wrong = 0;
		for (block = NULL; (block = panthor_perf_sample_next_block(sample, block)); ) {
			unsigned int type = panthor_perf_block_type(block);
			unsigned int number = panthor_perf_block_number(block);
			const uint16_t *indices;
			const uint64_t *counters;
			uint32_t count;

			counters = panthor_perf_block_counters(block, &indices, &count);
			wrong += type != (blocks ? SHADER : TILER) ||
				 number != (blocks ? blocks - 1 : 0) ||
				 count != (blocks ? 3 : 1) || !indices;
			for (i = 0; i < count; i++) {
				unsigned int index = blocks ? expected[i] : 7;

				wrong += indices[i] != index ||
					 counters[i] != counted(3, type, number, index) ||
					 !panthor_perf_block_counter(block, index, &value) ||
					 value != counters[i];
			}
			for (i = 0; i < 70; i++) {
				bool there = blocks ? i == 5 || i == 40 || i == 63 : i == 7;

				value = 77;
				wrong += panthor_perf_block_counter(block, i, &value) != there ||
					 (!there && value);
			}
			wrong += panthor_perf_block_counter(block, ~0u, &value) || value;
			blocks++;
		}
		CHECK(blocks == 4 && !wrong, "its blocks and counters, %s", where);
	}
	for (i = 0; i < 20; i++)
		wrong += panthor_perf_session_mark(session, 100 + 2 * i, 1000, &sample, NULL) ||
			 panthor_perf_sample_user_data(sample) != 100 + 2 * i ||
			 panthor_perf_sample_number(sample) != 1 + i;
	CHECK(!wrong, "round the ring");
	end(session);
	CHECK(!fake.sessions && !fake.objects, "nothing is left");

	session = begin(DRM_PANTHOR_PERF_COMPACT_SUPPORT, 0);
	CHECK(panthor_perf_session_sample_size(session) == 80 + 8 * FULL, "a session that is not");
	panthor_perf_session_start(session, 0, NULL);
	panthor_perf_session_mark(session, 2, 1000, &sample, NULL);
	blocks = 0;
	wrong = 0;
	for (block = NULL; (block = panthor_perf_sample_next_block(sample, block)); blocks++) {
		unsigned int type = panthor_perf_block_type(block);

		for (i = 0; i < 64; i++) {
			bool wanted = type == TILER ? i == 7 :
				      type == SHADER && (i == 5 || i == 40 || i == 63);

			wrong += !panthor_perf_block_counter(block, i, &value) ||
				 value != (wanted ? counted(3, type,
							    panthor_perf_block_number(block), i) :
						    0);
		}
		wrong += panthor_perf_block_counter(block, 64, &value) || value;
	}
	CHECK(blocks == 8 && !wrong, "which has all counters: those that are not enabled are 0");
	end(session);
}

/* A compact session without counters has headers alone. */
static void test_empty(void)
{
	struct panthor_perf_session_config config =
		config_with(DRM_PANTHOR_PERF_SETUP_COMPACT);
	const struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_session *session = NULL;

	fake_reset();
	fake.settings.features = DRM_PANTHOR_PERF_COMPACT_SUPPORT;
	panthor_perf_device_open(node, &device, NULL);
	CHECK(!panthor_perf_session_create(device, &config, &session, NULL) &&
	      panthor_perf_session_sample_size(session) == 80 &&
	      !panthor_perf_session_start(session, 0, NULL) &&
	      !panthor_perf_session_mark(session, 2, 1000, &sample, NULL) &&
	      size_of(sample) == 80 && !panthor_perf_sample_next_block(sample, NULL),
	      "a compact session without counters");
	end(session);
}

/* Samples that were saved, by a selection of the caller's own. */
static void test_saved(void)
{
	const size_t size = 80 + 1 * (8 + 8) + 3 * (8 + 3 * 8);
	struct panthor_perf_session *session =
		begin(DRM_PANTHOR_PERF_COMPACT_SUPPORT, DRM_PANTHOR_PERF_SETUP_COMPACT);
	static const struct drm_panthor_perf_section foreign[] = {
		{ .block_type = SHADER, .mask = 1ull << 63 | 1ull << 5 },
		{ .block_type = TILER, .mask = 1ull << 7 },
		{ .block_type = SHADER, .mask = 1ull << 40 | 1ull << 5 },
		{ .block_type = 99, .mask = 1 << 4 },
	};
	struct panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_selection *selection = choose(NULL);
	const struct panthor_perf_block *block = NULL;
	const struct panthor_perf_sample *sample;
	struct panthor_perf_sample *saved = NULL;
	unsigned int blocks = 0, wrong = 0;
	uint64_t copy[32], value;

	CHECK(panthor_perf_selection_sample_size(selection) == 80,
	      "the size of a sample without counters");
	panthor_perf_session_start(session, 0, NULL);
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 0, "nothing to be read");
	panthor_perf_session_sample(session, 2, NULL);
	panthor_perf_session_sample(session, 4, NULL);
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 1 && size_of(sample) == size &&
	      panthor_perf_sample_user_data(sample) == 2, "read as it is");
	memcpy(copy, panthor_perf_sample_data(sample, NULL), size);
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 4 && size_of(sample) == size,
	      "the next one");
	panthor_perf_session_quality(session, &quality);
	CHECK(quality.samples == 2 && !quality.lost, "both are in the data quality");

	CHECK(!panthor_perf_selection_add_sections(selection, foreign, sizeof(foreign[0]),
						   ARRAY_SIZE(foreign), NULL) &&
	      panthor_perf_selection_sample_size(selection) == size, "a selection of sections");
	CHECK(!panthor_perf_sample_create(gpu_of(device), selection, &saved, NULL) &&
	      !panthor_perf_sample_next_block(saved, NULL) &&
	      !panthor_perf_sample_data(saved, NULL), "a sample without content");
	panthor_perf_selection_destroy(selection);
	CHECK(panthor_perf_sample_parse(saved, copy, size - 8, &error) == -EINVAL &&
	      error.code == -EINVAL && strstr(error.text, "184 bytes are not a sample") &&
	      panthor_perf_sample_parse(saved, copy, size + 8, NULL) == -EINVAL,
	      "saved bytes of another size: %s", error.text);
	CHECK(panthor_perf_sample_parse(saved, (char *)copy + 4, size, &error) == -EINVAL &&
	      strstr(error.text, "aligned"), "saved bytes that are not aligned");
	CHECK(!panthor_perf_sample_parse(saved, copy, size, NULL) &&
	      panthor_perf_sample_user_data(saved) == 2 &&
	      panthor_perf_sample_data(saved, NULL) == copy, "saved bytes");
	for (; (block = panthor_perf_sample_next_block(saved, block)); blocks++) {
		unsigned int type = panthor_perf_block_type(block), i;

		for (i = 4; i < 64; i++) {
			bool there = type == TILER ? i == 7 : i == 5 || i == 40 || i == 63;

			wrong += panthor_perf_block_counter(block, i, &value) != there ||
				 value != (there ? counted(3, type,
							   panthor_perf_block_number(block), i) :
						   0);
		}
	}
	CHECK(blocks == 4 && !wrong, "their blocks and counters");
	/* The size of such a block is not known. */
	*((uint8_t *)copy + 80) = DRM_PANTHOR_PERF_BLOCK_TYPE_FW;
	CHECK(!panthor_perf_sample_parse(saved, copy, size, NULL) &&
	      !panthor_perf_sample_next_block(saved, NULL),
	      "a block of a type without counters ends a damaged sample");
	*((uint8_t *)copy + 80) = 99;
	CHECK(!panthor_perf_sample_parse(saved, copy, size, NULL) &&
	      !panthor_perf_sample_next_block(saved, NULL), "and so does one of no type");
	CHECK(panthor_perf_sample_parse(saved, copy, size - 8, NULL) == -EINVAL &&
	      !panthor_perf_sample_data(saved, NULL) &&
	      !panthor_perf_sample_next_block(saved, NULL), "what it was before is gone");
	panthor_perf_sample_destroy(saved);
	panthor_perf_sample_destroy(NULL);
	end(session);
}

static struct panthor_perf_values *values_for(const char *text)
{
	struct panthor_perf_selection *selection = choose(text);
	struct panthor_perf_values *values = NULL;

	if (panthor_perf_values_create(selection, &values, NULL)) {
		printf("Bail out! there are no values\n");
		exit(1);
	}
	panthor_perf_selection_destroy(selection);
	return values;
}

static const struct panthor_perf_counter *named(const char *name)
{
	return panthor_perf_table_counter(table, name);
}

/* The count of a counter; 1 if it has none, which no counter here is. */
static uint64_t count_of(const struct panthor_perf_values *values, const char *name, int block)
{
	uint64_t count = 12345;

	if (panthor_perf_values_count(values, named(name), block, &count))
		return count;
	return count == 12345 ? 1 : 2;
}

/* Likewise; -1 if there is none. */
static double number_of(const struct panthor_perf_values *values, const char *name, int block)
{
	double number = 12345;

	if (panthor_perf_values_number(values, named(name), block, &number))
		return number;
	return number == 12345 ? -1 : -2;
}

/* Sum over the samples 3 and 4 of the GPU of one block, or of all cores. */
static uint64_t two(unsigned int type, int block, unsigned int counter)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < (type == SHADER ? 3 : 1); i++)
		if (block == PANTHOR_PERF_ALL_BLOCKS || block == i)
			sum += counted(3, type, i, counter) + counted(4, type, i, counter);
	return sum;
}

/* Two samples, the second with an error. */
static void check_values(const struct panthor_perf_values *values, const char *what)
{
	const int all = PANTHOR_PERF_ALL_BLOCKS;
	const double tiles = two(TILER, 0, 7), warps = 4 * two(SHADER, all, 5);
	struct panthor_perf_expr *expr = NULL;
	unsigned int wrong = 0;
	uint64_t count = 12345;
	double number = 12345;
	int i;

	for (i = all; i < 3; i++)
		wrong += count_of(values, "Warps", i) != two(SHADER, i, 5) << 2 ||
			 count_of(values, "Quads", i) != two(SHADER, i, 40) ||
			 count_of(values, "Last", i) != two(SHADER, i, 63) ||
			 number_of(values, "Quads", i) != two(SHADER, i, 40);
	CHECK(!wrong && count_of(values, "Tiles", all) == two(TILER, 0, 7) &&
	      count_of(values, "Tiles", 0) == two(TILER, 0, 7),
	      "%s: counters, by block and in all, shifted", what);
	CHECK(panthor_perf_values_raw(values, SHADER, all, 5, &count) &&
	      count == two(SHADER, all, 5) &&
	      panthor_perf_values_raw(values, SHADER, 1, 5, &count) && count == two(SHADER, 1, 5),
	      "%s: raw counters", what);
	count = 12345;
	CHECK(!panthor_perf_values_raw(values, SHADER, 3, 5, &count) &&
	      !panthor_perf_values_raw(values, SHADER, -2, 5, &count) &&
	      !panthor_perf_values_raw(values, TILER, 1, 7, &count) &&
	      !panthor_perf_values_raw(values, MEMSYS, all, 7, &count) &&
	      !panthor_perf_values_raw(values, SHADER, all, 6, &count) &&
	      !panthor_perf_values_raw(values, SHADER, all, 100000, &count) &&
	      !panthor_perf_values_raw(values, 0, all, 5, &count) &&
	      !panthor_perf_values_raw(values, 200, all, 5, &count) && count == 12345,
	      "%s: blocks and counters that are not there have none", what);
	CHECK(count_of(values, "Other", all) == 1 && count_of(values, "Reads", 0) == 1 &&
	      number_of(values, "Other", 1) == -1 && count_of(values, "Second", all) == 1,
	      "%s: counters that are not enabled, or of another set, have none", what);
	CHECK(count_of(values, "per_tile", all) == 1, "%s: a derived counter is no count", what);
	CHECK(number_of(values, "per_tile", all) == warps / tiles &&
	      number_of(values, "per_core", all) == two(SHADER, all, 40) / 3.0 &&
	      number_of(values, "rate", all) == two(SHADER, all, 40) / (2 * 1234567 / 1e9) &&
	      number_of(values, "number", all) == 9, "%s: derived counters", what);
	CHECK(number_of(values, "per_tile", 2) == 4 * two(SHADER, 2, 5) / tiles &&
	      number_of(values, "per_core", 2) == two(SHADER, 2, 40) &&
	      number_of(values, "per_core", 3) == -1 && number_of(values, "per_core", -2) == -1 &&
	      number_of(values, "number", 0) == -1,
	      "%s: derived counters of one core: the sum of other types, one core", what);
	CHECK(number_of(values, "missing", all) == -1 && number_of(values, "missing", 0) == -1 &&
	      number_of(values, "bus", all) == -1, "%s: a derived counter that lacks one has none",
	      what);
	CHECK(!panthor_perf_expr_create(table, "Warps - Tiles + NL2", &expr, NULL) &&
	      panthor_perf_values_expr(values, expr, &number) && number == warps - tiles + 2,
	      "%s: a formula of the caller's own", what);
	panthor_perf_expr_destroy(expr);
	CHECK(!panthor_perf_expr_create(table, "Other", &expr, NULL) &&
	      !panthor_perf_values_expr(values, expr, &number), "%s: one without a value", what);
	panthor_perf_expr_destroy(expr);
	CHECK(panthor_perf_values_samples(values) == 2 &&
	      panthor_perf_values_time_ns(values) == 2 * 1234567 &&
	      panthor_perf_values_flags(values) == DRM_PANTHOR_PERF_SAMPLE_ERROR &&
	      panthor_perf_values_events(values) == DRM_PANTHOR_PERF_EVENT_RESET &&
	      panthor_perf_values_cycles(values, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, &count) &&
	      count == 2 * 8000 &&
	      !panthor_perf_values_cycles(values, DRM_PANTHOR_PERF_CLOCK_SHADER, &count) &&
	      !panthor_perf_values_cycles(values, 99, &count), "%s: what is about all blocks",
	      what);
}

static void check_none(const struct panthor_perf_values *values, const char *what)
{
	uint64_t count = 0;

	CHECK(count_of(values, "Warps", 0) == 1 && count_of(values, "Tiles", -1) == 1 &&
	      number_of(values, "per_core", -1) == -1 && number_of(values, "number", -1) == -1 &&
	      !panthor_perf_values_samples(values) && !panthor_perf_values_time_ns(values) &&
	      !panthor_perf_values_flags(values) && !panthor_perf_values_events(values) &&
	      !panthor_perf_values_cycles(values, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, &count),
	      "%s: no value", what);
}

/* The same samples in the ring, copied, compact and not: the same values. */
static void test_values(void)
{
	static const char *const titles[2][2] = {
		{ "in the ring", "copied" },
		{ "compact, in the ring", "compact, copied" },
	};
	const struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_values *values, *few, *more;
	unsigned int compact;

	for (compact = 0; compact < 2; compact++) {
		struct panthor_perf_session *session =
			begin(DRM_PANTHOR_PERF_COMPACT_SUPPORT,
			      compact ? DRM_PANTHOR_PERF_SETUP_COMPACT : 0);

		fake.settings.error_at = 2;
		values = values_for(COUNTERS);
		few = values_for("Quads");
		more = values_for(NULL);
		check_none(values, "no sample");
		panthor_perf_session_start(session, 0, NULL);
		panthor_perf_session_sample(session, 2, NULL);
		panthor_perf_session_sample(session, 4, NULL);
		panthor_perf_session_peek(session, 0, &sample, NULL);
		panthor_perf_values_add(values, sample);
		panthor_perf_session_peek(session, 1, &sample, NULL);
		panthor_perf_values_add(values, sample);
		check_values(values, titles[compact][0]);
		panthor_perf_values_clear(values);
		check_none(values, "forgotten");
		while (panthor_perf_session_read(session, &sample, NULL) == 1) {
			panthor_perf_values_add(values, sample);
			panthor_perf_values_add(few, sample);
			panthor_perf_values_add(more, sample);
		}
		check_values(values, titles[compact][1]);
		CHECK(count_of(few, "Quads", 1) == two(SHADER, 1, 40) &&
		      count_of(few, "Warps", 1) == 1 && number_of(few, "per_tile", -1) == -1 &&
		      number_of(few, "per_core", -1) == two(SHADER, -1, 40) / 3.0,
		      "%s: of samples with more counters, those that are selected",
		      titles[compact][1]);
		CHECK(count_of(more, "Quads", -1) == 1 && panthor_perf_values_samples(more) == 2 &&
		      number_of(more, "number", -1) == 9, "%s: no counter selected, none counted",
		      titles[compact][1]);
		panthor_perf_values_destroy(values);
		panthor_perf_values_destroy(few);
		panthor_perf_values_destroy(more);
		end(session);
	}
	panthor_perf_values_destroy(NULL);
}

/* There are two L2 slices. */
static void test_values_of_slices(void)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	const uint64_t reads[] = { counted(4, MEMSYS, 0, 6), counted(4, MEMSYS, 1, 6) };
	const struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_selection *selection;
	struct panthor_perf_session *session = NULL;
	struct panthor_perf_values *values = NULL;

	fake_reset();
	panthor_perf_device_open(node, &device, NULL);
	selection = choose("per_slice");
	config.selection = selection;
	panthor_perf_session_create(device, &config, &session, NULL);
	panthor_perf_values_create(selection, &values, NULL);
	panthor_perf_selection_destroy(selection);
	panthor_perf_session_start(session, 0, NULL);
	panthor_perf_session_mark(session, 2, 1000, &sample, NULL);
	panthor_perf_session_mark(session, 4, 1000, &sample, NULL);
	panthor_perf_values_add(values, sample);
	CHECK(reads[0] && number_of(values, "per_slice", -1) == (reads[0] + reads[1]) / 2.0 &&
	      number_of(values, "per_slice", 1) == reads[1] &&
	      number_of(values, "per_slice", 2) == -1, "a derived counter of one L2 slice");
	panthor_perf_values_destroy(values);
	end(session);
}

/* Values without a table: by place alone. */
static void test_values_without_table(void)
{
	struct panthor_perf_session *session = begin(0, 0);
	struct panthor_perf_selection *selection = NULL;
	const struct panthor_perf_sample *sample = NULL;
	struct panthor_perf_values *values = NULL;
	struct panthor_perf_expr *expr = NULL;
	uint64_t count = 0;
	double number;

	panthor_perf_selection_create(gpu_of(device), NULL, DRM_PANTHOR_PERF_SET_PRIMARY,
				      &selection, NULL);
	panthor_perf_selection_add(selection, "shader:40", NULL);
	panthor_perf_values_create(selection, &values, NULL);
	panthor_perf_selection_destroy(selection);
	panthor_perf_session_start(session, 0, NULL);
	panthor_perf_session_mark(session, 2, 1000, &sample, NULL);
	panthor_perf_values_add(values, sample);
	panthor_perf_expr_create(table, "Quads", &expr, NULL);
	CHECK(panthor_perf_values_raw(values, SHADER, 1, 40, &count) &&
	      count == counted(3, SHADER, 1, 40) &&
	      !panthor_perf_values_raw(values, SHADER, 1, 5, &count) &&
	      !panthor_perf_values_number(values, named("per_core"), -1, &number) &&
	      !panthor_perf_values_expr(values, expr, &number), "values without a table");
	panthor_perf_expr_destroy(expr);
	panthor_perf_values_destroy(values);
	end(session);
}

static void test_refused(void)
{
	static const struct {
		uint32_t flag;
		const char *reason;
	} cases[] = {
		{ DRM_PANTHOR_PERF_SETUP_COMPACT, "the driver has no compact samples" },
		{ DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND,
		  "the driver keeps the GPU powered while a session is started" },
		{ DRM_PANTHOR_PERF_SETUP_WAKEUP, "the driver wakes up for each sample" },
	};
	struct panthor_perf_session *session = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct panthor_perf_session_config config = config_with(cases[i].flag);
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

		fake_reset();
		panthor_perf_device_open(node, &device, NULL);
		CHECK(create(&config, &session, &error) == -EOPNOTSUPP && !session &&
		      error.code == -EOPNOTSUPP && !strcmp(error.text, cases[i].reason),
		      "refused: %s", error.text);
		CHECK(!fake.sessions && !fake.objects, "nothing is left of it");
		panthor_perf_device_close(device);
	}
	session = begin(0x1e, DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND);
	CHECK(session, "a session that lets the GPU suspend");
	end(session);
}

static bool is_readable(const struct panthor_perf_session *session)
{
	struct pollfd pollfd = { .fd = panthor_perf_session_fd(session), .events = POLLIN };

	return poll(&pollfd, 1, 0) == 1;
}

static void test_wakeup(void)
{
	struct panthor_perf_session *session =
		begin(DRM_PANTHOR_PERF_WAKEUP_SUPPORT, DRM_PANTHOR_PERF_SETUP_WAKEUP);
	const struct panthor_perf_sample *sample = NULL;
	unsigned int i;

	CHECK(session && !panthor_perf_session_start(session, 0, NULL),
	      "a session with wake-ups");
	panthor_perf_session_sample(session, 0, NULL);
	panthor_perf_session_sample(session, 2, NULL);
	CHECK(!is_readable(session), "two samples do not wake");
	CHECK(panthor_perf_session_wait(session, 0, NULL) == 2, "but can be read");
	CHECK(panthor_perf_session_wait_count(session, 3, 20, NULL) == 2,
	      "a time-out ends the wait");
	panthor_perf_session_sample(session, 4, NULL);
	CHECK(is_readable(session), "the third does");
	CHECK(panthor_perf_session_wait_count(session, 3, 1000, NULL) == 3 &&
	      !is_readable(session), "a wait for all of them");
	for (i = 0; i < 3; i++)
		panthor_perf_session_read(session, &sample, NULL);
	CHECK(panthor_perf_session_wait(session, 0, NULL) == 0,
	      "one count for three is no lost GPU");
	panthor_perf_session_sample(session, 6, NULL);
	panthor_perf_session_sample(session, 8, NULL);
	panthor_perf_session_sample(session, 10, NULL);
	for (i = 0; i < 3; i++)
		panthor_perf_session_read(session, &sample, NULL);
	CHECK(is_readable(session) && panthor_perf_session_wait(session, 0, NULL) == 0,
	      "nor is a count whose samples were read already");
	panthor_perf_session_stop(session, 12, NULL);
	CHECK(is_readable(session) && panthor_perf_session_wait(session, 1000, NULL) == 1 &&
	      panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 12, "the final sample wakes");
	panthor_perf_session_start(session, 0, NULL);
	panthor_perf_session_sample(session, 14, NULL);
	fake_unplug();
	CHECK(panthor_perf_session_wait_count(session, 3, 5000, NULL) == 1,
	      "a lost GPU ends the wait");
	CHECK(panthor_perf_session_read(session, &sample, NULL) == 1 &&
	      panthor_perf_sample_user_data(sample) == 14 &&
	      panthor_perf_session_wait(session, 5000, NULL) == -ENODEV &&
	      panthor_perf_session_wait(session, -1, NULL) == -ENODEV, "then it is gone");
	end(session);
}

/* The library refuses a period by itself: a driver that compares only would not. */
static void test_no_periods(void)
{
	struct panthor_perf_session_config config = config_with(0);
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_session *session = NULL;
	int ret;

	fake_reset();
	fake.settings.min_period_ns = 0;
	panthor_perf_device_open(node, &device, NULL);
	config.sample_period_ns = 1000000000;
	ret = create(&config, &session, &error);
	CHECK(ret == -EOPNOTSUPP && !session && !fake.sessions && !fake.objects,
	      "a period where there are none");
	CHECK(error.code == ret && !strcmp(error.text, "the driver has no periodic sessions"),
	      "why: %s", error.text);
	config.sample_period_ns = 0;
	ret = create(&config, &session, NULL);
	CHECK(!ret, "a manual session is created");
	ret = panthor_perf_session_start(session, 5, NULL);
	CHECK(!ret, "and started, with user data that no sample needs");
	end(session);
}

/* The driver gets the operations as they are, and is not called if it does not know them. */
static void test_ordered(void)
{
	const struct drm_panthor_sync_op ops[] = {
		{ .flags = DRM_PANTHOR_SYNC_OP_WAIT |
			   DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ,
		  .handle = 1, .timeline_value = 0x123456789a },
		{ .flags = (uint32_t)DRM_PANTHOR_SYNC_OP_SIGNAL, .handle = 1 },
		{ .flags = (uint32_t)DRM_PANTHOR_SYNC_OP_SIGNAL, .handle = 2 },
	};
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_session *session = begin(0, 0);
	unsigned int calls = fake.ioctls;

	CHECK(panthor_perf_session_sample_ordered(session, 1, ops, 2, &error) == -EOPNOTSUPP &&
	      fake.ioctls == calls && !strcmp(error.text, "the driver has no ordered samples"),
	      "ordered samples that the driver does not have: %s", error.text);
	end(session);

	session = begin(DRM_PANTHOR_PERF_SYNCS_SUPPORT, 0);
	CHECK(!panthor_perf_session_start(session, 0, NULL), "start");
	CHECK(!panthor_perf_session_sample_ordered(session, 0x1122334455667788, ops, 2, NULL) &&
	      fake.sync_count == 2 && !memcmp(fake.syncs, ops, 2 * sizeof(ops[0])),
	      "an ordered sample");
	CHECK(!panthor_perf_session_sample_ordered(session, 2, NULL, 0, NULL) && !fake.sync_count,
	      "an ordered sample without operations");
	CHECK(panthor_perf_session_sample_ordered(session, 3, ops, 3, &error) == -ENOENT &&
	      !strcmp(error.text, "a syncobj does not exist"), "no syncobj: %s", error.text);
	CHECK(panthor_perf_session_sample_ordered(session, 3, ops, 65, &error) == -EINVAL &&
	      strstr(error.text, "an operation is not valid"), "too many: %s", error.text);
	end(session);
}

/* A clock mode is checked by the library for its number, and by the driver for the rest. */
static void test_clock_modes(void)
{
	struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_session *session, *other;
	struct drm_panthor_perf_clocks clocks;
	struct panthor_perf_device *dev;
	unsigned char longer[sizeof(clocks) + 8];
	unsigned int mode;

	CHECK(!strcmp(panthor_perf_clock_mode_name(1), "profiling") &&
	      panthor_perf_clock_mode_find("Highest") == DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST &&
	      panthor_perf_clock_mode_find("fast") == -ENOENT && !panthor_perf_clock_mode_name(4),
	      "names of the modes");
	for (mode = 0; panthor_perf_clock_mode_name(mode); mode++)
		CHECK(panthor_perf_clock_mode_find(panthor_perf_clock_mode_name(mode)) == (int)mode,
		      "mode %u is found by its name", mode);

	fake_reset();
	CHECK(!panthor_perf_device_open(node, &dev, NULL), "open");
	CHECK(panthor_perf_device_clocks(dev, &clocks, sizeof(clocks), &error) == -EOPNOTSUPP &&
	      !strcmp(error.text, "the driver does not report the rates of clocks"),
	      "a driver without the query: %s", error.text);
	config.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST;
	CHECK(panthor_perf_session_create(dev, &config, &session, &error) == -EOPNOTSUPP &&
	      strstr(error.text, "no clock modes"), "not offered: %s", error.text);
	panthor_perf_device_close(dev);

	fake.settings.features = DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT;
	CHECK(!panthor_perf_device_open(node, &dev, NULL), "open");
	CHECK(!panthor_perf_device_clocks(dev, &clocks, sizeof(clocks), &error) &&
	      clocks.toplevel.rate_hz == 850000000 && clocks.toplevel.lowest_hz == 300000000 &&
	      clocks.toplevel.highest_hz == 1000000000 &&
	      clocks.toplevel.profiling_hz == 650000000 && clocks.coregroup.rate_hz == 850000000 &&
	      !clocks.shader.rate_hz, "the rates");
	memset(longer, 0xff, sizeof(longer));
	CHECK(!panthor_perf_device_clocks(dev, longer, sizeof(longer), NULL) &&
	      !memcmp(longer, &clocks, sizeof(clocks)) && !longer[sizeof(clocks)] &&
	      !longer[sizeof(longer) - 1], "the rates, and members of a later version");

	config.clock_mode = 4;
	CHECK(panthor_perf_session_create(dev, &config, &session, &error) == -EINVAL &&
	      !strcmp(error.text, "there is no clock mode number 4"), "unknown: %s", error.text);
	fake.settings.no_perfmon = 1;
	config.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST;
	CHECK(panthor_perf_session_create(dev, &config, &session, &error) == -EACCES &&
	      !strcmp(error.text, "a clock mode needs CAP_PERFMON"), "no right: %s", error.text);
	fake.settings.no_perfmon = 0;

	CHECK(!panthor_perf_session_create(dev, &config, &session, &error) &&
	      !panthor_perf_session_start(session, 0, &error), "a mode: %s", error.text);
	config.clock_mode = DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST;
	CHECK(!panthor_perf_session_create(dev, &config, &other, &error), "another: %s",
	      error.text);
	CHECK(panthor_perf_session_start(other, 0, &error) == -EBUSY &&
	      strstr(error.text, "holds another clock mode"), "busy: %s", error.text);
	CHECK(!panthor_perf_session_stop(session, 0, NULL) &&
	      !panthor_perf_session_start(other, 0, NULL), "one after the other");
	panthor_perf_session_destroy(session);
	panthor_perf_session_destroy(other);
	panthor_perf_device_close(dev);
	fake_reset();
}

int main(void)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	int fd = mkstemps(node, 8);

	if (fd < 0 || close(fd))
		return 2;
	if (panthor_perf_table_create_from_text(table_text, strlen(table_text), "own", &table,
						&error)) {
		printf("not ok the table of this test - %u: %s\n", error.line, error.text);
		return 1;
	}
	test_compact();
	test_empty();
	test_saved();
	test_values();
	test_values_of_slices();
	test_values_without_table();
	test_refused();
	test_no_periods();
	test_wakeup();
	test_ordered();
	test_clock_modes();
	panthor_perf_table_destroy(table);
	unlink(node);
	return check_failures ? 1 : 0;
}
