# SPDX-License-Identifier: GPL-2.0 or MIT
# A session belongs to an open file: dup, fork, files that are passed on, holders that are killed,
# limits, and TEARDOWN while calls are in flight.
. /tests/lib.sh

wait_for 10 render_node
off() {
	[ "$(host truth-count '^disable')" = "$(host truth-count '^enable')" ]
}
perf-fd || exit
check "counters are off" wait_for 5 off
check "suspended in the end" wait_for 10 status_is suspended
check_eq "the kernel has said nothing" "$(messages | grep -v '\] @\|hrtimer: interrupt took' | head -n 3)" ""
