#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-module.sh [--plain] [--sparse] [--coverage] [--rawdump] [--padded] [--standard]
#	[--without] [--wrong NAME] [--force]
#
# Builds build/module/panthor.ko: the panthor driver of the kernel's own sources with the
# project's component laid over it by scripts/integrate.sh. W=1, and a warning about a file of the
# project is an error. Nothing is done while no input has changed.
#
#	--plain		the driver alone, to build/module-plain
#	--sparse	have sparse check the files too (C=1), into build/module-sparse
#	--rawdump	with experiments for a board's self-test, into build/module-rawdump; so does
#			RAWDUMP=1 in the environment
#	--padded	with longer structures in its interface, into build/module-padded, for tests
#	--standard	without the older interface, into build/module-standard
#	--without	with DRM_PANTHOR_PERF=n, into build/module-without; no symbol of the component may be left
#	--coverage	have gcov measure the component, those experiments too, into
#			build/module-coverage; gcov.ko there is for kernels without gcov, to be loaded first
#	--wrong NAME	the driver alone, with the error of tests/guest/wrong/NAME.cocci, into build/module-wrong
#	--force		build even when nothing has changed
#
# From the environment: KDIR, a kernel's build folder, and SRC, a source tree of the same series for
# the panthor files. What is not given is what scripts/build/fetch-kernel.sh chooses. CROSS_COMPILE as for
# the kernel. With PANTHOR_PERF_KERNEL=SERIES it is the newest kernel of a series of scripts/kernels.list, in
# build/linux-SERIES instead of build; if the host's compiler is too old for it, the script builds in a chroot,
# which needs root.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/chroot.sh"

KSYSTEM=
KCC=
plain=
sparse=
coverage=
padded=
standard=
without=
wrong=
rawdump=${RAWDUMP:+1}
force=
options plain sparse coverage rawdump padded standard without wrong= force -- "$@"
[ -z "$coverage" ] || rawdump=1
[ -z "$wrong" ] || plain=1
out=$BUILD/module
for kind in ${rawdump:+rawdump} ${plain:+plain} ${sparse:+sparse} ${padded:+padded} \
	${standard:+standard} ${without:+without} ${coverage:+coverage}; do
	out=$BUILD/module-$kind
done
if [ -n "$wrong" ]; then
	error=$TOP/tests/guest/wrong/$wrong.cocci
	[ -f "$error" ] || die "--wrong: there is no $error"
	need spatch
	out=$BUILD/module-wrong
fi

[ "$SERIES" = $DEFAULT_SERIES ] || [ -z "${KDIR:-}${SRC:-}" ] ||
	die "kernel $SERIES chooses KDIR and SRC: unset them"
need make sha256sum
[ -z "$sparse" ] || need sparse
want_kdir=${KDIR:-}
if [ -z "$want_kdir" ] || [ -z "${SRC:-}" ]; then
	kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit 1
	eval "$kernel"
fi
SRC=${SRC:-$KSRC}
KDIR=${want_kdir:-$KDIR}
[ -f "$KDIR/Module.symvers" ] ||
	die "KDIR=$KDIR is no build folder of a kernel with modules: install that kernel's headers"
[ -d "$SRC/drivers/gpu/drm/panthor" ] ||
	die "SRC=$SRC has no drivers/gpu/drm/panthor: it must be a Linux source tree, 6.12 to 7.3"
release=$(cat "$KDIR/include/config/kernel.release") || die "KDIR=$KDIR is not configured"
[ "$(kernel_of "$SRC")" = "$(echo "$release" | cut -d . -f 1,2)" ] ||
	die "SRC=$SRC has the sources of Linux $(kernel_of "$SRC"), but KDIR=$KDIR is of $release: give those of its series"
SRC=$(cd "$SRC" && pwd)
KDIR=$(cd "$KDIR" && pwd -P)
if [ -z "${CROSS_COMPILE:-}" ] && [ "$(uname -m)" != aarch64 ]; then
	CROSS_COMPILE=aarch64-linux-gnu-
fi
CROSS_COMPILE=${CROSS_COMPILE:-}
need "${CROSS_COMPILE}gcc"
module_system

inputs="$TOP/scripts/build/build-module.sh $TOP/scripts/lib/lib.sh $TOP/scripts/lib/chroot.sh"
[ -n "$plain" ] ||
	inputs="$inputs $TOP/drivers $TOP/include $TOP/scripts/build/panthor-perf.cocci $TOP/scripts/build/panthor-perf.hooks $TOP/scripts/integrate.sh"
[ -z "$wrong" ] || inputs="$inputs $error"
[ -z "$coverage" ] || inputs="$inputs $TOP/tests/coverage/module $TOP/scripts/build/coverage-args.sh"
key="$(hash_of $inputs) $SRC $KDIR $CROSS_COMPILE${KSYSTEM:+ $KSYSTEM $KCC}"
built() {
	[ -z "$force" ] && [ -f "$out/panthor.ko" ] && [ "$(cat "$out/key" 2>/dev/null)" = "$key" ]
}
! built || exit 0

mkdir -p "$out"
exec 9>"$out/lock"
flock 9
# Somebody else may have built it meanwhile.
! built || exit 0
# The object files of a build with the same kernel and compiler stay.
for_objects="$SRC $KDIR $CROSS_COMPILE${KSYSTEM:+ $KSYSTEM $KCC}"
rm -rf "$out/src.new" "$out/panthor.ko" "$out/key"
[ -z "$force" ] && [ "$(cat "$out/for-objects" 2>/dev/null)" = "$for_objects" ] || rm -rf "$out/src"
rm -f "$out/for-objects"
if [ -n "$plain" ]; then
	cp -r "$SRC/drivers/gpu/drm/panthor" "$out/src.new"
	if [ -n "$wrong" ]; then
		spatch --very-quiet --no-includes --sp-file "$error" --in-place "$out"/src.new/*.c >"$out/spatch.log" 2>&1 ||
			die "spatch failed, see $out/spatch.log"
		! diff -rq "$SRC/drivers/gpu/drm/panthor" "$out/src.new" >/dev/null ||
			die "$error changes nothing in the driver of Linux $(kernel_of "$SRC")"
	fi
else
	"$TOP/scripts/integrate.sh" "$SRC" "$out/src.new" || die "scripts/integrate.sh failed, see above"
fi

# The kernel's own gcov, as a module, and in panthor.ko what it needs there.
build_gcov() {
	rm -rf "$out/gcov-src"
	mkdir -p "$out/gcov-src"
	cp "$TOP/tests/coverage/module/Kbuild" "$TOP/tests/coverage/module/gcov_runtime.c" "$out/gcov-src/"
	cp -r "$SRC/kernel/gcov" "$out/gcov-src/gcov" &&
		module_make "$out" M="$out/gcov-src" modules &&
		"${CROSS_COMPILE}strip" --strip-debug -o "$out/gcov.ko" "$out/gcov-src/gcov.ko"
}
set --
if [ -n "$coverage" ]; then
	note "building gcov.ko against ${KDIR##*/}"
	run_logged "$out/build-gcov.log" build_gcov || die "gcov.ko does not build"
	cp "$TOP/tests/coverage/module/panthor_gcov.c" "$out/src.new/"
	echo 'panthor-y += panthor_gcov.o' >>"$out/src.new/Makefile"
	set -- "KBUILD_EXTRA_SYMBOLS=$out/gcov-src/Module.symvers"
	while IFS= read -r argument; do
		set -- "$@" "$argument"
	done <<-END
	$("$TOP/scripts/build/coverage-args.sh")
	END
fi

# A file that stays the same keeps its time and is not built again, one that is gone takes its object along.
mkdir -p "$out/src"
(cd "$out/src" && find . -name '*.[ch]' ! -name '*.mod.c') | while read -r file; do
	[ -e "$out/src.new/$file" ] || rm -f "$out/src/$file" "$out/src/${file%.c}.o"
done
(cd "$out/src.new" && find . -type f) | while read -r file; do
	mkdir -p "$out/src/${file%/*}"
	cmp -s "$out/src.new/$file" "$out/src/$file" || cp "$out/src.new/$file" "$out/src/$file"
done
rm -rf "$out/src.new"

note "building panthor.ko against ${KDIR##*/}"
build() {
	module_make "$out" M="$out/src" -j "$JOBS" W=1 ${sparse:+C=1} ${rawdump:+CONFIG_DRM_PANTHOR_PERF_RAWDUMP=y} \
		${padded:+CONFIG_DRM_PANTHOR_PERF_PADDED_TEST=y} ${standard:+CONFIG_DRM_PANTHOR_PERF_CONTROL=n} \
		${without:+CONFIG_DRM_PANTHOR_PERF=n CONFIG_DRM_PANTHOR_PERF_CONTROL=n} \
		CONFIG_DRM_PANTHOR=m "$@" modules
}
# Files of the project that the compiler complained about: the next build has to see that again.
forget_complaints() {
	grep -E '(warning|error|note):|^(In file included|  *) from ' "$out/build.log" |
		grep -oE 'panthor_perf[a-z0-9_]*\.[ch]' | sort -u | while read -r file; do
		[ ! -e "$out/src/$file" ] || touch "$out/src/$file"
	done
	echo "$for_objects" >"$out/for-objects"
}
run_logged "$out/build.log" build "$@" || {
	forget_complaints
	die "the module does not build"
}
name_sources "$out/build.log"

# The rest of the driver keeps its own warnings; those of the project's files, and of what these include, are not
# tolerated. A header's come once for each file.
if grep -E '^[^ ]*panthor_perf[^ ]*:[0-9]+.*(warning|error|note):' "$out/build.log" | awk '!seen[$0]++ { print; n++ }
		END { exit !n }' >&2 ||
	grep -E -A 1 '^(In file included|  *) from [^ ]*panthor_perf.*:$' "$out/build.log" >&2 ||
	grep -E '^(WARNING|ERROR): modpost:' "$out/build.log" >&2; then
	forget_complaints
	die "warnings about the project's files (the whole log is $out/build.log)"
fi
[ -z "$without" ] || ! "${CROSS_COMPILE}nm" "$out/src/panthor.ko" | grep panthor_perf >&2 ||
	die "panthor.ko with DRM_PANTHOR_PERF=n has symbols of the component"
"${CROSS_COMPILE}strip" --strip-debug -o "$out/panthor.ko" "$out/src/panthor.ko"
echo "$for_objects" >"$out/for-objects"
echo "$key" >"$out/key"
note "${out#"$TOP/"}/panthor.ko is for the kernel $(cat "$KDIR/include/config/kernel.release")"
