#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/layer/run.sh [--suite SUITE] [--sanitize KIND] [--validation] [--debian | --piglit] [--unit UNITS] [PROGRAM...]
#        tests/layer/run.sh --times
#
# The programs of this folder, on llvmpipe of another Debian release in a chroot: without the Vulkan layer, and with it in
# each of its modes. What they print must be the same, and no check may fail; the rows of a profile must be those that
# a program has announced, and their counters those of the samples of the fake driver. Prints lines "ok ..." and
# "not ok ...", and how many there were. What each run has written is in build/layer/SUITE-KIND/log.
#
#	--suite SUITE	release with Mesa, loader and compiler: trixie (default) or sid
#	--sanitize KIND	the layer and the programs have this sanitizer: address (default), undefined, thread; none
#	--validation	Khronos' validation layer below the layer, which must have no message
#	--debian	unmodified programs of Debian instead: real.py lists them
#	--piglit	a part of piglit's quick set on zink instead: piglit.py has the choice
#	--unit UNITS	only these modes: submission,command-buffer,workload,frame,queries
#	--times		only measure what it costs to record a command, in ns: tests/bench/layer/vk-record.c without the
#			layer, with it, but off, and with unit workload; and the memory of it. Each line is "MODE FIGURE NUMBER"
#	PROGRAM		only these
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/chroot.sh"

PACKAGES="gcc glslang-tools libc6-dev libdrm-dev libjson-c-dev libvulkan-dev make mesa-vulkan-drivers pkgconf python3 vulkan-tools vulkan-validationlayers"
ROOM_MIB=2000

suite=trixie
sanitize=address
validation=
debian=
piglit=
times=
unit=submission,command-buffer,workload,frame,queries
options suite= sanitize= validation debian piglit times unit= ... -- "$@"
case $suite in
trixie) release= ;;
# It changes: a new one each week.
sid) release=-$(date +%G-%V) ;;
*) die "--suite '$suite': trixie or sid" ;;
esac
name=vulkan${debian:+-debian}${piglit:+-piglit}-$suite
case $sanitize in
none | address | undefined | thread) ;;
*) die "--sanitize '$sanitize': address, undefined, thread or none" ;;
esac
if [ -n "$debian" ]; then
	CHROOT_MORE="chromium ffmpeg glmark2-x11 gtk-4-examples libgl1-mesa-dri mangohud mpv vkbasalt vkd3d-demos vkmark xdotool xvfb"
	ROOM_MIB=4000
	debian=programs
fi
if [ -n "$piglit" ]; then
	[ -z "$debian" ] || die "--debian and --piglit have runs of their own"
	CHROOT_MORE="libgl1 libgl1-mesa-dri libx11-6 piglit xvfb"
	ROOM_MIB=5000
	debian=piglit
fi
case $debian:$sanitize in
:* | *:none | *:address) ;;
*) die "--debian and --piglit: their programs have no sanitizer; only address can be added" ;;
esac
for mode in $(echo "$unit" | tr , ' '); do
	case $mode in
	submission | command-buffer | workload | frame | queries) ;;
	*) die "--unit '$mode': submission, command-buffer, workload, frame or queries" ;;
	esac
done

# A host of that release with these packages needs no chroot.
inside=chroot
# shellcheck disable=SC1091,SC2086 # words
if [ "$suite" = "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" ] && dpkg -s $PACKAGES ${CHROOT_MORE:-} >/dev/null 2>&1; then
	inside=
elif { [ "$(id -u)" != 0 ] || ! unshare --mount true 2>/dev/null; } &&
	[ -z "$(find "$CACHE" -maxdepth 1 -name 'chroot-vulkan-*' 2>/dev/null)" ]; then
	echo "skip programs - their chroot needs root and mount namespaces"
	exit 0
fi
[ -z "$times" ] || sanitize=none
out=$BUILD/layer/$suite-${times:+times-}$sanitize
lock_folder "$out"
mkdir -p "$out/include/drm"
"$TOP/tools/panthor-uapi.sh" "$out/include/drm/panthor_drm.h" >&2
# shellcheck disable=SC2086 # words
set -- nice env "PANTHOR_UAPI=$out/include/drm" "JOBS=$JOBS" "$TOP/tests/layer/run.py" "$out" "$unit" "$sanitize" \
	"$validation" "$debian" $ARGUMENTS
[ -z "$times" ] ||
	set -- env "PANTHOR_UAPI=$out/include/drm" "JOBS=$JOBS" "$TOP/tests/layer/run.py" --times "$out"
[ -n "$inside" ] || exec "$@"
# shellcheck disable=SC2086 # words
chroot_get "$name$release" "$suite" "$ROOM_MIB" $PACKAGES
keep_newest 1 "$CACHE/chroot-$name-"
chroot_run "$TOP" -- "$@"
