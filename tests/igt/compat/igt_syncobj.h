/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * libigt's helpers for syncobjs, as far as the tests of this folder use them. In IGT's own tree its
 * header of this name is used.
 */
#ifndef PANTHOR_PERF_COMPAT_IGT_SYNCOBJ_H
#define PANTHOR_PERF_COMPAT_IGT_SYNCOBJ_H

#include <stdint.h>

uint32_t syncobj_create(int fd, uint32_t flags);
void syncobj_destroy(int fd, uint32_t handle);
int syncobj_handle_to_fd(int fd, uint32_t handle, uint32_t flags);
uint32_t syncobj_fd_to_handle(int fd, int syncobj_fd, uint32_t flags);
void syncobj_import_sync_file(int fd, uint32_t handle, int sync_file);
void syncobj_reset(int fd, uint32_t *handles, uint32_t count);
void syncobj_signal(int fd, uint32_t *handles, uint32_t count);
void syncobj_timeline_signal(int fd, uint32_t *handles, uint64_t *points, uint32_t count);
void syncobj_binary_to_timeline(int fd, uint32_t timeline_handle, uint64_t point,
				uint32_t binary_handle);

#endif
