"""Alignments as sets of pairs.

An :class:`Alignment` is a set of tuples ``(i, j, ...)``: word ``i`` of the first sentence goes with word ``j`` of the
second. Further fields may say more of a link; printing, equality and inversion keep them, everything else looks at the
two positions only. A ``j`` of ``None`` says that word ``i`` has no counterpart.

>>> import alinea
>>> alignment = alinea.Alignment("0-0 0-1 1-2")
>>> alignment[0], alignment.range([0])
([(0, 0), (0, 1)], [0, 1])
>>> print(alignment | {(2, 2)})
0-0 0-1 1-2 2-2

Every function of the package that takes links takes an alignment too.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from alinea import _html, _pictures
from alinea._errors import ParseError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from typing_extensions import Self

    from alinea._links import Links

Pair: TypeAlias = tuple[Any, ...]
"""One element of an alignment: position, position or ``None``, and perhaps more."""

_POSITIONS = 2
_TOKEN = re.compile(r"[^ \t\r\n]+")
_LINK = re.compile(r"([0-9]+)-([0-9]+)")
_DRAWN = 1000


class Alignment(frozenset[Pair]):
    """A set of links between two sentences.

    It compares and hashes like any ``frozenset`` of the same tuples. The results of ``|``, ``&``, ``-`` and ``^`` with
    any set of tuples, and of the methods of these names, are alignments again.

    >>> import alinea
    >>> alinea.Alignment([(0, 0), (1, 1), (2, 2, "boat"), (3, None)])
    Alignment([(0, 0), (1, 1), (2, 2, 'boat'), (3, None)])
    """

    _index: dict[int, list[Pair]] | None = None

    def __new__(cls, pairs: Links | Iterable[Pair] = ()) -> Self:
        """Makes an alignment.

        Args:
            pairs: Tuples, a numpy array with two columns, text such as ``"0-0 1-2"``, or an aligned sentence.

        Raises:
            ParseError: The text is not as in :meth:`fromstring`.
            TypeError: Something is not a tuple that starts with a position and with a position or ``None``.
        """
        if isinstance(pairs, cls):
            return pairs
        if isinstance(pairs, str):
            return super().__new__(cls, parse(pairs))
        if isinstance(pairs, np.ndarray):
            pairs = pairs.tolist()
        elif not isinstance(pairs, frozenset) and isinstance(inner := getattr(pairs, "alignment", None), Alignment):
            pairs = inner
        given: Iterable[Any] = pairs  # type: ignore[assignment]  # what is none is refused with a clear text
        return super().__new__(cls, map(_pair, given))

    @classmethod
    def fromstring(cls, s: str) -> Self:
        """Reads pairs ``i-j`` of decimal numbers from 0, separated by blanks. Text without any gives the empty set.

        >>> import alinea
        >>> alinea.Alignment.fromstring("2-1 0-0")
        Alignment([(0, 0), (2, 1)])

        Raises:
            ParseError: A pair is malformed.
            TypeError: It is not a ``str``.
        """
        if not isinstance(s, str):
            raise TypeError(f"links such as 0-0 1-2 are read from a str, not {type(s).__name__}")
        return cls(s)

    def __getitem__(self, key: int) -> list[Pair]:
        """Returns the pairs that start at a position, in order: an empty list if there are none.

        Raises:
            TypeError: The key is no integer.
        """
        if not hasattr(key, "__index__"):
            raise TypeError(f"positions of an alignment are integers, not {type(key).__name__}")
        return list(self._by_position().get(operator.index(key), ()))

    def invert(self) -> Self:
        """Returns the alignment seen from the other sentence. Pairs without a target are left out.

        >>> import alinea
        >>> alinea.Alignment([(0, 1, "sure"), (1, None)]).invert()
        Alignment([(1, 0, 'sure')])
        """
        return type(self)((pair[1], pair[0], *pair[2:]) for pair in self if pair[1] is not None)

    def range(self, positions: Iterable[int] | None = None) -> list[int]:
        """Returns the distinct positions that some positions go with, in order.

        >>> import alinea
        >>> alinea.Alignment("0-2 1-0 1-1 2-1").range([1, 2])
        [0, 1]

        Args:
            positions: Positions of the first sentence. None at all, or an empty sequence, means every one.
        """
        index = self._by_position()
        wanted = list(positions) if positions is not None else []
        chosen = [pair for i in wanted for pair in index.get(i, ())] if wanted else self
        return sorted({pair[1] for pair in chosen if pair[1] is not None})

    def links(self) -> list[tuple[int, int]]:
        """Returns the positions of all links, in order, without further fields and without words that have none.

        >>> import alinea
        >>> alinea.Alignment([(1, None), (2, 2, "boat"), (2, 2), (0, 1)]).links()
        [(0, 1), (2, 2)]
        """
        return sorted({pair[:2] for pair in self if pair[1] is not None})

    def __repr__(self) -> str:
        return f"Alignment({sorted(self, key=order)!r})"

    def __str__(self) -> str:
        return " ".join(f"{pair[0]}-{pair[1]}" for pair in sorted(self, key=order) if pair[1] is not None)

    def _repr_svg_(self) -> str | None:
        """Positions in two rows, and lines between them; nothing where there are too many for a picture."""
        sides = ([pair[0] for pair in self], [pair[1] for pair in self if pair[1] is not None])
        if not all(0 <= position < _DRAWN for side in sides for position in side):
            return None
        # Pictures have the positions beside the words, of which nothing is known here.
        words, mots = ([""] * (max(side, default=-1) + 1) for side in sides)
        return _pictures.draw(words, mots, self.links(), "svg")

    def _repr_html_(self) -> str | None:
        svg = self._repr_svg_()
        return None if svg is None else _html.drawing(svg)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (sorted(self, key=order),)

    def _by_position(self) -> dict[int, list[Pair]]:
        """The pairs of each position that has any: as large as the set, however large the positions are."""
        if self._index is None:
            self._index = self._build_index()
        return self._index

    def _build_index(self) -> dict[int, list[Pair]]:
        return grouped(sorted(self, key=order))

    # What `frozenset` returns from these is a plain `frozenset`, even for its subclasses.

    def __or__(self, other: AbstractSet[Any]) -> Self:
        return self._again(super().__or__(other))

    def __ror__(self, other: AbstractSet[Any]) -> Self:
        return self._again(super().__or__(other))

    def __and__(self, other: AbstractSet[Any]) -> Self:
        return self._again(super().__and__(other))

    def __rand__(self, other: AbstractSet[Any]) -> Self:
        return self._again(super().__and__(other))

    def __sub__(self, other: AbstractSet[Any]) -> Self:
        return self._again(super().__sub__(other))

    def __xor__(self, other: AbstractSet[Any]) -> Self:
        return self._again(super().__xor__(other))

    def __rxor__(self, other: AbstractSet[Any]) -> Self:
        return self._again(super().__xor__(other))

    def union(self, *others: Iterable[Any]) -> Self:
        """The pairs of this set and of others.

        >>> import alinea
        >>> alinea.Alignment("0-0").union({(1, 1)}, {(2, 2)})
        Alignment([(0, 0), (1, 1), (2, 2)])
        """
        return self._again(super().union(*others))

    def intersection(self, *others: Iterable[Any]) -> Self:
        """The pairs that this set and all others have.

        >>> import alinea
        >>> alinea.Alignment("0-0 1-1").intersection({(1, 1), (2, 2)})
        Alignment([(1, 1)])
        """
        return self._again(super().intersection(*others))

    def difference(self, *others: Iterable[Any]) -> Self:
        """The pairs of this set that no other has.

        >>> import alinea
        >>> alinea.Alignment("0-0 1-1").difference({(1, 1), (2, 2)})
        Alignment([(0, 0)])
        """
        return self._again(super().difference(*others))

    def symmetric_difference(self, other: Iterable[Any]) -> Self:
        """The pairs that either this set has or the other.

        >>> import alinea
        >>> alinea.Alignment("0-0 1-1").symmetric_difference({(1, 1), (2, 2)})
        Alignment([(0, 0), (2, 2)])
        """
        return self._again(super().symmetric_difference(other))

    def _again(self, pairs: Any) -> Self:
        """An alignment of what the operation of `frozenset` returned, which may be that it does not know how."""
        return pairs if pairs is NotImplemented else type(self)(pairs)


Alignment.__module__ = "alinea"


def check_positions(alignment: Iterable[Pair], words: int, mots: int) -> None:
    """Raises ``IndexError`` if a pair is outside sentences of these lengths. First positions are looked at first."""
    for pair in alignment:
        if not 0 <= pair[0] < words:
            raise IndexError("Alignment is outside boundary of words")
    for pair in alignment:
        if pair[1] is not None and not 0 <= pair[1] < mots:
            raise IndexError("Alignment is outside boundary of mots")


def grouped(pairs: Iterable[Pair]) -> dict[int, list[Pair]]:
    groups: dict[int, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(pair[0], []).append(pair)
    return groups


def _pair(given: Any) -> Pair:
    pair = given if type(given) is tuple else () if isinstance(given, str) else tuple(given)
    if len(pair) >= _POSITIONS:
        i, j = pair[0], pair[1]
        if type(i) is int and (type(j) is int or j is None):
            return pair
        if _is_position(i) and (j is None or _is_position(j)):
            return (operator.index(i), None if j is None else operator.index(j), *pair[2:])
    raise TypeError(f"a link is a tuple of a position, a position or None, and perhaps more, not {given!r}")


def _is_position(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def order(pair: Pair) -> tuple[int, bool, int, int, str]:
    """Sorts by both positions, no target first; then pairs with fewer fields first."""
    i, j = pair[0], pair[1]
    return (i, j is not None, 0 if j is None else j, len(pair), repr(pair[2:]) if len(pair) > _POSITIONS else "")


def parse(text: str, path: str = "<memory>", line: int = 1) -> Iterator[Pair]:
    """Reads pairs ``i-j``, separated by blanks and tabs.

    Args:
        text: The pairs.
        path: Where they are from, for errors.
        line: Which line they are, from 1.

    Raises:
        ParseError: A pair is malformed.
    """
    for token in _TOKEN.finditer(text):
        link = _LINK.fullmatch(token[0])
        try:
            if link is None:
                raise ValueError
            yield int(link[1]), int(link[2])
        except ValueError:  # of `int` too, which reads 4300 digits at most
            column = len(text[: token.start()].encode("utf-8", "surrogatepass")) + 1
            what = f"expected a link such as `3-4`, found `{escaped(token[0][:80])}`"
            raise ParseError(f"{path}:{line}:{column}: {what}", path, line, column) from None


def escaped(text: str) -> str:
    """The text with what a terminal could not show, or would obey, as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
