#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-igt-rootfs.sh [--refresh | --cached]
#
# Lays out what the guest of make igt runs beside this checkout's own tests: IGT GPU Tools of Debian unstable
# (the library, igt_runner and the tests of panthor) with the libraries that they need, and busybox; and
# the firmware of QEMU's PC. Everything is downloaded with a private apt configuration and unpacked in the
# cache, nothing is installed. Prints KEY=VALUE lines for eval:
#
#	IGT_ROOTFS	the guest's files
#	IGT_VERSION	version of IGT
#	IGT_TESTS	the packaged tests, seen by the guest
#	IGT_BIOS	folder with the PC's firmware
#
# The archive is asked once a day, or with --refresh; without a network, what the cache has serves. With --cached
# it asks nobody and prints nothing, and succeeds if the cache has it.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

FRESH_MINUTES=1440
IGT=$CACHE/igt
CURRENT=$IGT/current
LIBRARIES=usr/lib/x86_64-linux-gnu
TESTS=usr/libexec/igt-gpu-tools
# The option ROMs that q35 and -kernel load.
ROMS="linuxboot_dma.bin kvmvapic.bin"

refresh=
cached=
options refresh cached -- "$@"

cached() {
	[ -f "$CURRENT" ] || return 1
	(
		. "$CURRENT"
		[ -d "$IGT_ROOTFS" ] && [ -d "$IGT_BIOS" ]
	)
}

fresh() {
	[ -z "$refresh" ] && cached && [ -n "$(find "$CURRENT" -mmin -$FRESH_MINUTES)" ]
}

get_rootfs() {
	NEW=$1
	ALL=$1/all
	mkdir "$ALL"
	note "IGT $version of Debian unstable: downloading and unpacking"
	unpack "$ALL" $packages busybox-static
	# The dynamic loader is named by the kernel.
	take "$LIBRARIES/ld-linux-x86-64.so.2"
	for file in igt_runner igt_results igt_resume; do
		take "usr/bin/$file"
	done
	for file in "$ALL/$TESTS"/panthor/* "$ALL/$TESTS"/panthor_*; do
		[ ! -f "$file" ] || take "${file#"$ALL"/}"
	done
	take "$LIBRARIES/libigt.so.0"
	mkdir -p "$NEW/bin" "$NEW/usr/lib64"
	ln -s usr/lib "$NEW/lib"
	ln -s usr/lib64 "$NEW/lib64"
	ln -s "../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" "$NEW/usr/lib64/"
	cp "$(find "$ALL" -path '*/bin/busybox' -type f)" "$NEW/bin/busybox" || return 1
	rm -rf "$ALL"
	find "$NEW/$TESTS" -type f | grep -q panthor || die "IGT's packages have no tests of panthor"
}

get_bios() {
	mkdir "$1/all"
	unpack "$1/all" seabios qemu-system-data
	for file in bios-256k.bin $ROMS; do
		_from=$(find "$1/all/usr/share" -name "$file" -type f | head -n 1)
		[ -n "$_from" ] || die "Debian's packages have no $file"
		cp "$_from" "$1/" || return 1
	done
	rm -rf "$1/all"
}

refill() {
	need dpkg-deb readelf flock sha256sum
	need_disk 300 "$CACHE"
	note "asking the Debian archive for IGT"
	APT_SUITE=unstable
	apt_private igt deb amd64
	APT_SUITE=
	if ! apt_update; then
		if cached; then
			note "the archive is out of reach: staying with the cached IGT"
			# Asked again in ten minutes, not by each script that follows.
			touch -d "@$(($(date +%s) - (FRESH_MINUTES - 10) * 60))" "$CURRENT"
			return 0
		fi
		die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	fi
	version=$(version_of igt-gpu-tools)
	[ -n "$version" ] || die "the archive has no igt-gpu-tools"
	packages=$(with_libraries igt-gpu-tools igt-gpu-tools-tests)
	key=$({
		cat "$0" "$TOP/scripts/lib/packages.sh"
		for package in $packages busybox-static; do
			echo "$package $(version_of "$package")"
		done
	} | sha256sum | cut -c 1-12)
	rootfs=$IGT/root-$key
	fill "$rootfs" get_rootfs

	apt_private pc deb amd64
	apt_update || die "the Debian archive is out of reach: connect the network and try again"
	key=$({
		version_of seabios
		version_of qemu-system-data
	} | sha256sum | cut -c 1-12)
	bios=$IGT/bios-$key
	fill "$bios" get_bios
	tests=/$TESTS
	[ ! -d "$rootfs/$TESTS/panthor" ] || tests=/$TESTS/panthor
	cat >"$CURRENT.$$" <<-END
	IGT_ROOTFS='$rootfs'
	IGT_VERSION='$version'
	IGT_TESTS='$tests'
	IGT_BIOS='$bios'
	END
	mv "$CURRENT.$$" "$CURRENT"
	touch "$rootfs" "$bios"
	forget_old "$IGT/root-" "$IGT/bios-"
}

if [ -n "$cached" ]; then
	cached || exit 1
	exit 0
fi
mkdir -p "$IGT" 2>/dev/null || die "cannot create $IGT: set PANTHOR_PERF_CACHE to a folder you may write"
if ! fresh; then
	(
		flock 7
		fresh || refill
	) 7>"$IGT/rootfs.lock" || exit 1
fi
cat "$CURRENT"
