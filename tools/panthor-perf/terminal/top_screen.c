// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The terminal of panthor-perf top. */

#include <errno.h>

#include "cmd.h"
#include "top.h"

#ifdef HAVE_NCURSES

#include <ctype.h>
#include <curses.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define MIN_NAME	15
#define MAX_NAME	28
#define VALUE_COLUMNS	15
#define UNIT_COLUMNS	12
#define MIN_BAR		8
#define MAX_BAR		20
#define VERDICT_ROW	2
#define MEAN_ROW	3
#define LIMIT_ROW	4
/* The share of the lines that limits have at most is one of so many. */
#define LIMIT_SHARE	8
#define KEY_ESCAPE	27
#define LINE_SIZE	512

enum {
	PAIR_BAR = 1,
	PAIR_HIGH,
	PAIR_ERROR,
};

static const char *const help[] = {
	"panthor-perf top",
	"",
	"  q            quit",
	"  space, p     stop and go on: the GPU is measured all the time",
	"  v            next list: events of -e, summary, all derived counters, all counters",
	"  s            next order: of the table, by value, by name",
	"  r            the other way round",
	"  i            with and without a line for each block (core, L2 slice)",
	"  z            with and without counters that are 0",
	"  /            search names and titles, or a pattern such as *Stall*; empty: all",
	"  up, down, page up, page down, home, end",
	"  h, ?         this help",
	"",
	"A bar is full at 100 % or, for what is no percentage, at the largest value so far.",
	"- is no value, as where it would be divided by 0. A value is the sum of all blocks.",
	SKEW_NOTE ".",
	"",
	"Any key goes back.",
};

int screen_open(struct screen *screen)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return -ENOTTY;
	screen->handle = newterm(NULL, stdout, stdin);
	if (!screen->handle)
		return -ENOTTY;
	set_term(screen->handle);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	if (screen->color && has_colors()) {
		start_color();
		use_default_colors();
		init_pair(PAIR_BAR, COLOR_GREEN, -1);
		init_pair(PAIR_HIGH, COLOR_YELLOW, -1);
		init_pair(PAIR_ERROR, COLOR_RED, -1);
	} else {
		screen->color = false;
	}
	return 0;
}

void screen_close(struct screen *screen)
{
	if (!screen->handle)
		return;
	endwin();
	delscreen(screen->handle);
	screen->handle = NULL;
}

static void screen_paint(const struct screen *screen, int pair, bool on)
{
	if (!screen->color)
		return;
	if (on)
		attron(COLOR_PAIR(pair));
	else
		attroff(COLOR_PAIR(pair));
}

/* A line, cut where the terminal ends. */
static void put_text(int line, const char *text)
{
	if (line >= 0 && line < LINES)
		mvaddnstr(line, 0, text, COLS);
}

static void draw_title(const struct top *top)
{
	const struct drm_panthor_perf_sample_header *header = &top->values.header;
	uint64_t ns = header->timestamp_end_ns - header->timestamp_start_ns;
	char text[LINE_SIZE], right[64] = "waiting for a sample";
	int left;

	if (top->has_sample)
		snprintf(right, sizeof(right), "sample %" PRIu64 ", %" PRIu64 ".%03" PRIu64 " ms",
			 (uint64_t)header->sample_nr, ns / 1000000, ns / 1000 % 1000);
	snprintf(text, sizeof(text), "panthor-perf top: %s, %s", top->gpu, top->device);
	put_text(0, text);
	left = COLS - (int)strlen(right);
	if (left > 0)
		mvaddnstr(0, left - 1, " ", 1);
	if (left >= 0)
		mvaddnstr(0, left, right, COLS - left);
}

static size_t add_bits(char *text, size_t size, size_t used, uint32_t mask,
		       const char *(*name)(unsigned int bit))
{
	unsigned int bit;

	for (bit = 0; bit < 32 && used < size; bit++)
		if (mask >> bit & 1 && name(bit))
			used += snprintf(text + used, size - used, " %s", name(bit));
	return used;
}

static void draw_status(const struct screen *screen, const struct top *top)
{
	const struct drm_panthor_perf_sample_header *header = &top->values.header;
	uint32_t bad = DRM_PANTHOR_PERF_SAMPLE_ERROR | DRM_PANTHOR_PERF_SAMPLE_OVERFLOW;
	char text[LINE_SIZE];
	size_t used;

	used = snprintf(text, sizeof(text), "%s, sorted by %s%s%s", top_list_name(top->list),
			top_sort_name(top->sort), top->reverse ? " (reverse)" : "",
			top->instances ? ", per block" : "");
	if (*top->filter)
		used += snprintf(text + used, sizeof(text) - used, ", filter '%s'", top->filter);
	if (top->paused)
		used += snprintf(text + used, sizeof(text) - used, ", PAUSED");
	if (top->has_sample) {
		used = add_bits(text, sizeof(text), used, header->flags, panthor_perf_flag_name);
		add_bits(text, sizeof(text), used, header->events, panthor_perf_event_name);
	}
	if (header->flags & bad)
		screen_paint(screen, PAIR_ERROR, true);
	put_text(1, text);
	screen_paint(screen, PAIR_ERROR, false);
}

/* Bytes of a text that fit into lines, which end behind a word. */
static size_t fitting(const char *text, size_t lines, size_t columns)
{
	size_t used = 0, size;

	while (strlen(text + used) > columns) {
		for (size = columns; size && text[used + size] != ' '; size--)
			;
		if (!size)
			return used ? used - 1 : 0;
		used += size;
		if (!--lines)
			return used;
		/* The space between two lines is in none of them. */
		used++;
	}
	return strlen(text);
}

/* Position behind the last of these in the begin of a text; 0: there is none. */
static size_t last_end(const char *text, size_t size, const char *end)
{
	while (size && (text[size - 1] != *end || (text[size] && text[size] != ' ')))
		size--;
	return size;
}

/* A text that is too long is cut behind a sentence, or with dots behind a clause or a word. */
static void shorten(char *text, size_t lines)
{
	static const char notice[] = " ...";
	size_t columns = getmaxx(stdscr), size;

	if (fitting(text, lines, columns) == strlen(text))
		return;
	size = last_end(text, fitting(text, lines, columns), ".");
	if (size) {
		text[size] = '\0';
		return;
	}
	columns = columns > strlen(notice) ? columns - strlen(notice) : 0;
	size = last_end(text, fitting(text, lines, columns), ";");
	if (!size)
		size = last_end(text, fitting(text, lines, columns), ",");
	if (!size)
		size = fitting(text, lines, columns);
	memcpy(text + size, notice, sizeof(notice));
}

/* Two lines of the verdict, or one and an advice if it is a mean. */
static void draw_verdict(const struct top *top)
{
	char advice[] = "A mean: panthor-perf record shows the parts in which the GPU may be the "
			"limit.";
	char text[VERDICT_SIZE];
	size_t first;

	if (!top->has_sample)
		return;
	limits_verdict(&top->limits, text, sizeof(text));
	shorten(text, limits_are_a_mean(&top->limits) ? 1 : 2);
	first = fitting(text, 1, getmaxx(stdscr));
	attron(A_BOLD);
	if (text[first])
		put_text(MEAN_ROW, text + first + 1);
	text[first] = '\0';
	put_text(VERDICT_ROW, text);
	attroff(A_BOLD);
	if (limits_are_a_mean(&top->limits)) {
		shorten(advice, 1);
		put_text(MEAN_ROW, advice);
	}
}

/* Draws lines of a limit, and returns how many. */
static int draw_limit(const struct screen *screen, const struct top *top,
		      const struct limit *limit, int row, int lines)
{
	char text[SENTENCE_SIZE], *line = text;
	bool warn = limit_sentence(&top->limits, limit, text, sizeof(text));
	int used = 0;

	shorten(text, lines);
	if (warn)
		screen_paint(screen, PAIR_HIGH, true);
	while (*line && used < lines) {
		size_t size = fitting(line, 1, getmaxx(stdscr));
		bool more = line[size];

		line[size] = '\0';
		put_text(row + used++, line);
		line += size + more;
	}
	screen_paint(screen, PAIR_HIGH, false);
	return used;
}

/*
 * The likely limits first, then those that are near. Of the lines that are left, each limit gets as
 * many as the others.
 */
static void draw_limits(struct screen *screen, const struct top *top)
{
	int room = getmaxy(stdscr) / LIMIT_SHARE, count = 0, used = 0, pass;
	const struct limit *limit = NULL;

	while ((limit = limits_next(&top->limits, limit)))
		count++;
	for (pass = 0; pass < 2; pass++) {
		for (limit = NULL; (limit = limits_next(&top->limits, limit));) {
			if (limit_is_likely(&top->limits, limit) != !pass || used == room)
				continue;
			used += draw_limit(screen, top, limit, LIMIT_ROW + used,
					   count < room - used ? (room - used) / count : 1);
			count--;
		}
	}
	if (screen->limit_lines > room)
		screen->limit_lines = room;
	/* The list does not jump when a limit ends. */
	if (screen->limit_lines < used)
		screen->limit_lines = used;
}

/* Names have the room that the list needs. */
static int name_columns(const struct top *top)
{
	int width = MIN_NAME, length;
	size_t i;

	for (i = 0; i < top->row_count; i++) {
		length = strlen(top->rows[i].event->name);
		if (length > width)
			width = length;
	}
	return width > MAX_NAME ? MAX_NAME : width;
}

/* A third of what the values leave; the rest is for titles. */
static int bar_columns(int name)
{
	int columns = (COLS - name - VALUE_COLUMNS - UNIT_COLUMNS - 5) / 3;

	if (columns < MIN_BAR)
		return 0;
	return columns > MAX_BAR ? MAX_BAR : columns;
}

static void draw_headings(const struct screen *screen, const struct top *top)
{
	char text[LINE_SIZE];
	int name = name_columns(top), bar = bar_columns(name), i, used;

	used = snprintf(text, sizeof(text), "%-*s %*s %-*s %*s%s", name, "counter", VALUE_COLUMNS,
			"value", UNIT_COLUMNS, "unit", bar ? bar + 3 : 0, "",
			bar ? "meaning" : "");
	for (i = used; i < COLS && i < (int)sizeof(text) - 1; i++)
		text[i] = ' ';
	text[i > used ? i : used] = 0;
	attron(A_REVERSE);
	put_text(LIMIT_ROW + screen->limit_lines, text);
	attroff(A_REVERSE);
}

static void draw_bar(const struct screen *screen, const struct top_row *row, int columns)
{
	double share = row->full > 0 && row->value.valid ? row->value.number / row->full : 0;
	int length, pair, i;

	if (!columns || !isfinite(share))
		return;
	length = share <= 0 ? 0 : share >= 1 ? columns : (int)lround(share * columns);
	pair = value_is_high(&row->value, row->event) ? PAIR_HIGH : PAIR_BAR;
	addch('[');
	screen_paint(screen, pair, true);
	for (i = 0; i < columns; i++)
		addch(i < length ? '#' : ' ');
	screen_paint(screen, pair, false);
	addch(']');
}

/* Colours a value that stands on the screen already. The cursor stays. */
static void warn_value(const struct screen *screen, int line, int name, const char *value)
{
	int first = name + 1 + VALUE_COLUMNS - (int)strlen(value);
	int y = getcury(stdscr), x = getcurx(stdscr);

	if (first < 0 || first >= COLS)
		return;
	screen_paint(screen, PAIR_HIGH, true);
	mvaddnstr(line, first, value, COLS - first);
	screen_paint(screen, PAIR_HIGH, false);
	move(y, x);
}

static void draw_row(const struct screen *screen, const struct top *top, int line,
		     const struct top_row *row)
{
	int width = name_columns(top), bar = bar_columns(width);
	char name[64], value[40], text[LINE_SIZE];
	const char *unit, *title;

	unit = value_format(&row->value, event_unit(row->event), value, sizeof(value));
	if (row->instance == VALUE_SUM)
		snprintf(name, sizeof(name), "%s", row->event->name);
	else
		snprintf(name, sizeof(name), "  %s[%d]",
			 panthor_perf_block_name(event_block_type(row->event, top->view)),
			 row->instance);
	snprintf(text, sizeof(text), "%-*.*s %*s %-*.*s ", width, width, name, VALUE_COLUMNS,
		 value, UNIT_COLUMNS, UNIT_COLUMNS, unit);
	put_text(line, text);
	if (value_is_high(&row->value, row->event))
		warn_value(screen, line, width, value);
	if (COLS >= (int)strlen(text) + bar + 2)
		draw_bar(screen, row, bar);
	title = event_title(row->event);
	if (row->instance == VALUE_SUM && getcurx(stdscr) + 10 < COLS && getcury(stdscr) == line) {
		addch(' ');
		addnstr(title, COLS - getcurx(stdscr));
	}
}

static void draw_help(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(help); i++)
		put_text(i, help[i]);
}

static int first_row(const struct screen *screen)
{
	return LIMIT_ROW + screen->limit_lines + 1;
}

static size_t visible_rows(const struct screen *screen)
{
	int lines = getmaxy(stdscr) - first_row(screen) - 1;

	return lines > 0 ? lines : 0;
}

static void draw_bottom(const struct screen *screen, const struct top *top)
{
	size_t last = screen->scroll + visible_rows(screen);
	char text[LINE_SIZE];

	if (getmaxy(stdscr) < first_row(screen) + 1)
		return;
	if (last > top->row_count)
		last = top->row_count;
	if (screen->typing)
		snprintf(text, sizeof(text), "search: %s_", screen->typed);
	else if (top->row_count > visible_rows(screen))
		snprintf(text, sizeof(text), "%zu-%zu of %zu  q:quit h:help v:list s:sort "
			 "r:reverse i:blocks /:search space:pause", screen->scroll + 1, last,
			 top->row_count);
	else
		snprintf(text, sizeof(text), "q:quit h:help v:list s:sort r:reverse i:blocks "
			 "/:search z:zeros space:pause");
	attron(A_REVERSE);
	put_text(LINES - 1, text);
	attroff(A_REVERSE);
}

void screen_draw(struct screen *screen, const struct top *top)
{
	size_t shown, i;

	erase();
	if (screen->help) {
		draw_help();
		refresh();
		return;
	}
	draw_title(top);
	draw_status(screen, top);
	draw_verdict(top);
	draw_limits(screen, top);
	shown = visible_rows(screen);
	if (screen->scroll + shown > top->row_count)
		screen->scroll = top->row_count > shown ? top->row_count - shown : 0;
	draw_headings(screen, top);
	for (i = 0; i < shown && screen->scroll + i < top->row_count; i++)
		draw_row(screen, top, first_row(screen) + i, &top->rows[screen->scroll + i]);
	if (!top->row_count && top->has_sample)
		put_text(first_row(screen), *top->filter ? "nothing matches the filter" :
					      "all counters are 0: z shows them");
	draw_bottom(screen, top);
	refresh();
}

static void type_filter(struct screen *screen, struct top *top, int key)
{
	size_t length = strlen(screen->typed);

	switch (key) {
	case '\r':
	case '\n':
	case KEY_ENTER:
		memcpy(top->filter, screen->typed, sizeof(top->filter));
		screen->scroll = 0;
		screen->typing = false;
		break;
	case KEY_ESCAPE:
		screen->typing = false;
		break;
	case KEY_BACKSPACE:
	case 127:
	case '\b':
		if (length)
			screen->typed[length - 1] = 0;
		break;
	default:
		if (key < 128 && isprint(key) && length + 1 < sizeof(screen->typed)) {
			screen->typed[length] = key;
			screen->typed[length + 1] = 0;
		}
		break;
	}
}

static void scroll_by(struct screen *screen, const struct top *top, long lines)
{
	if (lines < 0 && screen->scroll < (size_t)-lines)
		screen->scroll = 0;
	else
		screen->scroll += lines;
	if (screen->scroll > top->row_count)
		screen->scroll = top->row_count;
}

/* Returns whether the user wants to leave. */
static bool act(struct screen *screen, struct top *top, int key)
{
	switch (key) {
	case 'q':
		return true;
	case ' ':
	case 'p':
		top->paused = !top->paused;
		break;
	case 'v':
		top_next_list(top);
		screen->scroll = 0;
		break;
	case 's':
		top->sort = (top->sort + 1) % TOP_SORTS;
		break;
	case 'r':
		top->reverse = !top->reverse;
		break;
	case 'i':
		top->instances = !top->instances;
		break;
	case 'z':
		top->zero = !top->zero;
		break;
	case '/':
		screen->typing = true;
		*screen->typed = 0;
		break;
	case 'h':
	case '?':
		screen->help = true;
		break;
	case KEY_UP:
		scroll_by(screen, top, -1);
		break;
	case KEY_DOWN:
		scroll_by(screen, top, 1);
		break;
	case KEY_PPAGE:
		scroll_by(screen, top, -(long)visible_rows(screen));
		break;
	case KEY_NPAGE:
		scroll_by(screen, top, visible_rows(screen));
		break;
	case KEY_HOME:
		screen->scroll = 0;
		break;
	case KEY_END:
		screen->scroll = top->row_count;
		break;
	default:
		break;
	}
	return false;
}

int screen_keys(struct screen *screen, struct top *top)
{
	int key;

	while ((key = getch()) != ERR) {
		if (key == KEY_RESIZE)
			continue;
		if (screen->help)
			screen->help = false;
		else if (screen->typing)
			type_filter(screen, top, key);
		else if (act(screen, top, key))
			return 1;
	}
	return top_update(top);
}

#else /* !HAVE_NCURSES */

int screen_open(struct screen *screen)
{
	(void)screen;
	return -EOPNOTSUPP;
}

void screen_close(struct screen *screen)
{
	(void)screen;
}

void screen_draw(struct screen *screen, const struct top *top)
{
	(void)screen;
	(void)top;
}

int screen_keys(struct screen *screen, struct top *top)
{
	(void)screen;
	(void)top;
	return 1;
}

#endif /* HAVE_NCURSES */
