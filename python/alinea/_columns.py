"""Arrays for many sentence pairs in two arrays: a column of a data frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from alinea import _html, _native

if TYPE_CHECKING:
    from typing_extensions import Self

    from alinea._links import Alignments


_Number = TypeVar("_Number", bound=np.integer[Any])

SHOWN = 10
"""How many items notebooks show of a column."""


class Column(Generic[_Number]):
    """Rows of numbers, and where those of each sentence begin.

    A sequence in all but the class: polars takes the items of a ``Sequence`` one by one, and does not ask for Arrow.
    """

    __slots__ = ("name", "offsets", "rows")

    _fields: ClassVar[tuple[str, ...]] = ()
    _type: ClassVar[type[np.integer[Any]]] = np.uint32
    _of: ClassVar[str] = "sentence pairs"

    offsets: NDArray[np.int64]
    rows: NDArray[_Number]
    name: str | None

    def __init__(self, offsets: NDArray[np.int64], rows: NDArray[_Number], name: str | None = None) -> None:
        """Puts a column together, as it is described at the class.

        Args:
            offsets: Where the rows of each item begin, and, at last, how many there are.
            rows: The rows of all items.
            name: The name of the column.

        Raises:
            ValueError: The offsets do not begin with 0, fall, or do not end with the number of rows; or the rows have
                another number of columns.
        """
        self.offsets = np.asarray(offsets, dtype=np.int64)
        self.rows = np.asarray(rows, dtype=self._type)
        self.name = name
        if self.rows.shape[1:] != ((len(self._fields),) if self._fields else ()) or self.rows.ndim == 0:
            raise ValueError(f"rows: {len(self._fields)} columns are needed, not an array of shape {self.rows.shape}")
        ends = self.offsets[[0, -1]].tolist() if self.offsets.ndim == 1 and self.offsets.size else []
        if ends != [0, len(self.rows)] or (np.diff(self.offsets) < 0).any():
            raise ValueError(f"offsets: numbers that rise from 0 to {len(self.rows)} are needed")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> NDArray[_Number]: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> NDArray[_Number] | Self:
        if not isinstance(index, slice):
            start, end = self.offsets[:-1][index], self.offsets[1:][index]
            return self.rows[start:end]
        numbers = range(*index.indices(len(self)))
        if numbers.step == 1:
            offsets = self.offsets[numbers.start : max(numbers.stop, numbers.start) + 1]
            return type(self)(offsets - offsets[0], self.rows[offsets[0] : offsets[-1]], self.name)
        starts, ends = self.offsets[:-1][index], self.offsets[1:][index]
        offsets = np.concatenate([[0], np.cumsum(ends - starts)])
        pieces = [self.rows[start:end] for start, end in zip(starts, ends, strict=True)]
        return type(self)(offsets, np.concatenate([self.rows[:0], *pieces]), self.name)

    def __iter__(self) -> Iterator[NDArray[_Number]]:
        start = 0
        for end in self.offsets[1:].tolist():
            yield self.rows[start:end]
            start = end

    def __reversed__(self) -> Iterator[NDArray[_Number]]:
        return (self[n] for n in reversed(range(len(self))))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.rows, other.rows)

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} {self._of}, {len(self.rows)} rows>"

    def _repr_html_(self) -> str:
        name = "" if self.name is None else f"{self.name}: "
        rows = [[str(number), self._shown(number)] for number in range(min(len(self), SHOWN))]
        caption = f"{name}{type(self).__name__} of {len(self):,} {self._of}, {len(self.rows):,} rows"
        return _html.table(caption, (), rows, align="rl", more=len(self) - len(rows))

    def _shown(self, number: int, beside: NDArray[np.floating[Any]] | None = None) -> str:
        """The first rows of an item as notebooks show them; ``beside`` has a number for each row of the column."""
        start, end = self.offsets[number : number + 2].tolist()
        kept = slice(start, min(end, start + _html.ITEMS))
        texts = [self._row(row) for row in self.rows[kept].tolist()]
        if beside is not None:
            texts = [f"{text}:{value:.2f}" for text, value in zip(texts, beside[kept].tolist(), strict=True)]
        return _html.several(texts, end - start)

    @staticmethod
    def _row(row: Any) -> str:
        """A row as text."""
        return str(row)

    def to_pylist(self) -> list[list[Any]]:
        """Returns the items as lists of Python: a list of numbers for each row, or a number.

        >>> import alinea
        >>> alinea.LinkColumn.of(["0-0 1-2", ""]).to_pylist()
        [[[0, 0], [1, 2]], []]
        """
        return [rows.tolist() for rows in self]

    def to_pandas(self, *, index: object = None) -> Any:
        """Returns a ``pandas.Series`` with an array for each item, and with the name of the column.

        >>> import alinea
        >>> import pandas
        >>> frame = pandas.DataFrame({"links": ["0-0", "0-1"]}, index=["first", "second"])
        >>> links = alinea.LinkColumn.of(frame["links"])
        >>> links.to_pandas(index=frame.index)
        first     [[0, 0]]
        second    [[0, 1]]
        Name: links, dtype: object

        Args:
            index: The index of the series, as long as the column; without it, numbers from 0.

        Raises:
            ImportError: pandas is not installed.
            ValueError: The index is shorter or longer.
        """
        import pandas  # noqa: PLC0415  # needed by those who ask for it

        return pandas.Series(list(self), index=index, name=self.name, dtype=object)

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Lends the column to libraries of Arrow, as lists of structures of ``uint32``, or of positions."""
        return self._lend()

    def _lend(self) -> tuple[object, object]:
        raise NotImplementedError


class _Structures(Column[np.uint32]):
    """Rows with several fields."""

    __slots__ = ()

    def _lend(self) -> tuple[object, object]:
        return _native.export_arrow(self.offsets, self.rows, list(self._fields), self.name)


class LinkColumn(_Structures):
    """The links of many sentence pairs: behaves like a list with an array for each, but is stored in two arrays.

    Libraries that read columns through Arrow (``polars.Series(links)``, ``pyarrow.array(links)``) get a list of
    structures of ``source`` and ``target`` for each sentence pair. Python objects are created only for the sentence
    pairs that are accessed. The name of a column, such as that of a series given to :meth:`of`, is passed on to polars
    and by :meth:`to_pandas`.

    >>> import alinea
    >>> links = alinea.align(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"])
    >>> links
    <LinkColumn of 3 sentence pairs, 6 rows>
    >>> links[1].tolist()
    [[0, 0], [1, 1]]
    >>> links.offsets.tolist(), links.rows[:, 1].tolist()
    ([0, 2, 4, 6], [0, 1, 0, 1, 0, 1])

    Attributes:
        offsets: Where the links of each sentence pair begin in ``rows``, and finally the number of rows.
        rows: All links, a row ``(source position, target position)`` for each.
        name: The name of the column; ``None`` if it has none.
    """

    __slots__ = ()
    _fields = ("source", "target")

    @classmethod
    def of(cls, links: Alignments, *, name: str | None = None) -> LinkColumn:
        """Makes a column from links in any form: lines, arrays, a file, or a column of a data frame.

        >>> import alinea
        >>> import polars
        >>> links = alinea.LinkColumn.of(polars.Series("gold", ["0-0 1-1", "0-1"]))
        >>> links, links.name
        (<LinkColumn of 2 sentence pairs, 3 rows>, 'gold')
        >>> polars.Series(links).name
        'gold'

        Args:
            links: The links of each sentence pair; possible links are treated like sure ones.
            name: The name of the column; without it, that of the given column.

        Raises:
            ParseError: A line is not in Pharaoh format.
            TypeError: They are not links.
            ValueError: A position is not allowed.
        """
        from alinea._links import column_of  # noqa: PLC0415  # which needs this class

        return column_of(links, name)

    @staticmethod
    def _row(row: Any) -> str:
        return f"{row[0]}-{row[1]}"


class PhraseColumn(_Structures):
    """The phrase pairs of many sentence pairs: behaves like a list with an array for each, but is stored in two arrays.

    Through Arrow it is a list of structures for each sentence pair, of ``source_start``, ``source_end``,
    ``target_start`` and ``target_end``.

    >>> import alinea
    >>> found = alinea.phrases(["yes", "a house"], ["oui", "une maison"], ["0-0", "0-0 1-1"])
    >>> [len(pair) for pair in found], found[0].tolist()
    ([1, 3], [[0, 1, 0, 1]])

    Attributes:
        offsets: Where the phrase pairs of each sentence pair begin in ``rows``, and finally the number of rows.
        rows: All phrase pairs, a row for each; see :func:`phrases`.
    """

    __slots__ = ()
    _fields = ("source_start", "source_end", "target_start", "target_end")

    @staticmethod
    def _row(row: Any) -> str:
        return f"{row[0]}:{row[1]}–{row[2]}:{row[3]}"


class OffsetColumn(_Structures):
    """The offsets of words in many sentences: behaves like a list with an array for each, but is stored in two arrays.

    Through Arrow it is a list of structures of ``start`` and ``end`` for each sentence.

    >>> import alinea
    >>> alinea.word_offsets(["Es regnet.", "Ja"])
    <OffsetColumn of 2 sentences, 4 rows>

    Attributes:
        offsets: Where the words of each sentence begin in ``rows``, and finally the number of rows.
        rows: All words, a row for each; see :func:`word_offsets`.
    """

    __slots__ = ()
    _fields = ("start", "end")
    _of = "sentences"

    @staticmethod
    def _row(row: Any) -> str:
        return f"{row[0]}:{row[1]}"


for _class in (LinkColumn, OffsetColumn, PhraseColumn):
    _class.__module__ = "alinea"
del _class
