"""Work by engines for large data: Spark, Ray Data, Daft, Dask, and whatever hands out Arrow record batches.

A trained model aligns each sentence pair by itself, so a corpus may be cut into partitions in any way: the links are
those of :meth:`alinea.TrainedModel.align`. A :class:`BatchAligner` is a function from record batches to record batches
with further columns. It can be pickled, and takes the path of the model along, not the model, which each process opens
once. :func:`spark_align`, :func:`ray_align`, :func:`daft_align` and :func:`dask_align` hand it to an engine.

On Spark, :func:`spark_train` trains, too, :func:`spark_lexical_table` counts links of words, and :func:`spark_metrics`
scores translations.

>>> import alinea, alinea.distributed, os, pyarrow, tempfile
>>> with tempfile.TemporaryDirectory() as directory:
...     path = os.path.join(directory, "en-fr.alinea")
...     _ = alinea.train(["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"], path)
...     aligner = alinea.distributed.BatchAligner(path, "en", "fr")
...     batch = pyarrow.record_batch({"en": ["a flower"], "fr": ["une fleur"]})
...     [found] = aligner([batch])
>>> found.schema.names, found["links"].to_pylist()
(['en', 'fr', 'links'], [[{'source': 0, 'target': 0}, {'source': 1, 'target': 1}]])

pyarrow and the engine must be installed; ``pip install alinea[spark]`` installs both for Spark.
"""

from alinea.distributed._batches import BatchAligner
from alinea.distributed._engines import daft_align, dask_align, ray_align
from alinea.distributed._results import Options, Result
from alinea.distributed._spark import spark_align
from alinea.distributed._spark_metrics import spark_metrics
from alinea.distributed._spark_tables import spark_lexical_table
from alinea.distributed._spark_training import spark_train

__all__ = [
    "BatchAligner",
    "Options",
    "Result",
    "daft_align",
    "dask_align",
    "ray_align",
    "spark_align",
    "spark_lexical_table",
    "spark_metrics",
    "spark_train",
]
