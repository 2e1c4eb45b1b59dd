"""chrF: F of n-grams of characters (Popović 2015), each segment and each order by itself.

This is the chrF of NLTK, from 0 to 1: the mean over orders and segments. sacreBLEU's adds counts up first, and is
another number.

>>> from alinea.nltk.chrf_score import corpus_chrf, sentence_chrf
>>> round(sentence_chrf("the cat sat", "the cats sat"), 4)
0.7589
>>> round(corpus_chrf(["the cat sat", "it rained"], ["the cats sat", "it was raining"]), 4)
0.5255
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from alinea import _native
from alinea.nltk.bleu_score import check_lengths

__all__ = ["chrf_precision_recall_fscore_support", "corpus_chrf", "sentence_chrf"]

_MOST_ORDERS = 32
"""The limit of native code."""


def sentence_chrf(
    reference: str | Iterable[str],
    hypothesis: str | Iterable[str],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Scores one sentence by one reference.

    Args:
        reference: The reference: a string, or tokens, between which stands a blank.
        hypothesis: The hypothesis, the same way.
        min_len: The fewest characters of an n-gram.
        max_len: The most.
        beta: The weight of recall relative to precision.
        ignore_whitespace: Whether blanks are left out.
    """
    return corpus_chrf([reference], [hypothesis], min_len, max_len, beta, ignore_whitespace)


def corpus_chrf(
    references: Sequence[str | Iterable[str]],
    hypotheses: Sequence[str | Iterable[str]],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Scores a corpus with one reference for each hypothesis; arguments are those of :func:`sentence_chrf`.

    Raises:
        AssertionError: There are more hypotheses than references, or fewer.
        ValueError: The corpus is empty, or there are no n-grams to look at.
    """
    check_lengths(references, hypotheses)
    if not hypotheses or not 1 <= min_len <= max_len:
        raise ValueError(f"no score of {len(hypotheses)} segments by n-grams of {min_len} to {max_len} characters")
    of_references, of_hypotheses = (
        [_line(text, ignore_whitespace) for text in texts] for texts in (references, hypotheses)
    )
    native = max_len <= _MOST_ORDERS and 0 <= beta < float("inf")
    if native and not _has_surrogates(of_references) and not _has_surrogates(of_hypotheses):
        by_order = _native.chrf(of_references, of_hypotheses, min_len, max_len, beta)
    else:
        by_order = [
            [
                chrf_precision_recall_fscore_support(reference, hypothesis, n, beta)[2]
                for reference, hypothesis in zip(of_references, of_hypotheses, strict=True)
            ]
            for n in range(min_len, max_len + 1)
        ]
    return sum(map(sum, by_order)) / len(by_order) / len(hypotheses)


def chrf_precision_recall_fscore_support(
    reference: Sequence[Any], hypothesis: Sequence[Any], n: int, beta: float = 3.0, epsilon: float = 1e-16
) -> tuple[float, float, float, int]:
    """Returns precision, recall and F of the n-grams of two sequences of anything, and the number of matches.

    >>> from alinea.nltk.chrf_score import chrf_precision_recall_fscore_support
    >>> chrf_precision_recall_fscore_support("abcd", "abd", 2)
    (0.5, 0.3333333333333333, 0.3448275862068965, 1)

    Args:
        reference: The reference.
        hypothesis: The hypothesis.
        n: How many symbols an n-gram has.
        beta: The weight of recall relative to precision.
        epsilon: What all three are if nothing matches.
    """
    totals = [max(len(sequence) - n + 1, 0) for sequence in (hypothesis, reference)]
    matches = _native.bleu_counts([[reference]], [hypothesis], n)[0][n - 1] if all(totals) else 0
    if matches == 0:
        return epsilon, epsilon, epsilon, 0
    precision, recall = matches / totals[0], matches / totals[1]
    factor = beta**2
    return precision, recall, (1 + factor) * (precision * recall) / (factor * precision + recall), matches


def _line(text: str | Iterable[str], ignore_whitespace: bool) -> str:
    line = text if isinstance(text, str) else " ".join(text)
    return "".join(line.split()) if ignore_whitespace else line


def _has_surrogates(lines: list[str]) -> bool:
    """Whether there are halves of characters, which native strings cannot hold."""
    try:
        "".join(lines).encode()
    except UnicodeEncodeError:
        return True
    return False
