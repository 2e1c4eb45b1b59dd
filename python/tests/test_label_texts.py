"""Labels of characters, of documents, and of columns of data frames."""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

import alinea
from alinea import project

SOURCE = ["Anna's home is New York.", "York sleeps"]
TARGET = ["Annas Heimat ist New York.", "York schläft"]
SPANS: list[list[dict[str, Any]]] = [
    [{"start": 0, "end": 4, "label": "PER"}, {"start": 15, "end": 23, "label": "LOC"}],
    [{"start": 0, "end": 4, "label": "LOC"}],
]
# Between Anna ' s home is New York . and Annas Heimat ist New York .
LINKS = ["0-0 3-1 4-2 5-3 6-4 7-5", "0-0 1-1"]


def found_texts(found: list[project.ProjectedLabels]) -> list[list[tuple[str, str]]]:
    return [
        [(text[span.start : span.end], span.label) for span in pair.spans]
        for text, pair in zip(TARGET, found, strict=True)
    ]


def test_labels_of_characters_go_by_words() -> None:
    found = project.text_labels(SOURCE, TARGET, SPANS, LINKS)
    assert found_texts(found) == [[("Annas", "PER"), ("New York", "LOC")], [("York", "LOC")]]
    assert [span.source for span in found[0].spans] == [0, 1]
    triples = [[(span["start"], span["end"], span["label"]) for span in spans] for spans in SPANS]
    assert project.text_labels(iter(SOURCE), TARGET, triples, LINKS) == found
    # A column of a data frame, in which there may be nothing.
    frame = pd.DataFrame({"text": [*SOURCE, "no"], "spans": [*SPANS, None]})
    of_frame = project.text_labels(frame["text"], [*TARGET, "nein"], frame["spans"], [*LINKS, "0-0"])
    # The rest of the text changes confidences.
    assert [[span[:3] for span in pair.spans] for pair in of_frame] == [
        *([span[:3] for span in pair.spans] for pair in found),
        [],
    ]
    # Words of someone else.
    by_blanks = project.text_labels(SOURCE, TARGET, SPANS, ["0-0 1-1 2-2 3-3 4-4", "0-0 1-1"], words=blank_words)
    assert found_texts(by_blanks)[0] == [("Annas", "PER"), ("New York.", "LOC")]


def blank_words(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for word in text.split(" "):
        yield start, start + len(word)
        start += len(word) + 1


def test_the_command_finds_the_same(answer: Callable[..., str], tmp_path: Path) -> None:
    source, target, links = (tmp_path / name for name in ("en.jsonl", "de.txt", "links"))
    records = [json.dumps({"text": text, "spans": spans}) for text, spans in zip(SOURCE, SPANS, strict=True)]
    source.write_text("\n".join(records) + "\n", encoding="utf-8")
    target.write_text("\n".join(TARGET) + "\n", encoding="utf-8")
    links.write_text("\n".join(LINKS) + "\n", encoding="utf-8")
    written = answer("project", "labels", source, target, "--links", links).splitlines()
    found = project.text_labels(SOURCE, TARGET, SPANS, LINKS)
    for line, pair in zip(written, found, strict=True):
        spans = [(span["start"], span["end"], span["label"]) for span in json.loads(line)["spans"]]
        assert spans == [span[:3] for span in pair.spans]


def test_what_is_wrong_with_labels_of_characters_is_said() -> None:
    with pytest.raises(alinea.Error, match=r"^text 2: LOC at 0 to 12 in a text of 11 characters$"):
        project.text_labels(SOURCE, TARGET, [[], [(0, 12, "LOC")]], LINKS)
    with pytest.raises(alinea.Error, match=r"^text 1: PER on 'Ann' begins or ends inside a word$"):
        project.text_labels(SOURCE, TARGET, [[(0, 3, "PER")], []], LINKS, partial_words="refuse")
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 2 sentences, labels has 1$"):
        project.text_labels(SOURCE, TARGET, [[]], LINKS)
    with pytest.raises(TypeError, match=r"^a label is \(start, end, label\) or has these keys"):
        project.text_labels(SOURCE, TARGET, [[("PER", 1)], []], LINKS)  # type: ignore[list-item]
    found = project.text_labels(["a b"], ["a b"], [[(1, 2, "X"), (0, 1, "Y")]], ["0-0 1-1"])
    assert (found[0].lost, [span[:3] for span in found[0].spans]) == ({0: "wordless"}, [(0, 1, "Y")])


def test_labels_of_words_may_be_dictionaries() -> None:
    source, target = ["Anna lives in New York"], ["Anna wohnt in New York"]
    links = ["0-0 1-1 2-2 3-3 4-4"]
    found = project.labels(source, target, [[(3, 5, "LOC")]], links)
    assert project.labels(source, target, [[{"start": 3, "end": 5, "label": "LOC"}]], links) == found
    prodigy = {"start": 14, "end": 22, "token_start": 3, "token_end": 4, "label": "LOC"}
    assert project.labels(source, target, [[prodigy]], links) == found
    assert project.labels(source, target, pd.Series([[prodigy]]), links) == found
    assert project.labels(source, target, [None], links)[0].spans == []


class Token(NamedTuple):
    text: str
    idx: int


class Entity(NamedTuple):
    start: int
    end: int
    label_: str


@dataclass
class Document:
    """What of a document of spaCy is asked for."""

    text: str
    ents: list[Any] = field(default_factory=list)
    spans: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def tokens(self) -> list[Token]:
        return [Token(self.text[start:end], start) for start, end in project.words_of(self.text)]

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    def __getitem__(self, token: int) -> Token:
        return self.tokens[token]

    def char_span(self, start: int, end: int, label: str) -> tuple[str, str]:
        return self.text[start:end], label


def test_documents_have_words_and_entities() -> None:
    source = [
        Document(SOURCE[0], [Entity(0, 1, "PER"), Entity(5, 7, "LOC")]),
        Document(SOURCE[1], [Entity(0, 1, "LOC")]),
    ]
    target = [Document(text) for text in TARGET]
    found = project.labels(source, target, links=LINKS)  # type: ignore[arg-type]
    assert [[span[:3] for span in pair.spans] for pair in found] == [[(0, 1, "PER"), (3, 5, "LOC")], [(0, 1, "LOC")]]
    assert project.labels(iter(source), iter(target), links=LINKS) == found  # type: ignore[arg-type]
    project.set_entities(target, found)
    assert [document.ents for document in target] == [[("Annas", "PER"), ("New York", "LOC")], [("York", "LOC")]]
    overlapping = [
        project.ProjectedSpan(3, 5, "LOC", 0.5, 0),
        project.ProjectedSpan(4, 5, "N", 0.9, 1),
        project.ProjectedSpan(0, 1, "PER", 0.1, 2),
    ]
    project.set_entities(target[:1], [overlapping])
    assert target[0].ents == [("Annas", "PER"), ("York", "N")]
    project.set_entities(target[:1], [overlapping], "names")
    assert target[0].spans["names"] == [("New York", "LOC"), ("York", "N"), ("Annas", "PER")]
    with pytest.raises(TypeError, match="labels are missing"):
        project.labels(SOURCE, TARGET, links=LINKS)
    with pytest.raises(ValueError, match="zip"):
        project.set_entities(target, found[:1])


@pytest.mark.skipif(importlib.util.find_spec("spacy") is None, reason="spaCy is not installed")
def test_documents_of_spacy() -> None:
    spacy = importlib.import_module("spacy")
    blank = spacy.blank("en")
    source, target = (list(blank.pipe(side)) for side in (["Anna lives in York"], ["Anna wohnt in York"]))
    source[0].ents = [source[0].char_span(14, 18, label="LOC")]
    project.set_entities(target, project.labels(source, target, links=["0-0 1-1 2-2 3-3"]))
    assert [(entity.text, entity.label_) for entity in target[0].ents] == [("York", "LOC")]
