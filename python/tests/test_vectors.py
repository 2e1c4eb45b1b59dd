"""What the reference implementations compute is what the vectors expect."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "crates" / "alinea" / "tests" / "vectors"
Run = subprocess.CompletedProcess[str]


def run(*arguments: Path | str) -> Run:
    """Runs the program that recomputes vectors."""
    program = ROOT / "crates" / "alinea-dev" / "reference" / "vectors.py"
    command = [sys.executable, "-B", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_vectors_are_those_of_the_references() -> None:
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    files = {line.rpartition(": ")[0] for line in done.stdout.splitlines() if "lines recomputed" in line}
    for folder in (VECTORS, Path(__file__).with_name("vectors")):
        with_references = [path for path in folder.glob("*.jsonl") if '"source": "ref' in path.read_text("utf-8")]
        assert with_references
        assert files >= set(map(str, with_references))


def increase(value: Any) -> Any:
    """Another value: the first number in it is greater."""
    if isinstance(value, dict):
        key = next(iter(value))
        return {**value, key: increase(value[key])}
    return value + 1e-6


CHANGES: list[tuple[str, str, Callable[[Any], Any]]] = [
    ("bleu", "ref", increase),
    ("orders", "ref", lambda value: increase(value) if isinstance(value, dict) else value[::-1]),
    ("symmetrize", "ref, equal to the symal program", lambda links: links + " 9-9"),
]


@pytest.mark.parametrize(("name", "source", "change"), CHANGES, ids=[name for name, _, _ in CHANGES])
def test_a_line_that_expects_something_else_is_told_and_written(
    tmp_path: Path, name: str, source: str, change: Callable[[Any], Any]
) -> None:
    path = tmp_path / f"{name}.jsonl"
    shutil.copy(VECTORS / path.name, path)
    lines = path.read_text("utf-8").splitlines()
    [number, *_] = [number for number, line in enumerate(lines) if json.loads(line)["source"] == source]
    vector = json.loads(lines[number])
    changed = {**vector, "expect": change(vector["expect"])}
    path.write_text("\n".join([*lines[:number], json.dumps(changed), *lines[number + 1 :], ""]), "utf-8")

    done = run(path)
    assert done.returncode == 1, done.stderr
    assert f"{path}:{number + 1}: expect is " in done.stdout
    assert ", 1 different" in done.stdout

    assert run("--write", path).returncode == 0
    assert run(path).returncode == 0
    assert list(map(json.loads, path.read_text("utf-8").splitlines())) == list(map(json.loads, lines))


def test_inputs_are_drawn_anew() -> None:
    done = run("--draw", "phrases")
    drawn = [json.loads(line) for line in done.stdout.splitlines()]
    written = map(json.loads, (VECTORS / "phrases.jsonl").read_text("utf-8").splitlines())
    expected = [(vector["input"], vector["expect"]) for vector in written if vector["source"] == "ref"]
    assert [(vector["input"], vector["expect"]) for vector in drawn] == expected
    assert run("--draw", "phrases", "--seed", "1").stdout != done.stdout
