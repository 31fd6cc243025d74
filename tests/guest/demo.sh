# SPDX-License-Identifier: GPL-2.0 or MIT
# The guest's part of make demo: the device, and samples of all its counters.
. /tests/lib.sh

check "render node" wait_for 10 render_node
check "panthor-perf info" sh -c 'panthor-perf info >/out/info.txt'
check "panthor-perf stat" sh -c \
	'panthor-perf stat -n "$(cat /etc/samples)" --raw /out/samples.raw >/out/stat.txt'
