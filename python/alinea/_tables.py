"""Lexical tables, phrase pairs, word classes, and sentence alignment.

:func:`lexicon` and :func:`phrases` give the tables of Moses (Koehn, Och and Marcu 2003); :func:`classes` the word
classes of mkcls (Och 1999); :func:`sentence_align` aligns sentences by length (Gale and Church 1993). All of it is
computed by the native module (crates ``alinea-text`` and ``alinea-align``); this module checks arguments and wraps
results.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from alinea import _errors, _html, _native
from alinea._columns import SHOWN, PhraseColumn
from alinea._links import Alignments, Sentences, arrays
from alinea._progress import Progress, makes_bars

PhraseArray: TypeAlias = NDArray[np.uint32]
"""The phrase pairs of one sentence pair; see :func:`phrases`."""


class Translation(NamedTuple):
    """A word and one of its translations; see :func:`lexicon`.

    >>> import alinea
    >>> alinea.lexicon(["yes"], ["oui"], ["0-0"])
    [Translation(word='yes', translation='oui', probability=1.0, links=1)]

    Attributes:
        word: The word; ``None`` for the empty word.
        translation: A word of the other side that it is linked to; ``None`` for the empty word.
        probability: The share of the word's links that lead to this translation.
        links: How many links do.
    """

    word: str | None
    translation: str | None
    probability: float
    links: int


def lexicon(
    source: Sentences,
    target: Sentences,
    links: Alignments,
    *,
    reverse: bool = False,
    best: int | None = None,
    least: float = 0.0,
    empty_word: bool = False,
    lowercase: bool = False,
) -> list[Translation]:
    """Counts links of word pairs: the lexical tables of Moses (Koehn, Och and Marcu 2003).

    >>> import alinea
    >>> source, target = ["the house", "the flower"], ["la maison", "la fleur fanée"]
    >>> for word in alinea.lexicon(source, target, ["0-0 1-1", "0-0 1-1 1-2"]):
    ...     print(word.word, word.translation, word.probability)
    the la 1.0
    flower fleur 0.5
    flower fanée 0.5
    house maison 1.0

    Args:
        source: The sentences of the source language.
        target: Their translations, one for each.
        links: The links of each sentence pair.
        reverse: Whether the words are those of the target language, and the translations source words.
        best: The maximum number of translations of each word, the most probable ones; ``None`` for all.
        least: The minimum probability of a translation, from 0 to 1.
        empty_word: Whether translations of and by the empty word are among them: each word without links counts once
            for that. Probabilities are the same without.
        lowercase: Whether words are compared in lower case.

    Returns:
        The translations word by word, the word with most links first, the most probable translation of each first.

    Raises:
        Error: There are more or fewer sentences on one side, or links; or a link is outside its sentences.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.
        TypeError: A sentence is neither a ``str`` nor words.
    """
    entries = _native.lexicon(
        source,
        target,
        arrays(links, "links"),
        reverse=reverse,
        best=best,
        least=least,
        empty_word=empty_word,
        lowercase=lowercase,
    )
    return [Translation._make(entry) for entry in entries]


@dataclass(frozen=True)
class WordClasses:
    """Words in classes; see :func:`classes`.

    >>> import alinea
    >>> alinea.classes(["yes", "no", "yes"], classes=2).numbers
    {'no': 2, 'yes': 1}

    Attributes:
        numbers: The class of each word, from 1; classes with more tokens have lower numbers. Words are in order.
        log_likelihood: That of the text under the class bigram model, in nats.
        perplexity: ``exp(-log_likelihood / n)`` for ``n`` words and ends of sentences.
        converged: Whether no single move raises the likelihood.
        signature: One line that names every setting.
    """

    numbers: dict[str, int]
    log_likelihood: float
    perplexity: float
    converged: bool
    signature: str

    def __repr__(self) -> str:
        classes = len(set(self.numbers.values()))
        return f"<WordClasses of {len(self.numbers):,} words in {classes:,} classes, perplexity {self.perplexity:.2f}>"

    def _repr_html_(self) -> str:
        members: dict[int, list[str]] = {}
        for word, number in self.numbers.items():
            members.setdefault(number, []).append(word)
        rows = [
            [str(number), f"{len(members[number]):,}", _html.several(members[number])]
            for number in sorted(members)[:SHOWN]
        ]
        caption = f"WordClasses, perplexity {self.perplexity:.2f}"
        head, more = ("class", "words", ""), len(members) - len(rows)
        return _html.table(caption, head, rows, align="rrl", more=more, note=self.signature)


Classes: TypeAlias = WordClasses | Mapping[str, int] | os.PathLike[str]
"""Classes of words: those of :func:`classes`, numbers by words, or a file as ``alinea classes`` and mkcls write it."""


def class_numbers(given: Classes, name: str) -> dict[str, int] | os.PathLike[str]:
    """The numbers of the argument ``name`` by words, or the file."""
    if isinstance(given, WordClasses):
        return given.numbers
    if isinstance(given, os.PathLike):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(f"{name}: numbers by words, or a file (a pathlib.Path), not {type(given).__name__}")
    return dict(given)


_CLASSES = 50
_COOLING = 40


def classes(
    text: Sentences,
    *,
    classes: int = _CLASSES,
    cooling: int = _COOLING,
    passes: int = 10,
    start: Classes | None = None,
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> WordClasses:
    """Clusters the words of a text by maximum likelihood of a class bigram model.

    The exchange algorithm finds a local optimum of ``p(word | word before) =
    p(its class | class of the word before) p(word | its class)``, as those of the program ``mkcls`` (Och 1999).

    >>> import alinea
    >>> text = ["the dog sees a cat", "a cat sees the dog", "the cat hears a dog", "a dog hears the cat"]
    >>> found = alinea.classes(text, classes=3).numbers
    >>> found["the"] == found["a"], found["dog"] == found["cat"], found["the"] == found["cat"]
    (True, True, False)

    Args:
        text: The sentences.
        classes: The number of classes, from 1 to 2000.
        cooling: Passes in which moves may also lower the likelihood; 0 for plain exchange.
        passes: The maximum number of passes after that.
        start: Initial classes, instead of ``classes`` and without cooling; with ``passes=0`` they are kept. Words that
            are not there start in the class with most words, with a ``UserWarning``.
        lowercase: Whether words are compared in lower case.
        max_length: The maximum number of words in a sentence.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown; see :func:`align`.

    Raises:
        Error: The text has no words, or there are no classes to begin with.
        ParseError: A sentence is too long, or a line of a file is not a class.
        ConfigError: An option has a value that is not allowed.
        ValueError: ``classes`` or ``cooling`` are given with ``start``.
        TypeError: A sentence is neither a ``str`` nor words.
    """
    if start is not None and (classes, cooling) != (_CLASSES, _COOLING):
        raise ValueError("start: its classes stand in place of classes and cooling, which cannot be given beside it")
    numbers, (log_likelihood, perplexity), converged, signature, missing = _native.classes(
        text,
        classes=classes,
        cooling=cooling,
        passes=passes,
        start=None if start is None else class_numbers(start, "start"),
        lowercase=lowercase,
        max_length=max_length,
        threads=threads,
        progress=makes_bars(progress),
    )
    if missing:
        message = (
            f"{missing} of {len(numbers)} words are not in start: they begin in the class that has most words there"
        )
        warnings.warn(message, stacklevel=2)
    return WordClasses(dict(numbers), log_likelihood, perplexity, converged, signature)


class Bead(NamedTuple):
    """Sentences that translate each other, 0 to 4 of each text; see :func:`sentence_align`.

    >>> import alinea
    >>> (bead,) = alinea.sentence_align([["It rains.", "It pours."]], [["Es regnet, es schüttet."]])
    >>> bead.source, bead.target
    (range(0, 2), range(0, 1))

    Attributes:
        source: The numbers of the source sentences, from 0 over the whole text.
        target: The numbers of the target sentences.
        cost: The negative log probability.
    """

    source: range
    target: range
    cost: float


def sentence_align(
    source: Iterable[Iterable[str]] | os.PathLike[str],
    target: Iterable[Iterable[str]] | os.PathLike[str],
    *,
    unit: Literal["characters", "bytes"] = "characters",
    ratio: float = 1.0,
    variance: float = 6.8,
    mark: str | None = None,
    paragraphs: bool = True,
    max_sentences: int = 4,
) -> list[Bead]:
    """Finds which sentences of two texts translate each other, by their lengths (Gale and Church 1993).

    >>> import alinea
    >>> source = [["The house is old.", "Nobody lives in it.", "The garden is large."], ["Yes."]]
    >>> target = [["Das Haus ist alt.", "Niemand wohnt darin, und der Garten ist groß."], ["Ja."]]
    >>> for bead in alinea.sentence_align(source, target):
    ...     print(list(bead.source), list(bead.target))
    [0] [0]
    [1, 2] [1]
    [3] [2]

    Args:
        source: The paragraphs of the source text, each a sequence of sentences. A text without paragraphs is one. Or a
            file with one sentence per line, without the blanks at its ends.
        target: Those of the target text, the same number.
        unit: What lengths are counted in; bytes are those of UTF-8.
        ratio: The target length expected for one unit of source length.
        variance: The variance of the target length for one unit of source length.
        mark: The line that ends a paragraph, in files; without it, blank lines do.
        paragraphs: Whether files have paragraphs; otherwise each is one, and blank lines are sentences.
        max_sentences: The maximum number of sentences on a side of a group, 1 to 4; 2 is the model as it was published.

    Returns:
        The groups in order, paragraph by paragraph; every sentence is in exactly one.

    Raises:
        Error: One text has more paragraphs, or sentences where the other has none.
        ParseError: A line of a file is not UTF-8.
        ConfigError: An option has a value that is not allowed.
        OSError: A file cannot be read.
        ValueError: ``mark`` is given with ``paragraphs=False``, or either for texts that are not files.
        TypeError: A paragraph is a ``str``, or a sentence is not.

    Warns:
        UserWarning: Lengths differ more than expected of translations: sentences are reordered or not translated,
            or the ``ratio`` is wrong.
    """
    if unit not in ("characters", "bytes"):
        raise _errors.ConfigError(f"unit = {unit}: must be characters or bytes", "unit", unit, "characters or bytes")
    files = [text for text in (source, target) if isinstance(text, os.PathLike)]
    if (mark is not None or not paragraphs) and len(files) != _SIDES:
        raise ValueError("mark and paragraphs are for files: other texts say themselves where paragraphs end")
    if mark is not None and not paragraphs:
        raise ValueError("mark: there is none where there are to be no paragraphs")
    groups = _native.sentence_align(
        _lengths(source, "source", unit),
        _lengths(target, "target", unit),
        ratio=ratio,
        variance=variance,
        of_bytes=unit == "bytes",
        mark=mark,
        paragraphs=paragraphs,
        max_sentences=max_sentences,
    )
    return [Bead(range(*sources), range(*targets), cost) for sources, targets, cost in groups]


_SIDES = 2


def _lengths(
    text: Iterable[Iterable[str]] | os.PathLike[str], name: str, unit: str
) -> list[list[int]] | os.PathLike[str]:
    """The lengths of the sentences of each paragraph, or the file."""
    if isinstance(text, os.PathLike):
        return text
    if isinstance(text, str):
        raise TypeError(f"{name}: expected a sequence of paragraphs, not a str")
    lengths: list[list[int]] = []
    for number, paragraph in enumerate(text):
        if isinstance(paragraph, str):
            raise TypeError(f"{name}[{number}]: expected a sequence of sentences, not a str")
        lengths.append([])
        for sentence in paragraph:
            if not isinstance(sentence, str):
                raise TypeError(f"{name}[{number}]: a sentence is a str, not {type(sentence).__name__}")
            line = sentence.removesuffix("\n").removesuffix("\r") if sentence.endswith("\n") else sentence
            lengths[-1].append(len(line) if unit == "characters" else len(line.encode()))
    return lengths


def phrases(
    source: Sentences,
    target: Sentences,
    links: Alignments,
    *,
    max_length: int | None = 7,
    threads: int = 0,
) -> PhraseColumn:
    """Extracts the phrase pairs of every sentence pair that its links are consistent with.

    These are all pairs of a stretch of source words and a stretch of target words such that at least one link has both
    ends inside, and none only one (Och, Tillmann and Ney 1999). They are those of the program ``extract`` of Moses.

    >>> import alinea
    >>> (found,) = alinea.phrases(["die schwarze Katze"], ["le chat noir"], ["0-0 1-2 2-1"])
    >>> found.tolist()
    [[0, 1, 0, 1], [0, 3, 0, 3], [1, 2, 2, 3], [1, 3, 1, 3], [2, 3, 1, 2]]

    Args:
        source: The sentences of the source language.
        target: Their translations, one for each.
        links: The links of each sentence pair.
        max_length: The maximum number of words in a phrase, on both sides; ``None`` for no limit, which may give very
            many pairs.
        threads: The number of threads, 0 for one on each core.

    Returns:
        An array of type ``uint32`` for each sentence pair, with a row for each phrase pair, in order: the first source
        word, from 0, the word after the last, and the same for the target words.

    Raises:
        Error: There are more or fewer sentences on one side, or links; or a link is outside its sentences.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.
        TypeError: A sentence is neither a ``str`` nor words.
    """
    found = _native.phrases(source, target, arrays(links, "links"), max_length=max_length, threads=threads)
    return PhraseColumn(*found)


for _class in (Translation, WordClasses, Bead):
    _class.__module__ = "alinea"
del _class
