#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/vulkan-layer.sh [--validation | --sanitize | --renderdoc] [--submissions N] [--vmali PROPS] [--name NAME]
#
# The Vulkan layer (tools/vulkan-layer) on Debian's own Mesa and the virtual GPU. What the layer counts for a Vulkan program
# whose steps have known costs is compared with these, and with the GPU's own totals. The last line is
# "vulkan-layer: N rows compared with the GPU's own totals".
#
#	--validation	only the validation layer of Khronos, above and below: it must have no message
#	--renderdoc	only RenderDoc, which captures a frame with the layer as without it
#	--sanitize	the layer is built with ASan and UBSan, which must have no message
#	--submissions N	of eight threads (400)
#	--vmali PROPS	properties of the virtual GPU, beside counters=work,auto-samples=0,clocks=3,clock-provider=on
#	--name NAME	name of the run (vulkan-layer)
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

vmali=
name=vulkan-layer
validation=
sanitize=
renderdoc=
submissions=400
options validation sanitize renderdoc submissions= vmali= name= -- "$@"

cd "$TOP"
scripts/build/build-module.sh
scripts/build/build-tools.sh
scripts/build/build-qemu.sh >/dev/null
mesa=$(scripts/build/build-mesa-tests.sh ${validation:+--validation} ${renderdoc:+--renderdoc}) || exit $?
eval "$mesa"
kernel=$(scripts/build/fetch-kernel.sh) || exit 1
eval "$kernel"
modules=$(scripts/build/build-guest-modules.sh) || exit 1
eval "$modules"

if [ -n "$sanitize" ]; then
	sanitized=$BUILD/mesa/sanitize
	make -s -C tools/vulkan-layer O="$BUILD" OUT="$sanitized/objects" CC=aarch64-linux-gnu-gcc SANITIZE=1 \
		LIBRARY="$BUILD/tools-guest/libpanthor-perf.a" VULKAN_INCLUDE="$MESA_INCLUDE" \
		DRM_CFLAGS="-I$SYSROOT_ARM64/usr/include/libdrm" \
		JSON_CFLAGS="-I$SYSROOT_ARM64/usr/include/json-c" \
		JSON_LIBS="$SYSROOT_ARM64/usr/lib/aarch64-linux-gnu/libjson-c.a" \
		DRM_LIBS="$MESA_ROOT/usr/lib/aarch64-linux-gnu/libdrm.so.2 -Wl,--allow-shlib-undefined" >&2 ||
		die "the layer does not build"
	mkdir -p "$sanitized/layer" "$sanitized/preload"
	cp -r "$sanitized/objects/libVkLayer_panthor_perf.so" "$sanitized/objects/implicit_layer.d" "$sanitized/layer/"
	for library in libasan.so libubsan.so; do
		cp -L "$(aarch64-linux-gnu-gcc -print-file-name=$library)" "$sanitized/preload/"
	done
	MESA_LAYER=$sanitized/layer
fi
test=vulkan-layer
[ -z "$validation" ] || test=vulkan-validation
[ -z "$renderdoc" ] || test=vulkan-renderdoc
status=0
scripts/run-guest.py --name "$name" --timeout $((300 + submissions / 10)) --append "LAYER_SUBMISSIONS=$submissions" --vmali "counters=work,auto-samples=0,clocks=3,clock-provider=on${vmali:+,$vmali}" \
	--file "$GUEST_MODULES/vmali-clk.ko:/modules/vmali-clk.ko" \
	--folder "$MESA_ROOT:/mesa" --folder "$MESA_BIN:/mesa/mesa-tests" \
	--folder "$MESA_LAYER:/mesa/usr/share/vulkan" ${renderdoc:+--folder "$RENDERDOC_ROOT:/mesa"} ${sanitize:+--folder "$sanitized/preload:/mesa/preload"} "$test" || status=1
[ -z "$validation$renderdoc" ] || exit "$status"
run=$BUILD/run/$name
rows=0
# rows NAME COSTS: the rows of a program
rows() {
	tests/mesa/layer.py tools/counters/G710.counters "$run/out/$2" "$run/out/$1.csv" "$run/$1.totals" >"$run/$1.log" ||
		status=1
	sed "s/ok /ok $1: /" "$run/$1.log"
	! grep -q '^not ok' "$run/$1.log" || status=1
}
# truth NAME: are the rows those of samples in the GPU's own log?
truth() {
	tests/compare/check-totals.py --partial --title="$1" "$run/truth.log" "$run/$1.totals" >"$run/$1.log" || status=1
	grep '^not ok' "$run/$1.log" || echo "ok $1: $(grep -c '^ok' "$run/$1.log") rows agree with the truth"
	rows=$((rows + $(grep -c '^ok' "$run/$1.log")))
}
rows submission steps.costs
truth submission
rows command-buffer steps.costs
truth command-buffer
rows workloads-workload workloads.costs
truth workloads-workload
rows presented presented.costs
truth presented
tests/mesa/trace-rows.py "$run/out/signalled.perfetto-trace" >"$run/out/signalled.csv" || status=1
rows signalled signalled.costs
truth signalled
rows threads threads.costs
truth threads
echo "vulkan-layer: $rows rows compared with the GPU's own totals"
exit "$status"
