# SPDX-License-Identifier: GPL-2.0 or MIT
# Jobs that go wrong if the driver forgets an invalidation, a permission or a wait.
. /tests/lib.sh

wait_for 10 render_node
# Of a group without a slot: cs.h.
tolerate 'job timeout'
# Of later kernels, besides the message of the slot.
tolerate '(CS_FATAL|CSG_PROGRESS_TIMER_EVENT): pid='
# A suspended GPU keeps no translations.
echo on >"$(gpu)/power/control"
cs-truths remap
check_eq "translations that were out of date" "$(host qom-get gpu0 stale-translations)" 0
expect 1 8 'Unhandled Page fault'
expect 1 40 'CSG slot .* CS slot:'
cs-truths program
check_ge "programs that were checked" "$(host qom-get gpu0 programs)" 2
cs-truths wait
host qom-set gpu0 heap-use 65536
cs-truths heap
check_eq "times that the tiler heap was used up" "$(host qom-get gpu0 heap-ooms)" 5
check_eq "chunks that the driver added" "$(host qom-get gpu0 heap-chunks)" 5
host qom-set gpu0 heap-use 0
# The driver's limit of 2,621,440,000 cycles, in about a second
host qom-set gpu0 core-hz 2500000000
host qom-set gpu0 x-hang-jobs 1
expect 1 1 'CSG slot .* progress timeout'
cs-truths hung
host qom-set gpu0 core-hz 500000000
echo auto >"$(gpu)/power/control"
check_eq "violations" "$(host qom-get gpu0 violations)" 0
check "suspended in the end" wait_for 10 status_is suspended
