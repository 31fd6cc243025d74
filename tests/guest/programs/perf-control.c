// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-control manual|periodic|errors|permissions|no
 *
 * A client of the older interface, whose numbers and structures are written down here and in older.h: nothing of
 * the driver's headers. OUT.totals in /out gets each sample, for tests/compare/check-totals.py. "no" is for a driver
 * without this interface.
 */

#include <signal.h>
#include <sys/wait.h>

#include "clocks.h"
#include "older.h"
#include "perf.h"

#define DEV_QUERY		0xC0106440
#define BO_CREATE_24		0xC0186445
#define BO_CREATE_72		0xC0486445
#define BO_MMAP_OFFSET		0xC0106446
#define GEM_CLOSE		0x40086409

#define QUERY_INSTR_INFO	0x3FFFFFFF

#define PARANOID	"/proc/sys/dev/panthor/perf_paranoid"
#define OTHER_USER	1000

#define SLOTS		32
#define SAMPLES		20
#define PERIOD_NS	20000000ull
/* What a time of the GPU may differ from that of the CPU. */
#define TIME_ERROR_NS	100000
#define FIRST		4
#define LOST		1
#define STRETCHED	2
/* Types of blocks. */
#define SHADER		5
#define NEURAL		6

struct query {
	uint32_t type, size;
	uint64_t pointer;
};

struct info {
	uint32_t counters_per_block, sample_header_size, block_header_size, sample_size, flags, supported_clocks;
	uint32_t blocks[OLDER_TYPES];
};

struct bo {
	uint64_t size;
	uint32_t flags, exclusive_vm_id, handle;
	uint32_t pad[13];
};

struct indices {
	uint64_t extract, insert;
};

struct header {
	uint64_t start_ns, end_ns;
	uint8_t set, pad[3];
	uint32_t flags;
	uint64_t user_data, cycles[4];
};

struct block {
	uint8_t type, index, states, clock, pad[4];
	uint64_t enabled[2];
};

_Static_assert(sizeof(struct info) == 48 && sizeof(struct bo) == 72 && sizeof(struct header) == 64 &&
	       sizeof(struct block) == 24, "sizes");

static struct info info;

struct old_session {
	/* The first types, which have a mask in SETUP. */
	uint32_t types;
	int fd, eventfd;
	struct bo ring_bo, control_bo;
	const uint8_t *ring;
	volatile struct indices *indices;
	int handle;
	uint64_t last_end_ns;
};

static int call(int fd, uint32_t cmd, uint32_t handle, uint64_t size, const void *pointer)
{
	struct older_control args = { cmd, handle, size, (uintptr_t)pointer };

	return ioctl(fd, OLDER_CONTROL, &args);
}

static int call_with(int fd, uint32_t cmd, int handle, uint64_t user_data)
{
	return call(fd, cmd, handle, sizeof(user_data), &user_data);
}

static int query(int fd, uint32_t type, void *reply, uint32_t *size)
{
	struct query args = { type, *size, (uintptr_t)reply };
	int ret = ioctl(fd, DEV_QUERY, &args);

	*size = args.size;
	return ret;
}

static void get_info(int fd)
{
	struct info cut;
	uint32_t size = 0, sum = 0;

	check(!query(fd, OLDER_QUERY, NULL, &size) && size == 48, "the size of the reply: %u", size);
	check(!query(fd, OLDER_QUERY, &info, &size), "the whole reply");
	memset(&cut, 0xff, sizeof(cut));
	size = 44;
	check(!query(fd, OLDER_QUERY, &cut, &size) && !memcmp(&cut, &info, 44) && cut.blocks[5] == 0xffffffff,
	      "a reply of 44 bytes");
	for (int i = 0; i < OLDER_TYPES; i++)
		sum += info.blocks[i];
	check(info.counters_per_block == 64 || info.counters_per_block == 128, "%u words in a block",
	      info.counters_per_block);
	check(sum <= 210, "%u blocks", sum);
	check_eq("a sample is its header and all blocks", info.sample_size,
		 info.sample_header_size + sum * (info.block_header_size + 8 * info.counters_per_block));
	check_eq("the size of a sample's header", info.sample_header_size, sizeof(struct header));
	check_eq("the size of a block's header", info.block_header_size, sizeof(struct block));
	check_eq("the flag of block states", info.flags & 1, 1);
}

static void *map_bo(int fd, struct bo *bo, uint64_t size, unsigned long request, int protection)
{
	struct {
		uint32_t handle, pad;
		uint64_t offset;
	} args = { 0 };
	void *memory;

	memset(bo, 0, sizeof(*bo));
	bo->size = size;
	if (ioctl(fd, request, bo) || !bo->handle)
		die("creating a buffer object");
	args.handle = bo->handle;
	if (ioctl(fd, BO_MMAP_OFFSET, &args))
		die("the offset of a buffer object");
	memory = mmap(NULL, bo->size, protection, MAP_SHARED, fd, args.offset);
	if (memory == MAP_FAILED)
		die("mapping a buffer object");
	return memory;
}

static struct older_setup setup_of(const struct old_session *s, uint64_t period_ns)
{
	struct older_setup setup = {
		.fd = s->eventfd, .ring = s->ring_bo.handle, .control = s->control_bo.handle, .slots = SLOTS,
		.period_ns = period_ns,
	};

	for (int type = 0; type < OLDER_TYPES; type++)
		for (int word = 0; word < 2 && info.blocks[type] && 64u * word < info.counters_per_block; word++)
			setup.masks[type][word] = word ? ~0ull : ~0ull << FIRST;
	return setup;
}

static void open_session(struct old_session *s, unsigned long bo_create)
{
	memset(s, 0, sizeof(*s));
	s->fd = open_gpu();
	s->eventfd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	s->ring = map_bo(s->fd, &s->ring_bo, SLOTS * info.sample_size, bo_create, PROT_READ);
	s->indices = map_bo(s->fd, &s->control_bo, sizeof(struct indices), bo_create, PROT_READ | PROT_WRITE);
}

static void set_up(struct old_session *s, uint64_t period_ns, uint64_t size, unsigned long bo_create)
{
	struct older_setup setup;

	open_session(s, bo_create);
	s->types = size == OLDER_SHORT_SETUP ? OLDER_TYPES - 1 : OLDER_TYPES;
	setup = setup_of(s, period_ns);
	s->handle = call(s->fd, OLDER_SETUP, 0, size, &setup);
	if (s->handle < 0)
		die("SETUP");
}

static void close_objects(struct old_session *s)
{
	uint32_t handles[2] = { s->ring_bo.handle, s->control_bo.handle };

	for (int i = 0; i < 2; i++) {
		uint32_t args[2] = { handles[i], 0 };

		check(!ioctl(s->fd, GEM_CLOSE, args), "closing the handle of an object behind SETUP");
	}
}

static void close_session(struct old_session *s)
{
	munmap((void *)s->indices, s->control_bo.size);
	close(s->fd);
	close(s->eventfd);
	munmap((void *)s->ring, s->ring_bo.size);
}

static bool is_signalled(const struct old_session *s, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = s->eventfd, .events = POLLIN };

	return poll(&poll_fd, 1, timeout_ms) == 1;
}

static void take_count(struct old_session *s)
{
	uint64_t count;

	if (!is_signalled(s, WAIT_MS))
		die("waiting for a sample");
	if (read(s->eventfd, &count, sizeof(count)) != sizeof(count) || count != 1)
		die("the count of a sample");
}

/* Judge the next sample, and write what it counted. Returns its flags. */
static uint32_t take_sample(struct old_session *s, uint64_t user_data, FILE *out)
{
	static const char *const names[] = { "", "fw", "cshw", "tiler", "memsys", "shader", "neural" };
	const uint64_t extract = s->indices->extract;
	const uint8_t *slot = s->ring + extract % SLOTS * info.sample_size;
	const struct header *header = (const void *)slot;
	uint32_t seen[OLDER_TYPES + 1] = { 0 }, wrong = 0, total = 0, next_core = 0, flags;

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (s->indices->insert == extract)
		die("a count without a sample");
	flags = header->flags;
	if (header->set || flags & ~(LOST | STRETCHED) || header->user_data != user_data ||
	    header->start_ns > header->end_ns || (s->last_end_ns && header->start_ns != s->last_end_ns))
		check(false, "sample %llu: set %u, flags %x, user data %llx, from %llu to %llu behind %llu",
		      (unsigned long long)extract, header->set, flags, (unsigned long long)header->user_data,
		      (unsigned long long)header->start_ns, (unsigned long long)header->end_ns,
		      (unsigned long long)s->last_end_ns);
	s->last_end_ns = header->end_ns;
	for (int i = 0; i < OLDER_TYPES; i++)
		total += info.blocks[i];
	slot += info.sample_header_size;
	for (uint32_t i = 0; i < total; i++, slot += info.block_header_size + 8 * info.counters_per_block) {
		const struct block *block = (const void *)slot;
		const uint64_t *values = (const void *)(slot + info.block_header_size);
		const uint32_t first = block->type > s->types ? info.counters_per_block : FIRST;

		if (block->type < 1 || block->type > OLDER_TYPES) {
			wrong++;
			continue;
		}
		/* An accelerator has the number of its core: there may be gaps. */
		if (block->type == NEURAL ? block->index < next_core : block->index != seen[block->type])
			wrong++;
		if (block->type == NEURAL)
			next_core = block->index + 1;
		seen[block->type]++;
		for (uint32_t value = 0; value < first; value++)
			wrong += values[value] != 0;
		for (uint32_t value = first; out && value < info.counters_per_block; value++)
			fprintf(out, "%s %u %u %llu\n", names[block->type], block->index, value,
				(unsigned long long)values[value]);
	}
	for (int type = 1; type <= OLDER_TYPES; type++)
		wrong += seen[type] != info.blocks[type - 1];
	wrong += next_core > info.blocks[SHADER - 1];
	if (wrong)
		check(false, "sample %llu: %u blocks or header words are wrong", (unsigned long long)extract, wrong);
	if (out)
		fprintf(out, "\n");
	__atomic_thread_fence(__ATOMIC_RELEASE);
	s->indices->extract = extract + 1;
	return flags;
}

static FILE *totals(const char *name)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/out/%s.totals", name);
	file = fopen(path, "we");
	if (!file)
		die(path);
	return file;
}

/* What a front end does: a sample at a time. */
static void manual(void)
{
	FILE *out = totals("manual");
	uint32_t refused = 0, wrong_times = 0;
	uint64_t before_ns;
	struct old_session s;

	set_up(&s, 0, sizeof(struct older_setup), BO_CREATE_72);
	check(s.handle >= 0, "SETUP returns the session");
	close_objects(&s);
	check(!call_with(s.fd, OLDER_START, s.handle, 0), "START");
	check(!is_signalled(&s, 100), "START publishes nothing");
	for (int i = 0; i < SAMPLES; i++) {
		before_ns = raw_ns();
		if (call_with(s.fd, OLDER_SAMPLE, s.handle, i))
			die("SAMPLE");
		take_count(&s);
		refused += take_sample(&s, i, out) & (LOST | STRETCHED);
		wrong_times += s.last_end_ns + TIME_ERROR_NS < before_ns ||
			       s.last_end_ns > raw_ns() + TIME_ERROR_NS;
		if (is_signalled(&s, 0))
			check(false, "a second count for a sample");
		/* The kernel does not read its own index. */
		s.indices->insert = 0x1234;
	}
	check_eq("samples that a front end refuses", refused, 0);
	check_eq("samples that do not end between the call and its count, in CLOCK_MONOTONIC_RAW", wrong_times, 0);
	check(!call_with(s.fd, OLDER_STOP, s.handle, 77), "STOP");
	take_count(&s);
	take_sample(&s, 77, out);
	check(!is_signalled(&s, 100), "one count for STOP");
	check(!call(s.fd, OLDER_TEARDOWN, s.handle, OLDER_TEARDOWN_SIZE, NULL), "TEARDOWN with a size and no pointer");
	check(call_with(s.fd, OLDER_START, s.handle, 0) < 0 && errno == ENOENT, "no session behind TEARDOWN");
	close_session(&s);
	fclose(out);
}

static void periodic(void)
{
	FILE *out = totals("periodic");
	uint32_t refused = 0;
	struct old_session s;

	/* Without the last mask. */
	set_up(&s, PERIOD_NS, OLDER_SHORT_SETUP, BO_CREATE_24);
	check(!call_with(s.fd, OLDER_START, s.handle, 9), "START of a periodic session");
	for (int i = 0; i < SAMPLES; i++) {
		take_count(&s);
		refused += take_sample(&s, 9, out) & LOST;
	}
	check_eq("samples with losses", refused, 0);

	/* The ring fills, and what is behind it is in one sample. A slow kernel merges most periods. */
	for (int waited = 0; s.indices->insert - s.indices->extract < SLOTS - 1 && waited < 2000; waited++)
		usleep(PERIOD_NS / 1000);
	usleep(3 * PERIOD_NS / 1000);
	check_eq("samples in a full ring", s.indices->insert - s.indices->extract, SLOTS - 1);
	for (int i = 0; i < SLOTS - 1; i++) {
		take_count(&s);
		take_sample(&s, 9, out);
	}
	take_count(&s);
	check(take_sample(&s, 9, out) & STRETCHED, "the sample behind a full ring is stretched");
	/* The session is active. */
	check(!call(s.fd, OLDER_TEARDOWN, s.handle, OLDER_TEARDOWN_SIZE, NULL), "TEARDOWN of an active session");
	close_session(&s);
	fclose(out);
}

static void refused(const char *what, int got, int want)
{
	check(got < 0 && errno == want, "%s: %s", what, got < 0 ? errno_name(errno) : "accepted");
}

static void alarmed(int number)
{
	(void)number;
}

static void errors(void)
{
	const struct sigaction action = { .sa_handler = alarmed };
	struct pollfd poll_fd = { .events = POLLIN };
	struct older_setup setup;
	struct old_session s;
	uint32_t size = 0;

	open_session(&s, BO_CREATE_72);
	refused("an unknown query", query(s.fd, 0x3FFFFFFD, NULL, &size), EINVAL);
	refused("the query of instructions", query(s.fd, QUERY_INSTR_INFO, NULL, &size), EINVAL);
	refused("an unknown command", call_with(s.fd, 5, 0, 0), EINVAL);
	setup = setup_of(&s, 0);
	refused("SETUP of 119 bytes", call(s.fd, OLDER_SETUP, 0, 119, &setup), EINVAL);
	refused("SETUP without memory", call(s.fd, OLDER_SETUP, 0, sizeof(setup), NULL), EFAULT);
	setup.pad[6] = 1;
	refused("SETUP with a pad", call(s.fd, OLDER_SETUP, 0, sizeof(setup), &setup), EINVAL);
	setup = setup_of(&s, 0);
	setup.fd = -1;
	refused("SETUP without an eventfd", call(s.fd, OLDER_SETUP, 0, sizeof(setup), &setup), EBADF);
	setup = setup_of(&s, 0);
	setup.slots = 31;
	refused("31 slots", call(s.fd, OLDER_SETUP, 0, sizeof(setup), &setup), EINVAL);
	setup = setup_of(&s, 0);
	setup.set = 3;
	refused("set 3", call(s.fd, OLDER_SETUP, 0, sizeof(setup), &setup), EINVAL);
	setup = setup_of(&s, 0);
	setup.masks[5][0] = 0x10;
	if (!info.blocks[NEURAL - 1])
		refused("counters of blocks that are not there",
			call(s.fd, OLDER_SETUP, 0, sizeof(setup), &setup), EINVAL);
	setup = setup_of(&s, 0);
	setup.ring = 0xffff;
	refused("a ring that is not there", call(s.fd, OLDER_SETUP, 0, sizeof(setup), &setup), ENOENT);
	setup = setup_of(&s, 0);
	setup.slots = 64;
	refused("a ring that is too small", call(s.fd, OLDER_SETUP, 0, sizeof(setup), &setup), EINVAL);
	refused("START of no session", call_with(s.fd, OLDER_START, 99, 0), ENOENT);
	close_session(&s);

	/* A client whose wait was broken off, and that goes without TEARDOWN and with its mappings. */
	set_up(&s, 0, sizeof(setup), BO_CREATE_72);
	refused("START with 4 bytes", call(s.fd, OLDER_START, s.handle, 4, &setup), EINVAL);
	refused("SAMPLE before START", call_with(s.fd, OLDER_SAMPLE, s.handle, 0), EINVAL);
	check(!call_with(s.fd, OLDER_START, s.handle, 0), "START of a client that is alarmed");
	sigaction(SIGALRM, &action, NULL);
	ualarm(20000, 0);
	poll_fd.fd = s.eventfd;
	check(poll(&poll_fd, 1, -1) < 0 && errno == EINTR, "a wait that a signal ends");
	check(!call_with(s.fd, OLDER_SAMPLE, s.handle, 1), "SAMPLE behind the signal");
	take_count(&s);
	take_sample(&s, 1, NULL);
	close(s.fd);
	check(s.indices->insert == 1, "the mappings outlive the file");
	munmap((void *)s.indices, s.control_bo.size);
	munmap((void *)s.ring, s.ring_bo.size);
	close(s.eventfd);
}

static void set_paranoid(const char *value)
{
	int fd = open(PARANOID, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, 1) != 1)
		die(PARANOID);
	close(fd);
}

static void try_setup(const struct old_session *s, const char *who, int set, uint64_t period_ns, int want)
{
	struct older_setup setup = setup_of(s, period_ns);
	char what[64];
	int handle;

	snprintf(what, sizeof(what), "SETUP as %s, set %d, period %d us", who, set, (int)(period_ns / 1000));
	setup.set = set;
	handle = call(s->fd, OLDER_SETUP, 0, sizeof(setup), &setup);
	check_errno(what, handle < 0 ? errno : 0, want);
	if (handle > 0)
		call(s->fd, OLDER_TEARDOWN, handle, 0, NULL);
}

/* The right is that of the caller of each SETUP, also in a file in which root has set up sessions. */
static void permissions(void)
{
	struct old_session s;
	pid_t child;
	int status;

	open_session(&s, BO_CREATE_24);
	for (int paranoid = 0; paranoid < 2; paranoid++) {
		set_paranoid(paranoid ? "1" : "0");
		for (int set = 0; set < 3; set++)
			try_setup(&s, "root", set, PERIOD_NS, 0);
		try_setup(&s, "root", 0, PERIOD_NS / 100, 0);
		fflush(stdout);
		child = fork();
		if (child < 0)
			die("fork");
		if (!child) {
			if (setgid(OTHER_USER) || setuid(OTHER_USER))
				die("changing the user");
			for (int set = 0; set < 3; set++)
				try_setup(&s, "a user", set, PERIOD_NS, set || paranoid ? EACCES : 0);
			try_setup(&s, "a user", 0, PERIOD_NS / 100, EACCES);
			exit(0);
		}
		check(waitpid(child, &status, 0) == child && !status, "the user came to the end");
	}
	close_session(&s);
}

static void no(void)
{
	int fd = open_gpu();
	uint32_t size = 0;

	refused("the query", query(fd, OLDER_QUERY, NULL, &size), EINVAL);
	refused("the ioctl", call_with(fd, OLDER_START, 1, 0), EINVAL);
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	int fd;

	if (!strcmp(what, "no")) {
		no();
		return 0;
	}
	fd = open_gpu();
	get_info(fd);
	close(fd);
	if (!strcmp(what, "manual"))
		manual();
	else if (!strcmp(what, "periodic"))
		periodic();
	else if (!strcmp(what, "errors"))
		errors();
	else if (!strcmp(what, "permissions"))
		permissions();
	else
		return 2;
	return 0;
}
