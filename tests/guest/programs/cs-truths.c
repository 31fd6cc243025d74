// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Jobs that show errors of the driver which the GPU punishes: each of them goes well with a correct
 * driver, and tests/guest/wrong has a driver with which it does not.
 *
 *	cs-truths remap		another page at an address
 *	cs-truths program	a shader program in memory that is executable, or is not
 *	cs-truths wait		memory at the end of a job
 *	cs-truths hung		a job that never ends
 *	cs-truths heap		a job that needs more of the tiler heap than there is
 */

#include "cs.h"

#define JOBS		20
#define REMAP_VA	0x2000000ull
#define PAGE		4096

/* Register pair of the program of a compute job, sizes of the job, a descriptor of a program */
#define REG_PROGRAM	16
#define REG_SIZE	37
#define RUN_COMPUTE	(4ull << 56 | 1)
#define LOAD(dst, address)	(20ull << 56 | (uint64_t)(dst) << 48 | \
				 (uint64_t)(address) << 40 | 1ull << 16)
#define PROGRAM_WORD	800
#define PROGRAM_TYPE	8

/* A render pass with a job of the tiler: indices, type of primitive */
#define HEAP_SET(address)	(48ull << 56 | (uint64_t)(address) << 40)
#define HEAP_OPERATION(what)	(49ull << 56 | (uint64_t)(what) << 32)
#define PASS_STARTED	HEAP_OPERATION(0)
#define PASS_TILED	HEAP_OPERATION(1)
#define PASS_COMPLETED	HEAP_OPERATION(3)
#define REG_INDICES	33
#define RUN_IDVS	(6ull << 56 | 8)

static void bind(uint32_t flags, uint32_t handle, uint64_t va, uint64_t size)
{
	struct drm_panthor_vm_bind_op op = {
		.flags = flags, .bo_handle = handle, .va = va, .size = size,
	};
	struct drm_panthor_vm_bind bind = {
		.vm_id = vm,
		.ops = DRM_PANTHOR_OBJ_ARRAY(1, &op),
	};

	call("VM_BIND", DRM_IOCTL_PANTHOR_VM_BIND, &bind);
}

static void run_store(const char *what, uint32_t group, uint64_t va, uint32_t value)
{
	uint32_t syncobj = make_syncobj();
	uint64_t words[STREAM_WORDS];
	unsigned int count = store(words, va, value);

	check_errno(what, submit(group, 0, 0, words, count, syncobj), 0);
	check_outcome(what, syncobj, 1);
}

/* The GPU has used the first page when the second one comes to its address. */
static void second_page(void)
{
	struct object first = object_map(gpu, PAGE), second = object_map(gpu, PAGE);
	volatile uint32_t *old = first.map, *new = second.map;
	uint32_t group = make_group_with_slot();

	bind(DRM_PANTHOR_VM_BIND_OP_TYPE_MAP, first.handle, REMAP_VA, PAGE);
	run_store("remap: a store to the first page", group, REMAP_VA, 1);
	bind(DRM_PANTHOR_VM_BIND_OP_TYPE_UNMAP, 0, REMAP_VA, PAGE);
	bind(DRM_PANTHOR_VM_BIND_OP_TYPE_MAP, second.handle, REMAP_VA, PAGE);
	run_store("remap: a store to the second page", group, REMAP_VA, 2);
	check_eq("remap: the first page", *old, 1);
	check_eq("remap: the second page", *new, 2);
	destroy_group(group);
}

static void run_program(const char *what, uint64_t binary, int outcome)
{
	const uint64_t words[] = {
		MOVE48(REG_PROGRAM, data_va(PROGRAM_WORD)), MOVE32(REG_SIZE, 1),
		MOVE32(REG_SIZE + 1, 1), MOVE32(REG_SIZE + 2, 1), RUN_COMPUTE, WAIT(0xff),
	};
	uint32_t group = make_group_with_slot(), syncobj = make_syncobj();

	*data(PROGRAM_WORD) = PROGRAM_TYPE;
	*data(PROGRAM_WORD + 2) = binary;
	*data(PROGRAM_WORD + 3) = binary >> 32;
	check_errno(what, submit(group, 0, 0, words, sizeof(words) / 8, syncobj), 0);
	check_outcome(what, syncobj, outcome);
	destroy_group(group);
}

static void executable(void)
{
	struct object binary = object_map(gpu, PAGE);

	bind(DRM_PANTHOR_VM_BIND_OP_TYPE_MAP, binary.handle, REMAP_VA, PAGE);
	bind(DRM_PANTHOR_VM_BIND_OP_TYPE_MAP | DRM_PANTHOR_VM_BIND_OP_MAP_NOEXEC, binary.handle,
	     REMAP_VA + PAGE, PAGE);
	run_program("program: in executable memory", REMAP_VA + 0x80, 1);
	run_program("program: in other memory", REMAP_VA + PAGE + 0x80, -EINVAL);
}

/*
 * The stream does not wait for its store: the driver does, before it says that the job has ended.
 * A stream that does not wait before it loads the word gets the old one.
 */
static void end_of_job(void)
{
	const uint64_t load[] = {
		MOVE48(68, data_va(0)), MOVE32(70, 1), STORE(70, 68), LOAD(71, 68), WAIT(0xff),
		MOVE48(68, data_va(1)), STORE(71, 68),
	};
	uint32_t group = make_group_with_slot(), syncobj;
	unsigned int i, missing = 0;

	for (i = 0; i < JOBS; i++) {
		const uint64_t words[] = {
			MOVE48(68, data_va(16 + i)), MOVE32(70, 1 + i), STORE(70, 68),
		};

		syncobj = make_syncobj();
		if (submit(group, 0, i, words, sizeof(words) / 8, syncobj) || outcome(syncobj) != 1)
			die("a job");
		missing += *data(16 + i) != 1 + i;
	}
	check_eq("wait: words that were not there at the end of their job", missing, 0);

	*data(0) = 4711;
	syncobj = make_syncobj();
	check_errno("wait: a load that overtakes a store",
		    submit(group, 0, JOBS, load, sizeof(load) / 8, syncobj), 0);
	check_outcome("wait: a load that overtakes a store", syncobj, 1);
	check_eq("wait: what it stored", *data(0), 1);
	check_eq("wait: what it loaded", *data(1), 4711);
	destroy_group(group);
}

/*
 * The test has the virtual GPU use 64 KiB of the heap for 64 indices: five chunks for this job,
 * which have a header each. The one that the heap begins with is not counted.
 */
static void tiler_heap(void)
{
	struct drm_panthor_tiler_heap_create create = {
		.vm_id = vm, .initial_chunk_count = 1, .chunk_size = 128 << 10, .max_chunks = 8,
		.target_in_flight = 100,
	};
	uint32_t group = make_group_with_slot(), syncobj = make_syncobj();

	call("TILER_HEAP_CREATE", DRM_IOCTL_PANTHOR_TILER_HEAP_CREATE, &create);

	const uint64_t words[] = {
		MOVE48(68, create.tiler_heap_ctx_gpu_va), HEAP_SET(68), PASS_STARTED,
		MOVE32(REG_INDICES, 8 * 64), RUN_IDVS, WAIT(0xff), PASS_TILED, PASS_COMPLETED,
	};

	check_errno("heap: a pass", submit(group, 0, 0, words, sizeof(words) / 8, syncobj), 0);
	check_outcome("heap: a pass that needs more than there is", syncobj, 1);
	destroy_group(group);
}

/* The GPU finds that before the driver's own time for a job is over, and says so. */
static void endless_job(void)
{
	const uint64_t words[] = {
		MOVE32(REG_SIZE, 1), MOVE32(REG_SIZE + 1, 1), MOVE32(REG_SIZE + 2, 1),
		MOVE48(REG_PROGRAM, 0), RUN_COMPUTE, WAIT(0xff),
	};
	uint32_t group = make_group_with_slot(), syncobj = make_syncobj();
	int64_t begin = now_ns();

	check_errno("hung: a job", submit(group, 0, 0, words, sizeof(words) / 8, syncobj), 0);
	check_outcome("hung: a job that never ends", syncobj, -ETIMEDOUT);
	check(now_ns() - begin < JOB_TIMEOUT_NS, "hung: ended before the driver's time is over");
	check_eq("hung: state of its group", group_state(group), DRM_PANTHOR_GROUP_STATE_TIMEDOUT);
	destroy_group(group);
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	gpu = open_gpu();
	make_vm();
	if (!strcmp(what, "remap"))
		second_page();
	else if (!strcmp(what, "program"))
		executable();
	else if (!strcmp(what, "wait"))
		end_of_job();
	else if (!strcmp(what, "heap"))
		tiler_heap();
	else if (!strcmp(what, "hung"))
		endless_job();
	else
		die("remap, program, wait, heap or hung");
	return 0;
}
