# SPDX-License-Identifier: GPL-2.0 or MIT
#
# For scripts that lay out a guest's files from packages of Debian, without installing any. To be sourced behind
# lib.sh, with a private apt configuration in place (apt_private):
#
#	version_of PACKAGE		print the newest version, nothing if the archive has none
#	with_libraries PACKAGE...	print them and the libraries that they depend on, directly or not; but for
#					those that the pattern WITHOUT of awk matches
#	size_of PACKAGE...		print how many MiB downloading them is
#	unpack FOLDER PACKAGE...	download them, and unpack them into FOLDER
#	take FILE...			copy files with the libraries that they need from ALL, the folder of
#					unpacked packages, to NEW; LIBRARIES is where libraries are in both
# shellcheck shell=sh
# shellcheck disable=SC2086 # lists of packages

WITHOUT=

version_of() {
	papt apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n 's/^Version: //p' | head -n 1
}

# Programs that packages depend on are not run.
with_libraries() {
	_todo=$*
	_seen=
	while [ -n "$_todo" ]; do
		_seen="$_seen $_todo"
		_next=$(papt apt-cache depends --important $_todo | awk -v without="$WITHOUT" '
			/^ *\|?(PreDepends|Depends): (lib|zlib)/ && (without == "" || $2 !~ without) { print $2 }' | sort -u)
		_todo=
		for _package in $_next; do
			case " $_seen " in
			*" $_package "*) ;;
			*) _todo="$_todo $_package" ;;
			esac
		done
	done
	echo $_seen
}

size_of() {
	papt apt-cache show --no-all-versions "$@" | awk '/^Size: / { sum += $2 } END { print int(sum / 1048576) + 1 }'
}

unpack() {
	_folder=$1
	shift
	mkdir "$_folder/deb"
	(cd "$_folder/deb" && papt apt-get -q download "$@" >../download.log 2>&1) || {
		tail -n 3 "$_folder/download.log" >&2
		die "downloading $1 failed: connect the network and try again"
	}
	for _deb in "$_folder/deb"/*.deb; do
		dpkg-deb -x "$_deb" "$_folder"
	done
	rm -rf "$_folder/deb" "$_folder/download.log"
}

take() {
	for _file in "$@"; do
		[ ! -e "$NEW/$_file" ] || continue
		[ -e "$ALL/$_file" ] || die "Debian's packages lack $_file"
		mkdir -p "$NEW/$(dirname "$_file")"
		cp -L "$ALL/$_file" "$NEW/$_file"
	done
	for _file in "$@"; do
		for _library in $(readelf -d "$NEW/$_file" 2>/dev/null | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
			[ -e "$NEW/$LIBRARIES/$_library" ] || take "$LIBRARIES/$_library"
		done
	done
}
