"""Spark with two executors, each a process of its own, finds what one process finds, whatever happens to its tasks."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import alinea
from alinea.distributed import BatchAligner, Result, _batches, _spark, spark_align

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
    killed = os.fspath(tmp_path / "killed")

    def kill(number: int) -> None:
        """Kills a process once, when two batches are aligned."""
        if number != 2:
            return
        with contextlib.suppress(FileExistsError), open(killed, "x") as file:
            process = os.getpid()
            # A worker is forked by a daemon, which its executor has started.
            for _ in range(0 if victim == "worker" else 2):
                with open(f"/proc/{process}/stat") as status:
                    process = int(status.read().rsplit(")", 1)[1].split()[1])
            print(process, file=file, flush=True)
            os.kill(process, signal.SIGKILL)
            time.sleep(SECONDS)

    check(disturbed(frame.repartition(4), kill))
    assert not Path("/proc", Path(killed).read_text().strip()).exists()


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
