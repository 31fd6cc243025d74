/*
 * Virtual Arm Mali CSF GPU: jobs for shader cores and tiler
 *
 * A job is counted when it is issued, and not carried out: no shader runs, no
 * pixel is written.  It uses its slot of the scoreboard until its end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali_cs.h"
#include "vmali_work.h"

FIELD(JOB, OPCODE, 56, 8)
FIELD(JOB, IMM16, 0, 16)
FIELD(JOB, IMM32, 0, 32)
FIELD(COMPUTE, INCREMENT, 0, 14)
FIELD(COMPUTE, AXIS, 14, 2)

/* Steps of the GPU that a job takes: the model's idea */
#define JOB_STEPS               64

/* Registers that describe a job */
#define REG_WORKGROUP           33
#define REG_JOB_SIZE            37      /* x, y, z */
#define REG_BOX_MIN             42
#define REG_BOX_MAX             43
#define REG_INDEX_COUNT         33
#define REG_PRIMITIVE           56
FIELD(WORKGROUP, X, 0, 10)              /* minus one, all three */
FIELD(WORKGROUP, Y, 10, 10)
FIELD(WORKGROUP, Z, 20, 10)
FIELD(BOX, X, 0, 16)
FIELD(BOX, Y, 16, 16)
FIELD(PRIMITIVE, TYPE, 0, 4)

/* A shader program descriptor; its pair of registers is chosen by a field. */
FIELD(COMPUTE, PROGRAM, 42, 2)
#define REG_PROGRAM             16
#define PROGRAM_BINARY          8       /* byte of the descriptor */
FIELD(PROGRAM, TYPE, 0, 4)
#define PROGRAM_TYPE            8
#define PROGRAM_ALIGN           32

#define THREADS_PER_WARP        16
#define TILE_PIXELS             16

bool vmali_cs_is_job(uint64_t insn)
{
    unsigned code = FIELD_EX64(insn, JOB, OPCODE);

    return (code >= 4 && code <= 9) || code == 12 || code == 44;
}

static VMaliStep issue(VMaliState *s, VMaliCs *cs, uint64_t insn, uint64_t need)
{
    int64_t time = s->prop.job_time;

    if (s->hang_jobs) {
        s->hang_jobs--;
        time = VMALI_CS_FOREVER;
    }
    return vmali_op_issue(s, cs, (VMaliOp) {
        .insn = insn, .slot = cs->st.endpoint_slot, .latency = JOB_STEPS,
        .time = time, .va = cs->st.heap, .need = need,
    });
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;

    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

/*
 * Shaders are not executed, but their instructions have to be where
 * instructions may be.  A job without a descriptor has none.
 *
 * Return: false after a fault, at address @va
 */
static bool check_program(VMaliState *s, VMaliCs *cs, uint64_t *va)
{
    unsigned as = cs->group->as;
    uint64_t binary;
    uint32_t type;

    if (!*va) {
        return true;
    }
    if (*va % PROGRAM_ALIGN) {
        s->unknown_programs++;
        return true;
    }
    if (!vmali_as_read32(s, as, *va, &type)) {
        return false;
    }
    if (FIELD_EX32(type, PROGRAM, TYPE) != PROGRAM_TYPE) {
        s->unknown_programs++;
        return true;
    }
    if (!vmali_as_rw(s, as, *va + PROGRAM_BINARY, &binary, sizeof(binary),
                     false)) {
        return false;
    }
    *va = le64_to_cpu(binary);
    s->programs++;
    return vmali_as_can_execute(s, as, *va);
}

VMaliStep vmali_cs_compute(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint32_t word = vmali_cs_get32(cs, REG_WORKGROUP);
    uint64_t threads = (uint64_t)(FIELD_EX32(word, WORKGROUP, X) + 1) *
                       (FIELD_EX32(word, WORKGROUP, Y) + 1) *
                       (FIELD_EX32(word, WORKGROUP, Z) + 1);
    bool indirect = FIELD_EX64(insn, JOB, OPCODE) == 44;
    unsigned increment = indirect ? FIELD_EX64(insn, JOB, IMM16) :
                                    FIELD_EX64(insn, COMPUTE, INCREMENT);
    unsigned axis = indirect ? 0 : FIELD_EX64(insn, COMPUTE, AXIS);
    unsigned reg = REG_PROGRAM + 2 * FIELD_EX64(insn, COMPUTE, PROGRAM);
    uint64_t program = vmali_cs_get64(cs, reg);
    uint64_t tasks = 1, groups = 1;
    unsigned i;

    if (axis > 2) {
        return vmali_cs_fatal(s, cs, CS_EXC_INVALID_INSTRUCTION,
                              vmali_cs_pc(cs));
    }
    if (!check_program(s, cs, &program)) {
        return vmali_cs_fatal(s, cs, CS_EXC_BUS, program);
    }
    for (i = 0; i < 3; i++) {
        uint32_t size = vmali_cs_get32(cs, REG_JOB_SIZE + i);

        groups = product(groups, size);
        tasks = product(tasks, i == axis && increment ?
                               DIV_ROUND_UP((uint64_t)size, increment) : size);
    }
    vmali_work_compute(s, cs->group->allow_compute, tasks,
                       product(groups, DIV_ROUND_UP(threads,
                                                    THREADS_PER_WARP)));
    if (cs->st.resources & R_RESOURCE_NEURAL_MASK) {
        vmali_work_neural(s, cs->group->allow_compute, tasks);
    }
    return issue(s, cs, insn, 0);
}

static uint64_t tiles_between(unsigned first, unsigned last)
{
    return last < first ? 0 : last / TILE_PIXELS - first / TILE_PIXELS + 1;
}

VMaliStep vmali_cs_fragment(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint32_t min = vmali_cs_get32(cs, REG_BOX_MIN);
    uint32_t max = vmali_cs_get32(cs, REG_BOX_MAX);

    vmali_work_fragment(s, cs->group->allow_fragment,
                        tiles_between(FIELD_EX32(min, BOX, X),
                                      FIELD_EX32(max, BOX, X)) *
                        tiles_between(FIELD_EX32(min, BOX, Y),
                                      FIELD_EX32(max, BOX, Y)));
    return issue(s, cs, insn, 0);
}

VMaliStep vmali_cs_tiler(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    uint32_t indices = vmali_cs_get32(cs, REG_INDEX_COUNT);
    uint32_t flags = vmali_cs_get32(cs, REG_PRIMITIVE);

    if (FIELD_EX64(insn, JOB, OPCODE) == 6) {
        flags |= FIELD_EX64(insn, JOB, IMM32);
    }
    vmali_work_tiler(s, indices, FIELD_EX32(flags, PRIMITIVE, TYPE));
    return issue(s, cs, insn, cs->st.heap ? (uint64_t)s->heap_use *
                 DIV_ROUND_UP((uint64_t)indices, INDICES_PER_TASK) : 0);
}

/* A full-screen job has the box of the fragment job that it belongs to. */
VMaliStep vmali_cs_other_work(VMaliState *s, VMaliCs *cs, uint64_t insn)
{
    return issue(s, cs, insn, 0);
}
