"""LEPOR (Han, Wong and Chao 2012), as NLTK computes it: length, order, precision and recall.

>>> from alinea.nltk.lepor import sentence_lepor
>>> [round(score, 4) for score in sentence_lepor(["the cat sat down", "a cat sat"], "the cat sat")]
[0.9316, 0.5338]

Scores can be more than 1, and lower where lengths are equal: the length penalty of NLTK grows with the difference. Of
several equal words it takes the farthest. The command ``alinea metric`` has LEPOR by its definition.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from alinea import _native
from alinea.nltk._words import word_tokenize
from alinea.nltk.bleu_score import check_lengths

__all__ = [
    "MAX_LEPOR_ALIGN_WORK",
    "alignment",
    "corpus_lepor",
    "harmonic",
    "length_penalty",
    "ngram_positional_penalty",
    "sentence_lepor",
]

MAX_LEPOR_ALIGN_WORK = 4_000_000
"""The most pairs of equal words of a hypothesis and a reference: time grows with their number."""


def length_penalty(reference: Sequence[Any], hypothesis: Sequence[Any]) -> float:
    """Returns the factor for unequal lengths, from 1 to e.

    >>> from alinea.nltk.lepor import length_penalty
    >>> length_penalty("abc", "xyz"), round(length_penalty("abcd", "ab"), 4)
    (1, 1.6487)
    """
    shorter, longer = sorted((len(reference), len(hypothesis)))
    return 1 if shorter == longer else math.exp(1 - shorter / longer)


def alignment(ref_tokens: Sequence[Any], hyp_tokens: Sequence[Any]) -> list[int]:
    """Returns for each word of the hypothesis that the reference has its position there, from 1.

    Of several positions, those with an equal neighbor go first, then the farthest.

    >>> from alinea.nltk.lepor import alignment
    >>> alignment(["the", "cat", "the"], ["the", "dog"])
    [3]

    Raises:
        ValueError: There are more pairs of equal words than ``MAX_LEPOR_ALIGN_WORK``.
    """
    _check_work(ref_tokens, hyp_tokens)
    return [place + 1 for place in _native.lepor_alignment(ref_tokens, hyp_tokens)]


def _check_work(reference: Sequence[Any], hypothesis: Sequence[Any]) -> None:
    if len(reference) * len(hypothesis) <= MAX_LEPOR_ALIGN_WORK:
        return
    counts = Counter(reference)
    pairs = sum(counts[token] for token in hypothesis)
    if pairs > MAX_LEPOR_ALIGN_WORK:
        raise ValueError(
            f"{pairs} pairs of equal words: allowed are {MAX_LEPOR_ALIGN_WORK}, the value of "
            "alinea.nltk.lepor.MAX_LEPOR_ALIGN_WORK"
        )


def ngram_positional_penalty(ref_tokens: Sequence[Any], hyp_tokens: Sequence[Any]) -> tuple[float, int]:
    """Returns the factor for words in other positions, and the number of aligned words.

    >>> from alinea.nltk.lepor import ngram_positional_penalty
    >>> ngram_positional_penalty(["a", "b"], ["a", "b"])
    (1.0, 2)
    """
    places = alignment(ref_tokens, hyp_tokens)
    distances = (abs(i / len(hyp_tokens) - place / len(ref_tokens)) for i, place in enumerate(places, 1))
    return math.exp(-sum(distances) / len(hyp_tokens)), len(places)


def harmonic(match_count: int, reference_length: int, hypothesis_length: int, alpha: float, beta: float) -> float:
    """Returns the weighted harmonic mean of recall and precision.

    >>> from alinea.nltk.lepor import harmonic
    >>> round(harmonic(2, 4, 2, 1, 1), 4)
    0.6667

    Args:
        match_count: How many words match.
        reference_length: The words of the reference.
        hypothesis_length: The words of the hypothesis.
        alpha: The weight of recall.
        beta: The weight of precision.
    """
    least = sys.float_info.epsilon
    precision, recall = match_count / hypothesis_length, match_count / reference_length
    return (alpha + beta) / (alpha / (recall + least) + beta / (precision + least))


def sentence_lepor(
    references: Sequence[str],
    hypothesis: str,
    alpha: float = 1.0,
    beta: float = 1.0,
    tokenizer: Callable[[str], Sequence[Any]] | None = None,
) -> list[float]:
    """Scores one sentence by each of its references.

    Args:
        references: The references, as lines.
        hypothesis: What is scored, as a line.
        alpha: The weight of recall, at least 0.
        beta: The weight of precision, at least 0, and not both.
        tokenizer: What makes tokens of lines. By default the rules of the Penn Treebank do, for each line as one
            sentence; NLTK divides lines into sentences first.

    Raises:
        ValueError: A sentence is empty, or words repeat too often (see :func:`alignment`).
    """
    tokenize = tokenizer or word_tokenize
    words = tokenize(hypothesis)
    others = [tokenize(reference) for reference in references]
    if not words or not all(others):
        raise ValueError("LEPOR has no value for a hypothesis or a reference without words")
    for other in others:
        _check_work(other, words)
    return _native.lepor(others, words, alpha, beta)


def corpus_lepor(
    references: Sequence[Sequence[str]],
    hypothesis: Sequence[str],
    alpha: float = 1.0,
    beta: float = 1.0,
    tokenizer: Callable[[str], Sequence[Any]] | None = None,
) -> list[list[float]]:
    """Scores each sentence of a corpus by each of its references; arguments as of :func:`sentence_lepor`.

    >>> from alinea.nltk.lepor import corpus_lepor
    >>> scores = corpus_lepor([["the cat sat"], ["it rained"]], ["the cat sat", "it rained"], tokenizer=str.split)
    >>> [round(score, 4) for (score,) in scores]
    [1.0, 1.0]

    Raises:
        AssertionError: The numbers of hypotheses and of lists of references differ.
        ValueError: The corpus is empty, or see :func:`sentence_lepor`.
    """
    if not references or not hypothesis:
        raise ValueError("LEPOR has no value for an empty corpus")
    check_lengths(references, hypothesis)
    pairs = zip(references, hypothesis, strict=True)
    return [sentence_lepor(several, line, alpha, beta, tokenizer) for several, line in pairs]
