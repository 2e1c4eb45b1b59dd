"""Spark trains the model of one process, whatever happens to its tasks."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from spark_cluster import NEEDED, disturbed, is_gone, killer

import alinea
from alinea import parts
from alinea.distributed import _spark_training, spark_train

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed (ALINEA_SPARK=1 ./test installs it)")

pytestmark = NEEDED

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


def test_word_pairs_may_leave_the_training(training_frame: Any, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model"
    options: dict[str, Any] = {"directory": tmp_path / "training", "parts": 2, "order": "id", **TRAINING}
    for prune in ({0: 0.1}, {1: 0.0}, {1: 1.5}):
        with pytest.raises(alinea.ConfigError, match=r"limits above 0 and at most 1 by the numbers of passes"):
            spark_train(training_frame, path, "en", "fr", prune=prune, **options)
    spark_train(training_frame, path, "en", "fr", prune={1: 0.05}, memory=1 << 30, **options)
    assert len(path.read_bytes()) < len(whole)


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
