// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Programs that do anything to the counter interface.
 *
 *	perf-hostile CALLS SEED
 *
 * From SIGUSR1 to SIGUSR2 none of them is there, SIGTERM ends it early. In the environment:
 *
 *	PERF_FAULTS	the firmware may fail
 *	PERF_GPU	the GPU may go away, and comes back: the folder of its device
 *	PERF_NICE	its niceness
 *	PERF_OLDER	sessions are those of the older interface, with half of the calls of ours
 *	PERF_PAUSE	each thread pauses so many ms on average between two acts
 *	PERF_SHORTEST	the shortest period in ns, of those that are not refused
 *	PERF_TOTAL	a file with the sum of the calls of several programs: it decides on the end
 *
 * Processes with several threads each make calls with valid, slightly wrong and random arguments,
 * on files, buffer objects and eventfds of all kinds which they open, close, map, unmap, export,
 * import and send to one another as they like, and write all over the objects of running sessions.
 * They fork, and are killed at any time, until all of them together have made that number of
 * calls.
 *
 * They have no capabilities, so that the counter sets of others are out of their reach.
 *
 * None of that may cause an error but those of the interface's table: what the firmware does, and
 * whether it answers, is not for a program to decide. The files of a process are closed when it
 * ends; what is left then is for the caller to see.
 */

#include <linux/capability.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "junk.h"
#include "older.h"
#include "perf.h"
#include "sync.h"

#define PROCESSES	4
#define CALLERS		2
#define FILES		5
#define OBJECTS		20
#define SESSIONS	20
#define EVENTFDS	6
#define SYNCOBJS	8
#define MAX_OPS		70
/* A fence that has not signalled by then never does. */
#define FENCE_NS	(60 * NS_PER_S)
#define ARG_SIZE	16384
#define PAGE		4096
#define MAX_COMPLAINTS	10
#define FEW_CALLS	4000

/**
 * enum what - what was done, for the tally
 */
enum what {
	SETUP, START, SAMPLE, STOP, TEARDOWN, QUERY, ORDERED, OLDER, FENCE, ODD_CALL, CREATE, IMPORT,
	FOREIGN, SENT, RECEIVED, FORKED, KILLED, WHAT_COUNT,
};

static const char *const what_name[WHAT_COUNT] = {
	"SETUP", "START", "SAMPLE", "STOP", "TEARDOWN", "PERF_INFO", "ordered SAMPLE",
	"PERF_CONTROL", "a wait for a fence", "odd calls",
	"objects", "imports", "foreign objects", "files sent", "files received", "forks", "kills",
};

/**
 * struct tally - what all processes have done
 */
struct tally {
	/** @calls: Calls. */
	uint64_t calls;

	/** @done: What was done with success. */
	uint64_t done[WHAT_COUNT];

	/** @complaints: Errors that must not be. */
	uint64_t complaints;

	/** @failed: Calls that failed because of the firmware. */
	uint64_t failed;

	/** @over: It is the end. */
	bool over;
};

/**
 * struct victim - a buffer object
 */
struct victim {
	/** @fd: File that it belongs to. */
	int fd;

	/** @handle: Its handle there. */
	uint32_t handle;

	/** @size: In bytes. */
	size_t size;

	/** @map: Where it is mapped, or was, or %NULL. */
	void *map;
};

/**
 * struct target - a session, or a syncobj
 */
struct target {
	/** @fd: File that it belongs to. */
	int fd;

	/** @handle: Its handle there. */
	uint32_t handle;
};

static struct tally *tally;
static unsigned long long seed;
static uint64_t calls_wanted;
static struct drm_panthor_perf_info info;
static int post[2];
static volatile sig_atomic_t quiet;
static unsigned int pause_ms;

/* Those that count, maybe also of other programs. */
static uint64_t *calls_made;
static bool unplugs, faults, older;

/* Size of a sample, in the form that the sessions have. */
static uint32_t sample_size;

/*
 * What a process has. The threads use all this without locks, so that they pull things away from
 * under one another; slots are only ever replaced.
 */
static int files[FILES];
static int eventfds[EVENTFDS];
static struct victim objects[OBJECTS];
static struct target sessions[SESSIONS];
static struct target syncobjs[SYNCOBJS];
static char *edge;

static void did(enum what what)
{
	__atomic_add_fetch(&tally->done[what], 1, __ATOMIC_RELAXED);
}

static bool over(void)
{
	return __atomic_load_n(&tally->over, __ATOMIC_RELAXED) ||
	       __atomic_load_n(calls_made, __ATOMIC_RELAXED) >= calls_wanted;
}

/* Not memory of the process, or only in part, or not to be written. */
static uint64_t any_pointer(void)
{
	switch (random_below(6)) {
	case 0:
		return 0;
	case 1:
		return (uintptr_t)edge + PAGE - 8 * random_below(16);
	case 2:
		return (uintptr_t)edge + PAGE - 1 - random_below(64);
	case 3:
		return (uintptr_t)"a constant";
	case 4:
		return 0xffff000000000000ull + random_u64() % 0x1000000000ull;
	default:
		return any_value();
	}
}

static void complain(const char *name, int error)
{
	if (__atomic_add_fetch(&tally->complaints, 1, __ATOMIC_RELAXED) <= MAX_COMPLAINTS)
		check(false, "%s: %s - seed %llu", name, errno_name(error), seed);
}

/* A call that may fail, but not in any way. The result is that of a success. */
static int attempt_for(int *result, enum what what, int fd, unsigned long request, void *arg)
{
	int error;

	if (random_below(64) == 0)
		arg = (void *)(uintptr_t)any_pointer();
	*result = ioctl(fd, request, arg);
	error = *result < 0 ? errno : 0;
	if (!older || what == OLDER) {
		__atomic_add_fetch(&tally->calls, 1, __ATOMIC_RELAXED);
		if (calls_made != &tally->calls)
			__atomic_add_fetch(calls_made, 1, __ATOMIC_RELAXED);
	}
	if (error == ENODEV && unplugs)
		return error;
	if ((error == EIO || error == ETIMEDOUT) && faults) {
		__atomic_add_fetch(&tally->failed, 1, __ATOMIC_RELAXED);
		return error;
	}
	switch (error) {
	case 0:
		did(what);
		break;
	case EACCES:
	case EBADF:
	case EBUSY:
	case EFAULT:
	case EINTR:
	case EINVAL:
	case ENOENT:
	case ENOMEM:
	case ENOSPC:
	case ENOTTY:
	case EOPNOTSUPP:
		break;
	default:
		complain(what_name[what], error);
		break;
	}
	return error;
}

static int attempt(enum what what, int fd, unsigned long request, void *arg)
{
	int result;

	return attempt_for(&result, what, fd, request, arg);
}

/* ---- Files, objects and eventfds ---- */

static int any_file(void)
{
	return files[random_below(FILES)];
}

static void replace_file(void)
{
	unsigned int slot = random_below(FILES);
	int old = files[slot];

	if (random_below(4) == 0)
		files[slot] = dup(any_file());
	else
		files[slot] = try_open_gpu();
	/* Sometimes its number stays in use, closed. */
	if (random_below(8))
		close(old);
	else
		close(files[slot]);
}

static void replace_eventfd(void)
{
	unsigned int slot = random_below(EVENTFDS);
	int old = eventfds[slot];
	uint64_t full = UINT64_MAX - 1;

	switch (random_below(8)) {
	case 0:
		eventfds[slot] = any_file();
		return;
	case 1:
		eventfds[slot] = memfd_create("no eventfd", MFD_CLOEXEC);
		break;
	case 2:
		eventfds[slot] = any_value();
		return;
	default:
		eventfds[slot] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		break;
	}
	/* One that cannot count any further. */
	if (random_below(4) == 0 && write(eventfds[slot], &full, sizeof(full)) < 0)
		return;
	close(old);
}

/* Another one, or one of another file, or the same in another state. */
static void replace_syncobj(void)
{
	struct target *slot = &syncobjs[random_below(SYNCOBJS)];
	struct target from = syncobjs[random_below(SYNCOBJS)];
	struct drm_syncobj_handle handle = { .handle = from.handle };
	struct drm_syncobj_array array = {
		.handles = (uintptr_t)&slot->handle,
		.count_handles = 1,
	};
	struct drm_syncobj_transfer transfer = {
		.src_handle = from.handle,
		.dst_handle = slot->handle,
		.dst_point = random_below(8),
	};
	struct target old = *slot, new = { .fd = any_file() };

	switch (random_below(8)) {
	case 0:
		ioctl(slot->fd, DRM_IOCTL_SYNCOBJ_RESET, &array);
		return;
	case 1:
		ioctl(slot->fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &array);
		return;
	case 2:
		ioctl(slot->fd, DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer);
		return;
	case 3:
		if (ioctl(from.fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &handle))
			return;
		if (!ioctl(new.fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &handle))
			*slot = (struct target){ new.fd, handle.handle };
		close(handle.fd);
		return;
	default:
		if (!syncobj_create(new.fd, &new.handle))
			*slot = new;
		if (random_below(2))
			syncobj_destroy(old.fd, old.handle);
		return;
	}
}

/* Whatever a fence is of, it signals. There may be none, or another one now. */
static void wait_fence(void)
{
	struct target syncobj = syncobjs[random_below(SYNCOBJS)];
	int error = point_wait(syncobj.fd, syncobj.handle, random_below(4), FENCE_NS);

	if (!error)
		did(FENCE);
	else if (error == ETIME)
		complain("a fence", error);
}

static struct victim *any_object(void)
{
	return &objects[random_below(OBJECTS)];
}

static size_t any_size(void)
{
	switch (random_below(8)) {
	case 0:
		return 1 + random_below(3) * PAGE;
	case 1:
		return 1 + random_below(1 << 20);
	default:
		return (2ull << random_below(4)) * sample_size + PAGE * random_below(2);
	}
}

static void set_object(int fd, uint32_t handle, size_t size)
{
	struct victim *object = any_object();
	struct drm_panthor_bo_mmap_offset offset = { .handle = handle };
	void *map = MAP_FAILED;

	if (random_below(8) && !ioctl(fd, DRM_IOCTL_PANTHOR_BO_MMAP_OFFSET, &offset))
		map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset.offset);
	/* The mapping of the one before stays in place, for those that write to it just now. */
	*object = (struct victim){ fd, handle, size, map == MAP_FAILED ? NULL : map };
}

static void create_object(void)
{
	struct drm_panthor_bo_create create = { .size = any_size() };
	int fd = any_file();

	if (random_below(8) == 0)
		create.flags = DRM_PANTHOR_BO_NO_MMAP;
	if (random_below(16) == 0) {
		struct drm_panthor_vm_create vm = { .flags = 0 };

		if (!ioctl(fd, DRM_IOCTL_PANTHOR_VM_CREATE, &vm))
			create.exclusive_vm_id = vm.id;
	}
	if (!attempt(CREATE, fd, DRM_IOCTL_PANTHOR_BO_CREATE, &create))
		set_object(fd, create.handle, create.size);
}

static void import_object(void)
{
	struct victim *object = any_object();
	struct drm_prime_handle prime = {
		.handle = object->handle,
		.flags = DRM_CLOEXEC | DRM_RDWR,
	};
	int fd = any_file();

	if (ioctl(object->fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime))
		return;
	if (!ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime)) {
		did(IMPORT);
		set_object(fd, prime.handle, object->size);
	}
	close(prime.fd);
}

/* An object whose memory is not the driver's. */
static void import_foreign(void)
{
	struct udmabuf_create create = { .flags = UDMABUF_FLAGS_CLOEXEC, .size = 16 * PAGE };
	struct drm_prime_handle prime = { 0 };
	int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	int fd = any_file();

	if (device < 0)
		return;
	create.memfd = memfd_create("foreign", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (!ftruncate(create.memfd, create.size) &&
	    !fcntl(create.memfd, F_ADD_SEALS, F_SEAL_SHRINK)) {
		prime.fd = ioctl(device, UDMABUF_CREATE, &create);
		if (prime.fd >= 0 && !ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime)) {
			did(FOREIGN);
			set_object(fd, prime.handle, create.size);
		}
		if (prime.fd >= 0)
			close(prime.fd);
	}
	close(create.memfd);
	close(device);
}

static void close_object(void)
{
	struct victim *object = any_object();
	struct drm_gem_close gem = { .handle = object->handle };

	ioctl(object->fd, DRM_IOCTL_GEM_CLOSE, &gem);
}

/* Puts other memory in its place, for those that write to it just now. */
static void unmap_object(void)
{
	struct victim object = *any_object();

	if (object.map)
		mmap(object.map, object.size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* ---- Calls of the interface ---- */

/* Half of the sessions are manual; of the others some would never have a sample. */
static uint64_t any_period(void)
{
	switch (random_below(16)) {
	case 0:
		return any_value();
	case 1:
		return shortest_period(&info);
	case 2 ... 7:
		return shortest_period(&info) * (1 + random_below(200));
	default:
		return 0;
	}
}

/* The ring of an object that also has the indices, or may. */
static uint32_t any_slots(const struct victim *ring)
{
	uint32_t slots = 2;

	while (slots < 16 && 2 * slots * (uint64_t)sample_size + PAGE <= ring->size)
		slots *= 2;
	return slots;
}

/* One of 131 us keeps a slow machine from all else until its program ends, which is slow. */
static uint64_t slow_period(uint64_t period_ns)
{
	const uint64_t shortest = shortest_period(&info);

	return period_ns >= info.min_period_ns && period_ns < shortest ? shortest : period_ns;
}

static void setup_older(void)
{
	static const uint32_t sizes[] = {
		OLDER_SHORT_SETUP - 1, OLDER_SHORT_SETUP, OLDER_SHORT_SETUP, 128,
		sizeof(struct older_setup), sizeof(struct older_setup),
		sizeof(struct older_setup), sizeof(struct older_setup) + 8, PAGE, PAGE + 1,
	};
	char buffer[ARG_SIZE] = { 0 };
	struct older_setup *arg = (void *)buffer;
	struct victim ring = *any_object();
	struct older_control call = {
		.cmd = OLDER_SETUP,
		.size = sizes[random_below(sizeof(sizes) / sizeof(sizes[0]))],
		.pointer = (uintptr_t)buffer,
	};
	int handle;

	*arg = (struct older_setup){
		.fd = eventfds[random_below(EVENTFDS)],
		.ring = ring.handle, .control = ring.handle,
		.slots = any_slots(&ring),
		.period_ns = any_period(),
	};
	arg->control_offset = arg->slots * (uint64_t)sample_size;
	for (unsigned int i = 0; i < OLDER_TYPES; i++)
		if (i < OLDER_TYPES - 1 ? random_below(4) : !random_below(64))
			arg->masks[i][0] = random_u64();
	spoil(arg, sizeof(*arg));
	arg->period_ns = slow_period(arg->period_ns);
	if (random_below(8) == 0)
		spoil(&call, sizeof(call));
	if (attempt_for(&handle, OLDER, ring.fd, OLDER_CONTROL, &call))
		return;
	if (call.cmd == OLDER_SETUP)
		sessions[random_below(SESSIONS)] = (struct target){ ring.fd, handle };
}

static void setup(void)
{
	static const uint8_t types[] = { 0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 255 };
	struct drm_panthor_perf_section sections[4] = { 0 };
	char buffer[ARG_SIZE] = { 0 };
	struct drm_panthor_perf_setup *arg = (void *)buffer;
	struct victim ring = *any_object();
	struct victim control = random_below(2) ? ring : *any_object();
	uint32_t count = random_below(4);
	uint32_t slots = any_slots(&ring);
	int fd = random_below(16) ? ring.fd : any_file();
	uint64_t ring_size;

	ring_size = slots * (uint64_t)sample_size;
	for (uint32_t i = 0; i < count; i++) {
		sections[i].block_type = random_below(8) ? 2 + random_below(4) :
					 types[random_below(sizeof(types))];
		sections[i].mask = random_u64() & ~0xfull;
		if (random_below(8) == 0)
			spoil(&sections[i], sizeof(sections[i]));
	}
	*arg = (struct drm_panthor_perf_setup){
		.flags = random_below(2) ? random_below(8) : 0,
		.eventfd = random_below(4) ? eventfds[random_below(EVENTFDS)] : -1,
		.ring_handle = ring.handle,
		.control_handle = control.handle,
		.sample_slots = slots,
		.sample_period_ns = any_period(),
		.control_offset = control.handle == ring.handle ? ring_size :
				  8 * random_below(PAGE / 8),
		.sections = DRM_PANTHOR_OBJ_ARRAY(count, sections),
	};
	if (arg->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP)
		arg->wakeup_samples = random_below(slots);
	/* Where the GPU has a single rate, this is an error. */
	if (random_below(8) == 0) {
		arg->flags |= DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
		arg->clock_mode = random_below(5);
	}
	if (random_below(16) == 0)
		arg->sections.array = any_pointer();
	spoil(arg, sizeof(*arg));
	arg->sample_period_ns = slow_period(arg->sample_period_ns);
	if (attempt(SETUP, fd, DRM_IOCTL_PANTHOR_PERF_SETUP, arg))
		return;
	sessions[random_below(SESSIONS)] = (struct target){ fd, arg->handle };
}

/* A syncobj of a file, mostly. */
static uint32_t any_syncobj(int fd)
{
	struct target syncobj = syncobjs[random_below(SYNCOBJS)];

	for (unsigned int i = 0; syncobj.fd != fd && i < SYNCOBJS; i++)
		syncobj = syncobjs[i];
	if (syncobj.fd != fd && !syncobj_create(fd, &syncobj.handle))
		syncobjs[random_below(SYNCOBJS)] = (struct target){ fd, syncobj.handle };
	return random_below(64) ? syncobj.handle : random_below(20);
}

/* Operations on syncobjs, or nearly: most of the syncobjs have no fence to wait for. */
static uint32_t any_ops(struct drm_panthor_sync_op *ops, int fd)
{
	static const uint32_t counts[] = { 0, 1, 1, 1, 2, 2, 2, 3, 64, 65, MAX_OPS };
	uint32_t count = counts[random_below(sizeof(counts) / sizeof(counts[0]))];

	for (uint32_t i = 0; i < count; i++) {
		ops[i] = sync_op(any_syncobj(fd), 1 + random_below(8), random_below(count + 2));
		if (random_below(4)) {
			ops[i].flags &= ~DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_MASK;
			ops[i].timeline_value = 0;
		}
		if (random_below(128) == 0)
			spoil(&ops[i], sizeof(ops[i]));
	}
	return count;
}

static void sample_ordered(void)
{
	struct target target = sessions[random_below(SESSIONS)];
	struct drm_panthor_sync_op ops[MAX_OPS];
	struct drm_panthor_perf_sample arg = {
		.handle = target.handle,
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.user_data = random_u64(),
		.syncs = DRM_PANTHOR_OBJ_ARRAY(any_ops(ops, target.fd), ops),
	};

	if (random_below(16) == 0)
		arg.syncs.array = any_pointer();
	if (random_below(8) == 0)
		spoil(&arg, sizeof(arg));
	attempt(ORDERED, target.fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &arg);
}

static void call_session(void)
{
	static const struct {
		enum what what;
		unsigned long request;
	} calls[] = {
		{ START, DRM_IOCTL_PANTHOR_PERF_START },
		{ START, DRM_IOCTL_PANTHOR_PERF_START },
		{ SAMPLE, DRM_IOCTL_PANTHOR_PERF_SAMPLE },
		{ SAMPLE, DRM_IOCTL_PANTHOR_PERF_SAMPLE },
		{ STOP, DRM_IOCTL_PANTHOR_PERF_STOP },
		{ TEARDOWN, DRM_IOCTL_PANTHOR_PERF_TEARDOWN },
	};
	struct target target = sessions[random_below(SESSIONS)];
	unsigned int call = random_below(sizeof(calls) / sizeof(calls[0]));
	char buffer[ARG_SIZE] = { 0 };
	struct drm_panthor_perf_sample *arg = (void *)buffer;

	arg->handle = random_below(16) ? target.handle : random_below(20);
	arg->user_data = random_u64();
	if (random_below(8) == 0)
		spoil(arg, sizeof(*arg));
	attempt(calls[call].what, random_below(16) ? target.fd : any_file(), calls[call].request,
		arg);
}

static void call_older(void)
{
	static const uint32_t commands[] = {
		OLDER_START, OLDER_START, OLDER_SAMPLE, OLDER_SAMPLE, OLDER_STOP, OLDER_TEARDOWN,
		OLDER_SAMPLE + 1,
	};
	struct target target = sessions[random_below(SESSIONS)];
	uint64_t user_data = random_u64();
	struct older_control call = {
		.cmd = commands[random_below(sizeof(commands) / sizeof(commands[0]))],
		.handle = random_below(16) ? target.handle : random_below(20),
		.size = sizeof(user_data),
		.pointer = (uintptr_t)&user_data,
	};

	if (call.cmd == OLDER_TEARDOWN) {
		call.size = OLDER_TEARDOWN_SIZE;
		call.pointer = 0;
	}
	if (random_below(16) == 0)
		call.pointer = any_pointer();
	if (random_below(8) == 0)
		spoil(&call, sizeof(call));
	attempt(OLDER, random_below(16) ? target.fd : any_file(), OLDER_CONTROL, &call);
}

static void query(void)
{
	char buffer[ARG_SIZE] = { 0 };
	struct drm_panthor_dev_query arg = {
		.type = older && random_below(2) ? OLDER_QUERY : DRM_PANTHOR_DEV_QUERY_PERF_INFO,
		.size = random_below(4) ? sizeof(info) : random_below(sizeof(buffer)),
		.pointer = random_below(4) ? (uintptr_t)buffer : any_pointer(),
	};

	if (random_below(8) == 0)
		arg.size = any_value();
	/* A size that is too large must not reach beyond the buffer. */
	if (arg.pointer == (uintptr_t)buffer && arg.size > sizeof(buffer))
		arg.pointer = (uintptr_t)edge;
	attempt(QUERY, any_file(), DRM_IOCTL_PANTHOR_DEV_QUERY, &arg);
}

/* All numbers of the interface, with another size or direction than they have. */
static void odd_call(void)
{
	char buffer[ARG_SIZE] = { 0 };
	unsigned int number = DRM_COMMAND_BASE + 0x50 + random_below(16);
	unsigned int size = random_below(2) ? random_below(_IOC_SIZEMASK) : random_below(128);

	memset(buffer, random_below(2) ? 0 : random_u64(), random_below(200));
	*(uint32_t *)buffer = random_below(20);
	attempt(ODD_CALL, any_file(), _IOC(random_below(4), 'd', number, size), buffer);
}

/* ---- Other processes ---- */

static void send_file(void)
{
	int fd = any_file();
	char byte = 0, space[CMSG_SPACE(sizeof(fd))] = { 0 };
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
	if (sendmsg(post[0], &msg, MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
		did(SENT);
}

static void receive_file(void)
{
	int fd, old;
	char byte, space[CMSG_SPACE(sizeof(fd))];
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct cmsghdr *cmsg;
	unsigned int slot = random_below(FILES);

	if (recvmsg(post[1], &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0)
		return;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (!cmsg || cmsg->cmsg_type != SCM_RIGHTS)
		return;
	memcpy(&fd, CMSG_DATA(cmsg), sizeof(fd));
	old = files[slot];
	files[slot] = fd;
	/* Sessions of the sender are likely to have these handles. */
	sessions[random_below(SESSIONS)] = (struct target){ fd, 1 + random_below(4) };
	close(old);
	did(RECEIVED);
}

/* A child shares all files, and ends in any state of theirs. */
static void fork_child(void)
{
	unsigned int steps = random_below(20);
	pid_t pid = fork();

	if (pid < 0)
		return;
	if (!pid) {
		while (steps--)
			call_session();
		if (random_below(2))
			raise(SIGKILL);
		_exit(0);
	}
	did(FORKED);
	if (random_below(4) == 0)
		kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void rest(void)
{
	if (pause_ms)
		usleep(random_below(2000 * pause_ms));
	else
		sched_yield();
}

static void *caller(void *data)
{
	static const struct {
		unsigned int weight;
		void (*act)(void);
	} acts[] = {
		{ 300, setup }, { 800, call_session }, { 400, sample_ordered },
		{ 100, replace_syncobj }, { 20, wait_fence }, { 40, query },
		{ 40, odd_call }, { 60, create_object }, { 20, import_object },
		{ 6, import_foreign }, { 30, close_object }, { 20, unmap_object }, { 12, replace_file },
		{ 20, replace_eventfd }, { 10, send_file }, { 10, receive_file }, { 6, fork_child },
	};
	unsigned int total = 0, i;

	random_seed((uintptr_t)data);
	for (i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		total += acts[i].weight;
	while (!over()) {
		unsigned int dice = random_below(total);
		void (*act)(void);

		for (i = 0; dice >= acts[i].weight; i++)
			dice -= acts[i].weight;
		act = acts[i].act;
		if (older && act == setup)
			act = setup_older;
		else if (older && act == call_session && random_below(2))
			act = call_older;
		act();
		if (pause_ms)
			rest();
	}
	return NULL;
}

/* Writes to everything that is mapped, indices and samples. */
static void *scribbler(void *data)
{
	random_seed((uintptr_t)data);
	while (!over()) {
		struct victim object = *any_object();
		size_t words = object.size / 8;
		volatile uint64_t *map = object.map;
		unsigned int i;

		rest();
		if (!map || !words)
			continue;
		switch (random_below(4)) {
		case 0:
			memset(object.map, random_u64(), object.size);
			break;
		case 1:
			/* Indices that may well be valid, wherever they lie. */
			for (i = 0; i < 200; i++)
				map[random_below(words)] = random_below(20);
			break;
		default:
			for (i = 0; i < 200; i++)
				map[random_below(words)] = any_value();
			break;
		}
	}
	return NULL;
}

static uint32_t older_sample_size(int fd)
{
	uint32_t reply[12];
	struct drm_panthor_dev_query query = {
		.type = OLDER_QUERY, .size = sizeof(reply), .pointer = (uintptr_t)reply,
	};

	if (ioctl(fd, DRM_IOCTL_PANTHOR_DEV_QUERY, &query))
		die("the older interface");
	return reply[3];
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capset, &header, none))
		die("dropping the capabilities");
}

static void attacker(uint64_t own_seed)
{
	pthread_t threads[CALLERS + 1];
	unsigned int i;

	drop_capabilities();
	random_seed(own_seed);
	edge = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (edge == MAP_FAILED || mprotect(edge + PAGE, PAGE, PROT_NONE))
		die("memory");
	for (i = 0; i < FILES; i++)
		files[i] = open_gpu();
	for (i = 0; i < EVENTFDS; i++)
		eventfds[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	for (i = 0; i < OBJECTS; i++)
		create_object();
	for (i = 0; i < SYNCOBJS; i++)
		replace_syncobj();
	for (i = 0; i <= CALLERS; i++) {
		void *data = (void *)(uintptr_t)random_u64();

		if (pthread_create(&threads[i], NULL, i < CALLERS ? caller : scribbler, data))
			die("a thread");
	}
	for (i = 0; i <= CALLERS; i++)
		pthread_join(threads[i], NULL);
}

static pid_t spawn(uint64_t number)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		attacker(seed * 1000003 + number);
		_exit(0);
	}
	return pid;
}

static bool ended(pid_t pid)
{
	int status;

	if (!pid || waitpid(pid, &status, WNOHANG) != pid)
		return false;
	if (WIFSIGNALED(status))
		complain(strsignal(WTERMSIG(status)), 0);
	else if (WEXITSTATUS(status))
		complain("an attacker gave up", 0);
	return true;
}

static void on_signal(int signal)
{
	quiet = signal == SIGUSR1;
	tally->over |= signal == SIGTERM;
}

/* Files that were sent and not received go with them. */
static void send_away(pid_t *pids)
{
	char byte;

	for (unsigned int i = 0; i < PROCESSES; i++) {
		if (pids[i] && !kill(pids[i], SIGKILL))
			waitpid(pids[i], NULL, 0);
		pids[i] = 0;
	}
	while (recv(post[1], &byte, sizeof(byte), MSG_DONTWAIT) > 0)
		;
}

int main(int argc, char **argv)
{
	static const int signals[] = { SIGUSR1, SIGUSR2, SIGTERM };
	pid_t pids[PROCESSES] = { 0 };
	uint64_t number = 0;
	unsigned int i;
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: %s CALLS SEED\n", argv[0]);
		return 2;
	}
	unplugs = getenv("PERF_GPU");
	faults = getenv("PERF_FAULTS");
	older = getenv("PERF_OLDER");
	pause_ms = getenv("PERF_PAUSE") ? atoi(getenv("PERF_PAUSE")) : 0;
	calls_wanted = strtoull(argv[1], NULL, 0);
	seed = strtoull(argv[2], NULL, 0);
	printf("perf-hostile: %" PRIu64 " calls, seed %llu\n", calls_wanted, seed);
	fflush(stdout);
	random_seed(seed);
	fd = open_gpu();
	info = perf_info(fd);
	sample_size = older ? older_sample_size(fd) : info.sample_size;
	close(fd);
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (tally == MAP_FAILED || socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, post))
		die("shared memory");
	be_nice();
	calls_made = common_total();
	if (!calls_made)
		calls_made = &tally->calls;
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &(struct sigaction){ .sa_handler = on_signal }, NULL);

	for (i = 0; i < PROCESSES; i++)
		pids[i] = spawn(number++);
	while (!over()) {
		struct timespec pause = { .tv_nsec = 1000000 * (20 + random_below(400)) };

		nanosleep(&pause, NULL);
		if (quiet) {
			send_away(pids);
			continue;
		}
		for (i = 0; i < PROCESSES; i++)
			if (!pids[i] || ended(pids[i]))
				pids[i] = over() ? 0 : spawn(number++);
		i = random_below(PROCESSES);
		if (over() || !pids[i] || kill(pids[i], SIGKILL))
			continue;
		waitpid(pids[i], NULL, 0);
		did(KILLED);
		pids[i] = spawn(number++);
	}
	for (i = 0; i < PROCESSES; i++) {
		while (pids[i] && !ended(pids[i]))
			sched_yield();
	}
	close(post[0]);
	close(post[1]);

	check_eq("errors that must not be", tally->complaints, 0);
	check(over(), "%" PRIu64 " hostile calls", tally->calls);
	if (faults)
		check(tally->failed <= tally->calls / MOST_FAILED, "%" PRIu64
		      " of them failed with the firmware", tally->failed);
	for (i = 0; i < WHAT_COUNT; i++)
		printf("perf-hostile: %s: %" PRIu64 "\n", what_name[i], tally->done[i]);
	/* Few calls may have no ordered sample among them. */
	for (i = older ? START : SETUP; i <= ORDERED; i++)
		check(tally->done[i] || (i == ORDERED && tally->calls < FEW_CALLS),
		      "%s succeeds now and then", what_name[i]);
	if (older)
		check(tally->done[OLDER] > tally->calls / 100, "%" PRIu64
		      " calls of the older interface succeed", tally->done[OLDER]);
	return tally->complaints != 0;
}
