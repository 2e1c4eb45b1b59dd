"""The tables of options in docs/options.md have all of them, and nothing else."""

import inspect
import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import alinea

ROOT = Path(__file__).parents[2]


ALIGNMENT, SENTENCES = 0, 1


def cells(column: int, part: int = ALIGNMENT) -> set[str]:
    parts = (ROOT / "docs/options.md").read_text(encoding="utf-8").split("\n## ")
    table = [row.strip("|").split("|") for row in parts[part].splitlines() if row.startswith("| ")][1:]
    assert len(table) > 10
    return {name for row in table for name in re.findall(r"`([^`]+)`", row[column])}


def options(command: Path, *verbs: str) -> set[str]:
    found = {"SOURCE", "TARGET"}
    for verb in verbs:
        text = subprocess.run([command, verb, "--help-all"], capture_output=True, text=True, check=True).stdout
        found.update(re.findall(r"^ +(?:-\w, +)?(--[a-z-]+)", text, re.MULTILINE))
    return found - {"--help", "--help-all"}


def keywords(functions: Iterable[Callable[..., object]]) -> set[str]:
    return {name for function in functions for name in inspect.signature(function).parameters} - {"self"}


def test_every_option_of_the_command_is_there(command: Path) -> None:
    assert cells(0) == options(command, "align", "train")
    assert cells(0, SENTENCES) == options(command, "sentence-align")


def test_every_keyword_of_python_is_there() -> None:
    methods = [method for name, method in vars(alinea.TrainedModel).items() if not name.startswith("_")]
    functions: list[Callable[..., object]] = [
        alinea.align,
        alinea.posteriors,
        alinea.scores,
        alinea.train,
        *filter(inspect.isfunction, methods),
    ]
    assert cells(1) == keywords(functions)
    assert cells(1, SENTENCES) == keywords([alinea.sentence_align, alinea.evaluate_sentences])


def test_every_field_of_a_request_is_there() -> None:
    text = (ROOT / "crates/alinea-align/src/align/request.rs").read_text(encoding="utf-8")
    (struct,) = re.findall(r"pub struct Request \{(.*?)\n\}", text, re.DOTALL)
    fields = {f"Request::{name}" for name in re.findall(r"pub (\w+):", struct)}
    assert {name for name in cells(2) if name.startswith("Request::")} == fields
