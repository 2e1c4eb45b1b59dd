"""Text and links in files and in columns of data frames."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import alinea

SOURCE = ["the house", "the\tflower ", "a house", "", "a blue flower seen from below"]
TARGET = ["la maison", "la fleur", "une maison", "", "une fleur bleue vue d' en bas"]
WORDS = [line.split() for line in SOURCE]
LINES = ["0-0 1-1", "0-0 1-1", "0-0 1-1", "", "0-0 1-2 2-1"]
ROWS = [[[int(number) for number in link.split("-")] for link in line.split()] for line in LINES]

KEYS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
STRINGS = [pa.string(), pa.large_string(), pa.string_view()]


@pytest.fixture(scope="module")
def expected() -> alinea.LinkColumn:
    return alinea.align(SOURCE, TARGET)


def struct_of(column: alinea.LinkColumn) -> Any:
    return pa.array(column)


@pytest.mark.parametrize("kind", STRINGS, ids=str)
@pytest.mark.parametrize("shape", [pa.string, pa.list_, pa.large_list], ids=["str", "list", "large_list"])
def test_columns_of_arrow_are_read_in_every_form(expected: alinea.LinkColumn, kind: Any, shape: Any) -> None:
    items: list[Any] = SOURCE if shape is pa.string else WORDS
    kind = kind if shape is pa.string else shape(kind)
    column = pa.array(items, kind)
    assert alinea.align(column, TARGET) == expected
    pieces = pa.chunked_array([column[:2], column[2:2], column[2:]])
    assert alinea.align(pieces, TARGET) == expected
    # Not from the first item in memory.
    assert alinea.align(pa.array([*items[3:], *items, *items[:2]], kind)[2:7], TARGET) == expected
    # There may be a bitmap of nulls without nulls.
    assert alinea.align(pa.array([None, *items, None], kind)[1:6], TARGET) == expected


@pytest.mark.parametrize("keys", KEYS, ids=str)
def test_dictionaries_are_read_with_keys_of_every_width(expected: alinea.LinkColumn, keys: Any) -> None:
    column = pa.array([*TARGET[:2], *SOURCE, *SOURCE]).dictionary_encode().cast(pa.dictionary(keys, pa.string()))
    assert alinea.align(column[2:7], TARGET) == expected
    assert alinea.align(column[7:], TARGET) == expected
    words = pa.array([["x"], *WORDS], pa.list_(pa.dictionary(keys, pa.string())))
    assert alinea.align(words[1:], TARGET) == expected
    numbers = pa.array(range(len(SOURCE)), keys)
    for kind in STRINGS:
        column = pa.DictionaryArray.from_arrays(numbers, pa.array(SOURCE, kind))
        assert alinea.align(column, TARGET) == expected


@pytest.mark.parametrize(
    "make",
    [
        pl.Series,
        lambda lines: pl.Series(line.split() for line in lines),
        lambda lines: pl.Series(lines, dtype=pl.Categorical),
        lambda lines: pl.concat([pl.Series(lines[:1]), pl.Series(lines[1:])]),
        lambda lines: pl.DataFrame({"text": ["x", *lines]})["text"][1:],
        np.array,
        lambda lines: np.array(lines, dtype=object),
        lambda lines: np.array([*lines, None], dtype=object)[:-1],
    ],
)
def test_series_and_arrays_are_read(expected: alinea.LinkColumn, make: Callable[[list[str]], Any]) -> None:
    assert alinea.align(make(SOURCE), make(TARGET)) == expected


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array(["a", None]), r"^source\[1\]: a sentence is a str or a sequence of str, not null$"),
        (pa.array([["a"], None]), r"^source\[1\]: a sentence is a str or a sequence of str, not null$"),
        (pa.array([["a"], ["b", None]]), r"^source\[1\]: a token is a str, not null$"),
        (pa.chunked_array([pa.array(["a"]), pa.array([None], pa.string())]), r"^source\[1\]: a sentence is"),
        (pa.array([None, "a"]).dictionary_encode(), r"^source\[0\]: a sentence is"),
        (pl.Series(["a", None]), r"^source\[1\]: a sentence is"),
        (np.array(["a", None]), r"^source\[1\]: a sentence is a str or a sequence of str, not NoneType$"),
        (pa.array([1, 2]), r"^source: expected a column of strings or of lists of strings, not of Int64$"),
        (pa.array([[["a"]], [["b"]]]), r"^source: expected a column of strings or of lists of strings, not of List"),
        (pa.array([None, None]), r"^source: expected a column of strings or of lists of strings, not of Null$"),
        (pl.DataFrame({"text": ["a", "b"]}), r"^source: expected a column of strings .*, not of Struct"),
        (pa.array([b"a", b"b"]), r"^source: expected a column of strings .*, not of Binary"),
    ],
)
def test_what_is_no_column_of_text_is_refused(column: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        alinea.align(column, ["x", "y"])


def test_a_long_sentence_of_a_column_is_refused_at_its_place() -> None:
    for column in (pa.array(["a", "b c d"]), pa.array([["a"], ["b", "c", "d"]])):
        with pytest.raises(alinea.ParseError, match=r"^target:2: 3 tokens, more than the limit of 2; set max_length"):
            alinea.align(["a", "b"], column, max_length=2)


def test_strings_that_are_none_are_refused() -> None:
    array = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
    with pytest.raises(ValueError, match=r"^source: not a column that can be read: .*UTF"):
        alinea.align(array, ["x"])


def test_a_stream_that_fails_raises() -> None:
    def batches() -> Any:
        yield pa.record_batch({"text": SOURCE})
        raise LookupError("no more")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    with pytest.raises(ValueError, match="no more"):
        alinea.align(reader, TARGET)


def test_what_cannot_be_lent_is_iterated_over(expected: alinea.LinkColumn) -> None:
    class Lender(list[str]):
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            raise ImportError("no pyarrow")

    assert alinea.align(Lender(SOURCE), TARGET) == expected


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_files_are_read(tmp_path: Path, expected: alinea.LinkColumn, compress: Callable[[bytes], bytes]) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(compress("\n".join([*SOURCE, ""]).encode()))
    target.write_bytes(compress("\r\n".join(TARGET).encode()))
    assert alinea.align(source, target) == expected
    model = tmp_path / "model"
    alinea.train(source, TARGET, model, added=[(target, SOURCE)])
    assert len(alinea.TrainedModel(model).align(SOURCE, target)) == len(SOURCE)
    assert alinea.phrases(source, target, LINES) == alinea.phrases(SOURCE, TARGET, LINES)


def test_open_files_are_iterables_of_lines(tmp_path: Path, expected: alinea.LinkColumn) -> None:
    path = tmp_path / "source"
    path.write_text("\n".join([*SOURCE, ""]), "utf-8")
    with path.open(encoding="utf-8") as lines:
        assert alinea.align(lines, TARGET) == expected


def test_errors_of_files_say_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "source"
    path.write_bytes(b"the house\nthe caf\xe9\n")
    with pytest.raises(alinea.ParseError, match="invalid UTF-8") as caught:
        alinea.align(path, TARGET)
    assert (caught.value.path, caught.value.line, caught.value.column) == (str(path), 2, 8)
    path.write_text("a\nb c d\n")
    with pytest.raises(alinea.ParseError, match=r"source:2: 3 tokens, more than the limit of 2; set max_length to"):
        alinea.align(path, ["x", "y"], max_length=2)
    with pytest.raises(FileNotFoundError):
        alinea.align(tmp_path / "nothing", TARGET)
    with pytest.raises(alinea.Error, match="unequal lengths: source has 2 lines, target has 5"):
        alinea.align(path, TARGET)
    with pytest.raises(TypeError, match=r"source: expected .* \(pass a file as a pathlib.Path\)"):
        alinea.align(str(path), TARGET)
    # A hyphen is a name as others are.
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError):
        alinea.align(Path("-"), TARGET)
    with pytest.raises(FileNotFoundError):
        alinea.read_pharaoh("-")


def test_links_are_read_from_files_and_columns(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("\n".join([*LINES, ""]))
    column = alinea.symmetrize(LINES, LINES, "union")
    as_structures = struct_of(column)
    for links in (
        path,
        column,
        pl.Series(LINES),
        pa.array(LINES, pa.string_view()),
        as_structures,
        pa.chunked_array([as_structures[:1], as_structures[1:]]),
        pl.Series(column),
        # Other integers, and the fields in another order.
        pl.Series(column).list.eval(
            pl.struct(pl.element().struct.field("target"), pl.element().struct.field("source"))
        ),
        as_structures.cast(pa.list_(pa.struct({"source": pa.int64(), "target": pa.uint8()}))),
    ):
        assert alinea.symmetrize(links, LINES, "intersection") == column
        assert alinea.evaluate(links, links).f == 1.0
        assert alinea.phrases(SOURCE, TARGET, links) == alinea.phrases(SOURCE, TARGET, LINES)
        assert [pair.tolist() for pair in alinea.align(SOURCE, TARGET, links=links)][:3] == ROWS[:3]
    path.write_text("0-0 1p1\n")
    assert alinea.evaluate(path, ["0-0"]).recall == 1.0


@pytest.mark.parametrize(
    ("column", "error", "message"),
    [
        (pl.Series(["0-0", "0"]), alinea.ParseError, r"^forward:2:1: expected a link"),
        (pl.Series(["0-0", None]), TypeError, r"^forward\[1\]: links are a line in Pharaoh format, not null$"),
        (pl.Series([["0-0"], ["1-1"]]), TypeError, r"^forward: expected a column of strings or of lists of structures"),
        (pl.Series([1, 2]), TypeError, r"^forward: expected a column of strings or of lists of structures"),
        (
            pl.Series([None, [{"source": 0, "target": 0}]]),
            TypeError,
            r"^forward\[0\]: links are pairs of positions, not",
        ),
        (
            pl.Series([[], [{"source": 0, "target": None}]]),
            TypeError,
            r"^forward: expected a column of strings or of lists of str",
        ),
        (
            pl.Series([[{"source": 0, "target": 1}], [{"source": 0, "target": None}]]),
            TypeError,
            r"^forward\[1\]: links are pairs of positions",
        ),
        (
            pl.Series([[], [None, {"source": 0, "target": 1}]]),
            TypeError,
            r"^forward\[1\]: links are pairs of positions",
        ),
        (
            pl.Series([[], [{"source": 0, "target": -1}]]),
            ValueError,
            r"^forward\[1\]: positions are from 0 to 42949672",
        ),
        (pl.Series([[{"source": 2**32, "target": 1}], []]), ValueError, r"^forward\[0\]: positions are from 0 to 4294"),
        (
            pl.Series([[{"first": 2, "second": 1}], []]),
            TypeError,
            r"^forward: expected a column of strings or of lists of str",
        ),
        (
            pl.Series([[{"source": 0.5, "target": 1.0}]]),
            TypeError,
            r"^forward: expected a column of strings or of lists of str",
        ),
    ],
)
def test_what_is_no_column_of_links_is_refused(column: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        alinea.symmetrize(column, ["0-0", "0-0"], "union")


def test_links_go_to_data_frames() -> None:
    column = alinea.symmetrize(LINES, LINES, "union")
    structures = [[{"source": i, "target": j} for i, j in pair] for pair in ROWS]
    assert pl.Series(column).to_list() == structures
    assert struct_of(column).to_pylist() == structures
    assert struct_of(column[1:3]).to_pylist() == structures[1:3]
    struct_of(column).validate(full=True)
    frame = pl.DataFrame({"text": SOURCE}).with_columns(links=pl.Series(column))
    assert frame.explode("links").unnest("links").drop_nulls()["target"].to_list() == [j for p in ROWS for _, j in p]
    phrases = alinea.phrases(SOURCE, TARGET, column)
    assert pa.array(phrases)[4].as_py()[0] == dict(
        zip(("source_start", "source_end", "target_start", "target_end"), phrases[4][0].tolist(), strict=True)
    )
    empty = column[:0]
    assert (pl.Series(empty).to_list(), struct_of(empty).to_pylist()) == ([], [])


def test_a_column_is_used_like_a_list() -> None:
    column = alinea.symmetrize(LINES, LINES, "union")
    assert len(column) == len(ROWS)
    assert [pair.tolist() for pair in column] == ROWS
    assert [pair.tolist() for pair in reversed(column)] == ROWS[::-1]
    assert column[-1].tolist() == ROWS[-1]
    with pytest.raises(IndexError):
        column[5]
    for part in (slice(1, 3), slice(None), slice(3, 1), slice(-2, None), slice(None, None, -1), slice(0, 5, 2)):
        assert [pair.tolist() for pair in column[part]] == ROWS[part]
    assert column[:2] != column[1:]
    assert column != ROWS
    assert pickle.loads(pickle.dumps(column)) == column
    assert repr(column) == "<LinkColumn of 5 sentence pairs, 9 rows>"
    assert alinea.LinkColumn(column.offsets, column.rows) == column


@pytest.mark.parametrize(
    ("offsets", "rows", "message"),
    [
        ([0, 2], [[0, 0]], "offsets: numbers that rise from 0 to 1"),
        ([0, 2, 1], [[0, 0]], "offsets: numbers that rise from 0 to 1"),
        ([], np.empty((0, 2)), "offsets: numbers that rise from 0 to 0"),
        ([0, 1], [[0, 0, 0]], "rows: 2 columns are needed"),
    ],
)
def test_columns_that_do_not_fit_are_refused(offsets: Any, rows: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        alinea.LinkColumn(np.array(offsets, dtype=np.int64), np.array(rows))
