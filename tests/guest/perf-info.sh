# SPDX-License-Identifier: GPL-2.0 or MIT
# panthor-perf info tells what the GPU's properties make.
. /tests/lib.sh

wait_for 10 render_node
bits() {
	_n=$(($1))
	_count=0
	while [ $_n -ne 0 ]; do
		_count=$((_count + (_n & 1)))
		_n=$((_n >> 1))
	done
	echo $_count
}
# number KEY: a number of the JSON output.
number() {
	sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" /out/info.json | head -n 1
}

check "in words" sh -c 'panthor-perf info >/out/info.txt'
check "as JSON" sh -c 'panthor-perf info --json >/out/info.json'
cat /out/info.json
check_eq "shader blocks" "$(number shader)" "$(bits "$(host qom-get gpu0 shader-present)")"
check_eq "memsys blocks" "$(number memsys)" "$(host qom-get gpu0 l2-slices)"
check_not "a device that is none" panthor-perf info -d /dev/null
check_not "a device that does not exist" panthor-perf info -d /dev/dri/renderD200
check "suspended after the queries" wait_for 10 status_is suspended
