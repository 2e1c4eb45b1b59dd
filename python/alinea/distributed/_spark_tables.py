"""Lexical tables by Spark: links are counted batch by batch, and the counts added by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from alinea import _native
from alinea._links import arrays
from alinea.distributed._spark_columns import column_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_COUNTED = "source string, target string, links long"


def spark_lexical_table(
    frame: DataFrame,
    source: str = "source",
    target: str = "target",
    links: str = "links",
    *,
    empty_word: bool = False,
    lowercase: bool = False,
) -> DataFrame:
    """Counts the links of word pairs in a data frame of Spark 4: the lexical tables of Moses, in both directions.

    Counts and probabilities are those of :func:`alinea.lexicon` for the same pairs. O(links) for the tasks; Spark then
    shuffles the counts of distinct pairs of words.

    >>> from alinea.distributed import spark_align, spark_lexical_table
    >>> aligned = spark_align(frame, "/shared/en-fr.alinea", "en", "fr")  # doctest: +SKIP
    >>> spark_lexical_table(aligned, "en", "fr").write.parquet("lexicon")  # doctest: +SKIP

    Args:
        frame: The data frame. Pairs with a null among the three columns are passed over.
        source: The column of the source sentences: strings, cut at blanks and tabs, or arrays of words.
        target: The column of their translations.
        links: The column of links, of :func:`spark_align`, or strings in Pharaoh format.
        empty_word: Whether translations of and by the empty word, which is null, are among them: each word without
            links counts once for that. Probabilities are the same without.
        lowercase: Whether words are compared in lower case.

    Returns:
        A data frame with a row for each pair of words, in no order: ``source``, ``target``, the number of ``links``,
        ``forward``, the probability of the target word given the source word, and ``reverse``, that of the source word
        given the target word.

    Raises:
        ImportError: PySpark is not installed, or pandas, which it needs.
        ConfigError: There is no such column.
        PythonException: When Spark computes it: a link is outside its sentences, or is in another format.
    """
    from pyspark.sql import Window  # noqa: PLC0415
    from pyspark.sql import functions as f  # noqa: PLC0415

    names = {"source": source, "target": target, "links": links}
    pairs = frame.select([column_of(frame, field, name).alias(field) for field, name in names.items()])
    counted = pairs.dropna().mapInArrow(partial(_count, lowercase), _COUNTED)
    added = counted.groupBy("source", "target").agg(f.sum("links").alias("links"))

    def share(word: str) -> Column:
        return f.col("links") / f.sum("links").over(Window.partitionBy(word))

    table = added.select(
        "source", "target", "links", share("source").alias("forward"), share("target").alias("reverse")
    )
    return table if empty_word else table.dropna(subset=["source", "target"])


def _count(lowercase: bool, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """How often words are linked, for each batch; the empty word is null."""
    for batch in batches:
        entries = _native.lexicon(
            batch.column("source"),
            batch.column("target"),
            arrays(batch.column("links"), "links"),
            reverse=False,
            best=None,
            least=0.0,
            empty_word=True,
            lowercase=lowercase,
        )
        sources, targets, _, links = zip(*entries, strict=True) if entries else ((), (), (), ())
        words = [pa.array(words, pa.string()) for words in (sources, targets)]
        yield pa.record_batch([*words, pa.array(links, pa.int64())], names=["source", "target", "links"])
