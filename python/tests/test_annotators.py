"""Several annotators: expectations by hand, and those of the reference implementation."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
from vector_files import vectors

import alinea

PEOPLE: dict[str, list[str | None]] = {"anna": ["0-0 1-1", "0-0"], "ben": ["0-0 1p2", None]}


def links(pairs: list[list[int]]) -> list[tuple[int, int]]:
    return [(source - 1, target - 1) for source, target in pairs]


@vectors("annotators.jsonl", "agreement")
def test_agreement_is_that_of_the_reference(vector: dict[str, Any]) -> None:
    people = {name: list(map(links, sentences.values())) for name, sentences in vector["input"].items()}
    found = alinea.agreement(people)
    [pair] = found.pairs
    expect = vector["expect"]
    assert pair.common == expect["common"]
    assert pair.second_covered == pytest.approx(expect["a_x_y"])
    assert pair.first_covered == pytest.approx(expect["a_y_x"])
    assert found.mean_agreement == pair.agreement == pytest.approx(expect["a"])
    assert pair.kappa is None


@vectors("annotators.jsonl", "types")
def test_types_are_those_of_the_reference(vector: dict[str, Any]) -> None:
    given, expect = vector["input"], vector["expect"]
    found = alinea.correspondence_types([links(given["pairs"])], [(given["n"], given["m"])])
    assert (found.one_to_one, found.null_words, found.chunks) == (expect["1-1"], expect["null"], expect["chunk"])


@vectors("annotators.jsonl", "multi_reference")
def test_several_annotations_of_a_sentence(vector: dict[str, Any]) -> None:
    output, expect = vector["input"]["output"], vector["expect"]
    people = {
        name: [links(pairs) if of == sentence else None for sentence in output]
        for name, of, pairs in vector["input"]["references"]
    }
    evaluation = alinea.evaluate(people, [links(pairs) for pairs in output.values()])
    assert (evaluation.hypothesis, evaluation.sure, evaluation.annotations) == (5, 6, 3)
    assert evaluation.precision == expect["precision"]
    assert evaluation.recall == pytest.approx(expect["recall"])
    assert evaluation.signature.startswith("alignment|references:instances|annotators:3|")


def test_references() -> None:
    hypotheses = ["0-0 1-2", "1-1"]
    # The union of the first sentence: 0-0 is sure to both; 1-1 and 1-2 are possible.
    union = alinea.evaluate(PEOPLE, hypotheses, references="union")
    assert (union.sure, union.possible, union.in_sure, union.in_possible) == (2, 4, 1, 2)
    # The best for the first sentence is Ben's.
    best = alinea.evaluate(PEOPLE, hypotheses, references="best")
    assert (best.hypothesis, best.sure, best.in_possible) == (3, 2, 2)
    with pytest.raises(alinea.ConfigError, match="references = vote: must be instances, best, union"):
        alinea.evaluate(PEOPLE, hypotheses, references="vote")  # type: ignore[arg-type]


def test_kappa_by_hand() -> None:
    [pair] = alinea.agreement(PEOPLE, lengths=[(2, 3), (1, 1)]).pairs
    # 4 of 6 cells alike, by chance 2/6 · 2/6 + 4/6 · 4/6 = 20/36.
    assert (pair.sentences, pair.first_links, pair.second_links) == (1, 2, 2)
    assert pair.kappa == pytest.approx((4 / 6 - 20 / 36) / (1 - 20 / 36))
    [sure] = alinea.agreement(PEOPLE, sure_only=True).pairs
    assert (sure.second_links, sure.second_covered) == (1, 1.0)


def test_files_are_read(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "anna.align"
    path.write_text("0-0 1-1\n0-0\n", encoding="utf-8")
    assert alinea.agreement({"file": path, "lines": PEOPLE["anna"]}).mean_agreement == 1.0


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(alinea.Error, match="unequal lengths: x has 1 line, y has 2"):
        alinea.agreement({"x": [""], "y": ["", ""]})
    with pytest.raises(alinea.Error, match="no annotators"):
        alinea.agreement({})
    with pytest.raises(alinea.Error, match="no annotator annotated any sentence"):
        alinea.evaluate({"x": [None]}, [""])
    with pytest.raises(alinea.ParseError, match="y:1:1"):
        alinea.agreement({"x": [""], "y": ["z"]})
    with pytest.raises(alinea.Error, match="link 1-1 is out of range"):
        alinea.correspondence_types(["1-1"], [(1, 1)])
    with pytest.raises(alinea.Error, match="unequal lengths: links has 1 line, lengths has 2"):
        alinea.correspondence_types(["0-0"], [(1, 1), (1, 1)])
