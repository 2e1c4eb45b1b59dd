"""Alignments and aligned sentences as ``nltk.align.api`` had them.

>>> from alinea.nltk.align.api import AlignedSent, Alignment
>>> AlignedSent(), Alignment([])[0]
(AlignedSent([], [], Alignment([])), [])
>>> pair = AlignedSent(["the", "house"], ["das", "Haus"], "0-0 1-1")
>>> pair.words = ["the"]
Traceback (most recent call last):
    ...
IndexError: Alignment is outside boundary of words
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alinea import _alignment, _sentence

if TYPE_CHECKING:
    from alinea._links import Sentence

__all__ = ["AlignedSent", "Alignment"]


class Alignment(_alignment.Alignment):
    """A set of links; see :class:`alinea.Alignment`. It is indexed like a list with an item for each position.

    >>> from alinea.nltk.align import Alignment
    >>> alignment = Alignment("0-0 0-1 2-2")
    >>> alignment[0], alignment[1], alignment[1:]
    ([(0, 0), (0, 1)], [], [[], [(2, 2)]])
    >>> alignment[3]
    Traceback (most recent call last):
        ...
    IndexError: position 3 is out of range: the last with a link is 2
    """

    def __getitem__(self, key: Any) -> Any:
        """Returns the pairs that start at a position, or a list of such lists for a slice of positions.

        Raises:
            IndexError: The position is after the last that has a link, or as far before the first.
            TypeError: The key is neither an integer nor a slice.
        """
        index = self._by_position()
        last = max(index, default=0)
        if isinstance(key, slice):
            return [index.get(position, []) for position in range(last + 1)[key]]
        if not hasattr(key, "__index__"):
            raise TypeError(f"positions of an alignment are integers or slices, not {type(key).__name__}")
        try:
            position = range(last + 1)[key]
        except IndexError:
            raise IndexError(f"position {key} is out of range: the last with a link is {last}") from None
        return index.get(position, [])


class AlignedSent(_sentence.AlignedSentence):
    """A sentence, its translation, and which words go together; see :class:`alinea.AlignedSentence`."""

    def __init__(
        self,
        words: Sentence = (),
        mots: Sentence = (),
        alignment: Any = None,
        encoding: str = "utf8",  # noqa: ARG002
    ) -> None:
        """Puts two sentences together.

        Args:
            words: The words of a sentence, or a ``str``, which is cut at blanks and tabs.
            mots: The other sentence.
            alignment: Links from the first to the second; none if it is left out.
            encoding: Without effect: Python 2 needed it to show words.

        Raises:
            IndexError: A position is outside its sentence.
            ParseError: The links are text that is not in Pharaoh format.
        """
        super().__init__(words, mots, alignment)

    def _to_alignment(self, alignment: Any) -> Alignment:
        return Alignment(alignment)

    def invert(self) -> AlignedSent:
        """Returns the pair seen from the other side."""
        return type(self)(self.mots, self.words, self.alignment.invert())
