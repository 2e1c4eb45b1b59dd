"""Breakdowns, gains and pages: expectations by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import alinea

pytestmark = pytest.mark.filterwarnings("ignore::alinea.metrics.FewSegmentsWarning")

GOLD = ["0-0 1-1 1-2", "0-0 1p1"]
LINKS = ["0-0 1-1 2-2", "0-0 1-1"]


def test_buckets_add_up_to_the_whole() -> None:
    whole = alinea.evaluate(GOLD, LINKS)
    for buckets in (
        alinea.breakdown(GOLD, LINKS),
        alinea.breakdown(GOLD, LINKS, side="target"),
        alinea.breakdown(GOLD, LINKS, lengths=[(3, 3), (2, 2)]),
        alinea.breakdown(GOLD, LINKS, tags=[["A", "B", "A"], ["B", "A"]]),
        alinea.breakdown(GOLD, LINKS, side="target", frequencies=[[1, 2, 100], [0, 3]]),
    ):
        for count in ("hypothesis", "sure", "possible", "in_sure", "in_possible"):
            assert sum(getattr(bucket, count) for bucket in buckets) == getattr(whole, count)


def test_links_fall_into_buckets() -> None:
    # Source words with 0, 1 and 2 gold links.
    fertility = {bucket.label: (bucket.hypothesis, bucket.in_possible) for bucket in alinea.breakdown(GOLD, LINKS)}
    assert fertility == {"0": (1, 0), "1": (3, 3), "2": (1, 1), "3": (0, 0), "4+": (0, 0)}
    tags = alinea.breakdown(GOLD, LINKS, tags=[["A", "B", "A"], ["B", "A"]])
    assert [(bucket.label, bucket.precision, bucket.recall) for bucket in tags] == [
        ("A", 2 / 3, 1.0),
        ("B", 1.0, 2 / 3),
    ]


def test_gains_are_those_of_the_definitions() -> None:
    gold, old, new = ["0-0 1-1", "0-0 1-1"], ["0-0", "0-0 1-1"], ["0-0 1-1", "0-0 1-1"]
    found = alinea.gains(gold, old, new)
    assert found.recall.absolute == 0.25
    assert found.recall.relative == pytest.approx(1 / 3)
    assert found.precision.absolute == 0.0
    # Recall of samples: the first sentence twice, each once, the second twice.
    assert found.recall.absolute_interval == (0.0, 0.5)
    assert found.recall.relative_interval == (0.0, 1.0)
    # AER 1 - (3 + 3) / (3 + 4) and 0.
    assert found.aer.absolute == pytest.approx(-1 / 7)
    people = {"anna": gold, "ben": [gold[0], None]}
    assert alinea.gains(people, old, new).recall.absolute == pytest.approx(1 - 4 / 6)


def test_a_page_has_words_links_and_trees(tmp_path: Path) -> None:
    tree = "1\tdas\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tHaus\t_\tNOUN\t_\t_\t0\troot\t_\t_"
    path = tmp_path / "page.html"
    sets = {"ours": ["0-0 1-1"], "theirs": ["0-1"]}
    alinea.write_page(
        path, ["das Haus"], ["the <house>"], sets, gold={"people": ["0-0 1p1"]}, title="A & B", source_trees=[tree]
    )
    page = path.read_text()
    assert "A &amp; B" in page
    start = page.index('{"layers":')
    data = json.JSONDecoder().raw_decode(page[start:])[0]
    assert [(layer["name"], layer["gold"]) for layer in data["layers"]] == [
        ("ours", False),
        ("theirs", False),
        ("people", True),
    ]
    [pair] = data["pairs"]
    assert (pair["s"], pair["t"]) == (["das", "Haus"], ["the", "<house>"])
    assert pair["l"] == [[[0, 0], [1, 1]], [[0, 1]], [[0, 0], [1, 1, 1]]]
    assert pair["st"] == [[1, "det", "DET"], [-1, "root", "NOUN"]]
    assert "tt" not in pair


def test_a_page_has_confidences(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    found = alinea.posteriors(["das Haus", "das Buch", "ein Buch"] * 3, ["the house", "the book", "a book"] * 3)
    sets: dict[str, alinea.Posteriors | list[str]] = {"ours": found, "best": ["0-0 1-1"] * 9}
    alinea.write_page(path, ["das Haus", "das Buch", "ein Buch"] * 3, ["the house", "the book", "a book"] * 3, sets,
                      gold={"people": ["0-0 1-1"] * 9})  # fmt: skip
    page = path.read_text()
    data = json.JSONDecoder().raw_decode(page[page.index('{"layers":') :])[0]
    shown = [[(s, t, w) for s, t, _, w in pair["l"][0]] for pair in data["pairs"]]
    expected = np.split(np.column_stack([found.links.rows, found.confidences]), found.links.offsets[1:-1])
    assert [len(links) for links in shown] == [len(links) for links in expected]
    rows = np.concatenate([np.array(links) for links in shown])
    np.testing.assert_allclose(rows, np.concatenate(expected), atol=1e-3)
    assert all(len(link) == 2 for pair in data["pairs"] for link in pair["l"][1])
    # The curve, and what confidences promise and keep.
    assert page.count("<svg") == 2
    wrong = alinea.Posteriors(found.links, found.confidences[1:])
    with pytest.raises(alinea.Error, match=r"ours: \d+ confidences of \d+ links"):
        alinea.write_page(path, ["das"] * 9, ["the"] * 9, {"ours": wrong})
    wrong = alinea.Posteriors(found.links, np.full_like(found.confidences, np.nan))
    with pytest.raises(alinea.ConfigError, match=r"confidences = NaN"):
        alinea.write_page(path, ["das"] * 9, ["the"] * 9, {"ours": wrong})


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with pytest.raises(alinea.Error, match=r"unequal lengths: ours has 2 lines, source has 1"):
        alinea.write_page(path, ["a"], ["b"], {"ours": ["0-0", "0-0"]})
    with pytest.raises(alinea.Error, match=r"two sets of links are called ours"):
        alinea.write_page(path, ["a"], ["b"], {"ours": ["0-0"]}, gold={"ours": ["0-0"]})
    with pytest.raises(alinea.Error, match=r"source_trees: sentence 1 has 1 words there, 2 in the text"):
        alinea.write_page(path, ["a b"], ["b"], {"ours": [""]}, source_trees=["1\ta\t_\t_\t_\t_\t0\troot\t_\t_"])
    with pytest.raises(alinea.Error, match=r"more trees than nonempty sentences"):
        alinea.write_page(path, [""], ["b"], {"ours": [""]}, source_trees=["1\ta\t_\t_\t_\t_\t0\troot\t_\t_"])
    assert not path.exists()
    with pytest.raises(alinea.ConfigError, match=r"^tags = given: must be unset if lengths is given$"):
        alinea.breakdown(GOLD, LINKS, lengths=[(3, 3), (2, 2)], tags=[["A"]])
    with pytest.raises(alinea.ConfigError, match=r"^side = left: must be source or target$"):
        alinea.breakdown(GOLD, LINKS, side="left")  # type: ignore[arg-type]
    with pytest.raises(alinea.Error, match=r"link 1-1 is between words without source tag"):
        alinea.breakdown(["0-0"], ["1-1"], tags=[["A"]])
    with pytest.raises(alinea.ConfigError, match=r"samples"):
        alinea.gains(GOLD, LINKS, LINKS, samples=0)
