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
# As on a machine that does not reach npm's registry.
without_uplot() {
	make -s -C "$TOP/tests/tools" O="$BUILD/without-uplot" UPLOT=none check
}
job without-uplot long low nightly -- many "tools, without uPlot" without_uplot
wide_ids() {
	make -s -C "$TOP/tests/tools" "$BUILD/host-bin/panthor-perf-fake" "$BUILD/host-bin/wide-gpu_id_hi" \
		"$BUILD/host-bin/wide-gpu_wide_id" && "$TOP/tests/tools/wide-ids-test.sh" "$BUILD/host-bin"
}
job wide-ids long low nightly after=tools -- many "ids of 64 bits" wide_ids
job sanitizers long low nightly -- many "tools, with sanitizers" make -s -C "$TOP/tests/tools" SANITIZE=1 check
job comparer low -- many "comparer" make -s -C "$TOP/tests/compare" check
finish
