"""Training by Spark: a job for each step, of a task for each part."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from alinea._errors import Error, config_error
from alinea._model import TrainedModel
from alinea._training import Entry, Iterations, Model, Tokenize, entries_of
from alinea.distributed._part_steps import Reading, write_text
from alinea.distributed._part_training import PartTraining, Settings, WrittenText
from alinea.distributed._spark_columns import column_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_WRITTEN = "part int, file string, pairs long, hash long"
_HASHED = "pairs long, hash long"


def spark_train(
    frame: DataFrame,
    path: str | os.PathLike[str],
    source: str = "source",
    target: str = "target",
    *,
    directory: str | os.PathLike[str],
    parts: int,
    order: str | Sequence[str] = (),
    model: Model = "agreement-loo",
    iterations: Iterations | None = None,
    dictionary: Iterable[Entry] = (),
    tokenize: Tokenize = "none",
    lowercase: bool = True,
    max_length: int = 2000,
    memory: int | None = None,
    prune: Mapping[int, float] | None = None,
    threads: int = 1,
) -> TrainedModel:
    """Trains a model on a data frame of Spark 4, in parts that are counted at the same time.

    The text is written once, as a file for each part; each pass is then a job with a task for each part, and the
    driver goes on from what all have counted (:mod:`alinea.parts`). The model is byte-identical to that of
    :func:`alinea.train` on the parts one after another, whatever happens to tasks and executors. If the driver was
    interrupted, the same call resumes from the files that are there; they are removed when the model is written.

    The frame must have the same rows whenever it is computed.

    >>> from alinea.distributed import spark_train
    >>> frame = spark.read.parquet("corpus")  # doctest: +SKIP
    >>> model = spark_train(  # doctest: +SKIP
    ...     frame, "en-fr.alinea", "en", "fr", directory="/shared/training", parts=64
    ... )

    Args:
        frame: The data frame. Nulls are an error.
        path: The file to write the model to, on the driver.
        source: The column of the source sentences: strings, or arrays of words.
        target: The column of their translations.
        directory: A directory on storage that the driver and all executors share, for this training alone. It is
            created if it is not there.
        parts: The number of parts. A task has in memory the text of its part, the pairs of its words, and the words of
            the whole.
        order: One or more columns that the text is ordered by. Without, the order is that of Spark's ``repartition``.
        model: The model: ``"agreement-loo"``, ``"agreement"``, ``"hmm"`` or ``"ibm1"``.
        iterations: Passes of training; see :func:`alinea.align`, also for the arguments below.
        dictionary: Translations of words.
        tokenize: How sentences that are a string are cut into words.
        lowercase: Whether words are compared in lower case.
        max_length: The maximum number of words in a sentence.
        memory: The number of bytes that the process of a task may take while it counts; see :func:`alinea.parts.count`.
        prune: Limits of expected counts by the number of the pass after which they hold, such as ``{3: 0.01}``: pairs
            of words below leave the training, which makes it faster and the model slightly different; see
            :func:`alinea.parts.maximize`.
        threads: The number of threads of each task. With more than 1, set ``spark.task.cpus`` to as many. The driver
            has one on each core.

    Returns:
        The model.

    Raises:
        ImportError: PySpark is not installed, or pandas, which it needs.
        OSError: A file cannot be read or written.
        Error: The directory has a training on another text or with other options; or it is not shared; or a file in it
            is damaged.
        ConfigError: There is no such column, or an option has a value that is not allowed.
        PythonException: A task failed, by Spark: its message ends with that of the exception.
    """
    keys = [order] if isinstance(order, str) else list(order)
    names = [("source", source), ("target", target), *(("order", key) for key in keys)]
    columns = [column_of(frame, field, name) for field, name in names]
    if parts < 1:
        raise config_error("parts", parts, "1 or more")
    if not all(number >= 1 and 0 < limit <= 1 for number, limit in (prune or {}).items()):
        raise config_error("prune", prune, "limits above 0 and at most 1 by the numbers of passes, from 1")
    reading = Reading(tokenize, lowercase, max_length)
    limits = dict(prune or {})
    settings = Settings(parts, keys, model, iterations, entries_of(dictionary), reading, threads, memory, limits)
    training = PartTraining(directory, settings)
    if training.found() is None:
        training.begin(_write(frame, columns, training.directory, parts))
    else:
        training.check(*_hash(frame, columns[:2]))
    training.train(path, partial(_run, frame.sparkSession))
    return TrainedModel(path)


def _write(frame: DataFrame, columns: Sequence[Column], directory: str, parts: int) -> WrittenText:
    """Writes the text in parts."""
    from pyspark.sql.functions import xxhash64  # noqa: PLC0415

    (source, target), order = columns[:2], columns[2:]
    keys = [key.alias(f"order{n}") for n, key in enumerate(order)]
    chosen = frame.select(source.alias("source"), target.alias("target"), xxhash64(source, target).alias("hash"), *keys)
    names = [f"order{n}" for n in range(len(order))]
    ordered = chosen.repartitionByRange(parts, *names).sortWithinPartitions(*names) if names else None
    cut = chosen.repartition(parts) if ordered is None else ordered
    text = cut.select("source", "target", "hash")
    written = text.mapInArrow(partial(_write_part, directory), _WRITTEN).collect()
    # Spark has no partition where there would be no rows.
    files = {row.part: row.file for row in written}
    for part in range(1, parts + 1):
        if part not in files:
            files[part] = _file_of(part)
            write_text(os.path.join(directory, files[part]), [])
    pairs, hash_sum = sum(row.pairs for row in written), sum(row.hash for row in written)
    return WrittenText(pairs, _told(hash_sum), [files[part] for part in range(1, parts + 1)])


def _write_part(directory: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Writes a part. Each attempt has a file of its own; the driver learns of that of the attempt that counts."""
    from pyspark import TaskContext  # noqa: PLC0415

    context = TaskContext.get()
    if context is None:
        raise Error("a part is written by a task of Spark")
    part = context.partitionId() + 1
    name, facts = _file_of(part), [0, 0]
    write_text(os.path.join(directory, name), _observed(batches, facts))
    pairs, hash_sum = facts
    columns = {"part": pa.array([part], pa.int32()), "file": [name], "pairs": [pairs], "hash": [hash_sum]}
    yield pa.record_batch(columns)


def _file_of(part: int) -> str:
    return f"text.{part}.{uuid.uuid4().hex}"


def _observed(batches: Iterable[pa.RecordBatch], facts: list[int]) -> Iterator[pa.RecordBatch]:
    """The same batches; the number of their rows and the sum of their hashes are added to the facts."""
    for batch in batches:
        for name in ("source", "target"):
            if batch.column(name).null_count:
                raise TypeError(f"{name}: there are nulls; frame.dropna(subset=[...]) leaves such pairs out")
        facts[0] += len(batch)
        facts[1] = _wrapped(facts[1] + int(np.sum(batch.column("hash").to_numpy(), dtype=np.int64)))
        yield batch


def _hash(frame: DataFrame, columns: Sequence[Column]) -> tuple[int, str]:
    """The number of sentence pairs and the sum of their hashes."""
    from pyspark.sql.functions import xxhash64  # noqa: PLC0415

    source, target = columns
    text = frame.select(source.alias("source"), target.alias("target"), xxhash64(source, target).alias("hash"))
    rows = text.mapInArrow(_hash_rows, _HASHED).collect()
    return sum(row.pairs for row in rows), _told(sum(row.hash for row in rows))


def _hash_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    facts = [0, 0]
    for _ in _observed(batches, facts):
        pass
    yield pa.record_batch({"pairs": [facts[0]], "hash": [facts[1]]})


def _wrapped(number: int) -> int:
    """The number as 64 bits have it."""
    return (number + 2**63) % 2**64 - 2**63


def _told(hash_sum: int) -> str:
    return f"{hash_sum % 2**64:016x}"


def _run(session: SparkSession, step: Callable[[int], None], numbers: Sequence[int]) -> None:
    """Calls a step with each of the numbers, in a task for each."""
    if not numbers:
        return
    tasks = session.range(0, len(numbers), 1, len(numbers))
    done = tasks.mapInArrow(partial(_do, step, list(numbers)), "id long").collect()
    if len(done) != len(numbers):
        raise Error(f"{len(done)} of {len(numbers)} tasks were run")


def _do(
    step: Callable[[int], None], numbers: Sequence[int], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for task in batch.column(0).to_pylist():
            step(numbers[task])
        yield batch
