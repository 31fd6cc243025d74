/*
 * QTest of the virtual Arm Mali CSF GPU: power of what has no work
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali-test-cs.h"
#include "vmali-test-prfcnt.h"

#define MS              1000000ll
#define SHADER_READY    0x140
#define TILER_READY     0x150
#define ALL_CORES       0x50005
#define COUNTER         53

/* Blocks of an entry of a G610, in their order */
enum { AT_FW, AT_FRONT, AT_TILER, AT_L2, AT_SHADER = AT_L2 + 4 };

static uint32_t word(Gpu *g, uint32_t slot, unsigned at, unsigned i)
{
    return mem(g, RING_PA + slot * G610_ENTRY + at * 256 + 4 * i);
}

static uint32_t insert(Gpu *g)
{
    return mem(g, g->out + INSERT);
}

/* Cores whose blocks an entry has */
static uint32_t cores_in(Gpu *g, uint32_t slot)
{
    uint32_t cores = 0;
    unsigned i;

    for (i = 0; i < 19; i++) {
        if (ALL_CORES >> i & 1 && word(g, slot, AT_SHADER + i, 2)) {
            cores |= 1u << i;
        }
    }
    return cores;
}

/*
 * All cores have work for 5 ms, the first one for 10 ms, the tiler for 20 ms;
 * then nothing has any for 60 ms.
 */
static const char work_then_none[] =
    "phase 5\nshader:53 100\ntiler:4 10\n"
    "phase 5\nshader[0]:53 100\ntiler:4 10\n"
    "phase 10\ntiler:4 10\n"
    "phase 60\n";

/* Counters are on, and the load begins. */
static Gpu *start(const char *properties)
{
    g_autofree char *path = NULL;
    g_autofree char *all = NULL;
    int fd = g_file_open_tmp("vmali-power-XXXXXX", &path, NULL);
    Gpu *g;

    g_assert_cmpint(fd, >=, 0);
    close(fd);
    g_assert_true(g_file_set_contents(path, work_then_none, -1, NULL));
    all = g_strdup_printf("counters=load,load=%s,auto-samples=0,%s", path,
                          properties);
    g = gpu_boot(all);
    unlink(path);
    enable(g, 4);
    return g;
}

/* Each core goes off behind a sample, and comes back with another one. */
static void test_cores(void)
{
    Gpu *g = start("idle-off=cores");

    qtest_clock_step(g->qts, 3 * MS);
    sample(g);
    g_assert_cmphex(cores_in(g, 0), ==, ALL_CORES);
    g_assert_cmphex(rd(g, SHADER_READY), ==, ALL_CORES);

    /* At 8 ms all but the first one are off, at 13 ms that one, too. */
    qtest_clock_step(g->qts, 5 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 1);
    g_assert_cmpuint(insert(g), ==, 2);
    g_assert_cmphex(cores_in(g, 1), ==, ALL_CORES);
    g_assert_cmpuint(word(g, 1, AT_SHADER + 18, COUNTER), ==, 200);
    qtest_clock_step(g->qts, 5 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 0);
    g_assert_cmpuint(insert(g), ==, 3);
    g_assert_cmphex(cores_in(g, 2), ==, 1);
    consume_g610(g);
    sample(g);
    g_assert_cmphex(cores_in(g, 3), ==, 0);
    g_assert_cmphex(word(g, 3, AT_TILER, 2), ==, 0xffff);
    g_assert_cmphex(rd(g, TILER_READY), ==, 1);

    /* They work again from 80 ms on. */
    qtest_clock_step(g->qts, 70 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, ALL_CORES);
    g_assert_cmpuint(insert(g), ==, 5);
    g_assert_cmphex(cores_in(g, 0), ==, 0);
    sample(g);
    g_assert_cmphex(cores_in(g, 1), ==, ALL_CORES);
    g_assert_cmpuint(word(g, 1, AT_SHADER + 18, COUNTER), ==, 300);
    g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "cores on=0x50005 tiler=1 "), ==, 1);
    gpu_stop(g, 0, 0);
}

/* The tiler keeps what it has counted. */
static void test_tiler(void)
{
    Gpu *g = start("idle-off=tiler,core-off-sample=none");

    qtest_clock_step(g->qts, 19 * MS);
    g_assert_cmphex(rd(g, TILER_READY), ==, 1);
    qtest_clock_step(g->qts, 3 * MS);
    g_assert_cmphex(rd(g, TILER_READY), ==, 0);
    g_assert_cmpuint(insert(g), ==, 0);
    sample(g);
    g_assert_cmphex(word(g, 0, AT_TILER, 2), ==, 0);
    g_assert_cmphex(word(g, 0, AT_FRONT, 2), ==, 0xffff);
    qtest_clock_step(g->qts, 61 * MS);
    g_assert_cmphex(rd(g, TILER_READY), ==, 1);
    sample(g);
    g_assert_cmphex(word(g, 2, AT_TILER, 2), ==, 0xffff);
    g_assert_cmpuint(word(g, 2, AT_TILER, 4), ==, 200 + 30);
    gpu_stop(g, 0, 0);
}

typedef struct {
    const char *name;           /* of core-off-sample */
    uint32_t cores;             /* that the sample has */
    bool front;                 /* that it has the front end, too */
    unsigned lost;              /* number of lines "lost" afterwards */
} Answer;

/* The first core stays on, the others go off. */
static const Answer answers[] = {
    { "all", 0x50005, true, 0 },
    { "one", 0x50004, false, 0 },
    { "busy", 0x50005, true, 0 },
    { "none", 0, true, 1 },
    { "after", 0x00001, true, 1 },
};

static void test_answer(const void *data)
{
    const Answer *a = data;
    g_autofree char *properties =
        g_strdup_printf("idle-off=cores,core-off-sample=%s", a->name);
    Gpu *g = start(properties);
    bool some = strcmp(a->name, "none");

    sample(g);
    qtest_clock_step(g->qts, 8 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 1);
    g_assert_cmpuint(insert(g), ==, 1 + some);
    if (some) {
        g_assert_cmphex(cores_in(g, 1), ==, a->cores);
        g_assert_cmphex(word(g, 1, AT_FRONT, 2) != 0, ==, a->front);
    }
    sample(g);
    g_assert_cmphex(cores_in(g, 1 + some), ==, 1);
    g_assert_cmpuint(gpu_truth_count(g, "lost reason=core-off "), ==, a->lost);

    /* What comes back later has nothing of the time before. */
    consume_g610(g);
    qtest_clock_step(g->qts, 74 * MS);
    sample(g);
    g_assert_cmphex(cores_in(g, (insert(g) - 1) % 4), ==, ALL_CORES);
    g_assert_cmpuint(word(g, (insert(g) - 1) % 4, AT_SHADER + 18, COUNTER), ==,
                     200);
    gpu_stop(g, 0, 0);
}

/* Nothing to report: the core that counted nothing is not in the sample. */
static void test_idle_core(void)
{
    Gpu *g = start("idle-off=cores,core-off-sample=busy");

    /* 62,500,000 Hz and units of 1024: 15.99 ms without work */
    put(g, PWROFF_TIMER, 976);
    qtest_clock_step(g->qts, 7 * MS);
    sample(g);
    qtest_clock_step(g->qts, 15 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 1);
    g_assert_cmpuint(insert(g), ==, 2);
    g_assert_cmphex(cores_in(g, 1), ==, 1);
    g_assert_cmpuint(word(g, 1, AT_SHADER, COUNTER), ==, 300);
    gpu_stop(g, 0, 0);
}

/* Without room for the sample, nothing goes off yet, or counts are lost. */
static void test_full_ring(const void *data)
{
    const char *full_ring = data;
    bool waits = !strcmp(full_ring, "wait");
    g_autofree char *properties =
        g_strdup_printf("idle-off=cores,full-ring=%s", full_ring);
    Gpu *g = start(properties);
    unsigned i;

    for (i = 0; i < 4; i++) {
        sample(g);
    }
    qtest_clock_step(g->qts, 8 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, (waits ? ALL_CORES : 1));
    g_assert_cmphex(gpu_pending(g, GLB_OVERFLOW), ==, GLB_OVERFLOW);
    consume_g610(g);
    gpu_request(g, GLB_OVERFLOW, mem(g, g->out + ACK));
    qtest_clock_step(g->qts, 1 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 1);
    sample(g);
    if (waits) {
        g_assert_cmpuint(insert(g), ==, 6);
        g_assert_cmpuint(word(g, 0, AT_SHADER + 18, COUNTER), ==, 500);
        g_assert_cmpuint(gpu_truth_count(g, "lost "), ==, 0);
    } else {
        g_assert_cmpuint(insert(g), ==, 5);
        g_assert_cmpuint(gpu_truth_count(g, "lost reason=overflow "), ==, 1);
    }
    gpu_stop(g, 0, 0);
}

/* The host switches cores itself, and a boot finds all of them on. */
static void test_host(void)
{
    Gpu *g = start("idle-off=tiler");

    put(g, PWROFF_TIMER, 0);
    qtest_clock_step(g->qts, 30 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, ALL_CORES);
    g_assert_cmphex(rd(g, TILER_READY), ==, 1);
    /* 62,500,000 Hz and units of 1024: 15.99 ms without work */
    put(g, PWROFF_TIMER, 976);
    qtest_clock_step(g->qts, 1 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 0);
    g_assert_cmphex(rd(g, TILER_READY), ==, 1);
    qtest_clock_step(g->qts, 6 * MS);
    g_assert_cmphex(rd(g, TILER_READY), ==, 0);

    consume_g610(g);
    disable(g);
    gpu_request(g, GLB_HALT, GLB_HALT);
    set_mem(g, g->in + REQ, mem(g, g->in + REQ) & ~GLB_HALT);
    wr(g, MCU_CONTROL, 0);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 0);
    wr(g, MCU_CONTROL, 2);
    g_assert_cmphex(rd(g, SHADER_READY), ==, ALL_CORES);
    g_assert_cmphex(rd(g, TILER_READY), ==, 1);
    gpu_stop(g, 0, 0);
}

/* A job brings the cores back that it may use, before it counts. */
static void test_work(void)
{
    Gpu *g = cs_boot("counters=work,auto-samples=0,mcu-cost=off,"
                     "idle-off=tiler");

    group_setup(g, 0, 1);
    qtest_writeq(g->qts, CSG_IN(0) + 0x28, 0x10001);
    group_request(g, 0, CSG_START, CSG_EP_CFG);
    enable(g, 8);
    qtest_clock_step(g->qts, 2 * MS);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 0);
    g_assert_cmpuint(insert(g), ==, 1);

    /* A fragment job of three tiles, then a triangle */
    emit(g, 0, 0, MOVE32(42, 16 | 16 << 16));
    emit(g, 0, 0, MOVE32(43, 48 | 31 << 16));
    emit(g, 0, 0, INSN(7, 0));
    submit(g, 0, 0);
    g_assert_cmphex(rd(g, SHADER_READY), ==, 0x10001);
    g_assert_cmphex(rd(g, TILER_READY), ==, 0);
    g_assert_cmpuint(insert(g), ==, 2);
    g_assert_cmphex(cores_in(g, 1), ==, 0);
    emit(g, 0, 0, MOVE32(33, 3));
    emit(g, 0, 0, MOVE32(56, 0));
    emit(g, 0, 0, INSN(6, 8));
    submit(g, 0, 0);
    g_assert_cmphex(rd(g, TILER_READY), ==, 1);
    g_assert_cmpuint(insert(g), ==, 3);
    g_assert_cmphex(cores_in(g, 2), ==, 0x10001);
    g_assert_cmpuint(word(g, 2, AT_SHADER, 4), ==, 300);
    g_assert_cmpuint(word(g, 2, AT_SHADER + 16, 18), ==, 1);
    g_assert_cmphex(word(g, 2, AT_TILER, 2), ==, 0);
    sample(g);
    g_assert_cmpuint(word(g, 3, AT_TILER, 6), ==, 1);
    gpu_stop(g, 0, 0);
}

#define ARCH14          "gpu-id=0xe8800000,shader-present=0x550555"

static void pwr(Gpu *g, unsigned code, unsigned domain, uint64_t argument)
{
    wr(g, PWR_CMDARG, argument);
    wr(g, PWR_CMDARG + 4, argument >> 32);
    wr(g, PWR_COMMAND, code | domain << 8);
}

/* Events of the power control block since the last look, and only these */
static void pwr_events(Gpu *g, uint32_t events)
{
    g_assert_cmphex(rd(g, PWR_IRQ + STAT), ==, events);
    g_assert_cmpint(gpu_irq(g, SPI_GPU), ==, events != 0);
    wr(g, PWR_IRQ + CLEAR, ~0);
    g_assert_false(gpu_irq(g, SPI_GPU));
}

/* The host has the domains of an architecture 14 until it delegates them. */
static void test_pwr(void)
{
    Gpu *g = gpu_start(ARCH14);

    wr(g, PWR_IRQ + MASK, ~0);
    g_assert_cmphex(rd(g, PWR_SHADER_PRESENT), ==, 0x550555);
    g_assert_cmphex(rd(g, PWR_STATUS), ==, 1 << 0 | 1 << 1 | 1 << 8);
    g_assert_cmphex(rd(g, PWR_STATUS + 4), ==, 3 << 1);
    pwr(g, PWR_UP, PWR_L2, 1);
    g_assert_cmphex(rd(g, PWR_L2_READY), ==, 1);
    pwr_events(g, 1 << 0 | 1 << 1);
    pwr(g, PWR_UP, PWR_SHADER, 0x105);
    g_assert_cmphex(rd(g, PWR_SHADER_READY), ==, 0x105);
    pwr(g, PWR_DOWN, PWR_SHADER, 0x100);
    g_assert_cmphex(rd(g, PWR_SHADER_READY), ==, 5);
    pwr_events(g, 1 << 0 | 1 << 1);

    pwr(g, PWR_DELEGATE, PWR_TILER, 0);
    pwr(g, PWR_DELEGATE, PWR_SHADER, 0);
    pwr_events(g, 1 << 2);
    g_assert_cmphex(rd(g, PWR_STATUS), ==, 1 << 0 | 1 << 17 | 1 << 24);
    pwr(g, PWR_DOWN, PWR_SHADER, ~0ull);
    pwr_events(g, 1u << 30);
    g_assert_cmphex(rd(g, PWR_SHADER_READY), ==, 5);
    pwr(g, PWR_DELEGATE, PWR_L2, 0);
    pwr_events(g, 1u << 30);
    pwr(g, 0x77, PWR_L2, 0);
    pwr(g, PWR_UP, 3, 1);
    pwr_events(g, 1u << 31);

    pwr(g, PWR_RETRACT, PWR_SHADER, 0);
    pwr_events(g, 1 << 2 | 1 << 4);
    g_assert_cmphex(rd(g, PWR_STATUS), ==, 1 << 0 | 1 << 8 | 1 << 17);
    pwr(g, PWR_DOWN, PWR_L2, 1);
    g_assert_cmphex(rd(g, PWR_SHADER_READY), ==, 0);
    pwr_events(g, 1 << 0 | 1 << 1);
    pwr(g, PWR_INSPECT, PWR_L2, 0);
    pwr_events(g, 1 << 5);
    gpu_stop(g, 0, 0);
}

/* A reset takes the domains back. The events of the GPU share the line. */
static void test_pwr_reset(void)
{
    Gpu *g = gpu_boot(ARCH14 ",core-off=off");

    enable(g, 4);
    sample(g);
    g_assert_cmphex(rd(g, PWR_SHADER_READY), ==, 0x550555);
    g_assert_cmphex(rd(g, PWR_TILER_READY), ==, 1);
    wr(g, PWR_IRQ + CLEAR, ~0);
    wr(g, PWR_IRQ + MASK, 1 << 3);
    wr(g, GPU_IRQ + MASK, ~0);
    wr(g, GPU_IRQ + CLEAR, ~0);
    wr(g, GPU_COMMAND, 4);
    g_assert_true(gpu_irq(g, SPI_GPU));
    pwr(g, PWR_SOFT_RESET, 0, 0);
    g_assert_cmphex(rd(g, PWR_IRQ + STAT), ==, 1 << 3);
    wr(g, PWR_IRQ + CLEAR, ~0);
    g_assert_true(gpu_irq(g, SPI_GPU));
    wr(g, GPU_IRQ + CLEAR, ~0);
    g_assert_false(gpu_irq(g, SPI_GPU));
    g_assert_cmphex(rd(g, PWR_STATUS), ==, 1 << 0 | 1 << 1 | 1 << 8);
    g_assert_cmphex(rd(g, PWR_L2_READY), ==, 0);
    g_assert_cmpuint(gpu_truth_count(g, "reset kind=soft "), ==, 1);
    pwr(g, PWR_FAST_RESET, 0, 0);
    g_assert_cmpuint(gpu_truth_count(g, "reset kind=fast "), ==, 1);
    /* The registers of older architectures are not there. */
    rd(g, SHADER_READY);
    wr(g, GPU_COMMAND, 1 | 1 << 8);
    g_assert_cmpuint(gpu_truth_count(g, "reset "), ==, 2);
    gpu_stop(g, 1, 1);
}

static void test_refused(void)
{
    static const struct {
        const char *properties;
        const char *message;
    } cases[] = {
        { "idle-off=cores", "idle-off: goes with counters=work or load" },
        { "ring-cache=on,coherent=on", "ring-cache: memory is coherent" },
        /* There is no TCG here. */
        { "ring-cache=on", "ring-cache: only for CPUs of arm64" },
    };
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(cases); i++) {
        g_autofree char *command =
            g_strdup_printf("%s -M virt -display none -nodefaults -accel qtest "
                            "-device vmali,%s 2>&1",
                            getenv("QTEST_QEMU_BINARY"), cases[i].properties);
        char line[200];
        FILE *said = popen(command, "r");

        g_assert_nonnull(said);
        g_assert_nonnull(fgets(line, sizeof(line), said));
        g_assert_nonnull(strstr(line, cases[i].message));
        g_assert_cmpint(pclose(said), !=, 0);
    }
}

void add_power_tests(void)
{
    unsigned i;

    qtest_add_func("/vmali/power/cores", test_cores);
    qtest_add_func("/vmali/power/tiler", test_tiler);
    for (i = 0; i < ARRAY_SIZE(answers); i++) {
        g_autofree char *path = g_strdup_printf("/vmali/power/sample/%s",
                                                answers[i].name);

        qtest_add_data_func(path, &answers[i], test_answer);
    }
    qtest_add_func("/vmali/power/idle-core", test_idle_core);
    qtest_add_data_func("/vmali/power/full-ring/wait", "wait", test_full_ring);
    qtest_add_data_func("/vmali/power/full-ring/lose", "lose", test_full_ring);
    qtest_add_data_func("/vmali/power/full-ring/lose-off", "lose-off",
                        test_full_ring);
    qtest_add_func("/vmali/power/host", test_host);
    qtest_add_func("/vmali/power/work", test_work);
    qtest_add_func("/vmali/power/refused", test_refused);
    qtest_add_func("/vmali/power/pwr", test_pwr);
    qtest_add_func("/vmali/power/pwr-reset", test_pwr_reset);
}
