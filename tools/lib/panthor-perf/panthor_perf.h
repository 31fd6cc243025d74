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
 *	panthor_perf_device_gpu()
 *	panthor_perf_table_create_for_gpu()	what the counters of this GPU mean
 *	panthor_perf_selection_create()		and panthor_perf_selection_add()
 *	panthor_perf_values_create()		where counts are added up
 *	panthor_perf_session_create()
 *	panthor_perf_session_start()
 *	panthor_perf_session_sample()		any number of times
 *	panthor_perf_session_wait()		until there is a sample
 *	panthor_perf_session_read()
 *	panthor_perf_values_clear()		for the values of each sample, not their sum
 *	panthor_perf_values_add()		what the sample says about counters
 *	panthor_perf_session_finish()		stops, reads the rest, destroys
 *	panthor_perf_values_destroy()
 *	panthor_perf_selection_destroy()
 *	panthor_perf_table_destroy()
 *	panthor_perf_device_close()
 *
 * A periodic session is created with a period and requests no samples: the
 * kernel takes one at each multiple of the period on CLOCK_MONOTONIC. So the first sample is
 * a part of a period. The times of
 * a sample are on CLOCK_MONOTONIC_RAW. The client reads the ring before it is full.
 * Periods that find no room are not lost: the kernel merges them into the next sample,
 * which has their number. The last sample is the final one of panthor_perf_session_stop()
 * and carries its user data.
 *
 * Instead of reading copies, panthor_perf_session_peek() reads samples in
 * place in the ring, and panthor_perf_session_release() frees their slots.
 * panthor_perf_session_mark() requests a sample, waits for it and reads it.
 * panthor_perf_select.h selects counters, panthor_perf_counters.h describes them,
 * and panthor_perf_values.h turns samples into their values.
 *
 * Errors: a function that can fail returns 0 or a positive value on success and a
 * negative errno otherwise. Its last argument is a &struct panthor_perf_error, or
 * %NULL, which then has the same number and a sentence for people. Nothing is
 * printed, and errno has no meaning afterwards.
 *
 * Growth: all objects are opaque but for structures of this library that say how they grow. A
 * program that was built with an older version of this library, or with other kernel headers than
 * the library, works with it: structures that the caller provides have their size as first member,
 * which an initialiser sets, and structures of the kernel are passed with their size.
 *
 * The library has no global state and starts no threads:
 *
 * - A device may be used by several threads at once, until one closes it.
 * - A session, with the samples and blocks of it, is used by one thread at a
 *   time, whichever that is. Sessions of the same device do not concern one
 *   another.
 * - The descriptor of panthor_perf_session_fd() may be polled by any thread;
 *   panthor_perf_session_wait() is for the one that uses the session.
 * - &struct panthor_perf_gpu, tables and formulas never change: any thread may read them, and
 *   a sample of panthor_perf_sample_create() until it is parsed again.
 * - No function may be called in a signal handler.
 * - After fork(), a session is the parent's alone, because its ring is shared memory. In a child
 *   all functions of the session fail with -EPERM, but panthor_perf_session_destroy() and
 *   panthor_perf_session_finish() free the child's copy and leave the parent's session as it is. A
 *   device may be used by parent and child.
 *
 * A device must outlive its sessions and its &struct panthor_perf_gpu. A library that is built with
 * -DPANTHOR_PERF_DEBUG ends a program that destroys what another object needs.
 */

/** define PANTHOR_PERF_LIBRARY_MAJOR - major version of the library that this header is of */
#define PANTHOR_PERF_LIBRARY_MAJOR	1

/** define PANTHOR_PERF_LIBRARY_MINOR - minor version of it: rises when functions are added */
#define PANTHOR_PERF_LIBRARY_MINOR	0

/**
 * panthor_perf_library_version() - Version of the library that the program runs with
 * @major: Where the major version is returned. May be %NULL.
 * @minor: Where the minor version is returned. May be %NULL.
 *
 * Versions with the same major number are compatible with programs that were built with an older
 * minor one.
 */
void panthor_perf_library_version(unsigned int *major, unsigned int *minor);

/**
 * struct panthor_perf_error - what went wrong, and where
 *
 * Initialise it with %PANTHOR_PERF_ERROR_INIT, or with zeroes. A function that succeeds leaves it
 * alone. Later versions may add members at the end.
 */
struct panthor_perf_error {
	/** @size: Bytes of the caller's structure. */
	size_t size;

	/** @code: The negative errno that the function returned; 0: no error. */
	int code;

	/** @line: Line of @file, from 1; 0 if the error is about no line. */
	unsigned int line;

	/** @column: Column (byte) of the line or of the text, from 1; 0: the error is of none. */
	unsigned int column;

	/** @reserved: 0. */
	unsigned int reserved;

	/** @file: The file, cut if it is long; "" if there is none. */
	char file[256];

	/** @text: What is wrong and what was expected, without a full stop or a newline. */
	char text[256];
};

/** define PANTHOR_PERF_ERROR_INIT - initialiser of &struct panthor_perf_error */
#define PANTHOR_PERF_ERROR_INIT	{ sizeof(struct panthor_perf_error), 0, 0, 0, 0, "", "" }

/**
 * panthor_perf_error_format() - An error as compilers write it
 * @error: The error.
 * @text: Where FILE:LINE:COLUMN: TEXT is written, without what is not known.
 * @size: Bytes at @text.
 *
 * Return: @text.
 */
const char *panthor_perf_error_format(const struct panthor_perf_error *error, char *text,
				      size_t size);

/** struct panthor_perf_device - an open GPU; opaque */
struct panthor_perf_device;

/** struct panthor_perf_session - a session on a device; opaque */
struct panthor_perf_session;

/** struct panthor_perf_gpu - a GPU and its counter configuration; opaque */
struct panthor_perf_gpu;

/** struct panthor_perf_selection - the counters that are wanted; opaque */
struct panthor_perf_selection;

/** struct panthor_perf_sample - one sample; opaque */
struct panthor_perf_sample;

/** struct panthor_perf_block - one block of a sample; opaque */
struct panthor_perf_block;

/**
 * struct panthor_perf_session_config - what a session is created with
 *
 * Initialise it with %PANTHOR_PERF_SESSION_CONFIG_INIT and set what is needed. Later versions may
 * add members at the end, whose value 0 means what this version does.
 */
struct panthor_perf_session_config {
	/** @size: Bytes of the caller's structure. */
	size_t size;

	/**
	 * @selection: Counters to enable, and the counter set. %NULL: the primary set without
	 * counters, whose samples hold headers and zeroes. Not used when the call has returned.
	 */
	const struct panthor_perf_selection *selection;

	/** @sample_period_ns: Period in ns. 0: samples are taken on request. */
	uint64_t sample_period_ns;

	/**
	 * @sample_slots: Slots of the ring: a power of two within the limits of the GPU.
	 * 0: %PANTHOR_PERF_DEFAULT_SLOTS, moved into these limits.
	 */
	uint32_t sample_slots;

	/**
	 * @flags: A combination of &enum drm_panthor_perf_setup_flags: COMPACT, ALLOW_SUSPEND and
	 * WAKEUP, where %PANTHOR_PERF_GPU_FEATURES offers them. @clock_mode implies CLOCK_MODE.
	 */
	uint32_t flags;

	/**
	 * @wakeup_samples: With WAKEUP: number of unread samples that wake a waiting reader, from 1
	 * to @sample_slots - 1. A time-out bounds how long the reader waits for fewer.
	 */
	uint32_t wakeup_samples;

	/**
	 * @clock_mode: Rate at which a started session holds the GPU's clock, one of
	 * &enum drm_panthor_perf_clock_mode. Any but DEFAULT needs CAP_PERFMON, and
	 * %DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT in %PANTHOR_PERF_GPU_FEATURES.
	 */
	uint32_t clock_mode;
};

/** define PANTHOR_PERF_SESSION_CONFIG_INIT - initialiser of &struct panthor_perf_session_config */
#define PANTHOR_PERF_SESSION_CONFIG_INIT \
	{ sizeof(struct panthor_perf_session_config), NULL, 0, 0, 0, 0, 0 }

/** define PANTHOR_PERF_DEFAULT_SLOTS - slots of a ring when the caller does not say */
#define PANTHOR_PERF_DEFAULT_SLOTS	32

/**
 * struct panthor_perf_quality - data quality: how complete the samples of a session are
 *
 * Initialise it with %PANTHOR_PERF_QUALITY_INIT. Later versions may add members at the end.
 */
struct panthor_perf_quality {
	/** @size: Bytes of the caller's structure. */
	size_t size;

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

	/** @reserved: 0. */
	uint32_t reserved;
};

/** define PANTHOR_PERF_QUALITY_INIT - initialiser of &struct panthor_perf_quality */
#define PANTHOR_PERF_QUALITY_INIT \
	{ sizeof(struct panthor_perf_quality), 0, 0, 0, 0, 0, 0, 0, 0, 0 }

/**
 * struct panthor_perf_node - a GPU of the panthor driver
 *
 * The library provides it. Later versions may add members at the end.
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
 * @error: What is wrong. May be %NULL.
 *
 * In libdrm's order, until @fn returns something else than 0.
 *
 * Return: What @fn returned at last, 0 if there is no GPU; a negative errno of the search:
 * let @fn return positive values.
 */
int panthor_perf_device_enumerate(int (*fn)(const struct panthor_perf_node *node, void *arg),
				  void *arg, struct panthor_perf_error *error);

/**
 * define PANTHOR_PERF_FD_VARIABLE - variable with the number of an open file of a GPU
 *
 * "panthor-perf run" sets it for the program that it executes. The variable selects an open file.
 * It gives no permission: each process that creates a session needs its own. The library ignores
 * the variable in programs with more privileges than their user (setuid, setcap), and if the
 * descriptor is not that of a panthor node. All programs that use the file share its sessions:
 * those of a program that is killed stay until the last one closes the file.
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
 * @error: What is wrong. May be %NULL.
 *
 * If the environment has a descriptor of this node in %PANTHOR_PERF_FD_VARIABLE, the function uses
 * that open file. With @name %NULL, the descriptor selects the GPU.
 *
 * Succeeds for a GPU without counters too; panthor_perf_device_gpu() then fails.
 *
 * Return: 0; -ENODEV if @name is %NULL and there is no such GPU; -ENOENT if there is neither a file
 * nor a GPU of this name; -ENOTTY if @name is no DRM node and -EOPNOTSUPP if it belongs to another
 * driver; -ENOMEM; otherwise the error of opening the node.
 */
int panthor_perf_device_open(const char *name, struct panthor_perf_device **device,
			     struct panthor_perf_error *error);

/**
 * panthor_perf_device_open_fd() - Use a DRM node that is open already
 * @fd: The node. It is duplicated and stays the caller's.
 * @device: Where the device is returned.
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0; -ENOTTY if @fd is no DRM node; -EOPNOTSUPP if it belongs to
 * another driver than panthor; -ENOMEM; -EBADF, -EMFILE.
 */
int panthor_perf_device_open_fd(int fd, struct panthor_perf_device **device,
				struct panthor_perf_error *error);

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
 * panthor_perf_device_interface() - The numbers of the ioctls of a device
 * @device: The device.
 *
 * The component that is built outside of the kernel has ioctl numbers of its own; in mainline it
 * gets others. The library tries those of mainline first, if it was built with a panthor_drm.h that
 * has them.
 *
 * Return: "mainline" or "private"; %NULL if the driver has no counter support.
 */
const char *panthor_perf_device_interface(const struct panthor_perf_device *device);

/**
 * panthor_perf_device_driver() - The version of the driver of a device
 * @device: The device.
 * @major: Where the major version is returned. May be %NULL.
 * @minor: Where the minor version is returned. It does not show whether there are counters. May be
 *	%NULL.
 * @patch: Where the patch level is returned. May be %NULL.
 */
void panthor_perf_device_driver(const struct panthor_perf_device *device, int *major, int *minor,
				int *patch);

/**
 * panthor_perf_device_gpu_info() - Identity and features of a GPU, with or without counters
 * @device: The device.
 * @info: Where they are returned, a struct drm_panthor_gpu_info of the kernel. Members that the
 *	kernel does not know are 0.
 * @size: Bytes at @info.
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0; -ENODEV if the GPU is gone.
 */
int panthor_perf_device_gpu_info(const struct panthor_perf_device *device, void *info, size_t size,
				 struct panthor_perf_error *error);

/**
 * panthor_perf_device_clocks() - The rates of the GPU's clocks
 * @device: The device.
 * @clocks: Where a struct drm_panthor_perf_clocks is written: the first @size bytes of it; those
 *	that the kernel does not know are 0.
 * @size: Bytes at @clocks.
 * @error: What is wrong. May be %NULL.
 *
 * The rates now, and those of the clock modes. Needs no session.
 *
 * Return: 0; -EOPNOTSUPP if the driver does not report them; -ENODEV if the GPU is gone; the errors
 * of panthor_perf_device_gpu().
 */
int panthor_perf_device_clocks(const struct panthor_perf_device *device, void *clocks, size_t size,
			       struct panthor_perf_error *error);

/**
 * panthor_perf_device_gpu() - The GPU of a device and its counter configuration
 * @device: The device.
 * @gpu: Where the GPU is returned. Lives as long as @device.
 * @error: What is wrong. May be %NULL.
 *
 * The configuration does not change while the device is open: it was read when it was opened.
 *
 * Return: 0; -ENOSYS if the driver has no counter support; -EOPNOTSUPP if the GPU or its firmware
 * has no usable counters; -EPROTO if what the driver reports is impossible; -EPROTONOSUPPORT if its
 * version of the interface is another one than the library's; -ENODEV if the GPU was gone.
 */
int panthor_perf_device_gpu(const struct panthor_perf_device *device,
			    const struct panthor_perf_gpu **gpu, struct panthor_perf_error *error);

/**
 * panthor_perf_gpu_info_id() - GPU_ID of a GPU
 * @info: A struct drm_panthor_gpu_info of the kernel. May be %NULL if @size is 0.
 * @size: Bytes at @info.
 *
 * Up to architecture 14 this is &drm_panthor_gpu_info.gpu_id. From 15 on an id has 64 bits, for
 * which the panthor_drm.h of the library's build has to have a member gpu_wide_id or gpu_id_hi.
 *
 * Return: The id; 0 if @info has none that the library knows.
 */
uint64_t panthor_perf_gpu_info_id(const void *info, size_t size);

/**
 * panthor_perf_gpu_create() - A GPU by what the kernel said about it
 * @gpu_info: A struct drm_panthor_gpu_info of the kernel; %NULL: not known.
 * @gpu_info_size: Bytes at @gpu_info.
 * @perf_info: A struct drm_panthor_perf_info of the kernel.
 * @perf_info_size: Bytes at @perf_info.
 * @gpu: Where the GPU is returned.
 * @error: What is wrong. May be %NULL.
 *
 * For samples that were saved with these two.
 *
 * Return: 0; -EPROTO, -EPROTONOSUPPORT as panthor_perf_device_gpu(); -ENOMEM.
 */
int panthor_perf_gpu_create(const void *gpu_info, size_t gpu_info_size, const void *perf_info,
			    size_t perf_info_size, struct panthor_perf_gpu **gpu,
			    struct panthor_perf_error *error);

/**
 * panthor_perf_gpu_destroy() - Free a GPU of panthor_perf_gpu_create()
 * @gpu: The GPU. May be %NULL.
 */
void panthor_perf_gpu_destroy(struct panthor_perf_gpu *gpu);

/**
 * enum panthor_perf_gpu_property - what is known about a GPU
 */
enum panthor_perf_gpu_property {
	/** @PANTHOR_PERF_GPU_ID: Its GPU_ID, as panthor_perf_gpu_info_id() returns it. */
	PANTHOR_PERF_GPU_ID,

	/** @PANTHOR_PERF_GPU_CORE_COUNT: Shader cores that are present. */
	PANTHOR_PERF_GPU_CORE_COUNT,

	/** @PANTHOR_PERF_GPU_L2_SLICES: L2 slices. */
	PANTHOR_PERF_GPU_L2_SLICES,

	/** @PANTHOR_PERF_GPU_BUS_BYTES: Bytes of a beat on the external bus. */
	PANTHOR_PERF_GPU_BUS_BYTES,

	/** @PANTHOR_PERF_GPU_COUNTERS_PER_BLOCK: Counters of a block, the first four included. */
	PANTHOR_PERF_GPU_COUNTERS_PER_BLOCK,

	/** @PANTHOR_PERF_GPU_SETS: A bit for each of &enum drm_panthor_perf_counter_set. */
	PANTHOR_PERF_GPU_SETS,

	/** @PANTHOR_PERF_GPU_CLOCKS: A bit for each of &enum drm_panthor_perf_clock. */
	PANTHOR_PERF_GPU_CLOCKS,

	/** @PANTHOR_PERF_GPU_FEATURES: Bits of &drm_panthor_perf_info.flags. */
	PANTHOR_PERF_GPU_FEATURES,

	/** @PANTHOR_PERF_GPU_MIN_PERIOD_NS: Shortest period in ns; 0: there are no periods. */
	PANTHOR_PERF_GPU_MIN_PERIOD_NS,

	/** @PANTHOR_PERF_GPU_MIN_SLOTS: Fewest slots of a ring. */
	PANTHOR_PERF_GPU_MIN_SLOTS,

	/** @PANTHOR_PERF_GPU_MAX_SLOTS: Most slots of a ring. */
	PANTHOR_PERF_GPU_MAX_SLOTS,

	/** @PANTHOR_PERF_GPU_MAX_SESSIONS: Sessions of an open file, at most. */
	PANTHOR_PERF_GPU_MAX_SESSIONS,

	/** @PANTHOR_PERF_GPU_SAMPLE_SIZE: Bytes of a sample that is not compact. */
	PANTHOR_PERF_GPU_SAMPLE_SIZE,

	/** @PANTHOR_PERF_GPU_TIMESTAMP_HZ: Ticks of the GPU's timestamp in a second. */
	PANTHOR_PERF_GPU_TIMESTAMP_HZ,
};

/**
 * panthor_perf_gpu_property() - A property of a GPU
 * @gpu: The GPU.
 * @property: One of &enum panthor_perf_gpu_property.
 *
 * Return: Its value; 0 if it is not known.
 */
uint64_t panthor_perf_gpu_property(const struct panthor_perf_gpu *gpu, unsigned int property);

/**
 * panthor_perf_gpu_block_count() - Number of blocks of a type
 * @gpu: The GPU.
 * @type: One of &enum drm_panthor_perf_block_type.
 *
 * The indices of neural accelerators may be larger: see panthor_perf_gpu_instance_count().
 *
 * Return: The number; 0 for a type that is not known.
 */
uint32_t panthor_perf_gpu_block_count(const struct panthor_perf_gpu *gpu, unsigned int type);

/**
 * panthor_perf_gpu_instance_count() - Bound of the indices of a type's blocks
 * @gpu: The GPU.
 * @type: One of &enum drm_panthor_perf_block_type.
 *
 * A neural accelerator has the index of its shader core, and not each core has one: of the indices
 * below the bound, some have no block. Of other types, each has one.
 *
 * Return: One more than the largest index that a block may have; 0 if there is no block.
 */
uint32_t panthor_perf_gpu_instance_count(const struct panthor_perf_gpu *gpu, unsigned int type);

/**
 * panthor_perf_gpu_info() - A GPU as the kernel describes it
 * @gpu: The GPU.
 * @info: Where a struct drm_panthor_gpu_info is returned. May be %NULL if @size is 0. Members that
 *	the kernel does not know are 0, all of them if panthor_perf_gpu_create() was given none.
 * @size: Bytes at @info.
 *
 * Return: Bytes of the kernel's structure.
 */
size_t panthor_perf_gpu_info(const struct panthor_perf_gpu *gpu, void *info, size_t size);

/**
 * panthor_perf_gpu_perf_info() - Counter configuration as the kernel describes it
 * @gpu: The GPU.
 * @info: Where a struct drm_panthor_perf_info is returned. May be %NULL if @size is 0. Members that
 *	the kernel does not know are 0.
 * @size: Bytes at @info.
 *
 * Return: Bytes of the kernel's structure.
 */
size_t panthor_perf_gpu_perf_info(const struct panthor_perf_gpu *gpu, void *info, size_t size);

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
 * panthor_perf_clock_mode_name() - Name of a clock mode
 * @mode: One of &enum drm_panthor_perf_clock_mode.
 *
 * Return: "default", "profiling", "lowest" or "highest"; %NULL for one that is not known.
 */
const char *panthor_perf_clock_mode_name(unsigned int mode);

/**
 * panthor_perf_clock_mode_find() - Find a clock mode by its name
 * @name: The name, in any case.
 *
 * Return: One of &enum drm_panthor_perf_clock_mode; -ENOENT if there is none of this name.
 */
int panthor_perf_clock_mode_find(const char *name);

/**
 * panthor_perf_feature_name() - Name of a feature
 * @bit: Number of a bit of &drm_panthor_perf_info.flags.
 *
 * Return: "block-states", "compact", "allow-suspend", "wakeup", "syncs" or "clock-mode"; %NULL for
 * one that is not known.
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
 * @config: What is wanted; %NULL: %PANTHOR_PERF_SESSION_CONFIG_INIT. Members that this version does
 *	not know must be 0.
 * @session: Where the session is returned.
 * @error: What is wrong. May be %NULL.
 *
 * Creates and maps the ring, and an eventfd. The session does not count yet.
 *
 * The process needs CAP_PERFMON in the initial user namespace. While the sysctl
 * dev.panthor.perf_paranoid is 0, the primary set does not need it, unless @config has a clock mode
 * or a period below 1 ms.
 *
 * Return: 0; -EINVAL if @config has a value out of its range, such as a period
 * below the shortest; -EACCES if the process lacks CAP_PERFMON; -EOPNOTSUPP if the
 * set, periods or a flag are not offered; -ENOSPC if there are too many sessions;
 * -ENOMEM; the errors of panthor_perf_device_gpu().
 */
int panthor_perf_session_create(struct panthor_perf_device *device,
				const struct panthor_perf_session_config *config,
				struct panthor_perf_session **session,
				struct panthor_perf_error *error);

/**
 * panthor_perf_session_destroy() - Destroy a session
 * @session: The session. May be %NULL. If it is started, what was counted is discarded.
 */
void panthor_perf_session_destroy(struct panthor_perf_session *session);

/**
 * panthor_perf_session_finish() - Stop a session, read what is left, and destroy it
 * @session: The session, started or not. Destroyed in any case.
 * @user_data: For the final sample.
 * @timeout_ms: Longest time to wait for the final sample in ms. Negative: no limit.
 * @fn: Called with each sample that was not read yet, the final one last. May be %NULL. The sample
 *	is valid until it returns. When it returns something else than 0, the rest is discarded.
 * @arg: Second argument of @fn.
 * @error: What is wrong. May be %NULL.
 *
 * A signal does not end the wait.
 *
 * Return: 0; the result of @fn, if not 0; -ETIMEDOUT if the final sample did not come in time;
 * -EPERM in a child of the process that created the session; -ENODEV if the GPU is gone, after @fn
 * was called with what was left; -EPROTO.
 */
int panthor_perf_session_finish(struct panthor_perf_session *session, uint64_t user_data,
				int timeout_ms,
				int (*fn)(const struct panthor_perf_sample *sample, void *arg),
				void *arg, struct panthor_perf_error *error);

/**
 * panthor_perf_session_start() - Start counting
 * @session: The session.
 * @user_data: For the samples that a period publishes.
 * @error: What is wrong. May be %NULL.
 *
 * Return: 0; -EINVAL if it is started already; -EBUSY if no slot is free for
 * the final sample, that of the last stop was not published yet, or another
 * started session uses another set or clock mode; -ETIMEDOUT if the firmware does not
 * answer; -EIO until the GPU is resumed or reset; -ENODEV if the GPU is gone.
 */
int panthor_perf_session_start(struct panthor_perf_session *session, uint64_t user_data,
			       struct panthor_perf_error *error);

/**
 * panthor_perf_session_sample() - Request a sample
 * @session: The session, started and without a period.
 * @user_data: For this sample.
 * @error: What is wrong. May be %NULL.
 *
 * Returns when the request is queued; panthor_perf_session_wait() waits until
 * the sample is there.
 *
 * Return: 0; -EINVAL if the session is not started or has a period; -EBUSY if
 * no slot is free beside those of pending samples and of the final one; -EIO,
 * -ENODEV.
 */
int panthor_perf_session_sample(struct panthor_perf_session *session, uint64_t user_data,
				struct panthor_perf_error *error);

/**
 * panthor_perf_session_sample_ordered() - Request a sample in the order of the GPU's work
 * @session: The session, started and without a period.
 * @user_data: For this sample.
 * @ops: Operations on syncobjs of the session's device. WAIT: their fences signal before the
 * sample is taken. SIGNAL: their fences signal when it is there.
 * @count: Number of operations, at most 64.
 * @error: What is wrong. May be %NULL.
 *
 * A job that waits for what the sample signals does not count in it, and a job that the sample
 * waits for counts in full, without a wait of the caller. See "Ordered samples" in the
 * documentation of the driver.
 *
 * Return: as panthor_perf_session_sample(); -EOPNOTSUPP if the driver has no ordered samples;
 * -EINVAL also if an operation is invalid, or if there is no fence to wait for yet; -ENOENT if a
 * syncobj does not exist.
 */
int panthor_perf_session_sample_ordered(struct panthor_perf_session *session, uint64_t user_data,
					const struct drm_panthor_sync_op *ops, uint32_t count,
					struct panthor_perf_error *error);

/**
 * panthor_perf_session_stop() - Stop counting
 * @session: The session.
 * @user_data: For the final sample.
 * @error: What is wrong. May be %NULL.
 *
 * Returns when the request is queued. Exactly one final sample follows.
 *
 * Return: 0; -EINVAL if the session is not started; -ENODEV.
 */
int panthor_perf_session_stop(struct panthor_perf_session *session, uint64_t user_data,
			      struct panthor_perf_error *error);

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
 * Return: Bytes of each sample.
 */
uint32_t panthor_perf_session_sample_size(const struct panthor_perf_session *session);

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
 * @error: What is wrong. May be %NULL.
 *
 * Return: The number of samples that can be read, 1 or more; 0 if the time
 * passed; -EINTR if a signal came; -ENODEV if the GPU is gone and no sample is
 * left; -EPROTO if the indices of the ring contradict each other.
 */
int panthor_perf_session_wait(struct panthor_perf_session *session, int timeout_ms,
			      struct panthor_perf_error *error);

/**
 * panthor_perf_session_wait_count() - Wait until there is a number of samples
 * @session: The session.
 * @count: The number, fewer than there are slots: a periodic session leaves the last one free. With
 *	WAKEUP, wakeup_samples: the wait for another number may last until the time has passed.
 * @timeout_ms: As for panthor_perf_session_wait().
 * @error: What is wrong. May be %NULL.
 *
 * Return: The number of samples that can be read: @count or more, or fewer if the time passed or
 * the GPU is gone; -EINVAL if there never can be so many; -EINTR, -ENODEV and -EPROTO as
 * panthor_perf_session_wait().
 */
int panthor_perf_session_wait_count(struct panthor_perf_session *session, uint32_t count,
				    int timeout_ms, struct panthor_perf_error *error);

/**
 * panthor_perf_session_limit() - Have a periodic session publish a number of samples at most
 * @session: The session, not started, and all of its samples read.
 * @samples: The number, the final one included; not fewer than there are slots.
 * @error: What is wrong. May be %NULL.
 *
 * Keeps slots of samples that were read, so that the ring is full when only the final sample is
 * left of @samples. Periods that end then are merged into it. The next call restarts
 * the count; 0 removes the limit.
 *
 * Return: 0; -EINVAL if @samples is too small; -EBUSY if there are samples to be read.
 */
int panthor_perf_session_limit(struct panthor_perf_session *session, uint64_t samples,
			       struct panthor_perf_error *error);

/**
 * panthor_perf_session_quality() - Data quality of the samples that were read
 * @session: The session.
 * @quality: Where it is returned, initialised with %PANTHOR_PERF_QUALITY_INIT.
 */
void panthor_perf_session_quality(const struct panthor_perf_session *session,
				  struct panthor_perf_quality *quality);

/**
 * panthor_perf_session_read() - Take the oldest sample out of the ring
 * @session: The session.
 * @sample: Where it is returned. Valid until the next call of this function,
 *	panthor_perf_session_mark() or panthor_perf_session_destroy() with @session.
 * @error: What is wrong. May be %NULL.
 *
 * The sample is copied: its slot is free again when the call returns.
 *
 * Return: 1; 0 if the ring is empty; -EPROTO if the indices of the ring
 * contradict each other.
 */
int panthor_perf_session_read(struct panthor_perf_session *session,
			      const struct panthor_perf_sample **sample,
			      struct panthor_perf_error *error);

/**
 * panthor_perf_session_peek() - Read a sample in place in the ring
 * @session: The session.
 * @n: Number of the sample, counted from the oldest, 0.
 * @sample: Where it is returned. Valid until panthor_perf_session_release() has freed its slot, or
 *	the session is destroyed.
 * @error: What is wrong. May be %NULL.
 *
 * Nothing is copied but the headers. The ring may be mapped write-combined, which is not cached:
 * read each counter once, in rising order, and panthor_perf_copy() what is needed twice.
 *
 * Return: 1; 0 if there are not so many samples; -EPROTO if the indices of the ring contradict each
 * other.
 */
int panthor_perf_session_peek(struct panthor_perf_session *session, uint32_t n,
			      const struct panthor_perf_sample **sample,
			      struct panthor_perf_error *error);

/**
 * panthor_perf_session_release() - Free the slots of the oldest samples
 * @session: The session.
 * @count: Number of samples.
 * @error: What is wrong. May be %NULL.
 *
 * Adds them to the data quality, because they are read now.
 *
 * Return: 0; -EINVAL if there are not so many samples; -EPROTO if the indices of the ring
 * contradict each other.
 */
int panthor_perf_session_release(struct panthor_perf_session *session, uint32_t count,
				 struct panthor_perf_error *error);

/**
 * panthor_perf_session_mark() - Take a sample here, and wait for it
 * @session: The session, started and without a period, all of its samples read and none requested.
 * @id: A number of the caller's own: the sample's user data.
 * @timeout_ms: Longest time to wait in ms. Negative: no limit.
 * @sample: Where the sample is returned. Valid as that of panthor_perf_session_read().
 * @error: What is wrong. May be %NULL.
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
			      const struct panthor_perf_sample **sample,
			      struct panthor_perf_error *error);

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
 * panthor_perf_sample_create() - A sample that can be parsed from any memory
 * @gpu: The GPU that the samples were taken on. Must outlive the sample.
 * @compact: For compact samples: the counters that their session was created with; %NULL: the
 *	samples are not compact. Not used when the call has returned.
 * @sample: Where the sample is returned, without content.
 * @error: What is wrong. May be %NULL.
 *
 * For samples that were saved; those of a session are the library's.
 *
 * Return: 0; -EINVAL if samples would be too large for this machine; -ENOMEM.
 */
int panthor_perf_sample_create(const struct panthor_perf_gpu *gpu,
			       const struct panthor_perf_selection *compact,
			       struct panthor_perf_sample **sample,
			       struct panthor_perf_error *error);

/**
 * panthor_perf_sample_parse() - Parse the bytes of a sample
 * @sample: A sample of panthor_perf_sample_create(). Its previous content is gone.
 * @data: The bytes, 8-byte aligned. They must stay while @sample is in use.
 * @size: Their number.
 * @error: What is wrong. May be %NULL.
 *
 * Blocks of types that this library does not know are skipped.
 *
 * Return: 0; -EINVAL if @data is not aligned, or @size is not that of such a sample.
 */
int panthor_perf_sample_parse(struct panthor_perf_sample *sample, const void *data, size_t size,
			      struct panthor_perf_error *error);

/**
 * panthor_perf_sample_destroy() - Free a sample of panthor_perf_sample_create()
 * @sample: The sample. May be %NULL.
 */
void panthor_perf_sample_destroy(struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_data() - The bytes of a sample as the kernel wrote them
 * @sample: The sample.
 * @size: Where their number is returned. May be %NULL.
 *
 * Return: The bytes, 8-byte aligned.
 */
const void *panthor_perf_sample_data(const struct panthor_perf_sample *sample, size_t *size);

/**
 * panthor_perf_sample_start_ns() - When the sample begins
 * @sample: The sample.
 *
 * Return: The end of the sample before it, or the start of the session: CLOCK_MONOTONIC_RAW, in ns.
 */
uint64_t panthor_perf_sample_start_ns(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_end_ns() - When the sample ends
 * @sample: The sample.
 *
 * Return: CLOCK_MONOTONIC_RAW, in ns.
 */
uint64_t panthor_perf_sample_end_ns(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_gpu_timestamp() - When the sample ends, by the GPU
 * @sample: The sample.
 *
 * Return: The GPU's timestamp, in ticks of %PANTHOR_PERF_GPU_TIMESTAMP_HZ; 0 if the firmware took
 * no sample for it.
 */
uint64_t panthor_perf_sample_gpu_timestamp(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_user_data() - The caller's number of the sample
 * @sample: The sample.
 *
 * Return: What the call passed that requested it; for a period, what the start passed.
 */
uint64_t panthor_perf_sample_user_data(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_number() - Number of the sample
 * @sample: The sample.
 *
 * Return: Its number since the start, from 0.
 */
uint64_t panthor_perf_sample_number(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_merged() - Periods of the sample beyond the first
 * @sample: The sample.
 *
 * Return: Their number.
 */
uint32_t panthor_perf_sample_merged(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_flags() - Flags of the sample
 * @sample: The sample.
 *
 * Return: A combination of &enum drm_panthor_perf_sample_header_flags and of bits that the kernel
 * may have added. Without ERROR and OVERFLOW the counts are exact.
 */
uint32_t panthor_perf_sample_flags(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_events() - What happened during the sample
 * @sample: The sample.
 *
 * Return: A combination of &enum drm_panthor_perf_event and of bits that the kernel may have added.
 */
uint32_t panthor_perf_sample_events(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_counter_set() - Counter set of the sample
 * @sample: The sample.
 *
 * Return: One of &enum drm_panthor_perf_counter_set.
 */
unsigned int panthor_perf_sample_counter_set(const struct panthor_perf_sample *sample);

/**
 * panthor_perf_sample_cycles() - Cycles of a clock since the sample before
 * @sample: The sample.
 * @clock: One of &enum drm_panthor_perf_clock.
 * @cycles: Where they are returned.
 *
 * Return: Whether the sample has them.
 */
bool panthor_perf_sample_cycles(const struct panthor_perf_sample *sample, unsigned int clock,
				uint64_t *cycles);

/**
 * panthor_perf_sample_next_block() - Step through the blocks of a sample
 * @sample: The sample.
 * @block: The block before; %NULL: begin with the first.
 *
 * Blocks are sorted by type, then by number.
 *
 * Return: The next block, which lives as long as @sample is not parsed or read again; %NULL if
 * there are no more.
 */
const struct panthor_perf_block *
panthor_perf_sample_next_block(const struct panthor_perf_sample *sample,
			       const struct panthor_perf_block *block);

/**
 * panthor_perf_block_type() - Type of a block
 * @block: The block.
 *
 * Return: One of &enum drm_panthor_perf_block_type.
 */
unsigned int panthor_perf_block_type(const struct panthor_perf_block *block);

/**
 * panthor_perf_block_number() - Number of a block
 * @block: The block.
 *
 * Return: Its number among the blocks of its type, from 0.
 */
unsigned int panthor_perf_block_number(const struct panthor_perf_block *block);

/**
 * panthor_perf_block_clock() - Clock of a block
 * @block: The block.
 *
 * Return: One of &enum drm_panthor_perf_clock, or a value that the kernel has added.
 */
unsigned int panthor_perf_block_clock(const struct panthor_perf_block *block);

/**
 * panthor_perf_block_states() - States that a block was in during the sample
 * @block: The block.
 *
 * Return: A combination of &enum drm_panthor_perf_block_state and of bits that the kernel may have
 * added.
 */
uint32_t panthor_perf_block_states(const struct panthor_perf_block *block);

/**
 * panthor_perf_block_counter() - A counter of a block, by its index
 * @block: The block.
 * @index: The index.
 * @value: Where the counter is returned, 0 if the block does not have it.
 *
 * A sample that is not compact has all counters of its blocks: those that are not enabled are 0. A
 * compact one has those that are enabled.
 *
 * Return: Whether the block has it.
 */
bool panthor_perf_block_counter(const struct panthor_perf_block *block, uint32_t index,
				uint64_t *value);

/**
 * panthor_perf_block_counters() - All counters of a block
 * @block: The block.
 * @indices: Where %NULL is returned if the index of a counter is its position in the array;
 *	otherwise, in a compact sample, the index of each counter, rising. May be %NULL.
 * @count: Where the number of counters is returned.
 *
 * Return: The counters, for a sample in the ring in the ring.
 */
const uint64_t *panthor_perf_block_counters(const struct panthor_perf_block *block,
					    const uint16_t **indices, uint32_t *count);

#pragma GCC visibility pop

#if defined(__cplusplus)
}
#endif

#endif /* PANTHOR_PERF_H */
