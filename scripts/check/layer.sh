#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "layer" of scripts/check.py: Vulkan programs on llvmpipe, without the Vulkan layer and with it.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

job programs -- many programs "$TOP/tests/layer/run.sh"
job undefined low nightly -- many undefined "$TOP/tests/layer/run.sh" --sanitize undefined
job thread low nightly -- many thread "$TOP/tests/layer/run.sh" --sanitize thread
job validation low nightly after=programs -- many validation "$TOP/tests/layer/run.sh" --validation
job debian low nightly after=programs,validation -- many debian "$TOP/tests/layer/run.sh" --debian
job sid low nightly -- many sid "$TOP/tests/layer/run.sh" --suite sid
finish
