#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/deps.sh [--list|--check]
#
# Names the Debian packages that building and testing need and this host lacks, and installs
# them with apt-get. Nothing else on the host is changed.
#
#	--list	print all packages, one a line
#	--check	name the missing ones and fail, install nothing
#
# The names are those of Debian 12 and 13. gcc-multilib must not come in here: it and the cross compiler exclude one
# another.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

# A line each: kernels and modules; sources from the archive; QEMU; semantic patch and static checks; tools; what the
# tests of the tools run; Debian packages.
PACKAGES="
	make gcc libc6-dev bc bison flex cpio xz-utils zstd kmod rsync perl python3 libelf-dev libssl-dev libdw-dev
	ca-certificates debian-archive-keyring dpkg-dev patch git
	g++ meson ninja-build pkg-config python3-venv libglib2.0-dev libfdt-dev zlib1g-dev libpixman-1-dev
	coccinelle sparse shellcheck
	libdrm-dev libjson-c-dev libncurses-dev libxml2-dev libprotobuf-c-dev protobuf-c-compiler gnuplot-nox
	valgrind clang libclang-rt-dev tmux man-db mandoc protobuf-compiler
	debhelper lintian"

# An arm64 host's own compiler has that name as well.
[ "$(dpkg --print-architecture 2>/dev/null)" = arm64 ] ||
	PACKAGES="$PACKAGES gcc-aarch64-linux-gnu libc6-dev-arm64-cross"

installed() {
	dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

mode=install
case ${1:-} in
'') ;;
--list) mode=list ;;
--check) mode=check ;;
--help | -h)
	show_help "$0"
	exit 0
	;;
*) die "unknown argument '$1'; --help shows the usage" ;;
esac

if [ "$mode" = list ]; then
	printf '%s\n' $PACKAGES
	exit 0
fi

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
	die "this host has no apt: install by hand:" $PACKAGES

missing=
for package in $PACKAGES; do
	installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

[ "$mode" = install ] || die "packages are missing:$missing"
[ "$(id -u)" = 0 ] || die "packages are missing: run as root: apt-get install --no-install-recommends$missing"

# What apt would take away counts as a change too: refuse rather than remove a package.
plan() {
	apt-get -s -qq install --no-install-recommends $missing 2>/dev/null
}

note "installing the missing packages:$missing"
mkdir -p "$BUILD/log"
if ! plan >"$BUILD/log/deps-plan.log"; then
	run_logged "$BUILD/log/deps-update.log" apt-get -q update ||
		die "the package lists cannot be fetched: connect the network and try again"
	plan >"$BUILD/log/deps-plan.log" || die "apt cannot install:$missing (apt-get -s install tells why)"
fi
if removed=$(grep '^Remv' "$BUILD/log/deps-plan.log"); then
	die "installing would remove $(echo "$removed" | awk '{ printf "%s ", $2 }')- not done"
fi
install_all() {
	DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $missing
}
if ! run_logged "$BUILD/log/deps.log" install_all; then
	note "trying once more with fresh package lists"
	run_logged "$BUILD/log/deps-update.log" apt-get -q update ||
		die "the package lists cannot be fetched: connect the network and try again"
	run_logged "$BUILD/log/deps.log" install_all || die "apt-get could not install:$missing"
fi
