# SPDX-License-Identifier: GPL-2.0 or MIT
# Many sessions in many processes at random, with different counters. The samples in /out/many are
# compared with the truth outside.
#
# Of the environment (run-guest --append "PERF_CALLS=20000 PERF_SEED=7"): PERF_CALLS, the number of
# calls of the larger half; PERF_SEED, the seed of both; PERF_ONE, one session in one process instead, whose
# first sample holds the first value that the GPU counts for anybody.
. /tests/lib.sh

wait_for 10 render_node
calls=${PERF_CALLS:-1200}
fresh=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
if [ -n "${PERF_ONE:-}" ]; then
	perf-stress 1 1 "$calls" "${PERF_SEED:-1}" /out/many-one
	check_eq "a process with a session" $? 0
	exit
fi
perf-stress 2 4 $((calls / 2)) "${PERF_SEED:-1}" /out/many-2x4
check_eq "2 processes with 4 sessions" $? 0
check "suspended between" wait_for 10 status_is suspended
perf-stress 8 8 "$calls" "${PERF_SEED:-$fresh}" /out/many-8x8
check_eq "8 processes with 8 sessions" $? 0
check_eq "counters are off" "$(host truth-count '^disable')" "$(host truth-count '^enable')"
check "suspended in the end" wait_for 10 status_is suspended
