/*
 * Virtual Arm Mali CSF GPU: the device state and what its files share
 *
 *   vmali.c          registers, interrupts, power, reset
 *   vmali_props.c    properties
 *   vmali_mmu.c      address spaces: table walk, faults, guest memory
 *   vmali_tlb.c      translations that the MMU keeps
 *   vmali_mcu.c      firmware: boot, control structures, requests
 *   vmali_time.c     time stamp, cycle counter, clocks
 *   vmali_prfcnt.c   firmware: counters
 *   vmali_prfcnt_ring.c  their ring, and checks of what the host does to it
 *   vmali_csg.c, vmali_cs.c, vmali_cs_exec.c  command streams; see vmali_cs.h
 *   vmali_pattern.c  counter values as pure functions
 *   vmali_work.c     counter values from what streams do
 *   vmali_load.c     counter values from a file
 *   vmali_power.c    power of what has no work
 *   vmali_truth.c    the log of what the GPU really did
 *   vmali_inject.c   what a test can do to it while it runs
 *   vmali_fdt.c      the device of a platform bus, with its device-tree node
 *   vmali_isa.c      the device of a PC
 *
 * All code runs under the big lock, in the vCPU's register access, in a
 * timer, or in a monitor command.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef VMALI_INTERNAL_H
#define VMALI_INTERNAL_H

#include "hw/misc/vmali.h"
#include "qemu/notify.h"
#include "qemu/timer.h"
#include "vmali_iface.h"
#include "vmali_regs.h"

#define TYPE_VMALI_GPU "vmali-gpu"
OBJECT_DECLARE_SIMPLE_TYPE(VMaliState, VMALI_GPU)

#define VMALI_NUM_AS            8
#define VMALI_MCU_AS            0
#define VMALI_VA_BITS           48
#define VMALI_PA_BITS           40
#define VMALI_MAX_L2_SLICES     16
#define VMALI_MAX_BLOCK_WORDS   128
#define VMALI_HEADER_WORDS      4

/* Interrupt groups; those with a line in the order of the sysbus interrupts */
enum {
    VMALI_IRQ_JOB,
    VMALI_IRQ_MMU,
    VMALI_IRQ_GPU,
    VMALI_NUM_LINES,
    VMALI_IRQ_PWR = VMALI_NUM_LINES,            /* has the line of the GPU */
    VMALI_NUM_IRQS,
};

/* Power domains, the first ones in the order of their registers */
enum {
    VMALI_DOMAIN_SHADER,
    VMALI_DOMAIN_TILER,
    VMALI_DOMAIN_L2,
    VMALI_NUM_OLD_DOMAINS,
    VMALI_DOMAIN_NEURAL = VMALI_NUM_OLD_DOMAINS,    /* architecture 14 */
    VMALI_NUM_DOMAINS,
};

/* Clocks, in the order of their registers */
enum {
    VMALI_CLOCK_CORE,
    VMALI_CLOCK_COREGROUP,
    VMALI_CLOCK_STACKS,
    VMALI_NUM_CLOCKS,
};

/**
 * VMaliIrq: one interrupt group
 * @line: output, high while @rawstat & @mask is not 0
 * @rawstat: latched events
 * @mask: events that may raise the line
 */
typedef struct VMaliIrq {
    qemu_irq line;
    uint32_t rawstat;
    uint32_t mask;
} VMaliIrq;

/**
 * VMaliDomain: one power domain
 * @present: units that exist
 * @ready: units that are powered
 */
typedef struct VMaliDomain {
    uint64_t present;
    uint64_t ready;
} VMaliDomain;

/**
 * VMaliPwr: power control of architecture 14
 * @delegated: domains that the MCU has, as in PWR_STATUS
 * @argument: PWR_CMDARG
 */
typedef struct VMaliPwr {
    uint32_t delegated;
    uint64_t argument;
} VMaliPwr;

/**
 * VMaliTime: time stamp, cycle counter and clocks
 * @board_offset: property: added to the time stamp
 * @offset: register: likewise
 * @hz: rates of the clocks
 * @counting: the cycle counter runs
 * @cycles: its value at @since
 * @remainder: billionths of a cycle beyond that
 * @since: virtual time when it was last settled
 */
typedef struct VMaliTime {
    uint64_t board_offset;
    uint64_t offset;
    uint32_t hz[VMALI_NUM_CLOCKS];
    bool counting;
    uint64_t cycles;
    uint32_t remainder;
    int64_t since;
} VMaliTime;

#define VMALI_TLB_ENTRIES       256

/**
 * VMaliTlbEntry: a translation that the MMU keeps
 * @page: number of the page of addresses
 * @pa: physical address of the page
 * @level: of the table that it is from
 * @valid: there is one
 * @read_only: permissions of the page
 * @no_exec: likewise
 * @reported: that it is out of date
 */
typedef struct VMaliTlbEntry {
    uint64_t page;
    hwaddr pa;
    uint8_t level;
    bool valid;
    bool read_only;
    bool no_exec;
    bool reported;
} VMaliTlbEntry;

/**
 * VMaliAs: one address space of the MMU
 * @transtab: register: address of the level 0 table
 * @memattr: register: eight attribute bytes
 * @lockaddr: register: region of the lock commands
 * @transcfg: register: translation mode
 * @active_transtab: what the last UPDATE command took from @transtab
 * @active_memattr: likewise from @memattr
 * @active_transcfg: likewise from @transcfg
 * @fault_status: register: first fault since the interrupt was cleared
 * @fault_address: register: its address
 * @lock_first: first address of the region of the last lock
 * @lock_last: last address of it
 * @locked: streams do not run in it, the host changes its tables
 * @broken: likewise, after a fault, until it is set up again
 * @tlb: translations that are kept
 */
typedef struct VMaliAs {
    uint64_t transtab;
    uint64_t memattr;
    uint64_t lockaddr;
    uint64_t transcfg;
    uint64_t active_transtab;
    uint64_t active_memattr;
    uint64_t active_transcfg;
    uint32_t fault_status;
    uint64_t fault_address;
    uint64_t lock_first;
    uint64_t lock_last;
    bool locked;
    bool broken;
    VMaliTlbEntry tlb[VMALI_TLB_ENTRIES];
} VMaliAs;

/* Block types of a counter sample, in the order of a ring entry */
typedef enum VMaliBlockType {
    VMALI_BLOCK_METADATA,
    VMALI_BLOCK_FW,
    VMALI_BLOCK_CSG,
    VMALI_BLOCK_CSHW,
    VMALI_BLOCK_TILER,
    VMALI_BLOCK_MEMSYS,
    VMALI_BLOCK_SHADER,
    VMALI_BLOCK_NEURAL,
    VMALI_NUM_BLOCK_TYPES,
} VMaliBlockType;

/* Why a sample was taken */
typedef enum VMaliReason {
    VMALI_REASON_NONE,
    VMALI_REASON_MANUAL,
    VMALI_REASON_POWER_ON,
    VMALI_REASON_POWER_OFF,
    VMALI_REASON_HALT,
    VMALI_REASON_BURST,
    VMALI_REASON_SLEEP,
    VMALI_REASON_BOOT,
    VMALI_NUM_REASONS,
} VMaliReason;

/* What the sample has that is taken when a shader core loses power */
typedef enum VMaliCoreOff {
    VMALI_CORE_OFF_ALL,
    VMALI_CORE_OFF_ONE,
    VMALI_CORE_OFF_BUSY,
    VMALI_CORE_OFF_NONE,
    VMALI_CORE_OFF_AFTER,
} VMaliCoreOff;

/* What loses power when it has no work for a while */
typedef enum VMaliIdleOff {
    VMALI_IDLE_OFF_NONE,
    VMALI_IDLE_OFF_CORES,
    VMALI_IDLE_OFF_TILER,
} VMaliIdleOff;

/* When a neural accelerator loses power */
typedef enum VMaliNeuralOff {
    VMALI_NEURAL_OFF_WITH_CORE,
    VMALI_NEURAL_OFF_AFTER_CORE,
    VMALI_NEURAL_OFF_ALWAYS,
} VMaliNeuralOff;

/* What becomes of the counts of a sample that finds no room */
typedef enum VMaliFullRing {
    VMALI_FULL_RING_WAIT,
    VMALI_FULL_RING_LOSE,
    VMALI_FULL_RING_LOSE_OFF,
} VMaliFullRing;

/* When a requested sample is answered */
typedef enum VMaliAnswers {
    VMALI_ANSWERS_AT_ONCE,
    VMALI_ANSWERS_LATE,
} VMaliAnswers;

/* Where the values of counters come from */
typedef enum VMaliCounters {
    VMALI_COUNTERS_PATTERN,
    VMALI_COUNTERS_WORK,
    VMALI_COUNTERS_LOAD,
} VMaliCounters;

/* How counts can get lost */
typedef enum VMaliLoss {
    VMALI_LOSS_RESET,
    VMALI_LOSS_DISABLE,
    VMALI_LOSS_OVERFLOW,
    VMALI_LOSS_HANG,
    VMALI_LOSS_CORE_OFF,
    VMALI_LOSS_SKIPPED,
    VMALI_NUM_LOSSES,
} VMaliLoss;

/**
 * VMaliPrfcntConfig: the host's counter configuration
 * @as: address space of the ring
 * @base: GPU address of the ring
 * @config: number of entries, counter set, metadata switch
 * @csg_select: groups to be counted
 * @enable: one bit per four counters, for each block type
 */
typedef struct VMaliPrfcntConfig {
    uint32_t as;
    uint64_t base;
    uint32_t config;
    uint32_t csg_select;
    uint32_t enable[VMALI_NUM_BLOCK_TYPES];
} VMaliPrfcntConfig;

/**
 * VMaliPrfcnt: the counter side of the firmware
 * @enabled: counters are on
 * @stopped: they were when the firmware was stopped; a warm boot may go on
 * @cfg: configuration taken at the enable
 * @seen: configuration words as last seen, to tell each change once
 * @entries: ring size
 * @entry_size: bytes in an entry
 * @insert: entries written since the enable
 * @extract: last valid value of the host's index
 * @extract_seen: last value of it, valid or not
 * @enable_nr: number of this enable over the whole run, from 1
 * @sample_nr: number of the last sample over the whole run
 * @last_timestamp: that of the last sample, next one must be later
 * @may_go_off: shader cores that may be off in the next sample
 * @was_off: shader cores that were off in the last sample
 * @neural_may_go_off: accelerators that may be off in the next sample
 * @was_full: the ring had no room since then
 * @alone: the last sample was requested, and answered with no other
 * @burst_done: automatic samples of the pending request were written
 * @last_pending: a sample request was pending at the last look
 * @ack_withheld: the sample is in the ring, its acknowledge is not given
 * @enable_withheld: an enable or disable was done, but not acknowledged
 * @disable_ignored: the pending disable has no effect
 * @owed_news: changed request bits that were not looked at yet
 * @owed_first: they were of the first doorbell after a boot
 * @off: the host switched counters off, and what that lost is not clear yet
 * @off_pending: it had a sample request pending then
 */
typedef struct VMaliPrfcnt {
    bool enabled;
    bool stopped;
    VMaliPrfcntConfig cfg;
    VMaliPrfcntConfig seen;
    uint32_t entries;
    uint32_t entry_size;
    uint32_t insert;
    uint32_t extract;
    uint32_t extract_seen;
    uint64_t enable_nr;
    uint64_t sample_nr;
    uint64_t last_timestamp;
    uint64_t may_go_off;
    uint64_t was_off;
    uint64_t neural_may_go_off;
    bool was_full;
    bool alone;
    bool burst_done;
    bool last_pending;
    bool ack_withheld;
    bool enable_withheld;
    bool disable_ignored;
    uint32_t owed_news;
    bool owed_first;
    bool off;
    bool off_pending;
} VMaliPrfcnt;

/**
 * VMaliPower: power of what has no work
 * @timer: looks what had none for too long
 * @worked: when each shader core last had work
 * @tiler_worked: likewise the tiler
 * @cores_off: shader cores that are off for that
 * @tiler_off: so is the tiler
 * @cores_leaving: they go off behind the sample that is being taken
 * @tiler_leaving: so does the tiler
 */
typedef struct VMaliPower {
    QEMUTimer *timer;
    int64_t worked[64];
    int64_t tiler_worked;
    uint64_t cores_off;
    bool tiler_off;
    uint64_t cores_leaving;
    bool tiler_leaving;
} VMaliPower;

/**
 * VMaliTruth: the log that a test reads from outside of the guest
 * @file: where to, or NULL
 * @size: bytes that were written
 * @exit: writes the last line
 * @ended: that was written
 * @violations: number of lines of that name
 * @unimplemented: likewise
 */
typedef struct VMaliTruth {
    FILE *file;
    uint64_t size;
    Notifier exit;
    bool ended;
    uint64_t violations;
    uint64_t unimplemented;
} VMaliTruth;

/**
 * VMaliSkew: one value of the truth log that shall be wrong
 * @active: not used up yet
 * @armed: a requested sample was written: what comes now counts for the host
 * @type: block type
 * @index: block index
 * @counter: word in the block
 */
typedef struct VMaliSkew {
    bool active;
    bool armed;
    VMaliBlockType type;
    uint32_t index;
    uint32_t counter;
} VMaliSkew;

/**
 * VMaliState: the device
 * @parent_obj: parent
 * @mmio: register window
 * @irq: interrupt groups
 * @domain: power domains
 * @pwr: power control of architecture 14
 * @as: address spaces
 * @stale_translations: that were used
 * @cached_pages: pages of the counter ring between CPUs and GPU, NULL without
 *     ring-cache
 * @next_cached: next device with ring-cache
 * @gpu_fault_status: register
 * @gpu_fault_address: register
 * @l2_config: register without effect
 * @coherency_enable: register without effect
 * @time: time stamp, cycle counter and clocks
 * @flush_id: register: number of cache flushes, never 0
 * @mcu_status: register
 * @last_glb_req: request word at the last doorbell
 * @first_doorbell: no doorbell since the firmware booted
 * @ping_dropped: the pending ping shall stay unanswered
 * @hung: the firmware does nothing any more
 * @asleep: the firmware waits for a doorbell
 * @mcu_control: register, without the bit that follows
 * @doorbells_off: bit 31 of it: doorbells raise an interrupt, and do not wake
 * @core_enable: shader cores that the host allows
 * @watch: looks for requests without a doorbell
 * @watch_req: request word at its last look
 * @watch_reported: that one was reported
 * @prfcnt: counters
 * @answer_timer: a late answer comes
 * @power: power of what has no work
 * @csg: group slots
 * @cs_timer: lets streams go on
 * @ops: operations of all streams that have not ended
 * @step: steps of the GPU, one for each instruction
 * @next_end: step that ends the next operation, UINT64_MAX if none is known
 * @next_until: virtual time that the next operation ends at, INT64_MAX likewise
 * @tail: virtual time when operations end that nobody waits for
 * @ops_timer: for the last two, and the next one
 * @progress_units: time that jobs of a group may take without progress
 * @idle_timer: all groups have been idle for a while
 * @busy: some group is not idle
 * @round: of the scheduler
 * @instructions: that were retired in all
 * @faults: of streams, fatal ones included
 * @programs: shader programs of their compute jobs
 * @unknown_programs: what these had instead, and is no descriptor of one
 * @heap_ooms: times that a job found the tiler heap used up
 * @heap_chunks: chunks that the host gave for that
 * @lsu_cycles: of their loads and stores
 * @flushes: of caches
 * @work: counters of work, NULL if others are used
 * @load: counters of a load, NULL if others are used
 * @truth: log
 * @skew: deliberate error in the log
 * @was_reset: the machine was reset once before
 * @prop: properties that are fixed at creation
 * @block_words: words per counter block
 * @drop_pings: run time: pings that will not be answered
 * @fail_boots: run time: boots that will not happen
 * @delay_samples: run time: sample acknowledges that will be withheld
 * @delay_enables: run time: likewise of enables and disables
 * @ignore_disables: run time: disables that have no effect and no answer
 * @clear_overflows: run time: samples without room that will lose counts
 * @lose_cores: run time: times that a core will lose its counts
 * @core_power: run time: shader cores that have power
 * @skip_samples: run time: requests that will be acknowledged without a sample
 * @heap_use: run time: bytes of the tiler heap for 64 indices
 * @hang_jobs: run time: jobs that will not end
 * @ring_faults: run time: samples that will be met by an MMU fault
 */
struct VMaliState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    VMaliIrq irq[VMALI_NUM_IRQS];
    VMaliDomain domain[VMALI_NUM_DOMAINS];
    VMaliPwr pwr;
    VMaliAs as[VMALI_NUM_AS];
    uint64_t stale_translations;
    GHashTable *cached_pages;
    QLIST_ENTRY(VMaliState) next_cached;
    uint32_t gpu_fault_status;
    uint64_t gpu_fault_address;
    uint32_t l2_config;
    uint32_t coherency_enable;
    VMaliTime time;
    uint32_t flush_id;

    uint32_t mcu_status;
    uint32_t last_glb_req;
    bool first_doorbell;
    bool ping_dropped;
    bool hung;
    bool asleep;
    uint32_t mcu_control;
    bool doorbells_off;
    uint64_t core_enable;
    QEMUTimer *watch;
    uint32_t watch_req;
    bool watch_reported;
    VMaliPrfcnt prfcnt;
    QEMUTimer *answer_timer;
    VMaliPower power;

    struct VMaliCsg *csg;
    QEMUTimer *cs_timer;
    uint32_t ops;
    uint64_t step;
    uint64_t next_end;
    int64_t next_until;
    int64_t tail;
    QEMUTimer *ops_timer;
    uint32_t progress_units;
    QEMUTimer *idle_timer;
    bool busy;
    uint64_t round;
    uint64_t instructions;
    uint64_t faults;
    uint64_t programs;
    uint64_t unknown_programs;
    uint64_t heap_ooms;
    uint64_t heap_chunks;
    uint64_t lsu_cycles;
    uint64_t flushes;
    struct VMaliWork *work;
    struct VMaliLoad *load;

    VMaliTruth truth;
    VMaliSkew skew;
    bool was_reset;

    struct {
        uint32_t gpu_id;
        uint64_t shader_present;
        uint64_t neural_present;
        uint32_t neural_clock;
        uint32_t l2_slices;
        uint32_t groups;
        uint32_t streams;
        bool coherent;
        bool ring_cache;
        uint32_t iface_version;
        bool fw_counters;
        bool csg_counters;
        bool metadata;
        bool packed_slots;
        uint32_t core_features;
        uint32_t prfcnt_features;
        uint32_t prfcnt_size;
        uint64_t seed;
        uint32_t auto_samples;
        uint32_t counters_per_enable;
        bool keep_excluded;
        uint32_t threshold_quarters;
        bool core_off;
        VMaliCoreOff core_off_sample;
        VMaliFullRing full_ring;
        VMaliIdleOff idle_off;
        VMaliNeuralOff neural_off;
        VMaliAnswers answers;
        bool overtaken_acks;
        bool keep_enable;
        bool cycles_always;
        bool saturate;
        uint32_t timestamp_hz;
        uint32_t clocks;
        bool clock_provider;
        VMaliCounters counters;
        char *load;
        bool mcu_cost;
        uint32_t cs_budget;
        uint64_t job_time;
        char *truth;
        uint64_t truth_size;
        char *skew;
    } prop;
    uint32_t block_words;

    uint32_t drop_pings;
    uint32_t fail_boots;
    uint32_t delay_samples;
    uint32_t delay_enables;
    uint32_t ignore_disables;
    uint32_t clear_overflows;
    uint32_t lose_cores;
    uint64_t core_power;
    uint32_t skip_samples;
    uint32_t heap_use;
    uint32_t hang_jobs;
    uint32_t ring_faults;
};

static inline unsigned vmali_arch_major(const VMaliState *s)
{
    return FIELD_EX32(s->prop.gpu_id, GPU_ID, ARCH_MAJOR);
}

/* vmali.c */

/** vmali_irq_raise: latch events of an interrupt group */
void vmali_irq_raise(VMaliState *s, unsigned group, uint32_t events);

/** vmali_cache_init: prepare for ring-cache. Return: false with an error */
bool vmali_cache_init(VMaliState *s, Error **errp);

/** vmali_cache_free: the opposite */
void vmali_cache_free(VMaliState *s);

/** vmali_cache_cpu_init: Return: whether the CPUs will call the following */
bool vmali_cache_cpu_init(void);

/** vmali_cache_maintain: clean or invalidate this line, whatever the GPU */
void vmali_cache_maintain(hwaddr pa, bool clean, bool invalidate);

/** vmali_cache_add: the page of this address is one of the ring */
void vmali_cache_add(VMaliState *s, hwaddr pa);

/** vmali_cache_added: all were added, and no other page is one of the ring */
void vmali_cache_added(VMaliState *s);

/** vmali_cache_drop: from now on CPUs and GPU see the same everywhere */
void vmali_cache_drop(VMaliState *s);

/** vmali_cache_rw: access memory within a page, as the GPU sees it */
void vmali_cache_rw(VMaliState *s, hwaddr pa, void *buf, size_t size,
                    bool is_write);

/** vmali_domain_command: the host powers units of a domain up or down */
void vmali_domain_command(VMaliState *s, unsigned domain, uint64_t units,
                          bool up);

/** vmali_gpu_reset: reset the GPU, and log it */
void vmali_gpu_reset(VMaliState *s, const char *kind);

/** vmali_pwr_exists: the GPU has a power control block */
bool vmali_pwr_exists(const VMaliState *s);

/** vmali_pwr_is_register: @offset is in that block, interrupts included */
bool vmali_pwr_is_register(const VMaliState *s, hwaddr offset);

/** vmali_pwr_is_delegated: the firmware may power units of this domain */
bool vmali_pwr_is_delegated(const VMaliState *s, unsigned domain);

/** vmali_pwr_read: read a register of the block */
uint32_t vmali_pwr_read(VMaliState *s, hwaddr offset);

/** vmali_pwr_write: write a register of the block */
void vmali_pwr_write(VMaliState *s, hwaddr offset, uint32_t value);

/** vmali_pwr_reset: the block after a reset of the GPU */
void vmali_pwr_reset(VMaliState *s);

/** vmali_cores_power: power the tiler, and cores and accelerators of masks */
void vmali_cores_power(VMaliState *s, bool tiler, uint64_t shader_mask,
                       uint64_t neural_mask);

/** vmali_flush_caches: count it, there is nothing to flush */
void vmali_flush_caches(VMaliState *s);

/* vmali_cs.c */

/** vmali_cs_later: streams that can run do so soon */
void vmali_cs_later(VMaliState *s);

/* vmali_time.c */

extern const char *const vmali_clock_name[VMALI_NUM_CLOCKS];

/** vmali_now: virtual time in nanoseconds */
int64_t vmali_now(void);

/** vmali_timestamp_at: what the TIMESTAMP register shows at a virtual time */
uint64_t vmali_timestamp_at(const VMaliState *s, int64_t now);

/** vmali_timestamp: value of the TIMESTAMP register */
uint64_t vmali_timestamp(const VMaliState *s);

/**
 * vmali_cycles_at: what the CYCLE_COUNT register shows at a virtual time
 *
 * Not one before the last change of the counter or of the core clock.
 */
uint64_t vmali_cycles_at(const VMaliState *s, int64_t now);

/** vmali_cycles_enable: start or stop the cycle counter */
void vmali_cycles_enable(VMaliState *s, bool on);

/** vmali_cycles_reset: stop the cycle counter at 0 */
void vmali_cycles_reset(VMaliState *s);

/**
 * vmali_time_read: registers of the time stamp, cycle counter and clocks
 *
 * Return: false if @offset is no such register.
 */
bool vmali_time_read(const VMaliState *s, hwaddr offset, uint32_t *value);
bool vmali_time_write(VMaliState *s, hwaddr offset, uint32_t value);

/** vmali_clocks_log: tell the truth log the rates of all clocks */
void vmali_clocks_log(VMaliState *s);

/** vmali_time_class_init: properties that can be set at any time */
void vmali_time_class_init(ObjectClass *klass);

/* vmali_mmu.c */

void vmali_mmu_reset(VMaliState *s);
uint32_t vmali_mmu_read(VMaliState *s, hwaddr offset);
void vmali_mmu_write(VMaliState *s, hwaddr offset, uint32_t value);

/**
 * vmali_as_probe: can a range of GPU addresses be written?
 *
 * Reports no fault.
 *
 * Return: true if every byte is mapped to writable guest RAM.
 */
bool vmali_as_probe(VMaliState *s, unsigned as, uint64_t va, uint64_t size);

/**
 * vmali_as_rw: copy between a buffer and GPU addresses
 *
 * Return: false after a fault, which was reported to the host; what lies
 * before the faulting page was copied.
 */
bool vmali_as_rw(VMaliState *s, unsigned as, uint64_t va, void *buf,
                 size_t size, bool is_write);

/**
 * vmali_as_translate: physical address of @size bytes within a page
 *
 * Return: false after a fault, which was reported to the host.
 */
bool vmali_as_translate(VMaliState *s, unsigned as, uint64_t va, unsigned size,
                        bool is_write, hwaddr *pa);

/** vmali_as_read32: load a little-endian word in a single access */
bool vmali_as_read32(VMaliState *s, unsigned as, uint64_t va, uint32_t *value);

/** vmali_as_write32: store a little-endian word in a single access */
bool vmali_as_write32(VMaliState *s, unsigned as, uint64_t va, uint32_t value);

/**
 * vmali_as_can_execute: may instructions be fetched from an address?
 *
 * Return: false after a fault, which was reported to the host.
 */
bool vmali_as_can_execute(VMaliState *s, unsigned as, uint64_t va);

/** vmali_as_fault: report a fault of a write to an address that is mapped */
void vmali_as_fault(VMaliState *s, unsigned as, uint64_t va);

/* vmali_mcu.c */

void vmali_mcu_reset(VMaliState *s);
void vmali_mcu_control(VMaliState *s, uint32_t value);

/** vmali_mcu_doorbell: the host wrote the doorbell page @page */
void vmali_mcu_doorbell(VMaliState *s, unsigned page);

/** vmali_mcu_runs: does the firmware do anything by itself? */
bool vmali_mcu_runs(const VMaliState *s);

/** vmali_mcu_sleep: the firmware goes to sleep, until a doorbell wakes it */
void vmali_mcu_sleep(VMaliState *s);

/** vmali_mcu_control_read: value of the register */
uint32_t vmali_mcu_control_read(const VMaliState *s);

/** vmali_mcu_watch_tick: timer callback */
void vmali_mcu_watch_tick(void *opaque);

/**
 * vmali_iface_read: load a word of the shared section
 *
 * An interface that cannot be accessed is fatal to the firmware: MCU_STATUS
 * says so, and reads give 0.
 */
uint32_t vmali_iface_read(VMaliState *s, uint32_t offset);
uint64_t vmali_iface_read64(VMaliState *s, uint32_t offset);

/** vmali_iface_write: store a word of the shared section */
void vmali_iface_write(VMaliState *s, uint32_t offset, uint32_t value);

/** vmali_mcu_ack: give new values to bits of GLB_ACK, with the interrupt */
void vmali_mcu_ack(VMaliState *s, uint32_t mask, uint32_t value);

/* vmali_prfcnt.c */

/** vmali_prfcnt_size_word: the control word GLB_PRFCNT_SIZE */
uint32_t vmali_prfcnt_size_word(const VMaliState *s);

/** vmali_prfcnt_features_word: the control word GLB_PRFCNT_FEATURES */
uint32_t vmali_prfcnt_features_word(const VMaliState *s);

/** vmali_prfcnt_has_block: do samples have such a block? */
bool vmali_prfcnt_has_block(const VMaliState *s, VMaliBlockType type,
                            uint32_t index);

/**
 * vmali_prfcnt_doorbell: handle the counter bits of a request word
 * @req: value of GLB_REQ
 */
void vmali_prfcnt_doorbell(VMaliState *s, uint32_t req);

/**
 * vmali_prfcnt_auto_sample: take a sample without a request
 *
 * Return: false if it found no room; true, too, if nothing counts.
 */
bool vmali_prfcnt_auto_sample(VMaliState *s, VMaliReason reason);

/** vmali_prfcnt_cores_ready: power the shader cores that are on */
void vmali_prfcnt_cores_ready(VMaliState *s);

/** vmali_prfcnt_overtaken: sleep or halt came before a requested sample */
void vmali_prfcnt_overtaken(VMaliState *s);

/** vmali_prfcnt_halted: the firmware stopped by itself, nothing is at work */
void vmali_prfcnt_halted(VMaliState *s);

/** vmali_prfcnt_stop: the firmware is stopped, counters with it */
void vmali_prfcnt_stop(VMaliState *s, VMaliLoss loss);

/** vmali_prfcnt_boot: the firmware boots, and may find counters enabled */
void vmali_prfcnt_boot(VMaliState *s);

/** vmali_prfcnt_init: what counters need all the time */
void vmali_prfcnt_init(VMaliState *s);
void vmali_prfcnt_free(VMaliState *s);

/** vmali_prfcnt_ack_now: give withheld acknowledges */
void vmali_prfcnt_ack_now(VMaliState *s);

/** vmali_prfcnt_bad_insert: tell the host a wrong INSERT, with an event */
void vmali_prfcnt_bad_insert(VMaliState *s, uint32_t insert);

/* vmali_power.c */

void vmali_power_init(VMaliState *s);
void vmali_power_free(VMaliState *s);

/** vmali_power_boot: the firmware boots, everything has power */
void vmali_power_boot(VMaliState *s);

/** vmali_power_go_on: the firmware wakes, and watches again */
void vmali_power_go_on(VMaliState *s);

/** vmali_power_stop: the firmware stops */
void vmali_power_stop(VMaliState *s);

/** vmali_power_changed: log and show what has power */
void vmali_power_changed(VMaliState *s);

/** vmali_power_work: so many shader cores, and the tiler, now have work */
void vmali_power_work(VMaliState *s, uint64_t cores, bool tiler);

/* vmali_pattern.c */

/**
 * vmali_pattern_delta: value of a counter in a sample
 * @s: device, only its properties count
 * @nr: number of the sample
 * @type: block type
 * @index: block index
 * @counter: word in the block
 */
uint32_t vmali_pattern_delta(const VMaliState *s, uint64_t nr,
                             VMaliBlockType type, uint32_t index,
                             uint32_t counter);

/**
 * vmali_pattern_cores_off: shader cores that were off in a sample
 * @s: device, only its properties count
 * @nr: number of the sample
 * @candidates: cores that can have been: the others are on
 */
uint64_t vmali_pattern_cores_off(const VMaliState *s, uint64_t nr,
                                 uint64_t candidates);

/**
 * vmali_pattern_auto_samples: automatic samples before a requested one
 * @s: device, only its properties count
 * @nr: number that the next sample will have
 */
uint32_t vmali_pattern_auto_samples(const VMaliState *s, uint64_t nr);

/** vmali_pattern_cores_idle: cores that had no work since the last sample */
uint64_t vmali_pattern_cores_idle(const VMaliState *s, uint64_t nr);

/** vmali_pattern_auto_reason: why is automatic sample @nr taken? */
VMaliReason vmali_pattern_auto_reason(const VMaliState *s, uint64_t nr);

/* vmali_props.c */

/** vmali_props_class_init: properties that are fixed at creation */
void vmali_props_class_init(ObjectClass *klass);

/** vmali_props_check: do they go together? Sets those that depend on others */
bool vmali_props_check(VMaliState *s, Error **errp);

/* vmali_inject.c */

/** vmali_inject_init: add the run-time properties of a device */
void vmali_inject_init(VMaliState *s);

/** vmali_inject_class_init: add the run-time properties that act at once */
void vmali_inject_class_init(ObjectClass *klass);

/* vmali_truth.c */

extern const char *const vmali_block_name[VMALI_NUM_BLOCK_TYPES];
extern const char *const vmali_reason_name[VMALI_NUM_REASONS];
extern const char *const vmali_loss_name[VMALI_NUM_LOSSES];

/** vmali_truth_open: start the log; without a file only counts */
bool vmali_truth_open(VMaliState *s, Error **errp);
void vmali_truth_close(VMaliState *s);

/** vmali_truth: write one line; a failure ends the run */
void vmali_truth(VMaliState *s, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

/** vmali_truth_block: write the line of one counter block */
void vmali_truth_block(VMaliState *s, VMaliBlockType type, uint32_t index,
                       uint32_t enable, const uint32_t *words);

/** vmali_truth_flush: the lines of a sample's counter blocks are whole */
void vmali_truth_flush(VMaliState *s);

/** vmali_violation: the host broke the protocol */
void vmali_violation(VMaliState *s, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

/** vmali_unimplemented: the host relies on what the model does not have */
void vmali_unimplemented(VMaliState *s, const char *fmt, ...)
    G_GNUC_PRINTF(2, 3);

#endif /* VMALI_INTERNAL_H */
