/* SPDX-License-Identifier: MIT */
/* Types that spatch has to know in casts. */
#define uintptr_t unsigned long
#define uint64_t unsigned long
