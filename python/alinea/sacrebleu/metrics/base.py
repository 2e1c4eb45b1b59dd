"""Scores, signatures, and what metrics have in common.

A :class:`Metric` reduces each segment to statistics, a row of numbers, and makes scores of their sums. Users derive
their own metrics from it, written in Python; those of this package derive from
:class:`~alinea.sacrebleu.metrics.counted.CountedMetric`, which counts natively.
"""

from __future__ import annotations

import json
import logging
import statistics
from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, NoReturn, TypeVar

from alinea import _errors, _native

__all__ = ["Metric", "Score", "Signature"]

_logger = logging.getLogger("sacrebleu")

_TOKENIZED_LINES = 100
_VARIABLE = -1


class Score:
    """The value of a metric, and what stands behind it.

    >>> from alinea.sacrebleu.metrics.base import Score
    >>> Score("BLEU", 23.456)
    BLEU = 23.46

    Attributes:
        name: The name of the metric.
        score: The value.
    """

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        # Mean and half the width of an interval, once there is one; what a line for people says behind the score.
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score as a line, or as JSON with the fields of the signature.

        Args:
            width: Decimals.
            score_only: Whether the line has nothing but the score and its interval; not for JSON.
            signature: The signature of the metric.
            is_json: Whether the text is JSON.
        """
        fields: dict[str, Any] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": signature,
        }
        text = f"{self.score:.{width}f}"
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half}"
            text = f"{text} ({interval})"
            fields |= {"confidence_mean": float(mean), "confidence_var": float(half), "confidence": interval}
        if self._verbose:
            fields["verbose_score"] = self._verbose
        if score_only:
            return text
        if is_json:
            fields |= dict(field.split(":") for field in signature.split("|"))
            return json.dumps(fields, indent=1, ensure_ascii=False)
        name = f"{self.name}|{signature}" if signature else self.name
        return " ".join([f"{name} = {text}", *([self._verbose] if self._verbose else [])])

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Takes the interval in which 95 % of the scores of samples lie for that of this score."""
        ordered = sorted(score.score for score in scores)
        if len({type(score) for score in ordered}) > 1:
            ordered = [float(score) for score in ordered]
        cut = len(ordered) // 40
        self._ci = 0.5 * (ordered[len(ordered) - cut - 1] - ordered[cut])
        self._mean = statistics.mean(ordered)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """The choices that a score depends on, with the version of this library at the end.

    Attributes:
        info: The choices by name; those that are ``None`` are left out.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        self._abbr = {
            "version": "v",
            "nrefs": "#",
            "test": "t",
            "lang": "l",
            "subset": "S",
            "origlang": "o",
            "bs": "bs",
            "ar": "ar",
            "seed": "rs",
        }
        if "num_refs" not in args:
            raise ValueError("the number of references is not known before something was scored")
        references = args["num_refs"]
        self.info: dict[str, Any] = {
            "version": f"alinea-{_native.__version__}",
            "nrefs": "var" if references == _VARIABLE else references,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """The signature in one line, with abbreviated names if it should be short."""
        names = [*(name for name in self.info if name != "version"), "version"]
        fields = []
        for name in names:
            value = self.info[name]
            if isinstance(value, bool):
                value = "yes" if value else "no"
            if value is not None:
                fields.append(f"{self._abbr[name] if short else name}:{value}")
        return "|".join(fields)

    def update(self, key: str, value: Any) -> None:
        """Sets a choice."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


ScoreT = TypeVar("ScoreT", bound=Score)


class Metric(Generic[ScoreT], metaclass=ABCMeta):
    """A metric. Classes derived from it say how segments are read, counted and scored."""

    _SIGNATURE_TYPE: type[Signature] = Signature

    num_refs: int

    def __init__(self) -> None:
        self._ref_cache: Any = None
        # Whether text that looks tokenized is fine.
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    def _check_sentence_score_args(self, hyp: object, refs: object) -> None:
        if not isinstance(hyp, str):
            self._refuse("the hypothesis is a str")
        if isinstance(refs, str) or not isinstance(refs, Sequence):
            self._refuse("the references are a sequence of str")
        if not all(isinstance(ref, str) or ref is None for ref in refs):
            self._refuse("a reference is a str")

    def _check_corpus_score_args(self, hyps: object, refs: object) -> None:
        if isinstance(hyps, str) or not isinstance(hyps, Sequence):
            self._refuse("hypotheses are a sequence of str")
        if not hyps:
            raise _errors.Error("no segments to score: there are no hypotheses")
        if not all(isinstance(hyp, str) for hyp in hyps):
            self._refuse("a hypothesis is a str")
        if refs is None:
            return
        if isinstance(refs, str) or not isinstance(refs, Sequence):
            self._refuse("references are a sequence of streams, each with a reference for each segment")
        for stream in refs:
            if isinstance(stream, str) or not isinstance(stream, Sequence):
                self._refuse("a stream of references is a sequence of str, one for each segment")
            if not all(isinstance(ref, str) or ref is None for ref in stream):
                self._refuse("a reference is a str, or None where a stream has none")

    def _refuse(self, what: str) -> NoReturn:
        raise TypeError(f"{type(self).__name__}: {what}")

    @abstractmethod
    def _aggregate_and_compute(self, stats: Any) -> ScoreT:
        """The score of segments."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> ScoreT:
        """The score of sums."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """A line as it is counted."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """What counting needs of the references of a segment."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> Any:
        """The statistics of a segment."""

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        """Reads references for all systems to come."""
        return [
            self._extract_reference_info([self._preprocess_segment(line) for line in lines])
            for lines in self._segments(references)
        ]

    def _segments(self, references: Sequence[Sequence[str | None]]) -> list[list[str]]:
        """The references of each segment."""
        lengths = {len(stream) for stream in references}
        if len(lengths) > 1:
            first, other = len(references[0]), next(len(s) for s in references if len(s) != len(references[0]))
            raise _errors.Error(f"unequal lengths: one stream of references has {first} segments, another has {other}")
        segments = [[line for line in lines if line is not None] for lines in zip(*references, strict=True)]
        counts = {len(lines) for lines in segments}
        self.num_refs = counts.pop() if len(counts) == 1 else _VARIABLE
        return segments

    def _references(self, references: Sequence[Sequence[str | None]] | None) -> Any:
        if references:
            return self._cache_references(references)
        if self._ref_cache:
            return self._ref_cache
        raise RuntimeError("no references: neither are they given, nor was the metric made with some")

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        """The statistics of each segment."""
        cache = self._references(references)
        if len(cache) != len(hypotheses):
            message = (
                f"unequal lengths: there are {len(hypotheses)} hypotheses, and references for {len(cache)} segments"
            )
            raise _errors.Error(message)
        self._warn_of_tokens(hypotheses)
        return [
            self._compute_segment_statistics(self._preprocess_segment(hypothesis), info)
            for hypothesis, info in zip(hypotheses, cache, strict=True)
        ]

    def _warn_of_tokens(self, hypotheses: Sequence[str]) -> None:
        if not self._force and sum(line.endswith(" .") for line in hypotheses) >= _TOKENIZED_LINES:
            _logger.warning("%s lines or more end in a period with a blank before it.", _TOKENIZED_LINES)
            _logger.warning("Text is expected as people read it; scores of tokenized text are others.")
            _logger.warning("If it is meant so, `force` ends these warnings.")

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> ScoreT:
        """Scores one segment.

        Args:
            hypothesis: The translation.
            references: Its references.
        """
        self._check_sentence_score_args(hypothesis, references)
        stats = self._extract_corpus_statistics([hypothesis], [[reference] for reference in references])
        return self._aggregate_and_compute(stats)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> ScoreT:
        """Scores all segments together.

        Args:
            hypotheses: The translations.
            references: Streams of references, each with one for each segment, ``None`` where it has none. Without them,
                those that the metric was made with.
            n_bootstrap: How many samples the interval is estimated by; none if there are fewer than two.
        """
        self._check_corpus_score_args(hypotheses, references)
        stats = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(stats)
        if n_bootstrap > 1:
            from alinea.sacrebleu.significance import _bootstrap_resample  # noqa: PLC0415

            self.n_bootstrap = n_bootstrap
            self.seed, samples = _bootstrap_resample(stats, self, n_bootstrap)
            score.estimate_ci(samples)
        return score

    def get_signature(self) -> Signature:
        """The signature of what was scored last."""
        return self._SIGNATURE_TYPE(self.__dict__)
