# SPDX-License-Identifier: GPL-2.0 or MIT
# vmali: clocks=3,clock-provider=on
# Who may use the counters, by which call, with which values of the sysctls. /out/access.txt has the matrix. A call that
# is refused has no effect. Clock modes need the virtual GPU's clocks=3,clock-provider=on and the files of
# scripts/build/build-guest-modules.sh in /modules.
. /tests/lib.sh

check "the clocks" insmod /modules/vmali-clk.ko
wait_for 10 render_node
# As a distribution's udev rules leave it.
chgrp 107 "$(render_node)"
chmod 660 "$(render_node)"
mkdir -p /out
perf-access /out/access.txt
check_eq "perf-access" $? 0
check "suspended in the end" wait_for 10 status_is suspended
