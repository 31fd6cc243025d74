/*
 * Virtual Arm Mali CSF GPU: the CPUs' instructions for cache maintenance
 *
 * QEMU has no caches, and these instructions do nothing.  With ring-cache,
 * those to the point of coherency act on the lines of vmali_cache.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "cpu.h"
#include "vmali_internal.h"

#ifdef TARGET_AARCH64
#include "cpregs.h"

#define PAGE_SIZE_4K            4096

enum { DC_IVAC = 6, DC_CVAC = 10, DC_CIVAC = 14 };

/* The address is one of the guest's current address space. */
static void maintain(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t va)
{
    uint64_t in_page = va % PAGE_SIZE_4K;
    MemTxAttrs attrs = { 0 };
    hwaddr page = cpu_get_phys_page_attrs_debug(env_cpu(env), va - in_page,
                                                &attrs);

    if (page != -1) {
        vmali_cache_maintain(page + in_page, ri->crm != DC_IVAC,
                             ri->crm != DC_CVAC);
    }
}

#define DC(name_, crm_, opc1_, access_) \
    { \
        .name = name_, .state = ARM_CP_STATE_AA64, \
        .opc0 = 1, .opc1 = opc1_, .crn = 7, .crm = crm_, .opc2 = 1, \
        .access = access_, .writefn = maintain, \
        .type = ARM_CP_NO_RAW | ARM_CP_IO | ARM_CP_OVERRIDE, \
    }

bool vmali_cache_cpu_init(void)
{
    static bool done;
    static const ARMCPRegInfo regs[] = {
        DC("DC_IVAC", DC_IVAC, 0, PL1_W),
        DC("DC_CVAC", DC_CVAC, 3, PL0_W),
        DC("DC_CIVAC", DC_CIVAC, 3, PL0_W),
    };
    CPUState *cs;

    if (done) {
        return true;
    }
    if (!vmali_tcg_enabled()) {
        return false;
    }
    CPU_FOREACH(cs) {
        if (!arm_feature(&ARM_CPU(cs)->env, ARM_FEATURE_AARCH64)) {
            return false;
        }
    }
    CPU_FOREACH(cs) {
        define_arm_cp_regs(ARM_CPU(cs), regs);
    }
    done = true;
    return true;
}
#else
bool vmali_cache_cpu_init(void)
{
    return false;
}
#endif
