#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-debug-kernel.sh [--without]
#
# Builds the kernel of make debug-guest: arm64, from the newest Debian source of a series with this
# checkout's component in tree, configured by tests/guest/config/debug.config. Prints KEY=VALUE lines for
# eval:
#
#	KIMAGE_DEBUG	the kernel, for QEMU
#	KMODDIR_DEBUG	its modules, panthor.ko among them
#	KREL_DEBUG	its release
#	VMLINUX_DEBUG	with symbols, for a debugger
#	WITHOUT_DEBUG	with --without: a panthor.ko of that kernel with DRM_PANTHOR_PERF=n
#
# While only the component changes, only panthor.ko is built again. What is printed lies in
# build/debug.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/kernel-tree.sh"
. "$TOP/scripts/lib/kernel-build.sh"

without=
options without -- "$@"

if [ -z "${CROSS_COMPILE:-}" ] && [ "$(uname -m)" != aarch64 ]; then
	CROSS_COMPILE=aarch64-linux-gnu-
fi
CROSS_COMPILE=${CROSS_COMPILE:-}
ARCH=arm64
IMAGE=arch/arm64/boot/Image
KERNEL=$CACHE/debug$OF_SERIES
# The kernels with the first series have object files in common: but for panthor.ko they are the same.
OUTS=$BUILD/debug${PANTHOR_PERF_PATCHES:+-$PANTHOR_PERF_PATCHES}
LOGS=debug${PANTHOR_PERF_PATCHES:+-$PANTHOR_PERF_PATCHES}
TITLE="the debug kernel"
MINUTES=8
INPUTS=$TOP/scripts/build/build-debug-kernel.sh

make_config() {
	cat "$TOP/tests/guest/config/debug.config"
}

build_extras() {
	:
}

# The other modules and the kernel do not depend on the option: these objects serve, and the option
# is set again in the end.
build_without() {
	sed -E 's/^(CONFIG_DRM_PANTHOR_PERF(_CONTROL)?)=y$/# \1 is not set/' "$CONFIG" \
		>"$OBJ/without.config"
	rm -f "$OBJ/built"
	configure "$OBJ/without.config" &&
		kernel_make modules &&
		mkdir -p "$OUT/without" &&
		"${CROSS_COMPILE}strip" --strip-debug -o "$OUT/without/panthor.ko" \
			"$OBJ/$PANTHOR/panthor.ko" &&
		configure "$CONFIG" &&
		kernel_make modules &&
		echo "$key" >"$OBJ/built"
}

kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
kernel_build
if [ -n "$without" ]; then
	if ! [ -f "$OUT/without/panthor.ko" ]; then
		[ -n "$TREE" ] || kernel_tree "$KERNEL"
		note "building panthor.ko with DRM_PANTHOR_PERF=n"
		run_logged "$BUILD/log/debug-without.log" build_without ||
			die "panthor.ko does not build in tree with DRM_PANTHOR_PERF=n"
	fi
	! "${CROSS_COMPILE}nm" "$OUT/without/panthor.ko" | grep panthor_perf >&2 ||
		die "panthor.ko with DRM_PANTHOR_PERF=n has symbols of the component"
fi
release=$(cat "$OUT/release")
echo "KIMAGE_DEBUG='$OUT/Image'"
echo "KMODDIR_DEBUG='$OUT/lib/modules/$release'"
echo "KREL_DEBUG='$release'"
echo "VMLINUX_DEBUG='$OBJ/vmlinux'"
[ -z "$without" ] || echo "WITHOUT_DEBUG='$OUT/without/panthor.ko'"
