"""Aligning the sentences of two texts by their lengths (Gale and Church 1993).

Sentences of ``l_s`` and ``l_t`` characters that translate each other differ by ``delta = (l_s c - l_t) / sqrt(v)``,
with ``v = 6.8 (l_s + l_t / c) / 2`` and ``c`` target characters for each source character. Taken for a normal variable,
this costs ``-(ln 2 + ln Phi(-|delta|) + ln prior)``, with a prior for each way to group sentences: one to one, one to
two, and so on. Dynamic programming finds the cheapest sequence of groups.

>>> from alinea.nltk.gale_church import align_blocks
>>> align_blocks([10, 5, 5], [12, 20])
[(0, 0), (1, 1), (2, 1)]
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import Any, ClassVar, TypeVar

from alinea._native import align_lengths

__all__ = [
    "LOG2",
    "MAX_ALIGN_BLOCKS",
    "LanguageIndependent",
    "align_blocks",
    "align_log_prob",
    "align_texts",
    "erfcc",
    "norm_cdf",
    "norm_logsf",
    "parse_token_stream",
    "split_at",
    "trace",
]

LOG2 = math.log(2)

MAX_ALIGN_BLOCKS = 4000
"""The most sentences of a block on either side: work and memory grow with the product of both numbers."""

_FAR = 30.0
_LEAST, _MOST = 1e-6, 1e6
"""The limits of native code for mean and variance."""
_LONGEST = 2**32 - 1
"""Its limit for the length of a sentence."""
_T = TypeVar("_T")


class LanguageIndependent:
    """Parameters that Gale and Church found to serve many languages (their sections 3.2 and 3.3).

    Attributes:
        PRIORS: How likely each way to group source and target sentences is.
        AVERAGE_CHARACTERS: Target characters for each source character.
        VARIANCE_CHARACTERS: The variance of their number, for each source character.
    """

    PRIORS: ClassVar[dict[tuple[int, int], float]] = {
        (1, 0): 0.0099,
        (0, 1): 0.0099,
        (1, 1): 0.89,
        (2, 1): 0.089,
        (1, 2): 0.089,
        (2, 2): 0.011,
    }
    AVERAGE_CHARACTERS: ClassVar[float] = 1
    VARIANCE_CHARACTERS: ClassVar[float] = 6.8


def erfcc(x: float) -> float:
    """Returns the complementary error function of a number."""
    return math.erfc(x)


def norm_cdf(x: float) -> float:
    """Returns the probability that a standard normal variable is at most ``x``."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def norm_logsf(x: float) -> float:
    """Returns the logarithm of the probability that a standard normal variable is more than ``x``, however large it is.

    >>> from alinea.nltk.gale_church import norm_logsf
    >>> round(norm_logsf(40.0), 3)
    -804.608
    """
    if x < _FAR:
        return math.log(0.5 * math.erfc(x / math.sqrt(2)))
    # The probability is too small for a float; what Abramowitz and Stegun 26.2.12 leaves out is below 15 / x^6.
    return -x * x / 2 - math.log(x * math.sqrt(2 * math.pi)) + math.log1p(-1 / x**2 + 3 / x**4)


def trace(
    backlinks: Mapping[tuple[int, int], tuple[int, int]],
    source_sents_lens: Sequence[int],
    target_sents_lens: Sequence[int],
) -> list[tuple[int, int]]:
    """Walks back from the end of both texts, and returns the pairs of sentences in order.

    >>> from alinea.nltk.gale_church import trace
    >>> trace({(2, 1): (1, 0), (1, 1): (1, 1)}, [5, 4], [5])
    [(0, 0)]

    Args:
        backlinks: How many source and target sentences the group that ends at each point has.
        source_sents_lens: The lengths of the source sentences.
        target_sents_lens: The lengths of the target sentences.

    Raises:
        ValueError: A group has no sentences, or more than there are before it.
        KeyError: The way back ends before the beginning of the texts.
    """
    groups = _groups(backlinks, len(source_sents_lens), len(target_sents_lens))
    return [(i, j) for i0, i1, j0, j1 in groups for i in range(i0, i1) for j in range(j0, j1)]


def align_log_prob(
    i: int,
    j: int,
    source_sents: Sequence[int],
    target_sents: Sequence[int],
    alignment: tuple[int, int],
    params: Any,
) -> float:
    """Returns the cost of a group: the negative logarithm of how likely it is.

    Args:
        i: Where the group ends in the source: the number of sentences up to it, with it.
        j: Where it ends in the target.
        source_sents: The lengths of the source sentences.
        target_sents: The lengths of the target sentences.
        alignment: How many sentences it has on both sides; one of ``params.PRIORS``.
        params: The parameters, such as :class:`LanguageIndependent`.
    """
    s, t = alignment
    source, target = sum(source_sents[i - s : i]), sum(target_sents[j - t : j])
    return _cost(source, target, -math.log(params.PRIORS[alignment]) - LOG2, params)


def align_blocks(
    source_sents_lens: Sequence[int], target_sents_lens: Sequence[int], params: Any = LanguageIndependent
) -> list[tuple[int, int]]:
    """Aligns the sentences of two blocks of text.

    Args:
        source_sents_lens: The lengths of the source sentences.
        target_sents_lens: The lengths of the target sentences.
        params: The parameters.

    Returns:
        Pairs of positions, in order. Of groups that cost the same, the first in ``params.PRIORS`` is taken.

    Raises:
        ValueError: A block has more than :data:`MAX_ALIGN_BLOCKS` sentences, or sentences that no group reaches.
    """
    most = max(len(source_sents_lens), len(target_sents_lens))
    if most > MAX_ALIGN_BLOCKS:
        raise ValueError(f"{most} sentences in a block: must be {MAX_ALIGN_BLOCKS}, see MAX_ALIGN_BLOCKS")
    for length in (*source_sents_lens, *target_sents_lens):
        if length < 0:
            raise ValueError(f"a sentence cannot have {length} characters")
    numbers, priors = _numbers(source_sents_lens, target_sents_lens), _priors_of_native_code(params)
    if numbers is not None and priors is not None:
        source, target = numbers
        groups = align_lengths(source, target, params.AVERAGE_CHARACTERS, params.VARIANCE_CHARACTERS, priors)
    else:
        groups = _cheapest_groups(_sums(source_sents_lens), _sums(target_sents_lens), params)
    return [(i, j) for i0, i1, j0, j1 in groups for i in range(i0, i1) for j in range(j0, j1)]


def align_texts(
    source_blocks: Sequence[Sequence[int]], target_blocks: Sequence[Sequence[int]], params: Any = LanguageIndependent
) -> list[list[tuple[int, int]]]:
    """Aligns the sentences of two texts, block by block: no group crosses the border of a block.

    Args:
        source_blocks: The lengths of the sentences of each block of the source.
        target_blocks: Those of the target, as many blocks.
        params: The parameters.

    Raises:
        ValueError: There are more blocks in one text, or as in :func:`align_blocks`.
    """
    if len(source_blocks) != len(target_blocks):
        raise ValueError(f"unequal lengths: source has {len(source_blocks)} blocks, target has {len(target_blocks)}")
    return [align_blocks(*blocks, params) for blocks in zip(source_blocks, target_blocks, strict=True)]


def split_at(it: Iterable[_T], split_value: _T) -> Iterator[list[_T]]:
    """Cuts a sequence at each ``split_value``, which is dropped. Neighboring ones leave nothing between them.

    >>> from alinea.nltk.gale_church import split_at
    >>> list(split_at("ab|c||d", "|"))
    [['a', 'b'], ['c'], ['d']]
    """
    for is_border, values in groupby(it, lambda value: value == split_value):
        if not is_border:
            yield list(values)


def parse_token_stream(stream: Iterable[str], soft_delimiter: str, hard_delimiter: str) -> list[list[int]]:
    """Cuts tokens into blocks and these into sentences, and returns the lengths of the sentences in characters.

    >>> from alinea.nltk.gale_church import parse_token_stream
    >>> parse_token_stream("the house . it burns . | fire !".split(), ".", "|")
    [[8, 7], [5]]

    Args:
        stream: The tokens.
        soft_delimiter: The token between sentences.
        hard_delimiter: The token between blocks.
    """
    return [
        [sum(map(len, sentence)) for sentence in split_at(block, soft_delimiter)]
        for block in split_at(stream, hard_delimiter)
    ]


def _numbers(*sides: Sequence[int]) -> list[list[int]] | None:
    """The lengths as native code needs them, if they are whole and not too large."""
    try:
        numbers = [[operator.index(length) for length in side] for side in sides]
    except TypeError:
        return None
    return numbers if all(length <= _LONGEST for side in numbers for length in side) else None


def _priors_of_native_code(params: Any) -> list[float] | None:
    """The priors of the kinds of groups that native code knows, if there are no others and its limits are kept."""
    if list(params.PRIORS) != list(LanguageIndependent.PRIORS):
        return None
    priors = list(params.PRIORS.values())
    numbers = (params.AVERAGE_CHARACTERS, params.VARIANCE_CHARACTERS)
    known = all(0 < prior <= 1 for prior in priors) and all(_LEAST <= number <= _MOST for number in numbers)
    return priors if known else None


def _cheapest_groups(source: Sequence[int], target: Sequence[int], params: Any) -> list[tuple[int, int, int, int]]:
    """The same for any kinds of groups, given the lengths of the first sentences, for each number of them."""
    kinds = [(s, t, -math.log(prior) - LOG2) for (s, t), prior in params.PRIORS.items()]
    costs = {(0, 0): 0.0}
    backlinks = {}
    for i in range(len(source)):
        for j in range(len(target)):
            best = math.inf
            for s, t, prior in kinds:
                before = costs.get((i - s, j - t))
                if before is not None:
                    cost = before + _cost(source[i] - source[i - s], target[j] - target[j - t], prior, params)
                    if cost < best:
                        best, backlinks[i, j] = cost, (s, t)
            if (i, j) in backlinks:
                costs[i, j] = best
    if (len(source) - 1, len(target) - 1) not in costs:
        raise ValueError("no sequence of groups reaches the end of both blocks")
    return _groups(backlinks, len(source) - 1, len(target) - 1)


def _groups(backlinks: Mapping[tuple[int, int], tuple[int, int]], i: int, j: int) -> list[tuple[int, int, int, int]]:
    """The first and last positions of all groups, ends exclusive, on the way back from a point."""
    groups = []
    while (i, j) != (0, 0):
        s, t = backlinks[i, j]
        if s < 0 or t < 0 or s + t == 0 or s > i or t > j:
            raise ValueError(f"no group of {s} and {t} sentences can end at ({i}, {j})")
        groups.append((i - s, i, j - t, j))
        i, j = i - s, j - t
    return groups[::-1]


def _sums(lengths: Sequence[int]) -> list[int]:
    """The length of the first sentences, for each number of them."""
    return list(accumulate(lengths, initial=0))


def _cost(source: int, target: int, prior: float, params: Any) -> float:
    mean = (source + target / params.AVERAGE_CHARACTERS) / 2
    if mean == 0:
        return prior - norm_logsf(0.0)
    delta = (source * params.AVERAGE_CHARACTERS - target) / math.sqrt(params.VARIANCE_CHARACTERS * mean)
    return prior - norm_logsf(abs(delta))
