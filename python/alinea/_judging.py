"""Error analysis: scores by bucket, and gains over a baseline.

:func:`breakdown` evaluates links by distance from the diagonal, word frequency, tag or fertility; :func:`gains` is
:func:`compare` with relative differences. Both are computed by the native module (crate ``alinea-text``, module
``evaluate``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from alinea import _html, _native
from alinea._annotators import References
from alinea._errors import config_error
from alinea._evaluation import SCORES, ends, low_and_high, people_of
from alinea._links import Alignments, Annotators, GoldAlignment, Links, arrays
from alinea._warnings import warn_of_few


@dataclass(frozen=True)
class Bucket:
    """The scores of the links of a bucket; see :func:`breakdown`.

    Scores and counts are those of :class:`Evaluation`, of these links alone.

    >>> import alinea
    >>> [bucket.label for bucket in alinea.breakdown(["0-0"], ["0-0"])]
    ['0', '1', '2', '3', '4+']

    Attributes:
        label: The label of the bucket.
    """

    label: str
    precision: float | None
    recall: float | None
    f: float | None
    aer: float | None
    hypothesis: int
    sure: int
    possible: int
    in_sure: int
    in_possible: int


class Breakdown(list[Bucket]):
    """The buckets of links, in order; see :func:`breakdown`.

    >>> import alinea
    >>> buckets = alinea.breakdown(["0-0 1-1 1-2"], ["0-0 1-1"], tags=[["DET", "NOUN"]])
    >>> len(buckets), buckets[1].label
    (2, 'NOUN')
    """

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each bucket; keys are the names of the attributes.

        >>> import alinea
        >>> alinea.breakdown(["0-0"], ["0-0"]).rows()[1]["recall"]
        1.0
        """
        return [asdict(bucket) for bucket in self]

    def to_dict(self) -> dict[str, list[Any]]:
        """Returns the columns of a data frame; keys are the names of the attributes of buckets.

        >>> import alinea
        >>> import pandas
        >>> buckets = alinea.breakdown(["0-0 1-1 1-2"], ["0-0 1-1"], tags=[["DET", "NOUN"]])
        >>> pandas.DataFrame(buckets.to_dict())[["label", "precision", "recall", "sure"]]
          label  precision  recall  sure
        0   DET        1.0     1.0     1
        1  NOUN        1.0     0.5     2
        """
        return _html.columns(self.rows())

    def _repr_html_(self) -> str:
        head = ["", "links", "sure", "possible", *(f"{name} %" for name in SCORES.values())]
        rows = [
            [
                bucket.label,
                *(f"{number:,}" for number in (bucket.hypothesis, bucket.sure, bucket.possible)),
                *(_html.percent(getattr(bucket, score)) for score in SCORES),
            ]
            for bucket in self[:_SHOWN]
        ]
        return _html.table("", head, rows, more=len(self) - len(rows))


_SHOWN = 30


@dataclass(frozen=True)
class Gain:
    """The gain in one score; see :func:`gains`.

    >>> import alinea
    >>> alinea.gains(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300).recall.absolute
    0.5

    Attributes:
        absolute: New minus old; ``None`` if one is not defined.
        absolute_interval: Its confidence interval, both ends included; ``None`` if it is defined in no sample.
        relative: New minus old as a share of the old; ``None`` if that is 0, too.
        relative_interval: Its confidence interval.
    """

    absolute: float | None
    absolute_interval: tuple[float, float] | None
    relative: float | None
    relative_interval: tuple[float, float] | None


@dataclass(frozen=True)
class Gains:
    """The gains of a system over a baseline; see :func:`gains`.

    >>> import alinea
    >>> alinea.gains(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300).precision.absolute
    0.0

    Attributes:
        precision: In precision.
        recall: In recall.
        f: In F.
        aer: In the alignment error rate, where a negative gain is an improvement.
    """

    precision: Gain
    recall: Gain
    f: Gain
    aer: Gain

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each score, for data frames: gains and the ends of their intervals.

        >>> import alinea
        >>> found = alinea.gains(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300)
        >>> found.rows()[1]["score"], found.rows()[1]["absolute"]
        ('recall', 0.5)
        """
        rows = []
        for score in SCORES:
            gain: Gain = getattr(self, score)
            absolute = {"absolute": gain.absolute, **ends(gain.absolute_interval, "absolute_")}
            relative = {"relative": gain.relative, **ends(gain.relative_interval, "relative_")}
            rows.append({"score": score, **absolute, **relative})
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Returns a dictionary for JSON, with the names of ``alinea evaluate --json``.

        >>> import alinea
        >>> found = alinea.gains(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300)
        >>> found.to_dict()["recall"]["relative"]
        {'value': 1.0, 'interval': {'low': 1.0, 'high': 1.0}}
        """
        found = {}
        for score in SCORES:
            gain: Gain = getattr(self, score)
            found[score] = {
                "absolute": {"value": gain.absolute, "interval": low_and_high(gain.absolute_interval)},
                "relative": {"value": gain.relative, "interval": low_and_high(gain.relative_interval)},
            }
        return found

    def _repr_html_(self) -> str:
        head = ["percent", "gain", "interval", "relative gain", "interval"]
        rows = []
        for score, name in SCORES.items():
            gain: Gain = getattr(self, score)
            absolute = [_html.percent(gain.absolute), _html.percents(gain.absolute_interval)]
            relative = [_html.percent(gain.relative), _html.percents(gain.relative_interval)]
            rows.append([name, *absolute, *relative])
        return _html.table("Gains over the baseline", head, rows)


def breakdown(
    gold: Iterable[GoldAlignment | Links] | Alignments | Annotators,
    hypotheses: Alignments,
    *,
    side: Literal["source", "target"] = "source",
    lengths: Iterable[tuple[int, int]] | None = None,
    frequencies: Iterable[Iterable[int]] | None = None,
    tags: Iterable[Iterable[str]] | None = None,
    references: References = "instances",
    annotated_only: bool = False,
    alpha: float = 0.5,
) -> Breakdown:
    """Partitions links into buckets and evaluates each, to locate errors.

    By the distance from the diagonal if there are ``lengths``, by the ``frequencies`` or the ``tags`` of the words of
    one side if these are given, and otherwise by fertility, the number of gold links of the word.

    >>> import alinea
    >>> buckets = alinea.breakdown(["0-0 1-1 1-2"], ["0-0 1-1"], tags=[["DET", "NOUN"]])
    >>> [(bucket.label, bucket.recall) for bucket in buckets]
    [('DET', 1.0), ('NOUN', 0.5)]

    Args:
        gold: The gold standard, or the links of several annotators; see :func:`evaluate`.
        hypotheses: The alignments to evaluate, one for each.
        side: Whose words have the frequencies, tags or fertilities.
        lengths: The numbers of source and of target words of each sentence pair.
        frequencies: A number for each word of each sentence of that side.
        tags: A tag, such as its part of speech, for each word of each sentence of that side.
        references: As in :func:`evaluate`.
        annotated_only: Whether only links between words that both have a gold link count.
        alpha: The weight of precision in ``f``, from 0 to 1.

    Returns:
        The buckets in order, including empty ones.

    Raises:
        Error: There are more or fewer hypotheses than gold alignments, or a link is between words without the given
            attribute.
        ParseError: A line is not in Pharaoh format.
        ConfigError: ``side``, ``references`` or ``alpha`` is not allowed, or more than one of ``lengths``,
            ``frequencies`` and ``tags`` is given.
    """
    if side not in ("source", "target"):
        raise config_error("side", side, "source or target")
    attributes = {"lengths": lengths, "frequencies": frequencies, "tags": tags}
    given = [name for name, values in attributes.items() if values is not None]
    if len(given) > 1:
        raise config_error(given[1], "given", f"unset if {given[0]} is given")
    attribute: list[tuple[int, int]] | list[list[int]] | list[list[str]] | None = None
    if lengths is not None:
        attribute = list(lengths)
    elif frequencies is not None:
        attribute = [list(sentence) for sentence in frequencies]
    elif tags is not None:
        attribute = [list(sentence) for sentence in tags]
    judged = arrays(hypotheses, "hypotheses")
    buckets = _native.breakdown(people_of(gold), judged, attribute, side == "target", references, annotated_only, alpha)
    return Breakdown(_bucket(*bucket) for bucket in buckets)


def gains(
    gold: Iterable[GoldAlignment | Links] | Alignments | Annotators,
    baseline: Alignments,
    system: Alignments,
    *,
    references: References = "instances",
    annotated_only: bool = False,
    alpha: float = 0.5,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 12345,
) -> Gains:
    """Computes the gains of a system over a baseline, absolute and relative, with paired bootstrap intervals.

    >>> import alinea
    >>> gold = ["0-0 1-1", "0-0 1-1"] * 150
    >>> found = alinea.gains(gold, ["0-0", "0-0 1-1"] * 150, gold)
    >>> found.recall.absolute, round(found.recall.relative, 4)
    (0.25, 0.3333)
    >>> low, high = found.recall.absolute_interval
    >>> 0.2 < low < 0.25 < high < 0.3
    True

    Args:
        gold: The gold standard, or the links of several annotators; see :func:`evaluate`.
        baseline: The alignments of the baseline, one for each.
        system: Those of the system.
        references: As in :func:`evaluate`.
        annotated_only: Whether only links between words that both have a gold link count.
        alpha: The weight of precision in ``f``, from 0 to 1.
        samples: The number of samples (Koehn 2004), which take the same sentences of both.
        confidence: The confidence level of the intervals, between 0 and 1.
        seed: Equal seeds draw equal samples.

    Raises:
        Error: There are more or fewer alignments than gold alignments, or none.
        ParseError: A line is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.

    Warns:
        FewSegmentsWarning: There are fewer than 300 sentences. One has no intervals.
    """
    sentences, found = _native.gains(
        people_of(gold),
        arrays(baseline, "baseline"),
        arrays(system, "system"),
        references,
        annotated_only,
        alpha,
        {"samples": samples, "seed": seed, "confidence": confidence},
    )
    warn_of_few(sentences, "sentence")
    precision, recall, f, aer = (Gain(*absolute, *relative) for absolute, relative in found)
    return Gains(precision, recall, f, aer)


def _bucket(label: str, scores: list[float | None], counts: list[int]) -> Bucket:
    precision, recall, f, aer = scores
    hypothesis, sure, possible, in_sure, in_possible = counts
    return Bucket(label, precision, recall, f, aer, hypothesis, sure, possible, in_sure, in_possible)


for _public in (Breakdown, Bucket, Gain, Gains, breakdown, gains):
    _public.__module__ = "alinea"
