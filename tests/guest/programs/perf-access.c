// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: perf-access TABLE
 *
 * The right to use the counters, as a matrix: each identity makes each call with each value of the sysctls
 * perf_paranoid and perf_event_paranoid. It does so while the GPU is suspended, while it is powered, and beside a
 * session of another set. The result of each call is compared with the rules in access.h. A refused call must change
 * nothing, and the session must not be affected by any call. TABLE gets the matrix.
 */

#include "access.h"

#define PARANOID_VALUES		2
#define EVENT_PARANOID_MIN	(-1)
#define EVENT_PARANOID_VALUES	5
#define COLUMNS			(PARANOID_VALUES * EVENT_PARANOID_VALUES)
#define EDGES			"^(enable|disable|boot|halt|reset|lost)"

static FILE *table;
static struct snapshot before;

/**
 * struct worker - a process with an identity that makes calls
 */
struct worker {
	/** @pid: The process. */
	pid_t pid;

	/** @socket: Gets the numbers of entries, and returns results. */
	int socket;
};

static struct worker workers[IDENTITIES];

/**
 * struct row - results of an identity and an entry, for all values of the sysctls
 */
struct row {
	/** @got: Results. */
	int got[COLUMNS];

	/** @fault: What is wrong in the first faulty cell. */
	char fault[192];

	/** @faults: Number of faulty cells. */
	unsigned int faults;
};

static struct row rows[IDENTITIES][ENTRIES];

static void work(const struct identity *who, int socket, int inherited)
{
	struct caller caller;
	int word = 0;

	become(who);
	caller = caller_create(who->inherits ? inherited : -1);
	do {
		if (write(socket, &word, sizeof(word)) != sizeof(word) ||
		    read(socket, &word, sizeof(word)) != sizeof(word))
			/* The buffer of the table is that of the parent. */
			_exit(0);
		word = call_entry(&caller, &entries[word]);
	} while (true);
}

/* Root's session in this file must not give a right to others that use it. */
static int open_with_session(void)
{
	struct caller caller = caller_create(-1);
	int error = call_setup(&caller, &entries[1]);

	if (error) {
		errno = error;
		die("a session of root");
	}
	return caller.fd;
}

static void start_workers(void)
{
	for (size_t i = 0; i < IDENTITIES; i++) {
		int inherited = identities[i].inherits ? open_with_session() : -1;
		int sockets[2], word;

		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
			die("socketpair");
		workers[i].pid = fork();
		if (workers[i].pid < 0)
			die("fork");
		if (!workers[i].pid) {
			/* Its end is that of the other side. */
			for (size_t other = 0; other < i; other++)
				close(workers[other].socket);
			close(sockets[1]);
			work(&identities[i], sockets[0], inherited);
		}
		close(sockets[0]);
		if (inherited >= 0)
			close(inherited);
		workers[i].socket = sockets[1];
		if (read(sockets[1], &word, sizeof(word)) != sizeof(word))
			die(identities[i].name);
	}
}

static void end_workers(void)
{
	for (size_t i = 0; i < IDENTITIES; i++) {
		close(workers[i].socket);
		waitpid(workers[i].pid, NULL, 0);
	}
}

static int call_of(size_t who, size_t entry)
{
	int word = entry;

	if (write(workers[who].socket, &word, sizeof(word)) != sizeof(word) ||
	    read(workers[who].socket, &word, sizeof(word)) != sizeof(word))
		die(identities[who].name);
	return word;
}

static const char *short_name(int error)
{
	return error ? errno_name(error) : "ok";
}

__attribute__((format(printf, 3, 4)))
static void add_fault(struct row *row, int column, const char *format, ...)
{
	va_list args;
	int used;

	if (row->faults++)
		return;
	used = snprintf(row->fault, sizeof(row->fault), "perf_paranoid %d, perf_event_paranoid %d: ",
			column / EVENT_PARANOID_VALUES,
			column % EVENT_PARANOID_VALUES + EVENT_PARANOID_MIN);
	va_start(args, format);
	vsnprintf(row->fault + used, sizeof(row->fault) - used, format, args);
	va_end(args);
}

static bool is_selected(size_t entry, bool (*selected)(const struct entry *))
{
	return has_entry(&entries[entry]) && selected(&entries[entry]);
}

static void print_rows(const char *state, const char *name, bool (*selected)(const struct entry *))
{
	for (size_t entry = 0; entry < ENTRIES; entry++) {
		if (!is_selected(entry, selected))
			continue;
		for (size_t who = 0; who < IDENTITIES; who++) {
			struct row *row = &rows[who][entry];
			char text[128] = "";
			int used = 0;

			for (int i = 0; i < COLUMNS; i++)
				used += snprintf(text + used, sizeof(text) - used, " %s%-6s",
						 i == EVENT_PARANOID_VALUES ? "| " : "",
						 short_name(row->got[i]));
			fprintf(table, "%-7s  %-23s  %-29s%s%s%s\n", state, entries[entry].name,
				identities[who].name, text, row->faults ? " ! " : "", row->fault);
			if (row->faults)
				check(false, "%s: %s, %s - %u cells, %s", name,
				      entries[entry].name, identities[who].name, row->faults,
				      row->fault);
			else
				check(true, "%s: %s, %s", name, entries[entry].name,
				      identities[who].name);
			memset(row, 0, sizeof(*row));
		}
	}
}

/**
 * struct cell - a call of the matrix
 */
struct cell {
	/** @who: Index of the identity. */
	size_t who;

	/** @entry: Index of the entry. */
	size_t entry;

	/** @column: Values of the sysctls. */
	int column;

	/** @want: Result by the rules. */
	int want;

	/** @last: The identity makes no more calls with these values. */
	bool last;
};

/* Makes all calls of the selected entries. */
static void for_each_cell(bool (*selected)(const struct entry *), int beside,
			  void (*visit)(const struct cell *cell, void *data), void *data)
{
	size_t last = ENTRIES - 1;

	while (!is_selected(last, selected))
		last--;
	for (int column = 0; column < COLUMNS; column++) {
		const int paranoid = column / EVENT_PARANOID_VALUES;
		const int event_paranoid = column % EVENT_PARANOID_VALUES + EVENT_PARANOID_MIN;

		write_number(PERF_PARANOID, paranoid);
		write_number(PERF_EVENT_PARANOID, event_paranoid);
		for (size_t i = 0; i < IDENTITIES * ENTRIES; i++) {
			const size_t who = i / ENTRIES, entry = i % ENTRIES;
			const struct cell cell = {
				who, entry, column,
				expected(&identities[who], &entries[entry], paranoid,
					 event_paranoid, beside),
				entry == last,
			};

			if (is_selected(entry, selected))
				visit(&cell, data);
		}
	}
}

static struct row *try_cell(const struct cell *cell)
{
	struct row *row = &rows[cell->who][cell->entry];
	int got = call_of(cell->who, cell->entry);

	row->got[cell->column] = got;
	if (got != cell->want)
		add_fault(row, cell->column, "%s, want %s", short_name(got),
			  short_name(cell->want));
	return row;
}

/* ---- Alone ---- */

static bool all_entries(const struct entry *entry)
{
	(void)entry;
	return true;
}

/* The last call of an identity is refused to all. */
static void try_refused(const struct cell *cell, void *unused)
{
	struct snapshot after = before;
	const char *changed;
	struct row *row;

	(void)unused;
	if (!cell->want)
		return;
	row = try_cell(cell);
	take_snapshot(&after, cell->last);
	changed = snapshot_changed(&before, &after);
	if (!changed)
		return;
	add_fault(row, cell->column, "it has changed: %s", changed);
	/* The counters and the GPU need a while to be as before. */
	usleep(300000);
	take_snapshot(&before, true);
}

static void try_allowed(const struct cell *cell, void *unused)
{
	(void)unused;
	if (!cell->want)
		try_cell(cell);
}

/* The refused calls come first: until then, the counters have never been used. */
static void try_suspended(void)
{
	wait_until_suspended();
	take_snapshot(&before, true);
	for_each_cell(all_entries, -1, try_refused, NULL);
	for_each_cell(all_entries, -1, try_allowed, NULL);
	print_rows("off", "a suspended GPU", all_entries);
	wait_until_suspended();
	check_eq("counters are disabled as often as enabled", truth_count("^disable"),
		 truth_count("^enable"));
}

static bool events(const struct entry *entry)
{
	return entry->kind == KIND_EVENT;
}

/* An event that is opened has an effect at once. */
static void try_powered(void)
{
	keep_powered(true);
	/* The GPU is powered and idle. */
	usleep(300000);
	take_snapshot(&before, true);
	for_each_cell(events, -1, try_refused, NULL);
	for_each_cell(events, -1, try_allowed, NULL);
	print_rows("powered", "a powered GPU", events);
	keep_powered(false);
}

/* ---- Beside a session ---- */

static bool primary_entries(const struct entry *entry)
{
	return entry->set == PRIMARY;
}

static bool other_entries(const struct entry *entry)
{
	return entry->set != PRIMARY;
}

/**
 * struct beside - a session that is started while others call
 */
struct beside {
	/** @session: The session. */
	struct session session;

	/** @edges: How often its counters were enabled or disabled, or the GPU was reset. */
	unsigned long edges;

	/** @samples: Samples. */
	uint64_t samples;
};

/* A sample behind each call: the session must not notice the call, whatever its result. */
static void try_beside(const struct cell *cell, void *data)
{
	struct beside *b = data;
	struct row *row = try_cell(cell);
	const struct drm_panthor_perf_sample_header *header;
	int error = session_sample(&b->session, cell->column);
	unsigned long edges;

	if (error || !session_wait(&b->session, b->samples + 1, WAIT_MS)) {
		add_fault(row, cell->column, "the session gets no sample: %s", errno_name(error));
		return;
	}
	header = session_slot(&b->session, b->samples);
	if (header->sample_nr != b->samples || header->flags || header->events)
		add_fault(row, cell->column, "sample %llu has number %llu, flags %#x, events %#x",
			  (unsigned long long)b->samples, (unsigned long long)header->sample_nr,
			  header->flags, header->events);
	session_consume(&b->session, ++b->samples);
	if (!cell->last)
		return;
	edges = truth_count(EDGES);
	if (edges != b->edges)
		add_fault(row, cell->column, "the counters were disabled, or the GPU");
	b->edges = edges;
}

static void try_beside_set(uint32_t set, const char *name,
			   bool (*selected)(const struct entry *))
{
	struct beside b = { 0 };
	int fd = open_gpu();

	session_prepare(&b.session, fd, SLOTS);
	b.session.setup.counter_set = set;
	if (session_setup(&b.session) || session_start(&b.session, 0))
		die(name);
	b.edges = truth_count(EDGES);
	for_each_cell(selected, set, try_beside, &b);
	print_rows(set == PRIMARY ? "primary" : "second.", name, selected);
	check_errno("its STOP", session_stop(&b.session, 0), 0);
	check(session_wait(&b.session, b.samples + 1, WAIT_MS) &&
	      session_slot(&b.session, b.samples)->flags == DRM_PANTHOR_PERF_SAMPLE_FINAL,
	      "%s: its final sample, behind %llu others", name, (unsigned long long)b.samples);
	session_release(&b.session);
	close(fd);
}

int main(int argc, char **argv)
{
	char event_paranoid[16];

	if (argc != 2) {
		fprintf(stderr, "usage: perf-access TABLE\n");
		return 2;
	}
	/* The table is in memory that the snapshots count. */
	table = fopen(argv[1], "we");
	if (!table || setvbuf(table, NULL, _IOFBF, 1 << 20))
		die(argv[1]);
	read_text(PERF_EVENT_PARANOID, event_paranoid, sizeof(event_paranoid));
	fprintf(table, "Columns: perf_paranoid 0 with perf_event_paranoid -1 0 1 2 3 | perf_paranoid 1, likewise\n");
	start_workers();
	try_suspended();
	try_powered();
	try_beside_set(SECONDARY, "beside the secondary set", primary_entries);
	try_beside_set(PRIMARY, "beside the primary set", other_entries);
	end_workers();
	write_number(PERF_PARANOID, 1);
	write_text(PERF_EVENT_PARANOID, event_paranoid);
	wait_until_suspended();
	return fclose(table) != 0;
}
