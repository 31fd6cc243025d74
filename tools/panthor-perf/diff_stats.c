// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "diff_stats.h"

#define MAX_STEPS	300
#define TINY		(DBL_MIN / DBL_EPSILON)

void observations_add(struct observations *observations, double value)
{
	double distance = value - observations->mean;

	observations->mean += distance / ++observations->count;
	observations->squares += distance * (value - observations->mean);
}

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), result;
	int m;

	d = 1 / (fabs(d) < TINY ? TINY : d);
	result = d;
	for (m = 1; m < MAX_STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double change;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		result *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = fabs(c) < TINY ? TINY : c;
		change = d * c;
		result *= change;
		if (fabs(change - 1) < 100 * DBL_EPSILON)
			break;
	}
	return result;
}

/* The regularised incomplete beta function. */
static double incomplete_beta(double a, double b, double x)
{
	double factor;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	factor = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return factor * beta_fraction(a, b, x) / a;
	return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

double student_tails(double t, double freedom)
{
	return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

bool observations_p(const struct observations *a, const struct observations *b, double *p)
{
	double of_a, of_b, both, freedom;

	if (a->count < 2 || b->count < 2)
		return false;
	of_a = a->squares / (a->count - 1) / a->count;
	of_b = b->squares / (b->count - 1) / b->count;
	both = of_a + of_b;
	if (both <= 0) {
		*p = a->mean == b->mean ? 1 : 0;
		return true;
	}
	freedom = both * both / (of_a * of_a / (a->count - 1) + of_b * of_b / (b->count - 1));
	*p = student_tails((b->mean - a->mean) / sqrt(both), freedom);
	return true;
}

static void observe_total(struct side *side, const struct total *total)
{
	struct column_list *list = &side->list;
	size_t i;

	for (i = 0; i < list->count; i++) {
		struct value value = values_get(&total->values, list->columns[i].event,
						list->columns[i].instance);

		if (!value.valid || (value.exact && !total->time_ns))
			continue;
		observations_add(&side->observations[i],
				 value.exact ? value.number * 1e9 / total->time_ns : value.number);
	}
}

int side_observe(struct side *side)
{
	const struct range *range = &side->list.range;
	struct progress progress = { .what = "comparing", .total = range->count };
	uint64_t batches = range->count < DIFF_BATCHES ? range->count : DIFF_BATCHES;
	struct recording_sample sample;
	uint64_t i, batch = 0;
	struct total total;
	int ret, status = EXIT_OK;

	side->observations = calloc(side->list.count, sizeof(*side->observations));
	if (!side->observations)
		return fail(-ENOMEM, "%s", side->view.path);
	ret = total_init(&total, &side->view);
	if (ret)
		return fail(ret, "%s", side->view.path);
	for (i = 0; i < range->count && !status; i++) {
		status = recording_view_sample(&side->view, range->first + i, range->first,
					       &sample);
		if (status)
			break;
		total_add(&total, sample.sample);
		progress_show(&progress, i);
		if (i + 1 < (batch + 1) * range->count / batches)
			continue;
		observe_total(side, &total);
		total_clear(&total);
		batch++;
	}
	progress_end(&progress);
	total_fini(&total);
	return status;
}
