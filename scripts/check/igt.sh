#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "igt" of scripts/check.py: the tests of tests/igt, all of them on an arm64 guest with the small harness; and a
# slice of make igt, where the cache has its kernel, emulator and IGT. They take ten minutes and more: make igt
# builds them.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

build() {
	"$TOP/scripts/build/build-module.sh" || die "the module does not build"
	"$TOP/scripts/build/build-igt-harness.sh" >/dev/null || die "the tests do not build"
	"$TOP/scripts/build/build-qemu.sh" >/dev/null || die "the virtual GPU does not build"
	result "ok driver and tests build"
}

slice() {
	log=$(log_of slice)
	status=0
	note "slice of make igt ..."
	watched "$log" "$TOP/scripts/igt.py" --slice --name slice || status=$?
	last=$(tail -n 1 "$log")
	case $status in
	0) result "ok real IGT, a slice: ${last#igt: }" ;;
	3) result "skip real IGT, a slice - its kernel, emulator or programs are not in the cache (make igt)" ;;
	*)
		tail -n 30 "$log"
		result "not ok real IGT, a slice - exit status $status, see $log"
		;;
	esac
}

job build first after=qemu/build,guest/build -- build
job arm64 long -- many "arm64" "$TOP/scripts/igt-arm64.sh"
job slice long nightly -- slice
finish
