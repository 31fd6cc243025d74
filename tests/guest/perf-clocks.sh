# SPDX-License-Identifier: GPL-2.0 or MIT
# The GPU's clocks are those of the module vmali-clk: the driver waits for it, and devfreq and the module's
# files change the rates of the GPU's registers, with a session started and without.
#
# Needs the virtual GPU's clocks=3,clock-provider=on and the files of scripts/build-guest-modules in /modules.
. /tests/lib.sh

clocks() {
	for _device in /sys/bus/platform/drivers/vmali-clk/*clock-controller*; do
		echo "$_device"
	done
}
rate_is() {
	[ "$(cat "$(clocks)/$1")" = "$2" ]
}
# told INDEX RATE: the GPU runs this clock with this rate.
told() {
	[ "$(host truth-last "^clock index=$1 " | sed 's/.* hz=\([0-9]*\).*/\1/')" = "$2" ]
}

fast=$(host qom-get gpu0 core-hz)
slow=$((fast / 2))
check_not "the driver waits for the clocks" bound
check "the clocks" insmod /modules/vmali-clk.ko
check "the driver found them" wait_for 10 bound
wait_for 10 render_node
# devfreq lowers the first one as soon as it finds the GPU idle.
check "core ran with the rate of the start" sh -c "dmesg | grep -q 'panthor .*clock rate = $fast'"
for name in coregroup stacks; do
	check "$name runs with the rate of the start" rate_is $name "$fast"
done

devfreq=$(echo "$(gpu)"/devfreq/*)
check_eq "operating points" "$(tr ' ' '\n' <"$devfreq/available_frequencies" | sort -n | tr '\n' ' ' | xargs)" \
	"$slow $fast"
if [ -e /modules/governor_userspace.ko ]; then
	check "the governor userspace" insmod /modules/governor_userspace.ko
	check "is in charge" sh -c "echo userspace >$devfreq/governor"
	# set RATE
	set_rate() {
		echo "$1" >"$devfreq/userspace/set_freq"
	}
else
	# An idle GPU gets the lowest rate that is allowed.
	set_rate() {
		echo "$slow" >"$devfreq/min_freq"
		echo "$1" >"$devfreq/max_freq"
		echo "$1" >"$devfreq/min_freq"
	}
fi
for round in 1 2; do
	for rate in "$slow" "$fast"; do
		set_rate "$rate"
		check "round $round: core at $rate Hz" wait_for 5 rate_is core "$rate"
		check "round $round: so it is told by the GPU" told 0 "$rate"
	done
	# The second round is that of a started session.
	[ $round = 1 ] || continue
	panthor-perf stat -I 100 >/out/clocks.txt &
	pid=$!
	counting() {
		[ "$(host truth-count '^enable')" -gt "$(host truth-count '^disable')" ]
	}
	check "a session is started" wait_for 5 counting
done
index=1
for name in coregroup stacks; do
	for rate in 300000000 "$fast"; do
		echo $rate >"$(clocks)/$name"
		check "$name at $rate Hz" rate_is $name $rate
		check "so it is told by the GPU" told $index $rate
	done
	index=$((index + 1))
done
kill -INT $pid
wait $pid
check_eq "panthor-perf stat" $? 0
check_eq "its samples with ERROR" "$(grep -c '^sample .*ERROR' /out/clocks.txt)" 0
check "suspended in the end" wait_for 10 status_is suspended
