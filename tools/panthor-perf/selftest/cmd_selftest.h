/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_CMD_SELFTEST_H
#define PANTHOR_PERF_CMD_SELFTEST_H

#include <time.h>

#include "cmd.h"

/*
 * Declarations that the files of the sub-command selftest share. A fact is an assumption that was
 * not proven on hardware. A check is a function that determines some of them.
 */

/** define SELFTEST_TEXT - longest text of what was seen, in bytes */
#define SELFTEST_TEXT		320

/** define SELFTEST_BLOCKS - most blocks of a raw sample */
#define SELFTEST_BLOCKS		128

/** define SELFTEST_REQUESTS - most requests of one experiment */
#define SELFTEST_REQUESTS	128

/** define SELFTEST_ENTRIES - most entries that one experiment copies */
#define SELFTEST_ENTRIES	80

/**
 * enum verdict - what became of a fact
 */
enum verdict {
	/** @VERDICT_NONE: Not determined. */
	VERDICT_NONE,

	/** @VERDICT_CONFIRMED: It is so on this GPU. */
	VERDICT_CONFIRMED,

	/** @VERDICT_REFUTED: It is not so on this GPU. */
	VERDICT_REFUTED,
};

/**
 * struct fact - an assumption
 */
struct fact {
	/** @id: What it is called. */
	const char *id;

	/**
	 * @confidence: 'M': one good source; 'L': inferred; '?': not found anywhere, and the text
	 * is what the virtual GPU does; 'H': sure, but cheap to check on each board.
	 */
	char confidence;

	/** @check: Name of the check that decides. %NULL: nothing does, for the reason @why. */
	const char *check;

	/** @text: What is assumed. */
	const char *text;

	/** @why: Why it is not determined, where no check says so. */
	const char *why;
};

extern const struct fact selftest_facts[];
extern const size_t selftest_fact_count;

/**
 * struct selftest_result - what was found out about a fact
 */
struct selftest_result {
	/** @wanted: The user wants to know. */
	bool wanted;

	/** @verdict: What became of it. */
	enum verdict verdict;

	/** @seen: Observed values; "" for none. */
	char seen[SELFTEST_TEXT];
};

/* What the GPU and the firmware say about themselves. */
struct raw_identity {
	/* The driver has experiments, and we may use them. */
	bool there;

	/* Why they cannot be used. */
	const char *why_not;

	/* The lines as they were. */
	char *text;

	/* The firmware's control words, as firmware and driver name them. */
	uint32_t version, features, group_num, group_stride, perfcnt_size, instr_features;
	uint32_t perfcnt_features, csg_features, suspend_size, protected_suspend_size;
	uint32_t stream_num, stream_stride, cs_features, gpu_prfcnt_features;

	/* SHADER_PRESENT and NEURAL_PRESENT. */
	uint64_t shader_present, neural_present;

	/* Bytes of an entry of the ring without a metadata block. */
	uint32_t entry_size;

	/* Words of a block. */
	uint32_t block_words;

	/* Bytes of the metadata block that an experiment may enable, 0: none. */
	uint32_t metadata_size;

	/* Entries of the ring. */
	uint32_t ring_slots;

	/* Elements of @blocks. */
	unsigned int block_count;

	/* The blocks that the driver knows, and where they are. */
	struct {
		/* One of &enum drm_panthor_perf_block_type. */
		unsigned int type;

		/* Number among its type. */
		unsigned int idx;

		/* In words. */
		unsigned int offset;
	} blocks[SELFTEST_BLOCKS];
};

/* How a request for a sample went. */
struct raw_request {
	/* 0 or a negative errno. */
	int ret;

	/* 0 if a full ring was drained and the request acknowledged then. */
	int drained;

	/* From the doorbell to the acknowledge. */
	uint64_t ns;

	/* INSERT and TIMESTAMP before and after, CYCLE_COUNT after. */
	uint32_t insert[2];
	uint64_t timestamp[2];
	uint64_t cycles;

	/* GLB_PRFCNT_STATUS. */
	uint32_t status;

	/* Bits RAW_*. */
	uint32_t events;
};

/* Bits of &raw_request.events. */
#define RAW_THRESHOLD		0x4u
#define RAW_OVERFLOW		0x8u

/* What an experiment saw. */
struct raw_dump {
	/* Before counters were enabled: the cycle counter was on; CYCLE_COUNT, TIMESTAMP twice. */
	bool counter;
	uint64_t cycles[2], timestamp[2];
	uint32_t insert_off;

	/* Enable and disable: 0 or a negative errno, and how long they took. */
	int enable, disable;
	uint64_t enable_ns, disable_ns;
	uint32_t insert_on;

	/* Words of the metadata block at the start of each entry, 0: none. */
	uint32_t metadata_words;

	/* Entries that the firmware wrote. */
	unsigned int seen;

	/* Something else wanted the firmware. */
	bool aborted;

	/* Elements of @requests. */
	unsigned int request_count;

	/* The requests. */
	struct raw_request requests[SELFTEST_REQUESTS];

	/* Elements of @entries. */
	unsigned int entry_count;

	/* Words of the first entries. */
	uint32_t *entries[SELFTEST_ENTRIES];
};

/**
 * struct figure - something measured
 */
struct figure {
	/** @name: What. */
	const char *name;

	/** @text: How much. */
	char text[SELFTEST_TEXT];
};

/**
 * struct selftest - a self-test
 */
struct selftest {
	/** @device: The GPU. */
	struct panthor_perf_device *device;

	/** @gpu: Its features. */
	struct drm_panthor_gpu_info gpu;

	/** @gpu_id: Its GPU_ID, 0 for one that is not known. */
	uint64_t gpu_id;

	/** @csif: Its command stream interface. */
	struct drm_panthor_csif_info csif;

	/** @csif_error: 0, or why @csif is not known, a negative errno. */
	int csif_error;

	/** @object: What the library knows of it. */
	const struct panthor_perf_gpu *object;

	/** @info: What it can count. */
	struct drm_panthor_perf_info info;

	/** @raw: The words that the GPU reports and no ioctl passes on. */
	struct raw_identity raw;

	/** @raw_path: Path of the file for experiments. */
	char raw_path[96];

	/** @power_path: The folder of the GPU's power management in sysfs; "": not known. */
	char power_path[96];

	/** @timestamp_rate: Ticks of TIMESTAMP in a second, as measured; 0: not known. */
	double timestamp_rate;

	/** @overflow: The user wants the ring to overflow. */
	bool overflow;

	/** @no_load: The user wants no jobs on the GPU. */
	bool no_load;

	/** @with_load: The user's command that loads the GPU, %NULL: none. */
	const char *with_load;

	/** @results: What was found out, by the number of the fact. */
	struct selftest_result *results;

	/** @figures: What was measured. */
	struct figure figures[96];

	/** @figure_count: Number of them. */
	unsigned int figure_count;

	/** @failures: Things that cannot be on a GPU that works. */
	unsigned int failures;
};

/* Verdicts. Unknown names are bugs of the program, and end it. */
void selftest_decide(struct selftest *st, const char *id, bool confirmed, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void selftest_leave(struct selftest *st, const char *id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void selftest_figure(struct selftest *st, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void selftest_failed(struct selftest *st, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void selftest_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool selftest_decided(const struct selftest *st, const char *id);

/* Minimum, median and maximum, in us, of times in ns, which are sorted. */
void selftest_times(struct selftest *st, const char *name, uint64_t *ns, unsigned int count);

/* Clocks, ns */
uint64_t selftest_now(clockid_t clock);
void selftest_sleep_ms(unsigned int ms);

/* Wait for a sample, or request one and wait for it: 0 or a negative errno. */
int selftest_take(struct panthor_perf_session *session,
		  const struct panthor_perf_sample **sample);
int selftest_ask(struct panthor_perf_session *session, const struct panthor_perf_sample **sample);
int selftest_create(struct selftest *st, const struct panthor_perf_selection *selection,
		    uint64_t period_ns, uint32_t slots, struct panthor_perf_session **session);
uint64_t selftest_counter(const struct panthor_perf_block *block, unsigned int index);

/* Experiments: 0 or a negative errno. */
void rawdump_open(struct selftest *st);
void rawdump_close(struct selftest *st);
int rawdump_run(struct selftest *st, struct raw_dump *dump, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void rawdump_free(struct raw_dump *dump);

/* The request that an entry answers; %NULL for an automatic one. */
const struct raw_request *selftest_request_of(const struct raw_dump *dump, uint32_t entry);

/* Jobs: a loop of commands that keeps the front end busy. */
struct load;
int load_create(struct selftest *st, struct load **load);
int load_run(struct load *load, uint32_t iterations, uint64_t *ns);
int load_queue(struct load *load, uint32_t iterations, unsigned int jobs);
int load_wait(struct load *load);
bool load_busy(struct load *load);
uint32_t load_stored(const struct load *load);
unsigned int load_lost(const struct load *load);
void load_destroy(struct load *load);

/* Checks */
void check_identity(struct selftest *st);
void check_words(struct selftest *st);
void check_cores(struct selftest *st);
void check_enables(struct selftest *st);
void check_entries(struct selftest *st);
void check_ring(struct selftest *st);
void check_latency(struct selftest *st);
void check_rates(struct selftest *st);
void check_idle(struct selftest *st);
void check_load(struct selftest *st);
void check_overflow_counts(struct selftest *st);
void check_power(struct selftest *st);
void check_sets(struct selftest *st);

#endif /* PANTHOR_PERF_CMD_SELFTEST_H */
