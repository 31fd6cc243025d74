// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A submission gets its turn when all that it waits for will be signalled without another call of
 * the application, and those before it on its queue have had theirs. Until then it is queued here.
 *
 * Some calls cannot be queued behind it, such as a presentation, or a submission with a structure
 * that is not known: the driver must have the submissions before them. The thread hands these over
 * without a turn then, and the driver waits as it does without the layer. They stay here, because
 * the next one of their queue must not have its turn before.
 */

#include <stddef.h>

#include "layer.h"
#include "pending.h"
#include "semaphores.h"
#include "settings.h"
#include "submissions.h"

/* The fence of a shared binary semaphore comes no later than that, or the driver has to know. */
#define FENCE_NS	INT64_C(1000000000)

/** pending_init() - There is none. */
void pending_init(struct pending *pending)
{
	pending->last = &pending->first;
}

/** pending_add() - Add submissions, linked, of one queue. */
void pending_add(struct pending *pending, struct submission *first)
{
	*pending->last = first;
	for (; first; first = first->next) {
		first->number = ++pending->number;
		if (!first->handed)
			first->queue->pending++;
		pending->last = &first->next;
	}
}

/** pending_is_empty() - Is there none? */
bool pending_is_empty(const struct pending *pending)
{
	return !pending->first && !pending->current;
}

static bool signals(const struct submission *submission, const struct semaphore *semaphore)
{
	for (uint32_t i = 0; i < submission->signal_count; i++) {
		if (submission->signals[i].object == semaphore)
			return true;
	}
	return false;
}

/* Does a submission signal a binary semaphore, which came before and has not had its turn? */
static bool comes_later(const struct pending *pending, const struct submission *submission,
			const struct semaphore *semaphore)
{
	for (const struct submission *at = pending->first; at && at != submission; at = at->next) {
		if (signals(at, semaphore))
			return true;
	}
	return false;
}

/*
 * A semaphore must not be waited for before what signals it was submitted, which another process
 * may see a moment later. After that time the driver finds out.
 */
static bool is_late(struct submission *submission)
{
	const int64_t now = deadline_ns(0);

	if (!submission->wait_end_ns)
		submission->wait_end_ns = now + FENCE_NS;
	return now >= submission->wait_end_ns;
}

/**
 * pending_is_ready() - Will all that a submission waits for be signalled?
 * @pending: Those before it.
 * @submission: The submission.
 * @shared: Set if it waits for what others may signal.
 *
 * Return: Whether it will.
 */
bool pending_is_ready(const struct pending *pending, struct submission *submission, bool *shared)
{
	for (uint32_t i = 0; i < submission->wait_count; i++) {
		const struct semaphore_op *op = &submission->waits[i];

		if (!op->object)
			continue;
		switch (semaphore_state(op->object, op->value)) {
		case SEMAPHORE_BINARY:
			if (comes_later(pending, submission, op->object))
				return false;
			break;
		case SEMAPHORE_BINARY_SHARED:
			if (comes_later(pending, submission, op->object))
				return false;
			if (op->replaced || is_late(submission))
				break;
			*shared = true;
			return false;
		case SEMAPHORE_PROMISED:
			break;
		case SEMAPHORE_OPEN_SHARED:
			*shared = true;
			return false;
		case SEMAPHORE_OPEN:
			return false;
		}
	}
	return true;
}

static void take_out(struct pending *pending, struct submission **link)
{
	*link = (*link)->next;
	if (!*link)
		pending->last = link;
}

/*
 * Finds the first one that is ready, with all before it on its queue. @handed: of those that the
 * driver has. The current one is in use by the thread, also if the driver has it.
 */
static struct submission **find_ready(struct pending *pending, bool handed, bool *shared)
{
	struct submission **link = &pending->first;

	for (struct submission *at = pending->first; at; at = at->next)
		at->queue->blocked = false;
	for (; *link; link = &(*link)->next) {
		struct submission *at = *link;

		if (!at->queue->blocked && at->handed == handed && !at->calling &&
		    at != pending->current && pending_is_ready(pending, at, shared))
			return link;
		at->queue->blocked = true;
	}
	return NULL;
}

/*
 * The queue can be put in order again if nothing else that waits is in the driver, or about to be
 * handed to it.
 */
static void end_one(const struct pending *pending, const struct submission *submission)
{
	struct queue *queue = submission->queue;

	submission_promise(submission);
	for (const struct submission *at = pending->first; at; at = at->next) {
		if (at->queue == queue && (at->handed || at == pending->current))
			return;
	}
	queue->unordered = settings_are_ordered();
}

/**
 * pending_end_handed() - Remove those that the driver has, and that need nothing more to go on
 * @pending: The submissions.
 * @shared: Set if some wait for what others may signal.
 */
void pending_end_handed(struct pending *pending, bool *shared)
{
	struct submission **link;

	while ((link = find_ready(pending, true, shared))) {
		struct submission *submission = *link;

		take_out(pending, link);
		end_one(pending, submission);
		submission_free(submission);
	}
}

/**
 * pending_take() - Take the first submission that has its turn
 * @pending: The submissions.
 * @shared: Set if some wait for what others may signal.
 *
 * Return: The submission, which is &pending.current and not linked any longer. May be %NULL.
 */
struct submission *pending_take(struct pending *pending, bool *shared)
{
	struct submission **link;

	pending_end_handed(pending, shared);
	link = find_ready(pending, false, shared);
	if (!link)
		return NULL;
	pending->current = *link;
	take_out(pending, link);
	return pending->current;
}

/**
 * pending_take_urgent() - Take the first submission that the driver must have without its turn
 * @pending: The submissions.
 *
 * Return: The submission, which is &pending.current, and stays linked. May be %NULL.
 */
struct submission *pending_take_urgent(struct pending *pending)
{
	struct submission *at = pending->first;

	while (at && at->handed)
		at = at->next;
	if (!at || at->number > pending->urgent)
		return NULL;
	pending->current = at;
	return at;
}

/** pending_has() - Has the driver yet to get a submission of a device? */
bool pending_has(const struct pending *pending, const struct device *device)
{
	const struct submission *at = pending->current;

	if (!at || at->handed || at->queue->device != device)
		at = pending->first;
	while (at && (at->handed || at->queue->device != device))
		at = at->next;
	return at;
}

static bool signals_shared(const struct submission *submission)
{
	for (uint32_t i = 0; i < submission->signal_count && !submission->handed; i++) {
		const struct semaphore *semaphore = submission->signals[i].object;

		if (semaphore && semaphore_is_shared(semaphore))
			return true;
	}
	return false;
}

/** pending_is_expected() - Has the driver yet to get what signals a semaphore that others have? */
bool pending_is_expected(const struct pending *pending)
{
	for (const struct submission *at = pending->first; at; at = at->next) {
		if (signals_shared(at))
			return true;
	}
	return pending->current && signals_shared(pending->current);
}

static bool expects(const struct submission *submission)
{
	for (uint32_t i = 0; i < submission->wait_count; i++) {
		const struct semaphore_op *op = &submission->waits[i];
		enum semaphore_state state;

		if (!op->object)
			continue;
		state = semaphore_state(op->object, op->value);
		if (state == SEMAPHORE_OPEN_SHARED ||
		    (state == SEMAPHORE_BINARY_SHARED && !op->replaced))
			return true;
	}
	return false;
}

/** pending_expects() - Does one of some submissions, linked, wait for what others may signal? */
bool pending_expects(const struct submission *first)
{
	for (; first; first = first->next) {
		if (expects(first))
			return true;
	}
	return false;
}

static bool will_signal(const struct submission *at, const struct device *device,
			VkSemaphore semaphore, VkFence fence)
{
	if (at->handed || at->queue->device != device)
		return false;
	for (uint32_t i = 0; semaphore && i < at->signal_count; i++) {
		if (at->signals[i].semaphore == semaphore)
			return true;
	}
	return fence && at->fence == fence;
}

/**
 * pending_end_call() - A call has handed its submissions to the driver, or has failed
 * @pending: The submissions.
 * @first: The first of those of the call, which are linked one behind the other.
 * @count: Their number.
 * @done: Whether the driver has them. If not, they are removed and freed.
 */
void pending_end_call(struct pending *pending, struct submission *first, uint32_t count, bool done)
{
	struct submission **link = &pending->first;

	while (*link != first)
		link = &(*link)->next;
	for (uint32_t i = 0; i < count; i++) {
		struct submission *at = *link;

		at->calling = false;
		if (done) {
			link = &at->next;
		} else {
			take_out(pending, link);
			submission_free(at);
		}
	}
}

/**
 * pending_signals() - Is there what signals a semaphore or a fence, which the driver has not got?
 * @pending: The submissions.
 * @device: The device.
 * @semaphore: The semaphore, or %VK_NULL_HANDLE.
 * @fence: The fence, or %VK_NULL_HANDLE.
 *
 * Return: Whether there is.
 */
bool pending_signals(const struct pending *pending, const struct device *device,
		     VkSemaphore semaphore, VkFence fence)
{
	for (const struct submission *at = pending->first; at; at = at->next) {
		if (will_signal(at, device, semaphore, fence))
			return true;
	}
	return pending->current && will_signal(pending->current, device, semaphore, fence);
}

/** pending_drop() - Drop what the driver has of a device, none of whose work is pending. */
void pending_drop(struct pending *pending, const struct device *device)
{
	struct submission **link = &pending->first;

	while (*link) {
		struct submission *at = *link;

		if (at->queue->device == device) {
			take_out(pending, link);
			submission_free(at);
		} else {
			link = &at->next;
		}
	}
}
