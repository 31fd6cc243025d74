# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: clocks=3,clock-provider=on
# The GPU's clocks are those of the module vmali-clk: the driver waits for it, and devfreq and the module's
# files change the rates of the GPU's registers under started sessions, before and behind a sleep of the
# system, and while no session is there. The samples in /out/NAME.SAMPLES.ERRORS.raw are compared with the
# truth outside, and their cycles by tests/compare/check-cycles.py with the rates and the calls in /out/changes.txt.
#
# Needs the virtual GPU's clocks=3,clock-provider=on and the files of scripts/build/build-guest-modules.sh in /modules.
. /tests/lib.sh

clocks() {
	for _device in /sys/bus/platform/drivers/vmali-clk/*clock-controller*; do
		echo "$_device"
	done
}
rate_is() {
	[ "$(cat "$(clocks)/$1")" = "$2" ]
}
# told CLOCK RATE: the GPU runs this clock with this rate.
told() {
	[ "$(host truth-last "^clock name=$1 " | sed 's/.* hz=\([0-9]*\).*/\1/')" = "$2" ]
}
# set_rate CLOCK RATE: the first clock's by devfreq.
set_rate() {
	case $1 in
	core) set_core "$2" ;;
	*) perf-clocks "$1" "$(clocks)/$1" "$2" ;;
	esac >>/out/changes.txt
	check "$1 at $2 Hz" wait_for 5 rate_is "$1" "$2"
	check "$1 at $2 Hz: so it is told by the GPU" told "$1" "$2"
}
fast=$(host qom-get gpu0 core-hz)
slow=$((fast / 2))
coregroup=$(host qom-get gpu0 coregroup-hz)
stacks=$(host qom-get gpu0 stacks-hz)
check_not "the driver waits for the clocks" bound
check "the clocks" insmod /modules/vmali-clk.ko
check "the driver found them" wait_for 10 bound
wait_for 10 render_node
# devfreq lowers the first one as soon as it finds the GPU idle.
check "core ran with the rate of the start" sh -c "dmesg | grep -q 'panthor .*clock rate = $fast'"
check "coregroup runs with the rate of the start" rate_is coregroup "$coregroup"
check "stacks runs with the rate of the start" rate_is stacks "$stacks"

devfreq=$(echo "$(gpu)"/devfreq/*)
check_eq "operating points" "$(tr ' ' '\n' <"$devfreq/available_frequencies" | sort -n | tr '\n' ' ' | xargs)" \
	"$slow $((fast / 8 * 5)) $((fast / 4 * 3)) $fast"
if [ -e /modules/governor_userspace.ko ]; then
	check "the governor userspace" insmod /modules/governor_userspace.ko
	check "is in charge" sh -c "echo userspace >$devfreq/governor"
	set_core() {
		perf-clocks core "$devfreq/userspace/set_freq" "$1"
	}
else
	# An idle GPU gets the lowest rate that is allowed.
	set_core() {
		echo "$slow" >"$devfreq/min_freq"
		echo "$1" >"$devfreq/max_freq"
		echo "$1" >"$devfreq/min_freq"
	}
fi
for rate in "$slow" "$fast"; do
	set_rate core "$rate"
done

# Two sessions, one with a period, which see every change alike.
panthor-perf stat -I "$(patient 50)" --clocks --raw /out/period.raw >/out/period.txt &
period=$!
panthor-perf stat --manual -I "$(patient 70)" --clocks --raw /out/manual.raw >/out/manual.txt &
manual=$!
check "sessions are started" wait_for 20 counting
for rate in "$slow" "$fast" "$slow"; do
	set_rate core "$rate"
	sleep 0.2
done
for rate in 300000000 900000000; do
	set_rate coregroup $rate
	sleep 0.1
	set_rate stacks $((rate - 1))
	sleep 0.2
done

[ ! -e /sys/module/suspend/parameters/pm_test_delay ] ||
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo devices >/sys/power/pm_test
halts=$(host truth-count '^halt')
check "sleep" sh -c 'echo mem >/sys/power/state'
check "the GPU was halted" more halt "$halts"
echo none >/sys/power/pm_test
sleep 0.2
set_rate core "$fast"
set_rate stacks "$stacks"
sleep 0.3
kill -INT $period $manual
wait $period
check_eq "panthor-perf stat -I" $? 0
wait $manual
check_eq "panthor-perf stat --manual" $? 0
for name in period manual; do
	check_eq "$name: samples with ERROR" "$(grep -c '^sample .*ERROR' /out/$name.txt)" 0
	check_eq "$name: samples with the event SUSPEND" "$(grep -c '^sample .*suspend' /out/$name.txt)" 1
	mv /out/$name.raw "/out/$name.$(grep -c '^sample ' /out/$name.txt).0.raw"
done

# Nobody counts while a rate changes.
check "suspended" wait_for 10 status_is suspended
set_rate coregroup "$coregroup"
check "a session behind it" sh -c \
	"panthor-perf stat -n 6 -I $(patient 50) --raw /out/behind.6.0.raw >/out/behind.txt"
check "suspended in the end" wait_for 10 status_is suspended
