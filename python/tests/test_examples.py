"""The notebooks in examples run, show what is kept in them, and can be read where they are shown."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
RUN = EXAMPLES / "run"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
SECONDS = 120
MOST_BYTES = 150_000

of_each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def execute(path: Path, directory: Path) -> subprocess.CompletedProcess[str]:
    """Runs a notebook, in a process of its own, and puts it with its outputs there."""
    words = [sys.executable, *map(str, (RUN, "--to", directory, path))]
    return subprocess.run(words, cwd=directory, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)


def read(path: Path) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def outputs(notebook: dict[str, Any]) -> dict[tuple[str, int, str], str]:
    """What cells show, by cell, output and kind. The version of the package is left out."""
    found = {}
    for cell in notebook["cells"]:
        for number, output in enumerate(cell.get("outputs", ())):
            data = output.get("data", {"stdout": output.get("text")})
            for kind, lines in data.items():
                shown = re.sub(r"version:alinea-[\w.+-]+", "version:alinea-...", "".join(lines))
                found[cell["id"], number, kind] = shown
    return found


def words_and_numbers(text: str) -> tuple[list[str], list[float]]:
    """Text without its decimal fractions, and these: processors differ in the last digits."""
    pieces = re.split(r"(\d+\.\d+(?:e-?\d+)?)", text)
    return pieces[::2], [float(number) for number in pieces[1::2]]


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} == {"evaluation", "metrics", "quick-start"}


@of_each_notebook
def test_notebooks_show_what_is_kept(path: Path, tmp_path: Path) -> None:
    ended = execute(path, tmp_path)
    assert ended.returncode == 0, ended.stderr
    kept, found = outputs(read(path)), outputs(read(tmp_path / path.name))
    advice = "it shows something else: run examples/run"
    assert kept.keys() == found.keys(), advice
    for place, text in kept.items():
        words, numbers = words_and_numbers(text)
        found_words, found_numbers = words_and_numbers(found[place])
        assert found_words == words, f"{place}: {advice}"
        assert found_numbers == pytest.approx(numbers, rel=1e-6), f"{place}: {advice}"


@of_each_notebook
def test_notebooks_have_the_form_of_jupyter(path: Path) -> None:
    notebook = read(path)
    assert path.stat().st_size < MOST_BYTES
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in ids)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    # As Jupyter writes it: what it saves differs only where a cell does.
    written = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    assert path.read_text(encoding="utf-8") == written


@of_each_notebook
def test_notebooks_have_tables_and_no_paths_of_a_machine(path: Path) -> None:
    found = outputs(read(path))
    assert "text/html" in {kind for _, _, kind in found}
    for place, text in found.items():
        assert not re.search(r"file://|/(?:tmp|home|root|Users|work|var)/", text), place


def test_notebooks_have_pictures() -> None:
    for name in ("evaluation", "quick-start"):
        kinds = [kind for _, _, kind in outputs(read(EXAMPLES / f"{name}.ipynb"))]
        assert "image/svg+xml" in kinds, name


@of_each_notebook
def test_links_lead_somewhere(path: Path) -> None:
    texts = ["".join(cell["source"]) for cell in read(path)["cells"] if cell["cell_type"] == "markdown"]
    links = re.findall(r"\]\(([^)\s]+)\)", "\n".join(texts))
    assert links
    assert [link for link in links if not (path.parent / link).is_file()] == []


def notebook(*sources: str) -> dict[str, Any]:
    """A notebook of these cells."""
    empty: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [{**empty, "id": f"c{n}", "source": [source]} for n, source in enumerate(sources, start=1)]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_what_is_kept_of_a_cell(tmp_path: Path) -> None:
    picture = "class Picture:\n def _repr_svg_(self): return '<svg/>'\n def _repr_html_(self): return '<p>'\n"
    table = "class Table:\n def _repr_svg_(self): return None\n def _repr_html_(self): return '<p>\\n</p>'\n"
    text = " def __repr__(self): return 'text'\n"
    cells = ("x = 2", "print('a\\nb')\nx + 1", "None", picture + text + "Picture()", table + text + "Table()")
    path = tmp_path / "cells.ipynb"
    path.write_text(json.dumps(notebook(*cells)), encoding="utf-8")
    (tmp_path / "to").mkdir()
    ended = execute(path, tmp_path / "to")
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
    assert read(path) == notebook(*cells)
    assert outputs(read(tmp_path / "to" / path.name)) == {
        ("c2", 0, "stdout"): "a\nb\n",
        ("c2", 1, "text/plain"): "3",
        ("c4", 0, "text/plain"): "text",
        ("c4", 0, "image/svg+xml"): "<svg/>",
        ("c5", 0, "text/plain"): "text",
        ("c5", 0, "text/html"): "<p>\n</p>",
    }


@pytest.mark.parametrize(
    ("cell", "error"),
    [("1 / 0", "ZeroDivisionError"), ("import warnings; warnings.warn('odd')", "UserWarning('odd')")],
)
def test_a_cell_that_fails_is_named(cell: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "cells.ipynb"
    path.write_text(json.dumps(notebook("x = 1", cell)), encoding="utf-8")
    (tmp_path / "to").mkdir()
    ended = execute(path, tmp_path / "to")
    assert ended.returncode == 1
    assert f"RuntimeError: cell c2: {error}" in ended.stderr
    assert not list((tmp_path / "to").iterdir())
