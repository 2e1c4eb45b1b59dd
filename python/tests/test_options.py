"""The table of options in docs/options.md has all of them, and nothing else."""

import inspect
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import alinea

ROOT = Path(__file__).parents[2]


def cells(column: int) -> set[str]:
    rows = (ROOT / "docs/options.md").read_text(encoding="utf-8").splitlines()
    table = [row.strip("|").split("|") for row in rows if row.startswith("| ")][1:]
    assert len(table) > 30
    return {name for row in table for name in re.findall(r"`([^`]+)`", row[column])}


def test_every_option_of_the_command_is_there(command: Path) -> None:
    found = {"SOURCE", "TARGET"}
    for verb in ("align", "train"):
        text = subprocess.run([command, verb, "--help-all"], capture_output=True, text=True, check=True).stdout
        found.update(re.findall(r"^ +(?:-\w, +)?(--[a-z-]+)", text, re.MULTILINE))
    assert cells(0) == found - {"--help", "--help-all"}


def test_every_keyword_of_python_is_there() -> None:
    methods = [method for name, method in vars(alinea.TrainedModel).items() if not name.startswith("_")]
    functions: list[Callable[..., object]] = [
        alinea.align,
        alinea.posteriors,
        alinea.scores,
        alinea.train,
        *filter(inspect.isfunction, methods),
    ]
    keywords = {name for function in functions for name in inspect.signature(function).parameters}
    assert cells(1) == keywords - {"self"}


def test_every_field_of_a_request_is_there() -> None:
    text = (ROOT / "crates/alinea-align/src/align/request.rs").read_text(encoding="utf-8")
    (struct,) = re.findall(r"pub struct Request \{(.*?)\n\}", text, re.DOTALL)
    fields = {f"Request::{name}" for name in re.findall(r"pub (\w+):", struct)}
    assert {name for name in cells(2) if name.startswith("Request::")} == fields
