"""Scores of one alignment against another, as sets (Och and Ney 2003).

``A`` is the hypothesis, ``S`` the links that it should have, ``P`` those that it may have, ``S`` among
them. Whatever :class:`alinea.Alignment` takes is taken, and an aligned sentence for its alignment. Only the positions
of links count: further fields are cut off, and pairs that say that a word has no counterpart are no links.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from alinea._alignment import Alignment, Pair

if TYPE_CHECKING:
    from alinea._links import Links


def precision(reference: Links | Iterable[Pair], test: Links | Iterable[Pair]) -> float | None:
    """Returns ``|A & P| / |A|``, from 0 to 1, and ``None`` if the hypothesis is empty.

    >>> from alinea.nltk.metrics import precision
    >>> precision({(0, 0), (1, 1)}, {(0, 0), (1, 2)})
    0.5

    Args:
        reference: The possible links.
        test: The links to evaluate.
    """
    links, possible = _links(test), _links(reference)
    return len(links & possible) / len(links) if links else None


def recall(reference: Links | Iterable[Pair], test: Links | Iterable[Pair]) -> float | None:
    """Returns ``|A & S| / |S|``, from 0 to 1, and ``None`` if there are no links to be found.

    >>> from alinea.nltk.metrics import recall
    >>> recall({(0, 0), (1, 1)}, {(0, 0)})
    0.5

    Args:
        reference: The sure links.
        test: The links to evaluate.
    """
    links, sure = _links(test), _links(reference)
    return len(links & sure) / len(sure) if sure else None


def alignment_error_rate(
    reference: Links | Iterable[Pair],
    hypothesis: Links | Iterable[Pair],
    possible: Links | Iterable[Pair] | None = None,
) -> float | None:
    """Returns ``1 - (|A & S| + |A & P|) / (|A| + |S|)``, 0 at best, 1 at worst, ``None`` if neither side has any link.

    >>> from alinea.nltk.metrics import alignment_error_rate
    >>> alignment_error_rate({(0, 0), (1, 1)}, {(0, 0), (1, 2)})
    0.5
    >>> alignment_error_rate({(0, 0), (1, 1)}, {(0, 0), (1, 2)}, {(0, 0), (1, 1), (1, 2)})
    0.25

    Args:
        reference: The sure links.
        hypothesis: The links to evaluate.
        possible: The possible links; the sure ones, if left out.

    Raises:
        ValueError: A sure link is not possible.
    """
    links, sure = _links(hypothesis), _links(reference)
    allowed = sure if possible is None else _links(possible)
    if not sure <= allowed:
        missing = min(sure - allowed)
        raise ValueError(f"sure is not a subset of possible: {missing} is sure, but not possible")
    total = len(links) + len(sure)
    return 1.0 - (len(links & sure) + len(links & allowed)) / total if total else None


def _links(alignment: Links | Iterable[Pair]) -> set[tuple[int, int]]:
    return set(Alignment(alignment).links())
