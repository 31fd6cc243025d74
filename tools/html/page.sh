#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tools/html/page.sh FILE
#
# Makes FILE the page of "panthor-perf export --html", with uPlot of the folder UPLOT if set, else of that which
# scripts/build/fetch-uplot.sh provides. FILE is empty, and the program then has no --html, if UPLOT is "none", or if there
# is no network or no python3. FILE stays untouched if it is the same already.
set -eu

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	echo "usage: ${0##*/} FILE" >&2
	exit 2
fi
top=$(cd "$(dirname "$0")/../.." && pwd)
uplot=${UPLOT:-}

without() {
	echo "${0##*/}: $1: the program is built without export --html" >&2
	uplot=none
}

if [ "$uplot" != none ]; then
	if ! command -v python3 >/dev/null; then
		without "there is no python3"
	elif [ -z "$uplot" ]; then
		uplot=$("$top/scripts/build/fetch-uplot.sh") || without "there is no uPlot"
	fi
fi
mkdir -p "$(dirname "$1")"
if [ "$uplot" != none ]; then
	exec "$top/tools/html/compose.py" "$uplot" "$1"
fi
[ -f "$1" ] && [ ! -s "$1" ] || : >"$1"
