"""How well scores agree with those of people. Expected numbers are SciPy 1.17.1's, or worked out by hand."""

from __future__ import annotations

import math

import pytest

import alinea
from alinea.metrics import CoefficientName, correlate, correlation

pytestmark = pytest.mark.filterwarnings("ignore::alinea.metrics.FewSegmentsWarning")

# Translations of four segments by three systems, one without a human score.
SEGMENTS = [1, 2, 3, 4, 1, 2, 4, 1, 2, 3, 4]
HUMAN = [3, 5, 4, 1, 2, 5, 2, 1, 2, 2, 3]
GOOD = [0.9, 0.8, 0.7, 0.2, 0.5, 0.7, 0.4, 0.1, 0.2, 0.5, 0.6]
FLAT = [-0.5, -0.2, -0.3, -0.1, -0.5, -0.2, -0.4, -0.9, -0.1, -0.4, -0.4]


@pytest.mark.parametrize(
    ("coefficient", "good", "flat"),
    [
        ("tau-10", 1, -3 / 9),
        ("tau-13", 1, -1 / 7),
        ("tau-14", 1, -1 / 9),
        ("tau-b", 9 / math.sqrt(90), -1 / math.sqrt(63)),
        ("accuracy", 0.9, 0.4),
    ],
)
def test_pairs_of_a_segment_are_counted_as_by_hand(coefficient: CoefficientName, good: float, flat: float) -> None:
    for metric, expected in ((GOOD, good), (FLAT, flat)):
        found = correlation(HUMAN, metric, coefficient=coefficient, groups=SEGMENTS)
        assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("coefficient", "good", "flat"),
    [
        ("pearson", 0.8117702730781031, 0.37128827480906573),
        ("spearman", 0.884680047143862, 0.2143075835223162),
        ("tau-b", 0.7769677791040542, 0.2527576391226808),
    ],
)
def test_all_pairs_are_counted_as_elsewhere(coefficient: CoefficientName, good: float, flat: float) -> None:
    for metric, expected in ((GOOD, good), (FLAT, flat)):
        assert correlation(HUMAN, metric, coefficient=coefficient) == pytest.approx(expected)
        grouped = correlation(HUMAN, metric, coefficient=coefficient, groups=SEGMENTS, pairs="all")
        assert grouped == pytest.approx(expected)


def test_small_differences_may_count_as_none() -> None:
    # 25 points apart, as daRR asks: two of three pairs.
    human, metric = [10, 34, 60], [0.1, 0.3, 0.2]
    assert correlation(human, metric, coefficient="tau-10") == pytest.approx(1 / 3)
    assert correlation(human, metric, coefficient="tau-10", least_difference=25) == 0


def test_metrics_are_compared() -> None:
    found = correlate({"good": GOOD, "flat": FLAT}, human=HUMAN, coefficient="pearson", groups=SEGMENTS, samples=200)
    assert (found.coefficient, found.items) == ("pearson", 11)
    assert [of.metric for of in found.metrics] == ["good", "flat"]
    for of, scores in zip(found.metrics, (GOOD, FLAT), strict=True):
        assert of.value == pytest.approx(correlation(HUMAN, scores, coefficient="pearson"))
        assert of.interval is not None
        assert of.value is not None
        assert of.interval.low <= of.value <= of.interval.high
    (difference,) = found.differences
    assert (difference.first, difference.second) == ("good", "flat")
    assert difference.p_value is not None
    assert difference.williams is not None
    # By the formula of Graham and Baldwin (2014, section 4), computed with SciPy.
    assert difference.williams.t == pytest.approx(1.5881585602733392)
    assert difference.williams.p_value == pytest.approx(0.07545648364220643)
    again = correlate({"good": GOOD, "flat": FLAT}, human=HUMAN, coefficient="pearson", groups=SEGMENTS, samples=200)
    assert again == found
    assert correlate({"good": GOOD, "flat": FLAT}, human=HUMAN, coefficient="tau-b").differences[0].williams is None


def test_what_is_not_defined_is_none() -> None:
    assert correlation([1, 2, 3], [1, 1, 1], coefficient="pearson") is None
    assert correlation([], [], coefficient="tau-b", groups=[]) is None


def test_bad_scores_are_refused() -> None:
    for human, metric in [([1.0], [1.0, 2.0]), ([math.nan], [1.0])]:
        with pytest.raises(alinea.Error):
            correlation(human, metric, coefficient="pearson")
    with pytest.raises(alinea.Error, match="2 human scores, 1 groups"):
        correlation([1, 2], [1, 2], coefficient="pearson", groups=["a"])
    with pytest.raises(alinea.ConfigError, match="coefficient = tau"):
        correlation([1, 2], [1, 2], coefficient="tau")  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match="pairs = some"):
        correlation([1, 2], [1, 2], coefficient="tau-b", pairs="some")  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match="samples = 0"):
        correlate({"a": [1, 2]}, human=[1, 2], coefficient="tau-b", samples=0)
