#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "debug-guest" of scripts/check.py: the stage "guest" on a kernel with KASAN, lockdep, kmemleak and
# their like, with the driver built in tree; before it, the driver in tree with DRM_PANTHOR_PERF=n.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

build_kernel() {
	"$TOP/scripts/build/build-debug-kernel.sh" --without >/dev/null || die "the debug kernel does not build"
	result "ok the debug kernel builds, with the option and without"
	"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
}

# Of the debug kernel.
settings() {
	_settings=$("$TOP/scripts/build/build-debug-kernel.sh" --without) || die "the debug kernel does not build"
	eval "$_settings"
}

# Mistakes on purpose have to make the run fail, each by itself.
planted() {
	settings
	"$TOP/scripts/run-guest.py" --debug --name debug-planted \
		--file "$KMODDIR_DEBUG/kernel/samples/kmemleak/kmemleak-test.ko:/modules/kmemleak-test.ko" \
		memory-mark planted-debug memory-back && return 1
	! grep 'announced message did not come\|did not end\|killed after' "$BUILD/run/debug-planted/summary" || return 1
	for what in 'memory-back: memory is back' 'checkers: lockdep is on' \
		'checkers: no memory is lost' 'kernel log: unannounced message'; do
		grep -q "^not ok debug-planted: $what" "$BUILD/run/debug-planted/summary" || return 1
	done
}

without() {
	settings
	"$TOP/scripts/run-guest.py" --quiet --debug --module "$WITHOUT_DEBUG" --name debug-without \
		probe suspend perf-without || :
	adopt "$BUILD/run/debug-without/summary"
}

job kernel first -- build_kernel
job planted alone -- one "planted mistakes are found" planted
job without alone -- without
DEBUG_GUEST=1
. "$TOP/scripts/check/guest.sh"
