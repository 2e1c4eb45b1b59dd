"""Alignments, aligned sentences, tables of phrases: the objects of ``nltk.translate.api``.

They are the objects of :mod:`alinea` with the habits of NLTK: an aligned sentence takes an :class:`Alignment` and
nothing else for its links, and graphs have NLTK's names for their nodes.

>>> from alinea.nltk import AlignedSent, Alignment
>>> pair = AlignedSent(["das", "Haus"], ["the", "house"], Alignment.fromstring("0-0 1-1"))
>>> print(pair, pair.alignment)
<AlignedSent: 'das Haus...' -> 'the house...'> 0-0 1-1
"""

from __future__ import annotations

import shutil
import subprocess
from bisect import insort
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from alinea import _alignment, _pictures, _sentence
from alinea._alignment import Pair

__all__ = ["AlignedSent", "Alignment", "PhraseTable", "PhraseTableEntry"]


class Alignment(_alignment.Alignment):
    """A set of links; see :class:`alinea.Alignment`. ``a[i]`` has its pairs in the order of the set, as in NLTK.

    That is not the order of positions, but the same every time. Sets whose order would change from process to process,
    those with something else than numbers in their pairs, are sorted.

    >>> from alinea.nltk import Alignment
    >>> Alignment([(0, 0), (0, 1), (1, 2), (2, 2)]).invert()[2]
    [(2, 1), (2, 2)]
    """

    def _build_index(self) -> dict[int, list[Pair]]:
        return _alignment.grouped(in_order(self))


class AlignedSent(_sentence.AlignedSentence):
    """A sentence, its translation, and which words go together; see :class:`alinea.AlignedSentence`.

    Models translate from ``mots`` to ``words``.
    """

    def __init__(
        self, words: Iterable[Any], mots: Iterable[Any], alignment: _alignment.Alignment | None = None
    ) -> None:
        """Puts two sentences together. The words of a ``str`` are its characters, as in NLTK.

        Raises:
            IndexError: A position of the alignment is outside its sentence.
            TypeError: It is no alignment.
        """
        super().__init__(list(words), list(mots), Alignment() if alignment is None else alignment)

    def _to_alignment(self, alignment: Any) -> _alignment.Alignment:
        if not isinstance(alignment, _alignment.Alignment):
            raise TypeError(f"the alignment must be an Alignment, not {type(alignment).__name__}")
        return alignment

    def _to_dot(self) -> str:
        """The graph with NLTK's names, word and side: equal words of a side are one node.

        Raises:
            ValueError: A word has a NUL character, which the language of Graphviz has no way to write.
        """
        sides = {"source": list(map(_quoted, self.words)), "target": list(map(_quoted, self.mots))}
        nodes = {side: [f'"{word}_{side}"' for word in words] for side, words in sides.items()}
        lines = ["graph align {", "node[shape=plaintext]"]
        for side, words in sides.items():
            lines += [f'{node} [label="{word}"] ' for node, word in zip(nodes[side], words, strict=True)]
        links = (pair for pair in in_order(self.alignment) if pair[1] is not None)
        lines += [f"{nodes['source'][pair[0]]} -- {nodes['target'][pair[1]]} " for pair in links]
        for row in nodes.values():
            lines += [f"{left} -- {right} [style=invis]" for left, right in pairwise(row)]
        lines += [f"{{rank = same; {' '.join(row)}}}" for row in nodes.values()]
        return "\n".join([*lines, "}"])

    def _repr_svg_(self) -> str:
        """The picture that Graphviz makes of the graph; without Graphviz, that of :meth:`to_svg`."""
        program = shutil.which("dot")
        if program is None:
            return self.to_svg()
        text = self._to_dot().encode("utf-8", "replace")
        return subprocess.run([program, "-Tsvg"], input=text, capture_output=True, check=True).stdout.decode()


def _quoted(word: object) -> str:
    """A word inside quotes."""
    text = _pictures.text_of(word)
    if "\0" in text:
        raise ValueError(f"a word with a NUL character cannot be drawn: {text!r}")
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")


def in_order(alignment: _alignment.Alignment) -> Iterable[Pair]:
    """The pairs in the order of the set, or sorted if that would be another in each process."""
    if all(type(field) is int for pair in alignment for field in pair):
        return alignment
    return sorted(alignment, key=_alignment.order)


class PhraseTableEntry(NamedTuple):
    """A translation of a phrase.

    Attributes:
        trg_phrase: The words of the translation.
        log_prob: The logarithm of its probability.
    """

    trg_phrase: tuple[str, ...]
    log_prob: float


class PhraseTable:
    """Translations of phrases in memory.

    >>> from alinea.nltk import PhraseTable
    >>> table = PhraseTable()
    >>> table.add(("das", "Haus"), ("the", "home"), -2.0)
    >>> table.add(("das", "Haus"), ("the", "house"), -0.2)
    >>> [" ".join(entry.trg_phrase) for entry in table.translations_for(("das", "Haus"))]
    ['the house', 'the home']
    >>> ("das",) in table
    False
    """

    def __init__(self) -> None:
        self.src_phrases: dict[tuple[str, ...], list[PhraseTableEntry]] = {}

    def translations_for(self, src_phrase: tuple[str, ...]) -> list[PhraseTableEntry]:
        """Returns the translations of a phrase, the likeliest first.

        Raises:
            KeyError: The table does not have the phrase.
        """
        return self.src_phrases[src_phrase]

    def add(self, src_phrase: tuple[str, ...], trg_phrase: tuple[str, ...], log_prob: float) -> None:
        """Adds a translation with the logarithm of its probability. Of equal ones, the first added stays first."""
        insort(
            self.src_phrases.setdefault(src_phrase, []),
            PhraseTableEntry(trg_phrase, log_prob),
            key=lambda entry: -entry.log_prob,
        )

    def __contains__(self, src_phrase: object) -> bool:
        return src_phrase in self.src_phrases
