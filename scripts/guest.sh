#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/guest.sh [--stock|--debug] [--vmali PROPS] TEST...
#        scripts/guest.sh --shell [--stock|--debug] [--vmali PROPS] [--image FILE [--modules FOLDER]]
#			[--mesa FOLDER] [--root IMAGE] [--suite SUITE] [--forward PORTS] [--trace]
#
# Builds what has changed of the driver, the tools, the modules of the tests and the virtual GPU, and runs tests of
# tests/guest/tests in a guest, or a shell. The samples that a test leaves are compared with the log of the virtual GPU.
# Results are in build/run/manual, what a shell leaves in its folder /out is in build/run/shell/out.
#
#	--shell		an interactive shell, with the tools in its PATH; "exit" ends it. The GPU runs the load of
#			tests/demo/game.load, unless PROPS say what it counts (counters=...)
#	--stock		with Debian's own panthor.ko
#	--debug		on the kernel of scripts/build/build-debug-kernel.sh, with the driver in tree
#	--vmali PROPS	properties of the virtual GPU (tests/vmali/README.md), of several GPUs with semicolons between them.
#			Without it, those that the tests request in a line "# vmali: PROPS"
#
# With a shell only:
#
#	--image FILE	a kernel of your own: arch/arm64/boot/Image of its tree, or a vmlinuz-RELEASE of /boot
#	--modules FOLDER
#			its modules, if the place of the image does not say where they are
#	--mesa FOLDER	an installed Mesa: the prefix or DESTDIR of its installation, or a whole system
#	--suite SUITE	a Mesa without system is used with Debian's libraries of this suite (trixie), unless there is --root
#	--root IMAGE	a disk with a system for arm64, raw or qcow2, for programs; it is not changed
#	--forward PORTS	connections to these ports of this host, on its loopback interface, reach the guest: PORT, or
#			PORT:GUEST with another one there; the guest itself reaches nothing
#	--trace		QEMU's log has what command streams execute: scripts/decode-cs.py build/run/shell/qemu.log
#
# Documentation/gpu/panthor-perf-own.rst explains these.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

shell=
stock=
debug=
vmali=
image=
modules=
mesa=
root=
suite=
forward=
trace=
options shell stock debug vmali= image= modules= mesa= root= suite= forward= trace ... -- "$@"
[ -n "$shell" ] || [ -n "$ARGUMENTS" ] ||
	die "which tests? TESTS=\"probe ping\": some of" $(cd "$TOP/tests/guest/tests" && ls | sed 's/\.sh$//')
for test in $ARGUMENTS; do
	[ -e "$TOP/tests/guest/tests/$test.sh" ] || die "no such test: tests/guest/tests/$test.sh"
done
[ -z "$shell" ] || [ -z "$ARGUMENTS" ] || die "--shell runs no tests: '${ARGUMENTS# }'"
[ -n "$shell" ] || [ -z "$image$modules$mesa$root$suite$forward$trace" ] ||
	die "a kernel, a Mesa, a root, ports and a trace are for a shell: --shell"
[ -z "$image" ] || [ -z "$stock$debug" ] ||
	die "--image: its panthor.ko is its own, --stock and --debug name other ones"
[ -n "$image" ] || [ -z "$modules" ] || die "--modules: goes with --image"
[ -z "$suite" ] || { [ -n "$mesa" ] && [ -z "$root" ]; } ||
	die "--suite: Debian's libraries for --mesa, without --root"
[ -z "$shell" ] || [ -t 0 ] || die "a shell needs a terminal"
[ -z "$stock" ] || [ -z "$debug" ] || die "--stock and --debug: the debug kernel has the project's driver only"

[ -z "$shell" ] || vmali=$(with_load "$TOP/tests/demo/game.load" "$vmali")

# What is wrong with a file is said before anything is built.
absolute() {
	[ -e "$2" ] || die "$1=$2: no such file or folder"
	realpath "$2"
}
[ -z "$image" ] || image=$(absolute KERNEL_IMAGE "$image") || exit 1
[ -z "$modules" ] || modules=$(absolute KERNEL_MODULES "$modules") || exit 1
[ -z "$mesa" ] || mesa=$(absolute MESA "$mesa") || exit 1
[ -z "$root" ] || root=$(absolute ROOT "$root") || exit 1
set -- ${image:+--kernel-image "$image"} ${modules:+--kernel-modules "$modules"} ${mesa:+--mesa "$mesa"} \
	${root:+--root "$root"} ${forward:+--forward "$forward"}
disks=
if [ $# -gt 0 ]; then
	disks=$("$TOP/scripts/run-guest.py" --name shell --shell --check "$@") || exit 1
fi

cd "$TOP"
[ -n "$stock$debug$image" ] || scripts/build/build-module.sh || exit 1
scripts/build/build-tools.sh || exit 1
scripts/build/build-qemu.sh >/dev/null || exit 1
gl=
case $disks in
*OpenGL*) gl=--gl ;;
esac
if [ -n "$disks" ]; then
	base=$(scripts/build/fetch-mesa.sh ${suite:+--suite "$suite"} $gl) || exit 1
	eval "$base"
	set -- "$@" --base "$MESA_ROOT"
fi

set -- "$@" ${stock:+--stock} ${debug:+--debug} ${trace:+--trace}
[ -z "$vmali" ] || set -- "$@" --vmali "$vmali"
[ -z "$mesa$root" ] || set -- "$@" --memory 2G
if [ -z "$image" ]; then
	# The modules are for Debian's kernel or for the debug kernel, which that script brings up to date.
	of_tests=$(scripts/build/build-guest-modules.sh ${debug:+--debug}) || exit 1
	eval "$of_tests"
	for module in "$GUEST_MODULES"/*.ko "$GUEST_MODULES/vgem.order"; do
		set -- "$@" --file "$module:/modules/${module##*/}"
	done
fi
if [ -n "$shell" ]; then
	exec scripts/run-guest.py --name shell --shell "$@"
fi
failed=
# shellcheck disable=SC2086 # words
scripts/run-guest.py --name manual --verbose ${debug:+--timeout 3600} "$@" $ARGUMENTS || failed=$?
# Wrong arguments: no guest has run.
[ "$failed" != 2 ] || exit 2

# As the jobs of make check do, but for all that the tests left.
DEBUG_GUEST=$debug
. "$TOP/scripts/lib/guest-jobs.sh"
compared=0
differ=0
one() {
	_what=$1
	shift
	compared=$((compared + 1))
	"$@" >"$BUILD/run/manual/compared" 2>&1 || {
		differ=$((differ + 1))
		echo "not ok $_what"
		cat "$BUILD/run/manual/compared"
	}
}
for what in "$BUILD"/run/manual/out/*.*.*.raw; do
	[ ! -e "$what" ] || compare_file manual "$what"
done
for folder in "$BUILD"/run/manual/out/*/; do
	set -- "$folder"*.raw
	[ -e "$1" ] || continue
	case $(basename "$folder") in
	gpu[0-9]*)
		for what; do
			compare_file manual "$what" "$(truth_of "$(basename "$folder" | tr -d a-z)")"
		done
		;;
	*) compare_folder manual "$folder" ;;
	esac
done
echo "guest manual: $compared files of samples compared with the virtual GPU's log, $differ differ"
[ -z "$failed" ] && [ $differ -eq 0 ]
