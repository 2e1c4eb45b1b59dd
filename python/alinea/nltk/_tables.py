"""Tables of probabilities: dictionaries in dictionaries, with a value for what they do not have."""

from __future__ import annotations

from collections.abc import Reversible
from functools import wraps
from typing import Any, Protocol

MIN_PROB = 1e-12
"""The least probability of anything."""


class Probabilities(dict[Any, Any]):
    """A table with some keys one after another, such as ``table[word][mot]``.

    What was never set has the default. Looking it up does not add it, but rows on the way to it are made, so that
    ``table[word][mot] = 0.5`` works for new words.

    >>> from alinea.nltk._tables import Probabilities
    >>> table = Probabilities(2)
    >>> table["house"]["Haus"] = 0.5
    >>> table["house"]["Haus"], table["house"]["Maus"]
    (0.5, 1e-12)
    """

    __slots__ = ("_rows", "default", "depth")

    _rows: Rows

    def __init__(self, depth: int, default: float = MIN_PROB) -> None:
        """Makes an empty table.

        Args:
            depth: How many keys lead to a probability.
            default: The probability of what is not in the table.
        """
        super().__init__()
        self.depth = depth
        self.default = default

    def __missing__(self, key: object) -> Any:
        if self.depth == 1:
            return self.default
        row = Probabilities(self.depth - 1, self.default)
        self[key] = row
        return row


class Rows(Protocol):
    """Where the rows of a table are made when they are asked for."""

    def keys(self) -> Reversible[Any]:
        """The keys of all rows, in order."""

    def row(self, key: Any) -> Probabilities | None:
        """A new row, if there is one with this key."""


class LazyProbabilities(Probabilities):
    """A table whose rows are made when they are asked for.

    Whoever looks at more than one row makes all of them, and the table is a plain one from then on. The last row is
    there from the beginning: some native code, such as that of :mod:`json`, looks into a dictionary to see if it is
    empty. One thing cannot be told from here: ``other == table``, where ``other`` is a dictionary of yet another class,
    takes rows that were not made for missing.

    >>> from alinea.nltk import AlignedSent, IBMModel1
    >>> table = IBMModel1([AlignedSent(["house"], ["Haus"])], 1).translation_table
    >>> type(table).__name__, table["house"], type(table).__name__
    ('LazyProbabilities', {None: 1.0, 'Haus': 1.0}, 'LazyProbabilities')
    >>> len(table), type(table).__name__
    (1, 'Probabilities')
    """

    __slots__ = ()

    def __init__(self, depth: int, rows: Rows) -> None:
        """Makes a table.

        Args:
            depth: How many keys lead to a probability, at least 2.
            rows: Where rows are made.
        """
        super().__init__(depth)
        self._rows = rows
        for key in reversed(rows.keys()):
            self[key] = rows.row(key)
            break

    def __missing__(self, key: object) -> Any:
        row = self._rows.row(key)
        if row is None:
            return super().__missing__(key)
        self[key] = row
        return row

    def _complete(self) -> None:
        """Makes all rows. What was assigned stays; new keys come after those that were there before."""
        made = dict(dict.items(self))
        rows: dict[Any, Any] = {}
        for key in self._rows.keys():  # noqa: SIM118  # no dictionary
            rows[key] = made.pop(key) if key in made else self._rows.row(key)
        rows.update(made)
        dict.clear(self)
        dict.update(self, rows)
        self.__class__ = Probabilities  # type: ignore[assignment]  # both have the same layout
        del self._rows


def _completing(name: str) -> Any:
    @wraps(getattr(dict, name))
    def method(self: LazyProbabilities, *arguments: Any, **keywords: Any) -> Any:
        self._complete()
        for argument in arguments:
            if isinstance(argument, LazyProbabilities):
                argument._complete()
        return getattr(self, name)(*arguments, **keywords)

    return method


# What looks at more than one row, or takes one away. Setting one row needs no other.
for _name in (
    *("__contains__", "__delitem__", "__eq__", "__ior__", "__iter__", "__len__", "__ne__", "__or__", "__reduce_ex__"),
    *("__repr__", "__reversed__", "__ror__", "clear", "copy", "get", "items", "keys", "pop", "popitem", "setdefault"),
    *("update", "values"),
):
    setattr(LazyProbabilities, _name, _completing(_name))
del _name


def untouched(table: object) -> Rows | None:
    """Where the rows of a table are made, if those that were asked for are as they were made."""
    if type(table) is LazyProbabilities and all(table._rows.row(key) == row for key, row in dict.items(table)):
        return table._rows
    return None


class Sums(dict[Any, Any]):
    """A table of counts: like :class:`Probabilities`, but what was never counted is 0."""

    __slots__ = ("depth",)

    def __init__(self, depth: int) -> None:
        super().__init__()
        self.depth = depth

    def __missing__(self, key: object) -> Any:
        if self.depth == 1:
            return 0.0
        row = Sums(self.depth - 1)
        self[key] = row
        return row


def probability(count: float, total: float) -> float:
    """The share of a count, not below :data:`MIN_PROB`; of nothing, that."""
    return max(count / total, MIN_PROB) if total > 0 else MIN_PROB
