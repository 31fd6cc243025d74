/*
 * Virtual Arm Mali CSF GPU: the power control block, from architecture 14 on
 *
 * Power and resets have registers and events of their own there.  The events
 * raise the line of the GPU group.  The host powers the L2 cache, and delegates
 * the domains of the tiler and of the shader cores to the MCU, whose firmware
 * powers these.  The firmware powers neural accelerators together with the
 * domain of the cores.  Each command takes effect before its write returns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali_internal.h"

/* Number of a domain in commands and in PWR_STATUS, and its registers */
static const struct {
    unsigned code;
    hwaddr base;
} domain_regs[VMALI_NUM_DOMAINS] = {
    [VMALI_DOMAIN_L2] = { 0, 0x900 },
    [VMALI_DOMAIN_TILER] = { 1, 0x940 },
    [VMALI_DOMAIN_SHADER] = { 8, 0xa00 },
    [VMALI_DOMAIN_NEURAL] = { 9, 0xa40 },
};

static uint32_t delegated_bit(unsigned domain)
{
    return 1u << (domain_regs[domain].code + PWR_STATUS_DELEGATED_SHIFT);
}

bool vmali_pwr_exists(const VMaliState *s)
{
    return vmali_arch_major(s) >= 14;
}

bool vmali_pwr_is_register(const VMaliState *s, hwaddr offset)
{
    return vmali_pwr_exists(s) && offset >= PWR_BASE && offset < PWR_END;
}

bool vmali_pwr_is_delegated(const VMaliState *s, unsigned domain)
{
    return !vmali_pwr_exists(s) || s->pwr.delegated & delegated_bit(domain);
}

/* Domains that the host may command, and those that the MCU has */
static uint64_t status(const VMaliState *s)
{
    uint64_t value = PWR_STATUS_ALLOW_RESETS | s->pwr.delegated;
    unsigned i;

    for (i = 0; i < VMALI_NUM_DOMAINS; i++) {
        if (s->domain[i].present && !(s->pwr.delegated & delegated_bit(i))) {
            value |= 1u << domain_regs[i].code;
        }
    }
    return value;
}

uint32_t vmali_pwr_read(VMaliState *s, hwaddr offset)
{
    unsigned shift = offset & 4 ? 32 : 0;
    unsigned i;

    switch (offset & ~4ull) {
    case A_PWR_STATUS:
        return status(s) >> shift;
    case A_PWR_CMDARG:
        return s->pwr.argument >> shift;
    case A_PWR_COMMAND:
        return 0;
    }
    for (i = 0; i < VMALI_NUM_DOMAINS; i++) {
        switch ((offset & ~4ull) - domain_regs[i].base) {
        case PWR_PRESENT:
            return s->domain[i].present >> shift;
        case PWR_READY:
        case PWR_ACTIVE:
            return s->domain[i].ready >> shift;
        case PWR_TRANS:
            return 0;
        }
    }
    if (offset < PWR_ABSENT_BASE) {
        vmali_unimplemented(s, "read 0x%" HWADDR_PRIx, offset);
    }
    return 0;
}

static void reset(VMaliState *s, const char *kind)
{
    vmali_gpu_reset(s, kind);
    vmali_irq_raise(s, VMALI_IRQ_PWR, R_PWR_IRQ_RESET_COMPLETED_MASK);
}

static void command(VMaliState *s, uint32_t value)
{
    unsigned code = FIELD_EX32(value, PWR_COMMAND, DOMAIN);
    uint64_t argument = s->pwr.argument;
    unsigned domain;

    switch (FIELD_EX32(value, PWR_COMMAND, CODE)) {
    case PWR_COMMAND_RESET_SOFT:
        reset(s, "soft");
        return;
    case PWR_COMMAND_RESET_FAST:
        reset(s, "fast");
        return;
    case PWR_COMMAND_INSPECT:
        vmali_irq_raise(s, VMALI_IRQ_PWR, R_PWR_IRQ_INSPECT_COMPLETED_MASK);
        return;
    }

    for (domain = 0; domain < VMALI_NUM_DOMAINS; domain++) {
        if (domain_regs[domain].code == code && s->domain[domain].present) {
            break;
        }
    }
    if (domain == VMALI_NUM_DOMAINS) {
        vmali_irq_raise(s, VMALI_IRQ_PWR, R_PWR_IRQ_COMMAND_INVALID_MASK);
        return;
    }
    switch (FIELD_EX32(value, PWR_COMMAND, CODE)) {
    case PWR_COMMAND_POWER_UP:
    case PWR_COMMAND_POWER_DOWN:
        if (s->pwr.delegated & delegated_bit(domain)) {
            break;
        }
        vmali_domain_command(s, domain, argument,
                             FIELD_EX32(value, PWR_COMMAND, CODE) ==
                             PWR_COMMAND_POWER_UP);
        return;
    case PWR_COMMAND_DELEGATE:
        if (domain == VMALI_DOMAIN_L2) {
            break;
        }
        s->pwr.delegated |= delegated_bit(domain);
        vmali_irq_raise(s, VMALI_IRQ_PWR, R_PWR_IRQ_DELEGATION_CHANGED_MASK);
        return;
    case PWR_COMMAND_RETRACT:
        if (domain == VMALI_DOMAIN_L2) {
            break;
        }
        s->pwr.delegated &= ~delegated_bit(domain);
        vmali_irq_raise(s, VMALI_IRQ_PWR, R_PWR_IRQ_DELEGATION_CHANGED_MASK |
                                          R_PWR_IRQ_RETRACT_COMPLETED_MASK);
        return;
    default:
        vmali_irq_raise(s, VMALI_IRQ_PWR, R_PWR_IRQ_COMMAND_INVALID_MASK);
        return;
    }
    vmali_irq_raise(s, VMALI_IRQ_PWR, R_PWR_IRQ_COMMAND_NOT_ALLOWED_MASK);
}

void vmali_pwr_write(VMaliState *s, hwaddr offset, uint32_t value)
{
    unsigned shift = offset & 4 ? 32 : 0;

    switch (offset & ~4ull) {
    case A_PWR_CMDARG:
        s->pwr.argument = deposit64(s->pwr.argument, shift, 32, value);
        break;
    case A_PWR_COMMAND:
        if (!shift) {
            command(s, value);
        }
        break;
    default:
        vmali_violation(s, "write to read-only register 0x%" HWADDR_PRIx,
                        offset);
    }
}

void vmali_pwr_reset(VMaliState *s)
{
    s->pwr.delegated = 0;
    s->pwr.argument = 0;
}
