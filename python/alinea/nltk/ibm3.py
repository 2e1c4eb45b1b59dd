"""IBM Model 3: how many words each word has, and where they go (Brown et al. 1993, section 4.4).

With ``phi_i`` target words of source word ``s_i``, ``phi_0`` of the empty word, and ``a_j`` the source position of
target word ``t_j``, the probability of target words and alignment is

    C(m - phi_0, phi_0) p1^phi_0 p0^(m - 2 phi_0) prod_i phi_i! n(phi_i | s_i) prod_j t(t_j | s_a_j) d(j | a_j, l, m).

Words of the empty word have distortions ``d(j | 0, l, m)`` too, as in NLTK, whose tests want them; Brown et al. let
such words go anywhere.
Training begins with Model 2, with equal distortions ``1 / m``, with ``p1 = 0.5``, and with fertilities of 0.2, 0.65,
0.1 and 0.04 for no to three words, and 0.01 shared by four to nine.

>>> from alinea.nltk import AlignedSent, IBMModel3
>>> corpus = [
...     AlignedSent(["the", "house"], ["das", "Haus"]),
...     AlignedSent(["the", "book"], ["das", "Buch"]),
...     AlignedSent(["a", "book"], ["ein", "Buch"]),
... ]
>>> model = IBMModel3(corpus, 5)
>>> round(model.fertility_table[1]["Buch"], 3)
1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from alinea._native import Counted, FertileModel, NumberedText
from alinea._progress import Progress
from alinea.nltk import _search
from alinea.nltk._tables import Probabilities, Sums, probability
from alinea.nltk._training import Corpus, fertile_model, numbered
from alinea.nltk.api import AlignedSent, Alignment
from alinea.nltk.ibm2 import IBMModel2
from alinea.nltk.ibm_model import (
    SEARCH_METHODS,
    TABLES_OF_ALL,
    AlignmentInfo,
    Counts,
    IBMModel,
    overridden,
)

__all__ = ["AlignedSent", "Alignment", "AlignmentInfo", "Counts", "IBMModel", "IBMModel2", "IBMModel3", "Model3Counts"]

_FERTILITIES = (0.2, 0.65, 0.1, 0.04, *[0.01 / 6] * 6)


class IBMModel3(IBMModel):
    """Model 3. Training aligns the sentence pairs it is given: see their ``alignment``.

    >>> from alinea.nltk import AlignedSent, IBMModel3
    >>> corpus = [
    ...     AlignedSent(["the", "big", "house"], ["das", "grosse", "haus"]),
    ...     AlignedSent(["a", "house"], ["ein", "haus"]),
    ...     AlignedSent(["the", "book"], ["das", "buch"]),
    ...     AlignedSent(["a", "big", "book"], ["ein", "grosses", "buch"]),
    ...     AlignedSent(["the", "book", "is", "big"], ["das", "buch", "ist", "gross"]),
    ... ]
    >>> model = IBMModel3(corpus, 5)
    >>> round(model.translation_table["book"]["buch"], 3), round(model.distortion_table[1][1][2][2], 3)
    (1.0, 1.0)
    >>> round(model.fertility_table[1]["haus"], 3), round(model.p1, 3)
    (1.0, 0.079)
    >>> str(corpus[4].alignment)
    '0-0 1-1 2-3'

    Attributes:
        distortion_table: ``distortion_table[j][i][l][m]``, the probability of target position ``j`` given source
            position ``i`` and both lengths.
    """

    _NAME: ClassVar[str] = "Model 3"
    _TABLES: ClassVar[tuple[str, ...]] = (*TABLES_OF_ALL, "distortion_table")

    distortion_table: Any

    def __init__(
        self,
        sentence_aligned_corpus: Iterable[AlignedSent],
        iterations: int,
        probability_tables: Mapping[str, Any] | None = None,
        *,
        progress: Progress = False,
    ) -> None:
        """Trains the model and aligns the corpus.

        Args:
            sentence_aligned_corpus: The sentence pairs.
            iterations: The passes of training, and of Model 2 before, if that begins it.
            probability_tables: What training begins with, if not with Model 2: ``translation_table``,
                ``alignment_table``, ``fertility_table``, ``p1`` and ``distortion_table``.
            progress: Whether progress is shown, pass by pass; see :func:`alinea.align`.

        Raises:
            TypeError: The corpus has something else than sentence pairs.
            ValueError: The number of passes is negative, or ``probability_tables`` lacks a table.
        """
        self._fit(sentence_aligned_corpus, iterations, probability_tables, progress)

    def _begin(self, pairs: Corpus, iterations: int, progress: Progress) -> None:
        self._take_tables(IBMModel2(pairs, iterations, progress=progress), IBMModel2._TABLES)

    def reset_probabilities(self) -> None:
        """Makes all tables empty: every probability is ``MIN_PROB``, and ``p1`` is 0.5."""
        super().reset_probabilities()
        self.distortion_table = Probabilities(4)

    def set_uniform_probabilities(self, sentence_aligned_corpus: Iterable[AlignedSent]) -> None:
        """Sets equal distortions for each pair of lengths that occurs, and the first fertilities and ``p1``."""
        for l, m in numbered(sentence_aligned_corpus).lengths():
            for j in range(1, m + 1):
                for i in range(l + 1):
                    self.distortion_table[j][i][l][m] = 1 / m
        for phi, value in enumerate(_FERTILITIES):
            self.fertility_table[phi] = Probabilities(1, value)
        self.p1 = 0.5

    def train(self, parallel_corpus: Sequence[AlignedSent]) -> None:
        """Does one pass of training, and aligns the corpus."""
        counts = Model3Counts()
        self._train_on_samples(parallel_corpus, counts)
        alignment_table = self.alignment_table
        self.reset_probabilities()
        self.alignment_table = alignment_table  # Model 3 does not learn it, but searches by it
        self.maximize_lexical_translation_probabilities(counts)
        self.maximize_distortion_probabilities(counts)
        self.maximize_fertility_probabilities(counts)
        self.maximize_null_generation_probabilities(counts)

    def maximize_distortion_probabilities(self, counts: Model3Counts) -> None:
        """Sets the distortion table to the shares of counts."""
        for j, rows in counts.distortion.items():
            for i, by_length in rows.items():
                for l, row in by_length.items():
                    for m, count in row.items():
                        total = counts.distortion_for_any_j[i][l][m]
                        self.distortion_table[j][i][l][m] = probability(count, total)

    def prob_t_a_given_s(self, alignment_info: AlignmentInfo) -> float:
        """Returns the probability of target words and alignment given the source words.

        It is never 0, but may be as small as the smallest number.
        """
        l, m = len(alignment_info.src_sentence) - 1, len(alignment_info.trg_sentence) - 1
        score = _search.log_prob(self, alignment_info)
        for j, i in enumerate(alignment_info.alignment[1:], 1):
            score += _search.log(self.distortion_table[j][i][l][m])
        return _search.exp(score)

    def _native_model(self, text: NumberedText) -> FertileModel | None:
        if overridden(self, IBMModel3, ("prob_t_a_given_s", *SEARCH_METHODS)):
            return None
        return fertile_model(self, text, distortion=self.distortion_table)

    def _count(self, counts: Any, share: float, info: AlignmentInfo) -> None:
        super()._count(counts, share, info)
        l, m = len(info.src_sentence) - 1, len(info.trg_sentence) - 1
        for j in range(1, m + 1):
            counts.update_distortion(share, info, j, l, m)

    def _take(self, counts: Any, found: Counted) -> None:
        super()._take(counts, found)
        for j, i, l, m, count in found.distortions():
            counts.distortion[j][i][l][m] = count
            counts.distortion_for_any_j[i][l][m] += count


class Model3Counts(Counts):
    """What a pass of Model 3 counts.

    Attributes:
        distortion: How often each source position had each target position: ``distortion[j][i][l][m]``.
        distortion_for_any_j: The sums of these for each source position: ``distortion_for_any_j[i][l][m]``.
    """

    def __init__(self) -> None:
        super().__init__()
        self.distortion = Sums(4)
        self.distortion_for_any_j = Sums(3)

    def update_distortion(self, count: float, alignment_info: AlignmentInfo, j: int, l: int, m: int) -> None:
        """Counts a target position with the source position it is aligned to."""
        i = alignment_info.alignment[j]
        self.distortion[j][i][l][m] += count
        self.distortion_for_any_j[i][l][m] += count
