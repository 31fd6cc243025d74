#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-mesa-source.sh [--suite SUITE]
#
# Unpacks the newest source package of Mesa that a suite of Debian has and that can be downloaded
# (50 to 80 MB), without Debian's changes. Prints KEY=VALUE lines for eval:
#
#	MESA_SOURCE	folder with Mesa's sources
#	MESA_SOURCE_VERSION	its version
#
#	--suite SUITE	of this suite (trixie)
#
# The exit status is 3 if the archive has none. An index may name packages that the archive does not
# have.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/source.sh"

suite=trixie
options suite= -- "$@"
case $suite in
'' | *[!a-z-]*) die "'$suite' is no suite of Debian" ;;
esac
[ "$suite" != sid ] || suite=unstable

upstream_source Mesa mesa mesa "$CACHE/mesa/tree-" 1000 "$suite" || exit "$?"
echo "MESA_SOURCE='$SOURCE'"
echo "MESA_SOURCE_VERSION='$SOURCE_VERSION'"
