# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: counters=work,auto-samples=0,mcu-cost=off
# Counters of jobs that are known in advance; needs a GPU that counts work, and nothing else:
# counters=work,auto-samples=0,mcu-cost=off.
. /tests/lib.sh

wait_for 10 render_node
# Of a group without a slot: cs.h.
tolerate 'job timeout'
perf-work || exit
check_eq "violations" "$(host qom-get gpu0 violations)" 0
check_eq "streams that were stopped" "$(host qom-get gpu0 faults)" 0
check "suspended in the end" wait_for 10 status_is suspended
