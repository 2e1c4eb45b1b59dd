"""A function for each metric that compares words but BLEU."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from alinea.metrics._metrics import SEED, Generator, Score, Tokenizer
from alinea.metrics._text import Lines, References
from alinea.metrics._words import Gleu, Lepor, Meteor, Nist, Order, OrderName, Ribes, Synonyms


def gleu(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    tokenizer: str | Tokenizer = "13a",
    shortest: int = 1,
    longest: int = 4,
    lowercase: bool = False,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """GLEU; :class:`Gleu` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import gleu
    >>> gleu(["the cat sat"], references=["the cat sat down"]).value
    0.6
    """
    metric = Gleu(tokenizer, shortest, longest, lowercase)
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


def nist(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    tokenizer: str | Tokenizer = "13a",
    order: int = 5,
    several: Literal["together", "nltk"] = "together",
    lowercase: bool = False,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """NIST; :class:`Nist` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import nist
    >>> round(nist(["the cat sat", "a dog ran"], references=["the cat sat down", "the dog ran"]).value, 4)
    2.1918
    """
    metric = Nist(tokenizer, order, several, lowercase)
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


def ribes(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    tokenizer: str | Tokenizer = "13a",
    alpha: float = 0.25,
    beta: float = 0.1,
    correlation: Literal["tau", "rho", "rho-nltk"] = "tau",
    lowercase: bool = False,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """RIBES; :class:`Ribes` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import ribes
    >>> ribes(["Bob hit John yesterday"], references=["John hit Bob yesterday"]).value
    0.5
    """
    metric = Ribes(tokenizer, alpha, beta, correlation, lowercase)
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


def meteor(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    tokenizer: str | Tokenizer = "13a",
    alpha: float = 0.9,
    beta: float = 3,
    gamma: float = 0.5,
    stemmer: Literal["nltk", "author", "original"] | None = "nltk",
    synonyms: Synonyms | None = None,
    synonym_lookup: Literal["words", "stems"] = "words",
    lowercase: bool = True,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """METEOR; :class:`Meteor` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import meteor
    >>> meteor(["the cats sat"], references=["The cat sat"]).value == 1 - 0.5 * (1 / 3) ** 3
    True
    """
    metric = Meteor(tokenizer, alpha, beta, gamma, stemmer, synonyms, synonym_lookup, lowercase)
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


def lepor(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    tokenizer: str | Tokenizer = "13a",
    alpha: float = 1,
    beta: float = 1,
    kind: Literal["paper", "nltk"] = "paper",
    lowercase: bool = False,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """LEPOR; :class:`Lepor` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import lepor
    >>> round(lepor(["the cat sat"], references=["the cat sat down"]).value, 4)
    0.5199
    """
    metric = Lepor(tokenizer, alpha, beta, kind, lowercase)
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


def order(
    hypotheses: Lines,
    *,
    references: References | None = None,
    reference_streams: Iterable[Lines] | None = None,
    kind: OrderName = "kendall-sqrt",
    tokenizer: str | Tokenizer = "13a",
    alpha: float = 0,
    beta: float = 1,
    lowercase: bool = False,
    segments: bool = False,
    confidence: int | None = None,
    seed: int = SEED,
    generator: Generator = "numpy",
    threads: int = 0,
) -> Score:
    """A score of the order of words; :class:`Order` says what the options are, and its method ``score`` the rest.

    >>> from alinea.metrics import order
    >>> order(["yesterday Bob hit John"], references=["Bob hit John yesterday"], kind="kendall").value
    0.5
    """
    metric = Order(kind, tokenizer, alpha, beta, lowercase)
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
