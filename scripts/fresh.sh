#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/fresh.sh [--suite SUITE] [--check] [--keep]
#
# Tests the README's two commands on a fresh machine: a chroot of a Debian release, which debootstrap creates with make,
# git and certificates only. The script clones the committed state of this checkout into it and runs "make demo" there.
# The last lines are the closing lines of the commands, with their seconds, and the amount of downloaded and stored
# data. The exit status is 0 only if the commands succeeded.
#
#	--suite SUITE	the release: bookworm or trixie (the host's own)
#	--check		run "make check" after it
#	--keep		keep the chroot, and print its path
#
# It needs root, debootstrap, and about 10 GiB in $TMPDIR (/var/tmp) for half an hour, with --check for an hour. The
# chroot gets the host's package archives with the name of the release. Its mounts are in a separate mount namespace,
# which ends with this script, also after a signal. Logs and results are in build/fresh/SUITE.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"
. "$TOP/scripts/lib/chroot.sh"

NEED_MIB=10000
PLACE=/root/panthor-perf

# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
check=
keep=
options suite= check keep -- "$@"
chroot_suite "$suite"
chroot_need
need git
git -C "$TOP" rev-parse -q --verify HEAD >/dev/null || die "$TOP is no git checkout: there is nothing to clone"
[ -z "$(git -C "$TOP" status --porcelain)" ] || note "changes that are not committed are left out"

OUT=$BUILD/fresh/$suite
rm -rf "$OUT"
mkdir -p "$OUT"
need_disk $NEED_MIB "${TMPDIR:-/var/tmp}"
root=$(mktemp -d "${TMPDIR:-/var/tmp}/panthor-perf-fresh.XXXXXX")
# The root folder of a system is for all users.
chmod 755 "$root"
leave() {
	# With its parent, the first process of the namespaces ends, and all others with that.
	[ -z "${_pid:-}" ] || kill -KILL "$_pid" 2>/dev/null || :
	if [ -n "$keep" ]; then
		note "the chroot is $root"
	else
		rm -rf --one-file-system "$root"
	fi
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

# What runs in the namespaces: the folder of the chroot, and the command to be run in the clone.
# shellcheck disable=SC2016 # for that shell
INSIDE='
	root=$1
	place=$2
	shift 2
	mount --make-rprivate /
	# A file system of its own, so that unshare(1) can make more mount namespaces in it.
	mount --bind "$root" "$root"
	mount -t proc proc "$root/proc"
	mount -t sysfs sys "$root/sys"
	mount --rbind /dev "$root/dev"
	exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		${npm_config_registry:+npm_config_registry="$npm_config_registry"} \
		sh -c "cd \"\$1\" && shift && exec \"\$@\"" fresh "$place" "$@"'

inside() {
	exec unshare --mount --pid --fork --kill-child -- sh -eu -c "$INSIDE" fresh "$root" "$PLACE" "$@"
}

size() {
	du -sxm "$root" | cut -f 1
}

# MB that this machine has received so far, whoever asked for them.
received() {
	sed 's/:/ /' /proc/net/dev | awk 'NR > 2 && $1 != "lo" { bytes += $2 } END { print int(bytes / 1000000) }'
}

# try COMMAND...: run it in the clone; its closing line, its time, and the size of the system behind it.
try() {
	_log=$OUT/$2.log
	_start=$(date +%s)
	_before=$(received)
	_status=0
	note "$suite: $*"
	watched "$_log" inside "$@" || _status=$?
	_seconds=$(($(date +%s) - _start))
	[ $_status -eq 0 ] || failures >&2
	report "fresh $suite: $*: status $_status, $((_seconds / 60)) min $((_seconds % 60)) s," \
		"$(($(received) - _before)) MB received, $(size) MB stored"
	report "fresh $suite: $(grep -v '^make' "$_log" | tail -n 1)"
	[ $_status -eq 0 ] || failed=1
}

# failures: the first ones of the log, or its end if it names none.
failures() {
	note "it failed; the log is ${_log#"$TOP/"}"
	grep -E '(^|: )not ok ' "$_log" | awk '!seen[$0]++' | head -n 30 | grep . || tail -n 30 "$_log"
}

report() {
	echo "$*" >>"$OUT/report"
}

mirror=$(host_mirror)
[ -n "$mirror" ] || die "apt's sources name no Debian mirror: add one to /etc/apt/sources.list"
note "$suite: making a minimal system"
run_logged "$OUT/debootstrap.log" debootstrap --variant=minbase --include=make,git,ca-certificates "$suite" \
	"$root" "$mirror" || die "debootstrap failed"
rm -f "$root/etc/apt/sources.list"
chroot_sources "$suite" >"$root/etc/apt/sources.list.d/debian.sources"
chroot_settings "$root"
git clone -q --no-local "$TOP" "$root$PLACE" || die "the checkout cannot be cloned"
report "fresh $suite: $(git -C "$root$PLACE" rev-parse --short HEAD), $(size) MB before"

failed=
try make demo
[ -z "$check" ] || [ -n "$failed" ] || try make check
for folder in check log; do
	[ ! -d "$root$PLACE/build/$folder" ] || cp -r "$root$PLACE/build/$folder" "$OUT/"
done
# What the guests printed. Their logs of samples are large.
if [ -n "$failed" ] && [ -d "$root$PLACE/build/run" ]; then
	(cd "$root$PLACE/build" && find run -name '*.log' ! -name 'truth*.log' -size -4M -print0 | tar -c --null -T -) |
		tar -x -C "$OUT"
fi
cat "$OUT/report"
[ -z "$failed" ]
