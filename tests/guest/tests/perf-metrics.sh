# SPDX-License-Identifier: GPL-2.0 or MIT
# perf with the counters of this GPU in its tables, in /perf-tables: its metrics are the derived counters of
# panthor-perf.
. /tests/lib.sh

wait_for 10 render_node
cat >/tmp/load <<'END'
usleep 100000
cs-submit jobs >/dev/null
usleep 100000
END
METRICS="ceu_util cs_lsu_util l2_rd_miss l2_wr_miss"
metrics=$(printf 'panthor_%s,' $METRICS)
derived=$(echo $METRICS | tr ' ' ,)

check "events of the product" sh -c '/perf-tables/perf list --unit panthor >/out/list.txt 2>&1'
check "a counter by its name" grep -q 'mali_gpu_active' /out/list.txt
check "a derived counter by its name" sh -c "/perf-tables/perf list metric 2>&1 | grep -q panthor_l2_rd_miss"
# value NAME FILE: what panthor-perf wrote for a counter
value() {
	awk -F ';' -v name="$1" '$6 == name { print $8 }' "/out/$2.txt"
}

# Both see the same jobs.
check "metrics" panthor-perf stat -x ';' -o /out/derived.txt -e "$derived" -- \
	/perf-tables/perf stat -a -x ';' -o /out/metrics.txt -M "${metrics%,}" -- sh /tmp/load
check "an event" panthor-perf stat -x ';' -o /out/counter.txt -e MaliGPUActiveCy -- \
	/perf-tables/perf stat -a -x ';' -o /out/event.txt -e mali_gpu_active -- sh /tmp/load
check_eq "the event has the value of the counter" "$(awk -F ';' '/mali_gpu_active/ { print $1 }' /out/event.txt)" \
	"$(value MaliGPUActiveCy counter)"
# perf writes one digit behind the point.
for metric in $METRICS; do
	got=$(awk -F ';' -v name="panthor_$metric" '$NF ~ name "$" { print $(NF - 1) }' /out/metrics.txt)
	want=$(value $metric derived)
	check "$metric: perf has $got, panthor-perf $want" awk -v got="$got" -v want="$want" 'BEGIN {
		difference = got - want
		exit !(got > 0 && want > 0 && difference < 0.051 && difference > -0.051)
	}'
done
