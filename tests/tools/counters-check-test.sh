#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/counters-check-test.sh BIN
#
# What stops a build: mistakes in copies of the counter tables are found by the program that the
# build runs over them, at their line and column. Prints "ok NAME" or "not ok NAME - why".
set -eu

case ${1:--} in
-*)
	sed -n '4,7s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac
top=$(cd "$(dirname "$0")/../.." && pwd)
check=$1/../tools-counters/check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

result() {
	if [ "$1" = 0 ]; then
		echo "ok $2"
	else
		echo "not ok $2 - $(head -n 1 "$work/messages")"
		failed=1
	fi
}

# broken NAME SED-SCRIPT MESSAGE: with G710.counters so changed the message is this, at that line
broken() {
	rm -f "$work"/*.counters
	cp "$top"/tools/counters/*.counters "$work"
	sed -i "$2" "$work/G710.counters"
	status=0
	"$check" "$work"/*.counters >/dev/null 2>"$work/messages" || status=$?
	good=1
	[ $status = 1 ] && grep -q -E "G710\.counters$3" "$work/messages" && good=0
	result $good "$1"
}

status=0
"$check" "$top"/tools/counters/*.counters 2>"$work/messages" || status=$?
result $status 'the tables are good'

line=$(grep -n '^  4  MaliGPUActiveCy' "$top/tools/counters/G710.counters" | cut -d: -f1)
next=$((line + 1))
derived=$(grep -n '^derived comp_queue_util' "$top/tools/counters/G710.counters" | cut -d: -f1)
formula=$((derived + 1))
broken 'a counter that is there twice' "${line}p" ":$next:3: index 4 of cshw is that of 'MaliGPUActiveCy'"
broken 'a name that is there twice' "${next}s/MaliCSFMCUActiveCy/MaliGPUActiveCy/" \
	":$next:6: the name 'MaliGPUActiveCy' is there twice"
broken 'a source that is there twice' "${next}s/MCU_ACTIVE/GPU_ACTIVE/" \
	":$next:[0-9]+: the source 'GPU_ACTIVE' is there twice"
broken 'an index below the block' "${line}s/  4/  3/" ":$line:3: the index is out of its range, 4 to 63"
broken 'an index beyond the block' "${line}s/  4/ 64/" ":$line:2: the index is out of its range, 4 to 63"
broken 'an unknown unit' "${line}s/ cycles / cycle /" ":$line:[0-9]+: unknown unit 'cycle'"
broken 'a shift that cannot be' "${line}s/\$/ shift 40/" ":$line:[0-9]+: the shift is out of its range"
broken 'an unknown counter in a formula' "${formula}s/MaliCompQueuedCy/MaliCompQueueCy/" \
	":$formula:11: unknown name 'MaliCompQueueCy'"
broken 'an unknown constant in a formula' "${formula}s/100/NCORES/" ":$formula:4: unknown name 'NCORES'"
broken 'a formula that names itself' "${formula}s/gpu_active/comp_queue_util/" \
	":$formula:[0-9]+: unknown name 'comp_queue_util'"
broken 'a formula that names one further down' "${formula}s/gpu_active/mcu_util/" \
	":$formula:[0-9]+: unknown name 'mcu_util'"
broken 'a product of two tables' '/^product *10.2/s/10.2/11.2/' ' has the product 11\.2 as well'
broken 'a file of another name' 's/^table *G710/table G711/' ': the file of the table .G711. is to be'
exit $failed
