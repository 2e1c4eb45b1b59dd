"""ChrF (Popović 2015) and chrF++ (Popović 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alinea import _native
from alinea.sacrebleu.metrics.base import Score, Signature
from alinea.sacrebleu.metrics.counted import CountedMetric

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]


class CHRFSignature(Signature):
    """The choices that chrF depends on."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


class CHRFScore(Score):
    """A score of chrF.

    Attributes:
        char_order: The longest n-grams of characters.
        word_order: The longest n-grams of words.
        beta: The weight of recall relative to precision.
    """

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}{'+' * word_order}", score)


class CHRF(CountedMetric[CHRFScore]):
    """ChrF.

    >>> from alinea.sacrebleu import CHRF
    >>> CHRF(word_order=2).corpus_score(["the cats sat"], [["the cat sat"]])
    chrF2++ = 64.44

    Args:
        char_order: The longest n-grams of characters.
        word_order: The longest n-grams of words; with 2 the metric is chrF++.
        beta: The weight of recall relative to precision.
        lowercase: Whether case is ignored.
        whitespace: Whether blanks are characters.
        eps_smoothing: Whether each order has an F of its own, as in chrF++.py, NLTK and Moses.
        references: Streams of references, for scores without them.
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self._native_metric(preprocessed=True)
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _native_metric(self, preprocessed: bool) -> _native.Metric:
        return _native.Metric.chrf(
            character_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            whitespace=self.whitespace,
            epsilon_smoothing=self.eps_smoothing,
            lowercase=self.lowercase and not preprocessed,
        )

    def _whole_numbers(self) -> int:
        return 3 * self.order

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _compute_f_score(self, statistics: Sequence[float]) -> float:
        (score,) = self._native_metric(preprocessed=True).scores(np.array([statistics], dtype=np.float64))
        return score

    def _compute_score_from_stats(self, stats: Any) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)
