#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: PANTHOR_PERF_KERNEL=SERIES scripts/build/build-perf.sh [--host]
#
# Builds perf of a kernel for the arm64 guest, with the events and metrics of scripts/perf-json.py in its tables:
# build/perf/perf, a static program without what perf needs other libraries for. Prints PERF=build/perf/perf.
#
#	--host	for this machine, with the tables of arm64: build/perf-host/perf
#
# The tree and the objects are in the cache: the first time takes minutes.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

ROOM_MIB=600

host=
options host -- "$@"
for=${host:+-host}
if [ -n "$host" ]; then
	need make flex bison python3 gcc
	set --
else
	need make flex bison python3 aarch64-linux-gnu-gcc
	set -- ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-
fi
kernel=$("$TOP/scripts/build/fetch-kernel.sh") || exit
eval "$kernel"
FOLDER=$CACHE/perf/source-$KVER
OBJ=$CACHE/perf/objects$for-$KVER
LOG=$BUILD/log/perf$for.log
OUT=$BUILD/perf$for
mkdir -p "$CACHE/perf" "$BUILD/log" "$OUT"
need_disk "$ROOM_MIB" "$CACHE"

# What perf's own source package has.
copy_tree() {
	mkdir -p "$1"
	(
		cd "$KSRC"
		for name in $(sed '/^#/d' tools/perf/MANIFEST); do
			cp -a --parents $name "$1/"
		done
	)
}

(
	flock 7
	if [ ! -d "$FOLDER" ]; then
		note "perf of Linux $KVER: copying its sources"
		rm -rf "$FOLDER.tmp"
		copy_tree "$FOLDER.tmp"
		mv "$FOLDER.tmp" "$FOLDER"
	fi
	"$TOP/scripts/perf-json.py" "$FOLDER/tools/perf/pmu-events" >/dev/null || die "the tables of counters make no events"
	mkdir -p "$OBJ"
	note "perf of Linux $KVER: building (some minutes at first)"
	# perf looks for Python, which writes its tables, by python3-config alone, which is in a package for extensions.
	nice make -C "$FOLDER/tools/perf" O="$OBJ" "$@" JEVENTS_ARCH=arm64 \
		PYTHON=python3 PYTHON_CONFIG=true \
		LDFLAGS=-static WERROR=0 NO_LIBELF=1 NO_LIBPYTHON=1 NO_LIBPERL=1 NO_LIBTRACEEVENT=1 NO_SLANG=1 \
		NO_LIBNUMA=1 NO_LIBUNWIND=1 NO_LIBDW=1 NO_LIBBPF=1 BUILD_BPF_SKEL=0 NO_LIBCRYPTO=1 NO_LIBCAP=1 NO_LIBZSTD=1 NO_LZMA=1 NO_ZLIB=1 NO_LIBPFM4=1 \
		NO_BACKTRACE=1 NO_LIBDEBUGINFOD=1 NO_CAPSTONE=1 NO_LIBLLVM=1 NO_RUST=1 -j "$JOBS" "$OBJ/perf" >"$LOG" 2>&1 ||
		die "perf does not build: see $LOG"
	cp "$OBJ/perf" "$OUT/perf"
) 7>"$CACHE/perf/source.lock"
echo "PERF='$OUT/perf'"
