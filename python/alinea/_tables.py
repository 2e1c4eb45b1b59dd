"""Lexical tables, phrase pairs, and word classes.

:func:`lexicon` and :func:`phrases` give the tables of Moses (Koehn, Och and Marcu 2003); :func:`classes` the word
classes of mkcls (Och 1999). All of it is computed by the native module (crates ``alinea-text`` and ``alinea-align``);
this module checks arguments and wraps results.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from alinea import _html, _native
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


for _class in (Translation, WordClasses):
    _class.__module__ = "alinea"
del _class
