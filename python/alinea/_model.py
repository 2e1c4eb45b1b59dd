"""Models in files."""

from __future__ import annotations

import os
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from alinea import _native
from alinea._columns import LinkColumn
from alinea._errors import Error
from alinea._links import Posteriors, Sentences
from alinea._progress import Progress, makes_bars


class Directions(NamedTuple):
    """The best paths of both directions; see :meth:`TrainedModel.directions`.

    >>> import alinea, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "model")
    ...     alinea.train(["the house", "the flower"], ["la maison", "la fleur"], path)
    ...     found = alinea.TrainedModel(path).directions(["the flower"], ["la fleur"])
    >>> found.forward[0].tolist(), found.reverse[0].tolist()
    ([[0, 0], [1, 1]], [[0, 0], [1, 1]])

    Attributes:
        forward: Of p(target | source): each target word has at most one link.
        reverse: Of p(source | target), also written source first: each source word has at most one link.
    """

    forward: LinkColumn
    reverse: LinkColumn


class TrainedModel:
    """A model in a file, written by :func:`train` or ``alinea train``. It is read into memory.

    The file may be replaced or deleted while the model is in use. A pickled model is the path of its file and a
    checksum: other processes open the file themselves, and another model there is an :class:`Error`.

    >>> import alinea, os, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = os.path.join(directory, "en-fr.alinea")
    ...     alinea.train(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"], path)
    ...     model = alinea.TrainedModel(path)
    ...     links = model.align(["the houses"], ["la maison"])
    >>> links[0].tolist()
    [[0, 0], [1, 1]]
    """

    __slots__ = ("_native", "_path")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens a model.

        Raises:
            OSError: The file cannot be read.
            Error: It is no model, is damaged, or has another version.
        """
        self._native = _native.TrainedModel(path)
        self._path = os.path.abspath(path)

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return _open_again, (self._path, self._native.identity)

    @property
    def signature(self) -> str:
        """One line that names every choice that changed results.

        >>> import alinea, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "model")
        ...     alinea.train(["yes"], ["oui"], path)
        ...     alinea.TrainedModel(path).signature.split("|")[0]
        'model:agreement-loo'
        """
        return self._native.signature

    @property
    def pairs(self) -> int:
        """How many sentence pairs it was trained on.

        >>> import alinea, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "model")
        ...     alinea.train(["yes", "no"], ["oui", "non"], path)
        ...     alinea.TrainedModel(path).pairs
        2
        """
        return self._native.pairs

    def __repr__(self) -> str:
        return f"<TrainedModel {self.signature}, {self.pairs} pairs>"

    def align(
        self,
        source: Sentences,
        target: Sentences,
        *,
        threshold: float | None = None,
        max_length: int = 2000,
        threads: int = 0,
        progress: Progress = False,
    ) -> LinkColumn:
        """Returns the links of every sentence pair of a text. The text it was trained on gets the links of training.

        Words are compared in lower case if those of the model's text were; they must be cut as those were.

        >>> import alinea, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "model")
        ...     alinea.train(["the house", "the flower"], ["la maison", "la fleur"], path)
        ...     alinea.TrainedModel(path).align(["flower"], ["la fleur"])[0].tolist()
        [[0, 1]]

        Args:
            source: The sentences of the source language.
            target: Their translations, as many.
            threshold: The least confidence of links, from 0 to 1; see :func:`align`. Without it, text that is new to a
                ``"quality"`` model has 0.45.
            max_length: The most words a sentence may have.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Raises:
            Error: The texts have different numbers of sentences.
            ParseError: A sentence is too long.
            ConfigError: An option has a value that is not allowed.
            TypeError: A sentence is neither a ``str`` nor words.
        """
        bars = makes_bars(progress)
        found, _ = self._native.align(source, target, threshold, False, max_length, threads, bars)
        return LinkColumn(*found)

    def posteriors(
        self,
        source: Sentences,
        target: Sentences,
        *,
        least: float = 0.01,
        calibrated: bool = False,
        max_length: int = 2000,
        threads: int = 0,
        progress: Progress = False,
    ) -> Posteriors:
        """Returns how sure the model is of each possible link of a text; see :func:`alinea.posteriors`.

        >>> import alinea, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "model")
        ...     alinea.train(["the house", "the flower"], ["la maison", "la fleur"], path)
        ...     found = alinea.TrainedModel(path).posteriors(["flower"], ["la fleur"], least=0.5)
        >>> found.links[0].tolist(), found.confidences.shape
        ([[0, 1]], (1,))

        Args:
            source: The sentences of the source language.
            target: Their translations, as many.
            least: The least confidence of a link, from 0 to 1.
            calibrated: Whether confidences are written as probabilities that people would make the link, with
                ``"agreement-loo"`` and ``"quality"``. ``least`` is not of these.
            max_length: The most words a sentence may have.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Raises:
            Error: As in :meth:`align`, and so are the others.
        """
        bars = makes_bars(progress)
        found, confidences = self._native.align(source, target, least, calibrated, max_length, threads, bars)
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

        >>> import alinea, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "model")
        ...     alinea.train(["the house", "the flower"], ["la maison", "la fleur"], path)
        ...     forward, reverse = alinea.TrainedModel(path).directions(["the flower"], ["la fleur"])
        >>> alinea.symmetrize(forward, reverse, "intersection")[0].tolist()
        [[0, 0], [1, 1]]

        Args:
            source: The sentences of the source language.
            target: Their translations, as many.
            max_length: The most words a sentence may have.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Raises:
            Error: As in :meth:`align`, and so are the others.
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
        """Returns how probable the sentences of each pair are as translations of each other.

        >>> import alinea, pathlib, tempfile
        >>> source, target = ["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"]
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "model")
        ...     alinea.train(source, target, path)
        ...     scores = alinea.TrainedModel(path).scores(["the house", "the house"], ["la maison", "une fleur"])
        >>> (scores[0] > scores[1]).tolist()
        [True, True]

        Args:
            source: The sentences of the source language.
            target: Their translations, as many.
            max_length: The most words a sentence may have.
            threads: The number of threads, 0 for one on each core.
            progress: Whether progress is shown; see :func:`align`.

        Returns:
            A row for each sentence pair: ln P(target | source) by the number of target words, and ln P(source | target)
            by that of source words, in nats, never above 0; NaN where a side is empty. They are those of ``alinea align
            --scores``.

        Raises:
            Error: As in :meth:`align`, and so are the others.
        """
        return self._native.scores(source, target, max_length, threads, makes_bars(progress))

    def translations(
        self, word: str, n: int | None = 10, *, of: Literal["source", "target"] = "source"
    ) -> list[tuple[str, float]]:
        """Returns the translations of a word and their probabilities, given the word, the most probable first.

        >>> import alinea, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "model")
        ...     alinea.train(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"], path)
        ...     model = alinea.TrainedModel(path)
        >>> [other for other, _ in model.translations("house", 1)], model.translations("garden")
        (['maison'], [])

        Args:
            word: A word of the text that the model was trained on. Nothing is known of others.
            n: The most translations; ``None`` for all words that it was met with.
            of: The side of the word.

        Raises:
            ValueError: ``of`` is neither ``"source"`` nor ``"target"``, or ``n`` is below 0.
        """
        if n is not None and n < 0:
            raise ValueError(f"n: {n} is below 0")
        if of not in {"source", "target"}:
            raise ValueError(f"of: {of!r} is neither 'source' nor 'target'")
        return (self._native.translations(word, of == "target") or [])[:n]


def _open_again(path: str, identity: int) -> TrainedModel:
    """The model that was pickled."""
    model = TrainedModel(path)
    if model._native.identity != identity:
        raise Error(f"{path}: another model than the one that was pickled")
    return model
