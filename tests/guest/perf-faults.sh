# SPDX-License-Identifier: GPL-2.0 or MIT
# The firmware fails under a started session, in one way after the other: a sample tells of it, those
# before and behind it are exact, and so is the next session. The samples in /out/NAME.SAMPLES.ERRORS.raw
# are compared with the truth outside, which also says where ERROR belongs.
. /tests/lib.sh

wait_for 10 render_node
counting() {
	[ "$(host truth-count '^enable')" -gt "$(host truth-count '^disable')" ]
}

# record NAME SAMPLES INTERVAL ERRORS PROPERTY VALUE: set the property under a session of so many samples,
# of which so many have ERROR, and see it through.
record() {
	panthor-perf stat --manual -n "$2" -I "$3" --raw "/out/$1.$2.$4.raw" >"/out/$1.txt" &
	_pid=$!
	check "$1: the counters are on" wait_for 5 counting
	sleep "$(awk "BEGIN { print $3 * 1.2 / 1000 }")"
	host qom-set gpu0 "$5" "$6"
	wait $_pid
	check_eq "$1: panthor-perf stat" $? 0
	check_eq "$1: samples with ERROR" "$(grep -c '^sample .*ERROR' "/out/$1.txt")" "$4"
}

# tells NAME EVENT COUNT: so many samples have the event.
tells() {
	check_eq "$1: samples with the event $2" "$(grep -c "^sample .*events.*$2" "/out/$1.txt")" "$3"
}

# The session behind it.
after() {
	check "$1: the next session" sh -c \
		"panthor-perf stat -n 2 -I 50 --raw /out/after-$1.2.0.raw >/out/after-$1.txt"
	check_eq "$1: its samples with an event" "$(grep -c '^sample .*events none' "/out/after-$1.txt")" 2
}

more() {
	[ "$(host truth-count "^$1")" -gt "$2" ]
}

expect 'panthor.*firmware counters failed'
# An answer to SAMPLE that comes too late, and an index that is impossible: off and on again.
record sample 5 400 1 delay-samples 1
tells sample fw-timeout 1
after sample
record insert 5 400 1 bad-insert 4000000000
tells insert fw-error 1
after insert

# A firmware that is dead: the GPU is reset, and counting goes on. SAMPLE fails until the reset is
# done, so the next one comes well behind it.
expect 'panthor .*\[drm\] \*ERROR\* Unhandled Page fault in AS0'
for name in hang ring-faults; do
	losses=$(host truth-count '^lost reason=hang')
	record $name 4 1600 2 $name 1
	tells $name fw-timeout 1
	tells $name reset 1
	check_eq "$name: the GPU was reset" "$(host truth-count '^lost reason=hang')" $((losses + 1))
	after $name
done

# Of enable, the answer that does not come delays START.
host qom-set gpu0 delay-enables 1
check "enable: a session" sh -c \
	'panthor-perf stat -n 2 -I 50 --raw /out/enable.2.0.raw >/out/enable.txt'
check_eq "enable: was not answered" "$(host qom-get gpu0 delay-enables)" 0
after enable

# Of disable, which comes when nobody is left, only a reset helps.
losses=$(host truth-count '^lost reason=reset')
record disable 4 500 0 delay-enables 1
check "disable: the GPU is reset" wait_for 10 more 'lost reason=reset' "$losses"
sleep 0.3
after disable

# The sizes that the firmware tells when it starts were read once.
check "size: suspended" wait_for 10 status_is suspended
boots=$(host truth-count '^boot')
host qom-set gpu0 size-at-boot 0x20034
after size
check "size: the firmware was started with it" more boot "$boots"
host qom-set gpu0 size-at-boot 0xffffffff

# An overflow is told. What a firmware does with the counts then is its own affair.
panthor-perf stat --manual -n 5 -I "$(patient 400)" >/out/overflow.txt &
pid=$!
check "overflow: the counters are on" wait_for 5 counting
sleep 0.5
skipped=$(host truth-count '^lost reason=overflow')
host qom-set gpu0 clear-overflows 1
host qom-set gpu0 auto-burst 200
wait $pid
check_eq "overflow: panthor-perf stat" $? 0
check_eq "overflow: lost counts" "$(host truth-count '^lost reason=overflow')" $((skipped + 1))
check_ge "overflow: a sample tells" "$(grep -c '^sample .*events.*fw-overflow' /out/overflow.txt)" 1
after overflow

device=$(basename "$(gpu)")
echo "$device" >"$DRIVER/unbind"
check_not "unbound" bound
echo "$device" >"$DRIVER/bind"
check "bound again" wait_for 10 bound
check "render node" wait_for 5 render_node
after rebind
check "suspended in the end" wait_for 10 status_is suspended
