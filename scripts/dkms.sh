#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/dkms.sh [--suite SUITE] [--quick] [--keep]
#
# Tries the package panthor-perf-dkms on an arm64 system of a Debian release, from its installation to its removal. The
# system is a chroot, whose programs run under QEMU's user emulation. Its kernels, with the panthor.ko that each of them
# would load, are started with the virtual GPU. On amd64, a cross compiler of the release compiles, since the system's own
# takes ten times as long. Prints "ok TEXT" and "not ok TEXT - WHY", and at the end their numbers.
#
#	--suite SUITE	the release: bookworm or trixie (the host's own)
#	--quick		start no kernel
#	--keep		keep the system, and print its path
#
# It needs root, debootstrap, qemu-user-static, qemu-efi-aarch64, sbsigntool, and 6 GiB in $TMPDIR (/var/tmp) for about
# an hour. If the host has no handler for arm64 programs, the script registers one for its time. A log of the package's
# life, and what each command printed, are in build/dkms/SUITE.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/chroot.sh"

NEED_MIB=6000
# With what the package depends on, so that later runs have it in the cache.
PACKAGES="initramfs-tools kmod dkms make gcc coccinelle xz-utils zstd bzip2 lsb-release"
BINFMT=/proc/sys/fs/binfmt_misc
HANDLER=panthor-perf-arm64
PACKAGE=panthor-perf-dkms

# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
quick=
keep=
options suite= quick keep -- "$@"
chroot_suite "$suite"
chroot_need
need openssl
need_disk $NEED_MIB "${TMPDIR:-/var/tmp}"
need_disk 1500 "$CACHE"
OUT=$BUILD/dkms/$suite

# Under emulation, most of the time of a build goes to cc1, the compiler proper. On amd64, that of the same release's cross
# compiler takes its place, with the libraries of its own system.
fast_compiler() {
	[ "$(uname -m)" = x86_64 ] || return 0
	for _cc1 in "$root"/usr/lib*/gcc/aarch64-linux-gnu/*/cc1; do
		chroot_make "$suite" "gcc-$(basename "$(dirname "$_cc1")")"
		_cross=$CHROOT$(echo "${_cc1#"$root"}" | sed 's|/gcc/|/gcc-cross/|')
		for _folder in lib64 usr/lib/x86_64-linux-gnu; do
			mkdir -p "$root/$_folder"
			mount --bind "$CHROOT/$_folder" "$root/$_folder"
		done
		mount --bind "$_cross" "$_cc1"
	done
}

# Programs of arm64 on another host: the handler keeps the interpreter open, so that chroots need no copy. It is the
# same for the whole host, as long as its file system is mounted anywhere.
register_handler() {
	[ "$(uname -m)" != aarch64 ] || return 0
	[ -e "$BINFMT/register" ] || mount -t binfmt_misc none "$BINFMT" || die "binfmt_misc cannot be mounted"
	! grep -qs '^enabled' "$BINFMT"/qemu-aarch64 || return 0
	_qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) ||
		die "command qemu-aarch64-static is missing: apt-get install qemu-user-static"
	_magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
	_mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
	printf '%s' ":$DKMS_HANDLER:M::$_magic:$_mask:$_qemu:FPC" >"$BINFMT/register" ||
		die "the handler of arm64 programs cannot be registered"
}

# shellcheck disable=SC2016 # for that shell
REMOVE='
	[ -e "$1/register" ] || mount -t binfmt_misc none "$1"
	[ ! -e "$1/$2" ] || echo -1 >"$1/$2"'

# All steps are in namespaces of their own, which end with this process, also after a signal: no program of the system
# and no mount is left.
if [ -z "${DKMS_ROOT:-}" ]; then
	rm -rf "$OUT"
	mkdir -p "$OUT"
	pid=
	root=$(mktemp -d "${TMPDIR:-/var/tmp}/panthor-perf-dkms.XXXXXX")
	chmod 755 "$root"
	leave() {
		[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || :
		unshare --mount --propagation private -- sh -euc "$REMOVE" remove "$BINFMT" "$DKMS_HANDLER" || :
		if [ -n "$keep" ]; then
			note "the system is $root"
		else
			rm -rf --one-file-system "$root"
		fi
	}
	trap leave EXIT
	trap 'exit 130' INT TERM HUP
	export DKMS_HANDLER="$HANDLER-$$"
	DKMS_ROOT=$root unshare --mount --propagation private --pid --fork --kill-child --mount-proc -- "$0" \
		--suite "$suite" ${quick:+--quick} &
	pid=$!
	status=0
	wait $pid || status=$?
	pid=
	exit $status
fi
root=$DKMS_ROOT
register_handler
passed=0
failed=0
skipped=0

ok() {
	echo "ok $suite: $*"
	passed=$((passed + 1))
}

not_ok() {
	echo "not ok $suite: $1 - $2"
	failed=$((failed + 1))
}

skip() {
	echo "ok $suite: $1 # SKIP $2"
	skipped=$((skipped + 1))
}

# check TEXT COMMAND...
check() {
	_text=$1
	shift
	if _why=$("$@" 2>&1); then ok "$_text"; else not_ok "$_text" "$(echo "$_why" | tail -n 1)"; fi
}

life() {
	printf '%s\n' "$*" >>"$OUT/life.log"
}

# The host's archives, for the release, and on Debian 13 those of newer kernels
sources() {
	chroot_sources "$suite"
	[ "$suite" = bookworm ] || printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n\n' "$(host_mirror)" \
		"$suite-backports"
}

system_fill() {
	debootstrap --arch=arm64 --variant=minbase --include=ca-certificates "$suite" "$1" "$(host_mirror)" || return 1
	printf 'path-exclude /usr/share/doc/*\npath-exclude /usr/share/locale/*\nforce-unsafe-io\n' \
		>"$1/etc/dpkg/dpkg.cfg.d/90test"
	chroot_settings "$1"
	root=$1
	# shellcheck disable=SC2086 # the words are the packages
	in_system apt-get -q -y --no-install-recommends install $PACKAGES || return 1
	rm -rf "${1:?}"/var/cache/apt/archives/*.deb "$1"/etc/apt/sources.list
	# An initial file system with panthor, and without what no guest needs.
	echo 'MODULES=list' >"$1/etc/initramfs-tools/conf.d/90test"
	echo panthor >>"$1/etc/initramfs-tools/modules"
}

in_system() {
	chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"
}

# step NAME COMMAND...: in the system; the log of the package's life has the command, and what the package says.
step() {
	_name=$1
	shift
	note "$suite: $_name: $*"
	life "# $*"
	_status=0
	watched "$OUT/$_name.log" in_system "$@" || _status=$?
	grep "^$PACKAGE: " "$OUT/$_name.log" >>"$OUT/life.log" || :
	cp "$root/var/log/$PACKAGE.log" "$OUT/$_name.dkms.log" 2>/dev/null || :
	[ $_status -eq 0 ] || life "exit status $_status"
	return $_status
}

# does TEXT NAME COMMAND...: a step that has to succeed
does() {
	_what=$1
	shift
	if step "$@"; then ok "$_what"; else not_ok "$_what" "exit status $_status (see ${OUT#"$TOP/"}/$1.log)"; fi
}

# installs TEXT NAME PACKAGE...
installs() {
	_what=$1
	_name=$2
	shift 2
	does "$_what" "$_name" apt-get -q -y --no-install-recommends install "$@"
}

# said NAME REGEX: the package has said so in this step, once.
said() {
	_found=$(lines "$1" "$2" | wc -l)
	[ "$_found" = 1 ] || {
		echo "$_found lines of $1.log match '$2': $(lines "$1" | paste -s -d '|')"
		return 1
	}
}

# lines NAME [REGEX]: the plus of a release is no operator.
lines() {
	grep -E "^$PACKAGE: $(echo "${2:-}" | sed 's/+deb/[+]deb/g')" "$OUT/$1.log" || :
}

never() {
	! lines "$1" "$2" | grep .
}

# none NAME FOLDER...: below the folders is no file of that name.
none() {
	_pattern=$1
	shift
	! find "$@" -name "$_pattern" 2>/dev/null | grep .
}

# The file that the distribution's package has brought.
original() {
	find "$root/lib/modules/$1/kernel/drivers/gpu/drm/panthor" -name 'panthor.ko*'
}

# untouched RELEASE: the distribution's module is as it was.
untouched() {
	_now=$(sha256sum <"$(original "$1")")
	life "sha256 of $1's own $(basename "$(original "$1")"): $(echo "$_now" | cut -c 1-16)"
	[ "$_now" = "$(cat "$OUT/$1.hash")" ]
}

remember() {
	sha256sum <"$(original "$1")" >"$OUT/$1.hash"
	life "sha256 of $1's own $(basename "$(original "$1")"): $(cut -c 1-16 "$OUT/$1.hash")"
}

# uses RELEASE FOLDER: the panthor.ko that modprobe would load is below that folder.
uses() {
	_file=$(in_system modinfo -k "$1" -F filename panthor)
	life "modinfo -k $1: $_file"
	case $_file in
	*/lib/modules/"$1"/"$2"/*) ;;
	*) echo "$_file"; return 1 ;;
	esac
}

# carries RELEASE FOLDER: so does the initial file system.
carries() {
	_file=$(in_system lsinitramfs "/boot/initrd.img-$1" | grep 'panthor\.ko')
	case $_file in
	*/"$2"/*panthor.ko*) [ "$(echo "$_file" | wc -l)" = 1 ] || { echo "$_file" | paste -s; return 1; } ;;
	*) echo "${_file:-no panthor.ko}"; return 1 ;;
	esac
}

# serves RELEASE: modprobe and the initial file system have the driver with counters, beside the distribution's.
serves() {
	check "$1: modprobe loads the driver with counters" uses "$1" updates/dkms
	check "$1: so does the initial file system" carries "$1" updates/dkms
	check "$1: the distribution's module is as it was" untouched "$1"
}

# keeps RELEASE: the distribution's driver is in use.
keeps() {
	check "$1: modprobe loads the distribution's driver" uses "$1" kernel
	check "$1: so does the initial file system" carries "$1" kernel
	check "$1: it is as it was" untouched "$1"
}

# boots NAME RELEASE TEST...: the system's kernel with the module that modprobe would load
boot_arguments=
boots() {
	_guest=$1
	_release=$2
	shift 2
	if [ -n "$quick" ]; then
		skip "$_guest: $_release boots" "--quick"
		return
	fi
	note "$suite: $_guest: starting $_release"
	# shellcheck disable=SC2086 # the words are the arguments
	if "$TOP/scripts/run-guest.py" --name "dkms-$suite-$_guest" --quiet --timeout 300 $boot_arguments \
		--installed "$root/lib/modules/$_release" "$@" >"$OUT/$_guest.log" 2>&1; then
		ok "$_guest: $_release boots, and passes $*"
	else
		not_ok "$_guest: $_release boots, and passes $*" "$(grep '^not ok' "$OUT/$_guest.log" | head -n 1)"
	fi
	life "boot of $_release: $(tail -n 1 "$OUT/$_guest.log")"
}

COUNTS="probe perf-info perf-stat"
OWN="the distribution's panthor is in use"

# signed RELEASE: the driver that modprobe loads, as panthor.ko, with a signature of DKMS's key
signed() {
	_file=$root$(in_system modinfo -k "$1" -F filename panthor)
	case $_file in
	*.xz) xz -dc "$_file" ;;
	*.zst) zstd -dcq "$_file" ;;
	*) cat "$_file" ;;
	esac >"$OUT/panthor.ko"
	tail -c 28 "$OUT/panthor.ko" | grep -q 'Module signature appended' || {
		echo "$_file has no signature"
		return 1
	}
	openssl x509 -in "$KEY" -inform der -noout
}

# secure RELEASE: with Secure Boot, the kernel loads only signed modules. Before the owner of the machine enrolls the
# key of DKMS, it refuses the driver.
secure() {
	KEY=$root/var/lib/dkms/mok.pub
	check "$1: DKMS has signed the driver" signed "$1"
	rm -f "$OUT/uefi-vars.fd"
	boot_arguments="--uefi $OUT/uefi-vars.fd --no-gpu --file $KEY:/mok.der --file $OUT/panthor.ko:/panthor.ko"
	boots enroll "$1" mok-enroll
	boot_arguments="--uefi $OUT/uefi-vars.fd"
	boots enrolled "$1" mok-check perf-info
	boot_arguments=
}

# releases SERIES: of the archive's kernels with headers, the oldest first
releases() {
	in_system apt-cache pkgnames linux-headers- | sed -n -E "s/^linux-headers-($1\.[0-9]+\+deb[0-9]+-arm64)$/\1/p" |
		sort -V
}

# source_of RELEASE: the version of the kernel sources that belong to it
source_of() {
	_number=${1%%+*}
	in_system apt-cache madison "linux-source-${_number%.*}" | awk -F '|' -v number="$_number" '
		{ gsub(/ /, "", $2) } index($2, number "-") == 1 { print $2; exit }'
}

base=$CACHE/arm64-$suite-$(echo "$PACKAGES" | cksum | cut -d ' ' -f 1)
[ -d "$base" ] || note "$suite: making an arm64 system (about 10 minutes, only the first time)"
system=$root
fill "$base" run_logged "$OUT/debootstrap.log" system_fill
root=$system
touch "$base"
keep_newest 1 "$CACHE/arm64-$suite-"
"$TOP/scripts/deb.sh" --dkms >"$OUT/deb.log" 2>&1 || die "the package does not build (see ${OUT#"$TOP/"}/deb.log)"
deb=$(ls "$BUILD"/deb/$PACKAGE*.deb)
[ -n "$quick" ] || "$TOP/scripts/build/build-tools.sh" >"$OUT/tools.log" || die "the tools do not build"
[ -n "$quick" ] || "$TOP/scripts/build/build-qemu.sh" >/dev/null || die "the virtual GPU does not build"

cp -a --reflink=auto "$base/." "$root/"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
fast_compiler
sources >"$root/etc/apt/sources.list.d/debian.sources"
cp "$deb" "$root/root/"
deb=./root/$(basename "$deb")
step update apt-get -q update || die "the archive is out of reach"

old=
for release in $(releases 6.12); do
	[ -n "$old" ] || [ -z "$(source_of "$release")" ] || old=$release
	new=$release
done
[ -n "$old" ] || die "the archive has no kernel of Linux 6.12 with its sources"

# Installation, on a system with one kernel
installs "a kernel is installed" kernel "linux-image-$old" "linux-headers-$old" "linux-source-6.12=$(source_of "$old")"
[ $failed -eq 0 ] || die "nothing can be tried without it"
remember "$old"
installs "the package is installed" install "$deb"
check "it says so" said install "$old: installed; it is used"
check "its sources are those of the kernel: no warning" never install "$old: warning"
serves "$old"
# shellcheck disable=SC2086 # the words are the tests
boots counts "$old" $COUNTS
secure "$old"
does "update without a change" again /usr/lib/$PACKAGE/update
check "it builds nothing" said again "$old: up to date"

# A newer kernel, before and after its sources
if [ "$new" = "$old" ]; then
	skip "the upgrade of the kernel" "the archive has $old only"
else
	in_system apt-mark -q hold linux-source-6.12 >/dev/null
	installs "another kernel is installed" upgrade "linux-image-$new" "linux-headers-$new"
	in_system apt-mark -q unhold linux-source-6.12 >/dev/null
	remember "$new"
	check "it warns of sources of another version" said upgrade \
		"$new: warning: the sources are of Linux ${old%%+*}, the kernel is ${new%%+*}"
	# A kernel's interfaces may differ between sublevels.
	if said upgrade "$new: installed; it is used" >/dev/null; then
		ok "it builds nevertheless"
		serves "$new"
	else
		check "it does not build, and a line says so" said upgrade "$new: the build failed .*: $OWN"
		keeps "$new"
	fi
	installs "newer sources are installed" source linux-source-6.12
	check "the driver is built from them" said source "$new: installed; it is used"
	check "that of the older kernel stays" said source "$old: up to date"
	serves "$new"
	serves "$old"
	# shellcheck disable=SC2086
	boots upgraded "$new" $COUNTS
fi

# A kernel that is not supported, and one of another supported series
other=
if [ "$suite" = bookworm ]; then
	other=$(in_system apt-cache depends linux-image-arm64 | sed -n 's/^  Depends: linux-image-//p')
	installs "Linux 6.1 is installed" unsupported "linux-image-$other" "linux-headers-$other"
	check "it is refused" said unsupported "$other: Linux 6\.1 is not supported .*: the distribution's panthor is in use"
	check "it has no panthor" none 'panthor*' "$root/lib/modules/$other"
else
	for series in $(awk '!/^#/ && NF && $1 != "6.12" { print $1 }' "$TOP/scripts/kernels.list" | sort -uV); do
		release=$(releases "$series" | tail -n 1)
		other=${release:-$other}
	done
	if [ -z "$other" ]; then
		skip "a kernel of another series" "the archive has none"
	else
		series=${other%%+*}
		series=${series%.*}
		installs "Linux $series is installed" newest -t "$suite-backports" "linux-image-$other" "linux-headers-$other"
		remember "$other"
		check "without sources it is refused" said newest \
			"$other: there are no sources of Linux $series .*: the distribution's panthor is in use"
		keeps "$other"
		installs "its sources are installed" newest-source -t "$suite-backports" "linux-source-$series"
		check "the driver is built from them" said newest-source "$other: installed; it is used"
		serves "$other"
		# shellcheck disable=SC2086
		boots newest "$other" $COUNTS
	fi
fi

# What cannot work: one line says why, and what is used. These are found before anything changes.
BEFORE="what was built before stays in use"
refused() {
	does "$1: update is no error" "$1" /usr/lib/$PACKAGE/update --force "$new"
	check "$1: one line says why" said "$1" "$new: $2.*: $3"
}
config=$root/etc/default/$PACKAGE
cp "$config" "$OUT/default"
sources_are() {
	echo "LINUX_SOURCE=$1" >"$config"
}
sources_are /root/none
refused no-folder "there is no /root/none, which LINUX_SOURCE of /etc/default/$PACKAGE names" "$BEFORE"
cp "$OUT/default" "$config"
mv "$root/lib/modules/$new/build" "$root/lib/modules/$new/build.away"
refused no-headers "the kernel's headers are missing" "$BEFORE"
mv "$root/lib/modules/$new/build.away" "$root/lib/modules/$new/build"
serves "$new"
echo RAWDUMP=yes >"$config"
refused experiments-yes "RAWDUMP of /etc/default/$PACKAGE is 'yes': it is 1, or nothing" "$BEFORE"

# The experiments of the self-test
EXPERIMENTS=rawdump
module_has() {
	find "$root/lib/modules/$1/updates/dkms" -name 'panthor.ko*' -exec sh -c \
		'case $0 in *.xz) xzcat "$0" ;; *.zst) zstdcat "$0" ;; *) cat "$0" ;; esac' {} \; | grep -q -a "$2"
}
lacks() {
	! module_has "$@"
}
check "$new: no experiments" lacks "$new" $EXPERIMENTS
echo RAWDUMP=1 >"$config"
does "RAWDUMP=1: update" experiments /usr/lib/$PACKAGE/update "$new"
check "the driver is built anew" said experiments "$new: installed; it is used"
check "$new: with experiments" module_has "$new" $EXPERIMENTS
serves "$new"
cp "$OUT/default" "$config"
does "without RAWDUMP: update" no-experiments /usr/lib/$PACKAGE/update "$new"
check "$new: without experiments again" lacks "$new" $EXPERIMENTS

# And these by dkms.
# tree NAME VERSION: a folder with the sources of a kernel whose panthor has no code
tree() {
	mkdir -p "$root/root/$1/drivers/gpu/drm/panthor" "$root/root/$1/include/uapi/drm"
	printf 'VERSION = %s\nPATCHLEVEL = %s\nSUBLEVEL = 1\n' "${2%.*}" "${2#*.}" >"$root/root/$1/Makefile"
	sources_are "/root/$1"
}
tree other 6.6
refused other-series "/root/other has the sources of Linux 6\.6\.1" "$OWN"
keeps "$new"
tree empty 6.12
refused no-hooks "the counters do not fit the sources of Linux 6\.12\.1" "$OWN"
echo nothing >"$root/root/broken.tar.xz"
sources_are /root/broken.tar.xz
refused broken-archive "/root/broken\.tar\.xz cannot be unpacked" "$OWN"
tree integrated 6.12
cp "$TOP"/drivers/gpu/drm/panthor/panthor_perf*.[ch] "$root/root/integrated/drivers/gpu/drm/panthor/"
refused integrated "/root/integrated has the counters already" "$OWN"
cp "$OUT/default" "$config"
cp -a "$root/var/lib/dkms" "$OUT/dkms"
mount -t tmpfs -o size=100m none "$root/var/lib/dkms"
cp -a "$OUT/dkms/." "$root/var/lib/dkms/"
refused no-space "/.* has [0-9]* MiB of free space, and 200 are needed" "$OWN"
umount "$root/var/lib/dkms"
rm -rf "${OUT:?}/dkms"

# Sources of another sublevel that fit, and then those of the kernel
tree near 6.12
tar -xf "$root/usr/src/linux-source-6.12.tar.xz" -C "$root/root/near" --strip-components=1 --wildcards \
	--no-wildcards-match-slash '*/Makefile' '*/drivers/gpu/drm/panthor' '*/include/uapi/drm'
sed -i 's/^SUBLEVEL = .*/SUBLEVEL = 1/' "$root/root/near/Makefile"
does "other sources that fit" near /usr/lib/$PACKAGE/update "$new"
check "a warning says what they are" said near "$new: warning: the sources are of Linux 6\.12\.1, the kernel is ${new%%+*}"
check "the driver is built from them" said near "$new: installed; it is used"
cp "$OUT/default" "$config"
does "update builds again from the kernel's own" repaired /usr/lib/$PACKAGE/update "$new"
check "without a warning" never repaired "$new: warning"
check "the driver is built" said repaired "$new: installed; it is used"
serves "$new"

# Removal
does "the package is removed" remove apt-get -q -y purge $PACKAGE
for release in "$old" "$new"; do
	keeps "$release"
	check "$release: no module is left" none '*.ko*' "$root/lib/modules/$release/updates"
done
check "nothing of it is left" none '*panthor-perf*' "$root/usr/src" "$root/var/lib/dkms" "$root/var/lib/panthor-perf-dkms" \
	"$root/var/log" "$root/etc"
boots removed "$new" probe

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
