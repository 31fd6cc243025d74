// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The unit of frames when the end of a frame is not the end of its work: submissions of another
 * queue that wait for the host, frames that end in the middle of a call, a device that is destroyed
 * in a frame, an application that ends in one, a call that comes while the thread of the layer ends
 * one, samples that fail or are late, frames that begin before or behind the sample at the end of
 * the one before, and frames of two devices in a trace. Some of these need a process of their own,
 * which is this program.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app.h"
#include "fakeorder.h"
#include "limit.h"

#define MAX_PATH	512
#define MAX_TEXT	1048576
#define MAX_EVENTS	64
/* How late the first sample is; and how long the layer waits for it, as the manual says. */
#define HOLD_MS		100
#define BOUND_MS	1000
/* The quickest of several calls takes less if they do not wait, also on a busy machine. */
#define AT_ONCE_MS	200
#define CALLS		5
#define MS		1000000
#define FRAMES		6

struct test {
	struct app app;
	struct buffer buffer;
	/* Recorded before the first submission, and submitted by any queue of the family. */
	VkCommandBuffer cmd;
	/* Signalled by the host. */
	VkSemaphore gate;
	uint64_t gate_value;
	/* Signalled behind what waits for the host. */
	VkSemaphore done;
};

/* ---- A device with frames ---- */

static const VkPhysicalDeviceVulkan12Features timelines = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
	.timelineSemaphore = VK_TRUE,
};

static const VkPhysicalDeviceFrameBoundaryFeaturesEXT features = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAME_BOUNDARY_FEATURES_EXT,
	.pNext = (void *)&timelines,
	.frameBoundary = VK_TRUE,
};

static const VkFrameBoundaryEXT frame_end = {
	.sType = VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT,
	.flags = VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT,
};

/* With an instance, or with that of another device. */
static void start(struct test *test, const struct app *other)
{
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
	};
	struct app *app = &test->app;

	*test = (struct test) {
		.app.names = {
			VK_EXT_FRAME_BOUNDARY_EXTENSION_NAME, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
		},
		.app.features = &features,
		.app.all_queues = true,
	};
	if (other) {
		app->instance = other->instance;
		app->gpu = other->gpu;
	} else {
		app_instance(app);
	}
	app_device(app);
	test->buffer = app_buffer(app);
	test->gate = app_semaphore(app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	test->done = app_semaphore(app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	test->cmd = app_begin(app);
	app_end(test->cmd);
	need(vkBeginCommandBuffer(test->cmd, &begin), "vkBeginCommandBuffer");
	vkCmdFillBuffer(test->cmd, test->buffer.buffer, 0, 256, 1);
	app_end(test->cmd);
}

static void finish_device(struct test *test)
{
	need(vkDeviceWaitIdle(test->app.device), "vkDeviceWaitIdle");
	vkDestroySemaphore(test->app.device, test->gate, NULL);
	vkDestroySemaphore(test->app.device, test->done, NULL);
	app_free_buffer(&test->app, &test->buffer);
	app_destroy_device(&test->app);
}

static void finish(struct test *test)
{
	finish_device(test);
	vkDestroyInstance(test->app.instance, NULL);
}

/* Work that does not wait. */
static void submit(struct test *test, bool ends)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = ends ? &frame_end : NULL,
		.commandBufferCount = 1,
		.pCommandBuffers = &test->cmd,
	};

	need(vkQueueSubmit(test->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/*
 * Work that waits for the next point of the host, and then signals that point of @done, and @binary
 * if there is one.
 */
static void submit_held(struct test *test, VkQueue queue, bool ends, VkSemaphore binary)
{
	const uint64_t value = ++test->gate_value, values[] = { value, 0 };
	const VkSemaphore signals[] = { test->done, binary };
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.pNext = ends ? &frame_end : NULL,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &value,
		.signalSemaphoreValueCount = binary ? 2 : 1,
		.pSignalSemaphoreValues = values,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &points,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &test->gate,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = 1,
		.pCommandBuffers = &test->cmd,
		.signalSemaphoreCount = binary ? 2 : 1,
		.pSignalSemaphores = signals,
	};

	need(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* Has what waits run. */
static void signal_host(struct test *test)
{
	const VkSemaphoreSignalInfo signal = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
		.semaphore = test->gate,
		.value = test->gate_value,
	};
	const VkSemaphoreWaitInfo wait = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &test->done,
		.pValues = &test->gate_value,
	};

	need(vkSignalSemaphore(test->app.device, &signal), "vkSignalSemaphore");
	need(vkWaitSemaphores(test->app.device, &wait, TIMEOUT_NS), "vkWaitSemaphores");
}

/* Likewise, when the driver has what came for the first queue. */
static void release(struct test *test)
{
	need(vkQueueWaitIdle(test->app.queue), "vkQueueWaitIdle");
	signal_host(test);
}

/* The next frame of the profile. */
static void expect(const char *quality)
{
	static unsigned int frame;

	printf("row frame frame\nframe frame %u\nquality frame %s\n", frame++, quality);
}

/* Submissions of the layer's own: those without a command buffer. */
static uint32_t count_empty(struct test *test)
{
	return ((uint32_t (*)(void))app_function(&test->app, "vkTestEmpty"))();
}

/* ---- Work that is late ---- */

static void test_held_work(struct test *test)
{
	submit(test, true);
	expect("exact");
	submit_held(test, test->app.second, false, VK_NULL_HANDLE);
	for (int i = 0; i < 2; i++) {
		submit(test, true);
		expect("shifted");
	}
	release(test);
	/* It has the work. */
	submit(test, true);
	expect("shifted");
	submit(test, true);
	expect("exact");
	check(true, "work of another queue that waits for the host");
}

static void test_held_end(struct test *test)
{
	submit_held(test, test->app.second, true, VK_NULL_HANDLE);
	submit(test, true);
	expect("shifted");
	release(test);
	expect("shifted");
	submit(test, true);
	expect("exact");
	check(true, "the end of a frame that waits for the host");
}

static void test_call(struct test *test)
{
	const VkSubmitInfo infos[] = {
		{
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.pNext = &frame_end,
			.commandBufferCount = 1,
			.pCommandBuffers = &test->cmd,
		}, {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = 1,
			.pCommandBuffers = &test->cmd,
		},
	};

	need(vkQueueSubmit(test->app.queue, 2, infos, VK_NULL_HANDLE), "vkQueueSubmit");
	expect("shifted");
	submit(test, true);
	expect("shifted");
	submit(test, true);
	expect("exact");
	check(true, "more work behind the end of a frame in the same call");
}

/* The driver gets what signals a semaphore, whether it waits for the host or not. */
static void export(struct test *test, VkSemaphore binary)
{
	close(app_export_semaphore(&test->app, binary));
}

/* The driver gets what waits for the host before an export. Then nothing is put in order. */
static void test_order(struct test *test)
{
	const VkSemaphore binary = app_semaphore(&test->app, VK_SEMAPHORE_TYPE_BINARY, 0, true);
	uint32_t before;

	/* Calls hand over the last ones themselves: nothing else is in the layer then. */
	for (int i = 0; i < 10; i++) {
		submit(test, false);
		need(vkQueueWaitIdle(test->app.queue), "vkQueueWaitIdle");
	}
	before = count_empty(test);
	submit_held(test, test->app.queue, false, binary);
	export(test, binary);
	check(count_empty(test) == before, "work of frames is put in no order");
	signal_host(test);
	submit(test, true);
	expect("exact");
	need(vkQueueWaitIdle(test->app.queue), "vkQueueWaitIdle");
	vkDestroySemaphore(test->app.device, binary, NULL);
}

struct exporter {
	struct test *test;
	VkSemaphore binary;
};

static void *export_thread(void *data)
{
	const struct exporter *exporter = data;

	export(exporter->test, exporter->binary);
	return NULL;
}

/*
 * The thread of the layer has handed over what waits for the host and ends a frame, for an export,
 * and is still at the end of the frame. Then the host signals, and the call for another queue finds
 * that nothing is waited for any longer.
 */
static void test_end_in_hand(struct test *test)
{
	const VkSubmitInfo work = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &test->cmd,
	};
	struct exporter exporter = {
		test, app_semaphore(&test->app, VK_SEMAPHORE_TYPE_BINARY, 0, true),
	};
	void (*hold)(VkBool32) = (void (*)(VkBool32))app_function(&test->app, "vkTestHold");
	VkBool32 (*held)(void) = (VkBool32 (*)(void))app_function(&test->app, "vkTestHeld");
	pthread_t thread;

	/* So that the end of the frame has a submission of the layer on this queue. */
	need(vkQueueSubmit(test->app.second, 1, &work, VK_NULL_HANDLE), "vkQueueSubmit");
	submit_held(test, test->app.queue, true, exporter.binary);
	hold(VK_TRUE);
	if (pthread_create(&thread, NULL, export_thread, &exporter))
		abort();
	while (!held())
		usleep(MS / 1000);
	signal_host(test);
	need(vkQueueSubmit(test->app.compute, 0, NULL, VK_NULL_HANDLE), "vkQueueSubmit");
	hold(VK_FALSE);
	pthread_join(thread, NULL);
	expect("exact");
	submit(test, true);
	expect("exact");
	check(true, "a call while the thread ends a frame");
	need(vkDeviceWaitIdle(test->app.device), "vkDeviceWaitIdle");
	vkDestroySemaphore(test->app.device, exporter.binary, NULL);
}

/* ---- Processes ---- */

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static char rows_path[MAX_PATH], errors_path[MAX_PATH];

static void make_path(char path[MAX_PATH], const char *name)
{
	snprintf(path, MAX_PATH, "%s/%s", getenv("HOME"), name);
}

static size_t read_file(const char *path, char text[MAX_TEXT])
{
	FILE *file = fopen(path, "r");
	size_t size = 0;

	if (file) {
		size = fread(text, 1, MAX_TEXT - 1, file);
		fclose(file);
	}
	text[size] = '\0';
	return size;
}

/* This program, with a profile of its own. What it does not destroy is no leak. */
static bool run(const char *what, const char *suffix)
{
	char name[64], options[MAX_PATH];
	pid_t child;
	int status = -1;

	snprintf(name, sizeof(name), "frames-%s.%s", what, suffix);
	make_path(rows_path, name);
	snprintf(name, sizeof(name), "frames-%s.errors", what);
	make_path(errors_path, name);
	unlink(rows_path);
	limit(LIMIT_S, what);
	child = fork();
	if (!child) {
		unsetenv("FAKE_TRUTH");
		setenv("PANTHOR_PERF_LAYER_OUTPUT", rows_path, 1);
		setenv("ASAN_OPTIONS", "detect_leaks=0:handle_abort=1", 1);
		snprintf(options, sizeof(options), "%s:report_thread_leaks=0", getenv("TSAN_OPTIONS"));
		setenv("TSAN_OPTIONS", options, 1);
		if (!freopen(errors_path, "w", stderr) || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
			_exit(99);
		execl("/proc/self/exe", "frames", what, NULL);
		_exit(98);
	}
	waitpid(child, &status, 0);
	return !status;
}

/* Ends in a frame, without vkDestroyDevice. */
static int run_exit(void)
{
	struct test test;

	start(&test, NULL);
	submit(&test, true);
	submit(&test, false);
	need(vkDeviceWaitIdle(test.app.device), "vkDeviceWaitIdle");
	return 0;
}

static void test_exit(char text[MAX_TEXT])
{
	check(run("exit", "csv"), "an application that ends in a frame");
	read_file(errors_path, text);
	check(strstr(text, "frame 1 of device 0 has not ended, and has no row"), "a message names the frame");
}

/* The next ordered samples fail. Returns whether the driver gets nothing of the layer then. */
static int run_broken(void)
{
	PFN_fake_order_delay fail;
	struct test test;
	uint32_t before;
	bool right;

	app_add_layer("VK_LAYER_TEST_spy");
	start(&test, NULL);
	fail = (PFN_fake_order_delay)app_function(&test.app, "vkFailOrderTEST");
	before = count_empty(&test);
	submit(&test, true);
	right = count_empty(&test) > before;
	fail(1);
	submit(&test, true);
	/*
	 * The thread has seen the mark when it has done something that came later, and something
	 * more.
	 */
	for (int i = 0; i < 2; i++) {
		submit_held(&test, test.app.second, false, VK_NULL_HANDLE);
		release(&test);
	}
	before = count_empty(&test);
	for (int i = 0; i < 3; i++)
		submit(&test, true);
	right &= count_empty(&test) == before;
	finish(&test);
	return !right;
}

/*
 * The first sample is held, for a time or until the program lets it go. What the GPU did before it would be counted nowhere: the
 * first submission waits for it, but not longer than the manual says. Prints "late" if it was not taken then. Returns whether
 * the submission has waited for another time, or other ones wait for their samples.
 */
static int run_begin(uint32_t hold_ms)
{
	PFN_fake_order_taken count_taken;
	PFN_fake_order_delay hold;
	bool right, at_once = false;
	uint64_t ms, begin;
	struct test test;
	uint32_t taken;

	start(&test, NULL);
	hold = (PFN_fake_order_delay)app_function(&test.app, "vkHoldTEST");
	count_taken = (PFN_fake_order_taken)app_function(&test.app, "vkTakenTEST");
	hold(hold_ms);
	begin = now_ns();
	submit(&test, true);
	ms = (now_ns() - begin) / MS;
	taken = count_taken();
	right = taken || ms >= BOUND_MS;
	if (!taken)
		printf("late\n");
	hold(UINT32_MAX);
	for (int i = 0; i < CALLS; i++) {
		begin = now_ns();
		submit(&test, true);
		at_once |= (now_ns() - begin) / MS < AT_ONCE_MS;
	}
	right &= at_once && count_taken() <= taken + 1;
	hold(0);
	finish(&test);
	return !right;
}

static void test_begin(char text[MAX_TEXT])
{
	bool late;

	check(run("begin", "csv"), "the first submission waits for the first sample");
	read_file(errors_path, text);
	late = strstr(text, "late\n");
	read_file(rows_path, text);
	check(strstr(text, "\n1,0,") && !!strstr(text, ",shifted,") == late, "its frame is exact");
	check(run("begin-late", "csv"), "it does not wait for ever");
	read_file(errors_path, text);
	check(strstr(text, "late\n"), "the sample was not taken then");
	read_file(rows_path, text);
	check(strstr(text, "\n1,0,") && strstr(text, ",shifted,"), "its frame is shifted");
}

static void wait_taken(PFN_fake_order_taken count_taken, uint32_t count)
{
	while (count_taken() < count)
		usleep(MS / 1000);
}

/*
 * Of three frames, the second one begins before the sample at the end of the first one is taken,
 * and the third one when that of the second one is. What came before had no work.
 */
static int run_overlap(void)
{
	PFN_fake_order_taken count_taken;
	PFN_fake_order_delay hold;
	struct test test;

	start(&test, NULL);
	hold = (PFN_fake_order_delay)app_function(&test.app, "vkHoldTEST");
	count_taken = (PFN_fake_order_taken)app_function(&test.app, "vkTakenTEST");
	/* With the sample at the begin. */
	submit(&test, false);
	for (uint32_t first = 0; first < FRAMES; first += 3) {
		hold(UINT32_MAX);
		submit(&test, true);
		submit(&test, true);
		need(vkQueueSubmit(test.app.queue, 0, NULL, VK_NULL_HANDLE), "vkQueueSubmit");
		hold(0);
		wait_taken(count_taken, first + 3);
		submit(&test, true);
		wait_taken(count_taken, first + 4);
	}
	finish(&test);
	return 0;
}

static void test_overlap(char text[MAX_TEXT])
{
	static const char *const qualities[FRAMES] = {
		"overlapped", "overlapped", "exact", "overlapped", "overlapped", "exact",
	};
	bool right = true;

	check(run("overlap", "csv"), "frames that overlap");
	read_file(rows_path, text);
	for (int frame = 0; frame < FRAMES; frame++) {
		const char *row = text;
		char begin[32], quality[32];

		snprintf(begin, sizeof(begin), "\n%d,%d,", frame + 1, frame);
		snprintf(quality, sizeof(quality), ",%s,", qualities[frame]);
		row = strstr(text, begin);
		right &= row && strstr(row, quality) && strstr(row, quality) < strchr(row + 1, '\n');
	}
	check(right, "the rows of those that do say so");
}

/* Frames of two devices in turns. */
static int run_trace(void)
{
	struct test first, second;

	start(&first, NULL);
	start(&second, &first.app);
	for (int i = 0; i < 3; i++) {
		submit(&first, true);
		submit(&second, true);
	}
	finish_device(&second);
	finish(&first);
	return 0;
}

struct slice {
	uint64_t begin;
	uint64_t end;
	uint64_t track;
};

static uint64_t varint(const char **at)
{
	uint64_t value = 0;

	for (int shift = 0;; shift += 7) {
		const unsigned char byte = *(*at)++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
}

/* The numbers in a message of the trace, by their fields; and the message of field 11. */
static void read_message(const char *at, const char *end, uint64_t values[16], const char *inner[2])
{
	memset(values, 0, 16 * sizeof(*values));
	while (at < end) {
		const uint64_t tag = varint(&at), field = tag >> 3;
		uint64_t value = tag % 8 == 1 ? 0 : varint(&at);

		if (tag % 8 == 1) {
			at += 8;
		} else if (tag % 8 == 2) {
			if (field == 11 && inner) {
				inner[0] = at;
				inner[1] = at + value;
			}
			at += value;
		} else if (field < 16) {
			values[field] = value;
		}
	}
}

/* The slices of a trace, whose begins and ends are one behind the other. Returns their number. */
static int read_slices(const char *at, const char *end, struct slice slices[MAX_EVENTS])
{
	uint64_t packet[16], event[16];
	int count = 0;

	while (at < end && count < MAX_EVENTS) {
		const char *inner[2] = { NULL };
		uint64_t size;

		varint(&at);
		size = varint(&at);
		read_message(at, at + size, packet, inner);
		at += size;
		if (!inner[0])
			continue;
		read_message(inner[0], inner[1], event, NULL);
		if (event[9] == 1)
			slices[count].begin = packet[8];
		if (event[9] != 2)
			continue;
		slices[count].end = packet[8];
		slices[count++].track = event[11];
	}
	return count;
}

static void test_trace(char text[MAX_TEXT])
{
	struct slice slices[MAX_EVENTS];
	bool overlaps = false, apart = true;
	size_t size;
	int count;

	check(run("trace", "perfetto-trace"), "frames of two devices");
	size = read_file(rows_path, text);
	count = read_slices(text, text + size, slices);
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < i; k++) {
			if (slices[i].begin >= slices[k].end || slices[k].begin >= slices[i].end)
				continue;
			overlaps = true;
			apart &= slices[i].track != slices[k].track;
		}
	}
	check(count == 6 && overlaps, "they overlap");
	check(apart, "those on one track do not");
}

static int run_process(const char *what)
{
	if (!strcmp(what, "exit"))
		return run_exit();
	if (!strcmp(what, "trace"))
		return run_trace();
	if (!strcmp(what, "overlap"))
		return run_overlap();
	if (!strcmp(what, "begin"))
		return run_begin(HOLD_MS);
	if (!strcmp(what, "begin-late"))
		return run_begin(UINT32_MAX);
	return run_broken();
}

int main(int argc, char **argv)
{
	static char text[MAX_TEXT];
	const char *unit = getenv("PANTHOR_PERF_LAYER_UNIT");
	struct test test;

	if (argc > 1)
		return run_process(argv[1]);
	printf("only frame\n");
	if (!unit || strcmp(unit, "frame"))
		return 0;
	test_exit(text);
	test_trace(text);
	test_begin(text);
	test_overlap(text);
	check(run("broken", "csv"), "no marks when samples have failed");
	limit(LIMIT_S, "frames in this process");
	app_add_layer("VK_LAYER_TEST_spy");
	start(&test, NULL);
	/* First: calls hand their submissions over themselves as long as none had to wait. */
	test_call(&test);
	test_held_work(&test);
	test_held_end(&test);
	test_order(&test);
	test_end_in_hand(&test);
	/* The last one does not end. */
	submit(&test, false);
	expect("unfinished");
	finish(&test);
	return 0;
}
