# SPDX-License-Identifier: GPL-2.0 or MIT
# panthor-perf info tells what the GPU's properties make.
. /tests/lib.sh

wait_for 10 render_node
# bits HEX: the number of its bits.
bits() {
	_count=0
	for _n in $(seq 0 63); do
		_count=$((_count + (($1 >> _n) & 1)))
	done
	echo $_count
}
# value KEY: a number or a hexadecimal string of the JSON output.
value() {
	sed -n "s/.*\"$1\": *\"*\([0-9a-fx]*\).*/\1/p" /out/info.json | head -n 1
}
# truth KEY: what the GPU says about itself.
truth() {
	host truth-last '^gpu ' | sed -n "s/.* $1=\([0-9a-fx]*\).*/\1/p"
}

check "in words" sh -c 'panthor-perf info >/out/info.txt'
check "as JSON" sh -c 'panthor-perf info --json >/out/info.json'
check_eq "shader cores" "$(value shader_present)" "$(truth shader_present)"
check_eq "shader blocks" "$(value shader)" "$(bits "$(truth shader_present)")"
check_eq "fw blocks" "$(value fw)" "$(truth fw)"
check_eq "counters per block" "$(value counters_per_block)" "$(truth counters)"
check_eq "GPU timestamp frequency" "$(value gpu_timestamp_frequency)" "$(truth timestamp_hz)"
check_eq "memsys blocks" "$(value memsys)" "$(truth l2_slices)"
# Beside the ioctls.
device=$(basename "$(gpu)")
check "the PMU" grep -q "^perf PMU  *panthor_${device%%.*}$" /out/info.txt
older=yes
[ -z "${PERF_MAINLINE:-}" ] || older=no
check "the older interface" grep -q "^PERF_CONTROL  *$older$" /out/info.txt
# A single operating point.
core=$(($(host qom-get gpu0 core-hz) / 1000000))
check "the core clock" grep -q "^core clock  *$core MHz (lowest $core, highest $core, profiling $core)$" /out/info.txt
panthor-perf stat --clocks=highest 2>/out/modes.txt
check_eq "no clock modes" $? 2
check "no clock modes: the reason" grep -q 'single rate' /out/modes.txt
check_not "a device that is none" panthor-perf info -d /dev/null
check_not "a device that does not exist" panthor-perf info -d /dev/dri/renderD200
check "suspended after the queries" wait_for 10 status_is suspended
