# SPDX-License-Identifier: GPL-2.0 or MIT
# One session, started and stopped many times; the firmware is enabled and disabled with each.
. /tests/lib.sh

wait_for 10 render_node
enables=$(host truth-count '^enable')
perf-session cycles 20 || exit
check_eq "enabled with each START" "$(host truth-count '^enable')" $((enables + 20))
check_eq "and disabled with each STOP" "$(host truth-count '^disable')" "$(host truth-count '^enable')"
check "suspended in the end" wait_for 10 status_is suspended
