#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-igt-source.sh
#
# Unpacks the newest source package of IGT GPU Tools that Debian unstable has and that can be
# downloaded (4 MB), without Debian's changes. Prints KEY=VALUE lines for eval:
#
#	IGT_SOURCE	folder with IGT's sources
#
# The exit status is 3 if the archive has none. An index may name packages that the archive does not
# have.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/source.sh"

options -- "$@"

upstream_source IGT intel-gpu-tools igt "$CACHE/igt/source-" 300 unstable || exit "$?"
echo "IGT_SOURCE='$SOURCE'"
