"""A function for each metric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alinea.metrics._metrics import SEED, Bleu, Chrf, Generator, Score, Smoothing, Ter, Tokenizer
from alinea.metrics._text import Lines, References


def bleu(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    tokenizer: str | Tokenizer = "13a",
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    order: int = 4,
    weights: Sequence[float] | None = None,
    effective_order: bool = False,
    lowercase: bool = False,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """BLEU; :class:`Bleu` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import bleu
    >>> bleu(["it is raining again"], references=[["it is raining", "again it is raining"]]).value
    63.894310424627285
    >>> bleu(["it is raining again"], reference_streams=[["it is raining"], ["again it is raining"]]).value
    63.894310424627285
    """
    metric = Bleu(tokenizer, smoothing, smoothing_value, order, weights, effective_order, lowercase)
    return metric.score(
        hypotheses,
        references=references,
        reference_streams=reference_streams,
        segments=segments,
        confidence=confidence,
        seed=seed,
        generator=generator,
        threads=threads,
    )


def chrf(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    character_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    whitespace: bool = False,
    epsilon_smoothing: bool = False,
    lowercase: bool = False,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """chrF; :class:`Chrf` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import chrf
    >>> score = chrf(["the cats sat"], references=["the cat sat"], word_order=2)
    >>> score.name, round(score.value, 2)
    ('chrF2++', 64.44)
    """
    metric = Chrf(character_order, word_order, beta, whitespace, epsilon_smoothing, lowercase)
    return metric.score(
        hypotheses,
        references=references,
        reference_streams=reference_streams,
        segments=segments,
        confidence=confidence,
        seed=seed,
        generator=generator,
        threads=threads,
    )


def ter(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    normalized: bool = False,
    no_punctuation: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """TER; :class:`Ter` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import ter
    >>> ter(["yesterday we saw a house"], references=["we saw the house yesterday"]).value
    40.0
    """
    metric = Ter(normalized, no_punctuation, asian_support, case_sensitive)
    return metric.score(
        hypotheses,
        references=references,
        reference_streams=reference_streams,
        segments=segments,
        confidence=confidence,
        seed=seed,
        generator=generator,
        threads=threads,
    )
