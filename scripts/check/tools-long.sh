#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/check/tools-long.sh
#
# What takes too long for stage "tools" of make check: the library's and the program's tests under valgrind and
# helgrind, and the Debian packages with lintian. The last line is "N passed, N failed, N skipped".
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
options -- "$@"

"$TOP/scripts/deps.sh" --nightly
"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
results=$BUILD/tools-long.results
mkdir -p "$BUILD"
: >"$results"
for part in valgrind helgrind debian; do
	note "$part ..."
	make -s -C "$TOP/tests/tools" $part >>"$results" || echo "not ok $part - exit status $?" >>"$results"
done
cat "$results"
count() {
	grep -c "^$1 " "$results" || :
}
echo "$(count ok) passed, $(count 'not ok') failed, $(count skip) skipped"
[ "$(count 'not ok')" = 0 ]
