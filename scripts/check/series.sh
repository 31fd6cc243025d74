#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "series" of scripts/check.py: each series for mainline runs. A guest boots the debug kernel with the patches of the
# series up to one, and the tools of this checkout take recordings on request, which the comparer judges. What a later
# series adds they refuse in one sentence. The suites of the first series run in a kernel with its patches alone;
# scripts/series.py --bisect runs those of each patch.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
PANTHOR_PERF_KERNEL=$(awk '!/^#/ && NF { print $1 }' "$TOP/scripts/kernels.list" | sort -V | tail -n 1)
PANTHOR_PERF_MAINLINE=1
export PANTHOR_PERF_KERNEL PANTHOR_PERF_MAINLINE
DEBUG_GUEST=1
. "$TOP/scripts/lib/stage.sh"
. "$TOP/scripts/lib/guest-jobs.sh"

# The tools have the numbers of panthor_drm.h with all series.
build_series() {
	available series || return 0
	"$TOP/scripts/series.py" >/dev/null || die "the patches cannot be made"
	"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
	result "ok the patches are made, and the tools build with their header"
}

kunit() {
	available series || return 0
	many "kunit of series 1" env PANTHOR_PERF_PATCHES=1 KUNIT_NAME=kunit-series-1 "$TOP/scripts/kunit.py"
}

# Samples that come by themselves would leave in doubt where a session begins: the first series has the host's time alone.
boot() {
	available series || return 0
	PANTHOR_PERF_PATCHES=$1
	export PANTHOR_PERF_PATCHES
	one "series $1: the kernel builds" "$TOP/scripts/build/build-debug-kernel.sh"
	_more=
	[ "$1" != 1 ] || _more="suspend perf-errno perf-cycles perf-close perf-pm perf-reset perf-unplug unbind"
	run_and_check "series-$1" "samples runs" $patience --vmali auto-samples=0 probe perf-series $_more
}

job build first after=qemu/build -- build_series
job kunit low -- kunit
for number in 1 2 3 4 5 6 7 8 9 10; do
	job "boot-$number" alone -- boot "$number"
done
finish
