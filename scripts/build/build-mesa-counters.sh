#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-mesa-counters.sh
#
# Builds Mesa's own counter tools for the arm64 guest with the patches of scripts/mesa-series.py:
# panquick, which prints counters, pps-config, which lists and prints them, and pps-producer, which
# gives them to Perfetto. git am applies the patches to Debian trixie's source package of Mesa (47
# MB). Newer ones need LLVM and Rust for the target. Two things are changed for the guest alone: its
# driver is the out-of-tree one, whose ioctls have other numbers than those of the kernel series;
# and Perfetto's SDK, which no package has, comes out of the source package of Firefox (683 MB,
# deleted after that). Nothing is installed: Meson and the libraries are unpacked in the cache.
# Prints
#
#	MESA_TOOLS	folder with panquick, pps-config and pps-producer, the library that they need, and traced and
#			perfetto of Debian unstable (1 MB), if the archive has them
#
# The first run takes ten minutes, later ones seconds. The exit status is 3 if the archive has no
# such package.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

SUITE=trixie
SDK_SUITES="trixie bookworm"
PERFETTO_SUITE=unstable
# Those that panquick and the library of panfrost link to.
LIBRARIES_ARM64="libdrm-dev libdrm2 libdrm-amdgpu1 zlib1g-dev zlib1g libexpat1-dev libexpat1 libdocopt-dev libdocopt0"
BUILD_TOOLS="meson python3-mako python3-yaml python3-markupsafe python3-packaging"
TOOLS="src/panfrost/perf/panquick src/tool/pps/pps-config src/tool/pps/pps-producer"

options -- "$@"

# Source packages of Firefox in a suite, the newest first: URL NAME SIZE HASH
sdk_sources() {
	APT_SUITE=$1
	apt_private "firefox-$1" deb-src amd64
	apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	for _version in $(papt apt-cache showsrc firefox-esr 2>/dev/null | sed -n 's/^Version: //p' | sort -rVu); do
		papt apt-get source --print-uris "firefox-esr=$_version" 2>/dev/null | tr -d "'" |
			grep '/firefox-esr_[^/]*\.orig\.tar\.xz ' || :
	done
}

# The archive may lack what its index has.
get_firefox() {
	for _suite in $SDK_SUITES; do
		sdk_sources "$_suite" >>"$1/sources"
	done
	while read -r _url _name _size _hash; do
		_megabytes=$((_size / 1000000))
		need_disk $((_megabytes + 100)) "$CACHE"
		note "Perfetto's SDK: ${_name%.orig.tar.xz}, source package ($_megabytes MB)"
		if papt /usr/lib/apt/apt-helper download-file "$_url" "$1/firefox.tar.xz" "$_hash" >>"$1/log" 2>&1; then
			return 0
		fi
	done <"$1/sources"
	tail -n 3 "$1/log" >&2
	return 1
}

# What Firefox adds to the SDK, two attributes for checkers, is empty.
get_sdk() {
	get_firefox "$1" || return 1
	mkdir -p "$1/sdk/mozilla"
	tar -xf "$1/firefox.tar.xz" -C "$1/sdk" --strip-components=4 --wildcards --occurrence=1 \
		'*/third_party/perfetto/sdk/perfetto.cc' '*/third_party/perfetto/sdk/perfetto.h' || return 1
	rm "$1/firefox.tar.xz"
	echo '#define MOZ_IMPLICIT' >"$1/sdk/mozilla/Attributes.h"
	: >"$1/sdk/mozilla/MemoryChecking.h"
	note "building Perfetto's SDK"
	aarch64-linux-gnu-g++ -std=c++17 -O1 -fPIC -I"$1/sdk" -c "$1/sdk/perfetto.cc" -o "$1/perfetto.o" &&
		aarch64-linux-gnu-ar rcs "$1/libperfetto.a" "$1/perfetto.o" && rm "$1/perfetto.o"
}

get_perfetto() {
	note "Perfetto $perfetto (1 MB)"
	unpack "$1" perfetto:arm64
}

get_tools() {
	note "Meson, and libraries for arm64"
	mkdir "$1/host" "$1/system"
	unpack "$1/host" $BUILD_TOOLS
	# shellcheck disable=SC2046 # a list
	unpack "$1/system" $(printf '%s:arm64 ' $LIBRARIES_ARM64)
}

# number NAME: the out-of-tree driver's number of a query or an ioctl; those that follow in the
# header count on
number() {
	_number=$(sed -n "s/^#define $1[ \t]*\(0x[0-9a-f]*\)\$/\1/p" "$TOP/include/uapi/drm/panthor_perf_drm.h")
	_header=$work/mesa/include/drm-uapi/panthor_drm.h
	[ -n "$_number" ] && [ "$(grep -c "^	$1,\$" "$_header")" = 1 ] || die "$1 has no number, or no place in panthor_drm.h"
	sed -i "s/^	$1,\$/	$1 = $_number,/" "$_header"
}

integrate() {
	rm -rf "$work/mesa"
	cp -al "$BUILD/mesa-series/mesa" "$work/mesa"
	number DRM_PANTHOR_PERF_SETUP
	number DRM_PANTHOR_DEV_QUERY_PERF_INFO
	mkdir "$work/mesa/subprojects/perfetto"
	cp -r "$sdk/sdk" "$work/mesa/subprojects/perfetto/"
	cat >"$work/mesa/subprojects/perfetto/meson.build" <<-END
	project('perfetto', 'cpp')
	dep_perfetto = declare_dependency(
	  include_directories: include_directories('sdk'),
	  link_args: ['$sdk/libperfetto.a'],
	  dependencies: dependency('threads'),
	)
	END
}

configure() {
	_system=$tools/system
	_library_path=$_system/usr/lib/aarch64-linux-gnu
	cat >"$work/cross.ini" <<-END
	[binaries]
	c = 'aarch64-linux-gnu-gcc'
	cpp = 'aarch64-linux-gnu-g++'
	ar = 'aarch64-linux-gnu-ar'
	strip = 'aarch64-linux-gnu-strip'
	pkg-config = 'pkg-config'
	[properties]
	sys_root = '$_system'
	pkg_config_libdir = '$_library_path/pkgconfig'
	[built-in options]
	cpp_args = ['-idirafter', '$_system/usr/include']
	c_link_args = ['-L$_library_path', '-Wl,--allow-shlib-undefined']
	cpp_link_args = ['-L$_library_path', '-Wl,--allow-shlib-undefined']
	[host_machine]
	system = 'linux'
	cpu_family = 'aarch64'
	cpu = 'aarch64'
	endian = 'little'
	END
	set --
	for _feature in glx egl gles1 gles2 gbm llvm valgrind libunwind zstd shader-cache xmlconfig; do
		set -- "$@" "-D$_feature=disabled"
	done
	python3 "$tools/host/usr/bin/meson" setup "$work/build" "$work/mesa" --cross-file "$work/cross.ini" \
		--buildtype=release -Dgallium-drivers= -Dvulkan-drivers=panfrost -Dtools=panfrost -Dplatforms= \
		-Dopengl=false -Dbuild-tests=false -Dperfetto=true -Ddatasources=panfrost "$@"
}

need aarch64-linux-gnu-g++ spatch ninja pkg-config python3 bison flex sha256sum
_status=0
"$TOP/scripts/mesa-series.py" --suite $SUITE >"$BUILD/mesa-series.txt" || _status=$?
[ "$_status" = 0 ] || exit "$_status"
version=$(cat "$BUILD/mesa-series/mesa/VERSION")
sdk=$CACHE/mesa/perfetto-sdk-$(sed -n '/^get_firefox/,/^get_perfetto/p' "$0" | sha256sum | cut -c 1-12)
fill "$sdk" get_sdk
APT_SUITE=$SUITE
apt_private mesa-build deb amd64 arm64
apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
need_disk 3000 "$CACHE"
key=$({
	echo $SUITE $BUILD_TOOLS $LIBRARIES_ARM64
	sed -n '/^get_tools/,/^}/p' "$0"
} | sha256sum | cut -c 1-12)
tools=$CACHE/mesa/tools-$key
fill "$tools" get_tools

APT_SUITE=$PERFETTO_SUITE
apt_private mesa-perfetto deb arm64
apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
perfetto=$(version_of perfetto:arm64)
if [ -n "$perfetto" ]; then
	fill "$CACHE/mesa/perfetto-arm64-$perfetto" get_perfetto
else
	note "Perfetto of Debian $PERFETTO_SUITE: not in the archive"
fi

work=$BUILD/mesa/counters
mkdir -p "$work"
exec 9>"$work/lock"
flock 9
export PYTHONPATH="$tools/host/usr/lib/python3/dist-packages" PATH="/usr/bin:$PATH"
state=$({
	echo "$tools" "$sdk" "$TOOLS" "$version"
	sed -n '/^number/,/^need /p' "$0"
	# Without the dates and the hashes of the commits.
	sed '/^From [0-9a-f]* /d; /^Date: /d' "$BUILD"/mesa-series/patches/*.patch
} | sha256sum | cut -c 1-16)
if [ "$(cat "$work/state" 2>/dev/null)" != "$state" ]; then
	integrate
	rm -rf "$work/build"
	run_logged "$work/configure.log" configure
	note "building panquick, pps-config and pps-producer of Mesa $version"
	# shellcheck disable=SC2086 # a list
	run_logged "$work/ninja.log" ninja -j "$JOBS" -C "$work/build" $TOOLS
	echo "$state" >"$work/state"
fi
rm -rf "$work/tools"
mkdir "$work/tools"
for tool in $TOOLS; do
	cp "$work/build/$tool" "$work/tools/"
done
cp -L "$tools"/system/usr/lib/aarch64-linux-gnu/libdocopt.so.0 "$work/tools/"
if [ -n "$perfetto" ]; then
	for file in bin/perfetto sbin/traced lib/perfetto/libperfetto.so; do
		cp "$CACHE/mesa/perfetto-arm64-$perfetto/usr/$file" "$work/tools/"
	done
fi
forget_old "$CACHE/mesa/tools-"
forget_old "$CACHE/mesa/perfetto-sdk-" "$CACHE/mesa/perfetto-arm64-"
echo "MESA_TOOLS='$work/tools'"
