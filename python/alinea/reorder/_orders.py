"""Orders as arrays, and gold orders from links.

:class:`OrderColumn` keeps the orders of a text in two numpy arrays. :func:`gold_orders` and :func:`gold_ranks` derive
total and partial orders from links (Neubig, Watanabe and Mori 2012; Nakagawa 2015), computed by the native module
(crate ``alinea-order``, modules ``reorder::oracle`` and ``reorder::ranks``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from alinea import _native
from alinea._columns import Column
from alinea._links import Alignments, Links, Sentence, Sentences, arrays
from alinea.reorder._source import Source, source_of

Order: TypeAlias = NDArray[np.int32]
"""The positions, from 0, of the words of one sentence, in their new order; words that have no place may be missing."""

Key: TypeAlias = Literal["mean", "median", "min", "max"]
"""By which of the positions that it is linked to a word is sorted; see :func:`gold_orders`."""

Unaligned: TypeAlias = Literal["drop", "left", "right"]
"""What becomes of words without links; see :func:`gold_orders`."""

Attach: TypeAlias = Literal["right", "left"]
"""With which neighbor dropped words travel; see :func:`gold_orders`."""

Incomparable: TypeAlias = Literal["skip", "merge"]
"""What to do where a word is linked around another; see :func:`gold_ranks`."""


class OrderColumn(Column[np.int32]):
    """The orders of many sentences: behaves like a list with an array for each, but is stored in two arrays.

    Libraries that read columns through Arrow (``polars.Series(orders)``, ``pyarrow.array(orders)``) get a list of
    ``int32`` for each sentence. The place of each word in a whole sentence's order is ``numpy.argsort(order)``.

    >>> from alinea import reorder
    >>> orders = reorder.gold_orders(["I am going home", "yes"], ["0-0 2-2 3-1", "0-0"])
    >>> orders
    <OrderColumn of 2 sentences, 4 rows>
    >>> orders[0].tolist(), orders.offsets.tolist()
    ([0, 3, 2], [0, 3, 4])

    Attributes:
        offsets: Where the positions of each sentence begin in ``rows``, and finally the number of rows.
        rows: The positions of all sentences, one sentence after another.
    """

    __slots__ = ()
    _type: ClassVar = np.int32
    _of = "sentences"

    def _lend(self) -> tuple[object, object]:
        return _native.export_orders(self.offsets, self.rows, self.name)


Orders: TypeAlias = OrderColumn | Iterable[NDArray[np.integer] | Iterable[int]]
"""The orders of many sentences: a column, or positions of words for each, in their new order."""


class Ranks(NamedTuple):
    """The partial order of a sentence's words; see :func:`gold_ranks`.

    >>> from alinea import reorder
    >>> (ranks,) = reorder.gold_ranks(["a b c"], ["0-0 0-2 1-1"])
    >>> ranks.ranks, ranks.incomparable
    (None, (0, 1))

    Attributes:
        ranks: The rank of each word, from 0, and -1 for words without links; of words with equal ranks any may come
            first. ``None`` if the sentence has no ranks: no word has a link, or see below.
        incomparable: Two words of which one is linked around the other, so that there are no ranks; ``None`` if there
            are some, or no word has a link.
        bracketable: Whether a binary tree, whose nodes keep or exchange their parts, reaches the order.
    """

    ranks: NDArray[np.int32] | None
    incomparable: tuple[int, int] | None
    bracketable: bool


def gold_order(
    sentence: Sentence | int,
    links: Links,
    *,
    key: Key = "mean",
    unaligned: Unaligned = "drop",
    attach: Attach | None = None,
) -> Order:
    """Puts the words of one sentence into the order of its translation; see :func:`gold_orders`.

    >>> from alinea import reorder
    >>> reorder.gold_order("I am going home", "0-0 2-2 3-1").tolist()
    [0, 3, 2]
    >>> reorder.gold_order(4, [(0, 0), (2, 2), (3, 1)], attach="right").tolist()
    [0, 3, 1, 2]

    Args:
        sentence: The sentence, or its number of words.
        links: Its links.
        key: As in :func:`gold_orders`, like the arguments below.
        unaligned: What is done with words without links.
        attach: With which neighbor dropped words move.

    Raises:
        Error: See :func:`gold_orders`, also for other exceptions.
    """
    words = [""] * sentence if isinstance(sentence, int) else sentence
    return gold_orders([words], [links], key=key, unaligned=unaligned, attach=attach)[0]


def gold_orders(
    source: Source | Sentences,
    links: Alignments,
    *,
    key: Key = "mean",
    unaligned: Unaligned = "drop",
    attach: Attach | None = None,
) -> OrderColumn:
    """Puts the words of each sentence into the order of its translation, as its links tell it.

    Words are sorted by a number drawn from the positions that they are linked to; of words with equal numbers the one
    that comes first in the source stays first.

    >>> from alinea import reorder
    >>> orders = reorder.gold_orders(["I am going home"], ["0-0 2-2 3-1"])
    >>> orders[0].tolist()
    [0, 3, 2]
    >>> reorder.gold_orders(["I am going home"], ["0-0 2-2 3-1"], attach="right")[0].tolist()
    [0, 3, 1, 2]

    Args:
        source: The source sentences.
        links: The links of each.
        key: The number by which a word is sorted: the mean, the median, the first or the last of its positions.
        unaligned: What is done with words without links. With ``"drop"`` they have no place, and are missing in the
            order. Otherwise they take the number of the next word with links on their ``"left"`` or ``"right"``.
        attach: If given, orders are of whole sentences: dropped words move with the next word on this side.

    Returns:
        The positions of the words, in their new order.

    Raises:
        Error: There are more or fewer sentences than links, or a link is outside its sentence.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.
        TypeError: A sentence is neither a ``str`` nor words.
    """
    lengths = source_of(source).lengths
    return OrderColumn(*_native.gold_orders(lengths, arrays(links, "links"), key, unaligned, attach))


def gold_ranks(
    source: Source | Sentences,
    links: Alignments,
    *,
    incomparable: Incomparable = "skip",
) -> list[Ranks]:
    """Returns the partial order of each sentence's words, in which words that links do not order have equal ranks.

    A word that is linked to several positions covers an interval. A word comes before or with another if its interval
    begins no later and ends no later (Neubig, Watanabe and Mori 2012; Nakagawa 2015).

    >>> from alinea import reorder
    >>> (ranks,) = reorder.gold_ranks(["a b c d"], ["0-2 1-2 3-0"])
    >>> ranks.ranks.tolist(), ranks.bracketable
    ([1, 1, -1, 0], True)

    Args:
        source: The source sentences.
        links: The links of each.
        incomparable: Where the interval of a word lies inside that of another, the sentence has no ranks (``"skip"``),
            or everything between the two words gets one rank (``"merge"``, as in the program LADER).

    Raises:
        Error: There are more or fewer sentences than links, or a link is outside its sentence.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.
    """
    lengths = source_of(source).lengths
    found, known, reasons, bracketable = _native.gold_ranks(lengths, arrays(links, "links"), incomparable)
    rows = zip(OrderColumn(*found), known, reasons, bracketable, strict=True)
    return [Ranks(ranks if has_ranks else None, words, fits) for ranks, has_ranks, words, fits in rows]


def column_of(orders: Orders, name: str) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The two arrays of a column of orders.

    Raises:
        TypeError: Positions are not integers.
        ValueError: They are out of the range of 32 bits, or a sentence's are not one row.
    """
    if isinstance(orders, OrderColumn):
        return orders.offsets, orders.rows
    untyped: object = orders
    if isinstance(untyped, str):
        raise TypeError(f"{name}: expected a sequence of orders, not a str")
    given = [_positions(order, f"{name}[{number}]") for number, order in enumerate(orders)]
    offsets = np.cumsum([0, *(len(order) for order in given)], dtype=np.int64)
    return offsets, np.concatenate([np.empty(0, dtype=np.int32), *given])


def _positions(order: NDArray[np.integer] | Iterable[int], name: str) -> NDArray[np.int32]:
    array = order if isinstance(order, np.ndarray) else np.array(list(order))
    if array.size == 0:
        return np.empty(0, dtype=np.int32)
    if array.ndim != 1:
        raise ValueError(f"{name}: an order is one row of positions, not an array of shape {array.shape}")
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"{name}: positions are integers, not {array.dtype}")
    if array.min() < 0 or array.max() > np.iinfo(np.int32).max:
        raise ValueError(f"{name}: positions are from 0 to {np.iinfo(np.int32).max}")
    return array.astype(np.int32, copy=False)


for _public in (OrderColumn, Ranks, gold_order, gold_orders, gold_ranks):
    _public.__module__ = "alinea.reorder"
