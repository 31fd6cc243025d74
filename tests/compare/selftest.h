/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Tests of panthor-perf-compare: make a log and a raw sample file that belong together, damage
 * one of them, and look at what the program says. They know both formats by their documentation
 * alone: offsets and constants are literals here.
 */
#ifndef COMPARE_SELFTEST_H
#define COMPARE_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define FILE_HEADER	64
#define INFO_SIZE	88
#define SECTION_SIZE	16
#define BLOCK_HEADER	8

#define FLAG_ERROR	2
#define FLAG_STRETCHED	4
#define FLAG_FINAL	8
#define EVENT_LATE		0x04
#define EVENT_FW_OVERFLOW	0x08
#define EVENT_FW_TIMEOUT	0x10
#define EVENT_RESET		0x20
#define EVENT_SUSPEND		0x40
#define EVENT_CORE_OFF		0x100
#define EVENT_PROTECTED		0x80
#define EVENT_FW_ERROR		0x200
#define EVENT_HOST_TIME		0x400
#define EVENT_CANCELLED		0x800

#define FW		1
#define CSHW		2
#define TILER		3
#define MEMSYS		4
#define SHADER		5
#define NEURAL		6
#define CSG		7
#define TYPES		8

#define NO_ZERO		SIZE_MAX

#define CALL_RECORD	64
#define SAMPLE_RECORD	16
#define GPU_TIME_RECORD	32
#define CLOCKED_PERIOD	32544
#define START_DATA	41
#define STOP_DATA	42

/**
 * struct buffer - bytes of a file
 */
struct buffer {
	/** @bytes: The bytes. */
	unsigned char *bytes;

	/** @size: Their number. */
	size_t size;
};

/**
 * struct section - counters that the session asked for
 */
struct section {
	/** @type: Block type. */
	unsigned int type;

	/** @first: Counter of bit 0 of @mask. */
	unsigned int first;

	/** @mask: The counters. */
	uint64_t mask;
};

/**
 * struct scene - a run of the virtual GPU with a session
 */
struct scene {
	/** @counters: Words of a block. */
	unsigned int counters;

	/** @shader_present: Shader cores. */
	uint64_t shader_present;

	/** @neural_present: Those with a neural accelerator. */
	uint64_t neural_present;

	/** @l2_slices: L2 slices. */
	unsigned int l2_slices;

	/** @fw: There is a firmware block. */
	unsigned int fw;

	/** @csg: Slots with a block. */
	unsigned int csg;

	/** @sample_header: Bytes of a sample header. */
	unsigned int sample_header;

	/** @block_header: Bytes of a block header. */
	unsigned int block_header;

	/** @zero: Sample of the GPU that is the session's zero. */
	size_t zero;

	/** @break_at: Sample of the GPU before which counters are enabled anew, 0 for none. */
	size_t break_at;

	/** @break_text: Lines of the log in front of that. */
	const char *break_text;

	/** @unread_at: Sample of the GPU that the driver did not read, 0 for none. */
	size_t unread_at;

	/** @gpu_text: What the gpu line has at its end. */
	const char *gpu_text;

	/** @run_at: Sample with which a second run begins, 0 for none. */
	size_t run_at;

	/** @run_zero: Sample of the GPU that is its zero. */
	size_t run_zero;

	/** @timed: User data tells when calls were made: just before the GPU's sample. */
	bool timed;

	/** @period: Period in ns, 0 for none; with one, the file is of version 2. */
	unsigned int period;

	/**
	 * @clocked: With the period %CLOCKED_PERIOD, times are the GPU's, the file tells them, and
	 * cycles and states are told.
	 */
	bool clocked;

	/** @timer_hz: The file has the CPUs' timer, with this rate; 0: the GPU's. */
	unsigned int timer_hz;

	/** @sure: The comparer may not guess, even though the scene is not @clocked. */
	bool sure;

	/** @clocks: Clocks whose cycles are told, a bit mask, if @clocked. */
	unsigned int clocks;

	/** @compact: Samples have what the session asks for alone. */
	bool compact;

	/** @sections: What the session asks for; all counters if there are none. */
	struct section sections[4];

	/** @section_count: Number of sections. */
	unsigned int section_count;

	/** @truth: The log. */
	struct buffer truth;

	/** @raw: The raw sample file. */
	struct buffer raw;
};

/** define SAMPLES - samples of a scene's session */
#define SAMPLES		4

extern const struct scene g610;
extern const char *const gpu_samples;
extern const size_t ends[SAMPLES];
extern const char *compare;
extern char folder[64];
extern unsigned int failures;

/* Print a message and end the program. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Append formatted text to a file. */
void print(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append a little-endian number to a file. */
void put(struct buffer *buffer, uint64_t value, unsigned int size);

/* Replace a number in a file. */
void poke(struct buffer *buffer, size_t offset, uint64_t value, unsigned int size);

/* GPU timestamp of the GPU's sample of this index. */
uint64_t timestamp(size_t nr);

/* CLOCK_MONOTONIC_RAW of the GPU's sample of this index, if the scene is clocked. */
uint64_t raw_time(size_t nr);

/* Bytes of a sample. */
size_t sample_size(const struct scene *scene);

/* Make both files of a scene. Most counters are asked for if it has no sections of its own. */
void build(struct scene *scene, const struct scene *from);

/* Free both files. */
void discard(struct scene *scene);

/* Where the samples or records begin. */
size_t samples_at(const struct scene *scene);

/* Where a sample lies. */
size_t sample_at(const struct scene *scene, size_t sample);

/* Where a block of a sample lies. */
size_t block_at(const struct scene *scene, size_t sample, unsigned int type,
		unsigned int idx);

/* Where a counter of a sample lies. */
size_t counter_at(const struct scene *scene, size_t sample, unsigned int type,
		  unsigned int idx, unsigned int counter);

/* A number of 8 bytes of a file. */
uint64_t peek(const struct buffer *buffer, size_t offset);

/* Replace the first occurrence of a text in the log. */
void replace(struct buffer *log, const char *old, const char *new);

/* Write a file to the folder. */
void write_file(const char *name, const struct buffer *buffer);

/* What the comparer printed last. */
char *read_output(void);

/* Run the comparer in the folder, with leave to guess: exit status, or 256 + its signal. */
int run(const char *const *args);

/* Print the outcome of a test. */
void result(bool ok, const char *name, const char *why);

/* Run the comparer on a scene, free it: exit status, and a text that it has to print. */
void expect(const char *name, struct scene *scene, const char *const *args, int status,
	    const char *text);

/* Add to a counter of a sample. */
void poke_counter(struct scene *scene, size_t sample, unsigned int type, unsigned int idx,
		  unsigned int counter, int64_t add);

/* Set all counters of a sample to 0. */
void clear_counters(struct scene *scene, size_t sample);

/* Give a sample the flag ERROR and events. */
void set_error(struct scene *scene, size_t sample, uint32_t events);

/* Have the log tell a loss, behind the sample of this number. */
void lose(struct scene *scene, const char *reason, size_t nr);

/* Have the log tell a full ring, behind the sample of this number. */
void fill_ring(struct scene *scene, size_t nr);

/* Remove the folder and the files of the tests. */
void remove_folder(void);

/* The tests, by what they damage. */
void test_files(void);
void test_time(void);
void test_selections(void);

#endif /* COMPARE_SELFTEST_H */
