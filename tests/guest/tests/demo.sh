# SPDX-License-Identifier: GPL-2.0 or MIT
# The guest's part of make demo: the device; samples of all its counters on request, and at the same time by a
# period; then what a load looks like by name, and a recording of it.
. /tests/lib.sh

PERIOD_MS=5
samples=$(cat /etc/samples)
# Names of files are those that the demo prints.
cd /out || exit 1
check "render node" wait_for 10 render_node
check "panthor-perf info" sh -c 'panthor-perf info >/out/info.txt'
panthor-perf stat --brief -I 50 -n "$samples" --clocks --raw /out/periodic.raw >/out/periodic.txt &
periodic=$!
check "panthor-perf stat" sh -c "panthor-perf stat --brief -n $samples --raw /out/samples.raw >/out/stat.txt"
wait $periodic
check_eq "panthor-perf stat -I at the same time" $? 0
check "panthor-perf stat, by name" sh -c 'panthor-perf stat -I 500 -n 1 >/out/summary.txt'
check "panthor-perf record" \
	panthor-perf record -I $PERIOD_MS -n "$(cat /etc/recorded)" -o game.ptprf 2>/out/record.txt
check "panthor-perf report" sh -c 'panthor-perf report game.ptprf >/out/report.txt'
check "panthor-perf report, of each sample" \
	sh -c 'panthor-perf report --by-sample --csv game.ptprf >/out/game.csv'
check "panthor-perf export" \
	panthor-perf export -o game.perfetto-trace game.ptprf
