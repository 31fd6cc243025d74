// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: The cost of a sample in the driver
 *
 * When the module is loaded, or when the kernel that contains it boots, it runs the driver's own
 * objects over a firmware without cost. For each run of each figure, it prints "bench-raw NAME NS" to
 * the kernel's log. The controls of a figure run right before or after the figure.
 */

#define pr_fmt(fmt) "bench-raw " fmt

#include <linux/dma-fence.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "bench_fw.h"
#include "bench_loops.h"
#include "panthor_gem.h"
#include "panthor_mmu.h"
#include "panthor_perf_layout.h"
#include "panthor_perf_control.h"
#include "panthor_perf_device.h"
#include "panthor_perf_events.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_sampler.h"
#include "panthor_perf_select.h"
#include "panthor_perf_session.h"

#define SLOTS		4
#define MOST		64
/* As many events as may be open. */
#define MOST_EVENTS	4096

/* Calls of a short operation for each reading of the clock. */
#define BATCH		16
#define READS		256

static uint runs = 5;
module_param(runs, uint, 0444);
MODULE_PARM_DESC(runs, "Runs of each figure");

static uint rounds = 2000;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "Firmware samples of a run");

/**
 * struct shape - A GPU
 */
struct shape {
	/** @name: Name in the figures. */
	const char *name;

	/** @params: Parameters of its layout. */
	struct panthor_perf_layout_params params;
};

static const struct shape shapes[] = {
	{
		/* An RK3588: 6656 bytes with its firmware block and the slots of absent cores. */
		.name = "g610",
		.params = {
			.prfcnt_size = 1 << 16 | 25,
			.gpu_id = 0xa8670005,
			.mem_features = 3 << 8,
			.csg_count = 8,
			.shader_present = 0x50005,
			.shader_available = 0x50005,
		},
	},
	{
		.name = "wide",
		.params = {
			.prfcnt_size = 2 << 16 | 2 * (2 + 8 + 16),
			.gpu_id = 0xc8700008,
			.gpu_prfcnt_features = 2,
			.mem_features = 7 << 8,
			.csg_count = 8,
			.shader_present = 0xffff,
			.shader_available = 0xffff,
		},
	},
};

#ifdef MODULE
/* The objects refer to these functions, but do not call them: this firmware needs no GPU. */
int panthor_fw_glb_wait_acks(struct panthor_device *ptdev, u32 reqs, u32 *acked, u32 timeout_ms)
{
	return -ENODEV;
}

struct panthor_vm *panthor_fw_vm(struct panthor_device *ptdev)
{
	return NULL;
}

struct panthor_kernel_bo *
panthor_kernel_bo_create(struct panthor_device *ptdev, struct panthor_vm *vm, size_t size,
			 u32 bo_flags, u32 vm_map_flags, u64 gpu_va)
{
	return ERR_PTR(-ENODEV);
}

void panthor_kernel_bo_destroy(struct panthor_kernel_bo *bo)
{
}

int panthor_vm_as(struct panthor_vm *vm)
{
	return -1;
}
#endif

/*
 * Returns the shorter of @least and the time since @begin, and sets @begin to now. The least of many
 * times excludes interrupts and other programs, in the guest and on its host.
 */
static u64 since(u64 least, u64 *begin)
{
	u64 now = ktime_get_ns();

	least = min(least, now - *begin);
	*begin = now;
	return least;
}

/* Accumulate, the bare loop over the same words, and memcpy of the entry, one after the other. */
static int bench_accumulate(const struct shape *shape, const struct panthor_perf_layout *layout)
{
	const u32 values = panthor_perf_layout_values(layout);
	struct panthor_perf_entry_sum sum = { 0 };
	u32 *entry = kvcalloc(layout->entry_size / 4, sizeof(u32), GFP_KERNEL);
	u32 *packed = kvcalloc(values, sizeof(u32), GFP_KERNEL);
	void *copy = kvmalloc(layout->entry_size, GFP_KERNEL);
	u64 begin, add, loop, copied;
	int ret = -ENOMEM;

	sum.totals = kvcalloc(values, sizeof(u64), GFP_KERNEL);
	if (!entry || !packed || !copy || !sum.totals)
		goto out_free;

	for (u32 i = 0; i < layout->entry_size / 4; i++)
		entry[i] = i + 1;
	for (u32 i = 0; i < values; i++)
		packed[i] = i + 1;
	bench_fw_write_entry(layout, entry);

	for (u32 run = 0; run < runs; run++) {
		add = loop = copied = U64_MAX;
		for (u32 batch = 0; batch < rounds / BATCH; batch++) {
			begin = ktime_get_ns();
			for (u32 i = 0; i < BATCH; i++)
				panthor_perf_entry_add(layout, DRM_PANTHOR_PERF_SET_PRIMARY, entry,
						       &sum);
			add = since(add, &begin);
			for (u32 i = 0; i < BATCH; i++)
				bench_add_loop(sum.totals, packed, layout->block_count,
					       layout->counters);
			loop = since(loop, &begin);
			for (u32 i = 0; i < BATCH; i++) {
				memcpy(copy, entry, layout->entry_size);
				barrier();
			}
			copied = since(copied, &begin);
		}

		pr_info("accumulate-%s %llu\n", shape->name, add / BATCH);
		pr_info("accumulate-loop-%s %llu\n", shape->name, loop / BATCH);
		pr_info("accumulate-memcpy-%s %llu\n", shape->name, copied / BATCH);
		cond_resched();
	}
	ret = 0;

out_free:
	kvfree(sum.totals);
	kvfree(copy);
	kvfree(packed);
	kvfree(entry);
	return ret;
}

/**
 * struct client - A session and its ring
 */
struct client {
	/** @session: The session. NULL: none. */
	struct panthor_perf_session *session;

	/** @slots: Memory of the ring. */
	void *slots;

	/** @control: Its indices. */
	struct drm_panthor_perf_ring_control control;
};

/**
 * struct scene - A sampler and its clients
 */
struct scene {
	/** @fw: The firmware. */
	struct bench_fw fw;

	/** @perf: The counters of a GPU, with the sampler. */
	struct panthor_perf perf;

	/** @events: Events of the GPU. */
	struct panthor_perf_events events;

	/** @clients: The clients. */
	struct client clients[MOST];

	/** @fences: Fences that the controls signal. */
	struct {
		struct dma_fence fence;
		/* Only that of the fence. */
		spinlock_t lock;
	} fences[MOST];
};

/**
 * struct demand - Counters that sessions request
 */
struct demand {
	/** @name: Suffix of the figure's name. */
	const char *name;

	/** @counters: Counters of each 64 of each block, 60 for all but the block's header. */
	u32 counters;

	/** @flags: Flags of SETUP. */
	u32 flags;

	/** @format: Form of the samples. NULL: that of the uAPI. */
	const struct panthor_perf_format *format;
};

/* A part of the counters is scattered over the groups of four. */
static u64 demand_mask(const struct demand *demand, u32 word)
{
	u64 mask = 0;

	if (demand->counters == 60)
		return word ? ~0ull : ~0xfull;

	for (u32 i = 0; i < demand->counters; i++)
		mask |= BIT_ULL(4 + (i * 7 + 28) % 60);
	return mask;
}

static int client_start(struct scene *scene, u32 nr, const struct demand *demand)
{
	struct client *client = &scene->clients[nr];
	const struct panthor_perf_layout *layout = scene->perf.sampler.fw.layout;
	struct panthor_perf_session_config config = {
		.set = DRM_PANTHOR_PERF_SET_PRIMARY,
		.flags = demand->flags,
#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
		.format = demand->format,
#endif
	};
	struct panthor_perf_start_wait wait;
	u32 size;
	int ret;

	for (u32 type = 0; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++)
		for (u32 word = 0; layout->type_count[type] && word < layout->counters / 64; word++)
			config.masks[type][word] = demand_mask(demand, word);
	client->session = panthor_perf_session_create(&scene->perf.sampler, &config);
	if (IS_ERR(client->session)) {
		ret = PTR_ERR(client->session);
		client->session = NULL;
		return ret;
	}
	size = client->session->sample_size;
	client->slots = vzalloc(array_size(SLOTS, size));
	if (!client->slots)
		return -ENOMEM;

	memset(&client->control, 0, sizeof(client->control));
	client->session->ring = (struct panthor_perf_ring) {
		.data = client->slots,
		.control = &client->control,
		.slots = SLOTS,
		.slot_size = size,
	};
	panthor_perf_ring_init_indices(&client->session->ring);
	ret = panthor_perf_session_start(client->session, &wait);
	return ret ?: panthor_perf_session_start_wait(client->session, &wait);
}

static void client_end(struct scene *scene, struct client *client)
{
	if (client->session) {
		mutex_lock(&scene->perf.sampler.lock);
		panthor_perf_session_kill_locked(client->session, false);
		mutex_unlock(&scene->perf.sampler.lock);
		panthor_perf_session_put(client->session);
	}
	vfree(client->slots);
	client->session = NULL;
	client->slots = NULL;
}

/* A sample as SAMPLE queues it, whose fence is left to the caller. */
static struct dma_fence *queue_sample_locked(struct client *client,
					     struct panthor_perf_sample *sample)
{
	struct panthor_perf_session *session = client->session;
	struct dma_fence *fence = &sample->fence->base;

	/* As the check of SAMPLE: reads what the client has freed. */
	panthor_perf_ring_free_slots(&session->ring);
	dma_fence_get(fence);
	list_add_tail(&sample->node, &session->pending);
	session->pending_count++;
	panthor_perf_sampler_request_locked(session->sampler, &sample->req);
	return fence;
}

/* All sessions publish the same firmware sample. Returns the time of the shortest round, in ns. */
static u64 publish_rounds(struct scene *scene, u32 count, u32 turns)
{
	struct panthor_perf_sampler *sampler = &scene->perf.sampler;
	struct panthor_perf_sample *samples[MOST];
	struct dma_fence *fences[MOST];
	u64 least = U64_MAX, begin;

	for (u32 round = 0; round < turns; round++) {
		for (u32 i = 0; i < count; i++) {
			struct panthor_perf_session *session = scene->clients[i].session;

			guard(mutex)(&session->sample_lock);
			samples[i] = panthor_perf_sample_create(session, round);
			if (IS_ERR(samples[i]) ||
			    IS_ERR(panthor_perf_sample_add_fence(samples[i]))) {
				for (i += !IS_ERR(samples[i]); i--;)
					panthor_perf_sample_free(samples[i]);
				return U64_MAX;
			}
		}
		mutex_lock(&sampler->lock);
		for (u32 i = 0; i < count; i++)
			fences[i] = queue_sample_locked(&scene->clients[i], samples[i]);
		/* From here on the worker may run. */
		begin = ktime_get_ns();
		mutex_unlock(&sampler->lock);
		panthor_perf_sampler_queue_work(sampler);
		flush_delayed_work(&sampler->work);
		least = since(least, &begin);

		for (u32 i = 0; i < count; i++) {
			struct drm_panthor_perf_ring_control *control = &scene->clients[i].control;

			control->extract_idx = control->insert_idx;
			dma_fence_put(fences[i]);
		}
	}
	return least;
}

static u64 published(struct scene *scene)
{
	u64 sum = 0;

	for (u32 i = 0; i < MOST && scene->clients[i].session; i++)
		sum += scene->clients[i].control.insert_idx;
	return sum;
}

static const char *fence_name(struct dma_fence *fence)
{
	return "bench";
}

static const struct dma_fence_ops fence_ops = {
	.get_driver_name = fence_name,
	.get_timeline_name = fence_name,
};

/* Fences with their locks, as samples have them. The scene owns them: none is released. */
static void fences_init(struct scene *scene, u32 round)
{
	for (u32 i = 0; i < MOST; i++) {
		spin_lock_init(&scene->fences[i].lock);
		dma_fence_init(&scene->fences[i].fence, &fence_ops, &scene->fences[i].lock, 1,
			       round + 1);
	}
}

/*
 * The controls, with the memory of the sessions: a bare loop over the values of a sample, the
 * signalling of a fence, and memcpy() of as many bytes to the ring and to the snapshot. As sessions
 * do, they use the slots of a ring one after the other.
 */
static void publish_control(struct scene *scene, const char *name)
{
	const struct panthor_perf_layout *layout = scene->perf.sampler.fw.layout;
	const u32 size = scene->clients[0].session->ring.slot_size;
	const u32 words = (size - sizeof(struct drm_panthor_perf_sample_header) -
			   layout->block_count * sizeof(struct drm_panthor_perf_block_header)) /
			  sizeof(u64);
	const u64 *totals = scene->perf.sampler.counts.sum.totals;
	u64 loop = U64_MAX, signalled = U64_MAX, copied = U64_MAX, begin;

	for (u32 round = 0; round < rounds / 8; round++) {
		const u32 slot = round % SLOTS * size, next = (round + 1) % SLOTS * size;

		fences_init(scene, round);
		begin = ktime_get_ns();
		for (u32 i = 0; i < MOST; i++)
			bench_publish_loop(scene->clients[i].slots + slot, totals,
					   scene->clients[i].session->snapshot.totals, words);
		loop = since(loop, &begin);
		for (u32 i = 0; i < MOST; i++)
			dma_fence_signal(&scene->fences[i].fence);
		signalled = since(signalled, &begin);
		for (u32 i = 0; i < MOST; i++) {
			memcpy(scene->clients[i].slots + next, totals, words * sizeof(u64));
			memcpy(scene->clients[i].session->snapshot.totals, totals,
			       words * sizeof(u64));
		}
		copied = since(copied, &begin);
	}

	pr_info("publish-loop-%s %llu\n", name, loop / MOST);
	pr_info("publish-fence-%s %llu\n", name, signalled / MOST);
	pr_info("publish-memcpy-%s %llu\n", name, copied / MOST);
}

static int publish_count(struct scene *scene, const struct shape *shape, u32 count,
			 const struct demand *demand, u32 turns)
{
	u64 samples, synced, doorbells, before, ns;
	char name[32];
	int ret = 0;
	u32 i;

	snprintf(name, sizeof(name), "%s%s", shape->name, demand->name);
	for (i = 0; i < count && !ret; i++)
		ret = client_start(scene, i, demand);
	if (ret)
		goto out_end;

	samples = scene->fw.samples;
	synced = scene->fw.synced;
	doorbells = scene->fw.doorbells;
	before = published(scene);
	ns = publish_rounds(scene, count, turns);
	if (published(scene) - before != (u64)turns * count) {
		pr_err("%llu samples of %u were published\n", published(scene) - before,
		       turns * count);
		ret = -EPROTO;
		goto out_end;
	}
	pr_info("round-%s-%u %llu\n", name, count, ns);
	pr_info("entries-%s-%u %llu\n", name, count,
		div_u64(1000 * (scene->fw.samples - samples), turns));
	pr_info("bytes-%s-%u %llu\n", name, count, div_u64(scene->fw.synced - synced, turns));
	pr_info("doorbells-%s-%u %llu\n", name, count,
		div_u64(1000 * (scene->fw.doorbells - doorbells), turns));
	if (count == MOST)
		publish_control(scene, name);

out_end:
	for (i = 0; i < count; i++)
		client_end(scene, &scene->clients[i]);
	return ret;
}

/* Rounds with a growing number of sessions. */
static int publish_sessions(struct scene *scene, const struct shape *shape)
{
	static const u32 counts[] = { 1, 8, 16, 32, MOST };
	static const struct demand demands[] = {
		{ .name = "", .counters = 60 },
		{ .name = "-compact", .counters = 60, .flags = DRM_PANTHOR_PERF_SETUP_COMPACT },
#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
		{ .name = "-control", .counters = 60, .format = &panthor_perf_control_format },
#endif
	};
	int ret = 0;

	for (u32 d = 0; d < ARRAY_SIZE(demands); d++)
		for (u32 i = 0; i < ARRAY_SIZE(counts) && !ret; i++)
			ret = publish_count(scene, shape, counts[i], &demands[d], rounds);

	return ret;
}

/* Rounds with a part of the counters. */
static int publish_counters(struct scene *scene, const struct shape *shape)
{
	static const struct demand demands[] = {
		{ .name = "-c28", .counters = 28 },
		{
			.name = "-compact-c28",
			.counters = 28,
			.flags = DRM_PANTHOR_PERF_SETUP_COMPACT,
		},
	};
	int ret = 0;

	for (u32 d = 0; d < ARRAY_SIZE(demands) && !ret; d++)
		ret = publish_count(scene, shape, 32, &demands[d], max(rounds / 4, 1u));

	return ret;
}

/* Open events until there are @wanted. Returns how many there are. */
static u32 open_events(struct scene *scene, struct panthor_perf_event **events, u32 count,
		       u32 wanted)
{
	for (; count < wanted; count++) {
		const struct panthor_perf_event_config config = {
			.type = count % 2 ? DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER :
					    DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,
			.counter = 4 + count % 60,
			.factor = 1,
		};

		events[count] = panthor_perf_event_open(&scene->events, &config);
		if (IS_ERR(events[count]))
			break;
	}
	return count;
}

/* What the read of one event costs beside the others that are open. */
static void read_one(struct scene *scene, const struct panthor_perf_event *event,
		     const char *name, u32 count)
{
	u64 least = U64_MAX, begin;
	unsigned long flags;
	u64 sum = 0;

	for (u32 round = 0; round < rounds; round++) {
		begin = ktime_get_ns();
		local_irq_save(flags);
		for (u32 i = 0; i < READS; i++) {
			panthor_perf_events_freeze(&scene->events);
			sum += panthor_perf_event_total(&scene->events, event);
			panthor_perf_events_thaw(&scene->events);
		}
		local_irq_restore(flags);
		least = since(least, &begin);
	}
	OPTIMIZER_HIDE_VAR(sum);
	pr_info("events-read-one-%s-%u %llu\n", name, count, least / READS);
}

/* What a sample costs for events, what a read of all of them as a group does, and one of one. */
static int bench_events(struct scene *scene, const struct shape *shape)
{
	struct panthor_perf_event **events = kvcalloc(MOST_EVENTS, sizeof(*events), GFP_KERNEL);
	u64 least = U64_MAX, sum = 0, begin;
	unsigned long flags;
	u32 count;
	int ret = 0;

	if (!events)
		return -ENOMEM;

	panthor_perf_events_init(&scene->events, USEC_PER_SEC);
	panthor_perf_events_plug(&scene->events, &scene->perf);
	count = open_events(scene, events, 0, 1);
	if (count == 1)
		read_one(scene, events[0], shape->name, count);
	count = open_events(scene, events, count, MOST);
	if (count < MOST) {
		ret = -EPROTO;
		goto out_close;
	}
	for (u32 round = 0; round < rounds; round++) {
		begin = ktime_get_ns();
		for (u32 i = 0; i < BATCH; i++)
			panthor_perf_events_suspend(&scene->events, &scene->perf);
		least = since(least, &begin);
	}
	pr_info("events-%s-%u %llu\n", shape->name, MOST, least / BATCH);

	least = U64_MAX;
	for (u32 round = 0; round < rounds; round++) {
		begin = ktime_get_ns();
		local_irq_save(flags);
		panthor_perf_events_freeze(&scene->events);
		for (u32 i = 0; i < MOST; i++)
			sum += panthor_perf_event_total(&scene->events, events[i]);
		panthor_perf_events_thaw(&scene->events);
		local_irq_restore(flags);
		least = since(least, &begin);
	}
	pr_info("events-read-%s-%u %llu\n", shape->name, MOST, least);
	if (!sum) {
		pr_err("events have no totals\n");
		ret = -EPROTO;
		goto out_close;
	}

	count = open_events(scene, events, count, MOST_EVENTS);
	if (count < MOST_EVENTS)
		ret = -EPROTO;
	else
		read_one(scene, events[0], shape->name, count);

out_close:
	while (count--)
		panthor_perf_event_close(&scene->events, events[count]);
	panthor_perf_events_unplug(&scene->events);
	panthor_perf_events_fini(&scene->events);
	kvfree(events);
	return ret;
}

static int bench_publish(const struct shape *shape, const struct panthor_perf_layout *layout)
{
	struct scene *scene = kvzalloc(sizeof(*scene), GFP_KERNEL);
	int ret;

	if (!scene)
		return -ENOMEM;

	bench_fw_init(&scene->fw, layout);
	scene->perf.layout = (struct panthor_perf_layout *)layout;
	mutex_init(&scene->perf.alloc_lock);
	panthor_perf_fw_init(&scene->perf.sampler.fw, &scene->fw.iface, layout);
	ret = panthor_perf_sampler_init(&scene->perf.sampler, 0);
	if (ret)
		goto out_free;

	ret = panthor_perf_hw_alloc_ring(&scene->perf.sampler.fw);
	for (u32 run = 0; run < runs && !ret; run++) {
		ret = publish_sessions(scene, shape) ?: publish_counters(scene, shape) ?:
		      bench_events(scene, shape);
		cond_resched();
	}
	panthor_perf_sampler_unplug(&scene->perf.sampler);
	panthor_perf_hw_free_ring(&scene->perf.sampler.fw);
	panthor_perf_sampler_fini(&scene->perf.sampler);

out_free:
	kvfree(scene);
	return ret;
}

static int __init bench_init(void)
{
	int ret = 0;

	if (!runs || rounds < BATCH)
		return -EINVAL;

	for (u32 i = 0; i < ARRAY_SIZE(shapes) && !ret; i++) {
		const struct shape *shape = &shapes[i];
		struct panthor_perf_layout *layout = panthor_perf_layout_create(&shape->params);

		if (IS_ERR(layout)) {
			pr_err("there is no layout of %s\n", shape->name);
			return PTR_ERR(layout);
		}
		pr_info("session-bytes-%s %zu\n", shape->name,
			sizeof(struct panthor_perf_session) +
				panthor_perf_layout_values(layout) * sizeof(u64));
		pr_info("entry-bytes-%s %u\n", shape->name, layout->entry_size);
		pr_info("sample-bytes-%s %u\n", shape->name,
			panthor_perf_select_size(layout));
		ret = bench_accumulate(shape, layout) ?: bench_publish(shape, layout);
		kfree(layout);
	}
	return ret;
}

static void __exit bench_exit(void)
{
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("Cost of a sample of the GPU's counters");
MODULE_LICENSE("Dual MIT/GPL");
