#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/wide-ids-test.sh BIN
#
# Builds the tools with each of the two forms of panthor_drm.h that were proposed for ids of 64 bits, and counts a
# Mali-G2 with them, and a GPU that no table knows. The programs of BIN, which know neither form, read the recordings.
# Prints "ok NAME" or "not ok NAME - why".
set -u
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "${1:?"usage: ${0##*/} BIN"}" && pwd)
build=$(dirname "$bin")
objects=$build/tools-host/test/wide
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# check NAME COMMAND...
check() {
	_name=$1
	shift
	if "$@" >"$dir/log" 2>&1; then
		echo "ok $_name"
	else
		echo "not ok $_name - $(head -n 3 "$dir/log" | tr '\n' ' ')"
		failed=1
	fi
}

# has FILE REGEX: the file has such a line
has() {
	grep -qE "$2" "$1" || { head -n 5 "$1" && false; }
}

for form in gpu_id_hi gpu_wide_id; do
	out=$build/wide-ids/$form
	check "$form: the tools build" make -s -C "$here" O="$out" UPLOT=none PANTHOR_UAPI="$objects/$form" \
		"$out/host-bin/panthor-perf-fake"
	fake=$out/host-bin/panthor-perf-fake
	[ -x "$fake" ] || continue
	touch "$dir/gpu.panthor"

	export FAKE_SETTINGS="gpu_id=4026663684,gpu_id_high=252183553,counters=128"
	check "$form: info" "$fake" info -d "$dir/gpu.panthor"
	"$fake" info -d "$dir/gpu.panthor" >"$dir/info" 2>&1
	check "$form: info names the GPU" has "$dir/info" 'Mali-G2-Premium, id 0x0f080401f0020304, architecture 15\.8\.4$'
	"$fake" list -d "$dir/gpu.panthor" >"$dir/list" 2>&1
	check "$form: list has its counters" has "$dir/list" 'MaliEngSlotAnyIssueCy +shader:71 '
	check "$form: record" "$fake" record -d "$dir/gpu.panthor" -n 5 -o "$dir/$form.ptprf"
	for program in "$fake" "$bin/panthor-perf"; do
		"$program" report --json "$dir/$form.ptprf" >"$dir/json" 2>&1
		check "$form: report of ${program##*/}" has "$dir/json" '"gpu_id": ?"0x0f080401f0020304"'
		check "$form: its name" has "$dir/json" '"gpu": ?"Mali-G2-Premium"'
	done
	"$fake" stat -d "$dir/gpu.panthor" -n 2 --json >"$dir/json" 2>&1
	check "$form: stat" has "$dir/json" 'Mali-G2-Premium'

	# Architecture 16.
	export FAKE_SETTINGS="gpu_id=4026663684,gpu_id_high=268960769"
	check "$form: an unknown GPU" "$fake" stat -d "$dir/gpu.panthor" -n 2 -e shader:5
	"$fake" info -d "$dir/gpu.panthor" >"$dir/info" 2>&1
	check "$form: its id" has "$dir/info" 'unknown product, id 0x10080401f0020304, architecture 16\.8\.4$'
	check "$form: its counters have numbers" has "$dir/info" 'counters go by block and index'
done

# A kernel whose ids these programs do not know.
export FAKE_SETTINGS="gpu_id=0"
touch "$dir/gpu.panthor"
"$bin/panthor-perf-fake" info -d "$dir/gpu.panthor" >"$dir/info" 2>&1
check "no id: info" has "$dir/info" 'unknown product, .*no id'
check "no id: counters by number" "$bin/panthor-perf-fake" stat -d "$dir/gpu.panthor" -n 2 -e shader:5
check "no id: record" "$bin/panthor-perf-fake" record -d "$dir/gpu.panthor" -n 2 -o "$dir/none.ptprf"
"$bin/panthor-perf" report "$dir/none.ptprf" >"$dir/report" 2>&1
check "no id: report" has "$dir/report" 'unknown id'
exit $failed
