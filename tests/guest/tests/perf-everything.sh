# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# Everything at once: sessions of all kinds in many processes, programs that do anything, and meanwhile, at random,
# the system sleeps, the GPU does, its firmware fails in all ways that the virtual one can,
# its cores lose power, it is reset, its clocks change, and the driver is unbound from it and bound again. That goes on until
# all programs have made a number of calls, and each event was there once. The samples in /out/everything are compared with the truth outside.
#
# Of the environment (run-guest --append "PERF_CALLS=100000 PERF_SEED=7"): PERF_CALLS, the number of calls; PERF_SEED,
# the seed; PERF_EVENTS, the events to choose from, in place of all. Clocks change behind the test clock-provider.
. /tests/lib.sh

wait_for 10 render_node >/dev/null
calls=${PERF_CALLS:-3000}
seed=${PERF_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
device=$(basename "$(gpu)")
export PERF_GPU="$(gpu)" PERF_TOTAL=/tmp/total PERF_UNBINDS=/tmp/unbinds PERF_FAULTS=1 PERF_NICE=15
# Shorter ones would do little else than fill the GPU's log; the test perf-many-periods has them.
PERF_SHORTEST=$(patient 5)000000
export PERF_SHORTEST
# That is of another test's.
unset PERF_SAMPLES

# below N: a random number from 0 to N - 1, in $random
state=$((seed % 2147483647 + 1))
below() {
	state=$((state * 48271 % 2147483647))
	random=$((state % $1))
}
# nap MS: so long at most
nap() {
	below "$1"
	usleep $((random * 1000))
}
made() {
	od -An -N8 -tu8 $PERF_TOTAL | tr -d ' '
}
alive() {
	kill -0 $sessions 2>/dev/null && kill -0 $hostile 2>/dev/null
}
# running PROPERTY VALUE: set what a GPU refuses whose firmware hangs, or is being started, whose counters are off
# for a moment, or whose ring is full. Of one that is left asleep it is not wanted.
attempt() {
	ask qom-set gpu0 "$1" "$2"
	case $_reply in
	*"the firmware does not run" | *"counters are not enabled" | *"no room for the sample before") return 1 ;;
	esac
}
running() {
	wait_for 20 attempt "$@" || ! status_is suspended || return 0
	[ "$_reply" = ok ] || say "@not-ok qom-set gpu0 $* - $_reply"
}
# brings RECORD PROPERTY VALUE: set it, and wait for what comes of it. Sometimes nobody is there whom it concerns: at
# the end it is judged how often. Sometimes the next event comes at once.
waited=0
in_vain=0
comes() {
	waited=$((waited + 1))
	wait_for 5 more "$1" "$2" || in_vain=$((in_vain + 1))
}
brings() {
	_count=$(host truth-count "^$1")
	running "$2" "$3"
	below 4
	[ $random -eq 0 ] || comes "$1" "$_count"
}
# shuffled WORD...: in another order
shuffled() {
	for _word; do
		below 1000000
		echo "$random $_word"
	done | sort -n | sed 's/.* //'
}
usage() {
	cat "$(gpu)/power/runtime_usage"
}
# Who has allocated objects is known with slab_debug=U, which makes the debug kernel too slow; it has kmemleak.
own_memory() {
	memory 2>/dev/null </dev/null | grep '/panthor_perf\|/panthor_ioctl_perf\|/gpu_ring\|^vmalloc\|^gem'
}
memory_is_back() {
	own_memory >/out/everything-memory.txt
	memory_grew /tmp/memory.before /out/everything-memory.txt >/tmp/memory.grew
	[ ! -s /tmp/memory.grew ]
}
provider=$(echo /sys/bus/platform/drivers/vmali-clk/*clock-controller*)
fast=$(host qom-get gpu0 core-hz)

# ---- What happens ----

event_sleep() {
	echo mem >/sys/power/state
}
event_quiet() {
	_halts=$(host truth-count '^halt')
	kill -USR1 $sessions $hostile
	wait_for 60 more halt "$_halts"
	_slept=$?
	nap 2000
	kill -USR2 $sessions $hostile
	return $_slept
}
event_unbind() {
	echo "$device" >"$DRIVER/unbind"
	printf . >>$PERF_UNBINDS
	! bound || return 1
	nap 300
	echo "$device" >"$DRIVER/bind"
	wait_for 20 bound && wait_for 20 render_node >/dev/null
}
event_late() { brings enable x-delay-samples 1; }
event_silent() { brings halt x-delay-samples 2; }
event_enable() { brings enable x-delay-enables 1; }
event_index() { brings enable x-bad-insert 4000000000; }
# The GPU refuses it while counters are off.
event_full() {
	_count=$(host truth-count '^overflow')
	ask qom-set gpu0 x-auto-burst 200
	[ "$_reply" != ok ] || comes overflow "$_count"
}
event_hang() { brings 'lost reason=hang' x-hang 1; }
event_fault() { brings 'lost reason=hang' x-ring-faults 1; }
event_ping() { host qom-set gpu0 x-drop-pings 1; }
event_skipped() { running x-skip-samples 1; }
event_cores() { host qom-set gpu0 x-lose-cores 1; }
event_power() {
	running x-core-power 0x10005
	nap 500
	running x-core-power 0x50005
}
event_firmware() { running x-sleep 1; }
event_clocks() {
	[ -e "$provider/core" ] || return 0
	below 2
	_rate=$((fast >> random))
	for _devfreq in "$(gpu)"/devfreq/*; do
		echo $((fast / 2)) >"$_devfreq/min_freq"
		echo $_rate >"$_devfreq/max_freq"
		echo $_rate >"$_devfreq/min_freq"
	done
	below 4
	for _clock in coregroup stacks; do
		[ ! -e "$provider/$_clock" ] || echo $((fast * (2 + random) / 4)) >"$provider/$_clock"
	done
}
events=${PERF_EVENTS:-sleep quiet unbind late silent enable index full hang fault ping skipped cores power firmware \
	clocks}
events=$(echo "$events" | tr ',' ' ')

# ---- The run ----

check "suspended before" wait_for 10 status_is suspended
panthor-perf stat -n 2 -I 20 >/dev/null
check "a session before" wait_for 10 status_is suspended
idle_usage=$(usage)
own_memory >/tmp/memory.before
echo "everything: seed $seed, $calls calls, events: $events"
# A firmware that a fault has stopped does not halt either. The more calls, the more events.
tolerate 'Timed out waiting for MCU to halt'
expect 3 $((40 + calls / 100)) 'panthor.*(firmware counters failed|\[drm\] (\*ERROR\*|Failed to cleanly suspend MCU))'
[ ! -e /sys/module/suspend/parameters/pm_test_delay ] ||
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test

: >$PERF_TOTAL
: >$PERF_UNBINDS
PERF_KINDS=40 PERF_ORDERED=50 PERF_PERIODS=30 PERF_PAUSE=${PERF_PAUSE:-5} PERF_SHARED=1 \
	perf-stress "${PERF_PROCESSES:-4}" 5 1000000000 "$seed" /out/everything &
sessions=$!
# Hostile programs have no privileges.
echo 0 >/proc/sys/dev/panthor/perf_paranoid
PERF_PAUSE=${PERF_PAUSE_HOSTILE:-4} perf-hostile 1000000000 "$seed" &
hostile=$!
sleep 1
count=0
while alive && { [ "$(made)" -lt "$calls" ] || [ $count -eq 0 ]; }; do
	# In a subshell the state would not move on.
	below 1000000
	for event in $(shuffled $events); do
		alive && { [ "$(made)" -lt "$calls" ] || [ $count -lt $(echo $events | wc -w) ]; } || break
		count=$((count + 1))
		# What comes of it is judged at the end, by the GPU's log.
		event_$event || not_ok "event $count, $event" "could not be brought about"
		nap 1500
	done
done
check "the programs are there" alive
kill -TERM $sessions $hostile
wait $sessions
check_eq "sessions" $? 0
wait $hostile
check_eq "hostile programs" $? 0
echo 1 >/proc/sys/dev/panthor/perf_paranoid
check_ge "$count events, calls" "$(made)" "$calls"
check_ge "$in_vain of $waited events that were waited for had no effect, at most a quarter" \
	$((waited / 4 + 1)) $in_vain
# In a long run, each of them has met somebody whom it concerned.
[ "$calls" -lt 100000 ] || for record in 'lost reason=hang' 'lost reason=reset' 'lost reason=disable' \
	'lost reason=core-off' overflow 'ping dropped' cores sleep halt clock; do
	check_ge "the GPU's log has '$record'" "$(host truth-count "^$record")" 1
done
host qom-set gpu0 x-ack-now 1
host qom-set gpu0 x-hang 0

off() {
	[ "$(host truth-count '^disable')" = "$(host truth-count '^enable')" ]
}
check "suspended behind it" wait_for 20 status_is suspended
check "counters are off" wait_for 10 off
check "PERF_INFO" sh -c 'panthor-perf info >/dev/null'
check "a session" sh -c 'panthor-perf stat -n 2 -I 20 >/dev/null'
check "suspended in the end" wait_for 10 status_is suspended
check_eq "usage count is back" "$(usage)" "$idle_usage"
wait_for 6 memory_is_back
check_eq "memory of the counters is back" "$(tr '\n' ';' </tmp/memory.grew)" ""
