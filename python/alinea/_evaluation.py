"""Evaluation of alignments against gold standards.

:func:`evaluate` computes precision, recall, F and the alignment error rate of Och and Ney (2003, section 4) over a
whole text, against one or several annotators (Ozdowska 2008); :func:`compare` tests a difference by the paired
bootstrap (Koehn 2004). Counting and resampling are native (crate ``alinea-text``, module ``evaluate``); the classes
here hold the results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from alinea import _html, _native
from alinea._annotators import References
from alinea._errors import config_error
from alinea._links import (
    Alignments,
    Annotators,
    GoldAlignment,
    LinkArray,
    Links,
    annotators_of,
    arrays,
    pairs_of_arrays,
)
from alinea._warnings import warn_of_few

SCORES = {"precision": "precision", "recall": "recall", "f": "F", "aer": "AER"}
"""The scores, and what tables call them."""


@dataclass(frozen=True)
class Estimate:
    """The bootstrap estimate of a score; see :func:`evaluate`.

    >>> import alinea
    >>> evaluation = alinea.evaluate(["0-0 1-1", "0-0"] * 150, ["0-0", "0-0"] * 150, samples=100)
    >>> low, high = evaluation.intervals.recall.interval
    >>> low < evaluation.recall < high
    True

    Attributes:
        interval: The percentile interval, both ends included; ``None`` if the score is defined in no sample.
        standard_error: The standard error; ``None`` if the score is defined in fewer than two samples.
    """

    interval: tuple[float, float] | None
    standard_error: float | None


@dataclass(frozen=True)
class Intervals:
    """Confidence intervals of the scores of a text; see :func:`evaluate`.

    >>> import alinea
    >>> alinea.evaluate(["0-0"] * 300, ["0-0"] * 300, samples=10).intervals.aer.interval
    (0.0, 0.0)

    Attributes:
        precision: Of precision.
        recall: Of recall.
        f: Of F.
        aer: Of the alignment error rate.
    """

    precision: Estimate
    recall: Estimate
    f: Estimate
    aer: Estimate


@dataclass(frozen=True)
class Evaluation:
    """The scores of a text; see :func:`evaluate`. A score that is not defined, such as 0 / 0, is ``None``.

    >>> import alinea
    >>> evaluation = alinea.evaluate(["0-0"], [""])
    >>> evaluation.precision, evaluation.recall, evaluation.sure
    (None, 0.0, 1)

    Attributes:
        precision: The share of the hypothesis' links that are possible.
        recall: The share of the sure links that the hypothesis has.
        f: The weighted harmonic mean of both.
        aer: The alignment error rate, 0 at best.
        hypothesis: The number of links of the hypothesis.
        sure: The number of sure links.
        possible: The number of possible links, the sure among them.
        in_sure: The number of links of the hypothesis that are sure.
        in_possible: The number of links of the hypothesis that are possible, the sure among them.
        signature: One line that names every setting.
        annotations: The number of annotations of single sentences: as many as there are sentences with one annotator.
        intervals: Intervals of the scores, if samples were drawn.
    """

    precision: float | None
    recall: float | None
    f: float | None
    aer: float | None
    hypothesis: int
    sure: int
    possible: int
    in_sure: int
    in_possible: int
    signature: str
    annotations: int
    intervals: Intervals | None = None

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each score, for data frames: name, value, ends of the interval, standard error.

        >>> import alinea
        >>> import pandas
        >>> pandas.DataFrame(alinea.evaluate(["0-0 1-1"], ["0-0"]).rows())[["score", "value"]]
               score     value
        0  precision  1.000000
        1     recall  0.500000
        2          f  0.666667
        3        aer  0.333333
        """
        return [
            {
                "score": score,
                "value": getattr(self, score),
                **ends(None if self.intervals is None else getattr(self.intervals, score).interval),
                "standard_error": None if self.intervals is None else getattr(self.intervals, score).standard_error,
            }
            for score in SCORES
        ]

    def to_dict(self) -> dict[str, Any]:
        """Returns a dictionary for JSON, with the names of ``alinea evaluate --json``.

        >>> import alinea
        >>> found = alinea.evaluate(["0-0 1-1"], ["0-0"]).to_dict()
        >>> found["corpus"]["recall"], found["counts"]["sure"], found["missed"], found["intervals"]
        (0.5, 2, 1, None)
        """
        counts = ("hypothesis", "sure", "possible", "in_sure", "in_possible")
        intervals = self.intervals
        return {
            "signature": self.signature,
            "annotations": self.annotations,
            "counts": {name: getattr(self, name) for name in counts},
            "wrong": self.hypothesis - self.in_possible,
            "missed": self.sure - self.in_sure,
            "corpus": {score: getattr(self, score) for score in SCORES},
            "intervals": None
            if intervals is None
            else {
                score: {
                    "value": getattr(self, score),
                    "interval": low_and_high(getattr(intervals, score).interval),
                    "standard_error": getattr(intervals, score).standard_error,
                }
                for score in SCORES
            },
        }

    def _repr_html_(self) -> str:
        head, rows = ["", "percent"], [[SCORES[row["score"]], _html.percent(row["value"])] for row in self.rows()]
        if self.intervals is not None:
            head += ["interval", "standard error"]
            for cells, score in zip(rows, SCORES, strict=True):
                estimate = getattr(self.intervals, score)
                cells += [_html.percents(estimate.interval), _html.percent(estimate.standard_error)]
        wrong, missed = self.hypothesis - self.in_possible, self.sure - self.in_sure
        caption = (
            f"{self.hypothesis:,} links: {self.in_sure:,} sure, {self.in_possible - self.in_sure:,} only possible, "
            f"{wrong:,} wrong; {missed:,} sure missed"
        )
        return _html.table(caption, head, rows, note=self.signature)


@dataclass(frozen=True)
class Difference:
    """The difference between two alignments in one score, system minus baseline; see :func:`compare`.

    >>> import alinea
    >>> found = alinea.compare(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300)
    >>> found.recall.value, found.recall.interval
    (0.5, (0.5, 0.5))

    Attributes:
        value: System minus baseline; ``None`` where one is not defined.
        interval: Its percentile interval, both ends included.
        standard_error: Its standard error.
        p_value: The two-sided p-value of the hypothesis that there is no difference, above 0 and at most 1; ``None`` if
            the difference is not defined.
    """

    value: float | None
    interval: tuple[float, float] | None
    standard_error: float | None
    p_value: float | None


@dataclass(frozen=True)
class Comparison:
    """Two alignments of a text evaluated against the same gold standard; see :func:`compare`.

    >>> import alinea
    >>> found = alinea.compare(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300)
    >>> found.baseline.recall, found.system.recall, found.identical
    (0.5, 1.0, False)

    Attributes:
        baseline: The scores of the baseline.
        system: The scores of the system.
        precision: The difference in precision.
        recall: The difference in recall.
        f: The difference in F.
        aer: The difference in the alignment error rate, where a negative one is an improvement.
        identical: Whether both have the same counts in every sentence.
    """

    baseline: Evaluation
    system: Evaluation
    precision: Difference
    recall: Difference
    f: Difference
    aer: Difference
    identical: bool

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each score, for data frames: both values, and the difference with its interval and p-value.

        >>> import alinea
        >>> import pandas
        >>> found = alinea.compare(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300)
        >>> frame = pandas.DataFrame(found.rows()).set_index("score")
        >>> frame.loc["recall", ["baseline", "system", "difference"]].tolist()
        [0.5, 1.0, 0.5]
        """
        rows = []
        for score in SCORES:
            found: Difference = getattr(self, score)
            rows.append(
                {
                    "score": score,
                    "baseline": getattr(self.baseline, score),
                    "system": getattr(self.system, score),
                    "difference": found.value,
                    **ends(found.interval),
                    "standard_error": found.standard_error,
                    "p_value": found.p_value,
                }
            )
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Returns a dictionary for JSON, with the names of ``alinea evaluate --json``.

        >>> import alinea
        >>> found = alinea.compare(["0-0 1-1"] * 300, ["0-0"] * 300, ["0-0 1-1"] * 300).to_dict()
        >>> found["system"]["corpus"]["recall"], found["differences"]["recall"]["interval"]
        (1.0, {'low': 0.5, 'high': 0.5})
        """
        differences = {}
        for score in SCORES:
            found: Difference = getattr(self, score)
            differences[score] = {
                "difference": found.value,
                "interval": low_and_high(found.interval),
                "standard_error": found.standard_error,
                "p_value": found.p_value,
            }
        return {
            "baseline": self.baseline.to_dict(),
            "system": self.system.to_dict(),
            "differences": differences,
            "identical": self.identical,
        }

    def _repr_html_(self) -> str:
        head = ["percent", "baseline", "system", "difference", "interval", "p"]
        rows = []
        for score, name in SCORES.items():
            found: Difference = getattr(self, score)
            scores = [_html.percent(getattr(one, score)) for one in (self.baseline, self.system)]
            cells = [_html.percent(found.value), _html.percents(found.interval), _html.number(found.p_value)]
            rows.append([name, *scores, *cells])
        caption = "Both are identical" if self.identical else ""
        return _html.table(caption, head, rows, note=self.system.signature)


def evaluate(
    gold: Iterable[GoldAlignment | Links] | Alignments | Annotators,
    hypotheses: Alignments,
    *,
    references: References = "instances",
    annotated_only: bool = False,
    alpha: float = 0.5,
    samples: int = 0,
    confidence: float = 0.95,
    seed: int = 12345,
) -> Evaluation:
    """Evaluates alignments against a gold standard (Och and Ney 2003), over the whole text.

    >>> import alinea
    >>> evaluation = alinea.evaluate(["0-0 1-1 1p2"], [[(0, 0), (1, 2), (2, 2)]])
    >>> evaluation.recall, evaluation.aer
    (0.5, 0.4)

    With several annotators:

    >>> people = {"anna": ["0-0 1-1", "0-0"], "ben": ["0-0 1-0", None]}
    >>> evaluation = alinea.evaluate(people, ["0-0 1-1", "0-0"])
    >>> evaluation.precision, evaluation.annotations
    (0.8, 3)
    >>> alinea.evaluate(people, ["0-0 1-1", "0-0"], references="best").precision
    1.0

    Args:
        gold: The gold standard. Links that are not marked as possible are sure: in a line in Pharaoh format, a ``p``
            instead of the hyphen marks them; otherwise a :class:`GoldAlignment` tells them apart. Or a mapping from the
            names of several annotators to the links of each, with ``None`` for sentences that one did not annotate.
        hypotheses: The alignments to evaluate, one for each. A ``p`` has no meaning here.
        references: How they are compared with several annotators: with every annotation of a sentence as an instance of
            its own (Ozdowska 2008), with the ``"best"``, that of highest F, or with their ``"union"``, in which links
            of all annotators are sure and links of any are possible (Och and Ney 2003).
        annotated_only: Whether only links between words that both have a link in the gold standard count: for gold
            standards that left words out on purpose.
        alpha: The weight of precision in ``f``, from 0 to 1 (Fraser and Marcu 2007).
        samples: The number of bootstrap samples for intervals, such as 1000 (Koehn 2004); 0 for no intervals.
        confidence: The confidence level of the intervals, between 0 and 1.
        seed: Equal seeds draw equal samples.

    Raises:
        Error: There are more or fewer hypotheses than gold alignments, or none.
        ParseError: A line is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.

    Warns:
        FewSegmentsWarning: There are intervals, and fewer than 300 sentences.
    """
    people, judged = people_of(gold), arrays(hypotheses, "hypotheses")
    judging = {
        "references": references,
        "annotated_only": annotated_only,
        "alpha": alpha,
        "samples": samples,
        "confidence": confidence,
        "seed": seed,
    }
    evaluation = _evaluation(_native.evaluate(people, judged, judging))
    if samples:
        warn_of_few(_sentences(people), "sentence")
    return evaluation


def compare(
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
) -> Comparison:
    """Tests whether a system aligns a text better than a baseline, by paired bootstrap resampling (Koehn 2004).

    >>> import alinea
    >>> gold = ["0-0 1-1", "0-0 1-1"] * 150
    >>> found = alinea.compare(gold, ["0-0", "0-0 1-1"] * 150, gold)
    >>> found.aer.value < 0, found.aer.p_value < 0.01
    (True, True)

    Args:
        gold: The gold standard, or the links of several annotators; see :func:`evaluate`.
        baseline: The alignments of the baseline, one for each.
        system: Those of the system. Differences are system minus baseline.
        references: As in :func:`evaluate`.
        annotated_only: Whether only links between words that both have a link in the gold standard count.
        alpha: The weight of precision in ``f``, from 0 to 1.
        samples: The number of samples, which take the same sentences of both.
        confidence: The confidence level of the intervals, between 0 and 1.
        seed: Equal seeds draw equal samples.

    Raises:
        Error: There are more or fewer alignments than gold alignments, or none.
        ParseError: A line is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.

    Warns:
        FewSegmentsWarning: There are fewer than 300 sentences.
    """
    people = people_of(gold)
    judging = {
        "references": references,
        "annotated_only": annotated_only,
        "alpha": alpha,
        "samples": samples,
        "confidence": confidence,
        "seed": seed,
    }
    if not samples:
        raise config_error("samples", samples, "1 or more")
    of_baseline, of_system, differences, identical = _native.compare(
        people, arrays(baseline, "baseline"), arrays(system, "system"), judging
    )
    warn_of_few(_sentences(people), "sentence")
    precision, recall, f, aer = (Difference(*found) for found in differences)
    return Comparison(_evaluation(of_baseline), _evaluation(of_system), precision, recall, f, aer, identical)


def ends(interval: tuple[float, float] | None, name: str = "") -> dict[str, float | None]:
    """The ends of an interval as two columns."""
    low, high = interval or (None, None)
    return {f"{name}low": low, f"{name}high": high}


def low_and_high(interval: tuple[float, float] | None) -> dict[str, float] | None:
    """An interval as the command writes it."""
    return interval and dict(zip(("low", "high"), interval, strict=True))


def people_of(
    gold: Iterable[GoldAlignment | Links] | Alignments | Annotators,
) -> list[tuple[str, list[tuple[LinkArray, LinkArray] | None]]]:
    """The links of each annotator, by name; a single one has no name."""
    if isinstance(gold, Mapping):
        return annotators_of(gold)
    return [("", list(pairs_of_arrays(gold)))]


def _sentences(people: list[tuple[str, list[tuple[LinkArray, LinkArray] | None]]]) -> int:
    """The number of sentences with an annotation."""
    columns = zip(*(links for _, links in people), strict=False)
    return sum(any(links is not None for links in sentence) for sentence in columns)


def _evaluation(judged: _native._Evaluation) -> Evaluation:
    scores, counts, signature, annotations, estimates = judged
    precision, recall, f, aer = scores
    hypothesis, sure, possible, in_sure, in_possible = counts
    return Evaluation(
        precision=precision,
        recall=recall,
        f=f,
        aer=aer,
        hypothesis=hypothesis,
        sure=sure,
        possible=possible,
        in_sure=in_sure,
        in_possible=in_possible,
        signature=signature,
        annotations=annotations,
        intervals=None if estimates is None else Intervals(*(Estimate(*found) for found in estimates)),
    )


for _public in (Comparison, Difference, Estimate, Evaluation, Intervals, compare, evaluate):
    _public.__module__ = "alinea"
del _public
