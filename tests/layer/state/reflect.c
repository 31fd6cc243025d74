// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reflect.h"

#define BLOCK_BYTES	(64 << 10)
#define ALIGNED(size)	(((size) + 15) & ~(size_t)15)
/* What freed memory has. */
#define SCRIBBLE	0xa5
/* Elements of an array that has no count of its own. */
#define FILLED_COUNT	2
/* A pointer that must not be read. */
#define IGNORED		((void *)(uintptr_t)0x6b6b6b6b6b6b6b68)

struct block {
	struct block *next;
	size_t size;
	size_t used;
	char data[] __attribute__((aligned(16)));
};

/** arena_alloc() - Allocate zeroed memory of an arena. */
void *arena_alloc(struct arena *arena, size_t size)
{
	struct block *block = arena->blocks;

	size = ALIGNED(size ? size : 1);
	if (!block || block->size - block->used < size) {
		const size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;

		block = malloc(sizeof(*block) + bytes);
		if (!block)
			abort();
		block->size = bytes;
		block->used = 0;
		block->next = arena->blocks;
		arena->blocks = block;
	}
	block->used += size;
	return memset(block->data + block->used - size, 0, size);
}

/** arena_print() - Print a text into an arena. */
char *arena_print(struct arena *arena, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return strcpy(arena_alloc(arena, strlen(text) + 1), text);
}

/**
 * arena_clear() - Free all of an arena but a block
 * @arena: The arena.
 * @scribble: Overwrite what is left.
 */
void arena_clear(struct arena *arena, bool scribble)
{
	struct block *block = arena->blocks;

	if (!block)
		return;
	while (block->next) {
		arena->blocks = block->next;
		free(block);
		block = arena->blocks;
	}
	if (scribble)
		memset(block->data, SCRIBBLE, block->used);
	block->used = 0;
}

static void append(struct text *text, const char *from, size_t length)
{
	if (text->length + length + 1 > text->size) {
		const size_t size = (text->size ? 2 * text->size : 128) + length;
		char *data = arena_alloc(text->arena, size);

		memcpy(data, text->data ? text->data : "", text->length);
		text->data = data;
		text->size = size;
	}
	memcpy(text->data + text->length, from, length);
	text->length += length;
	text->data[text->length] = '\0';
}

/** text_add() - Print behind a text. */
void text_add(struct text *text, const char *format, ...)
{
	char buffer[512];
	va_list args;
	size_t length;

	va_start(args, format);
	length = vsnprintf(buffer, sizeof(buffer), format, args);
	va_end(args);
	append(text, buffer, length < sizeof(buffer) ? length : sizeof(buffer) - 1);
}

/* What most of a text consists of. */
static void append_text(struct text *text, const char *from)
{
	append(text, from, strlen(from));
}

static void append_number(struct text *text, uint64_t value, unsigned int base)
{
	char buffer[24];
	size_t at = sizeof(buffer);

	do {
		buffer[--at] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	append(text, buffer + at, sizeof(buffer) - at);
}

/** reflect_struct() - The structure of a type in chains; %NULL: there is none. */
const struct type *reflect_struct(VkStructureType type)
{
	for (unsigned int i = 0; i < all_type_count; i++) {
		if (all_types[i]->structure_type == type && type)
			return all_types[i];
	}
	return NULL;
}

/* Bytes of the elements of a member. */
static size_t element_size(const struct member *member)
{
	return member->stars > 1 ? sizeof(void *) : member->size;
}

/** reflect_length() - Number of elements that a pointer points to. */
uint64_t reflect_length(const struct type *type, const void *data, const struct member *member)
{
	(void)type;
	return member->length ? member->length(data) : 1;
}

/* ---- Lookup by name ---- */

static const struct member *member_named(const struct type *type, const char *name, size_t length)
{
	for (unsigned int i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];

		if (!strncmp(member->name, name, length) && !member->name[length])
			return member;
	}
	return NULL;
}

/*
 * The member of a name. If the arguments are one structure, its members are those of the command.
 */
static const struct member *find(const struct type *type, const void **data, const char *name)
{
	const struct member *member = member_named(type, name, strlen(name));

	for (unsigned int i = 0; i < type->member_count && !member; i++) {
		const struct member *outer = &type->members[i];

		if (outer->kind != KIND_STRUCT || outer->stars != 1 || outer->length)
			continue;
		member = member_named(outer->type, name, strlen(name));
		if (member && data)
			*data = *(const void *const *)((const char *)*data + outer->offset);
	}
	return member;
}

/** reflect_member() - A member of the arguments of a command, or of the structure that they are. */
const struct member *reflect_member(const struct type *type, const char *name)
{
	return find(type, NULL, name);
}

static uint64_t read_value(const void *at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, at, size > sizeof(value) ? sizeof(value) : size);
	return value;
}

/** reflect_value() - The value of a member. */
uint64_t reflect_value(const struct type *type, const void *data, const char *name)
{
	const struct member *member = find(type, &data, name);

	return member && data ? read_value((const char *)data + member->offset, member->size) : 0;
}

/** reflect_pointer() - What a member points to. */
const void *reflect_pointer(const struct type *type, const void *data, const char *name)
{
	const struct member *member = find(type, &data, name);

	return member && data ? *(const void *const *)((const char *)data + member->offset) : NULL;
}

/* ---- Descriptors that are pushed: what a write points to depends on its type ---- */

static bool is_write(const struct type *type)
{
	return type && !strcmp(type->name, "VkWriteDescriptorSet");
}

/* Which of the pointers is read; 0: none. */
static size_t write_pointer(const VkWriteDescriptorSet *write)
{
	switch ((int)write->descriptorType) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
	case 1000440000: /* VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM */
	case 1000440001: /* VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM */
		return offsetof(VkWriteDescriptorSet, pImageInfo);
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		return offsetof(VkWriteDescriptorSet, pTexelBufferView);
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
		return offsetof(VkWriteDescriptorSet, pBufferInfo);
	default:
		return 0;
	}
}

static bool is_ignored(const struct type *type, const void *data, const struct member *member)
{
	return is_write(type) && member->stars && !(member->flags & MEMBER_CHAIN) &&
	       member->offset != write_pointer(data);
}

/* ---- Filling ---- */

static uint64_t next_value(struct fill *fill)
{
	/* A step of splitmix64: no two values of a run are likely to be equal. */
	uint64_t value = fill->seed * UINT64_C(0x9e3779b97f4a7c15) + ++fill->serial;

	value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
	return value ^ (value >> 31);
}

static const struct override *override_of(const struct fill *fill, const char *name)
{
	for (const struct override *at = fill->overrides; at && at->name; at++) {
		if (!strcmp(at->name, name))
			return at;
	}
	return NULL;
}

static void fill_scalar(struct fill *fill, const struct member *member, void *at)
{
	const uint64_t random = next_value(fill);
	uint64_t value = random;
	unsigned int count = 0;
	float number;

	switch (member->kind) {
	case KIND_ENUM:
		while (member->enumerants && member->enumerants[count] != ENUMERANTS_END)
			count++;
		value = count ? (uint64_t)member->enumerants[(fill->seed + fill->serial) % count] :
				1;
		break;
	case KIND_BOOL:
		value = (fill->seed + fill->serial) & 1;
		break;
	case KIND_FLOAT:
		number = (float)(random % 1000000) / 64;
		if (member->size == sizeof(double)) {
			const double wide = number;

			memcpy(at, &wide, sizeof(wide));
		} else {
			memcpy(at, &number, sizeof(number));
		}
		return;
	case KIND_HANDLE:
	case KIND_INT:
		/* Small enough that no sum overflows, and not zero. */
		value = member->size == 1 ? random | 1 : (random & 0xfffff) | 0x1000;
		if (member->kind == KIND_HANDLE)
			value |= UINT64_C(0x700000000);
		break;
	case KIND_DISPATCHABLE:
		value = 0;
		break;
	case KIND_OPAQUE:
		value = random & 0xffffff0;
		break;
	default:
		break;
	}
	for (size_t i = 0; i < member->size; i += sizeof(value))
		memcpy((char *)at + i, &value,
		       member->size - i < sizeof(value) ? member->size - i : sizeof(value));
}

static void fill_element(struct fill *fill, const struct member *member, void *at)
{
	if (member->kind == KIND_STRUCT)
		reflect_fill(fill, member->type, at);
	else
		fill_scalar(fill, member, at);
}

static void *fill_array(struct fill *fill, const struct member *member, uint64_t count,
			unsigned int stars)
{
	const size_t size = stars > 1 ? sizeof(void *) : member->size;
	char *array;

	if (!count)
		return NULL;
	if (member->kind == KIND_STRING)
		return arena_print(fill->arena, "text %u", (unsigned int)next_value(fill));
	array = arena_alloc(fill->arena, count * size);
	for (uint64_t i = 0; i < count; i++) {
		if (stars > 1)
			*(void **)(array + i * size) = member->kind == KIND_OPAQUE ?
				(void *)(uintptr_t)(next_value(fill) & 0xffff0) :
				fill_array(fill, member, 1, stars - 1);
		else
			fill_element(fill, member, array + i * size);
	}
	return array;
}

/**
 * reflect_fill() - Make arguments
 * @fill: How.
 * @type: Their description.
 * @data: They.
 *
 * Arrays have two elements, and chains are empty.
 */
void reflect_fill(struct fill *fill, const struct type *type, void *data)
{
	const struct override *override;

	for (unsigned int i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		char *at = (char *)data + member->offset;

		if (member->stars || member->flags & MEMBER_CHAIN)
			continue;
		override = override_of(fill, member->name);
		if (member->flags & MEMBER_TYPE) {
			memcpy(at, &type->structure_type, sizeof(type->structure_type));
		} else if (override) {
			memcpy(at, &override->value, member->size);
		} else if (member->flags & MEMBER_COUNT && member->kind == KIND_INT) {
			const uint64_t count = FILLED_COUNT;

			memcpy(at, &count, member->size);
		} else {
			for (size_t n = 0; n < member->count; n++)
				fill_element(fill, member, at + n * member->size);
		}
	}
	for (unsigned int i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		void **at = (void **)((char *)data + member->offset);

		if (!member->stars || member->flags & MEMBER_CHAIN)
			continue;
		override = override_of(fill, member->name);
		if (override)
			*at = (void *)(uintptr_t)override->value;
		else if (is_ignored(type, data, member))
			*at = IGNORED;
		else if (member->kind == KIND_OPAQUE && member->stars == 1)
			*at = (void *)(uintptr_t)(next_value(fill) & 0xffffff0);
		else
			*at = fill_array(fill, member, reflect_length(type, data, member),
					 member->stars);
	}
}

/* ---- Copies ---- */

static void *copy_chain(struct arena *arena, const void *chain)
{
	const VkBaseInStructure *at = chain;
	const struct type *type;
	VkBaseOutStructure *copy;
	struct unknown_struct *unknown;

	if (!at)
		return NULL;
	if (at->sType == UNKNOWN_TYPE) {
		unknown = arena_alloc(arena, sizeof(*unknown));
		*unknown = *(const struct unknown_struct *)chain;
		unknown->next = copy_chain(arena, at->pNext);
		return unknown;
	}
	type = reflect_struct(at->sType);
	if (type)
		return reflect_copy(arena, type, chain);
	copy = arena_alloc(arena, sizeof(*copy));
	copy->sType = at->sType;
	copy->pNext = copy_chain(arena, at->pNext);
	return copy;
}

static void copy_pointers(struct arena *arena, const struct type *type, void *data);

static void *copy_array(struct arena *arena, const struct member *member, const void *from,
			uint64_t count, unsigned int stars)
{
	const size_t size = stars > 1 ? sizeof(void *) : member->size;
	char *copy;

	if (!from || !count)
		return NULL;
	if (member->kind == KIND_STRING && stars == 1)
		return strcpy(arena_alloc(arena, strlen(from) + 1), from);
	copy = arena_alloc(arena, count * size);
	memcpy(copy, from, count * size);
	for (uint64_t i = 0; i < count; i++) {
		if (stars > 1 && member->kind != KIND_OPAQUE)
			*(void **)(copy + i * size) = copy_array(
				arena, member, *(void **)(copy + i * size), 1, stars - 1);
		else if (stars == 1 && member->kind == KIND_STRUCT)
			copy_pointers(arena, member->type, copy + i * size);
	}
	return copy;
}

static void copy_pointers(struct arena *arena, const struct type *type, void *data)
{
	for (unsigned int i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		void **at = (void **)((char *)data + member->offset);

		if (member->flags & MEMBER_CHAIN) {
			*at = copy_chain(arena, *at);
		} else if (!member->stars) {
			for (size_t n = 0; n < member->count && member->kind == KIND_STRUCT; n++)
				copy_pointers(arena, member->type, (char *)at + n * member->size);
		} else if (is_ignored(type, data, member)) {
			*at = NULL;
		} else if (member->kind != KIND_OPAQUE || member->stars > 1) {
			*at = copy_array(arena, member, *at, reflect_length(type, data, member),
					 member->stars);
		}
	}
}

/** reflect_copy() - Copy a structure with all that it points to. */
void *reflect_copy(struct arena *arena, const struct type *type, const void *data)
{
	void *copy = arena_alloc(arena, type->size);

	memcpy(copy, data, type->size);
	copy_pointers(arena, type, copy);
	return copy;
}

/* ---- Printing ---- */

static void print_scalar(struct text *text, const struct member *member, const void *at)
{
	const uint64_t value = read_value(at, member->size);
	double number = 0;
	float narrow;

	switch (member->kind) {
	case KIND_FLOAT:
		if (member->size == sizeof(double)) {
			memcpy(&number, at, sizeof(number));
		} else {
			memcpy(&narrow, at, sizeof(narrow));
			number = narrow;
		}
		text_add(text, "%g", number);
		break;
	case KIND_RAW:
		for (size_t i = 0; i < member->size; i++)
			append_number(text, 0x100 | ((const uint8_t *)at)[i], 16);
		break;
	case KIND_DISPATCHABLE:
		/* That of the test has another one than the driver's. */
		text_add(text, "%s", value ? "handle" : "NULL");
		break;
	case KIND_HANDLE:
	case KIND_OPAQUE:
		append_text(text, "0x");
		append_number(text, value, 16);
		break;
	default:
		append_number(text, value, 10);
		break;
	}
}

/** reflect_print_element() - Print an element of an array. */
void reflect_print_element(struct text *text, const struct member *member, const void *element)
{
	if (member->kind == KIND_STRUCT)
		reflect_print(text, member->type, element);
	else
		print_scalar(text, member, element);
}

static void print_array(struct text *text, const struct member *member, const char *at,
			uint64_t count, unsigned int stars)
{
	const size_t size = stars > 1 ? sizeof(void *) : member->size;

	if (!at) {
		append_text(text, "NULL");
		return;
	}
	if (member->kind == KIND_STRING && stars == 1) {
		text_add(text, "\"%s\"", at);
		return;
	}
	append_text(text, "[");
	for (uint64_t i = 0; i < count; i++) {
		append_text(text, i ? " " : "");
		if (stars > 1 && member->kind != KIND_OPAQUE)
			print_array(text, member, *(char *const *)(at + i * size), 1, stars - 1);
		else
			reflect_print_element(text, member, at + i * size);
	}
	append_text(text, "]");
}

/** reflect_print_chain() - Print a chain. */
void reflect_print_chain(struct text *text, const void *chain)
{
	const VkBaseInStructure *at = chain;
	const struct type *type;

	if (!at)
		return;
	type = reflect_struct(at->sType);
	if (at->sType == UNKNOWN_TYPE) {
		const struct unknown_struct *unknown = chain;

		text_add(text, " + unknown{%llx %llx}", (unsigned long long)unknown->payload[0],
			 (unsigned long long)unknown->payload[1]);
		reflect_print_chain(text, at->pNext);
	} else if (type) {
		text_add(text, " + %s", type->name);
		reflect_print(text, type, chain);
	} else {
		text_add(text, " + %d", at->sType);
		reflect_print_chain(text, at->pNext);
	}
}

/** reflect_print() - Print a structure with all that it points to. */
void reflect_print(struct text *text, const struct type *type, const void *data)
{
	const void *chain = NULL;
	const char *between = "";

	append_text(text, "{");
	for (unsigned int i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		const char *at = (const char *)data + member->offset;

		if (member->flags & MEMBER_TYPE)
			continue;
		if (member->flags & MEMBER_CHAIN) {
			chain = *(const void *const *)at;
			continue;
		}
		if (is_ignored(type, data, member))
			continue;
		append_text(text, between);
		append_text(text, member->name);
		append_text(text, "=");
		between = " ";
		if (member->kind == KIND_OPAQUE && member->stars == 1)
			print_scalar(text, member, at);
		else if (member->stars)
			print_array(text, member, *(char *const *)at,
				    reflect_length(type, data, member), member->stars);
		else if (member->count > 1)
			print_array(text, member, at, member->count, 1);
		else
			reflect_print_element(text, member, at);
	}
	reflect_print_chain(text, chain);
	append_text(text, "}");
}

/* ---- Handles ---- */

/** reflect_handles() - Call a function for each handle that is not dispatchable. */
void reflect_handles(const struct type *type, const void *data,
		     void (*found)(uint64_t handle, void *arg), void *arg)
{
	for (unsigned int i = 0; i < type->member_count; i++) {
		const struct member *member = &type->members[i];
		const char *at = (const char *)data + member->offset;
		uint64_t count = member->count;

		if ((member->kind != KIND_HANDLE && member->kind != KIND_STRUCT) ||
		    member->stars > 1 || is_ignored(type, data, member))
			continue;
		if (member->stars) {
			at = *(const char *const *)at;
			count = reflect_length(type, data, member);
		}
		for (uint64_t n = 0; n < count && at; n++) {
			const char *element = at + n * element_size(member);

			if (member->kind == KIND_STRUCT)
				reflect_handles(member->type, element, found, arg);
			else
				found(read_value(element, member->size), arg);
		}
	}
}
