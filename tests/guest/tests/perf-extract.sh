# SPDX-License-Identifier: GPL-2.0 or MIT
# A program writes nonsense to its extract index.
. /tests/lib.sh

wait_for 10 render_node
perf-session extract
