# SPDX-License-Identifier: GPL-2.0 or MIT
# The idle GPU is suspended, and comes back; each cycle halts and boots it once. The panthor driver resets it in each
# cycle on Linux 6.12, and no more on 7.2.
. /tests/lib.sh

check "suspended when idle" wait_for 10 status_is suspended
reset_once=1
! linux 7 2 || reset_once=0
for cycle in 1 2 3 4 5; do
	halts=$(host truth-count '^halt')
	resets=$(host truth-count '^reset kind=soft')
	boots=$(host truth-count '^boot')
	echo on >"$(gpu)/power/control"
	check_eq "cycle $cycle: active" "$(runtime_status)" active
	check_eq "cycle $cycle: booted once" "$(host truth-count '^boot')" $((boots + 1))
	echo auto >"$(gpu)/power/control"
	check "cycle $cycle: suspended" wait_for 10 status_is suspended
	check_eq "cycle $cycle: halted once" "$(host truth-count '^halt')" $((halts + 1))
	check_eq "cycle $cycle: resets" "$(($(host truth-count '^reset kind=soft') - resets))" $reset_once
done
