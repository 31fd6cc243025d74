# SPDX-License-Identifier: GPL-2.0 or MIT
# A firmware that does not answer a sample request: START gives up after a while.
. /tests/lib.sh

wait_for 10 render_node
expect 1 4 "panthor.*firmware counters failed"
perf-errno silent
