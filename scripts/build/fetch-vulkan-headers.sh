#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-vulkan-headers.sh [--suite SUITE] [--refresh | --cached]
#
# Lays out the headers and the registry of Vulkan of a suite of Debian, for tests that are generated from the
# registry. The package is downloaded with a private apt configuration and unpacked in the cache, nothing is installed.
# Prints KEY=VALUE lines for eval:
#
#	VULKAN_INCLUDE	folder with vulkan/vulkan.h
#	VULKAN_REGISTRY	the vk.xml of these headers
#	VULKAN_VERSION	version of the package
#
#	--suite SUITE	of this suite of Debian (unstable, which has the newest)
#
# The archive is asked once a day, or with --refresh; without a network, what the cache has serves. With --cached
# it asks nobody and prints nothing, and succeeds if the cache has it. The exit status is 3 if the archive has no headers.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

FRESH_MINUTES=1440
NOT_THERE=3
PACKAGE=libvulkan-dev
ROOM_MIB=100

suite=unstable
refresh=
cached=
options suite= refresh cached -- "$@"
case $suite in
'' | *[!a-z-]*) die "'$suite' is no suite of Debian" ;;
esac
[ "$suite" != sid ] || suite=unstable
HEADERS=$CACHE/vulkan-headers
# A changed script lays out other files.
SELF=$(cat "$0" "$TOP/scripts/lib/packages.sh" | sha256sum | cut -c 1-8)
CURRENT=$HEADERS/current-$suite-$SELF

cached() {
	[ -f "$CURRENT" ] || return 1
	(
		. "$CURRENT"
		[ -f "$VULKAN_REGISTRY" ]
	)
}

fresh() {
	[ -z "$refresh" ] && cached && [ -n "$(find "$CURRENT" -mmin -$FRESH_MINUTES)" ]
}

get_headers() {
	mkdir "$1/all"
	note "$PACKAGE $version of Debian $suite: downloading, and unpacking"
	unpack "$1/all" "$PACKAGE"
	mkdir "$1/include"
	for folder in vulkan vk_video; do
		cp -r "$1/all/usr/include/$folder" "$1/include/" || return 1
	done
	cp "$1/all/usr/share/vulkan/registry/vk.xml" "$1/include/vulkan/" || return 1
	rm -rf "$1/all"
}

refill() {
	need dpkg-deb flock sha256sum
	need_disk "$ROOM_MIB" "$CACHE"
	note "asking the Debian archive for the headers of Vulkan in $suite"
	APT_SUITE=$suite
	# The headers are the same for each architecture.
	apt_private "vulkan-headers-$suite" deb "$(dpkg --print-architecture)"
	if ! apt_update; then
		if cached; then
			note "the archive is out of reach: staying with the cached headers"
			touch -d "@$(($(date +%s) - (FRESH_MINUTES - 10) * 60))" "$CURRENT"
			return 0
		fi
		die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	fi
	version=$(version_of "$PACKAGE")
	if [ -z "$version" ]; then
		note "$PACKAGE of Debian $suite: not in the archive"
		exit "$NOT_THERE"
	fi
	root=$HEADERS/$suite+$(echo "$SELF $version" | sha256sum | cut -c 1-12)
	fill "$root" get_headers
	cat >"$CURRENT.$$" <<-END
	VULKAN_INCLUDE='$root/include'
	VULKAN_REGISTRY='$root/include/vulkan/vk.xml'
	VULKAN_VERSION='$version'
	END
	mv "$CURRENT.$$" "$CURRENT"
	touch "$root"
	forget_old "$HEADERS/$suite+"
}

if [ -n "$cached" ]; then
	cached || exit 1
	exit 0
fi
mkdir -p "$HEADERS" 2>/dev/null || die "cannot create $HEADERS: set PANTHOR_PERF_CACHE to a folder you may write"
if ! fresh; then
	(
		flock 7
		fresh || refill
	) 7>"$HEADERS/$suite.lock" || exit $?
fi
cat "$CURRENT"
