#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-perf.sh [--suite SUITE]
#
# Lays out Debian's own perf for the arm64 guest, with the libraries that it needs. Downloaded with a private apt
# configuration and unpacked in the cache, nothing is installed. Prints KEY=VALUE lines for eval:
#
#	PERF_ROOT	the guest's files
#	PERF_VERSION	version of perf
#
#	--suite SUITE	of this suite of Debian (trixie)
#
# The archive is asked when the cache has none. The exit status is 3 if the archive has no perf.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

NOT_THERE=3
LIBRARIES=usr/lib/aarch64-linux-gnu
PACKAGES=linux-perf
ROOM_MIB=400

suite=trixie
options suite= -- "$@"
case $suite in
'' | *[!a-z-]*) die "'$suite' is no suite of Debian" ;;
esac
PERF=$CACHE/perf
SELF=$(cat "$0" "$TOP/scripts/lib/packages.sh" | sha256sum | cut -c 1-8)
CURRENT=$PERF/current-$suite-$SELF

get_root() {
	NEW=$1/root
	ALL=$1/all
	mkdir "$NEW" "$ALL"
	note "perf $version of Debian $suite: downloading $(size_of $packages) MiB, and unpacking"
	unpack "$ALL" $packages
	take usr/bin/perf "$LIBRARIES/ld-linux-aarch64.so.1"
	ln -s usr/lib "$NEW/lib"
	ln -s aarch64-linux-gnu/ld-linux-aarch64.so.1 "$NEW/usr/lib/ld-linux-aarch64.so.1"
	rm -rf "$ALL"
}

fetch() {
	need dpkg-deb readelf flock sha256sum
	need_disk "$ROOM_MIB" "$CACHE"
	APT_SUITE=$suite
	apt_private "perf-$suite" deb arm64
	apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	version=$(version_of linux-perf)
	if [ -z "$version" ]; then
		note "perf of Debian $suite: not in the archive"
		exit "$NOT_THERE"
	fi
	packages=$(with_libraries $PACKAGES)
	root=$PERF/$suite+$(echo "$version $SELF" | sha256sum | cut -c 1-12)
	fill "$root" get_root
	cat >"$CURRENT.$$" <<-END
	PERF_ROOT='$root/root'
	PERF_VERSION='$version'
	END
	mv "$CURRENT.$$" "$CURRENT"
	forget_old "$PERF/$suite+"
}

mkdir -p "$PERF" 2>/dev/null || die "cannot create $PERF: set PANTHOR_PERF_CACHE to a folder you may write"
if [ ! -f "$CURRENT" ]; then
	(
		flock 7
		[ -f "$CURRENT" ] || fetch
	) 7>"$PERF/$suite.lock" || exit $?
fi
cat "$CURRENT"
