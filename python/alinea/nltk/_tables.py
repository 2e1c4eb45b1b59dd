"""Tables of probabilities: dictionaries in dictionaries, with a value for what they do not have."""

from __future__ import annotations

from typing import Any

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

    __slots__ = ("default", "depth")

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
