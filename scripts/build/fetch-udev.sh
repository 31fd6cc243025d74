#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-udev.sh [--suite SUITE]
#
# Lays out Debian's own udev for the arm64 guest, with the libraries that it needs and without rules. Downloaded with a
# private apt configuration and unpacked in the cache, nothing is installed. Prints KEY=VALUE lines for eval:
#
#	UDEV_ROOT	the guest's files, for chroot
#	UDEV_VERSION	version of udev
#
#	--suite SUITE	of this suite of Debian (trixie)
#
# The archive is asked when the cache has none.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

LIBRARIES=usr/lib/aarch64-linux-gnu
PACKAGES=udev
ROOM_MIB=200

suite=trixie
options suite= -- "$@"
case $suite in
'' | *[!a-z-]*) die "'$suite' is no suite of Debian" ;;
esac
UDEV=$CACHE/udev
SELF=$(cat "$0" "$TOP/scripts/lib/packages.sh" | sha256sum | cut -c 1-8)
CURRENT=$UDEV/current-$suite-$SELF

# udevadm is udevd, too, by its name. It has a library of systemd in a folder of its own.
get_root() {
	NEW=$1/root
	ALL=$1/all
	mkdir "$NEW" "$ALL"
	note "udev $version of Debian $suite: downloading $(size_of $packages) MiB, and unpacking"
	unpack "$ALL" $packages
	for library in "$ALL/$LIBRARIES"/systemd/*.so; do
		cp "$library" "$ALL/$LIBRARIES/"
	done
	take usr/bin/udevadm "$LIBRARIES/ld-linux-aarch64.so.1"
	# Libraries that it loads when it needs them.
	for library in kmod blkid acl; do
		for file in "$ALL/$LIBRARIES/lib$library.so".?; do
			[ ! -e "$file" ] || take "${file#"$ALL/"}"
		done
	done
	ln -s udevadm "$NEW/usr/bin/systemd-udevd"
	ln -s usr/lib "$NEW/lib"
	ln -s usr/bin "$NEW/bin"
	ln -s aarch64-linux-gnu/ld-linux-aarch64.so.1 "$NEW/usr/lib/ld-linux-aarch64.so.1"
	rm -rf "$ALL"
}

fetch() {
	need dpkg-deb readelf flock sha256sum
	need_disk "$ROOM_MIB" "$CACHE"
	APT_SUITE=$suite
	apt_private "udev-$suite" deb arm64
	apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	version=$(version_of udev)
	[ -n "$version" ] || die "udev of Debian $suite: not in the archive"
	packages=$(with_libraries $PACKAGES)
	root=$UDEV/$suite+$(echo "$version $SELF" | sha256sum | cut -c 1-12)
	fill "$root" get_root
	cat >"$CURRENT.$$" <<-END
	UDEV_ROOT='$root/root'
	UDEV_VERSION='$version'
	END
	mv "$CURRENT.$$" "$CURRENT"
	forget_old "$UDEV/$suite+"
}

mkdir -p "$UDEV" 2>/dev/null || die "cannot create $UDEV: set PANTHOR_PERF_CACHE to a folder you may write"
if [ ! -f "$CURRENT" ]; then
	(
		flock 7
		[ -f "$CURRENT" ] || fetch
	) 7>"$UDEV/$suite.lock" || exit $?
fi
cat "$CURRENT"
