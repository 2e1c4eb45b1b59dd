"""RIBES (Isozaki et al. 2010): are the words that hypothesis and reference share in the same order?

>>> from alinea.nltk.ribes_score import kendall_tau, sentence_ribes, word_rank_alignment
>>> reference, hypothesis = "John hit Bob yesterday".split(), "Bob hit John yesterday".split()
>>> word_rank_alignment(reference, hypothesis)
[2, 1, 0, 3]
>>> kendall_tau([2, 1, 0, 3]), sentence_ribes([reference], hypothesis)
(0.5, 0.5)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from alinea import _native

__all__ = [
    "MAX_ALIGNMENT_LEN",
    "corpus_ribes",
    "find_increasing_sequences",
    "kendall_tau",
    "position_of_ngram",
    "sentence_ribes",
    "spearman_rho",
    "word_rank_alignment",
]

MAX_ALIGNMENT_LEN = 2000
"""The most tokens of a sentence: where the same ones come again and again, time grows with the square of the length."""


def sentence_ribes(
    references: Sequence[Sequence[Any]], hypothesis: Sequence[Any], alpha: float = 0.25, beta: float = 0.10
) -> float:
    """Scores one sentence, from 0 to 1, by the reference that is best for it.

    Args:
        references: The references.
        hypothesis: What is scored.
        alpha: The exponent of the precision, at least 0.
        beta: The exponent of the brevity penalty, at least 0.
    """
    if not references or not hypothesis:
        return 0.0
    _check_lengths(hypothesis, *references)
    return _native.ribes([references], [hypothesis], alpha, beta)[0]


def corpus_ribes(
    list_of_references: Sequence[Sequence[Sequence[Any]]],
    hypotheses: Sequence[Sequence[Any]],
    alpha: float = 0.25,
    beta: float = 0.10,
) -> float:
    """Scores a corpus: the mean over its sentences; arguments as of :func:`sentence_ribes`.

    Raises:
        ValueError: The numbers of hypotheses and of lists of references differ, or a sentence is too long.
    """
    if not hypotheses:
        return 0.0
    if len(list_of_references) != len(hypotheses):
        raise ValueError(
            f"the number of reference sets is {len(list_of_references)}, the number of hypotheses {len(hypotheses)}: "
            "number of reference sets and of hypotheses must be equal"
        )
    for references, hypothesis in zip(list_of_references, hypotheses, strict=True):
        if hypothesis:
            _check_lengths(hypothesis, *references)
    scores = _native.ribes(list_of_references, hypotheses, alpha, beta)
    total = 0.0
    for score in scores:
        total += score
    return total / len(hypotheses)


def word_rank_alignment(
    reference: Sequence[Any],
    hypothesis: Sequence[Any],
    character_based: bool = False,  # noqa: ARG001
) -> list[int]:
    """Returns the positions in the reference of the words of the hypothesis, in the order of the hypothesis.

    Words that occur once on each side are aligned; others by the smallest context to the right or to the left that
    occurs once on each side. Words for which there is none are left out.

    Args:
        reference: The reference.
        hypothesis: The hypothesis.
        character_based: Has no meaning, as in NLTK.

    Raises:
        ValueError: A sentence has more than ``MAX_ALIGNMENT_LEN`` tokens.
    """
    _check_lengths(reference, hypothesis)
    try:
        return _native.rank_alignment(reference, hypothesis)
    except TypeError:
        # Tokens without a hash are compared with each other.
        tokens = [*reference, *hypothesis]
        numbers = [tokens.index(token) for token in tokens]
        return _native.rank_alignment(numbers[: len(reference)], numbers[len(reference) :])


def _check_lengths(*sentences: Sequence[Any]) -> None:
    for sentence in sentences:
        if len(sentence) > MAX_ALIGNMENT_LEN:
            raise ValueError(
                f"a sentence of {len(sentence)} tokens: allowed are {MAX_ALIGNMENT_LEN}, the value of "
                "alinea.nltk.ribes_score.MAX_ALIGNMENT_LEN"
            )


def position_of_ngram(ngram: tuple[Any, ...], sentence: Sequence[Any]) -> int | None:
    """Returns where an n-gram first begins in a sentence, or ``None``.

    >>> from alinea.nltk.ribes_score import position_of_ngram
    >>> position_of_ngram(("read", "the"), "he read the book".split())
    1
    """
    n = len(ngram)
    starts = range(len(sentence) - n + 1)
    return next((start for start in starts if tuple(sentence[start : start + n]) == ngram), None)


def find_increasing_sequences(worder: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Yields the stretches of at least two positions that follow one another.

    >>> from alinea.nltk.ribes_score import find_increasing_sequences
    >>> list(find_increasing_sequences([7, 8, 9, 6, 0, 1]))
    [(7, 8, 9), (0, 1)]
    """
    stretch: list[int] = []
    for position in worder:
        if stretch and stretch[-1] + 1 != position:
            if len(stretch) > 1:
                yield tuple(stretch)
            stretch = []
        stretch.append(position)
    if len(stretch) > 1:
        yield tuple(stretch)


def kendall_tau(worder: Sequence[int], normalize: bool = True) -> float:
    """Returns Kendall's tau of positions: twice the share of pairs that rise, less one.

    >>> from alinea.nltk.ribes_score import kendall_tau
    >>> kendall_tau([0, 2, 4]), kendall_tau([3, 2, 1, 0], normalize=False)
    (1.0, -1.0)

    Args:
        worder: The positions; the value of fewer than two is the least one.
        normalize: Whether the value is brought from -1 to 1 into 0 to 1.
    """
    # Only the order matters.
    ranks = {position: rank for rank, position in enumerate(sorted(set(worder)))}
    tau = _native.kendall_tau([ranks[position] for position in worder])
    return (tau + 1) / 2 if normalize else tau


def spearman_rho(worder: Sequence[int], normalize: bool = True) -> float:
    """Returns Spearman's rho, with positions where ranks should be, as NLTK does.

    >>> from alinea.nltk.ribes_score import spearman_rho
    >>> spearman_rho([2, 1, 0]), spearman_rho([2, 1, 0], normalize=False)
    (0.0, -1.0)

    Args:
        worder: The positions.
        normalize: Whether the value is brought from -1 to 1 into 0 to 1. It can be less if words are not aligned.

    Raises:
        ZeroDivisionError: There are fewer than two positions.
    """
    squares = sum((position - rank) ** 2 for rank, position in enumerate(worder))
    rho = 1 - squares / math.comb(len(worder) + 1, 3)
    return (rho + 1) / 2 if normalize else rho
