"""Expectation maximization for Models 1 and 2 (Brown et al. 1993, section 4).

For each token ``w`` at position ``j`` of ``m`` words, and each ``m_i`` of ``l`` mots and the empty mot, Model 1 counts

    c(w, m_i) += t(w | m_i) / sum_k t(w | m_k),

and Model 2 the same with ``t(w | m_i) a(i | j, l, m)`` in the place of ``t(w | m_i)``. Tokens count as often as they
occur. Dividing the counts by their sum for each mot gives the next ``t``, by their sum for each ``(j, l, m)`` the next
``a``. No probability falls below :data:`~alinea.nltk._tables.MIN_PROB`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from alinea.nltk._tables import MIN_PROB, Probabilities, probability

Corpus = Sequence[tuple[Sequence[Hashable], Sequence[Hashable]]]
"""Words and mots of each sentence pair."""


def _expectation_maximization(
    corpus: Corpus, iterations: int, translation: Mapping[Any, Any], alignment: Mapping[Any, Any] | None = None
) -> tuple[Probabilities, Probabilities | None]:
    """Trains Model 1, or Model 2 if it is given an alignment table.

    Args:
        corpus: The text.
        iterations: The number of passes, at least 1.
        translation: The table to begin with, ``translation[word][mot]``, with ``None`` for the empty mot.
        alignment: The table to begin with, ``alignment[i][j][l][m]``, with positions from 1 and 0 for the empty mot.

    Raises:
        ValueError: A table has no probability for something in the text.

    Returns:
        Both tables after the last pass. Pairs of words that never occurred together are not in the first.
    """
    cells = _Cells(corpus, translation)
    places = _Places(corpus, alignment) if alignment is not None else None
    for _ in range(iterations):
        for (words, mots), rows in zip(corpus, cells.rows, strict=True):
            grid = places.grid(len(mots), len(words)) if places is not None else None
            _expect(rows, cells, grid)
        cells.maximize()
        if places is not None:
            places.maximize()
    return cells.table(), places.table() if places is not None else None


class _Cells:
    """The pairs of words that occur together, numbered, with their probabilities and counts."""

    def __init__(self, corpus: Corpus, translation: Mapping[Any, Any]) -> None:
        self.numbers: dict[tuple[Hashable, Hashable], int] = {}
        self.probabilities: list[float] = []
        self.mots: list[int] = []
        self.rows = []
        mot_numbers: dict[Hashable, int] = {None: 0}
        for words, mots in corpus:
            columns = (None, *mots)
            for mot in mots:
                mot_numbers.setdefault(mot, len(mot_numbers))
            self.rows.append([self._row(word, columns, translation, mot_numbers) for word in words])
        self.counts = [0.0] * len(self.numbers)
        self.mot_count = len(mot_numbers)

    def _row(
        self, word: Hashable, mots: Iterable[Hashable], translation: Mapping[Any, Any], mot_numbers: dict[Hashable, int]
    ) -> list[int]:
        row = []
        for mot in mots:
            number = self.numbers.setdefault((word, mot), len(self.numbers))
            if number == len(self.probabilities):
                self.probabilities.append(_look_up("translation_table", translation, word, mot))
                self.mots.append(mot_numbers[mot])
            row.append(number)
        return row

    def maximize(self) -> None:
        totals = [0.0] * self.mot_count
        for mot, count in zip(self.mots, self.counts, strict=True):
            totals[mot] += count
        self.probabilities = [
            probability(count, totals[mot]) for mot, count in zip(self.mots, self.counts, strict=True)
        ]
        self.counts = [0.0] * len(self.counts)

    def table(self) -> Probabilities:
        table = Probabilities(2)
        for (word, mot), value in zip(self.numbers, self.probabilities, strict=True):
            table[word][mot] = value
        return table


class _Places:
    """For each pair of lengths, the probabilities of positions and their counts: rows by word, columns by mot."""

    def __init__(self, corpus: Corpus, alignment: Mapping[Any, Any]) -> None:
        lengths = dict.fromkeys((len(mots), len(words)) for words, mots in corpus)
        self.grids = {
            (l, m): [
                ([_look_up("alignment_table", alignment, i, j, l, m) for i in range(l + 1)], [0.0] * (l + 1))
                for j in range(1, m + 1)
            ]
            for l, m in lengths
        }

    def grid(self, l: int, m: int) -> list[tuple[list[float], list[float]]]:
        return self.grids[l, m]

    def maximize(self) -> None:
        for grid in self.grids.values():
            for probabilities, counts in grid:
                total = sum(counts)
                probabilities[:] = [probability(count, total) for count in counts]
                counts[:] = [0.0] * len(counts)

    def table(self) -> Probabilities:
        table = Probabilities(4)
        for (l, m), grid in self.grids.items():
            for j, (probabilities, _) in enumerate(grid, 1):
                for i, value in enumerate(probabilities):
                    table[i][j][l][m] = value
        return table


def _look_up(name: str, table: Mapping[Any, Any], *keys: Hashable) -> float:
    """A probability to begin with, not below the least one."""
    value: Any = table
    try:
        for key in keys:
            value = value[key]
    except KeyError:
        raise ValueError(f"{name} has no probability for {', '.join(map(repr, keys))}") from None
    return max(float(value), MIN_PROB)


def _expect(rows: list[list[int]], cells: _Cells, grid: list[tuple[list[float], list[float]]] | None) -> None:
    """Adds one sentence pair to the counts."""
    probabilities, counts = cells.probabilities, cells.counts
    for j, row in enumerate(rows):
        weights = [probabilities[cell] for cell in row]
        if grid is not None:
            weights = [weight * place for weight, place in zip(weights, grid[j][0], strict=True)]
        total = sum(weights)
        shares = [weight / total for weight in weights]
        for cell, share in zip(row, shares, strict=True):
            counts[cell] += share
        if grid is not None:
            places = grid[j][1]
            for i, share in enumerate(shares):
                places[i] += share
