#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-igt-series.sh [--source FOLDER]
#
# Makes the patches of scripts/igt-series.py for IGT's own tree, and builds that tree with them by
# its Meson, in a chroot of Debian unstable with the packages that IGT's Debian package builds with;
# which needs root. The subtests that the programs list have to be those that their comments
# document. Where the tree has a configuration of igt_doc.py for panthor's tests, igt_doc.py
# compares them as well. The last line says what was built. The logs are in build/igt-series.
#
#	--source FOLDER	sources of IGT, in place of the archive's
#
# The exit status is 3 if there is no source.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/chroot.sh"

PACKAGES="gcc meson ninja-build pkgconf bison flex python3 python3-docutils libcairo2-dev libdrm-dev libdw-dev libjansson-dev
	libkmod-dev libpciaccess-dev libpci-dev libproc2-dev libudev-dev libunwind-dev libpixman-1-dev zlib1g-dev"
OUT=$BUILD/igt-series

source=
options source= -- "$@"

# What runs in the chroot. The tests of other drivers are not built.
# shellcheck disable=SC2016 # for that shell
BUILD_INSIDE='
	cd "$1"
	meson setup build -Dtests=enabled -Ddocs=disabled -Dman=disabled -Doverlay=disabled -Dchamelium=disabled
	ninja -C build -j "$2" $(ninja -C build -t targets all | sed -n "s/^\(tests\/panthor\/panthor_perf_[a-z]*\): .*/\1/p")
	for program in build/tests/panthor/panthor_perf_*; do
		[ -f "$program" ] || continue
		"$program" --list-subtests | sort >"$program.listed"
		sed -n "s/^ \* SUBTEST: //p" "tests/panthor/${program##*/}.c" | sort >"$program.documented"
		cmp "$program.listed" "$program.documented"
		echo "built ${program##*/}"
	done
	for config in $(find tests -name "*panthor*test_config.json"); do
		python3 scripts/igt_doc.py --config "$config" --check-testlist --igt-build-path build
	done'

_status=0
"$TOP/scripts/igt-series.py" ${source:+--source "$source"} || _status=$?
[ "$_status" = 0 ] || exit "$_status"
CHROOT_MORE=$PACKAGES
chroot_get igt unstable 1500 ca-certificates
note "building IGT's tests of panthor"
run_logged "$OUT/build.log" chroot_run "$OUT" -- sh -euc "$BUILD_INSIDE" igt "$OUT/igt" "$JOBS"
programs=$(grep -c '^built ' "$OUT/build.log") || die "IGT's tree has built none of the programs, see $OUT/build.log"
echo "IGT's own tree, which builds $programs programs"
