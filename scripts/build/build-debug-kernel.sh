#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-debug-kernel.sh [--without]
#
# Builds the kernel of make debug-guest: arm64, from the newest Debian 6.12 source with this
# checkout's component in tree, configured by tests/guest/config/debug.config. Prints KEY=VALUE lines for
# eval:
#
#	KIMAGE_DEBUG	the kernel, for QEMU
#	KMODDIR_DEBUG	its modules, panthor.ko among them
#	KREL_DEBUG	its release
#	WITHOUT_DEBUG	with --without: a panthor.ko of that kernel with DRM_PANTHOR_PERF=n
#
# Tree and object files live in the cache, one of each for a source version: while only the component
# changes, only panthor.ko is built again. Those of the two versions used last stay. What is printed lies
# in build/debug.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/kernel-tree.sh"

CONFIG=$TOP/tests/guest/config/debug.config

without=
options without -- "$@"

if [ -z "${CROSS_COMPILE:-}" ] && [ "$(uname -m)" != aarch64 ]; then
	CROSS_COMPILE=aarch64-linux-gnu-
fi
CROSS_COMPILE=${CROSS_COMPILE:-}
need make flex bison bc flock depmod "${CROSS_COMPILE}gcc"
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
DEBUG=$CACHE/debug
key=$({
	cat "$CONFIG" "$TOP/$PANTHOR/Kconfig.perf"
	"${CROSS_COMPILE}gcc" --version
} | sha256sum | cut -c 1-12)
OBJ=$DEBUG/kernel-$KVER
OUT=$BUILD/debug/$key

kernel_make() {
	# Line tables, for scripts/decode_stacktrace.sh of the kernel; the images lose them again.
	nice make -C "$TREE" O="$OBJ" ARCH=arm64 CROSS_COMPILE="$CROSS_COMPILE" -j "$JOBS" \
		KCFLAGS=-g1 KBUILD_BUILD_TIMESTAMP="$KVER" KBUILD_BUILD_USER=user KBUILD_BUILD_HOST=host "$@"
}

# configure FILE: each line of it has to be there in the end.
configure() {
	kernel_make KCONFIG_ALLCONFIG="$1" allnoconfig || return 1
	grep -E '^(# )?CONFIG_' "$1" | while read -r line; do
		grep -qxF "$line" "$OBJ/.config" || case $line in
		'# '*' is not set')
			option=${line#\# }
			! grep -q "^${option%% *}=" "$OBJ/.config" || echo "$line"
			;;
		*) echo "$line" ;;
		esac
	done >"$OBJ/missed"
	[ ! -s "$OBJ/missed" ] || {
		sed "s|^|${CONFIG#"$TOP"/}: did not come into effect: |" "$OBJ/missed"
		return 1
	}
}

# Makes OUT from what was built; it takes its place as a whole.
install_kernel() {
	rm -rf "$OUT.new"
	kernel_make INSTALL_MOD_PATH="$OUT.new" INSTALL_MOD_STRIP=1 modules_install || return 1
	cp "$OBJ/arch/arm64/boot/Image" "$OUT.new/"
	cp "$OBJ/include/config/kernel.release" "$OUT.new/release"
	echo "$inputs" >"$OUT.new/inputs"
	rm -rf "$OUT"
	mv "$OUT.new" "$OUT"
}

# The other modules and the kernel do not ask for the option: these objects serve, and get it back.
build_without() {
	sed 's/^CONFIG_DRM_PANTHOR_PERF=y$/# CONFIG_DRM_PANTHOR_PERF is not set/' "$CONFIG" \
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

mkdir -p "$DEBUG" "$BUILD/debug" "$BUILD/log"
exec 9>"$DEBUG/lock"
flock -n 9 || {
	note "another build is at it: waiting"
	flock 9
}
# The tests beside the driver's files are not in this kernel.
inputs=$(hash_of "$TOP/$PANTHOR"/*.[ch] "$TOP/$PANTHOR"/*.perf "$TOP/include" "$TOP"/scripts/build/panthor-perf.* \
	"$TOP/scripts/integrate.sh" "$TOP/scripts/lib/kernel-tree.sh" "$TOP/scripts/build/build-debug-kernel.sh")-$KVER
if [ "$(cat "$OUT/inputs" 2>/dev/null)" != "$inputs" ]; then
	kernel_tree "$DEBUG"
	if [ "$(cat "$OBJ/built" 2>/dev/null)" != "$key" ]; then
		need_disk 2500 "$DEBUG"
		mkdir -p "$OBJ"
		rm -f "$OBJ/built"
		run_logged "$BUILD/log/debug-config.log" configure "$CONFIG" ||
			die "no configuration for the debug kernel"
		note "building the debug kernel (about 8 minutes, only the first time)"
		run_logged "$BUILD/log/debug-build.log" kernel_make Image modules ||
			die "the debug kernel does not build"
		echo "$key" >"$OBJ/built"
	else
		note "building the debug kernel's panthor.ko"
		run_logged "$BUILD/log/debug-build.log" kernel_make modules || {
			# The next try starts from the configuration.
			rm -f "$OBJ/built"
			die "panthor.ko does not build in tree"
		}
	fi
	run_logged "$BUILD/log/debug-install.log" install_kernel || die "modules_install failed"
fi
if [ -n "$without" ] && ! [ -f "$OUT/without/panthor.ko" ]; then
	[ -n "${TREE:-}" ] || kernel_tree "$DEBUG"
	note "building panthor.ko with DRM_PANTHOR_PERF=n"
	run_logged "$BUILD/log/debug-without.log" build_without ||
		die "panthor.ko does not build in tree with DRM_PANTHOR_PERF=n"
fi
if [ -n "$without" ] && "${CROSS_COMPILE}nm" "$OUT/without/panthor.ko" | grep panthor_perf >&2; then
	die "panthor.ko with DRM_PANTHOR_PERF=n has symbols of the component"
fi
release=$(cat "$OUT/release")
echo "KIMAGE_DEBUG='$OUT/Image'"
echo "KMODDIR_DEBUG='$OUT/lib/modules/$release'"
echo "KREL_DEBUG='$release'"
[ -z "$without" ] || echo "WITHOUT_DEBUG='$OUT/without/panthor.ko'"
