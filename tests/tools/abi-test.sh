#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/abi-test.sh BIN
#
# What the shared library exports, its map, its public headers and its manual must say the same.
# BIN is the folder of the programs; the library lies in the folder tools-* beside it. Prints "ok NAME" or
# "not ok NAME - why".
set -eu
export LC_ALL=C.UTF-8

top=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:?"usage: ${0##*/} BIN"} in
*/sanitize-bin) built=tools-sanitize ;;
*/tsan-bin) built=tools-tsan ;;
*) built=tools-host ;;
esac
built=$(dirname "$1")/$built
lib=$built/libpanthor-perf.so
source=$top/tools/lib/panthor-perf
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

ok() { echo "ok $1"; }
not_ok() {
	echo "not ok $1 - $2"
	failed=1
}

# same NAME FILE FILE: the lists are equal
same() {
	if diff "$2" "$3" >"$work/diff"; then
		ok "$1"
	else
		not_ok "$1" "$(grep '^[<>]' "$work/diff" | tr '\n' ' ')"
	fi
}

headers=$(make -s --no-print-directory -f - <<-END
	include $top/tools/sources.mk
	all:; @echo \$(LIB_HEADERS)
	END
)
(cd "$source" && cat $headers) >"$work/all.h"

sed -n 's/^\t\([a-z_0-9]*\);$/\1/p' "$source/libpanthor-perf.map" >"$work/map"
nm -D --defined-only "$lib" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' |
	grep -v '^__\(asan\|ubsan\|tsan\|sanitizer\)\|^_\(init\|fini\)$' | sort >"$work/exported"
# A declaration is what is not indented, not a comment, and up to its semicolon.
sed -e '/\/\*/,/\*\//d' -e '/^#/d' -e '/^static inline/,/^}/d' "$work/all.h" | tr '\n' ' ' |
	tr ';' '\n' | sed -n 's/^[^(]*[ *]\(panthor_perf_[a-z_0-9]*\)(.*/\1/p' | sort >"$work/declared"

sort "$work/map" >"$work/map.sorted"
same "the map is sorted" "$work/map" "$work/map.sorted"
[ "$(wc -l <"$work/map")" -gt 40 ] || not_ok "the map has functions" "few"
same "exported is what the map says" "$work/map.sorted" "$work/exported"
same "declared is what the map says" "$work/map.sorted" "$work/declared"

soname=$(objdump -p "$lib" | awk '$1 == "SONAME" { print $2 }')
[ "$soname" = libpanthor-perf.so.1 ] && ok "soname" || not_ok "soname" "it is $soname"
unversioned=$(nm -D --defined-only --with-symbol-versions "$lib" | grep ' T ' |
	grep -v '@@LIBPANTHOR_PERF_1$' | grep -c panthor_perf || :)
[ "$unversioned" = 0 ] && ok "all symbols have a version" ||
	not_ok "all symbols have a version" "$unversioned have none"
# The ABI is that which was promised: sizes and members of public structures, arguments, results.
abi() {
	abidiff --suppressions "$source/libpanthor-perf.suppr" "$source/libpanthor-perf.abi" "$1" >"$work/abi" 2>&1
}
if [ "$built" = "${built%tools-host}" ] || [ "$(uname -m)" != x86_64 ]; then
	:
elif abi "$lib"; then
	ok "the ABI is that of libpanthor-perf.abi"
else
	not_ok "the ABI is that of libpanthor-perf.abi" "make -C tools abi writes it after an addition: $(tr '\n' ' ' <"$work/abi")"
fi
# No global state: nothing of the library lies in memory that stays writable. Sanitizers add some.
written=$(objdump -t "$built/libpanthor-perf.a" | awk '/[ \t](\.data|\.bss|\*COM\*|\.tdata|\.tbss)[ \t]/ &&
	$2 !~ /d/ && $3 !~ /d/ { print $NF }' | grep -v '^__' || :)
if [ "$built" = "${built%tools-host}" ]; then
	:
elif [ -n "$written" ]; then
	not_ok "no global state" "$(echo $written)"
else
	ok "no global state"
fi

# Each function has a page, and each page is good roff.
make -s -C "$top/tools" O="$(cd "$1/.." && pwd)" man3 >&2
sed -n 's/^\(panthor_perf_.*\)\.3$/\1/p' "$built/man3/list" >"$work/pages"
missing=$(while read -r name; do grep -qx "$name" "$work/pages" || echo "$name"; done <"$work/map")
[ -z "$missing" ] && ok "a manual page for each function" ||
	not_ok "a manual page for each function" "$(echo $missing)"
cd "$built/man3"
for file in *.3; do
	grep -q '^\.so ' "$file" && continue
	complaints=$(MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "./$file" 2>&1 >/dev/null | head -n 2)
	marks=$(grep -m 1 '%[A-Z]\|&struct\|^@[a-z]\|[ (]@[a-z]' "$file" || :)
	[ -z "$complaints$marks" ] && ok "$file: no warnings, and none of kernel-doc's marks" ||
		not_ok "$file" "$complaints$marks"
done
exit $failed
