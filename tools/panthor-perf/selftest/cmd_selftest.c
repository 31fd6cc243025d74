// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <json.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <xf86drm.h>

#include "cmd_selftest.h"
#include "measure/session_args.h"
#include "print/lines.h"
#include "print/output.h"
#include "print/text.h"

static const char doc[] =
	"Check undocumented facts about the performance counters of a GPU.\vThe self-test takes "
	"less than two minutes. The GPU should be idle. If another client counts at the same time, "
	"its counts are not affected, but the program cannot run some experiments. All experiments "
	"need root, and a driver that was built with RAWDUMP=1, as the package with the driver does "
	"with this line in /etc/default/panthor-perf-dkms. Without these, the facts that need "
	"experiments are not determined.\n\n"
	"Each line 'fact ID: confirmed' or 'fact ID: refuted' has the observed values. The facts "
	"that are not determined follow by reason. --list prints the text of each fact. A refuted "
	"fact is no failure of the GPU. It is a result that the authors need. The program writes "
	"the report to a file. The report has no names of users or machines.\n\n"
	HELP_EXIT " The status does not depend on the verdicts: it is 1 if a required function "
	"does not work, and 0 otherwise.";

enum {
	OPTION_ONLY = 0x100,
	OPTION_OVERFLOW,
	OPTION_NO_LOAD,
	OPTION_WITH_LOAD,
};

static const struct argp_option options[] = {
	{ "device", 'd', "DEVICE", 0, "Node of the GPU (default: the first render node of the "
	  "panthor driver)", 0 },
	{ "list", 'l', NULL, 0, "List the facts with their texts, and exit", 0 },
	{ "only", OPTION_ONLY, "ID[,ID...]", 0, "Check only these facts", 0 },
	{ "output", 'o', "FILE", 0, "Write the report there (default: panthor-perf-selftest-ID.txt "
	  "in the working folder, where ID is the GPU_ID); '-': none", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "overflow", OPTION_OVERFLOW, NULL, 0, "Also let the firmware's ring overflow; some "
	  "firmware may need a reset of the GPU after this", 0 },
	{ "no-load", OPTION_NO_LOAD, NULL, 0, "Submit no jobs", 0 },
	{ "with-load", OPTION_WITH_LOAD, "CMD", 0, "Run the shell command CMD, which loads the GPU "
	  "from time to time, for 30 s at most, and watch shader cores lose power", 0 },
	{ 0 },
};

struct arguments {
	const char *device, *only, *output, *with_load;
	bool list, json, overflow, no_load;
};

static error_t parse_selftest(int key, char *arg, struct argp_state *state)
{
	struct arguments *args = state->input;

	switch (key) {
	case 'd':
		args->device = arg;
		return 0;
	case 'l':
		args->list = true;
		return 0;
	case OPTION_ONLY:
		args->only = arg;
		return 0;
	case 'o':
		args->output = arg;
		return 0;
	case 'j':
		args->json = true;
		return 0;
	case OPTION_OVERFLOW:
		args->overflow = true;
		return 0;
	case OPTION_NO_LOAD:
		args->no_load = true;
		return 0;
	case OPTION_WITH_LOAD:
		args->with_load = arg;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_selftest,
	.doc = doc,
	.children = help_children,
};

/**
 * struct check - a check, in the order of their running
 */
struct check {
	/** @name: What facts call it. */
	const char *name;

	/** @what: What it does, in a few words. */
	const char *what;

	/** @run: It. */
	void (*run)(struct selftest *st);

	/** @raw: It needs experiments. */
	bool raw;

	/** @always: It runs without a fact, for its figures. */
	bool always;
};

static const struct check checks[] = {
	{ "identity", "identity of the GPU", check_identity, false, true },
	{ "words", "words of its firmware", check_words, true, true },
	{ "sets", "counter sets of the driver", check_sets, false, true },
	{ "entries", "contents of a sample", check_entries, true, true },
	{ "enables", "meaning of enable masks", check_enables, true, false },
	{ "cores", "shader cores that lose power", check_cores, true, false },
	{ "ring", "filling of the firmware's ring", check_ring, true, false },
	{ "latency", "duration of calls", check_latency, false, true },
	{ "rates", "regularity of samples", check_rates, false, true },
	{ "idle", "counters at idle", check_idle, false, true },
	{ "load", "counters under load", check_load, false, true },
	{ "overflow", "counts while the ring is full", check_overflow_counts, true, false },
	{ "power", "counters after a suspend", check_power, false, false },
};

static const char *verdict_name(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_CONFIRMED:
		return "confirmed";
	case VERDICT_REFUTED:
		return "refuted";
	default:
		return "not determined";
	}
}

static struct selftest_result *result_of(struct selftest *st, const char *id)
{
	size_t i;

	for (i = 0; i < selftest_fact_count; i++)
		if (!strcmp(selftest_facts[i].id, id))
			return &st->results[i];
	fail(0, "there is no fact '%s'", id);
	abort();
}

void selftest_decide(struct selftest *st, const char *id, bool confirmed, const char *format, ...)
{
	struct selftest_result *result = result_of(st, id);
	va_list args;

	va_start(args, format);
	vsnprintf(result->seen, sizeof(result->seen), format, args);
	va_end(args);
	result->verdict = confirmed ? VERDICT_CONFIRMED : VERDICT_REFUTED;
}

void selftest_leave(struct selftest *st, const char *id, const char *format, ...)
{
	struct selftest_result *result = result_of(st, id);
	va_list args;

	va_start(args, format);
	vsnprintf(result->seen, sizeof(result->seen), format, args);
	va_end(args);
	result->verdict = VERDICT_NONE;
}

bool selftest_decided(const struct selftest *st, const char *id)
{
	return result_of((struct selftest *)st, id)->verdict != VERDICT_NONE;
}

void selftest_figure(struct selftest *st, const char *name, const char *format, ...)
{
	va_list args;

	if (st->figure_count == ARRAY_SIZE(st->figures))
		return;
	st->figures[st->figure_count].name = name;
	va_start(args, format);
	vsnprintf(st->figures[st->figure_count].text, SELFTEST_TEXT, format, args);
	va_end(args);
	st->figure_count++;
}

void selftest_failed(struct selftest *st, const char *format, ...)
{
	char text[SELFTEST_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	st->failures++;
	selftest_figure(st, "FAILED", "%s", text);
	fail(0, "%s", text);
}

void selftest_progress(const char *format, ...)
{
	va_list args;

	fputs("# ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void selftest_times(struct selftest *st, const char *name, uint64_t *ns, unsigned int count)
{
	if (!count)
		return;
	qsort(ns, count, sizeof(*ns), compare_times);
	if (count == 1)
		selftest_figure(st, name, "%.1f us", ns[0] / 1e3);
	else
		selftest_figure(st, name, "min %.1f us, median %.1f us, max %.1f us (%u times)",
				ns[0] / 1e3, ns[count / 2] / 1e3, ns[count - 1] / 1e3, count);
}

uint64_t selftest_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

void selftest_sleep_ms(unsigned int ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000l };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

static int list_facts(void)
{
	size_t i;

	for (i = 0; i < selftest_fact_count; i++)
		printf("%-24s %c  %s\n", selftest_facts[i].id, selftest_facts[i].confidence,
		       selftest_facts[i].text);
	return EXIT_OK;
}

static int choose_facts(struct selftest *st, const char *only)
{
	char *list, *id, *rest;
	size_t i;

	for (i = 0; i < selftest_fact_count; i++)
		st->results[i].wanted = !only;
	if (!only)
		return EXIT_OK;
	list = strdup(only);
	if (!list)
		return fail(-ENOMEM, "reading the list of facts");
	for (id = strtok_r(list, ",", &rest); id; id = strtok_r(NULL, ",", &rest)) {
		for (i = 0; i < selftest_fact_count; i++)
			if (!strcmp(selftest_facts[i].id, id))
				break;
		if (i == selftest_fact_count) {
			fail(0, "there is no fact '%s': --list shows them all", id);
			free(list);
			return EXIT_USAGE;
		}
		st->results[i].wanted = true;
	}
	free(list);
	return EXIT_OK;
}

static bool is_wanted(const struct selftest *st, const struct check *check, bool all)
{
	size_t i;

	if (all)
		return true;
	for (i = 0; i < selftest_fact_count; i++)
		if (st->results[i].wanted && selftest_facts[i].check &&
		    !strcmp(selftest_facts[i].check, check->name))
			return true;
	return false;
}

static void run_checks(struct selftest *st, bool all)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(checks); i++) {
		const struct check *check = &checks[i];

		if (!is_wanted(st, check, all))
			continue;
		if (!check->raw || st->raw.there) {
			selftest_progress("%s", check->what);
			check->run(st);
			continue;
		}
		for (k = 0; k < selftest_fact_count; k++) {
			const struct fact *fact = &selftest_facts[k];

			if (fact->check && !strcmp(fact->check, check->name))
				selftest_leave(st, fact->id, "%s", st->raw.why_not);
		}
	}
	for (k = 0; k < selftest_fact_count; k++)
		if (st->results[k].verdict == VERDICT_NONE && !*st->results[k].seen)
			selftest_leave(st, selftest_facts[k].id, "%s", selftest_facts[k].why ?:
				       "no observed value determines it");
}

/* ---- Results ---- */

/* Whether a fact is not determined, for the reason of the fact @first. */
static bool has_reason(const struct selftest *st, size_t fact, size_t first)
{
	const struct selftest_result *result = &st->results[fact];

	return result->wanted && result->verdict == VERDICT_NONE &&
	       !strcmp(result->seen, st->results[first].seen);
}

static bool is_first_of_reason(const struct selftest *st, size_t fact)
{
	size_t i;

	for (i = 0; i < fact; i++)
		if (has_reason(st, i, fact))
			return false;
	return has_reason(st, fact, fact);
}

/* One reason may hold for most of the facts. */
static void print_reasons(const struct selftest *st, FILE *out)
{
	size_t i, k, size;
	char *line;

	for (i = 0; i < selftest_fact_count; i++) {
		FILE *text;

		if (!is_first_of_reason(st, i))
			continue;
		text = open_memstream(&line, &size);
		if (!text)
			return;
		fprintf(text, "not determined, %s:", st->results[i].seen);
		for (k = i; k < selftest_fact_count; k++)
			if (has_reason(st, k, i))
				fprintf(text, "%s %s", k == i ? "" : ",", selftest_facts[k].id);
		if (!fclose(text))
			print_wrapped(out, line, 0, 4, line_columns(out));
		free(line);
	}
}

static void print_figures(const struct selftest *st, FILE *out)
{
	size_t i;

	for (i = 0; i < st->figure_count; i++)
		fprintf(out, "figure %s: %s\n", st->figures[i].name, st->figures[i].text);
}

static void print_fact(const struct selftest *st, size_t i, FILE *out)
{
	const struct selftest_result *result = &st->results[i];

	fprintf(out, "fact %s: %s - %s\n", selftest_facts[i].id, verdict_name(result->verdict),
		result->seen);
}

static void print_counts(const struct selftest *st, FILE *out)
{
	unsigned int count[3] = { 0 };
	size_t i;

	for (i = 0; i < selftest_fact_count; i++)
		if (st->results[i].wanted)
			count[st->results[i].verdict]++;
	fprintf(out, "%u facts confirmed, %u refuted, %u not determined\n",
		count[VERDICT_CONFIRMED], count[VERDICT_REFUTED], count[VERDICT_NONE]);
}

static void print_results(const struct selftest *st, FILE *out)
{
	size_t i;

	print_figures(st, out);
	for (i = 0; i < selftest_fact_count; i++)
		if (st->results[i].wanted && st->results[i].verdict != VERDICT_NONE)
			print_fact(st, i, out);
	print_reasons(st, out);
	print_counts(st, out);
}

/* All facts have a line of the same form, and their text. */
static void report_results(const struct selftest *st, FILE *out)
{
	size_t i;

	print_figures(st, out);
	for (i = 0; i < selftest_fact_count; i++) {
		if (!st->results[i].wanted)
			continue;
		print_fact(st, i, out);
		fprintf(out, "    (%c) %s\n", selftest_facts[i].confidence, selftest_facts[i].text);
	}
	print_counts(st, out);
}

static void read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t got, i;

	*text = '\0';
	if (!file)
		return;
	got = fread(text, 1, size - 1, file);
	fclose(file);
	text[got] = '\0';
	for (i = 0; i + 1 < got; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	text[strcspn(text, "\n")] = '\0';
}

static void describe_machine(const struct selftest *st, FILE *out)
{
	const char *name = product_name(st->gpu_id);
	struct utsname system;
	int major, minor, patch;
	char text[160];

	panthor_perf_device_driver(st->device, &major, &minor, &patch);
	fprintf(out, "panthor-perf %s selftest\n", PANTHOR_PERF_VERSION);
	if (!uname(&system))
		fprintf(out, "kernel %s %s\n", system.release, system.machine);
	read_file("/sys/module/panthor/srcversion", text, sizeof(text));
	fprintf(out, "driver panthor %d.%d.%d %s\n", major, minor, patch, text);
	read_file("/sys/firmware/devicetree/base/compatible", text, sizeof(text));
	if (*text)
		fprintf(out, "board %s\n", text);
	fprintf(out, "GPU %s, id 0x%0*" PRIx64 "\n", name ? name : "unknown",
		gpu_id_digits(st->gpu_id), st->gpu_id);
	if (st->raw.there)
		fprintf(out, "firmware interface %u.%u.%u\n", st->raw.version >> 24,
			st->raw.version >> 16 & 0xff, st->raw.version & 0xffff);
	else
		fprintf(out, "experiments: none, %s\n", st->raw.why_not);
}

static int write_report(const struct selftest *st, const char *path)
{
	FILE *out;
	int status = output_open(path, &out), ret;

	if (status)
		return status;
	describe_machine(st, out);
	fputc('\n', out);
	report_results(st, out);
	if (st->raw.text)
		fprintf(out, "\nas the driver has it:\n%s", st->raw.text);
	ret = output_close(out);
	return ret ? fail(ret, "writing the report %s", path) : EXIT_OK;
}

static int print_selftest_json(const struct selftest *st, const char *report)
{
	struct json_object *root = json_object_new_object();
	struct json_object *facts = json_object_new_array();
	struct json_object *figures = json_object_new_array();
	char id[24];
	size_t i;

	snprintf(id, sizeof(id), "0x%0*" PRIx64, gpu_id_digits(st->gpu_id), st->gpu_id);
	json_object_object_add(root, "schema", json_object_new_int(JSON_SCHEMA));
	json_object_object_add(root, "version", text_json(PANTHOR_PERF_VERSION));
	json_object_object_add(root, "gpu_id", text_json(id));
	json_object_object_add(root, "experiments", json_object_new_boolean(st->raw.there));
	for (i = 0; i < selftest_fact_count; i++) {
		const struct selftest_result *result = &st->results[i];
		const char confidence[2] = { selftest_facts[i].confidence };
		struct json_object *fact;

		if (!result->wanted)
			continue;
		fact = json_object_new_object();
		json_object_object_add(fact, "id", text_json(selftest_facts[i].id));
		json_object_object_add(fact, "verdict",
				       text_json(verdict_name(result->verdict)));
		json_object_object_add(fact, "seen", text_json(result->seen));
		json_object_object_add(fact, "text",
				       text_json(selftest_facts[i].text));
		json_object_object_add(fact, "confidence", text_json(confidence));
		json_object_array_add(facts, fact);
	}
	json_object_object_add(root, "facts", facts);
	for (i = 0; i < st->figure_count; i++) {
		struct json_object *figure = json_object_new_object();

		json_object_object_add(figure, "name", text_json(st->figures[i].name));
		json_object_object_add(figure, "text", text_json(st->figures[i].text));
		json_object_array_add(figures, figure);
	}
	json_object_object_add(root, "figures", figures);
	json_object_object_add(root, "failures", json_object_new_int(st->failures));
	json_object_object_add(root, "report", report ? text_json(report) : NULL);
	if (!text_put_json(root, JSON_C_TO_STRING_PRETTY, stdout))
		return fail(-ENOMEM, "making JSON");
	putchar('\n');
	return EXIT_OK;
}

static int query_csif(struct selftest *st)
{
	struct drm_panthor_dev_query query = {
		.type = DRM_PANTHOR_DEV_QUERY_CSIF_INFO,
		.size = sizeof(st->csif),
		.pointer = (uintptr_t)&st->csif,
	};

	return drmIoctl(panthor_perf_device_fd(st->device), DRM_IOCTL_PANTHOR_DEV_QUERY, &query) ?
	       -errno : 0;
}

static int ask_device(struct selftest *st)
{
	const char *path = panthor_perf_device_path(st->device);
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;

	if (panthor_perf_device_gpu_info(st->device, &st->gpu, sizeof(st->gpu), &error))
		return fail(0, "reading the GPU_ID of %s: %s", path, error.text);
	st->gpu_id = panthor_perf_gpu_info_id(&st->gpu, sizeof(st->gpu));
	st->csif_error = query_csif(st);
	if (panthor_perf_device_gpu(st->device, &st->object, &error)) {
		fail(0, "%s: %s", path, error.text);
		return gpu_error(&error);
	}
	panthor_perf_gpu_perf_info(st->object, &st->info, sizeof(st->info));
	return EXIT_OK;
}

/* Most facts are found by counting. */
static int try_any_session(const struct selftest *st)
{
	struct panthor_perf_error error = PANTHOR_PERF_ERROR_INIT;
	struct panthor_perf_session *session;
	int ret = panthor_perf_session_create(st->device, NULL, &session, &error);

	if (!ret)
		panthor_perf_session_destroy(session);
	/* What else goes wrong is for the checks to find. */
	return ret != -EACCES ? EXIT_OK :
	       session_error(panthor_perf_device_path(st->device), true,
			     &error);
}

static int test_device(struct selftest *st, const struct arguments *args)
{
	char name[48];
	const char *report = args->output;
	int status = ask_device(st);

	if (!status)
		status = try_any_session(st);
	if (status)
		return status;
	rawdump_open(st);
	if (!st->raw.there)
		fail(0, "some facts cannot be checked: %s", st->raw.why_not);
	run_checks(st, !args->only);

	if (!report) {
		snprintf(name, sizeof(name), "panthor-perf-selftest-%0*" PRIx64 ".txt",
			 gpu_id_digits(st->gpu_id), st->gpu_id);
		report = name;
	} else if (!strcmp(report, "-")) {
		report = NULL;
	}
	if (report)
		status = write_report(st, report);
	if (args->json) {
		if (print_selftest_json(st, status ? NULL : report))
			status = EXIT_ERROR;
	} else {
		describe_machine(st, stdout);
		print_results(st, stdout);
		if (report && !status)
			printf("The report is %s.\n", report);
	}
	rawdump_close(st);
	return st->failures ? EXIT_ERROR : status;
}

/**
 * cmd_selftest() - The sub-command selftest
 * @argc: Number of arguments.
 * @argv: The arguments, the sub-command's name first.
 *
 * Return: The exit status.
 */
int cmd_selftest(int argc, char **argv)
{
	struct arguments args = { 0 };
	struct selftest *st;
	int status;

	if (parse_arguments(&argp, argc, argv, 0, &args))
		return EXIT_USAGE;
	if (args.list)
		return list_facts();

	st = calloc(1, sizeof(*st));
	if (!st)
		return fail(-ENOMEM, "starting");
	st->results = calloc(selftest_fact_count, sizeof(*st->results));
	if (!st->results) {
		free(st);
		return fail(-ENOMEM, "starting");
	}
	st->overflow = args.overflow;
	st->no_load = args.no_load;
	st->with_load = args.with_load;
	status = choose_facts(st, args.only);
	if (!status)
		status = open_device(args.device, &st->device);
	if (!status) {
		status = test_device(st, &args);
		panthor_perf_device_close(st->device);
	}
	free(st->results);
	free(st);
	return status;
}
