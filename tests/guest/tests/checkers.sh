# SPDX-License-Identifier: GPL-2.0 or MIT
# The end of each run on the debug kernel: its checkers, which switch themselves off at their first
# report or when they run out of memory, are on still, and the driver left nothing behind.
. /tests/lib.sh

dma_debug=/sys/kernel/debug/dma-api
leaks=/sys/kernel/debug/kmemleak
suspects() {
	grep -c '^unreferenced object' $leaks
}

device=$(basename "$(gpu)")
check "in tree" sh -c '[ "$(cat /sys/module/panthor/taint)" = "" ]'
if [ -e "$DRIVER/$device" ]; then
	echo "$device" >"$DRIVER/unbind"
fi
check_not "unbound" bound
check "lockdep is on" grep -q 'debug_locks: *1' /proc/lockdep_stats
if grep -q dma_debug=off /proc/cmdline; then
	check_eq "the DMA checker is off" "$(cat $dma_debug/disabled)" Y
else
	check_eq "the DMA checker is on" "$(cat $dma_debug/disabled)" N
	check_eq "it reported no mistake" "$(cat $dma_debug/error_count)" 0
fi
check_eq "debug objects were used well" "$(sed -n 's/^warnings *: *//p' /sys/kernel/debug/debug_objects/stats)" 0

# Memory counts as lost when it is five seconds old and did not change between two scans.
sleep 6
echo scan >$leaks
sleep 1
echo scan >$leaks
cat $leaks >/out/kmemleak.txt
check_eq "no memory is lost" "$(suspects)" 0
sed 's/^/  /' /out/kmemleak.txt
