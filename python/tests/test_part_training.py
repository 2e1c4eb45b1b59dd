"""A training in a directory: what runs its steps may lose them, repeat them, or be interrupted and come back."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import alinea

pa = pytest.importorskip("pyarrow")

from alinea.distributed import _part_steps, _part_training  # noqa: E402  # they need it
from alinea.distributed._part_steps import PartSteps, Reading, write_text  # noqa: E402
from alinea.distributed._part_training import PartTraining, Settings, WrittenText  # noqa: E402

Text = tuple[list[str], list[str]]
PASSES = 3


@pytest.fixture(scope="module")
def short(text: Text) -> Text:
    return text[0][:120], text[1][:120]


@pytest.fixture(scope="module")
def expected(short: Text, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "model"
    alinea.train(*short, path, iterations="ibm1:1,hmm:2")
    return path.read_bytes()


def settings(parts: int, **options: Any) -> Settings:
    reading = Reading(options.pop("tokenize", "none"), options.pop("lowercase", True), 2000)
    given = {"order": [], "model": "agreement-loo", "iterations": "ibm1:1,hmm:2", "dictionary": [], **options}
    return Settings(parts=parts, reading=reading, threads=1, **given)


def written(directory: Path, text: Text, ends: Sequence[int]) -> WrittenText:
    directory.mkdir(exist_ok=True)
    files = []
    for number, (start, end) in enumerate(zip([0, *ends], [*ends, len(text[0])], strict=True)):
        batch = pa.record_batch({"source": text[0][start:end], "target": text[1][start:end]})
        files.append(f"text.{number + 1}.first")
        write_text(os.fspath(directory / files[-1]), [batch] if end > start else [])
    return WrittenText(len(text[0]), "abc", files)


class InterruptedDriverError(Exception):
    """The driver is gone."""


class Runner:
    """Runs steps in a strange order, some of them twice; the driver is gone after so many."""

    def __init__(self, most: int = 10_000) -> None:
        self.most = most
        self.done: list[tuple[str, tuple[Any, ...], int]] = []

    def __call__(self, step: Callable[[int], None], numbers: Sequence[int]) -> None:
        travelled = pickle.loads(pickle.dumps(step))
        name, arguments = (getattr(step, "func", step).__name__, getattr(step, "args", ()))
        for number in reversed(numbers):
            if len(self.done) == self.most:
                raise InterruptedDriverError
            self.done.append((name, arguments, number))
            travelled(number)
            if number == 1:
                travelled(number)


@pytest.mark.parametrize("ends", [[], [40, 80], [0, 110, 115]], ids=["1", "3", "4, one empty, one with most"])
def test_parts_do_not_matter(short: Text, expected: bytes, ends: list[int], tmp_path: Path) -> None:
    directory, model = tmp_path / "training", tmp_path / "model"
    training = PartTraining(directory, settings(len(ends) + 1))
    training.begin(written(directory, short, ends))
    training.train(model, Runner())
    assert model.read_bytes() == expected
    assert os.listdir(directory) == []


def test_word_pairs_leave_the_training_after_a_pass(short: Text, expected: bytes, tmp_path: Path) -> None:
    models = []
    for ends, memory in (([], None), ([40, 80], 1 << 30)):
        directory, model = tmp_path / f"training{len(ends)}", tmp_path / "model"
        training = PartTraining(directory, settings(len(ends) + 1, prune={1: 0.05}, memory=memory))
        training.begin(written(directory, short, ends))
        training.train(model, Runner())
        models.append(model.read_bytes())
    assert models[0] == models[1]
    assert len(models[0]) < len(expected)
    directory = tmp_path / "refused"
    training = PartTraining(directory, settings(1, prune={PASSES: 0.05}))
    training.begin(written(directory, short, []))
    with pytest.raises(alinea.ConfigError, match=r"after passes before the last, 1 to 2"):
        training.train(tmp_path / "never", Runner())
    with pytest.raises(alinea.Error, match=r"a training with prune = \{'3': 0\.05\}, not \{\}"):
        PartTraining(directory, settings(1))


def test_an_interrupted_driver_resumes(short: Text, expected: bytes, tmp_path: Path) -> None:
    directory, model = tmp_path / "training", tmp_path / "model"
    training = PartTraining(directory, settings(3))
    training.begin(written(directory, short, [40, 80]))
    runners = []
    # Steps: 3 of words, 3 of pairs, and 3 of each pass.
    for most in (2, 3, 0, 2, 3, 100):
        runners.append(Runner(most))
        training = PartTraining(directory, settings(3))
        assert training.found() is not None
        try:
            training.train(model, runners[-1])
        except InterruptedDriverError:
            assert not model.exists()
    assert model.read_bytes() == expected
    done = [step for runner in runners for step in runner.done]
    assert len(done) == len(set(done)) == 3 * (2 + PASSES)
    assert os.listdir(directory) == []


@pytest.mark.skipif(sys.platform == "win32", reason="processes are not killed so there")
@pytest.mark.parametrize("steps", [1, 7, 11])
def test_a_driver_that_was_killed_is_followed_by_another(
    short: Text, expected: bytes, tmp_path: Path, steps: int
) -> None:
    directory, model = tmp_path / "training", tmp_path / "model"
    PartTraining(directory, settings(3)).begin(written(directory, short, [40, 80]))
    program = """
import os, pickle, signal, sys
from alinea.distributed._part_training import PartTraining
directory, settings, model, left = pickle.load(sys.stdin.buffer)
def run(step, numbers):
    global left
    for number in numbers:
        step(number)
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
PartTraining(directory, settings).train(model, run)
"""
    given = pickle.dumps((directory, settings(3), model, steps))
    killed = subprocess.run([sys.executable, "-c", program], input=given, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    runner = Runner()
    PartTraining(directory, settings(3)).train(model, runner)
    assert model.read_bytes() == expected
    assert len(runner.done) == 3 * (2 + PASSES) - steps


def test_counts_are_added_by_a_tree_of_tasks(
    short: Text, expected: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_part_training, "_FAN", 2)
    directory, model, runner = tmp_path / "training", tmp_path / "model", Runner()
    training = PartTraining(directory, settings(5))
    training.begin(written(directory, short, [10, 30, 60, 100]))
    training.train(model, runner)
    assert model.read_bytes() == expected
    # Five files are three sums, and then two.
    assert [name for name, *_ in runner.done].count("merge") == PASSES * (3 + 2)


def test_files_of_one_pass_are_kept(short: Text, tmp_path: Path) -> None:
    directory = tmp_path / "training"
    PartTraining(directory, settings(2)).begin(written(directory, short, [70]))
    with pytest.raises(InterruptedDriverError):
        # After the first pass, and the second half of the next.
        PartTraining(directory, settings(2)).train(tmp_path / "model", Runner(2 * 2 + 2 + 1))
    kept = ["counts.2.2", "own.1.1", "own.1.2", "own.2.2", "state.1", "text.1.first", "text.2.first", "training.json"]
    assert sorted(os.listdir(directory)) == kept


def test_another_training_is_refused(short: Text, tmp_path: Path) -> None:
    directory = tmp_path / "training"
    PartTraining(directory, settings(2)).begin(written(directory, short, [70]))
    others: list[tuple[Settings, str]] = [
        (settings(3), "a training with parts = 2, not 3"),
        (settings(2, model="agreement"), "with model = agreement-loo, not agreement"),
        (settings(2, iterations=(1, 2)), r"with iterations = ibm1:1,hmm:2, not \[1, 2\]"),
        (settings(2, dictionary=[("a", "b", 0.5)]), "with dictionary = None, not "),
        (settings(2, lowercase=False), "with lowercase = True, not False"),
        (settings(2, tokenize="unicode"), "with tokenize = none, not unicode"),
        (settings(2, order=["id"]), r"with order = \[\], not \['id'\]"),
    ]
    for other, message in others:
        with pytest.raises(alinea.Error, match=rf"training: has the files of .*{message}.*: name another directory"):
            PartTraining(directory, other)
    training = PartTraining(directory, settings(2))
    training.check(120, "abc")
    with pytest.raises(alinea.Error, match=r"another text \(120 sentence pairs, not 119\)"):
        training.check(119, "abc")
    with pytest.raises(alinea.Error, match=r"another text \(other sentences\)"):
        training.check(120, "abd")


def test_another_version_is_refused(short: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "training"
    training = PartTraining(directory, settings(1))
    training.begin(written(directory, short, []))
    steps = PartSteps(os.fspath(directory), ["text.1.first"], settings(1).reading, 1)
    with monkeypatch.context() as patch:
        patch.setattr(_part_steps, "__version__", "98.7.6")
        for step in (steps.words, steps.pairs):
            with pytest.raises(alinea.Error, match=r"has alinea 98\.7\.6, the driver has"):
                step(1)
        with pytest.raises(alinea.Error, match=r"has alinea 98\.7\.6, the driver has"):
            steps.count(1, 1)
    monkeypatch.setattr(_part_training, "__version__", "98.7.6")
    with pytest.raises(alinea.Error, match=r"a training with version = .*, not 98\.7\.6"):
        PartTraining(directory, settings(1))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "other", "settings": {}}'])
def test_a_file_of_the_same_name_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "training.json").write_text(content)
    with pytest.raises(alinea.Error, match=r"training\.json: no training in parts"):
        PartTraining(tmp_path, settings(1))


def test_files_that_workers_wrote_elsewhere_are_missed(short: Text, tmp_path: Path) -> None:
    text = written(tmp_path, short, [70])
    (tmp_path / "text.2.first").unlink()
    with pytest.raises(alinea.Error, match=r"text\.2\.first was written, but is not there: .* share"):
        PartTraining(tmp_path, settings(2)).begin(text)
    assert not (tmp_path / "training.json").exists()


def test_options_are_checked_first(tmp_path: Path) -> None:
    wrong: list[tuple[Settings, str]] = [
        (settings(1, model="quality"), "not for quality"),
        (settings(1, model="other"), "^model = other"),
        (settings(1, iterations="ibm1:0"), "iterations|ibm1:0"),
        (settings(1, tokenize="letters"), "^tokenize = letters"),
    ]
    for options, message in wrong:
        with pytest.raises(alinea.ConfigError, match=message):
            PartTraining(tmp_path / "training", options)
    assert not (tmp_path / "training").exists()


def test_what_others_left_is_not_used(short: Text, expected: bytes, tmp_path: Path) -> None:
    directory, model = tmp_path / "training", tmp_path / "model"
    directory.mkdir()
    for name in (
        "words",
        "words.1",
        "pairs.1",
        "state.7",
        "counts.1.1",
        "own.1.1",
        "sum.1.1.0",
        "text.1.lost",
        ".own.1.1.a.alinea-part",
    ):
        (directory / name).write_text("of another training")
    (directory / "notes").write_text("of somebody")
    training = PartTraining(directory, settings(1))
    training.begin(written(directory, short, []))
    training.train(model, Runner())
    assert model.read_bytes() == expected
    assert os.listdir(directory) == ["notes"]


def test_damaged_files_are_named(short: Text, expected: bytes, tmp_path: Path) -> None:
    directory, model = tmp_path / "training", tmp_path / "model"
    PartTraining(directory, settings(2)).begin(written(directory, short, [70]))
    with pytest.raises(InterruptedDriverError):
        PartTraining(directory, settings(2)).train(model, Runner(2 * 2 + 2 + 1))
    counts = directory / "counts.2.2"
    counts.write_bytes(counts.read_bytes()[:-100])
    with pytest.raises(alinea.Error, match=r"counts\.2\.2"):
        PartTraining(directory, settings(2)).train(model, Runner())
    assert not model.exists()
    counts.unlink()
    PartTraining(directory, settings(2)).train(model, Runner())
    assert model.read_bytes() == expected


def test_a_lost_state_is_found_again(short: Text, expected: bytes, tmp_path: Path) -> None:
    directory, model = tmp_path / "training", tmp_path / "model"
    PartTraining(directory, settings(2)).begin(written(directory, short, [70]))
    with pytest.raises(InterruptedDriverError):
        PartTraining(directory, settings(2)).train(model, Runner(2 * 2 + 2))
    assert json.loads((directory / "training.json").read_text())["passes"] == PASSES
    (directory / "state.1").unlink()
    PartTraining(directory, settings(2)).train(model, Runner())
    assert model.read_bytes() == expected
