"""Metrics that the native module counts.

Where a subclass changes how lines are read (``_preprocess_segment``, or a tokenizer of its own), its lines are counted;
where it changes the counting itself, segments go through its methods, one by one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from alinea import _native
from alinea.sacrebleu.metrics.base import Metric, ScoreT
from alinea.sacrebleu.utils import sum_of_lists

__all__ = ["CountedMetric", "SegmentStatistics"]

_COUNTING = ("_cache_references", "_extract_reference_info", "_compute_segment_statistics")
_SCORING = ("_aggregate_and_compute", "_compute_score_from_stats", "compute_bleu", "_compute_f_score")


class SegmentStatistics(Sequence[list[float]]):
    """The statistics of all segments, a list for each, in one array."""

    def __init__(self, rows: NDArray[np.float64], whole: int) -> None:
        self.rows = rows
        # So many numbers at the beginning of a list are integers.
        self._whole = whole

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, slice):
            return [self.numbers(row) for row in self.rows[item]]
        return self.numbers(self.rows[item])

    def numbers(self, row: Sequence[float] | NDArray[np.float64]) -> list[float]:
        """A row as a list."""
        return [int(value) if place < self._whole else float(value) for place, value in enumerate(row)]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.rows, dtype=dtype) if copy is not False else self.rows


class CountedMetric(Metric[ScoreT]):
    """A metric of the native module."""

    @abstractmethod
    def _native_metric(self, preprocessed: bool) -> _native.Metric:
        """The metric with these settings, for lines as users have them or as they are counted."""

    @abstractmethod
    def _whole_numbers(self) -> int:
        """How many numbers at the beginning of a row are integers."""

    def _own(self, names: Sequence[str]) -> bool:
        """Whether none of these methods is overridden."""
        home = next(base for base in type(self).__mro__ if base.__module__.startswith("alinea.sacrebleu.metrics."))
        return all(getattr(type(self), name, None) is getattr(home, name, None) for name in names)

    def _scores_natively(self) -> bool:
        return self._own(_SCORING)

    def _reads_natively(self) -> bool:
        return self._own(["_preprocess_segment"])

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        if not self._own(_COUNTING):
            return super()._cache_references(references)
        return self._segments(references)

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": list(refs)}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[float]:
        native = self._native_metric(preprocessed=True)
        (rows,), _ = native.measure([[hypothesis]], [ref_kwargs["references"]], 1)
        return SegmentStatistics(rows, self._whole_numbers()).numbers(rows[0])

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        if not self._own(_COUNTING):
            return super()._extract_corpus_statistics(hypotheses, references)
        cache = self._references(references)
        self._warn_of_tokens(hypotheses)
        raw = self._reads_natively()
        if not raw and len(cache) == len(hypotheses):
            hypotheses = [self._preprocess_segment(line) for line in hypotheses]
            cache = [[self._preprocess_segment(line) for line in lines] for lines in cache]
        (rows,), _ = self._native_metric(preprocessed=not raw).measure([hypotheses], cache, 0)
        return SegmentStatistics(rows, self._whole_numbers())

    def _aggregate_and_compute(self, stats: Any) -> ScoreT:
        if not isinstance(stats, SegmentStatistics):
            return self._compute_score_from_stats(sum_of_lists(stats))
        sums, _ = self._native_metric(preprocessed=True).total(stats.rows)
        return self._compute_score_from_stats(stats.numbers(sums))
