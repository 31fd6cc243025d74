#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Which folders of the cache stay: forget_old of scripts/lib/lib.sh; and what scripts/lib/passed.sh remembers. Prints ok and
# not ok lines.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# run PREFIX...
run() {
	TOP=$top sh -c '. "$TOP/scripts/lib/lib.sh"; forget_old "$@"' cache-test "$@" 2>/dev/null
}

left() {
	if [ "$(ls "$folder" | tr '\n' ' ')" = "$2 " ]; then
		echo "ok $1"
	else
		echo "not ok $1 - $(ls "$folder" | tr '\n' ' ')"
		failed=1
	fi
}

for name in tree-1 tree-2 tree-3 tree-4 kernel-1 kernel-2; do
	mkdir "$folder/$name"
	: >"$folder/$name/file"
	: >"$folder/$name.lock"
done
touch -d '2020-01-01' "$folder/tree-3" "$folder/kernel-1"
touch -d '2020-01-02' "$folder/tree-4" "$folder/kernel-2"
touch -d '2020-01-03' "$folder/tree-1"
touch -d '2020-01-04' "$folder/tree-2"
: >"$folder/tree-note"
run "$folder/tree-"
left "the two used last stay, with what is no folder or has another name" \
	"kernel-1 kernel-1.lock kernel-2 kernel-2.lock tree-1 tree-1.lock tree-2 tree-2.lock tree-note"
run "$folder/tree-" "$folder/kernel-" "$folder/build-"
left "two are not too many, none is no error" \
	"kernel-1 kernel-1.lock kernel-2 kernel-2.lock tree-1 tree-1.lock tree-2 tree-2.lock tree-note"

# not_passed NAME WANT KEY FILE...
not_passed() {
	_name=$1
	_want=$2
	shift 2
	_got=$(cd "$folder" && PANTHOR_PERF_CACHE=$folder/cache "$top/scripts/lib/passed.sh" "$@" | tr '\n' ' ')
	if [ "$_got" = "$_want" ]; then
		echo "ok passed: $_name"
	else
		echo "not ok passed: $_name - '$_got', want '$_want'"
		failed=1
	fi
}

echo a >"$folder/a"
echo b >"$folder/b"
not_passed "at first nothing has" "a b " key a b
not_passed "one has" "" --add key a
not_passed "and is known" "b " key a b
not_passed "under another key it is not" "a b " "key 2" a b
echo c >"$folder/a"
not_passed "nor with another content" "a b " key a b
cp "$folder/a" "$folder/kept"
echo a >"$folder/a"
not_passed "the old content again" "b kept " key a b kept
find "$folder/cache" -type f -exec touch -d '32 days ago' {} +
not_passed "what nobody asked for in a month is forgotten" "a " key a
not_passed "no file" "" key
exit $failed
