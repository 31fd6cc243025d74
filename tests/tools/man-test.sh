#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/man-test.sh FOLDER
#
# The manual pages of tools/man/: no warning of man or mandoc, a page for each command of FOLDER/panthor-perf-fake, and all
# of its options there and no others. Prints "ok NAME" or "not ok NAME - why", or "skip NAME - why" where man formats
# no pages.
set -u

if [ $# -ne 1 ] || [ "$1" = --help ]; then
	sed -n '4,8s/^# \{0,1\}//p' "$0"
	exit 2
fi
bin=$(cd "$1" && pwd) || exit 2
pages=$(cd "$(dirname "$0")/../../tools/man" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8 MANWIDTH=100 ASAN_OPTIONS=detect_leaks=1:use_sigaltstack=0
failed=0

# result NAME: ok if the file "why" is empty
result() {
	if [ -s "$work/why" ]; then
		echo "not ok man: $1 - $(head -n 1 "$work/why")"
		cat "$work/why" >&2
		failed=1
	else
		echo "ok man: $1"
	fi
}

# Is there a formatter? A system without manual pages has none.
if ! command -v man >/dev/null || ! man -l "$pages/panthor-perf.1" >"$work/page" 2>/dev/null ||
	! grep -q 'EXIT STATUS' "$work/page"; then
	echo "skip man: all - man formats no pages here"
	exit 0
fi

for page in "$pages"/*.[13]; do
	name=$(basename "$page")
	: >"$work/why"
	man --warnings=w -E UTF-8 -l -Tutf8 -Z "$page" >/dev/null 2>"$work/why"
	result "$name without warnings"
	if command -v mandoc >/dev/null; then
		mandoc -Tlint -Wwarning "$page" >"$work/why" 2>&1
		result "$name without mandoc's warnings"
	fi
	: >"$work/why"
done

# options: from a help text or a formatted page, one a line: those at the beginning of a line
options() {
	sed -nE 's/^ +(-[A-Za-z-].*)/\1/p' "$1" | sed -E 's/(   +| {2,}).*//' |
		grep -oE -- '(^|[, ])--?[A-Za-z][A-Za-z-]*' | tr -d ', ' | sort -u
}

"$bin/panthor-perf-fake" --help >"$work/help" 2>&1
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' "$work/help")
man -l "$pages/panthor-perf.1" 2>/dev/null >"$work/main"
# These are explained in panthor-perf(1), for all commands.
common='--color
--counters
--device
--help
--no-color
--usage
--version
-?
-V
-d'
for command in $commands; do
	grep -qE "^ {5,7}$command +[A-Z]" "$work/main" || echo "panthor-perf(1) does not name it" >"$work/why"
	result "panthor-perf(1) names $command"
	: >"$work/why"
	"$bin/panthor-perf-fake" "$command" --help >"$work/help" 2>&1
	man -l "$pages/panthor-perf-$command.1" 2>"$work/why" >"$work/page"
	echo "$common" | sort >"$work/common"
	options "$work/help" | grep -vxF -f "$work/common" >"$work/helped"
	options "$work/page" | grep -vxF -f "$work/common" >"$work/paged"
	[ -s "$work/helped" ] || echo "--help has no options" >>"$work/why"
	diff "$work/helped" "$work/paged" >>"$work/why"
	result "panthor-perf-$command(1) has the options of --help"
	# The output has the names of events in lower case.
	grep -hE 'RING[_-]FULL|\bLATE\b|\bSUSPEND\b|FW[_-](OVERFLOW|TIMEOUT|ERROR)|HOST[_-]TIME' "$work/help" "$work/page" >"$work/why"
	result "panthor-perf-$command: names of events as in the output"
	: >"$work/why"
done
exit $failed
