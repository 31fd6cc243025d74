/*
 * QTest of the virtual Arm Mali CSF GPU in a PC
 *
 * The GPU itself is that of vmali-test.c; here is what the PC adds.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/misc/vmali_compat.h"
#include "libqtest.h"
#include "qemu/units.h"

#define MMIO            0xff000000ull
#define GPU_ID          0x0000
#define SHADER_PRESENT  0x0100
#define CLEAR           0x4
#define MASK            0x8

/* Interrupt groups of registers, and their lines at the IO-APIC */
static const struct {
    uint32_t base;
    int line;
} group[] = {
    { 0x1000, 5 }, { 0x2000, 10 }, { 0x0020, 11 },
};

/* A PC does not start without firmware. No CPU runs this one. */
#define BIOS_SIZE       (64 * KiB)
static char *bios;

static QTestState *start(const char *properties)
{
    return qtest_initf("-M q35 -m 64 -nodefaults -bios %s "
                       "-device vmali-isa,id=gpu0%s%s", bios,
                       *properties ? "," : "", properties);
}

static uint32_t rd(QTestState *qts, uint32_t offset)
{
    return qtest_readl(qts, MMIO + offset);
}

static bool line_is_high(QTestState *qts, int line)
{
    /* Any answer brings the pending line changes with it. */
    rd(qts, GPU_ID);
    return qtest_get_irq(qts, line);
}

static void test_properties(void)
{
    QTestState *qts = start("");

    g_assert_cmphex(rd(qts, GPU_ID), ==, 0xa8670005);
    g_assert_cmphex(rd(qts, SHADER_PRESENT), ==, 0x50005);
    qtest_quit(qts);

    qts = start("gpu-id=0xb8520000,shader-present=0x7ff,counters=work");
    g_assert_cmphex(rd(qts, GPU_ID), ==, 0xb8520000);
    g_assert_cmphex(rd(qts, SHADER_PRESENT), ==, 0x7ff);
    qtest_quit(qts);
}

/* Each group has its line, which a reset of the machine lowers. */
static void test_irq(void)
{
    QTestState *qts = start("");
    unsigned i, j;

    qtest_irq_intercept_in(qts, "ioapic");
    for (i = 0; i < ARRAY_SIZE(group); i++) {
        qtest_writel(qts, MMIO + group[i].base + MASK, ~0);
        qtest_writel(qts, MMIO + group[i].base, 1);
        for (j = 0; j < ARRAY_SIZE(group); j++) {
            g_assert_cmpint(line_is_high(qts, group[j].line), ==, j == i);
        }
        qtest_writel(qts, MMIO + group[i].base + CLEAR, 1);
        g_assert_false(line_is_high(qts, group[i].line));
        qtest_writel(qts, MMIO + group[i].base, 1);
        g_assert_true(line_is_high(qts, group[i].line));

        qtest_qmp_assert_success(qts, "{'execute': 'system_reset'}");
        qtest_qmp_eventwait(qts, "RESET");
        g_assert_false(line_is_high(qts, group[i].line));
        g_assert_cmphex(rd(qts, group[i].base), ==, 0);
        g_assert_cmphex(rd(qts, group[i].base + MASK), ==, 0);
    }
    qtest_quit(qts);
}

/* All that is said of a property is said of that of the GPU. */
static void test_help(void)
{
    QTestState *qts = start("");
    QDict *reply = qtest_qmp(qts, "{'execute': 'device-list-properties', "
                             "'arguments': {'typename': 'vmali-isa'}}");
    unsigned count = 0;
    QListEntry *e;

    QLIST_FOREACH_ENTRY(qdict_get_qlist(reply, "return"), e) {
        QDict *entry = qobject_to(QDict, qlist_entry_obj(e));
        const char *name = qdict_get_str(entry, "name");

        if (g_str_has_prefix(qdict_get_str(entry, "type"), "child<")) {
            continue;
        }
        count++;
        if (!qdict_haskey(entry, "description")) {
            g_error("property %s has no description", name);
        }
        if (g_str_equal(name, "counters")) {
            g_assert_cmpstr(qdict_get_str(entry, "default-value"), ==,
                            "pattern");
        }
    }
    g_assert_cmpuint(count, >, 35);
    qobject_unref(reply);
    qtest_quit(qts);
}

int main(int argc, char **argv)
{
    int ret, fd = g_file_open_tmp("vmali-bios-XXXXXX", &bios, NULL);

    g_assert_cmpint(fd, >=, 0);
    g_assert_cmpint(ftruncate(fd, BIOS_SIZE), ==, 0);
    close(fd);
    g_test_init(&argc, &argv, NULL);
    qtest_add_func("/vmali-isa/properties", test_properties);
    qtest_add_func("/vmali-isa/irq", test_irq);
    qtest_add_func("/vmali-isa/help", test_help);
    ret = g_test_run();
    unlink(bios);
    g_free(bios);
    return ret;
}
