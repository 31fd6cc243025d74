#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 or MIT
#
# Stage "beliefs" of scripts/check.py: the guest tests of samples on virtual GPUs whose firmware differs in what
# nobody knows. scripts/check/beliefs.py has the combinations.
set -eu
DEBUG_GUEST=
TOP=$(cd "$(dirname "$0")/../.." && pwd)
. "$TOP/scripts/lib/stage.sh"
. "$TOP/scripts/lib/guest-jobs.sh"

job build first -- build
rows=$("$TOP/scripts/check/beliefs.py") || die "there is no table of combinations"
for number in $(echo "$rows" | cut -d ' ' -f 1); do
	belief "$number"
done
finish
