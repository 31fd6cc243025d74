#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/install-test.sh BIN
#
# Installs into an empty folder, and into a prefix by the commands of tools/README.md. Builds the examples from there by
# pkg-config alone, with the shared and the static library and in C++, runs them, and uninstalls. Prints "ok NAME" or
# "not ok NAME - why".
set -eu
export LC_ALL=C.UTF-8

top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?"usage: ${0##*/} BIN"}/.." && pwd)
dest=$(mktemp -d)
trap 'rm -rf "$dest"' EXIT
failed=0

ok() { echo "ok $1"; }
not_ok() {
	echo "not ok $1 - $2"
	failed=1
}

# need NAME COMMAND...: a result only if it fails; what it makes is tested behind it
need() {
	what=$1
	shift
	"$@" >"$dest/log" 2>&1 || not_ok "$what" "$(head -n 3 "$dest/log" | tr '\n' ' ')"
}

umask 022
need "make install" make -s -C "$top/tools" O="$build" DESTDIR="$dest/root" PREFIX=/usr install
usr=$dest/root/usr
missing=
for file in bin/panthor-perf lib/libpanthor-perf.so lib/libpanthor-perf.so.1 lib/libpanthor-perf.so.1.0 \
	lib/libpanthor-perf.a lib/pkgconfig/libpanthor-perf.pc include/panthor-perf/panthor_perf.h \
	include/panthor-perf/drm/panthor_perf_drm.h share/man/man3/libpanthor-perf.3 share/man/man3/drm_panthor_perf.3 \
	share/man/man3/panthor_perf_session_mark.3 share/doc/panthor-perf/examples/minimal.c; do
	[ -s "$usr/$file" ] || missing="$missing $file"
done
[ -z "$missing" ] && ok "make install puts everything under DESTDIR" ||
	not_ok "make install puts everything under DESTDIR" "not there:$missing"
version=$("$usr/bin/panthor-perf" --version 2>&1) || version="exit status $?: $version"
[ "$version" = "panthor-perf 1.0" ] && ok "the installed program tells its version" ||
	not_ok "the installed program tells its version" "$version"

# refused NAME WHY COMMAND...: one line says what is wrong.
refused() {
	what=$1
	why=$2
	shift 2
	if "$@" >"$dest/log" 2>&1; then
		not_ok "$what" "it went through"
	elif ! grep -q "$why" "$dest/log" || [ "$(wc -l <"$dest/log")" -gt 3 ]; then
		not_ok "$what" "$(head -n 3 "$dest/log" | tr '\n' ' ')"
	else
		ok "$what"
	fi
}
mkdir -p "$dest/a folder/tools/vulkan-layer" "$dest/a folder/tests/tools"
for file in Makefile tools/Makefile tools/needs.mk tools/sources.mk tools/vulkan-layer/Makefile; do
	cp "$top/$file" "$dest/a folder/$file"
done
spaces="make cannot handle a path with spaces"
refused "a checkout in a folder with a space" "$spaces" make -C "$dest/a folder" tools
refused "tools in a folder with a space" "$spaces" make -C "$dest/a folder/tools"
refused "the layer in a folder with a space" "$spaces" make -C "$dest/a folder/tools/vulkan-layer"
refused "a DESTDIR with a space" "$spaces" make -s -C "$top/tools" O="$build" DESTDIR="$dest/a root" install

for part in tools tools/vulkan-layer; do
	refused "$part without pkg-config" "absent-pkg-config is missing (Debian: apt install pkg-config)" \
		make -C "$top/$part" O="$dest/none" PKG_CONFIG=absent-pkg-config
	refused "$part without libdrm" "does not find all of .*libdrm.* (Debian: apt install libdrm-dev" \
		env PKG_CONFIG_LIBDIR="$dest/none" PKG_CONFIG_PATH= make -C "$top/$part" O="$dest/none"
done

# pkg-config knows where a prefix is; a DESTDIR it does not.
usr=$dest/home/panthor-perf
mkdir "$dest/work"
ln -s "$top/tools" "$dest/work/tools"
cat >"$dest/work/program.c" <<-'END'
	#include <stdio.h>
	#include <panthor_perf.h>
	int main(void)
	{
		struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		struct panthor_perf_device *device;
		return panthor_perf_device_open("/dev/null", &device, &error) < 0 && puts(error.text) > 0 ? 0 : 1;
	}
	END
# The home of the user stays that of the caches.
sed -n '/^    make -C tools install PREFIX=/,/^$/s/^    //p' "$top/tools/README.md" | sed "s|\$HOME|$dest/home|g" >"$dest/work/commands"
(unset DESTDIR && cd "$dest/work" && O=$build sh -eu commands) >"$dest/log" 2>&1 && [ "$(tail -n 1 "$dest/log")" = "/dev/null: this is no DRM node" ] &&
	ok "the README's commands for a folder of one's own" ||
	not_ok "the README's commands for a folder of one's own" "$(tail -n 3 "$dest/log" | tr '\n' ' ')"
export PKG_CONFIG_PATH="$usr/lib/pkgconfig"
pc() {
	pkg-config "$@" libpanthor-perf
}
[ "$(pkg-config --modversion libpanthor-perf)" = 1.0 ] && ok "pkg-config --modversion" ||
	not_ok "pkg-config --modversion" "$(pkg-config --modversion libpanthor-perf 2>&1)"

cd "$dest"
for source in "$usr"/share/doc/panthor-perf/examples/*.c; do
	name=$(basename "$source" .c)
	# make mesa builds this one.
	! grep -q '<vulkan/' "$source" || continue
	need "$name by pkg-config, shared" cc -Wall -Werror "$source" $(pc --cflags --libs) -o "$name"
	need "$name by pkg-config, static" cc -Wall -Werror "$source" -static $(pc --static --cflags --libs) \
		-o "$name-static"
	for program in "$name" "$name-static"; do
		# There is no GPU here; that is what it has to say.
		out=$(LD_LIBRARY_PATH="$usr/lib" "./$program" /dev/null 2>&1) && status=0 || status=$?
		needed=$(objdump -p "$program" 2>/dev/null | sed -n 's/.*NEEDED *\(libpanthor-perf.*\)/\1/p')
		[ "$program" = "$name" ] && want=libpanthor-perf.so.1 || want=
		[ $status -eq 1 ] && [ "$out" != "${out#"$name: "*"/dev/null: this is no DRM node"}" ] &&
			[ "$needed" = "$want" ] && ok "$program is built and runs" ||
			not_ok "$program is built and runs" "status $status, needs '$needed': $out"
	done
done

for header in "$usr"/include/panthor-perf/*.h; do
	name=$(basename "$header")
	echo "#include <$name>" >alone.c
	: >log
	for compiler in "c++ -x c++ -std=c++11" "c++ -x c++ -std=c++20" "cc -std=c99"; do
		$compiler -Wall -Wextra -Werror -fsyntax-only $(pc --cflags) alone.c >>log 2>&1 ||
			echo "$compiler: exit status $?" >>log
	done
	[ ! -s log ] && ok "$name alone, in C and C++" ||
		not_ok "$name alone, in C and C++" "$(head -n 3 log | tr '\n' ' ')"
done
cat >use.cc <<-'END'
	#include <panthor_perf_values.h>
	int main()
	{
		panthor_perf_session_config config = PANTHOR_PERF_SESSION_CONFIG_INIT;
		panthor_perf_constants constants = PANTHOR_PERF_CONSTANTS_INIT;
		panthor_perf_quality quality = PANTHOR_PERF_QUALITY_INIT;
		panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
		panthor_perf_device *device;
		return config.size && constants.size && quality.size &&
		       panthor_perf_device_open("/dev/null", &device, &error) ? 0 : 1;
	}
	END
need "linked by a program in C++" c++ -Wall -Wextra -Werror use.cc $(pc --cflags --libs) -o use
LD_LIBRARY_PATH="$usr/lib" ./use >log 2>&1 && ok "a program in C++ is linked and runs" ||
	not_ok "a program in C++ is linked and runs" "exit status $?: $(head -n 1 log)"

need "make uninstall" make -s -C "$top/tools" O="$build" DESTDIR="$dest/root" PREFIX=/usr uninstall
left=$(find "$dest/root" ! -type d)
[ -z "$left" ] && ok "nothing is left" || not_ok "nothing is left" "$(echo $left)"
exit $failed
