"""Correlation of metrics with human judgments.

:func:`correlation` computes one coefficient, :func:`correlate` several metrics with bootstrap intervals and Williams'
test (Graham and Baldwin 2014). The variants of Kendall's tau are those of the WMT metrics tasks (Ma et al. 2019,
section 5.2), pairwise accuracy that of Kocmi et al. (2021) and Deutsch et al. (2023). Coefficients and resampling are
native (crate ``alinea-metric``, module ``metric::correlation``).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from alinea import _errors, _html, _native
from alinea._warnings import FewSegmentsWarning, warn
from alinea.metrics._metrics import SEED

CoefficientName: TypeAlias = Literal["pearson", "spearman", "tau-b", "tau-10", "tau-13", "tau-14", "accuracy"]
"""A way to say how well scores agree; :func:`correlation` says what each is."""

PairsName: TypeAlias = Literal["group", "all"]
"""Which pairs of items coefficients of pairs count: of one group, or any two."""


class Bounds(NamedTuple):
    """Where 95 % of the coefficients of bootstrap samples are.

    >>> from alinea.metrics import Bounds
    >>> Bounds(low=0.4, high=0.6).low
    0.4

    Attributes:
        low: The quantile of 2.5 %.
        high: The quantile of 97.5 %.
    """

    low: float
    high: float


class WilliamsTest(NamedTuple):
    """Whether one of two correlations with the same human scores is higher (Williams 1959); see :func:`correlate`.

    >>> from alinea.metrics import WilliamsTest
    >>> WilliamsTest(t=2.1, p_value=0.03).p_value
    0.03

    Attributes:
        t: The statistic, positive if the first metric correlates better.
        p_value: The one-sided p-value.
    """

    t: float
    p_value: float


@dataclass(frozen=True)
class MetricCorrelation:
    """The correlation of a metric with human scores; see :func:`correlate`.

    >>> from alinea.metrics import MetricCorrelation
    >>> MetricCorrelation("BLEU", 0.5, None).value
    0.5

    Attributes:
        metric: The name of the metric.
        value: The coefficient; ``None`` where it is not defined.
        interval: Its interval; ``None`` if it is defined in fewer than two samples.
    """

    metric: str
    value: float | None
    interval: Bounds | None


@dataclass(frozen=True)
class CorrelationDifference:
    """How two metrics differ; see :func:`correlate`.

    >>> from alinea.metrics import CorrelationDifference
    >>> CorrelationDifference("chrF", "BLEU", 0.1, None, 0.04, None).p_value
    0.04

    Attributes:
        first: The name of a metric.
        second: The name of another.
        difference: The coefficient of the first minus that of the second.
        interval: Its interval.
        p_value: The two-sided p-value of the difference, by the bootstrap.
        williams: Williams' test, of Pearson's r alone, and where it is defined.
    """

    first: str
    second: str
    difference: float | None
    interval: Bounds | None
    p_value: float | None
    williams: WilliamsTest | None


@dataclass(frozen=True)
class Correlation:
    """The correlation of metrics with human scores; see :func:`correlate`.

    >>> from alinea.metrics import Correlation
    >>> Correlation("pearson", 12, [], []).items
    12

    Attributes:
        coefficient: The name of the coefficient.
        items: The number of items.
        metrics: The coefficient of each metric.
        differences: Each metric against each that comes after it.
    """

    coefficient: CoefficientName
    items: int
    metrics: list[MetricCorrelation]
    differences: list[CorrelationDifference]

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each metric, for data frames: its name, the coefficient, the ends of the interval.

        >>> from alinea.metrics import Bounds, Correlation, MetricCorrelation
        >>> Correlation("pearson", 12, [MetricCorrelation("BLEU", 0.5, Bounds(0.4, 0.6))], []).rows()
        [{'metric': 'BLEU', 'value': 0.5, 'low': 0.4, 'high': 0.6}]
        """
        rows = []
        for found in self.metrics:
            low, high = found.interval or (None, None)
            rows.append({"metric": found.metric, "value": found.value, "low": low, "high": high})
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Returns a dictionary for JSON, with the names of ``alinea correlate --json``.

        >>> from alinea.metrics import Bounds, Correlation, MetricCorrelation
        >>> found = Correlation("pearson", 12, [MetricCorrelation("BLEU", 0.5, Bounds(0.4, 0.6))], [])
        >>> found.to_dict()["metrics"]
        [{'metric': 'BLEU', 'value': 0.5, 'interval': [0.4, 0.6]}]
        """
        metrics = [
            {"metric": found.metric, "value": found.value, "interval": found.interval and list(found.interval)}
            for found in self.metrics
        ]
        differences = [
            {
                "first": found.first,
                "second": found.second,
                "difference": found.difference,
                "interval": found.interval and list(found.interval),
                "p_bootstrap": found.p_value,
                "williams": found.williams and {"t": found.williams.t, "p": found.williams.p_value},
            }
            for found in self.differences
        ]
        return {
            "coefficient": self.coefficient,
            "items": self.items,
            "metrics": metrics,
            "differences": differences,
        }

    def _repr_html_(self) -> str:
        def cells(value: float | None, interval: Bounds | None) -> list[str]:
            ends = "–" if interval is None else f"[{interval.low:.4f}, {interval.high:.4f}]"
            return [_html.number(value), ends]

        rows = [[found.metric, *cells(found.value, found.interval), ""] for found in self.metrics[:_SHOWN]]
        for found in self.differences[: _SHOWN - len(rows)]:
            name = f"{found.first} – {found.second}"
            rows.append([name, *cells(found.difference, found.interval), _html.number(found.p_value)])
        more = len(self.metrics) + len(self.differences) - len(rows)
        caption = f"{self.coefficient} over {self.items:,} items"
        return _html.table(caption, ("", "", "interval", "p"), rows, more=more)


_SHOWN = 30


def correlation(
    human: Iterable[float],
    metric: Iterable[float],
    *,
    coefficient: CoefficientName,
    groups: Iterable[Hashable] | None = None,
    pairs: PairsName = "group",
    least_difference: float = 0,
) -> float | None:
    """Computes the correlation of the scores of a metric with human scores.

    Items are translations; in both, higher scores are better (negate others). Where translations of segments
    by several systems are compared, ``groups`` names the segment of each; where systems are, there are no groups. Of
    pairs of items C are concordant, D discordant, in T only the scores of the metric are equal, in H only the
    human scores, and in B both:

    ============  ==========================================================================================
    ``pearson``   Pearson's r over all items
    ``spearman``  the same of ranks, ties get their mean rank
    ``tau-b``     (C - D) / sqrt((C + D + T) (C + D + H)) (Kendall 1945)
    ``tau-10``    (C - D - T) / (C + D + T), of WMT10 to WMT12 and of daRR
    ``tau-13``    (C - D) / (C + D), of WMT13
    ``tau-14``    (C - D) / (C + D + T), of WMT14 to WMT16
    ``accuracy``  (C + B) / (C + D + T + H + B): pairwise accuracy (Kocmi et al. 2021, Deutsch et al. 2023)
    ============  ==========================================================================================

    Those of WMT are equation 2 of Ma et al. (2019, *Results of the WMT19 Metrics Shared Task*, section 5.2), and differ
    in the treatment of ties of the metric.

    >>> from alinea.metrics import correlation
    >>> human = [3, 2, 1, 5, 5, 2]
    >>> metric = [0.5, 0.5, 0.1, 0.8, 0.8, 0.9]
    >>> correlation(human, metric, coefficient="tau-10", groups=["a", "a", "a", "b", "b", "b"])
    -0.2
    >>> round(correlation(human, metric, coefficient="accuracy"), 3)
    0.667

    Args:
        human: The human score of each item.
        metric: The score of each item by the metric.
        coefficient: Which coefficient.
        groups: The group of each item, in any order; without it all items are one group.
        pairs: Whether pairs are of items of one group, or of any two items, which then only samples are drawn by.
        least_difference: The minimum difference of human scores in pairs that count as different; with 0 all pairs
            whose scores differ. daRR has 25.

    Returns:
        The coefficient, or ``None`` where it is not defined: where a score does not vary, or there are no pairs.

    Raises:
        Error: The numbers of scores or groups differ, or a score is not finite.
        ConfigError: An option has a value that is not allowed.
    """
    (people, scores), ends = _grouped([human, metric], groups)
    settings = {"ends": ends, "across": _across(pairs), "least_difference": least_difference}
    return _native.correlation(people, scores, settings, coefficient)


def correlate(
    metrics: Mapping[str, Iterable[float]],
    *,
    human: Iterable[float],
    coefficient: CoefficientName,
    groups: Iterable[Hashable] | None = None,
    pairs: PairsName = "group",
    least_difference: float = 0,
    samples: int = 1000,
    seed: int = SEED,
    threads: int = 0,
) -> Correlation:
    """Correlates several metrics with human scores, with intervals, and tests their differences.

    Intervals are of 95 %, by the bootstrap over groups, or over items where there is one group. Pearson's r also has
    Williams' test (Graham and Baldwin 2014).

    >>> from alinea.metrics import correlate
    >>> human = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    >>> metrics = {"good": [10, 19, 33, 42, 48, 60, 69], "odd": [3, 1, 2, 6, 5, 4, 7]}
    >>> found = correlate(metrics, human=human, coefficient="pearson")
    >>> [(of.metric, round(of.value, 3)) for of in found.metrics]
    [('good', 0.997), ('odd', 0.75)]
    >>> difference = found.differences[0]
    >>> difference.first, difference.second, difference.williams.p_value < 0.01
    ('good', 'odd', True)

    Args:
        metrics: The scores of the items by each metric, by its name.
        human: The human score of each item.
        coefficient: Which coefficient; see :func:`correlation`, also for what follows.
        groups: The group of each item.
        pairs: Which pairs count.
        least_difference: The minimum difference of human scores that counts.
        samples: The number of samples.
        seed: The seed of the samples.
        threads: The number of threads, 0 for one on each core. Samples are the same under any.

    Raises:
        Error: The numbers of scores or groups differ, or a score is not finite.
        ConfigError: An option has a value that is not allowed.

    Warns:
        FewSegmentsWarning: Samples are drawn of fewer than 7 groups, or of fewer than 7 items of one group.
    """
    names = list(metrics)
    (people, *scores), ends = _grouped([human, *metrics.values()], groups)
    settings = {"ends": ends, "across": _across(pairs), "least_difference": least_difference}
    units = len(ends) if len(ends) > 1 else len(people)
    if units < _native.FEWEST_SYSTEMS:
        text = "there are too few different samples"
        warn(f"intervals and tests on {units} groups or items are meaningless: {text}", FewSegmentsWarning)
    values, intervals, differences = _native.correlate(people, scores, settings, coefficient, samples, seed, threads)
    bounds = [interval and Bounds(*interval) for interval in intervals]
    return Correlation(
        coefficient,
        len(people),
        [MetricCorrelation(*found) for found in zip(names, values, bounds, strict=True)],
        [
            CorrelationDifference(
                names[first],
                names[second],
                difference,
                interval and Bounds(*interval),
                p_value,
                williams and WilliamsTest(*williams),
            )
            for (first, second), difference, interval, p_value, williams in differences
        ],
    )


def _across(pairs: str) -> bool:
    if pairs not in ("group", "all"):
        allowed = "group, all"
        raise _errors.ConfigError(f"pairs = {pairs}: must be {allowed}", "pairs", str(pairs), allowed)
    return pairs == "all"


def _grouped(
    columns: Sequence[Iterable[float]], groups: Iterable[Hashable] | None
) -> tuple[list[list[float]], list[int]]:
    """The columns with items of a group behind each other, and where groups end."""
    scores = [[float(score) for score in column] for column in columns]
    items = len(scores[0])
    if groups is None:
        return scores, [items]
    members: dict[Hashable, list[int]] = {}
    names = list(groups)
    if any(len(column) != len(names) for column in scores):
        message = (
            f"{items} human scores, {len(names)} groups, scores of metrics {[len(column) for column in scores[1:]]}"
        )
        raise _errors.Error(message)
    for item, group in enumerate(names):
        members.setdefault(group, []).append(item)
    order = [item for group in members.values() for item in group]
    ends: list[int] = []
    for items_of_group in members.values():
        ends.append(len(items_of_group) + (ends[-1] if ends else 0))
    return [[column[item] for item in order] for column in scores], ends
