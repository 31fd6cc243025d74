/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Arguments of commands and structures of Vulkan by a description of their members, which is
 * generated from the registry.
 */
#ifndef STATE_REFLECT_H
#define STATE_REFLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#define ENUMERANTS_END	INT64_MIN

/* A structure that no version of the registry has. */
#define UNKNOWN_TYPE	((VkStructureType)1999999001)

/** struct unknown_struct - that structure */
struct unknown_struct {
	/** @type: %UNKNOWN_TYPE. */
	VkStructureType type;

	/** @next: Next of the chain. */
	const void *next;

	/** @payload: What only the driver knows the meaning of. */
	uint64_t payload[2];
};

/** enum kind - what an element of a member is */
enum kind {
	KIND_INT,
	KIND_ENUM,
	KIND_BOOL,
	KIND_FLOAT,
	KIND_HANDLE,
	KIND_DISPATCHABLE,
	KIND_STRUCT,
	/** @KIND_RAW: Bytes that have no description, such as a union. */
	KIND_RAW,
	/** @KIND_OPAQUE: A pointer that is a value. */
	KIND_OPAQUE,
	KIND_STRING,
};

#define MEMBER_CHAIN	1
#define MEMBER_COUNT	2
#define MEMBER_OPTIONAL	4
#define MEMBER_TYPE	8
#define MEMBER_ONE	16

struct type;

/** struct member - a member of a structure, or a parameter of a command */
struct member {
	/** @name: Its name. */
	const char *name;

	/** @offset: Where it is. */
	size_t offset;

	/** @size: Bytes of an element. */
	size_t size;

	/** @count: Elements of an array that is in the structure. */
	size_t count;

	/** @kind: What an element is. */
	enum kind kind;

	/** @stars: Levels of pointers. */
	unsigned int stars;

	/** @flags: MEMBER_* values. */
	unsigned int flags;

	/** @length: Number of elements that a pointer points to. %NULL: one. */
	uint64_t (*length)(const void *data);

	/** @type: The structure that an element is. */
	const struct type *type;

	/** @enumerants: Values that it may have. */
	const int64_t *enumerants;
};

/** struct type - a structure, or the arguments of a command */
struct type {
	/** @name: Its name. */
	const char *name;

	/** @size: Its bytes. */
	size_t size;

	/** @structure_type: Its type in a chain. 0: none. */
	VkStructureType structure_type;

	/** @members: Its members. */
	const struct member *members;

	/** @member_count: Their number. */
	unsigned int member_count;
};

/** struct chain_type - a structure that may be in the chain of another one */
struct chain_type {
	/** @base: Name of the other one. */
	const char *base;

	/** @type: The structure. */
	const struct type *type;
};

extern const struct chain_type chain_types[];
extern const unsigned int chain_type_count;
extern const struct type *const all_types[];
extern const unsigned int all_type_count;

/** struct arena - memory that is freed at once */
struct arena {
	/** @blocks: The blocks; the first one is in use. */
	struct block *blocks;
};

void *arena_alloc(struct arena *arena, size_t size);
char *arena_print(struct arena *arena, const char *format, ...)
	__attribute__((__format__(printf, 2, 3)));
void arena_clear(struct arena *arena, bool scribble);

/** struct text - a text that grows */
struct text {
	/** @arena: Where it is. */
	struct arena *arena;

	/** @data: The text. */
	char *data;

	/** @length: Its length. */
	size_t length;

	/** @size: Bytes of @data. */
	size_t size;
};

void text_add(struct text *text, const char *format, ...)
	__attribute__((__format__(printf, 2, 3)));

/** struct override - a value for all members of a name */
struct override {
	/** @name: The name. %NULL: end of an array. */
	const char *name;

	/** @value: The value. */
	uint64_t value;
};

/** struct fill - how arguments are made */
struct fill {
	/** @arena: Where what they point to is. */
	struct arena *arena;

	/** @seed: Other arguments have another one. */
	uint64_t seed;

	/** @overrides: Values of some. May be %NULL. */
	const struct override *overrides;

	/** @serial: Number of values that were made. */
	uint64_t serial;
};

void reflect_fill(struct fill *fill, const struct type *type, void *data);
void *reflect_copy(struct arena *arena, const struct type *type, const void *data);
void reflect_print(struct text *text, const struct type *type, const void *data);
void reflect_print_chain(struct text *text, const void *chain);
void reflect_print_element(struct text *text, const struct member *member, const void *element);
void reflect_handles(const struct type *type, const void *data,
		     void (*found)(uint64_t handle, void *arg), void *arg);

const struct member *reflect_member(const struct type *type, const char *name);
const struct type *reflect_struct(VkStructureType type);
uint64_t reflect_value(const struct type *type, const void *data, const char *name);
const void *reflect_pointer(const struct type *type, const void *data, const char *name);
uint64_t reflect_length(const struct type *type, const void *data, const struct member *member);

#endif
