"""Correlations of a metric with people: slow, plain, the reference for `alinea::metric::correlation`.

Pearson's coefficient, Williams' test whether two metrics that were judged on the same items differ in it (Graham and
Baldwin 2014, *Testing for significance of increased correlation with human judgment*), and pairs of items by how metric
and people order them (Deutsch et al. 2023, *Ties Matter*, section 3).
"""

import math
from itertools import combinations


def pearson(x, y):
    """The coefficient of two lists of numbers."""
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return covariance / math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))


def williams_t(human, metric, other):
    """Williams' t, with n - 3 degrees of freedom: is `metric` closer to people than `other`?"""
    n = len(human)
    r12, r13, r23 = pearson(human, metric), pearson(human, other), pearson(metric, other)
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    return (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)


def pairs(human, metric):
    """How many pairs are concordant, discordant, tied by the metric alone, by people alone, by both."""
    counts = [0] * 5
    for i, j in combinations(range(len(human)), 2):
        h, m = human[i] - human[j], metric[i] - metric[j]
        if h and m:
            counts[0 if (h > 0) == (m > 0) else 1] += 1
        else:
            counts[2 if h else 3 if m else 4] += 1
    return counts
