#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "qemu" of scripts/check.py: the virtual GPU by itself.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

build() {
	"$TOP/scripts/build/build-qemu.sh" >/dev/null || die "the virtual GPU does not build"
	result "ok the virtual GPU builds"
}

job build first -- build
job qtest -- many "qtest" "$TOP/scripts/build/build-qemu.sh" --qtest
job others nightly low -- many "others" "$TOP/scripts/build/build-qemu.sh" --others
job checkpatch low -- one "QEMU's checkpatch" "$TOP/scripts/build/build-qemu.sh" --checkpatch
finish
