#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "guest-stock" of scripts/check.py: the distribution's unmodified panthor.ko on the virtual GPU.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

build() {
	"$TOP/scripts/build/build-tools.sh" || die "the tools do not build"
	"$TOP/scripts/build/build-qemu.sh" >/dev/null || die "the virtual GPU does not build"
	result "ok the tools for the guest build"
}

run() {
	_name=$1
	shift
	"$TOP/scripts/run-guest.py" --quiet --name "$_name" --stock "$@" || :
	adopt "$BUILD/run/$_name/summary"
}

guest() {
	job "$1" -- run "$@"
}

job build first after=qemu/build,tools/build -- build
job runner -- many "runner" "$TOP/tests/runner/runner-test.sh"
guest stock --timeout 600 boot probe suspend properties ping cs-submit cs-faults cs-truths unbind
guest stock-one-core --vmali shader-present=0x1,l2-slices=1 probe properties
guest stock-dense --vmali shader-present=0xff,l2-slices=8,groups=3 probe properties suspend
guest stock-sparse --vmali shader-present=0x8000400020001,l2-slices=2,coherent=on probe properties
guest stock-arch11 --vmali gpu-id=0xb8520000,prfcnt-features=2 probe properties suspend
finish
