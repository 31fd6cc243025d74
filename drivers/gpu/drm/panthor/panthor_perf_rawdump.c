// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitfield.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/kstrtox.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_perf_device.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_layout.h"
#include "panthor_perf_rawdump.h"
#include "panthor_perf_sampler.h"

/**
 * DOC: Experiments with the firmware
 *
 * The file panthor_perf/rawdump in debugfs enables the firmware's counters in
 * ways that the driver itself never uses, and prints the words that firmware
 * wrote. It serves to find undocumented behaviour of firmware on a board. Only
 * root can open the file, and only a driver that was built with
 * CONFIG_DRM_PANTHOR_PERF_RAWDUMP has it.
 *
 * To run an experiment, a client writes a line of KEY=VALUE to the file. The
 * experiment has ended when the write returns, and a read from the same open
 * file returns its result. A read without an experiment returns properties of
 * the GPU and of firmware. Masks are all ones by default, other values 0:
 *
 * - set: the counter set,
 * - fw, csg, cshw, tiler, memsys, shader, neural: the enable mask of a type of
 *   block, to which bits 0 and 1 are added,
 * - requests: the number of samples to request,
 * - wait-us: the pause before each request, in us,
 * - entries: the number of entries to copy from the ring, the first ones,
 * - keep: 1: do not consume samples, so that the ring fills,
 * - fill: stop when the ring has that many entries, 0: when it is full,
 * - overflow: 1: request one sample of a full ring,
 * - metadata: 1: enable the metadata block, which the driver never does. All
 *   other blocks are one block further on, and the ring has half the entries.
 *
 * The experiment is a client of the sampler, with a set of its own for which the
 * sampler leaves the counters disabled. While a session is started the write fails
 * with -EBUSY, and so does START during an experiment. The GPU is kept powered. The
 * experiment ends after a reset of the GPU, for which it checks after each of its
 * waits of a few milliseconds. Before and after an experiment the counters are
 * disabled and no request is pending, except that a reset may begin while the
 * experiment still accesses the firmware: the next START disables the counters then.
 */

/* Longest single wait. */
#define SLICE_MS		10

/* Number of waits before a request has timed out. */
#define ANSWER_SLICES		10

/* Time of busy polling for an acknowledge, for exact measurements. */
#define SPIN_NS			(200 * NSEC_PER_USEC)

#define CONFIG_METADATA		BIT(10)
#define FEATURES_METADATA_SIZE	GENMASK(3, 0)
#define METADATA_SIZE_UNIT	256

/* Word of the metadata block with the reason for the sample. */
#define REASON_WORD		3

#define ALL			(~0u)
#define FORCED			GENMASK(1, 0)

/* Largest size of a line, in bytes. */
#define MAX_LINE		512

struct param_key {
	const char *name;
	size_t offset;
	u32 max;
};

#define KEY(key_name, field, limit) \
	{ key_name, offsetof(struct panthor_perf_rawdump_params, field), limit }

static const struct param_key keys[] = {
	KEY("set", set, DRM_PANTHOR_PERF_SET_TERTIARY),
	KEY("fw", masks.fw, ALL),
	KEY("csg", masks.csg, ALL),
	KEY("cshw", masks.cshw, ALL),
	KEY("tiler", masks.tiler, ALL),
	KEY("memsys", masks.memsys, ALL),
	KEY("shader", masks.shader, ALL),
	KEY("neural", masks.neural, ALL),
	KEY("requests", requests, PANTHOR_PERF_RAWDUMP_MAX_REQUESTS),
	KEY("wait-us", wait_us, PANTHOR_PERF_RAWDUMP_MAX_WAIT_US),
	KEY("entries", entries, PANTHOR_PERF_RAWDUMP_MAX_ENTRIES),
	KEY("keep", keep, 1),
	KEY("overflow", overflow, 1),
	KEY("fill", fill, PANTHOR_PERF_FW_RING_SLOTS),
	KEY("metadata", metadata, 1),
};

static int parse_word(char *word, struct panthor_perf_rawdump_params *params)
{
	char *value = strchr(word, '=');
	u32 number;

	if (!value)
		return -EINVAL;

	*value++ = 0;
	for (u32 i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(word, keys[i].name))
			continue;

		if (kstrtou32(value, 0, &number) || number > keys[i].max)
			return -EINVAL;

		*(u32 *)((void *)params + keys[i].offset) = number;
		return 0;
	}

	return -EINVAL;
}

/**
 * panthor_perf_rawdump_parse() - Parse the parameters of an experiment
 * @text: Words KEY=VALUE. The function modifies the text.
 * @params: Set to the parameters.
 *
 * Return: 0; -EINVAL for an unknown key, for a value that is not a number or out of range, and for
 * overflow or fill without keep.
 */
int panthor_perf_rawdump_parse(char *text, struct panthor_perf_rawdump_params *params)
{
	char *word;

	*params = (struct panthor_perf_rawdump_params) {
		.masks = { ALL, ALL, ALL, ALL, ALL, ALL, ALL },
	};

	while ((word = strsep(&text, " \t\n"))) {
		if (*word && parse_word(word, params))
			return -EINVAL;
	}

	return (params->overflow || params->fill) && !params->keep ? -EINVAL : 0;
}

/* Without these bits, the enable word of a block does not show whether it was written. */
static void force_masks(struct panthor_perf_rawdump_masks *masks)
{
	masks->fw |= FORCED;
	masks->csg |= FORCED;
	masks->cshw |= FORCED;
	masks->tiler |= FORCED;
	masks->memsys |= FORCED;
	masks->shader |= FORCED;
	masks->neural |= FORCED;
}

/*
 * Attach the experiment as the only client of idle counters, and copy the protocol state. No other
 * functions than this and the next two know the sampler.
 */
static int attach(struct panthor_perf_rawdump *dump)
{
	struct panthor_perf_sampler *sampler = dump->sampler;

	guard(panthor_perf_sampler)(sampler);
	if (sampler->gone)
		return -ENODEV;

	if (sampler->state == PANTHOR_PERF_SAMPLER_DEAD)
		return -EIO;

	/* The worker may still disable the counters after the last client was detached. */
	if (sampler->blocked || sampler->state != PANTHOR_PERF_SAMPLER_OFF ||
	    !list_empty(&sampler->clients) || !panthor_perf_fw_is_disabled(&sampler->fw))
		return -EBUSY;

	dump->fw = sampler->fw;
	panthor_perf_client_init(&dump->client);
	dump->client.allows_suspend = true;
	return panthor_perf_sampler_attach_locked(sampler, &dump->client,
						  PANTHOR_PERF_RESERVED_SET);
}

static void detach(struct panthor_perf_rawdump *dump)
{
	guard(panthor_perf_sampler)(dump->sampler);
	panthor_perf_sampler_detach_locked(dump->sampler, &dump->client);
}

/* Check whether the GPU is being reset, was reset, or is being unplugged. */
static bool is_aborted(const struct panthor_perf_rawdump *dump)
{
	/* Unplug waits for the caller's unplug section before its hook. */
	return READ_ONCE(dump->sampler->blocked) || READ_ONCE(dump->client.events) ||
	       (dump->fw.drm && drm_dev_is_unplugged(dump->fw.drm));
}

/* Wait for an acknowledge in short slices. */
static int await(struct panthor_perf_rawdump *dump, enum panthor_perf_fw_event event,
		 u64 *answer_ns)
{
	struct panthor_perf_fw *fw = &dump->fw;
	const u64 start = ktime_get_ns();
	bool acked;

	do {
		acked = panthor_perf_fw_poll(fw) & event;
		*answer_ns = ktime_get_ns() - start;
		if (!acked)
			cpu_relax();
	} while (!acked && *answer_ns < SPIN_NS);

	for (u32 i = 0; !acked && i < ANSWER_SLICES; i++) {
		panthor_perf_hw_wait(fw, event, SLICE_MS);
		acked = panthor_perf_fw_poll(fw) & event;
		*answer_ns = ktime_get_ns() - start;
		if (!acked && is_aborted(dump))
			break;
	}

	return acked ? 0 : -ETIMEDOUT;
}

static void pause_us(struct panthor_perf_rawdump *dump, u32 wait_us)
{
	while (wait_us && !is_aborted(dump)) {
		u32 part = min_t(u32, wait_us, SLICE_MS * USEC_PER_MSEC);

		usleep_range(part, part + part / 8 + 10);
		wait_us -= part;
	}
}

/* Mark all words that firmware has not written, except for those that must be 0. */
static void poison_ring(struct panthor_perf_fw *fw, bool metadata)
{
	const struct panthor_perf_layout *layout = fw->layout;
	const u32 entry_words = layout->entry_size / sizeof(u32);

	for (u32 i = 0; i < fw->slots; i++) {
		u32 *entry = fw->ring + i * layout->entry_size;

		memset32(entry, PANTHOR_PERF_RAWDUMP_POISON, entry_words);
		for (u32 slot = 0; slot < entry_words; slot += layout->counters)
			entry[slot + PANTHOR_PERF_BLOCK_EN_WORD] = 0;
		if (metadata)
			entry[REASON_WORD] = 0;
	}
	panthor_perf_hw_sync_for_device(fw, 0, fw->slots * layout->entry_size);
}

/* Copy the oldest entry, unless enough were copied. */
static void copy_entry(struct panthor_perf_fw *fw, struct panthor_perf_rawdump *dump,
		       const u32 *entry)
{
	u32 *words = dump->words + (size_t)dump->entry_count * dump->entry_words;

	if (dump->entry_count >= dump->params.entries)
		return;

	for (u32 i = 0; i < dump->entry_words; i++)
		words[i] = READ_ONCE(entry[i]);
	dump->entry_count++;
}

/* panthor_perf_fw_consume() clears word 2 of each block only. */
static void clear_reason(struct panthor_perf_fw *fw)
{
	const u32 offset = fw->extract % fw->slots * fw->layout->entry_size +
			   REASON_WORD * sizeof(u32);

	WRITE_ONCE(*(u32 *)(fw->ring + offset), 0);
	panthor_perf_hw_sync_for_device(fw, offset, sizeof(u32));
}

/*
 * Copy and consume all samples. Returns -EIO if the firmware's index is impossible, or -EAGAIN
 * after a reset: the index is then that of another boot of the firmware.
 */
static int drain(struct panthor_perf_fw *fw, struct panthor_perf_rawdump *dump)
{
	u32 count;
	int ret;

	if (is_aborted(dump))
		return -EAGAIN;

	ret = panthor_perf_fw_pending(fw, &count);
	if (ret)
		return ret;

	dump->entries_seen += count;
	while (count--) {
		copy_entry(fw, dump, panthor_perf_fw_peek(fw));
		if (dump->params.metadata)
			clear_reason(fw);
		panthor_perf_fw_consume(fw);
	}
	panthor_perf_fw_release(fw);
	return 0;
}

/* Check whether the ring has as many entries as the experiment keeps. */
static bool is_filled(struct panthor_perf_fw *fw, const struct panthor_perf_rawdump_params *params)
{
	u32 count;

	if (!params->keep || params->overflow)
		return false;

	return panthor_perf_fw_pending(fw, &count) ||
	       count >= min_not_zero(params->fill, fw->slots);
}

static int request_one(struct panthor_perf_rawdump *dump)
{
	struct panthor_perf_rawdump_request *request = &dump->requests[dump->request_count];
	struct panthor_perf_fw *fw = &dump->fw;
	const struct panthor_fw_global_output_iface *output = fw->iface->output;
	const u32 events = PANTHOR_PERF_FW_THRESHOLD | PANTHOR_PERF_FW_OVERFLOW;
	u64 again_ns;

	pause_us(dump, dump->params.wait_us);
	if (is_aborted(dump))
		return -EAGAIN;

	request->insert_before = READ_ONCE(output->perfcnt_insert);
	request->timestamp_before = panthor_perf_hw_timestamp(fw);
	panthor_perf_fw_request_sample(fw);
	request->ret = await(dump, PANTHOR_PERF_FW_SAMPLE_ACKED, &request->answer_ns);
	request->insert_after = READ_ONCE(output->perfcnt_insert);
	request->status = READ_ONCE(output->perfcnt_status);
	request->timestamp_after = panthor_perf_hw_timestamp(fw);
	request->cycles = panthor_perf_hw_cycles(fw);
	request->events = panthor_perf_fw_poll(fw);
	request->drained = request->ret;
	dump->request_count++;

	if (!dump->params.keep || request->ret) {
		int ret = drain(fw, dump);

		if (ret)
			return ret;
		if (request->events & events)
			panthor_perf_fw_ack_events(fw, request->events);
	}
	if (!request->ret)
		return 0;

	/* With a full ring, firmware serves the request after the host acknowledges OVERFLOW. */
	if (request->events & PANTHOR_PERF_FW_OVERFLOW) {
		request->drained = await(dump, PANTHOR_PERF_FW_SAMPLE_ACKED, &again_ns);
		drain(fw, dump);
	}
	return -ETIMEDOUT;
}

/* Replace the masks of panthor_perf_fw_configure(), and enable the metadata block if requested. */
static void override_config(const struct panthor_perf_rawdump *dump)
{
	struct panthor_fw_global_input_iface *input = dump->fw.iface->input;
	const struct panthor_perf_rawdump_masks *masks = &dump->params.masks;

	WRITE_ONCE(input->perfcnt_fw_enable, masks->fw);
	WRITE_ONCE(input->perfcnt_csg_enable, masks->csg);
	WRITE_ONCE(input->perfcnt_csf_enable, masks->cshw);
	WRITE_ONCE(input->perfcnt_shader_enable, masks->shader);
	WRITE_ONCE(input->perfcnt_tiler_enable, masks->tiler);
	WRITE_ONCE(input->perfcnt_mmu_l2_enable, masks->memsys);
	if (dump->layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL])
		WRITE_ONCE(input->reserved4[0], masks->neural);
	if (dump->params.metadata)
		WRITE_ONCE(input->perfcnt_config,
			   READ_ONCE(input->perfcnt_config) | CONFIG_METADATA);
}

/* Runs attached. */
static int experiment(struct panthor_perf_rawdump *dump)
{
	struct panthor_perf_fw *fw = &dump->fw;
	const struct panthor_fw_global_iface *iface = fw->iface;
	int ret = 0;

	fw->layout = dump->layout;
	/* The ring was allocated for smaller entries. */
	if (dump->params.metadata)
		fw->slots /= 2;

	poison_ring(fw, dump->params.metadata);
	dump->counter_enabled = READ_ONCE(iface->input->req) & GLB_COUNTER_EN;
	dump->cycles_off[0] = panthor_perf_hw_cycles(fw);
	dump->timestamps_off[0] = panthor_perf_hw_timestamp(fw);
	usleep_range(1000, 2000);
	dump->cycles_off[1] = panthor_perf_hw_cycles(fw);
	dump->timestamps_off[1] = panthor_perf_hw_timestamp(fw);
	dump->insert_off = READ_ONCE(iface->output->perfcnt_insert);

	dump->aborted = is_aborted(dump);
	if (dump->aborted)
		return 0;

	panthor_perf_fw_configure(fw, dump->params.set);
	override_config(dump);
	panthor_perf_fw_enable(fw);
	dump->enable_ret = await(dump, PANTHOR_PERF_FW_ENABLE_ACKED, &dump->enable_ns);
	dump->insert_on = READ_ONCE(iface->output->perfcnt_insert);

	for (u32 i = 0; !dump->enable_ret && i < dump->params.requests; i++) {
		if (is_filled(fw, &dump->params))
			break;

		ret = request_one(dump);
		if (ret)
			break;
	}
	/* Before the acknowledge, INSERT is that of the enable before. */
	if (!ret && !dump->enable_ret && dump->params.keep)
		ret = drain(fw, dump);

	panthor_perf_fw_disable(fw);
	dump->disable_ret = await(dump, PANTHOR_PERF_FW_ENABLE_ACKED, &dump->disable_ns);
	panthor_perf_fw_drop_requests(fw);
	dump->aborted = is_aborted(dump);

	/* A timeout is a result of the experiment, not an error. */
	return ret == -EIO ? ret : 0;
}

/**
 * panthor_perf_rawdump_free() - Free the result of an experiment
 * @dump: Result of panthor_perf_rawdump_run(), or NULL.
 */
void panthor_perf_rawdump_free(struct panthor_perf_rawdump *dump)
{
	if (!dump)
		return;

	kvfree(dump->words);
	kfree(dump->layout);
	kvfree(dump);
}

/*
 * Get the size of the metadata block, 0 if firmware has none. Only blocks of the size of the other
 * blocks are supported.
 */
static u32 metadata_size(const struct panthor_perf_fw *fw)
{
	const u32 features = READ_ONCE(fw->iface->control->perfcnt_features);
	const u32 size = FIELD_GET(FEATURES_METADATA_SIZE, features) * METADATA_SIZE_UNIT;

	return size == fw->layout->counters * sizeof(u32) ? size : 0;
}

/* Copy the driver's layout, with room for a metadata block in front if it is enabled. */
static struct panthor_perf_layout *
layout_alloc(const struct panthor_perf_layout *from, u32 metadata_words)
{
	const u32 block_count = from->block_count + !!metadata_words;
	struct panthor_perf_layout *layout;

	layout = kzalloc(struct_size(layout, blocks, block_count), GFP_KERNEL);
	if (!layout)
		return NULL;

	layout->counters = from->counters;
	layout->entry_size = from->entry_size + metadata_words * sizeof(u32);
	memcpy(layout->type_count, from->type_count, sizeof(layout->type_count));
	layout->block_count = block_count;
	for (u32 i = 0; i < from->block_count; i++) {
		layout->blocks[i] = from->blocks[i];
		layout->blocks[i].offset += metadata_words;
	}

	return layout;
}

static struct panthor_perf_rawdump *
dump_alloc(const struct panthor_perf_fw *fw, const struct panthor_perf_rawdump_params *params)
{
	struct panthor_perf_rawdump *dump = kvzalloc(sizeof(*dump), GFP_KERNEL);

	if (!dump)
		return NULL;

	dump->params = *params;
	dump->layout = layout_alloc(fw->layout, params->metadata ? fw->layout->counters : 0);
	if (!dump->layout)
		goto err_free;

	dump->entry_words = dump->layout->entry_size / sizeof(u32);
	dump->words = kvcalloc(params->entries ?: 1, dump->layout->entry_size, GFP_KERNEL);
	if (!dump->words)
		goto err_free;

	return dump;

err_free:
	panthor_perf_rawdump_free(dump);
	return NULL;
}

/**
 * panthor_perf_rawdump_run() - Run an experiment
 * @sampler: Sampler with a ring, of a GPU that the caller keeps powered.
 * @params: Parameters.
 * @result: Set to the result, to be freed with panthor_perf_rawdump_free().
 *
 * Return: 0, also if a request timed out; -EBUSY while a session is started, or the GPU is being
 * suspended or reset; -EIO if the counters are dead, or the firmware reports an impossible index;
 * -EOPNOTSUPP if firmware has no metadata block; -ENODEV if the GPU is gone; -ENOMEM.
 */
int panthor_perf_rawdump_run(struct panthor_perf_sampler *sampler,
			     const struct panthor_perf_rawdump_params *params,
			     struct panthor_perf_rawdump **result)
{
	struct panthor_perf_rawdump *dump;
	int ret;

	if (params->metadata && !metadata_size(&sampler->fw))
		return -EOPNOTSUPP;

	dump = dump_alloc(&sampler->fw, params);
	if (!dump)
		return -ENOMEM;

	force_masks(&dump->params.masks);
	dump->sampler = sampler;
	ret = attach(dump);
	if (!ret) {
		ret = experiment(dump);
		detach(dump);
	}
	if (ret) {
		panthor_perf_rawdump_free(dump);
		return ret;
	}

	*result = dump;
	return 0;
}

/**
 * struct rawdump_file - Open file of experiments
 */
struct rawdump_file {
	/** @ptdev: Device. */
	struct panthor_device *ptdev;

	/** @lock: Guards @dump. */
	struct mutex lock;

	/** @dump: Result of the last experiment, NULL before the first one. */
	struct panthor_perf_rawdump *dump;

	/** @prfcnt_features: GPU_PRFCNT_FEATURES when the file was opened. */
	u32 prfcnt_features;

	/** @shader_present: SHADER_PRESENT when the file was opened. */
	u64 shader_present;

	/** @neural_present: NEURAL_PRESENT when the file was opened. */
	u64 neural_present;
};

static void show_identity(struct seq_file *m, const struct rawdump_file *file)
{
	struct panthor_device *ptdev = file->ptdev;
	const struct panthor_perf_fw *fw = &ptdev->perf->sampler.fw;
	const struct panthor_fw_global_control_iface *control = fw->iface->control;
	const struct panthor_fw_csg_iface *csg = panthor_fw_get_csg_iface(ptdev, 0);
	const struct panthor_fw_cs_iface *cs = panthor_fw_get_cs_iface(ptdev, 0, 0);
	const struct panthor_perf_layout *layout = ptdev->perf->layout;

	seq_puts(m, "rawdump 4\n");
	seq_printf(m, "version %#x\nfeatures %#x\n", READ_ONCE(control->version),
		   READ_ONCE(control->features));
	seq_printf(m, "group-num %#x\ngroup-stride %#x\n", READ_ONCE(control->group_num),
		   READ_ONCE(control->group_stride));
	seq_printf(m, "perfcnt-size %#x\ninstr-features %#x\nperfcnt-features %#x\n",
		   READ_ONCE(control->perfcnt_size), READ_ONCE(control->instr_features),
		   READ_ONCE(control->perfcnt_features));
	seq_printf(m, "csg-features %#x\nsuspend-size %#x\nprotected-suspend-size %#x\n",
		   READ_ONCE(csg->control->features), READ_ONCE(csg->control->suspend_size),
		   READ_ONCE(csg->control->protm_suspend_size));
	seq_printf(m, "stream-num %#x\nstream-stride %#x\ncs-features %#x\n",
		   READ_ONCE(csg->control->stream_num),
		   READ_ONCE(csg->control->stream_stride),
		   READ_ONCE(cs->control->features));
	seq_printf(m, "gpu-prfcnt-features %#x\nshader-present %#llx\nneural-present %#llx\n",
		   file->prfcnt_features, file->shader_present, file->neural_present);
	seq_printf(m, "entry-size %u\nblock-words %u\nmetadata-size %u\nring-slots %u\n",
		   layout->entry_size, layout->counters, metadata_size(fw),
		   PANTHOR_PERF_FW_RING_SLOTS);
	for (u32 i = 0; i < layout->block_count; i++)
		seq_printf(m, "block %u %u %u\n", layout->blocks[i].type, layout->blocks[i].idx,
			   layout->blocks[i].offset);
}

/* Events as bits of the file's format. */
static u32 event_bits(u32 events)
{
	static const u32 order[] = {
		PANTHOR_PERF_FW_ENABLE_ACKED, PANTHOR_PERF_FW_SAMPLE_ACKED,
		PANTHOR_PERF_FW_THRESHOLD, PANTHOR_PERF_FW_OVERFLOW,
	};
	u32 bits = 0;

	for (u32 i = 0; i < ARRAY_SIZE(order); i++) {
		if (events & order[i])
			bits |= BIT(i);
	}

	return bits;
}

static void show_dump(struct seq_file *m, const struct panthor_perf_rawdump *dump, u32 block_words)
{
	const struct panthor_perf_rawdump_masks *masks = &dump->params.masks;

	seq_printf(m, "masks %#x %#x %#x %#x %#x %#x %#x\n", masks->fw, masks->csg, masks->cshw,
		   masks->tiler, masks->memsys, masks->shader, masks->neural);
	seq_printf(m, "metadata %u\n", dump->params.metadata);
	seq_printf(m, "off counter %u cycles %llu %llu timestamp %llu %llu insert %u\n",
		   dump->counter_enabled, dump->cycles_off[0], dump->cycles_off[1],
		   dump->timestamps_off[0], dump->timestamps_off[1], dump->insert_off);
	seq_printf(m, "enable %d ns %llu insert %u\n", dump->enable_ret, dump->enable_ns,
		   dump->insert_on);
	for (u32 i = 0; i < dump->request_count; i++) {
		const struct panthor_perf_rawdump_request *request = &dump->requests[i];

		seq_printf(m, "request %d ns %llu insert %u %u status %#x events %#x drained %d",
			   request->ret, request->answer_ns, request->insert_before,
			   request->insert_after, request->status, event_bits(request->events),
			   request->drained);
		seq_printf(m, " timestamp %llu %llu cycles %llu\n", request->timestamp_before,
			   request->timestamp_after, request->cycles);
	}
	seq_printf(m, "disable %d ns %llu\n", dump->disable_ret, dump->disable_ns);
	seq_printf(m, "seen %u aborted %u\n", dump->entries_seen, dump->aborted);

	for (u32 i = 0; i < dump->entry_count; i++) {
		const u32 *words = dump->words + (size_t)i * dump->entry_words;

		for (u32 slot = 0; slot < dump->entry_words; slot += block_words) {
			seq_printf(m, "words %u %u", i, slot);
			for (u32 word = slot; word < slot + block_words; word++)
				seq_printf(m, " %x", words[word]);
			seq_putc(m, '\n');
		}
	}
}

static int rawdump_show(struct seq_file *m, void *unused)
{
	struct rawdump_file *file = m->private;

	mutex_lock(&file->lock);
	show_identity(m, file);
	if (file->dump)
		show_dump(m, file->dump, file->ptdev->perf->layout->counters);
	mutex_unlock(&file->lock);
	return 0;
}

/* Called with the GPU powered, in the unplug section. */
static int run_powered(struct rawdump_file *file, const struct panthor_perf_rawdump_params *params)
{
	struct panthor_perf *perf = file->ptdev->perf;
	struct panthor_perf_fw *fw = &perf->sampler.fw;
	struct panthor_perf_rawdump *dump;
	int ret;

	scoped_guard(mutex, &perf->alloc_lock)
		ret = panthor_perf_hw_alloc_ring(fw);
	if (ret)
		return ret;

	ret = panthor_perf_rawdump_run(&perf->sampler, params, &dump);
	if (ret)
		return ret;

	mutex_lock(&file->lock);
	panthor_perf_rawdump_free(file->dump);
	file->dump = dump;
	mutex_unlock(&file->lock);
	return 0;
}

static ssize_t rawdump_write(struct file *filp, const char __user *user, size_t size, loff_t *pos)
{
	struct rawdump_file *file = ((struct seq_file *)filp->private_data)->private;
	struct panthor_perf_rawdump_params params;
	struct panthor_perf_fw *fw = &file->ptdev->perf->sampler.fw;
	int ret, cookie;
	char *line;

	if (size > MAX_LINE)
		return -EINVAL;

	line = memdup_user_nul(user, size);
	if (IS_ERR(line))
		return PTR_ERR(line);
	ret = panthor_perf_rawdump_parse(line, &params);
	kfree(line);
	if (ret)
		return ret;

	if (!drm_dev_enter(&file->ptdev->base, &cookie))
		return -ENODEV;
	ret = panthor_perf_hw_power_get(fw);
	if (!ret) {
		ret = run_powered(file, &params);
		panthor_perf_hw_power_put(fw);
	}
	drm_dev_exit(cookie);
	return ret ?: size;
}

/* Registers are read at open, so that a read of the file does not resume the GPU. */
static int read_registers(struct rawdump_file *file)
{
	struct panthor_device *ptdev = file->ptdev;
	struct panthor_perf_fw *fw = &ptdev->perf->sampler.fw;
	int ret = panthor_perf_hw_power_get(fw);

	if (ret)
		return ret;

	file->prfcnt_features = panthor_perf_hw_block_features(ptdev);
	file->shader_present = panthor_perf_hw_shader_present(ptdev);
	file->neural_present = panthor_perf_hw_neural_present(ptdev);
	panthor_perf_hw_power_put(fw);
	return 0;
}

static int rawdump_open(struct inode *inode, struct file *filp)
{
	struct panthor_device *ptdev = inode->i_private;
	struct rawdump_file *file;
	int ret, cookie;

	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return -ENOMEM;

	file->ptdev = ptdev;
	mutex_init(&file->lock);
	ret = -ENODEV;
	if (drm_dev_enter(&ptdev->base, &cookie)) {
		ret = read_registers(file);
		drm_dev_exit(cookie);
	}
	if (!ret)
		ret = single_open(filp, rawdump_show, file);
	if (ret)
		kfree(file);
	return ret;
}

static int rawdump_release(struct inode *inode, struct file *filp)
{
	struct rawdump_file *file = ((struct seq_file *)filp->private_data)->private;

	panthor_perf_rawdump_free(file->dump);
	mutex_destroy(&file->lock);
	kfree(file);
	return single_release(inode, filp);
}

static const struct file_operations rawdump_fops = {
	.owner = THIS_MODULE,
	.open = rawdump_open,
	.read = seq_read,
	.write = rawdump_write,
	.llseek = seq_lseek,
	.release = rawdump_release,
};

/**
 * panthor_perf_rawdump_debugfs_init() - Create the file for experiments
 * @dir: Folder panthor_perf of the device.
 * @ptdev: Device, with counters.
 */
void panthor_perf_rawdump_debugfs_init(struct dentry *dir, struct panthor_device *ptdev)
{
	debugfs_create_file("rawdump", 0600, dir, ptdev, &rawdump_fops);
}
