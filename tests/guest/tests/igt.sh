# SPDX-License-Identifier: GPL-2.0 or MIT
# kernel: slab_debug=FZP
# The tests of tests/igt with the small harness, as scripts/igt-arm64.sh puts them into the guest: a result for each
# subtest. Of IGT_TEST and IGT_SUBTEST, which are kernel arguments, * and ? stand for others.
. /tests/lib.sh

wait_for 10 render_node
# A second device with fences.
load_vgem
# The port of requests has another name when ports_back made it usable again.
PANTHOR_PERF_HOST=/run/igt-host
PANTHOR_PERF_HOST_WAKE='. /tests/ports.sh && ports_back && ln -sf $(cat /run/control) /run/igt-host'
sh -c "$PANTHOR_PERF_HOST_WAKE"
PANTHOR_PERF_GPU=gpu0
export PANTHOR_PERF_HOST PANTHOR_PERF_HOST_WAKE PANTHOR_PERF_GPU
skipped=/out/igt-skipped
log=/tmp/igt-log
: >$skipped

# Results of a program's output: "ok NAME", "not ok NAME - WHY", "skip NAME: WHY".
results() {
	awk '
	/^Starting subtest: / { why = "" }
	/^(Failed assertion|Test requirement): / && why == "" {
		why = $0
		sub(/^[^:]*: /, "", why)
		if ($0 ~ /^Test/ && getline > 0 && !/^Subtest /)
			why = $0
	}
	/^Subtest / {
		name = $2
		sub(/:$/, "", name)
		if ($3 == "SUCCESS")
			print "ok " name
		else if ($3 == "SKIP")
			print "skip " name ": " why
		else
			print "not ok " name " - " why
	}' "$1"
}

for program in /programs/${IGT_TEST:-panthor_perf_*}; do
	name=${program##*/}
	timeout -s KILL "$(patient 300)" "$program" ${IGT_SUBTEST:+--run-subtest "$IGT_SUBTEST"} \
		>$log 2>&1
	status=$?
	# The program has no such subtest.
	[ $status -ne 79 ] || continue
	results $log >/tmp/igt-results
	while read -r line; do
		case $line in
		"ok "*) ok "$name@${line#ok }" ;;
		"skip "*) echo "$name@${line#skip }" >>$skipped ;;
		*)
			line=${line#not ok }
			not_ok "$name@${line%% - *}" "${line#* - }"
			sed 's/^/  /' $log
			;;
		esac
	done </tmp/igt-results
	head -n 1 $log | grep -q '^Small harness of panthor-perf' ||
		not_ok "$name is run by the small harness" "its first line is '$(head -n 1 $log)'"
	# One failed, one of them is why; all skipped.
	case $status in
	0 | 77) ;;
	98) grep -q '^not ok' /tmp/igt-results || not_ok "$name" "failed without a subtest that did" ;;
	*) not_ok "$name ends" "exit status $status: $(tail -n 1 $log)" ;;
	esac
	wanted=$("$program" --list-subtests | wc -l)
	[ -n "${IGT_SUBTEST:-}" ] || check_eq "all subtests of $name have a result" "$(wc -l </tmp/igt-results)" "$wanted"
done
true
