#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/layer/state/run.sh [--suite SUITE] [--built SUITE] [--sanitize KIND] [--mode MODES] [--layer FOLDER] [-- OPTION...]
#
# Builds the test of the state that workloads see, with the headers and the registry of a suite of Debian, and runs it
# with the Vulkan layer in each of its modes that split command buffers. Prints lines "ok ..." and "not ok ...".
#
#	--suite SUITE	headers and registry: trixie (default), unstable, or host
#	--built SUITE	the layer is built with the headers of this suite, and the application enables what these have: the driver
#			has newer commands of the same extensions
#	--sanitize KIND	address, undefined or none (default)
#	--mode MODES	workload,queries,whole (default; whole: an extension with which nothing may be split); of the test itself: self (both sides are without a layer), simulate (a
#			layer of its own, which is right) and plant (with faults, each of which must be found)
#	--layer FOLDER	sources of the layer (tools/vulkan-layer)
#	OPTION		for the program, see --help of it: --only, --seed, --sequences, --failures, --whole
set -eu
TOP=$(cd "$(dirname "$0")/../../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

suite=trixie
built=
sanitize=none
modes=workload,queries,whole
sources=$TOP/tools/vulkan-layer
while [ $# -gt 0 ]; do
	case $1 in
	--suite | --built | --sanitize | --mode | --layer)
		[ $# -ge 2 ] || die "$1 needs a value"
		case $1 in
		--suite) suite=$2 ;;
		--built) built=$2 ;;
		--sanitize) sanitize=$2 ;;
		--mode) modes=$2 ;;
		--layer) sources=$(cd "$2" && pwd) ;;
		esac
		shift 2
		;;
	--)
		shift
		break
		;;
	--help)
		show_help "$0"
		exit 0
		;;
	*) die "unknown argument '$1'; --help shows the usage" ;;
	esac
done
case $sanitize in
none) flags= ;;
address | undefined) flags="-fsanitize=$sanitize -fno-sanitize-recover=all" ;;
*) die "--sanitize '$sanitize': address, undefined or none" ;;
esac
# The headers and the registry of a suite, and its name.
headers() {
	if [ "$1" = host ]; then
		VULKAN_INCLUDE=/usr/include
		VULKAN_REGISTRY=/usr/share/vulkan/registry/vk.xml
		return
	fi
	vars=$("$TOP/scripts/build/fetch-vulkan-headers.sh" --suite "$1") || exit $?
	eval "$vars"
}
headers "${built:-$suite}"
LAYER_INCLUDE=$VULKAN_INCLUDE
LAYER_REGISTRY=$VULKAN_REGISTRY
headers "$suite"

out=$BUILD/layer/state-$suite-$sanitize${built:+-$built}
[ "$sources" = "$TOP/tools/vulkan-layer" ] || out=$out-$(echo "$sources" | sha256sum | cut -c 1-8)
(
	lock_folder "$out"
	nice make --no-print-directory -C "$TOP/tests/layer/state" "O=$out" "VULKAN_INCLUDE=$VULKAN_INCLUDE" \
		"VULKAN_REGISTRY=$VULKAN_REGISTRY" "LAYER_INCLUDE=$LAYER_INCLUDE" "LAYER_REGISTRY=$LAYER_REGISTRY" "LAYER_SOURCES=$sources" "SANITIZERS=$flags" >"$out/build.log" 2>&1
) || {
	tail -n 25 "$out/build.log" >&2
	die "the build has failed; the whole log is $out/build.log"
}

if [ -n "$built" ]; then
	"$TOP/tests/layer/state/generate.py" "$LAYER_REGISTRY" >"$out/known"
	set -- --known "$out/known" "$@"
fi
export FAKE_SETTINGS="features=0x20,max_slots=64"
export FAKE_LOAD="$TOP/tests/layer/load"
# The frame that is profiled does not come: what is split is not counted.
export PANTHOR_PERF_LAYER_FRAMES=1000000000
export PANTHOR_PERF_LAYER_UNIT=workload
export ASAN_OPTIONS=detect_leaks=0
rc=0
for mode in $(echo "$modes" | tr , ' '); do
	echo "# $mode, Vulkan of Debian $suite"
	layer=--layer=$out/layer/libVkLayer_panthor_perf.so
	case $mode in
	workload) PANTHOR_PERF_LAYER=profile ;;
	queries) PANTHOR_PERF_LAYER=queries ;;
	whole) PANTHOR_PERF_LAYER=profile ;;
	self | simulate | plant)
		PANTHOR_PERF_LAYER=off
		layer=--$mode
		;;
	*) die "--mode '$mode': workload, queries, whole, self, simulate or plant" ;;
	esac
	more=
	[ $mode != whole ] || more="--whole=VK_ARM_render_pass_striped --only random --sequences 30"
	export PANTHOR_PERF_LAYER
	# shellcheck disable=SC2086 # words
	nice "$out/state" "$layer" $more "$@" 2>"$out/$mode.err" || rc=$?
	grep -v '^panthor-perf-layer: ' "$out/$mode.err" >&2 || :
done
exit $rc
