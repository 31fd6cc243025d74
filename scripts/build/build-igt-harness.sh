#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-igt-harness.sh
#
# Builds the tests of tests/igt for arm64 with the small harness of tests/igt/harness in place of libigt, of
# which no arm64 build is packaged: build/igt-harness/panthor_perf_*. Prints their paths.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

IGT=$TOP/tests/igt
OUT=$BUILD/igt-harness

options -- "$@"

need aarch64-linux-gnu-gcc make flock
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
mkdir -p "$OUT"
exec 9>"$OUT.lock"
flock 9
# The one header that is taken from the kernel: libdrm's package may not have it.
cmp -s "$KSRC/include/uapi/drm/panthor_drm.h" "$OUT/include/panthor_drm.h" || {
	mkdir -p "$OUT/include"
	cp "$KSRC/include/uapi/drm/panthor_drm.h" "$OUT/include/"
}
make -s -C "$IGT" -j "$JOBS" CC=aarch64-linux-gnu-gcc HARNESS=1 OUT="$OUT" UAPI="$OUT/include" \
	LIBDRM="-I$SYSROOT_ARM64/usr/include/libdrm" >&2 || die "the tests do not build, see above"
for source in "$IGT"/panthor_perf*.c; do
	echo "$OUT/$(basename "$source" .c)"
done
