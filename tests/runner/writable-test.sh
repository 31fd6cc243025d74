#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What make says in a checkout that cannot be written, or with a cache that cannot: one sentence, before it builds. The
# scripts that targets start say "started" here. Prints ok and not ok lines.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
failed=0

checkout=$folder/checkout
mkdir -p "$checkout/scripts/lib" "$checkout/tools" "$folder/home"
cp "$top/Makefile" "$checkout"
cp "$top/scripts/lib/lib.sh" "$checkout/scripts/lib"
printf 'install uninstall:\n\t@echo started\n' >"$checkout/tools/Makefile"
for script in $(grep -oE 'scripts/[a-z/0-9-]+\.(sh|py)' "$top/Makefile" | sort -u); do
	[ ! -e "$checkout/$script" ] || continue
	mkdir -p "$(dirname "$checkout/$script")"
	printf '#!/bin/sh\necho started\n' >"$checkout/$script"
	chmod 755 "$checkout/$script"
done

# For root, only another user finds that a folder cannot be written.
as_user=
if [ "$(id -u)" = 0 ]; then
	as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
	chown -R 65534:65534 "$folder"
fi

others="help deps clean install uninstall writable writable-build"
building=
caching=
for target in $(sed -n 's/^\.PHONY: //p' "$top/Makefile"); do
	case " $others " in
	*" $target "*) ;;
	*)
		building="$building $target"
		[ "$target" = perf-json ] || caching="$caching $target"
		;;
	esac
done

# makes NAME WANT TARGET...: this is all that make says for each of the targets
makes() {
	_name=$1
	_want=$2
	_wrong=
	shift 2
	for _target; do
		_got=$($as_user env -u MAKEFLAGS -u MAKELEVEL -u XDG_CACHE_HOME -u PANTHOR_PERF_CACHE HOME="$folder/home" \
			make --no-print-directory -C "$checkout" "$_target" $variables 2>&1 |
			grep -v -e '^make: \*\*\* ' -e '/panthor.ko is ready$')
		[ "$_got" = "$_want" ] || _wrong=" $_target: '$_got'"
	done
	if [ $# -gt 0 ] && [ -z "$_wrong" ]; then
		echo "ok $_name"
	else
		echo "not ok $_name -$_wrong, want '$_want'"
		failed=1
	fi
}

variables=
no_cache="make: cannot write $folder/home/.cache/panthor-perf: set PANTHOR_PERF_CACHE to a folder you may write"
no_build="make: cannot write $checkout/build: use a checkout in a folder you may write"
chmod a-w "$folder/home"
makes "a home that cannot be written" "$no_cache" $caching
makes "... is enough for a target without a cache" started perf-json
variables="KDIR=. SRC=."
makes "... for modules of sources that are named" started modules
variables=KDIR=.
makes "... but not if the archive's are taken" "$no_cache" modules
variables=IGT=.
makes "... for patches for sources of IGT" started igt-series
variables=MESA=.
makes "... for patches for sources of Mesa" started mesa-series
mkdir -p "$folder/cache" && chown --reference="$folder/home" "$folder/cache"
variables=PANTHOR_PERF_CACHE=$folder/cache
makes "... and another cache" started $building
variables=
chmod u+w "$folder/home"
makes "folders that can be written" started $building
chmod a-w "$folder/home/.cache/panthor-perf"
makes "a cache that cannot be written" "$no_cache" $caching
chmod u+w "$folder/home/.cache/panthor-perf"
chmod a-w "$checkout/build"
makes "a folder build that cannot be written" "$no_build" $building
chmod u+w "$checkout/build"
rmdir "$checkout/build"
chmod a-w "$checkout"
makes "a checkout that cannot be written" "$no_build" $building
makes "... is enough for targets that do not build" started deps install uninstall
exit $failed
