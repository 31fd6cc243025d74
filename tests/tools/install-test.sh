#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/install-test.sh BIN
#
# Installs into an empty folder, builds the examples from there by pkg-config alone, with the shared and
# the static library and in C++, runs them, and uninstalls. Prints "ok NAME" or "not ok NAME - why".
set -eu
export LC_ALL=C.UTF-8

top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(dirname "${1:?"usage: ${0##*/} BIN"}")
dest=$(mktemp -d)
trap 'rm -rf "$dest"' EXIT
failed=0

ok() { echo "ok $1"; }
not_ok() {
	echo "not ok $1 - $2"
	failed=1
}

# try NAME COMMAND...
try() {
	what=$1
	shift
	if "$@" >"$dest/log" 2>&1; then
		ok "$what"
	else
		not_ok "$what" "$(head -n 3 "$dest/log" | tr '\n' ' ')"
	fi
}

umask 022
try "make install" make -s -C "$top/tools" O="$build" DESTDIR="$dest/root" PREFIX=/usr install
usr=$dest/root/usr
for file in bin/panthor-perf lib/libpanthor-perf.so lib/libpanthor-perf.so.0 lib/libpanthor-perf.so.0.1 \
	lib/libpanthor-perf.a lib/pkgconfig/libpanthor-perf.pc include/panthor-perf/panthor_perf.h \
	include/panthor-perf/drm/panthor_perf_drm.h share/man/man3/libpanthor-perf.3 \
	share/man/man3/panthor_perf_session_mark.3 share/doc/panthor-perf/examples/minimal.c; do
	[ -s "$usr/$file" ] && ok "$file" || not_ok "$file" "it is not there"
done
try "the program runs" "$usr/bin/panthor-perf" --version

# pkg-config knows where a prefix is; a DESTDIR it does not.
usr=$dest/prefix
try "make install into a prefix" make -s -C "$top/tools" O="$build" DESTDIR= PREFIX="$usr" install
export PKG_CONFIG_PATH="$usr/lib/pkgconfig"
pc() {
	pkg-config "$@" libpanthor-perf
}
[ "$(pkg-config --modversion libpanthor-perf)" = 0.1 ] && ok "pkg-config --modversion" ||
	not_ok "pkg-config --modversion" "$(pkg-config --modversion libpanthor-perf 2>&1)"

cd "$dest"
for source in "$usr"/share/doc/panthor-perf/examples/*.c; do
	name=$(basename "$source" .c)
	try "$name by pkg-config, shared" cc -Wall -Werror "$source" $(pc --cflags --libs) -o "$name"
	objdump -p "$name" | grep -q 'NEEDED.*libpanthor-perf\.so\.0$' && ok "$name needs the soname" ||
		not_ok "$name needs the soname" "it does not"
	try "$name by pkg-config, static" cc -Wall -Werror "$source" -static $(pc --static --cflags --libs) \
		-o "$name-static"
	for program in "$name" "$name-static"; do
		# There is no GPU here; that is what it has to say.
		out=$(LD_LIBRARY_PATH="$usr/lib" "./$program" /dev/null 2>&1) && status=0 || status=$?
		[ $status -eq 1 ] && [ "$out" = "$name: opening the GPU: Inappropriate ioctl for device" ] &&
			ok "$program runs" || not_ok "$program runs" "status $status: $out"
	done
done

for header in "$usr"/include/panthor-perf/*.h; do
	echo "#include <$(basename "$header")>" >alone.c
	for std in c++11 c++20; do
		try "$(basename "$header") alone, $std" c++ -x c++ -std=$std -Wall -Wextra -Werror \
			-fsyntax-only $(pc --cflags) alone.c
	done
	try "$(basename "$header") alone, C99" cc -std=c99 -Wall -Wextra -Werror -fsyntax-only \
		$(pc --cflags) alone.c
done
cat >use.cc <<-'END'
	#include <panthor_perf_select.h>
	int main()
	{
		panthor_perf_device *device;
		return panthor_perf_device_open("/dev/null", &device) ? 0 : 1;
	}
	END
try "linked by a program in C++" c++ -Wall -Werror use.cc $(pc --cflags --libs) -o use
try "which runs" env LD_LIBRARY_PATH="$usr/lib" ./use

try "make uninstall" make -s -C "$top/tools" O="$build" DESTDIR="$dest/root" PREFIX=/usr uninstall
left=$(find "$dest/root" ! -type d)
[ -z "$left" ] && ok "nothing is left" || not_ok "nothing is left" "$(echo $left)"
exit $failed
