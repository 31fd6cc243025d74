/*
 * QTest of the virtual Arm Mali CSF GPU: a host without an operating system
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/misc/vmali_compat.h"
#include "qemu/bswap.h"
#include "vmali-test.h"

#define MACHINE         "-M virt,gic-version=2 -m 256 -nodefaults"
#define TABLE_SIZE      4096

uint32_t rd(Gpu *g, uint32_t offset)
{
    return qtest_readl(g->qts, g->mmio + offset);
}

void wr(Gpu *g, uint32_t offset, uint32_t value)
{
    qtest_writel(g->qts, g->mmio + offset, value);
}

uint64_t rd64(Gpu *g, uint32_t offset)
{
    return rd(g, offset) | (uint64_t)rd(g, offset + 4) << 32;
}

uint32_t mem(Gpu *g, uint64_t pa)
{
    return qtest_readl(g->qts, g->ram + pa);
}

void set_mem(Gpu *g, uint64_t pa, uint32_t value)
{
    qtest_writel(g->qts, g->ram + pa, value);
}

/* The interrupt controller has no name of its own; its type tells it. */
static char *find_gic(QTestState *qts)
{
    QDict *reply = qtest_qmp(qts, "{'execute': 'qom-list', 'arguments': "
                             "{'path': '/machine/unattached'}}");
    QListEntry *e;
    char *path = NULL;

    QLIST_FOREACH_ENTRY(qdict_get_qlist(reply, "return"), e) {
        QDict *item = qobject_to(QDict, qlist_entry_obj(e));

        if (!strcmp(qdict_get_str(item, "type"), "child<arm_gic>")) {
            path = g_strdup_printf("/machine/unattached/%s",
                                   qdict_get_str(item, "name"));
        }
    }
    qobject_unref(reply);
    g_assert_nonnull(path);
    return path;
}

char *temporary_file(void)
{
    char *name;
    int fd = g_file_open_tmp("vmali-test-XXXXXX", &name, NULL);

    g_assert_cmpint(fd, >=, 0);
    close(fd);
    return name;
}

void gpu_start_several(Gpu **g, unsigned count, const char *arguments,
                       const char *const *properties)
{
    g_autoptr(GString) line = g_string_new(MACHINE " ");
    g_autofree char *gic = NULL;
    unsigned i;

    g_string_append(line, arguments);
    for (i = 0; i < count; i++) {
        g[i] = g_new0(Gpu, 1);
        g[i]->nr = i;
        g[i]->truth = temporary_file();
        g[i]->mmio = MMIO + i * MMIO_SIZE;
        g[i]->ram = i * RAM_OF_GPU;
        g[i]->next_table = TABLES_PA + TABLE_SIZE;
        g[i]->in = SHARED_PA + 0x6000;
        g[i]->out = SHARED_PA + 0x7000;
        g_string_append_printf(line, " -device vmali,id=gpu%u,truth=%s%s%s", i,
                               g[i]->truth, *properties[i] ? "," : "",
                               properties[i]);
    }
    g[0]->qts = qtest_init(line->str);
    for (i = 1; i < count; i++) {
        g[i]->qts = g[0]->qts;
    }
    gic = find_gic(g[0]->qts);
    qtest_irq_intercept_in(g[0]->qts, gic);
}

Gpu *gpu_start(const char *properties)
{
    Gpu *g;

    gpu_start_several(&g, 1, "", &properties);
    return g;
}

char *gpu_refused(const char *arguments)
{
    g_autofree char *line = g_strdup_printf("env MALLOC_PERTURB_=165 %s %s "
                                            "-accel qtest -display none %s",
                                            getenv("QTEST_QEMU_BINARY"),
                                            MACHINE, arguments);
    char *said;
    int status;

    g_assert_true(g_spawn_command_line_sync(line, NULL, &said, &status, NULL));
    g_assert_true(WIFEXITED(status));
    g_assert_cmpint(WEXITSTATUS(status), ==, 1);
    return said;
}

char *gpu_run(const char *before, const char *properties)
{
    g_autofree char *line = g_strdup_printf(
        "%s yes 'writel 0x%x 1' | head -n 2000 | timeout 60 %s %s -display "
        "none -accel qtest -qtest stdio -qtest-log /dev/null -device vmali,%s "
        ">/dev/null", before, (unsigned)MMIO, getenv("QTEST_QEMU_BINARY"),
        MACHINE, properties);
    const char *argv[] = { "/bin/sh", "-c", line, NULL };
    char *said;
    int status;

    g_assert_true(g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL, NULL, NULL,
                               &said, &status, NULL));
    g_assert_true(WIFEXITED(status));
    g_assert_cmpint(WEXITSTATUS(status), ==, 1);
    return said;
}

void gpu_map_in(Gpu *g, uint64_t root, uint64_t va, unsigned level,
                uint64_t entry)
{
    uint64_t table = g->ram + root;
    unsigned l;

    for (l = 0; l < level; l++) {
        uint64_t at = table + 8 * (va >> (39 - 9 * l) & 0x1ff);
        uint64_t next = qtest_readq(g->qts, at);

        if (!next) {
            next = (g->ram + g->next_table) | PTE_TABLE;
            g->next_table += TABLE_SIZE;
            qtest_writeq(g->qts, at, next);
        }
        table = next & ~0xfffull;
    }
    qtest_writeq(g->qts, table + 8 * (va >> (39 - 9 * level) & 0x1ff),
                 g->ram + entry);
}

void gpu_map(Gpu *g, uint64_t va, unsigned level, uint64_t entry)
{
    gpu_map_in(g, TABLES_PA, va, level, entry);
}

void gpu_as_enable_nr(Gpu *g, unsigned as, uint64_t root, uint64_t transcfg)
{
    root += g->ram;
    wr(g, AS_REG(as, TRANSTAB), root);
    wr(g, AS_REG(as, TRANSTAB + 4), root >> 32);
    wr(g, AS_REG(as, MEMATTR), MEMATTR_NORMAL);
    wr(g, AS_REG(as, MEMATTR + 4), MEMATTR_NORMAL >> 32);
    wr(g, AS_REG(as, TRANSCFG), transcfg);
    wr(g, AS_REG(as, TRANSCFG + 4), transcfg >> 32);
    wr(g, AS_REG(as, COMMAND), 1);
}

void gpu_as_enable(Gpu *g, uint64_t transcfg)
{
    gpu_as_enable_nr(g, 0, TABLES_PA, transcfg);
}

/* From architecture 14 on, the power control block does that. */
static void pwr_power_on(Gpu *g)
{
    wr(g, PWR_CMDARG, 1);
    wr(g, PWR_CMDARG + 4, 0);
    wr(g, PWR_COMMAND, PWR_UP | PWR_L2 << 8);
    g_assert_cmphex(rd(g, PWR_L2_READY), ==, 1);
    wr(g, PWR_COMMAND, PWR_DELEGATE | PWR_TILER << 8);
    wr(g, PWR_COMMAND, PWR_DELEGATE | PWR_SHADER << 8);
}

void gpu_power_on(Gpu *g)
{
    if (rd(g, 0) >> 28 >= 14) {
        pwr_power_on(g);
        return;
    }
    wr(g, L2_PWRON, 1);
    g_assert_cmphex(rd(g, L2_READY), ==, 1);
}

void gpu_boot_up(Gpu *g)
{
    uint64_t off;

    /* Small pages, then large ones */
    for (off = 0; off < SHARED_SIZE; off += 0x1000) {
        gpu_map(g, SHARED_VA + off, 3, (SHARED_PA + off) | PTE_PAGE | PTE_AF);
    }
    for (off = 0; off < RING_MAX; off += 0x200000) {
        gpu_map(g, RING_VA + off, 2, (RING_PA + off) | PTE_BLOCK | PTE_AF);
    }
    gpu_power_on(g);
    gpu_as_enable(g, TRANSCFG_4K);
    wr(g, JOB_IRQ + MASK, ~0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, MCU_STATUS), ==, 1);
    g_assert_cmphex(rd(g, JOB_IRQ + STAT), ==, JOB_GLB);
    g_assert_true(gpu_irq(g, SPI_JOB));
    wr(g, JOB_IRQ + CLEAR, ~0);
    g_assert_false(gpu_irq(g, SPI_JOB));
}

Gpu *gpu_boot(const char *properties)
{
    Gpu *g = gpu_start(properties);

    gpu_boot_up(g);
    return g;
}

void gpu_stopped(Gpu *g, unsigned violations, unsigned unimplemented)
{
    g_autofree char *end = g_strdup_printf("end violations=%u "
                                           "unimplemented=%u", violations,
                                           unimplemented);

    g_assert_cmpuint(gpu_truth_count(g, end), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "violation "), ==, violations);
    g_assert_cmpuint(gpu_truth_count(g, "unimplemented "), ==,
                     unimplemented);
    unlink(g->truth);
    g_free(g->truth);
    g_free(g);
}

void gpu_stop(Gpu *g, unsigned violations, unsigned unimplemented)
{
    qtest_quit(g->qts);
    gpu_stopped(g, violations, unimplemented);
}

bool gpu_irq(Gpu *g, int spi)
{
    /* Any answer brings the pending line changes with it. */
    rd(g, 0);
    return qtest_get_irq(g->qts, spi + NUM_SPIS * g->nr);
}

uint32_t gpu_pending(Gpu *g, uint32_t bits)
{
    return (mem(g, g->in + REQ) ^ mem(g, g->out + ACK)) & bits;
}

void gpu_request(Gpu *g, uint32_t bits, uint32_t value)
{
    set_mem(g, g->in + REQ, (mem(g, g->in + REQ) & ~bits) | (value & bits));
    wr(g, DOORBELL(0), 1);
}

void gpu_toggle(Gpu *g, uint32_t bits)
{
    gpu_request(g, bits, ~mem(g, g->out + ACK));
}

void gpu_set(Gpu *g, const char *property, unsigned value)
{
    g_autofree char *id = g_strdup_printf("gpu%u", g->nr);

    qtest_qmp_assert_success(g->qts, "{'execute': 'qom-set', 'arguments': "
                             "{'path': %s, 'property': %s, 'value': %u}}",
                             id, property, value);
}

uint64_t gpu_get(Gpu *g, const char *property)
{
    g_autofree char *id = g_strdup_printf("gpu%u", g->nr);
    QDict *reply = qtest_qmp(g->qts, "{'execute': 'qom-get', 'arguments': "
                             "{'path': %s, 'property': %s}}", id, property);
    uint64_t value = qnum_get_uint(qobject_to(QNum,
                                              qdict_get(reply, "return")));

    qobject_unref(reply);
    return value;
}

char *gpu_truth(Gpu *g)
{
    char *text;

    g_assert_true(g_file_get_contents(g->truth, &text, NULL, NULL));
    return text;
}

unsigned gpu_truth_count(Gpu *g, const char *prefix)
{
    g_autofree char *text = gpu_truth(g);
    g_auto(GStrv) line = g_strsplit(text, "\n", 0);
    unsigned i, count = 0;

    for (i = 0; line[i]; i++) {
        count += g_str_has_prefix(line[i], prefix);
    }
    return count;
}

uint64_t gpu_truth_field(Gpu *g, const char *prefix, const char *key)
{
    g_autofree char *text = gpu_truth(g);
    g_autofree char *field = g_strdup_printf(" %s=", key);
    g_auto(GStrv) line = g_strsplit(text, "\n", 0);
    const char *last = NULL;
    unsigned i;

    for (i = 0; line[i]; i++) {
        if (g_str_has_prefix(line[i], prefix)) {
            last = line[i];
        }
    }
    g_assert_nonnull(last);
    last = strstr(last, field);
    g_assert_nonnull(last);
    return g_ascii_strtoull(last + strlen(field), NULL, 0);
}

/* ---- Device tree ---- */

enum { FDT_BEGIN_NODE = 1, FDT_END_NODE, FDT_PROP, FDT_NOP, FDT_END = 9 };

uint8_t *gpu_fdt(Gpu *g, const char *path, const char *name, uint32_t *size)
{
    g_autofree uint8_t *fdt = NULL;
    g_autoptr(GString) at = g_string_new(NULL);
    uint8_t header[16];
    uint8_t *pos;
    const char *strings;
    uint32_t word;

    qtest_memread(g->qts, FDT_PA, header, sizeof(header));
    g_assert_cmphex((uint32_t)ldl_be_p(header), ==, 0xd00dfeed);
    fdt = g_malloc(ldl_be_p(header + 4));
    qtest_memread(g->qts, FDT_PA, fdt, ldl_be_p(header + 4));
    strings = (const char *)fdt + ldl_be_p(header + 12);
    for (pos = fdt + ldl_be_p(header + 8);;) {
        word = ldl_be_p(pos);
        pos += 4;
        switch (word) {
        case FDT_BEGIN_NODE:
            if (*pos) {
                g_string_append_printf(at, "/%s", (char *)pos);
            }
            pos += ROUND_UP(strlen((char *)pos) + 1, 4);
            break;
        case FDT_END_NODE:
            if (at->len) {
                g_string_truncate(at, strrchr(at->str, '/') - at->str);
            }
            break;
        case FDT_PROP:
            *size = ldl_be_p(pos);
            if (!strcmp(at->str, path) &&
                !strcmp(strings + ldl_be_p(pos + 4), name)) {
                return g_memdup2(pos + 8, MAX(*size, 1));
            }
            pos += 8 + ROUND_UP(*size, 4);
            break;
        case FDT_NOP:
            break;
        default:
            g_assert_cmpuint(word, ==, FDT_END);
            return NULL;
        }
    }
}
