/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Included first in each source of the layer, of the library and of the fake driver. libdrm's functions have other names
 * there: an application or Mesa may have loaded the real libdrm, and gets that one.
 */
#ifndef TESTS_LAYER_FAKENAMES_H
#define TESTS_LAYER_FAKENAMES_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fakealloc.h"

#ifdef FAKE_ALLOC
#define asprintf(...)			(fake_fails() ? -1 : asprintf(__VA_ARGS__))
#define calloc				fake_calloc
#define malloc				fake_malloc
#define realloc(...)			(fake_fails() ? NULL : realloc(__VA_ARGS__))
#define strdup(text)			(fake_fails() ? NULL : strdup(text))
#endif

#define drmCloseBufferHandle		fake_drmCloseBufferHandle
#define drmFreeDevices			fake_drmFreeDevices
#define drmFreeVersion			fake_drmFreeVersion
#define drmGetDeviceNameFromFd2		fake_drmGetDeviceNameFromFd2
#define drmGetDevices2			fake_drmGetDevices2
#define drmGetVersion			fake_drmGetVersion
#define drmIoctl			fake_drmIoctl
#define drmSyncobjCreate		fake_drmSyncobjCreate
#define drmSyncobjDestroy		fake_drmSyncobjDestroy
#define drmSyncobjFDToHandle		fake_drmSyncobjFDToHandle
#define drmSyncobjHandleToFD		fake_drmSyncobjHandleToFD
#define drmSyncobjQuery			fake_drmSyncobjQuery
#define drmSyncobjReset			fake_drmSyncobjReset
#define drmSyncobjTimelineSignal	fake_drmSyncobjTimelineSignal
#define drmSyncobjTimelineWait		fake_drmSyncobjTimelineWait
#define drmSyncobjWait			fake_drmSyncobjWait

#ifndef FAKE_OPEN
int fake_open(const char *path, int flags, ...);
#define open(...)			fake_open(__VA_ARGS__)
#endif

#endif
