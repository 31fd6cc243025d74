// SPDX-License-Identifier: MIT
// Mesa's counter library and panquick with the back-end for panthor. scripts/mesa-series.py applies this.

@ include_hook @
@@
 #include "pan_perf.h"
+#include "pan_perf_panthor.h"

@ version_hook @
identifier version;
@@
-assert(version && !strcmp(version->name, "panfrost"));
+assert(version && (!strcmp(version->name, "panfrost") ||
+                   !strcmp(version->name, "panthor")));

@ init_hook @
identifier perf, fd;
statement S;
@@
 void panfrost_perf_init(struct panfrost_perf *perf, int fd)
 {
 ...
 if (perf->cfg == NULL) S
+
+   if (pan_perf_panthor_probe(fd)) {
+      perf->panthor = pan_perf_panthor_create(perf, perf->dev);
+      assert(perf->panthor);
+
+      /* The back-end adds up the blocks of each category. */
+      perf->core_id_range = 1;
+      perf->n_counter_values =
+         PAN_COUNTERS_PER_CATEGORY * PAN_PERF_MAX_CATEGORIES;
+      perf->counter_values =
+         ralloc_array(perf, uint32_t, perf->n_counter_values);
+      perf->category_offset[0] = PAN_COUNTERS_PER_CATEGORY * 0;
+      perf->category_offset[1] = PAN_COUNTERS_PER_CATEGORY * 1;
+      perf->category_offset[2] = PAN_COUNTERS_PER_CATEGORY * 2;
+      perf->category_offset[3] = PAN_COUNTERS_PER_CATEGORY * 3;
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
+
 ...
 }

@ disable_hook @
identifier perf;
@@
 int panfrost_perf_disable(struct panfrost_perf *perf)
 {
+   if (perf->panthor) {
+      pan_perf_panthor_disable(perf->panthor);
+      return 0;
+   }
+
 ...
 }

@ dump_hook @
identifier perf;
@@
 int panfrost_perf_dump(struct panfrost_perf *perf)
 {
+   if (perf->panthor)
+      return pan_perf_panthor_dump(perf->panthor, perf->counter_values);
+
 ...
 }

@ open_hook @
@@
-drmOpenWithType("panfrost", NULL, DRM_NODE_RENDER)
+pan_perf_open()

@ device_hook @
@@
-fprintf(stderr, "No panfrost device\n");
+fprintf(stderr, "No panfrost or panthor device\n");

@ hint_hook @
@@
-fprintf(stderr, "try `# echo Y > /sys/module/panfrost/parameters/unstable_ioctls`\n");
+if (perf->panthor)
+   fprintf(stderr, "try as root, or with CAP_PERFMON\n");
+else
+   fprintf(
+      stderr,
+      "try `# echo Y > /sys/module/panfrost/parameters/unstable_ioctls`\n");

@ state_hook @
@@
 struct panfrost_perf {
 ...
+
+   /* The back-end for panthor, NULL with the panfrost driver */
+   struct pan_perf_panthor *panthor;
 };
