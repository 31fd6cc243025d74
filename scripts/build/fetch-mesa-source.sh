#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-mesa-source.sh [--suite SUITE]
#
# Unpacks the newest source package of Mesa that a suite of Debian has and that can be downloaded
# (50 to 80 MB), without Debian's changes. Prints KEY=VALUE lines for eval:
#
#	MESA_SOURCE	folder with Mesa's sources
#	MESA_SOURCE_VERSION	its version
#
#	--suite SUITE	of this suite (trixie)
#
# The exit status is 3 if the archive has none. An index may name packages that the archive does not
# have.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

NOT_THERE=3

suite=trixie
options suite= -- "$@"
case $suite in
'' | *[!a-z-]*) die "'$suite' is no suite of Debian" ;;
esac
[ "$suite" != sid ] || suite=unstable
MESA=$CACHE/mesa

# get_source FOLDER
get_source() {
	note "Mesa $version: source package ($((_size / 1000000)) MB)"
	papt /usr/lib/apt/apt-helper download-file "$_url" "$1/mesa.tar.xz" "$_hash" >"$1/log" 2>&1 || {
		touch "$1/missing"
		return 0
	}
	mkdir "$1/mesa"
	tar -xf "$1/mesa.tar.xz" -C "$1/mesa" --strip-components=1 || return 1
	rm "$1/mesa.tar.xz" "$1/log"
}

need xz tar sha256sum
APT_SUITE=$suite
apt_private "mesa-source-$suite" deb-src amd64
apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
for version in $(papt apt-cache showsrc mesa 2>/dev/null | sed -n 's/^Version: //p' | sort -rVu); do
	line=$(papt apt-get source --print-uris "mesa=$version" 2>/dev/null | tr -d "'" | grep '/mesa_[^/]*\.orig\.tar\.xz ') ||
		continue
	read -r _url _name _size _hash <<-END
	$line
	END
	name=${_name#mesa_}
	source=$MESA/tree-${name%.orig.tar.xz}
	need_disk 1000 "$CACHE"
	fill "$source" get_source
	if [ -f "$source/missing" ]; then
		note "Mesa $version: the archive names its source package, but does not have it"
		rm -rf "$source"
		continue
	fi
	touch "$source"
	forget_old "$MESA/tree-"
	echo "MESA_SOURCE='$source/mesa'"
	echo "MESA_SOURCE_VERSION='$version'"
	exit 0
done
note "the source of Mesa in Debian $suite: not in the archive"
exit "$NOT_THERE"
