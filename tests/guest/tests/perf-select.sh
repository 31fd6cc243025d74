# SPDX-License-Identifier: GPL-2.0 or MIT
# Samples of a session that asks for some counters, compact or not.
. /tests/lib.sh

wait_for 10 render_node
mkdir -p /out/select
for period in 0 "$(patient 20)000000"; do
	for shape in full compact; do
		perf-select "$period" $shape "/out/select/$shape-$period.raw"
		check_eq "perf-select $period $shape" $? 0
	done
done
check "suspended in the end" wait_for 10 status_is suspended
