#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-tools.sh
#
# Builds the library and the command line tool for this host (build/host-bin) and for the guest
# (build/guest-bin), and the programs of the guest tests, tests/guest/programs/*.c.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

options -- "$@"

need make gcc aarch64-linux-gnu-gcc pkg-config
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"

mkdir -p "$BUILD"
exec 9>"$BUILD/tools.lock"
flock 9
make -s -C "$TOP/tools" -j "$JOBS" O="$BUILD" host guest SYSROOT_ARM64="$SYSROOT_ARM64" >&2 ||
	die "the tools do not build, see above"

uapi=$BUILD/include/drm
for source in "$TOP"/tests/guest/programs/*.c; do
	[ -f "$source" ] || continue
	program=$BUILD/guest-bin/$(basename "$source" .c)
	[ -f "$program" ] && [ -z "$(find "$source" "$TOP"/tests/guest/programs/*.h "$TOP/include/uapi" "$0" -newer "$program")" ] && continue
	aarch64-linux-gnu-gcc -static -O2 -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE \
		${PANTHOR_PERF_MAINLINE:+-DV1_MAINLINE} \
		-I "$uapi" -I "$TOP/include/uapi/drm" -I "$SYSROOT_ARM64/usr/include/libdrm" \
		-o "$program.new" "$source" || die "$source does not build"
	# A build that is interrupted leaves no program.
	mv "$program.new" "$program"
done
