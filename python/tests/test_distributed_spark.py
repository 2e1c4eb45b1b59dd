"""Spark with two executors, each a process of its own, finds what one process finds, whatever happens to its tasks."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import alinea
from alinea import parts
from alinea.distributed import (
    BatchAligner,
    Result,
    _batches,
    _spark,
    _spark_training,
    spark_align,
    spark_lexical_table,
    spark_metrics,
    spark_train,
)
from alinea.metrics import Bleu, Chrf, Gleu, Metric, Ter, Tokenizer

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed (ALINEA_SPARK=1 ./test installs it)")

COLUMNS: list[Result] = ["links", "confidences", "posteriors", "forward", "reverse", "scores"]
OLDEST_JAVA = 17
# Less work at the start, which is most of the time.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SECONDS = 60


def java() -> int:
    """The version of Java; 0 without it."""
    home = os.environ.get("JAVA_HOME")
    program = shutil.which(Path(home, "bin", "java") if home else "java")
    told = subprocess.run([program, "-version"], capture_output=True, text=True, check=False).stderr if program else ""
    found = re.search(r' version "(\d+)', told)
    return int(found[1]) if found else 0


pytestmark = [
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc"),
    pytest.mark.skipif(java() < OLDEST_JAVA, reason=f"Spark needs Java {OLDEST_JAVA} or later"),
]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where Spark writes: executors, below what SPARK_HOME names."""
    directory = tmp_path_factory.mktemp("spark")
    for entry in Path(pyspark.__file__).parent.iterdir():
        (directory / entry.name).symlink_to(entry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_HOME", os.fspath(directory))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_DAEMON_JAVA_OPTS", JAVA_OPTIONS)
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        yield directory


@pytest.fixture(scope="module")
def spark(directory: Path) -> Iterator[Any]:
    """A session with two executors of one core."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        "spark.driver.host": "127.0.0.1",
        "spark.executor.extraJavaOptions": JAVA_OPTIONS,
        "spark.executor.memory": "512m",
        "spark.local.dir": directory / "local",
        "spark.log.level": "OFF",
        "spark.speculation": "true",
        "spark.speculation.quantile": 0.5,
        # Small batches, and partitions as they are.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": 16,
        "spark.sql.shuffle.partitions": 4,
        "spark.sql.warehouse.dir": directory / "warehouse",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("alinea")
    for name, value in settings.items():
        builder = builder.config(name, str(value))
    session = builder.getOrCreate()
    yield session
    session.stop()


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


def disturbed(frame: Any, disturb: Callable[[int], None]) -> Any:
    """The same frame; ``disturb`` is called in each task with the number of each batch, before that is passed on."""

    def passed_on(batches: Iterable[Any]) -> Iterator[Any]:
        for number, batch in enumerate(batches):
            disturb(number)
            yield batch

    return frame.mapInArrow(passed_on, frame.schema)


def killer(killed: Path, victim: str) -> Callable[[], None]:
    """What kills a process once, the worker that calls it or the executor of that, and writes down which."""
    path = os.fspath(killed)

    def kill() -> None:
        with contextlib.suppress(FileExistsError), open(path, "x") as file:
            process = os.getpid()
            # A worker is forked by a daemon, which its executor has started.
            for _ in range(0 if victim == "worker" else 2):
                with open(f"/proc/{process}/stat") as status:
                    process = int(status.read().rsplit(")", 1)[1].split()[1])
            print(process, file=file, flush=True)
            os.kill(process, signal.SIGKILL)
            time.sleep(SECONDS)

    return kill


def is_gone(killed: Path) -> bool:
    return not Path("/proc", killed.read_text().strip()).exists()


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


SHORT = 120
TRAINING: dict[str, Any] = {"iterations": "ibm1:1,hmm:2"}


@pytest.fixture(scope="module")
def short(text: tuple[list[str], list[str]]) -> tuple[list[str], list[str]]:
    return text[0][:SHORT], text[1][:SHORT]


@pytest.fixture(scope="module")
def training_frame(spark: Any, short: tuple[list[str], list[str]]) -> Any:
    """A short text, where most sentences are of one kind."""
    numbers = range(SHORT)
    columns = {"id": numbers, "en": short[0], "fr": short[1], "kind": [int(number > 110) for number in numbers]}
    return spark.createDataFrame(pa.table(columns)).repartition(5)


@pytest.fixture(scope="module")
def whole(short: tuple[list[str], list[str]], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "model"
    alinea.train(*short, path, **TRAINING)
    return path.read_bytes()


def joined_text(directory: Path) -> tuple[list[str], list[str]]:
    """The text that was written, part after part."""
    names = json.loads((directory / "training.json").read_text())["text"]["files"]
    whole = pa.concat_tables([pa.ipc.open_file(directory / name).read_all() for name in names])
    return whole["source"].to_pylist(), whole["target"].to_pylist()


@contextlib.contextmanager
def stopped_driver(patch: pytest.MonkeyPatch, passes: int) -> Iterator[None]:
    """The driver is gone after so many passes."""
    done: list[int] = []
    maximize = parts.maximize

    def stop(*given: Any, **options: Any) -> parts.Passes:
        if len(done) == passes:
            raise InterruptedError
        done.append(1)
        return maximize(*given, **options)

    with patch.context() as patched:
        patched.setattr(parts, "maximize", stop)
        with pytest.raises(InterruptedError):
            yield


@pytest.mark.parametrize("number", [1, 3])
def test_a_model_is_that_of_one_process(training_frame: Any, whole: bytes, tmp_path: Path, number: int) -> None:
    directory, path = tmp_path / "new" / "training", tmp_path / "model"
    named = training_frame.withColumnsRenamed({"en": "en.line", "id": "`id`"})
    options: dict[str, Any] = {"directory": directory, "parts": number, "order": "`id`", **TRAINING}
    model = spark_train(named, path, "en.line", "fr", **options)
    assert path.read_bytes() == whole
    assert model.word_pairs == alinea.TrainedModel(path).word_pairs
    assert list(directory.iterdir()) == []


def test_parts_may_be_skewed_and_empty_and_the_driver_may_stop(
    training_frame: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, path, expected = tmp_path / "training", tmp_path / "model", tmp_path / "expected"
    options: dict[str, Any] = {"directory": directory, "parts": 4, "order": ["kind"], **TRAINING}
    with stopped_driver(monkeypatch, 1):
        spark_train(training_frame, path, "en", "fr", **options)
    names = json.loads((directory / "training.json").read_text())["text"]["files"]
    assert sorted(pa.ipc.open_file(directory / name).read_all().num_rows for name in names) == [0, 0, 9, 111]
    text = joined_text(directory)
    alinea.train(*text, expected, **TRAINING)
    others: list[tuple[Any, dict[str, Any], str]] = [
        (training_frame, {"model": "agreement"}, "a training with model = agreement-loo, not agreement"),
        (training_frame, {"parts": 3}, "a training with parts = 4, not 3"),
        (training_frame.where("id > 0"), {}, r"another text \(120 sentence pairs, not 119\)"),
        (training_frame.selectExpr("concat(en, '!') en", "fr", "kind"), {}, r"another text \(other sentences\)"),
    ]
    for frame, other, message in others:
        with pytest.raises(alinea.Error, match=f"training: has the files of {message}"):
            spark_train(frame, path, "en", "fr", **{**options, **other})
    # Text that somebody changed, and counts that were cut off.
    with stopped_driver(monkeypatch, 0):
        spark_train(training_frame, path, "en", "fr", **options)
    counts = directory / "counts.2.3"
    content = counts.read_bytes()
    counts.write_bytes(content[: len(content) // 2])
    with pytest.raises(alinea.Error, match=r"counts\.2\.3: "):
        spark_train(training_frame, path, "en", "fr", **options)
    assert not path.exists()
    counts.unlink()
    spark_train(training_frame, path, "en", "fr", **options)
    assert path.read_bytes() == expected.read_bytes()


@pytest.mark.parametrize("victim", ["worker", "executor"])
def test_a_process_is_killed_in_the_middle_of_a_pass(
    training_frame: Any, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, victim: str
) -> None:
    killed, path, run = tmp_path / "killed", tmp_path / "model", _spark_training._run
    kill = killer(killed, victim)

    def run_and_kill(session: Any, step: Any, numbers: Sequence[int]) -> None:
        """Kills when the second part is counted for the first time, and nobody knows."""
        if getattr(step, "func", step).__name__ != "count":
            return run(session, step, numbers)

        def disturbed_step(part: int) -> None:
            step(part)
            if part == 2:
                kill()

        return run(session, disturbed_step, numbers)

    monkeypatch.setattr(_spark_training, "_run", run_and_kill)
    spark_train(training_frame, path, "en", "fr", directory=tmp_path / "training", parts=3, order="id", **TRAINING)
    assert path.read_bytes() == whole
    assert is_gone(killed)


def test_a_process_is_killed_while_the_text_is_written(training_frame: Any, whole: bytes, tmp_path: Path) -> None:
    killed, path = tmp_path / "killed", tmp_path / "model"
    kill = killer(killed, "executor")

    def kill_at_first(number: int) -> None:
        if number == 0:
            kill()

    frame = disturbed(training_frame, kill_at_first)
    spark_train(frame, path, "en", "fr", directory=tmp_path / "training", parts=3, order="id", **TRAINING)
    assert path.read_bytes() == whole
    assert is_gone(killed)


def test_words_are_trained_on_without_an_order(
    training_frame: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, path, expected = tmp_path / "training", tmp_path / "model", tmp_path / "expected"
    words = training_frame.selectExpr("split(en, ' ') source", "split(fr, ' ') target")
    options: dict[str, Any] = {"model": "hmm", "dictionary": [("s1", "t1")], "lowercase": False}
    options = {"iterations": (1, 1), **options, "model": "agreement"}
    with stopped_driver(monkeypatch, 0):
        spark_train(words, path, directory=directory, parts=3, **options)
    alinea.train(*joined_text(directory), expected, **options)
    spark_train(words, path, directory=directory, parts=3, **options)
    assert path.read_bytes() == expected.read_bytes()


def test_what_cannot_be_trained_on_is_refused(training_frame: Any, tmp_path: Path) -> None:
    def train(frame: Any, **options: Any) -> None:
        given = {"source": "en", "target": "fr", "directory": tmp_path / "training", "parts": 2, **options}
        spark_train(frame, tmp_path / "model", **given)

    with pytest.raises(alinea.ConfigError, match=r"^source = de: must be one of the columns id, en, fr, kind$"):
        train(training_frame, source="de")
    with pytest.raises(alinea.ConfigError, match=r"^order = no: must be one of the columns"):
        train(training_frame, order=["id", "no"])
    with pytest.raises(alinea.ConfigError, match=r"^parts = 0: must be 1 or more$"):
        train(training_frame, parts=0)
    missing = training_frame.selectExpr("en", "nullif(fr, '') fr")
    with pytest.raises(pyspark.errors.PythonException, match="TypeError: target: there are nulls"):
        train(missing)
    with pytest.raises(alinea.ConfigError, match="not for quality"):
        train(training_frame, model="quality")
    assert [path for path in tmp_path.rglob("*") if path.is_file() and not path.name.startswith("text.")] == []


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
def another_host(spark: Any, directory: Path) -> Iterator[None]:
    """A third executor, on another host: that is where Spark starts the twins of tasks."""
    cluster = getattr(getattr(spark._jvm.org.apache.spark.deploy, "LocalSparkCluster$"), "MODULE$").get().get()
    master = cluster.masterRpcEnvs().apply(0).address().toSparkURL()
    words = ["org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.2", "--port", "0", "--webui-port", "0"]
    words += ["--cores", "1", "--memory", "1g", master]
    with subprocess.Popen([directory / "bin" / "spark-class", *words], stderr=subprocess.DEVNULL) as worker:
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
