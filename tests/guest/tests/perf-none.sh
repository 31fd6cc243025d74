# SPDX-License-Identifier: GPL-2.0 or MIT
# A firmware whose sizes are impossible: no counters, and the driver works as before.
. /tests/lib.sh

wait_for 10 render_node
perf-errno none || exit
check_not "panthor-perf info" panthor-perf info
check_not "panthor-perf stat" panthor-perf stat
check_eq "the counters were never enabled" "$(host truth-count '^enable')" 0
check "suspended" wait_for 10 status_is suspended
