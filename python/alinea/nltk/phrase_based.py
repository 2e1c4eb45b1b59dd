"""Pairs of phrases that an alignment allows (Koehn, Och and Marcu 2003, section 3; Och and Ney 2004).

A span of the source and a span of the target are a pair of phrases if at least one link has both ends inside them, and
no link has exactly one end inside. Words without links at the borders may be taken or left, each way giving a pair.

>>> from alinea.nltk.phrase_based import phrase_extraction
>>> for phrase in sorted(phrase_extraction("das kleine Haus", "the small house", [(0, 0), (1, 1), (2, 2)], 2)):
...     print(*phrase)
(0, 1) (0, 1) das the
(0, 2) (0, 2) das kleine the small
(1, 2) (1, 2) kleine small
(1, 3) (1, 3) kleine Haus small house
(2, 3) (2, 3) Haus house
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from alinea._alignment import Alignment, Pair, check_positions
from alinea._links import Links
from alinea._native import phrases

__all__ = ["MAX_PHRASE_EXTRACTION_DEFAULT_LEN", "Phrase", "extract", "phrase_extraction"]

Phrase: TypeAlias = tuple[tuple[int, int], tuple[int, int], str, str]
"""Two spans, with exclusive ends, and their words, joined by blanks."""

MAX_PHRASE_EXTRACTION_DEFAULT_LEN = 256
"""The longest sentence that is cut into phrases of any length: their number grows with its square, or worse."""


def phrase_extraction(
    srctext: str, trgtext: str, alignment: Links | Iterable[Pair], max_phrase_length: int = 0
) -> set[Phrase]:
    """Returns all pairs of phrases of a sentence pair.

    Work and memory grow with the number of pairs, and that with the length of the sentences times the square of the
    limit, if many words have no links.

    Args:
        srctext: The source sentence, its words separated by blanks.
        trgtext: The target sentence.
        alignment: The links, source first.
        max_phrase_length: The maximum number of words in a phrase, on both sides; 0 for no limit.

    Raises:
        ValueError: The limit is negative; or there is none, and a sentence has more than
            :data:`MAX_PHRASE_EXTRACTION_DEFAULT_LEN` words.
        IndexError: A link is outside the sentences.
    """
    source, target = srctext.split(), trgtext.split()
    longest = max(len(source), len(target))
    if max_phrase_length < 0:
        raise ValueError(f"max_phrase_length = {max_phrase_length}: must be 0, for no limit, or more")
    if not max_phrase_length and longest > MAX_PHRASE_EXTRACTION_DEFAULT_LEN:
        raise ValueError(
            f"a sentence of {longest} words has too many phrases of any length; up to "
            f"{MAX_PHRASE_EXTRACTION_DEFAULT_LEN} words are cut without a limit, longer ones need max_phrase_length"
        )
    checked = Alignment(alignment)
    check_positions(checked, len(source), len(target))
    links = np.array(checked.links(), np.uint32).reshape(-1, 2)
    # Only numbers of words matter there.
    words = [["w"] * len(source)], [["w"] * len(target)]
    _, spans = phrases(words[0], words[1], [links], max_length=max_phrase_length or None, threads=1)
    return {((e0, e1), (f0, f1), " ".join(source[e0:e1]), " ".join(target[f0:f1])) for e0, e1, f0, f1 in spans.tolist()}


def extract(
    f_start: int,
    f_end: int,
    e_start: int,
    e_end: int,
    alignment: Iterable[tuple[int, int]],
    f_aligned: Sequence[bool],
    srctext: Sequence[str],
    trgtext: Sequence[str],
    srclen: int,  # noqa: ARG001  # part of NLTK's signature
    trglen: int,
    max_phrase_length: int,
) -> set[Phrase]:
    """Returns the pairs of phrases of one source span: its target span, and that with words without links around it.

    >>> from alinea.nltk.phrase_based import extract
    >>> sorted(extract(0, 0, 0, 0, [(0, 0)], [True, False], ["a"], ["x", "y"], 1, 2, 2))
    [((0, 1), (0, 1), 'a', 'x'), ((0, 1), (0, 2), 'a', 'x y')]

    Args:
        f_start: The first word of the target span.
        f_end: Its last word; negative if the source span has no links.
        e_start: The first word of the source span.
        e_end: Its last word.
        alignment: The links, source first.
        f_aligned: Which target words have links.
        srctext: The source words.
        trgtext: The target words.
        srclen: Their number.
        trglen: The number of target words.
        max_phrase_length: The most words of a phrase, on both sides.

    Returns:
        The pairs; none if a link has exactly one end inside, or a span is longer than the limit.
    """
    inside = [(e_start <= i <= e_end, f_start <= j <= f_end) for i, j in alignment]
    if f_end < 0 or not any(i and j for i, j in inside) or any(i != j for i, j in inside):
        return set()
    if e_end - e_start >= max_phrase_length:
        return set()
    return set(_grown(e_start, e_end + 1, f_start, f_end + 1, f_aligned[:trglen], srctext, trgtext, max_phrase_length))


def _grown(
    e_start: int,
    e_end: int,
    f_start: int,
    f_end: int,
    aligned: Sequence[bool],
    source: Sequence[str],
    target: Sequence[str],
    limit: int,
) -> Iterator[Phrase]:
    """The pair of two spans with exclusive ends, and those with target words without links at the borders."""
    text = " ".join(source[e_start:e_end])
    start = f_start
    while start == f_start or (start >= 0 and not aligned[start]):
        end = f_end
        while end - start <= limit and (end == f_end or (end <= len(aligned) and not aligned[end - 1])):
            yield (e_start, e_end), (start, end), text, " ".join(target[start:end])
            end += 1
        start -= 1
