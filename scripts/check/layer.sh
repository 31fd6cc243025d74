#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "layer" of scripts/check.py: Vulkan programs on llvmpipe, without the Vulkan layer and with it.
set -eu
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"

NOT_IN_ARCHIVE=3

# The newest registry of the archive: every command has a row in the layer's table, and in the test's own.
state() {
	_found=0
	_headers=$("$TOP/scripts/build/fetch-vulkan-headers.sh" --suite unstable) || _found=$?
	if [ "$_found" = "$NOT_IN_ARCHIVE" ]; then
		result "skip state: the archive has no headers of Vulkan"
		return
	fi
	[ "$_found" = 0 ] || die "the headers of Vulkan cannot be fetched"
	eval "$_headers"
	"$TOP/tools/vulkan-layer/generate.py" missing "$VULKAN_REGISTRY" >"$(log_of missing)"
	while read -r _name; do
		result "not ok state: $_name is neither in commands.table nor in generate.py of tools/vulkan-layer"
	done <"$(log_of missing)"
	[ -s "$(log_of missing)" ] || result "ok state: every command of Vulkan $VULKAN_VERSION has a row"
	many state "$TOP/tests/layer/state/run.sh" --suite unstable
}

job state -- state
job state-trixie low nightly -- many state-trixie "$TOP/tests/layer/state/run.sh" --sanitize address
job state-old low nightly -- many state-old "$TOP/tests/layer/state/run.sh" --suite unstable --built bookworm -- --whole
job state-judge low nightly -- many state-judge "$TOP/tests/layer/state/run.sh" --suite unstable --mode self,simulate,plant
job programs -- many programs "$TOP/tests/layer/run.sh"
job undefined low nightly -- many undefined "$TOP/tests/layer/run.sh" --sanitize undefined
job thread low nightly -- many thread "$TOP/tests/layer/run.sh" --sanitize thread
job validation low nightly after=programs -- many validation "$TOP/tests/layer/run.sh" --validation
job debian low nightly after=programs,validation -- many debian "$TOP/tests/layer/run.sh" --debian
job debian-validation low nightly after=debian -- many debian-validation "$TOP/tests/layer/run.sh" --debian --validation
job chromium low nightly after=debian,debian-validation -- many chromium "$TOP/tests/layer/run.sh" --debian --sanitize none chromium
job piglit low nightly after=debian -- many piglit "$TOP/tests/layer/run.sh" --piglit
job sid low nightly -- many sid "$TOP/tests/layer/run.sh" --suite sid
finish
