/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_IOCTL_TEST_H__
#define __PANTHOR_PERF_IOCTL_TEST_H__

/*
 * What the suites of the ioctls share: a DRM device over the fake firmware, and open files of it.
 * Not a header for others: its names are short.
 */

#include <kunit/device.h>
#include <kunit/resource.h>
#include <linux/cred.h>
#include <linux/mman.h>
#include <linux/uaccess.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_gem.h"
#include "panthor_perf.h"
#include "panthor_perf_device.h"
#include "panthor_perf_ioctl.h"
#include "panthor_perf_session_test.h"

#define SLOTS		8
#define RING_SIZE	(SLOTS * SAMPLE_SIZE)
#define CONTROL_SIZE	4096
#define SECTIONS	5

/* What SETUP must not touch when it fails. */
#define NO_HANDLE	0xabadcafe

/* An open file of the device. */
struct client {
	struct kunit *test;
	struct panthor_device *ptdev;
	struct file *filp;
	struct drm_file *file;
	struct panthor_file pfile;
};

/* A buffer object, mapped. */
struct object {
	u32 handle;
	struct drm_gem_object *obj;
	struct iosys_map map;
};

/* A session by its handle, and all that SETUP is given for it. */
struct owner {
	struct client *client;
	struct object ring;
	struct object control;
	struct drm_panthor_perf_setup setup;
	struct drm_panthor_perf_section sections[SECTIONS];

	/* Where SETUP finds the sections. */
	void __user *page;

	/* Valid from SETUP on. Its session is only read: the ioctls change it. */
	struct profiler p;

	/* Signals of the eventfd so far. */
	u64 signalled;
};

DEFINE_DRM_GEM_FOPS(ioctl_test_fops);

static const struct drm_driver ioctl_test_driver = {
	.driver_features = DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE | DRIVER_RENDER | DRIVER_GEM,
	.fops = &ioctl_test_fops,
	.name = "panthor-perf-test",
	.desc = "Panthor without a GPU",
};

KUNIT_DEFINE_ACTION_WRAPPER(gpu_unplug_shrinker, panthor_gem_shrinker_unplug,
			    struct panthor_device *);

KUNIT_DEFINE_ACTION_WRAPPER(clock_mode_fini, panthor_perf_clock_mode_fini,
			    struct panthor_perf_clock_mode *);

/* A device whose counters are those of a fixture, which test->priv is from then on. */
static inline struct panthor_device *gpu_create_as(struct kunit *test,
						   const struct panthor_perf_fake_shape *shape)
{
	struct panthor_perf_fixture *f = panthor_perf_fixture_create(test, shape);
	struct panthor_device *ptdev;
	struct device *dev;

	test->priv = f;
	dev = kunit_device_register(test, "panthor-perf");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	ptdev = devm_drm_dev_alloc(dev, &ioctl_test_driver, struct panthor_device, base);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, ptdev);
	ptdev->coherent = true;
	KUNIT_ASSERT_EQ(test, panthor_gem_shrinker_init(ptdev), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, gpu_unplug_shrinker, ptdev), 0);

	f->perf.layout = f->layout;
	f->perf.info = (struct drm_panthor_perf_info) {
		.counters_per_block = COUNTERS,
		.sample_size = SAMPLE_SIZE,
		.supported_sets = 7,
		.min_sample_slots = 2,
		.max_sample_slots = 4096,
		.max_sessions = PANTHOR_PERF_FILE_SESSIONS,
		.min_period_ns = 100000,
	};
	f->perf.max_sessions = PANTHOR_PERF_GPU_SESSIONS;
	mutex_init(&f->perf.alloc_lock);
	INIT_LIST_HEAD(&f->perf.sessions);
	panthor_perf_clock_mode_init(&f->perf.clock_mode, dev, NULL);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, clock_mode_fini,
							&f->perf.clock_mode), 0);
	ptdev->perf = &f->perf;
	return ptdev;
}

static inline struct panthor_device *gpu_create(struct kunit *test)
{
	return gpu_create_as(test, &panthor_perf_rk3588);
}

static inline void client_open(struct kunit *test, struct panthor_device *ptdev,
			       struct client *client)
{
	client->test = test;
	client->ptdev = ptdev;
	client->filp = mock_drm_getfile(ptdev->base.render, O_RDWR);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, client->filp);
	client->file = client->filp->private_data;
	client->pfile = (struct panthor_file) { .ptdev = ptdev };
	panthor_perf_file_open(&client->pfile);
	client->file->driver_priv = &client->pfile;
}

static inline void client_close(struct client *client)
{
	if (IS_ERR_OR_NULL(client->filp))
		return;

	panthor_perf_file_close(&client->pfile);
	__fput_sync(client->filp);
	client->filp = NULL;
}

static inline u32 object_handle(struct client *client, u64 size, u32 flags)
{
	u32 handle = 0;

	KUNIT_ASSERT_EQ(client->test,
			panthor_gem_create_with_handle(client->file, &client->ptdev->base, NULL,
						       &size, flags, &handle), 0);
	return handle;
}

static inline void object_create(struct client *client, u64 size, struct object *object)
{
	object->handle = object_handle(client, size, 0);
	object->obj = drm_gem_object_lookup(client->file, object->handle);
	KUNIT_ASSERT_NOT_NULL(client->test, object->obj);
	KUNIT_ASSERT_EQ(client->test, drm_gem_vmap(object->obj, &object->map), 0);
}

static inline void object_destroy(struct object *object)
{
	if (!object->obj)
		return;

	drm_gem_vunmap(object->obj, &object->map);
	drm_gem_object_put(object->obj);
	object->obj = NULL;
}

/*
 * A page of user memory, and one behind it that cannot be had. The thread of the test gets an
 * address space with the first.
 */
static inline void __user *user_page(struct kunit *test)
{
	unsigned long page = kunit_vm_mmap(test, NULL, 0, 2 * PAGE_SIZE, PROT_NONE,
					   MAP_ANONYMOUS | MAP_PRIVATE, 0);

	KUNIT_ASSERT_NE(test, page, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(page));
	KUNIT_ASSERT_EQ(test, vm_mmap(NULL, page, PAGE_SIZE, PROT_READ | PROT_WRITE,
				      MAP_FIXED | MAP_ANONYMOUS | MAP_PRIVATE, 0), page);
	return (void __user *)page;
}

/* All counters, no eventfd, as SETUP likes it. */
static inline void owner_prepare(struct client *client, struct owner *u)
{
	static const u8 types[SECTIONS] = { FW, CSHW, TILER, MEMSYS, SHADER };
	struct kunit *test = client->test;
	const size_t values = BLOCKS * COUNTERS;

	u->client = client;
	object_create(client, RING_SIZE, &u->ring);
	object_create(client, CONTROL_SIZE, &u->control);
	memset(u->ring.map.vaddr, 0xff, RING_SIZE);
	memset(u->control.map.vaddr, 0xee, CONTROL_SIZE);
	for (u32 i = 0; i < SECTIONS; i++)
		u->sections[i] = (struct drm_panthor_perf_section) {
			.block_type = types[i],
			.mask = ALL_COUNTERS,
		};

	u->setup = (struct drm_panthor_perf_setup) {
		.eventfd = -1,
		.ring_handle = u->ring.handle,
		.control_handle = u->control.handle,
		.sample_slots = SLOTS,
		.sections = DRM_PANTHOR_OBJ_ARRAY(SECTIONS, u->sections),
		.handle = NO_HANDLE,
	};
	u->page = user_page(test);
	u->setup.sections.array = (uintptr_t)u->page;

	u->p.ring = u->ring.map.vaddr;
	u->p.control = u->control.map.vaddr;
	u->p.slots = SLOTS;
	memcpy(u->p.masks, all_masks, sizeof(all_masks));
	u->p.sums = kunit_kcalloc(test, values, sizeof(u64), GFP_KERNEL);
	u->p.zero = kunit_kcalloc(test, values, sizeof(u64), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, u->p.sums);
	KUNIT_ASSERT_NOT_NULL(test, u->p.zero);
}

static inline void owner_release(struct owner *u)
{
	object_destroy(&u->ring);
	object_destroy(&u->control);
	if (u->p.eventfd)
		fput(u->p.eventfd);
}

/*
 * The ioctls
 */

static inline int do_setup(struct owner *u)
{
	int ret;

	KUNIT_ASSERT_EQ(u->client->test,
			copy_to_user(u->page, u->sections, sizeof(u->sections)), 0);
	ret = panthor_ioctl_perf_setup(&u->client->ptdev->base, &u->setup, u->client->file);
	if (ret)
		return ret;

	/* The newest one of the device. */
	u->p.session = list_last_entry(&u->client->ptdev->perf->sessions,
				       struct panthor_perf_session, node);
	return 0;
}

static inline int do_teardown(struct owner *u)
{
	struct drm_panthor_perf_teardown args = { .handle = u->setup.handle };

	return panthor_ioctl_perf_teardown(&u->client->ptdev->base, &args, u->client->file);
}

static inline int do_start(struct owner *u, u64 user_data)
{
	struct drm_panthor_perf_start args = {
		.handle = u->setup.handle, .user_data = user_data,
	};

	return panthor_ioctl_perf_start(&u->client->ptdev->base, &args, u->client->file);
}

static inline int do_stop(struct owner *u, u64 user_data)
{
	struct drm_panthor_perf_stop args = {
		.handle = u->setup.handle, .user_data = user_data,
	};

	return panthor_ioctl_perf_stop(&u->client->ptdev->base, &args, u->client->file);
}

static inline int do_sample(struct owner *u, u64 user_data)
{
	struct drm_panthor_perf_sample args = {
		.handle = u->setup.handle, .user_data = user_data,
	};

	return panthor_ioctl_perf_sample(&u->client->ptdev->base, &args, u->client->file);
}

/* SETUP with an eventfd. */
static inline void owner_setup(struct owner *u)
{
	struct kunit *test = u->client->test;
	int fd = get_unused_fd_flags(0);

	KUNIT_ASSERT_GE(test, fd, 0);
	u->p.eventfd = eventfd_create(test);
	get_file(u->p.eventfd);
	fd_install(fd, u->p.eventfd);
	u->setup.eventfd = fd;
	KUNIT_ASSERT_EQ(test, do_setup(u), 0);
	close_fd(fd);
}

/* The counters of the started session begin at zero here. */
static inline void owner_start(struct owner *u)
{
	KUNIT_ASSERT_EQ(u->client->test, do_start(u, 0), 0);
	remember_zero(u->client->test->priv, &u->p);
}

/* As a process without the right to count. */
static inline int do_setup_as_nobody(struct owner *u)
{
	struct cred *cred = prepare_creds();
	const struct cred *old;
	int ret;

	KUNIT_ASSERT_NOT_NULL(u->client->test, cred);
	cap_clear(cred->cap_effective);
	old = override_creds(cred);
	ret = do_setup(u);
	revert_creds(old);
	put_cred(cred);
	return ret;
}

static inline void set_paranoid(bool paranoid)
{
	WRITE_ONCE(panthor_perf_paranoid, paranoid);
}

/* Two open files, each with what it needs for a session. */
struct two {
	struct client client, other;
	struct owner u, o;
};

static inline struct two *two_of(struct kunit *test)
{
	struct panthor_perf_fixture *f = test->priv;

	return f->priv;
}

static inline int two_init(struct kunit *test)
{
	struct panthor_device *ptdev = gpu_create(test);
	struct panthor_perf_fixture *f = test->priv;
	struct two *two = kunit_kzalloc(test, sizeof(*two), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, two);
	f->priv = two;
	client_open(test, ptdev, &two->client);
	client_open(test, ptdev, &two->other);
	owner_prepare(&two->client, &two->u);
	owner_prepare(&two->other, &two->o);
	return 0;
}

static inline void two_exit(struct kunit *test)
{
	struct two *two;

	if (!test->priv)
		return;

	two = two_of(test);
	if (two) {
		client_close(&two->client);
		client_close(&two->other);
		owner_release(&two->u);
		owner_release(&two->o);
	}
	panthor_perf_fixture_destroy(test->priv);
}

#endif
