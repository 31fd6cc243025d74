#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/lib/passed.sh [--add] KEY FILE...
#
# Remembers which files passed a check that looks at nothing but a file, in the cache, so that it is not made again
# while the file stays as it is. KEY is all that such a result depends on besides: the tool, its version, its
# options. Prints those of the files that have not passed yet; with --add, they have. What nobody asked
# for in 30 days is forgotten.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

FOLDER=$CACHE/passed
DAYS=30

add=
case ${1:-} in
--add)
	add=1
	shift
	;;
--help | -h)
	show_help "$0"
	exit 0
	;;
esac
[ $# -ge 1 ] || die "a key is wanted; --help shows the usage"
key=$1
shift
[ $# -gt 0 ] || exit 0

need sha256sum
mkdir -p "$FOLDER"
[ -n "$add" ] || find "$FOLDER" -type f -mtime +$DAYS -delete
prefix=$(echo "$key" | sha256sum | cut -c 1-16)
sha256sum -- "$@" | while read -r hash file; do
	mark=$FOLDER/$prefix-$hash
	if [ -n "$add" ]; then
		: >"$mark"
	elif [ -e "$mark" ]; then
		touch -c "$mark"
	else
		echo "$file"
	fi
done
