# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# Races that are too short to be met by chance: a function of the driver is made slow meanwhile.
. /tests/lib.sh

wait_for 10 render_node
# slowly FUNCTION US PROGRAM ARGUMENTS...
slowly() {
	check "slow-call $1" insmod /modules/slow-call.ko function="$1" delay_us="$2"
	shift 2
	"$@"
	check_eq "$*" $? 0
	check_ge "slow calls" "$(cat /sys/module/slow_call/parameters/calls)" 10
	rmmod slow_call
}

slowly panthor_perf_select_write 2000 perf-race order 100
slowly panthor_perf_session_get 2000 perf-race handles 100
check_eq "the kernel has said nothing" "$(messages | grep -v '\] @\|hrtimer: interrupt took\|slow_call' | head -n 3)" ""
check "suspended in the end" wait_for 10 status_is suspended
