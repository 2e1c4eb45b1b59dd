"""IBM Model 5: words go where there is room (Brown et al. 1993, section 4.6 and appendix B).

Cept by cept, target words are put into places that are still vacant. With ``v(j)`` the number of vacant places up to
``j``, and a cept of ``k`` words, its head at ``j`` has the factor ``v_head(v(j) - v(c) | v(m) - k + 1, B(t_j))``, with
``c`` the center of the cept before, or no vacancies for the first; word ``r`` of the cept, after that at ``b``, has
``v_non_head(v(j) - v(b) | v(m) - v(b) - (k - r), B(t_j))``. What stands behind the bar is how many places are left that
the word could go to. As in appendix B of the paper, only the difference of vacancies counts, not each by itself.

Sampling is by Model 4; what Model 4 finds far less likely than its best alignment is left out. Training begins with
Model 4, and with equal probabilities for all vacancies that the longest target sentence has.

>>> from alinea.nltk import AlignedSent, IBMModel5
>>> corpus = [
...     AlignedSent(["the", "house"], ["das", "Haus"]),
...     AlignedSent(["the", "book"], ["das", "Buch"]),
...     AlignedSent(["a", "book"], ["ein", "Buch"]),
... ]
>>> model = IBMModel5(corpus, 5, {"das": 0, "ein": 0, "Haus": 1, "Buch": 1}, {"the": 0, "a": 0, "house": 1, "book": 1})
>>> round(model.head_vacancy_table[1][1][1], 3)
1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from alinea._native import Counted, FertileModel, NumberedText
from alinea._progress import Progress
from alinea.nltk import _search
from alinea.nltk._tables import MIN_PROB, Probabilities, Sums, probability
from alinea.nltk._training import Corpus
from alinea.nltk.api import AlignedSent, Alignment
from alinea.nltk.ibm4 import Classes, IBMModel4, native_model4
from alinea.nltk.ibm_model import (
    SEARCH_METHODS,
    AlignmentInfo,
    Counts,
    IBMModel,
    check_classes,
    longest_target_sentence_length,
    overridden,
)

__all__ = [
    "AlignedSent",
    "Alignment",
    "AlignmentInfo",
    "Counts",
    "IBMModel",
    "IBMModel4",
    "IBMModel5",
    "Model5Counts",
    "Slots",
]


class IBMModel5(IBMModel):
    """Model 5. Training aligns the sentence pairs it is given: see their ``alignment``.

    >>> from alinea.nltk import AlignedSent, IBMModel5
    >>> corpus = [
    ...     AlignedSent(["the", "big", "house"], ["das", "grosse", "haus"]),
    ...     AlignedSent(["a", "house"], ["ein", "haus"]),
    ...     AlignedSent(["the", "book"], ["das", "buch"]),
    ...     AlignedSent(["a", "big", "book"], ["ein", "grosses", "buch"]),
    ...     AlignedSent(["the", "book", "is", "big"], ["das", "buch", "ist", "gross"]),
    ... ]
    >>> source = {"das": 0, "ein": 0, "haus": 1, "buch": 1, "grosse": 2, "grosses": 2, "gross": 2, "ist": 3}
    >>> target = {"the": 0, "a": 0, "house": 1, "book": 1, "big": 2, "is": 3}
    >>> model = IBMModel5(corpus, 5, source, target)
    >>> round(model.translation_table["book"]["buch"], 3), round(model.head_vacancy_table[1][1][1], 3)
    (1.0, 1.0)
    >>> str(corpus[4].alignment)
    '0-0 1-1 2-3'

    Attributes:
        MIN_SCORE_FACTOR: Alignments that are less likely than this times the best are left out.
        head_vacancy_table: ``head_vacancy_table[dv][max_v][B]``, the probability of a difference of vacancies for the
            head of a cept, given the vacancies that there are and its class.
        non_head_vacancy_table: ``non_head_vacancy_table[dv][max_v][B]``, that of further words of a cept.
        head_distortion_table: That of Model 4.
        non_head_distortion_table: That of Model 4.
        src_classes: The classes of source words.
        trg_classes: The classes of target words.
    """

    MIN_SCORE_FACTOR: ClassVar[float] = 0.2

    _NAME: ClassVar[str] = "Model 5"
    _TABLES: ClassVar[tuple[str, ...]] = (*IBMModel4._TABLES, "head_vacancy_table", "non_head_vacancy_table")

    head_distortion_table: Any
    non_head_distortion_table: Any
    head_vacancy_table: Any
    non_head_vacancy_table: Any

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
            iterations: The passes of training, and of Model 4 before, if that begins it.
            source_word_classes: The class of each source word.
            target_word_classes: The class of each target word.
            probability_tables: What training begins with, if not with Model 4: the tables of Model 4,
                ``head_vacancy_table`` and ``non_head_vacancy_table``.
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
        self._take_tables(
            IBMModel4(pairs, iterations, self.src_classes, self.trg_classes, progress=progress), IBMModel4._TABLES
        )

    def reset_probabilities(self) -> None:
        """Makes all tables empty but those that only Model 4 learns: every probability is ``MIN_PROB``."""
        super().reset_probabilities()
        self.head_vacancy_table = Probabilities(3)
        self.non_head_vacancy_table = Probabilities(3)

    def set_uniform_probabilities(self, sentence_aligned_corpus: Iterable[AlignedSent]) -> None:
        """Gives all differences that words of the longest target sentence can have the same probability."""
        longest = longest_target_sentence_length(sentence_aligned_corpus)
        uniform = max(1 / (2 * longest), MIN_PROB) if longest else MIN_PROB
        for dv in range(1 - longest, longest + 1):
            for max_v in range(1, longest + 1):
                self.head_vacancy_table[dv][max_v] = Probabilities(1, uniform)
                self.non_head_vacancy_table[dv][max_v] = Probabilities(1, uniform)

    def train(self, parallel_corpus: Sequence[AlignedSent]) -> None:
        """Does one pass of training, and aligns the corpus."""
        counts = Model5Counts()
        self._train_on_samples(parallel_corpus, counts)
        alignment_table = self.alignment_table
        self.reset_probabilities()
        self.alignment_table = alignment_table  # Model 5 does not learn it, but searches by it
        self.maximize_lexical_translation_probabilities(counts)
        self.maximize_vacancy_probabilities(counts)
        self.maximize_fertility_probabilities(counts)
        self.maximize_null_generation_probabilities(counts)

    def sample(self, sentence_pair: AlignedSent) -> tuple[set[AlignmentInfo], AlignmentInfo]:
        """Returns the alignments of a sentence pair that Model 4 finds worth looking at, and the best of them."""
        infos, best = super().sample(sentence_pair)
        return self.prune(infos), best

    def prune(self, alignment_infos: Iterable[AlignmentInfo]) -> set[AlignmentInfo]:
        """Returns the alignments that Model 4 gives more than :attr:`MIN_SCORE_FACTOR` of the best probability."""
        scores = [(IBMModel4.model4_prob_t_a_given_s(info, self), info) for info in alignment_infos]
        least = max((score for score, _ in scores), default=0.0) * self.MIN_SCORE_FACTOR
        return {info for score, info in scores if score > least}

    def hillclimb(self, alignment_info: AlignmentInfo, j_pegged: int | None = None) -> AlignmentInfo:
        """Goes to the neighbor that is best under Model 4 as long as it is better.

        Args:
            alignment_info: Where to begin.
            j_pegged: A target position whose link stays.
        """
        return self._climb(alignment_info, j_pegged, lambda info: IBMModel4.model4_prob_t_a_given_s(info, self))

    def prob_t_a_given_s(self, alignment_info: AlignmentInfo) -> float:
        """Returns the probability of target words and alignment given the source words.

        It is never 0, but may be as small as the smallest number.
        """
        score = _search.log_prob(self, alignment_info)
        slots = Slots(len(alignment_info.trg_sentence) - 1)
        for i in range(1, len(alignment_info.src_sentence)):
            for head, dv, max_v, j in _vacancies(alignment_info, i, slots):
                table = self.head_vacancy_table if head else self.non_head_vacancy_table
                score += _search.log(table[dv][max_v][self.trg_classes[alignment_info.trg_sentence[j]]])
        return _search.exp(score)

    def maximize_vacancy_probabilities(self, counts: Model5Counts) -> None:
        """Sets both vacancy tables to the shares of counts."""
        for table, counted, totals in (
            (self.head_vacancy_table, counts.head_vacancy, counts.head_vacancy_for_any_dv),
            (self.non_head_vacancy_table, counts.non_head_vacancy, counts.non_head_vacancy_for_any_dv),
        ):
            for dv, by_vacancies in counted.items():
                for max_v, row in by_vacancies.items():
                    for t, count in row.items():
                        table[dv][max_v][t] = probability(count, totals[max_v][t])

    def _native_model(self, text: NumberedText) -> FertileModel | None:
        if overridden(self, IBMModel5, SEARCH_METHODS):
            return None
        return native_model4(self, text)

    def _counting_model(self, text: NumberedText) -> FertileModel | None:
        if overridden(self, IBMModel5, ("sample", "prune", "prob_t_a_given_s", *SEARCH_METHODS)):
            return None
        vacancies = {
            "heads": self.head_vacancy_table,
            "others": self.non_head_vacancy_table,
            "share": self.MIN_SCORE_FACTOR,
        }
        return native_model4(self, text, vacancies)

    def _count(self, counts: Any, share: float, info: AlignmentInfo) -> None:
        super()._count(counts, share, info)
        slots = Slots(len(info.trg_sentence) - 1)
        for i in range(1, len(info.src_sentence)):
            counts.update_vacancy(share, info, i, self.trg_classes, slots)

    def _take(self, counts: Any, found: Counted) -> None:
        super()._take(counts, found)
        for head, dv, max_v, t, count in found.vacancies():
            counts.add_vacancy(count, head, dv, max_v, t)


class Model5Counts(Counts):
    """What a pass of Model 5 counts.

    Attributes:
        head_vacancy: How often heads had each difference of vacancies: ``head_vacancy[dv][max_v][B]``.
        head_vacancy_for_any_dv: The sums of these: ``head_vacancy_for_any_dv[max_v][B]``.
        non_head_vacancy: The same of further words of cepts.
        non_head_vacancy_for_any_dv: The sums of these.
    """

    def __init__(self) -> None:
        super().__init__()
        self.head_vacancy = Sums(3)
        self.head_vacancy_for_any_dv = Sums(2)
        self.non_head_vacancy = Sums(3)
        self.non_head_vacancy_for_any_dv = Sums(2)

    def update_vacancy(
        self, count: float, alignment_info: AlignmentInfo, i: int, trg_classes: Classes, slots: Slots
    ) -> None:
        """Counts the target words of the source word at a position, and puts them into their places.

        Args:
            count: What is added.
            alignment_info: The alignment.
            i: The source position.
            trg_classes: The classes of target words.
            slots: Which places are vacant before; those of the words are not vacant after.
        """
        for head, dv, max_v, j in _vacancies(alignment_info, i, slots):
            t = trg_classes[alignment_info.trg_sentence[j]]
            self.add_vacancy(count, head, dv, max_v, t)

    def add_vacancy(self, count: float, head: bool, dv: int, max_v: int, t: Any) -> None:
        """Counts a difference of vacancies, given how many there are and the class of the word."""
        table, totals = (
            (self.head_vacancy, self.head_vacancy_for_any_dv)
            if head
            else (self.non_head_vacancy, self.non_head_vacancy_for_any_dv)
        )
        table[dv][max_v][t] += count
        totals[max_v][t] += count


class Slots:
    """The places of a target sentence, from 1, and which of them are vacant.

    >>> from alinea.nltk.ibm5 import Slots
    >>> slots = Slots(3)
    >>> slots.occupy(2)
    >>> [slots.vacancies_at(position) for position in (1, 2, 3)]
    [1, 1, 2]
    """

    def __init__(self, target_sentence_length: int) -> None:
        self._slots = [False] * (target_sentence_length + 1)

    def occupy(self, position: int) -> None:
        """Takes a place."""
        self._slots[position] = True

    def vacancies_at(self, position: int) -> int:
        """Returns how many places up to a position, with it, are vacant."""
        return self._slots[1 : position + 1].count(False)

    def __len__(self) -> int:
        return len(self._slots) - 1


def _vacancies(info: AlignmentInfo, i: int, slots: Slots) -> Iterator[tuple[bool, int, int, int]]:
    """For the target words of a source word: whether it is the head, difference and number of vacancies, position.

    The words are put into their places on the way.
    """
    cept = info.cepts[i]
    left = len(cept)
    before = info.center_of_cept(info.previous_cept(cept[0])) if cept else 0
    for j in cept:
        head = left == len(cept)
        taken = slots.vacancies_at(before)
        max_v = slots.vacancies_at(len(slots)) - left + 1 - (0 if head else taken)
        yield head, slots.vacancies_at(j) - taken, max_v, j
        slots.occupy(j)
        before, left = j, left - 1
