# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: counters=work,auto-samples=0,mcu-cost=off
# kernel: slab_debug=FZP
# Samples between command streams of known cost, by fences; needs a GPU that counts work, and nothing else:
# counters=work,auto-samples=0,mcu-cost=off. STREAMS is the number of streams of each way.
# The samples in /out/ordered.SAMPLES.ERRORS.raw are compared with the truth outside, and those that STOP has
# cancelled, in /out/cancelled.SAMPLES.ERRORS.raw.
. /tests/lib.sh

wait_for 10 render_node
# Of a group without a slot: cs.h; of one whose process is killed while its stream waits.
tolerate 'job timeout'
tolerate 'CSG [0-9]* update request timedout'
# panthor unmaps what that stream runs from, and may do so before the stream has ended.
expect 0 8 'Unhandled Page fault'
expect 0 8 'CSG slot .* CS slot:'
tolerate 'CS_FATAL: pid='
rm -f /tmp/suspended
perf-ordered "${STREAMS:-200}" /out >/out/ordered.txt &
pid=$!
ready() {
	grep -q 'may be suspended' /out/ordered.txt || ! kill -0 $pid
}
wait_for "$(patient 300)" ready
check "suspended with a session" wait_for 10 status_is suspended
boots=$(host truth-count '^boot')
touch /tmp/suspended
wait $pid
check_eq "perf-ordered" $? 0
check_eq "resumes for the sample of a suspended GPU" $(($(host truth-count '^boot') - boots)) 0
cat /out/ordered.txt
check_eq "violations" "$(host qom-get gpu0 violations)" 0
check "streams that were stopped: at most that one" [ "$(host qom-get gpu0 faults)" -le 1 ]
check "suspended in the end" wait_for 10 status_is suspended
