#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What scripts/integrate.sh reports of hooks that do not match: every hook by its name, with the kernel, the file
# and the lines that it expects. Prints ok and not ok lines.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# result NAME STATUS [WHY]
result() {
	if [ "$2" -eq 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1 - ${3:-}"
		failed=1
	fi
}

# tree VERSION PATCHLEVEL: a source tree whose panthor has nothing of what the hooks expect
tree() {
	rm -rf "$folder/tree" "$folder/out"
	mkdir -p "$folder/tree/drivers/gpu/drm/panthor"
	printf '# SPDX-License-Identifier: GPL-2.0\nVERSION = %s\nPATCHLEVEL = %s\nSUBLEVEL = 4\n' "$1" "$2" \
		>"$folder/tree/Makefile"
	awk '!/^#/ && NF { print $2 }' "$top/scripts/build/panthor-perf.hooks" | sort -u | while read -r file; do
		echo 'int nothing;' >"$folder/tree/drivers/gpu/drm/panthor/$file"
	done
	: >"$folder/tree/drivers/gpu/drm/panthor/Makefile"
	! "$top/scripts/integrate.sh" "$folder/tree" "$folder/out" 2>"$folder/log"
}

for kernel in "6 12" "7 3"; do
	# shellcheck disable=SC2086 # two words
	tree $kernel
	result "Linux $kernel: a driver without the functions is an error" $? "integrate.sh succeeded"
	series=$(echo "$kernel" | tr ' ' .)
	for hook in $(awk '!/^#/ && NF { print $1 "," $2 }' "$top/scripts/build/panthor-perf.hooks"); do
		file=${hook#*,}
		hook=${hook%,*}
		grep -A 1 "^integrate: hook $hook: found 0 times, not [1-9], in $file .* of Linux $series; it expects:" \
			"$folder/log" | tail -n 1 | grep -q "^	"
		result "Linux $series: hook $hook of $file is reported with its lines" $? "see integrate.sh"
	done
done

# expect NAME HOOK TIMES: as often as the table says for the kernel of the last run
expect() {
	grep -q "^integrate: hook $2: found 0 times, not $3, " "$folder/log"
	result "$1" $? "$(grep "hook $2:" "$folder/log")"
}
expect "Linux 7.3: hook resume once" resume 1
tree 6 12
expect "Linux 6.12: hook resume twice" resume 2
tree 6 18
expect "Linux 6.18: a count holds from its series on" resume 1
rm "$folder/tree/Makefile"
"$top/scripts/integrate.sh" "$folder/tree" "$folder/out" 2>"$folder/log"
grep -q 'it must be a Linux source tree, 6.12 to 7.3' "$folder/log"
result "a folder that is no source tree" $? "$(cat "$folder/log")"
exit $failed
