"""Scores of single alignments under Models 3 to 5, and the steps between alignments.

An alignment is a tuple: the source position of each target position, 0 for the empty word; its first element is not
used. Scores are logarithms of probabilities. The search through many alignments is native
code; what is here is for one.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any, TypeAlias

from alinea.nltk._info import AlignmentInfo
from alinea.nltk._tables import MIN_PROB

Tuple: TypeAlias = tuple[int, ...]

_IMPOSSIBLE = -1e5
"""The logarithm of what has no probability at all, as native code has it."""


def log_prob(model: Any, info: AlignmentInfo) -> float:
    """The logarithm of ``C(m - phi_0, phi_0) p1^phi_0 p0^(m - 2 phi_0) prod phi_i! n(phi_i | s_i) prod t(t_j | s_aj)``.

    It is what Models 3 to 5 have in common.
    """
    source, target = info.src_sentence, info.trg_sentence
    score = _null(model, len(target) - 1, info.fertility_of_i(0))
    for j, i in enumerate(info.alignment[1:], 1):
        score += log(model.translation_table[target[j]][source[i]])
    for i in range(1, len(source)):
        phi = info.fertility_of_i(i)
        score += math.lgamma(phi + 1) + log(model.fertility_table[phi][source[i]])
    return score


def _null(model: Any, m: int, phi: int) -> float:
    if 2 * phi > m:
        return _IMPOSSIBLE
    return math.log(math.comb(m - phi, phi)) + phi * log(model.p1) + (m - 2 * phi) * log(1 - model.p1)


def neighbors(alignment: Tuple, l: int, j_pegged: int | None) -> Iterator[Tuple]:
    """The alignment and its neighbors: those with one other link, and those with two target words swapped."""
    yield alignment
    free = [j for j in range(1, len(alignment)) if j != j_pegged]
    for number, j in enumerate(free):
        here = alignment[j]
        for i in range(l + 1):
            if i != here:
                yield (*alignment[:j], i, *alignment[j + 1 :])
        for k in free[number + 1 :]:
            there = alignment[k]
            if here != there:
                yield (*alignment[:j], there, *alignment[j + 1 : k], here, *alignment[k + 1 :])


def log(probability: float) -> float:
    """The logarithm of a probability, which is never below the least one."""
    return math.log(max(probability, MIN_PROB))


def exp(score: float) -> float:
    """The probability of a score; the smallest number there is if it is smaller."""
    return math.exp(score) if score > math.log(sys.float_info.min) else sys.float_info.min
