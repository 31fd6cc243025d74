#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-kernel.sh [--refresh]
#
# Takes the newest Debian kernel of a series for arm64 from the archive into the cache: sources,
# image, headers, a static busybox and the libraries for the programs that run in the guest. The host is
# not changed. The series is PANTHOR_PERF_KERNEL or, without it, 6.12. scripts/kernels.list has all series, and
# the suites of the archive that they come from. Prints KEY=VALUE lines for eval:
#
#	KVER		version of the source package
#	KREL		release of the arm64 image
#	KSRC		the whole source tree
#	KDIR		arm64 headers: make -C KDIR M=... ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-
#	KIMAGE		vmlinuz
#	KMODDIR		lib/modules/KREL of the image
#	BUSYBOX		static busybox for arm64
#	SYSROOT_ARM64	libdrm, json-c, ncurses, protobuf-c, zlib and zstd for arm64
#
# and for a series whose headers need a certain Debian release (scripts/lib/chroot.sh makes a chroot on others):
#
#	KSYSTEM		that release, for its compiler and its C library
#	KCC		the compiler, without the prefix of a cross compiler
#
# BUSYBOX and SYSROOT_ARM64 are of the host's release for every series.
#
# The archive is asked for newer versions once in 12 hours, or with --refresh. Out of its reach,
# the newest cached version serves, with a note. Of each package the two versions used last stay. The exit status is
# 3 if the archive does not have the series.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

LIST=$TOP/scripts/kernels.list
HOST_ARCH=$(dpkg --print-architecture 2>/dev/null) || die "this host has no dpkg: Debian 12 or 13 is needed"
FRESH_MINUTES=720
NOT_IN_ARCHIVE=3

refresh=${PANTHOR_PERF_REFRESH:-}
options refresh -- "$@"
KERNELS=$CACHE/kernel
[ "$SERIES" = $DEFAULT_SERIES ] || KERNELS=$CACHE/kernel/$SERIES
CURRENT=$KERNELS/current

# of_list: the lines of the series, without its name
of_list() {
	awk -v series="$SERIES" '$1 == series { print $2, $3 }' "$LIST"
}
[ -n "$(of_list)" ] ||
	die "kernel $SERIES: none of" $(awk '!/^#/ && NF { print $1 }' "$LIST" | sort -uV) "of scripts/kernels.list"

# Is everything that the last resolution chose still in the cache?
cached() {
	[ -f "$CURRENT" ] || return 1
	(
		. "$CURRENT"
		for path in "$KSRC/Makefile" "$KDIR/Makefile" "$KIMAGE" "$KMODDIR" "$BUSYBOX" \
			"$SYSROOT_ARM64/usr/lib/aarch64-linux-gnu/libz.a" "$SYSROOT_ARM64/usr/lib/aarch64-linux-gnu/libzstd.a"; do
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

# Newest image first; one counts only when its headers and its kbuild are there as well. Fails if there is
# none.
resolve() {
	IMAGE=
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
	[ -n "$IMAGE" ] || return 1
	KVER=$(papt apt-cache madison "linux-source-$SERIES" | awk '{ print $3 }' | grep -Fx "$IMAGE_VER" |
		head -n 1) || :
	[ -n "$KVER" ] || KVER=$(version_of "linux-source-$SERIES")
	[ -n "$KVER" ] || die "the archive has no linux-source-$SERIES"
}

# The compiler of the kernel, by which the headers build modules.
compiler_of() {
	papt apt-cache show --no-all-versions "linux-headers-$KREL:arm64" |
		sed -n -E 's/^Depends: (.*, )?(gcc-[0-9]+)-for-host.*/\2/p'
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
	parts=$IMAGE
	# Newer packages are divided.
	! known "linux-binary-$KREL:arm64" || parts="linux-base-$KREL linux-binary-$KREL linux-modules-$KREL"
	download "$1" $(printf "%s:arm64=$IMAGE_VER " $parts)
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
	sed -i -e 's|^include /usr/src/|include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../|' \
		-e 's|^KBUILD_OUTPUT=/usr/src/.*|KBUILD_OUTPUT := $(dir $(realpath $(lastword $(MAKEFILE_LIST))))|' \
		"$makefile"
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

SYSROOT_PACKAGES="libdrm-dev libdrm2 libjson-c-dev libjson-c5 libncurses-dev libprotobuf-c-dev zlib1g-dev libzstd-dev"

get_sysroot() {
	note "libraries for arm64: downloading"
	download "$1" $(printf '%s:arm64 ' $SYSROOT_PACKAGES)
	for deb in "$1"/*.deb; do
		dpkg-deb -x "$deb" "$1"
	done
	rm -rf "$1"/*.deb "${1:?}/usr/share"
}

# open_archive SUITE WHAT: apt's private configuration with fresh lists. Out of reach, the cached kernel serves.
open_archive() {
	APT_SUITE=$1
	[ "$APT_SUITE" != host ] || APT_SUITE=
	apt_private "kernel${APT_SUITE:+-$APT_SUITE}" deb "$HOST_ARCH" \
		$([ "$HOST_ARCH" = arm64 ] || echo arm64)
	note "asking the Debian archive for the newest $2${APT_SUITE:+ in $APT_SUITE}"
	! apt_update || return 0
	if cached; then
		note "the archive is out of reach: staying with the newest cached kernel"
		# Asked again in ten minutes, not by each script that follows.
		touch -d "@$(($(date +%s) - (FRESH_MINUTES - 10) * 60))" "$CURRENT"
		exit 0
	fi
	die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
}

refill() {
	need xz depmod tar flock sha256sum
	need_disk 4000 "$CACHE"
	found=
	while [ -z "$found" ] && read -r SUITE KSYSTEM <&3; do
		open_archive "$SUITE" "$SERIES kernel"
		! resolve || found=1
	done 3<<-END
	$(of_list)
	END
	if [ -z "$found" ]; then
		note "the archive has no complete linux $SERIES for arm64 (image, headers, kbuild)"
		exit $NOT_IN_ARCHIVE
	fi

	source=$KERNELS/source-$KVER
	image=$KERNELS/image-$KREL-$IMAGE_VER
	headers=$KERNELS/headers-$KREL-$IMAGE_VER-$HOST_ARCH
	fill "$source" get_source &
	source_pid=$!
	fill "$image" get_image
	fill "$headers" get_headers
	system=
	[ "$KSYSTEM" = host ] || system="KSYSTEM='$KSYSTEM'
KCC='$(compiler_of)'"

	[ "$SUITE" = host ] || open_archive host "libraries for arm64"
	sysroot_versions=$(for package in $SYSROOT_PACKAGES; do version_of "$package:arm64"; done |
		sha256sum | cut -c 1-12)
	busybox_version=$(version_of busybox-static:arm64 | tr -c '[:alnum:].+\n-' _)
	sysroot=$CACHE/kernel/sysroot-arm64-$sysroot_versions
	busybox=$CACHE/kernel/busybox-$busybox_version
	fill "$sysroot" get_sysroot
	fill "$busybox" get_busybox
	wait $source_pid || exit 1

	kimage=$(find "$image" -path '*/boot/vmlinuz-*' -o -path '*/lib/modules/*/vmlinuz')
	{
		cat <<-END
		KVER='$KVER'
		KREL='$KREL'
		KSRC='$source/linux'
		KDIR='$headers/usr/src/linux-headers-$KREL'
		KIMAGE='$kimage'
		KMODDIR='$image/lib/modules/$KREL'
		BUSYBOX='$busybox/bin/busybox'
		SYSROOT_ARM64='$sysroot'
		END
		[ -z "$system" ] || echo "$system"
	} >"$CURRENT.$$"
	mv "$CURRENT.$$" "$CURRENT"
	cached || die "the unpacked packages lack an expected file: see $CURRENT"
	touch "$source" "$image" "$headers" "$sysroot" "$busybox"
	forget_old "$KERNELS/source-" "$KERNELS/image-" "$KERNELS/headers-" "$CACHE/kernel/sysroot-" \
		"$CACHE/kernel/busybox-"
}

mkdir -p "$KERNELS" 2>/dev/null || die "cannot create $KERNELS: set PANTHOR_PERF_CACHE to a folder you may write"
if ! fresh; then
	(
		flock 7
		fresh || refill
	) 7>"$KERNELS/lock" || exit $?
fi
cat "$CURRENT"
