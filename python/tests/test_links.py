from __future__ import annotations

import gzip
import os
import pickle
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import alinea
from alinea import _native

FORWARD = [(0, 0), (1, 1), (1, 2), (0, 4)]
REVERSE = [(0, 0), (1, 1), (2, 1), (3, 5)]


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("intersection", "0-0 1-1"),
        ("union", "0-0 0-4 1-1 1-2 2-1 3-5"),
        ("grow", "0-0 1-1 1-2 2-1"),
        ("grow-diag", "0-0 1-1 1-2 2-1"),
        ("grow-diag-final", "0-0 0-4 1-1 1-2 2-1 3-5"),
        ("grow-diag-final-and", "0-0 1-1 1-2 2-1 3-5"),
    ],
)
def test_directions_are_joined(method: alinea.Method, expected: str) -> None:
    # Worked out by hand from the definition; 0-4 covers a new target word only, 3-5 covers two new words.
    assert method in get_args(alinea.Method)
    (joined,) = alinea.symmetrize([FORWARD], [REVERSE], method)
    assert joined.dtype == np.uint32
    assert joined.tolist() == alinea.parse_pharaoh(expected).sure.tolist()


@pytest.mark.parametrize(
    "links",
    [
        "0-0 1-1 1-2 0-4",
        FORWARD,
        tuple(FORWARD),
        set(FORWARD),
        iter(FORWARD),
        [list(link) for link in FORWARD],
        np.array(FORWARD),
        np.array(FORWARD, dtype=np.uint32),
        np.array(FORWARD, dtype=np.int8, order="F"),
        np.array(FORWARD * 2, dtype=np.uint32)[::2],
        [np.array(link) for link in FORWARD],
    ],
    ids=lambda links: type(links).__name__,
)
def test_links_come_in_many_forms(links: alinea.Links) -> None:
    (joined,) = alinea.symmetrize([links], [REVERSE], "union")
    expected = {tuple(link) for link in FORWARD} | set(REVERSE)
    if isinstance(links, np.ndarray) and links.base is not None:
        expected = {tuple(link) for link in links.tolist()} | set(REVERSE)
    assert {tuple(link) for link in joined.tolist()} == expected


@pytest.mark.parametrize("links", ["", [], (), set(), np.empty((0, 2), dtype=np.int64), np.array([])])
def test_no_links_are_links_too(links: alinea.Links) -> None:
    (joined,) = alinea.symmetrize([links], [links], "union")
    assert joined.shape == (0, 2)


@pytest.mark.parametrize(
    ("links", "error", "message"),
    [
        ([0, 1], ValueError, r"^reverse\[1\]: links are pairs of positions, not an array of shape \(2,\)$"),
        ([(0, 1, 2)], ValueError, r"^reverse\[1\]: links are pairs of positions, not an array of shape \(1, 3\)$"),
        ([(0, -1)], ValueError, r"^reverse\[1\]: positions are from 0 to 4294967295$"),
        ([(0, 2**32)], ValueError, r"^reverse\[1\]: positions are from 0 to 4294967295$"),
        ([(0, 1.0)], TypeError, r"^reverse\[1\]: positions are integers, not float64$"),
        ([("0", "1")], TypeError, r"^reverse\[1\]: positions are integers, not <U1$"),
        ([(0, 1), (2,)], ValueError, r"^reverse\[1\]: links are pairs of positions, and some are not$"),
        (3, TypeError, r"^reverse\[1\]: links are pairs of positions or a line in Pharaoh format, not int$"),
        ("0-0 1=1", alinea.ParseError, r"^reverse:2:5: expected a link such as .*, found `1=1`$"),
    ],
)
def test_what_is_not_links_is_refused(links: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        alinea.symmetrize([[], []], [[], links], "union")


def test_positions_may_be_as_large_as_they_get() -> None:
    last = 2**32 - 1
    (joined,) = alinea.symmetrize([[(last, last)]], [[(0, 0), (last, last)]], "grow-diag-final-and")
    assert joined.tolist() == [[0, 0], [last, last]]


def test_directions_must_be_equally_long() -> None:
    with pytest.raises(alinea.Error, match=r"^unequal lengths: forward has 1 line, reverse has 2$"):
        alinea.symmetrize([[]], [[], []], "union")
    assert list(alinea.symmetrize([], [], "union")) == []


def test_methods_have_names() -> None:
    # The type has those that are understood, and no others.
    assert list(get_args(alinea.Method)) == _native.symmetrization_methods()
    joined = {method: alinea.symmetrize([FORWARD], [REVERSE], method) for method in get_args(alinea.Method)}
    names = {
        "intersection": ["intersect"],
        "grow-diag": ["gd", "grow_diag"],
        "grow-diag-final": ["gdf", "grow_diag_final"],
        "grow-diag-final-and": ["gdfa", "grow_diag_final_and"],
    }
    for method, others in names.items():
        assert all(joined[other] == joined[method] for other in others)
    assert set(joined) == {"union", "grow", *names, *(other for others in names.values() for other in others)}
    with pytest.raises(alinea.ConfigError, match="method = refined: must be intersection, union, grow,"):
        alinea.symmetrize([], [], "refined")  # type: ignore[arg-type]


def test_one_line_is_not_many() -> None:
    with pytest.raises(TypeError, match="forward: expected a sequence"):
        alinea.symmetrize("0-0", ["0-0"], "union")


def test_lines_are_parsed() -> None:
    gold = alinea.parse_pharaoh(" 2-1\t0-0 1p2 0-0 3-3:0.5\n")
    assert gold.sure.tolist() == [[0, 0], [2, 1], [3, 3]]
    assert gold.possible.tolist() == [[0, 0], [1, 2], [2, 1], [3, 3]]
    assert gold == alinea.GoldAlignment([(0, 0), (2, 1), (3, 3)], [(1, 2)])
    assert gold != alinea.GoldAlignment([(0, 0), (2, 1), (3, 3)])
    assert repr(alinea.parse_pharaoh("0p1")) == "GoldAlignment(sure=[], possible=[[0, 1]])"


@pytest.mark.parametrize("token", ["0", "0-", "-1", "0-1-", "0_1", "0-x", "4294967296-0", "0-1:x", "é"])
def test_bad_links_are_named_with_their_place(token: str) -> None:
    with pytest.raises(alinea.ParseError) as caught:
        alinea.parse_pharaoh(f"0-0  {token} 1-1")
    assert str(caught.value).endswith(f"found `{token}`")
    assert (caught.value.path, caught.value.line, caught.value.column) == ("<memory>", 1, 6)


def test_files_are_read(tmp_path: Path) -> None:
    plain, packed = tmp_path / "gold.align", tmp_path / "gold.gz"
    plain.write_bytes(b"0-0 1p2\r\n\n2-2")
    packed.write_bytes(gzip.compress(b"0-0 1p2\n\n2-2\n"))
    expected = [alinea.GoldAlignment([(0, 0)], [(1, 2)]), alinea.GoldAlignment([]), alinea.GoldAlignment([(2, 2)])]
    assert alinea.read_pharaoh(plain) == expected
    assert alinea.read_pharaoh(os.fspath(packed)) == expected


def test_errors_in_files_say_where(tmp_path: Path) -> None:
    path = tmp_path / "gold.align"
    path.write_text("0-0\n1-1 1:1\n")
    with pytest.raises(alinea.ParseError) as caught:
        alinea.read_pharaoh(path)
    assert (caught.value.path, caught.value.line, caught.value.column) == (str(path), 2, 5)
    path.write_bytes(b"0-0\n\xff\n")
    with pytest.raises(alinea.ParseError, match="invalid UTF-8") as caught:
        alinea.read_pharaoh(path)
    assert (caught.value.line, caught.value.column) == (2, 1)


def test_unreadable_files_raise_what_python_raises(tmp_path: Path) -> None:
    for read in (alinea.read_pharaoh, Path.read_bytes):
        with pytest.raises(FileNotFoundError) as missing:
            read(tmp_path / "nowhere")
        assert missing.value.filename == str(tmp_path / "nowhere")
        assert str(missing.value).startswith("[Errno 2] No such file or directory: ")
        with pytest.raises(IsADirectoryError):
            read(tmp_path)
    damaged = tmp_path / "gold.gz"
    damaged.write_bytes(gzip.compress(b"0-0\n" * 1000)[:-9])
    with pytest.raises(OSError, match=r"gold\.gz"):
        alinea.read_pharaoh(damaged)


def test_errors_have_families_and_survive_pickling() -> None:
    assert issubclass(alinea.ParseError, (alinea.Error, ValueError))
    assert issubclass(alinea.ConfigError, (alinea.Error, ValueError))
    assert not issubclass(alinea.Error, ValueError)
    with pytest.raises(alinea.ParseError) as caught:
        alinea.parse_pharaoh("x")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.column) == (str(caught.value), 1, 1)
    assert type(again).__module__ == "alinea"
