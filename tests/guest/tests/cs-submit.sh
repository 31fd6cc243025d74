# SPDX-License-Identifier: GPL-2.0 or MIT
# Jobs: a queue of them, and groups that wait for each other, more than there are slots.
. /tests/lib.sh

wait_for 10 render_node
# Of a group without a slot: cs.h.
tolerate 'job timeout'
cs-submit jobs || exit
cs-submit groups || exit
# The driver flushes caches when it suspends: not here.
echo on >"$(gpu)/power/control"
cs-submit example || exit
echo auto >"$(gpu)/power/control"
check_ge "instructions that were executed" "$(host qom-get gpu0 instructions)" 1000
check_eq "streams that were stopped" "$(host qom-get gpu0 faults)" 0
check_eq "violations" "$(host qom-get gpu0 violations)" 0
check_eq "what the GPU does not have" "$(host qom-get gpu0 unimplemented)" 0
check "suspended in the end" wait_for 10 status_is suspended
