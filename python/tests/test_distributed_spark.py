"""Spark with two executors, each a process of its own, finds what one process finds, whatever happens to its tasks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from spark_cluster import NEEDED, SECONDS, disturbed, is_gone, killer

import alinea
from alinea.distributed import (
    BatchAligner,
    Result,
    _batches,
    _spark,
    spark_align,
    spark_lexical_table,
    spark_metrics,
)
from alinea.metrics import Bleu, Chrf, Gleu, Metric, Ter, Tokenizer

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed (ALINEA_SPARK=1 ./test installs it)")

COLUMNS: list[Result] = ["links", "confidences", "posteriors", "forward", "reverse", "scores"]

pytestmark = NEEDED


@pytest.fixture(scope="module")
def table(text: tuple[list[str], list[str]]) -> Any:
    """A text where some sentences are missing."""
    source, target = text
    missing = [None if number % 50 == 0 else line for number, line in enumerate(target)]
    return pa.table({"id": range(len(source)), "en": source, "fr": missing})


@pytest.fixture(scope="module")
def frame(spark: Any, table: Any) -> Any:
    return spark.createDataFrame(table)


@pytest.fixture(scope="module")
def check(model_file: Path, table: Any) -> Callable[..., None]:
    """Aligns a frame with these rows, in any order and partitions, which must give what one process finds."""
    expected = BatchAligner(model_file, "en", "fr", columns=COLUMNS, signed=True).table(table)

    def align(frame: Any, **options: Any) -> None:
        found = spark_align(frame, model_file, "en", "fr", columns=COLUMNS, **options).toArrow()
        kinds = [str(field.type).replace("element", "item") for field in found.schema]
        assert kinds == [str(field.type) for field in expected.schema]
        assert found.sort_by("id").equals(expected.cast(found.schema))

    return align


def test_two_executors_find_what_one_process_finds(spark: Any, frame: Any, check: Callable[..., None]) -> None:
    executors = spark.sparkContext.range(8, numSlices=8).map(lambda _: os.getppid()).distinct().count()
    assert executors == 2
    check(frame.repartition(5))


def test_partitions_may_be_skewed_and_empty(frame: Any, check: Callable[..., None], model_file: Path) -> None:
    skewed = frame.repartition(6, frame["id"] > 590)
    assert sorted(skewed.rdd.glom().map(len).collect()) == [0, 0, 0, 0, 9, 591]
    check(skewed)
    nothing = spark_align(skewed.where("id < 0"), model_file, "en", "fr", columns=COLUMNS).toArrow()
    assert (len(nothing), nothing.schema.names) == (0, ["id", "en", "fr", *COLUMNS])


def test_names_of_columns_may_have_any_characters(frame: Any, model_file: Path) -> None:
    names = ["doc.id", "line.`en`", "line fr"]
    named = frame.where("id < 60").toDF(*names)
    found = spark_align(named, model_file, *names[1:]).toArrow().sort_by("doc.id")
    assert found.schema.names == [*names, "links"]
    plain = spark_align(frame.where("id < 60"), model_file, "en", "fr").toArrow().sort_by("id")
    assert found.rename_columns(plain.schema.names) == plain


def test_sentences_may_be_words(frame: Any, model_file: Path) -> None:
    # Spark splits nothing into a word without letters.
    lines = frame.where("en != '' and coalesce(fr, 'null') != ''")
    words = lines.selectExpr("id", "split(en, ' ') en", "split(fr, ' ') fr")
    of_lines, of_words = (
        spark_align(given, model_file, "en", "fr").toArrow().sort_by("id")["links"] for given in (lines, words)
    )
    assert of_words == of_lines


@pytest.mark.parametrize("victim", ["worker", "executor"])
def test_a_process_is_killed_in_the_middle(frame: Any, check: Callable[..., None], tmp_path: Path, victim: str) -> None:
    killed = tmp_path / "killed"
    kill = killer(killed, victim)

    def kill_later(number: int) -> None:
        """Kills when two batches are aligned."""
        if number == 2:
            kill()

    check(disturbed(frame.repartition(4), kill_later))
    assert is_gone(killed)


def test_the_driver_sends_a_model(frame: Any, check: Callable[..., None]) -> None:
    check(frame.repartition(4), send=True)


def test_a_task_reads_the_model_that_was_sent(
    model_file: Path, table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.alinea"
    shutil.copy(model_file, path)
    aligner = BatchAligner(path, "en", "fr")
    path.unlink()
    monkeypatch.setattr(pyspark.SparkFiles, "get", lambda name: os.fspath(model_file.with_name(name)))
    found = _spark._align_by_sent_model(aligner, table.to_batches())
    assert pa.Table.from_batches(found) == BatchAligner(model_file, "en", "fr").table(table)


def test_an_executor_with_another_version_is_refused(
    frame: Any, model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_batches, "__version__", "98.7.6")
    aligned = spark_align(frame, model_file, "en", "fr")
    message = rf"alinea\.Error: this process has alinea {re.escape(alinea.__version__)}, the driver has 98\.7\.6"
    with pytest.raises(pyspark.errors.PythonException, match=message):
        aligned.toArrow()


def test_columns_are_checked_on_the_driver(frame: Any, model_file: Path) -> None:
    with pytest.raises(alinea.ConfigError, match=r"^source = source: must be one of the columns id, en, fr$"):
        spark_align(frame, model_file)
    with pytest.raises(alinea.ConfigError, match=r"^columns = links: must be none of the columns id, en, fr, links$"):
        spark_align(frame.selectExpr("*", "1 links"), model_file, "en", "fr")


def test_pairs_are_filtered_by_their_scores(frame: Any, table: Any, model_file: Path) -> None:
    # As the guide shows.
    scored = spark_align(frame, model_file, "en", "fr", columns=["scores"])
    scored = scored.selectExpr("*", "least(scores.forward, scores.reverse) score")
    [threshold] = scored.approxQuantile("score", [0.1], 0.001)
    kept = {row.id for row in scored.where(f"score > {threshold}").drop("scores", "score").collect()}
    of_one = BatchAligner(model_file, "en", "fr", columns="scores").table(table).to_pylist()
    worst = {
        row["id"]: min(row["scores"].values()) for row in of_one if row["scores"] and None not in row["scores"].values()
    }
    assert kept == {number for number, score in worst.items() if score > threshold}
    assert len(kept) == pytest.approx(0.9 * len(worst), abs=3)


@pytest.mark.parametrize("empty_word", [False, True])
def test_a_lexical_table_is_that_of_one_process(frame: Any, table: Any, model_file: Path, empty_word: bool) -> None:
    given = table.filter(table["fr"].is_valid())
    links = BatchAligner(model_file, "en", "fr").table(given)["links"]
    sides = given["en"], given["fr"]
    aligned = spark_align(frame.repartition(6, frame["id"] > 590), model_file, "en", "fr")
    found = spark_lexical_table(aligned, "en", "fr", empty_word=empty_word).collect()
    assert len(found) == len({(row.source, row.target) for row in found})
    forward = {(row.source, row.target, row.forward, row.links) for row in found}
    reverse = {(row.target, row.source, row.reverse, row.links) for row in found}
    for expected, is_reverse in ((forward, False), (reverse, True)):
        assert expected == {*alinea.lexicon(*sides, links, reverse=is_reverse, empty_word=empty_word)}
    assert empty_word == any(None in (row.source, row.target) for row in found)


def test_links_of_a_table_may_be_lines(spark: Any) -> None:
    lines = spark.createDataFrame(
        [("The yes", "le oui", "0-0 1-1"), ("the", "la", "0-0")], "source string, target string, links string"
    )
    found = spark_lexical_table(lines, lowercase=True).collect()
    assert {(row.source, row.target, row.forward, row.reverse) for row in found} == {
        ("the", "le", 0.5, 1.0),
        ("the", "la", 0.5, 1.0),
        ("yes", "oui", 1.0, 1.0),
    }
    outside = spark.createDataFrame([("a", "b", "0-1")], "source string, target string, links string")
    with pytest.raises(pyspark.errors.PythonException, match=r"alinea\.Error: .*link 0-1 is out of range"):
        spark_lexical_table(outside).collect()


def test_scores_are_those_of_one_process(spark: Any, text: tuple[list[str], list[str]]) -> None:
    metrics: list[Metric] = [Bleu(), Bleu(Tokenizer("char"), lowercase=True), Chrf(word_order=2), Ter()]
    hypotheses = [line.replace("1", "2") for line in text[1]]
    first, second = text[1], [line.replace("s", "t") for line in text[0]]
    columns = {"id": range(len(first)), "mt": hypotheses, "one": first, "two": second}
    frame = spark.createDataFrame(pa.table(columns)).repartition(4, "id").selectExpr("*", "array(one, two) several")
    skewed = frame.repartition(5, frame["id"] > 590)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", alinea.metrics.OddTextWarning)
        of_one = [metric.score(hypotheses, references=first) for metric in metrics]
        of_two = [metric.score(hypotheses, reference_streams=[first, second]) for metric in metrics]
    assert spark_metrics(skewed, "mt", "one", metrics=metrics) == of_one
    assert spark_metrics(frame, "mt", ["one", "two"], metrics=metrics) == of_two
    assert spark_metrics(skewed, "mt", "several", metrics=metrics) == of_two


def test_what_cannot_be_scored_is_refused(spark: Any) -> None:
    frame = spark.createDataFrame([("a b", "a b", ["a"]), ("a", None, [])], "mt string, ref string, refs array<string>")
    with pytest.raises(alinea.ConfigError, match=r"^references = to: must be one of the columns mt, ref, refs$"):
        spark_metrics(frame, "mt", "to")
    for metric in (Gleu(), Bleu(smoothing="nltk-method5")):
        with pytest.raises(alinea.ConfigError, match=r"^metrics = .*: must be Bleu, Chrf or Ter"):
            spark_metrics(frame, "mt", "ref", metrics=[metric])
    with pytest.raises(pyspark.errors.PythonException, match="TypeError: a line is a str, not null"):
        spark_metrics(frame, "mt", "ref")
    with pytest.raises(pyspark.errors.PythonException, match=r"alinea\.Error: segment \d has no reference"):
        spark_metrics(frame, "mt", "refs")
    with pytest.raises(alinea.Error, match=r"^no segments to score$"):
        spark_metrics(frame.where("mt = ''"), "mt", "ref")


@pytest.fixture
def another_host(spark: Any, spark_home: Path) -> Iterator[None]:
    """A third executor, on another host: that is where Spark starts the twins of tasks."""
    cluster = getattr(getattr(spark._jvm.org.apache.spark.deploy, "LocalSparkCluster$"), "MODULE$").get().get()
    master = cluster.masterRpcEnvs().apply(0).address().toSparkURL()
    words = ["org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.2", "--port", "0", "--webui-port", "0"]
    words += ["--cores", "1", "--memory", "1g", master]
    with subprocess.Popen([spark_home / "bin" / "spark-class", *words], stderr=subprocess.DEVNULL) as worker:
        executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus
        end = time.monotonic() + SECONDS
        while "127.0.0.2" not in executors().toString():
            assert time.monotonic() < end, "the worker does not start"
            time.sleep(0.1)
        yield
        worker.terminate()


@pytest.mark.usefixtures("another_host")
def test_a_straggler_has_a_speculative_twin(frame: Any, check: Callable[..., None], tmp_path: Path) -> None:
    twin = os.fspath(tmp_path / "twin")

    def straggle(number: int) -> None:
        """The first attempt at a partition waits in the middle, its twin does not."""
        task = pyspark.TaskContext.get()
        if number == 2 and task.partitionId() == 1:
            if task.attemptNumber() == 0:
                time.sleep(SECONDS)
            else:
                with open(twin, "x"):
                    pass

    check(disturbed(frame.repartition(4), straggle))
    assert Path(twin).exists()
