"""Alignment by Ray Data, Daft and Dask."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pyarrow as pa

from alinea.distributed._batches import BatchAligner

if TYPE_CHECKING:
    import daft
    import pandas
    from dask import dataframe
    from ray.data import Dataset
    from typing_extensions import Unpack

    from alinea.distributed._results import Options


def ray_align(
    dataset: Dataset,
    model: str | os.PathLike[str],
    source: str = "source",
    target: str = "target",
    **options: Unpack[Options],
) -> Dataset:
    """Adds columns of results to a dataset of Ray Data (``map_batches``).

    >>> from alinea.distributed import ray_align
    >>> dataset = ray.data.read_parquet("corpus")  # doctest: +SKIP
    >>> aligned = ray_align(dataset, "en-fr.alinea", "en", "fr")  # doctest: +SKIP
    >>> aligned.write_parquet("aligned")  # doctest: +SKIP

    Args:
        dataset: The dataset.
        model: The file of the model, at the same path on all machines.
        source: The column of the source sentences.
        target: The column of their translations.
        options: See :class:`BatchAligner`. A task asks for as many CPUs as ``threads`` says.

    Returns:
        The dataset with the columns of results, which is aligned when Ray needs it.

    Raises:
        ConfigError: See :class:`BatchAligner`, also for other exceptions.
    """
    aligner = BatchAligner(model, source, target, **options)
    cores = max(1, options.get("threads", 1))
    return dataset.map_batches(aligner.table, batch_format="pyarrow", zero_copy_batch=True, num_cpus=cores)


def daft_align(
    frame: daft.DataFrame,
    model: str | os.PathLike[str],
    source: str = "source",
    target: str = "target",
    **options: Unpack[Options],
) -> daft.DataFrame:
    """Adds columns of results to a data frame of Daft (``daft.func.batch``).

    >>> from alinea.distributed import daft_align
    >>> frame = daft.read_parquet("corpus")  # doctest: +SKIP
    >>> aligned = daft_align(frame, "en-fr.alinea", "en", "fr")  # doctest: +SKIP
    >>> aligned.write_parquet("aligned")  # doctest: +SKIP

    Args:
        frame: The data frame.
        model: The file of the model, at the same path on all machines.
        source: The column of the source sentences.
        target: The column of their translations.
        options: See :class:`BatchAligner`.

    Returns:
        The data frame with the columns of results, which is aligned when Daft needs it.

    Raises:
        ImportError: Daft is not installed.
        ConfigError: There is no such column; and see :class:`BatchAligner`, also for other exceptions.
    """
    import daft  # noqa: PLC0415  # needed by those who ask for it

    aligner = BatchAligner(model, source, target, **options)
    aligner.schema(pa.schema([(name, pa.string()) for name in frame.column_names]))

    def results(source: daft.Series, target: daft.Series) -> pa.StructArray:
        return aligner.align(source.to_arrow(), target.to_arrow())

    kind = daft.DataType.from_arrow_type(aligner.result_type)
    columns = daft.func.batch(return_dtype=kind, unnest=True)(results)(frame[source], frame[target])
    return frame.select(*frame.column_names, columns)


def dask_align(
    frame: dataframe.DataFrame,
    model: str | os.PathLike[str],
    source: str = "source",
    target: str = "target",
    **options: Unpack[Options],
) -> dataframe.DataFrame:
    """Adds columns of results to a data frame of Dask (``map_partitions``); their types are those of Arrow.

    >>> from alinea.distributed import dask_align
    >>> frame = dask.dataframe.read_parquet("corpus")  # doctest: +SKIP
    >>> aligned = dask_align(frame, "en-fr.alinea", "en", "fr")  # doctest: +SKIP
    >>> aligned.to_parquet("aligned")  # doctest: +SKIP

    Args:
        frame: The data frame.
        model: The file of the model, at the same path on all machines.
        source: The column of the source sentences.
        target: The column of their translations.
        options: See :class:`BatchAligner`.

    Returns:
        The data frame with the columns of results, which is aligned when Dask needs it.

    Raises:
        ConfigError: There is no such column; and see :class:`BatchAligner`, also for other exceptions.
    """
    aligner = BatchAligner(model, source, target, **options)
    aligner.schema(pa.schema([(str(name), pa.string()) for name in frame.columns]))
    return frame.map_partitions(_with_results, aligner, meta=_with_results(frame._meta, aligner))


def _with_results(part: pandas.DataFrame, aligner: BatchAligner) -> pandas.DataFrame:
    """A data frame of pandas with the columns of results."""
    import pandas  # noqa: PLC0415

    source, target = (pa.Array.from_pandas(part[side]) for side in (aligner.source, aligner.target))
    found = aligner.align(source, target)
    columns = zip(aligner.columns, found.flatten(), strict=True)
    return part.assign(**{name: pandas.arrays.ArrowExtensionArray(column) for name, column in columns})
