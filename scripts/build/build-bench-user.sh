#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-bench-user.sh
#
# Builds two programs of this host, without run-time checkers: build/bench/bench-user has tests/bench/user and the
# driver's objects that accumulate and publish, to count instructions. build/bench/linux is a user-mode Linux (UML) with
# the driver and tests/bench/module.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/kernel-tree.sh"

options -- "$@"

# The program calls only functions that need nothing else of the driver and of a kernel.
OBJECTS="layout select states"

need make gcc bc flex bison python3 flock
kernel=$("$TOP/scripts/build/fetch-kernel.sh")
eval "$kernel"
FOLDER=$CACHE/bench
OBJ=$FOLDER/build-$KVER
OUT=$BUILD/bench
mkdir -p "$OBJ" "$OUT" "$BUILD/log"
lock_folder "$FOLDER"
kernel_tree "$FOLDER"
rm -rf "$OUT/user"
mkdir -p "$OUT/user"
cp "$TOP"/tests/bench/user/* "$TOP"/tests/bench/module/bench_loops.[ch] "$OUT/user/"
objects=
for object in $OBJECTS; do
	cp "$TREE/$PANTHOR/panthor_perf_$object.c" "$OUT/user/"
	objects="$objects panthor_perf_$object.o"
done

# No other script uses this tree. Its files are links to the pristine sources: replace them, never write into them.
in_tree() {
	_folder=$TREE/drivers/gpu/drm
	rsync -r -c --delete "$TOP/tests/bench/module/" "$_folder/panthor_perf_bench/"
	# The bench has its own hardware.
	sed '/panthor_perf_hw\.o/d' "$TREE/$PANTHOR/Makefile.perf" >"$TREE/$PANTHOR/Makefile.perf.new"
	mv "$TREE/$PANTHOR/Makefile.perf.new" "$TREE/$PANTHOR/Makefile.perf"
	grep -q panthor_perf_bench "$_folder/Makefile" || {
		sed '$a obj-y += panthor_perf_bench/' "$_folder/Makefile" >"$_folder/Makefile.new"
		mv "$_folder/Makefile.new" "$_folder/Makefile"
	}
}

build() {
	export PYTHONDONTWRITEBYTECODE=1
	(cd "$TREE" && python3 tools/testing/kunit/kunit.py config --build_dir="$OBJ" \
		--kunitconfig="$TOP/tests/bench/user/kunitconfig") &&
		make -C "$TREE" ARCH=um O="$OBJ" -j "$JOBS" prepare &&
		make -C "$TREE" ARCH=um O="$OBJ" M="$OUT/user" PANTHOR_FOLDER="$TREE/$PANTHOR" \
			bench_loops.o bench_user.o $objects &&
		make -C "$TREE" ARCH=um O="$OBJ" -j "$JOBS" &&
		cp "$OBJ/linux" "$OUT/linux" &&
		(cd "$OUT/user" && gcc -O2 -no-pie -Wl,--unresolved-symbols=ignore-all -o ../bench-user \
			main.c bench_loops.o bench_user.o $objects "$OBJ/lib/hweight.o")
}
in_tree
[ -f "$OBJ/linux" ] || note "building a kernel that runs on this host (about 5 minutes, only the first time)"
run_logged "$BUILD/log/bench-user.log" build || die "the program or the kernel does not build"
