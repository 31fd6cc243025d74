# SPDX-License-Identifier: GPL-2.0 or MIT
# Jobs that end badly: their fences say why, their groups are gone, and the next one has its turn.
. /tests/lib.sh

wait_for 10 render_node
# Of a group without a slot: cs.h.
tolerate 'job timeout'
# Of later kernels, besides the message of the slot.
tolerate 'CS_FATAL: pid='
expect 1 8 'Unhandled Page fault'
expect 1 40 'CSG slot .* CS slot:'
cs-submit page-fault || exit
cs-submit invalid || exit
expect 1 8 'job timeout'
cs-submit endless || exit
check_eq "streams that were stopped" "$(host qom-get gpu0 faults)" 2
check_eq "violations" "$(host qom-get gpu0 violations)" 0
check "suspended in the end" wait_for 10 status_is suspended
