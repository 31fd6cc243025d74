#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/build-mesa-counters.sh
#
# Builds panquick, Mesa's own tool that prints counters, for the arm64 guest and with the back-end for panthor in
# integrations/mesa: from Debian trixie's source package of Mesa (47 MB), to which the semantic patch there and a few
# anchored lines are applied. Nothing is installed: Meson and the libraries are unpacked in the cache. Prints
#
#	MESA_TOOLS	folder with panquick
#
# The first run takes five minutes, later ones seconds. The exit status is 3 if the archive has no such package.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/packages.sh"

NOT_THERE=3
SUITE=trixie
OURS=$TOP/integrations/mesa
# Those that panquick and the library of panfrost link to.
LIBRARIES_ARM64="libdrm-dev libdrm2 libdrm-amdgpu1 zlib1g-dev zlib1g libexpat1-dev libexpat1"
BUILD_TOOLS="meson python3-mako python3-yaml python3-markupsafe python3-packaging"
# The tables that have a place in Mesa: counters_xml.py.
TABLES="G710"

options -- "$@"

get_source() {
	note "Mesa $version: source package (47 MB), Meson and libraries"
	mkdir "$1/deb" "$1/host" "$1/system"
	(cd "$1/deb" && APT_CONFIG=$CACHE/apt/mesa-source/apt.conf apt-get -q source --download-only mesa) >"$1/log" 2>&1 || {
		tail -n 3 "$1/log" >&2
		return 1
	}
	mkdir "$1/mesa"
	tar -xf "$1"/deb/mesa_*.orig.tar.xz -C "$1/mesa" --strip-components=1 || return 1
	unpack "$1/host" $BUILD_TOOLS
	# shellcheck disable=SC2046 # a list
	unpack "$1/system" $(printf '%s:arm64 ' $LIBRARIES_ARM64)
	rm -rf "$1/deb"
}

# anchor FILE LINE TEXT: put TEXT behind the line
anchor() {
	[ "$(grep -cxF -e "$2" "$1")" = 1 ] || die "Mesa $version: ${1##*/src/} has no single line '$2'"
	awk -v line="$2" -v text="$3" '{ print } $0 == line { print text }' "$1" >"$1.new"
	mv "$1.new" "$1"
}

# hook FILE COUNT: apply the semantic patch, which puts so many hooks into the file
hook() {
	spatch --very-quiet --macro-file "$OURS/types.h" --sp-file "$OURS/pan_perf.cocci" --in-place "$1" >"$work/spatch.log" 2>&1 ||
		die "spatch: $(tail -n 1 "$work/spatch.log")"
	_hooks=$(grep -c 'pan_perf_panthor_[a-z]*(\|pan_perf_open()\|pan_perf_panthor \*' "$1") || :
	[ "$_hooks" = "$2" ] || die "Mesa $version: $_hooks hooks in ${1##*/}, not $2"
}

integrate() {
	rm -rf "$work/mesa"
	cp -r "$source/mesa" "$work/mesa"
	perf=$work/mesa/src/panfrost/perf
	cp "$OURS"/pan_perf_panthor.[ch] "$perf/"
	hook "$perf/pan_perf.c" 5
	hook "$perf/pan_perf.h" 1
	hook "$perf/quick.c" 1
	for table in $TABLES; do
		"$OURS/counters_xml.py" "$TOP/tools/counters/$table.counters" "$perf/panthor-$table.xml" || return 1
		anchor "$perf/meson.build" "pan_hw_metrics = [" "  'panthor-$table',"
	done
	anchor "$perf/meson.build" "  'pan_perf.c'," "  'pan_perf_panthor.c',"
	anchor "$perf/meson.build" "# SPDX-License-Identifier: MIT" "
dep_panthor_perf = declare_dependency(
  link_args: ['$BUILD/tools-guest/libpanthor-perf.a'],
  compile_args: ['-I$TOP/tools/lib/panthor-perf', '-I$TOP/include/uapi', '-I$TOP/include/uapi/drm', '-I$BUILD/include/drm'],
)"
	sed -i -e 's/^  dependencies: libpanfrost_dep$/  dependencies: [libpanfrost_dep, dep_libdrm, dep_panthor_perf]/' \
		-e 's/^    dep_panfrost_perf,$/    dep_panfrost_perf,\n    dep_panthor_perf,/' "$perf/meson.build"
}

configure() {
	_system=$source/system
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
	python3 "$source/host/usr/bin/meson" setup "$work/build" "$work/mesa" --cross-file "$work/cross.ini" \
		--buildtype=release -Dgallium-drivers= -Dvulkan-drivers=panfrost -Dtools=panfrost -Dplatforms= \
		-Dopengl=false -Dbuild-tests=false "$@"
}

need aarch64-linux-gnu-g++ spatch ninja pkg-config python3 bison flex sha256sum
"$TOP/scripts/build/build-tools.sh"
APT_SUITE=$SUITE
apt_private mesa-source deb-src arm64
apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
version=$(papt apt-cache showsrc mesa 2>/dev/null | sed -n 's/^Version: //p' | sort -V | tail -n 1)
if [ -z "$version" ]; then
	note "the source of Mesa in Debian $SUITE: not in the archive"
	exit "$NOT_THERE"
fi
apt_private mesa-build deb amd64 arm64
apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
need_disk 3000 "$CACHE"
key=$({
	echo "$version" $BUILD_TOOLS $LIBRARIES_ARM64
	cat "$0"
} | sha256sum | cut -c 1-12)
source=$CACHE/mesa/source-$key
fill "$source" get_source

work=$BUILD/mesa/counters
mkdir -p "$work"
exec 9>"$work/lock"
flock 9
export PYTHONPATH="$source/host/usr/lib/python3/dist-packages" PATH="/usr/bin:$PATH"
state=$({
	echo "$source"
	cat "$0" "$OURS"/*.[chp]* "$TOP"/tools/counters/G710.counters "$BUILD/tools-guest/libpanthor-perf.a"
} | sha256sum | cut -c 1-16)
if [ "$(cat "$work/state" 2>/dev/null)" != "$state" ]; then
	integrate
	rm -rf "$work/build"
	run_logged "$work/configure.log" configure
	note "building panquick of Mesa $version"
	run_logged "$work/ninja.log" ninja -j "$JOBS" -C "$work/build" src/panfrost/perf/panquick
	mkdir -p "$work/tools"
	cp "$work/build/src/panfrost/perf/panquick" "$work/tools/"
	echo "$state" >"$work/state"
fi
forget_old "$CACHE/mesa/source-"
echo "MESA_TOOLS='$work/tools'"
