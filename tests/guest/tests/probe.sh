# SPDX-License-Identifier: GPL-2.0 or MIT
# The driver accepts the GPU and offers a render node.
. /tests/lib.sh

check "the device is bound" wait_for 10 bound
check "there is a render node" wait_for 5 render_node
check_eq "its driver" "$(basename "$(readlink "$(gpu)/driver")")" panthor
check "the driver tells the GPU's id" sh -c 'dmesg | grep -qi "panthor .*\[drm\] mali-.* id 0x"'
check "the driver initialised" sh -c 'dmesg | grep -q "\[drm\] Initialized panthor"'
check "the firmware told its version" sh -c 'dmesg | grep -q "CSF FW"'
check_eq "no register access the GPU does not know" "$(host truth-count '^unimplemented')" 0
check_ge "the firmware was booted" "$(host truth-count '^boot')" 1
