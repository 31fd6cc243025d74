# SPDX-License-Identifier: GPL-2.0 or MIT
# An active GPU is pinged every 12 s; answered pings leave it alone, one without an answer makes the
# driver reset the GPU, which then works on.
. /tests/lib.sh

echo on >"$(gpu)/power/control"
pings=$(host truth-count '^ping')
resets=$(host truth-count '^reset')
check "pinged while active" wait_for 20 more ping "$pings"
check_eq "an answered ping causes no reset" "$(host truth-count '^reset')" "$resets"

expect 1 1 'panthor .*\[drm\] \*ERROR\* FW ping timeout, scheduling a reset'
check "told not to answer" host qom-set gpu0 x-drop-pings 1
check "reset after a ping without an answer" wait_for 20 more reset "$resets"
check_eq "reset once" "$(host truth-count '^reset')" $((resets + 1))
check_eq "still active" "$(runtime_status)" active

pings=$(host truth-count '^ping')
check "pinged again after the reset" wait_for 20 more ping "$pings"
check_eq "no further reset" "$(host truth-count '^reset')" $((resets + 1))
echo auto >"$(gpu)/power/control"
check "suspended in the end" wait_for 10 status_is suspended
