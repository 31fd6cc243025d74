/*
 * QTest of the virtual Arm Mali CSF GPU: counters of a load
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-prfcnt.h"

#define US              1000ll
#define MS              (1000 * US)

/* Blocks of an entry of a G610, in their order */
enum { AT_FW, AT_FRONT, AT_TILER, AT_L2, AT_SHADER = AT_L2 + 4 };

static const char two_phases[] =
    "# a comment, and an empty line\n"
    "\n"
    "phase 10 the first one\n"
    "    cshw:4 1000\n"
    "    shader:53 400\n"
    "    shader[2]:53 7\n"
    "    memsys:32 3000000\n"
    "phase 5\n"
    "\tcshw:4   200  \t\r\n"
    "\tshader[0]:26 1\n";

static uint32_t counter(Gpu *g, uint32_t slot, unsigned at, unsigned word)
{
    return mem(g, RING_PA + slot * G610_ENTRY + at * 256 + 4 * word);
}

/* A file of that text; the caller unlinks and frees it. */
static char *load_file(const char *text)
{
    char *path = NULL;
    int fd = g_file_open_tmp("vmali-load-XXXXXX", &path, NULL);

    g_assert_cmpint(fd, >=, 0);
    close(fd);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static Gpu *load_boot(const char *path)
{
    g_autofree char *properties =
        g_strdup_printf("counters=load,load=%s,auto-samples=0", path);

    return gpu_boot(properties);
}

static void test_phases(void)
{
    g_autofree char *path = load_file(two_phases);
    Gpu *g = load_boot(path);

    /* What passes before counters are enabled does not count. */
    qtest_clock_step(g->qts, 3 * MS);
    enable(g, 4);

    /* 4 ms of the first phase: 1000, 400 and 3,000,000 a ms */
    qtest_clock_step(g->qts, 4 * MS);
    sample(g);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 4), ==, 4000);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 5), ==, 0);
    g_assert_cmpuint(counter(g, 0, AT_SHADER, 53), ==, 1600);
    g_assert_cmpuint(counter(g, 0, AT_SHADER + 2, 53), ==, 28);
    g_assert_cmpuint(counter(g, 0, AT_SHADER + 16, 53), ==, 1600);
    g_assert_cmpuint(counter(g, 0, AT_L2 + 3, 32), ==, 12000000);

    /* The other 6 ms of it, and 2 ms of the second phase */
    qtest_clock_step(g->qts, 8 * MS);
    sample(g);
    g_assert_cmpuint(counter(g, 1, AT_FRONT, 4), ==, 6000 + 400);
    g_assert_cmpuint(counter(g, 1, AT_SHADER, 53), ==, 2400);
    g_assert_cmpuint(counter(g, 1, AT_SHADER, 26), ==, 2);
    g_assert_cmpuint(counter(g, 1, AT_SHADER + 2, 26), ==, 0);

    /* The rest, two whole rounds, and 1 ms of the next one */
    qtest_clock_step(g->qts, 3 * MS + 2 * 15 * MS + 1 * MS);
    sample(g);
    g_assert_cmpuint(counter(g, 2, AT_FRONT, 4), ==,
                     600 + 2 * (10000 + 1000) + 1000);
    g_assert_cmpuint(counter(g, 2, AT_SHADER, 26), ==, 3 + 2 * 5);

    /* An enable begins anew. */
    consume_g610(g);
    disable(g);
    enable(g, 4);
    qtest_clock_step(g->qts, 11 * MS);
    sample(g);
    g_assert_cmpuint(counter(g, 0, AT_FRONT, 4), ==, 10000 + 200);
    gpu_stop(g, 0, 0);
    unlink(path);
}

/* However often samples are taken, they add up to the same. */
static void test_conservation(void)
{
    g_autofree char *path = load_file("phase 7\nshader:9 333\nphase 1\n");
    Gpu *g = load_boot(path);
    uint64_t sum = 0;
    unsigned i;

    enable(g, 4);
    for (i = 0; i < 1000; i++) {
        qtest_clock_step(g->qts, 17 * US + i);
        sample(g);
        sum += counter(g, i % 4, AT_SHADER, 9);
        consume_g610(g);
    }
    /* 17,499,500 ns: two rounds of 8 ms, and 1,499,500 ns of the third */
    g_assert_cmpuint(sum, ==, (uint64_t)(14000000 + 1499500) * 333 / 1000000);
    gpu_stop(g, 0, 0);
    unlink(path);
}

static void test_saturation(void)
{
    g_autofree char *path = load_file("phase 10\nfw:4 4294967295\n");
    Gpu *g = load_boot(path);

    enable(g, 4);
    qtest_clock_step(g->qts, 1 * MS);
    sample(g);
    g_assert_cmpuint(counter(g, 0, AT_FW, 4), ==, UINT32_MAX);
    qtest_clock_step(g->qts, 2 * MS);
    sample(g);
    g_assert_cmpuint(counter(g, 1, AT_FW, 4), ==, UINT32_MAX);
    gpu_stop(g, 0, 0);
    unlink(path);
}

/* QEMU does not start with what is no load, and says where. */
static void test_mistakes(void)
{
    static const struct {
        const char *text;
        const char *message;
    } c[] = {
        { "", "there is no phase" },
        { "# nothing\n", "there is no phase" },
        { "phase 0\n", ":1: neither" },
        { "phase\n", ":1: neither" },
        { "phase 1x\n", ":1: neither" },
        { "cshw:4 1\nphase 1\n", ":1: neither" },
        { "phase 1\ncshw 4\n", ":2: neither" },
        { "phase 1\n\ncshw:3 1\n", ":3: neither" },
        { "phase 1\ncshw:64 1\n", ":2: neither" },
        { "phase 1\nshade:4 1\n", ":2: neither" },
        { "phase 1\nshader[64]:4 1\n", ":2: neither" },
        { "phase 1\nshader[0:4 1\n", ":2: neither" },
        { "phase 1\nshader:4 4294967296\n", ":2: neither" },
        { "phase 1\nshader:4 1 2\n", ":2: neither" },
        { "phase 1\nshader:4\n", ":2: neither" },
        { "phase 1\nmetadata:4 1\n", ":2: neither" },
    };
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(c); i++) {
        g_autofree char *path = load_file(c[i].text);
        g_autofree char *errors = g_strdup_printf("%s.err", path);
        g_autofree char *command =
            g_strdup_printf("%s -M virt -display none -nodefaults -device "
                            "vmali,counters=load,load=%s 2>%s",
                            getenv("QTEST_QEMU_BINARY"), path, errors);
        g_autofree char *said = NULL;

        g_assert_cmpint(system(command), !=, 0);
        g_assert_true(g_file_get_contents(errors, &said, NULL, NULL));
        if (!strstr(said, c[i].message)) {
            g_error("load '%s': '%s', not '%s'", c[i].text, said,
                    c[i].message);
        }
        unlink(errors);
        unlink(path);
    }
}

/* counters=load and load=FILE need each other. */
static void test_pair(void)
{
    g_autofree char *without = gpu_refused("-device vmali,counters=load");
    g_autofree char *unused = gpu_refused("-device vmali,load=/dev/null");

    g_assert_nonnull(strstr(without, "counters=load: needs load=FILE"));
    g_assert_nonnull(strstr(unused, "load: needs counters=load"));
}

void add_load_tests(void)
{
    qtest_add_func("/vmali/load/phases", test_phases);
    qtest_add_func("/vmali/load/conservation", test_conservation);
    qtest_add_func("/vmali/load/saturation", test_saturation);
    qtest_add_func("/vmali/load/mistakes", test_mistakes);
    qtest_add_func("/vmali/load/pair", test_pair);
}
