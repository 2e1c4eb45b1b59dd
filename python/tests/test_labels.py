"""Labels carried over links."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import alinea
from alinea import project

SOURCE = ["Anna Smith lives in New York", "York sleeps"]
TARGET = ["Anna Smith wohnt in Neuyork", "es schläft York"]
TAGS = [["B-PER", "I-PER", "O", "O", "B-LOC", "I-LOC"], ["S-LOC", "O"]]
LINKS = ["0-0 1-1 2-2 3-3 4-4 5-4", "0-2"]


def test_spans_and_tags_are_the_same() -> None:
    spans = [[(0, 2, "PER"), project.Span(4, 6, "LOC")], [(0, 1, "LOC")]]
    found = project.labels(SOURCE, TARGET, spans, LINKS)
    assert found == project.labels(SOURCE, TARGET, TAGS, LINKS)
    assert [[span[:3] for span in pair.spans] for pair in found] == [[(0, 2, "PER"), (4, 5, "LOC")], [(2, 3, "LOC")]]
    assert all(0 < span.confidence <= 1 for pair in found for span in pair.spans)
    assert project.tags_of(found[0].spans, 5, "bioes") == ["B-PER", "E-PER", "O", "O", "S-LOC"]
    assert [project.spans_of(tags) for tags in TAGS] == spans


def test_the_command_finds_the_same(answer: Callable[..., str], tmp_path: Path) -> None:
    names, text, links = (tmp_path / name for name in ("names", "text", "links"))
    rows = [
        "".join(f"{word}\t{tag}\n" for word, tag in zip(line.split(), tags, strict=True))
        for line, tags in zip(SOURCE, TAGS, strict=True)
    ]
    names.write_text("\n".join(rows) + "\n", encoding="utf-8")
    text.write_text("\n".join(TARGET) + "\n", encoding="utf-8")
    for method in ("consistent", "overlap", "hull", "longest", "all"):
        weights = np.array([0.9, 0.4, 0.8, 0.7, 0.9, 0.3, 0.6], np.float32)
        given = alinea.Posteriors(alinea.LinkColumn.of(LINKS), weights)
        found = project.labels(SOURCE, TARGET, TAGS, given, method=method, threshold=0.5)
        flat = [f"{i}-{j}:{weight}" for (i, j), weight in zip(given.links.rows.tolist(), weights, strict=True)]
        links.write_text(f"{' '.join(flat[:6])}\n{flat[6]}\n")
        written = answer("project", "labels", names, text, "--links", links, "--method", method, "--threshold", 0.5)
        tags = [line.split("\t")[1] if line else "" for line in written.split("\n")[:-2]]
        of_python = [
            project.tags_of(pair.spans, len(line.split()), "bioes") for pair, line in zip(found, TARGET, strict=True)
        ]
        assert tags == [*of_python[0], "", *of_python[1]], method


def test_words_are_aligned_where_there_are_no_links() -> None:
    text = ["the house", "the flower", "a house"], ["la maison", "la fleur", "une maison"]
    tags = [["O", "B-H"], ["O", "O"], ["O", "B-H"]]
    found = project.labels(*text, tags)
    assert [[span[:3] for span in pair.spans] for pair in found] == [[(1, 2, "H")], [], [(1, 2, "H")]]
    assert project.labels(iter(text[0]), iter(text[1]), tags) == found
    assert project.labels(*text, tags, alinea.posteriors(*text)) == found
    assert project.labels(*text, tags, threads=1) == found
    model = alinea.train(*text)
    assert project.labels(*text, tags, model.posteriors(*text)) == found


def test_what_is_lost_has_a_reason() -> None:
    found = project.labels(SOURCE, TARGET, TAGS, ["0-0 1-1", ""])
    assert [pair.lost for pair in found] == [{1: "unlinked"}, {0: "unlinked"}]
    strict = project.labels(SOURCE, TARGET, TAGS, LINKS, min_confidence=1)
    assert [pair.lost for pair in strict] == [{0: "unconfident", 1: "unconfident"}, {0: "unconfident"}]
    assert project.labels([], [], [], []) == []
    assert project.labels(["a"], ["b"], [[]], ["0-0"]) == [project.ProjectedLabels([], {})]


def test_bad_input_is_refused() -> None:
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 2 sentences, labels has 1$"):
        project.labels(SOURCE, TARGET, TAGS[:1], LINKS)
    with pytest.raises(alinea.Error, match=r"^pair 2: PER of words 1 to 3 in a sentence of 2$"):
        project.labels(SOURCE, TARGET, [[], [(1, 3, "PER")]], LINKS)
    with pytest.raises(alinea.Error, match=r"^pair 2: link 0-9 in sentences of 2 and 3$"):
        project.labels(SOURCE, TARGET, TAGS, ["", "0-9"])
    with pytest.raises(alinea.ParseError, match=r"expected a tag: O, or B-.*found `PER`"):
        project.labels(SOURCE, TARGET, [["PER"] * 6, []], LINKS)
    with pytest.raises(alinea.ConfigError, match=r"^min_confidence = 2: must be 0 to 1$"):
        project.labels(SOURCE, TARGET, TAGS, LINKS, min_confidence=2)
    with pytest.raises(alinea.ConfigError, match=r"^method = best: must be"):
        project.labels(SOURCE, TARGET, TAGS, LINKS, method="best")  # type: ignore[arg-type]
    with pytest.raises(alinea.Error, match=r"^7 links have 2 confidences$"):
        project.labels(SOURCE, TARGET, TAGS, alinea.Posteriors(alinea.LinkColumn.of(LINKS), np.ones(2, np.float32)))
    with pytest.raises(alinea.Error, match=r"overlap, which tags cannot say$"):
        project.tags_of([(0, 2, "A"), (1, 3, "B")], 3)
