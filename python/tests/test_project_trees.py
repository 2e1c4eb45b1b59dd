"""Trees carried over links."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import alinea
from alinea import project


def rows(*words: tuple[str, str, int, str]) -> str:
    """A sentence of forms, parts of speech, heads and relations."""
    lines = (f"{n}\t{form}\t_\t{upos}\t_\t_\t{head}\t{rel}\t_\t_" for n, (form, upos, head, rel) in enumerate(words, 1))
    return "\n".join(lines) + "\n"


SOURCE = [
    rows(
        ("Anna", "PROPN", 2, "nsubj"),
        ("reads", "VERB", 0, "root"),
        ("books", "NOUN", 2, "obj"),
        (".", "PUNCT", 2, "punct"),
    ),
    rows(("she", "PRON", 2, "nsubj"), ("sleeps", "VERB", 0, "root")),
]
TARGET = ["Anna Bücher liest .", "schläft"]
LINKS = ["0-0 1-2 2-1 3-3", "1-0"]
METHODS: tuple[project.TreeMethod, ...] = ("consistent", "mended", "direct")


def shown(tree: project.ProjectedTree) -> list[tuple[str, int | None, str]]:
    return [(word.upos, word.head, word.relation) for word in tree.words]


@pytest.mark.parametrize("method", METHODS)
def test_edges_go_over_links(method: project.TreeMethod) -> None:
    first, second = project.trees(SOURCE, TARGET, LINKS, method=method)
    assert shown(first) == [("PROPN", 2, "nsubj"), ("NOUN", 2, "obj"), ("VERB", None, "root"), ("PUNCT", 2, "punct")]
    assert shown(second) == [("VERB", None, "root")]
    assert [word.source for word in first.words] == [0, 2, 1, 3]
    assert {word.origin for tree in (first, second) for word in tree.words} == {"carried"}
    assert [word.form for word in first.words] == TARGET[0].split()
    words = [line.split() for line in TARGET]
    assert project.trees(SOURCE, iter(words), LINKS, method=method, threads=1) == [first, second]


def test_the_command_finds_the_same(answer: Callable[..., str], tmp_path: Path) -> None:
    source, target, links, report = (tmp_path / name for name in ("en.conllu", "de", "links", "report"))
    source.write_text("\n".join(SOURCE) + "\n", encoding="utf-8")
    target.write_text("\n".join(TARGET) + "\n", encoding="utf-8")
    weights = np.array([0.9, 0.6, 0.8, 0.3, 0.5], np.float32)
    given = alinea.Posteriors(alinea.LinkColumn.of(LINKS), weights)
    flat = [f"{i}-{j}:{weight}" for (i, j), weight in zip(given.links.rows.tolist(), weights, strict=True)]
    links.write_text(f"{' '.join(flat[:4])}\n{flat[4]}\n")
    for method in METHODS:
        found = project.trees(source, target, given, method=method, threshold=0.4)
        options = ("--links", links, "--method", method, "--threshold", 0.4, "--report", report)
        written = answer("project", "trees", source, target, *options)
        sentences = written.removesuffix("\n\n").split("\n\n")
        without_comments = ["".join(f"{row}\n" for row in rows.split("\n") if row[0] != "#") for rows in sentences]
        assert without_comments == [tree.conllu() for tree in found], method
        told = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
        words = [word for tree in found for word in tree.words]
        assert [word["origin"] for word in told] == [word.origin for word in words]
        assert [word["confidence"] for word in told] == pytest.approx([word.confidence for word in words])


def test_known_parts_of_speech_stay() -> None:
    tags: list[list[str | None]] = [["PROPN", None, "_", "SYM"], ["AUX"]]
    found = project.trees(SOURCE, TARGET, LINKS, upos=tags)
    assert [word.upos for word in found[0].words] == ["PROPN", "NOUN", "VERB", "SYM"]
    assert found[1].words[0].upos == "AUX"


def test_words_are_aligned_where_there_are_no_links() -> None:
    source = [rows(("the", "DET", 2, "det"), (noun, "NOUN", 0, "root")) for noun in ("house", "flower", "book")]
    target = ["das Haus", "das Blume", "das Buch"]
    found = project.trees(source, target)
    words = [["the", noun] for noun in ("house", "flower", "book")]
    assert found == project.trees(source, target, alinea.posteriors(words, target))
    assert found == project.trees(source, iter(target), threads=1)
    assert all(sum(word.head is None for word in tree.words) == 1 for tree in found)


def test_bad_input_is_refused() -> None:
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 2 sentences, target has 1$"):
        project.trees(SOURCE, TARGET[:1], LINKS)
    with pytest.raises(alinea.Error, match=r"^unequal lengths: source has 2 sentences, upos has 1$"):
        project.trees(SOURCE, TARGET, LINKS, upos=[["X"] * 4])
    with pytest.raises(alinea.Error, match=r"^upos\[1\]: 2 parts of speech for 1 words$"):
        project.trees(SOURCE, TARGET, LINKS, upos=[["X"] * 4, ["X"] * 2])
    with pytest.raises(alinea.Error, match=r"^pair 2: link 0-9 in sentences of 2 and 1$"):
        project.trees(SOURCE, TARGET, ["", "0-9"])
    with pytest.raises(alinea.Error, match=r"^pair 1: the source has no tree$"):
        project.trees(["1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n"], ["b"], ["0-0"])
    with pytest.raises(alinea.ParseError, match=r"are both roots"):
        project.trees([rows(("a", "X", 0, "root"), ("b", "X", 0, "root"))], ["b"], ["0-0"])
    with pytest.raises(alinea.ConfigError, match=r"^threshold = 2: must be 0 to 1$"):
        project.trees(SOURCE, TARGET, LINKS, threshold=2)
    with pytest.raises(alinea.ConfigError, match=r"^method = best: must be"):
        project.trees(SOURCE, TARGET, LINKS, method="best")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected a sequence of sentences"):
        project.trees(SOURCE[0], TARGET, LINKS)
    assert project.trees([], [], []) == []
