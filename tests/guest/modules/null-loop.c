// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/**
 * DOC: The null loop
 *
 * What it costs to signal a period when there is nothing to sample: a timer in absolute time, an
 * ordered worker of high priority for all clients, and an eventfd of each. Figures of the sampler
 * are ratios to this loop in the same guest and minute, since time means nothing in an emulated
 * machine. A client is an open file of /dev/null-loop; its periods end at the multiples of its
 * period on CLOCK_MONOTONIC, and those that the worker comes too late for are merged, as the
 * sampler's are.
 */

#include <linux/eventfd.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#include "null-loop.h"

#define SHORTEST_PERIOD_NS	10000

/**
 * struct null_client - an open file
 */
struct null_client {
	/** @node: In @clients while started. */
	struct list_head node;

	/** @eventfd: What is signalled. NULL: not started. */
	struct eventfd_ctx *eventfd;

	/** @period_ns: Period. */
	u64 period_ns;

	/** @point_ns: When the period ends, CLOCK_MONOTONIC. */
	u64 point_ns;

	/** @told: What happened since START. */
	struct null_loop_told told;
};

/* Guards all that follows and the clients. */
static DEFINE_MUTEX(lock);
static LIST_HEAD(clients);
static struct workqueue_struct *wq;
static struct hrtimer timer;

static void signal_client(struct null_client *client, u64 now)
{
	u64 passed = div64_u64(now - client->point_ns, client->period_ns) + 1;

	client->point_ns += passed * client->period_ns;
	client->told.signalled++;
	client->told.merged += passed - 1;
	eventfd_signal(client->eventfd);
}

static void null_work(struct work_struct *work)
{
	struct null_client *client;
	u64 next = U64_MAX, now;

	mutex_lock(&lock);
	now = ktime_get_ns();
	list_for_each_entry(client, &clients, node) {
		if (client->point_ns <= now)
			signal_client(client, now);
		next = min(next, client->point_ns);
	}
	if (next != U64_MAX)
		hrtimer_start(&timer, ns_to_ktime(next), HRTIMER_MODE_ABS);
	mutex_unlock(&lock);
}

static DECLARE_WORK(work, null_work);

static enum hrtimer_restart null_timer(struct hrtimer *unused)
{
	queue_work(wq, &work);
	return HRTIMER_NORESTART;
}

static int null_open(struct inode *inode, struct file *file)
{
	struct null_client *client = kzalloc(sizeof(*client), GFP_KERNEL);

	if (!client)
		return -ENOMEM;

	INIT_LIST_HEAD(&client->node);
	file->private_data = client;
	return 0;
}

static long null_start(struct null_client *client, const struct null_loop_start *start)
{
	struct eventfd_ctx *eventfd;

	if (start->pad || start->period_ns < SHORTEST_PERIOD_NS)
		return -EINVAL;

	if (client->eventfd)
		return -EBUSY;

	eventfd = eventfd_ctx_fdget(start->eventfd);
	if (IS_ERR(eventfd))
		return PTR_ERR(eventfd);

	client->eventfd = eventfd;
	client->period_ns = start->period_ns;
	client->point_ns = (div64_u64(ktime_get_ns(), client->period_ns) + 1) * client->period_ns;
	client->told = (struct null_loop_told){ 0 };
	list_add(&client->node, &clients);
	queue_work(wq, &work);
	return 0;
}

static long null_stop(struct null_client *client)
{
	if (!client->eventfd)
		return -EINVAL;

	list_del_init(&client->node);
	eventfd_ctx_put(client->eventfd);
	client->eventfd = NULL;
	return 0;
}

static long null_ioctl(struct file *file, unsigned int request, unsigned long arg)
{
	struct null_client *client = file->private_data;
	void __user *user = (void __user *)arg;
	struct null_loop_start start;
	struct null_loop_told told;
	long ret;

	switch (request) {
	case NULL_LOOP_START:
		if (copy_from_user(&start, user, sizeof(start)))
			return -EFAULT;

		mutex_lock(&lock);
		ret = null_start(client, &start);
		mutex_unlock(&lock);
		return ret;

	case NULL_LOOP_STOP:
	case NULL_LOOP_TELL:
		mutex_lock(&lock);
		ret = client->eventfd ? 0 : -EINVAL;
		if (request == NULL_LOOP_STOP)
			ret = null_stop(client);
		told = client->told;
		mutex_unlock(&lock);
		return ret ?: copy_to_user(user, &told, sizeof(told)) ? -EFAULT : 0;

	default:
		return -ENOTTY;
	}
}

static int null_release(struct inode *inode, struct file *file)
{
	struct null_client *client = file->private_data;

	mutex_lock(&lock);
	null_stop(client);
	mutex_unlock(&lock);
	kfree(client);
	return 0;
}

static const struct file_operations null_fops = {
	.owner = THIS_MODULE,
	.open = null_open,
	.release = null_release,
	.unlocked_ioctl = null_ioctl,
};

static struct miscdevice null_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "null-loop",
	.fops = &null_fops,
};

static int __init null_init(void)
{
	int ret;

	/* As the sampler's. */
	wq = alloc_ordered_workqueue("null-loop", WQ_HIGHPRI | WQ_MEM_RECLAIM);
	if (!wq)
		return -ENOMEM;

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	timer.function = null_timer;
#else
	hrtimer_setup(&timer, null_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#endif
	ret = misc_register(&null_device);
	if (ret)
		destroy_workqueue(wq);
	return ret;
}

static void __exit null_exit(void)
{
	misc_deregister(&null_device);
	/* No client is left, so that the worker arms no timer. */
	hrtimer_cancel(&timer);
	cancel_work_sync(&work);
	hrtimer_cancel(&timer);
	destroy_workqueue(wq);
}

module_init(null_init);
module_exit(null_exit);
MODULE_DESCRIPTION("A timer, a worker and eventfds, without a GPU");
MODULE_LICENSE("Dual MIT/GPL");
