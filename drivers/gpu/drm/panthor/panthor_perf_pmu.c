// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kstrtox.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_gpu_regs.h"
#include "panthor_perf_device.h"
#include "panthor_perf_events.h"
#include "panthor_perf_pmu.h"

/**
 * DOC: perf PMU
 *
 * Each GPU is a PMU for system-wide counting, whose events are those of panthor_perf_events.c. perf
 * reads a group in a transaction, and starts and stops one while the PMU is disabled: its values
 * come from one sample. When the GPU goes, open events keep their values.
 */

/* Longest age of a value while the GPU runs, in us: initial value, and limits. */
#define REFRESH_US		1000
#define MIN_REFRESH_US		100
#define MAX_REFRESH_US		1000000

/* Bits of an event's configuration. */
#define EVENT_BLOCK		GENMASK_ULL(7, 0)
#define EVENT_COUNTER		GENMASK_ULL(15, 8)
#define EVENT_SET		GENMASK_ULL(17, 16)

/* Behind the clocks of block 0: cycles of the top level, times the units or bytes. */
enum {
	CORE_CAPACITY = 16,
	L2_CAPACITY,
	BUS_CAPACITY,
	NEURAL_CAPACITY,
};

/**
 * struct panthor_perf_pmu - PMU of a GPU
 */
struct panthor_perf_pmu {
	/** @pmu: perf's part. */
	struct pmu pmu;

	/** @events: Events. */
	struct panthor_perf_events events;

#ifdef PANTHOR_PERF_PMU_STAYS
	/** @node: Node in the list of all PMUs. */
	struct list_head node;
#endif

	/** @name: Name. Constant. */
	char name[64];

	/** @gpu_id: GPU_ID. Constant. */
	u32 gpu_id;

	/** @bus_bytes: Bytes of a beat on the external bus. Constant. */
	u32 bus_bytes;

	/** @cores: Number of shader cores that clients of the GPU may use. Constant. */
	u32 cores;

	/** @l2_slices: Number of slices of the L2 cache. Constant. */
	u32 l2_slices;

	/** @neural: Number of neural accelerators. Constant. */
	u32 neural;

	/** @clocks: Clock domains whose cycles are known. Constant. */
	u32 clocks;
};

static struct panthor_perf_pmu *to_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct panthor_perf_pmu, pmu);
}

/*
 * Events
 */

static void destroy_event(struct perf_event *event)
{
	panthor_perf_event_close(&to_pmu(event->pmu)->events, event->pmu_private);
}

/*
 * perf checks the right to observe all CPUs after event_init. An event acts on the GPU before that,
 * so its right is checked here. A set other than the primary one keeps other clients out.
 */
static int check_right(u32 set)
{
	if (set == DRM_PANTHOR_PERF_SET_PRIMARY)
		return perf_allow_cpu();

	return perfmon_capable() ? 0 : -EACCES;
}

/* Replace a capacity, what units or the bus can do, by cycles of the top level and a factor. */
static void resolve_capacity(const struct panthor_perf_pmu *p,
			     struct panthor_perf_event_config *config)
{
	if (config->type)
		return;

	switch (config->counter) {
	case CORE_CAPACITY:
		config->factor = p->cores;
		break;
	case L2_CAPACITY:
		config->factor = p->l2_slices;
		break;
	case BUS_CAPACITY:
		config->factor = p->l2_slices * p->bus_bytes;
		break;
	case NEURAL_CAPACITY:
		config->factor = p->neural;
		break;
	default:
		return;
	}

	/* The event of absent units is refused: it keeps its number, which no clock has. */
	if (config->factor)
		config->counter = DRM_PANTHOR_PERF_CLOCK_TOPLEVEL;
}

static int pmu_event_init(struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	struct panthor_perf_event_config config = {
		.type = FIELD_GET(EVENT_BLOCK, attr->config),
		.counter = FIELD_GET(EVENT_COUNTER, attr->config),
		.set = FIELD_GET(EVENT_SET, attr->config),
		.instances = attr->config1,
		.factor = 1,
	};
	struct panthor_perf_event *own;
	int ret;

	if (attr->type != event->pmu->type)
		return -ENOENT;

	if (attr->config & ~(EVENT_BLOCK | EVENT_COUNTER | EVENT_SET) || attr->config2 ||
	    attr->config3 || attr->config4)
		return -EINVAL;

	/* perf refuses some of these, too, but after the event has acted on the GPU. */
	if (is_sampling_event(event) || has_branch_stack(event) ||
	    event_has_any_exclude_flag(event) || attr->aux_output ||
	    event->attach_state & PERF_ATTACH_TASK || event->cpu < 0 ||
	    event->group_leader->cpu != event->cpu)
		return -EINVAL;

	ret = check_right(config.set);
	if (ret)
		return ret;

	resolve_capacity(to_pmu(event->pmu), &config);
	own = panthor_perf_event_open(&to_pmu(event->pmu)->events, &config);
	if (IS_ERR(own))
		return PTR_ERR(own);

	event->pmu_private = own;
	event->destroy = destroy_event;
	return 0;
}

static u64 total_of(struct perf_event *event)
{
	return panthor_perf_event_total(&to_pmu(event->pmu)->events, event->pmu_private);
}

static void pmu_read(struct perf_event *event)
{
	const u64 total = total_of(event);

	local64_add(total - local64_xchg(&event->hw.prev_count, total), &event->count);
}

static void pmu_start(struct perf_event *event, int flags)
{
	local64_set(&event->hw.prev_count, total_of(event));
	event->hw.state = 0;
}

/* This is del() as well: the value of an event that perf removes is up to date. */
static void pmu_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;

	pmu_read(event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int pmu_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		pmu_start(event, flags);

	return 0;
}

/* All with interrupts disabled. A transaction that is cancelled ends as a disable does. */
static void pmu_disable(struct pmu *pmu)
{
	panthor_perf_events_freeze(&to_pmu(pmu)->events);
}

static void pmu_enable(struct pmu *pmu)
{
	panthor_perf_events_thaw(&to_pmu(pmu)->events);
}

static void pmu_start_txn(struct pmu *pmu, unsigned int flags)
{
	panthor_perf_events_freeze(&to_pmu(pmu)->events);
}

static int pmu_commit_txn(struct pmu *pmu)
{
	panthor_perf_events_thaw(&to_pmu(pmu)->events);
	return 0;
}

/*
 * Attributes
 */

PMU_FORMAT_ATTR(block, "config:0-7");
PMU_FORMAT_ATTR(counter, "config:8-15");
PMU_FORMAT_ATTR(set, "config:16-17");
PMU_FORMAT_ATTR(instances, "config1:0-63");

static struct attribute *format_attrs[] = {
	&format_attr_block.attr,
	&format_attr_counter.attr,
	&format_attr_set.attr,
	&format_attr_instances.attr,
	NULL
};

static const struct attribute_group format_group = {
	.name = "format",
	.attrs = format_attrs,
};

/**
 * struct named_event - Event with a name
 */
struct named_event {
	/** @attr: Attribute of the event. */
	struct device_attribute attr;

	/** @type: Type of the blocks, 0 for the cycles of a clock. */
	u8 type;

	/** @counters: Index of the counter, or clock, on architectures 10, 11, 12, 13 and up. */
	u8 counters[4];
};

static struct panthor_perf_pmu *dev_to_pmu(struct device *dev)
{
	return to_pmu(dev_get_drvdata(dev));
}

static ssize_t event_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct named_event *named = container_of(attr, struct named_event, attr);
	const u32 arch = clamp(GPU_ARCH_MAJOR(dev_to_pmu(dev)->gpu_id), 10u, 13u);

	return sysfs_emit(buf, "block=%#x,counter=%#x\n", named->type, named->counters[arch - 10]);
}

static ssize_t bus_bytes_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", dev_to_pmu(dev)->bus_bytes);
}

#define ATTR(text, function) \
	{ .attr = { .name = text, .mode = 0444 }, .show = function }
#define EVENT(id, name, block, ...) \
	static struct named_event event_##id = { \
		.attr = ATTR(name, event_show), \
		.type = DRM_PANTHOR_PERF_BLOCK_TYPE_##block, \
		.counters = { __VA_ARGS__ }, \
	}
#define CYCLES(id, name, clock) \
	static struct named_event event_##id = { \
		.attr = ATTR(name, event_show), .counters = { [0 ... 3] = clock }, \
	}
#define UNIT(id, name, text) \
	static struct perf_pmu_events_attr unit_##id = { \
		.attr = ATTR(name ".unit", perf_event_sysfs_show), .event_str = text, \
	}
#define SCALE(id, name) \
	static struct device_attribute scale_##id = ATTR(name ".scale", bus_bytes_show)

/* On architecture 11, counter 4 of the front end also counts idle time of asynchronous work. */
EVENT(active, "gpu-active", CSHW, 4, 6, 4, 4);
EVENT(vertex, "vertex-queue", CSHW, 16, 16, 16, 64);
EVENT(compute, "compute-queue", CSHW, 24, 24, 24, 32);
EVENT(fragment, "fragment-queue", CSHW, 32, 32, 32, 48);
EVENT(tiler, "tiler-active", TILER, 4, 4, 4, 4);
EVENT(triangles, "triangles", TILER, 6, 6, 6, 6);
EVENT(core, "core-active", SHADER, 26, 26, 26, 26);
EVENT(read, "external-read", MEMSYS, 32, 32, 32, 32);
EVENT(write, "external-write", MEMSYS, 47, 47, 47, 47);
EVENT(read_requests, "external-read-requests", MEMSYS, 29, 29, 29, 29);
EVENT(write_requests, "external-write-requests", MEMSYS, 42, 42, 42, 42);
EVENT(lookups, "l2-lookups", MEMSYS, 25, 25, 25, 25);
CYCLES(toplevel, "gpu-cycles", DRM_PANTHOR_PERF_CLOCK_TOPLEVEL);
CYCLES(coregroup, "coregroup-cycles", DRM_PANTHOR_PERF_CLOCK_COREGROUP);
CYCLES(stacks, "shader-cycles", DRM_PANTHOR_PERF_CLOCK_SHADER);
CYCLES(core_capacity, "core-capacity", CORE_CAPACITY);
CYCLES(l2_capacity, "l2-capacity", L2_CAPACITY);
CYCLES(bus_capacity, "bus-capacity", BUS_CAPACITY);
CYCLES(neural_capacity, "neural-capacity", NEURAL_CAPACITY);
UNIT(active, "gpu-active", "cycles");
UNIT(vertex, "vertex-queue", "cycles");
UNIT(compute, "compute-queue", "cycles");
UNIT(fragment, "fragment-queue", "cycles");
UNIT(tiler, "tiler-active", "cycles");
UNIT(core, "core-active", "cycles");
UNIT(read, "external-read", "bytes");
UNIT(write, "external-write", "bytes");
UNIT(toplevel, "gpu-cycles", "cycles");
UNIT(coregroup, "coregroup-cycles", "cycles");
UNIT(stacks, "shader-cycles", "cycles");
UNIT(core_capacity, "core-capacity", "cycles");
UNIT(l2_capacity, "l2-capacity", "cycles");
UNIT(bus_capacity, "bus-capacity", "bytes");
UNIT(neural_capacity, "neural-capacity", "cycles");
SCALE(read, "external-read");
SCALE(write, "external-write");

static struct attribute *event_attrs[] = {
	&event_active.attr.attr, &unit_active.attr.attr,
	&event_vertex.attr.attr, &unit_vertex.attr.attr,
	&event_compute.attr.attr, &unit_compute.attr.attr,
	&event_fragment.attr.attr, &unit_fragment.attr.attr,
	&event_tiler.attr.attr, &unit_tiler.attr.attr,
	&event_triangles.attr.attr,
	&event_core.attr.attr, &unit_core.attr.attr,
	&event_read.attr.attr, &unit_read.attr.attr, &scale_read.attr,
	&event_write.attr.attr, &unit_write.attr.attr, &scale_write.attr,
	&event_read_requests.attr.attr, &event_write_requests.attr.attr, &event_lookups.attr.attr,
	&event_toplevel.attr.attr, &unit_toplevel.attr.attr,
	&event_coregroup.attr.attr, &unit_coregroup.attr.attr,
	&event_stacks.attr.attr, &unit_stacks.attr.attr,
	&event_core_capacity.attr.attr, &unit_core_capacity.attr.attr,
	&event_l2_capacity.attr.attr, &unit_l2_capacity.attr.attr,
	&event_bus_capacity.attr.attr, &unit_bus_capacity.attr.attr,
	&event_neural_capacity.attr.attr, &unit_neural_capacity.attr.attr,
	NULL
};

/* Not all boards have all clocks, nor all GPUs accelerators. strstarts() finds ".unit" as well. */
static umode_t event_is_visible(struct kobject *kobj, struct attribute *attr, int index)
{
	const struct panthor_perf_pmu *p = dev_to_pmu(kobj_to_dev(kobj));

	if (strstarts(attr->name, "coregroup-cycles"))
		return p->clocks & BIT(DRM_PANTHOR_PERF_CLOCK_COREGROUP) ? attr->mode : 0;

	if (strstarts(attr->name, "shader-cycles"))
		return p->clocks & BIT(DRM_PANTHOR_PERF_CLOCK_SHADER) ? attr->mode : 0;

	if (strstarts(attr->name, "neural-capacity"))
		return p->neural ? attr->mode : 0;

	return attr->mode;
}

static const struct attribute_group event_group = {
	.name = "events",
	.attrs = event_attrs,
	.is_visible = event_is_visible,
};

static ssize_t architecture_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", (u32)GPU_ARCH_MAJOR(dev_to_pmu(dev)->gpu_id));
}
static DEVICE_ATTR_RO(architecture);
static DEVICE_ATTR_RO(bus_bytes);

static ssize_t cores_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", dev_to_pmu(dev)->cores);
}
static DEVICE_ATTR_RO(cores);

static ssize_t l2_slices_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", dev_to_pmu(dev)->l2_slices);
}
static DEVICE_ATTR_RO(l2_slices);

static ssize_t neural_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", dev_to_pmu(dev)->neural);
}
static DEVICE_ATTR_RO(neural);

static struct attribute *caps_attrs[] = {
	&dev_attr_architecture.attr,
	&dev_attr_bus_bytes.attr,
	&dev_attr_cores.attr,
	&dev_attr_l2_slices.attr,
	&dev_attr_neural.attr,
	NULL
};

static const struct attribute_group caps_group = {
	.name = "caps",
	.attrs = caps_attrs,
};

static ssize_t identifier_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "mali_%04x\n", dev_to_pmu(dev)->gpu_id >> 16);
}
static DEVICE_ATTR_RO(identifier);

static ssize_t refresh_us_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(dev_to_pmu(dev)->events.refresh_us));
}

static ssize_t refresh_us_store(struct device *dev, struct device_attribute *attr, const char *buf,
				size_t size)
{
	u32 refresh_us;
	int ret = kstrtou32(buf, 0, &refresh_us);

	if (ret)
		return ret;

	if (refresh_us < MIN_REFRESH_US || refresh_us > MAX_REFRESH_US)
		return -EINVAL;

	WRITE_ONCE(dev_to_pmu(dev)->events.refresh_us, refresh_us);
	return size;
}
static DEVICE_ATTR_RW(refresh_us);

static struct attribute *other_attrs[] = {
	&dev_attr_identifier.attr,
	&dev_attr_refresh_us.attr,
	NULL
};

static const struct attribute_group other_group = {
	.attrs = other_attrs,
};

static const struct attribute_group *attr_groups[] = {
	&format_group,
	&event_group,
	&caps_group,
	&other_group,
	NULL
};

/*
 * Life cycle
 */

static struct panthor_perf_pmu *create_pmu(struct panthor_device *ptdev)
{
	const struct panthor_perf *perf = ptdev->perf;
	struct panthor_perf_pmu *p = kzalloc_obj(*p, GFP_KERNEL);
	const char *device = dev_name(ptdev->base.dev);

	if (!p)
		return NULL;

	if (panthor_perf_events_init(&p->events, REFRESH_US)) {
		kfree(p);
		return NULL;
	}

	/* perf's tables are for names that end with hexadecimal digits: without ".gpu". */
	snprintf(p->name, sizeof(p->name), "panthor_%.*s", (int)strcspn(device, "."), device);
	strreplace(p->name, ':', '_');
	p->gpu_id = ptdev->gpu_info.gpu_id;
	/* The highest byte is the binary logarithm of the width of the bus, in bits. */
	p->bus_bytes = BIT(min(ptdev->gpu_info.l2_features >> 24, 31u)) / BITS_PER_BYTE;
	p->cores = hweight64(ptdev->gpu_info.shader_present);
	p->l2_slices = perf->layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS];
	p->neural = perf->layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL];
	p->clocks = perf->sampler.counts.clocks.supported;
	p->pmu = (struct pmu) {
		.module = THIS_MODULE,
		.parent = ptdev->base.dev,
		.capabilities = PERF_PMU_CAP_NO_EXCLUDE | PERF_PMU_CAP_NO_INTERRUPT,
		.scope = PERF_PMU_SCOPE_SYS_WIDE,
		.task_ctx_nr = perf_invalid_context,
		.attr_groups = attr_groups,
		.event_init = pmu_event_init,
		.add = pmu_add,
		.del = pmu_stop,
		.start = pmu_start,
		.stop = pmu_stop,
		.read = pmu_read,
		.pmu_enable = pmu_enable,
		.pmu_disable = pmu_disable,
		.start_txn = pmu_start_txn,
		.commit_txn = pmu_commit_txn,
		.cancel_txn = pmu_enable,
	};
	return p;
}

static void free_pmu(struct panthor_perf_pmu *p)
{
	panthor_perf_events_fini(&p->events);
	kfree(p);
}

#ifdef PANTHOR_PERF_PMU_STAYS

/*
 * Before Linux 6.15, perf_pmu_unregister() frees what open events still use. A PMU stays until the
 * module is unloaded, which open events prevent. Its GPU takes it over when it is bound again.
 */
static LIST_HEAD(pmus);
static DEFINE_MUTEX(pmus_lock);

/*
 * Register *@pmu, or free it and replace it by the PMU of the same name: the name has the address
 * of the GPU, which has been unbound since. After an error *@pmu is still the caller's.
 */
static int register_pmu(struct panthor_perf_pmu **pmu)
{
	struct panthor_perf_pmu *p = *pmu, *other;
	int ret;

	guard(mutex)(&pmus_lock);
	list_for_each_entry(other, &pmus, node) {
		if (!strcmp(other->name, p->name)) {
			free_pmu(p);
			*pmu = other;
			return 0;
		}
	}

	/* The GPU's device may be gone before the PMU. */
	p->pmu.parent = NULL;
	ret = perf_pmu_register(&p->pmu, p->name, -1);
	if (!ret)
		list_add_tail(&p->node, &pmus);

	return ret;
}

static void unregister_pmu(struct panthor_perf_pmu *p)
{
	/* It stays registered for open events. panthor_perf_pmu_exit() frees it. */
}

/**
 * panthor_perf_pmu_exit() - Unregister the PMUs, which have stayed after their GPUs
 *
 * Called when the module is unloaded: no event is open, and no GPU is bound.
 */
void panthor_perf_pmu_exit(void)
{
	struct panthor_perf_pmu *p, *next;

	list_for_each_entry_safe(p, next, &pmus, node) {
		perf_pmu_unregister(&p->pmu);
		list_del(&p->node);
		free_pmu(p);
	}
}

#else

static int register_pmu(struct panthor_perf_pmu **pmu)
{
	return perf_pmu_register(&(*pmu)->pmu, (*pmu)->name, -1);
}

static void unregister_pmu(struct panthor_perf_pmu *p)
{
	perf_pmu_unregister(&p->pmu);
	free_pmu(p);
}

#endif

/**
 * panthor_perf_pmu_register() - Make the counters of a GPU available to perf
 * @ptdev: Device with counters.
 *
 * On failure there is no PMU, and a warning.
 */
void panthor_perf_pmu_register(struct panthor_device *ptdev)
{
	struct panthor_perf_pmu *p = create_pmu(ptdev);
	int ret = p ? register_pmu(&p) : -ENOMEM;

	if (ret) {
		drm_warn(&ptdev->base, "no perf PMU: error %d\n", ret);
		if (p)
			free_pmu(p);
		return;
	}

	/* After a failure the PMU stays, but its events cannot be opened. */
	if (panthor_perf_events_plug(&p->events, ptdev->perf))
		drm_warn(&ptdev->base, "no perf events: out of memory\n");

	ptdev->perf->pmu = p;
}

/**
 * panthor_perf_pmu_unplug() - The GPU is gone: the values of open events stand still
 * @perf: Counters of the GPU.
 */
void panthor_perf_pmu_unplug(struct panthor_perf *perf)
{
	if (!perf->pmu)
		return;

	panthor_perf_events_unplug(&perf->pmu->events);
	unregister_pmu(perf->pmu);
	perf->pmu = NULL;
}

/**
 * panthor_perf_pmu_suspend() - Include the last sample before a suspend of the GPU
 * @perf: Counters of the GPU.
 */
void panthor_perf_pmu_suspend(struct panthor_perf *perf)
{
	if (perf->pmu)
		panthor_perf_events_suspend(&perf->pmu->events, perf);
}
