#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-kernel.sh [--refresh]
#
# Takes the newest Debian 6.12 kernel for arm64 from the host's archive into the cache: sources,
# image, headers, a static busybox and the libraries for the programs that run in the guest. The host is
# not changed. Prints KEY=VALUE lines for eval:
#
#	KVER		version of the source package
#	KREL		release of the arm64 image
#	KSRC		the whole source tree
#	KDIR		arm64 headers: make -C KDIR M=... ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-
#	KIMAGE		vmlinuz
#	KMODDIR		lib/modules/KREL of the image
#	BUSYBOX		static busybox for arm64
#	SYSROOT_ARM64	libdrm, json-c, ncurses and protobuf-c for arm64
#
# The archive is asked for newer versions once in 12 hours, or with --refresh. Out of its reach,
# the newest cached version serves, with a note. Of each package the two versions used last stay.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

SERIES=6.12
HOST_ARCH=$(dpkg --print-architecture 2>/dev/null) || die "this host has no dpkg: Debian 12 or 13 is needed"
KERNELS=$CACHE/kernel
CURRENT=$KERNELS/current
FRESH_MINUTES=720

refresh=${PANTHOR_PERF_REFRESH:-}
case ${1:-} in
'') ;;
--refresh) refresh=1 ;;
--help | -h)
	show_help "$0"
	exit 0
	;;
*) die "unknown argument '$1'; --help shows the usage" ;;
esac

# Is everything that the last resolution chose still in the cache?
cached() {
	[ -f "$CURRENT" ] || return 1
	(
		. "$CURRENT"
		for path in "$KSRC/Makefile" "$KDIR/Makefile" "$KIMAGE" "$KMODDIR" "$BUSYBOX" \
			"$SYSROOT_ARM64/usr/lib/aarch64-linux-gnu/libprotobuf-c.a"; do
			[ -e "$path" ] || exit 1
		done
	)
}

fresh() {
	[ -z "$refresh" ] && cached && [ -n "$(find "$CURRENT" -mmin -$FRESH_MINUTES)" ]
}

version_of() {
	papt apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n 's/^Version: //p' | sort -u
}

known() {
	[ -n "$(version_of "$1")" ]
}

# Newest image first; one counts only when its headers and its kbuild are there as well.
resolve() {
	for image in $(papt apt-cache pkgnames "linux-image-$SERIES." | sed 's/:arm64$//' |
		grep -E '^linux-image-[0-9][^-]*-arm64(-unsigned)?$' |
		sed 's/-unsigned$//' | sort -uVr); do
		KREL=${image#linux-image-}
		abi=${KREL%-arm64}
		known "$image:arm64" || image=$image-unsigned
		IMAGE_VER=$(version_of "$image:arm64")
		if [ -n "$IMAGE_VER" ] && known "linux-headers-$KREL:arm64" &&
			known "linux-headers-$abi-common" && known "linux-kbuild-$abi:$HOST_ARCH"; then
			IMAGE=$image
			ABI=$abi
			break
		fi
	done
	[ -n "${IMAGE:-}" ] || die "the archive has no complete linux $SERIES for arm64 (image, headers, kbuild)"
	KVER=$(papt apt-cache madison "linux-source-$SERIES" | awk '{ print $3 }' | grep -Fx "$IMAGE_VER" |
		head -n 1) || :
	[ -n "$KVER" ] || KVER=$(version_of "linux-source-$SERIES")
	[ -n "$KVER" ] || die "the archive has no linux-source-$SERIES"
}

# download FOLDER PACKAGE...: the .deb files into FOLDER
download() {
	folder=$1
	shift
	(cd "$folder" && papt apt-get -q download "$@" >download.log 2>&1) || {
		tail -n 3 "$folder/download.log" >&2
		die "downloading $* failed: connect the network and try again"
	}
	rm -f "$folder/download.log"
}

get_source() {
	note "linux-source $KVER: downloading and unpacking (about a minute)"
	download "$1" "linux-source-$SERIES=$KVER"
	mkdir "$1/linux"
	for deb in "$1"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/linux-source-$SERIES.tar.xz" |
			xz -dc -T 0 | tar -x -C "$1/linux" --strip-components=1
	done
	[ -f "$1/linux/Kbuild" ] || die "linux-source-$SERIES has no tar file of the expected name"
	rm -f "$1"/*.deb
}

get_image() {
	note "$IMAGE $IMAGE_VER: downloading"
	download "$1" "$IMAGE:arm64=$IMAGE_VER"
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1"
	done
	rm -rf "$1"/*.deb "${1:?}/usr/share"
	# Newer packages have usr/lib alone, older ones lib: with both names depmod finds the modules, as on
	# an installed system.
	[ -d "$1/lib" ] || ln -s usr/lib "$1/lib"
	# The package's own triggers would have made modules.dep.
	PATH=$PATH:/usr/sbin:/sbin depmod -b "$1" "$KREL"
}

# The headers find one another by absolute path as installed; here they do so from where they lie.
get_headers() {
	note "linux-headers $KREL: downloading"
	download "$1" "linux-headers-$KREL:arm64" "linux-headers-$ABI-common" \
		"linux-kbuild-$ABI:$HOST_ARCH"
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1"
	done
	rm -rf "$1"/*.deb "${1:?}/usr/share"
	makefile=$1/usr/src/linux-headers-$KREL/Makefile
	sed -i 's|^include /usr/src/|include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../|' "$makefile"
	grep -q '^include \$(dir ' "$makefile" ||
		die "linux-headers-$KREL: the include line of its Makefile is not where it was"
}

get_busybox() {
	download "$1" busybox-static:arm64
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1"
	done
	# The program is in bin or, in newer packages, in usr/bin.
	[ -d "$1/bin" ] || mv "$1/usr/bin" "$1/bin"
	rm -rf "$1"/*.deb "${1:?}/usr"
}

SYSROOT_PACKAGES="libdrm-dev libdrm2 libjson-c-dev libjson-c5 libncurses-dev libprotobuf-c-dev"

get_sysroot() {
	note "libraries for arm64: downloading"
	download "$1" $(printf '%s:arm64 ' $SYSROOT_PACKAGES)
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1"
	done
	rm -rf "$1"/*.deb "${1:?}/usr/share"
}

refill() {
	need xz depmod tar flock sha256sum
	need_disk 4000 "$CACHE"
	apt_private kernel deb "$HOST_ARCH" $([ "$HOST_ARCH" = arm64 ] || echo arm64)
	note "asking the Debian archive for the newest $SERIES kernel"
	if ! apt_update; then
		if cached; then
			note "the archive is out of reach: staying with the newest cached kernel"
			# Asked again in ten minutes, not by each script that follows.
			touch -d "@$(($(date +%s) - (FRESH_MINUTES - 10) * 60))" "$CURRENT"
			return 0
		fi
		die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	fi
	resolve
	sysroot_versions=$(for package in $SYSROOT_PACKAGES; do version_of "$package:arm64"; done |
		sha256sum | cut -c 1-12)
	busybox_version=$(version_of busybox-static:arm64 | tr -c '[:alnum:].+\n-' _)

	source=$KERNELS/source-$KVER
	image=$KERNELS/image-$KREL-$IMAGE_VER
	headers=$KERNELS/headers-$KREL-$IMAGE_VER-$HOST_ARCH
	sysroot=$KERNELS/sysroot-arm64-$sysroot_versions
	busybox=$KERNELS/busybox-$busybox_version
	fill "$source" get_source &
	source_pid=$!
	fill "$image" get_image
	fill "$headers" get_headers
	fill "$sysroot" get_sysroot
	fill "$busybox" get_busybox
	wait $source_pid || exit 1

	kimage=$(find "$image/boot" -name 'vmlinuz-*')
	cat >"$CURRENT.$$" <<-END
	KVER='$KVER'
	KREL='$KREL'
	KSRC='$source/linux'
	KDIR='$headers/usr/src/linux-headers-$KREL'
	KIMAGE='$kimage'
	KMODDIR='$image/lib/modules/$KREL'
	BUSYBOX='$busybox/bin/busybox'
	SYSROOT_ARM64='$sysroot'
	END
	mv "$CURRENT.$$" "$CURRENT"
	cached || die "the unpacked packages lack an expected file: see $CURRENT"
	touch "$source" "$image" "$headers" "$sysroot" "$busybox"
	forget_old "$KERNELS/source-" "$KERNELS/image-" "$KERNELS/headers-" "$KERNELS/sysroot-" \
		"$KERNELS/busybox-"
}

mkdir -p "$KERNELS" 2>/dev/null || die "cannot create $KERNELS: set PANTHOR_PERF_CACHE to a folder you may write"
if ! fresh; then
	(
		flock 7
		fresh || refill
	) 7>"$KERNELS/lock" || exit 1
fi
cat "$CURRENT"
