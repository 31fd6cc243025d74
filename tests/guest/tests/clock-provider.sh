# SPDX-License-Identifier: GPL-2.0 or MIT
# The clocks of the virtual GPU's property clock-provider are those of the module vmali-clk, for which the
# driver waits. For the tests behind this one; scripts/build/build-guest-modules.sh has the module.
. /tests/lib.sh

check_not "the driver waits for its clocks" bound
check "the clocks" insmod /modules/vmali-clk.ko
check "the driver found them" wait_for 10 bound
check "render node" wait_for 10 render_node
