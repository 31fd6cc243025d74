/* SPDX-License-Identifier: MIT */
/* Names that spatch has to know. */
#define uintptr_t unsigned long
#define uint64_t unsigned long
#define ASSERTED
