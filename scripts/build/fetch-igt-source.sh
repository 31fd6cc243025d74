#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-igt-source.sh
#
# Unpacks the newest source package of IGT GPU Tools that Debian unstable has and that can be
# downloaded (4 MB), without Debian's changes. Prints KEY=VALUE lines for eval:
#
#	IGT_SOURCE	folder with IGT's sources
#
# The exit status is 3 if the archive has none. An index may name packages that the archive does not
# have.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

NOT_THERE=3

options -- "$@"

# get_source FOLDER
get_source() {
	note "IGT $version: source package ($((_size / 1000000)) MB)"
	papt /usr/lib/apt/apt-helper download-file "$_url" "$1/igt.tar.xz" "$_hash" >"$1/log" 2>&1 || {
		touch "$1/missing"
		return 0
	}
	mkdir "$1/igt"
	tar -xf "$1/igt.tar.xz" -C "$1/igt" --strip-components=1 || return 1
	rm "$1/igt.tar.xz" "$1/log"
}

need xz tar sha256sum
APT_SUITE=unstable
apt_private igt-source deb-src amd64
apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
for version in $(papt apt-cache showsrc intel-gpu-tools 2>/dev/null | sed -n 's/^Version: //p' | sort -rVu); do
	line=$(papt apt-get source --print-uris "intel-gpu-tools=$version" 2>/dev/null | tr -d "'" |
		grep '/intel-gpu-tools_[^/]*\.orig\.tar\.xz ') || continue
	read -r _url _name _size _hash <<-END
	$line
	END
	name=${_name#intel-gpu-tools_}
	source=$CACHE/igt/source-${name%.orig.tar.xz}
	need_disk 300 "$CACHE"
	fill "$source" get_source
	if [ -f "$source/missing" ]; then
		note "IGT $version: the archive names its source package, but does not have it"
		rm -rf "$source"
		continue
	fi
	touch "$source"
	forget_old "$CACHE/igt/source-"
	echo "IGT_SOURCE='$source/igt'"
	exit 0
done
note "the source of IGT in Debian unstable: not in the archive"
exit "$NOT_THERE"
