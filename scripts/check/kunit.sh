#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "kunit" of scripts/check.py: the driver's KUnit suites.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

job kunit long low -- many "kunit" "$TOP/scripts/kunit.py"
finish
