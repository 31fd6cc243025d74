# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: clocks=3,clock-provider=on
# kernel: slab_debug=FZP
# Sessions that hold the rate of the core clock: each mode against a governor that wants another rate, two
# modes at once, a limit below the mode's rate, and every way in which a session ends. The rate is that of the
# GPU's register, and the cycles in the samples are compared with it. The samples in /out/NAME.SAMPLES.ERRORS.raw
# are compared with the truth outside.
#
# Behind perf-clocks, with the virtual GPU's clocks=3,clock-provider=on.
. /tests/lib.sh

device=$(echo /sys/bus/platform/drivers/vmali-clk/*clock-controller*)
rate_is() {
	[ "$(cat "$device/core")" = "$1" ]
}
find_devfreq() {
	devfreq=$(echo "$(gpu)"/devfreq/*)
}
# wish HZ: what the governor wants. Without the governor userspace that is the lowest rate, of an idle GPU.
wish() {
	[ ! -e "$devfreq/userspace/set_freq" ] || echo "$1" >"$devfreq/userspace/set_freq"
}
# free HZ: the rate is the governor's again, and so are the limits.
free() {
	_wanted=$1
	[ -e "$devfreq/userspace/set_freq" ] || _wanted=$slow
	check "$2: the rate is the governor's" wait_for 10 rate_is "$_wanted"
	check_eq "$2: the limits are the operating points" \
		"$(cat "$devfreq/min_freq") $(cat "$devfreq/max_freq")" "$slow $fast"
}
not_counting() {
	! counting
}
# samples FILE [PATTERN]: the number of samples in a file of --brief
samples() {
	grep -c "^ *[0-9]*\.[0-9].*${2:-}" "$1"
}
missed() {
	samples "$1" ' clock-missed'
}
samples_in() {
	[ "$(samples "$1")" -ge "$2" ]
}
mhz() {
	awk "BEGIN { printf \"%g\", $1 / 1000000 }"
}
# within VALUE WANTED: within 1 percent
within() {
	[ $(($1 * 100)) -ge $(($2 * 99)) ] && [ $(($1 * 100)) -le $(($2 * 101)) ]
}

fast=$(host qom-get gpu0 core-hz)
slow=$((fast / 2))
middle=$((fast / 8 * 5))
find_devfreq
echo "$slow" >"$devfreq/min_freq"
echo "$fast" >"$devfreq/max_freq"
panthor-perf info >/out/info-clocks.txt
check "info has the rates of the modes" grep -q \
	"^core clock .* (lowest $(mhz "$slow"), highest $(mhz "$fast"), profiling $(mhz "$middle"))$" \
	/out/info-clocks.txt
check "info has the feature" grep -q '^features .*clock-mode' /out/info-clocks.txt

for mode in profiling lowest highest; do
	case $mode in
	profiling) rate=$middle ;;
	lowest) rate=$slow ;;
	highest) rate=$fast ;;
	esac
	for wanted in $slow $fast; do
		wish "$wanted"
		name=mode-$mode-$((wanted / 1000000))
		panthor-perf stat --clocks=$mode -b -I "$(patient 50)" --raw "/out/$name.raw" >"/out/$name.txt" &
		pid=$!
		check "$name: a session is started" wait_for 20 counting
		check "$name: its rate" rate_is "$rate"
		check_eq "$name: that of the GPU" \
			"$(host truth-last '^clock name=core ' | sed 's/.* hz=\([0-9]*\).*/\1/')" "$rate"
		check "$name: samples" wait_for 20 samples_in "/out/$name.txt" 4
		kill -INT $pid
		wait $pid
		check_eq "$name: panthor-perf stat" $? 0
		mv "/out/$name.raw" "/out/$name.$(samples "/out/$name.txt").0.raw"
		check_eq "$name: samples that missed the clock" "$(missed "/out/$name.txt")" 0
		free "$wanted" "$name"
	done
done

# Cycles per second, as counted by the GPU.
wish "$fast"
panthor-perf stat --clocks=profiling -c --duration 0.5 >/out/cycles.txt
check "cycles per second of the mode profiling" within \
	"$(sed -n 's/.*toplevel [0-9]* (\([0-9]*\)\..*/\1/p' /out/cycles.txt)" $((middle / 1000000))
free "$fast" "cycles"

# A second session with the same mode, and one with another.
panthor-perf stat --clocks=lowest -b -I "$(patient 50)" >/out/first.txt &
first=$!
check "the first session" wait_for 20 counting
check "the same mode" panthor-perf stat --clocks=lowest -n 2 -I "$(patient 50)"
check "the rate is still held" rate_is "$slow"
panthor-perf stat --clocks=highest -n 2 -I "$(patient 50)" 2>/out/busy.txt
check_eq "another mode" $? 1
check "another mode: the reason" grep -q 'holds another clock mode' /out/busy.txt
check "no mode" panthor-perf stat -n 2 -I "$(patient 50)"
check "the rate is held by the first session alone" rate_is "$slow"
kill -INT $first
wait $first
check_eq "the first session: panthor-perf stat" $? 0
check_eq "the first session: samples that missed the clock" "$(missed /out/first.txt)" 0
free "$fast" "the first session"

# A limit below the rate of the mode, as that of a thermal zone.
panthor-perf stat --clocks=highest -b -I "$(patient 50)" >/out/hot.txt &
hot=$!
check "a session at the highest rate" wait_for 20 counting
check "its rate" rate_is "$fast"
check "samples" wait_for 20 samples_in /out/hot.txt 4
before=$(missed /out/hot.txt)
echo "$middle" >"$devfreq/max_freq"
check "the limit wins" rate_is "$middle"
seen=$(samples /out/hot.txt)
check "more samples" wait_for 20 samples_in /out/hot.txt $((seen + 5))
limited=$(missed /out/hot.txt)
echo "$fast" >"$devfreq/max_freq"
check "the mode's rate again" rate_is "$fast"
seen=$(samples /out/hot.txt)
check "samples behind it" wait_for 20 samples_in /out/hot.txt $((seen + 6))
kill -INT $hot
wait $hot
check_eq "before the limit: samples that missed the clock" "$before" 0
check_ge "with the limit" "$limited" 4
tail -n 4 /out/hot.txt >/out/cool.txt
check_eq "the last samples" "$(samples /out/cool.txt) $(missed /out/cool.txt)" "3 0"
free "$fast" "limit"

# A sleep of the system.
panthor-perf stat --clocks=profiling -b -I "$(patient 50)" >/out/asleep.txt &
asleep=$!
check "a session before a sleep" wait_for 20 counting
[ ! -e /sys/module/suspend/parameters/pm_test_delay ] ||
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
check "sleep" sh -c 'echo mem >/sys/power/state'
echo none >/sys/power/pm_test
check "the rate behind it" rate_is "$middle"

# A program that is killed.
kill -KILL $asleep
wait $asleep
check "nothing counts" wait_for 10 not_counting
free "$fast" "a killed program"

# The driver is unbound under the session.
panthor-perf stat --clocks=lowest -b -I "$(patient 50)" >/out/unbound.txt 2>/out/unbound.err &
unbound=$!
check "a session before the unbind" wait_for 20 counting
check "its rate" rate_is "$slow"
name=$(basename "$(gpu)")
echo "$name" >"$DRIVER/unbind"
wait $unbound
check "the program has ended with an error" [ $? -ne 0 ]
echo "$name" >"$DRIVER/bind"
check "bound again" wait_for 10 bound
wait_for 10 render_node
find_devfreq
check_eq "no limit is left" "$(cat "$devfreq/min_freq") $(cat "$devfreq/max_freq")" "$slow $fast"
check "a session behind it" panthor-perf stat --clocks=highest -n 2 -I "$(patient 50)"
