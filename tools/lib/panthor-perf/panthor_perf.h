/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef PANTHOR_PERF_H
#define PANTHOR_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <drm/panthor_perf_drm.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* What is declared here is what the shared library exports. */
#pragma GCC visibility push(default)

/**
 * DOC: Overview
 *
 * Performance counters of Mali CSF GPUs for user programs. A device is opened,
 * a session is created on it with the counters that are wanted, and between
 * start and stop the session delivers samples::
 *
 *	panthor_perf_device_open()
 *	panthor_perf_device_info()
 *	panthor_perf_session_create()
 *	panthor_perf_session_start()
 *	panthor_perf_session_sample()		any number of times
 *	panthor_perf_session_wait()		until there is a sample
 *	panthor_perf_session_read()
 *	panthor_perf_sample_next_block()	until there are no more blocks
 *	panthor_perf_session_stop()		one more sample follows
 *	panthor_perf_session_destroy()
 *	panthor_perf_device_close()
 *
 * A periodic session is created with a period and requests no samples: the
 * kernel takes one at each multiple of the period on CLOCK_MONOTONIC.
 * &drm_panthor_perf_sample_header has the time on CLOCK_MONOTONIC_RAW. The
 * client reads the ring before it is full. Periods that find no room are not
 * lost: the kernel merges them into the next sample, which has their number. The last sample
 * is the final one of panthor_perf_session_stop() and carries its user data.
 *
 * Instead of reading copies, panthor_perf_session_peek() reads samples in
 * place in the ring, and panthor_perf_session_release() frees their slots.
 * panthor_perf_session_mark() requests a sample, waits for it and reads it.
 * panthor_perf_select.h selects counters by name, and panthor_perf_counters.h
 * describes them.
 *
 * Functions that can fail return 0 or a positive value on success and a
 * negative errno otherwise; nothing is printed and errno has no meaning
 * afterwards.
 *
 * The library has no global state and starts no threads:
 *
 * - A device may be used by several threads at once, until one closes it.
 * - A session, with the samples and blocks of it, is used by one thread at a
 *   time, whichever that is. Sessions of the same device do not concern one
 *   another.
 * - The descriptor of panthor_perf_session_fd() may be polled by any thread;
 *   panthor_perf_session_wait() is for the one that uses the session.
 * - Samples made by panthor_perf_sample_init() are of the caller's own memory,
 *   and tables and formulas never change: any thread may read them.
 * - No function may be called in a signal handler. After fork(), a session is
 *   the parent's alone: its ring is shared memory.
 *
 * A device must outlive its sessions.
 */

/** struct panthor_perf_device - an open GPU; opaque */
struct panthor_perf_device;

/** struct panthor_perf_session - a session on a device; opaque */
struct panthor_perf_session;

/** struct panthor_perf_layout - where the counters of a compact sample are; opaque */
struct panthor_perf_layout;

/**
 * struct panthor_perf_driver - what the kernel driver says about itself
 */
struct panthor_perf_driver {
	/** @major: Major version. */
	int major;

	/** @minor: Minor version. It does not show whether there are counters. */
	int minor;

	/** @patch: Patch level. */
	int patch;
};

/**
 * struct panthor_perf_session_config - what a session is created with
 *
 * Set everything that is not needed to 0.
 */
struct panthor_perf_session_config {
	/** @counter_set: One of &enum drm_panthor_perf_counter_set. */
	uint32_t counter_set;

	/**
	 * @sample_slots: Slots of the ring: a power of two within the limits of PERF_INFO.
	 * 0: %PANTHOR_PERF_DEFAULT_SLOTS, moved into these limits.
	 */
	uint32_t sample_slots;

	/** @sample_period_ns: Period in ns. 0: samples are taken on request. */
	uint64_t sample_period_ns;

	/**
	 * @sections: Counters to enable, by block type. The pads must be 0. May be %NULL if
	 * @section_count is 0: samples then hold headers and zeroes.
	 */
	const struct drm_panthor_perf_section *sections;

	/** @section_count: Number of elements of @sections. */
	size_t section_count;

	/**
	 * @flags: A combination of &enum drm_panthor_perf_setup_flags: COMPACT, ALLOW_SUSPEND and
	 * WAKEUP, where &drm_panthor_perf_info.flags offers them.
	 */
	uint32_t flags;

	/**
	 * @wakeup_samples: With WAKEUP: number of unread samples that wake a waiting reader, from 1
	 * to @sample_slots - 1. A time-out bounds how long the reader waits for fewer.
	 */
	uint32_t wakeup_samples;
};

/** define PANTHOR_PERF_DEFAULT_SLOTS - slots of a ring when the caller does not say */
#define PANTHOR_PERF_DEFAULT_SLOTS	32

/**
 * struct panthor_perf_ledger - statistics of the samples of a session
 */
struct panthor_perf_ledger {
	/** @samples: Samples that were read. */
	uint64_t samples;

	/** @merged: Periods in them beyond the first of each. */
	uint64_t merged;

	/** @stretched: Samples with the flag STRETCHED. */
	uint64_t stretched;

	/** @overflows: Samples with the flag OVERFLOW. */
	uint64_t overflows;

	/** @errors: Samples with the flag ERROR. */
	uint64_t errors;

	/** @late: Samples with the event LATE. */
	uint64_t late;

	/** @lost: Samples that are missing by their numbers. The kernel loses none. */
	uint64_t lost;

	/** @events: All events of the samples, ORed. */
	uint32_t events;
};

/**
 * struct panthor_perf_sample - one sample
 *
 * Made by panthor_perf_session_read() or panthor_perf_sample_init(). Holds no
 * resources of its own.
 */
struct panthor_perf_sample {
	/** @header: The sample header; fields that the kernel does not know yet are 0. */
	struct drm_panthor_perf_sample_header header;

	/** @data: The bytes of the sample as the kernel wrote them, 8-byte aligned. */
	const void *data;

	/** @size: Bytes at @data. */
	size_t size;

	/** @header_size: Bytes of the sample header at @data. */
	uint32_t header_size;

	/** @block_header_size: Bytes of each block header at @data. */
	uint32_t block_header_size;

	/** @counters_per_block: Counters in each block at @data. */
	uint32_t counters_per_block;

	/** @layout: %NULL, or what is in a compact sample. For the iterator alone. */
	const struct panthor_perf_layout *layout;
};

/**
 * struct panthor_perf_block - one block of a sample
 *
 * Set it to zeroes, then call panthor_perf_sample_next_block() with it again
 * and again.
 */
struct panthor_perf_block {
	/** @header: The block header; fields that the kernel does not know yet are 0. */
	struct drm_panthor_perf_block_header header;

	/** @counters: The counters, by index unless there are @indices. Counters 0 to 3 read 0. */
	const uint64_t *counters;

	/** @counter_count: Number of elements of @counters. */
	uint32_t counter_count;

	/**
	 * @indices: %NULL; in a compact sample that is read as the kernel wrote it, the index
	 * of each element of @counters, rising. panthor_perf_block_counter() is for both.
	 */
	const uint16_t *indices;

	/** @offset: Offset of the block that follows, in bytes. For the iterator alone. */
	size_t offset;
};

/**
 * struct panthor_perf_node - a GPU of the panthor driver
 *
 * Later versions of the library may add fields at the end.
 */
struct panthor_perf_node {
	/** @render: Path of its render node, such as "/dev/dri/renderD128". */
	const char *render;

	/** @primary: Path of its primary node, such as "/dev/dri/card0"; %NULL: there is none. */
	const char *primary;

	/**
	 * @bus: Its position, as reported by libdrm: "pci:0000:01:00.0" or
	 * "platform:/soc/gpu@fb000000"; "" for other buses.
	 */
	const char *bus;

	/**
	 * @err: 0, or -EACCES or -EPERM: it cannot be opened. If the system does not report its
	 * driver, it may be a GPU of another driver.
	 */
	int err;
};

/**
 * panthor_perf_device_enumerate() - Call a function for each GPU of the panthor driver
 * @fn: The function. Its arguments are valid until it returns.
 * @arg: Its second argument.
 *
 * In libdrm's order, until @fn returns something else than 0.
 *
 * Return: What @fn returned at last, 0 if there is no GPU; a negative errno of the search:
 * let @fn return positive values.
 */
int panthor_perf_device_enumerate(int (*fn)(const struct panthor_perf_node *node, void *arg),
				  void *arg);

/**
 * define PANTHOR_PERF_FD_VARIABLE - variable with the number of an open file of a GPU
 *
 * "panthor-perf run" sets it for the program that it executes. The driver lets holders of this file
 * count without CAP_PERFMON. The library ignores the variable in programs with more privileges
 * than their user (setuid, setcap), and where the descriptor is none of a panthor node. All
 * programs that use the file share its sessions: those of a program that is killed stay until the
 * last one closes the file.
 */
#define PANTHOR_PERF_FD_VARIABLE	"PANTHOR_PERF_FD"

/**
 * panthor_perf_device_open() - Open a GPU
 * @name: Which: %NULL, the first one whose driver is panthor; or the path of a DRM node
 *	("/dev/dri/renderD128"); or a name as &struct panthor_perf_node has it: that of a node
 *	without its folder ("renderD128", "card0"), or the place of the GPU, with the kind of bus
 *	or without ("pci:0000:01:00.0", "0000:01:00.0"), for a platform device the last part of it
 *	too ("gpu@fb000000"). By place it is the render node that is opened.
 * @device: Where the device is returned.
 *
 * If the environment has a descriptor of this node in %PANTHOR_PERF_FD_VARIABLE, the function uses
 * that open file. With @name %NULL, the descriptor selects the GPU.
 *
 * Succeeds for a GPU without counters too; panthor_perf_device_info() then fails.
 *
 * Return: 0; -ENODEV if @name is %NULL and there is no such GPU; -ENOENT if there is neither a file
 * nor a GPU of this name; -ENOTTY if @name is no DRM node and -EOPNOTSUPP if it belongs to another
 * driver; -ENOMEM; otherwise the error of opening the node.
 */
int panthor_perf_device_open(const char *name, struct panthor_perf_device **device);

/**
 * panthor_perf_device_open_fd() - Use a DRM node that is open already
 * @fd: The node. It is duplicated and stays the caller's.
 * @device: Where the device is returned.
 *
 * Return: 0; -ENOTTY if @fd is no DRM node; -EOPNOTSUPP if it belongs to
 * another driver than panthor; -ENOMEM; -EBADF, -EMFILE.
 */
int panthor_perf_device_open_fd(int fd, struct panthor_perf_device **device);

/**
 * panthor_perf_device_close() - Close a GPU
 * @device: The device, without sessions. May be %NULL.
 */
void panthor_perf_device_close(struct panthor_perf_device *device);

/**
 * panthor_perf_device_fd() - The file descriptor of a device
 * @device: The device.
 *
 * Return: The descriptor, which stays the library's.
 */
int panthor_perf_device_fd(const struct panthor_perf_device *device);

/**
 * panthor_perf_device_path() - The path of a device
 * @device: The device.
 *
 * Return: The path of its node; "" if it is not known. Lives as long as @device.
 */
const char *panthor_perf_device_path(const struct panthor_perf_device *device);

/**
 * panthor_perf_device_interface() - Whose numbers the driver of a device knows the interface by
 * @device: The device.
 *
 * The library tries the numbers of mainline first, if it was built with a panthor_drm.h that has
 * them, then those of the component that is built outside of it.
 *
 * Return: "mainline" or "private"; %NULL if the driver has no counter support.
 */
const char *panthor_perf_device_interface(const struct panthor_perf_device *device);

/**
 * panthor_perf_device_driver() - The version of the driver of a device
 * @device: The device.
 * @driver: Where it is returned.
 */
void panthor_perf_device_driver(const struct panthor_perf_device *device,
				struct panthor_perf_driver *driver);

/**
 * panthor_perf_device_gpu_info() - Identity and features of a GPU
 * @device: The device.
 * @gpu: Where they are returned; fields that the kernel does not know are 0.
 *
 * Return: 0; -ENODEV if the GPU is gone.
 */
int panthor_perf_device_gpu_info(const struct panthor_perf_device *device,
				 struct drm_panthor_gpu_info *gpu);

/**
 * panthor_perf_device_info() - Counter configuration of a GPU
 * @device: The device.
 * @info: Where it is returned; fields that the kernel does not know are 0.
 * @kernel_size: Where the size of the kernel's structure is returned, in bytes. May be %NULL.
 *
 * Return: 0; -EOPNOTSUPP if the GPU or its firmware has no usable counters;
 * -EINVAL if the driver has no counter support; -EPROTO if what it reports
 * is impossible; -EPROTONOSUPPORT if its version of the interface,
 * &drm_panthor_perf_info.abi in @info, is not %DRM_PANTHOR_PERF_ABI: nothing
 * else in @info has a meaning then; -ENODEV if the GPU is gone.
 */
int panthor_perf_device_info(const struct panthor_perf_device *device,
			     struct drm_panthor_perf_info *info, uint32_t *kernel_size);

/**
 * panthor_perf_block_count() - Number of blocks of a type
 * @info: Counter configuration.
 * @type: One of &enum drm_panthor_perf_block_type.
 *
 * Return: The number; 0 for a type that is not known.
 */
uint32_t panthor_perf_block_count(const struct drm_panthor_perf_info *info, unsigned int type);

/**
 * panthor_perf_block_name() - Short name of a block type
 * @type: One of &enum drm_panthor_perf_block_type.
 *
 * Return: "fw", "cshw", "tiler", "memsys", "shader", "neural" or "csg"; %NULL
 * for a type that is not known.
 */
const char *panthor_perf_block_name(unsigned int type);

/**
 * panthor_perf_set_name() - Name of a counter set
 * @set: One of &enum drm_panthor_perf_counter_set.
 *
 * Return: "primary", "secondary" or "tertiary"; %NULL for one that is not known.
 */
const char *panthor_perf_set_name(unsigned int set);

/**
 * panthor_perf_set_find() - Find a counter set by its name
 * @name: The name, in any case.
 *
 * Return: One of &enum drm_panthor_perf_counter_set; -ENOENT if there is none of this name.
 */
int panthor_perf_set_find(const char *name);

/**
 * panthor_perf_clock_name() - Name of a clock domain
 * @clock: One of &enum drm_panthor_perf_clock.
 *
 * Return: "toplevel", "coregroup" or "shader"; %NULL for one that is not known.
 */
const char *panthor_perf_clock_name(unsigned int clock);

/**
 * panthor_perf_feature_name() - Name of a feature
 * @bit: Number of a bit of &drm_panthor_perf_info.flags.
 *
 * Return: "block-states", "compact", "allow-suspend" or "wakeup"; %NULL for one that is not known.
 */
const char *panthor_perf_feature_name(unsigned int bit);

/**
 * panthor_perf_flag_name() - Name of a flag of a sample
 * @bit: Number of a bit of &drm_panthor_perf_sample_header.flags.
 *
 * Return: "OVERFLOW", "ERROR", "STRETCHED" or "FINAL"; %NULL for one that is not known.
 */
const char *panthor_perf_flag_name(unsigned int bit);

/**
 * panthor_perf_event_name() - Name of an event
 * @bit: Number of a bit of &drm_panthor_perf_sample_header.events.
 *
 * Return: "ring-full", "bad-extract", "late" and so on, as &enum drm_panthor_perf_event has them;
 * %NULL for one that is not known.
 */
const char *panthor_perf_event_name(unsigned int bit);

/**
 * panthor_perf_state_name() - Name of a block state
 * @bit: Number of a bit of &drm_panthor_perf_block_header.states.
 *
 * Return: "on", "off", "available", "unavailable", "normal" or "protected"; %NULL for one that is
 * not known.
 */
const char *panthor_perf_state_name(unsigned int bit);

/**
 * panthor_perf_session_create() - Create a session
 * @device: The device.
 * @config: What is wanted.
 * @session: Where the session is returned.
 *
 * Creates and maps the ring, and an eventfd. The session does not count yet.
 *
 * Return: 0; -EINVAL if @config has a value out of its range, such as a period
 * below the shortest; -EACCES if the set needs CAP_PERFMON (see
 * %PANTHOR_PERF_FD_VARIABLE for a way without); -EOPNOTSUPP if the
 * set or periods are not offered; -ENOSPC if there are too many sessions;
 * -ENOMEM; the errors of panthor_perf_device_info(). panthor_perf_session_reason()
 * has it in words.
 */
int panthor_perf_session_create(struct panthor_perf_device *device,
				const struct panthor_perf_session_config *config,
				struct panthor_perf_session **session);

/**
 * panthor_perf_session_reason() - Why a session cannot be created, in words
 * @info: Counter configuration.
 * @config: What was wanted.
 * @err: What panthor_perf_session_create() returned.
 * @text: Where the words are written.
 * @size: Bytes at @text.
 *
 * Names the error in @config as far as it follows from @info and @err: the shortest period, the
 * set, the missing privilege. Otherwise it is the text of the errno.
 */
void panthor_perf_session_reason(const struct drm_panthor_perf_info *info,
				 const struct panthor_perf_session_config *config, int err,
				 char *text, size_t size);

/**
 * panthor_perf_session_destroy() - Destroy a session
 * @session: The session. May be %NULL. If it is started, what was counted is discarded.
 */
void panthor_perf_session_destroy(struct panthor_perf_session *session);

/**
 * panthor_perf_session_start() - Start counting
 * @session: The session.
 * @user_data: For the samples that a period publishes.
 *
 * Return: 0; -EINVAL if it is started already; -EBUSY if no slot is free for
 * the final sample, that of the last stop was not published yet, or another
 * started session uses another set; -ETIMEDOUT if the firmware does not
 * answer; -EIO until the GPU is resumed or reset; -ENODEV if the GPU is gone.
 */
int panthor_perf_session_start(struct panthor_perf_session *session, uint64_t user_data);

/**
 * panthor_perf_session_sample() - Request a sample
 * @session: The session, started and without a period.
 * @user_data: For this sample.
 *
 * Returns when the request is queued; panthor_perf_session_wait() waits until
 * the sample is there.
 *
 * Return: 0; -EINVAL if the session is not started or has a period; -EBUSY if
 * a request is pending or fewer than two slots are free; -EIO, -ENODEV.
 */
int panthor_perf_session_sample(struct panthor_perf_session *session, uint64_t user_data);

/**
 * panthor_perf_session_stop() - Stop counting
 * @session: The session.
 * @user_data: For the final sample.
 *
 * Returns when the request is queued. Exactly one final sample follows.
 *
 * Return: 0; -EINVAL if the session is not started; -ENODEV.
 */
int panthor_perf_session_stop(struct panthor_perf_session *session, uint64_t user_data);

/**
 * panthor_perf_session_fd() - The file descriptor that signals new samples
 * @session: The session.
 *
 * For a poll loop of the caller's own: when it is readable, call
 * panthor_perf_session_wait() with a time-out of 0, which makes it unreadable
 * until the next sample. Do not read from it.
 *
 * Return: The eventfd, which stays the library's.
 */
int panthor_perf_session_fd(const struct panthor_perf_session *session);

/**
 * panthor_perf_session_sample_size() - Size of the samples of a session
 * @session: The session.
 *
 * Return: Bytes of each sample that panthor_perf_session_read() returns.
 */
uint32_t panthor_perf_session_sample_size(const struct panthor_perf_session *session);

/**
 * panthor_perf_session_slot_size() - Size of the samples of a session in the ring
 * @session: The session.
 *
 * Return: Bytes of each sample that panthor_perf_session_read_compact() returns.
 */
uint32_t panthor_perf_session_slot_size(const struct panthor_perf_session *session);

/**
 * panthor_perf_session_slots() - Size of the ring of a session
 * @session: The session.
 *
 * Return: Slots of the ring.
 */
uint32_t panthor_perf_session_slots(const struct panthor_perf_session *session);

/**
 * panthor_perf_session_wait() - Wait until there are samples
 * @session: The session.
 * @timeout_ms: Longest time to wait in ms. 0: do not wait. Negative: no limit.
 *
 * Return: The number of samples that can be read, 1 or more; 0 if the time
 * passed; -EINTR if a signal came; -ENODEV if the GPU is gone and no sample is
 * left; -EPROTO if the indices of the ring contradict each other.
 */
int panthor_perf_session_wait(struct panthor_perf_session *session, int timeout_ms);

/**
 * panthor_perf_session_wait_count() - Wait until there is a number of samples
 * @session: The session.
 * @count: The number, fewer than there are slots: a periodic session leaves the last one free. With
 *	WAKEUP, wakeup_samples: the wait for another number may last until the time has passed.
 * @timeout_ms: As for panthor_perf_session_wait().
 *
 * Return: The number of samples that can be read: @count or more, or fewer if the time passed or
 * the GPU is gone; -EINVAL if there never can be so many; -EINTR, -ENODEV and -EPROTO as
 * panthor_perf_session_wait().
 */
int panthor_perf_session_wait_count(struct panthor_perf_session *session, uint32_t count,
				    int timeout_ms);

/**
 * panthor_perf_session_limit() - Have a periodic session publish a number of samples at most
 * @session: The session, not started, and all of its samples read.
 * @samples: The number, the final one included; not fewer than there are slots.
 *
 * Keeps slots of samples that were read, so that the ring is full when only the final sample is
 * left of @samples. Periods that end then are merged into it. The next call restarts
 * the count; 0 removes the limit.
 *
 * Return: 0; -EINVAL if @samples is too small; -EBUSY if there are samples to be read.
 */
int panthor_perf_session_limit(struct panthor_perf_session *session, uint64_t samples);

/**
 * panthor_perf_session_ledger() - Statistics of the samples that were read
 * @session: The session.
 * @ledger: Where it is returned.
 */
void panthor_perf_session_ledger(const struct panthor_perf_session *session,
				 struct panthor_perf_ledger *ledger);

/**
 * panthor_perf_session_read() - Take the oldest sample out of the ring
 * @session: The session.
 * @sample: Where it is returned. Its data is valid until the next call with
 *	@session.
 *
 * The slot is free again when the call returns. In a compact sample, the function adds the counters
 * that are not enabled, as 0. Blocks of types without any enabled counter stay absent.
 *
 * Return: 1; 0 if the ring is empty; -EPROTO if the indices of the ring
 * contradict each other.
 */
int panthor_perf_session_read(struct panthor_perf_session *session,
			      struct panthor_perf_sample *sample);

/**
 * panthor_perf_session_read_compact() - Take the oldest sample out of the ring as it is
 * @session: The session.
 * @sample: As for panthor_perf_session_read(), but a compact sample stays compact: its blocks have
 *	&panthor_perf_block.indices.
 *
 * Return: As panthor_perf_session_read().
 */
int panthor_perf_session_read_compact(struct panthor_perf_session *session,
				      struct panthor_perf_sample *sample);

/**
 * panthor_perf_session_peek() - Read a sample in place in the ring
 * @session: The session.
 * @n: Number of the sample, counted from the oldest, 0.
 * @sample: Where it is returned. Its data lies in the ring: valid until
 *	panthor_perf_session_release() has freed its slot, or the session is destroyed.
 *
 * Nothing is copied but the header, and compact samples stay compact. The ring may be mapped
 * write-combined, which is not cached: read each counter once, in rising order, and
 * panthor_perf_copy() what is needed twice.
 *
 * Return: 1; 0 if there are not so many samples; -EPROTO if the indices of the ring contradict each
 * other.
 */
int panthor_perf_session_peek(const struct panthor_perf_session *session, uint32_t n,
			      struct panthor_perf_sample *sample);

/**
 * panthor_perf_session_release() - Free the slots of the oldest samples
 * @session: The session.
 * @count: Number of samples.
 *
 * Adds them to the ledger, because they are read now.
 *
 * Return: 0; -EINVAL if there are not so many samples; -EPROTO if the indices of the ring
 * contradict each other.
 */
int panthor_perf_session_release(struct panthor_perf_session *session, uint32_t count);

/**
 * panthor_perf_session_mark() - Take a sample here, and wait for it
 * @session: The session, started and without a period, all of its samples read and none requested.
 * @id: A number of the caller's own: the sample's user data.
 * @timeout_ms: Longest time to wait in ms. Negative: no limit.
 * @sample: Where the sample is returned. Its data is valid until the next call with @session.
 *
 * For programs that measure one workload after another and let the GPU finish between them. The
 * sample holds what was counted since the mark before it, or since the start: everything that the
 * GPU had counted before the call is in it, and nothing that it does when the call has returned. So
 * a mark before the client submits the workload, and one after the GPU has finished it, enclose it.
 * The work of other programs during this time is in it as well.
 *
 * A signal does not end the wait. If the sample does not come in time, it may still come later:
 * panthor_perf_session_wait() and panthor_perf_session_read() get it then, and until it was read
 * other marks fail.
 *
 * Return: 0; -EBUSY if there are samples to be read, or a requested one has not come yet;
 * -EINVAL if the session is not started or has a period; -ETIMEDOUT; -EPROTO if another sample
 * came; -ENODEV if the GPU is gone; -EIO.
 */
int panthor_perf_session_mark(struct panthor_perf_session *session, uint64_t id, int timeout_ms,
			      struct panthor_perf_sample *sample);

/**
 * panthor_perf_copy() - Copy out of memory that is mapped write-combined
 * @dst: Where to, 8-byte aligned.
 * @src: Where from, 8-byte aligned.
 * @size: Bytes, a multiple of 8.
 *
 * Reads each word once, in rising order and by the widest loads that there are.
 */
void panthor_perf_copy(void *dst, const void *src, size_t size);

/**
 * panthor_perf_sample_init() - Parse the bytes of a sample from any source
 * @info: Counter configuration that the sample was taken with.
 * @data: The bytes, 8-byte aligned. They must stay while @sample is in use.
 * @size: Their number.
 * @sample: Where the sample is returned.
 *
 * Return: 0; -EINVAL if @data is not aligned, or too small for the sample
 * header or not a whole number of blocks by the sizes of @info.
 */
int panthor_perf_sample_init(const struct drm_panthor_perf_info *info, const void *data,
			     size_t size, struct panthor_perf_sample *sample);

/**
 * panthor_perf_layout_create() - Where the counters of compact samples are
 * @info: Counter configuration that the samples were taken with.
 * @sections: The counters that their session was created with.
 * @section_count: Number of elements of @sections.
 * @layout: Where the layout is returned. To be freed.
 *
 * For samples that were saved; those of a session bring it with them. Sections of types that the
 * library does not know are skipped.
 *
 * Return: 0; -EINVAL if samples would be too large for this machine; -ENOMEM.
 */
int panthor_perf_layout_create(const struct drm_panthor_perf_info *info,
			       const struct drm_panthor_perf_section *sections,
			       size_t section_count, struct panthor_perf_layout **layout);

/**
 * panthor_perf_layout_size() - Size of compact samples
 * @layout: Their layout.
 *
 * Return: Bytes of each sample.
 */
uint32_t panthor_perf_layout_size(const struct panthor_perf_layout *layout);

/**
 * panthor_perf_layout_free() - Free a layout
 * @layout: The layout. May be %NULL.
 */
void panthor_perf_layout_free(struct panthor_perf_layout *layout);

/**
 * panthor_perf_sample_init_compact() - Parse the bytes of a compact sample
 * @info: Counter configuration that the sample was taken with.
 * @layout: Where its counters are. It must stay while @sample is in use.
 * @data: The bytes, 8-byte aligned. They must stay likewise.
 * @size: Their number.
 * @sample: Where the sample is returned.
 *
 * Return: 0; -EINVAL if @data is not aligned, or @size is not that of @layout.
 */
int panthor_perf_sample_init_compact(const struct drm_panthor_perf_info *info,
				     const struct panthor_perf_layout *layout, const void *data,
				     size_t size, struct panthor_perf_sample *sample);

/**
 * panthor_perf_block_counter() - A counter of a block, by its index
 * @block: The block.
 * @index: The index.
 * @value: Where the counter is returned, 0 if the block does not have it.
 *
 * Return: Whether the block has it.
 */
bool panthor_perf_block_counter(const struct panthor_perf_block *block, uint32_t index,
				uint64_t *value);

/**
 * panthor_perf_sample_cycles() - Cycles of a clock since the sample before
 * @info: Counter configuration that the sample was taken with.
 * @sample: The sample.
 * @clock: One of &enum drm_panthor_perf_clock.
 * @cycles: Where they are returned.
 *
 * Return: Whether the sample has them.
 */
bool panthor_perf_sample_cycles(const struct drm_panthor_perf_info *info,
				const struct panthor_perf_sample *sample, unsigned int clock,
				uint64_t *cycles);

/**
 * panthor_perf_sample_next_block() - Step through the blocks of a sample
 * @sample: The sample.
 * @block: All zeroes before the first call; the next block afterwards.
 *
 * Blocks of types that this library does not know are skipped.
 *
 * Return: 1; 0 if there are no more blocks.
 */
int panthor_perf_sample_next_block(const struct panthor_perf_sample *sample,
				   struct panthor_perf_block *block);

#pragma GCC visibility pop

#if defined(__cplusplus)
}
#endif

#endif /* PANTHOR_PERF_H */
