# SPDX-License-Identifier: GPL-2.0 or MIT
# Fails on purpose, for tests/runner/runner-test.sh: a complaint in the kernel log, an assertion that does
# not hold, an announced message that does not come, a request that the host does not know.
. /tests/lib.sh

ok "an assertion that holds"
echo "<4>BUG: planted" >/dev/kmsg
check_eq "an assertion that does not hold" 1 2
expect 1 1 "this never comes"
host frobnicate
exit 3
