#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/deps.sh [--demo|--packages|--docs|--nightly] [--list|--check]
#
# Prints the Debian packages that building and testing need and this host lacks, and installs them with apt-get.
# The script changes nothing else on the host. Then it checks that their programs are found.
#
#	--demo		only what make demo needs
#	--packages	also what make deb needs
#	--docs		also what make docs needs
#	--nightly	also what make nightly needs, make deb included
#	--list		print the packages, one in each line, with the programs that are used from it
#	--check		print the missing packages and programs and fail; install nothing
#
# The names are those of Debian 12 and 13. The list must not contain gcc-multilib, because it conflicts with the
# cross compiler.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

# Lines of a package and of the programs in it that scripts start. These are for modules and tools; for what comes
# from the archive; for QEMU; for the library and the command line tool.
of_demo() {
	cat <<-END
	make make
	gcc gcc
	libc6-dev
	perl perl
	python3 python3
	coccinelle spatch
	kmod depmod
	zstd zstd
	xz-utils xz
	ca-certificates
	debian-archive-keyring
	dpkg-dev dpkg-source
	patch patch
	git git
	g++ g++
	meson meson
	ninja-build ninja
	pkg-config pkg-config
	python3-venv
	bison bison
	flex flex
	libglib2.0-dev
	libfdt-dev
	zlib1g-dev
	libpixman-1-dev
	libslirp-dev
	libdrm-dev
	libjson-c-dev
	libncurses-dev
	libxml2-dev
	libzstd-dev
	libprotobuf-c-dev
	protobuf-c-compiler protoc-c
	gnuplot-nox gnuplot
	END
	# An arm64 host's own compiler has that name as well.
	[ "$(dpkg --print-architecture 2>/dev/null)" = arm64 ] || cat <<-END
	gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
	libc6-dev-arm64-cross
	END
}

# What make check needs besides: kernels, and chroots for newer ones; checks of files; tests of the tools; shaders.
of_check() {
	cat <<-END
	bc bc
	cpio cpio
	rsync rsync
	libelf-dev
	libssl-dev
	libdw-dev
	sparse sparse
	shellcheck shellcheck
	pyflakes3 pyflakes3
	valgrind valgrind
	clang clang
	libclang-rt-dev
	abigail-tools abidiff
	tmux tmux
	man-db man
	mandoc mandoc
	protobuf-compiler protoc
	chromium chromium
	chromium-driver chromedriver
	python3-selenium
	fonts-dejavu-core
	debootstrap debootstrap
	e2fsprogs mke2fs
	glslang-tools glslangValidator
	END
}

# What make deb needs besides: the packages have the Vulkan layer among them.
of_packages() {
	cat <<-END
	build-essential
	debhelper dh
	libvulkan-dev
	END
}

# What make docs needs besides.
of_docs() {
	cat <<-END
	python3-sphinx sphinx-build
	END
}

# What make nightly needs besides: for a look at the packages; for the cost of the layer; for the patches for mainline, for
# IGT and for Mesa.
of_nightly() {
	cat <<-END
	clang-format clang-format
	g++-aarch64-linux-gnu aarch64-linux-gnu-g++
	lintian lintian
	mesa-vulkan-drivers
	openssl openssl
	python3-yaml
	qemu-efi-aarch64
	qemu-user-static
	sbsigntool sbsign
	unifdef unifdef
	END
}

# Without these the demo has fewer parts, which it says.
OPTIONAL=gnuplot-nox

demo=
packages=
docs=
nightly=
list=
check=
options demo packages docs nightly list check -- "$@"
all() {
	of_demo
	[ -n "$demo" ] || of_check
	[ -z "$packages$nightly" ] || of_packages
	[ -z "$docs$nightly" ] || of_docs
	[ -z "$nightly" ] || of_nightly
}
if [ -n "$list" ]; then
	all
	exit 0
fi
names=$(all | cut -d ' ' -f 1)
command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
	die "this host has no apt: install by hand:" $names

installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $names 2>/dev/null | sed -n 's/ installed$//p')
missing=
for package in $names; do
	echo "$installed" | grep -qxF -e "$package" || missing="$missing $package"
done

# What apt would take away counts as a change too: refuse rather than remove a package.
plan() {
	apt-get -s -qq install --no-install-recommends $missing 2>/dev/null
}
install_all() {
	DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends $missing
}
update() {
	run_logged "$BUILD/log/deps-update.log" apt-get -q update ||
		die "the package lists cannot be fetched: connect the network and try again"
}

if [ -n "$demo" ] && [ "${missing# }" = "$OPTIONAL" ] && [ "$(id -u)" != 0 ]; then
	missing=
fi
if [ -n "$missing" ]; then
	[ -z "$check" ] || die "packages are missing:$missing"
	[ "$(id -u)" = 0 ] ||
		die "packages are missing: run as root: apt-get install --no-install-recommends$missing"
	note "installing the missing packages:$missing"
	mkdir -p "$BUILD/log"
	if ! plan >"$BUILD/log/deps-plan.log"; then
		update
		plan >"$BUILD/log/deps-plan.log" ||
			die "apt cannot install:$missing (apt-get -s install shows why)"
	fi
	if removed=$(grep '^Remv' "$BUILD/log/deps-plan.log"); then
		die "installing would remove $(echo "$removed" | awk '{ printf "%s ", $2 }')- not done"
	fi
	if ! run_logged "$BUILD/log/deps.log" install_all; then
		note "trying once more with fresh package lists"
		update
		run_logged "$BUILD/log/deps.log" install_all || die "apt-get could not install:$missing"
	fi
fi

# A program may be hidden, or its package may have changed.
PATH=$PATH:/usr/sbin:/sbin
absent=
for program in $(all | cut -d ' ' -s -f 2-); do
	command -v "$program" >/dev/null || absent="$absent $program"
done
if [ -n "$demo" ] && [ "$absent" = " gnuplot" ]; then
	note "there is no gnuplot: the demo draws no plots"
	absent=
fi
[ -z "$absent" ] || die "programs are not found, though their packages are installed:$absent (PATH=$PATH)"
