"""A function from record batches to record batches, which travels to where they are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from alinea._errors import Error, config_error
from alinea._native import __version__
from alinea._training import Method, Purpose
from alinea.distributed._models import check_version, open_model
from alinea.distributed._results import Finder, Options, Result, fields_of, results_of

if TYPE_CHECKING:
    from typing_extensions import Self


class BatchAligner:
    """Aligns record batches by a trained model: called with an iterable of them, it yields each with more columns.

    Results of a pair do not depend on the batch that it is in. Pickled, it is the path of the model and the options. A
    process that unpickles it opens the model at the first batch and keeps it open for later tasks. If the process has
    another version of alinea, or the path another model, that is an :class:`alinea.Error`.

    Sentences are strings, cut into words as the training text was, or lists of words. If a sentence is null, so are all
    results of its pair; null words are an error. An empty sentence has no links, and its pair no scores.

    >>> import alinea, alinea.distributed, os, pyarrow, tempfile
    >>> batch = pyarrow.record_batch({"en": ["a flower", None], "fr": ["une fleur", "la maison"]})
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = os.path.join(directory, "en-fr.alinea")
    ...     _ = alinea.train(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"], path)
    ...     aligner = alinea.distributed.BatchAligner(path, "en", "fr", columns=["links", "scores"])
    ...     [found] = aligner([batch])
    >>> [None if links is None else len(links) for links in found["links"].to_pylist()]
    [2, None]

    Attributes:
        model: The absolute path of the model.
        source: The column of the source sentences.
        target: The column of their translations.
        columns: The columns of results.
        result_type: The results of a pair as a ``pyarrow.StructType`` with a field for each column.
    """

    model: str
    source: str
    target: str
    columns: tuple[Result, ...]
    result_type: pa.StructType

    def __init__(
        self,
        model: str | os.PathLike[str],
        source: str = "source",
        target: str = "target",
        *,
        columns: Result | Sequence[Result] = "links",
        threshold: float | Purpose | None = None,
        symmetrize: Method | None = None,
        least: float = 0.01,
        max_length: int = 2000,
        threads: int = 1,
        signed: bool = False,
    ) -> None:
        """Opens the model, to check the options and to know the model again elsewhere.

        Args:
            model: The file of the model, which :func:`alinea.train` or ``alinea train`` wrote.
            source: The column of the source sentences.
            target: The column of their translations.
            columns: The columns of results, in this order: ``"links"``, a list of structures of ``source`` and
                ``target``; ``"confidences"``, a list with that of each link; ``"posteriors"``, all likely links, each
                with its ``confidence`` (:meth:`alinea.TrainedModel.posteriors`); ``"forward"`` and ``"reverse"``, the
                best paths of both directions (:meth:`alinea.TrainedModel.directions`); ``"scores"``, a structure of
                ``forward`` and ``reverse`` (:meth:`alinea.TrainedModel.scores`), null where a side is empty. The text
                is aligned once for links and confidences, and once more each for posteriors, directions and scores.
            threshold: The minimum confidence of ``links``, from 0 to 1, or what they are for; see :func:`alinea.align`.
            symmetrize: How the best paths of both directions are joined to ``links``, instead of a threshold.
            least: The minimum confidence of ``posteriors``.
            max_length: The maximum number of words in a sentence.
            threads: The number of threads of each process, 0 for one on each core. Engines run a task on each core, so
                the default is 1.
            signed: Whether positions are ``int32`` and not ``uint32``, for engines without unsigned numbers.

        Raises:
            OSError: The file cannot be read.
            Error: It is no model.
            ConfigError: An option has a value that is not allowed.
        """
        self.model = os.path.abspath(model)
        self.source, self.target = source, target
        self.columns = results_of(columns)
        self.result_type = pa.struct(fields_of(self.columns, signed))
        self._options: Options = {
            "threshold": threshold,
            "symmetrize": symmetrize,
            "least": least,
            "max_length": max_length,
            "threads": threads,
        }
        opened = open_model(self.model)
        self._identity = opened._native.identity
        Finder(opened, list(self.result_type), self._options)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _unpickle, (__version__, vars(self))

    def __repr__(self) -> str:
        return f"BatchAligner({self.model!r}, {self.source!r}, {self.target!r}, columns={self.columns!r})"

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yields each batch with the columns of results.

        Args:
            batches: Batches with both columns of sentences.

        Raises:
            OSError: The model cannot be read.
            Error: The model is another; and as :meth:`alinea.TrainedModel.align`, with the row of the batch.
            ConfigError: A batch has no such column, or has one with the name of a result.
            TypeError: The columns are not of sentences, or a word is null.
        """
        finder = self._finder()
        for batch in batches:
            schema = self.schema(batch.schema)
            found = finder.find(batch.column(self.source), batch.column(self.target))
            yield pa.RecordBatch.from_arrays([*batch.columns, *found], schema=schema)
        finder.end()

    def table(self, table: pa.Table) -> pa.Table:
        """Returns a table with the columns of results, for engines that hand out tables.

        >>> import alinea, alinea.distributed, os, pyarrow, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = os.path.join(directory, "en-fr.alinea")
        ...     _ = alinea.train(["the house", "the flower"], ["la maison", "la fleur"], path)
        ...     aligner = alinea.distributed.BatchAligner(path)
        ...     found = aligner.table(pyarrow.table({"source": ["the flower"], "target": ["la fleur"]}))
        >>> found["links"].to_pylist()
        [[{'source': 0, 'target': 0}, {'source': 1, 'target': 1}]]

        Args:
            table: A ``pyarrow.Table`` with both columns of sentences.

        Raises:
            Error: See the call, also for other exceptions.
        """
        schema = self.schema(table.schema)
        return pa.Table.from_batches(self(table.to_batches()), schema)

    def align(self, source: Any, target: Any) -> pa.StructArray:
        """Returns the results of two columns, for engines that hand out columns.

        >>> import alinea, alinea.distributed, os, pyarrow, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = os.path.join(directory, "en-fr.alinea")
        ...     _ = alinea.train(["the house", "the flower"], ["la maison", "la fleur"], path)
        ...     aligner = alinea.distributed.BatchAligner(path, columns=["confidences"])
        ...     found = aligner.align(pyarrow.array(["the flower"]), pyarrow.array(["la fleur"]))
        >>> found.type
        StructType(struct<confidences: list<item: float>>)

        Args:
            source: The source sentences, a ``pyarrow.Array`` or ``ChunkedArray``.
            target: Their translations.

        Returns:
            A structure for each pair, with a field for each column of results.

        Raises:
            Error: See the call, also for other exceptions.
        """
        source, target = (
            side.combine_chunks() if isinstance(side, pa.ChunkedArray) else side for side in (source, target)
        )
        if len(source) != len(target):
            raise Error(f"unequal lengths: source has {len(source)} rows, target has {len(target)}")
        finder = self._finder()
        found = finder.find(source, target)
        finder.end()
        return pa.StructArray.from_arrays(found, fields=list(self.result_type))

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Returns the schema of batches with results.

        >>> import alinea, alinea.distributed, os, pyarrow, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     path = os.path.join(directory, "en-fr.alinea")
        ...     _ = alinea.train(["the house", "the flower"], ["la maison", "la fleur"], path)
        ...     aligner = alinea.distributed.BatchAligner(path, columns="scores")
        >>> aligner.schema(pyarrow.schema({"source": pyarrow.string(), "target": pyarrow.string()})).names
        ['source', 'target', 'scores']

        Args:
            schema: The schema of batches without.

        Raises:
            ConfigError: It has no such column of sentences, or has one with the name of a result.
        """
        for field, name in (("source", self.source), ("target", self.target)):
            if schema.names.count(name) != 1:
                raise config_error(field, name, f"one of the columns {', '.join(schema.names)}")
        for name in self.columns:
            if name in schema.names:
                raise config_error("columns", name, f"none of the columns {', '.join(schema.names)}")
        for field in self.result_type:
            schema = schema.append(field)
        return schema

    def _finder(self) -> Finder:
        model = open_model(self.model)
        if model._native.identity != self._identity:
            raise Error(f"{self.model}: another model than on the driver")
        return Finder(model, list(self.result_type), self._options)

    def _at(self, path: str) -> Self:
        """The same for a copy of the model."""
        moved = type(self).__new__(type(self))
        vars(moved).update(vars(self), model=path)
        return moved


def _unpickle(version: str, state: dict[str, object]) -> BatchAligner:
    check_version(version, __version__)
    aligner = BatchAligner.__new__(BatchAligner)
    vars(aligner).update(state)
    return aligner


BatchAligner.__module__ = "alinea.distributed"
