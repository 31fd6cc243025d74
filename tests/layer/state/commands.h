/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* The rows of commands.txt, with what the registry says of each command. */
#ifndef STATE_COMMANDS_H
#define STATE_COMMANDS_H

#include <stdbool.h>

#include <vulkan/vulkan.h>

struct type;

/* A state that no pipeline has. */
#define NO_DYNAMIC_STATE	((VkDynamicState)-1)

/** enum command_class - see commands.txt */
enum command_class {
	CLASS_STATE,
	CLASS_WORK,
	CLASS_DRAW,
	CLASS_BEGIN_PASS,
	CLASS_END_PASS,
	CLASS_IN_PASS,
	CLASS_BEGIN_SCOPE,
	CLASS_END_SCOPE,
	CLASS_BEGIN_CODING,
	CLASS_END_CODING,
	CLASS_EXECUTE,
	CLASS_NONE,
};

/** enum place - where a command is allowed */
enum place {
	PLACE_BOTH,
	PLACE_INSIDE,
	PLACE_OUTSIDE,
};

/** struct command - a command of the registry */
struct command {
	/** @name: Its name. */
	const char *name;

	/** @original: The command that it is an alias of. */
	const char *original;

	/** @has_row: commands.txt has it. */
	bool has_row;

	/** @class: Its class. */
	enum command_class class;

	/** @rule: How it changes the state. */
	const char *rule;

	/** @family: What it sets. %NULL: something of its own. */
	const char *family;

	/** @first: Parameter with the first element that it sets. May be %NULL. */
	const char *first;

	/** @count: Parameter with the number of them. May be %NULL. */
	const char *count;

	/** @group: Commands that it is tested with. May be %NULL. */
	const char *group;

	/** @core: A graphics pipeline without these sets it. */
	VkDynamicState core[2];

	/** @dynamic: A graphics pipeline may set it. */
	bool dynamic;

	/** @pass: Whether it may be in a render pass instance. */
	enum place pass;

	/** @coding: Whether it may be in video coding. */
	enum place coding;

	/** @args: Its arguments, but for the command buffer. */
	const struct type *args;

	/** @call: Calls it. */
	void (*call)(PFN_vkVoidFunction function, VkCommandBuffer handle, const void *args);

	/** @mock: The driver's function. */
	PFN_vkVoidFunction mock;

	/** @providers: The versions and extensions that have it. */
	const char *providers;
};

extern const struct command commands[];
extern const unsigned int command_count;
extern const unsigned int row_count;
extern const char *const extension_names[];
extern const unsigned int extension_count;

/* Versions and extensions that the application may use: a text. %NULL: all. */
extern char *known_providers;

const struct command *command_named(const char *name);
bool command_is_known(const struct command *command);
bool provider_is_known(const char *name);

#endif
