"""What is taken for links, and its conversion to arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from alinea import _native
from alinea._alignment import Alignment
from alinea._sentence import AlignedSentence

LinkArray: TypeAlias = NDArray[np.uint32]
"""The links of one sentence pair: a row ``(source position, target position)`` for each link."""

Links: TypeAlias = str | NDArray[np.integer] | Iterable[tuple[int, int]] | Alignment | AlignedSentence
"""What is taken for the links of one sentence pair: an array, pairs, a line in Pharaoh format, or an object."""

Sentence: TypeAlias = str | Iterable[str]
"""One sentence: a ``str``, which is cut into words at blanks and tabs only, or the words themselves."""

_T = TypeVar("_T")
_PAIR = 2
_LAST_POSITION = 2**32 - 1


class GoldAlignment:
    """What people say are the links of a sentence pair (Och and Ney 2003).

    >>> import alinea
    >>> gold = alinea.GoldAlignment([(0, 0)], [(1, 2)])
    >>> gold.possible.tolist()
    [[0, 0], [1, 2]]

    Attributes:
        sure: The links that a good alignment has.
        possible: The links that a good alignment may have, the sure among them.
    """

    __slots__ = ("possible", "sure")

    sure: LinkArray
    possible: LinkArray

    def __init__(self, sure: Links, possible: Links = ()) -> None:
        self.sure = np.unique(_array(sure, "sure", 1), axis=0)
        self.possible = np.unique(np.concatenate([self.sure, _array(possible, "possible", 1)]), axis=0)

    @classmethod
    def _of_arrays(cls, sure: LinkArray, possible: LinkArray) -> GoldAlignment:
        gold = cls.__new__(cls)
        gold.sure, gold.possible = sure, possible
        return gold

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GoldAlignment):
            return NotImplemented
        return np.array_equal(self.sure, other.sure) and np.array_equal(self.possible, other.possible)

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __repr__(self) -> str:
        return f"GoldAlignment(sure={self.sure.tolist()}, possible={self.possible.tolist()})"


GoldAlignment.__module__ = "alinea"


def arrays(alignments: Iterable[Links], name: str) -> list[LinkArray]:
    """The links of each sentence pair of the argument ``name``."""
    return [_array(links, name, number) for number, links in enumerate(not_a_line(alignments, name), 1)]


def pairs_of_arrays(gold: Iterable[GoldAlignment | Links]) -> list[tuple[LinkArray, LinkArray]]:
    """The sure and the possible links of each sentence pair."""
    pairs = []
    for number, links in enumerate(not_a_line(gold, "gold"), 1):
        if isinstance(links, GoldAlignment):
            pairs.append((links.sure, links.possible))
        elif isinstance(links, str):
            pairs.append(_native.parse_pharaoh(links, "gold", number))
        else:
            sure = _array(links, "gold", number)
            pairs.append((sure, sure))
    return pairs


def not_a_line(alignments: Iterable[_T], name: str) -> Iterable[_T]:
    """Refuses the one ``str`` that would be taken for a sequence of lines of one character."""
    if isinstance(alignments, str):
        raise TypeError(f"{name}: one str, where a sequence with the links of each sentence pair is needed")
    return alignments


def _array(links: Links, name: str, number: int) -> LinkArray:
    """The links of item ``number``, from 1, of the argument ``name``."""
    if isinstance(links, str):
        return _native.parse_pharaoh(links, name, number)[1]
    if isinstance(links, AlignedSentence):
        links = links.alignment
    if isinstance(links, Alignment):
        links = links.links()
    array = links if isinstance(links, np.ndarray) else np.array(list(links))
    if array.size == 0:
        return np.empty((0, 2), dtype=np.uint32)
    if array.ndim != _PAIR or array.shape[1] != _PAIR:
        raise ValueError(f"{name}[{number - 1}]: links are pairs of positions, not an array of shape {array.shape}")
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name}[{number - 1}]: positions are integers, not {array.dtype}")
    if array.min() < 0 or array.max() > _LAST_POSITION:
        raise ValueError(f"{name}[{number - 1}]: positions are from 0 to {_LAST_POSITION}")
    return array.astype(np.uint32, copy=False)
