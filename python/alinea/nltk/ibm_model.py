"""What the IBM models have in common (Brown et al. 1993; Koehn 2010, chapter 4).

Models translate from ``mots``, here called the source, to ``words``, the target: each of ``m`` target words is aligned
to one of ``l`` source words or to the empty word. Inside the models, positions count from 1, and 0 is the empty word.

Models 3 to 5 cannot sum over all alignments of a sentence pair. They look at a sample: the best alignment of Model 2,
improved by moving one link or swapping two as long as that helps (hill climbing), with all its neighbors; and the same
again with each possible link held fast (pegging). :class:`IBMModel` has the search; the models say how probable an
alignment is. Each step of the search is a method that may be overridden. While none is, scores are kept as logarithms,
neighbors are scored by what they change, and nothing is scored twice.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from alinea._native import Counted, FertileModel, NumberedText
from alinea._progress import MakesBars, Progress, makes_bars
from alinea._sentence import AlignedSentence
from alinea.nltk import _search
from alinea.nltk._info import AlignmentInfo, Counts
from alinea.nltk._tables import MIN_PROB, Probabilities, probability
from alinea.nltk._training import Corpus, numbered, set_alignments
from alinea.nltk.api import AlignedSent, Alignment

__all__ = ["AlignmentInfo", "Counts", "IBMModel", "longest_target_sentence_length"]


TABLES_OF_ALL = ("translation_table", "alignment_table", "fertility_table", "p1")
"""What Models 3 to 5 have in common."""


def longest_target_sentence_length(sentence_aligned_corpus: Iterable[AlignedSent]) -> int:
    """Returns the number of words of the longest ``words`` of a corpus, 0 for none."""
    return max((len(pair.words) for pair in sentence_aligned_corpus), default=0)


class IBMModel:
    """The base of all models: tables, vocabularies, and the search for alignments.

    Attributes:
        MIN_PROB: The least probability of anything.
        src_vocab: The source words, with ``None``, the empty word.
        trg_vocab: The target words.
        translation_table: ``translation_table[t][s]``, the probability of target word ``t`` given source word ``s``.
        alignment_table: ``alignment_table[i][j][l][m]``, that of source position ``i`` given target position ``j``.
        fertility_table: ``fertility_table[phi][s]``, that of ``s`` having ``phi`` target words.
        p1: The probability that a target word that a source word has is accompanied by one that the empty word has.
    """

    MIN_PROB: ClassVar[float] = MIN_PROB

    _NAME: ClassVar[str] = "IBM model"
    _TABLES: ClassVar[tuple[str, ...]] = ()
    """What training needs to begin with."""

    src_vocab: set[Hashable]
    trg_vocab: set[Hashable]
    translation_table: Any
    alignment_table: Any
    fertility_table: Any
    p1: float

    def __init__(self, sentence_aligned_corpus: Iterable[AlignedSent]) -> None:
        """Collects the vocabularies of a corpus, and makes empty tables."""
        self.init_vocab(sentence_aligned_corpus)
        self.reset_probabilities()

    def _fit(
        self,
        corpus: Iterable[AlignedSent],
        iterations: int,
        probability_tables: Mapping[str, Any] | None,
        progress: Progress,
    ) -> None:
        """What the constructors of all models do: check, begin with the tables given or others, train and align."""
        pairs = checked(corpus, iterations)
        IBMModel.__init__(self, pairs)
        if iterations:
            self._check(pairs)
        if probability_tables is None:
            self._begin(pairs, iterations, progress)
            self.set_uniform_probabilities(pairs)
        else:
            for name in self._TABLES:
                setattr(self, name, given_table(probability_tables, name))
        self._run(pairs, iterations, makes_bars(progress))

    def _check(self, pairs: Corpus) -> None:
        """Refuses sentence pairs that a model cannot be trained on."""

    def _begin(self, pairs: Corpus, iterations: int, progress: Progress) -> None:
        """Trains the model that comes before, and takes its tables."""

    def _run(self, pairs: Corpus, iterations: int, bars: MakesBars | None) -> None:
        """Does all passes of training."""
        # What a subclass does to the sentences between passes must be seen: the words of a list are read each time.
        corpus = list(pairs) if self._trains_in_its_own_way() else pairs
        bar = None if bars is None else bars(desc=self._NAME, total=iterations)
        try:
            for _ in range(iterations):
                self.train(corpus)
                if bar is not None:
                    bar.update(1)
        finally:
            if bar is not None:
                bar.close()

    def _trains_in_its_own_way(self) -> bool:
        """Whether a subclass, or the object itself, has another method for a pass."""
        return "train" in vars(self) or type(self).train.__module__.rpartition(".")[0] != "alinea.nltk"

    def train(self, parallel_corpus: Sequence[AlignedSent]) -> None:
        """Does one pass of training. Each model has its own; the base has nothing to train."""

    def _take_tables(self, model: IBMModel, names: Iterable[str]) -> None:
        for name in names:
            setattr(self, name, getattr(model, name))

    def reset_probabilities(self) -> None:
        """Makes all tables empty: every probability is :attr:`MIN_PROB`, and ``p1`` is 0.5."""
        self.translation_table = Probabilities(2)
        self.alignment_table = Probabilities(4)
        self.fertility_table = Probabilities(2)
        self.p1 = 0.5

    def set_uniform_probabilities(self, sentence_aligned_corpus: Iterable[AlignedSent]) -> None:
        """Sets the tables as they are before the first pass. The models override it; the base has nothing to set."""

    def init_vocab(self, sentence_aligned_corpus: Iterable[AlignedSent]) -> None:
        """Collects the vocabularies of a corpus."""
        text = checked(sentence_aligned_corpus).text
        self.src_vocab = {None, *text.mots()}
        self.trg_vocab = set(text.words())

    def sample(self, sentence_pair: AlignedSent) -> tuple[set[AlignmentInfo], AlignmentInfo]:
        """Returns the alignments of a sentence pair that are worth looking at, and the best of them."""
        model = self._native_model(NumberedText([sentence_pair]))
        if model is None:
            return self._sample_by_methods(sentence_pair)
        source, target = [None, *sentence_pair.mots], ["UNUSED", *sentence_pair.words]
        scores, best = model.sample(0)
        infos = {
            alignment: AlignmentInfo(alignment, source, target, None, _search.exp(score)) for alignment, score in scores
        }
        return set(infos.values()), infos[best]

    def best_model2_alignment(
        self, sentence_pair: AlignedSent, j_pegged: int | None = None, i_pegged: int = 0
    ) -> AlignmentInfo:
        """Returns the best alignment under Model 2. Of equally good source words, each target word gets the last.

        Args:
            sentence_pair: The sentence pair.
            j_pegged: A target position, from 1, whose link is given.
            i_pegged: The source position that it has.

        Raises:
            IndexError: One of these is outside its sentence.
        """
        source, target = [None, *sentence_pair.mots], ["UNUSED", *sentence_pair.words]
        alignment = [0] * len(target)
        l, m = len(source) - 1, len(target) - 1
        for j in range(1, m + 1):
            row = self.translation_table[target[j]]
            best = MIN_PROB
            for i, mot in enumerate(source):
                probability = row[mot] * self.alignment_table[i][j][l][m]
                if probability >= best:
                    best, alignment[j] = probability, i
        if j_pegged is not None:
            if not (1 <= j_pegged <= m and 0 <= i_pegged <= l):
                raise IndexError(
                    f"no link of target position {j_pegged} to source position {i_pegged}: {m} and {l} words"
                )
            alignment[j_pegged] = i_pegged
        return AlignmentInfo(tuple(alignment), source, target, None)

    def hillclimb(self, alignment_info: AlignmentInfo, j_pegged: int | None = None) -> AlignmentInfo:
        """Goes to the best neighbor as long as it is better. Of equally good ones, it takes the largest.

        Args:
            alignment_info: Where to begin.
            j_pegged: A target position whose link stays.
        """
        return self._climb(alignment_info, j_pegged, self.prob_t_a_given_s)

    def neighboring(self, alignment_info: AlignmentInfo, j_pegged: int | None = None) -> set[AlignmentInfo]:
        """Returns an alignment and all that differ from it in one link, or by two target words swapping theirs.

        Args:
            alignment_info: The alignment.
            j_pegged: A target position whose link stays.
        """
        source, target = alignment_info.src_sentence, alignment_info.trg_sentence
        neighbors = _search.neighbors(alignment_info.alignment, len(source) - 1, j_pegged)
        return {AlignmentInfo(neighbor, source, target, None) for neighbor in neighbors}

    def maximize_lexical_translation_probabilities(self, counts: Counts) -> None:
        """Sets the translation table to the shares of counts."""
        for t, row in counts.t_given_s.items():
            for s, count in row.items():
                self.translation_table[t][s] = probability(count, counts.any_t_given_s[s])

    def maximize_fertility_probabilities(self, counts: Counts) -> None:
        """Sets the fertility table to the shares of counts."""
        for phi, row in counts.fertility.items():
            for s, count in row.items():
                self.fertility_table[phi][s] = probability(count, counts.fertility_for_any_phi[s])

    def maximize_null_generation_probabilities(self, counts: Counts) -> None:
        """Sets ``p1`` to its share of counts; neither it nor ``1 - p1`` is below :attr:`MIN_PROB`."""
        self.p1 = min(probability(counts.p1, counts.p1 + counts.p0), 1 - MIN_PROB)

    def prob_of_alignments(self, alignments: Iterable[AlignmentInfo]) -> float:
        """Returns the sum of the probabilities of some alignments."""
        return sum(map(self.prob_t_a_given_s, alignments))

    def prob_t_a_given_s(self, alignment_info: AlignmentInfo) -> float:  # noqa: ARG002  # what models override
        """Returns the probability of target words and alignment given the source words. Each model has its own."""
        return 0.0

    def _native_model(self, text: NumberedText) -> FertileModel | None:  # noqa: ARG002  # what models override
        """What searches the alignments of a text in native code, or ``None`` if public methods of a subclass do."""
        return None

    def _counting_model(self, text: NumberedText) -> FertileModel | None:
        """What counts in native code, or ``None`` if public methods of a subclass say what is counted."""
        return None if overridden(self, IBMModel, ("sample",)) else self._native_model(text)

    def _sample_by_methods(self, sentence_pair: AlignedSent) -> tuple[set[AlignmentInfo], AlignmentInfo]:
        """The sample, step by step by the methods of this class, which may be overridden."""
        best = self.hillclimb(self.best_model2_alignment(sentence_pair))
        sampled = set(self.neighboring(best)) | {best}
        best_score = self._score_of(best)
        for j in range(1, len(sentence_pair.words) + 1):
            for i in range(len(sentence_pair.mots) + 1):
                info = self.hillclimb(self.best_model2_alignment(sentence_pair, j, i), j)
                sampled |= {info, *self.neighboring(info, j)}
                score = self._score_of(info)
                if score > best_score or (score == best_score and info.alignment > best.alignment):
                    best, best_score = info, score
        return sampled, best

    def _score_of(self, info: AlignmentInfo) -> float:
        """The score that hill climbing left, which need not be the probability under this model."""
        return self.prob_t_a_given_s(info) if info.score is None else info.score

    def _climb(self, info: AlignmentInfo, j_pegged: int | None, score: Any) -> AlignmentInfo:
        best = score(info)
        while True:
            better = None
            for neighbor in self.neighboring(info, j_pegged):
                value = score(neighbor)
                if value > best or (value == best and better is not None and neighbor.alignment > better.alignment):
                    better, best = neighbor, value
            if better is None:
                info.score = best
                return info
            info = better

    def _train_on_samples(self, corpus: Sequence[AlignedSent], counts: Any) -> None:
        """Aligns each sentence pair by the best of its sample, and counts what the whole sample has."""
        text = numbered(corpus)
        model = self._counting_model(text)
        if model is not None:
            found, alignments = model.count()
            self._take(counts, found)
            set_alignments(corpus, alignments)
            return
        for pair in corpus:
            infos, best = self.sample(pair)
            pair.alignment = Alignment(best.zero_indexed_alignment())
            for info, share in self._shares(infos):
                self._count(counts, share, info)

    def _shares(self, infos: Iterable[AlignmentInfo]) -> list[tuple[AlignmentInfo, float]]:
        """The share of each alignment in the probability of all, in the order of alignments."""
        ordered = sorted(infos, key=lambda info: info.alignment)
        probabilities = [self.prob_t_a_given_s(info) for info in ordered]
        total = sum(probabilities)
        shares = [value / total if total else 1 / len(ordered) for value in probabilities]
        return list(zip(ordered, shares, strict=True))

    def _count(self, counts: Any, share: float, info: AlignmentInfo) -> None:
        """Counts one alignment. Models add what they say of positions."""
        for j in range(1, len(info.trg_sentence)):
            counts.update_lexical_translation(share, info, j)
        counts.update_null_generation(share, info)
        counts.update_fertility(share, info)

    def _take(self, counts: Any, found: Counted) -> None:
        """Takes what native code has counted. Models add what they say of positions."""
        for word, row in found.translations():
            counts.t_given_s[word].update(row)
            for mot, count in row.items():
                counts.any_t_given_s[mot] += count
        for phi, row in enumerate(found.fertilities()):
            if row:
                counts.fertility[phi].update(row)
            for mot, count in row.items():
                counts.fertility_for_any_phi[mot] += count
        counts.p0, counts.p1 = found.null()


SEARCH_METHODS = ("neighboring", "hillclimb", "best_model2_alignment")
"""The steps of the search. While none is overridden, there is a faster way."""


def checked(corpus: Iterable[AlignedSent], iterations: int = 0) -> Corpus:
    """The sentence pairs of a corpus, which may be an iterator, if they are such, and the number of passes is one."""
    if iterations < 0:
        raise ValueError(f"iterations = {iterations}: must be 0 or more")
    if isinstance(corpus, Corpus):
        return corpus
    pairs = Corpus(corpus)
    for number, pair in enumerate(pairs, 1):
        if not isinstance(pair, AlignedSentence):
            raise TypeError(f"sentence pair {number} must be an AlignedSent, not {type(pair).__name__}")
    return pairs


def given_table(tables: Mapping[str, Any], name: str) -> Any:
    """One of the tables that a caller passed to begin with."""
    if name not in tables:
        raise ValueError(f"probability_tables has no {name}")
    table = tables[name]
    if name == "p1" and not 0 <= table <= 1:
        raise ValueError(f"p1 = {table}: must be 0 to 1")
    return table


def check_classes(corpus: Iterable[AlignedSent], source: Mapping[Any, Any], target: Mapping[Any, Any]) -> None:
    """Refuses words without a class."""
    for number, pair in enumerate(corpus, 1):
        for side, words, classes in (("source", pair.mots, source), ("target", pair.words, target)):
            for word in words:
                if word not in classes:
                    raise ValueError(f"sentence pair {number}: the {side} word {word!r} has no class")


def lengths(corpus: Iterable[AlignedSent]) -> list[tuple[int, int]]:
    """The pairs of lengths that occur, source first."""
    return list(dict.fromkeys((len(pair.mots), len(pair.words)) for pair in corpus))


def overridden(model: IBMModel, owner: type[IBMModel], names: Iterable[str]) -> bool:
    """Whether a subclass, or the object itself, has methods of its own in the place of those of a class."""
    return any(getattr(type(model), name) is not getattr(owner, name) or name in vars(model) for name in names)
