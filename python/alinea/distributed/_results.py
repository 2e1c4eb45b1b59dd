"""What a model finds, as columns of Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from alinea._errors import config_error
from alinea._model import TrainedModel
from alinea._training import Method, Purpose, decoding_of

if TYPE_CHECKING:
    from alinea._native import ModelStream

Result: TypeAlias = Literal["links", "confidences", "posteriors", "forward", "reverse", "scores"]
"""A column of results; see :class:`BatchAligner`."""


class Options(TypedDict, total=False):
    """What the functions for engines pass on to :class:`BatchAligner`, which describes it.

    >>> from alinea.distributed import Options
    >>> options: Options = {"columns": ["links", "scores"], "threshold": "sure"}
    """

    columns: Result | Sequence[Result]
    threshold: float | Purpose | None
    symmetrize: Method | None
    least: float
    max_length: int
    threads: int


def results_of(columns: Result | Sequence[Result]) -> tuple[Result, ...]:
    """The names of columns, checked."""
    names: tuple[Any, ...] = (columns,) if isinstance(columns, str) else tuple(columns)
    for name in names:
        if name not in get_args(Result) or names.count(name) > 1:
            raise config_error("columns", name, f"{', '.join(get_args(Result))}, each once")
    return names


def fields_of(columns: Sequence[Result], signed: bool) -> list[pa.Field]:
    """The columns of results, with their types."""
    return [pa.field(column, _type(column, pa.int32() if signed else pa.uint32())) for column in columns]


def _type(column: Result, position: pa.DataType) -> pa.DataType:
    link = [("source", position), ("target", position)]
    match column:
        case "confidences":
            return pa.list_(pa.float32())
        case "posteriors":
            return pa.list_(pa.struct([*link, ("confidence", pa.float32())]))
        case "scores":
            return pa.struct([("forward", pa.float64()), ("reverse", pa.float64())])
        case "links" | "forward" | "reverse":
            return pa.list_(pa.struct(link))


class Finder:
    """Finds the results of one text after another."""

    def __init__(self, model: TrainedModel, fields: Sequence[pa.Field], options: Options) -> None:
        """Begins with a model; ``options`` has all but the columns.

        Raises:
            ConfigError: An option has a value that is not allowed.
        """
        self._model = model
        self._types = {field.name: field.type for field in fields}
        self._length, self._threads = options["max_length"], options["threads"]
        links = decoding_of(options["threshold"], symmetrize=options["symmetrize"])
        self._links = self._stream(links, "links", "confidences")
        self._posteriors = self._stream(decoding_of(least=options["least"]), "posteriors")

    def _stream(self, decoding: dict[str, object], *columns: Result) -> ModelStream | None:
        """What aligns for these columns, if one of them is wanted; options are checked anyway."""
        stream = self._model._native.stream(decoding, self._length, self._threads)
        return stream if self._types.keys() & {*columns} else None

    def find(self, source: pa.Array, target: pa.Array) -> list[pa.Array]:
        """The results of the next text; those of a pair with a null are null.

        Raises:
            Error: See :meth:`alinea.TrainedModel.align`.
            TypeError: The columns are not of sentences, or a word is null.
        """
        known = source.is_valid().to_numpy(zero_copy_only=False) & target.is_valid().to_numpy(zero_copy_only=False)
        if known.all():
            return self._find(source, target)
        if not known.any():
            return [pa.nulls(len(known), kind) for kind in self._types.values()]
        given = pa.array(known)
        places = pa.array(np.cumsum(known) - 1, mask=~known)
        return [found.take(places) for found in self._find(_filter(source, given), _filter(target, given))]

    def _find(self, source: pa.Array, target: pa.Array) -> list[pa.Array]:
        found: dict[str, pa.Array] = {}
        if self._links is not None:
            (offsets, rows), confidences = self._links.align(source, target)
            found["links"] = self._lists("links", offsets, rows)
            found["confidences"] = _lists(offsets, pa.array(confidences))
        if self._posteriors is not None:
            (offsets, rows), confidences = self._posteriors.align(source, target)
            found["posteriors"] = self._lists("posteriors", offsets, rows, confidences)
        if self._types.keys() & {"forward", "reverse"}:
            paths = self._model.directions(source, target, max_length=self._length, threads=self._threads)
            for name, column in paths._asdict().items():
                found[name] = self._lists(name, column.offsets, column.rows)
        if "scores" in self._types:
            scores = self._model.scores(source, target, max_length=self._length, threads=self._threads)
            numbers = [pa.array(column, from_pandas=True) for column in scores.T]
            found["scores"] = pa.StructArray.from_arrays(numbers, fields=list(self._types["scores"]))
        return [found[name] for name in self._types]

    def _lists(
        self, name: str, offsets: NDArray[np.int64], rows: NDArray[np.uint32], *more: NDArray[np.float32]
    ) -> pa.Array:
        """The links of each pair, structures of what the column has."""
        kind = self._types.get(name)
        if kind is None:
            return None
        fields = list(kind.value_type)
        columns = [pa.array(column, field.type) for column, field in zip([*rows.T, *more], fields, strict=True)]
        return _lists(offsets, pa.StructArray.from_arrays(columns, fields=fields))

    def end(self) -> None:
        """There is no more text, so that the user can be warned of what it was like."""
        for stream in (self._links, self._posteriors):
            if stream is not None:
                stream.end()


def _filter(sentences: pa.Array, given: pa.Array) -> pa.Array:
    """The sentences that are given."""
    if pa.types.is_string_view(sentences.type):
        # Arrow cannot filter these yet.
        sentences = sentences.cast(pa.large_string())
    return sentences.filter(given)


def _lists(offsets: NDArray[np.int64], items: pa.Array) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items)
