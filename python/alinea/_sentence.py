"""Sentence pairs with an alignment, as objects.

:class:`AlignedSentence` is pure Python, with the interface of NLTK's ``AlignedSent``, whose names ``words`` and
``mots`` it keeps; scores are those of ``_scores.py`` (Och and Ney 2003), pictures those of ``alinea view``. Functions
for whole texts use arrays in native memory instead, see ``_columns.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from alinea import _html, _pictures, _scores
from alinea._alignment import Alignment, Pair, check_positions, escaped

if TYPE_CHECKING:
    from typing_extensions import Self

    from alinea._links import Links, Sentence

_SHORT = 20
_WORD = re.compile(r"[^ \t]+")


class AlignedSentence:
    """Two sentences and the alignment of their words.

    >>> import alinea
    >>> pair = alinea.AlignedSentence("das kleine Haus", "the small house", "0-0 1-1 2-2")
    >>> pair.words, pair.mots
    (['das', 'kleine', 'Haus'], ['the', 'small', 'house'])
    >>> pair.precision("0-0 1-1"), pair.recall("0-0 1-1")
    (0.6666666666666666, 1.0)
    >>> pair.alignment = [(0, 0), (3, 2)]
    Traceback (most recent call last):
        ...
    IndexError: Alignment is outside boundary of words
    """

    _words: list[Any]
    _mots: list[Any]
    _alignment: Alignment | Callable[[], Alignment]

    def __init__(self, words: Sentence, mots: Sentence, alignment: Links | Iterable[Pair] | None = None) -> None:
        """Puts two sentences together.

        Args:
            words: The words of a sentence, or a ``str``, which is cut at blanks and tabs.
            mots: The other sentence.
            alignment: Links from the first to the second; none if it is left out.

        Raises:
            IndexError: A position is outside its sentence.
            ParseError: The links are text that is not in Pharaoh format.
            TypeError: The links are no links.
        """
        self._words = _words(words)
        self._mots = _words(mots)
        self.alignment = () if alignment is None else alignment

    @property
    def words(self) -> list[Any]:
        """The first sentence. What is assigned must have all words that have links.

        >>> import alinea
        >>> alinea.AlignedSentence("a b", "x", "1-0").words = ["a"]
        Traceback (most recent call last):
            ...
        IndexError: Alignment is outside boundary of words
        """
        return self._words

    @words.setter
    def words(self, words: Sentence) -> None:
        given = _words(words)
        check_positions(self.alignment, len(given), len(self._mots))
        self._words = given

    @property
    def mots(self) -> list[Any]:
        """The second sentence, likewise.

        >>> import alinea
        >>> alinea.AlignedSentence("a b", "x", "1-0").mots
        ['x']
        """
        return self._mots

    @mots.setter
    def mots(self, mots: Sentence) -> None:
        given = _words(mots)
        check_positions(self.alignment, len(self._words), len(given))
        self._mots = given

    @property
    def alignment(self) -> Alignment:
        """The links. What is assigned may be anything that :class:`Alignment` takes, and is checked.

        >>> import alinea
        >>> pair = alinea.AlignedSentence("a b", "x")
        >>> pair.alignment = "1-0"
        >>> pair.alignment
        Alignment([(1, 0)])
        """
        if not isinstance(self._alignment, Alignment):
            self._alignment = self._to_alignment(self._alignment())
        return self._alignment

    @alignment.setter
    def alignment(self, alignment: Links | Iterable[Pair]) -> None:
        checked = self._to_alignment(alignment)
        check_positions(checked, len(self.words), len(self.mots))
        self._alignment = checked

    def _align_later(self, make: Callable[[], Alignment]) -> None:
        """Sets an alignment that is computed on first access."""
        if type(self).alignment is AlignedSentence.alignment:
            self._alignment = make
        else:
            self.alignment = make()

    def __getstate__(self) -> dict[str, Any]:
        _ = self.alignment
        return vars(self)

    def _to_alignment(self, alignment: Any) -> Alignment:
        return Alignment(alignment)

    def invert(self) -> Self:
        """Returns the pair seen from the other side.

        >>> import alinea
        >>> alinea.AlignedSentence(["a", "b"], ["x"], [(1, 0)]).invert()
        AlignedSentence(['x'], ['a', 'b'], Alignment([(0, 1)]))
        """
        return type(self)(self.mots, self.words, self.alignment.invert())

    def precision(self, reference: Links | Iterable[Pair]) -> float | None:
        """The share of this pair's links that another alignment has too; see :func:`alinea.nltk.metrics.precision`.

        >>> import alinea
        >>> alinea.AlignedSentence("a b", "x y", "0-0 1-1").precision("0-0")
        0.5
        """
        return _scores.precision(reference, self)

    def recall(self, reference: Links | Iterable[Pair]) -> float | None:
        """The share of another alignment's links that this pair has; see :func:`alinea.nltk.metrics.recall`.

        >>> import alinea
        >>> alinea.AlignedSentence("a b", "x y", "0-0 1-1").recall("0-0")
        1.0
        """
        return _scores.recall(reference, self)

    def alignment_error_rate(
        self, reference: Links | Iterable[Pair], possible: Links | Iterable[Pair] | None = None
    ) -> float | None:
        """The error rate of this pair's links against others; see :func:`alinea.nltk.metrics.alignment_error_rate`.

        >>> import alinea
        >>> alinea.AlignedSentence("a b", "x y", "0-0 1-1").alignment_error_rate("0-0 1-0")
        0.5
        """
        return _scores.alignment_error_rate(reference, self, possible)

    def to_dot(self) -> str:
        """Returns the pair as a graph in the language of Graphviz: a node for each word, an edge for each link.

        Nodes are named ``s0``, ``s1``, ..., ``t0``, ...: equal words are different nodes.

        >>> import alinea
        >>> "s0 -- t0" in alinea.AlignedSentence("yes", "oui", "0-0").to_dot()
        True
        """
        return _pictures.draw(self.words, self.mots, self.alignment.links(), "dot")

    def to_svg(self) -> str:
        """Returns a picture: the sentences as two rows, a line for each link. Notebooks display it.

        It is that of ``alinea view``; :func:`show` draws others.

        >>> import alinea
        >>> alinea.AlignedSentence("yes", "oui", "0-0").to_svg().count("<line")
        1
        """
        return _pictures.draw(self.words, self.mots, self.alignment.links(), "svg")

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return _html.drawing(self._repr_svg_())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self.words)!r}, {list(self.mots)!r}, {self.alignment!r})"

    def __str__(self) -> str:
        return f"<{type(self).__name__}: '{_shortened(self.words)}...' -> '{_shortened(self.mots)}...'>"


AlignedSentence.__module__ = "alinea"


def _words(sentence: Sentence) -> list[Any]:
    return _WORD.findall(sentence.rstrip("\r\n")) if isinstance(sentence, str) else list(sentence)


def _shortened(words: Iterable[object]) -> str:
    return escaped(" ".join(map(str, words))[:_SHORT])
