// SPDX-License-Identifier: MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xf86drm.h>

#include <panthor_perf.h>
#include <panthor_perf_counters.h>
#include <panthor_perf_select.h>

#include "pan_perf_panthor.h"

#define TIMEOUT_MS 10000
#define NAME_SIZE  32

struct pan_perf_panthor {
   struct panthor_perf_device *device;
   const struct panthor_perf_gpu *gpu;
   struct panthor_perf_selection *selection;
   struct panthor_perf_session *session;
   struct panthor_perf_table *table;
   char name[NAME_SIZE];
};

static const unsigned int types[PAN_PERF_PANTHOR_CATEGORIES] = {
   DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,
   DRM_PANTHOR_PERF_BLOCK_TYPE_TILER,
   DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,
   DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER,
};

int
pan_perf_open(void)
{
   int fd = drmOpenWithType("panfrost", NULL, DRM_NODE_RENDER);

   return fd < 0 ? drmOpenWithType("panthor", NULL, DRM_NODE_RENDER) : fd;
}

static int
complain(const struct panthor_perf_error *error, int ret)
{
   char text[512];

   fprintf(stderr, "panthor: %s\n",
           panthor_perf_error_format(error, text, sizeof(text)));
   return ret;
}

static bool
is_panthor(int fd)
{
   drmVersionPtr version = drmGetVersion(fd);
   bool is = version && !strcmp(version->name, "panthor");

   drmFreeVersion(version);
   return is;
}

static int
open_gpu(struct pan_perf_panthor *backend, int fd, struct panthor_perf_error *error)
{
   int ret = panthor_perf_device_open_fd(fd, &backend->device, error);

   if (!ret)
      ret = panthor_perf_device_gpu(backend->device, &backend->gpu, error);
   if (!ret)
      ret = panthor_perf_selection_create(backend->gpu, NULL, DRM_PANTHOR_PERF_SET_PRIMARY,
                                          &backend->selection, error);
   if (!ret)
      ret = panthor_perf_selection_add_all(backend->selection, error);
   if (ret)
      return ret;

   /* Without a table, Mesa finds no counters for the GPU. */
   if (!panthor_perf_table_create_for_gpu(
          panthor_perf_gpu_property(backend->gpu, PANTHOR_PERF_GPU_ID), &backend->table,
          error))
      snprintf(backend->name, sizeof(backend->name), "panthor_%s",
               panthor_perf_table_name(backend->table));
   return 0;
}

int
pan_perf_panthor_create(int fd, struct pan_perf_panthor **backend)
{
   struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
   int ret;

   *backend = NULL;
   if (!is_panthor(fd))
      return -ENOTSUP;

   *backend = calloc(1, sizeof(**backend));
   if (!*backend)
      return -ENOMEM;

   ret = open_gpu(*backend, fd, &error);
   if (ret) {
      complain(&error, ret);
      pan_perf_panthor_destroy(*backend);
      *backend = NULL;
   }
   return ret;
}

void
pan_perf_panthor_destroy(struct pan_perf_panthor *backend)
{
   if (!backend)
      return;

   panthor_perf_session_destroy(backend->session);
   panthor_perf_selection_destroy(backend->selection);
   panthor_perf_table_destroy(backend->table);
   panthor_perf_device_close(backend->device);
   free(backend);
}

const char *
pan_perf_panthor_table(const struct pan_perf_panthor *backend)
{
   return *backend->name ? backend->name : NULL;
}

int
pan_perf_panthor_enable(struct pan_perf_panthor *backend)
{
   struct panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
   struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
   int ret;

   config.selection = backend->selection;
   ret = panthor_perf_session_create(backend->device, &config, &backend->session, &error);
   if (!ret)
      ret = panthor_perf_session_start(backend->session, 0, &error);
   return ret ? complain(&error, ret) : 0;
}

int
pan_perf_panthor_disable(struct pan_perf_panthor *backend)
{
   panthor_perf_session_destroy(backend->session);
   backend->session = NULL;
   return 0;
}

static void
add_block(const struct pan_perf_panthor *backend, const struct panthor_perf_block *block,
          unsigned int type, uint64_t *sums)
{
   for (uint32_t i = 0; i < PAN_PERF_PANTHOR_VALUES; i++) {
      const struct panthor_perf_counter *counter =
         backend->table ? panthor_perf_table_counter_at(
                             backend->table, DRM_PANTHOR_PERF_SET_PRIMARY, type, i)
                        : NULL;
      uint64_t raw;

      if (counter && panthor_perf_block_counter(block, i, &raw))
         sums[i] += panthor_perf_counter_value(counter, raw);
   }
}

int
pan_perf_panthor_dump(struct pan_perf_panthor *backend, uint32_t *values)
{
   struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
   uint64_t sums[PAN_PERF_PANTHOR_CATEGORIES][PAN_PERF_PANTHOR_VALUES] = { 0 };
   const struct panthor_perf_block *block = NULL;
   const struct panthor_perf_sample *sample;
   int ret;

   if (!backend->session)
      return -EINVAL;

   ret = panthor_perf_session_mark(backend->session, 0, TIMEOUT_MS, &sample, &error);
   if (ret)
      return complain(&error, ret);

   while ((block = panthor_perf_sample_next_block(sample, block))) {
      for (unsigned int i = 0; i < PAN_PERF_PANTHOR_CATEGORIES; i++) {
         if (panthor_perf_block_type(block) == types[i])
            add_block(backend, block, types[i], sums[i]);
      }
   }
   for (unsigned int i = 0; i < PAN_PERF_PANTHOR_CATEGORIES; i++) {
      for (uint32_t k = 0; k < PAN_PERF_PANTHOR_VALUES; k++)
         *values++ = sums[i][k] < UINT32_MAX ? sums[i][k] : UINT32_MAX;
   }
   return 0;
}
