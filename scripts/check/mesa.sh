#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "mesa" of scripts/check.py: Debian's own Mesa as the workload, make mesa, on several GPUs and kernels; and the
# Vulkan layer on it. At night also the patches for Mesa, and its counter tools with them.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

NOT_IN_ARCHIVE=3
G720=gpu-id=0xc8700008,shader-present=0x550555
G725=gpu-id=0xd8300015,shader-present=0xee0077

build() {
	"$TOP/scripts/build/build-module.sh" || die "the module does not build"
	"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
	"$TOP/scripts/build/build-qemu.sh" >/dev/null || die "the virtual GPU does not build"
	result "ok driver and tools build"
}

# mesa NAME SUITE ARGUMENTS...: make mesa, the closing line of which is a result, too
mesa() {
	_name=$1
	_suite=$2
	shift 2
	_found=0
	"$TOP/scripts/build/fetch-mesa.sh" --suite "$_suite" >/dev/null || _found=$?
	if [ "$_found" = "$NOT_IN_ARCHIVE" ]; then
		result "skip $_name: Mesa of Debian $_suite is not in the archive"
		return
	fi
	many "$_name" "$TOP/scripts/mesa.sh" --name "mesa-$_name" --suite "$_suite" "$@"
	_last=$(tail -n 1 "$(log_of "$_name")")
	case $_last in
	"mesa: "[1-9]*" 0 differ" | "mesa: no counters "*) result "ok $_name: ${_last#mesa: }" ;;
	*) result "not ok $_name - the last line is '$_last'" ;;
	esac
}

# layer NAME SCRIPT ARGUMENTS...: make vulkan-layer, or layer-demo
layer() {
	_name=$1
	_script=$2
	shift 2
	_found=0
	"$TOP/scripts/build/fetch-mesa.sh" >/dev/null || _found=$?
	if [ "$_found" = "$NOT_IN_ARCHIVE" ]; then
		result "skip $_name: Mesa of Debian trixie is not in the archive"
		return
	fi
	many "$_name" "$TOP/scripts/$_script" --name "mesa-$_name" "$@"
}
renderdoc() {
	_found=0
	eval "$("$TOP/scripts/build/fetch-mesa.sh")"
	"$TOP/scripts/build/fetch-renderdoc.sh" --mesa "${MESA_ROOT:-}" >/dev/null || _found=$?
	if [ "$_found" = "$NOT_IN_ARCHIVE" ]; then
		result "skip renderdoc: RenderDoc of Debian bookworm is not in the archive"
		return
	fi
	layer renderdoc vulkan-layer.sh --renderdoc
}
series() {
	many series "$TOP/tests/mesa/check-series.py"
}
host() {
	many host "$TOP/tests/mesa/host.sh"
}

# newest NAME ARGUMENTS...: with the newest kernel of scripts/kernels.list
newest() (
	PANTHOR_PERF_KERNEL=$(awk '!/^#/ && NF { print $1 }' "$TOP/scripts/kernels.list" | sort -V | tail -n 1)
	export PANTHOR_PERF_KERNEL
	_status=0
	"$TOP/scripts/build/fetch-kernel.sh" >/dev/null || _status=$?
	if [ "$_status" = "$NOT_IN_ARCHIVE" ]; then
		result "skip $1: the archive has no packages of Linux $PANTHOR_PERF_KERNEL"
		return
	fi
	mesa "$@"
)

# libasan of Debian 13's cross compiler (14.2.0-19cross1) has variables among its instructions. Writing to them ends each
# program.
sanitize() {
	_library=$(aarch64-linux-gnu-gcc -print-file-name=libasan.so)
	if aarch64-linux-gnu-nm "$_library" 2>/dev/null | grep -q ' t _ZN14__interception11real_strcatE$'; then
		result "skip sanitize: libasan of this host's cross compiler ends programs with SIGSEGV"
		return
	fi
	layer sanitize vulkan-layer.sh --sanitize
}

job build first after=qemu/build,guest/build -- build
job trixie long -- mesa trixie trixie
job layer long -- layer layer vulkan-layer.sh
job stock -- mesa stock trixie --stock
job newest nightly -- newest newest sid
job coherent nightly -- mesa coherent trixie --vmali coherent=on
job gl nightly -- mesa gl trixie --gl
job validation nightly -- layer validation vulkan-layer.sh --validation
job sanitize nightly -- sanitize
job renderdoc nightly -- renderdoc
job demo nightly -- layer demo layer-demo.sh
job host nightly after=qemu/build,guest/build -- host
job series nightly -- series
job counters nightly after=series -- mesa counters trixie --counters
job sid nightly -- mesa sid sid --gl
job g720 nightly -- mesa g720 sid --gl --vmali "$G720"
job g725 nightly -- mesa g725 sid --gl --vmali "$G725"
finish
