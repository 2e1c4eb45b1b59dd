"""Training and alignment of a text in one call, and symmetrization.

:func:`align`, :func:`posteriors`, :func:`scores` and :func:`train` check their arguments, pass texts to the native
module, which trains and decodes (crates ``alinea-align`` and ``alinea-text``), and wrap what comes back.
:func:`symmetrize` joins two directions by the heuristics of Koehn, Och and Marcu (2003); :func:`word_offsets` is the
tokenizer alone. Models, with their papers, are described at ``model`` of :func:`align`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

from alinea import _native
from alinea._columns import LinkColumn, OffsetColumn
from alinea._encoder import Encoder, text_encoder
from alinea._links import Alignments, ArrowArray, ArrowColumn, Posteriors, Sentences, arrays
from alinea._model import Directions, TrainedModel
from alinea._progress import Progress, makes_bars
from alinea._tables import Classes
from alinea._training import (
    Added,
    ChainModel,
    Encode,
    Entry,
    GivenLinks,
    Iterations,
    LinkKind,
    Method,
    Model,
    Purpose,
    Tokenize,
    data_of,
    decoding_of,
    reading_of,
    recipe_of,
)


@overload
def align(
    source: Sentences,
    target: Sentences,
    *,
    added: Added = (),
    weight: float | Iterable[float] | None = None,
    dictionary: Iterable[Entry] = (),
    links: GivenLinks = (),
    gold: GivenLinks = (),
    annotated_only: bool = False,
    model: Model | ChainModel = "agreement-loo",
    iterations: Iterations | None = None,
    threshold: float | Purpose | None = None,
    objective: str | None = None,
    symmetrize: Method | None = None,
    directions: Literal[False] = False,
    pegging: bool = False,
    source_classes: Classes | None = None,
    target_classes: Classes | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    encoder_layer: int | None = None,
    encoder_cache: str | os.PathLike[str] | None = None,
    encode: Encode | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    tokenize: Tokenize = "none",
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> LinkColumn: ...
@overload
def align(
    source: Sentences,
    target: Sentences,
    *,
    directions: Literal[True],
    added: Added = (),
    weight: float | Iterable[float] | None = None,
    dictionary: Iterable[Entry] = (),
    links: GivenLinks = (),
    gold: GivenLinks = (),
    annotated_only: bool = False,
    model: Model | ChainModel = "agreement-loo",
    iterations: Iterations | None = None,
    threshold: float | Purpose | None = None,
    objective: str | None = None,
    symmetrize: Method | None = None,
    pegging: bool = False,
    source_classes: Classes | None = None,
    target_classes: Classes | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    encoder_layer: int | None = None,
    encoder_cache: str | os.PathLike[str] | None = None,
    encode: Encode | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    tokenize: Tokenize = "none",
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> Directions: ...
def align(
    source: Sentences,
    target: Sentences,
    *,
    added: Added = (),
    weight: float | Iterable[float] | None = None,
    dictionary: Iterable[Entry] = (),
    links: GivenLinks = (),
    gold: GivenLinks = (),
    annotated_only: bool = False,
    model: Model | ChainModel = "agreement-loo",
    iterations: Iterations | None = None,
    threshold: float | Purpose | None = None,
    objective: str | None = None,
    symmetrize: Method | None = None,
    directions: bool = False,
    pegging: bool = False,
    source_classes: Classes | None = None,
    target_classes: Classes | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    encoder_layer: int | None = None,
    encoder_cache: str | os.PathLike[str] | None = None,
    encode: Encode | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    tokenize: Tokenize = "none",
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> LinkColumn | Directions:
    """Trains an alignment model on a text and returns the links of every sentence pair.

    Other Python threads keep running, and Ctrl-C raises ``KeyboardInterrupt``. The same text and
    options give the same links under any number of threads.

    >>> import alinea
    >>> links = alinea.align(["the house", "a  house", ""], [["la", "maison"], ["une", "maison"], []])
    >>> [pair.tolist() for pair in links]
    [[[0, 0], [1, 1]], [[0, 0], [1, 1]], []]

    Args:
        source: The sentences of the source language.
        target: Their translations, one for each. A sentence may be empty; its pair has no links.
        added: More texts to train on, each a source and its target; their own links are not returned.
        weight: The weight of a sentence pair of added text, from 0.01 to 1: one for all texts, or one for each; 0.3
            without it. The more a text differs from the one to be aligned, the lower its weight should be; in-domain
            text gets 1.
        dictionary: Known translations: source word, target word, and optionally a weight, the prior count of links
            between the two. The default, 0.01, is enough for training to find the pair; for a dictionary with all
            translations of its words use more, up to 1.
        links: Known links of the first sentence pairs, all of each pair, or ``None``. They are returned as given
            (possible ones if the model agrees), and supervise the training. A file is read in the format that its
            name suggests, otherwise in Pharaoh format, and the pair of an empty line is aligned as others.
        gold: Gold links of some of the first sentence pairs, as ``links``: the model learns from them what counts as a
            link, for all pairs. 20 pairs are a beginning, 100 far better. It is also trained with them, as with
            ``links``, if they are at least one pair in a thousand. With ``"agreement-loo"`` and ``"quality"``. A
            ``UserWarning`` tells if cross-validation finds no improvement.
        annotated_only: Whether words without a link in ``gold`` were left out on purpose, so that nothing is known of
            them.
        model: ``"agreement-loo"``, two hidden Markov models trained jointly with leave-one-out counts (no
            self-counts), is the default, also named ``"default"``; ``"quality"``, the same model interpolated
            with three subword models, makes the fewest errors, in about five times the time; ``"agreement"``, without
            leave-one-out, is faster, smaller and less accurate; ``"hmm"`` (Vogel, Ney and
            Tillmann 1996) and ``"ibm1"`` (Brown et al. 1993) are the textbook models. ``"ibm2"`` to ``"ibm5"`` and
            ``"diagonal"``, Model 2 along the diagonal (Dyer, Chahuneau and Smith 2013), are trained in chains, each
            model initialized from the previous one; they take neither ``dictionary`` nor ``links``.
        iterations: Passes of training, by name and in order: ``"ibm1:5,hmm:4"``, or a chain that ends with the model,
            such as ``"ibm1:5,hmm:5,ibm3:3,ibm4:3"``. Or one number for all models of the chain; or two numbers, those
            of Model 1 and of the hidden Markov model. Without it, the model's own setting.
        threshold: A link is made where its confidence is at least this, from 0 to 1: the probability that an annotator
            would make it a sure link under ``"agreement-loo"`` and ``"quality"``, with other models the mean of the
            posteriors of both directions. A higher one gives fewer links with higher precision. Without it, 0.36 for
            ``"agreement-loo"``, 0.39 for ``"quality"``, 0.4 with an encoder and 0.45 for ``"agreement"``; the textbook
            models join the best paths of both directions by ``"grow-diag-final-and"``. Posteriors of ``"ibm3"`` to
            ``"ibm5"`` are sums over the alignments that training visits, and so overconfident. Or what links are for,
            with ``"agreement-loo"`` and ``"quality"``: ``"sure"``, few wrong links, for dictionaries and gold
            standards; ``"balanced"``, the fewest errors, as without it; ``"full"``, few missed links, for phrases and
            projection.
        objective: Chooses the threshold for the text, from 0.05 to 0.95 in steps of 0.025, by scores that are estimated
            from the confidences of at most 20,000 sentence pairs, evenly spaced. ``"precision:P"``, with P between 0
            and 1: the smallest threshold with an expected precision of at least P; ``"recall:R"``: the largest with an
            expected recall of at least R. If there is none, the largest or the smallest, with a ``UserWarning``;
            without a number, 0.9. ``"f:ALPHA"``, with ALPHA from 0 to 1: the best expected F, in which precision has
            the weight ALPHA (Fraser and Marcu 2007). ``"aer"``: the smallest expected alignment error rate, for gold
            standards with sure and possible links.
        symmetrize: How the best paths of both directions are joined, instead of a threshold; see :func:`symmetrize`.
        directions: Whether the best paths of both directions are returned instead of links, for :func:`symmetrize`.
        pegging: With ``"ibm3"`` to ``"ibm5"``, whether training also sums over the alignments in which each possible
            link in turn is held fixed (Brown et al. 1993, section 4.4): much slower.
        source_classes: With ``"ibm4"`` and ``"ibm5"``, classes of the source words, instead of 50 learned ones.
            Words without a class share one of their own, with a ``UserWarning``. Both sides need them.
        target_classes: Those of the target words.
        encoder: A pretrained encoder whose word vectors help to align, most where there is little text: a folder with
            ``config.json``, ``tokenizer.json`` and ``model.safetensors``; the name of a model on the Hugging Face Hub,
            such as ``"intfloat/multilingual-e5-small"``; or an :class:`Encoder`, described there. With
            ``"agreement-loo"``, ``"quality"`` and ``"agreement"``, which are trained twice. Encoding takes about 15 ms
            of CPU time a pair with a small encoder. Words are encoded as they are written, also with ``lowercase``.
            Confidences are joint ones, and the default threshold follows. If the encoder knows
            too little of the text, the links are those of the model alone, with a ``UserWarning``.
        encoder_layer: The layer of the encoder whose outputs are the vectors, from 0, its embeddings. Without it, the
            one that suits the encoder.
        encoder_cache: A file that keeps word vectors: those that it has are not computed again, and others are added.
        encode: The sentence pairs that are encoded: ``"all"``; a number of evenly spaced ones; or a share such as
            ``"30%"``, the pairs that a model trained first is least certain about, with at least this share of words.
            Without it, all of up to 20,000 pairs, otherwise 5000. Links of the other pairs come from the model alone,
            which learns from the links of encoded pairs.
        checkpoint: A file that keeps the counts of each pass. If it exists, training resumes from it; when training
            ends it is deleted. Not with chains, nor with an encoder.
        tokenize: How sentences that are a ``str`` are cut into words: ``"none"``, at blanks and tabs;
            ``"whitespace"``, as ``str.split()``; ``"unicode"``, at the word boundaries of Unicode Standard Annex
            29; ``"dictionary"``, the same with dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese;
            ``"script"``, letters and digits in a row and all else singly; or ``"sentencepiece:FILE"``, into the
            pieces of a SentencePiece model. :func:`word_offsets` gives their offsets. Text that is cut at blanks
            and does not seem to be tokenized gives a ``UserWarning``.
        lowercase: Whether words are compared in lower case.
        max_length: The maximum number of words in a sentence. Pairs with more than 256 words on a side are aligned in
            stretches.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown: ``True`` for bars of ``tqdm``, which must be installed; or another class of
            bars, ``tqdm.notebook.tqdm`` or any :class:`MakesBars`.

    Returns:
        The links of each sentence pair, or the best paths of both directions.

    Raises:
        Error: The texts have different numbers of sentences, every pair has an empty side, or there is no such encoder.
        ValueError: Classes are given for one side only.
        ParseError: A sentence is too long, or a line of a file is not UTF-8, or not a class.
        ConfigError: An option has a value that is not allowed.
        OSError: A file cannot be read.
        TypeError: A sentence is neither a ``str`` nor words.
        ImportError: ``progress`` is ``True``, and ``tqdm`` is not installed.
    """
    given = {
        "data": data_of(
            added,
            weight,
            dictionary,
            links,
            gold=gold,
            annotated_only=annotated_only,
            source_classes=source_classes,
            target_classes=target_classes,
            encoder=text_encoder(encoder, encoder_layer, encoder_cache, encode),
        ),
        "recipe": recipe_of(model, iterations, pegging, checkpoint),
        "reading": reading_of(tokenize, lowercase, max_length),
    }
    bars = makes_bars(progress)
    if directions:
        if threshold is not None or objective is not None or symmetrize is not None:
            raise ValueError(
                "directions: threshold, objective and symmetrize are for links of both directions together"
            )
        paths = _native.directions(source, target, **given, threads=threads, progress=bars)
        return Directions(*(LinkColumn(*column) for column in paths))
    decoding = decoding_of(threshold, objective, symmetrize)
    found, _ = _native.align(source, target, **given, decoding=decoding, threads=threads, progress=bars)
    return LinkColumn(*found)


def posteriors(
    source: Sentences,
    target: Sentences,
    *,
    least: float = 0.01,
    calibrated: LinkKind | None = None,
    added: Added = (),
    weight: float | Iterable[float] | None = None,
    dictionary: Iterable[Entry] = (),
    links: GivenLinks = (),
    gold: GivenLinks = (),
    annotated_only: bool = False,
    model: Model | ChainModel = "agreement-loo",
    iterations: Iterations | None = None,
    pegging: bool = False,
    source_classes: Classes | None = None,
    target_classes: Classes | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    encoder_layer: int | None = None,
    encoder_cache: str | os.PathLike[str] | None = None,
    encode: Encode | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    tokenize: Tokenize = "none",
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> Posteriors:
    """Trains an alignment model on a text and returns the confidence of each possible link.

    The confidence of a link is the probability that an annotator would make it a sure link, with ``"agreement-loo"``
    and ``"quality"``, decided by its neighborhood, too; with other models the mean of its posteriors in both
    directions.

    >>> import alinea
    >>> found = alinea.posteriors(["the house", "the flower"], ["la maison", "la fleur"], model="ibm1", iterations=1)
    >>> found.links[0].tolist(), found.confidences.dtype
    ([[0, 0], [0, 1], [1, 0], [1, 1]], dtype('float32'))

    Args:
        source: The sentences of the source language.
        target: Their translations, one for each.
        least: The minimum confidence of a link, from 0 to 1.
        calibrated: What confidences are the probability of, with ``"agreement-loo"`` and ``"quality"``: ``"sure"``
            links, as by default, or ``"possible"`` ones, links at all. ``least`` applies to the former.
        added: As in :func:`align`, like the arguments below.
        weight: How much a sentence pair of added text counts.
        dictionary: Translations of words.
        links: Links of the first sentence pairs.
        gold: Gold links of some of the first sentence pairs, to learn what counts as a link; see :func:`align`.
        annotated_only: Whether words were left out in ``gold`` on purpose.
        model: The model.
        iterations: Passes of training.
        pegging: Whether Models 3 to 5 hold each link fixed in turn.
        source_classes: Classes of the source words, for Models 4 and 5.
        target_classes: Classes of the target words.
        encoder: A pretrained encoder.
        encoder_layer: The layer of the encoder whose outputs are the vectors.
        encoder_cache: A file that keeps word vectors.
        encode: The sentence pairs that are encoded.
        checkpoint: A file that keeps the counts of each pass.
        tokenize: How sentences that are a ``str`` are cut into words.
        lowercase: Whether words are compared in lower case.
        max_length: The maximum number of words in a sentence.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown.

    Raises:
        Error: See :func:`align`, also for other exceptions.
    """
    found, confidences = _native.align(
        source,
        target,
        data=data_of(
            added,
            weight,
            dictionary,
            links,
            gold=gold,
            annotated_only=annotated_only,
            source_classes=source_classes,
            target_classes=target_classes,
            encoder=text_encoder(encoder, encoder_layer, encoder_cache, encode),
        ),
        recipe=recipe_of(model, iterations, pegging, checkpoint),
        decoding=decoding_of(least=least, calibrated=calibrated),
        reading=reading_of(tokenize, lowercase, max_length),
        threads=threads,
        progress=makes_bars(progress),
    )
    return Posteriors(LinkColumn(*found), confidences)


def scores(
    source: Sentences,
    target: Sentences,
    *,
    added: Added = (),
    weight: float | Iterable[float] | None = None,
    dictionary: Iterable[Entry] = (),
    links: GivenLinks = (),
    model: Model | ChainModel = "agreement-loo",
    iterations: Iterations | None = None,
    pegging: bool = False,
    source_classes: Classes | None = None,
    target_classes: Classes | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    encoder_layer: int | None = None,
    encoder_cache: str | os.PathLike[str] | None = None,
    encode: Encode | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    tokenize: Tokenize = "none",
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> NDArray[np.float64]:
    """Trains an alignment model on a text and returns how probable the sentences of each pair are, given each other.

    Pairs that are not translations of each other score low. :meth:`TrainedModel.scores` does the same for other text.

    >>> import alinea
    >>> source = ["the house", "the flower", "a house", "a flower", "the house"]
    >>> found = alinea.scores(source, ["la maison", "la fleur", "une maison", "une fleur", "une fleur"], model="ibm1")
    >>> int(found.sum(axis=1).argmin())
    4

    Args:
        source: The sentences of the source language.
        target: Their translations, one for each.
        added: As in :func:`align`, like the arguments below.
        weight: How much a sentence pair of added text counts.
        dictionary: Translations of words.
        links: Links of the first sentence pairs.
        model: The model. ``"ibm3"`` to ``"ibm5"`` sum over the alignments that training visits only, and include the
            probability of the number of words.
        iterations: Passes of training.
        pegging: Whether Models 3 to 5 hold each link fixed in turn.
        source_classes: Classes of the source words, for Models 4 and 5.
        target_classes: Classes of the target words.
        encoder: A pretrained encoder: the model learns from the dictionary of word types that its vectors make.
        encoder_layer: The layer of the encoder whose outputs are the vectors.
        encoder_cache: A file that keeps word vectors.
        encode: The sentence pairs that are encoded.
        checkpoint: A file that keeps the counts of each pass.
        tokenize: How sentences that are a ``str`` are cut into words.
        lowercase: Whether words are compared in lower case.
        max_length: The maximum number of words in a sentence.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown.

    Returns:
        A row for each sentence pair: ln P(target | source) by the number of target words, and ln P(source | target)
        by that of source words, in nats, never above 0; NaN where a side is empty. They are those of ``alinea align
        --scores``. ``"agreement-loo"`` and ``"quality"`` leave a pair's own counts out.

    Raises:
        Error: See :func:`align`, also for other exceptions.
    """
    return _native.scores(
        source,
        target,
        data=data_of(
            added,
            weight,
            dictionary,
            links,
            source_classes=source_classes,
            target_classes=target_classes,
            encoder=text_encoder(encoder, encoder_layer, encoder_cache, encode),
        ),
        recipe=recipe_of(model, iterations, pegging, checkpoint),
        reading=reading_of(tokenize, lowercase, max_length),
        threads=threads,
        progress=makes_bars(progress),
    )


def train(
    source: Sentences,
    target: Sentences,
    path: str | os.PathLike[str] | None = None,
    *,
    added: Added = (),
    weight: float | Iterable[float] | None = None,
    dictionary: Iterable[Entry] = (),
    links: GivenLinks = (),
    gold: GivenLinks = (),
    annotated_only: bool = False,
    model: Model = "agreement-loo",
    iterations: Iterations | None = None,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    encoder_layer: int | None = None,
    encoder_cache: str | os.PathLike[str] | None = None,
    encode: Encode | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    tokenize: Tokenize = "none",
    lowercase: bool = True,
    max_length: int = 2000,
    threads: int = 0,
    progress: Progress = False,
) -> TrainedModel:
    """Trains an alignment model on a text, and writes it to a file if one is named.

    >>> import alinea
    >>> model = alinea.train(["the house", "a house"], ["la maison", "une maison"], iterations="ibm1:2,hmm:2")
    >>> model.pairs, model.align(["the house"], ["la maison"])[0].tolist()
    (2, [[0, 0], [1, 1]])

    Args:
        source: The sentences of the source language.
        target: Their translations, one for each.
        path: The file to write the model to, which is complete or absent; without it, the model stays in memory.
        added: As in :func:`align`, like the arguments below.
        weight: How much a sentence pair of added text counts.
        dictionary: Translations of words.
        links: Links of the first sentence pairs.
        gold: Gold links of some of the first sentence pairs, to learn what counts as a link; see :func:`align`.
        annotated_only: Whether words were left out in ``gold`` on purpose.
        model: The model; chains cannot be saved.
        iterations: Passes of training.
        encoder: A pretrained encoder: the model learns from the links of encoded pairs and from a dictionary of word
            types, and aligns other text without the encoder.
        encoder_layer: The layer of the encoder whose outputs are the vectors.
        encoder_cache: A file that keeps word vectors.
        encode: The sentence pairs that are encoded.
        checkpoint: A file that keeps the counts of each pass.
        tokenize: How sentences that are a ``str`` are cut into words, also those that the model aligns later.
        lowercase: Whether words are compared in lower case.
        max_length: The maximum number of words in a sentence.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown.

    Raises:
        OSError: The file cannot be written.
        Error: See :func:`align`, also for other exceptions.
    """
    native = _native.train(
        source,
        target,
        path=path,
        data=data_of(
            added,
            weight,
            dictionary,
            links,
            gold=gold,
            annotated_only=annotated_only,
            encoder=text_encoder(encoder, encoder_layer, encoder_cache, encode),
        ),
        recipe=recipe_of(model, iterations, False, checkpoint),
        reading=reading_of(tokenize, lowercase, max_length),
        threads=threads,
        progress=makes_bars(progress),
    )
    return TrainedModel._of_native(native, path)


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
            ``"grow-diag"``, ``"grow-diag-final"``, ``"grow-diag-final-and"`` (Koehn et al. 2005). Of the last
            three, ``"gd"``, ``"gdf"`` and ``"gdfa"`` are short forms, and underscores may replace the hyphens.

    Raises:
        Error: There are more or fewer sentence pairs in one direction.
        ParseError: A line is not in Pharaoh format.
        ConfigError: There is no such method.
    """
    return LinkColumn(*_native.symmetrize(arrays(forward, "forward"), arrays(reverse, "reverse"), method))


def word_offsets(
    sentences: Iterable[str] | os.PathLike[str] | ArrowColumn | ArrowArray, tokenize: Tokenize = "unicode"
) -> OffsetColumn:
    """Returns the offsets of words in sentences, to map links back to the raw text.

    >>> import alinea
    >>> text = "Es regnet, heute."
    >>> (offsets,) = alinea.word_offsets([text])
    >>> [text[start:end] for start, end in offsets.tolist()]
    ['Es', 'regnet', ',', 'heute', '.']

    Args:
        sentences: The sentences, each a ``str``; a file with one sentence per line; or a column of a data frame.
        tokenize: How they are cut into words; see :func:`align`.

    Returns:
        For each sentence an array with a row for each word: its first character, and the one after its last, as Python
        counts them.

    Raises:
        TypeError: A sentence is not a ``str``.
        ConfigError: ``tokenize`` is not allowed.
        OSError: The file cannot be read.
    """
    return OffsetColumn(*_native.word_offsets(sentences, tokenize))


for _public in (align, posteriors, symmetrize, train, word_offsets):
    _public.__module__ = "alinea"
del _public
