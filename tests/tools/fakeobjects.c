// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The part of the fake driver that knows buffer objects. */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fakedrm.h"
#include "fakeparts.h"

#define OBJECT_ALIGN	65536
#define MAX_OBJECTS	1024

static struct fake_object objects[MAX_OBJECTS];
static unsigned int count;
static uint64_t file_size;

void fake_objects_reset(void)
{
	memset(objects, 0, sizeof(objects));
	count = 0;
	file_size = 0;
}

int fake_object_create(int fd, struct drm_panthor_bo_create *args)
{
	struct fake_object *object;

	if (!args->size || args->pad || count == MAX_OBJECTS)
		return EINVAL;
	object = &objects[count++];
	args->size = (args->size + 4095) & ~4095ull;
	object->offset = file_size;
	object->size = args->size;
	object->open = true;
	file_size += (args->size + OBJECT_ALIGN - 1) & ~(OBJECT_ALIGN - 1ull);
	if (ftruncate(fd, file_size))
		return errno;
	args->handle = count;
	fake.objects++;
	return 0;
}

struct fake_object *fake_object_find(uint32_t handle)
{
	if (!handle || handle > count || !objects[handle - 1].open)
		return NULL;
	return &objects[handle - 1];
}
