#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-mesa.sh [--suite SUITE] [--gl] [--validation] [--refresh | --cached]
#
# Lays out Debian's own Mesa for the arm64 guest: PanVK, the Vulkan loader, vkmark and vulkaninfo, with the libraries
# that they need, and the headers of Vulkan for the programs of tests/mesa. With --gl also EGL, OpenGL ES, OpenCL, kmscube and
# clinfo, which need LLVM and six times as much room; with --validation also the validation layer of Khronos. Everything is downloaded with a private
# apt configuration and unpacked in the cache, nothing is installed. Prints KEY=VALUE lines for eval:
#
#	MESA_ROOT	the guest's files
#	MESA_INCLUDE	headers of Vulkan, with its registry vulkan/vk.xml, and of EGL and OpenGL ES
#	MESA_VERSION	version of Mesa
#
#	--suite SUITE	of this suite of Debian (trixie)
#
# The archive is asked once a day, or with --refresh; without a network, what the cache has serves. With --cached
# it asks nobody and prints nothing, and succeeds if the cache has it. The exit status is 3 if the archive has no Mesa.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

FRESH_MINUTES=1440
NOT_THERE=3
LIBRARIES=usr/lib/aarch64-linux-gnu
PACKAGES="mesa-vulkan-drivers libvulkan1 vkmark vulkan-tools"
HEADERS="libvulkan-dev libegl-dev libgles-dev libgl-dev"
ROOM_MIB=400
# PanVK compiles shaders without LLVM.
WITHOUT='^lib(llvm|clang|z3)'

suite=trixie
gl=
validation=
refresh=
cached=
options suite= gl validation refresh cached -- "$@"
case $suite in
'' | *[!a-z-]*) die "'$suite' is no suite of Debian" ;;
esac
[ "$suite" != sid ] || suite=unstable
MESA=$CACHE/mesa
kind=$suite${gl:+-gl}${validation:+-validation}
# A changed script lays out other files.
SELF=$(cat "$0" "$TOP/scripts/lib/packages.sh" | sha256sum | cut -c 1-8)
CURRENT=$MESA/current-$kind-$SELF
if [ -n "$gl" ]; then
	PACKAGES="$PACKAGES mesa-libgallium libegl1 libegl-mesa0 libgles2 libgl1-mesa-dri libgbm1 kmscube mesa-opencl-icd clinfo ocl-icd-libopencl1"
	WITHOUT=
	ROOM_MIB=1600
fi
[ -z "$validation" ] || PACKAGES="$PACKAGES vulkan-validationlayers"

cached() {
	[ -f "$CURRENT" ] || return 1
	(
		. "$CURRENT"
		[ -d "$MESA_ROOT" ]
	)
}

fresh() {
	[ -z "$refresh" ] && cached && [ -n "$(find "$CURRENT" -mmin -$FRESH_MINUTES)" ]
}

get_gl() {
	take "$LIBRARIES/libEGL.so.1" "$LIBRARIES/libGLESv2.so.2" "$LIBRARIES/libEGL_mesa.so.0" \
		"$LIBRARIES/gbm/dri_gbm.so" "$LIBRARIES/libRusticlOpenCL.so.1" usr/bin/kmscube usr/bin/clinfo
	mkdir -p "$NEW/etc/OpenCL/vendors"
	cp "$ALL/etc/OpenCL/vendors/rusticl.icd" "$NEW/etc/OpenCL/vendors/" || return 1
	# What OpenCL C is compiled with.
	for file in $(cd "$ALL" && find usr -path '*/clc/*spirv*' -type f); do
		mkdir -p "$NEW/${file%/*}"
		cp "$ALL/$file" "$NEW/$file" || return 1
	done
	mkdir -p "$NEW/usr/share/glvnd/egl_vendor.d"
	cp "$ALL"/usr/share/glvnd/egl_vendor.d/*mesa*.json "$NEW/usr/share/glvnd/egl_vendor.d/" || return 1
}

get_validation() {
	take "$LIBRARIES/libVkLayer_khronos_validation.so"
	mkdir -p "$NEW/usr/share/vulkan/explicit_layer.d"
	cp "$ALL/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json" "$NEW/usr/share/vulkan/explicit_layer.d/"
}

get_root() {
	NEW=$1/root
	ALL=$1/all
	mkdir "$NEW" "$ALL"
	note "Mesa $version of Debian $suite: downloading $(size_of $packages $HEADERS) MiB, and unpacking"
	unpack "$ALL" $packages $HEADERS
	take "$LIBRARIES/ld-linux-aarch64.so.1" "$LIBRARIES/libvulkan.so.1" "$LIBRARIES/libvulkan_panfrost.so" \
		usr/bin/vkmark usr/bin/vulkaninfo "$LIBRARIES/vkmark/headless.so"
	[ -z "$gl" ] || get_gl || return 1
	[ -z "$validation" ] || get_validation || return 1
	mkdir -p "$NEW/usr/share/vulkan/icd.d"
	cp "$ALL"/usr/share/vulkan/icd.d/panfrost_icd*.json "$NEW/usr/share/vulkan/icd.d/" || return 1
	cp -r "$ALL/usr/share/vkmark" "$NEW/usr/share/" || return 1
	ln -s usr/lib "$NEW/lib"
	ln -s aarch64-linux-gnu/ld-linux-aarch64.so.1 "$NEW/usr/lib/ld-linux-aarch64.so.1"
	mkdir "$1/include"
	for folder in vulkan vk_video EGL GLES3 KHR; do
		cp -r "$ALL/usr/include/$folder" "$1/include/" || return 1
	done
	cp "$ALL/usr/share/vulkan/registry/vk.xml" "$1/include/vulkan/" || return 1
	rm -rf "$ALL"
}

refill() {
	need dpkg-deb readelf flock sha256sum
	need_disk "$ROOM_MIB" "$CACHE"
	note "asking the Debian archive for Mesa in $suite"
	APT_SUITE=$suite
	apt_private "mesa-$suite" deb arm64
	if ! apt_update; then
		if cached; then
			note "the archive is out of reach: staying with the cached Mesa"
			touch -d "@$(($(date +%s) - (FRESH_MINUTES - 10) * 60))" "$CURRENT"
			return 0
		fi
		die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	fi
	version=$(version_of mesa-vulkan-drivers)
	if [ -z "$version" ]; then
		note "Mesa of Debian $suite: not in the archive"
		exit "$NOT_THERE"
	fi
	packages=$(with_libraries $PACKAGES)
	key=$({
		cat "$0" "$TOP/scripts/lib/packages.sh"
		for package in $packages $HEADERS; do
			echo "$package $(version_of "$package")"
		done
	} | sha256sum | cut -c 1-12)
	root=$MESA/$kind+$key
	fill "$root" get_root
	cat >"$CURRENT.$$" <<-END
	MESA_ROOT='$root/root'
	MESA_INCLUDE='$root/include'
	MESA_VERSION='$version'
	END
	mv "$CURRENT.$$" "$CURRENT"
	touch "$root"
	forget_old "$MESA/$kind+"
}

if [ -n "$cached" ]; then
	cached || exit 1
	exit 0
fi
mkdir -p "$MESA" 2>/dev/null || die "cannot create $MESA: set PANTHOR_PERF_CACHE to a folder you may write"
if ! fresh; then
	(
		flock 7
		fresh || refill
	) 7>"$MESA/$kind.lock" || exit $?
fi
cat "$CURRENT"
