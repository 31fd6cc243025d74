#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-mesa-tests.sh [--suite SUITE] [--gl] [--validation] [--renderdoc]
#
# Builds the programs of tests/mesa, the library's example that needs Vulkan, and the Vulkan layer, for the arm64 guest
# with the Mesa of scripts/build/fetch-mesa.sh: build/mesa/SUITE. With --gl that has OpenGL ES,
# too, and with --validation Khronos' validation layer. With --renderdoc there is RenderDoc, and a program with a frame that
# it captures.
# Prints what that script prints, for eval, and
#
#	MESA_BIN	folder of the programs
#	MESA_LAYER	folder of the layer
#	RENDERDOC_ROOT	with --renderdoc: files to be laid over those of Mesa
#
# The exit status is 3 if the archive has no Mesa.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

SOURCES=$TOP/tests/mesa
EXAMPLE=$TOP/tools/examples/ordered.c
LIBRARY=$BUILD/tools-guest/libpanthor-perf.a
suite=trixie
gl=
validation=
renderdoc=
options suite= gl validation renderdoc -- "$@"

# compile PROGRAM SOURCE... -- LIBRARY...
compile() {
	_program=$1
	_sources=
	shift
	while [ "$1" != -- ]; do
		_sources="$_sources $1"
		shift
	done
	shift
	# Libraries of the suite are newer than the compiler's.
	aarch64-linux-gnu-gcc -O2 -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror \
		-D_GNU_SOURCE -I "$bin/include" -isystem "$MESA_INCLUDE" -I "$TOP/tests/guest/programs" -I "$TOP/tools/lib/panthor-perf" -I "$TOP/tools/vulkan-layer" -I "$BUILD/include" -I "$TOP/include/uapi" \
		${RENDERDOC_INCLUDE:+-isystem "$RENDERDOC_INCLUDE" -DCAPTURE} \
		-I "$uapi" -I "$TOP/include/uapi/drm" -I "$SYSROOT_ARM64/usr/include/libdrm" \
		-o "$bin/programs/$_program" $_sources $(printf "$libraries/%s " "$@") -Wl,--allow-shlib-undefined >&2 ||
		die "$_program does not build"
}

mesa=$("$TOP/scripts/build/fetch-mesa.sh" --suite "$suite" ${gl:+--gl} ${validation:+--validation}) || exit $?
eval "$mesa"
RENDERDOC_INCLUDE=
if [ -n "$renderdoc" ]; then
	renderdoc=$("$TOP/scripts/build/fetch-renderdoc.sh" --mesa "$MESA_ROOT") || exit $?
	eval "$renderdoc"
fi
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
need aarch64-linux-gnu-gcc glslangValidator flock
bin=$BUILD/mesa/$suite${gl:+-gl}${validation:+-validation}${renderdoc:+-renderdoc}
libraries=$MESA_ROOT/usr/lib/aarch64-linux-gnu
mkdir -p "$bin/include"
exec 9>"$bin/lock"
flock 9

"$TOP/tools/panthor-uapi.sh" "$BUILD/include/drm/panthor_drm.h" >&2
uapi=$BUILD/include/drm
mkdir -p "$bin/programs"
[ -n "$(find "$bin/programs" -name '*-steps')" ] &&
	[ -z "$(find "$SOURCES" "$TOP"/tests/guest/programs/*.h "$TOP/tools/vulkan-layer/panthor_perf_vulkan.h" "$TOP/include/uapi" "$EXAMPLE" "$LIBRARY" "$0" "$MESA_ROOT" \
		-newer "$bin/programs/vk-steps" -type f)" ] || {
	for shader in "$SOURCES"/*.comp "$SOURCES"/*.vert "$SOURCES"/*.frag; do
		glslangValidator -V -x -o "$bin/include/${shader##*/}.h" "$shader" >"$bin/glslang.log" ||
			die "$shader: $(cat "$bin/glslang.log")"
	done
	[ -z "$gl" ] || compile gl-steps "$SOURCES/gl-steps.c" -- libEGL.so.1 libGLESv2.so.2
	compile ordered "$EXAMPLE" "$LIBRARY" -- libvulkan.so.1 libdrm.so.2
	aarch64-linux-gnu-gcc -O2 -std=gnu11 -Wall -Wextra -Werror -Wno-missing-field-initializers -D_GNU_SOURCE -fPIC -shared \
		-fvisibility=hidden -isystem "$MESA_INCLUDE" -o "$bin/programs/libVkLayer_test_state.so" \
		"$SOURCES/state-layer.c" >&2 || die "the test layer does not build"
	cp "$SOURCES/VkLayer_TEST_state.json" "$bin/programs/"
	compile vk-workloads "$SOURCES/vk-workloads.c" "$SOURCES/vk.c" -- libvulkan.so.1
	compile vk-queries "$SOURCES/vk-queries.c" "$SOURCES/vk.c" -- libvulkan.so.1
	compile vk-sessions "$SOURCES/vk-sessions.c" "$SOURCES/vk.c" -- libvulkan.so.1
	compile vk-threads "$SOURCES/vk-threads.c" "$SOURCES/vk.c" -- libvulkan.so.1
	compile vk-frame "$SOURCES/vk-frame.c" "$SOURCES/vk.c" ${renderdoc:+"$SOURCES/capture.c"} -- libvulkan.so.1
	compile vk-steps "$SOURCES/vk-steps.c" "$SOURCES/vk.c" -- libvulkan.so.1
}
# Its objects go into the folder above, so that this one has what the guest needs only.
make -s -C "$TOP/tools/vulkan-layer" O="$BUILD" OUT="$bin/layer-objects" CC=aarch64-linux-gnu-gcc LIBRARY="$LIBRARY" \
	VULKAN_INCLUDE="$MESA_INCLUDE" DRM_CFLAGS="-I$SYSROOT_ARM64/usr/include/libdrm" \
	JSON_CFLAGS="-I$SYSROOT_ARM64/usr/include/json-c" JSON_LIBS="$SYSROOT_ARM64/usr/lib/aarch64-linux-gnu/libjson-c.a" \
	DRM_LIBS="$libraries/libdrm.so.2 -Wl,--allow-shlib-undefined" >&2 || die "the layer does not build"
mkdir -p "$bin/layer"
cp -r "$bin/layer-objects/libVkLayer_panthor_perf.so" "$bin/layer-objects/implicit_layer.d" "$bin/layer-objects/explicit_layer.d" "$bin/layer/"
echo "$mesa"
[ -z "$renderdoc" ] || echo "$renderdoc"
echo "MESA_LAYER='$bin/layer'"
echo "MESA_BIN='$bin/programs'"
