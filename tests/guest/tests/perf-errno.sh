# SPDX-License-Identifier: GPL-2.0 or MIT
# Every error that a program can cause, and none of them changes anything.
. /tests/lib.sh

wait_for 10 render_node
perf-errno
