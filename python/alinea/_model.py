"""Trained models, in memory or in files, that align other text.

:class:`TrainedModel` wraps the model of the native module: alignment of whole texts, batches and streams, posteriors,
best paths, scores of sentence pairs, lexical translations, adaptation to a text, pruning and merging. Files are those
of ``alinea train``; the format and the models are documented in the crate ``alinea-align``, modules ``model::saved``
and ``model``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from alinea import _html
from alinea._columns import SHOWN, LinkColumn
from alinea._encoder import Encoder, text_encoder
from alinea._errors import Error, config_error
from alinea._links import LinkArray, Posteriors, Sentence, Sentences
from alinea._native import ADAPTATION_PASSES
from alinea._native import TrainedModel as NativeModel
from alinea._progress import Progress, makes_bars
from alinea._training import (
    Added,
    Encode,
    Entry,
    GivenLinks,
    LinkKind,
    Method,
    Purpose,
    Tokenize,
    data_of,
    decoding_of,
)

if TYPE_CHECKING:
    from typing_extensions import Self


class Directions(NamedTuple):
    """The best paths of both directions; see :meth:`TrainedModel.directions`.

    >>> import alinea
    >>> found = alinea.align(["the house", "the flower"], ["la maison", "la fleur"], directions=True)
    >>> found.forward[0].tolist(), found.reverse[0].tolist()
    ([[0, 0], [1, 1]], [[0, 0], [1, 1]])

    Attributes:
        forward: Of p(target | source): each target word has at most one link.
        reverse: Of p(source | target), also written source first: each source word has at most one link.
    """

    forward: LinkColumn
    reverse: LinkColumn

    def _repr_html_(self) -> str:
        shown = range(min(len(self.forward), SHOWN))
        rows = [[str(number), *(column._shown(number) for column in self)] for number in shown]
        caption = f"Best paths of {len(self.forward):,} sentence pairs"
        return _html.table(caption, ("", "forward", "reverse"), rows, align="rll", more=len(self.forward) - len(rows))


class Table(Protocol):
    """A part of a data frame, such as a ``pyarrow.RecordBatch`` or a ``polars.DataFrame``: columns by name.

    >>> import alinea
    >>> model = alinea.train(["the house", "the flower"], ["la maison", "la fleur"])
    >>> table = {"en": ["the flower"], "fr": ["la fleur"]}
    >>> [links[0].tolist() for links in model.align_batches([table], ("en", "fr"))]
    [[[0, 0], [1, 1]]]
    """

    def __getitem__(self, column: str, /) -> Any:
        """The column."""


class TrainedModel:
    """A trained model: from :func:`train`, or from a file that :func:`train` or ``alinea train`` wrote.

    Text is tokenized and lowercased as the training text was.

    The file may be replaced or deleted while the model is in use. A pickled model is the path of its file and a
    checksum: other processes open the file themselves, and another model there is an :class:`Error`. A model without a
    file is pickled as a whole.

    >>> import alinea, os, tempfile
    >>> source, target = ["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"]
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = os.path.join(directory, "en-fr.alinea")
    ...     _ = alinea.train(source, target, path)
    ...     model = alinea.TrainedModel(path)
    >>> model.align(["the houses"], ["la maison"])[0].tolist()
    [[0, 0], [1, 1]]
    """

    __slots__ = ("_native", "_path")

    _native: NativeModel
    _path: str | None

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens a model.

        Raises:
            OSError: The file cannot be read.
            Error: It is no model, is damaged, or has another version.
        """
        self._native = NativeModel(path)
        self._path = os.path.abspath(path)

    @classmethod
    def _of_native(cls, native: NativeModel, path: str | os.PathLike[str] | None = None) -> Self:
        model = cls.__new__(cls)
        model._native = native
        model._path = None if path is None else os.path.abspath(path)
        return model

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        if self._path is None:
            return _from_bytes, (self._native.to_bytes(),)
        return _open_again, (self._path, self._native.identity)

    @property
    def signature(self) -> str:
        """One line that names every setting that changes results.

        >>> import alinea
        >>> alinea.train(["yes", "no"], ["oui", "non"]).signature[:19]
        'model:agreement-loo'
        """
        return self._native.signature

    @property
    def tokenize(self) -> Tokenize:
        """How a sentence that is a ``str`` is cut into words, as in training; see :func:`align`.

        >>> import alinea
        >>> alinea.train(["Yes!", "No!"], ["Oui !", "Non !"], tokenize="unicode").tokenize
        'unicode'
        """
        return self._native.tokenize

    @property
    def lowercase(self) -> bool:
        """Whether words are compared in lower case, as in training.

        >>> import alinea
        >>> alinea.train(["yes", "no"], ["oui", "non"]).lowercase
        True
        """
        return self._native.lowercase

    @property
    def pairs(self) -> int:
        """The number of sentence pairs that it was trained on, without those with an empty side.

        >>> import alinea
        >>> alinea.train(["yes", "no", ""], ["oui", "non", "peut-être"]).pairs
        2
        """
        return self._native.pairs

    @property
    def word_pairs(self) -> int:
        """The number of word pairs that it has probabilities for.

        >>> import alinea
        >>> alinea.train(["the house", "a house"], ["la maison", "une maison"]).word_pairs
        7
        """
        return self._native.word_pairs

    @property
    def bytes(self) -> int:
        """The size of its file, or of the file that :meth:`save` would write.

        >>> import alinea
        >>> alinea.train(["yes", "no"], ["oui", "non"]).bytes < 1_000_000
        True
        """
        return self._native.bytes

    def __repr__(self) -> str:
        return f"<TrainedModel {self.signature}>"

    def _repr_html_(self) -> str:
        words = "in lower case" if self.lowercase else "as they are"
        rows = [
            ["sentence pairs", f"{self.pairs:,}"],
            ["pairs of words", f"{self.word_pairs:,}"],
            ["bytes", f"{self.bytes:,}"],
            ["words", f"{words}, tokenize: {self.tokenize}"],
            ["file", "none" if self._path is None else self._path],
        ]
        return _html.table("Trained model", (), rows, align="ll", note=self.signature)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file, which is complete or absent; that becomes the model's file.

        >>> import alinea, pathlib, tempfile
        >>> model = alinea.train(["yes", "no"], ["oui", "non"])
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "en-fr.alinea")
        ...     model.save(path)
        ...     path.stat().st_size == model.bytes
        True

        Raises:
            OSError: The file cannot be written.
            Error: The model's own file was changed, or the name is that of a compressed file.
        """
        self._native.save(path)
        self._path = os.path.abspath(path)

    def align(
        self,
        source: Sentences,
        target: Sentences,
        *,
        threshold: float | Purpose | None = None,
        objective: str | None = None,
        symmetrize: Method | None = None,
        adapt: int | bool | None = None,
        added: Added = (),
        weight: float | Iterable[float] | None = None,
        dictionary: Iterable[Entry] = (),
        links: GivenLinks = (),
        gold: GivenLinks = (),
        annotated_only: bool = False,
        encoder: str | os.PathLike[str] | Encoder | None = None,
        encoder_layer: int | None = None,
        encoder_cache: str | os.PathLike[str] | None = None,
        encode: Encode | None = None,
        max_length: int = 2000,
        threads: int = 0,
        progress: Progress = False,
    ) -> LinkColumn:
        """Aligns a text and returns the links of every sentence pair.

        The text that the model was trained on gets the same links as in training.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower"], ["la maison", "la fleur"])
        >>> [pair.tolist() for pair in model.align(["the flowers", ""], ["la fleur", ""])]
        [[[0, 0], [1, 1]], []]

        Args:
            source: The sentences of the source language.
            target: Their translations, one for each.
            threshold: The minimum confidence of links, from 0 to 1, or what they are for; see :func:`align`.
            objective: What the threshold is chosen for; see :func:`align`.
            symmetrize: How the best paths of both directions are joined, instead of a threshold.
            adapt: Whether the model is adapted to this text first, as :meth:`adapt` does, or in how many passes.
            added: With ``adapt``, more texts to train on; see :func:`align`, also for the three arguments below.
            weight: How much a sentence pair of added text counts.
            dictionary: Translations of words.
            links: Links of the first sentence pairs, which supervise the training and are returned as given.
            gold: Gold links of some of the first sentence pairs, to learn what counts as a link; see :func:`align`.
            annotated_only: Whether words were left out in ``gold`` on purpose.
            encoder: A pretrained encoder whose word vectors are joined with the model, as it is or as it was adapted;
                see :func:`align`. What they say about links is learned from this text, so give as much of it as there
                is.
            encoder_layer: The layer of the encoder whose outputs are the vectors.
            encoder_cache: A file that keeps word vectors.
            encode: The sentence pairs that are encoded; see :func:`align`. Without ``adapt``, only their links change.
            max_length: The maximum number of words in a sentence.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Raises:
            Error: The texts have different numbers of sentences, or there is no such encoder; every pair has an empty
                side, and ``adapt`` is given.
            ParseError: A sentence is too long.
            ConfigError: An option has a value that is not allowed.
            ValueError: Something is given to be learned from, but not ``adapt``.
            TypeError: A sentence is neither a ``str`` nor words.

        Warns:
            UserWarning: The model or the encoder knows too little of the text, or that does not seem to be tokenized.
        """
        vectors = text_encoder(encoder, encoder_layer, encoder_cache, encode)
        data = data_of(added, weight, dictionary, links, gold=gold, annotated_only=annotated_only, encoder=vectors)
        decoding = decoding_of(threshold, objective, symmetrize)
        bars = makes_bars(progress)
        found, _ = self._native.align(source, target, _passes(adapt), data, decoding, max_length, threads, bars)
        return LinkColumn(*found)

    def align_batches(
        self,
        batches: Iterable[tuple[Sentences, Sentences] | Table],
        columns: tuple[str, str] = ("source", "target"),
        *,
        threshold: float | Purpose | None = None,
        symmetrize: Method | None = None,
        max_length: int = 2000,
        threads: int = 0,
    ) -> Iterator[LinkColumn]:
        """Aligns text in batches, of any total size, and yields the links of each batch.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower"], ["la maison", "la fleur"])
        >>> batches = iter([(["the flower", "the house"], ["la fleur", "la maison"]), (["the house"], ["la maison"])])
        >>> [len(links) for links in model.align_batches(batches)]
        [2, 1]

        Args:
            batches: Parts of a text, each its source and its target sentences; or tables with two columns of sentences,
                such as the record batches of a ``pyarrow.dataset.Dataset``.
            columns: The names of the columns of source and target in tables.
            threshold: The minimum confidence of links, from 0 to 1, or what they are for; see :func:`align`.
            symmetrize: How the best paths of both directions are joined.
            max_length: The maximum number of words in a sentence.
            threads: The number of threads, 0 for one on each core.

        Raises:
            Error: See :meth:`align`, also for other exceptions.
        """
        decoding = decoding_of(threshold, symmetrize=symmetrize)
        stream = self._native.stream(decoding, max_length, threads)
        for batch in batches:
            source, target = batch if isinstance(batch, tuple) else (batch[columns[0]], batch[columns[1]])
            found, _ = stream.align(source, target)
            yield LinkColumn(*found)
        stream.end()

    def align_stream(
        self,
        pairs: Iterable[tuple[Sentence, Sentence]],
        *,
        batch: int = 4096,
        threshold: float | Purpose | None = None,
        symmetrize: Method | None = None,
        max_length: int = 2000,
        threads: int = 0,
    ) -> Iterator[LinkArray]:
        r"""Aligns a stream of sentence pairs of any length, and yields the links of each.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower"], ["la maison", "la fleur"])
        >>> pairs = (line.split("\t") for line in ["the house\tla maison", "the flower\tla fleur"])
        >>> [links.tolist() for links in model.align_stream(pairs)]
        [[[0, 0], [1, 1]], [[0, 0], [1, 1]]]

        Args:
            pairs: The sentence pairs, each its source and its target.
            batch: How many pairs are read before they are aligned together; 1 aligns each at once.
            threshold: The minimum confidence of links, from 0 to 1, or what they are for; see :func:`align`.
            symmetrize: How the best paths of both directions are joined.
            max_length: The maximum number of words in a sentence.
            threads: The number of threads, 0 for one on each core.

        Raises:
            ValueError: An item does not have two sentences.
            Error: See :meth:`align`, also for other exceptions.
        """
        if batch < 1:
            raise config_error("batch", batch, "1 or more")
        left = iter(pairs)
        batches = iter(lambda: list(islice(left, batch)), [])
        parts = (([source for source, _ in part], [target for _, target in part]) for part in batches)
        options: dict[str, Any] = {"threshold": threshold, "symmetrize": symmetrize}
        for links in self.align_batches(parts, **options, max_length=max_length, threads=threads):
            yield from links

    def posteriors(
        self,
        source: Sentences,
        target: Sentences,
        *,
        least: float = 0.01,
        calibrated: LinkKind | None = None,
        adapt: int | bool | None = None,
        added: Added = (),
        weight: float | Iterable[float] | None = None,
        dictionary: Iterable[Entry] = (),
        links: GivenLinks = (),
        gold: GivenLinks = (),
        annotated_only: bool = False,
        encoder: str | os.PathLike[str] | Encoder | None = None,
        encoder_layer: int | None = None,
        encoder_cache: str | os.PathLike[str] | None = None,
        encode: Encode | None = None,
        max_length: int = 2000,
        threads: int = 0,
        progress: Progress = False,
    ) -> Posteriors:
        """Returns the confidence of each possible link of a text; see :func:`alinea.posteriors`.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower"], ["la maison", "la fleur"])
        >>> found = model.posteriors(["flower"], ["la fleur"], least=0.5)
        >>> found.links[0].tolist(), found.confidences.shape
        ([[0, 1]], (1,))

        Args:
            source: The sentences of the source language.
            target: Their translations, one for each.
            least: The minimum confidence of a link, from 0 to 1.
            calibrated: What confidences are the probability of: ``"sure"`` links, or ``"possible"`` ones; see
                :func:`alinea.posteriors`.
            adapt: Whether the model is adapted to this text first, or in how many passes; see :meth:`align`, also for
                the arguments below.
            added: With ``adapt``, more texts to train on.
            weight: How much a sentence pair of added text counts.
            dictionary: Translations of words.
            links: Links of the first sentence pairs, which supervise the training.
            gold: Gold links of some of the first sentence pairs, to learn what counts as a link; see :func:`align`.
            annotated_only: Whether words were left out in ``gold`` on purpose.
            encoder: A pretrained encoder.
            encoder_layer: The layer of the encoder whose outputs are the vectors.
            encoder_cache: A file that keeps word vectors.
            encode: The sentence pairs that are encoded.
            max_length: The maximum number of words in a sentence.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Raises:
            Error: See :meth:`align`, also for other exceptions.
        """
        vectors = text_encoder(encoder, encoder_layer, encoder_cache, encode)
        data = data_of(added, weight, dictionary, links, gold=gold, annotated_only=annotated_only, encoder=vectors)
        decoding = decoding_of(least=least, calibrated=calibrated)
        bars = makes_bars(progress)
        passes = _passes(adapt)
        found, confidences = self._native.align(source, target, passes, data, decoding, max_length, threads, bars)
        return Posteriors(LinkColumn(*found), confidences)

    def directions(
        self,
        source: Sentences,
        target: Sentences,
        *,
        max_length: int = 2000,
        threads: int = 0,
        progress: Progress = False,
    ) -> Directions:
        """Returns the best paths of both directions, for :func:`symmetrize`.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower"], ["la maison", "la fleur"])
        >>> forward, reverse = model.directions(["the flower"], ["la fleur"])
        >>> alinea.symmetrize(forward, reverse, "intersection")[0].tolist()
        [[0, 0], [1, 1]]

        Args:
            source: The sentences of the source language.
            target: Their translations, one for each.
            max_length: The maximum number of words in a sentence.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Raises:
            Error: See :meth:`align`, also for other exceptions.
        """
        found = self._native.directions(source, target, max_length, threads, makes_bars(progress))
        return Directions(*(LinkColumn(*column) for column in found))

    def scores(
        self,
        source: Sentences,
        target: Sentences,
        *,
        max_length: int = 2000,
        threads: int = 0,
        progress: Progress = False,
    ) -> NDArray[np.float64]:
        """Returns log probabilities of the sentences of each pair as translations of each other.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"])
        >>> scores = model.scores(["the house", "the house"], ["la maison", "une fleur"])
        >>> (scores[0] > scores[1]).tolist()
        [True, True]

        Args:
            source: The sentences of the source language.
            target: Their translations, one for each.
            max_length: The maximum number of words in a sentence.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Returns:
            A row for each sentence pair: ln P(target | source) by the number of target words, and ln P(source | target)
            by that of source words, in nats, never above 0; NaN where a side is empty. They are those of ``alinea align
            --scores``; :func:`alinea.scores` trains on the text itself.

        Raises:
            Error: See :meth:`align`, also for other exceptions.
        """
        return self._native.scores(source, target, max_length, threads, makes_bars(progress))

    def translations(
        self, word: str, n: int | None = 10, *, of: Literal["source", "target"] = "source"
    ) -> list[tuple[str, float]]:
        """Returns the translations of a word and their probabilities, given the word, the most probable first.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"])
        >>> [other for other, _ in model.translations("house", 1)], model.translations("garden")
        (['maison'], [])

        Args:
            word: A word of the text that the model was trained on; others have no translations.
            n: The maximum number of translations; ``None`` for all words that it co-occurs with.
            of: The side of the word.

        Raises:
            ConfigError: ``of`` is neither ``"source"`` nor ``"target"``, or ``n`` is below 0.
        """
        if n is not None and n < 0:
            raise config_error("n", n, "0 or more, or None")
        if of not in {"source", "target"}:
            raise config_error("of", of, "source or target")
        return (self._native.translations(word, of == "target") or [])[:n]

    def adapt(
        self,
        source: Sentences,
        target: Sentences,
        passes: int = ADAPTATION_PASSES,
        *,
        added: Added = (),
        weight: float | Iterable[float] | None = None,
        dictionary: Iterable[Entry] = (),
        links: GivenLinks = (),
        gold: GivenLinks = (),
        annotated_only: bool = False,
        encoder: str | os.PathLike[str] | Encoder | None = None,
        encoder_layer: int | None = None,
        encoder_cache: str | os.PathLike[str] | None = None,
        encode: Encode | None = None,
        max_length: int = 2000,
        threads: int = 0,
        progress: Progress = False,
    ) -> TrainedModel:
        """Returns a model adapted to a text by further training on it.

        It has only the words and pairs of the text, and has no file until it is :meth:`saved <save>`. Its links of the
        text are those of ``alinea align --model-file --adapt``, unless links or an encoder are given, which it does not
        keep. :meth:`align` with ``adapt`` gives these links, too: there, what word vectors say about links is learned
        from posteriors of the model before it was trained with the vectors.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"])
        >>> text = ["the garden", "a garden"], ["le jardin", "un jardin"]
        >>> [pair.tolist() for pair in model.adapt(*text).align(*text)]
        [[[0, 0], [1, 1]], [[0, 0], [1, 1]]]
        >>> [pair.tolist() for pair in model.align(*text, adapt=True)]
        [[[0, 0], [1, 1]], [[0, 0], [1, 1]]]

        Args:
            source: The sentences of the source language.
            target: Their translations, one for each.
            passes: The number of passes over the text, from 1 to 1000.
            added: More texts to train on; see :func:`align`, also for the arguments below.
            weight: How much a sentence pair of added text counts.
            dictionary: Translations of words.
            links: Links of the first sentence pairs, which supervise the training. The model does not keep them.
            gold: Gold links of some of the first sentence pairs, to learn what counts as a link; see :func:`align`.
            annotated_only: Whether words were left out in ``gold`` on purpose.
            encoder: A pretrained encoder: the model learns from the links of encoded pairs and from a dictionary of
                word types. It does not keep the vectors.
            encoder_layer: The layer of the encoder whose outputs are the vectors.
            encoder_cache: A file that keeps word vectors.
            encode: The sentence pairs that are encoded.
            max_length: The maximum number of words in a sentence.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown.

        Raises:
            Error: See :func:`align`, also for other exceptions.
            ConfigError: The model is not one of agreement, or an option has a value that is not allowed.
        """
        vectors = text_encoder(encoder, encoder_layer, encoder_cache, encode)
        data = data_of(added, weight, dictionary, links, gold=gold, annotated_only=annotated_only, encoder=vectors)
        native = self._native.adapt(source, target, passes, data, max_length, threads, makes_bars(progress))
        return TrainedModel._of_native(native)

    def prune(self, size: int | None = None) -> TrainedModel:
        """Returns a smaller model, without pairs of words that were never linked and that stems and spelling cover.

        >>> import alinea
        >>> model = alinea.train(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"])
        >>> model.prune().word_pairs < model.word_pairs
        True

        Args:
            size: The maximum size of its file, in bytes: pairs of words with the fewest counts are left out as well.

        Raises:
            ConfigError: The model is larger than that without any pair.
        """
        return TrainedModel._of_native(self._native.prune(size))

    def merge(self, *others: TrainedModel) -> TrainedModel:
        """Returns one model of this and others, which were trained on other texts: their counts are added.

        It does not recognize the texts that they were trained on. It is less accurate than a model that was trained on
        all texts together, but takes almost no time.

        >>> import alinea
        >>> first = alinea.train(["the house", "a house"], ["la maison", "une maison"])
        >>> second = alinea.train(["the flower", "a flower"], ["la fleur", "une fleur"])
        >>> first.merge(second).align(["the flower"], ["la fleur"])[0].tolist()
        [[0, 0], [1, 1]]

        Args:
            others: The other models, of the same kind.

        Raises:
            Error: The models are of different kinds, or one has no counts.
        """
        return TrainedModel._of_native(self._native.merge([other._native for other in others]))


def _passes(adapt: int | bool | None) -> int | None:
    if isinstance(adapt, bool):
        return ADAPTATION_PASSES if adapt else None
    return adapt


def _open_again(path: str, identity: int) -> TrainedModel:
    """The model that was pickled."""
    model = TrainedModel(path)
    if model._native.identity != identity:
        raise Error(f"{path}: another model than the one that was pickled")
    return model


def _from_bytes(content: bytes) -> TrainedModel:
    """The model that was pickled, and had no file."""
    return TrainedModel._of_native(NativeModel.from_bytes(content))


for _public in (Directions, TrainedModel):
    _public.__module__ = "alinea"
del _public
