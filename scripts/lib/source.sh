# SPDX-License-Identifier: GPL-2.0 or MIT
#
# The sources of a package, as its authors released them. Source it after lib.sh.
#
#	upstream_source TITLE PACKAGE NAME PREFIX MIB SUITE
#			unpack the newest source package of a suite of Debian that can be downloaded, without Debian's
#			changes, into the folder NAME of PREFIXVERSION, which needs MIB MiB; sets SOURCE and
#			SOURCE_VERSION. Returns 3 if the archive has none: an index may name packages that the archive
#			does not have
# shellcheck shell=sh

# get_upstream_source FOLDER
get_upstream_source() {
	note "$_title $SOURCE_VERSION: source package ($((_size / 1000000)) MB)"
	papt /usr/lib/apt/apt-helper download-file "$_url" "$1/$_folder.tar.xz" "$_hash" >"$1/log" 2>&1 || {
		touch "$1/missing"
		return 0
	}
	mkdir "$1/$_folder" || return 1
	tar -xf "$1/$_folder.tar.xz" -C "$1/$_folder" --strip-components=1 || return 1
	rm "$1/$_folder.tar.xz" "$1/log" || return 1
}

upstream_source() {
	_title=$1
	_package=$2
	_folder=$3
	_prefix=$4
	_mib=$5
	need xz tar sha256sum
	APT_SUITE=$6
	apt_private "$_folder-source-$6" deb-src amd64 || exit 1
	apt_update || die "the Debian archive is out of reach: connect the network and try again (see $APT_DIR/update.log)"
	for SOURCE_VERSION in $(papt apt-cache showsrc "$_package" 2>/dev/null | sed -n 's/^Version: //p' | sort -rVu); do
		_line=$(papt apt-get source --print-uris "$_package=$SOURCE_VERSION" 2>/dev/null | tr -d "'" |
			grep "/${_package}_[^/]*\.orig\.tar\.xz ") || continue
		read -r _url _name _size _hash <<-END
		$_line
		END
		_name=${_name#"${_package}_"}
		SOURCE=$_prefix${_name%.orig.tar.xz}
		need_disk "$_mib" "$CACHE"
		fill "$SOURCE" get_upstream_source || exit 1
		if [ -f "$SOURCE/missing" ]; then
			note "$_title $SOURCE_VERSION: the archive names its source package, but does not have it"
			rm -rf "$SOURCE"
			continue
		fi
		touch "$SOURCE"
		forget_old "$_prefix"
		SOURCE=$SOURCE/$_folder
		return 0
	done
	note "the source of $_title in Debian $APT_SUITE: not in the archive"
	return 3
}
