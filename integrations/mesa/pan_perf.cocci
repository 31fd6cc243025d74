// SPDX-License-Identifier: MIT
// Mesa's counter library asks the back-end for panthor first. scripts/build/build-mesa-counters.sh applies this.

@ include_hook @
@@
 #include "pan_perf.h"
+#include "pan_perf_panthor.h"

@ init_hook @
identifier perf, fd;
@@
 void panfrost_perf_init(struct panfrost_perf *perf, int fd)
 {
+   if (!pan_perf_panthor_create(fd, &perf->panthor)) {
+      const char *table = pan_perf_panthor_table(perf->panthor);
+      unsigned i;
+
+      perf->cfg = table ? panfrost_lookup_counters(table) : NULL;
+      if (perf->cfg == NULL)
+         unreachable("Performance counters missing!");
+      perf->core_id_range = 1;
+      perf->n_counter_values = PAN_PERF_PANTHOR_CATEGORIES * PAN_PERF_PANTHOR_VALUES;
+      perf->counter_values = ralloc_array(perf, uint32_t, perf->n_counter_values);
+      for (i = 0; i < PAN_PERF_PANTHOR_CATEGORIES; i++)
+         perf->category_offset[i] = PAN_PERF_PANTHOR_VALUES * i;
+      return;
+   }
 ...
 }

@ enable_hook @
identifier perf;
@@
 int panfrost_perf_enable(struct panfrost_perf *perf)
 {
+   if (perf->panthor)
+      return pan_perf_panthor_enable(perf->panthor);
 ...
 }

@ disable_hook @
identifier perf;
@@
 int panfrost_perf_disable(struct panfrost_perf *perf)
 {
+   if (perf->panthor)
+      return pan_perf_panthor_disable(perf->panthor);
 ...
 }

@ dump_hook @
identifier perf;
expression dump;
@@
+if (perf->panthor)
+   return pan_perf_panthor_dump(perf->panthor, perf->counter_values);
 return drmIoctl(perf->dev->fd, DRM_IOCTL_PANFROST_PERFCNT_DUMP, dump);

@ open_hook @
@@
-drmOpenWithType("panfrost", NULL, DRM_NODE_RENDER)
+pan_perf_open()

@ state_hook @
@@
 struct panfrost_perf {
+   struct pan_perf_panthor *panthor;
 ...
 };
