# SPDX-License-Identifier: GPL-2.0 or MIT
# A program writes nonsense to its extract index; and several sessions have their indices in one object.
. /tests/lib.sh

wait_for 10 render_node
perf-session extract
check_eq "perf-session extract" $? 0
perf-session offsets
check_eq "perf-session offsets" $? 0
