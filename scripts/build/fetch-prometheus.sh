#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-prometheus.sh
#
# Lays out Debian's own Prometheus and its node exporter for this machine. Downloaded with a private apt configuration
# and unpacked in the cache, nothing is installed. Prints KEY=VALUE lines for eval:
#
#	PROMETHEUS_BIN		the folder of prometheus, prometheus-node-exporter and promtool
#
# The archive is asked when the cache has none. The exit status is 3 if the archive has no Prometheus.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

NOT_THERE=3
# Its programs need no other library than the oldest host's libc.
SUITE=bookworm
PACKAGES="prometheus prometheus-node-exporter"
ROOM_MIB=600

options -- "$@"
SELF=$(cat "$0" "$TOP/scripts/lib/packages.sh" | sha256sum | cut -c 1-12)
FOLDER=$CACHE/prometheus/bin+$SELF

get_bin() {
	mkdir "$1/all" "$1/bin"
	note "Prometheus $version of Debian $SUITE: downloading $(size_of $PACKAGES) MiB, and unpacking"
	unpack "$1/all" $PACKAGES
	for program in prometheus promtool prometheus-node-exporter; do
		mv "$1/all/usr/bin/$program" "$1/bin/" || return 1
	done
	rm -rf "$1/all"
}

fetch() {
	need dpkg dpkg-deb flock sha256sum
	need_disk "$ROOM_MIB" "$CACHE"
	APT_SUITE=$SUITE
	apt_private prometheus deb "$(dpkg --print-architecture)"
	apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	version=$(version_of prometheus)
	if [ -z "$version" ]; then
		note "Prometheus of Debian $SUITE: not in the archive"
		exit "$NOT_THERE"
	fi
	fill "$FOLDER" get_bin
	forget_old "$CACHE/prometheus/bin+"
}

mkdir -p "$CACHE/prometheus" 2>/dev/null ||
	die "cannot create $CACHE/prometheus: set PANTHOR_PERF_CACHE to a folder you may write"
(
	flock 7
	[ -d "$FOLDER" ] || fetch
) 7>"$CACHE/prometheus/lock" || exit $?
echo "PROMETHEUS_BIN='$FOLDER/bin'"
