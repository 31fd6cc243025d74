#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-igt-kernel.sh [--cached]
#
# Builds the kernel of make igt: x86_64, from the newest Debian 6.12 source with this checkout's component in
# tree. The machine's configuration is tests/igt/kernel.config; what user space and the driver need and the
# checkers are those of tests/guest/config/debug.config. Beside it the module for the GPU's interrupts and the
# device tree of tests/igt. Prints KEY=VALUE lines for eval:
#
#	KIMAGE_IGT	the kernel, for QEMU
#	KMODDIR_IGT	its modules, panthor.ko among them
#	KREL_IGT	its release
#	VMALI_IRQ	the module for the interrupts
#	DTB_IGT		the device tree
#
# With --cached it builds nothing and prints nothing; it succeeds if a kernel is in the cache that needs no more than
# its panthor.ko to be built.
#
# While only the component changes, only panthor.ko is built again. What is printed lies in
# build/igt-kernel.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/kernel-tree.sh"
. "$TOP/scripts/lib/kernel-build.sh"

IGT=$TOP/tests/igt
CROSS_COMPILE=
ARCH=x86_64
IMAGE=arch/x86/boot/bzImage
KERNEL=$CACHE/igt
OUTS=$BUILD/igt-kernel
LOGS=igt
TITLE="the kernel of IGT"
MINUTES=6
INPUTS="$TOP/scripts/build/build-igt-kernel.sh $IGT/modules $IGT/vmali.dts"

cached=
options cached -- "$@"

# The machine, and all of the other kernel's sections but its first two, which are its own machine. What both set is as
# this one wants it.
make_config() {
	cat "$IGT/kernel.config"
	echo
	awk -v RS= -v ORS='\n\n' 'NR > 2' "$TOP/tests/guest/config/debug.config" |
		awk -F= 'NR == FNR { set[$1] = 1; next } !/^CONFIG_/ || !($1 in set)' "$IGT/kernel.config" -
}

# What of the tests is for this kernel: the module for the interrupts, and the device tree.
build_extras() {
	rm -rf "$1/src"
	cp -r "$IGT/modules" "$1/src"
	kernel_make M="$1/src" W=1 KCFLAGS=-Werror modules &&
		strip --strip-debug -o "$1/vmali-irq.ko" "$1/src/vmali-irq.ko" &&
		"$OBJ/scripts/dtc/dtc" -O dtb -o "$1/vmali.dtb" "$IGT/vmali.dts" &&
		rm -rf "$1/src"
}

[ "$(uname -m)" = x86_64 ] || die "this needs an x86_64 host: there is no libigt for others"
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
if [ -n "$cached" ]; then
	[ -f "$KERNEL/kernel-$KVER/vmlinux" ] || exit 1
	exit 0
fi
kernel_build
release=$(cat "$OUT/release")
echo "KIMAGE_IGT='$OUT/bzImage'"
echo "KMODDIR_IGT='$OUT/lib/modules/$release'"
echo "KREL_IGT='$release'"
echo "VMALI_IRQ='$OUT/vmali-irq.ko'"
echo "DTB_IGT='$OUT/vmali.dtb'"
