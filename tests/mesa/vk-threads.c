// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-threads SUBMISSIONS
 *        vk-threads --costs SUBMISSIONS
 *
 * So many submissions in all, from eight threads, four on each of two devices, with a queue for each device. Those of a
 * thread have the same label, and the same number of work groups in each. Up to four of them are in flight. --costs
 * prints what the submissions of each label cost, as `vk-steps --costs' does.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "steps.h"
#include "vk.h"

#define DEVICES		2
#define THREADS		8
#define IN_FLIGHT	4

struct worker {
	pthread_t thread;
	pthread_mutex_t *lock;
	struct vk vk;
	unsigned int number;
	unsigned int submissions;
	char label[32];
};

static unsigned int groups_of(unsigned int number)
{
	return 1 + 3 * number;
}

static void label_of(unsigned int number, char *text, size_t size)
{
	snprintf(text, size, "thread %u", number);
}

static unsigned int share_of(unsigned int number, unsigned int total)
{
	return total / THREADS + (number < total % THREADS);
}

static void print_costs(unsigned int total)
{
	char label[32];

	for (size_t i = 0; i < COUNT(counters); i++)
		printf("\t%s", counters[i].name);
	printf("\n");
	for (unsigned int i = 0; i < THREADS; i++) {
		const unsigned int share = share_of(i, total);

		label_of(i, label, sizeof(label));
		printf("%s\t%u\t%u\t0\t0\t0\t0\n", label, share, share * WARPS(groups_of(i)));
	}
}

static VkCommandBuffer record(struct worker *worker)
{
	VkCommandBuffer cmd = vk_begin(&worker->vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, worker->vk.compute);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, worker->vk.layout, 0, 1,
				&worker->vk.set, 0, NULL);
	vkCmdDispatch(cmd, groups_of(worker->number), 1, 1);
	vk_end(&worker->vk, cmd);
	return cmd;
}

static void *work(void *arg)
{
	const VkFenceCreateInfo fence_info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const VkCommandPoolCreateInfo pool_info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	};
	struct worker *worker = arg;
	VkDevice device = worker->vk.device;
	VkCommandBuffer cmds[IN_FLIGHT];
	VkFence fences[IN_FLIGHT];

	vk_check(vkCreateCommandPool(device, &pool_info, NULL, &worker->vk.pool),
		 "vkCreateCommandPool");
	worker->vk.label = worker->label;
	for (unsigned int i = 0; i < IN_FLIGHT; i++)
		vk_check(vkCreateFence(device, &fence_info, NULL, &fences[i]), "vkCreateFence");
	for (unsigned int i = 0; i < worker->submissions + IN_FLIGHT; i++) {
		const unsigned int slot = i % IN_FLIGHT;
		const VkSubmitInfo submit = {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = 1,
			.pCommandBuffers = &cmds[slot],
		};

		if (i >= IN_FLIGHT && i - IN_FLIGHT < worker->submissions) {
			vk_check(vkWaitForFences(device, 1, &fences[slot], VK_TRUE, TIMEOUT_NS),
				 "vkWaitForFences");
			vk_check(vkResetFences(device, 1, &fences[slot]), "vkResetFences");
			vkFreeCommandBuffers(device, worker->vk.pool, 1, &cmds[slot]);
		}
		if (i >= worker->submissions)
			continue;
		cmds[slot] = record(worker);
		pthread_mutex_lock(worker->lock);
		vk_check(vkQueueSubmit(worker->vk.queues[0], 1, &submit, fences[slot]),
			 "vkQueueSubmit");
		pthread_mutex_unlock(worker->lock);
	}
	for (unsigned int i = 0; i < IN_FLIGHT; i++)
		vkDestroyFence(device, fences[i], NULL);
	vkDestroyCommandPool(device, worker->vk.pool, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct worker workers[THREADS];
	static pthread_mutex_t locks[DEVICES];
	static struct vk devices[DEVICES];
	unsigned int total;

	if (argc == 3 && !strcmp(argv[1], "--costs")) {
		print_costs(strtoul(argv[2], NULL, 0));
		return 0;
	}
	if (argc != 2) {
		fprintf(stderr, "usage: vk-threads SUBMISSIONS\n       vk-threads --costs SUBMISSIONS\n");
		return 2;
	}
	total = strtoul(argv[1], NULL, 0);
	for (unsigned int i = 0; i < DEVICES; i++) {
		vk_create_instance(&devices[i]);
		vk_create_device(&devices[i]);
		pthread_mutex_init(&locks[i], NULL);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i].vk = devices[i % DEVICES];
		workers[i].lock = &locks[i % DEVICES];
		workers[i].number = i;
		workers[i].submissions = share_of(i, total);
		label_of(i, workers[i].label, sizeof(workers[i].label));
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			return 1;
	}
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (unsigned int i = 0; i < DEVICES; i++) {
		vk_destroy_device(&devices[i]);
		vk_destroy_instance(&devices[i]);
	}
	return 0;
}
