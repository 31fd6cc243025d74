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

# Other seeds every night
random_long() {
	"$TOP/scripts/build/build-qemu.sh" --random --sanitizers -- --first "$(date +%y%m%d)00000" --seconds 2400 --steps 3000
}

job build first -- build
job qtest -- many "qtest" "$TOP/scripts/build/build-qemu.sh" --qtest
job random -- many "random" "$TOP/scripts/build/build-qemu.sh" --random --sanitizers -- --controls
job random-long nightly -- many "random-long" random_long
job others nightly low -- many "others" "$TOP/scripts/build/build-qemu.sh" --others
job checkpatch low -- one "QEMU's checkpatch" "$TOP/scripts/build/build-qemu.sh" --checkpatch
finish
