#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Build QEMU with the virtual Mali GPU, its firmware image, and its tests.
#
# needs: bison flex gcc libc6-dev libfdt-dev libglib2.0-dev libpixman-1-dev make meson
# needs: ninja-build perl pkg-config python3 util-linux zlib1g-dev
set -eu

PROG="build-qemu"
TOP=$(cd "$(dirname "$0")/../.." && pwd)
MODEL=$TOP/tests/vmali
JOBS=${JOBS:-$(nproc)}

# Nothing but the emulator of one machine type; block, character and monitor back ends
# that cannot be switched off are there in any case.
configure_arguments() {
	echo "--without-default-features --without-default-devices
	--with-devices-$1=vmali --target-list=$1-softmmu --enable-tcg
	--enable-fdt=system --disable-install-blobs --disable-debug-info
	--enable-trace-backends=log"
}

usage() {
	cat <<USAGE
Usage: scripts/$PROG [--qtest | --checkpatch | --target x86_64 [--cached] | --help]
                          [-- QTEST-ARGUMENT...]

Builds qemu-system-aarch64 with the virtual GPU of tests/vmali and the GPU's firmware
image, in the cache (\$PANTHOR_PERF_CACHE, default ~/.cache/panthor-perf): about five
minutes the first time, seconds after a change below tests/vmali, at once otherwise.

  --qtest       build and run the model's own tests, TAP on the standard output
  --checkpatch  run QEMU's checkpatch.pl over the model
  --target x86_64
                build qemu-system-x86_64 instead, where the virtual GPU is the device
                vmali-isa; it has no tests of its own
  --cached      build and print nothing; succeed if the cache has it, or most of it

JOBS in the environment is the number of compilers at a time (default: all CPUs).

Prints as its last lines, for eval by a shell:
  FIRMWARE=<mali_csffw.bin>
  QEMU=<qemu-system-aarch64, or the one asked for>
USAGE
}

say() { echo "$PROG: $*" >&2; }
die() { say "error: $*"; exit 1; }

mode=build
target=aarch64
case ${1-} in
'') ;;
--qtest) mode=qtest; shift ;;
--checkpatch) mode=checkpatch; shift ;;
--target)
	[ "${2-}" = x86_64 ] || die "--target: x86_64 is wanted"
	target=$2
	shift 2
	if [ "${1-}" = --cached ]; then
		mode=cached
		shift
	fi
	;;
--help|-h) usage; exit 0 ;;
*) die "unknown argument '$1' (try --help)" ;;
esac
[ "${1-}" = -- ] && shift
[ $# = 0 ] || [ $mode = qtest ] || die "unknown argument '$1' (try --help)"

fetched=$("$TOP/scripts/build/fetch-qemu.sh")
eval "$fetched"

cache=${PANTHOR_PERF_CACHE:-$HOME/.cache/panthor-perf}
tree=$(printf %s "$QEMU_SRC" | sed 's#/src-\([^/]*\)$#/tree-\1#')
CONFIGURE=$(configure_arguments $target)
dir=$cache/qemu
if [ $target != aarch64 ]; then
	# On its own: neither waits for the other.
	dir=$dir/$target
	tree=$dir/${tree##*/}
fi
build=$tree/build
key=$({
	echo "$QEMU_VER" "$CONFIGURE"
	cd "$MODEL" && for f in *; do
		case $target-$f in
		*-README.md | aarch64-vmali_isa.c | aarch64-devices-x86_64.mak | x86_64-vmali-test*) ;;
		*) echo "$f"; cat "$f" ;;
		esac
	done
} | sha256sum | cut -c1-16)
out=$dir/bin-$key

# The products of this key; the test program comes when it is first asked for.
have_products() {
	[ -f "$out/mali_csffw.bin" ] && { [ $mode != qtest ] || [ -f "$out/vmali-test" ]; }
}

finish() {
	touch "$out"
	if [ $mode = qtest ]; then
		QTEST_QEMU_BINARY=$out/qemu-system-aarch64
		export QTEST_QEMU_BINARY
		exec "$out/vmali-test" --tap -k "$@" 9>&-
	fi
	echo "FIRMWARE=$out/mali_csffw.bin"
	echo "QEMU=$out/qemu-system-$target"
	exit 0
}

if [ $mode = cached ]; then
	have_products || [ -x "$build/qemu-system-$target" ] || exit 1
	exit 0
fi
[ $mode = checkpatch ] || ! have_products || finish "$@"

for tool in meson ninja pkg-config bison flex python3 gcc; do
	command -v $tool >/dev/null || die "$tool is missing ($(sed -n 's/^# needs: //p' "$0" |
		tr '\n' ' ')come with scripts/deps.sh)"
done

# One build at a time in the shared tree.
mkdir -p "$dir"
exec 9>"$dir/lock"
flock -n 9 || { say "waiting for another build"; flock 9; }
[ $mode = checkpatch ] || ! have_products || finish "$@"

python3 "$MODEL/integrate.py" "$QEMU_SRC" "$tree" >/dev/null

if [ $mode = checkpatch ]; then
	# Where a file lies decides which rules it is held to.
	cd "$tree"
	exec perl scripts/checkpatch.pl --terse -f hw/misc/vmali/*.c hw/misc/vmali/*.h \
		hw/misc/vmali/trace-events include/hw/misc/vmali.h \
		tests/qtest/vmali-test*.[ch] "$MODEL/mkfw.c" 9>&-
fi

mkdir -p "$build"
stamp=$(printf '%s\n' "$QEMU_VER" "$CONFIGURE" | sha256sum | cut -c1-16)
if [ "$(cat "$build/configured" 2>/dev/null)" != "$stamp" ]; then
	say "configuring QEMU $QEMU_VER"
	# CONFIGURE is a list of words.
	# shellcheck disable=SC2086
	(cd "$build" && ../configure $CONFIGURE >configure.log 2>&1 </dev/null 9>&-) || {
		tail -n 15 "$build/configure.log" >&2
		die "configure failed (log: $build/configure.log)"
	}
	echo "$stamp" >"$build/configured"
fi

# compile TARGET...: ninja with a line per tenth of the way.
compile() {
	rm -f "$build/failed"
	{ NINJA_STATUS='@%f %t ' nice ninja -C "$build" -j "$JOBS" "$@" 9>&- 2>&1 ||
		touch "$build/failed"; } |
	{
		tenth=0
		while IFS= read -r line; do
			printf '%s\n' "$line"
			case $line in
			@*) ;;
			*) continue ;;
			esac
			count=${line#@}
			count=${count%% *}
			total=${line#* }
			total=${total%% *}
			[ "$total" -ge 20 ] && [ $((10 * count / total)) -gt $tenth ] || continue
			tenth=$((10 * count / total))
			say "compiled $count of $total"
		done >"$build/build.log"
	}
	if [ -e "$build/failed" ]; then
		grep -E -A6 '^FAILED|error:|undefined reference' "$build/build.log" |
			cut -c1-200 | head -n 60 >&2
		die "build failed (log: $build/build.log)"
	fi
	grep -E -A6 'warning:' "$build/build.log" >&2 || true
}

say "building QEMU $QEMU_VER for $target with the virtual GPU"
compile qemu-system-$target
[ $mode != qtest ] || compile tests/qtest/vmali-test

# A folder appears complete or not at all, so that nobody has to wait for the lock to use it.
rm -rf "$out.part"
mkdir -p "$out.part"
gcc -O2 -Wall -Wextra -Werror -o "$out.part/mkfw" "$MODEL/mkfw.c"
"$out.part/mkfw" "$out.part/mali_csffw.bin"
cp "$build/qemu-system-$target" "$out.part/"
[ $mode != qtest ] || cp "$build/tests/qtest/vmali-test" "$out.part/"
if [ -d "$out" ]; then
	# Somebody may be using it: add what is new.
	[ $mode != qtest ] || mv "$out.part/vmali-test" "$out/"
	rm -rf "$out.part"
else
	mv "$out.part" "$out"
fi

# keep COUNT PATTERN: the newest stay, of products and of what older versions of QEMU left.
keep() {
	find "$dir" -maxdepth 1 -name "$2" -printf '%T@ %p\n' | sort -rn |
		tail -n +$(($1 + 1)) | cut -d' ' -f2- | while read -r old; do rm -rf "$old"; done
}
touch "$QEMU_SRC" "$tree"
keep 8 'bin-*'
keep 2 'src-*'
keep 2 'tree-*'
finish "$@"
