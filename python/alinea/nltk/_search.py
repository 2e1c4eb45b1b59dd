"""The search for good alignments of a sentence pair under Models 3 to 5 (Brown et al. 1993, section 4.5 and page 305).

An alignment is a tuple: the source position of each target position, 0 for the empty word; its first element is not
used. A :class:`Scorer` gives logarithms of probabilities. Moves and swaps change few of the factors, so the score of a
neighbor is that of the alignment and a difference. Climbing uphill from many places leads through the same alignments
again and again, so the way on from each is kept. Of equally good alignments the larger tuple is taken: as in the other
models, a word prefers later source words, and the empty word least.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias

from alinea.nltk._tables import MIN_PROB

Tuple: TypeAlias = tuple[int, ...]

_IMPOSSIBLE = -1e5
"""The logarithm of what has no probability at all: below that of sentences of a thousand words, and not so far below
that what else there is to say of an alignment would be lost in rounding."""
_EQUAL = 1e-10
"""Scores that differ less are equal: rounding must not decide."""
_NEGLIGIBLE = -600.0
"""The logarithm of shares of a sample that change no count."""


class Scorer:
    """The logarithm of ``C(m - phi_0, phi_0) p1^phi_0 p0^(m - 2 phi_0) prod phi_i! n(phi_i | s_i) prod t(t_j | s_aj)``.

    Subclasses add what their model says of positions: of each link by itself, or of all together.
    """

    def __init__(self, model: Any, source: Any, target: Any) -> None:
        self.model, self.source, self.target = model, source, target
        self.l, self.m = len(source) - 1, len(target) - 1
        self._links: list[list[float | None]] = [[None] * (self.l + 1) for _ in target]
        self._fertilities: list[list[float | None]] = [[None] * (self.m + 1) for _ in source]

    def link(self, j: int, i: int) -> float:
        """The part of one link."""
        value = self._links[j][i]
        if value is None:
            lexical = self.model.translation_table[self.target[j]][self.source[i]]
            value = self._links[j][i] = log(lexical) + self.place(j, i)
        return value

    def place(self, j: int, i: int) -> float:  # noqa: ARG002  # what subclasses override
        """What the model says of the positions of one link."""
        return 0.0

    def places(self, alignment: Tuple) -> float:  # noqa: ARG002  # what subclasses override
        """What it says of all positions together."""
        return 0.0

    def positions(self, alignment: Tuple) -> Positions | None:  # noqa: ARG002  # what subclasses override
        """How that changes, or ``None`` if it says nothing."""
        return None

    def fertility(self, i: int, phi: int) -> float:
        """The part of one source word, or the empty word, with its number of target words."""
        value = self._fertilities[i][phi]
        if value is None:
            if i:
                value = math.lgamma(phi + 1) + log(self.model.fertility_table[phi][self.source[i]])
            else:
                value = self._null(phi)
            self._fertilities[i][phi] = value
        return value

    def _null(self, phi: int) -> float:
        if 2 * phi > self.m:
            return _IMPOSSIBLE
        p1 = self.model.p1
        ways = math.comb(self.m - phi, phi)
        return math.log(ways) + phi * log(p1) + (self.m - 2 * phi) * log(1 - p1)

    def log_prob(self, alignment: Tuple) -> float:
        """The score of an alignment."""
        fertilities = [0] * (self.l + 1)
        score = 0.0
        for j in range(1, self.m + 1):
            i = alignment[j]
            fertilities[i] += 1
            score += self.link(j, i)
        for i, phi in enumerate(fertilities):
            score += self.fertility(i, phi)
        return score + self.places(alignment)

    def neighbors(
        self, alignment: Tuple, score: float, j_pegged: int | None, least: float = -math.inf
    ) -> Iterator[tuple[float, Tuple]]:
        """The neighbors that are better than ``least``, with their scores, without the alignment itself."""
        positions = self.positions(alignment)
        fertilities = [0] * (self.l + 1)
        for i in alignment[1:]:
            fertilities[i] += 1
        less = [
            self.fertility(i, phi - 1) - self.fertility(i, phi) if phi else 0.0 for i, phi in enumerate(fertilities)
        ]
        more = [
            self.fertility(i, phi + 1) - self.fertility(i, phi) if phi < self.m else 0.0
            for i, phi in enumerate(fertilities)
        ]
        free = [j for j in range(1, self.m + 1) if j != j_pegged]
        for j in free:
            here = alignment[j]
            rest = score - self.link(j, here) + less[here]
            for i in range(self.l + 1):
                if i != here:
                    gained = rest + self.link(j, i) + more[i]
                    if positions:
                        gained += positions.moved(j, here, i)
                    if gained > least:
                        yield gained, (*alignment[:j], i, *alignment[j + 1 :])
        for number, j in enumerate(free):
            here = alignment[j]
            rest = score - self.link(j, here)
            for k in free[number + 1 :]:
                there = alignment[k]
                if here != there:
                    gained = rest + self.link(j, there) - self.link(k, there) + self.link(k, here)
                    if positions:
                        gained += positions.swapped(j, here, k, there)
                    if gained > least:
                        yield gained, (*alignment[:j], there, *alignment[j + 1 : k], here, *alignment[k + 1 :])


class Positions(Protocol):
    """What the positions of an alignment add to its score: how much that changes."""

    def moved(self, j: int, here: int, there: int) -> float:
        """The difference if target position ``j`` goes from one source position to another."""

    def swapped(self, j: int, here: int, k: int, there: int) -> float:
        """The difference if ``j``, which has ``here``, and ``k``, which has ``there``, swap theirs."""


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


def cepts(alignment: Tuple, l: int) -> list[list[int]]:
    """For each source position, its target positions in order."""
    result: list[list[int]] = [[] for _ in range(l + 1)]
    for j, i in enumerate(alignment[1:], 1):
        result[i].append(j)
    return result


def sample(scorer: Scorer, start: Tuple) -> tuple[dict[Tuple, float], Tuple]:
    """The scores of all alignments worth looking at, and the best that climbing finds.

    Args:
        scorer: The scores.
        start: The best alignment of Model 2.
    """
    climb = _Climb(scorer)
    best, best_score = climb.top(start, None)
    scores = {best: best_score}
    scores.update((neighbor, score) for score, neighbor in scorer.neighbors(best, best_score, None))
    free_top = best
    for j in range(1, scorer.m + 1):
        tops = {}
        for i in range(scorer.l + 1):
            top, score = climb.top((*start[:j], i, *start[j + 1 :]), j)
            tops[top] = score
        for top, score in tops.items():
            if top != free_top:
                scores[top] = score
                scores.update((neighbor, value) for value, neighbor in scorer.neighbors(top, score, j))
                if score > best_score + _EQUAL or (score > best_score - _EQUAL and top > best):
                    best, best_score = top, score
    return scores, best


class _Climb:
    """Climbs, and remembers which ways lead up from each alignment, whatever is pegged."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._ways_up: dict[Tuple, list[tuple[float, Tuple]]] = {}

    def top(self, alignment: Tuple, j_pegged: int | None) -> tuple[Tuple, float]:
        """The alignment from which no neighbor leads higher, and its score."""
        score = self._scorer.log_prob(alignment)
        while True:
            step = self._step(alignment, score, j_pegged)
            if step is None:
                return alignment, score
            # Computed anew, so that rounding does not add up, and nothing is climbed for ever.
            exact = self._scorer.log_prob(step[1])
            if exact <= score:
                return alignment, score
            alignment, score = step[1], exact

    def _step(self, alignment: Tuple, score: float, j_pegged: int | None) -> tuple[float, Tuple] | None:
        """The best neighbor; of equally good ones the largest."""
        ways = self._ways_up.get(alignment)
        if ways is None:
            ways = list(self._scorer.neighbors(alignment, score, None, score + _EQUAL))
            self._ways_up[alignment] = ways
        best = None
        for value, neighbor in ways:
            if j_pegged is not None and neighbor[j_pegged] != alignment[j_pegged]:
                continue
            if best is None or value > best[0] + _EQUAL:
                best = (value, neighbor)
            elif value > best[0] - _EQUAL and neighbor > best[1]:
                best = (max(value, best[0]), neighbor)
        return best


class Sample:
    """Alignments of a sentence pair with their shares in the probability of all.

    Attributes:
        weights: The alignments, in order, each with its share.
        best: The best alignment.
        source: The source words, the empty word in front.
        target: The target words, something that is not used in front.
        links: For each target position, the share of alignments that link it to each source position.
        fertilities: For each source position, the share of alignments that give it each number of target words.
    """

    def __init__(self, weights: list[tuple[Tuple, float]], best: Tuple, source: list[Any], target: list[Any]) -> None:
        self.weights, self.best, self.source, self.target = weights, best, source, target
        self.links = [[0.0] * len(source) for _ in target]
        self.fertilities = [[0.0] * len(target) for _ in source]
        for alignment, weight in weights:
            phis = [0] * len(source)
            for j in range(1, len(target)):
                i = alignment[j]
                self.links[j][i] += weight
                phis[i] += 1
            for i, phi in enumerate(phis):
                self.fertilities[i][phi] += weight


def weights(scores: dict[Tuple, float]) -> list[tuple[Tuple, float]]:
    """The share of each alignment in the probability of all, in the order of alignments, without negligible ones."""
    most = max(scores.values())
    kept = sorted(alignment for alignment, score in scores.items() if score - most > _NEGLIGIBLE)
    values = [math.exp(scores[alignment] - most) for alignment in kept]
    total = sum(values)
    return [(alignment, value / total) for alignment, value in zip(kept, values, strict=True)]


def log(probability: float) -> float:
    """The logarithm of a probability, which is never below the least one."""
    return math.log(max(probability, MIN_PROB))


def exp(score: float) -> float:
    """The probability of a score; the smallest number there is if it is smaller."""
    return math.exp(score) if score > math.log(sys.float_info.min) else sys.float_info.min
