#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-mesa-tests.sh [--suite SUITE]
#
# Builds the programs of tests/mesa for the arm64 guest with the Mesa of scripts/build/fetch-mesa.sh: build/mesa/SUITE.
# Prints what that script prints, for eval, and
#
#	MESA_BIN	folder of the programs
#
# The exit status is 3 if the archive has no Mesa.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

SOURCES=$TOP/tests/mesa
suite=trixie
options suite= -- "$@"

mesa=$("$TOP/scripts/build/fetch-mesa.sh" --suite "$suite") || exit $?
eval "$mesa"
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
need aarch64-linux-gnu-gcc glslangValidator flock
bin=$BUILD/mesa/$suite
mkdir -p "$bin/include"
exec 9>"$bin/lock"
flock 9

"$TOP/tools/panthor-uapi.sh" "$BUILD/include/drm/panthor_drm.h" >&2
uapi=$BUILD/include/drm
program=$bin/vk-steps
if [ ! -f "$program" ] || [ -n "$(find "$SOURCES" "$TOP"/tests/guest/programs/*.h "$TOP/include/uapi" "$0" "$MESA_ROOT" \
	-maxdepth 1 -newer "$program")" ]; then
	for shader in "$SOURCES"/*.comp "$SOURCES"/*.vert "$SOURCES"/*.frag; do
		glslangValidator -V -x -o "$bin/include/${shader##*/}.h" "$shader" >"$bin/glslang.log" ||
			die "$shader: $(cat "$bin/glslang.log")"
	done
	# Libraries of the suite are newer than the compiler's.
	aarch64-linux-gnu-gcc -O2 -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror \
		-D_GNU_SOURCE -I "$bin/include" -isystem "$MESA_INCLUDE" -I "$TOP/tests/guest/programs" \
		-I "$uapi" -I "$TOP/include/uapi/drm" -I "$SYSROOT_ARM64/usr/include/libdrm" \
		-o "$program" "$SOURCES/vk-steps.c" "$SOURCES/vk.c" \
		"$MESA_ROOT/usr/lib/aarch64-linux-gnu/libvulkan.so.1" -Wl,--allow-shlib-undefined >&2 ||
		die "the programs of tests/mesa do not build"
fi
echo "$mesa"
echo "MESA_BIN='$bin'"
