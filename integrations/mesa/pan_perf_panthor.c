/*
 * Copyright (c) 2026 The panthor-perf developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#include "util/macros.h"
#include "util/os_mman.h"
#include "util/ralloc.h"
#include "util/u_atomic.h"
#include "util/u_math.h"

#include "drm-uapi/panthor_drm.h"
#include "lib/kmod/pan_kmod.h"

#include "pan_perf.h"
#include "pan_perf_panthor.h"

/* The firmware answers within milliseconds. The kernel gives up after a
 * second, and publishes a sample all the same.
 */
#define SAMPLE_TIMEOUT_MS 10000

/* The first words of a block are not counters. */
#define FIRST_COUNTER 4

struct pan_perf_panthor {
   struct pan_kmod_dev *dev;
   struct drm_panthor_perf_info info;
   uint32_t session;
   uint32_t slots;
   uint32_t sample_size;
   uint64_t dumps;
   int eventfd;

   /* The slots, and the indices behind them. */
   struct pan_kmod_bo *bo;
   uint8_t *ring;
   struct drm_panthor_perf_ring_control *control;
};

/* Categories, in the order of the XML files. */
static const uint8_t block_types[] = {
   DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW,
   DRM_PANTHOR_PERF_BLOCK_TYPE_TILER,
   DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,
   DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER,
};

static_assert(ARRAY_SIZE(block_types) == PAN_PERF_MAX_CATEGORIES,
              "a type of blocks for each category");

int
pan_perf_open(void)
{
   int fd = drmOpenWithType("panfrost", NULL, DRM_NODE_RENDER);

   return fd < 0 ? drmOpenWithType("panthor", NULL, DRM_NODE_RENDER) : fd;
}

bool
pan_perf_panthor_probe(int fd)
{
   drmVersionPtr version = drmGetVersion(fd);
   bool is_panthor = version && !strcmp(version->name, "panthor");

   drmFreeVersion(version);
   return is_panthor;
}

static int
call(struct pan_perf_panthor *panthor, unsigned long request, void *args)
{
   return drmIoctl(panthor->dev->fd, request, args) ? -errno : 0;
}

static int
query_info(struct pan_perf_panthor *panthor)
{
   struct drm_panthor_dev_query query = {
      .type = DRM_PANTHOR_DEV_QUERY_PERF_INFO,
      .size = sizeof(panthor->info),
      .pointer = (uint64_t)(uintptr_t)&panthor->info,
   };
   int ret = call(panthor, DRM_IOCTL_PANTHOR_DEV_QUERY, &query);

   /* What a kernel without counters says. */
   return ret == -EINVAL ? -EOPNOTSUPP : ret;
}

static void
destructor(void *data)
{
   pan_perf_panthor_disable(data);
}

struct pan_perf_panthor *
pan_perf_panthor_create(const void *mem_ctx, struct pan_kmod_dev *dev)
{
   struct pan_perf_panthor *panthor = rzalloc(mem_ctx, struct pan_perf_panthor);

   if (!panthor)
      return NULL;

   panthor->dev = dev;
   panthor->eventfd = -1;
   ralloc_set_destructor(panthor, destructor);
   return panthor;
}

static int
alloc_ring(struct pan_perf_panthor *panthor)
{
   uint64_t slots_size, size;
   void *map;

   panthor->slots = panthor->info.min_sample_slots;
   slots_size = (uint64_t)panthor->slots * panthor->info.sample_size;
   size = ALIGN_POT(slots_size + sizeof(*panthor->control), 4096);

   panthor->bo = pan_kmod_bo_alloc(panthor->dev, NULL, size, 0);
   if (!panthor->bo)
      return -ENOMEM;

   map = pan_kmod_bo_mmap(panthor->bo, 0, size, PROT_READ | PROT_WRITE,
                          MAP_SHARED, NULL);
   if (!map || map == MAP_FAILED)
      return -ENOMEM;

   panthor->ring = map;
   panthor->control = (void *)(panthor->ring + slots_size);

   panthor->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
   return panthor->eventfd < 0 ? -errno : 0;
}

/* A session that counts everything in the blocks of the categories. */
static int
setup_session(struct pan_perf_panthor *panthor)
{
   struct drm_panthor_perf_section sections[ARRAY_SIZE(block_types)] = {0};
   struct drm_panthor_perf_setup setup = {
      .counter_set = DRM_PANTHOR_PERF_SET_PRIMARY,
      .eventfd = panthor->eventfd,
      .ring_handle = pan_kmod_bo_handle(panthor->bo),
      .control_handle = pan_kmod_bo_handle(panthor->bo),
      .sample_slots = panthor->slots,
      .control_offset = (uint8_t *)panthor->control - panthor->ring,
      .sections = DRM_PANTHOR_OBJ_ARRAY(ARRAY_SIZE(sections), sections),
   };
   int ret;

   for (unsigned i = 0; i < ARRAY_SIZE(sections); i++) {
      sections[i].block_type = block_types[i];
      sections[i].mask = ~0ull << FIRST_COUNTER;
   }

   ret = call(panthor, DRM_IOCTL_PANTHOR_PERF_SETUP, &setup);
   if (ret)
      return ret;

   panthor->session = setup.handle;
   panthor->sample_size = setup.sample_size;
   return 0;
}

int
pan_perf_panthor_enable(struct pan_perf_panthor *panthor)
{
   struct drm_panthor_perf_start start = {0};
   int ret;

   if (panthor->session)
      return -EBUSY;

   ret = query_info(panthor);
   if (!ret)
      ret = alloc_ring(panthor);
   if (!ret)
      ret = setup_session(panthor);
   if (!ret) {
      start.handle = panthor->session;
      ret = call(panthor, DRM_IOCTL_PANTHOR_PERF_START, &start);
   }
   if (ret)
      pan_perf_panthor_disable(panthor);

   return ret;
}

void
pan_perf_panthor_disable(struct pan_perf_panthor *panthor)
{
   struct drm_panthor_perf_teardown teardown = {.handle = panthor->session};

   if (panthor->session)
      call(panthor, DRM_IOCTL_PANTHOR_PERF_TEARDOWN, &teardown);
   if (panthor->ring)
      os_munmap(panthor->ring, pan_kmod_bo_size(panthor->bo));
   if (panthor->bo)
      pan_kmod_bo_put(panthor->bo);
   if (panthor->eventfd >= 0)
      close(panthor->eventfd);

   panthor->session = 0;
   panthor->ring = NULL;
   panthor->control = NULL;
   panthor->bo = NULL;
   panthor->eventfd = -1;
}

static int
wait_for_sample(struct pan_perf_panthor *panthor, uint64_t index)
{
   struct pollfd event = {.fd = panthor->eventfd, .events = POLLIN};
   uint64_t count;
   int ret;

   while (p_atomic_read(&panthor->control->insert_idx) == index) {
      ret = poll(&event, 1, SAMPLE_TIMEOUT_MS);
      if (ret < 0 && errno != EINTR)
         return -errno;
      if (ret == 0)
         return -ETIME;

      /* A count without a sample: the GPU is gone. */
      if (ret > 0 && read(panthor->eventfd, &count, sizeof(count)) > 0 &&
          p_atomic_read(&panthor->control->insert_idx) == index)
         return -ENODEV;
   }

   return 0;
}

static void
add_block(const struct drm_panthor_perf_block_header *block,
          const uint64_t *counters, unsigned count, uint64_t *sums)
{
   for (unsigned category = 0; category < ARRAY_SIZE(block_types); category++) {
      if (block->type != block_types[category])
         continue;

      for (unsigned i = FIRST_COUNTER; i < count; i++)
         sums[category * PAN_PERF_MAX_COUNTERS + i] += counters[i];
   }
}

static void
add_sample(const struct pan_perf_panthor *panthor, const uint8_t *sample,
           uint64_t *sums)
{
   const struct drm_panthor_perf_info *info = &panthor->info;
   size_t size =
      info->block_header_size + info->counters_per_block * sizeof(uint64_t);
   unsigned count = MIN2(info->counters_per_block, PAN_PERF_MAX_COUNTERS);

   for (size_t offset = info->sample_header_size;
        offset + size <= panthor->sample_size; offset += size) {
      const uint8_t *block = sample + offset;

      add_block((const void *)block,
                (const void *)(block + info->block_header_size), count, sums);
   }
}

int
pan_perf_panthor_dump(struct pan_perf_panthor *panthor, uint32_t *values)
{
   uint64_t sums[PAN_PERF_MAX_CATEGORIES * PAN_PERF_MAX_COUNTERS] = {0};
   struct drm_panthor_perf_sample request = {
      .handle = panthor->session,
      .user_data = ++panthor->dumps,
   };
   uint64_t user_data;
   uint32_t flags = 0;
   int ret;

   if (!panthor->session)
      return -EINVAL;

   ret = call(panthor, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &request);
   if (ret)
      return ret;

   /* There is more than one sample if an earlier dump did not wait for its
    * own: the counts of all of them have passed since the last dump.
    */
   do {
      const uint64_t index = panthor->control->extract_idx;
      const uint8_t *sample;

      ret = wait_for_sample(panthor, index);
      if (ret)
         return ret;

      sample = panthor->ring +
               (size_t)(index & (panthor->slots - 1)) * panthor->sample_size;
      flags |= ((const struct drm_panthor_perf_sample_header *)sample)->flags;
      user_data =
         ((const struct drm_panthor_perf_sample_header *)sample)->user_data;
      add_sample(panthor, sample, sums);
      p_atomic_set(&panthor->control->extract_idx, index + 1);
   } while (user_data != request.user_data);

   if (flags &
       (DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW))
      return -EIO;

   for (unsigned i = 0; i < ARRAY_SIZE(sums); i++)
      values[i] = MIN2(sums[i], UINT32_MAX);

   return 0;
}
