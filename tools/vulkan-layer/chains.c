// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <string.h>

#include "chains.h"
#include "layer.h"

#define FRAME_END	1

struct chain_layout;

/**
 * struct chain_pointer - a pointer in a structure
 */
struct chain_pointer {
	/** @offset: Where it is. */
	size_t offset;

	/** @count: Where the number of its elements is. */
	size_t count;

	/** @count_size: Size of that number; 0: there is one element. */
	size_t count_size;

	/** @size: Size of an element. */
	size_t size;

	/** @layout: What is in an element. %NULL: no pointers. */
	const struct chain_layout *layout;
};

/**
 * struct chain_layout - a structure
 */
struct chain_layout {
	/** @type: Its type; 0: it is in no chain, and has none. */
	VkStructureType type;

	/** @size: Its size. */
	size_t size;

	/** @pointers: Its pointers, but for that of the chain. */
	const struct chain_pointer *pointers;

	/** @pointer_count: Their number. */
	size_t pointer_count;
};

#include "copies.h"

static const struct chain_layout *find_layout(VkStructureType type)
{
	for (size_t i = 0; i < COUNT(layouts); i++) {
		if (layouts[i]->type == type)
			return layouts[i];
	}
	return NULL;
}

/** chain_is_known() - Can the first structure of a chain be copied? */
bool chain_is_known(const void *chain)
{
	return find_layout(((const VkBaseInStructure *)chain)->sType);
}

static size_t count_of(const char *structure, const struct chain_pointer *pointer)
{
	uint32_t small;
	size_t count;

	if (!pointer->count_size)
		return 1;
	if (pointer->count_size == sizeof(small)) {
		memcpy(&small, structure + pointer->count, sizeof(small));
		return small;
	}
	memcpy(&count, structure + pointer->count, sizeof(count));
	return count;
}

static void *copy_array(struct chain_copy *copy, const char *from, size_t count, size_t size,
			const struct chain_layout *layout)
{
	char *to = copy->memory ? copy->memory + copy->size : NULL;

	copy->size += ALIGNED(count * size);
	if (to)
		memcpy(to, from, count * size);
	for (size_t n = 0; layout && n < count; n++, from += size) {
		char *element = to ? to + n * size : NULL;

		for (size_t i = 0; i < layout->pointer_count; i++) {
			const struct chain_pointer *pointer = &layout->pointers[i];
			const size_t elements = count_of(from, pointer);
			void *array;

			memcpy(&array, from + pointer->offset, sizeof(array));
			/* Without elements the application's pointer may be any. */
			array = array && elements ? copy_array(copy, array, elements, pointer->size,
							       pointer->layout) : NULL;
			if (element)
				memcpy(element + pointer->offset, &array, sizeof(array));
		}
		if (layout->type) {
			void *next = chain_copy(copy, ((const VkBaseInStructure *)from)->pNext);

			if (element)
				((VkBaseOutStructure *)element)->pNext = next;
		}
	}
	return to;
}

/**
 * chain_copy() - Copy a chain
 * @copy: Where to.
 * @chain: The chain. May be %NULL.
 *
 * The size of a structure that is not known is not known either: the copy ends with it and what
 * follows it, as the application has them.
 *
 * Return: The copy. %NULL if sizes are only counted.
 */
void *chain_copy(struct chain_copy *copy, const void *chain)
{
	const struct chain_layout *layout;

	if (!chain)
		return NULL;
	layout = find_layout(((const VkBaseInStructure *)chain)->sType);
	if (!layout) {
		copy->unknown = true;
		return (void *)chain;
	}
	return copy_array(copy, chain, 1, layout->size, layout);
}

/** chain_find() - The structure of a type in a chain; %NULL: there is none. */
const void *chain_find(const void *chain, VkStructureType type)
{
	const VkBaseInStructure *at = chain;

	while (at && at->sType != type)
		at = at->pNext;
	return at;
}

/** chain_is_boundary() - Does the first structure of a chain say where a frame ends? */
bool chain_is_boundary(const void *chain)
{
	const VkStructureType type = ((const VkBaseInStructure *)chain)->sType;

	return type == layout_VkFrameBoundaryEXT.type ||
	       type == layout_VkFrameBoundaryTensorsARM.type;
}

/** chain_frame() - Has a chain the number of a frame? */
bool chain_frame(const void *chain, uint64_t *id)
{
	const struct newer_VkFrameBoundaryEXT *boundary =
		chain_find(chain, layout_VkFrameBoundaryEXT.type);

	if (boundary)
		*id = boundary->frameID;
	return boundary;
}

/** chain_ends_frame() - Does a frame end behind what has a chain? Then @id is its number. */
bool chain_ends_frame(const void *chain, uint64_t *id)
{
	const struct newer_VkFrameBoundaryEXT *boundary =
		chain_find(chain, layout_VkFrameBoundaryEXT.type);

	return boundary && boundary->flags & FRAME_END && chain_frame(chain, id);
}

/**
 * chain_remove_boundaries() - Remove the structures that say where a frame ends
 * @chain: A structure of the layer's, in front of copies. Those behind one that is not known stay.
 *
 * Return: Whether there were some.
 */
bool chain_remove_boundaries(void *chain)
{
	VkBaseOutStructure *at = chain;
	bool some = false;

	while (at->pNext && chain_is_known(at->pNext)) {
		if (chain_is_boundary(at->pNext)) {
			at->pNext = at->pNext->pNext;
			some = true;
		} else {
			at = at->pNext;
		}
	}
	return some;
}
