#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/build/coverage-args.sh
#
# Prints arguments for the kernel's make, one a line, with which gcov measures the driver's
# panthor_perf*.o and no other object: for scripts/coverage.py and scripts/build/build-module.sh.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

PANTHOR=$TOP/drivers/gpu/drm/panthor

options -- "$@"

# An argument stands for what the makefile says, which is therefore part of it. What the compiler inlines or
# makes a conditional move before it adds the counters would look as if it was never reached.
for file in "$PANTHOR"/panthor_perf*.c; do
	object=$(basename "$file" .c).o
	flags=$(sed -n "s/^CFLAGS_$object *[:+]*= *//p" "$PANTHOR/Makefile.perf")
	# shellcheck disable=SC2016	# the kernel's make expands it
	printf 'CFLAGS_%s=%s-include $(src)/panthor_perf_kcompat.h $(CFLAGS_GCOV) %s\n' \
		"$object" "${flags:+$flags }" "-fno-early-inlining -fno-ssa-phiopt"
done
