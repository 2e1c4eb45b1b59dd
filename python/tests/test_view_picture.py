"""The pictures of `alinea view` in SVG, in a browser: files, and elements of a page."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
from pathlib import Path

import pytest
from browsers import ARABIC, HEBREW, READ, Open, View, picture


@pytest.fixture
def draw(command: Path, tmp_path: Path) -> View:
    """Writes the picture of a pair, with these arguments and files, and returns where it is."""

    def write(*arguments: object, **files: str) -> Path:
        for name, content in files.items():
            (tmp_path / name).write_text(content, "utf-8")
        path = tmp_path / "picture.svg"
        words = [os.fspath(command), "view", *map(str, arguments), "-o", os.fspath(path)]
        subprocess.run(words, cwd=tmp_path, check=True, timeout=60)
        return path

    return write


def luminance(color: str) -> float:
    """The relative luminance of a color (WCAG 2.2)."""
    channels = [int(channel) / 255 for channel in re.findall(r"\d+", color)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


FILL = "all => all.map((part) => getComputedStyle(part).fill)"


def test_pictures_are_readable_on_light_and_dark(draw: View, show: Open, tmp_path: Path) -> None:
    tree = "1\ta\t_\t_\t_\t_\t2\tdet\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    files = {"s": "a b\n", "t": "A B\n", "l": "0-0 1-0\n", "g": "0-0 1p1\n", "st": tree}
    path = draw("s", "t", "l", "-g", "g", "--source-trees", "st", **files)
    grounds = set()
    for dark in (False, True):
        page = show(path, dark=dark)
        [ground] = page.locator("rect.ground").evaluate_all(FILL)
        grounds.add(ground)
        for text in page.locator("text").evaluate_all(FILL):
            assert contrast(text, ground) >= 4.5, (dark, text, ground)
        lines = page.locator("line").evaluate_all("all => all.map((line) => getComputedStyle(line).stroke)")
        assert all(contrast(line, ground) >= 2 for line in lines), (dark, lines)
        picture(page, f"picture-{'dark' if dark else 'light'}")
    assert len(grounds) == 2

    # In a page the text has the color of the page, whose other text keeps its own.
    around = tmp_path / "around.html"
    for color, theme in (("rgb(250, 240, 200)", "#101010"), ("rgb(10, 20, 30)", "#fafafa")):
        style = f"color: {color}; background: {theme}; --jp-layout-color0: {theme}"
        text = '<svg><rect class="ground halo hollow" fill="#123456"/></svg>'
        around.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body style="{style}">{path.read_text("utf-8")}{text}')
        page = show(around)
        assert set(page.locator("svg.alinea text").evaluate_all(FILL)) == {color}
        assert page.locator("rect.ground").evaluate_all(FILL) == ["none", "rgb(18, 52, 86)"]
        edges = page.locator("text.halo").evaluate_all("all => all.map((part) => getComputedStyle(part).stroke)")
        assert set(edges) == {"rgb(16, 16, 16)" if theme == "#101010" else "rgb(250, 250, 250)"}


@pytest.mark.parametrize(
    "words",
    ["Donaudampfschifffahrtsgesellschaft WWWWWWWWWW", ARABIC, HEBREW, "漢字仮名交じり文 한국어", "Ελληνικά Кириллица"],
)
def test_pictures_hold_their_words(draw: View, show: Open, words: str) -> None:
    page = show(draw("s", "t", "l", s=f"{words}\n", t="x\n", l="0-0\n"))
    box = "document.documentElement.viewBox.baseVal"
    size = page.evaluate(f"[{box}.width, {box}.height]")
    boxes = page.locator("text").evaluate_all(
        "all => all.map((text) => text.getBBox()).map((box) => [box.x, box.y, box.x + box.width, box.y + box.height])"
    )
    assert len(boxes) == 2 * (len(words.split()) + 1)
    for left, top, right, bottom in boxes:
        assert left >= 4
        assert top >= 4
        assert right <= size[0] - 4
        assert bottom <= size[1] - 4
    # No word stands upon another.
    row = sorted((left, right) for left, top, right, _ in boxes if top == boxes[0][1])
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(row))


def test_pictures_run_from_right_to_left(draw: View, show: Open) -> None:
    page = show(draw("s", "t", "l", s=f"{ARABIC}\n", t=f"{READ}\n", l="0-2 1-1\n"))
    texts = page.locator("text:not([font-size])")
    assert texts.all_text_contents() == ARABIC.split() + READ.split()
    at = texts.evaluate_all("all => all.map((text) => text.getBBox()).map((box) => box.x + box.width / 2)")
    arabic, read = at[: len(ARABIC.split())], at[len(ARABIC.split()) :]
    assert arabic == sorted(arabic, reverse=True)
    assert read == sorted(read)
    directions = texts.evaluate_all("all => all.map((text) => getComputedStyle(text).direction)")
    assert directions == ["rtl"] * len(arabic) + ["ltr"] * len(read)
    first = page.locator("line").first
    assert float(first.get_attribute("x1") or "") == pytest.approx(arabic[0], abs=2)
    assert float(first.get_attribute("x2") or "") == pytest.approx(read[2], abs=2)
    picture(page, "picture-right-to-left")
