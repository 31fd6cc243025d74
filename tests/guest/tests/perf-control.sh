# SPDX-License-Identifier: GPL-2.0 or MIT
# The older interface, alone and beside sessions of ours.
. /tests/lib.sh

wait_for 10 render_node
perf-control manual
perf-control errors
perf-control permissions
panthor-perf record -I 10 -o "/out/beside.raw" -- sleep 600 2>/out/beside.txt &
recorder=$!
check "the counters are on" wait_for 20 counting
perf-control periodic
kill $recorder
wait $recorder
check "suspended in the end" wait_for 10 status_is suspended
