"""Evaluation of orders against gold standards.

:class:`GoldStandard` derives orders from links, or takes those of a task corpus; its scores are those of the shared
task of 2012, the fuzzy reordering score (Talbot et al. 2011), Kendall's tau and others over partial orders (Neubig,
Watanabe and Mori 2012), with bootstrap intervals. Scores are computed by the native module (crate ``alinea-order``,
modules ``reorder::scores`` and ``reorder::standard``).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from alinea import _html, _native
from alinea._evaluation import ends
from alinea._links import Alignments, Sentences, arrays
from alinea._warnings import warn_of_few
from alinea.reorder._corpus import TaskCorpus
from alinea.reorder._orders import Incomparable, Key, Orders, column_of
from alinea.reorder._source import Source, source_of

Score: TypeAlias = Literal[
    "bleu",
    "hamming",
    "kendall",
    "kendall-sqrt",
    "exact",
    "fuzzy",
    "chunks",
    "pef",
    "frs",
    "frs-pooled",
    "tau",
    "tau-pooled",
    "complete",
]
"""The name of a score of orders; :class:`OrderScores` says what they are."""

SCORES: tuple[Score, ...] = tuple(cast(Score, name) for name, _ in _native.order_scores())
"""The names of all scores, in the order of columns of :attr:`OrderScores.sentences`."""


@dataclass(frozen=True)
class Estimate:
    """A score, or a difference, with its interval.

    >>> from alinea import reorder
    >>> reorder.Estimate(0.5, (0.4, 0.6), 0.05).interval
    (0.4, 0.6)

    Attributes:
        value: That of all sentences; ``None`` where it is not defined.
        interval: The ends of its interval.
        standard_error: Its standard error.
        p_value: Of a difference, the p-value of the paired bootstrap; otherwise ``None``.
    """

    value: float | None
    interval: tuple[float, float] | None
    standard_error: float | None
    p_value: float | None = None


_UNKNOWN = Estimate(None, None, None)


@dataclass(frozen=True, eq=False)
class OrderScores:
    """The scores of the orders of a text; see :meth:`GoldStandard.evaluate`.

    ``bleu``, ``hamming``, ``kendall`` and ``kendall-sqrt`` are those of the shared task of 2012 (with the root as in
    LRscore); ``exact``, ``fuzzy`` (Talbot et al. 2011), ``chunks`` and ``pef`` also compare with a total order. ``frs``
    (with the borders of the sentence), ``tau`` and ``complete`` ignore the order of words that links do not order, and
    are means over sentences; ``frs-pooled`` and ``tau-pooled`` add up over sentences first. All are from 0 to 1, and 1
    is best, except ``chunks``, where fewer are better.

    >>> from alinea import reorder
    >>> gold = reorder.GoldStandard(["I am going home"], ["0-0 2-2 3-1"])
    >>> scores = gold.evaluate([[0, 3, 1, 2]], samples=0)
    >>> scores.scores["kendall"], scores.baseline.scores["kendall"].__round__(3)
    (1.0, 0.667)

    Attributes:
        scores: All scores of the text, by name; ``None`` without sentences that have one, and where words are missing.
        sentences: Those of each sentence that has an order (:attr:`GoldStandard.numbers`), a row for each, a column for
            each of :data:`SCORES`; not a number where a sentence has none.
        ranked: How many sentences ``frs``, ``tau`` and ``complete`` are of.
        estimates: All scores with intervals, by name; empty if no samples were drawn.
        differences: All scores minus those of the source order, by name; also empty for the source order itself.
        baseline: The scores of the source order; ``None`` for the source order itself.
    """

    scores: dict[Score, float | None]
    sentences: NDArray[np.float64] = field(repr=False)
    ranked: int
    estimates: dict[Score, Estimate] = field(repr=False)
    differences: dict[Score, Estimate] = field(repr=False)
    baseline: OrderScores | None = field(repr=False)

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each score, for data frames: the value, that of the source order, and the difference.

        >>> from alinea import reorder
        >>> import pandas
        >>> gold = reorder.GoldStandard(["I am going home"], ["0-0 2-2 3-1"])
        >>> frame = pandas.DataFrame(gold.evaluate([[0, 3, 1, 2]], samples=0).rows()).set_index("score")
        >>> frame.loc["kendall", ["value", "baseline", "difference"]].round(3).tolist()
        [1.0, 0.667, 0.333]
        """
        rows: list[dict[str, Any]] = []
        for score, value in self.scores.items():
            estimate, difference = self.estimates.get(score, _UNKNOWN), self.differences.get(score, _UNKNOWN)
            before = None if self.baseline is None else self.baseline.scores[score]
            rows.append(
                {
                    "score": score,
                    "value": value,
                    **ends(estimate.interval),
                    "standard_error": estimate.standard_error,
                    "baseline": before,
                    "difference": None if value is None or before is None else value - before,
                    **ends(difference.interval, "difference_"),
                    "p_value": difference.p_value,
                }
            )
        return rows

    def _repr_html_(self) -> str:
        head = ["", "value", "interval"]
        if self.baseline is not None:
            head += ["source order", "difference", "p"]
        rows = []
        for row in self.rows():
            # The number of chunks is no fraction.
            show = _html.number if row["score"] == "chunks" else _html.percent
            interval = "–" if row["low"] is None else f"[{show(row['low'], 2)}, {show(row['high'], 2)}]"
            cells = [row["score"], show(row["value"], 2), interval]
            if self.baseline is not None:
                cells += [show(row["baseline"], 2), show(row["difference"], 2), _html.number(row["p_value"])]
            rows.append(cells)
        caption = f"{len(self.sentences):,} sentences; frs, tau and complete are of {self.ranked:,}"
        return _html.table(caption, head, rows)


class GoldStandard:
    """The gold orders of a text, with which others are compared.

    >>> from alinea import reorder
    >>> gold = reorder.GoldStandard(["I am going home", "yes"], ["0-0 2-2 3-1", ""])
    >>> len(gold), gold.numbers.tolist()
    (2, [0])
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        source: Source | Sentences,
        links: Alignments,
        *,
        key: Key = "mean",
        incomparable: Incomparable = "skip",
    ) -> None:
        """Derives the orders from links.

        Args:
            source: The source sentences.
            links: The links of each.
            key: The number by which a word is sorted; see :func:`gold_orders`.
            incomparable: What to do where a word is linked around another; see :func:`gold_ranks`.

        Raises:
            Error: There are more or fewer sentences than links, or a link is outside its sentence.
            ParseError: A line of links is not in Pharaoh format.
            ConfigError: An option has a value that is not allowed.
        """
        native = source_of(source)._native
        self._native = _native.GoldStandard.of_links(native, arrays(links, "links"), key, incomparable)

    @classmethod
    def of_corpus(cls, corpus: TaskCorpus) -> GoldStandard:
        """Takes the orders of a corpus of the shared task.

        >>> from alinea import reorder
        >>> corpus = reorder.TaskCorpus.pack(["I am going home"], ["0-0 2-2 3-1"])
        >>> reorder.GoldStandard.of_corpus(corpus).evaluate([[0, 3, 2]], samples=0).scores["exact"]
        1.0

        Args:
            corpus: The corpus, with all orders known.

        Raises:
            Error: An order is hidden, as those of test data are.
        """
        gold = cls.__new__(cls)
        gold._native = _native.GoldStandard.of_corpus(corpus._corpus)
        return gold

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<GoldStandard of {len(self)} sentences, {len(self.numbers)} with an order>"

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The numbers, from 0, of the sentences that have an order: those with links.

        >>> from alinea import reorder
        >>> reorder.GoldStandard(["yes", "no"], ["", "0-0"]).numbers.tolist()
        [1]
        """
        return self._native.numbers

    @property
    def incomparable(self) -> int:
        """How many sentences ``frs``, ``tau`` and ``complete`` leave out, as a word is linked around another.

        >>> from alinea import reorder
        >>> reorder.GoldStandard(["a b"], ["0-0 0-2 1-1"]).incomparable
        1
        """
        return self._native.incomparable

    def evaluate(
        self,
        orders: Orders | os.PathLike[str],
        *,
        incomplete: bool = False,
        samples: int = 1000,
        confidence: float = 0.95,
        seed: int = 12345,
        threads: int = 0,
    ) -> OrderScores:
        """Evaluates orders against the gold standard, with the source order as a baseline.

        >>> from alinea import reorder
        >>> gold = reorder.GoldStandard(["a b c"] * 300, ["0-1 1-0 2-2"] * 300)
        >>> found = gold.evaluate([[1, 0, 2]] * 300)
        >>> found.scores["tau"], found.differences["tau"].value.__round__(3), found.differences["tau"].p_value < 0.01
        (1.0, 0.333, True)

        Args:
            orders: Positions of the words of each sentence, in their new order; words without links may be missing. Or
                a file: rows of the shared task (``*.conll``), otherwise a line of positions for each sentence.
            incomplete: Whether words with links may be missing, too. ``bleu``, ``hamming``, ``kendall`` and
                ``kendall-sqrt`` have a brevity penalty for that, and ``exact`` is 0; of the text, other scores are
                ``None``. In files of the shared task the rows that are left keep their numbers.
            samples: The number of samples of the bootstrap (Koehn 2004); 0 leaves intervals and differences out.
            confidence: The confidence level of the intervals, between 0 and 1.
            seed: Equal seeds draw equal samples.
            threads: The number of threads, 0 for one on each core. Results do not depend on it.

        Raises:
            Error: There are more or fewer orders than sentences, or one names a word twice, one that there is not, or
                lacks a word with links, unless that is allowed.
            ParseError: A line of a file is malformed.
            ConfigError: An option has a value that is not allowed.
            OSError: The file cannot be read.

        Warns:
            FewSegmentsWarning: Samples are drawn of fewer than 300 sentences. One has no intervals.
        """
        run = orders if isinstance(orders, os.PathLike) else column_of(orders, "orders")
        bootstrap = {"samples": samples, "seed": seed, "confidence": confidence} if samples else None
        baseline, judged, compared = self._native.evaluate(run, incomplete, bootstrap, threads)
        if bootstrap:
            warn_of_few(judged[0], "sentence")
        differences = {
            score: Estimate(*estimate, p_value)
            for score, (estimate, p_value) in zip(SCORES, compared, strict=bool(compared))
        }
        return _scores(judged, differences, _scores(baseline, {}, None))


def _scores(
    judged: tuple[int, list[float | None], NDArray[np.float64], list[_Estimated]],
    differences: dict[Score, Estimate],
    baseline: OrderScores | None,
) -> OrderScores:
    ranked, scores, sentences, estimates = judged
    return OrderScores(
        scores=dict(zip(SCORES, scores, strict=True)),
        sentences=sentences,
        ranked=ranked,
        estimates={score: Estimate(*estimate) for score, estimate in zip(SCORES, estimates, strict=bool(estimates))},
        differences=differences,
        baseline=baseline,
    )


_Estimated: TypeAlias = tuple[float | None, tuple[float, float] | None, float | None]

for _class in (Estimate, GoldStandard, OrderScores):
    _class.__module__ = "alinea.reorder"
del _class
