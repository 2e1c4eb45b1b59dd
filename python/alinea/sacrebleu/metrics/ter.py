"""TER (Snover et al. 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alinea import _native
from alinea.sacrebleu.metrics.base import Score, Signature
from alinea.sacrebleu.metrics.counted import CountedMetric
from alinea.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from alinea.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

__all__ = ["TER", "TERScore", "TERSignature"]


class TERSignature(Signature):
    """The choices that TER depends on."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """A score of TER.

    Attributes:
        num_edits: Edits.
        ref_length: Words of the references, of each segment the mean.
    """

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(CountedMetric[TERScore]):
    """TER; less is better.

    >>> from alinea.sacrebleu import TER
    >>> TER().corpus_score(["yesterday we saw a house"], [["we saw the house yesterday"]])
    TER = 40.00

    Args:
        normalized: Whether punctuation is set apart.
        no_punct: Whether punctuation is deleted.
        asian_support: Whether the two above know Chinese and Japanese.
        case_sensitive: Whether case is significant.
        references: Streams of references, for scores without them.
    """

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer: BaseTokenizer = TercomTokenizer(normalized, no_punct, asian_support, case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _native_metric(self, preprocessed: bool) -> _native.Metric:
        return _native.Metric.ter(
            normalized=self.normalized and not preprocessed,
            no_punctuation=self.no_punct and not preprocessed,
            asian_support=self.asian_support and not preprocessed,
            case_sensitive=self.case_sensitive or preprocessed,
        )

    def _whole_numbers(self) -> int:
        return 1

    def _reads_natively(self) -> bool:
        return type(self.tokenizer) is TercomTokenizer and super()._reads_natively()

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _compute_score_from_stats(self, stats: Any) -> TERScore:
        edits, length = stats[0], stats[1]
        (score,) = self._native_metric(preprocessed=True).scores(np.array([[edits, length]], dtype=np.float64))
        return TERScore(score, edits, length)
