"""Alignments as the models see them, and what they count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alinea.nltk._tables import Sums

__all__ = ["AlignmentInfo", "Counts"]


class AlignmentInfo:
    """An alignment of a sentence pair inside the models, with positions from 1.

    >>> from alinea.nltk.ibm_model import AlignmentInfo
    >>> info = AlignmentInfo((0, 1, 2, 2, 0), [None, "ein", "Hund"], ["UNUSED", "a", "big", "dog", "!"], None)
    >>> info.cepts, info.center_of_cept(2), info.previous_cept(2)
    ([[4], [1], [2, 3]], 3, 1)
    >>> info.zero_indexed_alignment()
    [(0, 0), (1, 1), (2, 1), (3, None)]

    Attributes:
        alignment: The source position of each target position; the first element is not used.
        src_sentence: The source words, the empty word, ``None``, in front.
        trg_sentence: The target words, something that is not used in front.
        cepts: For each source position, its target positions in order.
        score: How good the alignment is, or ``None``.
    """

    __slots__ = ("_cepts", "alignment", "score", "src_sentence", "trg_sentence")

    def __init__(
        self,
        alignment: tuple[int, ...],
        src_sentence: Sequence[Any],
        trg_sentence: Sequence[Any],
        cepts: list[list[int]] | None,
        score: float | None = None,
    ) -> None:
        """Makes an alignment. Cepts that are not given are found from the alignment when they are asked for."""
        if not isinstance(alignment, tuple):
            raise TypeError(f"the alignment must be a tuple, not {type(alignment).__name__}")
        self.alignment = alignment
        self.src_sentence = src_sentence
        self.trg_sentence = trg_sentence
        self.score = score
        self._cepts = cepts

    @property
    def cepts(self) -> list[list[int]]:
        """For each source position, its target positions in order."""
        if self._cepts is None:
            self._cepts = [[] for _ in self.src_sentence]
            for j, i in enumerate(self.alignment[1:], 1):
                self._cepts[i].append(j)
        return self._cepts

    def fertility_of_i(self, i: int) -> int:
        """Returns how many target words the source word at a position has."""
        return len(self.cepts[i])

    def is_head_word(self, j: int) -> bool:
        """Returns whether a target word is the first that its source word has."""
        return self.cepts[self.alignment[j]][0] == j

    def center_of_cept(self, i: int | None) -> int:
        """Returns the ceiling of the mean of the target positions that a source word has; 0 for ``None``.

        Raises:
            ValueError: The source word has none.
        """
        if i is None:
            return 0
        cept = self.cepts[i]
        if not cept:
            raise ValueError(f"source position {i} has no target words, and so no center")
        return -(-sum(cept) // len(cept))

    def previous_cept(self, j: int) -> int | None:
        """Returns the source position before that of a target word that has target words too; ``None`` for none.

        Raises:
            ValueError: The target word belongs to the empty word, which has no position.
        """
        i = self.alignment[j]
        if i == 0:
            raise ValueError(
                f"target position {j} belongs to the empty word, which has no position and nothing before it"
            )
        return next((before for before in range(i - 1, 0, -1) if self.cepts[before]), None)

    def previous_in_tablet(self, j: int) -> int | None:
        """Returns the target position before ``j`` that has the same source word; ``None`` for none."""
        cept = self.cepts[self.alignment[j]]
        place = cept.index(j)
        return cept[place - 1] if place else None

    def zero_indexed_alignment(self) -> list[tuple[int, int | None]]:
        """Returns pairs for :class:`~alinea.nltk.api.Alignment`: positions from 0, ``None`` for the empty word."""
        return [(j, i - 1 if i else None) for j, i in enumerate(self.alignment[1:])]

    def __eq__(self, other: object) -> bool:
        return self.alignment == other.alignment if isinstance(other, AlignmentInfo) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.alignment)

    def __repr__(self) -> str:
        return f"AlignmentInfo({self.alignment!r})"


class Counts:
    """What is counted in a pass.

    Attributes:
        t_given_s: How often each target word ``t`` had each source word ``s``: ``t_given_s[t][s]``.
        any_t_given_s: The sums of these for each source word.
        p0: How often a target word was not accompanied by one of the empty word.
        p1: How often it was.
        fertility: How often each source word had each number of target words: ``fertility[phi][s]``.
        fertility_for_any_phi: The sums of these for each source word.
    """

    def __init__(self) -> None:
        self.t_given_s = Sums(2)
        self.any_t_given_s = Sums(1)
        self.p0 = 0.0
        self.p1 = 0.0
        self.fertility = Sums(2)
        self.fertility_for_any_phi = Sums(1)

    def update_lexical_translation(self, count: float, alignment_info: AlignmentInfo, j: int) -> None:
        """Counts the target word at a position with the source word it is aligned to."""
        t, s = alignment_info.trg_sentence[j], alignment_info.src_sentence[alignment_info.alignment[j]]
        self.t_given_s[t][s] += count
        self.any_t_given_s[s] += count

    def update_null_generation(self, count: float, alignment_info: AlignmentInfo) -> None:
        """Counts the words of the empty word, and the others that have none of these with them.

        Where the empty word has more words than all others, as where there are no others, none is without one.
        """
        null = alignment_info.fertility_of_i(0)
        self.p1 += null * count
        self.p0 += max(len(alignment_info.trg_sentence) - 1 - 2 * null, 0) * count

    def update_fertility(self, count: float, alignment_info: AlignmentInfo) -> None:
        """Counts how many target words each source word has, and the empty word too, as NLTK does."""
        for i in range(len(alignment_info.src_sentence)):
            s, phi = alignment_info.src_sentence[i], alignment_info.fertility_of_i(i)
            self.fertility[phi][s] += count
            self.fertility_for_any_phi[s] += count


for _class in (AlignmentInfo, Counts):
    _class.__module__ = "alinea.nltk.ibm_model"
del _class
