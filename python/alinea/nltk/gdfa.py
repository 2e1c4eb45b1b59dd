"""Joining two directions of alignment by grow-diag-final-and (Koehn et al. 2005)."""

from __future__ import annotations

from alinea import symmetrize
from alinea._alignment import Alignment, check_positions

__all__ = ["grow_diag_final_and"]


def grow_diag_final_and(srclen: int, trglen: int, e2f: str, f2e: str) -> list[tuple[int, int]]:
    """Joins two alignments of a sentence pair, and returns the links in order.

    Beginning with the links that both have, it adds neighbors that one of them has and that cover a new word; then
    links of ``f2e``, and then of ``e2f``, whose words are both not covered yet. The result is that of the program
    ``symal`` of Moses. (NLTK's function of this name returns the union.)

    >>> from alinea.nltk.gdfa import grow_diag_final_and
    >>> grow_diag_final_and(4, 6, "0-0 1-1 1-2 0-4", "0-0 1-1 2-1 3-5")
    [(0, 0), (1, 1), (1, 2), (2, 1), (3, 5)]

    Args:
        srclen: The number of words of the source sentence.
        trglen: The number of words of the target sentence.
        e2f: One direction, as pairs ``i-j`` of a source and a target position.
        f2e: The other, also written source first.

    Raises:
        IndexError: A link is outside the sentences.
        ParseError: A link is malformed.
    """
    directions = [Alignment(e2f), Alignment(f2e)]
    for direction in directions:
        check_positions(direction, srclen, trglen)
    (joined,) = symmetrize(directions[1:], directions[:1], "grow-diag-final-and")
    return [(i, j) for i, j in joined.tolist()]
