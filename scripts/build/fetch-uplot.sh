#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/fetch-uplot.sh
#
# Prints a folder with uPlot, the library that draws the charts of "panthor-perf export --html": uPlot.iife.min.js,
# uPlot.min.css and LICENSE. The script takes it from npm's registry (npm_config_registry, if set) into the cache once,
# and checks its SHA-512. If the registry cannot be reached, the script fails, and fails at once for the next ten minutes.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

VERSION=1.6.32
SHA512=2883159c6ebccefbb95d751b0b82d010f9e1c0ec41b8bc96d401eda66e882935
SHA512=${SHA512}c89a46cb824332fa369b8cb8122cc6ac36e186cd09bf7a9ded3a4c93c6989023
FOLDER=$CACHE/uplot/$VERSION
FAILED=$CACHE/uplot/unreachable
FILES="uPlot.iife.min.js uPlot.min.css LICENSE"
TIMEOUT_S=20

options -- "$@"

url=${npm_config_registry:-https://registry.npmjs.org}
url=${url%/}/uplot/-/uplot-$VERSION.tgz

download() {
	if command -v curl >/dev/null; then
		curl -fsSL --connect-timeout "$TIMEOUT_S" --max-time 120 -o "$1" "$url"
	elif command -v wget >/dev/null; then
		wget -q --tries=1 --timeout="$TIMEOUT_S" -O "$1" "$url"
	else
		python3 -c 'import shutil, sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=float(sys.argv[3])) as answer, open(sys.argv[2], "wb") as file:
    shutil.copyfileobj(answer, file)' "$url" "$1" "$TIMEOUT_S" 2>&1 | tail -n 1 >&2
	fi
}

take() {
	note "fetching uPlot $VERSION (160 kB) from ${url%%/uplot/*}"
	download "$1/uplot.tgz" && [ -s "$1/uplot.tgz" ] || return 1
	if [ "$(sha512sum "$1/uplot.tgz" | cut -d ' ' -f 1)" != "$SHA512" ]; then
		note "$url is not the file with the SHA-512 in ${0##*/}"
		return 1
	fi
	tar -xz -C "$1" --strip-components=1 -f "$1/uplot.tgz"
	mv "$1/dist/uPlot.iife.min.js" "$1/dist/uPlot.min.css" "$1"
	rm -r "$1/dist" "$1/uplot.tgz"
}

if [ ! -d "$FOLDER" ]; then
	[ -z "$(find "$FAILED" -mmin -10 2>/dev/null)" ] || exit 1
	need tar sha512sum
	if ! (fill "$FOLDER" take); then
		mkdir -p "${FAILED%/*}"
		: >"$FAILED"
		note "uPlot cannot be fetched: connect the network and try again in ten minutes (or remove $FAILED)"
		exit 1
	fi
	rm -f "$FAILED"
fi
for file in $FILES; do
	[ -f "$FOLDER/$file" ] || die "$FOLDER/$file is missing: remove $FOLDER"
done
echo "$FOLDER"
