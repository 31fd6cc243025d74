# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Minimal systems of other Debian releases: for kernel headers that the host's compiler or C library is too old for, for
# a newer Mesa than the host's, and for tests on a fresh system. Source it after lib.sh.
#
#	chroot_need			end the script unless it may make chroots
#	chroot_suite SUITE		end the script unless a fresh system of that release can be tested
#	chroot_sources SUITE		print the host's archives as apt's sources of that release
#	chroot_settings FOLDER		give a chroot the host's settings of the network and of apt, and the
#					certificates that the host's administrator has added
#	chroot_get NAME SUITE MIB PACKAGE...
#					make the chroot NAME of a release in the cache, which needs MIB MiB, with
#					these packages, unless it is there; sets CHROOT. apt installs those of
#					CHROOT_MORE, whose dependencies debootstrap cannot resolve
#	chroot_make SUITE COMPILER	make the one for modules, with make and a cross compiler for arm64
#					(gcc-14); sets CHROOT
#	chroot_run FOLDER... -- COMMAND...
#					run COMMAND in CHROOT, which sees FOLDERs at their own paths
#	module_chroot			whether modules need a chroot: the headers need another release than the
#					host's
#	module_system			make the chroot of KSYSTEM and KCC, if modules need one
#	module_make FOLDER ARGUMENT...	then make modules in FOLDER, with KDIR
#
# The variables are those of scripts/build/fetch-kernel.sh. A chroot needs root. The mounts are in a mount namespace of
# their own, which ends with the command, also after a signal. The packages come from the host's mirror.
# shellcheck shell=sh

chroot_need() {
	[ "$(id -u)" = 0 ] || die "this needs root, for chroot and mount"
	need unshare chroot debootstrap
	unshare --mount true 2>/dev/null ||
		die "mount namespaces are not allowed here (in a container: run it privileged)"
}

chroot_suite() {
	case $1 in
	bookworm | trixie) ;;
	*) die "--suite '$1': one of bookworm, trixie" ;;
	esac
}

chroot_sources() {
	# shellcheck disable=SC1091
	_host=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	host_archives | while read -r _uri _archive; do
		printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n' "$_uri" "$1${_archive#"$_host"}"
		printf 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n'
	done
}

chroot_settings() {
	apt-config dump | grep -E '^Acquire::(http|https|Check-|Retries|ForceIPv)' >"$1/etc/apt/apt.conf.d/90host" || :
	cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
	# A network that decrypts what it hands on signs it with a certificate of its own.
	[ -x "$1/usr/sbin/update-ca-certificates" ] || return 0
	for _crt in /usr/local/share/ca-certificates/*.crt; do
		[ ! -e "$_crt" ] || cp -L "$_crt" "$1/usr/local/share/ca-certificates/"
	done
	chroot "$1" update-ca-certificates >/dev/null 2>&1 || :
}

# chroot_packages SUITE: the libraries are those that linux-kbuild's programs need.
chroot_packages() {
	_packages="make sparse libelf1t64 libssl3t64 zlib1g"
	[ "$1" != bookworm ] || _packages=$(echo "$_packages" | sed 's/t64//g')
	echo "$_packages"
}

# chroot_fill PACKAGES FOLDER: debootstrap mounts file systems in the folder.
chroot_fill() {
	unshare --mount --propagation private -- debootstrap --variant=minbase \
		--include="$(echo "$1" | tr ' ' ,)" "$_suite" "$2" "$(host_mirror)" || return 1
	if [ -n "${CHROOT_MORE:-}" ]; then
		chroot_settings "$2"
		# shellcheck disable=SC2086 # words
		CHROOT=$2 chroot_run -- sh -c 'apt-get -q update &&
			DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends "$@"' more $CHROOT_MORE || return 1
	fi
	rm -rf "${2:?}"/var/cache/apt/archives/*.deb "$2"/var/lib/apt/lists/* "$2"/usr/share/doc \
		"$2"/usr/share/locale
}

chroot_get() {
	_name=$1
	_suite=$2
	_room=$3
	shift 3
	CHROOT=$CACHE/chroot-$_name-$(echo "$*${CHROOT_MORE:+ $CHROOT_MORE}" | cksum | cut -d ' ' -f 1)
	chroot_need
	if [ ! -d "$CHROOT" ]; then
		need_disk "$_room" "$CACHE"
		note "making a chroot of Debian $_suite with $(echo "$* ${CHROOT_MORE:-}" | wc -w) packages (about 3 minutes, only the first time)"
		fill "$CHROOT" run_logged "$CHROOT.log" chroot_fill "$*"
		rm -f "$CHROOT.log"
	fi
	touch "$CHROOT"
	keep_newest 1 "$CACHE/chroot-$_name-"
}

chroot_make() {
	# shellcheck disable=SC2046 # words
	chroot_get "$1-$2" "$1" 1500 $(chroot_packages "$1") "$2-aarch64-linux-gnu"
	keep_newest 1 "$CACHE/chroot-$1-"
}

# What runs in the mount namespace.
# shellcheck disable=SC2016 # for that shell
CHROOT_INSIDE='
	root=$1
	shift
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	while [ "$1" != -- ]; do
		mkdir -p "$root$1"
		mount --bind "$1" "$root$1"
		shift
	done
	shift
	exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@"'

chroot_run() {
	unshare --mount --propagation private -- sh -eu -c "$CHROOT_INSIDE" chroot "$CHROOT" "$@"
}

module_chroot() {
	# shellcheck disable=SC1091
	[ -n "${KSYSTEM:-}" ] && [ "$KSYSTEM" != "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" ]
}

module_system() {
	! module_chroot || chroot_make "$KSYSTEM" "$KCC"
}

# BTF would need pahole, and nothing here reads it.
module_make() {
	_folder=$1
	shift
	set -- nice make -C "$KDIR" ARCH=arm64 CROSS_COMPILE="$CROSS_COMPILE" CONFIG_DEBUG_INFO_BTF_MODULES= "$@"
	! module_chroot || set -- chroot_run "$(cd "$CACHE" && pwd -P)" "$_folder" -- "$@"
	"$@"
}
