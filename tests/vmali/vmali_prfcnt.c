/*
 * Virtual Arm Mali CSF GPU: performance counters
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "vmali_internal.h"

uint32_t vmali_prfcnt_size_word(const VMaliState *s)
{
    return 0;
}

uint32_t vmali_prfcnt_features_word(const VMaliState *s)
{
    return 0;
}

void vmali_prfcnt_doorbell(VMaliState *s, uint32_t req)
{
    if (req & ~s->last_glb_req & R_GLB_PRFCNT_ENABLE_MASK) {
        vmali_unimplemented(s, "write GLB_REQ (counters)");
    }
}

void vmali_prfcnt_auto_sample(VMaliState *s, VMaliReason reason)
{
}

void vmali_prfcnt_stop(VMaliState *s)
{
}

void vmali_prfcnt_ack_now(VMaliState *s)
{
}
