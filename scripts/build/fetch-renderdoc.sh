#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-renderdoc.sh --mesa MESA_ROOT
#
# Lays out Debian 12's RenderDoc for the arm64 guest that has the Mesa of scripts/build/fetch-mesa.sh in MESA_ROOT: its
# capture layer and renderdoccmd, with the libraries that are not in MESA_ROOT. Downloaded with a private apt configuration
# and unpacked in the cache, nothing is installed. Prints KEY=VALUE lines for eval:
#
#	RENDERDOC_ROOT		the guest's files, to be laid over those of MESA_ROOT
#	RENDERDOC_INCLUDE	its header for programs
#
# The archive is asked when the cache has none. The exit status is 3 if the archive has no RenderDoc.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

NOT_THERE=3
SUITE=bookworm
LIBRARIES=usr/lib/aarch64-linux-gnu
PACKAGES="librenderdoc renderdoccmd"
HEADERS=librenderdoc-dev
ROOM_MIB=200

mesa=
options mesa= -- "$@"
[ -d "$mesa" ] || die "the folder of Mesa is missing"
key=$(cat "$0" "$TOP/scripts/lib/packages.sh" - <<END | sha256sum | cut -c 1-12
$mesa
END
)
FOLDER=$CACHE/mesa/renderdoc+$key

get_root() {
	NEW=$1/root
	ALL=$1/all
	mkdir "$NEW" "$ALL"
	note "RenderDoc $version of Debian $SUITE: downloading $(size_of $packages $HEADERS) MiB, and unpacking"
	unpack "$ALL" $packages $HEADERS
	# What Mesa's folder has stays as it is: its libraries are newer.
	cp -rs "$mesa/." "$NEW/"
	mv "$ALL/usr/lib/librenderdoc.so" "$ALL/$LIBRARIES/" || return 1
	take usr/bin/renderdoccmd "$LIBRARIES/librenderdoc.so"
	find "$NEW" -type l -lname "$mesa/*" -delete
	find "$NEW" -type d -empty -delete
	mkdir -p "$NEW/usr/share/vulkan/implicit_layer.d" "$1/include"
	sed "s|/usr/lib/librenderdoc.so|/$LIBRARIES/librenderdoc.so|" "$ALL/usr/share/vulkan/implicit_layer.d/renderdoc_capture.json" \
		>"$NEW/usr/share/vulkan/implicit_layer.d/renderdoc_capture.json" || return 1
	cp "$ALL/usr/include/renderdoc_app.h" "$1/include/" || return 1
	rm -rf "$ALL"
}

fetch() {
	need dpkg-deb readelf flock sha256sum
	need_disk "$ROOM_MIB" "$CACHE"
	APT_SUITE=$SUITE
	apt_private renderdoc deb arm64
	apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	version=$(version_of librenderdoc)
	if [ -z "$version" ]; then
		note "RenderDoc of Debian $SUITE: not in the archive"
		exit "$NOT_THERE"
	fi
	packages=$(with_libraries $PACKAGES)
	fill "$FOLDER" get_root
	forget_old "$CACHE/mesa/renderdoc+"
}

mkdir -p "$CACHE/mesa"
if [ ! -d "$FOLDER" ]; then
	(
		flock 7
		[ -d "$FOLDER" ] || fetch
	) 7>"$CACHE/mesa/renderdoc.lock" || exit $?
fi
touch "$FOLDER"
echo "RENDERDOC_ROOT='$FOLDER/root'"
echo "RENDERDOC_INCLUDE='$FOLDER/include'"
