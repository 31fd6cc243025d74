# SPDX-License-Identifier: GPL-2.0 or MIT
# Figures of the driver's own objects for scripts/bench.py, from the module of tests/bench/module: lines "NAME VALUE" are
# added to /out/bench.txt. Needs the module in /modules; /etc/bench has the settings.
. /tests/lib.sh

RUNS=5
ROUNDS=500
[ ! -e /etc/bench ] || . /etc/bench
check "the bench module runs" insmod /modules/panthor_perf_bench.ko runs=$RUNS rounds=$ROUNDS
dmesg | sed -n 's/^.*bench-raw //p' >>/out/bench.txt
check_ge "figures" "$(dmesg | grep -c 'bench-raw ')" $((RUNS * 110))
check "the bench module goes" rmmod panthor_perf_bench
