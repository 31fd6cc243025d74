/*
 * QTest of the virtual Arm Mali CSF GPU: a host that uses the counters
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_TEST_PRFCNT_H
#define VMALI_TEST_PRFCNT_H

#include "vmali-test.h"

#define POISON          0xdeadbeef
#define ALL_EVENTS      (GLB_ENABLE | GLB_SAMPLE | GLB_THRESHOLD | \
                         GLB_OVERFLOW)

/* Block types as the rules number them */
enum { METADATA, FW, CSG, CSHW, TILER, MEMSYS, SHADER, NEURAL, NUM_TYPES };

/* Properties that fix how often automatic samples and idle cores come */
#define PLAIN           "auto-samples=0,core-off=off"

#define G610_ENTRY      (26 * 256)

/* What the host writes before an enable, and may get wrong. */
typedef struct {
    uint32_t offset;
    uint32_t value;
} InputWord;

typedef struct {
    const char *name;
    const char *properties;
    uint32_t size_word;
    uint32_t words;                     /* per block */
    uint32_t count[NUM_TYPES];          /* instances, holes included */
    uint64_t shader_present;
    uint32_t config;
    bool packed;                        /* no slots of absent cores */
    uint64_t neural_present;
} Layout;

/* The first one is the G610 that a machine has without properties. */
extern const Layout layouts[];
extern const unsigned num_layouts;

/* The rules: value of a counter, cores that are off, automatic samples */
uint32_t delta(uint64_t seed, uint64_t nr, int type, int index, int word);
bool core_is_off(uint64_t seed, uint64_t nr, int core);
unsigned automatic(uint64_t seed, uint64_t nr, unsigned max);
bool is_power_on(uint64_t seed, uint64_t nr);

/** cores_off: what is off in sample @nr, if @may_go_off are free to */
uint64_t cores_off(uint64_t seed, uint64_t nr, uint64_t may_go_off);

/** put: word of the global input block */
void put(Gpu *g, uint32_t offset, uint32_t value);

/** configure: everything that an enable wants */
void configure(Gpu *g, uint32_t config);
void enable(Gpu *g, uint32_t config);
void disable(Gpu *g);

/** sample: a request that must be answered at once */
void sample(Gpu *g);

/** consume: read nothing, but leave the entries as a correct host does */
void consume(Gpu *g, uint32_t entry_bytes, uint32_t block_bytes,
             uint32_t entries);
void consume_g610(Gpu *g);

/** check_entry: everything in it is what the rules say of sample @nr */
void check_entry(Gpu *g, const Layout *l, uint32_t slot, uint64_t nr);

/** check_cores: an entry of a G610 has the blocks of all cores but @off */
void check_cores(Gpu *g, uint32_t slot, uint64_t off);

#endif /* VMALI_TEST_PRFCNT_H */
