"""Scores of translations by Spark: tasks count segments, and the driver makes scores of the sums."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from alinea._errors import Error, config_error
from alinea.distributed._spark_columns import column_of
from alinea.metrics._metrics import SEED, Bleu, Chrf, Metric, Score, Ter, measure
from alinea.metrics._text import OddTextWarning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_NAMES = ["metric", "sums", "least", "most"]
_SUMS = "metric int, sums array<string>, least int, most int"


def spark_metrics(
    frame: DataFrame,
    hypotheses: str = "hypotheses",
    references: str | Sequence[str] = "references",
    *,
    metrics: Sequence[Metric] = (Bleu(),),
) -> list[Score]:
    """Scores the translations in a data frame of Spark 4 by BLEU, chrF and TER. O(segments), in one job.

    Values, details and signatures are those of :meth:`alinea.metrics.Metric.score` for the same segments, to the bit,
    whatever their order and partitions. Only TER with, say, three references may differ in the last digit: their mean
    lengths are not rounded when they are added here.

    >>> from alinea.distributed import spark_metrics
    >>> from alinea.metrics import Bleu, Chrf
    >>> bleu, chrf = spark_metrics(frame, "mt", "reference", metrics=[Bleu(), Chrf()])  # doctest: +SKIP

    Args:
        frame: The data frame, with a row for each segment. Nulls are an error.
        hypotheses: The column of the translations, strings.
        references: The column of the references: a string, or an array of the references of the segment. Or several
            columns, each with one reference for each segment.
        metrics: :class:`alinea.metrics.Bleu`, :class:`alinea.metrics.Chrf` and :class:`alinea.metrics.Ter` with any
            settings, except smoothing of BLEU that depends on which segment is the last (``"nltk-method5"`` to
            ``"nltk-method7"``).

    Returns:
        The score of each metric, without intervals and scores of segments.

    Raises:
        ImportError: PySpark is not installed, or pandas, which it needs.
        Error: There are no segments.
        ConfigError: There is no such column, a metric is another one, or a setting has a value that is not allowed.
        PythonException: A task failed, by Spark: there is a null, or a segment without references.
    """
    natives = [_native_of(metric) for metric in metrics]
    columns = [references] if isinstance(references, str) else list(references)
    if not columns:
        raise config_error("references", columns, "one column or more")
    given = [column_of(frame, "hypotheses", hypotheses), *(column_of(frame, "references", name) for name in columns)]
    named = frame.select([column.alias(f"lines{n}") for n, column in enumerate(given)])
    rows = named.mapInArrow(partial(_measure, list(metrics)), _SUMS).collect()
    if not rows:
        raise Error("no segments to score")
    counts = {count for row in rows for count in (row.least, row.most)}
    count = counts.pop() if len(counts) == 1 else None
    return [_score(native, [row.sums for row in rows if row.metric == n], count) for n, native in enumerate(natives)]


def _native_of(metric: Metric) -> Any:
    """The metric of the native module, if scores follow from sums in any order."""
    if isinstance(metric, (Bleu, Chrf, Ter)):
        native = metric._metric([])
        if native.adds_up:
            return native
    raise config_error("metrics", metric, "Bleu, Chrf or Ter, without smoothing by the last segment")


def _score(native: Any, sums: Sequence[Sequence[str]], references: int | None) -> Score:
    total = [[float(sum(map(Fraction, column))) for column in zip(*sums, strict=True)]]
    rows = np.array(total)
    signature, _ = native.signature(references, bootstrap=None, trials=None, seed=SEED, generator="numpy")
    _, value = native.total(rows)
    return Score(native.name, value, native.details(rows), signature, native.higher_is_better)


def _measure(metrics: Sequence[Metric], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The sums of the statistics of each batch, exact, and how many references segments have at least and at most."""
    for batch in batches:
        if not len(batch):
            continue
        hypotheses, *streams = (column.to_pylist() for column in batch.columns)
        references = [_of_segment(lines) for lines in zip(*streams, strict=True)]
        _refuse_nulls([hypotheses, *references])
        counts = [len(lines) for lines in references]
        sums = []
        with warnings.catch_warnings():
            # They are about whole texts.
            warnings.simplefilter("ignore", OddTextWarning)
            for metric in metrics:
                (rows,) = measure(metric._metric(references), {"hypotheses": hypotheses}, references, 1)
                sums.append([str(_exact(column)) for column in rows.T])
        rows_of = {"metric": range(len(sums)), "least": [min(counts)] * len(sums), "most": [max(counts)] * len(sums)}
        numbers = {name: pa.array(column, pa.int32()) for name, column in rows_of.items()}
        yield pa.record_batch([numbers["metric"], pa.array(sums), numbers["least"], numbers["most"]], names=_NAMES)


def _of_segment(given: Sequence[Any]) -> list[Any]:
    """The references of a segment: a string of each column, or the array of the only one."""
    return given[0] if len(given) == 1 and isinstance(given[0], list) else list(given)


def _refuse_nulls(lines: Iterable[Iterable[Any]]) -> None:
    for line in (line for several in lines for line in several):
        if not isinstance(line, str):
            raise TypeError(f"a line is a str, not {'null' if line is None else type(line).__name__}")


def _exact(column: NDArray[np.float64]) -> Fraction:
    """The sum, without rounding."""
    if (column == np.floor(column)).all():
        # Far below 2^53.
        return Fraction(int(column.sum()))
    return sum(map(Fraction, column.tolist()), Fraction(0))
