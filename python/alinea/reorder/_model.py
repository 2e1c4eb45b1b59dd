"""Reordering models: training, files, prediction.

:func:`train` and :class:`Model` wrap the models of the native module (crate ``alinea-order``, module ``reorder``, which
cites the paper of each engine): ensembles, bracketing transduction grammars (Neubig, Watanabe and Mori 2012; Nakagawa
2015), pairwise models (Tromble and Eisner 2009; Visweswariah et al. 2011) and models over trees (Jehl et al. 2014;
Genzel 2010). Sentences are a ``Source``, orders an ``OrderColumn``; files are those of ``alinea reorder``.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alinea import _html, _native
from alinea._links import Alignments, Sentences, arrays
from alinea._progress import Progress, makes_bars
from alinea.reorder._orders import OrderColumn, Orders, column_of
from alinea.reorder._source import Source, source_of

ENGINES: tuple[str, ...] = tuple(_native.reorder_engines())
"""The names of what can be learned, the default first; ``docs/reordering.md`` says what each is."""


class Model:
    """A model that puts sentences into the order of another language; see :func:`train`.

    A pickled model contains everything that its file would.

    >>> from alinea import reorder
    >>> import pathlib, tempfile
    >>> source = ["red house", "red bird", "old house", "old bird"] * 5
    >>> trained = reorder.train(source, ["0-1 1-0"] * 20, engine="btg")
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = pathlib.Path(directory, "model")
    ...     trained.save(path)
    ...     model = reorder.Model(path)
    >>> model.orders(["old house"])[0].tolist()
    [1, 0]
    """

    __slots__ = ("_native",)

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Reads a model that :meth:`save` or ``alinea reorder train`` has written.

        Raises:
            OSError: The file cannot be read.
            Error: It is no model, is damaged, or has another version.
        """
        self._native = _native.ReorderModel(path)

    @classmethod
    def _of(cls, native: _native.ReorderModel) -> Model:
        model = cls.__new__(cls)
        model._native = native
        return model

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model")
            self.save(path)
            return _of_bytes, (path.read_bytes(),)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file, which is complete or absent. The same model gives the same bytes.

        >>> from alinea import reorder
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = pathlib.Path(directory, "model")
        ...     reorder.train(["red house"] * 5, ["0-1 1-0"] * 5, engine="linear").save(path)
        ...     reorder.Model(path).engine
        'linear'

        Args:
            path: The file to write to.

        Raises:
            OSError: The file cannot be written.
        """
        self._native.save(path)

    @property
    def engine(self) -> str:
        """The engine.

        >>> from alinea import reorder
        >>> reorder.train(["red house"] * 5, ["0-1 1-0"] * 5, engine="salesman").engine
        'salesman'
        """
        return self._native.engine

    @property
    def features(self) -> int:
        """The number of features of all members; of rules, their number.

        >>> from alinea import reorder
        >>> reorder.train(["red house"] * 5, ["0-1 1-0"] * 5, engine="btg").features > 10
        True
        """
        return self._native.features

    @property
    def columns(self) -> list[list[str]]:
        """The columns that features use, member by member: layers, and prefixes and suffixes of words.

        >>> from alinea import reorder
        >>> reorder.train(["red house"] * 5, ["0-1 1-0"] * 5, engine="btg").columns
        [['words']]
        """
        return self._native.columns

    @property
    def search(self) -> str:
        """The search, and the bias toward the source order.

        >>> from alinea import reorder
        >>> reorder.train(["red house"] * 5, ["0-0 1-1"] * 5, engine="btg").search
        'leaves sentences as they are'
        """
        return self._native.search

    def __repr__(self) -> str:
        return f"<Model {self.engine}, {self.features} features, {self.search}>"

    def _repr_html_(self) -> str:
        rows = [
            ["engine", self.engine],
            ["features", f"{self.features:,}"],
            *(["columns", ", ".join(columns)] for columns in self.columns),
            ["search", self.search],
        ]
        return _html.table("Model of word order", (), rows, align="ll")

    def orders(
        self,
        source: Source | Sentences,
        *,
        beam: int | None = None,
        threads: int = 0,
        progress: Progress = False,
    ) -> OrderColumn:
        """Predicts the order of each sentence.

        Other Python threads keep running, and Ctrl-C raises ``KeyboardInterrupt``.

        >>> from alinea import reorder
        >>> model = reorder.train(["red house", "old bird"] * 9, ["0-1 1-0"] * 18, engine="btg")
        >>> source = reorder.Source(["old house"])
        >>> source.reordered(model.orders(source))
        [['house', 'old']]

        Args:
            source: The sentences, with the layers that the model was trained with.
            beam: If given, the order is that of the best derivation of a beam search with this many states.
            threads: The number of threads, 0 for one on each core. Results do not depend on it.
            progress: Whether progress is shown; see :func:`alinea.align`.

        Returns:
            The positions of all words of each sentence, in their new order.

        Raises:
            Error: A sentence lacks a layer.
            ConfigError: An option has a value that is not allowed.
        """
        native = source_of(source)._native
        return OrderColumn(*self._native.orders(native, beam, threads, makes_bars(progress)))

    def best_orders(
        self,
        source: Source | Sentences,
        count: int,
        *,
        beam: int = 20,
        threads: int = 0,
        progress: Progress = False,
    ) -> list[list[NDArray[np.int32]]]:
        """Predicts several different orders of each sentence.

        >>> from alinea import reorder
        >>> model = reorder.train(["red house", "old bird"] * 9, ["0-1 1-0"] * 18, engine="btg")
        >>> [order.tolist() for order in model.best_orders(["old house"], 2)[0]]
        [[1, 0], [0, 1]]

        Args:
            source: The sentences, with the layers that the model was trained with.
            count: The maximum number of orders of a sentence.
            beam: The number of states of the beam.
            threads: The number of threads, 0 for one on each core. Results do not depend on it.
            progress: Whether progress is shown; see :func:`alinea.align`.

        Returns:
            The orders of each sentence, the best first; a single one of models without a beam.

        Raises:
            Error: A sentence lacks a layer.
            ConfigError: An option has a value that is not allowed.
        """
        native = source_of(source)._native
        counts, found = self._native.best_orders(native, count, beam, threads, makes_bars(progress))
        orders = iter(OrderColumn(*found))
        return [[next(orders) for _ in range(number)] for number in counts]

    def trees(
        self,
        source: Source | Sentences,
        *,
        beam: int | None = None,
        threads: int = 0,
        progress: Progress = False,
    ) -> list[str]:
        """Draws the best tree over each sentence: ``[ ]`` around monotone nodes, ``< >`` around inverted ones.

        >>> from alinea import reorder
        >>> model = reorder.train(["red house", "old bird"] * 9, ["0-1 1-0"] * 18, engine="btg")
        >>> model.trees(["old house"])
        ['<old house>']

        Args:
            source: The sentences, with the layers that the model was trained with.
            beam: If given, the number of states of the beam.
            threads: The number of threads, 0 for one on each core. Results do not depend on it.
            progress: Whether progress is shown; see :func:`alinea.align`.

        Raises:
            Error: A sentence lacks a layer, or the model has no trees over sentences.
            ConfigError: An option has a value that is not allowed.
        """
        return self._native.trees(source_of(source)._native, beam, threads, makes_bars(progress))

    def best_trees(
        self,
        source: Source | Sentences,
        count: int,
        *,
        beam: int = 20,
        threads: int = 0,
        progress: Progress = False,
    ) -> list[list[str]]:
        """Draws the trees of several different orders of each sentence, of each order the best one.

        >>> from alinea import reorder
        >>> model = reorder.train(["red house", "old bird"] * 9, ["0-1 1-0"] * 18, engine="btg")
        >>> model.best_trees(["old house"], 2)
        [['<old house>', '[old house]']]

        Args:
            source: The sentences, with the layers that the model was trained with.
            count: The maximum number of trees of a sentence.
            beam: The number of states of the beam.
            threads: The number of threads, 0 for one on each core. Results do not depend on it.
            progress: Whether progress is shown; see :func:`alinea.align`.

        Returns:
            The trees of the orders of :meth:`best_orders`, as :meth:`trees` draws them.

        Raises:
            Error: A sentence lacks a layer, or the model has no trees over sentences.
            ConfigError: An option has a value that is not allowed.
        """
        native = source_of(source)._native
        return self._native.best_trees(native, count, beam, threads, makes_bars(progress))


def _of_bytes(saved: bytes) -> Model:
    """The model that was pickled."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        path.write_bytes(saved)
        return Model(path)


def train(
    source: Source | Sentences,
    links: Alignments | None = None,
    *,
    orders: Orders | None = None,
    engine: str = "ensemble",
    attach_unaligned: bool = False,
    induce_trees: bool = False,
    tuning: bool = True,
    features: Iterable[str] = (),
    start: Model | None = None,
    threads: int = 0,
    progress: Progress = False,
) -> Model:
    """Trains a model that reorders sentences, on sentences whose order is known.

    Other Python threads keep running, and Ctrl-C raises ``KeyboardInterrupt``. The same sentences and
    options give the same model under any number of threads.

    >>> from alinea import reorder
    >>> source = reorder.Source(["red house", "old bird"] * 9, tags=["ADJ NOUN"] * 18)
    >>> model = reorder.train(source, ["0-1 1-0"] * 18)
    >>> model.engine, model.search
    ('ensemble', 'consensus, bias 0')
    >>> model.orders(reorder.Source(["blue door"], tags=["ADJ NOUN"]))[0].tolist()
    [1, 0]

    Args:
        source: The sentences. Models use the layers that all of them have, and trees.
        links: The links of each sentence to its translation, by which words are put in order.
        orders: Instead of links, positions of words in their right order, in which some may be missing, as
            :func:`gold_orders` or :attr:`TaskCorpus.orders` have them.
        engine: The kind of model, one of :data:`ENGINES`.
        attach_unaligned: Whether words without links are attached to the next linked word on their right;
            otherwise they go where it is best for the others. For ensemble, btg and induced trees.
        induce_trees: Whether an engine over trees induces them, instead of using those of the source.
        tuning: Whether the bias toward the source order is tuned on held-out sentences. Without tuning there is no
            bias, and training takes less time.
        features: Further word features: ``"prefix1"`` to ``"prefix9"``, ``"suffix1"`` to ``"suffix9"`` (that many
            characters) and ``"shape"``. Not for rules and children.
        start: A model of the same engine, pre-trained on other text: its weights are the initial values, and the
            regularization is towards them. For ensemble, btg, linear, salesman and siblings.
        threads: The number of threads, 0 for one on each core.
        progress: Whether progress is shown; see :func:`alinea.align`.

    Raises:
        Error: There are more or fewer sentences than links or orders, a link or position is outside its sentence, or
            no sentence has two words whose order is known.
        ParseError: A line of links is not in Pharaoh format.
        ConfigError: There is no such engine, it orders no trees and these are to be learned, or it cannot have such
            features, attach words without links, or start from this model.
        ValueError: Neither links nor orders are given, or both.
    """
    native = source_of(source)._native
    gold = gold_of(links, orders)
    bars = makes_bars(progress)
    config = {
        "engine": engine,
        "attach_unaligned": attach_unaligned,
        "induce_trees": induce_trees,
        "tuning": tuning,
        "features": list(features),
    }
    started = None if start is None else start._native
    return Model._of(_native.ReorderModel.train(native, gold, config, started, threads, bars))


def gold_of(links: Alignments | None, orders: Orders | None) -> dict[str, Any]:
    """The gold orders, as the native module takes them."""
    if (links is None) == (orders is None):
        raise ValueError("either links or orders are needed")
    return {
        "links": None if links is None else arrays(links, "links"),
        "orders": None if orders is None else column_of(orders, "orders"),
    }


for _public in (Model, train):
    _public.__module__ = "alinea.reorder"
