#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# usage: scripts/check/fuzz.sh [--runs N]
#
# Gives N inputs (default: 300000) to each of the readers of what users bring: counter tables, formulas,
# recordings. The inputs are the same every time. Prints "ok fuzz NAME" or what breaks it; an input that does
# is kept in build/fuzz. See tests/fuzz/Makefile.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/lib.sh"

runs=300000
options runs= -- "$@"

make --no-print-directory -C "$TOP/tests/fuzz" O="$BUILD" RUNS="$runs" run
