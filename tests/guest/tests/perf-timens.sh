# SPDX-License-Identifier: GPL-2.0 or MIT
# Sessions in time namespaces: times of samples are those that the task reads which called SETUP. The recordings in
# /out/NAME.SAMPLES.ERRORS.raw are compared with the truth outside, their times with the clocks that the program read.
. /tests/lib.sh

wait_for 10 render_node
PERF_NODE=$(render_node)
PERF_STATUS="$(gpu)/power/runtime_status"
export PERF_NODE PERF_STATUS

# Half a period more than whole periods: the grid is not that of the namespace.
perf-timens session 100000 10000000
check_eq "perf-timens session, 100000 s ahead" $? 0
perf-timens session -2 10000000
check_eq "perf-timens session, 2 s behind" $? 0
perf-timens mixed 100000 0
check_eq "perf-timens mixed" $? 0

# Whole periods: the comparer takes the grid for that of the program's clock.
for offset in 100000 -2; do
	name=timens$offset
	check "record, $offset s" \
		perf-timens in $offset 0 panthor-perf record -q -n 50 -I 20 -o "/out/$name.50.0.raw"
	check "manual samples, $offset s" perf-timens in $offset 0 \
		sh -c "panthor-perf stat --manual -n 20 -I 20 --raw /out/$name-manual.20.0.raw >/dev/null"
	check "export, $offset s" panthor-perf export --perfetto "/out/$name.50.0.raw" -o "/out/$name.perfetto-trace"
done
[ -n "${PERF_MAINLINE:-}" ] || for offset in 100000 -2; do
	perf-timens in $offset 0 perf-control manual
	check_eq "perf-control, $offset s" $? 0
done
check "suspended in the end" wait_for 10 status_is suspended
