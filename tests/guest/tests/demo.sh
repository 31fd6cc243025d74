# SPDX-License-Identifier: GPL-2.0 or MIT
# The guest's part of make demo: the device; samples of all its counters on request, and at the same time by a
# period; then what a load looks like by name, and a recording of it.
. /tests/lib.sh

PERIOD_MS=5
samples=$(cat /etc/samples)
check "render node" wait_for 10 render_node
check "panthor-perf info" sh -c 'panthor-perf info >/out/info.txt'
panthor-perf stat --brief -I 50 -n "$samples" --clocks --raw /out/periodic.raw >/out/periodic.txt &
periodic=$!
check "panthor-perf stat" sh -c "panthor-perf stat --brief -n $samples --raw /out/samples.raw >/out/stat.txt"
wait $periodic
check_eq "panthor-perf stat -I at the same time" $? 0
check "panthor-perf stat, by name" sh -c 'panthor-perf stat -I 500 -n 1 >/out/summary.txt'
check "panthor-perf record" \
	panthor-perf record -I $PERIOD_MS -n "$(cat /etc/recorded)" -o /out/game.raw 2>/out/record.txt
check "panthor-perf report" sh -c 'panthor-perf report /out/game.raw >/out/report.txt'
check "panthor-perf report, of each sample" \
	sh -c 'panthor-perf report --by-sample --csv /out/game.raw >/out/game.csv'
check "panthor-perf export" \
	panthor-perf export --perfetto -o /out/game.perfetto-trace /out/game.raw
