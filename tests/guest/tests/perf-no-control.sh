# SPDX-License-Identifier: GPL-2.0 or MIT
# A driver without the older interface, which has its own.
. /tests/lib.sh

wait_for 10 render_node
perf-control no
panthor-perf info >/out/info.txt
check "panthor-perf info says so" grep -q '^PERF_CONTROL  *no$' /out/info.txt
check "it has the PMU" grep -q '^perf PMU  *panthor_' /out/info.txt
check "a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
