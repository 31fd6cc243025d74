#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-qemu.sh [--update]
#
# Takes the source of the QEMU that the host's Debian release has into the cache, with all of Debian's patches
# applied. The host is not changed. Prints KEY=VALUE lines for eval:
#
#	QEMU_VER	Debian's version
#	QEMU_SRC	the whole source tree
#
# The archive is asked for a newer version only with --update, or with a newer release on the host. Out of its reach,
# the cached version serves, with a note. The two versions used last stay.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

# shellcheck disable=SC1091
RELEASE=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
QEMUS=$CACHE/qemu
CURRENT=$QEMUS/current-$RELEASE
# Source, build and products.
NEED_MIB=1500

case ${1:-} in
'' | --update) update=${1:-} ;;
--help | -h)
	show_help "$0"
	exit 0
	;;
*) die "unknown argument '$1'; --help shows the usage" ;;
esac

cached() {
	[ -f "$CURRENT" ] || return 1
	(
		. "$CURRENT"
		[ -f "$QEMU_SRC/meson.build" ]
	)
}

get_source() {
	note "qemu $QEMU_VER: downloading and unpacking (about a minute)"
	mkdir "$1/download"
	(cd "$1/download" && papt apt-get -q source --only-source --download-only "qemu=$QEMU_VER") \
		>"$1/log" 2>&1 || {
		tail -n 3 "$1/log" >&2
		die "downloading qemu $QEMU_VER failed: connect the network and try again"
	}
	dpkg-source --no-check --no-copy -x "$1"/download/*.dsc "$1/unpacked" >"$1/log" 2>&1 || {
		tail -n 3 "$1/log" >&2
		die "unpacking qemu $QEMU_VER failed"
	}
	find "$1/unpacked" -mindepth 1 -maxdepth 1 -exec mv -t "$1" {} + &&
		rm -r "$1/unpacked" "$1/download" "$1/log"
}

refill() {
	need dpkg-source patch xz flock
	need_disk $NEED_MIB "$CACHE"
	apt_private qemu deb-src "$(dpkg --print-architecture)"
	note "asking the Debian archive for the newest QEMU of $RELEASE"
	if ! apt_update; then
		if cached; then
			note "the archive is out of reach: staying with the cached QEMU"
			return 0
		fi
		die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	fi
	QEMU_VER=$(papt apt-cache showsrc --only-source qemu 2>/dev/null | sed -n 's/^Version: //p' |
		sort -V | tail -n 1)
	[ -n "$QEMU_VER" ] || die "the archive has no source package qemu"
	QEMU_SRC=$QEMUS/src-$(printf %s "$QEMU_VER" | tr ':+~' '___')
	fill "$QEMU_SRC" get_source
	cat >"$CURRENT.$$" <<-END
	QEMU_VER='$QEMU_VER'
	QEMU_SRC='$QEMU_SRC'
	END
	mv "$CURRENT.$$" "$CURRENT"
	touch "$QEMU_SRC"
	forget_old "$QEMUS/src-"
}

serves() {
	[ -z "$update" ] && cached
}

mkdir -p "$QEMUS" 2>/dev/null || die "cannot create $QEMUS: set PANTHOR_PERF_CACHE to a folder you may write"
if ! serves; then
	(
		flock 7
		serves || refill
	) 7>"$QEMUS/source.lock" || exit 1
fi
cat "$CURRENT"
