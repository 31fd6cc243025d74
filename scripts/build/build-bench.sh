#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-bench.sh
#
# Builds tests/bench/module and the driver's objects as a module of the distribution's arm64 kernel:
# build/bench/panthor_perf_bench.ko.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

options -- "$@"

# The driver's objects that depend on the GPU, its device or its users.
WITHOUT="panthor_perf panthor_perf_control panthor_perf_debugfs panthor_perf_hw panthor_perf_ioctl"
WITHOUT="$WITHOUT panthor_perf_pmu panthor_perf_rawdump"

"$TOP/scripts/build/build-module.sh" || exit 1
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
if [ -z "${CROSS_COMPILE:-}" ] && [ "$(uname -m)" != aarch64 ]; then
	CROSS_COMPILE=aarch64-linux-gnu-
fi
CROSS_COMPILE=${CROSS_COMPILE:-}
need "${CROSS_COMPILE}gcc" make

out=$BUILD/bench
mkdir -p "$out" "$BUILD/log"
exec 9>"$out/lock"
flock 9
key="$(hash_of "$TOP/scripts/build/build-bench.sh" "$TOP/tests/bench/module") $(cat "$BUILD/module/key")"
[ "$(cat "$out/key" 2>/dev/null)" != "$key" ] || exit 0

rm -rf "$out/src" "$out/key"
mkdir -p "$out/src"
cp "$BUILD"/module/src/*.[ch] "$out/src/"
cp "$TOP"/tests/bench/module/* "$out/src/"
objects=
for file in "$out"/src/panthor_perf*.c; do
	name=$(basename "$file" .c)
	case " $WITHOUT " in
	*" $name "*) ;;
	*) objects="$objects $name.o" ;;
	esac
done
cp -r "$BUILD/module/src/include" "$out/src/"
note "building the bench module"
build() {
	nice make -C "$KDIR" M="$out/src" ARCH=arm64 CROSS_COMPILE="$CROSS_COMPILE" CONFIG_DEBUG_INFO_BTF_MODULES= \
		PANTHOR_PERF_OBJECTS="$objects" modules
}
run_logged "$out/build.log" build || die "the bench module does not build"
"${CROSS_COMPILE}strip" --strip-debug -o "$out/panthor_perf_bench.ko" "$out/src/panthor_perf_bench.ko"
echo "$key" >"$out/key"
