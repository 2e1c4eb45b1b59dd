"""Parallel text: word alignment, its symmetrization and its evaluation.

Everything takes and gives whole texts, with one item for each sentence pair.

>>> import alinea
>>> source = ["the house", "the flower", "a house"]
>>> target = ["la maison", "la fleur", "une maison"]
>>> [links.tolist() for links in alinea.align(source, target)]
[[[0, 0], [1, 1]], [[0, 0], [1, 1]], [[0, 0], [1, 1]]]

**Text** may be any iterable of sentences (a list, an open file, a numpy array); a ``pathlib.Path`` of a file with a
sentence a line, plain or compressed by gzip or zstd; or a column of a data frame, which is read where it lies: anything
that speaks Arrow's C interface, such as series of polars and pandas and arrays of pyarrow. A sentence is a ``str``,
which is cut into words at blanks and tabs, or its words; nulls are refused. Where ``str.split()`` would cut it at more
places (no-break spaces, say) there is a warning with the first of them: give ``line.split()`` to have it so.

**Links** of one sentence pair are a numpy array of type ``uint32`` with a row for each link, in order: the position of
the source word and the position of the target word, both from 0. Functions that take links also take any sequence of
pairs of numbers, a line in Pharaoh format such as ``"0-0 1-2"``, an :class:`Alignment`, or an
:class:`AlignedSentence`. Those of a whole text may also be a ``pathlib.Path`` of a file in Pharaoh format, or a column
of such lines or of lists of structures with the fields ``source`` and ``target``. They come back as a
:class:`LinkColumn`, a sequence that polars, pandas and pyarrow take for such a column.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from alinea import _native
from alinea._alignment import Alignment
from alinea._annotators import (
    Agreement,
    CorrespondenceTypes,
    PairAgreement,
    References,
    agreement,
    correspondence_types,
)
from alinea._columns import LinkColumn, PhraseColumn
from alinea._errors import ConfigError, Error, ParseError
from alinea._judging import Bucket, Gain, Gains, breakdown, gains, write_page
from alinea._links import (
    Alignments,
    Annotators,
    GoldAlignment,
    LinkArray,
    Links,
    Posteriors,
    Sentence,
    Sentences,
    annotators_of,
    arrays,
    items,
    pairs_of_arrays,
)
from alinea._model import Directions, TrainedModel
from alinea._native import __version__
from alinea._progress import MakesBars, Progress, ProgressBar, makes_bars
from alinea._projection import (
    Confidences,
    LearnedRules,
    Trees,
    Trial,
    learn_rules,
    project,
    syntex_names,
    universal_rules,
)
from alinea._sentence import AlignedSentence
from alinea._tables import (
    Bead,
    Classes,
    Translation,
    WordClasses,
    class_numbers,
    classes,
    lexicon,
    sentence_align,
)

__all__ = [
    "Agreement",
    "AlignedSentence",
    "Alignment",
    "Alignments",
    "Annotators",
    "Bead",
    "Bucket",
    "ChainModel",
    "Classes",
    "Confidences",
    "ConfigError",
    "CorrespondenceTypes",
    "Directions",
    "Entry",
    "Error",
    "Evaluation",
    "Gain",
    "Gains",
    "GoldAlignment",
    "LearnedRules",
    "LinkArray",
    "LinkColumn",
    "Links",
    "MakesBars",
    "Method",
    "Model",
    "PairAgreement",
    "ParseError",
    "PhraseArray",
    "PhraseColumn",
    "Posteriors",
    "Progress",
    "ProgressBar",
    "References",
    "Sentence",
    "Sentences",
    "TrainedModel",
    "Translation",
    "Trees",
    "Trial",
    "WordClasses",
    "__version__",
    "agreement",
    "align",
    "breakdown",
    "classes",
    "correspondence_types",
    "evaluate",
    "gains",
    "learn_rules",
    "lexicon",
    "parse_pharaoh",
    "phrases",
    "posteriors",
    "project",
    "read_pharaoh",
    "sentence_align",
    "symmetrize",
    "syntex_names",
    "train",
    "universal_rules",
    "write_page",
]

PhraseArray: TypeAlias = NDArray[np.uint32]
"""The phrase pairs of one sentence pair; see :func:`phrases`."""

Model: TypeAlias = Literal["agreement-loo", "quality", "agreement", "hmm", "ibm1", "default"]
"""The name of an alignment model; see :func:`align`."""

ChainModel: TypeAlias = Literal["ibm2", "diagonal", "ibm3", "ibm4", "ibm5"]
"""The name of a model that ends a chain of textbook models; see :func:`align`."""

Method: TypeAlias = Literal["intersection", "union", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and"]
"""The name of a way to join two directions; see :func:`symmetrize`."""

Entry: TypeAlias = tuple[str, str] | tuple[str, str, float]
"""A source word, a target word, and perhaps how much the pair of them counts; see :func:`align`."""

_ENTRY_WEIGHT = 0.01
_PAIR = 2


def align(
    source: Sentences,
    target: Sentences,
    *,
    added: Iterable[tuple[Sentences, Sentences]] = (),
    weight: float | Iterable[float] = 0.3,
    dictionary: Iterable[Entry] = (),
    links: Iterable[GoldAlignment | Links | None] | Alignments = (),
    model: Model | ChainModel = "agreement-loo",
    iterations: int | tuple[int, int] | str | None = None,
    threshold: float | Literal["auto"] | None = None,
    objective: str | None = None,
    pegging: bool = False,
    source_classes: Classes | None = None,
    target_classes: Classes | None = None,
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> LinkColumn:
    """Trains an alignment model on a text and returns the links of every sentence pair.

    Other Python threads go on meanwhile, and Ctrl-C ends the work with ``KeyboardInterrupt``. The same text and
    options give the same links under any number of threads.

    >>> import alinea
    >>> links = alinea.align(["the house", "a  house", ""], [["la", "maison"], ["une", "maison"], []])
    >>> [pair.tolist() for pair in links]
    [[[0, 0], [1, 1]], [[0, 0], [1, 1]], []]

    Args:
        source: The sentences of the source language.
        target: Their translations, as many. A sentence may be empty; its pair has no links.
        added: More texts to learn from, each a source and its target, which get no links themselves.
        weight: How much a sentence pair of added text counts, from 0.01 to 1: a number for all texts, or one for each.
            The more a text differs from the one to be aligned, the lower its weight should be; text of the same kind
            deserves 1.
        dictionary: Translations of words that are known beforehand: source word, target word, and perhaps a weight, how
            often the two count as linked before the text is read. The default, 0.01, is enough for training to find the
            pair; a dictionary that has all translations of its words deserves more, up to 1.
        links: Links that are known of the first sentence pairs, all of each pair, or ``None``. They come out as they
            are given (possible ones if the model agrees), and teach the others.
        model: ``"agreement-loo"``, two hidden Markov models trained together where no sentence confirms its own
            guesses, is the default, and ``"default"`` another name of it; ``"quality"``, the same model advised by
            three of words in pieces, makes the fewest errors, for some five times the time; ``"agreement"``, where
            sentences may confirm their guesses, is faster, smaller and less accurate; ``"hmm"`` (Vogel, Ney and
            Tillmann 1996) and ``"ibm1"`` (Brown et al. 1993) are the textbook models. ``"ibm2"`` to ``"ibm5"`` and
            ``"diagonal"``, Model 2 along the diagonal (Dyer, Chahuneau and Smith 2013), are trained in chains, each
            model beginning with what the one before has learned; they take neither ``dictionary`` nor ``links``.
        iterations: Passes of training, by name and in order: ``"ibm1:5,hmm:4"``, or a chain that ends with the model,
            such as ``"ibm1:5,hmm:5,ibm3:3,ibm4:3"``. Or one number for all models of the chain; or two numbers, those
            of Model 1 and of the hidden Markov model. Without it, the model's own setting.
        threshold: A link is made where the mean of the posteriors of both directions is at least this, from 0 to 1;
            a higher one gives fewer links, and more of them right. Without it, 0.45 for ``"agreement-loo"`` and
            ``"agreement"``, 0.35 for ``"quality"``; the textbook models join the best paths of both directions by
            ``"grow-diag-final-and"``.
            Posteriors of ``"ibm3"`` to ``"ibm5"`` are sums over the alignments that training looks at, and so too sure.
            ``"auto"`` chooses it for the text, from 0.2 to 0.7 in steps of 0.025: taken for probabilities that links
            are right, the posteriors of at most 20,000 sentence pairs, evenly spaced, say how precision and recall will
            be.
        objective: What ``"auto"`` chooses the threshold for; given, it implies ``"auto"``. ``"f:ALPHA"``, with ALPHA
            from 0 to 1: the best expected F, in which precision has the weight ALPHA (Fraser and Marcu 2007);
            ``"f:0.5"`` is the default. ``"aer"`` is another name of that: without links made by people nothing tells
            sure from possible links, and where all are sure the alignment error rate is 1 - F. ``"precision:P"``, with
            P between 0 and 1: the smallest threshold with an expected precision of at least P; if there is none, the
            largest, with a ``UserWarning``.
        pegging: With ``"ibm3"`` to ``"ibm5"``, whether training sums over the alignments in which each possible link in
            turn is held fixed, too (Brown et al. 1993, section 4.4): much slower.
        source_classes: With ``"ibm4"`` and ``"ibm5"``, classes of the source words, in place of 50 that are learned.
            Words that are not there are a class of their own, with a ``UserWarning``. Both sides need them.
        target_classes: Those of the target words.
        lowercase: Whether words are compared in lower case.
        max_length: The most words a sentence may have. Pairs with more than 256 words on a side are aligned in
            stretches.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown: ``True`` for bars of ``tqdm``, which must be installed; or what makes bars
            in their place, ``tqdm.notebook.tqdm`` or any :class:`MakesBars`.

    Returns:
        The links of each sentence pair.

    Raises:
        Error: The texts have different numbers of sentences, or every pair has an empty side.
        ValueError: There are more or fewer weights than added texts, or classes of one side only.
        ParseError: A sentence is too long, or a line of a file is not UTF-8 or no class.
        ConfigError: An option has a value that is not allowed.
        OSError: A file cannot be read.
        TypeError: A sentence is neither a ``str`` nor words.
        ImportError: ``tqdm`` is wanted and not installed.
    """
    found, _ = _native.align(
        source,
        target,
        besides=_besides(added, weight, dictionary, links),
        model=model,
        iterations=iterations,
        threshold=threshold,
        objective=objective,
        calibrated=False,
        pegging=pegging,
        word_classes=_both_classes(source_classes, target_classes),
        lowercase=lowercase,
        max_length=max_length,
        threads=threads,
        progress=makes_bars(progress),
    )
    return LinkColumn(*found)


def posteriors(
    source: Sentences,
    target: Sentences,
    *,
    least: float = 0.01,
    calibrated: bool = False,
    added: Iterable[tuple[Sentences, Sentences]] = (),
    weight: float | Iterable[float] = 0.3,
    dictionary: Iterable[Entry] = (),
    links: Iterable[GoldAlignment | Links | None] | Alignments = (),
    model: Model | ChainModel = "agreement-loo",
    iterations: int | tuple[int, int] | str | None = None,
    pegging: bool = False,
    source_classes: Classes | None = None,
    target_classes: Classes | None = None,
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> Posteriors:
    """Trains an alignment model on a text and returns how sure it is of each possible link.

    The confidence of a link is the mean of its posteriors in both directions, or what that is calibrated to.

    >>> import alinea
    >>> found = alinea.posteriors(["the house", "the flower"], ["la maison", "la fleur"], model="ibm1", iterations=1)
    >>> found.links[0].tolist(), found.confidences.dtype
    ([[0, 0], [0, 1], [1, 0], [1, 1]], dtype('float32'))

    Args:
        source: The sentences of the source language.
        target: Their translations, as many.
        least: The least confidence of a link, from 0 to 1.
        calibrated: Whether confidences are written as probabilities that people would make the link, with
            ``"agreement-loo"`` and ``"quality"``; fitted to texts of other languages. ``least`` is not of these.
        added: As in :func:`align`, and so are the others.
        weight: How much a sentence pair of added text counts.
        dictionary: Translations of words.
        links: Links of the first sentence pairs.
        model: The model.
        iterations: Passes of training.
        pegging: Whether Models 3 to 5 hold each link fixed in turn.
        source_classes: Classes of the source words, for Models 4 and 5.
        target_classes: Classes of the target words.
        lowercase: Whether words are compared in lower case.
        max_length: The most words a sentence may have.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown.

    Raises:
        Error: As in :func:`align`, and so are the others.
    """
    found, confidences = _native.align(
        source,
        target,
        besides=_besides(added, weight, dictionary, links),
        model=model,
        iterations=iterations,
        threshold=least,
        objective=None,
        calibrated=calibrated,
        pegging=pegging,
        word_classes=_both_classes(source_classes, target_classes),
        lowercase=lowercase,
        max_length=max_length,
        threads=threads,
        progress=makes_bars(progress),
    )
    return Posteriors(LinkColumn(*found), confidences)


def train(
    source: Sentences,
    target: Sentences,
    path: str | os.PathLike[str],
    *,
    added: Iterable[tuple[Sentences, Sentences]] = (),
    weight: float | Iterable[float] = 0.3,
    dictionary: Iterable[Entry] = (),
    links: Iterable[GoldAlignment | Links | None] | Alignments = (),
    model: Model = "agreement-loo",
    iterations: int | tuple[int, int] | str | None = None,
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> None:
    """Trains an alignment model on a text and writes it to a file, for :class:`TrainedModel`.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "en-fr.alinea")
    ...     alinea.train(["the house", "a house"], ["la maison", "une maison"], path, iterations="ibm1:2,hmm:2")
    ...     alinea.TrainedModel(path).pairs
    2

    Args:
        source: The sentences of the source language.
        target: Their translations, as many.
        path: Where the model goes. It is complete or absent.
        added: As in :func:`align`, and so are the others.
        weight: How much a sentence pair of added text counts.
        dictionary: Translations of words.
        links: Links of the first sentence pairs.
        model: The model; those of chains cannot be written.
        iterations: Passes of training.
        lowercase: Whether words are compared in lower case.
        max_length: The most words a sentence may have.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown.

    Raises:
        OSError: The file cannot be written.
        Error: As in :func:`align`, and so are the others.
    """
    _native.train(
        source,
        target,
        path,
        besides=_besides(added, weight, dictionary, links),
        model=model,
        iterations=iterations,
        lowercase=lowercase,
        max_length=max_length,
        threads=threads,
        progress=makes_bars(progress),
    )


def symmetrize(forward: Alignments, reverse: Alignments, method: Method) -> LinkColumn:
    """Joins two directions of alignment, sentence pair by sentence pair.

    Results are those of the program ``symal`` of Moses.

    >>> import alinea
    >>> [links.tolist() for links in alinea.symmetrize(["0-0 1-1 1-2"], [[(0, 0), (1, 1), (2, 1)]], "grow-diag")]
    [[[0, 0], [1, 1], [1, 2], [2, 1]]]

    Args:
        forward: Links from a model of p(target | source), with at most one source word for each target word.
        reverse: Links from a model of p(source | target), also written source first.
        method: ``"intersection"``, ``"union"``, or the intersection grown towards the union: ``"grow"``,
            ``"grow-diag"``, ``"grow-diag-final"``, ``"grow-diag-final-and"`` (Koehn et al. 2005).

    Raises:
        Error: There are more or fewer sentence pairs in one direction.
        ParseError: A line is not in Pharaoh format.
        ConfigError: There is no such method.
    """
    return LinkColumn(*_native.symmetrize(arrays(forward, "forward"), arrays(reverse, "reverse"), method))


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
        target: Their translations, as many.
        links: The links of each sentence pair.
        max_length: The most words of a phrase, on both sides; ``None`` for any number, and perhaps very many pairs.
        threads: The number of threads, 0 for one on each core.

    Returns:
        An array of type ``uint32`` for each sentence pair, with a row for each phrase pair, in order: the first source
        word, from 0, the word behind the last, and the same of the target words.

    Raises:
        Error: There are more or fewer sentences on one side, or links; or a link leads out of its sentences.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: An option has a value that is not allowed.
        TypeError: A sentence is neither a ``str`` nor words.
    """
    found = _native.phrases(source, target, arrays(links, "links"), max_length=max_length, threads=threads)
    return PhraseColumn(*found)


@dataclass(frozen=True)
class Evaluation:
    """The scores of a text; see :func:`evaluate`. A score that is not defined, such as 0 / 0, is ``None``.

    >>> import alinea
    >>> evaluation = alinea.evaluate(["0-0"], [""])
    >>> evaluation.precision, evaluation.recall, evaluation.sure
    (None, 0.0, 1)

    Attributes:
        precision: The share of the hypothesis' links that are possible.
        recall: The share of the sure links that the hypothesis has.
        f: The weighted harmonic mean of both.
        aer: The alignment error rate, 0 at best.
        hypothesis: The number of links of the hypothesis.
        sure: The number of sure links.
        possible: The number of possible links, the sure among them.
        in_sure: The number of links of the hypothesis that are sure.
        in_possible: The number of links of the hypothesis that are possible, the sure among them.
        signature: One line that names every choice.
        annotations: The number of annotations of single sentences: as many as there are sentences with one annotator.
    """

    precision: float | None
    recall: float | None
    f: float | None
    aer: float | None
    hypothesis: int
    sure: int
    possible: int
    in_sure: int
    in_possible: int
    signature: str
    annotations: int


def evaluate(
    gold: Iterable[GoldAlignment | Links] | Alignments | Annotators,
    hypotheses: Alignments,
    *,
    references: References = "instances",
    annotated_only: bool = False,
    alpha: float = 0.5,
) -> Evaluation:
    """Compares alignments with what people linked (Och and Ney 2003), over the whole text.

    >>> import alinea
    >>> evaluation = alinea.evaluate(["0-0 1-1 1p2"], [[(0, 0), (1, 2), (2, 2)]])
    >>> evaluation.recall, evaluation.aer
    (0.5, 0.4)

    Several people may have linked the text:

    >>> people = {"anna": ["0-0 1-1", "0-0"], "ben": ["0-0 1-0", None]}
    >>> evaluation = alinea.evaluate(people, ["0-0 1-1", "0-0"])
    >>> evaluation.precision, evaluation.annotations
    (0.8, 3)
    >>> alinea.evaluate(people, ["0-0 1-1", "0-0"], references="best").precision
    1.0

    Args:
        gold: The gold standard. Links that are not marked as possible are sure: in a line in Pharaoh format, a ``p``
            instead of the hyphen marks them; otherwise a :class:`GoldAlignment` tells them apart. Or a mapping from the
            names of several people to what each of them linked, with ``None`` for sentences that somebody did not do.
        hypotheses: The alignments to judge, as many. A ``p`` has no meaning here.
        references: How they are compared with several people: with every annotation of a sentence as an instance of
            its own (Ozdowska 2008), with the ``"best"``, that of highest F, or with their ``"union"``, in which what
            all linked is sure and what anybody linked is possible (Och and Ney 2003).
        annotated_only: Whether only links between words that both have a link in the gold standard count: for gold
            standards that left words out on purpose.
        alpha: The weight of precision in ``f``, from 0 to 1 (Fraser and Marcu 2007).

    Raises:
        Error: There are more or fewer hypotheses than gold alignments, or none.
        ParseError: A line is not in Pharaoh format.
        ConfigError: ``alpha`` or ``references`` is not allowed.
    """
    judged = arrays(hypotheses, "hypotheses")
    if isinstance(gold, Mapping):
        people = annotators_of(gold)
        (precision, recall, f, aer), counts, signature, annotations = _native.evaluate_annotations(
            people, judged, references, annotated_only, alpha
        )
    else:
        pairs = pairs_of_arrays(gold)
        (precision, recall, f, aer), counts, signature = _native.evaluate(pairs, judged, annotated_only, alpha)
        annotations = len(pairs)
    hypothesis, sure, possible, in_sure, in_possible = counts
    return Evaluation(
        precision=precision,
        recall=recall,
        f=f,
        aer=aer,
        hypothesis=hypothesis,
        sure=sure,
        possible=possible,
        in_sure=in_sure,
        in_possible=in_possible,
        signature=signature,
        annotations=annotations,
    )


def parse_pharaoh(line: str) -> GoldAlignment:
    """Reads one line in Pharaoh format: ``0-0 1p2``, positions from 0, a ``p`` for a link that is only possible.

    >>> import alinea
    >>> gold = alinea.parse_pharaoh("0-0 1p2")
    >>> gold.sure.tolist(), gold.possible.tolist()
    ([[0, 0]], [[0, 0], [1, 2]])

    Raises:
        ParseError: Something is not a link.
    """
    return GoldAlignment._of_arrays(*_native.parse_pharaoh(line, "<memory>", 1))


def read_pharaoh(path: str | os.PathLike[str]) -> list[GoldAlignment]:
    """Reads a file in Pharaoh format, plain or compressed by gzip or zstd; see :func:`parse_pharaoh`.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "links")
    ...     _ = path.write_text("0-0 1p2")
    ...     alinea.read_pharaoh(path)
    [GoldAlignment(sure=[[0, 0]], possible=[[0, 0], [1, 2]])]

    Raises:
        OSError: The file cannot be read.
        ParseError: Something is not a link.
    """
    return [GoldAlignment._of_arrays(sure, possible) for sure, possible in _native.read_pharaoh(path)]


def _both_classes(source: Classes | None, target: Classes | None) -> tuple[object, object] | None:
    """The classes of both sides, as the native module takes them."""
    if source is None and target is None:
        return None
    if source is None or target is None:
        raise ValueError("source_classes and target_classes: both are needed, or none")
    return class_numbers(source, "source_classes"), class_numbers(target, "target_classes")


def _besides(
    added: Iterable[tuple[Sentences, Sentences]],
    weight: float | Iterable[float],
    dictionary: Iterable[Entry],
    links: Iterable[GoldAlignment | Links | None] | Alignments,
) -> dict[str, object]:
    """What is learned from besides a text, as the native module takes it."""
    texts = list(added)
    weights = [float(weight)] * len(texts) if isinstance(weight, (int, float)) else list(weight)
    if len(weights) != len(texts):
        raise ValueError(f"weight: {len(weights)} numbers for {len(texts)} added texts")
    given = read_pharaoh(links) if isinstance(links, os.PathLike) else items(links, "links")
    known = [(n, links) for n, links in enumerate(given) if links is not None]
    gold = pairs_of_arrays(links for _, links in known)
    return {
        "added": texts,
        "weights": weights,
        "dictionary": [(*entry, _ENTRY_WEIGHT) if len(entry) == _PAIR else entry for entry in dictionary],
        "links": [(n, sure, possible) for (n, _), (sure, possible) in zip(known, gold, strict=True)],
    }
