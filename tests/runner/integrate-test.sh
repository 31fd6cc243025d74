#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# What scripts/integrate.sh reports of hooks that do not match: every hook by its name, with the kernel, the file
# and the lines that it expects; and what scripts/build/build-module.sh reports of sources that it cannot use. Prints
# ok and not ok lines.
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

# refused NAME REGEX [VARIABLE=VALUE...]: build-module.sh has one line to say, and builds nothing.
refused() {
	_name=$1
	_regex=$2
	shift 2
	env -u PANTHOR_PERF_KERNEL "$@" "$top/scripts/build/build-module.sh" --plain >"$folder/log" 2>&1
	[ $? -eq 1 ] && [ "$(wc -l <"$folder/log")" = 1 ] && grep -qE "^build-module: $_regex" "$folder/log"
	result "$_name" $? "$(cat "$folder/log")"
}
mkdir -p "$folder/kernel/include/config" "$folder/empty"
: >"$folder/kernel/Module.symvers"
echo 6.12.117+deb12-arm64 >"$folder/kernel/include/config/kernel.release"
tree 7 3
refused "no headers" "KDIR=$folder/none is no build folder of a kernel with modules" \
	"KDIR=$folder/none" "SRC=$folder/tree"
refused "no sources" "SRC=$folder/empty has no drivers/gpu/drm/panthor" "KDIR=$folder/kernel" "SRC=$folder/empty"
refused "sources of another series" \
	"SRC=$folder/tree has the sources of Linux 7[.]3, but KDIR=$folder/kernel is of 6[.]12[.]117[+]deb12-arm64: " \
	"KDIR=$folder/kernel" "SRC=$folder/tree"
exit $failed
