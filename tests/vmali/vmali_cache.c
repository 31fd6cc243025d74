/*
 * Virtual Arm Mali CSF GPU: a cache between the CPUs and the counter ring
 *
 * With ring-cache, the pages of the ring exist twice: the guest's RAM is what
 * the CPUs see, through their cache, and the model keeps what is in memory,
 * where the GPU reads and writes.  A line of the cache goes from one to the
 * other only when the guest cleans or invalidates it (vmali_cache_cpu.c).
 *
 * The model cannot see that a CPU writes the value that is there already, which
 * makes a line dirty, too.  So a clean writes each line to memory.  A clean
 * that also invalidates, as Linux does for parts of lines before it reads them,
 * writes only what has changed since the last maintenance.
 *
 * Real caches also write dirty lines back, and read clean ones again, at any
 * time.  Here they never do: a host that forgets maintenance always fails.
 *
 * The pages are the ring's from the enable of counters until the address space
 * of the ring is switched off, the GPU is reset, or counters are enabled with
 * another ring: a GPU has the pages of one ring at most.
 *
 * Each GPU has its own pages.  The CPUs' instructions act on those of all GPUs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "vmali_internal.h"

#define CACHE_PAGE_SIZE         4096
#define CACHE_LINE_SIZE         64

/**
 * CachedPage: a page of the ring
 * @pa: its address, and its key
 * @memory: what the GPU sees
 * @clean: what the CPUs saw after the last maintenance of each line
 * @added: the ring that is being added has it
 */
typedef struct CachedPage {
    hwaddr pa;
    bool added;
    uint8_t memory[CACHE_PAGE_SIZE];
    uint8_t clean[CACHE_PAGE_SIZE];
} CachedPage;

/* Devices with ring-cache */
static QLIST_HEAD(, VMaliState) cached = QLIST_HEAD_INITIALIZER(cached);

static void ram_rw(hwaddr pa, void *buf, size_t size, bool is_write)
{
    address_space_rw(&address_space_memory, pa, MEMTXATTRS_UNSPECIFIED, buf,
                     size, is_write);
}

static CachedPage *page_of(VMaliState *s, hwaddr pa)
{
    hwaddr key = QEMU_ALIGN_DOWN(pa, CACHE_PAGE_SIZE);

    return s->cached_pages ? g_hash_table_lookup(s->cached_pages, &key) : NULL;
}

static void clean_line(CachedPage *page, unsigned line, bool always)
{
    uint8_t seen[CACHE_LINE_SIZE];

    ram_rw(page->pa + line, seen, sizeof(seen), false);
    if (always || memcmp(page->clean + line, seen, sizeof(seen))) {
        memcpy(page->memory + line, seen, sizeof(seen));
        memcpy(page->clean + line, seen, sizeof(seen));
    }
}

static void invalidate_line(CachedPage *page, unsigned line)
{
    ram_rw(page->pa + line, page->memory + line, CACHE_LINE_SIZE, true);
    memcpy(page->clean + line, page->memory + line, CACHE_LINE_SIZE);
}

void vmali_cache_maintain(hwaddr pa, bool clean, bool invalidate)
{
    unsigned line = QEMU_ALIGN_DOWN(pa % CACHE_PAGE_SIZE, CACHE_LINE_SIZE);
    VMaliState *s;

    QLIST_FOREACH(s, &cached, next_cached) {
        CachedPage *page = page_of(s, pa);

        if (page && clean) {
            clean_line(page, line, !invalidate);
        }
        if (page && invalidate) {
            invalidate_line(page, line);
        }
    }
}

void vmali_cache_add(VMaliState *s, hwaddr pa)
{
    CachedPage *page = page_of(s, pa);

    if (s->cached_pages && !page) {
        page = g_new(CachedPage, 1);
        page->pa = QEMU_ALIGN_DOWN(pa, CACHE_PAGE_SIZE);
        ram_rw(page->pa, page->memory, sizeof(page->memory), false);
        memcpy(page->clean, page->memory, sizeof(page->clean));
        g_hash_table_insert(s->cached_pages, &page->pa, page);
    }
    if (page) {
        page->added = true;
    }
}

static void drop_pages(VMaliState *s, bool added)
{
    GHashTableIter iter;
    CachedPage *page;
    unsigned line;

    if (!s->cached_pages) {
        return;
    }
    g_hash_table_iter_init(&iter, s->cached_pages);
    while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&page)) {
        if (page->added && !added) {
            page->added = false;
            continue;
        }
        for (line = 0; line < CACHE_PAGE_SIZE; line += CACHE_LINE_SIZE) {
            clean_line(page, line, false);
            invalidate_line(page, line);
        }
        g_hash_table_iter_remove(&iter);
    }
}

void vmali_cache_added(VMaliState *s)
{
    drop_pages(s, false);
}

void vmali_cache_drop(VMaliState *s)
{
    drop_pages(s, true);
}

void vmali_cache_rw(VMaliState *s, hwaddr pa, void *buf, size_t size,
                    bool is_write)
{
    CachedPage *page = page_of(s, pa);
    uint8_t *memory;

    if (!page) {
        ram_rw(pa, buf, size, is_write);
        return;
    }
    memory = page->memory + pa % CACHE_PAGE_SIZE;
    if (is_write) {
        memcpy(memory, buf, size);
    } else {
        memcpy(buf, memory, size);
    }
}

bool vmali_cache_init(VMaliState *s, Error **errp)
{
    if (!s->prop.ring_cache) {
        return true;
    }
    if (s->prop.coherent) {
        error_setg(errp, "ring-cache: memory is coherent");
        return false;
    }
    if (!vmali_cache_cpu_init()) {
        error_setg(errp, "ring-cache: only for CPUs of arm64 that QEMU "
                   "emulates");
        return false;
    }
    s->cached_pages = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL,
                                            g_free);
    QLIST_INSERT_HEAD(&cached, s, next_cached);
    return true;
}

void vmali_cache_free(VMaliState *s)
{
    if (s->cached_pages) {
        QLIST_REMOVE(s, next_cached);
        g_clear_pointer(&s->cached_pages, g_hash_table_unref);
    }
}
