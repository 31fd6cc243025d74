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
	# The kernel has these as modules: devfreq's userspace governor, and a second device with fences.
	# The latter needs a helper, which panthor needs no more since Linux 7.2.
	for path in drivers/devfreq/governor_userspace.ko drivers/gpu/drm/drm_shmem_helper.ko \
		drivers/gpu/drm/vgem/vgem.ko; do
		module=$KMODDIR/kernel/$path
		case $(ls "$module"* 2>/dev/null) in
		'') ;;
		*.xz) xz -dc "$module.xz" >"$out/${path##*/}" ;;
		*) cp "$module" "$out/" ;;
		esac
	done
	echo "$key" >"$out/key"
fi
echo "GUEST_MODULES='$out'"
