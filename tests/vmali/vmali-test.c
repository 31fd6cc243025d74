/*
 * QTest of the virtual Arm Mali CSF GPU
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "libqtest.h"

#define MMIO            0x0c000000

static void test_id(void)
{
    QTestState *qts = qtest_init("-M virt -nodefaults -device vmali");

    g_assert_cmphex(qtest_readl(qts, MMIO), ==, 0xa8670005);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("/vmali/id", test_id);
    return g_test_run();
}
