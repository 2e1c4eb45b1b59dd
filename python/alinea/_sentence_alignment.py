"""Sentence alignment, and its evaluation.

:func:`sentence_align` finds which sentences of two texts translate each other, by their lengths (Gale and Church 1993),
the words of a model or a dictionary, and the vectors of an encoder; :func:`evaluate_sentences` compares what was found
with gold groups. Both are native (crates ``alinea-text``, module ``sentence_align``, and ``alinea-align``, module
``sentences``); this module checks arguments and wraps results.
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from alinea import _html, _native
from alinea._encoder import Encoder, text_encoder
from alinea._errors import config_error
from alinea._model import TrainedModel
from alinea._progress import Progress, makes_bars
from alinea._training import Entry, entries_of

_SIDES = 2


class Bead(NamedTuple):
    """Sentences that translate each other, 0 to 4 of each text; see :func:`sentence_align`.

    >>> import alinea
    >>> (bead,) = alinea.sentence_align([["It rains.", "It pours."]], [["Es regnet, es schüttet."]])
    >>> bead.source, bead.target, 0 < bead.confidence < 1
    (range(0, 2), range(0, 1), True)

    Attributes:
        source: The numbers of the source sentences, from 0 over the whole text.
        target: The numbers of the target sentences.
        cost: The negative log probability. With a model, a dictionary or an encoder, less by what these say for the
            group, so that it may be below 0.
        confidence: The probability of the group, given both texts.
    """

    source: range
    target: range
    cost: float
    confidence: float


SentenceGroups: TypeAlias = Iterable[Bead | Sequence[Iterable[int]]] | os.PathLike[str]
"""Groups of sentences that translate each other: those of :func:`sentence_align`; pairs of the numbers of source and of
target sentences, from 0; or a file of lines ``0,1<TAB>0``, as ``alinea sentence-align`` writes them, or ``[0, 1]:[0]``,
as vecalign does."""


def sentence_align(
    source: Iterable[Iterable[str]] | os.PathLike[str],
    target: Iterable[Iterable[str]] | os.PathLike[str],
    *,
    model: TrainedModel | None = None,
    dictionary: Iterable[Entry] = (),
    encoder: str | os.PathLike[str] | Encoder | None = None,
    encoder_layer: int | None = None,
    encoder_cache: str | os.PathLike[str] | None = None,
    unit: Literal["characters", "bytes"] = "characters",
    ratio: float = 1.0,
    variance: float = 6.8,
    mark: str | None = None,
    paragraphs: bool = True,
    max_sentences: int = 4,
    threads: int = 0,
    progress: Progress = False,
) -> list[Bead]:
    """Finds which sentences of two texts translate each other, by lengths (Gale and Church 1993) and other evidence.

    >>> import alinea
    >>> source = [["The house is old.", "Nobody lives in it.", "The garden is large."], ["Yes."]]
    >>> target = [["Das Haus ist alt.", "Niemand wohnt darin, und der Garten ist groß."], ["Ja."]]
    >>> for bead in alinea.sentence_align(source, target):
    ...     print(list(bead.source), list(bead.target))
    [0] [0]
    [1, 2] [1]
    [3] [2]

    Lengths do not find sentences that have no translation. A ``model``, a ``dictionary`` or an ``encoder`` does; they
    may be combined, and how much they say is learned from the texts:

    >>> source = [["The house is old.", "Nobody has lived there for many years.", "The garden is large."]]
    >>> target = [["Das Haus ist alt.", "Der Garten ist groß."]]
    >>> words = [("house", "Haus"), ("old", "alt"), ("garden", "Garten"), ("large", "groß")]
    >>> for bead in alinea.sentence_align(source, target, dictionary=words):
    ...     print(list(bead.source), list(bead.target))
    [0] [0]
    [1] []
    [2] [1]

    Args:
        source: The paragraphs of the source text, each a sequence of sentences. A text without paragraphs is one. Or a
            file with one sentence per line, without the blanks at its ends.
        target: Those of the target text, the same number.
        model: A model of the two languages, as :func:`train` returns it, by whose translations the words of sentences
            are compared. Words are read as in its training text.
        dictionary: Known translations by which words are compared: source word, target word, and optionally a weight,
            which counts in proportion to those of the other entries of a word. Words are read in the form of the
            model; without one, text is cut at the word boundaries of Unicode, and words are compared in lower case.
            Entries of several words are left out.
        encoder: A pretrained encoder by whose vectors sentences are compared: the mean of those of their words, cut at
            blanks and tabs. A folder, a name, or an :class:`Encoder`, as in :func:`align`. Encoding takes about 6 ms of
            CPU time a sentence with a small encoder.
        encoder_layer: The layer of the encoder whose outputs are the vectors, from 0, its embeddings. Without it, the
            one that suits the encoder.
        encoder_cache: A file that keeps word vectors: those that it has are not computed again, and others are added.
        unit: What lengths are counted in; bytes are those of UTF-8.
        ratio: The target length expected for one unit of source length.
        variance: The variance of the target length for one unit of source length.
        mark: The line that ends a paragraph, in files; without it, blank lines do.
        paragraphs: Whether files have paragraphs; otherwise each is one, and blank lines are sentences.
        max_sentences: The maximum number of sentences on a side of a group, 1 to 4; 2 is the model as it was published.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown; see :func:`align`.

    Returns:
        The groups in order, paragraph by paragraph; every sentence is in exactly one.

    Raises:
        Error: One text has more paragraphs, or sentences where the other has none; or there is no such encoder.
        ParseError: A line of a file is not UTF-8.
        ConfigError: An option has a value that is not allowed.
        OSError: A file cannot be read or written.
        ValueError: ``mark`` is given with ``paragraphs=False``, or either for texts that are not files.
        TypeError: A paragraph is a ``str``, or a sentence is not; ``model`` is not a :class:`TrainedModel`.

    Warns:
        UserWarning: Lengths differ more than expected of translations: sentences are reordered or not translated,
            or the ``ratio`` is wrong. Or the dictionary has no entry of one word on each side.
    """
    if unit not in ("characters", "bytes"):
        raise config_error("unit", unit, "characters or bytes")
    files = [text for text in (source, target) if isinstance(text, os.PathLike)]
    if (mark is not None or not paragraphs) and len(files) != _SIDES:
        raise ValueError("mark and paragraphs are for files: other texts say themselves where paragraphs end")
    if mark is not None and not paragraphs:
        raise ValueError("mark: there is none where there are to be no paragraphs")
    if model is not None and not isinstance(model, TrainedModel):
        raise TypeError(f"model: expected a TrainedModel, not {type(model).__name__} (TrainedModel(path) opens a file)")
    groups = _native.sentence_align(
        _sentences(source, "source"),
        _sentences(target, "target"),
        model=None if model is None else model._native,
        dictionary=entries_of(dictionary),
        encoder=text_encoder(encoder, encoder_layer, encoder_cache, None),
        lengths={"ratio": ratio, "variance": variance, "of_bytes": unit == "bytes", "max_sentences": max_sentences},
        mark=mark,
        paragraphs=paragraphs,
        threads=threads,
        progress=makes_bars(progress),
    )
    return [Bead(range(*sources), range(*targets), cost, confidence) for sources, targets, cost, confidence in groups]


def _sentences(text: Iterable[Iterable[str]] | os.PathLike[str], name: str) -> list[list[str]] | os.PathLike[str]:
    """The sentences of each paragraph, without line ends, or the file."""
    if isinstance(text, os.PathLike):
        return text
    if isinstance(text, str):
        raise TypeError(f"{name}: expected a sequence of paragraphs, not a str")
    found: list[list[str]] = []
    for number, paragraph in enumerate(text):
        if isinstance(paragraph, str):
            raise TypeError(f"{name}[{number}]: expected a sequence of sentences, not a str")
        found.append([])
        for sentence in paragraph:
            if not isinstance(sentence, str):
                raise TypeError(f"{name}[{number}]: a sentence is a str, not {type(sentence).__name__}")
            line = sentence.removesuffix("\n").removesuffix("\r") if sentence.endswith("\n") else sentence
            found[-1].append(line)
    return found


@dataclass(frozen=True)
class SentenceScores:
    """How many groups of sentences are right, in one sense; see :func:`evaluate_sentences`.

    >>> import alinea
    >>> alinea.evaluate_sentences([([0], [0])], [([0], [0]), ([1], [])]).strict
    SentenceScores(precision=0.5, recall=1.0, f=0.6666666666666666, found=2, right=1, gold=1, recalled=1)

    Attributes:
        precision: The share of right ones among the groups found; 0 if there are none.
        recall: The share of the gold groups with both sides that are found; ``None`` if there are none.
        f: The harmonic mean of both, 0 if both are 0; ``None`` without recall.
        found: The number of groups found, those with an empty side included.
        right: The number of those that are right.
        gold: The number of gold groups with both sides.
        recalled: The number of those that are found.
    """

    precision: float
    recall: float | None
    f: float | None
    found: int
    right: int
    gold: int
    recalled: int


@dataclass(frozen=True)
class SentenceEvaluation:
    """The scores of groups of sentences; see :func:`evaluate_sentences`.

    >>> import alinea
    >>> found = alinea.evaluate_sentences([([0, 1], [0])], [([0], [0]), ([1], [])])
    >>> found.strict.recall, found.lax.recall
    (0.0, 1.0)

    Attributes:
        strict: A group is right if it is the same as a gold group.
        lax: A group is right if it shares a sentence on both sides with a gold group, or is the same.
    """

    strict: SentenceScores
    lax: SentenceScores

    def rows(self) -> list[dict[str, Any]]:
        """Returns a row for each sense, for data frames: its name, the scores, and the counts.

        >>> import alinea
        >>> import pandas
        >>> found = alinea.evaluate_sentences([([0, 1], [0])], [([0], [0]), ([1], [])])
        >>> pandas.DataFrame(found.rows())[["sense", "precision", "recall"]]
            sense  precision  recall
        0  strict        0.0     0.0
        1     lax        0.5     1.0
        """
        return [{"sense": sense, **scores} for sense, scores in self.to_dict().items()]

    def to_dict(self) -> dict[str, Any]:
        """Returns a dictionary for JSON, with the names of the attributes.

        >>> import alinea
        >>> alinea.evaluate_sentences([([0, 1], [0])], [([0], [0]), ([1], [])]).to_dict()["lax"]["f"]
        0.6666666666666666
        """
        return {"strict": asdict(self.strict), "lax": asdict(self.lax)}

    def _repr_html_(self) -> str:
        head = ["percent", "precision", "recall", "F"]
        senses = {"strict": self.strict, "lax": self.lax}
        rows = [
            [sense, *map(_html.percent, (scores.precision, scores.recall, scores.f))]
            for sense, scores in senses.items()
        ]
        caption = f"{self.strict.found:,} groups; {self.strict.gold:,} gold groups with both sides"
        return _html.table(caption, head, rows)


def evaluate_sentences(gold: SentenceGroups, groups: SentenceGroups) -> SentenceEvaluation:
    """Evaluates groups of sentences against gold groups, strictly and laxly.

    *Strict*: a group is right if it is the same as a gold group. *Lax*: if it shares a sentence on both sides with a
    gold group. Precision is the share of right ones among the groups that were found, those with an empty side
    included; recall is the share of the gold groups with both sides that were found (Sennrich and Volk 2010; Thompson
    and Koehn 2019).

    >>> import alinea
    >>> gold = [([0], [0]), ([1, 2], [1]), ([3], [])]
    >>> found = alinea.evaluate_sentences(gold, [([0], [0]), ([1], [1]), ([2], []), ([3], [])])
    >>> found.strict.precision, found.strict.recall, found.lax.precision, found.lax.recall
    (0.5, 0.5, 0.75, 1.0)

    Args:
        gold: The groups that are right, or a file of them. Sentences are numbered from 0 over the whole text, each
            in one group at most.
        groups: The groups to evaluate, such as those of :func:`sentence_align`, or a file of them.

    Raises:
        Error: There are no gold groups.
        ParseError: A line of a file is not a group, or has a sentence of an earlier one.
        OSError: A file cannot be read.
        ValueError: A number is below 0 or too large, a sentence is in two groups, or a group has no sentences.
        TypeError: A group is not a pair of numbers of sentences.
    """
    strict, lax = _native.evaluate_sentences(_groups(gold, "gold"), _groups(groups, "groups"))
    return SentenceEvaluation(_scores(strict), _scores(lax))


def _scores(scored: _native._Scored) -> SentenceScores:
    (precision, recall, f), (found, right, gold, recalled) = scored
    return SentenceScores(precision, recall, f, found, right, gold, recalled)


def _groups(groups: SentenceGroups | str, name: str) -> list[tuple[list[int], list[int]]] | os.PathLike[str]:
    """The numbers of both sides of each group, or the file."""
    if isinstance(groups, os.PathLike):
        return groups
    if isinstance(groups, str):
        raise TypeError(f"{name}: expected groups of sentences, not a str (pass a file as a pathlib.Path)")
    found = []
    earlier: tuple[set[int], set[int]] = set(), set()
    for number, group in enumerate(groups):
        sides = (group.source, group.target) if isinstance(group, Bead) else group
        try:
            source, target = ([operator.index(sentence) for sentence in side] for side in sides)
        except (TypeError, ValueError):
            message = f"{name}[{number}]: expected numbers of source sentences and of target sentences, not {group!r}"
            raise TypeError(message) from None
        _check_sides((source, target), earlier, f"{name}[{number}]")
        found.append((source, target))
    return found


def _check_sides(sides: tuple[list[int], list[int]], earlier: tuple[set[int], set[int]], place: str) -> None:
    """Refuses a group without sentences, or with sentences that cannot be or are in an earlier group; adds its own."""
    if sides == ([], []):
        raise ValueError(f"{place}: a group has a sentence on one side at least")
    for name, side, seen in zip(("source", "target"), sides, earlier, strict=True):
        for sentence in side:
            if sentence < 0:
                raise ValueError(f"{place}: sentences are numbered from 0")
            if sentence > sys.maxsize:
                raise ValueError(f"{place}: there is no {name} sentence {sentence}")
            if sentence in seen:
                raise ValueError(f"{place}: {name} sentence {sentence} occurs twice")
            seen.add(sentence)


for _public in (Bead, SentenceEvaluation, SentenceScores, evaluate_sentences, sentence_align):
    _public.__module__ = "alinea"
del _public
