# SPDX-License-Identifier: GPL-2.0 or MIT
# Compact samples, and masks that change while a session is started.
. /tests/lib.sh

wait_for 10 render_node
perf-select errors
check_eq "perf-select errors" $? 0
mkdir -p /out/select
for period in 0 "$(patient 20)000000"; do
	for shape in full compact; do
		perf-select run "$period" $shape "/out/select/$shape-$period.raw"
		check_eq "perf-select run $period $shape" $? 0
	done
done
check "suspended in the end" wait_for 10 status_is suspended
