"""IBM Model 4: words go where the words before them went (Brown et al. 1993, section 4.5).

The source words that have target words are the *cepts*; the first target word of a cept is its head, and the ceiling of
the mean of their positions its center. In the place of the distortions of Model 3, the head of a cept at ``j`` has the
factor ``d_head(j - c | A(s), B(t_j))``, with ``c`` the center and ``s`` the word of the cept before, or 0 and ``None``
for the first; each further word has ``d_non_head(j - k | B(t_j))``, with ``k`` the position of the word before it in
the cept. ``A`` and ``B`` are classes of source and target words, which the caller gives. Words of the empty word may be
anywhere.

Training begins with Model 3, and with equal probabilities for all distances that the longest target sentence has.

>>> from alinea.nltk import AlignedSent, IBMModel4
>>> corpus = [
...     AlignedSent(["the", "house"], ["das", "Haus"]),
...     AlignedSent(["the", "book"], ["das", "Buch"]),
...     AlignedSent(["a", "book"], ["ein", "Buch"]),
... ]
>>> model = IBMModel4(corpus, 5, {"das": 0, "ein": 0, "Haus": 1, "Buch": 1}, {"the": 0, "a": 0, "house": 1, "book": 1})
>>> round(model.head_distortion_table[1][0][1], 3)
1.0
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from alinea._native import Counted, FertileModel, NumberedText
from alinea._progress import Progress
from alinea.nltk import _search
from alinea.nltk._tables import MIN_PROB, Probabilities, Sums, probability
from alinea.nltk._training import Corpus, fertile_model
from alinea.nltk.api import AlignedSent, Alignment
from alinea.nltk.ibm3 import IBMModel3
from alinea.nltk.ibm_model import (
    SEARCH_METHODS,
    TABLES_OF_ALL,
    AlignmentInfo,
    Counts,
    IBMModel,
    check_classes,
    longest_target_sentence_length,
    overridden,
)

__all__ = ["AlignedSent", "Alignment", "AlignmentInfo", "Counts", "IBMModel", "IBMModel3", "IBMModel4", "Model4Counts"]

Classes = Mapping[Any, Hashable]
"""The class of each word."""


class IBMModel4(IBMModel):
    """Model 4. Training aligns the sentence pairs it is given: see their ``alignment``.

    >>> from alinea.nltk import AlignedSent, IBMModel4
    >>> corpus = [
    ...     AlignedSent(["the", "big", "house"], ["das", "grosse", "haus"]),
    ...     AlignedSent(["a", "house"], ["ein", "haus"]),
    ...     AlignedSent(["the", "book"], ["das", "buch"]),
    ...     AlignedSent(["a", "big", "book"], ["ein", "grosses", "buch"]),
    ...     AlignedSent(["the", "book", "is", "big"], ["das", "buch", "ist", "gross"]),
    ... ]
    >>> source = {"das": 0, "ein": 0, "haus": 1, "buch": 1, "grosse": 2, "grosses": 2, "gross": 2, "ist": 3}
    >>> target = {"the": 0, "a": 0, "house": 1, "book": 1, "big": 2, "is": 3}
    >>> model = IBMModel4(corpus, 5, source, target)
    >>> round(model.translation_table["book"]["buch"], 3), round(model.head_distortion_table[1][0][1], 3)
    (1.0, 1.0)
    >>> str(corpus[4].alignment)
    '0-0 1-1 2-3'

    Attributes:
        head_distortion_table: ``head_distortion_table[dj][A][B]``, the probability of a distance ``dj`` for the head of
            a cept, given the class of the source word before and its own.
        non_head_distortion_table: ``non_head_distortion_table[dj][B]``, that of further words of a cept.
        src_classes: The classes of source words.
        trg_classes: The classes of target words.
    """

    _NAME: ClassVar[str] = "Model 4"
    _TABLES: ClassVar[tuple[str, ...]] = (*TABLES_OF_ALL, "head_distortion_table", "non_head_distortion_table")

    head_distortion_table: Any
    non_head_distortion_table: Any

    def __init__(
        self,
        sentence_aligned_corpus: Iterable[AlignedSent],
        iterations: int,
        source_word_classes: Classes,
        target_word_classes: Classes,
        probability_tables: Mapping[str, Any] | None = None,
        *,
        progress: Progress = False,
    ) -> None:
        """Trains the model and aligns the corpus.

        Args:
            sentence_aligned_corpus: The sentence pairs.
            iterations: The passes of training, and of Model 3 before, if that begins it.
            source_word_classes: The class of each source word.
            target_word_classes: The class of each target word.
            probability_tables: What training begins with, if not with Model 3: ``translation_table``,
                ``alignment_table``, ``fertility_table``, ``p1``, ``head_distortion_table`` and
                ``non_head_distortion_table``.
            progress: Whether progress is shown, pass by pass; see :func:`alinea.align`.

        Raises:
            TypeError: The corpus has something else than sentence pairs.
            ValueError: The number of passes is negative, ``probability_tables`` lacks a table, or a word has no class.
        """
        self.src_classes = source_word_classes
        self.trg_classes = target_word_classes
        self._fit(sentence_aligned_corpus, iterations, probability_tables, progress)

    def _check(self, pairs: Corpus) -> None:
        check_classes(pairs, self.src_classes, self.trg_classes)

    def _begin(self, pairs: Corpus, iterations: int, progress: Progress) -> None:
        self._take_tables(IBMModel3(pairs, iterations, progress=progress), TABLES_OF_ALL)

    def reset_probabilities(self) -> None:
        """Makes all tables empty: every probability is ``MIN_PROB``, and ``p1`` is 0.5."""
        super().reset_probabilities()
        self.head_distortion_table = Probabilities(3)
        self.non_head_distortion_table = Probabilities(2)

    def set_uniform_probabilities(self, sentence_aligned_corpus: Iterable[AlignedSent]) -> None:
        """Gives all distances that words of the longest target sentence can have the same probability."""
        longest = longest_target_sentence_length(sentence_aligned_corpus)
        uniform = max(1 / (2 * (longest - 1)), MIN_PROB) if longest > 1 else MIN_PROB
        for distance in range(1, longest):
            for dj in (distance, -distance):
                self.head_distortion_table[dj] = Probabilities(2, uniform)
                self.non_head_distortion_table[dj] = Probabilities(1, uniform)

    def train(self, parallel_corpus: Sequence[AlignedSent]) -> None:
        """Does one pass of training, and aligns the corpus."""
        counts = Model4Counts()
        self._train_on_samples(parallel_corpus, counts)
        alignment_table = self.alignment_table
        self.reset_probabilities()
        self.alignment_table = alignment_table  # Model 4 does not learn it, but searches by it
        self.maximize_lexical_translation_probabilities(counts)
        self.maximize_distortion_probabilities(counts)
        self.maximize_fertility_probabilities(counts)
        self.maximize_null_generation_probabilities(counts)

    def maximize_distortion_probabilities(self, counts: Model4Counts) -> None:
        """Sets both distortion tables to the shares of counts."""
        for dj, by_source in counts.head_distortion.items():
            for s, row in by_source.items():
                for t, count in row.items():
                    total = counts.head_distortion_for_any_dj[s][t]
                    self.head_distortion_table[dj][s][t] = probability(count, total)
        for dj, row in counts.non_head_distortion.items():
            for t, count in row.items():
                total = counts.non_head_distortion_for_any_dj[t]
                self.non_head_distortion_table[dj][t] = probability(count, total)

    def prob_t_a_given_s(self, alignment_info: AlignmentInfo) -> float:
        """Returns the probability of target words and alignment given the source words.

        It is never 0, but may be as small as the smallest number.
        """
        return IBMModel4.model4_prob_t_a_given_s(alignment_info, self)

    @staticmethod
    def model4_prob_t_a_given_s(alignment_info: AlignmentInfo, ibm_model: Any) -> float:
        """Returns the probability of an alignment under the tables of any model that has those of Model 4."""
        score = _search.log_prob(ibm_model, alignment_info)
        trg_classes, heads = ibm_model.trg_classes, ibm_model.head_distortion_table
        before, center = 0, 0
        for i, cept in enumerate(alignment_info.cepts):
            if i and cept:
                s = ibm_model.src_classes[alignment_info.src_sentence[before]] if before else None
                t = trg_classes[alignment_info.trg_sentence[cept[0]]]
                score += _search.log(heads[cept[0] - center][s][t])
                for previous, j in pairwise(cept):
                    t = trg_classes[alignment_info.trg_sentence[j]]
                    score += _search.log(ibm_model.non_head_distortion_table[j - previous][t])
                before, center = i, alignment_info.center_of_cept(i)
        return _search.exp(score)

    def _native_model(self, text: NumberedText) -> FertileModel | None:
        if overridden(self, IBMModel4, ("prob_t_a_given_s", *SEARCH_METHODS)):
            return None
        return native_model4(self, text)

    def _count(self, counts: Any, share: float, info: AlignmentInfo) -> None:
        super()._count(counts, share, info)
        for j in range(1, len(info.trg_sentence)):
            counts.update_distortion(share, info, j, self.src_classes, self.trg_classes)

    def _take(self, counts: Any, found: Counted) -> None:
        super()._take(counts, found)
        for dj, s, t, count in found.heads():
            counts.add_head(count, dj, s, t)
        for dj, t, count in found.others():
            counts.add_non_head(count, dj, t)


_ORIGINAL = IBMModel4.model4_prob_t_a_given_s


def native_model4(model: Any, text: NumberedText, vacancies: Any = None) -> FertileModel | None:
    """What searches by Model 4 in native code, or ``None`` if somebody replaced the function that scores by it."""
    if IBMModel4.model4_prob_t_a_given_s is not _ORIGINAL:
        return None
    tables = {
        "source_classes": model.src_classes,
        "target_classes": model.trg_classes,
        "heads": model.head_distortion_table,
        "others": model.non_head_distortion_table,
    }
    return fertile_model(model, text, relative=tables, vacancies=vacancies)


class Model4Counts(Counts):
    """What a pass of Model 4 counts.

    Attributes:
        head_distortion: How often heads had each distance: ``head_distortion[dj][A][B]``.
        head_distortion_for_any_dj: The sums of these: ``head_distortion_for_any_dj[A][B]``.
        non_head_distortion: How often further words of cepts had each distance: ``non_head_distortion[dj][B]``.
        non_head_distortion_for_any_dj: The sums of these: ``non_head_distortion_for_any_dj[B]``.
    """

    def __init__(self) -> None:
        super().__init__()
        self.head_distortion = Sums(3)
        self.head_distortion_for_any_dj = Sums(2)
        self.non_head_distortion = Sums(2)
        self.non_head_distortion_for_any_dj = Sums(1)

    def update_distortion(
        self, count: float, alignment_info: AlignmentInfo, j: int, src_classes: Classes, trg_classes: Classes
    ) -> None:
        """Counts the distance of a target word, if it does not belong to the empty word."""
        if not alignment_info.alignment[j]:
            return
        t = trg_classes[alignment_info.trg_sentence[j]]
        before = alignment_info.previous_in_tablet(j)
        if before is not None:
            self.add_non_head(count, j - before, t)
            return
        cept = alignment_info.previous_cept(j)
        s = None if cept is None else src_classes[alignment_info.src_sentence[cept]]
        self.add_head(count, j - alignment_info.center_of_cept(cept), s, t)

    def add_head(self, count: float, dj: int, s: Hashable, t: Hashable) -> None:
        """Counts a distance of a head, with the class of the source word before and its own."""
        self.head_distortion[dj][s][t] += count
        self.head_distortion_for_any_dj[s][t] += count

    def add_non_head(self, count: float, dj: int, t: Hashable) -> None:
        """Counts a distance of another word of a cept, with its class."""
        self.non_head_distortion[dj][t] += count
        self.non_head_distortion_for_any_dj[t] += count
