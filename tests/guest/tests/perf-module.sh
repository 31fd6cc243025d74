# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP page_poison=1
# The module is unloaded while its GPU is bound. What outlives the GPU or the module finds no freed memory: a perf
# event, fences of samples, and files of sysctl, sysfs, debugfs and tracefs. Needs the files of
# scripts/build/build-guest-modules.sh in /modules.
#
# Of the environment (run-guest --append PERF_KEPT=resv): PERF_KEPT, what to keep in place of all, separated by commas.
. /tests/lib.sh

wait_for 10 render_node
check "fences of another device" load_vgem
device=$(basename "$(gpu)")
PERF_NODE=$(render_node)
PERF_STATE=/tmp/state
export PERF_NODE PERF_STATE
SYSCTL=/proc/sys/dev/panthor/perf_paranoid
state_is() {
	[ "$(cat $PERF_STATE 2>/dev/null)" = "$1" ]
}
unload() {
	rmmod panthor 2>/dev/null
}
# loaded TEXT: load the module again, with a session
loaded() {
	check "$1: loaded again" insmod /modules/gpu/panthor.ko
	check "$1: bound" wait_for 10 bound
	wait_for 5 render_node >/dev/null
	check "$1: a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
}
# keep WHAT: a program that keeps it, with the process number in $pid
keep() {
	rm -f $PERF_STATE
	perf-module "$1" &
	pid=$!
	check "$1: kept" wait_for 20 state_is kept
}

# ---- A bound GPU, after perf events and sessions, at once and when it is suspended ----

check "a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
for cycle in 1 2 3 4; do
	keep event
	kill -USR2 $pid
	wait $pid
	[ $((cycle % 2)) -eq 1 ] || check "bound $cycle: suspended" wait_for 10 status_is suspended
	check "bound $cycle: the module goes" unload
	check_not "bound $cycle: and the driver with it" [ -e "$DRIVER" ]
	check_not "bound $cycle: and its PMU" ls /sys/bus/event_source/devices/panthor_*
	check_not "bound $cycle: and its sysctl" [ -e $SYSCTL ]
	loaded "bound $cycle"
done
echo "$device" >"$DRIVER/unbind"
check "unbound: the module goes" unload
loaded unbound

# ---- What keeps the module, or answers without it ----

# Before Linux 7.2, a fence has the driver's functions as long as it exists.
for what in $(echo "${PERF_KEPT:-event,sync-file,array,pending,syncobj,timeline,resv}" | tr ',' ' '); do
	keep $what
	if unload; then
		gone=1
		if [ $what != event ] && linux 7 2; then
			ok "$what: the module goes"
		else
			not_ok "$what: the module is in use" "it went"
		fi
	else
		gone=
		ok "$what: the module is in use"
		check "$what: the GPU is bound" bound
	fi
	kill -USR1 $pid
	check "$what: it can be read" wait_for 20 state_is read
	kill -USR2 $pid
	wait $pid
	check_eq "$what: closed" $? 0
	[ -n "$gone" ] || check "$what: then the module goes" wait_for 5 unload
	loaded $what
done

# ---- Open files ----

# read_fails FD: a read of the open file fails, and does not hang or crash
read_fails() {
	! cat <&"$1" >/dev/null 2>&1
}
for debugfs in /sys/kernel/debug/dri/*/panthor_perf; do
	[ ! -e "$debugfs/state" ] || break
done
exec 3<$debugfs/state 5<"$(echo /sys/bus/event_source/devices/panthor_*/identifier)" 6<$SYSCTL
echo "$device" >"$DRIVER/unbind"
check_not "debugfs: unbound" bound
check "debugfs: state of a GPU that is gone" read_fails 3
check_not "debugfs: an open file keeps the module" unload
exec 3<&-
check "files: the module goes" wait_for 5 unload
check "files: a file of its PMU" read_fails 5
check "files: its sysctl" read_fails 6
exec 5<&- 6<&-
loaded files

# A write into the sysctl of the next module is not meant for this one.
exec 6<>$SYSCTL
check "sysctl: the module goes" unload
loaded sysctl
check_not "sysctl: a write through the old file" sh -c 'echo 0 >&6' 2>/dev/null
check_eq "sysctl: the value" "$(cat $SYSCTL)" 1
exec 6<&-

tracing=/sys/kernel/tracing
[ -e $tracing/trace ] || mount -t tracefs trace $tracing
echo 1 >$tracing/events/panthor_perf/enable
check "trace: a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
check_ge "trace: events" "$(grep -c ': panthor_perf_' $tracing/trace)" 3
exec 7<$tracing/events/panthor_perf/panthor_perf_publish/format 8<$tracing/trace_pipe
# Tracing may keep the module, while its events are enabled or a file is open.
if unload; then
	ok "trace: the module goes with its events enabled"
else
	ok "trace: the module is in use with its events enabled"
	echo 0 >$tracing/events/panthor_perf/enable
fi
cat $tracing/trace >/out/trace-unloaded.txt
check_eq "trace: the trace can be read" $? 0
head -c 512 <&7 >/dev/null 2>&1
exec 7<&- 8<&-
if [ -e "$DRIVER" ]; then
	check "trace: then the module goes" wait_for 5 unload
fi
cat $tracing/trace >/out/trace-gone.txt
check_eq "trace: the trace can be read without the module" $? 0
loaded trace
check "suspended in the end" wait_for 10 status_is suspended
