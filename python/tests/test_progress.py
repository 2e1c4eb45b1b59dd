from __future__ import annotations

import functools
import io
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tqdm import tqdm

import alinea

Text = tuple[list[str], list[str]]


class Bars:
    """Makes bars, and keeps what they were told."""

    def __init__(self, fails_at: str = "") -> None:
        self.fails_at = fails_at
        self.tasks: list[dict[str, Any]] = []
        self.threads: set[int] = set()

    def __call__(self, *, desc: str, total: int | None) -> Bar:
        self.meet("begin")
        self.tasks.append({"desc": desc, "total": total, "done": 0, "closed": 0})
        return Bar(self, self.tasks[-1])

    def meet(self, what: str) -> None:
        self.threads.add(threading.get_ident())
        if what == self.fails_at:
            raise LookupError(f"at {what}")


class Bar:
    def __init__(self, bars: Bars, task: dict[str, Any]) -> None:
        self.bars, self.task = bars, task

    def update(self, n: int) -> None:
        self.task["done"] += n
        self.bars.meet("update")

    def close(self) -> None:
        self.task["closed"] += 1
        self.bars.meet("close")


def test_every_task_goes_from_beginning_to_end(text: Text) -> None:
    for threads in (1, 2):
        bars = Bars()
        alinea.align(*text, iterations=(2, 3), threads=threads, progress=bars)
        names = [task["desc"] for task in bars.tasks]
        assert names[1:] == ["Model 1 1/2", "Model 1 2/2", "HMM 1/3", "HMM 2/3", "HMM 3/3", "aligning"]
        assert all(task["closed"] == 1 and task["done"] == task["total"] for task in bars.tasks)
        assert bars.tasks[-1]["total"] == len(text[0])
        assert bars.threads == {threading.get_ident()}


def test_models_of_subwords_are_named(text: Text) -> None:
    bars = Bars()
    alinea.align(*text, model="quality", iterations=(1, 1), progress=bars)
    names = [task["desc"] for task in bars.tasks if task["desc"].endswith("HMM 1/1")]
    assert names == [*(f"subwords {number}/3, HMM 1/1" for number in (1, 2, 3)), "HMM 1/1"]


@pytest.mark.parametrize(
    ("work", "last"),
    [
        (lambda text, path, bars: alinea.train(text[0], text[1], path, iterations=1, progress=bars), "HMM 1/1"),
        (lambda text, _, bars: alinea.align(*text, model="ibm2", iterations=1, progress=bars), "aligning"),
        (lambda text, _, bars: alinea.classes(text[0], cooling=1, passes=0, progress=bars), "cooling 1/1"),
    ],
)
def test_whatever_trains_shows_it(text: Text, tmp_path: Path, work: Callable[..., object], last: str) -> None:
    bars = Bars()
    work(text, tmp_path / "model", bars)
    assert bars.tasks[-1]["desc"] == last
    assert all(task["closed"] == 1 for task in bars.tasks)


def test_alignment_with_a_model_is_shown(text: Text, tmp_path: Path) -> None:
    alinea.train(*text, tmp_path / "model", iterations=1)
    bars = Bars()
    alinea.TrainedModel(tmp_path / "model").align(*text, progress=bars)
    assert bars.tasks == [{"desc": "aligning", "total": 600, "done": 600, "closed": 1}]


def test_progress_does_not_change_results(text: Text) -> None:
    assert alinea.align(*text, progress=Bars()) == alinea.align(*text)


@pytest.mark.parametrize("fails_at", ["begin", "update", "close"])
@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_bar_raises_ends_the_work(text: Text, tmp_path: Path, fails_at: str, threads: int) -> None:
    bars = Bars(fails_at)
    path = tmp_path / "model"
    with pytest.raises(LookupError, match=f"at {fails_at}"):
        # Passes that would take hours.
        alinea.train(text[0] * 50, text[1] * 50, path, iterations=1000, threads=threads, progress=bars)
    assert not path.exists()
    assert all(task["closed"] == 1 for task in bars.tasks)


def test_tqdm_makes_bars(text: Text, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = io.StringIO()
    alinea.align(*text, progress=functools.partial(tqdm, file=drawn, leave=True))
    assert "aligning: 100%" in drawn.getvalue()
    alinea.align(*text, progress=True)
    assert "aligning: 100%" in capsys.readouterr().err


def test_without_tqdm_true_is_an_error(text: Text, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match=r"^progress=True shows bars of tqdm, which is not installed; pip install"):
        alinea.align(*text, progress=True)
    assert len(alinea.align(*text, progress=False)) == len(text[0])


def test_what_makes_no_bars_is_refused(text: Text) -> None:
    progress: Any = "yes"
    with pytest.raises(TypeError, match=r"^progress: expected a bool, or a class such as tqdm, not str$"):
        alinea.align(*text, progress=progress)
    with pytest.raises(AttributeError, match=r"update|close"):
        alinea.align(*text, progress=lambda **_: object())  # type: ignore[call-overload]
