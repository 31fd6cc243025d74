#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "igt" of scripts/check.py: the tests of tests/igt, all of them on an arm64 guest with the small harness; and a
# slice of make igt, where the cache has its kernel, emulator and IGT. They take ten minutes and more: make igt
# builds them. At night also the patches for IGT's own tree.
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

# The new files, with the packaged libigt in place of IGT's tree; and the patches for that tree, if the archive has it.
series() {
	if [ "$(uname -m)" != x86_64 ]; then
		result "skip series: there is no libigt for this machine"
		return
	fi
	one "the tests build without the virtual GPU, and describe their subtests" "$TOP/scripts/igt-series.py" --files
	many "series" "$TOP/tests/igt/check-series.py"
	_status=0
	"$TOP/scripts/build/build-igt-series.sh" >"$(log_of tree)" 2>&1 || _status=$?
	case $_status in
	0) result "ok series: the patches apply to $(tail -n 1 "$(log_of tree)")" ;;
	3) result "skip series: IGT's own tree, whose source package is not in the archive" ;;
	*)
		tail -n 30 "$(log_of tree)"
		result "not ok series: the patches in IGT's own tree - exit status $_status, see $(log_of tree)"
		;;
	esac
}

job build first after=qemu/build,guest/build -- build
job arm64 long -- many "arm64" "$TOP/scripts/igt-arm64.sh"
job slice long nightly -- slice
job series nightly -- series
finish
