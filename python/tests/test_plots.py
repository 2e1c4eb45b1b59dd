"""The figures of docs/benchmarks.md are those of its tables, and the tables have the figures of its pages."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FIGURES = DOCS / "figures"
MEASURED = ("aer", "cpu_seconds", "memory_mb", "memory")


def test_pictures_are_drawn_from_the_tables(tmp_path: Path) -> None:
    subprocess.run([sys.executable, DOCS / "plots", "--to", tmp_path], check=True)
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_bytes() for path in FIGURES.glob("*.svg")}
    assert drawn.keys() == kept.keys()
    changed = [name for name, picture in drawn.items() if picture != kept[name]]
    assert not changed, "docs/plots draws other pictures: run it"


@pytest.mark.parametrize("table", sorted(path.name for path in FIGURES.glob("*.csv")))
def test_figures_of_tables_are_those_of_the_pages(table: str) -> None:
    with (FIGURES / table).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        page = (DOCS / row["source"]).read_text(encoding="utf-8").splitlines()
        # Figures of one set may be in several tables of the page.
        cells = [line for line in page if line.startswith(f"| {row['row']} |")]
        there = set(re.findall(r"\d+(?:\.\d+)?", " ".join(cells).replace(",", "")))
        for column in MEASURED:
            assert not row.get(column) or row[column] in there, (row, column)
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", row["measured"])
        assert row["program"]
        assert row["version"]


def luminance(color: str) -> float:
    """As WCAG defines it."""
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_pictures_can_be_read_on_light_and_dark_pages() -> None:
    for path in FIGURES.glob("*.svg"):
        picture = path.read_text(encoding="utf-8")
        assert set(re.findall(r'<text[^>]* fill="([^"]+)"', picture)) == {"currentColor"}
        assert "prefers-color-scheme:dark" in picture
        colors = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]+)"', picture))
        assert colors
        for color in colors:
            for page in ("#ffffff", "#0d1117"):
                low, high = sorted((luminance(color), luminance(page)))
                # WCAG 2.1, 1.4.11: what is not text has a contrast of 3 at least.
                assert (high + 0.05) / (low + 0.05) >= 3, (path.name, color, page)
