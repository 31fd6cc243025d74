// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <float.h>
#include <math.h>

#include "diff_stats.h"

/* Means that differ by less are equal: sums of doubles and times in ns are not more exact. */
#define SAME		(1 / 1e9)
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
	if (fabs(b->mean - a->mean) <= SAME * fmax(fabs(a->mean), fabs(b->mean))) {
		*p = 1;
		return true;
	}
	of_a = a->squares / (a->count - 1) / a->count;
	of_b = b->squares / (b->count - 1) / b->count;
	both = of_a + of_b;
	if (both <= 0) {
		*p = 0;
		return true;
	}
	freedom = both * both / (of_a * of_a / (a->count - 1) + of_b * of_b / (b->count - 1));
	*p = student_tails((b->mean - a->mean) / sqrt(both), freedom);
	return true;
}
