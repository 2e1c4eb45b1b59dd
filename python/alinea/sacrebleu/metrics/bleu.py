"""BLEU (Papineni et al. 2002) with the interface of sacreBLEU (Post 2018).

``BLEU``, ``BLEUScore`` and ``BLEUSignature`` have the attributes, hooks and output of ``sacrebleu.metrics.bleu``.
Counting and resampling are native (crate ``alinea-metric``, module ``metric::bleu``), unless a subclass overrides the
counting of segments, see ``counted.py``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from alinea import _errors, _native
from alinea.sacrebleu.metrics.base import Score, Signature
from alinea.sacrebleu.metrics.counted import CountedMetric
from alinea.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, NativeTokenizer, named

__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature"]

_logger = logging.getLogger("sacrebleu")

MAX_NGRAM_ORDER = 4
"""The longest n-grams."""

_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}
_LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}


def _get_tokenizer(name: str) -> Callable[[], BaseTokenizer]:
    """The class of a tokenizer."""
    if name not in _TOKENIZERS:
        allowed = ", ".join(_TOKENIZERS)
        raise _errors.ConfigError(f"tokenizer = {name}: must be {allowed}", "tokenizer", str(name), allowed)
    module, class_ = _TOKENIZERS[name].split(".")
    found: Callable[[], BaseTokenizer] = getattr(import_module(f"alinea.sacrebleu.tokenizers.{module}"), class_)
    return found


class BLEUSignature(Signature):
    """The choices that BLEU depends on."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}
        smoothing, value = args["smooth_method"], args["smooth_value"]
        default = BLEU.SMOOTH_DEFAULTS[smoothing]
        if default is not None:
            smoothing = f"{smoothing}[{default if value is None else value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smoothing,
        }


class BLEUScore(Score):
    """A score of BLEU, and its parts.

    Attributes:
        counts: Matches of each order.
        totals: N-grams of each order.
        precisions: Their ratio in percent, smoothed.
        bp: The brevity penalty.
        sys_len: Tokens of the hypotheses.
        ref_len: Tokens of the references, of those of closest length.
        ratio: The ratio of the lengths.
        prec_str: The precisions, for display.
    """

    def __init__(
        self,
        score: float,
        counts: list[float],
        totals: list[float],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        lengths = f"ratio = {self.ratio:.3f} hyp_len = {sys_len:d} ref_len = {ref_len:d}"
        self._verbose = f"{self.prec_str} (BP = {bp:.3f} {lengths})"


class BLEU(CountedMetric[BLEUScore]):
    """BLEU.

    >>> from alinea.sacrebleu import BLEU
    >>> bleu = BLEU()
    >>> bleu.corpus_score(["The cat sat on the mat."], [["The cat sat on a mat."]])
    BLEU = 48.89 85.7/66.7/40.0/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)
    >>> print(bleu.get_signature())  # doctest: +ELLIPSIS
    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:alinea-...

    Args:
        lowercase: Whether case is ignored.
        force: Whether text that looks tokenized is fine, without a warning.
        tokenize: The tokenizer; without it, the one for ``trg_lang``, or else ``"13a"``.
        smooth_method: The smoothing of orders without a match: ``"exp"``, ``"floor"``, ``"add-k"`` or ``"none"``.
        smooth_value: The parameter of ``"floor"`` (0.1) and ``"add-k"`` (1).
        max_ngram_order: The longest n-grams.
        effective_order: Whether orders longer than the text are left out, recommended for single sentences.
        trg_lang: The language of the hypotheses.
        references: Streams of references, for scores without them.
    """

    SMOOTH_DEFAULTS: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}  # noqa: RUF012
    TOKENIZERS = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # noqa: RUF012
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__()
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        _native_smoothing(smooth_method, smooth_value)
        of_language = self._TOKENIZER_MAP.get(trg_lang)
        if tokenize is not None and of_language not in (None, tokenize):
            _logger.warning("%s wants the tokenizer %r or 'spm'.", _LANGUAGES[trg_lang], of_language)
        if tokenize is None:
            tokenize = of_language or self.TOKENIZER_DEFAULT
        self.tokenizer = _get_tokenizer(tokenize)()
        self.tokenizer_signature = self.tokenizer.signature()
        self._native_metric(preprocessed=True)
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _native_metric(self, preprocessed: bool) -> _native.Metric:
        tokenizer = named("none")
        if not preprocessed and isinstance(self.tokenizer, NativeTokenizer):
            tokenizer = self.tokenizer._native
        return _native_bleu(
            self.max_ngram_order,
            tokenizer,
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            self.lowercase and not preprocessed,
        )

    def _whole_numbers(self) -> int:
        return 2 + 2 * self.max_ngram_order

    def _reads_natively(self) -> bool:
        home = type(self.tokenizer).__module__
        return home.startswith("alinea.sacrebleu.tokenizers.") and super()._reads_natively()

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """The score of sums.

        >>> from alinea.sacrebleu import BLEU
        >>> BLEU.compute_bleu([9, 7, 5, 3], [10, 8, 6, 4], 11, 11).score
        83.75922397086269

        Args:
            correct: Matches of each order.
            total: N-grams of each order.
            sys_len: Tokens of the hypotheses.
            ref_len: Tokens of the references.
            smooth_method: What is done where nothing matches.
            smooth_value: Its parameter.
            effective_order: Whether orders without n-grams are left out.
            max_ngram_order: The longest n-grams.
        """
        native = _native_bleu(
            max_ngram_order, named("none"), smooth_method, smooth_value, effective_order, lowercase=False
        )
        counts, totals = list(correct), list(total)
        sums = np.array([[sys_len, ref_len, *counts[:max_ngram_order], *totals[:max_ngram_order]]], dtype=np.float64)
        precisions, penalty = native.parts(sums)
        (score,) = native.scores(sums)
        if smooth_method == "add-k" and any(counts) and totals[0]:
            added: Any = BLEU.SMOOTH_DEFAULTS["add-k"] if smooth_value is None else smooth_value
            for order in range(1, max_ngram_order):
                counts[order] += added
                totals[order] += added
                if totals[order] == 0:
                    break
        return BLEUScore(score, [*counts], [*totals], precisions, penalty, sys_len, ref_len)

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        orders = self.max_ngram_order
        return self.compute_bleu(
            correct=stats[2 : 2 + orders],
            total=stats[2 + orders :],
            sys_len=int(stats[0]),
            ref_len=int(stats[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=orders,
        )

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """Scores one segment, for which ``effective_order`` should be set.

        Args:
            hypothesis: The translation.
            references: Its references.
        """
        if not self.effective_order:
            _logger.warning("BLEU of single sentences wants `effective_order`.")
        return super().sentence_score(hypothesis, references)


def _native_smoothing(method: str, value: float | None) -> float | None:
    """The parameter that the native metric takes."""
    if method not in BLEU.SMOOTH_DEFAULTS:
        allowed = ", ".join(BLEU.SMOOTH_DEFAULTS)
        message = f"smooth_method = {method}: must be {allowed}"
        raise _errors.ConfigError(message, "smooth_method", str(method), allowed)
    default = BLEU.SMOOTH_DEFAULTS[method]
    return None if default is None else float(default if value is None else value)


def _native_bleu(
    orders: int,
    tokenizer: _native.Tokenizer,
    smooth_method: str,
    smooth_value: float | None,
    effective_order: bool,
    lowercase: bool,
) -> _native.Metric:
    return _native.Metric.bleu(
        tokenizer=tokenizer,
        smoothing=smooth_method,
        smoothing_value=_native_smoothing(smooth_method, smooth_value),
        weights=[1 / max(orders, 1)] * orders,
        effective_order=effective_order,
        lowercase=lowercase,
    )
