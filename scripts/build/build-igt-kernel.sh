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
# Tree and object files live in the cache, one of each for a source version: while only the component
# changes, only panthor.ko is built again. Those of the two versions used last stay. What is printed lies
# in build/igt-kernel.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/kernel-tree.sh"

IGT=$TOP/tests/igt

cached=
options cached -- "$@"

[ "$(uname -m)" = x86_64 ] || die "this needs an x86_64 host: there is no libigt for others"
need make flex bison bc flock depmod gcc
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
KERNEL=$CACHE/igt
OBJ=$KERNEL/kernel-$KVER
CONFIG=$KERNEL/config
if [ -n "$cached" ]; then
	[ -f "$OBJ/vmlinux" ] || exit 1
	exit 0
fi

# The machine, and all of the other kernel's sections but its first two, which are its own machine.
make_config() {
	cat "$IGT/kernel.config"
	echo
	awk -v RS= -v ORS='\n\n' 'NR > 2' "$TOP/tests/guest/config/debug.config"
}

kernel_make() {
	nice make -C "$TREE" O="$OBJ" ARCH=x86_64 -j "$JOBS" \
		KCFLAGS=-g1 KBUILD_BUILD_TIMESTAMP="$KVER" KBUILD_BUILD_USER=user KBUILD_BUILD_HOST=host "$@"
}

# Each line has to be there in the end.
configure() {
	kernel_make KCONFIG_ALLCONFIG="$CONFIG" allnoconfig || return 1
	grep -E '^(# )?CONFIG_' "$CONFIG" | while read -r line; do
		grep -qxF "$line" "$OBJ/.config" || case $line in
		'# '*' is not set')
			option=${line#\# }
			! grep -q "^${option%% *}=" "$OBJ/.config" || echo "$line"
			;;
		*) echo "$line" ;;
		esac
	done >"$OBJ/missed"
	[ ! -s "$OBJ/missed" ] || {
		sed "s|^|did not come into effect: |" "$OBJ/missed"
		return 1
	}
}

# What of the tests is for this kernel: the module for the interrupts, and the device tree.
build_extras() {
	rm -rf "$OUT.new/src"
	mkdir -p "$OUT.new"
	cp -r "$IGT/modules" "$OUT.new/src"
	kernel_make M="$OUT.new/src" W=1 KCFLAGS=-Werror modules &&
		strip --strip-debug -o "$OUT.new/vmali-irq.ko" "$OUT.new/src/vmali-irq.ko" &&
		"$OBJ/scripts/dtc/dtc" -O dtb -o "$OUT.new/vmali.dtb" "$IGT/vmali.dts" &&
		rm -rf "$OUT.new/src"
}

# Makes OUT from what was built; it takes its place as a whole.
install_kernel() {
	rm -rf "$OUT.new"
	kernel_make INSTALL_MOD_PATH="$OUT.new" INSTALL_MOD_STRIP=1 modules_install &&
		build_extras || return 1
	cp "$OBJ/arch/x86/boot/bzImage" "$OUT.new/"
	cp "$OBJ/include/config/kernel.release" "$OUT.new/release"
	echo "$inputs" >"$OUT.new/inputs"
	rm -rf "$OUT"
	mv "$OUT.new" "$OUT"
}

mkdir -p "$KERNEL" "$BUILD/igt-kernel" "$BUILD/log"
exec 9>"$KERNEL/lock"
flock -n 9 || {
	note "another build is at it: waiting"
	flock 9
}
make_config >"$CONFIG"
key=$({
	cat "$CONFIG" "$TOP/$PANTHOR/Kconfig.perf"
	gcc --version
} | sha256sum | cut -c 1-12)
OUT=$BUILD/igt-kernel/$key
# The tests beside the driver's files are not in this kernel.
inputs=$(hash_of "$TOP/$PANTHOR"/*.[ch] "$TOP/$PANTHOR"/*.perf "$TOP/include" "$TOP"/scripts/build/panthor-perf.* \
	"$TOP/scripts/integrate.sh" "$TOP/scripts/lib/kernel-tree.sh" "$TOP/scripts/build/build-igt-kernel.sh" \
	"$IGT/modules" "$IGT/vmali.dts")-$KVER
if [ "$(cat "$OUT/inputs" 2>/dev/null)" != "$inputs" ]; then
	kernel_tree "$KERNEL"
	if [ "$(cat "$OBJ/built" 2>/dev/null)" != "$key" ]; then
		need_disk 2500 "$KERNEL"
		mkdir -p "$OBJ"
		rm -f "$OBJ/built"
		run_logged "$BUILD/log/igt-config.log" configure || die "no configuration for the kernel of IGT"
		note "building the kernel of IGT (about 6 minutes, only the first time)"
		run_logged "$BUILD/log/igt-build.log" kernel_make bzImage modules ||
			die "the kernel of IGT does not build"
		echo "$key" >"$OBJ/built"
	else
		note "building the panthor.ko of IGT's kernel"
		run_logged "$BUILD/log/igt-build.log" kernel_make modules || {
			# The next try starts from the configuration.
			rm -f "$OBJ/built"
			die "panthor.ko does not build in tree"
		}
	fi
	run_logged "$BUILD/log/igt-install.log" install_kernel || die "modules_install failed"
fi
release=$(cat "$OUT/release")
echo "KIMAGE_IGT='$OUT/bzImage'"
echo "KMODDIR_IGT='$OUT/lib/modules/$release'"
echo "KREL_IGT='$release'"
echo "VMALI_IRQ='$OUT/vmali-irq.ko'"
echo "DTB_IGT='$OUT/vmali.dtb'"
