// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-module event|sync-file|array|pending|syncobj|timeline|resv
 *
 * Keeps something of the driver after the file of the GPU is closed, prints "kept" to the file
 * PERF_STATE, and waits. The shell tries to unload the module then. SIGUSR1 reads what is kept
 * ("read"), SIGUSR2 ends the program:
 *
 *	event		an open perf event of the GPU
 *	sync-file	the fence of an ordered sample, in a sync file
 *	array		this fence, merged with that of a WAIT operation, in a sync file
 *	pending		the same of a sample that close has cancelled; the fence of the WAIT
 *			operation signals between two readings
 *	syncobj		the fence of an ordered sample, in the file of a syncobj
 *	timeline	the same, in a point of a timeline
 *	resv		the fence of an ordered sample, in a buffer of another device
 *
 * "array", "pending" and "resv" need vgem.ko.
 */
#include <linux/perf_event.h>
#include <linux/sync_file.h>
#include <signal.h>
#include <sys/syscall.h>

#include "vgem.h"

#define SLOTS		8
#define SIGNAL_NS	2000000000ll
#define MOST_FENCES	8
#define TYPE_FILE	"/sys/bus/event_source/devices/panthor_*/type"
#define BUFFERS		"/sys/kernel/debug/dma_buf/bufinfo"

/* GPU_ACTIVE of the front end */
#define EVENT		(DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW | 4 << 8)

/**
 * struct kept - what outlives the file of the GPU
 */
struct kept {
	/** @fd: Event, sync file, file of a syncobj or dma-buf. */
	int fd;

	/** @other: Fence of the WAIT operation that has not signalled; @other.fd is -1 for none. */
	struct other_fence other;

	/** @read: Reads what is kept. May be NULL: closing it is all that can be done. */
	void (*read)(struct kept *kept);
};

static void read_event(struct kept *kept)
{
	uint64_t value;

	check(read(kept->fd, &value, sizeof(value)) == sizeof(value), "the event has a value");
}

static bool is_name(const char *name)
{
	static const char *const names[] = { "panthor", "vgem", "stub", "detached-driver" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Everything that reads the operations of a fence. */
static void read_sync_file(struct kept *kept)
{
	struct sync_fence_info fences[MOST_FENCES] = { 0 };
	struct sync_file_info file = {
		.num_fences = MOST_FENCES, .sync_fence_info = (uintptr_t)fences,
	};
	struct sync_merge_data merge = { .name = "merged", .fd2 = kept->fd };
	struct pollfd poll_fd = { .fd = kept->fd, .events = POLLIN };
	unsigned int wrong = 0;

	if (ioctl(kept->fd, SYNC_IOC_FILE_INFO, &file))
		die("SYNC_IOC_FILE_INFO");
	printf("# %u fences, status %d, %.32s\n", file.num_fences, file.status, file.name);
	for (unsigned int i = 0; i < file.num_fences; i++) {
		printf("# fence %u: %.32s %.32s, status %d\n", i, fences[i].driver_name,
		       fences[i].obj_name, fences[i].status);
		wrong += !is_name(fences[i].driver_name) || !fences[i].obj_name[0] ||
			 fences[i].status > 1;
	}
	check(file.num_fences && !wrong, "the fences of the sync file have names and a status");
	if (kept->other.fd < 0)
		check(poll(&poll_fd, 1, 0) == 1, "the sync file has signalled");
	if (ioctl(kept->fd, SYNC_IOC_MERGE, &merge))
		die("SYNC_IOC_MERGE");
	close(merge.fence);
	if (kept->other.fd < 0)
		return;
	check(!poll(&poll_fd, 1, 0), "the sync file waits for the other device");
	check_errno("the other device's signal", other_fence_signal(&kept->other), 0);
	kept->other.fd = -1;
	read_sync_file(kept);
}

static void read_buffers(struct kept *kept)
{
	char text[65536];
	size_t used = 0;
	ssize_t got;
	int fd = open(BUFFERS, O_RDONLY | O_CLOEXEC);

	(void)kept;
	if (fd < 0)
		die(BUFFERS);
	while ((got = read(fd, text + used, sizeof(text) - 1 - used)) > 0)
		used += got;
	text[used] = 0;
	close(fd);
	check(!got && strstr(text, "fence:"), "a buffer of the system has a fence");
}

static void keep_event(struct kept *kept)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .config = EVENT };
	glob_t found;
	FILE *file;

	if (glob(TYPE_FILE, 0, NULL, &found) || found.gl_pathc != 1)
		die("one PMU");
	file = fopen(found.gl_pathv[0], "r");
	if (!file || fscanf(file, "%u", &attr.type) != 1)
		die("its type");
	fclose(file);
	globfree(&found);
	kept->fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (kept->fd < 0)
		die("opening an event");
	kept->read = read_event;
}

static int sample_with_ops(struct session *s, const struct drm_panthor_sync_op *ops,
			   unsigned int count)
{
	struct drm_panthor_perf_sample args = {
		.handle = s->setup.handle,
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(count, ops),
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args);
}

static int syncobj_file(int fd, uint32_t handle, uint32_t flags)
{
	struct drm_syncobj_handle args = { .handle = handle, .flags = flags };

	check_errno("the file of a syncobj", perf_call(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &args),
		    0);
	return args.fd;
}

static void keep_in_buffer(struct kept *kept)
{
	struct dma_buf_import_sync_file import = { .flags = DMA_BUF_SYNC_WRITE, .fd = kept->fd };
	int vgem = open_vgem();
	uint32_t handle;
	int buffer = vgem_buffer(vgem, &handle);

	check_errno("the fence of a buffer",
		    perf_call(buffer, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import), 0);
	close(kept->fd);
	close(vgem);
	kept->fd = buffer;
}

/* Take an ordered sample, keep its fence, and close everything else. */
static void keep_fence(struct kept *kept, const char *what)
{
	const bool pending = !strcmp(what, "pending"), array = pending || !strcmp(what, "array");
	const bool timeline = !strcmp(what, "timeline");
	const bool whole = timeline || !strcmp(what, "syncobj");
	struct drm_panthor_sync_op ops[2];
	unsigned int count = 0;
	uint32_t syncobj;
	struct session s;

	session_prepare(&s, open_gpu(), SLOTS);
	check_errno("SETUP", session_setup(&s), 0);
	check_errno("START", session_start(&s, 0), 0);
	check_errno("syncobj", syncobj_create(s.fd, &syncobj), 0);
	if (array) {
		kept->other = other_fence_create(s.fd);
		ops[count] = sync_op(kept->other.syncobj, 0, false);
		ops[count++].flags = DRM_PANTHOR_SYNC_OP_WAIT |
				     DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ;
	}
	ops[count] = sync_op(syncobj, timeline, true);
	if (!timeline)
		ops[count].flags = DRM_PANTHOR_SYNC_OP_SIGNAL |
				   DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ;
	check_errno("SAMPLE", sample_with_ops(&s, ops, count + 1), 0);
	if (array && !pending) {
		check_errno("the other device's signal", other_fence_signal(&kept->other), 0);
		kept->other.fd = -1;
	}
	if (!pending)
		check(session_wait(&s, 1, WAIT_MS), "the sample is there");
	kept->fd = syncobj_file(s.fd, syncobj,
				whole ? 0 : DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE);
	kept->read = whole ? NULL : read_sync_file;
	if (!strcmp(what, "resv")) {
		keep_in_buffer(kept);
		kept->read = read_buffers;
	}
	if (!pending) {
		check_errno("STOP", session_stop(&s, 0), 0);
		check(session_wait(&s, 2, WAIT_MS), "the final sample is there");
	}
	session_release(&s);
	close(s.fd);
}

int main(int argc, char **argv)
{
	struct kept kept = { .fd = -1, .other.fd = -1 };
	sigset_t set;
	int caught;

	if (argc != 2) {
		fprintf(stderr,
			"usage: perf-module event|sync-file|array|pending|syncobj|timeline|resv\n");
		return 2;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (!strcmp(argv[1], "event"))
		keep_event(&kept);
	else
		keep_fence(&kept, argv[1]);
	tell("kept");
	for (;;) {
		if (sigwait(&set, &caught))
			continue;
		if (caught == SIGUSR2)
			break;
		if (kept.read)
			kept.read(&kept);
		tell("read");
	}
	close(kept.fd);
	return 0;
}
