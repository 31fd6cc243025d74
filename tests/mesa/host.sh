#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/mesa/host.sh
#
# The Vulkan layer on this host, with llvmpipe, a GPU that it cannot count: it says why, and passes everything through.
# Settings that are not valid are reported. The layer is built with ASan and UBSan, which must have no message. Prints
# "ok NAME" or "not ok NAME - why". Needs libvulkan-dev and mesa-vulkan-drivers.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

options -- "$@"
need gcc make pkg-config
icd=$(find /usr/share/vulkan/icd.d -name 'lvp_icd*.json' | head -n 1)
[ -n "$icd" ] && pkg-config --exists vulkan || die "install libvulkan-dev and mesa-vulkan-drivers"
out=$BUILD/mesa/host
mkdir -p "$out"
"$TOP/scripts/build/build-tools.sh"
make -s -C "$TOP/tools/vulkan-layer" O="$BUILD" OUT="$out/layer" SANITIZE=1 \
	LIBRARY="$BUILD/tools-host/libpanthor-perf.a" >&2
gcc -O2 -o "$out/vk-calls" "$TOP/tests/bench/layer/vk-calls.c" -lvulkan
preload=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
failed=0
minor=

# run NAME TEXT VARIABLE=VALUE...: the program runs as without the layer, which says TEXT
run() {
	name=$1
	text=$2
	shift 2
	why=
	env -u LIBRARY_PATH "$@" VK_ICD_FILENAMES="$icd" VK_LAYER_PATH="$out/layer/explicit_layer.d" \
		LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0 "$out/vk-calls" 2 $minor >"$out/out" 2>"$out/err" ||
		why="exit status $?"
	[ "$(cat "$out/out")" = "400 2" ] || why="${why:-it printed '$(cat "$out/out")'}"
	[ -z "$text" ] || grep -qF "$text" "$out/err" || why="${why:-no message '$text'}"
	[ -n "$text" ] || ! said=$(grep -m 1 panthor-perf-layer "$out/err") || why="${why:-it said '$said'}"
	! said=$(grep -m 1 'Sanitizer\|runtime error' "$out/err") || why="${why:-$said}"
	if [ -z "$why" ]; then
		echo "ok $name"
	else
		echo "not ok $name - $why"
		failed=1
	fi
}
# wrong SETTING VALUE WANTED
wrong() {
	run "$1=$2" "PANTHOR_PERF_LAYER_$1='$2': $3 is expected; nothing is profiled" \
		VK_INSTANCE_LAYERS=VK_LAYER_PANTHOR_perf PANTHOR_PERF_LAYER=profile "PANTHOR_PERF_LAYER_$1=$2"
}

unknown="is not profiled: its driver has no VK_EXT_physical_device_drm"
run "without the layer" "" NOTHING=1
for unit in submission command-buffer workload frame; do
	run "profile, by $unit" "$unknown" VK_INSTANCE_LAYERS=VK_LAYER_PANTHOR_perf PANTHOR_PERF_LAYER=profile \
		PANTHOR_PERF_LAYER_UNIT=$unit
done
for minor in 0 1 2 3 4; do
	run "Vulkan 1.$minor" "$unknown" VK_INSTANCE_LAYERS=VK_LAYER_PANTHOR_perf PANTHOR_PERF_LAYER=profile
	run "queries, Vulkan 1.$minor" "$unknown" VK_INSTANCE_LAYERS=VK_LAYER_PANTHOR_perf_query PANTHOR_PERF_LAYER=queries
done
minor=
run "queries" "$unknown" VK_INSTANCE_LAYERS=VK_LAYER_PANTHOR_perf_query PANTHOR_PERF_LAYER=queries
run "off" "" VK_INSTANCE_LAYERS=VK_LAYER_PANTHOR_perf PANTHOR_PERF_LAYER=off
run "an unknown mode" "PANTHOR_PERF_LAYER='profil': profile, queries or off is expected" \
	VK_INSTANCE_LAYERS=VK_LAYER_PANTHOR_perf PANTHOR_PERF_LAYER=profil
wrong UNIT picture "submission, command-buffer, workload or frame"
for output in rows rows.txt json; do
	wrong OUTPUT "$output" "a file name that ends in .csv, .json or .perfetto-trace"
done
frames="a list such as 10,20-29,100-/60"
for wanted in x '1,' 5-3 1/0 -1 1-2-3; do
	wrong FRAMES "$wanted" "$frames"
done
wrong CLOCKS fast "default, profiling, lowest or highest"
wrong SIGNAL KILL "USR1 or USR2"
exit $failed
