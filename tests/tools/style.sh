#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: tests/tools/style.sh
#
# Holds the C files of the tools and of their tests to the kernel's coding style: checkpatch.pl and
# kernel-doc of the kernel source that scripts/build/fetch-kernel.sh provides. Prints "ok NAME" or "not ok NAME - why".
#
# What checkpatch says about the kernel's inside does not apply here:
#	CAMELCASE			libdrm and PRIu64 have such names
#	SPLIT_STRING			help texts
#	PREFER_KERNEL_TYPES		there are none in user space ...
#	PREFER_DEFINED_ATTRIBUTE_MACRO	... nor these
#	USE_NEGATIVE_ERRNO		argp's errors are positive
#	VOLATILE			memory that the kernel writes: each word is to be read once
# ... and to tests/uapi, which is C++ as well and has no functions, and tools/vulkan-layer, some more: see below.
set -eu

if [ $# -gt 0 ]; then
	sed -n '4,17s/^# \{0,1\}//p' "$0"
	exit 0
fi
top=$(cd "$(dirname "$0")/../.." && pwd)
vars=$("$top/scripts/build/fetch-kernel.sh")
eval "$vars"
ignore=CAMELCASE,SPLIT_STRING,PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,USE_NEGATIVE_ERRNO
ignore=$ignore,VOLATILE,FILE_PATH_CHANGES,ENOSYS
failed=0

# report TOOL OUTPUT FILE...: one result if all files are good, else one for each that the tool's output names
report() {
	tool=$1
	out=$2
	shift 2
	bad=0
	for file; do
		if line=$(grep -m 1 -F "$file:" "$out"); then
			echo "not ok $tool $file - $(echo "$line" | sed "s|$top/||")"
			grep -F "$file:" "$out" >&2
			bad=1
		fi
	done
	[ $bad -ne 0 ] || echo "ok $tool: $# files"
	[ $bad -eq 0 ] || failed=1
}

# held TOOL KEY FILES COMMAND...: of the files, those that have not passed yet as they are; KEY is what the answer of
# COMMAND depends on besides
held() {
	tool=$1
	key=$2
	files=$3
	shift 3
	status=0
	: >"$work/out"
	new=$(cd "$top" && scripts/lib/passed.sh "$key" $files)
	[ -z "$new" ] || "$@" $(echo "$new" | sed "s|^|$top/|") >"$work/out" 2>&1 || status=$?
	if [ $status -eq 0 ]; then
		(cd "$top" && scripts/lib/passed.sh --add "$key" $files)
	elif ! grep -q "^$top/[^:]*:[0-9]" "$work/out"; then
		echo "not ok $tool - exit status $status"
		cat "$work/out" >&2
		exit 1
	fi
	report "$tool" "$work/out" $files
}

# checkpatch KINDS FILES: but for these kinds of complaints
checkpatch() {
	held checkpatch "checkpatch $KVER $1" "$2" perl scripts/checkpatch.pl --strict --show-types --max-line-length=100 \
		--terse --no-summary --ignore "$1" -f
}

code=$(cd "$top" && find tools tests/tools tests/compare tests/fuzz -name '*.[ch]' ! -path 'tools/vulkan-layer/*' | sort)
layer=$(cd "$top" && find tools/vulkan-layer -name '*.[ch]' | sort)
# It takes pointers to types of Vulkan for products, and lists of functions for expressions. Functions of Vulkan are typedefs.
of_vulkan=NEW_TYPEDEFS,SPACING,COMPLEX_MACRO,TRAILING_SEMICOLON,MULTISTATEMENT_MACRO_USE_DO_WHILE,MACRO_ARG_REUSE
asserts=$(cd "$top" && find tests/uapi -name '*.[ch]' | sort)
outside_of_functions=SPDX_LICENSE_TAG,MULTISTATEMENT_MACRO_USE_DO_WHILE,MACRO_ARG_REUSE
outside_of_functions=$outside_of_functions,MACRO_ARG_PRECEDENCE,MACRO_WITH_FLOW_CONTROL,SPACING

# checkpatch leaves a cache of names where it is run.
cd "$KSRC"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checkpatch "$ignore" "$code"
checkpatch "$ignore,$of_vulkan" "$layer"
checkpatch "$ignore,$outside_of_functions" "$asserts"
held kernel-doc "kernel-doc $KVER" "$code
$layer" perl scripts/kernel-doc -none -Werror
exit $failed
