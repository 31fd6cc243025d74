#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "tools" of scripts/check.py: the library, the command line tool and the comparer.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

build() {
	"$TOP/scripts/build/build-tools.sh" && make -s -C "$TOP/tools" man3
}

job build first -- one "tools for the host and the guest build" build
job tools long -- many "tools" make -s -C "$TOP/tests/tools" check
job sanitizers long low nightly -- many "tools, with sanitizers" make -s -C "$TOP/tests/tools" SANITIZE=1 check
job comparer low -- many "comparer" make -s -C "$TOP/tests/compare" check
finish
