"""Inline tags carried over links."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import alinea
from alinea import project

SOURCE = ["Click <b>Save &amp; close</b>.", "<x/>Yes <i>of</i> sir"]
TARGET = ["Auf Sichern & schließen klicken.", "Ja Herr"]
LINKS = ["0-4 1-1 2-2 3-3 4-5", "0-0 2-1"]


def test_tags_go_over_links() -> None:
    found = project.markup(SOURCE, TARGET, LINKS)
    assert [pair.text for pair in found] == [
        "Auf <b>Sichern &amp; schließen</b> klicken.",
        "<x/>Ja <i></i>Herr",
    ]
    assert found[0].tags[0][:4] == ("<b>", "</b>", (1, 4), (1, 4))
    assert found[0].tags[0].confidence == pytest.approx(0.9, abs=1e-6)
    assert [(tag.open, tag.close, tag.lost) for tag in found[1].tags] == [
        ("<x/>", None, None),
        ("<i>", "</i>", "unlinked"),
    ]
    dropped = project.markup(SOURCE, TARGET, LINKS, unplaced="drop")[1]
    assert (dropped.text, dropped.tags[1].target) == ("<x/>Ja Herr", None)


def test_words() -> None:
    assert project.markup_words(SOURCE[0]) == ["Click", "Save", "&", "close", "."]
    assert project.markup_words("<br>One", "html") == ["One"]
    assert project.markup_words("a {0}b", "plain", [r"\{\d\}"]) == ["a", "b"]
    assert project.markup_words("don't stop", "plain", tokenize="unicode") == ["don't", "stop"]


def test_the_command_writes_the_same(answer: Callable[..., str], tmp_path: Path) -> None:
    source, target, links = (tmp_path / name for name in ("source", "target", "links"))
    source.write_text("\n".join(SOURCE) + "\n", encoding="utf-8")
    target.write_text("\n".join(TARGET) + "\n", encoding="utf-8")
    weights = np.array([0.9, 0.4, 0.8, 0.7, 0.9, 0.3, 0.6], np.float32)
    given = alinea.Posteriors(alinea.LinkColumn.of(LINKS), weights)
    flat = [f"{i}-{j}:{weight}" for (i, j), weight in zip(given.links.rows.tolist(), weights, strict=True)]
    links.write_text(f"{' '.join(flat[:5])}\n{' '.join(flat[5:])}\n")
    written = answer("project", "markup", source, target, "--links", links)
    assert written.splitlines() == [pair.text for pair in project.markup(SOURCE, TARGET, given)]


def test_words_are_aligned_where_there_are_no_links() -> None:
    source = ["the <b>house</b>", "the flower", "a <b>house</b>"]
    target = ["la maison", "la fleur", "une maison"]
    found = project.markup(source, target)
    assert [pair.text for pair in found] == ["la <b>maison</b>", "la fleur", "une <b>maison</b>"]
    assert project.markup(iter(source), iter(target), threads=1) == found


def test_bad_input_is_refused() -> None:
    with pytest.raises(alinea.ParseError, match=r"^source:2:3: expected an element that is closed by `</b>`"):
        project.markup(["a", "b <b>c"], ["x", "y"], ["", ""])
    with pytest.raises(alinea.ParseError, match=r"^target:1:1: expected a translation without tags, found `<b>`$"):
        project.markup(["<b>a</b>"], ["<b>x</b>"], ["0-0"])
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 1 sentences, target has 2$"):
        project.markup(["a"], ["x", "y"], [""])
    with pytest.raises(alinea.Error, match=r"^pair 1: link 0-9 in sentences of 1 and 1$"):
        project.markup(["a"], ["x"], ["0-9"])
    with pytest.raises(alinea.ConfigError, match=r"^syntax = rtf: must be"):
        project.markup(["a"], ["x"], [""], syntax="rtf")  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match=r"^placeholder = \(: must be a regular expression$"):
        project.markup(["a"], ["x"], [""], placeholders=["("])
