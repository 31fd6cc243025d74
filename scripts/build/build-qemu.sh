#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-qemu.sh [--qtest | --random [--sanitizers] | --checkpatch | --others |
#				--target x86_64 [--cached]] [-- TEST-ARGUMENT...]
#
# Builds qemu-system-aarch64 with the virtual GPU of tests/vmali and the GPU's firmware image, in the cache: about five
# minutes the first time, seconds after a change below tests/vmali, at once otherwise. Prints KEY=VALUE lines for eval:
#
#	FIRMWARE	mali_csffw.bin
#	QEMU		qemu-system-aarch64, or the one asked for
#
#	--qtest		build and run the model's own tests, TAP on the standard output
#	--random	build and run the random machines of vmali-random-test.c, TAP on the standard output. Its
#			arguments are explained there
#	--sanitizers	with AddressSanitizer and UndefinedBehaviorSanitizer in the virtual GPU (sanitize-qemu.py)
#	--checkpatch	run QEMU's checkpatch.pl over the model
#	--others	build emulators of the same tree without the virtual GPU, and one for PCs with the device vmali-isa,
#			and run the tests of the latter: TAP, as above
#	--target x86_64	build qemu-system-x86_64 instead, where the virtual GPU is the device vmali-isa; it has no tests
#			of its own
#	--cached	build and print nothing; succeed if the cache has it, or most of it
#
# JOBS is the number of compilers (all CPUs).
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

MODEL=$TOP/tests/vmali
NEED_MIB=1000

mode=build
target=aarch64
sanitizers=
case ${1:-} in
'') ;;
--qtest | --random | --checkpatch | --others)
	mode=${1#--}
	shift
	if [ $mode = random ] && [ "${1:-}" = --sanitizers ]; then
		sanitizers=sanitizers
		shift
	fi
	;;
--target)
	[ "${2:-}" = x86_64 ] || die "--target: x86_64 is wanted"
	target=$2
	shift 2
	if [ "${1:-}" = --cached ]; then
		mode=cached
		shift
	fi
	;;
--help | -h)
	show_help "$0"
	exit 0
	;;
*) die "unknown argument '$1'; --help shows the usage" ;;
esac
[ "${1:-}" != -- ] || shift
[ $# = 0 ] || [ $mode = qtest ] || [ $mode = random ] || [ $mode = others ] ||
	die "unknown argument '$1'; --help shows the usage"

fetched=$("$TOP/scripts/build/fetch-qemu.sh")
eval "$fetched"

# Nothing but the emulator of one machine type; block, character and monitor back ends that cannot be switched off are
# there in any case.
targets=$target
devices=--with-devices-$target=vmali
if [ $mode = others ]; then
	# That of RISC-V has the platform bus, and the code for its device tree, without any board that has the GPU.
	targets="aarch64 riscv64 x86_64"
	devices="--with-devices-aarch64=without --with-devices-riscv64=without --with-devices-x86_64=vmali"
fi
CONFIGURE="--without-default-features --without-default-devices $devices
	--target-list=$(echo "$targets" | sed 's/ /,/g;s/[^,]*/&-softmmu/g') --enable-tcg --enable-fdt=system
	--enable-slirp
	--disable-install-blobs --disable-debug-info
	--enable-trace-backends=log"
# From QEMU 8.1 on, it fetches what it misses unless told otherwise.
! grep -q -e '--disable-download)' "$QEMU_SRC/configure" || CONFIGURE="$CONFIGURE --disable-download"

# Each target is on its own, so that neither waits for the other.
QEMUS=$CACHE/qemu
[ $target = aarch64 ] || QEMUS=$QEMUS/$target
[ $mode != others ] || QEMUS=$QEMUS/others
tree=$QEMUS/tree-${QEMU_SRC##*/src-}
build=$tree/build
key=$({
	echo "$QEMU_VER" "$CONFIGURE"
	cd "$MODEL" && for file in *; do
		case $targets-$file in
		*-README.md | aarch64-vmali_isa.c | aarch64-vmali-isa-test.c | aarch64-devices-x86_64.mak | x86_64-vmali-*test*) ;;
		*)
			echo "$file"
			cat "$file"
			;;
		esac
	done
} | sha256sum | cut -c 1-16)
bin=$QEMUS/bin-$key
# A test program comes when it is first asked for.
program=
[ $mode != qtest ] || program=vmali-test
[ $mode != random ] || program=vmali-random-test
tests=$QEMUS/test-$key
[ $mode != random ] || tests=$QEMUS/random-$key
sanitized=$QEMUS/sanitized-$key

have_products() {
	[ -d "$bin" ] && { [ -z "$program" ] || [ -d "$tests" ]; } && { [ -z "$sanitizers" ] || [ -d "$sanitized" ]; }
}

configure_tree() {
	stamp=$(echo "$QEMU_VER" "$CONFIGURE" | sha256sum)
	[ "$(cat "$build/configured" 2>/dev/null)" != "$stamp" ] || return 0
	note "configuring QEMU $QEMU_VER"
	mkdir -p "$build"
	configure() {
		# shellcheck disable=SC2086 # a list of words
		cd "$build" && ../configure $CONFIGURE
	}
	run_logged "$build/configure.log" configure || die "configure failed"
	echo "$stamp" >"$build/configured"
}

# compile TARGET...
compile() {
	# What failed is rarely at the end of the log.
	watched "$build/build.log" nice ninja -C "$build" -j "$JOBS" "$@" || {
		grep -E -A6 '^FAILED|error:|undefined reference' "$build/build.log" | cut -c 1-200 | head -n 60 >&2
		die "the build failed; the whole log is $build/build.log"
	}
	grep -E -A6 'warning:' "$build/build.log" >&2 || :
}

# Boards, and nothing that says whether there is a virtual GPU
write_configurations() {
	printf 'CONFIG_ARM_VIRT=y\nCONFIG_VMALI=n\nCONFIG_ARM_V7M=y\nCONFIG_SEMIHOSTING=y\n%s=y\n' \
		CONFIG_ARM_COMPATIBLE_SEMIHOSTING >"$tree/configs/devices/aarch64-softmmu/without.mak"
	printf 'CONFIG_RISCV_VIRT=y\nCONFIG_SEMIHOSTING=y\nCONFIG_ARM_COMPATIBLE_SEMIHOSTING=y\n' \
		>"$tree/configs/devices/riscv64-softmmu/without.mak"
}

get_others() {
	for _target in $targets; do
		cp "$build/qemu-system-$_target" "$1/" || return
	done
	cp "$build/tests/qtest/vmali-isa-test" "$1/"
}

# without TARGET: an emulator has no virtual GPU
without() {
	if "$bin/qemu-system-$1" -device help | grep -q '"vmali'; then
		echo "not ok qemu-system-$1 without the virtual GPU - it has one"
	else
		echo "ok qemu-system-$1 without the virtual GPU"
	fi
}

get_bin() {
	gcc -O2 -Wall -Wextra -Werror -o "$1/mkfw" "$MODEL/mkfw.c" && "$1/mkfw" "$1/mali_csffw.bin" &&
		cp "$build/qemu-system-$target" "$1/"
}

get_sanitized() {
	mkdir "$1/objects" || return
	JOBS=$JOBS nice "$TOP/scripts/build/sanitize-qemu.py" "$build" qemu-system-$target "$1/objects" >&2 &&
		mv "$1/objects/qemu-system-$target" "$1/" && rm -r "$1/objects"
}

get_test() {
	cp "$build/tests/qtest/$program" "$1/"
}

# Where a file lies decides which rules it is held to.
run_checkpatch() {
	cd "$tree"
	exec perl scripts/checkpatch.pl --terse -f hw/misc/vmali/*.c hw/misc/vmali/*.h hw/misc/vmali/trace-events \
		include/hw/misc/vmali*.h tests/qtest/vmali-*test*.[ch] "$MODEL/mkfw.c"
}

if [ $mode = cached ]; then
	have_products || [ -x "$build/qemu-system-$target" ] || exit 1
	exit 0
fi

if [ $mode = checkpatch ] || ! have_products; then
	need meson ninja pkg-config bison flex python3 perl gcc flock
	need_disk $NEED_MIB "$QEMUS"
	(
		flock -n 6 || {
			note "waiting for another build"
			flock 6
		}
		python3 "$MODEL/integrate.py" "$QEMU_SRC" "$tree" >/dev/null || die "the model does not fit QEMU $QEMU_VER"
		[ $mode != checkpatch ] || run_checkpatch
		have_products && exit 0
		[ $mode != others ] || write_configurations
		configure_tree
		if [ $mode = others ]; then
			note "building QEMU $QEMU_VER for $targets"
			compile $(for _target in $targets; do echo "qemu-system-$_target"; done) tests/qtest/vmali-isa-test
			fill "$bin" get_others
		else
			note "building QEMU $QEMU_VER for $target with the virtual GPU"
			compile qemu-system-$target
			fill "$bin" get_bin
		fi
		if [ -n "$program" ]; then
			compile "tests/qtest/$program"
			fill "$tests" get_test
		fi
		[ -z "$sanitizers" ] || fill "$sanitized" get_sanitized || die "the sanitized emulator does not build"
		touch "$QEMU_SRC" "$tree"
		forget_old "$QEMUS/tree-"
		keep_newest 8 "$QEMUS/bin-" "$QEMUS/test-" "$QEMUS/random-" "$QEMUS/sanitized-"
	) 6>"$QEMUS/lock" || exit 1
	[ $mode != checkpatch ] || exit 0
fi

touch "$bin"
if [ -n "$program" ]; then
	touch "$tests"
	QTEST_QEMU_BINARY=$bin/qemu-system-aarch64
	if [ -n "$sanitizers" ]; then
		touch "$sanitized"
		QTEST_QEMU_BINARY=$sanitized/qemu-system-aarch64
	fi
	# What QEMU does not free when it ends is no concern of these tests.
	ASAN_OPTIONS=detect_leaks=0
	UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
	export QTEST_QEMU_BINARY ASAN_OPTIONS UBSAN_OPTIONS
	exec "$tests/$program" --tap -k "$@"
fi
if [ $mode = others ]; then
	without aarch64
	without riscv64
	QTEST_QEMU_BINARY=$bin/qemu-system-x86_64
	export QTEST_QEMU_BINARY
	exec "$bin/vmali-isa-test" --tap -k "$@"
fi
echo "FIRMWARE='$bin/mali_csffw.bin'"
echo "QEMU='$bin/qemu-system-$target'"
