# SPDX-License-Identifier: GPL-2.0 or MIT
# perf with the counters of this GPU in its tables, in /perf-tables: its metrics are the derived counters of
# panthor-perf. Every counter counts the same in each ms. So a derived counter is the same for all lengths, or it grows
# with the length: the lengths of the two measurements differ.
. /tests/lib.sh

wait_for 10 render_node
perf=/perf-tables/perf

check "events of the product" sh -c "$perf list --unit panthor >/out/list.txt 2>&1"
check "a counter by its name" grep -q 'mali_gpu_active' /out/list.txt
metrics=$($perf list --raw-dump metric 2>/tmp/err | tr ' ' '\n' | grep '^panthor_' | sort -u)
count=$(echo "$metrics" | wc -l)
check_ge "metrics of the product" "$count" 100
derived=$(echo "$metrics" | sed 's/^panthor_//' | tr '\n' ',')

check "derived counters" panthor-perf stat -x ';' --duration 1 -o /out/derived.txt -e "${derived%,},MaliTilerActiveCy"
# The PMU does not power the GPU: a session does.
check "metrics" panthor-perf stat -o /dev/null -e tiler:4 -- $perf stat -a -x ';' -o /out/metrics.txt \
	-M "$(echo "$metrics" | paste -s -d ,)" -- sleep 8
check "a group of metrics" $perf stat -a -x ';' -o /out/group.txt -M panthor_front_end -- true
check_ge "it has metrics" "$(grep -c '; *[^;]* panthor_[a-z_0-9]*$' /out/group.txt)" 5
check "an event" panthor-perf stat -o /dev/null -e tiler:4 -- $perf stat -a -x ';' -o /out/event.txt \
	-e duration_time,mali_tiler_active -- sleep 3

# Within 2 %; what grows with the length within 5 %, since perf reads the clock before it reads hundreds of events. It
# writes one digit behind the point, and nothing for what is below 0.
awk -F ';' '
	function near(a, b, part) {
		difference = a > b ? a - b : b - a
		return difference < 0.051 + part * b
	}
	FILENAME ~ /derived/ {
		if (FNR > 1 && $7 == "") {
			want["panthor_" $6] = $8
			want_s = $3
		}
		next
	}
	$3 == "duration_time" { got_s = $1 / 1e9 }
	$NF ~ /panthor_/ {
		n = split($NF, words, " ")
		got[words[n]] = $(NF - 1)
	}
	END {
		for (name in want) {
			if (name == "panthor_MaliTilerActiveCy")
				continue
			if (want[name] != "" && want[name] < 0 && got[name] == "")
				below++
			else if (want[name] != "" && got[name] != "" && near(got[name], want[name], 0.02))
				same++
			else if (want[name] != "" && got[name] != "" && near(got[name] * want_s / got_s, want[name], 0.05))
				longer++
			else
				print "# " name ": perf has \"" got[name] "\" in " got_s " s, panthor-perf \"" want[name] "\" in " want_s " s"
		}
		print "# " same + 0 " are the same, " longer + 0 " grow with the length, " below + 0 " are below 0"
		print same + longer + below + 0
	}' /out/derived.txt /out/metrics.txt >/out/compared.txt
cat /out/compared.txt
check_eq "metrics that are the derived counters of panthor-perf" "$(tail -n 1 /out/compared.txt)" "$count"
check "an event has the rate of its counter" awk -F ';' -v derived="$(grep ';MaliTilerActiveCy;;' /out/derived.txt)" '
	/duration_time/ { got_s = $1 / 1e9 }
	/mali_tiler_active/ { got = $1 }
	END {
		split(derived, fields, ";")
		rate = fields[8] / fields[3]
		exit !(got / got_s > rate * 0.95 && got / got_s < rate * 1.05)
	}' /out/event.txt
