"""Alignment by Spark."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from alinea.distributed._batches import BatchAligner

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType
    from typing_extensions import Unpack

    from alinea.distributed._results import Options


def spark_align(
    frame: DataFrame,
    model: str | os.PathLike[str],
    source: str = "source",
    target: str = "target",
    *,
    send: bool = False,
    **options: Unpack[Options],
) -> DataFrame:
    """Adds columns of results to a data frame of Spark 4 (``mapInArrow``).

    Spark may retry a task, or run it twice: the results are the same. Positions are of type ``int``, since Spark has
    no unsigned numbers.

    >>> from alinea.distributed import spark_align
    >>> frame = spark.read.parquet("corpus")  # doctest: +SKIP
    >>> aligned = spark_align(frame, "en-fr.alinea", "en", "fr")  # doctest: +SKIP
    >>> aligned.write.parquet("aligned")  # doctest: +SKIP

    Args:
        frame: The data frame.
        model: The file of the model, at the same path on all machines, unless it is sent.
        source: The column of the source sentences.
        target: The column of their translations.
        send: Whether the driver sends the file to each executor (``SparkSession.addArtifacts``). Models that are sent
            in one session need different file names.
        options: See :class:`BatchAligner`.

    Returns:
        The data frame with the columns of results, which is aligned when Spark needs it.

    Raises:
        ImportError: PySpark is not installed, or pandas, which it needs.
        ConfigError: There is no such column; and see :class:`BatchAligner`, also for other exceptions.
    """
    from pyspark.sql.types import StructType  # noqa: PLC0415  # needed by those who ask for it

    names = frame.columns
    aligner = BatchAligner(model, source, target, **options, signed=True)
    # Only the names are looked at.
    aligner.schema(pa.schema([(name, pa.string()) for name in names]))
    task: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]] = aligner
    if send:
        frame.sparkSession.addArtifacts(aligner.model, file=True)
        task = partial(_align_by_sent_model, aligner)
    schema = StructType(list(frame.schema))
    for field in aligner.result_type:
        schema = schema.add(field.name, _spark_type(field.type))
    # Spark looks the columns up by name, as if a name were a path.
    numbered = frame.toDF(*(f"column{n}" for n in range(len(names))))
    return numbered.mapInArrow(partial(_align_by_name, task, names), schema)


def _align_by_name(
    align: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    names: Sequence[str],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    return align(pa.RecordBatch.from_arrays(batch.columns, names=list(names)) for batch in batches)


def _align_by_sent_model(aligner: BatchAligner, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    from pyspark import SparkFiles  # noqa: PLC0415

    return aligner._at(SparkFiles.get(os.path.basename(aligner.model)))(batches)


def _spark_type(kind: pa.DataType) -> DataType:
    from pyspark.sql.types import ArrayType, DoubleType, FloatType, IntegerType, StructType  # noqa: PLC0415

    if pa.types.is_list(kind):
        return ArrayType(_spark_type(kind.value_type))
    if pa.types.is_struct(kind):
        structure = StructType()
        for field in kind:
            structure = structure.add(field.name, _spark_type(field.type))
        return structure
    return {pa.int32(): IntegerType, pa.float32(): FloatType, pa.float64(): DoubleType}[kind]()
