"""What the models are trained by: the corpus with numbers for words, and tables as arrays, both in native code.

Models 1 and 2 are trained by expectation maximization (Brown et al. 1993, section 4). For each token ``w`` at position
``j`` of ``m`` words, and each ``m_i`` of ``l`` mots and the empty mot, Model 1 counts

    c(w, m_i) += t(w | m_i) / sum_k t(w | m_k),

and Model 2 the same with ``t(w | m_i) a(i | j, l, m)`` in the place of ``t(w | m_i)``. Tokens count as often as they
occur. Dividing the counts by their sum for each mot gives the next ``t``, by their sum for each ``(j, l, m)`` the next
``a``. No probability falls below :data:`~alinea.nltk._tables.MIN_PROB`.

The tables that users see are made of the arrays row by row, when they are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Reversible
from functools import cached_property
from typing import Any

from alinea._native import Alignments, FertileModel, NumberedText, WordModel
from alinea._progress import MakesBars
from alinea.nltk._tables import LazyProbabilities, Probabilities, Rows, untouched
from alinea.nltk.api import AlignedSent, Alignment


class Corpus(list[AlignedSent]):
    """Sentence pairs that were checked. Their words get numbers once, the first time that these are needed."""

    @cached_property
    def text(self) -> NumberedText:
        """The words as numbers."""
        return NumberedText(self)


def numbered(corpus: Iterable[AlignedSent]) -> NumberedText:
    """The words of a corpus as numbers."""
    return corpus.text if isinstance(corpus, Corpus) else NumberedText(list(corpus))


class UniformRows:
    """The rows of a translation table in which everything has the same probability."""

    def __init__(self, text: NumberedText, probability: float) -> None:
        self.text, self.array = text, probability

    @cached_property
    def _words(self) -> dict[Any, None]:
        return dict.fromkeys(self.text.words())

    def keys(self) -> Reversible[Any]:
        return self.text.words()

    def row(self, key: Any) -> Probabilities | None:
        return Probabilities(1, self.array) if key in self._words else None


class TranslationRows:
    """The rows of a translation table."""

    def __init__(self, model: WordModel) -> None:
        self.text, self.array = model.text, model

    def keys(self) -> Reversible[Any]:
        return self.text.words()

    def row(self, key: Any) -> Probabilities | None:
        found = self.array.translations(key)
        if found is None:
            return None
        row = Probabilities(1)
        row.update(found)
        return row


class PositionRows:
    """The rows of an alignment table, each for one position of a mot."""

    def __init__(self, model: WordModel) -> None:
        self.text, self.array = model.text, model
        self._states = 1 + max((l for l, m in self.text.lengths() if m), default=-1)

    def keys(self) -> Reversible[Any]:
        return range(self._states)

    def row(self, key: Any) -> Probabilities | None:
        if key not in range(self._states):
            return None
        table = Probabilities(3)
        for j, l, m, probability in self.array.positions(int(key)):
            table[j][l][m] = probability
        return table


def uniform_translation(text: NumberedText, probability: float) -> Probabilities:
    """A translation table in which every pair of words has the same probability."""
    return LazyProbabilities(2, UniformRows(text, probability))


def uniform_positions(text: NumberedText) -> Probabilities:
    """An alignment table in which all positions have the same probability."""
    return LazyProbabilities(4, PositionRows(WordModel.uniform_positions(text)))


def trained(
    text: NumberedText, passes: int, translation: Any, alignment: Any = None, bars: MakesBars | None = None
) -> tuple[Any, Any]:
    """Trains Model 1, or Model 2 if it is given an alignment table.

    Args:
        text: The text.
        passes: The number of passes, at least 1.
        translation: The table to begin with, ``translation[word][mot]``, with ``None`` for the empty mot.
        alignment: The table to begin with, ``alignment[i][j][l][m]``, with positions from 1 and 0 for the empty mot.
        bars: What makes bars, if progress is shown.

    Raises:
        ValueError: A table has no probability for something in the text.

    Returns:
        Both tables after the last pass. Pairs of words that never occurred together are not in the first.
    """
    model = WordModel.trained(text, _array(text, translation), _array(text, alignment), passes, bars)
    positions = None if alignment is None else LazyProbabilities(4, PositionRows(model))
    return LazyProbabilities(2, TranslationRows(model)), positions


def best_alignments(corpus: Iterable[AlignedSent], translation: Any, alignment: Any = None) -> Alignments | None:
    """The best alignments of a corpus whose words have numbers, if its tables still are arrays."""
    if not isinstance(corpus, Corpus):
        return None
    words = _array(corpus.text, translation)
    if isinstance(words, float):
        words = WordModel.uniform(corpus.text, words)
    positions = None if alignment is None else _array(corpus.text, alignment)
    if not isinstance(words, WordModel) or not isinstance(positions, WordModel | None):
        return None
    return words.align(positions)


def fertile_model(
    model: Any, text: NumberedText, *, distortion: Any = None, relative: Any = None, vacancies: Any = None
) -> FertileModel:
    """Model 3, 4 or 5 in native code, with the tables of a model as they are now.

    Args:
        model: The model.
        text: The text.
        distortion: The table of Model 3.
        relative: For Models 4 and 5, the classes of source and target words, and the tables for heads and other words.
        vacancies: For Model 5, the tables for heads and other words, and the least share of what Model 4 finds.

    Raises:
        ValueError: A table has no probability for something in the text.
    """
    tables = (_array(text, model.translation_table), _array(text, model.alignment_table))
    rest = (model.fertility_table, model.p1)
    return FertileModel(text, *tables, *rest, distortion=distortion, relative=relative, vacancies=vacancies)


def _array(text: NumberedText, table: Any) -> Any:
    """The array or number that a table is made of, if it is of this text and nobody has changed it; or the table."""
    rows: Rows | None = untouched(table)
    if isinstance(rows, (UniformRows, TranslationRows, PositionRows)) and rows.text is text:
        return rows.array
    return table


def found(mots: list[int | None]) -> Alignment:
    """The alignment that gives each word its mot."""
    return Alignment(enumerate(mots))


def set_alignments(corpus: Iterable[AlignedSent], alignments: Alignments) -> None:
    """Sets the alignments of all sentence pairs, each of which is made when it is asked for."""
    for pair, later in zip(corpus, alignments.later(found), strict=True):
        pair._align_later(later)
