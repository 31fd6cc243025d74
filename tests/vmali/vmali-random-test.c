/*
 * QTest of the virtual Arm Mali CSF GPU: random machines
 *
 * usage: vmali-random-test [--first SEED] [--machines N | --seconds N]
 *                          [--steps N] [--controls] [--comments]
 *
 * Runs N machines with N steps each: seeds SEED, SEED + 1, and so on (24
 * machines of 400 steps from seed 1). Each is a process of its own, so that
 * whatever happens to it is a result, with the last actions of the guest.
 * Results are the controls, which must find what is put into them, and the
 * machines as a whole. A machine with a finding is a result of its own. It runs
 * again up to the same step with --first SEED --machines 1 --steps STEP.
 *
 * A machine with a CPU that maintains caches depends on real time, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/misc/vmali_compat.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include "vmali-test-random.h"

/*
 * A step takes milliseconds, but the host may be a busy one. In a millisecond
 * of the guest's time, streams execute cs-budget instructions.
 */
#define STEP_SECONDS            120
#define STUCK_SECONDS           2
#define STEP_CPU_NS             2000000000ull
#define CPU_PER_TIME            10
#define POLL_US                 2000
#define CHECK_PERIOD            16
#define SHOWN_BYTES             4000
#define ENOUGH_STEPS            5000

/* What is done to a machine that must be found */
typedef enum Control {
    CONTROL_NONE,
    CONTROL_GUARD,              /* a byte changes that no GPU may change */
    CONTROL_TABLES,             /* likewise in a page table */
    CONTROL_CRASH,              /* QEMU dies */
    CONTROL_STUCK,              /* a step that does not end */
} Control;

typedef struct Options {
    gint64 first;
    int machines;
    int seconds;
    int steps;
    gboolean controls;
    gboolean comments;
} Options;

/* Sums over all machines */
typedef struct Totals {
    unsigned machines;
    unsigned found;
    uint64_t steps;
    uint64_t ops;
    uint64_t reset_checks;
    uint64_t clock;
    uint64_t done[NUM_DEEDS];
    GHashTable *properties;
} Totals;

static unsigned results;

/* ---- Random numbers ---- */

uint64_t draw(Machine *m)
{
    uint64_t x = m->state += 0x9e3779b97f4a7c15ull;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

uint64_t below(Machine *m, uint64_t n)
{
    return draw(m) % n;
}

bool chance(Machine *m, unsigned n)
{
    return below(m, 100) < n;
}

uint64_t interesting(Machine *m)
{
    static const uint64_t va[] = {
        V_SHARED, V_RING, V_PAGES, V_SUSPEND, V_BOX, V_BOX + BOX_CODE,
        V_BOX + BOX_DATA, V_HOLE, 1ull << 47, 1ull << 48, 0x0c000000,
        0x09000000, 0x40000000, 0x41000000, 0x50000000,
    };

    switch (below(m, 8)) {
    case 0:
        return below(m, 4);
    case 1:
        return 1ull << below(m, 64);
    case 2:
        return (1ull << below(m, 64)) - 1;
    case 3:
        return ~(uint64_t)below(m, 16);
    case 4:
        return below(m, 4096);
    case 5:
        return pick(m, va) + below(m, 16) * (chance(m, 50) ? 4 : 4096);
    default:
        return draw(m);
    }
}

/* ---- What a machine leaves behind ---- */

void note(Machine *m, const char *fmt, ...)
{
    Shared *s = m->shared;
    char *line = s->trail[s->lines++ % TRAIL_LINES];
    int used = snprintf(line, TRAIL_WIDTH, "step %u: ", s->step);
    va_list args;

    va_start(args, fmt);
    vsnprintf(line + used, TRAIL_WIDTH - used, fmt, args);
    va_end(args);
}

void finding(Machine *m, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(m->shared->why, sizeof(m->shared->why), fmt, args);
    va_end(args);
    abort();
}

/* ---- A machine, in its own process ---- */

static const struct {
    void (*act)(Machine *m, Unit *u);
    unsigned weight;
} acts[] = {
    { act_register, 14 }, { act_irq, 4 }, { act_tables, 8 },
    { act_address_space, 5 }, { act_power, 3 }, { act_scribble, 6 },
    { act_boot, 14 }, { act_interface, 10 }, { act_request, 8 },
    { act_counters, 10 }, { act_extract, 6 }, { act_group, 10 },
    { act_stream, 20 }, { act_code, 6 }, { act_events, 6 },
    { act_suspend_buffer, 8 },
};

/* Time passes, for timers of the GPU. */
static void act_clock(Machine *m)
{
    static const int64_t ns[] = {
        1000, 150000, 1000000, 1000001, 5000000, 20000000, 520000000,
    };
    int64_t step = pick(m, ns);

    if (m->caches) {
        g_usleep(1000);
        return;
    }
    note(m, "clock +%" PRId64 " ns", step);
    m->passed += step;
    qtest_clock_step(m->unit[0].g->qts, step);
}

static void act_machine_reset(Machine *m)
{
    unsigned i;

    note(m, "system_reset");
    qtest_qmp_assert_success(m->unit[0].g->qts,
                             "{'execute': 'system_reset'}");
    qtest_qmp_eventwait(m->unit[0].g->qts, "RESET");
    for (i = 0; i < m->count; i++) {
        memset(m->unit[i].raised, 0, sizeof(m->unit[i].raised));
    }
}

static void step(Machine *m)
{
    Unit *u = &m->unit[below(m, m->count)];
    unsigned i, left, sum = 0;

    if (chance(m, 8)) {
        act_clock(m);
        return;
    }
    if (below(m, 1500) == 0) {
        act_machine_reset(m);
        return;
    }
    if (below(m, 250) == 0) {
        check_health(m, u);
        return;
    }
    for (i = 0; i < ARRAY_SIZE(acts); i++) {
        sum += acts[i].weight;
    }
    left = below(m, sum);
    for (i = 0; left >= acts[i].weight; i++) {
        left -= acts[i].weight;
    }
    acts[i].act(m, u);
}

static void control(Machine *m, Control what)
{
    switch (what) {
    case CONTROL_GUARD:
        *(uint8_t *)ram(m, LOW_GUARD_PA + 12345) ^= 1;
        break;
    case CONTROL_TABLES:
        *(uint8_t *)ram(m, m->unit[0].window + 8 * 123) ^= 1;
        break;
    case CONTROL_CRASH:
        kill(m->shared->qemu, SIGSEGV);
        break;
    case CONTROL_STUCK:
        m->shared->stuck = true;
        sleep(3600);
        break;
    default:
        break;
    }
}

static uint64_t cpu_time(Machine *m)
{
    struct timespec t;
    clockid_t clock;

    /* The CPU of the machine is busy all the time then. */
    if (m->caches || clock_getcpuclockid(m->shared->qemu, &clock) ||
        clock_gettime(clock, &t)) {
        return 0;
    }
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void timed_step(Machine *m)
{
    Shared *s = m->shared;
    uint64_t before = cpu_time(m), took;

    m->passed = 0;
    step(m);
    took = cpu_time(m) - before;
    if (took > s->clock) {
        s->clock = took;
        s->clock_step = s->step;
    }
    if (took > STEP_CPU_NS + CPU_PER_TIME * m->passed) {
        finding(m, "the step took %" PRIu64 " ms of CPU time", took / 1000000);
    }
}

/* The machine's RAM is a file, so that both of us have it. */
static char *map_ram(Machine *m)
{
    const char *dir = access("/dev/shm", W_OK) ? g_get_tmp_dir() : "/dev/shm";
    char *name = g_strdup_printf("%s/vmali-random-XXXXXX", dir);
    int fd = mkstemp(name);

    g_assert_cmpint(fd, >=, 0);
    g_strlcpy(m->shared->memory, name, sizeof(m->shared->memory));
    g_assert_cmpint(ftruncate(fd, RAM_BYTES), ==, 0);
    m->ram = mmap(NULL, RAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    g_assert_true(m->ram != MAP_FAILED);
    close(fd);
    return name;
}

static pid_t read_pid(const char *name)
{
    g_autofree char *text = NULL;

    g_assert_true(g_file_get_contents(name, &text, NULL, NULL));
    return g_ascii_strtoull(text, NULL, 10);
}

static void start(Machine *m)
{
    g_autofree char *memory = map_ram(m);
    g_autofree char *pid = temporary_file();
    g_autofree char *arguments = g_strdup_printf(
        "-object memory-backend-file,id=ram,size=256M,share=on,mem-path=%s "
        "-machine memory-backend=ram -pidfile %s %s", memory, pid,
        m->arguments);
    Gpu *g[MAX_GPUS];
    unsigned i;

    gpu_start_several(g, m->count, arguments,
                      (const char *const *)m->properties);
    m->shared->qemu = read_pid(pid);
    unlink(pid);
    unlink(memory);
    if (m->load) {
        unlink(m->load);
    }
    if (m->code) {
        unlink(m->code);
    }
    for (i = 0; i < m->count; i++) {
        m->unit[i].g = g[i];
        m->unit[i].window = WINDOW_PA(i);
        g_strlcpy(m->shared->log[i], g[i]->truth, sizeof(m->shared->log[i]));
    }
}

static void stop(Machine *m)
{
    uint64_t violations[MAX_GPUS], unimplemented[MAX_GPUS];
    unsigned i;

    for (i = 0; i < m->count; i++) {
        m->shared->done[DEED_INSTRUCTION] += gpu_get(m->unit[i].g,
                                                     "instructions");
        m->shared->done[DEED_FAULT] += gpu_get(m->unit[i].g, "faults");
        violations[i] = gpu_get(m->unit[i].g, "violations");
        unimplemented[i] = gpu_get(m->unit[i].g, "unimplemented");
    }
    qtest_quit(m->unit[0].g->qts);
    for (i = 0; i < m->count; i++) {
        check_log(m, &m->unit[i], violations[i], unimplemented[i]);
    }
}

static void run_machine(uint64_t seed, unsigned steps, Control what,
                        Shared *shared)
{
    Machine *m = g_new0(Machine, 1);
    unsigned i;

    m->seed = seed;
    m->state = seed * 0x632be59bd9b4e019ull;
    m->shared = shared;
    props_draw(m);
    m->closed |= what != CONTROL_NONE;
    for (i = 0; i < m->count; i++) {
        g_strlcat(shared->properties, i ? " / " : "",
                  sizeof(shared->properties));
        g_strlcat(shared->properties, m->properties[i],
                  sizeof(shared->properties));
    }
    g_strlcat(shared->properties, m->closed ? " (closed)" : " (open)",
              sizeof(shared->properties));
    start(m);
    guards_init(m);
    for (i = 0; i < m->count; i++) {
        tables_init(m, &m->unit[i]);
        if (chance(m, 90)) {
            power_init(m, &m->unit[i]);
            as_init(m, &m->unit[i]);
            fw_boot(m, &m->unit[i]);
        }
    }
    while (shared->steps < steps) {
        shared->step++;
        timed_step(m);
        shared->steps++;
        if (shared->step == steps / 2) {
            control(m, what);
        }
        if (shared->step % CHECK_PERIOD == 0) {
            for (i = 0; i < m->count; i++) {
                check_lines(m, &m->unit[i]);
            }
            check_memory(m);
        }
    }
    for (i = 0; i < m->count; i++) {
        check_health(m, &m->unit[i]);
    }
    check_memory(m);
    stop(m);
}

/* ---- Machines, as seen from outside ---- */

/* What a process wrote, as comments */
static void show(const char *name)
{
    g_autofree char *text = NULL;
    g_auto(GStrv) line = NULL;
    gsize size;
    unsigned i;

    if (!g_file_get_contents(name, &text, &size, NULL)) {
        return;
    }
    line = g_strsplit(text + (size > SHOWN_BYTES ? size - SHOWN_BYTES : 0),
                      "\n", 0);
    for (i = 0; line[i]; i++) {
        printf("#   %s\n", line[i]);
    }
}

static void show_trail(const Shared *s)
{
    uint64_t i = s->lines > TRAIL_LINES ? s->lines - TRAIL_LINES : 0;

    for (; i < s->lines; i++) {
        printf("#   %s\n", s->trail[i % TRAIL_LINES]);
    }
}

/*
 * A truth log that has reached its size ends QEMU, with a sentence. That log
 * must not have grown much beyond: by the line, or by the sample.
 */
static bool ended_by_log(const Shared *s, const char *said)
{
    g_autofree char *text = NULL;
    struct stat st;
    unsigned i;

    if (!g_file_get_contents(said, &text, NULL, NULL) ||
        !strstr(text, "has reached truth-size")) {
        return false;
    }
    for (i = 0; i < MAX_GPUS; i++) {
        if (*s->log[i] && strstr(text, s->log[i])) {
            return !stat(s->log[i], &st) && st.st_size <= (3 << 20);
        }
    }
    return false;
}

/* Return: whether the process ended in time */
static bool wait_for(pid_t pid, const Shared *s, int *status)
{
    gint64 since = g_get_monotonic_time();
    uint32_t seen = s->step;
    unsigned seconds;

    while (waitpid(pid, status, WNOHANG) != pid) {
        seconds = s->stuck ? STUCK_SECONDS : STEP_SECONDS;
        if (s->step != seen) {
            seen = s->step;
            since = g_get_monotonic_time();
        } else if (g_get_monotonic_time() - since >
                   seconds * G_TIME_SPAN_SECOND) {
            kill(pid, SIGKILL);
            waitpid(pid, status, 0);
            return false;
        }
        g_usleep(POLL_US);
    }
    return true;
}

/*
 * Return: NULL, or what was found. QEMU goes with the process that started it.
 */
static char *run_seed(uint64_t seed, unsigned steps, Control what, Shared *s,
                      const char *said)
{
    int status, fd;
    pid_t pid;

    memset(s, 0, sizeof(*s));
    fflush(stdout);
    pid = fork();
    g_assert_cmpint(pid, >=, 0);
    if (!pid) {
        fd = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
        run_machine(seed, steps, what, s);
        _exit(0);
    }
    if (!wait_for(pid, s, &status)) {
        return g_strdup("a step did not end");
    }
    if (WIFEXITED(status) && !WEXITSTATUS(status)) {
        return NULL;
    }
    if (*s->why) {
        return g_strdup(s->why);
    }
    if (ended_by_log(s, said)) {
        return NULL;
    }
    return g_strdup("QEMU or the test died");
}

static void result(bool ok, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

static void result(bool ok, const char *fmt, ...)
{
    g_autofree char *text = NULL;
    va_list args;

    va_start(args, fmt);
    text = g_strdup_vprintf(fmt, args);
    va_end(args);
    printf("%sok %u %s\n", ok ? "" : "not ", ++results, text);
    fflush(stdout);
}

static void forget_files(const Shared *s)
{
    unsigned i;

    unlink(s->memory);
    for (i = 0; i < MAX_GPUS; i++) {
        if (*s->log[i]) {
            unlink(s->log[i]);
        }
    }
}

/* ---- Controls ---- */

static bool run_controls(Shared *s, const char *said)
{
    static const struct {
        Control what;
        const char *name;
        const char *why;
    } c[] = {
        { CONTROL_GUARD, "a change of foreign memory",
          "memory outside of the windows has changed" },
        { CONTROL_TABLES, "a change of a page table",
          "a page table has changed" },
        { CONTROL_CRASH, "the end of QEMU", "died" },
        { CONTROL_STUCK, "a step without an end", "a step did not end" },
    };
    bool good = true;
    uint64_t digest;
    unsigned i;

    for (i = 0; i < ARRAY_SIZE(c); i++) {
        g_autofree char *why = run_seed(1, 40, c[i].what, s, said);
        bool ok = why && strstr(why, c[i].why) && s->step >= 20;

        result(ok, "/vmali/random/control/%s is found%s%s", c[i].name,
               ok ? "" : " - ", ok ? "" : why ?: "nothing was");
        good &= ok;
        forget_files(s);
    }

    for (i = 0, digest = 0; i < 2; i++) {
        g_autofree char *why = run_seed(2, 150, CONTROL_NONE, s, said);
        bool ok = !why && (!i || s->digest == digest);

        digest = s->digest;
        if (i || !ok) {
            result(ok, "/vmali/random/control/a seed is one machine%s%s",
                   ok ? "" : " - ", ok ? "" : why ?: "two runs differ");
            good &= ok;
            break;
        }
    }
    return good;
}

/* ---- All of them ---- */

/* Machines in which nothing happens find nothing. */
static bool did_enough(const Totals *t)
{
    static const struct {
        const char *name;
        unsigned per_1000_steps;
    } deed[NUM_DEEDS] = {
        [DEED_INSTRUCTION] = { "instructions", 400 },
        [DEED_FAULT] = { "exceptions", 40 },
        [DEED_BOOT] = { "boots", 10 },
        [DEED_ENABLE] = { "enables of counters", 10 },
        [DEED_SAMPLE] = { "samples", 10 },
        [DEED_VIOLATION] = { "violations", 40 },
        [DEED_RESUME] = { "groups resumed from forged buffers", 2 },
    };
    bool enough = true;
    unsigned i;

    for (i = 0; i < NUM_DEEDS; i++) {
        printf("# %" PRIu64 " %s\n", t->done[i], deed[i].name);
        enough &= t->done[i] >= t->steps * deed[i].per_1000_steps / 1000;
    }
    return enough;
}

static void run_one(const Options *o, uint64_t seed, Shared *s,
                    const char *said, Totals *t)
{
    g_autofree char *why = run_seed(seed, o->steps, CONTROL_NONE, s, said);
    unsigned i;

    t->machines++;
    t->steps += s->steps;
    t->ops += s->ops;
    t->reset_checks += s->reset_checks;
    t->clock = MAX(t->clock, s->clock);
    for (i = 0; i < NUM_DEEDS; i++) {
        t->done[i] += s->done[i];
    }
    g_hash_table_add(t->properties, g_strdup(s->properties));
    if (o->comments) {
        printf("# seed %" PRIu64 ": %u steps, digest %016" PRIx64 ", at most "
               "%u ms in a step (%u): %s\n", seed, s->steps, s->digest,
               (unsigned)(s->clock / 1000000), s->clock_step, s->properties);
    }
    if (why) {
        t->found++;
        result(false, "/vmali/random/seed-%" PRIu64 " - step %u: %s", seed,
               s->step, why);
        printf("# again: --first %" PRIu64 " --machines 1 --steps %u\n", seed,
               MAX(s->step, 1));
        printf("# properties: %s\n# the last actions:\n", s->properties);
        show_trail(s);
        printf("# output:\n");
        show(said);
    }
    forget_files(s);
}

int main(int argc, char **argv)
{
    Options o = { .first = 1, .machines = 24, .steps = 400 };
    const GOptionEntry entries[] = {
        { "first", 0, 0, G_OPTION_ARG_INT64, &o.first, "first seed", "SEED" },
        { "machines", 0, 0, G_OPTION_ARG_INT, &o.machines, "how many", "N" },
        { "seconds", 0, 0, G_OPTION_ARG_INT, &o.seconds, "start machines for "
          "N seconds instead", "N" },
        { "steps", 0, 0, G_OPTION_ARG_INT, &o.steps, "of each", "N" },
        { "controls", 0, 0, G_OPTION_ARG_NONE, &o.controls, "run the "
          "controls, too", NULL },
        { "comments", 0, 0, G_OPTION_ARG_NONE, &o.comments, "one for each "
          "machine", NULL },
        { NULL }
    };
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autoptr(GError) error = NULL;
    g_autofree char *said = NULL;
    gint64 end;
    Totals t = { 0 };
    bool good = true, enough = true;
    uint64_t seed;
    Shared *s;

    g_test_init(&argc, &argv, NULL);
    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error)) {
        fprintf(stderr, "%s: %s\n", argv[0], error->message);
        return 2;
    }
    if (argc > 1 || o.machines < 1 || o.steps < 1 || o.seconds < 0) {
        fprintf(stderr, "%s: numbers from 1 are wanted, and no words\n",
                argv[0]);
        return 2;
    }

    s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    g_assert_true(s != MAP_FAILED);
    said = temporary_file();
    t.properties = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                         NULL);
    if (o.controls) {
        good = run_controls(s, said);
    }
    end = g_get_monotonic_time() + o.seconds * G_TIME_SPAN_SECOND;
    for (seed = o.first; o.seconds ? g_get_monotonic_time() < end :
                                     t.machines < o.machines; seed++) {
        run_one(&o, seed, s, said, &t);
    }
    printf("# %" PRIu64 " accesses to registers, at most %u ms of CPU time in "
           "a step\n", t.ops, (unsigned)(t.clock / 1000000));
    result(!t.found, "/vmali/random/machines: seeds %" PRId64 " to %" PRIu64
           ", %u sets of properties, %" PRIu64 " steps, %" PRIu64 " checks "
           "behind a reset, %u with a finding", o.first, seed - 1,
           g_hash_table_size(t.properties), t.steps, t.reset_checks, t.found);
    if (!t.found && t.steps >= ENOUGH_STEPS) {
        enough = did_enough(&t);
        result(enough, "/vmali/random/deeds: the guests do enough of all");
    }
    printf("1..%u\n", results);
    unlink(said);
    g_hash_table_destroy(t.properties);
    return good && enough && !t.found ? 0 : 1;
}
