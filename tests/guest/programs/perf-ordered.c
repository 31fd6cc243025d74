// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-ordered STREAMS FOLDER [SEED]
 *
 * Ordered samples. Command streams of known and different cost are in flight together, with a
 * sample between each two of them, all by fences; every sample has to have the cost of its stream.
 * The same with waits of the CPU, by fence and by polling, shows what they cost. Then samples that
 * wait for a stream that does not end, and for streams behind it: STOP, TEARDOWN, SIGKILL; a fence
 * of the CPU; and a GPU that is suspended. The samples between streams are left in
 * FOLDER/ordered.SAMPLES.ERRORS.raw, to be compared with the truth outside. With PERF_WAYS in the
 * environment, the streams are all.
 *
 * The cost: the kernel puts sixteen instructions around those of a stream. Each is a cycle of the
 * command execution unit. A store is one of the load and store unit, as are two of the kernel's,
 * and the flushes of a job take 200 cycles. The front end is active for the sum.
 */

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "cs.h"
#include "random.h"
#include "raw.h"
#include "sync.h"

#define SLOTS		32
#define BATCH		(SLOTS - 1)
#define CSHW_WORDS	49

/* At rates up to 1 GHz, with 4 events a cycle, no counter saturates in less time. */
#define SATURATION_NS	1000000000ull

/* Of a stream: room in the buffer object, the most moves and stores. */
#define ROOM		128
#define MOST_MOVES	60
#define MOST_STORES	20

/* Words of data: for the stores of streams, for a stream that waits, and what streams leave. */
#define STORED		0
#define GATE		16
#define LAST		24
#define LEFT		32
#define NOT_RUN		0xffffffff

/* Samples that wait, and streams: one more. */
#define CHAIN		3

#define LOAD(data, address)	(20ull << 56 | (uint64_t)(data) << 48 | \
				 (uint64_t)(address) << 40 | 1ull << 16)

#define KERNEL_WORDS	16
#define KERNEL_LSU	2
#define FLUSH_CYCLES	200
#define SIGNAL_WITHIN	2000

/* The driver reads counters that may saturate after this time, with some room for a timer. */
#define WATCHDOG_NS	400000000ull

/* Voluntary context switches of a batch, from its first submission to its last fence */
#define MOST_SWITCHES	10

static struct drm_panthor_perf_info info;
static const char *folder;

/* Words of the front end's block that a stream determines */
static const unsigned int known[] = {
	4,	/* GPU_ACTIVE */
	12,	/* CACHE_FLUSH_CYCLES */
	13,	/* CACHE_FLUSH */
	24,	/* ITER_COMP_ACTIVE */
	32,	/* ITER_FRAG_ACTIVE */
	40,	/* CEU_ACTIVE */
	45,	/* LSU_ACTIVE */
	48,	/* CSHWIF0_ENABLED */
};

#define KNOWN	(sizeof(known) / sizeof(known[0]))

struct cost {
	uint64_t of[KNOWN];
};

/* Submit a stream that lies at a place of the buffer object. */
static int submit_with(uint32_t group, unsigned int queue, unsigned int at, const uint64_t *words,
		       unsigned int count, const struct sync *sync)
{
	struct drm_panthor_sync_op ops[2];
	struct drm_panthor_queue_submit job = {
		.queue_index = queue,
		.stream_size = 8 * count,
		.stream_addr = BO_VA + 8 * ROOM * at,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(sync_ops(sync, ops), ops),
	};
	struct drm_panthor_group_submit submit = {
		.group_handle = group,
		.queue_submits = DRM_PANTHOR_OBJ_ARRAY(1, &job),
	};

	memcpy((uint64_t *)object.map + ROOM * at, words, 8 * count);
	return perf_call(gpu, DRM_IOCTL_PANTHOR_GROUP_SUBMIT, &submit);
}

/* Wait for a point of a timeline: false if it has not signalled in time. */
static bool wait_point(int fd, uint32_t handle, uint64_t point, int64_t ns)
{
	return !point_wait(fd, handle, point, ns);
}

/* A stream by chance, and what it costs. */
static unsigned int build(uint64_t *words, struct cost *cost)
{
	unsigned int moves = random_below(MOST_MOVES), stores = 1 + random_below(MOST_STORES);
	unsigned int count = 0, i;

	words[count++] = MOVE48(68, data_va(STORED));
	words[count++] = MOVE32(70, 0xdeadbeef);
	for (i = 0; i < moves; i++)
		words[count++] = MOVE32(72, i);
	for (i = 0; i < stores; i++)
		words[count++] = STORE(70, 68);
	words[count++] = WAIT(0xff);
	words[count++] = MOVE32(70, 0);
	words[count++] = FLUSH(70);
	words[count++] = WAIT(0xff);
	*cost = (struct cost) { .of = {
		KERNEL_WORDS + count + KERNEL_LSU + stores + FLUSH_CYCLES, FLUSH_CYCLES, 2, 0, 0,
		KERNEL_WORDS + count, KERNEL_LSU + stores, KERNEL_WORDS + count,
	} };
	return count;
}

static const uint64_t *front_end(const struct drm_panthor_perf_sample_header *sample)
{
	const char *at = (const char *)sample + info.sample_header_size;
	size_t size = info.block_header_size + 8 * info.counters_per_block;

	for (; at + size <= (const char *)sample + info.sample_size; at += size) {
		const struct drm_panthor_perf_block_header *block = (const void *)at;

		if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			return (const void *)(at + info.block_header_size);
	}
	die("a block of the front end");
	return NULL;
}

/* How many of the known counters differ, and one more for a header that is not as it should be. */
static unsigned int compare(struct session *s, uint64_t index, const struct cost *cost)
{
	const struct drm_panthor_perf_sample_header *sample = session_slot(s, index);
	const uint64_t *words = front_end(sample);
	unsigned int differ = 0, i;
	const uint64_t length_ns = sample->timestamp_end_ns - sample->timestamp_start_ns;
	/* The debug kernel, and one on a busy host, may read the counters too late. */
	const bool late = !access("/sys/kernel/debug/kmemleak", F_OK) || length_ns >= SATURATION_NS;
	const uint32_t allowed = late ? DRM_PANTHOR_PERF_SAMPLE_OVERFLOW : 0;

	for (i = 0; i < KNOWN; i++) {
		if (words[known[i]] == cost->of[i])
			continue;
		if (!differ++)
			printf("sample %" PRIu64 ", counter %u: %" PRIu64 ", not %" PRIu64 "\n",
			       index, known[i], words[known[i]], cost->of[i]);
	}
	if (sample->user_data != index || sample->sample_nr != index ||
	    sample->flags & ~allowed) {
		printf("sample %" PRIu64 ": user data %" PRIu64 ", number %" PRIu64
		       ", flags %#x, events %#x\n", index, (uint64_t)sample->user_data,
		       (uint64_t)sample->sample_nr, sample->flags, sample->events);
		differ++;
	}
	return differ;
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

/* With a recording, if one is wanted. */
static void begin(struct session *s, uint32_t flags, struct raw_file *raw)
{
	struct raw_call call = { 0 };

	session_prepare(s, gpu, SLOTS);
	s->setup.flags = flags;
	check_errno("SETUP", session_setup(s), 0);
	if (raw)
		raw_open(raw, "/tmp/ordered.raw", s);
	call.before = clocks_now();
	check_errno("START", session_start(s, 0), 0);
	call.after = clocks_now();
	if (raw)
		raw_call(raw, RAW_START, &call);
}

/* The recording has all samples and the final one: it goes to the folder. */
static void save_recording(struct raw_file *raw, const struct raw_call *stop, const char *name)
{
	char path[256];

	raw_call(raw, RAW_STOP, stop);
	raw_close(raw);
	snprintf(path, sizeof(path), "%s/%s.%" PRIu64 ".0.raw", folder, name, raw->samples);
	if (rename(raw->path, path))
		die(path);
}

/* STOP after @count samples, which are in the recording. */
static void stop_recorded(struct session *s, uint64_t count, struct raw_file *raw)
{
	struct raw_call call = { .user_data = count, .before = clocks_now() };

	check_errno("STOP", session_stop(s, count), 0);
	call.after = clocks_now();
	check(session_wait(s, count + 1, SIGNAL_WITHIN), "the final sample is there");
	check_eq("flags of the final sample", session_slot(s, count)->flags,
		 DRM_PANTHOR_PERF_SAMPLE_FINAL);
	raw_sample(raw, session_slot(s, count));
	save_recording(raw, &call, "ordered");
}

static void end(struct session *s)
{
	check_errno("TEARDOWN", session_teardown(s), 0);
	session_release(s);
}

/* What a loop does between a stream and the next. */
enum way { ORDERED, BY_FENCE, BY_POLLING, WAYS };

static const char *const names[WAYS] = { "ordered", "waits of the CPU", "polling" };

struct run {
	struct session s;
	uint32_t group, timeline;
	uint64_t point;
	struct cost costs[BATCH];

	/* Voluntary context switches of all batches, and the most of one. */
	long switches, most;
};

/* Streams and samples up to the last fence; the number of calls that failed. */
static unsigned int run_batch(struct run *r, enum way way, unsigned int first, unsigned int count)
{
	uint64_t words[ROOM];
	unsigned int failed = 0, i;
	struct sync sync = { .handle = r->timeline };

	for (i = 0; i < count; i++) {
		unsigned int length = build(words, &r->costs[i]);

		sync.wait = way == ORDERED ? r->point : 0;
		sync.signal = r->point + 1;
		failed += submit_with(r->group, 0, i, words, length, &sync) != 0;
		if (way == ORDERED) {
			sync.wait = r->point + 1;
			sync.signal = r->point + 2;
			failed += session_sample_with(&r->s, first + i, &sync) != 0;
			r->point += 2;
			continue;
		}
		r->point++;
		if (way == BY_FENCE)
			failed += !wait_point(gpu, r->timeline, r->point, WAIT_NS);
		while (way == BY_POLLING && !wait_point(gpu, r->timeline, r->point, 0))
			usleep(3000);
		failed += session_sample(&r->s, first + i) != 0;
		failed += !session_wait(&r->s, first + i + 1, WAIT_MS);
	}
	if (way == ORDERED)
		failed += !wait_point(gpu, r->timeline, r->point, WAIT_NS);
	return failed;
}

static void run_streams(uint32_t group, enum way way, unsigned int streams)
{
	struct run r = { .group = group, .timeline = make_syncobj() };
	unsigned int done = 0, differ = 0, failed = 0, late = 0, batches = 0;
	struct raw_file raw;

	begin(&r.s, 0, way == ORDERED ? &raw : NULL);
	while (done < streams) {
		unsigned int count = streams - done < BATCH ? streams - done : BATCH, i;
		long before = switches(), now;

		failed += run_batch(&r, way, done, count);
		now = switches() - before;
		r.switches += now;
		r.most = now > r.most ? now : r.most;
		/* A fence that has signalled means that the sample is there. */
		late += session_insert(&r.s) != done + count;
		for (i = 0; i < count; i++)
			differ += compare(&r.s, done + i, &r.costs[i]);
		for (i = 0; way == ORDERED && i < count; i++)
			raw_sample(&raw, session_slot(&r.s, done + i));
		done += count;
		batches++;
		session_consume(&r.s, done);
		if (failed)
			break;
	}
	check_eq("calls and waits that failed", failed, 0);
	check_eq("batches whose samples were not there", late, 0);
	check_eq("streams", done, streams);
	check_eq("counters that are not the stream's cost", differ, 0);
	printf("%s: %u streams, %zu counters compared with their known cost, %u differ; ",
	       names[way], done, done * KNOWN, differ);
	printf("%ld voluntary context switches in %u batches, at most %ld in one\n", r.switches,
	       batches, r.most);
	if (way == ORDERED) {
		/* Calls wait for each other on the debug kernel, whose locks are slow. */
		if (access("/sys/kernel/debug/kmemleak", F_OK))
			check(r.most <= MOST_SWITCHES,
			      "%ld context switches of a batch, at most %d", r.most,
			      MOST_SWITCHES);
		stop_recorded(&r.s, done, &raw);
	}
	end(&r.s);
}

/*
 * A stream that ends when the word GATE is greater than 0; then, by turns, samples that wait for
 * the stream before them, and streams that wait for the sample before them. Each stream leaves the
 * number of streams that ran before it.
 */

struct gate {
	uint32_t group, other, timeline;
};

static uint64_t point_of_stream(unsigned int i)
{
	return 2 * i + 1;
}

static uint64_t point_of_sample(unsigned int i)
{
	return 2 * i + 2;
}

static int submit_link(struct gate *g, unsigned int i)
{
	const struct sync sync = {
		.handle = g->timeline,
		.wait = i ? point_of_sample(i - 1) : 0,
		.signal = point_of_stream(i),
	};
	const uint64_t wait[] = {
		MOVE48(68, data_va(GATE)), MOVE48(70, 0), SYNC_WAIT64_GT(68, 70),
	};
	const uint64_t leave[] = {
		MOVE48(68, data_va(LAST)), MOVE48(72, data_va(LEFT + i)), LOAD(74, 68), WAIT(0xff),
		STORE(74, 72), WAIT(0xff), MOVE32(74, i + 1), STORE(74, 68), WAIT(0xff),
	};
	uint64_t words[ROOM];
	unsigned int count = 0;

	if (!i) {
		memcpy(words, wait, sizeof(wait));
		count = sizeof(wait) / 8;
	}
	memcpy(words + count, leave, sizeof(leave));
	count += sizeof(leave) / 8;
	return submit_with(g->group, i % QUEUES, i, words, count, &sync);
}

static void close_gate(struct gate *g, struct session *s)
{
	unsigned int failed = 0, i;

	memset((void *)data(GATE), 0, 8);
	*data(LAST) = 0;
	for (i = 0; i <= CHAIN; i++)
		*data(LEFT + i) = NOT_RUN;
	g->timeline = make_syncobj();
	for (i = 0; i < CHAIN; i++) {
		const struct sync sync = { g->timeline, point_of_stream(i), point_of_sample(i) };

		failed += submit_link(g, i) != 0;
		failed += session_sample_with(s, i, &sync) != 0;
	}
	failed += submit_link(g, i) != 0;
	check_eq("streams and samples that were refused", failed, 0);
	usleep(100000);
	check_eq("nothing published yet", session_insert(s), 0);
}

static unsigned int streams_that_ran(void)
{
	unsigned int count = 0, i;

	for (i = 0; i <= CHAIN; i++)
		count += *data(LEFT + i) != NOT_RUN;
	return count;
}

static void expect_closed(struct gate *g)
{
	unsigned int signalled = 0, i;

	usleep(100000);
	check_eq("streams that ran", streams_that_ran(), 0);
	for (i = 0; i < CHAIN; i++)
		signalled += wait_point(gpu, g->timeline, point_of_sample(i), 0);
	check_eq("points of samples that have signalled", signalled, 0);
}

static void open_gate(struct gate *g)
{
	const uint64_t add[] = {
		MOVE48(68, data_va(GATE)), MOVE48(70, 1), SYNC_ADD64(68, 70), WAIT(0xff),
	};
	const struct sync sync = { .handle = make_syncobj(), .signal = 1 };
	unsigned int wrong = 0, i;

	check_errno("the stream that ends the wait",
		    submit_with(g->other, 0, CHAIN + 1, add, sizeof(add) / 8, &sync), 0);
	check(wait_point(gpu, g->timeline, point_of_stream(CHAIN), WAIT_NS),
	      "the last stream has ended");
	check_eq("streams that ran", streams_that_ran(), CHAIN + 1);
	for (i = 0; i <= CHAIN; i++)
		wrong += *data(LEFT + i) != i;
	check_eq("streams out of order", wrong, 0);
}

/* Counters of all blocks that are not 0 */
static unsigned int counted(const struct drm_panthor_perf_sample_header *sample)
{
	const char *at = (const char *)sample + info.sample_header_size;
	size_t size = info.block_header_size + 8 * info.counters_per_block;
	unsigned int count = 0, i;

	for (; at + size <= (const char *)sample + info.sample_size; at += size) {
		const uint64_t *words = (const void *)(at + info.block_header_size);

		for (i = 0; i < info.counters_per_block; i++)
			count += words[i] != 0;
	}
	return count;
}

/*
 * The firmware has taken no sample since START: they end with the baseline, and count nothing. On a
 * slow machine the driver may have read the counters against saturation meanwhile, after a second.
 */
static void check_cancelled(struct session *s, unsigned int i)
{
	const struct drm_panthor_perf_sample_header *sample = session_slot(s, i);

	check_eq("user data", sample->user_data, i);
	check_eq("number", sample->sample_nr, i);
	check_eq("flags", sample->flags, 0);
	check(sample->events & DRM_PANTHOR_PERF_EVENT_CANCELLED, "the sample is cancelled");
	if (!i && sample->gpu_timestamp) {
		check(sample->timestamp_end_ns - sample->timestamp_start_ns >= WATCHDOG_NS,
		      "it ends with a reading against saturation");
		return;
	}
	check_eq("no GPU timestamp", sample->gpu_timestamp, 0);
	check_eq("no time", sample->timestamp_end_ns - sample->timestamp_start_ns, 0);
	check_eq("no counts", counted(sample), 0);
}

static void stop_before(struct gate *g)
{
	const struct drm_panthor_perf_sample_header *sample;
	struct raw_call call = { .user_data = CHAIN };
	struct raw_file raw;
	struct session s;
	unsigned int i;

	begin(&s, 0, &raw);
	close_gate(g, &s);
	call.before = clocks_now();
	check_errno("STOP", session_stop(&s, CHAIN), 0);
	call.after = clocks_now();
	check(session_wait(&s, CHAIN + 1, SIGNAL_WITHIN), "all samples are there");
	expect_closed(g);
	for (i = 0; i < CHAIN; i++)
		check_cancelled(&s, i);
	sample = session_slot(&s, CHAIN);
	check_eq("user data of STOP", sample->user_data, CHAIN);
	check_eq("number of the final sample", sample->sample_nr, CHAIN);
	check(!(sample->events & DRM_PANTHOR_PERF_EVENT_CANCELLED), "it is not cancelled");
	check_eq("the final sample", sample->flags, DRM_PANTHOR_PERF_SAMPLE_FINAL);
	open_gate(g);
	check_eq("samples in the end", session_insert(&s), CHAIN + 1);
	for (i = 0; i <= CHAIN; i++)
		raw_sample(&raw, session_slot(&s, i));
	save_recording(&raw, &call, "cancelled");
	end(&s);
}

static void teardown_before(struct gate *g)
{
	struct session s;

	begin(&s, 0, NULL);
	close_gate(g, &s);
	check_errno("TEARDOWN", session_teardown(&s), 0);
	expect_closed(g);
	open_gate(g);
	check_eq("no sample", session_insert(&s), 0);
	session_release(&s);
}

/* A point without a fence is none to wait for; a fence of the CPU is one. */
static void signalled_by_cpu(void)
{
	struct sync sync = { .handle = make_syncobj(), .wait = 1, .signal = 2 };
	uint64_t point = 1;
	struct drm_syncobj_timeline_array array = {
		.handles = (uintptr_t)&sync.handle, .points = (uintptr_t)&point, .count_handles = 1,
	};
	struct session s;

	begin(&s, 0, NULL);
	check_errno("SAMPLE that waits for a point without a fence",
		    session_sample_with(&s, 0, &sync), EINVAL);
	call("SYNCOBJ_TIMELINE_SIGNAL", DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &array);
	check_errno("SAMPLE", session_sample_with(&s, 0, &sync), 0);
	check(wait_point(gpu, sync.handle, 2, SIGNAL_WITHIN * 1000000ll),
	      "a sample that waits for a fence of the CPU");
	check_eq("samples", session_insert(&s), 1);
	end(&s);
}

static void send_fd(int to, int fd)
{
	char control[CMSG_SPACE(sizeof(fd))] = { 0 }, byte = 0;
	struct iovec vector = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &vector, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	if (sendmsg(to, &message, 0) != 1)
		die("sendmsg");
}

static int receive_fd(int from)
{
	char control[CMSG_SPACE(sizeof(int))], byte;
	struct iovec vector = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &vector, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int fd = -1;

	if (recvmsg(from, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
		die("recvmsg");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

/* The GPU, the stream and the session are the child's, and so is the fence that the parent has. */
static void child_waits(int to)
{
	struct drm_syncobj_handle handle = { 0 };
	struct session s;
	struct gate g;

	gpu = open_gpu();
	make_vm();
	g.group = make_group_with_slot();
	g.other = make_group();
	begin(&s, 0, NULL);
	close_gate(&g, &s);
	handle.handle = g.timeline;
	call("SYNCOBJ_HANDLE_TO_FD", DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &handle);
	send_fd(to, handle.fd);
	pause();
}

static void killed_before(void)
{
	struct drm_syncobj_handle handle = { 0 };
	unsigned int signalled = 0, i;
	int pair[2], status;
	pid_t child;

	fflush(stdout);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		die("socketpair");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		close(pair[0]);
		child_waits(pair[1]);
		_exit(1);
	}
	close(pair[1]);
	handle.fd = receive_fd(pair[0]);
	call("SYNCOBJ_FD_TO_HANDLE", DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &handle);
	for (i = 0; i < CHAIN; i++)
		signalled += wait_point(gpu, handle.handle, point_of_sample(i), 0);
	check_eq("points of the child's samples that have signalled", signalled, 0);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	check(WIFSIGNALED(status), "the child was killed");
	/* Its streams end with it. panthor needs seconds for a group that does not stop. */
	for (i = 0; i < CHAIN; i++)
		signalled += wait_point(gpu, handle.handle, point_of_sample(i), WAIT_NS);
	check_eq("points of its samples that have signalled", signalled, CHAIN);
	close(handle.fd);
	close(pair[0]);
}

/* A suspended GPU: the sample does not wait for it, and does not resume it. */
static void suspended(void)
{
	struct sync sync = { .handle = make_syncobj(), .signal = 1 };
	struct session s;

	begin(&s, DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, NULL);
	printf("perf-ordered: may be suspended\n");
	fflush(stdout);
	for (unsigned int i = 0; i < 100 && access("/tmp/suspended", F_OK); i++)
		usleep(100000);
	check(!access("/tmp/suspended", F_OK), "the GPU is suspended");
	check_errno("SAMPLE", session_sample_with(&s, 0, &sync), 0);
	check_eq("its sample is there when the call returns", session_insert(&s), 1);
	check(wait_point(gpu, sync.handle, 1, SIGNAL_WITHIN * 1000000ll), "its fence signals");
	check(session_slot(&s, 0)->events & DRM_PANTHOR_PERF_EVENT_SUSPEND, "with SUSPEND");
	end(&s);
}

int main(int argc, char **argv)
{
	unsigned int streams;
	struct gate g;

	if (argc < 3)
		die("STREAMS FOLDER [SEED]");
	streams = strtoul(argv[1], NULL, 0);
	folder = argv[2];
	random_seed(argc > 3 ? strtoull(argv[3], NULL, 0) : 1);
	gpu = open_gpu();
	info = perf_info(gpu);
	if (info.counters_per_block < CSHW_WORDS)
		die("so few counters");
	check(info.flags & DRM_PANTHOR_PERF_SYNCS_SUPPORT, "PERF_INFO offers ordered samples");
	check(info.max_pending_samples >= BATCH, "%u samples may be pending",
	      info.max_pending_samples);
	make_vm();
	g.group = make_group_with_slot();
	for (unsigned int way = 0; way < WAYS; way++)
		run_streams(g.group, way, streams);
	if (getenv("PERF_WAYS"))
		return 0;
	g.other = make_group_with_slot();
	stop_before(&g);
	teardown_before(&g);
	destroy_group(g.group);
	destroy_group(g.other);
	killed_before();
	signalled_by_cpu();
	suspended();
	return 0;
}
