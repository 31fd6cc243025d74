#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-mesa.sh [--suite SUITE] [--refresh | --cached]
#
# Lays out Debian's own Mesa for the arm64 guest: PanVK, the Vulkan loader, vkmark and vulkaninfo, with the libraries
# that they need, and the headers of Vulkan for the programs of tests/mesa. Everything is downloaded with a private
# apt configuration and unpacked in the cache, nothing is installed. Prints KEY=VALUE lines for eval:
#
#	MESA_ROOT	the guest's files
#	MESA_INCLUDE	headers of Vulkan
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
# PanVK compiles shaders without LLVM.
WITHOUT='^lib(llvm|clang|z3)'

suite=trixie
refresh=
cached=
options suite= refresh cached -- "$@"
case $suite in
'' | *[!a-z-]*) die "'$suite' is no suite of Debian" ;;
esac
[ "$suite" != sid ] || suite=unstable
MESA=$CACHE/mesa
CURRENT=$MESA/current-$suite

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

get_root() {
	NEW=$1/root
	ALL=$1/all
	mkdir "$NEW" "$ALL"
	note "Mesa $version of Debian $suite: downloading $(size_of $packages libvulkan-dev) MiB, and unpacking"
	unpack "$ALL" $packages libvulkan-dev
	take "$LIBRARIES/ld-linux-aarch64.so.1" "$LIBRARIES/libvulkan.so.1" "$LIBRARIES/libvulkan_panfrost.so" \
		usr/bin/vkmark usr/bin/vulkaninfo "$LIBRARIES/vkmark/headless.so"
	mkdir -p "$NEW/usr/share/vulkan/icd.d"
	cp "$ALL"/usr/share/vulkan/icd.d/panfrost_icd*.json "$NEW/usr/share/vulkan/icd.d/"
	cp -r "$ALL/usr/share/vkmark" "$NEW/usr/share/"
	ln -s usr/lib "$NEW/lib"
	ln -s aarch64-linux-gnu/ld-linux-aarch64.so.1 "$NEW/usr/lib/ld-linux-aarch64.so.1"
	mkdir "$1/include"
	cp -r "$ALL/usr/include/vulkan" "$ALL/usr/include/vk_video" "$1/include/"
	rm -rf "$ALL"
}

refill() {
	need dpkg-deb readelf flock sha256sum
	need_disk 400 "$CACHE"
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
		for package in $packages libvulkan-dev; do
			echo "$package $(version_of "$package")"
		done
	} | sha256sum | cut -c 1-12)
	root=$MESA/$suite-$key
	fill "$root" get_root
	cat >"$CURRENT.$$" <<-END
	MESA_ROOT='$root/root'
	MESA_INCLUDE='$root/include'
	MESA_VERSION='$version'
	END
	mv "$CURRENT.$$" "$CURRENT"
	touch "$root"
	forget_old "$MESA/$suite-"
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
	) 7>"$MESA/$suite.lock" || exit $?
fi
cat "$CURRENT"
