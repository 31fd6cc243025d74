# SPDX-License-Identifier: GPL-2.0 or MIT
# Never ends, for tests/runner/runner-test.sh.
. /tests/lib.sh

ok "still here"
while :; do
	sleep 1
done
