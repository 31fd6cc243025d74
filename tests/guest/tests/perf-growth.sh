# SPDX-License-Identifier: GPL-2.0 or MIT
# Programs that were built with structures of another size than the driver's: with those of version 1,
# and with longer ones. To be run with the driver as it is, and with longer structures.
. /tests/lib.sh

wait_for 10 render_node
perf-frozen /out/frozen.7.0.raw
check_eq "a client of version 1" $? 0
perf-grown /out/grown.7.0.raw
check_eq "a client with longer structures" $? 0
check "suspended in the end" wait_for 10 status_is suspended
