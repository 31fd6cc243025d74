/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Fences of another device, vgem, which the program signals. Needs vgem.ko. */
#ifndef PERF_TEST_VGEM_H
#define PERF_TEST_VGEM_H

#include <linux/dma-buf.h>

#include "sync.h"

/* vgem signals its fences itself after ten seconds. */
#define OTHER_NS	9000000000ull

/* As in vgem_drm.h, which not every libdrm has. */
struct vgem_attach {
	uint32_t handle, flags, fence, pad;
};

struct vgem_signal {
	uint32_t fence, flags;
};

#define VGEM_ATTACH	_IOWR('d', 0x41, struct vgem_attach)
#define VGEM_SIGNAL	_IOW('d', 0x42, struct vgem_signal)
#define VGEM_WRITE	1

/**
 * struct other_fence - a fence of vgem
 */
struct other_fence {
	/** @fd: The node of vgem. */
	int fd;

	/** @fence: vgem's number of the fence. */
	uint32_t fence;

	/** @syncobj: Syncobj of the GPU that has the fence. */
	uint32_t syncobj;

	/** @made_ns: CLOCK_MONOTONIC when the fence was created. */
	uint64_t made_ns;
};

static inline int open_vgem(void)
{
	char path[32], name[8];

	for (int minor = 0; minor < 64; minor++) {
		struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/card%d", minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		memset(name, 0, sizeof(name));
		if (!perf_call(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, "vgem"))
			return fd;
		close(fd);
	}
	errno = ENODEV;
	die("vgem");
	return -1;
}

/* A buffer of vgem. Returns its dma-buf, and the handle that vgem has for it. */
static inline int vgem_buffer(int fd, uint32_t *handle)
{
	struct drm_mode_create_dumb dumb = { .width = 64, .height = 64, .bpp = 32 };
	struct drm_prime_handle prime = { .flags = O_CLOEXEC };

	check_errno("dumb buffer", perf_call(fd, DRM_IOCTL_MODE_CREATE_DUMB, &dumb), 0);
	prime.handle = dumb.handle;
	check_errno("its file", perf_call(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime), 0);
	*handle = dumb.handle;
	return prime.fd;
}

/* Import the fence of a sync file into a new syncobj of the GPU. */
static inline uint32_t import_sync_file(int gpu_fd, int sync_file)
{
	struct drm_syncobj_handle import = {
		.fd = sync_file,
		.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
	};

	check_errno("syncobj", syncobj_create(gpu_fd, &import.handle), 0);
	check_errno("import", perf_call(gpu_fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import), 0);
	return import.handle;
}

static inline struct other_fence other_fence_create(int gpu_fd)
{
	struct vgem_attach attach = { .flags = VGEM_WRITE };
	struct dma_buf_export_sync_file export = { .flags = DMA_BUF_SYNC_RW };
	struct other_fence other = { .fd = open_vgem() };
	int buffer = vgem_buffer(other.fd, &attach.handle);

	check_errno("its fence", perf_call(other.fd, VGEM_ATTACH, &attach), 0);
	other.fence = attach.fence;
	other.made_ns = clock_ns(CLOCK_MONOTONIC);
	check_errno("the fence's file",
		    perf_call(buffer, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export), 0);
	other.syncobj = import_sync_file(gpu_fd, export.fd);
	close(export.fd);
	close(buffer);
	return other;
}

/* Returns 0 or the errno: ETIMEDOUT if vgem has signalled the fence before. */
static inline int other_fence_signal(struct other_fence *other)
{
	struct vgem_signal signal = { .fence = other->fence };
	int error = perf_call(other->fd, VGEM_SIGNAL, &signal);

	close(other->fd);
	return error;
}

#endif
