# SPDX-License-Identifier: GPL-2.0 or MIT
# perf with the counters of this GPU in its tables, in /perf-tables: its metrics are the derived counters of
# panthor-perf. Every counter counts the same in each ms. So a derived counter is the same for all lengths, or it grows
# with the length: two measurements of panthor-perf, of 1 and 4 seconds, say which. perf measures for 8 seconds.
. /tests/lib.sh

wait_for 10 render_node
perf=/perf-tables/perf

check "events of the product" sh -c "$perf list --unit panthor >/out/list.txt 2>&1"
check "a counter by its name" grep -q 'mali_gpu_active' /out/list.txt
metrics=$($perf list --raw-dump metric 2>/tmp/err | tr ' ' '\n' | grep '^panthor_' | sort -u)
check_eq "metrics of the product" "$(echo "$metrics" | wc -l)" "$PERF_METRICS"
derived=$(echo "$metrics" | sed 's/^panthor_//' | tr '\n' ',')

for s in 1 4; do
	check "derived counters in $s s" panthor-perf stat -x ';' --duration $s -o /out/derived-$s.txt \
		-e "${derived%,},MaliTilerActiveCy"
done
# The PMU does not power the GPU: a session does.
check "metrics" panthor-perf stat -o /dev/null -e tiler:4 -- $perf stat -a -j -o /out/metrics.json \
	-M "$(echo "$metrics" | paste -s -d ,)" -- sleep 8
check "a group of metrics" $perf stat -a -x ';' -o /out/group.txt -M panthor_front_end -- true
check_ge "it has metrics" "$(grep -c '; *[^;]* panthor_[a-z_0-9]*$' /out/group.txt)" 5
check "metrics only" $perf stat -a --metric-only -o /out/only.txt -M panthor_front_end -- true
check_ge "their names are there" "$(grep -o 'panthor_[a-z_0-9]*' /out/only.txt | sort -u | wc -l)" 5
check_ge "and their values" "$(grep -v panthor_ /out/only.txt | grep -oE '(^| )-?[0-9]+\.?[0-9]*( |$)' | wc -l)" 5
check "an event" panthor-perf stat -o /dev/null -e tiler:4 -- $perf stat -a -x ';' -o /out/event.txt \
	-e duration_time,mali_tiler_active -- sleep 3

# Within 2 %; what grows with the length within 5 %, since perf reads the clock before it reads hundreds of events. JSON
# has six digits behind the point.
sed -n 's/.*"metric-value" : "\([-0-9.]*\)", "metric-unit" : "[^"]*\(panthor_[a-z0-9_]*\)".*/\2 \1/p' /out/metrics.json \
	>/tmp/metrics.txt
seconds=$(sed -n 's/.*"counter-value" : "\([0-9.]*\)".*"event" : "duration_time".*/\1/p' /out/metrics.json | head -n 1)
for s in 1 4; do
	awk -F ';' 'FNR > 1 && $7 == "" && $8 != "" { print "panthor_" $6, $8, $3 }' /out/derived-$s.txt >/tmp/derived-$s.txt
done
awk -v ns="$seconds" '
	function near(a, b, part) {
		difference = a > b ? a - b : b - a
		size = b > 0 ? b : -b
		return difference < 0.000002 + part * size
	}
	FILENAME ~ /derived-1/ { short[$1] = $2; short_s = $3; next }
	FILENAME ~ /derived-4/ { long[$1] = $2; long_s = $3; next }
	{ got[$1] = $2 }
	END {
		for (name in got) {
			if (near(long[name], short[name], 0.01) && near(got[name], short[name], 0.02))
				same++
			else if (near(long[name] * short_s, short[name] * long_s, 0.01) &&
				 near(got[name] * short_s * 1e9 / ns, short[name], 0.05))
				longer++
			else
				print "# " name ": perf has " got[name] " in " ns / 1e9 " s, panthor-perf " short[name] " in " \
					short_s " s and " long[name] " in " long_s " s"
			zero += got[name] == 0
		}
		print "# " same + 0 " are the same, " longer + 0 " grow with the length, " zero + 0 " are 0"
		print same + longer - zero + 0
	}' /tmp/derived-1.txt /tmp/derived-4.txt /tmp/metrics.txt >/out/compared.txt
cat /out/compared.txt
check_eq "metrics that are the derived counters of panthor-perf" "$(tail -n 1 /out/compared.txt)" "$PERF_METRICS"
check "an event has the rate of its counter" awk -F ';' -v derived="$(grep ';MaliTilerActiveCy;;' /out/derived-1.txt)" '
	/duration_time/ { got_s = $1 / 1e9 }
	/mali_tiler_active/ { got = $1 }
	END {
		split(derived, fields, ";")
		rate = fields[8] / fields[3]
		exit !(got / got_s > rate * 0.95 && got / got_s < rate * 1.05)
	}' /out/event.txt
