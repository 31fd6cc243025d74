#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tools/panthor-uapi.sh FILE
#
# Makes FILE a copy of the panthor_drm.h to build with: that of the folder PANTHOR_UAPI if set,
# else the system's, else that of the kernel source which scripts/build/fetch-kernel.sh provides. FILE stays
# untouched if it is the same already.
set -eu

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	echo "usage: ${0##*/} FILE" >&2
	exit 2
fi
top=$(cd "$(dirname "$0")/.." && pwd)

if [ -n "${PANTHOR_UAPI:-}" ]; then
	from=$PANTHOR_UAPI/panthor_drm.h
else
	from=
	for folder in $(pkg-config --cflags-only-I libdrm 2>/dev/null | sed 's/-I//g') \
		/usr/include/libdrm /usr/include/drm; do
		if [ -f "$folder/panthor_drm.h" ]; then
			from=$folder/panthor_drm.h
			break
		fi
	done
	if [ -z "$from" ]; then
		vars=$("$top/scripts/build/fetch-kernel.sh")
		eval "$vars"
		from=$KSRC/include/uapi/drm/panthor_drm.h
	fi
fi
if [ ! -f "$from" ]; then
	echo "${0##*/}: $from does not exist: set PANTHOR_UAPI to a folder with a panthor_drm.h" >&2
	exit 1
fi
if ! cmp -s "$from" "$1"; then
	mkdir -p "$(dirname "$1")"
	cp "$from" "$1.$$"
	mv "$1.$$" "$1"
fi
