#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-guest-modules.sh [--debug]
#
# Builds the kernel modules of the guest tests, tests/guest/modules, for the distribution's kernel or the
# debug kernel, into build/guest-modules or build/guest-modules-debug. Beside them it lays the modules of
# that kernel which tests load by themselves. Prints KEY=VALUE lines for eval:
#
#	GUEST_MODULES	that folder
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/chroot.sh"

debug=
options debug -- "$@"
out=$BUILD/guest-modules${debug:+-debug}

need make flock xz
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
eval "$kernel"
if [ -n "$debug" ]; then
	kernel=$("$TOP/scripts/build/build-debug-kernel.sh") || exit 1
	eval "$kernel"
	KMODDIR=$KMODDIR_DEBUG
	KDIR=$CACHE/debug$OF_SERIES/kernel-$KVER
	KSYSTEM=
fi
if [ -z "${CROSS_COMPILE:-}" ] && [ "$(uname -m)" != aarch64 ]; then
	CROSS_COMPILE=aarch64-linux-gnu-
fi
CROSS_COMPILE=${CROSS_COMPILE:-}
need "${CROSS_COMPILE}gcc"
module_system

mkdir -p "$out" "$BUILD/log"
exec 9>"$out/lock"
flock 9
key="$(hash_of "$TOP/scripts/build/build-guest-modules.sh" "$TOP/scripts/lib/chroot.sh" "$TOP/tests/guest/modules") $KDIR $KMODDIR $CROSS_COMPILE"
key="$key $(cksum <"$KDIR/Module.symvers")"
if [ "$(cat "$out/key" 2>/dev/null)" != "$key" ]; then
	rm -rf "$out/src" "$out"/*.ko "$out/key"
	cp -r "$TOP/tests/guest/modules" "$out/src"
	note "building the guest's modules against ${KDIR##*/}"
	build() {
		module_make "$out" M="$out/src" W=1 KCFLAGS=-Werror modules
	}
	run_logged "$out/build.log" build || die "the modules do not build"
	for module in "$out/src"/*.ko; do
		"${CROSS_COMPILE}strip" --strip-debug -o "$out/${module##*/}" "$module"
	done
	# The kernel has these as modules: devfreq's userspace governor, and a second device with fences, vgem, with
	# what it needs. vgem.order has the order in which they are loaded.
	vgem=$(sed -n 's|^\(kernel/drivers/gpu/drm/vgem/vgem\.ko[^:]*\): *\(.*\)|\2 \1|p' "$KMODDIR/modules.dep")
	for path in kernel/drivers/devfreq/governor_userspace.ko $vgem; do
		module=$KMODDIR/${path%.xz}
		name=${path##*/}
		name=${name%.xz}
		case $(ls "$module"* 2>/dev/null) in
		'') continue ;;
		*.xz) xz -dc "$module.xz" >"$out/$name" ;;
		*) cp "$module" "$out/" ;;
		esac
	done
	# modules.dep begins with what is loaded last, but for the module itself.
	# shellcheck disable=SC2086 # several paths
	set -- $vgem
	order=
	for path; do
		name=${path##*/}
		name=${name%%.ko*}
		if [ "$name" = vgem ]; then order="$order vgem"; else order="$name $order"; fi
	done
	echo "$order" >"$out/vgem.order"
	echo "$key" >"$out/key"
fi
echo "GUEST_MODULES='$out'"
