#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/uapi/run.sh
#
# Checks the layout of the uAPI header at compile time, for every compiler that is there, and prints
# "ok NAME" or "not ok NAME - why". Variables: O (build folder), PANTHOR_UAPI (as in tools/), CC, CXX,
# CROSS_COMPILE_ARM64. A compiler that does not exist is a test that failed.
set -eu

case ${1:-} in
'') ;;
*)
	sed -n '4,8s/^# \{0,1\}//p' "$0"
	exit 0
	;;
esac

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=${O:-$top/build}
header=$top/include/uapi/drm/panthor_perf_drm.h
cc=${CC:-gcc}
cxx=${CXX:-g++}
cross=${CROSS_COMPILE_ARM64:-aarch64-linux-gnu-}gcc
failed=0

"$top/tools/panthor-uapi.sh" "$build/include/drm/panthor_drm.h"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# test_one NAME COMMAND...
test_one() {
	name=$1
	shift
	if "$@" >"$work/log" 2>&1 </dev/null; then
		echo "ok $name"
	else
		echo "not ok $name - $(grep -m 1 -E 'error|warning|missing|not found' "$work/log" ||
			tail -n 1 "$work/log")"
		cat "$work/log" >&2
		failed=1
	fi
}

# The headers of others are none of our business: -isystem keeps their warnings out.
paths="-I$top/include/uapi/drm -isystem $build/include/drm"
for folder in $(pkg-config --cflags-only-I libdrm 2>/dev/null | sed 's/-I//g') /usr/include/libdrm; do
	paths="$paths -isystem $folder"
done
strict="-fsyntax-only -Wall -Wextra -Wpadded -pedantic -Werror"
beside="-isystem $here/distribution $paths"

# compile LANGUAGE-AND-ABI COMPILER...
compile() {
	abi=$1
	shift
	for file in layout alone; do
		test_one "$file, $abi" "$@" $strict $paths "$here/$file.c"
	done
	test_one "beside the distribution's, $abi" "$@" $strict $beside -DFIRST=1 "$here/beside.c"
	test_one "before the distribution's, $abi" "$@" $strict $beside -DFIRST=2 "$here/beside.c"
	for first in 1 2; do
		test_one "with one of enumerators, included as number $first, $abi" "$@" $strict \
			-isystem "$here/enumerators" $paths -DFIRST=$first "$here/beside.c"
	done
}

i386="-m32 -isystem /usr/include/$($cc -print-multiarch)"
compile "C, 64 bits" "$cc" -std=c11
compile "C, 32 bits" "$cc" -std=c11 $i386
compile "C, arm64" "$cross" -std=c11
compile "C++, 64 bits" "$cxx" -x c++ -std=c++11
compile "C++, 32 bits" "$cxx" -x c++ -std=c++11 $i386
test_one "panthor_perf.h, C++" "$cxx" -x c++ -std=c++11 -fsyntax-only -Wall -Wextra -Werror \
	-I"$top/include/uapi" $paths "$top/tools/lib/panthor-perf/panthor_perf.h"
test_one "old C" "$cc" -std=gnu89 -fsyntax-only -Wall -Wextra -Werror $paths "$here/alone.c"

# The indices of the ring are read and written by plain accesses, in programs of 32 bits too: no exclusive
# ones, which need not work on a write-combined page, and no calls of libatomic. CROSS_COMPILE_ARM may name a
# compiler for 32-bit Arm.
has_plain_accesses() {
	objdump=$1
	shift
	"$@" -O2 -std=gnu11 $paths -isystem "$top/include/uapi" -c -o "$work/ring.o" || return 1
	"$objdump" -dr "$work/ring.o" >"$work/code" || return 1
	grep -q '>:$' "$work/code" || { echo "error: no code"; return 1; }
	! grep -E 'cmpxchg|ldrexd|strexd|ldaexd|stlexd|__atomic_|__sync_' "$work/code"
}

# The loop of the documentation, in a function.
{
	cat <<-'END'
	#include <stddef.h>
	#include <stdint.h>
	#include "panthor_perf_drm.h"
	void consume(const char *sample);
	void read_ring(volatile struct drm_panthor_perf_ring_control *control, const char *ring, uint32_t slots,
		       struct drm_panthor_perf_setup session)
	{
	END
	sed -n '/^    volatile struct drm_panthor_perf_ring_control/,/^    control->extract_idx/p' \
		"$top/Documentation/gpu/panthor-perf.rst" | sed 1d
	echo "}"
} >"$work/example.c"
# The C library's headers look for those of its 32-bit variant, of which nothing is needed here.
mkdir -p "$work/stubs/gnu"
: >"$work/stubs/gnu/stubs-32.h"
i686="$i386 -isystem $work/stubs -march=i686"
ring="-I$top/tools/lib/panthor-perf $top/tools/lib/panthor-perf/ring.c"
test_one "the documented reader has a loop" grep -q 'insert - extract > slots' "$work/example.c"
test_one "plain accesses, the library, 32 bits" has_plain_accesses objdump "$cc" $i686 $ring
test_one "plain accesses, the documented reader, 32 bits" has_plain_accesses objdump "$cc" $i686 \
	"$work/example.c"
test_one "plain accesses, the documented reader, arm64" has_plain_accesses "${cross%gcc}objdump" "$cross" \
	"$work/example.c"
arm=${CROSS_COMPILE_ARM:-arm-linux-gnueabihf-}
if command -v "${arm}gcc" >/dev/null; then
	test_one "plain accesses, the library, 32-bit Arm" has_plain_accesses "${arm}objdump" "${arm}gcc" \
		$ring
	test_one "plain accesses, the documented reader, 32-bit Arm" has_plain_accesses "${arm}objdump" "${arm}gcc" \
		"$work/example.c"
fi
# An access of the other kind has to be seen.
sees_atomics() {
	echo 'unsigned long long f(unsigned long long *p) { return __atomic_fetch_add(p, 1, __ATOMIC_RELEASE); }' \
		>"$work/atomic.c"
	! has_plain_accesses objdump "$cc" $i686 "$work/atomic.c"
}
test_one "an exclusive access is seen" sees_atomics

# An assertion that fails has to be seen.
sees_change() {
	sed "s/$1/$2/" "$header" >"$work/panthor_perf_drm.h"
	! cmp -s "$header" "$work/panthor_perf_drm.h" || return 1
	$cc -std=c11 -fsyntax-only -I"$work" $paths "$here/layout.c" 2>&1 | grep 'static assertion failed'
}
test_one "a field that grows is seen" sees_change "__u32 merged;" "__u64 merged;"
test_one "a constant that moves is seen" sees_change "EVENT_RESET = 1 << 5" "EVENT_RESET = 1 << 9"
test_one "an ioctl that moves is seen" sees_change "PERF_STOP		0x53" "PERF_STOP		0x55"

# What the preprocessor keeps of the header beside a distribution's that has the same names.
defines_nothing() {
	$cc -E -dD $beside -DFIRST=1 "$here/beside.c" >"$work/expanded" || return 1
	awk '/^# [0-9]+ "/ { inside = $3 ~ /\/panthor_perf_drm\.h"$/; next }
	     inside && NF && !/^#define _PANTHOR_PERF_DRM_H_/ { print "not found expected: " $0; bad = 1 }
	     END { exit bad }' "$work/expanded" &&
		grep -q '^#define _PANTHOR_PERF_DRM_H_' "$work/expanded"
}
test_one "it defines nothing beside the distribution's" defines_nothing

# Names that the header defines, each with the line that layout.c must have for it.
everything_is_checked() {
	awk '
	/^#define DRM_/ { print "VALUE(" $2 ","; next }
	/^enum / { enum = 1 }
	/^struct [a-z_]+ \{/ { struct = $2; print "SIZE(" struct "," }
	/^\};/ { enum = 0; struct = "" }
	enum && match($0, /^\tDRM_[A-Z0-9_]+/) { print "VALUE(" substr($0, 2, RLENGTH - 1) "," }
	struct && /^\t[a-z_][a-z0-9_ ]* [a-z0-9_]+(\[[0-9]+\])?;/ {
		field = $NF; sub(/(\[.*)?;/, "", field); print "FIELD(" struct ", " field ","
	}' "$header" >"$work/names"
	[ "$(wc -l <"$work/names")" -ge 100 ] || { echo "only part of the header was found"; return 1; }
	while read -r line; do
		grep -qF "$line" "$here/layout.c" || echo "missing in layout.c: $line"
	done <"$work/names" >"$work/missing"
	cat "$work/missing"
	[ ! -s "$work/missing" ]
}
test_one "layout.c checks everything that the header defines" everything_is_checked

exit $failed
