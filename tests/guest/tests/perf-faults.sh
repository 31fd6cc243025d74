# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# The firmware fails under a started session, in one way after the other: a sample tells of it, those
# before and behind it are exact, and so is the next session. The samples in /out/NAME.SAMPLES.ERRORS.raw
# are compared with the truth outside, which also says where ERROR belongs.
. /tests/lib.sh

wait_for 10 render_node

samples() {
	grep -c '^sample ' "/out/$1.txt"
}
more_samples() {
	[ "$(samples "$1")" -gt "$2" ]
}
told() {
	grep -q "^sample .*events.*$2" "/out/$1.txt"
}
# begin NAME INTERVAL_MS: a session that asks for samples.
begin() {
	panthor-perf stat --manual -I "$2" --raw "/out/$1.raw" >"/out/$1.txt" &
	_pid=$!
	check "$1: the counters are on" wait_for 20 counting
	check "$1: a sample before" wait_for 20 more_samples "$1" 0
}
# end NAME EVENT: of the session, when a sample has told the event, if there is one, and one has come behind it.
end() {
	[ -z "$2" ] || check "$1: a sample tells $2" wait_for 60 told "$1" "$2"
	check "$1: a sample behind" wait_for 20 more_samples "$1" "$(samples "$1")"
	kill -INT $_pid
	wait $_pid
	check_eq "$1: panthor-perf stat" $? 0
}
# record NAME INTERVAL_MS ERRORS EVENT PROPERTY VALUE: set the property under a session, of which so many samples
# have ERROR then and the last of them has the event.
record() {
	begin "$1" "$2"
	host qom-set gpu0 "$5" "$6"
	end "$1" "$4"
	check_eq "$1: samples with ERROR" "$(grep -c '^sample .*ERROR' "/out/$1.txt")" "$3"
	mv "/out/$1.raw" "/out/$1.$(samples "$1").$3.raw"
}

# tells NAME EVENT COUNT: so many samples have the event.
tells() {
	check_eq "$1: samples with the event $2" "$(grep -c "^sample .*events.*$2" "/out/$1.txt")" "$3"
}

# The session behind it.
after() {
	check "$1: the next session" sh -c \
		"panthor-perf stat --manual -n 2 -I 50 --raw /out/after-$1.2.0.raw >/out/after-$1.txt"
	check_eq "$1: its samples with an event" "$(grep -c '^sample .*events none' "/out/after-$1.txt")" 2
}

expect 5 14 'panthor.*firmware counters failed'
# An answer to SAMPLE that comes too late, and an index that is impossible: off and on again.
record sample 400 1 fw-timeout x-delay-samples 1
tells sample fw-timeout 1
after sample
record insert 400 1 fw-error x-bad-insert 4000000000
tells insert fw-error 1
after insert

# A firmware that is dead. Counters never reset the GPU: it is suspended, since nothing else uses it. A resume, here that of
# another session, starts the firmware anew, and counting goes on. The sample across it has ERROR: the GPU may have had
# work before it was suspended.
tolerate 'Timed out waiting for MCU to halt'
expect 2 4 'panthor .*\[drm\] (\*ERROR\* Unhandled Page fault in AS0|Failed to cleanly suspend MCU)'
for name in hang ring-faults; do
	losses=$(host truth-count '^lost reason=hang')
	panthor-perf stat -I 400 --raw "/out/$name.raw" >"/out/$name.txt" &
	_pid=$!
	check "$name: the counters are on" wait_for 20 counting
	check "$name: a sample before" wait_for 20 more_samples $name 0
	boots=$(host truth-count '^boot')
	host qom-set gpu0 "x-$name" 1
	check "$name: suspended" wait_for 60 status_is suspended
	check_eq "$name: not resumed for counters" "$(host truth-count '^boot')" "$boots"
	after $name
	end $name suspend
	check_eq "$name: samples with ERROR" "$(grep -c '^sample .*ERROR' "/out/$name.txt")" 1
	tells $name fw-timeout 1
	tells $name reset 0
	check_eq "$name: the firmware was stopped" "$(host truth-count '^lost reason=hang')" $((losses + 1))
	mv "/out/$name.raw" "/out/$name.$(samples $name).1.raw"
done
# A request is refused then, and says why.
panthor-perf stat --manual -I 400 >/out/refused.txt 2>&1 &
_pid=$!
check "refused: the counters are on" wait_for 20 counting
host qom-set gpu0 x-hang 1
wait $_pid
check_eq "refused: panthor-perf stat" $? 1
check "refused: it says why" grep -q 'resumed or reset' /out/refused.txt
check "refused: suspended" wait_for 60 status_is suspended
after refused

# Of enable, the answer that does not come delays START.
host qom-set gpu0 x-delay-enables 1
check "enable: a session" sh -c \
	'panthor-perf stat -n 2 -I 50 --raw /out/enable.2.0.raw >/out/enable.txt'
check_eq "enable: was not answered" "$(host qom-get gpu0 x-delay-enables)" 0
after enable

# Of disable, which comes when no session is left: the GPU is suspended all the same.
record disable 400 0 '' x-delay-enables 1
check "disable: suspended" wait_for 10 status_is suspended
after disable

# The sizes that the firmware tells when it starts were read once.
check "size: suspended" wait_for 10 status_is suspended
boots=$(host truth-count '^boot')
host qom-set gpu0 x-size-at-boot 0x20034
after size
check "size: the firmware was started with it" more boot "$boots"
host qom-set gpu0 x-size-at-boot 0xffffffff

# An overflow is told. What a firmware does with the counts then is its own affair.
begin overflow "$(patient 400)"
skipped=$(host truth-count '^lost reason=overflow')
host qom-set gpu0 x-clear-overflows 1
host qom-set gpu0 x-auto-burst 200
end overflow fw-overflow
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
