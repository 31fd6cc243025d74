#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/integrate.sh SRC OUT
#        scripts/integrate.sh --in-tree TREE
#
# Adds the counter component to panthor's own sources.
#
#	SRC OUT		create a folder OUT that builds panthor.ko out of tree, from the panthor
#			files of the kernel source tree SRC; SRC does not change
#	--in-tree TREE	add the component, its option DRM_PANTHOR_PERF and its tests to the kernel
#			source tree TREE; a second run updates them, as long as the hooks are the
#			same
#
# The hooks into panthor are a semantic patch, scripts/build/panthor-perf.cocci, the same for all kernels. The
# script counts its matches with the table scripts/build/panthor-perf.hooks. A hook that does not match is an error.
set -eu
TOP=$(cd "$(dirname "$0")/.." && pwd)
. "$TOP/scripts/lib/lib.sh"

HOOKS=$TOP/scripts/build/panthor-perf.hooks
SPATCH=$TOP/scripts/build/panthor-perf.cocci
PANTHOR=drivers/gpu/drm/panthor

# times_of TIMES KERNEL: how often a hook must match there
times_of() {
	echo "$1" | tr , '\n' | awk -F : -v kernel="$2" '
	function number(series, part) { split(series, part, "."); return part[1] * 1000 + part[2] }
	NF == 1 { times = $1 }
	NF == 2 && number($1) <= number(kernel) { times = $2 }
	END { print times }'
}

# rule_of HOOK: the lines that the hook looks for, and those that it adds
rule_of() {
	case $1 in
	query*_object) echo '	_Generic(_obj_name, ' ;;
	query_clocks) echo '	struct drm_panthor_dev_query *args = data;' ;;
	query_*) echo '	case DRM_PANTHOR_DEV_QUERY_GPU_INFO:' ;;
	*) awk -v hook="$1" '
		/^@[a-z]/ { on = $0 ~ "^@hook_" hook "[0-9]*[ @]" }
		on && !/^\/\// && NF { print "\t" $0 }' "$SPATCH" ;;
	esac
}

# check_hooks FOLDER KERNEL: whether the hooks of the table are there, as often as it says.
check_hooks() {
	awk '!/^#/ && NF { print $1, $2, $3, $4, $5, $6, $7 }' "$HOOKS" | {
		failed=0
		while read -r hook file where times pattern; do
			found=$(grep -cE "$pattern" "$1/$file" || true)
			times=$(times_of "$times" "$2")
			[ "$found" = "$times" ] || {
				echo "$PROG: hook $hook: found $found times, not $times, in $file ($where) of Linux $2;" \
					"it expects:" >&2
				rule_of "$hook" >&2
				failed=1
			}
		done
		exit $failed
	}
}

# add_queries FILE: PERF_INFO and PERF_CLOCKS in panthor's query, once in the switch of sizes, once in that of the
# replies, and their types in panthor's list of objects. spatch adds neither case labels nor elements of a macro.
add_queries() {
	awk '
	{ line = $0 }
	/^[ \t]*struct drm_panthor_dev_query \*args = data;/ {
		line = line "\n\tstruct drm_panthor_perf_clocks perf_clocks;"
	}
	/^[ \t]*case DRM_PANTHOR_DEV_QUERY_GPU_INFO:/ {
		tabs = $0
		sub(/case.*/, "", tabs)
		print tabs "case DRM_PANTHOR_DEV_QUERY_PERF_INFO:"
		print tabs "\tif (IS_ERR(panthor_perf_info(ptdev)))"
		print tabs "\t\treturn PTR_ERR(panthor_perf_info(ptdev));\n"
		if (cases == 0)
			print tabs "\targs->size = sizeof(struct drm_panthor_perf_info);\n" tabs "\treturn 0;\n"
		else
			print tabs "\treturn PANTHOR_UOBJ_SET(args->pointer, args->size, *panthor_perf_info(ptdev));\n"
		print tabs "case DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS:"
		if (cases++ == 0)
			print tabs "\tif (IS_ERR(panthor_perf_info(ptdev)))\n" \
				tabs "\t\treturn PTR_ERR(panthor_perf_info(ptdev));\n\n" \
				tabs "\targs->size = sizeof(perf_clocks);\n" tabs "\treturn 0;\n"
		else
			print tabs "\treturn panthor_perf_query_clocks(ptdev, &perf_clocks) ?:\n" \
				tabs "\t       PANTHOR_UOBJ_SET(args->pointer, args->size, perf_clocks);\n"
	}
	{ print line }
	/^[ \t]*_Generic\(_obj_name, / {
		print "\t\t PANTHOR_UOBJ_DECL(struct drm_panthor_perf_info, gpu_timestamp_frequency), \\"
		print "\t\t PANTHOR_UOBJ_DECL(struct drm_panthor_perf_clocks, shader), \\"
	}' "$1" >"$1.query"
	mv "$1.query" "$1"
}

# add_headers FOLDER: the headers that panthor has had since 7.1 for registers, where they are missing
add_headers() {
	for header in panthor_fw_regs.h panthor_gpu_regs.h panthor_hw.h panthor_pwr_regs.h; do
		[ -f "$1/$header" ] || [ ! -f "$1/panthor_regs.h" ] ||
			printf '/* SPDX-License-Identifier: GPL-2.0 or MIT */\n#include "panthor_regs.h"\n' >"$1/$header"
	done
}

# hook_files FROM TO KERNEL: the files that the table names, patched.
hook_files() {
	for file in $(awk '!/^#/ && NF { print $2 }' "$HOOKS" | sort -u); do
		[ -f "$1/$file" ] || die "$1 has no $file: is it a panthor driver?"
		spatch --very-quiet --no-includes --sp-file "$SPATCH" "$1/$file" -o "$2/$file" \
			>"$2/$file.spatch" 2>&1 || {
			cat "$2/$file.spatch" >&2
			die "spatch failed on $file"
		}
		rm -f "$2/$file.spatch"
		[ -s "$2/$file" ] || cp "$1/$file" "$2/$file"
	done
	add_queries "$2/panthor_drv.c"
	check_hooks "$2" "$3" ||
		die "the panthor driver of Linux $3 is not the one that scripts/build/panthor-perf.cocci expects"
}

# append_once FILE LINE: what follows is Kbuild's or Kconfig's, which no semantic patch reads.
append_once() {
	[ -f "$1" ] || die "$1 is missing: is it a panthor driver?"
	grep -qxF "$2" "$1" || printf '\n%s\n' "$2" >>"$1"
}

out_of_tree() {
	src=$1/$PANTHOR
	kernel=$(kernel_of "$1")
	[ -d "$src" ] && [ -n "$kernel" ] || die "$1 has no $PANTHOR: it must be a Linux source tree, 6.12 to 7.3"
	mkdir -p "$2/include/drm"
	cp "$src"/*.[ch] "$src/Makefile" "$2/"
	# Nothing of an earlier integration must survive in a tree that was patched in place.
	grep -q panthor_perf "$2/panthor_device.c" &&
		die "$1 is integrated already: give the sources as they come from the kernel"
	hook_files "$src" "$2" "$kernel"
	add_headers "$2"
	cp "$TOP/$PANTHOR"/panthor_perf* "$TOP/$PANTHOR/Makefile.perf" "$2/"
	cp "$TOP/include/uapi/drm/panthor_perf_drm.h" "$2/include/drm/"
	for header in drm.h drm_mode.h panthor_drm.h; do
		cp "$1/include/uapi/drm/$header" "$2/include/drm/"
	done
	# shellcheck disable=SC2016	# the kernel's make expands it
	{
		echo 'CONFIG_DRM_PANTHOR_PERF := y'
		echo 'CONFIG_DRM_PANTHOR_PERF_CONTROL := y'
		echo 'include $(src)/Makefile.perf'
	} >>"$2/Makefile"
}

in_tree() {
	dst=$1/$PANTHOR
	kernel=$(kernel_of "$1")
	[ -d "$dst" ] && [ -n "$kernel" ] || die "$1 has no $PANTHOR: it must be a Linux source tree, 6.12 to 7.3"
	if ! grep -q panthor_perf "$dst/panthor_device.c"; then
		tmp=$(mktemp -d "$1/panthor-perf.XXXXXX")
		# shellcheck disable=SC2064	# tmp as it is now
		trap "rm -rf '$tmp'" EXIT
		hook_files "$dst" "$tmp" "$kernel"
		cp "$tmp"/*.[ch] "$dst/"
	else
		check_hooks "$dst" "$kernel" ||
			die "$1 was integrated with other hooks: give it panthor's own files again, then repeat"
	fi
	add_headers "$dst"
	cp -r "$TOP/$PANTHOR/." "$dst/"
	cp "$TOP/include/uapi/drm/panthor_perf_drm.h" "$1/include/uapi/drm/"
	# shellcheck disable=SC2016	# the kernel's make expands it
	append_once "$dst/Makefile" 'include $(src)/Makefile.perf'
	append_once "$dst/Kconfig" 'source "drivers/gpu/drm/panthor/Kconfig.perf"'
}

case ${1:-} in
--help | -h)
	show_help "$0"
	exit 0
	;;
--in-tree)
	[ $# -eq 2 ] || die "--in-tree takes one folder; --help shows the usage"
	need spatch
	in_tree "$2"
	;;
*)
	[ $# -eq 2 ] || die "expected SRC and OUT; --help shows the usage"
	need spatch
	out_of_tree "$1" "$2"
	;;
esac
