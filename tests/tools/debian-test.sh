#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/debian-test.sh
#
# Builds the Debian packages from a copy of the files that git knows, has lintian look at them, unpacks
# them, runs the program with the shared library of the package, and builds them again without the network and the
# cache: they have to be the same, byte by byte. Takes about two minutes. Prints "ok NAME" or
# "not ok NAME - why".
set -eu
export LC_ALL=C.UTF-8

if [ $# -gt 0 ]; then
	sed -n '4,10s/^# \{0,1\}//p' "$0"
	exit 0
fi
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

ok() { echo "ok $1"; }
not_ok() {
	echo "not ok $1 - $2"
	failed=1
}

if ! "$top/scripts/deb.sh" --output "$work" >&2; then
	not_ok "scripts/deb.sh" "see above"
	exit 1
fi
for package in libpanthor-perf1 libpanthor-perf-dev panthor-perf panthor-perf-vulkan-layer panthor-perf-dkms; do
	ls "$work/${package}"_*.deb >/dev/null 2>&1 && ok "$package" || not_ok "$package" "it is not there"
done
page=$(dpkg-deb --fsys-tarfile "$work"/panthor-perf_*.deb | tar -xO ./usr/bin/panthor-perf | grep -c -a 'uPlot')
[ "$page" -gt 0 ] && ok "the program has uPlot" || not_ok "the program has uPlot" "$page lines name it"
# Into one system: dpkg refuses a file that another package has.
mkdir -p "$work/root/var/lib/dpkg/info" "$work/root/var/lib/dpkg/updates"
: >"$work/root/var/lib/dpkg/status"
if problem=$(dpkg --root="$work/root" --force-depends --force-not-root --force-script-chrootless --unpack "$work"/*.deb 2>&1 >/dev/null); then
	ok "dpkg unpacks all of them"
else
	not_ok "dpkg unpacks all of them" "$(echo "$problem" | grep 'trying to overwrite' | head -n 1)"
fi
# The version is not released, and the packages close no bug of Debian's.
if complaints=$(lintian --fail-on warning,error --allow-root --suppress-tags \
	initial-upload-closes-no-bugs,unreleased-changes "$work"/*.changes 2>&1); then
	ok "lintian"
else
	not_ok "lintian" "$(echo "$complaints" | head -n 3 | tr '\n' ' ')"
fi
unit=$work/root/usr/lib/systemd/system/panthor-perf-prometheus.service
[ -e "$unit" ] || unit=$work/root/lib/systemd/system/panthor-perf-prometheus.service
command=$(sed -n 's/^ExecStart=//p' "$unit")
# The arguments are those that the program takes: without a GPU here, it gets as far as that.
library=$(find "$work/root" -name libpanthor-perf.so.1)
# shellcheck disable=SC2086 # the words are the arguments
problem=$(LD_LIBRARY_PATH=${library%/*} "$work/root"$command 2>&1) && _status=0 || _status=$?
[ "$_status" = 5 ] && ok "the service's command line" || not_ok "the service's command line" "exit status $_status: $problem"
# debhelper's script of a service that is not to be enabled keeps what the administrator has enabled.
dpkg-deb -e "$work"/panthor-perf_*.deb "$work/control"
grep -q "deb-systemd-helper debian-installed 'panthor-perf-prometheus.service'" "$work/control/postinst" &&
	! grep -q 'deb-systemd-invoke.*start' "$work/control/postinst" && ok "the service is not started" ||
	not_ok "the service is not started" "the package's postinst does it"
depends=$(dpkg-deb -f "$work"/panthor-perf_*.deb Depends)
case $depends in
*libpanthor-perf1*) ok "the program depends on the library" ;;
*) not_ok "the program depends on the library" "$depends" ;;
esac
conf=$(ls "$work"/root/usr/src/panthor-perf-*/dkms.conf)
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$conf")
case $conf in
*/panthor-perf-"$version"/dkms.conf) ok "DKMS finds the driver under its version" ;;
*) not_ok "DKMS finds the driver under its version" "$conf has '$version'" ;;
esac
libdir=$(dirname "$(find "$work/root" -name libpanthor-perf.so.1)")
version=$(LD_LIBRARY_PATH=$libdir "$work/root/usr/bin/panthor-perf" --version 2>&1) || version="exit status $?: $version"
[ "$version" = "panthor-perf 1.0" ] && ok "the program runs with the library" ||
	not_ok "the program runs with the library" "$version"
cd "$work/panthor-perf"
if debian/rules clean >"$work/log" 2>&1; then
	left=$(find debian -maxdepth 1 -name build -o -maxdepth 1 -name tmp)
else
	left="exit status $?: $(tail -n 1 "$work/log")"
fi
# A proxy that nobody answers is a network that is not there.
nowhere=http://127.0.0.1:9
mkdir "$work/first"
mv "$work"/*.deb "$work/first"
if ! env PANTHOR_PERF_CACHE="$work/cache" HTTP_PROXY=$nowhere http_proxy=$nowhere https_proxy=$nowhere \
	npm_config_registry=$nowhere dpkg-buildpackage -us -uc -b >"$work/log" 2>&1; then
	not_ok "a second build, without network" "$(tail -n 1 "$work/log")"
elif same=$(cd "$work/first" && for deb in *.deb; do cmp "$deb" "../$deb" 2>&1 || exit 1; done); then
	ok "a second build, without network: the same packages"
else
	not_ok "a second build, without network" "$same"
fi
[ -z "$left" ] && ok "debian/rules clean leaves nothing" || not_ok "debian/rules clean leaves nothing" "$left"
exit $failed
