# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: counters=load,core-hz=400000000,load=@TOP@/tests/guest/busy.load
# How busy the GPU is, against a load with known rates: tests/guest/busy.load, with core-hz=400000000.
. /tests/lib.sh

wait_for 10 render_node

# within NAME VALUE: the value of a counter in the sample is that within 0.1 %
within() {
	awk -F , -v name="$1" -v want="$2" '
		$6 == name && $7 == "" { found = 1; good = $8 >= want * 0.999 && $8 <= want * 1.001 }
		END { exit !(found && good) }' /out/busy.csv
}

check "stat for a second" sh -c 'panthor-perf stat --csv --duration 1 >/out/busy.csv'
check "gpu_busy: 160000 of 400000 cycles in each ms" within gpu_busy 40
check "gpu_clock: 400 MHz" within gpu_clock 400000000
check "core_util: 90000 of 120000 cycles" within core_util 75
slices=$(panthor-perf info | sed -n 's/^L2 slices *//p')
bytes=$(($(panthor-perf info | sed -n 's/^external bus *\([0-9]*\) bits$/\1/p') / 8))
check_ge "bytes of the external bus" "$bytes" 8
check "ext_rd_bw: 30000 beats of each slice in each ms" within ext_rd_bw $((slices * bytes * 30000000))
check "ext_wr_bw: 10000 beats" within ext_wr_bw $((slices * bytes * 10000000))
check "stat as a table" sh -c 'panthor-perf stat --duration 1 >/out/busy.txt'
sed '1,/^sample 0:/d' /out/busy.txt >/tmp/rows
check "the verdict comes first" sh -c \
	'head -n 1 /out/busy.txt | grep -qE "^Not GPU bound: idle for (59.9|60.0) % of the time\."'
check "gpu_busy comes first of the counters" sh -c \
	'grep -m 1 " %" /tmp/rows | grep -qE "^ +gpu_busy +(39.9|40.0)[0-9] %"'
# Its session lets this GPU sleep, which nothing else uses.
check "prometheus" sh -c 'panthor-perf prometheus -I 1 >/out/prometheus.txt'
check "prometheus: 160000 of 400000 cycles in each ms" awk '
	/^panthor_gpu_active_cycles_total/ { active = $NF }
	/^panthor_clock_cycles_total.*"toplevel"/ { cycles = $NF }
	END { share = active / cycles; exit !(share > 0.399 && share < 0.401 && cycles > 1e6) }' /out/prometheus.txt
