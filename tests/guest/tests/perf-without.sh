# SPDX-License-Identifier: GPL-2.0 or MIT
# A driver that is built without counters: it knows none of the calls, and works as before.
. /tests/lib.sh

wait_for 10 render_node
perf-errno without || exit
check_not "panthor-perf info" panthor-perf info
check_eq "the counters were never enabled" "$(host truth-count '^enable')" 0
check "suspended" wait_for 10 status_is suspended
