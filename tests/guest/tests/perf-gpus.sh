# SPDX-License-Identifier: GPL-2.0 or MIT
# Several GPUs in one machine: each has a device, counters and a PMU of its own, and goes away alone. The samples in
# /out/gpuN/NAME.SAMPLES.ERRORS.raw are compared with the log of that GPU outside.
# vmali: seed=1;seed=2
# kernel: slab_debug=FZP
. /tests/lib.sh

last=$(($(gpus) - 1))
check_ge "number of GPUs" $((last + 1)) 2
for n in $(seq 0 $last); do
	check "gpu$n: bound" wait_for 10 bound "$n"
	check "gpu$n: a render node" wait_for 10 render_node "$n"
	mkdir -p "/out/gpu$n"
done
check_eq "render nodes" "$(for n in $(seq 0 $last); do render_node "$n"; done | sort -u | wc -l)" $((last + 1))

# start FILE SAMPLES [GPU...]: panthor-perf stat with all of these GPUs at the same time, in $pids
start() {
	_file=$1
	_samples=$2
	shift 2
	pids=
	for _gpu; do
		panthor-perf stat -d "$(render_node "$_gpu")" -I 20 -n "$_samples" \
			--raw "/out/gpu$_gpu/$_file.$_samples.0.raw" >"/out/gpu$_gpu/$_file.txt" &
		pids="$pids $!"
	done
}
# finish TEXT: they succeed
finish() {
	for _pid in $pids; do
		wait "$_pid"
		check_eq "$1: panthor-perf stat" $? 0
	done
}
start together 20 $(seq 0 $last)
finish "all at the same time"

for n in $(seq 0 $last); do
	device=$(basename "$(gpu "$n")")
	check "gpu$n: on request" sh -c \
		"panthor-perf stat -d $(render_node "$n") -n 5 --raw /out/gpu$n/requested.5.0.raw >/out/gpu$n/requested.txt"
	check "gpu$n: in words" sh -c "panthor-perf info -d $(render_node "$n") >/out/gpu$n/info.txt"
	check "gpu$n: its PMU" grep -q "^perf PMU  *panthor_${device%%.*}$" "/out/gpu$n/info.txt"
	check "gpu$n: the PMU is there" test -e "/sys/bus/event_source/devices/panthor_${device%%.*}"
	check_eq "gpu$n: violations" "$(GPU_NR=$n host qom-get gpu0 violations)" 0
	check_eq "gpu$n: samples of its own" "$(GPU_NR=$n host truth-count '^enable ')" 2
done

suspended() {
	[ "$(cat "$(gpu "$1")/power/runtime_status")" = suspended ]
}
# One that goes away leaves the others alone.
start others 40 $(seq 0 $((last - 1)))
device=$(basename "$(gpu $last)")
echo "$device" >"$DRIVER/unbind"
check_not "gpu$last: unbound" bound $last
finish "while gpu$last goes away"
echo "$device" >"$DRIVER/bind"
check "gpu$last: bound again" wait_for 10 render_node $last
start again 5 $last
finish "gpu$last again"
for n in $(seq 0 $last); do
	check "gpu$n: suspended in the end" wait_for 10 suspended "$n"
done
