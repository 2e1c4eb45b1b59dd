"""Links in files: every format, against `alinea convert`; evaluation against `alinea evaluate`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import alinea
import alinea.metrics

SOURCE, TARGET = ["the house", "a  b c", "x"], ["la maison", "d e", "y"]
GOLD = ["0-0 1p1", "", "0-0"]
NAMES = {"giza": "links.A3.final"}
WITHOUT_EXTENSION = {"opustrainer", "simalign", "serval"}
WITH_WORDS = {"giza", "comtrans", "jsonl", "opustrainer", "serval"}


@pytest.mark.parametrize("name", [name for name in get_args(alinea.LinkFormat) if name != "bal"])
def test_files_are_those_of_convert(answer: Callable[..., str], tmp_path: Path, name: Any) -> None:
    pharaoh, ours, other = tmp_path / "links.align", tmp_path / NAMES.get(name, f"ours.{name}"), tmp_path / "other"
    for file, lines in (("source", SOURCE), ("target", TARGET), (pharaoh, GOLD)):
        (tmp_path / file).write_text("\n".join(lines) + "\n")
    words = {"source": SOURCE, "target": TARGET} if name in WITH_WORDS else {}
    options = [word for side in words for word in (f"--{side}", tmp_path / side)]
    answer("convert", pharaoh, "-o", other, "--to", name, *options)
    alinea.write_links(ours, GOLD, name if name in WITHOUT_EXTENSION else None, **words)  # type: ignore[arg-type]
    assert ours.read_bytes() == other.read_bytes()

    read = alinea.read_links(other, name, sentences=3 if name == "naacl" else None)
    assert [pair.tolist() for pair in read.links] == [[[0, 0], [1, 1]], [], [[0, 0]]]
    marked = [False, name not in {"giza", "comtrans", "simalign", "serval"}, False]
    assert read.possible.tolist() == marked
    assert (read.source, read.target) == (
        ([["the", "house"], ["a", "b", "c"], ["x"]], [line.split() for line in TARGET]) if words else (None, None)
    )
    # What was read is written again.
    again = tmp_path / "again"
    alinea.write_links(again, read, name)
    assert again.read_bytes() == other.read_bytes()
    alinea.write_links(tmp_path / "back", read, "pharaoh")
    assert (tmp_path / "back").read_text().splitlines() == (GOLD if marked[1] else ["0-0 1-1", "", "0-0"])


def test_options_of_reading_and_writing(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("1-1:0.9 2-2:0.25\n\n")
    read = alinea.read_links(path, base=1, threshold=0.5)
    assert [pair.tolist() for pair in read.links] == [[[0, 0]], []]
    assert read.weights is not None
    assert read.weights.tolist() == [np.float32(0.9)]
    assert len(read) == 2
    alinea.write_links(path, read, base=1, digits=2)
    assert path.read_text() == "1-1:0.90\n\n"
    path.write_text("s2 1 1 S\ns1 2 1 P\n")
    read = alinea.read_links(path, "naacl", sentences=["s1", "s2"])
    assert read.gold() == [alinea.GoldAlignment((), [(1, 0)]), alinea.GoldAlignment([(0, 0)])]
    alinea.write_links(tmp_path / "named.naacl", read, sentences=["s1", "s2"])
    assert (tmp_path / "named.naacl").read_text() == "s1 2 1 P\ns2 1 1 S\n"
    path.write_bytes("caf\u00e9\nkaffee\n0-0\n".encode("latin-1"))
    assert alinea.read_links(path, "comtrans", encoding="latin-1").source == [["caf\u00e9"]]
    a3 = tmp_path / "reverse.A3.final"
    alinea.write_links(a3, ["0-1"], source=["a"], target=["x y"], direction="target-source")
    assert alinea.read_links(a3, direction="target-source").links[0].tolist() == [[0, 1]]
    assert alinea.read_links(a3).links[0].tolist() == [[1, 0]]


def test_formats_are_recognized(tmp_path: Path) -> None:
    path = tmp_path / "links"
    for text, expected in (
        ("# Sentence pair (1) source length 1 target length 1\nb\nNULL ({ }) a ({ 1 })\n", [[[0, 0]]]),
        ("0\t0-0 1-1\n1\t\n", [[[0, 0], [1, 1]], []]),
        ("a b\tc\t1-0\n", [[[1, 0]]]),
        ('[{"sourceTokens":["a"],"targetTokens":["b"],"alignment":[{"sourceIndex":0,"targetIndex":0}]}]', [[[0, 0]]]),
        ("1 1 2 S\n", [[[0, 1]]]),
    ):
        path.write_text(text)
        assert [pair.tolist() for pair in alinea.read_links(path).links] == expected
    gaps = tmp_path / "gaps.A3.final"
    gaps.write_text("# Sentence pair (2) source length 1 target length 1\nb\nNULL ({ }) a ({ 1 })\n")
    with pytest.raises(alinea.Error, match="sentence pair 1 is missing"):
        alinea.read_links(gaps)
    read = alinea.read_links(gaps, fill_gaps=True)
    assert [pair.tolist() for pair in read.links] == [[], [[0, 0]]]
    assert read.source == [[], ["a"]]


def test_what_cannot_be_read_or_written(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-0 x\n")
    with pytest.raises(alinea.ParseError, match=r"links:1:5: expected"):
        alinea.read_links(path)
    with pytest.raises(alinea.ConfigError, match="format = xml"):
        alinea.read_links(path, "xml")  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match="base = 2"):
        alinea.read_links(path, base=2)  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match=r"^encoding = ascii: must be utf-8 or latin-1$"):
        alinea.read_links(path, encoding="ascii")  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match=r"^direction = back: must be source-target or target-source$"):
        alinea.read_links(path, direction="back")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        alinea.read_links(tmp_path / "none")
    for sides, message in (
        ({"source": ["a"]}, "both are needed"),
        ({}, "words"),
        ({"source": ["a"], "target": ["b", "c"]}, "unequal"),
    ):
        with pytest.raises((ValueError, alinea.Error), match=message):
            alinea.write_links(tmp_path / "x.comtrans", ["0-0"], **sides)  # type: ignore[arg-type]
    with pytest.raises(alinea.ConfigError, match="format = bal"):
        alinea.write_links(tmp_path / "x.bal", ["0-0"], source=["a"], target=["b"])
    for name in (name for name in get_args(alinea.LinkFormat) if name != "bal"):
        file = tmp_path / f"out.{name}"
        with pytest.raises(
            alinea.Error, match=r"^links\[1\]: link 1-1 is out of range, the source has 1 token, the target 1$"
        ) as caught:
            alinea.write_links(file, ["0-0", "1-1"], name, source=["a", "c"], target=["b", "d"])
        assert not isinstance(caught.value, alinea.ParseError), "no line of a file is meant"
        assert not file.exists()
    with pytest.raises(alinea.ConfigError, match="digits = 13"):
        alinea.to_pharaoh(["0-0"], digits=13)


def test_lines_of_all_kinds_of_links(tmp_path: Path) -> None:
    column = alinea.align(SOURCE, TARGET)
    expected = [" ".join(f"{i}-{j}" for i, j in pair.tolist()) for pair in column]
    assert alinea.to_pharaoh(column) == alinea.to_pharaoh(list(column)) == expected
    found = alinea.posteriors(SOURCE, TARGET)
    weighted = alinea.to_pharaoh(found, digits=3)
    assert [token.rpartition(":")[0] for line in weighted for token in line.split()] == [
        f"{i}-{j}" for i, j in found.links.rows.tolist()
    ]
    path = tmp_path / "links.gz"
    alinea.write_pharaoh(path, found, digits=3)
    assert path.read_bytes()[:2] == b"\x1f\x8b"
    assert alinea.to_pharaoh(alinea.read_links(path), digits=3) == weighted
    assert alinea.to_pharaoh([]) == []


def gold_and_systems() -> tuple[list[str], list[str], list[str]]:
    generator = np.random.default_rng(5)
    lines: list[list[str]] = [[], [], []]
    for _ in range(320):
        links = [(i, i + int(generator.integers(0, 2))) for i in range(6)]
        lines[0].append(" ".join(f"{i}{'p' if generator.random() < 0.2 else '-'}{j}" for i, j in links))
        for lines_of_system, share in zip(lines[1:], (0.8, 0.7), strict=True):
            kept = [(i, j if generator.random() < share else 9) for i, j in links]
            lines_of_system.append(" ".join(f"{i}-{j}" for i, j in kept))
    return lines[0], lines[1], lines[2]


def test_intervals_and_the_paired_test_are_those_of_the_command(answer: Callable[..., str], tmp_path: Path) -> None:
    gold, first, second = gold_and_systems()
    for name, lines in (("gold", gold), ("first", first), ("second", second)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    command = ["evaluate", "--gold", tmp_path / "gold", tmp_path / "first"]
    expected = json.loads(answer(*command, "--json", "--bootstrap", 200, "--seed", 3, "--confidence", 0.9))
    found = alinea.evaluate(gold, first, samples=200, seed=3, confidence=0.9)
    assert found.signature == expected["signature"]
    assert found.intervals is not None
    compared = json.loads(answer(*command, tmp_path / "second", "--json"))
    comparison = alinea.compare(gold, first, second)
    assert not comparison.identical
    assert comparison.baseline.signature == comparison.system.signature == compared["signature"]
    # The baseline stands first. The second has fewer right links, so that F falls and AER rises.
    for name, evaluation in (("baseline", comparison.baseline), ("system", comparison.system)):
        assert evaluation.f == compared[name]["corpus"]["f"]
    assert compared["differences"]["f"]["difference"] < 0 < compared["differences"]["aer"]["difference"]
    for score in ("precision", "recall", "f", "aer"):
        estimate = expected["intervals"][score]
        ours = getattr(found.intervals, score)
        assert ours.interval == (estimate["interval"]["low"], estimate["interval"]["high"])
        assert ours.standard_error == estimate["standard_error"]
        theirs, difference = compared["differences"][score], getattr(comparison, score)
        assert difference.value == theirs["difference"]
        assert difference.interval == (theirs["interval"]["low"], theirs["interval"]["high"])
        assert (difference.standard_error, difference.p_value) == (theirs["standard_error"], theirs["p_value"])
    assert alinea.compare(gold, first, first).identical
    with pytest.raises(alinea.ConfigError, match=r"^samples = 0: must be 1 or more$"):
        alinea.compare(gold, first, second, samples=0)
    with pytest.raises(alinea.ConfigError, match="samples = -1"):
        alinea.evaluate(gold, first, samples=-1)
    with pytest.warns(alinea.metrics.FewSegmentsWarning, match="2 sentences"):
        alinea.evaluate({"a": gold[:2], "b": [gold[0], None]}, first[:2], samples=5)
