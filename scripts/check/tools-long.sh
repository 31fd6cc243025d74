#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/check/tools-long.sh
#
# What takes too long for stage "tools" of make check: the library's and the program's tests under valgrind and
# helgrind, and the Debian packages with lintian. What this host has no program for is left out, and named. The last line is "N passed, N
# failed".
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

options -- "$@"

"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
results=$BUILD/tools-long.results
mkdir -p "$BUILD"
: >"$results"
run() {
	if ! command -v "$2" >/dev/null; then
		note "$1 is left out: there is no $2 (apt-get install $3)"
		return
	fi
	note "$1 ..."
	make -s -C "$TOP/tests/tools" "$1" >>"$results" || echo "not ok $1 - exit status $?" >>"$results"
}
run valgrind valgrind valgrind
run helgrind valgrind valgrind
run debian dpkg-buildpackage "debhelper lintian"
cat "$results"
failed=$(grep -c '^not ok ' "$results" || :)
echo "$(grep -c '^ok ' "$results" || :) passed, $failed failed"
[ "$failed" -eq 0 ]
