"""Accepted forms of links, and their conversion to arrays."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from alinea import _html, _native
from alinea._alignment import Alignment
from alinea._columns import SHOWN, LinkColumn
from alinea._sentence import AlignedSentence

LinkArray: TypeAlias = NDArray[np.uint32]
"""The links of one sentence pair: a row ``(source position, target position)`` for each link."""

Links: TypeAlias = str | NDArray[np.integer] | Iterable[tuple[int, int]] | Alignment | AlignedSentence
"""What is taken for the links of one sentence pair: an array, pairs, a line in Pharaoh format, or an object."""

Sentence: TypeAlias = str | Iterable[str]
"""One sentence: a ``str``, which is cut into words at blanks and tabs only, or the words themselves."""


class ArrowColumn(Protocol):
    """A column that can be lent through Arrow, such as a ``polars.Series`` or a ``pyarrow.ChunkedArray``."""

    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object:
        """Lends the column, in pieces."""


class ArrowArray(Protocol):
    """An array that can be lent through Arrow, such as a ``pyarrow.Array``."""

    def __arrow_c_array__(self, requested_schema: object | None = None, /) -> tuple[object, object]:
        """Lends the array."""


Sentences: TypeAlias = Iterable[Sentence] | os.PathLike[str] | ArrowColumn | ArrowArray
"""A text: its sentences, a file, or a column of a data frame; see :mod:`alinea`."""

Alignments: TypeAlias = Iterable[Links] | os.PathLike[str] | ArrowColumn | ArrowArray
"""The links of many sentence pairs: one by one; a file, in Pharaoh format unless its name suggests another; or a column
of a data frame."""

Annotators: TypeAlias = Mapping[str, "Iterable[GoldAlignment | Links | None] | Alignments"]
"""The links of several annotators of the same text, by name; ``None`` for sentences that one did not annotate."""

_T = TypeVar("_T")
_PAIR = 2
_LAST_POSITION = 2**32 - 1


class Posteriors(NamedTuple):
    """Links with their confidences; see :func:`posteriors`.

    >>> import alinea
    >>> found = alinea.posteriors(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"])
    >>> best = found.confidences > 0.5
    >>> found.links.rows[best].tolist()
    [[0, 0], [1, 1], [0, 0], [1, 1], [0, 0], [1, 1]]

    Attributes:
        links: The links of each sentence pair.
        confidences: The confidence of each link, from 0 to 1, in the order of ``links.rows``.
    """

    links: LinkColumn
    confidences: NDArray[np.float32]

    def _repr_html_(self) -> str:
        links = self.links
        rows = [[str(number), links._shown(number, self.confidences)] for number in range(min(len(links), SHOWN))]
        caption = f"Posteriors of {len(links):,} sentence pairs, {len(links.rows):,} links"
        return _html.table(caption, (), rows, align="rl", more=len(links) - len(rows))


class GoldAlignment:
    """The gold links of a sentence pair (Och and Ney 2003).

    >>> import alinea
    >>> gold = alinea.GoldAlignment([(0, 0)], [(1, 2)])
    >>> gold.possible.tolist()
    [[0, 0], [1, 2]]

    Attributes:
        sure: The links that a correct alignment must have.
        possible: The links that a correct alignment may have, including the sure ones.
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

    def _repr_html_(self) -> str:
        sure, possible = ([f"{i}-{j}" for i, j in links.tolist()] for links in (self.sure, self.possible))
        only = [link for link in possible if link not in sure]
        rows = [["sure", _html.several(sure)], ["only possible", _html.several(only)]]
        return _html.table(f"GoldAlignment of {len(possible):,} links", (), rows, align="ll")


for _public in (GoldAlignment, Posteriors):
    _public.__module__ = "alinea"


def arrays(alignments: Alignments, name: str) -> list[LinkArray] | tuple[NDArray[np.int64], LinkArray]:
    """The links of each sentence pair of the argument ``name``, or the two arrays of a column."""
    if isinstance(alignments, os.PathLike):
        return [possible for _, possible in _native.read_alignments(alignments)]
    given = items(alignments, name)
    if isinstance(given, LinkColumn):
        return given.offsets, given.rows
    return [_array(links, name, number) for number, links in enumerate(given, 1)]


def column_of(alignments: Alignments, name: str | None) -> LinkColumn:
    """The links of each sentence pair in two arrays; without a name, with the one that the given column has."""
    # Files have names, too, but are no arrays.
    if name is None and (isinstance(alignments, LinkColumn) or hasattr(alignments, "__array__")):
        given = getattr(alignments, "name", None)
        name = given if isinstance(given, str) and given else None
    found = arrays(alignments, "links")
    if isinstance(found, tuple):
        return LinkColumn(*found, name)
    offsets = np.cumsum([0, *map(len, found)], dtype=np.int64)
    return LinkColumn(offsets, np.concatenate([np.empty((0, _PAIR), dtype=np.uint32), *found]), name)


def pairs_of_arrays(
    gold: Iterable[GoldAlignment | Links] | Alignments, name: str = "gold"
) -> list[tuple[LinkArray, LinkArray]]:
    """The sure and the possible links of each sentence pair of the argument ``name``."""
    if isinstance(gold, os.PathLike):
        return _native.read_alignments(gold)
    return [_gold(links, name, number) for number, links in enumerate(items(gold, name), 1)]


def annotators_of(annotators: Annotators) -> list[tuple[str, list[tuple[LinkArray, LinkArray] | None]]]:
    """The names of annotators, with the sure and the possible links of each sentence that they annotated."""
    return [(name, known_pairs_of_arrays(annotation, name)) for name, annotation in annotators.items()]


def known_pairs_of_arrays(
    gold: Iterable[GoldAlignment | Links | None] | Alignments, name: str
) -> list[tuple[LinkArray, LinkArray] | None]:
    """The same for links that are not known of every pair."""
    if isinstance(gold, os.PathLike):
        return list(_native.read_alignments(gold))
    given = cast("Iterable[GoldAlignment | Links | None]", items(gold, name))
    return [None if links is None else _gold(links, name, number) for number, links in enumerate(given, 1)]


def _gold(links: GoldAlignment | Links, name: str, number: int) -> tuple[LinkArray, LinkArray]:
    """The sure and the possible links of item ``number``, from 1, of the argument ``name``."""
    if isinstance(links, GoldAlignment):
        return links.sure, links.possible
    if isinstance(links, str):
        return _native.parse_pharaoh(links, name, number)
    sure = _array(links, name, number)
    return sure, sure


def items(alignments: Iterable[_T] | ArrowColumn | ArrowArray, name: str) -> Iterable[_T | Links]:
    """The items of a sequence, or of a column of a data frame.

    Raises:
        TypeError: It is one ``str``, which would be taken for a sequence of lines of one character; or a column of
            something else than links; or no sequence at all.
    """
    if isinstance(alignments, str):
        raise TypeError(
            f"{name}: expected a sequence with the links of each sentence pair, not a str"
            " (pass a file as a pathlib.Path)"
        )
    lent = None if isinstance(alignments, (list, LinkColumn)) else _native.read_arrow(alignments, name)
    if lent is None:
        try:
            iter(alignments)  # type: ignore[arg-type]  # what is no sequence is refused with a clear text
        except TypeError:
            what = type(alignments).__name__
            what += " (pass its .links, or its .gold())" * hasattr(alignments, "gold")
            raise TypeError(f"{name}: expected a sequence with the links of each sentence pair, not {what}") from None
        return cast(Iterable[_T], alignments)
    lines, column = lent
    return lines or [] if column is None else LinkColumn(*column)


def _array(links: Links, name: str, number: int) -> LinkArray:
    """The links of item ``number``, from 1, of the argument ``name``."""
    if isinstance(links, str):
        return _native.parse_pharaoh(links, name, number)[1]
    if isinstance(links, AlignedSentence):
        links = links.alignment
    if isinstance(links, Alignment):
        links = links.links()
    array = links if isinstance(links, np.ndarray) and links.dtype != object else _rows(links, f"{name}[{number - 1}]")
    if array.size == 0:
        return np.empty((0, 2), dtype=np.uint32)
    if array.ndim != _PAIR or array.shape[1] != _PAIR:
        raise ValueError(f"{name}[{number - 1}]: links are pairs of positions, not an array of shape {array.shape}")
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name}[{number - 1}]: positions are integers, not {array.dtype}")
    if array.min() < 0 or array.max() > _LAST_POSITION:
        raise ValueError(f"{name}[{number - 1}]: positions are from 0 to {_LAST_POSITION}")
    return array.astype(np.uint32, copy=False)


def _rows(links: Iterable[Any], place: str) -> NDArray[Any]:
    """Pairs of positions, or structures of ``source`` and ``target``, as an array, which may be of a wrong form."""
    try:
        rows = list(links)
    except TypeError:
        what = type(links).__name__
        raise TypeError(f"{place}: links are pairs of positions or a line in Pharaoh format, not {what}") from None
    if rows and isinstance(rows[0], Mapping):
        try:
            rows = [(row["source"], row["target"]) for row in rows]
        except (KeyError, TypeError):
            raise TypeError(f"{place}: a link is a structure of source and target") from None
    try:
        return np.array(rows)
    except ValueError:
        raise ValueError(f"{place}: links are pairs of positions, and some are not") from None
