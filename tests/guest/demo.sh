# SPDX-License-Identifier: GPL-2.0 or MIT
# The guest's part of make demo: the device, and samples of all its counters: on request, and at the same
# time by a period.
. /tests/lib.sh

check "render node" wait_for 10 render_node
check "panthor-perf info" sh -c 'panthor-perf info >/out/info.txt'
panthor-perf stat -I 50 -n "$(cat /etc/samples)" --clocks --states --raw /out/periodic.raw \
	>/out/periodic.txt &
periodic=$!
check "panthor-perf stat" sh -c \
	'panthor-perf stat -n "$(cat /etc/samples)" --raw /out/samples.raw >/out/stat.txt'
wait $periodic
check_eq "panthor-perf stat -I at the same time" $? 0
