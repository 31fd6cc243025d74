// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include <drm/panthor_perf_drm.h>

#include "fakedrm.h"
#include "fakeparts.h"
#include "fakesettings.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define MAX_SESSIONS	4
#define FIRST_HANDLE	7
#define FIRST_TIME	1000000000
#define MAX_TYPES	8
#define SHADER_PRESENT	0x100011ull
#define UNKNOWN_TYPE	99
#define MAX_SPARE	0x100000

struct fake fake;
fake_order_fn fake_order;

/**
 * struct session - a session, and the thread that ends its periods
 */
struct session {
	/** @exists: It was set up and not torn down. */
	bool exists;

	/** @started: It counts. */
	bool started;

	/** @has_thread: There is a thread that ends its periods. */
	bool has_thread;

	/** @thread: The thread. */
	pthread_t thread;

	/** @wake: What wakes it up before its time, to end. */
	pthread_cond_t wake;

	/** @next_ns: The next point of the grid. */
	uint64_t next_ns;

	/** @points: Points of the grid that have come. */
	uint64_t points;

	/** @unpublished: Periods that have ended since the newest sample. */
	uint64_t unpublished;

	/** @start_data: User data of START. */
	uint64_t start_data;

	/** @events: Events for the next sample. */
	uint32_t events;

	/** @eventfd: Own descriptor of the eventfd, -1: none. */
	int eventfd;

	/** @setup: What it was set up with. */
	struct drm_panthor_perf_setup setup;

	/** @enabled: Counters of its sections, by block type. */
	uint8_t enabled[MAX_TYPES][1024];

	/** @seen: Extract index when the eventfd was signalled last, with WAKEUP. */
	uint64_t seen;

	/** @stood_for: Samples that a signal stood for, with WAKEUP. */
	uint64_t stood_for;

	/** @slots: The ring. */
	unsigned char *slots;

	/** @control: Its indices. */
	volatile struct drm_panthor_perf_ring_control *control;

	/** @sample_size: Bytes of a sample. */
	size_t sample_size;

	/** @insert: Samples published. */
	uint64_t insert;

	/** @sample_nr: Samples published since START. */
	uint64_t sample_nr;

	/** @time: End of the newest sample. */
	uint64_t time;

	/** @zero: Sample of the GPU that the newest sample ended with. */
	uint64_t zero;

	/** @ordered: Samples that &fake_order has accepted and not taken. */
	unsigned int ordered;
};

/* The driver's and the GPU's state. */
static struct {
	bool dead;

	/* Guards all of this: there may be several threads, and one that ends periods. */
	pthread_mutex_t lock;
	struct session sessions[MAX_SESSIONS];

	FILE *truth;
	uint64_t nr, enable;
} drv = { .lock = PTHREAD_MUTEX_INITIALIZER };

#define CORES		3

static const char *const block_names[MAX_TYPES] = {
	"", "FW", "CSHW", "TILER", "MEMSYS", "SHADER", "NEURAL", "CSG"
};

/* Has this block an instance of this index? Accelerators have the indices of their cores. */
static bool has_block(unsigned int type, unsigned int idx)
{
	static const unsigned int counts[MAX_TYPES] = { 0, 1, 1, 1, 2, CORES, CORES, 0 };

	return idx < counts[type] && (type != DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL ||
				      fake.settings.neural >> idx & 1);
}

static unsigned int block_count(unsigned int type)
{
	unsigned int idx, count = 0;

	for (idx = 0; idx < CORES; idx++)
		count += has_block(type, idx);
	return count;
}

void fake_reset(void)
{
	unsigned int i;

	for (i = 0; i < MAX_SESSIONS; i++)
		if (drv.sessions[i].exists && drv.sessions[i].eventfd >= 0)
			close(drv.sessions[i].eventfd);
	memset(&drv, 0, sizeof(drv));
	fake_objects_reset();
	pthread_mutex_init(&drv.lock, NULL);
	memset(&fake, 0, sizeof(fake));
	fake.settings = (struct fake_settings) {
		.info_size = sizeof(struct drm_panthor_perf_info),
		.abi = DRM_PANTHOR_PERF_ABI,
		.counters = 64,
		.sample_header = 80,
		.block_header = 8,
		.gpu_id = 0xa8670005,
		.min_period_ns = 100000,
		.sets = 1,
		.numbers = FAKE_PRIVATE,
		.max_slots = 16,
		.length_ns = 1234567,
		.cycles = 8000,
		.l2_features = 0x07120206,
		.mem_features = 0x101,
	};
	fake.clocks = (struct drm_panthor_perf_clocks) {
		.toplevel = { 850000000, 300000000, 1000000000, 650000000 },
		.coregroup.rate_hz = 850000000,
	};
}

__attribute__((format(printf, 1, 2)))
static void truth(const char *format, ...)
{
	va_list args;

	if (!drv.truth)
		return;
	va_start(args, format);
	vfprintf(drv.truth, format, args);
	va_end(args);
	fflush(drv.truth);
}

static void gpu_enable(unsigned int set)
{
	drv.enable++;
	truth("enable nr=%llu set=%u entries=128 timestamp=%llu\n", (unsigned long long)drv.enable,
	      set, (unsigned long long)drv.nr * 1000 + 2);
}

/* Takes away what was counted since the newest sample. */
static void gpu_reset(unsigned int set)
{
	truth("reset kind=soft timestamp=%llu\n", (unsigned long long)drv.nr * 1000 + 1);
	gpu_enable(set);
}

static unsigned int hardware_number(unsigned int type, unsigned int idx)
{
	static const unsigned int cores[CORES] = { 0, 4, 20 };

	return type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER ||
	       type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL ? cores[idx] : idx;
}

static unsigned long long neural_present(void)
{
	unsigned long long cores = 0;
	unsigned int idx;

	for (idx = 0; idx < CORES; idx++)
		if (has_block(DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL, idx))
			cores |= 1ull << hardware_number(DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL, idx);
	return cores;
}

static void __attribute__((constructor)) begin(void)
{
	const char *path = getenv("FAKE_TRUTH");

	fake_reset();
	fake_read_settings(getenv("FAKE_SETTINGS"));
	fake_read_load(getenv("FAKE_LOAD"));
	drv.truth = path ? fopen(path, "w") : NULL;
	truth("vmali-truth 1\n");
	truth("gpu id=0x%08x shader_present=0x%llx l2_slices=2 counters=%u fw=1 csg=0 metadata=0 "
	      "timestamp_hz=62500000 neural_present=0x%llx\n", fake.settings.gpu_id, SHADER_PRESENT,
	      fake.settings.counters, neural_present());
	gpu_enable(0);
}

static void __attribute__((destructor)) end(void)
{
	truth("end violations=0 unimplemented=0\n");
	if (drv.truth)
		fclose(drv.truth);
	if (!drv.dead && (fake.objects || fake.sessions))
		fprintf(stderr, "fakedrm: %u objects and %u sessions left\n", fake.objects,
			fake.sessions);
}

static uint32_t delta(uint64_t nr, unsigned int type, unsigned int number, unsigned int counter)
{
	if (fake_has_load())
		return fake_load(nr, type, number, counter);
	if ((nr + counter) % 3 == 0)
		return 0;
	return 0xf0000000u + nr * 100003 + type * 7919 + number * 613 + counter;
}

static void gpu_sample(const char *reason)
{
	unsigned int type, idx, counter;

	drv.nr++;
	truth("sample nr=%llu enable=%llu insert=%llu reason=%s timestamp=%llu cycles=%llu\n",
	      (unsigned long long)drv.nr, (unsigned long long)drv.enable,
	      (unsigned long long)drv.nr, reason, (unsigned long long)drv.nr * 1000,
	      (unsigned long long)drv.nr * fake.settings.cycles);
	for (type = 1; type < MAX_TYPES; type++) {
		for (idx = 0; idx < CORES; idx++) {
			unsigned int number = hardware_number(type, idx);

			if (!has_block(type, idx))
				continue;
			truth("block %s %u en=0xffffffff", block_names[type], number);
			for (counter = 4; counter < fake.settings.counters; counter++)
				truth(" %u", delta(drv.nr, type, number, counter));
			truth("\n");
		}
	}
}

static size_t full_sample_size(void)
{
	size_t blocks = fake.settings.unknown_blocks;
	unsigned int type;

	for (type = 1; type < MAX_TYPES; type++)
		blocks += block_count(type);
	return fake.settings.sample_header +
	       blocks * (fake.settings.block_header + 8 * fake.settings.counters);
}

/* The primary set has counters of all blocks, the others of some. */
static bool set_has(uint32_t set, unsigned int type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return set == DRM_PANTHOR_PERF_SET_PRIMARY;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
		return set != DRM_PANTHOR_PERF_SET_TERTIARY;
	default:
		return true;
	}
}

static unsigned char *put_block(const struct session *ses, unsigned char *at, unsigned int type,
				unsigned int idx)
{
	uint64_t *counters = (uint64_t *)(at + fake.settings.block_header);
	unsigned int counter;
	uint64_t nr;

	uint32_t states = DRM_PANTHOR_PERF_BLOCK_STATE_ON | DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE |
			  DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL;

	bool compact = ses->setup.flags & DRM_PANTHOR_PERF_SETUP_COMPACT;
	bool counts = set_has(ses->setup.counter_set, type);
	unsigned int count = 0;

	if (!counts)
		states = DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE;
	at[0] = type;
	at[1] = idx;
	if (type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
		at[2] = DRM_PANTHOR_PERF_CLOCK_NEURAL;
	if (fake.settings.states)
		memcpy(at + 4, &states, sizeof(states));
	for (counter = 4; counter < fake.settings.counters; counter++) {
		uint64_t total = 0;

		if (compact && !ses->enabled[type][counter])
			continue;
		if (type < MAX_TYPES && ses->enabled[type][counter] && counts)
			for (nr = ses->zero + 1; nr <= drv.nr; nr++)
				total += delta(nr, type, hardware_number(type, idx), counter);
		counters[compact ? count++ : counter] = total;
	}
	return at + fake.settings.block_header +
	       8 * (compact ? count : fake.settings.counters);
}

static unsigned int asked_for(const struct session *ses, unsigned int type)
{
	unsigned int counter, count = 0;

	for (counter = 0; counter < fake.settings.counters; counter++)
		count += ses->enabled[type][counter];
	return count;
}

static size_t sample_size(const struct session *ses)
{
	size_t size = fake.settings.sample_header;
	unsigned int type;

	if (!(ses->setup.flags & DRM_PANTHOR_PERF_SETUP_COMPACT))
		return full_sample_size();
	for (type = 1; type < MAX_TYPES; type++)
		if (asked_for(ses, type))
			size += block_count(type) * (fake.settings.block_header +
						     8 * asked_for(ses, type));
	return size;
}

/* Does the sample that was just published wake the reader up? */
static bool wakes_up(struct session *ses)
{
	uint64_t extract = __atomic_load_n(&ses->control->extract_idx, __ATOMIC_ACQUIRE);
	uint64_t first = extract;

	if (!(ses->setup.flags & DRM_PANTHOR_PERF_SETUP_WAKEUP))
		return true;
	/* Samples that a signal stood for count again when the reader has read some. */
	if (extract == ses->seen && ses->stood_for > first)
		first = ses->stood_for;
	if (ses->started && ses->insert - first < ses->setup.wakeup_samples)
		return false;
	ses->seen = extract;
	ses->stood_for = ses->insert;
	return true;
}

/* END_NS: CLOCK_MONOTONIC at the end of the sample, for a session with a period. */
static void publish(struct session *ses, uint64_t user_data, uint32_t merged, uint64_t end_ns,
		    bool final)
{
	size_t slot = ses->insert & (ses->setup.sample_slots - 1);
	unsigned char *at = ses->slots + slot * ses->sample_size;
	struct drm_panthor_perf_sample_header header = { 0 };
	bool compact = ses->setup.flags & DRM_PANTHOR_PERF_SETUP_COMPACT;
	unsigned int type, idx;
	uint64_t one = 1;

	memset(at, 0, ses->sample_size);
	header.timestamp_start_ns = ses->time;
	if (ses->setup.sample_period_ns)
		ses->time = fake_raw_of(end_ns);
	else
		ses->time += fake.settings.length_ns;
	header.timestamp_end_ns = ses->time;
	header.counter_set = ses->setup.counter_set;
	header.user_data = user_data;
	if (fake.settings.clocks & 1)
		header.toplevel_clock_cycles = (drv.nr - ses->zero) * fake.settings.cycles;
	if (fake.settings.clocks & 4)
		header.shader_clock_cycles = (drv.nr - ses->zero) * fake.settings.shader_cycles;
	header.merged = merged;
	header.events = ses->events;
	if (merged)
		header.flags = DRM_PANTHOR_PERF_SAMPLE_STRETCHED;
	if (final)
		header.flags |= DRM_PANTHOR_PERF_SAMPLE_FINAL;
	ses->events = 0;
	header.gpu_timestamp = drv.nr * 1000;
	header.sample_nr = ses->sample_nr++;
	if (ses->sample_nr == fake.settings.error_at) {
		header.flags |= DRM_PANTHOR_PERF_SAMPLE_ERROR;
		header.events |= DRM_PANTHOR_PERF_EVENT_RESET;
	}
	memcpy(at, &header, fake.settings.sample_header < sizeof(header) ?
	       fake.settings.sample_header : sizeof(header));
	at += fake.settings.sample_header;
	for (type = 1; type < MAX_TYPES; type++)
		for (idx = 0; idx < CORES; idx++)
			if (has_block(type, idx) && (!compact || asked_for(ses, type)))
				at = put_block(ses, at, type, idx);
	for (idx = 0; idx < fake.settings.unknown_blocks && !compact; idx++)
		at = put_block(ses, at, UNKNOWN_TYPE, idx);
	ses->zero = drv.nr;
	ses->insert++;
	__atomic_store_n(&ses->control->insert_idx, ses->insert, __ATOMIC_RELEASE);
	if (ses->eventfd >= 0 && wakes_up(ses) &&
	    write(ses->eventfd, &one, sizeof(one)) != sizeof(one))
		perror("fakedrm: eventfd");
}

void fake_publish(void)
{
	pthread_mutex_lock(&drv.lock);
	gpu_sample("manual");
	publish(&drv.sessions[0], 0, 0, fake_clock_ns(CLOCK_MONOTONIC), false);
	pthread_mutex_unlock(&drv.lock);
}

void fake_unplug(void)
{
	uint64_t one = 1;
	unsigned int i;

	drv.dead = true;
	for (i = 0; i < MAX_SESSIONS; i++) {
		struct session *ses = &drv.sessions[i];

		if (ses->exists && ses->eventfd >= 0 &&
		    write(ses->eventfd, &one, sizeof(one)) != sizeof(one))
			perror("fakedrm: eventfd");
	}
}

static int reply(struct drm_panthor_dev_query *args, const void *data, size_t size)
{
	if (!args->pointer) {
		args->size = size;
		return 0;
	}
	memset((void *)(uintptr_t)args->pointer, 0, args->size);
	memcpy((void *)(uintptr_t)args->pointer, data, args->size < size ? args->size : size);
	return 0;
}

static void set_gpu_id(struct drm_panthor_gpu_info *gpu)
{
	gpu->gpu_id = fake.settings.gpu_id;
#if defined(PANTHOR_HAS_gpu_wide_id)
	if (fake.settings.gpu_id_high) {
		gpu->gpu_wide_id = (uint64_t)fake.settings.gpu_id_high << 32 | gpu->gpu_id;
		gpu->gpu_id = 0;
	}
#elif defined(PANTHOR_HAS_gpu_id_hi)
	gpu->gpu_id_hi = fake.settings.gpu_id_high;
#endif
}

static int dev_query(struct drm_panthor_dev_query *args)
{
	struct drm_panthor_gpu_info gpu = {
		.l2_features = fake.settings.l2_features,
		.mem_features = fake.settings.mem_features,
		.shader_present = SHADER_PRESENT,
	};
	/* A later kernel's structure is longer: what is behind ours must not reach the caller. */
	struct {
		struct drm_panthor_perf_info info;
		uint64_t later[16];
	} both;
	struct drm_panthor_perf_info *info = &both.info;

	if (args->type == DRM_PANTHOR_DEV_QUERY_GPU_INFO) {
		set_gpu_id(&gpu);
		return reply(args, &gpu, sizeof(gpu));
	}
	if (fake_is_clocks(args->type) &&
	    fake.settings.features & DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT)
		return reply(args, &fake.clocks, sizeof(fake.clocks));
	if (!fake_is_info(args->type))
		return EINVAL;
	if (fake.settings.info_errno)
		return fake.settings.info_errno;
	memset(&both, 0xee, sizeof(both));
	memset(info, 0, sizeof(*info));
	info->counters_per_block = fake.settings.counters;
	info->sample_header_size = fake.settings.sample_header;
	info->block_header_size = fake.settings.block_header;
	info->sample_size = full_sample_size();
	info->fw_blocks = block_count(1);
	info->cshw_blocks = block_count(2);
	info->tiler_blocks = block_count(3);
	info->memsys_blocks = block_count(4);
	info->shader_blocks = block_count(5);
	info->neural_blocks = block_count(6);
	info->supported_sets = fake.settings.sets;
	info->supported_clocks = fake.settings.clocks;
	info->flags = fake.settings.states ? DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT : 0;
	info->flags |= fake.settings.features;
	info->min_period_ns = fake.settings.min_period_ns;
	info->min_sample_slots = 2;
	info->max_sample_slots = fake.settings.max_slots;
	info->max_sessions = 4;
	info->abi = fake.settings.abi;
	info->gpu_timestamp_frequency = 62500000;
	return reply(args, &both, fake.settings.info_size);
}

static int read_sections(uint8_t enabled[][1024], const struct drm_panthor_obj_array *array)
{
	const struct drm_panthor_perf_section *section = (const void *)(uintptr_t)array->array;
	unsigned int bit;
	uint32_t i;

	if (array->count > 256 || array->stride != sizeof(*section))
		return EINVAL;
	for (i = 0; i < array->count; i++, section++) {
		if (section->pad || section->pad2 || !section->block_type ||
		    section->block_type >= MAX_TYPES || !block_count(section->block_type) ||
		    section->first_counter % 64 ||
		    section->first_counter >= fake.settings.counters ||
		    (!section->first_counter && section->mask & 0xf))
			return EINVAL;
		for (bit = 0; bit < 64; bit++)
			if (section->mask >> bit & 1)
				enabled[section->block_type][section->first_counter + bit] = 1;
	}
	return 0;
}

/* Shorter periods need CAP_PERFMON. */
#define PERFMON_PERIOD_NS	1000000

static bool needs_perfmon(const struct drm_panthor_perf_setup *args)
{
	return args->counter_set || fake.settings.paranoid ||
	       args->flags & DRM_PANTHOR_PERF_SETUP_CLOCK_MODE ||
	       (args->sample_period_ns && args->sample_period_ns < PERFMON_PERIOD_NS);
}

static int setup(int fd, struct drm_panthor_perf_setup *args)
{
	struct fake_object *ring = fake_object_find(args->ring_handle);
	struct fake_object *control = fake_object_find(args->control_handle);
	struct session *ses = drv.sessions;
	bool wakeup, mode;
	int ret;

	if (!ring || !control)
		return ENOENT;
	while (ses < drv.sessions + MAX_SESSIONS && ses->exists)
		ses++;
	if (ses == drv.sessions + MAX_SESSIONS)
		return ENOSPC;
	wakeup = args->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP;
	mode = args->flags & DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
	if (args->counter_set > 31 || args->flags & ~0x17u || args->pad || args->pad2 ||
	    (mode ? args->clock_mode > 3 : args->clock_mode) ||
	    wakeup != !!args->wakeup_samples ||
	    (wakeup && (args->eventfd < 0 || args->wakeup_samples >= args->sample_slots)))
		return EINVAL;
	/* The flags are in the order of the features, from COMPACT on, which is bit 1 there. */
	if (args->flags & 7 & ~(fake.settings.features >> 1) ||
	    (mode && !(fake.settings.features & DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT)))
		return EOPNOTSUPP;
	if (!(fake.settings.sets >> args->counter_set & 1))
		return EOPNOTSUPP;
	if (args->sample_period_ns && args->sample_period_ns < fake.settings.min_period_ns)
		return EINVAL;
	if (fake.settings.no_perfmon && needs_perfmon(args))
		return EACCES;
	if (args->sample_slots < 2 || args->sample_slots > fake.settings.max_slots ||
	    args->sample_slots & (args->sample_slots - 1))
		return EINVAL;
	memset(ses, 0, sizeof(*ses));
	ses->time = FIRST_TIME;
	ses->setup = *args;
	ret = read_sections(ses->enabled, &args->sections);
	if (ret)
		return ret;
	ses->sample_size = sample_size(ses);
	if (args->sample_slots * ses->sample_size > ring->size || args->control_offset)
		return EINVAL;
	/* The driver refuses those that are far too large. */
	if (ring->size > args->sample_slots * full_sample_size() + MAX_SPARE ||
	    (control != ring && control->size > MAX_SPARE))
		return EINVAL;
	ses->slots = mmap(NULL, ring->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, ring->offset);
	ses->control = mmap(NULL, control->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			    control->offset);
	if (ses->slots == MAP_FAILED || (void *)ses->control == MAP_FAILED)
		return errno;
	ses->exists = true;
	ses->eventfd = args->eventfd < 0 ? -1 : dup(args->eventfd);
	fake.sessions++;
	args->handle = FIRST_HANDLE + (ses - drv.sessions);
	args->sample_size = ses->sample_size;
	return 0;
}

static struct session *find_session(uint32_t handle)
{
	uint32_t n = handle - FIRST_HANDLE;

	return n < MAX_SESSIONS && drv.sessions[n].exists ? &drv.sessions[n] : NULL;
}

/*
 * A point of the grid has come: a sample, unless there is a reason to leave it to the next one. One
 * after the other even if this comes late: what a test gets is not to depend on the machine.
 */
static void end_period(struct session *ses)
{
	uint64_t period = ses->setup.sample_period_ns;
	uint64_t used = ses->insert - __atomic_load_n(&ses->control->extract_idx, __ATOMIC_ACQUIRE);
	uint64_t end = fake_clock_ns(CLOCK_MONOTONIC);
	bool deaf = false;

	ses->next_ns += period;
	if (end >= ses->next_ns)
		end = ses->next_ns - 1;
	ses->points++;
	ses->unpublished++;
	if (fake.settings.unplug_at && ses->points >= fake.settings.unplug_at) {
		fake_unplug();
		return;
	}
	if (fake.settings.deaf_at)
		deaf = ses->points >= fake.settings.deaf_at &&
		       ses->points - fake.settings.deaf_at < fake.settings.deaf;
	if (deaf)
		ses->events |= DRM_PANTHOR_PERF_EVENT_FW_TIMEOUT;
	else if (ses->setup.sample_slots - used < 2)
		ses->events |= DRM_PANTHOR_PERF_EVENT_RING_FULL;
	if (deaf || ses->setup.sample_slots - used < 2)
		return;
	gpu_sample("manual");
	if (end >= ses->next_ns - period / 2)
		ses->events |= DRM_PANTHOR_PERF_EVENT_LATE;
	publish(ses, ses->start_data + fake.settings.mix_up, ses->unpublished - 1, end, false);
	ses->unpublished = 0;
}

static void *run_periods(void *arg)
{
	struct session *ses = arg;

	pthread_mutex_lock(&drv.lock);
	while (ses->has_thread && !drv.dead) {
		struct timespec until = { ses->next_ns / 1000000000, ses->next_ns % 1000000000 };

		if (pthread_cond_timedwait(&ses->wake, &drv.lock, &until) == ETIMEDOUT &&
		    ses->has_thread && !drv.dead)
			end_period(ses);
	}
	pthread_mutex_unlock(&drv.lock);
	return NULL;
}

static void start_periods(struct session *ses, uint64_t user_data)
{
	uint64_t period = ses->setup.sample_period_ns;
	uint64_t now = fake_clock_ns(CLOCK_MONOTONIC);
	pthread_condattr_t attr;

	ses->start_data = user_data;
	ses->points = 0;
	ses->unpublished = 0;
	if (!period)
		return;
	ses->time = fake_raw_of(now);
	ses->next_ns = (now / period + 1) * period;
	/* Beyond the end of time there is nothing to wait for. */
	if (ses->next_ns > INT64_MAX || ses->next_ns < period)
		return;
	ses->has_thread = true;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&ses->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (pthread_create(&ses->thread, NULL, run_periods, ses))
		abort();
}

/*
 * Called with the lock held. What the thread has missed goes to the final sample. Returns its end,
 * of CLOCK_MONOTONIC.
 */
static uint64_t stop_periods(struct session *ses)
{
	pthread_t thread = ses->thread;
	uint64_t now;

	if (!ses->has_thread)
		return fake_clock_ns(CLOCK_MONOTONIC);
	ses->has_thread = false;
	pthread_cond_signal(&ses->wake);
	pthread_mutex_unlock(&drv.lock);
	pthread_join(thread, NULL);
	pthread_mutex_lock(&drv.lock);
	pthread_cond_destroy(&ses->wake);
	now = fake_clock_ns(CLOCK_MONOTONIC);
	if (now >= ses->next_ns)
		ses->unpublished += 1 + (now - ses->next_ns) / ses->setup.sample_period_ns;
	return now;
}

static int teardown(const struct drm_panthor_perf_teardown *args)
{
	struct session *ses = find_session(args->handle);

	if (!ses)
		return ENOENT;
	stop_periods(ses);
	ses->exists = false;
	ses->started = false;
	if (ses->eventfd >= 0)
		close(ses->eventfd);
	ses->eventfd = -1;
	fake.sessions--;
	return args->flags ? EINVAL : 0;
}

static bool another_clock_mode(const struct session *ses)
{
	unsigned int i;

	for (i = 0; i < MAX_SESSIONS; i++) {
		const struct session *other = &drv.sessions[i];

		if (other->exists && other->started && other->setup.clock_mode &&
		    ses->setup.clock_mode && other->setup.clock_mode != ses->setup.clock_mode)
			return true;
	}
	return false;
}

static int start(const struct drm_panthor_perf_start *args)
{
	struct session *ses = find_session(args->handle);

	if (!ses)
		return ENOENT;
	if (ses->started || args->flags)
		return EINVAL;
	/* To a driver without periods, these bytes are padding, which must be zero. */
	if (args->user_data && !fake.settings.min_period_ns)
		return EINVAL;
	if (another_clock_mode(ses))
		return EBUSY;
	if (ses->setup.counter_set)
		gpu_enable(ses->setup.counter_set);
	ses->started = true;
	ses->sample_nr = 0;
	gpu_sample("power-on");
	gpu_sample("manual");
	ses->zero = drv.nr;
	start_periods(ses, args->user_data);
	return 0;
}

static void take_sample(struct session *ses, uint64_t user_data, uint64_t end_ns, bool final)
{
	if (fake.settings.silent)
		return;
	if (ses->sample_nr + 1 == fake.settings.error_at)
		gpu_reset(ses->setup.counter_set);
	if (user_data % 2)
		gpu_sample("power-off");
	gpu_sample("manual");
	publish(ses, user_data + fake.settings.mix_up, ses->unpublished, end_ns, final);
}

/* SAMPLE and STOP have the same fields. Ordered samples that are not taken at STOP are dropped. */
static int sample(const struct drm_panthor_perf_sample *args, bool last)
{
	const bool ordered = !last && args->flags == DRM_PANTHOR_PERF_SAMPLE_SYNCS;
	struct session *ses = find_session(args->handle);
	uint64_t used, end = 0;
	uint32_t i;
	int err;

	if (!ses)
		return ENOENT;
	if (!ses->started || (!last && ses->setup.sample_period_ns))
		return EINVAL;
	if (ordered) {
		const struct drm_panthor_sync_op *ops = (void *)(uintptr_t)args->syncs.array;

		if (args->syncs.stride != sizeof(*ops) ||
		    args->syncs.count > ARRAY_SIZE(fake.syncs))
			return EINVAL;
		fake.sync_count = args->syncs.count;
		for (i = 0; i < fake.sync_count; i++) {
			fake.syncs[i] = ops[i];
			/* The handle of this driver's only syncobj. */
			if (!fake_order && ops[i].handle != 1)
				return ENOENT;
		}
	} else if (args->flags) {
		return EINVAL;
	}
	used = ses->insert - __atomic_load_n(&ses->control->extract_idx, __ATOMIC_ACQUIRE);
	if (!last && ses->setup.sample_slots - used - ses->ordered < 2)
		return EBUSY;
	if (ordered && fake_order) {
		err = fake_order(args->handle, args->user_data, fake.syncs, fake.sync_count);
		ses->ordered += !err;
		return err;
	}
	if (last) {
		end = stop_periods(ses);
		ses->ordered = 0;
	}
	ses->started = !last;
	take_sample(ses, args->user_data, end, last);
	return 0;
}

void fake_sample(uint32_t session, uint64_t user_data)
{
	struct session *ses;

	pthread_mutex_lock(&drv.lock);
	ses = find_session(session);
	if (ses && ses->ordered) {
		ses->ordered--;
		take_sample(ses, user_data, 0, false);
	}
	pthread_mutex_unlock(&drv.lock);
}

static int call(int fd, unsigned long request, void *arg)
{
	fake.ioctls++;
	if (drv.dead)
		return ENODEV;
	if (fake.settings.fail_at && fake.ioctls == fake.settings.fail_at)
		return fake.settings.fail_errno;
	switch (fake_known_request(request)) {
	case DRM_IOCTL_PANTHOR_DEV_QUERY:
		return dev_query(arg);
	case DRM_IOCTL_PANTHOR_BO_CREATE:
		return fake_object_create(fd, arg);
	case DRM_IOCTL_PANTHOR_BO_MMAP_OFFSET: {
		struct drm_panthor_bo_mmap_offset *args = arg;
		struct fake_object *object = fake_object_find(args->handle);

		if (!object)
			return ENOENT;
		args->offset = object->offset;
		return 0;
	}
	case DRM_IOCTL_PANTHOR_PERF_SETUP:
		return setup(fd, arg);
	case DRM_IOCTL_PANTHOR_PERF_TEARDOWN:
		return teardown(arg);
	case DRM_IOCTL_PANTHOR_PERF_START:
		return start(arg);
	case DRM_IOCTL_PANTHOR_PERF_SAMPLE:
		return sample(arg, false);
	case DRM_IOCTL_PANTHOR_PERF_STOP:
		return sample(arg, true);
	default:
		return ENOTTY;
	}
}

int drmIoctl(int fd, unsigned long request, void *arg)
{
	int err;

	pthread_mutex_lock(&drv.lock);
	err = call(fd, request, arg);
	pthread_mutex_unlock(&drv.lock);
	errno = err;
	return err ? -1 : 0;
}

int drmCloseBufferHandle(int fd, uint32_t handle)
{
	struct fake_object *object;

	(void)fd;
	pthread_mutex_lock(&drv.lock);
	object = fake_object_find(handle);
	if (object) {
		object->open = false;
		fake.objects--;
	}
	pthread_mutex_unlock(&drv.lock);
	return object ? 0 : -EINVAL;
}
