// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The state that workloads see with the Vulkan layer and without it. See README.md.
 *
 * usage: state [OPTION...]
 */

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cases.h"
#include "run.h"
#include "world.h"

#define SEQUENCES	3000
/* More crashes than a run goes on behind. */
#define MAX_CRASHES	200

static bool plant;

static const char usage[] =
	"usage: state [OPTION...]\n"
	"\n"
	"  --layer FILE       library of the layer\n"
	"  --self             no layer: the cases check themselves\n"
	"  --simulate         a layer of the test's own, which splits all and keeps all\n"
	"  --plant            the same with faults, each of which must be found\n"
	"  --whole[=EXT]      the application enables an extension with which nothing may be split\n"
	"  --known FILE       the application uses only versions and extensions of this list\n"
	"  --only TEXT        only groups of cases with this in their name\n"
	"  --seed NUMBER      of the first random sequence (1)\n"
	"  --sequences COUNT  random sequences (3000)\n"
	"  --failures COUNT   failures of a group that are printed (3)\n";

static unsigned int check_rows(void)
{
	unsigned int missing = 0;

	for (unsigned int i = 0; i < command_count; i++) {
		if (commands[i].has_row)
			continue;
		printf("not ok %s has no row in commands.txt\n", commands[i].name);
		missing++;
	}
	if (!missing)
		printf("ok each of %u commands has a row\n", command_count);
	fflush(stdout);
	return missing;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Runs cases in another process until it ends, or crashes. Return: Whether it could begin. */
static bool run_process(const char *layer, const char *whole, uint64_t seed, unsigned int sequences)
{
	const pid_t pid = fork();
	char how[80];
	int status;

	if (!pid) {
		if (!world_init(layer, whole)) {
			fprintf(stderr, "state: no device with the layer\n");
			_exit(2);
		}
		if (plant)
			cases_plant();
		else
			cases_run(seed, sequences);
		progress->done = true;
		world_fini();
		exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return false;
	if (progress->done) {
		if (WIFSIGNALED(status) || WEXITSTATUS(status)) {
			printf("not ok the end of the process - status 0x%x\n", status);
			progress->failed++;
		}
		return true;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		return false;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		snprintf(how, sizeof(how), "it hangs");
	else if (WIFSIGNALED(status))
		snprintf(how, sizeof(how), "crash: %s", strsignal(WTERMSIG(status)));
	else
		snprintf(how, sizeof(how), "the process has ended with %d", WEXITSTATUS(status));
	run_crashed(how);
	return progress->crashed < MAX_CRASHES;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t size = 0;
	char *text = NULL;

	if (!file || getdelim(&text, &size, '\0', file) < 0)
		perror(path);
	if (file)
		fclose(file);
	return text;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "layer", required_argument, NULL, 'l' },
		{ "self", no_argument, NULL, 'e' },
		{ "simulate", no_argument, NULL, 'm' },
		{ "plant", no_argument, NULL, 'p' },
		{ "whole", optional_argument, NULL, 'w' },
		{ "known", required_argument, NULL, 'k' },
		{ "only", required_argument, NULL, 'o' },
		{ "seed", required_argument, NULL, 's' },
		{ "sequences", required_argument, NULL, 'n' },
		{ "failures", required_argument, NULL, 'f' },
		{ NULL },
	};
	const double start = now();
	const char *layer = NULL, *whole = NULL;
	unsigned int sequences = SEQUENCES, missing;
	uint64_t seed = 1;
	bool ran = true;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		switch (option) {
		case 'l':
			layer = optarg;
			break;
		case 'e':
			break;
		case 'p':
			plant = true;
			break;
		case 'm':
			simulation.enabled = true;
			break;
		case 'w':
			whole = optarg ? optarg : "VK_TEST_not_known";
			break;
		case 'k':
			known_providers = read_file(optarg);
			if (!known_providers)
				return 2;
			break;
		case 'o':
			only = optarg;
			break;
		case 's':
			seed = strtoull(optarg, NULL, 10);
			break;
		case 'n':
			sequences = strtoul(optarg, NULL, 10);
			break;
		case 'f':
			max_printed = strtoul(optarg, NULL, 10);
			break;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (progress == MAP_FAILED)
		return 2;
	all_stay_whole = whole;
	all_may_stay_whole = whole || (!layer && !simulation.enabled);
	missing = check_rows();
	while (!progress->done && ran)
		ran = run_process(layer, whole, seed, sequences);
	if (!progress->done)
		printf("not ok the cases were not run to the end\n");
	printf("%u commands, %u cases, %u failed, %.1f s\n", command_count, progress->cases,
	       progress->failed + missing, now() - start);
	return missing || progress->failed || !progress->done;
}
