#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Fetch the source of Debian's QEMU package, with Debian's patches applied.
#
# needs: ca-certificates dpkg-dev patch xz-utils
set -eu

PROG="fetch-qemu"
PKG=qemu
WANT=7.2
# Source, build and products.
NEED_MIB=1500

usage() {
	cat <<USAGE
Usage: scripts/$PROG [--update] [--help]

Fetches the source package "$PKG" (QEMU $WANT.x) from the Debian archives that this
system uses, with a private apt configuration: nothing below /etc/apt or /var changes.
The tree is unpacked with all of Debian's patches and kept in the cache
(\$PANTHOR_PERF_CACHE, default ~/.cache/panthor-perf).

  --update   ask the archive for a newer version even if a tree is in the cache

Prints, for eval by a shell:
  QEMU_VER=<Debian version>
  QEMU_SRC=<unpacked tree>
USAGE
}

say() { echo "$PROG: $*" >&2; }
die() { say "error: $*"; exit 1; }

update=0
for arg; do
	case $arg in
	--update) update=1 ;;
	--help|-h) usage; exit 0 ;;
	*) die "unknown argument '$arg' (try --help)" ;;
	esac
done

cache=${PANTHOR_PERF_CACHE:-$HOME/.cache/panthor-perf}
dir=$cache/qemu
mkdir -p "$dir" 2>/dev/null || die "cannot create $dir: set PANTHOR_PERF_CACHE to a folder you may write"

tree_of() {
	printf '%s/src-%s\n' "$dir" "$(printf %s "$1" | tr ':+~' '___')"
}

print_result() {
	echo "QEMU_VER=$1"
	echo "QEMU_SRC=$(tree_of "$1")"
}

# A finished tree is named in the stamp, written last.
if [ "$update" = 0 ] && [ -s "$dir/version" ]; then
	ver=$(cat "$dir/version")
	if [ -f "$(tree_of "$ver")/meson.build" ]; then
		print_result "$ver"
		exit 0
	fi
fi

free=$(df -Pm "$dir" | awk 'NR == 2 { print $4 }')
[ "$free" -ge "$NEED_MIB" ] ||
	die "$dir has $free MiB free, $NEED_MIB MiB are needed: free some or set PANTHOR_PERF_CACHE"
command -v apt-get >/dev/null || die "apt-get is missing: this needs a Debian system"
command -v dpkg-source >/dev/null || die "dpkg-source is missing: apt-get install dpkg-dev"

# One deb-src list out of the system's lists: Debian's own archives only, since others
# rarely carry sources.
apt=$dir/apt
rm -rf "$apt"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/sources.d"
: >"$apt/status"

one_line() {
	sed -n -E 's#^[[:space:]]*deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]*/debian(-security)?/?[[:space:]].*)$#deb-src \1\2#p' "$1" |
		sed -E 's#(\[[^]]*)arch=[^] ]*#\1#; s#\[[[:space:]]*\]##'
}

deb822() {
	awk -v RS= -v ORS='\n\n' '
		/(^|\n)Types:[^\n]*deb/ && /(^|\n)URIs:[^\n]*\/debian(-security)?\/?([ \n]|$)/ &&
		!/(^|\n)Enabled:[ ]*no/ {
			sub(/Types:[^\n]*/, "Types: deb-src")
			sub(/\nArchitectures:[^\n]*/, "")
			print
		}' "$1"
}

for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
	[ -f "$f" ] && one_line "$f"
done >"$apt/sources.d/debian.list"
for f in /etc/apt/sources.list.d/*.sources; do
	[ -f "$f" ] && deb822 "$f"
done >"$apt/sources.d/debian.sources"
[ -s "$apt/sources.d/debian.list" ] || rm "$apt/sources.d/debian.list"
[ -s "$apt/sources.d/debian.sources" ] || rm "$apt/sources.d/debian.sources"
[ -n "$(ls "$apt/sources.d")" ] ||
	die "no Debian archive in /etc/apt/sources.list or /etc/apt/sources.list.d"

# Read after the system's files (-c), so that its hooks are dropped and its proxies kept.
cat >"$apt/apt.conf" <<CONF
#clear APT::Update;
#clear DPkg;
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$apt/sources.d";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Debug::NoLocking "1";
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
Acquire::Retries "3";
CONF

say "reading the source index of the Debian archives"
apt-get -c "$apt/apt.conf" -q -o APT::Update::Error-Mode=any update >"$apt/update.log" 2>&1 ||
	die "the Debian archive is out of reach: connect the network and try again (see $apt/update.log)"

ver=$(apt-cache -c "$apt/apt.conf" showsrc --only-source $PKG 2>/dev/null |
	sed -n 's/^Version: //p' | grep -F ":$WANT" | sort -V | tail -n 1) || true
[ -n "$ver" ] || die "the archives have no source package $PKG $WANT.x (Debian 12 has it)"
src=$(tree_of "$ver")

if [ ! -f "$src/meson.build" ]; then
	say "downloading $PKG $ver (about 25 MB)"
	rm -rf "$dir/download" "$src.part"
	mkdir -p "$dir/download"
	(cd "$dir/download" && apt-get -c "$apt/apt.conf" -q source --only-source \
		--download-only "$PKG=$ver" >"$apt/source.log" 2>&1) || {
		tail -n 5 "$apt/source.log" >&2
		die "download of $PKG $ver failed (log: $apt/source.log)"
	}
	say "unpacking $PKG $ver"
	dpkg-source --no-check --no-copy -x "$dir"/download/*.dsc "$src.part" \
		>"$apt/unpack.log" 2>&1 || {
		tail -n 5 "$apt/unpack.log" >&2
		die "unpacking $PKG $ver failed (log: $apt/unpack.log)"
	}
	mv "$src.part" "$src"
	rm -rf "$dir/download"
fi
printf '%s\n' "$ver" >"$dir/version"
print_result "$ver"
