#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/deb.sh [--dkms] [--output FOLDER]
#
# Builds the Debian packages into build/deb, from the files that git knows, with their changes: the library, its
# development files, the program, and the driver for DKMS. It prints the names of the packages.
#
# The build itself uses no network: what is not in Debian, uPlot, and a panthor_drm.h if the system has none, are put
# into debian/vendor of the tree that is built.
#
#	--dkms			only the driver, which is the same for all architectures
#	--output FOLDER		into FOLDER instead, with the folder panthor-perf in which they were built
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

dkms=
output=
options dkms output= -- "$@"
DEPS_OPTION=--packages
need dpkg-buildpackage dh git
git -C "$TOP" rev-parse -q --verify HEAD >/dev/null || die "$TOP is no git checkout: there is no list of its files"

OUT=${output:-$BUILD/deb}
if [ -z "$output" ]; then
	rm -rf "$OUT"
	trap 'rm -rf "$OUT/panthor-perf"' EXIT
fi
mkdir -p "$OUT/panthor-perf"
(cd "$TOP" && git ls-files -z | xargs -0 tar -c --ignore-failed-read) | tar -x -C "$OUT/panthor-perf"
if ! unmet=$(cd "$OUT/panthor-perf" && dpkg-checkbuilddeps 2>&1); then
	die "$(echo "$unmet" | sed -n 's/.*: Unmet/unmet/p'): run scripts/deps.sh $DEPS_OPTION, which installs them"
fi
vendor=$OUT/panthor-perf/debian/vendor
if [ -z "$dkms" ]; then
	uplot=$("$TOP/scripts/build/fetch-uplot.sh") || die "the program's package contains uPlot, which is not here"
	mkdir -p "$vendor/uplot"
	cp "$uplot"/* "$vendor/uplot"
	"$TOP/tools/panthor-uapi.sh" "$vendor/uapi/panthor_drm.h" || exit 1
fi
note "building the packages (the log is ${OUT#"$TOP/"}/log)"
build() {
	cd "$OUT/panthor-perf" && dpkg-buildpackage -us -uc "$1"
}
run_logged "$OUT/log" build "$([ -n "$dkms" ] && echo -A || echo -b)" || die "the packages do not build"
arch=$(dpkg --print-architecture)
[ "$arch" = arm64 ] || note "for $arch; those of a board are built on arm64"
for deb in "$OUT"/*.deb; do
	echo "${deb#"$TOP/"}"
done
